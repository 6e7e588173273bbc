"""Neighbours that attain a vector of a profile, and how they go on for other numbers.

What is kept here is what was confirmed or proved when the vector was called attained, so that a
reader learns at which databases no smaller bound is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.finite import Cell
from dpcomp_sym.finite.world import difference
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.profile import All, Count, Number
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import Term, evaluate
from dpcomp_sym.terms.evaluate import Value

__all__ = [
    "Amounts",
    "ConfirmedPair",
    "Crowd",
    "Growth",
    "Holding",
    "PlacedCells",
    "PlacedPair",
    "Repeated",
    "Spread",
    "Walk",
    "first_of",
]


@dataclass(frozen=True)
class Repeated:
    """A block of a pair that stands for ``count`` blocks.

    They hold the same records; or each has a record of its own that is like the one that changes
    in the block, but for an ``attribute``, of which it has a new value, and but for what the
    function ``through`` gives that, which is new, too.  ``sides``: so many come or go in one
    of the databases alone, or in each of them.
    """

    map: str
    block: tuple[int, ...]
    count: Count
    attribute: str | None = None
    sides: int = 1
    through: str | None = None


@dataclass(frozen=True)
class Spread:
    """Values of one attribute: so many, from a number on or new ones, or all there are."""

    attribute: str
    start: Term | All | None
    number: Number


@dataclass(frozen=True)
class Holding:
    """In how many blocks of a map a record of a crowd lies.

    They are others for each value of some attributes, if there are any.
    """

    map: str
    most: Number
    by: tuple[str, ...]


@dataclass(frozen=True)
class Crowd:
    """Records like one that changes, with all values of some attributes, and others that are new.

    There are ``alike`` of each, in one of the databases, or as many in each of them: on ``sides``.
    The first is in a block of each map at these ``places`` of the pair's, and in this ``part`` of
    the frame.
    """

    part: Term

    places: tuple[int, ...]
    spread: tuple[Spread, ...]
    new: tuple[str, ...]
    alike: Number
    sides: int
    holding: tuple[Holding, ...]


@dataclass(frozen=True)
class Amounts:
    """Of each of some cells so many records come, or go; the databases hold nothing else."""

    rows: tuple[tuple[Cell, Term], ...]


@dataclass(frozen=True)
class Walk:
    """The only record walks along an integer by as much as a symbol says."""

    attribute: str
    symbol: str


Growth = Repeated | Crowd | Amounts | Walk
"""How a pair goes on where a vector speaks of a symbol."""


@dataclass(frozen=True)
class ConfirmedPair:
    """A pair that the evaluator confirmed; ``old`` and ``new`` of it are D and D*.

    Attributes:
        found: the databases, in a world of their own.
        edit: what links them.
        growth: how the pair goes on for more blocks, or other numbers.
        completed: both databases get the same further records, as many as the class asks for.
    """

    found: FoundPair
    edit: BoundEdit
    growth: tuple[Growth, ...] = ()
    completed: bool = False


@dataclass(frozen=True)
class PlacedCells:
    """In each block of a map with a condition one record, whose attributes are terms."""

    map: BoundMap
    condition: s.Predicate
    values: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True)
class PlacedPair:
    """Neighbours that are written down as terms: in the integers of an edit, and in blocks.

    Of a frame D holds ``cells`` and D* nothing, or the other way round if what changes ``comes``.
    Of an edit that names its records these come and go, and there is nothing else.  ``letters`` are
    the integers of the edit of which ``facts`` and conditions speak.  Where nothing is known of an
    attribute, an integer is 0, and the records have the same value if it is ``shared``, and each
    its own if not.
    """

    edit: BoundEdit
    letters: tuple[Term, ...]
    facts: s.Predicate
    cells: tuple[PlacedCells, ...]
    shared: frozenset[str]
    comes: bool = False


def first_of(crowd: Crowd, found: FoundPair, params: Mapping[str, Value]) -> Cell | None:
    """Return the record of a pair that the others of a crowd are like, None if there is none."""
    world = found.world
    maps = [found.blocks[n] for n in crowd.places]
    for cell in difference(found.old, found.new):
        inside = all(world.member(m, cell, i) for m, i in maps)
        if inside and evaluate(crowd.part, world.environment(variables={**params, "c": cell})):
            return cell
    return None
