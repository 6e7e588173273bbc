"""Blocks by their numbers: those of families that are written out, and whether they change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from dpcomp_sym.engine.patterns import Touched
from dpcomp_sym.model import BoundMap, BoundPart
from dpcomp_sym.smt import Pair, View, ViewDistance, logic
from dpcomp_sym.smt.asking import work_done
from dpcomp_sym.smt.query import AskedQuestion, equal
from dpcomp_sym.terms import Term

__all__ = [
    "MANY_BLOCKS", "MOST_NAMED", "any_block", "change_of", "first_of_many", "near_each", "nearest",
    "outside_class", "written_out",
]  # fmt: skip

MANY_BLOCKS: Final = 8
"""What changes so many named blocks at once is written down before it is sought."""
FIRST_BLOCKS: Final = 3
"""Of so many blocks the first ones are looked at by number for one that is seen from afar."""
MOST_NAMED: Final = 40
"""At most so many blocks of a family are distinguished."""
ONE_BLOCK: Final = 8_000_000
"""How much work of the solver it may be to prove that one of many blocks is nearer than others."""
NEARER: Final = 20_000_000
"""How much it may be for all blocks where that is not so."""


def written_out(mapping: BoundMap) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of all blocks; nothing if their number is a symbol, or large."""
    sizes = [size for size in mapping.sizes if isinstance(size, int)]
    if not sizes or len(sizes) < len(mapping.sizes) or math.prod(sizes) > MOST_NAMED:
        return
    for place in range(math.prod(sizes)):
        block, rest = [], place
        for size in reversed(sizes):
            block.append(rest % size + 1)
            rest //= size
        yield tuple(reversed(block))


def first_of_many(mapping: BoundMap) -> tuple[tuple[int, ...], ...]:
    """Return the first numbers of many blocks that are written out; none of few.

    To look for what one of a known number does is plainer than for any of them.
    """
    named = tuple(written_out(mapping))
    return named[:FIRST_BLOCKS] if len(named) >= MANY_BLOCKS else ()


def near_each(
    pair_of: Callable[[], Pair], part: BoundPart, most: int, *, reverse: bool
) -> dict[tuple[int, ...], tuple[int, AskedQuestion]] | None:
    """Prove, block by block, that a part sees distances of at most ``most``; None if it may not.

    What no solver decides of forty blocks at once is plain for each of them.  Of each block it is
    returned from how far it is seen, and the question that shows it.

    Args:
        pair_of: makes the neighbours anew.
        part: whose blocks are written out.
        most: 1 or 2.
        reverse: whether distances are measured the other way.
    """
    found, waiting = {}, []
    for block in written_out(part.map):
        pair = pair_of()
        view = pair.view(part.map, pair.index(part.map, block))
        view.changed()
        distance = ViewDistance(view, part.granularity, reverse=reverse)
        if most > 1 and distance.meets():
            found[block] = (2, pair.query.impossible)
        else:
            waiting.append((block, distance))
    if most > 1 and not found:
        return None
    for block, distance in waiting:
        if distance.at_most(1) != "proved":
            return None
        found[block] = (1, distance.query.impossible)
    return found or None


def nearest(
    pair_of: Callable[[], Pair], part: BoundPart, blocks: Sequence[tuple[int, ...]], most: int, *,
    reverse: bool,
) -> dict[tuple[int, ...], int]:  # fmt: skip
    """Return from how far a part sees blocks, where it is proved to be nearer than ``most``.

    Args:
        pair_of: makes the neighbours anew.
        part: one that reads the map of the blocks.
        blocks: their numbers.
        most: from how far it sees any block of the map.
        reverse: whether distances are measured the other way.
    """
    found: dict[tuple[int, ...], int] = {}
    left = NEARER
    for block, length in itertools.product(blocks, range(1, most)):
        if block in found or left <= 0:
            continue
        pair = pair_of()
        view = pair.view(part.map, pair.index(part.map, block))
        view.changed()
        start = work_done(pair.query.solver)
        distance = ViewDistance(view, part.granularity, reverse=reverse, work=min(left, ONE_BLOCK))
        if distance.at_most(length) == "proved":
            found[block] = length
        else:
            left -= work_done(pair.query.solver) - start
    return found


def any_block(pair: Pair, mapping: BoundMap, block: tuple[int, ...]) -> tuple[tuple[Any, ...], Any]:
    """Return a block of a map, any one if it has no number, and the formula that there is one."""
    index = tuple(map(logic.IntVal, block))
    inside = logic.BoolVal(True)
    if not block and mapping.indices:
        index = tuple(pair.query.fresh("int", n) for n, _ in mapping.indices)
        inside = pair.in_range(mapping, index)
    pair.indices.append((mapping, index))
    pair.query.stale()
    return index, inside


def change_of(
    pair: Pair, mapping: BoundMap, block: tuple[int, ...], held: Sequence[Touched]
) -> Any:
    """Return the formula: a block changes, and holds exactly one of these sets of records.

    ``block`` is () for a single map, and for some block of a family.
    """
    index, inside = any_block(pair, mapping, block)
    view = pair.view(mapping, index)
    if pair.edit.frame is not None:
        image = mapping.image is not None
        cell = view.cell("z") if image else pair.query.cell("z")
        return logic.And(inside, view.old(cell) != view.new(cell))
    ways = []
    for touched in held:
        some = touched or range(len(pair.points))
        members = [pair.member(mapping, p, index) for p in pair.points]
        exactly = [
            m if number in touched else logic.Not(m) for number, m in enumerate(members) if touched
        ]
        cells = view.touched_points()
        moved = [logic.And(members[n], view.old(cells[n]) != view.new(cells[n])) for n in some]
        ways.append(logic.And(*exactly, logic.Or(*moved)))
    return logic.And(inside, logic.Or(*ways))


def outside_class(view: View, part: BoundPart, *, after: bool) -> Any:
    """Return the formula: what a block hands on of D or (``after``) E is outside the class."""
    query, cell = view.query, view.any_cell("z")
    at = view.new if after else view.old
    fails = []
    if part.domain.cap is not None:
        fails.append(at(cell) > part.domain.cap)
    for term in part.domain.size_terms:
        size = view.sizes()[after]
        fails.append(logic.Not(query.read(term, {}, {"D": (at, lambda n=size: n)})))
    for key, bound in part.domain.limit_terms:
        most = query.read(bound)
        here = query.read(key, {"c": cell}, {}, view.positions)

        def counted(c: Any, key: Term = key, here: Any = here) -> Any:
            there = query.read(key, {"c": c}, {}, view.positions)
            return logic.If(equal(there, here), at(c), 0)

        fails.append(query.distinct_sum(counted, view.cells) > most)
    return logic.Or(*fails) if fails else logic.BoolVal(False)
