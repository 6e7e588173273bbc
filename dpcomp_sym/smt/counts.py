"""Questions on integers alone, as terms: which numbers satisfy some formulas?

>>> from dpcomp_sym.terms import Scope, parse
>>> scope = Scope(variables={"m": "int", "n": "int"})
>>> numbers(["m", "n"], [parse("m + n == 5 and m > 2*n and n > 0", scope)])
{'m': 4, 'n': 1}
>>> numbers(["m"], [parse("m < m", scope)]) is None
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from dpcomp_sym.model import Domain
from dpcomp_sym.smt.asking import RESOURCES, ask, prepared
from dpcomp_sym.smt.query import Reading, Signature
from dpcomp_sym.terms import Term, fold

__all__ = ["SolverGaveUpError", "always_possible", "numbers"]


class SolverGaveUpError(Exception):
    """The solver gave up."""


def numbers(names: Sequence[str], formulas: Sequence[Term]) -> dict[str, int] | None:
    """Return integers that satisfy the formulas, or None if there are none.

    Raises:
        UndecidedError: the solver gave up.
    """
    known = _constants(names)
    solver = prepared(z3.Solver())
    solver.add(*(_read(f, known) for f in formulas))
    answer = ask(solver)
    if answer == z3.unknown:
        raise SolverGaveUpError
    if answer == z3.unsat:
        return None
    model = solver.model()
    return {n: model.eval(x, model_completion=True).as_long() for n, x in known.items()}


def always_possible(
    names: Sequence[str], facts: Sequence[Term], inner: Sequence[str], goals: Sequence[Term]
) -> bool:
    """Return whether all integers that satisfy ``facts`` have inner ones that satisfy ``goals``.

    False if the solver gives up: nothing is claimed then.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> scope = Scope(variables={"m": "int", "n": "int"})
    >>> halves = [parse("2*n == m or 2*n + 1 == m", scope)]
    >>> always_possible(["m"], [parse("m >= 0", scope)], ["n"], halves)
    True
    """
    outer, bound = _constants(names), _constants(inner)
    inside = z3.Not(z3.And(*(_read(g, outer | bound) for g in goals)))
    never = z3.ForAll(list(bound.values()), inside) if bound else inside
    # The one eliminates quantifiers, the other instantiates them: each decides what the other
    # does not.
    for solver in (z3.Solver(), z3.SolverFor("LIA")):
        prepared(solver, RESOURCES // 5)
        solver.add(*(_read(f, outer) for f in facts), never)
        answer = ask(solver, steps=RESOURCES // 5)
        if answer != z3.unknown:
            return bool(answer == z3.unsat)
    return False


def _constants(names: Sequence[str]) -> dict[str, Any]:
    return {name: z3.Int(name) for name in names}


def _read(term: Term, known: Mapping[str, Any]) -> Any:
    return fold(term, Reading(_PLAIN, {}, known, {}))


_PLAIN = Signature(Domain({"id": "int"}), {})
