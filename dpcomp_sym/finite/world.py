"""A finite world: elements of the sorts, tables of the functions, numbers for the symbols.

Nothing here uses a solver.  What this module says about a world is what the definitions
say, read literally; every counterexample of the program is confirmed here.
"""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from dpcomp_sym.finite.holding import numbers_where
from dpcomp_sym.model import (
    BoundDistinct,
    BoundEdit,
    BoundGranularity,
    BoundMap,
    Domain,
    Universe,
)
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    TRUE,
    Environment,
    Term,
    conjuncts,
    evaluate,
    free_variables,
    reads_database,
    subterms,
)
from dpcomp_sym.terms.evaluate import Value, evaluator

__all__ = ["Cell", "Database", "PathStep", "World", "cell_at", "difference"]

MOST_INTEGERS: Final = 200
"""How many integers, those nearest to the ones that occur, are tried as parameters."""
_ARITHMETIC: Final = frozenset({"add", "sub", "mul", "div", "mod", "neg"})
MOST_TRIES: Final = 10_000
"""How many edits are tried in the search for a path, at most."""
MOST_KEPT: Final = 10_000
"""How many ways to choose the parameters of an edit are remembered."""

Cell = tuple[Any, ...]
Database = Mapping[Cell, int]
Index = tuple[int, ...]


class PathStep(NamedTuple):
    """One edit on a path: which edit, with which parameters, forwards or backwards.

    On the way a frame becomes what the path leads to, or is ``emptied``.
    """

    edit: int
    params: tuple[tuple[str, Value], ...]
    backwards: bool
    emptied: bool = False


def cell_at(params: Mapping[str, Value], point: str) -> Cell:
    """Return the cell that a parameter of an edit names."""
    value = params[point]
    if not isinstance(value, tuple):
        raise TypeError(f"{point} is not a cell: {value!r}")
    return value


def difference(left: Database, right: Database) -> dict[Cell, int]:
    """Return right - left on the cells where they differ."""
    found = {c: right.get(c, 0) - left.get(c, 0) for c in {**left, **right}}
    return {c: n for c, n in found.items() if n}


def _too_far(granularity: BoundGranularity, left: Database, right: Database, edits: int) -> bool:
    """Return whether two databases differ at more cells than so many edits can change."""
    if any(edit.frame is not None for edit in granularity.edits):
        return False
    most = max((len(edit.change) for edit in granularity.edits), default=0)
    return len(difference(left, right)) > edits * most


@dataclass(frozen=True)
class World:
    """One finite interpretation of the names of a problem.

    Args:
        domain: the outer domain.
        cells: X, all cells that can hold records.
        elements: sort → its elements, for uninterpreted and enumerated sorts.
        functions: name → table; an argument of sort cell is the tuple of its attributes.  Where a
            table has no entry the function has its default, so it is total.
        defaults: name → value outside the table.
        symbols: name → number, sizes of families included.
        chosen: integers that parameters of an edit are known to have here, such as those in a
            solver's model; they are tried with the integers that cells and tables hold.
    """

    domain: Domain
    cells: tuple[Cell, ...]
    elements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    functions: Mapping[str, Mapping[tuple[Value, ...], Value]] = field(default_factory=dict)
    defaults: Mapping[str, Value] = field(default_factory=dict)
    symbols: Mapping[str, int] = field(default_factory=dict)
    chosen: tuple[int, ...] = ()

    def environment(
        self,
        domain: Domain | None = None,
        variables: Mapping[str, Value] | None = None,
        databases: Mapping[str, Database] | None = None,
    ) -> Environment:
        """Return an environment for formulas over ``domain`` (the outer one by default)."""
        return Environment(
            {**self.symbols, **(variables or {})},
            self._callables(),
            (domain or self.domain).positions,
            dict(databases or {}),
        )

    def _callables(self) -> dict[str, Callable[..., Value]]:
        found = self.__dict__.get("_functions")
        if found is None:
            found = {
                name: _lookup(table, self.defaults.get(name, 0))
                for name, table in self.functions.items()
            }
            object.__setattr__(self, "_functions", found)
        return found

    # ---------------------------------------------------------------- databases

    def is_cell(self, cell: Cell, domain: Domain | None = None) -> bool:
        """Return whether a tuple satisfies the cell condition."""
        domain = domain or self.domain
        return domain.cell_term == TRUE or bool(self.at_cell(domain.cell_term, cell, domain))

    def at_cell(self, term: Term, cell: Cell, domain: Domain) -> Value:
        """Return what a term without databases is for one cell; asked for every database."""
        known = self.__dict__.setdefault("_at_cells", {})
        key = term, cell, tuple(domain.positions)
        if key not in known:
            known[key] = evaluate(term, self.environment(domain, {"c": cell}))
        found: Value = known[key]
        return found

    def contains(self, database: Database, domain: Domain, cells: Sequence[Cell]) -> bool:
        """Return whether a database over ``cells`` belongs to the class ``domain``."""
        if any(n < 0 for n in database.values()):
            return False
        held = {c: n for c, n in database.items() if n}
        if not held.keys() <= set(cells):
            return False
        if domain.cap is not None and any(n > domain.cap for n in held.values()):
            return False
        if not all(self.is_cell(c, domain) for c in held):
            return False
        env = self.environment(domain, databases={"D": held})
        for key, bound in domain.limit_terms:
            most = evaluate(bound, env)
            counts: dict[Any, int] = {}
            for cell, number in held.items():
                value = self.at_cell(key, cell, domain)
                counts[value] = counts.get(value, 0) + number
            if any(n > most for n in counts.values()):
                return False
        if not all(self._few_values(limit, held, domain) for limit in domain.distinct_terms):
            return False
        for fact in domain.fact_terms:
            for cell in cells:
                env.variables["c"] = cell
                if not evaluate(fact, env):
                    return False
        return all(evaluate(s, env) for s in domain.size_terms)

    def _few_values(self, limit: BoundDistinct, held: Database, domain: Domain) -> bool:
        """Return whether records that share one term have few values of the other."""
        values: dict[Any, set[Any]] = {}
        for cell in held:
            value = self.at_cell(limit.of, cell, domain)
            values.setdefault(self.at_cell(limit.each, cell, domain), set()).add(value)
        most = evaluate(limit.at_most, self.environment(domain))
        return not any(len(found) > most for found in values.values())

    def symbols_hold(self, facts: Mapping[str, Any]) -> bool:
        """Return whether the numbers of this world satisfy the facts on the symbols."""
        env = self.environment()
        return all(evaluate(f, env) for f in facts.values())

    # ---------------------------------------------------------------- edits

    def links(
        self, edit: BoundEdit, params: Mapping[str, Value], domain: Domain,
        old: Database, new: Database, cells: Sequence[Cell],
    ) -> bool:  # fmt: skip
        """Return whether the edit with these parameters leads from ``old`` to ``new``."""
        if not self._opens(edit, params, domain, old):
            return False
        if edit.frame is None:
            env = self.environment(domain, params, {"D": old})
            after = dict(old)
            for point, delta in edit.change:
                cell = cell_at(params, point)
                after[cell] = after.get(cell, 0) + evaluate(delta, env)
            return not difference(after, new)
        framed = self._framed(edit, params, domain, cells)
        if any(old.get(c, 0) != new.get(c, 0) for c in cells if c not in framed):
            return False
        return self._steps(edit, params, domain, old, new, framed)

    def _opens(
        self, edit: BoundEdit, params: Mapping[str, Value], domain: Domain, old: Database
    ) -> bool:
        """Return whether the guard of an edit holds."""
        return edit.guard == TRUE or bool(
            evaluate(edit.guard, self.environment(domain, params, {"D": old}))
        )

    def _steps(
        self, edit: BoundEdit, params: Mapping[str, Value], domain: Domain,
        old: Database, new: Database, framed: Iterable[Cell],
    ) -> bool:  # fmt: skip
        """Return whether what a frame holds may become what it holds later, its guard apart."""
        env = self.environment(domain, params, {"D": old})
        allowed = evaluator(edit.step, env)
        for cell in framed:
            env.variables["c"] = cell
            env.variables["old"], env.variables["new"] = old.get(cell, 0), new.get(cell, 0)
            if not allowed():
                return False
        return self.rest_stays(edit, params, domain, old)

    def _framed(
        self, edit: BoundEdit, params: Mapping[str, Value], domain: Domain, cells: Sequence[Cell]
    ) -> dict[Cell, None]:
        """Return the cells in a frame, which depends on no database; found once, in their order."""
        kept: dict[Any, dict[Cell, None]] = self.__dict__.setdefault("_frames", {})
        named = tuple([params.get(name) for name, _ in edit.params])
        key = (edit, tuple(domain.attributes), named, tuple(cells))
        found = kept.get(key)
        if found is None:
            env = self.environment(domain, params)
            inside = evaluator(edit.frame or TRUE, env)
            found = {}
            for cell in cells:
                env.variables["c"] = cell
                if inside():
                    found[cell] = None
            if len(kept) < MOST_KEPT:
                kept[key] = found
        return found

    def rest_stays(
        self, edit: BoundEdit, params: Mapping[str, Value], domain: Domain, old: Database
    ) -> bool:
        """Return whether cells beyond this world may stay empty, where the step reads D.

        A full product has further integers.  A step that moves records along could fill cells
        there; what it reads lies at most one number of the edit away.
        """
        if domain.universe is not Universe.PRODUCT or not reads_database(edit.step):
            return True
        env = self.environment(domain, {**params, "old": 0, "new": 0}, {"D": old})
        stays = evaluator(edit.step, env)
        for cell in self._framed(edit, params, domain, self._beyond(edit, domain)):
            env.variables["c"] = cell
            if not stays():
                return False
        return True

    def _beyond(self, edit: BoundEdit, domain: Domain) -> tuple[Cell, ...]:
        """Return the cells beyond this world that an edit could reach, found once."""
        kept: dict[Any, tuple[Cell, ...]] = self.__dict__.setdefault("_rest", {})
        pools = self._pools(domain, self._near((edit,)))
        key = (edit, tuple(domain.attributes), domain.cell_term, *map(tuple, pools))
        if key not in kept:
            known, env = set(self.cells), self.environment(domain, {"c": ()})
            inside, found = evaluator(domain.cell_term, env), list[Cell]()
            for cell in itertools.product(*pools):
                env.variables["c"] = cell
                if cell not in known and inside():
                    found.append(cell)
            kept[key] = tuple(found)
        return kept[key]

    def _pools(self, domain: Domain, integers: Sequence[int]) -> list[Sequence[Value]]:
        pools: list[Sequence[Value]] = []
        for sort in domain.attribute_sorts.values():
            if sort == INT:
                pools.append(integers)
            elif sort == BOOL:
                pools.append((False, True))
            else:
                pools.append(domain.enumerations.get(sort) or self.elements.get(sort, ()))
        return pools

    def choices(
        self, edit: BoundEdit, domain: Domain, cells: Sequence[Cell], integers: Sequence[int]
    ) -> Iterator[dict[str, Value]]:
        """Yield the parameter values of an edit within this world."""
        pools: list[Sequence[Value]] = []
        for _, sort in edit.params:
            if sort == CELL:
                pools.append(cells)
            elif sort == INT:
                pools.append(integers)
            elif sort == BOOL:
                pools.append((False, True))
            else:
                pools.append(domain.enumerations.get(sort) or self.elements.get(sort, ()))
        names = [n for n, _ in edit.params]
        for values in itertools.product(*pools):
            yield dict(zip(names, values, strict=True))

    def _told_apart(
        self, edit: BoundEdit, domain: Domain, cells: Sequence[Cell], integers: Sequence[int]
    ) -> Iterable[dict[str, Value]]:
        """Return parameter values of an edit, one of those that always do the same.

        With the guard true, all that the parameters of a frame do is to choose its cells, unless
        the guard or the step depends on the database, or the step on the parameters.
        """
        frame, names = edit.frame, {n for n, _ in edit.params}
        reads = reads_database(edit.guard, edit.step) or free_variables(edit.step) & names
        if frame is None or reads:
            return self.choices(edit, domain, cells, integers)
        known: dict[Any, list[dict[str, Value]]] = self.__dict__.setdefault("_choices", {})
        elements = tuple(len(self.elements.get(sort, ())) for _, sort in edit.params)
        key = (edit, tuple(domain.attributes), tuple(cells), tuple(integers), elements)
        if key not in known:
            known[key] = self._by_frame(edit, frame, domain, cells, integers)
        return known[key]

    def _possible(
        self, edit: BoundEdit, domain: Domain, cells: Sequence[Cell], integers: Sequence[int]
    ) -> Iterable[dict[str, Value]]:
        """Return parameter values of an edit for which its guard can hold, of some database.

        Nearly all fail a part of the guard that does not depend on the database: it is evaluated
        once for all databases, unless there are too many of them to keep.
        """
        known: dict[Any, list[dict[str, Value]]] = self.__dict__.setdefault("_choices", {})
        elements = tuple(len(self.elements.get(sort, ())) for _, sort in edit.params)
        key = ("possible", edit, tuple(domain.attributes), tuple(cells), tuple(integers), elements)
        if key in known:
            return known[key]
        fixed = [part for part in conjuncts(edit.guard) if not reads_database(part)]
        env = self.environment(domain)

        def holding() -> Iterator[dict[str, Value]]:
            for params in self.choices(edit, domain, cells, integers):
                env.variables.update(params)
                if all(evaluate(part, env) for part in fixed):
                    yield params

        found = holding()
        first = list(itertools.islice(found, MOST_KEPT + 1))
        if len(first) > MOST_KEPT:
            return itertools.chain(first, found)
        return known.setdefault(key, first)

    def _by_frame(
        self, edit: BoundEdit, frame: Term, domain: Domain, cells: Sequence[Cell],
        integers: Sequence[int],
    ) -> list[dict[str, Value]]:  # fmt: skip
        first: dict[tuple[bool, ...], dict[str, Value]] = {}
        for params in self.choices(edit, domain, cells, integers):
            env = self.environment(domain, params)
            if evaluate(edit.guard, env):
                inside = []
                for cell in cells:
                    env.variables["c"] = cell
                    inside.append(bool(evaluate(frame, env)))
                first.setdefault(tuple(inside), params)
        return list(first.values())

    def _amounting(
        self, edit: BoundEdit, change: Mapping[Cell, int], domain: Domain,
        cells: Sequence[Cell], integers: Sequence[int],
    ) -> Iterator[dict[str, Value]]:  # fmt: skip
        """Yield the parameter values with which an edit's numbers make up a change, either way.

        The cells that they are added to are chosen first: for most there is no need to look at the
        other parameters, of which a group of edits has many.  Where the numbers depend on the
        database or the parameters, it is enough that all cells that change are among these.
        """
        deltas = [delta for _, delta in edit.change]
        names = [name for name, _ in edit.params]
        fixed = not reads_database(*deltas) and not any(
            free_variables(d) & {*names} for d in deltas
        )
        env = self.environment(domain)
        numbers = [(point, evaluate(d, env) if fixed else 0) for point, d in edit.change]
        opposite = {c: -n for c, n in change.items()}
        points = replace(edit, params=tuple(p for p in edit.params if p[0] in edit.points))
        others = replace(edit, params=tuple(p for p in edit.params if p[0] not in edit.points))
        for at in self.choices(points, domain, cells, integers):
            if not change.keys() <= {*at.values()}:
                continue
            net: dict[Cell, int] = {}
            for point, number in numbers:
                cell = cell_at(at, point)
                net[cell] = net.get(cell, 0) + number
            if fixed and difference({}, net) not in (change, opposite):
                continue
            for rest in self.choices(others, domain, cells, integers):
                both = {**at, **rest}
                yield {name: both[name] for name in names}

    def integers(
        self, granularity: BoundGranularity | None = None, cells: Sequence[Cell] = ()
    ) -> tuple[int, ...]:
        """Return the integers that parameters range over here: those that occur, and around them.

        Those are the chosen ones, and the integers in cells, of a block too, and in tables.  Around
        them is what lies at most one beyond the sums and differences with a symbol or with a number
        in the edits, so that every side of ``t <= time(c) and time(c) < t + w`` is reached; so are
        what edits add up of a cell's integers, as in ``24*day(c) + hour(c) == t``; and, where an
        edit multiplies or divides by a number or a symbol, their quotients and multiples, so that
        ``7*t <= time(c)`` and ``t // 7 == time(c)`` are, too.
        """
        if granularity is None:
            return self._near((), cells)
        return self._near(granularity.edits, cells, set(self._totals(granularity, cells)))

    def _totals(self, granularity: BoundGranularity, cells: Sequence[Cell]) -> Iterator[int]:
        """Yield what sums, products and quotients in edits are at the cells, such as a total hour.

        Only where an edit chooses an integer, which may have to be one of them.
        """
        for edit in granularity.edits:
            if all(sort != INT for _, sort in edit.params):
                continue
            points = {"c", *(name for name, sort in edit.params if sort == CELL)}
            env = self.environment(granularity.domain)
            for term in {t for whole in edit.terms for t in subterms(whole)}:
                if term.op not in _ARITHMETIC or reads_database(term):
                    continue
                names = free_variables(term) - set(self.symbols)
                if len(names) == 1 and names <= points:
                    (name,) = names
                    for cell in cells:
                        env.variables[name] = cell
                        yield int(evaluate(term, env))

    def _near(
        self, edits: Sequence[BoundEdit], cells: Sequence[Cell] = (), more: Iterable[int] = ()
    ) -> tuple[int, ...]:
        kept: dict[Any, tuple[int, ...]] = self.__dict__.setdefault("_integers", {})
        asked = (tuple(edits), tuple(cells), frozenset(more))
        key = (*asked, *map(len, self.functions.values()))  # tables grow while they are read
        if key not in kept:
            kept[key] = self._found_near(*asked)
        return kept[key]

    def _found_near(
        self, edits: Sequence[BoundEdit], cells: Sequence[Cell], more: Iterable[int]
    ) -> tuple[int, ...]:
        seen = {0, 1, *self.chosen, *more}
        tables = (t.values() for t in self.functions.values())
        for values in (*self.cells, *cells, *tables, self.defaults.values()):
            seen |= {v for v in values if isinstance(v, int) and not isinstance(v, bool)}
        terms = {t for edit in edits for whole in edit.terms for t in subterms(whole)}
        offsets = {0, *self.symbols.values(), *(t.number for t in terms if t.op == "int")}
        near = {v + s * o + d for v in seen for o in offsets for s in (-1, 1) for d in (-1, 0, 1)}
        factors = {n for t in terms for n in self._factors(t) if abs(n) > 1}
        near |= {m for v in near for n in factors for m in (v // n, v * n)}
        known = sorted(seen | {m for v in seen for n in factors for m in (v // n, v * n)})

        def distance(number: int) -> tuple[int, int]:
            place = bisect(known, number)  # the nearest is one of two: there may be many
            return min(abs(number - v) for v in known[max(place - 1, 0) : place + 1]), number

        return tuple(sorted(near, key=distance))[:MOST_INTEGERS]

    def _factors(self, term: Term) -> Iterator[int]:
        """Yield the numbers and symbols by which something is multiplied or divided."""
        for factor in term.terms if term.op in ("mul", "div", "mod") else ():
            if factor.op == "int":
                yield factor.number
            elif factor.op == "var" and factor.name in self.symbols:
                yield self.symbols[factor.name]

    def linking(
        self, granularity: BoundGranularity, old: Database, new: Database,
        cells: Sequence[Cell] | None = None, by: BoundEdit | None = None,
    ) -> PathStep | None:  # fmt: skip
        """Return an edit that makes the two databases neighbours, or None; ``by``: no other edit.

        Both must be in the class; that is the caller's check.
        """
        cells = self.cells if cells is None else cells
        domain = granularity.domain
        integers = self.integers(granularity, cells)
        change = difference(old, new)
        for number, edit in enumerate(granularity.edits):
            if by not in (None, edit) or (edit.frame is None and len(change) > len(edit.change)):
                continue
            tried = self._told_apart(edit, domain, cells, integers)
            if edit.frame is None:
                tried = self._amounting(edit, change, domain, cells, integers)
            for params in tried:
                if self.links(edit, params, domain, old, new, cells):
                    return PathStep(number, tuple(params.items()), backwards=False)
                if not granularity.directed and self.links(edit, params, domain, new, old, cells):
                    return PathStep(number, tuple(params.items()), backwards=True)
        return None

    def successors(
        self, granularity: BoundGranularity, old: Database, target: Database,
        cells: Sequence[Cell],
    ) -> Iterator[tuple[PathStep, dict[Cell, int]]]:  # fmt: skip
        """Yield databases one edit away.

        Edits with numbers to add give one database each way (backwards only if the numbers do
        not depend on the database).  A frame is set to what ``target`` has there, or emptied, or
        to what its step says that it becomes.
        """
        domain = granularity.domain
        integers = self.integers(granularity, cells)
        for number, edit in enumerate(granularity.edits):
            if edit.frame is None:
                for params, backwards, new in self._added(granularity, edit, old, cells, integers):
                    yield PathStep(number, tuple(params.items()), backwards), new
                continue
            for params in self._told_apart(edit, domain, cells, integers):
                named = tuple(params.items())
                framed = self._framed(edit, params, domain, cells)
                if edit.written is not None and self._opens(edit, params, domain, old):
                    new = self._written(edit.written, params, domain, old, framed)
                    if self._steps(edit, params, domain, old, new, framed):
                        yield PathStep(number, named, backwards=False), new
                anything = edit.step == TRUE and not reads_database(edit.guard)
                for emptied in (False, True)[: 1 if anything else 2]:
                    new = {**old, **{c: 0 if emptied else target.get(c, 0) for c in framed}}
                    for backwards in (False, True):
                        if backwards and granularity.directed:
                            continue
                        first, then = (new, old) if backwards else (old, new)
                        if self._opens(edit, params, domain, first) and self._steps(
                            edit, params, domain, first, then, framed
                        ):
                            yield PathStep(number, named, backwards, emptied), new

    def _written(
        self, written: Term, params: Mapping[str, Value], domain: Domain, old: Database,
        framed: Iterable[Cell],
    ) -> dict[Cell, int]:  # fmt: skip
        """Return what becomes of a database whose frame is set to numbers that are said."""
        env = self.environment(domain, params, {"D": old})
        value = evaluator(written, env)
        new = dict(old)
        for cell in framed:
            env.variables["c"] = cell
            new[cell] = value()
        return {c: n for c, n in new.items() if n}

    def _added(
        self, granularity: BoundGranularity, edit: BoundEdit, old: Database,
        cells: Sequence[Cell], integers: Sequence[int],
    ) -> Iterator[tuple[dict[str, Value], bool, dict[Cell, int]]]:  # fmt: skip
        """Yield what an edit with numbers to add makes of a database, forwards and backwards.

        Each with the parameters, and whether it is backwards.
        """
        domain = granularity.domain
        env = self.environment(domain, databases={"D": old})
        reading = [part for part in conjuncts(edit.guard) if reads_database(part)]
        one_way = granularity.directed or not reading
        for params in self._possible(edit, domain, cells, integers):
            env.variables.update(params)
            holds = all(evaluate(part, env) for part in reading)
            if not holds and one_way:
                continue
            numbers: list[tuple[Any, int]] = [
                (params[point], evaluate(delta, env)) for point, delta in edit.change
            ]
            for sign in (1, -1):
                if not holds if sign > 0 else granularity.directed:
                    continue
                new = dict(old)
                for here, delta in numbers:
                    new[here] = new.get(here, 0) + sign * delta
                if min(new.values(), default=0) < 0:
                    continue
                if sign > 0 or self.links(edit, params, domain, new, old, cells):
                    yield params, sign < 0, {c: n for c, n in new.items() if n}

    def path(
        self, granularity: BoundGranularity, old: Database, new: Database, longest: int,
        cells: Sequence[Cell] | None = None, domain: Domain | None = None,
    ) -> tuple[PathStep, ...] | None:  # fmt: skip
        """Return a shortest path of edits inside the class, of at most ``longest`` edits.

        What lies between is looked for among :meth:`successors`, and not for ever; so a path is
        always right, and its absence shows nothing beyond one edit.
        """
        cells = self.cells if cells is None else cells
        domain = domain or granularity.domain
        if not difference(old, new):
            return ()
        if _too_far(granularity, old, new, longest):
            return None
        integers = self.integers(granularity, cells)
        tries = sum(
            1 for edit in granularity.edits
            for _ in self._told_apart(edit, domain, cells, integers)
        )  # fmt: skip
        left = MOST_TRIES
        queue: list[tuple[Database, tuple[PathStep, ...]]] = [(old, ())]
        seen = {frozenset((c, n) for c, n in old.items() if n)}
        for length in range(1, longest + 1):
            following: list[tuple[Database, tuple[PathStep, ...]]] = []
            for database, steps in queue:
                last = self.linking(granularity, database, new, cells)
                if last is not None:
                    return (*steps, last)
                left -= tries
                if length == longest or left < 0:
                    continue
                for step, middle in self.successors(granularity, database, new, cells):
                    if _too_far(granularity, middle, new, longest - length):
                        continue
                    key = frozenset((c, n) for c, n in middle.items() if n)
                    if key not in seen and self.contains(middle, domain, cells):
                        seen.add(key)
                        following.append((middle, (*steps, step)))
            queue = following
        return None

    # ---------------------------------------------------------------- maps

    def member(self, mapping: BoundMap, cell: Cell, index: Index) -> bool:
        """Return whether block ``index`` keeps the records of ``cell``."""
        variables: dict[str, Value] = dict(self.symbols)
        for (name, _), number in zip(mapping.indices, index, strict=True):
            variables[name] = number
        variables["c"] = cell
        here = Environment(variables, self._callables(), self.domain.positions)
        return bool(evaluate(mapping.member, here))

    def blocks(self, mapping: BoundMap) -> list[Index]:
        """Return the indices of all blocks."""
        return list(itertools.product(*self._ranges(mapping)))

    def first_blocks(self, mapping: BoundMap, most: int) -> Iterator[Index]:
        """Yield some blocks, those with the lowest numbers."""
        ranges = [r[:most] for r in self._ranges(mapping)]
        yield from itertools.islice(itertools.product(*ranges), most)

    def _ranges(self, mapping: BoundMap) -> list[range]:
        return [
            range(1, (self.symbols[size] if isinstance(size, str) else size) + 1)
            for _, size in mapping.indices
        ]

    def holding(self, mapping: BoundMap, cell: Cell) -> Iterator[Index]:
        """Yield the blocks that hold a cell, however many blocks there are."""
        if not mapping.indices:
            yield from [()] * self.member(mapping, cell, ())
            return
        names = [name for name, _ in mapping.indices]
        *outer, inner = self._ranges(mapping)
        for first in itertools.product(*outer):
            env = self.environment(variables={**dict(zip(names, first, strict=False)), "c": cell})
            for last in numbers_where(mapping.member, names[-1], inner, env, self.functions):
                yield (*first, last)

    def block_cells(self, mapping: BoundMap, index: Index) -> list[Cell]:
        """Return the cells of the block's own domain (of the image, for a projection)."""
        kept = [c for c in self.cells if self.member(mapping, c, index)]
        if mapping.image is None:
            return kept
        keys = {self._key(mapping, c) for c in kept}
        return sorted(keys if mapping.image else keys | {()})

    def _key(self, mapping: BoundMap, cell: Cell) -> Cell:
        env = self.environment(variables={"c": cell})
        return tuple(evaluate(t, env) for _, t in mapping.image or ())

    def apply(self, mapping: BoundMap, database: Database, index: Index) -> dict[Cell, int]:
        """Return what the map hands on to block ``index``."""
        found: dict[Cell, int] = {}
        for cell, number in database.items():
            if number and self.member(mapping, cell, index):
                key = cell if mapping.image is None else self._key(mapping, cell)
                found[key] = found.get(key, 0) + number
        return found

    def map_facts_hold(self, mapping: BoundMap) -> bool:
        """Return whether the facts and the multiplicity of a map hold on all cells."""
        for cell in self.cells:
            env = self.environment(variables={"c": cell})
            if not all(evaluate(f, env) for f in mapping.facts):
                return False
            if mapping.multiplicity is not None:
                most = evaluate(mapping.multiplicity, env)
                if (
                    next(itertools.islice(self.holding(mapping, cell), most, None), None)
                    is not None
                ):
                    return False
        return self.symbols_hold(mapping.symbols)


def _lookup(table: Mapping[tuple[Value, ...], Value], default: Value) -> Callable[..., Value]:
    return lambda *args: table.get(args, default)
