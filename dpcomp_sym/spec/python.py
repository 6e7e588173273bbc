"""Numbers as Python programs have them, made into the exact numbers of a spec.

A float is the decimal that Python prints for it, as in a spec: 0.1 is 1/10.  NumPy and SymPy are
not imported: who gives numbers of theirs has loaded them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from os import PathLike, fspath
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.spec.index import BlockIndex
from dpcomp_sym.spec.values import Number, rational

__all__ = ["as_written", "rows_as_written"]


MOST_LISTED: Final = 100_000
"""For so many blocks, at most, a function that need not be a formula is asked, one by one."""


def as_written(
    value: Any, letter: str | None = None, count: int | None = None
) -> str | Number | list[str | Number]:
    """Return a number, or one number for each block, as a spec has it.

    Args:
        value: a number of Python, NumPy or SymPy; several of them in a list, an array, a range or
            any other iterable; text as after ``--set``; the path of a CSV file; a SymPy expression
            in the index of a block, or a function of it.
        letter: what the index is called, if there is one.
        count: how many blocks there are, if that is known.

    Raises:
        InputError: it is not a number, or none that is written exactly.

    >>> as_written(0.1), as_written(range(2)), as_written(Decimal("0.25"))
    (Fraction(1, 10), [0, 1], Fraction(1, 4))
    >>> as_written(lambda i: 1 / i**2, "i")
    'i**(-2)'
    >>> as_written(lambda i: 5 if i == 1 else 1 / i, "i", 3)
    [5, Fraction(1, 2), Fraction(1, 3)]
    >>> as_written(float("inf"))
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: inf is not a finite number
    """
    if isinstance(value, str):
        return value
    if isinstance(value, PathLike):
        return f"@{fspath(value)}"
    if callable(value) and not _is_sympy(value):
        return _of_function(value, letter, count)
    one = _number(value)
    if one is not None:
        return one
    if isinstance(value, Iterable):
        return [_of_list(item) for item in value]
    msg = f"{value!r} is not a number: give an int, Fraction, decimal, SymPy rational or a list"
    raise InputError(msg, word=str(value))


def rows_as_written(value: Any) -> list[list[str | Number]] | None:
    """Return rows of numbers, one for each value of the first of two indices; None for others.

    Raises:
        InputError: what stands in a row is not a number.

    >>> rows_as_written([[1, 0.5], range(2)]), rows_as_written([1, 2])
    ([[1, Fraction(1, 2)], [0, 1]], None)
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        return None
    rows = list(value)
    if not rows or any(isinstance(row, str) or not isinstance(row, Iterable) for row in rows):
        return None
    return [[_of_list(item) for item in row] for row in rows]


def _of_list(item: Any) -> str | Number:
    if isinstance(item, str):
        return item
    found = _number(item)
    if found is None:
        kind = "a list in a list" if isinstance(item, Iterable) else repr(item)
        raise InputError(f"{kind} is not a number: give one number for each block", word=str(item))
    if isinstance(found, str) and item.free_symbols:
        raise InputError(f"{found} is a formula: in a list each block has its number", word=found)
    return found


def _number(value: Any) -> Number | str | None:
    """Return a single number, or a formula of SymPy; None if it is neither."""
    if _is_sympy(value):
        return _of_sympy(value)
    if isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool":
        raise InputError(f"{value} is a truth value, not a number", word=str(value))
    if getattr(value, "shape", None) == () and hasattr(value, "item") and hasattr(value, "ndim"):
        inner = value.item()  # of an array without axes, or of a scalar of NumPy
        return rational(str(value)) if _is_finite(inner) else _number(inner)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal | Real):
        if not _is_finite(value):
            raise InputError(f"{value} is not a finite number", word=str(value))
        return rational(str(value))
    return None


def _is_finite(value: Any) -> bool:
    """Return whether this is a float or a decimal that is a number."""
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, float) and math.isfinite(value)


def _is_sympy(value: Any) -> bool:
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


def _of_sympy(value: Any) -> Number | str:
    """Return an exact number, or a formula in the index."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Float:
        return rational(str(value))
    import sympy as sp

    words = {sp.Max: "max", sp.Min: "min", sp.Abs: "abs", sp.exp: "exp"}
    renamed = value.subs(sp.E, sp.Function("exp")(1)).replace(
        lambda e: e.func in words, lambda e: sp.Function(words[e.func])(*e.args)
    )
    return str(renamed)


def _of_function(
    make: Callable[[Any], Any], letter: str | None, count: int | None
) -> str | Number | list[str | Number]:
    """Return a function of the index as a formula, or as one number for each block.

    What asks for the value of the index, as ``5 if i == 1 else 1`` does, is no formula.
    """
    if letter is None:
        raise InputError("a function gives one number for each block, and there is one mechanism")
    import sympy as sp

    index = BlockIndex(sp.Symbol(letter, integer=True, positive=True))
    try:
        found = make(index)
    except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError):
        found = None  # it takes numbers alone
    if found is not None:
        formula = found.expression if isinstance(found, BlockIndex) else found
        written = _number(formula)
        if written is None:
            raise InputError(f"the function of {letter} returns {found!r}, which is not a formula")
        if not index.was_handed_on:
            return written
    if count is None or count > MOST_LISTED:
        raise InputError(
            f"the function of {letter} is not a formula in {letter}: give the number of blocks, "
            f"too, or a list, or a function such as lambda {letter}: 1 / {letter}"
        )
    return [_of_list(make(sp.Integer(number))) for number in range(1, count + 1)]
