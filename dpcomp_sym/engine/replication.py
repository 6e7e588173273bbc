"""Show a bound attained by replicating one changed block.

A claim here only ever makes a proved upper bound "exact"; no bound rests on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.counting import records_touched
from dpcomp_sym.model import BoundEdit, BoundMap, Domain
from dpcomp_sym.profile import ALL, Count, product_of
from dpcomp_sym.smt import Pair, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, reads_database, subterms

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Loose", "clones", "copies", "stays_as_it_is"]


class Loose(NamedTuple):
    """A part of a frame in which an attribute of what changes may be any new value.

    ``sides``: such records come or go in one of two neighbours, or in each of them.  ``through``: a
    function that gives the value something new, if any needs to.
    """

    part: Term
    attribute: str
    through: str | None = None
    sides: int = 1


def copies(mapping: BoundMap) -> bool:
    """Return whether blocks that can be renumbered can be doubled: one copy is listed.

    With ``lab(…, i)`` a block may be repeated m times with the same records, and each cell lies in
    at most m blocks as long as it lay in at most one.
    """
    return mapping.member.op == "apply" and len(mapping.indices) == 1


def clones(structure: Structure, edit: BoundEdit, mapping: BoundMap, count: Count) -> Loose | None:
    """Return where a changed cell can be repeated in as many blocks as the count says, or None.

    For some attribute, and some part of the frame, all conditions must survive a new value of
    the attribute: then copies of a changed cell there, with other values and other labels,
    change alike, while all other cells stay as they are.  ``mapping`` must have labels that can
    be renumbered, and one changed block must have been confirmed.
    """
    domain = structure.problem.domain
    if domain.size or domain.facts or edit.frame is None or mapping.image is not None:
        return None
    if (
        len(mapping.indices) != 1
        or reads_database(edit.guard, edit.frame, edit.step)
        or not stays_as_it_is(structure, edit)
    ):
        return None
    if count == ALL and domain.limits:
        return None
    # No copy has a new value of what is limited to few values.
    names = [a for a in domain.attributes if count != ALL or not _counted(domain, a)]
    found = (
        next(filter(None, (_loose(structure, edit, part, a, mapping) for a in names)), None)
        for part in _parts(edit.frame)
    )
    loose = [one for one in found if one is not None]
    if count == ALL:
        return next(iter(loose), None)
    # Up to the limit on one side, or on each side, of a pair with nothing else in it.
    records, most = records_touched(structure, edit), structure.most_blocks_a_cell(mapping)
    if records is None or not isinstance(most, int) or product_of([records, most]) != count:
        return None
    # As many blocks as may hold a cell do, where nothing else is asked of blocks.
    several = most == 1 or copies(mapping)
    single = len(domain.limits) == 1 and not domain.distinct
    if not (several and single):
        return None
    sides = 1 if any(structure.pair(edit).monotone()) else 2
    return next(
        (x._replace(sides=sides) for x in loose if _one_by_one(structure, edit, x.part, mapping)),
        None,
    )


def _counted(domain: Domain, attribute: str) -> bool:
    """Return whether a limit on distinct values looks at an attribute."""
    read = (attributes_read(domain, t) for of, each, _ in domain.distinct_terms for t in (of, each))
    return any(attribute in found for found in read)


def _parts(frame: Term) -> Iterator[Term]:
    """Yield formulas that each imply the frame, which is their disjunction."""
    yield from frame.terms if frame.op == "or" else (frame,)


def stays_as_it_is(structure: Structure, edit: BoundEdit, held: int = 0) -> bool:
    """Prove that the step lets a cell of the frame stay as it is, with so many records or none."""
    pair = structure.pair(edit)
    query = pair.query
    cell = query.cell("z")
    here = logic.IntVal(held)
    query.add(
        logic.Not(query.read(edit.step, {**pair.params, "c": cell, "old": here, "new": here}))
    )
    return bool(query.check() == logic.unsat)


def _loose(
    structure: Structure, edit: BoundEdit, part: Term, attribute: str, mapping: BoundMap
) -> Loose | None:
    """Prove that a changed cell in ``part`` of the frame may have any new value of an attribute.

    New: different from all others of its sort; for integers beyond all that occur, on one
    side.  Functions give the new value what they give the old one, but for one that gives it
    something new, and for the map's own, which send the copy to a block of choice: those that gave
    the old block, or all.
    """
    sort = structure.problem.domain.attribute_sorts[attribute]
    if sort == BOOL or sort in structure.problem.domain.enumerations:
        return None
    ways = itertools.product(
        (None, *_giving_new(structure.problem.domain, mapping, attribute)),
        (True, False) if sort == INT else (True,),
        (False, True),
    )
    return next(
        (
            Loose(part, attribute, through)
            for through, upwards, every in ways
            if _survives(
                structure, edit, part, attribute, mapping, upwards=upwards, every=every,
                through=through,
            )
        ),
        None,
    )  # fmt: skip


def _giving_new(domain: Domain, mapping: BoundMap, attribute: str) -> Iterator[str]:
    """Yield functions of the class that a map reads of an attribute alone, for their values."""
    read = (t for t in subterms(mapping.member) if t.op == "apply" and len(t.terms) == 1)
    of = ("attr", attribute)
    for name in dict.fromkeys(t.name for t in read if (t.terms[0].op, t.terms[0].name) == of):
        given = domain.signatures[name][1] if name in domain.signatures else BOOL
        if given not in (BOOL, INT) and given not in domain.enumerations:
            yield name


def _survives(
    structure: Structure, edit: BoundEdit, part: Term, attribute: str, mapping: BoundMap, *,
    upwards: bool, every: bool, through: str | None,
) -> bool:  # fmt: skip
    domain = structure.problem.domain
    sort, place = domain.attribute_sorts[attribute], list(domain.attributes).index(attribute)
    pair = structure.pair(edit)
    query = pair.query
    cell = query.cell("z")
    value = query.fresh(sort, "e")
    copy = (*cell[:place], value, *cell[place + 1 :])
    old, new = pair.old(cell), pair.new(cell)
    block, other = pair.index(mapping), pair.index(mapping)
    query.add(query.read(part, {**pair.params, "c": cell}), old != new)
    query.add(pair.member(mapping, cell, block), logic.Not(equal(block, other)))
    facts = [f for m in pair.maps for f in m.facts]
    query.add(*(query.read(f, {"c": cell}) for f in facts))
    if sort == INT:
        query.add(value > cell[place] if upwards else value < cell[place])
    else:
        query.add(*[value != t for t in _known(pair, sort)])
    _agree(structure, pair, mapping, place, cell, copy, through)
    labelled = False
    for term in {t for t in subterms(mapping.member) if t.op == "apply"}:
        if term.name not in mapping.functions or not any(
            _moves(t, attribute) or (through is not None and (t.op, t.name) == ("apply", through))
            for t in term.terms
        ):
            continue
        labelled = True
        here, there = (
            query.read(term, _named(mapping, c, i)) for c, i in ((cell, block), (copy, other))
        )
        if term.sort == INT:
            query.add(there == (other[0] if every else logic.If(here == block[0], other[0], here)))
        else:
            query.add(there == here)
    if not labelled:
        return False
    names = {**pair.params, "c": copy}
    kept = [
        query.read(edit.frame or TRUE, names),
        query.read(edit.step, {**names, "old": old, "new": new}),
        query.read(domain.cell_term, names),
        pair.member(mapping, copy, other),
        *(query.read(f, {"c": copy}) for f in facts),
    ]
    # It is not a proof where nothing of the kind changes in a block.
    survives = query.check(logic.Not(logic.And(*kept))) == logic.unsat
    return bool(survives and query.check() == logic.sat)


def _known(pair: Pair, sort: str) -> list[Any]:
    """Return what is named of a sort: parameters of the edit, and attributes of cells."""
    sorts = pair.query.domain.attribute_sorts.values()
    found = [t for n, t in pair.params.items() if dict(pair.edit.params)[n] == sort]
    return found + [t for c in pair.query.cells for t, s in zip(c, sorts, strict=True) if s == sort]


def _named(mapping: BoundMap, cell: GroundCell, index: tuple[Any, ...]) -> dict[str, Any]:
    return {**dict(zip((n for n, _ in mapping.indices), index, strict=True)), "c": cell}


def _moves(term: Term, attribute: str) -> bool:
    """Return whether a term is the attribute of ``c``, or the whole cell: then its value is new.

    What is only computed from the attribute, such as ``house(owner(c))``, may stay as it was.
    """
    return (term.op == "attr" and term.name == attribute) or (
        term.op == "var" and term.sort == CELL
    )


def _agree(
    structure: Structure, pair: Pair, mapping: BoundMap, place: int, cell: GroundCell,
    copy: GroundCell, through: str | None,
) -> None:  # fmt: skip
    """Let functions of one thing, but the map's own, give the copy what they give the cell.

    Only what goes ``through`` one of them is new, too, and others give that what they gave.
    """
    sort = list(structure.problem.domain.attribute_sorts.values())[place]
    query, signatures = pair.query, structure.signature.signatures
    apply = query.signature.apply
    alike = [(sort, cell[place], copy[place]), (CELL, cell, copy)]
    if through is not None:
        given = signatures[through][1]
        here, there = (apply(through, [c[place]]) for c in (cell, copy))
        query.add(there != here, *[there != t for t in _known(pair, given)])
        alike.append((given, here, there))
    for name, (arguments, _) in signatures.items():
        for kind, left, right in alike:
            if arguments == (kind,) and name not in mapping.functions and name != through:
                query.add(apply(name, [left]) == apply(name, [right]))


def _one_by_one(structure: Structure, edit: BoundEdit, part: Term, mapping: BoundMap) -> bool:
    """Return whether single records come and go in one part of the frame, and in blocks.

    Both at once, where the limit was counted on both sides.
    """
    pair = structure.pair(edit)
    query = pair.query
    falling, rising = pair.monotone()
    for old, new in [(0, 1)] * (not falling) + [(1, 0)] * (not rising):
        cell = query.cell("w")
        query.add(query.read(part, {**pair.params, "c": cell}))
        query.add(pair.member(mapping, cell, pair.index(mapping)))
        query.add(pair.old(cell) == old, pair.new(cell) == new)
    return bool(query.check() == logic.sat)
