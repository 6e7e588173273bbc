"""Where data does not have the shape that a JSON Schema asks for.

This knows the keywords that the schemas of specs use, and no others; a test compares it with the
package ``jsonschema``, which would take longer to load than a spec takes to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any, Final, NamedTuple

__all__ = ["Misfit", "misfits"]

Path = tuple[str | int, ...]
Schema = Mapping[str, Any]


class Misfit(NamedTuple):
    """A place in the data, and the keyword of the schema that it does not keep."""

    path: Path
    value: Any
    keyword: str
    rule: Schema
    """The part of the schema that has the keyword."""


def misfits(value: Any, schema: Schema) -> Iterator[Misfit]:
    """Yield where a value does not fit a schema, in the order of the schema's keywords.

    Raises:
        KeyError: the schema has a keyword that is not known here.

    >>> ages = {"type": "array", "items": {"type": "integer", "minimum": 0}}
    >>> [(one.path, one.keyword) for one in misfits([3, "x", -1], ages)]
    [((1,), 'type'), ((2,), 'minimum')]
    """
    return _at((), value, schema, schema)


def _at(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    for keyword, wanted in rule.items():
        if keyword in _SILENT:
            continue
        if keyword in _DEEPER:
            yield from _DEEPER[keyword](path, value, rule, root)
        elif not _FLAT[keyword](value, wanted, rule):
            yield Misfit(path, value, keyword, rule)


# ------------------------------------------------------------------ keywords about a value alone


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    match name:
        case "integer":
            return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        case "number":
            return isinstance(value, Real)
        case _:
            return isinstance(value, _TYPES[name])


_TYPES: Final[dict[str, type]] = {"object": dict, "array": list, "string": str, "boolean": bool}


def _types(value: Any, wanted: str | list[str], _: Schema) -> bool:
    return any(_is(value, name) for name in ([wanted] if isinstance(wanted, str) else wanted))


def _no_more(value: Any, wanted: Any, rule: Schema) -> bool:
    """Return whether no key is unknown, where none may be; see :func:`_more` for the others."""
    known = rule.get("properties", {})
    return wanted is not False or not isinstance(value, dict) or all(k in known for k in value)


_FLAT: Final[dict[str, Callable[[Any, Any, Schema], bool]]] = {
    "type": _types,
    "enum": lambda value, wanted, _: value in wanted,
    "required": lambda value, wanted, _: not isinstance(value, dict) or all(
        k in value for k in wanted
    ),
    "minimum": lambda value, wanted, _: not _is(value, "number") or value >= wanted,
    "maximum": lambda value, wanted, _: not _is(value, "number") or value <= wanted,
    "minItems": lambda value, wanted, _: not isinstance(value, list) or len(value) >= wanted,
    "maxItems": lambda value, wanted, _: not isinstance(value, list) or len(value) <= wanted,
    "minLength": lambda value, wanted, _: not isinstance(value, str) or len(value) >= wanted,
    "minProperties": lambda value, wanted, _: not isinstance(value, dict) or len(value) >= wanted,
}  # fmt: skip
_SILENT: Final = frozenset({"$schema", "$defs", "title", "description", "else"})
"""What says nothing about a value by itself; "else" belongs to "if"."""


# ------------------------------------------------------------------ keywords about what is inside


def _inner(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    if isinstance(value, dict):
        for key, inner in rule["properties"].items():
            if key in value:
                yield from _at((*path, key), value[key], inner, root)


def _more(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    wanted = rule["additionalProperties"]
    if not _no_more(value, wanted, rule):
        yield Misfit(path, value, "additionalProperties", rule)
    if isinstance(value, dict) and isinstance(wanted, dict):
        for key, inner in value.items():
            if key not in rule.get("properties", {}):
                yield from _at((*path, key), inner, wanted, root)


def _items(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    if isinstance(value, list):
        first = len(rule.get("prefixItems", ()))
        for place, inner in enumerate(value[first:], first):
            yield from _at((*path, place), inner, rule["items"], root)


def _prefix(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    if isinstance(value, list):
        for place, (inner, wanted) in enumerate(zip(value, rule["prefixItems"], strict=False)):
            yield from _at((*path, place), inner, wanted, root)


def _referred(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    found: Any = root
    for step in rule["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return _at(path, value, found, root)


def _otherwise(path: Path, value: Any, rule: Schema, root: Schema) -> Iterator[Misfit]:
    if any(True for _ in _at(path, value, rule["if"], root)):
        yield from _at(path, value, rule["else"], root)


_DEEPER: Final[dict[str, Callable[[Path, Any, Schema, Schema], Iterator[Misfit]]]] = {
    "properties": _inner, "additionalProperties": _more, "items": _items, "prefixItems": _prefix,
    "$ref": _referred, "if": _otherwise,
}  # fmt: skip
