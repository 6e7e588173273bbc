"""Which blocks change together where integers tell it, written out: a vector for each place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym import statements as t
from dpcomp_sym.numbers.alike import of_each_letter
from dpcomp_sym.profile import All, Group, Infinity, Number, Symbolic, Total, Varying, Vector
from dpcomp_sym.statements import KernelError
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import blocks, intervals, places

__all__ = ["placed"]

MOST_WORK: Final = 100_000
"""Where there are more blocks at all places together than that, nothing is written out."""

Seen = int | Fraction | Infinity
Changed = Mapping[tuple[str, tuple[int, ...]], tuple[tuple[str, Seen], ...]]
"""The blocks that change, with the distances at which the parts see them."""


def placed(
    vector: Vector, families: Mapping[str, t.Sizes], sizes: Mapping[str, int]
) -> list[Vector] | None:
    """Return vectors that name the blocks that change, which integers tell in a vector.

    Args:
        vector: groups of blocks.
        families: map → the sizes of its indices.
        sizes: numbers for all symbols.

    Returns:
        the largest ones; the vector itself, where no integers choose the blocks; None where it
        cannot be written out: a number is missing, not all blocks that integers choose change,
        integers are functions of an index, or there are too many places.

    >>> one = t.Compared("eq", t.Index(1), t.Letter(1))
    >>> next_one = t.Compared("eq", t.Index(1), t.Combined("add", (t.Letter(1), t.Integer(1))))
    >>> told = 1, t.Connected("and", ()), t.Connected("or", (one, next_one))
    >>> days = Group("days", All(), (("counts", 1),), when=told)
    >>> [[g.block for g in v] for v in placed((days,), {"days": ("k",)}, {"k": 3})]
    [[(1,), (2,)], [(2,), (3,)]]
    """
    told = [_Told(g, *g.when, families[g.map]) for g in vector if g.when is not None]
    others = tuple(g for g in vector if g.when is None)
    if not told:
        return [vector]
    if {g.map for g in others} & {one.group.map for one in told}:
        return None  # these are other blocks than those
    try:
        at = _places(told, sizes)
        holding = [(one, _holding(one, sizes)) for one in told]
        changed = _largest([_changed(holding, place, sizes) for place in at])
        changed = _at_several(changed, told[0].group.times, sizes)
    except KernelError:
        return None
    return [
        (*others, *(Group(name, 1, seen, block) for (name, block), seen in one.items()))
        for one in changed
    ]


def _at_several(changed: list[Changed], times: Number, sizes: Mapping[str, int]) -> list[Changed]:
    """Return what changes at so many places at once, of what changes at one.

    Raises:
        KernelError: there are too many choices of them.
    """
    number = times.at(sizes) if isinstance(times, Symbolic | Total) else times
    few = min(number, len(changed))
    if number == 1:
        return changed
    if math.comb(len(changed), few) * sum(map(len, changed)) > MOST_WORK:
        raise KernelError("there are too many choices of places")
    chosen = itertools.combinations(changed, few)
    return _largest([{b: seen for one in some for b, seen in one.items()} for some in chosen])


@dataclass(frozen=True)
class _Told:
    """Blocks that change, as integers tell them."""

    group: Group
    free: int
    facts: t.Predicate
    when: t.Predicate
    family: t.Sizes

    @property
    def varies(self) -> bool:
        return any(isinstance(r, Varying) for _, r in self.group.distances)


def _places(told: Sequence[_Told], sizes: Mapping[str, int]) -> Sequence[tuple[int, ...]]:
    """Return places among which there is one of each kind.

    Raises:
        KernelError: there are too many, or they are not found.
    """
    first = told[0]
    if any((x.free, x.facts) != (first.free, first.facts) for x in told):
        raise KernelError("blocks are chosen by different integers")
    if any(x.group.wide is not None for x in told):
        raise KernelError("blocks share a distance")
    one = t.Num(Fraction(1))
    totals = [t.SumOver(x.family, x.when, t.Inf(), one) for x in told]
    found = places(t.MaxOver(first.free, first.facts, t.Sum(tuple(totals))), sizes)
    if any(x.varies for x in told) and found:
        if first.free > 1:
            raise KernelError("distances differ from place to place")
        ends = [n for (n,) in found]
        every = range(min(ends), max(ends) + 1)
        found = [(n,) for n in every if Values(sizes, (n,)).hold(first.facts)]
    found = list(dict.fromkeys(found))
    if len(found) * sum(len(blocks(x.family, sizes)) for x in told) > MOST_WORK:
        raise KernelError("there are too many places")
    return found


Place = tuple[int, ...]


def _holding(one: _Told, sizes: Mapping[str, int]) -> Callable[[Place], list[Values]]:
    """Return which blocks are chosen at a place: by the intervals of each block, if that can be.

    So it is with one integer, or where several decide alike.

    Raises:
        KernelError: a condition is not linear in the only integer.
    """
    every = blocks(one.family, sizes)
    letters = sorted({x.number for x in t.subterms(one.when) if isinstance(x, t.Letter)})
    when: t.Predicate | None = one.when
    if one.free > 1:
        when = of_each_letter(one.when, "or", letters)
    if when is None or not letters:
        return lambda place: [
            here for block in every if (here := Values(sizes, place, block)).hold(one.when)
        ]
    spans = [(block, intervals(when, Values(sizes, (), block))) for block in every]
    return lambda place: [
        Values(sizes, place, block)
        for block, each in spans
        if any(low <= place[n - 1] <= high for low, high in each for n in letters)
    ]


def _changed(
    holding: Sequence[tuple[_Told, Callable[[Place], list[Values]]]], place: Place,
    sizes: Mapping[str, int],
) -> Changed:  # fmt: skip
    """Return what changes at a place.

    Raises:
        KernelError: only some of the blocks that integers choose change.
    """
    found: dict[tuple[str, tuple[int, ...]], tuple[tuple[str, Seen], ...]] = {}
    for one, at in holding:
        here = at(place)
        count = one.group.count
        if isinstance(count, Varying):
            raise KernelError("how many blocks change differs from place to place")
        most = count.at(sizes) if isinstance(count, Symbolic | Total) else count
        if not isinstance(most, All) and most < len(here):
            raise KernelError("not all blocks that integers choose change")
        for values in here:
            seen = tuple((part, r) for part, r in _seen(one.group, values) if r != 0)
            if (one.group.map, values.indices) in found:
                raise KernelError("a block is chosen twice")
            if seen:
                found[one.group.map, values.indices] = seen
    return found


def _seen(group: Group, here: Values) -> Iterator[tuple[str, Seen]]:
    for part, r in group.distances:
        if isinstance(r, Varying):
            yield part, here.of(r.of)
        elif isinstance(r, Symbolic | Total):
            yield part, r.at(here.symbols)
        else:
            yield part, r


def _largest(changed: Sequence[Changed]) -> list[Changed]:
    """Return those that are not part of another one, by blocks and distances."""
    found: list[Changed] = []
    for one in sorted(changed, key=len, reverse=True):
        if not any(_within(one, other) for other in found):
            found.append(one)
    return found


def _within(one: Changed, other: Changed) -> bool:
    return one.keys() <= other.keys() and all(one[block] == other[block] for block in one)
