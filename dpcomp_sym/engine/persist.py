"""For which numbers of the symbols a confirmed pair of neighbours stays what it is.

The pair was confirmed for one choice of numbers.  It is evaluated again, by the same evaluator,
with ranges in the place of numbers: a comparison that comes out differently within a range is not
decided, and then nothing is claimed for that range.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.definitions import full_product
from dpcomp_sym.engine.patterns import Far
from dpcomp_sym.finite import World
from dpcomp_sym.finite.world import Cell, difference
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Domain, Problem, Universe
from dpcomp_sym.profile import Interval
from dpcomp_sym.terms import TRUE, Term, evaluate, free_variables
from dpcomp_sym.terms.term import power

__all__ = ["SeenBlock", "Span", "VaryingAnswerError", "reaching"]


class VaryingAnswerError(Exception):
    """Within a range of numbers the answer is not always the same."""


@dataclass(frozen=True, eq=False)
class Span:
    """Any number of a range, as a value for the evaluator; None means no limit.

    >>> 1 < Span(2, None), Span(2, 3) + 1 <= 4, Span(1, 2) == 5
    (True, True, False)
    >>> Span(1, 2) == 2
    Traceback (most recent call last):
    ...
    dpcomp_sym.engine.persist.VaryingAnswerError
    """

    low: int | None
    high: int | None

    @staticmethod
    def of(value: object) -> Span:
        """Return a value as a range."""
        if isinstance(value, Span):
            return value
        if isinstance(value, int):
            return Span(int(value), int(value))
        raise VaryingAnswerError

    def __hash__(self) -> int:
        raise VaryingAnswerError

    def __index__(self) -> int:
        raise VaryingAnswerError

    def __bool__(self) -> bool:
        raise VaryingAnswerError

    def __neg__(self) -> Span:
        return Span(*(None if end is None else -end for end in (self.high, self.low)))

    def __add__(self, other: object) -> Span:
        there = Span.of(other)
        ends = zip((self.low, self.high), (there.low, there.high), strict=True)
        return Span(*(None if a is None or b is None else a + b for a, b in ends))

    __radd__ = __add__

    def __sub__(self, other: object) -> Span:
        return self + -Span.of(other)

    def __rsub__(self, other: object) -> Span:
        return -self + other

    def __mul__(self, other: object) -> Span:
        there = Span.of(other)
        if there.low is None or there.low != there.high:
            if self.low is None or self.low != self.high:
                return self._times(there)
            return there * self.low
        factor = there.low
        low, high = (None if end is None else end * factor for end in (self.low, self.high))
        return Span(0, 0) if factor == 0 else Span(low, high) if factor > 0 else Span(high, low)

    __rmul__ = __mul__

    def _times(self, other: Span) -> Span:
        """Return the products of two ranges of numbers from 0 on."""
        if self.low is None or other.low is None or min(self.low, other.low) < 0:
            raise VaryingAnswerError
        highs = [n for n in (self.high, other.high) if n is not None]
        return Span(self.low * other.low, math.prod(highs) if len(highs) == 2 else None)

    def __floordiv__(self, other: object) -> Span:
        there = Span.of(other)
        if self.low is None or self.low < 0 or there.low is None or there.low < 1:
            raise VaryingAnswerError
        low = 0 if there.high is None else self.low // there.high
        return Span(low, None if self.high is None else self.high // there.low)

    def __rfloordiv__(self, other: object) -> Span:
        return Span.of(other) // self

    def __mod__(self, other: object) -> Span:
        there = Span.of(other)
        if self.low is None or self.low < 0 or not _below(self, there):
            raise VaryingAnswerError
        return self

    def __rmod__(self, other: object) -> Span:
        return Span.of(other) % self

    def __pow__(self, other: object) -> Span:
        there = Span.of(other)
        if self.low is None or self.low < 1 or there.low is None or there.low < 0:
            raise VaryingAnswerError
        unlimited = self.high is None or there.high is None
        high = None if unlimited else power(self.high or 1, there.high or 0)
        return Span(power(self.low, there.low), high)

    def __rpow__(self, other: object) -> Span:
        return Span.of(other) ** self

    def __le__(self, other: object) -> bool:
        there = Span.of(other)
        if self.high is not None and there.low is not None and self.high <= there.low:
            return True
        if self.low is not None and there.high is not None and self.low > there.high:
            return False
        raise VaryingAnswerError

    def __ge__(self, other: object) -> bool:
        return Span.of(other) <= self

    def __lt__(self, other: object) -> bool:
        return not Span.of(other) <= self

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        there = Span.of(other)
        if _below(self, there) or _below(there, self):
            return False
        ends = {self.low, self.high, there.low, there.high}
        if len(ends) == 1 and None not in ends:
            return True
        raise VaryingAnswerError

    def __ne__(self, other: object) -> bool:
        return not self == other


def _below(left: Span, right: Span) -> bool:
    return left.high is not None and right.low is not None and left.high < right.low


@dataclass(frozen=True)
class SeenBlock:
    """A block of a confirmed pair, and from how far the parts of its map were seen to see it."""

    map: BoundMap
    block: tuple[int, ...]
    seen: tuple[tuple[BoundPart, Far], ...]


def reaching(
    problem: Problem,
    found: FoundPair,
    touched: Sequence[SeenBlock],
    wanted: Mapping[str, Interval],
    renumbered: Collection[str],
    *,
    completed: bool = False,
) -> tuple[Interval, ...]:
    """Return a range for each symbol, so that the pair stays a pair that is seen from as far.

    Args:
        problem: what the pair belongs to.
        found: the confirmed pair.
        touched: its blocks.  Distances are known to be no larger, so that smaller ones are asked
            after only.
        wanted: the symbols in question, with all their numbers.
        renumbered: maps whose blocks can be renumbered arbitrarily, so that further ones are empty.
        completed: both databases get the same further records, as many as the class asks for; so
            its size is no question.
    """
    domain = replace(problem.domain, size=()) if completed else problem.domain
    numbers = found.world.symbols
    known = {s: Interval(s, numbers[s], numbers[s]) for s in wanted}
    for symbol, whole in wanted.items():
        here = numbers[symbol]
        for low, high in ((whole.low, whole.high), (here, whole.high), (whole.low, here)):
            tried = {**known, symbol: Interval(symbol, low, high)}
            if _stays(problem, domain, found, touched, tried, renumbered):
                known = tried
                break
    return tuple(known.values())


def _stays(
    problem: Problem, domain: Domain, found: FoundPair, touched: Sequence[SeenBlock],
    ranges: Mapping[str, Interval], renumbered: Collection[str],
) -> bool:  # fmt: skip
    spans = {s: Span(r.low, r.high) for s, r in ranges.items() if r.low is None or r.low != r.high}
    if not spans:
        return True
    # The evaluator takes ranges for numbers.
    symbols = cast("Mapping[str, int]", {**found.world.symbols, **dict[str, object](spans)})
    world = replace(found.world, symbols=symbols)
    try:
        return (
            _neighbours(problem, domain, found, world, spans)
            and all(
                _map_stays(m, found, world, spans, renumbered) for m in problem.used_maps.values()
            )
            and all(_seen_alike(t, found, world, spans) for t in touched)
        )
    except VaryingAnswerError:
        return False


def _neighbours(
    problem: Problem, domain: Domain, found: FoundPair, world: World, spans: Mapping[str, Span]
) -> bool:
    """Return whether the databases stay neighbours of the class, by the same edit."""
    cells = found.world.cells
    if not all(map(world.is_cell, cells)):
        return False
    if domain.universe is Universe.PRODUCT and full_product(world) != set(cells):
        return False
    if not all(world.contains(d, domain, cells) for d in (found.old, found.new)):
        return False
    step = found.world.linking(problem.outer, found.old, found.new)
    if step is None:
        return False
    edit = problem.outer.edits[step.edit]
    if not set(spans) & _names((*_of_edit(edit), domain.cell_term)):
        return True
    first, then = (found.new, found.old) if step.backwards else (found.old, found.new)
    return world.links(edit, dict(step.params), problem.outer.domain, first, then, cells)


def _map_stays(
    mapping: BoundMap, found: FoundPair, world: World, spans: Mapping[str, Span],
    renumbered: Collection[str],
) -> bool:  # fmt: skip
    """Return whether what is known of a map holds."""
    sizes = {size for _, size in mapping.indices}
    if mapping.multiplicity is not None and sizes & set(spans) and mapping.name not in renumbered:
        raise VaryingAnswerError  # further blocks might hold the cells, too
    for cell in found.world.cells:
        env = world.environment(variables={"c": cell})
        if not all(evaluate(f, env) for f in mapping.facts):
            return False
        if mapping.multiplicity is None:
            continue
        held = sum(1 for _ in found.world.holding(mapping, cell))
        if held > evaluate(mapping.multiplicity, env):
            return False
    return True


def _seen_alike(
    touched: SeenBlock, found: FoundPair, world: World, spans: Mapping[str, Span]
) -> bool:  # fmt: skip
    """Return whether a block holds the same records, and parts see it from as far."""
    mapping, block = touched.map, touched.block
    for cell in found.world.cells:
        if world.member(mapping, cell, block) != found.world.member(mapping, cell, block):
            return False
    images = [found.world.apply(mapping, d, block) for d in (found.old, found.new)]
    for database, image in zip((found.old, found.new), images, strict=True):
        if world.apply(mapping, database, block) != image:
            return False
    # That images differ is all that a distance of 1 needs; a larger one rests on the edits.
    return not any(
        r not in (0, 1) and set(spans) & _named(part) and not _far_in_any_class(part, r, *images)
        for part, r in touched.seen
    )


def _far_in_any_class(
    part: BoundPart, distance: Far, old: Mapping[Cell, int], new: Mapping[Cell, int]
) -> bool:
    """Return whether a part sees databases from so far whichever others its class has.

    A step changes so many records at most; and where no step changes the size there is no way
    between databases of different sizes, if those are not seen through a block.
    """
    edits = part.granularity.edits
    deltas = [[d.number if d.op == "int" else None for _, d in edit.change] for edit in edits]
    known = [[n for n in each if n is not None] for each in deltas]
    if known != deltas or any(edit.frame is not None for edit in edits):
        return False
    changed = difference(old, new).values()
    most = max((sum(map(abs, each)) for each in known), default=0)
    own = part.setting == "separate"
    fixed = own and not any(map(sum, known)) and sum(changed) != 0
    return fixed or (isinstance(distance, int) and most * (distance - 1) < sum(map(abs, changed)))


def _named(part: BoundPart) -> set[str]:
    """Return the names in what a part's distances are made of."""
    granularity = part.granularity
    terms = [
        term
        for domain in (part.domain, granularity.domain)
        for term in (
            domain.cell_term, *domain.size_terms, *domain.fact_terms,
            *itertools.chain.from_iterable((*domain.limit_terms, *domain.distinct_terms)),
        )
    ]  # fmt: skip
    terms += itertools.chain.from_iterable(map(_of_edit, granularity.edits))
    if part.setting == "common":
        terms.append(part.map.member)
    return _names(terms)


def _of_edit(edit: BoundEdit) -> tuple[Term, ...]:
    return edit.guard, edit.frame or TRUE, edit.step, *(d for _, d in edit.change)


def _names(terms: Iterable[Term]) -> set[str]:
    return set().union(*map(free_variables, terms))
