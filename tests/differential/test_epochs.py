"""Few records in each epoch, or on each weekday: bounds against all neighbours in small worlds."""

from collections import Counter

import pytest

from tests.differential.structured import Comparison
from tests.random_problems.generate import describe
from tests.random_problems.structured import epochs
from tests.shares import shared

PROBLEMS = 160
BATCH = 20


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, PROBLEMS, BATCH)))
def test_bounds_of_few_records_in_each_epoch(first):
    wrong, kinds = [], Counter()
    for seed in range(first, first + BATCH):
        found = Comparison(seed, epochs(seed))
        kinds.update(found.kinds())
        wrong += [f"{describe(found.problem)}\n{said}" for said in found.wrong()]
    assert not wrong, "\n\n".join(wrong)
    assert kinds["tight"] >= BATCH // 3
    assert kinds["a pattern"]
