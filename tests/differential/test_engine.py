"""The engine against exhaustive search on random problems, 2,400 in all.

Nothing that is proved may fail in a small world, everything that is refuted must be confirmed by
the definitions alone, and every distance vector that occurs must be bounded by the profile.
"""

from __future__ import annotations

import itertools

import pytest
import z3

from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.smt import Query, logic
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer_within, budget
from tests.random_problems.generate import describe, generate
from tests.shares import shared

PROBLEMS = 2400
"""Most of them say something.  Every run makes a share; `campaign.py` compares more."""
BATCH = 20
CHECKS = 80
"""Questions to the solver for the conditions of a problem, and as many for its profile."""
MOST_LATE = BATCH // 2
"""So many of a batch may need more for the conditions: a hang must not hide as silence."""


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(2, range(0, PROBLEMS, BATCH)))
def test_the_engine_agrees_with_exhaustive_search(first):
    wrong, late = [], []
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        try:
            said = answer_within(problem, CHECKS)
        except LateError:
            late.append(seed)
            continue
        found = disagreements(problem, said)
        if found:
            wrong.append(f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found))
    assert not wrong, "\n\n".join(wrong)
    assert len(late) <= MOST_LATE


def test_a_question_within_a_budget_gets_no_second_try_with_more_work():
    """Without a budget ten pigeons are settled, in more than ten seconds."""
    with budget(1):
        assert pigeons(10).check() == logic.unknown
    with budget(1):
        assert pigeons(6).check() == logic.unsat


def pigeons(many):
    """Return a question that is as hard as there are many: whether one hole fewer is enough."""
    query = Query(signature_of(generate(0)), {})
    in_hole = [[z3.Bool(f"{p} in {h}") for h in range(many - 1)] for p in range(many)]
    query.add(*[logic.Or(holes) for holes in in_hole])
    for pigeon, other in itertools.combinations(in_hole, 2):
        query.add(*[logic.Not(logic.And(a, b)) for a, b in zip(pigeon, other, strict=True)])
    return query
