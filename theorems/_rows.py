"""All entries of the library, and the order of the rows that they meet."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import theorems
from theorems._entry import ENTRIES, Entry

__all__ = ["entries", "row_order"]


@lru_cache(maxsize=1)
def entries() -> Mapping[str, Entry]:
    """Import the whole library and return its entries by name; nothing is run."""
    for module in sorted(
        m.name
        for m in pkgutil.walk_packages(theorems.__path__, "theorems.")
        if not m.name.rpartition(".")[2].startswith("_")
    ):
        importlib.import_module(module)
    return dict(sorted(ENTRIES.items()))


def row_order(row: str) -> tuple[Any, ...]:
    """Return a key that sorts rows by paper, chapter (in Roman numerals) and number.

    >>> sorted(["N2", "GB24.IV.10", "GB24.A.3", "GB24.IV.9", "GB24.II.5"], key=row_order)
    ['GB24.II.5', 'GB24.IV.9', 'GB24.IV.10', 'GB24.A.3', 'N2']
    """
    chapters = (
        "", "I", "II", "II-A", "III", "III-A", "IV", "V", "V-A", "V-B", "VI", "VII", "A",
    )  # fmt: skip
    paper, *rest = row.split(".")
    number = re.fullmatch(r"([A-Z]+)(\d+)(.*)", paper)
    source = ("GB24", "GB24s", "N", "conversions")
    head = paper if paper in source or number is None else number[1]
    place = source.index(head) if head in source else len(source)
    at = int(number[2]) if number and head not in {"GB24", "GB24s"} else 0
    keys: list[Any] = [place, head, at]
    for word in rest:
        number_of = int(word) if word.isdigit() else 0
        keys.append(chapters.index(word) if word in chapters else number_of)
    return tuple(keys), row
