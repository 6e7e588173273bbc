"""Which entries are said to be proved in Rocq, and by theorems that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theorems import _rocq, _run
from theorems._rows import entries

LIBRARY = Path(__file__).parents[2] / "rocq"
NO_ENTRY = {"GB24": {"II_4", "III_4"}, "conversions": {"mixtures"}}
"""Theorems of a file that are a part of an entry, and not all of it."""


def theorems_of(table):
    text = (LIBRARY / _rocq.FILES[table]).read_text(encoding="utf-8")
    return set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE))


MARKS = str.maketrans({"-": "_", ".": "_", "½": "_half"})
NAMED = [(name, t) for file in _rocq.FILES for name, ts in _rocq.index()[file].items() for t in ts]


def test_all_files_are_in_the_index():
    papers = {f"papers/{f.name}" for f in (LIBRARY / "papers").glob("*.v")}
    assert papers <= {*_rocq.FILES.values()}


@pytest.mark.parametrize("file", _rocq.FILES)
def test_the_index_and_the_file_name_the_same_theorems(file):
    named = {t for names in _rocq.index()[file].values() for t in names}
    assert theorems_of(file) - named == NO_ENTRY.get(file, set())
    assert named <= theorems_of(file)


def test_what_is_said_to_be_proved_is_an_entry_and_true():
    every = entries()
    for name, _ in NAMED:
        counterexample = "not_" in name or "_ne_" in name or name.startswith("vacuous")
        assert counterexample or every[name].status not in {"refuted", "unknown"}, name


def test_a_theorem_has_the_number_of_the_entry_that_it_proves():
    numbers = {
        name: {
            re.sub(r"^(GB24\.|GB24(?=s)|HBW\.|Des\.)", "", row).translate(MARKS) for row in e.rows
        }
        for name, e in entries().items()
    }
    for name, theorem in NAMED:
        known = any(theorem == n or theorem.startswith(f"{n}_") for n in {*numbers[name], name})
        assert known or name in MORE_GENERAL, (name, theorem)


@pytest.mark.parametrize("name", sorted({name for name, _ in NAMED}))
def test_an_entry_is_proved_where_rocq_leaves_nothing_out(name):
    """And no entry is called proved otherwise: the status follows from the index."""
    entry = entries()[name]
    assert (entry.status in {"rule", "argued"}) <= (not _rocq.whole(name))
    assert (entry.status == "rocq") <= _rocq.whole(name)
    for text in _rocq.statements(name).values():
        assert text.startswith("Theorem ")
        assert "Proof." not in text


def test_what_is_called_proved_is_in_the_index():
    proved = {e.name for e in entries().values() if e.status == "rocq"}
    assert proved <= {name for name, _ in NAMED}
    assert {"private_on_smaller_class", "tests_of_two_steps"} <= proved


MORE_GENERAL = {
    "approximate_sum_of_sequential",  # by VI.4, of which it is a case
    "bounded_integrals_of_bounded_events",  # the correction of the lemma A.10
    "larger_loss_of_restrictions_of_bounded_distance",  # the correction of IV.15
    "private_max_over_neighbours_of_profile",  # by IV.11, the same of the long version
    "private_of_symmetric_differences",  # by II.2, of which it is one direction
    "private_sum_of_one_metric",  # by VI.4 where distances are real numbers
    "private_sum_of_distances_of_adaptive",  # by VI.4 where distances are real numbers
    "private_of_output_of_adaptive",  # by VII.1: keeping some outputs is post-processing
    "private_of_parts_with_their_own_metrics",  # by VI.4, in (ε, δ)
    "zcdp_sum_of_sequential",  # by VI.13, of which it is a case
}


def test_forty_entries_are_proved_counterexamples_among_them():
    names = {name for name, _ in NAMED}
    page = Path(__file__).parents[2] / "docs" / "how-to" / "rocq.md"
    assert f"{len(names)} entries of the theorem" in page.read_text(encoding="utf-8")
    assert len(names) >= 40
    assert {"not_private_of_parallel_bounded", "not_private_of_inner_mechanism"} <= {*names}


def test_what_is_said_of_a_part_is_said_of_a_proved_entry():
    assert {*_rocq.index()["only"]} <= {name for name, _ in NAMED}


def test_what_is_said_of_four_notions_is_proved_of_gaussian_privacy_or_left_out():
    for name, _ in NAMED:
        if "four notions" in entries()[name].statement or "Gaussian." in entries()[name].statement:
            theorems = _rocq.statements(name).values()
            assert any("shifted" in text or "any_notion" in text for text in theorems), name
    assert "not for Gaussian" in _rocq.index()["only"]["private_of_parts_with_their_own_metrics"]


def test_a_theorem_that_is_not_in_its_file_is_noticed(monkeypatch):
    wrong = {**_rocq.index(), "GB24": {"private_on_smaller_class": ["A_99"]}}
    monkeypatch.setattr(_rocq, "index", lambda: wrong)
    assert "A_99" in _run.run("private_on_smaller_class").failure


def test_show_says_by_which_theorem():
    entry = entries()["private_max_of_unbounded_partition"]
    document = _run.entry_as_json(entry)
    assert document["rocq"] == ["papers/GB24.v: II_8"]
    assert "proved in Rocq: papers/GB24.v: II_8" in _run.shown(document)
    other = _run.entry_as_json(entries()["approximate_of_pure"])
    assert other["rocq"] == []
    assert "Rocq" not in _run.shown(other)


def test_what_is_shown_is_laid_out_as_it_is_meant():
    text = _run.shown(
        _run.entry_as_json(entries()["private_sum_of_distances_of_adaptive"], run_body=True)
    )
    assert "GB24 Theorem V.2, GB24s Theorem III.1, GB24t\n             Slide 7\n" in text
    assert "\n  M[i]: n, L[i]     (for every block i)\n  ---------" in text  # a rule, and its bar
    assert (
        "that of\n  block j + 1, are composed as two mechanisms." in text
    )  # sentences, broken anew
