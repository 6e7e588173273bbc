"""Distances between two databases: bounds from below, paths, and the counts that edits keep."""

from __future__ import annotations

import itertools
from dataclasses import replace

import networkx as nx
import pytest

from dpcomp_sym.engine.distances import (
    Bracket,
    bracket,
    connected,
    edits_a_record,
    invariants,
    no_single_edit,
    one_by_one,
    steps_needed,
)
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Refuted
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
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
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.smt import ViewDistance
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import to_text

OWNED = Domain({"id": "R", "owner": "U"}, symbols={"m": "m >= 1"})
A, B, C = ("R1", "U1"), ("R2", "U2"), ("R1", "U2")
ONE, TWO, THREE = (dict.fromkeys(names, "cell") for names in ("x", "xy", "xyz"))
NEW = Edit(ONE, change={"x": 1})
MOVED = Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1})
USER = Edit({"u": "U"}, frame="owner(c) == u")
INT = {"t": "int"}
BLOCKS = library_map("partition", name="b")


def bound(*edits, directed=False, domain=OWNED):
    return Granularity("own", edits, directed=directed).bind(domain)


@pytest.mark.parametrize(
    ("granularity", "old", "new", "least"),
    [
        (bound(NEW), {}, {A: 3}, 3),
        (bound(NEW), {A: 3, B: 1}, {A: 1}, 3),
        (bound(NEW), {A: 1}, {B: 1}, 2),
        (bound(MOVED), {A: 2}, {B: 2}, 2),
        (bound(MOVED), {A: 3}, {B: 2, C: 1}, 3),
        (bound(Edit(ONE, change={"x": 3}), Edit(ONE, change={"x": -2})), {}, {A: 7}, 3),
        (bound(Edit(TWO, change={"x": 1, "y": 1})), {A: 3}, {}, 2),
        # Each edit moves two records, this way or that.
        (bound(Edit(ONE, change={"x": 2}), MOVED), {A: 2}, {B: 2}, 2),
        (bound(NEW, directed=True), {}, {A: 1}, 1),
        (bound(NEW, directed=True), {}, {A: 2}, 2),
        (bound(Edit(ONE, change={"x": -1}), directed=True), {A: 2}, {}, 2),
        (bound(Edit(ONE, change={"x": -1}), directed=True), {}, {A: 2}, 2),
        (bound(MOVED), {A: 2}, {}, 2),
        (bound(MOVED), {}, {A: 2}, 2),
        (bound(NEW, Edit(ONE, change={"x": -3}), directed=True), {}, {A: 3}, 3),
        (bound(NEW, Edit(ONE, change={"x": -3}), directed=True), {A: 3}, {}, 1),
        (
            bound(Edit(ONE, change={"x": 3}), Edit(ONE, change={"x": -1}), directed=True),
            {A: 3},
            {},
            3,
        ),
        # An edit of any size.
        (bound(USER), {}, {A: 3}, 1),
        (bound(Edit({**ONE, **INT}, change={"x": "t"})), {}, {A: 3}, 1),
        (bound(NEW, USER), {}, {A: 3}, 1),
        (bound(Edit({**TWO, **INT}, change={"x": "t", "y": 1})), {}, {A: 3}, 1),
    ],
)
def test_so_many_edits_are_needed(granularity, old, new, least):
    assert steps_needed(granularity, old, new) == least


@pytest.mark.parametrize(
    ("formula", "known"),
    [
        ("t == 100", True),
        ("t <= day(x) and not day(x) >= t + m", True),
        ("implies(5 - t > -day(x), t != m or late)", True),
        ("s <= 7 and day(x) - s == 7", True),
        # What is so far away that it is not in sight.
        ("t + t == 100", False),
        ("t*t == 2500", False),
        ("2*t <= day(x)", False),
        ("t <= 2*day(x)", False),
        ("t == day(x) + day(x)", False),
        ("t + day(x) == 50", False),
        ("t <= m + 5", False),
        ("t == 10 and s == t + 10", False),
        ("t <= day(x) and day(x) <= s and s < t + m", False),
        ("t == D[x] + 7", False),
        ("t <= size(D)", False),
        ("of(t) == 3", False),
        ("t == of(t)", False),
        ("allowed(t)", False),
        ("kind(t) == a", False),
        ("late == (t <= 3)", False),
    ],
)
def test_integers_beyond_the_window_do_what_one_within_does(formula, known):
    domain = Domain(
        {"id": "R", "day": "int"}, symbols={"m": "m >= 1"},
        functions={
            "of": (["int"], "int"), "allowed": (["int"], "bool"), "kind": (["int"], "R"),
        },
    )  # fmt: skip
    params = {"x": "cell", "t": "int", "s": "int", "late": "bool", "a": "R"}
    edit = Edit(params, formula, {"x": 1})
    granularity = bound(edit, domain=domain)
    cells = (("R1", 3),)
    scene = World(domain, cells, {"R": ("R1",)}, {}, {"of": 0, "allowed": False}, {"m": 1})
    assert no_single_edit(scene, granularity, {}, {cells[0]: 1}, cells) == known


def test_in_a_wide_world_not_all_integers_around_it_are_tried():
    domain = Domain({"id": "R", "day": "int"})
    dated = Edit({"x": "cell", "t": "int"}, "t == day(x)", {"x": 1})
    for edit, days, known in ((dated, 3, True), (dated, 300, False), (NEW, 300, True)):
        granularity = bound(edit, domain=domain)
        cells = tuple(("R1", 10 * day) for day in range(days))
        scene = World(domain, cells, {"R": ("R1",)})
        assert no_single_edit(scene, granularity, {}, {cells[0]: 1}, cells) == known


@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize(
    ("params", "guard", "change"),
    [
        ({}, "t + t == 100", {"x": 1}),
        ({"s": "int"}, "t == 10 and s == t + 10", {"x": 1}),
        ({}, "t == D[x] + 7", {"x": 1}),
        ({}, "t - 50 > 30 and t - 70 < 20", {"x": 1}),
        ({}, "D[x] + t >= 0 and t + t == 14", {"x": "t"}),
    ],
)
def test_one_edit_with_an_integer_out_of_sight_is_no_refutation(params, guard, change, setting):
    """Whatever the integer, one record more, or seven, is one edit."""
    inner = Granularity("own", [Edit({**ONE, **INT, **params}, guard, change)])
    outer = Granularity("outer", [Edit(ONE, change={"x": 7 if change == {"x": "t"} else 1})])
    part = Part("p", "identity", inner, setting=setting)
    problem = Problem(Domain({"id": "R"}), outer, [library_map("identity")], [part])
    assert not isinstance(Structure(problem).sensitivity(problem.bound_parts[0]), Refuted)


def world(domain, *cells):
    elements = {"R": ("R1", "R2"), "U": ("U1", "U2")}
    return World(domain, cells, elements, {}, {}, {"m": 1})


@pytest.mark.parametrize(
    ("granularity", "new", "anything", "product"),
    [
        (bound(NEW), {A: 2}, True, True),
        (bound(MOVED), {A: 1}, True, True),
        # What the guard asks of y may hold of a record that is not in sight.
        (bound(Edit(TWO, "D[y] >= 2", {"x": 1})), {A: 2}, True, False),
        (bound(Edit(TWO, "D[y] >= 2", {"x": 1, "y": 0})), {A: 2}, True, False),
        (bound(Edit(TWO, "D[y] >= 2", {"x": 1, "y": "m - m"})), {A: 2}, True, False),
        # Two changes out of sight may cancel each other.
        (bound(Edit(THREE, change={"x": 1, "y": 1, "z": -1})), {A: 2}, True, False),
        (bound(Edit(THREE, change={"x": 1, "y": 1, "z": -1})), {A: 2, B: 1}, True, True),
        (bound(USER), {A: 1, B: 1}, True, True),
        (bound(Edit(ONE, frame="owner(c) == owner(x)")), {A: 1, B: 1}, True, False),
        (
            bound(Edit({"u": "U"}, frame="owner(c) == u", step="new <= size(D)")),
            {A: 1},
            True,
            False,
        ),
        # Far away there may be an integer.
        (bound(Edit(INT, frame="t + t == 100 and c == c")), {A: 1}, False, False),
        (bound(Edit(INT, frame="c == c", step="new == t + t")), {A: 1}, False, False),
        (bound(Edit(INT, frame="c == c", step="new == t")), {A: 1}, False, False),
        (bound(Edit(INT, "t <= 7", frame="c == c")), {A: 1}, True, True),
    ],
)
def test_no_edit_in_sight_is_none_at_all(granularity, new, anything, product):
    for universe, expected in ((Universe.ANY, anything), (Universe.PRODUCT, product)):
        scene = world(replace(OWNED, universe=universe), A, B, C)
        assert no_single_edit(scene, granularity, {}, new, (A, B, C)) == expected


@pytest.mark.parametrize(
    ("granularity", "old", "new", "seen"),
    [
        (bound(NEW), {A: 1}, {A: 1}, "0"),
        (bound(NEW), {}, {A: 1}, "1"),
        (bound(NEW), {}, {A: 1, B: 2}, "3"),
        (bound(NEW), {}, {A: 9}, "9"),
        (bound(NEW), {}, {A: 30}, "at least 30"),
        # Two owners change; and one.
        (bound(USER), {}, {A: 1, B: 1}, "2"),
        (bound(USER), {C: 2}, {B: 7}, "1"),
        # The number of records is kept.
        (bound(MOVED), {A: 1}, {A: 2}, "infinite"),
        (bound(MOVED), {A: 2}, {B: 1, C: 1}, "2"),
        (bound(MOVED, NEW), {A: 1}, {A: 3}, "2"),
        (bound(NEW, directed=True), {A: 1}, {}, "infinite"),
    ],
)
def test_how_far_two_databases_are_apart(granularity, old, new, seen):
    signature = Signature(granularity.domain, {})
    kept = invariants(granularity, signature)
    found = bracket(world(OWNED, A, B, C), granularity, old, new, (A, B, C), kept)
    assert str(found) == seen


def test_a_distance_is_exact_where_its_bounds_meet():
    assert Bracket(2, 2).exact == 2
    assert Bracket(INFINITY, INFINITY).exact == INFINITY
    assert [Bracket(1, upper).exact for upper in (2, None, INFINITY)] == [None] * 3


@pytest.mark.parametrize(
    ("edit", "kept"),
    [
        (NEW, []),
        (Edit(TWO, "id(x) == id(y)", {"x": 1, "y": -1}), [(), ("id",)]),
        (Edit(TWO, "id(x) == id(y) and day(x) == day(y)", {"x": 1, "y": -1}),
         [(), ("id",), ("day",), ("id", "day")]),
        (Edit(TWO, change={"x": 1, "y": -1}), [()]),
        (Edit({"x": "cell", "t": "int"}, "t == 0", {"x": "t"}),
         [(), ("id",), ("owner",), ("day",),
          ("owner", "day"), ("id", "day"), ("id", "owner")]),
        (Edit(INT, frame="day(c) == t"), []),
        (Edit(INT, frame="day(c) == t", step="new == 0"), []),
        (Edit(INT, frame="day(c) == t", step="old == 0"), []),
        (Edit(INT, frame="day(c) == t", step="new == old"),
         [(), ("id",), ("owner",), ("day",),
          ("owner", "day"), ("id", "day"), ("id", "owner")]),
        (Edit(ONE, "size(D) == 0", {"x": 1}), []),
    ],
)  # fmt: skip
def test_what_edits_keep(edit, kept):
    domain = Domain({"id": "R", "owner": "U", "day": "int"})
    found = invariants(bound(edit, domain=domain), Signature(domain, {}))
    assert [tuple(str(key.args[0]) for key in i.keys) for i in found] == kept


ORDERS = Domain({"trader": "T", "buys": "bool", "price": "int"})
PAIRED = {"x": 1, "y": 1}
THREE = {"x": "cell", "y": "cell", "z": "cell"}


@pytest.mark.parametrize(
    ("edits", "kept"),
    [
        ([Edit(TWO, change=PAIRED)], [["modulo 2"]]),
        ([Edit(TWO, "buys(x) and not buys(y)", PAIRED)],
         [["modulo 2"], ["weight 1 if buys(c) else -1"]]),
        ([Edit(TWO, "buys(x) != buys(y)", {"x": 2, "y": 2})],
         [["modulo 2"], ["weight 1 if buys(c) else -1"]]),
        ([Edit(TWO, "buys(x) != buys(y)", {"x": 1, "y": 2})], []),
        ([Edit(THREE, change={"x": 1, "y": 1, "z": 1})], []),
        ([Edit(THREE, change={"x": 1, "y": 1, "z": -2})], [[]]),
        ([Edit(ONE, change={"x": 2})], [["modulo 2"]]),
        ([Edit(ONE, change={"x": "D[x]"})], []),
        ([Edit(TWO, change=PAIRED), Edit(ONE, change={"x": 1})], []),
        ([Edit(TWO, change=PAIRED), Edit(TWO, change={"x": -1, "y": 1})], [["modulo 2"]]),
        ([Edit({"t": "T"}, frame="trader(c) == t")], []),
    ],
)  # fmt: skip
def test_what_edits_of_several_records_keep(edits, kept):
    """Records that come in pairs, or one kind for one of the other."""
    found = invariants(Granularity("g", edits).bind(ORDERS), Signature(ORDERS, {}))
    assert [one.text() for one in found if not one.keys] == kept


def test_orders_that_leave_in_pairs_are_at_no_distance_from_single_ones():
    b, s = ("t", True, 1), ("u", False, 1)
    pairs = Granularity("pairs", [Edit(TWO, "buys(x) and not buys(y)", PAIRED)]).bind(ORDERS)
    kept = invariants(pairs, Signature(ORDERS, {}))
    orders = World(ORDERS, (b, s), {"T": ("t", "u")})

    def apart(old, new):
        return str(bracket(orders, pairs, old, new, (b, s), kept))

    assert apart({}, {b: 1, s: 1}) == "1"
    assert apart({}, {b: 2, s: 2}) == "2"
    assert apart({}, {b: 1}) == apart({}, {b: 2}) == apart({s: 1}, {b: 1}) == "infinite"


def test_functions_of_records_that_edits_keep():
    functions = {"kind": (["cell"], "int"), "house": (["U"], "H"), "near": (["U", "U"], "bool")}
    domain = Domain({"id": "R", "owner": "U"}, functions=functions)
    same = Edit(TWO, "kind(x) == kind(y) and house(owner(x)) == house(owner(y))", {"x": 1, "y": -1})
    found = invariants(bound(same, domain=domain), Signature(domain, domain.signatures))
    assert [[to_text(key) for key in i.keys] for i in found] == [
        [],
        ["house(owner(c))"],
        ["kind(c)"],
    ]


@pytest.mark.parametrize(
    ("granularity", "known"),
    [
        (bound(NEW), True),
        (bound(Edit(ONE, change={"x": -1})), True),
        (bound(MOVED, NEW), True),
        (bound(NEW, directed=True), False),
        (bound(Edit(ONE, "D[x] == 0", {"x": 1})), False),
        (bound(Edit(ONE, change={"x": 2})), False),
        (bound(Edit(ONE, change={"x": "m"})), False),
        (bound(Edit({**ONE, **INT}, change={"x": 1})), False),
        (bound(Edit(TWO, change={"x": 1, "y": 1})), False),
        (bound(Edit(ONE, frame="c == x")), True),
        (bound(NEW, domain=Domain({"id": "R"}, size=["size(D) >= 2"])), False),
        (bound(NEW, domain=Domain({"id": "R"}, facts=["D[c] == 0 or size(D) >= 2"])), False),
    ],
)
def test_databases_that_are_certainly_linked(granularity, known):
    assert connected(granularity) == known


FEW = Domain({"id": ["r", "s"], "owner": ["a", "b"]}, cap=2)
SINGLE = replace(FEW, limits=[("owner(c)", 1)])
OWNER = {"u": "owner"}
COMES = {"step": "old == 0"}


@pytest.mark.parametrize(
    ("edit", "domain", "known"),
    [
        (Edit(OWNER, frame="owner(c) == u"), FEW, True),
        (Edit(OWNER, frame="u == owner(c)"), SINGLE, True),
        (Edit({"x": "id"}, frame="owner(c) == a or id(c) == x"), FEW, True),
        (Edit({}, frame="true"), FEW, True),
        (Edit(OWNER, frame="owner(c) == u", **COMES), SINGLE, True),
        (Edit(OWNER, frame="owner(c) == u", **COMES), FEW, False),
        (Edit({}, frame="true", **COMES), SINGLE, False),
        (Edit({}, frame="true", step="old + new == 1"), FEW, False),
        (Edit(OWNER, frame="owner(c) == u or true", step="old + new == 1"), FEW, False),
        (Edit(OWNER, frame="owner(c) == u", step="new == old + 1"), FEW, False),
        (Edit(OWNER, "u == a", frame="owner(c) == u"), FEW, False),
        (Edit(OWNER, frame="owner(c) == u and id(c) == r"), FEW, False),
        (Edit({**OWNER, "x": "id"}, frame="owner(c) == u"), FEW, False),
        (Edit(OWNER, frame="owner(c) == a"), FEW, False),
    ],
)
def test_frames_in_which_any_record_may_change_alone(edit, domain, known):
    """Where it is claimed, no path is longer than there are records that come and go."""
    one = bound(edit, domain=domain)
    assert connected(one) == known
    if not known:
        return
    cells = tuple(itertools.product(("r", "s"), ("a", "b")))
    world = World(domain, cells, {"id": ("r", "s"), "owner": ("a", "b")})
    most = 1 if domain is SINGLE else 2
    some = [
        {c: n for c, n in zip(cells, numbers, strict=True) if n}
        for numbers in itertools.product(range(most + 1), repeat=len(cells))
    ]
    some = [d for d in some if world.contains(d, domain, cells)]
    for old, new in itertools.product(some[:30], some):
        moved = sum(abs(old.get(c, 0) - new.get(c, 0)) for c in cells)
        assert world.path(one, old, new, moved, cells) is not None


@pytest.mark.parametrize(
    ("edits", "domain", "each"),
    [
        ([Edit(OWNER, frame="owner(c) == u", **COMES)], FEW, 2),
        ([Edit(OWNER, frame="u == owner(c)", **COMES)], replace(FEW, limits=[("owner(c)", 3)]), 2),
        ([Edit(OWNER, frame="owner(c) == u", **COMES), MOVED], FEW, 2),
        ([Edit(OWNER, frame="owner(c) == u", **COMES)], SINGLE, 1),
        ([Edit(OWNER, frame="owner(c) == u", **COMES), NEW], FEW, 1),
        ([Edit(OWNER, "u == a", frame="owner(c) == u", **COMES)], FEW, None),
        ([Edit(OWNER, frame="owner(c) == u and id(c) == r", **COMES)], FEW, None),
        ([Edit(OWNER, frame="owner(c) == a", **COMES)], FEW, None),
        ([Edit(OWNER, frame="owner(c) == u", step="old == 0 and new <= 1")], FEW, None),
        ([Edit(OWNER, frame="owner(c) == u", step="old == 1")], FEW, None),
        ([Edit(OWNER, frame="owner(c) == u", **COMES)],
         replace(FEW, facts=["D[c] == 0 or size(D) >= 2"]), None),
        ([Edit(OWNER, frame="owner(c) == u", **COMES)], replace(FEW, size=["size(D) >= 2"]), None),
    ],
)  # fmt: skip
def test_records_that_go_with_their_owners_and_come_back_without_one(edits, domain, each):
    """Where it is claimed, no path is longer than so many times the records that come and go."""
    one = bound(*edits, domain=domain)
    assert edits_a_record(one) == each
    assert edits_a_record(bound(*edits, domain=domain, directed=True)) is None
    if each is None:
        return
    cells = tuple(itertools.product(("r", "s"), ("a", "b")))
    world = World(domain, cells, {"id": ("r", "s"), "owner": ("a", "b")})
    graph = EditGraph(world, one, world.cells, 2)
    far = [
        (graph.distance(a, b), sum(abs(x - y) for x, y in zip(a, b, strict=True)))
        for a, b in itertools.combinations(graph.states, 2)
    ]
    assert all(steps <= each * moved for steps, moved in far)
    assert any(moved > 1 for _, moved in far)


@pytest.mark.parametrize(
    "limits",
    [[], [("owner(c)", 2)], [("id(c)", 1)], [("owner(c)", 2), ("id(c)", 1)]],
)
@pytest.mark.parametrize("kept", [(0, 1, 2, 3), (0, 1), (0, 2), (0,), (0, 3), (1, 2, 3)])
def test_two_edits_a_record_on_the_common_domain(limits, kept):
    """A filter shows some cells of whole databases, and edits of these lead from one to another."""
    domain = replace(FEW, cap=1, limits=limits)
    one = bound(Edit(OWNER, frame="owner(c) == u", **COMES), domain=domain)
    cells = tuple(itertools.product(("r", "s"), ("a", "b")))
    world = World(domain, cells, {"id": ("r", "s"), "owner": ("a", "b")})
    graph = EditGraph(world, one, world.cells, 1)

    def shown(state):
        return tuple(state[n] for n in kept)

    images = nx.Graph()
    for old, new in itertools.combinations(graph.states, 2):
        if graph.distance(old, new) == 1:
            images.add_edge(shown(old), shown(new))
    far = dict(nx.all_pairs_shortest_path_length(images))
    assert edits_a_record(one) == 2
    for a, b in itertools.combinations(map(shown, graph.states), 2):
        assert far[a][b] <= 2 * sum(abs(x - y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("inner", "more", "known"),
    [
        ("unbounded", {}, True),
        ("bounded", {}, False),
        ("unbounded", {"setting": "common"}, True),
        ("bounded", {"setting": "common"}, False),
    ],
)
def test_parts_that_see_records_come_and_go_one_by_one(inner, more, known):
    part = Part("p", "b", library_granularity(inner), **more)
    maps = [library_map("partition", name="b")]
    problem = Problem(Domain({"id": "R"}), library_granularity("bounded"), maps, [part])
    assert one_by_one(problem.bound_parts[0]) == known


def test_blocks_that_overlap_see_records_come_and_go_one_by_one_too():
    """How many blocks hold a record is a fact of labels, which stay as they are."""
    maps = [library_map("cover", name="b", m=2)]
    part = Part("p", "b", library_granularity("unbounded"))
    problem = Problem(Domain({"id": "R"}), library_granularity("bounded"), maps, [part])
    assert one_by_one(problem.bound_parts[0])


@pytest.mark.parametrize("order", ["<", ">"])
def test_of_two_steps_the_order_that_stays_in_the_class_is_found(order):
    # At most one record at each place: that one leaves first is known to keep to it, in whatever
    # order the values of the two frames come.
    domain = Domain(
        {"row": "int", "col": "int", "val": "V"}, cap=1, at_least=1,
        symbols={"w": "1 <= w and w <= 2"}, cell="1 <= row(c) and row(c) <= w",
        limits=[("row(c), col(c)", 1)],
    )  # fmt: skip
    guard = f"D[x] >= 1 and x != y and col(x) {order} col(y)"
    replaced = Granularity("replaced", [Edit(TWO, guard, {"x": -1, "y": 1})])
    problem = Problem(
        domain, replaced, [Map("f", member="col(c) <= 0")],
        [Part("p", "f", library_granularity("user", owner="col"), setting="common")],
    )  # fmt: skip
    structure = Structure(problem)
    [edit] = problem.outer.edits
    assert structure.pushed_at_most(edit, problem.bound_parts[0], 2)


@pytest.mark.parametrize(("step", "far"), [("old <= new", "infinite"), ("true", "1")])
def test_a_frame_again_is_no_way_back_where_edits_have_a_direction(step, far):
    """A mechanism that is private where records only become more may tell that they were fewer."""
    grows = Edit({"u": "U"}, frame="owner(c) == u", step=step)
    part = Part("p", "b", Granularity("grows", [grows], directed=True))
    problem = Problem(
        OWNED, Granularity("outer", [grows]), [library_map("identity", name="b")], [part]
    )
    structure, (reader,) = Structure(problem), problem.bound_parts
    assert structure.orientations == (False, True)
    verdict = structure.sensitivity(reader, 1)
    assert verdict.word == ("refuted" if far == "infinite" else "proved")
    if far == "infinite":
        assert far in str(verdict.counterexample)


@pytest.mark.parametrize(
    "inner", [(), (Edit({}, frame="true"),), (Edit({"t": "int"}, frame="true"),)]
)
def test_what_a_block_sees_of_a_frame_is_the_frame_again(inner):
    """That is one path; a model with its own choice of records is not waited for."""
    listed = dict.fromkeys(("r", "s", "t", "u", "v"), "R")
    within = " or ".join(f"id(c) == {name}" for name in listed)
    frame = Edit({"o": "U", **listed}, frame=f"owner(c) == o and ({within})")
    part = Part("p", "b", Granularity("own", [*inner, frame]) if inner else None)
    problem = Problem(OWNED, Granularity("outer", [frame]), [BLOCKS], [part])
    structure, mapping = Structure(problem), problem.bound_maps["b"]
    pair = structure.pair(structure.edits[0])
    view = pair.view(mapping, pair.index(mapping))
    view.changed()
    distance = ViewDistance(view, problem.bound_parts[0].granularity, paths=1)
    assert distance.at_most(1) == "proved"
