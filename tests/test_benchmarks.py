"""The rivals of the benchmarks answer the questions that the program answers."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
NEEDED = {"brute": "networkx", "asp": "clingo", "sat": "pysat", "quantified": "z3"}


@pytest.fixture
def deciding(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("deciding")


@pytest.mark.parametrize("name", NEEDED)
def test_everybody_gives_the_same_verdict(deciding, name):
    pytest.importorskip(NEEDED[name])
    rival = importlib.import_module(f"rivals.{name}")
    for question in (*deciding.TRUE, *deciding.FALSE):
        expected = "proved" if question in deciding.TRUE else "refuted"
        assert deciding.ours(question) == expected, question
        for n, k in deciding.scopes(question)[:2]:
            blocks = deciding.FIXED if name == "quantified" else k
            assert deciding.theirs(rival, question, n, blocks) == expected, (question, n, blocks)


@pytest.mark.parametrize("name", NEEDED)
def test_everybody_finds_how_many_blocks_change(deciding, name):
    pytest.importorskip(NEEDED[name])
    rival = importlib.import_module(f"rivals.{name}")
    found = {q.setting: deciding.theirs(rival, q, 4, 4) for q in deciding.BOUNDS}
    assert found == {
        "unbounded": "1 blocks", "bounded": "2 blocks", "owner": "1 blocks",
        "node": "1 blocks", "edge": "2 blocks",
    }  # fmt: skip
