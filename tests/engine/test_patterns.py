"""What is larger than what, against plain numbers in the place of the symbols."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcomp_sym.engine.patterns import Order, Slot, descending, dominates, fits, join, merged, plus
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    Case,
    Group,
    KRange,
    Symbolic,
    Total,
    is_at_most,
    product_of,
    sum_of,
)

BLOCKS = 6  # of the map, so many that all others can change, too
VALUES = [{"m": m, "s": s} for m in (1, 2) for s in (1, 3)]

symbolic = st.builds(Symbolic, st.sampled_from("ms"), st.integers(1, 2))
products = st.builds(
    Symbolic, st.sampled_from("ms"), st.integers(1, 3), st.sampled_from([(), ("m",)])
)
sums = st.lists(st.one_of(st.integers(0, 4), products), max_size=4).map(sum_of)
distances = st.one_of(st.integers(1, 3), symbolic, sums, st.just(INFINITY))
counts = st.one_of(
    st.integers(1, 2),
    st.sampled_from([Symbolic("m", 1), Symbolic("m", 2), ALL]),
    st.sampled_from([sum_of([Symbolic("m"), 1]), sum_of([Symbolic("m"), Symbolic("s")])]),
)


def rows(count=counts, far=distances):
    return st.lists(st.tuples(count, st.tuples(far, far)), min_size=1, max_size=3)


numbers = rows(st.integers(1, 2), st.one_of(st.integers(1, 3), st.just(INFINITY)))


def number(value, symbols):
    if isinstance(value, Symbolic | Total):
        return value.at(symbols)
    return BLOCKS if value == ALL else 99 if value == INFINITY else value


def blocks(found, symbols):
    return [
        tuple(number(r, symbols) for r in seen)
        for count, seen in found
        for _ in range(number(count, symbols))
    ]


@given(sums, sums, st.lists(sums, max_size=2))
@settings(max_examples=300, deadline=None)
def test_sums_and_products_are_what_they_are_in_numbers(left, right, factors):
    for symbols in VALUES:
        both = number(left, symbols), number(right, symbols)
        assert number(sum_of([left, right]), symbols) == sum(both)
        many = [number(n, symbols) for n in factors]
        assert number(product_of([left, *factors]), symbols) == math.prod([both[0], *many])
        if isinstance(left, Symbolic | Total):
            part = {"m": symbols["m"]}
            assert number(left.given(part), symbols) == both[0]
        if is_at_most(left, right):
            assert both[0] <= both[1]
    assert is_at_most(left, sum_of([right, left]))
    assert is_at_most(left, product_of([2, left]))


def below(small, large):
    return len(small) == len(large) and all(a <= b for a, b in zip(small, large, strict=True))


def fit(small, large):
    """Whether each block on the left fits into one of its own on the right."""
    if not small:
        return True
    return any(
        below(small[0], other) and fit(small[1:], large[:n] + large[n + 1 :])
        for n, other in enumerate(large)
    )


@given(rows(), rows())
@settings(max_examples=150, deadline=None)
def test_what_is_larger_is_so_for_all_numbers(left, right):
    if dominates({"blocks": left}, {"blocks": right}):
        for symbols in VALUES:
            small = blocks(right, symbols)
            if len(small) <= BLOCKS:
                assert fit(small, blocks(left, symbols))


@given(numbers, numbers)
@settings(max_examples=100, deadline=None)
def test_numbers_are_compared_exactly(left, right):
    slots = [[Slot("blocks", *row) for row in found] for found in (right, left)]
    expected = fit(blocks(right, {}), blocks(left, {}))
    assert dominates({"blocks": left}, {"blocks": right}) == expected
    assert fits(*slots) == expected


@given(rows())
def test_each_is_as_large_as_itself(found):
    assert dominates({"blocks": found}, {"blocks": found[::-1]})


S, TWO_S, M = Symbolic("s"), Symbolic("s", 2), Symbolic("m")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(1, (2,))], [(1, (1,))]),
        ([(1, (TWO_S,))], [(1, (2,))]),
        ([(1, (TWO_S,))], [(1, (S,))]),
        ([(1, (INFINITY,))], [(1, (S,))]),
        ([(Symbolic("m", 2), (1,))], [(M, (1,))]),
        ([(M, (2,))], [(M, (1,))]),
        ([(ALL, (2,))], [(M, (1,)), (3, (2,))]),
        ([(ALL, (1, 2)), (ALL, (2, 1))], [(M, (1, 1)), (ALL, (2, 1)), (1, (1, 2))]),
        ([(M, (1,)), (1, (3,))], [(M, (1,))]),
    ],
)
def test_larger(left, right):
    assert dominates({"blocks": left}, {"blocks": right})
    assert not dominates({"blocks": right}, {"blocks": left})


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(M, (1,))], [(2, (1,))]),
        ([(M, (1,))], [(S, (1,))]),
        ([(M, (1,))], [(1, (1,)), (M, (1,))]),
        ([(1, (2,)), (1, (S,))], [(1, (2,)), (1, (2,))]),
        ([(1, (1, 2)), (1, (2, 1))], [(1, (2, 2))]),
    ],
)
def test_not_larger(left, right):
    assert not dominates({"blocks": left}, {"blocks": right})


def test_maps_are_compared_one_by_one():
    small, large = {"a": [(1, (1,))]}, {"a": [(1, (1,))], "b": [(1, (1,))]}
    assert dominates(large, small)
    assert not dominates(small, large)


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        (None, M, M),
        (1, 2, 3),
        (M, Symbolic("m", 2), Symbolic("m", 3)),
        (M, S, sum_of([M, S])),
        (M, 1, sum_of([M, 1])),
        (1, M, sum_of([M, 1])),
        (ALL, 1, ALL),
        (M, ALL, ALL),
    ],
)
def test_sums_of_counts(left, right, total):
    assert plus(left, right) == total


@pytest.mark.parametrize(
    ("seen", "top"),
    [
        ([(1, 3), (2, 1)], (2, 3)),
        ([(1,), (S,)], (S,)),
        ([(TWO_S,), (2,)], (TWO_S,)),
        ([(2,), (S,)], (INFINITY,)),
        ([(200,), (S,)], (INFINITY,)),
        ([(S,), (M,)], (INFINITY,)),
        ([(S,), (INFINITY,)], (INFINITY,)),
    ],
)
def test_the_largest_of_some_distances_is_at_least_each(seen, top):
    assert join(seen) == top


@given(st.lists(st.tuples(distances, distances), min_size=1, max_size=4))
def test_what_joins_distances_is_above_them(found):
    top = join(found)
    for symbols, seen in itertools.product(VALUES, found):
        assert below(*blocks([(1, seen), (1, top)], symbols))


def test_the_farthest_come_first():
    seen = [(1, 1), (1, S), (S, 1), (INFINITY, 1), (2, 1), (TWO_S, 1), (1, 2)]
    assert sorted(seen, key=descending) == [
        (INFINITY, 1), (TWO_S, 1), (S, 1), (2, 1), (1, S), (1, 2), (1, 1)
    ]  # fmt: skip


def test_ways_to_touch_a_map_from_the_largest_on():
    found = [
        (Slot("blocks", count, (r,), frozenset({point})),)
        for count, r, point in [(1, 1, 0), (1, 2, 0), (2, 1, 0), (2, 1, 1), (1, 1, 1)]
    ]
    order = Order(found)
    assert order.tops() == [1, 2]
    assert order.below(1) == [0]
    assert order.below(2) == [0]
    assert order.alike(2) == [found[2], found[3]]
    assert order.below(0) == []
    assert order.alike(0) == [found[0], found[4]]


def case(low, high, *vectors, attained=True):
    """A case of vectors, each of rows of a number of blocks, their distances and a map."""
    found = []
    for vector in vectors:
        rows = [(*row, "b")[:3] for row in vector]
        found.append(tuple(Group(name, count, (("p", r),)) for count, r, name in rows))
    return Case((KRange("k", low, high),), tuple(found), attained)


@pytest.mark.parametrize(
    ("small", "tail", "low"),
    [
        (case(1, 1, [(1, 1)]), case(2, None, [(2, 1)]), 1),
        (case(1, 1, [(1, 2)]), case(2, None, [(2, 1)]), 2),
        (case(1, 1, [(1, 1)], attained=False), case(2, None, [(2, 1)]), 2),
        (case(1, 1, [(1, 2)]), case(2, None, [(1, 2)], [(2, 1)]), 1),
        (case(1, 1, [(1, 1)]), case(2, None, [(1, 2)], [(2, 1)]), 2),
        (case(1, 1, [(1, S)]), case(2, None, [(1, S)], [(2, S)]), 1),
        (case(1, 1, [(1, S)]), case(2, None, [(1, S)], [(2, 1)]), 1),
        (case(1, 1, [(1, S)]), case(2, None, [(1, S)], [(2, 2)]), 2),
        (case(1, 1, [(1, INFINITY)]), case(2, None, [(1, INFINITY)], [(2, S)]), 1),
        (case(2, 2, [(2, 1)]), case(3, None, [(3, 1)]), 2),
        (case(2, 2, [(1, 1)]), case(3, None, [(3, 1)]), 3),
        (case(1, 1, [(ALL, 1)]), case(2, None, [(ALL, 1)]), 1),
        (case(1, 1, [(1, 2)], [(1, 2, "c")]), case(2, None, [(1, 2)], [(1, 2, "c")], [(2, 1)]), 1),
        (case(1, 1, [(1, 2, "c")]), case(2, None, [(1, 2, "c")], [(2, 1)]), 2),
        (
            case(1, 1, [(1, 2), (1, 1, "c")]),
            case(2, None, [(1, 2), (1, 1, "c")], [(2, 1), (1, 2, "c")]),
            2,
        ),
        (case(1, 1, [(M, 1)]), case(2, None, [(ALL, 1)]), 2),
    ],
)
def test_cases_that_one_vector_covers_are_one(small, tail, low):
    joined = merged([small, tail])
    assert [c.ranges[0] for c in joined] == (
        [KRange("k", low, None)]
        if low < tail.ranges[0].low
        else [small.ranges[0], KRange("k", low, None)]
    )
    assert joined[-1].vectors == tail.vectors


def test_what_can_not_be_joined_stays():
    one = case(1, None, [(1, 1)])
    assert merged([one]) == [one]
    two = Case((KRange("k", 1, 1), KRange("l")), one.vectors, attained=True)
    assert merged([two, two]) == [two, two]
    none = Case((), one.vectors, attained=True)
    assert merged([none]) == [none]
