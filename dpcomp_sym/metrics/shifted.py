"""Neighbour families of unbounded distance between lists: records at n successive numbers.

Where an edit says that a cell holds what D holds at another number of an attribute, as insertions
in a list do, D has a record at each of n numbers, and E has them all one place further, perhaps
with a record of the edit's parameters beside them.  Where an edit moves nothing, D is empty and E
has the records.  They differ in attributes that may have any value, so that D and E differ in n
cells.  That the two are databases of the class and neighbours is proved for every n, and that no
edit of the other granularity changes more than a few of the n cells, or the size by more than a
few: so n has no bound in which they are so far apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpcomp_sym.metrics.growth import (
    SHARE,
    GrowthExample,
    examples,
    may_change_all,
    say_alike,
)
from dpcomp_sym.metrics.shifts import offsets
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import BOOL, CELL, INT, Term, reads_database

__all__ = ["moves_many"]


def moves_many(
    inner: BoundGranularity, outer: BoundGranularity, edit: BoundEdit,
    keeps_size: Callable[[], bool],
) -> str | None:  # fmt: skip
    """Return a family of neighbours by ``edit`` whose distances in ``inner`` grow, in words.

    ``keeps_size`` says whether no edit of ``inner`` changes the size by more than ``SHARE``.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> lists = Domain({"position": "int", "val": "Value"}, cap=1, cell="position(c) >= 1",
    ...                limits=[("position(c)", 1)])
    >>> bounded = library_granularity("bounded").bind(lists)
    >>> insertion = library_granularity("insertion", position="position").bind(lists)
    >>> moves_many(bounded, insertion, insertion.edits[0], lambda: True)
    'n records that differ in val, and the same ones with position 1 higher, for every n'
    """
    domain = outer.domain
    if edit.frame is None or domain.distinct or reads_database(edit.guard):
        return None
    for shape, example in itertools.product(_shapes(domain, edit), examples(outer, edit)):
        if _Moved(inner, edit, shape, example).grows(keeps_size):
            return f"{shape.told(list(domain.attributes))}, for every n"
    return None


@dataclass(frozen=True)
class _Shape:
    """By how much which number grows, which attributes differ, and what comes beside it."""

    place: int
    by: int
    """0 if nothing moves: then D is empty."""
    free: tuple[int, ...]
    added: str | None
    """The parameter that is a record of E, if one is."""

    def told(self, names: Sequence[str]) -> str:
        """Return the shape in words, with the names of the attributes."""
        differ, place = " and ".join(names[a] for a in self.free), names[self.place]
        records = f"n records that differ in {differ}"
        if not self.by:
            return f"no records against {records}, at n numbers of {place}"
        further = "higher" if self.by > 0 else "lower"
        return f"{records}, and the same ones with {place} {abs(self.by)} {further}"


def _shapes(domain: Domain, edit: BoundEdit) -> Iterator[_Shape]:
    """Yield the families that an edit may link."""
    sorts = list(domain.attribute_sorts.values())
    moved = offsets(domain, edit)
    if moved is None:
        ways = [(n, 0) for n, sort in enumerate(sorts) if sort == INT and domain.facts]
    else:
        ways = [(n, by) for n, term in enumerate(moved) if (by := _number(term))]
    cells = [name for name, sort in edit.params if sort == CELL] if moved else []
    for place, by in ways if len(ways) == 1 else ():
        free = [
            n for n, s in enumerate(sorts)
            if n != place and s not in domain.enumerations and s != BOOL
        ]  # fmt: skip
        sets = [*((n,) for n in free), *([tuple(free)] if free[1:] else [])]
        for attributes, added in itertools.product(sets, [*cells, None]):
            # The cell takes what D holds at the number plus ``by``: so records go the other way.
            yield _Shape(place, -by, attributes, added)


def _number(term: Term | None) -> int:
    """Return the number that a term is; 0 if it is none, or there is no term."""
    if term is None:
        return 0
    if term.op == "neg":
        return -_number(term.terms[0])
    return term.number if term.op == "int" else 0


class _Moved:
    """D holds one record at each of n numbers; E holds them moved, and perhaps one record more."""

    def __init__(
        self, inner: BoundGranularity, edit: BoundEdit, shape: _Shape, example: GrowthExample
    ) -> None:
        domain = inner.domain
        self.domain, self.inner, self.edit, self.shape = domain, inner, edit, shape
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.params = {n: query.fresh(s, n) for n, s in edit.params}
        self.first = first = query.cell("first")
        say_alike(query, edit, self.params, first, example)
        self.sorts = list(domain.attribute_sorts.values())
        self.values = {
            a: logic.SolverFunction(query.new("value"), logic.IntSort(),
                                    query.signature.sort(self.sorts[a]))
            for a in shape.free
        }  # fmt: skip
        self.number = logic.Int("number")
        query.add(self.number >= 1, first[shape.place] == example[1][shape.place])
        self._indices: list[Any] = []
        if shape.added is not None:
            query.add(self.params[shape.added][shape.place] == first[shape.place])

    # ------------------------------------------------------------- the two databases

    def _index(self, index: Any) -> Any:
        """Note that a record may be spoken of: its values are no other one's, nor parameters.

        There are such values: of integers, those from some number on.
        """
        known, first = self._known(index), logic.IntVal(0)
        for attribute, value in self.values.items():
            named = self._named(self.sorts[attribute])
            if self.sorts[attribute] == INT:
                self.query.add(value(index) == value(first) + index)
                self.query.add(*[value(first) > t for t in named])
                continue
            self.query.add(*[logic.Implies(known, value(index) != t) for t in named])
            for other in self._indices:
                apart = logic.Or(index == other, value(index) != value(other))
                self.query.add(logic.Implies(logic.And(known, self._known(other)), apart))
        self._indices.append(index)
        return index

    def _known(self, index: Any) -> Any:
        """Return that there is a record with a number."""
        return logic.And(index >= 0, index < self.number)

    def _named(self, sort: str) -> list[Any]:
        """Return the values of a sort that parameters have."""
        found = []
        for name, kind in self.edit.params:
            term = self.params[name]
            own = zip(self.sorts, term, strict=True) if kind == CELL else [(kind, term)]
            found += [t for s, t in own if s == sort]
        return found

    def _record(self, index: Any, by: int = 0) -> GroundCell:
        """Return the record with a number, moved by some numbers."""
        cell = list(self.first)
        cell[self.shape.place] = cell[self.shape.place] + index + by
        for attribute, value in self.values.items():
            cell[attribute] = value(index)
        return tuple(cell)

    def _is_record(self, cell: GroundCell, by: int = 0) -> Any:
        index = cell[self.shape.place] - self.first[self.shape.place] - by
        self._index(index)
        alike = equal(cell, self._record(index, by))
        return logic.And(self._known(index), alike)

    def _old(self, cell: GroundCell) -> Any:
        if not self.shape.by:
            return logic.IntVal(0)
        return logic.If(self._is_record(cell), logic.IntVal(1), logic.IntVal(0))

    def _new(self, cell: GroundCell) -> Any:
        here = self._is_record(cell, self.shape.by)
        if self.shape.added is not None:
            here = logic.Or(here, equal(cell, self.params[self.shape.added]))
        return logic.If(here, logic.IntVal(1), logic.IntVal(0))

    @property
    def _databases(self) -> tuple[dict[str, Any], dict[str, Any]]:
        more = 0 if self.shape.added is None else 1
        old, new = self.number if self.shape.by else logic.IntVal(0), self.number + more
        return {"D": (self._old, lambda: old)}, {"D": (self._new, lambda: new)}

    # ------------------------------------------------------------- what is proved

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def grows(self, keeps_size: Callable[[], bool]) -> bool:
        """Prove that the pairs are neighbours, and their distances beyond all bounds."""
        proved = self._of_class() and self._linked() and self._far(keeps_size)
        # An example may lie elsewhere than is asked; of what cannot be, all is proved.
        return proved and bool(self.query.check() == logic.sat)

    def _some(self) -> Any:
        """Return the number of some record."""
        index = self.query.fresh(INT, "index")
        self.query.add(self._known(index))
        return self._index(index)

    def _of_class(self) -> bool:
        query, domain = self.query, self.domain
        one, other = self._some(), self._some()
        query.add(one != other)
        sides = [[self._record(i, by) for i in (one, other)] for by in (0, self.shape.by)]
        pairs = [(a, b) for a, b in sides]
        cells = [side[0] for side in sides]
        if self.shape.added is not None:
            added = self.params[self.shape.added]
            pairs.append((sides[1][0], added))
            cells.append(added)
        anywhere = query.cell("anywhere")
        inside = [query.read(domain.cell_term, {"c": c}) for c in cells]
        for databases in self._databases:
            inside += [query.read(t, {"c": anywhere}, databases) for t in domain.fact_terms]
            inside += [query.read(t, {}, databases) for t in domain.size_terms]
        for key, most in domain.limit_terms:
            inside.append(query.read(most) >= 1)
            inside += [
                logic.Not(equal(*(query.read(key, {"c": c}) for c in pair))) for pair in pairs
            ]
        return all(map(self._always, inside))

    def _linked(self) -> bool:
        """Prove that the edit leads from D to E, of which no cell out of the frame differs."""
        query, edit = self.query, self.edit
        databases, _ = self._databases
        cell = query.cell("cell")
        names = {**self.params, "c": cell}
        old, new = self._old(cell), self._new(cell)
        inside = query.read(edit.frame, names) if edit.frame is not None else logic.BoolVal(False)
        step = query.read(edit.step, {**names, "old": old, "new": new}, databases)
        is_cell = query.read(self.domain.cell_term, names)
        return self._always(query.read(edit.guard, self.params, databases)) and self._always(
            logic.Implies(is_cell, logic.If(inside, step, old == new))
        )

    def _far(self, keeps_size: Callable[[], bool]) -> bool:
        """Prove that no edit changes more than a few of n cells in which D and E differ.

        Or that none changes the size by more, which differs by n if D is empty.
        """
        if not self.shape.by and keeps_size():
            return True
        indices = [self._some() for _ in range(SHARE + 1)]
        self.query.add(*[a != b for a, b in itertools.combinations(indices, 2)])
        cells = [self._record(i) for i in indices]
        differs = self._old(cells[0]) != self._new(cells[0])
        return self._always(differs) and not any(
            may_change_all(self.query, edit, cells) for edit in self.inner.edits
        )
