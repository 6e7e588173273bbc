"""Finite classes, decided by listing all their databases."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from dpcomp_sym.finite import Database, World
from dpcomp_sym.finite.enumerate import EditGraph, State
from dpcomp_sym.model import BoundGranularity, Domain, Universe
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, evaluate

__all__ = ["Whole", "shortest_paths", "whole_class"]

MOST: Final = 600
"""So many databases are listed at most."""


def whole_class(domain: Domain) -> tuple[World, list[State]] | None:
    """Return the only world of a finite class and all its databases, or None if it is not finite.

    >>> domain = Domain({"id": ["a", "b"]}, cap=1, universe=Universe.PRODUCT)
    >>> whole_class(domain)[1]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    sorts = domain.attribute_sorts.values()
    known = all(s in domain.enumerations or s == BOOL for s in sorts)
    if not known or domain.signatures or domain.symbols or domain.universe is not Universe.PRODUCT:
        return None
    pools = [domain.enumerations.get(s) or (False, True) for s in sorts]
    world = World(domain, (), domain.enumerations)
    cells = tuple(c for c in itertools.product(*pools) if world.is_cell(c))
    world = World(domain, cells, domain.enumerations)
    states: list[State] = []
    for size in _sizes(domain, len(cells)):
        for places in _choices(len(cells), size, repeated=domain.cap != 1):
            state = tuple(places.count(n) for n in range(len(cells)))
            if world.contains(dict(zip(cells, state, strict=True)), domain, cells):
                states.append(state)
            if len(states) > MOST:
                return None
    return (world, sorted(states)) if states and len(cells) >= domain.at_least else None


def _choices(cells: int, size: int, *, repeated: bool) -> Iterator[tuple[int, ...]]:
    """Yield the ways to put records into cells."""
    if repeated:
        yield from itertools.combinations_with_replacement(range(cells), size)
    else:
        yield from itertools.combinations(range(cells), size)


def _sizes(domain: Domain, cells: int) -> list[int]:
    """Return the sizes that databases can have; many of them if there is no end."""
    most = MOST + 1 if domain.cap is None else domain.cap * cells
    env = World(domain, ()).environment(domain)
    found = []
    for size in range(most + 1):
        env.databases["D"] = {(): size}
        if all(evaluate(t, env) for t in domain.size_terms):
            found.append(size)
    return found


def shortest_paths(links: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all distances in a graph, -1 where there is no path.

    Sets of nodes are the bits of an int.  What is near a node after one more step is what was near
    its neighbours: one operation on whole sets for each link.  Distances are kept in the same way,
    a set for each of their binary digits, and read out at the end.

    Args:
        links: for each node the set of its neighbours; every link leads both ways.

    >>> shortest_paths([0b010, 0b101, 0b010])
    [(0, 1, 2), (1, 0, 1), (2, 1, 0)]
    """
    neighbours = [_members(mask) for mask in links]
    component = _components(links)
    near = [mask | 1 << node for node, mask in enumerate(links)]
    digits = [[mask] for mask in links]
    length = 1
    while active := [n for n, everything in enumerate(component) if near[n] != everything]:
        length += 1
        ones = _members(length)
        if ones == [length.bit_length() - 1]:  # a power of two, the first of its length
            for kept in digits:
                kept.append(0)
        before = near.copy()
        for node in active:
            reached = before[node]
            for other in neighbours[node]:
                reached |= before[other]
            near[node] = reached
            for place in ones:
                digits[node][place] |= reached ^ before[node]
    every = (1 << len(links)) - 1
    width = 1 + length.bit_length() // 8
    return [
        _row(kept, every ^ mask, len(links), width)
        for kept, mask in zip(digits, component, strict=True)
    ]


def _members(mask: int) -> list[int]:
    """Return the places of the bits of a number."""
    text = f"{mask:b}"[::-1]
    return [place for place, digit in enumerate(text) if digit == "1"]


def _components(links: Sequence[int]) -> list[int]:
    """Return for each node the set of those that paths lead to."""
    found = [0] * len(links)
    for node in range(len(links)):
        if not found[node]:
            seen = border = 1 << node
            while border:
                reached = 0
                for other in _members(border):
                    reached |= links[other]
                border = reached & ~seen
                seen |= reached
            for other in _members(seen):
                found[other] = seen
    return found


_DIGITS: Final = bytes.maketrans(b"01", b"\0\1")


def _row(digits: Sequence[int], lost: int, count: int, width: int) -> tuple[int, ...]:
    """Return numbers from their binary digits, and -1 for those that are lost.

    A set of ``count`` members is spread over as many lanes of ``width`` bytes in one number, so
    that the digits can be added up for all members at once.
    """
    code = "ascii" if width == 1 else "utf-16-be"

    def spread(mask: int) -> int:
        return int.from_bytes(f"{mask:0{count}b}".encode(code).translate(_DIGITS), "big")

    row = sum(spread(mask) << place for place, mask in enumerate(digits))
    row += spread(lost) * (256**width - 1)
    lane = "b" if width == 1 else "h"
    return struct.unpack(f"<{count}{lane}", row.to_bytes(count * width, "little"))


class Whole:
    """All databases of a finite class, with the distances of a granularity.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": ["a", "b"]}, cap=1, universe=Universe.PRODUCT)
    >>> whole = Whole.of(library_granularity("unbounded").bind(domain))
    >>> whole.distance(0, 3), len(whole.pairs)
    (2, 4)
    """

    def __init__(
        self, world: World, states: Sequence[State], granularity: BoundGranularity
    ) -> None:
        self.world = world
        self.states = list(states)
        most = max((max(s, default=0) for s in states), default=0)
        graph = EditGraph(world, granularity, world.cells, most, self.states)
        place = {s: n for n, s in enumerate(self.states)}
        links = [0] * len(self.states)
        for a, state in enumerate(self.states):
            for b in map(place.__getitem__, graph.after(state)):
                links[a] |= 1 << b
                links[b] |= 1 << a
        self.rows = shortest_paths(links)
        self.pairs = [
            (a, b) for a, b in itertools.combinations(range(len(links)), 2) if links[a] >> b & 1
        ]
        """The neighbours, by their numbers."""

    @classmethod
    def of(cls, granularity: BoundGranularity) -> Whole | None:
        """Return the class of a granularity if it is finite and the edits lead both ways."""
        found = None if granularity.directed else whole_class(granularity.domain)
        return None if found is None else cls(*found, granularity)

    def distance(self, a: int, b: int) -> int | Infinity:
        """Return the distance of two databases, given by their numbers."""
        found = self.rows[a][b]
        return INFINITY if found < 0 else found

    def database(self, number: int) -> Database:
        """Return a database."""
        state = self.states[number]
        return {c: n for c, n in zip(self.world.cells, state, strict=True) if n}
