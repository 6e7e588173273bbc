"""Terms as plain data and back: exact, for names that cannot be typed, too."""

from __future__ import annotations

import json
from typing import Any, cast

from dpcomp_sym.errors import InputError
from dpcomp_sym.terms.term import Term

__all__ = ["from_text", "to_data_text"]

_LEAVES = {"var": str, "const": str, "int": int, "bool": bool}
_NAMED = ("attr", "apply", "at", "size")


def to_data_text(term: Term) -> str:
    """Return a term as one line of JSON.

    >>> from dpcomp_sym.terms.term import INT, variable
    >>> to_data_text(Term("add", (variable("t", INT), Term("int", (1,), INT)), INT))
    '["add","int",["var","int","t"],["int","int",1]]'
    """
    return json.dumps(_data(term), separators=(",", ":"))


def _data(term: Term) -> list[Any]:
    return [term.op, term.sort, *(_data(a) if isinstance(a, Term) else a for a in term.args)]


def from_text(text: str) -> Term:
    """Return the term that :func:`to_data_text` wrote.

    Raises:
        InputError: it is not such a text.

    >>> from_text('["var","int","t"]').name
    't'
    """
    try:
        term = _term(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"no term: {text[:60]}") from error
    if to_data_text(term) != text:
        raise InputError(f"no term as it is written: {text[:60]}")
    return term


def _term(data: Any) -> Term:
    if type(data) is not list or len(data) < 2 or any(type(x) is not str for x in data[:2]):
        raise ValueError("no term")
    op, sort, *args = data
    if op in _LEAVES:
        (value,) = args
        if type(value) is not _LEAVES[op]:
            raise ValueError("no leaf")
        return Term(op, (cast("str | int | bool", value),), sort)
    named = op in _NAMED
    if named and (not args or type(args[0]) is not str):
        raise ValueError("no name")
    inner = [_term(x) for x in args[named:]]
    return Term(op, (*args[:named], *inner), sort)
