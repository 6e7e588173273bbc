"""Chains with deltas, attacked with mechanisms of more outputs than their proof needs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.chained import chained, chained_delta

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
    assert close >= 10  # the comparison is no empty one


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
