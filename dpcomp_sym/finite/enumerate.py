"""Exhaustive search in a small world: the answers that everything cleverer must agree with.

Scope.  A world has finitely many cells, and here every cell holds at most ``bound`` records, so
the databases are a *truncated class*.  What that means for an answer:

* a pair of neighbours found here is one; that none is found shows only that none is this small;
* parameters of sort ``int`` range over :meth:`World.integers`, the integers that occur;
* a distance inside an inner class is measured among the databases with at most ``extra`` more
  records a cell than an image can have.  0 and 1 are exact (1 is one edit, and one edit has no
  middle).  A larger finite distance is an upper bound: a shorter path may need fuller cells.
  :data:`UNREACHABLE` means that no path stays within the scope, so the distance is at least 2;
* in the separate setting the cells of an inner class are the cells of the block, and its cell
  parameters range over these;
* in the common setting the distance counts the edits of the pushforward: two images are
  neighbours if some neighbours of the whole class map to them.  With the outer granularity that
  is 1 for different images of neighbours.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dpcomp_sym.finite.world import Cell, Index, World, cell_at
from dpcomp_sym.model import BoundEdit, BoundGranularity, BoundMap, BoundPart, Domain, Problem
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Environment,
    Term,
    conjuncts,
    evaluate,
    reads_database,
    subterms,
)
from dpcomp_sym.terms.evaluate import Value

__all__ = [
    "UNREACHABLE",
    "DistanceShape",
    "EditGraph",
    "Enumeration",
    "Extreme",
    "databases",
    "dominated",
    "label_worlds",
]

UNREACHABLE: Final = math.inf
"""No path within the scope: the distance is infinite, or too long or too full to be seen."""

State = tuple[int, ...]
"""A database over a fixed sequence of cells: the multiplicities."""
_Net = tuple[tuple[int, int], ...]
"""Positions, and what is added there."""
CellView = tuple[Cell | None, ...]
"""What a block makes of each cell of the world: the cell of its image, or nothing."""
StepCount = int | float
DistanceShape = tuple[tuple[str, tuple[tuple[StepCount, ...], ...]], ...]
"""A joint distance vector, without block numbers.

Pairs of a map's name and the changed blocks; a block is the tuple of distances at which the parts
that read the map see it, in the order of the spec.  Blocks are sorted, largest first.
"""


def databases(
    world: World, domain: Domain, cells: Sequence[Cell], most: int
) -> Iterator[dict[Cell, int]]:
    """Yield the databases of the class ``domain`` over ``cells``, at most ``most`` in a cell.

    >>> domain = Domain({"id": "R"}, size=["size(D) == 2"])
    >>> world = World(domain, (("a",), ("b",)), {"R": ("a", "b")})
    >>> [tuple(d.values()) for d in databases(world, domain, world.cells, 2)]
    [(2,), (1, 1), (2,)]
    """
    for state in _states(world, domain, cells, most):
        yield {c: n for c, n in zip(cells, state, strict=True) if n}


def _states(world: World, domain: Domain, cells: Sequence[Cell], most: int) -> list[State]:
    top = most if domain.cap is None else min(most, domain.cap)
    ranges = [range(top + 1 if world.is_cell(c, domain) else 1) for c in cells]
    everything = _within_limits(world, domain, cells, ranges)
    if not domain.size and not domain.distinct_terms and not domain.facts:
        return everything
    return [
        s for s in everything if world.contains(dict(zip(cells, s, strict=True)), domain, cells)
    ]


def _within_limits(
    world: World, domain: Domain, cells: Sequence[Cell], ranges: Sequence[range]
) -> list[State]:
    """Return all states, without those in which too many records share a key.

    What is too much in some cells is so whatever the others hold, so cells are filled one by one.
    """
    limits = [
        ([world.at_cell(key, c, domain) for c in cells], evaluate(most, world.environment(domain)))
        for key, most in domain.limit_terms
    ]
    found: list[State] = [()]
    for last, numbers in enumerate(ranges):
        shared = [
            ([n for n in range(last + 1) if keys[n] == keys[last]], most) for keys, most in limits
        ]
        found = [
            longer
            for state in found
            for longer in ((*state, n) for n in numbers)
            if not longer[-1] or all(sum(longer[n] for n in at) <= most for at, most in shared)
        ]
    return found


@dataclass(frozen=True, eq=False)
class _Instance:
    """An edit with its parameters filled in: from a database to those it leads to.

    Either numbers to add at positions (``net``), or the values that each position of a frame may
    get from its old one (``forward``, and ``backward`` for the other direction), or numbers that
    depend on the database (``deltas``), or values in a frame that do (the step of ``edit`` at
    ``places``).  ``guards`` are what is left of the guard; whether they hold depends on the
    positions in ``reads`` (None: on more), and is kept in ``allowed``.
    """

    variables: Mapping[str, Value]
    guards: tuple[Term, ...]
    reads: tuple[int, ...] | None
    net: _Net | None = None
    forward: Mapping[int, Mapping[int, tuple[int, ...]]] | None = None
    backward: Mapping[int, Mapping[int, tuple[int, ...]]] | None = None
    deltas: tuple[tuple[int, Term], ...] = ()
    edit: BoundEdit | None = None
    places: frozenset[int] = frozenset()
    allowed: dict[State, bool] = field(default_factory=dict, repr=False)


class EditGraph:
    """The databases of a truncated class, linked by the edits of a granularity.

    Args:
        world: what the names mean.
        granularity: the edits; its domain is the class.
        cells: the cells that may hold records, and that cell parameters range over.
        most: the largest multiplicity.
        states: the databases of the class, if they are known.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "R"})
    >>> world = World(domain, (("a",), ("b",)), {"R": ("a", "b")})
    >>> graph = EditGraph(world, library_granularity("bounded").bind(domain), world.cells, 2)
    >>> graph.distance((2, 0), (0, 2)), graph.distance((1, 0), (1, 1))
    (2, inf)
    """

    def __init__(
        self, world: World, granularity: BoundGranularity, cells: Sequence[Cell], most: int,
        states: Sequence[State] | None = None,
    ) -> None:  # fmt: skip
        self.world = world
        self.granularity = granularity
        self.domain = granularity.domain
        self.cells = tuple(cells)
        self.most = most
        known = _states(world, self.domain, self.cells, most) if states is None else states
        self.states = list(known)
        self._known = frozenset(self.states)
        self._largest = max((n for state in self.states for n in state), default=0)
        self._place = {c: n for n, c in enumerate(self.cells)}
        self._adding: dict[_Net, list[_Instance]] = {}
        self._others: list[_Instance] = []
        for instance in self._prepare():
            if instance.net is None:
                self._others.append(instance)
            else:
                self._adding.setdefault(instance.net, []).append(instance)
        self._after: dict[State, frozenset[State]] = {}
        self._before: dict[State, frozenset[State]] = {}
        self._links: dict[tuple[State, State], bool] = {}
        self._reached: dict[State, tuple[dict[State, int], list[State]]] = {}
        self._reverse: dict[int, dict[State, set[State]]] = {}

    def __contains__(self, state: State) -> bool:
        return state in self._known

    # ---------------------------------------------------------------- edits, filled in

    def _prepare(self) -> Iterator[_Instance]:
        seen: set[Any] = set()
        integers = self.world.integers(self.granularity)
        for edit in self.granularity.edits:
            guards = conjuncts(edit.guard)
            static = [g for g in guards if not reads_database(g)]
            dynamic = tuple(g for g in guards if reads_database(g))
            for params in self.world.choices(edit, self.domain, self.cells, integers):
                env = self.world.environment(self.domain, params)
                if not all(evaluate(g, env) for g in static):
                    continue
                made = self._instance(edit, params, dynamic)
                if made is None:
                    continue
                if not (
                    made.guards or made.deltas or made.edit
                ):  # the parameters do not matter any more
                    key = (made.net, repr(made.forward))
                    if key in seen:
                        continue
                    seen.add(key)
                yield made

    def _instance(
        self, edit: BoundEdit, params: Mapping[str, Value], guards: tuple[Term, ...]
    ) -> _Instance | None:
        env = self.world.environment(self.domain, params)
        reads = self._reads(guards, env)
        if edit.frame is not None and reads_database(edit.step):
            framed = self._framed(edit.frame, env)
            return _Instance(params, guards, reads, edit=edit, places=framed)
        if edit.frame is not None:
            forward: dict[int, dict[int, tuple[int, ...]]] = {}
            values = range(self.most + 1)
            for place, cell in enumerate(self.cells):
                env.variables["c"] = cell
                if evaluate(edit.frame, env):
                    table = {}
                    for old in values:
                        env.variables["old"] = old
                        news = []
                        for new in values:
                            env.variables["new"] = new
                            if evaluate(edit.step, env):
                                news.append(new)
                        table[old] = tuple(news)
                    forward[place] = table
            backward = {
                p: {new: tuple(o for o in values if new in table[o]) for new in values}
                for p, table in forward.items()
            }
            if not forward:
                return None
            return _Instance(params, guards, reads, forward=forward, backward=backward)
        places = [(self._place[cell_at(params, p)], d) for p, d in edit.change]
        if any(reads_database(d) for _, d in places):
            return _Instance(params, guards, reads, deltas=tuple(places))
        changes = _net((place, evaluate(delta, env)) for place, delta in places)
        return _Instance(params, guards, reads, net=changes) if changes else None

    def _reads(self, guards: Sequence[Term], env: Environment) -> tuple[int, ...] | None:
        """Return the positions that guards look at; None if they look at sizes or further."""
        found: set[int] = set()
        for term in (t for guard in guards for t in subterms(guard)):
            if term.op == "size":
                return None
            if term.op == "at":
                (cell,) = term.terms
                if reads_database(cell):
                    return None
                place = self._place.get(evaluate(cell, env))
                if place is not None:  # else there is never anything
                    found.add(place)
        return tuple(sorted(found))

    def _framed(self, frame: Term, env: Environment) -> frozenset[int]:
        """Return the positions in a frame."""
        found = []
        for place, cell in enumerate(self.cells):
            env.variables["c"] = cell
            if evaluate(frame, env):
                found.append(place)
        return frozenset(found)

    def _stepped(self, instance: _Instance, state: State) -> list[Sequence[int]]:
        """Return what each position may hold after an edit whose step reads the database."""
        if instance.edit is None:
            return []
        places, step = instance.places, instance.edit.step
        database = self.database(state)
        if not self.world.rest_stays(instance.edit, instance.variables, self.domain, database):
            return [()]
        env = self.world.environment(self.domain, instance.variables, {"D": database})
        pools: list[Sequence[int]] = []
        for place, (cell, old) in enumerate(zip(self.cells, state, strict=True)):
            if place not in places:
                pools.append((old,))
                continue
            env.variables["c"], env.variables["old"] = cell, old
            news = []
            for new in range(self.most + 1):
                env.variables["new"] = new
                if evaluate(step, env):
                    news.append(new)
            pools.append(news)
        return pools

    def _allows(self, instance: _Instance, state: State) -> bool:
        if not instance.guards:
            return True
        reads = instance.reads
        seen = state if reads is None else tuple([state[p] for p in reads])
        found = instance.allowed.get(seen)
        if found is None:
            databases = {"D": self.database(state)}
            env = self.world.environment(self.domain, instance.variables, databases)
            found = instance.allowed[seen] = all(evaluate(g, env) for g in instance.guards)
        return found

    def database(self, state: State) -> dict[Cell, int]:
        """Return a state as a database."""
        return {c: n for c, n in zip(self.cells, state, strict=True) if n}

    def _moved(self, state: State, changes: _Net, sign: int) -> State | None:
        """Return the database of the class that differs by ``changes``, each at its own place."""
        for place, number in changes:  # most lead out of the class: no need to write it down
            if not 0 <= state[place] + sign * number <= self._largest:
                return None
        values = list(state)
        for place, number in changes:
            values[place] += sign * number
        new = tuple(values)
        return new if new in self._known else None

    def _leads(self, number: int, state: State) -> Iterator[State]:
        """Yield where instance ``number`` of the others leads from ``state``."""
        instance = self._others[number]
        if instance.forward is not None:
            pools = [
                instance.forward[p][n] if p in instance.forward else (n,)
                for p, n in enumerate(state)
            ]
            if all(pools) and self._allows(instance, state):
                yield from (s for s in itertools.product(*pools) if s in self._known)
        elif instance.edit is not None:
            if self._allows(instance, state):
                reached = itertools.product(*self._stepped(instance, state))
                yield from (s for s in reached if s in self._known)
        elif self._allows(instance, state):
            env = self.world.environment(
                self.domain, instance.variables, {"D": self.database(state)}
            )
            changes = _net((p, int(evaluate(d, env))) for p, d in instance.deltas)
            new = self._moved(state, changes, 1)
            if new is not None:
                yield new

    def _comes(self, number: int, state: State) -> Iterator[State]:
        """Yield from where instance ``number`` of the others leads to ``state``."""
        instance = self._others[number]
        if instance.backward is not None:
            pools = [
                instance.backward[p][n] if p in instance.backward else (n,)
                for p, n in enumerate(state)
            ]
            yield from (
                s
                for s in itertools.product(*pools)
                if s in self._known and self._allows(instance, s)
            )
        else:
            if number not in self._reverse:
                table: dict[State, set[State]] = {}
                for old in self.states:
                    for new in self._leads(number, old):
                        table.setdefault(new, set()).add(old)
                self._reverse[number] = table
            yield from self._reverse[number].get(state, ())

    # ---------------------------------------------------------------- neighbours and distances

    def after(self, state: State) -> frozenset[State]:
        """Return the other databases to which one edit leads, in its own direction."""
        found = self._after.get(state)
        if found is None:
            reached = set()
            for net, instances in self._adding.items():
                new = self._moved(state, net, 1)
                if new is not None and any(self._allows(i, state) for i in instances):
                    reached.add(new)
            for number in range(len(self._others)):
                reached.update(self._leads(number, state))
            found = self._after[state] = frozenset(reached - {state})
        return found

    def adjacent(self, state: State) -> frozenset[State]:
        """Return the neighbours of a database: both directions, unless directed."""
        if self.granularity.directed:
            return self.after(state)
        found = self._before.get(state)
        if found is None:
            reached = set(self.after(state))
            for net, instances in self._adding.items():
                old = self._moved(state, net, -1)
                if old is not None and any(self._allows(i, old) for i in instances):
                    reached.add(old)
            for number in range(len(self._others)):
                reached.update(self._comes(number, state))
            found = self._before[state] = frozenset(reached - {state})
        return found

    def pairs(self, *, once: bool = False) -> list[tuple[State, State]]:
        """Return all neighbours D ≠ D', in both orders unless the granularity is directed.

        ``once`` leaves out the order (D, D') with D > D' where there are both.
        """
        links = ((old, new) for old in self.states for new in self.after(old))
        if self.granularity.directed:
            return sorted(links)
        each = {(old, new) if old < new else (new, old) for old, new in links}
        return sorted(each if once else each | {(new, old) for old, new in each})

    def linked(self, old: State, new: State) -> bool:
        """Return whether the two are neighbours."""
        key = (old, new)
        found = self._links.get(key)
        if found is None:
            found = old != new and {old, new} <= self._known and self._links_now(old, new)
            self._links[key] = found
        return found

    def _links_now(self, old: State, new: State) -> bool:
        both = not self.granularity.directed
        for instance in itertools.chain(*self._adding.values(), self._others):
            if self._joins(instance, old, new) or (both and self._joins(instance, new, old)):
                return True
        return False

    def _joins(self, instance: _Instance, old: State, new: State) -> bool:
        if instance.net is not None:
            return self._moved(old, instance.net, 1) == new and self._allows(instance, old)
        if instance.forward is not None:
            for place, (before, then) in enumerate(zip(old, new, strict=True)):
                table = instance.forward.get(place)
                if before != then if table is None else then not in table[before]:
                    return False
            return self._allows(instance, old)
        if not self._allows(instance, old):
            return False
        if instance.edit is not None:
            pools = self._stepped(instance, old)
            return len(pools) == len(new) and all(
                n in pool for n, pool in zip(new, pools, strict=True)
            )
        env = self.world.environment(self.domain, instance.variables, {"D": self.database(old)})
        changes = _net((p, int(evaluate(d, env))) for p, d in instance.deltas)
        return self._moved(old, changes, 1) == new

    def distance(self, old: State, new: State) -> StepCount:
        """Return the number of edits from one database to another, or UNREACHABLE."""
        if old not in self._known or new not in self._known:
            return UNREACHABLE
        if old == new:
            return 0
        if self.linked(old, new):
            return 1
        return _search(self._reached, self.adjacent, old, new)


def _net(changes: Iterable[tuple[int, int]]) -> _Net:
    """Return what changes come to, each place once."""
    net: dict[int, int] = {}
    for place, number in changes:
        net[place] = net.get(place, 0) + number
    return tuple(sorted((p, n) for p, n in net.items() if n))


def _search(
    memory: dict[State, tuple[dict[State, int], list[State]]],
    adjacent: Callable[[State], frozenset[State]],
    old: State,
    new: State,
) -> StepCount:
    """Breadth-first search that goes on where the last one from ``old`` stopped."""
    distances, border = memory.setdefault(old, ({old: 0}, [old]))
    while border and new not in distances:
        following: list[State] = []
        for state in border:
            for other in adjacent(state):
                if other not in distances:
                    distances[other] = distances[state] + 1
                    following.append(other)
        border[:] = following
    return distances.get(new, UNREACHABLE)


class _Pushforward:
    """The images of a class: neighbours if some databases with these images are."""

    def __init__(self, graph: EditGraph, image: Callable[[State], State]) -> None:
        self._graph = graph
        self._image = image
        self._fibres: dict[State, list[State]] = {}
        for state in graph.states:
            self._fibres.setdefault(image(state), []).append(state)
        self._adjacent: dict[State, frozenset[State]] = {}
        self._reached: dict[State, tuple[dict[State, int], list[State]]] = {}

    def _neighbours(self, state: State) -> frozenset[State]:
        found = self._adjacent.get(state)
        if found is None:
            fibre = self._fibres.get(state, ())
            found = frozenset(self._image(t) for s in fibre for t in self._graph.adjacent(s))
            self._adjacent[state] = found = found - {state}
        return found

    def distance(self, old: State, new: State) -> StepCount:
        """Return the number of pushforward edits."""
        if old not in self._fibres or new not in self._fibres:
            return UNREACHABLE
        return _search(self._reached, self._neighbours, old, new)


# -------------------------------------------------------------------- label tables


def label_worlds(
    world: World, mappings: Sequence[BoundMap], limit: int = 64, seed: int = 0
) -> list[World]:
    """Return the world with every choice of the maps' own functions that their facts allow.

    Values of sort ``int`` are 0, 1, …, k (the largest family size), so that 0 stands for
    "no block".  If there are more than ``limit`` choices, that many random ones are returned, the
    given one first (if it satisfies the facts).
    """
    own: dict[str, tuple[tuple[str, ...], str]] = {}
    for mapping in mappings:
        own.update(mapping.functions)
    given = own.keys() <= world.functions.keys()
    fitting = [world] if given and all(world.map_facts_hold(m) for m in mappings) else []
    if not own:
        return fitting
    sizes = [len({i[n] for i in world.blocks(m)}) for m in mappings for n in range(len(m.indices))]
    top = max(sizes, default=1)
    keys: list[tuple[str, tuple[Value, ...]]] = []
    pools: list[tuple[Value, ...]] = []
    for name, (sorts, result) in own.items():
        for key in itertools.product(*[_values(world, s, top, argument=True) for s in sorts]):
            keys.append((name, key))
            pools.append(_values(world, result, top, argument=False))
    total = math.prod(len(p) for p in pools)

    def made(values: Sequence[Value]) -> World:
        tables: dict[str, dict[tuple[Value, ...], Value]] = {n: {} for n in own}
        for (name, key), value in zip(keys, values, strict=True):
            tables[name][key] = value
        return replace(world, functions={**world.functions, **tables})

    rng = random.Random(seed)
    candidates: Iterator[Sequence[Value]] = (
        itertools.product(*pools)
        if total <= 4 * limit
        else ([rng.choice(p) for p in pools] for _ in range(8 * limit))
    )
    for values in candidates:
        candidate = made(values)
        if all(candidate.map_facts_hold(m) for m in mappings):
            fitting.append(candidate)
        if len(fitting) > limit and total > 4 * limit:  # these are random already
            break
    if len(fitting) > limit:
        fitting = [fitting[0], *rng.sample(fitting[1:], limit - 1)]
    return fitting


def _values(world: World, sort: str, top: int, *, argument: bool) -> tuple[Value, ...]:
    if sort == CELL:
        return world.cells
    if sort == BOOL:
        return (False, True)
    if sort == INT:
        if not argument:
            return tuple(range(top + 1))
        seen = {v for c in world.cells for v in c if isinstance(v, int) and v is not True}
        return tuple(sorted({*range(top + 1), *(int(v) for v in seen)}))
    return world.domain.enumerations.get(sort) or world.elements.get(sort, ())


# -------------------------------------------------------------------- whole problems


@dataclass(frozen=True)
class Extreme:
    """A largest value with the neighbours (and the world, for its label tables) that show it."""

    value: StepCount
    world: World
    old: dict[Cell, int]
    new: dict[Cell, int]
    index: Index | None = None


@dataclass
class Enumeration:
    """All neighbours of a problem in one world, and what its maps and parts see of them.

    Args:
        problem: the question.
        world: elements, cells, tables and numbers; methods that take ``worlds`` need variants of
            this one that differ in the tables of the maps' own functions only.
        bound: the largest multiplicity in an outer database.
        extra: how many more records a cell may hold on the way between two images.
    """

    problem: Problem
    world: World
    bound: int = 2
    extra: int = 2
    _graphs: dict[Any, EditGraph] = field(default_factory=dict, repr=False)
    _pushed: dict[Any, _Pushforward] = field(default_factory=dict, repr=False)
    _known: dict[Any, StepCount] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """List the neighbours."""
        self.outer = EditGraph(self.world, self.problem.outer, self.world.cells, self.bound)
        directed = {p.granularity.directed for p in self.problem.bound_parts}
        self.pairs: list[tuple[State, State]] = self.outer.pairs(once=True not in directed)
        """The neighbours D ≠ D', each pair once where all relations are symmetric."""

    @property
    def vacuous(self) -> bool:
        """Whether there are no neighbours D ≠ D' within the scope."""
        return not self.pairs

    def deeper(self) -> Enumeration:
        """Return the same enumeration with more room for the paths of inner distances."""
        return Enumeration(self.problem, self.world, self.bound, self.extra + 2)

    # ---------------------------------------------------------------- blocks

    def view(self, world: World, mapping: BoundMap, index: Index) -> CellView:
        """Return what a block makes of every cell."""
        known: dict[Any, CellView] = world.__dict__.setdefault("_views", {})
        key = (mapping.name, index)
        if key not in known:
            known[key] = self._view(world, mapping, index)
        return known[key]

    @staticmethod
    def _view(world: World, mapping: BoundMap, index: Index) -> CellView:
        found: list[Cell | None] = []
        for cell in world.cells:
            image = world.apply(mapping, {cell: 1}, index)
            found.append(next(iter(image), None))
        return tuple(found)

    def image(self, view: CellView, state: State, cells: Sequence[Cell]) -> State:
        """Return what a block sees of a database, over the block's own cells."""
        counts = dict.fromkeys(cells, 0)
        for cell, number in zip(view, state, strict=True):
            if cell is not None:
                counts[cell] += number
        return tuple(counts.values())

    def block_cells(self, mapping: BoundMap, view: CellView) -> tuple[Cell, ...]:
        """Return the cells of a block's own domain."""
        held = {c for c in view if c is not None}
        if mapping.image == ():
            held.add(())
        if mapping.image is None:
            return tuple(c for c in self.world.cells if c in held)
        return tuple(sorted(held, key=repr))

    def distance(self, part: BoundPart, view: CellView, old: State, new: State) -> StepCount:
        """Return the distance at which a part sees two databases through a block."""
        cells = self.block_cells(part.map, view)
        left, right = (self.image(view, s, cells) for s in (old, new))
        if left == right:
            return 0
        if part.setting == "common" and part.same_granularity:
            return 1
        key = (part.name, view if part.setting == "common" else cells, left, right)
        found = self._known.get(key)
        if found is None:
            if part.setting == "common":
                found = self._pushforward(part, view, cells).distance(left, right)
            else:
                found = self.graph(part, view).distance(left, right)
            self._known[key] = found
        return found

    def graph(self, part: BoundPart, view: CellView) -> EditGraph:
        """Return the inner class of a part for a block, with its edits."""
        cells = self.block_cells(part.map, view)
        fibre = max((sum(v == c for v in view) for c in cells), default=1)
        key = (part.name, cells, fibre)
        if key not in self._graphs:
            most = self.bound * fibre + self.extra
            self._graphs[key] = EditGraph(self.world, part.granularity, cells, most)
        return self._graphs[key]

    def _pushforward(
        self, part: BoundPart, view: CellView, cells: tuple[Cell, ...]
    ) -> _Pushforward:
        key = (part.name, view)
        if key not in self._pushed:
            base = (part.name, None)
            if base not in self._graphs:
                most = self.bound + self.extra
                self._graphs[base] = EditGraph(self.world, part.granularity, self.world.cells, most)
            self._pushed[key] = _Pushforward(
                self._graphs[base], lambda s: self.image(view, s, cells)
            )
        return self._pushed[key]

    # ---------------------------------------------------------------- answers

    def most_changed(self, mapping: BoundMap, worlds: Sequence[World]) -> Extreme | None:
        """Return the largest number of blocks of a map that change between neighbours."""
        best: Extreme | None = None
        done: set[tuple[CellView, ...]] = set()
        for world in worlds:
            views = [self.view(world, mapping, i) for i in world.blocks(mapping)]
            same = tuple(sorted(views, key=repr))
            if same in done:
                continue
            done.add(same)
            cells = [self.block_cells(mapping, v) for v in views]
            blocks = list(zip(views, cells, strict=True))
            for old, new in self.pairs:
                count = sum(self.image(v, old, c) != self.image(v, new, c) for v, c in blocks)
                if best is None or count > best.value:
                    best = self._found(count, world, old, new)
        return best

    def farthest(self, part: BoundPart, worlds: Sequence[World]) -> Extreme | None:
        """Return the largest distance at which a part sees neighbours through some block."""
        best: Extreme | None = None
        for world, index, view in self._views(part, worlds):
            for old, new in self.pairs:
                value = self.distance(part, view, old, new)
                if best is None or value > best.value:
                    best = self._found(value, world, old, new, index)
        return best

    def outside(self, part: BoundPart, worlds: Sequence[World]) -> Extreme | None:
        """Return neighbours of which one has an image outside the part's own class."""
        if part.setting == "common":
            return None
        for world, index, view in self._views(part, worlds):
            graph = self.graph(part, view)
            for old, new in self.pairs:
                images = [self.image(view, s, graph.cells) for s in (old, new)]
                if not all(s in graph for s in images):
                    return self._found(UNREACHABLE, world, old, new, index)
        return None

    def _views(
        self, part: BoundPart, worlds: Sequence[World]
    ) -> Iterator[tuple[World, Index, CellView]]:
        """Yield what a part can see through its blocks; the same view once."""
        seen: set[CellView] = set()
        for world in worlds:
            for index in world.blocks(part.map):
                view = self.view(world, part.map, index)
                if view not in seen:
                    seen.add(view)
                    yield world, index, view

    def shapes(self, worlds: Sequence[World]) -> dict[DistanceShape, Extreme]:
        """Return every joint distance vector over all parts, each with one witness."""
        parts = self.problem.bound_parts
        maps = {p.map.name: p.map for p in parts}
        readers = {name: [p for p in parts if p.map.name == name] for name in maps}
        views: list[dict[str, list[CellView]]] = [
            {n: [self.view(w, m, i) for i in w.blocks(m)] for n, m in maps.items()} for w in worlds
        ]
        keys = sorted({(n, v) for one in views for n, vs in one.items() for v in vs}, key=repr)
        place = {key: n for n, key in enumerate(keys)}
        rows: dict[tuple[tuple[StepCount, ...], ...], tuple[State, State]] = {}
        for old, new in self.pairs:
            row = tuple(
                tuple(self.distance(p, view, old, new) for p in readers[name])
                for name, view in keys
            )
            rows.setdefault(row, (old, new))
        found: dict[DistanceShape, Extreme] = {}
        done: set[tuple[tuple[int, ...], ...]] = set()
        for world, one in zip(worlds, views, strict=True):
            places = tuple(tuple(sorted(place[n, v] for v in one[n])) for n in maps)
            if places in done:
                continue
            done.add(places)
            for row, (old, new) in rows.items():
                shape = tuple(
                    (name, tuple(sorted((row[p] for p in here if any(row[p])), reverse=True)))
                    for name, here in zip(maps, places, strict=True)
                )
                if shape not in found:
                    found[shape] = self._found(0, world, old, new)
        return found

    def profile(self, worlds: Sequence[World]) -> dict[DistanceShape, Extreme]:
        """Return the joint distance vectors that no other one dominates."""
        everything = self.shapes(worlds)
        return {
            shape: found
            for shape, found in everything.items()
            if not any(o != shape and dominated(shape, o) for o in everything)
        }

    def _found(
        self, value: StepCount, world: World, old: State, new: State, index: Index | None = None
    ) -> Extreme:
        return Extreme(value, world, self.outer.database(old), self.outer.database(new), index)


def dominated(shape: DistanceShape, by: DistanceShape) -> bool:
    """Return whether the blocks of a shape fit into different blocks of another one.

    Both must be about the same maps; each block must fit into one with distances at least as
    large, for every part.

    >>> dominated((("m", ((1,), (1,))),), (("m", ((2,), (1,))),))
    True
    >>> dominated((("m", ((2,),)),), (("m", ((1,), (1,))),))
    False
    """
    larger = dict(by)
    return all(_fits(blocks, larger.get(name, ())) for name, blocks in shape)


def _fits(blocks: Sequence[tuple[StepCount, ...]], slots: Sequence[tuple[StepCount, ...]]) -> bool:
    if len(blocks) > len(slots):
        return False
    if not blocks:
        return True
    first, rest = blocks[0], blocks[1:]
    return any(
        all(a <= b for a, b in zip(first, slot, strict=True))
        and _fits(rest, [*slots[:n], *slots[n + 1 :]])
        for n, slot in enumerate(slots)
    )
