"""JSON Schemas: of specs, and of what commands print with ``--json`` and ``as_json`` returns."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.spec.schema import schema

__all__ = ["result_schema", "spec_schema"]


def result_schema(command: str | None = None) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints with ``--json``, or of all of them.

    Args:
        command: "derive" ("derivations" for several specs), "check", "refute", "relate", "verify",
            "stability", "atlas", "theorems".

    Raises:
        InputError: no result is called so.

    >>> result_schema("derive")["$ref"], "bounds" in result_schema()["$defs"]["derive"]["required"]
    ('#/$defs/derive', True)
    """
    text = resources.files("dpcomp_sym.surface").joinpath("results.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    if command is None:
        return found
    known = [one["$ref"].rpartition("/")[2] for one in found["anyOf"]]
    if command not in known:
        raise InputError(f"no result is called '{command}'; {nearest(command, known)}",
                         word=command)  # fmt: skip
    del found["anyOf"]
    return {**found, "$ref": f"#/$defs/{command}"}


def spec_schema() -> dict[str, Any]:
    """Return the JSON Schema of specs.

    >>> "granularity" in spec_schema()["properties"]
    True
    """
    return schema()
