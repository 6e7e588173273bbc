"""Published statements made complete: what is claimed to be best is, and what is not falls."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from tests.command import dpcomp
from theorems import _run, further
from theorems._entry import Fallen, status_of
from theorems._facts import bounded_by
from theorems.counterexamples.not_canonical_up_to_a_factor import is_canonical


@pytest.mark.parametrize(
    ("lengths", "canonical"),
    [((3, 3, 3), True), ((5, 5, 10), True), ((2, 3, 4), False), ((1, 1, 1.5), False)],
)
def test_multiples_of_canonical_metrics_of_three_databases(lengths, canonical):
    assert is_canonical(*map(Fraction, lengths)) == canonical


@pytest.mark.parametrize("row", ["GB24.IV.6", "GB24.V.4", "GB24.IV.12", "GB24.V.6", "GB24s.III.4"])
def test_that_the_largest_is_best_is_said_under_its_own_number(row):
    assert any("is the best bound" in entry.statement for entry in _run.select([row]).values())


def test_a_smaller_bound_falls(monkeypatch):
    for body, bound in (
        (further.tight_max_of_compatible_nonexpansive, {"pure": "min(eps[i])"}),
        (further.gaussian_two_largest_of_two_records, {"gaussian": "max(mu[i])"}),
    ):
        monkeypatch.setattr(further, "bounded_by", lambda p, _, bound=bound: bounded_by(p, bound))
        with pytest.raises(Fallen):
            status_of(body())


def test_the_two_blocks_of_the_gaussian_example_are_decided():
    shown = dpcomp("theorems", "show", "GB24.VI.25").stdout
    assert "sqrt(sum of the 2 largest mu[i]^2)" in shown
    assert "status       derived" in shown


def _divergence(p, q, order):
    total = sum(x**order * y ** (1 - order) for x, y in zip(p, q, strict=True))
    return math.log(total) / (order - 1)


def test_the_weak_triangle_inequality_at_all_orders():
    draw = random.Random(9)
    close = 0
    for _ in range(500):
        p, q, r = ([draw.random() + 0.01 for _ in range(3)] for _ in range(3))
        p, q, r = ([x / sum(law) for x in law] for law in (p, q, r))
        order, s = 1 + draw.random() * 4, 1 + draw.random() * 3
        bound = (order - 1 / s) / (order - 1) * _divergence(p, r, s * order)
        bound += _divergence(r, q, (s * order - 1) / (s - 1))
        found = _divergence(p, q, order)
        assert found <= bound * (1 + 1e-9)
        close += found > bound / 2
        assert found <= math.log(max(x / y for x, y in zip(p, q, strict=True)))
    assert close > 10


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("GB24s.III.1", "blocks that change together"), ("GB24.IV.11", "any pseudometrics"),
        ("GB24.V.5", "blocks that change together"), ("GB24.VI.14", "any pseudometrics"),
        ("GB24.VI.22", "any pseudometrics"), ("GB24.VI.5", "any functions of two databases"),
        ("GB24.VI.7", "any functions of two databases"), ("GB24.VII.2", "whatever that notion is"),
        ("GB24.IV.9", "Laplace"), ("HBW.V-A.1", "any composition theorem"),
    ],
)  # fmt: skip
def test_a_statement_is_as_general_as_the_published_one(row, words):
    assert any(words in entry.statement for entry in _run.select([row]).values())
