"""The whole search: what every edit can do, in cases, and where blocks change only together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from dpcomp_sym.engine.blocks import MANY_BLOCKS, MOST_NAMED, nearest, written_out
from dpcomp_sym.engine.counting import blocks_by_cases, blocks_by_values, records_touched
from dpcomp_sym.engine.distances import MOST_STEPS, counts_records
from dpcomp_sym.engine.facts import Fact, Listed, MixedVectors, TogetherSets
from dpcomp_sym.engine.families import (
    MOST_SETS,
    MOST_WORK,
    Held,
    Reach,
    Types,
    Unit,
    by_records,
    changed_together,
)
from dpcomp_sym.engine.patterns import Menu, SeenFar, Slot, SlotRow, Touched, join, merged
from dpcomp_sym.engine.profiler.places import ProfilePlaces
from dpcomp_sym.engine.profiler.points import adds_up
from dpcomp_sym.engine.profiler.tables import (
    HURRIED,
    MANY_SETS,
    MOST_POINTS,
    ConditionedVector,
    is_frame,
)
from dpcomp_sym.engine.records import fewest, number_of, records_by_keys
from dpcomp_sym.engine.together import (
    Structured,
    any_few,
    together,
)
from dpcomp_sym.engine.together.attain import any_of_each
from dpcomp_sym.engine.together.counted import limited
from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.engine.together.one_block import of_one_block
from dpcomp_sym.engine.together.spans import number_of as length_of
from dpcomp_sym.engine.together.within import within
from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.engine.written_lists import lists_through
from dpcomp_sym.limits import current
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    Case,
    Group,
    MapInfo,
    Number,
    PartInfo,
    Profile,
    Symbolic,
    Varying,
    Vector,
    is_at_most,
    product_of,
)
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import Term, reads_database

__all__ = ["Profiler"]

Condition = tuple[int, s.Predicate, s.Predicate]
"""The number of integers, facts about these, and a condition of blocks."""
LESS: Final = 4
"""By what the work is divided for which sets are searched for where the last search found none."""
LEAST_WORK: Final = MOST_WORK // LESS**2
MOST_LISTED: Final = 8
"""Up to this many blocks, and sets of blocks that change together, are listed."""


class Profiler(ProfilePlaces):
    """The profile of one problem, and the facts that it is made of."""

    def described(self) -> tuple[tuple[MapInfo, ...], tuple[PartInfo, ...]]:
        """Return the descriptions of the maps and the parts."""
        infos = tuple(MapInfo(m.name, m.indices, self.alone(m), self.movable(m)) for m in self.maps)
        parts = tuple(
            PartInfo(p.name, p.map.name, p.guarantees, p.directed) for p in self.problem.bound_parts
        )
        return infos, parts

    def nothing(self) -> Profile:
        """Return the profile of a problem without neighbours."""
        return Profile(*self.described(), (), proved=True, exact=True, vacuous=True)

    def profile(self) -> Profile:
        """Return the profile: what every edit may do, in both directions."""
        infos, parts = self.described()
        in_range = all(
            isinstance(self.structure.range(p), Proved) for p in self.problem.bound_parts
        )
        menus = [
            menu
            for number, edit in enumerate(self.structure.edits)
            for reverse in self.structure.orientations
            for menu in self._menus(number, edit, reverse=reverse)
        ]
        self._leave_out_parts()
        finer = [
            m for menu in menus for m in self.finer.get((menu.edit, menu.reverse), [menu])
        ] if self.finer else []  # fmt: skip
        found = self._by_sizes(finer, menus) if finer else self._by_sizes(menus)
        cases = [self._joined(case, self.ways) for case in merged(found)]
        cases = [self._not_bounded(case) if case.open else case for case in cases]
        chosen = self.chosen.issuperset((m.edit, m.reverse) for m in menus)
        if chosen and all(way.anywhere for way in self.ways):
            infos = tuple(replace(info, exchangeable=True) for info in infos)
        return Profile(
            infos, parts, tuple(cases), proved=in_range,
            exact=in_range and all(c.attained for c in cases), coarse=self.coarse,
        )  # fmt: skip

    def _leave_out_parts(self) -> None:
        """Leave out what an edit changes together where that is a part of what another one does."""
        keys = [(menu.edit, menu.reverse) for menu in self.structured]
        for n, small in enumerate(keys):
            for m, big in enumerate(keys):
                if n == m or {small, big} - self.patterns.keys() or not self._nearer(n, m):
                    continue
                one, other = self.patterns[small], self.patterns[big]
                found = within(self.structure, one, other, self.problem.used_maps)
                if found is not None and found.conditions != one.conditions:
                    self.patterns[small] = found
                    self.ways[n] = self.ways[m]
                    break

    def _nearer(self, one: int, other: int) -> bool:
        """Return whether parts see what an edit changes from no farther than what another does."""
        near, far = ({g.map: g for g in self.ways[n].vector} for n in (one, other))
        return near.keys() == far.keys() and all(
            g.count == far[name].count == ALL
            and all(
                is_at_most(r, q)
                for (_, r), (_, q) in zip(g.distances, far[name].distances, strict=True)
            )
            for name, g in near.items()
        )

    def _menus(self, number: int, edit: BoundEdit, *, reverse: bool) -> list[Menu]:
        """Return what an edit may do: for each set of blocks that change together, if asked for."""
        loose = self.loose
        if is_frame(edit):
            menu = self.of_frame(number, edit, reverse=reverse)
        else:
            menu = self.of_points(number, edit, reverse=reverse)
        if self.rough:
            return [menu if is_frame(edit) else self._all_at_once(menu)]
        counted = self.facts
        way = self._of_structure(menu)
        if (shared := self.of_budget(menu, way)) is not None:
            self.patterns.pop((number, reverse), None)
            way, self.facts = shared, counted
        exact, coarse = way is not None and way.exact, self.coarse
        few = MOST_LISTED if exact and not self._many_maps() else MOST_SETS
        sets = None if exact and not self._few() else self._sets(number, edit, menu, few)
        if exact and sets is None:
            self.coarse = coarse
        if way is not None and sets is not None and _only_counts(menu, sets):
            sets = None  # the condition says more than how many blocks of a map change
        if way is not None and sets is None:
            if is_frame(edit) and way.within is not None:
                self.mixed.append(MixedVectors(number, reverse, (way.vector,)))
            self.loose = loose  # what was left to a rough count is not used
            self.ways.append(way)
            self.structured.append(menu)
            return []
        self.patterns.pop((number, reverse), None)
        self.facts = counted
        self.mix(edit, menu, sets)
        if sets is None:
            many = not is_frame(edit) and len(self.maps) > MOST_POINTS
            return [self._all_at_once(menu) if many else menu]
        self.together[number, reverse] = TogetherSets(number, reverse, tuple(
            tuple(self._listed(menu, u, *one) for u, held in reach.items() for one in held.items())
            for reach in sets
        ))  # fmt: skip
        self.loose = loose  # what was left to a rough count is not used
        return [self._of_reach(edit, menu, reach) for reach in sets]

    def _listed(self, menu: Menu, unit: Unit, held: Held, seen: SeenFar) -> Listed:
        """Return what a set says of a block: how far parts see it, where that is not all."""
        touched = frozenset[int]() if isinstance(held, int) else held
        most = self.types[menu.edit, menu.reverse][unit.map][touched]
        parts = zip(self.parts[unit.map], seen, most, strict=True)
        nearer = tuple((p.name, r) for p, r, far in parts if isinstance(r, int) and r != far)
        return unit.map, unit.block, tuple(sorted(touched)), nearer

    def _few(self) -> bool:
        """Return whether all blocks are written out and few: to list them is easier to read."""
        return all(
            m.constant or not m.indices or 0 < len(tuple(written_out(m))) <= MOST_LISTED
            for m in self.maps
        )

    def _many_maps(self) -> bool:
        """Return whether there are many maps, none of them a family."""
        return len(self.maps) > MOST_LISTED and not any(m.indices for m in self.maps)

    def _all_at_once(self, menu: Menu) -> Menu:
        """Return that single maps change all at once, each as badly as it can: a coarser bound."""
        rows: list[tuple[SlotRow, ...]] = []
        for mapping, ways in zip(self.maps, menu.rows, strict=True):
            types = self.types[menu.edit, menu.reverse][mapping.name]
            if mapping.indices or not types:
                rows.append(ways)
                continue
            rows.append(((Slot(mapping.name, 1, join(types.values()), upper=True),),))
            self.loose = True
        return replace(menu, rows=tuple(rows))

    def _sets(self, number: int, edit: BoundEdit, menu: Menu, most: int) -> list[Reach] | None:
        """Return which blocks change together, None where to count them is as good, or better.

        More sets than ``most`` are not listed.
        """
        named = self.named_blocks()
        types = self.types[number, menu.reverse]
        # A family that is written out, and too large for its blocks to be distinguished.
        if any(
            m.indices and m.name not in named and all(isinstance(n, int) for n in m.sizes)
            and not (m.constant or self.free(m))
            for m in self.maps
        ):  # fmt: skip
            self.coarse = MANY_SETS
        while named or len(types) > (1 if is_frame(edit) else MOST_POINTS):
            sets = self._sets_of(edit, types, named, most, reverse=menu.reverse)
            units = [Unit(name, block) for name in types for block in named.get(name, ((),))]
            if sets is None:
                self.coarse = HURRIED if current().budget.over else MANY_SETS
            shared = not sets or not any(
                isinstance(t, int) for reach in sets for held in reach.values() for t in held
            )
            few = self._counted(menu, shared=shared)
            worse = {
                name
                for name in named
                for changed in (map(tuple, sets) if sets else [units])
                if sum(u.map == name for u in changed) > few.get(name, MOST_NAMED)
            }
            if sets is not None and not worse:
                return sets
            if not named:
                break
            named = {name: blocks for name, blocks in named.items() if sets and name not in worse}
        return None

    def _sets_of(
        self, edit: BoundEdit, types: Mapping[str, Mapping[Touched, SeenFar]],
        named: Mapping[str, Sequence[tuple[int, ...]]], most: int, *, reverse: bool,
    ) -> list[Reach] | None:  # fmt: skip
        """Return what changes together, records of frames counted unless that is too much."""
        plain: dict[str, Types] = {n: dict(seen.items()) for n, seen in types.items()}
        counted = dict(plain)
        if is_frame(edit):
            for name, seen in types.items():
                if name in named or not self.problem.used_maps[name].indices:
                    parts = self.parts[name]
                    counted[name] = by_records(self.structure, edit, parts, seen[frozenset()])
        for way in (counted, plain) if counted != plain else (plain,):
            units: dict[Unit, Types] = {}
            for name, held in way.items():
                blocks = named.get(name, ((),))
                units |= self._in_blocks(edit, name, blocks, held, reverse=reverse)
            found = None
            if len(units) <= MOST_NAMED:
                found = changed_together(self.structure, edit, units, most, work=self.work)
            if found is not None:
                return found
            self.work = max(self.work // LESS, LEAST_WORK)
        return None

    def _in_blocks(
        self, edit: BoundEdit, name: str, blocks: Sequence[tuple[int, ...]], types: Types, *,
        reverse: bool,
    ) -> dict[Unit, Types]:  # fmt: skip
        """Return how far parts see each of some blocks of a map."""
        mapping = self.problem.used_maps[name]
        every = {Unit(name, block): types for block in blocks}
        plain = types.keys() == {frozenset()} and mapping.image is None
        if not (is_frame(edit) and plain and all(blocks)):
            return every
        seen = types[frozenset()]
        for place, (part, most) in enumerate(zip(self.parts[name], seen, strict=True)):
            if part.setting == "common" or not isinstance(most, int) or not 1 < most <= MOST_STEPS:
                continue
            near = self._nearer_blocks(edit, part, blocks, most, reverse=reverse)
            for block, r in near.items():
                (own,) = every[Unit(name, block)].values()
                own = (*own[:place], r, *own[place + 1 :])
                every[Unit(name, block)] = {frozenset(): own}
        return every

    def _nearer_blocks(
        self, edit: BoundEdit, part: BoundPart, blocks: Sequence[tuple[int, ...]], most: int, *,
        reverse: bool,
    ) -> Mapping[tuple[int, ...], int]:  # fmt: skip
        """Return from how far a part sees blocks that it sees from nearer than others."""

        def find() -> Mapping[tuple[int, ...], int]:
            moves = reads_database(edit.step)
            each = self._near_each(edit, first, most, reverse=reverse) if moves else None
            near = {b: r for b, (r, _) in (each or {}).items() if r < most}
            left = [b for b in blocks if b not in near]
            named = [(part.map, block) for block in left]
            lists = lists_through(self.problem, edit, named) if moves else ()
            for found in itertools.islice(lists, 1):
                seen = {b: self.structure.bracket(found, part, b, reverse=reverse) for b in left}
                left = [b for b in left if not is_at_most(most, seen[b].lower)]
            pair_of = partial(self.structure.pair, edit)
            return {**near, **nearest(pair_of, part, left, most, reverse=reverse)}

        first = self.structure.likeness.part(part)
        return self.structure.once_here("nearer blocks", edit, first.name, reverse, find=find)

    @staticmethod
    def _counted(menu: Menu, *, shared: bool) -> dict[str, int]:
        """Return how many blocks of a map change at most, a symbol taken at its least.

        Blocks that share what they see count as the number that they share, if that is of use.
        """
        found: dict[str, int] = {}
        for rows in menu.rows:
            for row in rows:
                counts: dict[str, int] = {}
                for slot in row:
                    count = slot.count if shared or slot.wide is None else slot.wide
                    number = count.factor if isinstance(count, Symbolic) else count
                    whole = number if isinstance(number, int) else MOST_NAMED
                    counts[slot.map] = counts.get(slot.map, 0) + whole
                for name, number in counts.items():
                    found[name] = max(found.get(name, 0), number)
        return found

    def _of_reach(self, edit: BoundEdit, menu: Menu, reach: Reach) -> Menu:
        """Return what an edit may do that changes nothing outside a set of blocks."""
        frame = is_frame(edit)
        rows: list[tuple[SlotRow, ...]] = []
        for mapping in self.maps:
            held = {u.block: t for u, t in reach.items() if u.map == mapping.name}
            types = self.types[menu.edit, menu.reverse].get(mapping.name, {})
            if mapping.indices and held and () not in held:
                rows.append((tuple(
                    Slot(mapping.name, 1, next(iter(seen.values())), upper=True, block=block)
                    for block, seen in held.items()
                ),))  # fmt: skip
            elif frame and not mapping.indices and held:
                (seen,) = held[()].values()
                rows.append(((Slot(mapping.name, 1, seen, upper=True),),))
            elif frame:
                rows += [r for r in menu.rows if held and r[0][0].map == mapping.name]
            else:
                some = {t: types[t] for t in types if t in held.get((), ())}
                ways = self._assignments(edit, mapping, some)
                rows.append(tuple(dict.fromkeys([(), *ways])))
        return replace(menu, rows=tuple(rows))

    def _of_structure(self, menu: Menu) -> ConditionedVector | None:
        """Return what an edit does where the numbers of blocks tell which ones change together.

        None where they do not, or where it is not certain that this is the better bound.
        """
        edit = self.structure.edits[menu.edit]
        alike = all(self.free(m) or not m.indices or self.renamable(m) for m in self.maps)
        alike = alike and not self._many_maps()
        every = any(slot.count == ALL for rows in menu.rows for row in rows for slot in row)
        single = len(self.maps) == 1 and not every
        known = all(map(self.free, self.maps)) and not (every and self.problem.domain.limited)
        if alike and (single or not is_frame(edit) or known):
            return None
        own = [f for f in self.facts if (f.edit, f.reverse) == (menu.edit, menu.reverse)]
        if self._is_endless(menu) and not is_frame(edit):
            return None  # what is infinitely far is enough, whichever blocks change besides
        far = [
            next(p for p in self.parts[f.map] if p.name == f.part)
            for f in own
            if f.part and f.frame and f.bound not in (0, 1)
        ]
        types = self._kinds_apart(menu)
        found = together(self.structure, edit, self.maps, far, types)
        if found is None:
            return None
        apart = found.held and not alike and not self._is_one_block(menu, found)
        told = self._of_kinds(menu, found) if apart else None
        return told or self._of_conditions(
            menu, replace(found, held={}, alike=None), own, alike=alike
        )

    def _is_endless(self, menu: Menu) -> bool:
        """Return whether one of many blocks may be seen infinitely far."""
        slots = [slot for rows in menu.rows for row in rows for slot in row]
        many = sum(len(tuple(written_out(m))) for m in self.maps) >= MANY_BLOCKS
        return many and any(INFINITY in slot.seen for slot in slots)

    def _of_conditions(
        self, menu: Menu, found: Structured, own: Sequence[Fact], *, alike: bool
    ) -> ConditionedVector | None:
        """Return what an edit does where all blocks with a condition are as bad as the worst.

        ``own``: the facts about the edit; ``alike``: blocks of all maps can be renumbered.
        """
        facts: dict[tuple[str, str | None], list[Any]] = {(f.map, f.part): [] for f in self.facts}
        for f in own:
            facts[f.map, f.part].append(f.bound)
        if alike and found.names_blocks:  # to count blocks says as much, and is easier to read
            near = all(r in (0, 1) for (_, part), rs in facts.items() if part for r in rs)
            shown = found.attained and near
            return self._anywhere(menu, found, facts) if shown else self.each_in_any_blocks(menu)
        counted = (
            self._any_few(menu, found, facts) or self.of_any_record(menu)
            or self.of_all_blocks(menu) or self.each_in_any_blocks(menu)
        )  # fmt: skip
        if counted is not None:
            return counted
        found = self.of_slices(menu, self.of_few_records(menu, found, facts), facts)
        if not (found.distinguishes or found.attained):
            return None
        known = {place: length_of(x) for place, x in found.spans.items()}
        fixed = {place for place, n in known.items() if facts[place] == [n]}  # in all blocks
        varying = {place: x for place, x in found.spans.items() if place not in fixed}
        for place, length in varying.items():
            facts[place][:] = [Varying(length)]
        ones = all(
            isinstance(r, Varying) or r in (0, 1) or r == found.full.get((place[0], place[1] or ""))
            for place, rs in facts.items() if place[1] is not None and place not in fixed
            for r in rs
        )  # fmt: skip
        found = replace(found, spans=varying)
        exact = found.attained and ones
        every = any(slot.count == ALL for rows in menu.rows for row in rows for slot in row)
        if exact and found.any_choice and not every and limited(
            self.structure, found.when(self.maps[0].name), self.maps[0], found.any_choice
        ):  # fmt: skip
            self.chosen.add((menu.edit, menu.reverse))
            return None
        if not (exact or (found.distinguishes and self._says_more(found, menu, facts))):
            return None
        easier = self._easier(menu, found, facts) if exact else None
        if easier is not None:
            return easier
        everything = exact and found.everything and not found.spans
        if (found.distinguishes or found.spans) and not everything:
            self.patterns[menu.edit, menu.reverse] = found
        if not is_frame(self.structure.edits[menu.edit]):  # counts are of single records there
            facts |= {(m.name, None): [ALL] for m in self.maps}
        if not exact:
            facts = self._counted_as_well(menu, found, facts)
        vector = self._of_all_maps(found, facts, exact=exact, everything=everything)
        worst = found.worst if exact and not everything else None
        return ConditionedVector(vector, exact, worst)

    def _easier(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> ConditionedVector | None:
        """Return what is attained without integers, where blocks say as much by themselves."""
        return self._anywhere(menu, found, facts) or self._one_by_one(menu, found, facts)

    def _anywhere(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> ConditionedVector | None:
        """Return that of each map any one block changes, whichever others do, or all, if it is so.

        ``found`` is attained: blocks are counted, since that is easier to read.
        """
        conditions = {m.name: (found.conditions[m.name], m.sizes) for m in self.maps}
        alone = any_of_each(self.structure, len(found.terms), found.facts, conditions)
        if not alone or len(self.maps) == 1 or not all(
            not m.sizes or facts[m.name, None] == [1 if m.name in alone else ALL] for m in self.maps
        ):  # fmt: skip
            return None
        self.chosen.add((menu.edit, menu.reverse))
        plain = replace(found, conditions={m.name: TRUE for m in self.maps})
        vector = self._of_all_maps(plain, facts, exact=False, everything=False)
        return ConditionedVector(vector, True, found.worst, anywhere=True)

    def _one_by_one(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> ConditionedVector | None:
        """Return that one block changes of those with a condition, where integers only name it."""
        edit, (mapping, *more) = self.structure.edits[menu.edit], self.maps
        single = is_frame(edit) or len(edit.points) == 1
        if more or found.spans or not (single and found.terms) or facts[mapping.name, None] != [1]:
            return None
        among = found.facts, found.conditions[mapping.name], mapping.sizes
        when = of_one_block(self.structure, len(found.terms), *among)
        if when is None or when == TRUE:
            return None
        alone = replace(found, terms=(), facts=TRUE, conditions={mapping.name: when})
        self.patterns[menu.edit, menu.reverse] = alone
        vector = self._of_all_maps(alone, facts, exact=False, everything=False)
        return ConditionedVector(vector, True, found.worst)

    def _any_few(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> ConditionedVector | None:  # fmt: skip
        """Return that any so many blocks of a family change as are counted, if it is so.

        Blocks of other maps all change with them that have their conditions, and see one record of
        each, and none besides, if it matters how many there are.
        """
        if found.attained or not is_frame(self.structure.edits[menu.edit]):
            return None
        families = [m for m in self.maps if m.indices] or self.maps
        tried = (self._any_few_of(menu, found, facts, m) for m in families)
        return next((way for way in tried if way is not None), None)

    def _any_few_of(
        self, menu: Menu, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]],
        mapping: BoundMap,
    ) -> ConditionedVector | None:  # fmt: skip
        edit = self.structure.edits[menu.edit]
        others = [m for m in self.maps if m != mapping]
        (count,) = facts[mapping.name, None]
        bounds = {key: rs for key, rs in facts.items() if key[1] is not None}
        near = all(r in (0, 1) for (name, _), rs in bounds.items() if name == mapping.name
                   for r in rs)  # fmt: skip
        told = {mapping.name, *(m.name for m in others if m.indices)}
        if not near or not told <= found.conditions.keys():
            return None
        seen = {r for (name, _), rs in bounds.items() if name != mapping.name for r in rs}
        seen -= {0, 1}  # a block that changes is that far at least
        if seen and not self._see_each(others):
            return None
        counts, each = (count, *self._counts(edit, mapping)), bool(seen)
        few = next((n for n in counts if isinstance(n, Number) and seen <= {n}
                    and any_few(self.structure, edit, mapping, n, others, each=each)),
                   None)  # fmt: skip
        if few is None:
            return None
        if few != count:
            self._count(menu, mapping, few)
        counted: dict[tuple[str, str | None], list[Any]] = {
            (m.name, None): [few if m == mapping else ALL] for m in self.maps if m.indices
        }
        vector = self._of_all_maps(found, {**facts, **counted}, exact=False, everything=False)
        if found.distinguishes:
            self.patterns[menu.edit, menu.reverse] = found
        else:
            self.chosen.add((menu.edit, menu.reverse))
        return ConditionedVector(vector, True, None, anywhere=not found.distinguishes)

    def _see_each(self, others: Sequence[BoundMap]) -> bool:
        """Return whether parts of some maps see as much distance as records come and go."""
        parts = [p for m in others for p in self.parts[m.name]]
        return all(counts_records(p) and p.setting != "common" for p in parts)

    def _counted_as_well(
        self, menu: Menu, found: Structured, facts: dict[tuple[str, str | None], list[Any]]
    ) -> dict[tuple[str, str | None], list[Any]]:
        """Return facts with a number of blocks that a pattern does not imply, if there is one."""
        edit, (mapping, *more) = self.structure.edits[menu.edit], self.maps
        if more or not is_frame(edit) or found.times != 1 or not found.distinguishes:
            return facts
        when = found.when(mapping.name)
        if when is None or any(isinstance(x, s.LetterAt) for x in s.subterms(when[2])):
            return facts  # functions choose all blocks
        (known,) = facts[mapping.name, None]
        if not limited(self.structure, when, mapping, known):
            return facts
        for count in self._counts(edit, mapping):
            if count is not None and not limited(self.structure, when, mapping, count):
                self._count(menu, mapping, count)
                return {**facts, (mapping.name, None): [count]}
        return facts

    def _counts(self, edit: BoundEdit, mapping: BoundMap) -> Iterator[Number | None]:
        """Yield how many blocks change at most, by records, by cases and by values of limits."""
        of = self.structure, edit, mapping
        yield fewest(self._of_records(edit, mapping), blocks_by_cases(*of))
        yield blocks_by_values(*of)

    def _of_records(self, edit: BoundEdit, mapping: BoundMap) -> Number | None:
        """Return how many blocks change at most, by how many records do."""
        records = fewest(
            records_touched(self.structure, edit),
            records_by_keys(self.structure, edit, mapping, one_block=False),
        )
        each = self.structure.most_blocks_a_cell(mapping)
        if each is None or records is None:
            return None
        most = number_of(self.structure, each) if isinstance(each, Term) else each
        return None if most is None else product_of([records, most])

    def _count(self, menu: Menu, mapping: BoundMap, count: Number) -> None:
        """Say that an edit changes so many blocks of a map, in the place of what was said."""
        self.facts = [
            replace(f, bound=count)
            if (f.edit, f.reverse, f.map, f.part) == (menu.edit, menu.reverse, mapping.name, None)
            else f
            for f in self.facts
        ]

    def _kinds_apart(self, menu: Menu) -> Mapping[str, Mapping[Touched, SeenFar]] | None:
        """Return how blocks are seen that hold some records, if it matters how many these are."""
        if is_frame(self.structure.edits[menu.edit]):
            return None
        types = self.types[menu.edit, menu.reverse]
        seen = [r for of in types.values() for rs in of.values() for r in rs]
        known = all(isinstance(r, int) for r in seen)
        return types if known and any(r not in (0, 1) for r in seen) else None

    def _is_one_block(self, menu: Menu, found: Structured) -> bool:
        """Return whether all records of an edit can be in one block, and lie in no other then.

        To count blocks says as much then, and is easier to read, where any blocks can be the ones
        that change; of several maps it does not say which of their blocks hold the same record.
        """
        alike = found.alike
        if alike is None or not alike.attained or len(self.maps) > 1:
            return False
        (mapping,) = self.maps
        of_one = (alike.free, alike.facts, alike.conditions[mapping.name])
        if not limited(self.structure, of_one, mapping, 1):
            return False
        key = menu.edit, menu.reverse
        (types,) = self.types[key].values()
        seen = {types[held] for held in types if len(held) == 1}
        points = len(self.structure.edits[menu.edit].points)
        if found.attained and found.any_choice >= points == 2 and len(seen) == 1:
            self.chosen.add(key)
        counted = key in self.chosen or self.alone(mapping) or self.movable(mapping)
        return counted or not found.attained

    def _of_kinds(self, menu: Menu, found: Structured) -> ConditionedVector | None:
        """Return what an edit does where blocks are told apart by the records that they hold.

        None where it is not certain that this is the better bound: what is not attained must be of
        one map, of which no more blocks may hold a record than are counted.
        """
        types = self.types[menu.edit, menu.reverse]
        counts: dict[str, Any] = {f.map: f.bound for f in self.facts
                  if (f.edit, f.reverse, f.part) == (menu.edit, menu.reverse, None)}  # fmt: skip
        alike, points = found.alike, len(self.structure.edits[menu.edit].points)
        exact = found.attained and all(
            r in (0, 1) or (r == len(held) and counts_records(part))
            for name, of in types.items()
            for held, seen in of.items()
            for part, r in zip(self.parts[name], seen, strict=True)
        )

        def few(name: str, when: Condition) -> bool:
            return limited(self.structure, when, self.problem.used_maps[name], counts[name])

        def group(name: str, when: Condition, held: Touched) -> Group:
            count = ALL if exact or few(name, when) else counts[name]
            parts = zip(self.parts[name], types[name][held], strict=True)
            return Group(name, count, tuple((p.name, r) for p, r in parts), when=when)

        whole = {} if alike is None else {
            name: (alike.free, alike.facts, p) for name, p in alike.conditions.items()
        }  # fmt: skip
        sure = len(self.maps) == 1 and all(few(name, when) for name, when in whole.items())
        if not exact and not (whole and sure):
            return None
        vector = tuple(
            group(name, (len(found.terms), found.facts, condition), records)
            for name, of in found.held.items()
            for held, condition in of.items()
            if any(types[name][records := frozenset(n - 1 for n in held)])
        )
        every = frozenset(range(points))
        if exact and found.everything and all(every in of for of in types.values()):
            rows = (
                (name, zip(self.parts[name], of[every], strict=True)) for name, of in types.items()
            )
            everything = (
                Group(name, ALL, tuple((p.name, r) for p, r in row)) for name, row in rows
            )
            return ConditionedVector(tuple(everything), exact, None)
        self.patterns[menu.edit, menu.reverse] = found
        worst = found.worst if exact else None
        adds = all(every in of and adds_up(of, points) for of in types.values())
        if alike is None or not (alike.attained and adds):
            return ConditionedVector(vector, exact, worst)
        mean = tuple(group(name, when, every) for name, when in whole.items())
        return ConditionedVector(mean, exact, worst, within=vector)

    def _says_more(
        self, found: Structured, menu: Menu, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> bool:
        """Return whether it is the better bound that all blocks change that may do so.

        Not where few blocks share what these see, or blocks that hold other records see less; nor
        where these are all blocks at once, or some part sees infinitely far, whichever they are.
        """
        slots = [slot for rows in menu.rows for row in rows for slot in row]
        shared = [slot for slot in slots if slot.wide is not None]
        if not all(
            limited(
                self.structure, found.when(slot.map), self.problem.used_maps[slot.map], slot.count
            )
            for slot in shared
        ):
            return False
        if all(f.frame for f in self.facts if f.edit == menu.edit):
            return True
        if found.everything or any(INFINITY in slot.seen for slot in slots):
            return False
        if len(self.maps) == 1 and self._counts_no_less(found, menu, facts):
            return True
        return all(
            any(
                (slot.map, slot.count) == (m.name, ALL)
                and slot.seen == tuple(_farthest(facts[m.name, p.name]) for p in self.parts[m.name])
                for slot in slots
            )
            for m in self.maps
        )

    def _counts_no_less(
        self, found: Structured, menu: Menu, facts: Mapping[tuple[str, str | None], list[Any]]
    ) -> bool:
        """Return whether some pattern of the only map has no fewer blocks, seen from no nearer.

        Not where it may be that any so many blocks change, which is easier to read.
        """
        (mapping,) = self.maps
        if self.alone(mapping):
            return False
        far = tuple(_farthest(facts[mapping.name, p.name]) for p in self.parts[mapping.name])
        for rows in itertools.product(*menu.rows):
            slots = [slot for row in rows for slot in row]
            counts = [slot.count for slot in slots]
            whole = sum(n for n in counts if isinstance(n, int))
            if (
                whole > 1
                and all(isinstance(n, int) for n in counts)
                and all(slot.seen == far for slot in slots)
                and limited(self.structure, found.when(mapping.name), mapping, whole)
            ):
                return True
        return False

    def _of_all_maps(
        self, found: Structured, facts: Mapping[tuple[str, str | None], list[Any]], *,
        exact: bool, everything: bool,
    ) -> Vector:  # fmt: skip
        """Return the blocks that an edit changes together, map by map."""
        groups = []
        for m in self.maps:
            (count,) = facts[m.name, None]
            seen = tuple((p.name, _farthest(facts[m.name, p.name])) for p in self.parts[m.name])
            if all(r == 0 for _, r in seen):
                continue
            several = found.times != 1
            if not several and (exact or limited(self.structure, found.when(m.name), m, count)):
                count = ALL
            when = (len(found.terms), found.facts, found.conditions.get(m.name))
            told = when if (found.distinguishes or found.spans) and not everything else None
            groups.append(Group(m.name, count, seen, when=told, times=found.times))
        return tuple(groups)

    @staticmethod
    def _joined(case: Case, ways: Sequence[ConditionedVector]) -> Case:
        """Return a case with what other edits do, for all numbers."""
        means = [way.vector for way in ways if way.within]
        kept = [way.vector for way in ways if not any(_nearer_alike(way.vector, v) for v in means)]
        vectors = dict.fromkeys((*case.vectors, *kept))
        within = dict.fromkeys((*case.single, *(way.within or way.vector for way in ways)))
        mean = bool(case.within or means)
        exact = case.attained and all(way.exact for way in ways)
        known = case.worst if case.vectors else ((case.ranges, ()),)
        placed = [way.worst for way in ways if way.worst is not None]
        worst = [(ranges, (*pairs, *placed)) for ranges, pairs in known]
        if not exact or len(placed) < len(ways):
            worst = []
        return replace(
            case, vectors=tuple(vectors), attained=exact, worst=tuple(worst),
            within=tuple(within) if mean else (),
        )  # fmt: skip

    def _not_bounded(self, case: Case) -> Case:
        """Return a case with a part for which no finite distance is true, if one is found."""
        some = (menu.pattern(rows[0] for rows in menu.rows) for menu in self.structured)
        infinite = [p for p in some if any(INFINITY in slot.seen for slot in p.slots)]
        far, endless, shown = self._excluded(infinite, case.ranges)
        return replace(case, far=far, endless=endless, shown=shown) if far or endless else case


def _nearer_alike(small: Vector, big: Vector) -> bool:
    """Return whether a vector is another one, with the same conditions, at smaller distances."""
    return small != big and len(small) == len(big) and all(
        replace(a, distances=b.distances) == b
        and all(is_at_most(r, q) for (_, r), (_, q) in zip(a.distances, b.distances, strict=True))
        for a, b in zip(small, big, strict=True)
    )  # fmt: skip


def _only_counts(menu: Menu, sets: Sequence[Reach]) -> bool:
    """Return whether sets are but one, of all that changes, with no more to it than its counts."""
    slots = (slot for rows in menu.rows for row in rows for slot in row)
    held = ((unit, kind) for reach in sets for unit, seen in reach.items() for kind in seen)
    return (
        len(sets) == 1
        and all(slot.wide is None for slot in slots)
        and not any(unit.block or isinstance(kind, int) for unit, kind in held)
    )


def _farthest(distances: Sequence[Any]) -> Any:
    """Return the largest of some distances, or the one that differs from block to block."""
    return distances[0] if len(distances) == 1 else max(distances)
