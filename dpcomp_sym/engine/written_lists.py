"""Lists that are written down: neighbours that the solver is slow to find.

Where an edit moves all later records along, neighbours that show something are often longer than
what a search by size comes to.  Two values take turns in D, or one of each block in question; D* is
what the edit makes of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.covering import near_integers, telling_integers
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.distances import Bracket
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.world import Index
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Domain, Problem
from dpcomp_sym.profile import Infinity
from dpcomp_sym.terms import BOOL, INT, reads_database

__all__ = [
    "MOST_VALUES", "far_in_lists", "inside_and_beside", "list_attributes", "lists_through",
    "may_be_infinite", "written_lists",
]  # fmt: skip

LONGEST: Final = 8
"""The lists have so many records at most."""
LONG: Final = 100
"""Those that go through blocks by places have so many at most."""
NUMBERS: Final = (1, 2, 3)
"""What all symbols are in turn."""


class _Seen(Protocol):
    def __call__(self, found: FoundPair, *, index: tuple[int, ...]) -> Bracket: ...


_Turns = tuple[Any, ...]
_Kind = tuple[str, str, _Turns]
"""Which attribute is the place, which the value, and which values take turns."""
INTEGERS: Final[tuple[_Turns, ...]] = ((0, 1), (1, 2))
"""Which two integers take turns as values."""
MOST_VALUES: Final = 48
"""So many values take turns at most."""


def written_lists(problem: Problem, edit: BoundEdit) -> Iterator[FoundPair]:
    """Yield neighbours that are lists, shortest first; none where functions could be anything.

    >>> from dpcomp_sym.model import library_granularity
    >>> lists = Domain({"at": "int", "of": "Value"}, cap=1, cell="at(c) >= 1",
    ...     limits=[("at(c)", 1)], facts=["implies(D[c] >= 1, at(c) <= size(D))"])
    >>> problem = Problem(lists, library_granularity("insertion", position="at"), [], [])
    >>> found = next(written_lists(problem, problem.outer.edits[0]))
    >>> dict(found.old), dict(found.new)
    ({(1, 'value1'): 1}, {(1, 'value2'): 1, (2, 'value1'): 1})
    """
    kinds = [
        (place, other, two)
        for place, other in list_attributes(problem, edit) for two in _values(problem.domain, other)
    ]  # fmt: skip
    numbers = NUMBERS if problem.symbols else NUMBERS[:1]
    for size, number, kind in itertools.product(range(1, LONGEST + 1), numbers, kinds):
        yield from _linked(problem, edit, kind, size, number)


def lists_through(
    problem: Problem, edit: BoundEdit, blocks: Sequence[tuple[BoundMap, tuple[int, ...]]]
) -> Iterator[FoundPair]:
    """Yield neighbours that are lists in which one value of each block takes its turn, or two do.

    Args:
        problem: what the lists belong to.
        edit: one that moves records along.
        blocks: maps, each with the number of a block.
    """
    if problem.symbols:
        return
    for place, other in list_attributes(problem, edit):
        at, pool = problem.domain.positions[other], _pool(problem, other)
        world = _world(problem.domain, (place, other, pool), 1, {})
        held = [{c[at] for c in world.cells if world.member(m, c, i)} for m, i in blocks]
        shared = {value: sum(value in values for values in held) for value in pool}
        # Of each block the value that is in the fewest others.
        rarest = sorted(pool, key=lambda value: shared[value])
        chosen = (next((v for v in rarest if v in values), None) for values in held)
        turns = tuple(v for v in dict.fromkeys(chosen) if v is not None)
        if 1 < len(turns) <= MOST_VALUES:
            yield from _linked(problem, edit, (place, other, turns), len(turns), 1)
        by_place = any(place in attributes_read(problem.domain, m.member) for m, _ in blocks)
        size = 2 * max((len(blocks), *near_integers(problem)))
        for two in _values(problem.domain, other) if by_place and size <= LONG else ():
            # Blocks by remainders have two places each in a list of twice as many.
            yield from _linked(problem, edit, (place, other, two), size, 1)


def inside_and_beside(
    problem: Problem, mapping: BoundMap, index: Index, attributes: tuple[str, str], first: int
) -> Iterator[tuple[Any, Any]]:
    """Yield a value that a block may hold with one that it does not, if there are such values.

    It holds it, or does not, at the places that are looked at: a few.

    Args:
        problem: what the lists belong to.
        mapping: the map of the block.
        index: the block's number.
        attributes: which attribute is the place, and which the value.
        first: the first of the places that are looked at.
    """
    place, other = attributes
    pool, numbers = _pool(problem, other), dict.fromkeys(problem.symbols, max((1, *index)))
    world = _world(problem.domain, (place, other, pool), first + 1, numbers)
    at = problem.domain.positions[place]
    world = replace(world, cells=tuple(c for c in world.cells if c[at] >= first))
    values: dict[Any, set[bool]] = {}
    for cell in world.cells:
        inside = world.member(mapping, cell, index)
        values.setdefault(cell[problem.domain.positions[other]], set()).add(inside)
    held, beside = ([v for v, ways in values.items() if ways == {way}] for way in (True, False))
    if held and beside:
        yield held[0], beside[0]


def list_attributes(problem: Problem, edit: BoundEdit) -> Iterator[tuple[str, str]]:
    """Yield which attributes may be place and value, if an edit moves records along."""
    domain, maps = problem.domain, problem.used_maps.values()
    if reads_database(edit.step) and not (domain.signatures or any(m.functions for m in maps)):
        keys = [key for key, _ in domain.limit_terms]
        places = [key.name for key in keys if key.op == "attr" and key.sort == INT]
        yield from ((a, b) for a, b in itertools.product(places, domain.attributes) if a != b)


def _linked(
    problem: Problem, edit: BoundEdit, kind: _Kind, size: int, number: int
) -> Iterator[FoundPair]:
    """Yield those lists of a kind that the edit leads to from one of so many records."""
    world = _world(problem.domain, kind, size, dict.fromkeys(problem.symbols, number))
    old, *others = _lists(problem.domain, kind, size)
    pairs = Pairs.of(problem, edit)
    for new in others:
        if pairs.hold(world, old, new):
            yield FoundPair(world, old, new, ())


def _pool(problem: Problem, attribute: str) -> _Turns:
    """Return values of an attribute that blocks may hold: integers near those in formulas."""
    sort = problem.domain.attribute_sorts[attribute]
    if sort != INT:
        return _elements(problem.domain, sort)
    return telling_integers(problem)


def _values(domain: Domain, attribute: str) -> list[_Turns]:
    """Return which two values of an attribute take turns."""
    sort = domain.attribute_sorts[attribute]
    if sort == INT:
        return list(INTEGERS)
    known = _elements(domain, sort)
    return [(known[0], known[1])] if len(known) > 1 else []


def _elements(domain: Domain, sort: str) -> tuple[Any, ...]:
    if sort == BOOL:
        return (False, True)
    return domain.enumerations.get(sort) or tuple(f"{sort.lower()}{n}" for n in (1, 2))


def _world(domain: Domain, kind: _Kind, size: int, symbols: Mapping[str, int]) -> World:
    """Return a world with room for lists of so many records, and one more."""
    place, other, turns = kind
    sorts = domain.attribute_sorts
    pools = {a: (0,) if sort == INT else _elements(domain, sort) for a, sort in sorts.items()}
    pools |= {place: tuple(range(1, size + 2)), other: turns}
    elements = {s: _elements(domain, s) for s in sorts.values() if s not in (INT, BOOL)}
    world = World(domain, (), elements, symbols=symbols)
    return replace(world, cells=tuple(filter(world.is_cell, itertools.product(*pools.values()))))


def _lists(domain: Domain, kind: _Kind, size: int) -> list[dict[Cell, int]]:
    """Return a list of so many records, and others that begin with the value before.

    These are longer by one, as long, and shorter by one.
    """
    place, other, turns = kind
    sorts = domain.attribute_sorts
    rest = {a: 0 if sort == INT else _elements(domain, sort)[0] for a, sort in sorts.items()}

    def written(length: int, start: int) -> dict[Cell, int]:
        turn = [turns[(n + start) % len(turns)] for n in range(1, length + 1)]
        records = ({**rest, place: n, other: value} for n, value in enumerate(turn, 1))
        return {tuple(record.values()): 1 for record in records}

    return [written(size, 1), *(written(n, 0) for n in (size + 1, size, size - 1))]


def far_in_lists(
    problem: Problem, edit: BoundEdit, part: BoundPart, number: int, seen: _Seen
) -> FoundPair | None:
    """Return lists that a part sees at a distance larger than a number, the shortest.

    ``seen`` tells how far a part sees two databases in a block.
    """
    for found, index in _changed(problem, edit, part):
        if seen(found, index=index).lower > number:
            return found
    return None


def may_be_infinite(problem: Problem, edit: BoundEdit, part: BoundPart, seen: _Seen) -> bool:
    """Return whether some lists are infinitely far for a part, or none can be written down.

    Of each block the shortest are looked at.  Where none of them are, it takes long to look for
    others, and there are hardly any.
    """
    shortest: dict[tuple[int, ...], FoundPair] = {}
    for found, index in _changed(problem, edit, part):
        shortest.setdefault(index, found)
    return not shortest or any(
        isinstance(seen(found, index=index).lower, Infinity) for index, found in shortest.items()
    )


def _changed(
    problem: Problem, edit: BoundEdit, part: BoundPart
) -> Iterator[tuple[FoundPair, tuple[int, ...]]]:
    """Yield lists, each with the blocks in turn in which a part sees a change."""
    for found in written_lists(problem, edit):
        world = found.world
        for index in world.blocks(part.map):
            if found.changes(part.map, index):
                yield replace(found, blocks=((part.map, index),)), index
