"""Which blocks the worst neighbours touch, and with which numbers: what compositions start from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions import Notion
from dpcomp_sym.numbers.columns import (
    Numbers,
    ParameterTable,
    Scalar,
    Sizes,
    Values,
    block_size,
    infer_sizes,
    size_of,
)
from dpcomp_sym.numbers.exact import Exact, rounded_down, rounded_up
from dpcomp_sym.numbers.placed import placed
from dpcomp_sym.numbers.sources import BoundSource, by_map, is_zero, maps_by_name, sources
from dpcomp_sym.profile import (
    All,
    Case,
    Count,
    Distance,
    Group,
    Infinity,
    MapInfo,
    Profile,
    Symbolic,
    Total,
    Varying,
    Vector,
)

__all__ = ["TouchedBlocks", "touched_blocks"]

_SCALE: Final = 2**40
MOST_SHARED: Final = 100
"""In how many ways blocks may share the distances of a vector."""
Step = int | Fraction | Infinity


@dataclass(frozen=True, slots=True)
class TouchedBlocks:
    """What a vector does to the blocks of one map, in numbers.

    ``groups``: at most so many blocks, and at which distance each part sees them (only those that
    see something); ``columns``: for each of these parts its parameters, block by block, or a single
    number for all of them; ``count``: how many blocks there are; ``occurs``: whether some
    neighbours do so, where all that a profile says is attained.
    """

    groups: tuple[tuple[int, Mapping[str, Step]], ...]
    columns: Mapping[str, tuple[Scalar | Sequence[Scalar], ...]]
    count: int
    occurs: bool = True

    @property
    def all_fractions(self) -> bool:
        """Whether no number is a root, a logarithm or another that is no fraction."""
        return not any(
            isinstance(x, Exact)
            for columns in self.columns.values()
            for column in columns
            for x in (column if isinstance(column, Sequence) else (column,))
        )

    def rounded(self, *, up: bool) -> TouchedBlocks:
        """Return the same with fractions close by, none on the wrong side.

        >>> from dpcomp_sym.numbers.exact import surd
        >>> touched = TouchedBlocks(((1, {"m": 1}),), {"m": (surd(2),)}, 3)
        >>> near = [touched.rounded(up=up).columns["m"][0] for up in (False, True)]
        >>> near[0] < surd(2) < near[1], near[1] - near[0]
        (True, Fraction(1, 1099511627776))
        """
        if self.all_fractions:
            return self

        def near(x: Scalar) -> Scalar:
            if not isinstance(x, Exact):
                return x
            scaled = rounded_up(x * _SCALE) if up else rounded_down(x * _SCALE)
            return Fraction(math.ceil(scaled) if up else math.floor(scaled), _SCALE)

        columns = {
            part: tuple(list(map(near, c)) if isinstance(c, Sequence) else near(c) for c in both)
            for part, both in self.columns.items()
        }
        return replace(self, columns=columns)


def touched_blocks(
    profile: Profile, notion: Notion, values: Values, sizes: Sizes | None = None
) -> tuple[tuple[TouchedBlocks, ...], ...] | None:
    """Return the numbers behind a bound: for each maximal vector, map by map, what it touches.

    None if some part has no guarantee in this notion (or only at one point of a curve, which would
    not be all that is known of it), a number for it is missing, or it is not found which blocks
    change together.

    Raises:
        InputError: (a ``ValueError``) for negative or undefined numbers, lists of the wrong length,
            and a vacuous profile.

    >>> from dpcomp_sym.notions.pure import PURE
    >>> from dpcomp_sym.profile import Group, KRange, PartInfo
    >>> pairs = Case((KRange("k"),), ((Group("p", 2, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (pairs,), proved=True, exact=True)
    >>> touched_blocks(example, PURE, {"eps": [1, 2, 3]})[0][0].groups
    ((2, {'m': 1}),)
    """
    if profile.vacuous:
        raise InputError("there are no two different neighbouring databases, so no bound either")
    used = sources(profile, notion)
    if used is None or any(source.chosen is not None for source in used.values()):
        return None
    known = infer_sizes(profile, values, sizes)
    names = {p for source in used.values() for p, _ in source.slots() if isinstance(p, str)}
    if not names <= set(values) or not _symbols(profile) <= set(known):
        return None
    table = ParameterTable.of(profile, used, values, known)
    families = {m.name: tuple(size for _, size in m.indices) for m in profile.maps}
    named = [placed(v, families, known) for v in _applicable(profile, known).single]
    vectors = [v for each in named for v in each or ()]
    if None in named:
        return None
    ways = [way for vector in vectors for way in _shared_out(profile, vector, known) or (None,)]
    return None if None in ways else tuple(
        _touched(profile, way.vector, used, table, known, piled=way.piled) for way in ways if way
    )  # fmt: skip


@dataclass(frozen=True)
class _SharedOut:
    """A vector in which no blocks share distances, and whether these were piled up."""

    vector: Vector
    piled: bool


def _shared_out(profile: Profile, vector: Vector, sizes: Sizes) -> list[_SharedOut] | None:
    """Return the ways in which blocks can share the distances of a vector; None if too many.

    Only those that share all of them: the others are no worse.
    """
    found = [_SharedOut((), piled=True)]
    for group in vector:
        if group.wide is None:
            found = [replace(way, vector=(*way.vector, group)) for way in found]
            continue
        distances = {r for _, r in group.distances if not is_zero(r)}
        far = _distance(next(iter(distances)), sizes) if len(distances) == 1 else None
        if not isinstance(far, int) or isinstance(group.count, All | Varying):
            return None
        every = _block_count(maps_by_name(profile)[group.map], sizes)
        several, blocks = (min(_count(n, every, sizes), every) for n in (group.count, group.most))
        pieces = list(islice(_partitions(several * far, far, blocks), MOST_SHARED + 1))
        if len(found) * len(pieces) > MOST_SHARED:
            return None
        found = [
            _SharedOut((*way.vector, *_of_piece(group, piece)), way.piled and min(piece) == far)
            for way in found for piece in pieces
        ]  # fmt: skip
    return found


def _of_piece(group: Group, piece: Sequence[int]) -> Vector:
    """Return a group of its own for each of the distances at which blocks see."""
    return tuple(
        replace(
            group, count=number, wide=None,
            distances=tuple((part, 0 if is_zero(r) else here) for part, r in group.distances),
        )
        for here, number in Counter(piece).items()
    )  # fmt: skip


def _partitions(whole: int, most: int, pieces: int) -> Iterator[tuple[int, ...]]:
    """Yield a number as a sum of so many at most, none above ``most``, the larger ones first.

    >>> list(_partitions(4, 3, 2))
    [(3, 1), (2, 2)]
    """
    if whole == 0:
        yield ()
        return
    for first in range(min(whole, most), 0, -1) if whole <= most * pieces else ():
        for rest in _partitions(whole - first, first, pieces - 1):
            yield (first, *rest)


def _touched(
    profile: Profile,
    vector: Vector,
    used: Mapping[str, BoundSource],
    table: ParameterTable,
    sizes: Sizes,
    *,
    piled: bool,
) -> tuple[TouchedBlocks, ...]:
    """Return what a vector touches, map by map."""
    found = []
    maps = maps_by_name(profile)
    for (name, block), positions in by_map(vector).items():
        info = maps[name]
        family = tuple(size for _, size in info.indices)
        n = 1 if block else _block_count(info, sizes)
        groups = _groups(tuple(vector[p] for p in positions), n, sizes)
        parts = dict.fromkeys(part for _, rs in groups for part in rs)
        columns = {
            part: tuple(
                table.number(p, family, block, sizes) if block else _said(table.column(p, family))
                for p in used[part].parameters
            )
            for part in parts
        }
        found.append(TouchedBlocks(tuple(groups), columns, n, occurs=piled))
    return tuple(found)


def _said(column: Numbers) -> Scalar | Sequence[Scalar]:
    return column.items if column.constant is None else column.constant


def _groups(groups: Vector, n: int, sizes: Sizes) -> list[tuple[int, dict[str, Step]]]:
    """Return (at most how many blocks, distances that are not 0) of the groups of a map."""
    merged: dict[tuple[tuple[str, Step], ...], int] = {}
    for group in groups:
        distances = tuple(
            (part, _distance(r, sizes)) for part, r in group.distances if not is_zero(r)
        )
        count = min(_count(group.most, n, sizes), n)
        if distances and count > 0:
            merged[distances] = merged.get(distances, 0) + count
    return [(min(count, n), dict(distances)) for distances, count in merged.items()]


def _symbols(profile: Profile) -> set[str]:
    """Return all symbols whose values are needed."""
    symbols = {size for info in profile.maps for _, size in info.indices if isinstance(size, str)}
    groups = [g for case in profile.cases for vector in case.single for g in vector]
    items = [item for g in groups for item in (g.count, g.most, *(r for _, r in g.distances))]
    return symbols | {
        s for item in items if isinstance(item, Symbolic | Total) for s in item.symbols
    }


def _applicable(profile: Profile, sizes: Sizes) -> Case:
    """Return the case of a profile that holds for the given sizes.

    Several that may hold, where a symbol that is not a number of blocks is not given, are taken
    together.  Raises ``InputError`` for a missing size, or if no case covers the sizes.
    """
    blocks = {size for info in profile.maps for _, size in info.indices}
    for symbol in {one.symbol for case in profile.cases for one in case.ranges} & blocks:
        size_of(symbol, sizes)
    cases = [case for case in profile.cases if case.speaks_of(sizes)]
    if not cases:
        given = ", ".join(f"{symbol} = {size}" for symbol, size in sizes.items())
        raise InputError(f"the statement does not cover {given or 'these sizes'}")
    if len(cases) == 1:
        return cases[0]
    vectors = dict.fromkeys(v for case in cases for v in case.single)
    return Case((), tuple(vectors), all(case.attained for case in cases))


def _block_count(info: MapInfo, sizes: Sizes) -> int:
    """Return the number of blocks of a map: 1 for a single map."""
    return math.prod(block_size(size, sizes) for _, size in info.indices)


def _count(count: Count | Varying, blocks: int, sizes: Sizes) -> int:
    """Return how many blocks a group touches at most."""
    if isinstance(count, All):
        return blocks
    if isinstance(count, Varying):
        raise InputError("numbers of blocks that differ from place to place are not compared")
    if isinstance(count, Symbolic | Total):
        return _multiple(count, sizes)
    return count


def _multiple(number: Symbolic | Total, sizes: Sizes) -> int:
    return number.at({s: size_of(s, sizes) for s in number.symbols})


def _distance(r: Distance, sizes: Sizes) -> Step:
    """Return a distance as a number or INFINITY."""
    if isinstance(r, Symbolic | Total):
        return _multiple(r, sizes)
    if isinstance(r, Varying):
        raise InputError("distances that differ from block to block are not compared")
    if isinstance(r, Fraction) and r.denominator == 1:
        return r.numerator
    return r
