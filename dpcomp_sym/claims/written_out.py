"""Maxima over integers at given sizes, written out as maxima of sums of numbered entries.

That is what a refutation is re-checked with: it needs no words for integers and conditions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import (
    Form,
    blocks,
    by_indices,
    choices,
    covers_block,
    forms,
    linear,
    of_each_number,
    places,
    sums_of,
    tried,
    with_integers_given,
)
from dpcomp_sym.statements.remainders import by_remainders

__all__ = ["speaks_of_integers", "written_out"]

MOST_BLOCKS: Final = 64
MOST_TERMS: Final = 20_000
MOST_CHOICES: Final = 200
_ZERO: Final = k.Num(Fraction(0))


def speaks_of_integers(e: k.Expr) -> bool:
    """Return whether an expression has maxima over integers, conditions or amounts in it."""
    return any(isinstance(x, k.MaxOver | k.SumOver | k.Amount) for x in k.subterms(e))


def written_out(e: k.Expr, sizes: Mapping[str, int]) -> k.Expr:
    """Return an equal expression without maxima over integers, conditions and amounts.

    Args:
        e: the expression.
        sizes: numbers for all sizes and symbols in it.

    Raises:
        KernelError: it cannot be written out, or would be too long.

    >>> t, i = k.Letter(1), k.Index(1)
    >>> two = k.Connected("and", (k.Compared("le", t, i),
    ...     k.Compared("lt", i, k.Combined("add", (t, k.Integer(2))))))
    >>> days = k.SumOver(("k",), two, k.Inf(), k.BlockEntry("eps", ("k",)))
    >>> written_out(k.MaxOver(1, k.Connected("and", ()), days), {"k": 3}).text()
    'max(eps[1], eps[1] + eps[2], eps[2] + eps[3], eps[3])'
    """
    if not speaks_of_integers(e):
        return e
    found = _Written(Values(sizes)).of(e)
    if sum(isinstance(x, k.EntryOf) for x in _all_terms(found)) > MOST_TERMS:
        raise k.KernelError("it is too long when it is written out")
    return found


def _all_terms(e: k.Expr) -> Iterator[k.Expr]:
    """Yield all expressions inside, as often as they occur."""
    yield e
    match e:
        case k.Sum(items) | k.Product(items) | k.Max(items) | k.Apply(_, items):
            for item in items:
                yield from _all_terms(item)
        case k.Sqrt(of):
            yield from _all_terms(of)
        case _:
            pass


@dataclass(frozen=True)
class _Written:
    """What letters, symbols and the indices of the block at hand stand for."""

    values: Values
    block: tuple[k.Sizes, tuple[int, ...]] | None = None
    some: tuple[tuple[int, ...], ...] | None = None
    """Where a condition holds at one of several places: these."""

    def of(self, e: k.Expr) -> k.Expr:
        match e:
            case k.MaxOver():
                return self.over_integers(e)
            case k.Coverage():
                return self.over_choices(e)
            case k.SumOver():
                return self.total(e)
            case k.Amount(of):
                return k.Num(Fraction(max(0, self.values.of(of))))
            case k.BlockEntry(name, sizes) if self.block is not None and sizes == self.block[0]:
                numbers = tuple(s if isinstance(s, int) else self.values.symbols[s] for s in sizes)
                return k.EntryOf(name, numbers, self.block[1])
            case k.Sum(items) | k.Product(items) | k.Max(items):
                return type(e)(tuple(map(self.of, items)))
            case k.Apply(name, items):
                return k.Apply(name, tuple(map(self.of, items)))
            case k.Sqrt(of):
                return k.Sqrt(self.of(of))
            case _ if speaks_of_integers(e):
                raise k.KernelError(f"{e.text()} is not written out")
            case _:
                return e

    def over_integers(self, e: k.MaxOver) -> k.Expr:
        """Return the largest value, or the sum of one for each index that letters depend on."""
        symbols = self.values.symbols
        counted = of_each_number(e, symbols)
        if counted is not None:
            items = tuple(dict.fromkeys(map(self.over_integers, counted)))
            return items[0] if len(items) == 1 else k.Max(items) if items else _ZERO
        found = []
        for given in with_integers_given(e, symbols):
            each = tuple(map(self.largest, by_indices(given, symbols)))
            found.append(each[0] if len(each) == 1 else k.Sum(each))
        items = tuple(dict.fromkeys(found))
        return items[0] if len(items) == 1 else k.Max(items) if items else _ZERO

    def over_choices(self, e: k.Coverage) -> k.Expr:
        """Return the largest value over what several choices of integers cover."""
        each = by_indices(e.most, self.values.symbols)
        covered = tuple(self.covered(k.Coverage(e.times, x)) for x in each)
        return covered[0] if len(covered) == 1 else k.Sum(covered)

    def covered(self, e: k.Coverage) -> k.Expr:
        """Return the largest value over what several choices of integers cover, none a function."""
        symbols = self.values.symbols
        items = tuple(dict.fromkeys(
            replace(self, some=some).of(e.most.body) for some in choices(e, symbols)
        ))  # fmt: skip
        return items[0] if len(items) == 1 else k.Max(items) if items else _ZERO

    def largest(self, e: k.MaxOver) -> k.Expr:
        symbols = self.values.symbols
        many = sum(len(blocks(total.sizes, symbols)) for total in sums_of(e))
        if many > MOST_BLOCKS:
            raise k.KernelError(f"{many} blocks are not written out, at most {MOST_BLOCKS}")
        some = (
            ((x, at) for x in by_remainders(e, symbols) for at in _places_of_varying(x, symbols))
            if _varying(e)
            else ((e, at) for at in places(e, symbols))
        )
        values = dict.fromkeys(_Written(Values(symbols, at)).of(x.body) for x, at in some)
        items = tuple(x for x in values if x not in {_ZERO, k.Sum(())})
        return items[0] if len(items) == 1 else k.Max(items) if items else _ZERO

    def total(self, e: k.SumOver) -> k.Expr:
        """Return the total over the blocks with the condition."""
        found = []
        for block in blocks(e.sizes, self.values.symbols):
            here = Values(self.values.symbols, self.values.letters, block)
            if here.hold(e.when) if self.some is None else covers_block(e, self.some, here):
                found.append(_Written(here, (e.sizes, block)).of(e.value))
        if isinstance(e.count, k.Inf):
            return found[0] if len(found) == 1 else k.Sum(tuple(found))
        most = _whole(e.count, self.values.symbols)
        if math.comb(len(found), min(most, len(found))) > MOST_CHOICES:
            raise k.KernelError(f"the {most} largest of {len(found)} blocks are not written out")
        chosen = itertools.combinations(found, min(most, len(found)))
        return k.Max(tuple(k.Sum(choice) for choice in chosen))


def _has_letters(e: k.KernelTerm) -> bool:
    return any(isinstance(x, k.Letter) for x in k.subterms(e))


def _varying(e: k.MaxOver) -> bool:
    """Return whether distances vary with the letters."""
    return any(isinstance(x, k.Amount) and _has_letters(x) for x in k.subterms(e.body))


def _whole(e: k.Expr, symbols: Mapping[str, int]) -> int:
    """Return a number of blocks."""
    match e:
        case k.Num(value) if value.denominator == 1:
            return value.numerator
        case k.Size(name):
            return Values(symbols).of(k.Symbol(name))
        case k.Sum(items):
            return sum(_whole(x, symbols) for x in items)
        case k.Product(items):
            return math.prod(_whole(x, symbols) for x in items)
        case k.Max(items):
            return max((_whole(x, symbols) for x in items), default=0)
        case _:
            raise k.KernelError(f"no number of blocks: {e.text()}")


# ------------------------------------------------------------- distances that vary


def _places_of_varying(e: k.MaxOver, symbols: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return places among which a largest value is attained where distances vary with one letter.

    Where no condition changes its sign and no minimum or maximum its course, distances are 0 or
    linear, and what grows with them convexly is largest at an end.  Beyond the last place nothing
    may vary.
    """
    if e.free != 1:
        raise k.KernelError("distances vary with several integers")
    found = set(forms(e.facts, 1, Values(symbols)))
    totals = sums_of(e)
    inside = {x for total in totals for x in k.subterms(total.value) if isinstance(x, k.Amount)}
    if {x for x in k.subterms(e.body) if isinstance(x, k.Amount)} - inside:
        raise k.KernelError("a distance stands outside of all totals")
    for total in totals:
        if not _convex(total.value) or not isinstance(total.count, k.Inf):
            raise k.KernelError("a total is no sum of values that grow convexly with distances")
        for block in blocks(total.sizes, symbols):
            here = Values(symbols, (), block)
            found.update(forms(total.when, 1, here))
            for amount in (x for x in k.subterms(total.value) if isinstance(x, k.Amount)):
                found.update(_turns(amount.of, here))
    every = list(tried(found, 1))
    if any(_varies(e, symbols, at) for at in (every[0], every[-1])):
        raise k.KernelError("distances may grow without an end")
    return [at for at in every if Values(symbols, at).hold(e.facts)]


def _varies(e: k.MaxOver, symbols: Mapping[str, int], at: tuple[int, ...]) -> bool:
    """Return whether a block counts in a place whose distance depends on the place."""
    return Values(symbols, at).hold(e.facts) and any(
        Values(symbols, at, block).hold(total.when)
        for total in sums_of(e) if _has_letters(total.value)
        for block in blocks(total.sizes, symbols)
    )  # fmt: skip


def _convex(e: k.Expr) -> bool:
    """Return whether a value is convex and grows where all of its distances are convex."""
    match e:
        case k.Sum(items) | k.Max(items):
            return all(map(_convex, items))
        case k.Product(items):
            varying = {x for x in items if _has_letters(x)}
            return len(varying) < 2 and all(map(_convex, varying))
        case k.Apply("growth", (eps, k.Amount())):
            return not _has_letters(eps)
        case _:
            return isinstance(e, k.Amount) or not _has_letters(e)


def _turns(e: k.Whole, here: Values) -> Iterator[Form]:
    """Yield forms whose signs tell on which course an integer is.

    Raises:
        KernelError: between them it is not linear in the letter.
    """
    match e:
        case k.Combined("add" | "neg", items):
            pass
        case k.Combined("mul", items):
            if sum(map(_has_letters, items)) > 1:
                raise k.KernelError("a distance is not linear in the integer")
        case k.Combined("min" | "max", items):
            for a, b in itertools.combinations(items, 2):
                yield linear(k.Combined("add", (a, k.Combined("neg", (b,)))), 1, here)
        case _ if isinstance(e, k.Letter) or not _has_letters(e):
            return
        case _:
            linear(e, 1, here)
            return
    for item in items:
        yield from _turns(item, here)
