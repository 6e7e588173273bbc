"""Neighbour graphs: which databases there are, and which of them are linked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

import dpcomp_sym as dp

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RECORDS = dp.Domain(id="Record")


def apart(one, other):
    """How many records come or go."""
    a, b = Counter(one), Counter(other)
    return ((a - b) + (b - a)).total()


def test_paths_are_distances():
    graph = dp.neighbour_graph("unbounded", RECORDS, {"Record": 3}, most=2)
    assert len(graph) == 27
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    assert all(lengths[a][b] == apart(a, b) for a in graph for b in graph)


def test_changed_records_link_databases_of_one_size():
    graph = dp.neighbour_graph("bounded", RECORDS, {"Record": ["a", "b", "c"]})
    sizes = sorted({len(node) for node in part} for part in nx.connected_components(graph))
    assert sizes == [{0}, {1}, {2}, {3}]
    assert graph.has_edge(("a",), ("b",))
    assert all(apart(a, b) == 2 for a, b in graph.edges)


def test_all_records_of_a_user():
    pairs = dp.Domain(person="User", day=["mon", "tue"])
    graph = dp.neighbour_graph("user(person)", pairs, {"User": 2})
    assert len(graph) == 16
    for a, b in graph.edges:
        assert len({person for person, _ in set(a) ^ set(b)}) == 1
    assert sum(1 for _ in graph.edges) == 48  # each user's 4 states against the others, 4 x 2 x 6


def test_a_listed_class_without_values():
    spec = dp.load_spec(EXAMPLES / "listed-second-granularity.toml")
    graph = dp.neighbour_graph(spec.problem.granularity, spec.problem.domain)
    assert {frozenset(edge) for edge in graph.edges} == {frozenset({("p",), ("r",)})}
    assert set(graph) == {("p",), ("q",), ("r",)}


def test_one_direction():
    later = dp.load_spec(EXAMPLES / "one-sided.toml").problem
    for one, directed in (("unbounded", False), (later.granularity, True)):
        values = dict.fromkeys(later.domain.sorts(), 2)
        assert dp.neighbour_graph(one, later.domain, values).is_directed() == directed


def test_integers_are_named_by_their_attribute():
    stream = dp.Domain(time="int", id="Record")
    graph = dp.neighbour_graph("unbounded", stream, {"time": range(3), "Record": 1})
    assert ((0, "record1"), (2, "record1")) in graph
    assert len(graph) == 8


@pytest.mark.parametrize(
    ("over", "values", "said"),
    [
        (RECORDS, None, "'Record' has no values: give it some, such as {'Record': 3}"),
        (dp.Domain(time="int"), {}, "'time' has no values: give it some, such as {'time'"),
        (RECORDS, {"Record": 3, "Recrod": 2}, "'Recrod' is not a sort of the domain"),
        (RECORDS, {"Record": 40}, "40 different records make more than 2000 databases"),
        (RECORDS, {"Record": ["a", "a"]}, "'Record' needs different names"),
        (RECORDS, {"Record": [1, 2]}, "'Record' needs different names"),
        (RECORDS, {"Record": 0}, "'Record' needs different names"),
        (dp.Domain({"id": "R"}, symbols={"w": "w >= 1"}), {"R": 2}, "a domain with symbols"),
        (dp.Domain({"id": "R"}, {"f": (["R"], "int")}), {"R": 2}, "a domain with functions"),
    ],
)
def test_what_has_no_graph(over, values, said):
    with pytest.raises(dp.InputError) as caught:
        dp.neighbour_graph("unbounded", over, values)
    assert said in str(caught.value)
