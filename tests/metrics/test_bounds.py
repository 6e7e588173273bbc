"""Bounds of metrics that are not sums: vertices that come and go, lists that move along."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from dpcomp_sym.engine.verdict import Checked, Proved, Refuted
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.capacities import most_between_neighbours, neighbours_beyond
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.relate import compared
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity

ROOT = Path(__file__).parents[2]
GRAPHS = Domain(
    {"tail": "int", "head": "int"}, cap=1, cell="tail(c) <= head(c)",
    facts=["implies(D[c] >= 1, D[(tail(c), tail(c))] >= 1 and D[(head(c), head(c))] >= 1)"],
)  # fmt: skip
LISTS = Domain(
    {"place": "int", "val": "Value"}, cap=1, cell="place(c) >= 1", limits=[("place(c)", 1)],
    universe=Universe.PRODUCT, facts=["implies(D[c] >= 1, place(c) <= size(D))"],
)  # fmt: skip
PRESENCE = Granularity(
    "presence", [Edit({"v": "int"}, "D[(v, v)] == 0", frame="tail(c) == v or head(c) == v")]
)
CHANGED = "sum(abs(D[c] - E[c]))"
COME_OR_GONE = "sum(abs(D[c] - E[c]) if tail(c) == head(c) else 0)"
BOTH = " and ".join(f"{d}[({e}(c), {e}(c))] == 1" for d in "DE" for e in ("tail", "head"))


@pytest.fixture(scope="module")
def presence():
    return Canonical(PRESENCE.bind(GRAPHS))


@pytest.fixture(scope="module")
def insertion():
    return Canonical(library_granularity("insertion", position="place").bind(LISTS))


@pytest.mark.long
def test_vertices_that_come_and_go_have_proved_bounds(presence):
    all_vertices = ClosedForm("sum(D[c] + E[c] if tail(c) == head(c) else 0)")
    assert isinstance(presence.decide(ClosedForm(COME_OR_GONE), "at least"), Proved)
    assert isinstance(presence.decide(all_vertices, "at most"), Proved)
    assert str(presence.lower.source) == COME_OR_GONE
    assert presence.upper is not None


@pytest.mark.parametrize(
    ("bound", "form", "records", "reason"),
    [
        # One edge between two vertices: one of them goes and comes back.
        ("at most", COME_OR_GONE, 5, "the form says 0, the distance is 2"),
        # Two vertices and the edge between them are three records.
        ("at least", CHANGED, 3, "the form says 3, the distance is 2"),
    ],
)
def test_wrong_bounds_of_a_graph_are_refuted_by_the_smallest_pair(
    presence, bound, form, records, reason
):
    verdict = presence.decide(ClosedForm(form), bound)
    assert isinstance(verdict, Refuted)
    found = verdict.counterexample
    assert sum(found.old.values()) + sum(found.new.values()) == records
    assert found.reason == reason


def test_the_distance_of_graphs_is_checked(presence):
    """Vertices of one graph alone, and twice those that meet all other differences."""
    form = f"{COME_OR_GONE} + 2*cover(tail(c), head(c), D[c] != E[c] and {BOTH})"
    verdict = presence.decide(ClosedForm(form))
    assert isinstance(verdict, Checked)
    assert isinstance(presence.decide(ClosedForm(form.replace("2*cover", "cover"))), Refuted)


@pytest.mark.long
def test_lists_have_proved_bounds(insertion):
    assert isinstance(insertion.decide(ClosedForm("abs(size(D) - size(E))"), "at least"), Proved)
    assert isinstance(insertion.decide(ClosedForm("size(D) + size(E)"), "at most"), Proved)


def test_wrong_bounds_of_a_list_are_refuted(insertion):
    verdict = insertion.decide(ClosedForm(CHANGED), "at least")
    assert isinstance(verdict, Refuted)
    assert verdict.counterexample.reason == "the form says 3, the distance is 1"
    assert isinstance(insertion.decide(ClosedForm("abs(size(D) - size(E))"), "at most"), Refuted)


@pytest.mark.in_turn
def test_the_distance_of_lists_is_checked(insertion):
    form = "size(D) + size(E) - 2*lcs(place(c), val(c))"
    assert isinstance(insertion.decide(ClosedForm(form)), Checked)
    assert isinstance(insertion.decide(ClosedForm(f"{form} + 1")), Refuted)


@pytest.mark.long
def test_a_list_grows_and_shrinks_at_its_end():
    appended = Canonical(library_granularity("append", position="place").bind(LISTS))
    assert isinstance(appended.decide(ClosedForm(CHANGED), "at least"), Proved)
    # Before the first of two lists can be changed, the second has to go: four edits, not two.
    assert not isinstance(appended.decide(ClosedForm(CHANGED), "at most"), Proved)


def test_where_places_can_be_missing_an_insertion_may_lose_records():
    """Without the full product a record may have no place to move to."""
    missing = Domain({"place": "int", "val": "Value"}, cap=1, limits=[("place(c)", 1)])
    bound = library_granularity("insertion", position="place").bind(missing)
    form = ClosedForm("abs(size(D) - size(E))").bind(missing)
    assert not Obligations(bound, form).lower()


@pytest.mark.parametrize("limits", [
    {"limits": [("owner(c)", "r")]},
    {"limits": [("owner(c), team(c)", "r")],
     "distinct": [("team(c)", "owner(c)", "m")]},
])  # fmt: skip
def test_all_records_of_owners_leave_one_by_one_at_most(limits, monkeypatch):
    """The owner of a record that differs goes first, whatever room there is: few steps prove it."""
    monkeypatch.setattr("dpcomp_sym.metrics.prove.RESOURCES", 60_000)
    domain = Domain({"id": "Record", "owner": "Owner", "team": "Team"},
                    symbols={"m": "m >= 1", "r": "r >= 1"}, **limits)  # fmt: skip
    presence = library_granularity("user_presence", owner="owner").bind(domain)
    assert Obligations(presence, ClosedForm("size(D) + size(E)").bind(domain)).upper()


def by_itself(check):
    """Run what is checked in a process in which the solver was asked nothing before.

    What it was asked leads it to other paths, on some of which it gives up.
    """
    code = f"from tests.metrics import test_bounds; test_bounds.{check.__name__}()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


LISTS_OF_OWNERS = Domain(
    {"owner": "Owner", "place": "int", "val": "Value"}, cap=1, cell="place(c) >= 1",
    limits=[("owner(c), place(c)", 1)], universe=Universe.PRODUCT,
)  # fmt: skip
LEAVE_AND_COME = ClosedForm(
    "values(owner(c), D[c] != E[c]) + values(owner(c), D[c] != E[c], D[c] >= 1, E[c] >= 1)"
)


def test_owners_with_limited_records_have_a_metric_that_needs_no_limit():
    by_itself(owners_with_limited_records)


def owners_with_limited_records():
    """All records of an owner leave or come: a database on the way holds what one of the ends does.

    With the limits said of all cells at hand the solver gave up both halves.
    """
    presence = library_granularity("user_presence", owner="owner").bind(LISTS_OF_OWNERS)
    assert Obligations(presence, LEAVE_AND_COME.bind(LISTS_OF_OWNERS)).exact()


def test_what_holds_by_the_limits_alone_is_not_proved_without_them():
    """One record of an owner at most: what is wrong of other classes is proved with the limit."""
    one = Domain({"id": "Record", "owner": "Owner"}, cap=1, limits=[("owner(c)", 1)])
    free = Domain({"id": "Record", "owner": "Owner"}, cap=1)
    proved = []
    for domain in (one, free):
        user = library_granularity("user_presence", owner="owner").bind(domain)
        between = partial(most_between_neighbours, user, user.edits[0])
        proved.append(between(ClosedForm(CHANGED).bind(domain), 1))
    assert proved == [True, False]


def test_less_is_spent_on_what_was_given_up_for_another_form(monkeypatch):
    monkeypatch.setattr("dpcomp_sym.metrics.prove.RESOURCES", 100)
    domain = Domain({"id": "Record"}, symbols={"m": "m >= 1"}, limits=[("id(c)", "m")])
    canonical = Canonical(library_granularity("bounded").bind(domain))
    first, second = map(canonical.proof, (ClosedForm(CHANGED), ClosedForm("size(D) + size(E)")))
    assert not first.upper()
    assert first.given_up is second.given_up
    assert first.given_up == {"descent": 1, "descent without limits": 1}
    allowed = [first._query(name)[0]._steps for name in ("descent", "steps")]
    assert not second.upper()
    assert first._query("descent")[0]._steps < allowed[0] < allowed[1]


def test_a_form_that_reads_other_cells_is_not_proved_by_the_touched_ones():
    """The sum changes by two where one record comes, though not at the cell of the record."""
    numbers = Domain({"index": "int"}, cap=1)
    behind = "D[replace(c, index, index(c) + 1)] - E[replace(c, index, index(c) + 1)]"
    form = ClosedForm(f"2*sum(abs({behind}))").bind(numbers)
    assert not Obligations(library_granularity("unbounded").bind(numbers), form).lower()


def test_a_bound_follows_from_a_better_one():
    records = Domain({"id": "Record"})
    unbounded = Canonical(library_granularity("unbounded").bind(records))
    half = ClosedForm("max(0, abs(size(D) - size(E)) - 3)")
    assert isinstance(unbounded.decide(half, "at least"), Proved)
    assert isinstance(unbounded.decide(ClosedForm(f"3*{CHANGED}"), "at most"), Proved)


def test_searched_counts():
    world = World(LISTS, (), {"Value": ("p", "q")})
    first, second = (
        dict.fromkeys(enumerate(word, 1), 1) for word in ("pqq", "qqp")
    )  # fmt: skip

    def said(text):
        return ClosedForm(text).bind(LISTS).distance(world, first, second)

    assert said("lcs(place(c), val(c))") == 2
    assert said("cover(place(c), val(c), D[c] != E[c])") == 2
    assert said("cover(place(c), D[c] != E[c])") == 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("cover(D[c] != E[c])", "takes keys, then one formula"),
        ("cover(place(c), D[c])", "takes keys"),
        ("lcs(val(c))", "takes a number of c"),
        ("lcs(place(c), D[c])", "takes a number of c"),
    ],
)
def test_searched_counts_take_keys(value, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        ClosedForm(value).bind(LISTS)


def test_claims_of_bounds_are_told():
    given = {"unbounded": library_granularity("unbounded")}
    claims = [("unbounded", "at least", "abs(size(D) - size(E))", "true"),
              ("unbounded", "at most", "abs(size(D) - size(E))", "true")]  # fmt: skip
    document = compared("records", Domain({"id": "Record"}), given, claims).as_json()
    assert [(c["bound"], c["verdict"]) for c in document["claims"]] == [
        ("at least", "proved"), ("at most", "refuted"),
    ]  # fmt: skip
    assert document["verdict"] == "refuted"


def test_neighbours_beyond_a_number_keep_the_limits():
    """A model that breaks the limits is none of the class: the question is asked with them."""
    domain = Domain(
        {"id": "Record", "owner": "Owner"}, cap=1, limits=[("owner(c)", 2)]
    )  # fmt: skip
    presence = library_granularity("user_presence", owner="owner").bind(domain)
    form, edit = ClosedForm(CHANGED).bind(domain), presence.edits[0]
    found = next(neighbours_beyond(presence, edit, form, 1))
    assert form.distance(found.world, found.old, found.new) == 2
    assert all(found.world.contains(d, domain, found.world.cells) for d in (found.old, found.new))
    assert not list(neighbours_beyond(presence, edit, form, 2))


def test_neighbours_that_are_far_are_found_by_the_form_of_the_metric():
    by_itself(neighbours_that_are_far)


def neighbours_that_are_far():
    """Records of two owners who both keep some: no small world has both of them.

    Whether the solver proves that none are farther depends on its chance.
    """
    domain = Domain({"id": "Record", "owner": "Owner"}, cap=1, limits=[("owner(c)", "r")],
                    symbols={"r": "r >= 1"})  # fmt: skip
    presence = library_granularity("user_presence", owner="owner")
    bounded = library_granularity("bounded")
    form, outer = LEAVE_AND_COME.bind(domain), bounded.bind(domain)
    found = next(neighbours_beyond(outer, outer.edits[0], form, 3))
    assert form.distance(found.world, found.old, found.new) == 4
    assert most_between_neighbours(outer, outer.edits[0], form, 4)
    far = Relations(domain, {"presence": presence, "bounded": bounded}).distance(
        "presence", "bounded"
    )
    assert far.least == 4
    assert far.distance in (4, None)
    assert far.example.reason == "neighbours in bounded, at distance 4 in presence"
