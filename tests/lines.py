"""Lines of code: what stays when blank lines, comments and docstrings are taken away."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

_NO_CODE = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
)


def code_lines(file: Path) -> int:
    """Count the lines of code of a file, or of all files in a folder."""
    if file.is_dir():
        return sum(map(code_lines, file.rglob("*.py")))
    source = file.read_text(encoding="utf-8")
    strings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if ast.get_docstring(node):
                first = node.body[0]
                strings |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - strings)
