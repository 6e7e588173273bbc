"""Comparisons of quotients say the same without dividing, of all numbers that were tried."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcomp_sym.terms import Scope, evaluate, parse, subterms
from dpcomp_sym.terms.evaluate import Environment
from dpcomp_sym.terms.linear import without_quotients

SCOPE = Scope(variables={"x": "int", "t": "int"})
NUMBERS = range(-9, 10)
SIGNS = ("==", "!=", "<", "<=", ">", ">=")


def alike(text):
    term = parse(text, SCOPE)
    other = without_quotients(term)
    for x, t in itertools.product(NUMBERS, repeat=2):
        env = Environment({"x": x, "t": t})
        assert evaluate(term, env) == evaluate(other, env), (text, x, t)
    return other


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("by", [1, 2, 3, 7])
def test_a_quotient_is_compared_by_what_is_divided(sign, by):
    for text in (f"x // {by} {sign} t", f"t {sign} x // {by}", f"x // {by} {sign} -2"):
        assert all(term.op != "div" for term in subterms(alike(text)))


@pytest.mark.parametrize(
    "text",
    [
        "x // 2 == t // 3", "(x // 2 + t) // 3 >= 1", "x // 2 % 2 == t % 2",
        "not (x // 2 == t) or x // 3 < t", "x // 2 // 3 == t", "(x + t) // 2 == x - t",
        "(1 if x // 2 == t else 2) == 2", "x // 3 * 2 <= t",
    ],
)  # fmt: skip
def test_what_stands_beside_and_inside_is_the_same(text):
    alike(text)


@given(st.integers(-60, 60), st.integers(1, 9), st.sampled_from(SIGNS), st.integers(-9, 9))
def test_for_any_number(x, by, sign, t):
    term = parse(f"x // {by} {sign} t", SCOPE)
    env = Environment({"x": x, "t": t})
    assert evaluate(term, env) == evaluate(without_quotients(term), env)
