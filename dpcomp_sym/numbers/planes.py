"""Largest totals over blocks where two integers decide, each by itself.

Each block counts in some rectangles: for one integer between two numbers, and the other one between
two others.  One integer goes from the lowest to the highest, and the totals for all numbers of the
other one are kept beside each other in a tree, with the largest of each part.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from dpcomp_sym.numbers.labels import BlockTotal
from dpcomp_sym.numbers.tree import MaximumTree
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import Row, cases, forms, intervals
from dpcomp_sym.statements.terms import KernelError

__all__ = ["largest_in_plane"]

MOST_STEPS: Final = 400_000
"""So many rectangles, and places, are looked at."""
NEAR: Final = 2
Rectangle = tuple[float, float, float, float]
"""Both ends of the first integer, and of the second one."""


def largest_in_plane(
    e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[BlockTotal],
    units: Sequence[Sequence[int]],
) -> tuple[int, tuple[int, int]] | None:  # fmt: skip
    """Return the largest total in some unit, and where it is; None where it is not read like this.

    Args:
        e: what is largest, over two integers.
        sizes: the numbers of symbols.
        totals: the totals over blocks in it.
        units: for each of these, the values of its blocks.
    """
    try:
        plane = _Plane(e, sizes)
        rows = [
            (value, rectangle)
            for x, values in zip(totals, units, strict=True)
            for value, rectangle in plane.rectangles(x, values)
        ]
        return plane.largest(rows)
    except KernelError:
        return None


class _Plane:
    def __init__(self, e: t.MaxOver, sizes: Mapping[str, int]) -> None:
        self.e = e
        self.sizes = sizes
        facts = list(forms(e.facts, 2, Values(sizes)))
        if any((a and b and a != -b) or abs(a or b) > 1 for a, b in (f.factors for f in facts)):
            raise KernelError("facts are not about the integers alone, or how they differ")
        self.apart = sorted({f.number * f.factors[0] for f in facts if all(f.factors)})
        self.alone = [
            sorted(
                {-f.number * f.factors[n] for f in facts if f.factors[n] and not f.factors[1 - n]}
            )
            for n in (0, 1)
        ]

    def rectangles(self, x: BlockTotal, values: Sequence[int]) -> Iterator[tuple[int, Rectangle]]:
        """Yield where the blocks of a total count, each place of a block once."""
        width = len(x.e.sizes)

        def second(p: t.KernelTerm) -> t.Whole | None:
            return t.Index(width + 1) if p == t.Letter(2) else None

        rows = cases(t.rewritten(x.e.when, second), width + 1, Values(self.sizes))
        if any(a and others[-1] for case in rows for a, others, _ in case):
            raise KernelError("one condition is about both integers")
        for value, block in zip(values, x.blocks, strict=True):
            each = [r for case in rows if value and (r := _rectangle(case, block)) is not None]
            if any(_meet(a, b) for a, b in combinations(each, 2)):
                raise KernelError("cases of a condition are not apart")
            yield from ((value, r) for r in each)

    def largest(self, rows: Sequence[tuple[int, Rectangle]]) -> tuple[int, tuple[int, int]]:
        """Return the largest total and its place."""
        edges = [
            sorted({
                *self.alone[n],
                *(int(end) for _, r in rows for end in (r[2 * n], r[2 * n + 1] + 1)
                  if math.isfinite(end)),
            }) or [0]
            for n in (0, 1)
        ]  # fmt: skip
        places = sorted({
            x + by
            for x in (*edges[0], *(y - c for y in edges[1] for c in self.apart))
            for by in range(-NEAR, NEAR + 1)
        })  # fmt: skip
        if len(places) + len(rows) > MOST_STEPS:
            raise KernelError("there are too many places to look at")
        tree = MaximumTree(len(edges[1]) + 1)
        begin = sorted(rows, key=lambda row: row[1][0])
        end = sorted(rows, key=lambda row: row[1][1])
        best, where = -1, (0, 0)
        opened = closed = 0
        for x in places:
            while opened < len(begin) and begin[opened][1][0] <= x:
                self._add(tree, edges[1], begin[opened], 1)
                opened += 1
            while closed < len(end) and end[closed][1][1] < x:
                self._add(tree, edges[1], end[closed], -1)
                closed += 1
            for low, high in self._allowed(x):
                first, last = bisect_right(edges[1], low), bisect_right(edges[1], high)
                found, cell = tree.largest(first, last + 1)
                if found > best:
                    best, where = found, (x, _inside(edges[1], cell, low, high))
        return max(best, 0), where

    @staticmethod
    def _add(
        tree: MaximumTree, edges: Sequence[int], row: tuple[int, Rectangle], sign: int
    ) -> None:
        value, (_, _, low, high) = row
        tree.add(bisect_right(edges, low), bisect_right(edges, high) + 1, sign * value)

    def _allowed(self, x: int) -> list[tuple[float, float]]:
        """Return what the second integer may be beside the first one."""
        if self.e.facts == t.Connected("and", ()):
            return [(-math.inf, math.inf)]

        def given(p: t.KernelTerm) -> t.Whole | None:
            match p:
                case t.Letter(number):
                    return t.Integer(x) if number == 1 else t.Letter(1)
                case _:
                    return None

        return intervals(t.rewritten(self.e.facts, given), Values(self.sizes))


def _inside(edges: Sequence[int], cell: int, low: float, high: float) -> int:
    """Return an integer of a cell between two ends: cell n ends before the edge n."""
    least = max(low, edges[cell - 1] if cell else -math.inf)
    most = min(high, edges[cell] - 1 if cell < len(edges) else math.inf)
    return int(least if math.isfinite(least) else most if math.isfinite(most) else 0)


def _rectangle(case: Sequence[Row], block: Sequence[int]) -> Rectangle | None:
    """Return for which integers a block is of a case, None if for none."""
    low, high = [-math.inf, -math.inf], [math.inf, math.inf]
    for factor, others, number in case:
        rest = number + sum(a * b for a, b in zip(others, block, strict=False))
        n, a = (0, factor) if factor else (1, others[-1])
        if a > 0:
            high[n] = min(high[n], -rest // a)
        elif a < 0:
            low[n] = max(low[n], -(-rest // -a))
        elif rest > 0:
            return None
    if low[0] > high[0] or low[1] > high[1]:
        return None
    return low[0], high[0], low[1], high[1]


def _meet(a: Rectangle, b: Rectangle) -> bool:
    return a[0] <= b[1] and b[0] <= a[1] and a[2] <= b[3] and b[2] <= a[3]
