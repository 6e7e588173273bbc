"""The few records that a frame's edit changes, written down: they come or go, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

from dpcomp_sym.engine.records import in_solver
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import ChangeCondition, function_of, index_variable
from dpcomp_sym.engine.together.point_placing import PointPlacing
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import Number, Symbolic, Total, product_of, sum_of
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    Term,
    conjuncts,
    free_variables,
    variable,
)
from dpcomp_sym.terms.term import integer

__all__ = ["PilePlacing", "RecordPlacing", "ScatteredPlacing"]

_LESS: Final = {"le": 0, "ge": 0, "lt": 1, "gt": -1}
"""By how much, at least, the left side of a comparison is less than the right one."""


class RecordPlacing(PointPlacing):
    """The records that have names: D holds some of them, once each, D* the others, and no more.

    Two of one database may be the same record; what would be in both is in D alone, and there is no
    less that changes.  What else the frame has is not touched.
    """

    going = 0
    """How many of the records D holds: the first ones."""
    in_one_frame = True
    """Whether integers that the frame compares with its cells may be near the first record."""

    @property
    def points(self) -> Sequence[str]:
        """The records."""
        return self.finder.records

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        params = self.finder.edit.params
        if {n for n, sort in params if sort == CELL} != set(self.points):
            return False
        if not self.letters_are_known() or not self.others_stay():
            return False
        splits = (0, *range(1, len(self.points)))
        return any(self.tried() for self.going in (len(self.points), *splits))

    def others_stay(self) -> bool:
        """Prove that the step lets any cell that holds nothing stay so."""
        query, params = super().started()
        nothing = {"old": logic.IntVal(0), "new": logic.IntVal(0), "c": query.cell("z")}
        query.add(logic.Not(query.read(self.finder.edit.step, {**params, **nothing})))
        return self.never(query)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the records down, and of the parameters what the frame says that the first has."""
        query, params = super().started()
        letters = {x.name for x in self.finder.letters if x.op == "var"}
        first = {"c": params[self.points[0]]}
        said = dict(self.near_cells() if self.in_one_frame else ()) | dict(self.said_of_cells())
        for name, value in said.items():
            if f"edit.{name}" not in letters:
                params[name] = query.read(value, {**params, **first})
        return query, params

    def said_of_cells(self) -> Iterator[tuple[str, Term]]:
        """Yield parameters that all cells of the frame have as a value, and as which."""
        given = dict(self.finder.edit.params)
        for one in conjuncts(self.finder.edit.frame or FALSE):
            if one.op != "eq":
                continue
            for side, other in (one.terms, one.terms[::-1]):
                named = side.op == "var" and given.get(side.name, CELL) != CELL
                if named and free_variables(other) == {"c"}:
                    yield side.name, other

    def near_cells(self) -> Iterator[tuple[str, Term]]:
        """Yield integers that the frame compares with a value of its cells, and one that fits."""
        given = {n for n, sort in self.finder.edit.params if sort == INT}
        for one in conjuncts(self.finder.edit.frame or FALSE):
            if one.op not in _LESS:
                continue
            left, right = one.terms
            for side, other, by in ((left, right, -_LESS[one.op]), (right, left, _LESS[one.op])):
                if side.op == "var" and side.name in given and free_variables(other) == {"c"}:
                    yield side.name, Term("add", (other, integer(by)), INT)

    def guarded(self) -> bool:
        """Prove that the records are in the frame, may come or go, and that no limit forbids it."""
        query, params = self.started()
        edit, records = self.finder.edit, [params[p] for p in self.points]
        sides = records[: self.going], records[self.going :]
        goals = [query.read(edit.guard, params)]
        for ends, side in zip(((1, 0), (0, 1)), sides, strict=True):
            numbers = dict(zip(("old", "new"), map(logic.IntVal, ends), strict=True))
            goals += self.within_limits(query, side)
            for record in side:
                here = {**params, "c": record}
                goals += [query.read(edit.frame or FALSE, here), *self.good(query, record)]
                goals.append(query.read(edit.step, {**here, **numbers}))
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def within_limits(self, query: Query, records: Sequence[GroundCell]) -> Iterator[Any]:
        """Yield that each limit allows the records, once each, and nothing besides."""
        domain, cell = self.structure.problem.domain, variable("c", CELL)
        limits = [(key, cell, bound) for key, bound in domain.limit_terms]
        limits += [(each, of, bound) for of, each, bound in domain.distinct_terms]
        for key, counted, bound in limits:
            keys, values = (
                [query.read(term, {"c": x}) for x in records] for term in (key, counted)
            )
            for mine in keys:
                total = logic.IntVal(0)
                for n, (other, value) in enumerate(zip(keys, values, strict=True)):
                    before = zip(keys[:n], values[:n], strict=True)
                    known = [logic.And(equal(mine, k), equal(value, v)) for k, v in before]
                    here = logic.And(equal(mine, other), logic.Not(logic.Or(*known)))
                    total = logic.plus(total, logic.If(here, 1, 0))
                yield total <= query.read(bound)


class PilePlacing(RecordPlacing):
    """Many records in one place: all of them leave, or all come, or half of them do each.

    In the last case those that come differ from those that leave in one attribute.  They are so
    many times the same record, or have names, each another one.
    """

    number: Number = 1
    """How many there are."""
    of: BoundEdit | None = None
    """The edit, in which no record has a name."""
    named = False
    """Whether they have names."""
    differing = ""
    """The attribute in which those that come differ from those that leave, if both are there."""

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        sorts = self.structure.problem.domain.attribute_sorts
        read = {x.args[0] for x in self.finder.letters if x.op == "attr"}
        named = self.structure.signature.constants
        free = [a for a, s in sorts.items() if s != BOOL and not named(s) and a not in read]
        attributes = ("", *(free if half_of(self.number) else ()))
        domain = self.structure.problem.domain
        images = [x for m, _ in self.conditions for _, x in m.image or ()]
        # Of images it is not asked whether those that come look like those that go.
        attributes = attributes if all(m.image is None for m, _ in self.conditions) else ("",)
        names = self.leaves_names(self.of or self.finder.edit, [
            *images,
            *(x for m, _ in self.conditions for x in (m.member, *m.facts)),
            *(x for row in (*domain.limit_terms, *domain.distinct_terms) for x in row),
        ])  # fmt: skip
        for self.named, attribute in itertools.product((False, True), attributes):
            self.differing = attribute
            if (not self.named or names) and super().holds():
                return True
        return False

    def piles(self, query: Query, record: GroundCell) -> list[tuple[GroundCell, Number, bool]]:
        """Return which records there are, how many of each, and whether they come."""
        half = half_of(self.number)
        if not self.differing or half is None:
            return [(record, self.number, self.going == 0)]
        sorts = query.domain.attribute_sorts
        place = list(sorts).index(self.differing)
        value = query.fresh(sorts[self.differing], self.differing)
        query.add(logic.Not(equal(value, record[place])))
        twin = (*record[:place], value, *record[place + 1 :])
        return [(record, half, False), (twin, half, True)]

    def guarded(self) -> bool:
        """Prove that the records are in the frame, may come or go, and that no limit forbids it."""
        query, params = self.started()
        edit, domain = self.of or self.finder.edit, self.structure.problem.domain
        goals = [query.read(edit.guard, params)]
        for record, number, comes in self.piles(query, params[self.points[0]]):
            many, none = in_solver(query, number), logic.IntVal(0)
            each = logic.IntVal(1) if self.named else many
            here = {**params, "c": record}
            ends = {"old": none, "new": each} if comes else {"old": each, "new": none}
            goals += [
                query.read(edit.frame or FALSE, here),
                query.read(edit.step, {**here, **ends}),
            ]
            goals += self.good(query, record)
            goals += [many <= query.read(bound) for _, bound in domain.limit_terms]
            goals += [query.read(bound) >= 1 for *_, bound in domain.distinct_terms]
            goals += [each <= domain.cap] if domain.cap is not None else []
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def held(self, mapping: BoundMap, condition: ChangeCondition) -> bool:
        """Prove that a block with the condition holds all records."""
        query, params = self.started()
        names = self.block_with(query, mapping, condition.predicate)
        inside = []
        for record, *_ in self.piles(query, params[self.points[0]]):
            here = {**params, self.points[0]: record}
            self.chosen(query, here, [*names.values()], self._letters)
            inside.append(query.read(mapping.member, {**names, "c": record}))
        query.add(logic.Not(logic.And(*inside)))
        return self.never(query)


class ScatteredPlacing(RecordPlacing):
    """So many records, each in a place of its own: all leave, or come, or half of them do each.

    They are alike but for the integers by which it is said which blocks hold them.  Where these are
    values of functions, or a limit tells records apart, one or two more attributes are different
    for each.
    """

    number: Number = 1
    """How many there are."""
    of: BoundEdit
    """The edit, in which no record has a name."""
    ends: Sequence[tuple[int, int]] = ()
    """How often a record is there before and after: those that leave, those that come."""
    differing: tuple[str, ...] = ()
    """The attributes that are different for each."""
    alike = False
    """Whether several may be in one place: then an attribute is different for each of all."""
    scattering = False
    """Whether all integers are different for each that are attributes."""
    slices: Sequence[Term] = ()
    """Terms of a record: so many records, with each choice of values of these."""

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        self.deltas = [1]  # where images are seen all come, or all go
        sorts = self.structure.problem.domain.attribute_sorts
        self.shared = frozenset(a for a, sort in sorts.items() if sort != INT)
        if {n for n, sort in self.finder.edit.params if sort == CELL} != set(self.points):
            return False
        places = {x.args[0] for x in self.finder.letters if x.op == "attr"}
        if any(x.op == "var" for x in self.finder.letters) or not self.letters_are_known():
            return False
        if not self.others_stay():
            return False
        many = [a for a, sort in sorts.items() if sort == INT or not self._constants(sort)]
        apart = self.alike or self.values_chosen()
        free = [a for a in many if a not in places]
        tried = [x for n in (1, 2) for x in itertools.combinations(free, n)] if apart else [()]
        return any(self.scattered() for self.differing in tried)

    def scattered(self) -> bool:
        """Ask all that must be impossible of records that differ in the attribute."""
        ways = [((1, 0),), ((0, 1),), ((1, 0), (0, 1))]
        if any(m.image is not None for m, _ in self.conditions):
            ways = ways[:2]  # those that come may look like those that go
        return (
            self.functions_are_any()
            and self.each_has_its_own()
            and any(self.guarded() for self.ends in ways)
            and all(self.held(m, c) for m, c in self.conditions if c is not None)
        )

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write a record down, with any value of the attribute that is different for each."""
        query, params = super().started()
        params[self.points[0]] = self.with_any(query, params[self.points[0]])
        return query, params

    def with_any(self, query: Query, record: GroundCell) -> GroundCell:
        """Return a record with any values of those attributes, and else the same."""
        attributes = self.structure.problem.domain.attribute_sorts.items()
        return tuple(
            query.fresh(sort, a) if a in self.differing else value
            for (a, sort), value in zip(attributes, record, strict=True)
        )

    def each_has_its_own(self) -> bool:
        """Prove that functions have other arguments at another record."""
        for one, other in itertools.product(self.values_chosen(), repeat=2):
            if one.args[0] != other.args[0]:
                continue
            query, params = self.started()
            record = params[self.points[0]]
            another = self.elsewhere(query, record)
            here, there = (
                {**params, self.points[0]: x}
                | {index_variable(n).name: query.fresh(INT, "i") for n in function_of(letter)}
                for x, letter in ((record, one), (another, other))
            )
            query.add(equal(self.arguments(query, one, here), self.arguments(query, other, there)))
            if not self.never(query):
                return False
        return True

    def guarded(self) -> bool:
        """Prove that any two of them are in one frame, may come or go, and that limits allow it."""
        number = self.number if len(self.ends) == 1 else half_of(self.number)
        if number is None:
            return False
        query, params = self.started()
        self.chosen(query, params, (), self._letters)
        domain, record = self.structure.problem.domain, params[self.points[0]]
        other = self.elsewhere(query, record)
        many, here = in_solver(query, number), {**params, "c": other}
        goals = [query.read(self.of.guard, params), *self.good(query, other)]
        goals.append(query.read(self.of.frame or FALSE, here))
        for old, new in self.ends:
            numbers = {"old": logic.IntVal(old), "new": logic.IntVal(new)}
            goals.append(query.read(self.of.step, {**here, **numbers}))
        for key, bound in domain.limit_terms:
            most, (mine, theirs) = (
                query.read(bound),
                (query.read(key, {"c": x}) for x in (record, other)),
            )  # records of two places may be apart for a limit, which then counts one of each
            same = logic.Or(equal(record, other), logic.Not(equal(mine, theirs)))
            ends = ([query.read(x, {"c": z}) for x in self.slices] for z in (record, other))
            alike = logic.And(*(equal(*both) for both in zip(*ends, strict=True)))
            counted = logic.And(alike, many <= most)
            goals.append(logic.Or(counted, logic.And(most >= 1, same)))
        if self.slices and domain.distinct_terms:
            return False  # nobody knows how many values all slices have together
        goals += [many <= query.read(bound) for *_, bound in domain.distinct_terms]
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def elsewhere(self, query: Query, record: GroundCell) -> GroundCell:
        """Return another record: in any place, with other values of what is different for each."""
        place = [query.fresh(INT, "q") for _ in self.finder.letters]
        query.add(SolverNames(query.symbols, place).holds(self.facts))
        letters = zip(self.finder.letters, place, strict=True)
        there = {str(x.args[0]): value for x, value in letters if x.op == "attr"}
        attributes = self.structure.problem.domain.attribute_sorts
        like = tuple(there.get(a, value) for a, value in zip(attributes, record, strict=True))
        another = self.with_any(query, like)
        apart = {*self.differing, *(there if self.scattering else ())}
        for a, one, other in zip(attributes, record, another, strict=True):
            query.add(*[logic.Not(equal(one, other))] if a in apart else [])
        self.chosen(query, {self.points[0]: another}, (), place)
        return another


def half_of(number: Number) -> Number | None:
    """Return half of a number, None where that is not known to be one."""
    if isinstance(number, int):
        return number // 2 if number % 2 == 0 else None
    if isinstance(number, Total):
        halves = [half_of(n) for n in number.terms]
        known = [n for n in halves if n is not None]
        return sum_of(known) if len(known) == len(halves) else None
    if number.factor % 2:
        return None
    return product_of([number.factor // 2, *map(Symbolic, number.symbols)])
