"""Plain enumeration: every label function, every database, every neighbour."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import networkx as nx

Database = frozenset[int]


def neighbours(setting: str, n: int) -> nx.Graph:
    """Return the graph of all databases over n records."""
    graph: nx.Graph = nx.Graph()
    databases = [
        frozenset(c) for size in range(n + 1) for c in itertools.combinations(range(n), size)
    ]
    graph.add_nodes_from(databases)
    for database in databases:
        graph.add_edges_from((database, other) for other in reached(setting, n, database))
    return graph


def reached(setting: str, n: int, database: Database) -> Iterator[Database]:
    """Yield the neighbours of a database."""
    everything = range(n)
    match setting:
        case "unbounded":
            yield from (database ^ {x} for x in everything)
        case "bounded":
            for x in database:
                yield from (database - {x} | {y} for y in everything if y not in database)
        case "owner":
            owners = max(1, n // 2)
            for owner in range(owners):
                own = [x for x in everything if x % owners == owner]
                rest = database - set(own)
                for size in range(len(own) + 1):
                    for chosen in itertools.combinations(own, size):
                        if rest | set(chosen) != database:
                            yield rest | set(chosen)


def labels(setting: str, n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Yield all label functions; they may depend on the owner only where that is the setting."""
    if setting == "owner":
        owners = max(1, n // 2)
        for chosen in itertools.product(range(k), repeat=owners):
            yield tuple(chosen[x % owners] for x in range(n))
    else:
        yield from itertools.product(range(k), repeat=n)


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question by looking at everything: of blocks, or of records inside one block."""
    pairs = [one ^ other for one, other in neighbours(setting, n).edges]
    for label in labels(setting, n, k):
        if inside:
            broken = any(most_inside([label[x] for x in changed]) > most for changed in pairs)
        else:
            broken = any(len({label[x] for x in changed}) > most for changed in pairs)
        if broken:
            return False
    return True


def most_inside(labels: list[int]) -> int:
    """Return how many records with these labels are in one block."""
    return max(map(labels.count, labels))
