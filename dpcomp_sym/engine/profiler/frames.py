"""What an edit with a frame can do: how many blocks change, and how far each is seen."""

from __future__ import annotations

from dataclasses import replace

from dpcomp_sym.engine.counting import most_changed, records_touched
from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.facts import Fact, Shared
from dpcomp_sym.engine.moving import moves_all
from dpcomp_sym.engine.patterns import Far, Menu, Slot, SlotRow
from dpcomp_sym.engine.profiler.points import EditPoints
from dpcomp_sym.engine.records import fewest, number_of, records_by_keys, times_over
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import ALL, All, Infinity, is_at_most, product_of
from dpcomp_sym.terms import Term

__all__ = ["Frames"]


class Frames(EditPoints):
    """The one pattern that bounds an edit which may change any number of cells."""

    def of_frame(self, number: int, edit: BoundEdit, *, reverse: bool) -> Menu:
        """Return the one pattern that bounds an edit with a frame (or with many points)."""
        rows: list[tuple[SlotRow, ...]] = []
        types = self.types[number, reverse] = {}
        for mapping in self.maps:
            if not self.structure.of_alike(
                "changed at all", mapping, edit, find=lambda m: self._changes(edit, m)
            ):
                self.facts.append(Fact(number, reverse, mapping.name, None, (), 1, frame=True))
                self.facts += [
                    Fact(number, reverse, mapping.name, part.name, (), 0, frame=True)
                    for part in self.parts[mapping.name]
                ]
                continue
            seen = tuple(
                self._distance(edit, part, None, reverse=reverse)
                for part in self.parts[mapping.name]
            )
            types[mapping.name] = {frozenset(): seen}
            every = moves_all(self.structure, edit, mapping)
            count = ALL if every else most_changed(self.structure, edit, mapping)
            slot = Slot(mapping.name, count, seen, upper=True)
            rows.append(((self._sharing(number, edit, mapping, slot, reverse=reverse),),))
            self.facts.append(Fact(number, reverse, mapping.name, None, (), count, frame=True))
            self.facts += [
                Fact(number, reverse, mapping.name, part.name, (), r, frame=True)
                for part, r in zip(self.parts[mapping.name], seen, strict=True)
            ]
        return Menu(number, tuple(rows), reverse)

    def _sharing(
        self, number: int, edit: BoundEdit, mapping: BoundMap, slot: Slot, *, reverse: bool
    ) -> Slot:
        """Return what blocks share where their parts count records, of which there are so many.

        A record lies in so many blocks; so the weights of blocks, their records by the number of
        all, or by how many a block may have, add up to that, or to so many times more.
        """
        parts = self.parts[mapping.name]
        known = self.structure.most_blocks_a_cell(mapping) if mapping.indices else None
        most = number_of(self.structure, known) if isinstance(known, Term) else known
        few = fewest(
            records_touched(self.structure, edit),
            records_by_keys(self.structure, edit, mapping, one_block=False),
        )
        farther = any(r not in (0, 1) for r in slot.seen)
        counted = edit.frame is not None and farther and all(map(one_by_one, parts))
        if not counted or few is None or most is None or mapping.constant:
            return slot
        seen: tuple[Far, ...] = (few,) * len(parts)
        if not all(map(is_at_most, seen, slot.seen)):  # a block does not hold all of them
            seen = slot.seen
            most = times_over(product_of([few, most]), seen[0])
        if (
            most is None or len(set(seen)) > 1 or isinstance(seen[0], Infinity)
            or (not isinstance(slot.count, All) and is_at_most(slot.count, most))
        ):  # fmt: skip
            return slot
        self.shared.append(Shared(number, reverse, mapping.name, most, seen[0]))
        return replace(slot, count=most, seen=seen, wide=slot.count)

    def _changes(self, edit: BoundEdit, mapping: BoundMap) -> bool:
        """Return whether a block of a map can see a change; a "no" is a proof."""
        pair = self.structure.pair(edit)
        pair.view(mapping, pair.index(mapping)).changed()
        return not self.structure.unsat(pair.query)
