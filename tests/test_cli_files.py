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
    assert "eps[" not in text
    both = dpcomp("atlas", *few, "--latex", str(tex), "--html", str(tex))
    assert both.returncode == 2
    assert "the same file" in both.stderr


def test_the_atlas_is_written_for_a_paper(tmp_path):
    part, works = tmp_path / "part.tex", tmp_path / "paper.bib"
    few = ["--granularity", "w-event", "--map", "windows", "--cache", str(tmp_path / "c")]
    files = ["--latex-fragment", str(part), "--bibtex", str(works), "--columns", "2"]
    assert dpcomp("atlas", *few, "--jobs", "1", *files).returncode == 0
    text = part.read_text(encoding="utf-8")
    assert r"\documentclass" not in text
    assert r"& (1) & (1) \\" in text  # longer bounds stand below the table
    assert r"\max_{t}" in text.replace("\n", "")
    assert "Conditions" in text
    assert "@inproceedings{GB24," in works.read_text(encoding="ascii")
    assert dpcomp("atlas", *few, *files, "--detail", "theorem").returncode == 0
    assert "Conditions" not in part.read_text(encoding="utf-8")
    refused = dpcomp("atlas", *few, "--columns", "2")
    assert refused.returncode == 2
    assert "--columns is about LaTeX" in refused.stderr


def test_works_of_several_reports_stand_once_in_one_file(tmp_path):
    works = tmp_path / "paper.bib"
    own = "@book{Own,\n  title = {Mine}\n}\n"
    works.write_text(own, encoding="utf-8")
    for name in ("ambulances", "bounded-partition"):
        done = dpcomp("derive", f"examples/{name}.toml", "--bibtex", str(works))
        assert done.returncode == 0
    text = works.read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    assert text.startswith(own)
    assert len(keys) == len(set(keys)) > 2


def test_counterexamples_have_a_column_for_each_attribute(tmp_path):
    tex = tmp_path / "a.tex"
    assert dpcomp("derive", "examples/strips.toml", "--latex", str(tex)).returncode == 0
    text = tex.read_text(encoding="utf-8")
    assert r"\toprule Block & $\mathrm{id}$ & $\mathrm{strip}$ & $D$ & $D'$ \\ \midrule" in text
    assert "id = " not in text
    assert re.search(r"Here \$k = \d\$\.", text)


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
