"""Many exact rationals at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import nlargest
from itertools import repeat
from math import isqrt
from operator import ge, le, mul, truediv
from typing import TypeVar, overload

from dpcomp_sym.limits import without_collection

__all__ = ["Column"]

Number = TypeVar("Number", int, float)


class Column(Sequence[Fraction]):
    """Many exact rationals, kept as integers so that a million of them stay cheap.

    >>> column = Column([1, 1, 2], [1, 2, 4])
    >>> column[1], len(column), list(column)
    (Fraction(1, 2), 3, [Fraction(1, 1), Fraction(1, 2), Fraction(1, 2)])
    >>> column.floats()
    [1.0, 0.5, 0.5]
    """

    __slots__ = ("_fractions", "denominators", "numerators")

    def __init__(self, numerators: Sequence[int], denominators: Sequence[int]) -> None:
        """Take numerators and positive denominators, one for each block."""
        self.numerators = numerators
        self.denominators = denominators
        self._fractions: list[Fraction] | None = None

    @classmethod
    def of(cls, values: Sequence[Fraction]) -> Column:
        """Return the column of the given numbers."""
        return cls([v.numerator for v in values], [v.denominator for v in values])

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> Column: ...
    def __getitem__(self, index: int | slice) -> Fraction | Column:
        """Return one number, or the column of some of them."""
        if isinstance(index, slice):
            return Column(self.numerators[index], self.denominators[index])
        return Fraction(self.numerators[index], self.denominators[index])

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.numerators)

    def __iter__(self) -> Iterator[Fraction]:
        """Yield the numbers as fractions; they are made once."""
        if self._fractions is None:
            with without_collection():  # its passes over a million objects take long
                self._fractions = list(map(Fraction, self.numerators, self.denominators))
        return iter(self._fractions)

    def __eq__(self, other: object) -> bool:
        """Compare with another sequence of numbers, value by value."""
        if isinstance(other, Sequence) and not isinstance(other, str):
            return len(self) == len(other) and all(map(_same, self, other))
        return NotImplemented

    def __hash__(self) -> int:
        """Hash by length and first number, cheaply."""
        return hash((len(self), self[0] if len(self) else None))

    def __repr__(self) -> str:
        """Show the first few numbers."""
        shown = [str(v) for v in self[:6]]
        more = [f"… {len(self)} numbers"] if len(self) > len(shown) else []
        return f"Column({', '.join(shown + more)})"

    def floats(self) -> list[float]:
        """Return the numbers, each rounded to a float."""
        return list(map(truediv, self.numerators, self.denominators))

    def largest(self, n: int) -> list[Fraction]:
        """Return the n largest numbers, largest first (all of them if there are fewer).

        Floats decide where they can (rounding keeps the order), so that a million numbers need
        few exact comparisons.

        >>> Column([1, 3, 5], [3, 7, 11]).largest(2)
        [Fraction(5, 11), Fraction(3, 7)]
        """
        if n >= len(self):
            return sorted(self, reverse=True)
        if n == 0:
            return []
        common = self.denominators[0]
        if self.denominators.count(common) == len(self):
            return [Fraction(top, common) for top in _largest(n, self.numerators)]
        try:
            rough = self.floats()
        except OverflowError:  # some number is larger than any float
            return nlargest(n, self)
        limit = min(_largest(n, rough))
        return nlargest(n, [self[j] for j, x in enumerate(rough) if x >= limit])

    def squared(self) -> Column:
        """Return the squares.

        >>> Column([1, 2], [3, 1]).squared()
        Column(1/9, 4)
        """
        common = self.denominators[0] if self.denominators else 1
        if self.denominators.count(common) == len(self):
            bottoms = [common * common] * len(self)
        else:
            bottoms = list(map(mul, self.denominators, self.denominators))
        return Column(list(map(mul, self.numerators, self.numerators)), bottoms)

    def by_denominator(self, *, squared: bool = False) -> dict[int, int]:
        """Return denominator → the sum of the numerators over it, of the numbers or their squares.

        >>> Column([1, 1, 2], [2, 3, 2]).by_denominator()
        {2: 3, 3: 1}
        >>> Column([1, 1, 2], [2, 3, 2]).by_denominator(squared=True)
        {4: 5, 9: 1}
        """
        first = self.denominators[0] if self.denominators else 1
        if self.denominators.count(first) == len(self):
            if not squared:
                return {first: sum(self.numerators)}
            return {first * first: sum(map(mul, self.numerators, self.numerators))}
        if squared:
            return self.squared().by_denominator()
        found: dict[int, int] = {}
        for top, bottom in zip(self.numerators, self.denominators, strict=True):
            found[bottom] = found.get(bottom, 0) + top
        return found

    def first_below(self, low: int) -> int | None:
        """Return the index of the first number below the integer ``low``, or None."""
        if low == 0 and (not self.numerators or min(self.numerators) >= 0):
            return None
        bounds = map(mul, repeat(low), self.denominators)
        return _first_false(map(ge, self.numerators, bounds))

    def first_above(self, high: int) -> int | None:
        """Return the index of the first number above the integer ``high``, or None."""
        bounds = map(mul, repeat(high), self.denominators)
        return _first_false(map(le, self.numerators, bounds))


def _same(a: object, b: object) -> bool:
    return a == b


def _first_false(flags: Iterator[bool]) -> int | None:
    return next((n for n, flag in enumerate(flags) if not flag), None)


def _largest(n: int, values: Sequence[Number]) -> list[Number]:
    """Return the n largest of many numbers: they are in the n slices with the largest maxima.

    >>> _largest(2, [*range(50), 99, *range(50)])
    [99, 49]
    """
    size = isqrt(len(values))
    if n < size:
        slices = [values[start : start + size] for start in range(0, len(values), size)]
        values = [x for best in nlargest(n, slices, key=max) for x in best]
    return nlargest(n, values)
