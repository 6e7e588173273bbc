"""Which patterns of changed blocks can occur: a "no" is a proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpcomp_sym.engine.facts import InfeasiblePattern
from dpcomp_sym.engine.patterns import Pattern, Slot, Touched
from dpcomp_sym.engine.profiler.tables import SearchTables
from dpcomp_sym.engine.structure import MOST_BLOCKS
from dpcomp_sym.model import BoundMap
from dpcomp_sym.profile import Interval, KRange
from dpcomp_sym.smt import Pair, logic
from dpcomp_sym.smt.query import equal

__all__ = ["Possible"]


class Possible(SearchTables):
    """Patterns as conditions on a pair of databases, and whether these can be met."""

    def _feasible(self, pattern: Pattern, ranges: Sequence[KRange]) -> bool:
        """Return whether a pattern can occur; a "no" is a proof, and upper bounds stay."""
        exact = tuple(s for s in pattern.slots if not s.upper)
        if not exact:
            return True
        pattern = Pattern(pattern.edit, exact)
        key = (pattern, tuple(ranges))
        if key not in self._possible_ones:
            here = self._of_first(pattern)
            if here != pattern:
                found = self._feasible(here, ranges)
            else:
                found = self._find_feasible(pattern, ranges)
            self._possible_ones[key] = found
        return self._possible_ones[key]

    def _of_first(self, pattern: Pattern) -> Pattern:
        """Return a pattern of blocks of one map as one of the first map like it."""
        names = {s.map for s in pattern.slots}
        if len(names) != 1:
            return pattern
        first = self.structure.likeness.map(self.problem.used_maps[names.pop()]).name
        return replace(pattern, slots=tuple(replace(s, map=first) for s in pattern.slots))

    def never(self) -> Iterator[InfeasiblePattern]:
        """Yield what was found impossible."""
        for (pattern, ranges), possible in self._possible_ones.items():
            blocks = tuple(
                (s.map, tuple(sorted(s.touched)), s.count)
                for s in pattern.slots
                if isinstance(s.count, int) and not s.block
            )
            if not possible and len(blocks) == len(pattern.slots):
                for reverse in self.structure.orientations:
                    yield InfeasiblePattern(pattern.edit, reverse, blocks, ranges)

    def _find_feasible(self, pattern: Pattern, ranges: Sequence[KRange]) -> bool:
        pair = self.structure.pair(self.structure.edits[pattern.edit])
        # Where fewer blocks exist than asked for, the excess is dropped.
        self._blocks(pair, pattern, ranges, MOST_BLOCKS * 2)
        return not self.structure.unsat(pair.query)

    def _blocks(
        self, pair: Pair, pattern: Pattern, ranges: Sequence[KRange], most: int
    ) -> list[tuple[Slot, tuple[Any, ...]]]:
        """Return different blocks, of the pattern's types, that see a change."""
        query = pair.query
        for r in ranges:
            symbol = query.symbols[r.symbol]
            if r.low > 1:
                query.add(symbol >= r.low)
            if r.high is not None:
                query.add(symbol <= r.high)
        found: list[tuple[Slot, tuple[Any, ...]]] = []
        for slot in pattern.slots:
            mapping = self.problem.used_maps[slot.map]
            count = slot.count if isinstance(slot.count, int) else 1
            if slot.upper:  # where there are fewer blocks, fewer change
                count = min([count, *self._blocks_there_are(mapping, self._whole(ranges))])
            for _ in range(min(count, most)):
                block = pair.index(mapping, slot.block)
                if slot.touched:
                    self._hold(pair, mapping, slot.touched, block)
                for other, index in found:
                    if other.map == slot.map:
                        query.add(logic.Not(equal(block, index)))
                found.append((slot, block))
        for slot, block in found:
            self._change_seen(pair, slot, block)
        return found

    def _change_seen(self, pair: Pair, slot: Slot, block: tuple[Any, ...]) -> None:
        """Say that a block of a slot sees a change: in a point that it holds, where that is known.

        No record needs a name of its own then, however many blocks there are.
        """
        mapping = self.problem.used_maps[slot.map]
        if slot.touched and mapping.image is None:
            points = [pair.points[n] for n in sorted(slot.touched)]
            pair.query.add(logic.Or(*[pair.old(p) != pair.new(p) for p in points]))
        else:
            pair.view(mapping, block).changed()

    @staticmethod
    def _blocks_there_are(mapping: BoundMap, known: Mapping[str, Interval]) -> list[int]:
        """Return the number of blocks of a map, or the largest, if the case limits it."""
        number = 1
        for _, size in mapping.indices:
            value = known[size].high if isinstance(size, str) else size
            if value is None:
                return []
            number *= value
        return [number]

    @staticmethod
    def _hold(
        pair: Pair, mapping: BoundMap, subset: Touched, block: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """Return a block that holds exactly the points of ``subset``, the given one or any."""
        block = block or pair.index(mapping)
        for number, point in enumerate(pair.points):
            inside = pair.member(mapping, point, block)
            pair.query.add(inside if number in subset else logic.Not(inside))
        return block
