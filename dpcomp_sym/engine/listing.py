"""Classes of few databases, such as those that are listed: distances by search among them all."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpcomp_sym.engine.distances import Invariant
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, Enumeration
from dpcomp_sym.model import BoundEdit, BoundPart, Problem
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL, INT

__all__ = ["distance_in_list", "farthest_in_list", "in_list", "listed", "near_in_list"]


def listed(problem: Problem) -> Enumeration | None:
    """Return all databases of a class of single records whose values are written out.

    None if there are too few records, that is none; or several worlds, which differ in functions or
    symbols.
    """
    domain = problem.domain
    if problem.symbols or domain.signatures or any(m.functions for m in problem.used_maps.values()):
        return None
    pools = [
        (False, True) if sort == BOOL else domain.enumerations[sort]
        for sort in domain.attribute_sorts.values()
    ]
    world = World(domain, (), domain.enumerations)
    cells = tuple(c for c in itertools.product(*pools) if world.is_cell(c))
    if len(cells) < domain.at_least:
        return None
    return Enumeration(problem, World(domain, cells, domain.enumerations), bound=1, extra=0)


def in_list(part: BoundPart, kept: Sequence[Invariant]) -> bool:
    """Return whether the databases of a part are those of a class with single records, or images.

    ``kept`` no edit of the part changes.  If that is the number of records, a path between
    images of one record leads through such images only.
    """
    if part.setting == "common" or part.map.identity:
        return True
    named = {sort for edit in part.granularity.edits for _, sort in edit.params}
    return INT not in named and Invariant(()) in kept


def near_in_list(
    found: Enumeration | None, edit: BoundEdit, part: BoundPart, most: int, *, reverse: bool
) -> bool:
    """Return whether a part is seen to see at most so far, if all databases are listed."""
    if found is None:
        return False
    far = farthest_in_list(found, edit, part, reverse=reverse)
    return not isinstance(far, Infinity) and far <= most


def farthest_in_list(
    found: Enumeration, edit: BoundEdit, part: BoundPart, *, reverse: bool
) -> int | Infinity:
    """Return the largest distance at which a part sees what an edit does."""
    world = found.world
    outer = replace(found.problem.outer, edits=(edit,))
    pairs = EditGraph(world, outer, world.cells, found.bound).pairs()
    views = [found.view(world, part.map, index) for index in world.blocks(part.map)]
    far = max(
        (
            found.distance(part, view, *(reversed(pair) if reverse else pair))
            for pair in pairs
            for view in views
        ),
        default=0,
    )
    return INFINITY if far == UNREACHABLE else int(far)


def distance_in_list(
    found: Enumeration, part: BoundPart, index: tuple[int, ...],
    old: Mapping[Cell, int], new: Mapping[Cell, int],
) -> int | Infinity:  # fmt: skip
    """Return the distance at which a part sees two whole databases."""
    view = found.view(found.world, part.map, index)
    left, right = (tuple(d.get(c, 0) for c in found.world.cells) for d in (old, new))
    far = found.distance(part, view, left, right)
    return INFINITY if far == UNREACHABLE else int(far)
