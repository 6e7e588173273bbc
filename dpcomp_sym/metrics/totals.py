"""Counts over all cells, as unknown numbers with rules about what makes them up.

A count over infinitely many cells is not a term of the solver.  Here it is an unknown V, and what
the solver learns of it are consequences of its definition, added when a model shows that they
are missing:

* V is the sum over the ground cells, each counted once, and a rest;
* if the rest is positive, there is another cell whose term is positive; if negative, negative.

Both hold for every real pair of databases, so *unsat is a proof*.  When every rest in a model is
0, the ground cells are all there is, and the model is a finite pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from dpcomp_sym.metrics.counting_terms import Aggregate, BoundForm
from dpcomp_sym.model import BoundEdit
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.asking import work_done
from dpcomp_sym.smt.query import equal
from dpcomp_sym.terms import CELL, INT, TRUE, Term, variable

__all__ = ["ANY_PAIR", "EDIT", "PAIR", "RESOURCES", "CellCount", "Counted", "Ledger", "Nearby"]

MOST_ROUNDS: Final = 20
"""How often something may be added to a question before it stays open."""

RESOURCES: Final = 500_000
"""What a question may cost, as a rule."""

ANY_PAIR: Final = BoundEdit((), TRUE, (), TRUE, TRUE)
"""Two arbitrary databases of the class."""

EDIT, PAIR, ALL = range(3)
"""What is counted: what an edit changes, where two databases differ, or all records."""

CellCount = Callable[[GroundCell], Any]
"""A database as the solver sees it: the multiplicity of a ground cell."""


SIZE: Final = Aggregate("sum", (), (Term("at", ("D", variable("c", CELL)), INT),))


@dataclass(frozen=True)
class Counted:
    """A number with the term that it adds up; for ``same``, the groups that must balance."""

    value: Any
    term: CellCount
    groups: Any = None
    at: Sequence[GroundCell] | None = None
    """The only cells at which another count differs, where these are known."""


@dataclass(frozen=True)
class Nearby:
    """A database that differs from another one at the cells ``at`` only, if these are known.

    ``moved`` tells what adds up to the difference of two sums of a term, where records move along.
    """

    database: CellCount
    at: Sequence[GroundCell] | None = None
    moved: Callable[[Term], CellCount | None] | None = None


class _Total:
    """An unknown number that is the sum of a term over a population: cells, or keys."""

    def __init__(
        self, ledger: Ledger, value: Any, term: CellCount, keys: _Keys | None = None, *,
        rank: int = ALL, moved: bool = False,
    ) -> None:  # fmt: skip
        self.rank = rank
        self.moved = moved  # the term names further tuples: of those it is not asked
        self.ledger = ledger
        self.value = value
        self.term = term
        self.keys = keys

    @property
    def items(self) -> list[GroundCell]:
        query = self.ledger.query
        if self.keys is not None:
            return self.keys.known
        return query.cells if self.moved else [*query.cells, *query.maybe]

    def rest(self) -> Any:
        query = self.ledger.query
        plain = self.keys is not None or self.moved or not query.maybe
        added = self.term if plain else self._where_present
        return self.value - query.distinct_sum(added, self.items)

    def _where_present(self, cell: GroundCell) -> Any:
        """Return the term; a tuple that a formula names counts only if it is a cell of X."""
        present = self.ledger.query.present(cell)
        return logic.If(present, self.term(cell), logic.IntVal(0))

    def witness(self, rest: Any, *, positive: bool) -> None:
        """Add one more item, on which the term has the sign of the rest."""
        query, before = self.ledger.query, list(self.items)
        item = query.cell("w") if self.keys is None else self.keys.fresh()
        term = self.term(item)
        new = [logic.Not(query.equal(item, other)) for other in before]
        query.add(
            logic.Or(
                logic.And(rest > 0, term > 0, *new)
                if positive
                else logic.And(rest < 0, term < 0, *new),
                # Where there is nothing to show, the name is free: an old item, for instance.
                logic.And(rest <= 0 if positive else rest >= 0, *_same_as_first(item, before)),
            )
        )


def _same_as_first(item: GroundCell, before: Sequence[GroundCell]) -> list[Any]:
    return [equal(item, before[0])] if before else []


class _Keys:
    """The ground values of some key terms, and the assertions about each."""

    def __init__(self, ledger: Ledger, terms: Sequence[Term]) -> None:
        self.ledger = ledger
        self.terms = tuple(terms)
        self.known: list[GroundCell] = []
        self.rules: list[Callable[[GroundCell], None]] = []
        if not terms:
            self.register(())

    def of(self, cell: GroundCell) -> GroundCell:
        query = self.ledger.query
        return tuple(query.read(t, {"c": cell}) for t in self.terms)

    def fresh(self) -> GroundCell:
        query = self.ledger.query
        return self.register(tuple(query.fresh(t.sort, "key") for t in self.terms))

    def register(self, key: GroundCell) -> GroundCell:
        self.known.append(key)
        for rule in list(self.rules):
            rule(key)
        return key

    def for_all(self, rule: Callable[[GroundCell], None]) -> None:
        self.rules.append(rule)
        for key in list(self.known):
            rule(key)

    def function(self, name: str) -> Any:
        sorts = [self.ledger.query.signature.sort(t.sort) for t in self.terms]
        return logic.SolverFunction(self.ledger.query.new(name), *sorts, logic.IntSort())


class Ledger:
    """The counts of one question, and the loop that decides it."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self._totals: list[_Total] = []
        self._keys: dict[tuple[Term, ...], _Keys] = {}
        self._counts: dict[tuple[Aggregate, CellCount, CellCount], Counted] = {}
        self._rounds = 0
        self._allowed: int | None = None
        self._from: int | None = None
        self.model: Any = None
        """The last model, after a check that was satisfiable."""

    # ------------------------------------------------------------- what is counted

    def total(
        self, term: CellCount, name: str = "n", beside: Counted | None = None,
        change: CellCount | None = None,
    ) -> Counted:  # fmt: skip
        """Return the sum of a term over all cells; it must be 0 where nothing is held.

        ``change`` adds up to the difference from ``beside``, as the difference of the terms does.
        """
        value = self.query.fresh(INT, name)
        if beside is None:
            self.note(value, term)
        elif change is not None:
            self.note(value - beside.value, change, rank=EDIT, moved=True)
        else:
            self._differ(value - beside.value, lambda c: term(c) - beside.term(c), beside.at)
        return Counted(value, term)

    def _differ(self, value: Any, term: CellCount, at: Sequence[GroundCell] | None) -> None:
        """Say that a difference is the sum of a term, over ``at`` if it is 0 elsewhere."""
        if at is None:
            self.note(value, term, rank=EDIT)
        else:
            self.query.add(value == self.query.distinct_sum(term, at))

    def size(
        self, database: CellCount, value: Any = None, beside: Counted | None = None
    ) -> Counted:  # fmt: skip
        """Return the size of a database, which may be a number that is at hand already.

        Closed forms that read the size of this database get the same number.
        """
        if value is None:
            counted = self.total(database, "size", beside)
        else:
            self.note(value, database)
            counted = Counted(value, database)
        self._counts[_question(SIZE, database, database)] = counted
        return counted

    def note(self, value: Any, term: CellCount, *, rank: int = ALL, moved: bool = False) -> None:
        """Say that a number is the sum of a term over all cells.

        ``rank``: how many cells count, and so how soon this is looked at; ``moved``: the term
        names further tuples.
        """
        self._totals.append(_Total(self, value, term, rank=rank, moved=moved))

    def combine(self, sums: Sequence[Counted]) -> None:
        """Say which sums and differences of some counts are nowhere positive, so that none is."""
        cell, zero = self.query.cell("anywhere"), logic.IntVal(0)
        for signs in itertools.product((-1, 0, 1), repeat=len(sums)):
            chosen = [(sign, one) for sign, one in zip(signs, sums, strict=True) if sign]
            here = sum((sign * one.term(cell) for sign, one in chosen), zero)
            if len(chosen) > 1 and self.query.check(here > 0) == logic.unsat:
                self.query.add(sum((sign * one.value for sign, one in chosen), zero) <= 0)

    def keys(self, terms: Sequence[Term]) -> _Keys:
        """Return the ground values of some key terms."""
        key = tuple(t for term in terms for t in (term.terms if term.op == "tuple" else (term,)))
        if key not in self._keys:
            self._keys[key] = _Keys(self, key)
        return self._keys[key]

    def group(
        self, terms: Sequence[Term], term: CellCount, name: str = "group",
        beside: Counted | None = None,
    ) -> Any:  # fmt: skip
        """Return a function: from a value of the keys to the sum of a term over its cells."""
        keys = self.keys(terms)
        function = keys.function(name)

        def rule(key: GroundCell) -> None:
            value = function(*key)

            def inside(cell: GroundCell) -> Any:
                added = term(cell) if beside is None else term(cell) - beside.term(cell)
                return logic.If(equal(keys.of(cell), key), added, 0)

            if beside is None:
                self.note(value, inside)
            else:
                self._differ(value - beside.groups(*key), inside, beside.at)

        keys.for_all(rule)
        return function

    def relate(self, terms: Sequence[Term], first: Counted, second: Counted) -> None:
        """Say that the difference of two groups is the sum of the differences."""
        keys = self.keys(terms)

        def rule(key: GroundCell) -> None:
            def inside(cell: GroundCell) -> Any:
                change = second.term(cell) - first.term(cell)
                return logic.If(equal(keys.of(cell), key), change, 0)

            self.note(second.groups(*key) - first.groups(*key), inside, rank=PAIR)

        keys.for_all(rule)

    def opposite(
        self, one: Aggregate, left: CellCount, right: CellCount, at: GroundCell
    ) -> GroundCell:
        """Name a cell that differs the other way than a given one, where groups balance."""
        balances = self.counted(one, left, right).value
        return self.differing([(one.keys, balances)], left, right, at)

    def differing(
        self, groups: Iterable[tuple[Sequence[Term], Any]], left: CellCount, right: CellCount,
        at: GroundCell,
    ) -> GroundCell:  # fmt: skip
        """Name a cell with the keys of one that differs, which differs the other way.

        There is one under a condition: that the group balances, or leans the other way.  Of
        several groups each is a part of the one before; the cell is in the last one that leans.
        """
        query = self.query
        found = query.cell("other")
        here, there = (left(c) - right(c) for c in (at, found))
        opposite = logic.Or(logic.And(here > 0, there < 0), logic.And(here < 0, there > 0))
        for terms, condition in groups:
            keys = self.keys(terms)
            alike = equal(keys.of(at), keys.of(found))
            query.add(logic.Or(logic.Not(condition), logic.And(alike, opposite)))
        return found

    # ------------------------------------------------------------- closed forms

    def read(
        self, form: BoundForm, left: CellCount, right: CellCount, beside: Nearby | None = None
    ) -> tuple[Any, Any]:
        """Return where a closed form is finite, and its value there, for two databases.

        ``beside`` tells of a database from which ``right`` differs little, and for which the form
        was read before: the counts are then those of (left, beside), up to the difference.
        """
        names = {}
        for n, one in enumerate(form.aggregates):
            key = _question(one, left, right)
            if key not in self._counts:
                other = None
                if beside is not None:
                    at = None if one.elsewhere else beside.at
                    other = replace(self.counted(one, left, beside.database), at=at)
                self._counts[key] = self._made(one, left, right, other, beside)
            names[f"aggregate{n}"] = self._counts[key].value
        return self.query.read(form.finite, names), self.query.read(form.value, names)

    def _made(
        self, one: Aggregate, left: CellCount, right: CellCount, other: Counted | None,
        beside: Nearby | None,
    ) -> Counted:  # fmt: skip
        match one.kind:
            case "sum":
                term, change = self._condition(one.conditions[0], left, right), None
                if beside is not None and beside.moved is not None and one.sides == {"E"}:
                    change = beside.moved(one.conditions[0])
                return self.total(term, "sum", other, change)
            case "values":
                return self._values(one, left, right, other)
            case _:
                return self._same(one, left, right, other)

    def mirror(self, form: BoundForm, left: CellCount, right: CellCount) -> BoundForm:
        """Return the form of (E, D), whose counts of (right, left) are those of (left, right)."""
        other = form.swapped()
        for one, mirrored in zip(form.aggregates, other.aggregates, strict=True):
            known = self.counted(one, left, right)
            if one.kind == "same":
                known = _negated(known)
            self._counts.setdefault(_question(mirrored, right, left), known)
        return other

    def counted(self, one: Aggregate, left: CellCount, right: CellCount) -> Counted:
        """Return a count that was read before."""
        return self._counts[_question(one, left, right)]

    def _condition(self, term: Term, left: CellCount, right: CellCount) -> CellCount:
        databases = {"D": (left, None), "E": (right, None)}
        return lambda c: self.query.read(term, {"c": c}, databases)

    def _values(
        self, one: Aggregate, left: CellCount, right: CellCount, beside: Counted | None
    ) -> Counted:
        query, keys = self.query, self.keys(one.keys)
        everywhere = []
        for condition in one.conditions:
            holds, inside = self._condition(condition, left, right), keys.function("some")
            query.for_all_cells(partial(_where_held, keys, holds, inside))
            everywhere.append((holds, inside))

        def rule(key: GroundCell) -> None:
            for holds, inside in everywhere:
                query.add(logic.Or(inside(*key) == 0, inside(*key) == 1))
                before = list(query.cells)
                cell = query.cell("some")
                query.add(
                    logic.Or(
                        logic.And(equal(keys.of(cell), key), holds(cell)),
                        logic.And(inside(*key) == 0, *_same_as_first(cell, before)),
                    )
                )

        keys.for_all(rule)

        def term(key: GroundCell) -> Any:
            return logic.If(logic.And(*[inside(*key) == 1 for _, inside in everywhere]), 1, 0)

        value = query.fresh(INT, "values")
        if beside is None:
            self._totals.append(_Total(self, value, term, keys))
        else:
            change = value - beside.value

            def differing(key: GroundCell) -> Any:
                return term(key) - beside.term(key)

            if beside.at is None:
                self._totals.append(_Total(self, change, differing, keys, rank=EDIT))
            else:
                touched = [keys.register(keys.of(c)) for c in beside.at]
                query.add(change == query.distinct_sum(differing, touched))
        return Counted(value, term)

    def _same(
        self, one: Aggregate, left: CellCount, right: CellCount, beside: Counted | None
    ) -> Counted:
        def term(cell: GroundCell) -> Any:
            return left(cell) - right(cell)

        groups = self.group(one.keys, term, "balance", beside)
        keys = self.keys(one.keys)
        flag = self.query.fresh(INT, "same") == 1
        keys.for_all(lambda key: self.query.add(logic.Or(logic.Not(flag), groups(*key) == 0)))
        other = keys.fresh() if one.keys else ()
        self.query.add(logic.Or(flag, groups(*other) != 0))
        return Counted(flag, term, groups)

    # ------------------------------------------------------------- deciding

    @property
    def over(self) -> bool:
        """Whether the work that the question may cost is done, from its first check on."""
        done = work_done(self.query.solver)
        if self._allowed is None or not done:
            return False
        if self._from is None:
            self._from = done
        return done - self._from >= self._allowed

    def allow(self, work: int) -> None:
        """Let all that is still asked cost so much work together."""
        self._allowed, self._from = work, None

    def check(self, *assumptions: Any) -> Any:
        """Decide the question: unsat is a proof, sat comes with a finite model."""
        while self._rounds < MOST_ROUNDS and not self.over:
            answer = self.query.check(*assumptions)
            if answer != logic.sat or not self._refine(assumptions):
                return answer
            self._rounds += 1
        return None

    def _refine(self, assumptions: Sequence[Any]) -> bool:
        """Add what the last model lacks; return whether anything was lacking.

        A model that needs no further cells is taken, if there is one.  Otherwise a count whose
        rest cannot be 0, together with the others, gets one more item.
        """
        self.model = model = self.query.model()
        rests = [total.rest() for total in self._totals]
        closed = [rest == 0 for rest in rests]
        if self.query.check(*assumptions, *closed) == logic.sat:
            self.model = model = self.query.model()
            return self._new_key(model)
        core = {one.get_id() for one in self.query.core}
        order = sorted(
            range(len(rests)),
            key=lambda n: (
                bool(core) and closed[n].get_id() not in core,
                self._totals[n].rank,
            ),
        )
        for n in order:
            rest = model.eval(rests[n], model_completion=True).as_long()
            if rest:
                self._totals[n].witness(rests[n], positive=rest > 0)
                return True
        return self._new_key(model)

    def _new_key(self, model: Any) -> bool:
        """Assert what holds of the keys of some cell, unless that was done before."""
        for keys in self._keys.values():
            seen = {_values(model, key) for key in keys.known}
            for cell in list(self.query.cells):
                key = keys.of(cell)
                if _values(model, key) not in seen:
                    keys.register(key)
                    return True
        return False


def _question(one: Aggregate, left: CellCount, right: CellCount) -> Any:
    """Return what is counted; a count that reads one database is the same on either side."""
    match sorted(one.sides):
        case ["D"]:
            return one, left, None
        case ["E"]:
            return one.swapped(), right, None
        case _:
            return one, left, right


def _negated(known: Counted) -> Counted:
    return replace(known, term=lambda c: -known.term(c), groups=lambda *key: -known.groups(*key))


def _where_held(keys: _Keys, holds: CellCount, inside: Any, cell: GroundCell) -> list[Any]:
    """Say that the key of a cell with a property has a cell with this property."""
    return [logic.Or(logic.Not(holds(cell)), inside(*keys.of(cell)) == 1)]


def _values(model: Any, key: GroundCell) -> tuple[str, ...]:
    return tuple(str(model.eval(t, model_completion=True)) for t in key)
