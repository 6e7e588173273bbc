"""Random claims: true ones are never refuted, false ones never proved."""

from __future__ import annotations

import pytest

from dpcomp_sym.claims.decision import Decision
from tests.claims import campaign
from tests.claims.campaign import main, try_problem


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [17, 19, 24, 33, 36, 37, 3, 6, 7, 9])
def test_random_claims_about_built_ins(seed: int) -> None:
    outcome = try_problem(seed, 20, built_in=True)
    assert outcome.findings == []
    assert outcome.verdicts["proved"] + outcome.verdicts["refuted"] >= 15


def test_the_cases_are_not_all_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--built-in", "--count", "3", "--seed", "17", "--claims", "6"]) == 0
    said = capsys.readouterr().out
    assert "'proved'" in said
    assert "'refuted'" in said
    assert said.endswith("0 disagreements\n")


def test_a_wrong_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everything were called proved, the search would find what loses more."""

    def wrong(_spec, claim, derivation) -> Decision:
        return Decision(claim, "proved", derivation)

    monkeypatch.setattr(campaign, "decided", wrong)
    findings = [f for seed in (17, 19, 33) for f in try_problem(seed, 12, built_in=True).findings]
    assert any("proved, but" in f for f in findings)


def test_a_refuted_truth_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_spec, claim, derivation) -> Decision:
        return Decision(claim, "refuted", derivation)

    monkeypatch.setattr(campaign, "decided", wrong)
    findings = try_problem(17, 12, built_in=True).findings
    assert any("weakens the bound" in f for f in findings)
    assert any("without a counterexample" in f for f in findings)
