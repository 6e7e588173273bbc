"""Blocks of several maps that share a user's records, against all neighbours in small worlds."""

from collections import Counter

import pytest

from tests.differential.structured import Comparison
from tests.random_problems.budgets import budgets
from tests.random_problems.generate import describe
from tests.shares import shared

BATCH = 5


@pytest.mark.parametrize("first", shared(1, range(0, 60, BATCH)))
def test_bounds_of_blocks_that_share_records(first):
    wrong, kinds = [], Counter()
    for seed in range(first, first + BATCH):
        found = Comparison(seed, budgets(seed))
        kinds.update(found.kinds())
        wrong += [f"{describe(found.problem)}\n{said}" for said in found.wrong()]
    assert not wrong, "\n\n".join(wrong)
    assert kinds["tight"]
