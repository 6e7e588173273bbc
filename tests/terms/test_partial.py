"""Terms in which numbers are known say the same, and less where something is decided."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.terms import Scope, evaluate, parse, specialised
from dpcomp_sym.terms.evaluate import Environment

SCOPE = Scope(variables={"x": "int", "y": "int"})
CASES = [
    ("x == x", "true"),
    ("x != x", "false"),
    ("x < x or y < 1", "y < 1"),
    ("x <= x and y < 1", "y < 1"),
    ("(1 if x >= x else y) == y", "1 == y"),
    ("(1 if x > x else y) == y", "true"),
    ("(1 if x > y else y) == y", "(1 if x > y else y) == y"),
    ("x % 2 == y % 2", "x % 2 == y % 2"),
]


@pytest.mark.parametrize(("text", "short"), CASES)
def test_what_is_compared_with_itself_is_decided(text, short):
    assert specialised(parse(text, SCOPE), ()) == parse(short, SCOPE)


@pytest.mark.parametrize("text", [text for text, _ in CASES])
@pytest.mark.parametrize("number", [-1, 0, 3])
def test_it_means_the_same(text, number):
    term = parse(text, SCOPE)
    for x, y in itertools.product(range(-3, 4), repeat=2):
        here = Environment({"x": x, "y": y}, {}, {}, {})
        assert evaluate(specialised(term, ()), here) == evaluate(term, here)
        there = Environment({"x": number, "y": y}, {}, {}, {})
        assert evaluate(specialised(term, (("x", number),)), there) == evaluate(term, there)
