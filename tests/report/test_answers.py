"""Claims and comparisons as files: an article, a page."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

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
    assert f"Verdict: {verdict}." in paper.read_text(encoding="utf-8")
    found = ET.fromstring(page.read_text(encoding="utf-8").partition("\n")[2])
    assert any(verdict in (x.text or "") for x in found.iter() if x.get("class"))


@pytest.mark.parametrize("command", [ANSWERS[0][0], ANSWERS[4][0]])
def test_nothing_is_written_where_one_file_cannot_be(command, tmp_path) -> None:
    good, bad = tmp_path / "a.tex", tmp_path / "none" / "a.html"
    done = CliRunner().invoke(main, [*command, "--latex", str(good), "--html", str(bad)])
    assert done.exit_code == 2
    assert "there is no such folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
    done = CliRunner().invoke(main, [*command, "--latex", str(good), "--html", str(good)])
    assert (done.exit_code, done.stderr) == (2, "error: two options name the same file\n")


@pytest.mark.tex
def test_answers_compile(tmp_path, complaints_of_tex) -> None:
    for arguments, _ in ANSWERS:
        CliRunner().invoke(main, [*arguments, "--latex", str(tmp_path / "a.tex")])
        assert complaints_of_tex("a.tex") == []
