"""A part on its own domain reads the records of one block, and there are no others for it.

In a list an edit moves records along.  What moves out of a block is gone for its part, and no edit
of the part puts a record where its block has none.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.unreachable import isolated
from dpcomp_sym.finite import World
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.spec import load_spec

LISTS = Domain(
    {"position": "int", "val": "int"},
    cap=1,
    cell="position(c) >= 1",
    universe="product",
    limits=[("position(c)", 1)],
    facts=["implies(D[c] >= 1, position(c) <= size(D))"],
)
PLACES = " or ".join(f"(i == {n} and position(c) == {n})" for n in (1, 2, 3))


def lists(use: str, member: str = PLACES, index: dict[str, int] | None = None) -> Problem:
    blocks = Map("blocks", member, index={"i": 3} if index is None else index)
    edits = library_granularity(use, position="position")
    return Problem(LISTS, edits, [blocks], [Part("counts", "blocks")])


@pytest.mark.parametrize("most", [1, 2])
def test_an_insertion_is_one_for_the_first_positions_too(most):
    """The last value of the block moves out of it."""
    problem = lists("insertion", f"position(c) <= {most}", {})
    (part,) = problem.bound_parts
    assert Structure(problem).sensitivity(part).word == "proved"


def test_blocks_of_one_position_see_one_insertion():
    structure = Structure(lists("insertion"))
    (part,) = structure.problem.bound_parts
    world = World(LISTS, ((1, 1), (1, 2), (2, 1), (2, 2)), symbols={})
    inner = part.map.within(part.granularity, (2,))
    assert world.linking(inner, {(2, 1): 1}, {(2, 2): 1}, ((2, 1), (2, 2))) is not None
    assert world.linking(part.granularity, {(2, 1): 1}, {(2, 2): 1}, ((2, 1), (2, 2))) is None


@pytest.mark.parametrize(
    ("use", "old", "new", "distance"),
    [
        ("insertion", {(2, 1): 1}, {(2, 2): 1}, 1),
        ("insertion", {(2, 1): 1}, {}, 1),
        ("append", {}, {(2, 1): 1}, INFINITY),
    ],
)
def test_how_far_a_block_of_one_position_is_seen(use, old, new, distance):
    """The rest of both lists does not matter: position 1 is in another block."""
    structure = Structure(lists(use))
    (part,) = structure.problem.bound_parts
    world = World(LISTS, ((1, 1), (1, 2), (2, 1), (2, 2)), symbols={})
    first = {(1, 1): 1}
    found = FoundPair(world, {**first, **old}, {**first, **new}, ())
    assert structure.bracket(found, part, (2,)).exact == distance


def test_no_value_is_appended_to_a_block_of_later_positions():
    problem = lists("append")
    (part,) = problem.bound_parts
    world = World(LISTS, ((1, 1), (2, 1)), symbols={})
    alone = [
        isolated(world, part.map.within(part.granularity, (i,)), {}, ((i, 1),)) for i in (1, 2)
    ]
    assert alone == [False, True]


def test_a_block_without_neighbours_of_its_own_has_no_guarantee(tmp_path):
    path = tmp_path / "lists.toml"
    path.write_text(lists("append").to_toml(), encoding="utf-8")
    found = load_spec(path).derive()
    bound = found.bounds[0]
    assert (str(bound.text), bound.tight) == ("inf (no guarantee)", "yes")
    outcome = found.conditions["sensitivity"].outcome
    assert outcome.word == "refuted"
    assert [far for _, _, far in outcome.counterexample.distances] == ["infinite"]


def test_where_a_map_has_labels_of_its_own_nothing_is_known_of_its_records():
    labelled = Map("labelled", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")}).bind(LISTS)
    inner = library_granularity("append", position="position").bind(LISTS)
    assert labelled.within(inner, (2,)) is inner


def test_all_records_are_cells_where_the_universe_is_any():
    records = Domain({"id": "Record", "age": "int"})
    inner = library_granularity("unbounded").bind(records)
    some = Map("some", "age(c) == i", index={"i": 3}).bind(records)
    assert some.within(inner, (2,)) is inner
