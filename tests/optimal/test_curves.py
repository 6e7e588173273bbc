"""Curves with enclosed probabilities against exact rational enumeration and closed forms."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from dpcomp_sym.balls import Ball, exp, log, sqrt
from dpcomp_sym.optimal import curve as curves
from dpcomp_sym.optimal.curve import NumberRange, SeenPart, compose
from dpcomp_sym.optimal.pairs import delta_of, directed_pair, joint, table, worst_pair

NEAR = Fraction(1, 10**40)


def rational_exp(x):
    """e^x by a series with exact fractions, to 60 digits, written without the module's own."""
    total = term = Fraction(1)
    n = 0
    y = x / 64
    while abs(term) > Fraction(1, 10**70):
        n += 1
        term = Fraction(round(term * y / n * 10**80), 10**80)
        total += term
    for _ in range(6):
        total = Fraction(round(total * total * 10**80), 10**80)
    return total


def by_enumeration(parts, eps):
    """δ by listing all outcomes of the product, e^ε replaced by a rational near it."""
    tables = []
    for part, n in parts.items():
        q = rational_exp(part.eps)
        build = directed_pair if part.directed else worst_pair
        tables += [table(q, build(q, part.delta, part.steps))] * n
    return delta_of(joint(tables), rational_exp(eps))


def random_parts(rng, *, directed=False):
    parts = {}
    for _ in range(rng.randint(1, 3)):
        part = SeenPart(
            Fraction(rng.randint(0, 20), rng.choice([4, 5, 7, 10])),
            Fraction(rng.choice([0, 0, 1, 5]), rng.choice([10, 100])),
            rng.randint(1, 3),
            directed and rng.random() < 0.5,
        )
        parts[part] = parts.get(part, 0) + rng.randint(1, 2)
    return parts


def test_curves_are_those_of_the_tables():
    rng = random.Random(3)
    positive = 0
    for _ in range(80):
        parts = random_parts(rng, directed=True)
        curve = compose(parts)
        assert curve.exact
        for _ in range(3):
            eps = Fraction(rng.randint(0, 60), 10)
            found, true = curve.delta(eps), by_enumeration(parts, eps)
            assert found.low - NEAR <= true <= found.high + NEAR
            assert found.high - found.low < NEAR
            positive += 0 < true < 1
    assert positive > 100


def test_a_grid_encloses_the_truth(monkeypatch):
    rng = random.Random(4)
    cases = []
    for _ in range(12):
        parts = random_parts(rng)
        exact = compose(parts)
        deltas = [exact.delta(Fraction(n, 2)) for n in range(6)]
        cases.append((parts, deltas, exact.epsilon(Fraction(3, 5))))
    monkeypatch.setattr(curves, "_BUDGET", 1)
    informative = 0
    for parts, deltas, least in cases:
        rough = compose(parts)
        if rough.exact:  # a single outcome costs no more than the budget
            continue
        for n, true in enumerate(deltas):
            found = rough.delta(Fraction(n, 2))
            assert found.low <= true.high
            assert true.low <= found.high
            assert found.high - found.low < Fraction(1, 50)
            informative += 0 < found.low < found.high < 1
        found = rough.epsilon(Fraction(3, 5))
        assert (found is None) == (least is None)
        if found is not None:
            assert found.low <= least.high
            assert least.low <= found.high
    assert informative > 20


@pytest.mark.long
def test_many_equal_parts_are_those_of_the_closed_form():
    """Kairouz, Oh, Viswanath 2015, Theorem 3.3, with e^ε enclosed."""
    from math import comb

    k, eps, delta = 300, Fraction(1, 10), Fraction(1, 10**6)
    curve = compose({SeenPart(eps, delta): k})
    q = rational_exp(eps)
    for i in (0, 1, 20, 100, 150):
        excess = sum(comb(k, n) * (q ** (k - n) - q ** (k - 2 * i + n)) for n in range(i))
        kept = (1 - delta) ** k * (1 - excess / (1 + q) ** k)
        found = curve.delta((k - 2 * i) * eps)
        assert abs(found.low - (1 - kept)) < NEAR
        assert found.high - found.low < NEAR


def test_thousands_of_equal_parts_agree_with_convolution(monkeypatch):
    for part, count in (
        (SeenPart(Fraction(1, 10), Fraction(0)), 1500),
        (SeenPart(Fraction(3), Fraction(1, 10**5)), 1200),
        (SeenPart(Fraction(500), Fraction(0)), 1001),
        (SeenPart(Fraction(0), Fraction(1, 10**4)), 1100),
    ):
        quick = compose({part: count})
        with monkeypatch.context() as patch:
            patch.setattr(curves, "_MANY", 10**9)
            slow = compose({part: count})
        for n in range(12):
            eps = part.eps * count * n / 40
            a, b = quick.delta(eps), slow.delta(eps)
            assert max(a.low, b.low) <= min(a.high, b.high)
            assert a.high - a.low < NEAR
            assert b.high - b.low < NEAR


def test_epsilon_inverts_delta():
    rng = random.Random(6)
    for _ in range(40):
        parts = random_parts(rng)
        curve = compose(parts)
        target = Fraction(rng.randint(0, 99), 100)
        found = curve.epsilon(target)
        if found is None:
            assert curve.delta(Fraction(10**6)).high > target
            continue
        assert curve.delta(found.high).high <= target
        if found.high > 0:
            assert curve.delta(found.low * (1 - Fraction(1, 10**9))).high >= target
        assert found.high - found.low <= Fraction(1, 10**9)


def test_pure_composition_at_delta_zero_is_the_sum():
    curve = compose(
        {SeenPart(Fraction(1, 3), Fraction(0), 2): 2, SeenPart(Fraction(5), Fraction(0)): 1}
    )
    assert curve.epsilon(Fraction(0)) == NumberRange.exactly(Fraction(4, 3) + 5)


def test_a_delta_that_is_lost_for_sure_cannot_be_bought():
    curve = compose({SeenPart(Fraction(1), Fraction(1, 10)): 2})
    assert curve.epsilon(Fraction(18, 100)) is None
    assert curve.epsilon(Fraction(19, 100)) == NumberRange.exactly(Fraction(2))


def test_what_tells_nothing_does_not_count():
    parts = {SeenPart(Fraction(1), Fraction(1, 10)): 1}
    more = {
        **parts,
        SeenPart(Fraction(0), Fraction(0)): 5,
        SeenPart(Fraction(3), Fraction(0), 0): 1,
    }
    assert compose(more).delta(Fraction(1, 2)) == compose(parts).delta(Fraction(1, 2))
    assert compose({}).delta(Fraction(0)) == NumberRange.exactly(Fraction(0))
    assert compose({}).epsilon(Fraction(0)) == NumberRange.exactly(Fraction(0))


def test_too_large_an_epsilon_is_refused():
    with pytest.raises(ValueError, match="larger than 1000"):
        compose({SeenPart(Fraction(1001), Fraction(0)): 1})
    assert compose({SeenPart(Fraction(1000), Fraction(0)): 1}).delta(Fraction(1)).high <= 1


def test_powers_by_large_integers_are_convolutions():
    rng = random.Random(8)
    one = 1 << 256
    for _ in range(20):
        masses = [rng.randrange(one // 8) for _ in range(rng.randint(1, 4))]
        count = rng.randint(1, 5)
        start, found = curves._power(masses, count)
        for place, x in enumerate(found, start):
            true = sum(
                (
                    prod_of(masses, chosen)
                    for chosen in product(range(len(masses)), repeat=count)
                    if sum(chosen) == place
                ),
                Fraction(0),
            )
            assert 0 <= true - x < 8 * count


def prod_of(masses, chosen):
    result = Fraction(1 << 256)
    for n in chosen:
        result *= Fraction(masses[n], 1 << 256)
    return result


def test_enclosures_hold_what_they_enclose():
    rng = random.Random(9)
    for _ in range(200):
        a, b = (Fraction(rng.randint(-50, 50), rng.randint(1, 20)) for _ in range(2))
        x, y = Ball.of(a), Ball.of(b)
        for found, true in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (3 - x, 3 - a)):
            assert found.lower <= true <= found.upper
        if b > 0:
            assert (x / y).lower <= a / b <= (x / y).upper
        c = abs(a) / 10
        assert exp(c).lower <= rational_exp(c) + NEAR
        assert rational_exp(c) - NEAR <= exp(c).upper
        assert log(exp(c)).lower <= c <= log(exp(c)).upper
        assert log(exp(c)).upper - log(exp(c)).lower < NEAR
        assert sqrt(Ball.of(c)).lower ** 2 <= c <= sqrt(Ball.of(c)).upper ** 2
    with pytest.raises(ZeroDivisionError):
        Ball.of(1) / (exp(Fraction(1)) - exp(Fraction(1)))
    with pytest.raises(ValueError, match="logarithm"):
        log(Fraction(0))


@pytest.mark.parametrize("seed", range(10))
def test_products_on_a_grid_are_those_of_the_definition_rounded_down(seed):
    draw = random.Random(seed)
    one = 1 << curves.BITS
    factors = []
    for _ in range(draw.randint(1, 6)):
        losses = draw.sample(range(-9, 10), draw.randint(1, 4))
        factors.append({n: draw.randrange(one // len(losses)) for n in losses})
    exact: dict[int, Fraction] = {}
    for some in product(*(factor.items() for factor in factors)):
        mass = Fraction(1)
        for _, here in some:
            mass *= Fraction(here, one)
        loss = sum(n for n, _ in some)
        exact[loss] = exact.get(loss, Fraction(0)) + mass
    found = curves._product(factors)
    assert found.keys() <= exact.keys()
    lost = {n: mass - Fraction(found.get(n, 0), one) for n, mass in exact.items()}
    assert min(lost.values()) >= 0
    assert max(lost.values()) < Fraction(1, 2**130)
    assert all(mass >= curves._NEGLIGIBLE for mass in found.values()) or len(factors) == 1


def test_a_product_of_nothing_but_negligible_masses_is_empty():
    least = curves._NEGLIGIBLE
    assert curves._product([{0: least}, {0: 1}, {0: least}]) == {}


def test_hundreds_of_factors_are_multiplied_two_at_a_time(monkeypatch):
    """Each product of short polynomials takes little: none is multiplied by a long one in turn."""
    parts = {SeenPart(Fraction(100 + i, 10**4), Fraction(0)): 1 for i in range(300)}
    monkeypatch.setattr(curves, "_convolved", None)
    upper = compose(parts).upper
    assert upper.at_most(upper.largest) <= Fraction(1, 10**20)
