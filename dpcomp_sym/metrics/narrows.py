"""Lists whose first place changes only when the list is short: then neighbours can be far apart.

In a class where the records of each database have the numbers 1, ..., |D|, each once, D has one
record at each of n numbers, all alike in everything else, and E differs from it at number 1 alone.
If each edit that changes a cell of number 1 leads from or to a database of a few records, and no
edit changes the size by more than a few, then any path from D to E comes by a database of a few
records, and has at least so many edits as that takes: n has no bound.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from dpcomp_sym.metrics.growth import SHARE
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.smt.gapless import fill_list, numbering
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import CELL, INT, Term

__all__ = ["passes_few"]


def passes_few(
    inner: BoundGranularity, outer: BoundGranularity, edit: BoundEdit,
    keeps_size: Callable[[], bool],
) -> str | None:  # fmt: skip
    """Return a family of neighbours by ``edit`` whose distances in ``inner`` grow, in words.

    Args:
        inner: the granularity that measures.
        outer: the granularity of the neighbours.
        edit: one of its edits.
        keeps_size: says whether no edit of ``inner`` changes the size by more than ``SHARE``.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> lists = Domain({"position": "int", "val": "Value"}, cap=1, cell="position(c) >= 1",
    ...                limits=[("position(c)", 1)], universe="product",
    ...                facts=["implies(D[c] >= 1, position(c) <= size(D))"])
    >>> append = library_granularity("append", position="position").bind(lists)
    >>> bounded = library_granularity("bounded").bind(lists)
    >>> passes_few(append, bounded, bounded.edits[0], lambda: True)
    'n records with position 1, ..., n, and the same ones with another val at 1, for every n'
    """
    domain = outer.domain
    if domain.distinct:
        return None
    key = numbering(_pair(outer, edit))
    if key is None or not keeps_size() or not _is_narrow(inner, key):
        return None
    differ = [a for a in domain.attributes if a != key.name]
    for name in differ:
        if _Lists(outer, edit, key, name).are_neighbours():
            place = key.name
            return (
                f"n records with {place} 1, ..., n, and the same ones with another {name} at 1, "
                "for every n"
            )
    return None


def _query(granularity: BoundGranularity) -> Query:
    domain = granularity.domain
    return Query(Signature(domain, domain.signatures), domain.symbol_terms)


def _pair(granularity: BoundGranularity, edit: BoundEdit) -> Pair:
    return Pair(_query(granularity), edit, ())


def _is_narrow(inner: BoundGranularity, key: Term) -> bool:
    """Prove that where a cell of number 1 changes, one of the two databases is short."""
    for edit in inner.edits:
        pair = _pair(inner, edit)
        cell = pair.differ()
        pair.query.add(pair.query.read(key, {"c": cell}) == 1)
        fill_list(pair, cell)
        long = [pair.size(new=new) > SHARE for new in (False, True)]
        if pair.query.check(*long) != logic.unsat:
            return False
    return True


class _Lists:
    """A list of n records, alike but for their number, and one with another first record."""

    def __init__(self, outer: BoundGranularity, edit: BoundEdit, key: Term, attribute: str) -> None:
        self.domain, self.edit, self.key = outer.domain, edit, key
        self.query = query = _query(outer)
        places = list(self.domain.attributes)
        self.place = places.index(key.name)
        self.first, self.other = query.cell("first"), query.cell("other")
        self.number = logic.Int("number")
        query.add(self.number > SHARE, self.first[self.place] == 1)
        for n, (a, b) in enumerate(zip(self.first, self.other, strict=True)):
            query.add(logic.Not(equal(a, b)) if n == places.index(attribute) else equal(a, b))

    def _record(self, index: Any) -> GroundCell:
        return (*self.first[: self.place], index, *self.first[self.place + 1 :])

    def _old(self, cell: GroundCell) -> Any:
        index = cell[self.place]
        known = logic.And(index >= 1, index <= self.number)
        return logic.If(logic.And(known, equal(cell, self._record(index))), 1, 0)

    def _new(self, cell: GroundCell) -> Any:
        first = logic.If(equal(cell, self.other), 1, 0)
        return logic.If(cell[self.place] == 1, first, self._old(cell))

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def are_neighbours(self) -> bool:
        """Prove that they are databases of the class, which the edit links, for every n."""
        return self._of_class() and self._linked() and bool(self.query.check() == logic.sat)

    def _of_class(self) -> bool:
        query, domain = self.query, self.domain
        some, more = query.fresh(INT, "some"), query.fresh(INT, "more")
        query.add(some >= 1, some < more, more <= self.number)
        later, last = self._record(some), self._record(more)
        anywhere = query.cell("anywhere")
        said = [query.read(domain.cell_term, {"c": c}) for c in (later, self.other)]
        for at in (self._old, self._new):
            reading = {"D": (at, lambda: self.number)}
            said += [query.read(t, {"c": anywhere}, reading) for t in domain.fact_terms]
            said += [query.read(t, {}, reading) for t in domain.size_terms]
        for key, most in domain.limit_terms:
            said.append(query.read(most) >= 1)
            for a, b in ((later, last), (self.other, last)):
                said.append(logic.Not(equal(*(query.read(key, {"c": c}) for c in (a, b)))))
        return all(map(self._always, said))

    def _linked(self) -> bool:
        """Prove that the edit leads from D to E for some of the parameters at hand."""
        query, edit = self.query, self.edit
        cell, reading = query.cell("cell"), {"D": (self._old, lambda: self.number)}
        for params in self._parameters():
            old, new = self._old(cell), self._new(cell)
            if edit.frame is None:
                change = [query.read(d, params, reading) for _, d in edit.change]
                for point, delta in zip(edit.points, change, strict=True):
                    old = old + logic.If(equal(cell, params[point]), delta, 0)
                linked = old == new
            else:
                names = {**params, "c": cell}
                step = query.read(edit.step, {**names, "old": old, "new": new}, reading)
                linked = logic.If(query.read(edit.frame, names), step, old == new)
            is_cell = query.read(self.domain.cell_term, {"c": cell})
            if self._always(query.read(edit.guard, params, reading)) and self._always(
                logic.Implies(is_cell, linked)
            ):
                return True
        return False

    def _parameters(self) -> Iterator[dict[str, Any]]:
        """Yield the records that differ, or values of theirs, as parameters of the edit."""
        sorts = list(self.domain.attribute_sorts.values())
        pools: list[list[Any]] = []
        for _, sort in self.edit.params:
            both = [self.first, self.other]
            values = [c[n] for n, s in enumerate(sorts) if s == sort for c in both]
            pools.append(list(both) if sort == CELL else values)
        names = [name for name, _ in self.edit.params]
        for chosen in itertools.islice(itertools.product(*pools), 32):
            yield dict(zip(names, chosen, strict=True))
