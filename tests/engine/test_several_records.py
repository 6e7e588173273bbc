"""Persons with any number of records, each where it is: so many choices of one record's place."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.model.domain import Domain
from dpcomp_sym.replay import read
from dpcomp_sym.smt.solvers import SecondSolver
from tests.engine.test_few_records import (
    ATTRIBUTES,
    LEAVES,
    ONE,
    TREE,
    WINDOWS,
    changed,
    nodes_above,
    presence,
    problem,
)

pytestmark = pytest.mark.in_turn

SYMBOLS = {"L": "L >= 1", "r": "r >= 1"}
OF_R = [("own(c)", "r")]


def pure(*args, **more):
    bound = derive(problem(*args, **{"symbols": SYMBOLS, **more})).bounds[0]
    return bound.text, bound.tight


@pytest.mark.parametrize(
    ("limits", "use", "times"),
    [
        (OF_R, presence, "r"),
        (OF_R, changed, "2*r"),
        ([("own(c)", 3)], presence, "3"),
        ([("own(c)", 3)], changed, "6"),
        ([("own(c)", 100)], presence, "100"),
        ([*OF_R, ("own(c), id(c)", "r")], presence, "r"),
    ],
)
def test_sliding_windows_of_a_person_with_any_number_of_records(limits, use, times):
    text = f"max over {times} choices of t of sum(eps[i] for {ONE})"
    assert pure(limits, use()) == (text, "yes")


VALUES = [5, 1, 1, 4, 1, 1, 1, 6, 2]


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("records", [1, 2, 3, 4, 9])
def test_their_number_is_that_of_the_worst_times(records, length):
    sizes = {"k": 9, "L": length, "r": records}
    found = derive(
        problem(OF_R, presence(), symbols=SYMBOLS), values={"eps": VALUES}, sizes=sizes
    ).bounds[0]
    windows = [
        {i for i in range(9) if t - length < i <= t} for t in range(9 + length)
    ]  # fmt: skip
    best = max(
        sum(VALUES[i] for i in set().union(*some))
        for some in itertools.combinations(windows, records)
    )
    assert (found.value, found.tight) == (best, "yes")


@pytest.mark.parametrize("records", [1, 2, 3])
def test_paths_of_a_tree_above_any_number_of_records(records):
    values = [[5, 1, 2, 7], [3, 8, 1, 1], [4, 1, 1, 1]]
    of = problem(OF_R, changed(), TREE, cell=LEAVES, symbols={"r": "r >= 1"})
    bound = derive(of, values={"eps": values}, sizes={"r": records}).bounds[0]
    known = {(level, x): values[level - 1][x - 1] for level in (1, 2, 3) for x in range(1, 5)}
    expected = max(
        sum(known[node] for node in set().union(*map(nodes_above, at)))
        for at in itertools.combinations_with_replacement(range(4), min(2 * records, 4))
    )
    assert (bound.value, bound.tight) == (expected, "yes")


def test_two_maps_share_the_places():
    """A record is in the windows and in the filter of its time: both count for it, once each."""
    domain = Domain(ATTRIBUTES, limits=OF_R, symbols=SYMBOLS)
    maps = [WINDOWS, Map("first", "t(c) <= 3")]
    parts = [
        Part("counts", "windows", guarantees={"pure": ("eps",)}),
        Part("early", "first", guarantees={"pure": ("eta",)}),
    ]
    of = Problem(domain, presence(), maps, parts)
    bound = derive(of).bounds[0]
    assert bound.tight == "yes"
    assert bound.text == f"max over r choices of t of (sum(eps[i] for {ONE}) + (eta if t <= 3))"
    numbers = {"eps": [5, 1, 1, 4, 3], "eta": 7}
    for records, value in ((1, 13), (2, 20), (3, 21)):
        sizes = {"k": 5, "L": 2, "r": records}
        assert derive(of, values=numbers, sizes=sizes).bounds[0].value == value


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        # Two records are never in the same ten of steps.
        ([*OF_R, ("own(c), t(c) // 10", 1)], {}),
        # All records of a person are at one time, or at two.
        (OF_R, {"distinct": [("t(c)", "own(c)", 1)]}),
        (OF_R, {"distinct": [("t(c)", "own(c)", 2)]}),
        # A database has so many records.
        (OF_R, {"size": ["size(D) <= 5"]}),
    ],
)
def test_where_limits_keep_records_apart_blocks_are_counted(limits, more):
    text, tight = pure(limits, presence(), **more)
    assert "choices" not in text
    assert tight != "yes"


@pytest.mark.parametrize("limit", [("own(c), t(c)", 1), ("t(c)", 1), ("t(c), own(c)", 3)])
@pytest.mark.parametrize(("use", "times"), [(presence, "r"), (changed, "2*r")])
def test_a_limit_that_counts_one_record_of_each_place_forbids_none(limit, use, times):
    """Records in two places are apart for it, and equal choices are one record."""
    text = f"max over {times} choices of t of sum(eps[i] for {ONE})"
    assert pure([*OF_R, limit], use()) == (text, "yes")


def test_a_limit_that_may_be_0_forbids_them():
    limits = [*OF_R, ("own(c), t(c)", "q")]
    assert pure(limits, presence(), symbols={**SYMBOLS, "q": "q >= 0"})[1] != "yes"


@pytest.mark.parametrize("times", [2, 10])
def test_a_limit_that_places_share_is_not_one_of_them(times):
    text, tight = pure([*OF_R, (f"own(c), t(c) // {times}", 1)], presence())
    assert (text, tight) == ("sum(eps[i])", "unknown") or "choices" not in text


def truth(frame, step, cell, member, length, records, eps):
    """Return what is lost at most, of one person's records that come and go, each with a name."""

    def at(text, **names):
        return MEANINGS[text](**{"length": length, **names})

    def blocks_of(t):
        return {i for i in range(1, len(eps) + 1) if at(member, t=t, i=i)}

    best = 0
    for s in range(-1, 7):
        inside = [t for t in range(6) if at(cell, t=t) and at(frame, t=t, s=s)]
        if not all(at(step, t=t, old=0, new=0) for t in inside):
            continue
        ends = [
            [t for t in inside if at(step, t=t, old=old, new=1 - old)] for old in (1, 0)
        ]  # fmt: skip
        some = [
            [set().union(*map(blocks_of, x)) for n in range(records + 1)
             for x in itertools.combinations_with_replacement(those, n)]
            for those in ends
        ]  # fmt: skip
        for left, came in itertools.product(*some):
            best = max(best, sum(eps[i - 1] for i in left | came))
    return best


BETWEEN = "0 <= t and t < 6"
NEAR = "i <= t and t < i + L"


SOME = "new <= old and (t >= 3 or new == old)"
ODD = f"{NEAR} and t % 2 == i % 2"
THIRD = f"{BETWEEN} and t % 3 == 0"
MEANINGS = {
    "True": lambda **_: True,
    BETWEEN: lambda t, **_: 0 <= t < 6,
    THIRD: lambda t, **_: t in {0, 3},
    NEAR: lambda t, i, length, **_: i <= t < i + length,
    ODD: lambda t, i, length, **_: i <= t < i + length and t % 2 == i % 2,
    "t == i or t == 2*i": lambda t, i, **_: t in {i, 2 * i},
    SOME: lambda t, old, new, **_: new <= old and (t >= 3 or new == old),
    "old == 0": lambda old, **_: old == 0,
    "old == 0 or t >= 4": lambda t, old, **_: old == 0 or t >= 4,
    "t == s": lambda t, s, **_: t == s,
    "t >= s": lambda t, s, **_: t >= s,
    "t // 3 == s": lambda t, s, **_: t // 3 == s,
    "s <= t and t < s + 2": lambda t, s, **_: s <= t < s + 2,
}


@pytest.mark.parametrize(
    ("frame", "step", "cell", "member"),
    [
        ("True", "True", BETWEEN, NEAR),
        ("True", SOME, BETWEEN, NEAR),
        ("True", "old == 0", THIRD, NEAR),
        ("True", "old == 0", BETWEEN, ODD),
        ("True", "old == 0 or t >= 4", BETWEEN, "t == i or t == 2*i"),
        ("t == s", "old == 0", BETWEEN, NEAR),
        ("t >= s", "True", BETWEEN, NEAR),
        ("t // 3 == s", "True", BETWEEN, NEAR),
        ("s <= t and t < s + 2", "old == 0", BETWEEN, "t == i or t == 2*i"),
    ],
)
def test_no_frame_does_more_and_what_is_tight_is_done(frame, step, cell, member):
    """Frames whose records are not anywhere, steps that not all of them may take, odd classes."""

    def formula(text, *names):
        for name in ("t", *names):
            text = re.sub(rf"\b{name}\b", f"{name}(c)", text)
        return text.replace("True", "true")

    use = Granularity("g", [Edit(
        {"w": "User", "s": "int"}, frame=f"own(c) == w and ({formula(frame)})", step=formula(step)
    )])  # fmt: skip
    map_ = Map("blocks", formula(member), index={"i": "k"})
    of = problem(OF_R, use, map_, cell=formula(cell), symbols=SYMBOLS)
    eps, sizes = [5, 1, 3, 7], {"k": 4, "L": 2, "r": 2}
    bound = derive(of, values={"eps": eps}, sizes=sizes).bounds[0]
    expected = truth(frame, step, cell, member, 2, 2, eps)
    assert bound.value is None or bound.value >= expected
    assert bound.tight != "yes" or bound.value == expected


def test_only_what_comes_or_only_what_goes():
    for step, times in (("old == 0", "r"), ("new == 0", "r"), ("old == 0 or new == 0", "2*r")):
        use = Granularity("g", [Edit({"w": "User"}, frame="own(c) == w", step=step)])
        text, tight = pure(OF_R, use)
        assert (text, tight) == (f"max over {times} choices of t of sum(eps[i] for {ONE})", "yes")


def test_mechanisms_that_protect_records_have_a_mean():
    """Where a part sees each record, all of a person's are worst in one place."""
    domain = Domain(ATTRIBUTES, limits=OF_R, symbols=SYMBOLS)
    records = library_granularity("unbounded")
    of = Problem(domain, presence(), [WINDOWS], [Part("counts", "windows", records)])
    bound = derive(of).bounds[0]
    assert (bound.text, bound.tight) == (f"max over t of sum(r*eps[i] for {ONE})", "yes")


def test_a_record_in_any_number_of_blocks_has_a_mean_too():
    """The levels of a tree above it, of which there is any number."""
    domain = Domain(ATTRIBUTES, limits=OF_R, symbols=SYMBOLS)
    tree = Map("tree", "t(c) // 2**(i - 1) == j - 1", {"i": "h", "j": "k"})
    counts = Part("counts", "tree", library_granularity("unbounded"))
    of = Problem(domain, presence(), [tree], [counts])
    bound = derive(of).bounds[0]
    path = "t < 2**(i - 1)*j <= t + 2**(i - 1)"
    assert (bound.text, bound.tight) == (f"max over t of sum(r*eps[i,j] for {path})", "yes")
    numbers = {"eps": [[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]]}
    assert derive(of, numbers, {"r": 3, "h": 3, "k": 4}).bounds[0].value == 3 * (7 + 6 + 4)


@pytest.mark.parametrize("key", ["own(c), t(c)", "own(c), t(c) // 7"])
def test_records_that_are_limited_in_each_place_alone_have_no_mean(key):
    """A person may have r of them at every time: not r in all."""
    domain = Domain(ATTRIBUTES, limits=[(key, "r")], symbols=SYMBOLS)
    days = Map("days", "t(c) == i", {"i": "k"})
    counts = Part("counts", "days", library_granularity("unbounded"))
    of = Problem(domain, presence(), [days], [counts])
    found = derive(of, {"eps": [1, 2, 3]}, {"r": 2, "k": 3}).bounds[0]
    assert found.value >= (12 if "//" not in key else 6)
    assert "r*eps[i]" in derive(of).bounds[0].text or "r*sum" in derive(of).bounds[0].text


@pytest.mark.parametrize("use", [presence, changed])
def test_its_certificate_is_checked_by_another_program(use):
    derivation = derive(problem(OF_R, use(), symbols=SYMBOLS))
    second = SecondSolver() if SecondSolver.installed() else None
    written = as_text(certificate(derivation.theorems, derivation))
    found = verify(read(written.encode()), second)
    assert found.verdict == "proved"
    assert any("each of them in only blocks" in said for said in found.facts)


def test_a_single_pair_has_its_own_choices():
    bounds = derive(problem(OF_R, presence(), symbols=SYMBOLS)).bounds
    (said,) = {b.pareto for b in bounds if b.pareto}
    text = f"sum(eps[i] for {ONE}), sum(delta[i] for {ONE})"
    assert said == f"({text}) for each r choices of t"


def test_its_pairs_in_numbers_are_those_of_all_choices():
    """Of two times of three, with one window a time: all sums of two, not the largest of each."""
    tenths = [Fraction(n, 10) for n in (3, 2, 1)]
    numbers = {"eps": [1, 2, 3], "delta": tenths, "rho": [1] * 3, "mu": [1] * 3}
    of = problem(OF_R, presence(), symbols=SYMBOLS)
    bounds = derive(of, values=numbers, sizes={"k": 3, "L": 1, "r": 2}).bounds
    (front,) = [b.pareto for b in bounds if b.pareto]
    assert front == ((5, Fraction(3, 10)), (4, Fraction(2, 5)), (3, Fraction(1, 2)))


BY_TIME = Map("times", "t(c) == i - 1", index={"i": "k"})
WHILE = "0 <= t(c) and t(c) < 6"


@pytest.mark.parametrize(
    ("cell", "step", "eps", "most"),
    [
        # No record is at time 0, which no linear condition says.
        (f"{WHILE} and t(c)*t(c) >= 1", "old == 0", [9, 1, 1, 1], 1),
        # Records leave from time 3 on, and come at any time.
        (WHILE, "old == 0 or t(c)*t(c) >= 9", [9, 9, 9, 1], 10),
        (WHILE, "old == 0 or t(c)*t(c) >= 9", [1, 9, 1, 8], 17),
    ],
)
def test_what_is_said_in_other_ways_of_where_records_are(cell, step, eps, most):
    use = Granularity("g", [Edit({"w": "User"}, frame="own(c) == w", step=step)])
    of = problem(OF_R, use, BY_TIME, cell=cell, symbols=SYMBOLS)
    bound = derive(of, values={"eps": eps}, sizes={"k": 4, "L": 1, "r": 1}).bounds[0]
    assert bound.value >= most
    assert bound.tight != "yes" or bound.value == most
    # For all r, too: records that leave early are no records that come at any time.
    assert step == "old == 0" or derive(of).bounds[0].tight != "yes"


def test_blocks_of_different_kinds_are_not_held_by_one_record():
    """A record is in the even windows around it, or in the odd ones, as its kind says."""
    parity = "(kind(c) == x and i % 2 == 0 or kind(c) == y and i % 2 == 1)"
    member = f"i <= t(c) and t(c) < i + L and {parity}"
    of = problem(
        OF_R, presence(), Map("windows", member, index={"i": "k"}),
        attributes={**ATTRIBUTES, "kind": ["x", "y"]}, symbols=SYMBOLS,
    )  # fmt: skip
    for records, most in ((1, 5), (2, 10)):
        sizes = {"k": 2, "L": 2, "r": records}
        bound = derive(of, values={"eps": [5, 5]}, sizes=sizes).bounds[0]
        assert bound.value >= most
        assert bound.tight != "yes" or bound.value == most
    assert derive(of).bounds[0].tight != "yes"


GRID = Map(
    "cells", "i <= x(c) and x(c) < i + 2 and j <= y(c) and y(c) < j + 2", index={"i": "m", "j": "n"}
)


@pytest.mark.parametrize("records", [1, 2, 4])
def test_squares_of_a_grid_around_any_number_of_records(records):
    """A record is in four squares; persons with records that may come and go, or become others."""
    attributes = {"own": "User", "x": "int", "y": "int", "id": "Record"}
    of = problem(OF_R, changed(), GRID, attributes=attributes, symbols={"r": "r >= 1"})
    values = [[5, 1, 2, 7], [3, 8, 1, 1], [4, 1, 1, 6]]
    sizes = {"m": 3, "n": 4, "r": records}
    bound = derive(of, values={"eps": values}, sizes=sizes).bounds[0]
    around = {
        frozenset((i, j) for i in (x - 1, x) for j in (y - 1, y) if 1 <= i <= 3 and 1 <= j <= 4)
        for x in range(1, 5) for y in range(1, 6)
    }  # fmt: skip
    best = max(
        sum(values[i - 1][j - 1] for i, j in frozenset().union(*some))
        for some in itertools.combinations(around, min(2 * records, 6))
    )
    assert (bound.value, bound.tight) == (best, "yes")
