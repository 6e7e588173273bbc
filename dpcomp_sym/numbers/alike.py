"""Largest totals where several integers decide alike: a block counts if one of them suits it.

Where each block suits the integers of one interval, they are chosen from the least to the largest:
from one to the next, what is added are the blocks whose intervals begin between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from dpcomp_sym.numbers.tree import MaximumTree
from dpcomp_sym.statements import terms as t

__all__ = ["best_places", "of_each_letter", "of_one_letter"]

MOST_STEPS: Final = 400_000
"""So many intervals and places are looked at, for each integer."""
TRUE: Final = t.Connected("and", ())


def of_one_letter(e: t.MaxOver) -> t.MaxOver | None:
    """Return what is largest with one integer, where each of several alone says the same of blocks.

    That is where conditions are that one of them has a property, and facts that all have another
    one.  That they differ loses nothing if there are so many integers with the facts.

    >>> two = t.Connected("or", tuple(t.Compared("le", t.Letter(n), t.Index(1)) for n in (1, 2)))
    >>> eps = t.SumOver(("k",), two, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> of_one_letter(t.MaxOver(2, TRUE, eps)).text()
    'max over t of sum(eps[i] for t <= i)'
    >>> first = t.Connected("and", (t.Compared("le", t.Index(1), t.Integer(3)), two))
    >>> some = t.SumOver(("k",), first, t.Inf(), t.BlockEntry("eps", ("k",)))
    >>> of_one_letter(t.MaxOver(2, TRUE, some)).text()
    'max over t of sum(eps[i] for i <= 3 and t <= i)'
    """
    letters = range(1, e.free + 1)
    facts = of_each_letter(e.facts, "and", letters, apart=True)
    if facts is None:
        return None

    failed = False

    def alone(x: t.KernelTerm) -> t.KernelTerm | None:
        nonlocal failed
        if not isinstance(x, t.SumOver):
            return None
        when = of_each_letter(x.when, "or", letters)
        failed = failed or when is None
        return x if when is None else t.SumOver(x.sizes, when, x.count, x.value)

    body = t.rewritten(e.body, alone)
    return None if failed else t.MaxOver(1, facts, body)


def of_each_letter(
    p: t.Predicate, word: str, among: Iterable[int], *, apart: bool = False
) -> t.Predicate | None:
    """Return what a condition says of each of some letters, in the first one; None if not alike.

    The condition is that one of them is so ("or"), or all of them ("and").  ``apart``: that two of
    them differ is left out.
    """
    if isinstance(p, t.Connected) and p.word == "and":
        own = [x for x in p.items if any(isinstance(y, t.Letter) for y in t.subterms(x))]
        inner = of_each_letter(own[0], word, among, apart=apart) if len(own) == 1 else None
        if inner is not None:
            return t.Connected("and", tuple(inner if x is own[0] else x for x in p.items))
    said: dict[int, list[t.Predicate]] = {n: [] for n in among}
    for one in p.items if isinstance(p, t.Connected) and p.word == word else (p,):
        letters = {x.number for x in t.subterms(one) if isinstance(x, t.Letter)}
        if apart and len(letters) == 2 and _differ(one):
            continue
        if len(letters) > 1 or any(isinstance(x, t.LetterAt) for x in t.subterms(one)):
            return None
        for number in letters or said:
            said[number].append(t.rewritten(one, _first))
    each = list(said.values())
    if not each or any(set(here) != set(each[0]) for here in each):
        return None
    return each[0][0] if len(each[0]) == 1 else t.Connected(word, tuple(each[0]))


def _first(x: t.KernelTerm) -> t.Letter | None:
    return t.Letter(1) if isinstance(x, t.Letter) else None


def _differ(p: t.Predicate) -> bool:
    """Return whether a condition is that two letters differ."""
    match p:
        case t.Compared("ne", t.Letter(), t.Letter()):
            return True
        case _:
            return False


def best_places(
    rows: Sequence[tuple[int, float, float]], allowed: Sequence[tuple[float, float]], number: int
) -> list[float] | None:
    """Return so many places, or fewer, that lie in intervals with the largest total.

    Args:
        rows: intervals of integers, each with its value.
        allowed: the intervals, in order and apart, that places must lie in.
        number: how many places there are at most.

    Returns:
        the places; None if there is none, or there are too many to look at.

    >>> best_places([(5, 1, 3), (4, 3, 6), (6, 5, 9)], [(0, 9)], 1)
    [5]
    >>> best_places([(5, 1, 3), (4, 3, 6), (6, 5, 9)], [(0, 9)], 2)
    [3, 5]
    """
    spots = _spots(rows, allowed)
    if not spots or len(spots) + len(rows) > MOST_STEPS:
        return None
    if (enough := _in_all(rows, spots)) and len(enough) <= number:
        return enough
    begin: list[list[tuple[int, int]]] = [[] for _ in spots]
    end: list[list[tuple[int, int]]] = [[] for _ in spots]
    alone = [0] * (len(spots) + 1)
    for value, low, high in rows:
        first, last = bisect_left(spots, low), bisect_right(spots, high)
        if first < last:
            begin[first].append((first, value))
            if last < len(spots):
                end[last].append((first, value))
            alone[first] += value
            alone[last] -= value
    totals = list(accumulate(alone[:-1]))
    before: list[list[int]] = []
    for _ in range(number - 1):
        totals, chosen = _one_more(totals, begin, end)
        before.append(chosen)
    at = max(range(len(spots)), key=totals.__getitem__)
    places = [spots[at]]
    for chosen in reversed(before):
        at = chosen[at]
        places.append(spots[at])
    return places[::-1]


def _in_all(rows: Sequence[tuple[int, float, float]], spots: Sequence[float]) -> list[float]:
    """Return the fewest places of which each interval has one that has any, in order."""
    ends = ((bisect_left(spots, low), bisect_right(spots, high)) for _, low, high in rows)
    found: list[float] = []
    for first, last in sorted((x for x in ends if x[0] < x[1]), key=lambda x: x[1]):
        if not found or found[-1] < spots[first]:
            found.append(spots[last - 1])
    return found


def _spots(
    rows: Sequence[tuple[int, float, float]], allowed: Sequence[tuple[float, float]]
) -> list[float]:
    """Return places that are enough, in order: where something begins.

    A place can be moved down to there, and no interval that it lies in is left.
    """
    starts = {low for _, low, _ in rows} | {low for low, _ in allowed}
    return sorted(x for x in starts if any(low <= x <= high for low, high in allowed))


def _one_more(
    totals: Sequence[int],
    begin: Sequence[Sequence[tuple[int, int]]],
    end: Sequence[Sequence[tuple[int, int]]],
) -> tuple[list[int], list[int]]:
    """Return the largest totals with one more place, the last one, and where the one before is.

    The tree holds for each place before: its total, and what begins after it and has not ended.
    """
    tree = MaximumTree(len(totals))
    found, chosen = [], []
    for n, known in enumerate(totals):
        for first, value in end[n]:
            tree.add(0, first, -value)
        for first, value in begin[n]:
            tree.add(0, first, value)
        tree.add(n, n + 1, known)
        most, place = tree.largest(0, n + 1)
        found.append(most)
        chosen.append(place)
    return found, chosen
