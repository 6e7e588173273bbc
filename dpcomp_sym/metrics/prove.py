"""Proofs that a closed form is the canonical metric of a granularity.

The canonical metric counts the edits of a shortest path inside the class.  A form m with values
in {0, 1, …, ∞} is that metric iff

* *zero*: m(D, E) = 0 iff D = E;
* *steps*: no edit from E to F changes m(D, ·) by more than one, nor between finite and infinite;
* *descent*: for D ≠ E with m(D, E) finite, some edit inside the class leads from E to an F with
  m(D, F) < m(D, E), or from D to an F with m(F, E) < m(D, E).

By induction along a path steps, with m(D, D) = 0, give m <= d; descent, with m >= 1 for D ≠ E,
gives d <= m.  So each half alone proves a bound.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, Final

from dpcomp_sym.engine.verdict import Script
from dpcomp_sym.finite import Cell, Database, PathStep, World
from dpcomp_sym.finite.world import cell_at
from dpcomp_sym.metrics.counting_terms import BoundForm
from dpcomp_sym.metrics.shifts import Moves
from dpcomp_sym.metrics.totals import EDIT, PAIR, CellCount, Counted, Ledger, Nearby
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.profile import Infinity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import CELL, INT, TRUE, Term, reads_database, variable
from dpcomp_sym.terms.term import integer

__all__ = ["Obligations", "Room", "capacities", "most_between_neighbours", "never_larger"]

MOST_EDITS: Final = 10
RESOURCES: Final = 500_000
FAR: Final = 2_000_000
"""The resources where an edit looks from one cell at another, or at the size."""
HELD: Final = Term("at", ("E", variable("c", CELL)), INT)
ONE: Final = integer(1)
MOST_WIDTH: Final = 8
MOST_SUMS: Final = 3
ANY_PAIR: Final = BoundEdit((), TRUE, (), TRUE, TRUE)
"""Two arbitrary databases of the class."""


@dataclass
class Obligations:
    """What makes a closed form the canonical metric of a granularity, proved one by one.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> unbounded = library_granularity("unbounded").bind(domain)
    >>> good = Obligations(unbounded, ClosedForm("sum(abs(D[c] - E[c]))").bind(domain))
    >>> good.exact(), good.lower(), good.upper()
    (True, True, True)
    >>> bad = Obligations(unbounded, ClosedForm("2*sum(abs(D[c] - E[c]))").bind(domain))
    >>> bad.exact(), bad.lower(), bad.upper()
    (False, False, True)
    """

    granularity: BoundGranularity
    form: BoundForm
    scripts: list[Script] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare sorts and functions."""
        domain = self.granularity.domain
        self.signature = Signature(domain, domain.signatures)
        self._known: dict[str, bool] = {}

    @property
    def domain(self) -> Domain:
        """The class of databases."""
        return self.granularity.domain

    @property
    def sized(self) -> bool:
        """Whether sizes matter: the class or an edit speaks of them."""
        domain = self.domain
        return bool(domain.size) or any(
            uses_size(*e.terms, *domain.fact_terms) for e in self.granularity.edits
        )

    def exact(self) -> bool:
        """Prove that the form is the canonical metric."""
        return self.lower() and self.upper()

    def lower(self) -> bool:
        """Prove that the form is nowhere larger than the canonical metric."""
        return (
            self._once("local", self._local)
            and self._once("nothing", self._zero_where_equal)
            and self._once("steps", self._steps)
        )

    def upper(self) -> bool:
        """Prove that the form is nowhere smaller than the canonical metric."""
        return (
            self._once("local", self._local)
            and self._once("positive", self._positive_where_different)
            and self._once("descent", self._descent)
        )

    def _once(self, name: str, prove: Callable[[], bool]) -> bool:
        if name not in self._known:
            self._known[name] = prove()
        return self._known[name]

    def _query(self, resources: int = RESOURCES) -> tuple[Query, Ledger]:
        query = Query(self.signature, self.domain.symbol_terms, resources)
        return query, Ledger(query)

    def _unsat(self, ledger: Ledger) -> bool:
        if ledger.check() != logic.unsat:
            return False
        self.scripts.append(ledger.query.script)
        return True

    # ------------------------------------------------------------- the form itself

    def _local(self) -> bool:
        """Cells that hold nothing count for nothing, so that the counts are finite."""
        if not self.form.separable:
            return False
        query, _ = self._query()
        cell = query.cell("z")
        sorts = [self.signature.sort(s) for s in self.domain.attribute_sorts.values()]
        held = {n: logic.SolverFunction(logic.path("db", n), *sorts, logic.IntSort()) for n in "DE"}
        empty = {name: (partial(_elsewhere, cell, at), None) for name, at in held.items()}
        counted = [
            query.read(t, {"c": cell}, empty) != 0
            if one.kind == "sum"
            else query.read(t, {"c": cell}, empty)
            for one in self.form.aggregates
            for t in one.conditions
        ]
        query.add(logic.Or(*counted) if counted else logic.BoolVal(False))
        return bool(query.check() == logic.unsat)

    def _zero_where_equal(self) -> bool:
        query, ledger = self._query()
        pair = Pair(query, ANY_PAIR, ())
        whole = pair.old
        self.sizes(ledger, pair)
        finite, value = ledger.read(self.form, whole, whole)
        query.add(logic.Or(logic.Not(finite), value != 0))
        return self._unsat(ledger)

    def _positive_where_different(self) -> bool:
        query, ledger = self._query()
        pair = Pair(query, ANY_PAIR, ())
        self.sizes(ledger, pair)
        cell = query.cell("z")
        query.add(pair.old(cell) != pair.new(cell))
        finite, value = ledger.read(self.form, pair.old, pair.new)
        query.add(finite, value <= 0)
        return self._unsat(ledger)

    def sizes(self, ledger: Ledger, pair: Pair, moves: Moves | None = None) -> None:
        """Say what the sizes are, where the question is about them."""
        if self.sized:
            ledger.size(pair.old, pair.size_old)
            ledger.size(pair.new, pair.size_new)
            change = pair.size_new - pair.size_old
            differs = None if moves is None else moves.change(HELD)
            if differs is not None:
                ledger.note(change, differs, rank=EDIT, moved=True)
            else:
                rank = PAIR if pair.edit is ANY_PAIR else EDIT
                ledger.note(change, lambda c: pair.new(c) - pair.old(c), rank=rank)

    # ------------------------------------------------------------- steps

    def _steps(self) -> bool:
        return all(self._step(edit) for edit in self.granularity.edits)

    def _step(self, edit: BoundEdit) -> bool:
        query, ledger = self._query()
        pair = Pair(query, edit, ())
        first, second = pair.old, pair.new
        moves = None if Moves.offsets(pair) is None else Moves(pair)
        self.sizes(ledger, pair, moves)
        fixed = self._member(ledger)
        before, low = ledger.read(self.form, fixed, first)
        at = pair.points if edit.frame is None else None
        beside = Nearby(first, at, None if moves is None else moves.change)
        after, high = ledger.read(self.form, fixed, second, beside)
        query.add(
            logic.Or(
                before != after,
                logic.And(before, logic.Or(high - low > 1, low - high > 1)),
            )
        )
        return self._unsat(ledger)

    def _member(self, ledger: Ledger) -> CellCount:
        """Return one more database of the class."""
        query, domain = ledger.query, self.domain
        sorts = [self.signature.sort(s) for s in domain.attribute_sorts.values()]
        function = logic.SolverFunction(query.new("db", "M"), *sorts, logic.IntSort())

        def held(cell: GroundCell) -> Any:
            return function(*cell)

        size = ledger.size(held).value if self.sized else None
        databases = {"D": (held, lambda: size)}

        def facts(cell: GroundCell) -> list[Any]:
            most = [] if domain.cap is None else [held(cell) <= domain.cap]
            told = [query.read(t, {"c": cell}, databases) for t in domain.fact_terms]
            return [held(cell) >= 0, *most, *told]

        query.for_all_cells(facts)
        query.for_all_others(lambda cell: [held(cell) == 0])
        for key, bound in domain.limit_terms:
            query.at_check(partial(self._limit, query, held, key, bound))
        query.add(*[query.read(term, {}, databases) for term in domain.size_terms])
        return held

    @staticmethod
    def _limit(query: Query, held: CellCount, key: Term, bound: Term) -> list[Any]:
        cells = [*query.cells, *query.maybe]
        keys = [query.read(key, {"c": c}) for c in cells]
        place = dict(zip(map(id, cells), keys, strict=True))
        found = []
        for here in keys:

            def counted(cell: GroundCell, here: Any = here) -> Any:
                return logic.If(equal(place[id(cell)], here), held(cell), 0)

            found.append(_within(query.distinct_sum(counted), query.read(bound)))
        return found

    # ------------------------------------------------------------- descent

    def _descent(self) -> bool:
        far = self.granularity.far or uses_size(
            *(t for e in self.granularity.edits for t in e.terms)
        )
        query, ledger = self._query(FAR if far else RESOURCES)
        pair = Pair(query, ANY_PAIR, ())
        cell = query.cell("z")
        query.add(pair.old(cell) != pair.new(cell))
        descent = _Descent(self, ledger, pair)
        for _ in range(MOST_EDITS):
            answer = ledger.check()
            if answer == logic.unsat:
                self.scripts.append(query.script)
                return True
            if answer != logic.sat or not descent.resist():
                return False
        return False


@dataclass(frozen=True)
class _Side:
    """One of two databases, as the one that an edit leads nearer to the other."""

    start: CellCount
    goal: CellCount
    form: BoundForm
    """The form of (goal, start)."""
    size: Any
    last: list[GroundCell] = field(default_factory=list)
    """Records of start, if there are any, with the largest number in some attribute."""


class _Descent:
    """The question whether from some pair no edit leads nearer, edit by edit.

    The edit may start from either of the two databases.
    """

    def __init__(self, obligations: Obligations, ledger: Ledger, pair: Pair) -> None:
        form, goal, start = obligations.form, pair.old, pair.new
        self.granularity = obligations.granularity
        self.domain = obligations.domain
        self.ledger, self.query = ledger, ledger.query
        self.sized = obligations.sized
        obligations.sizes(ledger, pair)
        finite, self.value = ledger.read(form, goal, start)
        self.query.add(finite, self.value >= 1)
        self.most = [self.query.read(bound) for _, bound in self.domain.limit_terms]
        self._groups: dict[Term, dict[CellCount, Counted]] = {}
        self.sides = (
            _Side(start, goal, form, pair.size_new),
            _Side(goal, start, ledger.mirror(form, goal, start), pair.size_old),
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
        self.query.add(_within(held(*key), most))

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

            def after(cell: GroundCell) -> Any:
                value = start(cell)
                for point, delta in deltas:
                    value = value + logic.If(query.equal(cell, point), delta, 0)
                return value

        else:
            frame = edit.frame

            def after(cell: GroundCell) -> Any:
                held = goal(cell) if filled else logic.IntVal(0)
                return logic.If(read(frame, {**params, "c": cell}), held, start(cell))

        at = [point for point, _ in deltas] if edit.frame is None else None
        before = Counted(side.size, start, at=at)
        size = ledger.size(after, beside=before).value if self.sized else None
        source, source_size = (after, size) if backwards else (start, side.size)
        databases = {"D": (source, lambda: source_size)}
        reasons = [
            logic.Not(read(edit.guard, params, databases)),
            *self._outside(side, after, size, at, filled=filled),
        ]
        if edit.frame is not None and edit.step != TRUE:
            cell = query.cell("s")
            old, new = (after, start) if backwards else (start, after)
            names = {**params, "c": cell}
            step = read(edit.step, {**names, "old": old(cell), "new": new(cell)}, databases)
            reasons.append(logic.And(read(edit.frame, names), logic.Not(step)))
        finite, value = ledger.read(side.form, goal, after, Nearby(start, at))
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
            reasons.append(logic.Not(_within(held(*ledger.keys([key]).fresh()), most)))
        databases = {"D": (after, lambda: size)}
        reasons += [logic.Not(query.read(t, {}, databases)) for t in self.domain.size_terms]
        if self.domain.fact_terms:
            here = {"c": query.cell("s")}
            reasons += [logic.Not(query.read(t, here, databases)) for t in self.domain.fact_terms]
        return reasons


def _elsewhere(empty: GroundCell, database: Any, cell: GroundCell) -> Any:
    """Return what a database holds that holds nothing in one cell, and anything in others."""
    return logic.If(equal(cell, empty), 0, database(*cell))


def _within(held: Any, most: Any) -> Any:
    """Say that a group keeps its limit; a group without records does."""
    return logic.Or(held <= most, held == 0)


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


def most_between_neighbours(
    granularity: BoundGranularity, edit: BoundEdit, form: BoundForm, most: int | Term
) -> bool:
    """Prove that a form is at most so large between databases that an edit links.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> bounded = library_granularity("bounded").bind(domain)
    >>> form = ClosedForm("sum(abs(D[c] - E[c]))").bind(domain)
    >>> [most_between_neighbours(bounded, bounded.edits[0], form, n) for n in (1, 2)]
    [False, True]
    """
    domain = granularity.domain
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    ledger = Ledger(query)
    pair = Pair(query, edit, ())
    if domain.size or uses_size(*edit.terms, *domain.fact_terms):
        ledger.size(pair.old, pair.size_old)
        ledger.size(pair.new, pair.size_new)
    # E beside D: the form is 0 of equal databases, and an edit with points changes little.
    finite, value = ledger.read(form, pair.old, pair.new)
    _limited(ledger, pair, form)
    bound = most if isinstance(most, int) else query.read(most)
    query.add(logic.Or(logic.Not(finite), value > bound))
    return bool(ledger.check() == logic.unsat)


@dataclass(frozen=True)
class Room:
    """How many records there can be in a frame: at most ``most`` in each of ``width`` groups."""

    most: Term
    widths: tuple[tuple[Term, Term], ...]
    """The parts of the key that take several values there, with how many."""

    @property
    def size(self) -> Term:
        """The number of records."""
        factors = [t for t in (self.most, *(w for _, w in self.widths)) if t != ONE]
        return reduce(lambda a, b: Term("mul", (a, b), INT), factors or [ONE])


def capacities(domain: Domain, edit: BoundEdit) -> list[Room]:
    """Return how many records there can be in the frame of an edit, for each limit that says it.

    A limit holds in each group.  There is one group in the frame if all its cells have the same
    key, and there are w times as many if a number of the key takes at most w values there.

    >>> from dpcomp_sym.model import library_granularity
    >>> from dpcomp_sym.terms import to_text
    >>> signs = {"w": "w >= 1", "m": "m >= 1"}
    >>> domain = Domain({"id": "R", "day": "int"}, symbols=signs, limits=[("day(c)", "m")])
    >>> days = library_granularity("w_event", time="day", length="w").bind(domain)
    >>> [to_text(room.size) for room in capacities(domain, days.edits[0])]
    ['m*w']
    """
    found = []
    for key, most in domain.limit_terms:
        parts = key.terms if key.op == "tuple" else (key,)
        widths = [(part, _width(domain, edit, part)) for part in parts]
        known = tuple((part, width) for part, width in widths if width is not None)
        if len(known) == len(widths):
            found.append(Room(most, tuple((p, w) for p, w in known if w != ONE)))
    return found


def _width(domain: Domain, edit: BoundEdit, part: Term) -> Term | None:
    """Return how many values a term takes in the frame of an edit, if it is found."""
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    params = {name: query.fresh(sort, name) for name, sort in edit.params}
    cells = query.cell("a"), query.cell("b")
    query.add(*[query.read(edit.frame or TRUE, {**params, "c": c}) for c in cells])
    first, second = (query.read(part, {"c": c}) for c in cells)
    if query.check(logic.Not(equal(first, second))) == logic.unsat:
        return ONE
    if part.sort != INT:
        return None
    symbols = [variable(name, INT) for name in sorted(domain.symbols)]
    numbers = [integer(n) for n in range(2, MOST_WIDTH + 1)]
    around = [Term("sub", (s, ONE), INT) for s in symbols], symbols, [
        Term("add", (s, integer(n)), INT) for n in (1, 2) for s in symbols
    ]  # fmt: skip
    for width in (*numbers, *itertools.chain(*around)):
        if query.check(first - second >= query.read(width)) == logic.unsat:
            return width
    return None


def never_larger(small: BoundForm, large: BoundForm) -> bool:
    """Prove that one form is at most another one for all databases of their class.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> domain = Domain({"id": "Record"})
    >>> texts = "abs(size(D) - size(E))", "sum(abs(D[c] - E[c]))"
    >>> size, change = (ClosedForm(text).bind(domain) for text in texts)
    >>> never_larger(size, change), never_larger(change, size)
    (True, False)
    """
    domain = small.domain
    if not (small.separable and large.separable):
        return False
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms, RESOURCES)
    ledger = Ledger(query)
    pair = Pair(query, ANY_PAIR, ())
    (defined, low), (finite, high) = (ledger.read(f, pair.old, pair.new) for f in (small, large))
    counts = [
        ledger.counted(one, pair.old, pair.new)
        for one in (*small.aggregates, *large.aggregates)
        if one.kind == "sum"
    ]
    ledger.combine(list({id(c): c for c in counts}.values())[:MOST_SUMS])
    query.add(finite, logic.Or(logic.Not(defined), low > high))
    return bool(ledger.check() == logic.unsat)


def _limited(ledger: Ledger, pair: Pair, form: BoundForm) -> None:
    """Compare the sums of a form with how many records there can be in the frame, or in all.

    If the cells of the frame lie in few groups with a limit, a term that is at most what D, or E,
    or both hold there adds up to at most what they hold in the groups; so it does with all records.
    Where the frame has no cell, D is E, at which the form is 0; so one cell of it is named.
    """
    query, frame, domain = ledger.query, pair.edit.frame, pair.domain
    if frame is None or not (domain.limits or domain.size):
        return
    first, anywhere = query.cell("z"), query.cell("any")
    query.add(query.read(frame, {**pair.params, "c": first}))
    sides = (pair.old, pair.new)
    groups = []
    if domain.size:
        sizes = (pair.size_old, pair.size_new)
        groups.append([(n, side(anywhere)) for n, side in zip(sizes, sides, strict=True)])
        for one in form.aggregates:
            if one.kind == "same" and not one.keys:
                balance = ledger.counted(one, pair.old, pair.new).groups()
                query.add(balance == pair.size_old - pair.size_new)
    for room in capacities(domain, pair.edit):
        held = [query.fresh(INT, "held") for _ in sides]
        query.add(*[n >= 0 for n in held], *[_within(n, query.read(room.size)) for n in held])
        inside = query.read(frame, {**pair.params, "c": anywhere})
        groups.append([
            (n, logic.If(inside, side(anywhere), 0)) for n, side in zip(held, sides, strict=True)
        ])  # fmt: skip
    for group, one in itertools.product(groups, form.aggregates):
        if one.kind != "sum":
            continue
        count = ledger.counted(one, pair.old, pair.new)
        for chosen in (group[:1], group[1:], group):
            least = sum((term for _, term in chosen), logic.IntVal(0))
            if query.check(count.term(anywhere) > least) == logic.unsat:
                query.add(count.value <= sum((n for n, _ in chosen), logic.IntVal(0)))
