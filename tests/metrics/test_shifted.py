"""Lists that an insertion moves along: true infinities, and none where there is a bound."""

from __future__ import annotations

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics import shifted
from dpcomp_sym.metrics.library import closed_forms
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.metrics.shifted import moves_many
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity
from dpcomp_sym.profile import INFINITY

GAPLESS = "implies(D[c] >= 1, position(c) <= size(D))"
PLACES = {"cap": 1, "cell": "position(c) >= 1", "limits": [("position(c)", 1)]}
LISTS = Domain({"position": "int", "val": "Value"}, **PLACES)
OWNERS = {"owner": "Owner", "position": "int", "val": "Value"}
OF_OWNERS, EVERY_PLACE = (
    Domain(OWNERS, cap=1, cell="position(c) >= 1", limits=[("owner(c), position(c)", 1)],
           universe=universe)
    for universe in (Universe.ANY, Universe.PRODUCT)
)  # fmt: skip
INSERTION = library_granularity("insertion", position="position")
IN_ONE_LIST = Granularity("in one list", [Edit(
    {"x": "cell"}, frame="owner(c) == owner(x) and position(c) >= position(x)",
    step="new == ((1 if c == x else 0) if position(c) == position(x) "
    "else D[replace(c, position, position(c) - 1)])",
)])  # fmt: skip


def moved(domain, inner, outer=INSERTION):
    bound = outer.bind(domain)
    return moves_many(inner.bind(domain), bound, bound.edits[0], lambda: False)


@pytest.mark.parametrize("name", ["unbounded", "bounded", "unbounded_or_bounded", "attribute"])
@pytest.mark.parametrize(
    "domain", [LISTS, Domain({"position": "int", "val": "Value"}, facts=[GAPLESS], **PLACES)]
)
def test_an_insertion_changes_as_many_places_as_one_likes(domain, name):
    relations = Relations(domain, {"of": library_granularity(name), "to": INSERTION})
    found = relations.distance("of", "to")
    assert found.distance == INFINITY
    assert "position" in found.why or found.example is not None


def test_the_family_is_what_it_says():
    """Written out for small n: the insertion links the two, and they differ everywhere."""
    assert moved(LISTS, library_granularity("bounded")) == (
        "n records that differ in val, and the same ones with position 1 higher, for every n"
    )
    for n in range(1, 5):
        values = tuple(f"v{i}" for i in range(n + 1))
        cells = tuple((p, v) for p in range(1, n + 3) for v in values)
        world = World(LISTS, cells, {"Value": values})
        old = {(p, values[p]): 1 for p in range(1, n + 1)}
        new = {(1, values[0]): 1, **{(p + 1, v): 1 for p, v in old}}
        assert world.linking(INSERTION.bind(LISTS), old, new, cells) is not None
        assert len(set(old) ^ set(new)) == 2 * n + 1


def test_an_example_that_lies_elsewhere_proves_nothing():
    """The parameter is at another number than the first record, where E has one record more."""
    insertion = INSERTION.bind(LISTS)
    (edit,) = insertion.edits
    shape = shifted._Shape(0, 1, (1,), "x")
    for place, moves in ((1, True), (2, False)):
        example = ({"x": (1, "v")}, (place, "w"))
        bounded = library_granularity("bounded").bind(LISTS)
        assert shifted._Moved(bounded, edit, shape, example).grows(lambda: False) is moves
        assert not shifted._Moved(insertion, edit, shape, example).grows(lambda: False)


def test_sizes_that_differ_by_one_are_no_reason():
    """A list that is moved along has one record more: only of an empty list is n more enough."""
    insertion = INSERTION.bind(LISTS)
    assert moves_many(insertion, insertion, insertion.edits[0], lambda: True) is None
    lists = Domain({"position": "int", "val": "Value"}, facts=[GAPLESS], **PLACES)
    insertion, free = INSERTION.bind(lists), library_granularity("free_lunch").bind(lists)
    assert moves_many(insertion, free, free.edits[0], lambda: True) is not None
    assert moves_many(insertion, free, free.edits[0], lambda: False) is None


@pytest.mark.parametrize("domain", [OF_OWNERS, EVERY_PLACE])
def test_of_several_owners_all_move_along(domain):
    """An edit of the user's changes the records of one owner only."""
    user = library_granularity("user", owner="owner")
    assert moved(domain, user) is not None
    assert moved(domain, user, IN_ONE_LIST) is None
    assert moved(domain, library_granularity("unbounded"), IN_ONE_LIST) is not None


@pytest.mark.parametrize(
    "domain",
    [
        Domain({"position": "int", "val": "Value"}, cap=1, limits=[("position(c)", 1)],
               cell="1 <= position(c) and position(c) <= 9"),
        Domain({"position": "int", "val": "Value"}, cap=1, symbols={"N": "N >= 1"},
               cell="1 <= position(c) and position(c) <= N", limits=[("position(c)", 1)]),
        Domain({"position": "int", "val": "Value"}, cap=1, cell="position(c) >= 1",
               limits=[("position(c)", 1)], size="size(D) <= 4"),
        Domain({"position": "int"}, **PLACES),
        Domain({"position": "int", "val": "Value"}, cap=1, cell="position(c) >= 1",
               limits=[("position(c)", 1), ("position(c) // 100", 3)]),
        Domain({"position": "int", "val": "Value"},
               facts=["implies(D[c] >= 1, position(c) <= 3)"], **PLACES),
        Domain({"position": "int", "val": "Value", "kind": "Kind"},
               distinct=[("val(c)", "kind(c)", 2)], **PLACES),
    ],
    ids=["nine places", "N places", "four records", "nothing but places", "few in a hundred",
         "three by a fact", "two values"],
)  # fmt: skip
def test_where_something_bounds_the_records_there_is_no_family(domain):
    assert moved(domain, library_granularity("unbounded")) is None


def test_an_edit_that_moves_as_many_is_no_farther():
    assert moved(LISTS, INSERTION) is None
    assert moved(LISTS, library_granularity("free_lunch")) is None


def test_a_guard_that_reads_the_database_is_left_alone():
    exchange = Granularity("exchange", [Edit(
        {"x": "cell", "y": "cell"}, "D[x] == 1 and D[y] == 1 and position(y) == position(x) + 1",
        frame="position(c) == position(x) or position(c) == position(y)",
        step="new == D[replace(c, position, position(y) if position(c) == position(x) "
        "else position(x))]",
    )])  # fmt: skip
    assert moved(LISTS, library_granularity("unbounded"), exchange) is None


def test_values_of_which_there_are_few_are_not_taken_to_differ():
    """A list of one value only grows at its end, whatever is inserted."""
    one = Domain({"position": "int", "val": ["v"]}, **PLACES)
    assert moved(one, library_granularity("unbounded")) is None


def test_a_list_is_as_far_from_nothing_as_it_is_long():
    gapless = Domain({"position": "int", "val": "Value"}, facts=[GAPLESS], **PLACES)
    everything = library_granularity("free_lunch")
    assert "no records against n records" in moved(
        gapless, library_granularity("append", position="position"), everything
    )
    assert moved(gapless, INSERTION, everything) is None


@pytest.mark.parametrize(
    ("cell", "far"), [("true", True), ("1 <= day(c) and day(c) <= 30", False)]
)  # fmt: skip
def test_windows_cover_days_far_apart_one_by_one(cell, far):
    """Of 30 days five windows of 7 cover all; of days without end no number does."""
    days = Domain({"id": "Event", "day": "int"}, cell=cell, symbols={"w": "w >= 1"})
    w_event = library_granularity("w_event", time="day", length="w")
    relations = Relations(days, {"of": w_event, "to": library_granularity("free_lunch")})
    assert (relations.distance("of", "to").distance == INFINITY) == far


BALANCED = "sum(max(D[c] - E[c], 0)) if same() else inf"
CROSSED = Domain(
    {"tail": "Vertex", "head": "Vertex"}, cap=1, cell="tail(c) != head(c)",
    limits=[("tail(c)", 1), ("head(c)", 1)],
)  # fmt: skip
NESTED = Domain(
    {"id": "Record", "owner": "Owner", "city": "City"}, symbols={"r": "r >= 1"},
    limits=[("owner(c)", "r"), ("owner(c), city(c)", 1)],
)  # fmt: skip


def test_a_record_makes_room_in_the_finest_group():
    """Replacing one record at a time keeps limits of which each is finer than the one before."""
    names = ("bounded", "unbounded_or_bounded")
    relations = Relations(NESTED, {n: library_granularity(n) for n in names})
    forms = [str(relations.metrics[n].form.source) for n in names]
    assert forms == [
        "sum(max(D[c] - E[c], 0)) if same() else inf",
        "max(sum(max(D[c] - E[c], 0)), sum(max(E[c] - D[c], 0)))",
    ]


def test_limits_that_cross_leave_no_room():
    """Three edges in a circle turn round: no edge can be replaced before another one goes."""
    vertices = ("u", "v", "w")
    cells = tuple((a, b) for a in vertices for b in vertices if a != b)
    world = World(CROSSED, cells, {"Vertex": vertices})
    bounded = library_granularity("bounded").bind(CROSSED)
    circle = {("u", "v"): 1, ("v", "w"): 1, ("w", "u"): 1}
    turned = {(b, a): 1 for a, b in circle}
    graph = EditGraph(world, bounded, cells, 1)
    ends = [tuple(d.get(c, 0) for c in cells) for d in (circle, turned)]
    assert graph.distance(*ends) > 3
    metrics = Relations(CROSSED, {"bounded": library_granularity("bounded")}).metrics
    assert metrics["bounded"].form is None
    form = next(f for f in closed_forms(CROSSED) if str(f) == BALANCED)
    assert not Obligations(bounded, form.bind(CROSSED)).upper()


def test_facts_choose_the_cells_of_small_worlds():
    """An undirected graph stored both ways has edges there, and not only the empty graph."""
    graphs = Domain(
        {"a": "V", "b": "V"}, cap=1, cell="a(c) != b(c)",
        facts=["D[c] == D[(b(c), a(c))]"],
    )  # fmt: skip
    metrics = Relations(graphs, {"free": library_granularity("free_lunch")}).metrics
    worlds = metrics["free"].readings.worlds
    most = max(len(EditGraph(w, metrics["free"].granularity, w.cells, 1).states) for w in worlds)
    assert most >= 4
