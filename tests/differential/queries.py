"""The queries alone: what unsatisfiability of one question each says of a problem.

No witness is looked for, so nothing is refuted here; what is proved must hold in every world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import z3

from dpcomp_sym.model import BoundMap, Problem
from dpcomp_sym.smt.pair import Pair
from dpcomp_sym.smt.query import Query, Signature
from tests.differential.compare import Answer, Said


def _pairs(problem: Problem, maps: Sequence[BoundMap]) -> Iterator[Pair]:
    functions = dict(problem.domain.signatures)
    for mapping in problem.used_maps.values():
        functions.update(mapping.functions)
    for edit in problem.outer.edits:
        query = Query(Signature(problem.domain, functions), problem.symbols)
        yield Pair(query, edit, maps)


def _never(problem: Problem, maps: Sequence[BoundMap], ask: Callable[[Pair], None]) -> bool:
    for pair in _pairs(problem, maps):
        ask(pair)
        if pair.query.check() != z3.unsat:
            return False
    return True


def _change(pair: Pair) -> None:
    cell = pair.query.cell()
    pair.query.add(pair.old(cell) != pair.new(cell))


def answer(problem: Problem) -> Answer:
    """Return whether there are neighbours, and whether two blocks of a map can change."""
    vacuous = _never(problem, list(problem.used_maps.values()), _change)
    blocks: dict[str, Said] = {}
    for name, mapping in problem.used_maps.items():
        part = next(p for p in problem.bound_parts if p.map.name == name)
        if not mapping.indices or (part.setting == "common" and mapping.image is not None):
            continue

        def two(pair: Pair, mapping: BoundMap = mapping) -> None:
            first, second = pair.index(mapping), pair.index(mapping)
            pair.query.add(z3.Or(*[a != b for a, b in zip(first, second, strict=True)]))
            for index in (first, second):
                pair.view(mapping, index).changed()

        blocks[name] = Said("proved" if _never(problem, [mapping], two) else "unknown")
    return Answer(Said("vacuous" if vacuous else "unknown"), blocks)
