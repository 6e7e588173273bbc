"""All that the solver is told of neighbours is true of those of small worlds."""

from __future__ import annotations

import random

import pytest

from tests.differential.models import excluded, invented, neighbours
from tests.random_problems.generate import describe, generate
from tests.shares import shared

BATCH = 10


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(90_000, 90_200, BATCH)))
def test_neighbours_are_models(first):
    seen = 0
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        rng = random.Random(seed)
        for given in neighbours(problem, rng):
            found = [*excluded(problem, given, rng), *invented(problem, given, rng)]
            assert not found, f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found)
            seen += 1
    assert seen >= BATCH
