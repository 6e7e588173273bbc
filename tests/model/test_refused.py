"""What the language refuses when it is used from Python: the word, and what would be right."""

from __future__ import annotations

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)

RECORDS = Domain({"id": "Record", "day": "int"}, symbols={"w": "w >= 1"})
ADD = Edit({"x": "cell"}, change={"x": "1"})
ONE_MORE = Granularity("one", [ADD])
WHOLE = Map("whole")
BLOCKS = Map("blocks", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")})


def bound(edit, group=1):
    return lambda: Granularity("g", [edit], group=group).bind(RECORDS)


def mapped(*args, **more):
    return lambda: Map(*args, **more).bind(RECORDS)


PART = Part("p", "whole")


def problem(maps=(WHOLE,), parts=(PART,), domain=RECORDS):
    return lambda: Problem(domain, ONE_MORE, list(maps), list(parts))


REFUSED = {
    "a class of multiplicity 0": (
        lambda: Domain({"id": "R"}, cap=0),
        "the cap, the largest multiplicity, is an integer >= 1, not 0",
    ),
    "an attribute of two words": (lambda: Domain({"a b": "R"}), "letters, digits and _ only"),
    "a reserved word": (lambda: Domain({"size": "R"}), "the word is reserved"),
    "a name twice": (lambda: Domain({"id": "R"}, functions={"id": (["R"], "int")}), "used twice"),
    "no values": (lambda: Domain({"kind": []}), "empty list of values"),
    "a cell in a cell": (lambda: Domain({"id": "cell"}), "cannot itself be a cell"),
    "an unknown sort": (
        lambda: Domain({"id": "Record"}, functions={"f": (["Recrod"], "int")}),
        "unknown sort 'Recrod'; did you mean 'Record'",
    ),
    "a function to cells": (
        lambda: Domain({"id": "R"}, functions={"f": (["R"], "cell")}), "cannot return a cell"
    ),
    "an unknown word for a sort": (bound(Edit({"x": "sort(dya)"}, frame="true")), "day"),
    "a parameter of an unknown sort": (bound(Edit({"x": "Recrod"}, frame="true")), "Record"),
    "a parameter called D": (bound(Edit({"D": "cell"}, change={"D": "1"})), "name of a parameter"),
    "a parameter called like a symbol": (
        bound(Edit({"w": "cell"}, change={"w": "1"})), "also a symbol of the domain"
    ),
    "an edit without anything": (bound(Edit({"x": "cell"})), "either 'change' or 'frame'"),
    "an edit of no cells": (bound(Edit({"x": "cell"}, change={})), "does nothing"),
    "a change of what is not a cell": (
        bound(Edit({"x": "cell", "n": "int"}, change={"n": "1"})), "'n' is not a cell parameter"
    ),
    "a change of a term": (
        bound(Edit({"x": "cell"}, change={"(x, 1)": "1"})), "u == (x, 1) in the guard"
    ),
    "too many edits in a row": (bound(ADD, group=7), "7 successive edits are more than 64 kinds"),
    "frames in a row, one way": (
        lambda: Granularity("g", [Edit({}, frame="true")], directed=True, group=2).bind(RECORDS),
        "a group of edits needs edits with 'change', not with 'frame'",
    ),
    "no edits in a row": (bound(ADD, group=0), "'group' is an integer >= 1, not 0"),
    "frames in a row": (bound(Edit({}, frame="true"), group=2), "group"),
    "numbers of the database in a row": (
        bound(Edit({"x": "cell"}, change={"x": "D[x]"}), group=2), "do not depend on the database"
    ),
    "a map of two words": (mapped("a b"), "cannot be the name of a map"),
    "an index of two words": (mapped("m", "true", {"a b": "k"}), "cannot be a name here"),
    "a map's function called like an attribute": (
        mapped("m", "day(c) == i", {"i": "k"}, {"day": (["cell"], "int")}),
        "something in the domain",
    ),
    "an argument that is not a term": (mapped("m", arguments={"by": "dya(c)"}), "argument 'by'"),
    "two maps of one name": (problem((WHOLE, WHOLE)), "two maps are called 'whole'"),
    "two parts of one name": (
        problem(parts=(Part("p", "whole"), Part("p", "whole"))), "two parts are called 'p'"
    ),
    "a part of two words": (problem(parts=(Part("a b", "whole"),)), "cannot be the name of a part"),
    "a part without a map": (problem(parts=(Part("p", []),)), "a part needs a map"),
    "a part behind an unknown map": (problem(parts=(Part("p", "hole"),)), "did you mean 'whole'"),
    "an image whose values are called otherwise": (
        problem(
            (Map("kinds", image={"what": "kind(c)"}),),
            (Part("p", "kinds"),),
            Domain({"id": "R", "kind": ["a", "b"]}),
        ),
        "the image attribute 'what' has the enumerated values of 'kind': call it 'kind'",
    ),
    "a map after a projection": (
        problem((Map("days", image={"day": "day(c)"}), BLOCKS), [Part("p", ["days", "blocks"])]),
        "changes the attributes",
    ),
    "two maps with one index": (
        problem(
            (BLOCKS, Map("others", "g(c) == i", {"i": "k"}, {"g": (["cell"], "int")})),
            [Part("p", ["blocks", "others"])],
        ),
        "give one of them another name",
    ),
    "a class of its own on the common domain": (
        problem(parts=(Part("p", "whole", setting="common", inner=InnerClass(cap=1)),)),
        "no class of its own",
    ),
    "an unknown built-in granularity": (lambda: library_granularity("unbouned"), "unbounded"),
    "an unknown built-in map": (lambda: library_map("partitoin"), "partition"),
    "an argument that a map does not take": (
        lambda: library_map("partition", bye="day"), "takes no 'bye'"
    ),
    "too many indices": (
        lambda: library_map("partition", index={"i": "k", "j": "l"}), "has 1 index, not 2"
    ),
    "a quotient by a symbol that may be 0": (
        problem(
            (WHOLE, Map("some", "day(c) // s == 1", symbols={"s": "s >= 0"})), [Part("p", "some")]
        ),
        "divides by 's', which may be 0 or less: say 's >= 1'",
    ),
    "a remainder by a product with a parameter": (
        lambda: Problem(
            RECORDS,
            Granularity("g", [Edit({"t": "int", "x": "cell"}, "day(x) % (2*t) == 0", {"x": "1"})]),
            (WHOLE,), [Part("p", "whole")],
        ),
        "divides by 't', which may be 0 or less: write max(t, 1)",
    ),
    "a limit that a map does not take": (lambda: library_map("identity", m=2), "takes no 'm'"),
    "a cover without a limit": (lambda: library_map("cover"), "needs 'm'"),
    "a projection to nothing in particular": (lambda: library_map("projection"), "needs 'image'"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    attempt, piece = REFUSED[name]
    with pytest.raises(InputError) as caught:
        attempt()
    assert piece in str(caught.value)


def test_the_sort_of_an_attribute_is_a_sort_of_parameters():
    same_day = Edit({"x": "cell", "d": "sort(day)"}, "day(x) == d", {"x": "1"})
    assert Granularity("g", [same_day]).bind(RECORDS).edits[0].params[1] == ("d", "int")
