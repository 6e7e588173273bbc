"""Claims and comparisons as files: an article, a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

import dpcomp_sym as dp
from dpcomp_sym.cli import main

ANSWERS = [
    (("refute", "examples/bounded-partition.toml", "--claim", "changed(blocks) <= 1"), "refuted"),
    (("refute", "examples/ambulances.toml", "--claim", "max(eps[i])"), "refuted"),
    (("refute", "examples/ambulances.toml", "--claim", "top(3, eps)"), "proved"),
    (("refute", "examples/uncertain/survey.toml", "--claim", "1/2"), "proved"),
    (("relate", "examples/finite-class.toml"), "proved"),
]


@pytest.mark.parametrize(("arguments", "verdict"), ANSWERS)
def test_answers_are_written_to_files(arguments, verdict, tmp_path) -> None:
    paper, page = tmp_path / "a.tex", tmp_path / "a.html"
    CliRunner().invoke(main, [*arguments, "--latex", str(paper), "--html", str(page)])
    said = {"refuted": "We refute a claim: it is false that", "proved": "We prove a claim:"}[
        verdict
    ]
    said = said if arguments[0] == "refute" else "We compare granularities over one class"
    assert rf"\begin{{abstract}}{said}" in paper.read_text(encoding="utf-8")
    found = ET.fromstring(page.read_text(encoding="utf-8").partition("\n")[2])
    assert any(verdict in (x.text or "") for x in found.iter() if x.get("class"))


def test_a_refutation_is_written_in_mathematics(tmp_path) -> None:
    """Formulas, the setting, the symbols of mechanisms, and the laws that they publish."""
    paper = tmp_path / "a.tex"
    CliRunner().invoke(main, [*ANSWERS[1][0], "--latex", str(paper)])
    text = paper.read_text(encoding="utf-8")
    for said in (
        r"\section{Setting}", r"$\varepsilon$-DP with $\varepsilon = \max_{i} \varepsilon_i$",
        r"Take $k = 2$ and $\varepsilon = (1, 1)$", r"$M_1$ and $M_2$ read", r"(M_1, M_2) =",
        r"$1$ & $1 - \tfrac{1}{2} e^{-1}$ & $\tfrac{1}{2} e^{-1}$", r"$\tfrac{1}{4} e^{-2}$",
    ):  # fmt: skip
        assert said in text
    for raw in ("max(eps", "e^-2", "textasciicircum", "counts[1]", "Verdict"):
        assert raw not in text


def test_metrics_are_written_in_mathematics(tmp_path) -> None:
    paper = tmp_path / "a.tex"
    names = ("bounded", "unbounded", "free_lunch")
    chosen = [word for name in names for word in ("--granularity", name)]
    CliRunner().invoke(main, ["relate", ANSWERS[0][0][1], *chosen, "--latex", str(paper)])
    text = paper.read_text(encoding="utf-8")
    for said in (
        r"\section{Setting}", r"the granularity ``bounded'', written $\mathcal{B}$",
        r"d_{\mathcal{B}}(D, E) = \sum_c \max\{D(c) - E(c), 0\}",
        r"if $\lvert D \rvert = \lvert E \rvert$; otherwise it is $\infty$.",
        r"d_{\mathcal{F}}(D, E) = \mathbf{1}\{\exists c \colon D(c) \neq E(c)\}.",
        r"``unbounded'' & ``bounded'' & $2 \varepsilon$",
    ):  # fmt: skip
        assert said in text
    for raw in ("D[c]", "sum(", "same()", "──"):
        assert raw not in text


def test_claims_about_given_metrics_are_written_in_mathematics(tmp_path) -> None:
    paper = tmp_path / "a.tex"
    CliRunner().invoke(main, ["relate", "examples/points.toml", "--granularity", "unbounded",
                              "--latex", str(paper)])  # fmt: skip
    text = paper.read_text(encoding="utf-8")
    euclid = r"\sqrt{\mathrm{east}^2 + \mathrm{north}^2}"
    refuted = (
        rf"Claim: $\mathrm{{east}} + \mathrm{{north}} \le \tfrac{{5}}{{4}} {euclid}$. Refuted."
    )
    assert refuted in text
    assert "<=" not in text


def test_a_proof_of_a_claim_is_written_in_mathematics(tmp_path) -> None:
    paper = tmp_path / "a.tex"
    CliRunner().invoke(main, [*ANSWERS[2][0], "--latex", str(paper)])
    text = paper.read_text(encoding="utf-8")
    for said in (
        "It is the exact bound, which mechanisms attain.", r"\emph{By} preprocessing",
        r"$M_i$ is $\varepsilon_i$-DP for $\mathcal{U}$-neighbours", "(Decided by the solver.)",
    ):  # fmt: skip
        assert said in text
    assert "eps[i]" not in text
    labels = re.findall(r"\\label\{([^}]*)\}", text)
    named = re.findall(r"\\cref\{([^}]*)\}", text)
    assert {x for one in named for x in one.split(",")} <= set(labels)
    page = dp.refute(ANSWERS[2][0][1], "top(3, eps)").save(tmp_path / "a.md").read_text()
    assert "from step 1" in page


@pytest.mark.parametrize("command", [ANSWERS[0][0], ANSWERS[4][0]])
def test_nothing_is_written_where_one_file_cannot_be(command, tmp_path) -> None:
    good, bad = tmp_path / "a.tex", tmp_path / "none" / "a.html"
    done = CliRunner().invoke(main, [*command, "--latex", str(good), "--html", str(bad)])
    assert done.exit_code == 2
    assert "there is no such folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
    done = CliRunner().invoke(main, [*command, "--latex", str(good), "--html", str(good)])
    assert (done.exit_code, done.stderr) == (2, "error: two options name the same file\n")


def test_a_property_is_written_in_mathematics(tmp_path) -> None:
    paper = tmp_path / "a.tex"
    spec = "examples/bounded-sums.toml"
    claim = "l2(cities, spent(c)) <= sqrt(2*B*B)"
    CliRunner().invoke(main, ["refute", spec, "--claim", claim, "--latex", str(paper)])
    text = paper.read_text(encoding="utf-8")
    norm = r"$\lVert f(w \cdot D') - f(w \cdot D) \rVert_2 \le \sqrt{2 \cdot B \cdot B}$ for all"
    assert rf"\begin{{abstract}}We prove a claim: {norm}" in text
    assert norm in text.partition(r"\begin{theorem}")[2]
    assert "l2(" not in text


@pytest.mark.parametrize("columns", ["1", "2"])
def test_a_fragment_holds_what_is_asked_for(columns, tmp_path) -> None:
    """The statement alone, or with its proof, and no frame; its works are a file of their own."""
    part, works = tmp_path / "a.tex", tmp_path / "a.bib"
    shown = {}
    for detail in ("theorem", "proof"):
        command = [*ANSWERS[2][0], "--latex-fragment", str(part), "--bibtex", str(works)]
        CliRunner().invoke(main, [*command, "--columns", columns, "--detail", detail])
        shown[detail] = part.read_text(encoding="utf-8")
        assert (r"\begin{proof}" in shown[detail]) == (detail == "proof")
        assert r"\begin{theorem}" in shown[detail]
        assert not {r"\documentclass", r"\begin{document}"} & set(shown[detail].splitlines())
        assert ("@" in works.read_text(encoding="utf-8")) == (detail == "proof")
    done = CliRunner().invoke(main, [*ANSWERS[2][0], "--detail", "proof"])
    assert done.exit_code == 2
    assert "--detail is about LaTeX" in done.output


def test_labels_of_several_answers_about_one_spec_differ(tmp_path) -> None:
    part = tmp_path / "a.tex"
    labels = []
    for command in (ANSWERS[1][0], ANSWERS[2][0], ("derive", "examples/ambulances.toml")):
        CliRunner().invoke(main, [*command, "--latex-fragment", str(part)])
        labels += re.findall(r"\\label\{([^}]*)\}", part.read_text(encoding="utf-8"))
    assert len(labels) == len(set(labels)) > 20


@pytest.mark.tex
def test_answers_compile(tmp_path, complaints_of_tex) -> None:
    for arguments, _ in ANSWERS:
        CliRunner().invoke(main, [*arguments, "--latex", str(tmp_path / "a.tex")])
        assert complaints_of_tex("a.tex") == []
