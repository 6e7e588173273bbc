"""What exhaustive search says of a problem, and whether an analysis contradicts it.

`Answer` is all that the comparison reads of an analysis; `read` in `engine.py` beside this file
makes it from what the engine returns.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.finite.enumerate import (
    UNREACHABLE,
    DistanceShape,
    EditGraph,
    Enumeration,
    Extreme,
    State,
    StepCount,
    dominated,
    label_worlds,
)
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.finite.world import Cell, Database, World
from dpcomp_sym.model import BoundMap, BoundPart, Domain, Problem, Universe
from dpcomp_sym.profile import (
    All,
    Count,
    Distance,
    Group,
    Infinity,
    KRange,
    Profile,
    Symbolic,
    Total,
    Varying,
)
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.terms import Whole

SCOPES = ((4, 1), (3, 2), (2, 3), (4, 1))
"""The worlds for every problem: so many cells, and at most so many records in each."""
TABLES = 48
"""At most so many choices of the label functions for a world."""


@dataclass(frozen=True)
class Witness:
    """The concrete databases of a refutation."""

    world: World
    old: Database
    new: Database
    index: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Said:
    """One verdict: proved, refuted (with a witness), checked, vacuous or unknown."""

    verdict: str
    witness: Witness | None = None
    reason: str = ""


@dataclass(frozen=True)
class Answer:
    """What an analysis says of a problem.  An entry that is missing says nothing."""

    vacuity: Said
    blocks: Mapping[str, Said] = field(default_factory=dict)
    """Map name → does at most one block change?"""
    distances: Mapping[str, Said] = field(default_factory=dict)
    """Part name → is every distance at most 1, with images inside the part's class?"""
    disjoint: Mapping[str, Said] = field(default_factory=dict)
    """Map name → does no record lie in two blocks?"""
    profile: Profile | None = None


@dataclass(frozen=True)
class Evidence:
    """Exhaustive search in one world, over the tables of the maps' own functions."""

    enumeration: Enumeration
    worlds: list[World]


def evidence(problem: Problem, scopes: Sequence[tuple[int, int]] = SCOPES) -> Iterator[Evidence]:
    """Yield what there is to find out in a few small worlds."""
    maps = list(problem.used_maps.values())
    for number, (cells, bound) in enumerate(scopes):
        world = sample_world(problem, number, cells)
        if world is None:
            continue
        # A full product may have more cells than asked for.
        enumeration = Enumeration(problem, world, bound if len(world.cells) <= cells else 1)
        worlds = label_worlds(world, maps, TABLES)
        if worlds:
            yield Evidence(enumeration, worlds)


# -------------------------------------------------------------------- refutations


def is_model(problem: Problem, world: World) -> list[str]:
    """Return why the world is not a world of the problem."""
    found = []
    domain = problem.domain
    if not world.cells:
        found.append("there is no cell")
    if len(set(world.cells)) != len(world.cells):
        found.append("a cell is listed twice")
    if not all(world.is_cell(c) for c in world.cells):
        found.append("a tuple is not a cell")
    if len(world.cells) < domain.at_least:
        found.append("X is too small")
    if not world.symbols_hold(problem.symbols):
        found.append("a fact on a symbol fails")
    found += [
        f"a fact of map {m.name} fails"
        for m in problem.used_maps.values()
        if not world.map_facts_hold(m)
    ]
    for cell in world.cells:
        for value, sort in zip(cell, domain.attribute_sorts.values(), strict=True):
            pool = domain.enumerations.get(sort) or world.elements.get(sort)
            if sort not in ("int", "bool") and value not in (pool or ()):
                found.append(f"{value} is not an element of {sort}")
    if domain.universe is Universe.PRODUCT and not found:
        pools = [
            (False, True) if s == "bool" else domain.enumerations.get(s) or world.elements.get(s)
            for s in domain.attribute_sorts.values()
        ]
        known = [pool for pool in pools if pool is not None]
        if len(known) == len(pools):  # else there are integers, of which X has some
            full = {c for c in itertools.product(*known) if world.is_cell(c)}
            if full != set(world.cells):
                found.append("X is not a full product")
    return found


def unconfirmed(problem: Problem, witness: Witness | None) -> list[str]:
    """Return why a witness shows no two different neighbours of the problem."""
    if witness is None:
        return ["there is no witness"]
    world, old, new = witness.world, witness.old, witness.new
    found = is_model(problem, world)
    for name, database in (("D", old), ("D'", new)):
        if not world.contains(database, problem.domain, world.cells):
            found.append(f"{name} is not in the class")
    if {c: n for c, n in old.items() if n} == {c: n for c, n in new.items() if n}:
        found.append("D = D'")
    elif world.linking(problem.outer, old, new) is None:
        found.append("D and D' are not neighbours")
    return found


def changed(mapping: BoundMap, witness: Witness) -> int:
    """Return how many blocks differ."""
    world = witness.world
    return sum(
        world.apply(mapping, witness.old, i) != world.apply(mapping, witness.new, i)
        for i in world.blocks(mapping)
    )


MORE: Final = 2
"""A cell that a block does not see may hold so many records more than any in the two at hand."""
MOST_PAIRS: Final = 200_000
"""Where more pairs of databases would have to be compared, only the two at hand are."""


def linked_through(part: BoundPart, witness: Witness, index: tuple[int, ...]) -> bool:
    """Return whether some neighbours of the class have the images of D and D' in a block.

    A database with a given image has as many records as that in the cells of each image cell,
    whichever these are, and any number of records in the cells that the block does not see.
    """
    world, granularity = witness.world, part.granularity
    domain = granularity.domain
    fibres: dict[Cell | None, list[Cell]] = {}
    for cell in world.cells:
        seen_as = next(iter(world.apply(part.map, {cell: 1}, index)), None)
        fibres.setdefault(seen_as, []).append(cell)
    room = max([1, *witness.old.values(), *witness.new.values()]) + MORE
    room = room if domain.cap is None else min(room, domain.cap)
    unseen = [[(cell,) * n for n in range(room + 1)] for cell in fibres.get(None, [])]
    images = [world.apply(part.map, d, index) for d in (witness.old, witness.new)]
    pairs = math.prod(len(pool) ** 2 for pool in unseen) * math.prod(
        math.comb(n + len(fibres[c]) - 1, n) for image in images for c, n in image.items()
    )
    if pairs > MOST_PAIRS:
        return world.linking(granularity, witness.old, witness.new) is not None
    before, after = (
        list(_databases(world, domain, [
            *[itertools.combinations_with_replacement(fibres[c], n) for c, n in image.items()],
            *unseen,
        ]))
        for image in images
    )  # fmt: skip
    most = max(itertools.chain.from_iterable(before + after))
    graph = EditGraph(world, granularity, world.cells, most, before + after)
    return any(graph.linked(old, new) for old in before for new in after)


def _databases(
    world: World, domain: Domain, pools: Sequence[Iterable[Sequence[Cell]]]
) -> Iterator[tuple[int, ...]]:
    """Yield the databases of a class that have one choice of records from each pool."""
    for records in itertools.product(*pools):
        database = Counter(itertools.chain.from_iterable(records))
        if world.contains(database, domain, world.cells):
            yield tuple(database[c] for c in world.cells)


def outside(part: BoundPart, witness: Witness) -> bool:
    """Return whether some block of D or D' is not in the part's own class."""
    world = witness.world
    if part.setting == "common":
        return False
    return not all(
        world.contains(world.apply(part.map, d, i), part.domain, world.block_cells(part.map, i))
        for d in (witness.old, witness.new)
        for i in world.blocks(part.map)
    )


def twice(mapping: BoundMap, world: World) -> set[Cell]:
    """Return the cells that lie in two blocks."""
    blocks = world.blocks(mapping)
    return {
        c for c in world.cells if sum(bool(world.apply(mapping, {c: 1}, i)) for i in blocks) > 1
    }


def held(witness: Witness) -> set[Cell]:
    """Return the cells of which one of the two databases has records."""
    return {c for d in (witness.old, witness.new) for c, n in d.items() if n}


def too_far(problem: Problem, part: BoundPart, witness: Witness) -> bool:
    """Return whether some block is seen outside the class, or more than one edit apart.

    Where the outer granularity has no direction but the part's has one, either way counts.
    """
    world = witness.world
    for index in world.blocks(part.map):
        left, right = (world.apply(part.map, d, index) for d in (witness.old, witness.new))
        if left == right or (part.setting == "common" and part.same_granularity):
            continue
        both = part.granularity.directed and not problem.outer.directed
        orders = [(witness.old, witness.new), (witness.new, witness.old)][: 2 if both else 1]
        for old, new in orders:
            if part.setting == "common":
                if not linked_through(part, Witness(world, old, new), index):
                    return True
                continue
            left, right = (world.apply(part.map, d, index) for d in (old, new))
            cells = world.block_cells(part.map, index)
            if not all(world.contains(d, part.domain, cells) for d in (left, right)):
                return True
            if world.linking(part.granularity, left, right, cells) is None:
                return True
    return False


# -------------------------------------------------------------------- profiles


Slots = Mapping[str, Sequence[tuple[float, ...]]]
NEAR = range(-8, 9)


def readers(profile: Profile) -> dict[str, list[str]]:
    """Return the parts that read each map."""
    order: dict[str, list[str]] = {}
    for part in profile.parts:
        order.setdefault(part.map, []).append(part.name)
    return order


def block_numbers(world: World, maps: Mapping[str, BoundMap]) -> dict[str, int]:
    """Return how many blocks each map has in a world."""
    return {name: len(world.blocks(mapping)) for name, mapping in maps.items()}


def vectors_there(profile: Profile, world: World, maps: Mapping[str, BoundMap]) -> list[Slots]:
    """Return the vectors of the case for a world, block by block, in numbers.

    A distance that differs from block to block is the largest one that it is for integers near 0.
    """
    order, blocks = readers(profile), block_numbers(world, maps)

    def farthest(of: Whole, group: Group) -> int:
        free = 0 if group.when is None else group.when[0]
        places = itertools.product(NEAR, repeat=free), world.blocks(maps[group.map])
        return max(
            (Values(world.symbols, at, i).of(of) for at, i in itertools.product(*places)), default=0
        )

    def number(value: Distance | Count, many: int, group: Group) -> float:
        match value:
            case Infinity():
                return UNREACHABLE
            case All():
                return many
            case Varying(of):
                return max(0, farthest(of, group))
            case Symbolic() | Total():
                return value.at(world.symbols)
            case int() | Fraction():
                return float(value)

    def fits(r: KRange) -> bool:
        size = world.symbols.get(r.symbol)
        return size is None or (r.low <= size and (r.high is None or size <= r.high))

    known: list[Slots] = []
    for vector in (v for c in profile.cases if all(fits(r) for r in c.ranges) for v in c.vectors):
        slots: dict[str, list[tuple[float, ...]]] = {}
        for group in vector:
            seen = dict(group.distances)
            many = blocks[group.map]
            slot = tuple(number(seen.get(p, 0), many, group) for p in order[group.map])
            slots.setdefault(group.map, []).extend(
                [slot] * int(min(number(group.count, many, group), many))
            )
        known.append(slots)
    return known


def not_attained(
    profile: Profile, world: World, shapes: Iterable[DistanceShape], maps: Mapping[str, BoundMap]
) -> str | None:
    """Return parameters for which no shape costs what the profile says, None if there are none.

    All shapes are of worlds with the same numbers as this one.  A profile that is called attained
    must be met for all parameters.  Where it depends on the numbers of blocks which of them change,
    weights without positions say nothing: such profiles are compared position by position in
    ``test_together.py``.
    """
    if any(g.when is not None for case in profile.cases for v in case.vectors for g in v):
        return None
    order, blocks = readers(profile), block_numbers(world, maps)
    known, found = vectors_there(profile, world, maps), [dict(s) for s in shapes]
    for weights, power in itertools.product(_weights(blocks, order), (1, 2)):
        most = max((_value(slots, weights, power) for slots in known), default=0.0)
        seen = max((_value(slots, weights, power) for slots in found), default=0.0)
        if seen < most - 1e-9:
            return (
                f"{most} is called attained, and {seen} is the most, where parameters are {weights}"
            )
    return None


def covers(
    profile: Profile, world: World, shape: DistanceShape, maps: Mapping[str, BoundMap]
) -> bool:
    """Return whether the case for this world leaves no doubt that a shape is bounded.

    Either one vector dominates the shape block by block, or one says that nothing is guaranteed,
    or, for every try of weights, some vector's largest value is at least the shape's largest: a
    single block at distance 2 outweighs two at distance 1, wherever they are.
    """
    if not any(blocks for _, blocks in shape):  # nothing changes, which costs nothing
        return True
    order, blocks = readers(profile), block_numbers(world, maps)
    known = vectors_there(profile, world, maps)
    if any(UNREACHABLE in slot for slots in known for there in slots.values() for slot in there):
        return True
    if any(dominated(shape, tuple((n, tuple(s.get(n, ()))) for n, _ in shape)) for s in known):
        return True
    return all(
        max((_value(slots, weights, power) for slots in known), default=0.0)
        >= _value(dict(shape), weights, power) - 1e-9
        for weights in _weights(blocks, order)
        for power in (1, 2)
    )


Weights = Mapping[str, Sequence[tuple[float, ...]]]
"""Map → for each block the parameters of the parts that read it."""


def _weights(blocks: Mapping[str, int], order: Mapping[str, Sequence[str]]) -> Iterator[Weights]:
    """Yield parameters of the mechanisms, of all blocks and parts."""
    rng = random.Random(1)
    profiles = [(1, 1, 1, 1), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 0.5, 0.2, 0.1)]
    parts = [p for names in order.values() for p in names]
    choices = [dict.fromkeys(parts, 1.0), *({q: float(q == p) for q in parts} for p in parts)]
    choices += [{p: rng.random() for p in parts} for _ in range(3)]
    for along, chosen in itertools.product(profiles, choices):
        yield {
            name: [
                tuple(chosen[p] * (along[n] if n < len(along) else 0) for p in names)
                for n in range(blocks[name])
            ]
            for name, names in order.items()
        }


def _value(slots: Slots, weights: Weights, power: int) -> float:
    """Return the largest sum over the ways to place the slots on different blocks."""
    total = 0.0
    for name, there in slots.items():
        table = weights[name][:6]  # only families with two indices are as large
        chosen = set(itertools.combinations(sorted(there), min(len(there), len(table))))
        total += max(
            (
                sum(
                    w * r**power if w else 0.0
                    for slot, place in zip(some, places, strict=True)
                    for r, w in zip(slot, place, strict=True)
                )
                for some in chosen
                for places in set(itertools.permutations(table, len(some)))
            ),
            default=0.0,
        )
    return total


# -------------------------------------------------------------------- bounds, block by block


_Change = tuple[str, tuple[int, ...], tuple[StepCount, ...]]
Row = tuple[_Change, ...]
"""For each block that changes: its map, its number, and the distances of the map's parts."""
POWERS: Final = {"pure": 1, "zcdp": 2}
"""With which power of the distance a guarantee grows that is added up over blocks."""


def rows(enumeration: Enumeration, world: World) -> set[Row]:
    """Return what all neighbours do, block by block."""
    maps, parts = enumeration.problem.used_maps, enumeration.problem.bound_parts
    states = sorted({state for pair in enumeration.pairs for state in pair})
    place = {state: n for n, state in enumerate(states)}
    ends = [(place[old], place[new]) for old, new in enumeration.pairs]
    seen: list[list[_Change]] = [[] for _ in ends]
    for name, mapping in maps.items():
        readers_ = [p for p in parts if p.map == mapping]
        for index in world.blocks(mapping):
            view = enumeration.view(world, mapping, index)
            cells = enumeration.block_cells(mapping, view)
            # Far fewer images than databases, so that few distances are asked for.
            number: dict[State, int] = {}
            images = [
                number.setdefault(enumeration.image(view, state, cells), len(number))
                for state in states
            ]
            known: dict[tuple[int, int], tuple[StepCount, ...]] = {}
            for row, (old, new) in zip(seen, ends, strict=True):
                pair = images[old], images[new]
                if pair[0] == pair[1]:
                    continue
                if pair not in known:
                    two = states[old], states[new]
                    known[pair] = tuple(enumeration.distance(p, view, *two) for p in readers_)
                if any(known[pair]):
                    row.append((name, index, known[pair]))
    return {tuple(row) for row in seen}


@dataclass(frozen=True)
class Numbers:
    """Parameters of parts: one for each block, by its indices, or one number without blocks."""

    values: Mapping[str, Any]

    def cost(self, problem: Problem, row: Row, notion: str) -> float:
        """Return what neighbours cost who change blocks as a row says."""
        total = 0.0
        for name, index, seen in row:
            parts = [p for p in problem.bound_parts if p.map.name == name]
            for part, distance in zip(parts, seen, strict=True):
                (parameter,) = dict(part.guarantees)[notion]
                given = self.values[str(parameter)]
                weight = given
                for place in () if isinstance(given, int) else index:
                    weight = weight[place - 1]
                total += weight * float(distance) ** POWERS[notion] if weight else 0.0
        return total


def random_numbers(problem: Problem, world: World, rng: random.Random) -> Numbers:
    """Return random parameters for all parts of a problem whose families have up to two indices."""
    values: dict[str, Any] = {}
    for part in problem.bound_parts:
        blocks = list(world.blocks(part.map))
        for notion in POWERS:
            (parameter,) = dict(part.guarantees)[notion]
            each = [rng.choice((0, 1, 2, 3, 5, 8)) for _ in blocks]
            if len(part.map.indices) == 2:
                many = max(b for _, b in blocks)
                rows = [each[n : n + many] for n in range(0, len(each), many)]
                values[str(parameter)] = rows
            else:
                values[str(parameter)] = each if part.map.indices else each[0]
    return Numbers(values)


@dataclass(frozen=True)
class Claim:
    """What a bound says for some parameters: at most this, and whether some neighbours need it."""

    notion: str
    value: float
    tight: bool


def contradicted(
    problem: Problem, known: Iterable[Evidence],
    drawn: Sequence[tuple[Numbers, Sequence[Claim]]],
) -> list[str]:  # fmt: skip
    """Return where neighbours need more than a bound, or none what is called tight.

    The worlds have the same numbers for symbols; more are looked at only where a tight bound was
    not met.
    """
    waiting = {
        (place, claim.notion): claim
        for place, (_, claims) in enumerate(drawn)
        for claim in claims
        if claim.tight and claim.value > 0
    }
    for one in known:
        found = rows(one.enumeration, one.worlds[0])
        for place, (numbers, claims) in enumerate(drawn):
            for claim in claims:
                costs = ((numbers.cost(problem, row, claim.notion), row) for row in found)
                most, row = max(costs, key=lambda pair: pair[0], default=(0.0, ()))
                if most > claim.value + CLOSE:
                    return [f"{claim.notion}: {row} costs {most}, above {claim} for {numbers}"]
                if most >= claim.value - CLOSE:
                    waiting.pop((place, claim.notion), None)
        if not waiting:
            return []
    return [f"no neighbours need {claim} for {drawn[place][0]}"
            for (place, _), claim in waiting.items()]  # fmt: skip


CLOSE: Final = 1e-9
"""Costs are sums of small whole numbers; bounds may be written as roots."""


# -------------------------------------------------------------------- the comparison


def disagreements(
    problem: Problem, answer: Answer, known: Sequence[Evidence] | None = None
) -> list[str]:
    """Return every contradiction between an analysis and exhaustive search, as sentences."""
    found: list[str] = []
    maps = problem.used_maps
    parts = {p.name: p for p in problem.bound_parts}
    for name, said in answer.blocks.items():
        if said.verdict == "refuted":
            witness = said.witness
            reasons = unconfirmed(problem, witness)
            if witness is not None and not reasons and changed(maps[name], witness) < 2:
                reasons = ["at most one block changes"]
            found += [f"C1 of {name} is refuted without ground: {r}" for r in reasons]
    for name, said in answer.distances.items():
        if said.verdict == "refuted":
            witness, part = said.witness, parts[name]
            reasons = unconfirmed(problem, witness)
            if witness is not None and not (
                reasons or outside(part, witness) or too_far(problem, part, witness)
            ):
                reasons = ["no distance exceeds 1"]
            found += [f"C2 of {name} is refuted without ground: {r}" for r in reasons]
    for name, said in answer.disjoint.items():
        if said.verdict == "refuted":
            witness, mapping = said.witness, problem.used_maps[name]
            reasons = unconfirmed(problem, witness)
            if (
                witness is not None
                and not reasons
                and not (held(witness) & twice(mapping, witness.world))
            ):
                reasons = ["no record lies in two blocks"]
            found += [f"{name} is not a partition, without ground: {r}" for r in reasons]
    if answer.vacuity.verdict == "proved":  # there are neighbours
        found += [
            f"neighbours are claimed without ground: {r}"
            for r in unconfirmed(problem, answer.vacuity.witness)
        ]
    for one in evidence(problem) if known is None else known:
        found += _against(problem, answer, one)
    return found


def _against(problem: Problem, answer: Answer, one: Evidence) -> list[str]:
    found: list[str] = []
    enumeration, worlds = one.enumeration, one.worlds
    if enumeration.vacuous:
        return found
    pair = enumeration.pairs[0]
    if answer.vacuity.verdict == "vacuous":
        found.append(f"vacuous, but there are neighbours {pair} in {enumeration.world}")
    for name, said in answer.blocks.items():
        if said.verdict in ("proved", "vacuous"):
            most = enumeration.most_changed(problem.used_maps[name], worlds)
            limit = 1 if said.verdict == "proved" else -1
            if most is not None and most.value > limit:
                found.append(f"C1 of {name} is {said.verdict}, but {_shown(most)}")
    cells = enumeration.world.cells
    for name, said in answer.disjoint.items():
        if said.verdict != "proved":
            continue
        for world in worlds:
            overlap = twice(problem.used_maps[name], world)
            for states in enumeration.pairs if overlap else ():
                ends = [dict(zip(cells, state, strict=True)) for state in states]
                both = Witness(world, ends[0], ends[1])
                if held(both) & overlap:
                    found.append(f"{name} is a partition, but not for {both}")
                    break
    for part in problem.bound_parts:
        said = answer.distances.get(part.name, Said("unknown"))
        if said.verdict not in ("proved", "vacuous"):
            continue
        most = enumeration.farthest(part, worlds)
        if most is not None and most.value > (1 if said.verdict == "proved" else -1):
            found.append(f"C2 of {part.name} is {said.verdict}, but {_shown(most)}")
        outside = enumeration.outside(part, worlds)
        if outside is not None:
            found.append(f"C2 of {part.name} is {said.verdict}, but outside: {_shown(outside)}")
    if answer.profile is not None and answer.profile.proved:
        found += _profile(problem, answer.profile, one)
    return found


def _profile(problem: Problem, profile: Profile, one: Evidence) -> list[str]:
    if profile.vacuous:
        return [f"the profile is vacuous, but there are neighbours in {one.enumeration.world}"]
    maps = problem.used_maps
    found = []
    for world in worlds_by_symbols(one.worlds):
        for shape, witness in one.enumeration.profile(world).items():
            if covers(profile, witness.world, shape, maps):
                continue
            exact = settled(one.enumeration, witness, shape)
            if covers(profile, witness.world, exact, maps):
                continue
            found.append(f"no vector dominates {exact}: {_shown(witness)}")
    return found[:3]


def worlds_by_symbols(worlds: Sequence[World]) -> Iterator[list[World]]:
    """Group worlds with the same numbers; shapes of different k must not dominate each other."""
    groups: dict[tuple[tuple[str, int], ...], list[World]] = {}
    for world in worlds:
        groups.setdefault(tuple(sorted(world.symbols.items())), []).append(world)
    yield from groups.values()


def settled(enumeration: Enumeration, witness: Extreme, shape: DistanceShape) -> DistanceShape:
    """Return the shape of one witness with more room for paths, where that could matter."""
    if all(d <= 2 for _, blocks in shape for b in blocks for d in b):
        return shape
    deeper = enumeration.deeper()
    cells = enumeration.world.cells
    states = [tuple(d.get(c, 0) for c in cells) for d in (witness.old, witness.new)]
    deeper.pairs = [(states[0], states[1])]
    (found,) = deeper.shapes([witness.world])
    return found


def _shown(found: Extreme) -> str:
    world = found.world
    tables = {n: dict(t) for n, t in world.functions.items()}
    return (
        f"value {found.value} at {found.old} ~ {found.new}, index {found.index}, in cells "
        f"{world.cells}, symbols {dict(world.symbols)}, functions {tables}"
    )
