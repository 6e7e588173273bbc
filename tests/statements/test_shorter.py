"""Shorter forms, one by one and of random expressions: as short as said, and of the same value."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.shorten import Equal, equal_to_shorter, shortened
from tests.statements import meaning
from tests.statements.expressions import expression, number, values_of

A, B, M = k.Param("a"), k.Param("b"), k.Size("m")
EPS, MU, TAU = (
    k.BlockEntry("eps", ("k",)),
    k.BlockEntry("mu", ("k",)),
    k.BlockEntry("tau", ("k", "m")),
)
ALONE = (k.SizeRange("k", 1, 1),)


def times(*items):
    return k.Product(items)


def plus(*items):
    return k.Sum(items)


def worst(*groups, sizes=("k",)):
    counted = ((number(c) if isinstance(c, int) else c, value) for c, value in groups)
    return k.Worst(sizes, tuple(k.Choice(*one) for one in counted))


SHORT = [
    (plus(A, A), (), "2*a"),
    (plus(A, B, A), (), "2*a + b"),
    (plus(times(number(2), A), times(number(2), B)), (), "2*(a + b)"),
    (plus(times(number(2), A), times(number(3), B)), (), "2*a + 3*b"),
    (plus(times(number(2), A), times(number(2), A, B)), (), "2*a*(1 + b)"),
    (plus(times(A, M), times(M, B)), (), "m*(a + b)"),
    (plus(times(number(0), A), times(number(0), B)), (), "0*a + 0*b"),
    (plus(plus(A, B), A), (), "2*a + b"),
    (plus(), (), "0"),
    (plus(A), (), "a"),
    (times(), (), "1"),
    (times(A), (), "a"),
    (times(A, number(2), M, number(3)), (), "6*m*a"),
    (times(k.Sqrt(A), A, M), (), "m*a*sqrt(a)"),
    (plus(worst((2, EPS)), A), (), "a + sum of the 2 largest eps[i]"),
    (plus(worst((1, EPS)), A), (), "a + max(eps[i])"),
    (
        plus(worst((2, EPS)), worst((1, MU)), A, worst((k.Inf(), EPS))),
        (),
        "a + max(mu[i]) + sum(eps[i]) + sum of the 2 largest eps[i]",
    ),
    (plus(times(worst((2, EPS)), B), A), (), "a + b*(sum of the 2 largest eps[i])"),
    (times(worst((2, EPS)), B), (), "b*(sum of the 2 largest eps[i])"),
    (k.Max((A, B, A)), (), "max(a, b)"),
    (k.Max((A, A)), (), "a"),
    # What another item exceeds is not the largest one.
    (k.Max((worst((2, EPS)), times(number(2), worst((1, EPS))))), (), "2*max(eps[i])"),
    (k.Max((times(number(2), worst((1, EPS))), worst((2, EPS)))), (), "2*max(eps[i])"),
    (
        k.Max(
            (
                plus(worst((2, EPS)), worst((2, MU))),
                plus(times(number(2), worst((1, EPS))), worst((2, MU))),
                plus(worst((2, EPS)), times(number(2), worst((1, MU)))),
                plus(times(number(2), worst((1, EPS))), times(number(2), worst((1, MU)))),
            )
        ),
        (),
        "2*(max(eps[i]) + max(mu[i]))",
    ),
    (k.Max((A, plus(A, B), worst((1, EPS)))), (), "max(a + b, max(eps[i]))"),
    (k.Max((plus(A, B), A)), (), "a + b"),
    (
        k.Max(
            (
                plus(worst((2, EPS)), worst((1, MU))),
                plus(worst((1, EPS)), worst((2, MU))),
                plus(worst((1, EPS)), worst((1, MU))),
            )
        ),
        (),
        "max(max(mu[i]) + sum of the 2 largest eps[i], max(eps[i]) + sum of the 2 largest mu[i])",
    ),
    (
        k.Max((plus(worst((1, EPS)), times(A, worst((1, EPS)))), worst((1, EPS)))),
        (),
        "max(eps[i])*(1 + a)",
    ),
    (
        k.Max((worst((1, EPS)), worst((1, plus(EPS, MU))))),
        (),
        "max(max(eps[i]), max(eps[i] + mu[i]))",
    ),
    (
        k.Max((worst((2, EPS)), worst((3, EPS)))),
        (k.SizeRange("k", 1, 2),),
        "sum of the 3 largest eps[i]",
    ),
    (
        k.Max((worst((3, EPS)), worst((2, EPS)))),
        (k.SizeRange("k", 1, 2),),
        "sum of the 2 largest eps[i]",
    ),
    (worst((2, times(number(2), A))), (), "2*a*(sum of the 2 largest (1; i <= k))"),
    (k.Max(tuple(times(number(n), A) for n in range(1, 13))), (), "12*a"),
    (
        k.Max(tuple(times(number(n), A) for n in range(1, 14))),
        (),
        f"max(a, {', '.join(f'{n}*a' for n in range(2, 14))})",
    ),
    (worst((2, times(number(2), EPS))), (), "2*(sum of the 2 largest eps[i])"),
    (worst((2, times(A, EPS))), (), "a*(sum of the 2 largest eps[i])"),
    (
        worst((1, times(number(2), EPS)), (1, times(number(2), MU))),
        (),
        "2*(max over i != j of (eps[i] + mu[j]))",
    ),
    (
        worst((1, times(number(2), EPS)), (1, times(number(3), MU))),
        (),
        "max over i != j of (2*eps[i] + 3*mu[j])",
    ),
    (
        worst((1, times(A, EPS)), (1, times(number(3), A, MU))),
        (),
        "a*(max over i != j of (eps[i] + 3*mu[j]))",
    ),
    (worst((2, plus(EPS, EPS))), (), "2*(sum of the 2 largest eps[i])"),
    (worst(), (), "0"),
    (worst((1, times(EPS, EPS, number(4)))), (), "4*max(eps[i]^2)"),
    (worst((2, EPS)), ALONE, "max(eps[i])"),
    (worst((1, EPS)), ALONE, "max(eps[i])"),
    (worst((k.Inf(), EPS)), ALONE, "max(eps[i])"),
    (worst((1, EPS), (1, times(number(2), EPS))), ALONE, "2*max(eps[i])"),
    (worst((1, times(number(2), EPS)), (1, EPS)), ALONE, "2*max(eps[i])"),
    (worst((1, EPS), (1, MU)), ALONE, "max(max(eps[i], mu[i]))"),
    (worst((1, EPS), (1, MU), (1, times(number(2), EPS))), ALONE, "max(max(mu[i], 2*eps[i]))"),
    (worst((1, plus(EPS, MU)), (2, plus(MU, EPS))), ALONE, "max(eps[i] + mu[i])"),
    (
        worst((1, plus(EPS, MU)), (2, plus(MU, EPS)), (1, times(plus(MU, EPS)))),
        ALONE,
        "max(eps[i] + mu[i])",
    ),
    (worst(), ALONE, "0"),
    (worst((2, A), sizes=()), (), "a"),
    (worst((1, number("1/2"))), (), "1/2"),
    (worst((1, plus(A, number(2)))), (), "a + 2"),
    (worst((3, times(number(2), EPS))), ALONE, "2*max(eps[i])"),
    (k.Sqrt(times(A, A)), (), "a"),
    (k.Sqrt(times(number(4), A, B)), (), "2*sqrt(a*b)"),
    (k.Sqrt(times(number(2), A, A, B)), (), "a*sqrt(2*b)"),
    (k.Sqrt(number("4/9")), (), "2/3"),
    (k.Sqrt(times(number("4/3"), A)), (), "sqrt(4/3*a)"),
    (k.Sqrt(times(number("3/4"), A)), (), "sqrt(3/4*a)"),
    (k.Sqrt(times(number("4/3"), A, A)), (), "a*sqrt(4/3)"),
    (worst((1, plus(EPS, EPS)), (1, MU)), (), "max over i != j of (2*eps[i] + mu[j])"),
    (k.Sqrt(number(2)), (), "sqrt(2)"),
    (k.Sqrt(times(A, A, A)), (), "a*sqrt(a)"),
    (k.Sqrt(times(A, A, A, A)), (), "a^2"),
    (k.Sqrt(number(1)), (), "1"),
    (k.Sqrt(worst((1, times(MU, MU)))), (), "max(mu[i])"),
    (k.Sqrt(worst((2, times(MU, MU)))), (), "sqrt(sum of the 2 largest mu[i]^2)"),
    (k.Sqrt(times(number(4), worst((1, times(MU, MU))))), (), "2*max(mu[i])"),
    (k.Sqrt(times(M, worst((1, times(MU, MU))))), (), "sqrt(m*max(mu[i]^2))"),
    (
        k.Sqrt(times(number(4), worst((2, times(MU, MU))))),
        (),
        "2*sqrt(sum of the 2 largest mu[i]^2)",
    ),
    (k.Sqrt(worst((1, times(number(4), MU, MU)))), (), "2*max(mu[i])"),
    (k.Sqrt(worst((1, times(number(2), MU, MU)))), (), "sqrt(2*max(mu[i]^2))"),
    (k.Sqrt(worst((1, times(EPS, MU)))), (), "max(sqrt(eps[i]*mu[i]))"),
    (k.Sqrt(plus(times(A, A), times(A, A))), (), "a*sqrt(2)"),
    (k.Sqrt(plus(times(A, A), worst((1, times(MU, MU))))), (), "sqrt(a^2 + max(mu[i]^2))"),
    (
        k.Sqrt(plus(times(number(4), A, A), times(number(4), worst((1, times(MU, MU)))))),
        (),
        "2*sqrt(a^2 + max(mu[i]^2))",
    ),
    (k.Apply("growth", (plus(A, A), M)), (), "growth(a + a, m)"),
    (k.Cases((k.SizeCase((), plus(A, A)),)), (), "a + a for all"),
    (
        k.SumOver(("k",), k.Compared("le", k.Index(1), k.Integer(3)), k.Inf(), plus(EPS, EPS)),
        (),
        "sum(2*eps[i] for i <= 3)",
    ),
    (
        k.MaxOver(0, k.Compared("le", k.Symbol("k"), k.Integer(3)), plus(A, A)),
        (),
        "(2*a if k <= 3)",
    ),
    (times(number(0), A), (), "0*a"),
    (plus(times(number(0), A), B), (), "0*a + b"),
    (plus(worst((1, TAU), sizes=("k", "m")), A), (), "a + max(tau[i,j])"),
    (plus(number(3), number(4), A), (), "7 + a"),
    (plus(times(k.EntryOf("x", (3,), (1,)), M), times(B, M)), (), "m*(x[1] + b)"),
    (times(k.Sqrt(A), k.EntryOf("x", (3,), (1,)), M), (), "m*x[1]*sqrt(a)"),
    (worst((1, times(k.Sqrt(A), EPS, M, k.Sqrt(EPS)))), (), "m*sqrt(a)*max(eps[i]*sqrt(eps[i]))"),
]


@pytest.mark.parametrize("place", range(len(SHORT)))
def test_shorter_forms(place):
    e, where, text = SHORT[place]
    equal = equal_to_shorter(e, where)
    assert equal.right.text() == text
    assert equal.there.statement == k.BoundLeq(equal.left, equal.right, equal.there.statement.where)
    assert (equal.back.statement.left, equal.back.statement.right) == (equal.right, equal.left)
    assert equal_to_shorter(equal.right, where).right == equal.right
    if not where:
        assert equal_to_shorter(e, ()).right == equal.right


def test_a_sum_of_nothing_is_the_number_0():
    assert equal_to_shorter(plus(), ()).right == number(0)


def test_random_expressions_keep_their_value_and_are_short_at_once():
    shortened_ones = 0
    for seed in range(300):
        rng = random.Random(seed)
        e = expression(seed)
        sizes = {name: rng.randint(1, 3) for name in "kmw"}
        values = values_of(sizes, lambda rng=rng: Fraction(rng.randint(0, 6), 4))
        found = equal_to_shorter(e, ()).right
        try:
            expected = meaning.value(e, values, sizes)
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        assert meaning.value(found, values, sizes) == pytest.approx(expected, rel=1e-9), seed
        shortened_ones += found != e
    assert shortened_ones > 100


@pytest.mark.parametrize("long", [k.Sqrt(times(A, A)), k.Max((A, A))])
def test_what_stands_beside_something_short_is_shortened(long):
    assert equal_to_shorter(plus(B, long), ()).right.text() == "b + a"
    assert equal_to_shorter(plus(long, B), ()).right.text() == "a + b"


def test_equal_things_follow_each_other():
    one = equal_to_shorter(plus(A, A), ())
    none = equal_to_shorter(one.right, ())
    assert one.then(none) is one
    assert equal_to_shorter(B, ()).then(equal_to_shorter(B, ())).right == B
    other = equal_to_shorter(times(A, number(2)), ())
    back = Equal.by(other.back, other.there)
    assert (one.then(back).left, one.then(back).right) == (plus(A, A), times(A, number(2)))
    assert none.then(back) is back
    with pytest.raises(TypeError, match="no inequality"):
        _ = Equal.by(private(A), private(A)).left


def private(*guarantee, loss=None, notion="pure"):
    databases = k.DatabaseClass("D", "{}", ())
    between = loss or k.Neighbouring(k.NamedRelation("G", "{}"), databases, guarantee)
    return k.given(k.Private(k.NamedMechanism("M", databases, ()), notion, between, ()))


def test_guarantees_are_shortened():
    """Each parameter; what is short, and what is not a guarantee between neighbours, stays."""
    pair = shortened(private(A, plus(B, B), notion="approximate"))
    assert [e.text() for e in pair.statement.loss.guarantee] == ["a", "2*b"]
    for theorem in (private(A), k.bounded_polynomial(A, plus(A, A), ())):
        assert shortened(theorem) is theorem
    metric = k.CanonicalMetric(k.NamedRelation("G", "{}"), k.DatabaseClass("D", "{}", ()))
    far = private(loss=k.At((plus(A, A),), metric))
    assert shortened(far) is far
