"""Numbers show that an expression is not always at most another, and never where one proves it."""

from __future__ import annotations

import random
from fractions import Fraction

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.order import at_most
from dpcomp_sym.numbers.sampled import sometimes_larger

EPS = k.BlockEntry("eps", ("k",))
RHO = k.BlockEntry("rho", ("k",))


def number(n):
    return k.Num(Fraction(n))


def choice(rng):
    """A worst choice of blocks, some with one factor and some with another."""
    groups = tuple(
        k.Choice(
            rng.choice([number(1), number(2), k.Size("r"), k.Inf()]),
            k.Product((number(rng.randint(1, 3)), rng.choice([EPS, EPS, RHO]))),
        )
        for _ in range(rng.randint(1, 2))
    )
    return k.Worst(("k",), groups)


def test_what_is_proved_is_never_said_to_fail():
    rng = random.Random(3)
    proved = larger = 0
    while proved < 8:
        left, right = choice(rng), choice(rng)
        failing = sometimes_larger(left, right, ())
        larger += failing
        if not failing or larger % 20 == 0:  # to look in vain for a proof takes long
            known = at_most(left, right, ()) is not None
            assert not (failing and known), (left.text(), right.text())
            proved += known
    assert larger > 12


def test_sizes_stay_in_their_ranges():
    few = k.Worst(("k",), (k.Choice(number(2), EPS),))
    most = k.Worst(("k",), (k.Choice(k.Size("r"), EPS),))
    assert sometimes_larger(few, most, ())  # r may be 1
    for high in (None, 2, 1000):
        assert not sometimes_larger(few, most, (k.SizeRange("r", 2, high),))
    assert not sometimes_larger(most, few, (k.SizeRange("r", 1, 2),))
    assert sometimes_larger(most, few, (k.SizeRange("r", 1, 3),))


def test_few_blocks_are_tried():
    one, two = (k.Worst(("k",), (k.Choice(number(n), EPS),)) for n in (1, 2))
    assert sometimes_larger(two, one, (k.SizeRange("k", 60, 60),))
    assert not sometimes_larger(two, one, (k.SizeRange("k", 61, 61),))
    other = k.Worst(("m",), (k.Choice(number(1), k.BlockEntry("mu", ("m",))),))
    most = k.Sum((two, other))
    assert sometimes_larger(most, one, ())
    assert not sometimes_larger(most, one, (k.SizeRange("k", 61, 61),))


def test_what_has_no_value_is_not_larger():
    assert not sometimes_larger(EPS, number(0), ())
    assert sometimes_larger(k.Inf(), k.Param("mu"), ())
    assert not sometimes_larger(k.Param("mu"), k.Inf(), ())


def test_roots_are_compared():
    square = k.Product((k.Param("mu"), k.Param("mu")))
    assert not sometimes_larger(k.Sqrt(square), k.Param("mu"), ())
    assert sometimes_larger(k.Sqrt(k.Product((number(2), square))), k.Param("mu"), ())
    assert not sometimes_larger(k.Apply("growth", (EPS, number(2))), k.Param("mu"), ())
    assert not sometimes_larger(k.Apply("growth", (number(2), number(2))), k.Param("mu"), ())


def test_sums_of_roots_that_are_equal_are_not_told_apart_by_floats():
    one, twice = k.Sqrt(k.Param("mu")), k.Sqrt(k.Product((number(4), k.Param("mu"))))
    assert not sometimes_larger(k.Sum((one, one)), twice, ())
    assert not sometimes_larger(twice, k.Sum((one, one)), ())
