"""Which vectors of a case can be left out of the bound in a given notion.

A vector stands for every choice of different blocks.  If one part reads a map, or all parts
see all touched blocks in the same proportions t, the worst sum is the sorted coefficients
against the sorted numbers.  By Abel summation a vector is then never above another one whose
coefficients have larger prefix sums.  For scaled deltas, convex in t with value 0 at 0, it is
enough that the distances themselves have larger prefix sums: moving distance from the smaller
to the larger one, or back with the blocks exchanged, never lowers both sums.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from dpcomp_sym.notions.contributions import BoundSource, by_map, coordinates, is_zero
from dpcomp_sym.notions.core import Notion
from dpcomp_sym.profile import All, Count, Distance, Group, Infinity, Symbolic, Vector

__all__ = ["maximal"]

Runs = list[tuple[Fraction, int | None]]
"""Coefficients, largest first, with how often each occurs; None: for all blocks."""


def maximal(
    vectors: tuple[Vector, ...], notion: Notion, used: dict[str, BoundSource]
) -> tuple[Vector, ...]:
    """Return the vectors that are not certainly dominated by another one in this notion.

    The order is kept; of equal vectors the first one stays.

    >>> from dpcomp_sym.notions.core import PURE
    >>> once, twice = (("m", 1),), (("m", 2),)
    >>> both = ((Group("p", 2, once),), (Group("p", 1, twice),))
    >>> maximal(both, PURE, {"m": BoundSource("m", "pure", ("eps",), None)}) == both[1:]
    True
    """
    kept: list[Vector] = []
    for vector in vectors:
        if any(_below(vector, other, notion, used) for other in kept):
            continue
        kept = [other for other in kept if not _below(other, vector, notion, used)]
        kept.append(vector)
    return tuple(kept)


def _below(v: Vector, w: Vector, notion: Notion, used: dict[str, BoundSource]) -> bool:
    maps_v, maps_w = by_map(v), by_map(w)
    for name, positions in maps_v.items():
        low = _active([v[p] for p in positions])
        high = _active([w[p] for p in maps_w.get(name, [])])
        if low and not (_group_wise(low, high) or _prefix_sums(low, high, notion, used)):
            return False
    return True


def _active(groups: list[Group]) -> list[Group]:
    """Return the groups that some part notices, equal ones merged where counts are numbers."""
    merged: dict[tuple[tuple[str, Distance], ...], list[Count]] = {}
    for group in groups:
        if any(not is_zero(r) for _, r in group.distances):
            merged.setdefault(group.distances, []).append(group.count)
    result: list[Group] = []
    for distances, counts in merged.items():
        numbers = [c for c in counts if isinstance(c, int)]
        rest: list[Count] = [c for c in counts if not isinstance(c, int)]
        if numbers:
            rest.append(sum(numbers))
        result.extend(Group(groups[0].map, count, distances) for count in rest)
    return result


def _group_wise(low: list[Group], high: list[Group]) -> bool:
    """Return whether every group on the left fits below a group of its own on the right."""
    if len(low) > len(high) or len(high) > 5:
        return False
    return any(
        all(_fits(a, b) for a, b in zip(low, chosen, strict=True))
        for chosen in permutations(high, len(low))
    )


def _fits(a: Group, b: Group) -> bool:
    above = dict(b.distances)
    return _at_most(a.count, b.count) and all(
        is_zero(r) or _at_most(r, above.get(part, 0)) for part, r in a.distances
    )


def _at_most(a: Count | Distance, b: Count | Distance) -> bool:
    """Compare counts, or distances, of all values of the symbols, which are 1 or more."""
    if isinstance(b, All | Infinity):
        return True
    if isinstance(a, All | Infinity):
        return False
    if isinstance(a, Symbolic):
        return isinstance(b, Symbolic) and a.alike(b) and a.factor <= b.factor
    return a <= (b.factor if isinstance(b, Symbolic) else b)


def _prefix_sums(
    low: list[Group], high: list[Group], notion: Notion, used: dict[str, BoundSource]
) -> bool:
    """Return whether all prefix sums on the left are certainly at most those on the right."""
    power = 1
    for group in (*low, *high):
        for part, r in group.distances:
            if is_zero(r):
                continue
            shapes = coordinates(notion, used[part])
            if any(one.shape in {"gdp", "zcdp point", "gaussian point"} for one in shapes):
                return False
            if notion.additive is not None:
                power = notion.additive.power
    directions = [_direction(group) for group in (*low, *high)]
    first = directions[0]
    if first is None or any(d is None or d[1] != first[1] for d in directions):
        return False
    factors = [d[0] ** power for d in directions if d is not None]
    counts = [group.count for group in (*low, *high)]
    symbols = {tuple(sorted(c.symbols)) for c in counts if isinstance(c, Symbolic)}
    if len(symbols) == 1 and all(isinstance(c, Symbolic) for c in counts):
        # Everything grows with the same symbol: the case of one tells all.
        counts = [c.factor if isinstance(c, Symbolic) else c for c in counts]
    n = len(low)
    # What is not known is taken at its worst: as many as possible against as few.
    left = [(f, c if isinstance(c, int) else None) for f, c in zip(factors, counts, strict=True)]
    right: Runs = [(f, _at_least(c)) for f, c in zip(factors, counts, strict=True)]
    return _runs_below(left[:n], right[n:])


def _at_least(count: Count) -> int | None:
    if isinstance(count, All):
        return None
    return count.factor if isinstance(count, Symbolic) else count


def _direction(group: Group) -> tuple[Fraction, tuple[tuple[str, Fraction], ...]] | None:
    """Return a factor and the proportions of the distances, or None if they are not numbers."""
    numbers: list[tuple[str, Fraction]] = []
    for part, r in group.distances:
        if isinstance(r, Symbolic | Infinity):
            return None
        if r != 0:
            numbers.append((part, Fraction(r)))
    factor = numbers[0][1]
    return factor, tuple((part, r / factor) for part, r in numbers)


def _runs_below(left: Runs, right: Runs) -> bool:
    """Compare two concave piecewise linear functions at all their corners and at infinity."""
    left, right = sorted(left, reverse=True, key=_key), sorted(right, reverse=True, key=_key)
    corners = {0}
    for runs in (left, right):
        position = 0
        for _, count in runs:
            if count is None:
                break
            position += count
            corners.add(position)
    last = max(corners)
    slope = _prefix(left, last + 1) - _prefix(left, last)
    if slope > _prefix(right, last + 1) - _prefix(right, last):
        return False
    return all(_prefix(left, n) <= _prefix(right, n) for n in corners)


def _key(run: tuple[Fraction, int | None]) -> Fraction:
    return run[0]


def _prefix(runs: Runs, n: int) -> Fraction:
    """Return the sum of the n largest coefficients."""
    result = Fraction(0)
    for factor, count in runs:
        take = n if count is None else min(n, count)
        result += factor * take
        n -= take
    return result
