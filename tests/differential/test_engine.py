"""The engine against exhaustive search, on 2,000 random problems.

Nothing that is proved may fail in a small world, everything that is refuted must be confirmed by
the definitions alone, and every distance vector that occurs must be dominated by the profile.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.finite.generate import describe, generate
from tests.differential.compare import disagreements
from tests.differential.engine import answer

PROBLEMS = 2000
BATCH = 25


@pytest.mark.parametrize("first", range(0, PROBLEMS, BATCH))
def test_the_engine_agrees_with_exhaustive_search(first):
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        found = disagreements(problem, answer(problem))
        assert not found, f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found)
