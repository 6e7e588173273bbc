"""Largest totals over two blocks that neighbours name: the best pair first.

Where a condition says of a block that it is the one, or the other, that an edit names ("i == t and
j == u or i == v and j == x"), the places are pairs of blocks that the facts allow.  They are looked
at from the largest sum on, and most are not looked at.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, Protocol

from dpcomp_sym.numbers.exact import Real, rounded_down, rounded_up
from dpcomp_sym.numbers.sums import total
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import Form, forms, tried
from dpcomp_sym.statements.terms import KernelError

__all__ = ["largest_pair"]

MOST_PAIRS: Final = 200_000
Label = tuple[int, ...]
"""The letters that are the indices of a block, in order."""


class BlockTotal(Protocol):
    """A total over blocks: their numbers and values, which of them count, and at most how many."""

    e: t.SumOver
    blocks: list[tuple[int, ...]]
    values: Sequence[Real]
    most: int


def largest_pair(
    e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[BlockTotal]
) -> Real | None:
    """Return the largest total if all conditions name two blocks by their labels, else None."""
    named = [_labels(x.e) for x in totals]
    known = sorted({label for some in named if some is not None for label in some})
    letters = [n for label in known for n in label]
    if None in named or len(known) != 2 or sorted(letters) != list(range(1, e.free + 1)):
        return None
    return _Pairs(e, sizes, totals, known).largest()


def _labels(e: t.SumOver) -> list[Label] | None:
    """Return the labels that the cases of a condition name, None if a case names none."""
    found = []
    for case in _items(e.when, "or"):
        at = {}
        for one in _items(case, "and"):
            match one:
                case t.Compared("eq", t.Index(index), t.Letter(letter)):
                    at[index] = letter
                case _:
                    if _of_index(one):
                        return None
        if sorted(at) != list(range(1, len(e.sizes) + 1)) or not e.sizes:
            return None
        found.append(tuple(at[n] for n in sorted(at)))
    return found


def _of_index(p: t.Predicate) -> bool:
    return any(isinstance(x, t.Index) for x in t.subterms(p))


def _items(p: t.Predicate, word: str) -> Sequence[t.Predicate]:
    return p.items if isinstance(p, t.Connected) and p.word == word else (p,)


class _Pairs:
    def __init__(
        self, e: t.MaxOver, sizes: Mapping[str, int], totals: Sequence[BlockTotal],
        labels: Sequence[Label],
    ) -> None:  # fmt: skip
        self.e = e
        self.sizes = sizes
        self.labels = labels
        self.tables = [(x.e.when, dict(zip(x.blocks, x.values, strict=True))) for x in totals]
        self.columns = [self._column(label, totals) for label in labels]

    def _column(
        self, label: Label, totals: Sequence[BlockTotal]
    ) -> list[tuple[Fraction, tuple[int, ...] | None]]:
        """Return what blocks add at most where a label names them, largest first; no block last."""
        found: dict[tuple[int, ...], list[Real]] = {}
        for x, (_, table) in zip(totals, self.tables, strict=True):
            if label in (_labels(x.e) or ()):
                for block, value in table.items():
                    if value:
                        found.setdefault(block, []).append(value)
        rows = [(Fraction(rounded_up(total(v))), b) for b, v in found.items()]
        return [*sorted(rows, reverse=True), (Fraction(0), None)]

    def largest(self) -> Real:
        first, second = self.columns
        waiting = [(-(first[0][0] + second[0][0]), 0, 0)]
        known = {(0, 0)}
        best: Real = 0
        for _ in range(MOST_PAIRS):
            if not waiting:
                return best
            bound, a, b = heapq.heappop(waiting)
            if -bound <= rounded_down(best):
                return best
            for letters in self._letters(first[a][1], second[b][1]):
                best = max(best, self._at(letters, (first[a][1], second[b][1])))
            for n, m in ((a + 1, b), (a, b + 1)):
                if n < len(first) and m < len(second) and (n, m) not in known:
                    known.add((n, m))
                    heapq.heappush(waiting, (-(first[n][0] + second[m][0]), n, m))
        raise KernelError("there are too many pairs to look at")

    def _letters(
        self, one: tuple[int, ...] | None, other: tuple[int, ...] | None
    ) -> Iterator[tuple[int, ...]]:
        """Yield letters with the facts that name two blocks; or one, and others of each kind."""
        given: dict[int, int] = {}
        for label, block in zip(self.labels, (one, other), strict=True):
            if block is not None:
                given |= dict(zip(label, block, strict=True))
        free = [n for n in range(1, self.e.free + 1) if n not in given]
        left = set()
        for form in self._asked if free else ():
            number = form.number + sum(form.factors[n - 1] * x for n, x in given.items())
            left.add(Form(tuple(form.factors[n - 1] for n in free), number))
        for at in tried(left, len(free)) if free else [()]:
            here = given | dict(zip(free, at, strict=True))
            letters = tuple(here[n] for n in range(1, self.e.free + 1))
            if Values(self.sizes, letters).hold(self.e.facts):
                yield letters

    @cached_property
    def _asked(self) -> list[Form]:
        """What facts, and conditions beside the labels in them, ask of the letters."""
        asked = [self.e.facts]
        for when, _ in self.tables:
            asked += [x for x in t.subterms(when) if isinstance(x, t.Compared) and not _of_index(x)]
        return [f for p in asked for f in forms(p, self.e.free, Values(self.sizes))]

    def _at(self, letters: tuple[int, ...], named: Sequence[tuple[int, ...] | None]) -> Real:
        """Return the total over the blocks that are named."""
        return total([
            table[block]
            for when, table in self.tables
            for block in dict.fromkeys(named)
            if block in table and Values(self.sizes, letters, block).hold(when)
        ])  # fmt: skip
