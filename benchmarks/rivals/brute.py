"""Plain enumeration: every label function, every database, every neighbour."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import networkx as nx

from rivals import SETTINGS, Scope

Database = frozenset[int]


def neighbours(setting: str, n: int) -> nx.Graph:
    """Return the graph of all databases over n records."""
    scope = SETTINGS[setting](n)
    graph: nx.Graph = nx.Graph()
    databases = list(subsets(range(n), 0, n))
    graph.add_nodes_from(databases)
    if scope.together is None:
        for database in databases:
            rest = set(range(n)) - database
            graph.add_edges_from((database, database - {x} | {y}) for x in database for y in rest)
    else:
        changes = {part for all_ in scope.together for part in subsets(all_, 1, len(all_))}
        for database in databases:
            graph.add_edges_from((database, database ^ change) for change in changes)
    return graph


def subsets(of: Sequence[int] | frozenset[int], fewest: int, most: int) -> Iterator[frozenset[int]]:
    """Yield the subsets with so many elements."""
    for size in range(fewest, most + 1):
        yield from map(frozenset, itertools.combinations(of, size))


def placed(scope: Scope, k: int) -> Iterator[Sequence[frozenset[int]]]:
    """Yield for all label functions the blocks of each record."""
    if scope.given is not None:
        yield [frozenset({i} & set(range(k))) for i in scope.given]
        return
    joined = frozenset.intersection if scope.every else frozenset.union
    for label in labels(scope, k):
        yield [joined(*(label[y] for y in own)) for own in scope.keys]


def labels(scope: Scope, k: int) -> Iterator[Sequence[frozenset[int]]]:
    """Yield all label functions, as the blocks of each key."""
    keys = len(set(itertools.chain(*scope.keys)))
    if scope.fewest == scope.most == 1:
        single = [frozenset({i}) for i in range(k)]
        yield from ([single[i] for i in chosen] for chosen in growing(keys, k))
    else:
        yield from itertools.product(list(subsets(range(k), scope.fewest, scope.most)), repeat=keys)


def growing(length: int, k: int) -> Iterator[tuple[int, ...]]:
    """Yield the label functions up to a swap of blocks: a new label is always the next one."""
    if length == 0:
        yield ()
        return
    for first in growing(length - 1, k):
        for i in range(min(k, max(first, default=-1) + 2)):
            yield (*first, i)


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question by looking at everything: of blocks, or of records inside one block."""
    scope = SETTINGS[setting](n)
    differences = {one ^ other for one, other in neighbours(setting, n).edges}
    for blocks in placed(scope, k):
        for changed in differences:
            seen = [i for x in changed for i in blocks[x]]
            if (max(map(seen.count, seen), default=0) if inside else len(set(seen))) > most:
                return False
    return True
