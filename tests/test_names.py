"""Each public class has a name of its own, so that a name means one thing in the whole program."""

from __future__ import annotations

import ast
from pathlib import Path

import dpcomp_sym

HOME = Path(dpcomp_sym.__file__).parent
APART = ("replay/", "claims/standalone.py")
"""Programs that share nothing with the rest, and have its words a second time."""
SHARED = {"MaxOver": "the largest value over blocks, as an expression and as a function of SymPy"}


def test_no_two_classes_have_one_name():
    found: dict[str, list[str]] = {}
    for file in sorted(HOME.rglob("*.py")):
        place = file.relative_to(HOME).as_posix()
        if place.startswith(APART):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(place)
    assert len(found) > 300
    assert {name: places for name, places in found.items() if len(places) > 1}.keys() == {*SHARED}
