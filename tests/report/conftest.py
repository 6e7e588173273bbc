"""The examples that reports are made of, and what TeX complains about."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(str(p.relative_to(FOLDER).with_suffix("")) for p in FOLDER.rglob("*.toml"))


COMPLAINTS = re.compile(r"^(!.*|.*Warning.*|(?:Over|Under)full.*)$", re.MULTILINE)


@pytest.fixture
def complaints_of_tex(tmp_path):
    """Compile a file of ``tmp_path`` twice and return what the second run complains about."""

    def compiled(name: str) -> list[str]:
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name]
        for _ in range(2):
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout[-2000:]
        return COMPLAINTS.findall(done.stdout)

    return compiled


# One for each kind of edit, map, setting and outcome; with TeX, every example is tried.
VARIED = (
    "ambulances", "bounded-partition", "bounded-partition-common", "fixed-size-unbounded",
    "graph-node-incident", "histogram", "membership/hospitals-bounded", "membership/subsidiaries",
    "membership/uninformed", "nested", "own-granularity", "stream-w-event-windows",
    "tables-shared-owner", "user-level-limited",
)  # fmt: skip


def pytest_generate_tests(metafunc):
    """Run a test on an ``example`` of each kind, or on ``every_example``."""
    if "example" in metafunc.fixturenames:
        metafunc.parametrize("example", VARIED)
    if "every_example" in metafunc.fixturenames:
        metafunc.parametrize("every_example", EXAMPLES)
