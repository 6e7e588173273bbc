"""Does some edit lead nearer from every pair of databases?  The question, edit by edit."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dpcomp_sym.finite import Cell, Database, PathStep, World
from dpcomp_sym.finite.world import cell_at
from dpcomp_sym.metrics.capacities import keeps_limit
from dpcomp_sym.metrics.counting_terms import BoundForm
from dpcomp_sym.metrics.full_groups import full_groups, parts_of
from dpcomp_sym.metrics.totals import CellCount, Counted, Ledger, Nearby
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.profile import Infinity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import equal
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import (
    CELL,
    INT,
    TRUE,
    Term,
    conjuncts,
    evaluate,
    free_variables,
    reads_database,
    variable,
)

__all__ = ["Descent"]

_Leaning = tuple[Sequence[Term], Any]
"""The keys that the records of a group share with a cell, and that it leans the other way."""


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


@dataclass(frozen=True)
class _Leading:
    """An edit that leads nearer in a model, from one of the two databases."""

    number: int
    step: PathStep
    filled: bool
    names: tuple[Mapping[Cell, GroundCell], Mapping[tuple[str, Any], Any]]
    order: tuple[bool, bool, bool, int, bool]


class Descent:
    """The question whether from some pair no edit leads nearer, edit by edit.

    The edit may start from either of the two databases, which differ at a cell.
    """

    def __init__(
        self, granularity: BoundGranularity, form: BoundForm, ledger: Ledger, pair: Pair, *,
        at: GroundCell, sized: bool,
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
        fixed = not granularity.far  # where records move along, those with one key say little
        self._full = {full.key: full for full in full_groups(self.domain) if fixed}
        if not self.granularity.local:
            for side in self.sides:
                self._name_last(side)
        self._beside: list[GroundCell] = [at]
        self._whole_groups: dict[tuple[BoundEdit, Term], bool] = {}
        self._classes = {
            (kept, few): replace(
                self.domain,
                limits=() if kept else self.domain.limits,
                distinct=() if few else self.domain.distinct,
            )
            for kept in (False, True)
            for few in (False, True)
        }
        """The class without the limits that both ends of an edit keep: on records, on values."""
        # What reads one database at a time falls where records go, which needs no room.
        self._apart = all(len(one.sides) < 2 for one in form.aggregates)
        if fixed:
            self._name_beside(form, pair, at)
        self._seen: set[tuple[int, int, bool, bool, str]] = set()

    def _name_beside(self, form: BoundForm, pair: Pair, at: GroundCell) -> None:
        """Name cells that differ the other way, in groups that balance, or lean that way.

        For groups of which each is a part of the one before, one cell is enough.
        """
        chains: list[list[_Leaning]] = []
        groups = [*self._balances(form, pair, at), *self._rooms(form, pair, at)]
        for group in sorted(groups, key=lambda one: len(parts_of(*one[0]))):
            parts = set(parts_of(*group[0]))
            coarser = (chain for chain in chains if set(parts_of(*chain[-1][0])) <= parts)
            chain = next(coarser, None)
            if chain is None:
                chains.append([group])
            else:
                chain.append(group)
        for chain in sorted(chains, key=lambda one: -len(parts_of(*one[-1][0]))):
            self._beside.append(self.ledger.differing(chain, pair.old, pair.new, at))

    def _balances(self, form: BoundForm, pair: Pair, at: GroundCell) -> Iterator[_Leaning]:
        """Yield groups with counts that balance, or lean the other way than a cell.

        Differences of counts that are cell by cell that of the sizes are that of the sizes.
        """
        query, ledger, aside = self.query, self.ledger, self.query.beside()
        cell = aside.cell("anywhere")
        here, change = pair.old(cell) - pair.new(cell), pair.size_old - pair.size_new
        counts = {one: ledger.counted(one, pair.old, pair.new) for one in form.aggregates}
        for one, count in counts.items():
            if one.kind != "same":
                continue
            if self.sized and not one.keys:
                query.add(count.groups() == change)
            yield one.keys, count.value
        sums = [one for one in form.aggregates if one.kind == "sum"]
        for both in itertools.combinations(sums, 2):
            first, second = (counts[one] for one in both)
            if aside.check(first.term(cell) - second.term(cell) != here) != logic.unsat:
                continue
            if self.sized:
                query.add(first.value - second.value == change)
            if not self._full and all(len(one.sides) == 2 for one in both):
                less = pair.old(at) < pair.new(at)
                leans = logic.If(less, first.value >= second.value, second.value >= first.value)
                yield (), leans

    def _held(self, key: Term, most: Any) -> dict[CellCount, Counted]:
        """Return what both databases hold in the groups of a limit, which they keep, or fill."""
        if key not in self._groups:
            ledger, ends = self.ledger, [side.start for side in self.sides]
            found = {
                end: Counted(None, end, ledger.group([key], end, "limit")) for end in ends
            }  # fmt: skip
            for side, counted in zip(self.sides, found.values(), strict=True):
                limited = partial(self._limited, counted.groups, most, key, side.size)
                ledger.keys([key]).for_all(limited)
            ledger.relate([key], *found.values())
            self._groups[key] = found
        return self._groups[key]

    def _rooms(self, form: BoundForm, pair: Pair, at: GroundCell) -> Iterator[_Leaning]:
        """Yield the groups of limits in which a cell lies, where a record may make room."""
        for (key, _), most in zip(self.domain.limit_terms, self.most, strict=True):
            finer = self._apart or any(
                one.kind == "same" and set(parts_of(key)) <= set(parts_of(*one.keys))
                for one in form.aggregates
            )  # then what differs the other way in such a group is in that of the limit
            if finer or not self._needs_room(key):
                continue
            held = self._held(key, most)
            here = self.ledger.keys([key]).of(at)
            self.ledger.keys([key]).register(here)
            old, new = (held[end].groups(*here) for end in (pair.old, pair.new))
            less = pair.old(at) < pair.new(at)
            yield [key], logic.If(less, old >= new, new >= old)

    def _limited(self, held: Any, most: Any, of: Term, size: Any, key: GroundCell) -> None:
        full = self._full.get(of)
        self.query.add(
            keeps_limit(held(*key), most) if full is None
            else held(*key) == full.held(self.query, key, size)
        )  # fmt: skip

    def _name_last(self, side: _Side) -> None:
        """Name a record with the largest number in each attribute: there is one, if any."""
        counted = uses_size(*(t for e in self.granularity.edits for t in e.terms))
        for place, (name, sort) in enumerate(self.domain.attribute_sorts.items()):
            if sort == INT:
                last = self._extreme(side.start, place, 1)
                side.last.append(last)
                key = Term("attr", (name, variable("c", CELL)), INT)
                for full in self._full.values():
                    if (end := full.last(self.query, key, side.size)) is not None:
                        self.query.add(logic.Or(side.size <= 0, last[place] == end))
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
        """Rule out an edit that leads nearer in the last model, if there is one.

        Of those that replace a record, one from each of the two databases: both are needed.
        """
        snapshot = Snapshot(self.query, self.ledger.model)
        found: Iterable[_Leading] = (
            t for n, side in enumerate(self.sides) for t in self._leading(n, side, snapshot)
        )
        if not self.granularity.far:
            found = sorted(found, key=lambda one: one.order)
        ruled_out: set[int] = set()
        for one in found:
            side, edit = self.sides[one.number], self.granularity.edits[one.step.edit]
            params = _symbolic(self.query, edit, one.step, *one.names, snapshot)
            backwards, filled = one.step.backwards, one.filled
            instance = (one.number, one.step.edit, backwards, filled, str(params))
            if instance not in self._seen and one.number not in ruled_out:
                self._seen.add(instance)
                self._exclude(side, edit, params, backwards=backwards, filled=filled)
                if self.granularity.far or len(edit.change) < 2:
                    return True
                ruled_out.add(one.number)
        return bool(ruled_out)

    def _leading(self, number: int, side: _Side, snapshot: Snapshot) -> Iterator[_Leading]:
        """Yield the edits that lead from one of the two databases nearer to the other."""
        query = self.query
        present = [
            c for c in query.maybe if logic.is_true(snapshot.model.eval(query.present(c)))
        ]  # fmt: skip
        # A model gives one record several names.  What an edit puts in the place of another record
        # is one beside it; what comes or goes alone does so behind the last one.
        replacing, alone = (
            _names(query, snapshot, [*order, *query.cells, *present])
            for order in ((*self._beside, *side.last), (*side.last, *self._beside))
        )
        ground, _ = replacing
        world = snapshot.world(tuple(ground))
        goal, start = (
            {c: n for c, g in ground.items() if (n := snapshot.integer(d(g)))}
            for d in (side.goal, side.start)
        )
        here = side.form.distance(world, goal, start)
        if isinstance(here, Infinity):
            return
        last = [snapshot.cell(cell) for cell in side.last]
        behind = {*last, *(value for cell in last for value in cell)}
        near = dict(zip(map(snapshot.cell, self._beside[::-1]), itertools.count(), strict=False))
        differing = snapshot.cell(self._beside[0])

        def aside(edit: BoundEdit, step: PathStep) -> bool:
            """Return whether an edit leaves the cell as it is where the two differ in any case."""
            env = world.environment(self.domain, {**dict(step.params), "c": differing})
            return edit.frame is not None and not evaluate(edit.frame, env)

        found = [
            _Leading(
                number, step, filled,
                alone if len(edit.change) == 1 or self.granularity.far else replacing,
                (aside(edit, step), *self._order(edit, step, start, behind, near, filled=filled)),
            )
            for step, filled in self._nearer(side, world, goal, start, here)
            for edit in [self.granularity.edits[step.edit]]
        ]  # fmt: skip
        yield from sorted(found, key=lambda one: one.order)

    def _order(
        self, edit: BoundEdit, step: PathStep, start: Database, last: set[Any],
        near: Mapping[Cell, int], *, filled: bool,
    ) -> tuple[bool, bool, int, bool]:  # fmt: skip
        """Return how late an edit is tried: early what leads nearer in many pairs, not in one.

        Where groups are full, a record comes behind the last one, which has no name; that the last
        one of the other database goes is tried before.  Behind a last record there is nothing that
        moves along.  A record that replaces another one is best one that is known to differ the
        other way, in the same group of a limit.  Where there are limits, that records go comes
        before they become those of the other database: fewer records keep them.
        """
        params = dict(step.params)
        cells = [cell_at(params, point) for point in edit.points]
        return (
            bool(self._full) and len(cells) == 1 and cells[0] not in start,
            bool(last) and not set(params.values()) <= last,
            -min(near.get(cell, -1) for cell in cells) if len(cells) > 1 else 0,
            (bool(last) or self._apart or self.domain.limited) and filled,
        )

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
                fewer = after.keys() <= start.keys()
                of_class = self._class_after(edit, filled=filled, fewer=fewer)
                if not world.contains(after, of_class, world.cells):
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
            if size is not None and filled and self._keeps_size(edit):
                query.add(size == side.size)
            reasons += self._outside(side, edit, after, size, at, filled=filled)
            if edit.frame is not None and filled:
                reasons += self._cut(edit, params)
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
        self, side: _Side, edit: BoundEdit, after: CellCount, size: Any,
        at: Sequence[GroundCell] | None, *, filled: bool,
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
            if self._keeps_groups(edit, key):
                continue  # each group is that of the goal, or that of the start
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

    def _needs_room(self, key: Term) -> bool:
        """Return whether some edit changes a part of the records that share a key.

        Or what is in one group follows from what is in others.
        """
        whole = all(self._keeps_groups(edit, key) for edit in self.granularity.edits)
        return bool(self._full) or not whole

    def _keeps_groups(self, edit: BoundEdit, key: Term) -> bool:
        """Return whether each group of a key is that of the goal, or that of the start."""
        return edit.frame is not None and self._takes_groups(edit, key)

    def _class_after(self, edit: BoundEdit, *, filled: bool, fewer: bool) -> Domain:
        """Return the class in which an edit of a model must end: limits that both ends keep hold.

        The ends of a model need not keep them, where the question leaves them out.  ``fewer``: it
        ends with no other records.
        """
        emptied, domain = edit.frame is not None and not filled, self.domain
        kept = emptied or all(self._keeps_groups(edit, key) for key, _ in domain.limit_terms)
        told = (limit.each for limit in domain.distinct_terms)
        few = emptied or fewer or all(self._keeps_groups(edit, each) for each in told)
        return self._classes[kept, few]

    def _takes_groups(self, edit: BoundEdit, key: Term) -> bool:
        """Return whether the records that share a key are all in the frame of an edit, or none."""
        if (edit, key) not in self._whole_groups:
            query = self.query.beside()
            params = {name: query.fresh(sort, name) for name, sort in edit.params}
            names = [{**params, "c": query.cell("s")} for _ in range(2)]
            inside, outside = (query.read(edit.frame or TRUE, each) for each in names)
            query.add(equal(*(query.read(key, each) for each in names)))
            query.add(inside, logic.Not(outside))
            self._whole_groups[edit, key] = bool(query.check() == logic.unsat)
        return self._whole_groups[edit, key]

    def _keeps_size(self, edit: BoundEdit) -> bool:
        """Return whether any two databases hold the same number of records in a frame.

        They do where groups are full, which keys these are does not depend on the database, and
        the frame is all groups with some numbers in the key.
        """
        shared = _shared(edit)
        if len(shared) < len(conjuncts(edit.frame or TRUE)):
            return False
        return any(
            set(shared.values()) <= set(full.parts)
            and not any(reads_database(*ends) for ends in full.ends)
            for full in self._full.values()
        )

    def _cut(self, edit: BoundEdit, params: Mapping[str, Any]) -> Iterator[Any]:
        """Yield that a frame cuts through records among which distinct values are limited.

        If it does not, those that share a term are as in the goal, or as in the start.
        """
        query, frame = self.query, edit.frame or TRUE
        for limit in self.domain.distinct_terms:
            if self._takes_groups(edit, limit.each):
                continue
            one, other = query.cell("s"), query.cell("s")
            here, there = (query.read(limit.each, {"c": c}) for c in (one, other))
            inside, outside = (query.read(frame, {**params, "c": c}) for c in (one, other))
            yield logic.And(equal(here, there), inside, logic.Not(outside))


def _symbolic(
    query: Query, edit: BoundEdit, step: PathStep, ground: Mapping[Cell, GroundCell],
    terms: Mapping[tuple[str, Any], Any], snapshot: Snapshot,
) -> dict[str, Any]:  # fmt: skip
    """Return the parameters of a concrete edit as solver terms, by name.

    What the records of a frame have in common is that of a record, where one has this value.
    """
    found = {}
    params = dict(step.params)
    shared = _shared(edit)
    for (name, value), (_, sort) in zip(step.params, edit.params, strict=True):
        if sort == CELL:
            found[name] = ground[cell_at(params, name)]
            continue
        own = (query.read(shared[name], {"c": c}) for c in ground.values() if name in shared)
        term = next((t for t in own if snapshot.value(t, sort) == value), None)
        term = terms.get((sort, value)) if term is None else term
        found[name] = snapshot.term(value, sort) if term is None else term
    return found


def _shared(edit: BoundEdit) -> dict[str, Term]:
    """Return what parameters of an edit say of each record in its frame, as terms over ``c``."""
    found = {}
    for part in conjuncts(edit.frame or TRUE):
        if part.op == "eq":
            for one, other in (part.terms, part.terms[::-1]):
                if one.op == "var" and free_variables(other) == {"c"}:
                    found[one.name] = other
    return found


def _names(
    query: Query, snapshot: Snapshot, cells: Sequence[GroundCell]
) -> tuple[dict[Cell, GroundCell], dict[tuple[str, Any], Any]]:
    """Return terms for the records and the values of a model, the first ones that mean them."""
    ground: dict[Cell, GroundCell] = {}
    for cell in cells:
        ground.setdefault(snapshot.cell(cell), cell)
    return ground, _vocabulary(query, snapshot, cells)


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
