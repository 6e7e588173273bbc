"""The irrational numbers of which exact numbers are made: balls around them, and their text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

if TYPE_CHECKING:
    import sympy
    from flint import arb, fmpq

from dpcomp_sym.statements.symbolic import zcdp_epsilon

__all__ = [
    "FIRST_BITS",
    "Atom",
    "AtomMonomial",
    "Terms",
    "atom_sympy",
    "ball_of",
    "is_made_of_powers",
    "power_of_e",
    "precisions",
    "rational",
    "term_text",
    "vanishes",
]

AtomKind = Literal[
    "expm1", "gdp", "log", "path_mu", "path_rho", "sqrt", "tails", "tanh", "zcdp_epsilon"
]


class Irrational(Protocol):
    """A number that is no fraction, as an argument of an atom."""

    def ball(self, bits: int) -> arb:
        """Return a ball that holds it."""

    def sympy(self) -> sympy.Expr:
        """Return it as an expression of SymPy."""


Atom = tuple[AtomKind, tuple[Any, ...]]
"""A function and its arguments, each a ``Fraction`` or an :class:`Irrational` number."""
AtomMonomial = tuple[tuple[Atom, int], ...]
Terms = tuple[tuple[AtomMonomial, Fraction], ...]
FIRST_BITS: Final = 128


def precisions() -> Iterator[int]:
    """Yield numbers of bits, each twice the one before."""
    return map(FIRST_BITS.__lshift__, count())


def rational(x: Fraction) -> fmpq:
    """Return a fraction as a number of FLINT."""
    from flint import fmpq

    return fmpq(x.numerator, x.denominator)


@lru_cache(maxsize=10_000)
def ball_of(atom: Atom, bits: int) -> arb:
    """Return a ball for one of the numbers of :class:`Exact`."""
    from flint import arb, ctx

    kind, arguments = atom
    with ctx.workprec(bits):
        x, *others = (
            arb(rational(one)) if isinstance(one, Fraction) else one.ball(bits) for one in arguments
        )
        if kind == "expm1":
            return x.expm1()
        if kind == "sqrt":
            return x.sqrt()
        if kind == "log":
            return x.log()
        if kind == "zcdp_epsilon":
            return _at_best_order(x, others[0])
        if kind == "tails":
            (eps,) = others
            near, far = (
                ((eps / x + shift) / arb(2).sqrt()).erfc() / 2 for shift in (-x / 2, x / 2)
            )
            return near - eps.exp() * far
        if kind == "tanh":
            return x.tanh()
        if kind == "path_rho":
            (r,) = others
            return x * (r + (-x * r).expm1() / x.sinh())
        if kind == "path_mu":
            half = (arguments[1] + 1) / 2
            kinks = (-x * step for step in (math.floor(half), math.ceil(half)))
            # Phi^-1(1 - y/2) = sqrt(2) erfcinv(y)
            total = sum(((2 * kink.exp() / (1 + (-x).exp())).erfcinv() for kink in kinks), arb(0))
            return 2 * total * total
        # Phi^-1(q/(1 + q)) = sqrt(2) erfinv(tanh(x/2)) for q = e^x; the second form is for large x.
        erf = (x / 2).tanh().erfinv() if arguments[0] < 1 else (2 / (1 + x.exp())).erfcinv()
        return 8 * erf * erf


def _at_best_order(rho: arb, delta: arb) -> arb:
    """Return the least rho a + ln(1 - 1/a) - ln(a delta)/(a - 1) over a > 1, or 0.

    Its derivative is rho + ln(a delta)/(a - 1)^2, so that it falls up to the zero of
    g(t) = rho e^2t + ln(1 + e^t) + ln(delta), t = ln(a - 1), and grows from there on.  As g grows
    and is convex, Newton's steps come down to the zero from any point above it.  Over an interval
    that holds the zero the function changes by at most the derivative times the length.
    """
    from flint import arb, ctx

    def g(t: arb) -> arb:
        return rho * (2 * t).exp() + t.exp().log1p() + delta.log()

    def value(order: arb) -> arb:
        return rho * order + (-1 / order).log1p() - (order * delta).log() / (order - 1)

    t = min((-delta.log() / rho).log() / 2, -delta.log(), key=lambda x: x.mid()).mid()
    small = arb(2) ** -(ctx.prec // 2)
    while True:
        above = t.exp()
        step = g(t) / (2 * rho * above**2 + above / (1 + above))
        t = (t - step).mid()
        if abs(step) < small:
            break
    near = small
    while not (g(t - near) < 0 and g(t + near) > 0):
        near *= 2
    low, high = (1 + x.exp() for x in (t - near, t + near))
    every = low.union(high)
    slope = abs(rho + (every * delta).log() / (every - 1) ** 2)
    middle = value(1 + t.exp())
    least = middle.union(middle - slope.upper() * (high - low).upper())
    return least.max(arb(0))


def is_made_of_powers(terms: Terms) -> bool:
    """Return whether there are no other atoms than ``e^x - 1`` of fractions."""
    return all(
        kind == "expm1" and isinstance(x, Fraction)
        for monomial, _ in terms for (kind, (x, *_)), _ in monomial
    )  # fmt: skip


def vanishes(terms: Terms) -> bool:
    """Return whether a sum of products of e^a - 1 is 0.

    Powers of e with different rational exponents are linearly independent over the rational numbers
    (Lindemann, Weierstrass), so that all coefficients must be 0 once nothing is divided.
    """
    lowest: dict[Atom, int] = {}
    for monomial, _ in terms:
        for atom, power in monomial:
            lowest[atom] = min(lowest.get(atom, 0), power)
    total: dict[Fraction, Fraction] = {}
    for monomial, factor in terms:
        powers = dict(monomial)
        for exponent, coefficient in _expanded(powers, lowest, factor).items():
            total[exponent] = total.get(exponent, Fraction(0)) + coefficient
    return not any(total.values())


def _expanded(
    powers: Mapping[Atom, int], lowest: Mapping[Atom, int], factor: Fraction
) -> dict[Fraction, Fraction]:
    """Return the coefficients of the powers of e of one term, over the common denominator."""
    found = {Fraction(0): factor}
    for atom, low in lowest.items():
        for _ in range(powers.get(atom, 0) - low):
            more: dict[Fraction, Fraction] = {}
            for exponent, coefficient in found.items():
                for place, sign in ((exponent + atom[1][0], 1), (exponent, -1)):
                    more[place] = more.get(place, Fraction(0)) + sign * coefficient
            found = more
    return found


def term_text(monomial: AtomMonomial, factor: Fraction) -> str:
    """Return a product with its coefficient in plain characters."""
    top = [_power(_atom_text(atom), power) for atom, power in monomial if power > 0]
    bottom = [_power(_atom_text(atom), -power) for atom, power in monomial if power < 0]
    if factor != 1 or not top:
        top.insert(0, str(factor))
    return "/".join(["*".join(top), *bottom])


def _atom_text(atom: Atom) -> str:
    kind, (x, *others) = atom
    match kind:
        case "expm1":
            return f"({power_of_e(x)} - 1)"
        case "gdp":
            return f"gdp({x})^2"
        case "path_mu":
            return f"path_mu({x}, {others[0]})^2"
        case "path_rho":
            return f"path_rho({x}, {others[0]})"
        case "tanh" | "log" | "sqrt":
            return f"{kind}({x})"
        case "zcdp_epsilon":
            return f"zcdp_epsilon({x}, {others[0]})"
        case "tails":
            return f"gaussian_delta({x}, {others[0]})"


def power_of_e(x: Fraction | Irrational) -> str:
    """Return a power of e in plain characters."""
    return f"e^{x}" if isinstance(x, Fraction) and x.denominator == 1 else f"e^({x})"


def atom_sympy(atom: Atom) -> sympy.Expr:
    """Return an atom as a SymPy expression."""
    import sympy as sp

    kind, arguments = atom
    x, *others = (
        sp.Rational(one.numerator, one.denominator) if isinstance(one, Fraction) else one.sympy()
        for one in arguments
    )
    result: sympy.Expr
    match kind:
        case "expm1":
            result = sp.exp(x) - 1
        case "gdp":
            result = 8 * sp.erfinv(sp.tanh(x / 2)) ** 2
        case "path_mu":
            half = (others[0] + 1) / 2
            each = (sp.exp(-x * f(half)) for f in (sp.floor, sp.ceiling))
            result = 2 * sp.Add(*(sp.erfinv(1 - 2 * y / (1 + sp.exp(-x))) for y in each)) ** 2
        case "path_rho":
            result = x * (others[0] - (1 - sp.exp(-x * others[0])) / sp.sinh(x))
        case "tanh" | "log" | "sqrt":
            result = getattr(sp, kind)(x)
        case "zcdp_epsilon":
            result = zcdp_epsilon()(x, others[0])
        case "tails":
            near, far = (sp.erfc((others[0] / x + y) / sp.sqrt(2)) / 2 for y in (-x / 2, x / 2))
            result = near - sp.exp(others[0]) * far
    return result


def _power(text: str, power: int) -> str:
    return text if power == 1 else f"({text})^{power}"
