"""Maxima over integers with quotients and remainders of letters, as several ones without.

Where letters are divided by numbers, t = 6*s + r for a remainder r, and t // 2 = 3*s + r // 2.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.terms import KernelError

__all__ = ["by_remainders"]

MOST_REMAINDERS: Final = 512


def by_remainders(e: t.MaxOver, numbers: Mapping[str, int]) -> list[t.MaxOver]:
    """Return maxima over integers of which one is the largest, for each choice of remainders.

    In these, what is divided has only such multiples of letters as the number divides.

    Args:
        e: the maximum; its letters are no functions of indices.
        numbers: sizes and symbols.

    Raises:
        KernelError: there are many, or letters are divided by something that is no number.

    >>> odd = t.Compared("eq", t.Combined("mod", (t.Letter(1), t.Integer(2))), t.Integer(1))
    >>> [x.text() for x in by_remainders(t.MaxOver(1, odd, t.Param("eps")), {})]
    ['max over t with (2*t) % 2 == 1 of eps', 'max over t with (2*t + 1) % 2 == 1 of eps']
    """
    period = _period(e, Values(numbers))
    if period**e.free > MOST_REMAINDERS:
        raise KernelError("letters are divided by too many numbers")
    if period == 1:
        return [e]
    every = itertools.product(range(period), repeat=e.free)
    return [t.rewritten(e, _Remainders(period, rest)) for rest in every]


class _Remainders:
    """Puts a multiple and a remainder for each letter."""

    def __init__(self, period: int, rest: tuple[int, ...]) -> None:
        self.period, self.rest = period, rest

    def __call__(self, x: t.KernelTerm) -> t.Whole | None:
        if not isinstance(x, t.Letter):
            return None
        whole = t.Combined("mul", (t.Integer(self.period), x))
        rest = self.rest[x.number - 1]
        return t.Combined("add", (whole, t.Integer(rest))) if rest else whole


def _period(e: t.MaxOver, values: Values) -> int:
    """Return a number that is divided by all by which letters are, one after the other."""
    found = 1
    for x in _quotients(e):
        inside = [y.items[1] for y in _quotients(x)]
        if any(isinstance(z, t.Letter | t.Index) for by in inside for z in t.subterms(by)):
            raise KernelError("letters are divided by something that is no number")
        number = math.prod(map(values.of, inside))
        if number < 1:
            raise KernelError("letters are divided by a number below 1")
        found = math.lcm(found, number)
    return found


def _quotients(e: t.KernelTerm) -> list[t.Combined]:
    """Return the quotients and remainders that letters are in."""
    every = (x for x in t.subterms(e) if isinstance(x, t.Combined) and x.word in {"div", "mod"})
    return [x for x in every if any(isinstance(y, t.Letter) for y in t.subterms(x))]
