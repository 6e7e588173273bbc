"""Neighbours that are written down as terms: what all kinds of them have in common.

Each claim is a question that must be impossible.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.integers import replaced
from dpcomp_sym.engine.together.find import (
    ChangeCondition,
    Finder,
    function_of,
    index_variable,
)
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import Number
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.query import GroundCell, equal
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import (
    BOOL,
    FALSE,
    INT,
    Term,
    free_variables,
    subterms,
    variable,
)

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Placing", "in_range", "of_one_value"]


@dataclass
class Placing:
    """Neighbours for all integers with facts: their records in all blocks with the conditions."""

    structure: Structure
    finder: Finder
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]]
    facts: s.Predicate
    shared: frozenset[str] = frozenset()
    comes: bool | None = False
    """Whether records come, and none leave; None if some come and others leave."""
    ample: frozenset[tuple[Term, Term]] = frozenset()
    """Limits that leave room for all records there are: they tie none together."""

    def started(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about integers with the facts, and what the parameters are."""
        raise NotImplementedError

    def query(self) -> tuple[Query, dict[str, Any]]:
        """Return a question about the integers of the edit, and what its parameters are."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        return query, {}

    def never(self, query: Query) -> bool:
        """Return whether what is asked is impossible."""
        return self.structure.unsat(query)

    def good(self, query: Query, cell: GroundCell) -> list[Any]:
        """Return that a tuple is a cell, as the class and the maps say."""
        maps = [f for m, _ in self.conditions for f in m.facts]
        here = {"c": cell}
        said = [self.structure.problem.domain.cell_term, *self.facts_of_class(), *maps]
        return [query.read(term, here) for term in said]

    def facts_of_class(self) -> Sequence[Term]:
        """Return what the class says that is to hold of each record."""
        return self.structure.problem.domain.fact_terms

    def tied(
        self, query: Query, one: GroundCell, other: GroundCell, *, always: bool = False
    ) -> Any:
        """Return that two cells are different, and that some limit counts both.

        ``always``: also one that leaves room for all records there are.
        """
        domain = self.structure.problem.domain
        ample = frozenset[tuple[Term, Term]]() if always else self.ample
        same = [
            equal(query.read(key, {"c": one}), query.read(key, {"c": other}))
            for key, bound in domain.limit_terms if (key, bound) not in ample
        ]  # fmt: skip
        for of, each, bound in domain.distinct_terms:
            if (each, bound) in ample:
                continue
            alike = equal(query.read(each, {"c": one}), query.read(each, {"c": other}))
            value = equal(query.read(of, {"c": one}), query.read(of, {"c": other}))
            same.append(logic.And(alike, logic.Not(value)))
        return logic.And(logic.Not(equal(one, other)), logic.Or(*same))

    def is_of_members_alone(self, name: str, facts: Sequence[Term] | None = None) -> bool:
        """Return whether nothing but the members of maps reads a function, nor these facts of maps.

        Without facts: none of all those that there are.
        """
        edit, domain = self.finder.edit, self.structure.problem.domain
        of_maps = [f for m, _ in self.conditions for f in m.facts] if facts is None else facts
        read = [
            edit.guard, edit.step, edit.frame or FALSE, *(d for _, d in edit.change),
            domain.cell_term, *self.facts_of_class(), *of_maps,
            *(x for row in (*domain.limit_terms, *domain.distinct_terms) for x in row),
        ]  # fmt: skip
        return not any(x.op == "apply" and x.args[0] == name for t in read for x in subterms(t))

    def functions_are_any(self) -> bool:
        """Prove that no two of the values that are chosen are of the same arguments."""
        return all(
            self.differ(one, other)
            for one, other in itertools.combinations_with_replacement(self.values_chosen(), 2)
            if one.args[0] == other.args[0]
        )

    def values_chosen(self) -> Sequence[Term]:
        """Return the integers that are values of functions, which are chosen for each argument."""
        return [x for x in self.finder.letters if function_of(x)]

    def differ(self, one: Term, other: Term) -> bool:
        """Prove that a function has different arguments for two letters, or other indices."""
        query, params = self.started()
        taken = []
        for letter in (one, other):
            indices = {index_variable(n).name: query.fresh(INT, "i") for n in function_of(letter)}
            taken.append((self.arguments(query, letter, params | indices), [*indices.values()]))
        (first, here), (second, there) = taken
        query.add(equal(first, second))
        if one is other:
            query.add(logic.Not(equal(tuple(here), tuple(there))))
        return self.never(query)

    def arguments(self, query: Query, letter: Term, names: dict[str, Any]) -> tuple[Any, ...]:
        """Return what a function is applied to; of a record all its attributes."""
        values = [query.read(x, names) for x in self.finder.named(letter).terms]
        return tuple(y for x in values for y in (x if isinstance(x, tuple) else (x,)))

    def leaves_names(
        self, edit: BoundEdit, read: Sequence[Term], number: Number | None = None
    ) -> bool:
        """Return whether nothing looks at some attribute, which may have so many values.

        Neither what is read, nor the edit, nor what the class says of records.  Without a number:
        any number of values.
        """
        domain = self.structure.problem.domain
        of_edit = (edit.frame or FALSE, edit.guard, edit.step)
        every = (*read, *of_edit, domain.cell_term, *domain.fact_terms)
        seen = frozenset[str]().union(*(attributes_read(domain, x) for x in every))
        listed = {BOOL: 2, **{sort: len(names) for sort, names in domain.enumerations.items()}}
        return any(
            a not in seen
            and (sort not in listed or (isinstance(number, int) and number <= listed[sort]))
            for a, sort in domain.attribute_sorts.items()
        )

    def roomy(self, least: int) -> bool:
        """Prove that every limit leaves room for so many records."""
        for _, bound in self.structure.problem.domain.sufficient_limits:
            query, _ = self.query()
            query.add(query.read(bound) < least)
            if not self.never(query):
                return False
        return True


def of_one_value(fact: Term) -> bool:
    """Return whether a fact is about one value of a function, and nothing else of a record.

    >>> from dpcomp_sym.terms import INT, Term, variable
    >>> from dpcomp_sym.terms.term import integer
    >>> label = Term("apply", ("h", variable("c", "cell")), INT)
    >>> [of_one_value(Term("le", (integer(1), x), "bool")) for x in (label, variable("c", INT))]
    [True, False]
    """
    applied = {x for x in subterms(fact) if x.op == "apply"}
    if len(applied) != 1:
        return False
    (value,) = applied
    said = replaced(fact, value, variable("edit.value", value.sort))
    return "c" not in free_variables(said)


def in_range(query: Query, mapping: BoundMap, block: Sequence[Any]) -> list[Any]:
    """Return that a map has a block with these numbers."""
    tops = [query.symbols[n] if isinstance(n, str) else logic.IntVal(n)
            for _, n in mapping.indices]  # fmt: skip
    return [logic.And(b >= 1, b <= top) for b, top in zip(block, tops, strict=True)]
