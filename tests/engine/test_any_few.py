"""Filters that are written out, and a limit on what a person has: any so many of them change.

What is counted is compared with all that one person's records can do to five filters.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.profiler import attained
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"own": "User", "day": "int", "v": "int"}
DAYS = "1 <= day(c) and day(c) <= T"
SYMBOLS = {"r": "r >= 1", "q": "q >= 1", "T": "T >= 1"}


def filters(many, each="v(c) == {n}", rest="v(c) == {n}"):
    """Return blocks that are written out: every second one says ``rest``."""
    texts = [(each if n % 2 else rest).format(n=n) for n in range(1, many + 1)]
    member = " or ".join(f"(i == {n} and {text})" for n, text in enumerate(texts, 1))
    return Map("blocks", member, index={"i": many})


def pure(blocks, limits, use="user", days=DAYS, symbols=SYMBOLS, **more):
    domain = Domain(ATTRIBUTES, limits=limits, symbols=symbols, cell=days, **more)
    edits = library_granularity(use, owner="own")
    return derive(Problem(domain, edits, [blocks], [Part("counts", "blocks")])).bounds[0]


A_DAY = ("own(c), day(c)", "r")
IN_ALL = ("own(c)", "q")


@pytest.mark.parametrize(
    ("use", "limits", "count"),
    [
        ("user_presence", [("own(c)", 3)], "3"),
        ("user", [("own(c)", 3)], "6"),
        ("user_presence", [IN_ALL], "q"),
        ("user", [IN_ALL], "2*q"),
        ("user_presence", [A_DAY], "r*T"),
        ("user", [A_DAY], "2*r*T"),
        ("user", [A_DAY, ("own(c)", "r")], "2*r"),
        ("user", [A_DAY, ("v(c)", 1)], "2*r*T"),
        ("user_presence", [("own(c), day(c)", 1), ("v(c)", 5)], "T"),
    ],
)
def test_any_so_many_filters_change(use, limits, count):
    bound = pure(filters(40), limits, use)
    assert (bound.text, bound.tight) == (f"sum of the {count} largest eps[i]", "yes")


def test_a_listed_attribute_has_as_many_values_as_are_listed():
    domain = Domain({**ATTRIBUTES, "day": ["mon", "tue", "wed"]}, limits=[A_DAY], symbols=SYMBOLS)
    edits = library_granularity("user", owner="own")
    bound, *_ = derive(Problem(domain, edits, [filters(40)], [Part("counts", "blocks")])).bounds
    assert (bound.text, bound.tight) == ("sum of the 6*r largest eps[i]", "yes")


def test_one_value_a_person():
    bound = pure(filters(40), [IN_ALL], distinct=[("v(c)", "own(c)", 1)])
    assert (bound.text, bound.tight) == ("sum of the 2 largest eps[i]", "yes")


def test_filters_that_can_hold_nothing_do_not_count():
    bound = pure(filters(40, rest="v(c) == {n} and v(c) < {n}"), [IN_ALL])
    assert bound.text.startswith("sum of the 2*q largest (eps[i] for i == 1 or i == 3 or")
    assert bound.tight == "yes"


@pytest.mark.parametrize(
    ("blocks", "limits", "more"),
    [
        # Ten values share a limit of their own, which is as small.
        (filters(40), [A_DAY, ("v(c) // 10", "r")], {}),
        (filters(40), [A_DAY, ("v(c) // 10", 1)], {}),
        # All filters with even numbers ask for the same record.
        (filters(40, rest="v(c) == 0"), [IN_ALL], {}),
        # The day is the filter's own, and there is one record a day.
        (filters(40, "v(c) == {n} and day(c) == 1", "v(c) == {n} and day(c) == 2"), [A_DAY], {}),
        # A person has records on one day only.
        (filters(40), [A_DAY], {"distinct": [("day(c)", "own(c)", 1)]}),
        # Records leave one database only, which holds no six of the first six values.
        (
            filters(40),
            [("own(c)", 6), ("max(v(c), 6)", "s")],
            {"use": "user_presence", "symbols": {**SYMBOLS, "s": "s >= 3"}},
        ),
        # Five records a day, whoever has them: less than q, perhaps.
        (filters(12), [IN_ALL, ("day(c)", 5)], {}),
        # Nobody knows how many days there are, or whether there is one.
        (filters(40), [A_DAY], {"days": "1 <= day(c)"}),
        (filters(40), [A_DAY], {"symbols": {**SYMBOLS, "T": "T >= 0"}}),
    ],
)
def test_where_something_else_ties_filters_together(blocks, limits, more):
    assert pure(blocks, limits, **more).tight != "yes"


VALUES = range(1, 6)


def legal(records, limits, numbers):
    """Return whether one person may have some records, each a value and a day."""
    for key, most in limits:
        told = Counter(
            tuple({"v": v, "day": day}[a] for a in ("v", "day") if f"{a}(c)" in key)
            for v, day in records
        )
        if any(n > numbers.get(most, most) for n in told.values()):
            return False
    return True


def changed_sets(limits, numbers, *, both):
    """Return which filters of five change, for all records that one person has, and may have."""
    cells = list(itertools.product(VALUES, range(1, numbers["T"] + 1)))
    some = [
        frozenset(records)
        for n in range(4)
        for records in itertools.combinations(cells, n)
        if legal(records, limits, numbers)
    ]
    others = some if both else [frozenset()]
    return {frozenset(v for v, _ in one ^ other) for one, other in itertools.product(some, others)}


@pytest.mark.parametrize("numbers", [{"r": 1, "q": 1, "T": 2}, {"r": 2, "q": 3, "T": 1}])
@pytest.mark.parametrize("use", ["user", "user_presence"])
@pytest.mark.parametrize(
    "limits",
    [[A_DAY], [IN_ALL], [A_DAY, ("own(c)", "r")], [A_DAY, ("v(c)", 1)]],
)
def test_what_is_counted_is_what_one_person_can_change(use, limits, numbers):
    """Any so many filters, and no more."""
    bound = pure(filters(5), limits, use)
    assert bound.tight == "yes"
    count = bound.text.removeprefix("sum of the ").split(" ")[0]
    most = 1
    for factor in count.split("*"):
        most *= numbers.get(factor, int(factor) if factor.isdigit() else 0)
    sets = changed_sets(limits, numbers, both=use == "user")
    assert max(map(len, sets)) == min(most, 5)
    assert all(map(sets.__contains__, map(frozenset, itertools.combinations(VALUES, min(most, 5)))))


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        # Of edges that lead to a vertex there are any number: each starts somewhere else.
        ([("tail(c)", "d")], "sum(eps[i])"),
        ([("head(c)", "d")], "sum(eps[i])"),
        ([("tail(c)", 1), ("head(c)", 1)], "sum of the 4 largest eps[i]"),
    ],
)
def test_edges_of_one_vertex_have_any_labels(limits, text):
    domain = Domain(
        {"tail": "Vertex", "head": "Vertex", "label": "int"},
        limits=limits, cap=1, symbols={"d": "d >= 1"},
    )  # fmt: skip
    labels = Map("labels", "label(c) == i", index={"i": "k"})
    edits = library_granularity("node", tail="tail", head="head")
    bound, *_ = derive(Problem(domain, edits, [labels], [Part("counts", "labels")])).bounds
    assert (bound.text, bound.tight) == (text, "yes")
    assert not bound.tight_note.startswith("shown for d")


@pytest.mark.parametrize(("use", "text"), [("user", "2*q"), ("user_presence", "q")])
def test_any_labels_of_a_person_for_all_limits(use, text):
    bound = pure(Map("blocks", "v(c) == i", index={"i": "k"}), [IN_ALL], use)
    assert (bound.text, bound.tight, bound.tight_note) == (
        f"sum of the {text} largest eps[i]", "yes", "",
    )  # fmt: skip


def test_few_filters_are_listed_whatever_the_number_of_days():
    """Four filters share no more than four blocks: nothing is said of 2*r of them."""
    bound = pure(filters(4), [("own(c)", "r")])
    assert bound.tight == "yes"
    assert bound.text.endswith("for r = 1; eps[1] + eps[2] + eps[3] + eps[4] for r >= 2")


@pytest.mark.parametrize("use", ["user", "user_presence"])
def test_one_record_is_in_all_of_forty_filters(use):
    """However few records a person may have; it is asked of one record alone."""
    bound = pure(filters(40, "v(c) >= {n}", "v(c) >= {n}"), [("own(c)", 3)], use)
    every = bound.text == "sum(eps[i])" or bound.text.count("eps[") == 40
    assert (every, bound.tight) == (True, "yes")


def test_crowds_are_not_looked_for_in_forty_maps(monkeypatch):
    """Forty maps that overlap are too many for it; all of them are added up.

    Two records of a person are never the same value: these are in no places of their own.
    """
    monkeypatch.setattr(attained, "crowded", lambda *_: pytest.fail("crowds were looked for"))
    bound = forty_maps(5, limits=[("own(c), v(c) // 100", 1)]).bounds[0]
    assert (bound.text, bound.tight) == ("40*eps", "unknown")
    assert bound.tight_note.startswith("a coarser bound")


def forty_maps(records, limits=(), **more):
    """Filters that overlap, each a map, and persons with some records."""
    domain = Domain(ATTRIBUTES, limits=[("own(c)", records), *limits])
    maps = [Map(f"m{n}", f"{n} <= v(c) and v(c) <= {n} + 2") for n in range(1, 41)]
    parts = [Part(f"p{n}", f"m{n}", guarantees={"pure": ("eps",)}) for n in range(1, 41)]
    edits = library_granularity("user_presence", owner="own")
    return derive(Problem(domain, edits, maps, parts), **more)


@pytest.mark.parametrize(
    ("records", "value"), [(1, 3), (2, 6), (3, 9), (13, 39), (14, 40), (50, 40)]
)
def test_forty_maps_and_few_records_are_tight(records, value):
    """Each record is in three of them at most."""
    bound = forty_maps(records, values={"eps": 1}).bounds[0]
    assert (bound.value, bound.tight) == (value, "yes")


@pytest.mark.parametrize("most", ["r", 1])
def test_three_values_share_a_limit_that_is_as_small(most):
    """A person with one record a day does not change filters 1, 2 and 3 at once, if r is 1."""
    said = pure(filters(40), [A_DAY, ("max(v(c), 3)", most)])
    assert said.text == "sum of the 2*r*T largest eps[i]"
    assert said.tight != "yes"


def test_where_there_may_be_no_day_nothing_is_lost_without_one():
    symbols = {**SYMBOLS, "T": "T >= 0"}
    said = pure(filters(12), [IN_ALL, ("own(c), day(c), v(c)", 1)], symbols=symbols)
    assert (said.text, said.tight) == ("sum of the 2*q largest (eps[i] for 0 < T)", "yes")


# -------------------------------------------------------------------- and a map that sees all

GROUPS = [("own(c)", "r"), ("own(c), v(c)", 1)]


def groups_and_total(
    group="v(c) == i", total="true", cell="true", use="user_presence", setting="separate",
    limits=GROUPS, symbols=None, seen_by=None,
):  # fmt: skip
    """Return what a count for each group costs, where a user is in each once, and one of all."""
    domain = Domain(
        ATTRIBUTES,
        limits=limits,
        symbols={"r": "r >= 1"} if symbols is None else symbols,
        cell=cell,
    )
    own = library_granularity("unbounded")
    maps = [Map("groups", group, {"i": "k"}), Map("total", total)]
    parts = [
        Part("g", "groups", own, guarantees={"pure": ("eps",)}),
        Part("t", "total", (seen_by or own) if setting == "separate" else None,
             guarantees={"pure": ("eta",)}, setting=setting),
    ]  # fmt: skip
    edits = library_granularity(use, owner="own")
    return derive(Problem(domain, edits, maps, parts, "groups")).bounds[0]


@pytest.mark.parametrize("total", ["true", "day(c) <= 1", "v(c) >= 1"])
def test_groups_and_a_total_of_few_records(total):
    bound = groups_and_total(total=total)
    assert (bound.text, bound.tight) == ("r*eta + sum of the r largest eps[i]", "yes")


ONE_OF_K = {"cell": "1 <= v(c) and v(c) <= k"}


@pytest.mark.parametrize("limits", [GROUPS, GROUPS[::-1]], ids=["records first", "values first"])
@pytest.mark.parametrize(
    ("facts", "text", "tight"),
    [
        ({"k": "k >= 1", "r": "r >= 1 and r <= k"}, "r*eta + sum of the r largest eps[i]", "yes"),
        ({"r": "r >= 1", "k": "k >= r + 3"}, "r*eta + sum of the r largest eps[i]", "yes"),
        ({"k": "k >= 1", "r": "r >= 1"}, "r*eta + sum of the r largest eps[i]", "unknown"),
    ],
    ids=["few records", "more groups", "any"],
)
def test_records_of_which_each_group_has_one(facts, text, tight, limits):
    """What symbols are known to be says which limit leaves fewer, and whether groups suffice."""
    bound = groups_and_total(**ONE_OF_K, symbols=facts, limits=limits)
    assert (bound.text, bound.tight) == (text, tight)


def test_of_two_limits_the_one_that_leaves_fewer_records():
    """There are fewer groups than records a user may have, and one record in each."""
    bound = groups_and_total(**ONE_OF_K, symbols={"k": "k >= 1", "r": "r >= 2*k"})
    assert bound.text.startswith("k*eta + ")


def test_groups_of_which_only_some_can_hold_records():
    """As many groups as records there are, but not as many that can hold one."""
    facts = {"r": "r >= 1", "k": "k >= r", "h": "h >= 1"}
    bound = groups_and_total(cell="1 <= v(c) and v(c) <= h", symbols=facts)
    assert bound.tight != "yes"


@pytest.mark.parametrize(
    "changed",
    [
        # There may be fewer groups than records: then there are no so many records.
        {"cell": "1 <= v(c) and v(c) <= k", "symbols": {"r": "r >= 1", "k": "k >= 1"}},
        # The total sees the first group only.
        {"total": "v(c) <= 1"},
        # Each record is in two groups, so that fewer records change so many groups.
        {"group": "v(c) == i or v(c) == i + 1"},
        # Of each group one record goes, and one comes.
        {"use": "user"},
    ],
)
def test_what_is_not_shown_of_groups_and_a_total(changed):
    assert groups_and_total(**changed).tight == "unknown"


def test_a_total_that_sees_each_change_once_is_not_a_count():
    bound = groups_and_total(setting="common")
    assert bound.text != "r*eta + sum of the r largest eps[i]"


def test_a_total_that_two_records_change_in_one_step_is_nearer():
    two = Granularity("two at most", [
        Edit({"x": "cell"}, "true", {"x": "1"}),
        Edit({"x": "cell", "y": "cell"}, "true", {"x": "1", "y": "1"}),
    ])  # fmt: skip
    bound = groups_and_total(seen_by=two)
    assert (bound.tight, bound.tight_note) == ("yes", "shown for r = 1")
    numbers = [[("own(c)", n), ("own(c), v(c)", 1)] for n in (2, 3)]
    both, three = (groups_and_total(seen_by=two, limits=n, symbols={}) for n in numbers)
    assert (both.text, both.tight) == ("eta + sum of the 2 largest eps[i]", "yes")
    assert three.tight == "unknown"
