"""Databases of an example in a certificate: written as plain data, and read field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundMap
from dpcomp_sym.replay.terms import need
from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = ["ExampleReader", "entries_of", "example_to_json"]


def entries_of(data: Any) -> list[tuple[str, Any]]:
    """Return a list of pairs, each with a name of its own.

    Raises:
        RejectedError: it is malformed.
    """
    need(type(data) is list, "a list of pairs is needed")
    for row in data:
        need(type(row) is list and len(row) == 2 and type(row[0]) is str, "pairs are needed")
    need(len({r[0] for r in data}) == len(data), "a name occurs twice")
    return [(r[0], r[1]) for r in data]


def example_to_json(
    world: World, old: Mapping[Cell, int], new: Mapping[Cell, int],
    blocks: Sequence[tuple[str, tuple[int, ...]]],
) -> dict[str, Any]:  # fmt: skip
    """Return a pair of databases in a finite world as plain data."""

    def plain(x: Any) -> Any:
        return [plain(v) for v in x] if isinstance(x, tuple) else x

    def rows(database: Mapping[Cell, int]) -> list[Any]:
        return [[plain(c), n] for c, n in sorted(database.items(), key=str) if n]

    return {
        "cells": [plain(c) for c in world.cells],
        "elements": [[s, list(w)] for s, w in sorted(world.elements.items())],
        "functions": [
            [
                name,
                plain(world.defaults[name]),
                [[plain(k), plain(v)] for k, v in sorted(table.items(), key=str)],
            ]
            for name, table in sorted(world.functions.items())
        ],
        "symbols": [[s, n] for s, n in sorted(world.symbols.items())],
        "chosen": list(world.chosen),
        "D": rows(old),
        "E": rows(new),
        "blocks": [[name, list(index)] for name, index in blocks],
    }


class ExampleReader:
    """Reads the databases of an example; whatever is not as it must be is rejected."""

    def __init__(self, structure: Structure, find: Callable[[Any], BoundMap]) -> None:
        self.problem = structure.problem
        self.signatures = structure.signature.signatures
        self.find = find
        self.sorts = tuple(self.problem.domain.attribute_sorts.values())
        self.elements: dict[str, tuple[str, ...]] = {}

    def read(self, data: Any) -> FoundPair:
        """Return the databases, their world and the blocks in question.

        Raises:
            RejectedError: a field is missing, or is not of its kind.
        """
        names = {"cells", "elements", "functions", "symbols", "chosen", "D", "E", "blocks"}
        need(type(data) is dict and set(data) == names, "an example has other fields")
        self._read_elements(data["elements"])
        need(type(data["cells"]) is list, "no cells")
        cells = tuple(map(self._cell, data["cells"]))
        need(len(set(cells)) == len(cells), "a cell occurs twice")
        tables, defaults = self._functions(data["functions"])
        symbols = dict(entries_of(data["symbols"]))
        need(set(symbols) == set(self.problem.symbols), "the symbols are not those of the problem")
        need(all(type(n) is int and abs(n) < 10**6 for n in symbols.values()), "no symbols")
        need(type(data["chosen"]) is list, "no integers")
        chosen = tuple(self._value(n, INT) for n in data["chosen"])
        world = World(self.problem.domain, cells, self.elements, tables, defaults, symbols, chosen)
        blocks = self._blocks(data["blocks"], symbols)
        return FoundPair(world, self._database(data["D"]), self._database(data["E"]), blocks)

    def _read_elements(self, rows: Any) -> None:
        domain = self.problem.domain
        for sort, words in entries_of(rows):
            need(type(words) is list and all(type(w) is str for w in words), "no elements")
            need(len(set(words)) == len(words), "an element occurs twice")
            self.elements[sort] = tuple(words)
        given = {*domain.sorts(), *domain.enumerations}
        need(given <= set(self.elements), "a sort has no elements")
        for sort, values in domain.enumerations.items():
            need(
                self.elements[sort] == values, f"the values of {sort} are not those of the problem"
            )

    def _value(self, x: Any, sort: str) -> Any:
        if sort == CELL:
            return self._cell(x)
        if sort == INT:
            holds = type(x) is int
        elif sort == BOOL:
            holds = type(x) is bool
        else:
            holds = type(x) is str and x in self.elements.get(sort, ())
        need(holds, f"{str(x)[:30]!r} is not a value of {sort}")
        return x

    def _cell(self, x: Any) -> Cell:
        need(type(x) is list and len(x) == len(self.sorts), "no cell")
        return tuple(self._value(v, s) for v, s in zip(x, self.sorts, strict=True))

    def _database(self, rows: Any) -> dict[Cell, int]:
        need(type(rows) is list, "no database")
        held: dict[Cell, int] = {}
        for row in rows:
            need(type(row) is list and len(row) == 2, "no database")
            here, number = self._cell(row[0]), row[1]
            need(type(number) is int and number > 0 and here not in held, "no count")
            held[here] = number
        return held

    def _functions(self, rows: Any) -> tuple[dict[str, dict[tuple[Any, ...], Any]], dict[str, Any]]:
        tables: dict[str, dict[tuple[Any, ...], Any]] = {}
        defaults: dict[str, Any] = {}
        need(type(rows) is list and all(type(r) is list and len(r) == 3 for r in rows), "functions")
        need(
            [r[0] for r in rows] == sorted(self.signatures),
            "the functions are not those of the problem",
        )
        for name, default, table in rows:
            arguments, result = self.signatures[name]
            defaults[name] = self._value(default, result)
            need(type(table) is list, "no table")
            tables[name] = {}
            for row in table:
                need(type(row) is list and len(row) == 2 and type(row[0]) is list, "no table")
                need(len(row[0]) == len(arguments), "no table")
                key = tuple(self._value(x, s) for x, s in zip(row[0], arguments, strict=True))
                need(key not in tables[name], "an entry occurs twice")
                tables[name][key] = self._value(row[1], result)
        return tables, defaults

    def _blocks(
        self, rows: Any, symbols: Mapping[str, int]
    ) -> tuple[tuple[BoundMap, tuple[int, ...]], ...]:
        blocks = []
        need(type(rows) is list, "no blocks")
        for row in rows:
            need(type(row) is list and len(row) == 2 and type(row[1]) is list, "no block")
            mapping = self.find(row[0])
            index = tuple(row[1])
            need(len(index) == len(mapping.indices), "no block")
            for number, (_, size) in zip(index, mapping.indices, strict=True):
                top = symbols[size] if isinstance(size, str) else size
                need(type(number) is int and 1 <= number <= top, "there is no such block")
            blocks.append((mapping, index))
        return tuple(blocks)
