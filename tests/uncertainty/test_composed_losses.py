"""Losses composed by worst steps, Rényi orders and buckets, against exact curves of random laws."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.accounting import (
    advanced_epsilon,
    bucket_curve,
    buckets,
    dependent_moment,
    moment,
    renyi_delta,
    step_factor,
    worst_steps,
)
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve
from dpcomp_sym.uncertainty.laws.worlds import AttackCase
from theorems import _run, losses
from theorems._entry import status_of
from theorems.counterexamples import not_additive_of_no_dependency as alone

F = Fraction
FACTORS = (F(1), F(5, 4), F(2), F(7, 2))
RESPONSE = [(F(2, 3), F(1, 3)), (F(1, 3), F(2, 3))]


def drawn(random, size, least=1):
    weights = [random.randint(least, 6) for _ in range(size)]
    weights[0] += not sum(weights)
    return [F(w, sum(weights)) for w in weights]


def drawn_case(random, shape=(2, 3, 2)):
    outputs = list(product(*map(range, shape)))
    first, second = (dict(zip(outputs, drawn(random, len(outputs)), strict=True)) for _ in "ab")
    return AttackCase("law", ("a", "b"), None, F(1), first, second)


def test_no_random_law_loses_more_than_its_worst_steps():
    random, close = Random(3), 0
    for _ in range(60):
        case = drawn_case(random)
        factors = [step_factor(case, j) for j in range(3)]
        exact, bound = DeltaCurve(case.loss_pairs(range(3))), worst_steps(factors)
        for x in FACTORS:
            assert exact.delta(x) <= bound.delta(x)
            close += exact.delta(x) > bound.delta(x) / 3
        # A step is the own loss and the dependency together.
        for j in range(3):
            alone_j, dep = case.losses([j]), case.dependencies(j)
            both = {o: alone_j[o[j:]] * dep[o] for o in dep}
            assert factors[j] == max(max(x, 1 / x) for x in both.values())
    assert close > 20


def test_randomized_responses_are_their_own_worst_steps():
    q, outputs = (F(2), F(5, 2)), list(product((0, 1), repeat=2))

    def law(value):
        return {
            o: math.prod((x if b == value else F(1)) / (1 + x) for x, b in zip(q, o, strict=True))
            for o in outputs
        }

    case = AttackCase("law", (0, 1), None, F(1), law(0), law(1))
    assert [step_factor(case, j) for j in (0, 1)] == list(q)
    exact = DeltaCurve(case.loss_pairs([0, 1]))
    assert all(exact.delta(x) == worst_steps(q).delta(x) for x in FACTORS)


def test_what_is_possible_on_one_side_alone_has_no_finite_step():
    first, second = {(0, 0): F(1, 2), (0, 1): F(1, 2)}, {(0, 0): F(1)}
    for one, other in ((first, second), (second, first)):
        case = AttackCase("law", (0, 1), None, F(1), one, other)
        assert (step_factor(case, 0), step_factor(case, 1)) == (F(1), None)
    # The first output already tells all; nothing is counted twice.
    case = AttackCase("law", (0, 1), None, F(1), {(0, 0): F(1)}, {(1, 0): F(1)})
    assert (step_factor(case, 0), step_factor(case, 1)) == (None, F(1))


@pytest.mark.parametrize("count", [1, 5, 60])
@pytest.mark.parametrize("delta", [F(9, 10), F(1, 100), F(1, 10**9)])
def test_the_closed_formula_is_a_bound_and_no_more_than_the_sum(count, delta):
    factors = [F(6, 5)] * count
    found = advanced_epsilon(factors, delta)
    eps = math.log(1.2)
    wanted = count * eps * math.tanh(eps / 2) + math.sqrt(2 * math.log(1 / delta) * count) * eps
    assert float(found) == pytest.approx(min(count * eps, wanted))
    assert float(found) >= min(count * eps, wanted) * (1 - 1e-15)
    below = F(math.exp(found)) * (1 - F(1, 10**9))
    assert worst_steps(factors).delta(below) <= delta * (1 + F(1, 10**3))
    assert advanced_epsilon([F(1)] * count, delta) == 0


@pytest.mark.parametrize("order", [2, 3, 5])
def test_moments_bound_the_curve_and_each_other(order):
    random, close = Random(order), 0
    for _ in range(60):
        case = drawn_case(random, (2, 3))
        both = moment(case.loss_pairs([0, 1]), order)
        own = [moment(case.loss_pairs([j]), 2 * order - 1) for j in (0, 1)]
        bound = dependent_moment(*own, max(case.dependencies(1).values()), order)
        assert both <= bound
        exact = DeltaCurve(case.loss_pairs([0, 1]))
        for x in FACTORS:
            assert exact.delta(x) <= renyi_delta(both, order, x) <= renyi_delta(bound, order, x)
            close += exact.delta(x) > renyi_delta(both, order, x) / 2
        assert moment([(p, p) for p in case.first.values()], order) == 1
    assert close > 5
    one, other = ([*zip(drawn(random, 3), drawn(random, 3), strict=True)] for _ in "12")
    joint = [(p * r, q * s) for (p, q), (r, s) in product(one, other)]
    assert moment(joint, order) == moment(one, order) * moment(other, order)


def test_moments_at_the_border():
    assert moment([(F(1, 2), F(1)), (F(1, 2), F(0))], 2) is None
    assert moment([(F(0), F(1, 2)), (F(1), F(1, 2))], 2) == 2
    assert renyi_delta(F(10**9), 2, 1) == 1
    assert 0 <= dependent_moment(F(4), F(9), F(1), 7) - 6 < F(1, 10**70)


@pytest.mark.parametrize("base", [F(11, 10), F(3, 2), F(5)])
def test_buckets_enclose_the_exact_curve(base):
    random, apart = Random(4), 0
    for _ in range(40):
        laws = [list(zip(drawn(random, 3, 0), drawn(random, 3, 0), strict=True)) for _ in range(3)]
        exact = DeltaCurve(
            (math.prod(p for p, _ in chosen), math.prod(q for _, q in chosen))
            for chosen in product(*laws)
        )
        found = bucket_curve([buckets(pairs, base) for pairs in laws], base)
        for x in FACTORS:
            assert exact.delta(x) <= found.delta(x) <= exact.delta(x / base**3)
            apart += exact.delta(x) < found.delta(x)
        assert found.impossible == exact.impossible
    assert apart > 20


def test_losses_at_the_edge_of_a_bucket():
    assert buckets(RESPONSE, F(2)) == {1: F(2, 3), -1: F(1, 3)}
    assert buckets([(F(1), F(1))], F(2)) == {0: F(1)}
    assert buckets([(F(1, 2), F(0)), (F(1, 2), F(1))], F(2)) == {None: F(1, 2), -1: F(1, 2)}
    tiny = F(1, 10**30)
    assert buckets([(F(1), 1 / (2 + tiny)), (F(0), F(1, 3))], F(2)) == {2: F(1)}
    assert bucket_curve([buckets(RESPONSE, F(2))] * 2, F(2)).delta(2) == F(2, 9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worst_steps([F(1, 2)]), "at least 1, not 1/2"),
        (lambda: advanced_epsilon([F(1, 2)], F(1, 2)), "at least 1, not 1/2"),
        (lambda: advanced_epsilon([F(2)], F(0)), "delta is 0"),
        (lambda: advanced_epsilon([F(2)], F(1)), "delta is 1"),
        (lambda: moment(RESPONSE, 1), "from 2 on, not 1"),
        (lambda: renyi_delta(F(1), 1, 1), "from 2 on, not 1"),
        (lambda: dependent_moment(F(1), F(1), F(1), 0), "from 2 on, not 0"),
        (lambda: buckets(RESPONSE, F(1)), "more than 1, not 1"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_without_dependency_losses_still_depend_on_each_other():
    case = alone._case(alone.DATA)
    assert set(case.dependencies(1).values()) == {1}
    assert moment(case.loss_pairs([0, 1]), 2) == F(41, 27)
    assert moment(case.loss_pairs([0]), 2) == moment(case.loss_pairs([1]), 2) == F(11, 9)
    assert DeltaCurve(case.loss_pairs([0, 1])).delta(3) == F(1, 24)
    # What is stated for dependent mechanisms holds: twice the order, and worst steps.
    own = [moment(case.loss_pairs([j]), 3) for j in (0, 1)]
    assert F(41, 27) <= dependent_moment(*own, F(1), 2)
    steps = [step_factor(case, j) for j in (0, 1)]
    assert worst_steps(steps).delta(3) >= F(1, 24)


@pytest.mark.parametrize(
    "change",
    [
        {"order": 1}, {"e^eps": F(5)},
        {"given b": dict.fromkeys(alone.DATA["given a"], F(1, 5))},
        {"given a": {**alone.DATA["given a"], (1, 1): F(1, 2)}},
    ],
)  # fmt: skip
def test_what_is_changed_refutes_no_more(change):
    data = dict(alone.DATA) | change
    if change == {"order": 1}:
        with pytest.raises(InputError):
            alone.fails_to_add_up(data)
        return
    assert not alone.fails_to_convolve(data)


def test_a_count_with_gaussian_noise_is_better_than_the_noise_alone():
    found = _run.select(["Des.limit"])["approximate_of_count_with_gaussian_noise"]
    *proof, figures = found.body()
    assert status_of((*proof, figures)) == found.status == "argued"
    assert figures.check


@pytest.mark.parametrize(("bits", "spread"), [(20, 2), (84, 10)])
def test_with_few_people_or_much_noise_the_bound_holds_and_is_not_the_better_one(bits, spread):
    assert losses.count_with_noise(bits, spread) == (True, False)
