"""GB24.III.2, III.3, VI.3 at ε = 0 and at distance ∞."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems._prove import by_induction
from theorems.errata._plain import (
    FAR,
    Length,
    bounded,
    is_law,
    links,
    path_lengths,
    private,
    refutes,
    times,
    valid,
)
from theorems.errata.e11_group_privacy_of_approximate import (
    iterate,
    iterates_of_exact_group_privacy,
    largest_excess,
)

ONE: Final = Fraction(1)
COUNT: Final[Mapping[str, Any]] = {
    "databases": ((), ("a",)), "distance": FAR, "eps": 0, "claimed exponent": 0,
    "laws": {(): {0: ONE}, ("a",): {1: ONE}},
}  # fmt: skip
"""The number of records, bounded: no neighbours, infinite distance."""

CERTAIN: Final[Mapping[str, Any]] = {**COUNT, "eps": 1, "claimed exponent": FAR, "right side": 0}
QUOTIENT: Final[Mapping[str, Any]] = {
    "q": Fraction(1), "delta": Fraction(1, 10), "steps": 2, "numerator": 0, "denominator": 0,
    "exact": Fraction(1, 5),
}  # fmt: skip


def _unrelated(data: Mapping[str, Any]) -> bool:
    D, E = data["databases"]
    pairs = links(data["databases"], bounded)
    length = path_lengths(data["databases"], pairs)[D, E]
    laws = data["laws"]
    return bool(
        not pairs and length is data["distance"] is FAR and all(map(is_law, laws.values()))
        and private(laws, pairs, 1)
    )  # fmt: skip


def fails_at_zero(data: Mapping[str, Any]) -> bool:
    """Return whether a 0-DP mechanism is not (0·d)-private where 0 · ∞ is 0."""
    D, E = data["databases"]
    exponent: Length = times(data["eps"], data["distance"], nothing_times_far=0)
    laws = data["laws"]
    return bool(
        _unrelated(data) and data["eps"] == 0 and exponent == data["claimed exponent"] == 0
        and laws[D] != laws[E]
    )  # fmt: skip


def fails_at_infinity(data: Mapping[str, Any]) -> bool:
    """Return whether an ε-DP mechanism violates P ≤ e^∞ P' where ∞ · 0 is 0."""
    D, E = data["databases"]
    laws = data["laws"]
    exponent = times(data["eps"], data["distance"])
    outcome = next(iter(laws[D]))
    right = times(FAR, laws[E].get(outcome, 0), nothing_times_far=0)
    return bool(
        _unrelated(data) and data["eps"] > 0 and exponent is data["claimed exponent"] is FAR
        and right == data["right side"] == 0 and laws[D][outcome] > 0
    )  # fmt: skip


def fails_as_a_quotient(data: Mapping[str, Any]) -> bool:
    """Return whether the printed δ is 0/0 at ε = 0, while an exact one exists."""
    q, slack, n = data["q"], data["delta"], data["steps"]
    return bool(
        (q**n - 1, q - 1) == (data["numerator"], data["denominator"]) == (0, 0)
        and largest_excess(n, q, slack) == data["exact"] == n * slack
    )  # fmt: skip


@theorem(
    id="E25",
    statement="M is ε-DP for G iff it is ε d^G-private, ε = 0 and distance ∞ included: false if "
    "0 · ∞ is read as 0, both in ε · d and in e^{ε d} · P'; bounded counting on ∅ and {a}.",
    status="refuted",
    cite="GB24.III.2, III.3 (silent about 0 · ∞; II.9 uses 0-DP); GB24s.II.3",
    latex=r"If $0\cdot\infty$ is read as $0$, it is false that $M$ is $\mathcal G$ "
    r"$\varepsilon$-DP iff it is $\varepsilon d^{\mathcal G}$-private for $\varepsilon=0$ and "
    r"infinite distances, too: bounded counting tells $\emptyset$ from $\{a\}$.",
)
def not_everywhere_private_with_nothing_times_infinity() -> Evidence:
    """Scaled distances and inequalities are to be read with 0 · ∞ = ∞ here.

    The last of them agrees with the Rényi form D_∞ ≤ d, which asks nothing at distance ∞.
    """
    return (
        refutes("III.3 at ε = 0, with 0·∞ = 0", COUNT, fails_at_zero),
        refutes("III.3 at ε = 1, with e^∞·0 = 0", CERTAIN, fails_at_infinity),
    )


@theorem(
    id="E25",
    statement="(ε,δ)-DP gives δ(e^{nε}−1)/(e^ε−1) at distance n for all ε ≥ 0: false at ε = 0, "
    "where this is 0/0; there it is nδ.",
    status="refuted",
    cite="GB24.VI.2, VI.3",
    latex=r"It is false that $(\varepsilon,\delta)$-DP gives "
    r"$\delta\frac{e^{n\varepsilon}-1}{e^\varepsilon-1}$ at distance $n$ for all "
    r"$\varepsilon\ge0$: at $\varepsilon=0$ the quotient is $0/0$, and the value is $n\delta$.",
)
def not_a_quotient_at_epsilon_zero() -> Evidence:
    """The limit for ε → 0 is meant."""
    return refutes("the formula has a value at ε = 0", QUOTIENT, fails_as_a_quotient)


@theorem(
    id="E25",
    statement="(0,δ)-DP is, at distance n, (0, min(1, nδ))-privacy, exactly.",
    status="decided",
    cite="GB24.VI.3 at ε = 0, corrected",
    latex=r"A $(0,\delta)$-DP mechanism is $(0,\min(1,n\delta))$-private at distance $n$, "
    r"exactly.",
)
def sum_of_group_privacy_at_epsilon_zero() -> Evidence:
    """The exact step g(a) is min(1, a + δ) for q = 1; so its n-th iterate from 0 is min(1, nδ)."""
    import z3

    a, s = z3.Reals("a delta")
    iterated = z3.Function("iterate", z3.IntSort(), z3.RealSort())
    low = z3.If(a + s <= 1, a + s, 1)
    other = 1 - (1 - s - a)
    least = z3.If(low <= other, low, other)
    fixed = z3.And(s >= 0, s <= 1, a >= 0, a <= 1)

    def is_least(n: Any) -> Any:
        return iterated(n) == z3.If(n * s <= 1, n * s, 1)

    def following(n: Any) -> list[Any]:
        g = z3.If(iterated(n) + s <= 1, iterated(n) + s, 1)
        return [iterated(n + 1) == g, s >= 0, s <= 1]

    tenths = [Fraction(m, 10) for m in range(11)]
    true = all(
        iterate(m, ONE, x) == largest_excess(m, ONE, x) == min(ONE, m * x)
        for x in tenths for m in (1, 2)
    )  # fmt: skip
    return (
        Discharged(
            "smt",
            {
                "g(a) = min(1, a + δ) at q = 1": valid(z3.Implies(fixed, least == low)),
                "the n-th iterate from 0 is min(1, nδ), for every n": by_induction(
                    is_least, [iterated(0) == 0], following
                ),
            },
        ),
        *iterates_of_exact_group_privacy(),
        CheckedInScope("δ in tenths, one and two steps, all vertices", 22, true),
    )
