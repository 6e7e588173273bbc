"""The values of expressions at concrete parameters, exactly, by plain loops.

A value is a fraction, the logarithm of a fraction, the square root of one, or infinity.  Where the
result is none of these there is an error, never a float.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from typing import Final

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import (
    blocks,
    by_indices,
    of_each_number,
    places,
    with_integers_given,
)
from dpcomp_sym.statements.terms import KernelError


@dataclass(frozen=True)
class Infinite:
    """Infinity."""


@dataclass(frozen=True)
class Log:
    """The natural logarithm of a fraction that is greater than 1."""

    of: Fraction


@dataclass(frozen=True)
class RootOfFraction:
    """The square root of a fraction that is not a square."""

    of: Fraction


INFINITE: Final = Infinite()
ExactValue = Fraction | Log | RootOfFraction | Infinite
ValueTable = Mapping[str, ExactValue | Sequence[ExactValue] | Mapping[tuple[int, ...], ExactValue]]


def evaluate(
    e: t.Expr,
    values: ValueTable,
    sizes: Mapping[str, int] | None = None,
    block: tuple[int, ...] = (),
) -> ExactValue:
    """Return the value of an expression.

    Args:
        e: the expression.
        values: the parameters; one with a value for each block is a list (blocks count from 1),
            a table from indices to values, or one value for all blocks.
        sizes: the sizes.
        block: the indices of the block at hand.

    Raises:
        KernelError: a parameter is missing, or the value is not a fraction, logarithm or root.

    >>> eps = t.BlockEntry("eps", ("k",))
    >>> two = t.Worst(("k",), (t.Choice(t.Num(Fraction(2)), eps),))
    >>> evaluate(two, {"eps": [Fraction(1), Fraction(3), Fraction(2)]}, {"k": 3})
    Fraction(5, 1)
    """
    return _Evaluation(values, sizes or {}).of(e, block)


@dataclass(frozen=True)
class _Evaluation:
    values: ValueTable
    sizes: Mapping[str, int]
    letters: tuple[int, ...] = ()

    def size(self, size: str | int) -> int:
        if isinstance(size, int):
            return size
        if size not in self.sizes:
            raise KernelError(f"no number for {size}")
        return self.sizes[size]

    def of(self, e: t.Expr, block: tuple[int, ...]) -> ExactValue:
        match e:
            case t.Num(value):
                return value
            case t.Inf():
                return INFINITE
            case t.Param(name) | t.BlockEntry(name):
                return self.parameter(name, block if isinstance(e, t.BlockEntry) else None)
            case t.EntryOf(name, _, here):
                return self.parameter(name, here)
            case t.Size(name):
                return Fraction(self.size(name))
            case t.Sum(items):
                return _total([self.of(x, block) for x in items])
            case t.Product(items):
                found: ExactValue = Fraction(1)
                for x in items:
                    found = _times(found, self.of(x, block))
                return found
            case t.Max(items):
                return _largest([self.of(x, block) for x in items])
            case t.Sqrt(of):
                return _root(self.of(of, block))
            case t.Apply("growth", (eps, r)):
                return _growth(self.of(eps, block), self.of(r, block))
            case t.Worst():
                return self.worst(e)
            case t.Amount(of):
                return Fraction(max(0, self.integers(block).of(of)))
            case t.SumOver():
                return self.total(e)
            case t.MaxOver() if (counted := of_each_number(e, self.sizes)) is not None:
                return _largest([self.of(x, block) for x in counted])
            case t.MaxOver():
                return _largest([
                    _total([self.largest(x) for x in by_indices(given, self.sizes)])
                    for given in with_integers_given(e, self.sizes)
                ])  # fmt: skip
            case t.Coverage(times, most):
                each = by_indices(most, self.sizes)
                return _total([self.covered(t.Coverage(times, x)) for x in each])
            case t.Cases(items):
                for case in items:
                    if all(self.lies(r) for r in case.where):
                        return self.of(case.value, block)
                return INFINITE
            case _:
                raise KernelError(f"{e.text()} has no exact value")

    def parameter(self, name: str, block: tuple[int, ...] | None) -> ExactValue:
        value = self.values.get(name)
        if isinstance(value, Mapping) and block is not None:
            value = value.get(block)
        elif isinstance(value, Sequence) and block is not None and len(block) == 1:
            value = value[block[0] - 1] if 1 <= block[0] <= len(value) else None
        if isinstance(value, Fraction | Log | RootOfFraction | Infinite):
            return value
        raise KernelError(f"no number for {name} at {block}")

    def largest(self, e: t.MaxOver) -> ExactValue:
        """Return the largest value over integers."""
        found_places = [replace(self, letters=at) for at in places(e, self.sizes)]
        return _largest([x.of(e.body, ()) for x in found_places])

    def covered(self, e: t.Coverage) -> ExactValue:
        """Return the largest total over the blocks that count at one of so many places."""
        totals = e.most.body.items if isinstance(e.most.body, t.Sum) else (e.most.body,)
        sets = {
            frozenset(
                (n, b) for n, x in enumerate(totals) if isinstance(x, t.SumOver)
                for b in blocks(x.sizes, self.sizes) if Values(self.sizes, at, b).hold(x.when)
            )
            for at in places(e.most, self.sizes)
        }  # fmt: skip
        times = self.of(e.times, ())
        few = min(int(times), len(sets)) if isinstance(times, Fraction) else len(sets)
        found = [Fraction(0)]
        for some in combinations(sorted(sets, key=sorted), few):
            held = frozenset[tuple[int, tuple[int, ...]]]().union(*some)
            found.append(_total([self.of(totals[n].value, b) for n, b in sorted(held)]))
        return _largest(found)

    def integers(self, block: tuple[int, ...]) -> Values:
        return Values(self.sizes, self.letters, block)

    def total(self, e: t.SumOver) -> ExactValue:
        """Return the largest total of so many blocks with the condition."""
        inside = [b for b in blocks(e.sizes, self.sizes) if self.integers(b).hold(e.when)]
        values = [self.of(e.value, b) for b in inside]
        count = self.of(e.count, ())
        if not isinstance(count, Fraction):
            return _total(values)
        chosen: list[ExactValue] = []
        while values and len(chosen) < count:
            chosen.append(_largest(values))
            values.remove(chosen[-1])
        return _total(chosen)

    def lies(self, r: t.SizeRange) -> bool:
        size = self.size(r.symbol)
        return r.low <= size and (r.high is None or size <= r.high)

    def worst(self, e: t.Worst) -> ExactValue:
        """Go through the blocks; each joins a group that has room, or none."""
        blocks = list(product(*(range(1, self.size(s) + 1) for s in e.sizes)))
        rooms = []
        for group in e.groups:
            room = self.of(group.count, ())
            rooms.append(len(blocks))
            if isinstance(room, Fraction):
                rooms[-1] = min(room.numerator, len(blocks))
        best: dict[tuple[int, ...], ExactValue] = {tuple(rooms): Fraction(0)}
        for block in blocks:
            gains = [self.of(group.value, block) for group in e.groups]
            following = dict(best)
            for left, value in best.items():
                for n, gain in enumerate(gains):
                    if left[n]:
                        rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                        total = _total([value, gain])
                        following[rest] = _largest([following.get(rest, Fraction(0)), total])
            best = following
        return _largest(list(best.values()))


def _total(items: list[ExactValue]) -> ExactValue:
    kept = [x for x in items if x != 0]
    if INFINITE in kept:
        return INFINITE
    fractions = [x for x in kept if isinstance(x, Fraction)]
    logs = [x.of for x in kept if isinstance(x, Log)]
    if len(fractions) == len(kept):
        return sum(fractions, Fraction(0))
    if len(logs) == len(kept):
        found = Fraction(1)
        for x in logs:
            found *= x
        return Log(found)
    if len(kept) == 1:
        return kept[0]
    raise KernelError("this sum has no exact value")


def _times(a: ExactValue, b: ExactValue) -> ExactValue:
    if 0 in {a, b}:
        return Fraction(0)
    match a, b:
        case (Infinite(), _) | (_, Infinite()):
            return INFINITE
        case Fraction(), Fraction():
            return a * b
        case (Fraction(denominator=1) as n, Log(q)) | (Log(q), Fraction(denominator=1) as n):
            return Log(q**n.numerator)
        case ((Fraction() | RootOfFraction()), (Fraction() | RootOfFraction())):
            return _root(_square(a) * _square(b))
        case _:
            raise KernelError("this product has no exact value")


def _square(a: Fraction | RootOfFraction) -> Fraction:
    return a.of if isinstance(a, RootOfFraction) else a * a


def _root(a: ExactValue) -> ExactValue:
    if isinstance(a, Infinite):
        return a
    if not isinstance(a, Fraction):
        raise KernelError("this root has no exact value")
    up, down = isqrt(a.numerator), isqrt(a.denominator)
    square = up * up == a.numerator and down * down == a.denominator
    return Fraction(up, down) if square else RootOfFraction(a)


def _at_most(a: ExactValue, b: ExactValue) -> bool:
    match a, b:
        case _, Infinite():
            return True
        case Infinite(), _:
            return False
        case Log(p), Log(q):
            return p <= q
        case ((Fraction() | RootOfFraction()), (Fraction() | RootOfFraction())):
            return _square(a) <= _square(b)
        case _:
            if 0 not in {a, b}:
                raise KernelError("these numbers cannot be compared exactly")
            return a == 0


def _largest(items: list[ExactValue]) -> ExactValue:
    found: ExactValue = Fraction(0)
    for x in items:
        if not _at_most(x, found):
            found = x
    return found


def _growth(eps: ExactValue, r: ExactValue) -> ExactValue:
    """Return (e^(r eps) - 1)/(e^eps - 1), or r if eps is 0."""
    if eps == 0:
        return r
    if INFINITE in {eps, r}:
        return r if r == 1 else INFINITE if _at_most(Fraction(1), r) else Fraction(0)
    if isinstance(eps, Log) and isinstance(r, Fraction) and r.denominator == 1:
        return (eps.of**r.numerator - 1) / (eps.of - 1)
    raise KernelError("this growth has no exact value")
