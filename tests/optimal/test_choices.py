"""The worst choice of blocks against all choices."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from dpcomp_sym.optimal import choices as module
from dpcomp_sym.optimal.choices import worst_choices
from dpcomp_sym.optimal.compare import Comparison
from dpcomp_sym.optimal.curve import SeenPart, compose
from dpcomp_sym.optimal.touched import TouchedBlocks
from dpcomp_sym.profile import INFINITY

MANY = [Fraction(1, n + 1) for n in range(4000)]
TARGETS = [Fraction(0), Fraction(1, 4), Fraction(1), Fraction(2)]


@pytest.mark.parametrize("deltas", [[0], [0, 1, 3]])
def test_one_part_outdoes_parts_that_take_no_more_steps(deltas):
    """Compared with the curves themselves; more steps, or one larger number, are not outdone."""
    rng = random.Random(len(deltas))
    outdone = 0
    for _ in range(300):
        parts, (one,) = (
            [
                SeenPart(
                    Fraction(rng.randint(1, 6), 4), Fraction(rng.choice(deltas), 40),
                    rng.randint(1, most),
                )
                for _ in range(rng.randint(1, 3) if most < 4 else 1)
            ]
            for most in (2, 6)
        )  # fmt: skip
        if module._outdone(parts, [one]):
            outdone += len(parts) > 1
            curves = compose(Counter(parts)), compose({one: 1})
            assert all(curves[0].at_least(t) <= curves[1].at_most(t) for t in TARGETS)
    assert outdone > 5
    pure, twice = (SeenPart(Fraction(1), Fraction(0), n) for n in (1, 2))
    assert module._outdone([pure, pure], [twice])
    assert not module._outdone([pure, twice], [twice])
    assert not module._outdone([pure, pure], [SeenPart(Fraction(2), Fraction(0), 1)])
    assert not module._outdone([pure, SeenPart(Fraction(1), Fraction(1, 9), 1)], [twice])
    assert not module._outdone([pure, pure], [replace(twice, directed=True)])


def every_choice(touched):
    """All ways to give different blocks to the places of the groups (brute force)."""
    places = [rs for count, rs in touched.groups for _ in range(count)]
    places = places[: max(touched.count, len(places))]
    found = set()
    for order in permutations(range(max(touched.count, len(places))), len(places)):
        parts = Counter()
        for block, rs in zip(order, places, strict=True):
            if block < touched.count:
                for name, r in rs.items():
                    eps, delta = (c[block] for c in touched.columns[name])
                    parts[SeenPart(eps, delta, r)] += 1
        found.add(frozenset(parts.items()))
    return [dict(c) for c in found]


def random_blocks(rng, parts, groups):
    n = rng.randint(1, 5)
    columns = {
        name: (
            [Fraction(rng.randint(0, 6), 4) for _ in range(n)],
            [Fraction(rng.choice([0, 0, 1, 2, 5]), 20) for _ in range(n)],
        )
        for name in parts
    }
    rows = tuple(
        (rng.randint(1, 2), {name: rng.randint(1, 2) for name in parts}) for _ in range(groups)
    )
    return TouchedBlocks(rows, columns, n)


@pytest.mark.parametrize(("parts", "groups"), [("a", 1), ("a", 2), ("ab", 1), ("ab", 2)])
def test_the_worst_choice_is_among_them(parts, groups):
    rng = random.Random(len(parts) * 10 + groups)
    for _ in range(15):
        touched = random_blocks(rng, parts, groups)
        found = worst_choices([[touched]])
        assert found.complete
        compared = Comparison("approximate", found)
        curves = [compose(c) for c in every_choice(touched)]
        for eps in TARGETS:
            true = max(c.delta(eps).high for c in curves)
            assert abs(compared.delta(eps).high - true) < Fraction(1, 10**60)


@pytest.mark.parametrize(("parts", "groups"), [("a", 1), ("a", 2), ("ab", 1)])
def test_where_there_are_too_many_the_bounds_enclose(parts, groups, monkeypatch):
    monkeypatch.setattr(module, "_WORK", 1)
    rng = random.Random(groups)
    incomplete = 0
    for _ in range(25):
        touched = random_blocks(rng, parts, groups)
        found = worst_choices([[touched]])
        compared = Comparison("approximate", found, "" if found.complete else "too many")
        incomplete += not compared.exact
        curves = [compose(c) for c in every_choice(touched)]
        for eps in TARGETS:
            true, said = max(c.delta(eps).high for c in curves), compared.delta(eps)
            assert said.low <= true <= said.high + Fraction(1, 10**60)
    assert incomplete > 3


def test_the_worst_pair_of_databases_depends_on_the_target():
    """Parts (1,0), (.2,.05), (.9,.01), (.5,.03), two of them: no order by ε or by δ is right."""
    eps = [Fraction(1), Fraction(1, 5), Fraction(9, 10), Fraction(1, 2)]
    delta = [Fraction(0), Fraction(1, 20), Fraction(1, 100), Fraction(3, 100)]
    touched = TouchedBlocks(((2, {"m": 1}),), {"m": (eps, delta)}, 4)
    compared = Comparison("approximate", worst_choices([[touched]]))
    for target, worst in ((Fraction(0), (0, 1)), (Fraction(1, 2), (0, 2))):
        by_pair = {
            pair: compose({SeenPart(eps[i], delta[i]): 1 for i in pair}).delta(target).high
            for pair in combinations(range(4), 2)
        }
        assert max(by_pair, key=by_pair.get) == worst
        assert compared.delta(target).high == by_pair[worst]


def test_a_million_blocks_with_one_parameter_are_a_few():
    eps = [Fraction(1, n) for n in range(1, 60_002)]
    touched = TouchedBlocks(((3, {"m": 1}),), {"m": (eps, 0)}, len(eps))
    (choice,) = worst_choices([[touched]]).above
    assert sorted(choice) == [SeenPart(Fraction(1, n), Fraction(0)) for n in (3, 2, 1)]


def test_equal_blocks_are_counted():
    touched = TouchedBlocks(((10, {"m": 2}),), {"m": (Fraction(1), 0)}, 7)
    assert worst_choices([[touched]]).above == (
        Counter({SeenPart(Fraction(1), Fraction(0), 2): 7}),
    )


@pytest.mark.parametrize(
    "touched",
    [
        TouchedBlocks(((1, {"m": INFINITY}),), {"m": (1, 0)}, 1),
        TouchedBlocks(((1, {"m": Fraction(1, 2)}),), {"m": (1, 0)}, 1),
        TouchedBlocks(((1, {"m": 1}),), {"m": (float("inf"), 0)}, 1),
        TouchedBlocks(((1, {"m": 1}),), {"m": ([1, float("inf")], 0)}, 2),
        TouchedBlocks(((4000, {"m": 1}),), {"m": (MANY,)}, 4000),
    ],
)  # fmt: skip
def test_what_has_no_curve(touched):
    assert worst_choices([[touched]]) is None


def test_several_maps_and_vectors():
    first = TouchedBlocks(((1, {"m": 1}),), {"m": ([Fraction(1), Fraction(2)],)}, 2)
    second = TouchedBlocks(((1, {"n": 1}),), {"n": (Fraction(3), Fraction(1, 10))}, 1)
    found = worst_choices([[first, second], [second]])
    top = Counter(
        {SeenPart(Fraction(2), Fraction(0)): 1, SeenPart(Fraction(3), Fraction(1, 10)): 1}
    )
    assert top in found.above
    assert Comparison("approximate", found).basic == (5, Fraction(1, 10))
