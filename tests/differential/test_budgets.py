"""Blocks of several maps that share a user's records, against all neighbours in small worlds."""

from collections import Counter

import pytest

from tests.differential.structured import Comparison
from tests.random_problems.budgets import budgets
from tests.random_problems.generate import describe
from tests.shares import shared

BATCHES = [[0, 1], [2, 3, 4, 5], [6, 7, 8, 9], [10, 12, 14, 15, 16]]


@pytest.mark.parametrize("seeds", shared(1, BATCHES))
def test_bounds_of_blocks_that_share_records(seeds):
    wrong, kinds = [], Counter()
    for seed in seeds:
        found = Comparison(seed, budgets(seed))
        kinds.update(found.kinds())
        wrong += [f"{describe(found.problem)}\n{said}" for said in found.wrong()]
    assert not wrong, "\n\n".join(wrong)
    assert len(seeds) < 4 or kinds["tight"]
