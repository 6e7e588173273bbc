"""Maxima over integers with quotients and remainders of letters, as several ones without.

Where letters are divided by numbers, t = 6*s + r for a remainder r, and t // 2 = 3*s + r // 2.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.terms import KernelError

__all__ = ["by_remainders", "divides_letters", "of_remainders", "period", "repeats"]

T = TypeVar("T", bound=t.KernelTerm)

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
    by = period(e, numbers)
    if by**e.free > MOST_REMAINDERS:
        raise KernelError("letters are divided by too many numbers")
    return [e] if by == 1 else [x for _, x in of_remainders(e, e.free, by)]


def of_remainders(e: T, free: int, by: int) -> Iterator[tuple[tuple[int, ...], T]]:
    """Yield something for each choice of remainders of so many letters, by a number.

    The letters are the quotients there.
    """
    for rest in itertools.product(range(by), repeat=free):
        yield rest, t.rewritten(e, _Remainders(by, rest))


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


def period(e: t.MaxOver, numbers: Mapping[str, int]) -> int:
    """Return a number that is divided by all by which letters are, one after the other.

    Raises:
        KernelError: letters are divided by something that is no number, or below 1.
    """
    values, found = Values(numbers), 1
    for x in _quotients(e):
        inside = [y.items[1] for y in _quotients(x)]
        if any(isinstance(z, t.Letter | t.Index) for by in inside for z in t.subterms(by)):
            raise KernelError("letters are divided by something that is no number")
        number = math.prod(map(values.of, inside))
        if number < 1:
            raise KernelError("letters are divided by a number below 1")
        found = math.lcm(found, number)
    return found


def divides_letters(e: t.KernelTerm) -> bool:
    """Return whether letters occur in quotients or remainders."""
    return bool(_quotients(e))


def repeats(e: t.MaxOver) -> bool:
    """Return whether the value is again what it was where a letter is larger by the period.

    Whatever the facts say: in the body, letters occur in remainders alone, of what is no remainder
    or quotient itself.

    >>> odd = t.Compared("eq", t.Combined("mod", (t.Letter(1), t.Integer(2))), t.Integer(1))
    >>> repeats(t.MaxOver(1, odd, t.SumOver(("k",), odd, t.Inf(), t.BlockEntry("eps", ("k",)))))
    True
    """

    def without(x: t.KernelTerm) -> t.Whole | None:
        plain = (
            isinstance(x, t.Combined)
            and x.word == "mod"
            and not any(
                isinstance(y, t.Combined) and y.word not in ("add", "neg", "mul")
                for y in t.subterms(x.items[0])
            )
        )
        return t.Integer(0) if plain else None

    rest = t.rewritten(e.body, without)
    return rest != e.body and not any(isinstance(x, t.Letter) for x in t.subterms(rest))


def _quotients(e: t.KernelTerm) -> list[t.Combined]:
    """Return the quotients and remainders that letters are in."""
    every = (x for x in t.subterms(e) if isinstance(x, t.Combined) and x.word in {"div", "mod"})
    return [x for x in every if any(isinstance(y, t.Letter) for y in t.subterms(x))]
