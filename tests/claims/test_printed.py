"""The printed claims of `examples/claims` are refuted by the commands that the specs name."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym.cli import main

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted((ROOT / "examples" / "claims").glob("*.toml"))
START = "# dpcomp "
COMMANDS = [
    line.removeprefix(START)
    for spec in SPECS
    for line in spec.read_text(encoding="utf-8").splitlines()
    if line.startswith(START)
]


def test_every_spec_says_how_it_is_refuted() -> None:
    assert len(SPECS) >= 6
    assert all(any(spec.name in command for command in COMMANDS) for spec in SPECS)


@pytest.mark.in_turn
@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_claim_is_refuted(command: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    script = tmp_path / "no.py"
    done = CliRunner().invoke(main, [*shlex.split(command), "--script", str(script)])
    assert done.exit_code == 1, done.output
    alone = [sys.executable, "-I", "-S", str(script)]
    checked = subprocess.run(alone, cwd="/", capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
