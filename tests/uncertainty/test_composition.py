"""Losses, dependencies and their sum, against the definitions in plain loops."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import plain
import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_delta
from dpcomp_sym.uncertainty.laws.worlds import cases, composed

HALF = Fraction(1, 2)


def test_the_bound_is_never_below_the_exact_loss():
    met = plain.search(400, seed=7)
    assert met["violations"] == 0
    assert met["positive"] > 100
    assert met["less than the bound"] > 100


@pytest.mark.slow
def test_the_bound_is_never_below_the_exact_loss_on_many():
    assert plain.search(10_000)["violations"] == 0


@pytest.mark.parametrize("seed", range(12))
def test_curves_are_the_expectations_of_the_definitions(seed):
    draw = random.Random(seed)
    model = plain.random_model(draw)
    seen = model.composition()
    for factor in (1, Fraction(5, 4), 3):
        for j in range(len(model.tables)):
            assert worst_delta(seen.single_curves[j], factor) == model.delta(factor, (j,))
            whole = tuple(range(j + 1))
            assert worst_delta(seen.joint_curves[j + 1], factor) == model.delta(factor, whole)
            wanted = model.delta(factor, whole, dependency=True)
            assert worst_delta(seen.dependency_curves[j], factor) == wanted


@pytest.mark.parametrize("seed", range(40))
def test_losses_and_dependencies_add_up_at_every_output(seed):
    for case in plain.random_model(random.Random(seed)).composition().found:
        k = case.count
        single = [case.losses([j]) for j in range(k)]
        depends = [case.dependencies(j) for j in range(k)]
        for o, ratio in case.losses(range(k)).items():
            parts = [single[j][o[j : j + 1]] for j in range(k)]
            parts += [depends[j][o[: j + 1]] for j in range(1, k)]
            assert ratio == composed(parts)


@pytest.mark.parametrize("seed", range(30))
def test_the_bound_at_a_delta_is_sound_and_shares_it_out(seed):
    seen = plain.random_model(random.Random(seed)).composition()
    for delta in (Fraction(0), Fraction(1, 10), Fraction(3, 4)):
        bound, shares = seen.bound(len(seen.names), delta)
        exact = seen.together(len(seen.names), delta)
        assert sum(s.delta for s in shares) <= delta
        assert bound is None or (exact is not None and exact <= bound)


@pytest.mark.parametrize("seed", range(30))
def test_a_passive_attacker_is_never_worse_than_an_active_one(seed):
    model = plain.random_model(random.Random(seed))
    model.knows = 1
    sides = []
    for attacker in ("active", "passive"):
        model.attacker = attacker
        sides.append(model.composition().joint_curves[2])
    for factor in plain.FACTORS:
        assert worst_delta(sides[1], factor) <= worst_delta(sides[0], factor)


def test_the_least_factor_is_the_least():
    draw = random.Random(3)
    finite = 0
    for _ in range(300):
        first, second = ([draw.choice((0, 1, 2, 5)) for _ in range(4)] for _ in range(2))
        if not sum(first) or not sum(second):
            continue
        pairs = [
            (Fraction(p, sum(first)), Fraction(q, sum(second)))
            for p, q in zip(first, second, strict=True)
        ]
        curve = DeltaCurve(pairs)
        for delta in (0, Fraction(1, 7), Fraction(2, 3), 1):
            factor = curve.factor(delta)
            if factor is None:
                assert curve.impossible > delta
                continue
            finite += 1
            assert curve.delta(factor) <= delta
            assert factor == 1 or curve.delta(factor * Fraction(999, 1000)) > delta
    assert finite > 100


def test_what_is_nearly_equal_is_ordered_exactly():
    n = 10**40
    pairs = [(n, n), (n + 1, n), (n, n + 1)]
    curve = DeltaCurve(pairs, 3 * n + 1)
    assert curve.factor(0) == Fraction(n + 1, n)
    assert curve.delta(1) == Fraction(1, 3 * n + 1)


def test_yes_votes_with_and_without_one_voter_for_every_probability():
    from sympy import QQ
    from sympy.polys.fields import field

    _, p = field("p", QQ)
    votes = {d: p ** sum(d) * (1 - p) ** (3 - sum(d)) for d in product((0, 1), repeat=3)}
    see = [sum, lambda d: sum(d[1:])]
    for case in cases({"votes": votes}, lambda d: d[0], lambda _: None, see):
        assert all(ratio == 1 for ratio in case.losses([1]).values())
        assert set(case.losses([0, 1]).values()) == {None}
        alone = case.losses([0])
        for o, dependency in case.dependencies(1).items():
            assert dependency == (1 if alone[o[:1]] is None else None)


def test_two_days_of_one_voter_for_every_correlation():
    from sympy import QQ
    from sympy.polys.fields import field

    _, c = field("c", QQ)
    stay, move = (1 + c) / 2, (1 - c) / 2
    law = {
        (x, y, z): (stay if y == x else move) * (stay if z == y else move) / 2
        for x, y, z in product((0, 1), repeat=3)
    }
    see = [lambda d: d[1], lambda d: d[2]]
    first, second = cases({"days": law}, lambda d: d[0], lambda _: None, see)
    assert first.losses([0]) == {(0,): stay / move, (1,): move / stay}
    # The second output is the first one's: given it, nothing new is said of the target.
    for case in (first, second):
        single = case.losses([1])
        for o, dependency in case.dependencies(1).items():
            assert dependency * single[o[1:]] == 1


def test_a_background_that_is_impossible_with_a_value_is_no_case():
    law = {(0, 0): HALF, (1, 0): HALF / 2, (1, 1): HALF / 2}
    found = cases({"law": law}, lambda d: d[0], lambda d: d[1], [lambda d: d[0]])
    assert [(case.values, case.background, case.weight) for case in found] == [
        ((0, 1), 0, 1), ((1, 0), 0, HALF),
    ]  # fmt: skip
    active, passive = (Composition(found, side, ("M",)) for side in ("active", "passive"))
    assert worst_delta(active.joint_curves[1], 100) == 1
    assert worst_delta(passive.joint_curves[1], 100) == 1
    assert (
        DeltaCurve([(HALF * p, HALF * q) for p, q in found[1].loss_pairs([0])]).impossible == HALF
    )


def test_what_is_no_distribution_is_refused():
    with pytest.raises(InputError, match="sum to 1/2, not to 1"):
        cases({"half": {(0,): HALF}}, lambda d: d[0], lambda _: None, [sum])
    with pytest.raises(InputError, match="no mechanism"):
        cases({"one": {(0,): Fraction(1)}}, lambda d: d[0], lambda _: None, [])
