"""Blocks that change together, in numbers: compared with the totals at all integers."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers import coverings, labels, together
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.numbers.exact import Exact, gdp_squared, growth, path_mu_squared, root, rounded_up
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import places
from tests.statements.expressions import number
from tests.statements.test_places import ALWAYS, NEVER, I, J, T, U, W, condition, plus

F = Fraction
V, X = k.Letter(3), k.Letter(4)
FAMILY, TABLE = ("k",), ("k", "m")
EPS, MU, TAU = k.BlockEntry("eps", FAMILY), k.BlockEntry("mu", FAMILY), k.BlockEntry("tau", TABLE)
PARAMETERS = {"a": F(5, 2)}
SIZES = {"k": 4, "m": 2, "w": 2}
ONE, TWO, INF = number(1), number(2), k.Inf()


def both(*items):
    return k.Connected("and", items)


def either(*items):
    return k.Connected("or", items)


def same(a, b):
    return k.Compared("eq", a, b)


def scaled(n, e):
    return k.Combined("mul", (k.Integer(n), e))


def value_at(e, values, at):
    """Return the value of a block at some integers."""
    match e:
        case k.Num(x):
            return x
        case k.Param(name):
            return PARAMETERS[name]
        case k.BlockEntry(name):
            return values[name][at.indices]
        case k.Amount(of):
            return F(max(0, at.of(of)))
        case k.Product((k.Apply("path_mu", (eps, r)), _)):
            return path_mu_squared(value_at(eps, values, at), value_at(r, values, at))
        case k.Product(items):
            return math.prod((value_at(x, values, at) for x in items), start=F(1))
        case k.Sum(items):
            return sum((value_at(x, values, at) for x in items), F(0))
        case k.Apply("growth", (eps, r)):
            return growth(value_at(eps, values, at), value_at(r, values, at))
    raise AssertionError(e)


def total_at(e, values, sizes, letters):
    """Return a total, or several, over the blocks that count at some integers."""
    if isinstance(e, k.Sum):
        return sum((total_at(x, values, sizes, letters) for x in e.items), F(0))
    found = [
        value_at(e.value, values, at)
        for block in product(*(range(1, sizes[s] + 1) for s in e.sizes))
        if (at := Values(sizes, letters, block)).hold(e.when)
    ]
    match e.count:
        case k.Num(count):
            most = int(count)
        case k.Size(name):
            most = sizes[name]
        case _:
            most = len(found)
    return sum(sorted(found, reverse=True)[:most], F(0))


def everywhere(e, values, sizes, whole=range(-12, 17)):
    """Return the largest total over many integers."""
    return max(
        (
            total_at(e.body, values, sizes, at)
            for at in product(whole, repeat=e.free)
            if Values(sizes, at).hold(e.facts)
        ),
        default=F(0),
    )


def drawn(rng, kind="fractions"):
    """Return numbers for all blocks."""

    def one():
        x = F(rng.randint(0, 6), rng.choice((1, 1, 2, 3)))
        return float(F(x.numerator, 4)) if kind == "floats" else x

    families = {"eps": FAMILY, "mu": FAMILY, "tau": TABLE}
    return {
        name: {b: one() for b in product(*(range(1, SIZES[s] + 1) for s in sizes))}
        for name, sizes in families.items()
    }  # fmt: skip


def in_numbers(e, values, sizes=None):
    table = {
        (name, TABLE if name == "tau" else FAMILY): list(column.values())
        for name, column in values.items()
    }
    single = {(name, ()): number for name, number in PARAMETERS.items()}
    return evaluate(e, ParameterTable.plain({**table, **single}), sizes or SIZES)


def wide(rng, free):
    """Return totals over blocks, one or two, of one family or two."""
    values = ((FAMILY, EPS), (FAMILY, k.Sum((EPS, MU))), (TABLE, TAU))
    chosen = (rng.choice(values) for _ in range(rng.choice((1, 1, 2))))
    totals = [k.SumOver(s, condition(rng, free, len(s)), INF, v) for s, v in chosen]
    return totals[0] if len(totals) == 1 else k.Sum(tuple(totals))


@pytest.mark.parametrize("kind", ["fractions", "floats"])
def test_the_largest_total_over_one_integer(kind):
    rng = random.Random(kind)
    met = 0
    for _ in range(150):
        facts = rng.choice((ALWAYS, NEVER, *(condition(rng, 1, 0, depth=1) for _ in range(3))))
        e, values = k.MaxOver(1, facts, wide(rng, 1)), drawn(rng, kind)
        expected = everywhere(e, values, SIZES, (-60, *range(-16, 17), 60))
        assert in_numbers(e, values) == expected, e
        met += expected > 0
    assert met > 75


def test_a_gap_in_what_is_allowed_is_worth_nothing():
    """5 before it, and 9/2 after it, where nothing else begins."""
    apart = k.SumOver(FAMILY, same(T, scaled(3, I)), INF, EPS)
    e = k.MaxOver(1, k.Compared("ne", T, k.Integer(10)), apart)
    for last, most in ((F(9, 2), 5), (F(11, 2), F(11, 2))):
        values = {"eps": {(1,): F(5), (2,): F(0), (3,): F(0), (4,): last}}
        assert in_numbers(e, values) == most


def test_what_is_not_allowed_does_not_reach_into_what_is():
    """5 is in the gap, and nothing after it."""
    apart = k.SumOver(FAMILY, same(T, scaled(3, I)), INF, EPS)
    facts = either(k.Compared("le", T, k.Integer(4)), k.Compared("le", k.Integer(10), T))
    values = {"eps": {(1,): F(2), (2,): F(0), (3,): F(5), (4,): F(0)}}
    assert in_numbers(k.MaxOver(1, facts, apart), values) == 2


def limited(e, rng):
    """Return the same totals over some of their blocks only."""
    if isinstance(e, k.Sum):
        return k.Sum(tuple(limited(x, rng) for x in e.items))
    return k.SumOver(e.sizes, e.when, rng.choice((ONE, TWO, k.Size("w"), INF)), e.value)


def test_the_largest_total_over_some_blocks():
    rng = random.Random(2)
    met = 0
    for _ in range(100):
        facts = rng.choice((ALWAYS, condition(rng, 1, 0, depth=1)))
        e, values = k.MaxOver(1, facts, limited(wide(rng, 1), rng)), drawn(rng)
        expected = everywhere(e, values, SIZES, (-60, *range(-16, 17), 60))
        assert in_numbers(e, values) == expected, e
        met += expected > 0
    assert met > 50


def test_the_largest_total_over_two_integers():
    rng = random.Random(3)
    met = 0
    for _ in range(14):
        facts = rng.choice((ALWAYS, condition(rng, 2, 0, depth=1)))
        e, values = k.MaxOver(2, facts, wide(rng, 2)), drawn(rng)
        try:
            found = in_numbers(e, values)
        except InputError:
            continue  # letters beside each other with factors
        assert found == everywhere(e, values, SIZES, range(-16, 17)), e
        met += found > 0
    assert met > 4


def test_where_nothing_is_allowed_nothing_is_lost():
    never = both(k.Compared("le", T, k.Integer(1)), k.Compared("le", k.Integer(2), T))
    apart = both(k.Compared("le", T, I), k.Compared("le", U, I))
    values = {"eps": {(n,): F(n) for n in range(1, 5)}}
    for facts, most in ((never, 0), (ALWAYS, 10)):
        e = k.MaxOver(2, facts, k.SumOver(FAMILY, apart, INF, EPS))
        assert in_numbers(e, values) == most


WINDOW = both(k.Compared("le", T, I), k.Compared("lt", I, plus(T, W)))


def within(value):
    return k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, WINDOW, INF, value))


def test_windows_of_exact_numbers():
    rng = random.Random(4)
    gdp = k.Apply("gdp", (ONE,))
    for _ in range(10):
        values = drawn(rng)
        found = in_numbers(within(k.Product((EPS, gdp, gdp))), values)
        assert found == everywhere(within(EPS), values, SIZES) * gdp_squared(F(1))
        grown = within(k.Product((EPS, k.Apply("growth", (MU, TWO)))))
        windows = [total_at(grown.body, values, SIZES, (n,)) for n in range(5)]
        assert in_numbers(grown, values) == max(windows)


@pytest.mark.parametrize("best", [0, 15, 29])
@pytest.mark.parametrize("tiny", [F(1, 10**30), F(1, 10**100)])
def test_windows_that_few_digits_do_not_tell_apart(best, tiny):
    """Also where all are equal in the digits that are looked at first."""
    gdp = k.Apply("gdp", (ONE,))
    each = k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, same(T, I), INF, k.Product((EPS, gdp, gdp))))
    values = {"eps": {(n,): 1 + tiny * (n == best) for n in range(30)}}
    assert in_numbers(each, values, {"k": 30}) == (1 + tiny) * gdp_squared(F(1))
    pairs = within(k.Product((EPS, gdp, gdp)))
    assert in_numbers(pairs, values, {"k": 30, "w": 2}) == (2 + tiny) * gdp_squared(F(1))


def test_what_facts_exclude_is_not_among_equal_windows():
    """The window after the last one that is allowed would be larger."""
    gdp = k.Apply("gdp", (ONE,))
    total = k.SumOver(FAMILY, same(T, I), INF, k.Product((EPS, gdp, gdp)))
    e = k.MaxOver(1, k.Compared("lt", T, k.Integer(29)), total)
    values = {"eps": {(n,): 1 + F(n >= 28, 10**100) for n in range(30)}}
    assert in_numbers(e, values, {"k": 30}) == gdp_squared(F(1))


def test_an_endless_number_leaves_no_guarantee():
    eps = {(n,): F(1) for n in range(1, 5)}
    for at in (1, 4):
        values = {"eps": {**eps, (at,): math.inf}, "mu": eps}
        assert in_numbers(within(EPS), values) == math.inf
        assert in_numbers(within(k.Sum((EPS, MU))), values) == math.inf
        both_named = k.SumOver(FAMILY, either(same(I, T), same(I, U)), INF, EPS)
        assert in_numbers(k.MaxOver(2, ALWAYS, both_named), values) == math.inf
        varying = k.SumOver(FAMILY, BESIDE, INF, k.Product((OVERLAP, EPS)))
        assert in_numbers(k.MaxOver(1, ALWAYS, varying), values) == math.inf


def test_many_equal_windows_are_exact_and_fast():
    gdp = k.Apply("gdp", (ONE,))
    found = in_numbers(
        within(k.Product((EPS, gdp, gdp))), {"eps": {(n,): F(1) for n in range(3000)}},
        {"k": 3000, "w": 7},
    )  # fmt: skip
    assert found == 7 * gdp_squared(F(1))


# ------------------------------------------------------------------ distances that differ

OVERLAP = k.Amount(plus(
    k.Combined("min", (plus(T, k.Integer(3)), scaled(3, I))),
    k.Combined("neg", (k.Combined("max", (T, plus(scaled(3, I), k.Integer(-2)))),)),
    k.Integer(1),
))  # fmt: skip
BESIDE = both(
    k.Compared("lt", plus(T, k.Integer(-6)), scaled(3, I)),
    k.Compared("lt", scaled(3, I), plus(T, k.Integer(9))),
)
UP = k.Amount(plus(T, scaled(-1, I), k.Integer(2)))
DOWN = k.Amount(plus(scaled(4, W), scaled(-1, T), scaled(2, I)))
TWICE = k.Amount(k.Combined("mul", (W, plus(T, k.Combined("neg", (I,))))))
AMOUNTS = {
    "overlaps": k.Product((OVERLAP, EPS)),
    "squares": k.Product((OVERLAP, OVERLAP, EPS)),
    "sums": k.Sum((k.Product((UP, EPS)), k.Product((DOWN, MU)))),
    "one times the other": k.Product((UP, DOWN, EPS)),
    "twice": k.Product((TWICE, EPS)),
    "growths": k.Product((MU, k.Apply("growth", (EPS, OVERLAP)))),
}  # fmt: skip


@pytest.mark.parametrize("name", AMOUNTS)
def test_distances_that_differ(name):
    """The largest total lies between the places where distances change their course, or there."""
    rng = random.Random(name)
    early, late = k.Compared("lt", T, k.Integer(3)), k.Compared("lt", k.Integer(5), T)
    for facts in (ALWAYS, NEVER, early, late, k.Compared("ne", T, k.Integer(7))):
        for when in (BESIDE, both(BESIDE, k.Compared("ne", T, k.Integer(4)))):
            totals = k.SumOver(FAMILY, when, INF, AMOUNTS[name])
            others = k.SumOver(FAMILY, BESIDE, INF, k.Product((DOWN, MU)))
            values = drawn(rng)
            for body in (totals, k.Sum((totals, others))):
                e = k.MaxOver(1, facts, body)
                expected = everywhere(e, values, SIZES, range(-20, 41))
                assert in_numbers(e, values) == expected


def test_as_many_blocks_as_there_are_is_all_of_them():
    values = drawn(random.Random(6))
    some, every = (
        k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, BESIDE, count, AMOUNTS["overlaps"]))
        for count in (number(4), INF)
    )
    assert in_numbers(some, values) == in_numbers(every, values)


def from_0_to_12(*values):
    inside = both(k.Compared("le", k.Integer(0), T), k.Compared("le", T, k.Integer(12)))
    return k.MaxOver(1, ALWAYS, k.Sum(tuple(k.SumOver(FAMILY, inside, INF, v) for v in values)))


def test_products_of_distances_are_largest_between_their_ends():
    """6*6, and not 2*10: what rises is multiplied with what falls."""
    one, other = k.Amount(T), k.Amount(plus(k.Integer(12), scaled(-1, T)))
    e = from_0_to_12(k.Product((one, other)), k.Product((other, one)))
    assert in_numbers(e, {}, {"k": 1}) == 72


def test_what_grows_less_and_less_is_largest_between_its_ends():
    """tanh(t/4) + tanh((12 - t)/4) is largest at t = 6."""
    far = k.Amount(plus(k.Integer(12), scaled(-1, T)))
    quarters = (k.Product((number("1/4"), r)) for r in (k.Amount(T), far))
    parts = tuple(k.Product((number(2), k.Apply("tanh", (x,)))) for x in quarters)
    at_six = k.Product((number(4), k.Apply("tanh", (number("3/2"),))))
    assert in_numbers(from_0_to_12(*parts), {}, {"k": 1}) == in_numbers(at_six, {}, {"k": 1})


def test_squares_of_parameters_that_do_not_grow_evenly():
    """Squares of path_mu grow by more at every second step, so that each integer is looked at."""
    far = k.Amount(plus(k.Integer(12), scaled(-1, T)))
    steps = [k.Apply("path_mu", (x, r)) for x, r in ((EPS, k.Amount(T)), (MU, far))]
    e = from_0_to_12(*(k.Product((x, x)) for x in steps))
    values = {"eps": {(1,): F(5)}, "mu": {(1,): F(4)}}
    expected = everywhere(e, values, {"k": 1}, range(13))
    assert in_numbers(e, values, {"k": 1}) == expected


@pytest.mark.parametrize("wide", [4, 10, 11, 13, 25])
def test_overlaps_of_windows_with_weeks(wide):
    """Windows of some days, and what they have of each week: the last one begins with any day."""
    end, first = plus(T, k.Integer(wide - 1)), plus(scaled(7, I), k.Integer(-6))
    shared = plus(
        k.Combined("min", (scaled(7, I), end)),
        k.Combined("neg", (k.Combined("max", (first, T)),)),
        k.Integer(1),
    )
    when = both(k.Compared("le", T, scaled(7, I)), k.Compared("le", first, end))
    rng = random.Random(wide)
    for amount in (k.Amount(shared), k.Amount(k.Combined("mul", (W, shared)))):
        total = k.SumOver(FAMILY, when, INF, k.Product((amount, EPS)))
        e = k.MaxOver(1, ALWAYS, total)
        for eps in ((0, 0, 0, 1, 2), *(rng.choices(range(5), k=5) for _ in range(4))):
            values = {"eps": {(n,): F(x) for n, x in enumerate(eps, 1)}}
            sizes = {"k": 5, "w": 2}
            assert in_numbers(e, values, sizes) == everywhere(e, values, sizes, range(-30, 40))


UNEVEN = k.Apply("tanh", (UP,))
CONVEX = [
    EPS, OVERLAP, k.Sqrt(EPS), k.Product((OVERLAP, EPS)), k.Product((OVERLAP, OVERLAP)),
    k.Sum((k.Product((UP, EPS)), DOWN)), k.Max((UP, DOWN)), k.Apply("growth", (EPS, UP)),
    k.Apply("path_rho", (EPS, k.Product((TWO, UP)))), k.Apply("tanh", (EPS,)),
]  # fmt: skip
NOT_CONVEX = [
    UNEVEN, k.Sqrt(UP), k.Product((UP, DOWN)), k.Product((UP, UNEVEN)), k.Sum((UP, UNEVEN)),
    k.Max((UNEVEN, UP)), k.Apply("growth", (UP, TWO)), k.Apply("growth", (EPS, UNEVEN)),
    k.Apply("path_mu", (EPS, UP)), k.Apply("growth", (UP, UP)),
]  # fmt: skip


def test_which_values_are_convex_in_their_distances():
    assert all(map(together._is_convex, CONVEX))
    assert not any(map(together._is_convex, NOT_CONVEX))


def test_linear_pieces_are_what_a_distance_is_somewhere():
    """At each place it is one of them, and each of two that are added or compared is there."""
    inner = k.Combined("min", (plus(T, k.Integer(3)), scaled(3, I)))
    outer = k.Combined("max", (inner, plus(scaled(-2, T), W)))
    distances = [
        inner, outer, plus(outer, k.Combined("neg", (inner,)), k.Integer(1)),
        k.Combined("mul", (W, k.Integer(-3), outer)), k.Combined("neg", (plus(inner, outer),)),
    ]  # fmt: skip
    for e in distances:
        for i in (-2, 1, 3):
            pieces = together._linear_pieces(e, Values(SIZES, (), (i,)))
            for n in range(-9, 12):
                value = Values(SIZES, (n,), (i,)).of(e)
                assert value in {f.at((n,)) for f in pieces}
    assert len(together._linear_pieces(inner, Values(SIZES, (), (1,)))) == 2


def test_distances_that_change_their_course_often(monkeypatch):
    two = plus(*(k.Combined("min", (scaled(n, T), k.Integer(9))) for n in (1, 3)))
    monkeypatch.setattr(together, "_MOST_PIECES", 4)
    assert len(together._linear_pieces(two, Values({}))) == 4
    monkeypatch.setattr(together, "_MOST_PIECES", 3)
    with pytest.raises(k.KernelError, match="too often"):
        together._linear_pieces(two, Values({}))


def test_so_many_integers_are_looked_at(monkeypatch):
    inside = both(k.Compared("le", k.Integer(2), T), k.Compared("le", T, k.Integer(12)))
    far = k.Amount(plus(k.Integer(12), scaled(-1, T)))
    e = k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, inside, INF, k.Product((k.Amount(T), far))))
    monkeypatch.setattr(together, "MOST_WORK", 10)
    assert in_numbers(e, {}, {"k": 1}) == 36
    monkeypatch.setattr(together, "MOST_WORK", 9)
    with pytest.raises(InputError, match="too many places"):
        in_numbers(e, {}, {"k": 1})


def test_the_largest_of_many_roots_is_found():
    """Wherever it is, though less than 1 like all others."""
    each = k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, same(T, I), INF, k.Sqrt(EPS)))
    for at in (0, 29):
        values = {"eps": {(n,): F(36 if n == at else n + 5, 37) for n in range(30)}}
        assert in_numbers(each, values, {"k": 30}) == root(F(36, 37))
        close = {"eps": {(n,): 2 + F(n == at, 10**100) for n in range(30)}}
        assert in_numbers(each, close, {"k": 30}) == root(2 + F(1, 10**100))


def test_what_has_no_number():
    values = drawn(random.Random(1))
    refused = {
        "counts without end": k.MaxOver(
            1, ALWAYS, k.SumOver(FAMILY, k.Compared("le", I, T), INF, k.Product((UP, EPS)))
        ),
        "without end": k.MaxOver(
            1, ALWAYS, k.SumOver(FAMILY, k.Compared("le", T, I), INF, k.Product((UP, EPS)))
        ),
        "by several integers": k.MaxOver(
            2, ALWAYS, k.SumOver(FAMILY, both(BESIDE, same(U, T)), INF, k.Product((UP, EPS)))
        ),
        "so many of some blocks": k.MaxOver(
            1, ALWAYS, k.SumOver(FAMILY, BESIDE, ONE, k.Product((UP, EPS)))
        ),
        "a letter has a factor": k.MaxOver(
            2, ALWAYS, k.SumOver(FAMILY, k.Compared("le", T, plus(scaled(2, U), I)), INF, EPS)
        ),
    }  # fmt: skip
    for why, e in refused.items():
        with pytest.raises(InputError, match=f"no number for this bound: .*{why}"):
            in_numbers(e, values)


# ----------------------------------------------------------------------- pairs of labels

NAMED = {
    "two blocks": ((FAMILY, either(same(I, T), same(I, U))),),
    "the second first": ((FAMILY, either(same(I, U), same(I, T))),),
    "two cells": ((TABLE, either(both(same(I, T), same(J, U)), both(same(J, X), same(I, V)))),),
    "two cells and facts": (
        (TABLE, either(both(same(I, T), same(J, U)), both(same(I, V), same(J, X),
                                                           k.Compared("lt", T, V)))),
    ),
    "what another letter says": (
        (FAMILY, both(same(I, T), k.Compared("lt", k.Integer(5), U))),
        (FAMILY, both(same(I, U), k.Compared("lt", U, T))),
    ),
    "and neither": (
        (FAMILY, either(both(same(I, T), k.Compared("lt", U, plus(T, k.Integer(-5)))),
                        both(same(I, U), k.Compared("le", k.Integer(7), T)))),
    ),
    "a window, too": (
        (FAMILY, either(same(I, T), same(I, U))),
        (FAMILY, both(k.Compared("le", T, I), k.Compared("le", I, plus(T, k.Integer(1))))),
    ),
    "where a block lies": (
        (FAMILY, either(both(same(I, T), k.Compared("lt", plus(I, k.Integer(5)), U)), same(I, U))),
    ),
    "one cell": ((TABLE, both(same(I, T), same(J, U))),),
    "rows": ((TABLE, either(same(I, T), same(I, U))),),
    "all others": ((FAMILY, either(k.Connected("not", (same(I, T),)), same(I, U))),),
    "no blocks": (
        (FAMILY, either(same(I, T), same(I, U))), ((), k.Compared("lt", k.Integer(2), T)),
    ),
    "two families": ((FAMILY, either(same(I, T), same(I, U))), (FAMILY, same(I, U))),
    "one each": ((FAMILY, same(I, T)), (FAMILY, same(I, U))),
}  # fmt: skip
ANY = {
    "any": ALWAYS, "apart": k.Compared("ne", T, U), "in order": k.Compared("lt", T, U),
    "beside each other": same(U, plus(T, k.Integer(1))), "none": NEVER,
    "inside": both(k.Compared("lt", k.Integer(1), T), k.Compared("lt", T, k.Integer(4))),
    "far": k.Compared("le", plus(T, k.Integer(2)), U),
    "outside": k.Compared("lt", U, k.Integer(1)),
}  # fmt: skip


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("facts", ANY)
def test_the_best_pair_of_blocks(named, facts):
    """The same block twice counts once; and a label may be of no block."""
    rng = random.Random(named + facts)
    rows = NAMED[named]
    value = {TABLE: lambda _: TAU, FAMILY: lambda n: (EPS, MU)[n], (): lambda _: k.Param("a")}
    totals = [k.SumOver(s, when, INF if s else ONE, value[s](n))
              for n, (s, when) in enumerate(rows)]  # fmt: skip
    e = k.MaxOver(4 if named.startswith("two cells") else 2, ANY[facts],
                  totals[0] if len(totals) == 1 else k.Sum(tuple(totals)))  # fmt: skip
    for _ in range(3):
        values = drawn(rng)
        whole = range(SIZES["k"] + 1) if e.free == 4 else range(-7, 12)
        assert in_numbers(e, values) == everywhere(e, values, SIZES, whole)


def test_a_letter_that_names_no_block_decides():
    """It is sought among all integers with the facts, and where a condition asks for more."""
    named = either(both(same(I, T), k.Compared("le", k.Integer(4), V)), same(I, U))
    values = drawn(random.Random(3))
    for facts in (ALWAYS, k.Compared("lt", V, T), k.Compared("lt", V, k.Integer(6))):
        e = k.MaxOver(3, facts, k.SumOver(FAMILY, named, INF, EPS))
        assert in_numbers(e, values) == everywhere(e, values, SIZES, range(-1, 9))


def test_one_block_alone_is_worth_something():
    totals = (k.SumOver(FAMILY, same(I, x), INF, v) for x, v in ((T, EPS), (U, MU)))
    e = k.MaxOver(2, ALWAYS, k.Sum(tuple(totals)))
    nothing = {(n,): F(0) for n in range(1, 5)}
    for one in (nothing, {**nothing, (3,): F(7)}):
        for values in ({"eps": nothing, "mu": one}, {"eps": one, "mu": nothing}):
            assert in_numbers(e, values) == max(one.values())


def test_labels_beside_a_total_over_one_block():
    named = either(same(I, T), same(I, U))
    pair = k.SumOver(FAMILY, named, INF, EPS)
    for count in (ONE, TWO, INF):
        e = k.MaxOver(2, ALWAYS, k.Sum((pair, k.SumOver(FAMILY, named, count, MU))))
        for seed in range(3):
            values = drawn(random.Random(seed))
            assert in_numbers(e, values) == everywhere(e, values, SIZES, range(6))


def test_three_labels():
    named = either(same(I, T), same(I, U), same(I, V))
    e = k.MaxOver(3, k.Compared("lt", T, U), k.SumOver(FAMILY, named, INF, EPS))
    for seed in range(3):
        values = drawn(random.Random(seed))
        assert in_numbers(e, values) == sum(sorted(values["eps"].values())[1:])


def test_pairs_of_exact_numbers_are_told_apart():
    gdp = k.Apply("gdp", (ONE,))
    totals = k.SumOver(FAMILY, either(same(I, T), same(I, U)), INF, k.Product((EPS, gdp, gdp)))
    e = k.MaxOver(2, k.Compared("ne", T, U), totals)
    for best in range(4):
        eps = {(n,): 1 + F(n == best, 10**100) for n in range(4)}
        found = in_numbers(e, {"eps": eps})
        assert isinstance(found, Exact)
        assert found == (2 + F(1, 10**100)) * gdp_squared(F(1))
        assert found <= rounded_up(found)


def test_few_pairs_are_looked_at(monkeypatch):
    """From the largest sum on; where too many are not allowed, there is no number."""
    totals = k.SumOver(FAMILY, either(same(I, T), same(I, U)), INF, EPS)
    values = {"eps": {(n,): F(n) for n in range(1, 61)}}
    sizes = {"k": 60}
    monkeypatch.setattr(labels, "MOST_PAIRS", 5)
    for facts, most in ((ALWAYS, 119), (k.Compared("lt", U, T), 119)):
        assert in_numbers(k.MaxOver(2, facts, totals), values, sizes) == most
    far = k.Compared("le", plus(T, k.Integer(40)), U)
    with pytest.raises(InputError, match="too many pairs to look at"):
        in_numbers(k.MaxOver(2, far, totals), values, sizes)
    monkeypatch.setattr(labels, "MOST_PAIRS", 200_000)
    assert in_numbers(k.MaxOver(2, far, totals), values, sizes) == 80


def looks_at_most(monkeypatch, number):
    """Let so many blocks be looked at, in all places together; forget what is known already."""
    monkeypatch.setattr(coverings, "MOST_WORK", number)
    coverings._coverings.cache_clear()


def test_places_are_looked_for_once_for_all_parameters(monkeypatch):
    """What blocks change together is no matter of what they cost, nor of how many of them count."""
    either_end = either(k.Compared("le", I, T), k.Compared("le", U, I))
    facts, looked_for = k.Compared("lt", T, U), []
    monkeypatch.setattr(coverings, "places", lambda *x: looked_for.append(x) or places(*x))
    coverings._coverings.cache_clear()
    for seed, most in product(range(4), (INF, ONE, TWO)):
        e = k.MaxOver(2, facts, k.SumOver(FAMILY, either_end, most, EPS))
        values = drawn(random.Random(seed))
        assert in_numbers(e, values) == everywhere(e, values, SIZES)
    assert len(looked_for) == 1
    in_numbers(
        k.MaxOver(2, facts, k.SumOver(FAMILY, either_end, INF, EPS)), values, {**SIZES, "k": 3}
    )
    assert len(looked_for) == 2


def test_distances_that_differ_from_place_to_place_are_no_matter_of_blocks_alone():
    far = k.SumOver(FAMILY, same(I, T), INF, k.Product((k.Amount(T), EPS)))
    for totals in ((far,), (within(EPS).body, far)):
        with pytest.raises(k.KernelError, match="differ from place to place"):
            coverings.coverings(k.MaxOver(1, ALWAYS, k.Sum(totals)), SIZES)


def test_more_places_than_are_looked_at_are_refused(monkeypatch):
    """So many places times so many blocks; 4 blocks, each with 3 places, which are 6 in all."""
    e = k.MaxOver(1, ALWAYS, k.SumOver(FAMILY, same(I, T), ONE, EPS))
    values = drawn(random.Random(1))
    for most, enough in ((4 * 6, True), (4 * 6 - 1, False)):
        looks_at_most(monkeypatch, most)
        if enough:
            assert in_numbers(e, values) == max(values["eps"].values())
        else:
            with pytest.raises(InputError, match="too many places"):
                in_numbers(e, values)


# ------------------------------------------------------------------- two totals at one place


def rows_of(values):
    """Return the values of blocks for an expression, as the evaluator does."""
    return lambda e, _: [values[e.name][(n,)] for n in range(1, SIZES["k"] + 1)]


def all_of_them(_):
    return math.inf


def pairs_at_places(pair, values):
    return set(together.pairs_together(pair, SIZES, rows_of(values), all_of_them))


def test_two_totals_are_looked_at_in_the_same_places():
    values = drawn(random.Random(5))
    facts = k.Compared("lt", T, k.Integer(4))
    one, other = (k.MaxOver(1, facts, k.SumOver(FAMILY, WINDOW, INF, e)) for e in (EPS, MU))
    expected = {
        tuple(total_at(x.body, values, SIZES, (n,)) for x in (one, other)) for n in range(-9, 4)
    }
    assert pairs_at_places((one, other), values) == expected
    assert pairs_at_places((one, number(0)), values) == {(a, 0) for a, _ in expected}
    assert pairs_at_places((number(0), other), values) == {(0, b) for _, b in expected}


def test_totals_over_different_integers_are_no_pairs(monkeypatch):
    values = drawn(random.Random(5))
    facts = k.Compared("lt", T, k.Integer(4))
    one, other = within(EPS), k.MaxOver(1, facts, within(MU).body)
    with pytest.raises(k.KernelError, match="over different integers"):
        pairs_at_places((one, other), values)
    places = len(pairs_at_places((one, within(MU)), values))
    assert places == 6
    enough = next(
        most for most in range(400) if listed(monkeypatch, most, (one, within(MU)), values)
    )
    assert enough == PLACES * 8  # 4 blocks in each of two totals


PLACES = 8
"""Places that are looked at."""


def listed(monkeypatch, most, pair, values):
    looks_at_most(monkeypatch, most)
    try:
        return bool(pairs_at_places(pair, values))
    except k.KernelError:
        return False


# ------------------------------------------------------------------- one total by itself


def test_where_each_of_two_integers_decides_few_places_are_looked_at(monkeypatch):
    corner = both(k.Compared("le", T, I), k.Compared("le", I, plus(T, k.Integer(1))),
                  k.Compared("le", U, scaled(2, I)))  # fmt: skip
    e, values = k.MaxOver(2, ALWAYS, k.SumOver(FAMILY, corner, INF, EPS)), drawn(random.Random(7))
    looks_at_most(monkeypatch, 8)
    assert in_numbers(e, values) == everywhere(e, values, SIZES)


def test_three_integers_are_not_taken_for_two():
    corner = both(k.Compared("le", T, I), k.Compared("le", U, I), k.Compared("le", V, I))
    near = both(*(k.Compared("le", I, plus(x, k.Integer(1))) for x in (T, U, V)))
    facts = both(k.Compared("lt", T, U), k.Compared("lt", U, V))
    for allowed in (ALWAYS, facts):
        e = k.MaxOver(3, allowed, k.SumOver(FAMILY, both(corner, near), INF, EPS))
        values = drawn(random.Random(8))
        assert in_numbers(e, values) == everywhere(e, values, SIZES, range(-2, 7))


def test_one_endless_level_of_several_leaves_no_guarantee():
    """A total for each value of the first index; one of them has an endless number."""
    level = k.Compared("eq", J, k.LetterAt(1, (k.Index(1),)))
    e = k.MaxOver(1, ALWAYS, k.SumOver(TABLE, level, INF, TAU))
    values = {"tau": {b: F(1) for b in product(range(1, 5), range(1, 3))}}
    assert in_numbers(e, values) == 4
    values["tau"][2, 1] = math.inf
    assert in_numbers(e, values) == math.inf


ROWS = ("h", "k")
CELLS = k.BlockEntry("eps", ROWS)


def of_rows(facts, *conditions, rows, free=2, times=None):
    """Return the largest total of blocks of two indices with all of some conditions."""
    total = k.SumOver(ROWS, k.Connected("and", conditions), k.Inf(), CELLS)
    most = k.MaxOver(free, facts, total)
    sizes = {"h": len(rows), "k": len(rows[0])}
    values = [x for row in rows for x in row]
    if times is not None:
        covered = k.Coverage(k.Num(Fraction(times)), most)
        return together.largest_covered(covered, sizes, lambda *_: values, lambda _: times)
    return together.largest_together(most, sizes, lambda *_: values, lambda _: math.inf)


def test_integers_beside_functions_are_those_that_add_most():
    i, j, at, here = k.Index(1), k.Index(2), k.Letter(1), k.LetterAt(2, (k.Index(1),))
    always, rows = k.Connected("and", ()), [[1, 7], [4, 2], [3, 3]]
    chosen = k.Compared("eq", i, at), k.Compared("eq", j, here)
    assert of_rows(always, *chosen, rows=rows) == 7
    assert of_rows(k.Compared("le", k.Integer(2), at), *chosen, rows=rows) == 4
    never = k.Connected(
        "and", (k.Compared("le", k.Integer(2), at), k.Compared("le", at, k.Integer(1)))
    )
    assert of_rows(never, *chosen, rows=rows) == 0
    assert of_rows(always, k.Compared("le", i, at), chosen[1], rows=rows) == 14


def test_blocks_are_left_out_by_what_is_said_of_them_alone():
    i, j, here = k.Index(1), k.Index(2), k.LetterAt(1, (k.Index(1),))
    always, rows = k.Connected("and", ()), [[1, 7], [4, 2], [3, 5]]
    own = k.Compared("eq", j, here)
    for said, expected in (
        (k.Compared("le", i, k.Integer(2)), 11),
        (k.Compared("eq", i, k.Integer(1)), 7),
        (k.Compared("eq", i, k.Integer(3)), 5),
        (k.Compared("eq", i, k.Integer(4)), 0),
        (k.Compared("eq", i, k.Integer(0)), 0),
        (k.Compared("ne", i, k.Integer(2)), 12),
        (k.Compared("eq", j, k.Integer(1)), 8),
    ):
        assert of_rows(always, said, own, rows=rows, free=1) == expected


def test_choices_of_functions_add_up_index_by_index():
    own, always = k.Compared("eq", k.Index(2), k.LetterAt(1, (k.Index(1),))), k.Connected("and", ())
    rows = [[1, 7, 5], [4, 2, 3]]
    for times, expected in ((0, 0), (1, 11), (2, 19), (3, 22)):
        assert of_rows(always, own, rows=rows, free=1, times=times) == expected
    for rows in ([[1, math.inf], [2, 3]], [[1, 2], [2, math.inf]]):
        assert of_rows(always, own, rows=rows, free=1, times=1) == math.inf
        assert of_rows(always, own, rows=rows, free=1) == math.inf
