"""Reindex sums over cells shifted by an edit.

Where a step says that a cell holds what D holds at a cell with another number in an attribute,
``D[replace(c, position, position(c) - 1)]``, moving all cells by that number is a bijection s of
tuples.  For every set S of cells, the sum of a term t over all cells is

    sum over c of t(c) [c not in S]  +  sum over b of t(s⁻¹(b)) [s⁻¹(b) in S]

With S the cells of the frame that s leaves in the frame, what an insertion changes of a size is
what lies at the place of the insertion: all else is counted at its old place and falls out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.metrics.totals import CellCount
from dpcomp_sym.model import BoundEdit, Domain
from dpcomp_sym.smt import GroundCell, Pair, Query, logic
from dpcomp_sym.terms import CELL, INT, Term, free_variables, subterms, variable

__all__ = ["Moves", "offsets"]

CURRENT = variable("c", CELL)


def offsets(domain: Domain, edit: BoundEdit) -> tuple[Term | None, ...] | None:
    """Return what is added to each attribute of ``c`` for the cell that an edit's step reads."""
    for term in subterms(edit.step):
        if term.op == "at" and term.terms[0].op == "tuple":
            found = _offsets(domain, term.terms[0].terms)
            if found is not None and any(found):
                return found
    return None


class Moves:
    """The cells from which the edit of a pair takes what it writes, if it moves records along.

    Raises:
        ValueError: the edit moves nothing.
    """

    def __init__(self, pair: Pair) -> None:
        found, frame = offsets(pair.domain, pair.edit), pair.edit.frame
        if found is None or frame is None:
            raise ValueError("the edit moves nothing")
        self.pair, self.query = pair, pair.query
        self._added, self._frame = found, frame

    def change(self, counted: Term) -> CellCount | None:
        """Return a term that adds up to what the edit changes of the sum of ``counted``.

        ``counted`` reads the database E at ``c``; the term is one over the cells of X.
        """
        if not self._stays_inside(counted):
            return None
        zero = logic.IntVal(0)

        def changed(cell: GroundCell) -> Any:
            origin = self._shifted(cell, -1)
            read = logic.And(self.query.present(origin), self._inside(origin), self._inside(cell))
            stays = logic.And(self._inside(cell), self._inside(self._shifted(cell, 1)))
            here = logic.If(stays, zero, self._read(counted, cell, self.pair.new))
            there = logic.If(read, self._read(counted, origin, self.pair.new), zero)
            return here + there - self._read(counted, cell, self.pair.old)

        return changed

    def _read(self, counted: Term, cell: GroundCell, database: CellCount) -> Any:
        return self.query.read(counted, {"c": cell}, {"E": (database, None)})

    def _shifted(self, cell: GroundCell, sign: int) -> GroundCell:
        moved = tuple(
            value
            if by is None
            else logic.simplify(value + sign * self.query.read(by, self.pair.params))
            for value, by in zip(cell, self._added, strict=True)
        )
        return self.query.possible(moved)

    def _inside(self, cell: GroundCell) -> Any:
        names: Mapping[str, Any] = {**self.pair.params, "c": cell}
        return self.query.read(self._frame, names)

    def _stays_inside(self, counted: Term) -> bool:
        """Prove that nothing counts in a cell that would be filled from outside X."""
        other = Moves(Pair(Query(self.query.signature, self.pair.domain.symbol_terms),
                           self.pair.edit, ()))  # fmt: skip
        query, cell = other.query, other.query.cell("z")
        source = other._shifted(cell, 1)
        query.add(
            other._inside(cell), other._inside(source), logic.Not(query.present(source)),
            other._read(counted, cell, other.pair.new) != 0,
        )  # fmt: skip
        return bool(query.check() == logic.unsat)


def _offsets(domain: Domain, places: Sequence[Term]) -> tuple[Term | None, ...] | None:
    """Return the numbers by which a tuple differs from ``c``; None where it does otherwise."""
    found: list[Term | None] = []
    for (name, sort), place in zip(domain.attribute_sorts.items(), places, strict=True):
        own = Term("attr", (name, CURRENT), sort)
        if place == own:
            found.append(None)
            continue
        moved = place.op in ("add", "sub") and place.terms[0] == own and sort == INT
        if not moved or "c" in free_variables(place.terms[1]):
            return None
        by = place.terms[1]
        found.append(by if place.op == "add" else Term("neg", (by,), INT))
    return tuple(found)
