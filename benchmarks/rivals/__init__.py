"""Other ways to decide the same questions, each within a finite scope (or with quantifiers).

A question is: in the setting, over a set of ``n`` records, with ``k`` blocks and every label
function, do neighbours change at most ``most`` blocks?  Databases are sets.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

DAYS = 3
"""The length of a window, and of what changes."""


@dataclass(frozen=True)
class Scope:
    """A setting over finitely many records.

    Args:
        keys: for each record what the labels belong to: itself, its owner, the ends of an edge.
        together: all records of one of these sets change at will; None: one replaces another.
        every: a record lies in the blocks of all its keys at once, or else in those of any.
        fewest, most: how many blocks a key has.
        given: the block of each record, where it is not a free choice.
    """

    keys: Sequence[tuple[int, ...]]
    together: Sequence[frozenset[int]] | None
    every: bool = True
    fewest: int = 1
    most: int = 1
    given: Sequence[int] | None = None

    def looked_at(self, k: int, needed: int) -> range:
        """Return blocks that need be looked at: the first ones, where all can be swapped."""
        return range(min(k, needed) if self.given is None else k)

    def possible(self, i: int) -> Sequence[int]:
        """Return the records that can be in a block."""
        return range(len(self.keys)) if self.given is None else self._members[i]

    @cached_property
    def _members(self) -> Mapping[int, list[int]]:
        found = defaultdict(list)
        for x, i in enumerate(self.given or ()):
            found[i].append(x)
        return found


def alone(n: int) -> list[tuple[int, ...]]:
    """Let each record have a label of its own."""
    return [(x,) for x in range(n)]


def owners(n: int) -> list[tuple[int, ...]]:
    """Let two records have one owner."""
    return [(x % max(1, n // 2),) for x in range(n)]


def ends(n: int) -> list[tuple[int, ...]]:
    """Return the first n edges, first those between the first vertices."""
    pairs = ((tail, head) for head in itertools.count() for tail in range(head))
    return list(itertools.islice(pairs, n))


def sharing(keys: list[tuple[int, ...]]) -> list[frozenset[int]]:
    """Return for each key the records that have it."""
    found = defaultdict(set)
    for x, own in enumerate(keys):
        for key in own:
            found[key].add(x)
    return [frozenset(records) for records in found.values()]


def successive(n: int) -> list[frozenset[int]]:
    """Return what happens on successive days, with one record for each day."""
    return [frozenset(range(n)[t : t + DAYS]) for t in range(n)]


SETTINGS: dict[str, Callable[[int], Scope]] = {
    # one record is added or removed; each has a label
    "unbounded": lambda n: Scope(alone(n), sharing(alone(n))),
    # one record is replaced by another
    "bounded": lambda n: Scope(alone(n), None),
    # the records of one owner change at will, and labels depend on the owner alone
    "owner": lambda n: Scope(owners(n), sharing(owners(n))),
    # one record is added or removed, and lies in at most three blocks
    "cover": lambda n: Scope(alone(n), sharing(alone(n)), fewest=0, most=3),
    # the edges at one vertex change at will; blocks are induced by labels of vertices
    "node": lambda n: Scope(ends(n), sharing(ends(n))),
    # one edge is added or removed; blocks have the edges with an end that has the label
    "edge": lambda n: Scope(ends(n), sharing(alone(n)), every=False),
    # what happens on successive days changes at will; blocks are windows of as many days
    "window": lambda n: Scope(alone(n), successive(n), given=[x // DAYS for x in range(n)]),
    # the same, but blocks are given by labels of the days
    "season": lambda n: Scope(alone(n), successive(n)),
}
