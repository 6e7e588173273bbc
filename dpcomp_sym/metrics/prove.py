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

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from dpcomp_sym.metrics.capacities import keeps_limit
from dpcomp_sym.metrics.counting_terms import BoundForm
from dpcomp_sym.metrics.descent import Descent
from dpcomp_sym.metrics.full_groups import attempts, say_full
from dpcomp_sym.metrics.shifts import Moves, offsets
from dpcomp_sym.metrics.totals import (
    ANY_PAIR,
    EDIT,
    PAIR,
    RESOURCES,
    CellCount,
    Ledger,
    Nearby,
)
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import AskedQuestion, Signature, equal
from dpcomp_sym.terms import CELL, INT, Term, variable

__all__ = ["Obligations"]

MOST_EDITS: Final = 20
FAR: Final = 2_000_000
"""The resources where an edit looks from one cell at another, or it or the class at the size."""
NEAR: Final = 2
"""So many times the usual resources a question of a descent gets, where it looks at no others."""
SEVERAL: Final = 3
FAR_SEVERAL: Final = 5
"""All questions of a descent may cost as much as so many that are given up; proofs cost less."""
STEPS: Final = 2
"""The same for those of a step: proofs have cost as much as one."""
LESS: Final = 2
"""By so much less is spent each time that something was given up for a form of the granularity."""
HELD: Final = Term("at", ("E", variable("c", CELL)), INT)


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
    scripts: list[AskedQuestion] = field(default_factory=list)
    given_up: Counter[str] = field(default_factory=Counter)
    """How often the solver has given up what, for this form or others of the granularity."""

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
        """Whether sizes matter: the class or an edit depends on them."""
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

    def _query(
        self, name: str = "", resources: int = RESOURCES, questions: int | None = None
    ) -> tuple[Query, Ledger]:
        """Return a question, which may cost so much, and all of this name so many times as much."""
        resources //= LESS ** self.given_up[name]
        query = Query(self.signature, self.domain.symbol_terms, resources)
        ledger = Ledger(query)
        if questions is not None:
            ledger.allow(questions * resources)
        return query, ledger

    def _unsat(self, ledger: Ledger, name: str = "") -> bool:
        if not self._never(ledger.check(), name):
            return False
        self.scripts.append(ledger.query.impossible)
        return True

    def _never(self, answer: Any, name: str) -> bool:
        """Return whether the solver excludes it; note what it gave up."""
        if answer not in (logic.sat, logic.unsat):
            self.given_up[name] += 1
        return bool(answer == logic.unsat)

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
        for one in self.form.aggregates:
            if one.kind == "same":
                ledger.opposite(one, pair.old, pair.new, cell)
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
        ways = attempts(self.domain)
        return all(
            any(self._step(edit, limited=limited) for limited in ways)
            for edit in self.granularity.edits
        )

    def _step(self, edit: BoundEdit, *, limited: bool) -> bool:
        name = _named("steps", limited=limited)
        query, ledger = self._query(name, RESOURCES, STEPS)
        pair = Pair(query, edit, (), limited=limited)
        first, second = pair.old, pair.new
        moves = None if offsets(self.domain, edit) is None else Moves(pair)
        self.sizes(ledger, pair, moves)
        fixed, size = self._member(ledger, limited=limited)
        say_full(ledger, pair, (fixed, size))
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
        return self._unsat(ledger, name)

    def _member(self, ledger: Ledger, *, limited: bool) -> tuple[CellCount, Any]:
        """Return one more database of the class, and its size where sizes matter."""
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
        for key, bound in domain.limit_terms if limited else ():
            query.at_check(partial(self._limit, query, held, key, bound))
        query.add(*[query.read(term, {}, databases) for term in domain.size_terms])
        return held, size

    @staticmethod
    def _limit(query: Query, held: CellCount, key: Term, bound: Term) -> list[Any]:
        keys = {id(c): query.read(key, {"c": c}) for c in (*query.cells, *query.maybe)}
        found = []
        for number, here in keys.items():

            def counted(cell: GroundCell, here: Any = here) -> Any:
                return logic.If(equal(keys[id(cell)], here), held(cell), 0)

            total = query.distinct_sum(counted, name=(held, key, number))
            found.append(keeps_limit(total, query.read(bound)))
        return found

    def _descent(self) -> bool:
        if self.domain.distinct and all(map(_replaces, self.granularity.edits)):
            return False  # a new record may have a new value: then there is room for none
        return any(self._falls(limited=limited) for limited in attempts(self.domain))

    def _falls(self, *, limited: bool) -> bool:
        name = _named("descent", limited=limited)
        far = self.granularity.far or uses_size(
            *(t for e in self.granularity.edits for t in e.terms), *self.domain.fact_terms
        )
        query, ledger = self._query(
            name, FAR if far else NEAR * RESOURCES, FAR_SEVERAL if far else SEVERAL
        )
        pair = Pair(query, ANY_PAIR, (), limited=limited)
        cell = query.cell("z")
        query.add(pair.old(cell) != pair.new(cell))
        self.sizes(ledger, pair)
        descent = Descent(self.granularity, self.form, ledger, pair, at=cell, sized=self.sized)
        for _ in range(MOST_EDITS):
            answer = ledger.check()
            if self._never(answer, name):
                self.scripts.append(query.impossible)
                return True
            if answer != logic.sat or not descent.resist():
                return False
        return False


def _named(question: str, *, limited: bool) -> str:
    """Return what a question is called: without the limits it is given up by itself."""
    return question if limited else f"{question} without limits"


def _replaces(edit: BoundEdit) -> bool:
    """Return whether an edit puts a record in the place of another one, both ways."""
    deltas = [d.number for _, d in edit.change if d.op == "int"]
    return edit.frame is None and any(d > 0 for d in deltas) and any(d < 0 for d in deltas)


def _elsewhere(empty: GroundCell, database: Any, cell: GroundCell) -> Any:
    """Return what a database holds that holds nothing in one cell, and anything in others."""
    return logic.If(equal(cell, empty), 0, database(*cell))
