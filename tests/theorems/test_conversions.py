"""Conversions as good as they can be: never above the usual forms, and nothing below them holds."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

import pytest

from dpcomp_sym.optimal.pairs import truncated_geometric
from theorems import _run, orders, sharp
from theorems._entry import Fallen, status_of
from theorems._finite import excess, moment
from theorems.orders import least_factor, middle_kink
from theorems.sharp import entropy, geometric_moment

NORMAL = NormalDist()
DISTANCES = [1, 2, 3, 6]
ROWS = {
    "conversions.pure-zcdp": "ε tanh(ε/2)", "conversions.pure-gaussian": "distance r",
    "conversions.zcdp-approximate": "0 in its place", "conversions.renyi-approximate": "(1 − 1/α)",
    "conversions.renyi-group": "k H_k ξ", "conversions.pure-renyi": "truncated geometric",
}  # fmt: skip


def _renyi(eps, r, order):
    """D_α of the truncated geometric pair, from its outcomes."""
    low, high = (truncated_geometric(Fraction(math.exp(eps)), r, c) for c in (0, r))
    total = sum(
        math.exp(order * math.log(p) + (1 - order) * math.log(q))
        for p, q in zip(low, high, strict=True)
    )
    return math.log(total) / (order - 1)


def _rate(eps, r):
    a = math.exp(-eps)
    return eps * (r - 2 * a * (1 - a**r) / (1 - a * a))


def _gaussian(q, r):
    x, y = middle_kink(q, r)
    return -NORMAL.inv_cdf(float(x)) - NORMAL.inv_cdf(float(y))


@pytest.mark.parametrize(("row", "words"), ROWS.items())
def test_a_conversion_is_shown_with_its_usual_form(row, words):
    chosen = _run.select([row]).values()
    assert any(words in entry.statement for entry in chosen)
    assert any("usual" in entry.statement for entry in chosen)
    assert all(entry.latex for entry in chosen if "usual" in entry.statement)


@pytest.mark.parametrize("r", DISTANCES)
@pytest.mark.parametrize("eps", [0.05, 0.7, 3.0])
def test_the_rate_holds_at_every_order_and_no_smaller_one_at_orders_near_1(eps, r):
    rate = _rate(eps, r)
    assert all(
        _renyi(eps, r, order) <= order * rate * (1 + 1e-9)
        for order in (1.001, 1.2, 1.7, 2, 3.5, 9, 40)
    )
    assert _renyi(eps, r, 1.0001) > 1.0001 * rate * 0.999
    assert rate < r**2 * eps**2 / 2
    assert rate <= r**2 * eps * math.tanh(eps / 2) * (1 + 1e-9)


def test_figures_of_the_rate():
    assert _rate(3, 1) == pytest.approx(2.715, abs=1e-3)  # against 4.5
    assert _rate(math.log(2), 2) == pytest.approx(0.693, abs=1e-3)  # against .961
    assert [entropy(Fraction(2), r) for r in (1, 2, 3)] == [
        Fraction(1, 3), Fraction(1), Fraction(11, 6),
    ]  # fmt: skip


def test_a_rate_that_is_too_small_falls(monkeypatch):
    monkeypatch.setattr(sharp, "entropy", lambda q, r: entropy(q, r) * Fraction(9, 10))
    with pytest.raises(Fallen):
        status_of(sharp.zcdp_of_pure_at_distance())


def test_a_moment_that_is_too_small_falls(monkeypatch):
    monkeypatch.setattr(
        sharp, "geometric_moment", lambda q, r, order: geometric_moment(q, r, order) - q / 10**6
    )
    with pytest.raises(Fallen):
        status_of(sharp.renyi_of_pure_at_distance())


@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_group_loses_less_than_the_usual_form_and_a_step_adds_up_to_it(k):
    """k steps are k − 1 and one more, by the triangle inequality at the order that is named."""

    def stated(steps, order):
        return steps * order * sum(1 / (steps * (order - 1) + j) for j in range(1, steps + 1))

    for order in (1.01, 1.5, 2, 10):
        best = 1 + (order - 1) / (order * (k - 1))
        by_hand = (order - 1 / best) / (order - 1) * stated(k - 1, best * order) + 1
        assert stated(k, order) == pytest.approx(by_hand)
        assert k <= stated(k, order) < k * sum(1 / j for j in range(1, k + 1))


def test_pairs_stay_below_the_bound_of_an_order_and_one_comes_near():
    draw = random.Random(24)
    for _ in range(400):
        raw = [[draw.randint(1, 30) for _ in range(4)] for _ in range(2)]
        p, q = (tuple(Fraction(x, sum(row)) for x in row) for row in raw)
        order, factor = draw.randint(2, 6), Fraction(draw.randint(1, 40), 8)
        bound = least_factor(order) * factor ** (1 - order) * moment(p, q, order)
        assert excess(p, q, factor) <= bound
    half, factor = Fraction(1, 2), Fraction(10**6)
    for order in (2, 3, 6):
        low = half / factor * (1 - Fraction(1, order))
        p, q = (half, half), (low, 1 - low)
        share = excess(p, q, factor) * factor ** (order - 1) / moment(p, q, order)
        assert Fraction(999, 1000) * least_factor(order) < share <= least_factor(order)


@pytest.mark.parametrize("rho", [0.001, 0.1, 2.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.4])
def test_the_best_order_of_a_rate_is_better_than_the_usual_form(rho, delta):
    usual = rho + 2 * math.sqrt(rho * math.log(1 / delta))
    order = 1 + math.sqrt(math.log(1 / delta) / rho)
    found = (
        rho * order
        + math.log((order - 1) / order)
        - (math.log(delta) + math.log(order)) / (order - 1)
    )
    assert max(0, found) < usual


def test_the_middle_kink_is_the_worst_one_and_the_usual_multiple_is_larger():
    for q in (Fraction(9, 8), Fraction(2), Fraction(50)):
        a = 1 / q
        for r in range(1, 9):
            kinks = [
                -NORMAL.inv_cdf(float(a**i / (1 + a)))
                - NORMAL.inv_cdf(float(a ** (r + 1 - i) / (1 + a)))
                for i in range(1, r + 1)
            ]
            assert _gaussian(q, r) == pytest.approx(max(kinks))
            assert _gaussian(q, r) <= r * _gaussian(q, 1) + 1e-12
        assert all(x < y for x, y in pairwise(_gaussian(q, r) for r in range(1, 9)))
    assert _gaussian(Fraction(3), 3) == pytest.approx(2.766, abs=1e-3)
    assert 3 * _gaussian(Fraction(3), 1) == pytest.approx(4.047, abs=1e-3)


def test_a_wrong_kink_falls(monkeypatch):
    monkeypatch.setattr(orders, "middle_kink", lambda q, r: (1 / q, 1 / q**r))
    with pytest.raises(Fallen):
        status_of(orders.gaussian_of_pure_at_distance())


def test_a_factor_that_is_too_small_falls(monkeypatch):
    monkeypatch.setattr(orders, "least_factor", lambda order: least_factor(order) * Fraction(1, 2))
    with pytest.raises(Fallen):
        status_of(orders.approximate_of_renyi())
