"""Checks the shape of a spec against its JSON Schema, and reports in words what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.errors import nearest
from dpcomp_sym.notions import NOTIONS, Notion
from dpcomp_sym.spec.source import Path, Source, SpecError

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

__all__ = ["GIVEN", "RANDOM", "check", "schema", "schema_for"]

RANDOM: Final = ("variables", "survey", "days", "chain")
"""The tables that make a spec one about random data; it has exactly one of them."""
GIVEN: Final = "distance"
"""The tables that make a spec one about given distances."""


def schema_for(data: Mapping[str, Any]) -> str:
    """Return the name of the schema that a spec follows.

    That is "spec", "uncertain" for random data, or "metric" for given distances.

    >>> schema_for({"survey": {}}), schema_for({"domain": {}}), schema_for({"distance": []})
    ('uncertain', 'spec', 'metric')
    """
    if GIVEN in data and "domain" not in data:
        return "metric"
    return "uncertain" if any(table in data for table in RANDOM) else "spec"


def schema(name: str = "spec") -> dict[str, Any]:
    """Return the JSON Schema of specs, of those about random data ("uncertain"), or "metric".

    >>> sorted(schema()["properties"])[:5]
    ['domain', 'granularity', 'map', 'membership', 'metric']
    """
    return _schema(name, tuple(NOTIONS.values()))


@lru_cache(maxsize=4)
def _schema(name: str, notions: tuple[Notion, ...]) -> dict[str, Any]:
    """Return a schema in which parts may state guarantees in these notions."""
    text = resources.files("dpcomp_sym.spec").joinpath(f"{name}.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    if name == "spec":
        guarantee = found["properties"]["part"]["items"]["properties"]["guarantee"]
        guarantee["properties"] = {one.name: _parameters(one) for one in notions}
    return found


def _parameters(notion: Notion) -> dict[str, Any]:
    one, count = {"$ref": "#/$defs/parameter"}, len(notion.parameters)
    if count == 1:
        return one
    names = ", ".join(f'"{name}"' for name in notion.parameters)
    return {
        "description": f"two parameters, like [{names}]",
        "type": "array",
        "minItems": count,
        "maxItems": count,
        "items": one,
    }


@lru_cache(maxsize=4)
def _validator(name: str, notions: tuple[Notion, ...]) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_schema(name, notions))


def check(source: Source) -> None:
    """Raise the first error in the shape of a spec.

    Raises:
        SpecError: with the line, the word and the nearest valid word.
    """
    validator = _validator(schema_for(source.data), tuple(NOTIONS.values()))
    found = [_told(source, error) for error in validator.iter_errors(source.data)]
    if found:
        raise min(found, key=lambda f: (f[0], f[1].line or 10**9))[1]


def _told(source: Source, error: Any) -> tuple[int, SpecError]:
    path: Path = tuple(error.absolute_path)
    where = in_words(source.data, path)
    rule, wanted = error.schema, error.validator_value
    expected = rule.get("description", "")
    value = error.instance
    match error.validator:
        case "additionalProperties":
            known = rule["properties"]
            word = next(k for k in value if k not in known)
            message = f"unknown key '{word}'; {nearest(word, known)}"
            return 0, source.error(message, (*path, word), word, where)
        case "required":
            word = next(k for k in wanted if k not in value)
            message = f"'{word}' is missing"
            unknown = set(value) - set(rule.get("properties", {}))
            return (2 if unknown else 1), source.error(message, path, "", where)
        case "enum":
            close = nearest(str(value), wanted)
            message = f"{described(value)} is not possible here; {close}"
        case _:
            message = f"{expected or error.message} is expected, not {described(value)}"
    word = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return 1, source.error(message, path, word, where)


def in_words(data: Mapping[str, Any], path: Path) -> str:
    """Return a place in words.

    >>> in_words({"part": [{"name": "counts"}]}, ("part", 0, "guarantee", "pure"))
    "part 'counts', guarantee, pure"
    """
    words: list[str] = []
    here: Any = data
    for step in path:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(step, str):
            words.append(step)
            continue
        name = here.get("name") if isinstance(here, Mapping) else None
        kind = words.pop() if words else ""
        words.append(f"{kind} '{name}'" if isinstance(name, str) else f"{kind} {step + 1}")
    return ", ".join(w.strip() for w in words)


def described(value: object) -> str:
    """Return a value in words, shortened."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f"'{value}'" if len(value) <= 60 else f"'{value[:60]}…'"
        case Mapping():
            return "a table" if value else "an empty table"
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case _:
            return str(value)
