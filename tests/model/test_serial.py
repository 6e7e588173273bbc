"""Problems as plain data: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.model.serial import canonical, problem_from_json, problem_to_json

PROBLEM = Problem(
    Domain({"id": "Record", "kind": ["a", "b"]}, cap=2, limits=[("id(c)", "w")],
           symbols={"w": "w >= 1"}),
    library_granularity("bounded", group=2),
    [library_map("partition", name="blocks"), Map("kinds", image={"kind": "kind(c)"})],
    [
        Part("counts", "blocks", inner=InnerClass(1, ("size(D) <= 9",), [("id(c)", 3)])),
        Part("total", "kinds", library_granularity("unbounded"),
             {"pure": (Fraction(1, 2),), "approximate": ("eps_all", "delta_all")}, "common"),
    ],
    "both",
)  # fmt: skip


def written():
    """Return the problem as it comes back from a file."""
    return json.loads(canonical(problem_to_json(PROBLEM)))


def test_everything_comes_back():
    again = problem_from_json(written())
    assert problem_to_json(again) == written()
    assert again.parts[0].inner == InnerClass(1, ("size(D) <= 9",), (("id(c)", 3),))
    assert [p.map for p in again.bound_parts] == [p.map for p in PROBLEM.bound_parts]


def test_limits_on_distinct_values_come_back_and_are_left_out_where_there_are_none():
    assert "distinct" not in written()["domain"]
    limits = [("kind(c)", "id(c)", "w"), ("kind(c), id(c)", "true", 3)]
    problem = replace(PROBLEM, domain=replace(PROBLEM.domain, distinct=limits))
    data = json.loads(canonical(problem_to_json(problem)))
    assert data["domain"]["distinct"] == [list(one) for one in limits]
    assert problem_from_json(data) == problem != problem_from_json(written())
    rows = ["kind(c)", "w"], ["kind(c)", 3, 3], ["kind(c)", "id(c)", True], [1, 2, 3]
    for bad in (*([row] for row in rows), {}):
        with pytest.raises(InputError):
            problem_from_json({**data, "domain": {**data["domain"], "distinct": bad}})


def test_no_parameter_looks_like_a_number():
    part = Part("p", "blocks", guarantees={"pure": ("1/2",)})
    with pytest.raises(InputError, match="'1/2' cannot be the name of a parameter"):
        Problem(PROBLEM.domain, PROBLEM.granularity, PROBLEM.maps, [part])


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("title",), 3, "title: a text is needed"),
        (("title",), "x" * 20_001, "title: a text is needed"),
        (("maps",), {}, "maps: a list is needed"),
        (("maps", 0, "partition"), 1, "map: true or false is needed"),
        (("maps", 0, "index"), [["i", True]], "map: a text is needed"),
        (("maps", 0, "index"), [["i", 10**19]], "map: a whole number is needed"),
        (("maps", 0, "index"), [["i", 2], ["i", 3]], "map: 'i' is there twice"),
        (("maps", 0, "index"), [[1, 2]], "map: lists of 2 things, the first a name, are needed"),
        (("maps", 0, "functions"), [["h", ["id"]]], "map: lists of 3 things"),
        (("domain", "cap"), "2", "domain: a whole number is needed"),
        (("domain", "at_least"), True, "domain: a whole number is needed"),
        (("domain", "universe"), "all", "domain: the universe is one of any, infinite, product"),
        (("granularity", "group"), 9, "granularity: more than 8 edits in a row are not read"),
        (("granularity", "edits", 0), {}, "granularity, edit: the fields are change, frame, guard"),
        (("parts", 0, "inner"), {}, "part, inner: the fields are cap, limits, size"),
        (("parts", 0, "setting"), "both", "part: the setting is separate or common"),
        (("parts", 1, "guarantees"), [["pure", ["2/4"]]], "part: '2/4' is not in lowest terms"),
        (("parts", 1, "guarantees"), [["pure", [1]]], "part: a text is needed"),
    ],
)
def test_what_is_refused(place, value, message):
    data = written()
    inner = data
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(InputError, match=message):
        problem_from_json(data)
