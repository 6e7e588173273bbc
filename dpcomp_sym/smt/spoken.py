"""Solver terms in the words of a question, and back: what paths of edits are written down with.

The words are the parameters of the outer edit and the records that the question names: ``x`` is a
record, ``x.owner`` its owner, ``.1`` the first record that has no other name.
"""

from __future__ import annotations

import json
from typing import Any

import z3

from dpcomp_sym.smt import logic
from dpcomp_sym.smt.pair import View
from dpcomp_sym.smt.query import GroundCell
from dpcomp_sym.terms import BOOL, CELL, INT, Term
from dpcomp_sym.terms.data import from_text, to_data_text
from dpcomp_sym.terms.term import integer, variable

__all__ = ["SpokenTerms"]


class SpokenTerms:
    """The words of a question about what a block sees, as it stands now."""

    def __init__(self, view: View) -> None:
        self.query = view.query
        self.signature = view.query.signature
        self.values: dict[str, Any] = {}
        self.sorts: dict[str, str] = {}
        self._said: dict[int, tuple[Term, Any]] = {}
        self._cells: list[tuple[GroundCell, Term]] = []
        pair, image = view.pair, view.mapping.image
        outer = tuple(view.query.domain.attribute_sorts.items())
        seen = outer if image is None else tuple((a, t.sort) for a, t in image)
        self._shapes = [tuple(s for _, s in shape) for shape in (outer, seen)]
        for name, sort in pair.edit.params:
            self._name(name, pair.params[name], sort, outer)
        pools = [(view.query.cells, outer), *([(view.cells, seen)] if image is not None else [])]
        for cells, shape in pools:
            for cell in cells:
                if not any(cell is known for known, _ in self._cells):
                    self._name(logic.path("", len(self._cells)), cell, CELL, shape)
        for name, value in view.query.symbols.items():
            self._name(name, value, INT, ())

    def _name(self, name: str, value: Any, sort: str, shape: tuple[tuple[str, str], ...]) -> None:
        self.values[name], self.sorts[name] = value, sort
        if sort != CELL:
            self._said.setdefault(value.get_id(), (variable(name, sort), value))
            return
        self._cells.append((value, variable(name, CELL)))
        for (attribute, kind), part in zip(shape, value, strict=True):
            inner = logic.path(name, attribute)
            self.values[inner], self.sorts[inner] = part, kind
            self._said.setdefault(part.get_id(), (variable(inner, kind), part))

    # ------------------------------------------------------------- into words

    def words(self, value: Any, sort: str) -> Any:
        """Return a solver term in words, as plain data; None if something in it has no name."""
        said = self._term(value, sort)
        return None if said is None else json.loads(to_data_text(said))

    def _term(self, value: Any, sort: str) -> Term | None:
        if isinstance(value, tuple):
            for cell, named in self._cells:
                if cell is value:
                    return named
            shape = next((s for s in self._shapes if len(s) == len(value)), ())
            return _over("tuple", [self._term(*p) for p in zip(value, shape, strict=True)], CELL)
        if value.get_id() in self._said:
            return self._said[value.get_id()][0]
        if z3.is_int_value(value):
            return integer(value.as_long())
        if z3.is_true(value) or z3.is_false(value):
            return Term("bool", (z3.is_true(value),), BOOL)
        for name, constant in self._constants(sort):
            if constant.eq(value):
                return Term("const", (name,), sort)
        if z3.is_add(value) and value.num_args() == 2:
            return _over("add", [self._term(a, INT) for a in value.children()], INT)
        return self._applied(value)

    def _constants(self, sort: str) -> list[tuple[str, Any]]:
        names = self.signature.domain.enumerations.get(sort, ())
        return [(name, self.signature.constant(name, sort)) for name in names]

    def _applied(self, value: Any) -> Term | None:
        for name, (arguments, result) in self.signature.signatures.items():
            if value.num_args() and value.decl().eq(self.signature.function(name).declaration):
                rest, inner = list(value.children()), list[Term | None]()
                for sort in arguments:
                    count = len(self._shapes[0]) if sort == CELL else 1
                    taken, rest = rest[:count], rest[count:]
                    inner.append(self._term(self._cell(taken) if sort == CELL else taken[0], sort))
                return _over("apply", inner, result, name)
        return None

    def _cell(self, parts: list[Any]) -> GroundCell:
        for cell, _ in self._cells:
            if len(cell) == len(parts) and all(a.eq(b) for a, b in zip(cell, parts, strict=True)):
                return cell
        return tuple(parts)

    # ------------------------------------------------------------- and back

    def value(self, words: Any, sort: str) -> Any:
        """Return what words stand for.

        Raises:
            ValueError: they are none of this question, or of another sort.
        """
        term = from_text(json.dumps(words, separators=(",", ":")))
        if not self._fits(term) or term.sort != sort:
            raise ValueError(f"no term of this question: {str(words)[:60]}")
        return self.query.read(term, self.values)

    def _fits(self, term: Term) -> bool:
        """Return whether a term has but names of this question, and sorts that are right."""
        if not all(map(self._fits, term.terms)):
            return False
        inner = tuple(t.sort for t in term.terms)
        match term.op:
            case "var":
                return self.sorts.get(term.name) == term.sort
            case "int" | "bool":
                return term.sort == {"int": INT, "bool": BOOL}[term.op]
            case "const":
                return term.name in self.signature.domain.enumerations.get(term.sort, ())
            case "add":
                return inner == (INT, INT) and term.sort == INT
            case "tuple":
                return inner in self._shapes and term.sort == CELL
            case "apply":
                return self.signature.signatures.get(term.name) == (inner, term.sort)
            case _:
                return False


def _over(op: str, inner: list[Term | None], sort: str, *named: str) -> Term | None:
    known = [t for t in inner if t is not None]
    return Term(op, (*named, *known), sort) if len(known) == len(inner) else None
