"""What a clause of a weakest condition says, as a sentence and in LaTeX."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.clauses import Clause, Says, Weakest
from dpcomp_sym.engine.relations import NamedParameter, X, Y
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.weakest import weakest_compatible, weakest_sensitive
from dpcomp_sym.finite import World
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
from dpcomp_sym.terms import BOOL, parse, substitute

RECORDS = Domain({"id": "R", "owner": "U", "day": "int"})
MAPS = {
    "h": library_map("partition", name="blocks"),
    "some": library_map("cover", name="blocks", m=2),
    "shifted": Map("blocks", "h(c) - i == 0", {"i": "k"}, {"h": (["cell"], "int")}),
    "sum": Map("blocks", "h(c) + 1 == i", {"i": "k"}, {"h": (["cell"], "int")}),
    "unread": Map("blocks", "day(c) == 3", {"day": "k"}),
    "loop": Map("blocks", "lab(c, i) == i", {"i": "k"}, {"lab": (["cell", "int"], "int")}),
    "keep": Map("keep", "good(c)", functions={"good": (["cell"], "bool")}),
    "third": Map("third", "day(c) == 3"),
    "grid": Map("blocks", "h(c) == i", {"i": "k", "j": "l"}, {"h": (["cell"], "int")}),
    "one": Map(
        "blocks", "m == h(c)", {"i": "k"}, {"h": (["cell"], "int")}, symbols={"m": "m >= 1"}
    ),
}
OWNER, TWO = "owner(x) == owner(y)", "owner(x) == owner(y) and x != y"
ALL, IN = r"\forall x, y \in \mathcal{X}\colon\, ", r"\mathrm{owner}(x) = \mathrm{owner}(y)"
SAID = [
    ("h", Says.TOGETHER, "true", "h is constant", ALL + "h(x) = h(y)"),
    ("h", Says.TOGETHER, OWNER, "h is constant on each owner's records",
     ALL + IN + r" \Rightarrow h(x) = h(y)"),
    ("h", Says.TOGETHER, "day(x) < day(y)",
     "h(x) == h(y) for all records x, y with day(x) < day(y)",
     ALL + r"\mathrm{day}(x) < \mathrm{day}(y) \Rightarrow h(x) = h(y)"),
    ("h", Says.ALIKE, "true", "h is constant", ALL + "I(x) = I(y)"),
    ("some", Says.ALIKE, "true", "all records lie in the same blocks", ALL + "I(x) = I(y)"),
    ("sum", Says.ALIKE, "true", "all records lie in the same blocks", ALL + "I(x) = I(y)"),
    ("sum", Says.TOGETHER, "true", "at most one block holds records", ALL + "h(x) + 1 = h(y) + 1"),
    *((name, Says.TOGETHER, "true", "at most one block holds records",
       ALL + r"\lvert I(x) \cup I(y) \rvert \le 1") for name in ("unread", "loop")),
    ("some", Says.ALIKE, "x == y", "records x, y with x == y lie in the same blocks",
     ALL + r"x = y \Rightarrow I(x) = I(y)"),
    ("some", Says.ALIKE, "day(x) == day(y)", "the records with the same day lie in the same blocks",
     ALL + r"\mathrm{day}(x) = \mathrm{day}(y) \Rightarrow I(x) = I(y)"),
    ("some", Says.TOGETHER, "x == y", "no record lies in two blocks",
     r"\forall x \in \mathcal{X}\colon\, \lvert I(x) \rvert \le 1"),
    ("some", Says.TOGETHER, "true", "at most one block holds records",
     ALL + r"\lvert I(x) \cup I(y) \rvert \le 1"),
    ("shifted", Says.TOGETHER, OWNER, "each owner's records lie in at most one block",
     ALL + IN + r" \Rightarrow \lvert I(x) \cup I(y) \rvert \le 1"),
    ("some", Says.APART, "x != y", "each block holds at most one record",
     ALL + r"x \neq y \Rightarrow I(x) \cap I(y) = \emptyset"),
    ("some", Says.APART, TWO, "of each owner's records each block holds at most one",
     ALL + IN + r" \land x \neq y \Rightarrow I(x) \cap I(y) = \emptyset"),
    ("some", Says.OUTSIDE, "true", "no record lies in a block",
     r"\forall x \in \mathcal{X}\colon\, I(x) = \emptyset"),
    ("some", Says.OUTSIDE, "day(x) >= 1", "no record x with day(x) >= 1 lies in a block",
     r"\forall x \in \mathcal{X}\colon\, \mathrm{day}(x) \ge 1 \Rightarrow I(x) = \emptyset"),
    ("keep", Says.ALIKE, "true", "of the records keep keeps all or none", ALL + "I(x) = I(y)"),
    ("keep", Says.ALIKE, "day(x) < day(y)",
     "of records x, y with day(x) < day(y) keep keeps all or none",
     ALL + r"\mathrm{day}(x) < \mathrm{day}(y) \Rightarrow I(x) = I(y)"),
    ("keep", Says.APART, "x != y", "of the records keep keeps at most one",
     ALL + r"x \neq y \Rightarrow I(x) \cap I(y) = \emptyset"),
    ("keep", Says.APART, TWO, "of each owner's records keep keeps at most one",
     ALL + IN + r" \land x \neq y \Rightarrow I(x) \cap I(y) = \emptyset"),
    ("keep", Says.OUTSIDE, "true", "keep keeps no record",
     r"\forall x \in \mathcal{X}\colon\, I(x) = \emptyset"),
    ("keep", Says.OUTSIDE, "day(x) >= 1", "keep keeps no record x with day(x) >= 1",
     r"\forall x \in \mathcal{X}\colon\, \mathrm{day}(x) \ge 1 \Rightarrow I(x) = \emptyset"),
]  # fmt: skip


def structure(granularity, mapping, inner=None, domain=RECORDS):
    part = Part("p", mapping.name, inner)
    return Structure(Problem(domain, granularity, [mapping], [part]))


def meant(relation):
    """Return a relation of the records x and y."""
    return substitute(relation, {"x": X, "y": Y})


@pytest.mark.parametrize(("name", "says", "relation", "text", "latex"), SAID)
def test_a_clause_is_said(name, says, relation, text, latex):
    mapping = structure(library_granularity("unbounded"), MAPS[name]).problem.bound_parts[0].map
    scope = RECORDS.scope().having({"x": "cell", "y": "cell"})
    covering = name in ("h", "sum")
    said = Weakest(mapping, (Clause(meant(parse(relation, scope, BOOL)), says),), covering=covering)
    assert (said.text, said.latex) == (text, latex)


def test_a_function_that_is_called_like_those_of_the_map():
    """The name of the map is in front of the names of its own functions, and of no other."""
    domain = Domain(RECORDS.attributes, functions={"blocks_of": (["U"], "int")})
    blocks = Map("blocks", "blocks_of(owner(c)) == i", {"i": "k"})
    asked = structure(library_granularity("unbounded"), blocks, domain=domain)
    mapping = asked.problem.bound_parts[0].map
    clause = Clause(parse("true", domain.scope(), BOOL), Says.TOGETHER)
    assert Weakest(mapping, (clause,), covering=False).text == "blocks_of uses at most one label"


A, B = ("R1", "U1", 0), ("R2", "U1", 5)


@pytest.mark.parametrize(
    ("says", "relation", "given", "left", "right", "holds"),
    [
        (Says.TOGETHER, "true", "", {1}, {1}, True),
        (Says.TOGETHER, "true", "", {1}, {2}, False),
        (Says.TOGETHER, "true", "", {1, 2}, {}, False),
        (Says.TOGETHER, "true", "", {}, {2}, True),
        (Says.TOGETHER, "x == y", "", {1}, {2}, True),
        (Says.TOGETHER, "day(x) > day(y) + 5", "", {1}, {2}, True),
        (Says.ALIKE, "true", "", {1, 2}, {1, 2}, True),
        (Says.ALIKE, "true", "", {1, 2}, {1}, False),
        (Says.ALIKE, "true", "", {}, {1}, False),
        (Says.APART, "x != y", "", {1}, {2}, True),
        (Says.APART, "x != y", "", {1, 2}, {2}, False),
        (Says.APART, "true", "", {1}, {2}, False),
        (Says.OUTSIDE, "day(x) >= 1", "", {1}, {}, True),
        (Says.OUTSIDE, "day(x) >= 1", "", {}, {1}, False),
        # For some value of what else is mentioned.
        (Says.TOGETHER, "day(x) < t and t < day(y)", "int", {1}, {2}, False),
        (Says.TOGETHER, "day(x) < t and t < day(y) - 4", "int", {1}, {2}, True),
        (Says.TOGETHER, "owner(x) == t and owner(y) == t", "U", {1}, {2}, False),
        (Says.TOGETHER, "owner(x) != t and owner(y) != t", "U", {1}, {2}, False),
        (Says.TOGETHER, "id(x) == t and id(y) == t", "R", {1}, {2}, True),
        (Says.TOGETHER, "t and not t", "bool", {1}, {2}, True),
        (Says.TOGETHER, "t", "bool", {1}, {2}, False),
        (Says.TOGETHER, "not t", "bool", {1}, {2}, False),
        (Says.TOGETHER, "day(t) > day(x) and x != y", "cell", {1}, {2}, False),
        (Says.TOGETHER, "day(t) > day(x) and day(t) > day(y)", "cell", {1}, {1}, True),
    ],
)
def test_a_clause_holds_in_a_world(says, relation, given, left, right, holds):
    """Two records of one owner, five days apart, in some of two blocks."""
    mapping = structure(library_granularity("unbounded"), MAPS["some"]).problem.bound_parts[0].map
    (label,) = mapping.functions
    lies = {(cell, n): True for cell, blocks in ((A, left), (B, right)) for n in blocks}
    world = World(
        RECORDS, (A, B), {"R": ("R1", "R2"), "U": ("U1", "U2")}, {label: lies}, {label: False},
        {"k": 2},
    )  # fmt: skip
    more = {"t": given} if given else {}
    scope = RECORDS.scope().having({"x": "cell", "y": "cell", **more})
    others = tuple(NamedParameter(name, name, sort) for name, sort in more.items())
    clause = Clause(meant(parse(relation, scope, BOOL)), says, others)
    assert Weakest(mapping, (clause,)).holds(world) == holds
    assert Weakest(mapping, ()).holds(world)


SPOKEN = [
    ("h", Says.TOGETHER, "true", {}, False, "h uses at most one label",
     ALL + r"h(x), h(y) \in [k] \Rightarrow h(x) = h(y)"),
    ("h", Says.TOGETHER, OWNER, {}, False, "h is constant on each owner's labelled records",
     ALL + r"h(x), h(y) \in [k] \land " + IN + r" \Rightarrow h(x) = h(y)"),
    ("third", Says.ALIKE, "true", {}, False, "of the records third keeps all or none", None),
    ("grid", Says.TOGETHER, "true", {}, True, "at most one block holds records", None),
    ("one", Says.TOGETHER, "true", {}, True, "at most one block holds records", None),
    ("some", Says.ALIKE, "day(x) == day(y) + 1", {}, False,
     "records x, y with day(x) == day(y) + 1 lie in the same blocks", None),
    ("h", Says.ALIKE, "true", {}, False, "all records lie in the same blocks", ALL + "I(x) = I(y)"),
    ("h", Says.TOGETHER, "day(x) <= t and t <= day(y)", {"t": "int"}, True,
     "h(x) == h(y) for all records x, y and every t with day(x) <= t and t <= day(y)", None),
    ("h", Says.TOGETHER, "day(x) < day(u) and day(u) < day(y)", {"u": "cell"}, False,
     "h(x) == h(y) for all labelled records x, y, u with day(x) < day(u) and day(u) < day(y)",
     None),
    ("some", Says.APART, "day(x) <= t and t <= day(y)", {"t": "int"}, False,
     "records x, y with day(x) <= t and t <= day(y) for some t lie in no common block",
     (r"\forall x, y \in \mathcal{X},\, t \in \mathbb{Z}\colon\, \mathrm{day}(x) \le t \land "
     r"t \le \mathrm{day}(y) \Rightarrow I(x) \cap I(y) = \emptyset")),
    ("some", Says.ALIKE, "day(x) == day(y)", {}, False,
     "the records with the same day lie in the same blocks", None),
    ("some", Says.APART, "day(x) == day(y)", {}, False,
     "records x, y with day(x) == day(y) lie in no common block", None),
    ("some", Says.APART, "x != y and day(x) < day(y)", {}, False,
     "records x, y with x != y and day(x) < day(y) lie in no common block", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "says", "relation", "given", "covering", "text", "latex"), SPOKEN)
def test_a_clause_about_more_is_said(name, says, relation, given, covering, text, latex):
    mapping = structure(library_granularity("unbounded"), MAPS[name]).problem.bound_parts[0].map
    scope = RECORDS.scope().having({"x": "cell", "y": "cell", **given})
    others = tuple(NamedParameter(n, n, sort) for n, sort in given.items())
    clause = Clause(meant(parse(relation, scope, BOOL)), says, others)
    said = Weakest(mapping, (clause,), covering)
    assert said.text == text
    assert latex in (None, said.latex)
    assert Weakest(mapping, (clause, clause), covering).text == f"{text} and {text}"


@pytest.mark.parametrize(
    ("outer", "inner", "text"),
    [
        ("bounded", None, "of the records keep keeps all or none"),
        ("bounded", "unbounded", "of the records keep keeps at most one"),
    ],
)
def test_what_a_filter_must_not_do(outer, inner, text):
    part = inner and library_granularity(inner)
    asked = structure(library_granularity(outer), MAPS["keep"], part)
    assert weakest_sensitive(asked, asked.problem.bound_parts[0]).text == text


@pytest.mark.parametrize(
    ("frame", "relation"),
    [
        ("t <= day(c) and day(c) < t + w", "abs(day(x) - day(y)) < w"),
        ("day(c) >= t and t + w > day(c)", "abs(day(x) - day(y)) < w"),
        ("t - w < day(c) and day(c) <= t", "day(x) < day(y) + w and day(y) < day(x) + w"),
        ("0 <= -t + day(c) and day(c) < t + w", "abs(day(x) - day(y)) < w"),
        (
            "-t <= day(c) and day(c) < w - t",
            "-day(x) < w - day(y) and -day(y) < w - day(x)",
        ),
        (
            "0 <= day(c) + t and day(c) + t < w",
            "-day(x) < w - day(y) and -day(y) < w - day(x)",
        ),
        (
            "0 <= t and t < day(c) and day(c) < t + w",
            "0 < day(x) and 0 < day(y) and day(x) - w + 1 < day(y) and day(y) - w + 1 < day(x)",
        ),
    ],
)
def test_windows_in_other_words(frame, relation):
    domain = Domain({"id": "R", "day": "int"}, symbols={"w": "w >= 2"})
    window = Granularity("window", [Edit({"t": "int"}, frame=frame)])
    asked = structure(window, MAPS["h"], domain=domain)
    found = weakest_compatible(asked, asked.problem.bound_parts[0].map)
    assert found.text == f"h(x) == h(y) for all records x, y with {relation}"


@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_an_integer_that_is_called_like_a_record(name):
    domain = Domain({"id": "R", "day": "int"}, symbols={"w": "w >= 1"})
    weeks = f"2*{name} <= day(c) and day(c) < 2*({name} + w)"
    asked = structure(
        Granularity("weeks", [Edit({name: "int"}, frame=weeks)]), MAPS["h"], domain=domain
    )
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map).text == (
        "h(x) == h(y) for all records x, y and every z with 2*z <= day(x) and "
        "day(x) < 2*(z + w) and 2*z <= day(y) and day(y) < 2*(z + w)"
    )


def test_for_which_edit_there_is_no_readable_condition():
    """One record more does no harm; after the second edit each record has what its left one had."""
    ordered = Domain({"idx": "int", "val": "V"}, cap=1, limits=[("idx(c)", 1)])
    shift = Edit(
        {"x": "cell"}, frame="idx(c) >= idx(x)", step="new == D[replace(c, idx, idx(c) - 1)]"
    )
    both = Granularity("both", [Edit({"x": "cell"}, change={"x": 1}), shift])
    asked = structure(both, MAPS["h"], domain=ordered)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map) == (
        "no readable condition was proved sufficient and necessary for edit 2"
    )


def test_where_there_is_no_weakest_condition():
    always = Map("blocks", "good(c)", {"i": "k"}, {"good": (["cell"], "bool")})
    asked = structure(library_granularity("unbounded"), always)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map) == (
        "there are no labels: the map keeps everything"
    )
    user = library_granularity("user", owner="owner")
    part = Part("p", "blocks", user, setting="common")
    asked = Structure(Problem(RECORDS, library_granularity("bounded"), [MAPS["h"]], [part]))
    assert weakest_sensitive(asked, asked.problem.bound_parts[0]) == (
        "no readable condition was proved sufficient and necessary for edit 1"
    )
    one_more = Granularity("more", [Edit({"x": "cell"}, change={"x": "1"})], directed=True)
    asked = structure(library_granularity("bounded"), MAPS["h"], one_more)
    assert weakest_sensitive(asked, asked.problem.bound_parts[0]) == (
        "the part's granularity is directed and that of the composition is not"
    )
    partition = library_map("partition")
    few = Domain({"id": "R"}, facts=["D[c] <= 2"])
    asked = structure(library_granularity("bounded"), partition, domain=few)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map) == "the class has facts"
    any_number = Domain({"id": "R"}, facts=[])  # which is not a fact
    asked = structure(library_granularity("bounded"), partition, domain=any_number)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map).text == "h is constant"
    asked = structure(
        library_granularity("bounded"), library_map("identity"), library_granularity("unbounded")
    )
    assert weakest_sensitive(asked, asked.problem.bound_parts[0]) == (
        "there are no labels: the map keeps everything"
    )
    empty = Domain({"id": "R"}, size=["size(D) == 0"])
    asked = structure(library_granularity("bounded"), library_map("cover", m=2), domain=empty)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map) == (
        "there are no two different neighbours"
    )
