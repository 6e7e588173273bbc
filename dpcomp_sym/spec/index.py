"""The index of a block, as functions of it get it: a letter to compute with, and no more.

What a function only adds, multiplies, divides and raises to powers is a formula, by what it did.
What looks at the letter's value, or has SymPy look, need not be one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

__all__ = ["BlockIndex"]


class BlockIndex:
    """An expression in the index of a block; it has no value, so that nothing can depend on one.

    >>> import sympy
    >>> i = BlockIndex(sympy.Symbol("i", positive=True))
    >>> (1 / (2 * i) + i**2).expression, i.was_handed_on
    (i**2 + 1/(2*i), False)
    >>> i == 3
    Traceback (most recent call last):
    TypeError: the index of a block has no value
    >>> sympy.Max(1, i), i.was_handed_on
    (Max(1, i), True)
    """

    def __init__(self, expression: Any, handed_on: list[object] | None = None) -> None:
        self.expression = expression
        self._handed_on: list[object] = [] if handed_on is None else handed_on
        """What other code was given; one list for all that is computed of an index."""

    @property
    def was_handed_on(self) -> bool:
        """Whether other code was given the letter itself, and may have looked at it."""
        return bool(self._handed_on)

    def __repr__(self) -> str:
        return str(self.expression)

    def _sympy_(self) -> Any:
        self._handed_on.append(self.expression)
        return self.expression

    def _with(self, compute: Callable[..., Any], *others: Any) -> BlockIndex:
        plain = [o.expression if isinstance(o, BlockIndex) else o for o in others]
        return BlockIndex(compute(*plain), self._handed_on)

    def _no_value(self, *_: object) -> NoReturn:
        raise TypeError("the index of a block has no value")

    def __add__(self, other: Any) -> BlockIndex:
        return self._with(operator.add, self, other)

    def __radd__(self, other: Any) -> BlockIndex:
        return self._with(operator.add, other, self)

    def __sub__(self, other: Any) -> BlockIndex:
        return self._with(operator.sub, self, other)

    def __rsub__(self, other: Any) -> BlockIndex:
        return self._with(operator.sub, other, self)

    def __mul__(self, other: Any) -> BlockIndex:
        return self._with(operator.mul, self, other)

    def __rmul__(self, other: Any) -> BlockIndex:
        return self._with(operator.mul, other, self)

    def __truediv__(self, other: Any) -> BlockIndex:
        return self._with(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> BlockIndex:
        return self._with(operator.truediv, other, self)

    def __pow__(self, other: Any) -> BlockIndex:
        return self._with(operator.pow, self, other)

    def __rpow__(self, other: Any) -> BlockIndex:
        return self._with(operator.pow, other, self)

    def __neg__(self) -> BlockIndex:
        return self._with(operator.neg, self)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no_value
    __bool__ = __index__ = __int__ = __float__ = __hash__ = _no_value
