"""What a counterexample must show: the definition of the question, decided by the evaluator.

A search proposes databases: the solver, the enumeration of small worlds, random numbers.  None of
them is believed.  Whatever is printed as a counterexample, or as neighbours that are so far apart,
is made by :func:`counterexample` (and :func:`refuted`) alone, which asks three things of it:

* the world is one of the problem: facts of symbols, cells, maps and products hold in it;
* D and D' are different databases of the class, and an edit leads from one to the other; where the
  question is about one edit, that edit (a claim about a metric is about any two databases);
* the statement fails for these two, read literally:

| question | it fails if |
| --- | --- |
| vacuity | D and D' are different neighbours |
| the blocks are disjoint | a record of D or D' lies in two blocks of the map |
| C1, ``changed(MAP) <= n`` | more than n blocks of the map differ |
| C2, ``distance(PART) <= n`` | a block of D or D' is outside the part's class, or farther than n |
| the metric commutes | C1 or C2 fails |
| a norm, a formula | the norm is larger, the formula is false for some records |
| a claim about a metric | the form says more, or less, than the number of edits |
| a distance between granularities | (an example) the neighbours are at that distance |

That two databases are *farther* apart than a number has no witness among databases.  It rests on
what edits keep, which the solver has proved of all edits, and is doubted here: no path of so few
edits may be found in the world.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.engine.verdict import Counterexample, Refuted, Verdict, not_decided
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.finite.world import difference
from dpcomp_sym.model import BoundEdit, BoundGranularity, BoundMap, Problem, Universe
from dpcomp_sym.terms import BOOL, INT, Term

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Fails", "Pairs", "counterexample", "differ", "full_product", "is_edited", "is_world",
    "more_blocks_change", "neighbours", "overlap", "refuted",
]  # fmt: skip

Fails = Callable[[World, Database, Database], bool]
"""Whether a statement fails for two databases in a world, by its definition."""


# ------------------------------------------------------------------ worlds and neighbours


@dataclass(frozen=True)
class Pairs:
    """Which pairs of databases a statement is about.

    Args:
        granularity: what makes two databases neighbours.
        maps: the maps of the problem, whose facts hold in its worlds.
        symbols: facts of all symbols, of which those of the class are some.
        linked: whether the databases must be neighbours; else any two of the class will do.
        same: whether it is one database, which an edit leads to itself, instead of two.
    """

    granularity: BoundGranularity
    maps: tuple[BoundMap, ...] = ()
    symbols: Mapping[str, Term] = field(default_factory=dict)
    linked: bool = True
    same: bool = False
    _held: list[tuple[World, Database, Database]] = field(
        default_factory=list, compare=False, repr=False
    )
    """The last pair that was found to be one; several statements may be about it."""

    @classmethod
    def of(cls, problem: Problem, edit: BoundEdit | None = None, *, same: bool = False) -> Pairs:
        """Return the neighbours of a problem: those that one edit links, if it is given."""
        outer = problem.outer if edit is None else replace(problem.outer, edits=(edit,))
        maps = problem.used_maps.values() or problem.bound_maps.values()
        return cls(outer, tuple(maps), problem.symbols, same=same)

    def hold(self, world: World, old: Database, new: Database) -> bool:
        """Decide whether two databases of a world are such a pair."""
        if any(w is world and d is old and e is new for w, d, e in self._held):
            return True
        if not self._are(world, old, new):
            return False
        self._held[:] = [(world, old, new)]
        return True

    def _are(self, world: World, old: Database, new: Database) -> bool:
        if not is_world(world, self.maps, self.symbols):
            return False
        if self.same:
            return not difference(old, new) and is_edited(world, self.granularity, old)
        if self.linked:
            return neighbours(world, self.granularity, old, new)
        return all(world.contains(d, self.granularity.domain, world.cells) for d in (old, new))


def is_world(
    world: World, maps: Iterable[BoundMap] = (), symbols: Mapping[str, Term] | None = None
) -> bool:
    """Decide whether all facts that a problem states of its worlds are true of one.

    >>> from dpcomp_sym.model import Domain
    >>> domain = Domain({"n": "int"}, cell="n(c) >= 1")
    >>> [is_world(World(domain, cells)) for cells in ((), ((0,),), ((1,), (2,)))]
    [False, False, True]
    """
    domain = world.domain
    facts = {**domain.symbol_terms, **(symbols or {})}
    return (
        len(world.cells) >= max(domain.at_least, 1)
        and len(set(world.cells)) == len(world.cells)
        and world.symbols_hold(facts)
        and all(map(world.is_cell, world.cells))
        and all(map(world.map_facts_hold, maps))
        and (domain.universe is not Universe.PRODUCT or full_product(world) == {*world.cells})
    )


def full_product(world: World, integers: Callable[[list[int]], Sequence[int]] = list) -> set[Cell]:
    """Return all cells that the values of a world make up.

    Of the integers those that occur, or what ``integers`` makes of them: which further cells there
    are does not matter.
    """
    pools: list[Sequence[Any]] = []
    for position, sort in enumerate(world.domain.attribute_sorts.values()):
        if sort == BOOL:
            pools.append((False, True))
        elif sort == INT:
            pools.append(integers(sorted({int(c[position]) for c in world.cells})))
        else:
            pools.append(world.elements.get(sort, ()))
    return {c for c in itertools.product(*pools) if world.is_cell(c)}


def neighbours(world: World, granularity: BoundGranularity, old: Database, new: Database) -> bool:
    """Decide whether two databases are different, in the class, and linked by an edit.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> unbounded = library_granularity("unbounded").bind(Domain({"id": "R"}))
    >>> world = World(unbounded.domain, (("a",),), {"R": ("a",)})
    >>> [neighbours(world, unbounded, {}, {("a",): n}) for n in (0, 1, 2)]
    [False, True, False]
    """
    return (
        bool(difference(old, new))
        and all(world.contains(d, granularity.domain, world.cells) for d in (old, new))
        and world.linking(granularity, old, new) is not None
    )


def is_edited(world: World, granularity: BoundGranularity, database: Database) -> bool:
    """Decide whether an edit leads from a database of the class to itself."""
    inside = world.contains(database, granularity.domain, world.cells)
    return inside and world.linking(granularity, database, database) is not None


# ------------------------------------------------------------------ what fails


def differ(world: World, old: Database, new: Database) -> bool:
    """Decide whether two databases differ: a class is vacuous if there are none."""
    del world
    return bool(difference(old, new))


def overlap(mapping: BoundMap) -> Fails:
    """Return the definition of blocks that are not disjoint: a record lies in two."""

    def fails(world: World, old: Database, new: Database) -> bool:
        held = [c for c in dict.fromkeys((*old, *new)) if old.get(c) or new.get(c)]
        blocks = world.blocks(mapping)
        return any(sum(world.member(mapping, c, i) for i in blocks) > 1 for c in held)

    return fails


def more_blocks_change(mapping: BoundMap, most: int) -> Fails:
    """Return the definition of more than ``most`` blocks of a map that differ."""

    def fails(world: World, old: Database, new: Database) -> bool:
        changed = (
            index
            for index in world.blocks(mapping)
            if world.apply(mapping, old, index) != world.apply(mapping, new, index)
        )
        return sum(1 for _ in itertools.islice(changed, most + 1)) > most

    return fails


# ------------------------------------------------------------------ the one place


def counterexample(
    pairs: Pairs, fails: Fails, world: World, old: Database, new: Database, **shown: Any
) -> Counterexample | None:
    """Return two databases as a counterexample if they are one by definition, else None.

    Args:
        pairs: which databases the statement is about.
        fails: whether it fails for two of them.
        world: where they are evaluated.
        old: D.
        new: D'.
        shown: what accompanies them: blocks, distances, the reason, the blocks that change.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> unbounded = library_granularity("unbounded").bind(Domain({"id": "R"}))
    >>> world = World(unbounded.domain, (("a",),), {"R": ("a",)})
    >>> found = [counterexample(Pairs(unbounded), differ, world, {}, {("a",): n}) for n in (0, 1)]
    >>> found[0], found[1].new
    (None, {('a',): 1})
    """
    if not (pairs.hold(world, old, new) and fails(world, old, new)):
        return None
    return Counterexample(world, old, new, **shown)


def refuted(example: Counterexample | None) -> Verdict:
    """Return that a statement is refuted, if there is a counterexample that was confirmed."""
    if example is None:
        return not_decided("databases were found that the evaluator does not confirm")
    return Refuted(example)
