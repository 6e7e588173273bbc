"""Databases that no edit links, and the metrics of lists, for which that is needed."""

from __future__ import annotations

import itertools
from pathlib import Path

from dpcomp_sym.engine.apart import isolated, unlinked
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Refuted, Unknown
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.finite.generate import generate, sample_world
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.forms import ClosedForm
from dpcomp_sym.metrics.small import small_worlds
from dpcomp_sym.spec import load_spec
from tests.differential.compare import SCOPES, disagreements, evidence
from tests.differential.engine import answer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_neighbours_are_never_told_apart():
    """What exhaustive search links, the solver does not; and it decides most of the rest."""
    linked = apart = 0
    for seed in range(80_000, 80_040):
        problem = generate(seed)
        world = sample_world(problem, seed, 3)
        if world is None or len(world.cells) > 3:
            continue
        graph = EditGraph(world, problem.outer, world.cells, 1)
        for a, b in itertools.islice(itertools.combinations(graph.states, 2), 6):
            found = unlinked(world, problem.outer, graph.database(a), graph.database(b))
            if graph.distance(a, b) == 1 or graph.distance(b, a) == 1:
                assert not found, (seed, a, b)
                linked += 1
            apart += found
    assert linked >= 40
    assert apart >= 20


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
    assert type(metric.decide(ClosedForm("sum(abs(D[c] - E[c]))"))).__name__ == "Refuted"
    assert type(metric.decide(ClosedForm("values(D[c] != E[c])"))).__name__ == "Refuted"
