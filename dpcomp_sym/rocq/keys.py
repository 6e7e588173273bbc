"""What the records of a frame share: the values that a limit's key has at all of them."""

from __future__ import annotations

from collections.abc import Iterator

from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.rocq.names import of_spec
from dpcomp_sym.rocq.terms import RocqTerms, value
from dpcomp_sym.terms import CELL, TRUE, Term, conjuncts, free_variables

__all__ = ["APART", "values_of_key"]

APART = "try (injection key; clear key; intros)"
"""A tactic: that a key of several terms has a value says it of each of them."""


def values_of_key(edit: BoundEdit, key: Term) -> Iterator[str]:
    """Yield what a limit's key can be at all records of a frame, as terms of Rocq.

    A key of one term can be any parameter of its sort: a tactic finds whether it is.  One of
    several terms is known where the frame says of each of them that it is a parameter or constant.
    """
    if key.op != "tuple":
        yield from (of_spec(name) for name, sort in edit.params if sort == key.sort)
        return
    known: dict[Term, str] = {}
    for fact in conjuncts(edit.frame or TRUE):
        if fact.op == "eq":
            for one, other in (fact.terms, fact.terms[::-1]):
                if one.sort != CELL and "c" not in free_variables(other):
                    known.setdefault(one, value(other, RocqTerms()))
    if known.keys() >= {*key.terms}:
        yield f"({', '.join(known[term] for term in key.terms)})"
