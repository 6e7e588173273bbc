"""Names in Rocq files: those of the spec end in ``_``, attributes in ``_of``; made ones never do.

So a spec's names keep their letters, clash with no word of Rocq and of the library, and never with
each other: the rule can be undone.
"""

from __future__ import annotations

from typing import Final

from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = ["made", "of_attribute", "of_sort", "of_spec"]

_SORTS: Final = {INT: "Z", BOOL: "bool", CELL: "cell"}


def of_spec(name: str) -> str:
    """Return how a name of the spec is written; a path such as ``blocks.h`` is one name.

    >>> of_spec("owner"), of_spec("blocks.h"), of_spec("forall")
    ('owner_', "blocks'h_", 'forall_')
    """
    return name.replace(".", "'") + "_"


def of_attribute(name: str) -> str:
    """Return how an attribute is written: a cell may have the name of one of its attributes.

    >>> of_attribute("owner")
    'owner_of'
    """
    return f"{name.replace('.', chr(39))}_of"


def made(kind: str, name: str) -> str:
    """Return the name of something that is made for a thing of the spec.

    >>> made("see", "hospitals"), made("see", "adults.cities")
    ("see_hospitals'", "see_adults'cities'")
    """
    return f"{kind}_{name.replace('.', chr(39))}'"


def of_sort(sort: str) -> str:
    """Return how a sort is written.

    >>> of_sort("int"), of_sort("Owner")
    ('Z', 'Owner_t')
    """
    return _SORTS.get(sort, f"{sort}_t")
