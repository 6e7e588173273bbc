"""Which entries are said to be proved in Rocq, and by theorems that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theorems import _rocq, _run
from theorems._rows import entries

LIBRARY = Path(__file__).parents[2] / "rocq"
NO_ENTRY = {"II_4", "III_4", "mixtures"}
"""Theorems of the files that are a part of an entry, and not all of it."""


def theorems_of(paper):
    text = (LIBRARY / _rocq.FILES[paper]).read_text(encoding="utf-8")
    return set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("paper", _rocq.FILES)
def test_the_index_and_the_file_name_the_same_theorems(paper):
    named = {t for names in _rocq.index()[paper].values() for t in names}
    assert theorems_of(paper) - named <= NO_ENTRY
    assert named <= theorems_of(paper)


@pytest.mark.parametrize("paper", _rocq.FILES)
def test_what_is_said_to_be_proved_is_an_entry_of_the_paper_and_true(paper):
    every = entries()
    for name in _rocq.index()[paper]:
        assert any(row.startswith(f"{paper}.") for row in every[name].rows), name
        counterexample = "not_" in name or "_ne_" in name or name.startswith("vacuous")
        assert counterexample or every[name].status not in {"refuted", "unknown"}, name


def test_a_theorem_has_the_number_of_the_entry_that_it_proves():
    numbers = {
        name: {row.removeprefix("GB24.").replace("-", "_").replace(".", "_") for row in e.rows}
        for name, e in entries().items()
    }
    for name, theorems in _rocq.index()["GB24"].items():
        for theorem in theorems:
            known = any(theorem == n or theorem.startswith(f"{n}_") for n in numbers[name])
            assert known or name in MORE_GENERAL, (name, theorem)


MORE_GENERAL = {
    "approximate_sum_of_sequential",  # by VI.4, of which it is a case
    "private_of_parts_with_their_own_metrics",  # by VI.4, in (ε, δ)
    "zcdp_sum_of_sequential",  # by VI.13, of which it is a case
}


def test_forty_entries_are_proved_counterexamples_among_them():
    names = _rocq.index()["GB24"]
    page = Path(__file__).parents[2] / "docs" / "how-to" / "rocq.md"
    assert f"{len(names)} entries of the theorem" in page.read_text(encoding="utf-8")
    assert len(names) >= 40
    assert {"not_private_of_parallel_bounded", "not_private_of_inner_mechanism"} <= {*names}


def test_what_is_said_of_a_part_is_said_of_a_proved_entry():
    assert {*_rocq.index()["only"]} <= {*_rocq.index()["GB24"]}


def test_nothing_is_said_of_gaussian_privacy_which_the_library_does_not_have():
    for name in [*_rocq.index()["GB24"], *_rocq.index()["conversions"]]:
        assert "gaussian" not in name
        if "four notions" in entries()[name].statement or "VI.23" in str(entries()[name].rows):
            assert "not for Gaussian" in _rocq.index()["only"][name]


def test_show_says_by_which_theorem():
    entry = entries()["private_max_of_unbounded_partition"]
    document = _run.entry_as_json(entry)
    assert document["rocq"] == ["papers/GB24.v: II_8"]
    assert "proved in Rocq: papers/GB24.v: II_8" in _run.shown(document)
    other = _run.entry_as_json(entries()["gaussian_of_pure"])
    assert other["rocq"] == []
    assert "Rocq" not in _run.shown(other)
