"""Real numbers between two others: the balls of python-flint, with ends that are fractions.

Every operation keeps the true value inside.  The ends of a ball are rounded outwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from flint import arb

__all__ = [
    "BITS",
    "Ball",
    "N",
    "above",
    "below",
    "exp",
    "larger",
    "log",
    "near",
    "normal_tail",
    "smaller",
    "sqrt",
]

BITS: Final = 256
"""Ends are also asked for in units of 2^-256."""
PRECISION: Final = 384
"""How many bits the middles of balls have."""
FINEST: Final = 1 << 17
"""Ends are multiples of 2^-131072: an exponent can have more digits than memory."""


class Ball:
    """A real number that is not known exactly.

    >>> third = Ball.of(Fraction(1, 3))
    >>> third.lower < Fraction(1, 3) < third.upper
    True
    >>> (third + third + third).upper < Fraction(11, 10)
    True
    """

    __slots__ = ("arb",)

    def __init__(self, arb: arb) -> None:
        """Take a ball of python-flint."""
        self.arb = arb

    @classmethod
    def of(cls, x: Fraction | int) -> Ball:
        """Return a ball around a rational number."""
        from flint import arb, fmpq

        return _at_precision(lambda: arb(fmpq(x.numerator, x.denominator)))

    @property
    def lower(self) -> Fraction:
        """The lower end."""
        return _fraction(_at_precision(self.arb.lower).arb, up=False)

    @property
    def upper(self) -> Fraction:
        """The upper end."""
        return _fraction(_at_precision(self.arb.upper).arb, up=True)

    @property
    def low(self) -> int:
        """The lower end in units of 2^-256, rounded down."""
        return math.floor(self.lower * (1 << BITS))

    @property
    def high(self) -> int:
        """The upper end in units of 2^-256, rounded up."""
        return math.ceil(self.upper * (1 << BITS))

    def __add__(self, other: Ball | Fraction | int) -> Ball:
        """Return the sum."""
        return _at_precision(lambda: self.arb + _ball(other).arb)

    __radd__ = __add__

    def __neg__(self) -> Ball:
        """Return the negative."""
        return _at_precision(lambda: -self.arb)

    def __sub__(self, other: Ball | Fraction | int) -> Ball:
        """Return the difference."""
        return _at_precision(lambda: self.arb - _ball(other).arb)

    def __rsub__(self, other: Ball | Fraction | int) -> Ball:
        """Return the difference, the other way round."""
        return _ball(other) - self

    def __mul__(self, other: Ball | Fraction | int) -> Ball:
        """Return the product."""
        return _at_precision(lambda: self.arb * _ball(other).arb)

    __rmul__ = __mul__

    def __truediv__(self, other: Ball | Fraction | int) -> Ball:
        """Return the quotient by a positive number.

        Raises:
            ZeroDivisionError: the divisor may be 0 or less.
        """
        divisor = _ball(other)
        if not divisor.arb > 0:
            raise ZeroDivisionError("division by what may be zero")
        return _at_precision(lambda: self.arb / divisor.arb)

    def __rtruediv__(self, other: Ball | Fraction | int) -> Ball:
        """Return the quotient, the other way round."""
        return _ball(other) / self

    def __float__(self) -> float:
        """Return a float near the number, for display."""
        return float(self.arb.mid())


def _at_precision(operation: Callable[[], arb]) -> Ball:
    from flint import ctx

    with ctx.workprec(PRECISION):
        return Ball(operation())


def _ball(x: Ball | Fraction | int) -> Ball:
    return x if isinstance(x, Ball) else Ball.of(x)


def _fraction(end: arb, *, up: bool) -> Fraction:
    """Return an end of a ball, which is a whole number of powers of 2, or the next coarse one.

    What is nearer to 0 than any number that can be written down is rounded outwards.

    >>> tiny = exp(Fraction(-10 ** 400))
    >>> tiny.lower <= 0 < tiny.upper == Fraction(1, 2**FINEST)
    True

    Raises:
        OverflowError: the ball is not bounded.
    """
    if not end.is_finite():
        raise OverflowError("a number is too large to be enclosed")
    top, power = map(int, end.man_exp())
    if power < -FINEST:
        beyond = -power - FINEST
        top, power = -(-top >> beyond) if up else top >> beyond, -FINEST
    return Fraction(top << power) if power >= 0 else Fraction(top, 1 << -power)


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


N = TypeVar("N", Fraction, Ball)
"""What formulas about pairs compute with: exact where e^ε is rational, enclosed otherwise."""


def larger(a: N, b: N) -> N:
    """Return the larger of two numbers; which one it is need not be known.

    >>> larger(Fraction(1), Fraction(2))
    Fraction(2, 1)
    """
    if isinstance(a, Ball):
        return _at_precision(lambda: a.arb.max(b.arb))
    return max(a, b)


def smaller(a: N, b: N) -> N:
    """Return the smaller of two numbers; which one it is need not be known.

    >>> smaller(Fraction(1), Fraction(2))
    Fraction(1, 1)
    """
    if isinstance(a, Ball):
        return _at_precision(lambda: a.arb.min(b.arb))
    return min(a, b)


@lru_cache(maxsize=4096)
def exp(x: Fraction) -> Ball:
    """Return e^x.

    >>> e = exp(Fraction(1))
    >>> Fraction(271828, 100000) < e.lower < e.upper < Fraction(271829, 100000)
    True
    """
    return _at_precision(Ball.of(x).arb.exp)


def log(x: Ball | Fraction) -> Ball:
    """Return the natural logarithm of a positive number.

    Raises:
        ValueError: the number may be 0 or less.

    >>> log(exp(Fraction(3))).lower > Fraction(299999, 100000)
    True
    """
    of = _ball(x)
    if not of.arb > 0:
        raise ValueError("the logarithm of a number that may be zero")
    return _at_precision(of.arb.log)


def sqrt(x: Ball) -> Ball:
    """Return the square root of a number that is not negative.

    >>> sqrt(Ball.of(4)).lower, sqrt(Ball.of(2)).upper < Fraction(3, 2)
    (Fraction(2, 1), True)
    """
    return _at_precision(lambda: x.arb.nonnegative_part().sqrt())


def normal_tail(x: Ball) -> Ball:
    """Return how likely a standard normal number is above x.

    >>> round(float(normal_tail(Ball.of(1))), 6)
    0.158655
    """
    return _at_precision(lambda: (x.arb / Ball.of(2).arb.sqrt()).erfc() / 2)
