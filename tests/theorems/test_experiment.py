"""The composition experiment: adversaries, Bayes factors, who is where, and many rounds."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from dpcomp_sym.hypothesis import largest_ratio, response, uniform, views
from dpcomp_sym.spec import load_spec
from tests.theorems.test_papers import EXAMPLES
from theorems import _run, experiment
from theorems._entry import Fallen, status_of


@pytest.mark.parametrize("row", ["HBW.II-A", "HBW.III-A.1", "HBW.III-A.2", "HBW.Def3"])
def test_the_section_on_the_experiment_is_met(row):
    assert any(e.body.__module__ == "theorems.experiment" for e in _run.select([row]).values())


@pytest.mark.parametrize(("size", "least"), [(1, 1), (3, 2), (4, 1), (4, 4)])
def test_at_least_so_many_databases_against_all_views(size, least):
    few, many = (
        uniform(size, lambda b, more=more: (sum(b) >= least) == more) for more in (False, True)
    )
    for q in (Fraction(1), Fraction(6, 5), Fraction(7)):
        seen = views(few, many, [response(q)] * size)
        assert experiment.factor_of(size, least, q) == largest_ratio(seen)


def test_a_set_that_is_not_closed_can_have_its_worst_view_elsewhere():
    """In the first database and not in the second, against all other choices."""
    few, many = (uniform(2, lambda b, one=one: (b == (1, 0)) == one) for one in (False, True))
    seen = views(few, many, [response(Fraction(3))] * 2)
    assert largest_ratio(seen) > largest_ratio([seen[0], seen[-1]])


def test_sets_that_are_closed_upwards_are_those_of_monotone_functions():
    assert sum(1 for _ in experiment._closed_upwards(3)) == 20 - 2  # Dedekind's number


def test_a_wrong_factor_falls(monkeypatch):
    right = experiment.factor_of
    monkeypatch.setattr(experiment, "factor_of", lambda k, at_least, q: right(k, at_least, q) / 2)
    with pytest.raises(Fallen):
        status_of(experiment.private_of_at_least_some_number())


def test_rounds_that_lose_more_than_they_say_fall(monkeypatch):
    slack = {Fraction(2): Fraction(1, 10), Fraction(3): Fraction(0), Fraction(3, 2): Fraction(1, 5)}
    more = {q: response(q * q, d) for q, d in slack.items()}
    monkeypatch.setattr(experiment, "response", lambda q, _: more[q])
    with pytest.raises(Fallen, match="not true"):
        status_of(experiment.private_views_of_every_adversary())


def test_many_rounds_of_more_revealing_parts_fall(monkeypatch):
    monkeypatch.setattr(experiment, "response", lambda q, d: response(q**2, d))
    with pytest.raises(Fallen, match="not true"):
        status_of(experiment.private_of_many_rounds())


def test_all_rounds_that_differ_must_be_composed(monkeypatch):
    """The first of two is not enough."""
    right = experiment._differing

    def first_of(parts, b, c):
        at = next((n for n, (x, y) in enumerate(zip(b, c, strict=True)) if x != y), 3)
        return right(parts, b, (*c[: at + 1], *b[at + 1 :]))

    monkeypatch.setattr(experiment, "_differing", first_of)
    with pytest.raises(Fallen, match="not true"):
        status_of(experiment.private_by_any_composition_theorem())


def test_the_examples_of_the_section_come_out():
    suite = load_spec(EXAMPLES / "membership" / "office-suite.toml").derive()
    assert suite.bounds["pure"].text == "sum(eps[i])"
    doctors = load_spec(EXAMPLES / "membership" / "many-doctors.toml").derive()
    low, high = map(Fraction, doctors.choice["hypotheses"]["epsilon"])
    exact = math.log(experiment.factor_of(10, 4, Fraction(math.exp(0.5))))
    assert float(low) == pytest.approx(exact)
    assert float(high) == pytest.approx(exact)
    assert high < 5


def test_every_choice_of_mechanisms_is_covered_by_the_bits():
    """The views of two vectors that agree are equal in law, whatever the adversary does."""
    noise = {}
    rng = experiment.random.Random(1)
    given = ((Fraction(2), Fraction(0)),) * 2
    laws = [experiment._view(b, given, noise, rng) for b in product((0, 1), repeat=2)]
    assert laws[0] == experiment._view((0, 0), given, noise, rng)
    assert laws[0] != laws[3]
