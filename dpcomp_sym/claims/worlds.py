"""What neighbours can do to named blocks, and numbers to try a claim at."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.engine.tight_pairs import AttainedBlock
from dpcomp_sym.model import BoundPart, Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.profile import (
    All,
    Case,
    Count,
    Distance,
    Group,
    Infinity,
    Profile,
    Symbolic,
    Total,
    Varying,
    Vector,
)
from dpcomp_sym.smt.reals import named
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import arguments, arguments_of_letters, letter_here
from dpcomp_sym.statements.terms import rewritten
from dpcomp_sym.terms import Environment, evaluate, free_variables

__all__ = [
    "ParameterValues",
    "TouchedWorld",
    "assignments",
    "blocks_needed",
    "changed",
    "families",
    "loss",
    "nearer",
    "placements",
    "sizes_in_order",
    "source",
    "touched",
]

ParameterValues = Mapping[str, Fraction | Mapping[tuple[int, ...], Fraction]]
"""Numbers for the parameters: one, or one for each block."""

MOST_SIZES: Final = 40
LARGEST_SYMBOL: Final = 60
SMALL: Final = 6
LARGEST_NEEDED: Final = 20
MOST_PLACES: Final = 1000
MOST_FUNCTIONS: Final = 1000
MOST_INTEGERS: Final = (1, 100, 30, 8, 4)
"""Up to this each of none, one, two, … integers that tell blocks goes; a fifth of it below 0."""

TouchedWorld = tuple[AttainedBlock, ...]
TouchRow = tuple[tuple[str, int | Infinity], ...]
"""The parts of a block with the distances that they see."""


@dataclass(frozen=True)
class BlockValues:
    """A parameter with one value for each block; without indices a single number."""

    name: str
    sizes: k.Sizes
    slot: int


def declared(part: BoundPart, notion: str) -> tuple[str | Fraction, ...] | None:
    """Return a part's own guarantee in a notion, or the one that stands in for it.

    That is (eps, 0) of a pure part where a claim is about (eps, delta), and eps where it is about
    rho or mu.
    """
    known = dict(part.guarantees)
    given = known.get(source(part, notion))
    if given is None:
        return None
    missing = len(NOTIONS[notion].parameters) - len(given)
    return (*given, *(Fraction(0),) * missing)


def source(part: BoundPart, notion: str) -> str:
    """Return the notion of the guarantee of which a claim in a notion makes use."""
    known = dict(part.guarantees)
    refuting = NOTIONS[notion].refuting
    stand_in = None if refuting is None else refuting.stand_in
    return stand_in if stand_in in known and notion not in known else notion


def families(problem: Problem, notion: str) -> list[BlockValues]:
    """Return the parameters of a notion, with the position of each in its guarantee."""
    found: dict[str, BlockValues] = {}
    for part in problem.bound_parts:
        sizes = tuple(size for _, size in part.map.indices)
        for slot, name in enumerate(declared(part, notion) or ()):
            if isinstance(name, str):
                found.setdefault(name, BlockValues(name, sizes, slot))
    return list(found.values())


def blocks_of(sizes: k.Sizes, numbers: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return the indices of all blocks.

    >>> blocks_of(("k",), {"k": 2}), blocks_of((), {})
    ([(1,), (2,)], [()])
    """
    ranges = [range(1, (s if isinstance(s, int) else numbers[s]) + 1) for s in sizes]
    return list(itertools.product(*ranges))


def blocks_needed(problem: Problem, vectors: Iterable[Vector]) -> dict[str, int]:
    """Return how many blocks each symbol must allow for, so that any of the vectors fits in.

    Blocks of maps that share the symbol count as different ones.
    """
    needed = dict.fromkeys(problem.symbols, 1)
    for vector in vectors:
        counts = dict.fromkeys(problem.symbols, 0)
        for group in vector:
            if isinstance(group.count, int):
                for _, size in problem.used_maps[group.map].indices:
                    if isinstance(size, str):
                        counts[size] += group.count
        needed = {symbol: max(n, counts[symbol]) for symbol, n in needed.items()}
    return needed


def sizes_in_order(
    problem: Problem, given: Mapping[str, int], needed: Mapping[str, int] | None = None
) -> list[dict[str, int]]:
    """Return small numbers for all symbols that satisfy the facts, the smallest first.

    ``needed`` are numbers up to which they go at least.
    """
    choices: dict[str, list[int]] = {}
    for name in problem.symbols:
        own = problem.symbols[name]
        alone = free_variables(own) <= {name}
        fits = [
            n
            for n in range(1, LARGEST_SYMBOL)
            if not alone or evaluate(own, Environment({name: n}))
        ]
        most = min(max(SMALL, (needed or {}).get(name, 1)), LARGEST_NEEDED)
        choices[name] = [given[name]] if name in given else fits[:most]
    found = []
    for numbers in itertools.product(*choices.values()):
        table = dict(zip(choices, numbers, strict=True))
        env = Environment(dict(table))
        if all(evaluate(fact, env) for fact in problem.symbols.values()):
            found.append(table)
    return sorted(found, key=lambda t: (sum(t.values()), *t.values()))[:MOST_SIZES]


def case_for(profile: Profile, sizes: Mapping[str, int]) -> Case | None:
    """Return the case of a profile for these sizes."""
    for case in profile.cases:
        if all(
            r.low <= sizes[r.symbol] and (r.high is None or sizes[r.symbol] <= r.high)
            for r in case.ranges
        ):
            return case
    return None


def touched(
    problem: Problem, vector: Vector, sizes: Mapping[str, int], most: int | None = None
) -> Iterator[TouchedWorld]:
    """Yield what a vector says of named blocks, those seen from farthest first.

    Where it names more blocks than there are, the excess is dropped in all ways, or in
    ``most`` of them.  Which blocks may change together is left open.
    """
    options: list[list[list[AttainedBlock]]] = []
    for name in dict.fromkeys(g.map for g in vector):
        mapping = problem.used_maps[name]
        blocks = blocks_of(tuple(s for _, s in mapping.indices), sizes)
        rows: list[TouchRow] = []
        for group in vector:
            if group.map == name:
                seen = _row(group, sizes)
                number = min(_count(group.count, len(blocks), Values(sizes)), len(blocks))
                rows += [seen] * (number if seen else 0)
        if any(group.block for group in vector if group.map == name):
            options.append([[
                AttainedBlock(name, group.block, seen, fixed=True)
                for group in vector
                if group.map == name and (seen := _row(group, sizes))
            ]])  # fmt: skip
            continue
        rows.sort(key=_far, reverse=True)
        kept = list(dict.fromkeys(itertools.combinations(rows, min(len(rows), len(blocks)))))
        options.append(
            [
                [
                    AttainedBlock(name, block, row)
                    for row, block in zip(choice, blocks, strict=False)
                ]
                for choice in kept[:most]
            ]
        )
    for combination in itertools.islice(itertools.product(*options), most):
        world = tuple(itertools.chain.from_iterable(combination))
        if world:
            yield world


def changed(
    problem: Problem, vector: Vector, sizes: Mapping[str, int], most: int
) -> Iterator[TouchedWorld]:
    """Yield what a vector says of named blocks, as :func:`touched` does, but not all there is.

    Where integers tell which blocks change together, these are given by their numbers, for integers
    that are not large: what sees most comes first.
    """
    told = tuple(group for group in vector if group.when is not None)
    others = tuple(group for group in vector if group.when is None)
    for world in itertools.islice(_in_places(problem, told, sizes), most):
        for beside in touched(problem, others, sizes, most) if others else [()]:
            yield (*world, *beside)


def _in_places(
    problem: Problem, vector: Vector, sizes: Mapping[str, int]
) -> Iterator[TouchedWorld]:
    """Yield which blocks see what, where some integers tell it, those that see most first.

    What is a function of indices has any value for each of them.
    """
    found: dict[TouchedWorld, float] = {}
    families = {g.map: tuple(size for _, size in problem.used_maps[g.map].indices) for g in vector}
    patterns = [(group, *group.when) for group in vector if group.when is not None]
    of = next((at for *_, when in patterns if (at := arguments(when))), ())
    for integers in _integers(patterns, of, families, sizes) if patterns else [{}]:
        options: list[Iterator[TouchedWorld]] = []
        for group, _, facts, condition in patterns:
            here, taken = rewritten(condition, letter_here), arguments(condition)
            blocks: list[AttainedBlock] = []
            for block in blocks_of(families[group.map], sizes):
                known = Values(sizes, (), block)
                letters = integers.get(tuple(map(known.of, taken)), ())
                values = Values(sizes, letters, block)
                if values.hold(facts) and values.hold(here):
                    row = _row_in(group, values)
                    blocks += [AttainedBlock(group.map, block, row, fixed=True)] if row else []
            most = _count(group.count, len(blocks), Values(sizes, integers.get((), ())))
            options.append(itertools.combinations(blocks, max(0, min(most, len(blocks)))))
        for chosen in itertools.islice(itertools.product(*options), MOST_FUNCTIONS):
            world = tuple(one for some in chosen for one in some)
            if world or not patterns:
                found.setdefault(world, sum(sum(_far(t.distances)) for t in world))
    worlds = sorted(found, key=lambda world: found[world], reverse=True)
    times = max((_count(g.times, len(worlds), Values(sizes)) for g in vector), default=1)
    yield from worlds if times == 1 else _joined(worlds, min(times, len(worlds)))


def _joined(worlds: Sequence[TouchedWorld], times: int) -> Iterator[TouchedWorld]:
    """Yield what changes in several places at once, of what changes in one."""
    found: dict[TouchedWorld, None] = {}
    for some in itertools.islice(itertools.combinations(worlds, times), MOST_FUNCTIONS):
        blocks = {(one.map, one.block): one for world in some for one in world}
        found.setdefault(tuple(blocks[place] for place in sorted(blocks)))
    yield from sorted(found, key=len, reverse=True)


def _integers(
    patterns: Sequence[tuple[Group, int, k.Predicate, k.Predicate]], of: tuple[k.Whole, ...],
    families: Mapping[str, k.Sizes], sizes: Mapping[str, int],
) -> Iterator[Mapping[tuple[int, ...], tuple[int, ...]]]:  # fmt: skip
    """Yield integers that tell blocks, for each value of what they are functions of."""
    free = max(number for _, number, *_ in patterns)
    if of:
        family = next(families[g.map] for g, *_, when in patterns if arguments(when))
        values = range(1, max(max(block) for block in blocks_of(family, sizes)) + 1)
    else:
        many = MOST_INTEGERS[min(free, len(MOST_INTEGERS) - 1)]
        family, values = (), range(-many // 5, many)
    each_block = [Values(sizes, (), block) for block in blocks_of(family, sizes)] if of else []
    taken = list(dict.fromkeys(tuple(map(here.of, of)) for here in each_block)) or [()]
    same = _integers_beside([when for _, _, facts, when in patterns for when in (facts, when)])
    alike: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for some in itertools.product(values, repeat=free):
        alike.setdefault(tuple(some[n - 1] for n in same if of), []).append(some)
    for each in alike.values():
        functions = itertools.product(each, repeat=len(taken))
        for chosen in itertools.islice(functions, max(1, MOST_FUNCTIONS // len(alike))):
            yield {(): chosen[0], **dict(zip(taken, chosen, strict=True))}  # (): integers alone


def _integers_beside(conditions: Sequence[k.Predicate]) -> list[int]:
    """Return which letters are integers, and not functions of indices."""
    depends = {n: at for p in conditions for n, at in arguments_of_letters(p).items()}
    return [n for n, at in depends.items() if not at]


def _row_in(group: Group, here: Values) -> TouchRow:
    """Return the parts that see a block, with their distances in this block."""
    found: list[tuple[str, int | Infinity]] = []
    for part, r in group.distances:
        if isinstance(r, Varying):
            seen: int | Infinity = here.of(rewritten(r.of, letter_here))
        else:
            seen = _distance(r, here.symbols)
        if isinstance(seen, Infinity) or seen > 0:
            found.append((part, seen))
    return tuple(found)


def placements(
    problem: Problem, world: TouchedWorld, sizes: Mapping[str, int], *, numbered: bool = False
) -> Iterator[TouchedWorld]:
    """Yield the world with its blocks at other numbers, as far as a claim can see a difference.

    A claim treats all blocks of one map alike, but may be about blocks i of two maps together:
    where maps have blocks of the same numbers, those of the later ones are put everywhere; all of
    them are if the claim is ``numbered``, names a block by its number.
    """

    def put(names: Sequence[str], seen: frozenset[k.Sizes]) -> Iterator[TouchedWorld]:
        if not names:
            yield ()
            return
        own = tuple(t for t in world if t.map == names[0])
        family = tuple(size for _, size in problem.used_maps[names[0]].indices)
        blocks: Iterable[tuple[tuple[int, ...], ...]] = [tuple(t.block or () for t in own)]
        if family and (numbered or family in seen) and not any(t.fixed for t in own):
            blocks = itertools.permutations(blocks_of(family, sizes), len(own))
        for chosen in blocks:
            here = tuple(replace(t, block=b) for t, b in zip(own, chosen, strict=True))
            for rest in put(names[1:], seen | {family}):
                yield (*here, *rest)

    yield from put(list(dict.fromkeys(t.map for t in world)), frozenset())


def nearer(world: TouchedWorld) -> Iterator[TouchedWorld]:
    """Yield a world, and what is left of it where infinite distances are only 3, 2 or 1."""
    yield world
    if any(isinstance(r, Infinity) for t in world for _, r in t.distances):
        for least in (3, 2, 1):
            yield tuple(
                replace(t, distances=tuple(
                    (part, least if isinstance(r, Infinity) else r) for part, r in t.distances
                ))
                for t in world
            )  # fmt: skip


def _row(group: Group, sizes: Mapping[str, int]) -> TouchRow:
    return tuple(
        (part, known) for part, r in group.distances if (known := _distance(r, sizes)) != 0
    )


def _far(row: TouchRow) -> tuple[float, ...]:
    return tuple(float("inf") if isinstance(r, Infinity) else r for _, r in row)


def _distance(r: Distance, sizes: Mapping[str, int]) -> int | Infinity:
    if isinstance(r, Symbolic | Total):
        return r.at(sizes)
    if isinstance(r, Varying):
        raise TypeError("a distance that differs from block to block is one in a block")
    return r if isinstance(r, Infinity) else int(r)


def _count(count: Count | Varying, blocks: int, here: Values) -> int:
    if isinstance(count, All):
        return blocks
    if isinstance(count, Varying):
        return here.of(count.of)
    return count.at(here.symbols) if isinstance(count, Symbolic | Total) else count


def loss(problem: Problem, notion: str, world: TouchedWorld) -> k.Expr | None:
    """Return the loss of the worst mechanisms, over the parameters of named blocks.

    The sum of r eps, of r^2 rho, or of r^2 mu^2 (the square), for example; None if a distance is
    infinite, a part has no such guarantee, or losses do not add up.
    """
    additive = NOTIONS[notion].additive
    if additive is None:
        return None
    parts = {p.name: p for p in problem.bound_parts}
    items: list[k.Expr] = []
    for touch in world:
        for name, r in touch.distances:
            parameters = declared(parts[name], notion)
            if (
                isinstance(r, Infinity)
                or parameters is None
                or source(parts[name], notion) != notion
            ):
                return None
            given = parameters[0]
            value: k.Expr = (
                k.Param(named(given, touch.block or ()))
                if isinstance(given, str)
                else k.Num(Fraction(given))
            )
            items.append(additive.lost(value, k.Num(Fraction(r))))
    return k.Sum(tuple(items))


def placed(
    problem: Problem,
    notion: str,
    world: TouchedWorld,
    sizes: Mapping[str, int],
    values: ParameterValues,
) -> TouchedWorld:
    """Return the world with the blocks chosen as badly as possible for given numbers.

    All choices are tried where they are few; otherwise blocks with large numbers come first.
    """
    parts = {p.name: p for p in problem.bound_parts}
    additive = NOTIONS[notion].additive
    power = 1 if additive is None else additive.power

    def cost(row: TouchRow, block: tuple[int, ...]) -> Fraction:
        total = Fraction(0)
        for part, r in row:
            step = 1 if isinstance(r, Infinity) else r**power
            for parameter in declared(parts[part], notion) or ():
                known = values[parameter] if isinstance(parameter, str) else parameter
                total += step * (known[block] if isinstance(known, Mapping) else known)
        return total

    found: list[AttainedBlock] = []
    for name in dict.fromkeys(t.map for t in world):
        own = [t for t in world if t.map == name]
        if any(t.fixed for t in own):
            found += own
            continue
        rows = [t.distances for t in own]
        blocks = blocks_of(tuple(s for _, s in problem.used_maps[name].indices), sizes)
        best: Sequence[tuple[int, ...]]
        if math.perm(len(blocks), len(rows)) <= MOST_PLACES:
            best = _best(itertools.permutations(blocks, len(rows)), rows, cost)
        else:
            best = sorted(blocks, key=partial(cost, rows[0]), reverse=True)[: len(rows)]
        found += [AttainedBlock(name, b, row) for row, b in zip(rows, best, strict=True)]
    return tuple(found)


def _best(
    choices: Iterable[tuple[tuple[int, ...], ...]],
    rows: Sequence[TouchRow],
    cost: Callable[[TouchRow, tuple[int, ...]], Fraction],
) -> tuple[tuple[int, ...], ...]:
    def total(choice: tuple[tuple[int, ...], ...]) -> Fraction:
        return sum((cost(row, b) for row, b in zip(rows, choice, strict=True)), Fraction(0))

    return max(choices, key=total)


# ------------------------------------------------------------------ numbers to try


SHAPES: Final = ("1", "2 1", "1 2", "2 2 1", "3 2 1", "3 1", "1 0", "0 1", "1 1 0", "2 1 0")
SCALES: Final = tuple(Fraction(x) for x in ("1", "10", "1/10", "1000", "1/1000"))
DELTAS: Final = tuple(Fraction(x) for x in ("1/10", "1/100", "0", "1/2"))
MOST_VALUES: Final = 120


def assignments(
    wanted: Sequence[BlockValues], sizes: Mapping[str, int], given: ParameterValues
) -> Iterator[dict[str, Fraction | dict[tuple[int, ...], Fraction]]]:
    """Yield numbers for the parameters, simple ones first; those that are given stay."""
    options = []
    for family in wanted:
        blocks = blocks_of(family.sizes, sizes)
        if family.name in given:
            known = given[family.name]
            table = dict(known) if isinstance(known, Mapping) else dict.fromkeys(blocks, known)
            options.append([table])
            continue
        scales = DELTAS if family.slot == 1 else SCALES
        rows: dict[tuple[Fraction, ...], None] = {}
        for scale, shape in itertools.product(scales, SHAPES):
            numbers = [Fraction(n) for n in shape.split()]
            row = [*numbers, *[numbers[-1]] * len(blocks)][: len(blocks)]
            top = max(row) if family.slot == 1 else Fraction(1)
            rows[tuple(x * scale / (top or 1) for x in row)] = None
        options.append([dict(zip(blocks, row, strict=True)) for row in rows])
    ranked = sorted(
        itertools.islice(_diagonal([len(o) for o in options]), MOST_VALUES),
        key=lambda place: (sum(place), place),
    )
    for place in ranked:
        found: dict[str, Fraction | dict[tuple[int, ...], Fraction]] = {}
        for family, option, n in zip(wanted, options, place, strict=True):
            found[family.name] = dict(option[n]) if family.sizes else option[n][()]
        yield found


def _diagonal(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield positions, those with small sums first.

    >>> list(_diagonal([2, 2]))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    for total in range(sum(n - 1 for n in lengths) + 1):
        yield from _with_sum(lengths, total)


def _with_sum(lengths: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if not lengths:
        if total == 0:
            yield ()
        return
    for first in range(min(lengths[0] - 1, total) + 1):
        for rest in _with_sum(lengths[1:], total - first):
            yield (first, *rest)
