"""The curve as a picture."""

from __future__ import annotations

import pytest

from dpcomp_sym.cli import main

SPEC = "examples/nested.toml"
NUMBERS = ["--set", "k=2", "--set", "eps_mean=1", "--set", "eps_count=1/2", "--set", "eps_all=1/3"]


def run(*arguments):
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return left.value.code


def test_a_curve_is_drawn_the_same_each_time(tmp_path, capsys):
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for file in (first, second):
        assert run("derive", SPEC, *NUMBERS, "--curve", str(file)) == 0
    assert "Composition in numbers" in capsys.readouterr().out
    assert first.read_bytes() == second.read_bytes()
    words = first.read_text(encoding="utf-8")
    for word in ("basic", "advanced", "optimal", "ε", "δ"):
        assert word in words
