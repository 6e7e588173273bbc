"""Finite classes given by listing databases and neighbours, in the language of all others.

A database of the list is one record in the cell of its name.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.model.domain import Domain, Universe
from dpcomp_sym.model.granularity import Edit, Granularity

__all__ = ["listed_domain", "listed_granularity"]

ATTRIBUTE: Final = "database"
PAIRS_AN_EDIT: Final = 20


def listed_domain(databases: Sequence[str], name: str = "") -> Domain:
    """Return the class of the databases with these names.

    Raises:
        InputError: a name is there twice, or is not a name.

    >>> listed_domain(["empty", "full"]).size
    ('size(D) == 1',)
    """
    return Domain(
        {ATTRIBUTE: list(databases)}, cap=1, size=("size(D) == 1",), universe=Universe.PRODUCT,
        name=name,
    )  # fmt: skip


def listed_granularity(
    name: str, neighbours: Sequence[Sequence[str]], symbol: str = "", *, directed: bool = False,
    group: int = 1,
) -> Granularity:  # fmt: skip
    """Return the granularity with these neighbours, each pair in either order unless directed.

    Neighbours are up to ``group`` of these steps apart.

    Raises:
        InputError: a database is a neighbour of itself.

    >>> listed_granularity("steps", [("empty", "full")]).edits[0].change
    {'x': -1, 'y': 1}
    """
    for a, b in neighbours:
        if a == b:
            raise InputError(f"'{a}' cannot be a neighbour of itself", word=a)
    pairs = list(_joined(neighbours, group, directed=directed)) if group > 1 else neighbours
    databases = {database for pair in neighbours for database in pair}
    x, y = _two_names(databases)
    edits = []
    for start in range(0, len(pairs), PAIRS_AN_EDIT):
        said = " or ".join(
            f"({ATTRIBUTE}({x}) == {a} and {ATTRIBUTE}({y}) == {b})"
            for a, b in pairs[start : start + PAIRS_AN_EDIT]
        )
        guard = f"D[{x}] >= 1 and ({said})"
        edits.append(Edit({x: "cell", y: "cell"}, guard, {x: -1, y: 1}))
    return Granularity(name, edits, symbol, directed)


def _joined(
    neighbours: Sequence[Sequence[str]], most: int, *, directed: bool
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of different databases that are up to so many steps apart, each once.

    >>> list(_joined([("p", "q"), ("q", "r")], 2, directed=False))
    [('p', 'q'), ('p', 'r'), ('q', 'r')]
    """
    after: dict[str, list[str]] = {}
    for a, b in neighbours:
        after.setdefault(a, []).append(b)
        after.setdefault(b, []).extend([] if directed else [a])
    seen: set[tuple[str, str]] = set()
    for start in after:
        reached = [start]
        for _ in range(most):
            reached = list(
                dict.fromkeys([*reached, *(b for a in reached for b in after.get(a, ()))])
            )
        for end in reached:
            if start != end and (start, end) not in seen:
                yield start, end
                seen |= {(start, end)} if directed else {(start, end), (end, start)}


def _two_names(taken: Collection[str]) -> tuple[str, str]:
    """Return the names of the two records of an edit, which no database may have.

    >>> _two_names(["a", "b"]), _two_names(["x", "y", "xx"])
    (('x', 'y'), ('xxx', 'yy'))
    """
    x, y = (
        next(n for m in itertools.count(1) if (n := letter * m) not in taken) for letter in "xy"
    )
    return x, y
