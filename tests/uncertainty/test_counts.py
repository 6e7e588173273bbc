"""Counts, noise, days and chains, against sums written out."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.chained import chained
from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.counts import CountLaw, binomial, count_law, nested_curves
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_delta, worst_factor
from dpcomp_sym.uncertainty.laws.days import Chain, daily_cases
from dpcomp_sym.uncertainty.laws.worlds import cases

HALF = Fraction(1, 2)
FACTORS = [Fraction(n, 10) for n in (3, 10, 11, 15, 19, 21, 40)]


def test_binomials_add_up():
    p = Fraction(2, 7)
    whole, parts = binomial(9, p), binomial(4, p) + binomial(5, p)
    assert [Fraction(w, whole.whole) for w in whole.weights] == [
        Fraction(w, parts.whole) for w in parts.weights
    ]
    assert whole.weights[3] == comb(9, 3) * 2**3 * 5**6
    assert count_law([(4, p), (5, p)]) == whole
    assert count_law([]) == CountLaw((1,), 1)


def infinite_sum(weights, whole, decay, factor, reach=60):
    """δ with the noise cut off at ``reach``, both directions, and the mass that is cut off."""
    noise = {m: (1 - decay) / (1 + decay) * decay ** abs(m) for m in range(-reach, reach + 1)}
    laws = []
    for counts in (0, 1):
        law = {}
        for k, w in enumerate(weights):
            for m, p in noise.items():
                at = k + m + counts
                law[at] = law.get(at, 0) + Fraction(w, whole) * p
        laws.append(law)
    deltas = [
        sum(max(0, p - factor * Q.get(o, 0)) for o, p in P.items()) for P, Q in (laws, laws[::-1])
    ]
    return max(deltas), 1 - sum(noise.values())


@pytest.mark.parametrize("seed", range(20))
def test_counts_with_noise_are_the_convolution(seed):
    draw = random.Random(seed)
    decay = Fraction(draw.randint(1, 5), draw.randint(7, 11))
    law = count_law([(draw.randint(0, 6), Fraction(draw.randint(0, 5), 5)), (2, Fraction(1, 3))])
    curves = nested_curves(law, decay)
    for factor in FACTORS[1:]:
        exact = worst_delta(curves, factor)
        near, cut = infinite_sum(law.weights, law.whole, decay, factor)
        assert abs(exact - near) <= (1 + factor) * cut
        assert cut < Fraction(1, 10**4)


@pytest.mark.parametrize("decay", [Fraction(0), Fraction(1, 3), Fraction(9, 10)])
def test_the_order_of_losses_is_as_proved(decay):
    for groups in ([(7, HALF)], [(5, Fraction(1, 4)), (3, Fraction(5, 6))], [(4, Fraction(1))]):
        for curve in nested_curves(count_law(groups), decay):
            again = DeltaCurve(curve._pairs, curve.whole)
            assert curve._first[-1] == curve.whole
            assert [curve.delta(x) for x in FACTORS] == [again.delta(x) for x in FACTORS]
            assert curve.factor(Fraction(1, 99)) == again.factor(Fraction(1, 99))


def test_noise_and_count_together_are_never_worse_than_each():
    decay = Fraction(2, 3)
    noise = nested_curves(CountLaw((1,), 1), decay)
    better = 0
    for n in (1, 4, 25, 60):
        count, both = (nested_curves(binomial(n, HALF), a) for a in (Fraction(0), decay))
        assert worst_factor(both, 0) == worst_factor(noise, 0) == 1 / decay
        for factor in FACTORS[1:]:
            least = min(worst_delta(count, factor), worst_delta(noise, factor))
            together = worst_delta(both, factor)
            assert together <= least
            better += together < least
    assert better > 5


def test_counts_are_a_finite_model():
    p = Fraction(1, 3)
    law = {d: p ** sum(d) * (1 - p) ** (5 - sum(d)) for d in product((0, 1), repeat=5)}
    # The attacker knows the last record; what is unknown of the others are three.
    found = cases({"votes": law}, lambda d: d[0], lambda d: d[4], [sum])
    curves = nested_curves(binomial(3, p))
    for attacker in ("active", "passive"):
        seen = Composition(found, attacker, ("count",))
        for factor in FACTORS[1:]:
            assert worst_delta(seen.single_curves[0], factor) == worst_delta(curves, factor)


def test_ten_thousand_respondents_exactly():
    curves = nested_curves(binomial(10_000, HALF))
    assert curves[0].impossible == curves[1].impossible == Fraction(1, 2**10_000)
    factor = worst_factor(curves, Fraction(1, 10**6))
    assert Fraction(1073, 1000) < factor < Fraction(1074, 1000)
    assert worst_delta(curves, factor) == Fraction(1, 10**6)


def test_daily_counts_are_a_finite_model():
    start, counted = (HALF / 2, HALF / 2, HALF), (False, False, True)
    chain = Chain.keeping(start, Fraction(1, 3), counted)
    series = {}
    for path in product(range(3), repeat=2):
        series[path] = start[path[0]] * chain.change[path[0]][path[1]]
    law = {us: series[us[0]] * series[us[1]] * series[us[2]] for us in product(series, repeat=3)}
    see = [lambda d, t=t: sum(counted[user[t]] for user in d) for t in (0, 1)]
    written_out = Composition(
        cases({"users": law}, lambda d: d[0], lambda _: None, see), "active", "ab"
    )
    short = Composition(daily_cases(chain, 2, 2), "active", "ab")
    for factor in FACTORS[1:]:
        for t in (0, 1):
            for name in ("single_curves", "dependency_curves"):
                one, other = (getattr(c, name)[t] for c in (written_out, short))
                assert worst_delta(one, factor) == worst_delta(other, factor)
        both = [worst_delta(c.joint_curves[2], factor) for c in (written_out, short)]
        assert both[0] == both[1]


def test_independent_days_have_no_dependency_and_equal_days_have():
    start, counted = (HALF, HALF), (False, True)
    found = {}
    for keep in (Fraction(0), Fraction(1, 2), Fraction(1)):
        chain = Chain.keeping(start, keep, counted)
        found[keep] = Composition(daily_cases(chain, 4, 2), "active", "ab").depends(1, 0)
        assert chain.correlation(2) == {0: 1, HALF: 2, 1: None}[keep]
    assert found[Fraction(0)] == 1
    assert found[HALF] > 1


@pytest.mark.in_turn
def test_dependencies_of_days_are_bounded_for_any_number_of_users():
    draw = random.Random(5)

    def row(states):
        weights = [draw.choice((0, 1, 1, 2, 3, 6)) for _ in range(states)]
        weights[0] += 1
        return tuple(Fraction(w, sum(weights)) for w in weights)

    finite = 0
    for n in range(80):
        states, days = ((2, 3), (2, 2), (3, 2), (3, 3))[n % 4]
        counted = (False, True) if states == 2 else (False, False, True)
        if (states, days) == (3, 3):  # more than two days need a chain of this kind
            chain = Chain.keeping(row(3), Fraction(draw.randint(0, 4), 4), counted)
        else:
            chain = Chain(row(states), tuple(row(states) for _ in range(states)), counted)
        cases_of = daily_cases(chain, draw.randint(1, 4), days)
        if not cases_of:
            continue
        seen = Composition(cases_of, "active", "abc"[:days])
        for day in range(2, days + 1):
            bound, exact = chain.dependency(day), seen.depends(day - 1, 0)
            if bound is not None:
                finite += 1
                assert exact is not None
                assert exact <= bound
    assert finite > 60


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: binomial(-1, HALF), "0 to 20,000"),
        (lambda: binomial(3, Fraction(3, 2)), "not a probability"),
        (lambda: nested_curves(binomial(3, HALF), Fraction(1)), "less than 1"),
        (lambda: count_law([(5000, HALF), (5000, Fraction(1, 3))]), "into one group"),
        (lambda: binomial(9000, Fraction(1, 10**9 + 7)), "fewer digits"),
        (lambda: nested_curves(binomial(9000, HALF), Fraction(1, 10**8 + 7)), "fewer digits"),
        (lambda: Chain((HALF, HALF), ((HALF, HALF),), (True, False)), "1 rows of changes"),
        (lambda: Chain((HALF,), ((HALF,),), (True,)), "not a distribution"),
        (lambda: daily_cases(Chain.keeping((HALF, HALF), HALF, (False, True)), 99, 9), "too many"),
        (lambda: chained([]), "no mechanism"),
        (lambda: chained([HALF]), "at least 1"),
    ],
)
def test_what_cannot_be_counted_is_told(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_chains_of_any_length():
    q = [Fraction(3), Fraction(5), Fraction(2)]
    assert chained(q) == chained([chained(q[:2]), q[2]]) == chained([q[2], q[0], q[1]])
    tanh = 1
    for x in q:
        tanh *= (x - 1) / (x + 1)
    assert (chained(q) - 1) / (chained(q) + 1) == tanh


def test_a_chain_after_a_mechanism_private_for_a_distance_only():
    # Randomized response on {0, 5}, then a truncated geometric law on 0..5 that is ln 2-private
    # between neighbouring inputs.
    response = {
        0: {0: Fraction(2, 3), 5: Fraction(1, 3)},
        5: {0: Fraction(1, 3), 5: Fraction(2, 3)},
    }

    def geometric(j):
        ends = {m: HALF ** abs(m - j) / (1 + HALF) for m in (0, 5)}
        inside = {m: HALF ** abs(m - j) * (1 - HALF) / (1 + HALF) for m in range(1, 5)}
        return {**ends, **inside}

    for j in range(5):
        one, other = geometric(j), geometric(j + 1)
        assert sum(one.values()) == 1
        assert max(max(one[m] / other[m], other[m] / one[m]) for m in one) == 2
    out = {x: sum(p * geometric(s)[0] for s, p in response[x].items()) for x in (0, 5)}
    assert out[0] / out[5] == Fraction(65, 34) > chained([Fraction(2)] * 2) == Fraction(5, 4)
    assert out[0] / out[5] == chained([Fraction(2), Fraction(2) ** 5])
