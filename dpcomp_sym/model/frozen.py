"""What is never changed has a hash, also where it holds tables and lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

__all__ = ["hash_of_fields"]


def hash_of_fields(value: Any) -> int:
    """Return the hash of a data class: equal ones have the same, in whatever order tables are.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Bag:
    ...     of: dict[str, list[int]]
    ...     __hash__ = hash_of_fields
    >>> hash(Bag({"a": [1], "b": []})) == hash(Bag({"b": [], "a": [1]}))
    True
    """
    compared = (getattr(value, f.name) for f in fields(value) if f.compare)
    return hash((type(value), *map(_hashable, compared)))


def _hashable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return (type(value), *map(_hashable, value))
    return value
