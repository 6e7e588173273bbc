"""Classes of few databases, such as those that are listed: distances by search among them all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from dpcomp_sym.finite import Cell, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph, Enumeration
from dpcomp_sym.model import BoundEdit, BoundPart, Problem
from dpcomp_sym.profile import INFINITY, Infinity
from dpcomp_sym.smt.query import Signature
from dpcomp_sym.terms import BOOL

__all__ = ["distance_in_list", "farthest_in_list"]

T = TypeVar("T")


class ListedProblem(Protocol):
    """What is needed of a problem here; ``Structure`` has it."""

    problem: Problem
    signature: Signature

    def few_databases(self) -> int:
        """Return how many databases of one record there are if none is larger, else 0."""

    def once(self, *question: Any, find: Callable[[], T]) -> T:
        """Return the answer to a question that is not about the parts, found once."""


def _listing(structure: ListedProblem, part: BoundPart) -> Enumeration | None:
    """Return all databases, where there is one world of them and the part's class is theirs."""
    if part.setting != "common" and not part.map.identity:
        return None
    return structure.once("listing", find=lambda: _all(structure))


def _all(structure: ListedProblem) -> Enumeration | None:
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
    structure: ListedProblem, edit: BoundEdit, part: BoundPart, *, reverse: bool
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
    structure: ListedProblem, part: BoundPart, index: tuple[int, ...],
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
