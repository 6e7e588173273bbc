"""Which blocks change together, where blocks are few and each has a formula of its own.

Blocks of a family that is written out (and maps, of which there are few) are asked for one by one:
a model of neighbours determines which of them change; the set is made larger as long as there are
neighbours that change more, and is then blocked.  When no neighbours are left that change something
outside every set, the sets hold all that can change together.  That last question is the proof; how
the sets were found does not matter.  (This is the enumeration of maximal satisfiable subsets.)

Where a limit of the class bounds how many records a frame changes, and parts count records, a set
also says how many records change in a block: two filters share those of one person.  Which blocks
hold one record that changes is found in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.blocks import any_block, change_of
from dpcomp_sym.engine.counting import records_touched
from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.patterns import SeenFar, Touched, below
from dpcomp_sym.engine.written_lists import lists_through
from dpcomp_sym.model import BoundEdit, BoundPart
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import RESOURCES, work_done
from dpcomp_sym.smt.query import GroundCell, equal

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "MOST_SETS",
    "MOST_WORK",
    "Held",
    "Reach",
    "Types",
    "Unit",
    "by_records",
    "changed_together",
]

MOST_SETS: Final = 160
"""How many sets are searched for, at most."""
MOST_WORK: Final = RESOURCES // 4
"""How much work all questions about the sets may be together, in the solver's own measure."""
FEW_UNITS: Final = 8
"""Of more units it is asked first whether all of them change at once."""
MOST_SECONDS: Final = 5
"""How many seconds of processor time they may take: large divisions are hardly counted as work."""
A_SECOND: Final = 10**9
AT_ONCE: Final = MOST_WORK // 20
"""How much work that question may be."""
ONE_MORE: Final = MOST_WORK // 5
"""How much work it may be to find a first one, and to make one larger."""
MOST_RECORDS: Final = 8
"""Up to so many records that a frame changes are distinguished by the blocks that hold them."""

Held = Touched | int
"""Which of the records that an edit names a block holds; of a frame, how many change in it."""
Types = Mapping[Held, SeenFar]
"""What blocks can hold of the records that an edit changes, and how their parts see them then."""


@dataclass(frozen=True)
class Unit:
    """A block of a map that is named by its number; with ``()``, the map itself or any block."""

    map: str
    block: tuple[int, ...]


Reach = Mapping[Unit, Types]
"""Blocks that change together, each with what it may hold; of a named one the worst first."""


def by_records(
    structure: Structure, edit: BoundEdit, parts: Sequence[BoundPart], seen: SeenFar
) -> Types:
    """Return how far parts of one map see a block by how many records a frame changes in it.

    Args:
        structure: the questions about the problem.
        edit: a frame.
        parts: the parts that read the map.
        seen: how far they see any block.
    """
    whole: Types = {frozenset(): seen}
    records = None if edit.frame is None else records_touched(structure, edit)
    if not isinstance(records, int) or records > MOST_RECORDS or parts[0].map.image is not None:
        return whole
    found: dict[Held, SeenFar] = {}
    for number in range(1, records + 1):
        found[number] = tuple(
            min(number, r) if one_by_one(part) and isinstance(r, int) else r
            for part, r in zip(parts, seen, strict=True)
        )
        if found[number] == seen:
            break
    return found if len(found) > 1 else whole


def changed_together(
    structure: Structure,
    edit: BoundEdit,
    units: Mapping[Unit, Types],
    most: int = MOST_SETS,
    *,
    work: int = MOST_WORK,
    by_one: bool = False,
) -> list[Reach] | None:
    """Return the maximal sets of units that an edit changes together, or None if not found.

    Args:
        structure: the questions about the problem.
        edit: the edit.
        units: all blocks (or maps) that it can change, with what each can hold when it changes.
        most: how many sets are searched for.
        work: how much all questions may be together, in the solver's own measure.
        by_one: whether only what one record changes counts as together.
    """
    search = _Search(structure, edit, units, work=work, by_one=by_one)
    found: list[frozenset[_Flag]] = []
    query = search.pair.query
    query.add(logic.Or(*search.formulas.values()))
    frame, many = edit.frame is not None, len(units) > FEW_UNITS
    at_first = search.in_lists()
    if not at_first and many and ((frame and search.by_one_record()) or search.all_at_once()):
        at_first = frozenset(search.formulas)
    if at_first:
        found.append(at_first)
        if len(at_first) < len(search.formulas) and search.nothing_beside(at_first):
            return [search.reach(at_first)]
        query.add(search.none_but(at_first))
    while len(found) <= most and search.may_go_on(RESOURCES if found else ONE_MORE):
        answer = query.check()
        if answer == logic.unsat:
            structure.scripts.append(query.impossible)
            reaches = map(search.reach, found or [frozenset()])
            return sorted(reaches, key=lambda reach: [u not in reach for u in units])
        if answer != logic.sat:
            return None
        flags = search.grown()
        found.append(flags)
        query.add(search.none_but(flags))
    return None


@dataclass(frozen=True)
class _Flag:
    """A unit changes, and is seen from at least as far as this says."""

    unit: Unit
    seen: SeenFar


class _Search:
    """Neighbours, and for each unit whether it changes."""

    def __init__(
        self, structure: Structure, edit: BoundEdit, units: Mapping[Unit, Types], *,
        work: int, by_one: bool,
    ) -> None:  # fmt: skip
        self.structure, self.units = structure, units
        self.maps = structure.problem.used_maps
        self.pair = structure.pair(edit)
        self.start = work_done(self.pair.query.solver)
        self.end = time.process_time_ns() + MOST_SECONDS * A_SECOND
        endless = any(INFINITY in seen for types in units.values() for seen in types.values())
        self.most = min(work, AT_ONCE) if endless and len(units) > FEW_UNITS else work
        """Where many may change and there is no bound, which ones is worth little work."""
        numbers = [n for types in units.values() for n in types if isinstance(n, int)]
        most = records_touched(structure, edit) if numbers else 0
        self.records = [
            self.pair.query.cell("z") for _ in range(most if isinstance(most, int) else 0)
        ]
        """Where records are counted, all that change are among these."""
        self.one = self.pair.query.cell("z") if by_one else None
        if self.one is not None:
            self.pair.query.add(self.pair.old(self.one) != self.pair.new(self.one))
        self.formulas: dict[_Flag, Any] = {}
        """What it means that a unit changes so much.  The formula is a new truth value, which
        implies it."""
        for unit, types in units.items():
            for seen in dict.fromkeys(types.values()):
                worse = [t for t, other in types.items() if below(seen, other)]
                self.formulas[_Flag(unit, seen)] = self._flag(unit, worse)

    def _flag(self, unit: Unit, held: Sequence[Held]) -> Any:
        pair, query = self.pair, self.pair.query
        flag = query.fresh("bool", "changes")
        numbers = [n for n in held if isinstance(n, int)]
        if self.one is not None:
            index, inside = any_block(pair, self.maps[unit.map], unit.block)
            changes = logic.And(inside, pair.member(self.maps[unit.map], self.one, index))
        elif numbers:
            changes = self._records_change(unit, min(numbers))
        else:
            touched = [t for t in held if not isinstance(t, int)]
            changes = change_of(pair, self.maps[unit.map], unit.block, touched)
        query.add(logic.Implies(flag, changes))
        return flag

    def none_but(self, flags: Collection[_Flag]) -> Any:
        """Return the formula: something is true that is not among some flags."""
        return logic.Or(*[f for flag, f in self.formulas.items() if flag not in flags])

    def in_lists(self) -> frozenset[_Flag]:
        """Return what units that lists which are written down change at once, the most of them."""
        named = {unit: (self.maps[unit.map], unit.block) for unit in self.units}
        several = self.one is not None or any(len(types) > 1 for types in self.units.values())
        if several or any(mapping.indices and not block for mapping, block in named.values()):
            return frozenset()
        changed = (
            {unit for unit, (mapping, block) in named.items() if found.changes(mapping, block)}
            for found in lists_through(self.structure.problem, self.pair.edit, [*named.values()])
        )
        most = max(changed, key=len, default=set[Unit]())
        return frozenset(flag for flag in self.formulas if flag.unit in most)

    def nothing_beside(self, flags: Collection[_Flag]) -> bool:
        """Prove that no record changes that is in a block, or map, of no unit with a flag."""
        pair = self.structure.pair(self.pair.edit)
        record = pair.query.cell("z")
        beside = []
        for mapping in {unit.map: self.maps[unit.map] for unit in self.units}.values():
            index, inside = any_block(pair, mapping, ())
            others = [flag.unit.block for flag in flags if flag.unit.map == mapping.name]
            if () in others:
                continue
            numbers = [logic.Not(equal(index, [logic.IntVal(n) for n in b])) for b in others]
            beside.append(logic.And(inside, pair.member(mapping, record, index), *numbers))
        pair.query.add(pair.old(record) != pair.new(record), logic.Or(*beside))
        return self.structure.unsat(pair.query)

    def all_at_once(self) -> bool:
        """Return whether all units change at once, if that is seen with little work.

        It often is so, and many small steps find it late, or not at all.
        """
        if not self.may_go_on(AT_ONCE):
            return False
        asked = (*self.formulas.values(), *self._with_most_records())
        return bool(self.pair.query.check(*asked) == logic.sat)

    def by_one_record(self) -> bool:
        """Return whether one record that changes is in all blocks: a question without others.

        Not where blocks are seen from farther the more records they hold.
        """
        kinds = [kind for types in self.units.values() for kind in types.items()]
        if any(isinstance(n, int) or any(r not in (0, 1) for r in seen) for n, seen in kinds):
            return False
        pair = self.structure.pair(self.pair.edit)
        record = pair.query.cell("z")
        pair.query.add(pair.old(record) != pair.new(record))
        for unit in self.units:
            index, inside = any_block(pair, self.maps[unit.map], unit.block)
            pair.query.add(inside, pair.member(self.maps[unit.map], record, index))
        pair.query.limit(AT_ONCE)
        return bool(pair.query.check() == logic.sat)

    def _with_most_records(self) -> Iterator[Any]:
        """Yield the formulas: units hold as many of the records that the edit names as they can.

        These are plainer than that units change, whichever records they hold.
        """
        for unit, types in self.units.items():
            most = max((t for t in types if not isinstance(t, int)), key=len, default=None)
            if most:
                yield change_of(self.pair, self.maps[unit.map], unit.block, [most])

    def _records_change(self, unit: Unit, number: int) -> Any:
        """Return the formula: so many records come or go in a block."""
        pair, mapping = self.pair, self.maps[unit.map]
        index, inside = any_block(pair, mapping, unit.block)

        def come_or_go(cell: GroundCell) -> Any:
            more = pair.new(cell) - pair.old(cell)
            return logic.If(pair.member(mapping, cell, index), logic.If(more >= 0, more, -more), 0)

        total = pair.query.distinct_sum(come_or_go, self.records)
        return logic.And(inside, total >= number)

    def may_go_on(self, most: int = RESOURCES) -> bool:
        """Limit the next question to what is left of the work; return whether it may be asked."""
        query = self.pair.query
        left = min(most, self.most - (work_done(query.solver) - self.start))
        query.limit(max(left, 1))
        return left > 0 and time.process_time_ns() < self.end

    def _true(self, flags: Mapping[_Flag, Any]) -> frozenset[_Flag]:
        """Return which of some flags are true in the last model."""
        model = self.pair.query.model()
        return frozenset(
            flag for flag, f in flags.items() if logic.is_true(logic.evaluated(model, f))
        )

    def grown(self) -> frozenset[_Flag]:
        """Return a set that contains what is true in the last model, as large as can be."""
        flags = self._true(self.formulas)
        while True:
            more = {flag: f for flag, f in self.formulas.items() if flag not in flags}
            kept = [f for flag, f in self.formulas.items() if flag in flags]
            if (
                not (more and self.may_go_on(ONE_MORE))
                or self.pair.query.check(*kept, logic.Or(*more.values())) != logic.sat
            ):
                return flags
            flags |= self._true(more)

    def reach(self, flags: frozenset[_Flag]) -> Reach:
        """Return a set as blocks with what they may hold, the worst first."""
        found: dict[Unit, Types] = {}
        for unit, types in self.units.items():
            allowed = {flag.seen for flag in flags if flag.unit == unit}
            held = [t for t, seen in types.items() if seen in allowed]
            tops = [t for t in held if not any(
                below(types[t], types[o]) and types[o] != types[t] for o in held
            )]  # fmt: skip
            if held:
                kept = tops if isinstance(tops[0], int) else [*tops, *held]
                found[unit] = {t: types[t] for t in kept}
        return found
