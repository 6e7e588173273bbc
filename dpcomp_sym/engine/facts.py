"""What profiles are made of: facts about edits, each proved, for all symbols or in a range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpcomp_sym.engine.together import Structured
from dpcomp_sym.profile import Count, Distance, KRange, Number, Vector

__all__ = ["Fact", "Facts", "InfeasiblePattern", "Listed", "MixedVectors", "Shared", "TogetherSets"]


@dataclass(frozen=True)
class Fact:
    """One proved structural fact about an edit, of which the profile is made.

    With ``part``: in a block of its map that holds exactly the ``touched`` points (counted from
    0; none for a frame) the part sees distance at most ``bound``.  Without: at most ``bound``
    blocks of the map hold one touched cell; for a frame, at most so many change.
    """

    edit: int
    reverse: bool
    map: str
    part: str | None
    touched: tuple[int, ...]
    bound: Distance | Count
    frame: bool


@dataclass(frozen=True)
class InfeasiblePattern:
    """A proved fact about an edit: for these sizes it does not change all these blocks at once.

    ``blocks``: maps, the points that blocks of them hold (counted from 0), and how many do.
    """

    edit: int
    reverse: bool
    blocks: tuple[tuple[str, tuple[int, ...], int], ...]
    ranges: tuple[KRange, ...]


Listed = tuple[str, tuple[int, ...], tuple[int, ...], tuple[tuple[str, int], ...]]
"""A map, the number of a block, points that it holds, and parts with how far they see it."""


@dataclass(frozen=True)
class TogetherSets:
    """A proved fact about an edit: all that it changes lies in one of these sets of blocks.

    A set lists maps, numbers of blocks (() where it is any block of the map), the points that such
    a block may hold (counted from 0), and parts with how far they see it at most there.
    """

    edit: int
    reverse: bool
    sets: tuple[tuple[Listed, ...], ...]


@dataclass(frozen=True)
class Shared:
    """A proved fact about a frame: the blocks of a map that change share a distance.

    There are weights of the blocks, from 0 to 1 and with a sum of at most ``count``, such that each
    part of the map sees a block at most at its weight times ``distance``.
    """

    edit: int
    reverse: bool
    map: str
    count: Count
    distance: Number


@dataclass(frozen=True)
class MixedVectors:
    """A proved fact about a frame: what it does is a mean of these vectors."""

    edit: int
    reverse: bool
    vectors: tuple[Vector, ...]


@dataclass(frozen=True)
class Facts:
    """What a profile was made of: what edits do at most, never do, and which blocks they join.

    ``freed``: they were found of all numbers that symbols can have, where these are fixed.
    ``patterns``: which blocks an edit changes together, by its number and its direction.
    ``ranges``: of which numbers of the symbols they were found, if not of all; ``narrower``: what
    was found besides of such ranges.
    """

    most: tuple[Fact, ...]
    never: tuple[InfeasiblePattern, ...]
    together: tuple[TogetherSets, ...] = ()
    shared: tuple[Shared, ...] = ()
    mixed: tuple[MixedVectors, ...] = ()
    freed: bool = False
    patterns: Mapping[tuple[int, bool], Structured] = field(default_factory=dict)
    ranges: tuple[KRange, ...] = ()
    narrower: tuple[Facts, ...] = ()

    def of(self, ranges: Sequence[KRange]) -> Facts:
        """Return the facts that were found of the numbers in some ranges, and of the fewest."""
        return next((f for f in self.narrower if set(f.ranges) <= set(ranges)), self)
