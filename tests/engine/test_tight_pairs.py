"""Neighbours whose blocks, called by their numbers, are seen from as far as is asked."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.tight_pairs import AttainedBlock, attaining
from dpcomp_sym.finite import World
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.profile import INFINITY

RECORDS = Domain({"id": "R"})
FULL, COVER = library_map("partition", name="b"), library_map("cover", name="b", m=2)
ONE_MORE = Edit({"x": "cell"}, change={"x": 1})
TWO_LESS = Edit({"x": "cell"}, "D[x] >= 2", {"x": -2})


def use(name):
    return library_granularity(name)


def found(outer, mapping, touches, inner=None, *, setting="separate", k=3, domain=RECORDS):
    part = Part("p", "b", inner, setting=setting)
    structure = Structure(Problem(domain, outer, [mapping], [part]))
    return attaining(structure, [AttainedBlock("b", *t) for t in touches], {"k": k})


def seen(distance, *blocks):
    return [(None if b is None else (b,), (("p", distance),)) for b in blocks]


@pytest.mark.parametrize(
    ("outer", "mapping", "touches", "more", "records"),
    [
        ("unbounded", FULL, seen(1, 2), {}, 1),
        ("unbounded", FULL, seen(1, 4), {}, None),
        ("unbounded", FULL, seen(1, 1, 3), {}, None),
        ("unbounded", FULL, seen(2, 1), {}, None),
        ("unbounded", COVER, seen(1, 1, 3), {}, 1),
        ("unbounded", COVER, seen(1, 1, 2, 3), {}, None),
        ("unbounded", COVER, seen(1, None, 3), {}, 1),
        ("unbounded", COVER, seen(1, None, 1), {"k": 1}, None),
        ("bounded", FULL, seen(1, 1, 2), {"inner": use("unbounded")}, 2),
        ("bounded", FULL, seen(2, 3), {"inner": use("unbounded")}, 2),
        ("bounded", FULL, seen(2, 1, 2), {"inner": use("unbounded")}, None),
        ("bounded", FULL, seen(INFINITY, 1), {}, 2),
        ("bounded", FULL, seen(INFINITY, 1, 2), {}, 2),
        ("bounded", FULL, seen(INFINITY, 1), {"inner": use("unbounded")}, None),
        ("unbounded_or_bounded", FULL, seen(1, 1), {}, 1),
        ("bounded", FULL, seen(2, 1), {"inner": use("unbounded"), "setting": "common"}, 2),
        ("bounded", FULL, seen(1, 1, 2), {"setting": "common"}, 2),
        ("bounded", FULL, seen(2, 1), {"setting": "common"}, None),
    ],
)
def test_blocks_that_are_called_by_number(outer, mapping, touches, more, records):
    example = found(use(outer), mapping, touches, **more)
    if records is None:
        assert example is None
        return
    assert example is not None
    assert example.world.symbols["k"] == more.get("k", 3)
    assert sum(example.old.values()) + sum(example.new.values()) == records
    numbers = [index for _, index in example.blocks]
    assert len({*numbers}) == len(touches)
    for (wanted, _), (block, index) in zip(touches, example.blocks, strict=True):
        assert wanted in (None, index)
        world = example.world
        assert world.apply(block, example.old, index) != world.apply(block, example.new, index)


def test_what_the_evaluator_does_not_see_is_not_attained(monkeypatch):
    """A record comes into block 1 of two: that is all that is confirmed."""
    part = Part("p", "b", use("bounded"))
    structure = Structure(Problem(RECORDS, use("unbounded"), [FULL], [part]))
    mapping = structure.problem.used_maps["b"]
    (label,), cell = mapping.functions, ("R1",)
    world = World(RECORDS, (cell,), {"R": cell}, {label: {(cell,): 1}}, {}, {"k": 2, "m": 1})

    def judged(touches, *blocks, **sizes):
        example = FoundPair(world, {}, {cell: 1}, tuple((mapping, (b,)) for b in blocks))
        monkeypatch.setattr(
            structure, "confirmed", lambda _edit, _ask, judge: example if judge(example) else None
        )
        return attaining(structure, [AttainedBlock("b", *t) for t in touches], sizes) is not None

    assert judged(seen(INFINITY, 1), 1, k=2)
    assert judged(seen(3, 1), 1, k=2, m=1)
    assert not judged(seen(1, 1), 1, k=2, m=3)
    assert not judged(seen(1, 2), 1, k=2)
    assert not judged(seen(1, None, None), 1, 1, k=2)
    assert not judged(seen(1, 2), 2, k=2)
    assert not judged(seen(INFINITY, 2), 2, k=2)


@pytest.mark.parametrize("step", [1, -1])
def test_neighbours_that_stand_in_one_order_only(step):
    edit = Edit({"x": "cell"}, "D[x] + 1 >= 1" if step > 0 else "D[x] >= 1", {"x": step})
    example = found(Granularity("own", [edit], directed=True), FULL, seen(1, 1))
    assert example is not None
    assert (sum(example.old.values()), sum(example.new.values())) == (
        (0, 1) if step > 0 else (1, 0)
    )


def test_neighbours_stand_in_the_order_in_which_they_are_seen():
    """One record more is one step; one less is two less, and one more."""
    inner = Granularity("own", [ONE_MORE, TWO_LESS], directed=True)
    example = found(Granularity("outer", [ONE_MORE]), FULL, seen(2, 1), inner)
    assert example is not None
    assert (sum(example.old.values()), example.new) == (1, {})
    assert found(Granularity("outer", [ONE_MORE]), FULL, seen(3, 1), inner) is None


@pytest.mark.parametrize("order", [1, -1])
def test_the_smallest_of_all_edits(order):
    three = Edit({"x": "cell"}, change={"x": 3})
    example = found(Granularity("outer", [ONE_MORE, three][::order]), FULL, seen(1, 1))
    assert example is not None
    assert sum(example.old.values()) + sum(example.new.values()) == 1


@pytest.mark.parametrize("distance", [1, 2, 3, 4])
def test_as_many_records_as_are_seen(distance):
    some = Edit({"x": "cell", "t": "int"}, "1 <= t and t <= 4", {"x": "t"})
    example = found(Granularity("outer", [some]), FULL, seen(distance, 1), use("unbounded"))
    assert example is not None
    assert sum(example.old.values()) + sum(example.new.values()) == distance
