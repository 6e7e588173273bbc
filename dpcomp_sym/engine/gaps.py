"""Lists with gaps: from how far blocks by value are seen after an insertion.

A block that holds some values of a list keeps their positions, and gaps where others are.  The *gap
number* of a record is its position less how many records there are up to there.  An edit that
inserts one record, and moves along all that are at its place or later, changes no gap number of
any other record: both sides of the difference grow by one.  So an edit adds one gap number to those
that there are, or takes one away.

D is a, b, b over and over, D* has another b in front, and the block holds a and not b.  There D
has the gap numbers 0, 2, 4, ..., and D* has 1, 3, 5, ...: with n times a they are 2n edits apart.
So an own mechanism has no guarantee, though any two such blocks are at a finite distance.  Before
that there may be some records, where the block holds others: they are the same in both.

A claim here only ever makes a proved upper bound "exact"; no bound rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.covering import near_integers
from dpcomp_sym.engine.written_lists import inside_and_beside, list_attributes
from dpcomp_sym.finite.world import Index
from dpcomp_sym.model import (
    BoundEdit,
    BoundGranularity,
    BoundMap,
    BoundPart,
    Domain,
    Problem,
    Universe,
)
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import BOOL, CELL, INT

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["gaps_grow"]


def gaps_grow(structure: Structure, edit: BoundEdit, part: BoundPart, index: Index) -> bool:
    """Prove that an edit changes gaps in a block so that a part sees it from as far as one likes.

    It is proved for all numbers of symbols for which there is the block.
    """
    problem, mapping = structure.problem, part.map
    if part.setting == "common" or mapping.image is not None or mapping.multiplicity is not None:
        return False
    if problem.domain.universe is not Universe.PRODUCT:
        return False
    inner, outer = mapping.within(part.granularity, index), problem.outer
    later = max((1, *near_integers(problem)))  # where no place is compared with a number any more
    return any(
        _kept(problem, mapping, index, {other: held}, (place, first), holds=True)
        and _kept(problem, mapping, index, {other: beside}, (place, first), holds=False)
        and all(_inserts(own, inner, place) for own in inner.edits)
        and _goes_on(problem, part, index, place)
        and _all_insertions(edit, outer, place, first)
        and _allows_lists(outer.domain, place)
        for place, other in list_attributes(problem, edit)
        for first in (1, later)
        for held, beside in inside_and_beside(problem, mapping, index, (place, other), first)
    )


def _query(domain: Domain) -> Query:
    return Query(Signature(domain, domain.signatures), domain.symbol_terms)


def _impossible(query: Query, *formulas: Any) -> bool:
    return bool(query.check(*formulas) == logic.unsat)


def _moved(domain: Domain, cell: GroundCell, place: str, by: int) -> GroundCell:
    """Return a tuple with another number as its place."""
    at = domain.positions[place]
    return (*cell[:at], cell[at] + by, *cell[at + 1 :])


def _inserted(query: Query, place: str, at: Any, inserted: GroundCell, cell: GroundCell) -> Any:
    """Return how often a cell is there after an insertion, if ``at`` tells how often before."""
    number = query.domain.positions[place]
    before = query.possible(_moved(query.domain, cell, place, -1))
    come = logic.If(query.equal(cell, inserted), logic.IntVal(1), logic.IntVal(0))
    later = logic.If(cell[number] == inserted[number], come, at(before))
    return logic.If(cell[number] < inserted[number], at(cell), later)


def _inserts(edit: BoundEdit, granularity: BoundGranularity, place: str) -> bool:
    """Prove that all that an edit ever does is to insert one record."""
    points = [name for name, sort in edit.params if sort == CELL]
    if len(points) != 1:
        return False
    query = _query(granularity.domain)
    pair = Pair(query, edit, (), limited=False)
    cell = query.cell("z")
    after = _inserted(query, place, pair.old, pair.params[points[0]], cell)
    query.add(pair.new(cell) != after)
    return _impossible(query)


def _goes_on(problem: Problem, part: BoundPart, index: Index, place: str) -> bool:
    """Prove that with a record a block may hold that with the next place: no edit loses any."""
    query, numbers = _of_block(problem, part.map, index)
    cell, own = query.cell("z"), part.granularity.domain.cell_term
    said = (problem.domain.cell_term, own, part.map.member)

    def held(cell: GroundCell) -> Any:
        return logic.And(*[query.read(term, {"c": cell, **numbers}) for term in said])

    return _impossible(query, held(cell), logic.Not(held(_moved(problem.domain, cell, place, 1))))


def _listed(query: Query, place: str) -> tuple[Any, Any]:
    """Return a list: its cells, and how many there are; places go from 1 on without gaps."""
    domain = query.domain
    sorts = [query.signature.sort(s) for s in domain.attribute_sorts.values()]
    held = logic.SolverFunction(logic.path("db", "D"), *sorts, logic.IntSort())
    size, number = query.fresh(INT, "size"), domain.positions[place]

    def at(cell: GroundCell) -> Any:
        return held(*cell)

    query.add(size >= 0)
    query.for_all_cells(lambda c: [
        query.read(domain.cell_term, {"c": c}), at(c) >= 0, at(c) <= 1,
        logic.Implies(at(c) >= 1, logic.And(c[number] >= 1, c[number] <= size)),
    ])  # fmt: skip
    query.for_all_others(lambda c: [at(c) == 0])
    return at, size


def _all_insertions(edit: BoundEdit, granularity: BoundGranularity, place: str, first: int) -> bool:
    """Prove that an edit leads from any list to that with any record more at a place.

    The list has all places before it.
    """
    points = [name for name, sort in edit.params if sort == CELL]
    if len(points) != 1 or len(edit.params) != 1 or edit.frame is None:
        return False
    query = _query(granularity.domain)
    at, size = _listed(query, place)
    front, cell = query.cell("x"), query.cell("z")
    query.add(front[query.domain.positions[place]] == first, size >= first - 1)
    params, databases = {points[0]: front}, {"D": (at, lambda: size)}
    old, new = at(cell), _inserted(query, place, at, front, cell)
    names = {**params, "c": cell, "old": old, "new": new}
    linked = logic.And(
        query.read(edit.guard, params, databases),
        logic.If(
            query.read(edit.frame, names), query.read(edit.step, names, databases), old == new
        ),
    )
    return _impossible(query, logic.Not(linked))


def _allows_lists(domain: Domain, place: str) -> bool:
    """Prove that a class has all lists of cells."""
    if domain.size or domain.distinct or domain.cap == 0:
        return False
    query = _query(domain)
    at, size = _listed(query, place)
    cell, other = query.cell("z"), query.cell("y")
    database = {"D": (at, lambda: size)}
    facts = [query.read(fact, {"c": cell}, database) for fact in domain.fact_terms]
    number = domain.positions[place]
    alone = []
    for key, most in domain.limit_terms:
        same = equal(*(query.read(key, {"c": c}) for c in (cell, other)))
        alone += [logic.Implies(same, cell[number] == other[number]), query.read(most) >= 1]
    return _impossible(query, logic.Not(logic.And(*facts, *alone)))


def _of_block(
    problem: Problem, mapping: BoundMap, index: Index
) -> tuple[Query, dict[str, Any]]:  # fmt: skip
    """Return a query about all numbers of symbols for which there is a block, and its number."""
    query = Query(Signature(problem.domain, problem.domain.signatures), problem.symbols)
    sizes = [query.symbols[n] if isinstance(n, str) else logic.IntVal(n) for n in mapping.sizes]
    query.add(*[n <= size for n, size in zip(index, sizes, strict=True)])
    return query, {
        name: logic.IntVal(n) for (name, _), n in zip(mapping.indices, index, strict=True)
    }


def _kept(
    problem: Problem, mapping: BoundMap, index: Index, values: Mapping[str, Any],
    start: tuple[str, int], *, holds: bool,
) -> bool:  # fmt: skip
    """Prove that records with some values are in X, and in a block from a place on, or nowhere.

    What they have besides is the same of all of them, and may be anything.
    """
    domain = problem.domain
    query, numbers = _of_block(problem, mapping, index)
    cell = tuple(
        _constant(query, values[name], sort) if name in values else query.fresh(sort)
        for name, sort in domain.attribute_sorts.items()
    )
    place, first = start
    number = cell[domain.positions[place]]
    query.add(number >= 1)
    inside = query.read(mapping.member, {"c": cell, **numbers})
    there = logic.And(
        query.read(domain.cell_term, {"c": cell}),
        logic.Or(number < first, inside if holds else logic.Not(inside)),
    )
    return _impossible(query, logic.Not(there))


def _constant(query: Query, value: Any, sort: str) -> Any:
    if sort == INT:
        return logic.IntVal(value)
    if sort == BOOL:
        return logic.BoolVal(value)
    return query.signature.constant(value, sort)
