"""The same input gives the same bytes, whatever the seed of Python's hashes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import reproducible

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.long
def test_seeds_of_hashes():
    found = reproducible.different([sys.executable], ["bounded-partition"], ("1", "2"), cwd=ROOT)
    assert found == []


def test_a_difference_is_told(monkeypatch):
    monkeypatch.setattr(reproducible, "outputs", lambda _python, seed, *_, **__: {"text": seed})
    found = reproducible.different(["python"], ["one"], ("1", "2"))
    assert found == ["one: the text differs with python, hash seed 2"]
