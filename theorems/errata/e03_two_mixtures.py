"""HBW.V-B: the weighted mean of e^ε over matched pairs of memberships, for two mixtures."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any, Final

from theorems._entry import Discharged, Evidence, theorem
from theorems.errata._plain import is_law, refutes, valid

_HALF: Final = Fraction(1, 2)

TWO: Final[Mapping[str, Any]] = {
    "q": Fraction(9),
    "p0": {(1, 1): _HALF, (0, 0): _HALF},
    "p1": {(1, 1): _HALF, (0, 1): _HALF},
    "matched": (((1, 1), (1, 1), _HALF), ((0, 0), (0, 1), _HALF)),
    "printed": Fraction(5),
    "true": Fraction(41, 5),
    "view": (0, 0),
}
"""Two databases with randomized response, ε = ln 9 each; at the view (0, 0) the ratio is 41/5."""


def chance(view: tuple[int, ...], law: Mapping[Any, Fraction], q: Fraction) -> Fraction:
    """Return the probability of a view: each output is the bit with probability q/(1 + q)."""
    return sum(
        (
            w * prod((q if x == y else Fraction(1)) / (1 + q) for x, y in zip(b, view, strict=True))
            for b, w in law.items()
        ),
        Fraction(0),
    )


def fails(data: Mapping[str, Any]) -> bool:
    """Return whether the printed factor is below what the adversary sees."""
    q, p0, p1 = data["q"], data["p0"], data["p1"]
    sides: tuple[dict[Any, Fraction], dict[Any, Fraction]] = ({}, {})
    printed = Fraction(0)
    for a, b, w in data["matched"]:
        for side, one in zip(sides, (a, b), strict=True):
            side[one] = side.get(one, Fraction(0)) + w
        printed += w * q ** sum(x != y for x, y in zip(a, b, strict=True))
    views = itertools.product((0, 1), repeat=2)
    ratios = {v: chance(v, p0, q) / chance(v, p1, q) for v in views}
    worst = max(max(r, 1 / r) for r in ratios.values())
    return (
        q > 1
        and is_law(p0)
        and is_law(p1)
        and sides == (p0, p1)
        and data["printed"] == printed < data["true"] == worst == ratios[data["view"]]
    )


@theorem(
    id="E3",
    statement="That ε = ln Σ w e^(ε of a matched pair) holds for any two hypotheses is false once "
    "both are mixtures: for two databases, p₀ = ½(11) + ½(00) and p₁ = ½(11) + ½(01), matched as "
    "11 with 11 and 00 with 01, it says (1+q)/2, and (1+q²)/(1+q) is seen, for every q > 1.",
    status="refuted",
    cite="HBW.V-B",
    latex=r"It is false that two mixtures lose at most $\varepsilon=\ln\sum "
    r"w\,e^{\varepsilon_{b_0b_1}}$: for $p_0=\frac12(11)+\frac12(00)$ and "
    r"$p_1=\frac12(11)+\frac12(01)$, with $11$ matched to $11$ and $00$ to $01$, it gives "
    r"$e^\varepsilon=\frac{1+q}2$, and $\frac{1+q^2}{1+q}$ is seen, for every $q>1$.",
)
def not_private_mean_of_matched_factors() -> Evidence:
    """At q = 9: 5 printed, 41/5 seen at the outputs (0, 0); for other q by the solver."""
    import z3

    q = z3.Real("q")
    every = z3.Implies(q > 1, (1 + q * q) * 2 > (1 + q) * (1 + q))
    return (
        refutes("two mixtures are ln Σ w e^ε apart at most", TWO, fails),
        Discharged("smt", {"(1+q²)/(1+q) > (1+q)/2 for every q > 1": valid(every)}),
    )


@theorem(
    id="E3",
    statement="What holds for matched pairs with weights w and factors f = e^ε: the largest f, "
    "both ways; for a single vector Σ w f against it, and 1/Σ(w/f) of it; for any coupling the "
    "smaller of max E[f given b₁] and max 1/E[1/f given b₀], one way.",
    status="argued",
    cite="HBW.V-B, corrected",
    latex=r"For matched pairs with weights $w$ and factors $f$ the largest $f$ bounds the ratio "
    r"both ways. A mixture against a single vector has the bound $\sum wf$, a single vector "
    r"against a mixture $1/\sum(w/f)$; for any coupling the smaller of $\max_{b_1}\mathbb "
    r"E(f\mid b_1)$ and $\max_{b_0}1/\mathbb E(1/f\mid b_0)$ does one way.",
)
def private_of_conditional_means() -> Evidence:
    """P(S|b₀) ≤ f P(S|b₁) for each matched pair, summed in two ways.

    Given b₁, Σ w f P(S|b₁) = p₁(b₁) E[f | b₁] P(S|b₁); and P(S|b₀)/f ≤ P(S|b₁) in the same way
    given b₀.  For a single b₀ the second gives 1/Σ(w/f).
    """
    import z3

    w, v, f, g, a, b, c, d, m = z3.Reals("w v f g a b c d m")
    good = [x >= 0 for x in (w, v, a, b, c, d)] + [f >= 1, g >= 1]
    one = z3.Implies(z3.And(*good, a <= f * c, b <= f * d), w * a + v * b <= f * (w * c + v * d))
    same = z3.Implies(
        z3.And(*good, a <= f * c, b <= g * c, w * f + v * g <= m * (w + v)),
        w * a + v * b <= m * (w + v) * c,
    )
    back = z3.Implies(
        z3.And(*good, a <= f * c, a <= g * d, w + v == m * (w / f + v / g), m >= 0),
        (w + v) * a <= m * (w * c + v * d),
    )
    return Discharged(
        "smt",
        {
            "one factor for two pairs: it holds for their mixture": valid(one),
            "two pairs with one b₁: the mean of the factors": valid(same),
            "two pairs with one b₀: the harmonic mean": valid(back),
        },
        "more than two pairs one after the other",
    )
