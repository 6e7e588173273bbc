"""Every notebook runs, and says what is stored in it."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def words(notebook: Any) -> list[str]:
    """Return what each cell prints and shows as plain text; pictures and the like are left out.

    A cell with the tag "example" shows one smallest counterexample of several.
    """
    return [
        "".join(
            output.get("text") or output.get("data", {}).get("text/plain", "")
            for output in cell.get("outputs", [])
        )
        for cell in notebook.cells
        if "example" not in cell.metadata.get("tags", ())
    ]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 5


@pytest.mark.in_turn
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_says_what_is_stored(file):
    stored = nbformat.read(file, as_version=4)
    fresh = copy.deepcopy(stored)
    client = NotebookClient(fresh, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    asyncio.run(client.async_execute())
    assert words(fresh) == words(stored)
