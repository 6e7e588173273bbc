"""What a clause of a weakest condition says, as a sentence and in LaTeX."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine.clauses import Clause, Says, Weakest
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.weakest import weakest_compatible, weakest_sensitive
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
from dpcomp_sym.terms import BOOL, parse

RECORDS = Domain({"id": "R", "owner": "U", "day": "int"})
MAPS = {
    "h": library_map("partition", name="blocks"),
    "some": library_map("cover", name="blocks", m=2),
    "shifted": Map("blocks", "h(c) - i == 0", {"i": "k"}, {"h": (["cell"], "int")}),
    "keep": Map("keep", "good(c)", functions={"good": (["cell"], "bool")}),
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
    ("some", Says.ALIKE, "day(x) == day(y)", "the records with the same day lie in the same blocks",
     ALL + r"\mathrm{day}(x) = \mathrm{day}(y) \Rightarrow I(x) = I(y)"),
    ("some", Says.TOGETHER, "x == y", "no record lies in two blocks",
     ALL + r"x = y \Rightarrow \lvert I(x) \cup I(y) \rvert \le 1"),
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


@pytest.mark.parametrize(("name", "says", "relation", "text", "latex"), SAID)
def test_a_clause_is_said(name, says, relation, text, latex):
    mapping = structure(library_granularity("unbounded"), MAPS[name]).problem.bound_parts[0].map
    scope = RECORDS.scope().having({"x": "cell", "y": "cell"})
    said = Weakest(mapping, (Clause(parse(relation, scope, BOOL), says),), covering=name == "h")
    assert (said.text, said.latex) == (text, latex)


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


def test_where_there_is_no_weakest_condition():
    one_more = Granularity("more", [Edit({"x": "cell"}, change={"x": "1"})], directed=True)
    asked = structure(library_granularity("bounded"), MAPS["h"], one_more)
    assert weakest_sensitive(asked, asked.problem.bound_parts[0]) == (
        "the part's granularity is directed and that of the composition is not"
    )
    empty = Domain({"id": "R"}, size=["size(D) == 0"])
    asked = structure(library_granularity("bounded"), library_map("cover", m=2), domain=empty)
    assert weakest_compatible(asked, asked.problem.bound_parts[0].map) == (
        "there are no two different neighbours"
    )
