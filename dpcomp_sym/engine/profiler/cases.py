"""The largest patterns, by the numbers of blocks that there are."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from dpcomp_sym.engine.blocks import change_of, first_of_many
from dpcomp_sym.engine.patterns import (
    Menu,
    Order,
    Pattern,
    Place,
    SeenFar,
    Slot,
    SlotRow,
    descending,
    dominates,
    plainly,
    plus,
    weight,
)
from dpcomp_sym.engine.profiler.attained import ANY
from dpcomp_sym.engine.profiler.frames import Frames
from dpcomp_sym.engine.profiler.tables import MOST_LEVELS
from dpcomp_sym.engine.verdict import Unknown
from dpcomp_sym.engine.written_lists import may_be_infinite
from dpcomp_sym.model import BoundMap, BoundPart
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    Case,
    Count,
    Group,
    Infinity,
    Interval,
    KRange,
    Vector,
)
from dpcomp_sym.smt import logic
from dpcomp_sym.terms import reads_database

__all__ = ["ProfileCases"]

FEW_INFINITE: Final = 4
"""So many ways in which one map changes are looked at before the others, for an infinite one."""
MOST_ALIKE: Final = 32
"""How many patterns of one shape are tried for one that is attained, at most."""


class ProfileCases(Frames):
    """Cases of a profile: the possible patterns that no other one dominates, attained or not."""

    def _by_sizes(self, menus: Sequence[Menu], within: Sequence[Menu] = ()) -> list[Case]:
        """Return the maximal possible vectors by the numbers of blocks, where that matters.

        If menus are given ``within`` which all is, the others are those of which it is a mean.
        """
        splitting = [
            m
            for m in self.maps
            if len(m.indices) == 1
            and isinstance(m.indices[0][1], str)
            and not m.constant
            and not self.droppable(m)
        ]
        sizes = sorted({str(m.indices[0][1]) for m in splitting}) if menus else []
        levels = []
        for size in sizes:
            named = max(self._most_named(m, size, splitting) for m in (*menus, *within))
            levels.append(self._levels(size, max(1, min(named, MOST_LEVELS))))
        if math.prod(map(len, levels)) > MOST_LEVELS and not within:
            infinite = self._infinite_at_once(menus)
            if infinite is not None:
                return [infinite]
        cases: list[Case] = []
        for choice in itertools.product(*levels):
            ranges = list(choice)
            others = sorted(
                {s for m in self.maps for _, s in m.indices if isinstance(s, str)} - set(sizes)
            )
            ranges += [KRange(s) for s in others]
            case = self._case(menus, tuple(ranges))
            if within:
                single = self._maximal(within, tuple(ranges), shown=False)
                case = replace(case, within=tuple(map(self._vector, single)))
            cases.append(case)
        return cases

    def _levels(self, size: str, top: int) -> list[KRange]:
        """Return the numbers of blocks that are looked at one by one, and the range of the others.

        A number that cannot be is left to its neighbours.
        """
        allowed = self.numbers[size]
        if allowed.low is None or allowed.low < 1:
            return [KRange(size)]  # there may be no blocks at all
        first = min(allowed.low, top)
        last = top if allowed.high is None else min(allowed.high, top)
        starts = [1, *range(first + 1, last + 1)]
        ends = [*(n - 1 for n in starts[1:]), None]
        return [KRange(size, low, high) for low, high in zip(starts, ends, strict=True)]

    def _case(self, menus: Sequence[Menu], ranges: tuple[KRange, ...]) -> Case:
        kept = self._maximal(menus, ranges)
        vectors = tuple(self._vector(p) for p in kept)
        evident = bool(kept) and all((plainly(p), ranges) in self.evident for p in kept)
        shown = self._together(kept, ranges) if evident or not self.loose else None
        attained, far, endless = shown is not None, tuple[str, ...](), tuple[str, ...]()
        worst = [self.worst.get((plainly(p), ranges)) for p in kept] if attained else []
        pairs = tuple(pair for pair in worst if pair is not None)
        known = ((ranges, pairs),) if pairs and len(pairs) == len(worst) else ()
        if shown is None:
            far, endless, shown = self._excluded(kept, ranges)
        return Case(ranges, vectors, attained, shown, far, endless=endless, worst=known)

    def _infinite_at_once(self, menus: Sequence[Menu]) -> Case | None:
        """Return that nothing finite holds, if one block shows it for all numbers of blocks.

        Then it says nothing more to look at each of these numbers.
        """
        sizes = sorted({s for m in self.maps for _, s in m.indices if isinstance(s, str)})
        ranges = tuple(self._levels(size, 1)[0] for size in sizes)
        rows = [(menu, row) for menu in menus for rows in menu.rows for row in rows]
        infinite = [
            menu.pattern([row]) for menu, row in rows
            if any(isinstance(r, Infinity) for slot in row for r in slot.seen)
        ]  # fmt: skip
        far, endless, shown = self._excluded(infinite[:FEW_INFINITE], ranges)
        if shown or not (far or endless):
            return None
        farthest: dict[str, list[tuple[Any, ...]]] = {}
        for _, row in rows:
            for slot in row:
                farthest.setdefault(slot.map, []).append(slot.seen)
        vector = tuple(
            Group(name, ALL, tuple(
                (part.name, _largest(each))
                for part, *each in zip(self.parts[name], *seen, strict=True)
            ))
            for name, seen in farthest.items()
        )  # fmt: skip
        return Case(ranges, (vector,), False, shown, far, endless=endless)

    def _excluded(
        self, kept: Sequence[Pattern], ranges: Sequence[KRange]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Interval, ...]]:
        """Return a part that sees a block infinitely far, or one from as far as one likes.

        That is enough for the whole bound to be infinite, whatever the other parts see.
        """
        far, endless = tuple[str, ...](), tuple[str, ...]()
        # Lists that are infinitely far for a part take long to look for.
        moving = any(reads_database(e.step) for e in self.structure.edits)
        if moving:
            endless, shown = self._from_anywhere(kept, ranges)
        if not endless:
            far, shown = self._far(kept, ranges)
        if not (far or endless or moving):
            endless, shown = self._from_anywhere(kept, ranges)
        return far, endless, shown

    def _far(
        self, kept: Sequence[Pattern], ranges: Sequence[KRange]
    ) -> tuple[tuple[str, ...], tuple[Interval, ...]]:
        """Return a part that was confirmed to see some block at infinite distance, and for whom."""

        def look(pattern: Pattern, slot: Slot, n: int) -> tuple[Interval, ...] | None:
            seen = tuple(r if i == n else ANY for i, r in enumerate(slot.seen))
            alone = replace(slot, count=1, seen=seen, wide=None)
            if pattern.attained:
                return pattern.shown
            edit, part = self.structure.edits[pattern.edit], self.parts[slot.map][n]
            if not self.structure.once_here(
                "infinite in lists",
                edit,
                part.name,
                pattern.reverse,
                find=lambda: may_be_infinite(
                    self.problem,
                    edit,
                    part,
                    partial(self.structure.bracket, part=part, reverse=pattern.reverse),
                ),
            ):
                return None
            some = () if slot.block else first_of_many(self.problem.used_maps[slot.map])
            tries = (*(replace(alone, block=block) for block in some), alone)
            boxes = (self._attained(replace(pattern, slots=(one,)), ranges) for one in tries)
            return next((box for box in boxes if box is not None), None)

        return self._of_infinite(kept, ranges, look)

    def _from_anywhere(
        self, kept: Sequence[Pattern], ranges: Sequence[KRange]
    ) -> tuple[tuple[str, ...], tuple[Interval, ...]]:
        """Return a part that sees some block from as far as one likes, and for whom."""

        def look(pattern: Pattern, slot: Slot, n: int) -> tuple[Interval, ...] | None:
            return self._endless(pattern, slot, self.parts[slot.map][n], ranges)

        return self._of_infinite(kept, ranges, look)

    def _of_infinite(
        self, kept: Sequence[Pattern], ranges: Sequence[KRange],
        look: Callable[[Pattern, Slot, int], tuple[Interval, ...] | None],
    ) -> tuple[tuple[str, ...], tuple[Interval, ...]]:  # fmt: skip
        """Return the first part that something is found of, of those whose distance is infinite."""
        whole = self._whole(ranges)
        for pattern in kept:
            for slot in pattern.slots:
                for n, part in enumerate(self.parts[slot.map]):
                    far = isinstance(slot.seen[n], Infinity) and not self._hardly_far(part)
                    box = look(pattern, slot, n) if far else None
                    if box is not None:
                        return (part.name,), tuple(i for i in box if i != whole[i.symbol])
        return (), ()

    def _hardly_far(self, part: BoundPart) -> bool:
        """Return whether no neighbours were found that a part sees at a distance larger than 1.

        C2 is decided first wherever both are asked for; none were found then at a larger one, too.
        """
        return isinstance(self.structure.nearness(part), Unknown)

    def _together(
        self, kept: Sequence[Pattern], ranges: tuple[KRange, ...]
    ) -> tuple[Interval, ...] | None:
        """Return for which numbers all patterns are attained; None if there are none."""
        if not all(p.attained for p in kept):
            return None
        common = _intersection([p.shown for p in kept])
        if common is None:
            lows = [max((i.low for i in column if i.low is not None), default=0)
                    for column in zip(*(p.shown for p in kept), strict=True)]  # fmt: skip
            at = {i.symbol: n for i, n in zip(kept[0].shown, lows, strict=True)}
            boxes = [self._attained(p, ranges, at) for p in kept]
            common = _intersection([box for box in boxes if box is not None])
            if common is None or None in boxes:
                return None
        whole = self._whole(ranges)
        return tuple(i for i in common if i != whole[i.symbol])

    @staticmethod
    def _most_named(menu: Menu, size: str, splitting: Sequence[BoundMap]) -> int:
        """Return how many blocks of so many a pattern of an edit names, a symbolic count as one."""
        names = {m.name for m in splitting if m.indices[0][1] == size}
        return sum(
            max(
                sum(s.count if isinstance(s.count, int) else 1 for s in row if s.map in names)
                for row in rows
            )
            for rows in menu.rows
        )

    def _maximal(
        self, menus: Sequence[Menu], ranges: Sequence[KRange], *, shown: bool = True
    ) -> list[Pattern]:
        """Return the possible patterns that no other possible one dominates.

        Whether they occur is only of interest where that is to be ``shown``.  The search starts at
        the largest ways to touch each map, and goes on to smaller ones only where a pattern is
        impossible: everything below a possible one is dominated.
        """
        orders = [[Order(rows) for rows in menu.rows] for menu in menus]
        waiting: list[tuple[tuple[float, ...], int, tuple[int, ...]]] = []
        noted: set[tuple[int, tuple[int, ...]]] = set()

        def wait(number: int, places: tuple[int, ...]) -> None:
            if (number, places) not in noted:
                noted.add((number, places))
                rows = [o.rows[n] for o, n in zip(orders[number], places, strict=True)]
                heaviest = tuple(-x for x in weight(menus[number].pattern(rows)))
                heapq.heappush(waiting, (heaviest, number, places))

        for number, order in enumerate(orders):
            tops = [self._tops(menus[number], o, ranges, alone=len(order) == 1) for o in order]
            for places in itertools.product(*tops):
                wait(number, places)
        kept: list[Pattern] = []
        while waiting:
            _, number, places = heapq.heappop(waiting)
            menu, order = menus[number], orders[number]
            pattern = menu.pattern(o.rows[n] for o, n in zip(order, places, strict=True))
            if not pattern.slots:
                continue
            shape = self._shape(pattern)
            above = [o for o in kept if dominates(self._shape(o), shape)]
            # A pattern of the same shape may be attained where the other one was not found to be.
            rival = next(
                (o for o in above if not o.attained and dominates(shape, self._shape(o))), None
            )
            if above and rival is None:
                continue
            alike = [o.alike(n) for o, n in zip(order, places, strict=True)]
            best, blamed = self._best(menu, alike, ranges, shown=shown)
            if best is None:
                for row in blamed:
                    for lower in order[row].below(places[row]):
                        wait(number, (*places[:row], lower, *places[row + 1 :]))
            elif rival is None:
                kept = [o for o in kept if not dominates(shape, self._shape(o))]
                kept.append(best)
            elif best.attained:
                kept[kept.index(rival)] = best
        return kept

    def _tops(
        self, menu: Menu, order: Order, ranges: Sequence[KRange], *, alone: bool
    ) -> Sequence[int]:
        """Return the largest ways to touch a map: those that are possible if it is not ``alone``.

        What is impossible for one map by itself need not be combined with the others.
        """
        if alone:
            return order.tops()
        waiting, found = list(order.tops()), list[int]()
        for place in waiting:
            if any(self._feasible(menu.pattern([row]), ranges) for row in order.alike(place)):
                found.append(place)
            else:
                waiting += [n for n in order.below(place) if n not in waiting]
        return order.largest(found)

    def _best(
        self,
        menu: Menu,
        alike: Sequence[Sequence[SlotRow]],
        ranges: Sequence[KRange],
        *,
        shown: bool,
    ) -> tuple[Pattern | None, Sequence[int]]:
        """Return a possible pattern with one row of each kind, an attained one if there is one.

        If there is none, also return the maps of which smaller rows must be tried.
        """
        everywhere = range(len(alike))
        found = None
        if len(alike) > 1 and not self._feasible(menu.pattern(r[0] for r in alike), ranges):
            # What is impossible for one map by itself need not be combined with the others.
            alike = [[r for r in rows if self._feasible(menu.pattern([r]), ranges)]
                     for rows in alike]  # fmt: skip
            empty = [n for n in everywhere if not alike[n]]
            if empty:
                return None, empty[:1]
        many = math.prod(map(len, alike)) > MOST_ALIKE
        first = self._at_once(menu, alike) if many else None
        ways = itertools.chain([] if first is None else [first], itertools.product(*alike))
        for tried, rows in enumerate(ways):
            pattern = menu.pattern(rows)
            if tried >= MOST_ALIKE:
                return found or pattern, everywhere
            if self._feasible(pattern, ranges):
                found = found or pattern
                box = self._shown_for(pattern, ranges) if shown else None
                if box is not None:
                    return replace(pattern, attained=True, shown=box), everywhere
                if not shown:
                    break
        return found, everywhere

    def _at_once(self, menu: Menu, alike: Sequence[Sequence[SlotRow]]) -> list[SlotRow] | None:
        """Return one row a map, such that some neighbours do all of these at once; None if unknown.

        Only single maps are looked at, each with the points that its block may hold.
        """
        pair = self.structure.pair(self.structure.edits[menu.edit])
        formulas: list[list[tuple[SlotRow, Any]]] = []
        for rows in alike:
            single = [row[0] for row in rows if len(row) == 1]
            if len(single) < len(rows) and len(rows) > 1:
                return None
            if any(slot.count != 1 or not slot.touched for slot in single):
                return None
            maps = self.problem.used_maps
            ways: list[tuple[SlotRow, Any]] = [
                ((s,), change_of(pair, maps[s.map], s.block, [s.touched])) for s in single
            ]
            ways = ways or [(rows[0], logic.BoolVal(True))]
            formulas.append(ways)
            pair.query.add(logic.Or(*[changes for _, changes in ways]))
        # As many records as can be in each block: one way a map, which is the plainer question.
        plain = [max(ways, key=lambda way: sum(len(slot.touched) for slot in way[0]))[1]
                 for ways in formulas]  # fmt: skip
        if pair.query.check(*plain) != logic.sat and pair.query.check() != logic.sat:
            return None
        model = pair.query.model()
        found = [
            next((row for row, f in ways if logic.is_true(logic.evaluated(model, f))), None)
            for ways in formulas
        ]
        return [row for row in found if row is not None] if None not in found else None

    def _shape(self, pattern: Pattern) -> dict[Place, list[tuple[Count, SeenFar]]]:
        shape: dict[Place, list[tuple[Count, SeenFar]]] = {}
        for slot in pattern.slots:
            shape.setdefault((slot.map, slot.block, slot.wide), []).append((slot.count, slot.seen))
        return shape

    def _vector(self, pattern: Pattern) -> Vector:
        grouped: dict[tuple[str, SeenFar, tuple[int, ...], Count | None], Count] = {}
        for slot in pattern.slots:
            key = (slot.map, slot.seen, slot.block, slot.wide)
            grouped[key] = plus(grouped.get(key), slot.count)
        return tuple(
            Group(name, count, tuple(
                (part.name, r) for part, r in zip(self.parts[name], seen, strict=True)
            ), block, wide)
            for (name, seen, block, wide), count in sorted(
                grouped.items(),
                key=lambda item: (
                    [m.name for m in self.maps].index(item[0][0]), item[0][2],
                    descending(item[0][1]),
                ),
            )
        )  # fmt: skip


def _intersection(boxes: Sequence[tuple[Interval, ...]]) -> tuple[Interval, ...] | None:
    """Return the numbers of symbols that lie in all boxes, None if there are none."""
    found: list[Interval] = []
    for column in zip(*boxes, strict=True):
        inside: Interval | None = column[0]
        for other in column[1:]:
            inside = inside and inside.within(other)
        if inside is None:
            return None
        found.append(inside)
    return tuple(found)


def _largest(distances: Sequence[Any]) -> Any:
    """Return the largest of some distances, infinity if these are not all numbers or alike."""
    if all(isinstance(r, int) for r in distances):
        return max(distances)
    return distances[0] if len({*distances}) == 1 else INFINITY
