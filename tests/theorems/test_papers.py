"""The papers' own numbers lead to the entries, and every numbered item is met or has a reason."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError
from theorems import _list, _papers, _run
from theorems._entry import STATUSES

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS = set(_run.rows(_run.entries().values()))
COUNTED = {"GB24s": 11 + 3, "GB24t": 9, "HBW": 19, "Des": 8}
"""So many numbered items there are in each paper, counted in the papers' texts."""


def _run_command(*words):
    return CliRunner().invoke(main, ["theorems", *words])


@pytest.mark.parametrize("item", _papers.items(), ids=str)
def test_every_numbered_item_has_an_entry_or_a_reason(item):
    assert bool(item.rows) != bool(item.reason)
    assert set(item.rows) <= ROWS
    for name in item.examples:
        assert (EXAMPLES / f"{name}.toml").is_file()


def test_numbers_are_without_gaps():
    for paper, chapters in {
        "GB24": {"II": 9, "III": 8, "IV": 15, "V": 6, "VI": 26, "VII": 3, "A": 18},
        "GB24s": {"II": 6, "III": 5},
    }.items():
        numbers = [i.number for i in _papers.items() if i.paper == paper and "." in i.number]
        wanted = {f"{c}.{n}" for c, last in chapters.items() for n in range(1, last + 1)}
        assert sorted(numbers) == sorted(wanted)


@pytest.mark.parametrize("words", ["Theorem IV.1", "thm. iv.1", "IV.1", "gb24.iv.1", "GB24 IV.1"])
def test_a_theorem_is_found_under_every_name_of_its_number(words):
    assert "private_sum_of_distances_of_adaptive" in _run.select([words])


@pytest.mark.parametrize(
    ("words", "row"),
    [
        ("Corollary IV.13", "GB24.IV.13"), ("Alg. 3", "HBW.Alg3"), ("Definition 62", "Des.Def62"),
        ("cor 7", "HBW.Cor7"), ("GB24s III.2", "GB24s.III.2"), ("n2", "N2"),
        ("Fig. 1", "GB24.Figure1"), ("table i", "GB24.TableI"), ("HBW ex. V-A.2", "HBW.V-A.2"),
        ("III-A", "GB24.III-A"), ("Section III-A", "GB24.III-A"),
    ],
)  # fmt: skip
def test_other_items_are_found_as_well(words, row):
    assert all(row in entry.rows for entry in _run.select([words]).values())
    assert _run.select([words])


def test_a_number_of_two_papers_finds_both():
    assert {i.paper for i in _papers.found("III.1")} == {"GB24", "GB24s"}


def test_examples_that_are_numbered_anew_in_a_section_are_found_with_and_without_it():
    assert {i.number for i in _papers.found("HBW Example 2")} == {"III-A.2", "V-A.2"}
    assert [i.number for i in _papers.found("example iii-a.2")] == ["III-A.2"]


@pytest.mark.parametrize("paper", ["HBW", "Des"])
def test_items_whose_numbers_do_not_say_so_stand_in_the_order_of_the_paper(paper):
    listed = [i for i in _papers.items() if i.paper == paper]
    assert listed[0].number in {"1", "8"}
    kinds = [i.kind for i in listed]
    assert kinds != sorted(kinds)
    if paper == "HBW":
        assert [i.number for i in listed if i.kind in {"Theorem", "Corollary"}] == list("12367")
        assert str(listed[-1]) == "HBW Algorithm 3"  # in the appendix


def test_the_theorems_of_the_summary_are_those_of_the_long_version():
    chosen = {"GB24s Theorem III.1": "GB24.IV.1", "GB24s Theorem III.4": "GB24.IV.11"}
    for words, row in chosen.items():
        assert any(row in entry.rows for entry in _run.select([words]).values())


def test_the_number_of_an_equation_is_not_that_of_a_theorem():
    assert _papers.mentioned("GB24, equation (IV.1), before IV.12", sorted(ROWS)) == ["GB24.IV.12"]
    assert "E19" not in _papers.corrections("GB24.IV.1")
    assert _papers.corrections("HBW.V-A.2") == ["E5"]


def test_the_number_of_another_paper_is_not_taken_for_one_of_this():
    assert _papers.mentioned("GB24 §IV-E; GB24s, after III.5", ["GB24.III.5"]) == []
    assert _papers.corrections("GB24.III.5") == ["E22"]


def _pages():
    """Return the builder of the documentation's pages; it is a script, not a package."""
    file = EXAMPLES.parent / "docs" / "generate.py"
    found = importlib.util.spec_from_file_location("pages_of_papers", file)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("paper", _papers.PAPERS)
def test_the_page_of_a_paper_has_every_item_with_verdicts_corrections_and_how_to_run_it(paper):
    pages = _pages()
    blocks = list(pages.paper(paper))
    assert "" not in blocks
    text = "\n\n".join(blocks)
    sections = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", text))
    for item in (i for i in _papers.items() if i.paper == paper):
        said = sections[f"{item.kind} {item.number}"]
        for entry in (e for row in item.rows for e in _run.rows(_run.entries().values())[row]):
            assert f"**{entry.status}**: {pages.escaped(entry.statement)}" in said
        for entry in pages.corrected(paper, pages.rows_of(item)):
            assert pages.escaped(entry.statement) in said
        assert bool(item.reason) != (f'dpcomp theorems verify "{item}"' in said)
        assert all(f"dpcomp derive examples/{name}.toml" in said for name in item.examples)
    for entry in pages.refuted(paper):
        assert pages.escaped(entry.statement) in text


@pytest.mark.parametrize("paper", _papers.PAPERS)
def test_a_paper_is_corrected_in_what_it_prints_itself(paper):
    pages = _pages()
    for item in (i for i in _papers.items() if i.paper == paper):
        for entry in pages.corrected(paper, pages.rows_of(item)):
            assert re.search(rf"\b{paper}\b", entry.cite), (item, entry.cite)


def test_corrections_of_the_long_version_are_not_those_of_slides_and_summary():
    pages = _pages()
    told = {p: "\n\n".join(pages.paper(p)) for p in ("GB24", "GB24s", "GB24t")}
    of_proof = "[E17]"  # of a proof, which only the long version has
    assert [of_proof in told[p] for p in ("GB24", "GB24s", "GB24t")] == [True, False, False]
    assert "[E23]" not in told["GB24t"]
    assert "[E31]" in told["GB24t"].partition("## Slide 11")[2].partition("## Slide 12")[0]


def test_what_has_no_number_has_a_title_and_examples():
    text = "\n\n".join(_pages().paper("Des"))
    for row in (r for r in ROWS if r.startswith("Des.")):
        item = any(row in i.rows for i in _papers.items())
        assert item or f"### {_papers.title(row)}" in text
        assert item or _papers.title(row) != row.removeprefix("Des.")
    assert "dpcomp derive examples/uncertain/chain.toml" in text


@pytest.mark.parametrize(
    "words", ["Corollary IV.1", "Theorem IV.99", "HBW Theorem IV.1", "theorem"]
)
def test_what_no_paper_numbers_is_not_found(words):
    assert _papers.found(words) == []
    with pytest.raises(InputError, match="no theorem"):
        _run.select([words])


def test_an_item_without_entry_says_why():
    with pytest.raises(InputError, match="what conditional laws are"):
        _run.select(["Remark A.9"])


def test_a_statement_names_its_kind_its_corrections_and_its_examples():
    chosen = _run.select(["Corollary IV.13"])
    document = _run.entry_as_json(chosen["private_two_largest_of_bounded_partition"])
    assert document["items"] == [
        "GB24 Corollary IV.13", "GB24s Corollary III.5", "GB24t Slide 11",
    ]  # fmt: skip
    assert document["corrections"] == ["E9", "E31"]
    assert document["examples"] == ["bounded-partition-common", "mini-batches"]
    text = _run.shown(document)
    assert "stated as    GB24 Corollary IV.13" in text
    assert "corrections  E9, E31" in text
    assert "examples     examples/bounded-partition-common.toml, examples/mini-batches.toml" in text


def test_every_correction_of_a_numbered_item_is_shown_with_it():
    for entry in _run.entries().values():
        for number in (n for n in entry.rows if re.fullmatch(r"E\d+", n)):
            for row in _papers.mentioned(entry.cite, sorted(ROWS)):
                assert number in _papers.corrections(row)


def test_the_list_has_one_whole_line_an_entry_in_a_pipe():
    lines = _run_command("list").stdout.splitlines()
    assert len(lines) == len(_run.entries())
    named = [e for e in _run.entries().values() if len(e.statement) > 200]
    assert named
    assert all(any(" ".join(e.statement.split()) in line for line in lines) for e in named)


@pytest.mark.parametrize("words", ["GB24 Corollary IV.15", "GB24.IV.15*", "GB24.IV.15"])
def test_what_is_verified_by_any_words_is_printed_once(words):
    done = _run_command("verify", words, "--jobs", "1")
    assert done.exit_code == 0
    assert done.stdout.count("minimum_bounded_distance_of_restriction") == 1
    assert done.stderr == "1 entry: 1 rocq\n"


@pytest.mark.parametrize("width", [80, 100, 200])
def test_a_line_fits_the_width_of_a_terminal(width):
    for entry in _run.entries().values():
        numbers, status, said = _list.line(entry, width)
        assert len(f"{numbers} {status:<8}  {said}") <= width


def test_the_list_is_filtered_by_paper_kind_status_and_words():
    told = json.loads(
        _run_command("list", "--paper", "gb24", "--kind", "corollary", "--json").stdout
    )
    assert {i for e in told["theorems"] for i in e["ids"] if i.startswith("GB24.")} == {
        "GB24.IV.13", "GB24.IV.15", "GB24.A.18",
    }  # fmt: skip
    told = json.loads(_run_command("list", "--status", "refuted", "BOUNDED", "--json").stdout)
    assert told["theorems"]
    assert {e["status"] for e in told["theorems"]} == {"refuted"}
    told = json.loads(_run_command("list", "--paper", "GB24t", "--json").stdout)
    assert {"private_two_largest_of_bounded_partition"} < {e["name"] for e in told["theorems"]}


def test_the_abbreviations_are_explained_in_lines_of_eighty():
    assert all(len(said) <= 80 for said in _list.LEGEND.splitlines())
    for word in (*_papers.PAPERS, *STATUSES):
        assert word in _list.LEGEND


@pytest.mark.parametrize("filter_", [["--paper", "x"], ["--kind", "x"], ["--status", "x"]])
def test_a_filter_that_nothing_has_is_an_error(filter_):
    result = _run_command("list", *filter_)
    assert result.exit_code == 2
    assert "'x'" in result.stderr


def test_the_items_of_the_papers_are_all_there():
    # Counted by hand in the papers: the numbers of test_numbers_are_without_gaps, and two more in
    # GB24 (Figure 1, Table I); HBW and Des number each kind anew, nine slides state something, and
    # the text of three sections of the summary does.
    found = {p: sum(i.paper == p for i in _papers.items()) for p in _papers.PAPERS}
    assert found == {**COUNTED, "GB24": 9 + 8 + 15 + 6 + 26 + 3 + 18 + 2}
