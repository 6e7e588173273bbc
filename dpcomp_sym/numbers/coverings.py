"""Which blocks change together: found once for all parameters, since these decide nothing of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final

from dpcomp_sym.numbers.alike import of_each_letter
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import indices, intervals, never_falls, places, totals_of
from dpcomp_sym.statements.terms import KernelError

__all__ = ["MOST_WORK", "afford", "blocks_that_can_count", "coverings"]

MOST_WORK: Final = 4_000_000
"""Of so many blocks it is asked whether they count, all places together."""
KEPT: Final = 16
"""So many answers are kept, each for one bound and numbers of its symbols."""

Covering = tuple[int, ...]
"""For each total, which of the blocks that can count do: a bit for each, the first one lowest."""
Place = tuple[int, ...]


def afford(work: int) -> None:
    """Check that so many blocks are not too many to look at.

    Raises:
        KernelError: they are.
    """
    if work > MOST_WORK:
        raise KernelError("there are too many places to look at")


def coverings(e: t.MaxOver, numbers: Mapping[str, int]) -> Sequence[Covering]:
    """Return which blocks count together in some place, each choice of blocks once.

    Args:
        e: a largest value; its body is a sum of totals over blocks.
        numbers: the numbers of symbols.

    Raises:
        KernelError: there are too many places to look at, or they are not found.

    >>> two = t.Connected("and", (t.Compared("le", t.Letter(1), t.Index(1)),
    ...     t.Compared("lt", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(2))))))
    >>> eps = t.SumOver(("k",), two, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> sorted(bin(c) for c, in coverings(t.MaxOver(1, t.Connected("and", ()), eps), {"k": 3}))
    ['0b0', '0b1', '0b100', '0b11', '0b110']
    """
    totals = totals_of(e.body)
    if any(isinstance(x, t.Amount) for one in totals for x in t.subterms(one)):
        raise KernelError("distances differ from place to place")
    one = t.Num(Fraction(1))
    plain = tuple(t.SumOver(x.sizes, x.when, t.Inf(), one) for x in totals)
    return _coverings(t.MaxOver(e.free, e.facts, t.Sum(plain)), tuple(sorted(numbers.items())))


@lru_cache(maxsize=KEPT)
def _coverings(e: t.MaxOver, numbers: tuple[tuple[str, int], ...]) -> Sequence[Covering]:
    known = dict(numbers)
    totals = totals_of(e.body)
    each = [[b for _, b in blocks_that_can_count(x, known)] for x in totals]
    some = dict.fromkeys(places(e, known))
    afford(len(some) * sum(map(len, each)))
    counting = [_counting(x, here, known) for x, here in zip(totals, each, strict=True)]
    return tuple(dict.fromkeys(tuple(at(place) for at in counting) for place in some))


def _counting(
    one: t.SumOver, among: Sequence[tuple[int, ...]], numbers: Mapping[str, int]
) -> Callable[[Place], int]:
    """Return what says of a place which of some blocks count there, as bits."""
    letters = sorted({x.number for x in t.subterms(one.when) if isinstance(x, t.Letter)})
    when = of_each_letter(one.when, "or", letters)
    alike = None
    if when is not None:
        with suppress(KernelError):
            alike = [intervals(when, Values(numbers, (), b)) for b in among]
    if alike is not None:

        def at(place: Place) -> int:
            given = [place[n - 1] for n in letters]
            return sum(
                1 << n for n, where in enumerate(alike)
                if any(low <= x <= high for low, high in where for x in given)
            )  # fmt: skip
    else:

        def at(place: Place) -> int:
            return sum(
                1 << n for n, b in enumerate(among) if Values(numbers, place, b).hold(one.when)
            )

    return at


def _with_value(
    e: t.Whole, value: int, place: int, some: range, numbers: Mapping[str, int]
) -> range:
    """Return the indices at a place, of some in order, at which what never falls has a value."""

    def there(n: int) -> int:
        return Values(numbers, (), (0,) * (place - 1) + (n,)).of(e)

    low = bisect_left(some, value, key=there)
    return some[low : bisect_right(some, value, lo=low, key=there)]


def blocks_that_can_count(
    one: t.SumOver, numbers: Mapping[str, int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the blocks that can count, whatever the integers are, each after its place in order.

    What a condition says of the indices alone leaves few of them, where it gives some their values.
    """
    when = one.when
    every = when.items if isinstance(when, t.Connected) and when.word == "and" else (when,)
    alone = [p for p in every if not any(isinstance(x, t.Letter) for x in t.subterms(p))]
    every_index = indices(one.sizes, numbers)
    ranges = list(every_index)
    for p in alone:
        if isinstance(p, t.Compared) and p.word == "eq" and isinstance(p.right, t.Integer):
            named = t.indices_named(p.left)
            if len(named) == 1 and never_falls(p.left):
                n = named[0]
                ranges[n - 1] = _with_value(p.left, p.right.value, n, ranges[n - 1], numbers)
    for block in product(*ranges):
        here = Values(numbers, (), block)
        if all(here.hold(p) for p in alone):
            place = 0
            for index, of in zip(block, every_index, strict=True):
                place = place * len(of) + index - 1
            yield place, block
