"""Largest totals where an integer says which block counts most, and how many of the others count.

For each number of the others they are taken from the largest on; the block that counts by itself is
then left out of them, and the next one takes its place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dpcomp_sym.numbers.labels import BlockTotal
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import intervals
from dpcomp_sym.statements.terms import KernelError

__all__ = ["largest_besides"]


def largest_besides(
    e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[BlockTotal],
    units: Sequence[Sequence[int]],
) -> tuple[int, tuple[int, ...]] | None:  # fmt: skip
    """Return the largest total in some unit, and where it is; None where it is not read like this.

    Args:
        e: what is largest, over one integer.
        sizes: the numbers of symbols.
        totals: the totals over blocks in it, over all that have the condition or so many of them.
        units: for each of these, the values of its blocks.

    Each block either counts for one number only, and is not among so many, or for all but one.
    """
    try:
        allowed = intervals(e.facts, Values(sizes))
        rows = [_Row(x, values, sizes) for x, values in zip(totals, units, strict=True)]
    except KernelError:
        return None
    special = {place for row in rows for place in row.special}
    # If a number that is allowed is not special, then an end is not, or one beside a special one.
    some = special | {place + by for place in special for by in (-1, 1)} | {0}
    some |= {int(end) for both in allowed for end in both if math.isfinite(end)}
    here = [place for place in some if any(low <= place <= high for low, high in allowed)]
    found = max(((sum(row.at(place) for row in rows), place) for place in here), default=None)
    return (0, ()) if found is None else (found[0], (found[1],))


class _Row:
    """What a total over blocks is: by numbers that are special for it, and elsewhere."""

    def __init__(self, x: BlockTotal, values: Sequence[int], sizes: Mapping[str, int]) -> None:
        self.alone: dict[int, int] = {}
        without: list[tuple[int, int | None]] = []
        for value, block in zip(values, x.blocks, strict=True):
            where = intervals(x.e.when, Values(sizes, (), block))
            place = _only_one(where)
            if not where:
                continue
            if place is not None:
                self.alone[place] = self.alone.get(place, 0) + value
            else:
                without.append((value, _but_one(where)))
        few = x.most < len(x.blocks)
        if few and self.alone:
            raise KernelError("so many of blocks that count for one number")
        without.sort(key=lambda one: one[0], reverse=True)
        most = x.most if few else len(without)
        self.rest = sum(value for value, _ in without[:most])
        following = without[most][0] if most < len(without) else 0
        self.less: dict[int, int] = {}
        for value, place in without[:most]:
            if place is not None:
                if place in self.less:
                    raise KernelError("two blocks are left out at once")
                self.less[place] = value - following
        out = [place for _, place in without[most : most + 1] if place is not None]
        if any(place in self.less for place in out):
            raise KernelError("two blocks are left out at once")

    @property
    def special(self) -> set[int]:
        """The numbers for which some block counts by itself, or is left out."""
        return {*self.alone, *self.less}

    def at(self, place: int) -> int:
        """Return the total for a number."""
        return self.alone.get(place, 0) + self.rest - self.less.get(place, 0)


def _only_one(where: Sequence[tuple[float, float]]) -> int | None:
    """Return the only number of some intervals."""
    match where:
        case [(low, high)] if low == high:
            return int(low)
        case _:
            return None


def _but_one(where: Sequence[tuple[float, float]]) -> int | None:
    """Return the only number outside of some intervals, None if there is none.

    Raises:
        KernelError: there are several.
    """
    match where:
        case [(low, high)] if (low, high) == (-math.inf, math.inf):
            return None
        case [(low, before), (after, high)] if (low, high) == (-math.inf, math.inf):
            if after - before == 2:
                return int(before) + 1
        case _:
            pass
    raise KernelError("a block counts for other numbers")
