r"""Zero-concentrated privacy: rhos add up; r^2 rho at distance r.

Source: GB24.VI.12, VI.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dpcomp_sym.notions.core import (
    ONE,
    Additive,
    Attaining,
    Conversion,
    Curve,
    Exprs,
    Notion,
    Path,
    Points,
    Refuting,
    Words,
    times,
)
from dpcomp_sym.notions.points import concentrated_delta, concentrated_epsilon
from dpcomp_sym.notions.written import beside, factor, squared
from dpcomp_sym.statements import terms as t

__all__ = ["ZCDP"]

_HALF: Final = t.Num(Fraction(1, 2))
_TWO: Final = t.Num(Fraction(2))
_ALPHA, _RHO = t.Param("alpha"), t.Param("rho")


def _half_square(guarantee: Exprs, _: Exprs) -> Exprs:
    (value,) = guarantee
    return (times(_HALF, value, value),)


def _of_coins(guarantee: Exprs, _: Exprs) -> Exprs:
    (eps,) = guarantee
    return (times(eps, t.Apply("tanh", (times(_HALF, eps),))),)


def _of_steps(guarantee: Exprs, r: t.Expr) -> Exprs:
    """Return the relative entropy of the worst pair r steps apart, of coins for one step.

    With a = e^-eps, eps (r - 2 a (1 - a^r)/(1 - a^2)): a^r is convex in r, and at r = 0 this is 0.
    """
    return _of_coins(guarantee, ()) if r == ONE else (t.Apply("path_rho", (*guarantee, r)),)


def _delta(rho: float) -> Callable[[float], float]:
    """Return the usual upper bound (Bun, Steinke 2016, Proposition 1.3)."""
    return lambda e: math.exp(-((e - rho) ** 2) / (4 * rho)) if rho and e > rho else float(rho > 0)


def _times(number: object) -> str:
    """Return a number as a factor in words, and nothing for 1."""
    return "" if str(number) == "1" else f"{number} times "


ZCDP: Final = Notion(
    name="zcdp",
    parameters=("rho",),
    parameter="rho",
    defining="D_alpha(M(D) || M(D')) <= rho alpha for all neighbours D ~ D' and all alpha > 1",
    growth=Additive(power=2),
    lost_back=True,
    sources=("GB24.VI.13", "GB24.VI.16"),
    groups="GB24.VI.12",
    words=Words(
        "zero-concentrated", "zCDP", ("ρ",), (r"\rho",), "2 3",
        lambda g, r: (beside(g[0], f"{r}^2"),),
    ),
    curve=Curve(
        lambda value: _delta(value[0]),
        lambda value: value[0] + 2 * math.sqrt(value[0] * 12),
    ),
    conversions=(
        Conversion(
            "gaussian", "zcdp", _half_square, "mu-GDP implies mu^2/2-zCDP",
            "Dong, Roth, Su 2022, Gaussian differential privacy, Corollary B.6",
            lambda g, _, __: (rf"\tfrac12 {squared(g[0])}",),
            convex=True,
        ),
        Conversion(
            "pure", "zcdp", _of_coins,
            "eps-DP implies eps tanh(eps/2)-zCDP",
            "conversions.pure-zcdp; the larger eps^2/2 is Bun, Steinke 2016, Concentrated "
            "differential privacy, Proposition 1.4",
            lambda g, _, __: (rf"{factor(g[0])} \, \tanh\bigl(\tfrac12 \, {factor(g[0])}\bigr)",),
            both_ways=True,
            path=Path(
                _of_steps,
                "conversions.pure-zcdp at distance r; the larger r^2 eps^2/2 is Bun, Steinke 2016",
                lambda g, r: (rf"\rho_{{\mathrm{{P}}}}({g[0]}, {r})",),
                convex=True,
            ),
        ),
    ),
    attaining=Attaining(
        "a normal number of mean {t} and variance 1/(2*{g})",
        "the Rényi divergence between D* and D** is its order times the sum of {r}^2 times each "
        "guarantee, for every order",
        r"Let $M_p(E)$ be normal with mean $s_p(E)$ and variance $1/(2\rho_p)$. It is "
        r"$\rho_p d_p^2$-zCDP, and at $D, D^*$ the Rényi divergences of order $\alpha$ add up "
        r"to $\alpha \sum_p \rho_p r_p^2$ exactly.",
        # D_alpha of two normals of variance v = 1/(2 rho), 1 apart, is alpha/(2v) = alpha rho.
        (
            (
                t.Product((_ALPHA, _HALF, t.Product((_TWO, _RHO)))),
                t.Product((_ALPHA, _RHO)),
            ),
        ),
    ),
    refuting=Refuting(
        "normals",
        stand_in="pure",
        compared="divergence",
        normal=lambda rho, t: (
            f"a normal number of mean {t} and variance {1 / (2 * rho)}" if rho else "nothing",
            f"Rényi divergences between neighbours are at most {_times(rho)}their order",
        ),
        identity=lambda total, _: (
            f"the Rényi divergence of the outputs at D from those at D' is {_times(total)}its "
            "order, for every order"
        ),
    ),
    points=Points(concentrated_epsilon, concentrated_delta),
)  # fmt: skip
