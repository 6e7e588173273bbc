"""Guarantees in numbers, by functions of their own: what tests compare theorems' numbers with.

How guarantees combine, grow with the distance and convert is written here a second time, number by
number, and shares nothing with the expressions of the notions' files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpcomp_sym.numbers.curves import gaussian_delta, zcdp_epsilon
from dpcomp_sym.numbers.exact import (
    Real,
    Root,
    add,
    gdp_squared,
    growth,
    root,
    square,
    tanh,
    tidy,
    times,
)
from dpcomp_sym.numbers.guarantee import Guarantee
from dpcomp_sym.profile import INFINITY, Infinity

__all__ = ["ARITHMETIC", "Arithmetic", "convert"]

Distance = int | Fraction | Infinity


@dataclass(frozen=True)
class Arithmetic:
    """A notion in numbers: a commutative ordered monoid on which distances act.

    ``unit``: of a mechanism that tells nothing; ``combine``: of two mechanisms together; ``scale``:
    between databases at distance r; ``at_most``: whether the first guarantee implies the second.
    """

    name: str
    unit: Guarantee
    combine: Callable[[Guarantee, Guarantee], Guarantee]
    scale: Callable[[Guarantee, Distance], Guarantee]
    at_most: Callable[[Guarantee, Guarantee], bool]


def _number(g: Guarantee) -> Real:
    if isinstance(g, tuple | Infinity):
        raise TypeError(f"this notion has one finite parameter, not {g}")
    return g


def _pair(g: Guarantee) -> tuple[Real, Real]:
    if not isinstance(g, tuple):
        raise TypeError(f"an approximate guarantee is a pair (epsilon, delta), not {g}")
    return g


def _additive(name: str, power: int, *, rooted: bool = False) -> Arithmetic:
    """Return a notion with r^power g, or r^power g^2, and sums of them."""

    def combine(a: Guarantee, b: Guarantee) -> Guarantee:
        if isinstance(a, Infinity) or isinstance(b, Infinity):
            return INFINITY
        x, y = _number(a), _number(b)
        return root(add(square(x), square(y))) if rooted else tidy(add(x, y))

    def scale(g: Guarantee, r: Distance) -> Guarantee:
        if isinstance(r, Infinity):
            return INFINITY
        if r == 0:
            return 0
        if isinstance(g, Infinity):
            return INFINITY
        if not rooted:
            return tidy(times(_number(g), r**power))
        if power == 2 and not isinstance(g, Root):
            return tidy(times(_number(g), r))
        return root(times(square(_number(g)), r**power))

    def at_most(a: Guarantee, b: Guarantee) -> bool:
        if isinstance(b, Infinity):
            return True
        return not isinstance(a, Infinity) and bool(_number(a) <= _number(b))

    return Arithmetic(name, 0, combine, scale, at_most)


def _combine_pairs(a: Guarantee, b: Guarantee) -> Guarantee:
    if isinstance(a, Infinity) or isinstance(b, Infinity):
        return INFINITY
    (eps, delta), (eta, gamma) = _pair(a), _pair(b)
    return tidy(add(eps, eta)), tidy(add(delta, gamma))


def _scale_pair(g: Guarantee, r: Distance) -> Guarantee:
    if isinstance(r, Infinity):
        return INFINITY
    if r == 0:
        return (0, 0)
    if isinstance(g, Infinity):
        return INFINITY
    eps, delta = _pair(g)
    scaled: Real = 0 if delta == 0 else tidy(times(delta, growth(eps, r)))
    return tidy(times(eps, r)), scaled


def _pair_at_most(a: Guarantee, b: Guarantee) -> bool:
    if isinstance(b, Infinity):
        return True
    if isinstance(a, Infinity):
        return False
    (eps, delta), (eta, gamma) = _pair(a), _pair(b)
    return bool(eps <= eta) and bool(delta <= gamma)


ARITHMETIC: dict[str, Arithmetic] = {
    one.name: one
    for one in (
        _additive("pure", 1),
        Arithmetic("approximate", (0, 0), _combine_pairs, _scale_pair, _pair_at_most),
        _additive("zcdp", 2),
        _additive("gaussian", 2, rooted=True),
    )
}


def convert(g: Guarantee, source: str, target: str, at: Real | None = None) -> Guarantee | None:
    """Return the guarantee in another notion, or None if there is no rule.

    ``at``: the delta or epsilon at which a curve is read; without one there is no such rule.
    """
    if source == target:
        return g
    if isinstance(g, tuple) and source == "approximate":
        return None if g[1] != 0 else convert(g[0], "pure", target)
    if isinstance(g, Infinity):
        return g
    if isinstance(g, tuple):
        return None
    match source, target:
        case "pure", "approximate":
            return g, 0
        case "pure", "zcdp":
            return tidy(times(tanh(times(g, Fraction(1, 2))), g))
        case "gaussian", "zcdp":
            return tidy(times(square(g), Fraction(1, 2)))
        case "pure", "gaussian":
            return root(gdp_squared(g))
        case "gaussian", "approximate" if at is not None:
            return at, gaussian_delta(g, at)
        case "zcdp", "approximate" if at is not None:
            return zcdp_epsilon(g, at), at
        case _:
            return None
