"""The notebooks with their outputs, as they are stored: a page for each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.report.html import formula

__all__ = ["NOTEBOOKS", "cells", "notebooks"]

NOTEBOOKS: Final = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))
WORDS: Final = """\
Read them here, or run them: `jupyter lab notebooks/`. What stands below a cell is what it gave when
the notebook was stored, and the tests compare it with what it gives now."""


def notebooks(folder: Path) -> Iterator[str]:
    """Write a page for each notebook into a folder; yield the blocks of the page above them."""
    yield "# Notebooks"
    yield WORDS
    for file in NOTEBOOKS:
        (folder / f"notebook-{file.stem}.md").write_text(
            "\n\n".join(cells(file)) + "\n", encoding="utf-8"
        )
    names = "\n".join(f"notebook-{file.stem}" for file in NOTEBOOKS)
    yield f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```"


def cells(file: Path) -> Iterator[str]:
    """Yield the cells of a notebook with their outputs, as blocks of a page."""
    for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"]).rstrip()
        if cell["cell_type"] == "markdown":
            yield with_mathematics(source)
        elif source:
            yield f"```python\n{source}\n```"
            for output in cell["outputs"]:
                yield shown(output)


def shown(output: Mapping[str, Any]) -> str:
    """Return an output in the richest form that a page can show."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    match data:
        case {"text/html": text} | {"image/svg+xml": text}:
            return raw(text)
        case {"image/png": text}:
            return raw(
                f'<img alt="what the cell draws" src="data:image/png;base64,{text.strip()}"/>'
            )
        case {"text/latex": text}:
            return raw(formula(text.strip("$ \n").removeprefix(r"\displaystyle "), display=True))
        case _:
            text = data.get("text/plain") or "".join(output.get("text", ""))
            return f"```text\n{text.rstrip()}\n```"


def raw(text: str) -> str:
    """Return HTML as a block of a page; an XML declaration has no place there."""
    return f"```{{raw}} html\n{re.sub(r'^<[?!][^>]*>', '', text.strip()).strip()}\n```"


def with_mathematics(text: str) -> str:
    """Return Markdown whose formulas are HTML."""
    return re.sub(r"\$([^$\n]+)\$", lambda found: formula(found[1]), text)
