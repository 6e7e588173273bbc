"""Refuted claims: coqc accepts the files, and rejects those that say too much."""

from __future__ import annotations

from functools import cache

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.claims import refute
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq import REFUTED, check, refutation_file
from dpcomp_sym.rocq.coqc import EXPECTED
from dpcomp_sym.spec import load_spec
from tests.rocq.certified import EXAMPLES

CLAIMS = {
    "ambulances": "max(eps[i])",
    "bounded-partition-common": "max(eps[i])",
    "bounded-partition-unbounded-parts": "max(eps[i])",
    "graph-edge-incident": "max(eps[i])",
    "household-moves": "max(eps[i])",
    "label-dp": "max(eps[i])/2",
    "nested": "eps_all",
    "one-sided": "max(eps[i])",
    "query-and-partition": "eps0",
    "table-cell-views": "max(eps[i])",
    "tree-any-arity": "max(eps[i,j])",
    "user-level-limited": "max(eps[i])",
}
"""Too small claims: covers, both settings, directions, two steps, frames, labels, two indices."""


@cache
def refuted(name, claim):
    decision = refute(load_spec(EXAMPLES[name], ()), claim)
    return decision.derivation.problem, decision.counterexample.data


@pytest.mark.rocq
@pytest.mark.parametrize("name", CLAIMS)
def test_coqc_accepts_that_a_claim_is_too_small(name):
    text = refutation_file(*refuted(name, CLAIMS[name]))
    statement = text.partition("(* ==== DATABASES")[0]
    assert len(statement.splitlines()) < 80
    answer = check(text, REFUTED)
    assert answer.accepted, answer.message
    assert set(answer.axioms) <= EXPECTED


WRONG = {
    "a claim that holds": ("worst 1 (range k_)", "worst 2 (range k_)"),
    "more blocks of a record than there may be": ("(Z.to_nat 3))%nat.", "(Z.to_nat 1))%nat."),
    "records that are not counted": ("put c x_ 1)", "put c x_ 2)"),
    "neighbours that do not differ": ("Definition other : db cell := listed [((mk 0), 1)]",
                                      "Definition other : db cell := listed []"),
}  # fmt: skip


@pytest.mark.rocq
@pytest.mark.parametrize("what", WRONG)
def test_coqc_rejects_a_wrong_refutation(what):
    old, new = WRONG[what]
    text = refutation_file(*refuted("ambulances", CLAIMS["ambulances"]))
    assert old in text, text
    assert not check(text.replace(old, new), REFUTED).accepted


def test_what_has_no_words_is_refused():
    with pytest.raises(UnwrittenError, match="counts by an image"):
        refutation_file(*refuted("histogram", "eps"))
    with pytest.raises(UnwrittenError, match="distinct values is not written in refutations"):
        refutation_file(*refuted("users-in-teams", "max(eps[i])"))
    problem, data = refuted("ambulances", CLAIMS["ambulances"])
    with pytest.raises(UnwrittenError, match="not about eps-DP"):
        refutation_file(problem, {**data, "notion": "zcdp"})


def test_the_command_writes_the_file_only_where_a_claim_is_refuted(tmp_path, monkeypatch):
    monkeypatch.setattr("dpcomp_sym.rocq.coqc.shutil.which", lambda _: None)
    place, spec = tmp_path / "no.v", str(EXAMPLES["ambulances"])
    command = ["refute", spec, "--rocq", str(place), "--claim"]
    result = CliRunner().invoke(cli.main, [*command, "max(eps[i])"])
    assert result.exit_code == 1
    assert "written, not checked" in result.stderr
    assert "Theorem refuted : refutation." in place.read_text(encoding="utf-8")
    place.unlink()
    result = CliRunner().invoke(cli.main, [*command, "top(3, eps)"])
    assert result.exit_code == 0
    assert "nothing is refuted" in result.stderr
    assert not place.exists()
