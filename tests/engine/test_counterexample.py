"""Counterexamples: that there are some, how small they are, and that each is confirmed."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dpcomp_sym.engine import conditions, counterexample
from dpcomp_sym.engine.counterexample import MANY
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Refuted
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
from dpcomp_sym.smt.query import Query

RECORDS = Domain({"id": "R"})
OWNED = Domain({"id": "R", "owner": "U"})
PAIRS = Domain({"owner": "U", "item": "I"}, universe=Universe.PRODUCT)
PLANE = Domain({"a": "int", "b": "int"}, universe=Universe.PRODUCT)
STREAM = Domain({"time": "int", "id": "R"}, symbols={"w": "w >= 2"})
WINDOW = Granularity("window", [Edit({"t": "int"}, frame="t <= time(c) and time(c) < t + w")])
BLOCKS = library_map("partition", name="b")
COVER = library_map("cover", name="b", m=2)
ALL = Granularity("all", [Edit({}, frame="true")])


def framed(formula, guard="true", step="true", **params):
    return Granularity("own", [Edit(params, guard, frame=formula, step=step)])


def two_changed(domain, granularity, mapping=BLOCKS, *others):
    """Return a smallest pair of neighbours that change two blocks of a map."""
    problem = Problem(domain, granularity, [mapping, *others], [Part("p", mapping.name)])
    found = Structure(problem).compatible(problem.bound_maps[mapping.name])
    assert isinstance(found, Refuted)
    return found.counterexample


APART = Granularity(
    "apart",
    [
        Edit(
            {"x": "cell", "y": "cell"},
            "D[x] >= 1 and owner(x) != owner(y) and item(x) != item(y)",
            {"x": -1, "y": 1},
        )
    ],
)
FLAGGED = Domain({"id": "R", "flag": "bool"}, {"f": (["bool"], "int")}, cell="not flag(c)")
FAR = Map("b", "a(c) == 20*i and b(c) == 20*i", {"i": "k"})
SWITCHED = Granularity(
    "switched",
    [Edit({"x": "cell", "y": "cell"}, "id(x) == id(y) and D[x] >= 1", {"x": -1, "y": 1})],
)
FARTHER = Map("b", "a(c) == 1000000*i and b(c) == 1000000*i", {"i": "k"})
WEEKS = Map("b", "(i-1)*L <= time(c) and time(c) < i*L", {"i": "k"}, symbols={"L": "L >= 3"})


@pytest.mark.parametrize(
    ("domain", "granularity", "mapping", "records", "cells", "symbols"),
    [
        (RECORDS, library_granularity("bounded"), BLOCKS, 2, 2, {}),
        (RECORDS, library_granularity("unbounded"), COVER, 1, 1, {}),
        (OWNED, library_granularity("user", owner="owner"), BLOCKS, 2, 2, {}),
        # Every cell of the product holds a record.
        (replace(PAIRS, facts=["D[c] >= 1"]), APART, COVER, 10, 4, {}),
        # One record with the flag, the same one without.
        (replace(FLAGGED, cell="true", universe=Universe.PRODUCT), SWITCHED, BLOCKS, 2, 2, {}),
        # An owner of whom there are no records.
        (OWNED, framed("owner(c) != u", u="U"), BLOCKS, 2, 2, {}),
        # Only records without the flag change, of which a function tells.
        (FLAGGED, framed("f(flag(c)) == 3"), BLOCKS, 2, 2, {}),
        # Twenty apart in two directions: not all places between are part of an example.
        (PLANE, ALL, FAR, 2, 4, {}),
        (PLANE, ALL, FARTHER, 2, 4, {}),
        (STREAM, WINDOW, BLOCKS, 2, 2, {"w": 2}),
        (STREAM, WINDOW, WEEKS, 2, 2, {"w": 2, "L": 3}),
    ],
)
def test_examples_are_the_smallest(domain, granularity, mapping, records, cells, symbols):
    example = two_changed(domain, granularity, mapping)
    assert sum((*example.old.values(), *example.new.values())) == records
    assert len(example.world.cells) == cells
    assert example.world.symbols == {**symbols, "k": 2}


@pytest.mark.parametrize(
    ("domain", "granularity", "mapping", "integers"),
    [
        (STREAM, WINDOW, BLOCKS, (0, 3)),
        # In 20 to 29, as the map says.
        (STREAM, WINDOW, Map("b", "time(c) == 19 + i", {"i": "k"}), (20, 30)),
    ],
)
def test_integers_of_examples_are_small(domain, granularity, mapping, integers):
    low, high = integers
    assert all(
        low <= cell[0] <= high for cell in two_changed(domain, granularity, mapping).world.cells
    )


@pytest.mark.parametrize(
    ("frame", "guard"),
    [
        ("7*t <= time(c) and time(c) < 7*t + 7", "true"),
        ("3*(5*t + 1) <= time(c) and time(c) < 15*t + 20", "true"),
        ("w*t <= time(c) and time(c) < w*(t + 1)", "true"),
        ("time(c) // 7 == t", "true"),
        ("time(c) == t // 7", "true"),
        ("24*time(c) + hour(c) == t", "true"),
        ("time(c)*hour(c) <= t and t < w*time(c)*hour(c)", "true"),
        ("time(c) <= t", "D[x] >= 1 and D[x] + 24*time(x) + hour(x) == t"),
        ("time(c) <= t", "D[x] >= 1 and 3*time(x) + hour(x) + 1000*D[x]*D[x] <= t"),
    ],
)
def test_an_integer_far_from_all_that_records_have_is_found(frame, guard):
    """All days are large, and the number of a week, or of an hour, is not one of them."""
    cell = "time(c) >= 1000 and 3 <= hour(c) and hour(c) <= 9"
    days = Domain({"time": "int", "hour": "int", "id": "R"}, cell=cell, symbols={"w": "w >= 50"})
    granularity = framed(frame, guard, t="int", **({} if guard == "true" else {"x": "cell"}))
    assert all(cell[0] >= 1000 for cell in two_changed(days, granularity).world.cells)


def test_an_unused_map_that_says_what_cannot_be():
    """Nothing is asked of it, so that it excludes no example."""
    never = Map("never", "g(c) == i", {"i": "k"}, {"g": (["cell"], "int")}, facts=["g(c) < g(c)"])
    assert two_changed(RECORDS, library_granularity("bounded"), BLOCKS, never).old


def test_what_nothing_is_computed_on_is_decided_by_what_is_said_of_it():
    blocks = Map("b", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")}, facts=["h(c) >= 5"])
    problem = Problem(RECORDS, library_granularity("bounded"), [blocks], [])
    mapping = problem.bound_maps["b"]
    found = Structure(problem).compatible(mapping)
    assert isinstance(found, Refuted)
    assert found.counterexample.world.map_facts_hold(mapping)


def test_records_that_a_cell_has_no_room_for():
    """A block that counts sees two records of an owner change, of which a cell has one."""
    counted = Map("b", "true", image={})
    problem = Problem(
        replace(OWNED, cap=1), library_granularity("user", owner="owner"), [counted],
        [Part("p", "b", library_granularity("unbounded"))],
    )  # fmt: skip
    found = Structure(problem).sensitivity(problem.bound_parts[0])
    assert isinstance(found, Refuted)
    assert [distance for _, _, distance in found.counterexample.distances] == ["2"]


@pytest.mark.parametrize("doubted", ["judge", "_neighbours"])
def test_a_more_readable_example_is_confirmed_anew(doubted, monkeypatch):
    """What is doubted of it leaves the first one, which was confirmed."""
    problem = Problem(STREAM, WINDOW, [BLOCKS], [Part("p", "b")])
    structure = Structure(problem)
    mapping, answers, seen = (
        problem.bound_maps["b"],
        itertools.chain([True], itertools.repeat(False)),
        [],
    )

    def ask(pair):
        blocks = structure.different(pair, mapping, 2)
        for block in blocks:
            pair.view(mapping, block).changed()
        return counterexample.Demand([(mapping, b) for b in blocks], [])

    def judge(found):
        seen.append(found)
        return doubted != "judge" or next(answers)

    if doubted == "_neighbours":
        monkeypatch.setattr(counterexample, "_neighbours", lambda *_: next(answers))
    (edit,) = structure.edits
    found = counterexample.confirm(problem, structure.signature, edit, ask, judge, readable=True)
    assert found is seen[0]


@pytest.mark.parametrize("comes", [True, False])
def test_other_examples_of_the_same_size_are_tried(comes):
    """A block sees one record come or go; whichever of the two does not do, the other is found."""
    problem = Problem(RECORDS, library_granularity("bounded"), [BLOCKS], [Part("p", "b")])
    structure, mapping = Structure(problem), problem.bound_maps["b"]

    def ask(pair):
        block = pair.index(mapping)
        pair.view(mapping, block).changed()
        return counterexample.Demand([(mapping, block)], [])

    def judge(found):
        ((_, index),) = found.blocks
        old, new = (
            sum(found.world.apply(mapping, d, index).values()) for d in (found.old, found.new)
        )
        return sum(found.old.values()) == 1 and (new > old if comes else new < old)

    found = structure.confirmed(structure.edits[0], ask, judge)
    assert found is not None
    assert judge(found)


def test_many_integers_are_as_few_as_the_records_need():
    wide = {"id": "Person"} | {f"a{n}": "int" for n in range(MANY)}
    problem = Problem(
        Domain(wide),
        library_granularity("bounded"),
        [library_map("partition", name="blocks")],
        [Part("counts", "blocks")],
    )
    refuted = conditions(Structure(problem))["compatibility"].outcome
    cells = [*refuted.counterexample.old, *refuted.counterexample.new]
    integers = {value for cell in cells for value in cell if isinstance(value, int)}
    assert integers <= set(range(len(set(cells))))


def test_the_fewest_records_are_not_sought_where_many_cells_are_named(monkeypatch):
    """The search for the fewest took nearly all of the time of 40 filters of a user's records."""
    count = 17
    maps = [Map(f"m{n}", f"day(c) == {n}") for n in range(count)]
    problem = Problem(
        Domain({"owner": "Person", "day": "int"}), library_granularity("user", owner="owner"),
        maps, [Part(f"p{n}", f"m{n}") for n in range(count)],
    )  # fmt: skip
    asked = []
    check = Query.check

    def counted(query, *assumptions):
        asked.append(query)
        return check(query, *assumptions)

    monkeypatch.setattr(Query, "check", counted)
    found = profile_of(Structure(problem))
    assert found.exact
    assert len(asked) < 120  # was 420
