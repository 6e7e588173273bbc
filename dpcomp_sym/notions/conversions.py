"""Guarantees of one notion as guarantees of another.

Part by part, scale first, then convert, then combine: converting before scaling or after
combining gives other numbers, and for some notions wrong ones.  Two conversions take one point of
a curve, at a delta or an epsilon that may be chosen freely.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, Protocol

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions.core import NOTIONS, Guarantee
from dpcomp_sym.notions.exact import Real, gdp_squared, root, square, tidy, times
from dpcomp_sym.profile import Infinity

__all__ = [
    "CONVERSIONS",
    "Conversion",
    "CurvePoint",
    "Declared",
    "conversion",
    "convert",
    "explained",
    "gaussian_delta",
    "gaussian_epsilon",
    "points",
    "zcdp_epsilon",
]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A rule that turns a guarantee of one notion into one of another.

    ``shape`` tells closed forms how the parameter enters; ``apply`` takes the parameter and, for
    one point of a curve, the one that is ``chosen``; ``statement`` is what the rule claims,
    ``source`` who proved it; ``both_ways``: it needs the guarantee in both directions.
    """

    source_notion: str
    target: str
    shape: Literal["half square", "gdp", "with zero", "zcdp point", "gaussian point"]
    apply: Callable[[Real, Real], Guarantee]
    statement: str
    source: str
    both_ways: bool = False
    chosen: Literal["eps", "delta"] | None = None

    @property
    def name(self) -> str:
        """The name under which derivations cite the rule."""
        return f"{self.source_notion}_to_{self.target}"


def _half_square(x: Real, _: Real) -> Real:
    return tidy(times(square(x), Fraction(1, 2)))


CONVERSIONS: Final[dict[tuple[str, str], Conversion]] = {
    (c.source_notion, c.target): c
    for c in (
        Conversion(
            "pure",
            "approximate",
            "with zero",
            lambda x, _: (x, 0),
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
            both_ways=True,
        ),
        Conversion(
            "pure",
            "gaussian",
            "gdp",
            lambda x, _: root(gdp_squared(x)),
            "eps-DP implies mu-GDP for mu = 2 Phi^-1(e^eps/(1 + e^eps)), the smallest such mu",
            "Liu, Sun, Kong, Xu 2022, A bridge to Gaussian differential privacy",
            both_ways=True,
        ),
        Conversion(
            "gaussian",
            "approximate",
            "gaussian point",
            lambda x, eps: (eps, gaussian_delta(x, eps)),
            "mu-GDP is (eps, delta)-DP exactly for delta from Phi(-eps/mu + mu/2) - "
            "e^eps Phi(-eps/mu - mu/2) on",
            "Dong, Roth, Su 2022, Gaussian differential privacy, Corollary 2.13",
            chosen="eps",
        ),
        Conversion(
            "zcdp",
            "approximate",
            "zcdp point",
            lambda x, delta: (zcdp_epsilon(x, delta), delta),
            "rho-zCDP implies (rho + 2 sqrt(rho ln(1/delta)), delta)-DP",
            "Bun, Steinke 2016, Concentrated differential privacy, Proposition 1.3",
            chosen="delta",
        ),
    )
}
"""The rules for parts, by (source, target); the first one that fits a part is used."""


class Declared(Protocol):
    """A part: its name, what it guarantees, and whether in one direction only."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def guarantees(self) -> Sequence[tuple[str, Sequence[str | Fraction]]]:
        """Notions with their parameters."""

    @property
    def directed(self) -> bool:
        """Whether they hold in one direction only."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A conversion of a part at one point of its curve, and the name of the parameter there."""

    rule: Conversion
    name: str


def conversion(part: Declared, target: str, *, at_points: bool = False) -> Conversion | None:
    """Return the first rule that leads from a notion of the part to the target, if any.

    ``at_points``: rules that leave a parameter to choose count as well.
    """
    declared = dict(part.guarantees)
    for (source, goal), rule in CONVERSIONS.items():
        fits = goal == target and source in declared and not (rule.both_ways and part.directed)
        if fits and (at_points or rule.chosen is None):
            return rule
    return None


def points(parts: Sequence[Declared]) -> dict[str, CurvePoint]:
    """Return at which points curves are read so that the parts meet in approximate privacy.

    By part; empty if the parts have a notion in common without this, or not even so.

    >>> from dpcomp_sym.profile import PartInfo
    >>> zcdp = PartInfo("counts", "p", (("zcdp", ("rho",)),))
    >>> points([zcdp]), points([zcdp, PartInfo("mean", "q", (("gaussian", ("mu",)),))])
    ({}, {})
    >>> points([zcdp, PartInfo("m", "q", (("approximate", ("eps", "delta")),))])["counts"].name
    'delta_counts'
    """

    def meet(target: str, *, at_points: bool) -> bool:
        return all(
            target in dict(p.guarantees) or conversion(p, target, at_points=at_points)
            for p in parts
        )

    if any(meet(notion, at_points=False) for notion in NOTIONS):
        return {}
    if not meet("approximate", at_points=True):
        return {}
    taken = {name for p in parts for _, names in p.guarantees for name in names}
    found = {}
    for part in parts:
        rule = conversion(part, "approximate", at_points=True)
        if "approximate" in dict(part.guarantees) or rule is None or rule.chosen is None:
            continue
        name = f"{rule.chosen}_{re.sub(r'[^A-Za-z0-9_]', '_', part.name)}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[part.name] = CurvePoint(rule, name)
    return found


def explained(parts: Sequence[Declared]) -> list[str]:
    """Say what the parameters are at which curves are read.

    >>> from dpcomp_sym.profile import PartInfo
    >>> pair = PartInfo("m", "q", (("approximate", ("eps", "delta")),))
    >>> explained([PartInfo("counts", "p", (("zcdp", ("rho",)),)), pair])[0][-29:]
    'rho + 2*sqrt(rho*ln(1/delta))'
    """
    meaning = {
        "zcdp": "zcdp_epsilon(rho, delta) = rho + 2*sqrt(rho*ln(1/delta))",
        "gaussian": "gaussian_delta(mu, eps) = Phi(mu/2 - eps/mu) - e^eps*Phi(-mu/2 - eps/mu)",
    }
    return [
        f"the bound takes {name}, which is {point.rule.source_notion} private, as (eps, delta) "
        f"private at a{'n' * (point.rule.chosen == 'eps')} {point.rule.chosen} of your choice, "
        f"{point.name}: {meaning[point.rule.source_notion]}"
        for name, point in points(parts).items()
    ]


def convert(g: Guarantee, source: str, target: str, at: Real | None = None) -> Guarantee | None:
    """Return the guarantee in another notion, or None if there is no rule.

    An approximate guarantee with positive delta converts to none of the others, and
    zero-concentrated privacy gives no Gaussian privacy.  ``at``: the delta or epsilon at which a
    curve is read; without one there is no such rule.

    >>> convert(Fraction(1, 2), "pure", "zcdp"), convert(2, "gaussian", "zcdp")
    (Fraction(1, 8), 2)
    >>> convert(0, "zcdp", "approximate", Fraction(1, 10))
    (0.0, Fraction(1, 10))
    >>> convert((1, Fraction(1, 10)), "approximate", "pure") is None
    True
    """
    if source == target:
        return g
    if isinstance(g, tuple) and source == "approximate":
        return None if g[1] != 0 else convert(g[0], "pure", target)
    rule = CONVERSIONS.get((source, target))
    if rule is None or (rule.chosen is not None and at is None):
        return None
    if isinstance(g, Infinity):
        return g
    if isinstance(g, tuple):
        return None
    return rule.apply(g, 0 if at is None else at)


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
    above = _normal_tail
    if e > 600:
        return min(1.0, above(e / m - m / 2))
    return max(0.0, above(e / m - m / 2) - math.exp(e) * above(e / m + m / 2))


def _normal_tail(x: float) -> float:
    """Return how likely a standard normal number is above x, precise also where that is tiny."""
    return math.erfc(x / math.sqrt(2)) / 2


def gaussian_epsilon(mu: Real, delta: Real) -> float:
    """Return the smallest epsilon for which mu-GDP implies (epsilon, delta)-DP.

    The inverse of :func:`gaussian_delta`, by bisection, from above.  Raises ``ValueError`` for a
    negative mu, and unless 0 < delta < 1.

    >>> round(gaussian_epsilon(1, 0.126937), 4)
    1.0
    """
    target = _target(delta)
    low, high = 0.0, 1.0
    if gaussian_delta(mu, 0) <= target:
        return 0.0
    while gaussian_delta(mu, high) > target:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if gaussian_delta(mu, middle) > target:
            low = middle
        else:
            high = middle
    return high
