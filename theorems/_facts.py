"""What the engine decides and the kernel derives about one problem, in words made from it.

Nothing is written by hand between the problem and what is shown of it: the question is that of a
condition of the engine, and what it is about is the problem itself, as data.  So the words cannot
come apart from what was decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.derive import Derivation, derive
from dpcomp_sym.engine import Condition, Proved, Structure, conditions
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.model import (
    Domain,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.model.serial import problem_to_json
from theorems._entry import Asked, Computed, Fallen

__all__ = [
    "asked",
    "bounded_by",
    "composed",
    "examined",
    "in_words",
    "neighbours",
    "posed",
    "records",
]


def records(**more: Any) -> Domain:
    """Return the class of all databases over any universe of records."""
    return Domain({"id": "Record"}, **more)


def posed(
    granularity: str | Granularity,
    mapping: str | Map,
    setting: Any = "separate",
    domain: Domain | None = None,
    inner: InnerClass | None = None,
    **arguments: Any,
) -> Problem:
    """Pose one mechanism for each block of a map."""
    if isinstance(granularity, str):
        granularity = library_granularity(granularity)
    if isinstance(mapping, str):
        mapping = library_map(mapping, name="p", **arguments)
    part = Part("M", mapping.name, setting=setting, inner=inner)
    return Problem(domain or records(), granularity, [mapping], [part])


# ------------------------------------------------------------------ words


def in_words(problem: Problem) -> dict[str, str]:
    """Return what a problem says, all of it that is not empty.

    >>> in_words(posed("unbounded", "identity"))["granularity"]
    'name: unbounded; group: 1; edits: params: x cell, guard: true, change: x 1, step: true'
    """
    data = problem_to_json(problem)
    return {name: _said(value) for name, value in data.items() if value}


def _said(value: Any, between: str = "; ") -> str:
    if isinstance(value, Mapping):
        kept = {name: one for name, one in value.items() if not _is_empty(one) and name != "symbol"}
        return between.join(f"{name}: {_said(one, ', ')}" for name, one in kept.items())
    if isinstance(value, list):
        mark = " " if all(isinstance(one, str) for one in value) else ", "
        return mark.join(_said(one, mark) for one in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value in ("", [], {})


# ------------------------------------------------------------------ questions


def asked(problem: Problem, *names: str) -> tuple[Asked, ...]:
    """Ask the engine for conditions of a problem by name, such as "compatibility"."""
    found = conditions(Structure(problem))
    about = in_words(problem)
    return tuple(Asked(about, _question(found[name]), found[name].outcome) for name in names)


def _question(condition: Condition) -> str:
    """Return the statement; with what it follows from, where it holds and no solver was asked."""
    asked_nobody = isinstance(condition.outcome, Proved) and not condition.outcome.scripts
    return f"{condition.statement}: {condition.note}" if asked_nobody else condition.statement


def examined(problem: Problem, text: str) -> Asked:
    """Ask for a property of all neighbours D and E, such as "size(D) == size(E)"."""
    found = examine(problem, text)
    return Asked(in_words(problem), found.statement, found.outcome)


def neighbours(problem: Problem) -> Asked:
    """Ask whether there are two different neighbours at all."""
    question = "there are two different neighbours"
    return Asked(in_words(problem), question, Structure(problem).vacuity)


# ------------------------------------------------------------------ theorems


def composed(problem: Problem, *notions: str) -> tuple[k.Theorem, ...]:
    """Derive what a composition guarantees, as theorems of the kernel about this problem.

    Raises:
        Fallen: there is no such theorem.
    """
    found = derive(problem)
    return tuple(_theorem(found, notion) for notion in notions)


def bounded_by(problem: Problem, bounds: Mapping[str, str]) -> tuple[k.Theorem | Computed, ...]:
    """Derive what a composition guarantees, and compare with the bounds that are stated."""
    found = derive(problem)
    texts = {bound.notion: bound.text for bound in found.bounds}
    return (
        *(_theorem(found, notion) for notion in bounds),
        Computed(bounds, {notion: texts[notion] for notion in bounds}),
    )


def _theorem(found: Derivation, notion: str) -> k.Theorem:
    if found.verdict != "proved" or notion not in found.theorems:
        raise Fallen(f"no {notion} guarantee is derived: {found.verdict}")
    return found.theorems[notion]


def named(theorem: k.Theorem) -> Iterator[tuple[str, str]]:
    """Yield the names in the statement of a theorem with their definitions in words, each once."""
    seen = set()
    for term in k.subterms(theorem.statement):
        detail = getattr(term, "detail", None)
        if isinstance(detail, str) and (name := getattr(term, "name", "")) not in seen:
            seen.add(name)
            yield name, _said(json.loads(detail))
