"""Stretches of days that come, go or move, a block a day: all blocks can change at once."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

LEASES = """
setting = "common"
[domain]
attributes = {{ flat = ["a", "b"], start = "int", end = "int" }}
symbols = {{ w = "w >= 1" }}
cell = "start(c) <= end(c)"
kind = "set"
[granularity]
{granularity}
[[map]]
name = "days"
index = {{ i = "k" }}
member = "{member}"
[[part]]
name = "counts"
map = "days"
guarantee = {{ pure = "eps", zcdp = "rho" }}
"""
MOVED = """name = "a lease moves"
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= 1 and x != y and flat(x) == flat(y) and {}"
change = {{ x = -1, y = 1 }}
"""
LENGTH = "end(x) - start(x) == end(y) - start(y) and abs(start(x) - start(y)) <= w"
ENDS = "abs(start(x) - start(y)) <= w and abs(end(x) - end(y)) <= w"
SHORT = "end(y) == start(y) + w and end(x) == start(x) + w"
DAY = "start(c) <= i and i <= end(c)"
CASES = {
    "comes or goes": ('use = "unbounded"', DAY, "sum(eps[i])"),
    "moves as a whole": (MOVED.format(LENGTH), DAY, "sum(eps[i])"),
    "moves at both ends": (MOVED.format(ENDS), DAY, "sum(eps[i])"),
    "has a length": (MOVED.format(SHORT), DAY, None),
    "every other day": ('use = "unbounded"', "start(c) <= 2*i and 2*i <= end(c)", "sum(eps[i])"),
}
SPANS = [(a, b) for a, b in itertools.combinations_with_replacement(range(7), 2)]


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_leases(case):
    granularity, member, said = CASES[case]
    problem = load_spec(LEASES.format(granularity=granularity, member=member)).problem
    pairs = itertools.combinations([("a", *s) for s in SPANS], 2)
    found = Comparison(1, Drawn(problem, {"k": 3, "w": 1}, lambda: pairs, {}))
    assert not found.wrong()
    assert "tight" in found.kinds()
    if said:
        assert derive(problem).bounds["pure"].text == said
    else:
        assert "max over" in derive(problem).bounds["pure"].text
