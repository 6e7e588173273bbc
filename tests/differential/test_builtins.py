"""Solver and evaluator read every built-in alike, database by database.

All pairs of small databases over four cells are enumerated.  The solver is given both, cell by
cell, and asked whether an edit leads from one to the other, or what a block holds; the evaluator
reads the definition literally.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import z3

from dpcomp_sym.finite.enumerate import databases
from dpcomp_sym.finite.world import Cell, Database, World
from dpcomp_sym.model import BoundEdit, BoundMap, Domain, library_granularity, library_map
from dpcomp_sym.model.library import library_names
from dpcomp_sym.smt.pair import Pair
from dpcomp_sym.smt.query import Query, Signature
from dpcomp_sym.terms import CELL

RECORDS = Domain({"owner": ["ann", "bob"], "value": ["low", "high"]})
NUMBERS = Domain({"one": "int", "two": "int"})
CELLS: Mapping[str, tuple[Cell, ...]] = {
    "owner": tuple(itertools.product(("ann", "bob"), ("low", "high"))),
    "one": tuple(itertools.product((1, 2), (1, 2))),
}
"""The four cells of a domain, by its first attribute."""
# What a built-in asks for, in the words of one of the domains.
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "ordered_bounded": {"position": "owner"},
    "label": {"label": "value"},
    "user": {"owner": "owner"},
    "user_presence": {"owner": "owner"},
    "labels": {"label": "1 if value(c) == low else 2 if owner(c) == ann else 3"},
    "cover": {"m": 1},
    "projection": {"image": {"owner": "owner(c)"}},
    "one_sided": {"sensitive": "value(c) == high"},
    "node": {"tail": "one", "head": "two"},
    "edge_neighbourhood": {"tail": "one", "head": "two"},
    "w_event": {"time": "one", "length": "2"},
    "nearby": {"value": "one"},
    "insertion": {"position": "one"},
    "append": {"position": "one"},
    "windows": {"time": "one", "length": "2"},
    "sliding_windows": {"time": "one", "length": "2"},
    "induced": {"tail": "one", "head": "two"},
    "incident": {"tail": "one", "head": "two"},
    "truncation": {"position": "one", "most": "1"},
}


def domain_of(name: str) -> Domain:
    """The domain that has the words of a built-in's arguments."""
    words = ARGUMENTS.get(name, {}).values()
    return NUMBERS if "one" in words else RECORDS


def world(domain: Domain, **symbols: int) -> World:
    cells = CELLS[next(iter(domain.attributes))]
    return World(domain, cells, dict(domain.enumerations), symbols=symbols)


def small_databases(domain: Domain) -> list[Database]:
    every = databases(world(domain), domain, world(domain).cells, 2)
    return [d for d in every if sum(d.values()) <= 2]


class Asked:
    """A pair of the solver in which the cells are the four of the world, and no others."""

    def __init__(self, edit: BoundEdit, here: World, mapping: BoundMap | None = None) -> None:
        self.domain = here.domain
        functions = {**self.domain.signatures, **(mapping.functions if mapping else {})}
        symbols = mapping.symbols if mapping else {}
        self.query = Query(Signature(self.domain, functions), symbols)
        self.pair = Pair(self.query, edit, [mapping] if mapping else [], closed=True)
        self.cells = {c: self.query.register(self.constants(c)) for c in here.cells}
        for name, sort in edit.params:
            if sort == CELL:  # there are integers beyond the four cells, but no records
                point = self.pair.params[name]
                self.query.add(z3.Or([self.query.equal(point, c) for c in self.cells.values()]))
        for name, number in here.symbols.items():
            self.query.add(self.query.symbols[name] == number)
        for name, table in here.functions.items():
            sorts, result = functions[name]
            for key, value in table.items():
                given = [self.value(v, s) for v, s in zip(key, sorts, strict=True)]
                applied = self.query.signature.apply(name, given)
                self.query.add(applied == self.value(value, result))

    def constants(self, cell: Cell) -> tuple[Any, ...]:
        sorts = self.domain.attribute_sorts.values()
        return tuple(self.value(v, s) for v, s in zip(cell, sorts, strict=True))

    def value(self, value: Any, sort: str) -> Any:
        if sort == CELL:
            return self.constants(value)
        if sort in self.domain.enumerations:
            return self.query.signature.constant(value, sort)
        return z3.BoolVal(value) if isinstance(value, bool) else z3.IntVal(value)

    def holds(self, old: Database, new: Database) -> list[Any]:
        """The formulas: the two databases are these."""
        return [
            side(self.cells[c]) == given.get(c, 0)
            for side, given in ((self.pair.old, old), (self.pair.new, new))
            for c in self.cells
        ]

    def possible(self, *formulas: Any) -> bool:
        answer = self.query.check(*formulas)
        assert answer != z3.unknown
        return bool(answer == z3.sat)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "group"), [*((name, 1) for name in library_names("granularity")), ("unbounded", 2)]
)
def test_neighbours(name, group):
    domain = domain_of(name)
    here = world(domain)
    granularity = library_granularity(name, group=group, **ARGUMENTS.get(name, {})).bind(domain)
    integers = here.integers(granularity)
    linked = 0
    for edit in granularity.edits:
        asked = Asked(edit, here)
        for old, new in itertools.product(small_databases(domain), repeat=2):
            expected = any(
                here.links(edit, params, domain, old, new, here.cells)
                for params in here.choices(edit, domain, here.cells, integers)
            )
            assert asked.possible(*asked.holds(old, new)) == expected, (old, new)
            linked += expected
    assert linked


def tables(mapping: BoundMap, here: World) -> Iterator[World]:
    """A few worlds with random tables for the map's own functions, allowed or not."""
    rng = random.Random(mapping.name)
    domain = here.domain
    pools: dict[str, Any] = {CELL: here.cells, "bool": (False, True), **domain.enumerations}
    for number in range(12 if mapping.functions else 1):
        pools["int"] = (1, 2) if number % 2 else (0, 1, 2, 3)
        functions = {
            name: {
                key: rng.choice(pools[result])
                for key in itertools.product(*(pools[s] for s in sorts))
            }
            for name, (sorts, result) in mapping.functions.items()
        }
        yield World(domain, here.cells, here.elements, functions, symbols=here.symbols)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", library_names("map"))
def test_blocks(name):
    domain = domain_of(name)
    mapping = library_map(name, name="map", **ARGUMENTS.get(name, {})).bind(domain)
    [edit] = library_granularity("unbounded").bind(domain).edits
    allowed = 0
    for here in tables(mapping, world(domain, **dict.fromkeys(mapping.symbols, 2))):
        asked = Asked(edit, here, mapping)
        blocks = here.blocks(mapping)
        numbers = {b: tuple(map(z3.IntVal, b)) for b in blocks}
        asked.pair.indices += [(mapping, n) for n in numbers.values()]
        assert asked.possible() == here.map_facts_hold(mapping)
        if not asked.possible():
            continue
        allowed += 1
        for block in blocks:
            view = asked.pair.view(mapping, numbers[block])
            domain_cells = here.block_cells(mapping, block)
            for old in small_databases(domain):
                expected = here.apply(mapping, old, block)
                counts = [
                    view.old(view_cell(asked, view, cell)) == expected.get(cell, 0)
                    for cell in domain_cells
                ]
                given = [asked.pair.old(asked.cells[c]) == old.get(c, 0) for c in here.cells]
                assert asked.possible(*given, *counts)
                assert not asked.possible(*given, z3.Not(z3.And(counts)))
    assert allowed


def view_cell(asked: Asked, view: Any, cell: Cell) -> tuple[Any, ...]:
    """The solver's cell, of the domain or of the map's image."""
    if view.mapping.image is None:
        return asked.cells[cell]
    sorts = [term.sort for _, term in view.mapping.image]
    wanted = tuple(asked.value(v, s) for v, s in zip(cell, sorts, strict=True))
    known = next((c for c in view.cells if tuple(map(str, c)) == tuple(map(str, wanted))), None)
    return known if known is not None else view._register(wanted)
