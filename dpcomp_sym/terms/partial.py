"""Terms in which some variables are known numbers: what that decides is left out."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from dpcomp_sym.terms.term import BOOL, FALSE, TRUE, Term, conjunction, integer

__all__ = ["specialised"]

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
_OPERATIONS: Final[dict[str, Callable[..., int]]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg,
}  # fmt: skip


@lru_cache(maxsize=20_000)
def specialised(term: Term, numbers: tuple[tuple[str, int], ...]) -> Term:
    """Return a term that means the same for these numbers, and may be shorter.

    >>> from dpcomp_sym.terms.parse import Scope, parse
    >>> from dpcomp_sym.terms.render import to_text
    >>> scope = Scope(variables={"i": "int", "x": "int"})
    >>> term = parse("i == 1 and x < 3 or i == 2 and x < i + 4", scope)
    >>> to_text(specialised(term, (("i", 2),)))
    'x < 6'
    """
    if term.op == "var":
        known = dict(numbers)
        return integer(known[term.name]) if term.name in known else term
    if not term.terms:
        return term
    parts = tuple(specialised(a, numbers) if isinstance(a, Term) else a for a in term.args)
    found = Term(term.op, parts, term.sort)
    inner = found.terms
    if term.op in ("and", "or"):
        return _joined(term.op, inner)
    if term.op == "not" and inner[0] in (TRUE, FALSE):
        return FALSE if inner[0] == TRUE else TRUE
    if term.op == "ite" and inner[0] in (TRUE, FALSE):
        return inner[1] if inner[0] == TRUE else inner[2]
    if term.op in _COMPARISONS and inner[0] == inner[1]:
        return TRUE if _COMPARISONS[term.op](0, 0) else FALSE
    if any(t.op != "int" for t in inner):
        return found
    if term.op in _COMPARISONS:
        return TRUE if _COMPARISONS[term.op](*(t.number for t in inner)) else FALSE
    if term.op in _OPERATIONS:
        return integer(_OPERATIONS[term.op](*(t.number for t in inner)))
    return found


def _joined(op: str, terms: tuple[Term, ...]) -> Term:
    if op == "and":
        return FALSE if FALSE in terms else conjunction(terms)
    if TRUE in terms:
        return TRUE
    left = tuple(t for t in terms if t != FALSE)
    if not left:
        return FALSE
    return left[0] if len(left) == 1 else Term("or", left, BOOL)
