"""Blocks that change together are some blocks: how many there can be is read off a condition."""

from __future__ import annotations

import pytest

from dpcomp_sym import kernel as k
from tests.kernel.test_bounds import holds, plus, times
from tests.kernel.world import DELTA, EPS, INF, ONE, SIZE, TWO, num, raises, up_to, worst

T, U, I = k.Letter(1), k.Letter(2), k.Index(1)
W, W_SIZE = k.Symbol("m"), k.Size("m")


def added(*items):
    return k.Combined("add", tuple(k.Integer(x) if isinstance(x, int) else x for x in items))


def of(by, e=I):
    return k.Combined("mul", (k.Integer(by) if isinstance(by, int) else by, e))


def both(*items):
    return k.Connected("and", items)


def either(*items):
    return k.Connected("or", items)


def window(start, place, end):
    return both(k.Compared("le", start, place), k.Compared("lt", place, end))


def most(when, value=EPS, *, free=1, facts=None, count=INF):
    total = k.SumOver(("k",), when, count, value)
    return k.MaxOver(free, both() if facts is None else facts, total)


WINDOW = window(T, I, added(T, W))
ENDS = either(k.Compared("eq", I, T), k.Compared("eq", I, U))
SLANTED = window(added(T, of(-1, W)), of(3), added(T, 5))
NUMBERS = [
    (most(WINDOW), W_SIZE, None),
    (most(window(T, I, added(T, 3))), num(3), TWO),
    (most(window(T, I, added(T, W, -1))), W_SIZE, None),
    (most(window(T, of(7), added(T, W, 6))), W_SIZE, None),
    (most(window(T, of(7), added(T, 7))), ONE, num(0)),
    (most(window(T, of(7), added(T, 8))), TWO, ONE),
    (most(window(T, of(W), added(T, of(2, W)))), TWO, ONE),
    (most(window(T, of(-1), added(T, W))), W_SIZE, None),
    (most(ENDS, free=2), TWO, ONE),
    (most(k.Compared("eq", I, T)), ONE, num(0)),
    (most(SLANTED), plus(W_SIZE, TWO), W_SIZE),
    (most(either()), num(0), None),
]


@pytest.mark.parametrize(("left", "count", "less"), NUMBERS)
def test_so_many_blocks_are_in_a_place(left, count, less):
    done = k.anywhere(left, (count,), ())
    assert done.statement == k.BoundLeq(left, plus(worst((count, EPS))), ())
    assert holds(done)
    if less is not None:
        assert raises(lambda: k.anywhere(left, (less,), ()))


def test_all_blocks_and_what_a_total_counts_need_no_reason():
    some = most(k.Compared("ne", I, T), count=TWO)
    for count in (INF, TWO):
        assert holds(k.anywhere(some, (count,), ()))
    assert raises(lambda: k.anywhere(some, (ONE,), ()))


def test_a_case_that_is_empty_makes_no_room_in_another():
    empty = window(T, I, added(T, of(-1, W)))
    two = either(empty, k.Compared("eq", I, T), k.Compared("eq", I, added(T, 1)))
    assert raises(lambda: k.anywhere(most(two), (ONE,), ()))
    assert holds(k.anywhere(most(two), (TWO,), ()))


def test_sizes_of_a_box_count():
    left = most(window(T, of(3), added(T, W)))
    few = up_to("m", 1, 3)
    assert raises(lambda: k.anywhere(left, (ONE,), few))
    big = most(window(T, I, added(T, 7, of(-1, W))))
    assert holds(k.anywhere(big, (TWO,), up_to("m", 5)))
    assert raises(lambda: k.anywhere(big, (TWO,), up_to("m", 4)))


TREE = ("k", "m")
ENTRY = k.BlockEntry("x", TREE)
POWER = k.Combined("pow", (k.Symbol("l"), k.Index(1)))


def level(when):
    return k.MaxOver(1, both(), k.SumOver(TREE, when, INF, ENTRY))


@pytest.mark.parametrize(
    "when",
    [
        k.Compared("eq", k.Index(2), k.Combined("div", (T, POWER))),
        window(T, of(POWER, k.Index(2)), added(T, POWER)),
        k.Compared("eq", k.Index(2), k.LetterAt(1, (k.Index(1),))),
        both(k.Compared("eq", k.Index(2), added(T, I)), k.Compared("eq", T, T)),
    ],
)
def test_one_block_for_each_value_of_another_index(when):
    path = k.anywhere(level(when), (SIZE,), ())
    assert path.statement.right == plus(k.Worst(TREE, (k.Choice(SIZE, ENTRY),)))
    assert raises(lambda: k.anywhere(level(when), (ONE,), ()))


def test_indices_do_not_confine_each_other_in_a_circle():
    same = level(k.Compared("eq", k.Index(1), k.Index(2)))
    assert raises(lambda: k.anywhere(same, (ONE,), ()))
    assert raises(lambda: k.anywhere(level(window(T, k.Index(2), added(T, 2))), (TWO,), ()))
    doubled = level(window(T, of(2, k.Index(2)), added(T, 3)))
    assert not raises(lambda: k.anywhere(doubled, (times(TWO, SIZE),), ()))
    assert raises(lambda: k.anywhere(doubled, (SIZE,), ()))


def test_several_totals_in_one_place():
    steps = k.SumOver(("k",), WINDOW, INF, EPS)
    once = k.SumOver(("k",), k.Compared("eq", I, T), INF, DELTA)
    whole = k.SumOver((), both(), INF, k.Param("a"))
    left = k.MaxOver(1, both(), plus(steps, once, whole))
    done = k.anywhere(left, (W_SIZE, ONE, INF), ())
    assert done.statement.right == plus(worst((W_SIZE, EPS)), worst((1, DELTA)), k.Param("a"))
    assert holds(done)


def test_values_that_name_the_place_are_refused():
    overlap = k.Product((k.Amount(added(T, of(-1))), EPS))
    assert raises(lambda: k.anywhere(most(WINDOW, overlap), (INF,), ()))
    numbered = k.Product((k.Amount(I), EPS))
    assert raises(lambda: k.anywhere(most(WINDOW, numbered), (INF,), ()))


def test_too_many_cases_are_not_counted():
    def cases(number):
        return both(either(*(k.Compared("eq", I, T) for _ in range(number))), WINDOW)

    assert holds(k.anywhere(most(cases(16)), (num(16),), ()))
    assert raises(lambda: k.anywhere(most(cases(17)), (num(100),), ()))


def test_the_narrowest_window_counts():
    inner = window(U, I, added(U, 2))
    for when in (both(WINDOW, inner), both(inner, WINDOW)):
        assert holds(k.anywhere(most(when, free=2), (TWO,), ()))
        assert holds(k.anywhere(most(when, free=2), (W_SIZE,), ()))
        assert raises(lambda when=when: k.anywhere(most(when, free=2), (ONE,), ()))


def test_one_number_for_each_total():
    assert raises(lambda: k.anywhere(most(WINDOW), (), ()))
    assert raises(lambda: k.anywhere(most(WINDOW), (INF, INF), ()))
    assert raises(lambda: k.anywhere(k.MaxOver(1, both(), k.Product(())), (), ()))


def test_ends_that_are_of_other_multiples_confine_nothing():
    spread = both(k.Compared("le", T, of(2)), k.Compared("le", I, T))
    assert raises(lambda: k.anywhere(most(spread), (ONE,), ()))


def test_two_windows_are_not_one():
    square = both(window(T, k.Index(2), added(T, 2)), window(T, I, added(T, 2)))
    assert raises(lambda: k.anywhere(level(square), (TWO,), ()))
    assert not raises(lambda: k.anywhere(level(square), (times(TWO, SIZE),), ()))


def test_each_of_several_windows_is_rounded_up():
    sizes = (2, "k")
    value = k.BlockEntry("x", sizes)
    wide = window(T, of(W, k.Index(2)), added(T, W, 1))
    left = k.MaxOver(1, both(), k.SumOver(sizes, wide, INF, value))
    assert raises(lambda: k.anywhere(left, (num(3),), up_to("m", 3)))
    assert not raises(lambda: k.anywhere(left, (times(TWO, SIZE),), up_to("m", 3)))


def test_a_window_whose_width_is_a_letter_may_be_wide():
    for width in (U, of(2, U), added(U, W)):
        left = most(window(T, I, added(T, width)), free=2)
        assert raises(lambda left=left: k.anywhere(left, (W_SIZE,), ()))
    factor = most(window(T, of(U), added(T, W)), free=2)
    assert raises(lambda: k.anywhere(factor, (W_SIZE,), ()))


def test_a_factor_that_may_be_0_confines_nothing():
    less = of(added(W, -1))
    assert raises(lambda: k.anywhere(most(window(T, less, added(T, 2))), (TWO,), ()))
    assert raises(lambda: k.anywhere(most(window(T, less, added(T, 2))), (W_SIZE,), ()))
