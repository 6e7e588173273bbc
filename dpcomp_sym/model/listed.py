"""Finite classes given by listing databases and neighbours, in the language of all others.

A database of the list is one record in the cell of its name.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
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


def listed_granularity(name: str, neighbours: Sequence[Sequence[str]]) -> Granularity:
    """Return the granularity with these neighbours, each pair in either order.

    Raises:
        InputError: a database is a neighbour of itself.

    >>> listed_granularity("steps", [("empty", "full")]).edits[0].change
    {'x': -1, 'y': 1}
    """
    for a, b in neighbours:
        if a == b:
            raise InputError(f"'{a}' cannot be a neighbour of itself", word=a)
    databases = {database for pair in neighbours for database in pair}
    x, y = _two_names(databases)
    edits = []
    for start in range(0, len(neighbours), PAIRS_AN_EDIT):
        pairs = " or ".join(
            f"({ATTRIBUTE}({x}) == {a} and {ATTRIBUTE}({y}) == {b})"
            for a, b in neighbours[start : start + PAIRS_AN_EDIT]
        )
        guard = f"D[{x}] >= 1 and ({pairs})"
        edits.append(Edit({x: "cell", y: "cell"}, guard, {x: -1, y: 1}))
    return Granularity(name, edits)


def _two_names(taken: Collection[str]) -> tuple[str, str]:
    """Return the names of the two records of an edit, which no database may have.

    >>> _two_names(["a", "b"]), _two_names(["x", "y", "xx"])
    (('x', 'y'), ('xxx', 'yy'))
    """
    x, y = (
        next(n for m in itertools.count(1) if (n := letter * m) not in taken) for letter in "xy"
    )
    return x, y
