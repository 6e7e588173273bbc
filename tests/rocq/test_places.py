"""Records that each change the blocks around them: coqc accepts what is written, and no less."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq import check, rocq_file
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.rocq

HEAD = """
title = "Records in the blocks around them"
[domain]
attributes = {{ id = "Record", own = "User", t = "int", s = "int" }}
{limits}
[granularity]
use = "{use}"
{owner}
"""
WINDOWS = "i <= t(c) and t(c) < i + 3"
LOOKED_UP = "i <= f({0}) and f({0}) < i + 3"
GRID = "i <= t(c) and t(c) < i + 2 and j <= s(c) and s(c) < j + 2"
ONE, TWO, MANY = (f'limits = [["own(c)", {n}]]' for n in ("1", "2", '"r"'))
VALUES = 'distinct = [{ of = "t(c)", each = "own(c)", at_most = "r" }]'
DAYS = "t(c) == i and s(c) == j"
SINGLE = 'granularity = "unbounded"'
PURE, PAIRS = 'pure = "{}"', 'approximate = ["{}", "{}"]'


def blocks(member, name="blocks"):
    """A map, and a function of its own if its blocks are said by one."""
    sort = {"f(c": "cell", "f(own": "User", "f(t": "int"}
    mine = [s for start, s in sort.items() if start in member]
    own = f'functions = {{ f = [["{mine[0]}"], "int"] }}\n' if mine else ""
    index = 'i = "k"' + (', j = "l"' if "j" in member else "")
    return f'[[map]]\nname = "{name}"\nindex = {{ {index} }}\n{own}member = "{member}"\n'


def part(name, of, guarantee, more=""):
    return f'[[part]]\nname = "{name}"\nmap = "{of}"\n{more}\nguarantee = {{ {guarantee} }}\n'


def spec(use, limits, maps, parts):
    symbols = '\nsymbols = { r = "r >= 1" }' if '"r"' in limits else ""
    owner = 'owner = "own"' if use.startswith("user") else ""
    return HEAD.format(limits=limits + symbols, use=use, owner=owner) + "".join((*maps, *parts))


def one(use, limits, member, more="", guarantee=PURE):
    said = guarantee.format("eps", "delta")
    return spec(use, limits, [blocks(member)], [part("counts", "blocks", said, more)])


COUNTED = """
title = "Counts of blocks that records enter and leave"
[domain]
attributes = {{ id = "Record", t = "int", s = "int" }}
[granularity]
use = "nearby"
value = "t"
{map}image = {{ {image} }}
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = {{ {guarantee} }}
"""


def counted(member, image="", guarantee=PURE):
    """Counts of what blocks hold, where a value moves by one."""
    said = guarantee.format("eps", "delta")
    return COUNTED.format(map=blocks(member), image=image, guarantee=said)


STAYS = """
title = "Values that move, or stay"
setting = "common"
[domain]
attributes = { id = "Record", t = "int" }
symbols = { s = "s >= 0" }
cell = "1 <= t(c)"
[granularity]
name = "moved by at most s"
[[granularity.edit]]
params = { a = "cell", b = "cell" }
guard = "D[a] >= 1 and id(a) == id(b) and abs(t(a) - t(b)) <= s"
change = { a = -1, b = 1 }
"""
TEAM_OR_DAYS = """
title = "All records of a user, or of two days"
[domain]
attributes = { id = "Record", user = "User", day = "int" }
limits = [["user(c)", 2]]
[[granularity]]
name = "a user or two days"
[[granularity.edit]]
params = { u = "User" }
frame = "user(c) == u"
[[granularity.edit]]
params = { t = "int" }
frame = "t <= day(c) and day(c) < t + 2"
[[map]]
name = "teams"
member = "day(c) == i and team(user(c)) == j"
index = { i = "T", j = "k" }
functions = { team = [["User"], "int"] }
[[part]]
name = "counts"
map = "teams"
guarantee = { pure = "e" }
"""
TO_THE_NEXT_DAY = """
title = "A record goes to the next day"
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"], day = "int" }
cap = 1
[[granularity]]
name = "the next day"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "user(x) == user(y) and kind(x) == kind(y) and day(x) + 1 == day(y)"
change = { x = -1, y = 1 }
[[map]]
name = "b"
use = "filter"
keep = "kind(c) == b"
[[part]]
name = "replaced"
map = "b"
granularity = "bounded"
guarantee = { pure = "e" }
"""
BEFORE_AND_LABELS = """
title = "All records of a user, or of a day, in all blocks from a day on"
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"], day = "int" }
limits = [["user(c)", "m"], ["day(c)", "r"]]
symbols = { m = "m >= 1", r = "r >= 2" }
cell = "1 <= day(c) and day(c) <= 3"
[[granularity]]
name = "a user, or one's day"
[[granularity.edit]]
params = { t = "int", u = "User" }
frame = "day(c) == t and user(c) == u"
[[granularity.edit]]
params = { u = "User" }
frame = "user(c) == u"
step = "old == 0"
[[map]]
name = "before"
member = "day(c) <= i"
index = { i = "T" }
[[map]]
name = "kinds"
use = "partition"
by = "kind"
[[part]]
name = "counts"
map = "before"
granularity = "unbounded"
guarantee = { pure = "e0" }
[[part]]
name = "more"
map = "kinds"
granularity = "unbounded"
guarantee = { approximate = ["e", "d"] }
"""
OF_A_KIND = """
title = "The only record of a kind that a user has"
setting = "common"
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"] }
limits = [["user(c), kind(c)", 1]]
[[granularity]]
name = "a record of kind a comes"
[[granularity.edit]]
params = { u = "User" }
frame = "user(c) == u and kind(c) == a"
step = "old == 0"
[[map]]
name = "groups"
member = "kind(c) == a and group(id(c)) == i"
index = { i = "k" }
functions = { group = [["Record"], "int"] }
[[part]]
name = "counts"
map = "groups"
guarantee = { pure = "e" }
"""
SOME_DAYS = """
title = "All records of a user in one of the days that there are"
[domain]
attributes = {{ id = "Record", user = "User", day = "int" }}
limits = [["{key}", "m"]]
cell = "1 <= day(c) and day(c) <= T"
symbols = {{ T = "T >= 1", m = "m >= 1" }}
[granularity]
use = "{use}"
owner = "user"
[[map]]
{map}
[[part]]
name = "counts"
map = "days"
granularity = "unbounded"
guarantee = {{ {guarantee} }}
"""


def some_days(guarantee, key="user(c)", use="user_presence", mapping=None):
    days = mapping or 'name = "days"\nmember = "day(c) == i"\nindex = { i = "k" }'
    said = guarantee.format("e", "d")
    return SOME_DAYS.format(guarantee=said, key=key, use=use, map=days)


ALL_DAYS = 'name = "days"\nuse = "identity"'
LABELS = '[[map]]\nname = "labels"\nuse = "partition"\nby = "own(c)"\nindex = { l = "m" }\n'
TOTAL = '[[map]]\nname = "all"\nuse = "identity"\n'
CASES = {
    "one that is replaced": one("user", ONE, WINDOWS, guarantee=PAIRS),
    "any number": one("user", MANY, WINDOWS, guarantee=PAIRS),
    "few values of one index": one("user", VALUES, DAYS, guarantee=PAIRS),
    "few values that come or go": one("user_presence", VALUES, DAYS),
    "one value that comes or goes": one("user_presence", VALUES.replace('"r"', "1"), DAYS),
    "one choice of two values": one(
        "user_presence", VALUES.replace('"r"', "1").replace('"t(c)"', '"(t(c), s(c))"'), GRID),
    "one value of labels": one(
        "user_presence", VALUES.replace('"r"', "1"), "f(t(c)) == i and s(c) == j", guarantee=PAIRS),
    "few values of labels": one("user", VALUES, "f(t(c)) == i and s(c) == j"),
    "few values in sets": one("user", VALUES + '\nkind = "set"', DAYS),
    "few records, and few values of something else": one(
        "user_presence",
        'limits = [["own(c)", 5]]\ndistinct = [{ of = "id(c)", each = "t(c)", at_most = 7 }]',
        WINDOWS),
    "cells of a grid": one("user_presence", MANY, GRID),
    "values of a function": one("user_presence", MANY, LOOKED_UP.format("c")),
    "single records": one("user_presence", MANY, WINDOWS, SINGLE, PAIRS),
    "one single record": one("user_presence", ONE, LOOKED_UP.format("t(c)"), SINGLE, PAIRS),
    "a record for another": one("bounded", "", WINDOWS, SINGLE, PAIRS),
    "counts": counted("t(c) <= i"),
    "counts with two indices": counted("i <= t(c) and t(c) <= j", guarantee=PAIRS),
    "images": counted("i <= t(c) and t(c) <= i + 2", 's = "s(c)"'),
    "images with two indices": counted("i <= t(c) and t(c) <= j", 's = "s(c) // 2"'),
    "all blocks": one("user_presence", MANY, "i <= t(c)", SINGLE, PAIRS),
    "all blocks of one": one("user_presence", ONE, "i <= t(c)", SINGLE, PAIRS),
    "single records beside a total": spec(
        "user_presence", MANY, [blocks(WINDOWS), TOTAL],
        [part("counts", "blocks", 'pure = "eps"', SINGLE),
         part("total", "all", 'pure = "eps0"', SINGLE)]),
    "two maps": spec(
        "user_presence", TWO, [blocks(WINDOWS), blocks("i == t(c)", "days")],
        [part("counts", "blocks", 'pure = "eps"'), part("more", "days", 'pure = "eta"')]),
    "two maps, single records": spec(
        "user_presence", MANY, [blocks(WINDOWS), blocks("i == t(c)", "days")],
        [part("counts", "blocks", 'approximate = ["eps", "delta"]', SINGLE),
         part("more", "days", 'pure = "eta"', SINGLE)]),
    "moves that may change nothing":
        STAYS + blocks("t(c) == i") + part("p", "blocks", 'pure = "e"'),
    "a team of a user, or all teams on two days": TEAM_OR_DAYS,
    "a record for another, of which the edit asks less": TO_THE_NEXT_DAY,
    "all from a day on beside labels": BEFORE_AND_LABELS,
    "one record with two keys": OF_A_KIND,
    "all in one of some days": some_days(PURE),
    "all in one of some days, with a delta": some_days(PAIRS),
    "so many a day that come": some_days(PURE, "user(c), day(c)", mapping=ALL_DAYS),
    "so many a day": some_days(PURE, "day(c), user(c)", "user", ALL_DAYS),
    "labels beside days": spec(
        "user", "", [blocks("t(c) == i"), LABELS],
        [part("counts", "blocks", 'pure = "eps"'), part("more", "labels", 'pure = "eta"')]),
    "labels beside all before": spec(
        "unbounded", "", [blocks("t(c) <= i"), blocks("t(c) == i", "days"), LABELS],
        [part("counts", "blocks", 'pure = "eps"'), part("daily", "days", 'pure = "e"'),
         part("more", "labels", 'pure = "eta"')]),
    "facts about times": one("user_presence", f'{MANY}\ncell = "0 <= t(c) and t(c) <= 9"', WINDOWS),
}  # fmt: skip


def file(text):
    found = load_spec(text).derive()
    return rocq_file(certificate(found.theorems, found))


@pytest.mark.parametrize("name", CASES)
def test_coqc_accepts(name):
    assert check(file(CASES[name])).holds


WEAKER = {
    "days that are left out": ("all in one of some days", "(i <= T_)", "(i < T_)"),
    "a record fewer a day": ("so many a day", "IZR m_ * IZR T_", "(IZR m_ - 1) * IZR T_"),
    "one choice fewer": ("any number", "Z.to_nat (2 * r_)", "Z.to_nat (2 * r_ - 1)"),
    "cells without a corner": ("cells of a grid", "(p1 + (-1)) <= (fst i)", "p1 <= (fst i)"),
    "one record of two": ("all blocks", "(IZR r_ * ", "((IZR r_ - 1) * "),
    "what one record costs": ("a record for another", "(2 * eps_ i)", "(1 * eps_ i)"),
    "places that are the same": ("moves that may change nothing", "(p1 < p2)", "(p2 < p1)"),
    "times that are left out": ("facts about times", "(p1 <= 9)", "(p1 <= 8)"),
}


@pytest.mark.parametrize("what", WEAKER)
def test_coqc_rejects_less(what):
    name, old, new = WEAKER[what]
    text = file(CASES[name])
    start = text.index("Variable O :")
    end = text.index("Definition claim", start)
    assert old in text[start:end], text[start:end]
    wrong = text[:start] + text[start:end].replace(old, new) + text[end:]
    assert not check(wrong).accepted


def test_no_file_is_written_where_no_edit_names_the_record_that_a_block_sees():
    """Of a user's m records each of m blocks sees one, which nothing names."""
    text = some_days(PURE).replace("limits = [", 'limits = [["user(c), day(c)", 1], ')
    with pytest.raises(UnwrittenError, match="no edit of counts is about what"):
        file(text)
