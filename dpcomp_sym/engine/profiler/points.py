"""What an edit can do that names the cells it changes: all ways to touch blocks, with distances."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from dpcomp_sym.engine.blocks import first_of_many, near_each, written_out
from dpcomp_sym.engine.counting import records_touched
from dpcomp_sym.engine.distances import MOST_STEPS, edits_a_record
from dpcomp_sym.engine.facts import Fact
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.patterns import Far, Menu, Pattern, SeenFar, Slot, Touched, fits, join
from dpcomp_sym.engine.pieces import in_pieces
from dpcomp_sym.engine.profiler.attained import Attained
from dpcomp_sym.engine.quotients import whole_view
from dpcomp_sym.engine.records import (
    fewest,
    records_by_keys,
    records_moved,
    records_of_one_side,
)
from dpcomp_sym.engine.replaced import in_pairs
from dpcomp_sym.engine.structure import MOST_BLOCKS
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.engine.verdict import Proved, Refuted
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import ALL, INFINITY, Count, Number, Symbolic, product_of
from dpcomp_sym.smt import Pair, Query, View, logic
from dpcomp_sym.smt import ViewDistance as DistanceQuery
from dpcomp_sym.smt.asking import AT_FIRST, RESOURCES
from dpcomp_sym.smt.query import AskedQuestion, equal
from dpcomp_sym.terms import Term, reads_database

__all__ = ["EditPoints", "adds_up"]

OF_ANY: Final = 4_000_000
"""How much work it may be to bound a distance; those that were found have taken a hundredth."""
OF_MANY: Final = 10_000_000
"""How much work it may be to bound a distance in any of many blocks that are written out."""
FEW_BLOCKS: Final = 8
"""Of more blocks that are written out, some are asked for by their numbers first."""
TRIED: Final = 3
"""How many of them: one in which the records can be answers the question."""


class EditPoints(Attained):
    """How blocks are seen that hold some of an edit's points, and how many there are of each."""

    def of_points(self, number: int, edit: BoundEdit, *, reverse: bool) -> Menu:
        """Return what an edit that names its cells may do, without domination yet."""
        rows = []
        for mapping in self.maps:
            types = self._types(edit, mapping, reverse=reverse)
            self.types.setdefault((number, reverse), {})[mapping.name] = types
            self._note_types(number, edit, mapping, types, reverse=reverse)
            # That no block sees a change is always one of the ways.
            rows.append(tuple(dict.fromkeys([(), *self._assignments(edit, mapping, types)])))
        return Menu(number, tuple(rows), reverse)

    def _types(
        self, edit: BoundEdit, mapping: BoundMap, *, reverse: bool
    ) -> dict[Touched, SeenFar]:
        """Return how a block that holds exactly some of the points is seen by the map's parts."""
        found: dict[Touched, SeenFar] = {}
        for subset in map(frozenset, _some_points(edit)):
            if not self._possible(edit, mapping, subset):
                continue
            found[subset] = tuple(
                self._distance(edit, part, subset, reverse=reverse)
                for part in self.parts[mapping.name]
            )
        return found

    def _note_types(
        self,
        number: int,
        edit: BoundEdit,
        mapping: BoundMap,
        types: Mapping[Touched, SeenFar],
        *,
        reverse: bool,
    ) -> None:
        """Keep the facts about the types, impossible ones (distance 0) included."""
        most: Count
        if not mapping.indices:
            most = 1
        elif mapping.constant:
            most = ALL
        else:
            known = self.structure.most_blocks_a_cell(mapping)
            if isinstance(known, int):
                most = known
            elif isinstance(known, Term) and known.op == "var":
                most = Symbolic(known.name)
            else:
                most = ALL
        self.facts.append(Fact(number, reverse, mapping.name, None, (), most, frame=False))
        for subset in _some_points(edit):
            seen = types.get(frozenset(subset))
            for position, part in enumerate(self.parts[mapping.name]):
                bound = 0 if seen is None else seen[position]
                self.facts.append(
                    Fact(number, reverse, mapping.name, part.name, subset, bound, frame=False)
                )

    def _possible(self, edit: BoundEdit, mapping: BoundMap, subset: Touched) -> bool:
        """Return whether a block with these points can see a change; a "no" is a proof."""
        return self.structure.of_alike(
            "touched", mapping, edit, subset, find=lambda m: self._find_possible(edit, m, subset)
        )

    def _find_possible(self, edit: BoundEdit, mapping: BoundMap, subset: Touched) -> bool:
        named = tuple(written_out(mapping))
        some = named[:TRIED] if len(named) > FEW_BLOCKS else ()
        seen = any(
            self._change_in(edit, mapping, subset, block).check() == logic.sat for block in some
        )
        return seen or not self.structure.unsat(self._change_in(edit, mapping, subset))

    def _change_in(
        self, edit: BoundEdit, mapping: BoundMap, subset: Touched, block: tuple[int, ...] = ()
    ) -> Query:
        """Ask whether a certain block, or any, holds these points and sees a change."""
        pair = self.structure.pair(edit)
        index = self._hold(pair, mapping, subset, pair.index(mapping, block))
        pair.view(mapping, index).changed()
        if block:
            pair.query.limit(AT_FIRST)
        return pair.query

    def _distance(
        self, edit: BoundEdit, part: BoundPart, subset: Touched | None, *, reverse: bool
    ) -> Far:
        """Return a proved upper bound on the distance that a part sees; infinity if none."""
        first = self.structure.likeness.part(part)
        return self.structure.once_here(
            "distance", edit, first.name, subset, reverse,
            find=lambda: self._find_distance(edit, first, subset, reverse=reverse),
        )  # fmt: skip

    def _find_distance(
        self, edit: BoundEdit, part: BoundPart, subset: Touched | None, *, reverse: bool
    ) -> Far:
        if part.setting == "common" and part.same_granularity:
            return 1
        listing = self.structure.listing(part)
        if listing is not None:
            return farthest_in_list(listing, edit, part, reverse=reverse)
        lengths = range(1, self._too_long(edit, subset))
        if self.structure.still(part):
            return INFINITY
        if part.setting == "common":
            hold = None if subset is None else lambda pair: self._hold(pair, part.map, subset)
            for length in lengths:
                if self.structure.pushed_at_most(edit, part, length, reverse=reverse, hold=hold):
                    return length
            return self._by_paths(edit, part, subset, whole_view, reverse=reverse)
        known = self.structure.nearness(part)
        if isinstance(known, Proved):
            self.structure.scripts.extend(known.scripts)
            return 1
        pair = self.structure.pair(edit)
        view = self._view(pair, part, subset)
        view.changed()
        work = OF_MANY if first_of_many(part.map) else self.structure.effort.for_distance(OF_ANY)
        pair.query.limit(min(work, RESOURCES))
        distance = DistanceQuery(view, part.granularity, reverse=reverse, work=work)
        ways = len(self.structure.edits) * len(self.structure.orientations)
        single = subset is not None and len(edit.points) == 1 and isinstance(known, Refuted)
        # Of any block that changes it was asked for C2.
        asked = ways == 1 and (single or (known is not None and subset is None))
        for length in lengths:
            outcome = "asked" if asked and length == 1 else distance.at_most(length)
            if outcome == "proved":
                self.structure.scripts.append(pair.query.impossible)
                return length
            if length == 1 and subset is not None and self._breaks(edit, part, subset):
                return INFINITY
            if outcome == "unknown":
                self.structure.effort.distances += 1
                break
        if subset is None and reads_database(edit.step):
            return self._by_moves(edit, part, distance, reverse=reverse)
        return self._by_paths(
            edit, part, subset, lambda pair: self._view(pair, part, subset), reverse=reverse
        )

    def _by_moves(
        self, edit: BoundEdit, part: BoundPart, distance: DistanceQuery, *, reverse: bool
    ) -> Far:
        """Return how far a part sees records that move along, where that is not known at once."""
        farther = isinstance(self.structure.nearness(part), Refuted)
        for length in (1, 2):
            each = None
            if length > 1 and distance.meets():
                each = [distance.query.impossible]
            elif length > 1 or not farther:
                blocks = self._near_each(edit, part, length, reverse=reverse)
                each = [question for _, question in blocks.values()] if blocks else None
            if each is not None:
                self.structure.scripts += each
                return length
        return INFINITY

    def _near_each(
        self, edit: BoundEdit, part: BoundPart, most: int, *, reverse: bool
    ) -> dict[tuple[int, ...], tuple[int, AskedQuestion]] | None:
        """Return from how far a part sees blocks, each by itself; None if it may be farther."""
        again = partial(self.structure.pair, edit)
        return self.structure.once_here(
            "blocks one by one", edit, part.name, most, reverse,
            find=lambda: near_each(again, part, most, reverse=reverse),
        )  # fmt: skip

    def _by_paths(
        self, edit: BoundEdit, part: BoundPart, subset: Touched | None,
        look: Callable[[Pair], View], *, reverse: bool,
    ) -> Far:  # fmt: skip
        """Return how far a part sees what changes, by its records or by steps; infinity if unknown.

        ``look``: where steps lead from one database to the other.
        """
        structure, each = self.structure, edits_a_record(part.granularity)
        found = [in_pieces(structure, edit, part, look, reverse=reverse)]
        if edit.frame is not None and each is not None:
            by_limits = records_by_keys(structure, edit, part.map, one_block=True)
            found.append(by_limits and product_of([each, by_limits]))
            found.append(records_touched(structure, edit) if each == 1 else None)
            found.append(records_of_one_side(structure, edit, part.map) if in_pairs(part) else None)
        whole = subset is not None and len(subset) == len(edit.points)
        if whole or part.setting == "common":
            found.append(walked(structure, edit, part, look))
        few = fewest(*found)
        if few is None and subset is not None and each is not None:
            moved = records_moved(structure, edit, subset)
            few = moved and product_of([each, moved])
        return INFINITY if few is None else few

    def _view(self, pair: Pair, part: BoundPart, subset: Touched | None) -> View:
        """Return what a part sees in a block that holds exactly some of the points, if any."""
        block = pair.index(part.map) if subset is None else self._hold(pair, part.map, subset)
        return pair.view(part.map, block)

    @staticmethod
    def _too_long(edit: BoundEdit, subset: Touched | None) -> int:
        """Return from which length on no path is looked for: one step a point, or a record."""
        if subset is None:
            return 2
        deltas = [edit.change[point][1] for point in subset]
        records = sum(abs(d.number) for d in deltas if d.op == "int")
        return max(len(edit.points) + 2, min(records, MOST_STEPS) + 1)

    def _breaks(self, edit: BoundEdit, part: BoundPart, subset: Touched) -> bool:
        """Return whether a count that the inner edits keep can change in such a block."""
        for invariant in self.structure.kept_by(part.granularity):
            pair = self.structure.pair(edit)
            block = self._hold(pair, part.map, subset)
            view = pair.view(part.map, block)
            cells = view.touched_points()
            query = pair.query
            values = [query.fresh(k.sort, "v") for k in invariant.keys]
            moved = []
            for source, cell, delta in zip(pair.points, cells, pair.deltas, strict=True):
                here = [query.read(k, {"c": cell}, {}, view.positions) for k in invariant.keys]
                same = [equal(a, b) for a, b in zip(here, values, strict=True)]
                held = pair.member(part.map, source, block)
                weight = query.read(invariant.weight, {"c": cell}, {}, view.positions)
                moved.append(logic.If(logic.And(held, *same), delta * weight, 0))
            change = sum(moved)
            query.add(change % invariant.modulus != 0 if invariant.modulus else change != 0)
            if query.check() != logic.unsat:
                return True
        return False

    def _assignments(
        self, edit: BoundEdit, mapping: BoundMap, types: Mapping[Touched, SeenFar]
    ) -> Iterator[tuple[Slot, ...]]:
        """Yield the ways to hand the points out to different blocks of a map, some or all."""
        if not mapping.indices:
            for subset, seen in types.items():
                yield (Slot(mapping.name, 1, seen, subset),)
            return
        if mapping.constant:
            for subset, seen in types.items():
                yield (Slot(mapping.name, ALL, seen, subset),)
            return
        most = self.structure.most_blocks_a_cell(mapping)
        points = len(edit.points)
        if isinstance(most, int) and most * points <= MOST_BLOCKS * 2:
            yield from self._multisets(mapping.name, types, [most] * points)
            return
        factor: Number | None = None
        if isinstance(most, int):
            factor = most
        elif isinstance(most, Term) and most.op == "var":
            factor = Symbolic(most.name)
        if factor is None:  # no limit: every type could fill all blocks
            top = join(types.values())
            if top:
                yield (Slot(mapping.name, ALL, top, upper=True),)
                self.loose = True
            return
        # At most m blocks a point.  m copies of one way to hand the points to single blocks do
        # worst if every other way fits into that one; otherwise the blocks are bounded one by one.
        single = [
            s
            for s in self._multisets(mapping.name, types, [1] * points)
            if self._feasible(Pattern(self.structure.edits.index(edit), s), ())
        ]
        best = [s for s in single if all(fits(other, s) for other in single)]
        if best and points <= 2:
            yield tuple(Slot(mapping.name, factor, s.seen, s.touched, upper=True) for s in best[0])
            return
        every, wide = frozenset(range(points)), product_of([factor, points])
        if every in types and adds_up(types, points):
            # Blocks share what one sees that holds all points, as often as a point lies in blocks.
            yield (Slot(mapping.name, factor, types[every], every, upper=True, wide=wide),)
            return
        top = join(types.values())
        if top:
            yield (Slot(mapping.name, wide, top, upper=True),)
            self.loose = True

    def _multisets(
        self, name: str, types: Mapping[Touched, SeenFar], room: Sequence[int]
    ) -> Iterator[tuple[Slot, ...]]:
        """Yield multisets of types in which point p occurs at most room[p] times."""
        items = list(types.items())

        def choose(position: int, left: tuple[int, ...]) -> Iterator[tuple[Slot, ...]]:
            if position == len(items):
                yield ()
                return
            subset, seen = items[position]
            most = min(left[p] for p in subset)
            for count in range(most + 1):
                after = tuple(n - count * (p in subset) for p, n in enumerate(left))
                for rest in choose(position + 1, after):
                    yield (Slot(name, count, seen, subset), *rest) if count else rest

        yield from choose(0, tuple(room))


def _some_points(edit: BoundEdit) -> Iterator[tuple[int, ...]]:
    """Yield all choices of points, of at least one."""
    points = range(len(edit.points))
    return (some for n in points for some in itertools.combinations(points, n + 1))


def adds_up(types: Mapping[Touched, SeenFar], points: int) -> bool:
    """Return whether a block with some of the points is seen from no more than their share."""
    most = types[frozenset(range(points))]
    return all(
        isinstance(r, int) and isinstance(top, int) and r * points <= top * len(held)
        for held, seen in types.items()
        for r, top in zip(seen, most, strict=True)
    )
