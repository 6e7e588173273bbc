"""Neighbours as a graph: every database of a small class, and which pairs are neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.enumerate import EditGraph, databases
from dpcomp_sym.metrics.finite_class import whole_class
from dpcomp_sym.model import Domain, Granularity
from dpcomp_sym.model.library import granularity_beside
from dpcomp_sym.surface.shorthand import granularity
from dpcomp_sym.terms import BOOL, INT

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["neighbour_graph"]

MOST: Final = 2_000
"""How many databases a graph has at most ..."""
MOST_TRIED: Final = 200_000
"""... out of so many choices of records."""


def neighbour_graph(
    given: Granularity | str,
    over: Domain,
    values: Mapping[str, int | Sequence[str | int]] | None = None,
    most: int = 1,
) -> nx.Graph[Any]:
    """Return the databases of a small class as a networkx graph, with an edge between neighbours.

    A distance is a shortest path in it, as far as paths stay among these databases.  Integers that
    an edit chooses are those that occur: those of the records, and what the edit makes of them.

    Args:
        given: the granularity, or the name of a built-in such as ``"user(person)"``.
        over: the domain.
        values: by sort, how many elements it has, or which; integers are named by their
            attribute.  What is enumerated in the domain has these values already.
        most: the largest number of records that are equal, unless the domain says fewer.

    Returns:
        a graph, directed if the granularity is.  A node is a database: its records in order, each
        a value, or a tuple of values where there are several attributes.

    Raises:
        InputError: a sort has no values, the domain has functions or symbols, or there are more
            than 2,000 databases.

    >>> import dpcomp_sym as dp
    >>> graph = dp.neighbour_graph("unbounded", dp.Domain(id="Record"), {"Record": 2})
    >>> sorted(graph.edges)
    [((), ('record1',)), ((), ('record2',)), (('record1',), ('record1', 'record2')), \
(('record2',), ('record1', 'record2'))]
    """
    import networkx as nx

    bound = granularity_beside(granularity(given), over).bind(over)
    for names, what in ((over.signatures, "functions"), (over.symbols, "symbols")):
        if names:
            raise InputError(f"a domain with {what} has no databases before these have values: "
                             f"'{min(names)}'", word=min(names))  # fmt: skip
    world, states = (None if values else whole_class(over)) or _worlds(over, values or {}, most)
    top = max((n for state in states for n in state), default=0)
    edits = EditGraph(world, bound, world.cells, top, states)
    graph: nx.Graph[Any] = nx.DiGraph() if bound.directed else nx.Graph()
    nodes = {state: tuple(_records(state, world.cells)) for state in states}
    graph.add_nodes_from(nodes.values())
    for state, node in nodes.items():
        graph.add_edges_from((node, nodes[after]) for after in edits.after(state))
    return graph


def _worlds(
    domain: Domain, values: Mapping[str, Any], most: int
) -> tuple[World, list[tuple[int, ...]]]:
    """Return the world in which every record of these values can be held, and its databases."""
    world = _world(domain, values)
    top = most if domain.cap is None else min(most, domain.cap)
    if len(world.cells) < MOST and (top + 1) ** len(world.cells) <= MOST_TRIED:
        cells = world.cells
        known = databases(world, domain, cells, most)
        states = [tuple(held.get(c, 0) for c in cells) for held in known]
        if len(states) <= MOST:
            return world, states
    raise InputError(f"{len(world.cells)} different records make more than {MOST} databases: give "
                     "fewer values")  # fmt: skip


def _world(domain: Domain, values: Mapping[str, Any]) -> World:
    elements = dict(domain.enumerations)
    pools: list[Sequence[Any]] = []
    for attribute, sort in domain.attribute_sorts.items():
        key = attribute if sort == INT else sort
        if sort == BOOL:
            pools.append((False, True))
        elif sort in domain.enumerations:
            pools.append(domain.enumerations[sort])
        elif key not in values:
            example = f"{{'{key}': [1, 2, 3]}}" if sort == INT else f"{{'{key}': 3}}"
            raise InputError(f"'{key}' has no values: give it some, such as {example}", word=key)
        else:
            pools.append(_pool(key, values[key], integers=sort == INT))
            if sort != INT:
                elements[sort] = tuple(pools[-1])
    unused = sorted(set(values) - {*domain.attribute_sorts, *domain.attribute_sorts.values()})
    if unused:
        raise InputError(f"'{unused[0]}' is not a sort of the domain", word=unused[0])
    world = World(domain, (), elements)
    cells = tuple(c for c in itertools.product(*pools) if world.is_cell(c))
    return World(domain, cells, elements)


def _pool(name: str, given: Any, *, integers: bool) -> tuple[Any, ...]:
    if type(given) is int and given >= 1 and not integers:
        return tuple(f"{name.lower()}{n}" for n in range(1, given + 1))
    kind = int if integers else str
    found = (
        tuple(given) if isinstance(given, Sequence | range) and not isinstance(given, str) else ()
    )
    if not found or len(set(found)) < len(found) or any(type(x) is not kind for x in found):
        wanted = "integers" if integers else "names, or their number"
        raise InputError(f"'{name}' needs different {wanted}, not {given!r}", word=name)
    return found


def _records(state: Sequence[int], cells: Sequence[Cell]) -> Iterator[Any]:
    for number, cell in zip(state, cells, strict=True):
        yield from [cell[0] if len(cell) == 1 else cell] * number
