"""What bounds in numbers say at one δ or at one ε: zero-concentrated and Gaussian ones as (ε, δ).

A ρ-zCDP mechanism is (ε, δ)-DP with ε = αρ + ln(1 - 1/α) - ln(αδ)/(α - 1), for every order α > 1
(Canonne, Kamath, Steinke 2020, Proposition 12).  The order is found with floats; at it, the answer
is a rational upper bound.  A μ-GDP mechanism is (ε, δ)-DP exactly for
δ ≥ Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2) (Dong, Roth, Su 2022, Corollary 2.13): floats, with an
error of about 1e-12 of the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, log1p
from typing import Any, Final, Literal

from dpcomp_sym.notions import Bound
from dpcomp_sym.notions.conversions import gaussian_delta, gaussian_epsilon
from dpcomp_sym.optimal import enclosure
from dpcomp_sym.optimal.enclosure import Enclosure
from dpcomp_sym.profile import Infinity

__all__ = [
    "BoundReading",
    "concentrated_delta",
    "concentrated_epsilon",
    "epsilon_at_order",
    "readings",
]

_LARGEST: Final = Fraction(1000)
"""Larger ρ, μ and ε say nothing that anybody would want to know."""


@dataclass(frozen=True, slots=True)
class BoundReading:
    """What a bound says: ε at a δ (``at`` is "delta"), or δ at an ε.

    ``exact``: a rational number that is certainly not too small; else a float.
    """

    notion: str
    at: Literal["delta", "epsilon"]
    target: Fraction
    value: Fraction | float
    exact: bool

    def as_json(self) -> dict[str, Any]:
        """Return the reading as plain data; a rational value is rounded up."""
        value = self.value
        return {
            "notion": self.notion,
            "at": self.at,
            "target": enclosure.near(self.target),
            "value": enclosure.above(value) if isinstance(value, Fraction) else value,
            "rigorous": self.exact,
        }


def readings(
    bounds: Sequence[Bound], at_delta: Fraction | None, at_epsilon: Fraction | None
) -> list[BoundReading]:
    """Return what the zero-concentrated and Gaussian bounds that are numbers say at the targets.

    >>> from dpcomp_sym import derive, load_spec
    >>> spec = load_spec("examples/hundred-queries.toml", ["k=100", "rho=1/200"])
    >>> [reading] = readings(spec.derive().bounds, Fraction(1, 10**6), None)
    >>> round(float(reading.value), 4), reading.exact
    (5.2215, True)
    """
    return [
        reading
        for bound in bounds
        if bound.notion in {"zcdp", "gaussian"} and bound.value is not None and not bound.infinite
        for reading in _of(bound, at_delta, at_epsilon)
    ]


def _of(
    bound: Bound, at_delta: Fraction | None, at_epsilon: Fraction | None
) -> Iterator[BoundReading]:
    size = bound.value
    if isinstance(size, tuple | Infinity) or size is None or not 0 <= size <= _LARGEST:
        return
    rational = isinstance(size, int | Fraction)
    found = Fraction(size) if isinstance(size, int | Fraction) else Fraction(float(size))
    targets: tuple[tuple[Literal["delta", "epsilon"], Fraction | None], ...]
    targets = ("delta", at_delta or None), ("epsilon", at_epsilon)
    for at, target in targets:
        if target is not None and target <= _LARGEST:
            value = _RULES[bound.notion, at](found, target)
            yield BoundReading(bound.notion, at, target, value, rational and bound.notion == "zcdp")


def concentrated_epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    """Return an ε for which ρ-zCDP is (ε, δ)-DP: the least at the best order, rounded up.

    >>> float(concentrated_epsilon(Fraction(1, 2), Fraction(1, 100_000))) < 4.7285
    True
    """
    if rho == 0:
        return Fraction(0)

    logarithm = float(enclosure.log(delta))

    def near(order: float) -> float:
        return order * float(rho) + log1p(-1 / order) - (log(order) + logarithm) / (order - 1)

    order = _best(near)
    return epsilon_at_order(Enclosure.of(order * rho), order, delta)


def epsilon_at_order(divergence: Enclosure, order: Fraction, delta: Fraction) -> Fraction:
    """Return an ε at a δ from the Rényi divergence at one order, rounded up.

    >>> float(epsilon_at_order(Enclosure.of(1), Fraction(2), Fraction(1, 100))) < 4.22
    True
    """
    slack = enclosure.log(order * delta) / (order - 1)
    return max((divergence + enclosure.log(1 - 1 / order) - slack).upper, Fraction(0))


def concentrated_delta(rho: Fraction, eps: Fraction) -> Fraction:
    """Return a δ for which ρ-zCDP is (ε, δ)-DP: the least at the best order, rounded up.

    >>> float(concentrated_delta(Fraction(1, 2), Fraction(5))) < 4e-6
    True
    """
    if rho == 0:
        return Fraction(0)

    def near(order: float) -> float:
        exponent = order * float(rho) - float(eps) + log1p(-1 / order)
        return (order - 1) * exponent - log(order)

    order = _best(near)
    exponent = order * rho - eps + enclosure.log(1 - 1 / order)
    logarithm = (exponent * (order - 1) - enclosure.log(order)).upper
    return min(enclosure.exp(logarithm).upper, Fraction(1))


def _best(near: Callable[[float], float]) -> Fraction:
    """Return an order at which a function is about least."""
    low, high = -9.0, 12.0
    for _ in range(100):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if near(1 + exp(a)) <= near(1 + exp(b)):
            high = b
        else:
            low = a
    return 1 + Fraction(exp((low + high) / 2)).limit_denominator(10_000)


_RULES: Final[dict[tuple[str, str], Callable[[Fraction, Fraction], Fraction | float]]] = {
    ("zcdp", "delta"): concentrated_epsilon,
    ("zcdp", "epsilon"): concentrated_delta,
    ("gaussian", "delta"): gaussian_epsilon,
    ("gaussian", "epsilon"): gaussian_delta,
}
