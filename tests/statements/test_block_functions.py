"""Functions of blocks for SymPy, written by hand: numbers, programs, letters and LaTeX."""

from __future__ import annotations

import math
import random
from itertools import permutations, product

import pytest
import sympy as sp

from dpcomp_sym.statements import blocks_sympy
from dpcomp_sym.statements.blocks_sympy import (
    BlockSum,
    MaxCoverage,
    MaxOver,
    MaxOverIntegers,
    SumOfLargest,
)

EPS, MU, TAU = (sp.IndexedBase(name, nonnegative=True) for name in ("eps", "mu", "tau"))
I, J, L, K, M, N, T, U, W = sp.symbols("i j l k m n t u w", integer=True)
A = sp.Symbol("a", nonnegative=True)
ROWS, CELLS = (I, 1, K), ((I, 1, K), (J, 1, M))


def drawn(rng, k, m=2):
    """Return numbers for all entries, and these as lists from 0 for programs."""
    eps, mu = ([sp.Rational(rng.randint(0, 9), 2) for _ in range(k)] for _ in range(2))
    tau = [[sp.Rational(rng.randint(0, 9), 2) for _ in range(m)] for _ in range(k)]
    entries = {EPS[n]: x for n, x in enumerate(eps, 1)} | {MU[n]: x for n, x in enumerate(mu, 1)}
    entries |= {TAU[i, j]: x for i, row in enumerate(tau, 1) for j, x in enumerate(row, 1)}
    return entries, (eps, mu, tau)


def each(body, entries, *ends):
    """Return the values of a body with letters for all blocks."""
    letters = (I, J)[: len(ends)]
    blocks = product(*(range(1, end + 1) for end in ends))
    return [body.subs(dict(zip(letters, b, strict=True))).subs(entries) for b in blocks]


BODIES = {
    "one": (EPS[I], False), "scaled": (3 * EPS[I] + A, False), "two": (EPS[I] + 2 * MU[I], False),
    "square": (EPS[I] ** 2, False), "cells": (TAU[I, J], True), "more": (TAU[I, J] + A, True),
}  # fmt: skip
PROGRAM = (K, M, N, A, EPS, MU, sp.Symbol("tau_"))


@pytest.mark.in_turn
@pytest.mark.parametrize("name", BODIES)
def test_totals_have_the_values_of_sorted_lists(name):
    """With numbers of blocks first, with all at once, and as programs of lists."""
    body, cells = BODIES[name]
    limits = CELLS if cells else (ROWS,)
    rng = random.Random(name)
    for k in (1, 2, 3):
        entries, (eps, mu, _) = drawn(rng, k)
        values = each(body, entries, *((k, 2) if cells else (k,)))
        values = sorted((x.subs(A, 2) for x in values), reverse=True)
        for made, expected in (
            (BlockSum(body, *limits), sum(values)), (MaxOver(body, *limits), values[0]),
            *((SumOfLargest(n, body, *limits), sum(values[:n])) for n in (0, 1, 2, 5)),
            (SumOfLargest(sp.oo, body, *limits), sum(values)),
            (SumOfLargest(N, body, *limits), sum(values[:2])),
        ):  # fmt: skip
            numbers = {K: k, M: 2, N: 2, A: 2}
            out = made.subs(numbers).doit()
            assert not out.atoms(BlockSum, MaxOver, SumOfLargest)
            assert out.subs(entries) == expected
            at_once = made.subs(numbers | entries)
            assert (at_once.doit(), at_once.evalf() - expected) == (expected, 0)
            if not cells:
                for modules in ("math", "numpy"):
                    program = sp.lambdify((K, N, A, EPS, MU), made, modules)
                    if made.args[0] != sp.oo:
                        assert program(k, 2, 2, eps, mu) == expected


def test_programs_of_cells():
    rng = random.Random(1)
    _, (_, _, tau) = drawn(rng, 3)
    cells = [x for row in tau for x in row]
    table = {(i, j): x for i, row in enumerate(tau) for j, x in enumerate(row)}
    for made, expected in (
        (BlockSum(TAU[I, J], *CELLS), sum(cells)), (MaxOver(TAU[I, J], *CELLS), max(cells)),
        (SumOfLargest(2, TAU[I, J], *CELLS), sum(sorted(cells)[-2:])),
    ):  # fmt: skip
        assert sp.lambdify((K, M, TAU), made, "math")(3, 2, table) == expected


@pytest.mark.parametrize("k", [1, 2, 3])
def test_different_blocks(k):
    """Of as many blocks as there are; terms of the others are left out."""
    entries, _ = drawn(random.Random(k), k)
    body = 2 * EPS[I] + MU[J] + A
    expected = max(
        2 * entries[EPS[i]] * (i > 0 and 1) + entries[MU[j]]
        for i, j in permutations(range(1, k + 1), 2)
    ) if k > 1 else max(2 * entries[EPS[1]], entries[MU[1]])  # fmt: skip
    made = MaxOver(body, ROWS, (J, 1, K))
    assert made.subs({K: k, **entries}).doit() == expected + A
    assert made.subs(K, k).doit().subs(entries) == expected + A
    three = MaxOver(EPS[I] + EPS[J] + EPS[L], ROWS, (J, 1, K), (L, 1, K)).subs({K: k, **entries})
    assert three.doit() == sum(sorted(entries[EPS[n]] for n in range(1, k + 1))[-3:])


def test_different_cells():
    entries, _ = drawn(random.Random(4), 2)
    other = sp.symbols("o p", integer=True)
    both = MaxOver(TAU[I, J] + 3 * TAU[other], *CELLS, (other[0], 1, K), (other[1], 1, M))
    cells = [entries[TAU[b]] for b in product((1, 2), repeat=2)]
    expected = max(x + 3 * y for x, y in permutations(cells, 2))
    assert both.subs({K: 2, M: 2, **entries}).doit() == expected
    assert both.subs({K: 1, M: 1}).doit() == 3 * TAU[1, 1]


def test_what_is_not_a_number_of_blocks_stays():
    for made in (SumOfLargest(2, EPS[I], ROWS), MaxOver(EPS[I], ROWS), BlockSum(EPS[I], ROWS)):
        assert made.doit() == made
        assert made.evalf() == made
        assert made.subs(I, 5) == made
        half = made.subs(EPS[2], 7)
        assert half.subs(K, 2).doit() == made.subs(K, 2).doit().subs(EPS[2], 7)
    for wrong in (N, sp.Rational(1, 2), N + 1):
        made = SumOfLargest(wrong, EPS[I], (I, 1, 3))
        assert made.doit() == made
    assert SumOfLargest(-1, EPS[I], (I, 1, 3)).doit() == 0
    for half in (MaxOver(TAU[I, J], (I, 1, 2), (J, 1, M)), BlockSum(TAU[I, J], ROWS, (J, 1, 2))):
        assert half.doit().atoms(type(half))
    beside = MaxOver(TAU[I, J] + EPS[1], *CELLS).subs({K: 1, M: 2})
    assert beside.doit().subs({EPS[1]: 3, TAU[1, 1]: 2, TAU[1, 2]: 5}) == 8
    strange = MaxOver(TAU[I, J] + EPS[I], *CELLS).subs({K: 2, M: 2})
    assert strange.doit() == strange  # of blocks with one index and with two
    odd = MaxOver(TAU[I, J] + TAU[L, L], *CELLS, (L, 1, K)).subs({K: 2, M: 2})
    assert odd.doit() == odd  # three letters are no blocks of two
    assert MaxOver(A, ROWS).subs(K, 3).doit() == A
    inner = sp.Rational(1, 2) * BlockSum(EPS[J], (J, 1, 2)) + EPS[I]
    one, other = ((EPS[1] + EPS[2]) / 2 + EPS[n] for n in (1, 2))
    assert MaxOver(inner, (I, 1, 2)).doit() == sp.Max(one, other)
    assert SumOfLargest(1, inner, (I, 1, 1)).doit() == 3 * EPS[1] / 2 + EPS[2] / 2


def test_numbers_beside_symbols():
    for made in (SumOfLargest(1, EPS[I], (I, 1, 2)), MaxOver(EPS[I], (I, 1, 2))):
        assert made.subs(EPS[1], 3).doit() == sp.Max(3, EPS[2])
    some = SumOfLargest(2, EPS[I], (I, 1, 3)).subs({EPS[1]: 3, EPS[2]: 1})
    assert some.doit() == sp.Max(4, EPS[3] + 3)


def test_entries_get_numbers_where_they_are_meant():
    made = MaxOver(EPS[I] + MU[I], ROWS)
    one = made.subs(EPS[2], 7)
    assert one.subs(K, 2).doit() == sp.Max(EPS[1] + MU[1], 7 + MU[2])
    assert made.subs(MU[1], 0).subs(K, 1).doit() == EPS[1]
    assert made.subs(TAU[1, 2], 5) == made
    cells = MaxOver(TAU[I, J], *CELLS).subs(TAU[1, 2], 9).subs({K: 1, M: 2})
    assert cells.doit() == sp.Max(TAU[1, 1], 9)
    assert cells.subs(TAU[1], 5).doit() == sp.Max(TAU[1, 1], 9)
    assert made.subs(EPS[I], 3) == MaxOver(MU[I] + 3, ROWS)
    both = MaxOver(EPS[I] + EPS[J], ROWS, (J, 1, K))
    assert both.subs(EPS[I], 3) == MaxOver(3 + EPS[J], ROWS, (J, 1, K))
    nested = BlockSum(EPS[I] * MaxOver(EPS[J], (J, 1, 2)), (I, 1, 2))
    assert nested.subs(EPS[1], 2).doit().subs(EPS[2], 5) == 35


def test_symbols_that_can_get_numbers():
    base = EPS[I].free_symbols - {I}
    for made in (MaxOver(A + EPS[I], ROWS), SumOfLargest(N, EPS[I], ROWS), BlockSum(EPS[I], ROWS)):
        extra = made.free_symbols - base - {K}
        assert extra <= {A, N}
        assert K in made.free_symbols
        assert I not in made.free_symbols
        assert made.bound_symbols == [I]
        assert made.limits == (sp.Tuple(I, 1, K),)
    assert N in SumOfLargest(N, EPS[I], ROWS).free_symbols
    assert MaxOver(EPS[I], (I, 1, I)).free_symbols == base | {I}
    days = MaxOverIntegers(BlockSum(EPS[I], ROWS), T, sp.Le(W, T))
    assert days.free_symbols == base | {K, W}


@pytest.mark.parametrize("most", [3, 4, 5])
def test_more_choices_than_are_tried_stay(most, monkeypatch):
    monkeypatch.setattr(blocks_sympy, "MOST_CHOICES", most)
    for made in (MaxOver(EPS[I], (I, 1, 4)), MaxOver(EPS[I] + MU[J], (I, 1, 1), (J, 1, 1))):
        assert (made.doit() == made) == (most < (4 if len(made.limits) == 1 else 2))
    pairs = MaxOver(EPS[I] + MU[J], (I, 1, 2), (J, 1, 2))
    assert pairs.doit() != pairs  # two choices
    triples = MaxOver(EPS[I] + MU[J], (I, 1, 3), (J, 1, 3))
    assert triples.doit() == triples  # six
    one = MaxOver(EPS[I] + MU[J] + TAU[L], (I, 1, 1), (J, 1, 1), (L, 1, 1))
    assert one.doit() != one  # three
    two = MaxOver(EPS[I] + MU[J] + TAU[L], (I, 1, 2), (J, 1, 2), (L, 1, 2))
    assert two.doit() == two  # two of three at two places: six
    monkeypatch.setattr(blocks_sympy, "MOST_CHOICES", 10**6)
    monkeypatch.setattr(blocks_sympy, "MOST_COMPARED", most)
    some = SumOfLargest(3, EPS[I], (I, 1, 4))
    assert (some.doit() == some) == (most < 4)
    four = MaxOver(EPS[I], (I, 1, 4))
    assert (four.doit() == four) == (most < 4)
    partly = four.subs(EPS[1], 3)
    assert (partly.doit() == partly) == (most < 4)
    numbers = {EPS[n]: n for n in range(1, 5)}
    assert (some.subs(numbers).doit(), four.subs(numbers).doit()) == (9, 4)


# ---------------------------------------------------------------- largest over integers

WINDOW = sp.Piecewise((EPS[I], sp.And(T <= I, I < T + W)), (0, True))
DAYS = BlockSum(WINDOW, ROWS)
FACTS = {
    "all": sp.true, "late": T >= 2, "early": T < 1, "strictly": T > 3, "one": sp.Eq(T, 2),
    "between": sp.And(T >= 1, 2 * T <= 5), "not": sp.Ne(T, 2), "w": T <= W,
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_windows(name):
    """Written out, with all numbers at once, and as a program."""
    rng = random.Random(name)
    for k, w in ((1, 1), (3, 2), (4, 2), (4, 3)):
        entries, (eps, _, _) = drawn(rng, k)
        days = MaxOverIntegers(DAYS, T, FACTS[name])
        expected = max(
            (
                sum(entries[EPS[i]] for i in range(1, k + 1) if t <= i < t + w)
                for t in range(-9, 12)
                if FACTS[name].subs({T: t, W: w}) == sp.true
            ),
            default=0,
        )
        at = days.subs({K: k, W: w})
        assert at.doit().subs(entries) == expected
        assert at.subs(entries).evalf() - expected == 0
        for modules in ("math", "numpy"):
            assert sp.lambdify((K, W, EPS), days, modules)(k, w, eps) == expected
        assert at.subs(T, 5) == at


def test_without_conditions_all_blocks_count():
    everything = MaxOverIntegers(BlockSum(EPS[I], ROWS), T, sp.true)
    assert sp.lambdify((K, EPS), everything, "math")(3, [1, 2, 4]) == 7
    assert everything.subs(K, 2).doit() == EPS[1] + EPS[2]


@pytest.mark.parametrize("condition", [sp.Eq(T, I), sp.Eq(I, T), T >= I, T > I, T <= I, T < I])
def test_one_condition(condition):
    """Whichever side the letter stands on, programs find where it changes."""
    one = MaxOverIntegers(BlockSum(sp.Piecewise((EPS[I], condition), (0, True)), ROWS), T, sp.true)
    expected = 5 if isinstance(condition, sp.Eq) else 8
    assert sp.lambdify((K, EPS), one, "math")(3, [2, 1, 5]) == expected
    assert one.subs({K: 3, EPS[1]: 2, EPS[2]: 1, EPS[3]: 5}).doit() == expected


@pytest.mark.parametrize(
    ("condition", "facts"), [(T >= I, T >= 10), (T <= I, T <= -10), (T >= I, sp.Eq(T, 10))]
)
def test_facts_that_hold_far_away(condition, facts):
    far = MaxOverIntegers(BlockSum(sp.Piecewise((EPS[I], condition), (0, True)), ROWS), T, facts)
    assert sp.lambdify((K, EPS), far, "math")(3, [2, 1, 5]) == 8
    assert far.subs({K: 3, EPS[1]: 2, EPS[2]: 1, EPS[3]: 5}).doit() == 8


def test_two_letters():
    pair = sp.Piecewise((EPS[I], sp.Eq(I, T) | sp.Eq(I, U)), (0, True))
    entries, (eps, _, _) = drawn(random.Random(8), 3)
    for facts, expected in ((sp.Ne(T, U), 2), (sp.Eq(T, U), 1), (sp.Lt(T, U - 5), 1)):
        most = MaxOverIntegers(BlockSum(pair, (I, 1, 3)), T, U, facts)
        assert most.bound_symbols == [T, U]
        assert most.doit().subs(entries) == sum(sorted(eps)[-expected:])
        with pytest.raises(ValueError, match="give the numbers first"):
            sp.lambdify(EPS, most)


def test_steps_in_fractions():
    """A letter has a factor, and a block lies between its multiples."""
    entries, (eps, _, _) = drawn(random.Random(3), 4)
    for condition in (sp.And(2 * T <= I, I <= 2 * T + 1), sp.And(T / 2 < I, I < T / 2 + 2),
                      sp.Eq(3 * T, I), sp.And(-3 * T <= I, I <= 2 - 3 * T)):  # fmt: skip
        made = MaxOverIntegers(
            BlockSum(sp.Piecewise((EPS[I], condition), (0, True)), ROWS), T, sp.true
        )
        expected = max(
            sum(x for i, x in enumerate(eps, 1) if condition.subs({T: t, I: i}) == sp.true)
            for t in range(-20, 20)
        )
        assert made.subs(K, 4).doit().subs(entries) == expected
        assert sp.lambdify((K, EPS), made, "math")(4, eps) == expected


def test_what_is_not_written_out(monkeypatch):
    """Without numbers, with letters that weigh, and with too many totals."""
    x = sp.Symbol("x", real=True)
    stay = [
        MaxOverIntegers(DAYS, T, sp.true),
        MaxOverIntegers(DAYS.subs(K, 3), T, sp.true),
        MaxOverIntegers(T * EPS[1], T, sp.And(T >= 0, T <= 5)),
        MaxOverIntegers(EPS[1], T, T**2 <= 4),
        MaxOverIntegers(EPS[1], T, sp.Le(sp.Abs(T), 2)),
        MaxOverIntegers(EPS[1], T, sp.Le(sp.sqrt(2) * T, 3)),
        MaxOverIntegers(EPS[1], T, sp.Le(T, sp.pi)),
        MaxOverIntegers(EPS[1], T, sp.Le(T, x)),
        MaxOverIntegers(EPS[1], T, U, sp.Le(T * U, 3)),
        MaxOverIntegers(EPS[1], T, U, sp.Le(2 * T + 3 * U, 3)),
    ]
    for made in stay:
        assert made.doit() == made
        assert made.evalf() == made
    for made in (stay[2], stay[3], stay[5]):
        with pytest.raises(ValueError, match="give the numbers first"):
            sp.lambdify(EPS, made)
    inside = MaxOverIntegers(BlockSum(T * MaxOver(EPS[J], (J, 1, 2)), (I, 1, 2)), T, T < 3)
    assert inside.doit() == inside
    body = MaxOverIntegers(MaxOver(MU[J], (J, 1, 2)) + DAYS.subs({K: 2, W: 1}), T, sp.true)
    largest = sp.Max(MU[1], MU[2])
    assert body.doit() == sp.Max(EPS[1] + largest, EPS[2] + largest, MU[1], MU[2])
    six = MaxOverIntegers(DAYS, T, sp.true).subs({K: 3, W: 1})
    monkeypatch.setattr(blocks_sympy, "MOST_COMPARED", 4)
    assert six.doit() == sp.Max(EPS[1], EPS[2], EPS[3])
    monkeypatch.setattr(blocks_sympy, "MOST_COMPARED", 3)
    assert six.doit() == six
    assert six.subs({EPS[n]: n for n in (1, 2, 3)}).doit() == 3
    monkeypatch.setattr(blocks_sympy, "MOST_COMPARED", 200)
    for most in (2, 3):
        monkeypatch.setattr(blocks_sympy, "MOST_CHOICES", most)
        assert (six.doit() == six) == (most == 2)


LATEX = {
    MaxOver(EPS[I], ROWS): r"\max_{i \le k} {\varepsilon}_{i}",
    MaxOver(EPS[I] + MU[J], ROWS, (J, 1, K)): (
        r"\max_{i \le k, j \le k,\ i \ne j} \left({\varepsilon}_{i} + {\mu}_{j}\right)"
    ),
    SumOfLargest(N, MU[I], ROWS): r"\operatorname{top}_{n}\left\{{\mu}_{i} : i \le k\right\}",
    SumOfLargest(2, TAU[I, J], *CELLS): (
        r"\operatorname{top}_{2}\left\{{\tau}_{i,j} : i \le k, j \le m\right\}"
    ),
    MaxOver(sp.Symbol("delta0", nonnegative=True) * EPS[I], ROWS): (
        r"\max_{i \le k} \delta_{0} {\varepsilon}_{i}"
    ),
    MaxOver(sp.Symbol("w_1") * EPS[I], ROWS): r"\max_{i \le k} w_{1} {\varepsilon}_{i}",
    MaxOverIntegers(A, T, sp.true): r"\max_{t} a",
    MaxOverIntegers(A + MU[1], T, U, T < U): r"\max_{t, u : t < u} \left(a + {\mu}_{1}\right)",
}  # fmt: skip


@pytest.mark.parametrize("made", LATEX, ids=str)
def test_latex(made):
    assert sp.latex(made) == LATEX[made]
    assert sp.latex(made, mode="inline") == f"${LATEX[made]}$"


def test_names_that_the_reader_chooses_are_kept():
    made = MaxOver(EPS[I], ROWS)
    chosen = {s: "E" for s in made.atoms(sp.Symbol) if s.name == "eps"}
    assert sp.latex(made, symbol_names=chosen) == r"\max_{i \le k} {E}_{i}"


def test_a_program_of_several_blocks_needs_numbers_first():
    two = MaxOver(EPS[I] + MU[J], ROWS, (J, 1, K))
    odd = MaxOver(TAU[I, J] + EPS[I], *CELLS)
    for made in (two, odd):
        with pytest.raises(ValueError, match="give the numbers of blocks first"):
            sp.lambdify((K, M, EPS, MU, TAU), made)
    assert math.isfinite(float(two.subs({K: 1, EPS[1]: 1, MU[1]: 2}).evalf()))


@pytest.mark.parametrize(
    ("largest", "numbers"),
    [
        (SumOfLargest(2, EPS[I], (I, 1, K)), {EPS[1]: 1, EPS[2]: 5, EPS[3]: 3}),
        (MaxOver(EPS[I], (I, 1, K)), {EPS[1]: 1, EPS[2]: 2, EPS[3]: 3}),
    ],
    ids=str,
)
def test_derivatives_wait_for_the_numbers_of_blocks(largest, numbers):
    """A block counts where it is among the largest, and not where it is smaller."""
    by_first, by_third = (sp.diff(largest, EPS[n]) for n in (1, 3))
    assert isinstance(by_first, sp.Derivative)
    assert sp.diff(largest, sp.Symbol("other")) == 0
    assert by_first.subs(K, 3).doit().subs(numbers) == 0
    assert by_third.subs(K, 3).doit().subs(numbers) == 1
    assert sp.diff(largest, K) == sp.Derivative(largest, K)


def test_a_sum_over_all_blocks_has_a_derivative():
    by_second = sp.diff(BlockSum(EPS[I], (I, 1, K)), EPS[2])
    assert [by_second.subs(K, n).doit() for n in (1, 2, 3)] == [0, 1, 1]


def test_latex_of_a_sum_has_its_condition_under_the_sign():
    near = sp.Piecewise((EPS[I], (T <= I) & (I < T + W)), (0, True))
    assert sp.latex(MaxOverIntegers(BlockSum(near, (I, 1, K)), T, sp.true)) == (
        r"\max_{t} \sum_{i \le k \colon i \geq t \wedge i < t + w} {\varepsilon}_{i}"
    )
    assert sp.latex(BlockSum(EPS[I] + A, (I, 1, K))) == (
        r"\sum_{i=1}^{k} \left(a + {\varepsilon}_{i}\right)"
    )
    assert sp.latex(BlockSum(TAU[I, J], *CELLS)) == r"\sum_{i \le k, j \le m} {\tau}_{i,j}"
    other = sp.Piecewise((EPS[I], T <= I), (A, True))
    assert r"\begin{cases}" in sp.latex(BlockSum(other, (I, 1, K)))


# ------------------------------------------------------------- several choices


R_, K_, T_, I_ = sp.symbols("r k t i", integer=True)
EPS_ = sp.IndexedBase("eps", nonnegative=True)


def covered(length=2, facts=sp.true):
    near = sp.Piecewise((EPS_[I_], (T_ <= I_) & (T_ + length > I_)), (0, True))
    return MaxCoverage(R_, MaxOverIntegers(BlockSum(near, (I_, 1, K_)), T_, facts))


@pytest.mark.parametrize("times", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("facts", [sp.true, T_ >= 2])
def test_what_several_choices_cover(times, facts):
    values = [5, 5, 1, 4, 1]
    sets = [{i for i in range(5) if t - 1 <= i < t + 1} for t in range(7)]
    allowed = sets if facts == sp.true else sets[2:]
    best = max(
        sum(values[i] for i in set().union(*some))
        for some in product(allowed, repeat=min(times, 4))
    )
    e = covered(facts=facts).subs({R_: times, K_: 5})
    numbers = {EPS_[n]: v for n, v in enumerate(values, 1)}
    assert e.doit().subs(numbers) == best
    assert e.subs(numbers).doit() == best
    assert float(e.subs(numbers).evalf()) == best


def test_choices_wait_for_their_number(monkeypatch):
    for some in ({}, {R_: 2}, {K_: 3}):
        assert covered().subs(some).doit().func == MaxCoverage
    assert covered().free_symbols >= {R_, K_}
    assert sp.latex(covered()).endswith(r"\right]_{r\ \text{choices}}")
    with pytest.raises(ValueError, match="give the numbers first"):
        sp.lambdify((R_, K_, EPS_), covered())
    at = covered(1).subs({R_: 2, K_: 4})
    assert at.doit() != at
    monkeypatch.setattr(blocks_sympy, "MOST_CHOICES", 15)
    assert at.doit() != at
    monkeypatch.setattr(blocks_sympy, "MOST_CHOICES", 14)
    assert at.doit() == at


def test_where_nothing_costs_anything_choices_cost_nothing():
    free = dict.fromkeys((EPS_[1], EPS_[2]), 0)
    assert covered().subs({R_: 1, K_: 2, **free}).doit() == 0


def test_what_is_no_maximum_over_integers_stays():
    assert MaxCoverage(2, EPS_[1]).doit() == MaxCoverage(2, EPS_[1])
