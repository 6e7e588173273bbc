"""Guarantees of one notion as guarantees of another.

Part by part, scale first, then convert, then combine: converting before scaling or after
combining gives other numbers, and for some notions wrong ones.  The last section converts final
totals to approximate guarantees.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final, Literal

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions.core import Guarantee
from dpcomp_sym.notions.exact import Real, gdp_squared, root, square, tidy, times
from dpcomp_sym.profile import Infinity

__all__ = [
    "CONVERSIONS",
    "Conversion",
    "convert",
    "gaussian_delta",
    "zcdp_epsilon",
]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A rule that turns a guarantee of one notion into one of another.

    ``shape`` tells closed forms how the parameter enters; ``statement`` is what the rule
    claims, ``source`` who proved it.
    """

    source_notion: str
    target: str
    shape: Literal["half square", "gdp", "with zero"]
    apply: Callable[[Real], Guarantee]
    statement: str
    source: str

    @property
    def name(self) -> str:
        """The name under which derivations cite the rule."""
        return f"{self.source_notion}_to_{self.target}"


def _half_square(x: Real) -> Real:
    return tidy(times(square(x), Fraction(1, 2)))


CONVERSIONS: Final[dict[tuple[str, str], Conversion]] = {
    (c.source_notion, c.target): c
    for c in (
        Conversion(
            "pure",
            "approximate",
            "with zero",
            lambda x: (x, 0),
            "eps-DP implies (eps, 0)-DP",
            "by definition",
        ),
        Conversion(
            "gaussian",
            "zcdp",
            "half square",
            _half_square,
            "mu-GDP implies mu^2/2-zCDP",
            "Dong, Roth, Su 2022, Gaussian differential privacy, Corollary B.6",
        ),
        Conversion(
            "pure",
            "zcdp",
            "half square",
            _half_square,
            "eps-DP implies eps^2/2-zCDP",
            "Bun, Steinke 2016, Concentrated differential privacy, Proposition 1.4",
        ),
        Conversion(
            "pure",
            "gaussian",
            "gdp",
            lambda x: root(gdp_squared(x)),
            "eps-DP implies mu-GDP for mu = 2 Phi^-1(e^eps/(1 + e^eps)), the smallest such mu",
            "Liu, Sun, Kong, Xu 2022, A bridge to Gaussian differential privacy",
        ),
    )
}
"""The rules for parts, by (source, target); the first one that fits a part is used."""


def convert(g: Guarantee, source: str, target: str) -> Guarantee | None:
    """Return the guarantee in another notion, or None if there is no rule.

    An approximate guarantee with positive delta converts to none of the others, and
    zero-concentrated privacy gives no Gaussian privacy.

    >>> convert(Fraction(1, 2), "pure", "zcdp"), convert(2, "gaussian", "zcdp")
    (Fraction(1, 8), 2)
    >>> convert((1, Fraction(1, 10)), "approximate", "pure") is None
    True
    """
    if source == target:
        return g
    if isinstance(g, tuple) and source == "approximate":
        return None if g[1] != 0 else convert(g[0], "pure", target)
    rule = CONVERSIONS.get((source, target))
    if rule is None:
        return None
    if isinstance(g, Infinity):
        return g
    if isinstance(g, tuple):
        return None
    return rule.apply(g)


def _target(delta: Real) -> float:
    value = float(delta)
    if not 0 < value < 1:
        raise InputError(f"delta = {delta}: a target delta is greater than 0 and less than 1")
    return value


def zcdp_epsilon(rho: Real, delta: Real, *, simple: bool = True) -> float:
    """Return an epsilon for which rho-zCDP implies (epsilon, delta)-DP.

    ``simple``: rho + 2 sqrt(rho ln(1/delta)) (Bun, Steinke 2016, Proposition 1.3).  Otherwise
    the smaller value of Canonne, Kamath, Steinke 2020 (Proposition 12), minimized over the
    order alpha > 1; every order gives a valid epsilon, so an inexact minimum stays valid.
    Raises ``ValueError`` unless rho >= 0 and 0 < delta < 1.

    >>> round(zcdp_epsilon(Fraction(1, 2), Fraction(1, 100_000)), 4)
    5.2985
    >>> round(zcdp_epsilon(Fraction(1, 2), Fraction(1, 100_000), simple=False), 4)
    4.7284
    """
    target, r = _target(delta), float(rho)
    if not r >= 0:
        raise InputError(f"rho = {rho}: a parameter of privacy is not negative")
    log = math.log(1 / target)
    simple_value = r + 2 * math.sqrt(r * log)
    if simple or r == 0:
        return simple_value

    def at(t: float) -> float:
        alpha = 1 + math.exp(t)
        gain = log + (alpha - 1) * math.log1p(-1 / alpha) - math.log(alpha)
        return alpha * r + gain / (alpha - 1)

    low, high = -30.0, 30.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if at(a) <= at(b):
            high = b
        else:
            low = a
    return max(0.0, min(simple_value, at((low + high) / 2)))


def gaussian_delta(mu: Real, eps: Real) -> float:
    """Return the smallest delta for which mu-GDP implies (eps, delta)-DP.

    Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2); 0 for mu = 0 (Balle, Wang 2018, Theorem 8;
    Dong, Roth, Su 2022, Corollary 2.13).  Raises ``ValueError`` for a negative parameter.

    >>> round(gaussian_delta(1, 1), 6)
    0.126937
    """
    m, e = float(mu), float(eps)
    for name, x in (("mu", m), ("eps", e)):
        if not x >= 0:
            raise InputError(f"{name} = {x}: a parameter of privacy is not negative")
    if m == 0:
        return 0.0
    phi = NormalDist().cdf
    if e > 600:
        return min(1.0, phi(-e / m + m / 2))
    return max(0.0, phi(-e / m + m / 2) - math.exp(e) * phi(-e / m - m / 2))
