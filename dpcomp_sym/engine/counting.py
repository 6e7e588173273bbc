"""How many blocks an edit with a frame can change: proved bounds, small, symbolic or none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from dpcomp_sym.engine.records import (
    alike_in,
    blocks_in_all,
    fewest,
    mirrors,
    number_of,
    rank,
    records_by_keys,
    records_in,
    values_of_limit,
)
from dpcomp_sym.engine.structure import MOST_BLOCKS, Structure
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundMap
from dpcomp_sym.profile import ALL, Count, Number, Symbolic, product_of, sum_of
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.query import GroundCell, unequal
from dpcomp_sym.terms import CELL, INT, TRUE, Term, cases, subterms
from dpcomp_sym.terms.render import to_text
from dpcomp_sym.terms.term import integer, variable

__all__ = [
    "MORE_OF_A_VALUE",
    "blocks_alike",
    "blocks_by_cases",
    "blocks_by_span",
    "blocks_by_values",
    "cells_touched",
    "most_changed",
    "positions",
    "records_touched",
]

MORE_OF_A_VALUE: Final = "more blocks of a value change"


def most_changed(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Count:
    """Return how many blocks of a map an edit with a frame can change at most."""
    return structure.of_alike(
        "changed", mapping, edit, find=lambda m: _most_changed(structure, edit, m)
    )


def _most_changed(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Count:
    if not mapping.indices:
        return 1
    if mapping.constant:
        return ALL
    for number in range(1, MOST_BLOCKS + 1):
        if structure.at_most_blocks(edit, mapping, number):
            return number
    most = structure.most_blocks_a_cell(mapping)
    if most is not None and blocks_alike(structure, edit, mapping):
        return most if isinstance(most, int) else _count(most)
    counted = records_by_keys(structure, edit, mapping, one_block=False)
    records = fewest(records_touched(structure, edit), counted)
    if records is None and most is not None:
        records = cells_touched(structure, edit)
    counts: list[Number | None] = []
    if isinstance(most, int) and records is not None:
        counts.append(product_of([records, most]))
    elif isinstance(most, Term) and most.op == "var" and records is not None:
        counts.append(product_of([records, Symbolic(most.name)]))
    counts.append(blocks_by_cases(structure, edit, mapping))
    counts.append(blocks_by_span(structure, edit, mapping))
    counts.append(blocks_by_values(structure, edit, mapping))
    every = blocks_in_all(mapping)
    if every is not None:
        # No more than there are; and a symbol says more than nearly all of them.
        few = every if all(isinstance(n, int) or n is None for n in counts) else every // 2 + 1
        counts = [
            n for n in counts
            if (n is not None and n.factor < every if not isinstance(n, int) else n < few)
        ]  # fmt: skip
    least = fewest(*counts)
    return ALL if least is None else least


def records_touched(structure: Structure, edit: BoundEdit) -> Number | None:
    """Return how many cells an edit can change; for a frame, where a limit of the class bounds it.

    If all cells of the frame share the value of a limited term, D and E each hold at most
    the limit there; so at most twice as many records, and cells, change, once if one side holds
    all.
    """
    if edit.frame is None:
        return len(edit.points)
    for key, bound in structure.problem.domain.limit_terms:
        pair = structure.pair(edit)
        query = pair.query
        cells = [query.cell("z"), query.cell("z")]
        for cell in cells:
            query.add(query.read(edit.frame, {**pair.params, "c": cell}))
        left, right = (query.read(key, {"c": c}) for c in cells)
        query.add(unequal(left, right))
        if not structure.unsat(query):
            continue
        most = Symbolic(bound.name) if bound.op == "var" else number_of(structure, bound)
        if most is not None:
            return product_of([1 if any(pair.monotone()) else 2, most])
    return None


def cells_touched(structure: Structure, edit: BoundEdit) -> int | None:
    """Return how many different cells a frame can change, where these are few; None if not shown.

    Any number of records may come or go in each of them.
    """

    def at_most(number: int) -> int:
        pair = structure.pair(edit)
        cells = [pair.differ() for _ in range(number + 1)]
        pair.query.add(*[unequal(*two) for two in itertools.combinations(cells, 2)])
        return number if structure.unsat(pair.query) else 0

    return structure.once(
        "cells touched", edit,
        find=lambda: structure.trail.first("cells that change", range(1, MOST_BLOCKS + 1), at_most),
    ) or None  # fmt: skip


def blocks_alike(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that all cells that an edit can change lie in the same blocks.

    Then no more blocks change than hold one cell.
    """
    pair = structure.pair(edit)
    block = pair.index(mapping)
    _changed(pair, mapping, block)
    other = pair.query.cell("z")
    pair.query.add(pair.old(other) != pair.new(other))
    pair.query.add(logic.Not(pair.member(mapping, other, block)))
    return structure.unsat(pair.query)


# ------------------------------------------------------------- case by case


def blocks_by_cases(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Number | None:
    """Bound the changed blocks case by case of a frame that is one condition or another one.

    The edges from a vertex may all be in one block, while those to it are in several.  A case says
    nothing of its own if whatever changes in it does so in another one, too, in the same blocks: an
    edge that is there both ways leads to a vertex, and from it.
    """
    ways = () if edit.frame is None else cases(edit.frame)
    if len(ways) < 2:
        return None

    def again(number: int) -> bool:
        others = [n for n in left if n != number]
        return any(_mirrored(structure, edit, mapping, ways[number], ways[n]) for n in others)

    left = list(range(len(ways)))
    for number in range(len(ways)):
        if structure.trail.first("a case that is another one", (number,), again):
            left.remove(number)
    counted = [_blocks_of_case(structure, edit, mapping, ways[n]) for n in left]
    known = [number for number in counted if number is not None]
    return sum_of(known) if len(known) == len(left) else None


def _mirrored(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, way: Term, other: Term
) -> bool:
    """Prove that whatever changes in a case is, in the same blocks, what changes in another one.

    As a fact says that records occur as often as others.
    """

    def elsewhere(image: Term) -> bool:
        pair = structure.pair(edit)
        block = pair.index(mapping)
        cell = _changed(pair, mapping, block)
        there = pair.query.read(image, {"c": cell})
        pair.query.add(pair.query.read(way, {**pair.params, "c": cell}))
        pair.query.add(logic.Not(logic.And(
            pair.old(there) != pair.new(there), pair.member(mapping, there, block),
            pair.query.read(other, {**pair.params, "c": there}),
        )))  # fmt: skip
        return structure.unsat(pair.query)

    return any(elsewhere(image) for image in mirrors(structure.problem.domain.fact_terms))


def _blocks_of_case(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, way: Term
) -> Number | None:
    """Return how many blocks hold cells that change in a part of a frame: a few, or by records."""

    def at_most(number: int) -> int:
        pair = structure.pair(edit)
        for block in structure.different(pair, mapping, number + 1):
            cell = _changed(pair, mapping, block)
            pair.query.add(pair.query.read(way, {**pair.params, "c": cell}))
        return number if structure.unsat(pair.query) else 0

    few = structure.trail.first("blocks of a case", range(1, MOST_BLOCKS + 1), at_most)
    if few:
        return few
    most = structure.most_blocks_a_cell(mapping)
    each = number_of(structure, most) if isinstance(most, Term) else most
    records = records_in(structure, edit, mapping, way)
    return None if each is None or records is None else product_of([records, each])


# ------------------------------------------------------------- by limits on distinct values


def blocks_by_values(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Number | None:
    """Bound the changed blocks by the values that limits on distinct values allow.

    Each value of what is limited has its blocks: the changed cells with one value lie in at most
    so many, or all in the same ones, of which there are as many as hold a cell.
    """
    if edit.frame is None or not structure.problem.domain.distinct:
        return None

    def counted(limit: BoundDistinct) -> Number | None:
        values = values_of_limit(structure, edit, mapping, limit)
        each = None if values is None else _blocks_of_one(structure, edit, mapping, limit)
        return None if values is None or each is None else product_of([values, each])

    return structure.trail.least(
        "limit on distinct values", structure.problem.domain.distinct_terms, counted, rank,
        lambda limit: f"{to_text(limit.of)} for each {to_text(limit.each)}",
    )  # fmt: skip


def _blocks_of_one(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, limit: BoundDistinct
) -> Number | None:
    """Return in how many blocks cells that change can lie if they count as one for a limit."""

    def at_most(number: int) -> int:
        pair = structure.pair(edit)
        first, *others = (
            _changed(pair, mapping, block)
            for block in structure.different(pair, mapping, number + 1)
        )
        pair.query.add(*[alike_in(pair.query, limit, first, other) for other in others])
        return number if structure.unsat(pair.query) else 0

    few = structure.trail.first("blocks of a value", range(1, MOST_BLOCKS + 1), at_most)
    if few:
        return few
    most = structure.most_blocks_a_cell(mapping)
    if most is None:
        return None
    pair = structure.pair(edit)
    block = pair.index(mapping)
    here = _changed(pair, mapping, block)
    other = pair.query.cell("z")
    pair.query.add(pair.old(other) != pair.new(other), alike_in(pair.query, limit, here, other))
    pair.query.add(logic.Not(pair.member(mapping, other, block)))
    if not structure.unsat(pair.query):
        return None
    return most if isinstance(most, int) else number_of(structure, most)


# ------------------------------------------------------------- by how far apart things lie


def blocks_by_span(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Number | None:
    """Bound the changed blocks by how far apart what changes can lie.

    If the numbers of any two changed blocks differ by less than n, at most n blocks change.  If
    the values of an integer term at any two changed cells of the map differ by less than n, and
    the changed cells with one value lie in at most m blocks, at most n*m blocks change.
    """
    lengths = list(_lengths(structure, edit, mapping))
    first = structure.trail.first

    def apart(far: Callable[[Term], Query], most: str | int = "") -> Term | None:
        """Return a length that is more than what changes can be apart, where ``most`` is one."""

        def near(length: Term) -> bool:
            known = length.op == "int" and isinstance(most, int) and int(length.name) >= most
            return known or structure.unsat(far(length))

        options = _of_use(lengths, far, most) if structure.trail.searches else lengths
        return first("less apart than", options, lambda n: n if near(n) else None, to_text) or None

    def few(term: Term) -> Number | None:
        length = apart(partial(_cells_apart, structure, edit, mapping, term))
        if length is None:
            return None
        number = first(
            "blocks of a value", range(1, MOST_BLOCKS + 1),
            lambda n: n if _blocks_a_value(structure, edit, mapping, term, n) else 0,
        )  # fmt: skip
        return product_of([_count(length), number]) if number else None

    if len(mapping.indices) == 1:
        length = apart(partial(_blocks_apart, structure, edit, mapping), mapping.sizes[0])
        if length is not None:
            return _count(length)
    return first("what is near", positions(structure), few, to_text) or None


def _lengths(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Iterator[Term]:
    terms = (edit.frame or TRUE, mapping.member)
    numbers = {int(t.name) for term in terms for t in subterms(term) if t.op == "int"}
    yield from (integer(n) for n in sorted(numbers) if n > 0)
    yield from structure.limiting_symbols()


def _count(length: Term) -> Number:
    return int(length.name) if length.op == "int" else Symbolic(length.name)


def positions(structure: Structure) -> Iterator[Term]:
    """Yield the integer terms over ``c``: attributes, and functions of one thing."""
    domain, cell = structure.problem.domain, variable("c", CELL)
    attributes = [Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items()]
    yield from (t for t in attributes if t.sort == INT)
    for name, (arguments, result) in domain.signatures.items():
        if result == INT and len(arguments) == 1:
            for inner in (*attributes, cell):
                if inner.sort == arguments[0]:
                    yield Term("apply", (name, inner), INT)


def _of_use(lengths: list[Term], far: Callable[[Term], Query], most: str | int) -> Iterator[Term]:
    """Leave numbers out that are too small, since the largest of them is."""
    numbers = [n for n in lengths if n.op == "int"]
    asked = [n for n in numbers if isinstance(most, str) or int(n.name) < most]
    small = asked[1:] and far(asked[-1]).check() == logic.sat
    return (n for n in lengths if not small or n not in asked)


def _blocks_apart(structure: Structure, edit: BoundEdit, mapping: BoundMap, length: Term) -> Query:
    pair = structure.pair(edit)
    first, second = pair.index(mapping), pair.index(mapping)
    for block in (first, second):
        pair.view(mapping, block).changed()
    pair.query.add(second[0] - first[0] >= pair.query.read(length))
    return pair.query


def _changed(pair: Pair, mapping: BoundMap, block: tuple[Any, ...]) -> GroundCell:
    """Return a new cell of the block that differs between the two databases."""
    cell = pair.query.cell("z")
    pair.query.add(pair.old(cell) != pair.new(cell), pair.member(mapping, cell, block))
    return cell


def _cells_apart(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, term: Term, length: Term
) -> Query:
    pair = structure.pair(edit)
    query = pair.query
    cells = [_changed(pair, mapping, pair.index(mapping)) for _ in range(2)]
    low, high = (query.read(term, {"c": c}) for c in cells)
    query.add(high - low >= query.read(length))
    return query


def _blocks_a_value(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, term: Term, number: int
) -> bool:
    def more() -> Query:
        pair = structure.pair(edit)
        query = pair.query
        value = query.fresh(INT, "v")
        for block in structure.different(pair, mapping, number + 1):
            cell = _changed(pair, mapping, block)
            query.add(query.read(term, {"c": cell}) == value)
        return query

    return structure.never(MORE_OF_A_VALUE, edit, mapping.name, term, number, find=more)
