"""SymPy expressions, read by their documented words, have the value that the expression means."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.statements.symbolic import to_sympy
from tests.shares import shared
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
