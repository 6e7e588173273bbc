"""Which conditions there are, and what is said beside a verdict."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Unknown
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

RECORDS = Domain({"id": "R", "owner": "U", "day": "int"}, symbols={"w": "w >= 1"})
WEEKS = Map("b", "day(c) == i", {"i": "k"})
WINDOW = Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + w")
OWNER = Edit({"u": "U"}, frame="owner(c) == u")


def found(granularity, mapping, domain=RECORDS):
    return conditions(Structure(Problem(domain, granularity, [mapping], [Part("p", "b")])))


def test_the_metric_of_neighbours_in_one_order_is_none():
    more = Edit({"x": "cell"}, change={"x": 1})
    partition = library_map("partition", name="b")
    assert "commutes" in found(Granularity("more", [more]), partition)
    assert "commutes" not in found(Granularity("more", [more], directed=True), partition)


def test_a_whole_database_has_no_blocks():
    assert {*found(library_granularity("unbounded"), library_map("identity", name="b"))} == {
        "sensitivity"
    }


def test_blocks_are_disjoint_also_where_there_are_no_neighbours():
    fixed = Domain({"id": "R"}, size=["size(D) == 3"])
    conditions_ = found(library_granularity("unbounded"), library_map("partition", name="b"), fixed)
    assert conditions_["partition"].verdict == "proved"
    assert conditions_["compatibility"].verdict == "vacuous"


@pytest.mark.parametrize(
    ("edits", "note"),
    [
        ([WINDOW], "at most w blocks change"),
        ([WINDOW, OWNER], "no small number bounds how many blocks change"),
        ([OWNER], "no small number bounds how many blocks change"),
    ],
)
def test_how_many_blocks_change_is_said_of_all_edits(edits, note):
    assert found(Granularity("own", edits), WEEKS)["compatibility"].note == note


@pytest.mark.parametrize(
    ("domain", "verdict"),
    [(RECORDS, "unknown"), (Domain({"id": "R"}, size=["size(D) == 3"]), "vacuous")],
)
def test_what_is_not_decided_is_vacuous_only_without_neighbours(monkeypatch, domain, verdict):
    monkeypatch.setattr(Structure, "disjoint", lambda *_: Unknown("asked too much"))
    mapping = library_map("partition", name="b")
    assert found(library_granularity("unbounded"), mapping, domain)["partition"].verdict == verdict
