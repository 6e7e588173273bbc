"""Tables and lists of a fixed size: neighbours that differ at every place of a frame."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.capacities import capacities
from dpcomp_sym.metrics.full_tables import replaces_all
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity

INSIDE = "1 <= row(c) and row(c) <= R and 1 <= column(c) and column(c) <= C"
PLACES = {"row": "int", "column": "int"}
SHAPE = {
    "symbols": {"R": "R >= 1", "C": "C >= 1"}, "cap": 1, "universe": Universe.PRODUCT,
    "cell": INSIDE, "limits": [("row(c), column(c)", 1)], "size": ["size(D) == R*C"],
}  # fmt: skip
TABLE = Domain({**PLACES, "val": "Value"}, **SHAPE)
LIST = Domain(
    {"idx": "int", "val": "Value"}, symbols={"N": "N >= 1"}, cap=1, limits=[("idx(c)", 1)],
    cell="1 <= idx(c) and idx(c) <= N", size=["size(D) == N"],
)  # fmt: skip
BOUNDED, FREE = library_granularity("bounded"), library_granularity("free_lunch")
ROW = library_granularity("user", owner="row")
COLUMN = library_granularity("user", owner="column")
LABEL = library_granularity("label", label="val")


def far(domain, of, to):
    found = Relations(domain, {"of": of, "to": to}).distance("of", "to")
    return str(found.distance), found.why


@pytest.mark.parametrize(
    ("domain", "of", "to", "distance"),
    [
        (TABLE, BOUNDED, FREE, "R*C"), (TABLE, LABEL, FREE, "R*C"), (TABLE, BOUNDED, ROW, "C"),
        (TABLE, BOUNDED, COLUMN, "R"), (LIST, BOUNDED, FREE, "N"),
        (TABLE, library_granularity("attribute"), FREE, "R*C"),
    ],
)  # fmt: skip
def test_all_records_of_a_frame_are_other_ones(domain, of, to, distance):
    assert far(domain, of, to) == (distance, f"another val at each of {distance} places")


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_so_far_they_are_in_every_small_table(rows, columns):
    places = itertools.product(range(1, rows + 1), range(1, columns + 1), ("a", "b"))
    cells = tuple(places)
    world = World(TABLE, cells, {"Value": ("a", "b")}, {}, {}, {"R": rows, "C": columns})
    inner = EditGraph(world, BOUNDED.bind(TABLE), cells, 1)
    for to, distance in ((FREE, rows * columns), (ROW, columns), (COLUMN, rows)):
        pairs = EditGraph(world, to.bind(TABLE), cells, 1).pairs()
        assert max(inner.distance(*pair) for pair in pairs) == distance


def attained(domain, of, to):
    bound = to.bind(domain)
    (edit,) = bound.edits
    rooms = capacities(domain, edit)
    assert rooms
    return [replaces_all(Canonical(of.bind(domain)), bound, edit, room) for room in rooms]


FIRST_ROWS = Granularity("first rows", [Edit({"n": "int"}, frame="row(c) <= n")])
OF_A_VALUE = Granularity("of a value", [Edit({"v": "Value"}, frame="val(c) == v")])
ONE_MORE = Granularity("one more", [Edit({}, frame="true", step="old == 0")])
BESIDE = Granularity("beside another row", [Edit(
    {"p": "int", "q": "int"}, guard="p != q and 1 <= q and q <= R", frame="row(c) == p",
)])  # fmt: skip
TWO = Granularity("two rows", [Edit(
    {"p": "int", "q": "int"}, guard="p != q", frame="row(c) == p or row(c) == q",
)])  # fmt: skip


@pytest.mark.parametrize("to", [FIRST_ROWS, OF_A_VALUE, ONE_MORE, TWO, BESIDE])
def test_frames_that_need_not_hold_all_places(to):
    """Fewer rows, records with one value, nothing that may go, two rows where there is one."""
    assert attained(TABLE, BOUNDED, to) == [None]


@pytest.mark.parametrize(
    ("attributes", "changed"),
    [
        ({**PLACES, "val": ["a"]}, {}),
        ({**PLACES, "val": "Value"}, {"limits": [("row(c), column(c)", 1), ("val(c)", 9)]}),
        ({**PLACES, "val": "Value"}, {"size": [], "universe": Universe.ANY}),
        ({**PLACES, "val": "Value"}, {"facts": ["D[c] == D[c]"]}),
        ({**PLACES, "val": "Value"}, {"size": ["size(D) == R*C + 1"]}),
        ({**PLACES, "val": "Value"}, {"symbols": {"R": "1 <= R and R <= 3", "C": "C >= 1"}}),
        ({**PLACES, "val": "Value"}, {"symbols": {"R": "R >= 0", "C": "C >= 0"}}),
        (PLACES, {}),
    ],
)
def test_classes_without_such_databases(attributes, changed):
    """One value only, few of each value, groups that need not be full, no database, fewer rows."""
    assert set(attained(Domain(attributes, **{**SHAPE, **changed}), BOUNDED, FREE)) == {None}


def test_numbers_as_values():
    domain = Domain({**PLACES, "val": "int"}, **SHAPE)
    assert far(domain, BOUNDED, FREE) == ("R*C", "another val at each of R*C places")
    few = Domain({**PLACES, "val": "int"}, **{**SHAPE, "cell": f"{INSIDE} and val(c) == row(c)"})
    assert attained(few, BOUNDED, FREE) == [None]


def test_of_two_values_one_is_another():
    domain = Domain({**PLACES, "val": ["a", "b"]}, **SHAPE)
    assert far(domain, BOUNDED, FREE) == ("R*C", "another val at each of R*C places")


def test_of_two_attributes_one_has_another_value():
    domain = Domain({**PLACES, "val": ["a"], "note": "Note"}, **SHAPE)
    assert far(domain, BOUNDED, FREE) == ("R*C", "another note at each of R*C places")
