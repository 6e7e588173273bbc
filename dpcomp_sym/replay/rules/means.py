"""What an edit changes as a mean of what it would change with all records where one of them is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from dpcomp_sym.replay.algebra import INF, ZERO, at_most, num
from dpcomp_sym.replay.rules.base import Nodes
from dpcomp_sym.replay.terms import Node, make

__all__ = ["spread_over_records"]

MOST_READINGS: Final = 500

Kinds = dict[tuple[int, ...], Nodes]
"""By the touched records that blocks of a map hold, what the parts see there: without zeros."""


def together(condition: Node) -> frozenset[Node]:
    """Return the conditions of which one is made that asks for all of them."""
    if condition[:2] == ("Connected", "and"):
        return frozenset(condition[2])
    return frozenset({condition})


def read_as(node: Node, numbers: tuple[int, ...]) -> Node:
    """Return a condition in which each letter is that with another number."""
    if node[0] in {"Letter", "LetterAt"}:
        return (node[0], numbers[node[1] - 1], *node[2:])

    def inner(x: object) -> object:
        if isinstance(x, tuple):
            return read_as(x, numbers) if x and isinstance(x[0], str) else tuple(map(inner, x))
        return x

    return (node[0], *map(inner, node[1:]))


def readings(pattern: Node, letters: int, facts: Node) -> Iterator[Nodes]:
    """Yield the families of a pattern in the letters of an edit, where these have its facts."""
    _, free, own, families = pattern
    for numbers in islice(product(range(1, letters + 1), repeat=free), MOST_READINGS):
        if together(read_as(own, numbers)) <= together(facts):
            yield tuple((*f[:4], read_as(f[4], numbers)) for f in families)


def spread_over_records(
    joint: Node, points: int, tables: Mapping[str, Kinds], counts: Mapping[str, Node],
    vectors: Nodes, where: Nodes,
) -> bool:  # fmt: skip
    """Return whether each record has a vector for all blocks that hold it, and these are enough.

    What a part sees of a block, times the number of records, is at most the sum of what the vectors
    of the records in it say.
    """
    _, _, _, terms, facts, places = joint
    if points == 0 or any(p[4] for p in places):
        return False
    known: dict[tuple[str, tuple[int, ...]], frozenset[Node]] = {}
    for _, name, held, when, _ in places:
        known[name, held] = together(when)

    def of(families: Nodes, name: str, record: int) -> dict[str, Node] | None:
        """Return what one of some families says that has all blocks of a map with a record."""
        for _, other, count, distances, when in families:
            mine = [kind for kind in tables[name] if record in kind]
            if other == name and at_most(counts.get(name, INF), count, where) and all(
                together(when)
                <= known.get((name, kind), frozenset()) | known.get((name, ()), frozenset())
                for kind in mine
            ):  # fmt: skip
                return {part: r for _, part, r in distances}
        return None

    patterns = [v for v in vectors if v[0] == "BlockPattern"]
    said: dict[tuple[int, str, str], Node] = {}
    for record in range(1, points + 1):
        names = [name for name, kinds in tables.items() if any(record in kind for kind in kinds)]
        for families in (r for v in patterns for r in readings(v, len(terms), facts)):
            rows = {name: of(families, name, record) for name in names}
            if None not in rows.values():
                said |= {
                    (record, n, p): r for n, row in rows.items() for p, r in (row or {}).items()
                }
                break
        else:
            return False
    return all(
        at_most(
            make("Product", (num(points), r)),
            make("Sum", tuple(said.get((record, name, part), ZERO) for record in kind)),
            where,
        )
        for name, kinds in tables.items()
        for kind, row in kinds.items()
        for _, part, r in row
    )
