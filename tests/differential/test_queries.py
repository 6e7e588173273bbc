"""What the solver's questions prove holds in every small world."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.differential.compare import disagreements
from tests.differential.queries import answer
from tests.random_problems.generate import describe, generate
from tests.shares import shared

BATCH = 25


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(3, range(50_000, 50_500, BATCH)))
def test_what_is_unsatisfiable_never_happens(first):
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        found = disagreements(problem, answer(problem))
        assert not found, f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found)


@pytest.mark.in_turn
def test_a_good_part_is_proved():
    verdicts = Counter()
    for seed in range(50_000, 50_200):
        said = answer(generate(seed))
        verdicts.update([said.vacuity.verdict, *(b.verdict for b in said.blocks.values())])
    assert verdicts["vacuous"] >= 10
    assert verdicts["proved"] >= 30
