"""Blocks with two indices, where a limit on distinct values allows few values of one of them.

A user has at most m devices, and any number of records on each: all days of few devices change.
Bounds are compared with all neighbours in small worlds by the random problems of
``tests.random_problems.structured``; here is what is said, and what must not be.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym.certificates.recheck import Recheck, verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import Reader, make
from dpcomp_sym.smt.solvers import SecondSolver
from tests.certificates.both import plain

pytestmark = pytest.mark.in_turn

ATTRIBUTES = {"id": "Record", "user": "User", "device": "int", "day": "int"}
DEVICES = ("device(c)", "user(c)", "m")
CELLS = "device(c) == i and day(c) == j"
CHANGED = library_granularity("user", owner="user")
PRESENCE = library_granularity("user_presence", owner="user")
BOTH = "max over 2*m choices of t of sum(eps[i,j] for i == t)"
ONE = "max over m choices of t of sum(eps[i,j] for i == t)"
ALL = "sum(eps[i,j])"


GROUP = {"f": (["int"], "int"), "g": (["int", "int"], "int")}


def problem(distinct=(DEVICES,), use=CHANGED, member=CELLS, indices=None, **more):
    symbols = {"m": "m >= 1", "n": "n >= 1"}
    domain = Domain(ATTRIBUTES, symbols=symbols, distinct=distinct, **more)
    named = {n: f for n, f in GROUP.items() if f"{n}(" in member}
    blocks = Map("b", member, indices or {"i": "h", "j": "k"}, named)
    return Problem(domain, use, [blocks], [Part("a", "b")])


def frame(text, **more):
    return Granularity("g", [Edit({"u": "User", "t": "int"}, "true", frame=text, **more)])


def pure(*args, **more):
    bound = derive(problem(*args, **more)).bounds["pure"]
    return bound.text, bound.tight == "yes"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, BOTH),
        ({"use": PRESENCE}, ONE),
        ({"distinct": [("device(c)", "user(c)", 2)]}, BOTH.replace("2*m", "4")),
        ({"member": "day(c) == j and device(c) <= i"}, BOTH.replace("i == t", "t <= i")),
        ({"member": "device(c) == i or device(c) == i + 1", "indices": {"i": "k"}},
         "max over 2*m choices of t of sum(eps[i] for t - 1 <= i <= t)"),
        # One device: its number need not be a symbol.
        ({"distinct": [("device(c)", "user(c)", 1)], "use": PRESENCE},
         "max over t of sum(eps[i,j] for i == t)"),
        ({"distinct": [("(device(c), day(c))", "user(c)", 1)], "use": PRESENCE}, "max(eps[i,j])"),
        ({"distinct": [("device(c)", "user(c)", 1)], "use": PRESENCE,
          "member": "f(device(c)) == i and g(device(c), day(c)) == j"},
         "max over t of sum(eps[i,j] for i == t)"),
        # What the limit counts tells the index in other ways, too.
        ({"distinct": [("device(c)", "(user(c), 1)", "m")]}, BOTH),
        ({"distinct": [("(device(c), 2)", "user(c)", "m")]}, BOTH),
        # Labels of devices, and of devices and days.
        ({"member": "f(device(c)) == i and day(c) == j"}, BOTH),
        ({"member": "f(device(c)) == i and g(device(c), day(c)) == j"}, BOTH),
        ({"member": "f(device(c)) == i and f(device(c)) <= j"},
         "max over 2*m choices of t of sum(eps[i,j] for i == t and t <= j)"),
    ],
)  # fmt: skip
def test_all_days_of_few_devices(given, text):
    assert pure(**given) == (text, True)


def test_weeks_of_a_device_are_counted_each():
    """There are m devices with records in one week each, or one in m weeks."""
    text, tight = pure(distinct=[("(device(c), day(c) // 7)", "user(c)", "m")])
    assert tight
    assert text == (
        "max over 2*m choices of t, u of sum(eps[i,j] for i == t and 7*u <= j <= 7*u + 6)"
    )


def test_two_devices_that_count_as_one_change_together():
    text = "max over 2*m choices of t of sum(eps[i,j] for 2*t <= i <= 2*t + 1)"
    assert pure(distinct=[("device(c) // 2", "user(c)", "m")]) == (text, True)


@pytest.mark.parametrize(("use", "times"), [(PRESENCE, "m"), (CHANGED, "2*m")])
def test_days_of_the_few_weeks_in_which_a_user_is_active(use, times):
    few = {"distinct": [("day(c) // 7", "user(c)", "m")], "member": "day(c) == i", "use": use}
    text = f"max over {times} choices of t of sum(eps[i] for 7*t <= i <= 7*t + 6)"
    assert pure(**few, indices={"i": "k"}) == (text, True)


@pytest.mark.parametrize(
    "given",
    [
        {"distinct": [("device(c)", "(user(c), day(c))", "m")]},  # others on each day
        {"distinct": [("id(c)", "user(c)", "m")], "member": "device(c) == i and day(c) == j"},
        {"use": library_granularity("free_lunch")},  # nobody is named
    ],
)
def test_what_a_limit_does_not_tell_is_not_counted_by_it(given):
    assert pure(**given)[0] != BOTH
    assert "choices" not in pure(**given)[0] or "id" in str(given["distinct"])


@pytest.mark.parametrize(
    "given",
    [
        {"distinct": [DEVICES, ("day(c)", "user(c)", "n")]},  # no device has all days
        {"distinct": [("device(c)", "(user(c), day(c) % 2)", "m")]},  # nor all odd ones and even
        {"distinct": [DEVICES, ("device(c)", "user(c)", "n")]},  # n may be less
        {"limits": [("day(c)", "n")]},
        {"facts": ["implies(D[c] >= 1, device(c) <= 3)"]},
        {"use": frame("user(c) == u and t <= day(c)")},
        {"member": "f(device(c)) == i and device(c) <= j"},  # devices with one label are two
        {"member": "f(device(c)) == i and f(day(c)) == j"},
        {"member": "f(device(c)) == i and day(c) == j", "cell": "device(c) <= 3"},
    ],
)
def test_it_is_not_called_tight_where_something_else_is_limited(given):
    assert not pure(**given)[1]


def test_labels_of_a_few_listed_teams_are_few():
    """Of two teams there are two labels, not 2m."""
    texts = []
    for team in ("Team", ["a", "b"]):
        domain = Domain(
            {"user": "User", "team": team, "day": "int"}, symbols={"m": "m >= 1"},
            distinct=[("team(c)", "user(c)", "m")],
        )  # fmt: skip
        labels = {"dept": ([domain.attribute_sorts["team"]], "int")}
        blocks = Map("b", "dept(team(c)) == i and day(c) == j", {"i": "h", "j": "k"}, labels)
        bound = derive(Problem(domain, CHANGED, [blocks], [Part("a", "b")])).bounds["pure"]
        texts.append((bound.text, bound.tight == "yes"))
    assert texts[0] == (BOTH, True)
    assert texts[1] != (BOTH, True)


def right_fact():
    theorem = derive(problem()).theorems["pure"]
    waiting = [theorem]
    while waiting:
        step = waiting.pop()
        waiting += step.premises
        if type(step.statement).__name__ == "ChangedByRecords":
            return Reader().value(plain(step.statement), "Statement")
    raise AssertionError


def test_no_fewer_choices_and_no_other_integers_are_accepted():
    right = right_fact()
    _, about, edit, times, (term,), facts, places = right
    check = Recheck(problem())
    check.fact(right)
    assert "at most 2*m different values of device(c.1)" in check.question(right)

    def stated(number=times, terms=(term,)):
        return make("ChangedByRecords", about, edit, number, terms, facts, places)

    check.fact(stated(make("Product", (make("Num", Fraction(3)), make("Size", "m")))))
    for wrong in (
        stated(make("Size", "m")), stated(make("Num", Fraction(2))), stated(make("Size", "n")),
        stated(terms=(term.replace("device", "day"),)), stated(terms=(term.replace("c.1", "u"),)),
        stated(terms=(term.replace("c.1", "c"),)), stated(terms=('["int","int",1]',)),
    ):  # fmt: skip
        with pytest.raises(RejectedError):
            check.fact(wrong)


def test_both_solvers_confirm_it_and_other_limits_do_not():
    found = derive(problem())
    written = read(as_text(certificate(found.theorems, found)).encode())
    second = SecondSolver() if SecondSolver.installed() else None
    assert verify(written, second).verdict == "proved"
    _, _, edit, *rest = right_fact()
    for other in (
        problem(distinct=[("device(c)", "user(c)", "n")]),
        problem(distinct=[("device(c) // 2", "user(c)", "m")]),
        problem(distinct=[("device(c)", "(user(c), day(c))", "m")]),
        problem(distinct=()),
        problem(use=library_granularity("free_lunch")),
    ):
        check = Recheck(other)
        with pytest.raises(RejectedError):
            check.fact(make("ChangedByRecords", check.meaning.term, edit, *rest))
    check = Recheck(problem(use=PRESENCE))
    check.fact(make("ChangedByRecords", check.meaning.term, edit, *rest))


# -------------------------------------------- windows of time, of which few values are used

WINDOW = "user(c) == u and t <= day(c) and day(c) < t + n"
DAYS = ("day(c)", "user(c)", "m")


@pytest.mark.parametrize(
    ("member", "step", "text", "tight"),
    [
        ("day(c) == i", "true",
         "max over t of (sum of the 2*m largest (eps[i] for t <= i < t + n))", True),
        ("day(c) == i", "old == 0",
         "max over t of (sum of the m largest (eps[i] for t <= i < t + n))", True),
        # Each day is in two blocks: any 2*m of them have no more, but are not all as bad.
        ("day(c) == i or day(c) == i + 1", "old == 0",
         "max over t of (sum of the 2*m largest (eps[i] for t - 1 <= i < t + n))", False),
    ],
)  # fmt: skip
def test_active_days_within_a_window(member, step, text, tight):
    assert pure([DAYS], frame(WINDOW, step=step), member, {"i": "k"}) == (text, tight)


def test_what_a_window_implies_is_not_counted_as_well():
    """In a window of three days there are three days, whatever is allowed."""
    three = frame("user(c) == u and t <= day(c) and day(c) < t + 3", step="old == 0")
    text, tight = pure([("day(c)", "user(c)", 5)], three, "day(c) == i", {"i": "k"})
    assert (text, tight) == ("max over t of sum(eps[i] for t <= i <= t + 2)", True)
    text, tight = pure([("day(c)", "user(c)", 2)], three, "day(c) == i", {"i": "k"})
    assert (text, tight) == (
        "max over t of (sum of the 2 largest (eps[i] for t <= i <= t + 2))", True
    )  # fmt: skip


@pytest.mark.parametrize(("most", "text"), [
    (1, "max over t of (sum of the 2 largest (eps[i] for t - 1 <= i <= t + 2))"),
    (2, "max over t of sum(eps[i] for t - 1 <= i <= t + 2)"),
])  # fmt: skip
def test_what_is_not_known_to_be_attained_is_counted_where_it_says_more(most, text):
    """A fact that asks for other records: what is attained is not looked for."""
    three = frame("user(c) == u and t <= day(c) and day(c) < t + 3", step="old == 0")
    paired = ["D[c] == D[(id(c), user(c), device(c) + 0, day(c))]"]
    limits = [("day(c)", "user(c)", most)]
    member = "day(c) == i or day(c) == i + 1"
    found = pure(limits, three, member, {"i": "k"}, facts=paired)
    assert found == (text, False)
