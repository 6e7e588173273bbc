"""What a counterexample shows of blocks is not asked of the solver, and is never too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.counting import most_changed
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.engine.seen import ENOUGH, note_blocks, seen
from dpcomp_sym.engine.structure import MOST_BLOCKS, Structure
from dpcomp_sym.engine.verdict import Refuted
from dpcomp_sym.limits import ASKED
from dpcomp_sym.model import BoundMap, Domain, Map, Part, Problem, library_granularity, library_map
from dpcomp_sym.profile import ALL
from dpcomp_sym.smt.query import excluded
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NUMBERED = Domain({"id": "R", "x": "int"}, symbols={"k": "k >= 1"}, cell="x(c) >= 0")
ROW = Map("row", "1 <= i", {"i": "k"})
"""All blocks hold all records."""


def structure_of(domain: Domain, mapping: Map) -> Structure:
    unbounded = library_granularity("unbounded")
    return Structure(Problem(domain, unbounded, [mapping], [Part("p", mapping.name)]))


def seen_in(structure: Structure, mapping: BoundMap) -> tuple[int, int]:
    outcome = structure.compatible(mapping)
    assert isinstance(outcome, Refuted)
    return seen(Pairs.of(structure.problem), mapping, outcome.counterexample)


def test_of_a_tree_no_number_of_blocks_is_tried_that_its_counterexample_exceeds(monkeypatch):
    tried, ask = [], Structure._impossible

    def noted(query):
        tried.append(query)
        return ask(query)

    monkeypatch.setattr(Structure, "_impossible", staticmethod(noted))
    structure = Structure(load_spec(EXAMPLES / "tree-any-arity.toml").problem)
    (edit,), (mapping,) = structure.edits, structure.problem.used_maps.values()
    found = conditions(structure)["compatibility"]
    assert found.note == "no bound was found on how many blocks change"
    assert most_changed(structure, edit, mapping) == ALL
    assert structure.most_blocks_a_cell(mapping) is None
    assert seen_in(structure, mapping) == (ENOUGH, ENOUGH)
    assert len(tried) == 1  # whether more than one block changes


def test_where_scripts_are_noted_everything_is_asked():
    structure = structure_of(NUMBERED, ROW)
    (edit,), mapping = structure.edits, structure.problem.used_maps["row"]
    note_blocks(structure, mapping, structure.compatible(mapping).counterexample)
    before = ASKED.number
    assert not structure.at_most_blocks(edit, mapping, 2)
    assert ASKED.number == before
    with excluded("blocks"):
        assert not structure.at_most_blocks(edit, mapping, 2)
    assert ASKED.number > before


@pytest.mark.parametrize("most", [2, 3, MOST_BLOCKS])
def test_what_the_class_has_no_room_for_is_not_seen(most):
    domain = Domain({"id": "R", "x": "int"}, symbols={"k": f"1 <= k and k <= {most}"})
    structure = structure_of(domain, ROW)
    (edit,), mapping = structure.edits, structure.problem.used_maps["row"]
    assert seen_in(structure, mapping) == (0, 0)
    note_blocks(structure, mapping, structure.compatible(mapping).counterexample)
    assert [structure.at_most_blocks(edit, mapping, n) for n in (most - 1, most)] == [False, True]


@pytest.mark.parametrize(
    ("granularity", "mapping"),
    [("bounded", library_map("partition", name="m")),
     ("unbounded", library_map("cover", name="m", m=2)),
     ("unbounded", Map("m", "x(c) == i or x(c) == i + 2", {"i": "k"})),
     ("bounded", Map("m", "x(c) < i and i <= x(c) + 3", {"i": "k"}))],
)  # fmt: skip
def test_no_bound_is_proved_that_is_below_what_is_seen(granularity, mapping):
    problem = Problem(NUMBERED, library_granularity(granularity), [mapping], [Part("p", "m")])
    structure, fresh = Structure(problem), Structure(problem)
    (edit,), bound = structure.edits, problem.used_maps["m"]
    changed, held = seen_in(structure, bound)
    assert (changed > 1, held > 0) == (True, True)
    proved = [n for n in range(1, ENOUGH) if fresh.at_most_blocks(edit, bound, n)]
    assert min(proved, default=ENOUGH) >= changed
    most = fresh.most_blocks_a_cell(bound)
    assert not isinstance(most, int) or most >= held
