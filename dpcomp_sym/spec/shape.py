"""What certainly follows a JSON Schema: decided at once, for the few words that schemas here use.

Whoever is not certain asks ``jsonschema``, which takes longer to load than this to answer.

>>> follows({"k": [1, 2]}, {"properties": {"k": {"items": {"type": "integer"}}}})
True
>>> follows({"k": [1, 1]}, {"properties": {"k": {"uniqueItems": True}}})
False
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any, Final

__all__ = ["follows"]

Rule = Mapping[str, Any]
ANNOTATIONS: Final = frozenset({"$schema", "$defs", "title", "description"})
TYPES: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
IN_DEFINITIONS: Final = "#/$defs/"


def follows(value: Any, schema: Rule) -> bool:
    """Return whether a value certainly follows a schema; if not, nothing is known."""
    return _follows(value, schema, schema.get("$defs", {}))


def _follows(value: Any, rule: Rule | bool, known: Rule) -> bool:
    return (
        rule
        if isinstance(rule, bool)
        else all(_holds(word, said, value, rule, known) for word, said in rule.items())
    )


def _holds(word: str, said: Any, value: Any, rule: Rule, known: Rule) -> bool:
    """Return whether a value certainly does what one word of its rule demands."""
    match word:
        case "type":
            kinds = [said] if isinstance(said, str) else said
            return any(type(value) in TYPES.get(kind, ()) for kind in kinds)
        case "$ref":
            name = said.removeprefix(IN_DEFINITIONS)
            return name in known and _follows(value, known[name], known)
        case "enum":
            return isinstance(value, str) and value in said
        case "required" | "properties" | "additionalProperties" | "minProperties":
            return not isinstance(value, dict) or _table(word, said, value, rule, known)
        case "prefixItems" | "items" | "minItems" | "maxItems":
            return not isinstance(value, list) or _list(word, said, value, rule, known)
        case "if":  # where it is not certain, both must hold
            return all(
                _follows(value, rule.get(then, {}), known)
                for then in (("then",) if _follows(value, said, known) else ("then", "else"))
            )
        case "then" | "else":
            return "if" in rule
        case "minLength":
            return not isinstance(value, str) or bool(len(value) >= said)
        case "minimum" | "maximum":
            if isinstance(value, bool) or not isinstance(value, int):
                return not isinstance(value, Number) or isinstance(value, bool)
            return bool(value >= said if word == "minimum" else value <= said)
        case _:
            return word in ANNOTATIONS


def _table(word: str, said: Any, value: dict[str, Any], rule: Rule, known: Rule) -> bool:
    match word:
        case "required":
            return all(name in value for name in said)
        case "minProperties":
            return bool(len(value) >= said)
        case "properties":
            return all(_follows(value[k], one, known) for k, one in said.items() if k in value)
        case _:
            more = [value[k] for k in value if k not in rule.get("properties", {})]
            return _all_follow(more, said, known)


def _list(word: str, said: Any, value: list[Any], rule: Rule, known: Rule) -> bool:
    match word:
        case "minItems":
            return bool(len(value) >= said)
        case "maxItems":
            return bool(len(value) <= said)
        case "prefixItems":
            pairs = zip(value, said, strict=False)
            return all(_follows(one, inner, known) for one, inner in pairs)
        case _:
            return _all_follow(value[len(rule.get("prefixItems", ())) :], said, known)


def _all_follow(values: list[Any], said: Any, known: Rule) -> bool:
    return all(_follows(one, said, known) for one in values)
