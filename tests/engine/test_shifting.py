"""Blocks of which each can be in the place of any other, if values are shifted."""

from dataclasses import replace

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.profiler import tables
from dpcomp_sym.engine.profiler.search import Profiler
from dpcomp_sym.engine.shifting import blocks_can_be_shifted
from dpcomp_sym.profile import Case, Group, MapInfo, Profile
from dpcomp_sym.spec import load_spec
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

ATTRIBUTES = 'attributes = { id = "Person", day = "int" }'
TWO = """params = { x = "cell", y = "cell" }
        change = { x = 1, y = 1 }"""
MOVED = """params = { x = "cell", y = "cell" }
        change = { x = -1, y = 1 }"""
FROM = """params = { t = "int" }"""
SETTINGS = {
    "near": (ATTRIBUTES, TWO, 'guard = "x != y and abs(day(x) - day(y)) <= 1"'),
    "later": (
        ATTRIBUTES, MOVED,
        'guard = "D[x] >= 1 and x != y and day(x) <= day(y) and day(y) < day(x) + 2"',
    ),
    "of one day": (
        f'{ATTRIBUTES}\nlimits = [["id(c), day(c)", 1]]', TWO,
        'guard = "x != y and day(x) == day(y) and id(x) != id(y)"',
    ),
    "from a day on": (
        f'{ATTRIBUTES}\nlimits = [["id(c)", 2]]', FROM,
        'guard = "true"\nframe = "t <= day(c) and day(c) < t + 1"',
    ),
    "early": (ATTRIBUTES, TWO, 'guard = "x != y and day(x) == day(y) and day(x) <= 1"'),
    "odd": (ATTRIBUTES, TWO, 'guard = "x != y and day(x) == day(y) and day(x) % 2 == 1"'),
    "twice as late": (ATTRIBUTES, TWO, 'guard = "x != y and day(y) == 2 * day(x) and day(x) >= 0"'),
    "a product": (
        ATTRIBUTES, TWO, 'guard = "x != y and day(x) == day(y) and day(x) * day(y) != 4"',
    ),
    "not on day 2": (
        f'{ATTRIBUTES}\ncell = "day(c) != 2"', TWO, 'guard = "x != y and day(x) == day(y)"',
    ),
}  # fmt: skip
ALIKE = ("near", "later", "of one day", "from a day on")
MEMBERS = {"days": "day(c) == i", "not the day": "day(c) != i"}
CELLS = [(p, n) for p in ("p", "q") for n in range(4)]


def problem(setting, member="day(c) == i", granularity="unbounded"):
    domain, edit, guard = SETTINGS[setting]
    return load_spec(f"""
        [domain]
        {domain}
        [[granularity.edit]]
        {edit}
        {guard}
        [[map]]
        name = "days"
        index = {{ i = "k" }}
        member = "{member}"
        [[part]]
        name = "M"
        map = "days"
        granularity = "{granularity}"
        guarantee = {{ pure = "eps", zcdp = "rho", gaussian = "mu" }}""").problem


def wrong(here):
    """Return what neighbours of two blocks say against the bounds."""
    drawn = Drawn(here, {"k": 2}, lambda: iter([CELLS]), {"Person": ("p", "q")}, most=2)
    return Comparison(0, drawn).wrong()


@pytest.mark.parametrize("setting", SETTINGS)
def test_problems_that_stay_the_same_when_values_are_shifted(setting):
    (mapping,) = (here := problem(setting)).used_maps.values()
    assert blocks_can_be_shifted(here, mapping) is (setting in ALIKE)


@pytest.mark.parametrize(
    ("member", "guard", "expected"),
    [
        ("day(c) // 7 == i", "abs(day(x) - day(y)) <= 3", True),
        ("day(c) // 7 == i", "day(x) // 7 == day(y) // 7", True),
        ("day(c) // 7 == i", "day(x) % 7 == day(y) % 7", True),
        ("day(c) // 7 == i", "day(x) % 7 == 0", True),
        ("day(c) // 7 == i", "day(x) // 14 == day(y) // 14", False),  # every other week
        ("day(c) == i", "day(x) // 7 == day(y) // 7", False),
        ("day(c) // 7 == i and day(c) % 7 < 5", "day(x) == day(y)", True),
        ("i <= day(c) and day(c) < i + 3", "day(x) == day(y)", True),
        ("i <= day(c)", "day(x) == day(y)", True),
        ("day(c) == 2 * i", "day(x) == day(y)", False),
        ("day(c) % 7 == i", "day(x) == day(y)", False),
        ("day(c) == -i", "day(x) == day(y)", False),
        ("day(c) == i or day(c) == 0", "day(x) == day(y)", False),
    ],
)
def test_weeks_are_shifted_by_seven_days(member, guard, expected, monkeypatch):
    monkeypatch.setitem(SETTINGS, "here", (ATTRIBUTES, TWO, f'guard = "x != y and {guard}"'))
    (mapping,) = (here := problem("here", member)).used_maps.values()
    assert blocks_can_be_shifted(here, mapping) is expected


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("page(c) == i and day(c) == j", True),
        ("day(c) == j and page(c) == i and page(c) < i + 1", True),
        ("page(c) + day(c) == i and day(c) == j", False),
        ("page(c) == i and day(c) == j and i <= j", False),
        ("page(c) == i and j == 1", False),
        ("page(c) == i and day(c) == 2 * j", False),
    ],
)
def test_of_two_indices_each_is_shifted_by_itself(member, expected):
    here = pages(member)
    (mapping,) = here.used_maps.values()
    assert blocks_can_be_shifted(here, mapping) is expected
    if expected:
        assert derive(here).bounds["pure"].tight == "yes"


def pages(member):
    """Return a problem about what a person looks at on one day, at most m pages."""
    return load_spec(f"""
        [domain]
        attributes = {{ id = "View", person = "Person", page = "int", day = "int" }}
        symbols = {{ m = "m >= 1" }}
        limits = [["person(c), day(c)", "m"]]
        [[granularity.edit]]
        params = {{ p = "Person", t = "int" }}
        frame = "person(c) == p and day(c) == t"
        [[map]]
        name = "views"
        index = {{ i = "k", j = "n" }}
        member = "{member}"
        [[part]]
        name = "M"
        map = "views"
        granularity = "unbounded"
        guarantee = {{ pure = "eps" }}""").problem


@pytest.mark.in_turn
@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_called_tight_is_met_in_small_worlds(setting):
    assert wrong(problem(setting)) == []


@pytest.mark.parametrize("setting", ["near", "later"])
def test_what_costs_most_in_one_block_is_tight(setting):
    """Two neighbouring days cost less than one of them twice."""
    (bound,) = [b for b in derive(problem(setting)).bounds if b.notion == "pure"]
    assert (bound.text, bound.tight) == ("2*max(eps[i])", "yes")


@pytest.mark.parametrize("setting", ["early", "odd", "not on day 2"])
def test_a_family_that_is_taken_for_one_that_can_be_shifted_is_found(setting, monkeypatch):
    monkeypatch.setattr(tables, "blocks_can_be_shifted", lambda *_: True)
    monkeypatch.setattr(Profiler, "_kinds_apart", lambda *_: None)  # which is right without it
    assert wrong(problem(setting))


def profile(*vectors, exchangeable=False):
    info = MapInfo("m", (("i", "k"),), exchangeable=exchangeable, movable=True)
    return Profile((info,), (), (Case((), tuple(vectors), attained=True),), proved=True, exact=True)


def group(count, *far, name="m"):
    return Group(name, count, tuple(zip("pq", far, strict=False)))


@pytest.mark.parametrize(
    ("single", "several", "dropped"),
    [
        ((group(1, 2),), (group(2, 1),), True),
        ((group(1, 2),), (group(3, 1),), False),
        ((group(1, 3),), (group(1, 2), group(1, 1)), True),
        ((group(1, 3),), (group(1, 2), group(2, 1)), False),
        ((group(2, 2),), (group(4, 1),), False),
        ((group(1, 2, 2),), (group(2, 1, 1),), True),
        ((group(1, 1, 1),), (group(1, 1, 0), group(1, 0, 1)), False),  # another block for each part
        ((group(1, 0, 2),), (group(2, 0, 1),), True),
        ((group(1, 0, 2),), (group(2, 1, 1),), False),
        ((group(1, 2),), (group(2, 1, name="n"),), False),
        ((group(1, 2),), (replace(group(1, 2), wide=3),), True),  # one of them stays
        ((replace(group(1, 2), wide=2),), (group(2, 1),), False),
        ((group(1, 2), group(1, 1)), (group(2, 1), group(1, 1)), True),
        ((group(1, 2), group(1, 1)), (group(2, 1), group(1, 1), group(1, 1)), False),
    ],
)
def test_several_blocks_that_cost_no_more_than_one(single, several, dropped):
    here = profile(single, several)
    assert here.foremost.cases[0].vectors == ((single,) if dropped else (single, several))


def test_single_blocks_only_can_be_anywhere():
    assert profile((group(1, 2),)).interchangeable
    assert not profile((group(2, 1),)).interchangeable
    assert not profile((group(1, 2), group(1, 1))).interchangeable
    assert profile((group(2, 1),), exchangeable=True).interchangeable
