"""Classes of few databases, such as those that are listed: distances by search among them all."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, Enumeration
from dpcomp_sym.model import BoundEdit, BoundPart, Problem
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL

__all__ = ["distance_in_list", "farthest_in_list", "listed"]


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
