"""Comparisons of quotients by numbers, said without dividing.

A solver gives each quotient an unknown of its own.  Compared with anything it needs none: with
n > 0, x // n <= t is x < n*(t + 1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from dpcomp_sym.terms.term import BOOL, INT, Term, integer

__all__ = ["without_quotients"]

_TURNED: Final = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


@lru_cache(maxsize=20_000)
def without_quotients(term: Term) -> Term:
    """Return a formula that means the same, in which no quotient by a number is compared.

    >>> from dpcomp_sym.terms.parse import Scope, parse
    >>> from dpcomp_sym.terms.render import to_text
    >>> scope = Scope(variables={"x": "int", "i": "int"})
    >>> to_text(without_quotients(parse("x // 7 == i", scope)))
    'x >= 7*i and x < 7*i + 7'
    >>> to_text(without_quotients(parse("3 > x // 2", scope)))
    'x < 6'
    """
    if not term.terms:
        return term
    parts = tuple(without_quotients(a) if isinstance(a, Term) else a for a in term.args)
    found = Term(term.op, parts, term.sort)
    if term.op not in _TURNED:
        return found
    left, right = found.terms
    if _divisor(left) is not None:
        return _compared(term.op, left, right)
    return found if _divisor(right) is None else _compared(_TURNED[term.op], right, left)


def _divisor(term: Term) -> int | None:
    """Return by which number a quotient is divided; None if it is none by a positive one."""
    by = term.terms[1] if term.op == "div" else None
    return by.number if by is not None and by.op == "int" and by.number > 0 else None


def _compared(op: str, quotient: Term, other: Term) -> Term:
    """Compare a quotient with something else; the same is said of what is divided."""
    number, by = quotient.terms
    first = _times(by, other)
    following = _plus(first, by)
    reached = Term("ge", (number, first), BOOL)
    passed = Term("ge", (number, following), BOOL)
    match op:
        case "ge":
            return reached
        case "gt":
            return passed
        case "lt":
            return Term("lt", (number, first), BOOL)
        case "le":
            return Term("lt", (number, following), BOOL)
        case "eq":
            return Term("and", (reached, Term("lt", (number, following), BOOL)), BOOL)
        case _:
            return Term("or", (Term("lt", (number, first), BOOL), passed), BOOL)


def _times(number: Term, term: Term) -> Term:
    if term.op == "int":
        return integer(number.number * term.number)
    return Term("mul", (number, term), INT)


def _plus(term: Term, number: Term) -> Term:
    if term.op == "int":
        return integer(term.number + number.number)
    return Term("add", (term, number), INT)
