"""Two hypotheses in a spec: the exact ε and δ, against formulas, definitions and bad input."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log
from pathlib import Path

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.report.text import to_text
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "membership"


def told(databases, hypotheses, *sets, guarantee="pure = 'eps'"):
    spec = (
        f"[membership]\ndatabases = {databases}\nhypotheses = {hypotheses}\n"
        f"[[part]]\nguarantee = {{ {guarantee} }}\n"
    )
    return load_spec(spec, sets).derive().choice.get("hypotheses")


NONE_OR_SOME = "['total == 0', 'total >= 1']"


@pytest.mark.parametrize("k", [1, 2, 10, 40])
def test_none_against_some_is_the_closed_form(k):
    low, high = told(k, NONE_OR_SOME, "eps=1/2")["epsilon"]
    wanted = k * log((1 + exp(0.5)) / 2) + log((1 - (1 + exp(0.5)) ** -k) / (1 - 2.0**-k))
    assert low <= high < low + 1e-12
    assert low == pytest.approx(wanted)


def test_unequal_parts_and_single_databases_by_the_definition():
    eps = [1.0, 2.0, 0.5]
    hypotheses = "['total < 2', 'databases(1) == 1 and total >= 2']"
    low, high = told(3, hypotheses, "eps=[1, 2, 1/2]")["epsilon"]
    vectors = list(product((0, 1), repeat=3))
    laws = [
        [b for b in vectors if sum(b) < 2],
        [b for b in vectors if b[0] == 1 and sum(b) >= 2],
    ]

    def chance(view, law):
        total = 0.0
        for b in law:
            p = 1 / len(law)
            for e, x, y in zip(eps, b, view, strict=True):
                p *= exp(e * (x == y)) / (1 + exp(e))
            total += p
        return total

    ratios = [chance(y, laws[0]) / chance(y, laws[1]) for y in vectors]
    wanted = max(abs(log(r)) for r in ratios)
    assert low == pytest.approx(wanted)
    assert high == pytest.approx(wanted)


def test_delta_of_an_uninformed_adversary():
    """At ε = 0 with δ alone: the views that give some database away, of the allowed ones."""
    found = told(1, NONE_OR_SOME, "eps=0", "delta=1/5", guarantee="approximate = ['eps', 'delta']")
    assert found["epsilon"] == "inf"
    assert found["deltas"][0]["delta"] == [pytest.approx(0.2)] * 2


def test_numbers_may_come_later():
    assert told("'k'", NONE_OR_SOME) is None


@pytest.mark.parametrize(
    ("databases", "hypotheses", "sets", "message"),
    [
        (3, "['total == 0', 'total == 4']", ["eps=1"], "satisfies 'total == 4'"),
        (3, "['total == 0']", ["eps=1"], "two formulas"),
        (3, "['total == 0', 'totl == 1']", ["eps=1"], "totl"),
        (17, NONE_OR_SOME, ["eps=1/i"], "too many"),
    ],
)
def test_bad_hypotheses(databases, hypotheses, sets, message):
    with pytest.raises(InputError, match=message):
        told(databases, hypotheses, *sets)


def test_the_example_tells_less_than_the_worst_pair():
    found = load_spec(EXAMPLES / "uninformed.toml").derive()
    (low, high) = found.choice["hypotheses"]["epsilon"]
    assert low <= high < found.bounds[0].value == 5
    assert Fraction(28102, 10000) < Fraction(high) < Fraction(28103, 10000)
    assert "ε = 2.81022" in to_text(found.as_json())
