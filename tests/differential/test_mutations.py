"""Deliberate mistakes in the questions to the solver, and in the engine, are noticed.

A mistake that drops a condition from a question can only lose proofs: it shows as verdicts that
become unknown.  A mistake that adds one, or drops one from what must be shown, proves what is
false: it shows as a contradiction to exhaustive search.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import islice

import pytest
import z3

from dpcomp_sym.engine import distances as distances_module
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.smt import pair as pairs
from dpcomp_sym.smt import query as queries
from dpcomp_sym.smt.pair import Pair
from dpcomp_sym.smt.paths import ViewDistance
from dpcomp_sym.terms import TRUE
from tests.differential import engine
from tests.differential.compare import Answer, Said, disagreements, evidence
from tests.differential.engine import LateError, limited
from tests.differential.queries import answer
from tests.random_problems.generate import generate

FIRST = 60_000


def contradicted(count, said=answer):
    """Yield the problems on which the mistaken reading contradicts exhaustive search."""
    for seed in range(FIRST, FIRST + count):
        problem = generate(seed)
        if disagreements(problem, said(problem)):
            yield seed


def lost(count, right, said=answer):
    """Yield the problems on which something is not proved any more."""
    for seed in range(FIRST, FIRST + count):
        now, before = said(generate(seed)), right[seed]
        kept = [now.vacuity.verdict == before.vacuity.verdict]
        kept += [v.verdict == before.blocks[n].verdict for n, v in now.blocks.items()]
        if not all(kept):
            yield seed


@pytest.fixture(scope="module")
def right():
    class Lazily(dict):
        def __missing__(self, seed):
            self[seed] = answer(generate(seed))
            return self[seed]

    return Lazily()


def warm(right, count):
    """Answer before anything is broken."""
    for seed in range(FIRST, FIRST + count):
        _ = right[seed]


@pytest.mark.in_turn
def test_cells_that_agree_on_the_first_attribute(monkeypatch):
    honest = queries.equal

    def equal(left, right):
        return honest(left[:1], right[:1]) if isinstance(left, tuple) else honest(left, right)

    monkeypatch.setattr(queries, "equal", equal)
    monkeypatch.setattr(pairs, "equal", equal)
    assert len(list(islice(contradicted(400), 2))) == 2


@pytest.mark.in_turn
def test_multiplicities_below_zero(monkeypatch, right):
    warm(right, 150)
    honest = Pair._cell_facts

    def natural(said):
        fact = said.formula
        return z3.is_ge(fact) and z3.is_int_value(fact.arg(1)) and fact.arg(1).as_long() == 0

    monkeypatch.setattr(
        Pair, "_cell_facts", lambda self, cell: [f for f in honest(self, cell) if not natural(f)]
    )
    assert len(list(islice(lost(150, right), 2))) == 2


@pytest.mark.in_turn
def test_no_cap(monkeypatch, right):
    warm(right, 300)
    honest = Pair._cell_facts

    def most(said):
        fact = said.formula
        return z3.is_le(fact) and z3.is_int_value(fact.arg(1))

    monkeypatch.setattr(
        Pair, "_cell_facts", lambda self, cell: [f for f in honest(self, cell) if not most(f)]
    )
    assert len(list(islice(lost(300, right), 2))) == 2


@pytest.mark.in_turn
def test_no_sizes_and_limits(monkeypatch, right):
    warm(right, 150)
    monkeypatch.setattr(Pair, "_group_facts", lambda _: [])
    assert len(list(islice(lost(150, right), 2))) == 2


@pytest.mark.in_turn
def test_the_facts_of_a_map_are_ignored(monkeypatch, right):
    warm(right, 400)
    honest = Pair._cell_facts

    def without(self, cell):
        maps, self.maps = self.maps, ()
        try:
            return honest(self, cell)
        finally:
            self.maps = maps

    monkeypatch.setattr(Pair, "_cell_facts", without)
    assert len(list(islice(lost(400, right), 1))) == 1


def test_a_frame_that_changes_nothing(monkeypatch):
    honest = Pair._cell_facts

    def still(self, cell):
        same = [self.old(cell) == self.new(cell)] if self.edit.frame is not None else []
        return honest(self, cell) + same

    monkeypatch.setattr(Pair, "_cell_facts", still)
    assert len(list(islice(contradicted(100), 2))) == 2


def test_points_that_never_coincide(monkeypatch):
    honest = Pair.__init__

    def apart(self, query, edit, maps, **more):
        honest(self, query, edit, maps, **more)
        for number, point in enumerate(self.points):
            for other in self.points[:number]:
                query.add(z3.Not(queries.equal(point, other)))

    monkeypatch.setattr(Pair, "__init__", apart)
    assert len(list(islice(contradicted(1500), 1))) == 1


# -------------------------------------------------------------------- the engine


def far(count, suits=lambda _: True):
    """Yield problems in which some part sees neighbours farther than 1, or outside its class."""
    for seed in range(FIRST, FIRST + count):
        problem = generate(seed)
        if not suits(problem):
            continue
        known = list(evidence(problem))
        bold = Answer(
            Said("unknown"), distances={p.name: Said("proved") for p in problem.bound_parts}
        )
        if disagreements(problem, bold, known):
            yield problem, known


def contradictions(problems):
    """Yield the contradictions to what the engine says of C2, of each problem that has some."""
    for problem, known in problems:
        with contextlib.suppress(LateError), limited(10):
            found = disagreements(problem, engine.distances(problem), known)
            if found:
                yield found


def first_contradiction(problems):
    """Return the first contradiction to what the engine says of C2."""
    return next(contradictions(problems), None)


@pytest.mark.in_turn
def test_inner_guards_are_forgotten(monkeypatch):
    honest = ViewDistance.__init__

    def careless(self, view, granularity, **more):
        edits = tuple(replace(e, guard=TRUE) for e in granularity.edits)
        honest(self, view, replace(granularity, edits=edits), **more)

    def guarded(problem):
        return any(
            p.setting == "separate" and any(e.guard != TRUE for e in p.granularity.edits)
            for p in problem.bound_parts
        )

    problems = list(islice(far(400, guarded), 60))
    monkeypatch.setattr(ViewDistance, "__init__", careless)
    assert first_contradiction(problems)


@pytest.mark.in_turn
def test_the_class_of_a_part_is_forgotten(monkeypatch):
    def classes(problem):
        return any(not p.default_class for p in problem.bound_parts)

    problems = list(islice(far(600, classes), 30))
    monkeypatch.setattr(Structure, "range", lambda _self, _part: Proved())
    assert first_contradiction(problems)


@pytest.mark.in_turn
def test_every_count_is_taken_for_an_invariant(monkeypatch):
    """The evaluator, which looks for a short path all the same, lets none of it out."""

    def believed(self, found, part, index, most, *, reverse):
        return self.bracket(found, part, index, reverse=reverse).lower > most

    problems = [(problem, []) for problem in map(generate, range(FIRST + 90, FIRST + 110))]
    monkeypatch.setattr(distances_module, "_kept", lambda *_: True)
    assert first_contradiction(problems) is None
    monkeypatch.setattr(Structure, "_farther", believed)
    assert len(list(islice(contradictions(problems), 2))) == 2
