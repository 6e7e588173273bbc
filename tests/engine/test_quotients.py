"""Mixed granularities on the common domain: exact distances, and exhaustive search."""

from __future__ import annotations

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.distances import Bracket, Invariant
from dpcomp_sym.engine.quotients import pushed, views
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.unreachable import unlinked
from dpcomp_sym.engine.verdict import Proved, Refuted
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import UNREACHABLE, Enumeration, label_worlds
from dpcomp_sym.finite.sample import sample_world
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
from dpcomp_sym.profile import INFINITY
from tests.differential.compare import disagreements
from tests.differential.engine import answer

RECORDS = Domain({"id": "R"})
ONE = Domain({"id": "R"}, size=["size(D) == 1"])
OWNED = Domain({"id": "R", "owner": "U"})
SIZED = Domain({"id": "R"}, symbols={"N": "N >= 1"}, size=["size(D) == N"])
FULL = library_map("partition", name="f")
PARTIAL = library_map("partial_partition", name="f")
FILTER = library_map("filter", name="f")
COUNT = library_map("cardinality", name="f")
COPY = library_map("identity", name="f")
WHOSE = library_map("projection", name="f", image={"id": "id(c)"})


def use(name, **arguments):
    return library_granularity(name, **arguments)


USER = use("user", owner="owner")
SALARIES = Domain({"id": "R", "salary": "int"}, symbols={"s": "s >= 1"}, universe=Universe.PRODUCT)


def raised(most):
    """One record's integer changes by up to so much."""
    return Granularity(
        "raised",
        [
            Edit(
                {"x": "cell", "y": "cell"},
                "D[x] >= 1 and x != y and differ_only(x, y, salary) and "
                f"abs(salary(x) - salary(y)) <= {most}",
                {"x": -1, "y": 1},
            )
        ],
    )


BY_ID = library_map("partition", name="f", by="id")


def mixed(domain, outer, mapping, inner):
    return Problem(domain, outer, [mapping], [Part("p", "f", inner, setting="common")])


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "outer", "mapping", "inner", "bound", "tight", "distance"),
    [
        # A replaced record is two edits inside one block, one edit in each of two blocks.
        (RECORDS, use("bounded"), FULL, use("unbounded"), "2*max(eps[i])", "yes", "2"),
        (RECORDS, use("bounded"), PARTIAL, use("unbounded"), "2*max(eps[i])", "yes", "2"),
        (RECORDS, use("bounded"), FILTER, use("unbounded"), "2*eps", "yes", "2"),
        # If all records are in one block, replacing keeps their number.
        (RECORDS, use("unbounded"), FULL, use("bounded"), "inf (no guarantee)", "yes", "infinite"),
        (OWNED, use("unbounded"), FULL, USER, "max(eps[i])", "yes", None),
        (RECORDS, use("bounded"), COUNT, use("unbounded"), "0", "yes", None),
        # An image without owners is not a database of the class, and no path leads through it.
        (OWNED, use("unbounded"), WHOSE, USER, "eps", "yes", None),
        (OWNED, use("bounded"), WHOSE, USER, "2*eps", "unknown", None),
        # With a fixed number of records nothing is one edit away from anything.
        (SIZED, use("bounded"), FULL, use("unbounded"), "inf (no guarantee)", "yes", "infinite"),
    ],
)
def test_bounds_and_distances(domain, outer, mapping, inner, bound, tight, distance):
    problem = mixed(domain, outer, mapping, inner)
    pure = derive(problem).bounds[0]
    assert (pure.text, pure.tight) == (bound, tight)
    said = Structure(problem).sensitivity(problem.bound_parts[0])
    assert isinstance(said, Refuted) == (distance is not None)
    if isinstance(said, Refuted):
        assert [d for _, _, d in said.counterexample.distances] == [distance]


@pytest.mark.in_turn
@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize(
    ("most", "bound", "tight", "distance"),
    [
        ("1", "max(eps[i])", "yes", None),
        # On the way there are salaries that nobody named.
        ("2", "2*max(eps[i])", "yes", {"2"}),
        pytest.param("3", "3*max(eps[i])", "unknown", {"2", "at least 2"}, marks=pytest.mark.long),
        ("s", "s*max(eps[i])", "yes", {"2", "at least 2"}),
    ],
)
def test_values_that_move_by_several_steps(most, bound, tight, distance, setting):
    part = Part("p", "f", use("nearby", value="salary"), setting=setting)
    problem = Problem(SALARIES, raised(most), [BY_ID], [part])
    pure = derive(problem).bounds[0]
    assert (pure.text, pure.tight) == (bound, tight)
    said = Structure(problem).sensitivity(problem.bound_parts[0])
    if distance is None:
        assert isinstance(said, Proved)
    else:
        ((_, _, shown),) = said.counterexample.distances
        assert shown in distance


def test_what_a_block_hides_may_hold_anything():
    """A record that enters a block was elsewhere before: one edit, though the block was empty."""
    world = World(RECORDS, (("a",), ("b",)), {"R": ("a", "b")})
    bounded = use("bounded").bind(RECORDS)
    a, b = ({cell: 1} for cell in world.cells)
    assert unlinked(world, bounded, {}, b)
    assert not unlinked(world, bounded, {}, b, shown=[("b",)])
    assert unlinked(world, bounded, {}, {("b",): 2}, shown=[("b",)])
    assert not unlinked(world, bounded, a, b, shown=world.cells)


def seen_in_block_1(problem, old, new):
    """Two records, each in a block of its own."""
    (part,) = problem.bound_parts
    domain, label = problem.domain, next(iter(part.map.functions), "")
    cells = (("R1",), ("R2",)) if domain in (RECORDS, ONE) else (("R1", "U1"), ("R2", "U2"))
    world = World(
        domain, cells, {"R": ("R1", "R2"), "U": ("U1", "U2")},
        {label: {(cells[0],): 1, (cells[1],): 2}}, {}, {"k": 2},
    )  # fmt: skip
    held = [{c: n for c, n in zip(cells, numbers, strict=True) if n} for numbers in (old, new)]
    index = (1,) if part.map.indices else ()
    return pushed(world, part, index, *held, kept(Structure(problem), part))


@pytest.mark.parametrize(
    ("domain", "mapping", "inner", "old", "new", "bracket"),
    [
        (RECORDS, COUNT, "unbounded", (2, 0), (1, 1), Bracket(0, 0)),
        (RECORDS, COUNT, "unbounded", (2, 0), (3, 0), Bracket(1, 1)),
        (RECORDS, FULL, "unbounded", (2, 1), (2, 0), Bracket(0, 0)),
        (RECORDS, FULL, "unbounded", (2, 1), (4, 0), Bracket(2, 2)),
        # Replacing records keeps their number, and none is hidden.
        (RECORDS, COPY, "bounded", (0, 0), (1, 0), Bracket(INFINITY, INFINITY)),
        (RECORDS, COPY, "bounded", (1, 0), (0, 0), Bracket(INFINITY, INFINITY)),
        # The record comes from a block that is not seen, or goes there.
        (RECORDS, FULL, "bounded", (0, 0), (1, 0), Bracket(1, 1)),
        (RECORDS, FULL, "bounded", (1, 0), (0, 0), Bracket(1, 1)),
        # All databases have one record: without the one that is seen there is none.
        (ONE, FULL, "unbounded", (1, 0), (0, 1), Bracket(1, None)),
        # The image has no owners: two of them change, with all that is theirs.
        (OWNED, WHOSE, "unbounded", (1, 0), (0, 1), Bracket(1, 2)),
    ],
)
def test_distances_of_the_images(domain, mapping, inner, old, new, bracket):
    problem = mixed(domain, use("unbounded_or_bounded"), mapping, use(inner))
    assert seen_in_block_1(problem, old, new) == bracket


@pytest.mark.parametrize(
    ("attributes", "universe", "infinite"),
    [
        ({"id": "R"}, Universe.ANY, True),
        ({"id": "R"}, Universe.PRODUCT, True),
        ({"id": "R"}, Universe.INFINITE, False),
        ({"id": "int"}, Universe.ANY, True),
        ({"id": "int"}, Universe.PRODUCT, False),
    ],
)
def test_a_record_may_come_from_where_nothing_is_in_sight(attributes, universe, infinite):
    """All cells in sight are in block 1, so that one more there is one more in all."""
    domain = Domain(attributes, universe=universe)
    problem = mixed(domain, use("unbounded"), FULL, use("bounded"))
    (part,), cell = problem.bound_parts, (7 if attributes["id"] == "int" else "R1",)
    (label,) = part.map.functions
    world = World(domain, (cell,), {"R": ("R1",)}, {label: {(cell,): 1}}, {}, {"k": 2})
    found = pushed(world, part, (1,), {cell: 1}, {cell: 2}, [Invariant(())])
    assert (found.lower == INFINITY) == infinite


@pytest.mark.parametrize(
    ("domain", "mapping", "step", "known"),
    [
        (OWNED, FULL, "true", 2),
        (OWNED, FULL, "old == 0", 2),
        (OWNED, FULL, "new == 0", 2),
        (OWNED, WHOSE, "true", 1),
        # An edit fills what it reaches, or asks how many records there are.
        (OWNED, FULL, "new >= 1", 1),
        (OWNED, FULL, "old + new >= 1", 1),
        (OWNED, FULL, "new <= size(D)", 1),
        (Domain({"id": "R", "owner": "U"}, size=["size(D) >= 1"]), FULL, "true", 1),
        (Domain({"id": "R", "owner": "U"}, facts=["D[c] <= 4"]), FULL, "true", 1),
    ],
)
def test_where_paths_are_looked_for(domain, mapping, step, known):
    """Between the whole databases, and between what is left of them if that is a database."""
    inner = Granularity("own", [Edit({"u": "U"}, frame="owner(c) == u", step=step)])
    problem = mixed(domain, use("unbounded"), mapping, inner)
    pair, (part,) = Structure(problem).pair(problem.outer.edits[0]), problem.bound_parts
    assert len(views(pair, part, pair.index(part.map))) == known


def test_the_metric_does_not_commute_because_c1_holds():
    found = conditions(Structure(mixed(RECORDS, use("unbounded"), FULL, use("bounded"))))
    verdicts = {name: found[name].verdict for name in ("compatibility", "sensitivity", "commutes")}
    assert verdicts == {
        "compatibility": "proved", "sensitivity": "refuted", "commutes": "refuted",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "outer", "mapping", "inner"),
    [
        (RECORDS, use("bounded"), PARTIAL, use("unbounded")),
        (RECORDS, use("unbounded"), FULL, use("bounded")),
        (OWNED, use("bounded"), FULL, USER),
        (OWNED, USER, FILTER, use("bounded")),
        (RECORDS, use("unbounded_or_bounded"), FILTER, use("bounded")),
        (RECORDS, use("bounded"), COUNT, use("unbounded")),
    ],
)
def test_exhaustive_search_agrees(domain, outer, mapping, inner):
    problem = mixed(domain, outer, mapping, inner)
    assert disagreements(problem, answer(problem)) == []


@pytest.mark.parametrize("inner", ["unbounded", "bounded", "unbounded_or_bounded"])
@pytest.mark.parametrize("outer", ["unbounded", "bounded"])
def test_brackets_hold_the_distance_in_small_worlds(outer, inner):
    """In every small world the distance by enumeration lies where the engine says."""
    problem = mixed(RECORDS, use(outer), PARTIAL, use(inner))
    (part,) = problem.bound_parts
    structure = Structure(problem)
    exact = 0
    for seed in range(3):
        world = sample_world(problem, seed, 3)
        enumeration = Enumeration(problem, world, 1)
        for labelled in label_worlds(world, [part.map], 6):
            for index in labelled.blocks(part.map):
                view = enumeration.view(labelled, part.map, index)
                for old, new in enumeration.pairs[:12]:
                    true = enumeration.distance(part, view, old, new)
                    ends = [enumeration.outer.database(s) for s in (old, new)]
                    found = pushed(labelled, part, index, *ends, kept(structure, part))
                    lower, upper = map(number, (found.lower, found.upper))
                    assert lower <= true <= upper
                    exact += found.exact is not None
    assert exact >= 50


def kept(structure, part):
    return structure.kept_by(part.granularity)


def number(value):
    return value if isinstance(value, int) else UNREACHABLE
