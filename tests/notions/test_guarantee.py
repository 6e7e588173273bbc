"""Guarantees in numbers: what is said of them, and as what machines read them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpcomp_sym.numbers.exact import exponential, root
from dpcomp_sym.numbers.guarantee import is_irrational, plain
from dpcomp_sym.profile import INFINITY

F = Fraction
HUGE = F(10**400, 3)
E_TO_1000 = exponential(1000)


@pytest.mark.parametrize(
    "g", [root(2), E_TO_1000, (1, root(2)), (root(2), F(1, 3)), (root(2), E_TO_1000)]
)
def test_roots_and_powers_of_e_are_irrational(g):
    """Alone, and as either number of a pair."""
    assert is_irrational(g)


@pytest.mark.parametrize("g", [2, F(1, 3), 0.5, (1, F(1, 3)), (0.5, 0.25), INFINITY])
def test_fractions_and_floats_are_not(g):
    assert not is_irrational(g)


@pytest.mark.parametrize(
    ("g", "read"),
    [
        (2, 2), (F(4, 2), 2), (F(1, 4), 0.25), (0.5, 0.5), (root(2), math.sqrt(2)),
        (INFINITY, "inf"), (math.inf, "inf"), (HUGE, "inf"), (E_TO_1000, "inf"),
        (10**400, 10**400), ((root(2), F(1, 4)), [math.sqrt(2), 0.25]),
        ((HUGE, F(1, 4)), ["inf", 0.25]), ((E_TO_1000, 0), ["inf", 0]),
    ],
)  # fmt: skip
def test_machines_read_numbers_and_words(g, read):
    """No float is infinite, which JSON does not know: a word says so, in a pair as well."""
    assert plain(g) == read
    assert repr(plain(g)) == repr(read)
