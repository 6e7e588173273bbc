"""Databases that no edit links, and the metrics of lists, for which that is needed."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.unreachable import Links, isolated, unlinked
from dpcomp_sym.engine.verdict import Proved, Refuted, Unknown
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.small_worlds import small_worlds
from dpcomp_sym.model import Domain, Edit, Granularity
from dpcomp_sym.spec import load_spec
from tests.differential.compare import SCOPES, disagreements, evidence
from tests.differential.engine import answer
from tests.random_problems.generate import generate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.in_turn
def test_neighbours_are_never_told_apart():
    """What exhaustive search links, the solver does not; and it decides most of the rest."""
    linked = apart = 0
    for seed in range(80_000, 80_040):
        problem = generate(seed)
        world = sample_world(problem, seed, 3)
        if world is None or len(world.cells) > 3:
            continue
        graph = EditGraph(world, problem.outer, world.cells, 1)
        links = Links(world, problem.outer)
        for a, b in itertools.islice(itertools.combinations(graph.states, 2), 6):
            found = unlinked(world, problem.outer, graph.database(a), graph.database(b))
            assert found == links.excluded(graph.database(a), graph.database(b)), (seed, a, b)
            if graph.distance(a, b) == 1 or graph.distance(b, a) == 1:
                assert not found, (seed, a, b)
                linked += 1
            apart += found
    assert linked >= 40
    assert apart >= 20


THINGS = Domain(
    {"id": "R", "day": "int", "late": "bool", "kind": ["a", "b"]}, symbols={"w": "w >= 1"}
)
ONE, OTHER = ("R1", 3, False, "a"), ("R2", 4, True, "b")
X, TWO = {"x": "cell"}, {"x": "cell", "y": "cell"}


def bound(edit, *, directed=False):
    return Granularity("own", [edit], directed=directed).bind(THINGS)


def scene(*cells):
    return World(THINGS, cells, {"R": ("R1", "R2")}, {}, {}, {"w": 3})


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("edit", "old", "new", "linked"),
    [
        (Edit(X, change={"x": 1}), {}, {ONE: 1}, True),
        (Edit(X, change={"x": 1}), {}, {ONE: 1, OTHER: 1}, False),
        (Edit(X, change={"x": "w"}), {}, {ONE: 3}, True),
        (Edit(X, change={"x": "w"}), {}, {ONE: 2}, False),
        (Edit(X, "day(x) >= 4", {"x": 1}), {}, {ONE: 1}, False),
        (Edit(X, "late(x)", {"x": 1}), {}, {ONE: 1}, False),
        (Edit(X, "late(x)", {"x": 1}), {}, {OTHER: 1}, True),
        (Edit(X, "kind(x) == b", {"x": 1}), {}, {ONE: 1}, False),
        (Edit(X, "kind(x) == b", {"x": 1}), {}, {OTHER: 1}, True),
        (Edit(TWO, "id(x) == id(y) and x != y", {"x": 1, "y": 1}), {}, {ONE: 1, OTHER: 1}, False),
        (Edit(TWO, "id(x) != id(y)", {"x": 1, "y": 1}), {}, {ONE: 1, OTHER: 1}, True),
        # Nothing is held elsewhere; a record that is asked for must be one of these.
        (Edit(TWO, "D[y] >= 2", {"x": 1}), {ONE: 1}, {ONE: 2}, False),
        (Edit(TWO, "D[y] >= 2", {"x": 1}), {ONE: 2}, {ONE: 3}, True),
        (Edit(TWO, "D[y] == 0", {"x": 1}), {ONE: 1}, {ONE: 2}, True),
        (Edit(X, "size(D) >= 2", {"x": 1}), {}, {ONE: 1}, False),
        (Edit(X, "size(D) >= 2", {"x": 1}), {ONE: 2}, {ONE: 3}, True),
        # An integer that nobody named.
        (Edit({**X, "t": "int"}, "t + t == 100", {"x": 1}), {}, {ONE: 1}, True),
        (Edit({**X, "t": "int"}, "t + t == 99", {"x": 1}), {}, {ONE: 1}, False),
    ],
)
def test_an_edit_with_parameters_from_anywhere(edit, old, new, linked):
    world = scene(ONE, OTHER)
    assert unlinked(world, bound(edit), old, new) != linked
    assert unlinked(world, bound(edit), new, old) != linked
    assert unlinked(world, bound(edit, directed=True), old, new) != linked
    assert unlinked(world, bound(edit, directed=True), new, old)
    # A block may have other cells than the world.
    assert unlinked(scene(), bound(edit), old, new, (ONE, OTHER)) != linked


def test_a_database_that_edits_leave_or_reach():
    world = scene(ONE)
    emptied = bound(Edit(X, "D[x] >= 1 and day(x) == 3", {"x": -1}))
    for database, out, into in (({}, True, False), ({ONE: 1}, False, False)):
        assert isolated(world, emptied, database, world.cells, into=False) == out
        assert isolated(world, emptied, database, world.cells, out=False) == into
        assert not isolated(world, emptied, database, world.cells)
    kept = bound(Edit(X, "D[x] >= w and w >= 4", {"x": 1}))
    assert isolated(world, kept, {ONE: 9}, world.cells)
    # A record that takes its own place leads nowhere.
    stays = bound(Edit(TWO, "D[x] >= 1 and x == y", {"x": -1, "y": 1}))
    assert isolated(world, stays, {ONE: 1}, world.cells)
    filled = bound(Edit(X, "D[x] >= 2", {"x": 1}))
    for number, out, into in ((1, True, True), (2, False, True), (3, False, False)):
        assert isolated(world, filled, {ONE: number}, world.cells, into=False) == out
        assert isolated(world, filled, {ONE: number}, world.cells, out=False) == into


def test_an_edit_may_fill_cells_that_are_not_in_sight():
    """Three records at once, in three cells, or none."""
    domain = Domain({"id": "R"}, cap=1, size=["size(D) == 0 or size(D) == 3"])
    world = World(domain, (("R1",),), {"R": ("R1", "R2", "R3")})
    granularity = Granularity("any", [Edit({}, frame="c == c")]).bind(domain)
    assert not isolated(world, granularity, {}, world.cells)


def test_what_a_block_hides_may_be_anything():
    """A record comes from a cell that is not shown: nobody sees how many are there."""
    moved = bound(Edit(TWO, "D[y] >= 2", {"x": 1, "y": -2}))
    cells = (ONE, OTHER)
    assert unlinked(scene(*cells), moved, {}, {ONE: 1}, cells)
    assert not unlinked(scene(*cells), moved, {}, {ONE: 1}, cells, shown=(ONE,))
    assert unlinked(scene(*cells), moved, {}, {ONE: 3}, cells, shown=(ONE,))


@pytest.mark.in_turn
def test_what_an_edit_leads_out_of_is_never_called_isolated():
    alone = linked = 0
    for seed in range(80_000, 80_030):
        problem = generate(seed)
        world = sample_world(problem, seed, 3)
        if world is None or len(world.cells) > 3:
            continue
        graph = EditGraph(world, problem.outer, world.cells, 1)
        for a in graph.states[:4]:
            found = isolated(world, problem.outer, graph.database(a), world.cells)
            if any(1 in (graph.distance(a, b), graph.distance(b, a)) for b in graph.states):
                assert not found, (seed, a)
                linked += 1
            alone += found
    assert linked >= 20
    assert alone >= 5


@pytest.mark.in_turn
def test_a_block_that_sees_half_an_exchange():
    """A block at whose edge two values change places sees one of them replaced, by no edit."""
    text = (EXAMPLES / "ordered-transposition.toml").read_text("utf-8")
    structure = Structure(load_spec(text.replace('"common"', '"separate"')).problem)
    (part,) = structure.problem.bound_parts
    outcome = structure.sensitivity(part)
    assert isinstance(outcome, Refuted)
    assert [d for _, _, d in outcome.counterexample.distances] == ["at least 2"]


def test_a_block_that_sees_a_whole_move():
    """Where a record lands is a cell of the product that no formula names at first."""
    text = (EXAMPLES / "household-moves.toml").read_text("utf-8")
    text = text.replace('"common"', '"separate"').replace('by = "district"', 'by = "person"')
    problem = load_spec(text).problem
    assert isinstance(Structure(problem).sensitivity(problem.bound_parts[0]), Proved)
    some = itertools.islice(
        (one for one in evidence(problem, SCOPES * 8) if 0 < len(one.enumeration.pairs) <= 300), 3
    )
    found = list(some)
    assert found
    assert not disagreements(problem, answer(problem), found)


def test_two_insertions_are_two_edits():
    lists = load_spec(EXAMPLES / "ordered-insertion.toml").problem.outer
    worlds = [w for w in small_worlds(lists.domain) if len({v for _, v in w.cells}) == 2]
    world = max(worlds, key=lambda w: len(w.cells))
    first, other = sorted({value for _, value in world.cells})

    def a_list(*values: str) -> dict[tuple[int, str], int]:
        return dict.fromkeys(enumerate(values, 1), 1)

    assert unlinked(world, lists, a_list(), a_list(first, other))
    assert not unlinked(world, lists, a_list(other), a_list(first, other))


def test_no_count_of_positions_is_the_metric_of_lists():
    """An insertion moves all that follows: forms by positions are too large or too small."""
    metric = Canonical(load_spec(EXAMPLES / "ordered-insertion.toml").problem.outer)
    assert isinstance(metric.verdict, Unknown)
    assert metric.decide(ClosedForm("sum(abs(D[c] - E[c]))")).word == "refuted"
    assert metric.decide(ClosedForm("values(D[c] != E[c])")).word == "refuted"
