"""Numbers with roots and powers of e, compared with whole numbers: by their floors, exactly."""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from typing import Final

from dpcomp_sym import balls
from dpcomp_sym.balls import Ball
from dpcomp_sym.errors import InputError
from dpcomp_sym.terms.syntax import tree_of

__all__ = ["floor_of", "has_power"]

MOST_EXPONENT: Final = 100
MOST_LENGTH: Final = 200


def has_power(text: str) -> bool:
    """Return whether a power of e stands in a text.

    >>> has_power("2*exp(1)"), has_power("2*export")
    (True, False)
    """
    return "exp(" in "".join(text.split())


def floor_of(text: str, *, squared: bool = False) -> int:
    """Return the largest whole number that is at most a number, or its square.

    The number is made of whole numbers, ``+``, ``-``, ``*``, ``/``, ``sqrt(x)``, and ``exp(x)``
    with a rational x.  Squares keep the sign: no norm is at most a negative number.

    Raises:
        InputError: it is no such number, or so close to a whole number that neither side is shown.

    >>> floor_of("exp(1)"), floor_of("exp(1)", squared=True), floor_of("sqrt(2)*exp(1/2) - 5")
    (2, 7, -3)
    """
    try:
        if len(text) > MOST_LENGTH:
            raise InputError(f"'{text}' is too long", word=text)
        value = _of(tree_of(text.strip()), text)
    except (RecursionError, MemoryError):
        raise InputError("the number is nested too deeply") from None
    low, high = _ends(value)
    if squared:
        low, high = low * abs(low), high * abs(high)
    if math.floor(low) != math.floor(high):
        raise InputError(f"'{text}' cannot be told from a whole number", word=text)
    return math.floor(low)


def _ends(x: Fraction | Ball) -> tuple[Fraction, Fraction]:
    return (x, x) if isinstance(x, Fraction) else (x.lower, x.upper)


def _of(node: ast.expr, text: str) -> Fraction | Ball:
    """Return a number: rational, or within a ball."""
    match node:
        case ast.Constant(value=int(n)) if not isinstance(n, bool):
            return Fraction(n)
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            return -_of(inside, text)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _of(left, text) + _of(right, text)
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            return _of(left, text) - _of(right, text)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _of(left, text) * _of(right, text)
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            divisor = _of(right, text)
            if _ends(divisor)[0] > 0:
                return _of(left, text) / divisor
        case ast.Call(func=ast.Name(id="sqrt"), args=[inside], keywords=[]):
            value = _of(inside, text)
            if _ends(value)[0] >= 0:
                return balls.sqrt(value if isinstance(value, Ball) else Ball.of(value))
        case ast.Call(func=ast.Name(id="exp"), args=[inside], keywords=[]):
            value = _of(inside, text)
            if isinstance(value, Fraction) and abs(value) <= MOST_EXPONENT:
                return balls.exp(value) if value else Fraction(1)
        case _:
            pass
    raise InputError(
        f"'{ast.unparse(node)}' is no part of a number with exp: that has whole numbers, + - * /, "
        f"sqrt(x) with x >= 0, and exp(x) with a rational x from -{MOST_EXPONENT} to "
        f"{MOST_EXPONENT}",
        word=text,
    )
