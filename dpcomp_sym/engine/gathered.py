"""Neighbours with as many records as given numbers say, written out from what shows a bound.

A bound is shown for all numbers of its symbols by one record that changes and the crowd that
changes like it (:mod:`dpcomp_sym.engine.crowds`).  For given numbers the crowd is written out here,
which is quicker than a search for hundreds of records.  The evaluator decides whether these are
neighbours, and from how far their blocks are seen at least: nothing is believed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.distances import steps_needed, values_changed
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.tight_pairs import AttainedBlock
from dpcomp_sym.engine.worst import ConfirmedPair, Crowd, Holding, Spread, first_of
from dpcomp_sym.finite import Cell
from dpcomp_sym.finite.world import difference
from dpcomp_sym.model import BoundMap, BoundPart
from dpcomp_sym.profile import All, Case, Infinity, Number, Symbolic, Total
from dpcomp_sym.terms import CELL, INT, evaluate, subterms, variable
from dpcomp_sym.terms.evaluate import Value

__all__ = ["gathered"]

MOST_RECORDS: Final = 2000
"""Larger databases are not written out."""
CELL_VARIABLE: Final = variable("c", CELL)


def gathered(
    structure: Structure, case: Case, touches: Sequence[AttainedBlock], sizes: Mapping[str, int]
) -> FoundPair | None:
    """Return neighbours whose blocks are seen at these distances at least, or None.

    Args:
        structure: the problem.
        case: what was shown for these sizes, with the neighbours that show it.
        touches: the blocks, and from how far they are to be seen.
        sizes: numbers for all symbols.
    """
    if structure.problem.domain.size:
        return None
    for pair in itertools.chain.from_iterable(pairs for _, pairs in case.worst):
        if not isinstance(pair, ConfirmedPair):
            continue
        crowds = [g for g in pair.growth if isinstance(g, Crowd)]
        if not crowds or len(crowds) < len(pair.growth):
            continue
        pairs = Pairs.of(structure.problem, pair.edit)
        for sides in range(1, max(c.sides for c in crowds) + 1):
            found = _Gathering(structure, pair, touches, sizes).pair_of(crowds, sides)
            for one in () if found is None else (found, _turned(found)):
                if pairs.hold(one.world, one.old, one.new) and _far(structure, one, touches):
                    return one
    return None


def _turned(found: FoundPair) -> FoundPair:
    return replace(found, old=found.new, new=found.old)


def _far(structure: Structure, found: FoundPair, touches: Sequence[AttainedBlock]) -> bool:
    """Return whether the parts see the blocks from so far at least."""
    parts = {p.name: p for p in structure.problem.bound_parts}
    return all(
        _least(structure, found, parts[name], index) >= distance
        for touch, (_, index) in zip(touches, found.blocks, strict=True)
        for name, distance in touch.distances
    )


def _least(
    structure: Structure, found: FoundPair, part: BoundPart, index: tuple[int, ...]
) -> int | Infinity:
    """Return a number that the distance a part sees is at least.

    Many edits are needed where each changes few records, or only such with one value of something.
    Otherwise the databases are looked at as small ones are.
    """
    world, inner = found.world, part.granularity
    if part.setting != "common" and not inner.directed:
        old, new = (world.apply(part.map, d, index) for d in (found.old, found.new))
        cells = world.block_cells(part.map, index)
        inside = all(world.contains(d, part.domain, cells) for d in (old, new))
        if inside and difference(old, new):
            steps = steps_needed(inner, old, new)
            apart = structure.told_apart(inner)
            if apart is not None:
                steps = max(steps, values_changed(world, inner.domain, apart, old, new))
            if steps > 1:
                return steps
    return structure.bracket(found, part, index).lower


class _Gathering:
    """What is written out of one pair: new elements, what functions say of them, records."""

    def __init__(
        self, structure: Structure, pair: ConfirmedPair, touches: Sequence[AttainedBlock],
        sizes: Mapping[str, int],
    ) -> None:  # fmt: skip
        self.structure, self.pair, self.touches = structure, pair, touches
        self.domain = structure.problem.domain
        self.sizes = {**pair.found.world.symbols, **sizes}
        self.world = replace(pair.found.world, symbols=self.sizes)
        self.elements = {s: list(e) for s, e in self.world.elements.items()}
        self.functions = {n: dict(table) for n, table in self.world.functions.items()}
        self.groups: dict[tuple[str, tuple[Value, ...]], int] = {}
        """Which of the blocks of a map hold the records with these values."""
        self.integer = 0
        self._above(v for c in self.world.cells for v in c)

    def _above(self, values: Iterable[Value]) -> None:
        """Have new integers larger than some."""
        numbers = (abs(v) for v in values if isinstance(v, int))
        self.integer = max(self.integer, *numbers, 0)

    def pair_of(self, crowds: Sequence[Crowd], sides: int) -> FoundPair | None:
        """Return two databases that hold the crowds, one of them nothing else if on one side."""
        before = self.pair.found
        outer = self.structure.problem.outer
        step = before.world.linking(outer, before.old, before.new, by=self.pair.edit)
        if step is None:
            return None
        self.params = dict(step.params)
        held: tuple[dict[Cell, int], dict[Cell, int]] = ({}, {})
        for crowd in crowds:
            seed = self._seed(crowd)
            if seed is None or self._records(crowd) * sides > MOST_RECORDS:
                return None
            for cell, side in self._crowd(crowd, seed, sides):
                held[side][cell] = 1
        cells = tuple(dict.fromkeys((*held[0], *held[1])))
        elements = {s: tuple(e) for s, e in self.elements.items()}
        chosen = {v for v in self.params.values() if isinstance(v, int)}
        world = replace(
            self.world, cells=cells, elements=elements, functions=self.functions,
            chosen=tuple(sorted({*self.world.chosen, *chosen})),
        )  # fmt: skip
        return FoundPair(world, *held, self._blocks())

    def _blocks(self) -> tuple[tuple[BoundMap, tuple[int, ...]], ...]:
        known = {m.name: index for m, index in self.pair.found.blocks}
        maps = self.structure.problem.used_maps
        return tuple(
            (maps[t.map], known.get(t.map, ()) if t.block is None else t.block)
            for t in self.touches
        )

    def _seed(self, crowd: Crowd) -> Cell | None:
        """Return a record that changes, in the blocks in which the crowd of it is."""
        return first_of(crowd, self.pair.found, self.params)

    def _records(self, crowd: Crowd) -> int:
        each = (len(self._values(one)) if one.start is not None else self._number(one.number)
                for one in crowd.spread)  # fmt: skip
        return math.prod(each) * self._number(crowd.alike)

    def _number(self, number: Number) -> int:
        return number.at(self.sizes) if isinstance(number, Symbolic | Total) else number

    def _values(self, one: Spread) -> Sequence[Value]:
        """Return the values of an attribute that are there already."""
        if isinstance(one.start, All):
            return self.domain.enumerations[self.domain.attribute_sorts[one.attribute]]
        if one.start is None:
            return ()
        first = int(evaluate(one.start, self.world.environment(variables=self.params)))
        return range(first, first + self._number(one.number))

    def _crowd(self, crowd: Crowd, seed: Cell, sides: int) -> Iterator[tuple[Cell, int]]:
        """Yield the records of a crowd, each with the database that holds it."""
        places = {a: n for n, a in enumerate(self.domain.attributes)}
        known = [self._values(one) for one in crowd.spread]
        self._above(v for values in known for v in values)
        pools = [
            values or [self._new(one.attribute, seed[places[one.attribute]])
                       for _ in range(self._number(one.number))]
            for one, values in zip(crowd.spread, known, strict=True)
        ]  # fmt: skip
        alike = self._number(crowd.alike)
        for chosen in itertools.product(*pools):
            for side, _ in itertools.product(range(min(sides, crowd.sides)), range(alike)):
                values = list(seed)
                for spread, value in zip(crowd.spread, chosen, strict=True):
                    values[places[spread.attribute]] = value
                for a in crowd.new:
                    values[places[a]] = self._new(a, seed[places[a]])
                cell = tuple(values)
                self._as(CELL, cell, seed)
                for one in crowd.holding:
                    self._put(crowd, one, seed, cell)
                yield cell, side

    def _new(self, attribute: str, old: Value) -> Value:
        """Return a value that nothing else has; functions say of it what they say of the old."""
        sort = self.domain.attribute_sorts[attribute]
        if sort == INT:
            self.integer += 1
            return self.integer
        pool = self.elements.setdefault(sort, [])
        value = next(n for i in itertools.count(len(pool) + 1)
                     if (n := f"{sort.lower()}{i}") not in pool)  # fmt: skip
        pool.append(value)
        self._as(sort, value, old)
        return value

    def _as(self, sort: str, new: Value, old: Value) -> None:
        for name, (arguments, _) in self.structure.signature.signatures.items():
            if arguments == (sort,) and (old,) in self.functions.get(name, {}):
                self.functions[name][new,] = self.functions[name][old,]

    def _put(self, crowd: Crowd, one: Holding, seed: Cell, cell: Cell) -> None:
        """Choose what a map's own functions say of a record, so that it is in its blocks."""
        mapping = self.structure.problem.used_maps[one.map]
        wanted = [t.block for t in self.touches if t.map == one.map and t.block]
        if not mapping.indices or not wanted:
            return
        places = {a: n for n, a in enumerate(self.domain.attributes)}
        key = (one.map, tuple(cell[places[a]] for a in one.by))
        group = self.groups.setdefault(key, sum(name == one.map for name, _ in self.groups))
        many = self._number(one.most)
        blocks = wanted[group * many : (group + 1) * many] or wanted[-many:]
        here = next(i for m, i in self.pair.found.blocks if m.name == one.map)
        varied = {*crowd.new, *(s.attribute for s in crowd.spread)}
        for term in subterms(mapping.member):
            named = {t.name for t in term.terms if t.op == "attr"}
            if not (term.op == "apply" and term.name in mapping.functions):
                continue
            if not (CELL_VARIABLE in term.terms or named & varied):
                continue
            for block in blocks:
                arguments, said = (
                    self.world.environment(variables={
                        **dict(zip((n for n, _ in mapping.indices), index, strict=True)), "c": of,
                    })
                    for index, of in ((block, cell), (here, seed))
                )  # fmt: skip
                at: Any = tuple(evaluate(t, arguments) for t in term.terms)
                value = block[0] if term.sort == INT else evaluate(term, said)
                self.functions.setdefault(term.name, {})[at] = value
