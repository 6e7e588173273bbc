"""Sums of many numbers, exact where that stays short."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from dpcomp_sym.numbers.atoms import AtomMonomial
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.exact import Exact, Real, Root, as_float, collected, square

__all__ = ["total", "total_of_squares"]

_DENOMINATORS: Final = 3000
_TERMS: Final = 1000
_PLACES: Final = 1200


def total(values: Iterable[Real]) -> Real:
    """Return the sum of many numbers: exact if they all are, and a float near it otherwise.

    Fractions are added by denominators, so that a million of them stay cheap.  With more than
    3,000 different denominators, or 1,000 terms that are no fractions, the exact sum would fill
    pages; it is then the float nearest to it.
    Of roots only one alone is exact.

    >>> total([Fraction(1, 2), Fraction(1, 3), 1]), total([0.5, 1])
    (Fraction(11, 6), 1.5)
    """
    if isinstance(values, Column):
        return _total_of_column(values)
    items = values if isinstance(values, list) else list(values)
    kinds = set(map(type, items))
    if kinds <= {int}:
        return sum(items)
    if kinds & {float, Root}:
        return items[0] if len(items) == 1 else math.fsum(map(as_float, items))
    by_denominator: dict[int, int] = {}
    terms: dict[AtomMonomial, Fraction] = {}
    for x in items:
        if isinstance(x, Exact):
            for monomial, factor in x.terms:
                terms[monomial] = terms.get(monomial, Fraction(0)) + factor
        elif isinstance(x, int | Fraction):
            d = x.denominator
            by_denominator[d] = by_denominator.get(d, 0) + x.numerator
    if len(by_denominator) > _DENOMINATORS:
        return as_float(collected(terms) + _nearly(by_denominator))
    if not terms:
        return _added(by_denominator)
    exact = collected(terms) + _added(by_denominator)
    return exact if len(exact.terms) <= _TERMS else as_float(exact)


def total_of_squares(values: Sequence[Real]) -> Real:
    """Return the sum of the squares, as :func:`total` does.

    >>> total_of_squares([Fraction(1, 2), 2])
    Fraction(17, 4)
    """
    if isinstance(values, Column):
        return _total_of_column(values, squared=True)
    return total([square(x) for x in values])


def _total_of_column(column: Column, *, squared: bool = False) -> Fraction | float:
    by_denominator = column.by_denominator(squared=squared)
    if len(by_denominator) > _DENOMINATORS:
        return as_float(_nearly(by_denominator))
    return _added(by_denominator)


def _nearly(by_denominator: Mapping[int, int]) -> Fraction:
    """Return the sum of fractions to less than 2^-1100, which no float tells from 0.

    Each is rounded to a multiple of 2^-1200, and there are fewer than 2^100 of them.
    """
    tops = sum((top << _PLACES) // bottom for bottom, top in by_denominator.items())
    return Fraction(tops, 1 << _PLACES)


def _added(by_denominator: Mapping[int, int]) -> Fraction:
    """Add fractions in pairs, so that most sums have small terms."""
    pieces = [Fraction(top, bottom) for bottom, top in by_denominator.items()]
    while len(pieces) > 1:
        pieces = [sum(pieces[j : j + 2], Fraction(0)) for j in range(0, len(pieces), 2)]
    return pieces[0] if pieces else Fraction(0)
