"""Two databases that no edit links: decided by the solver, for parameters from anywhere.

The evaluator tries the parameters in sight.  Where an edit can name cells that hold nothing, or
its step reads other cells, that says nothing of parameters beyond.  Here the two databases are
written down, with nothing held elsewhere, and the parameters are unknowns.
"""

from __future__ import annotations

import itertools
from typing import Any

from dpcomp_sym.finite import Database, World
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import BOOL, INT

__all__ = ["unlinked"]


def unlinked(world: World, granularity: BoundGranularity, left: Database, right: Database) -> bool:
    """Prove that no edit leads from one of two databases to the other.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> world = World(domain, (("a",), ("b",)), {"Record": ("a", "b")})
    >>> unbounded = library_granularity("unbounded").bind(domain)
    >>> [unlinked(world, unbounded, {}, d) for d in ({("a",): 1}, {("a",): 2})]
    [False, True]
    """
    orders = ((left, right),) if granularity.directed else ((left, right), (right, left))
    return not any(
        _may_link(world, edit, granularity, old, new)
        for edit in granularity.edits
        for old, new in orders
    )


def _may_link(
    world: World, edit: BoundEdit, granularity: BoundGranularity, old: Database, new: Database
) -> bool:
    domain = granularity.domain
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
    query.add(*[query.symbols[name] == world.symbols[name] for name in domain.symbols])
    pair = Pair(query, edit, (), closed=True)
    named = _names(query, world)
    cells = [
        tuple(named[s, v] for s, v in zip(domain.attribute_sorts.values(), cell, strict=True))
        for cell in world.cells
    ]
    numbers = [(old.get(c, 0), new.get(c, 0)) for c in world.cells]

    def held(cell: GroundCell) -> list[Any]:
        """A cell is one of those written down, or holds nothing."""
        before, after = pair.old(cell), pair.new(cell)
        known = [query.equal(cell, one) for one in cells]
        cases = [
            logic.And(same, before == m, after == n)
            for same, (m, n) in zip(known, numbers, strict=True)
        ]
        nothing = logic.And(logic.Not(logic.Or(*known)), before == 0, after == 0)
        return [logic.Or(*cases, nothing)]

    query.for_all_cells(held)
    for cell in cells:
        query.register(cell)
    return bool(query.check() != logic.unsat)


def _names(query: Query, world: World) -> dict[tuple[str, Any], Any]:
    """Return a term for each value in the cells of a world; different ones for different values."""
    found: dict[tuple[str, Any], Any] = {}
    domain = query.domain
    for place, sort in enumerate(domain.attribute_sorts.values()):
        for value in dict.fromkeys(cell[place] for cell in world.cells):
            if (sort, value) in found:
                continue
            if sort == INT:
                found[sort, value] = logic.IntVal(value)
            elif sort == BOOL:
                found[sort, value] = logic.BoolVal(value)
            elif sort in domain.enumerations:
                found[sort, value] = query.signature.constant(str(value), sort)
            else:
                found[sort, value] = query.fresh(sort, "value")
    for (sort, a), (other, b) in itertools.combinations(found, 2):
        if sort == other and sort not in (INT, BOOL) and sort not in domain.enumerations:
            query.add(logic.Not(found[sort, a] == found[other, b]))
    return found
