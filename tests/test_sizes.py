"""No function has more than 60 lines and no file more than 1000."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "dpcomp_sym").rglob("*.py"))
MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_FILE = 1000


def name(path: Path) -> str:
    return path.relative_to(ROOT / "dpcomp_sym").as_posix()


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield every function with its number of lines, the docstring included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_short():
    long = {
        f"{name(path)} {function}"
        for path in FILES
        for function, lines in functions(path.read_text(encoding="utf-8"))
        if lines > MOST_LINES_OF_A_FUNCTION
    }
    assert not long


def test_files_are_short():
    lines = {name(path): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert not {f for f, n in lines.items() if n > MOST_LINES_OF_A_FILE}


def test_what_is_counted():
    source = (
        "class A:\n    def f(self):\n        x = 1\n        return x\n\nasync def g():\n    pass\n"
    )
    assert sorted(functions(source)) == [("f", 3), ("g", 2)]
