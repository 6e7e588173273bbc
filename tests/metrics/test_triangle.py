"""What distances say of each other: never more than is true, and what is known is kept."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcomp_sym.engine.verdict import Proved, Unknown
from dpcomp_sym.metrics.distance_relation import DistanceRelation, ProductFormula
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.metrics.triangle import completed
from dpcomp_sym.model import Domain, Edit, Granularity, library_granularity
from dpcomp_sym.profile import INFINITY, Symbolic
from dpcomp_sym.terms import INT
from dpcomp_sym.terms.term import variable

NAMES = "abcd"
ROOM = ProductFormula(variable("C", INT))


def known(of, to, far):
    return DistanceRelation(of, to, Proved(), far, far, far)


def open_between(of, to, least=0, most=None):
    return DistanceRelation(of, to, Unknown("not found"), None, least, most)


def of_three(ab, bc, ac):
    """Return what is known of the three distances afterwards; each given is (least, most)."""
    pairs = {("a", "b"): ab, ("b", "c"): bc, ("a", "c"): ac}
    given = [
        known(*pair, least) if least == most else open_between(*pair, least, most)
        for pair, (least, most) in pairs.items()
    ]
    found = completed(given)
    return [(found[pair].least, found[pair].most) for pair in pairs]


FAR = (INFINITY, INFINITY)


@pytest.mark.parametrize(
    ("ab", "bc", "ac", "expected"),
    [
        ((2, 2), (3, 3), (1, None), [(2, 2), (3, 3), (1, 6)]),
        ((2, 2), (3, 3), (6, None), [(2, 2), (3, 3), (6, 6)]),
        ((2, 2), (3, 3), (1, 5), [(2, 2), (3, 3), (1, 5)]),
        ((0, None), (2, 2), FAR, [FAR, (2, 2), FAR]),
        ((0, None), (1, Symbolic("m", 2)), FAR, [FAR, (1, Symbolic("m", 2)), FAR]),
        ((1, ROOM), (0, None), FAR, [(1, ROOM), FAR, FAR]),
        ((0, None), (2, 2), (5, 5), [(3, None), (2, 2), (5, 5)]),
        ((2, 2), (1, None), (5, 5), [(2, 2), (3, None), (5, 5)]),
        ((Symbolic("m"),) * 2, (2, 2), (1, None),
         [(Symbolic("m"),) * 2, (2, 2), (1, Symbolic("m", 2))]),
        ((ROOM, ROOM), (1, 1), (1, None), [(ROOM, ROOM), (1, 1), (1, ROOM)]),
        ((ROOM, ROOM), (2, 2), (1, None), [(ROOM, ROOM), (2, 2), (1, None)]),
        (FAR, (1, 1), (1, None), [FAR, (1, 1), (1, None)]),
        ((0, 0), (2, 2), (0, None), [(0, 0), (2, 2), (0, 0)]),
    ],
)  # fmt: skip
def test_each_of_three_distances_is_bounded_by_the_others(ab, bc, ac, expected):
    assert of_three(ab, bc, ac) == expected


def test_a_way_over_several_granularities():
    found = completed([known("a", "b", 2), known("b", "c", 2), known("c", "d", 2),
                       *(open_between(*p, 1) for p in ("ac", "bd", "ad"))])  # fmt: skip
    assert found["a", "d"].most == 8
    assert "at least 1, at most 8" in found["a", "d"].verdict.reason


def test_it_says_by_which_way():
    found = completed([known("a", "b", 2), known("b", "c", 2), open_between("a", "c", 4)])
    assert found["a", "c"].distance == 4
    assert "2 edits of b" in found["a", "c"].why


@st.composite
def partly_known(draw):
    """Distances between the edges of graphs with the same nodes, of which some are hidden."""
    nodes = range(draw(st.integers(2, 5)))
    graphs = {}
    for name in NAMES[: draw(st.integers(3, 4))]:
        pairs = st.lists(st.sampled_from([*itertools.combinations(nodes, 2)]), min_size=1)
        graphs[name] = nx.Graph(draw(pairs))
        graphs[name].add_nodes_from(nodes)
    far = {name: dict(nx.all_pairs_shortest_path_length(g)) for name, g in graphs.items()}
    exact, shown = {}, []
    for of, to in itertools.permutations(graphs, 2):
        distance = max(far[of][x].get(y, INFINITY) for x, y in graphs[to].edges)
        exact[of, to] = distance
        if draw(st.booleans()):
            shown.append(known(of, to, distance))
            continue
        finite = distance != INFINITY
        least = draw(st.integers(0, distance if finite else 3))
        most = distance if finite and draw(st.booleans()) else None
        shown.append(open_between(of, to, least, most))
    return exact, shown


@given(partly_known())
def test_no_distance_is_out_of_its_bounds(case):
    exact, shown = case
    for pair, found in completed(shown).items():
        assert found.least <= exact[pair]
        assert found.most is None or exact[pair] <= found.most
        assert not isinstance(found.verdict, Proved) or found.distance == exact[pair]


@given(partly_known())
def test_nothing_is_lost_and_nothing_more_follows_from_what_is_found(case):
    _, shown = case
    found = completed(shown)
    for before in shown:
        after = found[before.of, before.to]
        assert before.least <= after.least
        assert before.most is None or after.most <= before.most
        assert not isinstance(before.verdict, Proved) or after == before
    assert completed(found.values()) == found


OWNED = Domain(
    {"id": "Record", "owner": "User", "kind": ["a", "b"]}, limits=[("owner(c)", "m")],
    symbols={"m": "m >= 2"},
)  # fmt: skip
COMES = Granularity("users come, or a record of kind b", [
    Edit({"u": "User"}, frame="owner(c) == u", step="old == 0"),
    Edit({"x": "cell"}, guard="kind(x) == b", change={"x": 1}),
])  # fmt: skip


def test_of_granularities():
    """Two records go and come, each by way of all of its owner, which is four edits."""
    names = ("unbounded", "bounded")
    relations = Relations(OWNED, {"own": COMES, **{n: library_granularity(n) for n in names}})
    alone = relations.by_itself("own", "bounded")
    assert isinstance(alone.verdict, Unknown)
    assert alone.most is None
    assert relations.distance("own", "unbounded").distance == 2
    assert relations.distance("own", "bounded").most == 4
    assert relations.distance("bounded", "own").distance == INFINITY


def test_edits_of_which_one_names_a_record_and_another_has_all_of_a_user():
    """What limits leave to the second is found beside the first, which is one record."""
    domain = Domain(
        {"id": "Record", "owner": "User", "kind": ["a", "b"], "day": "int"},
        limits=[("owner(c), day(c)", "r")], symbols={"r": "r >= 2"},
        cell="1 <= day(c) and day(c) <= 3",
    )  # fmt: skip
    relations = Relations(domain, {"own": COMES, "unbounded": library_granularity("unbounded")})
    assert relations.distance("unbounded", "own").distance == Symbolic("r", 3)
