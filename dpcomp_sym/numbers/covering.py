"""Which of some sets together hold most: found by trying those first that add most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["best_cover"]

MOST_WORK: Final = 2_000_000
"""So many sets are weighed, one of them as often as it is."""


def best_cover(
    sets: Sequence[frozenset[int]], weights: Sequence[int], number: int
) -> list[int] | None:
    """Return which sets, at most so many, hold things of the largest weight together.

    What further sets add is at most what they would add alone: where the largest of that is too
    little, none of them is tried.

    Args:
        sets: sets of things, which are numbered from 0.
        weights: the weight of each thing, 0 or more.
        number: how many sets may be taken.

    Returns:
        the numbers of the sets, from 0 on; None if too many would have to be tried.

    >>> best_cover([frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3})], [2, 3, 3, 1], 2)
    [0, 2]
    """
    search = _Search(weights)
    try:
        search.go(frozenset(), 0, [], list(enumerate(sets)), number)
    except _TooMuchError:
        return None
    return sorted(search.best)


class _TooMuchError(Exception):
    """Too many sets would have to be weighed."""


class _Search:
    def __init__(self, weights: Sequence[int]) -> None:
        self.weights = weights
        self.most = 0
        self.best: list[int] = []
        self.work = 0

    def go(
        self, held: frozenset[int], value: int, chosen: list[int],
        left: Sequence[tuple[int, frozenset[int]]], number: int,
    ) -> None:  # fmt: skip
        """Try further sets, the ones first that add most to what is held."""
        if value > self.most:
            self.most, self.best = value, chosen
        self.work += len(left)
        if self.work > MOST_WORK:
            raise _TooMuchError
        added = [(sum(self.weights[x] for x in one - held), n, one) for n, one in left]
        added = sorted((row for row in added if row[0]), key=lambda row: (-row[0], row[1]))
        for at, (more, n, one) in enumerate(added if number else ()):
            if value + sum(gain for gain, *_ in added[at : at + number]) <= self.most:
                return
            rest = [(m, other) for _, m, other in added[at + 1 :]]
            self.go(held | one, value + more, [*chosen, n], rest, number - 1)
