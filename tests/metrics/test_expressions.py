"""Expressions over metrics: order, triangle inequality, and points that refute."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.metrics.expressions import at_most, is_metric
from dpcomp_sym.terms.points import PointSpace, expression, value_at_least

LIPSCHITZ = "pull(f, d) <= 2*d"


@pytest.mark.parametrize(
    ("left", "right", "facts"),
    [
        ("d", "d", ()),
        ("d", "d + e", ()),
        ("max(d, e)", "l2(d, e)", ()),
        ("l2(d, e)", "d + e", ()),
        ("d + e", "2*max(d, e)", ()),
        ("l2(a, b)", "3/2*max(a, b)", ()),
        ("2*l2(a, b)", "l2(2*a, 2*b)", ()),
        ("max(a, b) + c", "max(a + c, b + c)", ()),
        ("min(d, e)", "1/2*d + 1/2*e", ()),
        # A count and a place (GB24, IV.2), where the place moves at most twice as far.
        ("counts + pull(f, d)", "counts + 2*d", (LIPSCHITZ,)),
        ("pull(f, pull(f, d))", "4*d", (LIPSCHITZ, "pull(f, pull(f, d)) <= 2*pull(f, d)")),
        # One replacement is two changes: what is known of granularities can be stated.
        ("unbounded + place", "2*bounded + place", ("unbounded <= 2*bounded",)),
    ],
)
def test_proved(left, right, facts):
    found = at_most(left, right, facts)
    assert found.verdict == "proved"
    assert "(check-sat)" in found.script


@pytest.mark.parametrize(
    ("left", "right", "facts"),
    [
        ("d", "e", ()),
        ("2*d", "d", ()),
        ("d + e", "l2(d, e)", ()),
        ("l2(d, e)", "max(d, e)", ()),
        ("l2(a, b)", "7/5*max(a, b)", ()),
        ("pull(f, d)", "d", ()),
        ("pull(f, d)", "d", (LIPSCHITZ,)),
        ("d + 1", "d", ()),
    ],
)
def test_refuted_by_points(left, right, facts):
    found = at_most(left, right, facts)
    assert found.verdict == "refuted"
    space = found.space
    assert value_at_least(space, expression(right), expression(left), ("x",), ("y",)) is False
    metrics = {metric for metric, _, _ in space.distances}
    assert all(space.is_metric(m) for m in metrics)


def test_infinite_distances_count():
    """Where d is infinite, d + e is, but e is not; a finite d cannot refute."""
    assert at_most("d", "d + e").verdict == "proved"
    far = at_most("min(d, 5)", "e", ("5*e <= d", "5 <= d + 1000*e"))
    assert far.verdict == "refuted"
    shown = at_most("d", "1000*e", ["e <= 1", "1 <= e"], finite=["e"])
    assert shown.verdict == "refuted"


@pytest.mark.parametrize(
    "text", ["d", "d + 2*e", "max(d, e)", "l2(d, e)", "pull(f, d)", "l2(d, pull(f, e)) + max(d, e)"]
)
def test_metrics(text):
    assert is_metric(text).verdict == "proved"


@pytest.mark.parametrize("text", ["min(d, e)", "d + 1", "min(2*d, d + pull(f, d))"])
def test_no_metrics(text):
    found = is_metric(text)
    assert found.verdict == "refuted"
    assert len(found.space.points) >= 3


def test_pullbacks_compose_in_order():
    """pull(f, pull(g, d)) is d between g(f(x)) and g(f(y))."""
    assert expression("pull(f, pull(g, d))").through == ("f", "g")
    assert at_most("pull(f, pull(g, d))", "pull(g, pull(f, d))").verdict == "refuted"


@pytest.mark.in_turn
def test_random_expressions_agree_with_numbers():
    """Proved inequalities hold at random points; refuted ones fail at the points shown."""
    rng = random.Random(0)
    x, y = ("x",), ("y",)

    def made(depth):
        if depth == 0 or rng.random() < 0.3:
            return rng.choice("ab")
        word = rng.choice(["+", "*", "max", "min", "l2"])
        first, second = made(depth - 1), made(depth - 1)
        if word == "+":
            return f"({first} + {second})"
        return f"{rng.choice([1, 2, 3])}*({first})" if word == "*" else f"{word}({first}, {second})"

    verdicts = set()
    for _ in range(60):
        left, right = made(2), made(2)
        found = at_most(left, right)
        verdicts.add(found.verdict)
        for a, b in itertools.product([0, 1, 2, Fraction(1, 3), None], repeat=2):
            space = PointSpace((x, y), {("a", x, y): a, ("b", x, y): b})
            holds = value_at_least(space, expression(right), expression(left), x, y)
            assert not (found.verdict == "proved" and holds is False), (left, right, a, b)
    assert {"proved", "refuted"} <= verdicts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d - e", "not an expression over metrics"),
        ("d * e", "should be a number"),
        ("d / 0", "divided by 0"),
        ("1/0", "divided by 0"),
        ("sqrt(d)", "not an expression over metrics"),
        ("pull(d)", "not an expression over metrics"),
        ("d +", "cannot read"),
        ("1 is 2", "is not an expression over metrics"),
        ("d" + " + d" * 5000, "nested too deeply"),
    ],
)
def test_what_is_no_expression(text, message):
    with pytest.raises(InputError, match=message):
        expression(text)


def test_unknown_names_are_told():
    with pytest.raises(InputError, match="did you mean 'euclid'"):
        expression("euclidd", ["euclid", "counts"])
    with pytest.raises(InputError, match="not an inequality"):
        at_most("d", "e", ["d < e"])
