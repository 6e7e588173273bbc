"""Answers that are kept: found again by the same question alone, and never after a change."""

from __future__ import annotations

import importlib.metadata
import json
import multiprocessing
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

import dpcomp_sym as dp
from dpcomp_sym import cli, kept
from dpcomp_sym.kept import DAYS, Kept
from dpcomp_sym.limits import current

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
QUESTION = ("derive", "a spec", "k=3")
ANSWER = {"verdict": "proved", "bounds": [1, "2*ε", None], "lone": "\ud800"}


@pytest.fixture
def place(tmp_path):
    return tmp_path / "a folder" / "answers.sqlite"


def test_an_answer_is_found_again_by_its_question_alone(place):
    Kept(place).keep(QUESTION, ANSWER)
    assert Kept(place).find(QUESTION) == ANSWER
    for other in [QUESTION[:2], (*QUESTION, ""), ("derive", "a speck=3"), ("derivea spec", "k=3")]:
        assert Kept(place).find(other) is None


def test_another_program_finds_nothing(place, monkeypatch):
    Kept(place).keep(QUESTION, ANSWER)
    monkeypatch.setattr(kept, "fingerprint", lambda: "another")
    assert Kept(place).find(QUESTION) is None


def test_the_program_is_all_of_its_files(tmp_path, monkeypatch):
    def changed(text):
        (tmp_path / "inner").mkdir(exist_ok=True)
        (tmp_path / "inner" / "rules.py").write_text(text, encoding="utf-8")
        kept.fingerprint.cache_clear()
        return kept.fingerprint()

    monkeypatch.setattr(kept.resources, "files", lambda _: tmp_path)
    first = changed("2 * eps")
    assert changed("2 * eps") == first
    assert changed("3 * eps") != first
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "another")
    assert changed("2 * eps") != first
    kept.fingerprint.cache_clear()


CHANGES = {
    "answer": "UPDATE answers SET answer = '{}' WHERE question = :name",
    "digest": "UPDATE answers SET digest = '00' WHERE question = :name",
    "question": "UPDATE answers SET question = :other WHERE question = :name",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_no_answer(place, change):
    Kept(place).keep(QUESTION, ANSWER)
    with sqlite3.connect(place) as rows:
        names = {"name": Kept.name(QUESTION), "other": Kept.name(("third",))}
        changed = rows.execute(CHANGES[change], names)
        assert changed.rowcount == 1
    for question in (QUESTION, ("third",)):
        assert Kept(place).find(question) is None
    assert Kept(place).answer(QUESTION, lambda: "anew") == "anew"
    assert Kept(place).find(QUESTION) == "anew"


@pytest.mark.parametrize("content", [b"my thesis", b"SQLite format 3\0" + b"\1" * 200])
def test_a_file_of_something_else_stays_as_it_is(place, content):
    place.parent.mkdir()
    place.write_bytes(content)
    here = Kept(place)
    assert here.answer(QUESTION, lambda: "anew") == "anew"
    assert "nothing is kept for the next run" in here.trouble
    assert place.read_bytes() == content


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    here = Kept(tmp_path / "file" / "answers.sqlite")
    assert here.trouble
    assert here.answer(QUESTION, lambda: "anew") == "anew"


def test_what_nobody_asks_for_is_left_out(place, monkeypatch):
    today = kept._today()
    for back, question in ((DAYS + 2, "old"), (DAYS + 1, "used"), (0, "new")):
        monkeypatch.setattr(kept, "_today", lambda back=back: today - back)
        Kept(place).keep((question,), question)
        if question == "used":
            monkeypatch.setattr(kept, "_today", lambda: today - 1)
            assert Kept(place).find(("used",)) == "used"
    assert Kept(place).find(("old",)) is None
    assert Kept(place).find(("used",)) == "used"
    assert Kept(place).find(("new",)) == "new"


def test_an_answer_that_is_not_whole_is_not_kept(place):
    assert Kept(place).answer(QUESTION, lambda: "unknown", lambda: False) == "unknown"
    assert Kept(place).find(QUESTION) is None


def keep_many(place, number):
    for n in range(50):
        Kept(place).keep((str(number), str(n)), [number, n])


def test_several_programs_at_a_time(place):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=keep_many, args=(place, n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    here = Kept(place)
    assert all(here.find((str(a), str(b))) == [a, b] for a in range(3) for b in range(50))


# ------------------------------------------------------------------ the commands


@pytest.fixture
def dpcomp(place, monkeypatch):
    monkeypatch.setenv(kept.WHERE, str(place))

    def run(*arguments):
        return CliRunner().invoke(cli.main, list(arguments))

    return run


COMMANDS = [
    ("derive", str(EXAMPLES / "bounded-partition.toml"), "--set", "k=3", "--set", "eps=[1,2,3]"),
    ("derive", str(EXAMPLES / "ambulances.toml"), "--json"),
    ("derive", str(EXAMPLES / "ordered-insertion.toml")),
    ("relate", str(EXAMPLES / "bounded-partition.toml")),
    ("relate", str(EXAMPLES / "bounded-partition.toml"), "--granularity", "bounded", "--json"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:1] + c[2:]))
def test_a_command_says_the_same_again_without_asking(dpcomp, command, monkeypatch):
    first = dpcomp(*command)
    monkeypatch.setattr("dpcomp_sym.derivation.derive.derive", None)
    monkeypatch.setattr("dpcomp_sym.metrics.relate.compared", None)
    again = dpcomp(*command)
    assert (again.exit_code, again.output) == (first.exit_code, first.output)
    assert dpcomp(*command, "--fresh").exception is not None


def test_other_numbers_and_another_spec_are_other_questions(dpcomp, tmp_path):
    spec = tmp_path / "a.toml"
    text = (EXAMPLES / "ambulances.toml").read_text(encoding="utf-8")

    def bound(*options):
        document = json.loads(dpcomp("derive", str(spec), "--json", *options).output)
        return next(b for b in document["bounds"] if b["notion"] == "pure")["value"]

    spec.write_text(text, encoding="utf-8")
    numbers = ("--set", "k=4", "--set")
    assert [bound(*numbers, f"eps=[1,1,2,{n}]") for n in (3, 4, 3)] == [6, 7, 6]
    (tmp_path / "e.csv").write_text("1\n1\n2\n3\n", encoding="utf-8")
    from_file = ("--set", "k=4", "--set", f"eps=@{tmp_path / 'e.csv'}")
    assert bound(*from_file) == 6
    (tmp_path / "e.csv").write_text("1\n1\n2\n7\n", encoding="utf-8")
    assert bound(*from_file) == 10
    spec.write_text(text.replace('"unbounded"', '"bounded"', 1), encoding="utf-8")
    assert bound(*numbers, "eps=[1,1,2,3]") != 6


@pytest.mark.parametrize("command", ["derive", "relate"])
def test_a_spec_without_a_title_is_called_by_its_file(dpcomp, tmp_path, command):
    text = (EXAMPLES / "bounded-partition.toml").read_text(encoding="utf-8")
    for name in ("first", "second"):
        spec = tmp_path / f"{name}.toml"
        spec.write_text(text.partition("\n")[2], encoding="utf-8")
        assert dpcomp(command, str(spec)).output.startswith(f"{name}: ")


def test_what_was_given_up_is_asked_again(dpcomp, place):
    here = str(EXAMPLES / "swapped-items.toml")
    dpcomp("derive", here, "--timeout", "0.001")
    dpcomp("derive", here, "--time", "0.5")
    with sqlite3.connect(place) as rows:
        assert rows.execute("SELECT count(*) FROM answers").fetchone() == (0,)


def test_the_library_is_not_run_again(dpcomp, monkeypatch):
    first = dpcomp("theorems", "verify", "N2", "--jobs", "1")

    def broken(name, **_):
        raise AssertionError(name)

    monkeypatch.setattr("theorems._run.run", broken)
    again = dpcomp("theorems", "verify", "N2", "--jobs", "1")
    assert again.exit_code == first.exit_code == 0
    assert again.stdout == first.stdout
    assert "found by an earlier run" in again.stderr
    assert "found by an earlier run" not in first.stderr
    assert dpcomp("theorems", "verify", "N2", "--jobs", "1", "--fresh").exception is not None


def test_in_python_too(place, monkeypatch):
    monkeypatch.setenv(kept.WHERE, str(place))
    first = dp.order("unbounded", "bounded", over=dp.Domain(id="Record")).as_json()
    monkeypatch.setattr("dpcomp_sym.metrics.relations.Relations.distance", None)
    again = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
    assert again.as_json() == first
    for other in (dp.Domain(id="Record", cap=1), dp.Domain(id="Person")):
        with pytest.raises(TypeError):
            dp.order("unbounded", "bounded", over=other).as_json()


def test_in_python_what_was_given_up_is_asked_again(place, monkeypatch):
    monkeypatch.setenv(kept.WHERE, str(place))

    def unknown(_self):
        current().give_up("after 1 s")
        return {"verdict": "unknown"}

    monkeypatch.setattr("dpcomp_sym.metrics.relate.GranularityComparison.as_json", unknown)
    assert dp.order("bounded", over=dp.Domain(id="Record")).as_json() == {"verdict": "unknown"}
    with sqlite3.connect(place) as rows:
        assert rows.execute("SELECT count(*) FROM answers").fetchone() == (0,)


def test_it_can_be_turned_off(place, monkeypatch):
    monkeypatch.setenv(kept.WHERE, kept.OFF)
    assert kept.usual_place() is None
    monkeypatch.delenv(kept.WHERE)
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(place))
    assert kept.usual_place() == place / "dpcomp-sym" / "answers.sqlite"
