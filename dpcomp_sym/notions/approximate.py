r"""Approximate differential privacy: both parameters add up.

(r eps, delta (e^{r eps} - 1)/(e^eps - 1)) at distance r.  Source: GB24.VI.3, VI.4, VI.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from dpcomp_sym.notions.core import (
    ONE,
    ZERO,
    Conversion,
    Curve,
    Exprs,
    Notion,
    Paired,
    Refuting,
    Words,
    times,
)
from dpcomp_sym.notions.written import beside
from dpcomp_sym.statements import terms as t

__all__ = ["APPROXIMATE"]


def _scale(guarantee: Exprs, r: t.Expr) -> Exprs:
    eps, delta = guarantee
    factor = ONE if r == ONE else t.Apply("growth", (eps, r))
    return times(r, eps), ZERO if delta == ZERO else times(delta, factor)


def _delta(value: Sequence[float]) -> Callable[[float], float]:
    eps, delta = value

    def at(e: float) -> float:
        rest = (math.exp(eps) - math.exp(e)) / (1 + math.exp(eps)) if e < eps else 0.0
        return delta + (1 - delta) * rest

    return at


APPROXIMATE: Final = Notion(
    name="approximate",
    parameters=("eps", "delta"),
    parameter="epsilon,delta",
    defining="P(M(D) in S) <= e^eps P(M(D') in S) + delta "
    "for all neighbours D ~ D' and all events S",
    growth=Paired(
        _scale,
        convex=True,
        single="the smallest δ at the largest ε of the parts",
        summed="sums of (ε, δ) are not tight",
        far="δ at a distance above 1 is an upper bound",
    ),
    sources=("GB24.VI.4", "GB24.VI.6"),
    groups="GB24.VI.3",
    words=Words(
        "approximate", "DP", ("ε", "δ"), (r"\varepsilon", r"\delta"), "7 3",
        lambda g, r: (
            beside(g[0], r), "0" if g[1] == "0" else rf"{g[1]} \, [{r}]_{{{g[0]}}}"
        ),
        r" For $(\varepsilon, \delta)$ at distance $r$ we write $[r]_\varepsilon = "
        r"(e^{r \varepsilon} - 1) / (e^\varepsilon - 1)$, and $[r]_0 = r$ [@GB24|VI.3].",
    ),
    epsilon_delta=True,
    curve=Curve(_delta, lambda value: 1.2 * value[0]),
    conversions=(
        Conversion(
            "pure", "approximate", lambda g, _: (*g, ZERO),
            "eps-DP implies (eps, 0)-DP", "by definition",
            lambda g, _, __: (g[0], "0"),
            convex=True,
        ),
        Conversion(
            "gaussian", "approximate",
            lambda g, chosen: (*chosen, t.Apply("gaussian_delta", (*g, *chosen))),
            "mu-GDP is (eps, delta)-DP exactly for delta from Phi(-eps/mu + mu/2) - "
            "e^eps Phi(-eps/mu - mu/2) on",
            "Dong, Roth, Su 2022, Gaussian differential privacy, Corollary 2.13",
            lambda g, chosen, apart: (
                rf"{chosen[0]} \, {apart}", rf"\delta_{{\mathrm{{G}}}}({g[0]}, {chosen[0]})"
            ),
            chosen="eps",
            meaning="gaussian_delta(mu, eps) = Phi(mu/2 - eps/mu) - e^eps*Phi(-mu/2 - eps/mu)",
        ),
        Conversion(
            "zcdp", "approximate",
            lambda g, chosen: (t.Apply("zcdp_epsilon", (*g, *chosen)), *chosen),
            "rho-zCDP implies (epsilon, delta)-DP for epsilon = max(0, rho alpha + "
            "ln(1 - 1/alpha) - ln(alpha delta)/(alpha - 1)) at every order alpha > 1",
            "Canonne, Kamath, Steinke 2020, Proposition 12; the larger rho + 2 sqrt(rho "
            "ln(1/delta)) is Bun, Steinke 2016, Concentrated differential privacy, Proposition 1.3",
            lambda g, chosen, apart: (
                rf"\varepsilon_{{\mathrm{{Z}}}}({g[0]}, {chosen[0]})", rf"{chosen[0]} \, {apart}"
            ),
            chosen="delta",
            meaning="zcdp_epsilon(rho, delta) = min over alpha > 1 of rho*alpha + ln(1 - 1/alpha) "
            "- ln(alpha*delta)/(alpha - 1), at least 0 (published: rho + 2*sqrt(rho*ln(1/delta)))",
        ),
    ),
    refuting=Refuting("tables", stand_in="pure"),
)  # fmt: skip
