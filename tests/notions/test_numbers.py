"""The evaluator against the meaning of expressions, and its short cuts against the long way."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcomp_sym import kernel as k
from dpcomp_sym.errors import InputError
from dpcomp_sym.notions.approximate import APPROXIMATE
from dpcomp_sym.numbers import evaluator as numbers
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.curves import gaussian_delta, zcdp_epsilon
from dpcomp_sym.numbers.exact import gdp_of_pure, gdp_squared, growth, root
from dpcomp_sym.numbers.sums import total, total_of_squares
from dpcomp_sym.statements import terms as t
from tests.notions.rows import TWICE, evaluated
from tests.statements.expressions import FAMILIES, SINGLE, SIZES, expression, number
from tests.statements.meaning import value

F = Fraction
ONE, TWO = number(1), number(2)
EPS, DELTA, MU = (k.BlockEntry(name, ("k",)) for name in ("eps", "delta", "mu"))


def drawn(seed):
    """Return random numbers for all parameters of random expressions: a table, and by block."""
    rng = random.Random(seed)
    sizes = {name: rng.randint(1, 3) for name in SIZES}

    def one():
        return rng.choice((F(0), F(1), F(rng.randint(0, 12), rng.choice((3, 4)))))

    values = {name: one() for name in SINGLE}
    columns = {(name, ()): x for name, x in values.items()}
    for family, names in FAMILIES.items():
        ends = [s if isinstance(s, int) else sizes[s] for s in family]
        blocks = list(product(*(range(1, end + 1) for end in ends)))
        for name in names:
            constant = one() if rng.random() < 0.3 else None
            column = [one() if constant is None else constant for _ in blocks]
            values[name] = dict(zip(blocks, column, strict=True))
            columns[name, family] = column if constant is None else constant
    return ParameterTable.plain(columns), values, sizes


@pytest.mark.in_turn
def test_the_evaluator_gives_the_number_that_an_expression_means():
    met = 0
    for seed in range(4000):
        e = expression(seed)
        table, values, sizes = drawn(seed)
        try:
            expected = value(e, values, sizes)
        except (InputError, ValueError, ZeroDivisionError, OverflowError):
            continue  # a delta that is none
        found = numbers.evaluate(e, table, sizes)
        met += 1
        if expected > 1e200:
            assert float(found) > 1e100, e.text()
        else:
            assert float(found) == pytest.approx(expected, rel=1e-7, abs=1e-12), (e.text(), seed)
    assert met > 2500


def many(seed, n):
    """Return numbers for many blocks, with ties."""
    rng = random.Random(seed)
    few = [F(rng.randint(1, 60), rng.choice((7, 10))) for _ in range(rng.choice((5, 40, n)))]
    return ParameterTable.plain(
        {
            ("eps", ("k",)): [rng.choice(few) for _ in range(n)],
            ("delta", ("k",)): [F(rng.randint(0, 30), 10**6) for _ in range(n)],
            ("mu", ("k",)): [rng.choice(few) for _ in range(n)],
        }
    )


SCALED = k.Product((DELTA, k.Apply("growth", (EPS, TWO))))
LARGE = [
    ((ONE, k.Sum((EPS, MU))),),
    ((number(3), SCALED),),
    ((TWO, k.Product((TWO, EPS))), (ONE, k.Sum((EPS, MU)))),
    ((TWO, SCALED), (ONE, DELTA)),
    ((number(5), k.Product((MU, MU))), (TWO, k.Product((TWO, MU, MU)))),
    ((k.Inf(), k.Sum((EPS, MU))),),
]


@pytest.mark.parametrize("groups", LARGE, ids=str)
def test_few_candidates_are_enough(groups, monkeypatch):
    e = k.Worst(("k",), tuple(k.Choice(count, v) for count, v in groups))
    for seed in range(3):
        table = many(seed, 1500)
        short = numbers.evaluate(e, table, {"k": 1500})
        with monkeypatch.context() as patched:
            patched.setattr(numbers, "_EXACT_TERMS", 10**9)
            assert numbers.evaluate(e, table, {"k": 1500}) == short


@pytest.mark.parametrize("power", [1, 3])
@pytest.mark.parametrize("unit", [Fraction(1, 2**1074), Fraction(1, 2**1080), Fraction(2**1000)])
def test_floats_choose_nothing_where_they_are_cut_off(unit, power):
    few = [Fraction(1051, 100), Fraction(1049, 100)]  # what is larger with the second factor below
    eps = [unit * x for x in (*few, *(Fraction(i, 10**4) for i in range(1, 1499)))]
    mu = [Fraction(114, 100), Fraction(115, 100), *[Fraction(1)] * 1498]
    e = k.Worst(("k",), (k.Choice(ONE, k.Product((EPS,) * power + (MU,))),))
    table = ParameterTable.plain({("eps", ("k",)): eps, ("mu", ("k",)): mu})
    best = max(x**power * y for x, y in zip(eps, mu, strict=True))
    assert numbers.evaluate(e, table, {"k": 1500}) == best


def test_several_cases_that_may_hold_are_taken_together():
    cases = k.Cases(
        (
            k.SizeCase((k.SizeRange("w", 1, 1),), k.Param("a")),
            k.SizeCase((k.SizeRange("w", 2, 3),), k.Param("b")),
            k.SizeCase((k.SizeRange("w", 4, None),), k.Param("c")),
        )
    )
    table = ParameterTable.plain({("a", ()): 3, ("b", ()): 5, ("c", ()): 4})
    found = [numbers.evaluate(cases, table, s) for s in ({}, {"w": 1}, {"w": 3}, {"w": 9})]
    assert found == [5, 3, 5, 4]
    assert numbers.evaluate(k.Cases(cases.items[:2]), table, {}) == math.inf
    assert (
        numbers.symbols(k.Cases((k.SizeCase((k.SizeRange("k", 1, 1),), k.Size("r")),)), {"k": 2})
        == set()
    )


def test_infinite_numbers_are_no_guarantee_and_zero_times_them_is_nothing():
    table = ParameterTable.plain({("eps", ("k",)): [1, math.inf], ("a", ()): math.inf})
    largest = k.Worst(("k",), (k.Choice(ONE, EPS),))
    assert numbers.evaluate(largest, table, {"k": 2}) == math.inf
    assert numbers.evaluate(k.Product((number(0), k.Param("a"))), table, {}) == 0


def test_two_blocks_are_not_below_one_that_counts_twice():
    """(1.9, 0.1) is needed for two blocks; one that counts twice needs (2, 0) or (1.8, 0.35)."""
    listed = evaluated(TWICE, APPROXIMATE, {}).pareto
    assert "for each set S of 2 blocks; (2*eps[i], " in listed
    found = evaluated(TWICE, APPROXIMATE, {"eps": [1, F(9, 10)], "delta": [0, F(1, 10)]}).pareto
    assert (F(19, 10), F(1, 10)) in found


def test_numbers_that_are_close_are_told_apart():
    """No float decides: neither 17 digits nor 90 are enough for what is compared here."""
    for tiny in (F(1, 10**17), F(1, 10**150)):
        assert gdp_squared(F(1)) < gdp_squared(1 + tiny)
        assert not gdp_squared(F(1)) >= gdp_squared(1 + tiny)
        assert growth(F(1), 2) < growth(1 + tiny, 2)
        assert growth(F(1), 2) - growth(F(1), 3) * 0 + tiny > growth(F(1), 2)
    assert gdp_squared(F(900)) < gdp_squared(900 + F(1, 10**30))
    assert root(gdp_squared(F(2))) > root(gdp_squared(2 - F(1, 10**40)))


def test_equal_sums_of_powers_are_equal():
    e = growth(F(1), 2)  # (e^2 - 1)/(e - 1) = e + 1
    assert (e * e - growth(F(1), 4) + growth(F(2), 2) * e - e * e).sign() == 0
    assert (growth(F(1), 3) - e * e + e - 1).sign() == 0
    assert not growth(F(1), 3) < e * e - e + 1
    assert float(growth(F(1), 3) - e * e + e - 1) == 0


def test_gaussian_parameters_are_those_of_the_normal_law():
    for eps in (F(1, 10**9), F(1, 3), F(1), F(5), F(30)):
        expected = -2 * NormalDist().inv_cdf(1 / (1 + math.exp(eps)))
        close = 1e-6 if eps < F(1, 10) else 1e-9
        assert gdp_of_pure(float(eps)) == pytest.approx(expected, rel=close, abs=1e-15)
    assert gdp_of_pure(0.0) == 0
    assert gdp_of_pure(1e6) == pytest.approx(2828.4155659820346)


@settings(max_examples=60, deadline=None)
@given(
    rho=st.fractions(F(1, 50), 5, max_denominator=50),
    eps=st.fractions(0, 5, max_denominator=50),
    step=st.integers(20, 60),
)
def test_points_of_curves_are_told_apart_below_any_float(rho, eps, step):
    """Exact numbers: a parameter that is larger by 10^-20 or 10^-60 gives more."""
    tiny, delta = F(1, 10**step), F(1, 10**6)
    assert zcdp_epsilon(rho, delta) < zcdp_epsilon(rho + tiny, delta)
    assert zcdp_epsilon(rho, delta + tiny) < zcdp_epsilon(rho, delta)
    assert gaussian_delta(rho, eps) < gaussian_delta(rho + tiny, eps)
    assert gaussian_delta(rho, eps + tiny) < gaussian_delta(rho, eps)
    assert zcdp_epsilon(rho, delta) <= zcdp_epsilon(rho, delta)
    assert float(zcdp_epsilon(rho, delta)) == pytest.approx(zcdp_epsilon(float(rho), 1e-6))
    assert float(gaussian_delta(rho, eps)) == pytest.approx(
        gaussian_delta(float(rho), float(eps)), abs=1e-13
    )


def test_a_point_of_a_curve_that_no_float_holds_is_not_nothing():
    """10^-891 times something endless is endless, and not 0."""
    small = gaussian_delta(1, 64)
    assert (float(small), small > 0, small < F(1, 10**800)) == (0.0, True, True)
    e = k.Product((k.Inf(), k.Apply("gaussian_delta", (k.Param("mu"), k.Num(F(64))))))
    assert numbers.evaluate(e, ParameterTable.plain({("mu", ()): 1}), {}) == math.inf
    assert (gaussian_delta(0, 1), zcdp_epsilon(0, F(1, 2))) == (0, 0)
    assert (gaussian_delta(math.inf, 64), gaussian_delta(1, math.inf)) == (1, 0)
    assert gaussian_delta(math.inf, math.inf) == gaussian_delta(0, math.inf) == 0


@pytest.mark.parametrize("kind", [list, Column.of], ids=["list", "column"])
@pytest.mark.parametrize("squared", [False, True])
def test_a_sum_of_many_fractions_is_the_float_nearest_to_it(squared, kind):
    """With more denominators than are added exactly; floats, added as they are, miss it."""
    rng = random.Random(7)
    items = [F(rng.randint(1, 10**6), rng.randint(1, 10**6)) for _ in range(6000)]
    items.append(F(10**16))
    true = sum((x * x if squared else x for x in items), F(0))
    found = total_of_squares(kind(items)) if squared else total(kind(items))
    assert isinstance(found, float)
    assert found == float(true)


@given(st.lists(st.fractions(0, 9, max_denominator=12), max_size=8), st.booleans())
def test_a_sum_of_few_fractions_is_exact(items, squared):
    """In a list as in a column, added up as they are or their squares."""
    true = sum((x * x if squared else x for x in items), F(0))
    add = total_of_squares if squared else total
    assert (add(items), add(Column.of(items))) == (true, true)


@pytest.mark.parametrize("wide", [1, 2])
def test_the_largest_window_is_found_among_many_that_no_float_tells_apart(wide):
    """Thirty windows that differ by 10^-30; the largest one comes first, and also last."""
    t_to = t.Compared("lt", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(wide))))
    inside = t.Connected("and", (t.Compared("le", t.Letter(1), t.Index(1)), t_to))
    total_of = t.SumOver(("k",), inside, t.Inf(), t.BlockEntry("eps", ("k",)))
    most = t.MaxOver(1, t.Connected("and", ()), total_of)
    tiny = F(1, 10**30)
    for largest in (0, 15, 29):
        eps = [1 + tiny * (n == largest) for n in range(30)]
        table = ParameterTable.plain({("eps", ("k",)): eps})
        assert numbers.evaluate(most, table, {"k": 30}) == wide + tiny
        gdp = t.Apply("gdp", (ONE,))
        irrational = replace(total_of, value=t.Product((EPS, gdp, gdp)))
        root_of = t.MaxOver(1, t.Connected("and", ()), irrational)
        assert numbers.evaluate(root_of, table, {"k": 30}) == (wide + tiny) * gdp_squared(F(1))
