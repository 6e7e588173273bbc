"""Which blocks change together, where blocks are few and each has a formula of its own.

Blocks of a family that is written out (and maps, of which there are few) are asked for one by one:
a model of neighbours says which of them change; the set is made larger as long as there are
neighbours that change more, and is then blocked.  When no neighbours are left that change something
outside every set, the sets hold all that can change together.  That last question is the proof; how
the sets were found does not matter.  (This is the enumeration of maximal satisfiable subsets.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.patterns import SeenFar, Touched, below
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.smt import Pair, logic

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["MOST_NAMED", "Reach", "Types", "Unit", "changed_together", "written_out"]

MOST_NAMED: Final = 40
"""At most so many blocks of a family are distinguished."""
MOST_SETS: Final = 160
"""So many sets are looked for."""

Types = Mapping[Touched, SeenFar]
"""What blocks can hold of the records that an edit names, and how their parts see them then."""


@dataclass(frozen=True)
class Unit:
    """A block of a map that is named by its number; with ``()``, the map itself or any block."""

    map: str
    block: tuple[int, ...]


Reach = Mapping[Unit, tuple[Touched, ...]]
"""Blocks that change together, each with what it may hold; of a named one the worst first."""


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


def changed_together(
    structure: Structure, edit: BoundEdit, units: Mapping[Unit, Types]
) -> list[Reach] | None:
    """Return the maximal sets of units that an edit changes together, or None if not found.

    Args:
        structure: the questions about the problem.
        edit: the edit.
        units: all blocks (or maps) that it can change, with what each can hold when it changes.
    """
    search = _Search(structure, edit, units)
    found: list[frozenset[_Flag]] = []
    query = search.pair.query
    query.add(logic.Or(*search.formulas.values()))
    while len(found) <= MOST_SETS:
        answer = query.check()
        if answer == logic.unsat:
            structure.scripts.append(query.script)
            reaches = map(search.reach, found or [frozenset()])
            return sorted(reaches, key=lambda reach: [u not in reach for u in units])
        if answer != logic.sat:
            return None
        flags = search.grown()
        found.append(flags)
        query.add(logic.Or(*[f for flag, f in search.formulas.items() if flag not in flags]))
    return None


@dataclass(frozen=True)
class _Flag:
    """A unit changes, and is seen from at least as far as this says."""

    unit: Unit
    seen: SeenFar


class _Search:
    """Neighbours, and for each unit whether it changes."""

    def __init__(self, structure: Structure, edit: BoundEdit, units: Mapping[Unit, Types]) -> None:
        self.units = units
        self.maps = structure.problem.used_maps
        self.pair = structure.pair(edit)
        self.formulas: dict[_Flag, Any] = {}
        """What it means that a unit changes so much.  The formula is a new truth value, which
        implies it."""
        for unit, types in units.items():
            for seen in dict.fromkeys(types.values()):
                worse = [t for t, other in types.items() if below(seen, other)]
                self.formulas[_Flag(unit, seen)] = self._flag(unit, worse)

    def _flag(self, unit: Unit, held: Sequence[Touched]) -> Any:
        pair, query = self.pair, self.pair.query
        flag = query.fresh("bool", "changes")
        changes = change_of(pair, self.maps[unit.map], unit.block, held)
        query.add(logic.Implies(flag, changes))
        return flag

    def _true(self) -> frozenset[_Flag]:
        model = self.pair.query.model()
        return frozenset(
            flag for flag, f in self.formulas.items() if logic.is_true(logic.evaluated(model, f))
        )

    def grown(self) -> frozenset[_Flag]:
        """Return a set that contains what is true in the last model, as large as can be."""
        flags = self._true()
        while True:
            more = [f for flag, f in self.formulas.items() if flag not in flags]
            kept = [self.formulas[flag] for flag in flags]
            if not more or self.pair.query.check(*kept, logic.Or(*more)) != logic.sat:
                return flags
            flags = self._true()

    def reach(self, flags: frozenset[_Flag]) -> Reach:
        """Return a set as blocks with what they may hold, the worst first."""
        found: dict[Unit, tuple[Touched, ...]] = {}
        for unit, types in self.units.items():
            allowed = {flag.seen for flag in flags if flag.unit == unit}
            held = [t for t, seen in types.items() if seen in allowed]
            tops = [t for t in held if not any(
                below(types[t], types[o]) and types[o] != types[t] for o in held
            )]  # fmt: skip
            if held:
                found[unit] = tuple(dict.fromkeys([*tops, *held]))
        return found


def change_of(
    pair: Pair, mapping: BoundMap, block: tuple[int, ...], held: Sequence[Touched]
) -> Any:
    """Return the formula: a block changes, and holds exactly one of these sets of records.

    ``block`` is () for a single map, and for some block of a family.
    """
    index = tuple(map(logic.IntVal, block))
    inside = logic.BoolVal(True)
    if not block and mapping.indices:
        index = tuple(pair.query.fresh("int", n) for n, _ in mapping.indices)
        inside = pair.in_range(mapping, index)
    pair.indices.append((mapping, index))
    pair.query.stale()
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
