"""The rivals of the benchmarks answer the questions that the program answers."""

import importlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dpcomp_sym.atlas import atlas
from dpcomp_sym.spec import load_spec

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


@pytest.mark.parametrize(
    ("kind", "bound"),
    [
        ("parts", "3*max(eps[i])"),
        ("maps", "3*(sum of the 2 largest eps[i])"),
        ("attributes", "max(eps[i]) for k = 1; inf for k >= 2"),
        ("edits", "max(eps[i])"),
    ],
)
def test_specs_that_grow_are_derived(monkeypatch, kind, bound):
    monkeypatch.syspath_prepend(BENCHMARKS)
    made, _ = importlib.import_module("growth").KINDS[kind]
    found = {b.notion: b.text for b in load_spec(made(3)).derive().bounds}
    assert found["pure"] == bound


@pytest.mark.in_turn
def test_a_table_of_many_cells_is_derived_on_a_cluster(monkeypatch, tmp_path):
    pytest.importorskip("distributed")
    place = tmp_path / "cells.sqlite"
    size = ["--rows", "3", "--columns", "2"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "cluster.py"), *size, "--kept", str(place)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    monkeypatch.syspath_prepend(BENCHMARKS)
    found = atlas(importlib.import_module("cluster").table(3, 2))
    assert done.stdout.startswith(f"{found.summary}; "), done.stderr
    with sqlite3.connect(place) as rows:
        assert rows.execute("SELECT count(*) FROM answers").fetchone() == (12,)
