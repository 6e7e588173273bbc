"""Whether any block of a family can be in the place of any other, if all values are shifted.

Where formulas look at days only by how far they are apart, as in ``abs(day(x) - day(y)) <= w``,
and the blocks of a map are days or weeks, ``day(c) // 7 == i``, then neighbours whose days are all
a week later are neighbours, at the same distances, and what was in block i is in block i + 1.  So
what neighbours do to one block, others do to any.  (Blocks do not stay apart as far as one likes:
nothing follows about two of them.)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Final

from dpcomp_sym.engine.renumbering import keys
from dpcomp_sym.model import BoundEdit, BoundMap, Problem
from dpcomp_sym.terms import CELL, INT, Term, subterms

__all__ = ["blocks_can_be_shifted"]

MOST_TRIED: Final = 64
Shift = int | None
"""By how much a term changes if values are shifted; None if that is not the same everywhere."""


def blocks_can_be_shifted(problem: Problem, mapping: BoundMap) -> bool:
    """Return whether a problem stays the same when what is in block i is put in block i + 1.

    Args:
        problem: the whole problem: each formula of it must be the same for shifted values.
        mapping: a family that one of its parts reads; so it must be of each of its indices, with
            the others as they are.

    >>> from dpcomp_sym.model import Domain
    >>> from dpcomp_sym.spec import load_spec
    >>> for guard in ("abs(day(x) - day(y)) <= 3", "day(x) <= 3"):
    ...     spec = f'''
    ...         [domain]
    ...         attributes = {{ id = "Person", day = "int" }}
    ...         [[granularity.edit]]
    ...         params = {{ x = "cell", y = "cell" }}
    ...         guard = "D[x] >= 1 and {guard}"
    ...         change = {{ x = -1, y = 1 }}
    ...         [[map]]
    ...         name = "weeks"
    ...         index = {{ i = "k" }}
    ...         member = "day(c) // 7 == i"
    ...         [[part]]
    ...         name = "M"
    ...         map = "weeks"
    ...         guarantee = {{ pure = "eps" }}'''
    ...     problem = load_spec(spec).problem
    ...     blocks_can_be_shifted(problem, problem.used_maps["weeks"])
    True
    False
    """
    if not mapping.indices or any(m.image is not None for m in problem.used_maps.values()):
        return False
    labels = _labels(mapping.member)
    return all(
        any(_holds(problem, mapping, label, index) for label in labels)
        for index, _ in mapping.indices
    )


def _labels(member: Term) -> list[tuple[str, str]]:
    """Return the functions of records to integers in a term."""
    found = {
        (t.op, t.name)
        for t in subterms(member)
        if t.op in ("attr", "apply") and t.sort == INT and len(t.terms) == 1
    }
    return sorted(found)


def _holds(problem: Problem, mapping: BoundMap, label: tuple[str, str], index: str) -> bool:
    edits = _edits(problem)
    inside = {t for edit in edits for t in edit.terms}
    others = [f for f in problem.formulas(beside=mapping.name) if f not in inside]
    counted = list(keys(problem))
    whole = [mapping.member, *others, *counted, *inside]
    width = math.lcm(*(
        t.terms[1].number for term in whole for t in subterms(term)
        if t.op in ("div", "mod") and t.terms[1].op == "int" and t.terms[1].number > 0
    ))  # fmt: skip
    places = problem.domain.positions

    def shift(term: Term, by: Mapping[str, int]) -> Shift:
        return _shift(term, label, width, places, by)

    def alike(term: Term, by: Mapping[str, int]) -> bool:
        return shift(term, by) == 0

    return (
        alike(mapping.member, {index: 1})
        and all(alike(term, {}) for term in others)
        and all(shift(key, {}) is not None for key in counted)
        and all(
            any(all(alike(t, by) for t in edit.terms) for by in _choices(edit, width))
            for edit in edits
        )
    )


def _edits(problem: Problem) -> list[BoundEdit]:
    granularities = (problem.outer, *(p.granularity for p in problem.bound_parts))
    return [edit for granularity in granularities for edit in granularity.edits]


def _choices(edit: BoundEdit, width: int) -> Iterator[dict[str, int]]:
    """Yield by how much the integers that an edit names may be shifted with the values."""
    named = [name for name, sort in edit.params if sort == INT]
    divisors = [width // n for n in range(1, width + 1) if width % n == 0]
    choices = itertools.product((0, *divisors), repeat=len(named))
    for chosen in itertools.islice(choices, MOST_TRIED):
        yield dict(zip(named, chosen, strict=True))


def _shift(
    term: Term, label: tuple[str, str], width: int, places: Mapping[str, int],
    by: Mapping[str, int],
) -> Shift:  # fmt: skip
    """Return by how much a term changes if the values of a function grow by ``width``.

    Variables grow as ``by`` says.  Of what is no integer 0 says that it stays as it is.
    """
    inner = [_shift(t, label, width, places, by) for t in term.terms]
    if None in inner:
        return None
    known = [n for n in inner if n is not None]
    match term.op:
        case "int" | "bool" | "const":
            return 0
        case "var":
            return by.get(term.name, 0)
        case "apply" | "attr" if (term.op, term.name) == label:
            return width if not any(known) else None
        case "tuple" if term.sort == CELL and label[0] == "attr":
            own = places.get(label[1])
            wanted = [width if n == own else 0 for n in range(len(known))]
            return 0 if known == wanted else None
        case "add":
            return sum(known)
        case "sub":
            return known[0] - sum(known[1:])
        case "neg":
            return -known[0]
        case "mul":
            return _times(term, known)
        case "div" | "mod":
            return _divided(term, known)
        case "ite":
            return known[1] if known[0] == 0 and known[1] == known[2] else None
        case "eq" | "ne" | "lt" | "le" | "gt" | "ge":
            return 0 if len(set(known)) == 1 else None
        case "at" | "size" | "apply" | "attr" | "tuple" | "and" | "or" | "not" | "implies":
            return 0 if not any(known) else None
        case _:
            return None


def _times(term: Term, known: list[int]) -> Shift:
    """Return the shift of a product: of a number and a term, or of what stays as it is."""
    if not any(known):
        return 0
    numbers = [t.number for t in term.terms if t.op == "int"]
    rest = [n for t, n in zip(term.terms, known, strict=True) if t.op != "int"]
    return math.prod(numbers) * rest[0] if len(rest) == 1 else None


def _divided(term: Term, known: list[int]) -> Shift:
    """Return the shift of a quotient or a remainder by a number."""
    if not any(known):
        return 0
    by = term.terms[1]
    if by.op != "int" or by.number <= 0 or known[0] % by.number:
        return None
    return known[0] // by.number if term.op == "div" else 0
