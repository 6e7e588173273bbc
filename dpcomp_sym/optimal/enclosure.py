"""Real numbers between two others: rigorous arithmetic for e^x, ln and roots of rationals.

An :class:`Enclosure` is an interval whose ends are multiples of 2^-256.  Every operation rounds
the lower end down and the upper end up, so the true value never leaves it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Final, TypeVar

__all__ = ["BITS", "Enclosure", "N", "exp", "larger", "log", "smaller", "sqrt"]

BITS: Final = 256
_ONE: Final = 1 << BITS


def _down(x: Fraction | int) -> int:
    return (x.numerator << BITS) // x.denominator


def _up(x: Fraction | int) -> int:
    return -((-x.numerator << BITS) // x.denominator)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number between ``low`` and ``high``, both in units of 2^-256.

    >>> third = Enclosure.of(Fraction(1, 3))
    >>> third.lower < Fraction(1, 3) < third.upper
    True
    >>> (third + third + third).certainly_below(Fraction(11, 10))
    True
    """

    low: int
    high: int

    @classmethod
    def of(cls, x: Fraction | int) -> Enclosure:
        """Return the tightest enclosure of a rational number."""
        return cls(_down(x), _up(x))

    @property
    def lower(self) -> Fraction:
        """The lower end."""
        return Fraction(self.low, _ONE)

    @property
    def upper(self) -> Fraction:
        """The upper end."""
        return Fraction(self.high, _ONE)

    def certainly_below(self, x: Fraction | int) -> bool:
        """Return whether the number is less than ``x``, whatever it is."""
        return self.upper < x

    def certainly_above(self, x: Fraction | int) -> bool:
        """Return whether the number is greater than ``x``, whatever it is."""
        return self.lower > x

    def __add__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the sum."""
        b = _enclosed(other)
        return Enclosure(self.low + b.low, self.high + b.high)

    __radd__ = __add__

    def __neg__(self) -> Enclosure:
        """Return the negative."""
        return Enclosure(-self.high, -self.low)

    def __sub__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the difference."""
        return self + (-_enclosed(other))

    def __rsub__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the difference, the other way round."""
        return _enclosed(other) - self

    def __mul__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the product."""
        b = _enclosed(other)
        ends = (self.low * b.low, self.low * b.high, self.high * b.low, self.high * b.high)
        return Enclosure(min(ends) >> BITS, -(-max(ends) >> BITS))

    __rmul__ = __mul__

    def __truediv__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the quotient by a positive number.

        Raises:
            ZeroDivisionError: the divisor may be 0 or less.
        """
        b = _enclosed(other)
        if b.low <= 0:
            raise ZeroDivisionError("division by what may be zero")
        low = self.low << BITS
        high = self.high << BITS
        return Enclosure(
            min(low // b.low, low // b.high), max(-(-high // b.low), -(-high // b.high))
        )

    def __rtruediv__(self, other: Enclosure | Fraction | int) -> Enclosure:
        """Return the quotient, the other way round."""
        return _enclosed(other) / self

    def __float__(self) -> float:
        """Return a float near the number, for display."""
        return float((self.lower + self.upper) / 2)


def _enclosed(x: Enclosure | Fraction | int) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure.of(x)


def near(x: Fraction) -> float | int:
    """Return a float near a number, for display; where there is none as large, an integer.

    >>> near(Fraction(1, 4)), near(Fraction(10) ** 400) == 10**400
    (0.25, True)
    """
    try:
        return float(x)
    except OverflowError:
        return round(x)


def above(x: Fraction) -> float | int:
    """Return a number like :func:`near` that is not less.

    >>> above(Fraction(1, 3)) >= Fraction(1, 3), above(Fraction(1, 4))
    (True, 0.25)
    """
    found = near(x)
    if found >= x:
        return found
    following = math.nextafter(found, math.inf) if isinstance(found, float) else math.inf
    return math.ceil(x) if math.isinf(following) else following


def below(x: Fraction) -> float | int:
    """Return a number like :func:`near` that is not more.

    >>> below(Fraction(1, 3)) <= Fraction(1, 3), below(Fraction(1, 4))
    (True, 0.25)
    """
    return -above(-x)


N = TypeVar("N", Fraction, Enclosure)
"""What formulas about pairs compute with: exact where e^ε is rational, enclosed otherwise."""


def larger(a: N, b: N) -> N:
    """Return the larger of two numbers; which one it is need not be known.

    >>> larger(Fraction(1), Fraction(2))
    Fraction(2, 1)
    """
    if isinstance(a, Enclosure):
        return Enclosure(max(a.low, b.low), max(a.high, b.high))
    return max(a, b)


def smaller(a: N, b: N) -> N:
    """Return the smaller of two numbers; which one it is need not be known.

    >>> smaller(Fraction(1), Fraction(2))
    Fraction(1, 1)
    """
    if isinstance(a, Enclosure):
        return Enclosure(min(a.low, b.low), min(a.high, b.high))
    return min(a, b)


@lru_cache(maxsize=4096)
def exp(x: Fraction) -> Enclosure:
    """Return e^x, from the series of e^(x/2^n), squared n times.

    The series is cut where the next term is small; the rest is less than twice that term,
    because each term is less than half the one before it.

    >>> e = exp(Fraction(1))
    >>> e.certainly_above(Fraction(271828, 100000)), e.certainly_below(Fraction(271829, 100000))
    (True, True)
    """
    halvings = max(0, (abs(x.numerator) // x.denominator).bit_length() + 8)
    y = Enclosure.of(x / 2**halvings)
    term = total = Enclosure.of(1)
    n = 0
    while max(abs(term.low), abs(term.high)) > 1:
        n += 1
        term = term * y / n
        total += term
    rest = 2 * max(abs(term.low), abs(term.high))
    total = Enclosure(total.low - rest, total.high + rest) if x else total
    for _ in range(halvings if x else 0):
        total = total * total
    return Enclosure(max(total.low, 0), total.high)


def _atanh(z: Enclosure) -> Enclosure:
    """Return artanh z for |z| <= 1/3; a term of its series is at most 1/9 of the one before."""
    power = total = z
    n = 1
    while max(abs(power.low), abs(power.high)) > 1:
        n += 2
        power = power * z * z
        total += power / n
    rest = 2 * max(abs(power.low), abs(power.high))
    return Enclosure(total.low - rest, total.high + rest)


@lru_cache(maxsize=1)
def _log2() -> Enclosure:
    return 2 * _atanh(Enclosure.of(Fraction(1, 3)))


def log(x: Enclosure | Fraction) -> Enclosure:
    """Return the natural logarithm of a positive number.

    Raises:
        ValueError: the number may be 0 or less.

    >>> log(exp(Fraction(3))).certainly_above(Fraction(299999, 100000))
    True
    """
    if isinstance(x, Enclosure):
        return Enclosure(log(x.lower).low, log(x.upper).high)
    if x <= 0:
        raise ValueError("the logarithm of a number that may be zero")
    twos = x.numerator.bit_length() - x.denominator.bit_length()
    mantissa = x / Fraction(2) ** twos  # between 1/2 and 2
    if mantissa > Fraction(4, 3):
        mantissa, twos = mantissa / 2, twos + 1
    z = Enclosure.of((mantissa - 1) / (mantissa + 1))
    return 2 * _atanh(z) + _log2() * twos


def sqrt(x: Enclosure) -> Enclosure:
    """Return the square root of a number that is not negative.

    >>> sqrt(Enclosure.of(4)).lower, sqrt(Enclosure.of(2)).certainly_below(Fraction(3, 2))
    (Fraction(2, 1), True)
    """
    return Enclosure(isqrt(max(x.low, 0) << BITS), isqrt(max(x.high, 0) << BITS) + 1)
