"""GB24.IV.1, VI.4, A.10, A.11: events that are no products, and integrals of signed measures."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import CheckedInScope, Discharged, Evidence, theorem
from theorems.errata._plain import delta, is_law, refutes, valid

HALF: Final = Fraction(1, 2)
DIAGONAL: Final[Mapping[str, Any]] = {
    "P": {(0, 0): HALF, (1, 1): HALF}, "Q": {(0, 1): HALF, (1, 0): HALF},
    "rectangles": HALF, "events": Fraction(1),
}  # fmt: skip
SIGNED: Final[Mapping[str, Any]] = {
    "P": {"x": Fraction(1)}, "Q": {"x": Fraction(1)}, "factor": 2, "g": {"x": Fraction(0)},
    "integral": 0, "measure": -1,
}  # fmt: skip
"""α = P − 2Q is nowhere positive, and g = 0."""


def over_rectangles(P: Mapping[Any, Fraction], Q: Mapping[Any, Fraction]) -> Fraction:
    """Return the most that P exceeds Q on a product of two sets."""
    left = sorted({x for x, _ in (*P, *Q)})
    right = sorted({y for _, y in (*P, *Q)})
    best = Fraction(0)
    for one in range(1 << len(left)):
        for two in range(1 << len(right)):
            S = {x for n, x in enumerate(left) if one >> n & 1}
            T = {y for n, y in enumerate(right) if two >> n & 1}
            inside = [(x, y) for x in S for y in T]
            best = max(best, sum((P.get(o, Fraction(0)) - Q.get(o, Fraction(0)) for o in inside),
                                 Fraction(0)))  # fmt: skip
    return best


def fails_for_events(data: Mapping[str, Any]) -> bool:
    """Return whether some event exceeds what all rectangles satisfy."""
    P, Q = data["P"], data["Q"]
    return bool(
        is_law(P) and is_law(Q) and over_rectangles(P, Q) == data["rectangles"]
        and delta(P, Q, 1) == data["events"] and data["events"] > data["rectangles"]
    )  # fmt: skip


def fails_for_signed_measures(data: Mapping[str, Any]) -> bool:
    """Return whether the integral of some g ≤ 1 exceeds the measure of the whole."""
    P, Q, g, factor = data["P"], data["Q"], data["g"], data["factor"]
    signed = {o: P[o] - factor * Q[o] for o in P}
    integral = sum(g[o] * signed[o] for o in P)
    return bool(
        is_law(P) and is_law(Q) and set(P) == set(Q) == set(g)
        and all(0 <= x <= 1 for x in g.values()) and all(a <= 0 for a in signed.values())
        and integral == data["integral"] and sum(signed.values()) == data["measure"]
        and integral > sum(signed.values())
    )  # fmt: skip


@theorem(
    id="E17",
    statement="An inequality with δ for all products of events holds for all events: false, the "
    "uniform laws on the two diagonals of a square have δ = 1/2 on products and 1 in general.",
    status="refuted",
    cite="GB24.VI.4, proof (events written as products); GB24.IV.1, proof",
    latex=r"It is false that $P(S)\le c\,P'(S)+\delta$ holds for all events if it does for all "
    r"products: for the uniform laws on the two diagonals of a square $\delta=\frac12$ is enough "
    r"on products, and $1$ is needed in general.",
)
def not_approximate_of_rectangles() -> Evidence:
    """The theorems hold: their integrals can be read with the sections of any event."""
    return refutes("δ over rectangles is δ over events", DIAGONAL, fails_for_events)


@theorem(
    id="E17",
    statement="The integral of g, 0 ≤ g ≤ 1, for a signed measure α ≤ 0 is at most α of the whole: "
    "false for g = 0.",
    status="refuted",
    cite="GB24.A.10, A.11, proofs",
    latex=r"It is false that $\int g\,d\alpha\le\int d\alpha$ for a signed measure $\alpha\le0$ "
    r"and $0\le g\le1$: take $g=0$.",
)
def not_below_the_measure_integral_of_a_signed_measure() -> Evidence:
    """The lemmas hold by another argument."""
    return refutes("the integral of g on S is at most α(S)", SIGNED, fails_for_signed_measures)


@theorem(
    id="E17",
    statement="If P(S) ≤ c P'(S) + δ for all events S, then E g ≤ c E' g + δ for means of "
    "functions with 0 ≤ g ≤ 1.",
    status="rocq",
    cite="GB24.A.10, A.11",
    latex=r"If $P(S)\le c\,P'(S)+\delta$ for all events $S$, then $\int g\,dP\le c\int "
    r"g\,dP'+\delta$ for all $g$ with $0\le g\le1$.",
)
def bounded_integrals_of_bounded_events() -> Evidence:
    """With α = P − cP' and N the outcomes where α > 0: ∫ g dα ≤ α⁺(S) = α(N ∩ S) ≤ δ.

    The first inequality holds outcome by outcome (or density by density).
    """
    import z3

    g, a = z3.Reals("g a")
    pointwise = z3.Implies(z3.And(g >= 0, g <= 1), g * a <= z3.If(a > 0, a, 0))
    return Discharged("smt", {"g α ≤ max(α, 0)": valid(pointwise)}, "integrate, then use S = N")


@theorem(
    id="E17",
    statement="For δ = 0, P ≤ c P' on all products implies it on all events.",
    status="checked",
    cite="GB24.IV.1, proof",
    latex=r"If $P(S)\le c\,P'(S)$ for all products $S$ of events, it holds for all events.",
)
def pure_on_events_of_rectangles() -> Evidence:
    """On finite ranges a point is a product; in general, by the monotone-class theorem."""
    cases, true = 0, True
    quarters = [Fraction(n, 4) for n in range(5)]
    laws = [p for p in itertools.product(quarters, repeat=4) if sum(p) == 1]
    cells = list(itertools.product(range(2), repeat=2))
    for one, two in itertools.product(laws, repeat=2):
        P, Q = (dict(zip(cells, p, strict=True)) for p in (one, two))
        scaled = {o: 2 * p for o, p in Q.items()}
        cases += 1
        true &= (over_rectangles(P, scaled) <= 0) == (delta(P, Q, 2) <= 0)
    return CheckedInScope("two outcomes each, probabilities in quarters, c = 2", cases, true)
