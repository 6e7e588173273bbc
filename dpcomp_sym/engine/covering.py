"""Neighbours that change many blocks at once, written down from small integers.

To a solver forty remainders at once are hard; a block by itself is plain.  So the integers near
those in formulas are gone through.  Of an edit with a frame D* has one record in each block, and D
none; of one that names records, these are chosen such that each block holds one.

Whether an edit links the two, and what blocks see, is for the evaluator to say.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.world import Index
from dpcomp_sym.model import BoundEdit, BoundMap, Problem, Universe
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, evaluate, reads_database, subterms

__all__ = ["covering", "near_integers", "telling_integers"]

MOST_INTEGERS: Final = 200
"""Integers are looked at among so many at most."""
MOST_CELLS: Final = 4_000
MOST_POINTS: Final = 2
MOST_PAIRED: Final = 300
"""So many cells, those in the most blocks, are looked at in pairs."""
MOST_TRIED: Final = 8
"""So many candidates are put to the evaluator."""

_Block = tuple[BoundMap, Index]


def near_integers(problem: Problem) -> range:
    """Return the integers from the least to the largest in what tells blocks, and one beside each.

    There are none if these are many.
    """
    maps = problem.used_maps.values()
    said = {t.number for m in maps for t in subterms(m.member) if t.op == "int"}
    said.update(size for m in maps for size in m.sizes if isinstance(size, int))
    first, last = min({0, *said}) - 1, max({0, *said}) + 1
    return range(first, last + 1) if last - first < MOST_INTEGERS else range(0)


def telling_integers(problem: Problem) -> tuple[int, ...]:
    """Return the integers near those in what tells blocks, and one that all divisors divide."""
    terms = [t for m in problem.used_maps.values() for t in subterms(m.member)]
    said = {n for t in terms if t.op == "int" for n in range(t.number - 1, t.number + 2)}
    near = near_integers(problem) or (sorted(said) if len(said) <= MOST_INTEGERS else ())
    by = {t.terms[1].number for t in terms if t.op == "mod" and t.terms[1].op == "int"}
    return tuple(dict.fromkeys((*near, math.lcm(*by)))) if near else ()


def covering(problem: Problem, edit: BoundEdit, blocks: Sequence[_Block]) -> Iterator[FoundPair]:
    """Yield neighbours that change all of some blocks; none where functions could be anything.

    >>> from dpcomp_sym.model import Domain, Map, Part, library_granularity
    >>> days = Map("days", "t(c) % 7 == i - 1", index={"i": 7})
    >>> graphs = Domain({"t": "int", "h": "int"}, cap=1, cell="t(c) < h(c)")
    >>> node = library_granularity("node", tail="t", head="h")
    >>> problem = Problem(graphs, node, [days], [Part("counts", "days")])
    >>> mapping = problem.used_maps["days"]
    >>> blocks = [(mapping, (n,)) for n in range(1, 8)]
    >>> found = next(covering(problem, problem.outer.edits[0], blocks))
    >>> len(found.old), len(found.new)
    (0, 7)
    """
    domain, maps = problem.domain, problem.used_maps.values()
    plain = not (problem.symbols or domain.signatures or any(m.functions for m in maps))
    if not plain or any(m.image is not None for m in maps):
        return
    if reads_database(edit.frame or TRUE, edit.step) or len(edit.points) > MOST_POINTS:
        return
    world = _world(problem, edit)
    if world is None:
        return
    pairs, seen = Pairs.of(problem, edit), _Held(world, blocks)
    ways = _of_points(edit, seen) if edit.frame is None else _of_frame(edit, seen)
    for old, new in itertools.islice(ways, MOST_TRIED):
        small = _around(world, [*old, *new])
        if pairs.hold(small, old, new):
            yield FoundPair(small, old, new, tuple(blocks))


class _Held:
    """Which of some blocks hold a cell, as the bits of a number."""

    def __init__(self, world: World, blocks: Sequence[_Block]) -> None:
        self.world, self.blocks, self.all = world, blocks, (1 << len(blocks)) - 1
        self._known: dict[Cell, int] = {}

    def __call__(self, cell: Cell) -> int:
        if cell not in self._known:
            self._known[cell] = sum(
                1 << n for n, (m, i) in enumerate(self.blocks) if self.world.member(m, cell, i)
            )
        return self._known[cell]


def _world(problem: Problem, edit: BoundEdit) -> World | None:
    """Return a world of small integers, those that are not read being 0; None if it is large."""
    domain, integers = problem.domain, telling_integers(problem)
    members = [m.member for m in problem.used_maps.values()]
    said = (*members, domain.cell_term, *edit.terms)
    read = set().union(*(attributes_read(domain, term) for term in said))
    elements = {
        sort: domain.enumerations.get(sort) or tuple(f"{sort.lower()}{n}" for n in (1, 2))
        for sort in domain.attribute_sorts.values() if sort not in (INT, BOOL)
    }  # fmt: skip
    kinds: dict[str, Sequence[Any]] = {INT: integers, BOOL: (False, True), **elements}
    pools = [
        (0,) if sort == INT and a not in read else kinds[sort]
        for a, sort in domain.attribute_sorts.items()
    ]
    if not 0 < math.prod(map(len, pools)) <= MOST_CELLS:
        return None
    world = World(domain, (), elements)
    return World(domain, tuple(filter(world.is_cell, itertools.product(*pools))), elements)


def _around(world: World, used: Sequence[Cell]) -> World:
    """Return a world with no more cells than are used, or the product of what they are made of."""
    domain = world.domain
    cells = tuple(dict.fromkeys(used))
    if domain.universe is Universe.PRODUCT:
        pools = [dict.fromkeys(column) for column in zip(*cells, strict=True)]
        cells = tuple(filter(world.is_cell, itertools.product(*pools)))
    return World(domain, cells, world.elements)


def _of_points(
    edit: BoundEdit, seen: _Held
) -> Iterator[tuple[Mapping[Cell, int], Mapping[Cell, int]]]:
    """Yield databases that differ in the records that an edit names, one in each block or more."""
    deltas = [d.number for _, d in edit.change if d.op == "int"]
    if len(deltas) < len(edit.points) or len(edit.params) > len(edit.points):
        return
    cells = sorted(seen.world.cells, key=lambda c: -seen(c).bit_count())[:MOST_PAIRED]
    for chosen in itertools.permutations(cells, len(deltas)):
        held = 0
        for cell in chosen:
            held |= seen(cell)
        if held != seen.all or len({*chosen}) < len(chosen):
            continue
        both = list(zip(chosen, deltas, strict=True))
        old, new = {c: -d for c, d in both if d < 0}, {c: d for c, d in both if d > 0}
        params = dict(zip(edit.points, chosen, strict=True))
        if evaluate(edit.guard, seen.world.environment(None, params, {"D": old})):
            yield old, new


def _of_frame(
    edit: BoundEdit, seen: _Held
) -> Iterator[tuple[Mapping[Cell, int], Mapping[Cell, int]]]:
    """Yield no records, and one for each block in a frame."""
    world = seen.world
    if edit.frame is None or any(sort == CELL for _, sort in edit.params):
        return
    for params in _params(edit, world):
        env, chosen, held = world.environment(variables=params), list[Cell](), 0
        for cell in world.cells:
            env.variables["c"] = cell
            if seen(cell) & ~held and evaluate(edit.frame, env):
                chosen.append(cell)
                held |= seen(cell)
        if held == seen.all:
            yield {}, dict.fromkeys(chosen, 1)


def _params(edit: BoundEdit, world: World) -> Iterator[dict[str, Any]]:
    """Yield parameters of an edit: of integers the largest, the least, and one between."""
    integers = sorted({v for c in world.cells for v in c if type(v) is int}) or [0]
    few = dict.fromkeys((integers[-1], integers[0], integers[len(integers) // 2]))
    kinds: dict[str, Sequence[Any]] = {INT: list(few), BOOL: (False, True), **world.elements}
    pools = [kinds.get(sort, ()) for _, sort in edit.params]
    names = [name for name, _ in edit.params]
    for values in itertools.product(*pools):
        yield dict(zip(names, values, strict=True))
