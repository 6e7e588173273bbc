"""What was found of all numbers of some symbols, read for a few of them.

What is true of all numbers is true of these.  So where symbols have numbers, a profile that was
found without them is a profile, too, and the better one of the two is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dpcomp_sym.engine.patterns import Place, SeenFar, dominates
from dpcomp_sym.engine.structure import MOST_BLOCKS
from dpcomp_sym.profile import (
    Case,
    Count,
    Group,
    Interval,
    KRange,
    Profile,
    Symbolic,
    Total,
    Vector,
)

__all__ = ["left_open", "nowhere_worse", "says_as_much", "specialised"]


def specialised(profile: Profile, numbers: Mapping[str, int]) -> Profile:
    """Return what a profile states for some numbers of the symbols.

    It was attained for them if they are among those for which that was shown.
    """
    cases = tuple(
        replace(
            case, ranges=left_open(case.ranges, profile, numbers),
            attained=case.attained and all(_holds(i, numbers) for i in case.shown),
            shown=tuple(i for i in case.shown if i.symbol not in numbers), far=(), endless=(),
        )
        for case in profile.cases if case.speaks_of(numbers)
    )  # fmt: skip
    exact = profile.proved and all(c.attained for c in cases)
    return replace(profile, cases=cases, exact=exact)


def left_open(
    ranges: Sequence[KRange], profile: Profile, numbers: Mapping[str, int]
) -> tuple[KRange, ...]:
    """Return the ranges that numbers do not decide; those of blocks are named all the same."""
    sizes = {size for info in profile.maps for _, size in info.indices}
    return tuple(
        KRange(r.symbol) if r.symbol in numbers else r
        for r in ranges
        if r.symbol not in numbers or r.symbol in sizes
    )


def says_as_much(found: Profile, general: Profile, numbers: Mapping[str, int]) -> bool:
    """Return whether a profile is nowhere worse than another one, for some numbers of symbols."""
    if found.proved and found.vacuous:
        return True
    if not (found.proved and general.proved):
        return not general.proved
    return not general.exact and nowhere_worse(found, general, numbers)


def nowhere_worse(found: Profile, general: Profile, numbers: Mapping[str, int]) -> bool:
    """Return whether each vector of a profile is below one of another one, for some numbers."""
    return _each_below(found, general, numbers, lambda case: case.vectors) and (
        not any(case.within for case in (*found.cases, *general.cases))
        or _each_below(found, general, numbers, lambda case: case.single)
    )


def _each_below(
    found: Profile,
    general: Profile,
    numbers: Mapping[str, int],
    of: Callable[[Case], tuple[Vector, ...]],
) -> bool:
    vectors = [vector for case in general.cases for vector in of(case)]
    shape = partial(_shape, numbers, named=any(g.block for vector in vectors for g in vector))
    return all(
        any(
            above == vector
            or (
                all(group.when is None for group in above)
                and dominates(shape(above), shape(vector, wider=_wider(above, vector, numbers)))
            )
            for above in of(other)
        )
        for case in found.cases
        for vector in of(case)
        for other in general.cases
        if _meet(case, other)
    )


def _holds(shown: Interval, numbers: Mapping[str, int]) -> bool:
    if shown.symbol not in numbers:
        return True
    number = numbers[shown.symbol]
    return shown.within(Interval(shown.symbol, number, number)) is not None


def _meet(case: Case, other: Case) -> bool:
    """Return whether two cases are about the same numbers somewhere."""
    there = {r.symbol: Interval(r.symbol, r.low, r.high) for r in other.ranges}
    return all(
        Interval(r.symbol, r.low, r.high).within(there[r.symbol]) is not None
        for r in case.ranges
        if r.symbol in there
    )


def _number(value: Any, numbers: Mapping[str, int]) -> Any:
    """Return what a count or distance is for some numbers."""
    return value.given(numbers) if isinstance(value, Symbolic | Total) else value


def _counted(group: Group, numbers: Mapping[str, int]) -> tuple[Any, Any]:
    """Return how many whole distances blocks see, and by how many blocks these are shared, if so.

    Where there are no more blocks than distances each of them sees a whole one.
    """
    count, wide = _number(group.count, numbers), _number(group.wide, numbers)
    each = isinstance(count, int) and isinstance(wide, int) and wide <= count
    return (wide, None) if each else (count, wide)


def _wider(above: Vector, vector: Vector, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return by how many blocks distances are shared above, where those of a vector are no more."""
    found = {}
    for top in above:
        _, wide = _counted(top, numbers)
        if wide is None:
            continue
        counts = [_number(g.most, numbers) for g in vector if g.map == top.map]
        few = all(isinstance(n, int) for n in (wide, *counts)) and sum(counts) <= wide
        if few or counts == [wide]:
            found[top.map] = wide
    return found


def _shape(
    numbers: Mapping[str, int], vector: Vector, *, named: bool,
    wider: Mapping[str, Any] | None = None,
) -> dict[Place, list[tuple[Count, SeenFar]]]:  # fmt: skip
    """Return how many blocks a vector changes, and how parts see them, with numbers for symbols.

    Very many blocks are not written as a number.  ``named``: blocks with a number are
    distinguished; else they are some blocks of their map.  ``wider``: by map, by how many blocks
    distances count as shared.
    """
    number = partial(_number, numbers=numbers)
    wider = wider or {}
    shape: dict[Place, list[tuple[Count, SeenFar]]] = {}
    for group in vector:
        seen = tuple(number(r) for _, r in group.distances)
        count, shared = _counted(group, numbers)
        many = isinstance(count, int) and count > MOST_BLOCKS * 2
        wide = wider.get(group.map, shared)
        wide = None if wide == count == 1 else wide  # it sees a whole distance
        place = group.map, group.block if named else (), wide
        whole: Any = group.count if many and count == number(group.count) else count
        shape.setdefault(place, []).append((whole, seen))
    return shape
