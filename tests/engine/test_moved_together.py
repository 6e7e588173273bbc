"""Edits that name the records they move: both databases are written down as terms, for all numbers.

Next to what is tight are problems in which one condition fails.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec
from tests.differential.compare import SCOPES, disagreements, evidence
from tests.differential.engine import answer

EXAMPLES = Path(__file__).parents[2] / "examples"
EXCHANGE = (EXAMPLES / "ordered-transposition.toml").read_text("utf-8")
OTHER = "position(y) if position(c) == position(x) else position(x)"
WHOLE = 'limits = [["position(c)", 1]]'


def pure(text):
    (bound,) = (b for b in derive(load_spec(text).problem).bounds if b.notion == "pure")
    return bound


@pytest.mark.in_turn
def test_an_exchange_at_the_border_of_two_windows():
    assert pure(EXCHANGE).tight == "yes"
    values = ["k=3", "eps=[1,4,2]"]
    spec = load_spec(EXCHANGE, values)
    found = derive(spec.problem, values=spec.values, sizes=spec.sizes)
    assert [(b.value, b.tight) for b in found.bounds if b.notion == "pure"] == [(6, "yes")]


def test_nothing_else_is_found_in_small_worlds():
    problem = load_spec(EXCHANGE.replace('length = "4"', 'length = "2"')).problem
    some = (one for one in evidence(problem, SCOPES * 8) if 0 < len(one.enumeration.pairs) <= 300)
    found = list(itertools.islice(some, 3))
    assert found
    assert not disagreements(problem, answer(problem), found)


def test_records_that_come_everywhere_are_no_database():
    """Each other value comes at a place, however many there are."""
    assert pure(EXCHANGE.replace(WHOLE, "")).tight == "yes"
    assert pure(EXCHANGE.replace(WHOLE, "").replace("new == D[", "new == 1 - D[")).tight != "yes"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Two successive positions have records only where no window ends.
        (WHOLE, 'limits = [["position(c)", 1], ["position(c) // 8", 1]]'),
        # What is exchanged comes to lie where a record is already.
        (OTHER, "position(x)"),
        # The records need others, which are not named.
        ('val(x) != val(y)"', 'val(x) != val(y) and size(D) >= 3"'),
        # No cell says how many records it has.
        ("new == D[", "new >= D["),
    ],
    ids=["limit", "same place", "guard", "no number"],
)
def test_where_the_named_records_do_not_show_it(old, new):
    assert old in EXCHANGE
    assert pure(EXCHANGE.replace(old, new)).tight != "yes"
