"""Parts for which one edit puts a record in the place of another one."""

from __future__ import annotations

import itertools

from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.records import components
from dpcomp_sym.model import BoundEdit, BoundPart
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, conjuncts
from dpcomp_sym.terms.term import integer, variable

__all__ = ["counts_one_side", "in_pairs"]


def in_pairs(part: BoundPart) -> bool:
    """Return whether a part sees no more distance than the records of one side in its block.

    Records come and go one by one, and one edit puts any record in the place of any other one: so
    each record that comes takes the place of one that goes, while there are such.  Of limits each
    key is finer than the one before: records that share more of them are paired first, so that no
    group holds more on the way than at one of the ends.
    """
    domain = part.granularity.domain
    if part.setting != "separate" or not one_by_one(part) or domain.distinct:
        return False
    keys = sorted((set(components(key)) for key, _ in domain.limit_terms), key=len)
    nested = all(one <= other for one, other in itertools.pairwise(keys))
    return nested and any(map(_replaces_any, part.granularity.edits))


def counts_one_side(part: BoundPart) -> bool:
    """Return whether a part sees exactly as much distance as records come where none goes.

    As :func:`in_pairs` says it is no more, and no edit of the part adds or removes more than one.
    """
    return in_pairs(part) and part.map.image is None and all(
        edit.frame is None and all(d.op == "int" for _, d in edit.change)
        and abs(sum(d.number for _, d in edit.change)) <= 1
        for edit in part.granularity.edits
    )  # fmt: skip


def _replaces_any(edit: BoundEdit) -> bool:
    """Return whether an edit puts any record in the place of any other one."""
    deltas = {point: d.number for point, d in edit.change if d.op == "int"}
    cells = [name for name, sort in edit.params if sort == CELL]
    if sorted(deltas.values()) != [-1, 1] or sorted(deltas) != sorted(cells):
        return False
    if len(cells) < len(edit.params) or len(edit.change) > len(deltas):
        return False
    goes, comes = sorted(deltas, key=deltas.__getitem__)
    x, y = variable(goes, CELL), variable(comes, CELL)
    there = Term("ge", (Term("at", ("D", x), INT), integer(1)), BOOL)
    apart = [Term("ne", pair, BOOL) for pair in ((x, y), (y, x))]
    return all(part == there or part in apart for part in conjuncts(edit.guard) if part != TRUE)
