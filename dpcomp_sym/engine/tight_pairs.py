"""Find neighbours that attain a bound, with fixed block indices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.distances import counts_records
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import Infinity
from dpcomp_sym.smt import GroundCell, Pair, View, ViewDistance, logic
from dpcomp_sym.smt.query import equal

__all__ = ["AttainedBlock", "attaining", "come_or_go"]

MOST_NAMED: Final = 128
MOST_COUNTED: Final = 12
"""Of more records that come or go it is not asked whether there are so many, one by one."""


@dataclass(frozen=True)
class AttainedBlock:
    """A block that changes, and from how far its parts see it.

    ``block`` is ``()`` for a single map and None for any block that no other touch names.
    ``distances`` pairs parts that read the map with a distance of 1 or more.
    """

    map: str
    block: tuple[int, ...] | None
    distances: tuple[tuple[str, int | Infinity], ...]
    fixed: bool = False
    """Whether it is this block only that does so, not any other one as well."""


def attaining(
    structure: Structure, touches: Sequence[AttainedBlock], sizes: Mapping[str, int]
) -> FoundPair | None:
    """Return smallest neighbours whose blocks are seen at these distances at least, or None.

    Args:
        structure: the problem.
        touches: what must change; every distance was confirmed by the evaluator.
        sizes: numbers for the symbols, those of the blocks included.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> structure = Structure(Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")]))
    >>> block = AttainedBlock("blocks", (2,), (("counts", Infinity()),))
    >>> found = attaining(structure, [block], {"k": 2})
    >>> sum(found.old.values()), sum(found.new.values())
    (1, 1)
    """
    best: FoundPair | None = None
    for edit in structure.edits:
        for reverse in structure.orientations:
            found = _of_edit(structure, edit, touches, sizes, reverse=reverse)
            if found is not None and (best is None or _weight(found) < _weight(best)):
                best = found
    return best


def _of_edit(
    structure: Structure, edit: BoundEdit, touches: Sequence[AttainedBlock],
    sizes: Mapping[str, int], *, reverse: bool,
) -> FoundPair | None:  # fmt: skip
    parts = {p.name: p for p in structure.problem.bound_parts}
    maps = structure.problem.used_maps

    def ask(pair: Pair) -> Demand:
        query = pair.query
        for symbol, number in sizes.items():
            query.add(query.symbols[symbol] == number)
        blocks: list[tuple[BoundMap, tuple[Any, ...]]] = []
        far = []
        for touch in touches:
            mapping = maps[touch.map]
            block = pair.index(mapping)
            if touch.block is not None:
                query.add(*[b == n for b, n in zip(block, touch.block, strict=True)])
            query.add(*[logic.Not(equal(block, b)) for m, b in blocks if m.name == touch.map])
            pair.view(mapping, block).changed()
            blocks.append((mapping, block))
            for name, distance in touch.distances:
                part = parts[name]
                view = pair.view(mapping, block)
                if _is_counted(part) and isinstance(distance, int) and distance <= MOST_COUNTED:
                    come_or_go(view, distance)
                elif part.setting == "separate" and distance != 1:
                    least = distance if isinstance(distance, int) else 3
                    far.append((ViewDistance(view, part.granularity, reverse=reverse), least - 1))
        for mapping in {m.name: m for m, _ in blocks}.values():
            _name_blocks(pair, mapping, sizes)
        return Demand(blocks, far)

    def judge(found: FoundPair) -> bool:
        if any(found.world.symbols.get(s) != n for s, n in sizes.items()):
            return False
        if len({(m.name, i) for m, i in found.blocks}) < len(found.blocks):
            return False
        for touch, (_, index) in zip(touches, found.blocks, strict=True):
            if touch.block not in (None, index):
                return False
            for name, distance in touch.distances:
                seen = structure.bracket(found, parts[name], index, reverse=reverse)
                if seen.lower < distance:
                    return False
        return True

    found = structure.confirmed(edit, ask, judge)
    return replace(found, old=found.new, new=found.old) if found and reverse else found


def come_or_go(view: View, number: int, most: int | None = None) -> None:
    """Say that so many records come or go in a block, among ``most`` different ones if given."""
    pair = view.pair
    for _ in range(number if most is None else min(number, most)):
        view.cell()

    def changed(cell: GroundCell) -> Any:
        more = pair.new(cell) - pair.old(cell)
        records = logic.If(more >= 0, more, -more)
        return logic.If(view.member(cell), records, 0)

    pair.query.at_check(lambda: [pair.query.distinct_sum(changed) >= number])


def _is_counted(part: BoundPart) -> bool:
    """Return whether a part is as far from another database as records come and go."""
    return part.setting == "separate" and part.map.image is None and counts_records(part)


def _name_blocks(pair: Pair, mapping: BoundMap, sizes: Mapping[str, int]) -> None:
    """Name all blocks where they are few, so that what limits the blocks of a cell is asked."""
    ranges = [range(1, (s if isinstance(s, int) else sizes[s]) + 1) for _, s in mapping.indices]
    if math.prod(map(len, ranges)) > MOST_NAMED:
        return
    for numbers in itertools.product(*ranges):
        block = pair.index(mapping)
        pair.query.add(*[b == n for b, n in zip(block, numbers, strict=True)])


def _weight(found: FoundPair) -> tuple[int, int]:
    return sum(found.old.values()) + sum(found.new.values()), len(found.world.cells)
