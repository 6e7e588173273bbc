"""Families of neighbours at ever larger distances: why a distance of granularities is infinite.

Two families are tried for an edit whose frame can be filled at will: the empty database against
one with n records in one cell of the frame, and against one with n records that differ in a
single attribute.  The second needs that nothing but the frame's named elements matters: copies of
a cell with any other value of the attribute are in the frame, are cells, and share no limit.  Both
facts are proved for all interpretations, and one cell in the frame is found by the evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.forms import Aggregate, BoundForm
from dpcomp_sym.metrics.small import small_worlds
from dpcomp_sym.model import BoundEdit, BoundGranularity, Domain
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import BOOL, CELL, INT, evaluate, reads_database

__all__ = ["grows"]

SHARE: Final = 4
"""The distance of the n-th pair is shown to be at least n / SHARE."""
CONSTANTS: Final = (1, 0, -1, 2)
MOST_EXAMPLES: Final = 6


def grows(inner: Canonical, outer: BoundGranularity, edit: BoundEdit) -> str | None:
    """Return a family of neighbours by ``edit`` whose distances in ``inner`` grow, in words.

    >>> from dpcomp_sym.model import library_granularity
    >>> domain = Domain({"id": "Record", "owner": "Owner"}, cap=1)
    >>> unbounded = Canonical(library_granularity("unbounded").bind(domain))
    >>> user = library_granularity("user", owner="owner").bind(domain)
    >>> grows(unbounded, user, user.edits[0])
    'no records against n records that differ in id, for every n'
    """
    domain, form = outer.domain, inner.lower
    if edit.frame is None or form is None or domain.size or domain.facts or not outer.local:
        return None
    if reads_database(edit.guard, edit.step):
        return None
    attributes = [
        a for a, s in domain.attribute_sorts.items() if s not in domain.enumerations and s != BOOL
    ]
    for example in _examples(outer, edit):
        many = domain.cap is None and not domain.limits
        if many and _Family(domain, edit, form, None, example).grows():
            return "no records against n records in one cell, for every n"
        for attribute in attributes:
            if _Family(domain, edit, form, attribute, example).grows():
                return f"no records against n records that differ in {attribute}, for every n"
    return None


Example = tuple[Mapping[str, Any], tuple[Any, ...]]
"""Parameters of an edit, and a cell in its frame."""


def _examples(outer: BoundGranularity, edit: BoundEdit) -> list[Example]:
    """Return cells in the edit's frame, found by the evaluator, in a few small worlds."""
    frame = edit.frame
    found: list[Example] = []
    for world in small_worlds(outer.domain, cells=2):
        integers = world.integers(outer)
        for params in world.choices(edit, outer.domain, world.cells, integers):
            env = world.environment(variables=params)
            if frame is None or not evaluate(edit.guard, env):
                continue
            for cell in world.cells:
                env.variables["c"] = cell
                if evaluate(frame, env):
                    found.append((dict(params), cell))
        if len(found) >= MOST_EXAMPLES:
            break
    return found[:MOST_EXAMPLES]


class _Family:
    """The n-th database of a family: n copies of a cell, or one cell n times."""

    def __init__(
        self, domain: Domain, edit: BoundEdit, form: BoundForm, attribute: str | None,
        example: Example,
    ) -> None:  # fmt: skip
        self.domain, self.edit, self.form, self.attribute = domain, edit, form, attribute
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.params = {n: query.fresh(s, n) for n, s in edit.params}
        self.number = logic.Int("number")
        cell = query.cell("c")
        names = {**self.params, "c": cell}
        query.add(
            self.number >= 1, query.read(domain.cell_term, names), query.read(edit.guard, names),
            query.read(edit.frame, names),  # type: ignore[arg-type]
        )  # fmt: skip
        self._alike(cell, example)
        self.first, self.second = self._copy(cell), self._copy(cell)
        if attribute is not None:
            query.add(logic.Not(query.equal(self.first, self.second)))
        self.held = self.number if attribute is None else logic.IntVal(1)

    def _alike(self, cell: GroundCell, example: Example) -> None:
        """Say which of the named elements are equal: those that are in the example."""
        values, there = example
        kinds = tuple(self.domain.attribute_sorts.values())
        named = [
            *zip(kinds, cell, there, strict=True),
            *((s, self.params[n], values[n]) for n, s in self.edit.params if s != CELL),
        ]
        for n, s in self.edit.params:
            if s == CELL:
                named += zip(kinds, self.params[n], values[n], strict=True)
        for number, (sort, term, value) in enumerate(named):
            for kind, other, against in named[:number]:
                if kind == sort:
                    same = term == other
                    self.query.add(same if value == against else logic.Not(same))

    def _copy(self, cell: GroundCell) -> GroundCell:
        """Return the cell with another value of the attribute, unlike all that are named."""
        if self.attribute is None:
            return cell
        sorts = list(self.domain.attribute_sorts.values())
        place = list(self.domain.attributes).index(self.attribute)
        sort, value = sorts[place], self.query.fresh(sorts[place], "copy")
        named = [t for t, s in zip(cell, sorts, strict=True) if s == sort]
        for name, kind in self.edit.params:
            term = self.params[name]
            if kind == CELL:
                named += [t for t, s in zip(term, sorts, strict=True) if s == sort]
            elif kind == sort:
                named.append(term)
        # Of an integer: larger than all that are named; there are as many of those.
        self.query.add(*[value > t if sort == INT else value != t for t in named])
        return (*cell[:place], value, *cell[place + 1 :])

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def grows(self) -> bool:
        """Prove that all are neighbours of the empty database, and are far from it."""
        return self._neighbours() and self._far()

    def _neighbours(self) -> bool:
        query, edit = self.query, self.edit
        names = {**self.params, "c": self.first}
        filled = {**names, "old": logic.IntVal(0), "new": self.held}
        inside = [
            query.read(self.domain.cell_term, names), query.read(edit.frame, names),  # type: ignore[arg-type]
            query.read(edit.step, filled),
        ]  # fmt: skip
        other = query.cell("other")
        names = {**self.params, "c": other}
        empty = {**names, "old": logic.IntVal(0), "new": logic.IntVal(0)}
        inside.append(
            logic.Or(logic.Not(query.read(edit.frame, names)), query.read(edit.step, empty))  # type: ignore[arg-type]
        )
        for key, bound in self.domain.limit_terms:
            here, there = (query.read(key, {"c": c}) for c in (self.first, self.second))
            inside += [logic.Not(equal(here, there)), query.read(bound) >= 1]
        return self._always(logic.And(*inside))

    def _far(self) -> bool:
        counts: dict[str, Any] = {}
        for number, one in enumerate(self.form.aggregates):
            found = self._count(one)
            if found is None:
                return False
            counts[f"aggregate{number}"] = found
        finite = self.query.read(self.form.finite, counts)
        value = self.query.read(self.form.value, counts)
        return self._always(logic.Or(logic.Not(finite), SHARE * value >= self.number))

    def _count(self, one: Aggregate) -> Any:
        """Return a count of the n-th database against the empty one, if it is known."""
        if one.kind == "same":  # n records against none
            return logic.BoolVal(False)
        copies = self._values_of(one)
        if copies is None:
            return None
        if one.kind == "sum":
            term = self._read(one, 0)
            if self.attribute is None:
                return term
            constant = next((k for k in CONSTANTS if self._always(term == k)), None)
            return None if constant is None else constant * self.number
        holds = logic.And(*[self._read(one, n) for n in range(len(one.conditions))])
        if self._always(holds):
            return copies
        return logic.IntVal(0) if self._always(logic.Not(holds)) else None

    def _read(self, one: Aggregate, number: int) -> Any:
        databases: Mapping[str, Any] = {
            "D": (lambda _: logic.IntVal(0), None), "E": (lambda _: self.held, None),
        }  # fmt: skip
        return self.query.read(one.conditions[number], {"c": self.first}, databases)

    def _values_of(self, one: Aggregate) -> Any:
        """Return how many values the keys have on the copies: one, or a different one each."""
        if self.attribute is None or not one.keys:
            return logic.IntVal(1)
        here, there = (
            tuple(self.query.read(k, {"c": c}) for k in one.keys) for c in (self.first, self.second)
        )
        if self._always(equal(here, there)):
            return logic.IntVal(1)
        return self.number if self._always(logic.Not(equal(here, there))) else None
