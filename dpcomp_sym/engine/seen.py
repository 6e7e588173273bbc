"""What a counterexample shows of blocks: that there are fewer need not be tried to be proved."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.counting import MORE_OF_A_VALUE, positions
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.structure import MORE_CHANGE, MORE_HOLD, Structure
from dpcomp_sym.finite.world import difference

if TYPE_CHECKING:
    from dpcomp_sym.engine.verdict import Counterexample
    from dpcomp_sym.model import BoundMap

__all__ = ["note_blocks", "seen"]

ENOUGH: Final = 10
"""How many blocks a family is given along each index, and how many are counted."""


def note_blocks(structure: Structure, mapping: BoundMap, example: Counterexample) -> None:
    """Have a structure know what a counterexample to C1 shows, so that it asks nothing about it."""
    changed, held = seen(Pairs.of(structure.problem), mapping, example)
    name = mapping.name
    unproved: list[tuple[Any, ...]] = [(MORE_HOLD, name, number) for number in range(1, held)]
    if len(structure.edits) == 1:  # with several it is open whose example it is
        (edit,) = structure.edits
        unproved += [(MORE_CHANGE, edit, name, number) for number in range(1, changed)]
        unproved += [
            (MORE_OF_A_VALUE, edit, name, term, number)
            for term in positions(structure)
            for number in range(1, held)
        ]
    for question in unproved:
        structure.once(*question, find=lambda: None)


def seen(pairs: Pairs, mapping: BoundMap, example: Counterexample) -> tuple[int, int]:
    """Return how many blocks of a map change, and how many hold one record that comes or goes.

    That is counted in the databases of a counterexample where a family has more blocks; where they
    are no neighbours any more, they show nothing.
    """
    old, new, symbols = example.old, example.new, example.world.symbols
    sizes = [size for _, size in mapping.indices if isinstance(size, str)]
    more = {size: max(symbols[size], ENOUGH) for size in sizes}
    world = replace(example.world, symbols={**symbols, **more})
    held = [
        list(itertools.islice(world.holding(mapping, cell), ENOUGH))
        for cell in difference(old, new)
    ]
    changed = {
        index
        for blocks in held
        for index in blocks
        if world.apply(mapping, old, index) != world.apply(mapping, new, index)
    }
    if not (changed and pairs.hold(world, old, new)):
        return 0, 0
    return len(changed), max(map(len, held))
