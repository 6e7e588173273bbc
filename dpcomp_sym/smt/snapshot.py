"""A solver's model as a finite world that the evaluator can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import Domain
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import GroundCell, Query
from dpcomp_sym.terms import BOOL, CELL, INT
from dpcomp_sym.terms.evaluate import Value

__all__ = ["Snapshot"]


class _Table(Mapping[tuple[Value, ...], Value]):
    """A function's table, looked up in the model when first asked, and remembered."""

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        self.snapshot = snapshot
        self.name = name
        self.seen: dict[tuple[Value, ...], Value] = {}

    def get(self, key: tuple[Value, ...], default: Any = None) -> Any:
        del default
        if key not in self.seen:
            self.seen[key] = self.snapshot.lookup(self.name, key)
        return self.seen[key]

    def __getitem__(self, key: tuple[Value, ...]) -> Value:
        return self.seen[key]

    def __iter__(self) -> Any:
        return iter(self.seen)

    def __len__(self) -> int:
        return len(self.seen)


class Snapshot:
    """Values of solver terms in one model.

    Elements of uninterpreted sorts get short names in the order in which they are met:
    ``record1``, ``record2``, …
    """

    def __init__(self, query: Query, model: Any) -> None:
        self.query = query
        self.model = model
        self.domain: Domain = query.domain
        self._names: dict[tuple[str, int], str] = {}
        self._terms: dict[tuple[str, str], Any] = {}
        self.elements: dict[str, list[str]] = {s: [] for s in self.domain.sorts()}

    def value(self, term: Any, sort: str) -> Value:
        """Return the value of a solver term (a tuple of terms for a cell)."""
        if sort == CELL:
            return self.cell(term)
        if sort == INT:
            return self.integer(term)
        found = logic.evaluated(self.model, term)
        if sort == BOOL:
            return logic.is_true(found)
        for word in self.domain.enumerations.get(sort, ()):
            if logic.same(found, self.query.signature.constant(word, sort)):
                return word
        key = (sort, found.ast.value)
        if key not in self._names:
            pool = self.elements.setdefault(sort, [])
            name = f"{sort.lower()}{len(pool) + 1}"
            pool.append(name)
            self._names[key] = name
            self._terms[sort, name] = found
        return self._names[key]

    def integer(self, term: Any) -> int:
        """Return the value of an integer term in the model."""
        return logic.integer_of(self.model, term)

    def cell(self, cell: GroundCell, sorts: tuple[str, ...] | None = None) -> Cell:
        """Return the value of a ground cell."""
        kinds = sorts if sorts is not None else tuple(self.domain.attribute_sorts.values())
        return tuple(self.value(t, s) for t, s in zip(cell, kinds, strict=True))

    def term(self, value: Value, sort: str) -> Any:
        """Return a solver term that has this value in the model."""
        if sort == INT:
            return logic.IntVal(value)
        if sort == BOOL:
            return logic.BoolVal(value)
        if isinstance(value, tuple):
            kinds = self.domain.attribute_sorts.values()
            return tuple(self.term(v, s) for v, s in zip(value, kinds, strict=True))
        if sort in self.domain.enumerations:
            return self.query.signature.constant(str(value), sort)
        return self._terms[sort, str(value)]

    def lookup(self, name: str, key: tuple[Value, ...]) -> Value:
        """Return the value of a function in the model."""
        arguments, result = self.query.signature.signatures[name]
        args = [self.term(v, s) for v, s in zip(key, arguments, strict=True)]
        return self.value(self.query.signature.apply(name, args), result)

    def world(self, cells: tuple[Cell, ...], chosen: tuple[int, ...] = ()) -> World:
        """Return the world in which exactly ``cells`` can hold records.

        ``chosen`` are integers that the model has for parameters of an edit.
        Its function tables fill as they are read; :func:`settled` makes them plain.
        """
        tables = {name: _Table(self, name) for name in self.query.signature.signatures}
        symbols = {n: self.integer(t) for n, t in self.query.symbols.items()}
        elements = _Elements(self.elements, self.domain.enumerations)
        return World(self.domain, cells, elements, tables, {}, symbols, chosen)

    def settled(self, world: World) -> World:
        """Return the same world with plain tables, holding what was read so far."""
        defaults: dict[str, Value] = {}
        tables: dict[str, dict[tuple[Value, ...], Value]] = {}
        for name, table in world.functions.items():
            result = self.query.signature.signatures[name][1]
            tables[name] = dict(table)
            if result == INT:
                defaults[name] = 0
            elif result == BOOL:
                defaults[name] = False
            elif result in self.domain.enumerations:
                defaults[name] = self.domain.enumerations[result][0]
            else:
                pool = self.elements.setdefault(result, [])
                if not pool:
                    pool.append(f"{result.lower()}1")
                defaults[name] = pool[0]
        elements = {s: tuple(pool) for s, pool in self.elements.items()}
        elements.update(self.domain.enumerations)
        return replace(world, elements=elements, functions=tables, defaults=defaults)


class _Elements(Mapping[str, tuple[str, ...]]):
    """The elements met so far; grows while the world is read."""

    def __init__(
        self, pools: dict[str, list[str]], enumerations: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.pools = pools
        self.enumerations = enumerations

    def __getitem__(self, sort: str) -> tuple[str, ...]:
        if sort in self.enumerations:
            return self.enumerations[sort]
        return tuple(self.pools[sort])

    def __iter__(self) -> Any:
        return iter({**self.pools, **self.enumerations})

    def __len__(self) -> int:
        return len({**self.pools, **self.enumerations})
