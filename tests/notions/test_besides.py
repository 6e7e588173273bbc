"""A block that counts by itself, and so many of the others: against all ways to choose them."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from dpcomp_sym.numbers.besides import largest_besides
from dpcomp_sym.numbers.exact import surd
from dpcomp_sym.numbers.together import largest_together
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values

T, U, I = t.Letter(1), t.Letter(2), t.Index(1)
ALWAYS = t.Connected("and", ())
HERE, ELSEWHERE = t.Compared("eq", I, T), t.Compared("ne", I, T)
EPS, ETA = t.BlockEntry("eps", ("k",)), t.BlockEntry("eta", ("k",))


def both(*items):
    return t.Connected("and", items)


def plus(*items):
    return t.Combined("add", items)


@dataclass
class Total:
    """A total as it is read: with values of its blocks, and how many count."""

    e: t.SumOver
    values: list
    most: int
    blocks: list = field(default_factory=list)


def total(values, when, most=None):
    few = len(values) if most is None else most
    made = t.SumOver(("k",), when, t.Num(Fraction(few)), EPS)
    return Total(made, values, few, [(n,) for n in range(1, len(values) + 1)])


def found(totals, facts=ALWAYS):
    e = t.MaxOver(1, facts, t.Sum(tuple(x.e for x in totals)))
    return largest_besides(e, {"k": len(totals[0].values)}, totals, [x.values for x in totals])


def by_hand(totals, facts=ALWAYS, places=range(-9, 20)):
    """The largest total over many places, block by block."""
    most = None
    for place in places:
        if not Values({}, (place,)).hold(facts):
            continue
        value = sum(
            sum(sorted((
                v for v, b in zip(x.values, x.blocks, strict=True)
                if Values({}, (place,), b).hold(x.e.when)
            ), reverse=True)[: x.most])
            for x in totals
        )  # fmt: skip
        most = value if most is None else max(most, value)
    return 0 if most is None else most


@pytest.mark.parametrize("seed", range(60))
def test_the_largest_one_is_found(seed):
    rng = random.Random(seed)
    k = rng.randint(1, 5)
    shift = rng.choice((0, 0, 1, -1))
    at = T if not shift else plus(T, t.Integer(shift))
    one, other = t.Compared("eq", I, at), t.Compared("ne", I, T)
    totals = [
        total([rng.randint(0, 9) for _ in range(k)], one),
        total([rng.randint(0, 9) for _ in range(k)], other, rng.randint(0, k)),
    ]
    if rng.random() < 0.3:
        totals.append(total([rng.randint(0, 9) for _ in range(k)], ALWAYS, rng.randint(0, k)))
    facts = rng.choice((
        ALWAYS, t.Compared("le", t.Integer(2), T), t.Compared("lt", T, t.Integer(2)),
        t.Compared("le", t.Integer(7), T), t.Compared("lt", T, t.Integer(-2)),
        both(t.Compared("le", t.Integer(1), T), t.Compared("le", T, t.Integer(3))),
        both(t.Compared("le", t.Integer(3), T), t.Compared("le", T, t.Integer(2))),
    ))  # fmt: skip
    value, place = found(totals, facts)
    assert value == by_hand(totals, facts)
    if place:
        assert Values({}, place).hold(facts)
        assert value == by_hand(totals, facts, [place[0]])


def test_other_totals_are_not_read_so():
    values = [3, 2, 1]
    window = both(t.Compared("le", T, I), t.Compared("lt", I, plus(T, t.Integer(2))))
    two = both(ELSEWHERE, t.Compared("ne", I, plus(T, t.Integer(1))))
    for when, most in (
        (window, None), (HERE, 1), (two, 1), (t.Compared("le", I, T), None),
        (t.Connected("or", (ELSEWHERE, t.Compared("eq", T, t.Integer(1)))), 1),
    ):  # fmt: skip
        some = total(values, when, most)
        answer = found([some])
        assert answer is None or answer[0] == by_hand([some])
    assert found([total(values, window)]) is None
    assert found([total(values, HERE, 1)]) is None
    assert found([total(values, two, 1)]) is None
    # Of two blocks that are left out at once another one than the next takes the second place.
    halves = t.Compared("ne", t.Combined("div", (I, t.Integer(2))), T)
    assert found([total([5, 4, 4, 1, 1], halves, 2)]) is None
    assert found([total([5, 4, 4, 1, 1], halves, 3)]) is None
    apart = both(ELSEWHERE, t.Compared("ne", plus(I, t.Integer(3)), T))
    assert found([total(values, apart, 1)]) is None
    last = t.Compared("ne", t.Combined("max", (I, t.Integer(4))), plus(T, t.Integer(1)))
    assert found([total([5, 4, 3, 2, 1], last, 3)]) is None
    assert found([total([5, 4, 3, 2, 1], last, 1)]) is None
    assert found([total([5, 1, 1, 1, 4], last, 1)])[0] == 5


def test_what_counts_nowhere_adds_nothing():
    never = both(HERE, t.Compared("lt", I, t.Integer(1)))
    assert found([total([3, 2], never), total([5, 1], ELSEWHERE, 1)])[0] == 5
    assert found([total([3, 2], HERE)], t.Compared("lt", T, T)) == (0, ())


def test_not_linear_facts_are_not_read_so():
    square = t.Compared("le", t.Combined("mul", (T, T)), t.Integer(4))
    assert found([total([3, 2], HERE)], square) is None


# -------------------------------------------------------------------- with numbers of the others


def shared_out():
    facts = both(t.Compared("le", t.Integer(0), U), t.Compared("lt", U, t.Symbol("m")))
    left = t.Amount(plus(t.Symbol("m"), t.Combined("neg", (U,))))
    one = t.SumOver(("k",), HERE, t.Inf(), t.Sum((EPS, t.Product((left, ETA)))))
    others = t.SumOver(("k",), ELSEWHERE, t.Amount(U), t.Sum((EPS, ETA)))
    return t.MaxOver(2, facts, t.Sum((one, others)))


def value_of(e, at):
    match e:
        case t.Num(number):
            return number
        case t.BlockEntry(name, _):
            return at[name]
        case t.Sum(items):
            return sum(value_of(x, at) for x in items)
        case t.Product(items):
            return math.prod(value_of(x, at) for x in items)
    raise TypeError(e)


def largest(eps, eta, m):
    rows = [{"eps": a, "eta": b} for a, b in zip(eps, eta, strict=True)]
    return largest_together(
        shared_out(), {"m": m, "k": len(eps)}, lambda e, _: [value_of(e, row) for row in rows],
        lambda e: math.inf if e == t.Inf() else e.value,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_records_are_shared_out_in_the_worst_way(seed):
    rng = random.Random(seed)
    m, k = rng.randint(1, 4), rng.randint(1, 4)
    eps, eta = ([rng.choice((0, 1, 2, 5, Fraction(1, 3))) for _ in range(k)] for _ in range(2))
    assert largest(eps, eta, m) == max(
        sum(a + n * b for a, b, n in zip(eps, eta, some, strict=True) if n)
        for some in itertools.product(range(m + 1), repeat=k)
        if 0 < sum(some) <= m
    )


def test_irrational_numbers_are_looked_at_place_by_place():
    root = surd(2)
    best = max([root + 2, 2 * root, root + 1 + root])
    assert largest([root, 0], [1, root], 2) == best
