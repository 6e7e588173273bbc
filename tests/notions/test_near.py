"""Floats find the blocks that can matter, and leave out none that does, whatever it holds."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.curves import zcdp_epsilon
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.numbers.exact import exponential, growth, path_mu_squared, root, tanh
from tests.statements.expressions import number

F = Fraction
ONE, TWO = number(1), number(2)
MANY = 1500
ENTRIES = [k.BlockEntry(name, ("k",)) for name in "abcde"]
A, B, C = ENTRIES[:3]


def worst(value, count=ONE):
    return k.Worst(("k",), (k.Choice(count, value),))


def largest(value, *rows, count=ONE):
    """Return the largest value over blocks with the given numbers, and many like the last."""
    columns = zip(*rows, *[rows[-1]] * (MANY - len(rows)), strict=True)
    named = {(name, ("k",)): list(x) for name, x in zip("abcde", columns, strict=False)}
    return evaluate(worst(value, count), ParameterTable.plain(named), {"k": MANY})


def two(power):
    return F(2) ** power


PRODUCTS = {
    "a product on the way has few digits as a float": (
        (two(-490) * F(7, 5), two(-490), two(-94), two(300), two(300)),
        (two(-490) * F(3, 5), two(-490), two(-94), two(300), two(300) * F(6, 5)),
        (1, 1, 1, 1, 0),
    ),
    "a factor is 0 as a float": (
        (two(-1200), two(450), two(450), two(450)), (2, 2, 2, 2), (0, 0, 0, 0),
    ),
    "a product on the way is infinite as a float": (
        (two(400), 1, 1, 1), (two(600), two(600), two(-600), two(-600)), (1, 1, 1, 1),
    ),
    "a factor is infinite as a float": (
        (two(400), 1, 1, 1), (two(1200), two(-400), two(-400), two(-400)), (1, 1, 1, 1),
    ),
    "all factors are 0 as floats": (
        (two(-1200), two(450), two(450), two(450)), (two(-1201), two(450), two(450), two(450)),
        (0, 1, 1, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PRODUCTS)
def test_of_products_the_largest_is_found(name):
    rows = PRODUCTS[name]
    expected = math.prod(rows[0])
    assert expected > max(map(math.prod, rows[1:]))
    assert largest(k.Product(tuple(ENTRIES[: len(rows[0])])), *rows) == expected


def test_what_is_0_as_a_float_may_be_most_of_a_sum():
    value = k.Sum((k.Product((A, B, B, B)), C))
    tiny, huge = two(-1200), two(450)
    assert largest(value, (tiny, huge, 1), (tiny, 1, 2), (tiny, 1, 0)) == two(150) + 1


def test_a_parameter_that_is_rounded_moves_a_point_of_a_curve():
    """Where the ε of a ρ begins to be more than 0, the last place of ρ is all of it."""
    delta = F(1, 2)
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in {low, high}:
        low, high = (middle, high) if zcdp_epsilon(F(middle), delta) == 0 else (low, middle)
    place = F(math.ulp(high))
    best, other = F(high) + place * F(149, 100), F(high) + place * F(151, 100)
    value = k.Product((k.Apply("zcdp_epsilon", (A, number(delta))), B))
    found = largest(value, (best, F(11, 10)), (other, 1), (0, 1))
    assert found == zcdp_epsilon(best, delta) * F(11, 10)
    assert found > zcdp_epsilon(other, delta)


def test_less_than_one_step_leads_nowhere():
    value = k.Product((k.Apply("path_mu", (ONE, A)), B))
    found = largest(value, (1 - F(1, 10**30), 100), (1, 1), (0, 1))
    assert found == root(path_mu_squared(1, 1))


def test_steep_functions():
    steps = 1 + F(1, 10**6)
    rows = [(10**8 + F(n, 200), steps) for n in range(40)]
    assert largest(k.Apply("growth", (A, B)), *rows[::-1], (1, 1)) == growth(rows[-1][0], steps)
    assert largest(k.Apply("growth", (A, B)), (1500, F(1, 10)), (2, 3), (1, 1)) == growth(2, 3)
    assert largest(k.Apply("growth", (A, B)), (0, 9), (2, 3), (1, 1)) == growth(2, 3)
    assert largest(k.Apply("exp", (A,)), (800,), (1,)) == exponential(800)
    assert largest(k.Apply("exp", (A,)), (5,), (1,)) == exponential(5)
    assert largest(k.Product((A, k.Apply("tanh", (B,)))), (2, 1), (3, 0), (1, 1)) == 2 * tanh(1)


def test_numbers_of_all_blocks_beside_those_of_each():
    value = k.Max((k.Product((TWO, A)), k.Sum((A, B, TWO))))
    assert largest(value, (1, F(1, 2)), (3, F(1, 3)), (0, 0)) == 6
    assert largest(value, (1, 9), (3, F(1, 3)), (0, 0)) == 12


def test_the_sum_of_many_that_no_float_is_near():
    """As many as are added as floats: those that are near the exact values."""
    value = k.Product((A, B, k.Apply("growth", (C, TWO))))
    found = largest(value, (two(-1200), two(1203), 0), (1, 1, 0), count=number(1200))
    assert found == pytest.approx(1199 * 2 + 16)
