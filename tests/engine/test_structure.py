"""Neighbours in both orders, several classes, and examples that the evaluator refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.confirm import Found
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Refuted
from dpcomp_sym.finite import World
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)

RECORDS = Domain({"id": "R"})
BLOCKS = library_map("partition", name="b")


def one_record(number, *, directed=True):
    guard = "D[x] >= 1" if number < 0 else "true"
    return Granularity("own", [Edit({"x": "cell"}, guard, {"x": number})], directed=directed)


@pytest.mark.parametrize(
    ("outer", "inner", "seen"),
    [
        (one_record(1), one_record(1), None),
        (one_record(1), one_record(-1), "infinite"),
        (one_record(1, directed=False), one_record(1), "infinite"),
        (one_record(1, directed=False), one_record(-1), "infinite"),
        (one_record(1, directed=False), one_record(-1, directed=False), None),
    ],
)
def test_neighbours_in_the_order_in_which_they_are_far_apart(outer, inner, seen):
    problem = Problem(RECORDS, outer, [BLOCKS], [Part("p", "b", inner)])
    found = Structure(problem).sensitivity(problem.bound_parts[0])
    if seen is None:
        assert isinstance(found, Proved)
    else:
        assert isinstance(found, Refuted)
        assert [distance for _, _, distance in found.counterexample.distances] == [seen]


@pytest.mark.parametrize("setting", ["separate", "common"])
def test_when_two_records_that_come_are_one_step_for_each_block(setting):
    two = Edit({"x": "cell", "y": "cell"}, "x != y", {"x": 1, "y": 1})
    part = Part("p", "b", one_record(1), setting=setting)
    problem = Problem(RECORDS, Granularity("two", [two], directed=True), [BLOCKS], [part])
    said = conditions(Structure(problem))["sensitivity"]
    assert (said.verdict, said.weakest) == ("refuted", "each block holds at most one record")


@pytest.mark.parametrize(("outer", "verdict"), [("unbounded", Proved), ("bounded", Refuted)])
def test_what_is_counted_is_seen_with_its_own_attributes(outer, verdict):
    """One part sees the records of a block, another one how many of them are in each city."""
    counted = Map("counted", image={"city": "city(c)"})
    parts = [Part("p", "b"), Part("q", ["b", "counted"])]
    people = Domain({"id": "R", "city": "C"})
    problem = Problem(people, library_granularity(outer), [BLOCKS, counted], parts)
    structure = Structure(problem)
    assert [type(structure.compatible(m)) for m in problem.used_maps.values()] == [verdict] * 2


def test_of_the_blocks_that_hold_a_record_one_is_chosen_at_most():
    """What is declared of the blocks holds for what is left of them."""
    cover, chosen = library_map("cover", name="b", m=1), library_map("filter", name="f")
    parts = [Part("p", ["f", "b"])]
    problem = Problem(RECORDS, library_granularity("unbounded"), [cover, chosen], parts)
    (mapping,) = problem.used_maps.values()
    assert isinstance(Structure(problem).compatible(mapping), Proved)


def test_maps_that_no_part_reads():
    """How many blocks hold a record is declared of the one, and found of the other."""
    maps = [
        library_map("cover", name="b", m=1),
        Map("own", "f(c) == i", {"i": "k"}, {"f": (["cell"], "int")}),
    ]
    problem = Problem(RECORDS, library_granularity("unbounded"), maps, [])
    structure = Structure(problem)
    for mapping in problem.bound_maps.values():
        assert isinstance(structure.compatible(mapping), Proved)
        assert structure.most_blocks_a_cell(mapping) == 1
    replaced = Structure(replace(problem, granularity=library_granularity("bounded")))
    for mapping in problem.bound_maps.values():
        assert isinstance(replaced.compatible(mapping), Refuted)


def test_an_example_has_as_many_records_as_its_class_asks_for():
    """Two that stay, and one that is replaced: no cell holds more than one."""
    domain = Domain({"id": "R"}, symbols={"N": "N >= 3"}, size=["size(D) == N"], cap=1)
    problem = Problem(domain, library_granularity("bounded"), [BLOCKS], [Part("p", "b")])
    verdict = Structure(problem).compatible(problem.bound_maps["b"])
    assert isinstance(verdict, Refuted)
    example = verdict.counterexample
    assert [sum(d.values()) for d in (example.old, example.new)] == [3, 3]
    assert (example.world.symbols["N"], len(example.world.cells)) == (3, 4)


def test_the_numbers_of_an_example_are_small():
    cover = library_map("cover", name="b", m="m")
    domain = Domain({"id": "R", "owner": "U"}, symbols={"m": "m >= 1", "n": "n >= 3"})
    for name, given in (("unbounded", {}), ("user", {"owner": "owner"})):
        outer = library_granularity(name, **given)
        problem = Problem(domain, outer, [cover], [Part("p", "b")])
        verdict = Structure(problem).compatible(problem.bound_maps["b"])
        assert isinstance(verdict, Refuted)
        example = verdict.counterexample
        assert example.world.symbols["n"] == 3
        assert example.world.symbols["k"] == 2
        records = {*example.old, *example.new}
        assert records == {*example.world.cells}
        assert example.world.symbols["m"] == 3 - len(records)


def test_functions_of_an_example_are_told_for_all_that_there_is():
    domain = Domain({"id": "R", "flag": "bool"}, {"level": (["bool", "R"], "int")})
    own = Map("own", "level(flag(c), id(c)) == i", {"i": "k"})
    problem = Problem(domain, library_granularity("bounded"), [own], [])
    verdict = Structure(problem).compatible(problem.bound_maps["own"])
    assert isinstance(verdict, Refuted)
    example = verdict.counterexample
    world = example.world
    assert {*example.old, *example.new} <= {*world.cells}
    assert set(world.functions["level"]) == {*itertools.product((0, 1), world.elements["R"])}


def found(*, blocks):
    """Return a record that comes, and lies in block 1 of two."""
    problem = Problem(RECORDS, one_record(1), [BLOCKS], [Part("p", "b")])
    mapping = problem.bound_maps["b"]
    (label,), cell = mapping.functions, ("R1",)
    world = World(RECORDS, (cell,), {"R": cell}, {label: {(cell,): 1}}, {}, {"k": 2})
    assert world.block_cells(mapping, (1,)) == [cell]
    return Found(world, {}, {cell: 1}, tuple((mapping, (n,)) for n in blocks))


@pytest.mark.parametrize("blocks", [(1, 2), (2, 1), (1, 1)])
def test_what_the_evaluator_does_not_see_confirms_nothing(blocks):
    """One record in one block: no two blocks hold it, and no two change."""
    example = found(blocks=blocks)
    assert not Structure.overlap(example, {m.name: m for m, _ in example.blocks})
    assert not Structure._all_changed(example)
