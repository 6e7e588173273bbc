"""Finite classes, decided by listing all their databases."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.finite import Database, World
from dpcomp_sym.finite.enumerate import EditGraph, State
from dpcomp_sym.model import BoundGranularity, Domain, Universe
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, evaluate

__all__ = ["FiniteClass", "GraphDistances", "shortest_paths", "whole_class"]

MOST: Final = 600
"""How many databases are listed at most."""


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


@dataclass(frozen=True)
class GraphDistances:
    """All distances in a graph: a table for each component, read by the places of its nodes.

    ``longest`` is the largest distance between nodes that paths link.
    """

    places: Sequence[tuple[int, int]]
    """For each node its component, and its place there."""
    tables: Sequence[bytes]
    """Row after row, each number with the smallest digit first."""
    sizes: Sequence[int]
    width: int
    """How many bytes a number takes."""
    longest: int

    def between(self, a: int, b: int) -> int | Infinity:
        """Return the distance of two nodes."""
        (component, row), (other, column) = self.places[a], self.places[b]
        if component != other:
            return INFINITY
        start = (row * self.sizes[component] + column) * self.width
        return int.from_bytes(self.tables[component][start : start + self.width], "little")


def shortest_paths(neighbours: Sequence[Collection[int]]) -> GraphDistances:
    """Return all distances in a graph.

    Sets of nodes are the bits of an int.  What is near a node after one more step is what was near
    its neighbours: one operation on whole sets for each link.  Distances are kept in the same way,
    a set for each of their binary digits, and read out at the end, all at once.

    Args:
        neighbours: of each node; every link leads both ways.

    >>> found = shortest_paths([[1], [0, 2], [1], []])
    >>> found.between(0, 2), found.between(1, 1), found.between(0, 3), found.longest
    (2, 0, Infinity(), 2)
    """
    components = list(_components(neighbours))
    places = [(0, 0)] * len(neighbours)
    grown = []
    for number, nodes in enumerate(components):
        place = {node: n for n, node in enumerate(nodes)}
        for node, n in place.items():
            places[node] = number, n
        grown.append(_grown([[place[o] for o in neighbours[node]] for node in nodes]))
    longest = max((length for _, length in grown), default=0)
    width = 1 if longest < 256 else 2
    tables = [_table(digits, width) for digits, _ in grown]
    return GraphDistances(places, tables, list(map(len, components)), width, longest)


def _components(neighbours: Sequence[Collection[int]]) -> Iterator[list[int]]:
    """Yield the sets of nodes that paths link."""
    left = set(range(len(neighbours)))
    while left:
        border = {min(left)}
        found = set(border)
        while border:
            border = set().union(*[neighbours[node] for node in border]) - found
            found |= border
        left -= found
        yield sorted(found)


def _grown(neighbours: Sequence[Sequence[int]]) -> tuple[list[list[int]], int]:
    """Return the binary digits of all distances in a component, as sets, and the largest."""
    everything = (1 << len(neighbours)) - 1
    near = [1 << node for node in range(len(neighbours))]
    digits: list[list[int]] = []
    length = 0
    while active := [node for node, found in enumerate(near) if found != everything]:
        length += 1
        if length & (length - 1) == 0:  # a power of two, the first number with so many digits
            digits.append([0] * len(near))
        growing = [kept for place, kept in enumerate(digits) if length >> place & 1]
        before = near.copy()
        for node in active:
            reached = before[node]
            for other in neighbours[node]:
                reached |= before[other]
            near[node] = reached
            for kept in growing:
                kept[node] |= reached ^ before[node]
    return digits, length


_DIGITS: Final = bytes.maketrans(b"01", b"\0\1")


def _table(digits: Sequence[Sequence[int]], width: int) -> bytes:
    """Return all numbers from their binary digits, ``width`` bytes each.

    The members of all sets are spread over as many lanes of one number, so that the digits of all
    are added up at once.
    """
    if not digits:
        return bytes(width)
    count = len(digits[0])
    code = "ascii" if width == 1 else "utf-16-be"
    numbers = 0
    for place, masks in enumerate(digits):
        text = "".join(map(f"{{:0{count}b}}".format, reversed(masks)))
        numbers |= int.from_bytes(text.encode(code).translate(_DIGITS), "big") << place
    return numbers.to_bytes(count * count * width, "little")


class FiniteClass:
    """All databases of a finite class, with the distances of a granularity.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": ["a", "b"]}, cap=1, universe=Universe.PRODUCT)
    >>> whole = FiniteClass.of(library_granularity("unbounded").bind(domain))
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
        links: list[set[int]] = [set() for _ in self.states]
        for a, state in enumerate(self.states):
            for b in map(place.__getitem__, graph.after(state)):
                links[a].add(b)
                links[b].add(a)
        self.distances = shortest_paths(links)
        self.pairs = [(a, b) for a, found in enumerate(links) for b in sorted(found) if a < b]
        """The neighbours, by their numbers."""

    @classmethod
    def of(cls, granularity: BoundGranularity) -> FiniteClass | None:
        """Return the class of a granularity if it is finite and the edits lead both ways."""
        found = None if granularity.directed else whole_class(granularity.domain)
        return None if found is None else cls(*found, granularity)

    def distance(self, a: int, b: int) -> int | Infinity:
        """Return the distance of two databases, given by their numbers."""
        return self.distances.between(a, b)

    def database(self, number: int) -> Database:
        """Return a database."""
        state = self.states[number]
        return {c: n for c, n in zip(self.world.cells, state, strict=True) if n}
