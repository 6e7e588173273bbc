"""The maximal pairs (epsilon, delta) that single pairs of neighbours need, in numbers."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, TypeVar

from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.numbers.evaluator import Evaluator
from dpcomp_sym.numbers.exact import Real, add, tidy
from dpcomp_sym.numbers.single import RecordBudget, Single
from dpcomp_sym.numbers.sums import total
from dpcomp_sym.numbers.together import pairs_together
from dpcomp_sym.statements import Expr, KernelError

__all__ = ["Pair", "front", "largest_layers", "skyline"]

Pair = tuple[Real, Real]
P = TypeVar("P", bound=Pair)

_NUMBERS: Final = 200_000
_MANY: Final = 10_000
_WORK: Final = 200_000


class _TooManyError(Exception):
    """There are more maximal pairs than are listed."""


def front(ways: Iterable[Single], evaluator: Evaluator) -> tuple[Pair, ...] | None:
    """Return the maximal guarantees of single neighbours, largest epsilon first.

    Args:
        ways: how neighbours can change.
        evaluator: the numbers.

    Returns:
        None if there are too many.
    """
    found: list[Pair] = []
    try:
        for way in ways:
            if way.together:
                found += _at_all_places(way.guarantee, evaluator)
                continue
            shared = way.budget
            together = [(0, 0)] if shared is None else _shared_out(shared, evaluator)
            for blocks in way.touched:
                more = _of_map(blocks, evaluator)
                _afford(len(together) * len(more))
                together = skyline([_plus(a, b) for a, b in product(together, more)])
            found.extend(together)
    except _TooManyError:
        return None
    return tuple((tidy(a), tidy(b)) for a, b in skyline(found))


def _of_map(blocks: Touched, evaluator: Evaluator) -> list[Pair]:
    """Return the maximal pairs over all choices of blocks of one map."""
    n = evaluator.blocks(blocks.sizes)
    counts = [evaluator.count(count, n) for count, _ in blocks.groups]
    groups = [(count, added) for count, (_, added) in zip(counts, blocks.groups, strict=True)]
    groups = [(count, added) for count, added in groups if count > 0]
    if not groups:
        return [(0, 0)]
    wanted = min(n, sum(count for count, _ in groups))
    entries = [
        column
        for _, added in groups
        for e in added
        for column in evaluator.entries(e, blocks.sizes)
    ]
    rows = n if any(column.constant is None for column in entries) else wanted
    exact = any(column.items and not isinstance(column.items[0], float | int) for column in entries)
    if rows > _NUMBERS and (exact or wanted > 1):
        raise _TooManyError
    kept = None if rows == n else range(rows)
    pairs: list[list[Pair]] = []
    for _, (eps, delta) in groups:
        both = (evaluator.rows(e, blocks.sizes, kept) for e in (eps, delta))
        pairs.append(list(zip(*both, strict=True)))
    if len(groups) == 1:
        if wanted >= rows:
            return [(total(a for a, _ in pairs[0]), total(b for _, b in pairs[0]))]
        if wanted == 1:
            return skyline(pairs[0])
        pairs = [largest_layers(pairs[0], wanted)]
    return _assigned([count for count, _ in groups], pairs)


def _at_all_places(pair: Sequence[Expr], evaluator: Evaluator) -> list[Pair]:
    """Return the maximal pairs over the integers that say which blocks change together."""
    try:
        return skyline(pairs_together(pair, evaluator.sizes, evaluator.rows, evaluator.of))
    except KernelError:
        raise _TooManyError from None


def _shared_out(budget: RecordBudget, evaluator: Evaluator) -> list[Pair]:
    """Return the maximal pairs over all ways to share records out to the blocks of a map."""
    sizes = budget.rows[0].sizes
    if evaluator.blocks(sizes) > _MANY:
        raise _TooManyError
    rows: list[list[Pair]] = []
    for row in budget.rows:
        ((_, (eps, delta)),) = row.groups
        rows.append(list(zip(*(evaluator.rows(e, sizes) for e in (eps, delta)), strict=True)))
    chosen = list(range(len(rows[0])))
    if budget.alone:
        # Of blocks that so many others are no better than, none is needed.
        kept = Counter(largest_layers(rows[0], budget.most))
        seen: Counter[Pair] = Counter()
        chosen = []
        for b, pair in enumerate(rows[0]):
            seen[pair] += 1
            if seen[pair] <= kept[pair]:
                chosen.append(b)
    fronts: list[list[Pair]] = [[(0, 0)], *([] for _ in range(budget.most))]
    work = 0
    for b in chosen:
        for used in range(budget.most, 0, -1):
            new = [
                _plus(pair, row[b])
                for n, row in enumerate(rows[:used], 1)
                for pair in fronts[used - n]
            ]
            work += len(new)
            _afford(work)
            fronts[used] = skyline([*fronts[used], *new])
    return skyline(pair for some in fronts for pair in some)


def _plus(a: Pair, b: Pair) -> Pair:
    return add(a[0], b[0]), add(a[1], b[1])


def _afford(work: int) -> None:
    if work > _WORK:
        raise _TooManyError


def skyline(points: Iterable[Pair]) -> list[Pair]:
    """Return the pairs that no other pair dominates, largest first coordinate first.

    >>> from fractions import Fraction
    >>> skyline([(1, 0), (Fraction(1, 2), 1), (0, 1), (1, 0)])
    [(1, 0), (Fraction(1, 2), 1)]
    """
    candidates = list(points)
    if len(candidates) > _MANY:
        candidates = _not_below_pivots(candidates)
    result: list[Pair] = []
    for point in sorted(candidates, reverse=True):
        if not result or point[1] > result[-1][1]:
            result.append(point)
    return result


def _not_below_pivots(points: list[Pair]) -> list[Pair]:
    """Drop what one of a few large pairs dominates strictly; nothing maximal is lost."""
    for weight in (0.5, 0.1, 0.9):
        high_x, high_y = max(x for x, _ in points), max(y for _, y in points)
        if high_x == 0 or high_y == 0:
            break
        a, b = weight / float(high_x), (1 - weight) / float(high_y)
        p, q = max(points, key=lambda point: a * float(point[0]) + b * float(point[1]))
        points = [
            point
            for point in points
            if point[0] > p or point[1] > q or (point[0] == p and point[1] == q)
        ]
    return points


def largest_layers(points: Iterable[P], n: int) -> list[P]:
    """Return the pairs that fewer than n other pairs dominate; the others are never needed.

    >>> largest_layers([(1, 0), (0, 1), (0, 0), (1, 0)], 2)
    [(1, 0), (1, 0), (0, 1)]
    """
    top: list[Real] = []
    kept: list[P] = []
    for point in sorted(points, reverse=True):
        if len(top) < n:
            heapq.heappush(top, point[1])
        elif top[0] < point[1]:
            heapq.heapreplace(top, point[1])
        else:
            continue
        kept.append(point)
    return kept


def _assigned(capacities: list[int], pairs: list[list[Pair]]) -> list[Pair]:
    """Return the maximal sums of pairs over all assignments of blocks to groups."""
    blocks = len(pairs[0])
    start = tuple(0 for _ in capacities)
    states: dict[tuple[int, ...], list[Pair]] = {start: [(0, 0)]}
    work = 0
    for b in range(blocks):
        new = {state: list(front) for state, front in states.items()}
        for state, front in states.items():
            for g, capacity in enumerate(capacities):
                if state[g] < capacity:
                    after = (*state[:g], state[g] + 1, *state[g + 1 :])
                    work += len(front)
                    _afford(work)
                    new.setdefault(after, []).extend(_plus(pair, pairs[g][b]) for pair in front)
        states = {state: skyline(front) for state, front in new.items()}
    return skyline(point for front in states.values() for point in front)
