"""Blocks of lists that see gaps: no finite guarantee, a distance of two, or as near as before.

What is claimed of distances is compared with plain paths of insertions and deletions, written here
anew.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.gaps import gaps_grow
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.finite import World
from dpcomp_sym.model import Edit, Granularity, Map, Part, Problem, library_granularity
from tests.engine.test_own_records import LISTS

pytestmark = pytest.mark.in_turn

INSERTION = library_granularity("insertion", position="position")
(INSERT,) = INSERTION.edits
LAST = 9


def problem(member, domain=LISTS, index=(), outer=INSERTION, setting="separate", own=None):
    own = {} if own is None else {"granularity": own}
    blocks = Map("blocks", member, index=dict(index))
    return Problem(domain, outer, [blocks], [Part("counts", "blocks", setting=setting, **own)])


def pure(given):
    bound = derive(given).bounds["pure"]
    return bound.text, bound.tight


def claimed(given, index=()):
    structure = Structure(given)
    (part,) = given.bound_parts
    return gaps_grow(structure, structure.edits[0], part, index)


# ------------------------------------------------------------------ what edits do, written anew


def inserted(block, number, value, kept):
    """Insert a record into a block, of which later ones that are not ``kept`` leave it."""
    moved = {(n + 1 if n >= number else n, v) for n, v in block}
    return frozenset((n, v) for n, v in moved if kept(n)) | {(number, value)}


def distances(start, values, kept=lambda _: True):
    """Return from how far each block of so few places is seen."""
    places = [n for n in range(1, LAST + 1) if kept(n)]
    every = [
        frozenset(zip(chosen, what, strict=True))
        for size in range(4)
        for chosen in itertools.combinations(places, size)
        for what in itertools.product(values, repeat=size)
    ]
    known = set(every)
    beside = {block: set() for block in every}
    for block, number, value in itertools.product(every, places, values):
        after = inserted(block, number, value, kept)
        if after in known:
            beside[block].add(after)
            beside[after].add(block)
    found, border = {start: 0}, [start]
    while border:
        following = []
        for block in border:
            for other in beside[block] - found.keys():
                found[other] = found[block] + 1
                following.append(other)
        border = following
    return found


@pytest.mark.parametrize("many", [1, 2])
def test_gap_numbers_say_how_far_apart_blocks_are(many):
    # a, b, b over and over, before and after b comes to the front; only a is seen.
    before = frozenset((1 + 3 * n, "a") for n in range(many))
    after = frozenset((2 + 3 * n, "a") for n in range(many))
    assert distances(before, "a")[after] == 2 * many


@pytest.mark.parametrize("many", [2, 3])
def test_values_in_turn_are_no_farther_with_more_records(many):
    # a, b, a, b: what has gaps one more each is two edits away, however long the list.
    before = frozenset((1 + 2 * n, "a") for n in range(many))
    after = frozenset((2 + 2 * n, "a") for n in range(many))
    assert distances(before, "a")[after] == 2


def test_every_third_place_is_two_edits_from_any_other():
    def kept(place):
        return place % 3 == 1

    start = frozenset({(1, "a"), (4, "b"), (7, "a")})
    found = distances(start, "ab", kept)
    assert max(found.values()) == 2
    assert found[frozenset({(1, "b"), (4, "a"), (7, "b")})] == 2


def test_the_evaluator_finds_the_two_edits():
    blocks = problem("position(c) % 3 == 1").used_maps["blocks"]
    cells = [(place, value) for place in range(1, 9) for value in (0, 1)]
    world = World(LISTS, tuple(cells), {})
    inner = blocks.within(INSERTION.bind(LISTS), ())
    here = [cell for cell in cells if world.member(blocks, cell, ())]
    old, new = ({(place, (place + n) % 2): 1 for place in (1, 4, 7)} for n in (0, 1))
    assert world.path(inner, old, new, 1, here) is None
    path = world.path(inner, old, new, 2, here)
    assert path is not None
    assert [step.backwards for step in path] == [False, True]


# ------------------------------------------------------------------ what is proved of them

NONE = ("inf (no guarantee)", "yes")


@pytest.mark.parametrize(
    ("member", "index"),
    [
        ("val(c) == 2", {}),
        ("val(c) == i", {"i": 3}),
        ("val(c) == i", {"i": "k"}),
        ("val(c) >= i", {"i": 40}),
        ("val(c) % 3 == i - 1", {"i": 3}),
        ("val(c) != 7", {}),
        ("position(c) >= 4 and val(c) == 1", {}),
        ("position(c) >= i and val(c) % 2 == 1", {"i": "k"}),
        ("(i == 1 and val(c) == 1) or (i == 2 and position(c) % 3 == 0)", {"i": 2}),
        ("(i == 1 and position(c) % 3 == 0) or (i == 2 and val(c) == 1)", {"i": 2}),
        ("(i == 1 and val(c) == val(c)) or (i == 2 and val(c) < 4)", {"i": 2}),
    ],
)
def test_blocks_by_value_have_no_guarantee_after_an_insertion(member, index):
    assert pure(problem(member, index=index)) == NONE


def test_it_is_said_for_which_symbols_there_is_such_a_block():
    # All is in block 1, where it is a list again; a remainder by 2 has gaps.
    found = derive(problem("val(c) % i == 0", index={"i": "k"})).bounds["pure"]
    assert (found.text, found.tight) == NONE
    assert "k >= 2" in found.tight_note


@pytest.mark.parametrize(
    ("member", "index", "text"),
    [
        ("val(c) == val(c)", {}, "eps"),
        ("position(c) >= 3", {}, "eps"),
        ("position(c) % 3 == 0", {}, "2*eps"),
        ("position(c) % 3 == i - 1", {"i": 3}, "2*(eps[1] + eps[2] + eps[3])"),
        ("position(c) % 4 == 1 or position(c) % 4 == 3", {}, "2*eps"),
        (
            "(i == 1 and position(c) % 3 == 0) or (i == 2 and position(c) % 3 == 1)",
            {"i": 2},
            "2*(eps[1] + eps[2])",
        ),
    ],
)
def test_blocks_by_place_are_at_most_two_edits_away(member, index, text):
    assert pure(problem(member, index=index)) == (text, "yes")


FEWER = replace(LISTS, limits=[*LISTS.limits, ("val(c)", 1)])
SHORT = replace(LISTS, cell="position(c) >= 1 and position(c) <= 9")
TOLD = replace(LISTS, facts=[*LISTS.facts, "implies(D[c] >= 1, val(c) == position(c) % 2)"])
FULL = replace(LISTS, size=["size(D) <= 20"])
ANYWHERE = replace(LISTS, universe="any")
REMOVAL = Granularity("with removal", [INSERT, Edit({"x": "cell"}, change={"x": "1"})])
LATER = Granularity("later", [replace(INSERT, guard="position(x) >= 5")])
FRONT = Granularity("front", [replace(INSERT, guard="position(x) == 1")])
NUMBERED = Granularity(
    "numbered", [replace(INSERT, params={"x": "cell", "n": "int"}, guard="n >= 0")]
)
OTHERS = Granularity("others", [replace(INSERT, step="new == 0")])


@pytest.mark.parametrize(
    ("member", "more"),
    [
        ("val(c) == val(c)", {}),  # no gaps
        ("val(c) != val(c)", {}),  # no records
        ("position(c) % 2 == 0", {}),  # records leave the block
        ("val(c) == position(c)", {}),
        # A record in front is lost where it moves, so that places are made up for.
        ("val(c) == 1 and position(c) != 2", {}),
        ("val(c) == 1 or position(c) <= 2", {}),
        ("val(c) == 1 or position(c) >= 5", {}),  # without gaps from 5 on
        ("val(c) == 1", {"domain": FEWER}),  # a value is there once
        ("val(c) == 1", {"domain": SHORT}),
        ("val(c) == 1", {"domain": TOLD}),
        ("val(c) == 1", {"domain": FULL}),
        ("val(c) == 1", {"domain": ANYWHERE}),
        ("val(c) == 1", {"own": REMOVAL}),  # which makes a gap at once
        ("val(c) == 1", {"own": library_granularity("unbounded")}),
        ("val(c) == 1", {"own": OTHERS}),
        ("val(c) == 1", {"outer": LATER, "own": INSERTION}),  # not in front
        ("val(c) == 1", {"outer": NUMBERED, "own": INSERTION}),  # such edits are not looked at
        ("val(c) == 1", {"setting": "common"}),
    ],
)
def test_nothing_is_claimed_where_it_was_not_proved(member, more):
    assert not claimed(problem(member, **more))


def test_records_that_a_symbol_lets_in_may_be_lost_too():
    # (2, k) is lost where it moves: inserted twice, it makes a gap of one, at any number of places.
    member = "val(c) == 1 or (val(c) == 2 and position(c) <= k)"
    assert not claimed(problem(member, index={"i": "k"}), (1,))
    assert pure(problem(member, index={"i": "k"})) != NONE


def test_insertions_in_front_are_enough():
    assert claimed(problem("val(c) == 1", outer=FRONT, own=INSERTION))
    assert claimed(problem("val(c) == 1", outer=FRONT))
    assert claimed(problem("val(c) == 1", outer=INSERTION))


@pytest.mark.parametrize("first", [1, 2, 5])
def test_prefixes_of_a_list_that_grows_have_the_places_of_the_list(first):
    append = library_granularity("append", position="position")
    given = problem(f"position(c) <= {first} * i", index={"i": 3}, outer=append)
    assert pure(given) == ("eps[1] + eps[2] + eps[3]", "yes")


def test_where_places_are_left_out_an_appended_record_is_at_no_distance():
    append = library_granularity("append", position="position")
    assert pure(problem("position(c) != 2", outer=append)) == NONE
