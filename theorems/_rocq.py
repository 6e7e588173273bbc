"""Which entries have been proved in Rocq, and by which theorems.

>>> proved("private_max_of_unbounded_partition")
['papers/GB24.v: II_8']
>>> proved("zcdp_tanh_of_pure")
['Conversions.v: zcdp_tanh_of_pure']
>>> proved("gaussian_of_pure")
['Gaussian.v: gaussian_of_pure']
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import theorems
from dpcomp_sym.rocq.coqc import library

__all__ = ["FILES", "index", "proved", "statements", "whole", "words"]

FILES: Final = {
    "Advanced": "papers/Advanced.v",
    "Des": "papers/Des.v",
    "GB24": "papers/GB24.v",
    "Granularities": "papers/Granularities.v",
    "Gaussian": "Gaussian.v",
    "HBW": "papers/HBW.v",
    "Losses": "papers/Losses.v",
    "Paths": "Paths.v",
    "Renyi": "papers/Renyi.v",
    "Restrictions": "papers/Restrictions.v",
    "Sampling": "papers/Sampling.v",
    "Tradeoff": "papers/Tradeoff.v",
    "Views": "papers/Views.v",
    "conversions": "Conversions.v",
}
"""For each table of the index the file in ``rocq``."""


@lru_cache(maxsize=1)
def index() -> dict[str, Any]:
    """Return the index: for each file the theorems by entry, and what ``only`` is proved."""
    text = (resources.files(theorems) / "rocq.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _named(name: str) -> list[tuple[str, str]]:
    return [
        (file, theorem) for table, file in FILES.items() for theorem in index()[table].get(name, ())
    ]


def proved(name: str) -> list[str]:
    """Return the theorems of the library in Rocq that prove an entry, each with its file."""
    return [f"{file}: {theorem}" for file, theorem in _named(name)]


def whole(name: str) -> bool:
    """Return whether theorems in Rocq prove an entry, and leave nothing of it out.

    >>> whole("private_on_smaller_class"), whole("private_of_parts_with_their_own_metrics")
    (True, False)
    """
    return bool(statements(name)) and name not in index()["only"]


def words(name: str) -> list[str]:
    """Return what is said of an entry: the theorems, and what of it they prove.

    >>> words("private_of_parts_with_their_own_metrics")[-1]
    'papers/GB24.v: VI_4 (not for Gaussian privacy)'
    """
    found = proved(name)
    only = index()["only"].get(name)
    return [*found[:-1], f"{found[-1]} ({only})"] if only else found


def statements(name: str) -> dict[str, str]:
    """Return the theorems of an entry as they stand in their files, without the proofs.

    Raises:
        LookupError: a file has no such theorem.

    >>> print(statements("canonical_of_subclass_ne_restriction")["papers/GB24.v: A_2"][:13])
    Theorem A_2 :
    """
    return {f"{file}: {theorem}": _statement(file, theorem) for file, theorem in _named(name)}


def _statement(file: str, theorem: str) -> str:
    text = (library() / file).read_text(encoding="utf-8")
    found = re.search(rf"^Theorem {theorem}\b.*?\.(?=\s+Proof\.)", text, re.DOTALL | re.MULTILINE)
    if found is None:
        raise LookupError(f"{file} has no theorem {theorem}")
    return " ".join(found[0].split())
