"""Small worlds of a class, smallest first, and exact distances in them by exhaustive search."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.engine.distances import Invariant, from_below, invariants
from dpcomp_sym.engine.unreachable import Links
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, State
from dpcomp_sym.finite.world import cell_at
from dpcomp_sym.model import BoundGranularity, Domain, Universe
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Term,
    conjuncts,
    evaluate,
    free_variables,
    reads_database,
    subterms,
)

__all__ = ["LARGEST_SYMBOL", "Small", "invariants_of", "small_worlds", "wider_worlds"]

MOST_WORLDS: Final = 24
MOST_STATES: Final = 130
WIDE: Final = 6
"""So many cells wider worlds have, or fewer where there are not so many; and so many elements."""
MOST_SETS: Final = 200
MOST_UNIONS: Final = 2000
"""So many sets of cells are looked at, of so many unions of those that go together."""
TABLES: Final = 3
LARGEST_SYMBOL: Final = 3
MOST_SYMBOLS: Final = 4
"""Of so many symbols all small values are tried, of more only as many."""
MOST_ASKED: Final = 12
"""Of so many pairs in a world the solver is asked whether an edit from anywhere links them."""


def small_worlds(domain: Domain, cells: int = 4, most: int = MOST_WORLDS) -> Iterator[World]:
    """Yield worlds of a domain with few cells, those with the fewest first.

    Uninterpreted sorts have up to three elements, integers are small, the tables of functions are
    drawn at random, symbols are at most 3 (of more than four symbols, only some of these values
    are tried).  Worlds that differ only in the names of elements are yielded once.

    >>> [len(w.cells) for w in small_worlds(Domain({"id": "Record"}), cells=3)]
    [1, 2, 3]
    """
    rng = random.Random(0)
    for count in range(1, max(cells, domain.at_least) + 1):
        seen: set[Any] = set()
        found = 0
        for world in _candidates(domain, count, rng):
            key = _shape(world)
            if key not in seen:
                seen.add(key)
                yield world
                found += 1
                if found >= most // cells:
                    break


def wider_worlds(domain: Domain) -> list[World]:
    """Return a few worlds with more cells, of few elements and of more.

    >>> [len(w.cells) for w in wider_worlds(Domain({"id": "Record", "owner": "Owner"}))]
    [6, 6, 4, 6, 6]
    """
    if len(domain.attributes) < 2:
        return []
    rng = random.Random(0)
    small = [dict.fromkeys(domain.symbols, n) for n in ((1, 2) if domain.symbols else (1,))]
    found: dict[Any, World] = {}
    sorts = {s for s in domain.attribute_sorts.values() if s not in domain.enumerations}
    first = [(WIDE, 1 if {INT} < sorts else WIDE)]
    for size, symbols in itertools.product([*first, (2, 2), (3, 3)], small):
        for count in (WIDE, WIDE - 2):
            some = list(itertools.islice(_candidates(domain, count, rng, [size], [symbols]), 2))
            found.update((_shape(world), world) for world in some)
            if some:
                break
    return list(found.values())


def _candidates(
    domain: Domain, count: int, rng: random.Random, sizes: Sequence[tuple[int, int]] | None = None,
    symbolic: Sequence[Mapping[str, int]] | None = None,
) -> Iterator[World]:  # fmt: skip
    for size, numbers in _sizes(domain, count) if sizes is None else sizes:
        elements = {s: tuple(f"{s.lower()}{n}" for n in range(1, size + 1)) for s in domain.sorts()}
        elements |= domain.enumerations
        pools = [_pool(sort, elements, numbers) for sort in domain.attribute_sorts.values()]
        tuples = list(itertools.product(*pools))
        if len(tuples) > 60:
            continue
        for symbols in _symbols(domain) if symbolic is None else symbolic:
            for _ in range(TABLES if domain.signatures else 1):
                functions = _tables(domain, tuples, elements, rng)
                world = World(domain, (), elements, functions, {}, symbols)
                if not world.symbols_hold(domain.symbol_terms):
                    continue
                fitting = [c for c in tuples if world.is_cell(c)]
                if domain.universe is Universe.PRODUCT:
                    chosen = [tuple(fitting)] if len(fitting) == count else []
                else:
                    chosen = _chosen(world, fitting, count, rng, spread=sizes is not None)
                if count < domain.at_least:
                    continue
                for x in chosen:
                    yield World(domain, x, elements, functions, {}, symbols)


def _sizes(domain: Domain, count: int) -> list[tuple[int, int]]:
    """Return how many elements sorts may have, and how many integers there may be beside."""
    sizes = range(1, 4) if len(domain.attributes) > 1 else (count,)
    pairs = [(size, size) for size in sizes]
    if domain.universe is Universe.PRODUCT and INT in domain.attribute_sorts.values():
        pairs += [p for p in itertools.product(sizes, range(1, count + 2)) if p not in pairs]
    return pairs


def _sets(world: World, fitting: Sequence[Cell], count: int) -> Iterator[tuple[Cell, ...]]:
    """Yield sets of so many cells; those that the facts of the class speak of go together."""
    domain = world.domain
    spoken = [
        term.terms[0]
        for fact in domain.fact_terms
        for term in subterms(fact)
        if term.op == "at" and term.terms[0].op == "tuple"
    ]
    if not spoken:
        yield from itertools.combinations(fitting, count)
        return
    closed = dict.fromkeys(_together(world, spoken, fitting, cell) for cell in fitting)
    seen: set[frozenset[Cell]] = set()
    for number in range(1, count + 1):
        for some in itertools.islice(itertools.combinations(closed, number), MOST_UNIONS):
            union = frozenset().union(*some)
            if len(union) == count and union not in seen:
                seen.add(union)
                yield tuple(cell for cell in fitting if cell in union)


def _together(
    world: World, spoken: Sequence[Term], fitting: Sequence[Cell], cell: Cell
) -> frozenset[Cell]:
    """Return the cells that terms lead to from one of them, and itself."""
    found, border = {cell}, [cell]
    while border:
        here = border.pop()
        for term in spoken:
            there = world.at_cell(term, here, world.domain)
            if isinstance(there, tuple) and there in fitting and there not in found:
                found.add(there)
                border.append(there)
    return frozenset(found)


def _chosen(
    world: World, fitting: list[Cell], count: int, rng: random.Random, *, spread: bool
) -> list[tuple[Cell, ...]]:
    """Return some sets of so many cells: first the one whose cells share the most values.

    ``spread``: then the one whose cells share the fewest, of sets from everywhere.
    """
    given = rng.sample(fitting, len(fitting)) if spread else fitting
    found = list(itertools.islice(_sets(world, given, count), MOST_SETS))
    rng.shuffle(found)
    ends = sorted(found, key=_values_of)
    return [*ends[:1], *(ends[-1:] if spread else []), *found]


def _values_of(cells: Sequence[Cell]) -> int:
    """Return how many values the attributes of some cells have: few where they share the most."""
    return sum(len(set(values)) for values in zip(*cells, strict=True))


def _pool(sort: str, elements: Mapping[str, Any], numbers: int) -> Sequence[Any]:
    if sort == INT:
        return range(numbers)
    return (False, True) if sort == BOOL else elements[sort]


def _symbols(domain: Domain) -> Iterator[dict[str, int]]:
    """Yield values of the symbols: all up to 3, or of many symbols the first such values."""
    names = list(domain.symbols)
    some = range(1, LARGEST_SYMBOL + 1)
    values: Iterable[tuple[int, ...]] = itertools.product(some, repeat=len(names))
    if len(names) > MOST_SYMBOLS:
        alike = [(n,) * len(names) for n in some]
        values = dict.fromkeys([*alike, *itertools.islice(values, LARGEST_SYMBOL**MOST_SYMBOLS)])
    for each in values:
        yield dict(zip(names, each, strict=True))


def _tables(
    domain: Domain, tuples: Sequence[Cell], elements: Mapping[str, Any], rng: random.Random
) -> dict[str, dict[Any, Any]]:
    found = {}
    for name, (sorts, result) in domain.signatures.items():
        keys = [
            tuples if s == CELL else range(-1, 5) if s == INT else (False, True) if s == BOOL
            else elements[s]
            for s in sorts
        ]  # fmt: skip
        values = (
            range(3) if result == INT else (False, True) if result == BOOL else elements[result]
        )
        found[name] = {key: rng.choice(list(values)) for key in itertools.product(*keys)}
    return found


def _shape(world: World) -> Any:
    """Return the world up to the names of its elements: each named by where it comes first."""
    kinds = list(world.domain.attribute_sorts.values())
    free = set(world.domain.sorts())
    names: dict[tuple[str, Any], int] = {}

    def name(sort: str, value: Any) -> Any:
        return names.setdefault((sort, value), len(names)) if sort in free else value

    cells = [tuple(name(s, v) for s, v in zip(kinds, c, strict=True)) for c in world.cells]
    tables = []
    for function, table in world.functions.items():
        sorts, result = world.domain.signatures[function]
        for key, value in table.items():
            if all(
                s != CELL and (s, k) in names for s, k in zip(sorts, key, strict=True) if s in free
            ):
                tables.append((function, str(key), name(result, value)))
    return (tuple(cells), tuple(tables), tuple(sorted(world.symbols.items())))


def invariants_of(granularity: BoundGranularity) -> list[Invariant]:
    """Return the counts that provably no edit of the granularity changes."""
    domain = granularity.domain
    return invariants(granularity, Signature(domain, domain.signatures))


def most_records(world: World) -> int:
    """Return how many records a cell may hold, so that the databases are not too many."""
    most = 2 if 3 ** len(world.cells) <= MOST_STATES else 1
    return most if world.domain.cap is None else min(most, world.domain.cap)


@dataclass
class Small:
    """Exact distances of a granularity in one small world.

    ``most`` records at most are in a cell; on the way between two databases there may be more.
    """

    world: World
    granularity: BoundGranularity
    kept: Sequence[Invariant] = ()

    def __post_init__(self) -> None:
        """Enumerate the class."""
        domain = self.granularity.domain
        cap = domain.cap
        self.most = most_records(self.world)
        self._asked = 0
        self._links = Links(self.world, self.granularity)
        self._largest = _largest(self.granularity)
        self._extra = 0 if cap is not None and cap <= self.most else max(2, self._largest)
        limit = self.most + self._extra if cap is None else min(cap, self.most + self._extra)
        self.graph = EditGraph(self.world, self.granularity, self.world.cells, limit)
        everything = _everything_in_sight(self.granularity)
        self.complete = everything and cap is not None and limit == cap
        frames = any(e.frame is not None for e in self.granularity.edits)
        self._only = everything and not frames and self._largest > 0
        self.states = [s for s in self.graph.states if max(s, default=0) <= self.most]

    def distance(self, left: State, right: State) -> tuple[int | Infinity, int | Infinity | None]:
        """Return bounds of the distance, from below and from above (None: no path was found)."""
        found = self.graph.distance(left, right)
        upper = None if found == UNREACHABLE else int(found)
        if self.complete:
            return (INFINITY, INFINITY) if upper is None else (upper, upper)
        if upper is not None and (upper <= 1 or self._certain(upper)):
            return upper, upper
        if self._apart(left, right):
            return INFINITY, INFINITY
        first, second = self.database(left), self.database(right)
        seen = from_below(self.world, self.granularity, first, second, self.world.cells, self.kept)
        lower, open_still = seen.lower, seen.lower == 1 and seen.upper is None
        # Where edits read other records, the search says little of parameters out of sight.
        if open_still and not self.granularity.local and self._unlinked(left, right):
            lower = 2
        return lower, INFINITY if isinstance(lower, Infinity) else upper

    def _unlinked(self, left: State, right: State) -> bool:
        if self._asked == MOST_ASKED:
            return False
        self._asked += 1
        first, second = self.database(left), self.database(right)
        return self._links.excluded(first, second)

    def _certain(self, upper: int) -> bool:
        """Return whether no shorter path can leave the enumerated class."""
        return self._only and self._largest * ((upper - 1) // 2) <= self._extra

    def _apart(self, left: State, right: State) -> bool:
        """Return whether no sum of edits, whatever their guards, makes up the difference."""
        if self._rows is None:
            return False
        change = _reduced([Fraction(b - a) for a, b in zip(left, right, strict=True)], self._rows)
        return any(change)

    @cached_property
    def _rows(self) -> list[list[Fraction]] | None:
        """The span of what the edits add, in echelon form; None if it depends on the database."""
        if not self._only:
            return None
        world, domain = self.world, self.granularity.domain
        place = {c: n for n, c in enumerate(world.cells)}
        rows: list[list[Fraction]] = []
        integers = world.integers(self.granularity)
        for edit in self.granularity.edits:
            fixed = [g for g in conjuncts(edit.guard) if not reads_database(g)]
            for params in world.choices(edit, domain, world.cells, integers):
                env = world.environment(domain, params)
                if all(evaluate(g, env) for g in fixed):
                    row = [Fraction(0)] * len(place)
                    for point, delta in edit.change:
                        row[place[cell_at(params, point)]] += evaluate(delta, env)
                    row = _reduced(row, rows)
                    if any(row):
                        rows.append(row)
        return rows

    def database(self, state: State) -> Database:
        """Return a state as a database."""
        return self.graph.database(state)


def _reduced(row: list[Fraction], rows: Sequence[list[Fraction]]) -> list[Fraction]:
    """Return what is left of a row after the leading entries of the others are cleared."""
    for other in rows:
        lead = next(n for n, value in enumerate(other) if value)
        factor = row[lead] / other[lead]
        if factor:
            row = [a - factor * b for a, b in zip(row, other, strict=True)]
    return row


def _largest(granularity: BoundGranularity) -> int:
    """Return the largest number that an edit adds to a cell; 0 if it depends on the database."""
    deltas = [[d for _, d in e.change] for e in granularity.edits]
    if any(d.op != "int" for each in deltas for d in each):
        return 0
    return max(sum(abs(int(str(d.args[0]))) for d in each) for each in deltas)


def _everything_in_sight(granularity: BoundGranularity) -> bool:
    """Return whether only parameters that occur in the world matter in a world of the class.

    Other cells can matter if X is more than the world's cells; other integers if a parameter is
    multiplied.
    """
    domain = granularity.domain
    numbers = INT in domain.attribute_sorts.values()
    if domain.universe is Universe.INFINITE or (domain.universe is Universe.PRODUCT and numbers):
        return False
    for edit in granularity.edits:
        integers = {n for n, s in edit.params if s == INT}
        terms = edit.terms
        parts = [p for t in terms for p in subterms(t) if p.op == "mul"]
        if any(free_variables(p) & integers for p in parts):
            return False
    return True
