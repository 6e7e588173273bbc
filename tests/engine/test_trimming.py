"""What is said of blocks in fewer words: what lies between two cases, and how much is asked."""

from __future__ import annotations

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.smt.query import Query
from dpcomp_sym.spec import load_spec

FAMILY = """
setting = "common"
[domain]
attributes = {{ id = "Record", day = "int" }}
[granularity]
use = "bounded"
[[map]]
name = "days"
index = {{ i = {count} }}
member = "{member}"
[[part]]
name = "counts"
map = "days"
guarantee = {{ pure = "eps" }}
"""


def family(member: str, count: int) -> str:
    blocks = range(1, count + 1)
    written = " or ".join(f"(i == {n} and {member.format(n=n, end=n + 2)})" for n in blocks)
    return FAMILY.format(count=count, member=written)


def pure(text: str, *values: str):
    spec = load_spec(text, values)
    found = derive(spec.problem, values=spec.values, sizes=spec.sizes)
    (bound,) = (b for b in found.bounds if b.notion == "pure")
    return bound


@pytest.mark.parametrize(
    ("member", "value"), [("day(c) == {n}", 17), ("{n} <= day(c) and day(c) <= {end}", 40)]
)
def test_families_of_ten_blocks_ask_few_questions(member, value, monkeypatch):
    """Two cases between which something lies are not asked about: these are nearly all pairs."""
    asked = []
    check = Query.check

    def counted(query, *assumptions):
        asked.append(query)
        return check(query, *assumptions)

    monkeypatch.setattr(Query, "check", counted)
    numbers = [1, 2, 3, 4, 5, 9, 8, 7, 6, 5]
    bound = pure(family(member, 10), f"eps={numbers}")
    assert (bound.tight, bound.value) == ("yes", value)
    assert len(asked) < 400
