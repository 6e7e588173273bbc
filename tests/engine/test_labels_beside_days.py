"""Labels beside days, and records that may lie in some blocks only: what is tight is found to be.

Partitions say nothing of days, and days nothing of labels; one record may be in any block of both.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together import Structured, together
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.replay import read
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.statements import terms as s

pytestmark = pytest.mark.in_turn

OWN = library_granularity("unbounded")
USER = library_granularity("user", owner="user")
LEAVES = library_granularity("user_presence", owner="user")
RECORDS = {"id": "Record", "user": "User", "t": "int", "x": "Item"}


def days(member="t(c) == i", name="days", **more):
    return Map(name, member, {"i": "k"}, **more)


def bound(maps, changed, *, own=None, notion="pure", **domain):
    """Return the bound for one mechanism on each map, as text, and whether it is tight."""
    domain = {"attributes": RECORDS} | domain
    parts = [
        Part(f"p{n}", m if isinstance(m, str) else m.name, own, {"pure": (f"e{n}",)})
        for n, m in enumerate(maps)
    ]
    problem = Problem(Domain(**domain), changed, list(maps), parts)
    found = derive(problem)
    made = read(as_text(certificate(found.theorems, found)).encode())
    assert verify(made, SecondSolver()).verdict == "proved"
    return found.bounds[notion].text, found.bounds[notion].tight


def moved(guard):
    full = f"D[a] >= 1 and differ_only(a, b, t) and ({guard})"
    return Granularity("moved", [Edit({"a": "cell", "b": "cell"}, full, {"a": "-1", "b": "1"})])


# ------------------------------------------------------------------------------ labels beside days


def test_a_partition_of_users_beside_days():
    by_user = library_map("partition", name="groups", by="user(c)")
    assert bound([by_user, days()], USER) == ("max(e0[i]) + sum(e1[i])", "yes")
    three = [by_user, days(), days("t(c) <= i", "so_far")]
    assert bound(three, USER) == ("max(e0[i]) + sum(e1[i]) + sum(e2[i])", "yes")


def test_partitions_beside_prefixes_and_days():
    grid = Map("grid", "t(c) == i and h(x(c)) == j", {"i": "k", "j": "n"}, {"h": (["Item"], "int")})
    maps = [days("t(c) <= i"), grid, library_map("partition", name="items", by="x(c)")]
    text, tight = bound(maps, OWN, cell="0 <= t(c) and t(c) <= 11")
    assert tight == "yes"
    assert text == (
        "max over t, u, v with 0 <= t <= 11 of (sum(e0[i] for t <= i) + "
        "sum(e1[i,j] for i == t and j == u) + sum(e2[i] for i == v))"
    )


def test_labels_of_different_maps_are_added_up():
    maps = [days(), *(library_map("partition", name=n, by="x(c)") for n in ("a", "b"))]
    assert bound(maps, OWN) == ("max(e0[i]) + max(e1[i]) + max(e2[i])", "yes")


def test_labels_that_must_be_some_number():
    # Both records of a pair have labels from 1 to k, and lie in one block of windows of three.
    windows = days("3*i - 3 <= t(c) and t(c) < 3*i", "windows")
    maps = [windows, library_map("partition", name="items", by="c")]
    text, tight = bound(maps, library_granularity("bounded"), own=OWN)
    assert tight == "yes"
    assert text == (
        "max over t, u with 0 < u <= k of (sum(2*e0[i] for t < 3*i <= t + 3) + "
        "sum(2*e1[i] for i == u))"
    )


def test_values_of_one_function_only():
    from dpcomp_sym.engine.together.placing import of_one_value
    from dpcomp_sym.terms import Scope, parse

    scope = Scope(
        variables={"c": "cell", "k": "int"}, attributes={"t": "int"},
        functions={"h": (("cell",), "int"), "g": (("cell",), "int")},
    )  # fmt: skip
    said = {"h(c) <= k": True, "h(c) <= g(c)": False, "h(c) <= t(c)": False, "t(c) <= k": False}
    assert {text: of_one_value(parse(text, scope)) for text in said} == said


# -------------------------------------------------------------------- records in one block, or two


@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("t(c) == i", "2*max(e0[i])"),
        ("2*i - 2 <= t(c) and t(c) < 2*i", "2*max(e0[i])"),
        ("t(c)//2 == i", "2*max(e0[i])"),
    ],
)
@pytest.mark.parametrize("guard", ["true", "a != b"])
def test_two_records_more_in_any_blocks(member, text, guard):
    two = Granularity("two", [Edit({"a": "cell", "b": "cell"}, guard, {"a": "1", "b": "1"})])
    assert bound([days(member)], two, own=OWN) == (text, "yes")


def test_two_records_more_where_the_first_window_is_cut_off():
    two = Granularity("two", [Edit({"a": "cell", "b": "cell"}, "a != b", {"a": "1", "b": "1"})])
    windows = days("2*i - 2 <= t(c) and t(c) < 2*i")
    text, tight = bound([windows], two, own=OWN, cell="3 <= t(c)")
    assert (text, tight) == ("max over t with 2 < t of sum(2*e0[i] for t < 2*i <= t + 2)", "yes")


@pytest.mark.parametrize("attributes", [RECORDS, RECORDS | {"y": "Place", "z": "Shop"}])
def test_one_attribute_of_a_record(attributes):
    # The day stays, or another attribute does: in one block both records are seen, in two one each.
    more = {"attributes": attributes, "cell": "1 <= t(c) and t(c) <= T", "symbols": {"T": "T >= 1"}}
    changed = library_granularity("attribute")
    text = "max over t with 0 < t <= T of sum(2*e0[i] for i == t)"
    assert bound([days()], changed, own=OWN, **more) == (text, "yes")


@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("a(c) == i and b(c) <= j", "max over t, u of sum(2*e0[i,j] for i == t and u <= j)"),
        ("a(c) <= i and j <= b(c)", "2*sum(e0[i,j])"),
    ],
)
def test_one_attribute_of_a_record_in_blocks_of_two_indices(member, text):
    """Both records lie in the same blocks if something else of them differs: that is the worst."""
    two = Map("m", member, {"i": "k", "j": "h"})
    plain = {"attributes": {"id": "Record", "a": "int", "b": "int"}}
    changed = library_granularity("attribute")
    assert bound([two], changed, own=OWN, **plain) == (text, "yes")
    # Without anything else a place differs: one that no block tells from another, or less is true.
    told, tight = bound([two], changed, own=OWN, attributes={"a": "int", "b": "int"})
    assert tight == "yes"
    assert (told == text) == ("<= i" in member)


def test_the_label_of_a_record_with_many_attributes():
    attributes = RECORDS | {"y": "Place", "z": "Shop"}
    more = {"attributes": attributes, "cell": "0 <= t(c) and t(c) <= 11"}
    changed = library_granularity("label", label="x")
    found = bound([days("t(c)//10 == i")], changed, **more)
    assert found == ("max over t with 0 <= t <= 11 of sum(e0[i] for 10*i <= t)", "yes")


def test_records_that_stay_on_their_day_are_no_neighbours():
    # The guard allows that nothing changes, which makes no neighbours: a record moves, if any does.
    text, tight = bound([days("t(c)//7 == i")], moved("abs(t(a) - t(b)) <= 2"), own=OWN)
    assert tight == "yes"
    assert "t != u" in text


def test_moves_beside_labels_of_records():
    # A label may change or not, wherever the record moves: its day does.
    maps = [library_map("partial_partition", name="labels", by="c"), days()]
    text, tight = bound(maps, moved("abs(t(a) - t(b)) <= 2"), own=OWN)
    assert tight == "yes"
    assert "!=" in text.partition(" of ")[0]


def test_moves_near_both_ends():
    # From the first day a record can only move on, and from the last one only back.
    text, tight = bound(
        [days()], moved("abs(t(a) - t(b)) <= 2"), own=OWN, cell="0 <= t(c) and t(c) <= 11"
    )  # fmt: skip
    assert tight == "yes"
    assert text.endswith("of sum(e0[i] for i == t or i == u)")
    assert "t <= u" in text


# --------------------------------------------------------------------------------- several records


def test_records_of_a_user_in_some_blocks_only():
    more = {"limits": [("user(c)", 3)], "cell": "0 <= t(c) and t(c) <= 11"}
    text = "max over t with 0 <= t <= 11 of sum(3*e0[i] for t - 1 <= 2*i <= t)"
    assert bound([days("t(c)//2 == i")], LEAVES, own=OWN, **more) == (text, "yes")


@pytest.mark.parametrize("member", ["t(c) == i", "2*i <= t(c) and t(c) < 2*i + 2", "t(c)//7 == i"])
@pytest.mark.parametrize("counted", [False, True])
def test_records_of_a_user_in_any_blocks(member, counted):
    blocks = days(member, image={} if counted else None)
    more = {"limits": [("user(c)", "m")], "symbols": {"m": "m >= 1"}}
    assert bound([blocks], LEAVES, own=OWN, **more) == ("m*max(e0[i])", "yes")


def test_counts_of_records_that_are_replaced_are_not_called_tight():
    # m records come for m that go: a block sees no change if all of them lie there.
    more = {"limits": [("user(c)", "m")], "symbols": {"m": "m >= 1"}}
    _, tight = bound([days(image={})], USER, own=OWN, **more)
    assert tight != "yes"


def test_cumulative_counts_with_a_limit():
    more = {"limits": [("user(c)", "m")], "symbols": {"m": "m >= 1"}, "cell": "1 <= t(c)"}
    so_far = days("t(c) <= i", image={})
    for changed in (LEAVES, USER):  # all m records on the first day, or none
        assert bound([so_far], changed, own=OWN, **more) == ("m*sum(e0[i])", "yes")


def test_windows_of_which_each_holds_as_many_days():
    more = {"limits": [("user(c), t(c)", 1)], "cell": "0 <= t(c)"}
    windows = days("2*i - 2 <= t(c) and t(c) < 2*i")
    assert bound([windows], USER, own=OWN, **more) == ("4*sum(e0[i])", "yes")


def test_windows_of_which_the_first_holds_fewer_days():
    more = {"limits": [("user(c), t(c)", 1)], "cell": "1 <= t(c)"}
    windows = days("2*i - 2 <= t(c) and t(c) < 2*i")
    text, tight = bound([windows], USER, own=OWN, **more)
    assert tight == "yes"
    assert text.startswith("sum(max(0, 2*(")


def test_a_filter_sees_one_distance_beside_blocks_that_share_many():
    some = Map("some", "chosen(c)", {}, {"chosen": (["cell"], "bool")})
    more = {"limits": [("user(c)", "m")], "symbols": {"m": "m >= 1"}}
    maps = [library_map("partition", name="items", by="x(c)"), some]
    text, _ = bound(maps, LEAVES, **more)
    assert text == "e1 + sum of the m largest e0[i]"


# --------------------------------------------------------------------------------- numbers below 1


def test_what_is_known_from_one_on_is_said_besides():
    domain = Domain(RECORDS, limits=[("user(c)", "m")], symbols={"m": "m >= 0"})
    part = Part("p0", "days", OWN, {"pure": ("e0",)})
    one = derive(Problem(domain, LEAVES, [days()], [part])).bounds["pure"]
    assert one.tight != "yes"
    assert [(str(n), b.text, b.tight) for n, b in one.elsewhere] == [
        ("m >= 1", "m*max(e0[i])", "yes")
    ]


# --------------------------------------------------------------------------------- without a bound


def test_no_finite_bound_beside_a_partition():
    maps = [library_map("partition", name="groups", by="user(c)"), library_map("identity")]
    domain = Domain({"user": "User", "x": "Item"})
    parts = [
        Part("p0", "groups", None, {"pure": ("e0",)}),
        Part("p1", "identity", OWN, {"pure": ("e1",)}),
    ]
    one = derive(Problem(domain, LEAVES, maps, parts)).bounds["pure"]
    assert one.infinite
    assert one.tight == "yes"


# ------------------------------------------------------------------------------------ certificates


def test_letters_may_be_said_to_differ_only_if_something_changes():
    changed = moved("abs(t(a) - t(b)) <= 2")
    domain = Domain(RECORDS)
    problem = Problem(domain, changed, [days()], [Part("p0", "days", OWN, {"pure": ("e0",)})])
    structure = Structure(problem)
    (edit,) = structure.edits
    types = {"days": {frozenset({0}): (1,), frozenset({1}): (1,)}}
    found = together(structure, edit, list(problem.used_maps.values()), (), types)
    assert isinstance(found, Structured)
    assert found.attained
    assert s.Compared("ne", s.Letter(1), s.Letter(2)) in getattr(found.facts, "items", ())
