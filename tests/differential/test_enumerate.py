"""The enumerator against cases worked out by hand, and against the literal evaluator."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite.enumerate import (
    UNREACHABLE,
    EditGraph,
    Enumeration,
    databases,
    dominated,
    label_worlds,
)
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from tests.random_problems.generate import generate

IDS = Domain({"id": "R"})
PAIRS = Domain({"a": "A", "b": "B"})
OWNED = Domain({"id": "R"}, {"owner": (["cell"], "U")})


def plain(names="pq", symbols=None, domain=IDS, **more):
    return World(
        domain, tuple((n,) for n in names), {"R": tuple(names)}, symbols=symbols or {}, **more
    )


def pairs_world(symbols=None):
    cells = tuple(itertools.product(("a1", "a2"), ("b1", "b2")))
    return World(PAIRS, cells, {"A": ("a1", "a2"), "B": ("b1", "b2")}, symbols=symbols or {})


def graph(world, granularity, most=2, cells=None):
    cells = world.cells if cells is None else cells
    return EditGraph(world, granularity.bind(world.domain), cells, most)


def distances(g):
    return {(s, t): g.distance(s, t) for s in g.states for t in g.states}


def test_all_databases_of_a_class():
    assert len(list(databases(plain(), IDS, plain().cells, 2))) == 9
    sets = Domain({"id": "R"}, cap=1)
    assert len(list(databases(plain("pqr"), sets, plain("pqr").cells, 2))) == 8
    ordered = Domain({"time": "int", "value": "V"}, limits=[("time(c)", 1)])
    cells = ((0, "u"), (0, "v"), (1, "u"))
    world = World(ordered, cells, {"V": ("u", "v")})
    assert len(list(databases(world, ordered, cells, 2))) == 3 * 2
    small = Domain({"time": "int"}, cell="time(c) >= 1", size=["size(D) <= 1"])
    cells = ((0,), (1,), (2,))
    assert len(list(databases(World(small, cells), small, cells, 2))) == 3


def test_databases_within_limits_are_those_that_the_class_contains():
    """Limits leave out what is too much as soon as it is, and nothing else."""
    cells = tuple(itertools.product("ab", (0, 1, 2)))
    for most, limits in itertools.product(
        (-1, 0, 1, 2),
        ([("user(c)", "m")], [("day(c) // 2", "m"), ("user(c)", 2)], [("user(c), day(c)", "m")]),
    ):
        few = Domain({"user": "U", "day": "int"}, symbols={"m": "m >= -1"}, limits=limits, cap=2)
        world = World(few, cells, {"U": ("a", "b")}, symbols={"m": most})
        every = (
            {c: n for c, n in zip(cells, numbers, strict=True) if n}
            for numbers in itertools.product(range(3), repeat=len(cells))
        )
        expected = [d for d in every if world.contains(d, few, cells)]
        assert list(databases(world, few, cells, 2)) == expected
        assert {} in expected


def test_unbounded_distance_is_the_symmetric_difference():
    g = graph(plain("pqr"), library_granularity("unbounded"))
    for (s, t), value in distances(g).items():
        assert value == sum(abs(a - b) for a, b in zip(s, t, strict=True))


def test_bounded_distance_is_half_the_symmetric_difference():
    g = graph(plain("pqr"), library_granularity("bounded"))
    for (s, t), value in distances(g).items():
        half = sum(abs(a - b) for a, b in zip(s, t, strict=True)) / 2
        assert value == (half if sum(s) == sum(t) else UNREACHABLE)


def test_either_distance():
    g = graph(plain("pq"), library_granularity("unbounded_or_bounded"))
    for (s, t), value in distances(g).items():
        more = sum(max(b - a, 0) for a, b in zip(s, t, strict=True))
        less = sum(max(a - b, 0) for a, b in zip(s, t, strict=True))
        assert value == max(more, less)


def test_label_distance_keeps_the_rest():
    g = graph(pairs_world(), library_granularity("label", label="a"), most=1)
    assert g.cells[0][0] == g.cells[1][0] != g.cells[2][0]
    assert g.distance((1, 0, 0, 0), (0, 0, 1, 0)) == 1
    assert g.distance((1, 0, 0, 0), (0, 1, 0, 0)) == UNREACHABLE
    assert g.distance((1, 1, 0, 0), (0, 0, 1, 1)) == 2


def test_attribute_distance_counts_attributes():
    g = graph(pairs_world(), library_granularity("attribute"), most=1)
    assert g.distance((1, 0, 0, 0), (0, 0, 0, 1)) == 2


def test_user_level_distance_counts_owners():
    world = plain(
        "pqr",
        domain=OWNED,
        functions={"owner": {(("p",),): "u", (("q",),): "u"}},
        defaults={"owner": "v"},
    )
    world = World(
        world.domain,
        world.cells,
        {"R": tuple("pqr"), "U": ("u", "v")},
        world.functions,
        world.defaults,
    )
    g = graph(world, library_granularity("user", owner="owner(c)"))
    for (s, t), value in distances(g).items():
        assert value == (s[:2] != t[:2]) + (s[2] != t[2])
    presence = graph(world, library_granularity("user_presence", owner="owner(c)"))
    assert presence.distance((0, 0, 0), (1, 2, 0)) == 1
    assert presence.distance((1, 0, 0), (0, 1, 0)) == 2


def test_free_lunch_is_discrete():
    g = graph(plain(), library_granularity("free_lunch"))
    assert all(v == (s != t) for (s, t), v in distances(g).items())


def test_directed_edits_lead_one_way():
    grow = Granularity("grow", [Edit({"x": "cell"}, change={"x": 1})], directed=True)
    g = graph(plain("p"), grow)
    assert g.distance((0,), (2,)) == 2
    assert g.distance((2,), (0,)) == UNREACHABLE
    assert g.pairs() == [((0,), (1,)), ((1,), (2,))]


def test_a_group_of_edits_is_one_step():
    g = graph(plain("pq"), library_granularity("unbounded", group=2))
    for (s, t), value in distances(g).items():
        assert value == -(-sum(abs(a - b) for a, b in zip(s, t, strict=True)) // 2)


def test_numbers_may_depend_on_the_database():
    empty = Granularity("empty", [Edit({"x": "cell"}, change={"x": "-D[x]"})])
    g = graph(plain("pq"), empty)
    assert g.distance((2, 2), (0, 0)) == 2
    assert g.distance((1, 0), (2, 0)) == 2
    assert g.linked((0, 0), (2, 0))


def test_points_that_coincide_add_up():
    twice = Granularity("two", [Edit({"x": "cell", "y": "cell"}, change={"x": 1, "y": 1})])
    assert graph(plain("p"), twice).pairs() == [((0,), (2,)), ((2,), (0,))]


def problem(granularity, *, by="c", inner=None, maps=None, domain=IDS, parts=None):
    maps = maps or [library_map("partition", name="blocks", by=by)]
    parts = parts or [Part("p", maps[0].name, inner)]
    return Problem(domain, granularity, maps, parts)


def answers(question, world, bound=2):
    e = Enumeration(question, world, bound)
    worlds = label_worlds(world, [p.map for p in question.bound_parts], 512)
    part = question.bound_parts[0]
    changed, far = e.most_changed(part.map, worlds), e.farthest(part, worlds)
    return changed and changed.value, far and far.value, set(e.profile(worlds))


@pytest.mark.parametrize(
    ("outer", "inner", "changed", "far", "shapes"),
    [
        ("unbounded", None, 1, 1, {((1,),)}),
        ("bounded", None, 2, UNREACHABLE, {((UNREACHABLE,), (UNREACHABLE,))}),
        ("bounded", "unbounded", 2, 2, {((2,),), ((1,), (1,))}),
        ("unbounded", "bounded", 1, UNREACHABLE, {((UNREACHABLE,),)}),
        ("unbounded_or_bounded", None, 2, 1, {((1,), (1,))}),
    ],
)
def test_partitions(outer, inner, changed, far, shapes):
    question = problem(
        library_granularity(outer), inner=library_granularity(inner) if inner else None
    )
    found = answers(question, plain("pqr", {"k": 2}))
    assert found == (changed, far, {(("blocks", s),) for s in shapes})


def test_the_common_domain_asks_for_equality():
    question = problem(
        library_granularity("bounded"), parts=[Part("p", "blocks", setting="common")]
    )
    assert answers(question, plain("pqr", {"k": 3})) == (2, 1, {(("blocks", ((1,), (1,))),)})


def test_the_common_domain_with_another_granularity():
    question = problem(
        library_granularity("bounded"),
        parts=[Part("p", "blocks", library_granularity("unbounded"), setting="common")],
    )
    assert answers(question, plain("pqr", {"k": 2}))[1] == 2


def test_covers():
    question = problem(library_granularity("bounded"), inner=library_granularity("unbounded"),
                       maps=[library_map("cover", name="blocks", m=1)])  # fmt: skip
    assert answers(question, plain("pq", {"k": 2}))[0] == 2
    question = problem(
        library_granularity("unbounded"), maps=[library_map("cover", name="blocks", m=2)]
    )
    assert answers(question, plain("pq", {"k": 3}))[0] == 2


def test_projections_live_on_their_image():
    question = problem(
        library_granularity("bounded"), domain=PAIRS,
        maps=[library_map("projection", name="marginal", image={"a": "a(c)"})],
        parts=[Part("p", "marginal"), Part("q", "marginal", library_granularity("unbounded"))],
    )  # fmt: skip
    e = Enumeration(question, pairs_world(), 1)
    assert set(e.profile([pairs_world()])) == {(("marginal", ((1, 2),)),)}


def test_the_cardinality_has_one_cell():
    question = problem(library_granularity("unbounded"), maps=[library_map("cardinality")])
    assert answers(question, plain("pq")) == (1, 1, {(("cardinality", ((1,),)),)})
    question = problem(library_granularity("bounded"), maps=[library_map("cardinality")])
    assert answers(question, plain("pq"))[:2] == (0, 0)


def test_vacuous():
    fixed = Domain({"id": "R"}, size=["size(D) == 2"])
    assert Enumeration(problem(library_granularity("unbounded"), domain=fixed),
                       plain("pq", {"k": 2}, fixed)).vacuous  # fmt: skip
    assert not Enumeration(problem(library_granularity("bounded"), domain=fixed),
                           plain("pq", {"k": 2}, fixed)).vacuous  # fmt: skip


def test_images_outside_the_inner_class():
    question = problem(
        library_granularity("unbounded"),
        parts=[Part("p", "blocks", inner=InnerClass(size=("size(D) >= 1",)))],
    )
    world = plain("pq", {"k": 2}, functions={"blocks.h": {(("p",),): 1, (("q",),): 2}})
    found = Enumeration(question, world).outside(question.bound_parts[0], [world])
    assert found is not None


def test_two_maps_are_seen_jointly():
    question = Problem(
        PAIRS, library_granularity("bounded"),
        [library_map("labels", name="left", label="one(c)", functions={"one": (["cell"], "int")}),
         Map("whole")],
        [Part("p", "left", library_granularity("unbounded"), {"pure": ("eps_p",)}),
         Part("q", "whole", guarantees={"pure": ("eps_q",)})],
    )  # fmt: skip
    world = pairs_world({"k": 1})
    shapes = set(Enumeration(question, world, 1).profile(
        label_worlds(world, [p.map for p in question.bound_parts])))  # fmt: skip
    assert shapes == {(("left", ((2,),)), ("whole", ((1,),)))}


def test_domination():
    inf = UNREACHABLE
    assert dominated((("m", ((2,), (1,))),), (("m", ((inf,), (1,), (1,))),))
    assert not dominated((("m", ((2,), (2,))),), (("m", ((inf,), (1,), (1,))),))
    assert not dominated((("m", ((0, 1),)),), (("m", ((1, 0),)),))
    assert not dominated((("m", ((1,),)), ("n", ((1,),))), (("m", ((1,),)), ("n", ())))


SEEDS = [seed for seed in range(40) if sample_world(generate(seed), seed) is not None]


def test_most_random_problems_have_a_world():
    assert len(SEEDS) >= 30


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fast_reading_is_the_literal_one(seed):
    """Neighbours found here are the pairs that World.linking finds, and no others."""
    question = generate(seed)
    world = sample_world(question, seed)
    world = World(world.domain, world.cells[:3], world.elements, world.functions, world.defaults,
                  world.symbols)  # fmt: skip
    g = EditGraph(world, question.outer, world.cells, 1)
    pairs = set(g.pairs())
    for old, new in itertools.product(g.states, repeat=2):
        step = old != new and world.linking(question.outer, g.database(old), g.database(new))
        assert bool(step) == ((old, new) in pairs) == g.linked(old, new)
        if old != new:
            assert ((old, new) in pairs) == (g.distance(old, new) == 1)
