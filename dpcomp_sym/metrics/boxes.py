"""Neighbour families of unbounded distance in classes whose cells speak of each other.

In a class of graphs an edge may need its two vertices, so that few records alone are no database.
Here E holds one record in each cell with all values in some sets, one set for each sort, and D the
same but nothing in the frame of an edit.  The sets are any that hold the values of the edit's
parameters: so there may be n further values in them, and cells of the frame that differ in one
attribute, or in several.  That D and E are in the class, and neighbours, is proved for all
sets, and that no edit of the other granularity changes more than a few of the n cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from dpcomp_sym.metrics.growth import SHARE, GrowthExample, examples, may_change_all, say_alike
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE

__all__ = ["fills_boxes"]


def fills_boxes(inner: BoundGranularity, outer: BoundGranularity, edit: BoundEdit) -> str | None:
    """Return a family of neighbours by ``edit`` whose distances in ``inner`` grow, in words.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> graphs = Domain({"tail": "int", "head": "int"}, cap=1, facts=[
    ...     "implies(D[c] >= 1, D[(tail(c), tail(c))] >= 1 and D[(head(c), head(c))] >= 1)"])
    >>> unbounded = library_granularity("unbounded").bind(graphs)
    >>> node = library_granularity("node", tail="tail", head="head").bind(graphs)
    >>> fills_boxes(unbounded, node, node.edits[0]).partition(", and none")[0]
    'all cells of n values'
    """
    domain = outer.domain
    if edit.frame is None or not domain.facts or domain.limited:
        return None
    if domain.size or uses_size(*domain.fact_terms, *edit.terms):
        return None
    names = list(domain.attributes)
    for example, varied in itertools.product(examples(outer, edit), _varied(outer)):
        if _Box(inner, edit, example, varied).grows():
            differ = " and ".join(names[a] for a in varied)
            return (
                "all cells of n values, and none of those that the edit may change, "
                f"which differ in {differ}, for every n"
            )
    return None


def _varied(outer: BoundGranularity) -> Iterator[tuple[int, ...]]:
    """Yield attributes in which cells differ: each that may have any values, and all of these."""
    domain = outer.domain
    free = [
        n for n, sort in enumerate(domain.attribute_sorts.values())
        if sort not in domain.enumerations and sort != BOOL
    ]  # fmt: skip
    yield from ((n,) for n in reversed(free))
    if free[1:]:
        yield tuple(free)


class _Box:
    """All cells with values in some sets, with and without those in the frame of an edit."""

    def __init__(
        self, inner: BoundGranularity, edit: BoundEdit, example: GrowthExample,
        varied: tuple[int, ...],
    ) -> None:  # fmt: skip
        self.inner, self.edit, self.varied = inner, edit, varied
        self.domain = domain = inner.domain
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.sorts = list(domain.attribute_sorts.values())
        self.params = {n: query.fresh(s, n) for n, s in edit.params}
        self._copied: list[tuple[str, Any]] = []
        """The values of copies, with their sorts."""
        self.first = query.cell("first")
        self.inside = {
            sort: logic.SolverFunction(
                query.new("inside", sort), query.signature.sort(sort), query.signature.sort(BOOL)
            )
            for sort in dict.fromkeys(self.sorts)
        }
        say_alike(query, edit, self.params, self.first, example)
        query.add(*[self.inside[s](v) for s, v in self._named() if s in self.inside])
        query.add(self._held(self.first), self._in_frame(self.first))

    def _named(self) -> list[tuple[str, Any]]:
        """Return the values of the first cell and of the parameters, with their sorts."""
        named = list(zip(self.sorts, self.first, strict=True))
        for name, kind in self.edit.params:
            term = self.params[name]
            named += zip(self.sorts, term, strict=True) if kind == CELL else [(kind, term)]
        return named

    def _held(self, cell: GroundCell) -> Any:
        values = [self.inside[s](v) for s, v in zip(self.sorts, cell, strict=True)]
        return logic.And(self.query.read(self.domain.cell_term, {"c": cell}), *values)

    def _in_frame(self, cell: GroundCell) -> Any:
        return self.query.read(self.edit.frame or TRUE, {**self.params, "c": cell})

    def _new(self, cell: GroundCell) -> Any:
        return logic.If(self._held(cell), logic.IntVal(1), logic.IntVal(0))

    def _old(self, cell: GroundCell) -> Any:
        kept = logic.And(self._held(cell), logic.Not(self._in_frame(cell)))
        return logic.If(kept, logic.IntVal(1), logic.IntVal(0))

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def grows(self) -> bool:
        """Prove that the pairs are neighbours, and their distances beyond all bounds."""
        proved = self._of_class() and self._linked() and self._far()
        return proved and bool(self.query.check() == logic.sat)

    def _of_class(self) -> bool:
        anywhere = self.query.cell("anywhere")
        return all(
            self._always(self.query.read(fact, {"c": anywhere}, {"D": (at, None)}))
            for fact, at in itertools.product(self.domain.fact_terms, (self._old, self._new))
        )

    def _linked(self) -> bool:
        """Prove that the edit leads from D to E; out of the frame they are the same."""
        cell, reading = self.query.cell("cell"), {"D": (self._old, None)}
        names = {**self.params, "c": cell, "old": self._old(cell), "new": self._new(cell)}
        step = self.query.read(self.edit.step, names, reading)
        is_cell = self.query.read(self.domain.cell_term, {"c": cell})
        guard = self.query.read(self.edit.guard, self.params, reading)
        linked = logic.Implies(logic.And(is_cell, self._in_frame(cell)), step)
        return self._always(guard) and self._always(linked)

    def _far(self) -> bool:
        """Prove that no edit changes more than a few of n cells of the frame.

        They have values that are not named, each its own, of which the sets may hold any number.
        """
        cells = [self._copy() for _ in range(SHARE + 1)]
        there = logic.And(self._held(cells[0]), self._in_frame(cells[0]))
        return self._always(there) and not any(
            may_change_all(self.query, edit, cells) for edit in self.inner.edits
        )

    def _copy(self) -> GroundCell:
        copy, named = list(self.first), self._named() + self._copied
        for place in self.varied:
            sort = self.sorts[place]
            copy[place] = value = self.query.fresh(sort, "copy")
            known = [t for s, t in named if s == sort]
            self.query.add(*[value > t if sort == INT else value != t for t in known])
            self.query.add(self.inside[sort](value))
            named.append((sort, value))
            self._copied.append((sort, value))
        return tuple(copy)
