r"""Gaussian differential privacy: squares of mu add up; r mu at distance r.

Source: GB24.VI.20, VI.21.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
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
)
from dpcomp_sym.notions.points import gaussian_delta, gaussian_epsilon
from dpcomp_sym.notions.written import beside
from dpcomp_sym.statements import terms as t

__all__ = ["GAUSSIAN"]

_MU: Final = t.Param("mu")
_NORMAL: Final = NormalDist()


def _of_steps(guarantee: Exprs, r: t.Expr) -> Exprs:
    return (t.Apply("gdp", guarantee) if r == ONE else t.Apply("path_mu", (*guarantee, r)),)


def _delta(mu: float) -> Callable[[float], float]:
    if mu == 0:
        return lambda _: 0.0
    return lambda e: _NORMAL.cdf(-e / mu + mu / 2) - math.exp(e) * _NORMAL.cdf(-e / mu - mu / 2)


GAUSSIAN: Final = Notion(
    name="gaussian",
    parameters=("mu",),
    parameter="mu",
    defining="T(M(D), M(D'))(alpha) >= Phi(Phi^-1(1 - alpha) - mu) "
    "for all neighbours D ~ D' and alpha",
    growth=Additive(power=2, root=True),
    sources=("GB24.VI.21", "GB24.VI.26"),
    groups="GB24.VI.20",
    words=Words(
        "Gaussian", "GDP", ("μ",), (r"\mu",), "9 3 2 3", lambda g, r: (beside(g[0], r),)
    ),
    curve=Curve(
        lambda value: _delta(value[0]), lambda value: value[0] * value[0] / 2 + 5 * value[0]
    ),
    conversions=(
        Conversion(
            "pure", "gaussian", lambda g, _: (t.Apply("gdp", g),),
            "eps-DP implies mu-GDP for mu = 2 Phi^-1(e^eps/(1 + e^eps)), the smallest such mu",
            "Liu, Sun, Kong, Xu 2022, A bridge to Gaussian differential privacy",
            lambda g, _, __: (
                rf"2\,\Phi^{{-1}}\bigl(e^{{{g[0]}}} / (1 + e^{{{g[0]}}})\bigr)",
            ),
            both_ways=True,
            path=Path(
                _of_steps,
                "conversions.pure-gaussian at distance r; the larger gdp(r eps) forgets the path",
                lambda g, r: (rf"\mu_{{\mathrm{{P}}}}({g[0]}, {r})",),
                convex=False,
            ),
        ),
    ),
    attaining=Attaining(
        "a normal number of mean {g}*{t} and variance 1",
        "the trade-off curve between D* and D** is that of normals whose distance is the root of "
        "the sum of squares, each of {r} times a guarantee",
        r"Let $M_p(E)$ be normal with mean $\mu_p s_p(E)$ and variance $1$. At $D, D^*$ the "
        r"outputs are two normal vectors whose means are $(\sum_p \mu_p^2 r_p^2)^{1/2}$ apart, "
        "which is the trade-off curve of the bound.",
        # A shift by mu is mu-Gaussian.
        ((t.Sqrt(t.Product((_MU, _MU))), _MU),),
    ),
    refuting=Refuting(
        "normals",
        stand_in="pure",
        compared="advantage",
        normal=lambda mu, t: (
            f"a normal number of mean {t if mu == 1 else f'{mu}*{t}'} and variance 1",
            f"its mean differs by at most {mu} between neighbours",
        ),
        identity=lambda _, loss: (
            f"the trade-off curve of the outputs at D and D' is that of {loss}-GDP"
        ),
    ),
    points=Points(gaussian_epsilon, gaussian_delta),
)  # fmt: skip
