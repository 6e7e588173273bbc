"""Zero-concentrated and Gaussian bounds at one δ or ε."""

import json
import math
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcomp_sym import derive, load_spec
from dpcomp_sym.cli import main
from dpcomp_sym.notions.points import (
    concentrated_delta,
    concentrated_epsilon,
    gaussian_delta,
    gaussian_epsilon,
)
from dpcomp_sym.numbers import zcdp_epsilon
from dpcomp_sym.optimal.readings import readings

QUERIES = Path(__file__).parents[2] / "examples" / "hundred-queries.toml"
rhos = st.fractions(min_value=Fraction(1, 1000), max_value=20, max_denominator=1000)
deltas = st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(1, 2))


@settings(max_examples=40, deadline=None)
@given(rho=rhos, delta=deltas)
def test_a_reading_is_between_the_gaussian_mechanism_and_the_simple_formula(rho, delta):
    """Normal noise with μ = √(2ρ) is ρ-zCDP, and its curve is exact: nothing less is possible."""
    found = concentrated_epsilon(rho, delta)
    least = zcdp_epsilon(rho, delta)
    assert found >= least
    assert least <= rho + 2 * math.sqrt(rho * math.log(1 / delta)) * (1 + 1e-9)
    assert float(found) <= float(least) * (1 + 1e-3) + 1e-9
    assert gaussian_delta(Fraction(math.sqrt(2 * rho)), found) <= float(delta) * (1 + 1e-9)
    back = concentrated_delta(rho, found)
    assert float(back) <= float(delta) * (1 + 1e-5)
    assert gaussian_delta(Fraction(math.sqrt(2 * rho)), found) <= float(back) * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(mu=rhos, delta=deltas)
@example(mu=Fraction(948, 529), delta=Fraction(153, 20960000000))
def test_the_curve_and_its_inverse(mu, delta):
    eps = gaussian_epsilon(mu, delta)
    assert gaussian_delta(mu, eps) <= delta
    assert eps == 0 or gaussian_delta(mu, eps * (1 - Fraction(1, 10**11))) > delta


@pytest.mark.parametrize("mu", [Fraction(1, 2), Fraction(948, 529), Fraction(6)])
@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 10**8), Fraction(1, 10**14)])
def test_the_curve_is_precise_where_little_is_left(mu, delta):
    """Against the same formula with forty digits."""
    eps = gaussian_epsilon(mu, delta)
    with mpmath.workdps(40):
        m, e = (
            mpmath.mpf(mu.numerator) / mu.denominator,
            mpmath.mpf(eps.numerator) / eps.denominator,
        )
        exact = mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)
        assert gaussian_delta(mu, eps) == pytest.approx(float(exact), rel=1e-14)


def test_nothing_is_lost_at_rho_zero():
    assert concentrated_epsilon(Fraction(0), Fraction(1, 10)) == 0
    assert concentrated_delta(Fraction(0), Fraction(0)) == 0
    assert concentrated_delta(Fraction(20), Fraction(0)) == 1


def test_a_hundred_queries():
    target = Fraction(1, 10**6)
    (zcdp,) = readings(load_spec(QUERIES, ["k=100", "rho=1/200"]).derive().bounds, target, None)
    assert float(zcdp.value) == pytest.approx(5.22153, abs=1e-4)
    at, _ = readings(load_spec(QUERIES, ["k=100", "mu=1/10"]).derive().bounds, target, Fraction(1))
    assert float(at.value) == pytest.approx(4.8866, abs=1e-3)
    cdf = NormalDist().cdf
    exact = cdf(-1 + 1 / 2) - math.e * cdf(-1 - 1 / 2)
    assert float(_.value) == pytest.approx(exact)


def test_no_reading_without_a_finite_number():
    target = Fraction(1, 10**6)
    assert readings(derive(load_spec(QUERIES).problem).bounds, target, None) == []
    spec = load_spec(QUERIES.with_name("bounded-partition.toml"), ["k=2", "rho=1"])
    assert readings(spec.derive().bounds, target, None) == []


def test_the_command_line_shows_them(capsys):
    numbers = ["--set", "k=100", "--set", "rho=1/200", "--at-delta", "1e-6"]
    with pytest.raises(SystemExit) as done:
        main(["derive", str(QUERIES), *numbers, "--json"])
    assert done.value.code == 0
    (row,) = json.loads(capsys.readouterr().out)["comparison"]["readings"]
    assert (row["notion"], row["at"], row["target"]) == ("zcdp", "delta", 1e-6)
    assert row["value"] == pytest.approx(5.22153, abs=1e-4)
    assert row["rigorous"] is True
    with pytest.raises(SystemExit):
        main(["derive", str(QUERIES), *numbers])
    assert "zero-concentrated (ρ): ε at δ = 1e-06" in capsys.readouterr().out
