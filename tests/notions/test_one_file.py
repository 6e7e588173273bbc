"""A notion lives in one file: no other file of the program names one."""

from __future__ import annotations

import ast
from pathlib import Path

import dpcomp_sym
from dpcomp_sym.notions import NOTIONS

HOME = Path(dpcomp_sym.__file__).parent
NAMING = {
    "notions": "where they live",
    "replay": "the second program, which shares nothing",
    "claims/standalone.py": "a program that is handed out by itself, and shares nothing either",
}
"""What may name a notion, and why."""


def names_in(source: str) -> list[str]:
    """Return the notions that a file names: as literals, or by importing their files."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in NOTIONS:
            found.append(str(node.value))
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            before, _, last = node.module.rpartition(".")
            if before == "dpcomp_sym.notions" and last in NOTIONS:
                found.append(last)
            if node.module == "dpcomp_sym.notions":
                found += [a.name for a in node.names if a.name.lower() in NOTIONS]
    return found


def test_no_other_file_names_a_notion():
    named = {
        file.relative_to(HOME).as_posix(): found
        for file in sorted(HOME.rglob("*.py"))
        if (found := names_in(file.read_text(encoding="utf-8")))
    }
    outside = {
        file: found
        for file, found in named.items()
        if not any(file == one or file.startswith(f"{one}/") for one in NAMING)
    }
    assert outside == {}
    assert {file for file in named if file.startswith("notions/")} <= {
        "notions/__init__.py",
        *(f"notions/{name}.py" for name in NOTIONS),
    }


def test_what_counts_as_a_name():
    match = 'match x:\n    case "gaussian":\n        pass'
    assert names_in(f'x = "zcdp"\ny = {{"pure": 1}}\n{match}') == ["zcdp", "pure", "gaussian"]
    assert names_in("from dpcomp_sym.notions.approximate import APPROXIMATE") == ["approximate"]
    assert names_in("from dpcomp_sym.notions import PURE") == ["PURE"]
    assert names_in('"""Text about "pure" privacy."""\nx = "pure privacy"') == []


def test_the_stored_schema_has_the_notions_that_come_with_the_program():
    import json

    from dpcomp_sym.spec.schema import schema

    stored = json.loads((HOME / "spec/spec.schema.json").read_text(encoding="utf-8"))
    assert stored == schema()
