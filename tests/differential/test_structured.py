"""Random problems with structured blocks: their bounds against all neighbours in small worlds.

``python -m tests.differential.campaign --structured --count 5000`` compares many more.
"""

import random
from collections import Counter

import pytest

from tests.differential.compare import Claim, contradicted, random_numbers
from tests.differential.structured import Comparison
from tests.random_problems.generate import describe
from tests.random_problems.structured import either, tables
from tests.shares import shared

PROBLEMS = 400
EITHER = 200
BATCH = 40


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, PROBLEMS, BATCH)))
def test_bounds_of_structured_blocks(first):
    wrong, kinds = [], Counter()
    for seed in range(first, first + BATCH):
        found = Comparison(seed)
        kinds.update(found.kinds())
        wrong += [f"{describe(found.problem)}\n{said}" for said in found.wrong()]
    assert not wrong, "\n\n".join(wrong)
    assert kinds["tight"] >= BATCH // 3
    assert kinds["a pattern"]
    assert kinds["named blocks"]


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", shared(1, [[1, 9, 11, 12, 4], *([n] for n in range(40))]))
def test_bounds_of_tables(seeds):
    for seed in seeds:
        found = Comparison(seed, tables(seed))
        assert not found.wrong(), describe(found.problem)


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, EITHER, BATCH)))
def test_bounds_where_neighbours_differ_in_one_of_two_ways(first):
    wrong, kinds = [], Counter()
    for seed in range(first, first + BATCH):
        found = Comparison(seed, either(seed))
        kinds.update(found.kinds())
        wrong += [f"{describe(found.problem)}\n{said}" for said in found.wrong()]
    assert not wrong, "\n\n".join(wrong)
    assert kinds["tight"] >= BATCH // 3


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6, 7, 8])
def test_a_bound_that_is_too_small_or_called_tight_too_soon_is_found(seed):
    """A tight bound less one is too small, and one more is not needed."""
    found = Comparison(seed)
    numbers = random_numbers(found.problem, next(found.drawn.worlds()), random.Random(1))
    pure = found.claims(numbers)[0]
    for change, said in ((-1, "above"), (1, "no neighbours need")):
        claim = Claim("pure", pure.value + change, tight=True)
        wrong = contradicted(found.problem, found.evidence(), [(numbers, [claim])])
        assert not pure.tight or said in wrong[0]
