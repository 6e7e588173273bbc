"""What bounds in numbers imply at one δ or at one ε, where their notion has a curve to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from dpcomp_sym import balls
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers import Bound
from dpcomp_sym.numbers.exact import rounded_up
from dpcomp_sym.profile import Infinity

__all__ = ["BoundReading", "readings"]

_LARGEST: Final = Fraction(1000)
"""Larger ρ, μ and ε guarantee nothing of practical use."""


@dataclass(frozen=True, slots=True)
class BoundReading:
    """What a bound implies: ε at a δ (``at`` is "delta"), or δ at an ε; certainly not too small."""

    notion: str
    at: Literal["delta", "epsilon"]
    target: Fraction
    value: Fraction

    def as_json(self) -> dict[str, Any]:
        """Return the reading as plain data; the value is rounded up."""
        return {
            "notion": self.notion,
            "at": self.at,
            "target": balls.near(self.target),
            "value": balls.above(self.value),
            "rigorous": True,
        }


def readings(
    bounds: Sequence[Bound], at_delta: Fraction | None, at_epsilon: Fraction | None
) -> list[BoundReading]:
    """Return what the bounds that are numbers, of notions with a curve, imply at the targets.

    >>> from dpcomp_sym import derive, load_spec
    >>> spec = load_spec("examples/hundred-queries.toml", ["k=100", "rho=1/200"])
    >>> [reading] = readings(spec.derive().bounds, Fraction(1, 10**6), None)
    >>> round(float(reading.value), 4)
    5.2215
    """
    return [
        reading
        for bound in bounds
        if bound.value is not None and not bound.infinite
        for reading in _of(bound, at_delta, at_epsilon)
    ]


def _of(
    bound: Bound, at_delta: Fraction | None, at_epsilon: Fraction | None
) -> Iterator[BoundReading]:
    points, size = NOTIONS[bound.notion].points, bound.value
    if points is None or isinstance(size, tuple | Infinity) or size is None:
        return
    if not 0 <= size <= _LARGEST:
        return
    found = rounded_up(size)
    if at_delta and at_delta <= _LARGEST:
        yield BoundReading(bound.notion, "delta", at_delta, points.epsilon(found, at_delta))
    if at_epsilon is not None and at_epsilon <= _LARGEST:
        yield BoundReading(bound.notion, "epsilon", at_epsilon, points.delta(found, at_epsilon))
