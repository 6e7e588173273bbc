"""The engine against exhaustive search on random problems, more than 2,000 in all.

Nothing that is proved may fail in a small world, everything that is refuted must be confirmed by
the definitions alone, and every distance vector that occurs must be bounded by the profile.
"""

from __future__ import annotations

import pytest

from dpcomp_sym.finite.generate import describe, generate
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer_within

PROBLEMS = 2400
"""So many in every run, at least 2,000 of which say something; `campaign.py` compares more."""
BATCH = 20
CHECKS = 80
"""Questions to the solver for the conditions of a problem, and as many for its profile."""
MOST_LATE = BATCH // 2
"""So many of a batch may need more for the conditions: a hang must not hide as silence."""


@pytest.mark.parametrize("first", range(0, PROBLEMS, BATCH))
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
