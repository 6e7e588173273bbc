"""The command: exit statuses, JSON, and scripts that run with nothing but Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import dpcomp_sym as dp
from dpcomp_sym.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(*args: str):
    return CliRunner().invoke(main, ["refute", *args])


def alone(script: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in an interpreter without site packages, in another folder."""
    command = [sys.executable, "-I", "-S", str(script)]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)


SCRIPTS = [
    ("bounded-partition", "max(eps[i])"),
    ("bounded-partition-unbounded-parts", "max(eps[i] + eps[j])"),
    ("bounded-partition-common", "(max(eps[i]), 2*max(delta[i]))"),
    ("ambulances", "2*max(rho[i])"),
    ("user-level-record-partition", "max(mu[i])"),
    ("nested", "max(eps_mean) + eps_all"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "claim"), SCRIPTS)
def test_a_script_runs_alone_and_notices_changes(name: str, claim: str, tmp_path: Path) -> None:
    file = tmp_path / "no.py"
    spec = str(EXAMPLES / f"{name}.toml")
    done = run(spec, "--claim", claim, "--script", str(file))
    assert done.exit_code == 1
    right = alone(file)
    assert (right.returncode, right.stderr) == (0, "")
    assert right.stdout.endswith(f"OK: the claim {claim} is false\n")
    text = file.read_text(encoding="utf-8")
    head, data = text.split('DATA = json.loads(r"""')
    record = json.loads(data.split('"""')[0])
    record["D_prime"] = record["D"]
    file.write_text(f'{head}DATA = json.loads(r"""{json.dumps(record)}""")\n'
                    "raise SystemExit(check(DATA))\n", encoding="utf-8")  # fmt: skip
    wrong = alone(file)
    assert wrong.returncode == 1
    assert wrong.stdout.startswith("FAILED")


def test_nothing_is_written_for_a_true_claim(tmp_path: Path) -> None:
    file = tmp_path / "no.py"
    spec = str(EXAMPLES / "ambulances.toml")
    done = run(spec, "--claim", "top(3, eps)", "--script", str(file))
    assert done.exit_code == 0
    assert "nothing is refuted" in done.stderr
    assert not list(tmp_path.iterdir())


def test_json_is_one_document() -> None:
    done = run(str(EXAMPLES / "bounded-partition.toml"), "--claim", "max(eps[i])", "--json")
    document = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (document["schema"], document["verdict"], document["notion"]) == (
        "dpcomp/1", "refuted", "pure",
    )  # fmt: skip
    assert document["counterexample"]["changed"] == ["blocks 1", "blocks 2"]


def test_numbers_from_the_command_line() -> None:
    spec = str(EXAMPLES / "bounded-partition-unbounded-parts.toml")
    done = run(spec, "--claim", "max(eps[i]+eps[j])", "--set", "eps=[2, 1]")
    assert done.exit_code == 1
    assert "Lost: 4; claimed: 3" in done.stdout


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "claim", "said"),
    [
        ("bounded-partition-common", "max(eps[i] + eps[j])", "tight: it is the exact bound"),
        ("bounded-partition-common", "2*max(eps[i])", "the bound is 1, claimed 2"),
        ("bounded-partition-common", "max(mu[i])", "is that of sqrt(2)-GDP."),
        ("ambulances", "2*max(rho[i])", "is 3 times its order"),
        ("fixed-size-unbounded", "max(eps[i])", "so every claim holds"),
        ("user-level-limited", "r*top(2, mu)", "unknown"),
    ],
)
def test_what_is_printed(name: str, claim: str, said: str) -> None:
    assert said in run(str(EXAMPLES / f"{name}.toml"), "--claim", claim).stdout


LETTERS = """
title = "Letters"
[domain]
attributes = { x = "X", r = "R", t = "int", d = "Day" }
symbols = { k = "k >= 1", P = "P >= 1" }
[granularity]
[[granularity.edit]]
params = { u = "X", s = "int" }
frame = "x(c) == u and s <= t(c) and t(c) < s + k"
[[map]]
name = "M"
index = { i = "eps" }
member = "t(c) == i"
[[part]]
name = "v"
map = "M"
guarantee = { pure = "x" }
"""


def test_letters_are_none_of_the_user(spec_file, tmp_path) -> None:
    """What mechanisms publish depends on t, or on a letter that nothing of the user is called."""
    spec, paper = spec_file(LETTERS), tmp_path / "no.tex"
    shown = run(spec, "--claim", "max(x)", "--latex", str(paper)).stdout
    assert "t1 is the distance of what a mechanism reads" in shown
    assert "by its row t1" in " ".join(shown.split())
    assert "  t1   outcome 0      outcome 1\n" in shown
    written = " ".join(paper.read_text(encoding="utf-8").split())
    assert "Let $t_{1}$ be the distance of" in written
    assert "by its row $t_{1}$; $t_{1}$ differs" in written


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["max(epz[i])"], "did you mean 'eps'"),
        (["3"], "--notion"),
        (["3", "--notion", "pur"], "did you mean 'pure'"),
        (["(1, 2)", "--notion", "pure"], "a claim about pure privacy is about (eps)"),
    ],
)
def test_bad_input_is_told(args: list[str], said: str) -> None:
    done = run(str(EXAMPLES / "bounded-partition-common.toml"), "--claim", *args)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_membership_is_no_subject_of_claims() -> None:
    done = run(str(EXAMPLES / "membership" / "hospitals.toml"), "--claim", "max(eps[i])")
    assert done.exit_code == 2
    assert "[membership]" in done.stderr


def test_from_python_with_a_file_and_with_numbers() -> None:
    file = EXAMPLES / "bounded-partition-common.toml"
    decision = dp.refute(file, "5", {"eps": [4, 1, 2]}, notion="pure")
    assert decision.verdict == "refuted"
    assert decision.script() is not None
