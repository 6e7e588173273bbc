"""What was found of all numbers, read for some: the better one of two profiles is taken."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.engine.counting import MOST_BLOCKS
from dpcomp_sym.engine.freed import left_open, says_as_much, specialised
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Refuted, Unknown
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    Case,
    Group,
    Interval,
    KRange,
    MapInfo,
    PartInfo,
    Profile,
    Symbolic,
)
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.spec import load_spec

MAPS = (MapInfo("m", (("i", "k"),), exchangeable=True), MapInfo("n", (), exchangeable=True))
PARTS = tuple(PartInfo(p, m, (("pure", (f"eps_{p}",)),)) for p, m in (("p", "m"), ("q", "n")))
ANY = (KRange("k"),)


def vector(count, r, other=0):
    first = Group("m", count, (("p", r),))
    return (first, Group("n", 1, (("q", other),))) if other else (first,)


def case(*vectors, ranges=ANY, attained=False, shown=(), far=()):
    return Case(ranges, vectors, attained, shown, far)


def profile(*cases, proved=True, exact=None, vacuous=False):
    exact = all(c.attained for c in cases) if exact is None else exact
    return Profile(MAPS, PARTS, cases, proved=proved, exact=exact, vacuous=vacuous)


# ------------------------------------------------------------------ read for numbers


def test_only_cases_of_these_numbers_are_left():
    k, small, large = KRange("k"), KRange("w", 1, 2), KRange("w", 3)
    general = profile(
        case(vector(1, 1), ranges=(k, small)), case(vector(2, 1), ranges=(k, large)),
    )  # fmt: skip
    for number, count in ((1, 1), (2, 1), (3, 2), (9, 2)):
        (left,) = specialised(general, {"w": number}).cases
        assert (left.ranges, left.vectors) == ((k,), (vector(count, 1),))
    assert specialised(general, {}) == general
    (one, two) = specialised(general, {"k": 3}).cases
    assert (one.ranges, two.ranges) == ((k, small), (k, large))


def test_ranges_of_blocks_are_named_all_the_same():
    ranges = (KRange("k", 2, 3), KRange("w", 4, 5), KRange("u", 6))
    general = profile()
    assert left_open(ranges, general, {}) == ranges
    assert left_open(ranges, general, {"w": 4}) == (ranges[0], ranges[2])
    assert left_open(ranges, general, {"k": 2}) == (KRange("k"), *ranges[1:])
    assert left_open(ranges, general, {"k": 2, "w": 4, "u": 6}) == (KRange("k"),)


@pytest.mark.parametrize(
    ("shown", "number", "attained", "left"),
    [
        ((), 5, True, ()),
        ((Interval("w", 5, None),), 5, True, ()),
        ((Interval("w", None, 5),), 5, True, ()),
        ((Interval("w", 6, None),), 5, False, ()),
        ((Interval("w", None, 4),), 5, False, ()),
        ((Interval("u", 1, 1), Interval("w", 5, 5)), 5, True, (Interval("u", 1, 1),)),
        ((Interval("u", 1, 1), Interval("w", 4, 4)), 5, False, (Interval("u", 1, 1),)),
    ],
)
def test_what_was_shown_of_other_numbers_is_not_attained(shown, number, attained, left):
    general = profile(case(vector(1, 1), attained=True, shown=shown, far=("p",)))
    found = specialised(general, {"w": number})
    (one,) = found.cases
    assert (found.exact, one.attained, one.shown, one.far) == (attained, attained, left, ())
    assert not specialised(replace(general, proved=False), {"w": number}).exact
    never = profile(case(vector(1, 1), shown=shown))
    assert not specialised(never, {"w": number}).exact


def test_all_cases_must_be_attained():
    few, many = (KRange("k", 1, 1),), (KRange("k", 2),)
    one, other = case(vector(1, 1), ranges=few, attained=True), case(vector(2, 1), ranges=many)
    assert not specialised(profile(one, other), {"w": 1}).exact
    assert specialised(profile(one, other), {"k": 1}).exact
    assert not specialised(profile(one, other), {"k": 2}).exact


def test_a_vacuous_profile_stays_vacuous():
    nothing = profile(vacuous=True, exact=True)
    assert specialised(nothing, {"w": 1}) == nothing


# ------------------------------------------------------------------ which is better


@pytest.mark.parametrize(
    ("found", "general", "serves"),
    [
        (vector(1, 1), vector(1, 1), True),
        (vector(1, 1), vector(2, 1), True),
        (vector(2, 1), vector(1, 1), False),
        (vector(1, INFINITY), vector(1, 5), False),
        (vector(1, 5), vector(1, INFINITY), True),
        (vector(1, 2), vector(2, 1), False),  # neither is better: what holds of all is taken
        (vector(ALL, 1), vector(2, 1), False),
        (vector(2, 1), vector(ALL, 1), True),
        (vector(3, 1), vector(Symbolic("w"), 1), True),
        (vector(4, 1), vector(Symbolic("w"), 1), False),
        (vector(6, 1), vector(Symbolic("w", 2), 1), True),
        (vector(1, 3), vector(1, Symbolic("w")), True),
        (vector(1, 4), vector(1, Symbolic("w")), False),
        (vector(1, Symbolic("w")), vector(1, 3), True),
        (vector(1, Symbolic("u")), vector(1, Symbolic("u")), True),
        (vector(1, Symbolic("u")), vector(1, Symbolic("w")), False),
        (vector(1, 1, 2), vector(1, 1, 2), True),
        (vector(1, 1, 2), vector(1, 1, 1), False),
        (vector(1, 1, 2), vector(1, 1), False),
        (vector(1, 1), vector(1, 1, 1), True),
    ],
)
def test_the_better_one_serves(found, general, serves):
    assert says_as_much(profile(case(found)), profile(case(general)), {"w": 3}) == serves


@pytest.mark.parametrize(
    ("number", "serves"), [(2 * MOST_BLOCKS, True), (2 * MOST_BLOCKS + 1, False), (10**9, False)]
)
def test_very_many_blocks_are_not_written_down(number, serves):
    """Where there are very many, that is not compared with a number: the general one is taken."""
    found, general = profile(case(vector(2, 1))), profile(case(vector(Symbolic("w"), 1)))
    assert says_as_much(found, general, {"w": number}) == serves
    assert says_as_much(general, general, {"w": number})


def test_each_vector_and_each_case_must_serve():
    large, small = vector(2, 1), vector(1, 1)
    assert not says_as_much(profile(case(small, large)), profile(case(small)), {})
    assert says_as_much(profile(case(small)), profile(case(vector(1, 0, 1), small)), {})
    few, many = (KRange("k", 1, 1),), (KRange("k", 2),)
    general = profile(case(small, ranges=few), case(large, ranges=many))
    assert not says_as_much(profile(case(large)), general, {})
    assert says_as_much(profile(case(large, ranges=many)), general, {})
    assert not says_as_much(profile(case(large, ranges=(KRange("k", 1, 2),))), general, {})
    other = (KRange("u", 2), *few)
    assert not says_as_much(profile(case(large, ranges=other)), general, {})
    assert says_as_much(profile(case(small, ranges=(KRange("u"),))), general, {})


@pytest.mark.parametrize("flags", [*itertools.product((False, True), repeat=4)])
def test_what_is_proved_comes_first_and_then_what_is_attained(flags):
    proved, exact, also_proved, also_exact = flags
    found = profile(case(vector(1, 1)), proved=proved, exact=proved and exact)
    general = profile(case(vector(2, 1)), proved=also_proved, exact=also_proved and also_exact)
    both = proved and also_proved
    expected = not also_exact if both else proved or not also_proved
    assert says_as_much(found, general, {}) == expected


def test_what_is_not_proved_does_not_serve_however_small():
    large, small = profile(case(vector(2, 1))), profile(case(vector(1, 1)), proved=False)
    assert says_as_much(large, small, {})
    assert not says_as_much(small, large, {})


def test_cases_meet_where_all_their_numbers_do():
    k, w = (KRange("k", 1, 1), KRange("k", 2)), (KRange("w", 1, 1), KRange("w", 2))
    general = profile(
        case(vector(1, 1), ranges=(k[0], w[0])), case(vector(2, 1), ranges=(k[1], w[0])),
        case(vector(2, 1), ranges=(k[0], w[1])), case(vector(2, 1), ranges=(k[1], w[1])),
    )  # fmt: skip
    assert says_as_much(profile(case(vector(2, 1), ranges=(k[0], w[1]))), general, {})
    assert says_as_much(profile(case(vector(2, 1), ranges=(k[1], w[0]))), general, {})
    assert not says_as_much(profile(case(vector(2, 1), ranges=(k[0], w[0]))), general, {})


def test_nothing_is_better_than_that_there_are_no_neighbours():
    nothing, something = profile(vacuous=True, exact=True), profile(case(vector(1, 1)))
    assert says_as_much(nothing, replace(something, exact=True), {})
    assert not says_as_much(replace(nothing, proved=False), something, {})


# ------------------------------------------------------------------ asked of both

NEAR = """
[domain]
attributes = { id = "Record", day = "int" }
symbols = { w = "w >= 1" }
[granularity]
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y and abs(day(x) - day(y)) < w"
change = { x = -1, y = 1 }
[[map]]
name = "blocks"
use = "partition"
by = "day"
[[part]]
name = "p"
map = "blocks"
granularity = "unbounded_or_bounded"
domain = { size = "size(D) >= 0" }
guarantee = { pure = "eps" }
"""


@pytest.fixture
def _blind(monkeypatch):
    """Where a symbol has a number, the solver excludes nothing about neighbours."""
    pair, check = Structure.pair, Query.check

    def marked(self, edit, **more):
        found = pair(self, edit, **more)
        found.query.blind = self.freed is not None
        return found

    def blind(self, *assumptions):
        return logic.unknown if getattr(self, "blind", False) else check(self, *assumptions)

    monkeypatch.setattr(Structure, "pair", marked)
    monkeypatch.setattr(Query, "check", blind)


@pytest.mark.usefixtures("_blind")
def test_what_is_proved_of_all_numbers_is_taken():
    structure = Structure(load_spec(NEAR, ["w=3"]).problem)
    (part,) = structure.problem.bound_parts
    blocks = structure.problem.used_maps["blocks"]
    assert structure.freed is not None
    assert structure.freed.problem.symbols["w"] == load_spec(NEAR).problem.symbols["w"]
    assert isinstance(structure.disjoint(blocks), Proved)
    assert isinstance(structure.sensitivity(part), Proved)
    assert isinstance(structure.range(part), Proved)
    assert isinstance(structure.compatible(blocks, 2), Proved)
    for text, outcome in (("size(D) == size(E)", Proved), ("l1(blocks) <= 2", Proved)):
        assert isinstance(examine(structure.problem, text).outcome, outcome)


@pytest.mark.usefixtures("_blind")
def test_what_fails_for_some_number_says_nothing_of_another_one():
    structure = Structure(load_spec(NEAR, ["w=1"]).problem)
    blocks = structure.problem.used_maps["blocks"]
    assert structure.freed is not None
    assert isinstance(structure.freed.compatible(blocks), Refuted)
    assert isinstance(structure.compatible(blocks), Unknown)


@pytest.mark.usefixtures("_blind")
def test_a_profile_of_all_numbers_is_taken():
    structure = Structure(load_spec(NEAR, ["w=3"]).problem)
    found, facts = profile_with_facts(structure)
    (one,) = found.cases
    (vector_,) = one.vectors
    assert (found.proved, found.exact, facts.freed) == (True, True, True)
    assert [(g.count, g.distances) for g in vector_] == [(2, (("p", 1),))]


def test_nothing_is_freed_where_nothing_is_fixed():
    structure = Structure(load_spec(NEAR).problem)
    assert structure.freed is None
    assert not profile_with_facts(structure)[1].freed
    assert not profile_with_facts(Structure(load_spec(NEAR, ["w=1"]).problem))[1].freed
