"""Whether an edit changes all blocks of a list, however many there are, because values move along.

D is striped: at each of the positions 1, ..., n, as many as there are blocks, it has one record,
and two values take turns.  D* is striped, too, begins with the other value, and may be longer or
shorter by one.  Where the edit leads from D to D* every position has another value, and block i is
what is at position i.

A claim here only ever makes a proved upper bound "exact"; no bound rests on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.together.placing import in_range, number_after
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import CELL, INT, TRUE, Term, variable

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["striped"]

CELL_VARIABLE = variable("c", CELL)


def striped(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that for each number of blocks an edit changes all blocks of a map at once.

    The map's blocks are those of a label, and the label of a position may be any.
    """
    domain = structure.problem.domain
    sorts = domain.attribute_sorts
    number = number_after(edit.step)
    cells = [n for n, sort in edit.params if sort == CELL]
    if number is None or len(cells) != len(edit.params) or len(cells) != 1:
        return False
    if mapping.image is not None or len(mapping.indices) != 1 or domain.distinct_terms:
        return False
    label = _label(mapping)
    if label is None:
        return False
    positions = [a for a, sort in sorts.items() if sort == INT]
    values = [
        a for a, sort in sorts.items()
        if sort != INT and (not (known := structure.signature.constants(sort)) or len(known) > 1)
    ]  # fmt: skip
    return any(
        _Lists(structure, edit, number, mapping, label, position, value).change(longer)
        for position, value in itertools.product(positions, values)
        if _reads(label, position)
        for longer in (1, 0, -1)
    )


def _label(mapping: BoundMap) -> Term | None:
    """Return the label that is compared with the number of a block, a function of the map's own."""
    ((index, _),) = mapping.indices
    if mapping.member.op != "eq":
        return None
    sides = [x for x in mapping.member.terms if x != variable(index, INT)]
    known = len(sides) == 1 and sides[0].op == "apply" and sides[0].name in mapping.functions
    return sides[0] if known else None


def _reads(label: Term, position: str) -> bool:
    """Return whether a label is of the position, so that each position may have any."""
    return any(
        t == CELL_VARIABLE or t == Term("attr", (position, CELL_VARIABLE), INT) for t in label.terms
    )


@dataclass
class _Lists:
    structure: Structure
    edit: BoundEdit
    number: Term
    mapping: BoundMap
    label: Term
    position: str
    value: str

    def change(self, longer: int) -> bool:
        """Prove that D and D*, longer by so much, are neighbours, and that each block changes."""
        claims = (self.of_class, self.untied, self.edited, self.changed)
        return all(self.structure.unsat(query) for claim in claims for query in claim(longer))

    def started(self, longer: int) -> Query:
        """Return a question with two lists in it: of D and D*, what a cell has, and how many."""
        domain = self.structure.problem.domain
        query = Query(self.structure.signature, self.structure.problem.symbols)
        sorts = domain.attribute_sorts
        known = query.signature.constants(sorts[self.value])[:2]
        two = known or [query.fresh(sorts[self.value], self.value) for _ in range(2)]
        query.add(logic.Not(equal(*two)))
        rest: list[Any] = []
        for a, sort in sorts.items():
            constants = query.signature.constants(sort)
            some = constants[0] if constants else query.fresh(sort, a)
            rest.append(logic.IntVal(0) if sort == INT else some)
        ((_, size),) = self.mapping.indices
        self.size = query.symbols[size] if isinstance(size, str) else logic.IntVal(size)
        query.add(self.size >= 1, self.size + longer >= 0)
        self._two, self._rest = two, rest
        self.before = {"D": self.database(query, self.size, 0)}
        self.after = {"D": self.database(query, self.size + longer, 1)}
        return query

    def record(self, query: Query, position: Any, start: int) -> GroundCell:
        """Return the record at a position: of a list that begins with the first value, or not."""
        first, second = self._two if start == 0 else reversed(self._two)
        value = logic.If(logic.remainder(position, logic.IntVal(2)) == 1, first, second)
        here = {self.position: position, self.value: value}
        sorts = query.domain.attribute_sorts
        return tuple(here.get(a, x) for a, x in zip(sorts, self._rest, strict=True))

    def database(self, query: Query, size: Any, start: int) -> tuple[Any, Any]:
        """Return how many records like a cell a list has, and how many in all."""
        place = list(query.domain.attribute_sorts).index(self.position)

        def held(cell: GroundCell) -> Any:
            there = equal(cell, self.record(query, cell[place], start))
            inside = logic.And(cell[place] >= 1, cell[place] <= size, there)
            return logic.If(inside, logic.IntVal(1), logic.IntVal(0))

        return held, lambda: size

    def any_cell(self, query: Query) -> GroundCell:
        """Return a cell of the class, whose label is its position where that is a block."""
        cell = query.cell("z")
        query.add(query.read(query.domain.cell_term, {"c": cell}))
        self.labelled(query, cell)
        return cell

    def labelled(self, query: Query, cell: GroundCell) -> None:
        """Choose the label of a cell."""
        place = list(query.domain.attribute_sorts).index(self.position)
        inside = logic.And(cell[place] >= 1, cell[place] <= self.size)
        chosen = logic.If(inside, cell[place], logic.IntVal(1))
        query.add(equal(query.read(self.label, {"c": cell}), chosen))

    def of_class(self, longer: int) -> Iterator[Query]:
        """Ask whether a record of a list is no cell, or a fact fails somewhere."""
        for start in (0, 1):
            query = self.started(longer)
            size = self.size + longer * start
            position = query.fresh(INT, "p")
            query.add(position >= 1, position <= size)
            record = self.record(query, position, start)
            query.add(logic.Not(query.read(query.domain.cell_term, {"c": record})))
            yield query
            query = self.started(longer)
            lists = self.after if start else self.before
            cell = self.any_cell(query)
            facts = [*query.domain.fact_terms, *query.domain.size_terms, *self.mapping.facts]
            query.add(logic.Not(logic.And(*(query.read(f, {"c": cell}, lists) for f in facts))))
            yield query

    def untied(self, longer: int) -> Iterator[Query]:
        """Ask whether a limit is less than 1, or counts two records of a list."""
        limits = self.structure.problem.domain.limit_terms
        for (key, bound), start in itertools.product(limits, (0, 1)):
            query = self.started(longer)
            query.add(query.read(bound) < 1)
            yield query
            query = self.started(longer)
            held = (self.after if start else self.before)["D"][0]
            one, other = query.cell("z"), query.cell("z")
            query.add(held(one) == 1, held(other) == 1, logic.Not(equal(one, other)))
            query.add(equal(query.read(key, {"c": one}), query.read(key, {"c": other})))
            yield query

    def edited(self, longer: int) -> Iterator[Query]:
        """Ask whether the guard fails, or some cell is not what the edit makes of it.

        The edit names the first record of D*, or that of D if D* is shorter.
        """
        ((name, _),) = self.edit.params
        for wanted in (self.guarded, self.stepped):
            query = self.started(longer)
            first = self.record(query, logic.IntVal(1), 0 if longer < 0 else 1)
            query.add(logic.Not(wanted(query, {name: first})))
            yield query

    def guarded(self, query: Query, params: dict[str, Any]) -> Any:
        """Return that the edit may be done."""
        return query.read(self.edit.guard, params, self.before)

    def stepped(self, query: Query, params: dict[str, Any]) -> Any:
        """Return that D* has what the edit makes of D, at any cell."""
        cell = self.any_cell(query)
        here = {**params, "c": cell}
        old, new = (lists["D"][0](cell) for lists in (self.before, self.after))
        frame = query.read(self.edit.frame or TRUE, here, self.before)
        made = query.read(self.number, {**here, "old": old}, self.before)
        return equal(new, logic.If(frame, made, old))

    def changed(self, longer: int) -> Iterator[Query]:
        """Ask whether what is at position i is not in block i, or not changed."""
        query = self.started(longer)
        (block,) = [query.fresh(INT, n) for n, _ in self.mapping.indices]
        query.add(*in_range(query, self.mapping, [block]))
        records = [self.record(query, block, start) for start in (0, 1)]
        goals = []
        for record in records:
            self.labelled(query, record)
            ((index, _),) = self.mapping.indices
            inside = query.read(self.mapping.member, {index: block, "c": record})
            good = query.read(query.domain.cell_term, {"c": record})
            old, new = (lists["D"][0](record) for lists in (self.before, self.after))
            goals.append(logic.And(inside, good, logic.Not(equal(old, new))))
        query.add(logic.Not(logic.Or(*goals)))
        yield query
