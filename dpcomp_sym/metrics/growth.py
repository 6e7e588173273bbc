"""Neighbour families of unbounded distance, witnessing an infinite (or limit-dependent) distance.

Families are tried for an edit whose frame can be filled arbitrarily.  One database has n records
in one cell of the frame, or n records that differ in a single attribute, or in all attributes with
any number of values, so that no two share one; the other one is empty, or has as many records with
other values there.  Only the frame's named elements may matter: copies of a cell with any other
values of these attributes are in the frame, are cells, and keep the limits.  All of this is proved
for all interpretations, and one cell in the frame is found by the evaluator.  With any n distances
are unbounded, as a form says that bounds them from below, or since each edit changes few cells of
those that differ; with n a symbol they grow with it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import Aggregate
from dpcomp_sym.metrics.small_worlds import small_worlds
from dpcomp_sym.model import BoundDistinct, BoundEdit, BoundGranularity
from dpcomp_sym.profile import Symbolic
from dpcomp_sym.smt import GroundCell, Query, logic
from dpcomp_sym.smt.query import Signature, equal
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Term,
    conjunction,
    conjuncts,
    evaluate,
    free_variables,
    reads_database,
)  # fmt: skip

__all__ = [
    "CONSTANTS", "SHARE", "examples", "grows", "may_change_all", "reaches", "say_alike",
]  # fmt: skip

SHARE: Final = 4
"""The distance of the n-th pair is shown to be at least n / SHARE."""
CONSTANTS: Final = (1, 0, -1, 2)
MOST_EXAMPLES: Final = 6
FAR: Final = 100
"""Copies may differ in a number by more than so many times any symbol."""


def grows(inner: Canonical, outer: BoundGranularity, edit: BoundEdit) -> str | None:
    """Return a family of neighbours by ``edit`` whose distances in ``inner`` grow, in words.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> domain = Domain({"id": "Record", "owner": "Owner"}, cap=1)
    >>> unbounded = Canonical(library_granularity("unbounded").bind(domain))
    >>> user = library_granularity("user", owner="owner").bind(domain)
    >>> grows(unbounded, user, user.edits[0])
    'no records against n records that differ in id, for every n'
    """
    for example, shape in _tried(outer, edit):
        if not shape.both and _Family(inner, edit, shape, example).grows():
            return f"{shape.told('n')}, for every n"
        numbers = {outer.domain.attribute_sorts[a] for a in shape.attributes} == {INT}
        if numbers and _Family(inner, edit, shape, example, gap=True).grows():
            return f"{shape.told('n')} by more than any edit spans, for every n"
    return None


def reaches(
    inner: Canonical, outer: BoundGranularity, edit: BoundEdit, least: Symbolic
) -> str | None:
    """Return neighbours by ``edit`` that are at least so far apart in ``inner``, in words.

    There are some for every value of the symbol.

    >>> from dpcomp_sym.model import Domain, library_granularity
    >>> limited = {"symbols": {"r": "r >= 1"}, "limits": [("owner(c)", "r")]}
    >>> domain = Domain({"id": "R", "owner": "U"}, **limited)
    >>> unbounded = Canonical(library_granularity("unbounded").bind(domain))
    >>> user = library_granularity("user", owner="owner").bind(domain)
    >>> reaches(unbounded, user, user.edits[0], Symbolic("r", 2))
    'r records in one cell against r records in a cell with another id'
    """
    for example, shape in _tried(outer, edit):
        if _Family(inner, edit, shape, example, least.symbol).reaches(least.factor):
            return shape.told(least.symbol)
    return None


GrowthExample = tuple[Mapping[str, Any], tuple[Any, ...]]
"""Parameters of an edit, and a cell in its frame."""


@dataclass(frozen=True)
class _Shape:
    """How n records lie: in one cell, or differing in attributes; on one side or on both."""

    stacked: bool
    attributes: tuple[str, ...]
    both: bool

    def told(self, number: str) -> str:
        """Return the shape in words."""
        many = f"{number} records in one cell" if self.stacked else f"{number} records"
        differ = " and ".join(self.attributes)
        if not self.both:
            rest = "" if self.stacked else f" that differ in {differ}"
            return f"no records against {many}{rest}"
        if self.stacked:
            return f"{many} against {number} records in a cell with another {differ}"
        return f"{many} against {number} others, which differ in {differ}"


def _tried(outer: BoundGranularity, edit: BoundEdit) -> Iterator[tuple[GrowthExample, _Shape]]:
    """Yield the families that can be named, with a cell in the frame."""
    domain = outer.domain
    if edit.frame is None or domain.facts or not outer.local:
        return
    if reads_database(edit.guard, edit.step):
        return
    attributes = [
        a for a, s in domain.attribute_sorts.items() if s not in domain.enumerations and s != BOOL
    ]
    together = [*((a,) for a in attributes), *([tuple(attributes)] if attributes[1:] else [])]
    shapes = [_Shape(stacked=True, attributes=(), both=False)] * (domain.cap is None)
    shapes += [_Shape(stacked=False, attributes=a, both=False) for a in together]
    if domain.cap is None:
        shapes += [_Shape(stacked=True, attributes=(a,), both=True) for a in attributes]
    shapes += [_Shape(stacked=False, attributes=a, both=True) for a in together]
    yield from itertools.product(examples(outer, edit), shapes)


def examples(outer: BoundGranularity, edit: BoundEdit) -> list[GrowthExample]:
    """Return cells in the edit's frame, found by the evaluator, in a few small worlds.

    What the guard says of the database is not looked at: whoever uses an example is to prove it.
    """
    frame = edit.frame
    guard = conjunction([g for g in conjuncts(edit.guard) if not reads_database(g)])
    found: list[GrowthExample] = []
    for world in small_worlds(outer.domain, cells=2):
        integers = world.integers(outer)
        for params in world.choices(edit, outer.domain, world.cells, integers):
            env = world.environment(variables=params)
            if frame is None or not evaluate(guard, env):
                continue
            for cell in world.cells:
                env.variables["c"] = cell
                if evaluate(frame, env):
                    found.append((dict(params), cell))
        if len(found) >= MOST_EXAMPLES:
            break
    return found[:MOST_EXAMPLES]


def say_alike(
    query: Query,
    edit: BoundEdit,
    params: Mapping[str, Any],
    cell: GroundCell,
    example: GrowthExample,
) -> None:
    """Say which of the named elements are equal: those that are in the example."""
    values, there = example
    kinds = tuple(query.domain.attribute_sorts.values())
    named = [
        *zip(kinds, cell, there, strict=True),
        *((s, params[n], values[n]) for n, s in edit.params if s != CELL),
    ]
    for n, s in edit.params:
        if s == CELL:
            named += zip(kinds, params[n], values[n], strict=True)
    for number, (sort, term, value) in enumerate(named):
        for kind, other, against in named[:number]:
            if kind == sort:
                same = term == other
                query.add(same if value == against else logic.Not(same))


def may_change_all(query: Query, edit: BoundEdit, cells: Sequence[GroundCell]) -> bool:
    """Return whether an edit may change all of some cells, for some parameters; a no is a proof."""
    params = {n: query.fresh(s, n) for n, s in edit.params}
    if edit.frame is None:
        places = [[query.equal(params[p], cell) for p in edit.points] for cell in cells]
        changed = logic.And(*(logic.Or(*there) for there in places))
    else:
        changed = logic.And(*(query.read(edit.frame, {**params, "c": c}) for c in cells))
    return bool(query.check(changed) != logic.unsat)


class _Family:
    """The n-th pair of a family: E holds records like ``first``, D none or others like ``second``.

    The two are any two of the copies, so what is proved of them holds of all.
    """

    def __init__(
        self, inner: Canonical, edit: BoundEdit, shape: _Shape, example: GrowthExample,
        symbol: str | None = None, *, gap: bool = False,
    ) -> None:  # fmt: skip
        if edit.frame is None:
            raise ValueError("the edit has no frame")
        domain = inner.domain
        self.domain, self.edit, self.form, self.shape = domain, edit, inner.lower, shape
        self.inner = inner.granularity
        self.frame = edit.frame
        self.query = query = Query(Signature(domain, domain.signatures), domain.symbol_terms)
        self.params = {n: query.fresh(s, n) for n, s in edit.params}
        self.number = logic.Int("number") if symbol is None else query.symbols[symbol]
        self.cell = cell = query.cell("c")
        query.add(self.number >= 1)
        said = (domain.cell_term, edit.guard, self.frame)
        # A cell that was found may be there for some values of the symbols only: then what is
        # said of it is to follow from which of the named elements are equal.
        if symbol is None or not any(free_variables(t) & set(domain.symbols) for t in said):
            query.add(*[query.read(term, {**self.params, "c": cell}) for term in said])
        say_alike(query, edit, self.params, cell, example)
        self._named: dict[str, list[Any]] = {}
        """The values of each sort that copies do not have."""
        spans = (s if s.sort() == logic.IntSort() else 0 for s in query.symbols.values())
        self._gap = FAR * (1 + sum(logic.If(s > 0, s, 0) for s in spans)) if gap else 0
        """By how much a number of a copy is larger than all that are named, at least."""
        self._name(cell, edit.params)
        self.first, self.second = self._copy(cell), self._copy(cell)
        self.held = self.number if shape.stacked else logic.IntVal(1)
        self.copies = logic.IntVal(1) if shape.stacked else self.number

    def _name(self, cell: GroundCell, params: Sequence[tuple[str, str]]) -> None:
        """Note the values of a cell and of parameters, which copies do not have."""
        sorts = list(self.domain.attribute_sorts.values())
        named = list(zip(sorts, cell, strict=True))
        for name, kind in params:
            term = self.params[name]
            named += zip(sorts, term, strict=True) if kind == CELL else [(kind, term)]
        for sort, value in named:
            self._named.setdefault(sort, []).append(value)

    def _copy(self, cell: GroundCell) -> GroundCell:
        """Return the cell with other values of the attributes, unlike all that are named."""
        copy = list(cell)
        for place, (attribute, sort) in enumerate(self.domain.attribute_sorts.items()):
            if attribute not in self.shape.attributes:
                continue
            copy[place] = value = self.query.fresh(sort, "copy")
            named = self._named.setdefault(sort, [])
            # Of an integer: larger than all that are named; there are as many of those.
            gap = self._gap
            self.query.add(*[value > t + gap if sort == INT else value != t for t in named])
            named.append(value)
        return tuple(copy)

    def _always(self, formula: Any) -> bool:
        return bool(self.query.check(logic.Not(formula)) == logic.unsat)

    def grows(self) -> bool:
        """Prove that the pairs are neighbours, and their distances beyond all bounds."""
        far = self._neighbours() and (self._far(SHARE, self.number) or self._spread())
        return far and self._possible()

    def reaches(self, factor: int) -> bool:
        """Prove that the pairs are neighbours, at least ``factor * number`` apart."""
        return self._neighbours() and self._far(1, factor * self.number) and self._possible()

    def _possible(self) -> bool:
        """Return whether there are such pairs: of what cannot be, all is proved."""
        return bool(self.query.check() == logic.sat)

    def _spread(self) -> bool:
        """Prove that no edit changes more than a few of the n cells, so that the number grows.

        The cells all differ between the two databases, and each edit changes ``SHARE`` at most.
        """
        if self.shape.stacked:
            return False
        copies = [self.first, self.second]
        copies += [self._copy(self.cell) for _ in range(SHARE - 1)]
        return not any(may_change_all(self.query, e, copies) for e in self.inner.edits)

    # ------------------------------------------------------------- they are neighbours

    def _neighbours(self) -> bool:
        zero = logic.IntVal(0)
        moves = [(zero, self.held), (self.held, zero)] if self.shape.both else [(zero, self.held)]
        names = {**self.params, "c": self.first}
        inside = [
            self.query.read(self.domain.cell_term, names),
            self.query.read(self.edit.guard, self.params),
            self.query.read(self.frame, names),
            *(self.query.read(self.edit.step, {**names, "old": a, "new": b}) for a, b in moves),
        ]
        other = self.query.cell("other")
        names = {**self.params, "c": other, "old": zero, "new": zero}
        outside = logic.Not(self.query.read(self.frame, names))
        inside.append(logic.Or(outside, self.query.read(self.edit.step, names)))
        sizes = (self.number, self.number if self.shape.both else zero)
        inside += [
            self.query.read(fact, {}, {"D": (None, lambda n=size: n)})
            for fact, size in itertools.product(self.domain.size_terms, sizes)
        ]
        return (
            self._always(logic.And(*inside))
            and all(
                self._within(key, self.query.read(bound)) for key, bound in self.domain.limit_terms
            )
            and all(self._few_values(limit) for limit in self.domain.distinct_terms)
        )

    def _within(self, key: Term, most: Any) -> bool:
        """Prove that the records of one side keep a limit."""
        if self._always(self.number <= most):
            return True
        keys = key.terms if key.op == "tuple" else (key,)
        apart = not self.shape.stacked and self._keys(keys) is False
        return apart and self._always(most >= 1)

    def _few_values(self, limit: BoundDistinct) -> bool:
        """Prove that the records of one side keep a limit on distinct values."""
        of, each, bound = limit
        if self._within(each, self.query.read(bound)):  # so few records have no more values
            return True
        parts = of.terms if of.op == "tuple" else (of,)
        alike = self.shape.stacked or self._keys(parts) is True
        return alike and self._always(self.query.read(bound) >= 1)

    def _keys(self, keys: Sequence[Term]) -> bool | None:
        """Return whether all copies have the same keys, or all different ones; None if neither."""
        here, there = (
            tuple(self.query.read(k, {"c": c}) for k in keys) for c in (self.first, self.second)
        )
        if self._always(equal(here, there)):
            return True
        return False if self._always(logic.Not(equal(here, there))) else None

    # ------------------------------------------------------------- they are far apart

    def _far(self, share: int, least: Any) -> bool:
        counts: dict[str, Any] = {}
        if self.form is None:  # no form bounds the distance from below
            return False
        for number, one in enumerate(self.form.aggregates):
            if one.elsewhere:
                return False
            found = {"same": self._same, "sum": self._sum, "values": self._values}[one.kind](one)
            if found is None:
                return False
            counts[f"aggregate{number}"] = found
        finite = self.query.read(self.form.finite, counts)
        value = self.query.read(self.form.value, counts)
        return self._always(logic.Or(logic.Not(finite), share * value >= least))

    def _same(self, one: Aggregate) -> Any:
        if not self.shape.both:  # n records against none
            return logic.BoolVal(False)
        alike = self._keys(one.keys)
        return None if alike is None else logic.BoolVal(alike)

    def _sum(self, one: Aggregate) -> Any:
        terms = self._read(one, 0)
        if self.shape.stacked:
            return sum(terms, logic.IntVal(0))
        constants = [next((k for k in CONSTANTS if self._always(t == k)), None) for t in terms]
        known = [k for k in constants if k is not None]  # the same for all copies
        return sum(known) * self.number if len(known) == len(terms) else None

    def _values(self, one: Aggregate) -> Any:
        """Return how many values the keys have where all conditions hold, if it is known."""
        said = [self._read(one, n) for n in range(len(one.conditions))]
        alike = True if not self.shape.attributes else self._keys(one.keys)
        if alike is None:
            return None
        if alike:
            return self._count([logic.And(*[logic.Or(*sides) for sides in said])], logic.IntVal(1))
        return self._count([logic.And(*side) for side in zip(*said, strict=True)], self.copies)

    def _count(self, holds: list[Any], each: Any) -> Any:
        total = logic.IntVal(0)
        for formula in holds:
            if self._always(formula):
                total = total + each
            elif not self._always(logic.Not(formula)):
                return None
        return total

    def _read(self, one: Aggregate, number: int) -> list[Any]:
        """Return a condition where E holds records, and where D does if it holds any."""
        sides, zero = [], logic.IntVal(0)
        for cell, left, right in ((self.first, zero, self.held), (self.second, self.held, zero)):
            databases: Mapping[str, Any] = {
                "D": (lambda _, n=left: n, None), "E": (lambda _, n=right: n, None),
            }  # fmt: skip
            sides.append(self.query.read(one.conditions[number], {"c": cell}, databases))
        return sides if self.shape.both else sides[:1]
