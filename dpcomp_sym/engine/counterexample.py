"""From a solver's model to databases that the evaluator confirms, smallest first.

What the databases must be is defined in :mod:`dpcomp_sym.engine.definitions`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dpcomp_sym.engine.definitions import Pairs, full_product
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundEdit, BoundMap, Problem, Universe
from dpcomp_sym.smt import Pair, Query, ViewDistance, logic
from dpcomp_sym.smt.asking import AT_FIRST, work_done
from dpcomp_sym.smt.pair import FIRST, MOST_PRODUCT, fill_product, uses_size
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.smt.snapshot import Snapshot
from dpcomp_sym.terms import CELL, INT, evaluate, reads_database

__all__ = ["Demand", "FoundPair", "SearchWork", "confirm", "signature_of"]

LARGEST: Final = 7
MOST_ROUNDS: Final = 25
TRIES: Final = 6
AGAIN: Final = 2
"""How often another model is asked for, after one that was not confirmed."""
SMALL: Final = 4
WORK: Final = 5_000_000
"""A search ends after so much work, by the solver's own measure."""
MANY_CELLS: Final = 16
"""Of counterexamples that name more cells than this, none is sought that has fewer records."""
READABLE: Final = (3, 30)
"""Integers of a counterexample are at most so large if they can be."""
MANY: Final = 32
"""For more integers than these it is guessed first how they can be small."""


def signature_of(problem: Problem) -> Signature:
    """Return the sorts and functions of a problem, those of all its maps included."""
    functions = dict(problem.domain.signatures)
    for mapping in (*problem.bound_maps.values(), *problem.used_maps.values()):
        functions.update(mapping.functions)
    return Signature(problem.domain, functions)


@dataclass
class Demand:
    """What a pair of neighbours has to show.

    ``blocks`` are solver terms for the blocks in question; ``far`` lists distances that must be
    larger than a number.
    """

    blocks: list[tuple[BoundMap, tuple[Any, ...]]]
    far: list[tuple[ViewDistance, int]]


@dataclass(frozen=True)
class FoundPair:
    """A pair of neighbours in a world, with the numbers of the blocks in question."""

    world: World
    old: Mapping[Cell, int]
    new: Mapping[Cell, int]
    blocks: tuple[tuple[BoundMap, tuple[int, ...]], ...]

    def changes(self, mapping: BoundMap, block: tuple[int, ...]) -> bool:
        """Return whether a block of a map is not the same for both."""
        one, other = (self.world.apply(mapping, d, block) for d in (self.old, self.new))
        return one != other


def confirm(
    problem: Problem,
    signature: Signature,
    edit: BoundEdit,
    ask: Callable[[Pair], Demand],
    judge: Callable[[FoundPair], bool],
    tries: int = TRIES,
    *,
    readable: bool,
    same: bool = False,
    again: int = AGAIN,
    work: SearchWork | None = None,
) -> FoundPair | None:
    """Look for a smallest pair of neighbours with a property, and have it confirmed.

    Args:
        problem: what the pair belongs to.
        signature: its sorts and functions.
        edit: the outer edit that links the pair.
        ask: states the property on a symbolic pair.
        judge: decides it on a concrete one, by the evaluator alone.
        tries: after so many models that are not confirmed the search ends.
        readable: have it with small symbols and integers, too, and without idle cells.
        same: look for one database that the edit leads to itself, in the place of neighbours.
        again: how often all of it is gone through again, with other models for the same numbers.
        work: how much work it may be.
    """
    domain, pairs = problem.domain, Pairs.of(problem, edit, same=same)
    paddings = {0}
    sized = domain.size or uses_size(edit.guard, edit.step, *domain.fact_terms)
    if sized or domain.at_least > 1:
        paddings |= {1, 2, min(domain.at_least, 6)}
    if domain.cap is not None and edit.frame is not None:
        paddings.add(1)  # more records change than fit into the cells that the property names
    kinds = itertools.product(_fillings(problem), sorted(paddings))
    work = work or SearchWork()
    searches = (
        _Search(problem, signature, edit, ask, n, work, filled=filled) for filled, n in kinds
    )
    for search in _repeated(searches, again):
        for number, found in enumerate(search.models(), 1):
            if _neighbours(pairs, found) and judge(found):
                if not readable:
                    return found
                for narrow in search.narrowed():
                    if _neighbours(pairs, narrow) and judge(narrow):
                        return _shrunk(problem, pairs, narrow, judge)
                return _shrunk(problem, pairs, found, judge)
            search.exclude()
            if number >= tries:
                break
    return None


def _repeated(searches: Iterable[_Search], again: int) -> Iterator[_Search]:
    """Yield all searches, made when needed, and then all of them again, so often."""
    made = []
    for search in searches:
        made.append(search)
        yield search
    yield from made * again


def _fillings(problem: Problem) -> tuple[bool, ...]:
    """Return whether the cells of a product are named in the search.

    Where integers span it, and nothing looks at cells that hold nothing, it is quicker to add them
    afterwards.
    """
    domain = problem.domain
    if domain.universe is not Universe.PRODUCT:
        return (False,)
    looks = domain.facts or any(reads_database(e.step) for e in problem.outer.edits)
    if looks or INT not in domain.attribute_sorts.values():
        return (True,)
    return (False, True)


class SearchWork:
    """How much work a search may still be."""

    def __init__(self, most: int = WORK) -> None:
        self.most = most
        self.end: int | None = None
        self.over = False

    def left(self, query: Query) -> bool:
        """Return whether some is left, counted from the first time that this is asked."""
        done = work_done(query.solver)
        if self.end is None:
            self.end = done + self.most
        self.over = done >= self.end
        return not self.over


class _Search:
    """Models of a property on a closed pair: only the cells at hand hold records."""

    def __init__(
        self,
        problem: Problem,
        signature: Signature,
        edit: BoundEdit,
        ask: Callable[[Pair], Demand],
        padding: int,
        work: SearchWork,
        *,
        filled: bool,
    ) -> None:
        self.work = work
        self.query = query = Query(signature, problem.symbols)
        query.limit(work.most)
        maps = tuple(problem.used_maps.values()) or tuple(problem.bound_maps.values())
        self.pair = pair = Pair(query, edit, maps, closed=True)
        self.demand = ask(pair)
        for _ in range(padding):
            others = list(query.cells)
            cell = query.cell("pad")
            query.add(*[logic.Not(query.equal(cell, other)) for other in others])
        if filled:
            fill_product(pair)
        self.total = total = logic.Int("records")
        query.at_check(
            lambda: [total == query.distinct_sum(pair.old) + query.distinct_sum(pair.new)]
        )
        self.limits: list[Any] = []
        self.values: dict[str, int] = {}
        """The symbols in the last model."""

    def models(self) -> Iterator[FoundPair]:
        """Yield models with few records first, and with small symbols and exponents if any.

        Where many cells are named it would take long to find the fewest: there any number will do.
        """
        answer = self.query.check() if self.work.left(self.query) else logic.unsat
        if answer == logic.unsat:
            return
        small = [symbol <= SMALL for symbol in self.query.symbols.values()]
        small += [e <= logic.KNOWN_POWER for e in self.query.exponents.values()]
        for limit in self._totals(found=answer == logic.sat):
            for extra in ([*limit, *small], limit) if small else (limit,):
                if self._settle(extra):
                    self.limits = extra
                    yield found_in(self.query, self.pair, self.demand)
                    break

    def _totals(self, *, found: bool) -> list[list[Any]]:
        """Return what is asked of the number of records, the least number first."""
        if len(self.query.cells) > MANY_CELLS:
            return [[]]
        fewest = self._fewest() if found else 0
        last = max(fewest, LARGEST)
        return [*([self.total == n] for n in range(fewest, last + 1)), [self.total > last]]

    def exclude(self) -> None:
        """Ask for no model again in which records and blocks are as in the last one.

        It does not matter which cell is which: what counts is what becomes of the cells, and which
        of the blocks in question hold them; and which they are, where all there are are listed.
        """
        model, pair, domain = self.query.model(), self.pair, self.query.domain
        listed = all(sort in domain.enumerations for sort in domain.attribute_sorts.values())
        seen = [
            (
                pair.old(cell), pair.new(cell), *(cell if listed else ()),
                *(pair.member(mapping, cell, block) for mapping, block in self.demand.blocks),
            )
            for cell in self.query.cells
        ]  # fmt: skip
        values = [tuple(logic.evaluated(model, term) for term in terms) for terms in seen]
        kinds = {tuple(v.ast.value for v in kind): kind for kind in values}  # each once
        table = [[equal(terms, kind) for kind in kinds.values()] for terms in seen]
        covered = [logic.Or(*row) for row in (*table, *zip(*table, strict=True))]
        self.query.add(logic.Not(logic.And(*covered)))

    def _fewest(self) -> int:
        """Return a number of records below which no model was found; the last check had one."""
        few, most = 0, logic.integer_of(self.query.model(), self.total)
        self.query.limit(AT_FIRST)  # fewer records are easier to read, and worth little work
        while few < most:
            middle = min((few + most) // 2, 2 * few + LARGEST)
            if self.query.check(self.total <= middle) == logic.sat:
                most = logic.integer_of(self.query.model(), self.total)
            else:
                few = middle + 1
        self.query.limit(self.work.most)
        return few

    def narrowed(self) -> Iterator[FoundPair]:
        """Yield models of the same size with small symbols and integers, the smallest first.

        They are easier to read, and no more: they are worth little work.
        """
        self.query.limit(AT_FIRST)
        before = dict(self.values)
        ranked = list(self._ranked())
        for name, symbol in sorted(self.query.symbols.items()):
            self._lower(name, symbol)
        for small in (*ranked, *self._small()):
            if self._settle([*self.limits, small]):
                yield found_in(self.query, self.pair, self.demand)
                break
        if self.values != before and self._settle(self.limits):
            yield found_in(self.query, self.pair, self.demand)

    def _columns(self) -> list[list[Any]]:
        """Return the integers that the cells hold, by attribute."""
        sorts = self.query.domain.attribute_sorts.values()
        cells = self.query.cells
        return [[c[n] for c in cells] for n, sort in enumerate(sorts) if sort == INT and cells]

    def _small(self) -> Iterator[Any]:
        """Yield what may be asked of integers, so that they are small."""
        integers = [value for column in self._columns() for value in column]
        for top in READABLE if integers else ():
            yield logic.And(*(logic.And(value >= 0, value <= top) for value in integers))

    def _ranked(self) -> Iterator[Any]:
        """Yield a guess at small integers: of each attribute, the ranks of those in the last model.

        Where there are many integers the solver looks long for small ones: it tries which of
        them could be equal.
        """
        columns = self._columns()
        if sum(map(len, columns)) > MANY:
            equal_to_ranks = []
            for column in columns:
                known = [logic.integer_of(self.query.model(), value) for value in column]
                ranks = {value: n for n, value in enumerate(sorted(set(known)))}
                equal_to_ranks += [v == ranks[n] for v, n in zip(column, known, strict=True)]
            yield logic.And(*equal_to_ranks)

    def _lower(self, name: str, symbol: Any) -> None:
        """Fix a symbol at the smallest natural number that it can be."""
        for _ in range(SMALL + 1):
            value = self.values[name]
            top = value if value >= 0 else SMALL + 1
            if not self._settle([*self.limits, symbol >= 0, symbol < top]):
                break
        self.limits = [*self.limits, symbol == self.values[name]]

    def _settle(self, assumptions: Sequence[Any]) -> bool:
        """Find a model in which no path shortens what must be far."""
        for _ in range(MOST_ROUNDS):
            if not self.work.left(self.query) or self.query.check(*assumptions) != logic.sat:
                return False
            if not any(distance.resist(number) for distance, number in self.demand.far):
                model, symbols = self.query.model(), self.query.symbols
                self.values = {n: logic.integer_of(model, s) for n, s in symbols.items()}
                return True
        return False


def found_in(query: Query, pair: Pair, demand: Demand) -> FoundPair:
    """Return the pair of the last model, in a world that has its records and nothing else."""
    snapshot = Snapshot(query, query.model())
    cells: dict[Cell, Any] = {}
    model = query.model()
    for cell in (*query.cells, *query.maybe):
        if logic.is_true(logic.evaluated(model, query.present(cell))):
            cells.setdefault(snapshot.cell(cell), cell)
    old = {c: snapshot.integer(pair.old(g)) for c, g in cells.items()}
    new = {c: snapshot.integer(pair.new(g)) for c, g in cells.items()}
    # What the parameters of the edit are: elements and integers that the world has to know.
    params = [
        snapshot.value(pair.params[name], sort) for name, sort in pair.edit.params if sort != CELL
    ]
    chosen = tuple(sorted({v for v in params if isinstance(v, int) and not isinstance(v, bool)}))
    blocks = tuple((m, tuple(snapshot.integer(i) for i in index)) for m, index in demand.blocks)
    world = _completed(snapshot.world(tuple(cells), chosen))
    found = FoundPair(world, _held(old), _held(new), blocks)
    # Read everything once, so that the tables hold what is needed; then make them plain.
    _read_all(pair.maps, found)
    return FoundPair(snapshot.settled(_completed(world)), found.old, found.new, blocks)


def _read_all(maps: Sequence[BoundMap], found: FoundPair) -> None:
    world = found.world
    for mapping in maps:
        for cell in world.cells:
            env = world.environment(variables={"c": cell})
            for fact in mapping.facts:
                evaluate(fact, env)
        # What further blocks hold is not in question: there functions have their defaults.
        named = [index for other, index in found.blocks if other.name == mapping.name]
        most = 40 if mapping.multiplicity is None else FIRST
        for index in (*named, *world.first_blocks(mapping, most)):
            world.block_cells(mapping, index)
    keys = [key for key, _ in world.domain.limit_terms]
    keys += [key for of, each, _ in world.domain.distinct_terms for key in (each, of)]
    for key in keys:
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


def _neighbours(pairs: Pairs, found: FoundPair) -> bool:
    """Return whether the evaluator agrees that these are neighbours, made so by the edit."""
    return pairs.hold(found.world, found.old, found.new)


def _completed(world: World) -> World:
    """Return a world with all cells of a product, where the model names only some of them.

    Nothing is held in the others, and the evaluator decides whether that makes neighbours.
    """
    if world.domain.universe is not Universe.PRODUCT:
        return world
    for integers in (_between, list):  # a path can lead through integers that nobody named
        missing = sorted(full_product(world, integers) - set(world.cells))
        if len(missing) <= MOST_PRODUCT:
            break
    else:
        return world
    return replace(world, cells=(*world.cells, *missing))


def _between(seen: list[int]) -> Sequence[int]:
    """Return the integers from the first to the last of some, if they are not too many."""
    near = seen and seen[-1] - seen[0] < MOST_PRODUCT
    return range(seen[0], seen[-1] + 1) if near else seen


def _shrunk(
    problem: Problem, pairs: Pairs, found: FoundPair, judge: Callable[[FoundPair], bool]
) -> FoundPair:
    """Drop cells that hold nothing, as long as the property stays."""
    if problem.domain.universe is Universe.PRODUCT:
        return found
    world = found.world
    for cell in reversed(world.cells):
        if found.old.get(cell) or found.new.get(cell):
            continue
        smaller = replace(world, cells=tuple(c for c in world.cells if c != cell))
        attempt = FoundPair(smaller, found.old, found.new, found.blocks)
        if _neighbours(pairs, attempt) and judge(attempt):
            world, found = smaller, attempt
    return found
