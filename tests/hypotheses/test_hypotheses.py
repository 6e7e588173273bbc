"""Two hypotheses about the choice of databases: exact optimum, bounds, symmetry, sampling."""

from __future__ import annotations

import importlib.util
import random
from fractions import Fraction
from math import comb, inf
from pathlib import Path

import pytest

from dpcomp_sym.hypothesis import (
    conditional_bound,
    delta_at,
    exchangeable_views,
    is_hypothesis_private,
    largest_ratio,
    least_bound,
    narrowest_coupling,
    printed_factor,
    refine,
    response,
    sampled,
    sampled_factor,
    sampled_guarantee,
    sampling_bound,
    uniform,
    views,
)

HALF = Fraction(1, 2)
_spec = importlib.util.spec_from_file_location("campaign", Path(__file__).parent / "campaign.py")
campaign = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(campaign)


def test_no_bound_below_the_optimum_and_no_attack_above_it():
    kinds = list(campaign.run(150, seed=7))
    assert kinds.count("composite") > 30
    assert kinds.count("single") > 30


def test_the_printed_factor_of_two_mixtures_is_no_bound():
    q = Fraction(9)
    first = {(1, 1): HALF, (0, 0): HALF}
    second = {(1, 1): HALF, (0, 1): HALF}
    matched = [((1, 1), (1, 1), HALF), ((0, 0), (0, 1), HALF)]
    mechanisms = [response(q)] * 2
    assert largest_ratio(views(first, second, mechanisms)) == Fraction(41, 5)
    assert printed_factor(matched, [q] * 2) == 5
    assert conditional_bound(matched, [q] * 2) == 9 == least_bound(first, second, [q] * 2)


@pytest.mark.parametrize("k", range(1, 9))
def test_none_against_some_is_tight_without_delta(k):
    q = Fraction(5, 2)
    none, some = {(0,) * k: Fraction(1)}, uniform(k, any)
    optimum = largest_ratio(views(none, some, [response(q)] * k))
    assert optimum == ((1 + q) ** k - 1) / (2**k - 1) == sampling_bound([q] * k, [0] * k)[0]


def test_symmetry_gives_what_enumeration_gives():
    rng = random.Random(3)
    for k, delta in ((1, HALF), (3, Fraction(0)), (4, Fraction(1, 7))):
        laws = []
        for _ in range(2):
            weights = [rng.randint(0, 3) for _ in range(k)] + [1]
            laws.append({j: Fraction(w, sum(weights)) for j, w in enumerate(weights)})
        spread = [{b: law[sum(b)] / comb(k, sum(b)) for b in uniform(k)} for law in laws]
        mechanism = response(Fraction(3), delta)
        for at in (Fraction(1), Fraction(2), Fraction(9)):
            alike = delta_at(exchangeable_views(*laws, k, mechanism), at)
            assert alike == delta_at(views(*spread, [mechanism] * k), at)


def test_many_databases_by_symmetry():
    k = 60
    some = {j: Fraction(comb(k, j), 2**k - 1) for j in range(1, k + 1)}
    alike = list(exchangeable_views({0: Fraction(1)}, some, k, response(Fraction(2))))
    assert sum(n for n, *_ in alike) == 2**k
    assert largest_ratio((p, r) for _, p, r in alike) == Fraction(3**k - 1, 2**k - 1)


def test_sixteen_databases_by_enumeration():
    k = 12
    qs = [Fraction(10 + i, 10) for i in range(k)]
    seen = views({(0,) * k: Fraction(1)}, uniform(k, any), [response(q) for q in qs])
    assert len(seen) == 2**k
    assert sum(p for p, _ in seen) == sum(r for _, r in seen) == 1
    product = Fraction(1)
    for q in qs:
        product *= 1 + q
    assert largest_ratio(seen) == (product - 1) / (2**k - 1)


def test_refinement_keeps_all_weight_and_splits_no_more_than_it_must():
    third = Fraction(1, 3)
    first = {(0,): third, (1,): 2 * third}
    assert refine(first, first) == [((0,), (0,), third), ((1,), (1,), 2 * third)]
    found = refine({(0,): Fraction(1)}, {(0,): HALF, (1,): HALF})
    assert sum(w for *_, w in found) == 1
    with pytest.raises(ValueError, match="same sum"):
        refine({(0,): Fraction(1)}, {(0,): HALF})


def test_the_narrowest_coupling_is_no_wider_than_any_other():
    rng = random.Random(11)
    for _ in range(30):
        first, second = (campaign.hypothesis(rng, 3) for _ in range(2))
        qs = [Fraction(rng.randint(1, 5)) for _ in range(3)]
        widest, coupling = narrowest_coupling(first, second, qs)
        items = list(first.items())
        for _ in range(4):
            rng.shuffle(items)
            other = refine(dict(items), second)
            assert widest <= max(campaign_factor(a, b, qs) for a, b, _ in other)
        assert max(campaign_factor(a, b, qs) for a, b, _ in coupling) == widest


def campaign_factor(a, b, qs):
    found = Fraction(1)
    for x, y, q in zip(a, b, qs, strict=True):
        found *= q if x != y else 1
    return found


def test_a_coin_flip_before_the_mechanism_exactly():
    rng = random.Random(2)
    for _ in range(40):
        q, delta = Fraction(rng.randint(1, 9)), Fraction(rng.randint(0, 5), 10)
        p = Fraction(rng.randint(1, 9), 10)
        worst = response(q, delta)
        law = sampled(worst, p)
        pairs, before = list(zip(*law, strict=True)), list(zip(*worst, strict=True))
        factor, slack = sampled_guarantee(q, delta, p)
        back, forth = delta_at(pairs, factor)
        assert forth == slack  # attained
        assert back <= slack
        b = Fraction(rng.randint(1, 30), 10)
        inner = sampled_factor(b, p)
        wanted = 0 if inner is None else inner[1] * delta_at(before, inner[0])[0]
        assert delta_at(pairs, b)[0] == wanted


def test_infinity_and_bad_tables():
    assert largest_ratio(views({(0,): Fraction(1)}, {(1,): Fraction(1)},
                               [response(Fraction(2), HALF)])) == inf  # fmt: skip
    with pytest.raises(ValueError, match="at least 1"):
        response(HALF)
    with pytest.raises(ValueError, match="2 bits"):
        views({(0,): Fraction(1)}, {(1,): Fraction(1)}, [response(Fraction(2))] * 2)
    with pytest.raises(ValueError, match="no membership"):
        uniform(2, lambda _: False)
    pairs = [({(0, 0): Fraction(1)}, {(1, 1): Fraction(1)})]
    assert not is_hypothesis_private(pairs, [response(Fraction(2))] * 2, Fraction(7, 2))
