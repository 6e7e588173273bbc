"""Distances that are products of symbols: proved from both sides, and searched in small worlds."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics.capacities import capacities
from dpcomp_sym.metrics.distance_relation import ProductFormula
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, library_granularity
from dpcomp_sym.terms import INT, parse, to_text

SIGNS = {"w": "w >= 1", "m": "m >= 1"}
DAYS = Domain({"id": "R", "person": "P", "day": "int"}, symbols=SIGNS,
              limits=[("person(c), day(c)", "m")])  # fmt: skip


def granularity(frame):
    return Granularity("days", [Edit({"p": "P", "t": "int"}, frame=f"person(c) == p and {frame}")])


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("frame", "distance"),
    [
        ("t <= day(c) and day(c) < t + w", "2*m*w"),
        ("t <= day(c) and day(c) <= t + w", "2*m*(w + 1)"),
        ("t <= day(c) and day(c) < t + 3", "2*m*3"),
    ],
)
def test_the_records_of_all_groups_can_change(frame, distance):
    given = {"days": granularity(frame), "unbounded": library_granularity("unbounded")}
    found = Relations(DAYS, given).distance("unbounded", "days")
    assert isinstance(found.verdict, Proved)
    assert str(found.distance) == distance
    assert "against as many with another id" in found.why


def test_small_worlds_have_neighbours_so_far_apart_and_no_farther():
    days = granularity("t <= day(c) and day(c) < t + w")
    given = {"days": days, "unbounded": library_granularity("unbounded")}
    said = Relations(DAYS, given).distance("unbounded", "days").distance
    assert isinstance(said, ProductFormula)
    assert said.term == parse("2*(m*w)", DAYS.scope(), INT)
    cells = tuple(itertools.product(("a", "b"), ("p",), (0, 1)))
    for w, m in itertools.product((1, 2), repeat=2):
        world = World(DAYS, cells, {"R": ("a", "b"), "P": ("p",)}, {}, {}, {"w": w, "m": m})
        graph = EditGraph(world, days.bind(DAYS), cells, m)
        far = max(
            sum(abs(a - b) for a, b in zip(old, new, strict=True)) for old, new in graph.pairs()
        )
        assert far == 2 * m * w


def test_room_needs_a_number_with_few_values():
    loose = granularity("t <= day(c)").bind(DAYS)
    assert capacities(DAYS, loose.edits[0]) == []
    anybody = Granularity("anybody", [Edit({"t": "int"}, frame="day(c) == t")]).bind(DAYS)
    assert capacities(DAYS, anybody.edits[0]) == []  # a day has any number of persons
    one_day = granularity("day(c) == t").bind(DAYS)
    assert [to_text(room.size) for room in capacities(DAYS, one_day.edits[0])] == ["m"]


@pytest.mark.parametrize(
    ("inner", "distance"), [("unbounded", "2*w"), ("unbounded_or_bounded", "w")]
)
def test_a_limit_that_is_a_number_says_no_less_than_a_symbol(inner, distance):
    """One record a day: all days of a window are filled, and nothing is left open."""
    domain = Domain({"id": "R", "person": "P", "day": "int"}, symbols={"w": "w >= 1"},
                    limits=[("person(c), day(c)", 1)])  # fmt: skip
    days = granularity("t <= day(c) and day(c) < t + w")
    given = {"days": days, inner: library_granularity(inner)}
    found = Relations(domain, given).distance(inner, "days")
    assert isinstance(found.verdict, Proved)
    assert str(found.distance) == distance
