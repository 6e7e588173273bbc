"""Records that a list or a block must have: facts of databases without gaps, and first records.

Facts of records at hand say nothing of records that none of them names.  In a class where each of
the numbers 1, ..., |D| has exactly one record, there is one at each of these numbers; and of all
records that a block holds, one has the least number.  Both name a record that may be needed to say
how the block changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dpcomp_sym.smt import logic
from dpcomp_sym.smt.pair import Multiplicity, Pair, View, uses_size
from dpcomp_sym.smt.query import GroundCell, Said, ScriptSection
from dpcomp_sym.terms import INT, Term
from dpcomp_sym.terms.term import integer

__all__ = [
    "fill_list", "first_change", "first_record", "name_last_records", "name_record_at", "numbering",
]  # fmt: skip


def numbering(pair: Pair) -> Term | None:
    """Return the integer attribute whose values in each database are 1, ..., |D|, each once.

    So it is where each value has at most one record, and facts of the class bound it by the size:
    |D| records then have |D| different values among 1, ..., |D|.
    """
    for key, most in pair.domain.limit_terms:
        numbers = key.op == "attr" and key.sort == INT and most == integer(1)
        if numbers and pair.query.signature.once(("numbering", key), partial(_bounded, pair, key)):
            return key
    return None


def _bounded(pair: Pair, key: Term) -> bool | None:
    """Return whether the key of every record is proved to lie between 1 and the size."""
    query, domain = pair.query.beside(), pair.domain
    if not uses_size(*domain.fact_terms):
        return False
    cell, size = query.cell("r"), query.fresh(INT, "size")
    sorts = [query.signature.sort(s) for s in domain.attribute_sorts.values()]
    held = logic.SolverFunction(query.new("held"), *sorts, logic.IntSort())
    reading = {"D": (lambda c: held(*c), lambda: size)}
    query.add(query.read(domain.cell_term, {"c": cell}), held(*cell) >= 1)
    query.add(*[query.read(f, {"c": cell}, reading) for f in domain.fact_terms])
    value = query.read(key, {"c": cell})
    answer = query.check(logic.Or(value < 1, value > size))
    return None if answer == logic.unknown else bool(answer == logic.unsat)


def name_record_at(pair: Pair, key: Term, number: Any, *, new: bool) -> GroundCell:
    """Name the record that D, or E if ``new``, has at a number, if it has so many records."""
    query, at = pair.query, pair.new if new else pair.old
    cell = query.cell("at")
    there = logic.And(
        logic.compared("ge", number, 1), logic.compared("le", number, pair.size(new=new))
    )
    held = logic.And(query.read(key, {"c": cell}) == number, at(cell) == 1)
    query.add(Said(logic.Implies(there, held), ScriptSection.EDIT if new else ScriptSection.CLASS))
    return cell


def fill_list(pair: Pair, cell: GroundCell) -> None:
    """Name the records that D and E have at the number of a cell, in a list without gaps."""
    key = numbering(pair)
    if key is not None:
        number = pair.query.read(key, {"c": cell})
        for new in (False, True):
            name_record_at(pair, key, number, new=new)


def first_record(view: View, key: Term, *, new: bool) -> GroundCell:
    """Name a record with the least number of all that a block holds, if it holds any.

    A set of integers that is not empty, and finite, has a least one.
    """
    at: Multiplicity = view.new if new else view.old
    return _first(view, key, lambda cell: at(cell) >= 1)


def first_change(view: View, key: Term) -> GroundCell:
    """Name a cell with the least number of all in which a block changes, if it changes."""
    return _first(view, key, lambda cell: view.old(cell) != view.new(cell))


def _first(view: View, key: Term, counts: Callable[[GroundCell], Any]) -> GroundCell:
    query = view.query
    first = query.cell("first")
    least = query.read(key, {"c": first})

    def rule(cell: GroundCell) -> list[Said]:
        found = logic.And(counts(first), least <= query.read(key, {"c": cell}))
        return [Said(logic.Implies(counts(cell), found), ScriptSection.VIEW)]

    query.for_all_cells(rule)
    return first


def name_last_records(pair: Pair, key: Term) -> None:
    """Name the last two records of D, and what they are with the next number.

    So it is known how long E is: the last one may have no next number among the cells.
    """
    place = pair.query.positions[key.name]
    for before in (0, 1):
        number = logic.plus(pair.size(new=False), -before)
        last = name_record_at(pair, key, number, new=False)
        pair.query.possible((*last[:place], logic.plus(last[place], 1), *last[place + 1 :]))
