"""Classes whose records need each other: true infinities, and none where there is a bound."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.finite import World
from dpcomp_sym.metrics.boxes import fills_boxes
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, library_granularity
from dpcomp_sym.profile import INFINITY

ENDS = "implies(D[c] >= 1, D[(tail(c), tail(c))] >= 1 and D[(head(c), head(c))] >= 1)"
BOTH_WAYS = "D[c] == D[(head(c), tail(c))]"
GRAPH = {"tail": "int", "head": "int"}
GRAPHS = Domain(GRAPH, cap=1, cell="tail(c) <= head(c)", facts=[ENDS])
VERTICES = Domain({"tail": "Vertex", "head": "Vertex"}, cap=1, facts=[ENDS, BOTH_WAYS])
NODE = library_granularity("node", tail="tail", head="head")
UNBOUNDED = library_granularity("unbounded")
FREE = library_granularity("free_lunch")
EDGE = Granularity("edge", [Edit(
    {"x": "cell"}, frame="c == x or (tail(c) == head(x) and head(c) == tail(x))",
)])  # fmt: skip


def presence(sort):
    return Granularity("presence", [Edit(
        {"v": sort}, guard="D[(v, v)] == 0", frame="tail(c) == v or head(c) == v",
    )])  # fmt: skip


def grown(inner, outer, domain):
    bound = outer.bind(domain)
    return fills_boxes(inner.bind(domain), bound, bound.edits[0])


@pytest.mark.parametrize(
    ("domain", "of", "to"),
    [
        (GRAPHS, UNBOUNDED, presence("int")), (GRAPHS, UNBOUNDED, NODE), (GRAPHS, NODE, FREE),
        (GRAPHS, presence("int"), FREE), (GRAPHS, EDGE, NODE),
        (VERTICES, EDGE, NODE), (VERTICES, EDGE, presence("Vertex")), (VERTICES, NODE, FREE),
        (VERTICES, EDGE, FREE),
    ],
)  # fmt: skip
def test_vertices_have_as_many_edges_as_one_likes(domain, of, to):
    found = Relations(domain, {"of": of, "to": to}).distance("of", "to")
    assert found.distance == INFINITY
    assert found.why.startswith("all cells of n values, and none of those that the edit may change")


def test_the_family_is_what_it_says():
    """Written out: all graphs of n vertices, and without one of them."""
    node = presence("int").bind(GRAPHS)
    for n in range(1, 5):
        cells = tuple((a, b) for a, b in itertools.product(range(n), repeat=2) if a <= b)
        world = World(GRAPHS, cells, {})
        whole = dict.fromkeys(cells, 1)
        less = {c: 1 for c in cells if n - 1 not in c}
        assert all(world.contains(d, GRAPHS, cells) for d in (whole, less))
        assert world.linking(node, less, whole, cells) is not None
        assert len(set(whole) - set(less)) == n


@pytest.mark.parametrize(
    ("domain", "of", "to"),
    [
        (GRAPHS, NODE, presence("int")), (GRAPHS, FREE, NODE), (VERTICES, NODE, EDGE),
        (GRAPHS, UNBOUNDED, EDGE),
    ],
)  # fmt: skip
def test_what_one_edit_of_the_other_changes(domain, of, to):
    assert grown(of, to, domain) is None


FEW = "0 <= tail(c) and tail(c) <= 5 and 0 <= head(c) and head(c) <= 5"
ONE_WAY = "implies(D[c] >= 1 and tail(c) != head(c), D[(head(c), tail(c))] == 0)"


@pytest.mark.parametrize(
    "named",
    [
        {"facts": [ENDS], "cell": FEW}, {"facts": [ENDS, ONE_WAY]},
        {"facts": [ENDS], "limits": [("tail(c)", 4)]}, {"facts": [ENDS], "size": ["size(D) <= 9"]},
        {"facts": [ENDS, "implies(D[c] >= 1, head(c) <= size(D))"]}, {},
    ],
)  # fmt: skip
def test_classes_without_such_databases(named):
    """Few vertices, edges one way only, limits, sizes; and without facts other families do."""
    assert grown(UNBOUNDED, NODE, Domain(GRAPH, cap=1, **named)) is None


def test_a_guard_that_such_databases_break():
    """Only vertices without edges come: the one that comes then has no record but its own."""
    alone = Granularity("alone", [Edit(
        {"v": "int"}, guard="D[(v, v)] == 0", frame="tail(c) == v or head(c) == v",
        step="new == (1 if tail(c) == head(c) else 0)",
    )])  # fmt: skip
    assert grown(UNBOUNDED, alone, GRAPHS) is None
    there = Granularity("there", [Edit(
        {"v": "int"}, guard="D[(v, v)] == 1", frame="tail(c) == v or head(c) == v",
    )])  # fmt: skip
    assert grown(UNBOUNDED, there, GRAPHS) is None


def test_a_vertex_goes_and_comes_again_with_other_edges():
    relations = Relations(GRAPHS, {"of": presence("int"), "one": UNBOUNDED, "all": NODE})
    assert relations.distance("of", "one").distance == 2
    assert relations.distance("of", "all").distance == 2
