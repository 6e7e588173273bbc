"""SymPy expressions, read by their documented words, have the value that the expression means."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from dpcomp_sym import kernel as k
from dpcomp_sym.statements.blocks_sympy import BlockSum, MaxOver, SumOfLargest
from dpcomp_sym.statements.symbolic import to_sympy
from tests.shares import shared
from tests.statements import meaning, sympy_meaning
from tests.statements.expressions import FAMILIES, SINGLE, expression, number

SEEDS = range(250)
EPS, TAU = k.BlockEntry("eps", ("k",)), k.BlockEntry("tau", ("k", "m"))


def drawn(seed, sizes):
    """Return random positive numbers for the parameters of random expressions."""
    rng = random.Random(seed)
    values = {name: Fraction(rng.randint(1, 9), 10) for name in SINGLE}
    for family, names in FAMILIES.items():
        ends = [s if isinstance(s, int) else sizes[s] for s in family]
        blocks = list(product(*(range(1, end + 1) for end in ends)))
        for name in names:
            values[name] = {b: Fraction(rng.randint(1, 9), 10) for b in blocks}
    return values


def blocks(family, sizes):
    return math.prod(size if isinstance(size, int) else sizes[size] for size in family)


def has_named_blocks(e, sizes):
    """Return whether there are enough blocks of value that speaks of them, as SymPy says it."""
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
I, J, K_S, W = sp.symbols("i j k w", integer=True)


def test_functions_of_blocks_written_out():
    largest = SumOfLargest(W, EPS_S[I], (I, 1, K_S))
    assert largest.free_symbols == {W, K_S, *EPS_S[I].free_symbols - {I}}
    assert largest.subs({W: 0, K_S: 3}).doit() == 0
    assert largest.subs({W: 5, K_S: 2}).doit() == EPS_S[1] + EPS_S[2]
    assert largest.subs({W: sp.oo, K_S: 2}).doit() == EPS_S[1] + EPS_S[2]
    assert largest.subs(I, 7) == largest
    assert largest.doit() == largest
    assert largest.evalf() == largest
    pair = MaxOver(EPS_S[I] + MU_S[J], (I, 1, K_S), (J, 1, K_S))
    assert pair.subs(K_S, 1).doit() == sp.Max(EPS_S[1], MU_S[1])
    assert pair.subs(
        {K_S: 2, EPS_S[1]: 1, EPS_S[2]: 4, MU_S[1]: sp.sqrt(2), MU_S[2]: 0}
    ).doit() == (4 + sp.sqrt(2))
    assert MaxOver(EPS_S[I, J], (I, 1, 2), (J, 1, 1)).doit() == sp.Max(EPS_S[1, 1], EPS_S[2, 1])
    assert pickle.loads(pickle.dumps(pair)) == pair  # noqa: S301 - made here


def test_more_choices_than_are_tried_stay_as_they_are():
    many = SumOfLargest(20, EPS_S[I], (I, 1, 60))
    assert many.doit() == many
    numbers = many.subs({EPS_S[n]: n for n in range(1, 61)})
    assert numbers.doit() == sum(range(41, 61))
    wide = MaxOver(EPS_S[I] + MU_S[J], (I, 1, 100), (J, 1, 100))
    assert wide.doit() == wide


def test_functions_of_blocks_take_arrays():
    eps, sizes = np.array([1.0, 0.5, 4.0, 2.0]), (K_S, EPS_S)
    for made, value in (
        (SumOfLargest(2, EPS_S[I], (I, 1, K_S)), 6.0),
        (SumOfLargest(K_S - 1, 2 * EPS_S[I], (I, 1, K_S)), 14.0),
        (MaxOver(EPS_S[I] ** 2, (I, 1, K_S)), 16.0),
        (BlockSum(EPS_S[I], (I, 1, K_S)), 7.5),
        (sp.sqrt(BlockSum(EPS_S[I] ** 2, (I, 1, K_S))), math.sqrt(21.25)),
        (MaxOver(BlockSum(EPS_S[J], (J, 1, K_S)) + EPS_S[I], (I, 1, K_S)), 11.5),
    ):
        for modules in ("numpy", "math"):
            assert sp.lambdify(sizes, made, modules)(4, eps) == pytest.approx(value)
    two = MaxOver(EPS_S[I] + MU_S[J], (I, 1, K_S), (J, 1, K_S))
    with pytest.raises(NotImplementedError, match="give the numbers of blocks first"):
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
