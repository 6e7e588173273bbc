"""Which blocks neighbours touch in the worst case: the candidates among which a maximum is taken.

A vector of a profile says how many blocks change and at which distances the parts see them, not
which blocks they are.  At a fixed ε (or δ) the worst choice is a maximum over all of them.  Blocks
that enough others dominate are never needed; if what remains is still too much, the choices are
bounded from above by one that dominates all, and from below by a few good ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product, repeat
from math import isinf
from typing import Any, Final, cast

from dpcomp_sym.numbers import largest_layers
from dpcomp_sym.numbers.columns import Scalar
from dpcomp_sym.numbers.evaluator import largest
from dpcomp_sym.numbers.exact import Real
from dpcomp_sym.optimal.curve import SeenPart
from dpcomp_sym.optimal.touched import TouchedBlocks

__all__ = ["Choices", "Parts", "worst_choices"]

Parts = Counter[SeenPart]
"""What is composed for one pair of neighbours: parts, and how many times each."""

EpsilonDelta = tuple[Fraction, Fraction]
PartKind = tuple[EpsilonDelta, ...]
"""The guarantees of all parts of a block that see something."""

_WORK: Final = 3000
_COMPARED: Final = 1500
_PARTS: Final = 1000
_CHOICES: Final = 200
_BLOCKS: Final = 50_000


@dataclass(frozen=True, slots=True)
class Choices:
    """Some choices such that every one is dominated by one in ``above``.

    Those in ``below`` occur; they are the same where the list is ``complete``.
    """

    above: tuple[Parts, ...]
    below: tuple[Parts, ...]

    @property
    def complete(self) -> bool:
        """Whether the worst choice is in the list."""
        return self.above is self.below


def worst_choices(
    vectors: Iterable[Sequence[TouchedBlocks]], directed: frozenset[str] = frozenset()
) -> Choices | None:
    """Return the choices of blocks that can be the worst.

    Args:
        vectors: what neighbours touch, map by map, in numbers.
        directed: the parts whose granularity is directed.

    Returns:
        None if there is no curve, or none that could be computed: a distance is infinite or not
        whole, a parameter infinite, more than 1000 different parts come together, or more than 200
        choices are left.

    >>> touched = TouchedBlocks(((1, {"m": 1}),), {"m": ([2, 1, 1], [0, Fraction(1, 9), 0])}, 3)
    >>> [part.eps for choice in worst_choices([[touched]]).above for part in choice]
    [Fraction(2, 1), Fraction(1, 1)]
    """
    above: list[Parts] = []
    below: list[Parts] = []
    complete = True
    for vector in vectors:
        fewer = [_with_fewer_blocks(touched) for touched in vector]
        if not all(map(_usable, fewer)):
            return None
        exact = [touched.all_fractions for touched in fewer]
        high = [_of_map(_Blocks(touched.rounded(up=True), directed)) for touched in fewer]
        low = high if all(exact) else [
            _of_map(_Blocks(touched.rounded(up=False), directed)) for touched in fewer
        ]  # fmt: skip
        complete = complete and all(exact) and all(c.complete for c in high)
        above += map(_together, product(*(c.above for c in high)))
        if all(touched.occurs for touched in vector):
            below += map(_together, product(*(c.below for c in low)))
    if any(len(choice) > _PARTS for choice in above):
        return None
    every = _foremost(above)
    if len(every) > _CHOICES:
        return None
    occurring = _foremost(below)
    same = complete and all(choice in occurring for choice in every)
    return Choices(every, every if same else occurring)


def _with_fewer_blocks(touched: TouchedBlocks) -> TouchedBlocks:
    """Keep only the blocks with the largest parameter, where a single one of them varies."""
    varying = [
        (name, position)
        for name, columns in touched.columns.items()
        for position, column in enumerate(columns)
        if isinstance(column, Sequence)
    ]
    wanted = sum(count for count, _ in touched.groups)
    if len(varying) != 1 or wanted >= touched.count:
        return touched
    ((name, position),) = varying
    columns = list(touched.columns[name])
    column = cast("Sequence[Real]", columns[position])
    columns[position] = cast("list[Scalar]", largest(column, wanted))
    return replace(touched, columns={**touched.columns, name: tuple(columns)}, count=wanted)


def _usable(touched: TouchedBlocks) -> bool:
    if touched.count > _BLOCKS and any(
        isinstance(column, Sequence) for columns in touched.columns.values() for column in columns
    ):
        return False
    steps = [r for _, rs in touched.groups for r in rs.values()]
    numbers = [
        x
        for columns in touched.columns.values()
        for column in columns
        for x in (column if isinstance(column, Sequence) else (column,))
        if isinstance(x, float)
    ]
    return all(isinstance(r, int) for r in steps) and not any(map(isinf, numbers))


def _together(pieces: Iterable[Parts]) -> Parts:
    return sum(pieces, Counter())


def _distinct(choices: Iterable[Parts]) -> tuple[Parts, ...]:
    return tuple({frozenset(c.items()): c for c in choices}.values())


def _foremost(choices: Iterable[Parts]) -> tuple[Parts, ...]:
    """Return the choices but those of which each part is outdone by one of another choice."""
    every = _distinct(choices)
    if len(every) == 1 or any(choice.total() > _PARTS for choice in every):
        return every
    found: list[tuple[list[SeenPart], Parts]] = []
    ordered = [(sorted(c.elements(), key=_numbers, reverse=True), c) for c in every]
    ordered.sort(key=lambda one: list(map(_numbers, one[0])), reverse=True)
    for parts, choice in ordered:
        if not any(_outdone(parts, others) for others, _ in found):
            found.append((parts, choice))
    return tuple(choice for _, choice in found)


def _numbers(part: SeenPart) -> tuple[Fraction, Fraction, int, bool]:
    return part.eps, part.delta, part.steps, part.directed


def _outdone(parts: Sequence[SeenPart], others: Sequence[SeenPart]) -> bool:
    """Return whether each part is outdone by the other one at its place, or all by one of these.

    Parts change one after the other, each in so many steps.  These are steps of all parts together,
    and no steps that are as private are worse than those of one part that takes as many.
    """
    if len(parts) <= len(others) and all(
        p.eps <= q.eps and p.delta <= q.delta and p.steps <= q.steps and p.directed == q.directed
        for p, q in zip(parts, others, strict=False)
    ):
        return True
    steps = sum(p.steps for p in parts)
    return any(
        steps <= q.steps
        and all(p.eps <= q.eps and p.delta <= q.delta and p.directed == q.directed for p in parts)
        for q in others
    )


class _Blocks:
    """The touched blocks of one map: kinds of blocks, and groups of distances."""

    def __init__(self, touched: TouchedBlocks, directed: frozenset[str]) -> None:
        self.names = list(touched.columns)
        self.directed = [name in directed for name in self.names]
        self.groups = [
            (count, tuple(_whole(rs.get(name, 0)) for name in self.names))
            for count, rs in touched.groups
        ]
        self.wanted = min(touched.count, sum(count for count, _ in self.groups))
        self.kinds = _needed(_kinds(touched), self.wanted)

    def parts(self, kind: PartKind, steps: Sequence[int]) -> Parts:
        """Return what a block of this kind contributes at these distances."""
        return Counter(
            SeenPart(eps, delta, r, directed)
            for (eps, delta), r, directed in zip(kind, steps, self.directed, strict=True)
            if r
        )


def _whole(r: object) -> int:
    if not isinstance(r, int):
        raise TypeError(f"the distance {r} is not a whole number")
    return r


def _kinds(touched: TouchedBlocks) -> Counter[PartKind]:
    """Return the guarantees of the blocks, and how many blocks have them."""
    columns: list[tuple[Any, ...]] = [(*p, 0)[:2] for p in touched.columns.values()]
    if not any(isinstance(p, Sequence) for both in columns for p in both):
        columns = [tuple([p] for p in both) for both in columns]
        count = touched.count
    else:
        count = 1
    lists = [[p if isinstance(p, Sequence) else repeat(p) for p in both] for both in columns]
    blocks = zip(
        *(zip(map(Fraction, eps), map(Fraction, delta), strict=False) for eps, delta in lists),
        strict=False,
    )
    return Counter({kind: n * count for kind, n in Counter(blocks).items()})


def _needed(kinds: Counter[PartKind], wanted: int) -> list[tuple[PartKind, int]]:
    """Drop the kinds that so many blocks dominate that none of this kind is needed."""
    kept = {kind: min(count, wanted) for kind, count in kinds.items()}
    if all(len(kind) == 1 for kind in kept):
        layers = largest_layers((kind[0] for kind, n in kept.items() for _ in range(n)), wanted)
        return [((pair,), n) for pair, n in Counter(layers).items()]
    if len(kept) > _COMPARED:
        return list(kept.items())

    def above(kind: PartKind) -> int:
        return sum(n for other, n in kept.items() if other != kind and _dominates(other, kind))

    return [(kind, n) for kind, n in kept.items() if above(kind) < wanted]


def _dominates(kind: PartKind, other: PartKind) -> bool:
    return all(a >= c and b >= d for (a, b), (c, d) in zip(kind, other, strict=True))


def _of_map(blocks: _Blocks) -> Choices:
    """Return the choices for one map, as long as there are not too many."""
    size = max(1, blocks.wanted * len(blocks.names))
    limit = max(2, min(200, _WORK // size))
    capacities = [count for count, _ in blocks.groups]
    total = sum(n for _, n in blocks.kinds)
    if len(blocks.groups) == 1 and blocks.wanted >= total:
        found = [[(kind, 0, n) for kind, n in blocks.kinds]]
    elif len(blocks.kinds) <= limit:
        found = list(islice(_assignments(blocks.kinds, capacities, blocks.wanted), limit + 1))
    else:
        found = []
    if found and len(found) <= limit:
        every = _distinct(_sum_of(blocks, one) for one in found)
        return Choices(every, every)
    return Choices((_dominating(blocks),), _distinct(_greedy(blocks)))


Assignment = list[tuple[PartKind, int, int]]
"""How many blocks of a kind are in a group."""


def _assignments(
    kinds: Sequence[tuple[PartKind, int]], room: Sequence[int], wanted: int
) -> Iterator[Assignment]:
    """Yield the ways in which ``wanted`` blocks of these kinds can be put into the groups."""
    if wanted == 0:
        yield []
        return
    (kind, count), rest = kinds[0], kinds[1:]
    left = sum(n for _, n in rest)
    for split in _splits(min(count, wanted), room):
        used = sum(split)
        if wanted - used > left:
            continue
        after = [capacity - n for capacity, n in zip(room, split, strict=True)]
        here = [(kind, g, n) for g, n in enumerate(split) if n]
        for others in _assignments(rest, after, wanted - used):
            yield here + others


def _splits(most: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to put at most so many equal blocks into groups."""
    if not room:
        yield ()
        return
    for n in range(min(most, room[0]), -1, -1):
        for rest in _splits(most - n, room[1:]):
            yield (n, *rest)


def _sum_of(blocks: _Blocks, assignment: Assignment) -> Parts:
    found: Parts = Counter()
    for kind, group, n in assignment:
        for part, times in blocks.parts(kind, blocks.groups[group][1]).items():
            found[part] += n * times
    return found


def _dominating(blocks: _Blocks) -> Parts:
    """Return parts that dominate every choice.

    In each group and for each part the largest ε are taken, and the largest δ, separately.  At
    distance 1 a part (ε, δ) is a part (ε, 0) together with a part (0, δ), so that any pairing of
    the two is right; at larger distances every ε goes with the largest δ.
    """
    found: Parts = Counter()
    for count, steps in blocks.groups:
        for position, r in enumerate(steps):
            if not r:
                continue
            pairs = [kind[position] for kind, n in blocks.kinds for _ in range(min(n, count))]
            epsilons = sorted((eps for eps, _ in pairs), reverse=True)[:count]
            deltas = sorted((delta for _, delta in pairs), reverse=True)[:count]
            if r > 1:
                deltas = deltas[:1] * len(epsilons)
            for eps, delta in zip(epsilons, deltas, strict=True):
                found[SeenPart(eps, delta, r, blocks.directed[position])] += 1
    return found


def _greedy(blocks: _Blocks) -> Iterator[Parts]:
    """Yield a few good choices: blocks by ε, by δ, or both; groups by distance."""
    groups = sorted(range(len(blocks.groups)), key=lambda g: -sum(blocks.groups[g][1]))
    keys: tuple[Callable[[PartKind], Fraction], ...] = (
        lambda kind: sum((eps for eps, _ in kind), Fraction(0)),
        lambda kind: sum((delta for _, delta in kind), Fraction(0)),
        lambda kind: sum((eps * delta for eps, delta in kind), Fraction(0)),
    )
    for key in keys:
        order = sorted(blocks.kinds, key=lambda one: key(one[0]), reverse=True)
        line = [kind for kind, n in order for _ in range(n)][: blocks.wanted]
        found: Parts = Counter()
        for g in groups:
            count, steps = blocks.groups[g]
            for kind in line[:count]:
                found += blocks.parts(kind, steps)
            line = line[count:]
        yield found
