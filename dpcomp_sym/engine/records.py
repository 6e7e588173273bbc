"""How many records a frame changes in a map, by limits of the class whose keys are finer than it.

A limit allows at most r records a key.  If every component of the key is the same at all cells that
change, or takes at most n values there (two of them differ by less than n, or there are no more), D
and E each hold at most r times the product of the n there, and so at most twice as many records
change; once where the step only adds or only removes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import Symbolic
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import unequal
from dpcomp_sym.terms import BOOL, CELL, INT, Term, subterms
from dpcomp_sym.terms.term import integer, variable

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "Number", "amount_of", "components", "fewest", "lengths", "number_of", "product_of",
    "records_by_keys", "records_moved", "records_of", "values_of",
]  # fmt: skip

Number = int | Symbolic


def records_by_keys(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, *, one_block: bool
) -> Number | None:
    """Return how many records a frame changes in all blocks of a map, or in any one of them.

    The least number that was found: with the fewest symbols, then with the least factor.
    """
    question = ("records", edit, mapping.name, one_block)
    return structure.once(
        *question, find=lambda: _least(_bounds(structure, edit, mapping, one_block=one_block))
    )


def records_of(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, within: Term | None = None
) -> Number | None:
    """Return how many records a frame changes in any one block of a map.

    Args:
        structure: the questions about the problem.
        edit: has a frame.
        mapping: the map.
        within: a part of the frame; only the records in it are counted.
    """
    return _least(_bounds(structure, edit, mapping, one_block=True, within=within))


def values_of(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, term: Term
) -> Number | None:
    """Return how many values a term has at the records that a frame changes in any one block."""
    return _values(structure, edit, mapping, term, one_block=True)


def records_moved(structure: Structure, edit: BoundEdit, touched: Iterable[int]) -> Number | None:
    """Return how many records come or go at some of the points of an edit, all together.

    A number with symbols is at least 1; so a sum of several is at most as many times it.
    """
    amounts = [amount_of(structure, edit.change[point][1]) for point in touched]
    known = [a for a in amounts if a is not None]
    symbols = {a.symbols for a in known if isinstance(a, Symbolic)}
    if len(known) < len(amounts) or len(symbols) > 1:
        return None
    factors = sum(a if isinstance(a, int) else a.factor for a in known)
    return product_of([factors, *(Symbolic(s) for of in symbols for s in of)])


def amount_of(structure: Structure, delta: Term) -> Number | None:
    """Return how many records an amount adds or removes."""
    if delta.op == "int":
        return abs(delta.number)
    if delta.op == "neg":
        return amount_of(structure, delta.terms[0])
    if delta.op == "mul":
        factors = [amount_of(structure, t) for t in delta.terms]
        return None if None in factors else product_of([f for f in factors if f is not None])
    return number_of(structure, delta)


def product_of(numbers: list[Number]) -> Number:
    """Return a product.

    >>> str(product_of([2, Symbolic("r"), Symbolic("T", 3)]))
    '6*r*T'
    """
    factor = math.prod(n if isinstance(n, int) else n.factor for n in numbers)
    symbols = [s for n in numbers if isinstance(n, Symbolic) for s in n.symbols]
    return Symbolic(symbols[0], factor, tuple(sorted(symbols[1:]))) if symbols else factor


def _least(found: Iterator[Number]) -> Number | None:
    return min(found, key=_rank, default=None)


def fewest(*numbers: Number | None) -> Number | None:
    """Return the number with the fewest symbols, of these the one with the least factor.

    >>> str(fewest(Symbolic("r", 2), None, 6)), fewest(None)
    ('6', None)
    """
    return _least(n for n in numbers if n is not None)


def _rank(number: Number) -> tuple[int, int]:
    return (0, number) if isinstance(number, int) else (len(number.symbols), number.factor)


def _bounds(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, *, one_block: bool,
    within: Term | None = None,
) -> Iterator[Number]:  # fmt: skip
    if edit.frame is None:
        return
    domain = structure.problem.domain
    limits = [(components(key), bound) for key, bound in domain.limit_terms]
    if domain.cap is not None:
        cell = variable("c", CELL)
        every = [Term("attr", (a, cell), s) for a, s in domain.attribute_sorts.items()]
        limits.append((every, integer(domain.cap)))
    sides = 1 if any(structure.pair(edit).monotone()) else 2
    for parts, bound in limits:
        most = number_of(structure, bound)
        values = [most] if most is not None else []
        for component in parts if values else ():
            few = _values(structure, edit, mapping, component, one_block=one_block, within=within)
            if few is None:
                break
            values.append(few)
        if len(values) == len(parts) + 1:
            yield product_of([sides, *values])


def components(key: Term) -> list[Term]:
    """Return what a key is made of."""
    return list(key.terms) if key.op == "tuple" else [key]


def number_of(structure: Structure, bound: Term) -> Number | None:
    """Return a limit as a number, or as a symbol that is at least 1."""
    if bound.op == "int":
        return bound.number
    if bound.op != "var" or not _positive(structure, bound.name):
        return None
    known = structure.numbers(bound.name)
    if known.low is not None and known.low == known.high:
        return known.low
    return Symbolic(bound.name)


def _positive(structure: Structure, name: str) -> bool:
    low = structure.numbers(name).low
    return low is not None and low >= 1


def _values(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, component: Term, *, one_block: bool,
    within: Term | None = None,
) -> Number | None:  # fmt: skip
    """Return how many values a component has at the cells of a map that change; None if unknown."""

    def near(length: Term | None = None) -> bool:
        return _near(
            structure, edit, mapping, component, length, one_block=one_block, within=within
        )

    if near():
        return 1
    if component.sort == BOOL:
        return 2
    values = structure.problem.domain.enumerations.get(component.sort)
    if values:
        return len(values)
    tried = lengths(structure, edit, mapping) if component.sort == INT else iter(())
    found = next(filter(near, tried), None)
    rests = [t.number for t in component.terms[1:] if component.op == "mod" and t.op == "int"]
    return fewest(None if found is None else number_of(structure, found), *rests)


def _near(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, component: Term,
    length: Term | None, *, one_block: bool, within: Term | None,
) -> bool:  # fmt: skip
    """Prove that two cells that change agree in a component, or differ by less than a length."""
    pair = structure.pair(edit)
    query = pair.query
    block = pair.index(mapping)
    ends = []
    for other in (block, block if one_block else pair.index(mapping)):
        cell = query.cell("z")
        query.add(pair.old(cell) != pair.new(cell), pair.member(mapping, cell, other))
        if within is not None:
            query.add(query.read(within, {**pair.params, "c": cell}))
        ends.append(query.read(component, {"c": cell}))
    left, right = ends
    if length is None:
        query.add(unequal(left, right))
    else:
        query.add(logic.compared("ge", right - left, query.read(length)))
    return structure.unsat(query)


def lengths(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> Iterator[Term]:
    """Yield what may bound how far apart two values lie: numbers, then symbols from 1 on."""
    said = (edit.frame, edit.guard, mapping.member, structure.problem.domain.cell_term)
    inside = [t for term in said if term is not None for t in subterms(term)]
    yield from map(integer, sorted({t.number for t in inside if t.op == "int" and t.number > 0}))
    symbols = structure.problem.symbols
    for name in dict.fromkeys(t.name for t in inside if t.op == "var" and t.name in symbols):
        if _positive(structure, name):
            yield variable(name, INT)
