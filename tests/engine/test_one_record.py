"""One record in all blocks of several maps at once, where limits leave no room for one in each."""

from __future__ import annotations

import pytest

from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

SPEC = """
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"], day = "int" }
CLASS
[[granularity]]
name = "g"
[[granularity.edit]]
params = { u = "User" }
FRAME
"""
USER = 'frame = "user(c) == u"'
LEAVES = f'{USER}\nstep = "old == 0"'
FEW = 'limits = [["user(c)", "m"]]\nsymbols = { m = "m >= 1" }'
FEW_DAYS = """distinct = [{ of = "day(c)", each = "user(c)", at_most = "m" }]
symbols = { m = "m >= 1" }"""
UP_TO = 'member = "day(c) <= i"\nindex = { i = "T" }'
FROM = 'member = "i <= day(c)"\nindex = { i = "T" }'
USERS = 'use = "partition"\nby = "user"'
EVERY = 'use = "identity"'
KIND = 'use = "filter"\nkeep = "kind(c) == a"'


def bound(of_class, frame, *maps, inner="g"):
    text = SPEC.replace("CLASS", of_class).replace("FRAME", frame)
    for n, mapping in enumerate(maps):
        text += f'[[map]]\nname = "m{n}"\n{mapping}\n'
    for n in range(len(maps)):
        text += f'[[part]]\nname = "p{n}"\nmap = "m{n}"\ngranularity = "{inner}"\n'
        text += f'guarantee = {{ pure = "e{n}" }}\n'
    found = load_spec(text).derive().bounds[0]
    return found.text, found.tight


@pytest.mark.parametrize("of_class", [FEW, FEW_DAYS])
@pytest.mark.parametrize("frame", [USER, LEAVES])
@pytest.mark.parametrize("days", [UP_TO, FROM])
def test_a_record_of_the_first_day_is_counted_from_there_on(of_class, frame, days):
    assert bound(of_class, frame, days) == ("sum(e0[i])", "yes")
    assert bound(of_class, frame, days, USERS) == ("sum(e0[i]) + max(e1[i])", "yes")


def test_with_everything_and_with_records_of_a_kind():
    assert bound(FEW, USER, UP_TO, USERS, EVERY) == ("e2 + sum(e0[i]) + max(e1[i])", "yes")
    assert bound(FEW, USER, UP_TO, KIND) == ("e1 + sum(e0[i])", "yes")


def test_no_day_is_in_blocks_of_both_orders():
    """Of one record a user: counts up to each day and from each day on meet in one day."""
    one = 'limits = [["user(c)", 1]]'
    text, tight = bound(one, LEAVES, UP_TO, FROM)
    assert text == "max over t of (sum(e0[i] for t <= i) + sum(e1[i] for i <= t))"
    assert tight == "yes"


def test_a_limit_that_may_be_zero_leaves_no_room():
    zero = FEW.replace("m >= 1", "m >= 0")
    assert bound(zero, USER, UP_TO, USERS)[1] == "unknown"


def test_mechanisms_that_see_several_records():
    """Those for single records see up to 2m of them: not all in one."""
    text, tight = bound(FEW, USER, UP_TO, USERS, inner="unbounded")
    assert (text, tight) != ("sum(e0[i]) + max(e1[i])", "yes")
    assert "m" in text


BY_DAY = """member = "day(c) == i and h(user(c)) == j"
index = { i = "T", j = "k" }
functions = { h = [["User"], "int"] }"""


@pytest.mark.parametrize("few", [FEW, FEW_DAYS])
def test_few_of_the_first_days_beside_everything(few):
    """Blocks of other days never change; that of some day does, and everything with it."""
    of_class = few + '\ncell = "1 <= day(c) and day(c) <= 5"'
    expected = "max over t of ((sum of the m largest (e0[i,j] for j == t and i <= 5)) + e1)"
    assert bound(of_class, LEAVES, BY_DAY, EVERY) == (expected, "yes")


def test_blocks_of_days_that_there_are_not():
    of_class = FEW + '\ncell = "day(c) <= 0"'
    text, tight = bound(of_class, LEAVES, BY_DAY, EVERY)
    assert "e0" not in text
    assert tight == "yes"


def test_records_that_do_not_come_one_by_one():
    """Of one record a user none could come; of more it takes two to be in all blocks."""
    frame = f'{USER}\nstep = "abs(new - old) != 1"'
    assert bound(FEW, frame, UP_TO, USERS)[1] == "unknown"
