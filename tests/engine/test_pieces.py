"""Frames that are made of edits of another granularity: exact distances, and what is not one."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.pieces import in_pieces
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import INFINITY, Symbolic
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import make
from tests.shares import shared

ATTRIBUTES = {"id": "Record", "person": "Person", "day": "int"}
DAYS = "1 <= day(c) and day(c) <= {}"
WHOLE = library_map("identity", name="all")
PERSON = library_granularity("user", owner="person")
LEAVES = library_granularity("user_presence", owner="person")


def class_of(days="T", **more):
    """Records of people on days 1 to so many."""
    symbols = {"T": "T >= 1", "r": "r >= 1"}
    return Domain(ATTRIBUTES, symbols=symbols, cell=DAYS.format(days), **more)


def frames(name, frame, step="true", guard="true", *, directed=False, **params):
    """Records change at will where a frame says."""
    return Granularity(name, [Edit(params, guard, frame=frame, step=step)], directed=directed)


def person_day(step="true", guard="true", *, directed=False):
    return frames("person-day", "person(c) == u and day(c) == d", step, guard, directed=directed,
                  u="Person", d="int")  # fmt: skip


def problem(domain=None, outer=PERSON, inner=None, mapping=WHOLE, setting="separate"):
    part = Part("counts", mapping.name, inner or person_day(), setting=setting)
    return Problem(domain or class_of(), outer, [mapping], [part])


def far(asked, *, reverse=False):
    """Return how many edits make up what a frame changes."""
    (part,), (edit,) = asked.bound_parts, asked.outer.edits

    def look(pair):
        return pair.view(part.map, pair.index(part.map))

    return in_pieces(Structure(asked), edit, part, look, reverse=reverse)


def pure(asked):
    (bound, *_) = derive(asked).bounds
    return bound.text, bound.tight


# ------------------------------------------------------------- how far


@pytest.mark.parametrize("outer", [PERSON, LEAVES])
@pytest.mark.parametrize(("days", "bound"), [("T", "T*eps"), (365, "365*eps"), (1, "eps")])
def test_a_person_against_the_days_of_a_person(outer, days, bound):
    assert pure(problem(class_of(days), outer)) == (bound, "yes")


@pytest.mark.parametrize("days", [2, 3])
def test_the_distance_is_that_of_enumeration(days):
    asked = problem(class_of(days, cap=1))
    cells = tuple((f"r{n}", p, d) for n in (1, 2) for p in "ab" for d in range(1, days + 1))
    cells = cells if days == 2 else tuple(c for c in cells if c[0] == "r1" or c[1] == "a")
    world = World(
        asked.domain,
        cells,
        {"Record": ("r1", "r2"), "Person": ("a", "b")},
        symbols={"T": 1, "r": 1},
    )
    (part,) = asked.bound_parts
    outer, inner = (EditGraph(world, g, cells, 1) for g in (asked.outer, part.granularity))
    empty = next(s for s in outer.states if not any(s))
    seen = {inner.distance(empty, s) for s in outer.states if outer.distance(empty, s) == 1}
    assert max(seen) == days == far(asked)


@pytest.mark.long
def test_relate_decides_it_for_all_numbers_of_days():
    granularities = {"person": PERSON, "person-day": person_day()}
    for days, distance in (("T", Symbolic("T")), (365, 365)):
        relations = Relations(class_of(days), granularities)
        found = relations.distance("person-day", "person")
        assert (found.verdict.word, found.distance) == ("proved", distance)
        assert relations.distance("person", "person-day").distance == 1


def test_a_vertex_against_its_edges():
    symmetric = Domain(
        {"origin": "Vertex", "target": "Vertex"}, symbols={"m": "m >= 1"}, cap=1,
        cell="origin(c) != target(c)", facts=["D[c] == D[(target(c), origin(c))]"],
        limits=[("origin(c)", "m")],
    )  # fmt: skip
    mirror = "y == replace(replace(x, origin, target(x)), target, origin(x))"
    edge = Granularity("edge", [Edit({"x": "cell", "y": "cell"}, mirror, {"x": 1, "y": 1})])
    at_vertex = "origin(c) == v or target(c) == v"
    for step, most in (("new <= old", Symbolic("m")), ("true", Symbolic("m", 2))):
        vertex = frames("vertex", at_vertex, step, v="Vertex")
        assert far(problem(symmetric, vertex, edge)) == most
    leaves = frames("vertex", at_vertex, "new <= old", v="Vertex")
    alone = Granularity("one way", [Edit({"x": "cell"}, "true", {"x": 1})])
    assert far(problem(symmetric, leaves, alone)) is None  # an edge is never there one way only


@pytest.mark.parametrize(
    ("limits", "days", "distance"),
    [
        ([("person(c)", "r")], "T", Symbolic("T")),
        ([("person(c)", 2)], "T", 4),
        ([("person(c)", 2)], 3, 3),
        ([("person(c), day(c)", 1)], "T", Symbolic("T")),
        ([("person(c)", "r"), ("person(c), day(c)", 1)], "T", Symbolic("T")),
        ([("id(c)", 1)], "T", None),  # a record that moves to another day would be there twice
        ([("id(c), day(c)", 1)], "T", Symbolic("T")),
    ],
)
def test_limits_are_kept_on_the_way(limits, days, distance):
    assert far(problem(class_of(days, limits=limits))) == distance


@pytest.mark.parametrize(
    ("size", "distance"),
    [
        ("size(D) <= 5", Symbolic("T")),  # days that lose records come first
        ("size(D) >= 5", Symbolic("T")),
        ("size(D) == 5", None),
        ("3 <= size(D) and size(D) <= 5", None),
    ],
)
def test_sizes_are_kept_on_the_way(size, distance):
    assert far(problem(class_of(size=[size]))) == distance
    if "==" not in size:
        assert far(problem(class_of(size=[size]), LEAVES)) == Symbolic("T")


def test_limits_from_above_and_sizes_from_below_want_different_orders():
    limits = [("person(c)", "r")]
    assert far(problem(class_of(size=["size(D) >= 5"], limits=limits))) is None


@pytest.mark.parametrize(
    ("fact", "distance"),
    [
        ("implies(D[c] >= 1, D[replace(c, day, 1)] >= 1)", None),
        ("implies(D[c] >= 2, D[c] >= 3)", Symbolic("T")),
        ("implies(D[c] >= 1, size(D) >= 2)", None),
    ],
)
def test_facts_hold_on_the_way(fact, distance):
    assert far(problem(class_of(facts=[fact]))) == distance


@pytest.mark.parametrize(
    ("inner", "distance"),
    [
        (person_day(step="old == 0"), None),  # what is there before and after never changes
        (person_day(step="new == 0 or old == 0"), None),
        (person_day(guard="size(D) >= 1"), None),
        (person_day(guard="d != 2"), None),
        (frames("two days", "person(c) == u and d <= day(c) and day(c) < d + 2",
                u="Person", d="int"), None),
        (frames("either", "person(c) == u or day(c) == d", u="Person", d="int"), 1),
        (frames("even", "day(c) % 2 == d", d="int"), 2),
        (frames("every other", "person(c) == u and day(c) % 7 == d", u="Person", d="int"), 7),
        (frames("a day", "day(c) == d", d="int"), Symbolic("T")),
        (frames("a record's day", "day(c) == day(x)", x="cell"), Symbolic("T")),
        (frames("all", "true"), 1),
    ],
)  # fmt: skip
def test_what_other_edits_do(inner, distance):
    assert far(problem(inner=inner)) == distance


def test_of_directed_edits_only_one_order_is_a_way():
    comes = person_day(step="old <= new", directed=True)
    outer = frames("comes", "person(c) == u", "old <= new", directed=True, u="Person")
    asked = problem(outer=outer, inner=comes)
    assert (far(asked), far(asked, reverse=True)) == (Symbolic("T"), None)


# ------------------------------------------------------------- blocks


@pytest.mark.in_turn
def test_blocks_see_the_days_of_a_person_each():
    domain = Domain(
        {**ATTRIBUTES, "place": "Place"}, symbols={"T": "T >= 1"}, cell=DAYS.format("T")
    )
    by = {by: library_map("partition", name="blocks", by=by) for by in ("person", "place", "day")}
    bounds = {name: pure(problem(domain, mapping=m)) for name, m in by.items()}
    assert bounds["person"] == ("T*max(eps[i])", "yes")
    assert bounds["place"][0] == "T*sum(eps[i])"
    common = problem(domain, mapping=by["person"], setting="common")
    assert pure(common)[0] == "T*max(eps[i])"


def test_images_are_left_alone():
    days = library_map("projection", name="all", image={"day": "day(c)"})
    outer, inner = frames("all", "true"), frames("a day", "day(c) == d", d="int")
    assert far(problem(outer=outer, inner=inner, mapping=days)) is None


# ------------------------------------------------------------- certificates


@pytest.mark.parametrize("setting", ["separate", "common"])
def test_strangers_decide_it_again(setting):
    derivation = derive(problem(setting=setting))
    document = as_text(certificate(derivation.theorems, derivation)).encode()
    assert verify(read(document)).verdict == "proved"


def test_smaller_distances_are_not_confirmed():
    check = Recheck(problem())
    far = make("Size", "T")
    check.fact(make("BlockDistance", check.meaning.term, "edit 1", "counts", (), far))
    for less in (make("Num", Fraction(1)), make("Num", Fraction(2)), make("Size", "r")):
        with pytest.raises(RejectedError):
            check.fact(make("BlockDistance", check.meaning.term, "edit 1", "counts", (), less))


# ------------------------------------------------------------- random frames

KEYS = (
    ("u", "P", "person(c) == {}"), ("d", "int", "day(c) == {}"),
    ("f", "H", "house(person(c)) == {}"), ("b", "bool", "spot(c) == {}"),
    ("w", "int", "{0} <= day(c) and day(c) < {0} + 2"),
)  # fmt: skip
STEPS = (*["true"] * 5, "old == 0", "new <= old", "new == 0 or old == 0", "new >= 1")
SMALL = "1 <= day(c) and day(c) <= {}"
FACTS = (
    "implies(D[c] >= 1, D[replace(c, spot, true)] >= 1)",
    "D[c] == D[replace(c, spot, not spot(c))]",
    "implies(D[c] >= 1 and day(c) > 1, D[replace(c, day, day(c) - 1)] >= 1)",
)
MIRROR = "y == replace(x, spot, not spot(x))"


def _domain(rng):
    keys = ["person(c)", "day(c)", "person(c), day(c)", "spot(c)", "house(person(c))"]
    return Domain(
        {"person": "P", "day": "int", "spot": "bool"}, cap=1,
        functions={"house": [["P"], "H"]}, symbols={"r": "r >= 1", "T": "T >= 1"},
        limits=[(k, rng.choice([1, 2, "r"])) for k in rng.sample(keys, rng.choice([0, 0, 1, 2]))],
        size=rng.choice([[]] * 6 + [["size(D) <= 2"], ["size(D) >= 1"], ["size(D) == 2"]]),
        facts=rng.choice([[]] * 7 + [[fact] for fact in FACTS]),
        cell=SMALL.format(rng.choice([2, 2, "T"])),
        universe=rng.choice([Universe.ANY, Universe.PRODUCT, Universe.INFINITE]),
    )  # fmt: skip


def _edit(rng, keys, prefix, step):
    said = [text.format(prefix + name) for name, _, text in keys]
    said += ["spot(c)"] * (rng.random() < 0.15)
    params = {prefix + name: sort for name, sort, _ in keys}
    frame = (" or " if rng.random() < 0.1 else " and ").join(said) or "true"
    guard = rng.choice([*["true"] * 12, "size(D) >= 1"])
    return Edit(params, guard, frame=frame, step=step)


def _random(rng):
    keys = rng.sample(KEYS, rng.choice([0, 0, 1, 1, 2]))
    more = rng.sample([k for k in KEYS if k not in keys], rng.choice([1, 1, 2]))
    step = rng.choice(STEPS)
    inner = [_edit(rng, keys * (rng.random() < 0.8) + more, "in_", rng.choice([step, "true"]))]
    if rng.random() < 0.25:
        both = {"x": "cell", "y": "cell"}
        inner = [rng.choice([
            Edit({"x": "cell"}, "true", {"x": 1}), Edit(both, MIRROR, {"x": 1, "y": 1}),
            Edit(both, f"D[x] >= 1 and {MIRROR}", {"x": -1, "y": 1}),
        ])]  # fmt: skip
    one_way = rng.random() < 0.1
    outer = Granularity("outer", [_edit(rng, keys, "o", step)], directed=one_way)
    return Problem(
        _domain(rng), outer, [WHOLE],
        [Part("p", "all", Granularity("inner", inner, directed=one_way))],
    )  # fmt: skip


def _worlds(domain, rng):
    for most in (1, 2):
        house = {("p",): "g", ("q",): rng.choice("gh")}
        elements = {"P": ("p", "q"), "H": ("g", "h")}
        empty = World(domain, (), elements, {"house": house}, {}, {"r": most, "T": 2})
        cells = itertools.product("pq", (1, 2), (False, True))
        yield World(
            domain, tuple(c for c in cells if empty.is_cell(c)), elements, {"house": house}, {},
            {"r": most, "T": 2},
        )  # fmt: skip


def _compared(seed):
    """Return a proved number, and the largest distance of each small world with what was proved."""
    rng = random.Random(seed)
    try:
        asked = _random(rng)
        check_input(Structure(asked))
    except InputError:
        return []
    (part,) = asked.bound_parts
    found = []
    for reverse in Structure(asked).orientations:
        most = far(asked, reverse=reverse)
        for world in _worlds(asked.domain, rng) if most is not None else ():
            outer, inner = (
                EditGraph(world, g, world.cells, 1) for g in (asked.outer, part.granularity)
            )
            seen = [
                inner.distance(*((b, a) if reverse else (a, b)))
                for a, b in itertools.permutations(outer.states, 2)
                if outer.distance(a, b) == 1
            ]
            said = most if isinstance(most, int) else most.at(world.symbols)
            found.append((max(seen, default=0), said))
    return found


@pytest.mark.in_turn
@pytest.mark.parametrize("block", shared(1, range(12)))
def test_no_world_has_neighbours_farther_apart_than_was_proved(block):
    found = [one for seed in range(60 * block, 60 * (block + 1)) for one in _compared(seed)]
    assert all(seen <= said for seen, said in found)
    assert sum(seen == said for seen, said in found) >= 5
    assert INFINITY not in [said for _, said in found]
