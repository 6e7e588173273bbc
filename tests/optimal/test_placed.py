"""Composition in numbers where integers tell which blocks change together."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import dpcomp_sym as dp
from dpcomp_sym.optimal.choices import worst_choices
from dpcomp_sym.optimal.curve import SeenPart, compose
from dpcomp_sym.optimal.touched import TouchedBlocks


def derived(name, **numbers):
    return dp.load(f"examples/{name}.toml").derive().subs(**numbers)


def losses(found):
    return sorted(sorted((p.eps, p.steps) for p in c.elements()) for c in found.choices.above)


@pytest.mark.parametrize(
    ("name", "numbers", "together"),
    [
        ("w-event-each-step", {"w": 2, "k": 4, "eps": [5, 1, 1, 5]}, [[(1, 1), (5, 1)]]),
        ("w-event-each-step", {"w": 9, "k": 3, "eps": [5, 1, 2]}, [[(1, 1), (2, 1), (5, 1)]]),
        ("w-event-each-step", {"w": 1, "k": 1, "eps": [3]}, [[(3, 1)]]),
        ("sliding-windows-events", {"k": 5, "eps": [5, 1, 1, 1, 5]}, [[(1, 1), (1, 1), (5, 1)]]),
        ("strips", {"k": 4, "eps": [5, 1, 2, 5]}, [[(2, 1), (5, 1)]]),
        # Any two windows of two steps: not all five blocks.
        (
            "sliding-windows-user", {"L": 2, "k": 5, "eps": [5, 1, 1, 1, 5]},
            [[(1, 1), (1, 1), (5, 1), (5, 1)]],
        ),
        ("hierarchy-tree", {"eps": [1, 2, 3, 4, 5, 6, 7]}, [[(1, 1), (3, 1), (7, 1)]]),
        # Four steps in blocks of three: two steps of a block are seen as two changes.
        (
            "w-event-days-of-events", {"k": 3, "eps": [1, 2, 3]},
            [[(2, 1), (3, 3)], [(2, 2), (3, 2)], [(2, 3), (3, 1)]],
        ),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)  # fmt: skip
def test_the_optimum_is_over_what_changes_together(name, numbers, together):
    found = derived(name, **numbers).comparison
    assert found.exact
    assert losses(found) == sorted(together)
    basic = max(sum(eps * r for eps, r in one) for one in together)
    assert found.basic == (basic, 0)
    target = Fraction(1, 1000)
    at_most = max(
        compose(Counter(SeenPart(Fraction(eps), Fraction(0), r) for eps, r in one))
        .epsilon_at_most(target)
        for one in together
    )  # fmt: skip
    assert found.epsilon(target).high == at_most < basic


def test_the_largest_total_need_not_be_the_worst_at_a_delta():
    """Two of 3/4 add up to more than 5/4 and 1/8, of which more is left at a large delta."""
    eps = ["3/4", "3/4", 0, "5/4", "1/8"]
    found = derived("w-event-each-step", w=2, k=5, eps=eps).comparison
    assert found.basic[0] == Fraction(3, 2)
    assert losses(found) == [[(Fraction(1, 8), 1), (Fraction(5, 4), 1)], [(Fraction(3, 4), 1)] * 2]
    even, uneven = sorted(
        map(compose, found.choices.above), key=lambda c: c.at_most(Fraction(5, 4)), reverse=True
    )
    for delta, worst in ((Fraction(1, 10), even), (Fraction(3, 10), uneven)):
        assert found.epsilon(delta).high == worst.epsilon_at_most(delta)


def test_pairs_in_windows_get_an_exact_delta():
    steps = dp.Domain(step=int)
    d = dp.derive(
        steps, "w_event(step, 2)",
        releases=dp.blocks("step(c) == i", approximate=("eps", "delta")),
    ).subs(k=3, eps=1, delta=[0, "1/10", "1/5"])  # fmt: skip
    assert d.bound("approximate").value == (2, Fraction(3, 10))
    row = d.comparison.at_epsilon(Fraction(2))
    assert row.optimal.low <= 1 - Fraction(9, 10) * Fraction(4, 5) <= row.optimal.high
    assert d.bound("approximate").tight == "no"


def test_choices_that_others_outdo_are_left_out():
    blocks = [
        [TouchedBlocks(((1, {"m": 1}),), {"m": (Fraction(eps),)}, 1)] for eps in range(1, 1001)
    ]
    assert [p.eps for c in worst_choices(blocks).above for p in c] == [1000]


def test_too_much_is_not_composed(tmp_path):
    d = derived("w-event-each-step", w=2, k=5000, eps=lambda i: 1 / i)
    assert d.comparison is None
    with pytest.raises(dp.InputError, match="there is too much to compose exactly"):
        d.save(tmp_path / "much.svg")


def test_numbers_that_are_no_fractions_are_said_to_be_enclosed():
    blocks = dp.Domain(id="Record")
    d = dp.derive(blocks, "unbounded", counts=dp.partition(pure="eps")).subs(k=3, eps="log(2)")
    assert d.comparison.note == "numbers that are no fractions are enclosed"
    assert not d.comparison.exact
