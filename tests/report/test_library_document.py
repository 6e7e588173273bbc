"""The theorem library as a LaTeX document."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from theorems import _run
from theorems._report import mathematical


def written(place, *ids: str) -> str:
    arguments = ["theorems", "verify", *ids, "--latex", str(place)]
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 0, result.output
    return place.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("ε_i and f_i(D)", r"$\varepsilon _{i}$ and $f_{i}$(D)"),
        ("snake_case stays", "snake_case stays"),
        ("e^(ε d_U) for D", r"$e^{\varepsilon  d_U}$ for D"),
        ("M_rest", r"$M_{\mathrm{rest}}$"),
        ("costs $5 and `x`", r"costs \$5 and \`x\`"),
        ("``code_of`` it", "`code_of` it"),
        ("x_i^2", "$x_{i}^{2}$"),
    ],
)
def test_words_become_mathematics(words, marked) -> None:
    assert mathematical(words) == marked


@pytest.mark.in_turn
def test_a_part_of_the_library(tmp_path) -> None:
    text = written(tmp_path / "a.tex", "GB24.IV.13", "E2")
    for piece in (r"\tableofcontents", r"\section{Statuses}", r"\section{Corrections}"):
        assert piece in text
    names = [*_run.select(["GB24.IV.13"]), *_run.select(["E2"])]
    for name in names:
        assert text.count(rf"\label{{thm:{name}}}") == 1
        assert rf"\cref{{thm:{name}}} & " in text
    labels = re.findall(r"\\label\{([^}]*)\}", text)
    assert len(labels) == len(set(labels))
    referred = re.findall(r"\\cref\{([^}]*)\}", text)
    assert {one for group in referred for one in group.split(",")} <= set(labels)
    assert r"\sum_{j=1}^{\min(2, k)} \varepsilon_{(j)}" in text


def test_nothing_is_run_for_a_place_that_cannot_be(tmp_path) -> None:
    arguments = ["theorems", "verify", "--latex", str(tmp_path / "none" / "a.tex")]
    result = CliRunner().invoke(cli.main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no such folder" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.tex
def test_the_whole_library_compiles(tmp_path, complaints_of_tex) -> None:
    written(tmp_path / "library.tex")
    assert complaints_of_tex("library.tex") == []
