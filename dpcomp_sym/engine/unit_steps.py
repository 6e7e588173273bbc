"""How far a record walks along an integer, in single steps of another granularity.

Where a salary changes by up to s, and a mechanism is private for changes by one, the way is at
most s edits long: from each place between the two the next one is an edit away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from dpcomp_sym.model import BoundEdit, BoundPart, Universe
from dpcomp_sym.profile import Number, Symbolic
from dpcomp_sym.smt import GroundCell, Pair, Query, View, logic
from dpcomp_sym.smt.query import Signature, equal, unequal
from dpcomp_sym.terms import CELL, FALSE, INT, TRUE, Term, subterms
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer, variable

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["moves_one", "walked", "walks_all"]

Look = Callable[[Pair], View]
"""Makes what a part sees of a pair of neighbours."""


def walked(structure: Structure, edit: BoundEdit, part: BoundPart, look: Look) -> Number | None:
    """Return how many inner edits lead at most from one image to the other; None if not found.

    Args:
        structure: the questions about the problem.
        edit: moves one record.
        part: whose granularity counts the edits.
        look: makes what the part sees, where it shows both records that the edit names.

    Integers must be free (a full product), and no limit may look at the one that changes.
    """
    if not moves_one(edit) or not _walkable(structure, part):
        return None
    first, edits = structure.trail.first, part.granularity.edits
    steps = [e for e in edits if moves_one(e) and len(e.params) == len(e.points)]

    def far(attribute: str) -> Number | None:
        if not _along(structure, edit, attribute, look):
            return None
        most = first(
            "at most", _bounds(structure, edit),
            lambda n: n if _at_most(structure, edit, attribute, n, look) else None, to_text,
        )  # fmt: skip
        step = most and first(
            "each step", steps,
            lambda step: _each_step(structure, edit, step, attribute, part, look),
            lambda step: f"edit {edits.index(step) + 1}",
        )  # fmt: skip
        if not most or not step:
            return None
        return most.number if most.op == "int" else Symbolic(most.name, 1)

    along = [a for a, sort in part.domain.attribute_sorts.items() if sort == INT]
    return first("along", along, far) or None


def walks_all(structure: Structure, edit: BoundEdit, part: BoundPart, far: Symbolic) -> str | None:
    """Prove that some record walks so far that no fewer inner edits do, whatever the symbol is.

    The answer is the integer along which it walks, None if there is none.

    The only record of a database walks up along an integer.  The sum of this integer over all
    records changes by at most one with each inner edit.  Any record that may be there, in some
    block, may walk; that there is one, whatever the symbol is, is not shown here.
    """
    domain, mapping = structure.problem.domain, part.map
    restricted = domain.size or domain.facts or part.domain.size or mapping.image is not None
    if restricted or far.factor != 1 or far.by or not moves_one(edit):
        return None
    if not _walkable(structure, part) or len(edit.params) != len(edit.points):
        return None
    walks = (
        attribute
        for attribute, sort in part.domain.attribute_sorts.items()
        if sort == INT
        and _changes_by_one(structure, part, attribute)
        and _may_walk(structure, edit, part, attribute, far.symbol)
    )
    return next(walks, None)


def _changes_by_one(structure: Structure, part: BoundPart, attribute: str) -> bool:
    """Prove that an inner edit changes the sum of an integer over all records by at most one."""
    key = Term("attr", (attribute, variable("c", CELL)), INT)
    for edit in part.granularity.edits:
        if edit.frame is not None:
            return False
        domain = part.granularity.domain
        query = Query(Signature(domain, structure.signature.signatures), domain.symbol_terms)
        pair = Pair(query, edit, ())
        change = sum(
            (delta * query.read(key, {"c": point})
             for delta, point in zip(pair.deltas, pair.points, strict=True)), logic.IntVal(0),
        )  # fmt: skip
        query.add(logic.Or(change > 1, change < -1))
        if query.check() != logic.unsat:
            return False
    return True


def _may_walk(
    structure: Structure, edit: BoundEdit, part: BoundPart, attribute: str, symbol: str
) -> bool:
    """Prove that a record may walk by a symbol, alone in its database, within its block."""
    pair = structure.pair(BoundEdit((), TRUE, (), FALSE))
    query, domain = pair.query, structure.problem.domain
    start = query.cell("z")
    place = query.positions[attribute]
    end = query.possible(_moved(start, place, start[place] + query.symbols[symbol]))
    block = pair.index(part.map)
    query.add(pair.member(part.map, start, block))

    def held(cell: GroundCell) -> Any:
        return logic.If(equal(cell, start), 1, 0)

    goes, comes = (p for p, _ in sorted(edit.change, key=lambda change: change[1].number))
    params, alone = {goes: start, comes: end}, {"D": (held, lambda: logic.IntVal(1))}
    goals = [
        query.read(domain.cell_term, {"c": end}), query.read(edit.guard, params, alone),
        query.present(end), pair.member(part.map, end, block),
        *(query.read(f, {"c": end}) for m in pair.maps for f in m.facts),
        *(query.read(most) >= 1 for d in (domain, part.domain) for _, most in d.limit_terms),
    ]  # fmt: skip
    query.add(logic.Not(logic.And(*goals)))
    return structure.unsat(query)


def moves_one(edit: BoundEdit) -> bool:
    """Return whether an edit takes one record away and adds another one."""
    deltas = [d.number for _, d in edit.change if d.op == "int"]
    return len(edit.change) == len(deltas) and sorted(deltas) == [-1, 1]


def _walkable(structure: Structure, part: BoundPart) -> bool:
    outer = structure.problem
    both_ways = not (part.granularity.directed or outer.outer.directed)
    free = outer.domain.universe is Universe.PRODUCT and not part.domain.facts
    return part.map.image is None and both_ways and free


def _from_to(edit: BoundEdit, params: Any) -> tuple[Any, Any]:
    """Return the record that goes, and the one that comes."""
    (first, delta), (second, _) = edit.change
    ends = params[first], params[second]
    return ends if delta.number < 0 else ends[::-1]


def _along(structure: Structure, edit: BoundEdit, attribute: str, look: Look) -> bool:
    """Prove that nothing but one attribute of the record changes."""
    pair = structure.pair(edit)
    view = look(pair)
    start, end = _from_to(edit, pair.params)
    place = view.positions[attribute]
    pair.query.add(unequal(_moved(start, place, end[place]), end))
    return structure.unsat(pair.query)


def _bounds(structure: Structure, edit: BoundEdit) -> Iterator[Term]:
    """Yield candidates for a bound on the steps: numbers and symbols of the guard, from 1 on."""
    inner = list(subterms(edit.guard))
    yield from map(integer, sorted({t.number for t in inner if t.op == "int" and t.number > 0}))
    symbols = structure.problem.symbols
    for name in dict.fromkeys(t.name for t in inner if t.name in symbols):
        query = Query(structure.signature, symbols)
        query.add(query.symbols[name] < 1)
        if structure.unsat(query):
            yield variable(name, INT)


def _at_most(
    structure: Structure, edit: BoundEdit, attribute: str, bound: Term, look: Look
) -> bool:
    """Prove a bound of the change."""
    pair = structure.pair(edit)
    view = look(pair)
    start, end = (cell[view.positions[attribute]] for cell in _from_to(edit, pair.params))
    most = pair.query.read(bound)
    pair.query.add(logic.Or(end - start > most, start - end > most))
    return structure.unsat(pair.query)


def _each_step(
    structure: Structure, edit: BoundEdit, step: BoundEdit, attribute: str, part: BoundPart,
    look: Look,
) -> bool:  # fmt: skip
    """Prove that from each place between the two the next one is an edit away, and in the class.

    The record has walked to z, which is a record of the block; the next place must be one, too.
    """
    for upwards in (True, False):
        pair = structure.pair(edit)
        query, view = pair.query, look(pair)
        start, end = _from_to(edit, pair.params)
        place = view.positions[attribute]
        here = view.cell("z")
        query.add(equal(_moved(start, place, here[place]), here))
        if upwards:
            query.add(start[place] <= here[place], here[place] < end[place])
        else:
            query.add(start[place] >= here[place], here[place] > end[place])
        there = query.possible(_moved(here, place, logic.plus(here[place], 1 if upwards else -1)))

        def held(cell: GroundCell, v: View = view, a: Any = start, b: Any = here) -> Any:
            gone, come = logic.If(equal(cell, a), 1, 0), logic.If(equal(cell, b), 1, 0)
            return logic.plus(v.old(cell), come - gone)

        goes, comes = (p for p, _ in sorted(step.change, key=lambda change: change[1].number))
        size = view.sizes()[0]
        needed = [
            *[query.read(d.cell_term, {"c": there}) for d in (pair.domain, part.domain)],
            view.member(there),
            query.read(step.guard, {goes: here, comes: there}, {"D": (held, lambda n=size: n)}),
            *_room(view, part, start, there),
        ]
        query.add(logic.Not(logic.And(*needed)))
        if not structure.unsat(query):
            return False
    return True


def _room(view: View, part: BoundPart, start: GroundCell, there: GroundCell) -> Iterator[Any]:
    """Yield that a record may stand there in the place of the one that was at the start."""
    query, domain = view.query, part.domain
    if domain.cap is not None:
        yield logic.compared("le", logic.plus(view.old(there), 1), domain.cap)
    for key, _ in domain.limit_terms:
        yield equal(query.read(key, {"c": there}), query.read(key, {"c": start}))
    for of, each, _ in domain.distinct_terms:
        for key in (each, of):
            yield equal(query.read(key, {"c": there}), query.read(key, {"c": start}))


def _moved(cell: GroundCell, place: int, value: Any) -> GroundCell:
    return (*cell[:place], value, *cell[place + 1 :])
