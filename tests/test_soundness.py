"""The page of figures counts the trusted base; the count is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import dpcomp_sym
from tests.lines import code_lines

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| [a-z ]+ \| (?P<files>`[a-z/.`, ]+`) \| (?P<lines>\d+) \|", re.MULTILINE)


def test_lines_of_the_trusted_base():
    text = (ROOT / "docs" / "soundness" / "figures.md").read_text(encoding="utf-8")
    stated = {row["files"]: int(row["lines"]) for row in ROW.finditer(text)}
    assert "`kernel/rules.py`" in stated
    counted = {
        files: sum(code_lines(ROOT / "dpcomp_sym" / name) for name in re.findall(r"`(.+?)`", files))
        for files in stated
    }
    assert all(abs(stated[files] - counted[files]) <= counted[files] / 10 for files in stated), (
        counted
    )


def test_lines_of_the_whole_program():
    text = (ROOT / "docs" / "soundness" / "figures.md").read_text(encoding="utf-8")
    said = re.search(r"program has ([\d,]+) lines of code, ([\d,]+) with blank lines", text)
    assert said
    here = ROOT / "dpcomp_sym"
    whole = sum(len(f.read_text(encoding="utf-8").splitlines()) for f in here.rglob("*.py"))
    for number, counted in zip(said.groups(), (code_lines(here), whole), strict=True):
        assert abs(int(number.replace(",", "")) - counted) <= counted / 10


def test_the_page_of_what_is_trusted_is_short_and_its_links_lead_somewhere():
    text = (ROOT / "SOUNDNESS.md").read_text(encoding="utf-8")
    assert len(text.split()) < 1000
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 5
    assert all((ROOT / link).is_file() for link in links)


def test_the_changelog_has_the_version_of_the_package():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[?([\d.]+)\]?", text, re.MULTILINE)
    assert released == sorted(released, reverse=True)
    assert released[0] == dpcomp_sym.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == dpcomp_sym.__version__


def test_counting():
    here = Path(__file__).parent / "lines.py"
    assert 0 < code_lines(here) < len(here.read_text(encoding="utf-8").splitlines())
