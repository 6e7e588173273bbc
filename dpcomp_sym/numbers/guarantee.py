"""Guarantees in numbers: one number, a pair, or nothing at all."""

from __future__ import annotations

import math

from dpcomp_sym.numbers.exact import Exact, Real, Root, as_float, tidy
from dpcomp_sym.profile import INFINITY, Infinity

__all__ = ["Guarantee", "as_guarantee", "exact_text", "is_irrational", "plain"]

Guarantee = Real | tuple[Real, Real] | Infinity
"""A number, a pair (epsilon, delta), or INFINITY: no guarantee at all."""


def as_guarantee(eps: Real, delta: Real) -> Guarantee:
    """Return the pair, or no guarantee once ``delta`` is 1 or more (GB24.VI.3).

    >>> from fractions import Fraction
    >>> as_guarantee(6, Fraction(6, 100_000)), as_guarantee(1, 1)
    ((6, Fraction(3, 50000)), Infinity())
    """
    return INFINITY if delta >= 1 else (tidy(eps), tidy(delta))


def exact_text(g: Guarantee) -> str | None:
    """Return the exact value in plain characters, or None for a float.

    >>> from fractions import Fraction
    >>> exact_text((6, Fraction(3, 50_000))), exact_text(0.5), exact_text(INFINITY)
    ('(6, 3/50000)', None, 'inf')
    """
    if isinstance(g, Infinity):
        return "inf"
    if isinstance(g, tuple):
        parts = [exact_text(x) for x in g]
        known = [x for x in parts if x is not None]
        return f"({', '.join(known)})" if len(known) == len(parts) else None
    if isinstance(g, float):
        return None
    try:
        return str(tidy(g))
    except ValueError:  # Python does not print integers of more than 4300 digits.
        return None


def is_irrational(g: Guarantee) -> bool:
    """Return whether a root, a logarithm or another number that is no fraction is in it.

    >>> from fractions import Fraction
    >>> from dpcomp_sym.numbers.exact import root
    >>> is_irrational((1, root(2))), is_irrational(Fraction(1, 2))
    (True, False)
    """
    return isinstance(g, Exact | Root) or (isinstance(g, tuple) and any(map(is_irrational, g)))


def plain(g: Guarantee) -> int | float | str | list[int | float | str]:
    """Return the value for machines: numbers, a list for a pair, "inf" for no guarantee.

    A number that is larger than any float is "inf", too: JSON has no other word for it.

    >>> from fractions import Fraction
    >>> plain((6, Fraction(1, 4))), plain(INFINITY), plain(Fraction(2))
    ([6, 0.25], 'inf', 2)
    >>> plain((Fraction(10**400, 3), 0))
    ['inf', 0]
    """
    if isinstance(g, Infinity):
        return "inf"
    return [_plain(x) for x in g] if isinstance(g, tuple) else _plain(g)


def _plain(x: Real) -> int | float | str:
    x = tidy(x)
    if isinstance(x, int):
        return x
    near = as_float(x)
    return "inf" if near == math.inf else near
