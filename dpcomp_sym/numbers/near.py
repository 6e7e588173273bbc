"""Floats near the values of many blocks, by which is chosen what exact numbers decide among.

They leave out only what is smaller indeed: each is right to far more than nine places, or none is
given.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Final

from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.exact import Real, as_float
from dpcomp_sym.statements import terms as t

__all__ = ["as_floats", "near", "not_below"]

_NEAR: Final = 1e-9
"""What is smaller than a float by more than this share of it is smaller indeed."""
_TINY: Final = 1e-150
_HUGE: Final = 1e150
"""Between these a float is right to its last place, and so is a product of two."""
_STEEP: Final = 300.0
"""Up to here e^x is right to twelve places if x is right to its last one."""


class _CutOffError(Exception):
    """A number is too small or too large for a float that is near it."""


def near(
    e: t.Expr, family: t.Sizes, rows: Callable[[t.Expr], Sequence[Real]]
) -> list[float] | None:
    """Return floats near the values that an expression has for the blocks of a family.

    None where some number on the way is too small or too large for that.  ``rows`` gives the exact
    values of an expression.

    >>> eps, mu = t.BlockEntry("eps", ("k",)), t.BlockEntry("mu", ("k",))
    >>> near(t.Product((eps, mu)), ("k",), {eps: [1, 3], mu: [2, 4]}.__getitem__)
    [2.0, 12.0]
    >>> near(t.Product((eps, mu)), ("k",), {eps: [1, 3], mu: [2, 10**200]}.__getitem__) is None
    True
    """
    try:
        return _Near(family, rows).of(e)
    except _CutOffError:
        return None


def not_below(limit: float) -> float:
    """Return a float: what is near a smaller one is smaller than what is near the limit."""
    return min(limit, _HUGE) * (1 - _NEAR) - _TINY


def as_floats(values: Sequence[Real]) -> list[float]:
    """Return the floats nearest to numbers, or next to these; infinite where they are too large."""
    if isinstance(values, Column):
        try:
            return values.floats()
        except OverflowError:
            pass
    return list(map(as_float, values))


class _Near:
    """Floats block by block: a list, as long as there are blocks."""

    def __init__(self, family: t.Sizes, rows: Callable[[t.Expr], Sequence[Real]]) -> None:
        self.family = family
        self.rows = rows

    def of(self, e: t.Expr) -> list[float]:
        if self.family not in t.open_sizes(e):
            exact = self.rows(e)
            return self.rounded([next(iter(exact))]) * len(exact)
        match e:
            case t.Sum(items):
                return self.joined(operator.add, items)
            case t.Product(items):
                return self.joined(operator.mul, items)
            case t.Max(items):
                return self.joined(max, items)
            case t.Apply("growth", (eps, r)):
                return _checked(_growths(self.of(eps), self.of(r)))
            case t.Apply("tanh", (x,)):
                return list(map(math.tanh, self.of(x)))
            case t.Apply("exp", (x,)):
                return list(map(math.exp, _flat(self.of(x))))
            case _:  # not from floats: of many functions these would not tell enough
                return self.rounded(self.rows(e))

    def joined(self, join: Callable[[float, float], float], items: Iterable[t.Expr]) -> list[float]:
        return reduce(lambda a, b: _checked(list(map(join, a, b))), map(self.of, items))

    def rounded(self, exact: Sequence[Real]) -> list[float]:
        floats = as_floats(exact)
        if any(exact[j] for j, x in enumerate(floats) if not x):
            raise _CutOffError
        return _checked(floats)


def _checked(floats: list[float]) -> list[float]:
    if min(filter(None, floats), default=_HUGE) < _TINY or max(floats) > _HUGE:
        raise _CutOffError
    return floats


def _flat(exponents: list[float]) -> list[float]:
    if max(exponents) > _STEEP:
        raise _CutOffError
    return exponents


def _growths(eps: Sequence[float], steps: Sequence[float]) -> list[float]:
    """Return (e^(r eps) - 1)/(e^eps - 1), or r for eps = 0."""
    _flat([x * max(r, 1.0) for x, r in zip(eps, steps, strict=True)])
    expm1 = math.expm1
    return [expm1(r * x) / expm1(x) if x else r for x, r in zip(eps, steps, strict=True)]
