"""Files that commands write beside derivations: the atlas, entries of the library; lost options."""

from __future__ import annotations

import re

import pytest

from tests.command import dpcomp


def test_an_entry_of_the_library_is_written_as_latex_and_html(tmp_path):
    tex, page = tmp_path / "a.tex", tmp_path / "a.html"
    done = dpcomp("theorems", "show", "GB24.IV.13", "--latex", str(tex), "--html", str(page))
    assert done.returncode == 0
    assert "compose_profile" in done.stdout
    text = tex.read_text(encoding="utf-8")
    assert r"\documentclass" in text
    assert r"\max_{i\ne j}" in text
    referred = re.findall(r"\\cref\{([^}]*)\}", text)
    labels = set(re.findall(r"\\label\{([^}]*)\}", text))
    assert {one for group in referred for one in group.split(",")} <= labels
    assert "Corollary" in page.read_text(encoding="utf-8") or "GB24" in page.read_text()


def test_the_atlas_is_written_as_latex(tmp_path):
    tex, page = tmp_path / "a.tex", tmp_path / "a.html"
    few = ["--granularity", "bounded", "--map", "partition", "--cache", str(tmp_path / "c")]
    done = dpcomp("atlas", *few, "--jobs", "1", "--latex", str(tex), "--html", str(page))
    assert done.returncode == 0
    text = tex.read_text(encoding="utf-8")
    assert r"\begin{tabular}" in text
    assert r"\sum_{j=1}^{\min(2, k)} \varepsilon_{(j)}" in text
    assert "<html" in page.read_text(encoding="utf-8")
    both = dpcomp("atlas", *few, "--latex", str(tex), "--html", str(tex))
    assert both.returncode == 2
    assert "the same file" in both.stderr


@pytest.mark.parametrize("option", [["--columns", "2"], ["--columns", "1"], ["--detail", "proof"]])
def test_options_of_latex_are_refused_without_latex(option, tmp_path):
    done = dpcomp("derive", "examples/ambulances.toml", *option)
    assert done.returncode == 2
    assert f"{option[0]} is about LaTeX: add --latex F" in done.stderr
    assert done.stdout == ""
    page = tmp_path / "page.html"
    assert (
        dpcomp("derive", "examples/ambulances.toml", *option, "--html", str(page)).returncode == 2
    )
    assert not page.exists()


def test_works_cited_are_written_beside_latex(tmp_path):
    tex, works = tmp_path / "part.tex", tmp_path / "part.bib"
    done = dpcomp(
        "derive", "examples/ambulances.toml", "--latex-fragment", str(tex), "--bibtex", str(works),
        "--columns", "2",
    )  # fmt: skip
    assert done.returncode == 0
    cited = re.findall(r"\\cite(?:\[[^\]]*\])?\{([^}]*)\}", tex.read_text(encoding="utf-8"))
    keys = set(re.findall(r"^@\w+\{(\w+),", works.read_text(encoding="ascii"), re.MULTILINE))
    assert {key for group in cited for key in group.split(",")} == keys
