"""Obligations: formulas whose negation the solver refutes, and exact algebraic identities.

An obligation that the solver does not decide counts as open, never as settled.  Identities are
between rational functions; they are settled by expanding the numerator of the difference to 0,
not by heuristics.  Each obligation is kept as it was asked, and is looked at for whether there was
anything to ask: see :class:`theorems._entry.Obligation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from theorems._entry import Discharged, Obligation

__all__ = ["by_induction", "holds", "identical", "identities", "possible", "smt"]

RESOURCES = 40_000_000
FIRST = 4_000_000
"""What a question is given before it is asked in another way, or is to be found contradictory."""
NORMAL: Mapping[str, bool] = {"arith_lhs": True, "arith_ineq_lhs": True, "sort_sums": True}
"""How the solver writes two formulas alike that differ in their sides only, whatever came first."""


def holds(claim: Any, *hypotheses: Any) -> Obligation:
    """Ask whether the hypotheses imply the claim, for all values of the free variables.

    Hypotheses that contradict each other imply everything, and count as no proof.

    >>> import z3
    >>> x, y = z3.Reals("x y")
    >>> holds(x * x >= 0).settled, holds(x > 0).settled, holds(x > 0, x > 1, x < 1).settled
    (True, False, False)
    >>> holds(x + y == y + x).trivial, holds(x <= y, y >= x).trivial
    ('the claim folds to true', 'the claim is among the hypotheses')
    """
    import z3

    # Several solvers: one that is asked twice works incrementally, and decides less.
    settled = bool(_check(*hypotheses, resources=FIRST) != z3.unsat) and all(
        _follows(one, hypotheses) for one in _conjuncts(claim)
    )
    return Obligation(_written(claim, hypotheses), settled, _nothing_asked(claim, hypotheses))


def possible(*facts: Any) -> Obligation:
    """Ask whether the facts hold together for some values."""
    import z3

    folded = all(z3.is_true(z3.simplify(f)) for f in facts)
    return Obligation(
        f"possible: {' and '.join(map(_flat, facts))}",
        bool(_check(*facts) == z3.sat),
        "the facts fold to true" if folded else "",
    )


def by_induction(
    claim: Callable[[Any], Any],
    start: Sequence[Any],
    step: Callable[[Any], Sequence[Any]],
) -> Obligation:
    """Ask whether a claim holds for n = 0, 1, 2, …: at 0, and at n + 1 if it holds at n.

    Args:
        claim: the formula for a number n, free or 0.
        start: what is known besides at 0, such as S(0) = 0.
        step: what is known besides when going from n to n + 1, such as S(n + 1) = S(n) + x(n).

    The start may fold (an empty sum is 0); a step that folds makes the whole trivial.

    >>> import z3
    >>> S, c = z3.Function("S", z3.IntSort(), z3.RealSort()), z3.Real("c")
    >>> by_induction(
    ...     lambda n: S(n) == c * n, [S(0) == 0], lambda n: [S(n + 1) == S(n) + c]
    ... ).settled
    True
    >>> by_induction(lambda n: S(n) >= 0, [S(0) == 0], lambda n: []).settled
    False
    """
    import z3

    n = z3.Int("n")
    first = holds(claim(z3.IntVal(0)), *start)
    following = holds(claim(n + 1), n >= 0, claim(n), *step(n))
    return Obligation(
        f"at 0: {first.asked}; from n to n + 1: {following.asked}",
        first.settled and following.settled,
        following.trivial,
    )


def _follows(claim: Any, hypotheses: Sequence[Any]) -> bool:
    """Return whether a claim is a consequence, as it stands or with values for applications."""
    import z3

    question = [*hypotheses, z3.Not(claim)]
    return bool(
        _check(*question, resources=FIRST) == z3.unsat
        or _check(*_generalized(question)) == z3.unsat
        or _check(*question) == z3.unsat
    )


def _generalized(question: Sequence[Any]) -> list[Any]:
    """Return formulas with a constant in the place of each application of a free function.

    What is impossible for any values is impossible for those of functions.  Without functions the
    solver decides polynomials over the reals.
    """
    import z3

    apart = z3.Context()  # normal forms depend on what else a context has
    found: dict[Any, Any] = {}

    def visit(term: Any) -> None:
        if z3.is_quantifier(term):
            return
        for child in term.children():
            visit(child)
        if z3.is_app(term) and term.num_args() and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.setdefault(term, z3.Const(f"value!{len(found)}", term.sort()))

    plain = [z3.simplify(one.translate(apart)) for one in question]
    for one in plain:
        visit(one)
    return [z3.substitute(one, *found.items()) for one in plain]


def _check(*facts: Any, resources: int = RESOURCES) -> Any:
    import z3

    context = z3.Context()  # of its own: what was asked before must not matter
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", resources)
    solver.add(*(fact.translate(context) for fact in facts))
    return solver.check()


def _conjuncts(formula: Any) -> Iterator[Any]:
    import z3

    if z3.is_and(formula):
        for one in formula.children():
            yield from _conjuncts(one)
    else:
        yield formula


def _nothing_asked(claim: Any, hypotheses: Sequence[Any]) -> str:
    """Return why a question is settled as soon as it is written in the solver's normal form."""
    import z3

    claimed = z3.simplify(claim, **NORMAL)
    if z3.is_true(claimed):
        return "the claim folds to true"
    known = [c for h in hypotheses for c in _conjuncts(z3.simplify(h, **NORMAL))]
    if all(any(c.eq(k) for k in known) for c in _conjuncts(claimed)):
        return "the claim is among the hypotheses"
    goal = z3.Goal()
    goal.add(*hypotheses, z3.Not(claim))
    (left,) = z3.Then("simplify", "propagate-values")(goal)
    return "the negation folds to false" if left.inconsistent() else ""


def _flat(formula: Any) -> str:
    """Return a formula in the language of SMT-LIB, on one line."""
    return " ".join(formula.sexpr().split())


def _written(claim: Any, hypotheses: Sequence[Any]) -> str:
    given = ", ".join(map(_flat, hypotheses))
    return f"{given} |- {_flat(claim)}" if given else _flat(claim)


def smt(obligations: Mapping[str, Obligation], argument: str = "") -> Discharged:
    """Return the evidence made of solver obligations."""
    return Discharged("smt", dict(obligations), argument)


def identical(left: Any, right: Any) -> Obligation:
    """Ask whether two rational functions are equal; derivatives in them are taken first.

    >>> import sympy
    >>> x, y = sympy.symbols("x y")
    >>> identical((x + y) ** 2, x**2 + 2 * x * y + y**2).settled
    True
    >>> identical(x + y, y + x).trivial
    'both sides are one formula'
    """
    import sympy

    sides = sympy.sympify(left), sympy.sympify(right)
    difference = sides[0].doit() - sides[1].doit()
    numerator, denominator = sympy.fraction(sympy.together(difference))
    nonzero: bool = sympy.expand(denominator) != 0
    return Obligation(
        f"{sides[0]} = {sides[1]}",
        nonzero and bool(sympy.expand(numerator) == 0),
        "both sides are one formula" if sides[0] == sides[1] else "",
    )


def identities(obligations: Mapping[str, Obligation], argument: str = "") -> Discharged:
    """Return the evidence made of algebraic identities."""
    return Discharged("algebra", dict(obligations), argument)
