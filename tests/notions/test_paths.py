"""What steps of a pure guarantee cost, against the laws that cost it and against random ones."""

from __future__ import annotations

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product
from statistics import NormalDist

import pytest

from dpcomp_sym.numbers.curves import zcdp_epsilon
from dpcomp_sym.numbers.exact import path_mu_squared, path_rho, tanh
from dpcomp_sym.optimal.pairs import truncated_geometric

F = Fraction
FACTORS = [F(9, 8), F(2), F(3), F(9)]
NORMAL = NormalDist()


def rho(q, r):
    return path_rho(F(math.log(q)), r)


def divergence(p, q, order):
    """The Rényi divergence, with 60 digits; of order 1 the relative entropy."""
    with localcontext(prec=60):
        pairs = [(Decimal(x.numerator) / x.denominator, Decimal(y.numerator) / y.denominator)
                 for x, y in zip(p, q, strict=True) if x]  # fmt: skip
        if order == 1:
            return sum(x * (x / y).ln() for x, y in pairs)
        return sum(x**order * y ** (1 - order) for x, y in pairs).ln() / (order - 1)


def path(rng, q, r, outcomes):
    """Laws of which neighbouring ones differ by a factor of at most q: mixtures of coins."""
    law = [F(rng.randint(1, 9)) for _ in range(outcomes)]
    laws = [[x / sum(law) for x in law]]
    while len(laws) <= r:
        tilted = [x * rng.choice((1, q)) for x in laws[-1]]
        new = [x / sum(tilted) for x in tilted]
        assert max(x / y for x, y in zip(new, laws[-1], strict=True)) <= q
        laws.append(new)
    return laws


@pytest.mark.parametrize(("q", "r"), list(product(FACTORS, range(1, 6))))
def test_the_least_rho_is_the_relative_entropy_of_the_worst_pair(q, r):
    low, high = truncated_geometric(q, r, 0), truncated_geometric(q, r, r)
    entropy = divergence(low, high, 1)
    assert float(rho(q, r)) == pytest.approx(float(entropy), rel=1e-12)
    for order in (Decimal("1.01"), Decimal("1.5"), 2, 7, 40):
        assert float(divergence(low, high, order)) <= float(order * entropy) * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_no_path_of_neighbours_costs_more(seed):
    rng = random.Random(seed)
    q, r = rng.choice(FACTORS), rng.randint(1, 4)
    laws = path(rng, q, r, rng.randint(2, 5))
    most = float(rho(q, r))
    for first, last in ((laws[0], laws[-1]), (laws[-1], laws[0])):
        for order in (1, Decimal("1.2"), 2, 9):
            assert float(divergence(first, last, order)) <= float(order) * most * (1 + 1e-9)


def test_without_laws_in_between_the_same_distance_costs_more():
    """Two databases two steps apart, and nothing known of one between: coins at 2 ε."""
    for q in FACTORS:
        square = q * q
        coins = [square / (1 + square), 1 / (1 + square)]
        assert float(divergence(coins, coins[::-1], 1)) > float(rho(q, 2)) * (1 + 1e-9)


@pytest.mark.parametrize(("q", "r"), list(product(FACTORS, range(1, 6))))
def test_the_least_mu_is_that_of_the_worst_corner(q, r):
    low, high = truncated_geometric(q, r, 0), truncated_geometric(q, r, r)
    mu = math.sqrt(path_mu_squared(F(math.log(q)), r))
    corners = []
    for cut in range(1, r + 1):
        first, second = sum(low[cut:]), sum(high[:cut])
        corners.append(NORMAL.inv_cdf(float(1 - first)) - NORMAL.inv_cdf(float(second)))
    assert mu == pytest.approx(max(corners), rel=1e-9)


def test_they_grow_and_stay_below_the_published_forms():
    steps = [F(n, 2) for n in range(13)]
    for eps, more in pairwise([F(1, 1000), F(1, 3), F(1), F(5, 2), F(9)]):
        curve = [path_rho(eps, r) for r in steps]
        assert all(a < b for a, b in pairwise(curve))
        increments = [b - a for a, b in pairwise(curve)]
        assert all(a < b for a, b in pairwise(increments))  # convex, and 0 at 0
        assert curve[2] - eps * tanh(eps / 2) <= F(1, 10**30)
        assert all(path_rho(eps, r) < path_rho(more, r) for r in steps[1:])
        mus = [path_mu_squared(eps, r) for r in range(1, 8)]
        assert all(a < b for a, b in pairwise(mus))
        for r in range(1, 8):
            assert path_rho(eps, r) < F(r * r) * eps * eps / 2
            assert path_rho(eps, r) <= eps * tanh(eps / 2) * (r * r) or r == 1
            assert path_mu_squared(eps, r) <= path_mu_squared(eps, 1) * (r * r)
            assert path_mu_squared(eps, r) < path_mu_squared(more, r)


def test_at_the_best_order_a_delta_is_never_below_zero():
    assert zcdp_epsilon(F(1, 100), F(9, 10)) == 0
    for r, d in product((F(1, 1000), F(1, 2), F(40)), (F(1, 10**9), F(1, 3), F(99, 100))):
        found = float(zcdp_epsilon(r, d))
        orders = (1 + math.exp(x / 50) for x in range(-800, 800))
        tried = (
            float(r) * a + math.log1p(-1 / a) - (math.log(a) + math.log(d)) / (a - 1)
            for a in orders
        )
        least = max(0.0, min(tried))
        assert found <= least + 1e-12
        assert found == pytest.approx(least, rel=1e-3, abs=1e-6)
        assert found < float(r) + 2 * math.sqrt(float(r) * math.log(1 / d))
