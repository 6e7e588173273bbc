"""Small and large numbers of a symbol, set apart where less happens than for all its numbers.

Counts, distances and which blocks change together may all be less for a window of one day, or for
one record a person.  The problem with nothing but these numbers is one like any other: what is
found of it holds in a range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from dpcomp_sym.engine.freed import nowhere_worse, specialised
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.profile import Case, Interval, KRange, Profile

if TYPE_CHECKING:
    from dpcomp_sym.engine.facts import Facts

__all__ = ["divided", "shown_for_small"]

MOST_APART: Final = 4
"""How many values of a symbol are treated one by one, at most."""
MOST_WRITTEN: Final = 8
"""With more blocks that are written out each value takes long."""
MOST_SHOWN: Final = 2
"""For so many numbers a bound is looked at that is not attained for all."""


@dataclass(frozen=True)
class Piece:
    """What was found of the numbers in some ranges."""

    ranges: tuple[KRange, ...]
    profile: Profile
    facts: Facts

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the profile, which say for which numbers it was found."""
        here = {r.symbol: Interval(r.symbol, r.low, r.high) for r in self.ranges}
        return tuple(
            replace(
                c, ranges=ranges,
                shown=tuple(i for i in c.shown if here.get(i.symbol) is None
                            or here[i.symbol].within(i) != here[i.symbol]),
            )
            for c in self.profile.cases
            if (ranges := _intersected(c.ranges, self.ranges)) is not None
        )  # fmt: skip

    @property
    def all_facts(self) -> tuple[Facts, ...]:
        """The facts, which state the same."""
        return tuple(
            replace(
                f, ranges=ranges, narrower=(),
                never=tuple(
                    replace(n, ranges=inside)
                    for n in f.never
                    if (inside := _intersected(n.ranges, self.ranges)) is not None
                ),
            )
            for f in (*self.facts.narrower, self.facts)
            if (ranges := _intersected(f.ranges, self.ranges)) is not None
        )  # fmt: skip


def _intersected(first: Sequence[KRange], second: Sequence[KRange]) -> tuple[KRange, ...] | None:
    """Return the numbers that lie in all of some ranges, None if there are none."""
    found = {r.symbol: r for r in first}
    for r in second:
        other = found.get(r.symbol, r)
        highs = [x.high for x in (r, other) if x.high is not None]
        both = KRange(r.symbol, max(r.low, other.low), min(highs, default=None))
        if both.high is not None and both.high < both.low:
            return None
        found[r.symbol] = both
    return tuple(found.values())


def divided(
    structure: Structure,
    whole: tuple[Profile, Facts],
    symbols: Sequence[str],
    find: Callable[[Structure, Sequence[str]], tuple[Profile, Facts]],
    bound: Callable[[Structure], Profile],
) -> tuple[Profile, Facts]:
    """Return what was found, with some numbers of symbols in cases of their own.

    Args:
        structure: the questions about the problem.
        whole: what was found of all numbers.
        symbols: which symbols may be set apart.
        find: what there is to find about a problem, with symbols that may be set apart.
        bound: the profile alone, without a look for databases that attain it.
    """
    if not symbols or not whole[0].proved or whole[0].vacuous:
        return whole
    symbol, *later = symbols
    profile, facts = divided(structure, whole, later, find, bound)

    def narrow(one: KRange) -> Structure:
        least = {symbol: one.low} if one.low > 1 else {}
        problem = structure.problem.within(least, {symbol: one.high})
        shared = structure.shared.of_other_numbers(one)
        return Structure(problem, shared=shared, effort=structure.effort)

    @cache
    def found(one: KRange) -> Piece:
        return Piece((one,), *find(narrow(one), later))

    def glimpse(one: KRange) -> Profile:
        return bound(narrow(one))

    pieces, rest = _apart(structure, profile, symbol, found, glimpse)
    profile = shown_for_small(structure, profile, rest, found)
    if not pieces:
        return profile, facts
    cases = (*(c for p in pieces for c in p.cases), *Piece((rest,), profile, facts).cases)
    alike = zip(*(p.profile.maps for p in pieces), profile.maps, strict=True)
    return replace(
        profile, cases=cases, exact=all(c.attained for c in cases),
        maps=tuple(
            replace(
                m,
                exchangeable=all(o.exchangeable for o in one),
                movable=all(o.movable for o in one),
            )
            for m, one in zip(profile.maps, alike, strict=True)
        ),
    ), replace(facts, narrower=tuple(sorted(
        (*(f for p in pieces for f in p.all_facts), *facts.narrower), key=lambda f: -len(f.ranges)
    )))  # fmt: skip


def _apart(
    structure: Structure,
    profile: Profile,
    symbol: str,
    found: Callable[[KRange], Piece],
    glimpse: Callable[[KRange], Profile],
) -> tuple[list[Piece], KRange]:
    """Return the pieces of small and of large numbers of a symbol, and the range of the others."""
    allowed = structure.numbers(symbol)
    least = allowed.low
    if least is None or least < 1 or allowed.high == least:
        return [], KRange(symbol)
    shown = [i for c in profile.cases for i in c.shown if i.symbol == symbol]
    most = least + (1 if _takes_long(profile) else MOST_APART)
    top = min(most, allowed.high or most)  # one number is left over
    first = min(max((i.low for i in shown if i.low), default=0), top) if profile.exact else top
    small: list[Piece] = []
    for number in range(least, first):
        piece = found(KRange(symbol, number if small else 1, number))  # none is below the least
        if not _is_better(piece.profile, profile, {symbol: number}):
            break
        small.append(piece)
    last = max((i.high for i in shown if i.high), default=None)
    large: list[Piece] = []
    if last is not None and least + len(small) <= last:
        end = min(top, allowed.high or top)

        @cache
        def helps(number: int) -> bool:
            return _is_better(glimpse(KRange(symbol, number)), profile, {})

        # What bounds larger numbers only is no worse: where the largest do not help, none do.
        if last < end and helps(end):
            last = next(n for n in range(last, end) if helps(n + 1))
            large = [found(KRange(symbol, last + 1))]
    runs = groupby(small, key=lambda p: [(c.vectors, c.within) for c in p.profile.cases])
    pieces = [p for _, run in runs for p in _joined(list(run), found)]
    rest = KRange(symbol, least + len(small) if small else 1, last if large else None)
    return [*pieces, *large], rest


def _takes_long(profile: Profile) -> bool:
    """Return whether much is looked at for each number: many blocks, which are not all alike."""
    sizes = [size for info in profile.maps for _, size in info.indices]
    many = any(isinstance(size, int) and size > MOST_WRITTEN for size in sizes)
    return bool(profile.coarse) or (many and not (profile.exact and profile.interchangeable))


def shown_for_small(
    structure: Structure, profile: Profile, rest: KRange, found: Callable[[KRange], Piece]
) -> Profile:
    """Return a profile, as attained for small numbers of a symbol, where it was not for all.

    What was found of such a number alone is attained there, and the profile claims no more.
    """
    symbol, allowed = rest.symbol, structure.numbers(rest.symbol)
    if profile.exact or profile.coarse or allowed.low is None or allowed.low < 1:
        return profile
    first = max(rest.low, allowed.low)
    number = 1 if _takes_long(profile) else MOST_SHOWN
    ends = [first + number - 1, *(h for h in (rest.high, allowed.high) if h is not None)]
    last, others = None, tuple[Interval, ...]()
    for number in range(first, min(ends) + 1):
        piece, at = found(KRange(symbol, number, number)).profile, {symbol: number}
        if not piece.exact or piece.vacuous:
            break
        if not nowhere_worse(specialised(profile, at), piece, at):
            break
        inside = _common(
            [*others, *(i for c in piece.cases for i in c.shown if i.symbol != symbol)]
        )
        if inside is None:
            break
        last, others = number, inside
    if last is None:
        return profile
    shown = (Interval(symbol, first, last), *others)
    cases = tuple(
        c if c.attained else replace(c, attained=True, shown=shown) for c in profile.cases
    )
    return replace(profile, cases=cases, exact=True)


def _common(intervals: Sequence[Interval]) -> tuple[Interval, ...] | None:
    """Return the numbers of each symbol that lie in all its intervals, None if there are none."""
    found: dict[str, Interval] = {}
    for one in intervals:
        inside = found.get(one.symbol, one).within(one)
        if inside is None:
            return None
        found[one.symbol] = inside
    return tuple(found.values())


def _joined(run: list[Piece], found: Callable[[KRange], Piece]) -> list[Piece]:
    """Return one piece for successive numbers of which the same was found, if that can be."""
    if len(run) == 1:
        return run
    first, last = run[0].ranges[-1], run[-1].ranges[-1]
    both = found(KRange(first.symbol, first.low, last.high))
    if both.profile.proved and nowhere_worse(both.profile, run[0].profile, {}):
        return [both]
    return run


def _is_better(found: Profile, general: Profile, numbers: Mapping[str, int]) -> bool:
    """Return whether less was found of some numbers than of all."""
    known = specialised(general, numbers)
    return (
        found.proved
        and not found.vacuous
        and nowhere_worse(found, known, numbers)
        and not nowhere_worse(known, found, numbers)
    )
