"""Chains with deltas, attacked with mechanisms of more outputs than their proof needs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.chained import (
    chained,
    chained_delta,
    chained_event,
    chained_factor,
)

F = Fraction


def _law(random, size):
    weights = [random.randint(0, 4) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [F(w, sum(weights)) for w in weights]


def _excess(P, Q, factor):
    return sum(max(F(0), p - factor * q) for p, q in zip(P, Q, strict=True))


def _least(laws, factor):
    return max(_excess(P, Q, factor) for P in laws for Q in laws)


def test_no_chain_has_more():
    random, close = Random(24), 0
    for _ in range(600):
        size = random.choice((2, 2, 3))
        laws = [_law(random, size) for _ in range(2)]
        parts = [(q := F(random.randint(2, 8), 2), _least(laws, q))]
        for _ in range(random.choice((1, 2))):
            rows = [_law(random, size) for _ in range(size)]
            parts.append((q := F(random.randint(2, 8), 2), _least(rows, q)))
            laws = [
                [sum(x * row[o] for x, row in zip(law, rows, strict=True)) for o in range(size)]
                for law in laws
            ]
        for factor in (F(1), F(5, 4), F(2)):
            found, bound = _least(laws, factor), chained_delta(parts, factor)
            assert found <= bound
            close += found > bound * F(9, 10) > 0
    assert close >= 10  # the comparison is not an empty one


def test_values():
    twice = [(F(2), F(1, 100))] * 2
    assert chained_delta(twice, F(1)) == F(289, 2500)
    assert chained_delta(twice[:1], F(1)) == F(1, 100) + F(99, 100) / 3
    assert chained_delta(twice[:1], F(7)) == F(1, 100)
    assert chained_delta(twice, F(7)) == F(1, 10_000)
    for q, r in ((F(2), F(3)), (F(5), F(9, 2))):
        zero = chained([q, r])
        assert chained_delta([(q, F(0)), (r, F(0))], zero) == 0
        assert chained_delta([(q, F(0)), (r, F(0))], zero - F(1, 10**9)) > 0


@pytest.mark.parametrize(
    ("parts", "factor", "message"),
    [
        ([], F(1), "no mechanism"),
        ([(F(2), F(0))], F(1, 2), "at least 1, not 1/2"),
        ([(F(1, 3), F(0))], F(1), "at least 1, not 1/3"),
        ([(F(2), F(0)), (F(2), F(3, 2))], F(1), "from 0 to 1, not 3/2"),
        ([(F(2), F(-1))], F(1), "from 0 to 1, not -1"),
    ],
)
def test_what_is_no_chain_is_refused(parts, factor, message):
    with pytest.raises(InputError, match=message):
        chained_delta(parts, factor)


def _drawn(random):
    deltas = [F(n, 100) for n in (0, 0, 1, 5, 20, 100)]
    count = random.choice((1, 2, 3, 4))
    return [(F(random.randint(4, 20), 4), random.choice(deltas)) for _ in range(count)]


def test_the_event_is_one_of_mechanisms_that_are_as_private_as_is_said():
    """Each mechanism, built from its corner, is private, and the chain of them has the event."""
    random, second_corner = Random(5), 0
    for _ in range(300):
        parts, factor = _drawn(random), F(random.randint(4, 20), 4)
        chain, event = None, (F(0), F(0))
        for n, (q, delta) in enumerate(parts, 1):
            event = chained_event(parts[:n], factor)
            if chain is None:
                chain = [[one, 1 - one] for one in event]
            else:
                # The chain so far says 1 with some probability; the next one must fit between.
                fits = []
                for low, high in ((F(0), delta), ((1 - delta) / (1 + q), (q + delta) / (1 + q))):
                    assert _least([[low, 1 - low], [high, 1 - high]], q) <= delta
                    after = [low + (high - low) * law[0] for law in chain]
                    fits.append(after == list(event))
                assert any(fits)
                second_corner += fits[1]
                chain = [[one, 1 - one] for one in event]
            assert event[0] - factor * event[1] == chained_delta(parts[:n], factor)
            if n == 1:
                assert _least(chain, q) <= delta
    assert second_corner > 50


def test_the_least_epsilon_at_a_delta():
    random, infinite, attained = Random(6), 0, 0
    for _ in range(500):
        parts, delta = _drawn(random), F(random.randint(0, 100), random.choice((100, 10_000)))
        least = F(1)
        for _, d in parts:
            least *= d
        found = chained_factor(parts, delta)
        assert (found is None) == (least > delta)
        if found is None:
            infinite += 1
            continue
        assert chained_delta(parts, found) <= delta
        if found > 1:
            attained += 1
            assert chained_delta(parts, found) == delta
            assert chained_delta(parts, max(F(1), found - F(1, 10**6))) > delta
    assert infinite > 10
    assert attained > 100
    assert chained_factor([(F(2), F(0))] * 2, F(0)) == chained([F(2)] * 2) == F(5, 4)
