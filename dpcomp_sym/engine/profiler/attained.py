"""Which patterns are attained: databases on which the evaluator confirms what was bounded."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.engine.attributes import attributes_read
from dpcomp_sym.engine.blocks import MANY_BLOCKS, outside_class
from dpcomp_sym.engine.counterexample import AGAIN, WORK, Demand, FoundPair, SearchWork
from dpcomp_sym.engine.covering import covering
from dpcomp_sym.engine.crowds import MANY, Asked, crowded, endless
from dpcomp_sym.engine.distances import connected, counts_records, few_a_step, one_by_one
from dpcomp_sym.engine.gaps import gaps_grow
from dpcomp_sym.engine.moving import moves_all
from dpcomp_sym.engine.patterns import Pattern, Slot, plainly
from dpcomp_sym.engine.persist import SeenBlock, reaching
from dpcomp_sym.engine.profiler.possible import Possible
from dpcomp_sym.engine.profiler.tables import MOST_LEVELS, MOST_POINTS
from dpcomp_sym.engine.records import amount_of, number_of, records_moved
from dpcomp_sym.engine.replaced import counts_one_side
from dpcomp_sym.engine.replication import clones, copies
from dpcomp_sym.engine.structure import MOST_BLOCKS
from dpcomp_sym.engine.tight_pairs import come_or_go
from dpcomp_sym.engine.together import any_few, together
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.stripes import striped
from dpcomp_sym.engine.unit_steps import walks_all
from dpcomp_sym.engine.worst import Amounts, ConfirmedPair, Crowd, Growth, Repeated, Walk
from dpcomp_sym.engine.written_lists import MOST_VALUES, lists_through
from dpcomp_sym.finite.world import cell_at, difference
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart, Domain
from dpcomp_sym.profile import ALL, INFINITY, All, Infinity, Interval, KRange, Symbolic, Total
from dpcomp_sym.smt import Pair, Query, logic
from dpcomp_sym.smt import ViewDistance as DistanceQuery
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import INT, Term, evaluate, free_variables, reads_database

__all__ = ["ANY", "Attained"]

FEW_RECORDS: Final = 2
"""Pairs with copies of so many different records are looked for first."""
FEW_MOVED: Final = 3
"""Lists in which records move along in so many blocks are written down before any are sought."""
MOST_RECORDS: Final = 12
MOST_CROWDS: Final = 8
"""For more maps or kinds of blocks there are too many ways to make crowds."""
FEW_BLOCKS: Final = 2
"""Of each index so many blocks are looked at for one with gaps that grow."""
AGAIN_ENDLESS: Final = 12
"""So often others are looked for where no condition says that neighbours are infinitely far."""

ANY: Final[Any] = None
"""A distance that is not in question."""


class Attained(Possible):
    """For which numbers of symbols a pattern occurs, distances included."""

    def _attained(
        self, pattern: Pattern, ranges: Sequence[KRange], at: Mapping[str, int] | None = None
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols a pattern occurs, distances included, None if for none.

        It was confirmed on concrete databases: ``at`` given numbers, or else with the least ones if
        that can be, or the next.
        """
        if not self.attaining:
            return None
        least, edit = self._least(ranges), self.structure.edits[pattern.edit]
        moved = reads_database(edit.step)
        named = sum(len(self._named(slot)) for slot in pattern.slots)
        numbered = sum(bool(slot.block) for slot in pattern.slots)
        if numbered >= MANY_BLOCKS and any(INFINITY in slot.seen for slot in pattern.slots):
            return None  # one block that is seen infinitely far is enough, and is sought by itself
        soon = named >= (FEW_MOVED if moved else MANY_BLOCKS)
        if soon:
            # Long lists, and what changes many blocks, are found late, or not at all.
            shown = self._striped(pattern, ranges) if moved else None
            shown = self._written(pattern, ranges) if shown is None else shown
            if shown is not None:
                return shown
        if edit.frame is None and _amounts(pattern):
            return self._moved(pattern, ranges, least)
        more = {s: n + (s not in self.sizes) for s, n in least.items()}
        whole = self._whole(ranges)
        settled = all(whole[s].high == n for s, n in least.items())  # there are no others
        tries = [at] if at is not None else [least] if settled else [least, more, {}]
        for numbers in [n for place, n in enumerate(tries) if n not in tries[:place]]:
            if not self._attainable(pattern):
                break
            found = self._confirmed(pattern, ranges, numbers)
            if found is not None:
                self._note(pattern, ranges, found[0], self._repeated(pattern, *found))
                return self._reach(ranges, *found)
        shown = self._crowded(pattern, ranges)
        shown = self._striped(pattern, ranges) if shown is None else shown
        late = shown is None and moved and not soon
        return self._written(pattern, ranges) if late else shown

    def _written(
        self, pattern: Pattern, ranges: Sequence[KRange]
    ) -> tuple[Interval, ...] | None:  # fmt: skip
        """Return for which symbols neighbours that are written down show a pattern.

        They are lists that go through values of all blocks, or have a record in each of these.
        """
        edit = self.structure.edits[pattern.edit]
        slots = [one for slot in pattern.slots for one in self._named(slot)]
        blocks = [(self.problem.used_maps[slot.map], slot.block) for slot in slots]
        if any(mapping.indices and not index for mapping, index in blocks):
            return None
        find = lists_through if reads_database(edit.step) else covering
        for pair in find(self.problem, edit, blocks):
            found = replace(pair, blocks=tuple(blocks))
            if self._shows(pattern, slots, found):
                self._note(pattern, ranges, found, self._repeated(pattern, found, slots))
                self.evident.add((plainly(pattern), tuple(ranges)))
                return self._reach(ranges, found, slots)
        return None

    def _named(self, slot: Slot) -> Sequence[Slot]:
        """Return a slot for each block of one that is of all blocks, if these are not many."""
        mapping = self.problem.used_maps[slot.map]
        sizes = [n for n in mapping.sizes if isinstance(n, int)]
        known = len(sizes) == len(mapping.sizes) and math.prod(sizes) <= MOST_VALUES
        if slot.block or slot.count != ALL or not known:
            return [slot]
        numbers = itertools.product(*[range(1, n + 1) for n in sizes])
        return [replace(slot, count=1, block=block) for block in numbers]

    def _shown_for(
        self, pattern: Pattern, ranges: Sequence[KRange]
    ) -> tuple[Interval, ...] | None:  # fmt: skip
        """Return for which symbols a pattern occurs, for all if any so many blocks change."""
        found, whole = self._attained(pattern, ranges), tuple(self._whole(ranges).values())
        return whole if found != whole and self._any_so_many(pattern) else found

    def _any_so_many(self, pattern: Pattern) -> bool:
        """Return whether an edit changes any so many blocks of the only map, each as it says."""
        (slot, *more) = pattern.slots
        edit, mapping = self.structure.edits[pattern.edit], self.problem.used_maps[slot.map]
        alone = len(self.maps) == 1 and not (more or slot.block or slot.wide)
        near = edit.frame is not None and all(r in (0, 1) for r in slot.seen)
        if not (self.attaining and alone and near) or isinstance(slot.count, All):
            return False
        found = together(self.structure, edit, self.maps)
        every = found is not None and mapping.name in found.conditions and not found.distinguishes
        return every and any_few(self.structure, edit, mapping, slot.count)

    def _striped(self, pattern: Pattern, ranges: Sequence[KRange]) -> tuple[Interval, ...] | None:
        """Return all numbers if values that move along a list change all blocks at once."""
        (slot, *more) = pattern.slots
        edit, mapping = self.structure.edits[pattern.edit], self.problem.used_maps[slot.map]
        near = all(r in (0, 1) for one in pattern.slots for r in one.seen)
        if len(self.maps) == 1 and near and moves_all(self.structure, edit, mapping):
            return tuple(self._whole(ranges).values())
        if near and self._have_conditions(pattern, edit):
            return tuple(self._whole(ranges).values())
        alone = not more and len(self.maps) == 1 and slot.count == ALL and not slot.block
        if not (alone and edit.frame is not None and self.free(mapping)):
            return None
        if not near or not striped(self.structure, edit, mapping):
            return None
        return tuple(self._whole(ranges).values())

    def _have_conditions(self, pattern: Pattern, edit: BoundEdit) -> bool:
        """Return whether named blocks have their conditions at once, where that is attained.

        For all symbols: the conditions mention none.
        """
        slots = pattern.slots
        named = all(slot.block or not self.problem.used_maps[slot.map].indices for slot in slots)
        found = together(self.structure, edit, self.maps) if named else None
        if found is None or not found.attained:
            return False
        conditions = [found.conditions[slot.map] for slot in slots]
        said = [x for p in (found.facts, *conditions) for x in s.subterms(p)]
        if any(isinstance(x, s.Symbol | s.LetterAt) for x in said):
            return False
        query = Query(self.structure.signature, {})
        letters = [query.fresh(INT, "p") for _ in found.terms]
        query.add(SolverNames({}, letters).holds(found.facts))
        for slot, condition in zip(slots, conditions, strict=True):
            block = [logic.IntVal(n) for n in slot.block]
            query.add(SolverNames({}, letters, block).holds(condition))
        return bool(query.check() == logic.sat)

    def _note(
        self, pattern: Pattern, ranges: Sequence[KRange], found: FoundPair,
        growth: Sequence[Growth] | None, *, completed: bool = False,
    ) -> None:  # fmt: skip
        """Keep the pair that shows a pattern; not where it is not known how it goes on."""
        if growth is None:
            return
        pair = replace(found, old=found.new, new=found.old) if pattern.reverse else found
        edit = self.structure.edits[pattern.edit]
        self.worst[pattern, tuple(ranges)] = ConfirmedPair(pair, edit, tuple(growth), completed)

    def _repeated(
        self, pattern: Pattern, found: FoundPair, asked: Sequence[Slot]
    ) -> list[Growth] | None:
        """Return which blocks of a pair stand for more, and how; None if that is not known."""
        edit = self.structure.edits[pattern.edit]
        growth: list[Growth] = []
        for slot, (mapping, index) in zip(asked, found.blocks, strict=True):
            if _few(slot) or mapping.constant:
                continue
            if edit.frame is None:
                growth.append(Repeated(mapping.name, index, slot.count))
                continue
            loose = clones(self.structure, edit, mapping, slot.count)
            if loose is None or not self._in_part(found, edit, mapping, index, loose.part):
                return None
            growth.append(Repeated(
                mapping.name, index, slot.count, loose.attribute, loose.sides, loose.through
            ))  # fmt: skip
        return growth

    def _in_part(
        self,
        found: FoundPair,
        edit: BoundEdit,
        mapping: BoundMap,
        index: tuple[int, ...],
        part: Term,
    ) -> bool:
        """Return whether a record changes in a block and in a part of the edit's frame."""
        step = found.world.linking(self.problem.outer, found.old, found.new, by=edit)
        if step is None:
            return False
        env = found.world.environment(variables=dict(step.params))
        for cell in difference(found.old, found.new):
            env.variables["c"] = cell
            if found.world.member(mapping, cell, index) and evaluate(part, env):
                return True
        return False

    def _moved(
        self, pattern: Pattern, ranges: Sequence[KRange], numbers: Mapping[str, int]
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols a pattern occurs whose amounts are symbols.

        It was confirmed for the least ones.  For others the same records come and go, as many as
        the amounts say: where the class limits nothing and no such symbol occurs in the rest, from
        a database that holds what goes and nothing else.  Or one record walks farther.
        """
        edit, symbols = self.structure.edits[pattern.edit], _amounts(pattern)
        said = [self.problem.domain.cell_term]
        said += [t for m in self.problem.used_maps.values() for t in (m.member, *m.facts)]
        said += [m.multiplicity for m in self.problem.used_maps.values() if m.multiplicity]
        said += [t for m in self.problem.used_maps.values() for _, t in m.image or ()]
        spoken = {*self.sizes}.union(*map(free_variables, said))
        if spoken & symbols or not symbols <= set(numbers):
            return None
        more = self._amounts_move(pattern, edit, symbols)
        along = None if more else self._one_walks(pattern, edit)
        if not (more or along):
            return None
        slots = tuple(
            replace(
                s,
                seen=tuple(r.at(numbers) if isinstance(r, Symbolic | Total) else r for r in s.seen),
            )
            for s in pattern.slots
        )
        concrete = replace(pattern, slots=slots)
        found = self._attainable(concrete) and self._confirmed(concrete, ranges, numbers)
        if not found:
            return None
        self._note(pattern, ranges, found[0], self._moving(found[0], edit, along))
        whole = self._whole(ranges)
        return tuple(whole[i.symbol] if i.symbol in symbols else i
                     for i in self._reach(ranges, *found))  # fmt: skip

    def _amounts_move(self, pattern: Pattern, edit: BoundEdit, symbols: set[str]) -> bool:
        """Return whether nothing but the amounts depends on symbols, or limits what they are."""
        domain = self.problem.domain
        limited = domain.limits or domain.size or domain.facts or domain.cap is not None
        if limited or reads_database(edit.guard) or free_variables(edit.guard) & symbols:
            return False
        return all(self._all_moved(edit, slot) for slot in pattern.slots)

    def _moving(self, found: FoundPair, edit: BoundEdit, along: Walk | None) -> list[Growth] | None:
        """Return how the numbers of records, or the way of one, depend on symbols."""
        if along is not None:
            return [along]
        step = found.world.linking(self.problem.outer, found.old, found.new, by=edit)
        if step is None:
            return None
        params = dict(step.params)
        return [Amounts(tuple((cell_at(params, point), delta) for point, delta in edit.change))]

    def _one_walks(self, pattern: Pattern, edit: BoundEdit) -> Walk | None:
        """Return along what a record of one block walks as far as its only part sees, always."""
        (slot, *more) = pattern.slots
        parts = self.parts[slot.map]
        if more or slot.count != 1 or len(parts) != 1 or len(slot.touched) != len(edit.points):
            return None
        (part,), (far,) = parts, slot.seen
        plain = part.setting == "separate" and part.default_class and not slot.block
        if not plain or not isinstance(far, Symbolic):
            return None
        attribute = walks_all(self.structure, edit, part, far)
        return None if attribute is None else Walk(attribute, far.symbol)

    def _all_moved(self, edit: BoundEdit, slot: Slot) -> bool:
        """Return whether parts see as many records as come or go, for all numbers of symbols."""
        amounts = [amount_of(self.structure, delta) for _, delta in edit.change]
        if None in amounts or slot.block:
            return False
        moved = records_moved(self.structure, edit, sorted(slot.touched))
        return all(
            r == 0 or (part.default_class and counts_records(part) and r == moved)
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
        )

    def _crowded(self, pattern: Pattern, ranges: Sequence[KRange]) -> tuple[Interval, ...] | None:
        """Return for which symbols one record that changes, with all that are like it, does so."""
        edit = self.structure.edits[pattern.edit]
        asked = [a for slot in pattern.slots if (a := self._asked(slot)) is not None]
        if edit.frame is None or len(asked) < len(pattern.slots) or len(asked) > MOST_CROWDS:
            return None
        families = [a.map for a in asked if a.count is not None]
        free = all(map(self.free if len(asked) == 1 else self.alone, families))
        if not (free or (len(asked) == 1 and asked[0].count == 1)):
            return None
        if len({m.name for m in families}) < len(families):
            return None
        for crowds in crowded(self.structure, edit, asked):
            if not (free or _in_one_block(self.problem.domain, crowds, asked[0].map)):
                continue
            for numbers in (self._least(ranges), {}):
                found = self._of_crowds(pattern, crowds, ranges, numbers)
                if found is not None:
                    self._note(pattern, ranges, found, crowds, completed=True)
                    alone = [replace(s, seen=(0,) * len(s.seen)) for s in pattern.slots]
                    return self._reach(ranges, found, alone, completed=True)
        return None

    def _asked(self, slot: Slot) -> Asked | None:
        """Return what blocks see by a slot, None if the slot is not about single records."""
        mapping = self.problem.used_maps[slot.map]
        parts = self.parts[slot.map]
        apart = tuple(map(self._told_apart, parts))
        if slot.block or not all(
            r in (0, 1)
            or (
                not isinstance(r, Infinity)
                and (counts_records(part) or counts_one_side(part) or of is not None)
            )
            for part, r, of in zip(parts, slot.seen, apart, strict=True)
        ):
            return None
        one_way = any(map(counts_one_side, parts))
        if mapping.constant or not mapping.indices:
            return Asked(mapping, None, slot.seen, apart, one_way=one_way)
        known = self.structure.most_blocks_a_cell(mapping)
        most = number_of(self.structure, known) if isinstance(known, Term) else known
        if most is None or (most != 1 and not copies(mapping)):
            return None
        count = slot.count
        if count == ALL and len(mapping.sizes) == 1:
            (size,) = mapping.sizes
            count = size if isinstance(size, int) else Symbolic(size)
        piled = slot.wide is not None and count == most
        return Asked(mapping, count, slot.seen, apart, most, piled, one_way)

    def _endless(
        self, pattern: Pattern, slot: Slot, part: BoundPart, ranges: Sequence[KRange]
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols a part sees a block from as far as one likes, None if for none.

        A record that changes there was confirmed, and as many as one likes may come with it: each
        edit of the part makes up for few of them.
        """
        edit = self.structure.edits[pattern.edit]
        if self.attaining and reads_database(edit.step):
            return self._with_gaps(edit, slot, part, ranges)
        apart = None if few_a_step(part.granularity) else self._told_apart(part)
        if (
            not self.attaining
            or edit.frame is None
            or (apart is None and not few_a_step(part.granularity))
        ):
            return None
        mapping = self.problem.used_maps[slot.map]
        named = len(mapping.indices) == 1 and mapping.image is None
        asked = Asked(mapping, 1 if named else None, (MANY,), (apart,), piled=True)
        alone = replace(pattern, slots=(replace(slot, count=1, wide=None),))
        for crowds in endless(self.structure, edit, asked):
            for numbers in (self._least(ranges), {}):
                found = self._of_crowds(alone, crowds, ranges, numbers)
                if found is not None:
                    unseen = replace(slot, seen=(0,) * len(slot.seen))
                    return self._reach(ranges, found, [unseen], completed=True)
        return None

    def _with_gaps(
        self, edit: BoundEdit, slot: Slot, part: BoundPart, ranges: Sequence[KRange]
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols a part sees the gaps of a list from as far as one likes."""
        for block in self._some_of(slot):
            if self._gaps_grow(edit, part, block):
                return self._having(part.map, block, ranges)
        return None

    def _gaps_grow(self, edit: BoundEdit, part: BoundPart, block: tuple[int, ...]) -> bool:
        return self.structure.once_here(
            "gaps", edit, part.name, block,
            find=lambda: gaps_grow(self.structure, edit, part, block),
        )  # fmt: skip

    def _some_of(self, slot: Slot) -> list[tuple[int, ...]]:
        """Return the block of a slot, or the first few if it is of any."""
        sizes = self.problem.used_maps[slot.map].sizes
        first = [range(1, 1 + min(n if isinstance(n, int) else FEW_BLOCKS, FEW_BLOCKS))
                 for n in sizes]  # fmt: skip
        return [slot.block] if slot.block else list(itertools.product(*first))

    def _having(
        self, mapping: BoundMap, block: tuple[int, ...], ranges: Sequence[KRange]
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols there is a block, None if for none."""
        wanted = self._whole(ranges)
        for size, number in zip(mapping.sizes, block, strict=True):
            if isinstance(size, str):
                there = wanted[size].within(Interval(size, number, None))
                if there is None:
                    return None
                wanted[size] = there
        return tuple(wanted.values())

    def _told_apart(self, part: BoundPart) -> frozenset[str] | None:
        """Return the attributes that are the same of all records that an edit of a part changes.

        None where a part counts records, or sees images.
        """
        if counts_records(part) or part.map.image is not None or part.setting == "common":
            return None
        known = self.structure.told_apart(part.granularity)
        named = [] if known is None else [key.name for key in known.keys if key.op == "attr"]
        return frozenset(named) or None

    def _of_crowds(
        self,
        pattern: Pattern,
        crowds: Sequence[Crowd],
        ranges: Sequence[KRange],
        numbers: Mapping[str, int],
    ) -> FoundPair | None:
        """Return confirmed neighbours with some records, each in its blocks and part of a frame."""
        single = replace(pattern, slots=tuple(replace(s, count=1) for s in pattern.slots))
        edit = self.structure.edits[pattern.edit]

        def ask(pair: Pair) -> Demand:
            query = pair.query
            query.add(*[query.symbols[s] == n for s, n in numbers.items()])
            blocks = [
                (self.problem.used_maps[slot.map], block)
                for slot, block in self._blocks(pair, single, ranges, 1)
            ]
            for crowd in crowds:
                cell = query.cell("z")
                query.add(query.read(crowd.part, {**pair.params, "c": cell}))
                query.add(pair.old(cell) != pair.new(cell))
                for mapping, block in (blocks[n] for n in crowd.places):
                    query.add(pair.member(mapping, cell, block))
            return Demand(blocks, [])

        def judge(found: FoundPair) -> bool:
            step = found.world.linking(self.problem.outer, found.old, found.new, by=edit)
            if step is None:
                return False
            world, params = found.world, dict(step.params)
            changed = [c for c in world.cells if found.old.get(c, 0) != found.new.get(c, 0)]
            return all(
                any(
                    all(
                        world.member(found.blocks[n][0], c, found.blocks[n][1])
                        for n in crowd.places
                    )
                    and evaluate(crowd.part, world.environment(variables={**params, "c": c}))
                    for c in changed
                )
                for crowd in crowds
            )

        return self.structure.confirmed(edit, ask, judge, tries=3)

    def _attainable(self, pattern: Pattern) -> bool:
        """Return whether a pattern is of a kind that can be confirmed."""
        edit = self.structure.edits[pattern.edit]
        if len(edit.points) > MOST_POINTS:
            return False
        if any(
            (isinstance(r, Infinity) and connected(part.granularity))
            or isinstance(r, Symbolic | Total)
            or (isinstance(r, int) and edit.frame is not None and r > _most_confirmed(part))
            for slot in pattern.slots
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
        ):
            return False  # a distance is finite, or not to be found by search
        if reads_database(edit.step) and any(
            isinstance(r, Infinity) and self._gaps_grow(edit, part, block)
            for slot in pattern.slots
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
            for block in self._some_of(slot)
        ):
            return False  # from as far as one likes, by ever longer lists
        for slot in pattern.slots:
            mapping = self.problem.used_maps[slot.map]
            if _few(slot) or mapping.constant:
                continue
            if edit.frame is None:
                if not (copies(mapping) and self.free(mapping)):
                    return False
            elif not (
                (len(pattern.slots) == 1 or (slot.count == ALL and self._seen_as_one(pattern)))
                and self.free(mapping)
                and self._seen_by_itself(slot)
                and clones(self.structure, edit, mapping, slot.count) is not None
            ):
                return False
        return True

    def _seen_as_one(self, pattern: Pattern) -> bool:
        """Return whether whatever changes besides in a block does not change how far it is seen.

        Distances of 1 are the largest there are, and records with other attributes do not make up
        for each other where a block keeps them as they are.
        """
        return all(
            self.problem.used_maps[slot.map].image is None and all(r in (0, 1) for r in slot.seen)
            for slot in pattern.slots
        )

    def _seen_by_itself(self, slot: Slot) -> bool:
        """Return whether a block is seen from as far if it holds nothing but what changes."""
        return all(
            r in (0, 1) or isinstance(r, Infinity) or one_by_one(part)
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
        )

    def _confirmed(
        self, pattern: Pattern, ranges: Sequence[KRange], numbers: Mapping[str, int]
    ) -> tuple[FoundPair, Sequence[Slot]] | None:
        """Return databases on which a pattern was confirmed, and the slots of their blocks."""
        if not all(self._seen_alone(pattern, slot, ranges, numbers) for slot in pattern.slots):
            return None
        found = self._looked_for(pattern, ranges, numbers, outside=False)
        leaves = any(
            isinstance(r, Infinity) and not part.default_class
            for slot in pattern.slots
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
        )
        if found is None and leaves:
            return self._looked_for(pattern, ranges, numbers, outside=True)
        return found

    def _looked_for(
        self, pattern: Pattern, ranges: Sequence[KRange], numbers: Mapping[str, int], *,
        outside: bool,
    ) -> tuple[FoundPair, Sequence[Slot]] | None:  # fmt: skip
        """Return databases as a pattern says; those ``outside`` a class are infinitely far.

        Copies of one or two records are found sooner than as many different ones.
        """
        many = self.problem.domain.cap is None and any(
            isinstance(r, int) and r > FEW_RECORDS for slot in pattern.slots for r in slot.seen
        )
        found = None
        for most in (FEW_RECORDS, None) if many else (None,):
            found = found or self._among(pattern, ranges, numbers, outside=outside, most=most)
        return found

    def _among(
        self, pattern: Pattern, ranges: Sequence[KRange], numbers: Mapping[str, int], *,
        outside: bool, most: int | None,
    ) -> tuple[FoundPair, Sequence[Slot]] | None:  # fmt: skip
        edit = self.structure.edits[pattern.edit]
        asked: list[Slot] = []

        def ask(pair: Pair) -> Demand:
            asked.clear()
            pair.query.add(*[pair.query.symbols[s] == n for s, n in numbers.items()])
            blocks = self._blocks(pair, pattern, ranges, MOST_BLOCKS * 2)
            far: list[tuple[DistanceQuery, int]] = []
            demand = []
            for slot, block in blocks:
                demand.append((self.problem.used_maps[slot.map], block))
                asked.append(slot)
                far += self._far_from(pair, pattern, slot, block, outside=outside, most=most)
            apart = _copied_apart(asked, [block for _, block in blocks], pattern.slots)
            names = self.problem.used_maps
            pair.query.for_all_cells(
                lambda cell: [
                    logic.Not(logic.And(*[pair.member(names[m], cell, b) for b in two]))
                    for m, two in apart
                ]
            )
            return Demand(demand, far)

        def judge(found: FoundPair) -> bool:
            return self._shows(pattern, asked, found)

        endless = any(isinstance(r, Infinity) for slot in pattern.slots for r in slot.seen)
        again = AGAIN_ENDLESS if endless else AGAIN
        work = SearchWork(self.structure.effort.for_search(WORK))
        found = self.structure.confirmed(edit, ask, judge, tries=3, again=again, work=work)
        self.structure.effort.searches += found is None and work.over
        return None if found is None else (found, tuple(asked))

    def _shows(self, pattern: Pattern, asked: Sequence[Slot], found: FoundPair) -> bool:
        """Return whether the blocks of a pair, one a slot, are seen as a pattern says."""
        if len({(m.name, i) for m, i in found.blocks}) < len(found.blocks):
            return False
        apart = _copied_apart(asked, [index for _, index in found.blocks], pattern.slots)
        if any(
            all(found.world.member(self.problem.used_maps[m], cell, i) for i in two)
            for m, two in apart
            for cell in found.world.cells
        ):
            return False
        for slot, (_, index) in zip(asked, found.blocks, strict=True):
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True):
                if r is ANY:
                    continue
                seen = self.structure.bracket(found, part, index, reverse=pattern.reverse)
                if seen.exact != r:
                    return False
        return True

    def _far_from(
        self,
        pair: Pair,
        pattern: Pattern,
        slot: Slot,
        block: tuple[Any, ...],
        *,
        outside: bool,
        most: int | None,
    ) -> Iterator[tuple[DistanceQuery, int]]:
        """Say how far apart the parts see a block; yield the distances that must be larger."""
        edit, mapping = self.structure.edits[pattern.edit], self.problem.used_maps[slot.map]
        for part, r in zip(self.parts[slot.map], slot.seen, strict=True):
            whole = part.same_granularity or mapping.image is not None
            if (part.setting == "common" and whole) or r in (ANY, 0, 1):
                continue
            if self.structure.still(part):
                continue  # whatever changes is infinitely far
            view = pair.view(mapping, block)
            if outside and isinstance(r, Infinity) and not part.default_class:
                pair.query.cell("more")
                sides = (outside_class(view, part, after=after) for after in (False, True))
                pair.query.add(logic.Or(*sides))
            elif edit.frame is not None and isinstance(r, int) and one_by_one(part):
                come_or_go(view, r, most)
            else:
                distance = DistanceQuery(view, part.granularity, reverse=pattern.reverse)
                yield distance, r - 1 if isinstance(r, int) else 2

    def _reach(
        self, ranges: Sequence[KRange], found: FoundPair, asked: Sequence[Slot], *,
        completed: bool = False,
    ) -> tuple[Interval, ...]:  # fmt: skip
        """Return for which symbols a confirmed pair shows a pattern.

        ``completed``: it may be completed to databases of the size that the class asks for.
        """
        wanted = self._whole(ranges)
        for symbol in self.sizes:
            if not self._left_out(symbol):
                wanted[symbol] = replace(wanted[symbol], low=found.world.symbols[symbol])
        touched = [
            SeenBlock(mapping, index, tuple(zip(self.parts[mapping.name], slot.seen, strict=True)))
            for slot, (mapping, index) in zip(asked, found.blocks, strict=True)
        ]
        free = {m.name for m in self.maps if self.free(m)}
        return reaching(self.problem, found, touched, wanted, free, completed=completed)

    def _seen_alone(
        self, pattern: Pattern, slot: Slot, ranges: Sequence[KRange], numbers: Mapping[str, int]
    ) -> bool:
        """Return whether one block was confirmed to be seen from as far as the pattern says.

        What one block does not do, many do not, and a pair for many takes long to look for.
        """
        alone = replace(pattern, slots=(replace(slot, count=1),))
        if alone.slots == pattern.slots or all(r in (0, 1) for r in slot.seen):
            return True
        key = (alone, tuple(ranges), tuple(numbers.items()))
        if key not in self._alone:
            known = self._attainable(alone) and self._confirmed(alone, ranges, numbers)
            self._alone[key] = bool(known)
        return self._alone[key]


def _in_one_block(domain: Domain, crowds: Sequence[Crowd], mapping: BoundMap) -> bool:
    """Return whether the records of crowds differ in nothing that tells the blocks of a map."""
    told = attributes_read(domain, mapping.member)
    return not any(told & {*crowd.new, *(s.attribute for s in crowd.spread)}
                   for crowd in crowds)  # fmt: skip


def _few(slot: Slot) -> bool:
    """Return whether all blocks of a slot are asked for, one by one."""
    return isinstance(slot.count, int) and slot.count <= MOST_BLOCKS * 2


def _amounts(pattern: Pattern) -> set[str]:
    """Return the symbols in the distances of a pattern."""
    seen = (r for slot in pattern.slots for r in slot.seen)
    return {s for r in seen if isinstance(r, Symbolic | Total) for s in r.symbols}


def _copied_apart(
    asked: Sequence[Slot], blocks: Sequence[tuple[Any, ...]], slots: Sequence[Slot]
) -> list[tuple[str, tuple[tuple[Any, ...], tuple[Any, ...]]]]:
    """Return pairs of blocks that may share no record: each stands for as many as hold a record.

    A block is copied with all its records, those too that the edit does not touch; a record that
    lay in two of them would lie in twice as many blocks as it may.
    """
    many = {s for s in slots if not _few(s)}
    copied = [(s, b) for s, b in zip(asked, blocks, strict=True) if s in many]
    return [
        (first.map, (one, other))
        for (first, one), (second, other) in itertools.combinations(copied, 2)
        if first.map == second.map and first != second
    ]


def _most_confirmed(part: BoundPart) -> int:
    """Return up to which distance of a frame is looked for: farther where records are counted."""
    return MOST_RECORDS if one_by_one(part) else MOST_LEVELS
