"""The built-in granularities and maps: TOML files in the language that users write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from itertools import chain, count
from typing import Any

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model.domain import RESERVED, Domain
from dpcomp_sym.model.granularity import Edit, Granularity
from dpcomp_sym.model.mapping import Map
from dpcomp_sym.terms.expression import as_text, written

__all__ = [
    "built_in_granularity",
    "built_in_map",
    "granularity_beside",
    "granularity_from",
    "library_entry",
    "library_granularity",
    "library_map",
    "library_names",
    "library_text",
    "map_beside",
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
        if not isinstance(m, str) and (type(m) is not int or m < 1):
            msg = f"'m' is a whole number, 1 or more, or a symbol, not {m!r}"
            raise InputError(msg, where=f"map '{name or use}'", word="m")
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


# ------------------------------------------------------------- which built-in something is


def built_in_granularity(granularity: Granularity, domain: Domain) -> dict[str, Any] | None:
    """Return what a table says to have this built-in over ``domain``, or None if it is none.

    >>> over = Domain(person="Person")
    >>> built_in_granularity(library_granularity("user", owner="person"), over)
    {'use': 'user', 'owner': 'person'}
    """
    name, group, arguments = granularity.name, granularity.group, granularity.arguments
    if name not in library_names("granularity"):
        return None
    if set(arguments) != set(library_entry("granularity", name).get("arguments", {})):
        return None
    used = library_granularity(name, group=group, **arguments)
    if granularity not in (used, _granularity_apart(used, domain)):
        return None
    return {"use": name, **arguments, **({} if group == 1 else {"group": group})}


def built_in_map(mapping: Map, domain: Domain) -> dict[str, Any] | None:
    """Return what a table says to have this built-in over ``domain``, or None if it is none.

    >>> built_in_map(library_map("cover", m=3, name="parts"), Domain(id="Record"))
    {'use': 'cover', 'm': 3}
    """
    for use in library_names("map"):
        entry = library_entry("map", use)
        if set(mapping.arguments) == set(entry.get("arguments", {})):
            options = _options(mapping, entry, domain)
            try:
                used = library_map(use, name=mapping.name, **options)
            except InputError:  # it has no such option
                continue
            if mapping in (used, _map_apart(used, domain, entry)):
                return {"use": use, **options}
    return None


def _options(mapping: Map, entry: Mapping[str, Any], domain: Domain) -> dict[str, Any]:
    """Return what a table with a built-in map must say to make this one, if it is that map."""
    usual = map_from(entry, index=mapping.index, multiplicity=mapping.multiplicity)
    beside = _map_apart(usual, domain, entry)
    options: dict[str, Any] = {
        word: meaning for word, meaning in mapping.arguments.items()
        if meaning not in (usual.arguments[word], beside.arguments[word])
    }  # fmt: skip
    own = {n: s for n, s in mapping.functions.items()
           if n not in usual.functions and n not in beside.functions}  # fmt: skip
    if dict(mapping.index) != entry.get("index", {}):
        options["index"] = mapping.index
    if "multiplicity" in entry and mapping.multiplicity is not None:
        options["m"] = mapping.multiplicity
    if own:
        options["functions"] = {n: [list(args), result] for n, (args, result) in own.items()}
    if entry.get("image") == "" and mapping.image:
        options["image"] = mapping.image
    return options


# ------------------------------------------------------------- own names beside those of a domain


def granularity_beside(granularity: Granularity, domain: Domain) -> Granularity:
    """Return a built-in with other parameters where the domain has something so called.

    What a user has written stays, so that a word never means anything but what it was written for.

    >>> over = Domain(id="Record", symbols={"x": "x >= 1"})
    >>> granularity_beside(library_granularity("unbounded"), over).edits[0].change
    {'u': '1'}
    """
    apart = _granularity_apart(granularity, domain)
    if apart is granularity or built_in_granularity(granularity, domain) is None:
        return granularity
    return apart


def map_beside(mapping: Map, domain: Domain) -> Map:
    """Return a built-in whose functions have other names where the domain has these.

    What a user has written stays, so that a word never means anything but what it was written for.

    >>> over = Domain(id="Record", symbols={"h": "h >= 1"})
    >>> map_beside(library_map("partition"), over).member
    'h_2(by(c)) == i'
    """
    if not set(mapping.functions) & _taken(mapping, domain):
        return mapping
    used = built_in_map(mapping, domain)
    return mapping if used is None else _map_apart(mapping, domain, _tables()["map"][used["use"]])


def _granularity_apart(granularity: Granularity, domain: Domain) -> Granularity:
    taken = {*domain.attributes, *domain.functions, *domain.symbols, *_values(domain)}
    return replace(granularity, edits=[_edit_apart(e, taken) for e in granularity.edits]) if any(
        set(edit.params) & taken for edit in granularity.edits
    ) else granularity  # fmt: skip


def _edit_apart(edit: Edit, taken: Collection[str]) -> Edit:
    names = _free(edit.params, taken)

    def renamed(text: Any) -> Any:
        return _renamed(text, names) if isinstance(text, str) else text

    return Edit(
        {names.get(n, n): sort for n, sort in edit.params.items()}, renamed(edit.guard),
        edit.change and {names.get(n, n): renamed(d) for n, d in edit.change.items()},
        renamed(edit.frame), renamed(edit.step),
    )  # fmt: skip


def _taken(mapping: Map, domain: Domain) -> set[str]:
    """Return the names that no function of a built-in has over a domain."""
    taken = {*domain.attributes, *domain.functions, *domain.symbols, *_values(domain)}
    taken |= {*mapping.index, *mapping.symbols, str(mapping.multiplicity)}
    return taken | {str(size) for size in mapping.index.values()}


def _map_apart(mapping: Map, domain: Domain, entry: Mapping[str, Any]) -> Map:
    """Return a built-in with other names; what its arguments say as usual is about its own ones.

    Where that could be about a function or an attribute of the domain, the names stay.
    """
    own = [name for name in mapping.functions if name in entry.get("functions", {})]
    names = _free(own, _taken(mapping, domain) | set(mapping.functions) - set(own))
    usual = [w for w, said in entry.get("arguments", {}).items() if mapping.arguments[w] == said]
    applied = names.keys() & {*domain.attributes, *domain.functions}
    if not names or any(_mentions(mapping.arguments[w], name) for w in usual for name in applied):
        return mapping

    def renamed(text: str) -> str:
        return _renamed(text, names, called=True)

    return replace(
        mapping,
        functions={names.get(n, n): sorts for n, sorts in mapping.functions.items()},
        member=renamed(mapping.member), facts=tuple(map(renamed, mapping.facts)),
        arguments={
            w: renamed(said) if w in usual else said for w, said in mapping.arguments.items()
        },
    )  # fmt: skip


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\s*\(", text) is not None


def _values(domain: Domain) -> Iterable[str]:
    return (value for values in domain.enumerations.values() for value in values)


def _free(own: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """Return other names for those that are taken; for records x and y letters, if possible."""
    own = tuple(own)
    used = {*taken, *own, *RESERVED}
    found: dict[str, str] = {}
    for name in own:
        if name in taken:
            letters = "uvzpq" if name in ("x", "y") else ""
            others = chain(letters, (f"{name}_{n}" for n in count(2)))
            found[name] = next(other for other in others if other not in used)
            used.add(found[name])
    return found


def _renamed(text: str, names: Mapping[str, str], *, called: bool = False) -> str:
    """Return a formula with other names; only where they are applied, if they are functions."""
    after = r"(?=\s*\()" if called else ""
    return re.sub(rf"\b({'|'.join(names)})\b{after}", lambda m: names[m[0]], text)
