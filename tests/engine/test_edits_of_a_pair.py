"""Neighbours that several edits link: what is said of one edit is looked at with that one."""

from __future__ import annotations

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

SPEC = """
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"], day = "int" }
LIMITS
[[granularity]]
name = "g"
EDITS
[[map]]
name = "blocks"
MAP
[[part]]
name = "counts"
map = "blocks"
granularity = "g"
PART
guarantee = { pure = "eps" }
"""
ONE = """[[granularity.edit]]
params = { x = "cell" }
change = { x = 1 }
"""
USER = """[[granularity.edit]]
params = { u = "User" }
frame = "user(c) == u"
"""
LEAVES = USER.replace('u"', 'u and kind(c) == a"\nstep = "old == 0"', 1)
LABELS = """member = "kind(c) == a and h(id(c)) == i"
index = { i = "k" }
functions = { h = [["Record"], "int"] }"""
LIMIT = 'limits = [["user(c)", "m"]]\nsymbols = { m = "m >= 1" }'
BY_DAY = 'limits = [["user(c), day(c)", "r"]]\nsymbols = { r = "r >= 1" }'


def spec(limits, edits, mapping, part=""):
    text = SPEC.replace("LIMITS", limits).replace("EDITS", edits).replace("MAP", mapping)
    return load_spec(text.replace("PART", part))


def bound(*what):
    found = spec(*what).derive().bounds[0]
    return found.text, found.tight


def test_one_record_may_come_by_itself_or_with_its_user():
    common = 'setting = "common"'
    expected = ("sum of the m largest eps[i]", "yes")
    assert bound(LIMIT, ONE + LEAVES, LABELS, common) == expected
    assert bound(LIMIT, LEAVES + ONE, LABELS, common) == expected


def test_an_edit_by_which_two_databases_are_neighbours():
    problem = spec(LIMIT, ONE + LEAVES, LABELS).problem
    cell = ("record1", "user1", "a", 0)
    elements = {"Record": ("record1",), "User": ("user1",)}
    world = World(problem.domain, (cell,), elements, symbols={"m": 1})
    one, leaves = problem.outer.edits
    assert world.linking(problem.outer, {}, {cell: 1}).edit == 0
    assert world.linking(problem.outer, {}, {cell: 1}, by=one).edit == 0
    assert world.linking(problem.outer, {}, {cell: 1}, by=leaves).edit == 1
    assert world.linking(problem.outer, {cell: 1}, {cell: 2}).edit == 0
    assert world.linking(problem.outer, {cell: 1}, {cell: 2}, by=leaves) is None


@pytest.mark.parametrize("mapping", [LABELS, 'use = "partition"'])
@pytest.mark.parametrize("limits", [BY_DAY, BY_DAY.replace('"r"]', "2]")])
def test_days_without_end_with_few_records_each(mapping, limits):
    """A user has at most r records a day, on any days: one in each block."""
    assert bound(limits, USER, mapping) == ("sum(eps[i])", "yes")


TWO = """[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "x != y and day(x) == day(y)"
change = { x = "-1", y = "1" }
"""
UP_TO = """member = "day(c) == i and f(id(c)) <= j"
index = { i = "k", j = "k" }
functions = { f = [["Record"], "int"] }"""


@pytest.mark.parametrize("edits", [TWO + USER, USER + TWO])
def test_several_records_are_not_part_of_what_two_records_do(edits):
    """A user has four of them at most, on any days; those that are replaced are of one day."""
    limit = 'limits = [["user(c), kind(c)", 1]]'
    text, _ = bound(limit, edits, UP_TO, 'setting = "common"')
    of_two = "max over t, u, v of sum(eps[i,j] for i == t and u <= j or i == t and v <= j)"
    of_user = "max over 4 choices of t, u of sum(eps[i,j] for i == t and u <= j)"
    assert text in {f"max({of_two}, {of_user})", f"max({of_user}, {of_two})"}
