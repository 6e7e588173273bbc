"""The engine against exhaustive search on random problems, 2,000 in all.

Nothing that is proved may fail in a small world, everything that is refuted must be confirmed by
the definitions alone, and every distance vector that occurs must be bounded by the profile.
"""

from __future__ import annotations

import contextlib

import pytest

from dpcomp_sym.finite.generate import describe, generate
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer, limited

PROBLEMS = 2000
QUICK = 500
"""So many are compared in every run; the others with `make test-slow`."""
BATCH = 10
SECONDS = 30
"""For one problem; what takes longer says nothing."""


@pytest.mark.parametrize(
    "first",
    [
        *range(0, QUICK, BATCH),
        *(pytest.param(n, marks=pytest.mark.slow) for n in range(QUICK, PROBLEMS, BATCH)),
    ],
)
def test_the_engine_agrees_with_exhaustive_search(first):
    wrong = []
    for seed in range(first, first + BATCH):
        problem = generate(seed)
        with contextlib.suppress(LateError), limited(SECONDS):
            said = answer(problem)
            found = disagreements(problem, said)
            if found:
                wrong.append(f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found))
    assert not wrong, "\n\n".join(wrong)
