"""Neighbours that fill every group of a limit: distances that are products of symbols.

The cells of a frame lie in w groups if a number of the limit's key takes w values there, t, ...,
t + w - 1.  One of two neighbours holds in each group as many records as the limit allows, in one
cell; the other one nothing, or as many in a cell with another value of some attribute.  That all
these cells are in the frame, and that the two are in the class, is proved for every value of the
symbols; only which named elements are equal is taken from an example.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.capacities import Room
from dpcomp_sym.metrics.growth import CONSTANTS, GrowthExample, examples, say_alike
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundGranularity
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import BOOL, CELL, INT, Term, reads_database, to_text

__all__ = ["fills"]


def fills(
    inner: Canonical, outer: BoundGranularity, edit: BoundEdit, room: Room, sides: int
) -> str | None:
    """Return neighbours that are ``sides`` times the room apart in ``inner``, in words.

    >>> from dpcomp_sym.metrics.capacities import capacities
    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> signs = {"w": "w >= 1", "m": "m >= 1"}
    >>> domain = Domain({"id": "R", "day": "int"}, symbols=signs, limits=[("day(c)", "m")])
    >>> days = library_granularity("w_event", time="day", length="w").bind(domain)
    >>> unbounded = Canonical(library_granularity("unbounded").bind(domain))
    >>> (room,) = capacities(domain, days.edits[0])
    >>> fills(unbounded, days, days.edits[0], room, 2)
    'm records at each of w values of day, against as many with another id'
    """
    domain, frame = outer.domain, edit.frame
    if (
        frame is None
        or len(room.widths) != 1
        or inner.lower is None
        or domain.facts
        or domain.cap is not None
    ):
        return None
    ((part, width),) = room.widths
    attributes = list(domain.attributes)
    if part.op != "attr" or part.sort != INT or part.name not in attributes or not outer.local:
        return None
    if reads_database(edit.guard, edit.step):
        return None
    place = attributes.index(part.name)
    others = [
        n
        for n, sort in enumerate(domain.attribute_sorts.values())
        if n != place and sort not in domain.enumerations and sort != BOOL
    ]
    for example, other in itertools.product(
        examples(outer, edit), others if sides == 2 else [None]
    ):
        if _Filled(inner, edit, frame, room, place, other, example).apart(sides):
            against = f"as many with another {attributes[other]}" if other is not None else "none"
            most = to_text(room.most)
            where = f"at each of {to_text(width)} values of {part.name}"
            return f"{most} records {where}, against {against}"
    return None


class _Filled:
    """E holds records in all groups; D none, or as many in other cells of the groups."""

    def __init__(
        self, inner: Canonical, edit: BoundEdit, frame: Term, room: Room, place: int,
        other: int | None, example: GrowthExample,
    ) -> None:  # fmt: skip
        domain = inner.domain
        self.domain, self.edit, self.frame, self.form = domain, edit, frame, inner.lower
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.params = {n: query.fresh(s, n) for n, s in edit.params}
        sorts = list(domain.attribute_sorts.values())
        cell = tuple(query.fresh(s, "cell") for s in sorts)
        say_alike(query, edit, self.params, cell, example)
        ((_, width),) = room.widths
        self.held, self.copies = query.read(room.most), query.read(width)
        query.add(self.held >= 1, self.copies >= 1)
        self.number = query.read(room.size)
        turned = cell
        if other is not None:
            value = query.fresh(sorts[other], "value")
            named = [t for t, s in zip(cell, sorts, strict=True) if s == sorts[other]]
            for name, kind in edit.params:
                term = self.params[name]
                named += (
                    [t for t, s in zip(term, sorts, strict=True) if s == sorts[other]]
                    if kind == CELL
                    else [term] * (kind == sorts[other])
                )
            query.add(*[value > t if sorts[other] == INT else value != t for t in named])
            turned = (*cell[:other], value, *cell[other + 1 :])
        self.first, self.again = (self._somewhere(cell, place) for _ in range(2))
        self.second, self.once = (self._somewhere(turned, place) for _ in range(2))
        self.place = place
        self.sides = [(self.first, self.again)]
        if other is not None:
            self.sides.append((self.second, self.once))

    def _somewhere(self, cell: GroundCell, place: int) -> GroundCell:
        """Return one of the copies of a cell: with one of the next values of the number."""
        step = self.query.fresh(INT, "step")
        self.query.add(step >= 0, step < self.copies)
        return (*cell[:place], cell[place] + step, *cell[place + 1 :])

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def apart(self, sides: int) -> bool:
        """Prove that they are neighbours of the class, and how far apart they are."""
        possible = self.query.check() == logic.sat
        return possible and self._neighbours() and self._far(sides)

    def _neighbours(self) -> bool:
        zero, query = logic.IntVal(0), self.query
        inside = [query.read(self.edit.guard, self.params)]
        for number, (cell, _) in enumerate(self.sides):
            names = {**self.params, "c": cell}
            old, new = (zero, self.held) if number == 0 else (self.held, zero)
            inside += [
                query.read(self.domain.cell_term, names),
                query.read(self.frame, names),
                query.read(self.edit.step, {**names, "old": old, "new": new}),
            ]
        other = tuple(query.fresh(s, "other") for s in self.domain.attribute_sorts.values())
        names = {**self.params, "c": other, "old": zero, "new": zero}
        outside = logic.Not(query.read(self.frame, names))
        inside.append(logic.Or(outside, query.read(self.edit.step, names)))
        sizes = (self.number, self.number if len(self.sides) == 2 else zero)
        inside += [
            query.read(fact, {}, {"D": (None, lambda n=size: n)})
            for fact, size in itertools.product(self.domain.size_terms, sizes)
        ]
        return (
            self._always(logic.And(*inside))
            and all(
                self._within(key, query.read(bound), one, two)
                for key, bound in self.domain.limit_terms
                for one, two in self.sides
            )
            and all(
                self._few_values(limit, one, two)
                for limit in self.domain.distinct_terms
                for one, two in self.sides
            )
        )

    def _few_values(self, limit: BoundDistinct, one: GroundCell, two: GroundCell) -> bool:
        """Prove that one side keeps a limit on distinct values: it has one, or one a place."""
        most = self.query.read(limit.at_most)
        here, there = (self.query.read(limit.of, {"c": c}) for c in (one, two))
        if self._always(equal(here, there)):
            return self._always(most >= 1)
        same = one[self.place] == two[self.place]
        if self._always(logic.Or(logic.Not(same), equal(here, there))):
            return self._always(self.copies <= most)
        return self._always(self.number <= most)

    def _within(self, key: Term, most: Any, one: GroundCell, two: GroundCell) -> bool:
        """Prove that one side keeps a limit."""
        here, there = (self.query.read(key, {"c": c}) for c in (one, two))
        same = one[self.place] == two[self.place]
        if self._always(logic.Or(same, logic.Not(equal(here, there)))):
            return self._always(self.held <= most)
        return self._always(self.number <= most)

    def _far(self, sides: int) -> bool:
        form = self.form
        if form is None:
            return False
        counts = {}
        for number, one in enumerate(form.aggregates):
            if one.kind != "sum" or one.elsewhere:
                return False
            factors = [self._factor(one.conditions[0], n) for n in range(len(self.sides))]
            known = [k for k in factors if k is not None]
            if len(known) < len(factors):
                return False
            counts[f"aggregate{number}"] = sum(known) * self.number
        finite = self.query.read(form.finite, counts)
        value = self.query.read(form.value, counts)
        return self._always(logic.Or(logic.Not(finite), value >= sides * self.number))

    def _factor(self, term: Term, side: int) -> int | None:
        """Return how many times what is held a term is at all cells of one side."""
        zero = logic.IntVal(0)
        left, right = (zero, self.held) if side == 0 else (self.held, zero)
        databases: Mapping[str, Any] = {"D": (lambda _: left, None), "E": (lambda _: right, None)}
        said = self.query.read(term, {"c": self.sides[side][0]}, databases)
        return next((k for k in CONSTANTS if self._always(said == k * self.held)), None)
