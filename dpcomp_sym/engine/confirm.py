"""From a solver's model to a counterexample that the evaluator confirms, smallest first.

This is the only way in which the program says "refuted" or "attained".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundEdit, BoundMap, Problem, Universe
from dpcomp_sym.smt import Distance, Pair, Query, logic
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import CELL, INT, evaluate

__all__ = ["Demand", "Found", "confirm", "signature_of"]

LARGEST: Final = 7
MOST_ROUNDS: Final = 60
MOST_PRODUCT: Final = 12


def signature_of(problem: Problem) -> Signature:
    """Return the sorts and functions of a problem, those of all its maps included."""
    functions = dict(problem.domain.signatures)
    for mapping in (*problem.bound_maps.values(), *problem.used_maps.values()):
        functions.update(mapping.functions)
    return Signature(problem.domain, functions)


@dataclass
class Demand:
    """What is asked of a pair of neighbours.

    ``blocks`` are solver terms for the blocks in question; ``far`` lists distances that must be
    larger than a number.
    """

    blocks: list[tuple[BoundMap, tuple[Any, ...]]]
    far: list[tuple[Distance, int]]


@dataclass(frozen=True)
class Found:
    """A pair of neighbours in a world, with the numbers of the blocks in question."""

    world: World
    old: Mapping[Cell, int]
    new: Mapping[Cell, int]
    blocks: tuple[tuple[BoundMap, tuple[int, ...]], ...]


def confirm(
    problem: Problem,
    signature: Signature,
    edit: BoundEdit,
    ask: Callable[[Pair], Demand],
    judge: Callable[[Found], bool],
) -> Found | None:
    """Look for a smallest pair of neighbours with a property, and have it confirmed.

    Args:
        problem: what the pair belongs to.
        signature: its sorts and functions.
        edit: the outer edit that links the pair.
        ask: states the property on a symbolic pair.
        judge: decides it on a concrete one, by the evaluator alone.
    """
    sized = bool(problem.domain.size) or problem.domain.at_least > 1
    for padding in (0, 1, 2) if sized else (0,):
        for found in _models(problem, signature, edit, ask, padding):
            if _neighbours(problem, edit, found) and judge(found):
                return _shrunk(problem, edit, found, judge)
    return None


def _models(
    problem: Problem, signature: Signature, edit: BoundEdit, ask: Callable[[Pair], Demand],
    padding: int,
) -> Iterator[Found]:  # fmt: skip
    """Yield models with few records first."""
    query = Query(signature, problem.symbols)
    maps = tuple(problem.used_maps.values()) or tuple(problem.bound_maps.values())
    pair = Pair(query, edit, maps, closed=True)
    demand = ask(pair)
    for _ in range(padding):
        query.cell("pad")
    if problem.domain.universe is Universe.PRODUCT:
        _fill_product(query)
    total = logic.Int("records")
    query.at_check(lambda: [total == query.distinct_sum(pair.old) + query.distinct_sum(pair.new)])
    if query.check() == logic.unsat:
        return
    for bound in (*range(LARGEST + 1), None):
        limit = [] if bound is None else [total <= bound]
        if not _settle(query, demand, limit):
            continue
        yield _found(query, pair, demand, limit)
        if bound is not None:
            # A second try with another model of the same size, then larger ones.
            continue


def _settle(query: Query, demand: Demand, assumptions: Sequence[Any]) -> bool:
    """Find a model in which no path shortens what must be far."""
    for _ in range(MOST_ROUNDS):
        if query.check(*assumptions) != logic.sat:
            return False
        if not any(distance.resist(number) for distance, number in demand.far):
            return True
    return False


def _found(query: Query, pair: Pair, demand: Demand, limit: Sequence[Any]) -> Found:
    model = query.model()
    extra: list[Any] = []
    for name in sorted(query.symbols):  # small numbers for the symbols
        symbol = query.symbols[name]
        for value in range(5):
            narrowed = [*limit, *extra, symbol == value]
            if query.check(*narrowed) == logic.sat and not any(d.resist(n) for d, n in demand.far):
                extra.append(symbol == value)
                model = query.model()
                break
    snapshot = Snapshot(query, model)
    cells: dict[Cell, Any] = {}
    for cell in query.cells:
        cells.setdefault(snapshot.cell(cell), cell)
    old = {c: int(snapshot.value(pair.old(g), INT)) for c, g in cells.items()}  # type: ignore[arg-type]
    new = {c: int(snapshot.value(pair.new(g), INT)) for c, g in cells.items()}  # type: ignore[arg-type]
    for name, sort in pair.edit.params:  # so that the world has the elements of the parameters
        if sort != CELL:
            snapshot.value(pair.params[name], sort)
    blocks = tuple(
        (m, tuple(int(snapshot.value(i, INT)) for i in index))  # type: ignore[arg-type]
        for m, index in demand.blocks
    )
    world = snapshot.world(tuple(cells))
    found = Found(world, _held(old), _held(new), blocks)
    # Read everything once, so that the tables hold what is needed; then make them plain.
    _read_all(pair.maps, found)
    return Found(snapshot.settled(world), found.old, found.new, blocks)


def _read_all(maps: Sequence[BoundMap], found: Found) -> None:
    world = found.world
    for mapping in maps:
        world.map_facts_hold(mapping)
        for index in itertools.islice(world.blocks(mapping), 40):
            world.block_cells(mapping, index)
    for key, _ in world.domain.limit_terms:
        env = world.environment()
        for cell in world.cells:
            env.variables["c"] = cell

            evaluate(key, env)
    env = world.environment()
    for name, (arguments, _) in world.domain.signatures.items():
        pools: list[Sequence[Any]] = []
        for sort in arguments:
            if sort == CELL:
                pools.append(world.cells)
            elif sort == INT:
                pools.append(world.integers()[:20])
            elif sort == "bool":
                pools.append((False, True))
            else:
                pools.append(world.elements[sort])
        for values in itertools.islice(itertools.product(*pools), 200):
            env.functions[name](*values)


def _held(database: Mapping[Cell, int]) -> dict[Cell, int]:
    return {c: n for c, n in database.items() if n}


def _fill_product(query: Query) -> None:
    columns: list[list[Any]] = []
    for position in range(len(query.domain.attributes)):
        column: list[Any] = []
        for cell in query.cells:
            if not any(cell[position].eq(t) for t in column):
                column.append(cell[position])
        columns.append(column)
    existing = list(query.cells)
    for number, cell in enumerate(itertools.product(*columns)):
        if number >= MOST_PRODUCT:
            return
        if not any(all(a.eq(b) for a, b in zip(cell, e, strict=True)) for e in existing):
            query.register(tuple(cell))


def _neighbours(problem: Problem, edit: BoundEdit, found: Found) -> bool:
    """Return whether the evaluator agrees that this is a pair of neighbours of the class."""
    world, domain = found.world, problem.domain
    if not world.symbols_hold(problem.symbols) or len(world.cells) < domain.at_least:
        return False
    if not all(world.is_cell(c) for c in world.cells):
        return False
    if domain.universe is Universe.PRODUCT and not _full_product(world):
        return False
    for database in (found.old, found.new):
        if not world.contains(database, domain, world.cells):
            return False
    for mapping in problem.used_maps.values() or problem.bound_maps.values():
        if not world.map_facts_hold(mapping):
            return False
    del edit
    return world.linking(problem.outer, found.old, found.new) is not None


def _full_product(world: World) -> bool:
    domain = world.domain
    pools: list[Sequence[Any]] = []
    for position, sort in enumerate(domain.attribute_sorts.values()):
        if sort == "bool":
            pools.append((False, True))
        elif sort == INT:  # the integers in sight: which further cells there are does not matter
            pools.append(sorted({c[position] for c in world.cells}))
        else:
            pools.append(world.elements.get(sort, ()))
    full = {c for c in itertools.product(*pools) if world.is_cell(c)}
    return full == set(world.cells)


def _shrunk(
    problem: Problem, edit: BoundEdit, found: Found, judge: Callable[[Found], bool]
) -> Found:
    """Drop cells that hold nothing, as long as the property stays."""
    if problem.domain.universe is Universe.PRODUCT:
        return found
    world = found.world
    for cell in reversed(world.cells):
        if found.old.get(cell) or found.new.get(cell):
            continue
        smaller = World(
            world.domain, tuple(c for c in world.cells if c != cell), world.elements,
            world.functions, world.defaults, world.symbols,
        )  # fmt: skip
        attempt = Found(smaller, found.old, found.new, found.blocks)
        if smaller.cells and _neighbours(problem, edit, attempt) and judge(attempt):
            world, found = smaller, attempt
    return found
