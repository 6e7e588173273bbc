"""Whether a value certainly has the shape that a JSON Schema asks for: quick, and careful.

Most specs have the right shape, and the library that says in which way one has not takes longer to
load than many a spec to answer.  Yes is only said of what is certain.  What a keyword means is read
narrowly, and of a keyword that is not listed here nothing is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from typing import Any, Final

__all__ = ["certainly_fits"]

_Schema = Mapping[str, Any]


def certainly_fits(value: object, schema: _Schema) -> bool:
    """Return whether a value certainly has the shape; if not, it may still have it.

    >>> names = {"type": "array", "minItems": 1, "items": {"type": "string"}}
    >>> [certainly_fits(value, names) for value in (["a", "b"], ["a", 2], [])]
    [True, False, False]
    >>> certainly_fits(["a"], {**names, "uniqueItems": True})
    False
    """
    return _fits(value, schema, schema)


def _fits(value: object, schema: _Schema, root: _Schema) -> bool:
    for keyword in schema:
        if keyword in _NOTES:
            continue
        rule = _RULES.get(keyword)
        if rule is None or not rule(value, schema, root):
            return False
    return True


def _type(value: object, schema: _Schema, _: _Schema) -> bool:
    wanted = schema["type"]
    names = [wanted] if isinstance(wanted, str) else wanted
    return any(type(value) in _TYPES.get(name, ()) for name in names)


def _enum(value: object, schema: _Schema, _: _Schema) -> bool:
    return any(type(one) is type(value) and one == value for one in schema["enum"])


def _required(value: object, schema: _Schema, _: _Schema) -> bool:
    return not isinstance(value, dict) or all(key in value for key in schema["required"])


def _properties(value: object, schema: _Schema, root: _Schema) -> bool:
    named = schema["properties"]
    return not isinstance(value, dict) or all(
        _fits(one, named[key], root) for key, one in value.items() if key in named
    )


def _others(value: object, schema: _Schema, root: _Schema) -> bool:
    """Return whether the entries that have no schema by name fit the one for all of them."""
    named, rest = schema.get("properties", {}), schema["additionalProperties"]
    return not isinstance(value, dict) or all(
        rest is not False and _fits(one, rest, root)
        for key, one in value.items()
        if key not in named
    )


def _first_items(value: object, schema: _Schema, root: _Schema) -> bool:
    return not isinstance(value, list) or all(
        _fits(one, there, root) for one, there in zip(value, schema["prefixItems"], strict=False)
    )


def _items(value: object, schema: _Schema, root: _Schema) -> bool:
    """Return whether the items fit that have no schema by their place."""
    first = len(schema.get("prefixItems", ()))
    return not isinstance(value, list) or all(
        _fits(one, schema["items"], root) for one in value[first:]
    )


def _condition(_: object, schema: _Schema, __: _Schema) -> bool:
    return "then" not in schema  # it alone says nothing


def _otherwise(value: object, schema: _Schema, root: _Schema) -> bool:
    return _fits(value, schema["if"], root) or _fits(value, schema["else"], root)


def _reference(value: object, schema: _Schema, root: _Schema) -> bool:
    where, _, name = schema["$ref"].rpartition("/")
    return where == "#/$defs" and _fits(value, root["$defs"][name], root)


def _long(kind: type[Sized], keyword: str, sign: int) -> Callable[[Any, _Schema, _Schema], bool]:
    """Return the rule that what is of a kind has so many parts, at least (1) or at most (-1)."""

    def rule(value: Any, schema: _Schema, _: _Schema) -> bool:
        return not isinstance(value, kind) or sign * (len(value) - schema[keyword]) >= 0

    return rule


def _large(keyword: str, sign: int) -> Callable[[Any, _Schema, _Schema], bool]:
    """Return the rule that a number is so large, at least (1) or at most (-1)."""

    def rule(value: Any, schema: _Schema, _: _Schema) -> bool:
        return not isinstance(value, int | float) or sign * (value - schema[keyword]) >= 0

    return rule


_NOTES: Final = frozenset({"$schema", "title", "description", "$defs"})
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "array": (list,), "boolean": (bool,), "integer": (int,), "number": (int, float),
    "object": (dict,), "string": (str,),
}  # fmt: skip
_RULES: Final[Mapping[str, Callable[[Any, _Schema, _Schema], bool]]] = {
    "type": _type, "enum": _enum, "required": _required, "properties": _properties,
    "additionalProperties": _others, "items": _items, "prefixItems": _first_items,
    "if": _condition, "else": _otherwise, "$ref": _reference,
    "minItems": _long(list, "minItems", 1), "maxItems": _long(list, "maxItems", -1),
    "minProperties": _long(dict, "minProperties", 1), "minLength": _long(str, "minLength", 1),
    "minimum": _large("minimum", 1), "maximum": _large("maximum", -1),
}  # fmt: skip
