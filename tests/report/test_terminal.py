"""What a person sees in a terminal: widths, colours, completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.report.text import to_text

ROOT = Path(__file__).resolve().parents[2]


def test_every_line_of_a_result_fits(example, derived) -> None:
    found = derived(example)
    lines = to_text(found.as_json(), tuple(found.notes)).splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if line in {"Bounds", "Conditions", "Derivation"}]
    wanted = {"Bounds": not found.vacuous, "Conditions": bool(found.conditions), "Derivation": True}
    assert heads == [head for head, there in wanted.items() if there]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "arguments",
    [
        "theorems show GB24.IV.13",
        "theorems show E2",
        "theorems verify E2",
        "stability examples/foreign/released_library.py",
        "relate examples/bounded-partition.toml",
        "atlas --granularity bounded --map identity --jobs 1",
    ],
)
def test_every_other_command_fits(arguments, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(cli.main, arguments.split())
    assert result.exit_code in {0, 1}
    for line in result.stdout.splitlines():
        assert len(line) <= 80 or " " not in line.strip(), line


def test_colour_is_left_out_on_request(monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = CliRunner().invoke(cli.main, ["theorems", "list"], color=True).stdout
    assert "\x1b[32mderived" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    bare = CliRunner().invoke(cli.main, ["theorems", "list"], color=True).stdout
    assert "\x1b" not in bare
    assert click.unstyle(coloured) == bare


def test_every_command_has_an_example() -> None:
    commands = [(name, c) for name, c in cli.main.commands.items() if not hasattr(c, "commands")]
    groups = [c for c in cli.main.commands.values() if hasattr(c, "commands")]
    commands += [(name, c) for group in groups for name, c in group.commands.items()]
    for name, command in commands:
        shown = CliRunner().invoke(command, ["--help"]).stdout
        assert "Example:\n" in shown, name
        assert f" {name}" in shown.split("Example:\n")[1].split("\n\n")[0], name


def test_the_shell_can_complete() -> None:
    environment = {
        **os.environ, "_DPCOMP_COMPLETE": "bash_complete", "COMP_WORDS": "dpcomp theorems ve",
        "COMP_CWORD": "2",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "dpcomp_sym"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "plain,verify\n"
