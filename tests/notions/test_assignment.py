"""The best assignment of blocks to groups, against all there are."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcomp_sym.numbers.assignment import largest_assignment
from dpcomp_sym.numbers.exact import gdp_squared

amounts = st.fractions(min_value=0, max_value=9, max_denominator=3)


@st.composite
def problems(draw):
    groups, blocks = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    row = st.lists(amounts, min_size=blocks, max_size=blocks)
    capacities = draw(st.lists(st.integers(0, 2), min_size=groups, max_size=groups))
    return capacities, draw(st.lists(row, min_size=groups, max_size=groups))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(problems())
def test_no_assignment_is_better(problem) -> None:
    capacities, costs = problem
    free = len(costs)
    sums = (
        sum((costs[g][b] for b, g in enumerate(where) if g != free), Fraction(0))
        for where in itertools.product(range(free + 1), repeat=len(costs[0]))
        if all(where.count(g) <= most for g, most in enumerate(capacities))
    )
    assert largest_assignment(capacities, costs) == max(sums)


def test_what_is_infinite_stays_so() -> None:
    assert largest_assignment([1], [[math.inf, 1]]) == math.inf
    assert largest_assignment([1], [[0.5, 0.25]]) == 0.5


def test_numbers_that_no_float_tells_apart_are_placed_rightly():
    tiny = Fraction(1, 10**40)
    small, large = gdp_squared(Fraction(1)), gdp_squared(1 + tiny)
    for row in ([small, large], [large, small]):
        assert largest_assignment([1, 1], [row, [1, 1]]) == large + 1
