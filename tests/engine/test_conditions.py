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
WINDOW_OF_TWO = Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + 2")
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
    "mapping",
    [
        library_map("identity", name="b"),
        library_map("filter", name="b", keep="day(c) == 3"),
        Map("b", "true", {"i": "k"}),
    ],
)
def test_one_block_and_blocks_that_are_all_alike_are_no_partition(mapping):
    assert {*found(library_granularity("unbounded"), mapping)} == {"sensitivity"}


@pytest.mark.parametrize(
    ("setting", "where"),
    [("separate", "its own domain"), ("common", "the pushforward of its granularity")],
)
def test_where_a_part_sees_its_neighbours(setting, where):
    inner = library_granularity("unbounded")
    part = Part("p", "b", inner, setting=setting)
    mapping = library_map("partition", name="b")
    problem = Problem(RECORDS, library_granularity("bounded"), [mapping], [part])
    assert conditions(Structure(problem))["sensitivity"].statement == (
        f"p sees neighbours at distance at most 1 in {where} (C2)"
    )


def test_nothing_is_said_beside_what_is_evident():
    said = found(library_granularity("unbounded"), library_map("partition", name="b"))
    assert said["compatibility"].as_json({})["reason"] is None


@pytest.mark.parametrize(
    ("second", "verdict"), [("partition", "proved"), ("cover", "refuted"), (None, "unknown")]
)
def test_of_several_maps_the_worst_is_said(monkeypatch, second, verdict):
    first = library_map("partition", name="a")
    arguments = {"m": 2} if second == "cover" else {}
    other = library_map(second or "partition", name="b", **arguments)
    problem = Problem(
        RECORDS, library_granularity("unbounded"), [first, other], [Part("p", "a"), Part("q", "b")]
    )
    if second is None:
        decide = Structure.compatible
        monkeypatch.setattr(
            Structure, "compatible",
            lambda self, mapping: Unknown("asked too much") if mapping.name == "b"
            else decide(self, mapping),
        )  # fmt: skip
    said = conditions(Structure(problem))
    assert said["compatibility"].verdict == said["compatibility[b]"].verdict == verdict
    assert said["compatibility[a]"].verdict == "proved"


@pytest.mark.parametrize("undecided", ["compatible", "sensitivity"])
def test_a_metric_commutes_only_where_both_conditions_are_decided(monkeypatch, undecided):
    monkeypatch.setattr(Structure, undecided, lambda *_: Unknown("asked too much"))
    mapping = library_map("partition", name="b")
    said = found(library_granularity("unbounded"), mapping)["commutes"]
    assert (said.verdict, said.reason) == ("unknown", "asked too much")


def test_there_is_no_joint_condition_where_one_is_not_decided(monkeypatch):
    monkeypatch.setattr(Structure, "sensitivity", lambda *_: Unknown("asked too much"))
    said = found(library_granularity("bounded"), library_map("partition", name="b"))["commutes"]
    assert (said.verdict, said.no_weakest) == ("refuted", "sensitivity: not decided")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("mapping", "note"),
    [
        (library_map("partition", name="b"), "at most 2 blocks change"),
        (library_map("cover", name="b", m=2), "at most 4 blocks change"),
        (library_map("cover", name="b", m=4), "at most 8 blocks change"),
        (library_map("cover", name="b", m=5), "at most 10 blocks change"),
    ],
)
def test_how_many_blocks_change_with_one_record_or_two(mapping, note):
    both = library_granularity("unbounded_or_bounded")
    assert found(both, mapping)["compatibility"].note == note


RED = "not red(c) and lab(c, i) or red(c) and h(c) == i"
SOME = Map(  # records that are red lie in one block each, others in any number
    "b", RED, {"i": "k"}, {"h": (["cell"], "int"), "lab": (["cell", "int"], "bool")}
)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "edits",
    [
        [
            Edit(dict.fromkeys(names, "cell"), " and ".join(f"red({n})" for n in names),
                 dict.fromkeys(names, 1))
            for names in ("xyz", "xy")
        ],
        [Edit({"t": "int"}, frame="t <= day(c) and day(c) < t + 3 and red(c)"), WINDOW_OF_TWO],
    ],
)  # fmt: skip
def test_few_blocks_change_where_others_could(edits):
    domain = Domain({"id": "R", "day": "int"}, {"red": (["cell"], "bool")})
    mapping = SOME if edits[0].frame is None else Map("b", "day(c) == i", {"i": "k"})
    assert found(Granularity("own", edits), mapping, domain)["compatibility"].note == (
        "at most 3 blocks change"
    )


@pytest.mark.parametrize(
    ("edits", "note"),
    [
        ([WINDOW], "at most w blocks change"),
        ([WINDOW, OWNER], "no bound was found on how many blocks change"),
        ([OWNER], "no bound was found on how many blocks change"),
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
