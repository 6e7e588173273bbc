"""Two programs print each bound: the writer of derivations, and that of the replay.

They share nothing but the grammar, so that a factor that one of them loses is noticed wherever a
certificate is written or verified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.replay import RejectedError
from dpcomp_sym.statements import Expr, from_json

__all__ = ["compare", "stated"]

Texts = tuple[str, ...]


def compare(bounds: Mapping[str, Sequence[Expr]], replayed: Mapping[str, Texts]) -> None:
    """Compare bounds as they are printed with what the replay prints of its own terms, by notion.

    Raises:
        RejectedError: a bound is printed in two ways.

    >>> from dpcomp_sym.statements import Param
    >>> compare({"pure": (Param("eps"),)}, {"pure": ("2*eps",)})
    Traceback (most recent call last):
    dpcomp_sym.replay.terms.RejectedError: the pure bound is printed as eps, and replayed as 2*eps
    """
    if set(bounds) != set(replayed):
        raise RejectedError("the bounds are not those that were replayed")
    for notion, guarantee in bounds.items():
        printed = tuple(e.text() for e in guarantee)
        if printed != replayed[notion]:
            both = f"{', '.join(printed)}, and replayed as {', '.join(replayed[notion])}"
            raise RejectedError(f"the {notion} bound is printed as {both}")


def stated(data: Mapping[str, Any]) -> dict[str, tuple[Expr, ...]]:
    """Return the bounds that a verified certificate states, by notion."""
    found = {}
    for conclusion in data["conclusions"]:
        statement = _whole(data["steps"][conclusion["step"] - 1]["statement"], data["terms"])
        guarantee = _whole(statement["loss"], data["terms"])["guarantee"]
        terms = (from_json(_expanded(e, data["terms"])) for e in guarantee)
        found[conclusion["notion"]] = tuple(e for e in terms if isinstance(e, Expr))
    return found


def _whole(data: Any, terms: Sequence[Any]) -> Any:
    """Follow a reference to the table of terms."""
    while isinstance(data, dict) and set(data) == {"ref"}:
        data = terms[data["ref"]]
    return data


def _expanded(data: Any, terms: Sequence[Any]) -> Any:
    """Put the terms of the table in the place of all references to them."""
    data = _whole(data, terms)
    if isinstance(data, list):
        return [_expanded(d, terms) for d in data]
    if isinstance(data, dict):
        return {name: _expanded(value, terms) for name, value in data.items()}
    return data
