"""The few records that a frame's edit changes, written down: they come or go, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from dpcomp_sym.engine.together.find import function_of
from dpcomp_sym.engine.together.placing import PointPlacing
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.terms import CELL, FALSE, Term, conjuncts, free_variables, variable

__all__ = ["RecordPlacing"]


class RecordPlacing(PointPlacing):
    """The records that have names: D holds some of them, once each, D* the others, and no more.

    Two of one database may be the same record.  What else the frame has is not touched.
    """

    going = 0
    """How many of the records D holds: the first ones."""

    @property
    def points(self) -> Sequence[str]:
        """The records."""
        return self.finder.records

    def holds(self) -> bool:
        """Ask all that must be impossible."""
        params = self.finder.edit.params
        if {n for n, sort in params if sort == CELL} != set(self.points):
            return False
        if any(map(function_of, self.finder.letters)) or not self.letters_are_known():
            return False
        if not self.others_stay():
            return False
        splits = (0, *range(1, len(self.points)))
        return any(self.tried() for self.going in (len(self.points), *splits))

    def others_stay(self) -> bool:
        """Prove that the step lets any cell that holds nothing stay so."""
        query, params = super().started()
        nothing = {"old": logic.IntVal(0), "new": logic.IntVal(0), "c": query.cell("z")}
        query.add(logic.Not(query.read(self.finder.edit.step, {**params, **nothing})))
        return self.never(query)

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Write the records down, and of the parameters what the frame says that the first has."""
        query, params = super().started()
        letters = {x.name for x in self.finder.letters if x.op == "var"}
        first = {"c": params[self.points[0]]}
        for name, value in self.said_of_cells():
            if f"edit.{name}" not in letters:
                params[name] = query.read(value, {**params, **first})
        return query, params

    def said_of_cells(self) -> Iterator[tuple[str, Term]]:
        """Yield parameters that all cells of the frame have as a value, and as which."""
        given = dict(self.finder.edit.params)
        for one in conjuncts(self.finder.edit.frame or FALSE):
            if one.op != "eq":
                continue
            for side, other in (one.terms, one.terms[::-1]):
                named = side.op == "var" and given.get(side.name, CELL) != CELL
                if named and free_variables(other) == {"c"}:
                    yield side.name, other

    def guarded(self) -> bool:
        """Prove that the records are in the frame, may come or go, and that no limit forbids it."""
        query, params = self.started()
        edit, records = self.finder.edit, [params[p] for p in self.points]
        sides = records[: self.going], records[self.going :]
        goals = [query.read(edit.guard, params)]
        goals += [logic.Not(equal(*two)) for two in itertools.product(*sides)]
        for ends, side in zip(((1, 0), (0, 1)), sides, strict=True):
            numbers = dict(zip(("old", "new"), map(logic.IntVal, ends), strict=True))
            goals += self.within_limits(query, side)
            for record in side:
                here = {**params, "c": record}
                goals += [query.read(edit.frame or FALSE, here), *self.good(query, record)]
                goals.append(query.read(edit.step, {**here, **numbers}))
        query.add(logic.Not(logic.And(*goals)))
        return self.never(query)

    def within_limits(self, query: Query, records: Sequence[GroundCell]) -> Iterator[Any]:
        """Yield that each limit allows the records, once each, and nothing besides."""
        domain, cell = self.structure.problem.domain, variable("c", CELL)
        limits = [(key, cell, bound) for key, bound in domain.limit_terms]
        limits += [(each, of, bound) for of, each, bound in domain.distinct_terms]
        for key, counted, bound in limits:
            keys, values = (
                [query.read(term, {"c": x}) for x in records] for term in (key, counted)
            )
            new = [
                logic.And(*(logic.Not(equal(value, before)) for before in values[:n]))
                for n, value in enumerate(values)
            ]
            for mine in keys:
                total = logic.IntVal(0)
                for other, is_new in zip(keys, new, strict=True):
                    here = logic.And(is_new, equal(mine, other))
                    total = logic.plus(total, logic.If(here, 1, 0))
                yield total <= query.read(bound)
