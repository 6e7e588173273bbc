"""The databases at which a bound is attained: for all numbers of the symbols, as mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dpcomp_sym.engine.worst import (
    PlacedCells,
    PlacedPair,
)
from dpcomp_sym.numbers.bound import box_of
from dpcomp_sym.profile import KRange, Profile
from dpcomp_sym.report.document import Block, Items, Paragraph, capital, listed
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.report.worst_pairs import Telling
from dpcomp_sym.statements import Connected
from dpcomp_sym.statements.integers import LATEX_SIGNS, TRUE, Naming
from dpcomp_sym.statements.latex import latex_name, latex_ranges
from dpcomp_sym.terms import CELL, INT, Term, free_variables, subterms
from dpcomp_sym.terms.term import variable

__all__ = ["attaining_pairs"]

_LONG: Final = 44
"""Formulas with more characters break too seldom for lines of one width."""


def attaining_pairs(profile: Profile, notation: Notation) -> list[Block]:
    """Return the neighbours that attain the cases of a profile; nothing if some are not known."""
    if not profile.cases or not all(case.worst for case in profile.cases):
        return []
    if not profile.renumbered:
        return []  # for each block there are others: their values are shifted, and not written
    renumbered = {m.name for m in profile.maps if m.exchangeable and len(m.indices) == 1}
    told: list[tuple[tuple[KRange, ...], tuple[str, ...]]] = []
    for ranges, pairs in (entry for case in profile.cases for entry in case.worst):
        said = [
            placed_pair(pair, notation) if isinstance(pair, PlacedPair)
            else Telling(notation, pair, ranges, renumbered).said()
            for pair in pairs
        ]  # fmt: skip
        if not said or None in said:
            return []
        rows = tuple(dict.fromkeys(x for x in said if x))
        before = told[-1] if told else None
        whole = _joined(before[0], ranges) if before is not None and before[1] == rows else None
        if whole:
            told.pop()
        told.append((whole or ranges, rows))
    return _listed([
        f"For ${latex_ranges(box_of(ranges))}$, {one}" if box_of(ranges) else capital(one)
        for ranges, rows in told
        for one in rows
    ])  # fmt: skip


def _joined(first: tuple[KRange, ...], second: tuple[KRange, ...]) -> tuple[KRange, ...] | None:
    """Return two neighbouring ranges of one size as one, None if they are no such thing."""
    changed = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(changed) != 1:
        return None
    ((low, high),) = changed
    if low.high is None or low.high + 1 != high.low:
        return None
    whole = replace(low, high=high.high)
    return tuple(whole if r == low else r for r in first)


def _listed(told: Sequence[str]) -> list[Block]:
    paragraphs = [Paragraph(one, ragged=_has_long_formulas(one)) for one in told]
    return [*paragraphs] if len(told) == 1 else [Items(tuple((one,) for one in paragraphs))]


def _has_long_formulas(text: str) -> bool:
    return max(map(len, text.split("$")[1::2]), default=0) > _LONG


# ------------------------------------------------------------------ written down as terms


def placed_pair(pair: PlacedPair, notation: Notation) -> str | None:
    """Return neighbours whose records are written down as terms."""
    letters = [notation.formula(x) for x in pair.letters]
    where = f"let {free} be arbitrary; then " if (free := _arbitrary(pair, notation)) else ""
    if letters:
        naming = Naming(LATEX_SIGNS, latex_name, letters)
        match pair.facts:
            case Connected("and", facts):
                said = listed([f"${naming.predicate(fact)}$" for fact in facts])
            case fact:
                said = f"${naming.predicate(fact)}$"
        with_facts = f" with {said}" if said else ""
        chosen = listed([f"${x}$" for x in _chosen(pair, notation)])
        also = f", and {free} arbitrary" if free else ""
        where = f"let {chosen}{with_facts} be such that the maximum is attained{also}; then "
    if pair.edit.frame is None:
        return where + _points(pair, notation)
    each = [_cells(cells, pair, letters, notation) for cells in pair.cells]
    full, empty = ("D^*", "D") if pair.comes else ("D", "D^*")
    records = "; and ".join(each) if any(";" in one for one in each) else listed(each)
    return f"{where}${full}$ holds {records}, and ${empty} = \\emptyset$."


def _arbitrary(pair: PlacedPair, notation: Notation) -> str:
    """Return the parameters of the edit that records share, whatever they are."""
    said = {n for cells in pair.cells for _, new in cells.values for n in free_variables(new)}
    told = {n for letter in pair.letters for n in free_variables(letter)}
    names = [n for n, _ in pair.edit.params if n in said - told]
    return listed([f"${notation.formula(variable(n, INT))}$" for n in names])


def _chosen(pair: PlacedPair, notation: Notation) -> list[str]:
    """Return what is chosen: the integers of the edit, without what is only added to them."""
    found: dict[Term, None] = {}
    for letter in pair.letters:
        parts = [t for t in subterms(letter) if t.op in ("var", "attr", "apply")]
        found |= dict.fromkeys(parts[:1] if letter.op not in ("var", "attr", "apply") else [letter])
    return [notation.formula(x) for x in found]


def _points(pair: PlacedPair, notation: Notation) -> str:
    sides: tuple[list[str], list[str]] = ([], [])
    for point, delta in pair.edit.change:
        sides[0 if delta.number < 0 else 1].append(latex_name(point))
    first, second = (rf"\{{{', '.join(x)}\}}" if x else r"\emptyset" for x in sides)
    said = f"$D = {first}$ and $D^* = {second}$"
    alike = [f"${latex_name(a)}$" for a in notation.problem.domain.attributes if a in pair.shared]
    if alike and len(pair.edit.change) > 1:
        said += f", with the same {listed(alike)}"
    return f"{said}."


def _cells(cells: PlacedCells, pair: PlacedPair, letters: Sequence[str], notation: Notation) -> str:
    domain = notation.problem.domain
    index = [latex_name(n) for n, _ in cells.map.indices]
    condition = Naming(LATEX_SIGNS, latex_name, letters, index).predicate(cells.condition)
    where = "" if cells.condition == TRUE else f"${condition}$"
    if index:
        within = f" with {where}" if where else ""
        each = f"for every ${', '.join(index)}${within} one record"
    else:
        each = f"if {where}, one record" if where else "one record"
    given = [f"${notation.formula(old)} = {notation.formula(new)}$" for old, new in cells.values]
    told = {old.name for old, _ in cells.values if old.op == "attr"}
    of_labels = {x for old, _ in cells.values if old.op == "apply" for x in old.terms}
    for a, sort in domain.attribute_sorts.items():
        if a in told:
            continue
        if sort == INT and Term("attr", (a, variable("c", CELL)), INT) not in of_labels:
            given.append(f"${latex_name(a)}(c) = 0$")
        elif sort == INT or (sort not in domain.enumerations and a not in pair.shared):
            given.append(f"a value of ${latex_name(a)}$ that no other record has")
    alike = [
        f"${latex_name(a)}$" for a, sort in domain.attribute_sorts.items()
        if a not in told and sort != INT and (a in pair.shared or sort in domain.enumerations)
    ]  # fmt: skip
    same = f"; all have the same {listed(alike)}" if alike and index else ""
    return f"{each} $c$ with {listed(given)}{same}" if given else f"{each}{same}"
