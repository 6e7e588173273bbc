"""Several families under one frame: any so many blocks of one change, and others with them.

Of a household the persons differ, and all of them are in its county.  Random problems of this kind
are compared with all neighbours by ``tests.random_problems.structured``.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"person": "Person", "house": "House", "age": "int"}
CELLS = ("county(house(c)) == i and age(c) // 5 == j", {"i": "n", "j": "a"})
COUNTIES = ("county(house(c)) == i", {"i": "n"})
ALL = ("true", {})
RECORDS = library_granularity("unbounded")


def bound(*maps, near=(), step="true", **more):
    """Return a bound for a household of at most m persons; ``near`` are maps that count these."""
    domain = Domain(
        ATTRIBUTES, {"county": (["House"], "int")}, cap=1, limits=[("house(c)", "m")],
        symbols={"m": "m >= 1"}, **more,
    )  # fmt: skip
    edits = Granularity("household", [Edit({"h": "House"}, frame="house(c) == h", step=step)])
    named = [Map(f"m{n}", *one) for n, one in enumerate(maps)]
    parts = [
        Part(f"p{n}", m.name, RECORDS if n in near else None, {"pure": (f"e{n}",)})
        for n, m in enumerate(named)
    ]
    found = derive(Problem(domain, edits, named, parts)).bounds["pure"]
    return found.text, found.tight, found.tight_note


def test_persons_and_the_county_of_their_household():
    text = "max over t of ((sum of the 2*m largest (e0[i,j] for i == t)) + sum({} for i == t))"
    assert bound(CELLS, COUNTIES) == (text.format("e1[i]"), "yes", "")
    assert bound(COUNTIES, CELLS)[1:] == ("yes", "")
    assert bound(CELLS, COUNTIES, near=[1]) == (text.format("(2*m)*e1[i]"), "yes", "")
    leaves = bound(CELLS, COUNTIES, step="new <= old")
    assert leaves == (text.replace("2*m", "m").format("e1[i]"), "yes", "")


def test_everyone_is_counted_beside_both():
    persons = "sum of the 2*m largest (e0[i,j] for i == t)"
    text = f"max over t of (({persons}) + sum(e1[i] for i == t) + e2)"
    assert bound(CELLS, COUNTIES, ALL) == (text, "yes", "")


@pytest.mark.parametrize(
    "other",
    [
        ("county(house(c)) == i", {"i": "s"}),
        # Of a state without a county of its own block no cell is counted, and all change with it.
        ("county(house(c)) // 10 == i", {"i": "n"}),
    ],
)
def test_there_may_be_more_blocks_of_the_other_map(other):
    assert bound(CELLS, other)[1:] == ("yes", "")


@pytest.mark.parametrize(
    "other",
    [
        # A household of children changes no block of adults.
        ("county(house(c)) == i and age(c) >= 18", {"i": "n"}),
        # There is no cell for counties from 0 down.
        ("county(house(c)) <= i", {"i": "n"}),
    ],
)
def test_what_does_not_change_with_all_of_them(other):
    assert bound(CELLS, other)[1] == "unknown"


def test_counties_whose_cells_are_left_out():
    few = ("county(house(c)) == i and age(c) // 5 == j and i <= 5", {"i": "n", "j": "a"})
    assert bound(few, COUNTIES)[1] == "unknown"
    assert bound(few, COUNTIES, cell="county(house(c)) >= 6") == (
        "max over t of sum(e1[i] for i == t and 5 < t)", "yes", "",
    )  # fmt: skip


AGES = ("age(c) == i", {"i": "a"})


def test_persons_who_are_counted_are_in_any_block_beside_any_county():
    """All persons of a household may be of one age, whichever county it lies in."""
    one = "2*m*max(e0[i]) + max(e1[i])"
    assert bound(AGES, COUNTIES, near=[0]) == (one, "yes", "")
    assert bound(AGES, COUNTIES, near=[0, 1])[:2] == ("2*m*(max(e0[i]) + max(e1[i]))", "yes")
    # The county says the age.
    assert bound(AGES, COUNTIES, near=[0], cell="age(c) == county(house(c))")[1:] != ("yes", "")
    # Ages of several persons say which blocks of the other map change.
    other = ("age(c) // 10 == i", {"i": "n"})
    assert bound(AGES, other, near=[0])[0] != one
    # A block of the other map may hold some of them only.
    adults = ("county(house(c)) == i and age(c) >= 18", {"i": "n"})
    assert bound(AGES, adults, near=[0])[1] == "unknown"


def test_records_that_there_are_not_enough_places_for():
    """Each person of a household has another age, up to q: there may be fewer than m of them."""
    domain = Domain(
        ATTRIBUTES, {"county": (["House"], "int")}, cap=1,
        symbols={"m": "m >= 1", "q": "q >= 1"},
        limits=[("house(c)", "m"), ("house(c), age(c)", 1)], cell="1 <= age(c) <= q",
    )  # fmt: skip
    edits = Granularity("household", [Edit({"h": "House"}, frame="house(c) == h")])
    maps = [Map("ages", "county(house(c)) == i and age(c) == j", {"i": "n", "j": "a"}),
            Map("all", "true")]  # fmt: skip
    parts = [
        Part("a", "ages", None, {"pure": ("e0",)}),
        Part("c", "all", RECORDS, {"pure": ("e1",)}),
    ]
    found = derive(Problem(domain, edits, maps, parts)).bounds["pure"]
    assert "2*m*e1" in found.text.replace("(2*m)", "2*m")
    assert (found.tight, found.tight_note) != ("yes", "")


METERS = {"house": "House", "slot": "int", "level": ["low", "mid", "high"]}
LOW = ("slot(c) == i and level(c) == low", {"i": "k"})
MID = ("slot(c) == i and level(c) == mid", {"i": "k"})
HIGH = ("slot(c) == i and level(c) == high", {"i": "k"})
DAY = ("slot(c) // 96 == i", {"i": "k"})


def metered(*maps, step="true", limits=(("house(c), slot(c)", 1),)):
    """Return a bound for w successive slots of a house, which has one level in each."""
    domain = Domain(METERS, limits=limits, symbols={"w": "w >= 1"})
    frame = "house(c) == h and t <= slot(c) < t + w"
    edits = Granularity("slots", [Edit({"h": "House", "t": "int"}, frame=frame, step=step)])
    named = [Map(f"m{n}", *one) for n, one in enumerate(maps)]
    parts = [Part(f"p{n}", m.name, None, {"pure": (f"e{n}",)}) for n, m in enumerate(named)]
    found = derive(Problem(domain, edits, named, parts)).bounds["pure"]
    return found.text, found.tight, found.tight_note


def test_one_level_goes_and_another_one_comes():
    """Of two levels that cannot be there at once D has one in each slot, and E the other."""
    both = "max over t of (sum(e0[i] for t <= i < t + w) + sum(e1[i] for t <= i < t + w)"
    assert metered(LOW, HIGH) == (f"{both})", "yes", "")
    every = f"{both} + sum(e2[i] for t - 95 <= 96*i < t + w))"
    assert metered(LOW, HIGH, DAY) == (every, "yes", "")
    # What only leaves has one level in each slot.
    assert metered(LOW, HIGH, step="new <= old")[1] == "unknown"
    # There are two sides, and three levels.
    assert metered(LOW, MID, HIGH)[1] == "unknown"


def test_what_comes_may_look_like_what_leaves():
    """How many records a slot has of two levels is the same if one of them replaces the other."""
    domain = Domain(METERS, limits=[("house(c), slot(c)", 1)], symbols={"w": "w >= 1"})
    frame = "house(c) == h and t <= slot(c) < t + w"
    edits = Granularity("slots", [Edit({"h": "House", "t": "int"}, frame=frame)])
    member = "slot(c) == i and (level(c) == low or level(c) == high)"
    counted = Map("counted", member, {"i": "k"}, image={"slot": "slot(c)"})
    maps = [Map("low", *LOW), Map("high", *HIGH), counted]
    parts = [
        Part(f"p{n}", m.name, RECORDS if m is counted else None, {"pure": (f"e{n}",)})
        for n, m in enumerate(maps)
    ]
    assert derive(Problem(domain, edits, maps, parts)).bounds["pure"].tight == "unknown"
    assert derive(Problem(domain, edits, maps[:2], parts[:2])).bounds["pure"].tight == "yes"


def test_what_is_in_both_databases_does_not_change():
    """A level that two blocks hold cannot leave for one of them and come for the other."""
    twice = ("slot(c) == i and level(c) != mid", {"i": "k"})
    text, tight, _ = metered(LOW, twice, HIGH)
    assert (text.count("sum("), tight) == (3, "yes")


FOLLOWS = {"tail": "Account", "head": "Account"}
TOPICS = {"topic": (["Account", "int"], "bool")}


def followed(limits, **more):
    domain = Domain(FOLLOWS, limits=limits, cap=1, symbols={"m": "m >= 1"})
    topics = Map("topics", "topic(head(c), i)", {"i": "k"}, TOPICS, **more)
    edits = library_granularity("user", owner="tail")
    found = derive(Problem(domain, edits, [topics], [Part("p", "topics")])).bounds["pure"]
    return found.text, found.tight, found.tight_note


def test_one_account_may_have_all_topics():
    """However few accounts somebody may follow: the topics of one of them are any."""
    for limit in (1, 3, "m"):
        assert followed([("tail(c)", limit)]) == ("sum(eps[i])", "yes", "")
    few = followed([("tail(c)", 2)], multiplicity=3)
    assert (few[0], few[1]) == ("sum of the 12 largest eps[i]", "yes")


@pytest.mark.parametrize(
    ("head", "members", "function"),
    [
        # Of one account a topic is not both, and the two maps look at the same function.
        ("Account", ["topic(head(c), i)", "not topic(head(c), i)"], (["Account", "int"], "bool")),
        # There are two accounts, and each has one topic.
        (["a", "b"], ["topic(head(c)) == i"], (["head"], "int")),
    ],
)
def test_topics_that_one_account_cannot_have_at_once(head, members, function):
    domain = Domain(
        {"tail": "Account", "head": head}, {"topic": function}, cap=1,
        limits=[("tail(c)", "m")], symbols={"m": "m >= 1"},
    )  # fmt: skip
    maps = [Map(f"m{n}", member, {"i": "k"}) for n, member in enumerate(members)]
    parts = [Part(f"p{n}", m.name, None, {"pure": (f"e{n}",)}) for n, m in enumerate(maps)]
    edits = library_granularity("user_presence", owner="tail")
    found = derive(Problem(domain, edits, maps, parts)).bounds["pure"]
    one = "max(e0[i]) for m = 1; sum of the 2 largest e0[i] for m >= 2"
    assert (found.text, found.tight) in {(one, "yes"), ("sum(e0[i]) + sum(e1[i])", "unknown")}


PAPERS = {"author": "Author", "paper": "Paper", "year": "int", "venue": "Venue"}
YEARS = ("year(c) == i", {"i": "k"})
VENUES = ("of(venue(c)) == i", {"i": "n"})


def written(*maps, limits=(), use="user_presence", **more):
    """Return a bound for an author with at most a papers."""
    functions = {"of": (["Venue"], "int"), "era": (["int"], "int")}
    domain = Domain(
        PAPERS, functions, limits=[("author(c)", "a"), *limits], symbols={"a": "a >= 1"}, **more
    )  # fmt: skip
    named = [Map(f"m{n}", *one) for n, one in enumerate(maps)]
    parts = [Part(f"p{n}", m.name, None, {"pure": (f"e{n}",)}) for n, m in enumerate(named)]
    edits = library_granularity(use, owner="author")
    found = derive(Problem(domain, edits, named, parts)).bounds["pure"]
    return found.text, found.tight, found.tight_note


@pytest.mark.parametrize(
    ("maps", "limits"),
    [
        ([YEARS, VENUES], []),
        ([YEARS, VENUES], [("author(c), paper(c)", 1)]),
        # All papers have another year, or another venue: there are enough of them.
        ([YEARS, VENUES], [("author(c), year(c)", 1)]),
        ([YEARS, VENUES], [("author(c), venue(c)", 1)]),
        ([YEARS, ("era(year(c)) == i", {"i": "n"})], []),
    ],
)
@pytest.mark.parametrize(("use", "times"), [("user_presence", "a"), ("user", "2*a")])
def test_papers_of_any_years_in_any_venues(maps, limits, use, times):
    text = f"(sum of the {times} largest e0[i]) + sum of the {times} largest e1[i]"
    assert written(*maps, limits=limits, use=use) == (text, "yes", "")


@pytest.mark.parametrize(
    ("maps", "more"),
    [
        # The venue says the year.
        ([YEARS, VENUES], {"cell": "year(c) == of(venue(c))"}),
        # There are two years, and one paper in each: fewer than may be counted.
        ([YEARS, VENUES], {"cell": "0 <= year(c) <= 1", "limits": [("author(c), year(c)", 1)]}),
        # Papers of one year are all of one era, and there is one year.
        ([YEARS, ("era(year(c)) == i", {"i": "n"})], {"cell": "year(c) == 1"}),
        # One venue an author.
        ([YEARS, VENUES], {"distinct": [("venue(c)", "author(c)", 1)]}),
    ],
)
def test_where_years_and_venues_are_not_any(maps, more):
    text, tight, note = written(*maps, **more)
    sums = "(sum of the a largest e0[i]) + sum of the a largest e1[i]"
    assert text != sums or (tight, note) != ("yes", "")
