"""What the kernel refuses, with assertions on and off."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.kernel.rejects import TABLE, unrefused

ROOT = Path(__file__).resolve().parents[2]


def test_everything_in_the_table_is_refused_for_its_reason():
    assert unrefused() == []


def test_entries_have_different_names():
    names = [name for name, _, _ in TABLE]
    assert len(names) > 250
    assert sorted(set(names)) == sorted(names)


def test_the_same_without_assertions():
    done = subprocess.run(
        [sys.executable, "-O", "-m", "tests.kernel.rejects"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"{len(TABLE)} entries, 0 not refused\n"
