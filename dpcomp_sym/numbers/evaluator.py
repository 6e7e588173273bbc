"""The evaluator: what an expression of a theorem is in numbers, fast for a million blocks.

One method for each kind of expression.  Exact where the numbers are; where a choice of blocks has
many candidates, floats find those that can matter, and exact numbers decide among them.
Infinity is ``math.inf``, and 0 times infinity is 0.
"""

from __future__ import annotations

import heapq
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby, repeat
from typing import Final

from dpcomp_sym.algebra.sizes import covers
from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers.assignment import largest_assignment
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.columns import Numbers, ParameterTable, Sizes, block_size, size_of
from dpcomp_sym.numbers.curves import gaussian_delta, zcdp_epsilon
from dpcomp_sym.numbers.exact import (
    Real,
    as_float,
    exponential,
    gdp_squared,
    growth,
    is_infinite,
    path_mu_squared,
    path_rho,
    root,
    square,
    tanh,
    tidy,
    times,
)
from dpcomp_sym.numbers.near import as_floats, near, not_below
from dpcomp_sym.numbers.sums import total, total_of_squares
from dpcomp_sym.numbers.together import largest_covered, largest_together
from dpcomp_sym.statements import terms as t

__all__ = ["Evaluator", "evaluate", "largest", "symbols"]

_EXACT_TERMS: Final = 1000


def evaluate(e: t.Expr, table: ParameterTable, sizes: Sizes) -> Real:
    """Return the value of an expression that depends on no single block.

    Args:
        e: the expression.
        table: the numbers of its parameters.
        sizes: the numbers of its sizes.

    Raises:
        InputError: (a ``ValueError``) for missing numbers, and for a sum or product that no block
            closes.

    >>> eps = t.BlockEntry("eps", ("k",))
    >>> two = t.Worst(("k",), (t.Choice(t.Num(Fraction(2)), eps),))
    >>> table = ParameterTable.plain({("eps", ("k",)): [1, Fraction(1, 2), 3]})
    >>> evaluate(t.Product((t.Num(Fraction(2)), two)), table, {"k": 3})
    8
    """
    return tidy(Evaluator(table, sizes).of(e))


def symbols(e: t.Expr, sizes: Sizes) -> set[str]:
    """Return the sizes that the value of an expression needs, cases that do not hold left out.

    >>> symbols(t.Product((t.Size("r"), t.Worst(("k",), ()))), {}) == {"r", "k"}
    True
    """
    found: set[str] = set()
    for inner in t.subterms(_in_its_cases(e, sizes)):
        if isinstance(inner, t.Size | t.Symbol):
            found.add(inner.name)
        found |= {s for s in getattr(inner, "sizes", ()) if isinstance(s, str)}
    return found


def speaks_of(where: t.Where, sizes: Sizes) -> bool:
    """Return whether a box holds some sizes that agree with the given ones.

    >>> box = (t.SizeRange("k", 2, None),)
    >>> speaks_of(box, {"k": 1}), speaks_of(box, {"w": 1})
    (False, True)
    """
    return all(
        r.symbol not in sizes
        or (r.low <= sizes[r.symbol] and (r.high is None or sizes[r.symbol] <= r.high))
        for r in where
    )


def _in_its_cases(e: t.Expr, sizes: Sizes) -> t.Expr:
    """Return what an expression is for the given sizes: the largest of the cases that may hold."""
    if not isinstance(e, t.Cases):
        return e
    holding: list[t.Expr] = []
    left: list[t.Where] = []
    for case in e.items:
        if speaks_of(case.where, sizes) and not covers(tuple(left), ()):
            holding.append(case.value)
            left.append(tuple(r for r in case.where if r.symbol not in sizes))
    if not covers(tuple(left), ()):
        return t.Inf()
    return t.Max(tuple(holding))


class Evaluator:
    """The values of expressions, for the numbers of parameters and sizes."""

    def __init__(self, table: ParameterTable, sizes: Sizes) -> None:
        """Take the numbers."""
        self.table = table
        self.sizes = sizes

    def of(self, e: t.Expr) -> Real:
        """Return the value of an expression that depends on no single block."""
        match e:
            case t.Num(value):
                return value
            case t.Inf():
                return math.inf
            case t.Param(name):
                return self.single(name)
            case t.EntryOf(name, family, block):
                return self.table.number(name, family, block, self.sizes)
            case t.Size(name):
                return size_of(name, self.sizes)
            case t.Sum(items):
                return total([self.of(i) for i in items])
            case t.Product(items):
                powers = ((self.of(i), len(list(run))) for i, run in groupby(items))
                return _product(_power(x, n) for x, n in powers)
            case t.Max(items):
                return max((self.of(i) for i in items), default=0)
            case t.Sqrt(of):
                return _root(self.of(of))
            case t.Apply(name, items):
                return FUNCTIONS[name](*(self.of(i) for i in items))
            case t.Worst():
                return self.worst(e)
            case t.MaxOver():
                return largest_together(e, self.sizes, self.rows, self.of)
            case t.Coverage():
                return largest_covered(e, self.sizes, self.rows, self.of)
            case t.Cases():
                return self.of(_in_its_cases(e, self.sizes))
            case _:
                raise InputError(f"{e.text()} has no value outside its block")

    def single(self, name: str) -> Real:
        """Return the number of a parameter of a single part."""
        number = self.table.column(name, ()).constant
        if number is None:
            raise InputError(f"{name} is one number, not a list", word=name)
        return number

    def blocks(self, family: t.Sizes) -> int:
        """Return the number of blocks of a family."""
        return math.prod(block_size(size, self.sizes) for size in family)

    def count(self, count: t.Expr, blocks: int) -> int:
        """Return how many of these blocks a group takes at most."""
        value = self.of(count)
        return int(value) if isinstance(value, int | Fraction) else blocks

    # ------------------------------------------------------------ choices of blocks

    def worst(self, e: t.Worst) -> Real:
        """Return the largest sum over all choices of different blocks."""
        n = self.blocks(e.sizes)
        groups = self.groups(e, n)
        if not groups:
            return 0
        entries = [self.entries(value, e.sizes) for value, _ in groups]
        if any(column.infinite() for columns in entries for column in columns):
            return math.inf
        wanted = min(n, sum(count for _, count in groups))
        if all(column.constant is not None for columns in entries for column in columns):
            one = [(self.rows(value, e.sizes, [0])[0], count) for value, count in groups]
            return _fill(one, n)
        powers = [self.as_power(value, e.sizes) for value, _ in groups]
        known = [p for p in powers if p is not None]
        if len(known) == len(groups) and len({p[1:] for p in known}) == 1:
            ((name, exponent),) = {p[1:] for p in known}
            runs = [(p[0], count) for p, (_, count) in zip(known, groups, strict=True)]
            return self.rearranged(self.table.column(name, e.sizes), exponent, runs, wanted)
        if len(groups) == 1:
            return self.largest_total(groups[0][0], e.sizes, wanted)
        kept = self.candidates([value for value, _ in groups], e.sizes, wanted)
        rows = [self.rows(value, e.sizes, kept) for value, _ in groups]
        return largest_assignment([count for _, count in groups], rows)

    def groups(self, e: t.Worst, n: int) -> list[tuple[t.Expr, int]]:
        """Return the values that blocks can have, each with how many blocks of n at most."""
        merged: dict[t.Expr, int] = {}
        for group in e.groups:
            count = self.count(group.count, n)
            if count > 0:
                merged[group.value] = merged.get(group.value, 0) + count
        return [(value, min(count, n)) for value, count in merged.items()]

    def entries(self, value: t.Expr, family: t.Sizes) -> list[Numbers]:
        """Return the parameters of the blocks that a value is made of."""
        inside = dict.fromkeys(x for x in t.subterms(value) if isinstance(x, t.BlockEntry))
        return [self.table.column(x.name, family) for x in inside if x.sizes == family]

    def as_power(self, value: t.Expr, family: t.Sizes) -> tuple[Real, str, int] | None:
        """Return a value as a number times a power of one parameter; None for other forms."""
        name, exponent, number = "", 0, []
        for factor in _factors(value):
            if isinstance(factor, t.BlockEntry):
                if name not in {"", factor.name}:
                    return None
                name, exponent = factor.name, exponent + 1
            elif family in t.open_sizes(factor):
                return None
            else:
                number.append(self.of(factor))
        return (_product(number), name, exponent) if name else None

    def rearranged(
        self, column: Numbers, exponent: int, runs: Sequence[tuple[Real, int]], wanted: int
    ) -> Real:
        """Pair the largest factors with the largest numbers (rearrangement inequality)."""
        if len(runs) == 1 and wanted >= len(column.items):
            top: Sequence[Real] = column.items
        else:
            top = largest(column.items, wanted)
        pieces: list[Real] = []
        start = 0
        for factor, count in sorted(runs, key=operator.itemgetter(0), reverse=True):
            chunk = top if start == 0 and count >= len(top) else top[start : start + count]
            start += count
            if chunk:
                pieces.append(_times(_total_of_powers(chunk, exponent), factor))
        return total(pieces)

    def largest_total(self, value: t.Expr, family: t.Sizes, wanted: int) -> Real:
        """Return the sum of the largest values of blocks; exact where that stays readable."""
        if wanted > _EXACT_TERMS and any(isinstance(x, t.Apply) for x in t.subterms(value)):
            rough = self.near(value, family) or as_floats(self.rows(value, family))
            return math.fsum(heapq.nlargest(wanted, rough))
        rows = self.rows(value, family, self.candidates([value], family, wanted))
        return total(rows if wanted >= len(rows) else largest(rows, wanted))

    def candidates(
        self, values: Sequence[t.Expr], family: t.Sizes, wanted: int
    ) -> Sequence[int] | None:
        """Return the blocks that can matter, found with floats; None: all of them."""
        n = self.blocks(family)
        if n <= _EXACT_TERMS or 5 * wanted > n:
            return None
        kept: set[int] = set()
        for value in values:
            rough = self.near(value, family)
            if rough is None:
                return None
            limit = not_below(min(heapq.nlargest(wanted, rough)))
            near = [b for b, x in enumerate(rough) if x >= limit]
            if len(near) > 2 * wanted + _EXACT_TERMS:
                # Many ties: as many equal blocks as all groups take together are enough,
                # where they are equal indeed; otherwise everything stays.
                near = self.without_copies(values, family, near, wanted)
            kept.update(near)
        return sorted(kept)

    def without_copies(
        self, values: Sequence[t.Expr], family: t.Sizes, blocks: Sequence[int], wanted: int
    ) -> list[int]:
        """Keep only so many blocks with the same parameters as can be used."""
        n = self.blocks(family)
        columns = [c.listed(n) for value in values for c in self.entries(value, family)]
        seen: Counter[tuple[Real, ...]] = Counter()
        result = []
        for b in blocks:
            row = tuple(column[b] for column in columns)
            seen[row] += 1
            if seen[row] <= wanted:
                result.append(b)
        return result

    # ------------------------------------------------------------ block by block

    def rows(self, e: t.Expr, family: t.Sizes, kept: Sequence[int] | None = None) -> Sequence[Real]:
        """Return the values of an expression for all blocks of a family, or for some."""
        return _Rows(self, family, kept).of(e)

    def near(self, e: t.Expr, family: t.Sizes) -> list[float] | None:
        """Return floats near the values for all blocks of a family; None where there are none."""
        return near(e, family, lambda inner: self.rows(inner, family))


class _Rows:
    """The values of expressions block by block: a list, as long as there are blocks."""

    def __init__(self, evaluator: Evaluator, family: t.Sizes, kept: Sequence[int] | None) -> None:
        self.evaluator = evaluator
        self.family = family
        self.kept = kept

    def of(self, e: t.Expr) -> Sequence[Real]:
        if self.family not in t.open_sizes(e):
            one = self.evaluator.of(e)
            return [one] * self.length
        match e:
            case t.BlockEntry(name):
                return self.entry(name)
            case t.Sum(items):
                return reduce(lambda a, b: list(map(_plus, a, b)), map(self.of, items))
            case t.Product():
                return self.product(Counter(_factors(e)))
            case t.Max(items):
                return list(map(max, zip(*map(self.of, items), strict=True)))
            case t.Sqrt(of):
                return [_root(x) for x in self.of(of)]
            case t.Apply(name, items):
                return self.applied(name, [self.of(i) for i in items])
            case _:
                raise InputError(f"{e.text()} has no value for each block")

    @property
    def length(self) -> int:
        return self.evaluator.blocks(self.family) if self.kept is None else len(self.kept)

    def entry(self, name: str) -> Sequence[Real]:
        column = self.evaluator.table.column(name, self.family)
        if column.constant is not None:
            return [column.constant] * self.length
        if self.kept is not None:
            return [column.items[b] for b in self.kept]
        return column.items

    def product(self, factors: Mapping[t.Expr, int]) -> list[Real]:
        powers = ([_power(x, n) for x in self.of(factor)] for factor, n in factors.items())
        return reduce(lambda a, b: list(map(_times, a, b)), powers)

    def applied(self, name: str, rows: Sequence[Sequence[Real]]) -> list[Real]:
        known: dict[tuple[Real, ...], Real] = {}
        found = []
        for arguments in zip(*rows, strict=True):
            if arguments not in known:
                known[arguments] = FUNCTIONS[name](*arguments)
            found.append(known[arguments])
        return found


def _factors(e: t.Expr) -> list[t.Expr]:
    """Return the factors of a product, with those of products in it."""
    if isinstance(e, t.Product):
        return [x for item in e.items for x in _factors(item)]
    return [e]


# ---------------------------------------------------------------- arithmetic of [0, inf]


def _plus(a: Real, b: Real) -> Real:
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a + b
    return total([a, b])


def _times(a: Real, b: Real) -> Real:
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a * b
    if a == 0 or b == 0:
        return 0
    return math.inf if is_infinite(a) or is_infinite(b) else times(a, b)


def _product(items: Iterable[Real]) -> Real:
    one: Real = 1
    return reduce(_times, items, one)


def _power(x: Real, n: int) -> Real:
    """Return a power: squares first, so that a root is drawn out."""
    if n == 1:
        return x
    squares = _product(repeat(square(x), n // 2))
    return _times(squares, x) if n % 2 else squares


def _total_of_powers(items: Sequence[Real], n: int) -> Real:
    if n == 1:
        return total(items)
    return total_of_squares(items) if n == 2 else total([_power(x, n) for x in items])


def _root(x: Real) -> Real:
    return x if is_infinite(x) else root(x)


def _growth(eps: Real, r: Real) -> Real:
    """Return (e^(r eps) - 1)/(e^eps - 1), or r for eps = 0."""
    if is_infinite(eps) or is_infinite(r):
        return math.inf if r > 1 else 0 if r < 1 else 1
    return growth(eps, r if isinstance(r, int | Fraction) else Fraction(as_float(r)))


def _gdp(eps: Real) -> Real:
    return _root(math.inf if is_infinite(eps) else gdp_squared(eps))


def _tanh(x: Real) -> Real:
    return 1 if is_infinite(x) else tanh(x)


def _exp(x: Real) -> Real:
    return math.inf if is_infinite(x) else exponential(x)


def _path_rho(eps: Real, r: Real) -> Real:
    far = eps != 0 and r != 0 and (is_infinite(eps) or is_infinite(r))
    return math.inf if far else path_rho(eps, r)


def _path_mu(eps: Real, r: Real) -> Real:
    far = eps != 0 and r >= 1 and (is_infinite(eps) or is_infinite(r))
    return math.inf if far else _root(path_mu_squared(eps, r))


FUNCTIONS: Final[Mapping[str, Callable[..., Real]]] = {
    "growth": _growth,
    "gdp": _gdp,
    "tanh": _tanh,
    "exp": _exp,
    "path_rho": _path_rho,
    "path_mu": _path_mu,
    "zcdp_epsilon": zcdp_epsilon,
    "gaussian_delta": gaussian_delta,
}
"""What the named functions of expressions are in numbers."""


# ---------------------------------------------------------------- many numbers


def largest(values: Sequence[Real], n: int) -> list[Real]:
    """Return the n largest numbers, largest first (all of them if there are fewer).

    Floats decide where they can, so that a million fractions need few exact comparisons.

    >>> largest([1, 3, Fraction(5, 2), 2], 2)
    [3, Fraction(5, 2)]
    """
    if isinstance(values, Column):
        return list(values.largest(n))
    items = list(values)
    if set(map(type, items)) <= {int, float}:
        return heapq.nlargest(n, items)
    rough = as_floats(items)
    limit = not_below(min(heapq.nlargest(n, rough)))
    order = [j for j, x in enumerate(rough) if x >= limit]
    # Nearly in order, so that few exact comparisons are needed.
    order.sort(key=rough.__getitem__, reverse=True)
    return sorted((items[j] for j in order), reverse=True)[:n]


def _fill(costs: list[tuple[Real, int]], n: int) -> Real:
    """Return the sum when costs are taken largest first, each up to its count, n in all."""
    left = n
    pieces: list[Real] = []
    for cost, count in sorted(costs, key=operator.itemgetter(0), reverse=True):
        take = min(count, left)
        pieces.append(_times(cost, take))
        left -= take
    return total(pieces)
