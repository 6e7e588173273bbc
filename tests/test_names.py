"""Each public class has a name of its own, so that a name means one thing in the whole program.

And messages are in words: no class of Python is named in them.
"""

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


def named_classes(text):
    """Yield the lines with ``type(x).__name__``."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Name("type")), attr="__name__"):
                yield node.lineno


def test_no_message_names_the_class_of_an_object():
    assert list(named_classes('raise ValueError(f"{type(x).__name__} is none")')) == [1]
    for file in HOME.rglob("*.py"):
        assert not list(named_classes(file.read_text(encoding="utf-8"))), file
