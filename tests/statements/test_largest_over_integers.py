"""The largest value over integers as a function of SymPy: the same number as the theorem's."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from dpcomp_sym import kernel as k
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.statements.blocks_sympy import BlockSum, MaxOverIntegers
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.symbolic import to_sympy
from tests.shares import shared

EPS = k.BlockEntry("eps", ("k",))
T, U, I, W = k.Letter(1), k.Letter(2), k.Index(1), k.Symbol("w")
WORDS = ("lt", "le", "eq", "ne")


def plus(*items):
    return k.Combined("add", items)


def times(number, e):
    return k.Combined("mul", (k.Integer(number), e))


def condition(rng, letters):
    """Return a condition of a window, with factors of the index and of the letter, and offsets."""
    t = rng.choice(letters)
    t = rng.choice([t, t, times(2, t), times(-3, t)])
    low = k.Compared(rng.choice(["lt", "le"]), t, times(rng.choice([1, 2, 3]), I))
    width = rng.choice([W, k.Integer(rng.randint(0, 3)), times(2, W)])
    high = k.Compared(rng.choice(["lt", "le"]), times(rng.choice([1, 2]), I), plus(t, width))
    word = rng.choice(WORDS)
    return rng.choice([
        k.Connected("and", (low, high)),
        k.Connected("and", (low, k.Connected("not", (k.Compared("lt", plus(t, width), I),)))),
        k.Connected("or", (k.Compared("eq", I, letters[0]), k.Compared("eq", I, letters[-1]))),
        k.Compared(word, I, t),
    ])  # fmt: skip


def drawn(seed):
    rng = random.Random(seed)
    letters = [T] if seed % 3 else [T, U]
    facts = k.Connected("and", ())
    if len(letters) == 2:
        facts = k.Compared(rng.choice(["lt", "le", "ne"]), T, plus(U, k.Integer(rng.randint(0, 1))))
    elif rng.random() < 0.3:
        facts = k.Compared("le", k.Integer(rng.randint(-1, 3)), T)
    totals = [
        k.SumOver(("k",), condition(rng, letters), k.Inf(), EPS) for _ in range(rng.randint(1, 2))
    ]
    body = totals[0] if len(totals) == 1 else k.Sum(tuple(totals))
    numbers = {"k": rng.randint(1, 4), "w": rng.randint(1, 3)}
    values = [Fraction(rng.randint(0, 9), rng.randint(1, 3)) for _ in range(numbers["k"])]
    return k.MaxOver(len(letters), facts, body), numbers, values


def far_enough(e, numbers, values):
    """Return the largest value over many integers, from the meaning of the words."""
    whole = range(-6, 16)
    best = Fraction(0)
    for place in product(whole, repeat=e.free):
        at = k_values(numbers, place, ())
        if at.hold(e.facts):
            totals = e.body.items if isinstance(e.body, k.Sum) else (e.body,)
            best = max(best, sum(
                (x for one in totals for i, x in enumerate(values, 1)
                 if k_values(numbers, place, (i,)).hold(one.when)), Fraction(0),
            ))  # fmt: skip
    return best


def k_values(numbers, place, block):
    from dpcomp_sym.statements.integers import Values

    return Values(numbers, place, block)


@pytest.mark.parametrize("seeds", shared(1, [range(12), range(12, 150)]), ids=len)
def test_the_value_is_that_of_the_theorem_and_of_all_integers(seeds):
    met = programs = 0
    for seed in seeds:
        e, numbers, values = drawn(seed)
        table = ParameterTable.plain({("eps", ("k",)): values})
        expected = far_enough(e, numbers, values)
        assert evaluate(e, table, numbers) == expected
        found = to_sympy(e)
        assert isinstance(found, MaxOverIntegers)
        size = {name: sp.Symbol(name, integer=True) for name in numbers}
        eps = sp.IndexedBase("eps", nonnegative=True)
        at = found.subs({size[n]: v for n, v in numbers.items()})
        written = at.doit()
        assert not written.atoms(MaxOverIntegers), (seed, found)
        entries = {eps[i]: sp.Rational(x.numerator, x.denominator) for i, x in enumerate(values, 1)}
        assert written.subs(entries) == sp.Rational(expected.numerator, expected.denominator)
        met += expected not in {0, sum(values)}
        if e.free == 1:
            programs += 1
            run = sp.lambdify((*(size[n] for n in numbers), eps), found)
            got = run(*numbers.values(), np.array([float(x) for x in values]))
            assert float(got) == pytest.approx(float(expected)), (seed, found)
    assert met > len(seeds) / 5
    assert programs > len(seeds) / 2


def test_numbers_for_some_symbols_leave_the_rest():
    e, _, _ = drawn(1)
    found = to_sympy(e)
    letters = found.bound_symbols
    assert not set(letters) & found.free_symbols
    assert found.subs(letters[0], 3) == found
    assert found.subs(sp.Symbol("k", integer=True), 3).doit().atoms(MaxOverIntegers)


def test_no_integers_have_the_facts():
    t, i = sp.symbols("t i", integer=True)
    eps = sp.IndexedBase("eps", nonnegative=True)
    body = BlockSum(eps[i], (i, 1, 2))
    assert MaxOverIntegers(body, t, sp.And(t < 0, t > 0, evaluate=False)).doit() == 0
    assert MaxOverIntegers(body, t, sp.And(t <= 0, t >= 0, evaluate=False)).doit() == (
        eps[1] + eps[2]
    )


def test_what_depends_on_the_integers_otherwise_is_left_alone():
    t, i = sp.symbols("t i", integer=True)
    eps = sp.IndexedBase("eps", nonnegative=True)
    weighted = MaxOverIntegers(BlockSum(t * eps[i], (i, 1, 2)), t, sp.And(t >= 0, t <= 5))
    assert weighted.doit().atoms(MaxOverIntegers)
    with pytest.raises(ValueError, match="give the numbers first"):
        sp.lambdify(eps, weighted)


def test_latex_has_greek_letters_and_the_letters_below():
    e = k.MaxOver(1, k.Connected("and", ()), k.SumOver(
        ("k",), k.Connected("and", (k.Compared("le", T, I), k.Compared("lt", I, plus(T, W)))),
        k.Inf(), EPS))  # fmt: skip
    text = sp.latex(to_sympy(e))
    assert text.startswith(r"\max_{t} \sum_{i \le k \colon i \geq t")
    assert r"\varepsilon" in text
    assert "eps" not in text.replace(r"\varepsilon", "")
    largest = to_sympy(k.Worst(("k",), (k.Choice(k.Num(Fraction(3)), EPS),)))
    assert sp.latex(largest) == r"\operatorname{top}_{3}\left\{{\varepsilon}_{i} : i \le k\right\}"
    one = to_sympy(k.Worst(("k",), (k.Choice(k.Num(Fraction(1)), EPS),)))
    assert sp.latex(one) == r"\max_{i \le k} {\varepsilon}_{i}"
    assert sp.latex(sp.Symbol("eps")) == "eps"  # nothing of SymPy's own is changed
    chosen = {symbol: "E" for symbol in one.atoms(sp.Symbol) if symbol.name == "eps"}
    assert sp.latex(one, symbol_names=chosen) == r"\max_{i \le k} {E}_{i}"


CELLS = ("h", "k")
OF_CELLS = k.BlockEntry("eps", CELLS)
LEVEL, OTHER, J = k.LetterAt(1, (k.Index(1),)), k.LetterAt(2, (k.Index(1),)), k.Index(2)


def functions_drawn(seed):
    """Return a largest value over functions of the first of two indices."""
    rng = random.Random(f"{seed} functions")
    free = rng.choice([1, 1, 2])

    def same():
        of = rng.choice([LEVEL, OTHER][:free])
        by = rng.choice([k.Integer(0), k.Integer(-1), I, W])
        return k.Compared(rng.choice(WORDS), rng.choice([J, J, times(2, J)]), plus(of, by))

    def when():
        some = (same(), same())
        return rng.choice([same(), k.Connected("or", some), k.Connected("and", some)])

    totals = [k.SumOver(CELLS, when(), k.Inf(), OF_CELLS) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.3:
        totals.append(k.SumOver(CELLS, k.Compared("eq", I, J), k.Inf(), OF_CELLS))
    body = totals[0] if len(totals) == 1 else k.Sum(tuple(totals))
    numbers = {"h": rng.randint(1, 3 - free), "k": rng.randint(1, 3), "w": rng.randint(1, 2)}
    values = [[Fraction(rng.randint(0, 9), rng.randint(1, 3)) for _ in range(numbers["k"])]
              for _ in range(numbers["h"])]  # fmt: skip
    return k.MaxOver(free, k.Connected("and", ()), body), numbers, values


def all_functions(e, numbers, values):
    """Return the largest value over many functions: at each level each of some integers."""
    levels = range(1, numbers["h"] + 1)
    integers = list(product(range(-4, 8), repeat=e.free))
    totals = e.body.items if isinstance(e.body, k.Sum) else (e.body,)
    best = Fraction(0)
    for chosen in product(integers, repeat=len(levels)):
        found = Fraction(0)
        for one, (i, j) in product(totals, product(levels, range(1, numbers["k"] + 1))):
            at = k_values(numbers, chosen[i - 1], (i, j))
            found += values[i - 1][j - 1] if at.hold(without_functions(one.when)) else 0
        best = max(best, found)
    return best


def without_functions(p):
    """Return a condition in one block: a function is its value there."""
    match p:
        case k.LetterAt(number):
            return k.Letter(number)
        case k.Combined(word, items) | k.Connected(word, items):
            return type(p)(word, tuple(map(without_functions, items)))
        case k.Compared(word, left, right):
            return k.Compared(word, without_functions(left), without_functions(right))
        case _:
            return p


@pytest.mark.parametrize("seeds", shared(1, [range(8), range(8, 60)]), ids=len)
def test_functions_of_an_index(seeds):
    met = 0
    for seed in seeds:
        e, numbers, values = functions_drawn(seed)
        expected = all_functions(e, numbers, values)
        table = ParameterTable.plain({("eps", CELLS): [x for row in values for x in row]})
        assert evaluate(e, table, numbers) == expected, seed
        eps = sp.IndexedBase("eps", nonnegative=True)
        entries = {
            eps[i, j]: sp.Rational(x.numerator, x.denominator)
            for i, row in enumerate(values, 1) for j, x in enumerate(row, 1)
        }  # fmt: skip
        exact = sp.Rational(expected.numerator, expected.denominator)
        assert to_sympy(e, numbers).subs(entries) == exact, seed
        at = to_sympy(e).subs({sp.Symbol(n, integer=True): v for n, v in numbers.items()})
        assert at.doit().subs(entries) == exact, seed
        met += expected not in {0, sum(map(sum, values))}
    assert met > len(seeds) / 4


def test_the_largest_node_of_each_level():
    e = k.MaxOver(
        1, k.Connected("and", ()),
        k.SumOver(CELLS, k.Compared("eq", J, LEVEL), k.Inf(), OF_CELLS),
    )  # fmt: skip
    found = to_sympy(e)
    assert str(found) == "Sum(MaxOver(eps[i, j], (j, 1, k)), (i, 1, h))"
    assert sp.latex(found) == r"\sum_{i=1}^{h} \max_{j \le k} {\varepsilon}_{i,j}"
    eps = sp.IndexedBase("eps", nonnegative=True)
    h, n = (sp.Symbol(x, integer=True) for x in ("h", "k"))
    assert found.subs({h: 2, n: 2}).doit() == (
        sp.Max(eps[1, 1], eps[1, 2]) + sp.Max(eps[2, 1], eps[2, 2])
    )


def test_what_functions_are_not_about_is_no_largest_value():
    about = k.SumOver(CELLS, k.Compared("le", J, LEVEL), k.Inf(), OF_CELLS)
    other = k.SumOver(CELLS, k.Compared("eq", I, J), k.Inf(), OF_CELLS)
    found = to_sympy(k.MaxOver(1, k.Connected("and", ()), k.Sum((about, other))))
    assert len(found.atoms(MaxOverIntegers)) == 1


def power(base, exponent):
    return k.Combined("pow", (k.Integer(base), k.Integer(exponent)))


def test_powers_up_to_a_length():
    assert Values({}).of(power(5, 1)) == 5
    assert Values({}).of(power(2, 50_000)) == 2**50_000  # as long as powers may be
    with pytest.raises(k.KernelError, match="too large"):
        Values({}).of(power(1024, 9091))


def test_a_total_that_is_there_for_some_sizes():
    every = k.SumOver(("k",), k.Connected("and", ()), k.Inf(), EPS)
    found = to_sympy(k.MaxOver(0, k.Compared("lt", W, k.Integer(3)), every))
    size, w = sp.Symbol("k", integer=True), sp.Symbol("w", integer=True)
    eps = sp.IndexedBase("eps", nonnegative=True)
    assert [found.subs({size: 2, w: n}).doit() for n in (2, 3)] == [eps[1] + eps[2], 0]
    assert not to_sympy(k.MaxOver(0, k.Connected("and", ()), every)).has(sp.Piecewise)
