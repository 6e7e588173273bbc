"""Canonical metrics in closed form: found, proved, refuted with the smallest pair, bounded."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.verdict import Checked, Proved, Refuted, Unknown
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.metrics.readings import Readings
from dpcomp_sym.metrics.small_worlds import small_worlds
from dpcomp_sym.model import Domain, Edit, Granularity, Universe, library_granularity
from dpcomp_sym.profile import INFINITY

RECORDS = Domain({"id": "Record"})
SETS = Domain({"id": "Record"}, cap=1)
EXACTLY = Domain({"id": "Record"}, size=["size(D) == N"], symbols={"N": "N >= 1"})
AT_MOST = Domain({"id": "Record"}, size=["size(D) <= N"], symbols={"N": "N >= 1"})
OWNED = Domain({"id": "Record", "owner": "Owner"}, {"home": (["Owner"], "Home")})
LIMITED = Domain(
    {"id": "Record", "owner": "Owner"}, limits=[("owner(c)", "r")], symbols={"r": "r >= 1"}
)
ORDERED = Domain({"index": "int", "value": "V"}, cap=1, limits=[("index(c)", 1)])
LISTS = Domain(
    {"position": "int", "value": "V"}, cap=1, limits=[("position(c)", 1)],
    cell="position(c) >= 1", facts=["implies(D[c] >= 1, position(c) <= size(D))"],
    universe=Universe.PRODUCT,
)  # fmt: skip
FINITE = Domain({"id": ["p", "q"]}, cap=1, universe=Universe.PRODUCT)
GRAPHS = Domain({"a": "int", "b": "int"}, cap=1, cell="a(c) < b(c)")

CHANGED = "sum(abs(D[c] - E[c]))"
GONE = "sum(max(D[c] - E[c], 0))"
COME = "sum(max(E[c] - D[c], 0))"
NEVER = ClosedForm("0", "values(D[c] != E[c]) == 0")


def canonical(domain, name, **arguments):
    return Canonical(library_granularity(name, **arguments).bind(domain))


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("domain", "name", "arguments", "form"),
    [
        (RECORDS, "unbounded", {}, ClosedForm(CHANGED)),
        (SETS, "unbounded", {}, ClosedForm(CHANGED)),
        (AT_MOST, "unbounded", {}, ClosedForm(CHANGED)),
        (LIMITED, "unbounded", {}, ClosedForm(CHANGED)),
        (GRAPHS, "edge", {}, ClosedForm(CHANGED)),
        (RECORDS, "bounded", {}, ClosedForm(GONE, "same()")),
        (SETS, "bounded", {}, ClosedForm(GONE, "same()")),
        (EXACTLY, "bounded", {}, ClosedForm(GONE, "same()")),
        (RECORDS, "unbounded_or_bounded", {}, ClosedForm(f"max({GONE}, {COME})")),
        (ORDERED, "ordered_bounded", {"position": "index"}, ClosedForm(GONE, "same(index(c))")),
        (OWNED, "label", {"label": "owner"}, ClosedForm(GONE, "same(id(c))")),
        (RECORDS, "free_lunch", {}, ClosedForm("values(D[c] != E[c])")),
        (LISTS, "free_lunch", {}, ClosedForm("values(D[c] != E[c])")),
        (OWNED, "user", {"owner": "owner"}, ClosedForm("values(owner(c), D[c] != E[c])")),
        (
            OWNED, "user", {"owner": "home(owner(c))"},
            ClosedForm("values(home(owner(c)), D[c] != E[c])"),
        ),
        # Only additions and removals, but every database has N records: nobody has neighbours.
        (EXACTLY, "unbounded", {}, NEVER),
    ],
)  # fmt: skip
def test_the_closed_form_is_found_and_proved(domain, name, arguments, form):
    metric = canonical(domain, name, **arguments)
    assert metric.form is not None
    assert metric.form.source == form
    assert isinstance(metric.verdict, Proved)
    assert len(metric.verdict.scripts) >= 4


def test_where_an_owner_has_no_room_one_of_the_owners_own_is_replaced():
    bounded = library_granularity("bounded").bind(LIMITED)
    form = ClosedForm(GONE, "same()").bind(LIMITED)
    # Whether the solver gives up depends a little on its past.
    assert any(Obligations(bounded, form).exact() for _ in range(4))


def test_a_granularity_of_ones_own():
    """Records move between the owners of one home; others stay where they are."""
    moves = Granularity(
        "moves",
        [
            Edit(
                {"x": "cell", "y": "cell"},
                "D[x] >= 1 and x != y and home(owner(x)) == home(owner(y))",
                {"x": "-1", "y": "1"},
            )
        ],
    )
    metric = Canonical(moves.bind(OWNED))
    assert str(metric.form.source) == f"{GONE} if same(home(owner(c))) else inf"


@pytest.mark.parametrize(
    ("domain", "name", "form", "records", "reason"),
    [
        (RECORDS, "bounded", ClosedForm(CHANGED), 1, "the form says 1, the distance is infinite"),
        (RECORDS, "bounded", ClosedForm(GONE), 1, "the form says 0, the distance is infinite"),
        (RECORDS, "unbounded", ClosedForm(GONE), 1, "the form says 0, the distance is 1"),
        (RECORDS, "unbounded", ClosedForm(f"2*{CHANGED}"), 1, "the form says 2, the distance is 1"),
        (RECORDS, "unbounded", ClosedForm("values(D[c] != E[c])"), 2, "says 1, the distance is 2"),
        (RECORDS, "free_lunch", ClosedForm(CHANGED), 2, "says 2, the distance is 1"),
        # The metric of a subclass is not the restriction of the metric.
        (EXACTLY, "unbounded", ClosedForm(CHANGED), 2, "says 2, the distance is infinite"),
    ],
)
def test_a_wrong_form_is_refuted_by_the_smallest_pair(domain, name, form, records, reason):
    verdict = canonical(domain, name).decide(form)
    assert isinstance(verdict, Refuted)
    found = verdict.counterexample
    assert sum(found.old.values()) + sum(found.new.values()) == records
    assert reason in found.reason


def test_a_claim_is_proved_in_other_words():
    metric = canonical(RECORDS, "unbounded")
    assert isinstance(metric.decide(ClosedForm(f"{GONE} + {COME}")), Proved)


def test_metrics_that_are_no_sum_have_proved_bounds():
    node = canonical(GRAPHS, "node", tail="a", head="b")
    assert node.form is None
    assert isinstance(node.verdict, Unknown)
    assert str(node.lower.source) == "values(D[c] != E[c])"
    assert str(node.upper.source) == "values(a(c), D[c] != E[c])"


@pytest.mark.in_turn
def test_a_form_that_is_only_checked_says_how_far(monkeypatch):
    monkeypatch.setattr("dpcomp_sym.metrics.totals.MOST_ROUNDS", 0)
    verdict = canonical(RECORDS, "unbounded").decide(ClosedForm(CHANGED))
    assert isinstance(verdict, Checked)
    assert "small worlds" in verdict.scope


@pytest.mark.parametrize(
    ("domain", "name", "value", "bound"),
    [
        (SETS, "free_lunch", "1", "exact"),
        (FINITE, "free_lunch", "1", "exact"),
        (FINITE, "unbounded", "max(1, sum(abs(D[c] - E[c])))", "at least"),
    ],
)
def test_a_database_is_at_distance_0_from_itself(domain, name, value, bound):
    """All pairs of different databases agree with the claim."""
    verdict = canonical(domain, name).decide(ClosedForm(value), bound)
    assert isinstance(verdict, Refuted)
    assert verdict.counterexample.old == verdict.counterexample.new
    assert verdict.counterexample.reason == "the form says 1, the distance is 0"


def test_what_fits_the_pairs_that_it_was_chosen_by_is_not_reported():
    """Undirected edges stored twice: the empty graph and a triangle are at distance 3.

    A form of the library that says 2 agrees with all pairs of very small worlds.
    """
    facts = ["D[c] == D[replace(replace(c, a, b(c)), b, a(c))]"]
    graphs = Domain({"a": "V", "b": "V"}, cap=1, cell="a(c) != b(c)", facts=facts)
    reverse = "y == replace(replace(x, a, b(x)), b, a(x))"
    edge = Edit({"x": "cell", "y": "cell"}, reverse, {"x": 1, "y": 1})
    smallest = Readings(graphs)
    smallest.worlds = tuple(small_worlds(graphs, cells=2))
    metric = Canonical(Granularity("edge", [edge]).bind(graphs), smallest)
    assert metric.form is None
    assert metric.candidates
    assert isinstance(metric.verdict, Unknown)
    three = ("u", "v", "w")
    cells = tuple((x, y) for x in three for y in three if x != y)
    world = World(graphs, cells, {"V": three})
    triangle = dict.fromkeys(cells, 1)
    length = len(world.path(metric.granularity, {}, triangle, 4))
    assert length == 3
    said = [form.bind(graphs).distance(world, {}, triangle) for form in metric.candidates]
    assert set(said) - {length}
    for bound, least in ((metric.lower, True), (metric.upper, False)):
        if bound is not None:
            number = bound.distance(world, {}, triangle)
            assert number <= length if least else number >= length


def test_edits_that_lead_one_way_have_no_metric():
    one_way = Granularity("arrivals", [Edit({"x": "cell"}, change={"x": "1"})], directed=True)
    metric = Canonical(one_way.bind(RECORDS))
    assert metric.form is None
    assert isinstance(metric.decide(ClosedForm(CHANGED)), Unknown)


def test_halves_of_a_proof():
    """An upper bound needs edits that lead nearer, a lower one edits that do not jump."""
    unbounded = library_granularity("unbounded").bind(RECORDS)
    both = {"exact": (True, True), "half": (True, False), "double": (False, True)}
    forms = {"exact": CHANGED, "half": "min(1, " + CHANGED + ")", "double": "2*" + CHANGED}
    for name, text in forms.items():
        proof = Obligations(unbounded, ClosedForm(text).bind(RECORDS))
        assert (proof.lower(), proof.upper()) == both[name]


def test_counts_of_two_databases():
    cells = (("a", "u"), ("b", "u"), ("a", "v"))
    world = World(OWNED, cells, {"Record": ("a", "b"), "Owner": ("u", "v"), "Home": ("h",)},
                  {"home": {("u",): "h", ("v",): "h"}})  # fmt: skip
    left, right = {cells[0]: 2, cells[1]: 1}, {cells[0]: 1, cells[2]: 1}

    def said(value, finite="true"):
        return ClosedForm(value, finite).bind(OWNED).distance(world, left, right)

    assert said(CHANGED) == 3
    assert said("size(D) - size(E)") == 1
    assert said("values(owner(c), D[c] != E[c])") == 2
    assert said("values(owner(c), D[c] >= 1, E[c] >= 1)") == 1
    assert said("values(D[c] >= 1)") == 1
    assert said("1", "same(owner(c))") == INFINITY
    assert said("1 if same(id(c)) else 7") == 7


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("sum(D[c]", "cannot read"),
        ("sum(D[c], E[c])", "takes one number"),
        ("sum(ownr(c))", "unknown function 'ownr'"),
        ("same(owner(c))", "is of sort bool, but int is expected"),
        ("values(owner(c))", "then at least one formula"),
        ("values(D[c], D[c] >= 1)", "then at least one formula"),
        ("size(F)", "the databases D and E"),
        ("total(D[c])", "unknown"),
    ],
)
def test_what_is_no_closed_form(value, message):
    with pytest.raises(InputError, match="closed form") as caught:
        ClosedForm(value).bind(OWNED)
    assert message in str(caught.value)


def test_a_form_that_counts_empty_cells_is_not_proved():
    """It would be infinite over infinitely many records, but looks right on the others."""
    form = ClosedForm("sum(abs(D[c] - E[c])) + 0*sum(1)").bind(RECORDS)
    proof = Obligations(library_granularity("unbounded").bind(RECORDS), form)
    assert not proof.exact()


def test_facts_of_the_class_bind_the_edits():
    """No database has exactly one record, so that no single addition leads from {} to {a, b}."""
    tied = Domain(
        {"id": ["a", "b"]}, cap=1, universe=Universe.PRODUCT,
        facts=["D[c] == 0 or size(D) != 1"],
    )  # fmt: skip
    metric = canonical(tied, "unbounded")
    assert isinstance(metric.decide(ClosedForm(CHANGED)), Refuted)
    proof = Obligations(library_granularity("unbounded").bind(tied), ClosedForm(CHANGED).bind(tied))
    assert not proof.exact()


def test_steps_that_read_the_database():
    """Everything may be rewritten, but only while there are at most two records."""
    edit = Edit(frame="true", step="size(D) <= 2 or new == old")
    metric = Canonical(Granularity("small", [edit]).bind(SETS))
    assert metric.form is None
    assert isinstance(metric.decide(ClosedForm("values(D[c] != E[c])")), Refuted)


def test_many_symbols_are_not_tried_in_all_ways():
    """There are too many values of 26 symbols to go through; none of the first ones is large."""
    large = Domain({"id": "Record"}, symbols={f"s{n}": f"s{n} >= 4" for n in range(26)})
    assert list(small_worlds(large)) == []
    small = Domain({"id": "Record"}, symbols={f"s{n}": f"s{n} >= 1" for n in range(26)})
    assert [len(w.cells) for w in small_worlds(small, cells=1, most=3)] == [1, 1, 1]


def test_the_scope_says_how_large_symbols_were(monkeypatch):
    monkeypatch.setattr("dpcomp_sym.metrics.totals.MOST_ROUNDS", 0)
    claim = ClosedForm("values(owner(c), D[c] != E[c])")
    verdict = canonical(LIMITED, "user", owner="owner").decide(claim)
    assert isinstance(verdict, Checked)
    assert "symbols at most 3" in verdict.scope


def test_what_fits_tiny_worlds_alone_is_not_asked():
    """[v, x] and [w, x] are four steps of appending apart, and differ in two records."""
    appended = canonical(LISTS, "append", position="position")
    form = ClosedForm(CHANGED)
    assert form in appended.candidates
    assert not appended._upper(form)
    assert "descent" not in appended.proof(form)._known


TEAMS = {"id": "Record", "user": "User", "team": "Team"}
FEW_TEAMS = [("team(c)", "user(c)", "m")]
OF_USER = ClosedForm(
    "values(user(c), D[c] != E[c]) + values(user(c), D[c] != E[c], D[c] >= 1, E[c] >= 1)"
)


@pytest.mark.parametrize("limits", [[], [("user(c), team(c)", "r")]])
def test_users_come_and_go_where_a_limit_allows_few_values(limits):
    """A user who goes has no more teams: the limit is no obstacle on the way."""
    symbols = {"m": "m >= 1", "r": "r >= 1"} if limits else {"m": "m >= 1"}
    domain = Domain(TEAMS, limits=limits, distinct=FEW_TEAMS, symbols=symbols)
    presence = library_granularity("user_presence", owner="user").bind(domain)
    assert Obligations(presence, OF_USER.bind(domain)).exact()


@pytest.mark.parametrize("form", [ClosedForm(GONE, "same()"), ClosedForm(f"2*{GONE}", "same()")])
def test_records_that_are_replaced_one_by_one_may_have_too_many_values_on_the_way(form):
    """With one team each: from two records of one team to two of another one."""
    domain = Domain(TEAMS, distinct=[("team(c)", "user(c)", 1)])
    assert not Obligations(library_granularity("bounded").bind(domain), form.bind(domain)).upper()


def test_a_frame_that_cuts_through_the_teams_of_a_user_is_not_taken_for_whole():
    domain = Domain(TEAMS, distinct=[("team(c)", "user(c)", 1)])
    by_record = Granularity("g", [Edit({"i": "Record"}, "true", frame="id(c) == i")]).bind(domain)
    form = ClosedForm("values(id(c), D[c] != E[c])").bind(domain)
    assert not Obligations(by_record, form).upper()
