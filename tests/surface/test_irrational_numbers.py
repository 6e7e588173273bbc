"""Roots, logarithms and powers of e as numbers of parameters: as fractions close by, but exact."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import cycle
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.numbers.columns import parameter_names
from dpcomp_sym.numbers.exact import as_float

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBERS = {
    "log(3)": math.log(3),
    "sqrt(2)": math.sqrt(2),
    "exp(1/2)": math.exp(0.5),
    "log(2)/3": math.log(2) / 3,
    "1/sqrt(5)": 1 / math.sqrt(5),
}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name",
    [
        "hierarchy-tree", "several-maps-one-frame", "user-records-budget", "users-in-groups",
        "w-event-each-step",
    ],
)  # fmt: skip
def test_bounds_are_those_of_fractions_close_by(name):
    question = dp.load(EXAMPLES / f"{name}.toml")
    derived = question.derive()
    words = cycle(NUMBERS)
    chosen = {p: "1/1000" if slot else next(words) for p, slot in parameter_names(derived.profile)}
    sizes = {s: 2 for s in derived.symbols if s not in chosen}
    near = {
        p: Fraction(NUMBERS[word]).limit_denominator(10**12) if word in NUMBERS else word
        for p, word in chosen.items()
    }
    exact, close = derived.subs(**sizes, **chosen), derived.subs(**sizes, **near)
    compared = 0
    for bound, other in zip(exact.bounds, close.bounds, strict=True):
        if bound.notion != "approximate":  # whether its pair is the best is found in enclosures
            assert bound.tight == other.tight
        assert (bound.value is None) == (other.value is None)
        pair = [x if isinstance(x, tuple) else (x,) for x in (bound.value, other.value)]
        for a, b in zip(*pair, strict=True):
            if a is not None:
                assert not isinstance(a, float)  # nothing is rounded
                assert math.isclose(as_float(a), as_float(b), rel_tol=1e-9)
                compared += 1
    assert compared >= 1
