"""Composition theorems side by side: none is below the optimum, and the known ones come out."""

from __future__ import annotations

import random
from fractions import Fraction
from importlib.util import find_spec
from math import log, sqrt
from pathlib import Path

import pytest

from dpcomp_sym.derivation.accounting import answers, loss_distribution_epsilon, side_by_side
from dpcomp_sym.errors import InputError
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).parent.parent / "examples"
TARGET = Fraction(1, 1000)
PLD = "privacy loss distribution"


def said(text, *sets, target=TARGET):
    found = load_spec(text, sets).derive()
    return {one.theorem: one for one in answers(found.comparison, target)}


def membership(k, m, guarantee="pure = 'eps'"):
    return (
        f"[membership]\ndatabases = {k}\nrequire = 'total <= {m}'\n"
        f"[[part]]\nguarantee = {{ {guarantee} }}\n"
    )


@pytest.mark.in_turn
def test_no_theorem_is_below_the_optimum():
    rng = random.Random(4)
    for _ in range(12):
        k = rng.randint(1, 8)
        eps = [str(Fraction(rng.randint(1, 20), 40)) for _ in range(k)]
        delta = [str(Fraction(rng.randint(0, 3), 10**5)) for _ in range(k)]
        text = membership(k, rng.randint(1, k), "approximate = ['eps', 'delta']")
        sets = (f"eps=[{', '.join(eps)}]", f"delta=[{', '.join(delta)}]")
        found = said(text, *sets)
        low = load_spec(text, sets).derive().comparison.epsilon(TARGET).low
        for one in found.values():
            if one.epsilon is not None:
                slack = 0 if one.exact else 1e-6
                assert float(one.epsilon) >= float(low) - slack, one.theorem


def test_equal_pure_parts_by_the_formulas():
    m, eps, x = 100, 0.1, float(TARGET)
    found = said(membership(400, m), "eps=0.1")
    rho = m * eps**2 / 2
    published = found["through zero-concentrated privacy, as published"].epsilon
    assert float(published) == pytest.approx(rho + 2 * sqrt(rho * log(1 / x)))
    assert found["through zero-concentrated privacy"].epsilon < published
    assert found["parallel composition"].epsilon == 10 == found["basic composition"].epsilon
    renyi, zcdp = (found[f"through {n} privacy"].epsilon for n in ("Rényi", "zero-concentrated"))
    assert found["optimal composition"].epsilon < renyi < zcdp
    assert 0 < found["through Gaussian privacy"].epsilon < published


def test_parallel_composition_takes_the_largest_of_all():
    found = said(membership(5, 2), "eps=[1, 2, 3, 4, 5]")
    assert found["parallel composition"].epsilon == 10
    assert found["basic composition"].epsilon == 9
    mixed = said(membership(3, 2, "approximate = ['eps', 'delta']"), "eps=[1, 2, 3]", "delta=1e-6")
    assert mixed["parallel composition"].epsilon == 6


def test_a_target_below_the_deltas_of_the_parts():
    found = said(membership(3, 3, "approximate = ['eps', 'delta']"), "eps=1", "delta=0.01")
    assert found["through Rényi privacy"].epsilon is None
    assert found["parallel composition"].epsilon is None
    assert "leave nothing" in found["parallel composition"].why
    assert found["optimal composition"].epsilon is None


def test_all_databases_are_set_beside_those_that_count():
    result = load_spec(membership(6, 2), ["eps=1/2"]).derive()
    document = side_by_side(result, TARGET)
    table = {one["theorem"]: one["epsilon"] for one in document["theorems"]}
    assert table["every database, basic composition"] == 3
    assert table["basic composition"] == 1
    assert table["every database, optimal composition"] > table["optimal composition"]


def test_nothing_to_compare():
    result = load_spec(membership(6, 2)).derive()
    with pytest.raises(InputError, match="positive δ"):
        side_by_side(result)


if find_spec("dp_accounting") is not None:

    def test_dp_accounting_agrees():
        rng = random.Random(9)
        for _ in range(4):
            k = rng.randint(2, 6)
            eps = [Fraction(rng.randint(1, 20), 20) for _ in range(k)]
            sets = [f"eps=[{', '.join(map(str, eps))}]"]
            result = load_spec(membership(k, k), sets).derive()
            found = result.comparison.epsilon(TARGET)
            near = loss_distribution_epsilon([(e, Fraction(0), 1) for e in eps], TARGET)
            assert float(found.low) - 1e-9 <= near <= float(found.high) + k * 1e-5 + 1e-9

    def test_dp_accounting_on_a_nested_composition():
        """Parallel blocks inside a sequence: the worst block, and what reads everything."""
        sets = ["eps_mean=[1/10, 1/5]", "eps_count=[3/10, 1/10]", "eps_all=1/4"]
        text = (EXAMPLES / "nested.toml").read_text()
        pure = "\n".join(
            line.split(", zcdp")[0] + " }" if "zcdp" in line else line for line in text.splitlines()
        )
        found = said(pure, *sets)
        eps = [Fraction(1, 10), Fraction(3, 10), Fraction(1, 4)]
        alone = loss_distribution_epsilon([(e, Fraction(0), 1) for e in eps], TARGET)
        assert found[PLD].epsilon == pytest.approx(alone)
        assert found["optimal composition"].epsilon == pytest.approx(alone, abs=1e-4)

else:

    def test_without_dp_accounting_its_answer_says_what_is_missing():
        assert "accounting" in said(membership(3, 1), "eps=1")[PLD].why
        with pytest.raises(InputError, match="dp-accounting"):
            loss_distribution_epsilon([], TARGET)


def test_the_worst_two_of_four_depend_on_the_target():
    """HBW.V-A.1: {1, 2} at ε′ = 0 and {1, 3} at ε′ = 1/2, by the exact δ of each pair."""
    parts = [("1", "0"), ("1/5", "1/20"), ("9/10", "1/100"), ("1/2", "3/100")]

    def most(chosen, at):
        eps, delta = (", ".join(p[n] for p in chosen) for n in (0, 1))
        text = membership(len(chosen), 2, "approximate = ['eps', 'delta']")
        found = load_spec(text, [f"eps=[{eps}]", f"delta=[{delta}]"]).derive()
        return found.comparison.at_epsilon(at).optimal

    for at, worst in ((Fraction(0), (0, 1)), (Fraction(1, 2), (0, 2))):
        whole = most(parts, at)
        pairs = {(i, j): most([parts[i], parts[j]], at) for i in range(4) for j in range(i + 1, 4)}
        assert max(pairs, key=lambda pair: pairs[pair].low) == worst
        assert pairs[worst].low <= whole.high
        assert whole.low <= pairs[worst].high
        assert whole.high - pairs[worst].low < Fraction(1, 10**6)
