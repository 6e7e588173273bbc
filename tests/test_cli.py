"""The command line: what it prints, where, and how it leaves."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import types
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.errors import InputError
from dpcomp_sym.report.text import render, to_text

ROOT = Path(__file__).resolve().parents[1]
SPEC = """\
title = "A spec"
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
[[part]]
name = "counts"
map = "partition"
"""
DOCUMENT = {
    "schema": "dpcomp/1",
    "title": "A spec",
    "verdict": "proved",
    "conditions": {
        "compatibility": {
            "verdict": "refuted",
            "statement": "between neighbours at most one of the blocks changes, whatever k is",
            "weakest": "h(x) == h(y)",
            "counterexample": {
                "D": [{"cell": {"id": "a"}, "count": 2, "blocks": [1]}],
                "D_prime": [
                    {"cell": {"id": "a"}, "count": 1, "blocks": [1]},
                    {"cell": {"id": "b"}, "count": 1, "blocks": [2]},
                ],
                "changed": [1, 2],
            },
            "reason": "two blocks change",
        },
        "sensitivity": {
            "verdict": "proved",
            "statement": "r_i <= 1",
            "weakest": None,
            "counterexample": None,
            "reason": None,
        },
    },
    "profile": {"vectors": [], "exact": True, "proved": True},
    "bounds": [
        {
            "notion": "pure",
            "parameter": "epsilon",
            "text": "sum of the 2 largest eps[i]",
            "latex": "",
            "value": 9,
            "exact": "9",
            "pareto": None,
            "tight": "yes",
            "by": ["GB24.III.3", "N1"],
        },
        {
            "notion": "approximate",
            "parameter": "epsilon,delta",
            "text": "(2*max(eps[i]), 2*max(delta[i]))",
            "latex": "",
            "value": [2, 0.6666666666666666],
            "exact": "(2, 2/3)",
            "pareto": [[2, 0.5], [1, 0.6666666666666666]],
            "tight": "no",
            "by": ["N1"],
        },
    ],
    "vacuous": False,
    "infinite": False,
    "trace": [
        {"step": 1, "statement": "one", "rule": "given", "source": None, "uses": []},
        {"step": 2, "statement": "two " * 30, "rule": "max", "source": "GB24", "uses": [1]},
    ],
}


class Derivation:
    """What the command line needs of a derivation."""

    notes = ("a note",)
    comparison = None

    def __init__(self, document):
        self.document = document
        self.verdict = document["verdict"]

    def as_json(self):
        return dict(self.document)


@pytest.fixture
def calls(monkeypatch):
    """A stand-in for the derivation; the list of what it was asked."""
    asked = []
    module = types.ModuleType("dpcomp_sym.derivation.derive")
    module.answer = DOCUMENT

    def derive(problem, *, values, sizes, title):
        asked.append({"problem": problem, "values": values, "sizes": sizes, "title": title})
        if isinstance(module.answer, BaseException):
            raise module.answer
        return Derivation(module.answer)

    module.derive = derive
    monkeypatch.setitem(sys.modules, "dpcomp_sym.derivation.derive", module)
    return types.SimpleNamespace(asked=asked, module=module)


@pytest.fixture
def spec(spec_file):
    return spec_file(SPEC)


def run(*args, **more):
    return CliRunner().invoke(cli.main, list(args), **more)


def conditions(*verdicts):
    entry = DOCUMENT["conditions"]["sensitivity"]
    found = {f"c{n}": {**entry, "verdict": v} for n, v in enumerate(verdicts)}
    return {**DOCUMENT, "conditions": found}


# ------------------------------------------------------------------ derive and check


def test_derive_prints_a_report(calls, spec):
    result = run("derive", spec, "--set", "k=2", "--set", "eps=[1, 1/2]")
    assert (result.exit_code, result.stderr) == (0, "")
    assert calls.asked[0]["sizes"] == {"k": 2}
    assert calls.asked[0]["values"]["eps"] == [1, 0.5]
    assert calls.asked[0]["title"] == "A spec"
    for piece in (
        "A spec: proved",
        "C1          refuted",
        "C1 holds exactly when h(x) == h(y)",
        "1       id = a   2    1",
        "2       id = b   0    1",
        "changed: 1, 2",
        "sum of the 2 largest eps[i]\n",
        "= 9\n",
        "= (2, 2/3) ≈ (2, 0.666667)",
        "not tight",
        "A single pair of neighbours has one of (2, 0.5), (1, 0.666667)",
        "By GB24.III.3, N1\n",
        "[max; GB24; from 1]",
        "• a note",
    ):
        assert piece in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "\x1b" not in result.stdout


def test_json_is_one_document_and_nothing_else(calls, spec):
    result = run("derive", spec, "--json")
    assert json.loads(result.stdout) == DOCUMENT
    assert result.stderr == ""
    checked = json.loads(run("check", spec, "--json").stdout)
    assert checked.keys() == DOCUMENT.keys() - {"bounds", "trace"}
    assert checked["verdict"] == "refuted"
    assert len(calls.asked) == 2


@pytest.mark.parametrize(
    ("verdict", "status"),
    [("proved", 0), ("vacuous", 0), ("unknown", 3), ("checked", 3), ("refuted", 1)],
)
def test_the_status_of_derive(calls, spec, verdict, status):
    calls.module.answer = {**DOCUMENT, "verdict": verdict, "infinite": True}
    assert run("derive", spec).exit_code == status


@pytest.mark.parametrize(
    ("verdicts", "verdict", "status"),
    [
        (["proved", "proved"], "proved", 0),
        (["vacuous", "vacuous"], "vacuous", 0),
        (["proved", "refuted", "unknown"], "refuted", 1),
        (["proved", "unknown"], "unknown", 3),
        (["proved", "checked"], "checked", 3),
    ],
)
def test_the_status_of_check(calls, spec, verdicts, verdict, status):
    calls.module.answer = conditions(*verdicts)
    result = run("check", spec)
    assert result.exit_code == status
    assert f"A spec: {verdict}" in result.stdout
    assert "Bounds" not in result.stdout
    assert json.loads(run("check", spec, "--json").stdout)["verdict"] == verdict


def test_standard_input(calls):
    result = run("derive", "-", input=SPEC)
    assert result.exit_code == 0
    assert calls.asked[0]["title"] == "A spec"
    result = run("derive", "-", input=SPEC.replace("unbounded", "unbouded"))
    assert result.exit_code == 2
    assert result.stderr.startswith("error: standard input, line 2: ")


def test_errors_of_a_derivation_are_placed_in_the_file(calls, spec):
    calls.module.answer = InputError(
        "the edit is never applicable", where="map 'partition'", word="partition"
    )
    result = run("derive", spec)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"error: {spec}, line 7: map 'partition': the edit is never applicable\n"
    )


def test_an_interruption(calls, spec):
    calls.module.answer = KeyboardInterrupt()
    result = run("derive", spec)
    assert (result.exit_code, result.stdout) == (130, "")
    assert "Traceback" not in result.stderr


def test_other_errors_of_the_system(calls, spec):
    calls.module.answer = OSError(28, "No space left on device", "/x/y")
    result = run("derive", spec)
    assert (result.exit_code, result.stderr) == (2, "error: /x/y: No space left on device\n")


def test_a_bug_is_not_hidden(calls, spec):
    calls.module.answer = ZeroDivisionError()
    assert isinstance(run("derive", spec).exception, ZeroDivisionError)


def test_a_spec_without_parts_cannot_be_derived(spec_file):
    result = run("derive", spec_file(SPEC.partition("[[part]]")[0]))
    assert result.exit_code == 2
    assert "has no [[part]]" in result.stderr


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("args", "piece"),
    [
        (["derive"], "Missing argument 'SPEC...'"),
        (["derive", "none.toml"], "error: there is no file none.toml"),
        (["derive", "."], "error: . is a folder"),
        (["derv", "x"], "there is no command 'derv'; did you mean 'derive'?"),
        (["derive", "x", "--jsn"], "--jsn"),
        (["derive", "{spec}", "--set", "k"], "--set needs NAME=VALUE"),
        (["derive", "{spec}", "--set", "k=0"], "k = 0 contradicts 'k >= 1'"),
        (["check", "{spec}", "--set", "kk=1"], "did you mean 'k'?"),
        (["check", "{spec}", "--set", "eps=-1"], "cannot be negative"),
        (["new", ""], "cannot be the name of a spec"),
        (["new", "a\nb"], "cannot be the name of a spec"),
        (["new", "nowhere/first"], "nowhere: there is no such folder"),
    ],
)
def test_bad_input_is_one_message(args, piece, spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*[a.replace("{spec}", spec) for a in args])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert piece in result.stderr
    assert "Traceback" not in result.stderr


# ------------------------------------------------------------------ new


def test_new(tmp_path, monkeypatch, calls):
    monkeypatch.chdir(tmp_path)
    result = run("new", "first")
    assert result.exit_code == 0
    assert "dpcomp derive first.toml" in result.stdout
    content = (tmp_path / "first.toml").read_bytes()
    assert run("derive", "first.toml").exit_code == 0
    assert [p.name for p in calls.asked[0]["problem"].parts] == ["counts", "total"]
    first = next(x for x in run("--help").stdout.splitlines() if "derive first.toml" in x)
    found = run(*shlex.split(first)[1:])
    assert found.exit_code == 0, found.stderr
    (tmp_path / "first.toml").write_text("mine", "utf-8")
    again = run("new", "first.toml")
    assert again.exit_code == 2
    assert again.stderr == "error: first.toml is there already; --force replaces it\n"
    assert (tmp_path / "first.toml").read_text("utf-8") == "mine"
    assert run("new", "first", "--force").exit_code == 0
    assert (tmp_path / "first.toml").read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["first.toml"]
    assert "try: dpcomp derive 'a first one.toml'" in run("new", "a first one").stdout


def test_new_leaves_nothing_behind_when_it_fails(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpcomp_sym.spec.new._place", full)
    result = run("new", str(tmp_path / "first"))
    assert (result.exit_code, result.stderr) == (2, "error: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ the program as a whole


def program(*args, **more):
    return subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", *args],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False, **more,
    )  # fmt: skip


@pytest.mark.parametrize("args", [[], ["derive"], ["check"], ["new"]])
def test_help_has_an_example(args):
    result = run(*args, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: dpcomp {' '.join(args)}".rstrip())
    assert "\n  dpcomp " in result.stdout.replace("    dpcomp", "  dpcomp")


def test_the_module_is_the_program():
    done = program("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: dpcomp [OPTIONS]")
    done = program("derive", "nothing.toml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: there is no file nothing.toml")


def test_help_loads_nothing_slow():
    script = (
        "import sys\nfrom dpcomp_sym.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'z3', 'sympy', 'networkx', 'jsonschema', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_terminal_without_greek_letters(spec_file):
    file = spec_file(SPEC.replace("A spec", "ε").replace("unbounded", "unbouned"))
    done = program("derive", file, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 2
    assert "did you mean" in done.stderr


# ------------------------------------------------------------------ the report


def test_vacuous_is_said_loudly():
    text = to_text({**DOCUMENT, "verdict": "vacuous", "vacuous": True})
    assert "VACUOUS. No two different databases are neighbours" in text
    assert "Bounds" not in text


def test_an_infinite_bound_is_said():
    bound = {**DOCUMENT["bounds"][0], "value": "inf", "exact": None, "text": "infinite"}
    text = to_text({**DOCUMENT, "bounds": [bound], "infinite": True})
    assert "= ∞" in text
    assert "No finite guarantee" in text


def test_a_distance_that_is_not_bounded_is_not_called_infinite():
    bound = {**DOCUMENT["bounds"][0], "value": "inf", "exact": None, "text": "inf"}
    document = {**DOCUMENT, "bounds": [bound], "infinite": True}
    assert "no number of edits always links" in to_text(document).replace("\n", " ")
    text = to_text({**document, "bounds": [{**bound, "known": False}]})
    assert "no bound was found for the distance" in text
    assert "links" not in text


def test_counterexamples_in_other_shapes():
    def shown(D, E, **more):
        condition = {
            "verdict": "refuted",
            "statement": "s",
            "counterexample": {"D": D, "D_prime": E, **more},
        }
        return to_text({"title": "t", "verdict": "x", "conditions": {"commutes": condition}})

    by_block = shown({"1": ["a", "a"], "2": []}, {"1": ["a"], "2": ["b"]}, k=2, X=["a", "b"])
    assert "1       a        2    1" in by_block
    assert "2       b        0    1" in by_block
    assert "k: 2" in by_block
    assert "X: a, b" in by_block
    assert "both are empty" in shown([], [])
    same = [{"id": f"r{n:02}", "vip": True} for n in range(99)]
    many = shown([*same, {"id": "z", "vip": False}], same)
    assert "id = z, vip = false    1    0" in many
    assert "… and 76 more records" in many


def test_colours_only_on_a_terminal(monkeypatch, capsys):
    from rich.console import Console

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    render(DOCUMENT, (), Console(force_terminal=True, width=80))
    assert "\x1b[1;32mproved" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    render(DOCUMENT, (), Console(force_terminal=True, width=80))
    assert "\x1b[1;32m" not in capsys.readouterr().out
    render(DOCUMENT)
    assert "\x1b" not in capsys.readouterr().out
