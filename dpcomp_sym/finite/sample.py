"""Random small worlds of a problem: tables of its functions, and what its class allows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence

from dpcomp_sym.finite.world import Cell, World
from dpcomp_sym.model import Domain, Problem, Universe
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Environment,
    conjuncts,
    evaluate,
    free_variables,
    variable,
)
from dpcomp_sym.terms.evaluate import Value

__all__ = ["sample_world"]


def sample_world(problem: Problem, seed: int, cells: int = 4, attempts: int = 60) -> World | None:
    """Return a random world for a problem, or None if none was found that satisfies the facts.

    Uninterpreted sorts get two elements (three where two attributes share it; a sort of whole
    records
    as many as cells), integers come
    from a small window, X is a random choice of ``cells`` tuples (all of them where the domain is
    a full product, which may be more), families have one to three blocks.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(
    ...     Domain({"id": "Record"}),
    ...     library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")],
    ...     [Part("counts", "blocks")],
    ... )
    >>> world = sample_world(problem, 0)
    >>> world is None or 1 <= len(world.cells) <= 8
    True
    """
    rng = random.Random(f"{seed}/{problem.title}")
    domain = problem.domain
    lone = len(domain.attributes) == 1
    sorts = list(domain.attribute_sorts.values())
    paired = len(set(sorts)) < len(sorts) and domain.universe is not Universe.PRODUCT
    many = cells if lone else 3 if paired else 2
    elements = {s: tuple(f"{s}{n}" for n in range(1, many + 1)) for s in domain.sorts()}
    for _, result in domain.signatures.values():
        if result in elements:
            elements[result] = elements[result][:2]
    for _ in range(attempts):
        world = _one_world(problem, rng, elements, cells)
        if world is not None:
            return world
    return None


def _one_world(
    problem: Problem, rng: random.Random, elements: Mapping[str, tuple[str, ...]], count: int
) -> World | None:
    domain = problem.domain
    symbols = _symbols(problem, rng)
    low = rng.choice([-1, 0, 0, 1])
    pools: list[Sequence[Value]] = []
    for sort in domain.attribute_sorts.values():
        if sort == INT:
            pools.append(range(low, low + rng.choice([2, 3, 4])))
        else:
            pools.append(_values(domain, elements, sort))
    tuples: list[Cell] = list(itertools.product(*pools))
    top = max([symbols.get("k", 2), 2])
    integers = range(min(low, 0) - 1, max(low + 4, top) + 2 + top)
    functions = _tables(problem, rng, elements, tuples, integers, top)
    world = World(domain, (), elements, functions, {}, symbols)
    fitting = [c for c in tuples if world.is_cell(c)]
    if domain.universe is Universe.PRODUCT:
        chosen = fitting
    else:
        chosen = sorted(rng.sample(fitting, min(len(fitting), rng.choice([count - 1, count]))))
    if len(chosen) < max(domain.at_least, 1):
        return None
    world = World(domain, tuple(chosen), elements, functions, {}, symbols)
    if not world.symbols_hold(problem.symbols):
        return None
    if not all(world.map_facts_hold(m) for m in problem.used_maps.values()):
        return None
    return world


def _symbols(problem: Problem, rng: random.Random) -> dict[str, int]:
    """Return a number for each symbol; a fact that fixes one is kept."""
    symbols: dict[str, int] = {}
    sizes = {s for m in problem.used_maps.values() for _, s in m.indices}
    for name in problem.symbols:
        any_number = name in problem.domain.symbols and name not in sizes
        symbols[name] = rng.choice([0, 1, 2, 2, 3, -1, -2] if any_number else [1, 2, 2, 3])
        for fact in conjuncts(problem.symbols[name]):
            if (
                fact.op == "eq"
                and fact.terms[0] == variable(name, INT)
                and not (free_variables(fact.terms[1]))
            ):
                symbols[name] = evaluate(fact.terms[1], Environment())
    return symbols


def _values(domain: Domain, elements: Mapping[str, tuple[str, ...]], sort: str) -> Sequence[Value]:
    """Return the values of a sort that is not that of integers."""
    if sort == BOOL:
        return (False, True)
    return domain.enumerations.get(sort) or elements[sort]


def _tables(
    problem: Problem, rng: random.Random, elements: Mapping[str, tuple[str, ...]],
    tuples: Sequence[Cell], integers: Sequence[int], top: int,
) -> dict[str, dict[tuple[Value, ...], Value]]:  # fmt: skip
    """Return a random table for each function of the domain and of the maps."""
    domain = problem.domain
    signatures = dict(domain.signatures)
    for mapping in problem.used_maps.values():
        signatures.update(mapping.functions)
    sparse = rng.random() < 0.5
    functions: dict[str, dict[tuple[Value, ...], Value]] = {}
    for name, (sorts, result) in signatures.items():
        given: dict[str, Sequence[Value]] = {CELL: tuples, INT: integers}
        keys = [given[s] if s in given else _values(domain, elements, s) for s in sorts]
        values: Sequence[Value]
        if result == INT:
            values = range(1, top + 1) if name not in domain.functions else range(-1, 3)
            if rng.random() < 0.3:
                values = range(top + 2)
        elif result == BOOL:
            values = [False, False, True] if sparse else [False, True]
        else:
            values = _values(domain, elements, result)
        functions[name] = {key: rng.choice(values) for key in itertools.product(*keys)}
    return functions
