"""Choices of blocks in numbers: short cuts against sorting, and numbers that no float holds."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers import evaluator as numbers
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import largest
from dpcomp_sym.numbers.exact import Exact, add, gdp_squared, growth, root, times
from dpcomp_sym.numbers.sums import total
from tests.notions.rows import PAIRS, bounds, with_single
from tests.statements.expressions import number

F = Fraction
ONE, TWO, THREE = number(1), number(2), number(3)
EPS, MU, DELTA = (k.BlockEntry(name, ("k",)) for name in ("eps", "mu", "delta"))
BIG = F(10**400)
TINY = F(1, 10**30)


def worst(*groups):
    return k.Worst(("k",), tuple(k.Choice(count, value) for count, value in groups))


def evaluated(e, sizes=None, **columns):
    table = ParameterTable.plain({(name, ("k",)): x for name, x in columns.items()})
    return numbers.evaluate(e, table, sizes or {})


KINDS = {
    "integers": lambda rng: rng.randint(0, 9),
    "floats": lambda rng: rng.choice((0.0, 0.5, 1.0, 2.5, rng.random())),
    "fractions": lambda rng: F(rng.randint(0, 9), 7) + rng.randint(0, 2) * TINY,
    "integers and floats": lambda rng: rng.choice((rng.randint(0, 4), rng.random() * 4)),
    "fractions and integers": lambda rng: rng.choice((rng.randint(0, 2), F(rng.randint(0, 9), 7))),
    "exact ones": lambda rng: growth(F(rng.randint(1, 3)), 2) + rng.randint(0, 2) * TINY,
    "all": lambda rng: rng.choice(
        (1, 0.5, F(1, 3) + rng.randint(0, 2) * TINY, root(2), root(F(2) + TINY), gdp_squared(F(1)))
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_numbers_are_those_of_a_sorted_list(kind):
    """Also where floats do not tell them apart; as many as there are, in order."""
    for seed in range(60):
        rng = random.Random(seed)
        items = [KINDS[kind](rng) for _ in range(rng.randint(1, 8))]
        expected = sorted(items, reverse=True)
        for n in range(1, len(items) + 3):
            assert numbers.largest(items, n) == expected[:n]
        if all(isinstance(x, F) for x in items):
            column = Column.of(items)
            assert numbers.largest(column, 2) == expected[:2]


def test_sizes_that_a_value_needs():
    when = k.Compared("le", k.Symbol("w"), k.Integer(3))
    e = k.Sum((worst((ONE, EPS)), k.SumOver(("m", 3), when, k.Inf(), k.Size("r"))))
    assert numbers.symbols(e, {}) == {"k", "m", "w", "r"}
    assert numbers.symbols(worst((ONE, EPS)), {}) == {"k"}


def test_one_number_is_no_list():
    with pytest.raises(InputError, match="a is one number, not a list"):
        numbers.evaluate(k.Param("a"), ParameterTable.plain({("a", ()): [1, 2]}), {})


def test_counts_of_blocks():
    """None of them, more than there are, and sizes."""
    values = {"eps": [F(3), F(5), F(2)]}
    three = {"k": 3, "m": 2}
    sums = {0: 0, 1: 5, 2: 8, 3: 10, 4: 10}
    for n, expected in sums.items():
        assert evaluated(worst((number(n), EPS)), three, **values) == expected
        assert evaluated(worst((number(n), k.Sum((EPS, EPS)))), three, **values) == 2 * expected
    assert evaluated(worst((k.Size("m"), EPS)), three, **values) == 8
    assert evaluated(worst((k.Inf(), EPS)), three, **values) == 10
    assert evaluated(worst((number(0), EPS), (TWO, EPS)), three, **values) == 8
    assert evaluated(worst((ONE, EPS), (ONE, k.Product((TWO, EPS)))), three, **values) == 13
    assert evaluated(worst((ONE, k.Product((TWO, EPS))), (k.Inf(), EPS)), three, **values) == 15
    assert evaluated(worst((k.Inf(), k.Product((TWO, EPS)))), three, **values) == 20
    assert evaluated(worst((ONE, EPS), (ONE, k.Product((TWO, EPS)))), {"k": 3}, eps=F(2)) == 0 + 6
    for counts, expected in (((1, 1), 3), ((2, 2), 5), ((3, 1), 4), ((0, 3), 6), ((4, 0), 3)):
        groups = zip(map(number, counts), (ONE, TWO), strict=True)
        assert evaluated(worst(*groups), {"k": 3}) == expected


@pytest.mark.parametrize("power", [1, 2, 3, 4])
def test_powers_of_entries(power):
    eps = [F(3), F(5), F(2), F(1, 2)]
    value = k.Product((EPS,) * power)
    for n in (1, 2, 4):
        expected = sum(sorted((x**power for x in eps), reverse=True)[:n])
        assert evaluated(worst((number(n), value)), {"k": 4}, eps=eps) == expected
    twice = worst((ONE, k.Product((TWO, value))), (ONE, value))
    assert evaluated(twice, {"k": 4}, eps=eps) == 2 * 5**power + 3**power


@pytest.mark.parametrize("wanted", [1, 3])
def test_among_many_equal_blocks_as_many_as_are_wanted_stay(wanted):
    both = k.Sum((EPS, MU))
    columns = {"eps": [F(1)] * 3000, "mu": [F(2)] * 2999 + [F(3, 2)]}
    assert evaluated(worst((number(wanted), both)), {"k": 3000}, **columns) == 3 * wanted
    groups = worst((number(wanted), both), (ONE, k.Product((TWO, both))))
    assert evaluated(groups, {"k": 3000}, **columns) == 3 * wanted + 6


def test_growths_at_infinity():
    values = {
        (k.Inf(), number(0)): 0, (k.Inf(), number("1/2")): 0, (k.Inf(), ONE): 1,
        (k.Inf(), TWO): math.inf, (k.Inf(), k.Inf()): math.inf, (number(0), k.Inf()): math.inf,
        (ONE, k.Inf()): math.inf,
    }  # fmt: skip
    for arguments, expected in values.items():
        assert evaluated(k.Apply("growth", arguments)) == expected
    assert evaluated(k.Max(())) == 0


def test_sums_of_many_functions_are_floats_and_others_are_exact():
    columns = table_of(1200, random.Random(1))
    many = evaluated(worst((number(1100), GROWN)), {"k": 1200}, **columns)
    assert isinstance(many, float)
    assert many > evaluated(worst((number(900), GROWN)), {"k": 1200}, **columns)
    sums = evaluated(worst((number(1100), k.Sum((EPS, DELTA)))), {"k": 1200}, **columns)
    assert isinstance(sums, F)


def table_of(n, rng):
    return {
        "eps": [F(rng.randint(1, 40), 30) for _ in range(n)],
        "delta": [F(rng.randint(0, 30), 10**6) for _ in range(n)],
    }


GROWN = k.Product((DELTA, k.Apply("growth", (EPS, TWO))))
ROUGH = {
    "growth": GROWN,
    "gdp": k.Product((DELTA, k.Apply("gdp", (EPS,)), k.Apply("gdp", (EPS,)))),
    "a large size": k.Product((k.Size("w"), GROWN)),
    "sums": k.Sum((GROWN, k.Product((TWO, EPS)))),
    "maxima": k.Max((k.Product((number(F(1, 50000)), EPS)), GROWN)),
    "growths that exceed the floats": k.Apply("growth", (k.Product((number(200), EPS)), number(5))),
}


@pytest.mark.parametrize("name", ROUGH)
def test_values_of_many_blocks_are_exact(name, monkeypatch):
    value = ROUGH[name]
    columns = table_of(1200, random.Random(name))
    sizes = {"k": 1200, "w": 10**6}
    e = worst((THREE, value))
    short = evaluated(e, sizes, **columns)
    assert not isinstance(short, float)
    with monkeypatch.context() as patched:
        patched.setattr(numbers, "_EXACT_TERMS", 10**9)
        assert evaluated(e, sizes, **columns) == short


def test_nothing_times_infinity_among_many_blocks():
    """Blocks that are 0 do not matter, whatever they are multiplied with."""
    delta = [F(0)] * 1199 + [F(1, 100)]
    for factors in ((DELTA, k.Inf()), (k.Inf(), DELTA)):
        e = worst((THREE, k.Sum((k.Product(factors), k.Product((DELTA, DELTA))))))
        assert evaluated(e, {"k": 1200}, delta=delta) == math.inf
        assert evaluated(e, {"k": 1200}, delta=[F(0)] * 1200) == 0


def test_paths_at_infinity():
    for name, below in (("path_rho", math.inf), ("path_mu", 0)):
        values = {
            (k.Inf(), TWO): math.inf, (TWO, k.Inf()): math.inf, (k.Inf(), k.Inf()): math.inf,
            (k.Inf(), number(0)): 0, (number(0), k.Inf()): 0, (k.Inf(), number("1/2")): below,
            (k.Inf(), number(1 / BIG)): below, (number(1 / BIG), k.Inf()): math.inf,
        }  # fmt: skip
        for arguments, expected in values.items():
            assert evaluated(k.Apply(name, arguments)) == expected


def test_the_largest_of_numbers_that_floats_take_for_0():
    tiny = [root(F(n, 10**701)) for n in (2, 3, 5)]
    assert largest(tiny, 2) == [tiny[2], tiny[1]]


def test_infinity_in_functions_and_products():
    tiny = k.Apply("gaussian_delta", (ONE, number(64)))
    for factors in ((k.Inf(), tiny), (tiny, k.Inf())):
        assert evaluated(k.Product(factors)) == math.inf
    values = {(k.Inf(), ONE): 1, (ONE, k.Inf()): 0, (k.Inf(), k.Inf()): 0}
    for arguments, expected in values.items():
        assert evaluated(k.Apply("gaussian_delta", arguments)) == expected
    for items in ((number(BIG), k.Inf()), (k.Inf(), k.Sqrt(TWO)), (k.Sqrt(TWO), k.Inf())):
        assert evaluated(k.Sum(items)) == math.inf


def test_numbers_that_no_float_holds():
    """What is exact stays exact; what is not is infinite, which is not a finite guarantee."""
    near, huge = root(2), root(BIG * 10)
    assert times(BIG, near) == root(2 * BIG * BIG)
    assert isinstance(growth(BIG, 2), Exact)
    assert float(huge) == pytest.approx(10**200 * math.sqrt(10))
    assert float(root(growth(F(900), 2))) == pytest.approx(math.exp(450), rel=1e-9)
    assert float(root(BIG**3 * 10)) == math.inf
    assert add(BIG, 0.5) == times(BIG, 0.5) == math.inf
    assert total([BIG, near]) == total([BIG, 0.5]) == math.inf
    assert total([BIG, F(1, 3)]) == BIG + F(1, 3)
    for notion, value in (("gaussian", "inf"), ("pure", 10**400 + 1)):
        name = {"gaussian": "mu", "pure": "eps"}[notion]
        (bound,) = [b for b in bounds(PAIRS, {name: [1, 10**400]}) if b.notion == notion]
        assert bound.as_json()["value"] == value
        json.dumps(bound.as_json(), allow_nan=False)
    assert bounds(with_single(), {"mu": [1, 10**400], "mu0": 1})[3].as_json()["value"] == "inf"
    assert bounds(PAIRS, {"eps": [1.5, 10**400]})[0].as_json()["value"] == "inf"
