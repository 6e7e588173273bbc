"""Neighbours in a class whose groups are full: all records of a frame are other ones.

In a table each place has its records, in every database; so two tables differ the most where all
places of a frame hold other values.  D has in each place as many records as there are, alike but
for the place; E has, at the places in the frame, as many in a cell with another value.  That both
are in the class, and linked, is proved for every size of the table, and how far apart they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.capacities import Room
from dpcomp_sym.metrics.full_groups import FullGroups, full_groups
from dpcomp_sym.metrics.growth import CONSTANTS, GrowthExample, examples
from dpcomp_sym.model import BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.pair import uses_size
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import CELL, INT, TRUE, Term, reads_database, to_text

__all__ = ["replaces_all"]


def replaces_all(
    inner: Canonical, outer: BoundGranularity, edit: BoundEdit, room: Room
) -> str | None:
    """Return neighbours by ``edit`` as far apart in ``inner`` as the frame has room, in words.

    >>> from dpcomp_sym.metrics.capacities import capacities
    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> table = Domain({"row": "int", "val": "Value"}, symbols={"R": "R >= 1"}, cap=1,
    ...                cell="1 <= row(c) and row(c) <= R", limits=[("row(c)", 1)],
    ...                size="size(D) == R")
    >>> bounded = Canonical(library_granularity("bounded").bind(table))
    >>> all_at_once = library_granularity("free_lunch").bind(table)
    >>> (room,) = capacities(table, all_at_once.edits[0])
    >>> replaces_all(bounded, all_at_once, all_at_once.edits[0], room)
    'another val at each of R places'
    """
    domain = outer.domain
    one_limit = len(domain.limit_terms) == 1 and not domain.distinct and not domain.facts
    if edit.frame is None or inner.lower is None or not one_limit or not outer.local:
        return None
    if reads_database(edit.guard, edit.step) or uses_size(*edit.terms):
        return None
    attributes = list(domain.attributes)
    for full in full_groups(domain):
        parts = [p.name for p in full.parts if p.op == "attr"]
        if len(set(parts)) < len(full.parts):
            continue
        others = [n for n, name in enumerate(attributes) if name not in parts]
        for other, example in itertools.product(others, examples(outer, edit)):
            if _Table(inner, edit, full, room, other, example).apart():
                return f"another {attributes[other]} at each of {to_text(room.size)} places"
    return None


class _Table:
    """Two full tables, of which the second has another value at all places of a frame.

    The first place has the least numbers; whatever else is named is it, or is new, so that there
    are such tables for all values of the symbols.
    """

    def __init__(
        self, inner: Canonical, edit: BoundEdit, full: FullGroups, room: Room, other: int,
        example: GrowthExample,
    ) -> None:  # fmt: skip
        domain = inner.domain
        self.domain, self.edit, self.form, self.full = domain, edit, inner.lower, full
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.size = query.fresh(INT, "size")
        self.sized: Mapping[str, Any] = {"D": (None, lambda: self.size)}
        query.add(*[query.read(t, {}, self.sized) for t in domain.size_terms])
        self.ends = [
            (query.read(low, {}, self.sized), query.read(high, {}, self.sized))
            for low, high in full.ends
        ]
        names = list(domain.attributes)
        self.places = [names.index(p.name) for p in full.parts]
        self.other = other
        self.most, self.number = query.read(full.most), query.read(room.size)
        self.widths = {names.index(p.name): query.read(w) for p, w in room.widths if p.op == "attr"}
        self.known = len(self.widths) == len(room.widths) and room.most == full.most
        self.sorts = list(domain.attribute_sorts.values())
        self.cell, self.value = self._first(example[1])
        self.params = self._parameters(example)

    def _first(self, there: Sequence[Any]) -> tuple[GroundCell, Any]:
        """Return the cell of D at the first place, and another value of one attribute."""
        lowest = dict(zip(self.places, (low for low, _ in self.ends), strict=True))
        cell = [
            lowest[n] if n in lowest else logic.IntVal(there[n]) if sort == INT
            else self.query.fresh(sort, "cell")
            for n, sort in enumerate(self.sorts)
        ]  # fmt: skip
        if self.sorts[self.other] == INT:
            return tuple(cell), cell[self.other] + 1
        value = self.query.fresh(self.sorts[self.other], "value")
        self.query.add(value != cell[self.other])
        return tuple(cell), value

    def _parameters(self, example: GrowthExample) -> dict[str, Any]:
        """Return the parameters of the edit: values of the first cell, as they are in an example.

        Others are new values: what the guard says of these is to be proved.
        """
        values, there = example
        found: dict[str, Any] = {}
        for name, sort in self.edit.params:
            same = [
                term for term, value, kind in zip(self.cell, there, self.sorts, strict=True)
                if kind == sort and value == values[name]
            ]  # fmt: skip
            self.known = self.known and sort != CELL
            found[name] = same[0] if same else self.query.fresh(sort, name)
            if not same:
                known = [t for t, s in zip(self.cell, self.sorts, strict=True) if s == sort]
                self.query.add(*[found[name] != t for t in known])
        return found

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def apart(self) -> bool:
        """Prove that they are neighbours of the class, and as far apart as there is room."""
        proved = self.known and self._of_class() and self._linked() and self._far()
        return proved and bool(self.query.check() == logic.sat)

    def _turned(self, cell: GroundCell) -> GroundCell:
        return (*cell[: self.other], self.value, *cell[self.other + 1 :])

    def _anywhere(self) -> GroundCell:
        """Return the cell of D at any place of the table."""
        cell = list(self.cell)
        for place, (low, high) in zip(self.places, self.ends, strict=True):
            cell[place] = number = self.query.fresh(INT, "place")
            self.query.add(low <= number, number <= high)
        return tuple(cell)

    def _inside(self) -> GroundCell:
        """Return the cell of D at any of the places that the frame has room for."""
        cell = list(self.cell)
        for place, width in self.widths.items():
            step = self.query.fresh(INT, "step")
            self.query.add(step >= 0, step < width)
            cell[place] = cell[place] + step
        return tuple(cell)

    def _in_frame(self, cell: GroundCell) -> Any:
        return self.query.read(self.edit.frame or TRUE, {**self.params, "c": cell})

    def _of_class(self) -> bool:
        """Prove that there are such databases, for all values of the symbols."""
        whole, there = self.most, logic.BoolVal(True)
        for low, high in self.ends:
            whole, there = whole * (high - low + 1), logic.And(there, low <= high)
        cap = self.domain.cap
        said = [there, self.size == whole, self.most >= 1]
        said += [] if cap is None else [self.most <= cap]
        if not all(map(self._always, said)):  # before a place is said to be there
            return False
        cell = self._anywhere()
        said = [
            self.query.read(self.domain.cell_term, {"c": c}) for c in (cell, self._turned(cell))
        ]
        return all(map(self._always, said))

    def _linked(self) -> bool:
        """Prove that the edit leads from D to E: what it changes is in the frame."""
        zero, cell = logic.IntVal(0), self._anywhere()
        turned = self._turned(cell)
        step = self.edit.step

        def leads(there: GroundCell, old: Any, new: Any) -> Any:
            names = {**self.params, "c": there, "old": old, "new": new}
            return self.query.read(step, names)

        elsewhere = self.query.cell("elsewhere")
        said = [
            self.query.read(self.edit.guard, self.params),
            self._in_frame(cell) == self._in_frame(turned),
            logic.Implies(self._in_frame(cell), leads(cell, self.most, zero)),
            logic.Implies(self._in_frame(turned), leads(turned, zero, self.most)),
            logic.Implies(self._in_frame(elsewhere), leads(elsewhere, zero, zero)),
        ]
        return all(map(self._always, said))

    def _far(self) -> bool:
        """Prove that a form says that they are as far apart as there is room in the frame.

        All places for which there is room are in the frame, and no more are: no more than there is
        room for.
        """
        form, cell = self.form, self._inside()
        among = [
            logic.And(low <= cell[place], cell[place] <= high)
            for place, (low, high) in zip(self.places, self.ends, strict=True)
        ]
        if form is None or not self._always(logic.And(self._in_frame(cell), *among)):
            return False
        counts: dict[str, Any] = {}
        for number, one in enumerate(form.aggregates):
            if one.elsewhere or one.kind not in ("sum", "same"):
                return False
            if one.kind == "same":
                if not all(map(self._is_kept, one.keys)):
                    return False
                counts[f"aggregate{number}"] = logic.BoolVal(True)
                continue
            factors = [self._factor(one.conditions[0], side) for side in (0, 1)]
            if None in factors:
                return False
            counts[f"aggregate{number}"] = sum(f for f in factors if f is not None) * self.number
        both = {name: (None, lambda: self.size) for name in ("D", "E")}
        finite = self.query.read(form.finite, counts, both)
        value = self.query.read(form.value, counts, both)
        return self._always(logic.Or(logic.Not(finite), value >= self.number))

    def _is_kept(self, key: Term) -> bool:
        """Return whether a key is the same at a place in D and in E."""
        cell = self._anywhere()
        here, there = (self.query.read(key, {"c": c}) for c in (cell, self._turned(cell)))
        return self._always(here == there)

    def _factor(self, term: Term, side: int) -> int | None:
        """Return how many times the records of a place a term is, in D or in E; None if unknown."""
        zero, cell = logic.IntVal(0), self._inside()
        left, right = (self.most, zero) if side == 0 else (zero, self.most)
        databases: Mapping[str, Any] = {"D": (lambda _: left, None), "E": (lambda _: right, None)}
        there = cell if side == 0 else self._turned(cell)
        said = self.query.read(term, {"c": there}, databases)
        return next((k for k in CONSTANTS if self._always(said == k * self.most)), None)
