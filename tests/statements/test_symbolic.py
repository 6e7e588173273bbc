"""SymPy expressions, read by their documented words, have the value that the expression means."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from dpcomp_sym import kernel as k
from dpcomp_sym.numbers import curves
from dpcomp_sym.numbers.exact import rounded_down
from dpcomp_sym.statements.blocks_sympy import BlockSum, MaxOver, SumOfLargest
from dpcomp_sym.statements.symbolic import to_sympy, zcdp_epsilon
from tests.shares import shared
from tests.statements import exact_values as exact
from tests.statements import meaning, sympy_meaning
from tests.statements.expressions import expression, number, values_of

SEEDS = range(250)
EPS, TAU = k.BlockEntry("eps", ("k",)), k.BlockEntry("tau", ("k", "m"))


def drawn(seed, sizes):
    """Return random positive numbers for the parameters of random expressions."""
    rng = random.Random(seed)
    return values_of(sizes, lambda: Fraction(rng.randint(1, 9), 10))


def blocks(family, sizes):
    return math.prod(size if isinstance(size, int) else sizes[size] for size in family)


def has_named_blocks(e, sizes):
    """Return whether there are enough blocks of value that is about them, as SymPy says it."""
    several = [w for w in k.subterms(e) if isinstance(w, k.Worst) and len(w.groups) > 1]
    return all(
        all(isinstance(g.count, k.Num) and k.open_sizes(g.value) for g in w.groups)
        and sum(g.count.value for g in w.groups) <= blocks(w.sizes, sizes)
        for w in several
    )


def is_finite(e):
    """Return whether infinity only says that all blocks are meant."""
    inside = list(k.subterms(e))
    counts = sum(g.count == k.Inf() for w in inside if isinstance(w, k.Worst) for g in w.groups)
    return sum(isinstance(x, k.Inf) for x in inside) == counts


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", shared(1, [SEEDS[:80], SEEDS]), ids=len)
@pytest.mark.parametrize("written_out", [False, True])
def test_sympy_expressions_have_the_value_of_the_expression(written_out, seeds):
    met = 0
    for seed in seeds[::3] if written_out else seeds:
        e = expression(seed)
        sizes = {"k": 2, "m": 2, "w": 3} if written_out else {"k": 6, "m": 2, "w": 3}
        values = drawn(seed, sizes)
        if not is_finite(e) or not (written_out or has_named_blocks(e, sizes)):
            continue
        try:
            expected = meaning.value(e, values, sizes)
            shown = to_sympy(e, sizes if written_out else None)
        except (k.KernelError, ValueError, OverflowError):
            continue
        if not expected < 1e9:
            continue
        try:
            found = sympy_meaning.value(shown, values, sizes)
        except OverflowError:
            continue
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9), (seed, e.text(), shown)
        met += 1
    assert met > 25 * len(seeds) // len(SEEDS)


def entries(values):
    """Return what SymPy calls the parameters, with their numbers."""
    found = {}
    for name, given in values.items():
        if isinstance(given, dict):
            base = sp.IndexedBase(name, nonnegative=True)
            found |= {base[block]: sp.Rational(str(x)) for block, x in given.items()}
        else:
            found[sp.Symbol(name, nonnegative=True)] = sp.Rational(str(given))
    return found


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", shared(1, [SEEDS[:60], SEEDS[:150]]), ids=len)
def test_functions_of_blocks_evaluate_to_the_value_of_the_expression(seeds):
    """Numbers of blocks first, then parameters; or both at once."""
    met = 0
    for seed in seeds:
        e = expression(seed)
        sizes = {"k": 4, "m": 2, "w": 3}
        values = drawn(seed, sizes)
        if not is_finite(e):
            continue
        try:
            expected = meaning.value(e, values, sizes)
            shown = to_sympy(e)
        except (k.KernelError, ValueError, OverflowError):
            continue
        if not expected < 1e9 or not shown.atoms(MaxOver, SumOfLargest, BlockSum):
            continue
        numbers = {sp.Symbol(name, integer=True): n for name, n in sizes.items()}
        assert not {s.name for s in shown.free_symbols} & {"i", "j", "l"}
        out = shown.subs(numbers).doit()
        if out.atoms(MaxOver, SumOfLargest):  # too many choices in symbols
            out = shown.subs(numbers)
        for found in (out.subs(entries(values)), shown.subs(numbers | entries(values))):
            assert float(found.evalf()) == pytest.approx(float(expected), rel=1e-6, abs=1e-9), (
                seed, e.text(), shown, found,
            )  # fmt: skip
        met += 1
    assert met > 25 * len(seeds) // len(SEEDS)


EPS_S, MU_S = (sp.IndexedBase(name, nonnegative=True) for name in ("eps", "mu"))
I_S, J_S, K_S, W_S = sp.symbols("i j k w", integer=True)


def test_functions_of_blocks_written_out():
    largest = SumOfLargest(W_S, EPS_S[I_S], (I_S, 1, K_S))
    assert largest.free_symbols == {W_S, K_S, *EPS_S[I_S].free_symbols - {I_S}}
    assert largest.subs({W_S: 0, K_S: 3}).doit() == 0
    assert largest.subs({W_S: 5, K_S: 2}).doit() == EPS_S[1] + EPS_S[2]
    assert largest.subs({W_S: sp.oo, K_S: 2}).doit() == EPS_S[1] + EPS_S[2]
    assert largest.subs(I_S, 7) == largest
    assert largest.doit() == largest
    assert largest.evalf() == largest
    pair = MaxOver(EPS_S[I_S] + MU_S[J_S], (I_S, 1, K_S), (J_S, 1, K_S))
    assert pair.subs(K_S, 1).doit() == sp.Max(EPS_S[1], MU_S[1])
    assert pair.subs(
        {K_S: 2, EPS_S[1]: 1, EPS_S[2]: 4, MU_S[1]: sp.sqrt(2), MU_S[2]: 0}
    ).doit() == (4 + sp.sqrt(2))
    assert MaxOver(EPS_S[I_S, J_S], (I_S, 1, 2), (J_S, 1, 1)).doit() == sp.Max(
        EPS_S[1, 1], EPS_S[2, 1]
    )
    assert pickle.loads(pickle.dumps(pair)) == pair  # noqa: S301 - made here


def test_more_choices_than_are_tried_stay_as_they_are():
    many = SumOfLargest(20, EPS_S[I_S], (I_S, 1, 60))
    assert many.doit() == many
    numbers = many.subs({EPS_S[n]: n for n in range(1, 61)})
    assert numbers.doit() == sum(range(41, 61))
    wide = MaxOver(EPS_S[I_S] + MU_S[J_S], (I_S, 1, 100), (J_S, 1, 100))
    assert wide.doit() == wide


def test_functions_of_blocks_take_arrays():
    eps, sizes = np.array([1.0, 0.5, 4.0, 2.0]), (K_S, EPS_S)
    for made, value in (
        (SumOfLargest(2, EPS_S[I_S], (I_S, 1, K_S)), 6.0),
        (SumOfLargest(K_S - 1, 2 * EPS_S[I_S], (I_S, 1, K_S)), 14.0),
        (MaxOver(EPS_S[I_S] ** 2, (I_S, 1, K_S)), 16.0),
        (BlockSum(EPS_S[I_S], (I_S, 1, K_S)), 7.5),
        (sp.sqrt(BlockSum(EPS_S[I_S] ** 2, (I_S, 1, K_S))), math.sqrt(21.25)),
        (MaxOver(BlockSum(EPS_S[J_S], (J_S, 1, K_S)) + EPS_S[I_S], (I_S, 1, K_S)), 11.5),
    ):
        for modules in ("numpy", "math"):
            assert sp.lambdify(sizes, made, modules)(4, eps) == pytest.approx(value)
    two = MaxOver(EPS_S[I_S] + MU_S[J_S], (I_S, 1, K_S), (J_S, 1, K_S))
    with pytest.raises(ValueError, match="give the numbers of blocks first"):
        sp.lambdify((K_S, EPS_S, MU_S), two)


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (
            k.Worst(("k", "m"), (k.Choice(number(1), TAU),)),
            "MaxOver(tau[i, j], (i, 1, k), (j, 1, m))",
        ),
        (k.Worst(("k",), (k.Choice(number(3), EPS),)), "SumOfLargest(3, eps[i], (i, 1, k))"),
        (k.Worst(("k",), (k.Choice(k.Inf(), EPS),)), "Sum(eps[i], (i, 1, k))"),
    ],
)
def test_the_words(e, text):
    assert str(to_sympy(e)) == text


ALWAYS = k.Connected("and", ())
T, U, I, J, W = k.Letter(1), k.Letter(2), k.Index(1), k.Index(2), k.Symbol("w")
NEAR = k.Connected("and", (k.Compared("le", T, I), k.Compared("lt", I, k.Combined("add", (T, W)))))
A, MU, ONE = k.Param("a"), k.BlockEntry("mu", ("k",)), number(1)


def plus(*items):
    return k.Combined("add", items)


WRITTEN = [
    (
        k.SumOver(("k",), k.Compared("le", I, W), k.Inf(), EPS),
        None,
        "Sum(Piecewise((eps[i], i <= w), (0, True)), (i, 1, k))",
    ),
    (
        k.SumOver(("k",), k.Compared("le", I, W), k.Inf(), EPS),
        {"k": 4, "w": 2, "m": 2},
        "Sum(Piecewise((eps[i], i <= 2), (0, True)), (i, 1, 4))",
    ),
    (
        k.SumOver(("k",), k.Compared("le", I, W), ONE, EPS),
        None,
        "MaxOver(Piecewise((eps[i], i <= w), (0, True)), (i, 1, k))",
    ),
    (
        k.SumOver(("k",), k.Compared("le", I, W), ONE, EPS),
        {"k": 4, "w": 2, "m": 2},
        "MaxOver(Piecewise((eps[i], i <= 2), (0, True)), (i, 1, 4))",
    ),
    (
        k.SumOver(("k",), k.Compared("le", I, W), number(2), EPS),
        None,
        "SumOfLargest(2, Piecewise((eps[i], i <= w), (0, True)), (i, 1, k))",
    ),
    (
        k.SumOver(("k",), k.Compared("le", I, W), number(2), EPS),
        {"k": 4, "w": 2, "m": 2},
        "SumOfLargest(2, Piecewise((eps[i], i <= 2), (0, True)), (i, 1, 4))",
    ),
    (
        k.SumOver((), k.Compared("le", k.Integer(3), W), k.Inf(), A),
        None,
        "Piecewise((a, w >= 3), (0, True))",
    ),
    (k.SumOver((), k.Compared("le", k.Integer(3), W), k.Inf(), A), {"k": 4, "w": 2, "m": 2}, "0"),
    (k.SumOver((), ALWAYS, k.Inf(), A), None, "a"),
    (k.SumOver((), ALWAYS, k.Inf(), A), {"k": 4, "w": 2, "m": 2}, "a"),
    (k.SumOver(("k",), ALWAYS, k.Inf(), EPS), None, "Sum(eps[i], (i, 1, k))"),
    (k.SumOver(("k",), ALWAYS, k.Inf(), EPS), {"k": 4, "w": 2, "m": 2}, "Sum(eps[i], (i, 1, 4))"),
    (
        k.SumOver(("k", "m"), k.Compared("lt", I, J), k.Inf(), TAU),
        None,
        "Sum(Piecewise((tau[i, j], i < j), (0, True)), (i, 1, k), (j, 1, m))",
    ),
    (
        k.SumOver(("k", "m"), k.Compared("lt", I, J), k.Inf(), TAU),
        {"k": 4, "w": 2, "m": 2},
        "Sum(Piecewise((tau[i, j], i < j), (0, True)), (i, 1, 4), (j, 1, 2))",
    ),
    (
        k.MaxOver(1, ALWAYS, k.SumOver(("k",), NEAR, k.Inf(), EPS)),
        None,
        (
            "MaxOverIntegers(Sum(Piecewise((eps[i], (i >= t) & (i < t + w)), (0, "
            "True)), (i, 1, k)), t, True)"
        ),
    ),
    (
        k.MaxOver(1, ALWAYS, k.SumOver(("k",), NEAR, k.Inf(), EPS)),
        {"k": 4, "w": 2, "m": 2},
        "Max(eps[1] + eps[2], eps[2] + eps[3], eps[3] + eps[4])",
    ),
    (
        k.MaxOver(
            2,
            k.Compared("ne", T, U),
            k.SumOver(
                ("k",),
                k.Connected("or", (k.Compared("eq", I, T), k.Compared("eq", I, U))),
                k.Inf(),
                EPS,
            ),
        ),
        None,
        (
            "MaxOverIntegers(Sum(Piecewise((eps[i], Eq(i, t) | Eq(i, u)), (0, True)), "
            "(i, 1, k)), t, u, Ne(t, u))"
        ),
    ),
    (
        k.MaxOver(
            2,
            k.Compared("ne", T, U),
            k.SumOver(
                ("k",),
                k.Connected("or", (k.Compared("eq", I, T), k.Compared("eq", I, U))),
                k.Inf(),
                EPS,
            ),
        ),
        {"k": 4, "w": 2, "m": 2},
        (
            "Max(eps[1] + eps[2], eps[1] + eps[3], eps[1] + eps[4], eps[2] + eps[3], "
            "eps[2] + eps[4], eps[3] + eps[4])"
        ),
    ),
    (
        k.MaxOver(
            1,
            k.Connected("not", (k.Compared("lt", T, k.Integer(2)),)),
            k.Sum((k.SumOver(("k",), NEAR, ONE, EPS), A)),
        ),
        None,
        (
            "MaxOverIntegers(a + MaxOver(Piecewise((eps[i], (i >= t) & (i < t + w)), "
            "(0, True)), (i, 1, k)), t, t >= 2)"
        ),
    ),
    (k.Amount(plus(W, k.Integer(-2))), None, "Max(0, w - 2)"),
    (k.Amount(plus(W, k.Integer(-2))), {"k": 4, "w": 2, "m": 2}, "0"),
    (k.Amount(k.Combined("mul", (W, k.Integer(2)))), None, "Max(0, 2*w)"),
    (k.Amount(k.Combined("mul", (W, k.Integer(2)))), {"k": 4, "w": 2, "m": 2}, "4"),
    (k.Amount(k.Combined("neg", (W,))), None, "Max(0, -w)"),
    (k.Amount(k.Combined("neg", (W,))), {"k": 4, "w": 2, "m": 2}, "0"),
    (k.Amount(k.Combined("min", (W, k.Integer(2)))), None, "Max(0, Min(2, w))"),
    (k.Amount(k.Combined("min", (W, k.Integer(2)))), {"k": 4, "w": 2, "m": 2}, "2"),
    (k.Amount(k.Combined("max", (W, k.Integer(2)))), None, "Max(2, w)"),
    (k.Amount(k.Combined("max", (W, k.Integer(2)))), {"k": 4, "w": 2, "m": 2}, "2"),
    (k.Amount(k.Combined("div", (W, k.Integer(2)))), None, "Max(0, floor(w/2))"),
    (k.Amount(k.Combined("div", (W, k.Integer(2)))), {"k": 4, "w": 2, "m": 2}, "1"),
    (k.Amount(k.Combined("mod", (W, k.Integer(2)))), None, "Mod(w, 2)"),
    (k.Amount(k.Combined("mod", (W, k.Integer(2)))), {"k": 4, "w": 2, "m": 2}, "0"),
    (k.Amount(k.Combined("pow", (k.Integer(3), W))), None, "3**Max(0, w)"),
    (k.Amount(k.Combined("pow", (k.Integer(3), W))), {"k": 4, "w": 2, "m": 2}, "9"),
    (k.Amount(k.Combined("pow", (W, k.Integer(2)))), None, "Max(1, w)**2"),
    (
        k.MaxOver(1, ALWAYS, k.SumOver(("k",), NEAR, k.Inf(), EPS)),
        {"w": 2},
        (
            "MaxOverIntegers(Sum(Piecewise((eps[i], (i >= t) & (i < t + 2)), (0, "
            "True)), (i, 1, k)), t, True)"
        ),
    ),
    (
        k.MaxOver(1, k.Connected("or", ()), k.SumOver(("k",), NEAR, k.Inf(), EPS)),
        {"k": 4, "w": 2, "m": 2},
        "0",
    ),
    (
        k.Worst(("k", "m"), (k.Choice(ONE, TAU),)),
        {"k": 2},
        "MaxOver(tau[i, j], (i, 1, 2), (j, 1, m))",
    ),
    (
        k.Worst(("k", 2), (k.Choice(ONE, k.BlockEntry("x", ("k", 2))),)),
        {"k": 1},
        "Max(x[1, 1], x[1, 2])",
    ),
    (k.EntryOf("x", (3,), (2,)), None, "x[2]"),
    (
        k.Worst(
            ("k",),
            (k.Choice(k.Inf(), k.Product((EPS, k.Worst(("k", "m"), (k.Choice(ONE, TAU),))))),),
        ),
        None,
        "Sum(eps[i]*MaxOver(tau[j, l], (j, 1, k), (l, 1, m)), (i, 1, k))",
    ),
    (
        k.Worst(("k",), (k.Choice(ONE, EPS), k.Choice(number(2), MU))),
        None,
        "MaxOver(eps[i] + mu[j] + mu[l], (i, 1, k), (j, 1, k), (l, 1, k))",
    ),
    (
        k.Worst(("k", 2), (k.Choice(ONE, k.BlockEntry("x", ("k", 2))),)),
        None,
        "MaxOver(x[i, j], (i, 1, k), (j, 1, 2))",
    ),
    (EPS, None, "eps[i]"),
    (TAU, None, "tau[i, j]"),
    (
        k.Cases(
            (k.SizeCase((k.SizeRange("k", 1, 1),), A), k.SizeCase((k.SizeRange("k", 2, 4),), EPS))
        ),
        None,
        "Piecewise((a, (k >= 1) & (k <= 1)), (eps[i], (k >= 2) & (k <= 4)), (oo, True))",
    ),
    (
        k.Cases(
            (k.SizeCase((k.SizeRange("k", 1, 1),), A), k.SizeCase((k.SizeRange("k", 2, 4),), EPS))
        ),
        {"k": 4, "w": 2, "m": 2},
        "eps[i]",
    ),
    (
        k.Cases((k.SizeCase((k.SizeRange("k", 2, None),), A),)),
        None,
        "Piecewise((a, k >= 2), (oo, True))",
    ),
    (k.Cases((k.SizeCase((k.SizeRange("k", 2, None),), A),)), {"k": 4, "w": 2, "m": 2}, "a"),
    (k.Product((number(0), k.Inf(), A)), None, "0"),
    (k.Product((number(2), k.Inf())), None, "oo"),
    (k.Max((A, number(2))), None, "Max(2, a)"),
    (k.Max(()), None, "0"),
    (k.Cases(()), None, "oo"),
    (k.Cases(()), {"k": 4, "w": 2, "m": 2}, "oo"),
    (k.Apply("growth", (A, k.Size("m"))), None, "(exp(a*m) - 1)/(exp(a) - 1)"),
    (k.Apply("growth", (A, ONE)), None, "1"),
    (k.Apply("growth", (A, number(0))), None, "0"),
    (k.Apply("growth", (number(0), A)), None, "a"),
    (k.Apply("growth", (k.Inf(), ONE)), None, "1"),
    (k.Apply("growth", (k.Inf(), number(0))), None, "0"),
    (k.Apply("gaussian_delta", (number(0), A)), None, "0"),
    (
        k.Apply("gaussian_delta", (A, ONE)),
        None,
        "-E*(erf(sqrt(2)*(-a/2 - 1/a)/2)/2 + 1/2) + erf(sqrt(2)*(a/2 - 1/a)/2)/2 + 1/2",
    ),
    (k.Apply("gdp", (A,)), None, "2*sqrt(2)*erfinv(tanh(a/2))"),
    (k.Apply("tanh", (A,)), None, "tanh(a)"),
    (k.Apply("exp", (A,)), None, "exp(a)"),
    (k.Apply("path_rho", (A, number(2))), None, "a*(-(1 - exp(-2*a))/sinh(a) + 2)"),
    (k.Apply("path_rho", (A, number(0))), None, "0"),
    (k.Apply("path_rho", (number(0), A)), None, "0"),
    (
        k.Apply("path_mu", (A, number(2))),
        None,
        "sqrt(2)*(erfinv(1 - 2*exp(-2*a)/(1 + exp(-a))) + erfinv(1 - 2*exp(-a)/(1 + exp(-a))))",
    ),
    (k.Apply("zcdp_epsilon", (A, k.Param("b"))), None, "zcdp_epsilon(a, b)"),
]


@pytest.mark.parametrize("place", range(len(WRITTEN)))
def test_totals_and_cases_in_words_and_written_out(place):
    e, sizes, text = WRITTEN[place]
    assert str(to_sympy(e, sizes)) == text


def test_written_out_a_largest_value_has_the_value_of_the_expression():
    rng = random.Random(5)
    for when, free in ((NEAR, 1), (k.Connected("or", (k.Compared("eq", I, T),
                                                      k.Compared("eq", I, U))), 2)):  # fmt: skip
        for facts in (ALWAYS, k.Compared("le", k.Integer(2), T), k.Compared("lt", T, k.Integer(0))):
            count = rng.choice((k.Inf(), ONE, k.Num(Fraction(2)), k.Size("w")))
            e = k.MaxOver(free, facts, k.SumOver(("k",), when, count, EPS))
            sizes = {"k": rng.randint(2, 5), "w": rng.randint(1, 3)}
            eps = [Fraction(rng.randint(0, 9), 4) for _ in range(sizes["k"])]
            values = {"eps": {(n,): x for n, x in enumerate(eps, 1)}}
            shown = to_sympy(e, sizes)
            expected = exact.evaluate(e, {"eps": eps}, sizes)
            assert sympy_meaning.value(shown, values, sizes) == pytest.approx(float(expected))


@pytest.mark.parametrize("seed", range(6))
def test_numbers_of_blocks_that_are_integers_are_written_out(seed):
    """One block has what the others leave: against all ways to choose that one and these."""
    rng = random.Random(seed)
    m, n = rng.randint(1, 3), rng.randint(1, 4)
    facts = k.Connected("and", (k.Compared("le", k.Integer(0), U), k.Compared("lt", U, W)))
    left = k.Amount(k.Combined("add", (W, k.Combined("neg", (U,)))))
    e = k.MaxOver(2, facts, k.Sum((
        k.SumOver(("k",), k.Compared("eq", I, T), k.Inf(), k.Product((left, EPS))),
        k.SumOver(("k",), k.Compared("ne", I, T), k.Amount(U), EPS),
    )))  # fmt: skip
    eps = [Fraction(rng.randint(0, 5), 50) for _ in range(n)]
    best = max(
        (m - len(others)) * eps[one] + sum(eps[i] for i in others)
        for one in range(n) for few in range(min(m, n))
        for others in itertools.combinations([i for i in range(n) if i != one], few)
    )  # fmt: skip
    shown = to_sympy(e, {"k": n, "w": m})
    at = {EPS_S[i]: sp.Rational(x.numerator, x.denominator) for i, x in enumerate(eps, 1)}
    assert shown.subs(at) == sp.Rational(best.numerator, best.denominator)
    assert exact.evaluate(e, {"eps": eps}, {"k": n, "w": m}) == best
    assert to_sympy(e).has(sp.Symbol("w", integer=True))


def test_too_many_choices_of_blocks_are_not_written_out():
    """There are 20 ways to choose 3 blocks of 6, and no more than 200 are written out."""
    few = k.MaxOver(0, ALWAYS, k.SumOver(("k",), ALWAYS, k.Num(Fraction(3)), EPS))
    assert len(to_sympy(few, {"k": 6}).args) <= 21
    with pytest.raises(k.KernelError, match="are not written out"):
        to_sympy(few, {"k": 12})


def test_what_sympy_has_no_word_for():
    some = k.SumOver(("k",), NEAR, ONE, EPS)
    everything = k.SumOver(("k",), ALWAYS, k.Inf(), EPS)
    few, many = {"k": 6, "w": 2}, {"k": 7, "w": 2}
    largest = k.Worst(("k",), (k.Choice(ONE, EPS),))
    refused = [
        (k.MaxOver(1, ALWAYS, k.Sum((A, some))), few),
        (k.MaxOver(0, ALWAYS, k.Sum((A, everything))), few),
        (k.MaxOver(0, ALWAYS, everything), many),
        (largest, many), (k.Worst(("k",), (k.Choice(k.Size("m"), EPS), k.Choice(ONE, MU))), None),
    ]  # fmt: skip
    for e, sizes in refused:
        with pytest.raises(k.KernelError, match=r"SymPy has no word|too many|are not written out"):
            to_sympy(e, sizes)
    assert str(to_sympy(k.MaxOver(0, ALWAYS, everything), few)).count("eps") == 6
    assert str(to_sympy(largest, few)).count("eps") == 6


def test_numbers_that_are_not_negative():
    """SymPy knows it of parameters and of entries, and that sizes are integers."""
    for e in (A, EPS, k.EntryOf("x", (3,), (2,))):
        assert to_sympy(e).is_nonnegative
    assert to_sympy(k.Size("k")).is_integer
    index = to_sympy(k.Worst(("k",), (k.Choice(ONE, EPS),))).args[1].args[0]
    assert (index.is_integer, index.is_positive) == (True, True)
    window = to_sympy(k.MaxOver(1, ALWAYS, k.SumOver(("k",), NEAR, k.Inf(), EPS)))
    assert [x.is_integer for x in window.bound_symbols] == [True]


def test_blocks_of_several_families_have_different_letters():
    inside = k.Worst(("k",), (k.Choice(ONE, EPS), k.Choice(number(2), MU)))
    e = k.Worst(("k", "m"), (k.Choice(k.Inf(), k.Product((TAU, inside))),))
    assert str(to_sympy(e)) == (
        "Sum(tau[i, j]*MaxOver(eps[l] + mu[n] + mu[s], (l, 1, k), (n, 1, k), (s, 1, k)), "
        "(i, 1, k), (j, 1, m))"
    )


@pytest.mark.parametrize("rho", ["1/1000000", "1/100", "1/2", "3", "100"])
@pytest.mark.parametrize("delta", ["1/1000000000", "1/1000", "1/2", "9/10"])
def test_the_point_of_a_curve_has_as_many_digits_as_are_asked_for(rho, delta):
    """It is 0 where the least over the orders is negative."""
    expected = sp.Rational(rounded_down(curves.zcdp_epsilon(Fraction(rho), Fraction(delta))))
    point = zcdp_epsilon()(rho, delta)
    for digits in (5, 15, 50):
        found = sp.Rational(point.evalf(digits))
        assert abs(found - expected) <= expected / 10 ** (digits - 1)
    unknown = zcdp_epsilon()(rho, sp.Symbol("delta"))
    assert unknown.evalf() == unknown
    assert zcdp_epsilon()(0, delta) == 0


def test_more_digits_of_a_point_only_add_to_those_before():
    few, many = (sp.Rational(zcdp_epsilon()("1/2", "1/1000").evalf(n)) for n in (200, 260))
    assert abs(few - many) < many / 10**199
