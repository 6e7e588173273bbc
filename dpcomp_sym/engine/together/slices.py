"""Blocks with several indices, where few records change for each value of some of these.

Where a user is in one place at a time, the blocks of a time and a place that change are, for each
time, those of at most two records: the one that was there, and the one that is.  So the place of a
block that changes is one of two functions of its time.  A *slice* is what blocks with one value of
these indices, here the time, hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.integers import TooManyError
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import records_in
from dpcomp_sym.engine.together import records_anywhere
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import TRUE, ChangeCondition, Chosen, Finder
from dpcomp_sym.engine.together.naming import named_records, names_of_records
from dpcomp_sym.engine.together.placing import in_range
from dpcomp_sym.engine.together.record_placing import RecordPlacing
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
    variable,
)

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Among", "Sliced", "of_slices", "records_in_slice", "slicing"]

MOST_RECORDS: Final = 4
"""Of more records a slice has no names."""
Indices = tuple[int, ...]


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


def slicing(mapping: BoundMap, at: Indices) -> tuple[Term, ...] | None:
    """Return which terms of a record say in which slice it lies; None if some index is not told.

    >>> from dpcomp_sym.model import Domain, Map
    >>> stays = Domain({"time": "int", "place": "Place"})
    >>> member = "time(c) == i and region(place(c)) == j"
    >>> of = {"region": (["Place"], "int")}
    >>> cells = Map("cells", member, {"i": "k", "j": "m"}, of).bind(stays)
    >>> [term.op for term in slicing(cells, (1,))], slicing(cells, (1, 2)) is None
    (['attr'], False)
    """
    told = _told(mapping)
    return None if set(at) - told.keys() else tuple(told[n][0] for n in at)


def _told(mapping: BoundMap) -> dict[int, tuple[Term, Term]]:
    """Return, for indices that a record has one value of, what it is, and the equation for it."""
    parts = conjuncts(mapping.member)
    found: dict[int, tuple[Term, Term]] = {}
    for number, (name, _) in enumerate(mapping.indices, 1):
        naming = [x for x in parts if name in free_variables(x)]
        if len(naming) != 1 or naming[0].op != "eq":
            continue
        for side, other in (naming[0].terms, naming[0].terms[::-1]):
            if side == variable(name, INT) and free_variables(other) == {"c"}:
                found[number] = other, naming[0]
    return found


def records_in_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], at: Indices
) -> Number | None:
    """Return how many records a frame changes in all blocks with the same values of some indices.

    Maps tell for each record which values these are (:func:`slicing`), all of them the same; of
    several maps all records count, since those of one may not be those of another.
    """
    told = {slicing(m, at) for m in maps}
    terms = told.pop()
    if told or terms is None or edit.frame is None:
        return None
    names = [variable(f"at.{n}", INT) for n in at]
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
    tried = (_of_slice(structure, edit, maps, among, at) for at in _choices(maps))
    found = [x for x in tried if x is not None]
    return next((x for x in found if x.attained), found[0] if found else None)


def _choices(maps: Sequence[BoundMap]) -> Iterator[Indices]:
    """Yield indices to slice by: some that records have one value of, and not all there are."""
    known = [_told(m) for m in maps]
    told = sorted(set.intersection(*(set(x) for x in known)))
    for number in range(1, max(len(m.indices) for m in maps)):
        for at in itertools.combinations(told, number):
            sizes = {tuple(m.sizes[n - 1] for n in at) for m in maps}
            if len(sizes) == len({slicing(m, at) for m in maps}) == 1:
                yield at


def _of_slice(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among, at: Indices
) -> Sliced | None:
    cut = [m for m in maps if len(m.indices) > len(at)]  # one slice is no single block of these
    number = records_in_slice(structure, edit, maps, at)
    if number is None or number == 0:
        return None
    few = number if isinstance(number, int) and number <= MOST_RECORDS else 1
    if few != number and among.integers:
        return None  # what is chosen several times are integers, or functions
    found = _conditions(structure, edit, maps, among, at, few)
    if found is None:
        return None
    finder, said = found
    terms = (*among.integers, *map(finder.named, finder.letters))
    if few != number:
        sliced = slicing(cut[0], at) or ()
        known = among.conditions[0] if len(maps) == 1 else TRUE
        attained = records_anywhere(structure, edit, maps, number, known, slices=sliced)
        return Sliced(terms, among.facts, said, attained, number)
    wholes = [ChangeCondition(((p, Chosen(())),)) for p in said]
    placing = SlicePlacing(structure, finder, list(zip(maps, wholes, strict=True)), TRUE)
    placing.at, placing.where, placing.among = at, slicing(cut[0], at) or (), among
    return Sliced(terms, among.facts, said, placing.holds())


def _conditions(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], among: Among, at: Indices,
    number: int,
) -> tuple[Finder, tuple[s.Predicate, ...]] | None:  # fmt: skip
    """Return which blocks hold one of so many records that have names for each slice."""
    records = names_of_records(number)
    finder = Finder(structure, named_records(edit, number), functions_of=at, records=records)
    said = list(among.conditions)
    for n, mapping in enumerate(maps):
        if len(mapping.indices) == len(at):
            continue
        equations = [_told(mapping)[place][1] for place in at]
        rest = conjunction([x for x in conjuncts(mapping.member) if x not in equations])
        try:
            condition = finder.of_points(replace(mapping, member=rest))
        except TooManyError:
            return None
        if condition is None:
            return None
        if condition.predicate == TRUE:
            continue  # all blocks of a slice
        said[n] = _after(condition.predicate, len(among.integers))
        if among.conditions[n] != TRUE:
            said[n] = s.Connected("and", (*flat(among.conditions[n]), said[n]))
        if not _holds(structure, edit, finder, mapping, said[n], among):
            return None
    if not finder.letters or tuple(said) == among.conditions:
        return None
    return finder, tuple(said)


def _after(p: s.Predicate, letters: int) -> s.Predicate:
    """Return a condition with functions that are numbered after so many other letters."""

    def moved(x: s.KernelTerm) -> s.KernelTerm | None:
        return s.LetterAt(x.number + letters, x.indices) if isinstance(x, s.LetterAt) else None

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
    at: Indices = ()
    """By which indices of the blocks these are sliced."""
    where: Sequence[Term] = ()
    """Which values of them a record has, as terms over ``c``."""
    among: Among
    """Some block of each slice has its condition, and no slice without one changes."""
    _beside: Query | None = None
    """A question about several slices."""

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        edit, domain = self.finder.edit, self.structure.problem.domain
        facts = (*domain.fact_terms, *(f for m, _ in self.conditions for f in m.facts))
        if domain.size or any(x.op != "attr" for x in self.where):
            return False
        if reads_database(edit.guard, edit.frame or FALSE, edit.step, *facts):
            return False
        return super().holds()

    def query(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about one slice, or the one about several."""
        return super().query() if self._beside is None else (self._beside, {})

    def _hidden(self, query: Query, known: dict[Term, Any]) -> dict[Term, Any]:
        """Return which values of the indices all records of a slice have."""
        self.slice = [query.fresh(INT, "at") for _ in self.at]
        for mapping, _ in self.conditions:
            query.add(*in_range(query, mapping, self.block(query, mapping)))
        named = [variable(f"edit.{n}", CELL) for n in self.points]
        return super()._hidden(query, known) | {
            substitute(x, {"c": name}): value
            for x, value in zip(self.where, self.slice, strict=True)
            for name in named
        }

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the records of a slice down in which a block has the condition."""
        query, params = super().started()
        integers = [query.read(x, params) for x in self.among.integers]
        self._letters = [*integers, *self._letters]
        query.add(SolverNames(query.symbols, self._letters).holds(self.among.facts))
        some = []
        for (mapping, _), known in zip(self.conditions, self.among.conditions, strict=True):
            block = self.block(query, mapping)
            query.add(*in_range(query, mapping, block))
            some.append(SolverNames(query.symbols, self._letters, block).holds(known))
        query.add(logic.Or(*some))
        return query, params

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
        here = dict(zip(self.at, self.slice, strict=True))
        every = range(1, len(mapping.indices) + 1)
        return [here[n] if n in here else query.fresh(INT, "i") for n in every]

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
