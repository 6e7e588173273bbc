"""Neighbours in both orders, several classes, and examples that the evaluator refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Refuted, Vacuous
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
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
from dpcomp_sym.terms import Term

RECORDS = Domain({"id": "R"})
SIZED = Domain({"id": "R"}, symbols={"N": "N >= 1"}, size=["size(D) == N"])
STREAM = Domain({"id": "R", "time": "int"}, symbols={"w": "w >= 1"})
TWO = {"x": "cell", "y": "cell"}
NEW = Edit({"x": "cell"}, change={"x": 1})
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


def test_a_directed_part_sees_both_orders_beside_one_that_is_not():
    outer = one_record(1, directed=False)
    parts = [Part("p", "b", one_record(1)), Part("q", "b", outer)]
    problem = Problem(RECORDS, outer, [BLOCKS], parts)
    structure = Structure(problem)
    first, second = (structure.sensitivity(p) for p in problem.bound_parts)
    assert isinstance(first, Refuted)
    assert [distance for _, _, distance in first.counterexample.distances] == ["infinite"]
    assert isinstance(second, Proved)


def moved(number):
    """Return an edit that moves so many records from one cell to another."""
    return Edit(TWO, f"D[x] >= {number} and x != y", {"x": -number, "y": number})


@pytest.mark.parametrize(
    ("domain", "edits", "verdict"),
    [
        (SIZED, [NEW], Vacuous),
        (SIZED, [moved(1)], Refuted),
        # One edit alone never leads to another database.
        (SIZED, [NEW, moved(1)], Refuted),
        (SIZED, [moved(1), NEW], Refuted),
        (Domain({"number": "int"}, cell="number(c) == 7"), [NEW], Refuted),
    ],
)
def test_whether_there_are_two_different_neighbours(domain, edits, verdict):
    problem = Problem(domain, Granularity("own", edits), [BLOCKS], [])
    structure = Structure(problem)
    assert isinstance(structure.vacuity, verdict)
    assert len(structure.vacuity.scripts if verdict is Vacuous else [1]) == 1
    compatible = structure.compatible(problem.bound_maps["b"])
    expected = verdict if len(domain.attributes) == 1 and domain.cell == "true" else Proved
    assert isinstance(compatible, expected)


def test_an_edit_that_only_the_size_forbids_is_no_error():
    problem = Problem(SIZED, Granularity("own", [NEW, moved(1)]), [BLOCKS], [])
    assert check_input(Structure(problem)) is None


def test_an_edit_of_a_record_with_itself_is_an_error():
    same = Edit(TWO, "D[x] >= 1 and x == y", {"x": -1, "y": 1})
    problem = Problem(RECORDS, Granularity("own", [NEW, same]), [BLOCKS], [])
    with pytest.raises(InputError, match="edit 2 can never change a database of this class"):
        check_input(Structure(problem))


@pytest.mark.parametrize(
    ("edits", "idle"),
    [
        ([NEW, moved(1)], []),
        ([NEW, Edit(TWO, "D[x] >= 1", {"x": -1, "y": 1})], [2]),
        ([Edit({"x": "cell"}, frame="c == x"), Edit(TWO, change={"x": -1, "y": 1})], [2]),
    ],
)
def test_edits_that_can_leave_a_database_as_it_is(edits, idle):
    problem = Problem(RECORDS, Granularity("own", edits), [BLOCKS], [])
    assert Structure(problem).idle_edits() == idle


def windows(member, indices):
    return Map("own", member, indices, symbols={"L": "L >= 1"})


@pytest.mark.parametrize(
    ("mapping", "covers", "most"),
    [
        (library_map("partition", name="b"), True, 1),
        (library_map("partial_partition", name="b"), False, 1),
        (windows("(i-1)*L <= time(c) and time(c) < i*L", {"i": "k"}), False, 1),
        (windows("i == 3", {"i": 3}), True, 1),
        (windows("i == 4", {"i": 3}), False, 1),
        (windows("time(c) == w and i == 1", {"i": 3}), False, 1),
        (windows("i == time(c)", {"i": 3}), False, 1),
        (windows("time(c) == time", {"time": 3}), False, 1),
        (windows("i == 1 or i == 2", {"i": "k"}), True, 2),
        (windows("i == 1 or i == 4 or i == 5 or i == 6", {"i": 6}), True, 4),
        (windows("i == 1 and j == 2", {"i": 2, "j": 2}), True, 1),
        (windows("i == 1", {"i": 2, "j": 2}), False, 2),
        (windows("i <= time(c) and time(c) < i + w", {"i": 60}), False, "w"),
        (windows("i <= time(c) and time(c) < i + w", {"i": 60, "j": 60}), False, None),
        (windows("i <= time(c) and time(c) <= i + w", {"i": 60}), False, None),
        (windows("i <= time(c)", {"i": "k"}), False, "k"),
        (windows("i <= time(c)", {"i": 60}), False, None),
    ],
)
def test_how_many_blocks_hold_one_record(mapping, covers, most):
    problem = Problem(STREAM, Granularity("own", [NEW]), [mapping], [])
    structure = Structure(problem)
    (mapping,) = problem.bound_maps.values()
    assert structure.covers(mapping) == covers
    assert isinstance(structure.disjoint(mapping), Proved) == (most == 1)
    found = structure.most_blocks_a_cell(mapping)
    assert (found.name if isinstance(found, Term) else found) == most


@pytest.mark.parametrize("numbers", [(1, 3), (3, 1)])
def test_of_the_examples_of_several_edits_the_smallest_is_told(numbers):
    outer = Granularity("own", [moved(n) for n in numbers])
    inner = library_granularity("bounded")
    problem = Problem(RECORDS, outer, [BLOCKS], [Part("p", "b", inner)])
    structure = Structure(problem)
    (part,) = problem.bound_parts
    for verdict in (structure.compatible(part.map), structure.sensitivity(part)):
        assert isinstance(verdict, Refuted)
        example = verdict.counterexample
        assert (sum(example.old.values()), sum(example.new.values())) in {(1, 1), (1, 0), (0, 1)}


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


LIMITED = Domain(
    {"id": "R", "owner": "U", "other": "U"}, symbols={"m": "m >= 1"}, cap=2,
    limits=[("owner(c)", "m + 1")],
)  # fmt: skip
SELF, KEPT = library_map("identity", name="f"), library_map("filter", name="f")
SWAPPED = Map("f", image={"owner": "other(c)"})
COUNTED = Map("f", image={"owner": "owner(c)"})


@pytest.mark.parametrize(
    ("domain", "mapping", "inner", "verdict"),
    [
        (LIMITED, KEPT, InnerClass(), Proved),
        (LIMITED, KEPT, InnerClass(cap=2), Proved),
        (LIMITED, KEPT, InnerClass(cap=1), Refuted),
        (LIMITED, KEPT, InnerClass(limits=[("owner(c)", "m + 1")]), Proved),
        (LIMITED, KEPT, InnerClass(limits=[("owner(c)", "m + 2")]), Proved),
        (LIMITED, KEPT, InnerClass(limits=[("owner(c)", "m")]), Refuted),
        (LIMITED, KEPT, InnerClass(limits=[("other(c)", "m + 1")]), Refuted),
        (LIMITED, KEPT, InnerClass(limits=[("owner(c)", "m + 2"), ("id(c)", 1)]), Refuted),
        # Called alike, and yet another attribute.
        (LIMITED, SWAPPED, InnerClass(limits=[("owner(c)", "m + 1")]), Refuted),
        (LIMITED, COUNTED, InnerClass(cap=1), Refuted),
        (SIZED, SELF, InnerClass(size=["size(D) <= N"]), Proved),
        (SIZED, SELF, InnerClass(size=["size(D) <= N", "size(D) >= 2"]), Refuted),
        (SIZED, KEPT, InnerClass(size=["size(D) <= N"]), Proved),
        (SIZED, KEPT, InnerClass(size=["size(D) >= N"]), Refuted),
        (RECORDS, KEPT, InnerClass(size=["size(D) <= 2"]), Refuted),
    ],
)
def test_whether_all_that_a_part_reads_is_in_its_class(domain, mapping, inner, verdict):
    part = Part("p", "f", library_granularity("unbounded"), inner=inner)
    problem = Problem(domain, library_granularity("bounded"), [mapping], [part])
    structure = Structure(problem)
    (part,) = problem.bound_parts
    found = structure.range(part)
    assert isinstance(found, verdict)
    if verdict is Refuted:
        assert isinstance(structure.sensitivity(part), Refuted)
        example = found.counterexample
        ((_, index),) = example.blocks
        image = example.world.apply(part.map, example.old, index)
        seen = example.world.block_cells(part.map, index)
        assert example.world.contains(example.old, domain, example.world.cells)
        assert not example.world.contains(image, part.domain, seen)


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
    assert example.reason == "2 blocks change"
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
    return FoundPair(world, {}, {cell: 1}, tuple((mapping, (n,)) for n in blocks))


@pytest.mark.parametrize("blocks", [(1, 2), (2, 1), (1, 1)])
def test_what_the_evaluator_does_not_see_confirms_nothing(blocks):
    """One record in one block: no two blocks hold it, and no two change."""
    example = found(blocks=blocks)
    assert not Structure.overlap(example, {m.name: m for m, _ in example.blocks})
    assert not Structure._all_changed(example)


@pytest.mark.parametrize(("outer", "number"), [("bounded", 2), ("bounded", 5), ("unbounded", 2)])
def test_a_counterexample_has_as_many_records_to_choose_as_its_class_says(outer, number):
    domain = Domain({"id": "R"}, at_least=number)
    blocks = library_map("cover", name="b", m=2)
    problem = Problem(domain, library_granularity(outer), [blocks], [Part("p", "b")])
    found = Structure(problem).compatible(problem.bound_maps["b"])
    assert isinstance(found, Refuted)
    assert len(found.counterexample.world.cells) == number


def test_one_of_two_records_that_lies_in_two_blocks():
    cover = library_map("cover", name="b", m=2)
    problem = Problem(RECORDS, one_record(1), [cover], [Part("p", "b")])
    mapping = problem.bound_maps["b"]
    (label,) = mapping.functions
    cells = (("R1",), ("R2",))
    held = {(cells[0], 1): True, (cells[0], 2): True, (cells[1], 1): True}
    world = World(RECORDS, cells, {"R": ("R1", "R2")}, {label: held}, {label: False}, {"k": 2})
    example = FoundPair(
        world, {cells[1]: 1}, {cells[0]: 1, cells[1]: 1}, tuple((mapping, (n,)) for n in (1, 2))
    )
    assert Structure.overlap(example, {"b": mapping})


@pytest.mark.parametrize(
    ("inner", "more", "number", "seen"),
    [
        ("unbounded", {}, 30, "at least 30"),
        ("unbounded", {"setting": "common"}, 30, "at least 30"),
        ("unbounded", {}, 2, "2"),
        # What comes is not in the class of the part.
        ("unbounded", {"inner": InnerClass(cap=1)}, 2, "infinite"),
        ("unbounded", {"inner": InnerClass(cap=2)}, 2, "2"),
    ],
)
def test_how_far_a_part_sees_records_come(inner, more, number, seen):
    part = Part("p", "f", library_granularity(inner), **more)
    problem = Problem(RECORDS, one_record(1), [SELF], [part])
    cell = ("R1",)
    example = FoundPair(World(RECORDS, (cell,), {"R": cell}), {}, {cell: number}, ())
    assert str(Structure(problem).bracket(example, problem.bound_parts[0], ())) == seen


PLANE = Domain({"a": "int", "b": "int"})
SQUARES = Granularity(  # with a parameter far from all integers in sight
    "squares",
    [
        Edit(
            {"x": "cell", "y": "cell", "t": "int"},
            "D[x] >= 1 and a(x) == a(y) and t*t == b(x) + b(y) + 9998",
            {"x": -1, "y": 1},
        )
    ],
)
TURNED = Map("turned", "true", image={"a": "b(c)", "b": "a(c)"})


@pytest.mark.parametrize(
    ("mapping", "setting", "cell", "seen"),
    [
        (library_map("identity", name="all"), "common", (0, 1), "at least 2"),  # no square
        (library_map("identity", name="all"), "common", (0, 2), "at least 1"),
        (library_map("identity", name="all"), "separate", (0, 1), "at least 2"),
        (library_map("identity", name="all"), "separate", (0, 2), "at least 1"),
        # The block sees (2, 0), to which no edit leads; but it is (0, 2) that an edit is about.
        (TURNED, "common", (0, 2), "at least 1"),
        (TURNED, "common", (2, 0), "at least 1"),
    ],
)
def test_distances_of_what_is_linked_out_of_sight(mapping, setting, cell, seen):
    part = Part("p", mapping.name, SQUARES, setting=setting)
    problem = Problem(PLANE, library_granularity("bounded"), [mapping], [part])
    cells = ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0))
    example = FoundPair(World(PLANE, cells), {(0, 0): 1}, {cell: 1}, ())
    assert str(Structure(problem).bracket(example, problem.bound_parts[0], ())) == seen


def test_an_example_names_all_blocks_that_change():
    """Two of them refute C1, one that sees distance 2 refutes C2; here three change."""
    views = Map("v", "i >= 1", {"i": 3})
    rare = Edit({"x": "cell"}, "D[x] == 0", {"x": 2})
    for outer in (one_record(1), Granularity("twos", [rare])):
        problem = Problem(RECORDS, outer, [views], [Part("p", "v", one_record(1))])
        structure = Structure(problem)
        (part,) = problem.bound_parts
        asked = [structure.compatible(part.map), structure.sensitivity(part)]
        refuted = [v.counterexample for v in asked if isinstance(v, Refuted)]
        assert len(refuted) == (1 if outer.name == "own" else 2)
        for example in refuted:
            assert example.as_json(problem.used_maps)["changed"] == ["v 1", "v 2", "v 3"]
