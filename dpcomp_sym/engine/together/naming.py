"""The few records that a frame's edit changes, each with a name of its own.

Where a limit lets no more than n records change, there are n of them, perhaps equal ones, among
which are all that do.  An edit that names these and changes no others does all that the first one
does; its integers are also those of the records, so that it is said where these are which change.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Final

from dpcomp_sym.model import BoundEdit
from dpcomp_sym.terms import BOOL, CELL, Term, conjunction, free_variables, substitute, variable

__all__ = ["named_records", "names_of_records", "number_of_records"]

RECORD: Final = "c."
MOST: Final = 8
"""More records than these have no names."""


def names_of_records(number: int) -> tuple[str, ...]:
    """Return what records are called that change; no parameter has such a name.

    >>> names_of_records(2)
    ('c.1', 'c.2')
    """
    return tuple(f"{RECORD}{n}" for n in range(1, number + 1))


def number_of_records(terms: tuple[Term, ...]) -> int:
    """Return how many records must have names for terms to speak of them.

    >>> number_of_records((Term("attr", ("t", variable("c.2", CELL)), "int"),))
    2
    """
    names = frozenset[str]().union(*map(free_variables, terms))
    return max((n for n, name in enumerate(names_of_records(MOST), 1) if name in names), default=0)


def named_records(edit: BoundEdit, number: int) -> BoundEdit:
    """Return an edit with a frame that changes no records but ``number`` of them, with names.

    All that the edit can do it can do, too, if it changes one record, and never more than these.
    """
    if edit.frame is None:
        raise ValueError("the records of this edit have names")
    cell = variable("c", CELL)
    names = [variable(name, CELL) for name in names_of_records(number)]
    is_one = reduce(
        lambda one, other: Term("or", (one, other), BOOL),
        [Term("eq", (cell, name), BOOL) for name in names],
    )
    there = [substitute(edit.frame, {"c": name}) for name in names]
    return replace(
        edit,
        params=(*edit.params, *((name.name, CELL) for name in names)),
        guard=conjunction([edit.guard, *there]),
        frame=conjunction([edit.frame, is_one]),
    )
