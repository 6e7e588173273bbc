"""How many blocks satisfy a condition, whatever the letters in it are.

A condition is read as cases of linear inequalities.  In each case an index lies between two ends
whose distance is known, is free, or has one value for each choice of the others.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from dpcomp_sym.statements.terms import (
    Combined,
    Compared,
    Connected,
    Expr,
    Index,
    Integer,
    KernelError,
    Num,
    Predicate,
    Product,
    Size,
    Sizes,
    Sum,
    SumOver,
    Symbol,
    Whole,
    indices_named,
)

__all__ = ["Places", "places_of"]

Linear = dict[tuple[Whole, ...], int]
"""A polynomial in what is no sum, product or number: products of these, with factors."""
Places = tuple[Expr, Expr, Expr]
"""c, a and b: there are no more blocks than an integer n with a <= c n + b."""

MOST_CASES: Final = 16
_ONE: Final[Linear] = {(): 1}
_MINUS: Final[Linear] = {(): -1}


def places_of(total: SumOver) -> list[list[Places]]:
    """Return how many blocks are in each case of the condition of a total.

    For each case these are ways to bound them by c, a and b: there are at most n blocks for every
    integer n with a <= c n + b.  Among these is one with c = 1.

    Raises:
        KernelError: there are too many cases.

    >>> from dpcomp_sym.statements import BlockEntry, Inf, Letter
    >>> to, end = Index(1), Combined("add", (Letter(1), Symbol("w")))
    >>> when = Connected("and", (Compared("le", Letter(1), to), Compared("lt", to, end)))
    >>> found = places_of(SumOver(("k",), when, Inf(), BlockEntry("eps", ("k",))))
    >>> [[[e.text() for e in way] for way in case] for case in found]
    [[['1', '1*w', '0'], ['1', '1*k', '0*k']]]
    """
    orders = list(itertools.permutations(range(1, len(total.sizes) + 1)))
    return [
        [way for order in orders for way in _ways(rows, total.sizes, order)]
        for rows in _cases(total.when)
    ]


def _ways(rows: Sequence[Linear], sizes: Sizes, order: Sequence[int]) -> Iterator[Places]:
    """Yield bounds of how many blocks there are, index by index in an order.

    One that the indices before it determine adds nothing, one that is free its size, and one of
    them may lie between two ends.
    """
    options: list[list[tuple[Linear, Linear, tuple[Expr, ...]]]] = []
    for n, index in enumerate(order):
        ends = list(_lengths(rows, index, frozenset(order[n:])))
        size = sizes[index - 1]
        every = Size(size) if isinstance(size, str) else Num(Fraction(size))
        if any(c == length for c, length in ends):
            options.append([(_ONE, _ONE, ())])
        else:
            known = [x for x in ends if all(map(_symbolic, x))]
            options.append([*((*x, ()) for x in known), (_ONE, _ONE, (every,))])
    for choice in itertools.product(*options):
        free = tuple(x for _, _, times in choice for x in times)
        between = [(c, length) for c, length, _ in choice if (c, length) != (_ONE, _ONE)]
        c, length = between[0] if between else (_ONE, _ONE)
        if c.keys() == length.keys() == _ONE.keys():  # numbers: so many blocks, rounded up
            c, length = _ONE, {(): -(-length[()] // c[()])}
        if len(between) < 2 and (c == _ONE or not free):
            less = _times(length, _MINUS)
            yield (
                _written(c),
                _product((_written(length), *free)),
                _product((_written(less), *free)),
            )


def _product(items: tuple[Expr, ...]) -> Expr:
    return items[0] if len(items) == 1 else Product(items)


def _lengths(
    rows: Sequence[Linear], index: int, unknown: frozenset[int]
) -> Iterator[tuple[Linear, Linear]]:
    """Yield c and d such that c times an index is one of d successive integers.

    Both are integers, and c is no negative sum; where it is d there is one such index at most.
    """
    parts = [x for row in rows if (x := _parted(row, index, unknown)) is not None]
    for (c, low), (d, high) in itertools.product(parts, repeat=2):
        if min(d.values()) > 0 and c == _times(d, _MINUS):
            yield d, _plus(_times(_plus(low, high), _MINUS), _ONE)


def _parted(row: Linear, index: int, unknown: frozenset[int]) -> tuple[Linear, Linear] | None:
    """Return what an index is multiplied by, and the rest, which must be known before it."""
    factor: Linear = {}
    rest: Linear = {}
    for product, number in row.items():
        others = list(product)
        if Index(index) in others:
            others.remove(Index(index))
        if any(_indices(x) & unknown for x in others):
            return None
        (rest if len(others) == len(product) else factor)[tuple(others)] = number
    return (factor, rest) if factor else None


def _indices(e: Whole) -> set[int]:
    return set(indices_named(e))


def _symbolic(e: Linear) -> bool:
    return all(isinstance(x, Symbol) for product in e for x in product)


def _written(e: Linear) -> Expr:
    """Return the sum of the products with a positive factor, as a number in [0, inf]."""
    items = [
        _product((Num(Fraction(n)), *(Size(x.name) for x in p if isinstance(x, Symbol))))
        for p, n in e.items()
        if n > 0
    ]
    return items[0] if len(items) == 1 else Sum(tuple(items))


# ------------------------------------------------------------- conditions as inequalities


def _cases(p: Predicate) -> list[list[Linear]]:
    """Return a condition as cases of polynomials that are at most 0; what is not said is dropped.

    Raises:
        KernelError: there are too many cases.
    """
    match p:
        case Connected("or", items):
            found = [case for x in items for case in _cases(x)]
        case Connected("and", items):
            each = [_cases(x) for x in items]
            if math.prod(map(len, each)) > MOST_CASES:
                raise KernelError("there are too many cases")
            found = [list(itertools.chain(*choice)) for choice in itertools.product(*each)]
        case Compared("le" | "lt" | "eq" as word, left, right):
            row = _plus(_linear(left), _times(_linear(right), _MINUS))
            back = [_times(row, _MINUS)] if word == "eq" else []
            found = [[_plus(row, _ONE) if word == "lt" else row, *back]]
        case _:
            found = [[]]
    return found


def _linear(e: Whole) -> Linear:
    match e:
        case Integer(value):
            return {(): value} if value else {}
        case Combined("add", items):
            total: Linear = {}
            for x in items:
                total = _plus(total, _linear(x))
            return total
        case Combined("neg", (of,)):
            return _times(_linear(of), _MINUS)
        case Combined("mul", items):
            found = _ONE
            for x in items:
                found = _times(found, _linear(x))
            return found
        case _:
            return {(e,): 1}


def _plus(a: Linear, b: Linear) -> Linear:
    found = Counter(a)
    for product, number in b.items():
        found[product] += number
    return {product: number for product, number in found.items() if number}


def _times(a: Linear, b: Linear) -> Linear:
    found: Linear = {}
    for (p, m), (q, n) in itertools.product(a.items(), b.items()):
        found = _plus(found, {tuple(sorted((*p, *q), key=repr)): m * n})
    return found
