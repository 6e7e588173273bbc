"""Which numbers a symbol can have, as its facts say: the least and the largest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from dpcomp_sym.profile import Interval
from dpcomp_sym.smt import Query, logic

__all__ = ["numbers_of_symbol"]

FARTHEST: Final = 64
"""The least and the largest number of a symbol are looked for so far from 0."""


def numbers_of_symbol(query: Query, symbol: str) -> Interval:
    """Return the numbers that a symbol can have by the facts of a query.

    >>> from dpcomp_sym.model import Domain
    >>> from dpcomp_sym.smt.query import Signature
    >>> domain = Domain({"id": "R"}, symbols={"w": "3 <= w"})
    >>> str(numbers_of_symbol(Query(Signature(domain, {}), domain.symbol_terms), "w"))
    'w >= 3'
    """
    here = query.symbols[symbol]
    if query.check() != logic.sat:
        return Interval(symbol, None, None)
    some = logic.integer_of(query.model(), here)
    if query.check(here != some) == logic.unsat:
        return Interval(symbol, some, some)
    return Interval(
        symbol,
        _least(lambda n: query.check(here <= n) != logic.unsat, some),
        _largest(lambda n: query.check(here >= n) != logic.unsat, some),
    )


def _least(may: Callable[[int], bool], some: int) -> int | None:
    """Return the least n for which some number up to n may be, None if it is far from 0.

    Args:
        may: whether some number up to n may be.
        some: a number that is: most often the least one, or there is none.

    >>> _least(lambda n: n >= 3, 3), _least(lambda n: n >= 3, 5)
    (3, 3)
    >>> _least(lambda n: n >= 65, 70), _least(lambda n: True, 3)
    (None, None)
    """
    if may(-FARTHEST):
        return None
    if -FARTHEST < some <= FARTHEST and not may(some - 1):
        return some
    near = range(-FARTHEST, FARTHEST + 1)
    place = bisect_left(near, x=True, key=may)
    return None if place == len(near) else near[place]


def _largest(may: Callable[[int], bool], some: int) -> int | None:
    """Return the largest n for which some number from n on may be, None if it is far from 0."""
    least = _least(lambda n: may(-n), -some)
    return None if least is None else -least
