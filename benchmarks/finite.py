"""Canonical metrics of finite classes: all distances between all databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import networkx as nx
from measure import Row, installed, limited
from rivals import brute

from dpcomp_sym.metrics.finite_class import FiniteClass, shortest_paths, whole_class
from dpcomp_sym.model import BoundGranularity, Domain, Universe, library_granularity

SIZES = {"unbounded": (4, 6, 8, 9), "bounded": (4, 6, 8, 9), "owner": (4, 6, 8)}
SCIPY = ("scipy.sparse.csgraph",)


def granularity(setting: str, n: int) -> BoundGranularity:
    """Return a setting of the rivals over sets of n records, in the language of the program."""
    if setting == "owner":
        attributes = {"owner": [f"o{i}" for i in range(n // 2)], "item": ["first", "second"]}
        domain = Domain(attributes, cap=1, universe=Universe.PRODUCT)
        return library_granularity("user", owner="owner").bind(domain)
    domain = Domain({"id": [f"r{i}" for i in range(n)]}, cap=1, universe=Universe.PRODUCT)
    return library_granularity(setting).bind(domain)


def described(setting: str, n: int) -> str:
    """List the class, link its neighbours and find all distances, from the description."""
    bound = granularity(setting, n)
    found = whole_class(bound.domain)
    return "" if found is None else largest(FiniteClass(*found, bound).distances.longest)


def enumerated(setting: str, n: int) -> str:
    """Do the same in plain Python, written for this setting, with the paths of networkx."""
    return longest(brute.neighbours(setting, n))


def longest(graph: nx.Graph) -> str:
    """Find all distances with networkx."""
    return largest(max(max(row.values()) for _, row in nx.all_pairs_shortest_path_length(graph)))


def searched(links: list[list[int]]) -> str:
    """Find all distances as the program does."""
    return largest(shortest_paths(links).longest)


def compiled(matrix: Any) -> str:
    """Find all distances with SciPy's compiled search."""
    import numpy as np
    from scipy.sparse.csgraph import shortest_path

    found = shortest_path(matrix, unweighted=True, directed=False)
    return largest(int(np.max(found[np.isfinite(found)])))


def largest(number: int) -> str:
    """Say what all agree on."""
    return f"largest {number}"


def rows() -> Iterator[Row]:
    """Yield the measurements: the whole task first, then the search alone on the same links."""
    for setting, sizes in SIZES.items():
        topic = f"metric of a finite class: {setting}"
        tools: dict[str, Callable[..., str]] = {"dpcomp-sym": described, "networkx": enumerated}
        for who, tool in tools.items():
            yield from measured(topic, who, tool, {2**n: (setting, n) for n in sizes})
    for setting, sizes in SIZES.items():
        topic = f"all distances from the links: {setting}"
        graphs = {2**n: brute.neighbours(setting, n) for n in sizes}
        yield from measured(
            topic, "dpcomp-sym", searched, {s: (as_numbers(g),) for s, g in graphs.items()}
        )
        yield from measured(topic, "networkx", longest, {s: (g,) for s, g in graphs.items()})
        if not installed(SCIPY):
            yield Row(topic, "SciPy", "", None, "not installed")
            continue
        matrices = {s: (nx.to_scipy_sparse_array(g, format="csr"),) for s, g in graphs.items()}
        yield from measured(topic, "SciPy", compiled, matrices, SCIPY)


def measured(
    topic: str,
    who: str,
    tool: Callable[..., str],
    tasks: dict[int, tuple[Any, ...]],
    needs: Sequence[str] = (),
) -> Iterator[Row]:
    """Yield one row for each number of databases, up to the first that takes too long."""
    for databases, arguments in tasks.items():
        found = limited(tool, *arguments, needs=needs)
        size = f"{databases} databases"
        if found is None:
            yield Row(topic, who, size, None, "gave up")
            return
        yield Row(topic, who, size, *found)


def as_numbers(graph: nx.Graph) -> list[list[int]]:
    """Return for each database the numbers of its neighbours."""
    place = {node: n for n, node in enumerate(graph)}
    return [[place[other] for other in graph[node]] for node in graph]
