"""The rules on bounds: what they conclude, and that it is true of numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import at_most, normal, polynomial, same
from dpcomp_sym.algebra.sizes import most_blocks
from tests.kernel.world import (
    DELTA,
    EPS,
    INF,
    ONE,
    SIZE,
    TWO,
    ZERO,
    A,
    B,
    C,
    K,
    leq,
    num,
    raises,
    up_to,
    worst,
)
from tests.statements import exact_values as exact

M_SIZE = k.Size("m")
ROUNDS = 30


def times(*items):
    return k.Product(items)


def plus(*items):
    return k.Sum(items)


def draw(rng):
    """Numbers for all parameters, with zeros, ties and infinities among them."""
    blocks = rng.randint(1, 4)

    def value():
        return Fraction(rng.choice([0, 1, 1, 2, 3, 5]), rng.choice([1, 1, 2]))

    values = {name: value() for name in "abc"}
    values |= {name: [value() for _ in range(blocks)] for name in ("eps", "delta")}
    return values, {"k": blocks, "m": rng.randint(1, 3), "l": 2}


def holds(theorem, seed=0, rounds=ROUNDS):
    """Whether an inequality is true of many numbers, at every block."""
    said = theorem.statement
    rng = random.Random(seed)
    for _ in range(rounds):
        values, sizes = draw(rng)
        for r in said.where:
            low, high = r.low, r.high or r.low + 3
            sizes[r.symbol] = rng.randint(low, high)
        values |= {name: values[name] * 20 for name in ("eps", "delta")}
        for block in range(1, sizes["k"] + 1):
            left = exact.evaluate(said.left, values, sizes, (block,))
            right = exact.evaluate(said.right, values, sizes, (block,))
            if exact.evaluate(k.Max((wrap(left), wrap(right))), {}) != right:
                return False
    return True


def wrap(value):
    """A value as an expression."""
    match value:
        case exact.Infinite():
            return INF
        case exact.RootOfFraction(of):
            return k.Sqrt(k.Num(of))
        case _:
            return k.Num(value)


def said(theorem):
    return theorem.statement


# Worst choices and the evaluator.


def brute(values, groups):
    """The largest total by going through all assignments of groups to different blocks."""
    slots = [g for count, g in groups for _ in range(min(count, len(values[0])))]
    blocks = [*range(len(values[0])), *([None] * len(slots))]
    return max(
        sum(
            (values[g][b] for g, b in zip(slots, choice, strict=True) if b is not None), Fraction(0)
        )
        for choice in set(permutations(blocks, len(slots)))
    )


def test_worst_choices_are_maxima_over_assignments():
    rng = random.Random(1)
    names = ("x", "y", "z")
    seen = set()
    for _ in range(120):
        blocks, kinds = rng.randint(1, 4), rng.randint(1, 3)
        values = [
            [Fraction(rng.randint(0, 6), rng.randint(1, 3)) for _ in range(blocks)] for _ in names
        ]
        groups = [(rng.randint(0, 2), n) for n in range(kinds)]
        e = worst(*((c, k.BlockEntry(names[g], K)) for c, g in groups))
        table = dict(zip(names, values, strict=True))
        expected = brute(values, groups)
        assert exact.evaluate(e, table, {"k": blocks}) == expected
        assert exact.evaluate(normal(e), table, {"k": blocks}) == expected
        seen.add(expected)
    assert len(seen) > 30


def test_special_worst_choices():
    values = {"eps": [Fraction(x) for x in (2, 5, 3)], "delta": [Fraction(x) for x in (9, 0, 1)]}
    sizes = {"k": 3, "m": 2}

    def value(*groups):
        return exact.evaluate(worst(*groups), values, sizes)

    assert value((1, EPS)) == 5
    assert value((2, EPS)) == value((M_SIZE, EPS)) == 8
    assert value((9, EPS)) == value((INF, EPS)) == 10
    assert value((1, EPS), (1, EPS)) == 8
    assert value((1, EPS), (1, DELTA)) == 14
    assert value((1, EPS), (INF, DELTA)) == 15
    assert value() == 0
    two = k.Worst(("k", 2), (k.Choice(ONE, k.BlockEntry("x", ("k", 2))),))
    table = {"x": {(i, j): Fraction(10 * i + j) for i in (1, 2, 3) for j in (1, 2)}}
    assert exact.evaluate(two, table, {"k": 3}) == 32


# Normal forms.


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (plus(), "0"),
        (times(), "1"),
        (times(ZERO, A), "0"),
        (times(ZERO, INF), "0"),
        (plus(A, A), "2*a"),
        (times(plus(A, B), plus(A, B)), "2*a*b + a^2 + b^2"),
        (k.Sqrt(times(A, A)), "a"),
        (k.Sqrt(times(num(4), A, A, B)), "2*a*sqrt(b)"),
        (k.Sqrt(times(num("9/16"), A, A)), "3/4*a"),
        (k.Sqrt(times(num("9/2"), A, A)), "sqrt(9/2*a^2)"),
        (k.Sqrt(times(num("2/9"), A)), "sqrt(2/9*a)"),
        (k.Sqrt(times(A, A, A)), "a*sqrt(a)"),
        (k.Sqrt(ZERO), "0"),
        (k.Sqrt(ONE), "1"),
        (k.Sqrt(plus(A, B)), "sqrt(a + b)"),
        (times(k.Sqrt(plus(A, B)), k.Sqrt(plus(B, A))), "a + b"),
        (times(*[k.Sqrt(plus(A, B))] * 3), "a*sqrt(a + b) + b*sqrt(a + b)"),
        (times(*[k.Sqrt(plus(A, ONE))] * 4), "2*a + a^2 + 1"),
        (k.Max((A, k.Max((B, A)), ZERO)), "max(a, b)"),
        (k.Max((ZERO, A)), "a"),
        (k.Max(()), "0"),
        (k.Max((ZERO,)), "0"),
        (k.Apply("growth", (ZERO, B)), "b"),
        (k.Apply("growth", (A, ONE)), "1"),
        (k.Apply("growth", (A, ZERO)), "0"),
        (k.Apply("growth", (plus(A, A), B)), "growth(2*a, b)"),
        (k.Apply("gdp", (ZERO,)), "gdp(0)"),
        (worst((1, EPS), (1, times(EPS))), "sum of the 2 largest eps[i]"),
        (worst((1, EPS), (M_SIZE, EPS)), "sum of the m + 1 largest eps[i]"),
        (worst((INF, EPS), (1, EPS)), "sum(eps[i])"),
        (worst((0, EPS)), "0"),
        (worst((1, ZERO), (2, DELTA)), "sum of the 2 largest delta[i]"),
        (k.Cases(()), ""),
    ],
)
def test_normal_forms(e, text):
    assert normal(e).text() == text
    assert polynomial(normal(e)) == polynomial(e)
    assert normal(normal(e)) == normal(e)


def test_a_maximum_of_one_number_is_that_number():
    assert normal(k.Max((ZERO, A))) == A
    assert normal(k.Max((ZERO, ZERO))) == ZERO


def test_normal_forms_have_the_same_value():
    rng = random.Random(2)

    def some(depth):
        if depth == 0 or rng.random() < 0.2:
            return rng.choice([A, B, ZERO, ONE, TWO, EPS, DELTA, SIZE])
        kind = rng.choice([k.Sum, k.Product, k.Max, k.Sqrt])
        if kind is k.Sqrt:
            inner = some(depth - 1)
            return k.Sqrt(times(inner, inner))
        return kind(tuple(some(depth - 1) for _ in range(rng.randint(0, 3))))

    different = 0
    for _ in range(300):
        e = some(3)
        values, sizes = draw(rng)
        expected = exact.evaluate(e, values, sizes, (1,))
        assert exact.evaluate(normal(e), values, sizes, (1,)) == expected
        assert polynomial(normal(e)) == polynomial(e)
        different += normal(e) != e
    assert different > 100


def test_comparing_sizes():
    m = M_SIZE
    assert at_most(ONE, m, ())
    assert at_most(num(3), m, up_to("m", 3))
    assert not at_most(num(3), m, up_to("m", 2))
    assert not at_most(m, num(9), up_to("m", 1, 9))
    assert at_most(times(TWO, m), times(num(3), m), ())
    assert at_most(plus(m, SIZE), times(TWO, m, SIZE), ())
    assert not at_most(m, SIZE, ())
    assert at_most(A, INF, ())
    assert not at_most(INF, ONE, ())
    assert not at_most(A, A, ())
    assert not at_most(ONE, plus(ONE, A), ())
    assert at_most(k.Max((m, TWO)), plus(k.Max((m, TWO)), ONE), ())


def test_numbers_of_blocks():
    assert most_blocks((), ()) == 1
    assert most_blocks((3, 4), ()) == 12
    assert most_blocks(K, up_to("k", 1, 5)) == 5
    assert most_blocks(("k", 2), up_to("k", 1, 5)) == 10
    assert most_blocks(K, up_to("k", 2)) is None
    assert most_blocks(("k", "l"), up_to("k", 1, 5)) is None


# Order.


def test_polynomials():
    square = times(plus(A, B), plus(A, B))
    done = leq(plus(times(A, A), times(B, B)), square, up_to("k", 2))
    assert said(done) == k.BoundLeq(plus(times(A, A), times(B, B)), square, up_to("k", 2))
    assert holds(done)
    assert said(leq(square, INF)).right == INF
    assert holds(leq(EPS, plus(EPS, A)))
    assert holds(leq(ZERO, A))


def test_chains():
    one, two = leq(A, plus(A, B), up_to("k", 2)), leq(plus(B, A), plus(A, B, C), up_to("m", 3))
    done = k.transitive(one, two)
    assert said(done) == k.BoundLeq(A, plus(A, B, C), (*up_to("k", 2), *up_to("m", 3)))


def test_maxima():
    top = plus(A, B)
    done = k.maximum((leq(A, top, up_to("k", 2)), leq(B, top, up_to("m", 3))))
    assert said(done) == k.BoundLeq(k.Max((A, B)), top, (*up_to("k", 2), *up_to("m", 3)))
    assert holds(done)
    assert said(k.maximum((leq(A, top),))) == k.BoundLeq(k.Max((A,)), top, ())
    for item in (A, plus(B, B)):
        done = k.some_item(item, k.Max((A, times(TWO, B))), up_to("k", 2))
        assert said(done) == k.BoundLeq(item, k.Max((A, times(TWO, B))), up_to("k", 2))
        assert holds(done)


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("sum", plus(A, B), plus(plus(A, C), plus(B, ONE))),
        ("product", times(A, B), times(plus(A, C), plus(B, ONE))),
        ("max", k.Max((A, B)), k.Max((plus(A, C), plus(B, ONE)))),
    ],
)
def test_monotone_lists(kind, left, right):
    pair = leq(A, plus(A, C), up_to("k", 2)), leq(B, plus(B, ONE), up_to("m", 3))
    done = k.monotone(kind, pair)
    assert said(done) == k.BoundLeq(left, right, (*up_to("k", 2), *up_to("m", 3)))
    assert holds(done)


def test_monotone_functions():
    one = leq(times(A, A), times(plus(A, B), plus(A, B)), up_to("k", 2))
    done = k.monotone("sqrt", (one,))
    assert said(done) == k.BoundLeq(
        k.Sqrt(one.statement.left), k.Sqrt(one.statement.right), up_to("k", 2)
    )
    for name in ("path_rho", "path_mu"):
        more = k.monotone(name, (leq(A, plus(A, B)), leq(B, plus(B, C))))
        expected = k.Apply(name, (A, B)), k.Apply(name, (plus(A, B), plus(B, C)))
        assert said(more) == k.BoundLeq(*expected, ())
    tanh = k.monotone("tanh", (leq(A, plus(A, B)),))
    assert said(tanh) == k.BoundLeq(k.Apply("tanh", (A,)), k.Apply("tanh", (plus(A, B),)), ())
    gdp = k.monotone("gdp", (leq(A, plus(A, B)),))
    assert said(gdp) == k.BoundLeq(k.Apply("gdp", (A,)), k.Apply("gdp", (plus(A, B),)), ())
    growth = k.monotone("growth", (leq(A, plus(A, B)), leq(TWO, num(3))))
    assert said(growth) == k.BoundLeq(
        k.Apply("growth", (A, TWO)), k.Apply("growth", (plus(A, B), num(3))), ()
    )
    for q, q2, r, r2 in product((2, 3), (3, 7), (1, 2), (2, 5)):
        low, high = (
            exact.evaluate(k.Apply("growth", (A, num(n))), {"a": exact.Log(Fraction(x))})
            for n, x in ((r, q), (r2, q2))
        )
        assert low <= high
    k.monotone("growth", (leq(A, A), leq(ONE, ONE)))
    k.monotone("growth", (leq(A, A), leq(M_SIZE, times(TWO, M_SIZE))))


def test_growth_is_at_least_the_distance():
    steps = said(k.growth_least(k.Apply("path_rho", (A, TWO)), ()))
    coins = times(TWO, A, k.Apply("tanh", (times(num("1/2"), A),)))
    assert steps == k.BoundLeq(coins, k.Apply("path_rho", (A, TWO)), ())
    theorem = k.growth_least(k.Apply("growth", (A, TWO)), ())
    assert theorem.statement == k.BoundLeq(TWO, k.Apply("growth", (A, TWO)), ())


def test_growth_in_powers():
    grown = k.Apply("growth", (A, num(3)))
    powers = plus(*(k.Apply("exp", (times(num(n), A),)) for n in range(3)))
    assert said(k.growth_out(grown, up_to("k", 2))) == k.BoundLeq(grown, powers, up_to("k", 2))
    assert said(k.growth_in(grown, up_to("k", 2))) == k.BoundLeq(powers, grown, up_to("k", 2))
    k.growth_out(k.Apply("growth", (A, num(100))), ())
    most = said(k.growth_most(grown, TWO, up_to("k", 2)))
    last = times(num(3), k.Apply("exp", (times(TWO, A),)))
    assert most == k.BoundLeq(grown, last, up_to("k", 2))
    k.growth_most(k.Apply("growth", (A, M_SIZE)), M_SIZE, ())
    exp = k.monotone("exp", (leq(A, plus(A, B)),))
    assert said(exp) == k.BoundLeq(k.Apply("exp", (A,)), k.Apply("exp", (plus(A, B),)), ())


def test_powers_of_one_number():
    def exp(x):
        return k.Apply("exp", (x,))

    both = exp(plus(A, B))
    assert same(both, times(exp(A), exp(B)))
    assert same(times(exp(A), exp(A)), exp(times(TWO, A)))
    assert same(times(A, exp(A), exp(ZERO)), times(exp(A), A))
    assert same(times(k.Sqrt(exp(A)), k.Sqrt(exp(A)), exp(B)), both)
    assert not same(both, plus(exp(A), exp(B)))
    assert same(exp(ZERO), ONE)
    assert not same(exp(ONE), ONE)
    square = times(*(k.Apply("tanh", (A,)),) * 2)
    assert normal(square) == square
    assert normal(times(exp(A), exp(B))).text() == "exp(a + b)"


def test_squares():
    one = leq(times(A, A), times(plus(A, B), plus(A, B)), up_to("k", 2))
    assert said(k.root(one)) == k.BoundLeq(A, plus(A, B), up_to("k", 2))


# Worst choices.


def test_choosing():
    best = worst((2, EPS), (1, DELTA))
    done = k.choose(best, up_to("k", 2))
    assert said(done) == k.BoundLeq(EPS, best, up_to("k", 2))
    assert holds(done)
    assert holds(k.choose(worst((M_SIZE, EPS)), ()))
    assert said(k.choose(worst((k.Sum((ONE, SIZE)), EPS)), ())).left == EPS
    assert said(k.choose(worst((M_SIZE, EPS)), up_to("m", 4))).where == up_to("m", 4)


def test_each_block():
    top = worst((1, plus(EPS, DELTA)))
    below = k.transitive(leq(EPS, plus(EPS, DELTA)), k.choose(top, up_to("k", 2)))
    done = k.each_block(below, worst((1, EPS)))
    assert said(done) == k.BoundLeq(worst((1, EPS)), top, up_to("k", 2))
    assert holds(done)


def test_roots_of_maxima():
    """sqrt(max eps^2) <= max eps, as every Gaussian bound needs it."""
    one, top = worst((1, times(EPS, EPS))), worst((1, EPS))
    square = k.monotone("product", (k.choose(top, ()), k.choose(top, ())))
    below = k.each_block(square, one)
    left = k.transitive(leq(times(k.Sqrt(one), k.Sqrt(one)), one), below)
    done = k.root(left)
    assert said(done) == k.BoundLeq(k.Sqrt(one), top, ())
    assert holds(done)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (worst((2, EPS)), plus(times(TWO, worst((1, EPS))))),
        (worst((M_SIZE, EPS), (1, DELTA)),
         plus(times(M_SIZE, worst((1, EPS))), times(ONE, worst((1, DELTA))))),
        (worst((INF, EPS)), plus(times(times(SIZE), worst((1, EPS))))),
    ],
)  # fmt: skip
def test_spreading(left, right):
    done = k.spread(left, up_to("k", 2))
    assert said(done) == k.BoundLeq(left, right, up_to("k", 2))
    assert holds(done)


def test_spreading_over_two_sizes():
    two = k.Worst(("k", 3), (k.Choice(INF, k.BlockEntry("x", ("k", 3))),))
    one = k.Worst(("k", 3), (k.Choice(ONE, k.BlockEntry("x", ("k", 3))),))
    assert said(k.spread(two, ())).right == plus(times(times(SIZE, num(3)), one))


SHARES = [
    (worst((times(TWO, M_SIZE), EPS)), [worst((2, EPS))], [M_SIZE]),
    (worst((times(TWO, M_SIZE), EPS)), [worst((M_SIZE, EPS))], [TWO]),
    (worst((times(TWO, M_SIZE), EPS)), [worst((M_SIZE, EPS)), worst((1, EPS))], [ONE, M_SIZE]),
    (worst((3, EPS), (1, DELTA)), [worst((2, EPS), (1, DELTA)), worst((1, EPS))], [ONE, ONE]),
    (worst((1, EPS), (1, EPS)), [worst((1, EPS))], [TWO]),
    (worst((2, EPS)), [worst((1, EPS), (1, EPS))], [ONE]),
    (worst((2, EPS)), [worst((1, EPS))], [M_SIZE]),
    (worst((4, EPS)), [worst((plus(ONE, ONE), EPS))], [M_SIZE]),
    (worst((8, EPS)), [worst((times(TWO, M_SIZE), EPS))], [M_SIZE]),
    (worst((5, EPS)), [worst((2, EPS)), worst((1, EPS))], [M_SIZE, plus(ONE, ZERO)]),
    (worst(), [worst((1, EPS))], [ZERO]),
]


@pytest.mark.parametrize(("left", "pieces", "numbers"), SHARES)
def test_sharing(left, pieces, numbers):
    done = k.share(left, tuple(pieces), tuple(numbers), up_to("m", 2))
    whole = plus(*(times(c, p) for c, p in zip(numbers, pieces, strict=True)))
    assert said(done) == k.BoundLeq(left, whole, up_to("m", 2))
    assert holds(done)


@pytest.mark.parametrize("inside", [worst((INF, EPS)), worst((2, EPS), (1, plus(EPS, DELTA)))])
def test_squares_of_the_chosen_blocks(inside):
    done = k.squares(inside, up_to("k", 2))
    groups = tuple(k.Choice(g.count, times(g.value, g.value)) for g in inside.groups)
    assert said(done) == k.BoundLeq(k.Worst(K, groups), times(inside, inside), up_to("k", 2))
    assert holds(done)


def test_sharing_never_lies():
    rng = random.Random(5)
    outcomes = []
    for seed in range(200):
        choices = [
            worst(*((rng.choice([0, 1, 2, M_SIZE, INF]), rng.choice([EPS, DELTA]))
                    for _ in range(rng.randint(1, 2))))
            for _ in range(rng.randint(2, 3))
        ]  # fmt: skip
        numbers = tuple(rng.choice([ONE, TWO, M_SIZE, num("1/2")]) for _ in choices[1:])
        where = rng.choice([(), up_to("m", 2)])

        def attempt(choices=choices, numbers=numbers, where=where):
            return k.share(choices[0], tuple(choices[1:]), numbers, where)

        refused = raises(attempt)
        outcomes.append(refused)
        assert refused or holds(attempt(), seed, 8)
    assert 20 < sum(outcomes) < 180


def test_factors():
    outer = worst((2, times(EPS, A)), (1, plus(times(A, DELTA), times(A, EPS))))
    inner = worst((2, EPS), (1, plus(EPS, DELTA)))
    out, back = (f(outer, A, inner, up_to("k", 2)) for f in (k.factor_out, k.factor_in))
    assert said(out) == k.BoundLeq(outer, times(A, inner), up_to("k", 2))
    assert said(back) == k.BoundLeq(times(A, inner), outer, up_to("k", 2))
    assert holds(out)
    assert holds(back)


def test_transport():
    left = worst((1, EPS), (1, DELTA), (2, EPS))
    right = worst((3, EPS), (1, plus(DELTA, EPS)))
    leqs = (leq(EPS, EPS), leq(DELTA, plus(DELTA, EPS), up_to("m", 2)), leq(EPS, EPS))
    done = k.transport(left, right, (0, 1, 0), leqs, up_to("k", 2))
    assert said(done) == k.BoundLeq(left, right, (*up_to("k", 2), *up_to("m", 2)))
    assert holds(done)


@pytest.mark.parametrize(
    ("left", "right", "where"),
    [
        (worst((2, EPS)), worst((1, EPS)), up_to("k", 1, 1)),
        (worst((1, EPS), (1, EPS)), worst((1, EPS)), up_to("k", 1, 1)),
        (worst((INF, EPS)), worst((3, EPS)), up_to("k", 1, 3)),
        (worst((1, EPS), (INF, EPS)), worst((3, EPS)), up_to("k", 1, 3)),
        (worst((INF, EPS)), worst((INF, EPS)), ()),
        (worst((M_SIZE, EPS)), worst((INF, EPS)), ()),
        (worst((M_SIZE, EPS)), worst((times(TWO, M_SIZE), EPS)), ()),
        (worst((2, EPS)), worst((M_SIZE, EPS)), up_to("m", 2)),
        (worst((1, EPS)), worst((M_SIZE, EPS)), ()),
        (worst((1, EPS)), worst((1, EPS)), up_to("k", 1, 3)),
        (worst(), worst(), ()),
        (worst(), worst((1, EPS)), ()),
    ],
)
def test_transport_with_excess_blocks(left, right, where):
    leqs = tuple(leq(EPS, EPS) for _ in left.groups)
    done = k.transport(left, right, (0,) * len(leqs), leqs, where)
    assert said(done) == k.BoundLeq(left, right, where)
    assert holds(done)


def test_transport_never_lies():
    rng = random.Random(3)
    outcomes = []
    values = [EPS, DELTA, plus(EPS, DELTA), times(TWO, EPS)]
    for seed in range(150):
        left, right = (
            worst(*((rng.choice([0, 1, 2, M_SIZE, INF]), rng.choice(values))
                    for _ in range(rng.randint(1, 2))))
            for _ in range(2)
        )  # fmt: skip
        plan = tuple(rng.randrange(len(right.groups)) for _ in left.groups)
        where = rng.choice([(), up_to("k", 1, 1), up_to("k", 1, 2), up_to("m", 2)])

        def attempt(left=left, right=right, plan=plan, where=where):
            leqs = tuple(
                leq(g.value, right.groups[n].value) for g, n in zip(left.groups, plan, strict=True)
            )
            return k.transport(left, right, plan, leqs, where)

        outcomes.append(not raises(attempt))
        assert raises(attempt) or holds(attempt(), seed, 5)
    assert 20 < sum(outcomes) < 120


def test_abel():
    one, three = worst((1, times(num(3), EPS)), (1, EPS)), worst((2, times(num(2), EPS)))
    done = k.abel(three, worst((1, times(num(3), EPS)), (1, times(EPS))), EPS, up_to("k", 1))
    assert said(done).left == three
    assert holds(done)
    assert raises(lambda: k.abel(one, three, EPS, ()))
    short = k.abel(worst((2, EPS)), worst((1, EPS)), EPS, up_to("k", 1, 1))
    assert said(short) == k.BoundLeq(worst((2, EPS)), worst((1, EPS)), up_to("k", 1, 1))
    every = k.abel(worst((3, EPS)), worst((INF, EPS)), EPS, ())
    assert holds(every)
    mixed = plus(times(TWO, EPS), times(num(4), DELTA))
    base = plus(EPS, times(TWO, DELTA))
    assert holds(k.abel(worst((1, mixed)), worst((2, mixed)), base, ()))
    assert holds(k.abel(worst((1, mixed)), worst((2, mixed)), mixed, ()))
    zero = k.abel(worst((1, ZERO)), worst((1, EPS)), EPS, ())
    assert said(zero).left == worst((1, ZERO))
    big = k.abel(worst((1, times(TWO, EPS))), worst((10**9, times(TWO, EPS))), EPS, ())
    assert said(big).right.groups[0].count == num(10**9)
    assert said(k.abel(worst(), worst(), EPS, ())) == k.BoundLeq(worst(), worst(), ())


def test_abel_never_lies_and_misses_nothing():
    rng = random.Random(4)
    outcomes = []
    for seed in range(150):
        left, right = (
            worst(*((rng.randint(1, 2), times(num(rng.randint(0, 4)), EPS))
                    for _ in range(rng.randint(1, 3))))
            for _ in range(2)
        )  # fmt: skip
        where = rng.choice([(), (), up_to("k", 1, 2), up_to("k", 1, 1)])

        def attempt(left=left, right=right, where=where):
            return k.abel(left, right, EPS, where)

        most = where[0].high if where else 6
        steps = [
            {"eps": [Fraction(1)] * n + [Fraction(0)] * (most - n)} for n in range(1, most + 1)
        ]
        true = all(
            exact.evaluate(left, v, {"k": most}) <= exact.evaluate(right, v, {"k": most})
            for v in steps
        )
        assert raises(attempt) is not true
        outcomes.append(true)
        assert not true or holds(attempt(), seed, 2)
    assert 30 < sum(outcomes) < 120


# Induction.


def test_induction():
    bound = times(SIZE, A)
    base = leq(A, times(ONE, A))
    step = leq(plus(bound, A), times(plus(SIZE, ONE), A))
    done = k.induction(base, step, A, bound, "k")
    assert said(done) == k.BoundLeq(worst((INF, A)), bound, ())
    assert done.premises == (base, step)
    assert holds(done)
    other = worst((1, k.BlockEntry("x", ("l",))), sizes=("l",))
    bound = plus(times(SIZE, A), times(SIZE, other))
    base = leq(A, plus(times(ONE, A), times(ONE, other)))
    more = plus(SIZE, ONE)
    step = leq(plus(bound, A), plus(times(more, A), times(more, other)))
    assert said(k.induction(base, step, A, bound, "k")).right == bound
    tail = k.Max((B, C))
    bound = plus(times(SIZE, SIZE, tail))
    base = leq(tail, plus(times(ONE, ONE, tail)))
    more = plus(SIZE, ONE)
    step = leq(plus(bound, tail), plus(times(more, more, tail)))
    assert holds(k.induction(base, step, tail, bound, "k"))


# The evaluator.


def number(e, **values):
    return exact.evaluate(
        e, {n: v for n, v in values.items() if n != "k"}, {"k": values.get("k", 2)}
    )


LN2, LN3 = exact.Log(Fraction(2)), exact.Log(Fraction(3))
ROOT2, HALF, INFINITE = exact.RootOfFraction(Fraction(2)), Fraction(1, 2), exact.INFINITE


@pytest.mark.parametrize(
    ("e", "values", "expected"),
    [
        (plus(A, B), {"a": LN2, "b": LN3}, exact.Log(Fraction(6))),
        (plus(A, B), {"a": LN2, "b": Fraction(0)}, LN2),
        (plus(A, B), {"a": LN2, "b": INFINITE}, INFINITE),
        (plus(A, B), {"a": HALF, "b": HALF}, Fraction(1)),
        (times(A, B), {"a": LN2, "b": Fraction(3)}, exact.Log(Fraction(8))),
        (times(A, B), {"a": Fraction(3), "b": LN2}, exact.Log(Fraction(8))),
        (times(A, B), {"a": INFINITE, "b": Fraction(0)}, Fraction(0)),
        (times(A, B), {"a": INFINITE, "b": HALF}, INFINITE),
        (times(A, B), {"a": HALF, "b": INFINITE}, INFINITE),
        (times(A, B), {"a": ROOT2, "b": ROOT2}, Fraction(2)),
        (times(A, B), {"a": ROOT2, "b": Fraction(3)}, exact.RootOfFraction(Fraction(18))),
        (k.Sqrt(A), {"a": Fraction(9, 4)}, Fraction(3, 2)),
        (k.Sqrt(A), {"a": Fraction(2)}, ROOT2),
        (k.Sqrt(A), {"a": Fraction(1, 2)}, exact.RootOfFraction(HALF)),
        (k.Sqrt(A), {"a": INFINITE}, INFINITE),
        (k.Max((A, B)), {"a": LN2, "b": LN3}, LN3),
        (k.Max((A, B)), {"a": LN3, "b": LN2}, LN3),
        (k.Max((A, B)), {"a": ROOT2, "b": Fraction(7, 5)}, ROOT2),
        (k.Max((A, B)), {"a": ROOT2, "b": Fraction(3, 2)}, Fraction(3, 2)),
        (k.Max((A, B)), {"a": INFINITE, "b": LN2}, INFINITE),
        (k.Max((A, B)), {"a": Fraction(0), "b": LN2}, LN2),
        (k.Max((A, B)), {"a": LN2, "b": Fraction(0)}, LN2),
        (k.Max(()), {}, Fraction(0)),
        (SIZE, {"k": 5}, Fraction(5)),
        (INF, {}, INFINITE),
        (worst((2, EPS)), {"eps": HALF}, Fraction(1)),
        (k.Apply("growth", (A, num(3))), {"a": LN2}, Fraction(7)),
        (k.Apply("growth", (A, num(3))), {"a": Fraction(0)}, Fraction(3)),
        (k.Apply("growth", (A, ONE)), {"a": INFINITE}, Fraction(1)),
        (k.Apply("growth", (A, TWO)), {"a": INFINITE}, INFINITE),
        (k.Apply("growth", (A, num("1/2"))), {"a": INFINITE}, Fraction(0)),
        (k.Apply("growth", (A, INF)), {"a": LN2}, INFINITE),
        (k.Cases((k.SizeCase(up_to("k", 1, 2), A), k.SizeCase(up_to("k", 2), B))),
         {"a": HALF, "b": LN2, "k": 2}, HALF),
        (k.Cases((k.SizeCase(up_to("k", 1, 2), A), k.SizeCase(up_to("k", 3), B))),
         {"a": HALF, "b": LN2, "k": 3}, LN2),
        (k.Cases((k.SizeCase(up_to("k", 2), A),)), {"a": HALF, "k": 1}, INFINITE),
    ],
)  # fmt: skip
def test_values(e, values, expected):
    found = number(e, **values)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("e", "values"),
    [
        (plus(A, B), {"a": LN2, "b": Fraction(1)}),
        (times(A, B), {"a": LN2, "b": LN2}),
        (times(A, B), {"a": LN2, "b": HALF}),
        (k.Sqrt(A), {"a": LN2}),
        (k.Max((A, B)), {"a": LN2, "b": Fraction(1)}),
        (A, {}),
        (A, {"a": [Fraction(1)]}),
        (EPS, {"eps": {(2,): Fraction(1)}}),
        (k.BlockEntry("eps", ("k", "k")), {"eps": [Fraction(1)]}),
        (k.Size("other"), {}),
        (k.Apply("gdp", (A,)), {"a": Fraction(1)}),
        (k.Apply("growth", (A, TWO)), {"a": Fraction(1)}),
        (k.Apply("growth", (A, num("1/2"))), {"a": LN2}),
        (worst((1, EPS)), {"eps": [Fraction(1)], "k": 2}),
    ],
)
def test_values_that_do_not_exist(e, values):
    assert raises(lambda: number(e, **values))


def test_many_blocks_are_added_up_one_by_one():
    many = worst((10_000, EPS))
    assert said(k.abel(many, worst((10**15, EPS)), EPS, ())).left == many
    assert raises(lambda: k.abel(many, worst((9_999, EPS)), EPS, ()))
