"""Losses that add up, composed better than by sums: worst steps, Rényi orders, and buckets.

The loss of several outputs is the sum of their losses and dependencies.  Three ways to use that:

* *worst steps*: if the loss and the dependency of each mechanism are bounded both ways, so is its
  loss given all earlier outputs, and the whole loses at most what independent randomized responses
  with these bounds lose (the optimal form of advanced composition);
* *Rényi orders*: E e^((α−1)L) over P is bounded by moments of the single losses;
* *buckets*: losses rounded up to multiples of ln(base), whose laws are convolved.

Everything is exact, or rounded to the safe side.

Source: D. Desfontaines, thesis, section 3.2.4, after Theorem 6; P. Kairouz, S. Oh, P. Viswanath,
The composition theorem for differential privacy; C. Canonne, G. Kamath, T. Steinke, The discrete
Gaussian for differential privacy, Proposition 12; S. Meiser, E. Mohammadi, Tight on budget?
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

from dpcomp_sym import balls
from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve
from dpcomp_sym.uncertainty.laws.worlds import AttackCase, NumberPair

__all__ = [
    "Buckets",
    "advanced_epsilon",
    "bucket_curve",
    "buckets",
    "dependent_moment",
    "moment",
    "renyi_delta",
    "step_factor",
    "worst_steps",
]

Buckets = dict[int | None, Fraction]
"""Probabilities under a by loss, in units of ln(base); None is the infinite loss."""
_BITS = 256


# ------------------------------------------------------------------ worst steps


def step_factor(case: AttackCase, j: int) -> Fraction | None:
    """Return e^ε that bounds the loss of mechanism j given the outputs before it, both ways.

    Earlier outputs that are impossible given a, or given b, do not count: there the loss of an
    earlier mechanism is infinite.  None is infinity.

    >>> third = Fraction(1, 3)
    >>> first = {(0, 0): third, (0, 1): third, (1, 0): third}
    >>> second = {(0, 0): third, (0, 1): third / 2, (1, 0): third * 3 / 2}
    >>> case = AttackCase("t", (0, 1), None, 1, first, second)
    >>> step_factor(case, 0), step_factor(case, 1)
    (Fraction(3, 2), Fraction(3, 2))
    """
    (now, other), (before, past) = (case.marginals(range(n)) for n in (j + 1, j))
    worst = Fraction(1)
    for o in {*now, *other}:
        earlier = o[:j]
        if earlier not in before or earlier not in past:
            continue
        if o not in now or o not in other:
            return None
        ratio = Fraction(now[o] * past[earlier] / (before[earlier] * other[o]))
        worst = max(worst, ratio, 1 / ratio)
    return worst


def worst_steps(factors: Sequence[Fraction]) -> DeltaCurve:
    """Return the curve of independent randomized responses: step j keeps e^ε = ``factors[j]``.

    Mechanisms whose losses, given all earlier outputs, have these bounds both ways lose no more.

    Raises:
        InputError: a factor is less than 1.

    >>> worst_steps([Fraction(2), Fraction(2)]).delta(2)
    Fraction(2, 9)
    """
    laws: dict[Fraction, Fraction] = {Fraction(1): Fraction(1)}
    for factor in factors:
        if factor < 1:
            raise InputError(f"e^eps is at least 1, not {factor}", word=str(factor))
        after: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (ratio, p), step in product(laws.items(), (factor, 1 / factor)):
            after[ratio * step] += p * step / (1 + step)
        laws = after
    return DeltaCurve((p, p / ratio) for ratio, p in laws.items())


def advanced_epsilon(factors: Sequence[Fraction], delta: Fraction) -> Fraction:
    """Return an ε of such steps at δ by a closed formula, rounded up.

    That is Σ ε_j tanh(ε_j/2) + √(2 ln(1/δ) Σ ε_j²), or Σ ε_j if this is less.

    Raises:
        InputError: a factor is less than 1, or δ is not between 0 and 1.

    >>> round(float(advanced_epsilon([Fraction(11, 10)] * 100, Fraction(1, 10**6))), 4)
    5.4639
    """
    if not 0 < delta < 1:
        raise InputError(f"delta is {delta}, but must be between 0 and 1", word="delta")
    if any(factor < 1 for factor in factors):
        raise InputError(f"e^eps is at least 1, not {min(factors)}", word=str(min(factors)))
    epsilons = [balls.log(factor).upper if factor > 1 else Fraction(0) for factor in factors]
    means = (
        eps * (factor - 1) / (factor + 1) for eps, factor in zip(epsilons, factors, strict=True)
    )
    spread = 2 * balls.log(1 / delta).upper * sum(eps**2 for eps in epsilons)
    better = sum(means, Fraction(0)) + balls.sqrt(balls.Ball.of(spread)).upper
    return min(sum(epsilons, Fraction(0)), better)


# ------------------------------------------------------------------ Rényi orders


def moment(pairs: Iterable[NumberPair], order: int) -> Fraction | None:
    """Return Σ P^α Q^(1−α) = E e^((α−1)L) given a, α = ``order``; None for infinity.

    Raises:
        InputError: the order is less than 2.

    >>> response = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    >>> moment(response, 2)
    Fraction(3, 2)
    """
    _see_order(order)
    total = Fraction(0)
    for p, q in pairs:
        if p and not q:
            return None
        if p:
            total += Fraction(p) ** order / Fraction(q) ** (order - 1)
    return total


def dependent_moment(
    first: Fraction, second: Fraction, dependency: Fraction, order: int
) -> Fraction:
    """Return a bound of the moment of two mechanisms at ``order`` α, rounded up.

    Args:
        first: the moment of the first mechanism at the order 2α − 1.
        second: that of the second one.
        dependency: e^ε that the dependency never exceeds.
        order: α.

    It is e^((α−1)ε) times the root of the product of the moments, by the inequality of Cauchy and
    Schwarz: D_α of both is at most ε plus the D_(2α−1) of each.

    Raises:
        InputError: the order is less than 2.

    >>> dependent_moment(Fraction(4), Fraction(9), Fraction(2), 2) - 12 < Fraction(1, 10**9)
    True
    """
    _see_order(order)
    square = first * second
    scaled = square.numerator * (1 << 2 * _BITS) // square.denominator + 1
    return dependency ** (order - 1) * Fraction(math.isqrt(scaled) + 1, 1 << _BITS)


def renyi_delta(bound: Fraction, order: int, factor: Fraction | int) -> Fraction:
    """Return a δ at e^ε = ``factor`` from a bound of the moment at ``order`` α.

    It is e^(−(α−1)ε) (1 − 1/α)^α/(α − 1) times the bound, the best that one order gives.

    Raises:
        InputError: the order is less than 2.

    >>> renyi_delta(Fraction(3, 2), 2, 2)
    Fraction(3, 16)
    """
    _see_order(order)
    best = Fraction((order - 1) ** order, order**order * (order - 1))
    return min(Fraction(1), best * bound / Fraction(factor) ** (order - 1))


def _see_order(order: int) -> None:
    if order < 2:
        raise InputError(f"an order is a whole number from 2 on, not {order}", word=str(order))


# ------------------------------------------------------------------ buckets


def buckets(pairs: Iterable[NumberPair], base: Fraction) -> Buckets:
    """Return the law of a loss given a, rounded up to multiples of ln(``base``).

    Raises:
        InputError: the base is not above 1.

    >>> response = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    >>> buckets(response, Fraction(3, 2))
    {2: Fraction(2, 3), -1: Fraction(1, 3)}
    """
    if base <= 1:
        raise InputError(f"the base of buckets is more than 1, not {base}", word=str(base))
    found: Buckets = defaultdict(Fraction)
    for p, q in pairs:
        if p:
            found[_rounded_up(Fraction(p) / q, base) if q else None] += p
    return dict(found)


def bucket_curve(laws: Sequence[Buckets], base: Fraction) -> DeltaCurve:
    """Return the curve of k outputs that are independent given a, and given b, from buckets.

    It is never below the exact one, and at e^ε never above the exact one at e^ε/base^k.

    >>> response = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    >>> coarse, fine = Fraction(3, 2), Fraction(2)
    >>> [bucket_curve([buckets(response, b)] * 2, b).delta(2) for b in (coarse, fine)]
    [Fraction(196, 729), Fraction(2, 9)]
    """
    together: Buckets = {0: Fraction(1)}
    for law in laws:
        after: Buckets = defaultdict(Fraction)
        for (n, p), (m, r) in product(together.items(), law.items()):
            after[None if n is None or m is None else n + m] += p * r
        together = after
    return DeltaCurve((p, 0 if n is None else p / base**n) for n, p in together.items())


def _rounded_up(ratio: Fraction, base: Fraction) -> int:
    """Return the least n with ratio ≤ base^n; logarithms are only a first guess."""
    n = round((balls.near(balls.log(ratio).upper)) / math.log(base))
    while base**n < ratio:
        n += 1
    while base ** (n - 1) >= ratio:
        n -= 1
    return n
