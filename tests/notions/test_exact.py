"""Exact numbers: their arithmetic, order, text and SymPy form against floats and 60 digits."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from functools import cache
from itertools import product
from statistics import NormalDist

import pytest
import sympy

from dpcomp_sym.numbers.atoms import ball_of
from dpcomp_sym.numbers.exact import (
    Exact,
    Root,
    add,
    at_best_order,
    exponential,
    gdp_of_pure,
    gdp_squared,
    growth,
    logarithm,
    path_mu_squared,
    path_rho,
    root,
    rounded_down,
    rounded_up,
    square,
    surd,
    tails,
    tanh,
    tidy,
    times,
    to_sympy,
)
from tests.statements.meaning import path_mu, zcdp_epsilon
from tests.statements.meaning import path_rho as path_rho_of_floats

F = Fraction
NORMAL = NormalDist()


def gdp(x):
    return -2 * NORMAL.inv_cdf(1 / (1 + math.exp(x)))


def gaussian_delta(m, x):
    def phi(y):
        return math.erfc(-y / math.sqrt(2)) / 2

    return phi(m / 2 - x / m) - math.exp(x) * phi(-m / 2 - x / m)


WORDS = {
    "zcdp_epsilon": zcdp_epsilon, "tanh": math.tanh, "path_rho": path_rho_of_floats,
    "path_mu": path_mu, "exp": math.exp, "sqrt": math.sqrt, "ln": math.log, "gdp": gdp,
    "gaussian_delta": gaussian_delta,
}  # fmt: skip


def read(text):
    """Return the value that a text says, with the functions of floats."""
    text = re.sub(r"\be\^(\([^()]*\)|\d+)", r"exp(\1)", text).replace("^", "**")
    return eval(text, {"__builtins__": {}}, WORDS)  # noqa: S307 - a text of the program's own


def one(rng):
    """Return a number that is not a fraction, and what it is as a float."""
    x, y = (F(rng.randint(1, 6), rng.choice((1, 2, 3))) for _ in range(2))
    match rng.randrange(7):
        case 0:
            return growth(x, 1 + y), math.expm1((1 + y) * x) / math.expm1(x)
        case 1:
            return gdp_squared(x), gdp(x) ** 2
        case 2:
            return at_best_order(x, y / 80), zcdp_epsilon(float(x), float(y / 80))
        case 3:
            return tanh(x), math.tanh(x)
        case 4:
            return path_rho(x, y), path_rho_of_floats(float(x), float(y))
        case 5:
            return path_mu_squared(x, 1 + y), path_mu(float(x), float(1 + y)) ** 2
        case _:
            return tails(x, y), gaussian_delta(x, y)


def drawn(rng, depth=2):
    """Return a sum of products with its value as a float; all numbers are positive."""
    if depth == 0:
        if rng.random() < 0.3:
            x = rng.choice((rng.randint(1, 5), F(rng.randint(1, 9), 7)))
            return x, float(x)
        return one(rng)
    (a, x), (b, y) = drawn(rng, depth - 1), drawn(rng, depth - 1)
    return (a * b, x * y) if rng.random() < 0.6 else (a + b, x + y)


@cache
def some():
    return [drawn(random.Random(seed)) for seed in range(250)]


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(10))
def test_numbers_texts_and_formulas_have_the_same_value(seed):
    for x, value in some()[seed::10]:
        assert float(x) == pytest.approx(value, rel=1e-9)
        assert read(str(x)) == pytest.approx(value, rel=1e-9), str(x)
        if isinstance(x, Exact):
            assert x.value == float(x)
            assert repr(x) == f"Exact('{x}')"
    for x, value in some()[seed::50]:
        assert float(to_sympy(x).evalf(20)) == pytest.approx(value, rel=1e-9)
        assert float(to_sympy(root(x)).evalf(20)) == pytest.approx(math.sqrt(value), rel=1e-9)


def test_floats_are_the_nearest_ones():
    """As with fractions: the float nearest to a number, from an enclosure of many digits."""
    for x, _ in some():
        if isinstance(x, Exact):
            middle = F(str(x.ball(600).mid().str(60, radius=False)))
            assert float(x) == float(middle)


def test_order_is_that_of_the_numbers():
    values = [*some()[:40], *((root(x), math.sqrt(y)) for x, y in some()[40:60]), (0.5, 0.5)]
    for (a, x), (b, y) in product(values, repeat=2):
        if a is b:
            equal = a
            assert equal <= b
            assert equal >= b
            assert not equal < b
            assert not equal > b
        elif abs(x - y) > 1e-9 * (x + y):
            assert (a < b, a <= b, a > b, a >= b) == (x < y, x < y, x > y, x > y)
    for x, _ in some()[:40]:
        for tiny in (F(1, 10**20), F(1, 10**80)):
            assert x < x + tiny
            assert x + tiny > x
            assert not x >= x + tiny
            assert not x + tiny <= x


def test_infinity_is_larger_and_a_float_is_the_fraction_that_it_is():
    x = growth(F(1), 2)
    assert x < math.inf
    assert not x > math.inf
    near = float(x)
    assert (x > near) == (x > F(near))
    assert (x < near) == (x < F(near))
    assert x > 0.5
    assert x < 100.5


def test_sums_and_differences():
    for (a, x), (b, y) in zip(some()[::2], some()[1::2], strict=True):
        assert float(a + b) == pytest.approx(x + y)
        assert float(b - a + a) == pytest.approx(y)
        assert tidy(a + b - b - a) == 0
        assert tidy((a + b) * 3 - b * 3 - 3 * a) == 0
        if isinstance(a, Exact):
            assert float(2 - a) == pytest.approx(2 - x)
            assert (-a).sign() == -1
            assert a.sign() == 1
            assert (a - a).sign() == 0
            assert str(a - a) == "0"
            assert float(a - a) == 0
    e = growth(F(1), 2) - 1  # e
    assert (e * e * e - growth(F(1), 4) + growth(F(1), 3)).sign() == 0
    assert (growth(F(1, 2), 3) - 1 - e).sign() == 1
    # Of the sum of such numbers nothing is known but what balls say: below 2^-8192 counts as 0.
    double = tanh(F(1)) + tanh(F(1)) * tanh(F(1, 2)) * tanh(F(1, 2))  # 2 tanh(1/2)
    assert (e * double - e * 2 * tanh(F(1, 2))).sign() == 0
    gone = growth(F(1), 3) - e * e - e
    assert (tidy(gone - 1) == 0, gone.sign(), (gone - 1).sign()) == (False, 1, 0)
    assert float(gone) == 1
    assert float(gone - 1) == 0


def test_balls_of_points_of_curves_hold_them_and_are_small():
    """With few digits, the ball around the least value over all orders holds that of many."""
    rng = random.Random(4)
    for _ in range(1500):
        rho = F(rng.randint(1, 100), 10 ** rng.choice((0, 0, 1, 2, 4, 8)))
        delta = F(rng.randint(1, 99), 10 ** rng.choice((2, 2, 3, 6, 12, 30)))
        true = ball_of(("zcdp_epsilon", (rho, delta)), 400)
        for bits in (30, 37, 50, 64, 101):
            found = ball_of(("zcdp_epsilon", (rho, delta)), bits)
            assert found.contains(true), (rho, delta, bits)
            assert found.rad() <= float(1 + rho) * 2.0 ** (20 - bits), (rho, delta, bits)


def test_a_small_difference_has_the_digits_of_a_float():
    tiny = F(1, 10**36)
    assert float(growth(1 + tiny, 2) - growth(F(1), 2)) == pytest.approx(math.e * 1e-36, rel=1e-12)


def test_one_over_a_number_cancels():
    x = growth(F(1), 2)  # (e^2 - 1)/(e - 1)
    back = growth(F(2), F(1, 2))  # (e - 1)/(e^2 - 1)
    assert tidy(x * back) == 1
    assert tidy(3 * x * back) == 3


@pytest.mark.parametrize("make", [add, times])
def test_a_float_makes_a_float(make):
    exact_ones = [2, F(1, 3), growth(F(1), 2), root(2)]
    for a, b in product(exact_ones, [0.25, *exact_ones]):
        expected = float(a) + float(b) if make is add else float(a) * float(b)
        for found in (make(a, b), make(b, a)):
            assert float(found) == pytest.approx(expected)
            inexact = 0.25 in (a, b) or (make is add and any(isinstance(x, Root) for x in (a, b)))
            assert isinstance(found, float) == inexact
    assert times(root(2), root(8)) == 4
    assert str(times(root(2), growth(F(1), 2))).startswith("sqrt(2*")


def test_squares_and_roots():
    for x, value in some()[:60]:
        assert float(square(x)) == pytest.approx(value**2)
        assert float(root(x)) == pytest.approx(math.sqrt(value))
        assert not isinstance(root(x), float)
        assert tidy(square(root(x))) == tidy(x) or (square(root(x)) - x).sign() == 0
        if isinstance(x, Exact) and len(x.terms) == 1:
            assert root(square(x)) == x
    assert [root(x) for x in (0, 4, F(9, 4), F(4), 2.25)] == [0, 2, F(3, 2), 2, 1.5]
    assert [type(root(x)) for x in (4, F(9, 4), 2.25, 2, F(1, 2), F(2, 9))] == [
        int, F, float, Root, Root, Root,
    ]  # fmt: skip
    assert square(root(F(2, 9))) == F(2, 9)
    assert square(0.5) == 0.25
    assert square(root(5)) == 5
    assert root(root(F(16))) == 2
    assert root(root(2)) == pytest.approx(2**0.25)
    both = gdp_squared(F(1)) * gdp_squared(F(1)) * F(9, 4)
    assert str(root(both)) == "3/2*gdp(1)^2"
    assert str(root(both * 2)) == f"sqrt({both * 2})"
    assert str(root(both * 4)) == "3*gdp(1)^2"
    assert str(root(gdp_squared(F(1)) * 4)) == "sqrt(4*gdp(1)^2)"
    for negative in (-1, F(-1, 2), -0.5, -growth(F(1), 2)):
        with pytest.raises(ValueError, match="is not a real number"):
            root(negative)


def test_tidy_numbers():
    assert [tidy(x) for x in (F(4, 2), F(1, 2), 0.5, 3)] == [2, F(1, 2), 0.5, 3]
    assert [type(tidy(x)) for x in (F(4, 2), F(1, 2), 1.0)] == [int, F, float]
    zero = growth(F(1), 2) * 0
    assert type(tidy(zero)) is int
    assert tidy(zero + F(1, 2)) == F(1, 2)
    for kept in (growth(F(1), 2), zero + 1 + gdp_squared(F(1))):
        assert tidy(kept) is kept


def test_enclosures_hold_the_number():
    for x, _ in [*some()[:40], *((root(x), y) for x, y in some()[40:80])]:
        low, high = rounded_down(x), rounded_up(x)
        assert low <= x <= high if isinstance(x, Exact) else True
        assert low**2 <= square(x) if isinstance(x, Root) else True
        assert high**2 >= square(x) if isinstance(x, Root) else True
        assert 0 <= high - low < high * F(1, 10**25)
    assert rounded_up(0.5) == rounded_down(0.5) == F(1, 2)
    assert rounded_up(3) == rounded_down(3) == 3


@pytest.mark.parametrize("r", [F(0), F(1), F(1, 2), F(2), F(7), 500_000, 10**6])
@pytest.mark.parametrize("eps", [F(0), F(1, 1000), F(1, 2), F(3), F(150), F(299), F(301), F(700)])
def test_growths_of_floats_are_those_of_fractions(eps, r):
    given, found = growth(eps, r), growth(float(eps), r)
    if r in {0, 1}:
        assert (given, found) == (r, r)
    elif eps == 0:
        assert (given, found, type(found)) == (r, r, float)
    elif math.isinf(float(given)):
        assert found == math.inf
    else:
        assert found == pytest.approx(float(given), rel=1e-9)
        assert growth(root(eps * eps * 1), r) == given
        assert float(growth(root(eps * eps + F(1, 10**18)), r)) == pytest.approx(
            float(given), rel=1e-3
        )


def test_growth_of_a_number_that_is_no_fraction_is_exact():
    x = growth(F(1), 2)
    assert float(growth(x, 3)) == pytest.approx(math.expm1(3 * float(x)) / math.expm1(float(x)))
    assert growth(x, 1) == 1
    assert [growth(logarithm(3), r) for r in (2, 3)] == [4, 13]
    assert growth(logarithm(F(3, 2)), 2) == F(5, 2)
    half = growth(2 * logarithm(3), F(1, 2))
    assert half == F(1, 4)
    assert float(growth(logarithm(3), F(1, 2))) == pytest.approx((math.sqrt(3) - 1) / 2)


def test_functions_at_their_ends():
    assert [gdp_squared(0), at_best_order(F(1, 9), F(3, 4)), tails(F(0), F(1))] == [0, 0, 0]
    assert gdp_of_pure(0.0) == 0
    for eps in (0.01, 0.999, 1.0, 1.001, 4.0):
        assert gdp_of_pure(eps) == pytest.approx(gdp(eps))
        assert gdp_squared(eps) == pytest.approx(gdp(eps) ** 2)
    assert float(gdp_squared(growth(F(1), 2))) == pytest.approx(gdp(1 + math.e) ** 2)
    three = logarithm(3)
    assert float(gdp_squared(three)) == pytest.approx(gdp(math.log(3)) ** 2)
    assert float(tanh(three)) == pytest.approx(0.8)
    assert float(path_rho(three, 2)) == pytest.approx(path_rho(math.log(3), 2))
    assert float(path_mu_squared(three, 3)) == pytest.approx(path_mu_squared(math.log(3), 3))
    assert float(at_best_order(surd(2), F(1, 100))) == pytest.approx(
        float(at_best_order(F(math.sqrt(2)), F(1, 100)))
    )
    assert float(tails(surd(2), three)) == pytest.approx(
        float(tails(F(math.sqrt(2)), F(math.log(3))))
    )


def test_roots_and_logarithms_of_equal_numbers_are_equal():
    equal = [
        (surd(2) * surd(2), 2),
        (surd(2) * surd(6), 2 * surd(3)),
        (surd(F(9, 8)), F(3, 4) * surd(2)),
        ((1 + surd(2)) * (surd(2) - 1), 1),
        (surd(3 + 2 * surd(2)) - surd(2), 1),
        (exponential(logarithm(3)), 3),
        (exponential(2 * logarithm(3) - logarithm(2)), F(9, 2)),
        (logarithm(12) - 2 * logarithm(2), logarithm(3)),
        (surd(0), 0),
        (logarithm(1), 0),
    ]
    for number, is_it in equal:
        assert number <= is_it
        assert number >= is_it
        assert float(number) == pytest.approx(float(is_it))


def test_powers_of_e_with_one_exponent_in_two_forms_are_equal():
    left, right = exponential(surd(2) * surd(3)), exponential(surd(6))
    assert (left - right).sign() == 0
    assert (left - right + F(1, 10**9)).sign() == 1


def test_squares_are_taken_out_of_roots():
    """As SymPy writes them; of primes above 100 only where nothing is left."""
    few = [F(n, d) for n in range(300) for d in (1, 12)]
    for x in [*few, 4 * 101**2, 9 * 103**2, 101**2, 2 * 97**2, 8 * 97**4]:
        factors = sympy.sqrt(to_sympy(x)).as_coeff_Mul()
        assert str(surd(x)) == ("*".join(str(y) for y in factors if y != 1) or "1")


def test_products_of_roots_of_irrational_numbers():
    root_of = surd(1 + surd(2))
    assert str(2 * root_of) == "2*sqrt(1 + sqrt(2))"
    assert float(root_of * root_of * surd(2)) == pytest.approx(math.sqrt(2) + 2)


def test_roots_and_logarithms_are_written_and_compared():
    numbers = [logarithm(3), surd(2), F(7, 5), exponential(F(1, 2)), surd(2) + logarithm(2)]
    assert sorted(numbers, reverse=True) == sorted(numbers, key=float, reverse=True)
    assert str(F(1, 2) * surd(2) + 1) == "1 + 1/2*sqrt(2)"
    assert [to_sympy(x) for x in numbers[:2]] == [sympy.log(3), sympy.sqrt(2)]
    assert to_sympy(3) == 3
    assert str(to_sympy(0.5)).rstrip("0") == "0.5"


def test_powers_that_would_fill_pages_stay_powers():
    three = logarithm(3)
    assert exponential(1000 * three) == 3**1000
    assert exponential(-1000 * three) == F(1, 3**1000)
    for n in (1001, -1001, 10**12):
        assert str(exponential(n * three)) == f"e^({n}*log(3))"


def test_texts():
    x = growth(F(1), 2)
    texts = {
        "(e^2 - 1)/(e^1 - 1)": x, "2*(e^2 - 1)/(e^1 - 1)": 2 * x,
        "1 + gdp(1)^2": gdp_squared(1) + 1,
        "((e^2 - 1))^2/((e^1 - 1))^2": x * x,
        "(e^(3/2) - 1)/(e^(1/2) - 1)": growth(F(1, 2), 3),
        "zcdp_epsilon(1/2, 1/3)": at_best_order(F(1, 2), F(1, 3)),
        "2*zcdp_epsilon(2, 1/100)": at_best_order(F(2), F(1, 100)) * 2,
        "path_rho(1, 3/2)*tanh(1/2)": tanh(F(1, 2)) * path_rho(F(1), F(3, 2)),
        "path_mu(1, 3)^2": path_mu_squared(1, 3),
        "1 + ((e^1 - 1))^2": (exponential(1) - 1) * (exponential(1) - 1) + 1,
        "1 + tanh(1)": tanh(1) + 1, "(e^1 - 1)": exponential(1) - 1,
        "1 + 5*(e^1 - 1)": 5 * (exponential(1) - 1) + 1, "1 + 2*e^1": 2 * exponential(1) + 1,
        "3 + -1*(e^1 - 1)": 4 - exponential(1),
        "gaussian_delta(1/2, 3)": tails(F(1, 2), F(3)),
    }  # fmt: skip
    for text, number in texts.items():
        assert str(number) == text
    assert str(root(5)) == "sqrt(5)"
    assert repr(root(5)) == "Root('sqrt(5)')"
    assert root(5).value == math.sqrt(5)


def test_floats_of_what_a_path_costs_are_near_the_exact_number():
    assert path_rho(400.0, 3) == 1200.0
    for eps, steps in ((Fraction(1, 10_000), 3), (Fraction(1, 8), 5), (Fraction(3), 2)):
        near = float(path_rho(eps, steps))
        assert math.isclose(path_rho(float(eps), steps), near, rel_tol=1e-14), (eps, steps)


def test_growth_of_what_is_0_in_another_form():
    nothing = surd(2) * surd(3) - surd(6)
    assert nothing.terms
    assert growth(nothing, 3) == 3
