"""Mechanisms for weeks, days of L steps and the like: which one a record lies in is found."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read
from dpcomp_sym.rocq import check, rocq_file
from dpcomp_sym.smt.solvers import SecondSolver

EVENTS = Domain({"id": "Event", "day": "int"}, symbols={"L": "L >= 1", "w": "w >= 1"})
FRAMES = [
    "7*week <= day(c) and day(c) < 7*(week + w)",
    "day(c) // 7 == week",
    "day(c) // L == week",
    "L*week <= day(c) and day(c) < L*(week + 1)",
    "3*week <= day(c) + 1 and day(c) + 1 < 3*week + 3",
    "week <= 2*day(c) and 2*day(c) <= week + 1",
]


def derived(frame, outer="unbounded", domain=EVENTS):
    weeks = Granularity("weeks", [Edit({"week": "int"}, frame=frame)])
    part = Part("p", "all", weeks, {"pure": ("eps",)})
    whole = Map("all", "true", {})
    return derive(Problem(domain, library_granularity(outer), [whole], [part]))


@pytest.mark.in_turn
@pytest.mark.parametrize("frame", FRAMES)
def test_one_record_is_in_one_of_them(frame):
    found = derived(frame)
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == ("eps", "yes")
    made = read(as_text(certificate(found.theorems, found)).encode())
    assert verify(made, SecondSolver()).verdict == "proved"


@pytest.mark.in_turn
@pytest.mark.parametrize("frame", FRAMES)
def test_a_replaced_record_is_in_two(frame):
    found = derived(frame, "bounded")
    assert (found.bounds["pure"].text, found.bounds["pure"].tight) == ("2*eps", "yes")


@pytest.mark.rocq
@pytest.mark.parametrize("frame", FRAMES)
def test_rocq_finds_the_same_week(frame):
    found = derived(frame)
    answer = check(rocq_file(certificate(found.theorems, found)))
    assert answer.accepted, answer.message


@pytest.mark.parametrize(
    "frame",
    [
        "day(c) == 7*week + 3 or day(c) == 7*week + 4",
        "7*week < day(c) and day(c) < 7*(week + 1)",
        "2*day(c) + 1 == 2*week",
    ],
)
def test_a_record_of_another_day_is_in_none(frame):
    assert derived(frame).bounds["pure"].text.startswith("inf")


def test_which_weeks_a_granularity_of_weeks_meets():
    weeks = Granularity("weeks", [Edit({"week": "int"}, frame=FRAMES[0])])
    given = {"weeks": weeks, "one": library_granularity("unbounded"),
             "other": library_granularity("bounded")}  # fmt: skip
    relations = Relations(EVENTS, given)
    assert relations.distance("weeks", "one").distance == 1
    assert relations.distance("weeks", "other").distance == 2
