"""Blocks with several indices, where few records change for each value of some of these.

Where a user is in one place at a time, the blocks of a time and a place that change are, for each
time, those of at most two records: the one that was there, and the one that is.  So the place of a
block that changes is one of two functions of its time.  A *slice* is what blocks with one value of
these indices, here the time, hold, or of what is made of them: of the week of their day.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.integers import Polynomial, TooManyError, all_replaced, replaced
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import components, records_in
from dpcomp_sym.engine.together import records_anywhere, together
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import (
    TRUE,
    ChangeCondition,
    Chosen,
    Finder,
    function_of,
    index_variable,
)
from dpcomp_sym.engine.together.naming import named_records, names_of_records
from dpcomp_sym.engine.together.placing import in_range
from dpcomp_sym.engine.together.record_placing import PilePlacing, RecordPlacing
from dpcomp_sym.engine.together.trimming import flat
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import Number
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    FALSE,
    INT,
    Term,
    conjunction,
    conjuncts,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "Among", "Sliced", "in_one_place_a_slice", "of_slices", "records_in_slice",
    "records_of_slices", "slicing",
]  # fmt: skip

MOST_RECORDS: Final = 4
"""Of more records a slice has no names."""
Slicing = tuple[Term, ...]
"""By what blocks are sliced, made of :func:`index_variable` and symbols."""


@dataclass(frozen=True)
class Among:
    """What is known of all blocks that an edit changes: conditions, for integers with facts."""

    integers: tuple[Term, ...]
    facts: s.Predicate
    conditions: tuple[s.Predicate, ...]
    """One of each map."""


@dataclass(frozen=True)
class Sliced:
    """Which blocks of some maps change together, in functions of some of their indices.

    ``terms`` are integers of the edit, with ``facts``, and then those of the records that change in
    a slice, which ``conditions``, one of each map, name as functions.  ``attained``: for all of
    these one pair of neighbours changes all these blocks.  ``times``: how often such functions are
    chosen, each of one record of every slice.
    """

    terms: tuple[Term, ...]
    facts: s.Predicate
    conditions: tuple[s.Predicate, ...]
    attained: bool
    times: Number = 1


def slicing(mapping: BoundMap, at: Slicing) -> tuple[Term, ...] | None:
    """Return which terms of a record say in which slice it lies; None if some index is not told.

    >>> from dpcomp_sym.model import Domain, Map
    >>> stays = Domain({"time": "int", "place": "Place"})
    >>> member = "time(c) == i and region(place(c)) == j"
    >>> of = {"region": (["Place"], "int")}
    >>> cells = Map("cells", member, {"i": "k", "j": "m"}, of).bind(stays)
    >>> hour, place = map(index_variable, (1, 2))
    >>> [term.op for term in slicing(cells, (hour,))], slicing(cells, (hour, place)) is None
    (['attr'], False)
    """
    told = {index_variable(n).name: of for n, (of, _) in _told(mapping).items()}
    named = {index_variable(n).name for x in at for n in function_of(x)}
    return None if named - told.keys() else tuple(_shorter(substitute(x, told)) for x in at)


def _shorter(term: Term) -> Term:
    """Return a term in which no number is added to a sum with a number.

    >>> from dpcomp_sym.terms.term import integer
    >>> less = Term("sub", (variable("x", INT), integer(2)), INT)
    >>> _shorter(Term("add", (less, integer(2)), INT)).op
    'var'
    """
    if not term.terms:
        return term
    args = tuple(_shorter(x) if isinstance(x, Term) else x for x in term.args)
    term = Term(term.op, args, term.sort)
    signs = {"add": 1, "sub": -1}
    if term.op in signs and term.terms[1].op == "int":
        (of, more), sign = term.terms, signs[term.op]
        if of.op in signs and of.terms[1].op == "int":
            number = signs[of.op] * of.terms[1].number + sign * more.number
            return _solved(of.terms[0], 1, -number)
    return term


def _told(mapping: BoundMap) -> dict[int, tuple[Term, Term]]:
    """Return, for indices that a record has one value of, what it is, and the equation for it."""
    parts, indices = conjuncts(mapping.member), {name for name, _ in mapping.indices}
    found: dict[int, tuple[Term, Term]] = {}
    for number, (name, _) in enumerate(mapping.indices, 1):
        naming = [x for x in parts if name in free_variables(x)]
        if len(naming) != 1 or naming[0].op != "eq":
            continue
        (left, right), index = naming[0].terms, variable(name, INT)
        if left.sort != INT:
            continue
        apart = Polynomial.of(left) - Polynomial.of(right)
        factor = dict(apart.terms).get((index,), 0)
        other = ((apart - Polynomial.of(index) * factor) * -factor).term()
        if alone := _alone(other):  # with the number at the end
            of, sign, more = alone
            other = _solved(of, sign, -more * sign)
        named = free_variables(other)  # the record, and symbols
        if abs(factor) == 1 and "c" in named and not named.intersection(indices):
            found[number] = other, naming[0]
    return found


def _alone(term: Term) -> tuple[Term, int, int] | None:
    """Return what a term is, times 1 or -1, plus a number; None if it is something else.

    >>> from dpcomp_sym.terms.term import integer
    >>> less = Term("sub", (variable("x", INT), integer(2)), INT)
    >>> of, factor, number = _alone(less)
    >>> of.name, factor, number
    ('x', 1, -2)
    """
    found = Polynomial.of(term)
    atoms = [(m[0], factor) for m, factor in found.terms if len(m) == 1]
    if len(atoms) != 1 or abs(atoms[0][1]) != 1 or len(found.terms) > 1 + bool(found.constant):
        return None
    return *atoms[0], found.constant


def records_in_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], at: Slicing
) -> Number | None:
    """Return how many records a frame changes in all blocks of one slice.

    Maps tell for each record which values these are (:func:`slicing`), all of them the same; of
    several maps all records count, since those of one may not be those of another.
    """
    told = {slicing(m, at) for m in maps}
    terms = told.pop()
    if told or terms is None or edit.frame is None:
        return None
    names = [variable(f"at.{n}", INT) for n, _ in enumerate(at, 1)]
    known = replace(edit, params=(*edit.params, *((x.name, INT) for x in names)))
    within = conjunction(
        [Term("eq", (x, name), BOOL) for x, name in zip(terms, names, strict=True)]
    )
    return records_in(structure, known, maps[0] if len(maps) == 1 else WHOLE, within)


def of_slices(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among
) -> Sliced | None:  # fmt: skip
    """Return which blocks of maps a frame changes, slice by slice; None if that is not found.

    ``among``: what is known of all blocks that change.
    """
    return structure.once(
        "slices", edit, *(m.name for m in maps), among,
        find=lambda: _of_slices(structure, edit, maps, among),
    )  # fmt: skip


def _of_slices(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among
) -> Sliced | None:
    if edit.frame is None or any(m.image is not None for m in maps):
        return None
    tried = (_of_slice(structure, edit, maps, among, at) for at in _ways(structure, maps))
    found = [x for x in tried if x is not None]
    return next((x for x in found if x.attained), found[0] if found else None)


def _ways(structure: Structure, maps: Sequence[BoundMap]) -> Iterator[Slicing]:
    """Yield by what blocks may be sliced: by some of their indices, or by what a limit names."""
    limits = structure.problem.domain.limit_terms
    parts = {x for key, _ in limits for x in components(key) if x.sort == INT and x.op != "attr"}
    yield from _choices(maps)
    yield from _by_limits(structure, maps, [_plainer(structure, x) for x in parts])


def in_one_place_a_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]
) -> Sliced | None:  # fmt: skip
    """Return which blocks hold the records of each slice, if these are all where one of them is.

    ``times``: how many there are.  None where some map does not tell slices.
    """
    return structure.once(
        "in one place a slice", edit, *(m.name for m in maps),
        find=lambda: _in_one_place_a_slice(structure, edit, maps),
    )  # fmt: skip


def _in_one_place_a_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]
) -> Sliced | None:
    if edit.frame is None or any(m.image is not None for m in maps):
        return None
    known = Among((), TRUE, (TRUE,) * len(maps))
    for at in _ways(structure, maps):
        number = records_in_slice(structure, edit, maps, at)
        found = records_of_slices(structure, edit, maps, at) if number else None
        if number is None or found is None:
            continue
        finder, said = found
        wholes = [(m, ChangeCondition(((p, Chosen(())),))) for m, p in zip(maps, said, strict=True)]
        placing = SlicePiles(structure, finder, wholes, TRUE)
        placing.where, placing.among = slicing(maps[0], at) or (), known
        placing.number, placing.of = number, edit
        return Sliced(tuple(map(finder.named, finder.letters)), TRUE, said, placing.holds(), number)
    return None


def records_of_slices(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], at: Slicing
) -> tuple[Finder, tuple[s.Predicate, ...]] | None:
    """Return which blocks of a slice hold one record of it, for maps that all tell it.

    By integers of the record, which are functions of the slice.
    """
    if edit.frame is None or len({slicing(m, at) for m in maps}) != 1:
        return None
    known = Among((), TRUE, (TRUE,) * len(maps))
    cut = [m.name for m in maps if not _is_one_block(m, at)]
    return _conditions(structure, edit, maps, known, at, 1, cut)


def _choices(maps: Sequence[BoundMap]) -> Iterator[Slicing]:
    """Yield indices to slice by: some that records have one value of, and not all there are."""
    known = [_told(m) for m in maps]
    told = sorted(set.intersection(*(set(x) for x in known)))
    for number in range(1, max(len(m.indices) for m in maps)):
        for places in itertools.combinations(told, number):
            at = tuple(map(index_variable, places))
            sizes = {tuple(m.sizes[n - 1] for n in places) for m in maps}
            if len(sizes) == len({slicing(m, at) for m in maps}) == 1:
                yield at


def _by_limits(
    structure: Structure, maps: Sequence[BoundMap], parts: Collection[Term]
) -> Iterator[Slicing]:
    """Yield what keys of limits are in terms of a block, such as the week of its day."""
    for part in sorted(parts, key=repr):
        for at in dict.fromkeys(_of_block(structure, m, part) for m in maps):
            places = () if at is None else function_of(at)
            if at is not None and places and at not in map(index_variable, places):
                yield (at,)


def _plainer(structure: Structure, term: Term) -> Term:
    """Return an integer without first powers of symbols that are positive anyway."""
    powers = {x for x in subterms(term) if x.op == "pow" and x.terms[1] == integer(1)}
    query = Query(structure.signature, structure.problem.symbols)
    plain = [x for x in powers if x.terms[0].op == "var" and query.is_positive(x.terms[0].name)]
    return all_replaced(term, {x: x.terms[0] for x in plain})


def _of_block(structure: Structure, mapping: BoundMap, part: Term) -> Term | None:
    """Return what an integer of a record is in its block, if the block tells it."""
    said = part
    for n, (of, _) in _told(mapping).items():
        alone = _alone(_plainer(structure, of))
        if alone is not None:
            said = replaced(said, alone[0], _solved(index_variable(n), *alone[1:]))
    return said if _as_whole(said) is not None else None


def _solved(value: Term, factor: int, number: int) -> Term:
    """Return what is a value if so many times it, 1 or -1, and a number are added."""
    if factor < 0:
        return Term("sub", (integer(number), value), INT)
    if not number:
        return value
    return Term("sub" if number > 0 else "add", (value, integer(abs(number))), INT)


def _as_whole(term: Term) -> s.Whole | None:
    """Return what is made of indices and symbols as statements say it; None if it is not.

    >>> week = Term("div", (Term("sub", (index_variable(1), integer(1)), INT), integer(7)), INT)
    >>> _as_whole(week).text()
    '(b1 - 1)//7'
    """
    if term.op == "int":
        return s.Integer(term.number)
    if term.op == "var" and term.sort == INT:
        places = function_of(term)
        if places:
            return s.Index(*places)
        return None if term.name == "c" or "." in term.name else s.Symbol(term.name)
    if term.op not in ("add", "sub", "neg", "mul", "div", "mod", "pow"):
        return None
    items = [_as_whole(x) for x in term.terms]
    known = [x for x in items if x is not None]
    if len(known) < len(items):
        return None
    if term.op == "sub":
        first, *rest = known
        return s.Combined("add", (first, *(s.Combined("neg", (x,)) for x in rest)))
    return s.Combined(term.op, tuple(known))


def _of_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among, at: Slicing
) -> Sliced | None:
    lead = next(m for m in maps if slicing(m, at) is not None)
    where = slicing(lead, at) or ()
    told = [m for m in maps if slicing(m, at) == where and _sizes(m, at) == _sizes(lead, at)]
    number = records_in_slice(structure, edit, told, at)
    if number is None or number == 0:
        return None
    few = number if isinstance(number, int) and number <= MOST_RECORDS else 1
    if few != number and among.integers:
        return None  # what is chosen several times are integers, or functions
    cut = [m.name for m in told if not _is_one_block(m, at)]
    found = _conditions(structure, edit, maps, among, at, few, cut)
    if found is None:
        return None
    finder, said = found
    terms = (*among.integers, *map(finder.named, finder.letters))
    if few != number:
        known = among.conditions[0] if len(maps) == 1 else TRUE
        attained = records_anywhere(structure, edit, maps, number, known, slices=where)
        return Sliced(terms, among.facts, said, attained, number)
    wholes = [ChangeCondition(((p, Chosen(())),)) for p in said]
    placing = SlicePlacing(structure, finder, list(zip(maps, wholes, strict=True)), TRUE)
    placing.where, placing.among = where, among
    beside = ((m, p) for m, p in zip(maps, among.conditions, strict=True) if m not in told)
    attained = placing.holds() and all(_all_change(structure, edit, *one) for one in beside)
    return Sliced(terms, among.facts, said, attained)


def _all_change(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, known: s.Predicate
) -> bool:
    """Return whether all blocks of a map change that have a condition: for each there is a record.

    Of what slices are made not all values need occur.
    """
    found = together(structure, edit, [mapping])
    if found is None or not found.attained or found.terms:
        return False
    return found.conditions.get(mapping.name) == known


def _conditions(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among, at: Slicing,
    number: int, cut: Collection[str],
) -> tuple[Finder, tuple[s.Predicate, ...]] | None:  # fmt: skip
    """Return which blocks hold one of so many records that have names for each slice.

    Of maps that are not ``cut`` nothing more is said.
    """
    records = names_of_records(number)
    places = tuple(sorted({n for x in at for n in function_of(x)}))
    finder = Finder(structure, named_records(edit, number), functions_of=places, records=records)
    taken = [x for x in map(_as_whole, at) if x is not None]
    said = list(among.conditions)
    for n, mapping in enumerate(maps):
        if mapping.name not in cut:
            continue
        equations = [_told(mapping)[n][1] for n in places if index_variable(n) in at]
        rest = conjunction([x for x in conjuncts(mapping.member) if x not in equations])
        try:
            condition = finder.of_points(replace(mapping, member=rest))
        except TooManyError:
            return None
        if condition is None:
            return None
        if condition.predicate == TRUE:
            continue  # all blocks of a slice
        said[n] = _after(condition.predicate, len(among.integers), taken)
        if among.conditions[n] != TRUE:
            said[n] = s.Connected("and", (*flat(among.conditions[n]), said[n]))
        if not _holds(structure, edit, finder, mapping, said[n], among):
            return None
    if not finder.letters or tuple(said) == among.conditions:
        return None
    return finder, tuple(said)


def _sizes(mapping: BoundMap, at: Slicing) -> list[str | int]:
    """Return the sizes of the indices that slices are made of."""
    return [mapping.sizes[n - 1] for n in sorted({n for x in at for n in function_of(x)})]


def _is_one_block(mapping: BoundMap, at: Slicing) -> bool:
    """Return whether each slice is a single block of a map."""
    return {*map(index_variable, range(1, len(mapping.indices) + 1))} <= {*at}


def _after(p: s.Predicate, letters: int, at: Sequence[s.Whole]) -> s.Predicate:
    """Return a condition with functions of a slice, numbered after so many other letters."""

    def moved(x: s.KernelTerm) -> s.KernelTerm | None:
        return s.LetterAt(x.number + letters, tuple(at)) if isinstance(x, s.LetterAt) else None

    return s.rewritten(p, moved)


def _holds(
    structure: Structure, edit: BoundEdit, finder: Finder, mapping: BoundMap, p: s.Predicate,
    among: Among,
) -> bool:  # fmt: skip
    """Prove that a block has a condition where a record changes that has a name."""
    pair = structure.pair(edit)
    block = pair.index(mapping)
    cell, named = pair.query.cell("z"), {n: pair.query.cell("z") for n in finder.records}
    pair.query.add(pair.old(cell) != pair.new(cell), pair.member(mapping, cell, block))
    pair.query.add(logic.Or(*(equal(cell, x) for x in named.values())))
    asked = finder.asked(pair.query, {**pair.params, **named}, block)
    integers = [pair.query.read(x, pair.params) for x in among.integers]
    asked = replace(asked, letters=[*integers, *asked.letters])
    pair.query.add(logic.Not(asked.holds(p)))
    return structure.unsat(pair.query)


class SlicePlacing(RecordPlacing):
    """The records of each slice: D holds some of these, D* the others, and no more in any slice."""

    in_one_frame = False
    where: Sequence[Term] = ()
    """By what records are sliced, as terms over ``c``."""
    among: Among
    """Its integers and facts.

    Each record is in some block of the slice with its condition: where it would be in none it can
    be where another one is, and of a slice without such a block nothing changes.
    """
    _beside: Query | None = None
    """A question about several slices."""

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        edit, domain = self.finder.edit, self.structure.problem.domain
        facts = (*domain.fact_terms, *(f for m, _ in self.conditions for f in m.facts))
        told = {
            m.name: [_of_block(self.structure, m, x) for x in self.where]
            for m, _ in self.conditions
        }
        self.at = {name: [x for x in each if x is not None] for name, each in told.items()}
        if domain.size or not all(map(self._is_chosen, self.where)) or self.at != told:
            return False
        if reads_database(edit.guard, edit.frame or FALSE, edit.step, *facts):
            return False
        return super().holds()

    def _is_chosen(self, told: Term) -> bool:
        """Return whether records have the value of their slice by the attributes they are given.

        One attribute has it, or a number more; else it is made of integers that say where they are.
        """
        alone = _alone(told)
        if alone is not None and alone[0].op == "attr":
            return True
        read = [x for x in subterms(told) if x.op in ("attr", "apply")]
        named = [variable(f"edit.{n}", CELL) for n in self.points]
        return all(
            x.op == "attr" and substitute(x, {"c": name}) in self.finder.letters
            for x in read
            for name in named
        )

    def query(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about one slice, or the one about several."""
        return super().query() if self._beside is None else (self._beside, {})

    def _hidden(self, query: Query, known: dict[Term, Any]) -> dict[Term, Any]:
        """Return which values of the indices all records of a slice have."""
        self.slice = [query.fresh(INT, "at") for _ in self.where]
        for mapping, _ in self.conditions:
            query.add(*in_range(query, mapping, self.block(query, mapping)))
        named = [variable(f"edit.{n}", CELL) for n in self.points]
        hidden = super()._hidden(query, known)
        for told, value in zip(self.where, self.slice, strict=True):
            alone = _alone(told)
            if alone is not None and alone[0].op == "attr":
                of, factor, number = alone
                hidden |= {substitute(of, {"c": x}): (value - number) * factor for x in named}
        return hidden

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the records of a slice down in which a block has the condition."""
        query, params = super().started()
        integers = [query.read(x, params) for x in self.among.integers]
        self._letters = [*integers, *self._letters]
        query.add(SolverNames(query.symbols, self._letters).holds(self.among.facts))
        for record in self.points:
            some = []
            for mapping, condition in self.conditions:
                block = self.block(query, mapping)
                query.add(*in_range(query, mapping, block))
                own = self._of_one(record, condition.predicate if condition else TRUE)
                some.append(SolverNames(query.symbols, self._letters, block).holds(own))
            here = [query.read(x, {**params, "c": params[record]}) for x in self.where]
            query.add(equal(tuple(here), tuple(self.slice)), logic.Or(*some))
        return query, params

    def _of_one(self, record: str, p: s.Predicate) -> s.Predicate:
        """Return a condition of blocks where all records are where one of them is."""
        of = {f"edit.{n}": variable(f"edit.{record}", CELL) for n in self.points}
        letters, beside = self.finder.letters, len(self.among.integers)

        def same(x: s.KernelTerm) -> s.KernelTerm | None:
            if not isinstance(x, s.LetterAt):
                return None
            there = substitute(letters[x.number - beside - 1], of)
            number = letters.index(there) + beside + 1 if there in letters else x.number
            return s.LetterAt(number, x.at)

        return s.rewritten(p, same)

    def chosen(
        self, query: Query, params: dict[str, Any], block: Sequence[Any], values: Sequence[Any]
    ) -> None:
        """Say which values functions have; the integers of the edit are none."""
        super().chosen(query, params, block, values[len(self.among.integers) :])

    def block_with(self, query: Query, mapping: BoundMap, p: s.Predicate) -> dict[str, Any]:
        """Say that a block of the slice has a condition."""
        block = self.block(query, mapping)
        query.add(*in_range(query, mapping, block))
        query.add(SolverNames(query.symbols, self._letters, block).holds(p))
        return dict(zip((n for n, _ in mapping.indices), block, strict=True))

    def block(self, query: Query, mapping: BoundMap) -> list[Any]:
        """Return any block of the slice."""
        here = dict(zip(self.at[mapping.name], self.slice, strict=True))
        every = [index_variable(n) for n in range(1, len(mapping.indices) + 1)]
        block = [here[n] if n in here else query.fresh(INT, "i") for n in every]
        names = {n.name: x for n, x in zip(every, block, strict=True)}
        query.add(*(equal(query.read(x, names), at) for x, at in here.items() if x not in every))
        return block

    def guarded(self) -> bool:
        """Prove it of one slice, and that two of them have nothing to do with each other."""
        return super().guarded() and self.slices_apart()

    def slices_apart(self) -> bool:
        """Prove that records of two slices differ, that no limit counts both, and that both can be.

        They are changed by one edit, with the same parameters, and where functions have chosen
        values these are of different arguments.
        """
        self._beside, _ = super().query()
        try:
            query, first = self.started()
            mine, here, new = self.slice, self._written_records(first), self._free
            query, second = self.started()
            new = {kind: [*values, *self._free.get(kind, [])] for kind, values in new.items()}
            for values in new.values():
                query.add(*[logic.Not(equal(a, b)) for a, b in itertools.combinations(values, 2)])
            query.add(logic.Not(equal(tuple(mine), tuple(self.slice))))
            there = self._written_records(second)
            goals = [equal(first[n], second[n]) for n, _ in self.said_of_cells()]
            for (side, one), (other_side, other) in itertools.product(here, there):
                goals.append(logic.Not(equal(one, other)))
                if side == other_side:
                    goals.append(logic.Not(self.tied(query, one, other)))
            for a, b in itertools.product(self.values_chosen(), repeat=2):
                if a.args[0] == b.args[0]:
                    taken = (self.arguments(query, a, first), self.arguments(query, b, second))
                    goals.append(logic.Not(equal(*taken)))
            query.add(logic.Not(logic.And(*goals)))
            return self.never(query)
        finally:
            self._beside = None

    def _written_records(self, params: dict[str, Any]) -> list[tuple[bool, GroundCell]]:
        """Return the records of a slice, and whether D holds them."""
        return [(n < self.going, params[p]) for n, p in enumerate(self.points)]


class SlicePiles(SlicePlacing, PilePlacing):
    """All records of each slice are the same one, or alike but for their names, or half of them."""

    def _written_records(self, params: dict[str, Any]) -> list[tuple[bool, GroundCell]]:
        """Return the records of a slice, of those that are alike one, and whether D holds them."""
        query, _ = self.query()
        piles = self.piles(query, params[self.points[0]])
        return [(not comes, record) for record, _, comes in piles]
