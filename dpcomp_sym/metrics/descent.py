"""Does some edit lead nearer from every pair of databases?  The question, edit by edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dpcomp_sym.finite import Cell, Database, PathStep, World
from dpcomp_sym.finite.world import cell_at
from dpcomp_sym.metrics.capacities import keeps_limit
from dpcomp_sym.metrics.counting_terms import BoundForm
from dpcomp_sym.metrics.totals import CellCount, Counted, Ledger, Nearby
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.profile import Infinity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import equal
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import CELL, INT, TRUE, Term, reads_database, variable

__all__ = ["Descent"]


@dataclass(frozen=True)
class _Side:
    """One of two databases, as the one that an edit leads nearer to the other."""

    start: CellCount
    goal: CellCount
    form: BoundForm
    """The form of (goal, start)."""
    size: Any
    goal_size: Any
    last: list[GroundCell] = field(default_factory=list)
    """Records of start, if there are any, with the largest number in some attribute."""


class Descent:
    """The question whether from some pair no edit leads nearer, edit by edit.

    The edit may start from either of the two databases.
    """

    def __init__(
        self, granularity: BoundGranularity, form: BoundForm, ledger: Ledger, pair: Pair, *,
        sized: bool,
    ) -> None:  # fmt: skip
        goal, start = pair.old, pair.new
        self.granularity, self.domain, self.sized = granularity, granularity.domain, sized
        self.ledger, self.query = ledger, ledger.query
        finite, self.value = ledger.read(form, goal, start)
        self.query.add(finite, self.value >= 1)
        self.most = [self.query.read(bound) for _, bound in self.domain.limit_terms]
        self._groups: dict[Term, dict[CellCount, Counted]] = {}
        self.sides = (
            _Side(start, goal, form, pair.size_new, pair.size_old),
            _Side(goal, start, ledger.mirror(form, goal, start), pair.size_old, pair.size_new),
        )
        if not self.granularity.local:
            for side in self.sides:
                self._name_last(side)
        self._seen: set[tuple[int, int, bool, bool, str]] = set()

    def _held(self, key: Term, most: Any) -> dict[CellCount, Counted]:
        """Return what both databases hold in the groups of a limit, which they keep."""
        if key not in self._groups:
            ledger, ends = self.ledger, [side.start for side in self.sides]
            found = {
                end: Counted(None, end, ledger.group([key], end, "limit")) for end in ends
            }  # fmt: skip
            for counted in found.values():
                ledger.keys([key]).for_all(partial(self._limited, counted.groups, most))
            ledger.relate([key], *found.values())
            self._groups[key] = found
        return self._groups[key]

    def _limited(self, held: Any, most: Any, key: GroundCell) -> None:
        self.query.add(keeps_limit(held(*key), most))

    def _name_last(self, side: _Side) -> None:
        """Name a record with the largest number in each attribute: there is one, if any."""
        counted = uses_size(*(t for e in self.granularity.edits for t in e.terms))
        for place, (name, sort) in enumerate(self.domain.attribute_sorts.items()):
            if sort == INT:
                last = self._extreme(side.start, place, 1)
                side.last.append(last)
                key = Term("attr", (name, variable("c", CELL)), INT)
                for (limited, _), most in zip(self.domain.limit_terms, self.most, strict=True):
                    if limited == key and counted:  # so many fit between the first and the last
                        first = self._extreme(side.start, place, -1)
                        room = most * (last[place] - first[place] + 1)
                        self.query.add(logic.Or(side.start(last) <= 0, side.size <= room))

    def _extreme(self, database: CellCount, place: int, sign: int) -> GroundCell:
        found = self.query.cell("last" if sign > 0 else "first")

        def behind(cell: GroundCell) -> Any:
            before = logic.And(database(found) >= 1, sign * (found[place] - cell[place]) >= 0)
            return [logic.Or(database(cell) <= 0, before)]

        self.query.for_all_cells(behind)
        return found

    def resist(self) -> bool:
        """Rule out an edit that leads nearer in the last model, if there is one."""
        snapshot = Snapshot(self.query, self.ledger.model)
        return any(self._resist(n, side, snapshot) for n, side in enumerate(self.sides))

    def _resist(self, number: int, side: _Side, snapshot: Snapshot) -> bool:
        query, ground = self.query, dict[Cell, GroundCell]()
        present = [
            c for c in query.maybe if logic.is_true(snapshot.model.eval(query.present(c)))
        ]  # fmt: skip
        named = [*side.last, *query.cells, *present]
        for cell in named:
            ground.setdefault(snapshot.cell(cell), cell)
        terms = _vocabulary(query, snapshot, named)
        world = snapshot.world(tuple(ground))
        goal, start = (
            {c: n for c, g in ground.items() if (n := snapshot.integer(d(g)))}
            for d in (side.goal, side.start)
        )
        here = side.form.distance(world, goal, start)
        if isinstance(here, Infinity):
            return False
        found: Iterable[tuple[PathStep, bool]] = self._nearer(side, world, goal, start, here)
        if side.last:  # behind a last record there is nothing that moves along
            cells = [snapshot.cell(cell) for cell in side.last]
            values = {*cells, *(value for cell in cells for value in cell)}
            found = sorted(
                found, key=lambda one: ({v for _, v in one[0].params} <= values, not one[1]),
                reverse=True,
            )  # fmt: skip
        for step, filled in found:
            edit = self.granularity.edits[step.edit]
            params = _symbolic(edit, step, ground, terms, snapshot)
            instance = (number, step.edit, step.backwards, filled, str(params))
            if instance not in self._seen:
                self._seen.add(instance)
                self._exclude(side, edit, params, backwards=step.backwards, filled=filled)
                return True
        return False

    def _nearer(
        self, side: _Side, world: World, goal: Database, start: Database, here: int
    ) -> Iterator[tuple[PathStep, bool]]:
        """Yield edits in a world that lead nearer, and whether what they change is filled.

        What lies in a frame is set to what the other database has there, or emptied.
        """
        for target, filled in ((goal, True), ({}, False)):
            for step, after in world.successors(self.granularity, start, target, world.cells):
                edit = self.granularity.edits[step.edit]
                if (not filled and edit.frame is None) or step.emptied:
                    continue  # what is emptied comes with nothing as the target
                if step.backwards and any(reads_database(d) for _, d in edit.change):
                    continue
                if not world.contains(after, self.domain, world.cells):
                    continue
                there = side.form.distance(world, goal, after)
                if not isinstance(there, Infinity) and there < here:
                    yield step, filled

    def _exclude(
        self, side: _Side, edit: BoundEdit, params: Mapping[str, Any], *, backwards: bool,
        filled: bool,
    ) -> None:  # fmt: skip
        """Say that this edit does not lead nearer: for one of the reasons that there can be."""
        query, ledger, start, goal = self.query, self.ledger, side.start, side.goal
        sign = -1 if backwards else 1
        read = query.read
        databases = {"D": (start, lambda: side.size)}
        deltas: list[tuple[GroundCell, Any]] = []
        if edit.frame is None:
            deltas = [(params[p], sign * read(d, params, databases)) for p, d in edit.change]

            def changed(cell: GroundCell) -> Any:
                value = start(cell)
                for point, delta in deltas:
                    value = value + logic.If(query.equal(cell, point), delta, 0)
                return value

        else:
            frame = edit.frame

            def changed(cell: GroundCell) -> Any:
                held = goal(cell) if filled else logic.IntVal(0)
                return logic.If(read(frame, {**params, "c": cell}), held, start(cell))

        at = [point for point, _ in deltas] if edit.frame is None else None
        whole = filled and edit.frame == TRUE  # all is as in the goal, which is in the class
        after: CellCount = goal if whole else changed
        if whole:
            size = side.goal_size
        else:
            before = Counted(side.size, start, at=at)
            size = ledger.size(after, beside=before).value if self.sized else None
        source, source_size = (after, size) if backwards else (start, side.size)
        databases = {"D": (source, lambda: source_size)}
        reasons = [logic.Not(read(edit.guard, params, databases))]
        if not whole:
            reasons += self._outside(side, after, size, at, filled=filled)
            if edit.frame is not None and filled:
                reasons += self._cut(edit.frame, params)
        if edit.frame is not None and edit.step != TRUE:
            cell = query.cell("s")
            old, new = (after, start) if backwards else (start, after)
            names = {**params, "c": cell}
            step = read(edit.step, {**names, "old": old(cell), "new": new(cell)}, databases)
            reasons.append(logic.And(read(edit.frame, names), logic.Not(step)))
        near = None if whole else Nearby(start, at)
        finite, value = ledger.read(side.form, goal, after, near)
        reasons.append(logic.Not(finite))
        reasons.append(value >= self.value)  # and at least 1, as long as F is not D
        query.add(logic.Or(*reasons))

    def _outside(
        self, side: _Side, after: CellCount, size: Any, at: Sequence[GroundCell] | None, *,
        filled: bool,
    ) -> list[Any]:  # fmt: skip
        """Return the reasons for which a database may not be in the class."""
        query, ledger = self.query, self.ledger
        reasons: list[Any] = []
        for point in at or ():  # elsewhere it holds what one of the two databases holds
            reasons.append(after(point) < 0)
            if self.domain.cap is not None:
                reasons.append(after(point) > self.domain.cap)
        limits = zip(self.domain.limit_terms, self.most, strict=True)
        for (key, _), most in limits if filled or at is not None else ():
            known = self._held(key, most)
            held = ledger.group([key], after, "limit", replace(known[side.start], at=at))
            if at is None:  # in the frame it is the goal, elsewhere the start
                ledger.relate([key], known[side.goal], Counted(None, after, held))
            reasons.append(logic.Not(keeps_limit(held(*ledger.keys([key]).fresh()), most)))
        if self.domain.distinct:  # no more values than the start has: records where it has some
            reasons += [logic.And(after(c) >= 1, side.start(c) <= 0) for c in at or ()]
        databases = {"D": (after, lambda: size)}
        reasons += [logic.Not(query.read(t, {}, databases)) for t in self.domain.size_terms]
        if self.domain.fact_terms:
            here = {"c": query.cell("s")}
            reasons += [logic.Not(query.read(t, here, databases)) for t in self.domain.fact_terms]
        return reasons

    def _cut(self, frame: Term, params: Mapping[str, Any]) -> Iterator[Any]:
        """Yield that a frame cuts through records among which distinct values are limited.

        If it does not, those that share a term are as in the goal, or as in the start.
        """
        query = self.query
        for limit in self.domain.distinct_terms:
            one, other = query.cell("s"), query.cell("s")
            here, there = (query.read(limit.each, {"c": c}) for c in (one, other))
            inside, outside = (query.read(frame, {**params, "c": c}) for c in (one, other))
            yield logic.And(equal(here, there), inside, logic.Not(outside))


def _symbolic(
    edit: BoundEdit, step: PathStep, ground: Mapping[Cell, GroundCell],
    terms: Mapping[tuple[str, Any], Any], snapshot: Snapshot,
) -> dict[str, Any]:  # fmt: skip
    """Return the parameters of a concrete edit as solver terms, by name."""
    found = {}
    params = dict(step.params)
    for (name, value), (_, sort) in zip(step.params, edit.params, strict=True):
        if sort == CELL:
            found[name] = ground[cell_at(params, name)]
        else:
            term = terms.get((sort, value))
            found[name] = snapshot.term(value, sort) if term is None else term
    return found


def _vocabulary(
    query: Query, snapshot: Snapshot, cells: Sequence[GroundCell]
) -> dict[tuple[str, Any], Any]:
    """Return a solver term for the values that some ground cells bring into sight."""
    found: dict[tuple[str, Any], Any] = {}

    def note(term: Any, sort: str) -> None:
        found.setdefault((sort, snapshot.value(term, sort)), term)

    for cell in cells:
        for term, sort in zip(cell, query.domain.attribute_sorts.values(), strict=True):
            note(term, sort)
    for name, (arguments, result) in query.signature.signatures.items():
        if arguments == (CELL,):
            for cell in cells:
                note(query.signature.apply(name, [cell]), result)
        elif len(arguments) == 1:
            for (sort, _), term in list(found.items()):
                if sort == arguments[0]:
                    note(query.signature.apply(name, [term]), result)
    for symbol in query.symbols.values():
        note(symbol, INT)
    return found
