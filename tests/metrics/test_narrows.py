"""Lists that lose their first record only when they are short: true infinities, and none else."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.metrics import narrows
from dpcomp_sym.metrics.narrows import passes_few
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity
from dpcomp_sym.profile import INFINITY

PLACES = {"cap": 1, "cell": "position(c) >= 1", "limits": [("position(c)", 1)]}
GAPS = Domain({"position": "int", "val": "Value"}, universe=Universe.PRODUCT, **PLACES)
LISTS = Domain(
    {"position": "int", "val": "Value"}, universe=Universe.PRODUCT,
    facts=["implies(D[c] >= 1, position(c) <= size(D))"], **PLACES,
)  # fmt: skip
APPEND = library_granularity("append", position="position")
INSERTION = library_granularity("insertion", position="position")
REPLACED = ["bounded", "attribute", "ordered_bounded", "unbounded_or_bounded"]


def built_in(name):
    named = {"position": "position"} if name == "ordered_bounded" else {}
    return library_granularity(name, **named)


def grown(inner, outer, domain=LISTS, *, keeps_size=True):
    bound = outer.bind(domain)
    found = (passes_few(inner.bind(domain), bound, e, lambda: keeps_size) for e in bound.edits)
    return next((f for f in found if f is not None), None)


@pytest.mark.parametrize("outer", REPLACED)
@pytest.mark.parametrize("inner", [APPEND, library_granularity("unbounded")])
def test_a_list_is_taken_down_to_its_first_record(inner, outer):
    relations = Relations(LISTS, {"of": inner, "to": built_in(outer)})
    found = relations.distance("of", "to")
    assert found.distance == INFINITY
    assert found.why == (
        "n records with position 1, ..., n, and the same ones with another val at 1, for every n"
    )


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_way_is_as_long_as_is_said(size):
    """Written out: all but nothing goes, and comes again."""
    values = ("a", "b")
    cells = tuple(itertools.product(range(1, size + 1), values))
    world = World(LISTS, cells, {"Value": values})
    graph = EditGraph(world, APPEND.bind(LISTS), cells, 1)
    first = {(p, "a"): 1 for p in range(1, size + 1)}
    second = {**{c: n for c, n in first.items() if c[0] > 1}, (1, "b"): 1}
    ends = [tuple(d.get(c, 0) for c in cells) for d in (first, second)]
    assert graph.distance(*ends) == 2 * size


def test_what_replaces_records_in_place_passes_nothing():
    assert grown(built_in("bounded"), built_in("attribute")) is None
    assert grown(built_in("unbounded_or_bounded"), built_in("bounded")) is None
    assert grown(INSERTION, built_in("bounded")) is None  # it takes two insertions


def test_an_edit_that_leads_from_any_list_to_a_short_one_is_a_short_way():
    assert grown(APPEND, built_in("bounded"), keeps_size=False) is None
    anew = Granularity("anew", [Edit({}, guard="size(D) == 0", frame="true")])
    assert grown(anew, built_in("bounded")) is not None  # it passes by an empty list
    relations = Relations(LISTS, {"of": anew, "to": built_in("bounded")})
    assert relations.distance("of", "to").distance != INFINITY


def test_lists_with_gaps_need_not_be_short():
    assert grown(APPEND, built_in("bounded"), GAPS) is None
    assert grown(library_granularity("unbounded"), built_in("bounded"), GAPS) is None


def test_limits_that_long_lists_break():
    """At most three records of one value: a list of four alike is not of the class."""
    limited = Domain(
        {"position": "int", "val": "Value"}, universe=Universe.PRODUCT,
        facts=["implies(D[c] >= 1, position(c) <= size(D))"],
        **{**PLACES, "limits": [("position(c)", 1), ("val(c)", 3)]},
    )  # fmt: skip
    assert grown(APPEND, built_in("bounded"), limited) is None
    few = Domain(
        {"position": "int", "val": "Value"}, universe=Universe.PRODUCT, size=["size(D) <= 7"],
        facts=["implies(D[c] >= 1, position(c) <= size(D))"], **PLACES,
    )  # fmt: skip
    assert grown(APPEND, built_in("bounded"), few) is None


def test_a_neighbour_must_differ_in_its_first_record():
    """Records may be replaced from the second place on: there is no such pair."""
    later = Granularity("later", [Edit(
        {"x": "cell", "y": "cell"},
        guard="position(x) == position(y) and position(x) >= 2 and D[x] >= 1 and x != y",
        change={"x": "-1", "y": "1"},
    )])  # fmt: skip
    assert grown(APPEND, later) is None
    bound = later.bind(LISTS)
    (edit,) = bound.edits
    key = narrows.numbering(narrows._pair(bound, edit))
    first = narrows._Lists(bound, edit, key, "val")
    assert first._of_class()
    assert not first._linked()
