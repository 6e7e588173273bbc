"""SOUNDNESS.md counts the trusted base; the count is true."""

from __future__ import annotations

import re
from pathlib import Path

from tests.lines import code_lines

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| [a-z ]+ \| (?P<files>`[a-z/.`, ]+`) \| (?P<lines>\d+) \|", re.MULTILINE)


def test_lines_of_the_trusted_base():
    text = (ROOT / "SOUNDNESS.md").read_text(encoding="utf-8")
    stated = {row["files"]: int(row["lines"]) for row in ROW.finditer(text)}
    assert "`kernel/rules.py`" in stated
    counted = {
        files: sum(code_lines(ROOT / "dpcomp_sym" / name) for name in re.findall(r"`(.+?)`", files))
        for files in stated
    }
    assert all(abs(stated[files] - counted[files]) <= counted[files] / 10 for files in stated), (
        counted
    )


def test_counting():
    here = Path(__file__).parent / "lines.py"
    assert 0 < code_lines(here) < len(here.read_text(encoding="utf-8").splitlines())
