"""The options of the command line: what they write, print and return."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli, rocq
from dpcomp_sym.atlas import atlas, default_table
from dpcomp_sym.rocq import coqc
from tests.rocq.certified import EXAMPLES

SPEC = str(EXAMPLES["unbounded-partition"])


def run(*arguments):
    return CliRunner().invoke(cli.main, [str(a) for a in arguments])


@pytest.fixture
def absent(monkeypatch):
    monkeypatch.setattr(coqc.shutil, "which", lambda _: None)


@pytest.mark.usefixtures("absent")
def test_without_coqc_the_file_is_written_and_not_checked(tmp_path):
    place = tmp_path / "F.v"
    result = run("derive", SPEC, "--rocq", place)
    assert result.exit_code == 0
    assert "coqc is not installed here" in result.stderr
    assert place.read_text(encoding="utf-8").startswith("(* ==== STATEMENT")


@pytest.mark.usefixtures("absent")
def test_without_coqc_verify_does_not_say_that_rocq_has_checked(tmp_path):
    place = tmp_path / "c.json"
    assert run("derive", SPEC, "--certificate", place).exit_code == 0
    result = run("verify", place, "--rocq")
    assert result.exit_code == 3
    assert "Rocq: coqc is not installed here: nothing was checked" in result.stdout


def test_what_has_no_words_is_refused_with_the_reason_and_nothing_is_written(tmp_path):
    place, other = tmp_path / "F.v", tmp_path / "c.json"
    result = run("derive", EXAMPLES["mixed-notions"], "--rocq", place, "--certificate", other)
    assert result.exit_code == 3
    assert (
        "no file for Rocq, and none of the others: part counts has no guarantee of this notion"
        in result.stderr
    )
    assert not place.exists()
    assert not other.exists()


def test_a_spec_of_another_kind_has_no_file(tmp_path):
    spec = EXAMPLES["histogram"].parent / "uncertain" / "survey.toml"
    result = run("derive", spec, "--rocq", tmp_path / "F.v")
    assert result.exit_code == 2
    assert "--rocq is for derivations" in result.stderr


@pytest.mark.rocq
def test_a_file_is_written_checked_compared_and_refused(tmp_path):
    place, file = tmp_path / "c.json", tmp_path / "F.v"
    written = run("derive", SPEC, "--certificate", place, "--rocq", file)
    assert written.exit_code == 0
    assert written.stderr == ""
    anew = run("verify", place, "--rocq", "--json")
    assert anew.exit_code == 0
    answer = json.loads(anew.stdout)["rocq"]
    assert answer["verdict"] == "proved"
    assert set(answer["axioms"]) <= rocq.coqc.EXPECTED
    given = run("verify", place, "--rocq-file", file)
    assert given.exit_code == 0
    assert "Rocq: coqc accepts the proof" in given.stdout
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("put c x_ 1)", "put c x_ 2)"), encoding="utf-8")
    wrong = run("verify", place, "--rocq-file", file)
    assert wrong.exit_code == 1
    assert "its statement differs from line" in wrong.stdout
    file.write_text(text.replace("Lemma cost_pos t : (0", "Lemma cost_pos t : (1"), "utf-8")
    broken = run("verify", place, "--rocq-file", file)
    assert broken.exit_code == 1
    assert "coqc does not accept the proof" in broken.stdout


@pytest.mark.rocq
def test_an_example_that_is_not_accepted_does_not_hide_the_proof(tmp_path):
    file = tmp_path / "F.v"
    assert run("derive", SPEC, "--rocq", file).exit_code == 0
    text = file.read_text(encoding="utf-8")
    wrong = text.replace(
        "Definition one (c : cell) : Z := ", "Definition one (c : cell) : Z := 2 + "
    )
    assert wrong != text
    assert not rocq.check(wrong).accepted
    plain, answer = rocq.check_either(wrong)
    assert answer.holds
    assert "Possible" not in plain


@pytest.mark.rocq
def test_the_atlas_has_a_tick_where_coqc_accepts_the_proof():
    found = atlas(default_table().slice(["bounded"], ["partition"]), rocq=True)
    assert [one["rocq"]["checked"] for one in found.answers] == [False, True]
