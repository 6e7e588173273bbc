"""Claimed bounds on distances of outputs: formulas in the distance d of inputs, or code."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.spec.values import BlockFormula
from dpcomp_sym.stability.calls import call
from dpcomp_sym.stability.metrics import exact

__all__ = ["DistanceBound"]

HIGHEST: Final = 20
"""The highest power of d in a formula that is compared with a multiple of d for all d."""
FAR: Final = 1000

Coefficients = tuple[Fraction, ...]
"""A polynomial in d, the lowest power first."""


@dataclass(frozen=True)
class DistanceBound:
    """A bound in d, such as "2*d" or "d/2", or a function of Python.

    >>> bound = DistanceBound("max(2*d, d**2)")
    >>> bound.at(3), bound.covers(Fraction(2), Fraction(1)), bound.covers(Fraction(3), Fraction(1))
    (Fraction(9, 1), True, False)
    """

    given: str | Callable[[Any], Any]

    def __post_init__(self) -> None:
        """Read a formula once, so that errors surface at construction."""
        if isinstance(self.given, str):
            unknown = sorted(BlockFormula.read(self.given).names - {"d"})
            if unknown:
                raise InputError(f"unknown name '{unknown[0]}' in the bound '{self.given}'; known "
                                 "here: d", word=unknown[0])  # fmt: skip
        elif not callable(self.given):
            raise InputError(f"a bound is a formula in d, such as '2*d', or a function of d, not "
                             f"{self.given!r}")  # fmt: skip

    @property
    def text(self) -> str:
        """The bound as text."""
        return self.given if isinstance(self.given, str) else "bound(d)"

    def at(self, d: Fraction | int) -> Fraction:
        """Return the bound at a distance.

        Code gets a whole distance as an int: the maps of libraries may take nothing else.

        Raises:
            InputError: there it has no value that is a finite number.
        """
        where = f"the bound {self.text} at d = {d}"
        if isinstance(self.given, str):
            try:
                return BlockFormula.read(self.given).column({"d": Fraction(d)}, 1)[0]
            except InputError as error:
                raise InputError(f"{where}: {error}", word=error.word) from None
        whole = Fraction(d)
        value = call(lambda: where, self.given, int(d) if whole.denominator == 1 else whole)
        try:
            return exact(value)
        except InputError as error:
            raise InputError(f"{where} is not a finite number: {error}") from None

    def covers(self, factor: Fraction, least: Fraction, largest: int | None = None) -> bool:
        """Return whether the bound is shown to be at least factor * d, for all d from ``least`` on.

        Below, it must be at least 0.  With ``largest``, distances are whole and at most that.
        """
        if largest is not None:
            return all(self.at(d) >= (factor * d if d >= least else 0) for d in range(largest + 1))
        if not isinstance(self.given, str):
            return False
        formula = BlockFormula.read(self.given)
        if not _at_least(formula.tree, formula.text, factor, least):
            return False
        try:
            return all(self.at(d) >= 0 for d in range(math.ceil(least)))
        except InputError:  # it has no value there
            return False

    def ratio(self, least: Fraction, largest: int | None = None) -> Fraction:
        """Return a factor that none can exceed for which ``covers`` holds."""
        first = math.ceil(least)
        tried = (d for d in (*range(first, first + 4), FAR) if largest is None or d <= largest)
        return min((self.at(d) / d for d in tried), default=Fraction(0))


def _at_least(node: ast.expr, text: str, factor: Fraction, least: Fraction) -> bool:
    """Return whether a formula is shown to be at least factor * d for all real d >= least."""
    match node:
        case ast.Call(func=ast.Name(id="min"), args=args):
            return all(_at_least(arg, text, factor, least) for arg in args)
        case ast.Call(func=ast.Name(id="max"), args=args):
            return any(_at_least(arg, text, factor, least) for arg in args)
        case _:
            pass
    polynomial = _polynomial(node, text)
    if polynomial is None:
        return False
    rest = _sum(polynomial, (Fraction(0), -factor))
    # With d = least + t, no coefficient is negative, so that nothing is at any t >= 0.
    return all(coefficient >= 0 for coefficient in _moved(rest, least))


def _polynomial(node: ast.expr, text: str) -> Coefficients | None:
    """Return a formula as a polynomial in d, if it is written as one."""
    match node:
        case ast.Name():
            return (Fraction(0), Fraction(1))
        case ast.Constant():
            source = ast.get_source_segment(text, node) or ""
            return (BlockFormula.read(source).column({}, 1)[0],)
        case ast.UnaryOp(op=op, operand=inner):
            found = _polynomial(inner, text)
            negative = isinstance(op, ast.USub) and found is not None
            return tuple(-a for a in found or ()) if negative else found
        case ast.BinOp(op=op, left=left, right=right):
            first, second = _polynomial(left, text), _polynomial(right, text)
            return None if first is None or second is None else _combined(op, first, second)
        case _:
            return None


def _combined(op: ast.operator, first: Coefficients, second: Coefficients) -> Coefficients | None:
    constant = second[0] if len(second) == 1 else None
    match op:
        case ast.Add():
            return _sum(first, second)
        case ast.Sub():
            return _sum(first, tuple(-a for a in second))
        case ast.Mult():
            return _product(first, second)
        case ast.Div() if constant:
            return tuple(a / constant for a in first)
        case ast.Pow() if constant is not None and constant in range(HIGHEST + 1):
            power: Coefficients | None = (Fraction(1),)
            for _ in range(int(constant)):
                power = None if power is None else _product(power, first)
            return power
    return None


def _sum(first: Coefficients, second: Coefficients) -> Coefficients:
    length = max(len(first), len(second))

    def padded(one: Coefficients) -> Iterator[Fraction]:
        yield from one
        yield from (Fraction(0) for _ in range(length - len(one)))

    return tuple(a + b for a, b in zip(padded(first), padded(second), strict=True))


def _product(first: Coefficients, second: Coefficients) -> Coefficients | None:
    if len(first) + len(second) - 2 > HIGHEST:
        return None
    found = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            found[i + j] += a * b
    return tuple(found)


def _moved(polynomial: Coefficients, by: Fraction) -> Coefficients:
    """Return the polynomial in t with d = by + t.

    >>> list(map(int, _moved((Fraction(0), Fraction(0), Fraction(1)), Fraction(3))))
    [9, 6, 1]
    """
    length = len(polynomial)
    return tuple(
        sum((polynomial[n] * comb(n, m) * by ** (n - m) for n in range(m, length)), Fraction(0))
        for m in range(length)
    )
