"""Worst pairs against plain enumeration: attained, never exceeded, as published."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod

import pytest

from dpcomp_sym.optimal.pairs import (
    delta_of,
    directed_pair,
    group_delta,
    homogeneous_delta,
    joint,
    step,
    table,
    truncated_geometric,
    worst_pair,
)

QS = [Fraction(1), Fraction(21, 20), Fraction(3, 2), Fraction(2), Fraction(5)]
DELTAS = [Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(2, 5), Fraction(1)]
FACTORS = [Fraction(1, 4), Fraction(1), Fraction(4, 3), Fraction(2), Fraction(7, 2), Fraction(30)]


def iterated(q, delta, r, a):
    for _ in range(r):
        a = step(q, delta, a)
    return a


@pytest.mark.parametrize("r", range(1, 7))
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("q", QS)
def test_the_power_of_the_worst_pair_is_the_iterate(q, delta, r):
    rows = table(q, worst_pair(q, delta, r))
    assert sum(p for p, _ in rows) == sum(other for _, other in rows) == 1
    under_p = under_q = Fraction(0)
    order = sorted(rows, key=lambda row: -(row[0] / row[1]) if row[1] else -(q ** (r + 1)))
    for p, other in order:  # between corners both are linear: g is concave, so nothing is lost
        under_p, under_q = under_p + p, under_q + other
        assert iterated(q, delta, r, under_q) == under_p


@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("r", range(1, 6))
def test_truncated_geometric_pairs_are_the_worst_for_pure_privacy(q, r):
    ends = tuple(zip(truncated_geometric(q, r, 0), truncated_geometric(q, r, r), strict=True))
    worst = table(q, worst_pair(q, Fraction(0), r))
    assert all(delta_of(ends, f) == delta_of(worst, f) for f in FACTORS)
    laws = [truncated_geometric(q, r, centre) for centre in range(r + 1)]
    assert all(sum(law) == 1 for law in laws)
    for law, other in [*pairwise(laws), *pairwise(reversed(laws))]:
        assert all(x <= q * y for x, y in zip(law, other, strict=True))


def test_the_published_figures():
    two = Fraction(2)
    near = table(two, worst_pair(two, Fraction(0), 2))
    assert delta_of(near, Fraction(1)) == Fraction(1, 2)
    response = table(two**2, worst_pair(two**2, Fraction(0), 1))
    assert delta_of(response, Fraction(1)) == Fraction(3, 5)
    small = Fraction(1, 100)
    assert delta_of(table(two, worst_pair(two, small, 2)), Fraction(1)) == Fraction(51, 100)
    four = table(two**2, worst_pair(two**2, small * 3, 1))
    assert delta_of(four, Fraction(1)) == Fraction(612, 1000)
    assert sorted(table(two, worst_pair(two, small, 1))) == sorted([
        (small, 0), (Fraction(66, 100), Fraction(33, 100)), (Fraction(33, 100), Fraction(66, 100)),
        (0, small),
    ])  # fmt: skip


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("r", [1, 2, 4])
def test_the_chain_that_attains_the_worst_pair_is_private(q, delta, r):
    """Law j has the distribution function g^(r-j): consecutive laws are (ε, δ)-close."""
    corners = {Fraction(0), Fraction(1)}
    for j in range(1, r + 1):
        total = Fraction(0)
        for _, other in reversed(table(q, worst_pair(q, delta, j))):
            total += other
            corners |= {total, 1 - total}
    # Between neighbouring corners of all of them every distribution function is linear.
    points = sorted(corners)
    laws = []
    for j in range(r + 1):
        heights = [iterated(q, delta, r - j, x) for x in points]
        laws.append([heights[0], *(b - a for a, b in pairwise(heights))])
    for law, other in [*pairwise(laws), *pairwise(reversed(laws))]:
        assert delta_of(tuple(zip(law, other, strict=True)), q) <= delta
    worst = table(q, worst_pair(q, delta, r))
    ends = tuple(zip(laws[0], laws[-1], strict=True))
    assert all(delta_of(ends, f) == delta_of(worst, f) for f in FACTORS)


def random_law(rng, outcomes):
    weights = [rng.choice([0, 1, 1, 2, 3, 8]) for _ in range(outcomes)]
    weights[rng.randrange(outcomes)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def random_chain(rng, q, r, outcomes):
    """Laws along a path, and the least δ for which they are (ln q, δ)-DP."""
    laws = [random_law(rng, outcomes)]
    for _ in range(r):  # not too far from the one before, else everything is lost at once
        share = Fraction(rng.choice([1, 1, 2, 5]), 8)
        new = random_law(rng, outcomes)
        laws.append([(1 - share) * a + share * b for a, b in zip(laws[-1], new, strict=True)])
    steps = [*pairwise(laws), *pairwise(reversed(laws))]
    return laws, max(delta_of(tuple(zip(a, b, strict=True)), q) for a, b in steps)


def test_no_mechanism_loses_more_than_the_worst_pair():
    rng = random.Random(5)
    close = 0
    for _ in range(400):
        q, r = rng.choice(QS), rng.randint(1, 4)
        laws, delta = random_chain(rng, q, r, rng.randint(2, 4))
        worst = table(q, worst_pair(q, delta, r))
        ends = tuple(zip(laws[0], laws[-1], strict=True))
        for factor in FACTORS:
            assert delta_of(ends, factor) <= delta_of(worst, factor)
            close += 0 < delta_of(ends, factor) >= Fraction(9, 10) * delta_of(worst, factor)
    assert close > 20


def test_no_composition_loses_more_than_the_product_even_if_adaptive():
    rng = random.Random(7)
    for _ in range(60):
        q, eta = rng.choice(QS), rng.choice(QS)
        first, delta = random_chain(rng, q, 1, 2)
        seconds = [random_chain(rng, eta, 2, 2) for _ in range(2)]
        gamma = max(lost for _, lost in seconds)
        both = [
            (p * x, other * y)
            for p, other, (laws, _) in zip(first[0], first[1], seconds, strict=True)
            for x, y in zip(laws[0], laws[-1], strict=True)
        ]
        worst = joint([table(q, worst_pair(q, delta, 1)), table(eta, worst_pair(eta, gamma, 2))])
        assert all(delta_of(tuple(both), f) <= delta_of(worst, f) for f in FACTORS)


@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10)])
def test_the_homogeneous_closed_form(q, delta):
    for k in range(1, 5):
        pair = table(q, worst_pair(q, delta, 1))
        for i in range(k // 2 + 1):
            found = delta_of(joint([pair] * k), q ** (k - 2 * i))
            assert homogeneous_delta(q, delta, k, i) == found


def test_the_heterogeneous_formula():
    """Murtagh, Vadhan 2016, Theorem 1.5, over all sets of parts."""
    rng = random.Random(2)
    for _ in range(40):
        parts = [(rng.choice(QS), rng.choice(DELTAS[:3])) for _ in range(rng.randint(1, 5))]
        factor = rng.choice(FACTORS[1:])
        total = sum(
            max(
                Fraction(0),
                prod((q for (q, _), s in zip(parts, chosen, strict=True) if s), start=Fraction(1))
                - factor
                * prod(
                    (q for (q, _), s in zip(parts, chosen, strict=True) if not s),
                    start=Fraction(1),
                ),
            )
            for chosen in product((False, True), repeat=len(parts))
        )
        pure = total / prod((1 + q for q, _ in parts), start=Fraction(1))
        kept = prod((1 - d for _, d in parts), start=Fraction(1))
        pairs = [table(q, worst_pair(q, d, 1)) for q, d in parts]
        assert delta_of(joint(pairs), factor) == 1 - kept * (1 - pure)


def test_a_part_is_a_pure_part_and_a_chance_of_losing_everything():
    for q, delta in product(QS, DELTAS[:4]):
        whole = table(q, worst_pair(q, delta, 1))
        pieces = [
            table(q, worst_pair(q, Fraction(0), 1)),
            table(Fraction(1), worst_pair(Fraction(1), delta, 1)),
        ]
        assert all(delta_of(whole, f) == delta_of(joint(pieces), f) for f in FACTORS)


def test_more_is_worse():
    for q, delta, factor in product(QS, DELTAS, FACTORS):
        losses = [delta_of(table(q, worst_pair(q, delta, r)), factor) for r in range(1, 6)]
        assert losses == sorted(losses)
        more = table(q * 2, worst_pair(q * 2, delta, 3))
        assert losses[2] <= delta_of(more, factor)
        more = table(q, worst_pair(q, min(Fraction(1), delta + Fraction(1, 20)), 3))
        assert losses[2] <= delta_of(more, factor)
        assert delta_of(table(q, worst_pair(q, delta, 3)), factor * 2) <= losses[2]


def test_the_exact_group_delta_and_the_printed_one():
    q, delta = Fraction(2), Fraction(2, 5)
    assert group_delta(q, delta, 2) == Fraction(9, 10)
    for q, delta, r in product(QS, DELTAS, range(1, 8)):
        printed = delta * sum(q**n for n in range(r))
        exact = group_delta(q, delta, r)
        linear = group_delta(q, delta, r - 1) <= (1 - delta) / (1 + q)
        assert exact <= printed
        assert (exact == printed) == (linear or delta == 0 or (q == 1 and printed <= 1))


def test_directed_pairs_lose_at_least_as_much():
    for q, delta, r in product(QS, DELTAS[:4], (1, 2, 3)):
        one = table(q, directed_pair(q, delta, r)) if delta * q**r * r < 1 else None
        both = table(q, worst_pair(q, delta, r))
        if one is not None:
            assert all(delta_of(one, f) >= delta_of(both, f) for f in FACTORS)
            assert delta_of(one, q**r) == min(1, delta * sum(q**n for n in range(r)))


def test_binomial_weights_of_randomized_response():
    pair = table(Fraction(3), worst_pair(Fraction(3), Fraction(0), 1))
    together = joint([pair] * 4)
    by_ratio = {}
    for p, other in together:
        by_ratio[p / other] = by_ratio.get(p / other, 0) + p
    assert by_ratio == {
        Fraction(3) ** (4 - 2 * j): Fraction(comb(4, j) * 3 ** (4 - j), 4**4) for j in range(5)
    }
