"""Reports about a choice of databases: who can be where, the worst pair, two hypotheses."""

from __future__ import annotations

import re
from math import exp, log
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.report import latex
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "membership"
SPEC = """\
title = "Two wards"
[membership]
databases = {{ day = 3, night = 2 }}
require = {require}
neighbours = "{neighbours}"
[[part]]
map = "day"
guarantee = {{ pure = "eps" }}
[[part]]
map = "night"
guarantee = {{ pure = 2 }}
[values]
eps = [1, 3, 2]
"""


def report(require: str, neighbours: str) -> str:
    spec = SPEC.format(require=require, neighbours=neighbours)
    return latex.article(load_spec(spec).derive().document())


def test_the_constraint_and_what_it_allows(derived) -> None:
    text = latex.article(derived("membership/hospitals-bounded").document())
    for piece in (
        r"A vector is \emph{allowed} if $|b| \le m$",
        r"$D(b)$ and $D(b')$ are $\mathcal{B}$-\emph{neighbours}",
        r"The vectors of neighbours differ in at most $2 m$ databases.",
    ):
        assert piece in text
    assert "certificate" not in text


def test_a_number_of_databases_that_has_no_name() -> None:
    spec = (EXAMPLES / "hospitals-bounded.toml").read_text().replace("total <= m", "total == m")
    text = latex.article(load_spec(spec).derive().document())
    assert r"differ in at most $r$ databases, where $r = 2 \min(m, k - m)$." in text


def test_the_worst_pair_is_drawn_square_by_square() -> None:
    text = report('"total <= 2"', "unbounded")
    strips = re.findall(r"& \$(b'?)\$ & \\begin\{picture\}(.*?)\\end\{picture\}", text)
    filled = [re.findall(r"\\put\((\d+),0\)\{\\rule\{(\d+)pt\}", s) for _, s in strips]
    assert [name for name, _ in strips] == ["b", "b'", "b", "b'"]
    # The second ward of the day loses 3, and of the others 2 at most, by the first one at hand.
    drawn = [sum(int(wide) // 10 for _, wide in strip) for strip in filled]
    assert drawn[0] == drawn[2] == 0
    assert drawn[1] + drawn[3] == 2
    assert "this is 5." in text


def test_single_databases_are_written_with_their_indices() -> None:
    text = report('["day(1) <= night(2)", "total <= 4"]', "replace-one")
    assert r"$b_{\mathrm{day},1} \le b_{\mathrm{night},2}$ and $|b| \le 4$" in text
    both = r"\sum_{i} 2 \varepsilon_i b_{\mathrm{day},i} + \sum_{i} 4 b_{\mathrm{night},i}"
    assert rf"\max_{{b}} \Bigl({both}\Bigr)" in text
    assert "Two persons in the same databases lose the most" in text


def test_what_an_adversary_can_tell(derived) -> None:
    text = latex.article(derived("membership/uninformed").document())
    said = re.search(r"\\varepsilon = (\d\.\d+)\.\n", text)
    assert float(said[1]) == pytest.approx(log((1 + exp(0.5)) ** 10 / 1023 - 1 / 1023), abs=1e-5)


def test_what_every_theorem_makes_of_it(tmp_path) -> None:
    page, paper = tmp_path / "a.html", tmp_path / "a.tex"
    arguments = ["derive", str(EXAMPLES / "uninformed.toml"), "--theorems", "--at-delta", "1e-4"]
    files = ["--html", str(page), "--latex", str(paper)]
    result = CliRunner().invoke(cli.main, [*arguments, *files])
    assert result.exit_code == 0, result.stderr
    for text in (page.read_text(encoding="utf-8"), paper.read_text(encoding="utf-8")):
        for theorem in ("every database, optimal composition", "through Rényi privacy"):
            assert theorem in text
        assert "0.0001" in text
    shown = re.search(r"through Rényi privacy +(\S+)", result.stdout)[1]
    assert f"through Rényi privacy & {shown}" in paper.read_text(encoding="utf-8")
