"""Is the distance that a block sees at most n?  Paths found in models, refuted by the solver.

The question is whether some neighbours and some block exist for which *no* path of at most n
inner edits leads from f(D) to f(E).  Paths are instances of the inner edits on terms at hand;
there are too many to write down, so they are added when a model shows that they are missing:
solve; look in the model for a path; exclude it; solve again.  Unsat proves the
bound, with the finite list of paths as its witness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, permutations
from typing import Any, Final, Literal

import z3

from dpcomp_sym.model import BoundEdit, BoundGranularity, Universe
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.asking import work_done
from dpcomp_sym.smt.gapless import (
    first_change,
    first_record,
    name_last_records,
    name_record_at,
    numbering,
)
from dpcomp_sym.smt.pair import MOST_PRODUCT, Pair, View, cells_of, fill_product, uses_size
from dpcomp_sym.smt.query import AskedQuestion, GroundCell, Said, ScriptSection, equal
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.smt.spoken import SpokenTerms
from dpcomp_sym.terms import (
    CELL,
    INT,
    TRUE,
    Term,
    conjunction,
    conjuncts,
    reads_database,
    specialised,
    subterms,
)
from dpcomp_sym.terms.evaluate import Value

__all__ = ["SymbolicStep", "ViewDistance"]

MOST_PATHS: Final = 40
MAX_CHOICES: Final = 20_000


@dataclass(frozen=True)
class SymbolicStep:
    """One inner edit of a path, with solver terms as parameters."""

    edit: int
    params: tuple[tuple[str, Any], ...]
    backwards: bool
    emptied: bool = False


def _unsized(edit: BoundEdit) -> BoundEdit:
    """Return an edit without what its guard says of the size."""
    if not uses_size(edit.guard):
        return edit
    return replace(edit, guard=conjunction([g for g in conjuncts(edit.guard) if not uses_size(g)]))


def _read_in_step(edit: BoundEdit) -> Term:
    """Return of which cell a step reads the number: the first one; TRUE if of none."""
    return next((t.terms[0] for t in subterms(edit.step) if t.op == "at"), TRUE)


PathOutcome = Literal["proved", "candidate", "unknown"]


class ViewDistance:
    """The distance between the two databases of a view, in an inner granularity.

    ``reverse`` measures from E to D, which matters for directed granularities only.  After
    ``paths`` paths that were not enough, or ``work`` of the solver, the question stays open.  Paths
    can be said, and shown as they were said, if ``spoken``.
    """

    def __init__(
        self, view: View, granularity: BoundGranularity, *, reverse: bool = False,
        paths: int = MOST_PATHS, work: int | None = None, spoken: bool = False,
    ) -> None:  # fmt: skip
        self.view = view
        self.query = view.query
        self.granularity = granularity
        self.domain = granularity.domain
        self.start, self.goal = (view.new, view.old) if reverse else (view.old, view.new)
        self._reverse = reverse
        self._most = paths
        self._last = None if work is None else work_done(self.query.solver) + work
        # A model has some records of many: what its guards say of the size is left to the solver.
        self._unsized = replace(granularity, edits=tuple(map(_unsized, granularity.edits)))
        self.paths: list[tuple[SymbolicStep, ...]] = []
        self._words = SpokenTerms(view) if spoken else None
        self._seen: set[str] = set()
        self._filled = False
        self._numbered: Term | None = None

    def at_most(self, longest: int, *assumptions: Any) -> PathOutcome:
        """Decide whether the distance is at most ``longest`` (at least 1) for all pairs.

        ``assumptions`` narrow the pairs that are asked about.
        """
        self._same_frame()
        if longest > 1 and self.meets():
            return "proved"
        self._same_move()
        while True:
            answer = self.query.check(*assumptions)
            if answer == z3.unsat:
                return "proved"
            if answer == z3.unknown:
                return "unknown"
            if not self.resist(longest) and not self._more_cells(longest):
                return "candidate"
            if len(self.paths) >= self._most or self._worked():
                return "unknown"

    def _worked(self) -> bool:
        """Return whether the solver has done all the work that it may do."""
        return self._last is not None and work_done(self.query.solver) >= self._last

    # ------------------------------------------------------------- in words

    def said(self) -> list[list[dict[str, Any]]] | None:
        """Return the paths of which each pair has one, in words; None where words are missing."""
        found = [[self._in_words(step) for step in path] for path in self.paths]
        known = [[step for step in path if step is not None] for path in found]
        return known if known == found else None

    def _in_words(self, step: SymbolicStep) -> dict[str, Any] | None:
        sorts = dict(self.granularity.edits[step.edit].params)
        words = self._words
        named = {n: words.words(v, sorts[n]) for n, v in step.params} if words is not None else {}
        if words is None or None in named.values():
            return None
        edit, ways = step.edit + 1, {"backwards": step.backwards, "emptied": step.emptied}
        return {"edit": edit, "with": named, **{way: True for way, is_so in ways.items() if is_so}}

    def holds_by(self, paths: Any, longest: int) -> bool:
        """Show that each pair has one of these paths, and that none is longer.

        Raises:
            LookupError, TypeError, ValueError: they are not written as paths are.
        """
        for path in paths:
            if not 1 <= len(path) <= longest:
                return False
            self._exclude(tuple(map(self._from_words, path)))
        return bool(self.query.check() == z3.unsat)

    def _from_words(self, said: Mapping[str, Any]) -> SymbolicStep:
        number, named = said["edit"], said["with"]
        if self._words is None or type(number) is not int or number < 1:
            raise ValueError("no step")
        edit = self.granularity.edits[number - 1]
        backwards, emptied = (said.get(way, False) is True for way in ("backwards", "emptied"))
        if list(named) != [n for n, _ in edit.params] or (backwards and self.granularity.directed):
            raise ValueError("no step of these edits")
        params = tuple((n, self._words.value(named[n], sort)) for n, sort in edit.params)
        return SymbolicStep(number - 1, params, backwards, emptied)

    # ------------------------------------------------------------- at hand

    def _same_frame(self) -> None:
        """Rule out first that what a block sees of a frame is the frame again, where it may be.

        A model may give its parameters values that others have, too, and so hide it.
        """
        edit = self.view.pair.edit
        plain = edit.frame is not None and all(sort != CELL for _, sort in edit.params)
        if self.paths or not plain or self.view.mapping.image is not None:
            return
        if self._reverse and self.granularity.directed:
            return  # its edits lead from D to E, and none of them backwards
        params = tuple((name, self.view.pair.params[name]) for name, _ in edit.params)
        for number, inner in enumerate(self.granularity.edits):
            if inner == edit:
                self._exclude((SymbolicStep(number, params, self._reverse),))

    def _same_move(self) -> None:
        """Rule out first that records which move along do so in the block, too, from one record on.

        That is the record that the edit names, or the first one of the block afterwards: it came
        from outside, and none that the edit names is it.
        """
        pair, edit, key = self.view.pair, self.view.pair.edit, self._place_moved()
        if self.paths or key is None or self._loses(edit):
            return
        self._numbered = key
        name_last_records(pair, key)
        ((name, _),) = edit.params
        for cell in (pair.params[name], first_record(self.view, key, new=True)):
            step = SymbolicStep(
                self.granularity.edits.index(edit), ((name, cell),), backwards=False
            )
            self._exclude((step,))

    def _place_moved(self) -> Term | None:
        """Return the numbers of a list whose records move along, by an edit that parts have, too.

        The edit names one record.
        """
        edit = self.view.pair.edit
        named = [sort for _, sort in edit.params] == [CELL] and self.view.mapping.image is None
        if self._reverse or not named or not reads_database(edit.step):
            return None
        return numbering(self.view.pair) if edit in self.granularity.edits else None

    def meets(self) -> bool:
        """Prove a distance of at most 2: an edit leads from both sides to one database.

        So it is if no block has what a record of it is moved to: with the first record that changes
        inserted, nothing is left after it, whatever was there.  Then it does not matter what else a
        block holds.
        """
        key, edit = self._place_moved(), self.view.pair.edit
        if key is None or self.granularity.directed or not self._loses(edit):
            return False
        question = ("meets", edit, self.granularity, len(self.view.index))
        met = partial(self._meet_anyhow, key, _read_in_step(edit))
        for proof in (found := self.query.signature.once(question, met) or ()):
            self.query.impossible = proof
        return bool(found)

    def _meet_anyhow(self, key: Term, read: Term) -> tuple[AskedQuestion, ...]:
        """Prove it of blocks that hold any records, but none with what it is moved to."""
        mapping, edit = self.view.mapping, self.view.pair.edit
        pair = Pair(self.query.beside(), edit, self.view.pair.maps)
        pair.leave_open(mapping)
        view = pair.view(mapping, pair.index(mapping))
        view.changed()

        def lost(cell: GroundCell) -> list[Said]:
            moved = pair.query.read(read, {**pair.params, "c": cell})
            both = logic.And(view.member(cell), view.member(moved))
            return [Said(logic.Not(both), ScriptSection.VIEW)]

        pair.query.for_all_cells(lost)
        ((name, _),) = edit.params
        other = ViewDistance(view, self.granularity)
        step = SymbolicStep(
            self.granularity.edits.index(edit), ((name, first_change(view, key)),), backwards=False
        )
        works = other._works((step, replace(step, backwards=True)))
        met = pair.query.check(logic.Not(works)) == z3.unsat
        return (pair.query.impossible,) if met else ()

    def _loses(self, edit: BoundEdit) -> bool:
        """Prove that no block holds both a cell of a frame and the one that is read for it."""
        view, query = self.view, self.query.beside()
        read = _read_in_step(edit)
        if read.op != "tuple":
            return False
        cell = query.cell("z")
        names = {"c": cell, edit.params[0][0]: query.cell("x")}
        mapping = view.mapping
        index = {name: query.fresh(INT, name) for name, _ in mapping.indices}
        known = zip((name for name, _ in mapping.indices), view.index, strict=True)
        numbers = tuple((n, int(str(i))) for n, i in known if logic.is_number(i))
        member = specialised(mapping.member, numbers) if numbers else mapping.member
        inside = [query.read(member, {"c": c, **index}) for c in (cell, query.read(read, names))]
        return bool(query.check(*inside) == z3.unsat)

    def _exclude(self, path: tuple[SymbolicStep, ...]) -> None:
        self.paths.append(path)
        self.query.add(logic.Not(self._works(path)))

    def _more_cells(self, longest: int) -> bool:
        """Name, once, cells of a product that a path may need: between others, or landed on.

        Where there are but few cells, all of them are named.
        """
        if self._filled or self.query.domain.universe is not Universe.PRODUCT:
            return False
        sorts = self.query.domain.attribute_sorts.values()
        moves = any(reads_database(e.step) for e in self.granularity.edits)
        between = longest > 1 and INT in sorts and not moves
        few = longest > 1 and cells_of(self.query.domain) <= MOST_PRODUCT
        self._filled = moves or between or few
        if moves or few:
            fill_product(self.view.pair)
        for cell in list(self.query.cells) if between else ():
            for n, sort in enumerate(sorts):
                for step in (1, -1) if sort == INT else ():
                    beside = logic.plus(cell[n], step)
                    self.query.possible((*cell[:n], beside, *cell[n + 1 :]))
        return self._filled

    def resist(self, longest: int) -> bool:
        """Rule out a path of the last model, if it has one; return whether it had."""
        found = self._path_in_model(longest)
        if found is None:
            return False
        self._exclude(found)
        return True

    # ------------------------------------------------------------- in the model

    def _path_in_model(self, longest: int) -> tuple[SymbolicStep, ...] | None:
        snapshot = Snapshot(self.query, self.query.model())
        sorts = tuple(self.domain.attribute_sorts.values())
        ground: dict[Any, GroundCell] = {}
        start: dict[Any, int] = {}
        goal: dict[Any, int] = {}
        for cell in self.view.cells:
            if not logic.is_true(logic.evaluated(self.query.model(), self.view.held(cell))):
                continue  # in another block, or not in X
            value = snapshot.cell(cell, sorts)
            if value in ground:
                continue
            ground[value] = cell
            start[value] = snapshot.integer(self.start(cell))
            goal[value] = snapshot.integer(self.goal(cell))
        terms = self._vocabulary(snapshot)
        measured = self._measured(terms, snapshot)
        world = snapshot.world(tuple(ground))
        size = max((len(e.params) for e in self.granularity.edits), default=0)
        if max(len(ground), 1) ** size > MAX_CHOICES:
            return None
        start = {c: n for c, n in start.items() if n}
        goal = {c: n for c, n in goal.items() if n}
        relaxed = self.domain.without_sizes()
        index = [snapshot.integer(i) for i in self.view.index]
        inner = self.view.mapping.within(self.granularity, index)
        steps = world.path(inner, start, goal, longest, tuple(ground), relaxed)
        if steps is None and self._unsized != self.granularity:
            unsized = replace(inner, edits=self._unsized.edits)
            steps = world.path(unsized, start, goal, longest, tuple(ground), relaxed)
        if not steps:
            return None
        found = tuple(
            SymbolicStep(
                step.edit,
                tuple(
                    (
                        name,
                        measured[step.edit, name, value]
                        if (step.edit, name, value) in measured
                        else self._symbolic(value, sort, ground, terms, snapshot),
                    )
                    for (name, value), (_, sort) in zip(
                        step.params, self.granularity.edits[step.edit].params, strict=True
                    )
                ),
                step.backwards,
                step.emptied,
            )
            for step in steps
        )
        # Equal values are another path where they are other terms.  One that was ruled out, and is
        # found again, left the class on its way: its steps may keep to it in another order.
        for ordered in islice(permutations(found), MOST_PATHS):
            key = str(ordered)
            if key not in self._seen:
                self._seen.add(key)
                return ordered
        return None

    def _vocabulary(self, snapshot: Snapshot) -> dict[tuple[str, Value], Any]:
        """Return a solver term for each value that occurs, by sort and value."""
        found: dict[tuple[str, Value], Any] = {}

        def note(term: Any, sort: str) -> None:
            found.setdefault((sort, snapshot.value(term, sort)), term)

        pair = self.view.pair
        for name, sort in pair.edit.params:
            if sort != CELL:
                note(pair.params[name], sort)
        for cells, kinds in (
            (self.view.cells, tuple(self.domain.attribute_sorts.values())),
            (self.query.cells, tuple(self.query.domain.attribute_sorts.values())),
        ):
            for cell in cells:
                for term, sort in zip(cell, kinds, strict=True):
                    note(term, sort)
        signature = self.query.signature
        for name, (arguments, result) in signature.signatures.items():
            if len(arguments) == 1 and arguments[0] == CELL:
                for cell in self.query.cells:
                    note(signature.apply(name, [cell]), result)
        for _ in range(2):  # functions of functions, such as house(owner(c))
            for name, (arguments, result) in signature.signatures.items():
                if len(arguments) == 1 and arguments[0] != CELL:
                    known = [t for (s, _v), t in list(found.items()) if s == arguments[0]]
                    for term in known:
                        note(signature.apply(name, [term]), result)
        for symbol in self.query.symbols.values():
            note(symbol, INT)
        return found

    def _measured(
        self, terms: Mapping[tuple[str, Value], Any], snapshot: Snapshot
    ) -> dict[tuple[int, str, Value], Any]:
        """Return terms for the values of parameters that say where numbers of a cell lie.

        The week of a day is no term at hand where a frame has the days of a week.
        """
        found: dict[tuple[int, str, Value], Any] = {}
        read, positions = self.query.read, self.view.positions
        for place, edit in enumerate(self.granularity.edits):
            own = [read(t, {"c": c}, {}, positions) for t in edit.measured for c in self.view.cells]
            numbers = [*own, *(term for (sort, _), term in terms.items() if sort == INT)]
            for name, factors in edit.multiples.items():
                scaled = [n / read(by) for by in factors for n in numbers]
                for term in scaled if factors else own:
                    found.setdefault((place, name, snapshot.value(term, INT)), term)
        return found

    def _symbolic(
        self, value: Value, sort: str, ground: Mapping[Any, GroundCell],
        terms: Mapping[tuple[str, Value], Any], snapshot: Snapshot,
    ) -> Any:  # fmt: skip
        if sort == CELL:
            return ground[value]
        if (sort, value) in terms:
            return terms[sort, value]
        if sort == INT and isinstance(
            value, int
        ):  # near a term in sight, if any: a window may start one earlier
            for shift in (-1, 1):
                near = terms.get((INT, value - shift))
                if near is not None:
                    return near + shift
        return snapshot.term(value, sort)

    # ------------------------------------------------------------- as a formula

    def _works(self, path: Sequence[SymbolicStep]) -> Any:
        """Return the formula: this path leads from the start to the goal, inside the class."""
        read = self.query.read
        positions = self.view.positions
        edits = [self.granularity.edits[s.edit] for s in path]
        touched = list(self.view.touched_points())
        conditions: list[Any] = []
        for step, edit in zip(path, edits, strict=True):
            params = dict(step.params)
            for name, sort in edit.params:
                if sort == CELL:
                    conditions.append(self.view.held(params[name]))
                    touched.append(params[name])
        if self.view.pair.edit.frame is not None or any(e.frame is not None for e in edits):
            # "On all cells": one new cell of the block, on which the negation may fail.
            touched.append(self._anywhere())
        begin, end = self.view.sizes() if self._sizes_matter(edits) else (None, None)
        if self._reverse:
            begin, end = end, begin

        before, size = self.start, begin
        for number, (step, edit) in enumerate(zip(path, edits, strict=True)):
            params = dict(step.params)
            last = number == len(path) - 1
            if last:
                after, after_size = self.goal, end
            else:
                after, after_size = self._after(step, edit, params, before, size)
                conditions += self._inside(after, after_size, touched)
            source, source_size = (after, after_size) if step.backwards else (before, size)
            target = before if step.backwards else after
            databases = {"D": (source, lambda n=source_size: n)}
            conditions.append(read(edit.guard, params, databases, positions))
            for cell in touched:
                conditions.append(self._pointwise(edit, params, databases, source, target, cell))
            before, size = after, after_size
        return logic.And(*conditions)

    def _anywhere(self) -> GroundCell:
        """Return a new cell of the block's domain, about which nothing more is known."""
        if self.view.mapping.image is not None:
            return self.view.cell("any")
        cell = self.query.cell("any")
        # Outside the block both databases are empty and no inner edit acts.
        self.query.add(self.view.member(cell))
        if self._numbered is not None:
            number = self.query.read(self._numbered, {"c": cell})
            name_record_at(self.view.pair, self._numbered, number, new=True)
        return cell

    def _pointwise(
        self, edit: BoundEdit, params: Mapping[str, Any], databases: Mapping[str, Any],
        source: Any, target: Any, cell: GroundCell,
    ) -> Any:  # fmt: skip
        read, positions = self.query.read, self.view.positions
        if edit.frame is None:
            value = source(cell)
            for point, delta in edit.change:
                added = read(delta, params, databases, positions)
                value = value + logic.If(equal(cell, params[point]), added, 0)
            return value == target(cell)
        here = {**params, "c": cell}
        step = {**here, "old": source(cell), "new": target(cell)}
        inside = logic.If(
            read(edit.frame, here, {}, positions),
            read(edit.step, step, databases, positions),
            source(cell) == target(cell),
        )
        return logic.Implies(self.view.member(cell), inside)

    def _after(
        self, step: SymbolicStep, edit: BoundEdit, params: Mapping[str, Any], before: Any,
        size: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Return the database after an inner step of the path, as a function of the cell."""
        read, positions = self.query.read, self.view.positions
        frame = edit.frame
        becomes = edit.written
        if frame is not None and becomes is not None and not step.backwards:
            databases = {"D": (before, lambda: size)}

            def written(cell: GroundCell) -> Any:
                inside = read(frame, {**params, "c": cell}, {}, positions)
                value = read(becomes, {**params, "c": cell}, databases, positions)
                return logic.If(inside, value, before(cell))

            return written, self.query.fresh(INT, "between") if size is not None else None
        if frame is not None:
            goal = self.goal

            def set_to(cell: GroundCell) -> Any:
                inside = read(frame, {**params, "c": cell}, {}, positions)
                return logic.If(inside, 0 if step.emptied else goal(cell), before(cell))

            # The size after a frame is not tracked: such a path is not used where it matters.
            return set_to, self.query.fresh(INT, "between") if size is not None else None
        databases = {"D": (before, lambda: size)}
        sign = -1 if step.backwards else 1
        deltas = [
            (params[point], sign * read(delta, params, databases, positions))
            for point, delta in edit.change
        ]

        def moved(cell: GroundCell) -> Any:
            value = before(cell)
            for point, delta in deltas:
                value = value + logic.If(equal(cell, point), delta, 0)
            return value

        total = None if size is None else size + sum((d for _, d in deltas), logic.IntVal(0))
        return moved, total

    def _inside(self, between: Any, size: Any, touched: Sequence[GroundCell]) -> list[Any]:
        """Return sufficient conditions for a database on the way to be in the class."""
        found = []
        for cell in touched:
            value = between(cell)
            found.append(value >= 0)
            if self.domain.cap is not None:
                found.append(value <= self.domain.cap)
        if self.domain.limited:
            # Limits are inherited by smaller databases, and both ends satisfy them.
            # "Everywhere" stands twice under the "or", so each side has a cell of its own.
            frames = self.view.pair.edit.frame is not None or any(
                e.frame is not None for e in self.granularity.edits
            )
            below = []
            for side in (self.start, self.goal):
                cells = [*touched, self._anywhere()] if frames else touched
                below.append(logic.And(*[between(c) <= side(c) for c in cells]))
            found.append(logic.Or(*below))
        found += [
            self.query.read(term, {}, {"D": (between, lambda: size)})
            for term in self.domain.size_terms
        ]
        if self.domain.facts:
            databases = {"D": (between, lambda: size)}
            for cell in (*touched, self._anywhere()):
                facts = [self.query.read(f, {"c": cell}, databases) for f in self.domain.fact_terms]
                found.append(logic.Implies(self.query.present(cell), logic.And(*facts)))
        return found

    def _sizes_matter(self, edits: Sequence[BoundEdit]) -> bool:
        facts = self.domain.fact_terms
        return bool(self.domain.size) or any(uses_size(*e.terms, *facts) for e in edits)
