"""Exact real numbers that occur in privacy bounds, without a computer algebra system.

Bounds are rational except for three things: the square root of a sum of squares (Gaussian),
the factor ``(e^{r eps} - 1)/(e^eps - 1)`` of group privacy (approximate), and the Gaussian
parameter of a pure guarantee.  :class:`Exact` holds polynomials in the latter two with rational
coefficients, :class:`Root` the square root of such a number.  Both compare, add and print
exactly, and turn into floats or SymPy expressions on request.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, overload

from dpcomp_sym.balls import PRECISION, Ball, sqrt
from dpcomp_sym.dataclass import dataclass

if TYPE_CHECKING:
    import sympy
    from flint import arb
from dpcomp_sym.numbers.atoms import (
    FIRST_BITS,
    Atom,
    AtomMonomial,
    Terms,
    atom_sympy,
    ball_of,
    is_made_of_powers,
    power_of_e,
    precisions,
    rational,
    term_text,
    vanishes,
)

__all__ = [
    "Exact",
    "Real",
    "Root",
    "add",
    "as_float",
    "at_best_order",
    "collected",
    "exponential",
    "gdp_of_pure",
    "gdp_squared",
    "growth",
    "is_infinite",
    "logarithm",
    "path_mu_squared",
    "path_rho",
    "root",
    "rounded_down",
    "rounded_up",
    "square",
    "surd",
    "tails",
    "tanh",
    "tidy",
    "times",
    "to_sympy",
]

_BIG: Final = 300.0
_MOST_BITS: Final = 8192
_FLOAT: Final = 60
_MOST_TRIED: Final = 100
_MOST_TIMES: Final = 1000


@dataclass(frozen=True)
class Exact:
    """A sum of rational multiples of products of ``e^x - 1`` and of other irrational numbers.

    ``terms`` pairs every monomial with its non-zero coefficient, sorted.  An atom
    ``("expm1", (x,))`` is the number ``e^x - 1``; ``("gdp", (x,))`` is the square of the Gaussian
    parameter of an x-DP mechanism, ``(2 Phi^-1(e^x/(1+e^x)))^2``; ``("zcdp_epsilon", (x, d))``,
    ``("tanh", (x,))`` and ``("path_rho", (x, r))`` are these functions,
    ``("path_mu", (x, r))`` is the square of that one; and ``("tails", (m, x))`` is
    ``Phi(m/2 - x/m) - e^x Phi(-m/2 - x/m)``; ``log`` and ``sqrt`` are what they are called.  Each x
    is a fraction or such a number itself.

    >>> growth(Fraction(1), 2) * Fraction(1, 100)
    Exact('1/100*(e^2 - 1)/(e^1 - 1)')
    >>> round(float(growth(Fraction(1), 2)), 9)
    3.718281828
    """

    terms: tuple[tuple[AtomMonomial, Fraction], ...]

    def __add__(self, other: Exact | Fraction | int) -> Exact:
        """Return the sum, with equal monomials collected."""
        table = dict(self.terms)
        for monomial, factor in _exact(other).terms:
            table[monomial] = table.get(monomial, Fraction(0)) + factor
        return collected(table)

    __radd__ = __add__

    def __neg__(self) -> Exact:
        """Return the negative."""
        return Exact(tuple((monomial, -factor) for monomial, factor in self.terms))

    def __sub__(self, other: Exact | Fraction | int) -> Exact:
        """Return the difference."""
        return self + (-_exact(other))

    def __rsub__(self, other: Exact | Fraction | int) -> Exact:
        """Return the difference, the other way round."""
        return _exact(other) - self

    def __mul__(self, other: Exact | Fraction | int) -> Exact:
        """Return the product; powers of the same atom cancel."""
        table: dict[AtomMonomial, Fraction] = {}
        for left, a in self.terms:
            for right, b in _exact(other).terms:
                powers = dict(left)
                for atom, power in right:
                    powers[atom] = powers.get(atom, 0) + power
                factor = a * b * _drawn_out(powers)
                key = tuple(sorted((x, p) for x, p in powers.items() if p != 0))
                table[key] = table.get(key, Fraction(0)) + factor
        return collected(table)

    __rmul__ = __mul__

    def __float__(self) -> float:
        """Return the value; infinite where it exceeds the floats."""
        ball = self.ball(FIRST_BITS)
        if ball.rel_accuracy_bits() <= _FLOAT:
            if self.sign() == 0:
                return 0.0
            ball = next(b for b in map(self.ball, precisions()) if b.rel_accuracy_bits() > _FLOAT)
        return float(ball.mid())

    def ball(self, bits: int) -> arb:
        """Return a ball that holds the value, computed with so many bits."""
        from flint import arb, ctx

        with ctx.workprec(bits):
            total = arb(0)
            for monomial, factor in self.terms:
                product = arb(rational(factor))
                for atom, power in monomial:
                    product *= ball_of(atom, bits) ** power
                total += product
            return total

    @property
    def value(self) -> float:
        """The value as a float."""
        return float(self)

    def sign(self) -> int:
        """Return -1, 0 or 1.

        Decided by balls that are made smaller until they leave 0 out.  Whether a sum of powers of e
        is 0 is decided by algebra; with other numbers in it, one below 2^-8192 of the size of its
        terms counts as 0.
        """
        if not self.terms:
            return 0
        for bits in precisions():
            ball = self.ball(bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            if is_made_of_powers(self.terms):
                if vanishes(self.terms):
                    return 0
            elif bits >= _MOST_BITS:
                break
        return 0

    def __lt__(self, other: Real) -> bool:
        """Compare exactly; a float is the fraction that it is."""
        return _compare(self, other) < 0

    def __le__(self, other: Real) -> bool:
        """Compare exactly; a float is the fraction that it is."""
        return _compare(self, other) <= 0

    def __gt__(self, other: Real) -> bool:
        """Compare exactly; a float is the fraction that it is."""
        return _compare(self, other) > 0

    def __ge__(self, other: Real) -> bool:
        """Compare exactly; a float is the fraction that it is."""
        return _compare(self, other) >= 0

    def __str__(self) -> str:
        """Return the number in plain characters."""
        power, rest = self.with_power_of_e()
        texts = [term_text(monomial, factor) for monomial, factor in rest]
        if power is not None:
            factor, x = power
            texts.append(power_of_e(x) if factor == 1 else f"{factor}*{power_of_e(x)}")
        return " + ".join(texts) or "0"

    def with_power_of_e(self) -> tuple[tuple[Fraction, Any] | None, Terms]:
        """Return a power of e that a sum of e^x - 1 and a constant holds: its factor and x.

        The terms that are left come with it; without such a power these are all terms.

        >>> (exponential(Fraction(1, 2)) + 1).with_power_of_e()
        ((Fraction(1, 1), Fraction(1, 2)), (((), Fraction(1, 1)),))
        """
        table = dict(self.terms)
        whole = table.get((), Fraction(0))
        found = [m for m, factor in self.terms if 0 < factor <= whole and _is_power(m)]
        if len(found) != 1:
            return None, self.terms
        (((_, (x,)), _),) = found[0]
        factor = table.pop(found[0])
        table[()] -= factor
        return (factor, x), tuple((m, left) for m, left in table.items() if left)

    def __repr__(self) -> str:
        """Return a short representation."""
        return f"Exact('{self}')"

    def sympy(self) -> sympy.Expr:
        """Return the number as a SymPy expression."""
        import sympy as sp

        total: sympy.Expr = sp.Integer(0)
        for monomial, factor in self.terms:
            product: sympy.Expr = sp.Rational(factor.numerator, factor.denominator)
            for atom, power in monomial:
                product = product * atom_sympy(atom) ** power
            total = total + product
        return total


@dataclass(frozen=True)
class Root:
    """The square root of an exact non-negative number that is not a rational square.

    Make it with :func:`root`, which returns a rational number where there is one.

    >>> root(5), root(Fraction(9, 4))
    (Root('sqrt(5)'), Fraction(3, 2))
    """

    square: Fraction | Exact

    def __float__(self) -> float:
        """Return the value as a float; infinite where it exceeds the floats."""
        near = as_float(self.square)
        if near < math.inf:
            return math.sqrt(near)
        if isinstance(self.square, Exact):
            return float(self.square.ball(FIRST_BITS).sqrt().mid())
        return as_float(math.isqrt(math.floor(self.square)))

    @property
    def value(self) -> float:
        """The value as a float."""
        return float(self)

    def __lt__(self, other: Real) -> bool:
        """Compare by the squares; the numbers are non-negative."""
        return bool(self.square < square(other))

    def __le__(self, other: Real) -> bool:
        """Compare by the squares; the numbers are non-negative."""
        return bool(self.square <= square(other))

    def __gt__(self, other: Real) -> bool:
        """Compare by the squares; the numbers are non-negative."""
        return bool(self.square > square(other))

    def __ge__(self, other: Real) -> bool:
        """Compare by the squares; the numbers are non-negative."""
        return bool(self.square >= square(other))

    def __str__(self) -> str:
        """Return the number in plain characters."""
        return f"sqrt({self.square})"

    def __repr__(self) -> str:
        """Return a short representation."""
        return f"Root('{self}')"

    def sympy(self) -> sympy.Expr:
        """Return the number as a SymPy expression."""
        import sympy as sp

        result: sympy.Expr = sp.sqrt(to_sympy(self.square))
        return result


Sum = Exact | Fraction | int
"""A number that can be added, multiplied and compared exactly."""
Real = int | Fraction | float | Exact | Root
"""A finite non-negative number; everything but a float is exact."""


@overload
def tidy(x: Sum) -> Sum: ...
@overload
def tidy(x: Real) -> Real: ...
def tidy(x: Real) -> Real:
    """Return the simplest form: an integer or a fraction where the number is one.

    >>> tidy(Fraction(4, 2)), tidy(growth(Fraction(1), 3) * 0)
    (2, 0)
    """
    if isinstance(x, Exact):
        if not x.terms:
            return 0
        if len(x.terms) == 1 and not x.terms[0][0]:
            return tidy(x.terms[0][1])
        return x
    if isinstance(x, Fraction) and x.denominator == 1:
        return x.numerator
    return x


def as_float(x: Real) -> float:
    """Return a number as a float; infinite where it exceeds the floats.

    >>> as_float(Fraction(1, 4)), as_float(10**400)
    (0.25, inf)
    """
    try:
        return float(x)
    except OverflowError:
        return math.inf


def is_infinite(x: Real) -> bool:
    """Return whether a value is infinite, which only the float of that name is.

    >>> is_infinite(math.inf), is_infinite(10**400)
    (True, False)
    """
    return isinstance(x, float) and math.isinf(x)


def add(a: Real, b: Real) -> Real:
    """Return the sum; a float if either is one or the exact form is not kept (roots).

    >>> add(Fraction(1, 2), 1)
    Fraction(3, 2)
    """
    if isinstance(a, float | Root) or isinstance(b, float | Root):
        return as_float(a) + as_float(b)
    return a + b


def times(a: Real, b: Real) -> Real:
    """Return the product; a float if either is one.

    >>> times(root(5), 2)
    Root('sqrt(20)')
    """
    if isinstance(a, float) or isinstance(b, float):
        return as_float(a) * as_float(b)
    if isinstance(a, Root) or isinstance(b, Root):
        return root(times(square(a), square(b)))
    if isinstance(a, Exact):
        return a * b
    return b * a


def square(x: Real) -> int | Fraction | float | Exact:
    """Return the square; exact for everything but floats.

    >>> square(root(5))
    Fraction(5, 1)
    """
    if isinstance(x, Root):
        return x.square
    if isinstance(x, Exact):
        return x * x
    return x * x


def root(x: Real) -> Real:
    """Return the square root of a non-negative number, exact for everything but floats.

    Raises ``ValueError`` for a negative number.

    >>> root(Fraction(1, 4)), root(2), root(2.25)
    (Fraction(1, 2), Root('sqrt(2)'), 1.5)
    """
    x = tidy(x)
    if x < 0:
        message = f"the square root of {x} is not a real number"
        raise ValueError(message)
    if isinstance(x, float):
        return math.sqrt(x)
    if isinstance(x, Exact):
        return _root_of(x)
    if isinstance(x, Root):
        return math.sqrt(float(x))
    fraction = Fraction(x)
    top, bottom = math.isqrt(fraction.numerator), math.isqrt(fraction.denominator)
    if top * top == fraction.numerator and bottom * bottom == fraction.denominator:
        return tidy(Fraction(top, bottom))
    return Root(fraction)


def _root_of(x: Exact) -> Real:
    """Return the root of a number: one term with even powers is a square."""
    if len(x.terms) == 1:
        (((monomial, factor),)) = x.terms
        number = root(factor)
        if isinstance(number, int | Fraction) and all(power % 2 == 0 for _, power in monomial):
            halves = tuple((atom, power // 2) for atom, power in monomial)
            return Exact(((halves, Fraction(number)),))
    return Root(x)


def rounded_up(x: Real) -> Fraction:
    """Return a fraction that is not less, and hardly more; a float is the fraction that it is.

    >>> rounded_up(2), Fraction(0) < rounded_up(root(2)) ** 2 - 2 < Fraction(1, 10**30)
    (Fraction(2, 1), True)
    """
    if isinstance(x, Exact):
        return Ball(x.ball(PRECISION)).upper
    if isinstance(x, Root):
        of = x.square
        return sqrt(Ball(of.ball(PRECISION)) if isinstance(of, Exact) else Ball.of(of)).upper
    return Fraction(x)


def rounded_down(x: Real) -> Fraction:
    """Return a fraction that is not more, and hardly less; a float is the fraction that it is.

    >>> Fraction(0) < 2 - rounded_down(root(2)) ** 2 < Fraction(1, 10**30)
    True
    """
    if isinstance(x, Exact):
        return Ball(x.ball(PRECISION)).lower
    if isinstance(x, Root):
        of = x.square
        return sqrt(Ball(of.ball(PRECISION)) if isinstance(of, Exact) else Ball.of(of)).lower
    return Fraction(x)


def growth(eps: Real, r: int | Fraction) -> Exact | Fraction | int | float:
    """Return ``(e^{r eps} - 1)/(e^eps - 1)``, the factor of delta at distance ``r``.

    ``r`` at ``eps = 0``.  Source: GB24.VI.3.

    >>> growth(0, 3), growth(Fraction(1, 2), 1), growth(0.0, 3)
    (3, 1, 3.0)
    """
    if r in {0, 1}:
        return int(r)
    if isinstance(eps, float | Root):
        x = float(eps)
        if x == 0:
            return float(r)
        if max(x, float(r) * x) > _BIG:
            return _exp(_log_expm1(float(r) * x) - _log_expm1(x))
        return math.expm1(float(r) * x) / math.expm1(x)
    if eps == 0 or (isinstance(eps, Exact) and eps.sign() == 0):
        return r
    low = _argument(eps)
    above, below = tidy(exponential(low * r)), tidy(exponential(low))
    if isinstance(above, Exact) or isinstance(below, Exact):
        return _product({("expm1", (low * r,)): 1, ("expm1", (low,)): -1})
    return tidy((above - 1) / Fraction(below - 1))


@overload
def exponential(x: Sum) -> Sum: ...
@overload
def exponential(x: Real) -> Real: ...
def exponential(x: Real) -> Real:
    """Return e^x of a number, exact for all but floats and roots; e^log(3) is 3.

    >>> exponential(Fraction(1, 2)), exponential(0), round(exponential(0.5), 6)
    (Exact('e^(1/2)'), 1, 1.648721)
    >>> exponential(2 * logarithm(3))
    9
    """
    if isinstance(x, float | Root):
        return _exp(float(x))
    rest, factor = _exact(x), Fraction(1)
    for monomial, times in _exact(x).terms:
        match monomial:
            case ((("log", (Fraction() as of,)), 1),) if _is_small(times):
                factor *= of**times.numerator
                rest -= Exact(((monomial, times),))
    left = tidy(rest)
    return tidy((1 + _product({("expm1", (_argument(left),)): 1})) * factor if left else factor)


def _is_small(times: Fraction) -> bool:
    """Return whether a power with this exponent is a number that one writes down."""
    return times.denominator == 1 and abs(times) <= _MOST_TIMES


def logarithm(x: Sum) -> Exact | int:
    """Return the natural logarithm of a number greater than 0.

    >>> logarithm(3), logarithm(1), round(float(logarithm(3)), 6)
    (Exact('log(3)'), 0, 1.098612)
    """
    return 0 if x == 1 else _product({("log", (_argument(x),)): 1})


def surd(x: Sum) -> Sum:
    """Return the square root of a number of at least 0 as one that can be added to others.

    >>> surd(8) + 1, surd(4), surd(Fraction(1, 2))
    (Exact('1 + 2*sqrt(2)'), 2, Exact('1/2*sqrt(2)'))
    """
    x = tidy(x)
    if isinstance(x, Exact):
        found = _root_of(x)
        return found if isinstance(found, Exact) else _product({("sqrt", (x,)): 1})
    fraction = Fraction(x)
    inside = fraction.numerator * fraction.denominator
    outside = _square_in(inside)
    left = Fraction(inside // outside**2)
    whole = Fraction(outside, fraction.denominator)
    return tidy(whole if left == 1 else whole * _product({("sqrt", (left,)): 1}) if left else 0)


def _square_in(n: int) -> int:
    """Return the largest whole number whose square divides n, as far as small primes tell."""
    found = 1
    for prime in range(2, _MOST_TRIED):
        while n and n % prime**2 == 0:
            n //= prime**2
            found *= prime
    rest = math.isqrt(n)
    return found * rest if rest * rest == n and rest else found


def gdp_of_pure(eps: float) -> float:
    """Return the Gaussian parameter ``2 Phi^-1(e^eps/(1 + e^eps))`` of an eps-DP mechanism.

    It is the smallest one that holds for every eps-DP mechanism (randomized response needs it).

    >>> round(gdp_of_pure(1.0), 6)
    1.232035
    >>> gdp_of_pure(0.0)
    0.0
    """
    return math.sqrt(gdp_squared(Fraction(eps)))


def gdp_squared(eps: Real) -> Exact | int | float:
    """Return the square of the Gaussian parameter of an eps-DP mechanism, exact if ``eps`` is.

    >>> gdp_squared(0), gdp_squared(Fraction(1))
    (0, Exact('gdp(1)^2'))
    """
    if isinstance(eps, float | Root):
        return gdp_of_pure(float(eps)) ** 2
    return _product({("gdp", (_argument(eps),)): 1}) if eps != 0 else 0


def tanh(x: Real) -> Exact | int | float:
    """Return the hyperbolic tangent of a number of at least 0, exact for fractions.

    >>> tanh(Fraction(1, 2)), tanh(0), round(tanh(0.5), 6)
    (Exact('tanh(1/2)'), 0, 0.462117)
    """
    if isinstance(x, float | Root):
        return math.tanh(float(x))
    return _product({("tanh", (_argument(x),)): 1}) if x != 0 else 0


def path_rho(eps: Real, r: Real) -> Exact | int | float:
    """Return the least rho of r steps that are eps-DP each: eps (r - (1 - e^(-r eps))/sinh(eps)).

    >>> path_rho(Fraction(1), 2), path_rho(1, 0), round(path_rho(math.log(2), 2), 6)
    (Exact('path_rho(1, 2)'), 0, 0.693147)
    """
    if eps == 0 or r == 0:
        return 0
    if isinstance(eps, int | Fraction | Exact) and isinstance(r, int | Fraction):
        return _product({("path_rho", (_argument(eps), Fraction(r))): 1})
    x, steps = as_float(eps), as_float(r)
    if x > _BIG:
        return x * steps
    if x * steps > 1:
        return x * (steps + math.expm1(-x * steps) / math.sinh(x))
    # r sinh(eps) - (1 - e^(-r eps)) as a series, where the two are nearly the same
    above, odd, even = 0.0, steps * x, -steps * x
    for n in range(2, 30):
        even *= -steps * x / n
        if n % 2:
            odd *= x * x / (n * (n - 1))
        above += even + (odd if n % 2 else 0.0)
    return x * above / math.sinh(x)


def path_mu_squared(eps: Real, r: Real) -> Exact | int | float:
    """Return the square of the least mu of r steps that are eps-DP each.

    Of the whole steps, that is: less than one leads nowhere.

    >>> path_mu_squared(Fraction(1), 2), path_mu_squared(1, 0)
    (Exact('path_mu(1, 2)^2'), 0)
    >>> round(math.sqrt(path_mu_squared(math.log(3), 3)), 3)
    2.766
    """
    if eps == 0 or r < 1:
        return 0
    if isinstance(eps, int | Fraction | Exact) and isinstance(r, int | Fraction):
        return _product({("path_mu", (_argument(eps), Fraction(r))): 1})
    return float(path_mu_squared(rational_of(eps), rational_of(r)))


def rational_of(x: Real) -> Fraction:
    """Return a number as the fraction that its float is, or as the fraction that it is itself."""
    return Fraction(x) if isinstance(x, int | Fraction) else Fraction(float(x))


def to_sympy(x: Real) -> sympy.Expr:
    """Return the number as a SymPy expression (a float stays one).

    >>> to_sympy(Fraction(1, 3)), to_sympy(root(2))
    (1/3, sqrt(2))
    """
    import sympy as sp

    if isinstance(x, Exact | Root):
        return x.sympy()
    if isinstance(x, Fraction):
        return sp.Rational(x.numerator, x.denominator)
    return sp.Integer(x) if isinstance(x, int) else sp.Float(x)


def at_best_order(rho: Sum, delta: Sum) -> Exact | int:
    """Return the least epsilon over all Renyi orders, for rho at least 0 and 0 < delta < 1.

    0 where some order gives a negative one.

    >>> at_best_order(Fraction(2), Fraction(1, 100)) + 1
    Exact('1 + zcdp_epsilon(2, 1/100)')
    """
    at: Atom = ("zcdp_epsilon", (_argument(rho), _argument(delta)))
    nothing = rho == 0 or ball_of(at, FIRST_BITS) == 0
    return 0 if nothing else _product({at: 1})


def tails(m: Sum, x: Sum) -> Exact | int:
    """Return ``Phi(m/2 - x/m) - e^x Phi(-m/2 - x/m)``, for numbers of at least 0; 0 for m = 0.

    >>> round(float(tails(Fraction(1), Fraction(1))), 6)
    0.126937
    """
    return _product({("tails", (_argument(m), _argument(x))): 1}) if m != 0 else 0


def _product(powers: Mapping[Atom, int]) -> Exact:
    return Exact(((tuple(sorted(powers.items())), Fraction(1)),))


def _argument(x: Sum) -> Exact | Fraction:
    """Return a number as an atom has it."""
    simple = tidy(x)
    return simple if isinstance(simple, Exact) else Fraction(simple)


def _drawn_out(powers: dict[Atom, int]) -> Fraction:
    """Take squares out of the roots of a product; return the factor that they are."""
    factor = Fraction(1)
    for atom, power in powers.items():
        kind, (x, *_) = atom
        if kind == "sqrt" and isinstance(x, Fraction):
            factor *= x ** (power // 2)
            powers[atom] = power % 2
    return factor


def _is_power(monomial: AtomMonomial) -> bool:
    """Return whether this is e^x - 1 by itself."""
    return len(monomial) == 1 and monomial[0][0][0] == "expm1" and monomial[0][1] == 1


def _exact(x: Sum) -> Exact:
    if isinstance(x, Exact):
        return x
    return Exact((((), Fraction(x)),)) if x != 0 else Exact(())


def collected(table: Mapping[AtomMonomial, Fraction]) -> Exact:
    """Return the sum of multiples of products."""
    return Exact(tuple(sorted((key, factor) for key, factor in table.items() if factor != 0)))


def _compare(a: Exact, b: Real) -> int:
    if isinstance(b, float):
        return -1 if b == math.inf else _compare(a, Fraction(b))
    if isinstance(b, Root):  # what is compared is not negative
        return _compare(a * a, b.square)
    return (a - b).sign()


def _log_expm1(x: float) -> float:
    return x + math.log(-math.expm1(-x))


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
