"""For which numbers of the symbols a confirmed pair stays what it is."""

from __future__ import annotations

import itertools
import operator
import pathlib
from collections import Counter

import pytest

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.persist import (
    SeenBlock,
    Span,
    VaryingAnswerError,
    _far_in_any_class,
    reaching,
)
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite import World
from dpcomp_sym.finite.holding import numbers_where
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import INFINITY, Interval
from dpcomp_sym.spec import load_spec, read_spec
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


def end(low, high, factor):
    """Return the ends of the multiples of a range; None means no limit."""
    ends = [None if n is None else n * factor for n in (low, high)]
    return (0, 0) if factor == 0 else tuple(ends if factor > 0 else ends[::-1])


@pytest.mark.parametrize("factor", [-2, 0, 1, 3])
def test_multiples_hold_all_that_numbers_give_and_no_more(factor):
    for span in spans():
        for one in (factor, Span(factor, factor)):
            for found in (span * one, one * span):
                assert (found.low, found.high) == end(span.low, span.high, factor)


def test_products_of_ranges_from_0_on_hold_all_that_numbers_give():
    for left, right in itertools.product((Span(0, 1), Span(2, None), Span(1, 3)), repeat=2):
        found = left * right
        for a, b in itertools.product(numbers(left), numbers(right)):
            assert found.low <= a * b
            assert found.high is None or a * b <= found.high
        assert found.low == left.low * right.low
        assert (found.high is None) == (None in {left.high, right.high})


@pytest.mark.parametrize("word", ["floordiv", "mod", "pow"])
def test_quotients_remainders_and_powers_hold_all_that_numbers_give(word):
    combine, decided = getattr(operator, word), 0
    for left, right in itertools.product([*spans(), 0, 1, 2, 7], repeat=2):
        if not (isinstance(left, Span) or isinstance(right, Span)):
            continue
        try:
            found = combine(left, right)
        except VaryingAnswerError:
            continue
        decided += 1
        for a, b in itertools.product(numbers(Span.of(left)), numbers(Span.of(right))):
            here = combine(a, b)
            assert found.low is None or found.low <= here
            assert found.high is None or here <= found.high
    assert decided > 5


@pytest.mark.parametrize("other", [Span(-1, 1), Span(None, None), Span(None, 0)])
def test_products_of_two_ranges_are_not_decided(other):
    for span in (Span(1, 2), Span(None, None), Span(None, 2), Span(2, None)):
        for left, right in ((span, other), (other, span)):
            with pytest.raises(VaryingAnswerError):
                left * right


@pytest.mark.parametrize(
    "use",
    [bool, hash, range, lambda s: s * -s, lambda s: s == "a", lambda s: s == 1, lambda s: [1][s]],
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


# ------------------------------------------------------------------ one pair, step by step

PAIR = """
[domain]
attributes = {{ day = "int", hour = "int" }}
symbols = {{ u = "true" }}
{domain}
[granularity]
[[granularity.edit]]
{edit}
[[map]]
name = "m"
member = {member}
index = {{ i = "k" }}
functions = {{ h = [["cell"], "int"] }}
{map}
[[map]]
name = "n"
member = "{other}"
[[map]]
name = "unused"
member = "true"
facts = ["hour(c) <= u"]
[[part]]
name = "p"
map = "m"
{part}
guarantee = {{ pure = "eps" }}
[[part]]
name = "q"
map = "m"
granularity = "unbounded"
guarantee = {{ pure = "eta" }}
[[part]]
name = "r"
map = "n"
granularity = "unbounded"
guarantee = {{ pure = "rho" }}
"""
ADD = 'params = { x = "cell" }\nguard = "true"\nchange = { x = 1 }'
NEAR = ADD.replace('"true"', '"day(x) != u"')
FRAME = 'frame = "day(c) == u"\nstep = "new == old + 1 or new == 0"\nparams = { x = "cell" }'
INNER = 'granularity = { name = "inner", edit = [{ params = { x = "cell" }, '
INNER += 'guard = "day(x) <= u", change = { x = 1 } }] }'
OWN = INNER.replace("<= u", "<= 7")
APART = '"h(c) == i and day(c) != u"'
CELLS = ((0, 0), (1, 0), (0, 1))
PRODUCT = 'universe = "product"\n'
COVER = "multiplicity = 1"


def reached(
    symbol, *, domain="", edit=ADD, member='"h(c) == i"', map_="", part='granularity = "unbounded"',
    old=(0, 0, 0), new=(1, 0, 0), cells=CELLS, numbers=(None, None), at=5, seen=((1, 1), (1,)),
    free=(), held=((CELLS[0], 1),), other="day(c) <= 1",
):  # fmt: skip
    """Return for which numbers of a symbol a pair of databases stays what it is."""
    problem = load_spec(
        PAIR.format(domain=domain, edit=edit, member=member, map=map_, part=part, other=other)
    ).problem
    tables = {"m.h": {(c,): i for c, i in held}}
    symbols = {"u": at, "k": 2}
    world = World(problem.domain, cells, {}, tables, {"m.h": 1}, symbols)
    databases = [{c: n for c, n in zip(cells, d, strict=True) if n} for d in (old, new)]
    maps = problem.used_maps
    touched = [
        SeenBlock(maps[name], block, tuple(zip(
            (q for q in problem.bound_parts if q.map.name == name), far, strict=True)))
        for name, block, far in (("m", (1,), seen[0]), ("n", (), seen[1]))
    ]  # fmt: skip
    found = FoundPair(world, *databases, ())
    wanted = {symbol: Interval(symbol, *numbers)}
    (range_,) = reaching(problem, found, touched, wanted, free)
    return str(range_)


@pytest.mark.parametrize(
    ("change", "range_"),
    [
        ({}, "u"),
        ({"numbers": (0, 9)}, "0 <= u <= 9"),
        ({"numbers": (5, 5)}, "u = 5"),
        # cells
        ({"domain": 'cell = "day(c) <= u"'}, "u >= 5"),
        ({"domain": 'cell = "day(c) <= u"', "numbers": (0, None)}, "u >= 5"),
        ({"domain": 'cell = "day(c) != u"'}, "u >= 5"),
        ({"domain": 'cell = "day(c) != u"', "at": -1}, "u <= -1"),
        # products: all that is a cell must be there, and nothing more may become one
        ({"domain": PRODUCT, "cells": (*CELLS, (1, 1)), "old": (0,) * 4, "new": (1, 0, 0, 0)}, "u"),
        ({"domain": f'{PRODUCT}cell = "day(c) + hour(c) <= u"', "at": 1}, "u = 1"),
        ({"domain": f'{PRODUCT}cell = "day(c) + hour(c) <= 1"', "at": 1}, "u"),
        # the class, of both databases
        ({"domain": 'size = "size(D) <= u"', "at": 1, "numbers": (0, None)}, "u >= 1"),
        ({"domain": 'size = "size(D) <= u"', "at": 1, "numbers": (0, None), "old": (1, 0, 0),
          "new": (0, 0, 0), "edit": ADD.replace("x = 1", "x = -1")}, "u >= 1"),
        # edits
        ({"edit": NEAR}, "u >= 5"),
        ({"edit": NEAR, "old": (1, 0, 0), "new": (0, 0, 0)}, "u >= 5"),
        ({"edit": FRAME, "at": 0, "new": (1, 0, 1)}, "u = 0"),
        # what is known of maps, of all facts and all cells
        ({"map_": 'facts = ["h(c) <= u"]'}, "u >= 5"),
        ({"map_": 'facts = ["true", "h(c) <= u"]'}, "u >= 5"),
        ({"map_": 'facts = ["h(c) >= 0", "h(c) <= u"]', "numbers": (0, None)}, "u >= 5"),
        ({"map_": 'multiplicity = "u"', "at": 1}, "u >= 1"),
        # what blocks hold
        ({"member": '"h(c) == i and day(c) <= u"'}, "u >= 5"),
        ({"other": "day(c) <= u"}, "u >= 5"),
        ({"member": '"h(c) == i and day(c) > u"', "seen": ((0, 0), (1,))}, "u >= 5"),
        # distances that are larger than 1, or 0
        ({"part": INNER}, "u"),
        ({"part": INNER, "seen": ((2, 1), (1,))}, "u = 5"),
        ({"part": INNER, "seen": ((2, 2), (1,))}, "u = 5"),
        ({"part": INNER, "seen": ((0, 1), (1,))}, "u"),
        ({"part": INNER, "seen": ((1, 2), (1,))}, "u"),
        ({"part": INNER, "seen": ((1, 2), (2,))}, "u"),
        ({"part": OWN, "member": APART, "seen": ((2, 1), (1,))}, "u >= 5"),
        ({"part": f'{OWN}\nsetting = "common"', "member": APART, "seen": ((2, 1), (1,))}, "u = 5"),
    ],
)  # fmt: skip
def test_numbers_for_which_a_pair_stays(change, range_):
    assert reached("u", **change) == range_


@pytest.mark.parametrize(
    ("change", "range_"),
    [
        ({}, "k >= 1"),
        ({"map_": COVER}, "k = 2"),  # further blocks might hold the records, too
        ({"map_": COVER, "free": ("m",)}, "k >= 1"),
        ({"map_": COVER, "free": ("n",)}, "k = 2"),
    ],
)
def test_numbers_of_blocks_for_which_a_pair_stays(change, range_):
    assert reached("k", numbers=(1, None), **change) == range_


def test_a_limit_of_blocks_says_nothing_of_other_symbols():
    assert reached("u", map_=COVER) == "u"


# ------------------------------------------------------------------- distances in any class

TWO_MORE = Granularity("two", [Edit({"x": "cell", "y": "cell"}, "x != y", {"x": "1", "y": "1"})])
ANYTHING = Granularity("frame", [Edit({}, "true", frame="true")])
AS_IS = Granularity("n", [Edit({"x": "cell"}, "true", {"x": "n"})])


@pytest.mark.parametrize(
    ("own", "old", "new", "nearest"),
    [
        (library_granularity("unbounded"), "aab", "abc", 2),
        (library_granularity("bounded"), "aab", "cde", 3),
        (library_granularity("bounded"), "aab", "c", INFINITY),
        (library_granularity("unbounded_or_bounded"), "aab", "cde", 3),
        (TWO_MORE, "a", "abcde", 2),
        # Nothing is known of frames, and of as many records as a symbol says.
        (ANYTHING, "a", "bcd", 1),
        (AS_IS, "a", "abbb", 1),
    ],
)
def test_some_distances_are_the_same_in_every_class(own, old, new, nearest):
    """Each is the largest of which it is known without a look at what other databases there are."""
    domain = Domain({"id": "R"}, symbols={"n": "n >= 1"})
    part = Part("p", "all", own, {"pure": ("eps",)})
    all_of_it = library_map("identity", name="all")
    problem = Problem(domain, library_granularity("unbounded"), [all_of_it], [part])
    ends = [Counter((letter,) for letter in word) for word in (old, new)]
    distances = (1, 2, 3, 4, INFINITY)
    known = [r for r in distances if _far_in_any_class(problem.bound_parts[0], r, *ends)]
    assert max([1, *known]) == nearest


def test_records_may_enter_a_block_on_the_common_domain():
    """The size of what is seen changes, and that of the whole database does not."""
    domain, replaced = Domain({"id": "R"}), library_granularity("bounded")
    some = Map("some", "f(id(c)) == i", {"i": "k"}, {"f": (["R"], "int")})
    part = Part("p", "some", replaced, {"pure": ("eps",)}, setting="common")
    (seen,) = Problem(domain, library_granularity("unbounded"), [some], [part]).bound_parts
    known = [r for r in (2, 3, INFINITY) if _far_in_any_class(seen, r, {("a",): 3}, {})]
    assert known == [2]


@pytest.mark.parametrize(
    ("more", "use", "bound"),
    [
        ('cell = "1 <= day(c) and day(c) <= T"', "unbounded", "2*max(eps[i])"),
        (
            'cell = "1 <= day(c) and day(c) <= T"',
            "bounded",
            "max(eps[i]) for k = 1; inf for k >= 2",
        ),
        ('limits = [["id(c)", "T"]]', "unbounded", "2*max(eps[i])"),
        (
            'distinct = [{ of = "day(c)", each = "id(c)", at_most = "T" }]',
            "unbounded",
            "2*max(eps[i])",
        ),
    ],
)
def test_what_is_seen_from_far_is_shown_for_all_classes_that_grow(more, use, bound):
    """Neighbours of the smallest class are neighbours in each, and no nearer."""
    found = read_spec(
        f"""
        [domain]
        attributes = {{ id = "R", day = "int", page = "Page" }}
        symbols = {{ T = "T >= 1" }}
        {more}
        [granularity]
        use = "attribute"
        [[map]]
        name = "pages"
        use = "partition"
        by = "page"
        [[part]]
        name = "p"
        map = "pages"
        granularity = "{use}"
        guarantee = {{ pure = "eps" }}
        """,
        "spec", pathlib.Path(),
    ).derive().bounds["pure"]  # fmt: skip
    note = "no finite guarantee holds" if "inf" in bound else ""
    assert (found.text, found.tight, found.tight_note) == (bound, "yes", note)
