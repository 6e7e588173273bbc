"""The profile of a composition: all joint vectors of distances, up to domination.

An edit that names its cells ("points") touches a block in a *type*: the set of points that the
block holds.  For every type the distance that the parts see is bounded (a proof each); then all
assignments of types to blocks are enumerated, the impossible ones excluded (a proof each), and
the maximal ones attained on concrete databases.

A frame can touch any number of cells.  There the number of changed blocks is bounded, by proof
for small numbers, by counting records where the class limits them, or not at all.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.counting import most_changed, records_touched, times
from dpcomp_sym.engine.crowds import Asked, crowded
from dpcomp_sym.engine.distances import MOST_STEPS, connected, counts_records, one_by_one
from dpcomp_sym.engine.facts import Fact, Facts, InfeasiblePattern, Listed, Shared, Together
from dpcomp_sym.engine.families import (
    MOST_NAMED,
    Held,
    Reach,
    Types,
    Unit,
    by_records,
    changed_together,
    written_out,
)
from dpcomp_sym.engine.freed import left_open, says_as_much, specialised
from dpcomp_sym.engine.listing import farthest_in_list
from dpcomp_sym.engine.patterns import (
    Far,
    Menu,
    Order,
    Pattern,
    Place,
    SeenFar,
    Slot,
    SlotRow,
    Touched,
    descending,
    dominates,
    fits,
    is_at_most,
    join,
    merged,
    plus,
    weight,
)
from dpcomp_sym.engine.persist import SeenBlock, reaching
from dpcomp_sym.engine.quotients import whole_view
from dpcomp_sym.engine.ranges import divided
from dpcomp_sym.engine.records import fewest, number_of, records_by_keys
from dpcomp_sym.engine.replication import clones, copies
from dpcomp_sym.engine.structure import MOST_BLOCKS, Structure, outside_class
from dpcomp_sym.engine.together import Structured, limited, structured
from dpcomp_sym.engine.unit_steps import walked
from dpcomp_sym.engine.verdict import Proved, Vacuous
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    All,
    Case,
    Count,
    Group,
    Infinity,
    Interval,
    KRange,
    MapInfo,
    PartInfo,
    Profile,
    Symbolic,
    Varying,
    Vector,
)
from dpcomp_sym.smt import GroundCell, Pair, View, logic
from dpcomp_sym.smt import ViewDistance as DistanceQuery
from dpcomp_sym.smt.query import equal
from dpcomp_sym.terms import Term, conjuncts, evaluate, free_variables, subterms
from dpcomp_sym.terms.term import integer

__all__ = ["profile_of", "profile_with_facts"]

MOST_POINTS: Final = 4
MOST_LEVELS: Final = 4
MOST_RECORDS: Final = 12
MOST_ALIKE: Final = 32
"""So many patterns of one shape are asked for one that is attained."""


MOST_LISTED: Final = 8
"""So many blocks, and sets of blocks that change together, are listed rather than described."""


def profile_with_facts(structure: Structure) -> tuple[Profile, Facts]:
    """Return the profile with the facts that it was made of.

    Where symbols have numbers it is never worse than what was found of all numbers of these.
    """
    found = _found(structure)
    if structure.freed is None or found[0].exact:
        return found
    numbers = {s: i.low for s in structure.problem.symbols
               if (i := structure.numbers(s)).low is not None and i.low == i.high}  # fmt: skip
    general, facts = _found(structure.freed)
    known = specialised(general, numbers)
    if says_as_much(found[0], known, numbers):
        return found
    narrower = (f for f in facts.narrower if _speak_of(f.ranges, numbers))
    return known, replace(
        _at(facts, general, numbers), narrower=tuple(_at(f, general, numbers) for f in narrower)
    )


def _speak_of(ranges: tuple[KRange, ...], numbers: Mapping[str, int]) -> bool:
    return Case(ranges, (), attained=False).speaks_of(numbers)


def _at(facts: Facts, general: Profile, numbers: Mapping[str, int]) -> Facts:
    """Return facts that were found of all numbers of some symbols as facts about a few of them."""
    never = tuple(
        replace(n, ranges=left_open(n.ranges, general, numbers))
        for n in facts.never
        if _speak_of(n.ranges, numbers)
    )
    return replace(facts, never=never, freed=True, ranges=left_open(facts.ranges, general, numbers))


def _found(structure: Structure, apart: Sequence[str] | None = None) -> tuple[Profile, Facts]:
    """Return what there is to find, small numbers of symbols set apart: of these, or of any."""
    whole = _undivided(structure, of_a_range=apart is not None)
    if apart is None:
        sizes = {size for info in whole[0].maps for _, size in info.indices}
        shown = {one.symbol for case in whole[0].cases for one in case.shown}
        # Numbers of others are looked at inside the ranges of those that were not shown for all.
        apart = sorted(
            (s for s in structure.problem.symbols if s not in sizes), key=lambda s: s not in shown
        )
    return divided(structure, whole, apart, _found, _bound)


def _bound(structure: Structure) -> Profile:
    """Return what bounds a range of numbers, whether or not it is attained."""
    return _Profiler(structure, attaining=False).profile()


def _undivided(structure: Structure, *, of_a_range: bool) -> tuple[Profile, Facts]:
    profiler = _Profiler(structure)
    # That nothing happens for some numbers only is shown like anything else that does not happen.
    vacuous = isinstance(structure.vacuity, Vacuous) and not of_a_range
    profile = profiler.nothing() if vacuous else profiler.profile()
    together = tuple(profiler.together.values())
    never = tuple(profiler.never())
    return profile, Facts(
        tuple(profiler.facts), never, together, tuple(profiler.shared),
        patterns=profiler.patterns,
    )  # fmt: skip


def profile_of(structure: Structure) -> Profile:
    """Return the profile of a problem's composition.

    Everything in it is proved as an upper bound; ``exact`` says that every vector of every case
    was also attained.
    """
    return profile_with_facts(structure)[0]


_ANY: Final[Any] = None
"""A distance that is not in question."""


class _Profiler:
    def __init__(self, structure: Structure, *, attaining: bool = True) -> None:
        self.structure = structure
        self.attaining = attaining
        """Whether databases are looked for that attain what bounds them."""
        self.problem = structure.problem
        self.maps: list[BoundMap] = list(self.problem.used_maps.values())
        self.parts: dict[str, list[BoundPart]] = {
            m.name: [p for p in self.problem.bound_parts if p.map.name == m.name] for m in self.maps
        }
        self.facts: list[Fact] = []
        self.together: dict[tuple[int, bool], Together] = {}
        self.shared: list[Shared] = []
        self.types: dict[tuple[int, bool], dict[str, dict[Touched, SeenFar]]] = {}
        self.numbers = {s: self.structure.numbers(s) for s in self.problem.symbols}
        self.sizes = {s for m in self.maps for _, s in m.indices if isinstance(s, str)}
        self._possible_ones: dict[tuple[Pattern, tuple[KRange, ...]], bool] = {}
        self._alone: dict[Any, bool] = {}
        self.patterns: dict[tuple[int, bool], Structured] = {}
        self.ways: list[tuple[Vector, bool]] = []
        """What edits do that change blocks with a condition, and whether all of it is attained."""
        self.coarse = False
        """Whether sets of blocks that change together were too many to be found."""
        self.chosen: set[tuple[int, bool]] = set()
        """Edits that change any choice of so many blocks of the only map."""

    # ------------------------------------------------------------- the whole

    def described(self) -> tuple[tuple[MapInfo, ...], tuple[PartInfo, ...]]:
        """Return what there is to say of the maps and the parts."""
        infos = tuple(MapInfo(m.name, m.indices, self.alone(m)) for m in self.maps)
        parts = tuple(
            PartInfo(p.name, p.map.name, p.guarantees, p.directed) for p in self.problem.bound_parts
        )
        return infos, parts

    def nothing(self) -> Profile:
        """Return the profile of a problem without neighbours."""
        return Profile(*self.described(), (), proved=True, exact=True, vacuous=True)

    def profile(self) -> Profile:
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
        cases = [self._joined(case, self.ways) for case in merged(self._by_sizes(menus))]
        if not self.ways and all((m.edit, m.reverse) in self.chosen for m in menus):
            infos = tuple(replace(info, exchangeable=True) for info in infos)
        return Profile(
            infos, parts, tuple(cases), proved=in_range,
            exact=in_range and all(c.attained for c in cases), coarse=self.coarse,
        )  # fmt: skip

    def _menus(self, number: int, edit: BoundEdit, *, reverse: bool) -> list[Menu]:
        """Return what an edit may do: for each set of blocks that change together, if asked for."""
        loose = self.loose
        if _is_frame(edit):
            menu = self.of_frame(number, edit, reverse=reverse)
        else:
            menu = self.of_points(number, edit, reverse=reverse)
        way = self._of_structure(menu)
        exact = way is not None and way[1]
        sets = None if exact and not self._few() else self._sets(number, edit, menu)
        if exact and sets is not None and len(sets) > MOST_LISTED:
            sets = None
        if way is not None and sets is None:
            self.ways.append(way)
            return []
        self.patterns.pop((number, reverse), None)
        if sets is None:
            many = not _is_frame(edit) and len(self.maps) > MOST_POINTS
            return [self._all_at_once(menu) if many else menu]
        self.together[number, reverse] = Together(number, reverse, tuple(
            tuple(self._listed(menu, u, *one) for u, held in reach.items() for one in held.items())
            for reach in sets
        ))  # fmt: skip
        self.loose = loose  # what was left to a rough count is not used
        return [self._of_reach(edit, menu, reach) for reach in sets]

    def _listed(self, menu: Menu, unit: Unit, held: Held, seen: SeenFar) -> Listed:
        """Return what a set says of a block: how far parts see it, where that is not all."""
        if not isinstance(held, int):
            return unit.map, unit.block, tuple(sorted(held)), ()
        most = self.types[menu.edit, menu.reverse][unit.map][frozenset()]
        parts = zip(self.parts[unit.map], seen, most, strict=True)
        nearer = tuple((p.name, r) for p, r, far in parts if isinstance(r, int) and r != far)
        return unit.map, unit.block, (), nearer

    def _few(self) -> bool:
        """Return whether all blocks are written out and few: to list them is easier to read."""
        return all(
            m.constant or not m.indices or 0 < len(tuple(written_out(m))) <= MOST_LISTED
            for m in self.maps
        )

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

    def _sets(self, number: int, edit: BoundEdit, menu: Menu) -> list[Reach] | None:
        """Return which blocks change together, None where to count them is as good, or better."""
        named = {
            m.name: blocks
            for m in self.maps
            if not (m.constant or self.free(m)) and (blocks := tuple(written_out(m)))
        }
        types = self.types[number, menu.reverse]
        # A family that is written out, and too large for its blocks to be told apart.
        self.coarse |= any(
            m.indices and m.name not in named and all(isinstance(n, int) for n in m.sizes)
            and not (m.constant or self.free(m))
            for m in self.maps
        )  # fmt: skip
        while named or len(types) > (1 if _is_frame(edit) else MOST_POINTS):
            sets = self._sets_of(edit, types, named)
            units = [Unit(name, block) for name in types for block in named.get(name, ((),))]
            if sets is None:
                self.coarse = True
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
        named: Mapping[str, Sequence[tuple[int, ...]]],
    ) -> list[Reach] | None:  # fmt: skip
        """Return what changes together, records of frames counted unless that is too much."""
        plain: dict[str, Types] = {n: dict(seen.items()) for n, seen in types.items()}
        counted = dict(plain)
        if _is_frame(edit):
            for name, seen in types.items():
                if name in named or not self.problem.used_maps[name].indices:
                    parts = self.parts[name]
                    counted[name] = by_records(self.structure, edit, parts, seen[frozenset()])
        for way in (counted, plain) if counted != plain else (plain,):
            units = {Unit(n, b): seen for n, seen in way.items() for b in named.get(n, ((),))}
            found = None
            if len(units) <= MOST_NAMED:
                found = changed_together(self.structure, edit, units)
            if found is not None:
                return found
        return None

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
        frame = _is_frame(edit)
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

    def _of_structure(self, menu: Menu) -> tuple[Vector, bool] | None:
        """Return what an edit does where the numbers of blocks tell which ones change together.

        None where they do not, or where it is not certain that this is the better bound.
        """
        if all(self.free(m) or not m.indices for m in self.maps):
            return None
        edit = self.structure.edits[menu.edit]
        far = [
            next(p for p in self.parts[f.map] if p.name == f.part)
            for f in self.facts
            if f.part and f.frame and f.bound not in (0, 1)
            and (f.edit, f.reverse) == (menu.edit, menu.reverse)
        ]  # fmt: skip
        found = self.structure.once(
            "together", edit, *(p.name for p in far),
            find=lambda: structured(self.structure, edit, self.maps, far),
        )  # fmt: skip
        if found is None:
            return None
        facts: dict[tuple[str, str | None], list[Any]] = {(f.map, f.part): [] for f in self.facts}
        for f in self.facts:
            if (f.edit, f.reverse) == (menu.edit, menu.reverse):
                facts[f.map, f.part].append(f.bound)
        if not (found.names_blocks or found.attained):
            return None
        for (name, part), rs in facts.items():
            if part is not None and (name, part) in found.spans:
                rs[:] = [Varying(found.spans[name, part])]
        far_ones = [r for (_, part), rs in facts.items() if part is not None for r in rs]
        ones = all(isinstance(r, Varying) or r in (0, 1) for r in far_ones)
        exact = found.attained and ones
        if (
            exact
            and found.any_choice
            and limited(self.structure, found, self.maps[0], found.any_choice)
        ):
            self.chosen.add((menu.edit, menu.reverse))
            return None
        if not (exact or found.names_blocks):
            return None
        if not exact and not all(f.frame for f in self.facts if f.edit == menu.edit):
            return None
        groups = []
        for m in self.maps:
            (count,) = facts[m.name, None]
            seen = tuple((p.name, _farthest(facts[m.name, p.name])) for p in self.parts[m.name])
            if all(r == 0 for _, r in seen):
                continue
            if exact or limited(self.structure, found, m, count):
                count = ALL
            when = (len(found.terms), found.facts, found.conditions.get(m.name))
            told = when if found.names_blocks else None
            groups.append(Group(m.name, count, seen, when=told))
        if found.names_blocks:
            self.patterns[menu.edit, menu.reverse] = found
        return tuple(groups), exact

    @staticmethod
    def _joined(case: Case, ways: Sequence[tuple[Vector, bool]]) -> Case:
        """Return a case with what other edits do, for all numbers."""
        vectors = dict.fromkeys((*case.vectors, *(v for v, _ in ways)))
        exact = case.attained and all(exact for _, exact in ways)
        return replace(case, vectors=tuple(vectors), attained=exact)

    def free(self, mapping: BoundMap) -> bool:
        """Return whether the blocks of a family can be renumbered at will.

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
        return not used & (names | set(places)) and all(len(p) == 1 for p in places.values())

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
        return self.free(mapping) and not labels & others

    def droppable(self, mapping: BoundMap) -> bool:
        """Return whether blocks can be left out: free labels that need not cover everything."""
        return self.free(mapping) and not mapping.facts

    # ------------------------------------------------------------- change edits

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

    @staticmethod
    def _hold(
        pair: Pair, mapping: BoundMap, subset: Touched, block: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """Return a block that holds exactly the points of ``subset``, the given one or any."""
        block = block or pair.index(mapping)
        for number, point in enumerate(pair.points):
            inside = pair.member(mapping, point, block)
            pair.query.add(inside if number in subset else logic.Not(inside))
        return block

    def _possible(self, edit: BoundEdit, mapping: BoundMap, subset: Touched) -> bool:
        """Return whether a block with these points can see a change; a "no" is a proof."""
        return self.structure.of_alike(
            "touched", mapping, edit, subset, find=lambda m: self._find_possible(edit, m, subset)
        )

    def _find_possible(self, edit: BoundEdit, mapping: BoundMap, subset: Touched) -> bool:
        pair = self.structure.pair(edit)
        block = self._hold(pair, mapping, subset)
        pair.view(mapping, block).changed()
        return not self.structure.unsat(pair.query)

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
        if part.setting == "common":
            hold = None if subset is None else lambda pair: self._hold(pair, part.map, subset)
            for length in lengths:
                if self.structure.pushed_at_most(edit, part, length, reverse=reverse, hold=hold):
                    return length
            far = walked(self.structure, edit, part, whole_view)
            return INFINITY if far is None else far
        pair = self.structure.pair(edit)
        view = self._view(pair, part, subset)
        view.changed()
        distance = DistanceQuery(view, part.granularity, reverse=reverse)
        for length in lengths:
            outcome = distance.at_most(length)
            if outcome == "proved":
                self.structure.scripts.append(pair.query.script)
                return length
            if length == 1 and subset is not None and self._breaks(edit, part, subset):
                return INFINITY
        few = None
        if edit.frame is not None and one_by_one(part):
            few = fewest(
                records_touched(self.structure, edit),
                records_by_keys(self.structure, edit, part.map, one_block=True),
            )
        elif subset is not None and len(subset) == len(edit.points):
            few = walked(self.structure, edit, part, lambda pair: self._view(pair, part, subset))
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
                moved.append(logic.If(logic.And(held, *same), delta, 0))
            query.add(sum(moved) != 0)
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
        factor: int | Symbolic | None = None
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
        every, wide = frozenset(range(points)), times(factor, points)
        if every in types and _adds_up(types, points):
            # Blocks share what one sees that holds all points, as often as a point lies in blocks.
            yield (Slot(mapping.name, factor, types[every], every, upper=True, wide=wide),)
            return
        top = join(types.values())
        if top:
            yield (Slot(mapping.name, wide, top, upper=True),)
            self.loose = True

    loose = False

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

    # ------------------------------------------------------------- frames

    def of_frame(self, number: int, edit: BoundEdit, *, reverse: bool) -> Menu:
        """Return the one pattern that bounds an edit with a frame (or with many points)."""
        rows: list[tuple[SlotRow, ...]] = []
        types = self.types[number, reverse] = {}
        for mapping in self.maps:
            if not self.structure.of_alike(
                "changed at all", mapping, edit, find=lambda m: self._changes(edit, m)
            ):
                self.facts.append(Fact(number, reverse, mapping.name, None, (), 1, frame=True))
                self.facts += [
                    Fact(number, reverse, mapping.name, part.name, (), 0, frame=True)
                    for part in self.parts[mapping.name]
                ]
                continue
            seen = tuple(
                self._distance(edit, part, None, reverse=reverse)
                for part in self.parts[mapping.name]
            )
            types[mapping.name] = {frozenset(): seen}
            count = most_changed(self.structure, edit, mapping)
            slot = Slot(mapping.name, count, seen, upper=True)
            rows.append(((self._sharing(number, edit, mapping, slot, reverse=reverse),),))
            self.facts.append(Fact(number, reverse, mapping.name, None, (), count, frame=True))
            self.facts += [
                Fact(number, reverse, mapping.name, part.name, (), r, frame=True)
                for part, r in zip(self.parts[mapping.name], seen, strict=True)
            ]
        return Menu(number, tuple(rows), reverse)

    def _sharing(
        self, number: int, edit: BoundEdit, mapping: BoundMap, slot: Slot, *, reverse: bool
    ) -> Slot:
        """Return what blocks share where their parts count records, of which there are so many.

        A record lies in so many blocks; so the weights of blocks, their records by the number of
        all, add up to that.
        """
        parts = self.parts[mapping.name]
        most = self.structure.most_blocks_a_cell(mapping) if mapping.indices else None
        few = fewest(
            records_touched(self.structure, edit),
            records_by_keys(self.structure, edit, mapping, one_block=False),
        )
        counted = edit.frame is not None and all(map(one_by_one, parts))
        if not counted or few is None or not isinstance(most, int) or mapping.constant:
            return slot
        seen = (few,) * len(parts)
        if not all(map(is_at_most, seen, slot.seen)) or (
            not isinstance(slot.count, All) and is_at_most(slot.count, most)
        ):
            return slot
        self.shared.append(Shared(number, reverse, mapping.name, most, few))
        return replace(slot, count=most, seen=seen, wide=slot.count)

    def _changes(self, edit: BoundEdit, mapping: BoundMap) -> bool:
        """Return whether a block of a map can see a change; a "no" is a proof."""
        pair = self.structure.pair(edit)
        pair.view(mapping, pair.index(mapping)).changed()
        return not self.structure.unsat(pair.query)

    # ------------------------------------------------------------- cases

    def _by_sizes(self, menus: Sequence[Menu]) -> list[Case]:
        """Return the maximal possible vectors by the numbers of blocks, where that matters."""
        splitting = [
            m
            for m in self.maps
            if len(m.indices) == 1
            and isinstance(m.indices[0][1], str)
            and not m.constant
            and not self.droppable(m)
        ]
        sizes = sorted({str(m.indices[0][1]) for m in splitting}) if menus else []
        levels = []
        for size in sizes:
            named = max(self._most_named(m, size, splitting) for m in menus)
            levels.append(self._levels(size, max(1, min(named, MOST_LEVELS))))
        cases: list[Case] = []
        for choice in itertools.product(*levels):
            ranges = list(choice)
            others = sorted(
                {s for m in self.maps for _, s in m.indices if isinstance(s, str)} - set(sizes)
            )
            ranges += [KRange(s) for s in others]
            cases.append(self._case(menus, tuple(ranges)))
        return cases

    def _levels(self, size: str, top: int) -> list[KRange]:
        """Return the numbers of blocks that are looked at one by one, and the range of the others.

        A number that cannot be is left to its neighbours.
        """
        allowed = self.numbers[size]
        if allowed.low is None or allowed.low < 1:
            return [KRange(size)]  # there may be no blocks at all
        first = min(allowed.low, top)
        last = top if allowed.high is None else min(allowed.high, top)
        starts = [1, *range(first + 1, last + 1)]
        ends = [*(n - 1 for n in starts[1:]), None]
        return [KRange(size, low, high) for low, high in zip(starts, ends, strict=True)]

    def _case(self, menus: Sequence[Menu], ranges: tuple[KRange, ...]) -> Case:
        kept = self._maximal(menus, ranges)
        vectors = tuple(self._vector(p) for p in kept)
        shown = None if self.loose else self._together(kept, ranges)
        attained, far = shown is not None, tuple[str, ...]()
        if shown is None:
            far, shown = self._far(kept, ranges)
        return Case(ranges, vectors, attained, shown, far)

    def _far(
        self, kept: Sequence[Pattern], ranges: Sequence[KRange]
    ) -> tuple[tuple[str, ...], tuple[Interval, ...]]:
        """Return a part that was confirmed to see some block at infinite distance, and for whom.

        That is enough for the whole bound to be infinite, whatever the other parts see.
        """
        whole = self._whole(ranges)
        for pattern in kept:
            for slot in pattern.slots:
                for n, part in enumerate(self.parts[slot.map]):
                    if not isinstance(slot.seen[n], Infinity):
                        continue
                    seen = tuple(r if i == n else _ANY for i, r in enumerate(slot.seen))
                    alone = replace(slot, count=1, seen=seen, wide=None)
                    box = (
                        pattern.shown if pattern.attained
                        else self._attained(replace(pattern, slots=(alone,)), ranges)
                    )  # fmt: skip
                    if box is not None:
                        return (part.name,), tuple(i for i in box if i != whole[i.symbol])
        return (), ()

    def _together(
        self, kept: Sequence[Pattern], ranges: tuple[KRange, ...]
    ) -> tuple[Interval, ...] | None:
        """Return for which numbers all patterns are attained; None if there are none."""
        if not all(p.attained for p in kept):
            return None
        common = _intersection([p.shown for p in kept])
        if common is None:
            lows = [max((i.low for i in column if i.low is not None), default=0)
                    for column in zip(*(p.shown for p in kept), strict=True)]  # fmt: skip
            at = {i.symbol: n for i, n in zip(kept[0].shown, lows, strict=True)}
            boxes = [self._attained(p, ranges, at) for p in kept]
            common = _intersection([box for box in boxes if box is not None])
            if common is None or None in boxes:
                return None
        whole = self._whole(ranges)
        return tuple(i for i in common if i != whole[i.symbol])

    def _whole(self, ranges: Sequence[KRange]) -> dict[str, Interval]:
        """Return all numbers of the symbols in some ranges."""
        whole = dict(self.numbers)
        for r in ranges:
            inside = whole[r.symbol].within(Interval(r.symbol, r.low, r.high))
            whole[r.symbol] = inside or whole[r.symbol]
        return whole

    @staticmethod
    def _most_named(menu: Menu, size: str, splitting: Sequence[BoundMap]) -> int:
        """Return how many blocks of so many a pattern of an edit names, a symbolic count as one."""
        names = {m.name for m in splitting if m.indices[0][1] == size}
        return sum(
            max(
                sum(s.count if isinstance(s.count, int) else 1 for s in row if s.map in names)
                for row in rows
            )
            for rows in menu.rows
        )

    def _maximal(self, menus: Sequence[Menu], ranges: Sequence[KRange]) -> list[Pattern]:
        """Return the possible patterns that no other possible one dominates.

        The search starts at the largest ways to touch each map, and goes on to smaller ones only
        where a pattern is impossible: everything below a possible one is dominated.
        """
        orders = [[Order(rows) for rows in menu.rows] for menu in menus]
        waiting: list[tuple[tuple[float, ...], int, tuple[int, ...]]] = []
        noted: set[tuple[int, tuple[int, ...]]] = set()

        def wait(number: int, places: tuple[int, ...]) -> None:
            if (number, places) not in noted:
                noted.add((number, places))
                rows = [o.rows[n] for o, n in zip(orders[number], places, strict=True)]
                heaviest = tuple(-x for x in weight(menus[number].pattern(rows)))
                heapq.heappush(waiting, (heaviest, number, places))

        for number, order in enumerate(orders):
            tops = [self._tops(menus[number], o, ranges, alone=len(order) == 1) for o in order]
            for places in itertools.product(*tops):
                wait(number, places)
        kept: list[Pattern] = []
        while waiting:
            _, number, places = heapq.heappop(waiting)
            menu, order = menus[number], orders[number]
            pattern = menu.pattern(o.rows[n] for o, n in zip(order, places, strict=True))
            if not pattern.slots:
                continue
            shape = self._shape(pattern)
            above = [o for o in kept if dominates(self._shape(o), shape)]
            # A pattern of the same shape may be attained where the other one was not found to be.
            rival = next(
                (o for o in above if not o.attained and dominates(shape, self._shape(o))), None
            )
            if above and rival is None:
                continue
            alike = [o.alike(n) for o, n in zip(order, places, strict=True)]
            best, blamed = self._best(menu, alike, ranges)
            if best is None:
                for row in blamed:
                    for lower in order[row].below(places[row]):
                        wait(number, (*places[:row], lower, *places[row + 1 :]))
            elif rival is None:
                kept = [o for o in kept if not dominates(shape, self._shape(o))]
                kept.append(best)
            elif best.attained:
                kept[kept.index(rival)] = best
        return kept

    def _tops(
        self, menu: Menu, order: Order, ranges: Sequence[KRange], *, alone: bool
    ) -> Sequence[int]:
        """Return the largest ways to touch a map: those that are possible if it is not ``alone``.

        What is impossible for one map by itself need not be combined with the others.
        """
        if alone:
            return order.tops()
        waiting, found = list(order.tops()), list[int]()
        for place in waiting:
            if any(self._feasible(menu.pattern([row]), ranges) for row in order.alike(place)):
                found.append(place)
            else:
                waiting += [n for n in order.below(place) if n not in waiting]
        return order.largest(found)

    def _best(
        self, menu: Menu, alike: Sequence[Sequence[SlotRow]], ranges: Sequence[KRange]
    ) -> tuple[Pattern | None, Sequence[int]]:
        """Return a possible pattern with one row of each kind, an attained one if there is one.

        If there is none, also return the maps of which smaller rows must be tried.
        """
        everywhere = range(len(alike))
        found = None
        if len(alike) > 1 and not self._feasible(menu.pattern(r[0] for r in alike), ranges):
            # What is impossible for one map by itself need not be combined with the others.
            alike = [[r for r in rows if self._feasible(menu.pattern([r]), ranges)]
                     for rows in alike]  # fmt: skip
            empty = [n for n in everywhere if not alike[n]]
            if empty:
                return None, empty[:1]
        for tried, rows in enumerate(itertools.product(*alike)):
            pattern = menu.pattern(rows)
            if tried >= MOST_ALIKE:
                return found or pattern, everywhere
            if self._feasible(pattern, ranges):
                found = found or pattern
                shown = self._attained(pattern, ranges)
                if shown is not None:
                    return replace(pattern, attained=True, shown=shown), everywhere
        return found, everywhere

    def _shape(self, pattern: Pattern) -> dict[Place, list[tuple[Count, SeenFar]]]:
        shape: dict[Place, list[tuple[Count, SeenFar]]] = {}
        for slot in pattern.slots:
            shape.setdefault((slot.map, slot.block, slot.wide), []).append((slot.count, slot.seen))
        return shape

    def _vector(self, pattern: Pattern) -> Vector:
        grouped: dict[tuple[str, SeenFar, tuple[int, ...], Count | None], Count] = {}
        for slot in pattern.slots:
            key = (slot.map, slot.seen, slot.block, slot.wide)
            grouped[key] = plus(grouped.get(key), slot.count)
        return tuple(
            Group(name, count, tuple(
                (part.name, r) for part, r in zip(self.parts[name], seen, strict=True)
            ), block, wide)
            for (name, seen, block, wide), count in sorted(
                grouped.items(),
                key=lambda item: (
                    [m.name for m in self.maps].index(item[0][0]), item[0][2],
                    descending(item[0][1]),
                ),
            )
        )  # fmt: skip

    def _blocks(
        self, pair: Pair, pattern: Pattern, ranges: Sequence[KRange], most: int
    ) -> list[tuple[Slot, tuple[Any, ...]]]:
        """Return different blocks, of the pattern's types, that see a change."""
        query = pair.query
        for r in ranges:
            symbol = query.symbols[r.symbol]
            if r.low > 1:
                query.add(symbol >= r.low)
            if r.high is not None:
                query.add(symbol <= r.high)
        found: list[tuple[Slot, tuple[Any, ...]]] = []
        for slot in pattern.slots:
            mapping = self.problem.used_maps[slot.map]
            count = slot.count if isinstance(slot.count, int) else 1
            if slot.upper:  # where there are fewer blocks, fewer change
                count = min([count, *self._blocks_there_are(mapping, self._whole(ranges))])
            for _ in range(min(count, most)):
                block = pair.index(mapping, slot.block)
                if slot.touched:
                    self._hold(pair, mapping, slot.touched, block)
                for other, index in found:
                    if other.map == slot.map:
                        query.add(logic.Not(equal(block, index)))
                found.append((slot, block))
        for slot, block in found:
            self._change_seen(pair, slot, block)
        return found

    def _change_seen(self, pair: Pair, slot: Slot, block: tuple[Any, ...]) -> None:
        """Say that a block of a slot sees a change: in a point that it holds, where that is known.

        No record needs a name of its own then, however many blocks there are.
        """
        mapping = self.problem.used_maps[slot.map]
        if slot.touched and mapping.image is None:
            points = [pair.points[n] for n in sorted(slot.touched)]
            pair.query.add(logic.Or(*[pair.old(p) != pair.new(p) for p in points]))
        else:
            pair.view(mapping, block).changed()

    @staticmethod
    def _blocks_there_are(mapping: BoundMap, known: Mapping[str, Interval]) -> list[int]:
        """Return the number of blocks of a map, or the largest, if the case limits it."""
        number = 1
        for _, size in mapping.indices:
            value = known[size].high if isinstance(size, str) else size
            if value is None:
                return []
            number *= value
        return [number]

    def _feasible(self, pattern: Pattern, ranges: Sequence[KRange]) -> bool:
        """Return whether a pattern can occur; a "no" is a proof, and upper bounds stay."""
        exact = tuple(s for s in pattern.slots if not s.upper)
        if not exact:
            return True
        pattern = Pattern(pattern.edit, exact)
        key = (pattern, tuple(ranges))
        if key not in self._possible_ones:
            here = self._of_first(pattern)
            if here != pattern:
                found = self._feasible(here, ranges)
            else:
                found = self._find_feasible(pattern, ranges)
            self._possible_ones[key] = found
        return self._possible_ones[key]

    def _of_first(self, pattern: Pattern) -> Pattern:
        """Return a pattern of blocks of one map as one of the first map like it."""
        names = {s.map for s in pattern.slots}
        if len(names) != 1:
            return pattern
        first = self.structure.likeness.map(self.problem.used_maps[names.pop()]).name
        return replace(pattern, slots=tuple(replace(s, map=first) for s in pattern.slots))

    def never(self) -> Iterator[InfeasiblePattern]:
        """Yield what was found impossible."""
        for (pattern, ranges), possible in self._possible_ones.items():
            blocks = tuple(
                (s.map, tuple(sorted(s.touched)), s.count)
                for s in pattern.slots
                if isinstance(s.count, int) and not s.block
            )
            if not possible and len(blocks) == len(pattern.slots):
                for reverse in self.structure.orientations:
                    yield InfeasiblePattern(pattern.edit, reverse, blocks, ranges)

    def _find_feasible(self, pattern: Pattern, ranges: Sequence[KRange]) -> bool:
        pair = self.structure.pair(self.structure.edits[pattern.edit])
        # Where fewer blocks exist than asked for, the excess is dropped.
        self._blocks(pair, pattern, ranges, MOST_BLOCKS * 2)
        return not self.structure.unsat(pair.query)

    def _attained(
        self, pattern: Pattern, ranges: Sequence[KRange], at: Mapping[str, int] | None = None
    ) -> tuple[Interval, ...] | None:
        """Return for which symbols a pattern occurs, distances included, None if for none.

        It was confirmed on concrete databases: ``at`` given numbers, or else with the least ones if
        that can be, or the next.
        """
        if not self.attaining:
            return None
        least = self._least(ranges)
        more = {s: n + (s not in self.sizes) for s, n in least.items()}
        tries = [at] if at is not None else [least, more, {}]
        for numbers in [n for place, n in enumerate(tries) if n not in tries[:place]]:
            if not self._attainable(pattern):
                break
            found = self._confirmed(pattern, ranges, numbers)
            if found is not None:
                return self._reach(ranges, *found)
        return self._crowded(pattern, ranges)

    def _crowded(self, pattern: Pattern, ranges: Sequence[KRange]) -> tuple[Interval, ...] | None:
        """Return for which symbols one record that changes, with all that are like it, does so."""
        edit = self.structure.edits[pattern.edit]
        asked = [a for slot in pattern.slots if (a := self._asked(slot)) is not None]
        if edit.frame is None or len(asked) < len(pattern.slots):
            return None
        families = [a.map for a in asked if a.count is not None]
        if not all(map(self.free if len(asked) == 1 else self.alone, families)):
            return None
        if len({m.name for m in families}) < len(families):
            return None
        for part in crowded(self.structure, edit, asked):
            for numbers in (self._least(ranges), {}):
                found = self._one_record(pattern, part, ranges, numbers)
                if found is not None:
                    alone = [replace(s, seen=(0,) * len(s.seen)) for s in pattern.slots]
                    return self._reach(ranges, found, alone)
        return None

    def _asked(self, slot: Slot) -> Asked | None:
        """Return what a slot says that blocks see, None if that is not said of single records."""
        mapping = self.problem.used_maps[slot.map]
        parts = self.parts[slot.map]
        if slot.block or not all(
            r in (0, 1) or (not isinstance(r, Infinity) and counts_records(part))
            for part, r in zip(parts, slot.seen, strict=True)
        ):
            return None
        if mapping.constant or not mapping.indices:
            return Asked(mapping, None, slot.seen)
        known = self.structure.most_blocks_a_cell(mapping)
        most = number_of(self.structure, known) if isinstance(known, Term) else known
        if most is None or (most != 1 and not copies(mapping)):
            return None
        return Asked(mapping, slot.count, slot.seen, most, slot.wide is not None)

    def _one_record(
        self, pattern: Pattern, part: Term, ranges: Sequence[KRange], numbers: Mapping[str, int]
    ) -> FoundPair | None:
        """Return confirmed neighbours with a record in part of a frame that all blocks see."""
        single = replace(pattern, slots=tuple(replace(s, count=1) for s in pattern.slots))

        def ask(pair: Pair) -> Demand:
            query = pair.query
            query.add(*[query.symbols[s] == n for s, n in numbers.items()])
            blocks = [
                (self.problem.used_maps[slot.map], block)
                for slot, block in self._blocks(pair, single, ranges, 1)
            ]
            cell = query.cell("z")
            query.add(query.read(part, {**pair.params, "c": cell}))
            query.add(pair.old(cell) != pair.new(cell))
            query.add(*[pair.member(mapping, cell, block) for mapping, block in blocks])
            return Demand(blocks, [])

        def judge(found: FoundPair) -> bool:
            step = found.world.linking(self.problem.outer, found.old, found.new)
            if step is None or step.edit != pattern.edit:
                return False
            here = [
                c
                for c in found.world.cells
                if found.old.get(c, 0) != found.new.get(c, 0)
                and all(found.world.member(m, c, block) for m, block in found.blocks)
            ]
            params = dict(step.params)
            return any(
                evaluate(part, found.world.environment(variables={**params, "c": c})) for c in here
            )

        edit = self.structure.edits[pattern.edit]
        return self.structure.confirmed(edit, ask, judge, tries=3, readable=False)

    def _least(self, ranges: Sequence[KRange]) -> dict[str, int]:
        """Return the least numbers of the symbols, but of blocks that can be left out."""
        free = self.sizes - {r.symbol for r in ranges if not self._left_out(r.symbol)}
        whole = self._whole(ranges)
        return {s: i.low for s, i in whole.items() if i.low is not None and s not in free}

    def _left_out(self, size: str) -> bool:
        """Return whether blocks of all families of a size can be left out."""
        of = [m for m in self.maps if size in {s for _, s in m.indices}]
        return all(m.constant or self.droppable(m) for m in of)

    def _attainable(self, pattern: Pattern) -> bool:
        """Return whether a pattern is of a kind that can be confirmed."""
        edit = self.structure.edits[pattern.edit]
        if len(edit.points) > MOST_POINTS:
            return False
        if any(
            (isinstance(r, Infinity) and connected(part.granularity))
            or isinstance(r, Symbolic)
            or (isinstance(r, int) and edit.frame is not None and r > _most_confirmed(part))
            for slot in pattern.slots
            for part, r in zip(self.parts[slot.map], slot.seen, strict=True)
        ):
            return False  # a distance is finite, or not to be found by search
        for slot in pattern.slots:
            mapping = self.problem.used_maps[slot.map]
            few = isinstance(slot.count, int) and slot.count <= MOST_BLOCKS * 2
            if few or mapping.constant:
                continue
            if edit.frame is None:
                if not (copies(mapping) and self.free(mapping)):
                    return False
            elif not (
                len(pattern.slots) == 1
                and self.free(mapping)
                and self._seen_by_itself(slot)
                and clones(self.structure, edit, mapping, slot.count)
            ):
                return False
        return True

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
        """Return databases as a pattern says; those ``outside`` a class are infinitely far."""
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
                far += self._far_from(pair, pattern, slot, block, outside=outside)
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
                    if r is _ANY:
                        continue
                    seen = self.structure.bracket(found, part, index, reverse=pattern.reverse)
                    if seen.exact != r:
                        return False
            return True

        found = self.structure.confirmed(edit, ask, judge, tries=3, readable=False)
        return None if found is None else (found, tuple(asked))

    def _far_from(
        self, pair: Pair, pattern: Pattern, slot: Slot, block: tuple[Any, ...], *, outside: bool
    ) -> Iterator[tuple[DistanceQuery, int]]:
        """Say how far apart the parts see a block; yield the distances that must be larger."""
        edit, mapping = self.structure.edits[pattern.edit], self.problem.used_maps[slot.map]
        for part, r in zip(self.parts[slot.map], slot.seen, strict=True):
            whole = part.same_granularity or mapping.image is not None
            if (part.setting == "common" and whole) or r in (_ANY, 0, 1):
                continue
            view = pair.view(mapping, block)
            if outside and isinstance(r, Infinity) and not part.default_class:
                pair.query.cell("more")
                sides = (outside_class(view, part, after=after) for after in (False, True))
                pair.query.add(logic.Or(*sides))
            elif edit.frame is not None and isinstance(r, int) and one_by_one(part):
                _change(view, r)
            else:
                distance = DistanceQuery(view, part.granularity, reverse=pattern.reverse)
                yield distance, r - 1 if isinstance(r, int) else 2

    def _reach(
        self, ranges: Sequence[KRange], found: FoundPair, asked: Sequence[Slot]
    ) -> tuple[Interval, ...]:
        """Return for which symbols a confirmed pair shows a pattern."""
        wanted = self._whole(ranges)
        for symbol in self.sizes:
            if not self._left_out(symbol):
                wanted[symbol] = replace(wanted[symbol], low=found.world.symbols[symbol])
        touched = [
            SeenBlock(mapping, index, tuple(zip(self.parts[mapping.name], slot.seen, strict=True)))
            for slot, (mapping, index) in zip(asked, found.blocks, strict=True)
        ]
        free = {m.name for m in self.maps if self.free(m)}
        return reaching(self.problem, found, touched, wanted, free)

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


def _copied_apart(
    asked: Sequence[Slot], blocks: Sequence[tuple[Any, ...]], slots: Sequence[Slot]
) -> list[tuple[str, tuple[tuple[Any, ...], tuple[Any, ...]]]]:
    """Return pairs of blocks that may share no record: each stands for as many as hold a record.

    A block is copied with all its records, those too that the edit does not touch; a record that
    lay in two of them would lie in twice as many blocks as it may.
    """
    many = {s for s in slots if not (isinstance(s.count, int) and s.count <= MOST_BLOCKS * 2)}
    copied = [(s, b) for s, b in zip(asked, blocks, strict=True) if s in many]
    return [
        (first.map, (one, other))
        for (first, one), (second, other) in itertools.combinations(copied, 2)
        if first.map == second.map and first != second
    ]


def _farthest(distances: Sequence[Any]) -> Any:
    """Return the largest of some distances, or the one that differs from block to block."""
    return distances[0] if len(distances) == 1 else max(distances)


def _most_confirmed(part: BoundPart) -> int:
    """Return up to which distance of a frame is looked for: farther where records are counted."""
    return MOST_RECORDS if one_by_one(part) else MOST_LEVELS


def _is_frame(edit: BoundEdit) -> bool:
    """Return whether what an edit changes is not told apart by the points that it names."""
    return edit.frame is not None or len(edit.points) > MOST_POINTS


def _intersection(boxes: Sequence[tuple[Interval, ...]]) -> tuple[Interval, ...] | None:
    """Return the numbers of symbols that lie in all boxes, None if there are none."""
    found: list[Interval] = []
    for column in zip(*boxes, strict=True):
        inside: Interval | None = column[0]
        for other in column[1:]:
            inside = inside and inside.within(other)
        if inside is None:
            return None
        found.append(inside)
    return tuple(found)


def _some_points(edit: BoundEdit) -> Iterator[tuple[int, ...]]:
    """Yield all choices of points, of at least one."""
    points = range(len(edit.points))
    return (some for n in points for some in itertools.combinations(points, n + 1))


def _label(term: Term, names: set[str]) -> tuple[str, tuple[str, ...], Sequence[Term]] | None:
    """Return the function that says which block it is, its indices in place, and what it is of."""
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


def _adds_up(types: Mapping[Touched, SeenFar], points: int) -> bool:
    """Return whether a block with some of the points is seen from no more than their share."""
    most = types[frozenset(range(points))]
    return all(
        isinstance(r, int) and isinstance(top, int) and r * points <= top * len(held)
        for held, seen in types.items()
        for r, top in zip(seen, most, strict=True)
    )


def _change(view: View, number: int) -> None:
    """Say that so many records come or go in a block."""
    pair = view.pair
    for _ in range(number):
        view.cell()

    def come_or_go(cell: GroundCell) -> Any:
        more = pair.new(cell) - pair.old(cell)
        records = logic.If(more >= 0, more, -more)
        return logic.If(view.member(cell), records, 0)

    pair.query.at_check(lambda: [pair.query.distinct_sum(come_or_go) >= number])
