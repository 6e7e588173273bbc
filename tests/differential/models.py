"""Neighbours of a small world as a model of what the solver is told of all neighbours.

Whatever the encoding says of two databases, of the blocks and of what these see must be true of all
real neighbours; what says too much would prove what is not so.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import z3

from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.finite.world import Cell, Database, PathStep, World
from dpcomp_sym.model import BoundMap, Problem, Universe
from dpcomp_sym.smt import Pair, Query, View, ViewDistance
from dpcomp_sym.terms import BOOL, CELL, INT
from tests.differential.compare import evidence

SCOPES: Final = ((3, 1), (3, 2), (2, 3))
"""So many cells, and at most so many records in each."""
TOLD: Final = 0.6
"""The share of the cells of which an open pair is told."""
MOST_WORLDS: Final = 2
MOST_PAIRS: Final = 3
MOST_BLOCKS: Final = 2


@dataclass(frozen=True)
class Neighbours:
    """Two databases of a world, and the edit that leads from the one to the other."""

    world: World
    old: Database
    new: Database
    step: PathStep


def neighbours(problem: Problem, rng: random.Random) -> Iterator[Neighbours]:
    """Yield some neighbours of small worlds."""
    for one in evidence(problem, SCOPES):
        databases = one.enumeration.outer.database
        pairs = one.enumeration.pairs
        for world in one.worlds[:MOST_WORLDS]:
            for both in rng.sample(pairs, min(MOST_PAIRS, len(pairs))):
                old, new = map(databases, both)
                step = world.linking(problem.outer, old, new)
                assert step is not None
                if step.backwards:
                    old, new = new, old
                yield Neighbours(world, old, new, step)


class Pinned:
    """The encoding, with everything as it is in a world.

    A closed pair is told of all cells; an open one of some, since it is about any number of them.
    """

    def __init__(self, problem: Problem, given: Neighbours, some: random.Random | None) -> None:
        self.world, self.old, self.new = given.world, given.old, given.new
        self.query = query = Query(signature_of(problem), problem.symbols)
        self._some = some
        self._elements: dict[tuple[str, str], Any] = {}
        maps = tuple(problem.used_maps.values())
        edit = problem.outer.edits[given.step.edit]
        self.pair = pair = Pair(query, edit, maps, closed=some is None)
        sorts = dict(edit.params)
        for name, value in given.step.params:
            self.same(pair.params[name], value, sorts[name])
        self.cells = {c: query.register(self.cell(c)) for c in self._told(self.world.cells)}
        for cell, ground in self.cells.items():
            query.add(pair.old(ground) == self.old.get(cell, 0))
            query.add(pair.new(ground) == self.new.get(cell, 0))
        for name, value in self.world.symbols.items():
            query.add(query.symbols[name] == value)
        for name, table in self.world.functions.items():
            arguments, result = query.signature.signatures[name]
            for key, value in table.items():
                values = [self.term(v, s) for v, s in zip(key, arguments, strict=True)]
                self.same(query.signature.apply(name, values), value, result)
        for sort in {s for s, _ in self._elements}:
            query.add(z3.Distinct(*[t for (s, _), t in self._elements.items() if s == sort]))

    def _told(self, cells: Sequence[Cell]) -> Sequence[Cell]:
        if self._some is None:
            return cells
        return [cell for cell in cells if self._some.random() < TOLD]

    def term(self, value: Any, sort: str) -> Any:
        """Return a term that stands for a value of the world."""
        if sort == CELL:
            return self.cell(value)
        if sort == INT:
            return z3.IntVal(value)
        if sort == BOOL:
            return z3.BoolVal(value)
        if sort in self.query.domain.enumerations:
            return self.query.signature.constant(value, sort)
        if (sort, value) not in self._elements:
            self._elements[sort, value] = self.query.fresh(sort, value)
        return self._elements[sort, value]

    def cell(self, cell: Cell) -> tuple[Any, ...]:
        """Return terms for the attributes of a cell."""
        sorts = self.query.domain.attribute_sorts.values()
        return tuple(self.term(v, s) for v, s in zip(cell, sorts, strict=True))

    def same(self, term: Any, value: Any, sort: str) -> None:
        """Say that a term has a value."""
        wanted = self.term(value, sort)
        both = zip(term, wanted, strict=True) if sort == CELL else [(term, wanted)]
        self.query.add(*[one == other for one, other in both])

    def view(self, mapping: BoundMap, index: tuple[int, ...]) -> View:
        """Return what a block sees, with the counts and the sizes that it sees in the world."""
        number = self.pair.index(mapping)
        self.query.add(*[n == value for n, value in zip(number, index, strict=True)])
        view = self.pair.view(mapping, number)
        seen: list[Mapping[Cell, int]] = [
            self.world.apply(mapping, d, index) for d in (self.old, self.new)
        ]
        shown = self.world.block_cells(mapping, index)
        for cell in self._told(shown) if mapping.image is not None else shown:
            if mapping.image is None and cell not in self.cells:
                continue
            if mapping.image is None:
                ground = self.cells[cell]
            else:
                ground = view.cell()
                for term, value, (_, image) in zip(ground, cell, mapping.image, strict=True):
                    self.same(term, value, image.sort)
            for count, database in zip((view.old, view.new), seen, strict=True):
                self.query.add(count(ground) == database.get(cell, 0))
        return view

    def sized(self, view: View, mapping: BoundMap, index: tuple[int, ...]) -> None:
        """Say how many records a block sees in the world."""
        for size, database in zip(view.sizes(), (self.old, self.new), strict=True):
            self.query.add(size == sum(self.world.apply(mapping, database, index).values()))

    def holds(self) -> bool:
        """Whether the solver finds nothing wrong with the world."""
        query, outside = self.query, []
        if query.domain.universe is not Universe.PRODUCT:  # where a product ends is not said
            there = [self.cell(cell) for cell in self.world.cells]
            for cell in query.maybe:
                known = z3.Or(*[query.equal(cell, other) for other in there])
                outside.append(query.present(cell) == known)
        return bool(query.check(*outside) == z3.sat)


def excluded(problem: Problem, given: Neighbours, rng: random.Random) -> Iterator[str]:
    """Yield what the encoding excludes although it is so in a world."""
    maps = problem.used_maps.values()
    for kind, some in (("open", rng), ("closed", None)):
        pinned = Pinned(problem, given, some)
        if not pinned.holds():
            yield f"{kind}: the neighbours {given}"
            continue
        for mapping in maps:
            for index in itertools.islice(given.world.blocks(mapping), MOST_BLOCKS):
                view = pinned.view(mapping, index)
                if not pinned.holds():
                    yield f"{kind}: what block {index} of {mapping.name} sees of {given}"
                    return
                pinned.sized(view, mapping, index)
                if not pinned.holds():
                    yield f"{kind}: the sizes in block {index} of {mapping.name} of {given}"
                    return


def invented(problem: Problem, given: Neighbours, rng: random.Random) -> Iterator[str]:
    """Yield which distances the encoding proves to be at most 1, or 2, although they are not."""
    for part in problem.bound_parts:
        if part.setting == "common":
            continue
        for index in itertools.islice(given.world.blocks(part.map), MOST_BLOCKS):
            old, new = (given.world.apply(part.map, d, index) for d in (given.old, given.new))
            cells = given.world.block_cells(part.map, index)
            for most in (1, 2):
                if given.world.path(part.granularity, old, new, most, cells) is not None:
                    break
                for some in (rng, None):
                    view = Pinned(problem, given, some).view(part.map, index)
                    if ViewDistance(view, part.granularity).at_most(most) == "proved":
                        yield f"{part.name} sees distance {most} in block {index} of {given}"
