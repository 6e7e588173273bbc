"""Points of curves, rounded up: an ε at a δ or a δ at an ε, certainly not too small.

A mechanism with Rényi divergence d at an order α > 1 is (ε, δ)-DP for ε = d + ln(1 - 1/α) -
ln(αδ)/(α - 1) (Canonne, Kamath, Steinke 2020, Proposition 12).  A μ-GDP mechanism is (ε, δ)-DP
exactly for δ ≥ Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2) (Dong, Roth, Su 2022, Corollary 2.13).  Floats
find an order or an ε; at it, balls give the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpcomp_sym import balls
from dpcomp_sym.balls import Ball

__all__ = [
    "concentrated_delta",
    "concentrated_epsilon",
    "epsilon_at_order",
    "gaussian_delta",
    "gaussian_epsilon",
]


def concentrated_epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    """Return an ε for which ρ-zCDP is (ε, δ)-DP: the least at the best order, rounded up.

    >>> float(concentrated_epsilon(Fraction(1, 2), Fraction(1, 100_000))) < 4.7285
    True
    """
    if rho == 0:
        return Fraction(0)

    logarithm = float(balls.log(delta))

    def near(order: float) -> float:
        gain = math.log1p(-1 / order) - (math.log(order) + logarithm) / (order - 1)
        return order * float(rho) + gain

    order = _best(near)
    return epsilon_at_order(Ball.of(order * rho), order, delta)


def epsilon_at_order(divergence: Ball, order: Fraction, delta: Fraction) -> Fraction:
    """Return an ε at a δ from the Rényi divergence at one order, rounded up.

    >>> float(epsilon_at_order(Ball.of(1), Fraction(2), Fraction(1, 100))) < 4.22
    True
    """
    slack = balls.log(order * delta) / (order - 1)
    return max((divergence + balls.log(1 - 1 / order) - slack).upper, Fraction(0))


def concentrated_delta(rho: Fraction, eps: Fraction) -> Fraction:
    """Return a δ for which ρ-zCDP is (ε, δ)-DP: the least at the best order, rounded up.

    >>> float(concentrated_delta(Fraction(1, 2), Fraction(5))) < 4e-6
    True
    """
    if rho == 0:
        return Fraction(0)

    def near(order: float) -> float:
        exponent = order * float(rho) - float(eps) + math.log1p(-1 / order)
        return (order - 1) * exponent - math.log(order)

    order = _best(near)
    exponent = order * rho - eps + balls.log(1 - 1 / order)
    logarithm = (exponent * (order - 1) - balls.log(order)).upper
    return min(balls.exp(logarithm).upper, Fraction(1))


def _best(near: Callable[[float], float]) -> Fraction:
    """Return an order at which a function is about least."""
    low, high = -9.0, 12.0
    for _ in range(100):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if near(1 + math.exp(a)) <= near(1 + math.exp(b)):
            high = b
        else:
            low = a
    return 1 + Fraction(math.exp((low + high) / 2)).limit_denominator(10_000)


def gaussian_delta(mu: Fraction, eps: Fraction) -> Fraction:
    """Return the smallest δ for which μ-GDP implies (ε, δ)-DP, rounded up.

    >>> round(float(gaussian_delta(Fraction(1), Fraction(1))), 6)
    0.126937
    """
    if mu == 0:
        return Fraction(0)
    near, far = (balls.normal_tail(Ball.of(eps / mu + x)) for x in (-mu / 2, mu / 2))
    return min((near - balls.exp(eps) * far).upper, Fraction(1))


def gaussian_epsilon(mu: Fraction, delta: Fraction) -> Fraction:
    """Return an ε for which μ-GDP implies (ε, δ)-DP: the smallest one, rounded up.

    The inverse of :func:`gaussian_delta`, by bisection, to 2^-40 of its size.

    >>> round(float(gaussian_epsilon(Fraction(1), Fraction(126937, 10**6))), 4)
    1.0
    """
    if gaussian_delta(mu, Fraction(0)) <= delta:
        return Fraction(0)
    low, high = Fraction(0), Fraction(1)
    while gaussian_delta(mu, high) > delta:
        low, high = high, 2 * high
    while high - low > high / 2**40:
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(mu, middle) > delta else (low, middle)
    return high
