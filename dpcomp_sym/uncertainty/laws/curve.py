"""How much privacy is lost, exactly: the curve of δ over e^ε between two laws of an output."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate
from typing import Any

__all__ = ["DeltaCurve", "ExactNumber", "worst_delta", "worst_factor"]

ExactNumber = Any
"""A probability: a Fraction, or an element of a field of rational functions in parameters."""


class DeltaCurve:
    """The least δ for every factor x = e^ε, of a pair of laws P (given a) and Q (given b).

    δ(x) = Σ max(0, P(o) − x Q(o)) = E over o ∼ P of max(0, 1 − e^(ε − L(o))), where L(o) =
    ln P(o)/Q(o).  Outcomes that are impossible under a do not count; what is possible under a
    and impossible under b has L = ∞.  Everything is exact; the curve is convex, falls, and is
    linear between the values of e^L.

    Args:
        pairs: (P(o), Q(o)) for each outcome, as fractions or integers in a common unit.
        whole: the unit: the sum of all P(o).
        falling: whether the outcomes are known to come with falling P(o)/Q(o).

    Source: D. Desfontaines, thesis, section 3.2 (the privacy-loss random variable).

    >>> curve = DeltaCurve([(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))])
    >>> curve.delta(1), curve.delta(2), curve.factor(0), curve.factor(Fraction(1, 3))
    (Fraction(1, 3), Fraction(0, 1), Fraction(2, 1), Fraction(1, 1))
    """

    def __init__(
        self, pairs: Iterable[tuple[Any, Any]], whole: int = 1, *, falling: bool = False
    ) -> None:
        integers, unit = _integers([(p, q) for p, q in pairs if p != 0])
        ordered = integers if falling else _by_loss(integers)
        self.whole = unit * whole
        self._impossible = sum(q == 0 for _, q in ordered)
        self._pairs = ordered
        self._first = [0, *accumulate(p for p, _ in ordered)]
        self._second = [0, *accumulate(q for _, q in ordered)]

    def delta(self, factor: Fraction | int) -> Fraction:
        """Return the least δ at e^ε = ``factor``."""
        excess, unit = self._excess(factor)
        return Fraction(excess, unit)

    def near(self, factor: Fraction | int) -> float:
        """Return δ at e^ε = ``factor`` as a float, quickly; for drawings."""
        excess, unit = self._excess(factor)
        return excess / unit

    def _excess(self, factor: Fraction | int) -> tuple[int, int]:
        up, down = Fraction(factor).as_integer_ratio()
        lost = self._lost(up, down)
        return self._first[lost] * down - up * self._second[lost], down * self.whole

    def _lost(self, up: int, down: int) -> int:
        """Return how many outcomes lose more than a factor; they stand first."""
        return bisect_left(self._pairs, 1, key=lambda pq: int(pq[0] * down <= up * pq[1]))

    def factor(self, delta: Fraction | int) -> Fraction | None:
        """Return the least e^ε ≥ 1 at which δ suffices; None where no finite one does.

        At δ = 0 this is e^ε of pure privacy in this direction.
        """
        up, down = Fraction(delta).as_integer_ratio()
        if self._first[self._impossible] * down > up * self.whole:
            return None

        def too_much(k: int) -> bool:  # is δ at the k-th value of e^L more than allowed?
            p, q = self._pairs[k]
            excess = self._first[k] * q - p * self._second[k]
            return excess * down > up * self.whole * q

        low, high = self._impossible, len(self._pairs)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if too_much(middle) else (middle + 1, high)
        if self._second[low] == 0:
            return Fraction(1)
        excess = self._first[low] * down - up * self.whole
        return max(Fraction(1), Fraction(excess, down * self._second[low]))

    def event(self, factor: Fraction | int) -> tuple[int, Fraction, Fraction]:
        """Return the event of all outcomes that lose more than ``factor``.

        They are the first so many in the order of falling loss; with that number come the
        probabilities of the event under both laws.
        """
        lost = self._lost(*Fraction(factor).as_integer_ratio())
        first, second = self._first[lost], self._second[lost]
        return lost, Fraction(first, self.whole), Fraction(second, self.whole)

    @property
    def impossible(self) -> Fraction:
        """The probability, given a, of what cannot happen given b: δ can never be less."""
        return Fraction(self._first[self._impossible], self.whole)


def worst_delta(curves: Sequence[DeltaCurve], factor: Fraction | int) -> Fraction:
    """Return the largest δ of several curves at e^ε = ``factor``."""
    return max((c.delta(factor) for c in curves), default=Fraction(0))


def worst_factor(curves: Sequence[DeltaCurve], delta: Fraction | int) -> Fraction | None:
    """Return the largest e^ε of several curves at δ; None for infinity."""
    found = [c.factor(delta) for c in curves]
    finite = [f for f in found if f is not None]
    return None if len(finite) < len(found) else max(finite, default=Fraction(1))


def _integers(pairs: Sequence[tuple[Any, Any]]) -> tuple[list[tuple[int, int]], int]:
    if all(type(p) is int and type(q) is int for p, q in pairs):
        return list(pairs), 1
    fractions = [(Fraction(p), Fraction(q)) for p, q in pairs]
    unit = math.lcm(*(x.denominator for pq in fractions for x in pq))
    return [(int(p * unit), int(q * unit)) for p, q in fractions], unit


def _by_loss(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort by P/Q, the largest first.

    Logarithms in floating point decide where they are certain to; integers decide the rest.
    """

    def noted(pair: tuple[int, int]) -> tuple[float, float, tuple[int, int]]:
        p, q = pair
        if q == 0:
            return math.inf, 0.0, pair
        up, down = math.log(p), math.log(q)
        return up - down, 1e-12 * (up + down + 1), pair

    def compare(x: Any, y: Any) -> int:
        gap: float = y[0] - x[0]
        if math.isfinite(gap) and abs(gap) <= x[1] + y[1]:
            (p, q), (r, s) = x[2], y[2]
            return int(r * q > p * s) - int(r * q < p * s)
        return int(y[0] > x[0]) - int(y[0] < x[0])

    return [pair for *_, pair in sorted(map(noted, pairs), key=cmp_to_key(compare))]
