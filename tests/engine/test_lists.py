"""Lists in which values move along: what blocks of several positions see, next to all short lists.

A block of later positions sees a value come in from outside, so its mechanism is one insertion
away.  Which blocks change together, and how far they are seen, is compared with plain enumeration.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.moving import moves_all
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.engine.written_lists import far_in_lists, lists_through, written_lists
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.finite.world import difference
from dpcomp_sym.model import Edit, Map, Part, Problem, library_granularity
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt.gapless import first_record, name_last_records, name_record_at, numbering
from dpcomp_sym.smt.query import Signature
from tests.engine.test_own_records import LISTS as INTEGERS

pytestmark = pytest.mark.in_turn

LAST = 4
VALUES = ("a", "b")
(GAPLESS,) = INTEGERS.facts
LISTS = replace(INTEGERS, attributes={"position": "int", "val": "Value"})
SHORT = replace(
    LISTS,
    attributes={"position": "int", "val": list(VALUES)},
    cell=f"position(c) >= 1 and position(c) <= {LAST}",
)
WITH_Z = {"position": "int", "val": [*VALUES, "z"]}
INSERTION = library_granularity("insertion", position="position")

FAMILIES = {
    "tails": "position(c) >= i",
    "heads": "position(c) <= i",
    "windows of two": "(position(c) - 1) // 2 + 1 == i",
    "two positions": "position(c) == i or position(c) == i + 1",
    "single positions": "position(c) == i",
    "every second": "position(c) % 2 == i % 2",
    "all but one": "position(c) != i",
}


def problem(member, domain=LISTS, size=3, setting="separate"):
    blocks = Map("blocks", member, index={"i": size})
    return Problem(domain, INSERTION, [blocks], [Part("counts", "blocks", setting=setting)])


def short_lists():
    for length in range(LAST + 1):
        for values in itertools.product(VALUES, repeat=length):
            yield dict.fromkeys(enumerate(values, 1), 1)


def seen_farther_than_one(of):
    """Return whether some short list and a neighbour are farther than one inner edit apart."""
    cells = tuple(itertools.product(range(1, LAST + 1), VALUES))
    world = World(SHORT, cells, {"Value": VALUES})
    (part,), outer = of.bound_parts, of.outer
    for old, new in itertools.product(list(short_lists()), repeat=2):
        if not difference(old, new) or world.linking(outer, old, new) is None:
            continue
        for index in ((1,), (2,), (3,)):
            inner = part.map.within(part.granularity, index)
            ends = [world.apply(part.map, d, index) for d in (old, new)]
            here = tuple(world.block_cells(part.map, index))
            if world.path(inner, *ends, 1, here) is None:
                return True
    return False


@pytest.mark.parametrize("name", FAMILIES)
def test_how_far_blocks_are_seen_is_what_all_short_lists_show(name):
    of = problem(FAMILIES[name], SHORT)
    near = isinstance(Structure(of).sensitivity(of.bound_parts[0]), Proved)
    assert near is not seen_farther_than_one(of)


@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize("name", ["tails", "windows of two", "two positions"])
def test_all_guarantees_add_up_for_every_number_of_blocks(name, setting):
    (bound, *_) = derive(problem(FAMILIES[name], size="k", setting=setting)).bounds
    assert (bound.text, bound.tight) == ("sum(eps[i])", "yes")


def test_forty_blocks_of_multiples_all_change_in_one_list():
    """Position 40 is the first in block 40: no short list shows it."""
    member = " or ".join(f"(i == {n} and position(c) % {n} == 0)" for n in range(1, 41))
    (bound, *_) = derive(problem(member, size=40, setting="common")).bounds
    assert (bound.text, bound.tight) == ("sum(eps[i])", "yes")


def all_move(of):
    structure = Structure(of)
    return [
        moves_all(structure, edit, m) for edit in structure.edits for m in of.used_maps.values()
    ]


@pytest.mark.parametrize(
    "member",
    [
        "position(c) == i and position(c) >= 5",  # three blocks, all of them empty
        "position(c) >= i and val(c) == z",  # a value that takes no turns
    ],
)
def test_not_all_blocks_move(member):
    assert all_move(problem(member, replace(SHORT, attributes=WITH_Z))) == [False]


@pytest.mark.parametrize(
    ("change", "known"),
    [
        ({}, True),
        ({"facts": ["implies(D[c] >= 1, position(c) <= size(D) + 1)"]}, False),
        ({"facts": []}, False),
        ({"limits": [("position(c)", 2)]}, False),
        ({"limits": [("val(c)", 1)]}, False),
        ({"cell": "position(c) >= 0"}, False),
        ({"cell": "position(c) >= 2"}, True),  # only the empty list, then
    ],
)
def test_which_classes_have_lists_without_gaps(change, known):
    domain = replace(LISTS, **change)
    of = Problem(domain, INSERTION, [], [])
    pair = Pair(Query(Signature(domain, {}), {}), of.outer.edits[0], ())
    assert (numbering(pair) is not None) is known


@pytest.mark.parametrize("length", [0, 1, 2])
def test_records_that_must_exist_are_said_of_lists_that_have_them(length):
    """What is named excludes no list: not the empty one, and none that is short."""
    of = problem(FAMILIES["tails"])
    pair = Pair(Query(Signature(LISTS, {}), {}), of.outer.edits[0], tuple(of.used_maps.values()))
    key, (mapping,) = numbering(pair), of.used_maps.values()
    pair.query.add(pair.size(new=False) == length)
    for number in (0, 1, 2, 3):
        for new in (False, True):
            name_record_at(pair, key, logic.IntVal(number), new=new)
    name_last_records(pair, key)
    view = pair.view(mapping, (logic.IntVal(2),))
    for new in (False, True):
        first_record(view, key, new=new)
    assert pair.query.check() == logic.sat


def test_without_all_positions_a_list_may_lose_its_end():
    """In a universe that lacks (3, b) an insertion into a, b, c, d leaves two records."""
    for universe in ("any", "infinite"):
        of = problem(FAMILIES["tails"], replace(LISTS, universe=universe))
        assert Structure(of).sensitivity(of.bound_parts[0]).word != "proved"


def test_written_lists_are_neighbours_and_the_shortest_come_first():
    of = problem(FAMILIES["every second"])
    sizes = []
    for found in written_lists(of, of.outer.edits[0]):
        assert found.world.linking(of.outer, found.old, found.new) is not None
        sizes.append(len(found.old))
    assert sizes == sorted(sizes)
    assert sizes[0] == 1


def test_lists_that_a_part_sees_from_afar():
    """Of every second position, what moves along never arrives: too far for one insertion."""
    of = problem(FAMILIES["every second"])
    structure, (part,) = Structure(of), of.bound_parts
    seen = partial(structure.bracket, part=part)
    found = far_in_lists(of, of.outer.edits[0], part, 1, seen)
    assert (len(found.old), len(found.new)) == (3, 4)
    verdict = structure.sensitivity(part)
    assert verdict.word == "refuted"
    assert verdict.counterexample.old == found.old


def test_nothing_is_written_where_labels_are_functions():
    blocks = Map(
        "blocks", "label(c) == i", index={"i": "k"}, functions={"label": (("cell",), "int")}
    )
    of = Problem(LISTS, INSERTION, [blocks], [Part("counts", "blocks")])
    assert list(written_lists(of, of.outer.edits[0])) == []


WEIGHTS = {1: 1, 2: 2, 3: 4}


def largest_sum(of):
    """Return the most that guarantees of blocks add up to which change between short lists."""
    cells = tuple(itertools.product(range(1, LAST + 1), VALUES))
    world, (mapping,) = World(SHORT, cells, {"Value": VALUES}), of.used_maps.values()
    return max(
        sum(
            WEIGHTS[i]
            for i in (1, 2, 3)
            if world.apply(mapping, old, (i,)) != world.apply(mapping, new, (i,))
        )
        for old, new in itertools.product(list(short_lists()), repeat=2)
        if difference(old, new) and world.linking(of.outer, old, new) is not None
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_which_blocks_change_together_is_what_short_lists_show(name):
    of = problem(FAMILIES[name], SHORT, setting="common")
    (bound, *_) = derive(of, values={"eps": [*WEIGHTS.values()]}).bounds
    assert bound.tight == "yes"
    assert bound.value == largest_sum(of)


@pytest.mark.parametrize(
    ("member", "last", "text"),
    [
        ("position(c) >= i", "position(c) <= n", "sum(eps[i] for i <= n)"),
        (
            "(position(c) - 1) // 3 + 1 == i",
            "position(c) < 7",
            "sum(eps[i] for i <= 2)",
        ),
    ],
)
def test_lists_of_a_largest_length_are_full(member, last, text):
    """The last position has no next one, so one of the two lists is as long as it can be."""
    domain = replace(LISTS, cell=f"position(c) >= 1 and {last}", symbols={"n": "n >= 1"})
    (bound, *_) = derive(problem(member, domain, size="k")).bounds
    assert bound.text == text
    assert bound.tight == "yes"


def test_intervals_of_positions():
    (bound, *_) = derive(
        Problem(
            LISTS,
            INSERTION,
            [Map("blocks", "i <= position(c) and position(c) <= j", index={"i": "k", "j": "k"})],
            [Part("counts", "blocks")],
        )
    ).bounds
    assert (bound.text, bound.tight) == ("sum(eps[i,j] for i <= j)", "yes")


@pytest.mark.parametrize("least", [0, 1])
def test_the_least_position_is_best_only_where_there_is_one(least):
    """Without positions, for n = 0, nothing changes: the maximum over none of them is 0."""
    domain = replace(
        LISTS, cell="position(c) >= 1 and position(c) <= n", symbols={"n": f"n >= {least}"}
    )
    (bound, *_) = derive(problem("position(c) >= i", domain, size="k")).bounds
    body = "sum(eps[i] for i <= n)"
    assert bound.text == (body if least else f"max over t with 0 < t <= n of {body}")


def test_sections_of_any_length():
    """Quotients by a symbol: that these do not fall where positions rise is said to the solver."""
    domain = replace(LISTS, symbols={"L": "L >= 1"})
    (bound, *_) = derive(problem("(position(c) - 1) // L + 1 == i", domain, size="k")).bounds
    assert (bound.text, bound.tight) == ("sum(eps[i])", "yes")


SUBSTITUTION = Edit(
    {"x": "cell", "y": "cell"},
    guard="D[x] == 1 and x != y and position(x) == position(y)",
    change={"x": "-1", "y": "1"},
)


@pytest.mark.parametrize("setting", ["separate", "common"])
def test_what_another_edit_changes_is_a_part_of_all_blocks(setting):
    """A substitution changes one block, and not any: but an insertion changes them all."""
    both = replace(INSERTION, edits=(*INSERTION.edits, SUBSTITUTION))
    blocks = Map("blocks", FAMILIES["windows of two"], index={"i": "k"})
    part = Part("counts", "blocks", setting=setting)
    (bound, *_) = derive(Problem(LISTS, both, [blocks], [part])).bounds
    assert (bound.text, bound.tight) == ("sum(eps[i])", "yes")


def test_a_longest_list_may_have_no_shorter_neighbour():
    """For n = 1 no list has 1 record and fewer than 1: there are no neighbours, and no loss."""
    domain = replace(LISTS, cell="position(c) >= 1 and position(c) <= n", symbols={"n": "n >= 1"})
    (edit,) = INSERTION.edits
    narrow = replace(INSERTION, edits=(replace(edit, guard="size(D) >= 1 and size(D) < n"),))
    blocks = Map("blocks", FAMILIES["tails"], index={"i": "k"})
    part = Part("counts", "blocks", setting="common")
    (bound, *_) = derive(Problem(domain, narrow, [blocks], [part])).bounds
    assert bound.tight != "yes"


APPEND = library_granularity("append", position="position")


def appended(member, domain=LISTS, size="k", edits=APPEND):
    blocks = Map("blocks", member, index={"i": size})
    of = Problem(domain, edits, [blocks], [Part("counts", "blocks", setting="common")])
    (bound, *_) = derive(of).bounds
    return bound.text, bound.tight


def test_forty_blocks_after_which_a_value_is_added():
    """Block i changes where the list had i - 1 values: no short list shows the last one."""
    member = " or ".join(f"(i == {n} and position(c) == {n + 100})" for n in range(1, 41))
    text, tight = appended(member, size=40)
    assert tight == "yes"
    assert text.startswith("max over t")


@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("position(c) >= i", "sum(eps[i])"),
        ("(position(c) - 1) // 3 + 1 == i", "max(eps[i])"),
        ("i <= position(c) and position(c) <= i + 1", "max over t with 0 < t of sum(eps[i] for"),
    ],
)
def test_what_an_added_value_changes(member, text):
    found, tight = appended(member)
    assert found.startswith(text)
    assert tight == "yes"


@pytest.mark.parametrize(
    ("guard", "fact"),
    [
        ("position(x) == size(D) + 1 and size(D) < 5", GAPLESS),  # later ones are never added
        ("position(x) == size(D) + 1", "size(D) <= 5"),  # nor are there so long lists
    ],
)
def test_what_is_not_added_changes_nothing(guard, fact):
    """Blocks from the seventh position on stay empty."""
    (edit,) = APPEND.edits
    edits = replace(APPEND, edits=(replace(edit, guard=guard),))
    domain = replace(LISTS, facts=[GAPLESS, fact])
    assert appended("position(c) == i + 6", domain, 3, edits) == ("0", "yes")
    assert appended("position(c) >= i + 3", domain, "k", edits)[1] != "yes"


def test_no_value_is_added_where_a_place_is_left_free():
    (edit,) = APPEND.edits
    gap = replace(APPEND, edits=(replace(edit, guard="position(x) == size(D) + 2"),))
    with pytest.raises(InputError, match="can never change"):
        appended("position(c) == i", LISTS, 3, gap)


def test_few_blocks_after_which_a_value_is_added():
    """They are listed, and that each list of blocks is reached is read off their conditions."""
    member = " or ".join(f"(i == {n} and position(c) == {n + 100})" for n in (1, 2, 3))
    assert appended(member, size=3) == ("max(eps[1], eps[2], eps[3])", "yes")
    member += " or (i == 4 and position(c) >= 103)"
    assert appended(member, size=4) == ("max(eps[3] + eps[4], eps[1], eps[2])", "yes")


OF_INTEGERS = replace(LISTS, attributes={"position": "int", "val": "int"})
BY_VALUE = {
    "values": "val(c) == {n}",
    "larger values": "val(c) >= {n}",
    "remainders": "val(c) % {size} == {n} - 1",
    "multiples": "val(c) % {n} == 0",
    "quotients": "val(c) // {n} == 0",
}


def written_out(members, domain=OF_INTEGERS):
    member = " or ".join(f"(i == {n} and {text})" for n, text in enumerate(members, 1))
    bound = derive(problem(member, domain, len(members), "common")).bounds["pure"]
    return bound.text, bound.tight


@pytest.mark.parametrize("size", [4, 12])
@pytest.mark.parametrize("name", BY_VALUE)
def test_one_value_that_is_inserted_changes_all_blocks_of_values(name, size):
    members = [BY_VALUE[name].format(n=n, size=size) for n in range(1, size + 1)]
    every = " + ".join(f"eps[{n}]" for n in range(1, size + 1))
    assert written_out(members) == (every, "yes")


@pytest.mark.parametrize("size", [5, 11])
def test_blocks_of_no_value_cost_nothing(size):
    none = "val(c) == 1 and val(c) == 2"
    members = [none if n % 2 == 0 else f"val(c) == {n}" for n in range(1, size + 1)]
    every = " + ".join(f"eps[{n}]" for n in range(1, size + 1, 2))
    assert written_out(members) == (every, "yes")


def test_a_block_that_short_lists_do_not_reach_is_one_of_them():
    """Lists in which the values of blocks take turns end before it."""
    members = ["val(c) == 1", "val(c) == 2", "position(c) == 30"]
    text, _ = written_out(members)
    assert text == "eps[1] + eps[2] + eps[3]"


def test_blocks_of_names():
    names = [f"v{n}" for n in range(1, 6)]
    domain = replace(LISTS, attributes={"position": "int", "val": names})
    every = " + ".join(f"eps[{n}]" for n in range(1, 6))
    assert written_out([f"val(c) == {x}" for x in names], domain) == (every, "yes")


def test_one_value_alone_does_not_take_turns():
    of = problem("val(c) == i", OF_INTEGERS)
    blocks = [(of.bound_maps["blocks"], (n,)) for n in (1, 1, 2)]
    edit = of.outer.edits[0]
    assert not list(lists_through(of, edit, blocks[:2]))
    assert {len(found.old) for found in lists_through(of, edit, blocks)} == {2}
