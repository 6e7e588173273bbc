"""GB24.VI.3: group privacy of approximate differential privacy."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from theorems._entry import CheckedInScope, Computed, Discharged, Evidence, Obligation, theorem
from theorems._prove import by_induction
from theorems.errata._plain import delta, exp_between, private, refutes, valid

THREE: Final[Mapping[str, Any]] = {
    "q": Fraction(2), "delta": Fraction(2, 5), "steps": 2,
    "printed": Fraction(6, 5), "exact": Fraction(9, 10),
}  # fmt: skip
"""Three databases in a row: the printed δ is more than 1, the exact one is not."""

SMALL: Final = Fraction(1, 10**5)


def g(a: Fraction, q: Fraction, slack: Fraction) -> Fraction:
    """Return the largest P(S) of a neighbour of a database with probability ``a`` of S.

    >>> g(Fraction(0), Fraction(2), Fraction(2, 5)), g(Fraction(2, 5), Fraction(2), Fraction(2, 5))
    (Fraction(2, 5), Fraction(9, 10))
    """
    return min(Fraction(1), q * a + slack, 1 - (1 - slack - a) / q)


def iterate(n: int, q: Fraction, slack: Fraction) -> Fraction:
    """Return the n-th iterate of g from 0."""
    a = Fraction(0)
    for _ in range(n):
        a = g(a, q, slack)
    return a


def printed(n: int, q: Fraction, slack: Fraction) -> Fraction:
    """Return the printed δ at distance n."""
    return slack * (q**n - 1) / (q - 1)


def largest_excess(n: int, q: Fraction, slack: Fraction) -> Fraction:
    """Return max P_0(S) - q^n P_n(S) over n steps, by looking at every vertex.

    The unknowns are the probabilities of one event at the n + 1 databases; each step gives four
    inequalities (the event and its complement, both ways).  This is a linear programme, so the
    maximum is at a vertex, where n + 1 of the inequalities are equations.
    """
    from flint import fmpq, fmpq_mat

    size = n + 1
    factor, least = (fmpq(x.numerator, x.denominator) for x in (q, slack))
    limits: list[tuple[list[fmpq], fmpq]] = []  # coefficients and right side of "... <= right side"

    def limit(coefficients: Mapping[int, fmpq | int], right: fmpq | int) -> None:
        limits.append(([fmpq(coefficients.get(i, 0)) for i in range(size)], fmpq(right)))

    for i in range(size):
        limit({i: 1}, 1)
        limit({i: -1}, 0)
    for i, j in [
        *itertools.pairwise(range(size)),
        *((b, a) for a, b in itertools.pairwise(range(size))),
    ]:
        limit({i: 1, j: -factor}, least)
        limit({i: -1, j: factor}, factor - 1 + least)
    best = fmpq(0)
    for chosen in itertools.combinations(limits, size):
        rows = fmpq_mat(size, size, [x for row, _ in chosen for x in row])
        if rows.det() == 0:
            continue
        point = rows.solve(fmpq_mat(size, 1, [right for _, right in chosen])).entries()
        if all(
            sum(c * x for c, x in zip(row, point, strict=True)) <= right for row, right in limits
        ):
            best = max(best, point[0] - factor**n * point[n])
    return Fraction(int(best.p), int(best.q))


def fails_to_be_exact(data: Mapping[str, Any]) -> bool:
    """Return whether δ at distance n is less than printed: by vertices, and by a mechanism."""
    q, slack, n = data["q"], data["delta"], data["steps"]
    table = {j: {"in": iterate(j, q, slack), "out": 1 - iterate(j, q, slack)} for j in range(n + 1)}
    attained = delta(table[n], table[0], q**n)
    return (
        private(table, itertools.pairwise(range(n + 1)), q, slack)
        and printed(n, q, slack) == data["printed"]
        and attained == data["exact"] == largest_excess(n, q, slack)
        and data["exact"] < min(Fraction(1), data["printed"])
    )


@theorem(
    id="E11",
    statement="(ε,δ)-DP gives, at distance n, nothing better than (nε, δ(e^{nε}−1)/(e^ε−1)), and "
    "nothing at all once this δ is at least 1: false, for e^ε = 2, δ = 2/5, n = 2 the exact δ is "
    "9/10, and 6/5 is printed.",
    status="refuted",
    cite="GB24.VI.3 and the remark after it",
    latex=r"It is false that $(\varepsilon,\delta)$-DP gives nothing better than "
    r"$\bigl(n\varepsilon,\delta\frac{e^{n\varepsilon}-1}{e^\varepsilon-1}\bigr)$ at distance "
    r"$n$: for $e^\varepsilon=2$, $\delta=\frac25$ and $n=2$ the exact $\delta$ is $\frac9{10}$, "
    r"and $\frac65$ is printed.",
)
def not_exact_geometric_sum_of_group_privacy() -> Evidence:
    """The printed formula is sound.  Its reading as the value of δ, or as a limit, is not."""
    return refutes("δ(q^n − 1)/(q − 1) is the least δ at nε", THREE, fails_to_be_exact)


def smt_step(q: Any, slack: Any, a: Any) -> Any:
    """Return g(a) as a term of the solver."""
    import z3

    low, high = q * a + slack, 1 - (1 - slack - a) / q
    least = z3.If(low <= high, low, high)
    return z3.If(least <= 1, least, 1)


def smt_close(q: Any, slack: Any, a: Any, b: Any) -> Any:
    """Return that a ≤ q b + δ, for an event and for its complement."""
    import z3

    return z3.And(a <= q * b + slack, 1 - a <= q * (1 - b) + slack)


@theorem(
    id="E11",
    statement="The least δ at nε of (ε,δ)-DP mechanisms, n steps apart, is the n-th iterate from 0 "
    "of g(a) = min(1, qa + δ, 1 − (1−δ−a)/q), q = e^ε; it equals δ(q^n−1)/(q−1) exactly as long as "
    "the (n−1)-th iterate is at most (1−δ)/(1+q).",
    status="decided",
    cite="GB24.VI.3, made exact; N3′",
    latex=r"The least $\delta$ at $n\varepsilon$ of $(\varepsilon,\delta)$-DP mechanisms $n$ "
    r"steps apart is $\delta_n=g^n(0)$ with $g(a)=\min\{1,\,qa+\delta,\,1-(1-\delta-a)/q\}$ and "
    r"$q=e^\varepsilon$. It is $\delta\frac{q^n-1}{q-1}$ as long as "
    r"$\delta_{n-1}\le\frac{1-\delta}{1+q}$, and less from there on.",
)
def iterates_of_exact_group_privacy() -> tuple[Discharged, CheckedInScope]:
    """Upper bound by induction on the steps, attained by a mechanism with two outcomes.

    One step, with an event and its complement: P(S) ≤ g(P'(S)).  As g is increasing and grows at
    most by the factor q, P_0(S) ≤ g^n(P_n(S)) ≤ g^n(0) + q^n P_n(S).  The mechanism that answers
    "in" with probability g^j(0) at the j-th database is (ε,δ)-DP and attains this, since its
    probability at the other end is 0.
    """
    import z3

    q, s, a, b, p = z3.Reals("q delta a b p")
    step, guaranteed = partial(smt_step, q, s), partial(smt_close, q, s)
    fixed = z3.And(q >= 1, s >= 0, s <= 1, a >= 0, a <= 1)
    obligations = {
        "P(S) ≤ g(P'(S))": z3.Implies(
            z3.And(fixed, p >= 0, p <= 1, guaranteed(p, a), guaranteed(a, p)), p <= step(a)
        ),
        "g is increasing": z3.Implies(z3.And(fixed, b >= a, b <= 1), step(a) <= step(b)),
        "g grows at most by the factor q": z3.Implies(
            z3.And(fixed, b >= a, b <= 1), step(b) <= step(a) + q * (b - a)
        ),
        "g keeps probabilities, and never falls below its argument": z3.Implies(
            fixed, z3.And(step(a) >= a, step(a) <= 1)
        ),
        "probabilities a and g(a) are (ε,δ)-close, both ways": z3.Implies(
            fixed, z3.And(guaranteed(step(a), a), guaranteed(a, step(a)))
        ),
        "g(a) = qa + δ iff a ≤ (1−δ)/(1+q), q > 1": z3.Implies(
            z3.And(fixed, q > 1), (step(a) == q * a + s) == (a * (1 + q) <= 1 - s)
        ),
        "the step qa + δ continues δ(q^n−1)/(q−1), q > 1": z3.Implies(
            z3.And(fixed, q > 1, b == s * (p - 1) / (q - 1)), q * b + s == s * (q * p - 1) / (q - 1)
        ),
    }
    found = {text: valid(formula) for text, formula in obligations.items()}
    return Discharged("smt", {**found, **_along_a_path()}), _by_vertices()


def _along_a_path() -> dict[str, Obligation]:
    """Ask for what the single steps make of a path of any length n.

    P(j) is the probability of an event at the j-th database, counted from the far end, iterate(j)
    and power(j) are g^j(0) and q^j.
    """
    import z3

    iterate_, power, p = (
        z3.Function(name, z3.IntSort(), z3.RealSort()) for name in ("iterate", "power", "P")
    )
    q, s = z3.Reals("q delta")
    step, close = partial(smt_step, q, s), partial(smt_close, q, s)
    fixed = [q >= 1, s >= 0, s <= 1]

    def bounded_by_iterate(n: Any) -> Any:
        here = iterate_(n)
        return z3.And(p(n) <= here + power(n) * p(0), here >= 0, here <= 1, power(n) >= 1)

    def one_step(n: Any) -> list[Any]:
        known = [iterate_(n + 1) == step(iterate_(n)), power(n + 1) == q * power(n)]
        private = [close(p(n + 1), p(n)), close(p(n), p(n + 1))]
        inside = [p(n) >= 0, p(n) <= 1, p(n + 1) >= 0, p(n + 1) <= 1, p(0) >= 0]
        return [*fixed, *known, *private, *inside]

    def formula(n: Any) -> Any:
        before, here = iterate_(n), iterate_(n + 1)
        exact = here * (q - 1) == s * (power(n + 1) - 1)
        return z3.And(
            here * (q - 1) <= s * (power(n + 1) - 1), exact == (before * (1 + q) <= 1 - s),
            here >= before, here >= 0, here <= 1, power(n + 1) >= 1,
        )  # fmt: skip

    def defined(n: Any) -> list[Any]:
        return [iterate_(n + 1) == step(iterate_(n)), power(n + 1) == q * power(n)]

    beyond = [q > 1, s > 0, s <= 1]
    start = [iterate_(0) == 0, power(0) == 1]
    return {
        "P_n(S) ≤ g^n(0) + q^n P_0(S) for every path of n steps": by_induction(
            bounded_by_iterate, [*start, *fixed, p(0) >= 0], one_step
        ),
        "g^n(0) = δ(q^n−1)/(q−1) iff g^(n−1)(0) ≤ (1−δ)/(1+q), for every n ≥ 1, q > 1, δ > 0": (
            by_induction(
                formula, [*start, *defined(0), *beyond], lambda n: [*beyond, *defined(n + 1)]
            )
        ),
    }


def _by_vertices() -> CheckedInScope:
    cases, true = 0, True
    values = [Fraction(n, 10) for n in range(11)]
    for q in (Fraction(3, 2), Fraction(2), Fraction(5)):
        for slack in values:
            for n in (1, 2):
                cases += 1
                true &= largest_excess(n, q, slack) == iterate(n, q, slack)
    return CheckedInScope(
        "e^ε in {3/2, 2, 5}, δ in tenths, one and two steps: every vertex of the linear programme",
        cases, true,
    )  # fmt: skip


def _rounded(n: int, *, formula: bool) -> Fraction | None:
    """Return δ for ε = 1, δ = 1/100000 to four places, if both ends of e's enclosure agree on it.

    Both formulas increase with q.
    """
    find = printed if formula else iterate
    low, high = (round(find(n, q, SMALL), 4) for q in exp_between(1))
    return low if low == high else None


@theorem(
    id="E11",
    statement="For ε = 1, δ = 1/100000 the exact δ is 0.7603 at distance 12 and 0.9118 at 13; "
    "the formula gives 0.9472 and 2.5747.  The exact one reaches 1 only at distance 23.",
    status="computed",
    cite="GB24, after VI.3 (no guarantee from distance 13 on)",
    latex=r"For $\varepsilon=1$ and $\delta=10^{-5}$ the exact $\delta$ is $0.7603$ at distance "
    r"$12$ and $0.9118$ at $13$, where the formula gives $0.9472$ and $2.5747$; the exact one "
    r"reaches $1$ at distance $23$.",
)
def figures_of_group_privacy_at_distance_13() -> Evidence:
    """With e between two fractions; the four places are the same at both."""
    certain = [n for n in range(1, 40) if all(iterate(n, q, SMALL) == 1 for q in exp_between(1))]
    below = [n for n in range(1, 40) if all(iterate(n, q, SMALL) < 1 for q in exp_between(1))]
    found = {
        "exact, 12": _rounded(12, formula=False),
        "exact, 13": _rounded(13, formula=False),
        "printed, 12": _rounded(12, formula=True),
        "printed, 13": _rounded(13, formula=True),
        "first distance with δ = 1": min(certain),
        "last distance with δ < 1": max(below),
    }
    stated = {
        "exact, 12": Fraction(7603, 10**4),
        "exact, 13": Fraction(9118, 10**4),
        "printed, 12": Fraction(9472, 10**4),
        "printed, 13": Fraction(25747, 10**4),
        "first distance with δ = 1": 23,
        "last distance with δ < 1": 22,
    }
    return Computed(stated, found)
