"""The exact evaluator against the meaning of expressions, and what it refuses."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.statements.integers import Values
from tests.statements import exact_values as exact
from tests.statements import meaning
from tests.statements.expressions import expression, number, values_of
from tests.statements.integers import TRUE

F = Fraction
A, B = k.Param("a"), k.Param("b")
EPS, TAU = k.BlockEntry("eps", ("k",)), k.BlockEntry("tau", ("k", "m"))
LN2, LN3, ROOT2, INF = exact.Log(F(2)), exact.Log(F(3)), exact.RootOfFraction(F(2)), exact.INFINITE
NUMBERS = (F(0), F(1), F(1, 2), F(3), F(7, 4), F(2), LN2, ROOT2, INF)


def as_float(x):
    match x:
        case exact.Infinite():
            return math.inf
        case exact.Log(of):
            return math.log(of)
        case exact.RootOfFraction(of):
            return math.sqrt(of)
    return float(x)


def test_the_exact_value_is_what_the_expression_means():
    kinds = dict.fromkeys((F, exact.Log, exact.RootOfFraction, exact.Infinite), 0)
    for seed in range(2500):
        rng = random.Random(seed)
        sizes = {name: rng.randint(1, 3) for name in "kmw"}
        several = rng.choice((1, 5, 6))
        values = values_of(sizes, partial(rng.choice, rng.choices(NUMBERS[:6], k=several)))
        if several == 6:
            values |= {name: rng.choice(NUMBERS) for name in ("a", "b", "eps0")}
        e = expression(seed)
        try:
            found = exact.evaluate(e, values, sizes)
            floats = {
                name: {b: as_float(y) for b, y in x.items()} if isinstance(x, dict) else as_float(x)
                for name, x in values.items()
            }
            expected = meaning.value(e, floats, sizes)
        except (k.KernelError, OverflowError, ValueError, ZeroDivisionError):
            continue
        kinds[type(found)] += 1
        assert as_float(found) == pytest.approx(expected, rel=1e-12), (seed, e.text())
    assert all(kinds.values()), kinds


GROWTHS = [*NUMBERS, LN3, F(5), F(10)]


@pytest.mark.parametrize("r", GROWTHS, ids=str)
@pytest.mark.parametrize("eps", GROWTHS, ids=str)
def test_growths_have_the_value_that_they_mean_or_none(eps, r):
    e = k.Apply("growth", (A, B))
    try:
        found = exact.evaluate(e, {"a": eps, "b": r})
    except k.KernelError:
        whole = isinstance(r, F) and r.denominator == 1
        assert not (isinstance(eps, exact.Log) and whole)
        assert eps != 0
        return
    assert as_float(found) == pytest.approx(meaning.growth(as_float(eps), as_float(r)))


@pytest.mark.parametrize("pair", list(product(NUMBERS, repeat=2)), ids=str)
def test_two_numbers(pair):
    """A sum, a product and a maximum of two numbers are exact, or there is an error."""
    values = dict(zip("ab", pair, strict=True))
    a, b = map(as_float, pair)
    fails = set()
    for kind, expected in (
        (k.Sum, a + b), (k.Product, meaning.times(a, b)), (k.Max, max(a, b))
    ):  # fmt: skip
        try:
            found = exact.evaluate(kind((A, B)), values)
        except k.KernelError:
            fails.add(kind)
            continue
        assert as_float(found) == pytest.approx(expected)
        assert (
            type(found) is not exact.RootOfFraction
            or math.isqrt(found.of.numerator) ** 2 != found.of
        )
    kinds = {type(x) for x in pair}
    if 0 in pair or exact.Infinite in kinds or kinds == {F}:
        assert not fails
    elif kinds == {F, exact.Log}:
        assert (k.Product in fails) == any(isinstance(x, F) and x.denominator > 1 for x in pair)


def test_parameters():
    def value(e, values, sizes=None, block=()):
        return exact.evaluate(e, values, sizes, block)

    pairs = {(i, j): F(10 * i + j) for i in (1, 2) for j in (1, 2)}
    assert [value(EPS, {"eps": [F(5), F(7)]}, block=(n,)) for n in (1, 2)] == [5, 7]
    assert value(EPS, {"eps": F(5)}, block=(9,)) == 5
    assert value(EPS, {"eps": {(3,): F(4)}}, block=(3,)) == 4
    assert value(TAU, {"tau": pairs}, block=(2, 1)) == 21
    assert value(k.EntryOf("tau", (2, 2), (1, 2)), {"tau": pairs}) == 12
    assert value(A, {"a": F(1)}) == 1
    refused = [
        (A, {}, ()), (A, {"a": [F(1)]}, ()), (A, {"a": {(): F(1)}}, ()),
        (EPS, {"eps": [F(5), F(7)]}, (0,)), (EPS, {"eps": [F(5), F(7)]}, (3,)),
        (EPS, {"eps": {(1,): F(4)}}, (2,)), (EPS, {"eps": 1.5}, (1,)),
        (TAU, {"tau": [F(1), F(2)]}, (1, 2)), (k.Size("k"), {}, ()),
    ]  # fmt: skip
    for e, values, block in refused:
        with pytest.raises(k.KernelError, match="no number for"):
            value(e, values, block=block)


def total(when, count=None, sizes=("k",), value=EPS):
    return k.SumOver(sizes, when, k.Inf() if count is None else number(count), value)


def test_largest_totals_over_integers():
    """Windows of two blocks, and of what lies in them; the largest ones where some are counted."""
    t, i = k.Letter(1), k.Index(1)
    after = k.Combined("add", (t, k.Integer(1)))
    window = k.Connected("or", (k.Compared("eq", i, t), k.Compared("eq", i, after)))
    eps = [F(n) for n in (2, 9, 4, 8, 3)]
    values, sizes = {"eps": eps, "a": F(5)}, {"k": 5}

    def found(body, facts=TRUE, free=1):
        return exact.evaluate(k.MaxOver(free, facts, body), values, sizes)

    assert found(total(window)) == 13
    assert found(total(window, 1)) == 9
    assert found(total(window, 2)) == 13
    assert found(total(window, 3)) == 13
    assert found(total(TRUE, 3)) == 9 + 8 + 4
    assert found(total(window), k.Compared("le", k.Integer(4), t)) == 11
    assert found(k.Sum((total(window), A))) == 18
    assert found(total(k.Compared("le", k.Symbol("k"), k.Integer(5)), sizes=(), value=A)) == 5
    assert found(total(k.Compared("lt", k.Symbol("k"), k.Integer(5)), sizes=(), value=A)) == 0
    weight = k.Amount(k.Combined("add", (k.Integer(2), k.Combined("neg", (i,)))))
    with pytest.raises(k.KernelError, match="from place to place"):
        found(total(TRUE, value=k.Product((weight, EPS))))
    assert exact.evaluate(k.Amount(k.Integer(-3)), {}) == 0
    assert exact.evaluate(k.Amount(k.Integer(3)), {}) == 3


def test_the_first_case_that_holds():
    cases = k.Cases((
        k.SizeCase((k.SizeRange("k", 2, 3), k.SizeRange("m", 1, 1)), A),
        k.SizeCase((k.SizeRange("k", 2, None),), B),
        k.SizeCase((k.SizeRange("k", 1, 1), k.SizeRange("m", 1, 2)), A),
    ))  # fmt: skip
    values = {"a": F(1), "b": F(2)}
    expected = {
        (1, 1): 1, (1, 2): 1, (1, 3): INF, (2, 1): 1, (2, 2): 2, (3, 1): 1, (4, 1): 2, (4, 9): 2,
    }  # fmt: skip
    for (blocks, m), value in expected.items():
        assert exact.evaluate(cases, values, {"k": blocks, "m": m}) == value


@pytest.mark.parametrize(
    ("e", "value"),
    [
        (k.Combined("add", (k.Integer(2), k.Integer(3), k.Integer(-9))), -4),
        (k.Combined("mul", (k.Integer(2), k.Integer(3), k.Integer(-9))), -54),
        (k.Combined("neg", (k.Letter(2),)), -8),
        (k.Combined("min", (k.Letter(1), k.Index(1))), 5),
        (k.Combined("max", (k.Letter(1), k.Index(2))), 7),
        (k.Combined("div", (k.Integer(-7), k.Integer(2))), -4),
        (k.Combined("mod", (k.Integer(-7), k.Integer(2))), 1),
        (k.Combined("pow", (k.Symbol("w"), k.Index(1))), 243),
        (k.Combined("pow", (k.Integer(-3), k.Index(1))), 1),
        (k.Combined("pow", (k.Integer(3), k.Integer(-1))), 1),
        (k.Combined("div", (k.Symbol("w"), k.Integer(1))), 3),
    ],
)
def test_integers(e, value):
    assert Values({"w": 3}, (7, 8), (5, 6)).of(e) == value


def test_integers_that_have_no_value():
    for word in ("div", "mod"):
        with pytest.raises(k.KernelError, match="division by zero"):
            Values({}).of(k.Combined(word, (k.Integer(3), k.Integer(0))))
    with pytest.raises(k.KernelError, match="no number for w"):
        Values({}).of(k.Symbol("w"))
    with pytest.raises(k.KernelError, match="too large"):
        Values({}).of(k.Combined("pow", (k.Integer(2), k.Integer(10**9))))


def test_conditions():
    signs = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}
    for word, a, b in product(signs, (1, 2), (1, 2)):
        p = k.Compared(word, k.Integer(a), k.Integer(b))
        expected = {"lt": a < b, "le": a <= b, "eq": a == b, "ne": a != b}[word]
        assert Values({}).hold(p) is expected
        assert Values({}).hold(k.Connected("not", (p,))) is not expected
    yes, no = (k.Compared("eq", k.Integer(1), k.Integer(n)) for n in (1, 2))
    for one, two in product((yes, no), repeat=2):
        assert Values({}).hold(k.Connected("and", (one, two))) is (one == two == yes)
        assert Values({}).hold(k.Connected("or", (one, two))) is (yes in {one, two})
