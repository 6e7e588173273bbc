"""Proofs of questions: cvc5 writes one for each, and a checker that is installed reads them."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.certificates.write import write
from dpcomp_sym.smt import proofs
from dpcomp_sym.smt.solvers import ProvingSolver

IMPOSSIBLE = (
    "(set-logic ALL)\n(declare-fun n () Int)\n(assert (< n 0))\n(assert (> n 1))\n(check-sat)\n"
)
POSSIBLE = IMPOSSIBLE.replace("(< n 0)", "(< n 9)")


@pytest.fixture
def checker(tmp_path, monkeypatch):
    """Return what installs a checker with a given answer; it notes what it is asked."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    rules = tmp_path / "Cpc.eo"
    rules.write_text("; rules\n", encoding="utf-8")

    def install(answer, status=0):
        place = tmp_path / "ethos"
        text = f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\necho "{answer}"\nexit {status}\n'
        place.write_text(text, encoding="utf-8")
        place.chmod(0o755)
        return rules

    return install


def verify(library, tmp_path, *arguments):
    place = tmp_path / "c.json"
    write(library.certificate("unbounded-partition"), place)
    return CliRunner().invoke(cli.main, ["verify", str(place), *map(str, arguments)])


def test_each_question_has_a_proof_beside_its_script(library, tmp_path):
    folder = tmp_path / "proofs"
    result = verify(library, tmp_path, "--proofs", folder, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    number = len(found["questions"])
    assert found["proofs"]["verdict"] == "proved"
    assert (found["proofs"]["questions"], found["proofs"]["missing"]) == (number, [])
    assert found["proofs"]["checked"] is False
    names = sorted(p.name for p in folder.iterdir())
    assert names == sorted(f"{n:03}.{end}" for n in range(1, number + 1) for end in ("smt2", "cpc"))
    for proof in folder.glob("*.cpc"):
        text = proof.read_text(encoding="utf-8")
        asserted = proof.with_suffix(".smt2").read_text(encoding="utf-8").count("(assert ")
        assert 0 < text.count("(assume @") <= asserted
        assert "false" in text.splitlines()[-1]


def test_without_a_checker_the_answer_says_that_nothing_was_checked(library, tmp_path):
    result = verify(library, tmp_path, "--proofs", tmp_path / "proofs")
    assert result.exit_code == 0
    assert "no checker was asked" in " ".join(result.stdout.split())


def test_a_checker_reads_rules_script_and_proof(library, tmp_path, checker):
    rules = checker("correct")
    result = verify(library, tmp_path, "--proofs", tmp_path / "proofs", "--calculus", rules)
    assert result.exit_code == 0
    assert "ethos accepts" in " ".join(result.stdout.split())
    first = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()[0]
    assert "--require-proof-of-false" in first
    assert f"--include={rules}" in first
    assert f"--reference={tmp_path / 'proofs' / '001.smt2'}" in first


@pytest.mark.in_turn
@pytest.mark.parametrize(("answer", "status"), [("incomplete", 0), ("correct", 1), ("", 0)])
def test_what_a_checker_does_not_accept_is_no_proof(library, tmp_path, checker, answer, status):
    rules = checker(answer, status)
    result = verify(library, tmp_path, "--proofs", tmp_path / "p", "--calculus", rules, "--json")
    assert result.exit_code == 3
    found = json.loads(result.stdout)
    assert found["verdict"] == "proved"
    assert found["proofs"]["verdict"] == "unknown"
    assert len(found["proofs"]["rejected"]) == found["proofs"]["questions"]


def test_a_script_that_is_possible_has_no_proof_and_an_old_one_is_gone(tmp_path):
    (tmp_path / "002.cpc").write_text("an old proof", encoding="utf-8")
    found = proofs.prove([IMPOSSIBLE, POSSIBLE], tmp_path)
    assert found.missing == (2,)
    assert found.verdict == "unknown"
    assert "1 of 2 questions (none for 2)" in found.text
    assert not (tmp_path / "002.cpc").exists()


def test_without_cvc5_or_checker_it_is_said(library, tmp_path, monkeypatch, checker):
    rules = checker("correct")
    (tmp_path / "ethos").unlink()
    monkeypatch.setattr(proofs.shutil, "which", lambda _: None)
    folder = tmp_path / "proofs"
    result = verify(library, tmp_path, "--proofs", folder, "--calculus", rules)
    assert result.exit_code == 2
    assert "ethos is not installed" in result.stderr
    monkeypatch.setattr(ProvingSolver, "installed", classmethod(lambda _: False))
    result = verify(library, tmp_path, "--proofs", folder)
    assert result.exit_code == 3
    assert "no proofs were written" in " ".join(result.stdout.split())


def test_rules_without_proofs_are_an_error(library, tmp_path):
    result = verify(library, tmp_path, "--calculus", tmp_path / "Cpc.eo")
    assert result.exit_code == 2
    result = verify(library, tmp_path, "--proofs", tmp_path / "p", "--calculus", tmp_path / "none")
    assert result.exit_code == 2
    assert "no file with the rules" in result.stderr
