"""Deliberate mistakes in the questions to the solver, and in the engine, are noticed.

A mistake that drops a condition from a question can only lose proofs: it shows as verdicts that
become unknown.  A mistake that adds one, or drops one from what must be shown, proves what is
false: it shows as a contradiction to exhaustive search.
"""

from __future__ import annotations

from itertools import islice

import pytest

pytest.importorskip("dpcomp_sym.smt")

import z3

from dpcomp_sym.finite.generate import generate
from dpcomp_sym.smt import pair as pairs
from dpcomp_sym.smt import query as queries
from dpcomp_sym.smt.pair import Pair
from tests.differential.compare import disagreements
from tests.differential.queries import answer

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


def test_cells_that_agree_on_the_first_attribute(monkeypatch):
    honest = queries.equal

    def equal(left, right):
        return honest(left[:1], right[:1]) if isinstance(left, tuple) else honest(left, right)

    monkeypatch.setattr(queries, "equal", equal)
    monkeypatch.setattr(pairs, "equal", equal)
    assert len(list(islice(contradicted(400), 2))) == 2


def test_multiplicities_below_zero(monkeypatch, right):
    warm(right, 150)
    honest = Pair._cell_facts

    def natural(fact):
        return z3.is_ge(fact) and z3.is_int_value(fact.arg(1)) and fact.arg(1).as_long() == 0

    monkeypatch.setattr(
        Pair, "_cell_facts", lambda self, cell: [f for f in honest(self, cell) if not natural(f)]
    )
    assert len(list(islice(lost(150, right), 2))) == 2


def test_no_cap(monkeypatch, right):
    warm(right, 300)
    honest = Pair._cell_facts

    def most(fact):
        return z3.is_le(fact) and z3.is_int_value(fact.arg(1))

    monkeypatch.setattr(
        Pair, "_cell_facts", lambda self, cell: [f for f in honest(self, cell) if not most(f)]
    )
    assert len(list(islice(lost(300, right), 2))) == 2


def test_no_sizes_and_limits(monkeypatch, right):
    warm(right, 150)
    monkeypatch.setattr(Pair, "_group_facts", lambda _: [])
    assert len(list(islice(lost(150, right), 2))) == 2


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
