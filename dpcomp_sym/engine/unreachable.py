"""Decide by SMT, for arbitrary edit parameters, whether databases are more than an edit apart.

The evaluator tries the parameters that occur.  Where an edit can name cells that hold nothing, or
its step reads other cells, that proves nothing about further parameters.  Here the databases are
written down, with nothing held elsewhere, and the parameters are unknowns to the solver.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import BOOL, INT

__all__ = ["Links", "isolated", "names_of", "unlinked"]


def unlinked(
    world: World, granularity: BoundGranularity, left: Database, right: Database,
    cells: Sequence[Cell] | None = None, shown: Sequence[Cell] | None = None,
) -> bool:  # fmt: skip
    """Prove that no edit leads from one of two databases to the other.

    ``cells`` are those of the databases, which a block may see under other attributes than the
    world; all of the world's if absent.  With ``shown``, that no edit links any databases that
    hold so many records in these cells; what else a block may show is empty, the rest is hidden.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> world = World(domain, (("a",), ("b",)), {"Record": ("a", "b")})
    >>> unbounded = library_granularity("unbounded").bind(domain)
    >>> [unlinked(world, unbounded, {}, d) for d in ({("a",): 1}, {("a",): 2})]
    [False, True]
    """
    orders = ((left, right),) if granularity.directed else ((left, right), (right, left))
    return not any(
        _may_link(
            world, edit, granularity, old, new, world.cells if cells is None else cells, shown
        )
        for edit in granularity.edits
        for old, new in orders
    )


class Links:
    """Which databases of one world no edit links: what is the same of all of them is written once.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> world = World(domain, (("a",), ("b",)), {"Record": ("a", "b")})
    >>> links = Links(world, library_granularity("unbounded").bind(domain))
    >>> [links.excluded({}, d) for d in ({("a",): 1}, {("a",): 2})]
    [False, True]
    """

    def __init__(self, world: World, granularity: BoundGranularity) -> None:
        self.world, self.granularity = world, granularity

    @cached_property
    def _edits(self) -> list[tuple[Pair, list[dict[Cell, Any]]]]:
        found = []
        for edit in self.granularity.edits:
            pair = _pair(self.world, edit, self.granularity, closed=True)
            held = [{c: pair.query.fresh(INT, "held") for c in self.world.cells} for _ in range(2)]
            _write_down(pair, self.world.cells, list(zip((pair.old, pair.new), held, strict=True)))
            found.append((pair, held))
        return found

    def excluded(self, left: Database, right: Database) -> bool:
        """Prove that no edit leads from one of two databases to the other."""
        orders = ((left, right), (right, left))[: 1 if self.granularity.directed else 2]
        return all(
            pair.query.check(
                *(number == database.get(cell, 0)
                  for numbers, database in zip(held, order, strict=True)
                  for cell, number in numbers.items())
            ) == logic.unsat
            for pair, held in self._edits
            for order in orders
        )  # fmt: skip


def isolated(
    world: World, granularity: BoundGranularity, database: Database, cells: Sequence[Cell],
    *, out: bool = True, into: bool = True,
) -> bool:  # fmt: skip
    """Prove that no edit leads out of a database, or into it, but to itself.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> world = World(domain, (("a",),), {"Record": ("a",)})
    >>> bounded = library_granularity("bounded").bind(domain)
    >>> [isolated(world, bounded, d, world.cells) for d in ({}, {("a",): 1})]
    [True, False]
    """
    return not any(
        _may_lead(world, edit, granularity, database, cells, backwards=backwards)
        for edit in granularity.edits
        for backwards in (*[False] * out, *[True] * into)
    )


def _may_lead(
    world: World, edit: BoundEdit, granularity: BoundGranularity, database: Database,
    written: Sequence[Cell], *, backwards: bool,
) -> bool:  # fmt: skip
    pair = _pair(world, edit, granularity, closed=False)
    _write_down(pair, written, [(pair.new if backwards else pair.old, database)])
    cell = pair.query.cell("z")
    pair.query.add(pair.old(cell) != pair.new(cell))
    return bool(pair.query.check() != logic.unsat)


def _may_link(
    world: World, edit: BoundEdit, granularity: BoundGranularity, old: Database, new: Database,
    written: Sequence[Cell], shown: Sequence[Cell] | None,
) -> bool:  # fmt: skip
    pair = _pair(world, edit, granularity, closed=True)
    _write_down(pair, written, [(pair.old, old), (pair.new, new)], shown)
    return bool(pair.query.check() != logic.unsat)


def _pair(world: World, edit: BoundEdit, granularity: BoundGranularity, *, closed: bool) -> Pair:
    domain = granularity.domain
    query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
    query.add(*[query.symbols[name] == world.symbols[name] for name in domain.symbols])
    return Pair(query, edit, (), closed=closed)


def _write_down(
    pair: Pair, written: Sequence[Cell],
    databases: Sequence[tuple[Callable[[GroundCell], Any], Mapping[Cell, Any]]],
    shown: Sequence[Cell] | None = None,
) -> None:  # fmt: skip
    """Say what databases hold: what is written, and nothing in any other cell that is shown."""
    query = pair.query
    named = names_of(query, written)
    sorts = query.domain.attribute_sorts.values()
    signature = [query.signature.sort(s) for s in sorts]
    inside = logic.SolverFunction("inside", *signature, query.signature.sort(BOOL))
    cells = [tuple(named[s, v] for s, v in zip(sorts, cell, strict=True)) for cell in written]

    def held(cell: GroundCell) -> list[Any]:
        known = [query.equal(cell, one) for one in cells]
        cases = [
            logic.And(
                same,
                *[
                    at(cell) == database.get(c, 0)
                    for at, database in databases
                    if shown is None or c in shown
                ],
            )
            for same, c in zip(known, written, strict=True)
        ]
        empty = logic.And(*[at(cell) == 0 for at, _ in databases])
        elsewhere = empty if shown is None else logic.Or(logic.Not(inside(*cell)), empty)
        return [logic.Or(*cases, logic.And(logic.Not(logic.Or(*known)), elsewhere))]

    query.for_all_cells(held)
    for cell in cells:
        query.register(cell)
    if pair.sized and shown is None:
        for at, database in databases:
            query.add(pair.size(new=at == pair.new) == sum(database.values()))


def names_of(query: Query, cells: Sequence[Cell]) -> dict[tuple[str, Any], Any]:
    """Return a term for each value in some cells; different ones for different values."""
    found: dict[tuple[str, Any], Any] = {}
    domain = query.domain
    sorts = domain.attribute_sorts.values()
    for sort, value in dict.fromkeys((s, c[n]) for n, s in enumerate(sorts) for c in cells):
        if sort == INT:
            found[sort, value] = logic.IntVal(value)
        elif sort == BOOL:
            found[sort, value] = logic.BoolVal(value)
        elif sort in domain.enumerations:
            found[sort, value] = query.signature.constant(str(value), sort)
        else:
            found[sort, value] = query.fresh(sort, "value")
    for (sort, a), (other, b) in itertools.combinations(found, 2):
        if sort == other:
            query.add(logic.Not(found[sort, a] == found[other, b]))
    return found
