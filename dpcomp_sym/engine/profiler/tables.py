"""What the search for a profile keeps between its steps, and what is known of the maps.

The steps are classes, each on top of the one before, because they share these tables:
``SearchTables``, ``Possible``, ``Attained``, ``EditPoints``, ``Frames``, ``ProfileCases``,
``Profiler``.  A step uses only what stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from dpcomp_sym.engine.facts import Fact, MixedVectors, Shared, TogetherSets
from dpcomp_sym.engine.families import MOST_WORK
from dpcomp_sym.engine.patterns import Menu, Pattern, SeenFar, Touched
from dpcomp_sym.engine.renumbering import looked_up, values_can_be_renamed
from dpcomp_sym.engine.shifting import blocks_can_be_shifted
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together import Structured
from dpcomp_sym.engine.worst import ConfirmedPair, PlacedPair
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import Interval, KRange, Vector
from dpcomp_sym.terms import Term, conjuncts, free_variables, subterms
from dpcomp_sym.terms.term import integer

__all__ = [
    "HURRIED", "MANY_SETS", "MOST_LEVELS", "MOST_POINTS", "ConditionedVector",
    "SearchTables", "is_frame",
]  # fmt: skip

MANY_SETS: Final = "too many sets of blocks change together to be listed, and blocks are counted"
HURRIED: Final = "the time was over before it was found which blocks change together"
MOST_POINTS: Final = 4
MOST_LEVELS: Final = 4


class ConditionedVector(NamedTuple):
    """What an edit does that changes blocks with a condition.

    ``exact``: all of it is attained, by the neighbours ``worst``.  ``within``: what it does is a
    mean of what the vector says, and is within this.
    """

    vector: Vector
    exact: bool
    worst: PlacedPair | None
    within: Vector | None = None
    anywhere: bool = False
    """Whether any other blocks change as well, so many at once as some do."""


class SearchTables:
    """The tables of one search, and in which maps blocks can be renumbered."""

    loose = False
    """Whether a count is so rough that only neighbours that show each block can attain it."""

    def __init__(
        self, structure: Structure, *, attaining: bool = True, rough: bool = False
    ) -> None:
        self.structure = structure
        self.attaining = attaining and not rough
        """Whether databases are looked for that attain what bounds them."""
        self.rough = rough
        """Whether it is left open which blocks change together, as where there is little time."""
        self.problem = structure.problem
        self.maps: list[BoundMap] = list(self.problem.used_maps.values())
        self.parts: dict[str, list[BoundPart]] = {
            m.name: [p for p in self.problem.bound_parts if p.map.name == m.name] for m in self.maps
        }
        self.facts: list[Fact] = []
        self.together: dict[tuple[int, bool], TogetherSets] = {}
        self.shared: list[Shared] = []
        self.mixed: list[MixedVectors] = []
        self.finer: dict[tuple[int, bool], list[Menu]] = {}
        """Of what an edit of this number, in a direction, does a mean."""
        self.types: dict[tuple[int, bool], dict[str, dict[Touched, SeenFar]]] = {}
        self.numbers = {s: self.structure.numbers(s) for s in self.problem.symbols}
        self.sizes = {s for m in self.maps for _, s in m.indices if isinstance(s, str)}
        self._possible_ones: dict[tuple[Pattern, tuple[KRange, ...]], bool] = {}
        self._alone: dict[Any, bool] = {}
        self.worst: dict[tuple[Pattern, tuple[KRange, ...]], ConfirmedPair] = {}
        """The neighbours that show a pattern, for the sizes of a case."""
        self.evident: set[tuple[Pattern, tuple[KRange, ...]]] = set()
        """The patterns of which each block was seen to change, in neighbours written down."""
        self.patterns: dict[tuple[int, bool], Structured] = {}
        self.ways: list[ConditionedVector] = []
        """What edits do that change blocks with a condition."""
        self.structured: list[Menu] = []
        """What these edits do, by how many blocks they change."""
        self.coarse = HURRIED if rough else ""
        """Why it is not known which blocks change together."""
        self.work = MOST_WORK
        """How much it may be to find that out: less where it was not found before."""
        self.chosen: set[tuple[int, bool]] = set()
        """Edits that change any choice of so many blocks of the only map."""

    def free(self, mapping: BoundMap) -> bool:
        """Return whether the blocks of a family can be renumbered arbitrarily.

        They can where each index can be renumbered, and none by itself: of ``f(…) == i and g(…)
        == j`` blocks with one i stay blocks with one i.
        """
        places = self._places(mapping)
        return places is not None and all(len(place) == len(mapping.indices) for place in places)

    def _places(self, mapping: BoundMap) -> set[frozenset[str]] | None:
        """Return which indices are renumbered together; None if some cannot be.

        They can where indices stand only beside functions of the map itself, ``h(…) == i`` or
        ``lab(…, i)``, always in the same places, and these functions occur nowhere else but in
        facts that bound them by 1 and k: then renumbering is renaming the function's values.
        """
        names = {n for n, _ in mapping.indices}
        places: dict[str, set[tuple[str, ...]]] = {}
        elsewhere = [term for _, term in mapping.image or ()]
        waiting = [mapping.member]
        while waiting:
            term = waiting.pop()
            if term.op in ("and", "or", "not", "implies"):
                waiting += term.terms
                continue
            label = _label(term, names)
            if label is not None and label[0] in mapping.functions:
                places.setdefault(label[0], set()).add(label[1])
                elsewhere += label[2]
            else:
                elsewhere.append(term)
        for fact in (f for facts in mapping.facts for f in conjuncts(facts)):
            bounded = _bounded(fact, mapping)
            elsewhere += [fact] if bounded is None else bounded.terms
        used = {t.name for term in elsewhere for t in subterms(term) if t.op in ("apply", "var")}
        if used & (names | set(places)) or any(len(p) > 1 for p in places.values()):
            return None
        return {frozenset(filter(None, place)) for (place,) in places.values()}

    def alone(self, mapping: BoundMap) -> bool:
        """Return whether blocks can be renumbered without renumbering those of another map.

        Not where a map and its composition with another one are both read: their labels are one
        function, and a change in block i of one is a change in block i of the other.
        """
        others = set().union(*(m.functions for m in self.maps if m.name != mapping.name))
        names = {n for n, _ in mapping.indices}
        labels = {
            inside.name
            for term in subterms(mapping.member)
            if term.op in ("eq", "apply") and free_variables(term) & names
            for inside in subterms(term)
            if inside.op == "apply"
        }
        own = self.free(mapping) and not labels & others
        return (
            own
            or self.renamable(mapping)
            or bool((looked := looked_up(mapping)) and not looked & others)
        )

    def renamable(self, mapping: BoundMap) -> bool:
        """Return whether blocks can be renumbered by renaming values that the class declares."""
        return self.structure.once_here(
            "renamable", mapping.name, find=lambda: values_can_be_renamed(self.problem, mapping)
        )

    def movable(self, mapping: BoundMap) -> bool:
        """Return whether what is done to one block is done to any other, as well."""
        return self.structure.once_here(
            "movable", mapping.name, find=lambda: blocks_can_be_shifted(self.problem, mapping)
        )

    def droppable(self, mapping: BoundMap) -> bool:
        """Return whether blocks can be left out: free labels that need not cover everything."""
        return self._places(mapping) is not None and not mapping.facts

    def _whole(self, ranges: Sequence[KRange]) -> dict[str, Interval]:
        """Return all numbers of the symbols in some ranges."""
        whole = dict(self.numbers)
        for r in ranges:
            inside = whole[r.symbol].within(Interval(r.symbol, r.low, r.high))
            whole[r.symbol] = inside or whole[r.symbol]
        return whole

    def _least(self, ranges: Sequence[KRange]) -> dict[str, int]:
        """Return the least numbers of the symbols, but of blocks that can be left out."""
        free = self.sizes - {r.symbol for r in ranges if not self._left_out(r.symbol)}
        whole = self._whole(ranges)
        return {s: i.low for s, i in whole.items() if i.low is not None and s not in free}

    def _left_out(self, size: str) -> bool:
        """Return whether blocks of all families of a size can be left out."""
        of = [m for m in self.maps if size in {s for _, s in m.indices}]
        return all(m.constant or self.droppable(m) for m in of)


def is_frame(edit: BoundEdit) -> bool:
    """Return whether the points that it names do not distinguish what an edit changes."""
    return edit.frame is not None or len(edit.points) > MOST_POINTS


def _label(term: Term, names: set[str]) -> tuple[str, tuple[str, ...], Sequence[Term]] | None:
    """Return the function that identifies the block, its indices in place, and what it is of."""
    if term.op == "eq":
        for side, other in (term.terms, term.terms[::-1]):
            if side.op == "var" and side.name in names and other.op == "apply":
                return other.name, (side.name,), other.terms
    if term.op == "apply":
        here = tuple(t.name if t.op == "var" and t.name in names else "" for t in term.terms)
        if any(here):
            return term.name, here, [t for t, n in zip(term.terms, here, strict=True) if not n]
    return None


def _bounded(fact: Term, mapping: BoundMap) -> Term | None:
    """Return what a fact bounds by 1, or by the number of blocks; None if it does not."""
    if fact.op != "le":
        return None
    left, right = fact.terms
    sizes = {size for _, size in mapping.indices}
    if left == integer(1):
        return right
    top = right.number if right.op == "int" else right.name if right.op == "var" else None
    return left if top in sizes else None
