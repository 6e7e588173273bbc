"""Which entries have been proved in Rocq, too, and by which theorems.

>>> proved("private_max_of_unbounded_partition")
['papers/GB24.v: II_8']
>>> proved("zcdp_tanh_of_pure")
['Conversions.v: zcdp_tanh_of_pure']
>>> proved("gaussian_of_pure")
[]
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import theorems

__all__ = ["FILES", "index", "proved", "words"]

FILES: Final = {"GB24": "papers/GB24.v", "conversions": "Conversions.v"}
"""For each paper, and the conversions, the file in ``rocq``."""


@lru_cache(maxsize=1)
def index() -> dict[str, Any]:
    """Return the index: for each paper the theorems by entry, and what ``only`` is proved."""
    text = (resources.files(theorems) / "rocq.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def proved(name: str) -> list[str]:
    """Return the theorems of the library in Rocq that prove an entry, each with its file."""
    return [
        f"{file}: {theorem}"
        for paper, file in FILES.items()
        for theorem in index()[paper].get(name, ())
    ]


def words(name: str) -> list[str]:
    """Return what is said of an entry: the theorems, and what of it they prove.

    >>> words("private_of_smaller_metric")
    ['papers/GB24.v: III_A (the first sentence)']
    """
    found = proved(name)
    only = index()["only"].get(name)
    return [*found[:-1], f"{found[-1]} ({only})"] if only else found
