"""Classes of few databases, such as those that are listed: distances by search among them all."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, Enumeration
from dpcomp_sym.model import BoundEdit, BoundPart
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.terms import BOOL

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["distance_in_list", "farthest_in_list"]


def _listing(structure: Structure, part: BoundPart) -> Enumeration | None:
    """Return all databases, where there is one world of them and the part's class is theirs."""
    if part.setting != "common" and not part.map.identity:
        return None
    return structure.once("listing", find=lambda: _all(structure))


def _all(structure: Structure) -> Enumeration | None:
    problem = structure.problem
    one = not structure.signature.signatures and not problem.symbols
    if not one or not structure.few_databases():
        return None
    domain = problem.domain
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
    structure: Structure, edit: BoundEdit, part: BoundPart, *, reverse: bool
) -> int | Infinity | None:
    """Return the largest distance at which a part sees what an edit does; None if not listed."""
    found = _listing(structure, part)
    if found is None:
        return None
    world = found.world
    outer = replace(structure.problem.outer, edits=(edit,))
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
    structure: Structure, part: BoundPart, index: tuple[int, ...],
    old: Mapping[Cell, int], new: Mapping[Cell, int],
) -> int | Infinity | None:  # fmt: skip
    """Return the distance at which a part sees two whole databases; None if not listed."""
    found = _listing(structure, part)
    if found is None:
        return None
    view = found.view(found.world, part.map, index)
    left, right = (tuple(d.get(c, 0) for c in found.world.cells) for d in (old, new))
    far = found.distance(part, view, left, right)
    return INFINITY if far == UNREACHABLE else int(far)
