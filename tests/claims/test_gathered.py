"""Claims below a bound of hundreds of records: refuted by what shows the bound, in seconds."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction

import pytest

import dpcomp_sym as dp
from dpcomp_sym import balls
from dpcomp_sym.claims import standalone

DAYS = """
[domain]
attributes = {{ id = "Record", person = "Person", day = "int" }}
symbols = {{ T = "T >= 1" }}
cell = "1 <= day(c) and day(c) <= {last}"
[granularity]
use = "user"
owner = "person"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "p"
map = "all"
guarantee = {{ pure = "eps" }}
[part.granularity]
name = "person-day"
[[part.granularity.edit]]
params = {{ u = "Person", d = "int" }}
frame = "person(c) == u and day(c) == d"
"""
USERS = """
[domain]
attributes = { id = "Record", owner = "Person", city = "City" }
symbols = { r = "r >= 1" }
limits = [["owner(c)", "r"]]
[granularity]
use = "user"
owner = "owner"
[[map]]
name = "everything"
use = "identity"
[[map]]
name = "cities"
use = "partition"
by = "city"
[[part]]
name = "query"
map = "everything"
granularity = "unbounded"
guarantee = { pure = "eps", zcdp = "rho", gaussian = "mu" }
[[part]]
name = "counts"
map = "cities"
granularity = "unbounded"
guarantee = { pure = "eta", zcdp = "sigma", gaussian = "nu" }
"""
GROUPS = """
[domain]
attributes = { person = "User", team = "Group", id = "Record" }
symbols = { m = "m >= 1", r = "r >= 1" }
distinct = [{ of = "team(c)", each = "person(c)", at_most = "m" }]
limits = [["person(c), team(c)", "r"]]
[granularity]
use = "user_presence"
owner = "person"
[[map]]
name = "teams"
use = "partition"
by = "team"
[[part]]
name = "counts"
map = "teams"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""
TWO_USERS = """
[domain]
attributes = { id = "Record", user = "User" }
symbols = { m = "m >= 1" }
limits = [["user(c)", "m"]]
[granularity]
name = "two"
[[granularity.edit]]
params = { u = "User", v = "User" }
frame = "user(c) == u or user(c) == v"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "counts"
map = "all"
granularity = "unbounded"
guarantee = { pure = "eps" }
"""

SPECS = {"days": DAYS.format(last="T"), "users": USERS, "groups": GROUPS, "two": TWO_USERS}


def decide(name, claim, *sets):
    return dp.refute(dp.load_spec(SPECS[name], sets), claim)


@pytest.mark.parametrize(
    ("name", "claim", "sets", "records"),
    [
        ("days", "39*eps", ["T=40"], 40),
        ("days", "59/2*eps", ["T=30"], 30),
        ("users", "19*(eps + max(eta[i]))", ["r=10"], 20),
        ("users", "39*(eps + max(eta[i]))", ["r=20", "k=3", "eps=2", "eta=[1,2,3]"], 40),
        ("users", "399*(rho + max(sigma[i]))", ["r=10"], 20),
        ("groups", "29*max(eps[i])", ["r=10", "m=3"], 30),
    ],
)
def test_a_claim_just_below_the_bound_is_refuted(name, claim, sets, records):
    decision = decide(name, claim, *sets)
    assert decision.verdict == "refuted"
    found = decision.as_json()["counterexample"]
    assert sum(r["count"] for side in ("D", "D_prime") for r in found[side]) == records
    assert standalone.check(decision.counterexample.data) == 0


@pytest.mark.parametrize(
    ("name", "claim", "sets"),
    [
        ("days", "40*eps", ["T=40"]),
        ("users", "20*(eps + max(eta[i]))", ["r=10"]),
        ("groups", "30*max(eps[i])", ["r=10", "m=3"]),
    ],
)
def test_the_bound_itself_is_not(name, claim, sets):
    assert decide(name, claim, *sets).verdict == "proved"


@pytest.mark.long
def test_all_days_of_a_year():
    spec = DAYS.format(last=365).replace('symbols = { T = "T >= 1" }', "")
    assert dp.refute(spec, "364*eps").verdict == "refuted"


@pytest.mark.in_turn
def test_records_that_come_and_go_are_counted():
    """Four records of two people, one of each in each database: a distance of 4."""
    decision = decide("two", "3*eps", "m=1")
    assert decision.verdict == "refuted"
    assert decision.as_json()["counterexample"]["mechanisms"][0]["distance"] == 4


def test_other_things_are_not_the_same_of_all_records_that_an_edit_changes():
    """The days tell the steps apart; the records do not, nor does one day more than there is."""
    data = decide("days", "11*eps", "T=12").counterexample.data
    assert standalone.check(data) == 0
    key = data["parts"][0]["apart"][-1]
    assert key[1] == "day"
    changed = deepcopy(data)
    changed["parts"][0]["apart"] = [["attr", "id", key[2]]]
    changed["D"].append([["record99", *changed["D"][0][0][1:]], 1])
    with pytest.raises(standalone.FailedError, match="at least 12"):
        standalone.confirm(changed)
    changed["parts"][0]["apart"] = None
    with pytest.raises(standalone.FailedError, match="at least 12"):
        standalone.confirm(changed)
    farther = deepcopy(data)
    farther["parts"][0]["distance"] = 13
    with pytest.raises(standalone.FailedError, match="at least 13"):
        standalone.confirm(farther)


@pytest.mark.parametrize("x", ["0", "1/3", "1", "7/2", "-5", "60", "365", "-365"])
@pytest.mark.parametrize("bits", [40, 320])
def test_powers_of_e_lie_between_their_bounds(x, bits):
    low, high = standalone.exp_bounds(Fraction(x), bits)
    true = balls.exp(Fraction(x))
    assert low <= true.upper
    assert true.lower <= high
    assert (high - low) * 2**bits < max(1, high * 2**13)
