"""Records that walk along an integer: symbolic distances, and what must not be called one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import Enumeration, label_worlds
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import INFINITY, Symbolic
from dpcomp_sym.replay import read
from tests.shares import shared

pytestmark = pytest.mark.in_turn

DOMAIN = Domain({"id": "R", "salary": "int"}, symbols={"s": "s >= 1"}, universe=Universe.PRODUCT)
NEARBY = library_granularity("nearby", value="salary")
BY_ID = library_map("partition", name="f", by="id")
COVER = library_map("cover", name="f", by="id", m=2)
WHOLE = library_map("identity", name="f")


def raised(most="s", more="true", *, directed=False):
    """One record's integer changes by up to so much."""
    guard = (
        "D[x] >= 1 and x != y and differ_only(x, y, salary) and "
        f"abs(salary(x) - salary(y)) <= {most} and {more}"
    )
    change = {"x": -1, "y": 1}
    edit = Edit({"x": "cell", "y": "cell"}, guard, change)
    return Granularity("raised", [edit], directed=directed)


BESIDE = "D[x] >= 1 and id(x) == id(y) and abs(salary(x) - salary(y)) == 1"


def steps(guard, change=None):
    """Mechanisms that are private for other changes of one record."""
    edit = Edit({"x": "cell", "y": "cell"}, guard, change or {"x": -1, "y": 1})
    return Granularity("steps", [edit])


def problem(domain=DOMAIN, outer=None, mapping=BY_ID, inner=NEARBY, setting="separate"):
    return Problem(domain, outer or raised(), [mapping], [Part("p", "f", inner, setting=setting)])


def pure(asked):
    return derive(asked).bounds[0].text


@pytest.mark.in_turn
@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize(
    ("most", "mapping", "bound"),
    [
        ("s", BY_ID, "s*max(eps[i])"),
        ("s", WHOLE, "s*eps"),
        pytest.param("10", BY_ID, "10*max(eps[i])", marks=pytest.mark.long),
    ],
)
def test_a_value_moves_by_up_to_so_many_steps(most, mapping, bound, setting):
    assert pure(problem(outer=raised(most), mapping=mapping, setting=setting)) == bound


@pytest.mark.parametrize(
    "change",
    shared(2, [
        {"limits": [("id(c)", 1)], "cap": 1},
        {"cell": "0 <= salary(c) and salary(c) <= 1000"},
        {"size": ["size(D) == s"]},
    ]),
)  # fmt: skip
def test_classes_that_are_not_left_on_the_way(change):
    assert pure(problem(replace(DOMAIN, **change))) == "s*max(eps[i])"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("change", "outer", "inner", "always"),
    [
        ({}, raised(), NEARBY, True),
        ({"limits": [("id(c)", 1)]}, raised(), NEARBY, True),
        ({}, raised(more="salary(x) < salary(y)"), NEARBY, True),
        ({"cell": "0 <= salary(c) and salary(c) <= 1000"}, raised(), NEARBY, False),
        ({"cell": "salary(c) <= s"}, raised(), NEARBY, False),
        ({}, raised(more="salary(x) < 100 and salary(y) < 100"), NEARBY, False),
        ({}, raised(more="size(D) >= 2"), NEARBY, False),  # it is not alone
        ({}, raised(), steps("D[x] >= 1 and id(x) == id(y) and abs(salary(x) - salary(y)) <= 2"),
         False),
    ],
)  # fmt: skip
def test_it_walks_so_far_for_all_numbers(change, outer, inner, always):
    (bound, *_) = derive(problem(replace(DOMAIN, **change), outer, inner=inner)).bounds
    assert ((bound.text, bound.tight, bound.tight_note) == ("s*max(eps[i])", "yes", "")) == always


def test_steps_onto_a_place_that_is_free():
    domain = replace(DOMAIN, limits=[("id(c)", 1)])
    assert pure(problem(domain, inner=steps(f"{BESIDE} and D[y] == 0"))) == "s*max(eps[i])"


def test_the_order_of_attributes_and_records_does_not_matter():
    domain = replace(DOMAIN, attributes={"salary": "int", "id": "R"})
    guard = "D[x] >= 1 and id(x) == id(y) and x != y and abs(salary(x) - salary(y)) <= s"
    outer = steps(guard, {"y": 1, "x": -1})
    inner = steps(BESIDE, {"y": 1, "x": -1})
    assert pure(problem(domain, outer, inner=inner)) == "s*max(eps[i])"


NOT_KNOWN = "inf (not known)"  # it is finite, or infinite for a reason that no proof has
ONE_STEP = "max(eps[i]) for s = 1; inf (not known) for s >= 2"
FEW_STEPS = (  # each number is tried by itself; that it is s for all s is not found
    "max(eps[i]) for s = 1; 2*max(eps[i]) for s = 2; 3*max(eps[i]) for s = 3; "
    "inf (not known) for s >= 4"
)
NO_GUARANTEE = "inf (no guarantee)"  # some neighbours are shown to be infinitely far apart


@pytest.mark.parametrize(
    ("change", "bound"),
    shared(1, [
        ({"universe": Universe.ANY}, ONE_STEP),  # the places in between may not exist
        ({"cap": 1}, FEW_STEPS),  # another record may stand there
        ({"limits": [("salary(c)", 2)]}, ONE_STEP),
        ({"cell": "salary(c) != 5"}, ONE_STEP),
        ({"symbols": {"s": "s >= 0"}}, NOT_KNOWN),
    ]),
)  # fmt: skip
def test_classes_that_may_be_left_on_the_way(change, bound):
    assert pure(problem(replace(DOMAIN, **change))) == bound


@pytest.mark.long
def test_what_holds_between_records_need_not_hold_of_a_block():
    facts = replace(DOMAIN, facts=["implies(D[c] >= 1, salary(c) != 7)"])
    assert pure(problem(facts)) == "s*max(eps[i])"
    assert pure(problem(facts, setting="common")) == ONE_STEP


@pytest.mark.parametrize(
    ("outer", "inner", "bound"),
    shared(3, [
        (raised("1"), steps(f"{BESIDE} and salary(x) < 100"), NO_GUARANTEE),
        (raised(), steps("D[x] >= 2 and id(x) == id(y) and abs(salary(x) - salary(y)) == 1"),
         NO_GUARANTEE),
        (raised(), steps(BESIDE, change={"x": -2, "y": 2}), NO_GUARANTEE),
        (raised(), steps("D[x] >= 1 and id(x) == id(y) and abs(salary(x) - salary(y)) == 2"),
         NOT_KNOWN),  # that a step keeps whether a salary is even
        (raised(), steps(f"{BESIDE} and salary(y) > salary(x) and salary(x) < 100"), NO_GUARANTEE),
        (raised(directed=True), NEARBY, FEW_STEPS),
        # each way is walked, also the only one there is, and the first step, too
        (raised(more="salary(y) > salary(x)"), steps(f"{BESIDE} and salary(x) < 100"),
         NO_GUARANTEE),
        (raised(more="salary(y) < salary(x)"), steps(f"{BESIDE} and salary(x) > 100"),
         NO_GUARANTEE),
        (raised("1", "salary(y) < salary(x)"), steps(f"{BESIDE} and salary(x) > 100"),
         NO_GUARANTEE),
        (raised("2*s"), NEARBY, "2*max(eps[i]) for s = 1; inf (not known) for s >= 2"),
        # only numbers and symbols are tried
    ]),
)  # fmt: skip
def test_steps_that_do_not_lead_there(outer, inner, bound):
    assert pure(problem(outer=outer, inner=inner)) == bound


@pytest.mark.long
def test_a_block_that_shows_no_place_in_between():
    """Labels by record: on its way the record may leave the block."""
    mapping = library_map("partition", name="f")
    assert pure(problem(mapping=mapping)) == (
        "max(eps[i]) for k = 1 and s = 1; inf for k >= 2 and s = 1; "
        "inf (not known) for k = 1 and s >= 2; inf for k >= 2 and s >= 2"
    )
    two_blocks = "s*(sum of the 2 largest eps[i])"
    assert pure(problem(mapping=mapping, setting="common")) == two_blocks


@pytest.mark.in_turn
@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize("mapping", shared(1, [WHOLE, BY_ID, COVER]))
def test_no_record_walks_farther_in_small_worlds(mapping, setting):
    asked = problem(mapping=mapping, setting=setting)
    cells = tuple(itertools.product(("a", "b"), range(4)))
    for most in (1, 2, 3):
        symbols = {"s": most} if mapping is WHOLE else {"s": most, "k": 2}
        world = World(DOMAIN, cells, {"R": ("a", "b")}, symbols=symbols)
        enumeration = Enumeration(asked, world, 1)
        labelled = label_worlds(world, list(asked.used_maps.values()), 4)
        assert enumeration.farthest(asked.bound_parts[0], labelled).value == most


def with_more(sort):
    """Records that say something else, too."""
    return replace(DOMAIN, attributes={"id": "R", "other": sort, "salary": "int"})


def one(guard, change=None, **params):
    """A granularity of one edit, in which a record goes and another one comes."""
    edit = Edit({"x": "cell", "y": "cell", **params}, guard, change or {"x": -1, "y": 1})
    return Granularity("own", [edit])


NEAR = "D[x] >= 1 and x != y and id(x) == id(y) and abs(salary(x) - salary(y)) <= s"


@pytest.mark.parametrize(
    ("asked", "bound", "common"),
    shared(1, [
        (problem(outer=library_granularity("unbounded")), NO_GUARANTEE, NOT_KNOWN),
        (problem(outer=one(NEAR, {"x": -1, "y": 1, "z": "s"}, z="cell")), NO_GUARANTEE, NOT_KNOWN),
        # Something else changes with the salary, or in its place.
        (problem(with_more("City"), outer=one(NEAR)), NO_GUARANTEE, NOT_KNOWN),
        (problem(with_more(["a", "b"]), outer=one("D[x] >= 1 and differ_only(x, y, other)")),
         NO_GUARANTEE, NOT_KNOWN),
        # The way is barred: by a third record, by who is on it, at its start.
        (problem(inner=one(f"{BESIDE} and D[z] >= 1", z="cell")), FEW_STEPS, FEW_STEPS),
        (problem(inner=one(f"{BESIDE} and D[y] >= 1")), NO_GUARANTEE, NOT_KNOWN),
        (problem(
            outer=one(f"{NEAR} and salary(x) == 0 and salary(y) >= 1"),
            inner=one(f"{BESIDE} and salary(x) != 0 and salary(y) != 0"),
        ), NO_GUARANTEE, NOT_KNOWN),
        # Up only: nobody walks back.
        (problem(
            outer=one(f"{NEAR} and salary(x) < salary(y)"),
            inner=replace(one(f"{BESIDE} and salary(x) < salary(y)"), directed=True),
        ), NOT_KNOWN, NOT_KNOWN),
        # Images of which it is not known whether there is one for each place on the way.
        (problem(
            mapping=library_map(
                "projection", name="f", image={"id": "id(c)", "salary": "salary(c) + salary(c)"}
            )
        ), NOT_KNOWN, FEW_STEPS.replace("max(eps[i])", "eps")),
    ]),
)  # fmt: skip
@pytest.mark.parametrize("setting", ["separate", "common"])
def test_what_is_no_walk(asked, bound, common, setting):
    (part,) = asked.parts
    found = pure(replace(asked, parts=[replace(part, setting=setting)]))
    assert found == (bound if setting == "separate" else common)


@pytest.mark.in_turn
def test_neither_steps_nor_a_number_bound_both():
    """Blocks of an interval: a record that leaves one is two edits away, one that stays s.

    The larger of the two is finite, but no number and no symbol: it is found for small s alone.
    """
    inside = "lo(i) <= salary(c) and salary(c) < hi(i)"
    blocks = Map("f", inside, {"i": "k"}, {"lo": (("int",), "int"), "hi": (("int",), "int")})
    some = [Edit({"x": "cell"}, change={"x": n}) for n in (2, 3)]
    inner = Granularity("inner", [*steps(f"{BESIDE} and x != y").edits, *some])
    found = derive(problem(mapping=blocks, inner=inner))
    assert [g.distances for c in found.profile.cases for v in c.vectors for g in v] == [
        (("p", 2),),
        (("p", 3),),
        (("p", INFINITY),),
    ]
    cases = "2*sum(eps[i]) for 1 <= s <= 2; 3*sum(eps[i]) for s = 3; inf (not known) for s >= 4"
    assert (found.verdict, found.bounds[0].text) == ("unknown", cases)


def test_one_record_is_on_the_way():
    """One record an owner: where the walk is, there is one, and no second one."""
    domain = replace(DOMAIN, limits=[("id(c)", "1")])
    inner = one(f"{BESIDE} and D[x] <= 1")
    assert pure(problem(domain, inner=inner)) == "s*max(eps[i])"


@pytest.mark.in_turn
def test_each_block_of_a_cover_sees_the_walk():
    bound = "s*(sum of the 2 largest eps[i])"
    assert pure(problem(mapping=COVER)) == bound


@pytest.mark.in_turn
@pytest.mark.parametrize("mapping", [BY_ID, COVER])
@pytest.mark.parametrize("setting", ["separate", "common"])
def test_strangers_decide_it_again(setting, mapping):
    derivation = derive(problem(setting=setting, mapping=mapping))
    document = as_text(certificate(derivation.theorems, derivation)).encode()
    assert verify(read(document)).verdict == "proved"


@pytest.mark.in_turn
@pytest.mark.parametrize(("most", "bound"), [("s", Symbolic("s", 1)), ("7", 7)])
def test_how_far_neighbours_can_be_apart(most, bound):
    relation = Relations(DOMAIN, {"raised": raised(most), "nearby": NEARBY})
    assert relation.distance("nearby", "raised").most == bound


@pytest.mark.in_turn
def test_a_record_that_comes_into_a_block_does_not_walk_there():
    """Its value rises to 12: the block has a record more, and the steps add none or two.

    So there is no guarantee: the steps keep whether the number of records is even.
    """
    walk = Edit({"x": "cell", "y": "cell"}, BESIDE, {"x": -1, "y": 1})
    inner = Granularity("steps", [walk, Edit({"x": "cell"}, change={"x": 2})])
    late = library_map("filter", name="f", keep="salary(c) >= 12")
    rising = raised(more="salary(x) <= salary(y)")
    assert pure(problem(outer=rising, mapping=late, inner=inner)) == NO_GUARANTEE
