"""Enumerate how an edit can touch blocks, and order these patterns by dominance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    All,
    Case,
    Count,
    Distance,
    Infinity,
    Interval,
    KRange,
    Number,
    Symbolic,
    Total,
    Vector,
    is_at_most,
    sum_of,
)

__all__ = [
    "Far",
    "Menu",
    "Order",
    "Pattern",
    "Place",
    "SeenFar",
    "Slot",
    "SlotRow",
    "Touched",
    "below",
    "descending",
    "dominates",
    "fits",
    "join",
    "merged",
    "plainly",
    "plus",
    "weight",
]  # fmt: skip

Far = Number | Infinity
"""A bound of the distance at which one part sees a block."""
SeenFar = tuple[Far, ...]
"""The distances at which the parts of one map see a block, in the order of the parts."""
Touched = frozenset[int]
"""The points that a block holds."""
Place = tuple[object, ...]
"""A map, with the number of a block that is named, or else with ()."""
Rows = tuple[tuple[Place | str, tuple[Distance, ...]], ...]


@dataclass(frozen=True)
class Slot:
    """Blocks of one map with one type, and how they are seen.

    ``upper``: no more such blocks than that, and none seen from farther; not a claim that
    exactly so many change.
    """

    map: str
    count: Count
    seen: SeenFar
    touched: Touched = frozenset()
    upper: bool = False
    block: tuple[int, ...] = ()
    """The number of the block, where it is a certain one."""
    wide: Count | None = None
    """How many blocks share what the slot says, where they do."""


@dataclass(frozen=True)
class Pattern:
    """One way in which an edit can touch the blocks of all maps.

    ``attained``: it was confirmed on concrete databases, for the symbols in ``shown``.
    """

    edit: int
    slots: tuple[Slot, ...]
    attained: bool = False
    reverse: bool = False
    shown: tuple[Interval, ...] = ()


def plainly(pattern: Pattern) -> Pattern:
    """Return a pattern without what is known of whether it is attained."""
    return replace(pattern, attained=False, shown=())


SlotRow = tuple[Slot, ...]
"""One way in which an edit can touch the blocks of one map."""


@dataclass(frozen=True)
class Menu:
    """The ways in which an edit can touch the blocks of each map: a pattern takes one of each."""

    edit: int
    rows: tuple[tuple[SlotRow, ...], ...]
    reverse: bool

    def pattern(self, rows: Iterable[SlotRow]) -> Pattern:
        """Return the pattern of a choice."""
        return Pattern(self.edit, tuple(itertools.chain.from_iterable(rows)), reverse=self.reverse)


class Order:
    """The ways to touch one map, from the largest to the smallest."""

    def __init__(self, rows: Sequence[SlotRow]) -> None:
        self.rows = rows
        self._shapes = [[(s.count, s.seen) for s in row] for row in rows]
        self._below: dict[int, list[int]] = {}

    def _leq(self, left: int, right: int) -> bool:
        return _covers(self._shapes[right], self._shapes[left])

    def largest(self, places: Iterable[int]) -> list[int]:
        """Return the places of rows that no other one exceeds, the first of those alike."""
        kept: list[int] = []
        for n in places:
            if not any(self._leq(n, other) for other in kept):
                kept = [other for other in kept if not self._leq(other, n)]
                kept.append(n)
        return kept

    def tops(self) -> list[int]:
        """Return the places of the largest rows."""
        return self.largest(range(len(self.rows)))

    def below(self, place: int) -> list[int]:
        """Return the places of the largest rows that are smaller than one."""
        if place not in self._below:
            self._below[place] = self.largest(
                n for n in range(len(self.rows)) if self._leq(n, place) and not self._leq(place, n)
            )
        return self._below[place]

    def alike(self, place: int) -> list[SlotRow]:
        """Return all rows that are neither larger nor smaller than one."""
        return [
            row for n, row in enumerate(self.rows) if self._leq(n, place) and self._leq(place, n)
        ]


def descending(seen: SeenFar) -> tuple[float, ...]:
    """Return a key that sorts the farthest first."""
    return tuple(-_size(r) for r in seen)


def _size(r: Far) -> float:
    """Return a number by which distances are put in order; symbols stand for large numbers."""
    if isinstance(r, Symbolic | Total):
        return 100.0 * r.factor
    return math.inf if isinstance(r, Infinity) else r


def below(left: SeenFar, right: SeenFar) -> bool:
    """Return whether no part sees more distance on the left than on the right."""
    return all(itertools.starmap(is_at_most, zip(left, right, strict=True)))


def join(seen: Iterable[SeenFar]) -> SeenFar:
    """Return for each part the distance that is at least all others, infinity if there is none."""
    return tuple(
        next((far for far in column if all(is_at_most(r, far) for r in column)), INFINITY)
        for column in zip(*seen, strict=True)
    )


def plus(left: Count | None, right: Count) -> Count:
    """Return the sum of two counts."""
    if left is None:
        return right
    return ALL if isinstance(left, All) or isinstance(right, All) else sum_of([left, right])


def fits(left: Sequence[Slot], right: Sequence[Slot]) -> bool:
    """Return whether each single block on the left fits into one of its own on the right."""
    return _covers([(s.count, s.seen) for s in right], [(s.count, s.seen) for s in left])


def dominates(
    left: Mapping[Place, list[tuple[Count, SeenFar]]],
    right: Mapping[Place, list[tuple[Count, SeenFar]]],
) -> bool:
    """Return whether each block on the right fits into a block of its own on the left."""
    return all(_covers(left.get(name, []), rows) for name, rows in right.items())


def _covers(left: list[tuple[Count, SeenFar]], right: list[tuple[Count, SeenFar]]) -> bool:
    unlimited = [seen for count, seen in left if count == ALL]
    if all(any(below(seen, top) for top in unlimited) for _, seen in right):
        return True
    needs: list[SeenFar] = []
    for count, seen in right:
        if not isinstance(count, int):
            return sorted(map(str, left)) == sorted(map(str, right)) or (
                any(below(seen, other) and _at_least(number, count) for number, other in left)
                and len(right) == 1
            )
        needs += [seen] * count
    slots = [seen for count, seen in left for _ in range(count if isinstance(count, int) else 1)]
    if len(needs) > len(slots):
        return False

    def place(position: int, free: frozenset[int]) -> bool:
        if position == len(needs):
            return True
        return any(
            below(needs[position], slots[n]) and place(position + 1, free - {n}) for n in free
        )

    needs.sort(key=descending)
    return place(0, frozenset(range(len(slots))))


def _at_least(left: Count, right: Count) -> bool:
    return not (isinstance(left, All) or isinstance(right, All)) and is_at_most(right, left)


def weight(pattern: Pattern) -> tuple[float, ...]:
    """Return a number that is larger for larger patterns, first by distances, then by blocks."""
    total = 0.0
    blocks = 0.0
    for slot in pattern.slots:
        count = slot.count if isinstance(slot.count, int) else 1000
        blocks += count
        total += count * sum(min(_size(r), 1000.0) for r in slot.seen)
    return (total, blocks)


def merged(cases: list[Case]) -> list[Case]:
    """Join the cases of single block numbers to the general one where truncation gives them."""
    if len(cases[0].ranges) != 1:
        return cases
    *small, tail = cases
    low = tail.ranges[0].low
    while small:
        last = small[-1]
        few = last.ranges[0].low
        if last.attained != tail.attained or not (
            _same_truncated(last.vectors, tail.vectors, few)
            and _same_truncated(last.within, tail.within, few)
        ):
            break
        worst = (*last.worst, *tail.worst)
        tail = replace(tail, shown=_shown_together(last, tail, low), worst=worst)
        low = last.ranges[0].low
        small.pop()
    return [*small, replace(tail, ranges=(KRange(tail.ranges[0].symbol, low, None),))]


def _shown_together(last: Case, tail: Case, low: int) -> tuple[Interval, ...]:
    """Return for which symbols two joined cases were shown: both if one statement covers them.

    Otherwise those of the tail, which is about sizes from ``low`` on.
    """
    size = tail.ranges[0].symbol
    if last.shown == tail.shown or any(i.symbol == size for i in tail.shown):
        return tail.shown
    found = {i.symbol: i for i in tail.shown}
    for one in last.shown:
        both = one.within(found.get(one.symbol, one))
        if both is None or one.symbol == size:
            return (*tail.shown, Interval(size, low, None))
        found[one.symbol] = both
    return tuple(found.values())


def _same_truncated(few: Sequence[Vector], tail: Sequence[Vector], number: int) -> bool:

    def cut(vector: Vector) -> Rows:
        rows: list[tuple[Place | str, tuple[Distance, ...]]] = []
        for place in dict.fromkeys((g.map, g.block) for g in vector):
            for group in (g for g in vector if (g.map, g.block) == place):
                if not isinstance(group.count, int):
                    return ((str(vector), ()),)
                rows += [(place, tuple(r for _, r in group.distances))] * group.count
        kept: dict[Place | str, int] = {}
        result = []
        for name, distances in rows:
            kept[name] = kept.get(name, 0) + 1
            if kept[name] <= number:
                result.append((name, distances))
        return tuple(result)

    mine = {cut(v) for v in few}
    theirs = {cut(v) for v in tail}
    # Truncation may leave vectors that others of the tail dominate.
    return mine <= theirs and all(any(_below(t, m) for m in mine) for t in theirs)


def _below(left: Rows, right: Rows) -> bool:
    if len(left) > len(right):
        return False
    return all(
        a[0] == b[0] and all(map(is_at_most, a[1], b[1])) for a, b in zip(left, right, strict=False)
    )
