"""Mechanisms for single records on windows of times, with a limit on the records of each time.

What changes are the records of successive hours: a block sees as many as its hours have in common
with these, and all blocks do so at once.
"""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

HOURS = """
[domain]
attributes = {{ name = "Name", hour = "int" }}
symbols = {{ W = "W >= 1", a = "a >= 1" }}
kind = "set"
{limits}
[granularity]
name = "successive hours"
[[granularity.edit]]
params = {{ t = "int" }}
frame = "t <= hour(c) and hour(c) < t + W"
{step}
[[map]]
name = "blocks"
index = {{ b = "n" }}
member = "{member}"
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = {{ pure = "eps", zcdp = "rho" }}
"""
EACH = 'limits = [["hour(c)", "a"]]'
GO = 'step = "new <= old"'
OTHER = 'limits = [["hour(c)", "a"], ["name(c)", 1]]'
NAMED = 'limits = [["hour(c), name(c)", "a"]]'
TWO = "2*b <= hour(c) and hour(c) < 2*b + 2"


def overlap(factor, low, high, when):
    return f"max over t of sum(max(0, {factor}*(min({high}) - max({low}) + 1))*eps[i] for {when})"


CASES = {
    "an hour a block": ("hour(c) == b", EACH, "", True,
        "max over t of sum((2*a)*eps[i] for t <= i < W + t)"),
    "windows": (TWO, EACH, "", True,
        overlap("2*a", "2*i, t", "2*i + 1, W + t - 1", "t - 1 <= 2*i < W + t")),
    "that overlap": ("b <= hour(c) and hour(c) < b + 2", EACH, "", True,
        overlap("2*a", "i, t + 1", "i + 1, W + t", "t <= i <= W + t")),
    "they only go": (TWO, EACH, GO, True,
        overlap("a", "2*i, t", "2*i + 1, W + t - 1", "t - 1 <= 2*i < W + t")),
    "quotients": ("hour(c) // 2 == b", EACH, "", True,
        overlap("2*a", "2*i, t", "2*i + 1, W + t - 1", "t - 1 <= 2*i < W + t")),
    "quotients, they only go": ("hour(c) // 2 == b", EACH, GO, True,
        overlap("a", "2*i, t", "2*i + 1, W + t - 1", "t - 1 <= 2*i < W + t")),
    "blocks of a symbol's length": ("hour(c) // a == b", EACH, GO, True,
        overlap("a", "a*i, t", "a + a*i - 1, W + t - 1", "t - a < a*i < W + t")),
    "of one name": ("hour(c) // 2 == b", NAMED, "", False,  # there is no more than one an hour
        overlap("2*a", "2*i, t", "2*i + 1, W + t - 1", "t - 1 <= 2*i < W + t")),
    "another limit": ("hour(c) == b", OTHER, "", False, None),
    "names are blocks": ("hour(c) == b", NAMED, "", False, None),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_record_windows(case):
    member, limits, step, tight, said = CASES[case]
    text = HOURS.format(member=member, limits=limits, step=step)
    if case == "of one name":
        text = text.replace('{ t = "int" }', '{ t = "int", who = "Name" }')
        text = text.replace('frame = "', 'frame = "name(c) == who and ')
    problem = load_spec(text).problem
    worlds = [list(itertools.product("xy", range(h, h + 3))) for h in (0, 1, 2, 3)]
    elements = {"Name": ("x", "y")}
    drawn = Drawn(problem, {"n": 2, "W": 2, "a": 1}, lambda: iter(worlds), elements)
    found = Comparison(1, drawn)
    assert not found.wrong()
    assert ("tight" in found.kinds()) == tight
    if said:
        derivation = derive(problem)
        assert derivation.bounds["pure"].text == said
        assert verify(certificate(derivation.theorems, derivation)).verdict == "proved"
