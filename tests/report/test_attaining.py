"""The theorem says at which databases a bound is attained, for all numbers of the symbols."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcomp_sym.engine.worst import ConfirmedPair, Crowd, PlacedPair
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from dpcomp_sym.profile import Symbolic
from dpcomp_sym.report.attaining import attaining_pairs
from dpcomp_sym.report.document import Items, Paragraph
from dpcomp_sym.report.latex import article
from dpcomp_sym.report.setting import label_for
from dpcomp_sym.report.webpage import page_of
from dpcomp_sym.spec import load_any, load_spec

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Derived = Callable[[str], Any]


def told(finding: Any) -> list[str]:
    """Return the pairs in the theorem."""
    found = []
    for block in attaining_pairs(finding.profile, finding.notation()):
        rows = [i[0] for i in block.items] if isinstance(block, Items) else [block]
        found += [row.text for row in rows if isinstance(row, Paragraph)]
    return found


SAID = {
    "ambulances": [
        (r"$D = \{\mathrm{ambulance1}\}$ and $D^* = \emptyset$; here $\mathrm{ambulance1}$ lies in "
        "$f_1$, $f_2$ and $f_3$; blocks that there are not are left out.")
    ],
    "bounded-partition": [
        (r"For $k = 1$, $D = \{\mathrm{record1}\}$ and $D^* = \{\mathrm{record2}\}$; here "
        r"$h(\mathrm{record1}) = 1$ and $h(\mathrm{record2}) = 1$."),
        (r"For $k \ge 2$, $D = \{\mathrm{record1}\}$ and $D^* = \{\mathrm{record2}\}$; here "
        r"$h(\mathrm{record1}) = 1$ and $h(\mathrm{record2}) = 2$."),
    ],
    "stream-w-event-days": [
        (r"$D$ holds for each $\mathrm{day} \in \{0, \dots, w - 1\}$ one record with a value of "
        r"$\mathrm{id}$ that no other record has, those with another $\mathrm{day}$ in another "
        r"block of $f$; and $D^*$ as many others of the same kind, with cells written as "
        r"$(\mathrm{id}, \mathrm{day})$.")
    ],
    "w-event-each-step": [
        (r"Let $t$ be such that the maximum is attained; then $D$ holds for every $i$ with "
        r"$t \le i < t + w$ one record $c$ with $\mathrm{day}(c) = i$; all have the same "
        r"$\mathrm{id}$, and $D^* = \emptyset$.")
    ],
    "sliding-windows-events": [
        (r"Let $\mathrm{step}(x)$ be such that the maximum is attained; then $D = \emptyset$ and "
        r"$D^* = \{x\}$.")
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_pairs_are_written_down(derived: Derived, name: str) -> None:
    assert told(derived(name)) == SAID[name]


def test_a_record_walks_as_far_as_a_symbol_says(derived: Derived) -> None:
    (said,) = told(derived("values-in-steps"))
    assert re.match(
        r"\$D = \\{\(\\mathrm\{person1\}, (\d)\)\\}\$ and "
        r"\$D\^\* = \\{\(\\mathrm\{person1\}, (\1 \+ )?s\)\\}\$, with cells",
        said,
    )


@pytest.mark.parametrize("name", ["ambulances", "bounded-partition", "users-in-teams"])
def test_pairs_are_neighbours(derived: Derived, name: str) -> None:
    finding = derived(name)
    pairs = [p for case in finding.profile.cases for _, of in case.worst for p in of]
    assert pairs
    for pair in pairs:
        assert isinstance(pair, ConfirmedPair)
        found, outer = pair.found, finding.problem.outer
        assert found.world.linking(outer, found.old, found.new) is not None
        for database in (found.old, found.new):
            assert found.world.contains(database, finding.problem.domain, found.world.cells)


def test_a_crowd_says_how_many_records_change(derived: Derived) -> None:
    (case,) = derived("user-day-limit").profile.cases
    ((_, (pair,)),) = case.worst
    (crowd,) = pair.growth
    assert isinstance(crowd, Crowd)
    assert (crowd.alike, crowd.sides) == (Symbolic("r"), 2)
    assert [str(s.number) for s in crowd.spread] == ["T"]


def test_patterns_are_written_as_terms(derived: Derived) -> None:
    (case,) = derived("strips").profile.cases
    ((_, (pair,)),) = case.worst
    assert isinstance(pair, PlacedPair)
    assert pair.shared == {"id"}


def test_times_are_different_where_functions_of_them_are() -> None:
    text = """
        title = "Blocks by what is looked up for a time"
        [domain]
        attributes = { id = "Record", person = "Person", time = "int" }
        [granularity]
        use = "user_presence"
        owner = "person"
        [[map]]
        name = "blocks"
        index = { i = "k" }
        functions = { shift = [["int"], "int"] }
        member = "i <= shift(time(c)) and shift(time(c)) < i + 2"
        [[part]]
        name = "counts"
        map = "blocks"
    """
    (said,) = told(load_spec(text).derive())
    assert r"a value of $\mathrm{time}$ that no other record has" in said
    assert "= 0$" not in said


def test_names_do_not_depend_on_the_solver() -> None:
    """What a solver was asked before decides which elements and blocks it names."""
    file = EXAMPLES / "bounded-partition.toml"
    first = told(load_any(file).derive())
    load_any(EXAMPLES / "ambulances.toml").derive()
    assert told(load_any(file).derive()) == first != []


def test_nothing_is_said_where_it_is_not_known(derived: Derived) -> None:
    finding = derived("ambulances")
    cases = tuple(replace(case, worst=()) for case in finding.profile.cases)
    unknown = replace(finding.profile, cases=cases)
    assert told(finding)
    assert attaining_pairs(unknown, finding.notation()) == []
    assert attaining_pairs(replace(unknown, cases=()), finding.notation()) == []


@pytest.mark.parametrize(("step", "full"), [("new >= old", "D^*"), ("new <= old", "D")])
def test_records_that_may_only_come_are_in_the_second_database(step: str, full: str) -> None:
    """Neighbours have a direction here: the first becomes the second."""
    finding = load_spec(f"""
        [domain]
        attributes = {{ id = "Event", day = "int" }}
        symbols = {{ w = "w >= 1" }}
        [granularity]
        name = "g"
        directed = true
        [[granularity.edit]]
        params = {{ t = "int" }}
        frame = "t <= day(c) and day(c) < t + w"
        step = "{step}"
        [[map]]
        name = "days"
        index = {{ i = "k" }}
        member = "day(c) == i"
        [[part]]
        name = "counts"
        map = "days"
        setting = "common"
        guarantee = {{ pure = "eps" }}""").derive()
    (said,) = told(finding)
    assert f"${full}$ holds for every $i$" in said


def test_blocks_that_are_only_shifted_have_no_numbers_of_choice() -> None:
    """The day with the largest parameter is what it is: neighbours of day 1 do not show it."""
    finding = load_spec("""
        [domain]
        attributes = { id = "Person", day = "int" }
        [[granularity.edit]]
        params = { x = "cell", y = "cell" }
        guard = "x != y and abs(day(x) - day(y)) <= 1"
        change = { x = 1, y = 1 }
        [[map]]
        name = "days"
        index = { i = "k" }
        member = "day(c) == i"
        [[part]]
        name = "counts"
        map = "days"
        granularity = "unbounded"
        guarantee = { pure = "eps" }""").derive()
    assert finding.bounds["pure"].tight == "yes"
    assert told(finding) == []
    assert "the largest parameters" not in article(finding.document())


def test_reports_without_titles_have_labels_of_their_own() -> None:
    """Two of them in one paper must not refer to each other's theorem."""
    labels = []
    for part in ("hourly", "lots"):
        problem = Problem(
            Domain({"id": "Record"}), library_granularity("bounded"),
            [library_map("partition", name="blocks")], [Part(part, "blocks")],
        )  # fmt: skip
        labels.append(label_for(problem, ""))
    assert labels == ["hourly-bounded", "lots-bounded"]


def test_pages_say_where_bounds_are_attained(derived: Derived) -> None:
    page = page_of(derived("ambulances"))
    assert "the bounds for pure differential privacy," in page
    assert "attained by mechanisms with the given guarantees" in page
    assert "blocks that there are not are left out" in page


def test_a_map_without_blocks_beside_a_family() -> None:
    finding = load_spec("""
        [domain]
        attributes = { person = "Person", day = "int" }
        symbols = { w = "w >= 1" }
        [[granularity.edit]]
        params = { p = "Person", t = "int" }
        frame = "person(c) == p and t <= day(c) and day(c) < t + w"
        [[map]]
        name = "daily"
        index = { i = "k" }
        member = "day(c) == i"
        [[map]]
        name = "late"
        member = "day(c) >= 1"
        [[part]]
        name = "a"
        map = "daily"
        guarantee = { pure = "eps" }
        [[part]]
        name = "b"
        map = "late"
        guarantee = { pure = "eta" }
        """).derive()
    (said,) = told(finding)
    assert "$$" not in said
    assert "and if $1 < t + w$, one record $c$ with" in said
    assert "one record" in str(page_of(finding))  # which has formulas as MathML


WEEKDAYS = """
[domain]
attributes = { id = "Record", day = "int" }
[granularity]
use = "w_event"
time = "day"
length = "3"
[[map]]
name = "blocks"
index = { i = "k" }
member = "day(c) % 7 == i - 1"
[[part]]
name = "counts"
map = "blocks"
"""


def test_only_attributes_that_there_are_have_values():
    (said,) = told(load_spec(WEEKDAYS).derive())
    assert r"\mathrm{day}(c)" in said
    assert "quotient" not in said
