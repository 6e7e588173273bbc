"""Several specs in one call of derive: the answers are those of single calls."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dpcomp_sym.spec import Spec
from dpcomp_sym.surface.schemas import result_schema
from tests.command import dpcomp
from tests.shares import shared

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NAMES = [
    str(EXAMPLES / f"{name}.toml")
    for name in ("ambulances", "bounded-partition", "own-granularity")
]


def started(*arguments):
    """The program in a process of its own: the solver's models depend on what it was asked."""
    command = [sys.executable, "-m", "dpcomp_sym", "derive", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def wrong(tmp_path):
    place = tmp_path / "wrong.toml"
    place.write_text('granularity = "unboundd"\n[domain]\nattributes = { id = "R" }\n', "utf-8")
    return str(place)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "jobs", shared(1, [["--jobs", "2"], []]), ids=["two at a time", "one at a time"]
)
def test_the_answers_are_those_of_single_calls_in_the_order_given(jobs):
    names = [*NAMES, NAMES[0]]
    done = started(*names, "--json", *jobs)
    assert (done.returncode, done.stderr) == (0, "")
    alone = [json.loads(started(name, "--json").stdout) for name in names]
    assert json.loads(done.stdout) == alone


def test_answers_that_were_kept_serve_one_spec_and_many(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCOMP_KEPT", str(tmp_path / "answers.sqlite"))
    alone = [json.loads(dpcomp("derive", name, "--json").stdout) for name in NAMES[:1]]
    first = dpcomp("derive", *NAMES[:2], "--json")

    def fails(*_):
        raise AssertionError("asked again")

    monkeypatch.setattr("dpcomp_sym.cli.several._Copy", fails)
    monkeypatch.setattr("dpcomp_sym.cli.several._answered", fails)
    again = dpcomp("derive", *NAMES[:2], "--json")
    assert again.stdout == first.stdout
    assert json.loads(again.stdout)[:1] == alone
    monkeypatch.setattr("dpcomp_sym.cli.derive.derivation", fails)
    found = dpcomp("derive", NAMES[1], "--json")  # what a call about many has kept
    assert json.loads(found.stdout) == json.loads(first.stdout)[1]


@pytest.mark.long
def test_the_text_has_a_heading_for_each_spec():
    done = started(*NAMES[:2])
    alone = [started(name).stdout for name in NAMES[:2]]
    assert done.stdout == "\n".join(
        f"==> {name} <==\n\n{text}" for name, text in zip(NAMES, alone, strict=False)
    )


@pytest.mark.parametrize(
    "jobs", shared(1, [["--jobs", "2"], []]), ids=["two at a time", "one at a time"]
)
def test_a_spec_that_cannot_be_used_does_not_lose_the_others(wrong, jobs):
    names = [NAMES[0], wrong, "none.toml", NAMES[1]]
    done = dpcomp("derive", *names, "--json", *jobs)
    assert done.returncode == 2
    first, unreadable, missing, last = found = json.loads(done.stdout)
    assert (first["title"][:10], last["verdict"]) == ("Ambulances", "proved")
    assert unreadable["spec"] == wrong
    assert "did you mean 'unbounded'" in unreadable["error"]
    assert missing["error"].startswith("there is no file none.toml")
    assert done.stderr.splitlines() == [
        f"error: {unreadable['error']}",
        f"error: {missing['error']}",
    ]
    validator = Draft202012Validator(result_schema("derivations"))
    assert not list(validator.iter_errors(found))
    assert list(validator.iter_errors([{"schema": "dpcomp/1", "spec": wrong}]))


def test_numbers_are_given_to_each_and_a_spec_that_has_no_such_name_is_named(tmp_path):
    other = tmp_path / "other.toml"
    part = '[[part]]\nguarantee = { pure = "eta" }\n'
    other.write_text(Path(NAMES[0]).read_text("utf-8").replace("[[part]]\n", part), "utf-8")
    done = dpcomp("derive", NAMES[0], str(other), "--set", "k=2", "--set", "eps=[1, 3]", "--json")
    first, second = json.loads(done.stdout)
    assert first["bounds"][0]["exact"] == "4"
    assert str(other) in second["error"]
    assert "eps" in second["error"]
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("option", "name"),
    [("--latex", "a.tex"), ("--latex-fragment", "a.tex"), ("--html", "a.html"),
     ("--certificate", "a.json"), ("--rocq", "a.v"), ("--bibtex", "a.bib"), ("--curve", "a.svg"),
     ("--columns", "2"), ("--detail", "proof")],
)  # fmt: skip
def test_a_file_of_one_answer_is_refused_before_any_work(option, name, tmp_path):
    value = name if option in {"--columns", "--detail"} else str(tmp_path / name)
    done = dpcomp("derive", *NAMES[:2], option, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{option} is about a file of one answer, and there are 2 specs" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_standard_input_is_one_of_them_once():
    text = Path(NAMES[0]).read_text("utf-8")
    done = dpcomp("derive", NAMES[1], "-", "--json", "--jobs", "2", given=text)
    assert [one["title"][:10] for one in json.loads(done.stdout)] == ["Bounded ne", "Ambulances"]
    twice = dpcomp("derive", "-", NAMES[1], "-", given=text)
    assert (twice.returncode, twice.stdout) == (2, "")
    assert "name '-' once" in twice.stderr


@pytest.mark.long
def test_each_spec_has_its_share_of_the_time():
    done = dpcomp("derive", *NAMES, "--json", "--time", "0.003")
    found = json.loads(done.stdout)
    assert [one["verdict"] for one in found] == ["unknown"] * 3
    assert done.returncode == 3
    assert dpcomp("derive", *NAMES, "none.toml", "--time", "0.003").returncode == 2
    enough = dpcomp("derive", *NAMES, "--json", "--time", "60")
    assert [one["verdict"] for one in json.loads(enough.stdout)] == ["proved"] * 3


def _ends(how):
    def derive(self):
        if "hospitals" in self.title:
            how()
        return derived(self)

    derived = Spec.derive
    return derive


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("how", "status", "said"),
    [(lambda: os.kill(os.getpid(), signal.SIGKILL), 70, "the process was ended by SIGKILL"),
     (lambda: {}["a key"], 70, "went wrong inside dpcomp (KeyError: 'a key'"),
     (lambda: bytearray(1 << 62), 3, "there was not enough memory")],
    ids=["killed", "a fault", "no memory"],
)  # fmt: skip
def test_a_process_that_ends_does_not_lose_the_others(how, status, said, monkeypatch):
    monkeypatch.setattr(Spec, "derive", _ends(how))
    done = dpcomp("derive", *NAMES[:2], "--json")
    lost, kept = json.loads(done.stdout)
    assert (done.returncode, kept["verdict"]) == (status, "proved")
    assert NAMES[0] in lost["error"]
    assert said in lost["error"]
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_where_processes_are_not_copied_the_answers_come_one_after_another(monkeypatch, wrong):
    monkeypatch.delattr(os, "fork")
    done = dpcomp("derive", NAMES[0], wrong, NAMES[1], "--json", "--jobs", "2")
    assert done.returncode == 2
    assert [one.get("verdict") for one in json.loads(done.stdout)] == ["proved", None, "proved"]
