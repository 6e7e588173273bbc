"""Blocks that join groups of limited size, so that what they add up to is largest."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from dpcomp_sym.numbers.exact import Real, is_infinite, rounded_down
from dpcomp_sym.numbers.sums import total

__all__ = ["largest_assignment"]

Gain = int | Fraction


def largest_assignment(capacities: Sequence[int], costs: Sequence[Sequence[Real]]) -> Real:
    """Return the largest sum when every block joins at most one group.

    ``costs[g][b]`` is what block b adds in group g, which takes at most ``capacities[g]``
    blocks.  One block more is added at a time, along the best chain of exchanges (successive
    longest paths of a flow, so every step stays optimal).  Only the best blocks of each group
    can matter: as many as all groups take together.

    >>> largest_assignment([1, 1], [[5, 4], [4, 1]])
    8
    """
    everything = sum(capacities)
    if everything < len(costs[0]):
        kept = sorted({b for row in costs for b in _largest_positions(row, everything)})
        costs = [[row[b] for b in kept] for row in costs]
    if any(map(is_infinite, chain.from_iterable(costs))):
        return math.inf
    found = _Assignment(capacities, [[_stand_in(x) for x in row] for row in costs])
    while found.extend():
        pass
    return total([costs[g][b] for b, g in enumerate(found.where) if g != found.free])


def _largest_positions(row: Sequence[Real], n: int) -> Sequence[int]:
    if n >= len(row):
        return range(len(row))
    return heapq.nlargest(n, range(len(row)), key=row.__getitem__)


def _stand_in(x: Real) -> Gain:
    """Return a rational number to decide with: exchanges must not gain by rounding."""
    return x if isinstance(x, int | Fraction) else rounded_down(x)


@dataclass(frozen=True, slots=True)
class _Down:
    """A number that sorts downwards."""

    value: Gain

    def __lt__(self, other: _Down) -> bool:
        return self.value > other.value


class _Assignment:
    """In which group each block is; ``free`` is the number of no group."""

    def __init__(self, capacities: Sequence[int], costs: Sequence[Sequence[Gain]]) -> None:
        self.costs = costs
        self.groups = range(len(costs))
        self.free = len(costs)
        self.room = list(capacities)
        self.where = [self.free] * len(costs[0])
        # heaps[g][s]: blocks in state s (a group, or free), by what moving them to g gains.
        self.heaps: list[list[list[tuple[_Down, int]]]] = [
            [[] for _ in range(self.free + 1)] for _ in self.groups
        ]
        for g, row in enumerate(costs):
            self.heaps[g][self.free] = [(_Down(cost), b) for b, cost in enumerate(row)]
            heapq.heapify(self.heaps[g][self.free])

    def extend(self) -> bool:
        """Add a block along the best chain; return whether there was one."""
        gain, came = self._chains()
        ends = []
        for g in self.groups:
            base, step = gain[g], self._best(g, self.free)
            if base is not None and step is not None:
                ends.append((base + step[0], g, step[1]))
        if not ends:
            return False
        _, g, block = max(ends, key=lambda end: end[0])
        while True:
            self._move(block, g)
            back = came[g]
            if back is None:
                self.room[g] -= 1
                return True
            g, block = back

    def _chains(self) -> tuple[list[Gain | None], list[tuple[int, int] | None]]:
        """Return what making room in each group gains at best, and by which block's move."""
        gain: list[Gain | None] = [0 if room > 0 else None for room in self.room]
        came: list[tuple[int, int] | None] = [None for _ in self.groups]
        for _ in self.groups:
            for g in self.groups:
                base = gain[g]
                if base is None:
                    continue
                for s in self.groups:
                    step = self._best(g, s) if s != g else None
                    if step is None:
                        continue
                    new, old = base + step[0], gain[s]
                    if old is None or new > old:
                        gain[s], came[s] = new, (g, step[1])
        return gain, came

    def _best(self, g: int, s: int) -> tuple[Gain, int] | None:
        """Return the block in state s whose move to group g gains most, and how much."""
        heap = self.heaps[g][s]
        while heap and self.where[heap[0][1]] != s:
            heapq.heappop(heap)
        return (heap[0][0].value, heap[0][1]) if heap else None

    def _move(self, block: int, g: int) -> None:
        self.where[block] = g
        for target in self.groups:
            if target != g:
                difference = self.costs[target][block] - self.costs[g][block]
                heapq.heappush(self.heaps[target][g], (_Down(difference), block))
