"""The numbers of blocks where some are no fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import overload

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.numbers.exact import Exact

__all__ = ["RealColumn"]


@dataclass(frozen=True)
class RealColumn(Sequence[Fraction | Exact]):
    """One exact number for each block; where all are fractions there is a ``Column`` instead.

    >>> from dpcomp_sym.numbers.exact import logarithm
    >>> column = RealColumn((Fraction(1), logarithm(3)))
    >>> column, column.first_above(1)
    (RealColumn(1, log(3)), 1)
    """

    items: tuple[Fraction | Exact, ...]

    @overload
    def __getitem__(self, index: int) -> Fraction | Exact: ...
    @overload
    def __getitem__(self, index: slice) -> RealColumn: ...
    def __getitem__(self, index: int | slice) -> Fraction | Exact | RealColumn:
        """Return one number, or the column of some of them."""
        found = self.items[index]
        return RealColumn(found) if isinstance(found, tuple) else found

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.items)

    def __iter__(self) -> Iterator[Fraction | Exact]:
        """Yield the numbers."""
        return iter(self.items)

    def __repr__(self) -> str:
        """Show the first few numbers."""
        shown = [str(v) for v in self.items[:6]]
        more = [f"… {len(self)} numbers"] if len(self) > len(shown) else []
        return f"RealColumn({', '.join(shown + more)})"

    def first_below(self, low: int) -> int | None:
        """Return the index of the first number below the integer ``low``, or None."""
        return next((n for n, x in enumerate(self.items) if x < low), None)

    def first_above(self, high: int) -> int | None:
        """Return the index of the first number above the integer ``high``, or None."""
        return next((n for n, x in enumerate(self.items) if x > high), None)
