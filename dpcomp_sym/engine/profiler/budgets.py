"""Frames whose records some parts of a map count, and others do not: few in many blocks, or many.

So many records come or go, each in one block.  A part that counts them sees in a block as many as
there are, another one that there are some.  For each number of blocks the sum is largest where one
of them has all records that the others, with one each, leave: everything else is a mean of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpcomp_sym.engine.counting import blocks_by_values
from dpcomp_sym.engine.distances import counts_records, one_by_one
from dpcomp_sym.engine.patterns import Menu, Slot
from dpcomp_sym.engine.profiler.means import ProfileMeans
from dpcomp_sym.engine.profiler.tables import ConditionedVector, is_frame
from dpcomp_sym.engine.together import any_few, records_anywhere, together
from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.engine.together.spans import times
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import (
    ALL,
    Count,
    Distance,
    Group,
    Infinity,
    Number,
    Varying,
    is_at_most,
)
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import free_variables

__all__ = ["ProfileBudgets"]


class ProfileBudgets(ProfileMeans):
    """What such frames do, by the number of blocks that change."""

    def of_budget(
        self, menu: Menu, found: ConditionedVector | None = None
    ) -> ConditionedVector | None:  # fmt: skip
        """Return what a frame does whose records some parts count and others do not, if it is one.

        ``found``: what is known of which blocks change: that is used if no integers are chosen.
        None where a record may be in several blocks, or a part sees more than there are records.
        """
        among = _of_all(found)
        if among is None:
            return None
        edit = self.structure.edits[menu.edit]
        if edit.frame is None or not is_frame(edit) or len(self.maps) != 1:
            return None
        (mapping,) = self.maps
        if not mapping.indices or mapping.image is not None or mapping.constant:
            return None
        if self.structure.most_blocks_a_cell(mapping) != 1:
            return None
        slots = [slot for rows in menu.rows for row in rows for slot in row]
        number = self._records_in_all(edit)
        if len(slots) != 1 or number is None or number == 1 or slots[0].wide is not None:
            return None
        (slot,) = slots
        if slot.count == 1:
            return None  # to count says as much, and is easier to read
        parts = self.parts[mapping.name]
        counting = [
            one_by_one(part) and is_at_most(number, r)
            for part, r in zip(parts, slot.seen, strict=True)
        ]
        plain = [r for r, counts in zip(slot.seen, counting, strict=True) if not counts]
        if not any(counting) or not any(r != 0 for r in plain):
            return None
        if any(isinstance(r, Infinity) for r in slot.seen):
            return None
        blocks = [slot.count, blocks_by_values(self.structure, edit, mapping)]
        fewer = (n for n in blocks if isinstance(n, Number) and not is_at_most(number, n))
        limits = list(dict.fromkeys([number, *fewer]))
        exact = self.attaining and self._any_share(edit, slot, number, counting, among)
        vector = self._of_shares(slot, limits, counting, among)
        return ConditionedVector(vector, exact, None, within=self._vector(menu.pattern([(slot,)])))

    def _of_shares(
        self, slot: Slot, limits: Sequence[Number], counting: Sequence[bool], among: s.Predicate
    ) -> tuple[Group, ...]:  # fmt: skip
        """Return that one block has all records but one for each of some others.

        ``limits``: how many records there are, and how many blocks, where that may be fewer.
        """
        mapping = self.problem.used_maps[slot.map]
        places, others = len(mapping.indices), s.Letter(len(mapping.indices) + 1)
        facts = (
            s.Compared("le", s.Integer(0), others),
            *(s.Compared("lt", others, times(n)) for n in limits),
        )
        here = [s.Compared("eq", s.Index(n), s.Letter(n)) for n in range(1, places + 1)]
        there = here[0] if len(here) == 1 else s.Connected("and", tuple(here))
        elsewhere: s.Predicate = s.Connected("not", (there,))
        if len(here) == 1:
            elsewhere = s.Compared("ne", s.Index(1), s.Letter(1))
        left = Varying(_plus(times(limits[0]), s.Combined("neg", (others,))))

        def group(count: Count | Varying, shared: Distance, when: s.Predicate) -> Group:
            rows = zip(self.parts[slot.map], slot.seen, counting, strict=True)
            seen = tuple((part.name, shared if counts else r) for part, r, counts in rows)
            chosen = when if among == TRUE else s.Connected("and", (when, among))
            return Group(
                slot.map, count, seen, when=(places + 1, s.Connected("and", facts), chosen)
            )  # fmt: skip

        return group(ALL, left, there), group(Varying(others), 1, elsewhere)

    def _any_share(
        self, edit: BoundEdit, slot: Slot, number: Number, counting: Sequence[bool],
        among: s.Predicate,
    ) -> bool:  # fmt: skip
        """Return whether so many records change at once, whichever of the blocks they are in.

        All parts see then what they may: as many records as there are, or that there are some.
        """
        mapping = self.problem.used_maps[slot.map]
        for part, r, counts in zip(self.parts[slot.map], slot.seen, counting, strict=True):
            exactly = counts_records(part) and part.default_class and part.setting == "separate"
            if not (exactly if counts else r in (0, 1)):
                return False
        if records_anywhere(self.structure, edit, [mapping], number, among):
            return True
        return among == TRUE and self._relabelled(edit, mapping, number)

    def _relabelled(self, edit: BoundEdit, mapping: BoundMap, number: Number) -> bool:
        """Return whether records of any so many blocks change, one in each, whatever blocks say.

        Then all of them may be in fewer blocks: labels may as well be the same where they differ.
        So that there are enough, nothing but the map says how many blocks there are.
        """
        (_, size), *more = mapping.indices
        if more or not isinstance(size, str) or not self.free(mapping):
            return False
        domain, numbers = self.problem.domain, self.numbers[size]
        spoken = [domain.cell_term, *domain.fact_terms, edit.guard, edit.frame, edit.step]
        spoken += [fact for name, fact in self.problem.symbols.items() if name != size]
        spoken += [x for row in (*domain.limit_terms, *domain.distinct_terms) for x in row]
        names = set[str]().union(*(free_variables(x) for x in spoken if x is not None))
        found = together(self.structure, edit, self.maps)
        return (
            size not in names
            and (numbers.low, numbers.high) == (1, None)
            and found is not None
            and mapping.name in found.conditions
            and not found.distinguishes
            and any_few(self.structure, edit, mapping, number)
        )


def _of_all(found: ConditionedVector | None) -> s.Predicate | None:
    """Return which blocks of the only map can change, whatever else does; None if it is not so."""
    if found is None:
        return TRUE
    known = [group.when for group in found.vector]
    if found.exact or found.within is not None or len(known) != 1:
        return None
    (when,) = known
    if when is None or when[0] or found.vector[0].times != 1:
        return None
    return when[2] if when[1] == TRUE else None


def _plus(*items: s.Whole) -> s.Whole:
    return s.Combined("add", items)
