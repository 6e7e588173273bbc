"""Blocks that are written out, each seen from where it is seen, not from where the farthest is.

What is claimed is compared with blocks that are single maps, and with plain paths of insertions.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import pytest

from dpcomp_sym.certificates.facts import FactChecker
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.blocks import nearest
from dpcomp_sym.engine.distances import no_single_edit
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together.find import TRUE, Finder
from dpcomp_sym.engine.together.point_placing import PointPlacing
from dpcomp_sym.finite import World
from dpcomp_sym.model import Domain, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError, replay
from dpcomp_sym.replay.algebra import num
from dpcomp_sym.smt import ViewDistance, logic
from dpcomp_sym.terms import to_text
from tests.engine.test_gaps import INSERT, INSERTION, distances
from tests.engine.test_own_records import LISTS

pytestmark = pytest.mark.in_turn

PLACES = {
    "position(c) <= 3": (lambda n: n <= 3, 1),
    "position(c) >= 4": (lambda n: n >= 4, 1),
    "position(c) == 2": (lambda n: n == 2, 1),
    "position(c) % 3 == 1": (lambda n: n % 3 == 1, 2),
    "position(c) % 2 == 0": (lambda n: n % 2 == 0, 2),
    "3 <= position(c) and position(c) <= 5": (lambda n: 3 <= n <= 5, 1),
}
FAMILIES = [
    ["position(c) <= 3", "position(c) % 3 == 1"],
    ["position(c) % 2 == 0", "position(c) == 2", "position(c) % 3 == 1"],
    ["position(c) % 3 == 1", "position(c) >= 4", "3 <= position(c) and position(c) <= 5"],
    ["position(c) <= 3", "position(c) == 2"],
    ["position(c) % 2 == 0", "position(c) % 3 == 1"],
]


def family(members, outer=INSERTION, domain=LISTS):
    said = " or ".join(f"(i == {n} and ({m}))" for n, m in enumerate(members, 1))
    blocks = Map("blocks", said, index={"i": len(members)})
    return Problem(domain, outer, [blocks], [Part("counts", "blocks")])


def common(members, outer, domain):
    given = family(members, outer, domain)
    (part,) = given.parts
    return replace(given, parts=[replace(part, setting="common")])


def pure(given, numbers):
    bound = derive(given, {"eps": numbers}).bounds["pure"]
    assert bound.tight == "yes"
    return bound.value


@pytest.mark.parametrize("members", FAMILIES)
def test_each_block_counts_as_often_as_it_is_far(members):
    numbers = [7**n for n in range(len(members))]
    far = [PLACES[m][1] for m in members]
    assert pure(family(members), numbers) == sum(
        r * eps for r, eps in zip(far, numbers, strict=True)
    )


@pytest.mark.parametrize("member", PLACES)
def test_so_far_are_lists_by_plain_insertions(member):
    """Lists of four records, with one more inserted anywhere."""
    kept, far = PLACES[member]
    known, most = {}, 0

    def block(values):
        return frozenset((n, v) for n, v in enumerate(values, 1) if kept(n))

    for old in itertools.product("ab", repeat=4):
        before = block(old)
        known.setdefault(before, distances(before, "ab", kept))
        for place, value in itertools.product(range(5), "ab"):
            most = max(most, known[before][block((*old[:place], value, *old[place:]))])
    assert most == far


@pytest.fixture(scope="module")
def stated():
    """The problem, and what is said in its certificate of blocks that change together."""
    derivation = derive(family(FAMILIES[0]))
    played = replay(certificate(derivation.theorems, derivation))
    facts = {leaf.statement for leaf in played.leaves if leaf.kind != "given"}
    return derivation.problem, {fact[0]: fact for fact in facts}


def test_the_certificate_says_so_and_is_confirmed(stated):
    given, facts = stated
    for fact in facts.values():
        FactChecker(given).fact(fact)


def test_a_distance_that_is_said_to_be_smaller_than_it_is_is_found(stated):
    given, facts = stated
    *about, distance = facts["BlockDistance"]
    assert distance == num(2)
    with pytest.raises(RejectedError, match="not confirmed"):
        FactChecker(given).fact((*about, num(1)))


def test_a_block_that_is_said_to_be_nearer_than_it_is_is_found(stated):
    given, facts = stated
    fact = facts["Together"]
    *about, ((reach, (near, far)),) = fact
    assert near[4]
    assert far[4] == ()
    false = (*about, ((reach, (near, (*far[:4], near[4]))),))
    with pytest.raises(RejectedError, match="from farther"):
        FactChecker(given).fact(false)


def test_blocks_are_nearer_where_that_is_proved():
    given = family(FAMILIES[1])
    structure = Structure(given)
    (part,) = given.bound_parts
    pair_of = partial(structure.pair, structure.edits[0])
    assert nearest(pair_of, part, [(1,), (2,), (3,)], 2, reverse=False) == {(2,): 1}


# ------------------------------------------------------------------ what shows that it is farther


def world(last=6):
    cells = [(place, value) for place in range(1, last + 1) for value in (0, 1)]
    return World(LISTS, tuple(cells), {})


def test_an_insertion_leaves_the_record_that_it_names():
    inner = INSERTION.bind(LISTS)
    here = world()
    old, new = {(1, 0): 1, (2, 0): 1}, {(1, 1): 1, (2, 1): 1}
    assert no_single_edit(here, inner, old, new, here.cells)


@pytest.mark.parametrize(
    "step",
    [
        # What is left there depends on the database, or may be nothing at all.
        "new == D[replace(c, position, position(c) - 1)]",
        "new == (0 if position(c) == position(x) else D[replace(c, position, position(c) - 1)])",
    ],
)
def test_an_edit_that_need_not_leave_it_shows_nothing(step):
    inner = Granularity("other", [replace(INSERT, step=step)]).bind(LISTS)
    here = world()
    assert not no_single_edit(here, inner, {(1, 0): 1}, {(1, 1): 1, (2, 1): 1}, here.cells)


def test_a_link_that_fails_beyond_the_world_alone_is_no_proof():
    """Which cells a block has there is not known: a record may leave it."""
    here = world(last=2)
    inner = INSERTION.bind(LISTS)
    old, new = {(1, 0): 1, (2, 0): 1}, {(1, 1): 1, (2, 0): 1}
    assert here.linking(inner, old, new, here.cells) is None
    assert not no_single_edit(here, inner, old, new, here.cells)


# ------------------------------------------------------------------ blocks that lose what moves


@pytest.mark.parametrize(
    ("member", "met"),
    [
        ("position(c) % 3 == 1", True),
        ("position(c) == 5", True),
        ("position(c) <= 2", False),
        ("position(c) % 3 != 1", False),
        ("val(c) == 1", False),
    ],
)
@pytest.mark.parametrize("index", [{}, {"i": 2}])
def test_the_proof_for_any_blocks_is_about_blocks_that_lose_what_moves(member, met, index):
    blocks = Map("blocks", member, index=index)
    given = Problem(LISTS, INSERTION, [blocks], [Part("counts", "blocks")])
    structure = Structure(given)
    pair = structure.pair(structure.edits[0])
    (mapping,) = given.used_maps.values()
    view = pair.view(mapping, pair.index(mapping))
    view.changed()
    (part,) = given.bound_parts
    assert ViewDistance(view, part.granularity).meets() is met


def test_what_is_open_is_any_records():
    given = family(["val(c) == val(c)", "val(c) == 1"])
    structure = Structure(given)
    (mapping,) = given.used_maps.values()
    known, opened = (structure.pair(structure.edits[0]) for _ in range(2))
    opened.leave_open(mapping)
    for pair, certain in ((known, True), (opened, False)):
        inside = pair.member(mapping, pair.query.cell("z"), pair.index(mapping, (1,)))
        pair.query.add(logic.Not(inside))
        assert structure.unsat(pair.query) is certain


# ------------------------------------------------------------------ guards of one record


@pytest.mark.parametrize(
    ("attributes", "functions", "sensitive"),
    [
        ({"sens": "bool"}, {}, "sens(c)"),
        ({"sens": "bool"}, {}, "not sens(c)"),
        ({}, {"sens": (["Record"], "bool")}, "sens(id(c))"),
        ({}, {"sens": (["cell"], "bool")}, "sens(c)"),
        ({"role": ["patient", "nurse"]}, {}, "role(c) == nurse"),
    ],
)
def test_sensitive_records_change_as_many_blocks_as_others(attributes, functions, sensitive):
    domain = Domain({"v": "int", "id": "Record", **attributes}, functions)
    one_sided = library_granularity("one_sided", sensitive=sensitive)
    members = [f"v(c) == {n}" for n in range(1, 13)]
    assert pure(common(members, one_sided, domain), [*range(1, 7), 50, 8, 9, 10, 40, 12]) == 90


@pytest.mark.parametrize(
    ("guard", "asked"),
    [
        ("sens(v(x))", ["sens(v(x))"]),
        ("sens(v(x)) and not sens(v(y))", []),  # the two may be of one value
        ("sens(v(x)) or v(x) == 3", []),
        ("role(x) == nurse and not sens(v(y))", ["role(x) == nurse", "not sens(v(y))"]),
        ("role(x) == nurse and role(y) == patient", []),
        ("role(x) == role(y)", []),
        ("v(x) == 3", []),
    ],
)
def test_what_a_guard_asks_alone(guard, asked):
    domain = Domain(
        {"v": "int", "id": "Record", "role": ["patient", "nurse"]}, {"sens": (["int"], "bool")}
    )
    (edit,) = library_granularity("bounded").edits
    outer = Granularity("some", [replace(edit, guard=f"x != y and D[x] >= 1 and ({guard})")])
    structure = Structure(family(["v(c) == 1", "v(c) == 2"], outer, domain))
    finder = Finder(structure, structure.edits[0])
    maps = [(m, finder.of_points(m)) for m in structure.problem.used_maps.values()]
    placing = PointPlacing(structure, finder, maps, TRUE)
    assert [to_text(t) for t in placing.asked_alone()] == asked


def test_where_a_guard_chooses_values_the_worst_neighbours_are_not_written_as_terms():
    """They would be said to have any value there."""
    domain = Domain({"v": "int", "id": "Record", "sens": "bool"})
    members = [f"v(c) == {n}" for n in range(1, 13)]
    one_sided = library_granularity("one_sided", sensitive="sens(c)")
    worst = [
        [case.worst for case in derive(common(members, outer, domain)).profile.cases]
        for outer in (one_sided, library_granularity("bounded"))
    ]
    assert worst[0] == [()]
    assert worst[1] != [()]


def test_sensitive_values_that_blocks_read_are_not_taken_to_be_anything():
    domain = Domain({"v": "int", "id": "Record", "sens": "bool"})
    one_sided = library_granularity("one_sided", sensitive="sens(c)")
    members = [f"v(c) == {n} and not sens(c)" for n in range(1, 13)]
    # Only the record that comes may lie in a block.
    assert pure(common(members, one_sided, domain), list(range(1, 13))) == 12


def test_sensitive_records_of_one_value_change_its_block_alone():
    sensitive = "implies(sens(c), v(c) == 2)"
    domain = Domain({"v": "int", "id": "Record", "sens": "bool"}, cell=sensitive)
    one_sided = library_granularity("one_sided", sensitive="sens(c)")
    members = [f"v(c) == {n}" for n in range(1, 13)]
    assert pure(common(members, one_sided, domain), [1, 2, *range(11, 21)]) == 22


def test_remainders_of_numbers_are_numbers():
    """Which is the first time that leaves a remainder, from the first time on."""
    domain = Domain({"time": "int", "id": "Record"}, cell="time(c) >= 1")
    window = library_granularity("w_event", time="time", length="5")
    members = ["time(c) % 2 == 1", "time(c) <= 2", *(f"time(c) == {n}" for n in range(3, 13))]
    text = derive(common(members, window, domain)).bounds["pure"].text
    assert "i == 1 and -3 <= t" in text
