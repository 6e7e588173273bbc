"""Frames whose records say by their places which blocks change: in any one place, or in several.

What few records change, wherever they are, is what one of them would change with all the others, or
a mean of that; and of maps with several indices it is said slice by slice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.engine.counting import blocks_alike
from dpcomp_sym.engine.distances import counts_records, one_by_one
from dpcomp_sym.engine.patterns import Menu, Pattern, Slot
from dpcomp_sym.engine.profiler.budgets import ProfileBudgets
from dpcomp_sym.engine.profiler.tables import ConditionedVector, is_frame
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import records_by_keys
from dpcomp_sym.engine.together import (
    Structured,
    in_one_place,
    of_few_records,
    of_several_records,
    records_anywhere,
)
from dpcomp_sym.engine.together.attain import any_of_each
from dpcomp_sym.engine.together.counted import limited
from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.engine.together.one_block import of_one_block
from dpcomp_sym.engine.together.slices import Among, in_one_place_a_slice, of_slices
from dpcomp_sym.engine.together.values import of_values
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import ALL, Group, Number, is_at_most
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import free_variables

__all__ = ["ProfilePlaces"]

MOST_SPELT_OUT: Final = 2
"""Of more records a bound names no places, if it can be said by so many choices of one."""


class ProfilePlaces(ProfileBudgets):
    """What such frames do, by the integers of the records that they change."""

    def of_any_record(self, menu: Menu) -> ConditionedVector | None:
        """Return what a frame would do if all records were where one is, of which it is a mean."""
        edit = self.structure.edits[menu.edit]
        if not is_frame(edit) or edit.frame is None or any(len(rows) != 1 for rows in menu.rows):
            return None
        counted = menu.pattern(rows[0] for rows in menu.rows)
        if self._in_any_block(edit, counted.slots):
            self.chosen.add((menu.edit, menu.reverse))
            return None
        if any(m.image is not None for m in self.maps):
            return None
        if {slot.map for slot in counted.slots} != {m.name for m in self.maps}:
            return None
        parts = [p for m in self.maps for p in self.parts[m.name]]
        if not all(map(counts_records, parts)) or not all(map(one_by_one, parts)):
            return None
        found = self._of_any_record(edit, counted)
        if found is not None and found.exact:
            return found
        sliced = self._of_any_record_a_slice(edit, counted)
        more = sliced is not None and (sliced.exact or self._records_in_all(edit) is None)
        return sliced if more else found

    def _of_any_record(self, edit: BoundEdit, counted: Pattern) -> ConditionedVector | None:
        """Return what a frame would do if all records were where one of them is, if that is all."""
        alone = self._of_one_record(edit, counted.slots)
        single = alone is not None and [s.count for s in alone.values()] == [1]
        if single and all(self.alone(m) or self.movable(m) for m in self.maps):
            return None  # a record is in one block: to count says as much, and is easier to read
        number, seen = self._records_in_all(edit), [r for x in counted.slots for r in x.seen]
        if number is None or number == 1 or not all(is_at_most(number, r) for r in seen):
            return None  # a part does not see all of them in one place
        found = in_one_place(self.structure, edit, self.maps, number)
        if found is None or not found.distinguishes:
            return None
        if single and not found.attained:
            return None
        if alone is None and found.everything:
            return None  # all blocks change at once in some place
        # All blocks at once are no fewer than those that hold one record, each seen from no nearer.
        counts = all(slot.count == ALL for slot in counted.slots) or (
            alone is not None and self._counts_as_much(found, counted.slots, number)
        )
        if not (found.attained or counts):
            return None
        when = self._of_one_block(found)
        mean = tuple(
            Group(
                m.name, 1 if when else ALL, tuple((p.name, number) for p in self.parts[m.name]),
                when=when or (len(found.terms), found.facts, found.conditions[m.name]),
            )
            for m in self.maps
        )  # fmt: skip
        return ConditionedVector(mean, found.attained, None, within=self._vector(counted))

    def _of_any_record_a_slice(self, edit: BoundEdit, counted: Pattern) -> ConditionedVector | None:
        """Return what a frame would do if all records of each slice were where one of them is."""
        found = in_one_place_a_slice(self.structure, edit, self.maps)
        if found is None or found.times == 1:
            return None
        if not all(is_at_most(found.times, r) for x in counted.slots for r in x.seen):
            return None  # a part does not see all of them in one place
        mean = tuple(
            Group(
                m.name, ALL, tuple((p.name, found.times) for p in self.parts[m.name]),
                when=(len(found.terms), found.facts, condition),
            )
            for m, condition in zip(self.maps, found.conditions, strict=True)
        )  # fmt: skip
        return ConditionedVector(mean, found.attained, None, within=self._vector(counted))

    def _of_one_block(
        self, found: Structured
    ) -> tuple[int, s.Predicate, s.Predicate] | None:  # fmt: skip
        """Return which blocks of the only map may hold all, where integers only name the block."""
        if len(self.maps) != 1 or not found.terms:
            return None
        (mapping,) = self.maps
        among = found.facts, found.conditions[mapping.name], mapping.sizes
        when = of_one_block(self.structure, len(found.terms), *among)
        return None if when is None or when == TRUE else (0, TRUE, when)

    def _in_any_block(self, edit: BoundEdit, slots: Sequence[Slot]) -> bool:
        """Return whether the records that change may lie in any blocks, and in any one block.

        Each is in one block, and parts count them: to count blocks says as much then.  Blocks of
        other maps all hold the same of them, whichever these are.
        """
        shared = [slot for slot in slots if slot.wide is not None]
        if len(shared) != 1 or {slot.map for slot in slots} != {m.name for m in self.maps}:
            return False
        (slot,), maps = shared, self.problem.used_maps
        mapping, most, others = maps[slot.map], slot.wide, [x for x in slots if x != slot]
        if not isinstance(most, Number) or all(map(self.alone, self.maps)):
            return False
        if {*slot.seen} != {most} or not all(map(counts_records, self.parts[slot.map])):
            return False
        found = in_one_place(self.structure, edit, self.maps, most)
        if found is None or not (found.attained and (others or found.any_choice)):
            return False
        if others and not self._any_beside(edit, others, most, found):
            return False
        return records_anywhere(self.structure, edit, [mapping], most)

    def each_in_any_blocks(self, menu: Menu) -> ConditionedVector | None:
        """Return that of several maps any so many blocks change, as many as there are records.

        Each record may be in any block of each map, whichever those of the others are.
        """
        edit = self.structure.edits[menu.edit]
        if not is_frame(edit) or any(len(rows) != 1 for rows in menu.rows):
            return None
        counted = menu.pattern(rows[0] for rows in menu.rows)
        slots, counts = counted.slots, {slot.count for slot in counted.slots}
        every = [slot.map for slot in slots] == [m.name for m in self.maps]
        if len(slots) < 2 or not every or len(counts) != 1 or counts == {1}:
            return None
        (number,) = counts
        near = all(r in (0, 1) for slot in slots for r in slot.seen)
        if not (isinstance(number, Number) and near):
            return None
        of = self.structure, edit, self.maps, number
        if not any(records_anywhere(*of, distinct=apart) for apart in (False, True)):
            return None
        self.chosen.add((menu.edit, menu.reverse))
        return ConditionedVector(self._vector(counted), exact=True, worst=None, anywhere=True)

    def _any_beside(
        self, edit: BoundEdit, others: Sequence[Slot], number: Number, found: Structured
    ) -> bool:  # fmt: skip
        """Return whether any one block of other maps holds all records, wherever these are."""
        maps = self.problem.used_maps
        for slot in others:
            each = zip(slot.seen, self.parts[slot.map], strict=True)
            known = all(r in (0, 1) or (r == number and counts_records(p)) for r, p in each)
            one = slot.count == 1 and blocks_alike(self.structure, edit, maps[slot.map])
            if not (known and one):
                return False
        conditions = {m.name: (found.conditions[m.name], m.sizes) for m in self.maps if m.indices}
        terms = len(found.terms)
        return conditions.keys() == any_of_each(self.structure, terms, found.facts, conditions)

    def of_all_blocks(self, menu: Menu) -> ConditionedVector | None:
        """Return that a frame changes all blocks, by as many records as there are, in one place."""
        edit = self.structure.edits[menu.edit]
        if not is_frame(edit) or any(len(rows) != 1 for rows in menu.rows):
            return None
        counted = menu.pattern(rows[0] for rows in menu.rows)
        seen = {r for slot in counted.slots for r in slot.seen}
        single = {m.name for m in self.maps if not m.indices}
        every = {slot.map for slot in counted.slots if slot.count == ALL or slot.map in single}
        if len(seen) != 1 or every != {m.name for m in self.maps}:
            return None
        (number,) = seen
        if not isinstance(number, Number):
            return None
        if not all(counts_records(p) for m in self.maps for p in self.parts[m.name]):
            return None
        found = in_one_place(self.structure, edit, self.maps, number)
        if found is None or not found.everything:
            return None
        return ConditionedVector(self._vector(counted), exact=True, worst=None)

    def _counts_as_much(self, found: Structured, slots: Sequence[Slot], number: Number) -> bool:
        """Return whether blocks are counted that share what so many records could change.

        They are no fewer than those that hold one record: then it is no less that is counted.
        """
        maps = self.problem.used_maps
        return all(
            slot.wide is not None
            and all(r == number for r in slot.seen)
            and limited(self.structure, found.when(slot.map), maps[slot.map], slot.count)
            for slot in slots
        )

    def of_few_records(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> Structured:
        """Return which blocks change, of few records by the places of these, if that says more."""
        edit = self.structure.edits[menu.edit]
        near = all(r in (0, 1) for (_, part), rs in facts.items() if part for r in rs)
        if found.attained or not is_frame(edit) or edit.frame is None:
            return found
        number = records_by_keys(self.structure, edit, WHOLE, one_block=False)
        if not near:
            return self._around_records(menu, found, facts, number)
        if number is None:
            return self._of_few_values(edit, found, facts)
        several = None
        if not isinstance(number, int) or number > MOST_SPELT_OUT:
            several = of_several_records(self.structure, edit, self.maps, number)
        if (
            several is not None
            and several.distinguishes
            and (several.attained or self._all_may_change(found, facts))
        ):
            return several
        return of_few_records(self.structure, edit, self.maps) or found

    def _around_records(
        self, menu: Menu, found: Structured,
        facts: Mapping[tuple[str, str | None], list[Any]], number: Number | None,
    ) -> Structured:  # fmt: skip
        """Return that blocks change around so many records, from as far as a part sees any of them.

        Where it is not known otherwise which ones change: parts that see records one by one are not
        at this distance of all blocks at once.
        """
        slots = [slot for rows in menu.rows for row in rows for slot in row]
        shared = any(slot.wide is not None for slot in slots)  # that says more of these blocks
        if number is None or shared or not self._all_may_change(found, facts):
            return found
        edit = self.structure.edits[menu.edit]
        several = of_several_records(self.structure, edit, self.maps, number)
        if several is None or not several.distinguishes:
            return found
        return replace(several, attained=False)

    @staticmethod
    def _all_may_change(
        found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> bool:
        """Return whether nothing is known of which blocks of some map change, nor how many."""
        return not found.distinguishes and any(
            rs == [ALL] for (_, part), rs in facts.items() if part is None
        )

    def _of_few_values(
        self, edit: BoundEdit, found: Structured,
        facts: Mapping[tuple[str, str | None], list[Any]],
    ) -> Structured:  # fmt: skip
        """Return which blocks change by integers that have few values, where all of them could."""
        few = of_values(self.structure, edit, self.maps)
        counted = any(rs != [ALL] for (_, part), rs in facts.items() if part is None)
        if few is None or found.terms or (counted and not few.attained):
            return found
        return Structured(
            few.terms, few.facts, few.conditions, few.attained, times=few.number, by_records=True
        )

    def _sees_all(self, edit: BoundEdit, mapping: BoundMap, of: BoundMap) -> bool:
        """Prove that all records that change in a block of a map lie in the only one of another."""

        def elsewhere() -> Query:
            pair = self.structure.pair(edit)
            cell, block = pair.differ(), pair.index(of)
            pair.query.add(pair.member(of, cell, block), logic.Not(pair.member(mapping, cell, ())))
            return pair.query

        return self.structure.never("sees all", edit, mapping.name, of.name, find=elsewhere)

    def of_slices(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> Structured:
        """Return which blocks change, slice by slice, where otherwise they all could.

        Maps without indices see all of these records, whichever slices they are in.
        """
        edit = self.structure.edits[menu.edit]
        near = all(r in (0, 1) for (_, part), rs in facts.items() if part for r in rs)
        own = {*self.problem.symbols, *(name for name, _ in edit.params)}
        if found.attained or found.times != 1 or not near:
            return found
        if not all(free_variables(x) <= own for x in found.terms):
            return found  # these are integers of records
        families = [m for m in self.maps if m.indices]
        whole = {m.name: found.conditions.get(m.name, TRUE) for m in self.maps}
        conditions = tuple(whole[m.name] for m in families)
        if any(isinstance(x, s.LetterAt) for p in conditions for x in s.subterms(p)):
            return found
        among = Among(found.terms, found.facts, conditions)
        sliced = of_slices(self.structure, edit, families, among) if families else None
        if sliced is None:
            return found
        said = whole | {m.name: p for m, p in zip(families, sliced.conditions, strict=True)}
        several = sliced.times != 1
        attained = sliced.attained and all(
            whole[m.name] == TRUE and self._sees_all(edit, m, of)
            for m in self.maps if not m.indices
            for of in families
        )  # fmt: skip
        told = Structured(
            sliced.terms, sliced.facts, said, attained, times=sliced.times, by_records=several
        )  # fmt: skip
        more = attained or all(
            facts[m.name, None] == [ALL]
            if several
            else limited(self.structure, told.when(m.name), m, facts[m.name, None][0])
            for m in self.maps
            if said[m.name] != found.conditions.get(m.name)
        )  # to count all blocks may say more
        return told if more else found
