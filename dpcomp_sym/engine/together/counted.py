"""How many blocks have a condition, whatever the integers in it are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.records import in_solver
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.model import BoundMap
from dpcomp_sym.profile import All, Count, Number, Symbolic, is_at_most, product_of
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.statements.places import arguments
from dpcomp_sym.terms import INT

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["limited", "limited_in_all"]

MOST_COUNTED: Final = 8


def limited(
    structure: Structure,
    when: tuple[int, s.Predicate, s.Predicate] | None,
    mapping: BoundMap,
    count: Count,
) -> bool:
    """Return whether no more than so many blocks of a map have a condition, for any integers.

    Args:
        structure: the problem.
        when: how many integers, facts about these, and the condition; None if nothing is known.
        mapping: whose blocks.
        count: how many.
    """
    if isinstance(count, All) or when is None:
        return isinstance(count, All)
    of = arguments(when[2])
    at = tuple(x.number for x in of if isinstance(x, s.Index))
    if len(at) < len(of):
        return False  # nobody knows how many values there are
    if at:
        sizes = [mapping.sizes[n - 1] for n in at]
        many = product_of([n if isinstance(n, int) else Symbolic(n) for n in sizes])
        return any(
            is_at_most(product_of([most, many]), count)
            and _limited(structure, when, mapping, most, same=at)
            for most in range(1, MOST_COUNTED + 1)
        )
    return _limited(structure, when, mapping, count)


def limited_in_all(
    structure: Structure, when: tuple[int, s.Predicate, s.Predicate], mapping: BoundMap,
    times: Number, count: Number,
) -> bool:  # fmt: skip
    """Return whether no more than so many blocks have a condition for one of some choices.

    Of one choice there are no more than the indices have values that it does not fix.
    """
    sizes = [
        n for place, n in enumerate(mapping.sizes) if not _fixed(structure, when, mapping, place)
    ]
    known = [n if isinstance(n, int) else Symbolic(n) for n in sizes]
    return is_at_most(product_of([times, *known]), count)


def _fixed(
    structure: Structure, when: tuple[int, s.Predicate, s.Predicate], mapping: BoundMap, place: int
) -> bool:
    """Prove that all blocks with a condition agree in an index, whatever the integers are."""
    (one, other), query = _blocks_with(structure, when, mapping, 2)
    query.add(logic.Not(equal(one[place], other[place])))
    return structure.unsat(query)


def _limited(
    structure: Structure,
    when: tuple[int, s.Predicate, s.Predicate],
    mapping: BoundMap,
    count: Number,
    same: tuple[int, ...] = (),
) -> bool:
    """Return whether no more than so many blocks with the same indices have a condition."""
    if isinstance(count, int) and count > MOST_COUNTED:
        return False
    many = count + 1 if isinstance(count, int) else 2
    blocks, query = _blocks_with(structure, when, mapping, many)
    for n, block in enumerate(blocks):
        query.add(*[equal(block[i - 1], blocks[0][i - 1]) for i in same])
        if isinstance(count, int):
            query.add(*[logic.Not(equal(tuple(block), tuple(b))) for b in blocks[:n]])
    if not isinstance(count, int):
        if len(mapping.indices) != 1:
            return False
        (first,), (second,) = blocks
        query.add(second - first >= in_solver(query, count))
    return structure.unsat(query)


def _blocks_with(
    structure: Structure, when: tuple[int, s.Predicate, s.Predicate], mapping: BoundMap, many: int
) -> tuple[list[list[Any]], Query]:
    """Return so many blocks that have a condition for the same integers, and a question of them."""
    free, facts, condition = when
    query = structure.pair(structure.edits[0]).query.beside()
    for fact in structure.problem.symbols.values():
        query.add(query.read(fact))
    letters = [query.fresh(INT, "p") for _ in range(free)]
    query.add(SolverNames(query.symbols, letters).holds(facts))
    blocks = [[query.fresh(INT, "i") for _ in mapping.indices] for _ in range(many)]
    for block in blocks:
        query.add(*[index >= 1 for index in block])
        query.add(SolverNames(query.symbols, letters, block).holds(condition))
    return blocks, query
