"""Sets that no edit leaves: what they part has no path, and what has a path is not parted."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph
from dpcomp_sym.metrics import inductive
from dpcomp_sym.metrics.inductive import WorkSpent, parted
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity
from dpcomp_sym.profile import INFINITY

PLACES = {"cap": 1, "cell": "position(c) >= 1", "limits": [("position(c)", 1)]}
GAPS = Domain({"position": "int", "val": "Value"}, universe=Universe.PRODUCT, **PLACES)
EXCHANGE = Granularity("exchange", [Edit(
    {"x": "cell", "y": "cell"},
    guard="D[x] == 1 and D[y] == 1 and position(y) == position(x) + 1 and val(x) != val(y)",
    frame="position(c) == position(x) or position(c) == position(y)",
    step="new == D[replace(c, position, position(y) if position(c) == position(x) "
    "else position(x))]",
)])  # fmt: skip
APPEND = library_granularity("append", position="position")
DISTRICTS, FREE_DISTRICTS = (
    Domain({"person": "Person", "district": "District"}, universe=Universe.PRODUCT, cap=cap,
           functions={"household": (["Person"], "House")})
    for cap in (2, None)
)  # fmt: skip
MOVE = Granularity("move", [Edit(
    {"h": "House", "a": "District", "b": "District"}, guard="a != b",
    frame="household(person(c)) == h and (district(c) == a or district(c) == b)",
    step="new == (0 if district(c) == a else old + D[replace(c, district, a)])",
)])  # fmt: skip
PLAIN = Domain({"id": "Record", "day": "int"})
LATER = Granularity("later", [Edit(
    {"x": "cell", "y": "cell"}, guard="id(x) == id(y) and day(y) == day(x) + 1 and D[x] >= 1",
    change={"x": "-1", "y": "1"},
)])  # fmt: skip
TWO = Granularity("two more", [Edit({"x": "cell"}, change={"x": "2"})])
EMPTIES = Granularity("empties", [Edit({}, frame="true", step="new == 0")])
FIRST = Granularity("the first day", [Edit({"x": "cell"}, guard="day(x) == 1", change={"x": "1"})])


def world_of(domain):
    if domain is DISTRICTS:
        cells = tuple(itertools.product(("p", "q"), ("x", "y")))
        tables = {"household": {"p": "g", "q": "h"}}
        sorts = {"Person": ("p", "q"), "District": ("x", "y"), "House": ("g", "h")}
        return World(domain, cells, sorts, tables)
    if domain is PLAIN:
        return World(domain, (("a", 1), ("a", 2), ("b", 1)), {"Record": ("a", "b")})
    cells = tuple(itertools.product((1, 2, 3), ("u", "v")))
    return World(domain, cells, {"Value": ("u", "v")})


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "granularity", "apart"),
    [
        (GAPS, EXCHANGE, True), (GAPS, APPEND, True), (DISTRICTS, MOVE, True), (PLAIN, LATER, True),
        (PLAIN, FIRST, True), (PLAIN, EMPTIES, False), (PLAIN, TWO, False),
        (PLAIN, library_granularity("bounded"), True),
        (PLAIN, library_granularity("unbounded"), False),
        (GAPS, library_granularity("attribute"), True),
    ],
)  # fmt: skip
def test_what_has_a_path_is_never_parted(domain, granularity, apart):
    """Some pairs of databases of one world."""
    world, bound = world_of(domain), granularity.bind(domain)
    graph = EditGraph(world, bound, world.cells, 1 if domain.cap == 1 else 2)
    states = [s for s in graph.states if sum(s) <= 2]
    pairs = list(itertools.combinations(states, 2))
    found = 0
    for left, right in pairs[:: max(1, len(pairs) // 16)]:
        ends = graph.database(left), graph.database(right)
        if parted(world, bound, *ends) is not None:
            assert graph.distance(left, right) == UNREACHABLE, ends
            found += 1
    assert (found > 0) is apart


def test_the_words():
    world = world_of(GAPS)
    exchange, append = EXCHANGE.bind(GAPS), APPEND.bind(GAPS)
    assert parted(world, exchange, {}, {(1, "u"): 1}) == "no records"
    assert parted(world, exchange, {(1, "u"): 1}, {(1, "v"): 1}) == "some record with val = u"
    assert parted(world, append, {(2, "u"): 1}, {}).endswith(" and at most 1 record")
    assert parted(world, append, {(1, "u"): 1}, {}) is None


def test_values_of_symbols_matter():
    domain = Domain({"id": "Record", "day": "int"}, symbols={"w": "w >= 1"})
    shift = Granularity("shift", [Edit(
        {"x": "cell", "y": "cell"}, guard="id(x) == id(y) and day(y) == day(x) + w and day(x) == 1",
        change={"x": "-1", "y": "1"},
    )])  # fmt: skip
    cells = (("a", 1), ("a", 2), ("a", 3))
    for w, apart in ((1, True), (2, False)):
        world = World(domain, cells, {"Record": ("a",)}, {}, {}, {"w": w})
        found = parted(world, shift.bind(domain), {("a", 1): 1}, {("a", 3): 1})
        assert (found is not None) is apart


def test_too_much_work_is_no_answer(monkeypatch):
    world, bound = world_of(GAPS), EXCHANGE.bind(GAPS)
    spent = WorkSpent()
    monkeypatch.setattr(inductive, "IN_ALL", 1)
    assert parted(world, bound, {(1, "u"): 1}, {}, spent) is None
    assert spent.over
    monkeypatch.setattr(inductive, "IN_ALL", 10**9)
    monkeypatch.setattr(inductive, "EACH", 1)
    assert parted(world, bound, {(1, "u"): 1}, {}) is None


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "of", "to"),
    [
        (GAPS, EXCHANGE, "unbounded"), (GAPS, EXCHANGE, "bounded"), (GAPS, EXCHANGE, "attribute"),
        (GAPS, APPEND, "unbounded"), (GAPS, APPEND, "bounded"),
        (FREE_DISTRICTS, MOVE, "unbounded"), (FREE_DISTRICTS, MOVE, "bounded"),
    ],
)  # fmt: skip
def test_neighbours_between_which_no_edits_lead(domain, of, to):
    relations = Relations(domain, {"of": of, "to": library_granularity(to)})
    found = relations.distance("of", "to")
    assert found.distance == INFINITY
    assert found.why.startswith("edits lead from one of them to such databases alone: ")
    assert found.example is not None
