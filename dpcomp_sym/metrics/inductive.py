"""Sets of databases that no edit leaves or enters: two databases are apart if one set parts them.

All of some simple statements that hold of one database are taken at first: that a cell holds
records, or none; the size; that some record has a value, or none has.  Each that an edit may break,
where the others hold before, is dropped, until none is left to be dropped.  What is left holds of
all databases that edits lead to, in any class with these values of the symbols.  This is how
Houdini finds invariants of programs (Flanagan and Leino, FME 2001).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.engine.unreachable import names_of
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain, Universe
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.asking import work_done
from dpcomp_sym.smt.pair import fill_product
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import BOOL, reads_database

__all__ = ["WorkSpent", "parted"]

MOST: Final = 24
"""So many statements are made of a database."""
EACH: Final = 150_000
"""So much work a question may take; one that takes more counts as one that an edit breaks."""
IN_ALL: Final = 2_000_000
"""So much work all questions about some databases may take."""


@dataclass(frozen=True)
class _Statement:
    """What may hold of a database: of a cell, of the size, or of all records."""

    kind: str
    about: Any = None
    number: int = 0

    def holds(self, database: Database) -> bool:
        """Return whether it holds of a database."""
        size = sum(database.values())
        match self.kind:
            case "held":
                return database.get(self.about, 0) >= 1
            case "empty":
                return not database.get(self.about, 0)
            case "at least":
                return size >= self.number
            case "at most":
                return size <= self.number
            case _:
                some = any(n and cell[self.number] == self.about for cell, n in database.items())
                return some if self.kind == "some" else not some

    def text(self, domain: Domain) -> str:
        """Return it in words."""
        match self.kind:
            case "held" | "empty":
                cell = ", ".join(
                    f"{a} = {v}" for a, v in zip(domain.attributes, self.about, strict=True)
                )
                return f"there is a record ({cell})" if self.kind == "held" else f"no ({cell})"
            case "at most" if not self.number:
                return "no records"
            case "at least" | "at most":
                return f"{self.kind} {self.number} record" + "s" * (self.number != 1)
            case _:
                name = list(domain.attributes)[self.number]
                return f"{self.kind} record with {name} = {self.about}"


def parted(
    world: World, granularity: BoundGranularity, left: Database, right: Database,
    spent: WorkSpent | None = None,
) -> str | None:  # fmt: skip
    """Return what holds of all databases that edits lead to from one of two, not of the other.

    None is returned, too, if it takes too much work, ``spent`` before included.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record"})
    >>> world = World(domain, (("a",), ("b",)), {"Record": ("a", "b")})
    >>> bounded = library_granularity("bounded").bind(domain)
    >>> parted(world, bounded, {("a",): 1}, {("b",): 1}) is None
    True
    >>> parted(world, bounded, {}, {("b",): 1})
    'no records'
    """
    spent = WorkSpent() if spent is None else spent
    moves = any(reads_database(e.step) for e in granularity.edits)
    ways = (False, True) if moves and world.domain.universe is Universe.PRODUCT else (False,)
    for filled, (start, goal) in itertools.product(ways, ((left, right), (right, left))):
        said = list(_statements(world, start, goal))[:MOST]
        if all(s.holds(goal) for s in said):
            continue
        steps = [
            _Step(world, edit, said, backwards=backwards, filled=filled)
            for edit in granularity.edits
            for backwards in (False, True)
        ]
        kept = _kept(steps, said, spent)
        broken = [s for s in kept if not s.holds(goal)]
        if broken:
            few = _fewest(steps, kept, broken, spent)
            return " and ".join(s.text(world.domain) for s in few)
    return None


class WorkSpent:
    """How much work the solver has done on some databases, and whether it is too much."""

    def __init__(self) -> None:
        self._work = 0

    @property
    def over(self) -> bool:
        """Whether it is too much."""
        return self._work > IN_ALL

    def check(self, query: Query, *assumptions: Any) -> Any:
        """Ask a question, and take note of the work."""
        begin = work_done(query.solver)
        answer = query.check(*assumptions)
        self._work += work_done(query.solver) - begin
        return answer


def _statements(world: World, start: Database, goal: Database) -> Iterator[_Statement]:
    """Yield statements that hold of the start, first those that do not hold of the goal."""
    size = sum(start.values())
    cells = [c for c in world.cells if start.get(c, 0) or goal.get(c, 0)]
    found = [_Statement("at most", number=size)]
    found += [_Statement("at least", number=n) for n in dict.fromkeys((size, 1)) if n <= size and n]
    for place in range(len(world.domain.attributes)):
        values = dict.fromkeys(c[place] for c in cells)
        found += [_Statement(kind, v, place) for v in values for kind in ("some", "no")]
    found += [_Statement(kind, c) for c in cells for kind in ("held", "empty")]
    true = [s for s in found if s.holds(start)]
    yield from sorted(true, key=lambda s: s.holds(goal))


def _kept(steps: Sequence[_Step], said: Sequence[_Statement], spent: WorkSpent) -> list[_Statement]:
    """Return the largest part of some statements that no edit breaks where all of it holds.

    None are returned where that takes too much work.
    """
    kept = list(said)
    while not spent.over:
        left = [s for s in kept if not any(step.breaks(kept, s, spent) for step in steps)]
        if left == kept and not spent.over:
            return kept
        kept = left
    return []


def _fewest(
    steps: Sequence[_Step],
    kept: Sequence[_Statement],
    broken: Sequence[_Statement],
    spent: WorkSpent,
) -> Sequence[_Statement]:
    """Return one or two of the statements that no edit breaks either, to be read; or all."""
    pairs = ([b, s] for b in broken for s in kept if s != b)
    for few in itertools.chain(([b] for b in broken), pairs):
        if len(_kept(steps, few, spent)) == len(few):
            return few
    return kept


class _Step:
    """One edit, forwards or backwards, and the statements before it and after it.

    ``filled``: with all cells of values that occur, which costs more.
    """

    def __init__(
        self, world: World, edit: BoundEdit, said: Sequence[_Statement], *, backwards: bool,
        filled: bool,
    ) -> None:  # fmt: skip
        domain = world.domain
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        query.add(*[query.symbols[name] == world.symbols[name] for name in domain.symbols])
        query.limit(EACH)
        self.pair = Pair(query, edit, ())
        self.sorts = list(domain.attribute_sorts.values())
        cells = dict.fromkeys(c for s in said if s.kind in ("held", "empty") for c in [s.about])
        self.named = names_of(query, list(dict.fromkeys(world.cells)))
        self.cells = {c: self._cell(c) for c in cells}
        for cell in self.cells.values():
            query.possible(cell)
        self.witness = query.cell("broken")
        self.backwards = backwards
        self.before, self.broken = {}, {}
        for s in said:
            self.before[s] = self._said(s, new=backwards)
            self.broken[s] = self._not_said(s, new=not backwards)
        if filled:
            fill_product(self.pair)  # what comes from elsewhere leads to cells that are there

    def breaks(self, kept: Sequence[_Statement], one: _Statement, spent: WorkSpent) -> bool:
        """Return whether the edit may break one statement where all of some hold before."""
        if spent.over:
            return True
        known = [self.before[s] for s in kept]
        return bool(spent.check(self.query, *known, self.broken[one]) != logic.unsat)

    def _cell(self, cell: Cell) -> GroundCell:
        return tuple(self.named[s, v] for s, v in zip(self.sorts, cell, strict=True))

    def _flag(self, name: str, formula: Any) -> Any:
        flag = self.query.fresh(BOOL, name)
        self.query.add(logic.Implies(flag, formula))
        return flag

    def _has(self, one: _Statement, cell: GroundCell, at: Callable[[GroundCell], Any]) -> Any:
        """Return that a cell is a record with the value of a statement."""
        value = self.named[self.sorts[one.number], one.about]
        return logic.And(cell[one.number] == value, at(cell) >= 1)

    def _none(self, one: _Statement, at: Callable[[GroundCell], Any], name: str) -> Any:
        """Return a flag: no record has the value of a statement."""
        flag = self.query.fresh(BOOL, name)
        self.query.for_all_cells(
            lambda cell: [logic.Implies(flag, logic.Not(self._has(one, cell, at)))]
        )
        return flag

    def _plain(self, one: _Statement, *, new: bool) -> Any:
        """Return a statement about a cell or the size as a formula."""
        if one.kind in ("held", "empty"):
            number = (self.pair.new if new else self.pair.old)(self.cells[one.about])
            return number >= 1 if one.kind == "held" else number == 0
        size = self.pair.size(new=new)
        return size >= one.number if one.kind == "at least" else size <= one.number

    def _said(self, one: _Statement, *, new: bool) -> Any:
        at = self.pair.new if new else self.pair.old
        if one.kind == "no":
            return self._none(one, at, "before")
        if one.kind == "some":
            return self._flag("before", self._has(one, self.query.cell("has"), at))
        return self._flag("before", self._plain(one, new=new))

    def _not_said(self, one: _Statement, *, new: bool) -> Any:
        at = self.pair.new if new else self.pair.old
        if one.kind == "some":
            return self._none(one, at, "broken")
        if one.kind == "no":
            return self._flag("broken", self._has(one, self.witness, at))
        return self._flag("broken", logic.Not(self._plain(one, new=new)))
