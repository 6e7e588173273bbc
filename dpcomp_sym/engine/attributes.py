"""What a formula reads of a record."""

from __future__ import annotations

from dpcomp_sym.model import Domain
from dpcomp_sym.terms import CELL, Term, variable

__all__ = ["attributes_read"]


def attributes_read(domain: Domain, term: Term) -> frozenset[str]:
    """Return the attributes of the cell on which a term depends.

    >>> from dpcomp_sym.terms import parse
    >>> owned = Domain({"id": "R", "owner": "U"}, {"house": (["U"], "H"), "f": (["cell"], "H")})
    >>> scope = owned.scope().having({"c": CELL})
    >>> sorted(attributes_read(owned, parse("house(owner(c))", scope)))
    ['owner']
    >>> sorted(attributes_read(owned, parse("f(c)", scope)))
    ['id', 'owner']
    """
    if term.op == "attr" and term.terms[0] == variable("c", CELL):
        return frozenset({term.name})
    if term.op == "var" and term.sort == CELL:
        return frozenset(domain.attributes)
    return frozenset[str]().union(*(attributes_read(domain, inner) for inner in term.terms))
