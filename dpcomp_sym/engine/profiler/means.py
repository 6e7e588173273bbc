"""Frames of which parts count the records: what they do is a mean of what single records do.

If no more than n records come or go, and each part sees a block at most as far as there are such
records in it, then the distances are a mean, over these records, of what is seen if all n of them
lie where one does.  So a limit on all records together is one budget for several maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpcomp_sym.engine.blocks import MOST_NAMED, written_out
from dpcomp_sym.engine.counting import records_touched
from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.facts import MixedVectors
from dpcomp_sym.engine.families import Reach, Types, Unit, changed_together
from dpcomp_sym.engine.patterns import Menu, Slot
from dpcomp_sym.engine.profiler.cases import ProfileCases
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import fewest, number_of, records_by_keys
from dpcomp_sym.model import BoundEdit
from dpcomp_sym.profile import All, Number, is_at_most, product_of
from dpcomp_sym.terms import Term

__all__ = ["ProfileMeans"]


class ProfileMeans(ProfileCases):
    """Finer menus of frames: those of which what a frame does is a mean."""

    def named_blocks(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """Return the blocks of each family in which these are distinguished by their numbers."""
        return {
            m.name: blocks
            for m in self.maps
            if not (m.constant or self.free(m)) and (blocks := tuple(written_out(m)))
        }

    def mix(self, edit: BoundEdit, menu: Menu, sets: Sequence[Reach] | None) -> None:
        """Find menus of which what a frame does is a mean, if these say more than its own does.

        Args:
            edit: with a frame; of others nothing is looked for.
            menu: what it does at most.
            sets: which blocks it changes together, if that is known.
        """
        kinds = [kind for one in sets or () for held in one.values() for kind in held]
        if kinds and all(isinstance(kind, int) for kind in kinds):
            return  # the sets say how many records are in each block
        alone = self._of_one_record(edit, [s for rows in menu.rows for row in rows for s in row])
        if alone is None:
            return
        named = self.named_blocks()
        types = self.types[menu.edit, menu.reverse]
        units: dict[Unit, Types] = {
            Unit(n, b): dict(types[n].items()) for n in alone for b in named.get(n, ((),))
        }
        if not 1 < len(units) <= MOST_NAMED:
            return
        found = changed_together(self.structure, edit, units, by_one=True)
        if found is None or any(len(reach) == len(units) for reach in found):
            return  # one record may lie in all of them
        menus = [
            replace(menu, rows=tuple(((_in_unit(alone[unit.map], unit),),) for unit in reach))
            for reach in found
        ]
        self.finer[menu.edit, menu.reverse] = menus
        vectors = [
            self._vector(m.pattern([(replace(slot, wide=None),) for ((slot,),) in m.rows]))
            for m in menus
        ]
        self.mixed.append(MixedVectors(menu.edit, menu.reverse, tuple(vectors)))

    def _of_one_record(self, edit: BoundEdit, slots: Sequence[Slot]) -> dict[str, Slot] | None:
        """Return for each map how its blocks are seen if all records lie where one of them does.

        None where the parts do not count records, or see fewer than come or go in all.
        """
        records = self._records_in_all(edit)
        if records is None or records == 1:
            return None
        found: dict[str, Slot] = {}
        for slot in slots:
            mapping, parts = self.problem.used_maps[slot.map], self.parts[slot.map]
            if mapping.image is not None or (mapping.constant and mapping.indices):
                return None
            known = self.structure.most_blocks_a_cell(mapping) if mapping.indices else 1
            most = number_of(self.structure, known) if isinstance(known, Term) else known
            seen = (records,) * len(parts)
            if most is None or not (isinstance(slot.count, All) or is_at_most(most, slot.count)):
                return None
            if not all(map(one_by_one, parts)) or not all(map(is_at_most, seen, slot.seen)):
                return None
            wide = product_of([records, most]) if mapping.indices else None
            found[slot.map] = Slot(slot.map, most, seen, upper=True, wide=wide)
        return found

    def _records_in_all(self, edit: BoundEdit) -> Number | None:
        """Return how many records a frame changes in all, None where that is not known."""
        if edit.frame is None:
            return None
        return fewest(
            records_touched(self.structure, edit),
            records_by_keys(self.structure, edit, WHOLE, one_block=False),
        )


def _in_unit(slot: Slot, unit: Unit) -> Slot:
    return replace(slot, count=1, wide=None, block=unit.block) if unit.block else slot
