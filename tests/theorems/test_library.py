"""The library is complete, its index is right, and every entry comes out as it states."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources

import pytest

import theorems
from dpcomp_sym import kernel as k
from dpcomp_sym.cli import main
from dpcomp_sym.engine import Proved, Unknown
from dpcomp_sym.errors import InputError
from dpcomp_sym.report import notebook
from tests.command import dpcomp
from theorems import _kernel as t
from theorems import _report, _run
from theorems._entry import (
    ENTRIES,
    ESTABLISHED,
    STATUSES,
    Argued,
    Asked,
    CheckedInScope,
    Computed,
    Discharged,
    Fallen,
    NotKnown,
    Obligation,
    Refutation,
    status_of,
    theorem,
    unproved_steps,
)


def _toml(name):
    return tomllib.loads((resources.files(theorems) / name).read_text(encoding="utf-8"))


ROWS, INDEX = _toml("rows.toml"), _toml("index.toml")
ENTRY_NAMES = sorted(_run.entries())
SETTLED = Obligation("x * x >= 0", settled=True)
OPEN = Obligation("x >= 0", settled=False)
TRIVIAL = Obligation("x == x", settled=True, trivial="the claim folds to true")
YES = Asked({"maps": "p"}, "C1", Proved())
NEVER = Asked({"maps": "p"}, "C1", Unknown("too hard"))


def _errata(row):
    return re.fullmatch(r"E\d+", row) is not None


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_an_entry_that_the_index_names(row):
    assert INDEX.get(row)
    assert set(INDEX[row]) <= set(ENTRY_NAMES)


def test_the_index_lists_all_entries_of_the_rows_and_nothing_else():
    found = {
        row: {e.name: e.status for e in entries}
        for row, entries in _run.rows(_run.entries().values()).items()
        if not _errata(row)
    }
    assert {row: v for row, v in INDEX.items() if not _errata(row)} == found
    assert set(found) == set(ROWS)


def test_rows_of_ranges_are_listed_one_by_one():
    chapters = {
        "GB24.II": {2, 3, 4, 5, 6, 7, 8, 9}, "GB24.III": {1, 2, 3, 4, 5, 6, 7, 8},
        "GB24.IV": set(range(1, 16)), "GB24.V": set(range(1, 7)), "GB24.VI": set(range(1, 27)),
        "GB24.VII": {1, 2, 3}, "GB24.A": set(range(1, 19)) - {9},
        "GB24s.II": {6}, "GB24s.III": {1, 2, 4, 5},
    }  # fmt: skip
    wanted = {f"{chapter}.{n}" for chapter, numbers in chapters.items() for n in numbers}
    wanted |= {"GB24.III-A", "GB24.Figure1", "GB24.TableI"}
    wanted |= {"N1", "N2", "N3", "N3′", "N4", "N5", "N6"}
    assert wanted <= set(ROWS)
    assert {row for row in ROWS if row.startswith("GB24")} <= wanted


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ENTRY_NAMES)
def test_entries_come_out_as_stated_and_can_be_shown(name, monkeypatch):
    known = _run.entries()
    once = replace(known[name], body=cache(known[name].body))
    monkeypatch.setattr(_run, "entries", lambda: {**known, name: once})
    outcome = _run.run(name)
    assert outcome.failure == ""
    assert outcome.holds
    if outcome.status in {"checked", "unknown", "argued", "rule", "rocq"}:
        assert outcome.scope
    document = _run.entry_as_json(_run.entries()[name], run_body=True)
    all_of_an_entry_can_be_shown(document)
    said = [line for one in document["evidence"] for line in _run.evidence_lines(one)]
    assert not [line for line in said if re.search(r"\[['\[]|\{'|: (\[|None)", line)]  # Python's


RULES = {
    "GB24.III.3", "GB24.III-A", "GB24.III.6", "GB24.IV.1", "GB24.V.2", "GB24.VI.4", "GB24.VI.12",
    "GB24.VI.13", "GB24.VI.20", "GB24.VI.21", "GB24.VII.1", "GB24.VII.2", "N2",
    "conversions.pure-zcdp", "conversions.pure-gaussian", "conversions.zcdp-approximate",
}  # fmt: skip
"""Rows that are rules of the kernel: it cannot be what proves them."""


@pytest.mark.parametrize("row", sorted(RULES))
def test_a_rule_is_not_derived_from_itself(row):
    words = {"rule", "argued", "rocq", "refuted"}  # never "derived"
    assert set(INDEX[row].values()) <= words


def test_what_one_rule_gives_is_that_rule():
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, (k.Param("eps"),))
    part = k.given(k.Private(k.NamedMechanism("M", t.DATABASES, ()), "pure", loss, ()), "M")
    for shown in (
        k.everywhere(part), k.between_neighbours(k.everywhere(part)), k.postprocess(part, "h"),
        k.convert(k.everywhere(part), "zcdp"), t.composed_at_metrics("pure"),
    ):  # fmt: skip
        assert status_of(shown) == "rule", shown
        assert status_of((YES, shown)) == "rule"
    derived = t.parallel("pure")
    assert status_of(derived, ["GB24.IV.6"]) == "derived"
    assert status_of((derived, YES)) == "decided"
    assert status_of(t.common("pure"), ["GB24.IV.11"]) == "derived"
    assert status_of(t.common("pure"), ["GB24.V.2"]) == "rule"  # the row is the source of the rule


def test_a_fact_that_nobody_decided_is_prose():
    """A hypothesis of the statement is none; and at most infinitely many blocks is not a fact."""
    assert unproved_steps(t.parallel("pure")) == unproved_steps(t.sequential("pure")) == []
    inner, outer = (
        k.CanonicalMetric(t.NEIGHBOURS, t.BLOCKS),
        k.CanonicalMetric(t.NEIGHBOURS, t.DATABASES),
    )
    fact = k.Sensitive(t.BLOCK_MAP, t.ONE, outer, inner)
    shown = k.oracle(fact, "witness", "clear from the definition")
    behind = k.preprocess(k.everywhere(t.at_neighbours("pure")), t.BLOCK_MAP)
    found = k.rescale_guarantee(k.weaken_metric(behind, k.metric_of_sensitivity(shown)))
    assert unproved_steps(found) == ["clear from the definition"]
    assert status_of(found) == "argued"


@pytest.mark.parametrize("entry", _run.entries().values(), ids=lambda e: e.name)
def test_entries_say_what_they_must(entry):
    assert entry.statement.rstrip().endswith(".")
    assert entry.cite
    assert entry.note
    assert re.fullmatch(r"[a-z][a-z0-9_]*", entry.name)
    assert entry.name.startswith("not_") or entry.status != "refuted"


def test_counterexamples_have_a_file_each():
    for entry in _run.entries().values():
        module = entry.body.__module__
        if module.startswith("theorems.counterexamples."):
            assert module.rpartition(".")[2] == entry.name


def test_nothing_is_run_at_import():
    script = (
        "import theorems._run as r, sys; r.entries(); "
        "from dpcomp_sym.kernel import theorem as t; import gc; "
        "print(sum(isinstance(x, t._Record) for x in gc.get_objects()), 'sympy' in sys.modules)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False"]


@pytest.mark.parametrize(
    "evidence",
    [
        None, True, (), "proved", Discharged("smt", {}), Discharged("smt", {"x": OPEN}),
        Discharged("smt", {"x": TRIVIAL}), Discharged("smt", {"x": SETTLED, "y": TRIVIAL}),
        Discharged("smt", {"x": TRIVIAL}, "by prose"), Discharged("smt", {"x": True}),
        Argued(""), Proved(), Asked({}, "C1", Proved()), Asked({"maps": "p"}, "", Proved()),
        (YES, NEVER), (Discharged("smt", {"x": SETTLED}), Proved()), (YES, NotKnown("open")),
        (YES, Refutation("c", {"D": 1}, lambda: True)),
        Computed({}, {}), Computed({"a": 1}, {"a": 2}), Computed({"a": 1}, {"b": 1}),
        Computed({"a": 0.5}, {"a": 0.5}), CheckedInScope("", 1), CheckedInScope("all", 0),
        CheckedInScope("all", 3, check=False), Refutation("c", {}, lambda: True),
        Refutation("c", {"D": 1}, lambda: False), Refutation("c", {"D": 1}, lambda: 1),
        (Computed({"a": 1}, {"a": 1}), Discharged("smt", {"x": OPEN})), NotKnown(""), object(),
    ],
)  # fmt: skip
def test_what_is_no_evidence_falls(evidence):
    with pytest.raises(Fallen):
        status_of(evidence)


def test_what_is_evidence():
    settled = Discharged("smt", {"x": SETTLED})
    assert status_of(settled) == "decided"
    assert status_of(YES) == "decided"
    assert status_of(NEVER) == "unknown"
    assert status_of((settled, Argued("and so on"))) == "argued"
    assert status_of(Discharged("smt", {"x": SETTLED}, "and so on")) == "argued"
    assert status_of((YES, CheckedInScope("all", 1), Computed({"a": 1}, {"a": 1}))) == "decided"
    assert status_of(Computed({"a": Fraction(1, 2)}, {"a": Fraction(1, 2)})) == "computed"
    assert status_of((CheckedInScope("all", 1), settled)) == "checked"
    assert status_of(Refutation("c", {"D": 1}, lambda: True)) == "refuted"
    assert status_of(NotKnown("too hard")) == "unknown"


def test_a_wrong_entry_is_told(monkeypatch):
    def broken():
        """Break."""
        raise ValueError("no")

    def other():
        """Come out otherwise."""
        return Computed({"a": 1}, {"a": 1})

    before = dict(ENTRIES)
    try:
        for body in (broken, other):
            theorem(id="N1", statement="S.", status="derived", cite="c")(body)
        known = dict(ENTRIES)
        monkeypatch.setattr(_run, "entries", lambda: known)
        assert not _run.run("broken").holds
        assert "no" in _run.run("broken").failure
        assert _run.run("other").failure == "came out as computed, declared derived"
    finally:
        ENTRIES.clear()
        ENTRIES.update(before)


def test_a_fallen_entry_makes_the_program_fail(monkeypatch):
    def broken():
        """Break."""
        raise ValueError("no")

    before = dict(ENTRIES)
    try:
        theorem(id="N1", statement="S.", status="derived", cite="c")(broken)
        known = {"broken": ENTRIES["broken"]}
        monkeypatch.setattr(_run, "entries", lambda: known)
        with pytest.raises(SystemExit) as left:
            main(["theorems", "verify", "broken", "--jobs", "1"])
        assert left.value.code == 1
    finally:
        ENTRIES.clear()
        ENTRIES.update(before)


def test_the_decorator_refuses():
    with pytest.raises(ValueError, match="no status"):
        theorem(id="N1", statement="S.", status="sure", cite="c")

    def attained_profile_bound():
        """Take a name."""

    with pytest.raises(ValueError, match="two entries"):
        theorem(id="N1", statement="S.", status="derived", cite="c")(attained_profile_bound)
    assert set(STATUSES) >= {e.status for e in ENTRIES.values()}
    assert "proved" not in STATUSES
    assert set(ESTABLISHED) < set(STATUSES)


def test_symbolic_k_is_no_list_of_numbers():
    """The bounds that are about k parts hold for every k: their families have the size k."""
    for name in ENTRY_NAMES:
        if not name.startswith(("private_two_largest", "private_max_of", "private_sum_of_adap")):
            continue
        (document,) = [_run.entry_as_json(_run.entries()[name], run_body=True)]
        steps = [s for e in document["evidence"] if e["kind"] == "derivation" for s in e["steps"]]
        assert any("i <= k" in s["statement"] for s in steps), name


def test_an_unknown_id_is_told_with_the_nearest():
    with pytest.raises(InputError, match=r"GB24\.IV\.13"):
        _run.select(["GB24.IV.133"])


def test_a_pattern_stands_for_all_rows_that_it_matches():
    chosen = _run.select(["HBW.*"])
    assert chosen == {
        name: e for name, e in _run.entries().items() if any(r[:4] == "HBW." for r in e.rows)
    }
    with pytest.raises(InputError, match="no theorem"):
        _run.select(["HWB.*"])


def _run_program(*arguments):
    return dpcomp("theorems", *arguments)


def test_the_program_verifies_lists_and_shows():
    done = _run_program("verify", "GB24.IV.13", "not_private_of_parallel_bounded")
    assert done.returncode == 0
    told = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0].strip(",") for line in told] == [
        "GB24.II.9", "GB24.IV.13", "GB24.IV.13",
    ]  # fmt: skip
    wrong = _run_program("verify", "GB24.IV.99")
    assert wrong.returncode == 2
    assert "did you mean" in wrong.stderr
    listed = json.loads(_run_program("list", "--json").stdout)["theorems"]
    assert {e["name"] for e in listed} == set(ENTRY_NAMES)
    shown = _run_program("show", "GB24.IV.13").stdout
    assert "compose_profile" in shown
    assert "decided by a solver (step" in shown
    assert "given: that these are all edits of bounded" in shown
    assert "sum of the 2 largest eps[i]" in shown
    assert '{"' not in shown  # what names stand for is told in words
    tex = _run_program("show", "--latex-fragment", "GB24.IV.13").stdout
    assert r"\begin{theorem}" in tex
    assert r"\max_{i\ne j}" in tex
    verified = json.loads(_run_program("verify", "N6", "--json", "--jobs", "1").stdout)
    assert verified["holds"] is True
    assert {t["status"] for t in verified["theorems"]} == {"argued", "refuted"}


def assert_status_follows_from_evidence(document):
    """Prose makes an entry argued, a rule makes it one, and a question has its problem."""
    evidence, status = document["evidence"], document["status"]
    prose = [one.get("prose") or one.get("argument") or one.get("step") for one in evidence]
    assert status != "argued" or any(prose)
    states = any(one.get("states") for one in evidence)
    assert status == "rocq" or (status == "rule") == states
    assert status != "rocq" or evidence[0]["kind"] == "rocq"
    assert status not in {"derived", "decided"} or not any(prose)
    for one in evidence:
        if one["kind"] == "question":
            assert one["question"]
            assert {"domain", "granularity", "maps", "parts"} <= set(one["about"])


def all_of_an_entry_can_be_shown(document):
    json.dumps(document, allow_nan=False)
    assert document["evidence"]
    assert_status_follows_from_evidence(document)
    assert " ".join(document["statement"].split()) in " ".join(_run.shown(document).split())
    assert all(
        len(line) <= 80 or " " not in line.strip() for line in _run.shown(document).split("\n")
    )
    assert not re.search(r"\b[0-9a-f]{16}\b", _run.shown(document))  # no name of a question
    text = _report.fragment(document)
    assert all(ord(c) < 0x180 for c in text), [c for c in text if ord(c) > 0x17F]
    for word in ("theorem", "proof", "enumerate", "itemize"):
        assert text.count(f"\\begin{{{word}}}") == text.count(f"\\end{{{word}}}")


@pytest.mark.parametrize(
    "entry", [e for e in _run.entries().values() if e.latex], ids=lambda e: e.name
)
def test_statements_in_latex_are_whole(entry):
    text = entry.latex
    assert text.isascii()
    assert text.count("$") % 2 == 0
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    for size in ("bigl", "Bigl"):
        assert text.count(f"\\{size}") == text.count(f"\\{size[:-1]}r")
    assert "$" not in text or text.endswith(".")


@pytest.mark.parametrize("entry", _run.entries().values(), ids=lambda e: e.name)
def test_statements_in_latex_are_sentences_and_no_mere_formulas(entry):
    between = re.sub(r"\$[^$]*\$|\\\[.*?\\\]", " ", entry.latex)
    assert len(re.findall(r"[A-Za-z]+", between)) >= 2, entry.latex


def test_every_statement_is_written_in_latex():
    assert [e.name for e in _run.entries().values() if not e.latex] == []


@pytest.mark.parametrize("entry", _run.entries().values(), ids=lambda e: e.name)
def test_statements_in_latex_can_be_shown_in_html(entry):
    """No command of LaTeX is left in the text that is seen."""
    shown = notebook.as_html(_report.shown(_run.entry_as_json(entry)))
    seen = re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", shown, flags=re.DOTALL)
    assert re.findall(r"\\[a-zA-Z]+", seen) == []
