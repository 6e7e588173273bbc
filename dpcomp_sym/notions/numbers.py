"""Bounds as numbers: exact for exact parameters, fast for a million blocks.

Parameters are given as ``{name: number}`` (the same for all blocks) or ``{name: [numbers]}``
(one a block; nested lists for several indices), sizes as ``{symbol: positive integer}``.
Integers, fractions and decimals are exact and stay so; floats give floats.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeGuard, TypeVar, cast

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.notions.assignment import largest_assignment
from dpcomp_sym.notions.column import Column
from dpcomp_sym.notions.contributions import (
    BoundSource,
    Contribution,
    Place,
    coordinates,
    is_zero,
    sources,
)
from dpcomp_sym.notions.contributions import by_map as _by_map
from dpcomp_sym.notions.contributions import maps_by_name as _maps_by_name
from dpcomp_sym.notions.conversions import gaussian_delta, points, zcdp_epsilon
from dpcomp_sym.notions.core import Guarantee, Notion, as_guarantee
from dpcomp_sym.notions.exact import (
    Exact,
    Real,
    gdp_squared,
    growth,
    root,
    tidy,
    times,
    total,
    total_of_squares,
)
from dpcomp_sym.profile import (
    INFINITY,
    All,
    Case,
    Count,
    Distance,
    Infinity,
    MapInfo,
    PartInfo,
    Profile,
    Symbolic,
    Vector,
)

__all__ = [
    "Evaluation",
    "TouchedBlocks",
    "evaluate",
    "infer_sizes",
    "largest_layers",
    "lengths",
    "needed_sizes",
    "parameter_names",
    "touched_blocks",
]

Scalar = int | Fraction | float
Indices = Sequence[tuple[str, str | int]]
Guarantees = Iterable[tuple[str, Sequence[str | Fraction]]]
Values = Mapping[str, object]
SizeNumbers = Mapping[str, int]
RealPair = tuple[Real, Real]
P = TypeVar("P", bound=RealPair)

_EXACT_TERMS: Final = 1000
_NEAR: Final = 1e-9
_FAR_FROM_OVERFLOW: Final = 300.0
_WORK: Final = 200_000
_FRACTIONS: Final = 200_000
_MANY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A bound in numbers.

    ``value``: a number, a pair (epsilon, delta), or INFINITY for no guarantee.  ``pareto``: for
    pairs, the maximal guarantees needed for single neighbours, largest epsilon first, of which
    ``value`` is the join; None where there are too many, or for other notions.
    """

    value: Guarantee
    pareto: tuple[RealPair, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Column:
    """A parameter: one number for all blocks, or one number a block."""

    constant: Scalar | None
    items: Sequence[Scalar]

    def listed(self, n: int) -> list[Scalar]:
        """Return one number a block."""
        return list(self.items) if self.constant is None else [self.constant] * n


def parameter_names(profile: Profile, notion: str | None = None) -> list[tuple[str, int]]:
    """Return the names of parameters with their slots (0: eps, rho, mu; 1: delta), in order.

    Of all guarantees, or of those declared in one notion; with those that conversions leave free.
    """
    seen: dict[tuple[str, int], None] = {}
    for part in profile.parts:
        for declared, parameters in part.guarantees:
            if notion in {None, declared}:
                for slot, name in enumerate(parameters):
                    if isinstance(name, str):
                        seen[name, slot] = None
    if notion in {None, "approximate"}:
        for point in points(profile.parts).values():
            seen[point.name, int(point.rule.chosen == "delta")] = None
    return list(seen)


def infer_sizes(
    profile: Profile, values: Values, sizes: SizeNumbers | None = None
) -> dict[str, int]:
    """Return the sizes, with missing ones read off the lengths of the lists given.

    Raises ``ValueError`` for a size that is no whole number, or less than 1 for blocks.
    """
    maps = _maps_by_name(profile)
    blocks = {size for info in profile.maps for _, size in info.indices}
    for symbol, size in (sizes or {}).items():
        if type(size) is not int:
            raise InputError(f"{symbol} = {size}: a symbol is a whole number", word=symbol)
        if symbol in blocks and size < 1:
            raise InputError(f"{symbol} = {size}: a size is a positive integer", word=symbol)
    uses = ((maps[part.map].indices, part.guarantees) for part in profile.parts)
    return {**lengths(uses, values), **(sizes or {})}


def lengths(uses: Iterable[tuple[Indices, Guarantees]], values: Values) -> dict[str, int]:
    """Return the numbers of blocks that the lengths of the given lists say.

    ``uses`` are the indices of maps, with the guarantees of a part that reads the map.

    >>> uses = [((("i", "k"),), (("pure", ("eps",)),))]
    >>> lengths(uses, {"eps": [1, 2, 4]}), lengths(uses, {"eps": 1})
    ({'k': 3}, {})
    """
    found: dict[str, int] = {}
    for indices, guarantees in uses:
        for name in (name for _, parameters in guarantees for name in parameters):
            level = values.get(name) if isinstance(name, str) else None
            for _, extent in indices:
                if not _is_sequence(level) or not level:
                    break
                if isinstance(extent, str):
                    found.setdefault(extent, len(level))
                level = level[0]
    return found


def needed_sizes(profile: Profile) -> set[str]:
    """Return all symbols whose values a number needs."""
    symbols = {size for info in profile.maps for _, size in info.indices if isinstance(size, str)}
    for case in profile.cases:
        for vector in case.vectors:
            for group in vector:
                for item in (group.count, *(r for _, r in group.distances)):
                    if isinstance(item, Symbolic):
                        symbols.update(item.symbols)
    return symbols


def evaluate(
    profile: Profile,
    notion: Notion,
    values: Values,
    sizes: SizeNumbers | None = None,
) -> Evaluation | None:
    """Return the bound in numbers, or None if some part has no guarantee in this notion.

    Args:
        profile: what neighbours do to the parts; it must not be vacuous.
        notion: the notion of the bound; parts that declare others are converted.
        values: the numbers of the parameters.
        sizes: the numbers of blocks and other symbols; lengths of lists are understood.

    Raises:
        InputError: (a ``ValueError``) for missing, negative or undefined numbers, a delta above
            1, lists of the wrong length, missing sizes, and a vacuous profile.

    >>> from dpcomp_sym.notions.core import PURE
    >>> from dpcomp_sym.profile import Group, KRange
    >>> pairs = Case((KRange("k"),), ((Group("p", 2, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (pairs,), proved=True, exact=True)
    >>> evaluate(example, PURE, {"eps": [1, Fraction(1, 2), 3]}).value
    4
    """
    if profile.vacuous:
        raise InputError("there are no two different neighbouring databases, so no bound either")
    used = sources(profile, notion)
    if used is None:
        return None
    known = infer_sizes(profile, values, sizes)
    context = _Context(profile, notion, used, values, known)
    return context.evaluation()


@dataclass(frozen=True, slots=True)
class TouchedBlocks:
    """What a vector does to the blocks of one map, in numbers.

    ``groups``: at most so many blocks, and at which distance each part sees them (only those that
    see something); ``columns``: for each of these parts its parameters, block by block, or a single
    number for all of them; ``count``: how many blocks there are.
    """

    groups: tuple[tuple[int, Mapping[str, DistanceValue]], ...]
    columns: Mapping[str, tuple[Scalar | Sequence[Scalar], ...]]
    count: int


def touched_blocks(
    profile: Profile, notion: Notion, values: Values, sizes: SizeNumbers | None = None
) -> tuple[tuple[TouchedBlocks, ...], ...] | None:
    """Return the numbers behind a bound: for each maximal vector, map by map, what it touches.

    None if some part has no guarantee in this notion (or only at one point of a curve, which would
    not be all that is known of it), or a number for it is missing.  The arguments
    and errors are those of :func:`evaluate`.

    >>> from dpcomp_sym.notions.core import PURE
    >>> from dpcomp_sym.profile import Group, KRange
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
    if not names <= set(values) or not needed_sizes(profile) <= set(known):
        return None
    context = _Context(profile, notion, used, values, known)
    return tuple(context.touched(vector, used) for vector in context.case.vectors)


class _Context:
    """One evaluation: columns of numbers, and the sums over the worst blocks."""

    def __init__(
        self,
        profile: Profile,
        notion: Notion,
        used: dict[str, BoundSource],
        values: Values,
        sizes: SizeNumbers,
    ) -> None:
        self.notion = notion
        self.sizes = sizes
        self.maps = _maps_by_name(profile)
        self.case = applicable(profile, sizes)
        self.blocks: dict[Place, int] = {
            (name, ()): block_count(info, sizes) for name, info in self.maps.items()
        }
        self.parts: dict[str, tuple[Contribution, ...]] = {}
        self.map_of = {part.name: (part.map, ()) for part in profile.parts}
        self.columns: dict[tuple[Place, str | Fraction], _Column] = {}
        for part in profile.parts:
            if part.name not in used:
                continue
            contributions = coordinates(notion, used[part.name])
            self.parts[part.name] = contributions
            for parameter, slot in used[part.name].slots():
                key = (self.map_of[part.name], parameter)
                if key not in self.columns:
                    self.columns[key] = self._column(part, parameter, slot, values)
        self._name_blocks()

    def _name_blocks(self) -> None:
        """Give each block that a vector names its own numbers."""
        places = dict.fromkeys((g.map, g.block) for v in self.case.vectors for g in v if g.block)
        for name, block in places:
            self.blocks[name, block] = 1
            sizes = [block_size(size, self.sizes) for _, size in self.maps[name].indices]
            place = 0
            for number, size in zip(block, sizes, strict=True):
                place = place * size + number - 1
            for (family, parameter), column in list(self.columns.items()):
                if family == (name, ()):
                    one = column.items[place] if column.constant is None else column.constant
                    self.columns[(name, block), parameter] = _Column(one, [])

    def _column(
        self, part: PartInfo, parameter: str | Fraction, slot: int, values: Values
    ) -> _Column:
        info = self.maps[part.map]
        if isinstance(parameter, str):
            if parameter not in values:
                given = sorted(values)
                hint = nearest(parameter, given) if given else "no parameter was given"
                raise InputError(
                    f"the parameter '{parameter}' of part '{part.name}' has no value; {hint}",
                    word=parameter,
                )
            value = values[parameter]
        else:
            value = parameter
        name = str(parameter)
        if not _is_sequence(value):
            number = _scalar(value, name)
            _check([number], name, slot)
            return _Column(number, [])
        shape = [(index, size, block_size(size, self.sizes)) for index, size in info.indices]
        if not shape:
            raise InputError(
                f"{name} is the parameter of the single part '{part.name}': one number, not a list",
                word=name,
            )
        items = _flatten(value, name, shape)
        _check(items, name, slot)
        return _Column(None, items)

    def evaluation(self) -> Evaluation:
        """Return the maximum over all vectors of the case."""
        if self.notion.additive is not None:
            sums = [self._sum(vector, 0) for vector in self.case.vectors]
            if any(isinstance(x, Infinity) for x in sums):
                return Evaluation(INFINITY)
            worst: Real = max((cast("Real", x) for x in sums), default=0)
            if _is_inf(worst):
                return Evaluation(INFINITY)
            return Evaluation(root(worst) if self.notion.additive.root else tidy(worst))
        eps = [self._sum(vector, 0) for vector in self.case.vectors]
        delta = [self._sum(vector, 1) for vector in self.case.vectors]
        if any(isinstance(x, Infinity) for x in (*eps, *delta)):
            return Evaluation(INFINITY)
        value = as_guarantee(
            max((cast("Real", x) for x in eps), default=0),
            max((cast("Real", x) for x in delta), default=0),
        )
        if isinstance(value, Infinity) or (isinstance(value, tuple) and _is_inf(value[0])):
            return Evaluation(INFINITY)
        return Evaluation(value, self._pareto())

    def touched(self, vector: Vector, used: Mapping[str, BoundSource]) -> tuple[TouchedBlocks, ...]:
        """Return what a vector touches, map by map."""
        found = []
        for name in _by_map(vector):
            groups = tuple(self._groups(vector, name))
            parts = dict.fromkeys(part for _, rs in groups for part in rs)
            columns = {
                part: tuple(
                    column.items if column.constant is None else column.constant
                    for column in (self.columns[name, p] for p in used[part].parameters)
                )
                for part in parts
            }
            found.append(TouchedBlocks(groups, columns, self.blocks[name]))
        return tuple(found)

    def _groups(self, vector: Vector, name: Place) -> list[tuple[int, dict[str, DistanceValue]]]:
        """Return (at most how many blocks, distances that are not 0) of the groups of a map."""
        n = self.blocks[name]
        merged: dict[tuple[tuple[str, DistanceValue], ...], int] = {}
        for position in _by_map(vector)[name]:
            group = vector[position]
            distances = tuple(
                (part, distance(r, self.sizes)) for part, r in group.distances if not is_zero(r)
            )
            count = min(count_of(group.count, n, self.sizes), n)
            if distances and count > 0:
                merged[distances] = merged.get(distances, 0) + count
        return [(min(count, n), dict(distances)) for distances, count in merged.items()]

    def _sum(self, vector: Vector, coordinate: int) -> Real | Infinity:
        """Return the largest sum over all choices of different blocks."""
        sums: list[Real] = []
        for name in _by_map(vector):
            groups = self._groups(vector, name)
            if any(isinstance(r, Infinity) for _, rs in groups for r in rs.values()):
                return INFINITY
            sums.append(self._map_sum(name, groups, coordinate))
        return total(sums)

    def _map_sum(
        self, name: Place, groups: list[tuple[int, dict[str, DistanceValue]]], coordinate: int
    ) -> Real:
        n = self.blocks[name]
        parts = list(
            dict.fromkeys(
                part
                for _, rs in groups
                for part in rs
                if self.parts[part][coordinate].shape != "zero"
            )
        )
        groups = [
            (count, {part: r for part, r in rs.items() if part in parts}) for count, rs in groups
        ]
        groups = [(count, rs) for count, rs in groups if rs]
        if not groups:
            return 0
        if self._infinite(name, groups, coordinate):
            return math.inf
        wanted = min(n, sum(count for count, _ in groups))
        if all(self._is_constant(name, part, coordinate) for part in parts):
            costs = [(self._costs(name, rs, coordinate, 1)[0], count) for count, rs in groups]
            return _fill(costs, n)
        only = self.parts[parts[0]][coordinate]
        if only.shape == "growth" and all(r == 1 for _, rs in groups for r in rs.values()):
            # At distance 1 a delta is scaled by nothing: epsilons do not matter.
            only = Contribution("plain", only.parameters[1:])
        if len(parts) == 1 and only.shape in {"plain", "square", "half square"}:
            return self._rearranged(name, groups, parts[0], only, wanted)
        if len(groups) == 1:
            return self._block_sum(name, groups[0][1], coordinate, wanted)
        kept = self._candidates(name, groups, coordinate, wanted)
        costs_by_group = [self._costs(name, rs, coordinate, n, kept) for _, rs in groups]
        return largest_assignment([count for count, _ in groups], costs_by_group)

    def _candidates(
        self,
        name: Place,
        groups: list[tuple[int, dict[str, DistanceValue]]],
        coordinate: int,
        wanted: int,
    ) -> list[int] | None:
        """Return the blocks that can matter, found with floats; None: all of them."""
        n = self.blocks[name]
        if n <= _EXACT_TERMS or 5 * wanted > n:
            return None
        kept: set[int] = set()
        for _, rs in groups:
            rough = _rough(self._costs(name, rs, coordinate, n, as_floats=True))
            limit = min(heapq.nlargest(wanted, rough)) * (1 - _NEAR)
            near = [b for b, x in enumerate(rough) if x >= limit]
            if len(near) > 2 * wanted + _EXACT_TERMS:
                # Many ties: as many equal blocks as all groups take together are enough,
                # where they are equal indeed; otherwise everything stays.
                near = self._without_copies(name, coordinate, near, wanted)
            kept.update(near)
        return sorted(kept)

    def _without_copies(
        self, name: Place, coordinate: int, blocks: list[int], wanted: int
    ) -> list[int]:
        """Keep only so many blocks with the same parameters as can be used."""
        n = self.blocks[name]
        columns = [
            self.columns[name, parameter].listed(n)
            for part in self.parts
            if self.map_of[part] == name
            for parameter in self.parts[part][coordinate].parameters
        ]
        seen: Counter[tuple[Scalar, ...]] = Counter()
        result = []
        for b in blocks:
            row = tuple(column[b] for column in columns)
            seen[row] += 1
            if seen[row] <= wanted:
                result.append(b)
        return result

    def _infinite(
        self, name: Place, groups: list[tuple[int, dict[str, DistanceValue]]], coordinate: int
    ) -> bool:
        """Return whether some reachable block has an infinite parameter."""
        for _, rs in groups:
            for part in rs:
                for parameter in self.parts[part][coordinate].parameters:
                    column = self.columns[name, parameter]
                    if isinstance(column.items, Column):
                        continue
                    listed = column.items if column.constant is None else [column.constant]
                    if float in set(map(type, listed)) and any(map(_is_inf, listed)):
                        return True
        return False

    def _is_constant(self, name: Place, part: str, coordinate: int) -> bool:
        return all(
            self.columns[name, parameter].constant is not None
            for parameter in self.parts[part][coordinate].parameters
        )

    def _rearranged(
        self,
        name: Place,
        groups: list[tuple[int, dict[str, DistanceValue]]],
        part: str,
        only: Contribution,
        wanted: int,
    ) -> Real:
        """Pair the largest coefficients with the largest numbers (rearrangement inequality)."""
        column = self.columns[name, only.parameters[0]]
        runs = sorted(((_power(rs[part], only.power), count) for count, rs in groups), reverse=True)
        if column.constant is not None:
            top: Sequence[Real] = [column.constant] * wanted
        elif len(runs) == 1 and wanted >= len(column.items):
            top = column.items
        else:
            top = largest(column.items, wanted)
        pieces: list[Real] = []
        start = 0
        for coefficient, count in runs:
            chunk = top if start == 0 and count >= len(top) else top[start : start + count]
            start += count
            if not chunk:
                break
            summed = total(chunk) if only.shape == "plain" else total_of_squares(chunk)
            halved = Fraction(coefficient) / 2 if only.shape == "half square" else coefficient
            pieces.append(times(summed, halved))
        return total(pieces)

    def _block_sum(
        self, name: Place, rs: dict[str, DistanceValue], coordinate: int, wanted: int
    ) -> Real:
        """Return the sum of the largest totals over the parts of a block."""
        n = self.blocks[name]
        if len(rs) == 1:
            ((part, r),) = rs.items()
            one = self.parts[part][coordinate]
            if one.shape == "growth" and r != 1:
                return self._growth_sum(name, one, r, wanted)
        costs = self._costs(name, rs, coordinate, n)
        return total(costs if wanted >= len(costs) else largest(costs, wanted))

    def _growth_sum(self, name: Place, one: Contribution, r: DistanceValue, wanted: int) -> Real:
        """Return the sum of the largest scaled deltas; exact where that stays readable."""
        n = self.blocks[name]
        eps = self.columns[name, one.parameters[0]].listed(n)
        delta = self.columns[name, one.parameters[1]].listed(n)
        rough = _rough_deltas(eps, delta, r)
        if wanted > _EXACT_TERMS:
            return math.fsum(heapq.nlargest(wanted, rough))
        few = heapq.nlargest(wanted, rough)
        limit = few[-1] * (1 - _NEAR)
        close = Counter(
            pair for pair, x in zip(zip(eps, delta, strict=True), rough, strict=True) if x >= limit
        )
        if len(close) > _EXACT_TERMS:
            return math.fsum(few)
        return _fill([(_scaled_delta(e, d, r), count) for (e, d), count in close.items()], wanted)

    def _costs(
        self,
        name: Place,
        rs: dict[str, DistanceValue],
        coordinate: int,
        n: int,
        kept: list[int] | None = None,
        *,
        as_floats: bool = False,
    ) -> list[Real]:
        """Return the totals over the parts for the first n blocks, or for those kept."""
        totals: list[Real] | None = None
        for part, r in rs.items():
            one = self.parts[part][coordinate]
            columns = [self.columns[name, p].listed(n)[:n] for p in one.parameters]
            if kept is not None:
                columns = [[column[b] for b in kept] for column in columns]
            if as_floats and one.shape == "growth":
                values: list[Real] = list(_rough_deltas(columns[0], columns[1], r))
            elif as_floats:
                floats = [list(map(float, column)) for column in columns]
                values = _contribution(one, [list(column) for column in floats], r, n)
            else:
                values = _contribution(one, columns, r, n if kept is None else len(kept))
            if totals is None:
                totals = values
            else:
                totals = [_plus(a, b) for a, b in zip(totals, values, strict=True)]
        return totals if totals is not None else [0] * (n if kept is None else len(kept))

    def _pareto(self) -> tuple[RealPair, ...] | None:
        """Return the maximal per-neighbour guarantees, or None if there are too many."""
        points: list[RealPair] = []
        try:
            for vector in self.case.vectors:
                front: list[RealPair] = [(0, 0)]
                for name in _by_map(vector):
                    more = self._map_front(name, self._groups(vector, name))
                    _afford(len(front) * len(more))
                    front = skyline([(_plus(a, c), _plus(b, d)) for a, b in front for c, d in more])
                points.extend(front)
        except _TooManyError:
            return None
        return tuple((tidy(a), tidy(b)) for a, b in skyline(points))

    def _map_front(
        self, name: Place, groups: list[tuple[int, dict[str, DistanceValue]]]
    ) -> list[RealPair]:
        """Return the maximal pairs over all choices of blocks of one map."""
        n = self.blocks[name]
        if not groups:
            return [(0, 0)]
        wanted = min(n, sum(count for count, _ in groups))
        parts = {part for _, rs in groups for part in rs}
        constant = all(
            self._is_constant(name, p, 0) and self._is_constant(name, p, 1) for p in parts
        )
        rows = min(n, wanted) if constant else n
        columns = [
            self.columns[name, x]
            for p in parts
            for c in (0, 1)
            for x in self.parts[p][c].parameters
        ]
        exact_rows = any(c.items and isinstance(c.items[0], Fraction) for c in columns)
        if rows > _FRACTIONS and (exact_rows or wanted > 1):
            raise _TooManyError
        pairs = [
            list(zip(self._costs(name, rs, 0, rows), self._costs(name, rs, 1, rows), strict=True))
            for _, rs in groups
        ]
        if len(groups) == 1:
            if wanted >= rows:
                return [(total(a for a, _ in pairs[0]), total(b for _, b in pairs[0]))]
            if wanted == 1:
                return skyline(pairs[0])
            pairs = [largest_layers(pairs[0], wanted)]
        return _fronts([count for count, _ in groups], pairs)


DistanceValue = int | Fraction | Infinity


class _TooManyError(Exception):
    """There are more maximal pairs than anybody wants to see."""


def _afford(work: int) -> None:
    if work > _WORK:
        raise _TooManyError


def applicable(profile: Profile, sizes: SizeNumbers) -> Case:
    """Return the case of a profile that holds for the given sizes.

    Several that may hold, where a symbol that is no number of blocks is not given, are taken
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
    vectors = dict.fromkeys(v for case in cases for v in case.vectors)
    return Case((), tuple(vectors), all(case.attained for case in cases))


def size_of(symbol: str, sizes: SizeNumbers) -> int:
    """Return the value of a size symbol, or say that it is missing."""
    if symbol not in sizes:
        raise InputError(f"the size '{symbol}' has no value; give a positive integer", word=symbol)
    return sizes[symbol]


def block_size(size: str | int, sizes: SizeNumbers) -> int:
    """Return the number of values of one block index."""
    return size if isinstance(size, int) else size_of(size, sizes)


def block_count(info: MapInfo, sizes: SizeNumbers) -> int:
    """Return the number of blocks of a map: 1 for a single map."""
    return math.prod(block_size(size, sizes) for _, size in info.indices)


def count_of(count: Count, blocks: int, sizes: SizeNumbers) -> int:
    """Return how many blocks a group touches at most."""
    if isinstance(count, All):
        return blocks
    if isinstance(count, Symbolic):
        return math.prod((count.factor, *(size_of(s, sizes) for s in count.symbols)))
    return count


def distance(r: Distance, sizes: SizeNumbers) -> DistanceValue:
    """Return a distance as a number or INFINITY."""
    if isinstance(r, Symbolic):
        return math.prod((r.factor, *(size_of(s, sizes) for s in r.symbols)))
    if isinstance(r, Fraction) and r.denominator == 1:
        return r.numerator
    return r


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    if isinstance(value, str | bytes | Mapping):
        return False
    return isinstance(value, Sequence)


def _scalar(value: object, name: str) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, int | Fraction | float | Decimal):
        kind = "text" if isinstance(value, str) else type(value).__name__
        raise InputError(
            f"{name} holds {value!r} ({kind}): a parameter of privacy is a number", word=name
        )
    if isinstance(value, Decimal):
        if not value.is_finite():
            return float(value)
        return Fraction(value)
    return value


def _flatten(
    value: Sequence[object], name: str, shape: list[tuple[str, str | int, int]]
) -> Sequence[Scalar]:
    """Return the numbers block by block, the last index fastest."""
    index, size, n = shape[0]
    if len(value) != n:
        symbol = f"{size} = {n}" if isinstance(size, str) else f"{n} blocks"
        noun = "value" if len(value) == 1 else "values"
        raise InputError(
            f"{name} has {len(value)} {noun}, but {symbol}: give one value for each {index}",
            word=name,
        )
    if len(shape) > 1:
        result: list[Scalar] = []
        for position, row in enumerate(value, 1):
            if not _is_sequence(row):
                raise InputError(
                    f"{name}[{position}] is a single number, but {name} has the indices "
                    f"{', '.join(i for i, _, _ in shape)}: give a list of lists",
                    word=name,
                )
            result.extend(_flatten(row, name, shape[1:]))
        return result
    if isinstance(value, Column):
        return value
    kinds = set(map(type, value))
    if kinds <= {int, Fraction, float}:
        return cast("list[Scalar]", list(value))
    items = []
    for position, item in enumerate(value, 1):
        if _is_sequence(item):
            raise InputError(f"{name}[{position}] is a list; give one number", word=name)
        items.append(_scalar(item, f"{name}[{position}]"))
    return items


def _check(items: Sequence[Scalar], name: str, slot: int) -> None:
    """Refuse negative and undefined numbers, and deltas above 1."""
    many = len(items) > 1
    kinds = {Fraction} if isinstance(items, Column) else set(map(type, items))

    def complain(bad: Iterable[bool], what: str) -> None:
        position = next(j for j, wrong in enumerate(bad) if wrong)
        place = f"{name}[{position + 1}]" if many else name
        raise InputError(f"{place} = {items[position]}: {what}", word=name)

    if float in kinds and any(map(math.isnan, items)):
        complain(map(math.isnan, items), "not a number; give a number of at least 0")
    if isinstance(items, Column):
        low = items.first_below(0) is not None
        high = slot == 1 and items.first_above(1) is not None
    elif Fraction in kinds and float not in kinds:
        numbers = cast("Sequence[Fraction]", items)
        low = min(x.numerator for x in numbers) < 0
        high = any(x.numerator > x.denominator for x in numbers)
    else:
        low, high = min(items) < 0, max(items) > 1
    if low:
        complain((x < 0 for x in items), "a parameter of privacy is not negative; give 0 or more")
    if slot == 1 and high:
        complain((x > 1 for x in items), "a delta is a probability; give at most 1")


def check_value(value: object, name: str, slot: int) -> None:
    """Refuse a number, or numbers in lists, that no parameter can have.

    ``slot`` is 1 for a delta.  Raises ``InputError``; lengths are not looked at.

    >>> check_value([1, 2], "eps", 0)
    """
    if not _is_sequence(value):
        _check([_scalar(value, name)], name, slot)
        return
    for position, item in enumerate(value, 1):
        check_value(item, f"{name}[{position}]", slot)


def _is_inf(x: object) -> bool:
    return isinstance(x, float) and math.isinf(x)


def _power(r: DistanceValue, power: int) -> int | Fraction:
    if isinstance(r, Infinity):
        raise TypeError("an infinite distance has no power")
    return r**power


def _plus(a: Real, b: Real) -> Real:
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a + b
    return total([a, b])


def _scaled_delta(eps: Scalar, delta: Scalar, r: DistanceValue) -> Real:
    if isinstance(r, Infinity):
        raise TypeError("an infinite distance has no factor")
    if delta == 0:
        return 0
    return times(delta, growth(eps, r))


def _rough_deltas(eps: list[Scalar], delta: list[Scalar], r: DistanceValue) -> list[float]:
    """Return the scaled deltas as floats."""
    if isinstance(r, Infinity):
        raise TypeError("an infinite distance has no factor")
    low, small, factor = list(map(float, eps)), list(map(float, delta)), float(r)
    if max(low) * max(factor, 1.0) > _FAR_FROM_OVERFLOW:
        return [float(_scaled_delta(e, d, r)) for e, d in zip(low, small, strict=True)]
    expm1 = math.expm1
    return [
        d * expm1(factor * e) / expm1(e) if e else d * factor
        for e, d in zip(low, small, strict=True)
    ]


def _contribution(
    one: Contribution, columns: list[list[Scalar]], r: DistanceValue, n: int
) -> list[Real]:
    """Return what a part adds to the sum, block by block."""
    if isinstance(r, Infinity):
        raise TypeError("an infinite distance has no contribution")
    if one.shape == "zero":
        return [0] * n
    if one.shape == "growth":
        if r == 1:
            return list(columns[1])
        cache: dict[tuple[Scalar, Scalar], Real] = {}
        result: list[Real] = []
        for pair in zip(columns[0], columns[1], strict=True):
            if pair not in cache:
                cache[pair] = _scaled_delta(pair[0], pair[1], r)
            result.append(cache[pair])
        return result
    if one.shape == "gdp":
        return [gdp_squared(times(x, r)) for x in columns[0]]
    if one.shape == "zcdp point":
        return [zcdp_epsilon(times(x, r * r), at) for x, at in zip(*columns, strict=True)]
    if one.shape == "gaussian point":
        return [gaussian_delta(times(x, r), at) for x, at in zip(*columns, strict=True)]
    factor = r**one.power
    if one.shape == "plain":
        return list(columns[0]) if factor == 1 else [x * factor for x in columns[0]]
    if one.shape == "half square":
        half = Fraction(factor) / 2
        return [x * x * half for x in columns[0]]
    return [x * x * factor for x in columns[0]]


def _rough(values: list[Real]) -> list[float]:
    """Return floats in the same order, ties apart (conversion is monotone for fractions)."""
    result = []
    for x in values:
        try:
            result.append(float(x))
        except OverflowError:
            result.append(math.inf)
    return result


def largest(values: Sequence[Real], n: int) -> list[Real]:
    """Return the n largest numbers, largest first (all of them if there are fewer).

    Floats decide where they can, so that a million fractions need few exact comparisons.

    >>> largest([1, 3, Fraction(5, 2), 2], 2)
    [3, Fraction(5, 2)]
    """
    if isinstance(values, Column):
        return list(values.largest(n))
    items = list(values)
    if n >= len(items) and n > 1:
        fast = set(map(type, items)) <= {int, float}
        return sorted(items, reverse=True) if fast else _sorted(items)
    if set(map(type, items)) <= {int, float}:
        return [max(items)] if n == 1 else heapq.nlargest(n, items)
    keys = _rough(items)
    limit = min(heapq.nlargest(n, keys))
    if any(isinstance(x, Exact) for x in items):
        limit *= 1 - _NEAR
    return heapq.nlargest(n, [x for x, key in zip(items, keys, strict=True) if key >= limit])


def _sorted(items: list[Real]) -> list[Real]:
    if any(isinstance(x, Exact) for x in items):
        return sorted(items, reverse=True)
    # Sorted by floats first, exact comparisons only repair the order among float ties.
    rough = _rough(items)
    order = sorted(range(len(items)), key=rough.__getitem__, reverse=True)
    if all(rough[a] > rough[b] for a, b in pairwise(order)):
        return [items[j] for j in order]
    return sorted((items[j] for j in order), reverse=True)


def _fill(costs: list[tuple[Real, int]], n: int) -> Real:
    """Return the sum when costs are taken largest first, each up to its count, n in all."""
    left = n
    pieces: list[Real] = []
    for cost, count in sorted(costs, key=lambda pair: pair[0], reverse=True):
        take = min(count, left)
        if take <= 0:
            break
        pieces.append(times(cost, take))
        left -= take
    return total(pieces)


def skyline(points: Iterable[RealPair]) -> list[RealPair]:
    """Return the pairs that no other pair dominates, largest first coordinate first.

    >>> skyline([(1, 0), (Fraction(1, 2), 1), (0, 1), (1, 0)])
    [(1, 0), (Fraction(1, 2), 1)]
    """
    candidates = list(points)
    if len(candidates) > _MANY:
        candidates = _not_below_pivots(candidates)
    result: list[RealPair] = []
    for point in sorted(candidates, reverse=True):
        if not result or point[1] > result[-1][1]:
            result.append(point)
    return result


def _not_below_pivots(points: list[RealPair]) -> list[RealPair]:
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


def _fronts(capacities: list[int], pairs: list[list[RealPair]]) -> list[RealPair]:
    """Return the maximal sums of pairs over all assignments of blocks to groups."""
    blocks = len(pairs[0])
    start = tuple(0 for _ in capacities)
    states: dict[tuple[int, ...], list[RealPair]] = {start: [(0, 0)]}
    work = 0
    for b in range(blocks):
        new = {state: list(front) for state, front in states.items()}
        for state, front in states.items():
            for g, capacity in enumerate(capacities):
                if state[g] < capacity:
                    after = (*state[:g], state[g] + 1, *state[g + 1 :])
                    eps, delta = pairs[g][b]
                    work += len(front)
                    _afford(work)
                    new.setdefault(after, []).extend(
                        (_plus(x, eps), _plus(y, delta)) for x, y in front
                    )
        states = {state: skyline(front) for state, front in new.items()}
    return skyline(point for front in states.values() for point in front)
