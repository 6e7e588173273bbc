"""For which numbers of the symbols a confirmed pair stays what it is."""

from __future__ import annotations

import itertools
import operator

import pytest

from dpcomp_sym.engine.persist import Span, VaryingAnswerError
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite.holding import numbers_where
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import Environment, Scope, evaluate, parse

ENDS = (-2, -1, 0, 1, 2, None)
COMPARED = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


def spans():
    for low, high in itertools.product(ENDS, repeat=2):
        if low is None or high is None or low <= high:
            yield Span(low, high)


def numbers(span):
    low = -9 if span.low is None else span.low
    high = 9 if span.high is None else span.high
    return range(low, high + 1)


@pytest.mark.parametrize("compare", COMPARED)
def test_a_comparison_is_decided_only_if_all_numbers_agree(compare):
    for left, right in itertools.product(spans(), spans()):
        answers = {compare(a, b) for a in numbers(left) for b in numbers(right)}
        try:
            assert {compare(left, right)} == answers
        except VaryingAnswerError:
            assert len(answers) == 2 or {left.low, left.high, right.low, right.high} & {None}


@pytest.mark.parametrize("combine", [operator.add, operator.sub])
def test_sums_hold_all_that_numbers_give(combine):
    for left, right in itertools.product(spans(), spans()):
        found = combine(left, right)
        for a, b in itertools.product(numbers(left), numbers(right)):
            assert found.low is None or found.low <= combine(a, b)
            assert found.high is None or combine(a, b) <= found.high


@pytest.mark.parametrize("factor", [-2, 0, 3])
def test_multiples_hold_all_that_numbers_give(factor):
    for span in spans():
        for found in (span * factor, factor * span):
            for n in numbers(span):
                assert found.low is None or found.low <= n * factor
                assert found.high is None or n * factor <= found.high


@pytest.mark.parametrize(
    "use",
    [bool, hash, range, lambda s: s * s, lambda s: s == "a", lambda s: s == 1, lambda s: [1][s]],
)
def test_what_needs_one_number_is_not_decided(use):
    with pytest.raises(VaryingAnswerError):
        use(Span(0, 2))


SPEC = """
[domain]
attributes = {{ id = "Record", day = "int" }}
symbols = {{ w = "w >= 1", u = "true" }}
{domain}
[granularity]
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= 1 and x != y and {guard}"
change = {{ x = -1, y = 1 }}
[[part]]
name = "p"
map = "partition"
setting = "common"
guarantee = {{ pure = "eps" }}
"""


@pytest.mark.parametrize(
    ("domain", "guard", "shown"),
    [
        ("", "day(x) <= w", [""]),
        ("", "day(x) <= u", ["u >= 0"]),
        ("", "u >= 2 and u <= 5", ["u = 2"]),
        ('size = "size(D) == w"', "true", ["w = 1"]),
        ('size = "size(D) == w"', "u != 3", ["w = 1"]),
        ('cell = "w <= day(c) and day(c) <= 2*w"', "true", ["w = 1"]),
        ("", "u == 7", ["u = 7"]),
    ],
)
def test_the_numbers_for_which_a_bound_is_attained(domain, guard, shown):
    profile = profile_of(Structure(load_spec(SPEC.format(domain=domain, guard=guard)).problem))
    assert profile.exact
    text = [" ".join(str(i) for i in c.shown if "u != 3" not in guard or i.symbol == "w")
            for c in profile.cases]  # fmt: skip
    assert text == shown


FORMULAS = (
    "i == t", "i != t", "2*i < 3*t + 1", "i - t <= 2 or -i >= t", "f(i) == 1", "f(i + 1) >= t",
    "implies(i >= 3, 2*i == t + i) and not i == 5", "(1 if i < t else 2) == 2", "t == 1",
    "g(t, 2*i)",
    "f(f(i)) == 0", "i*t == 6", "i*i == t", "f(i) == i",
)  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_blocks_that_hold_a_cell_are_all_found(text):
    functions = {"f": (("int",), "int"), "g": (("int", "int"), "bool")}
    formula = parse(text, Scope(variables={"i": "int", "t": "int"}, functions=functions))
    tables = {"f": {(2,): 1, (4,): 7, (9,): 1}, "g": {(3, 4): True, (3, 8): True, (1, 4): True}}
    look = {
        "f": lambda n: tables["f"].get((n,), 0),
        "g": lambda a, b: tables["g"].get((a, b), False),
    }
    for t in range(-3, 8):
        env = Environment({"t": t}, look)
        wanted = [i for i in range(1, 25) if evaluate(formula, Environment({"t": t, "i": i}, look))]
        assert list(numbers_where(formula, "i", range(1, 25), env, tables)) == wanted
