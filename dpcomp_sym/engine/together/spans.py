"""How far a part sees a block that changes: as many steps as there are values among the changes.

Where one edit of the part changes all records with one value of an attribute at will, databases are
no farther apart than values occur among the records that differ: one value after the other is
changed.  Where one record comes or goes after the other, and a limit says how many there may be
with one value, they are no farther apart than that many times as many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.integers import Ends
from dpcomp_sym.engine.records import records_of_one_value
from dpcomp_sym.engine.together.find import ChangeCondition, Finder
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import Number, Symbolic, Total
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import CELL, INT, Term, reads_database

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "changes_one_value", "number_of", "only_one_value", "span", "spanning", "steps_of_one_value",
    "values_apart",
]  # fmt: skip


def span(
    structure: Structure,
    finder: Finder,
    mapping: BoundMap,
    part: BoundPart,
    condition: ChangeCondition,
) -> s.Whole | None:
    """Return a proved bound of the distance at which a part sees a block that changes."""
    if mapping.image is not None:
        return None  # an image need not have the attributes that change
    for term, ends in _ended(condition, structure.problem.domain.attribute_sorts):
        length = finder.length(mapping, ends)
        if length is None or not values_apart(structure, finder, mapping, term, length):
            continue
        if spanning(structure, part, term):
            return length
        steps = steps_of_one_value(structure, finder.edit, part, term)
        if steps is not None:
            return times(steps, length)
    return None


def steps_of_one_value(
    structure: Structure, edit: BoundEdit, part: BoundPart, term: Term
) -> Number | None:
    """Return how many steps of a part change all records in a block with one value of a term.

    A step for each record; no more come or go than a limit allows that counts each value by itself.
    """
    only = len(structure.problem.domain.limit_terms) == 1  # several may together allow fewer
    simple = only and part.map.image is None and part.default_class and one_by_one(part)
    return records_of_one_value(structure, edit, part.map, term) if simple else None


def number_of(length: s.Whole) -> int | None:
    """Return the number that a length is, None where it depends on something.

    >>> number_of(times(2, s.Integer(3))), number_of(times(2, s.Symbol("w")))
    (6, None)
    """
    match length:
        case s.Integer(value):
            return value
        case s.Combined("mul", items):
            found = [number_of(x) for x in items]
            known = [n for n in found if n is not None]
            return prod(known) if len(known) == len(found) else None
        case _:
            return None


def times(number: Number, length: s.Whole | None = None) -> s.Whole:
    """Return so many times a length as theorems state integers, or the number itself.

    >>> times(Symbolic("m", 2)).text(), times(3).text(), times(1, s.Symbol("w")).text()
    ('2*m', '3', 'w')
    """
    if isinstance(number, Total):
        return s.Combined("add", tuple(times(n, length) for n in number.terms))
    symbols = number.symbols if isinstance(number, Symbolic) else ()
    factor = number.factor if isinstance(number, Symbolic) else number
    beside: list[s.Whole] = [*map(s.Symbol, symbols), *([] if length is None else [length])]
    items = [s.Integer(factor), *beside] if factor != 1 or not beside else beside
    return items[0] if len(items) == 1 else s.Combined("mul", tuple(items))


def _ended(condition: ChangeCondition, attributes: Collection[str]) -> Iterator[tuple[Term, Ends]]:
    """Yield attributes of the cell that changes, with what bounds them."""
    if len(condition.cases) == 1:
        for term, ends in condition.cases[0][1].ends:
            real = term.op == "attr" and term.name in attributes  # no quotient of one
            if real and ends.lows and ends.highs:
                yield term, ends


def spanning(structure: Structure, part: BoundPart, term: Term) -> bool:
    """Prove that one edit of a part changes all records with one value of a term arbitrarily."""
    domain = part.domain
    free = not (domain.size or domain.limited)
    free = free and not any(map(reads_database, domain.fact_terms))
    if part.setting != "separate" or part.map.image is not None or not free:
        return False
    return any(changes_one_value(structure, e, term) for e in part.granularity.edits)


def changes_one_value(structure: Structure, edit: BoundEdit, term: Term) -> bool:
    """Prove that an edit, with the value as its parameter, may change all records that have it.

    Of records with other values the frame may hold some, too: these may stay as they are.
    """
    if edit.frame is None or len(edit.params) != 1 or edit.params[0][1] != INT:
        return False
    if reads_database(edit.guard, edit.frame, edit.step):
        return False
    query = Query(structure.signature, structure.problem.symbols)
    cell = query.cell("z")
    query.add(query.read(structure.problem.domain.cell_term, {"c": cell}))
    names: dict[str, Any] = {edit.params[0][0]: query.read(term, {"c": cell}), "c": cell}
    old, new = (query.fresh(INT, name) for name in ("old", "new"))
    query.add(old >= 0, new >= 0)
    step = query.read(edit.step, {**names, "old": old, "new": new})
    here = (query.read(edit.guard, names), query.read(edit.frame, names), step)
    other = query.cell("z")
    query.add(query.read(structure.problem.domain.cell_term, {"c": other}))
    beside = {**names, "c": other}
    stays = logic.Or(
        equal(query.read(term, beside), query.read(term, names)),
        logic.Not(query.read(edit.frame, beside)),
        query.read(edit.step, {**beside, "old": old, "new": old}),
    )
    query.add(logic.Not(logic.And(*here, stays)))
    return structure.unsat(query)


def only_one_value(structure: Structure, part: BoundPart, term: Term) -> bool:
    """Prove that no edit of a part changes records with different values of a term."""
    for edit in part.granularity.edits:
        if edit.frame is None or any(sort == CELL for _, sort in edit.params):
            return False
        query = Query(structure.signature, structure.problem.symbols)
        names = {n: query.fresh(sort, n) for n, sort in edit.params}
        cells = [query.cell("z"), query.cell("z")]
        if reads_database(edit.frame):
            return False
        query.add(*[query.read(edit.frame, {**names, "c": c}) for c in cells])
        query.add(query.read(term, {"c": cells[0]}) != query.read(term, {"c": cells[1]}))
        if not structure.unsat(query):
            return False
    return True


def values_apart(
    structure: Structure, finder: Finder, mapping: BoundMap, term: Term, length: s.Whole
) -> bool:
    """Prove that the values among the records that change in a block differ by less than that."""
    pair = structure.pair(finder.edit)
    block = pair.index(mapping)
    view = pair.view(mapping, block)
    low, high = (pair.query.read(term, {"c": view.changed()}) for _ in range(2))
    asked = finder.asked(pair.query, pair.params, block)
    pair.query.add(high - low + 1 > asked.integer(length))
    return structure.unsat(pair.query)
