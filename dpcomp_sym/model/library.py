"""The built-in granularities and maps: TOML files in the language that users write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model.granularity import Edit, Granularity
from dpcomp_sym.model.mapping import Map
from dpcomp_sym.terms.expression import as_text, written

__all__ = [
    "granularity_from",
    "library_entry",
    "library_granularity",
    "library_map",
    "library_names",
    "library_text",
    "map_from",
]


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, dict[str, Any]]]:
    folder = resources.files("dpcomp_sym.model").joinpath("library")
    found: dict[str, dict[str, dict[str, Any]]] = {"granularity": {}, "map": {}}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            for kind, entries in found.items():
                for entry in data.get(kind, []):
                    entries[entry["name"]] = entry
    return found


def library_names(kind: str) -> tuple[str, ...]:
    """Return the names of the built-ins of a kind, ``"granularity"`` or ``"map"``.

    >>> "bounded" in library_names("granularity")
    True
    """
    return tuple(_tables()[kind])


def library_text(kind: str, name: str) -> str:
    """Return the sentence that describes a built-in."""
    return str(_tables()[kind][name].get("text", ""))


def library_entry(kind: str, name: str) -> Mapping[str, Any]:
    """Return the TOML table of a built-in.

    Raises:
        InputError: there is no such built-in.
    """
    table = _tables()[kind]
    if name not in table:
        msg = f"there is no built-in {kind} '{name}': {nearest(name, table)}"
        raise InputError(msg, word=name)
    return table[name]


def _arguments(entry: Mapping[str, Any], given: Mapping[str, str], what: str) -> dict[str, str]:
    known: Mapping[str, str] = entry.get("arguments", {})
    for word in given:
        if word not in known:
            msg = f"{what} takes no '{word}'; {nearest(word, known)}"
            raise InputError(msg, word=word)
    found = {**known, **{word: as_text(meaning) for word, meaning in given.items()}}
    for word, meaning in found.items():
        if meaning == "":
            msg = f"{what} needs '{word}': {entry.get('text', '')}"
            raise InputError(msg, word=str(entry.get("name", what)))
    return found


def granularity_from(entry: Mapping[str, Any], **changes: Any) -> Granularity:
    """Build a granularity from the keys of a TOML table."""
    edits = [
        Edit(
            dict(e.get("params", {})), e.get("guard", "true"), e.get("change"), e.get("frame"),
            e.get("step", "true"),
        )
        for e in entry.get("edit", [])
    ]  # fmt: skip
    values: dict[str, Any] = {
        "name": entry.get("name", "granularity"),
        "edits": edits,
        "symbol": entry.get("symbol", ""),
        "directed": entry.get("directed", False),
        "group": entry.get("group", 1),
        "arguments": dict(entry.get("arguments", {})),
    }
    return Granularity(**{**values, **changes})


def library_granularity(name: str, *, group: int = 1, **arguments: Any) -> Granularity:
    """Return a built-in granularity.

    Args:
        name: one of ``library_names("granularity")``.
        group: how many successive edits a neighbour may take.
        arguments: what the built-in asks for, such as ``owner="person"``.

    Raises:
        InputError: no such built-in or argument.

    >>> library_granularity("user", owner="person").arguments
    {'owner': 'person'}
    """
    entry = library_entry("granularity", name)
    given = _arguments(entry, arguments, f"granularity '{name}'")
    return granularity_from(entry, arguments=given, group=group)


def map_from(entry: Mapping[str, Any], **changes: Any) -> Map:
    """Build a map from the keys of a TOML table."""
    values: dict[str, Any] = {
        "name": entry.get("name", "map"),
        "member": entry.get("member", "true"),
        "index": dict(entry.get("index", {})),
        "functions": {n: (s[0], s[1]) for n, s in entry.get("functions", {}).items()},
        "facts": tuple(entry.get("facts", ())),
        "multiplicity": entry.get("multiplicity"),
        "image": entry.get("image"),
        "symbols": dict(entry.get("symbols", {})),
        "arguments": dict(entry.get("arguments", {})),
        "partition": entry.get("partition", False),
    }
    return Map(**{**values, **changes})


def _reindexed(
    entry: Mapping[str, Any], index: Mapping[str, str | int], use: str
) -> dict[str, Any]:
    """Return what changes in a built-in map when its indices and sizes are called otherwise."""
    usual: Mapping[str, str] = entry.get("index", {})
    if len(index) != len(usual):
        msg = f"map '{use}' has {len(usual)} index, not {len(index)}"
        raise InputError(msg, word="index")
    names = {k: v for old, new in zip(usual.items(), index.items(), strict=True)
             for k, v in zip(old, map(str, new), strict=True)}  # fmt: skip
    words = re.compile(rf"\b({'|'.join(names)})\b") if names else None

    def renamed(text: str) -> str:
        return words.sub(lambda m: names[m[0]], text) if words else text

    return {
        "index": dict(index),
        "member": renamed(entry.get("member", "true")),
        "facts": tuple(renamed(f) for f in entry.get("facts", ())),
    }


def library_map(
    use: str,
    *,
    name: str | None = None,
    index: Mapping[str, Any] | None = None,
    m: Any = None,
    image: Mapping[str, Any] | None = None,
    functions: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Map:
    """Return a built-in map.

    Args:
        use: one of ``library_names("map")``.
        name: the map's own name in the problem.
        index: another index than the usual ``{"i": "k"}``; its size may be a number.
        m: for covers: the most blocks that hold one record, a number or a symbol.
        image: for projections: attribute → term over ``c``.
        functions: further functions that the arguments mention.
        arguments: what the built-in asks for, such as ``by="owner"``.

    Raises:
        InputError: no such built-in or argument.

    >>> library_map("partition", by="owner").member
    'h(by(c)) == i'
    """
    entry = library_entry("map", use)
    given = _arguments(entry, arguments, f"map '{use}'")
    changes: dict[str, Any] = {"arguments": given, "name": name or use}
    if index is not None:
        changes |= _reindexed(entry, index, use)
    m = written(m)
    if m is not None:
        if "multiplicity" not in entry:
            msg = f"map '{use}' takes no 'm'"
            raise InputError(msg, word="m")
        changes["multiplicity"] = m
        if isinstance(m, str):
            changes["symbols"] = {**entry.get("symbols", {}), m: f"{m} >= 1"}
    elif entry.get("multiplicity") == "":
        msg = f"map '{use}' needs 'm': {entry.get('text', '')}"
        raise InputError(msg, word=use)
    if image is not None:
        changes["image"] = dict(image)
    elif entry.get("image") == "":
        msg = f"map '{use}' needs 'image': {entry.get('text', '')}"
        raise InputError(msg, word=use)
    if functions:
        own = {n: (s[0], s[1]) for n, s in {**entry.get("functions", {}), **functions}.items()}
        changes["functions"] = own
    return map_from(entry, **changes)
