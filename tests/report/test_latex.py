"""The LaTeX report: what it says, and that TeX sets it without complaint."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

import dpcomp_sym as dp
from dpcomp_sym import cli
from dpcomp_sym.report import latex
from dpcomp_sym.report.databases import databases
from dpcomp_sym.spec import load_spec


def test_every_reference_has_a_label(example, derived) -> None:
    text = latex.article(derived(example).document())
    labels = re.findall(r"\\label\{([^}]*)\}", text)
    assert len(labels) == len(set(labels))
    referred = re.findall(r"\\cref\{([^}]*)\}", text)
    assert {one for group in referred for one in group.split(",")} <= set(labels)
    cited = re.findall(r"\\cite(?:\[[^]]*\])?\{([^}]*)\}", text)
    assert set(cited) == set(re.findall(r"\\bibitem\[[^]]*\]\{([^}]*)\}", text))


def test_every_bound_and_every_step_is_there(example, derived) -> None:
    found = derived(example)
    text = latex.article(found.document())
    if found.vacuous:
        assert "no statement about neighbours says anything" in text
        return
    for bound in found.bounds:
        assert bound.latex.removeprefix(r"\left(").split(", ")[0] in text
    derived_steps = [s for s in found.trace if found.theorems and s.rule != "structural fact"]
    assert text.count(r"\item\label") == len(derived_steps)


def test_the_databases_are_those_of_the_evaluator(derived) -> None:
    found = derived("bounded-partition")
    outcome = found.conditions["compatibility"].outcome.counterexample
    both = databases(outcome.as_json(found.problem.used_maps))
    assert {(row.old, row.new) for row in both.rows} == {(1, 0), (0, 1)}
    text = latex.article(found.document())
    for database in (outcome.old, outcome.new):
        for cell, count in database.items():
            if count:
                assert f"& {cell[0]} &" in text
    for row in both.rows:
        values = " & ".join(value for _, value in row.fields)
        assert rf"{row.block} & {values} & \textbf{{{row.old}}} & \textbf{{{row.new}}}" in text


def test_the_setting_is_the_one_of_the_spec(derived) -> None:
    text = latex.article(derived("own-granularity").document())
    for piece in (
        r"$\mathrm{household}(\mathrm{person}(c)) = f$, $t \le \mathrm{day}(c) < t + w$",
        r"$D(x) \ge 1$, $x \neq y$, $\mathrm{vip}(x)$",
        r"D' = D - \mathbf{1}_{x} + \mathbf{1}_{y}",
        r"h(\mathrm{household}(\mathrm{person}(c))) = i",
    ):
        assert piece in text


def test_what_is_chosen_for_each_level_is_written_with_the_level(derived) -> None:
    text = latex.article(derived("levels-and-nodes").document())
    lemma = r"$f_{l,n}$ that changes has $n = \mathrm{node}(\mathrm{place}(x),\allowbreak l)$"
    assert lemma in text
    assert r"only these change for some function $t$: blocks $i,j$ of $f$ with $j = t(i)$" in text
    assert r"\varepsilon = \sum_{i=1}^{h} \max_{1 \le j \le k} \varepsilon_{i,j}." in text
    text = latex.article(derived("count-sketch-of-users").document())
    said = r"only these change for one of $2 m$ choices of a function $t$: blocks $i,j$ of $f$ with"
    assert said in text


WINDOWS = """
[domain]
attributes = { id = "Event", step = "int" }
[granularity]
use = "bounded"
[[map]]
name = "windows"
index = { i = "k" }
member = "i <= step(c) and step(c) < i + 3"
[[part]]
name = "counts"
map = "windows"
granularity = "unbounded"
"""


def test_blocks_are_told_apart_by_the_records_that_they_hold() -> None:
    text = latex.article(load_spec(WINDOWS).derive().document())
    for piece in (
        "that changes and holds exactly $x$ and $y$ of the cells that the edit names has",
        "a mean of what follows: only these change for some $t$: blocks $i$ of $f$ with",
        r"$t - 2 \le i \le t$ (at distance $\le 2$); all of it is within this: only these change",
    ):
        assert piece in text


def test_a_point_of_a_curve_is_told_in_mathematics(derived) -> None:
    """The note of the terminal has names in plain characters; the article has symbols."""
    found = derived("mixed-notions")
    assert "at a delta of your choice, delta_counts" in found.notes[0]
    text = " ".join(latex.article(found.document()).split())
    assert "of your choice" not in text
    assert r"The bound takes $M^{\mathrm{counts}}_i$, for which" in text
    assert r"for a $\delta$ that can be chosen: $\delta_{\mathrm{counts},i}$" in text
    assert r"for an $\varepsilon$ that can be chosen: $\varepsilon_{\mathrm{mean}}$" in text


def test_a_fragment_is_the_article_without_its_frame(derived) -> None:
    document = derived("ambulances").document()
    whole, part = latex.article(document), latex.fragment(document)
    for mark in (r"\documentclass", r"\begin{document}", r"\begin{thebibliography}"):
        assert mark in whole
        assert mark not in part
    assert r"\subsection{Setting}" in part
    assert "% @inproceedings{GB24," in part


def test_where_nothing_is_guaranteed_the_article_shows_why(derived) -> None:
    text = latex.article(derived("bounded-partition").document())
    tightness = text.partition(r"\section{Tightness}")[2]
    assert r"tell whether $d_p(E, D_p)$ is finite. No step changes that" in tightness
    assert r"$1$ with probability" in tightness  # of k = 1
    finite = latex.article(derived("ambulances").document())
    assert "is finite. No step" not in finite


def test_functions_that_a_map_does_not_use_are_not_introduced() -> None:
    """A filter by an attribute: the function that stands for any choice is not there."""
    over = dp.Domain(vip=bool)
    chosen, any_ = (
        latex.article(dp.derive(over, "unbounded", some=dp.filter(*keep, pure="eps")).document())
        for keep in ((over.c.vip,), ())
    )
    assert "chosen" in any_
    assert "chosen" not in chosen


MERGED = '''\
title = "Two doses on one day are booked as one"
[domain]
attributes = { patient = "Patient", ward = "Ward", day = "int", dose = "int" }
[granularity]
name = "merged doses"
[[granularity.edit]]
params = { x = "cell", y = "cell", z = "cell" }
guard = """D[x] >= 1 and D[y] >= (2 if x == y else 1) and agree(x, y, patient, ward, day)
  and z == replace(x, dose, dose(x) + dose(y)) and dose(x) >= 1 and dose(y) >= 1"""
change = { x = -1, y = -1, z = 1 }
[[map]]
name = "wards"
use = "partition"
by = "ward"
[[part]]
name = "report"
map = "wards"
'''


def test_conditions_are_listed_one_by_one() -> None:
    text = latex.article(load_spec(MERGED).derive().document())
    equal = [rf"$\mathrm{{{n}}}(x) = \mathrm{{{n}}}(y)$" for n in ("patient", "ward", "day")]
    assert ", ".join(equal) in text
    assert r"$D(y) \ge (2 \text{ if } x = y,\allowbreak\ 1 \text{ otherwise})$" in text


def test_facts_about_several_parts_on_one_map_are_stated_once(derived) -> None:
    text = latex.article(derived("mixed-notions").document())
    facts = re.findall(
        r"\\begin\{(?:lemma|proposition)\}\[.*?\]\\label\{[^}]*\}\n(.*?)\\end\{", text, re.DOTALL
    )
    assert len(facts) == len(set(facts)) > 5
    assert "two mechanisms on the whole database" in text


SPEC = """\
title = "100% of {all} _people_ & ε, 日本"
granularity = "unbounded"
[domain]
attributes = { an_attribute_in_snake_case = "A_long_sort_name" }
[[map]]
name = "a_long_map_name"
use = "cover"
m = 12
[[part]]
name = "counts_of_something"
map = "a_long_map_name"
[[part]]
name = "other"
map = "identity"
guarantee = { pure = "eps_with_a_long_name", zcdp = "rho_2" }
"""


MANY = """\
title = "Many queries with long names"
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
""" + "".join(
    f"""
[[map]]
name = "survey_wave_{n}"
use = "partition"
[[part]]
name = "published_statistics_{n}"
map = "survey_wave_{n}"
guarantee = {{ approximate = ["eps_wave_{n}", "delta_wave_{n}"], gaussian = "mu_wave_{n}" }}
"""
    for n in range(6)
)


@pytest.mark.parametrize("option", ["--latex", "--latex-fragment"])
def test_a_file_that_cannot_be_written(option, tmp_path, spec_file) -> None:
    place = tmp_path / "none" / "a.tex"
    arguments = ["derive", spec_file(SPEC), "--certificate", str(tmp_path / "c.json")]
    result = CliRunner().invoke(cli.main, [*arguments, option, str(place)])
    assert result.exit_code == 2
    assert "there is no such folder" in result.stderr
    assert result.stdout == ""
    assert [p.name for p in tmp_path.iterdir()] == ["spec.toml"]


def test_two_options_for_one_file(tmp_path, spec_file) -> None:
    place = str(tmp_path / "a.tex")
    arguments = ["derive", spec_file(SPEC), "--latex", place, "--latex-fragment", place]
    result = CliRunner().invoke(cli.main, arguments)
    assert (result.exit_code, result.stderr) == (2, "error: two options name the same file\n")


# ------------------------------------------------------------------ with TeX


@pytest.mark.tex
def test_an_article_compiles(every_example, derived, tmp_path, complaints_of_tex) -> None:
    text = latex.article(derived(every_example).document())
    (tmp_path / "report.tex").write_text(text, encoding="utf-8")
    assert complaints_of_tex("report.tex") == []


@pytest.mark.tex
def test_fragments_compile_together(derived, tmp_path, complaints_of_tex) -> None:
    names = ["ambulances", "bounded-partition", "own-granularity"]
    keys = set()
    for name in names:
        text = latex.fragment(derived(name).document())
        keys |= set(re.findall(r"^% @\w+\{(\w+),", text, re.MULTILINE))
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    inputs = "\n".join(rf"\input{{{name}}}" for name in names)
    items = "\n".join(rf"\bibitem{{{key}}} A work." for key in sorted(keys))
    (tmp_path / "paper.tex").write_text(
        rf"\documentclass{{article}}{latex.PREAMBLE}\begin{{document}}{inputs}"
        rf"\begin{{thebibliography}}{{9}}{items}\end{{thebibliography}}\end{{document}}",
        encoding="utf-8",
    )
    complaints = " ".join(complaints_of_tex("paper.tex"))
    assert "undefined" not in complaints
    assert "Overfull" not in complaints


# IEEEtran loads Times when it starts, which not every machine has: others stand for it here.
TIMES = r"\DeclareFontFamily{OT1}{ptm}{}" + "".join(
    rf"\DeclareFontShape{{OT1}}{{ptm}}{{{a}}}{{{b}}}{{<->ssub*cmr/{a if b != 'sc' else 'm'}/{b}}}"
    "{}"
    for a in ("m", "b", "bx") for b in ("n", "it", "sl", "sc")
)  # fmt: skip
OWN_THEOREMS = re.compile(r"^\\(?:newtheorem|theoremstyle).*\n", re.MULTILINE)
LOADED_BY_ACM = re.compile(r",amssymb|,amsthm|\\usepackage\[hidelinks\]\{hyperref\}\n")


def preamble_for(kind: str) -> str:
    """Return what a paper of a class says before its text, what the class has left out."""
    bare = OWN_THEOREMS.sub("", latex.PREAMBLE)
    match kind:
        case "IEEEtran":
            fonts = r"\usepackage{lmodern}\usepackage[T1]{fontenc}"
            return rf"{TIMES}\documentclass[conference]{{IEEEtran}}{fonts}{latex.PREAMBLE}"
        case "llncs":
            return rf"\documentclass{{llncs}}{bare.replace(',amsthm', '')}"
        case "acmart":
            remark = r"\AtEndPreamble{\newtheorem{remark}[theorem]{Remark}}"
            return rf"\documentclass[sigconf,nonacm]{{acmart}}{LOADED_BY_ACM.sub('', bare)}{remark}"
    return rf"\documentclass[twocolumn]{{article}}{latex.PREAMBLE}"


@pytest.mark.tex
@pytest.mark.parametrize("kind", ["article", "IEEEtran", "acmart", "llncs"])
def test_fragments_stand_in_papers_of_common_classes(
    kind, derived, tmp_path, complaints_of_tex
) -> None:
    names = ["ambulances", "own-granularity", "mixed-notions"]
    columns = 1 if kind == "llncs" else 2
    for name in names:
        text = latex.fragment(derived(name).document(), columns)
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    inputs = "\n".join(rf"\input{{{name}}}" for name in names)
    items = "\n".join(rf"\bibitem{{{key}}} A work." for key in latex.WORKS)
    start = r"\title{T}\author{A}\affiliation{\institution{I}\city{C}\country{D}}\maketitle"
    (tmp_path / "paper.tex").write_text(
        rf"{preamble_for(kind)}\begin{{document}}{start if kind == 'acmart' else ''}{inputs}"
        rf"\begin{{thebibliography}}{{9}}{items}\end{{thebibliography}}\end{{document}}",
        encoding="utf-8",
    )
    complaints = " ".join(complaints_of_tex("paper.tex"))
    assert "undefined" not in complaints
    assert "Overfull" not in complaints


@pytest.mark.tex
@pytest.mark.parametrize("written", [SPEC, MANY, MERGED], ids=["signs", "long sums", "guards"])
def test_whatever_a_user_writes_compiles(written, tmp_path, spec_file, complaints_of_tex) -> None:
    place = str(tmp_path / "report.tex")
    result = CliRunner().invoke(cli.main, ["derive", spec_file(written), "--latex", place])
    assert result.exit_code == 0, result.stderr
    assert complaints_of_tex("report.tex") == []


def test_what_a_condition_needs_is_mathematics_or_words(derived) -> None:
    windows = latex.article(derived("w-event-days-of-records").document())
    assert "abs(" not in windows
    assert r"It holds exactly when $\forall x,\allowbreak y \in \mathcal{X}\colon\," in windows
    owners = latex.article(derived("user-level-record-partition").document())
    assert "It holds exactly when $h$ is constant on each owner's records" in owners.replace(
        "’", "'"
    )
