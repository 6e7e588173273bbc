"""Blocks of which a limit on distinct values says how many rows of them change.

Where a user has at most m devices, and any number of records on each, the blocks of a device and a
day that change are all days of at most 2m devices: those of D, and those of D*.  So the integers
that a limit tells apart are chosen so often, and all blocks change that have a condition for one
choice of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.integers import TooManyError
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import components, in_solver, number_of, tells, values_of_limit
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import (
    TRUE,
    Finder,
    function_of,
    has_indices,
    index_variable,
)
from dpcomp_sym.engine.together.frame_placing import FramePlacing
from dpcomp_sym.engine.together.naming import names_of_records
from dpcomp_sym.engine.together.record_placing import half_of
from dpcomp_sym.engine.together.trimming import Trimming
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundMap
from dpcomp_sym.profile import Number
from dpcomp_sym.smt import logic
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Term,
    conjunction,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["OfValues", "of_values"]


@dataclass(frozen=True)
class OfValues:
    """Which blocks hold the records that change, by integers of these of which there are few.

    ``terms`` are integers of a record, which has a name; there are at most ``number`` choices of
    them among the records that change.  ``attained``: for any so many all blocks with their
    conditions change in one pair of neighbours.
    """

    terms: tuple[Term, ...]
    facts: s.Predicate
    conditions: dict[str, s.Predicate]
    number: Number
    attained: bool


def of_values(structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]) -> OfValues | None:
    """Return which blocks a frame changes by integers of which a limit allows few values.

    None if no limit says so.  What is attained comes first.
    """

    def find() -> OfValues | None:
        limits = structure.problem.domain.distinct_terms
        tried = (_of_limit(structure, edit, maps, limit) for limit in limits)
        found = [x for x in tried if x is not None]
        return next((x for x in found if x.attained), found[0] if found else None)

    return structure.once("few values", edit, *(m.name for m in maps), find=find)


def _of_limit(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], limit: BoundDistinct
) -> OfValues | None:
    if edit.frame is None or any(m.image is not None for m in maps):
        return None
    read = {x for m in maps for x in subterms(m.member) if x.op == "attr" and x.sort != BOOL}
    known = [x for x in sorted(read, key=repr) if tells(structure, edit, limit, [x])]
    domain, told = structure.problem.domain, {str(x.args[0]) for x in known}
    known += [
        x for x in components(limit.of)
        if x.sort == INT and x.op != "attr" and not attributes_read(domain, x) <= told
    ]  # fmt: skip
    number = values_of_limit(structure, edit, WHOLE, limit) if known else None
    if number is None:
        return None
    names = [variable(f"at.{n}", x.sort) for n, x in enumerate(known, 1)]
    is_there = [Term("eq", pair, BOOL) for pair in zip(known, names, strict=True)]
    chosen = replace(
        edit,
        params=(*edit.params, *((x.name, x.sort) for x in names)),
        frame=conjunction([edit.frame, *is_there]),
    )
    placing = _placing(structure, chosen, maps, apart=number != 1)
    if placing is None:
        return None
    placing.number, placing.of = number, limit
    at = {f"edit.{x.name}": term for x, term in zip(names, known, strict=True)}
    terms = tuple(substitute(x, at) for x in placing.finder.letters)
    indices = {index_variable(n).name for x in terms for n in function_of(x)}
    if not terms or not all("c" in free_variables(x) <= {"c", *indices} for x in terms):
        return None
    trim = Trimming(structure, len(terms))
    conditions = {
        m.name: trim.trimmed(c.predicate, TRUE, m.sizes)
        for m, c in placing.conditions if c is not None
    }  # fmt: skip
    (record,) = (variable(name, CELL) for name in names_of_records(1))
    if not all(_holds(structure, edit, terms, p, m) for m, p in zip(maps, conditions.values(),
                                                                    strict=True)):  # fmt: skip
        return None
    named = tuple(substitute(x, {"c": record}) for x in terms)
    # An integer that is taken for a function is one: not all functions occur.
    attained = not placing.finder.functions_of and placing.holds()
    return OfValues(named, TRUE, conditions, number, attained)


def _placing(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], *, apart: bool
) -> ValuesPlacing | None:
    """Return neighbours to write down, for an edit of which the integers are parameters.

    ``apart``: by integers alone, or functions alone.
    """
    finder = Finder(structure, edit)
    try:
        found = [(m, finder.of_frame(m)) for m in maps]
        if finder.mixed and (apart or any(x is None for _, x in found)):
            finder = Finder(structure, edit, functions_of=finder.mixed)
            found = [(m, finder.of_frame(m)) for m in maps]
    except TooManyError:
        return None
    if any(condition is None for _, condition in found):
        return None
    return ValuesPlacing(structure, finder, found, TRUE)


def _holds(
    structure: Structure, edit: BoundEdit, terms: Sequence[Term], p: s.Predicate, mapping: BoundMap
) -> bool:
    """Prove that each block that holds a record that changes has a condition, for its integers."""
    pair = structure.pair(edit)
    query, cell = pair.query, pair.query.cell("z")
    query.add(pair.old(cell) != pair.new(cell))
    block = pair.index(mapping)
    query.add(pair.member(mapping, cell, block))
    names = {index_variable(n).name: b for n, b in enumerate(block, 1)}
    letters = [
        query.read(x, {**pair.params, **names, "c": cell}) if has_indices(x, block) else None
        for x in terms
    ]
    query.add(logic.Not(SolverNames(query.symbols, letters, block).holds(p)))
    return structure.unsat(query)


class ValuesPlacing(FramePlacing):
    """The cells of all blocks for so many choices of the integers; D holds some, D* the others.

    The edit has these integers as parameters, or they are values of functions of what these are.
    """

    number: Number = 1
    """How many choices there are."""
    of: BoundDistinct
    """The limit that says so."""

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        domain = self.structure.problem.domain
        facts = (*domain.fact_terms, *(f for m, _ in self.conditions for f in m.facts))
        if domain.size or domain.limit_terms or domain.distinct_terms != (self.of,):
            return False
        return not reads_database(*facts) and self.chosen_apart() and super().holds()

    def chosen_apart(self) -> bool:
        """Return whether each choice has values of functions of its own, if it has any.

        They are of different records then, of which there are as many as there are choices.
        """
        letters = self.finder.letters
        if all(x.op == "var" for x in letters):
            return True
        known = self.structure.signature.constants
        names = {str(x.args[0]) for x in letters}
        read = {x for m, _ in self.conditions for x in subterms(m.member) if x.op == "apply"}
        return (
            len(names) == len(letters) == len({x for x in read if str(x.args[0]) in names})
            and all(y.op == "var" and not known(y.sort) for x in letters for y in x.terms)
            and all(map(self.is_of_members_alone, names))
        )

    def hold(self) -> bool:
        """Ask all that must be impossible of the cells that are chosen."""
        if not self.written():
            return False
        ways = [self.all_step(1, 0), self.all_step(0, 1)]
        each = half_of(self.number) if all(ways) else self.number if any(ways) else None
        return each is not None and self.allows(each) and self.untied()

    def allows(self, number: Number) -> bool:
        """Prove that the limit allows so many choices in one database."""
        query, _ = self.query()
        bound = number_of(self.structure, self.of.at_most)
        if bound is None:
            return False
        query.add(in_solver(query, bound) < in_solver(query, number))
        return self.never(query)

    def untied(self) -> bool:
        """Prove that the limit counts the cells of one choice once."""
        pairs = itertools.combinations_with_replacement(self.cases, 2)
        return all(self.counted_once(a, b) for a, b in pairs)

    def counted_once(self, first: Any, second: Any) -> bool:
        """Prove that two cells of one choice are one for the limit."""
        query, params = self.started()
        cells = [self.setting(query, params, case) for case in (first, second)]
        query.add(self.tied(query, *cells))
        return self.never(query)
