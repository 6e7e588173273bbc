"""How long is searched: for blocks that change together, for neighbours that are easy to read."""

from __future__ import annotations

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine import counterexample, families
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.counting import most_changed
from dpcomp_sym.engine.profiler import search
from dpcomp_sym.engine.records import blocks_in_all
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.profile import ALL
from dpcomp_sym.smt import ViewDistance
from dpcomp_sym.smt.asking import AT_FIRST

pytestmark = pytest.mark.in_turn

RECORDS = Domain({"id": "Record", "age": "int"})
PAIRS = " or ".join(f"(i == {n} and (age(c) == {n} or age(c) == {n + 1}))" for n in range(1, 6))


def filters(use: str = "unbounded_or_bounded") -> Problem:
    """Return five maps with the records of two ages each: one record is in two of them at most."""
    maps = [Map(f"m{n}", f"age(c) == {n} or age(c) == {n + 1}") for n in range(5)]
    parts = [Part(f"p{n}", f"m{n}", guarantees={"pure": (f"e{n}",)}) for n in range(5)]
    return Problem(RECORDS, library_granularity(use), maps, parts)


def pairs() -> Problem:
    """Return the same as blocks of one map."""
    blocks = Map("blocks", PAIRS, index={"i": 5})
    part = Part("counts", "blocks", guarantees={"pure": ("eps",)}, setting="common")
    return Problem(RECORDS, library_granularity("unbounded"), [blocks], [part])


def test_what_was_not_found_once_is_worth_less_work(monkeypatch):
    """Each edit has its sets; where those of one are not found, those of the next hardly are."""
    works = []

    def found(*_args, work, **_more):
        works.append(work)

    monkeypatch.setattr(search, "changed_together", found)
    (bound,) = derive(filters()).bounds
    first, *others = works
    assert first == families.MOST_WORK
    assert others
    assert max(others) <= first // 2
    assert bound.tight != "yes"


@pytest.mark.parametrize(("seconds", "tight"), [(0, "unknown"), (families.MOST_SECONDS, "yes")])
def test_a_search_that_is_given_up_leaves_a_coarser_bound(monkeypatch, seconds, tight):
    monkeypatch.setattr(families, "MOST_SECONDS", seconds)
    (bound,) = derive(filters("unbounded")).bounds
    assert bound.tight == tight
    assert bound.tight_note.startswith("a coarser bound") == (tight == "unknown")


def test_reading_well_is_worth_little_work(monkeypatch):
    works = []
    plain = counterexample._Search.narrowed

    def narrowed(search):
        for found in plain(search):
            works.append(search.query._steps)
            yield found

    monkeypatch.setattr(counterexample._Search, "narrowed", narrowed)
    derive(pairs())
    assert works
    assert max(works) <= AT_FIRST


@pytest.mark.parametrize(("length", "most"), [("10", ALL), ("7", ALL), ("5", 5)])
def test_a_bound_of_all_blocks_counts_none(length, most):
    """Of seven blocks seven change at most: that is all of them, whichever are the largest."""
    member = " or ".join(f"(i == {n} and age(c) == {n})" for n in range(1, 8))
    blocks = Map("blocks", member, index={"i": 7})
    edits = library_granularity("w_event", time="age", length=length)
    problem = Problem(RECORDS, edits, [blocks], [Part("counts", "blocks", setting="common")])
    structure = Structure(problem)
    (edit,), mapping = structure.edits, problem.used_maps["blocks"]
    assert blocks_in_all(mapping) == 7
    assert most_changed(structure, edit, mapping) == most
    note = conditions(structure)["compatibility"].note
    assert note == f"at most {7 if most == ALL else most} blocks change"


def test_c2_is_not_asked_again_for_the_bound(monkeypatch):
    asked = []
    plain = ViewDistance.at_most

    def at_most(distance, longest, *assumptions):
        asked.append((distance.view.pair.edit, longest))
        return plain(distance, longest, *assumptions)

    monkeypatch.setattr(ViewDistance, "at_most", at_most)
    blocks = Map("blocks", "age(c) == i", index={"i": "k"})
    part = Part("counts", "blocks", guarantees={"pure": ("eps",)})
    (bound,) = derive(Problem(RECORDS, library_granularity("unbounded"), [blocks], [part])).bounds
    assert (bound.text, bound.tight) == ("max(eps[i])", "yes")
    assert [longest for _, longest in asked] == [1]


@pytest.mark.parametrize(("last", "loss"), [("age(c) == 7", 5), ("age(c) != age(c)", 0)])
def test_one_block_of_forty_that_can_hold_a_record(last, loss):
    """It is none of the few that are tried first, and where there is none, nothing is lost."""
    member = " or ".join(f"(i == {n} and age(c) < {n} and age(c) > {n})" for n in range(1, 40))
    blocks = Map("blocks", f"{member} or (i == 40 and {last})", index={"i": 40})
    part = Part("counts", "blocks")
    of = Problem(RECORDS, library_granularity("unbounded"), [blocks], [part])
    (bound, *_) = derive(of, values={"eps": [1] * 39 + [5]}).bounds
    assert (bound.value, bound.tight) == (loss, "yes")
