"""Parts that see a record come or go as two edits: its owner goes, and comes back without it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.replay.terms import make
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

SPEC = """
[domain]
attributes = {{ id = "Record", user = "User", team = "Team" }}
symbols = {{ m = "m >= 2", q = "q >= 1" }}
limits = [["user(c)", "m"], ["team(c)", "q"]]
{outer}
[[map]]
name = "m"
use = "{map}"
{by}
[[part]]
name = "p"
map = "m"
guarantee = {{ pure = "eps" }}
[part.granularity]
name = "own"
[[part.granularity.edit]]
params = {{ u = "User" }}
frame = "user(c) == u"
step = "old == 0"
"""
NAMED = {n: f'[granularity]\nuse = "{n}"' for n in ("unbounded", "bounded")}
TEAMS = """
[granularity]
name = "all records of a team"
[[granularity.edit]]
params = { t = "Team" }
frame = "team(c) == t"
"""


def problem(outer, mapping="identity", by=""):
    return SPEC.format(outer=outer, map=mapping, by=by)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        (problem(NAMED["unbounded"]), "2*eps"),
        (problem(NAMED["bounded"]), "4*eps"),
        (problem(TEAMS), "4*q*eps"),
        (problem(NAMED["bounded"], "partition", 'by = "team"'), "4*max(eps[i])"),
    ],
    ids=["one record", "two records", "a team", "blocks"],
)
def test_two_edits_for_each_record(text, bound):
    derivation = load_spec(text).derive()
    (found,) = derivation.bounds
    assert found.text == bound
    made = read(as_text(certificate(derivation.theorems, derivation)).encode())
    assert verify(made).verdict == "proved"


@pytest.mark.parametrize(
    ("outer", "far", "less"),
    [
        (NAMED["bounded"], make("Num", Fraction(4)), make("Num", Fraction(3))),
        (TEAMS, make("Product", (make("Num", Fraction(4)), make("Size", "q"))),
         make("Product", (make("Num", Fraction(2)), make("Size", "q")))),
    ],
    ids=["two records", "a team"],
)  # fmt: skip
def test_less_is_not_confirmed(outer, far, less):
    touched = (1, 2) if outer == NAMED["bounded"] else ()

    def confirm(distance):
        check = Recheck(load_spec(problem(outer)).problem)
        check.fact(make("BlockDistance", check.meaning.term, "edit 1", "p", touched, distance))

    confirm(far)
    with pytest.raises(RejectedError):
        confirm(less)
