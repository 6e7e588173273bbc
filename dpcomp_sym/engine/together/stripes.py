"""Whether an edit changes all blocks of lists at once because values move along.

D is striped: at each of the positions 1, ..., n it has one record, and two values take turns.  D*
is the same before some position, and from there on each position has the other value; it may be
longer or shorter by one.  Where the edit leads from D to D*, the records from there on change.  Or
D* has one record more, after D, that the edit names.

Blocks are those of a label of positions (block i is what is at position i, and n the number of
blocks), or each has a position of its own by its condition (n is as large as any of these).

A claim here only ever makes a proved upper bound "exact"; no bound rests on it.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.integers import CELL_VARIABLE
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import ChangeCondition, Chosen, Finder
from dpcomp_sym.engine.together.frame_placing import FramePlacing
from dpcomp_sym.engine.together.placing import in_range
from dpcomp_sym.engine.together.point_placing import number_after
from dpcomp_sym.model import BoundEdit, BoundMap, Domain
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import CELL, INT, TRUE, Term, conjuncts, free_variables, variable
from dpcomp_sym.terms.term import integer

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["appended", "moved_along", "striped"]

LONGER = (1, 0, -1)
"""By how much D* may be longer than D."""


def striped(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that for each number of blocks an edit changes all blocks of a map at once.

    The map's blocks are those of a label, and the label of a position may be any.
    """
    label = _label(mapping)
    if mapping.image is not None or label is None:
        return False
    return any(
        _OfLabel(structure, edit, number, position, value, mapping, label).change(longer)
        for number, position, value in _kinds(structure, edit)
        if _reads(label, position)
        for longer in LONGER
    )


def moved_along(
    structure: Structure, finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition]], facts: s.Predicate,
) -> bool:  # fmt: skip
    """Prove that an edit changes all blocks with their conditions at once, for all its integers.

    ``facts`` are known of these: of the position of the record that it names.
    """
    if any(mapping.image is not None for mapping, _ in conditions):
        return False
    return any(
        _OfConditions(
            structure, finder.edit, number, position, value, finder, conditions, facts, end
        ).change(longer)
        for number, position, value in _kinds(structure, finder.edit)
        for end in (None, *_ends(structure.problem.domain, position))
        for longer in LONGER
    )


def appended(
    structure: Structure, finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition]], facts: s.Predicate,
) -> bool:  # fmt: skip
    """Prove that an edit which names the place after a list reaches all blocks with conditions.

    ``facts`` are known of its integers: attributes of the only record that it adds.
    """
    edit, domain = finder.edit, structure.problem.domain
    one = [(n, sort) for n, sort in edit.params if sort == CELL]
    if edit.frame is not None or len(one) != 1 or len(edit.params) != 1 or domain.distinct_terms:
        return False
    ((name, _),) = one
    if edit.change != ((name, integer(1)),) or any(m.image is not None for m, _ in conditions):
        return False
    sorts = domain.attribute_sorts
    places = [a for a, sort in sorts.items() if sort == INT]
    values = [a for a in sorts if len(structure.signature.constants(sorts[a])) != 1]
    return any(
        _Appended(structure, edit, TRUE, place, value, finder, conditions, facts).change(1)
        for place, value in itertools.product(places, values)
        if place != value
    )


def _ends(domain: Domain, position: str) -> Iterator[Term]:
    """Yield how long lists may be, as the class says it of positions or of sizes."""
    for fact in (*conjuncts(domain.cell_term), *domain.fact_terms, *domain.size_terms):
        if fact.op in ("le", "lt") and not free_variables(fact.terms[1]) - domain.symbols.keys():
            left, right = fact.terms
            if left.op == "size" or left == Term("attr", (position, CELL_VARIABLE), INT):
                yield right if fact.op == "le" else Term("sub", (right, integer(1)), INT)


def _kinds(structure: Structure, edit: BoundEdit) -> Iterator[tuple[Term, str, str]]:
    """Yield what a step gives a cell, which attribute may be the position, and which the value."""
    number, domain = number_after(edit.step), structure.problem.domain
    cells = [n for n, sort in edit.params if sort == CELL]
    if number is None or len(cells) != len(edit.params) or len(cells) != 1:
        return
    if domain.distinct_terms:
        return
    sorts = domain.attribute_sorts
    positions = [a for a, sort in sorts.items() if sort == INT]
    values = [
        a for a, sort in sorts.items()
        if not (known := structure.signature.constants(sort)) or len(known) > 1
    ]  # fmt: skip
    for position, value in itertools.product(positions, values):
        if position != value:
            yield number, position, value


def _label(mapping: BoundMap) -> Term | None:
    """Return the label that is compared with the number of a block, a function of the map's own."""
    if mapping.member.op != "eq" or len(mapping.indices) != 1:
        return None
    ((index, _),) = mapping.indices
    sides = [x for x in mapping.member.terms if x != variable(index, INT)]
    known = len(sides) == 1 and sides[0].op == "apply" and sides[0].name in mapping.functions
    return sides[0] if known else None


def _reads(label: Term, position: str) -> bool:
    """Return whether a label is of the position, so that each position may have any."""
    return any(
        t == CELL_VARIABLE or t == Term("attr", (position, CELL_VARIABLE), INT) for t in label.terms
    )


@dataclass
class _Lists(ABC):
    """D and D*, and what must be impossible if the edit leads from one to the other."""

    structure: Structure
    edit: BoundEdit
    number: Term
    position: str
    value: str

    def change(self, longer: int) -> bool:
        """Prove that D and D*, longer by so much, are neighbours, and that each block changes."""
        claims = (self.of_class, self.untied, self.edited, self.changed)
        return all(self.structure.unsat(query) for claim in claims for query in claim(longer))

    # ------------------------------------------------------------- of each kind

    @property
    @abstractmethod
    def maps(self) -> Sequence[BoundMap]:
        """The maps whose blocks are in question."""

    @abstractmethod
    def lengths(self, query: Query, longer: int) -> tuple[Any, Any]:
        """Return how long D is, and from which position on D* differs."""

    @abstractmethod
    def changed(self, longer: int) -> Iterator[Query]:
        """Ask whether a block does not change, though it should."""

    def label(self, query: Query, cell: GroundCell) -> list[Any]:
        """Return what the label of a cell is, if blocks are those of a label."""
        del query, cell
        return []

    # ------------------------------------------------------------- the lists

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
        self.size, self.first = self.lengths(query, longer)
        self._two, self._rest = two, rest
        self.before = {"D": self.database(query, self.size, new=False)}
        self.after = {"D": self.database(query, self.size + longer, new=True)}
        return query

    def record(self, query: Query, position: Any, *, new: bool) -> GroundCell:
        """Return the record at a position, of D or of D*."""
        odd = logic.remainder(position, logic.IntVal(2)) == 1
        if new:
            odd = logic.equal(odd, position < self.first)
        value = logic.If(odd, *self._two)
        here = {self.position: position, self.value: value}
        sorts = query.domain.attribute_sorts
        return tuple(here.get(a, x) for a, x in zip(sorts, self._rest, strict=True))

    def place(self, cell: GroundCell) -> Any:
        """Return the position of a cell."""
        return cell[list(self.structure.problem.domain.attribute_sorts).index(self.position)]

    def database(self, query: Query, size: Any, *, new: bool) -> tuple[Any, Any]:
        """Return how many records like a cell a list has, and how many in all."""

        def held(cell: GroundCell) -> Any:
            position = self.place(cell)
            there = equal(cell, self.record(query, position, new=new))
            inside = logic.And(position >= 1, position <= size, there)
            return logic.If(inside, logic.IntVal(1), logic.IntVal(0))

        return held, lambda: size

    def any_cell(self, query: Query) -> GroundCell:
        """Return a cell of the class."""
        cell = query.cell("z")
        query.add(query.read(query.domain.cell_term, {"c": cell}), *self.label(query, cell))
        return cell

    def of_class(self, longer: int) -> Iterator[Query]:
        """Ask whether a record of a list is no cell, or a fact fails somewhere."""
        for new in (False, True):
            query = self.started(longer)
            position = query.fresh(INT, "p")
            query.add(position >= 1, position <= self.size + (longer if new else 0))
            record = self.record(query, position, new=new)
            query.add(logic.Not(query.read(query.domain.cell_term, {"c": record})))
            yield query
            query = self.started(longer)
            lists = self.after if new else self.before
            cell, domain = self.any_cell(query), query.domain
            facts = [
                *domain.fact_terms,
                *domain.size_terms,
                *(f for m in self.maps for f in m.facts),
            ]
            query.add(logic.Not(logic.And(*(query.read(f, {"c": cell}, lists) for f in facts))))
            yield query

    def untied(self, longer: int) -> Iterator[Query]:
        """Ask whether a limit is less than 1, or counts two records of a list."""
        limits = self.structure.problem.domain.limit_terms
        for (key, bound), new in itertools.product(limits, (False, True)):
            query = self.started(longer)
            query.add(query.read(bound) < 1)
            yield query
            query = self.started(longer)
            held = (self.after if new else self.before)["D"][0]
            one, other = query.cell("z"), query.cell("z")
            query.add(held(one) == 1, held(other) == 1, logic.Not(equal(one, other)))
            query.add(equal(query.read(key, {"c": one}), query.read(key, {"c": other})))
            yield query

    def params(self, query: Query, longer: int) -> dict[str, Any]:
        """Return what the edit names: the first record that differs, of D if D* is shorter."""
        ((name, _),) = self.edit.params
        return {name: self.record(query, self.first, new=longer >= 0)}

    def edited(self, longer: int) -> Iterator[Query]:
        """Ask whether the guard fails, or some cell is not what the edit makes of it."""
        for wanted in (self.guarded, self.stepped):
            query = self.started(longer)
            query.add(logic.Not(wanted(query, self.params(query, longer))))
            yield query

    def guarded(self, query: Query, params: dict[str, Any]) -> Any:
        """Return that the edit may be done, naming a cell."""
        ((_, cell),) = params.items()
        is_cell = query.read(query.domain.cell_term, {"c": cell})
        return logic.And(is_cell, query.read(self.edit.guard, params, self.before))

    def stepped(self, query: Query, params: dict[str, Any]) -> Any:
        """Return that D* has what the edit makes of D, at any cell."""
        cell = self.any_cell(query)
        here = {**params, "c": cell}
        old, new = (lists["D"][0](cell) for lists in (self.before, self.after))
        frame = query.read(self.edit.frame or TRUE, here, self.before)
        made = query.read(self.number, {**here, "old": old}, self.before)
        return equal(new, logic.If(frame, made, old))

    def seen(self, query: Query, mapping: BoundMap, block: Sequence[Any], position: Any) -> Any:
        """Return that a block has a record at a position that changes."""
        numbers = dict(zip((n for n, _ in mapping.indices), block, strict=True))
        goals = []
        for new in (False, True):
            record = self.record(query, position, new=new)
            query.add(*self.label(query, record))
            inside = query.read(mapping.member, {**numbers, "c": record})
            good = query.read(query.domain.cell_term, {"c": record})
            was, is_now = (lists["D"][0](record) for lists in (self.before, self.after))
            goals.append(logic.And(inside, good, logic.Not(equal(was, is_now))))
        return logic.Or(*goals)


@dataclass
class _OfLabel(_Lists):
    """Block i is what is at position i, and everything may change."""

    mapping: BoundMap
    read: Term
    """The label that is compared with the number of a block."""

    @property
    def maps(self) -> Sequence[BoundMap]:
        return (self.mapping,)

    def lengths(self, query: Query, longer: int) -> tuple[Any, Any]:
        ((_, size),) = self.mapping.indices
        many = query.symbols[size] if isinstance(size, str) else logic.IntVal(size)
        query.add(many >= 1, many + longer >= 0)
        return many, logic.IntVal(1)

    def label(self, query: Query, cell: GroundCell) -> list[Any]:
        position = self.place(cell)
        inside = logic.And(position >= 1, position <= self.size)
        chosen = logic.If(inside, position, logic.IntVal(1))
        return [equal(query.read(self.read, {"c": cell}), chosen)]

    def changed(self, longer: int) -> Iterator[Query]:
        query = self.started(longer)
        (block,) = [query.fresh(INT, n) for n, _ in self.mapping.indices]
        query.add(*in_range(query, self.mapping, [block]))
        query.add(logic.Not(self.seen(query, self.mapping, [block], block)))
        yield query


@dataclass
class _OfConditions(_Lists):
    """What changes from some position on is in every block with its condition."""

    finder: Finder
    conditions: Sequence[tuple[BoundMap, ChangeCondition]]
    facts: s.Predicate
    end: Term | None = None
    """How long lists may be; None: as long as one likes."""

    @property
    def maps(self) -> Sequence[BoundMap]:
        return [mapping for mapping, _ in self.conditions]

    def change(self, longer: int) -> bool:
        ((name, _),) = self.edit.params
        position = Term("attr", (self.position, variable(name, CELL)), INT)
        if not all(self.chosen(c) for _, of in self.conditions for _, c in of.cases):
            return False
        if [x for x in map(self.finder.named, self.finder.letters) if x != position]:
            return False  # another integer of the edit, which may be any
        return self.within_lists() and super().change(longer)

    def chosen(self, chosen: Chosen) -> Term | None:
        """Return the position in a block, in terms of block and edit; None if it is not known."""
        wanted = Term("attr", (self.position, CELL_VARIABLE), INT)
        known = dict(chosen.values).get(wanted)
        return None if known is None or "c" in free_variables(known) else known

    def within_lists(self) -> bool:
        """Prove that the integer of the edit, if there is one, is a position of these lists."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        letters = [query.fresh(INT, "p") for _ in self.finder.letters]
        query.add(SolverNames(query.symbols, letters).holds(self.facts))
        last = None if self.end is None else query.read(self.end)
        outside = [logic.Or(x < 1, False if last is None else x > last) for x in letters]
        if last is not None and not letters:
            outside.append(last < 1)
        query.add(logic.Or(*outside))
        return self.structure.unsat(query)

    def lengths(self, query: Query, longer: int) -> tuple[Any, Any]:
        """D is as long as one likes, and so reaches the position, and every block in question.

        Or one of the two is as long as it can be; then nothing may be taken for granted of how long
        that is but that the position is there, which :meth:`within_lists` proves.
        """
        first = query.fresh(INT, "first")
        if self.end is None:
            size = query.fresh(INT, "size")
            query.add(first >= 1, first <= size)
            return size, first
        last = query.read(self.end)
        query.add(first >= 1, first <= last)
        return logic.plus(last, -max(longer, 0)), first

    def changed(self, longer: int) -> Iterator[Query]:
        placing = FramePlacing(self.structure, self.finder, self.conditions, self.facts)
        for mapping, condition in self.conditions:
            for predicate, chosen in condition.cases:
                query = self.started(longer)
                params = self.params(query, longer)
                query.add(self.finder.asked(query, params, ()).holds(self.facts))
                names = placing.named(query, params, mapping, predicate)
                position = query.read(self.chosen(chosen) or integer(0), names)
                if self.end is None:
                    query.add(position <= self.size)
                query.add(logic.Not(self.seen(query, mapping, placing.block, position)))
                yield query


@dataclass
class _Appended(_OfConditions):
    """D is a list, and D* has one more record after it, in every block with its condition."""

    def change(self, longer: int) -> bool:
        known = self._attributes()
        if known is None or len(set(known)) < len(known):
            return False  # some integer is not simply an attribute of the record
        claims = (self.of_class, self.untied, self.edited, self.changed)
        return self.within_lists() and all(
            self.structure.unsat(query) for claim in claims for query in claim(longer)
        )

    def _attributes(self) -> list[str] | None:
        """Return which attribute of the record each integer of the edit is, None if some is not."""
        ((name, _),) = self.edit.params
        found = []
        for letter in map(self.finder.named, self.finder.letters):
            if letter.op != "attr" or letter.terms != (variable(name, CELL),):
                return None
            found.append(letter.name)
        return found

    def within_lists(self) -> bool:
        """Prove that there is a record with these integers, after a list."""
        query = self.started(1)
        query.add(logic.Not(query.read(query.domain.cell_term, {"c": self.added})))
        return self.structure.unsat(query)

    def started(self, longer: int) -> Query:
        """Return a question with a list, and a record after it that has the integers of the edit.

        What else it has is as in all others.
        """
        query = super().started(longer)
        known = self._attributes() or []
        letters = {a: query.fresh(INT, "p") for a in known if a != self.position}
        here = {**letters, self.position: self.first}
        sorts = query.domain.attribute_sorts
        pairs = zip(sorts, self.record(query, self.first, new=False), strict=True)
        self.added = tuple(here.get(a, x) for a, x in pairs)
        query.add(self.asked(query).holds(self.facts))
        held, _ = self.before["D"]

        def after(cell: GroundCell) -> Any:
            return logic.plus(held(cell), logic.If(equal(cell, self.added), 1, 0))

        self.after = {"D": (after, lambda: logic.plus(self.size, 1))}
        return query

    def asked(self, query: Query, block: Sequence[Any] = ()) -> SolverNames:
        """Return what the integers of the edit are, and a block."""
        ((name, _),) = self.edit.params
        return self.finder.asked(query, {name: self.added}, block)

    def lengths(self, query: Query, longer: int) -> tuple[Any, Any]:
        """D ends before the record that is added."""
        del longer
        first = query.fresh(INT, "first")
        if self.position not in (self._attributes() or []):
            query.add(first >= 1)
        return logic.plus(first, -1), first

    def of_class(self, longer: int) -> Iterator[Query]:
        query = self.started(longer)
        query.add(self.size < 0)  # the list must be one
        yield query
        yield from super().of_class(longer)

    def edited(self, longer: int) -> Iterator[Query]:
        """Ask whether the guard fails; what the edit makes of D is how D* is written."""
        ((name, _),) = self.edit.params
        query = self.started(longer)
        query.add(logic.Not(self.guarded(query, {name: self.added})))
        yield query

    def changed(self, longer: int) -> Iterator[Query]:
        for mapping, condition in self.conditions:
            query = self.started(longer)
            block = [query.fresh(INT, n) for n, _ in mapping.indices]
            query.add(*in_range(query, mapping, block))
            query.add(self.asked(query, block).holds(condition.predicate))
            numbers = dict(zip((n for n, _ in mapping.indices), block, strict=True))
            inside = query.read(mapping.member, {**numbers, "c": self.added})
            query.add(logic.Not(inside))
            yield query
