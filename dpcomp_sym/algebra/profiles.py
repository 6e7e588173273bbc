"""Laws of profiles: what neighbours can do to the parts of a composition.

A profile can come from conditions C1 and C2, or be composed edit by edit: how many blocks hold a
touched record, what a part sees in a block with given touched records, and which combinations do
not occur.  The enumeration of combinations is done here, once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice, product
from itertools import count as numbers
from math import prod
from typing import NamedTuple

from dpcomp_sym.algebra.guarantees import push_metric
from dpcomp_sym.algebra.means import is_mean_of_records
from dpcomp_sym.algebra.polynomials import ONE, ZERO, at_most
from dpcomp_sym.algebra.sizes import covers, intersection, most_blocks
from dpcomp_sym.statements.terms import (
    BlockDistance,
    BlockGroup,
    BlockPattern,
    CanonicalMetric,
    ChangedByRecords,
    ChangedTogether,
    Compatible,
    CompositionProblem,
    Connected,
    DifferenceVector,
    EditFact,
    EditShape,
    Expr,
    Family,
    Inf,
    Infeasible,
    KernelError,
    MeanOf,
    Mixed,
    Num,
    PartView,
    Product,
    ProfileFact,
    Pseudometric,
    Pullback,
    Reach,
    Restricted,
    SeenDistance,
    Sensitive,
    Several,
    Shares,
    StructureFact,
    Sum,
    Together,
    Touch,
    TouchCount,
    TouchedKind,
    Way,
    Where,
    open_sizes,
)
from dpcomp_sym.statements.terms.base import Sizes

__all__ = ["common_distance", "compatible_profile", "compose_profile", "weaken_profile"]

TouchedRecords = tuple[int, ...]
SeenTable = dict[TouchedRecords, tuple[SeenDistance, ...]]
"""What the parts see in a block that holds exactly these touched records."""
TouchedNumbers = tuple[tuple[TouchedRecords, int], ...]
Held = tuple[
    TouchedRecords | None, int | Expr, tuple[SeenDistance, ...], tuple[int, ...], Expr | None
]
"""What blocks hold (None: not stated), at most how many, what is seen in each, which one it is, and
how many blocks share that, if they do."""
HeldWay = tuple[str, tuple[Held, ...]]
"""How the blocks of a map are touched."""
MOST_COMBINATIONS = 2500
MOST_LISTS = 256
"""How many choices of a complete list of ways for each map are tried, at most."""
FEW_BLOCKS = 4
"""Where no more blocks hold a record, ways are counted out, and no shares are stated."""
MOST_SPLIT = 8
"""A group of more blocks has its place as a whole."""


def _view(problem: CompositionProblem, part: str) -> PartView:
    found = [v for v in problem.views if v.part == part]
    if not found:
        raise KernelError(f"the problem has no part {part}")
    return found[0]


def _points(problem: CompositionProblem, edit: str) -> int:
    found = [e for e in problem.edits if e.name == edit]
    if not found:
        raise KernelError(f"the problem has no edit {edit}")
    return found[0].points


def compatible_profile(
    problem: CompositionProblem, compatible: Compatible, sensitive: tuple[Sensitive, ...]
) -> ProfileFact:
    """Conditions C1 and C2 give the profile of parallel composition.

    f: at most one block changes between G-neighbours     f has sensitivity c_p from d_G to d_p
    --------------------------------------------------------------------------------------------
    G-neighbours change at most one block, seen at distance <= c_p by part p

    One map, read by all parts p.  A part on the common domain, whose metric is that of the
    pushforward of G along f, needs no sensitivity: images of neighbours have distance at most 1.
    Source: GB24.IV.6, V.4; common domain IV.12, V.6; C1 as in E7.
    Raises: KernelError unless the conditions are about the maps and metrics of the problem.
    """
    if compatible.relation != problem.relation or compatible.domain != problem.domain:
        raise KernelError("the condition is about other neighbours")
    if len({v.map for v in problem.views}) != 1:
        raise KernelError("all parts must read one map")
    canonical = CanonicalMetric(problem.relation, problem.domain)
    seen = []
    for view in problem.views:
        known: dict[Pseudometric, Expr] = {
            Pullback(s.target, s.map): s.bound
            for s in sensitive
            if s.source == canonical and s.map == compatible.map
        }
        known[push_metric(problem.relation, compatible.map)] = ONE
        if view.seen not in known or open_sizes(compatible.map) != {view.sizes} - {()}:
            raise KernelError(f"nothing is known of the distance that {view.part} sees")
        seen.append(SeenDistance(view.part, known[view.seen]))
    group = BlockGroup(problem.views[0].map, ONE, tuple(seen))
    return ProfileFact(problem, (), (DifferenceVector((group,)),))


def common_distance(
    problem: CompositionProblem, edit: str, part: str, touched: TouchedRecords
) -> BlockDistance:
    """On the common domain a part sees distance at most 1.

    -----------------------------------------------------
    p sees distance at most 1 in every block, for every edit    (d_p from the pushforward of G)

    Source: N2.  Raises: KernelError unless the part's metric is that of the pushforward of the
    problem's own granularity along the part's map.
    """
    seen = _view(problem, part).seen
    _points(problem, edit)
    if not isinstance(seen, Pullback) or seen != push_metric(problem.relation, seen.map):
        raise KernelError(f"part {part} is not on the common domain")
    return BlockDistance(problem, edit, part, touched, ONE)


def _subsets(points: int) -> list[TouchedRecords]:
    """Return the non-empty sets of touched records; for a frame the one set ()."""
    if points == 0:
        return [()]
    records = range(1, points + 1)
    return [t for n in range(points) for t in combinations(records, n + 1)]


def _multisets(kinds: tuple[TouchedRecords, ...], count: int) -> Iterator[TouchedNumbers]:
    """Yield how many blocks hold which touched records, each record in at most ``count``."""

    def choose(position: int, room: dict[int, int]) -> Iterator[TouchedNumbers]:
        if position == len(kinds):
            yield ()
            return
        touched = kinds[position]
        for n in range(min([count, *(room[x] for x in touched)]) + 1):
            left = room | {x: room[x] - n for x in touched}
            for rest in choose(position + 1, left):
                yield ((touched, n), *rest) if n else rest

    return choose(0, dict.fromkeys(chain.from_iterable(kinds), count))


class _Known(NamedTuple):
    """What the facts say that hold for all sizes in question, by edit, map, part and kind of block.

    ``never`` are the infeasible patterns of an edit, ``sets`` what one of its pairs can reach, and
    ``joint`` says of an edit which blocks it changes together, ``records`` which ones hold each
    record that it changes.
    """

    counts: dict[tuple[str, str], Expr]
    distances: dict[tuple[str, str, TouchedRecords], Expr]
    never: dict[str, list[tuple[TouchedKind, ...]]]
    sets: dict[str, tuple[Reach, ...]]
    shares: dict[tuple[str, str], Shares]
    joint: dict[str, ChangedTogether]
    records: dict[str, ChangedByRecords]
    mixed: dict[str, tuple[Way, ...]]


def compose_profile(
    problem: CompositionProblem,
    facts: tuple[StructureFact, ...],
    vectors: tuple[Way, ...],
    where: Where,
) -> ProfileFact:
    """A profile, edit by edit, by enumerating which touched records lie in how many blocks.

    counts of blocks for each edit and map     distances for each edit, part and kind of block
    combinations that do not occur             every other combination is below one of the vectors
    -------------------------------------------------------------------------------------------
    neighbours are at distances below one of the vectors

    Every block that changes holds a touched record (of an edit of 0 points, a frame, the changed
    blocks are counted as such).  Parts for which no fact is known see distance infinity.  Where it
    is known which blocks an edit changes together, a vector may say so.  If all that an edit
    changes lies in one of some sets of blocks, each set is taken by itself.  What is a mean of some
    vectors is a mean of larger ones, and is then only below what such a mean is ``within``.  So is
    what an edit changes together, if it is known of each of its records in which blocks it lies.
    Source: docs/soundness/lemmas.md, counting blocks, and blocks that change together.
    That the edits of the problem are all those of its granularity becomes part of the trust.
    Raises: KernelError if the problem lists no edit, a count is missing, a fact is about another
    problem, a combination is below none of the vectors, or there are too many combinations.
    """
    if not problem.edits:
        raise KernelError("the problem lists no edits: nothing is known of its neighbours")
    known = _known(problem, facts, where)
    for edit in problem.edits:
        tables = {name: _table(problem, edit, name, known.distances) for name in _sizes(problem)}
        if _is_said_together(edit, known, tables, vectors, where):
            continue
        if _is_said_in_the_mean(edit, known, tables, vectors, where):
            continue
        ways = _within_mean(problem, known.mixed.get(edit.name), vectors, where)
        never = known.never.get(edit.name, [])
        for reach in known.sets.get(edit.name, (None,)):
            options = [
                _lists_of_ways(
                    problem, edit, name, known, _listed(reach, name, table, where), where
                )
                for name, table in tables.items()
            ]
            worse = _worse_of_all(problem, options, never, ways, where)
            if worse is not None:
                raise KernelError(f"{edit.name} can do {worse}")
    return ProfileFact(problem, intersection(where), vectors)


def _known(problem: CompositionProblem, facts: tuple[StructureFact, ...], where: Where) -> _Known:
    """Return what facts say of the sizes in question; each must be about an edit of the problem.

    A fact about some sizes only is used where all sizes of the box are among these; of two facts
    about the same blocks the later one is used.
    """
    known = _Known({}, {}, {}, {}, {}, {}, {}, {})
    for said in facts:
        fact = said.of if isinstance(said, Restricted) else said
        if not isinstance(fact, EditFact) or fact.problem != problem:
            raise KernelError("a fact is about another problem")
        _points(problem, fact.edit)
        if isinstance(said, Restricted) and not covers((said.where,), intersection(where)):
            continue
        if isinstance(fact, TouchCount):
            known.counts[fact.edit, fact.map] = fact.count
        elif isinstance(fact, BlockDistance):
            known.distances[fact.edit, fact.part, fact.touched] = fact.distance
        elif isinstance(fact, Together):
            known.sets[fact.edit] = fact.sets
        elif isinstance(fact, Shares):
            known.shares[fact.edit, fact.map] = fact
        elif isinstance(fact, ChangedTogether):
            known.joint[fact.edit] = fact
        elif isinstance(fact, ChangedByRecords):
            known.records[fact.edit] = fact
        elif isinstance(fact, Mixed):
            known.mixed[fact.edit] = fact.vectors
        elif isinstance(fact, Infeasible) and covers((fact.where,), intersection(where)):
            known.never.setdefault(fact.edit, []).append(fact.pattern)
    return known


def _is_said_together(
    edit: EditShape,
    known: _Known,
    tables: dict[str, SeenTable],
    vectors: tuple[Way, ...],
    where: Where,
) -> bool:
    """Return whether a vector says which blocks an edit changes together, and is large enough.

    These are the blocks of each place, no more than are touched, at the distances of the place or
    else of its kind of block; or those that hold a record, for as many records as it changes: one
    pattern if these have one choice of integers.
    """

    def said(fact: ChangedTogether | ChangedByRecords | None, way: BlockPattern) -> bool:
        return (
            fact is not None
            and (way.free, way.facts) == (len(fact.terms), fact.facts)
            and _goes_into(_families(fact, tables, known.counts, where), way, where)
        )

    joint, each = known.joint.get(edit.name), known.records.get(edit.name)
    records = Inf() if each is None else each.times

    def holds(way: Way) -> bool:
        if isinstance(way, BlockPattern):
            return said(joint, way) or (at_most(records, ONE, where) and said(each, way))
        if not isinstance(way, Several):
            return False
        return at_most(records, way.times, where) and said(each, way.pattern)

    return any(map(holds, vectors))


def _is_said_in_the_mean(
    edit: EditShape,
    known: _Known,
    tables: dict[str, SeenTable],
    vectors: tuple[Way, ...],
    where: Where,
) -> bool:
    """Return whether a mean says which blocks an edit changes together, and what it is within."""
    joint = known.joint.get(edit.name)
    return joint is not None and any(
        isinstance(way, MeanOf)
        and _is_said_together(edit, known, tables, way.within, where)
        and (
            _is_said_together(edit, known, tables, way.vectors, where)
            or is_mean_of_records(edit, joint, tables, known.counts, way.vectors, where)
        )
        for way in vectors
    )


def _within_mean(
    problem: CompositionProblem,
    mixed: tuple[Way, ...] | None,
    vectors: tuple[Way, ...],
    where: Where,
) -> tuple[Way, ...]:
    """Return what one of must bound an edit: the vectors, or what a mean of it is within."""
    for way in vectors:
        if mixed and isinstance(way, MeanOf) and all(
            _below_one(problem, small, way.vectors, where) for small in mixed
        ):  # fmt: skip
            return way.within
    return vectors


def _lists_of_ways(
    problem: CompositionProblem,
    edit: EditShape,
    name: str,
    known: _Known,
    allowed: tuple[tuple[Held, ...], SeenTable],
    where: Where,
) -> list[list[HeldWay]]:
    """Return lists of ways to touch a map's blocks; each list is complete by itself.

    ``allowed`` are the blocks that are named, which are taken to be as bad as the worst that they
    may hold, and what any block of the map may hold: these are counted.
    Where blocks that a frame changes share distances, that is another way to bound them, as many
    as are counted.  Where no pattern is infeasible, what is below another way is not looked at.
    """
    named, table = allowed
    never = known.never.get(edit.name, [])
    choices = [[named]]
    if table:
        count = known.counts.get((edit.name, name))
        if count is None:
            raise KernelError(f"how many blocks of {name} does {edit.name} touch?")
        most = most_blocks(_sizes(problem)[name], where)
        choices = _choices(count, most, table, _kinds_apart(never, name), where)
        shared = known.shares.get((edit.name, name))
        if shared is not None and not edit.points:
            choices.append([((None, shared.count, shared.distances, (), count),)])
    ways = [[(name, w) for w in choice] for choice in choices]
    return ways if never else [_largest(problem, w, where) for w in ways]


def _sizes(problem: CompositionProblem) -> dict[str, Sizes]:
    """Return the numbers of blocks of each map that a part reads."""
    return {v.map: v.sizes for v in problem.views}


def _table(
    problem: CompositionProblem,
    edit: EditShape,
    name: str,
    distances: dict[tuple[str, str, TouchedRecords], Expr],
) -> SeenTable:
    """Return what the parts see in blocks of a map, by the touched records that these hold."""
    return {
        t: tuple(
            SeenDistance(v.part, distances.get((edit.name, v.part, t), Inf()))
            for v in problem.views
            if v.map == name
        )
        for t in _subsets(edit.points)
    }


def _numbered(touches: list[Touch]) -> dict[tuple[int, ...], list[Touch]]:
    """Return what each block with a number may hold."""
    found: dict[tuple[int, ...], list[Touch]] = {}
    for touch in touches:
        if touch.block:
            found.setdefault(touch.block, []).append(touch)
    return found


def _listed(
    reach: Reach | None, name: str, table: SeenTable, where: Where
) -> tuple[tuple[Held, ...], SeenTable]:
    """Return the blocks of a map that a set names, and what the set allows in all its blocks."""
    if reach is None:
        return (), table
    here = [touch for touch in reach.touches if touch.map == name]
    if any(touch.touched not in table for touch in here):
        raise KernelError(f"a set lists what no block of {name} holds")
    named = tuple(
        (None, 1, _worst_of([_no_farther(table, x) for x in held], where), block, None)
        for block, held in _numbered(here).items()
    )
    return named, {x.touched: _no_farther(table, x) for x in here if not x.block}


def _no_farther(table: SeenTable, touch: Touch) -> tuple[SeenDistance, ...]:
    """Return what the parts see of a block in a set, which may list smaller distances."""
    told = {s.part: s for s in touch.distances}
    return tuple(told.get(s.part, s) for s in table[touch.touched])


def _families(
    known: ChangedTogether | ChangedByRecords,
    tables: dict[str, SeenTable],
    counts: dict[tuple[str, str], Expr],
    where: Where,
) -> list[Family]:
    """Return the blocks that an edit changes together, map by map and place by place.

    Blocks that hold exactly some of its records are no more than hold one of these; all blocks that
    an edit changes are no more than hold any.
    """
    places = {(p.map, p.touched): p for p in known.places}
    found = []
    for name, table in tables.items():
        count = counts.get((known.edit, name), Inf())
        rows = dict(table)
        points = max(map(len, table))
        if (name, ()) in places and () not in table:
            rows = {(): _worst_of(list(table.values()), where)}
            if count != Inf():
                count = Product((Num(Fraction(points)), count))
        for touched, seen in rows.items():
            place = places.get((name, touched))
            told = {s.part: s for s in place.distances} if place else {}
            here = tuple(told.get(s.part, s) for s in seen)
            if any(s.distance != ZERO for s in here):
                when = place.when if place else Connected("and", ())
                found.append(Family(name, count, here, when))
    return found


def _goes_into(families: Sequence[Family], way: BlockPattern, where: Where) -> bool:
    """Return whether each family is, as a set of blocks, one of those of a way, one for each."""
    left = list(way.families)
    for family in families:
        place = next((f for f in left if _is_within(family, f, where)), None)
        if place is None:
            return False
        left.remove(place)
    return True


def _is_within(small: Family, big: Family, where: Where) -> bool:
    """Return whether a family has the same blocks as another, no more and no farther."""
    far = {s.part: s.distance for s in big.distances}
    return (
        small.map == big.map
        and small.when == big.when
        and at_most(small.count, big.count, where)
        and all(
            s.part in far and (s.distance == far[s.part] or at_most(s.distance, far[s.part], where))
            for s in small.distances
        )
    )


def _worse_of_all(
    problem: CompositionProblem,
    options: list[list[list[HeldWay]]],
    never: list[tuple[TouchedKind, ...]],
    vectors: tuple[Way, ...],
    where: Where,
) -> str | None:
    """Return what is below no vector, in words; None if one choice of complete lists has no such.

    ``options`` are, for each map, lists of ways to touch it that are complete, each by itself.
    """
    worse: str | None = "what nothing is known of"
    for joint in islice(product(*options), MOST_LISTS):
        worse = _worse(problem, joint, never, vectors, where)
        if worse is None:
            break
    return worse


def _worse(
    problem: CompositionProblem,
    ways: tuple[list[HeldWay], ...],
    never: list[tuple[TouchedKind, ...]],
    vectors: tuple[Way, ...],
    where: Where,
) -> str | None:
    """Return a combination of ways to touch the maps that is below no vector, in words.

    A combination that contains an infeasible pattern does not occur.
    """
    if prod(map(len, ways)) > MOST_COMBINATIONS:
        return "too many combinations of blocks of different maps"
    for joint in product(*ways):
        if any(_contains(joint, pattern) for pattern in never):
            continue
        vector = _vector_of(*joint)
        if not _below_one(problem, vector, vectors, where):
            return vector.text()
    return None


def _vector_of(*ways: HeldWay) -> DifferenceVector:
    """Return what the parts see when the blocks of each map are touched in one of the ways."""
    return DifferenceVector(
        tuple(
            BlockGroup(name, n if isinstance(n, Expr) else Num(Fraction(n)), seen, block, wide)
            for name, held in ways
            for _, n, seen, block, wide in held
        )
    )


def _largest(problem: CompositionProblem, ways: list[HeldWay], where: Where) -> list[HeldWay]:
    """Return ways to touch one map such that each of the others is below one of them."""
    kept: list[HeldWay] = []
    for way in ways:
        vector = _vector_of(way)
        if not any(_below(problem, vector, _vector_of(w), where) for w in kept):
            kept = [w for w in kept if not _below(problem, _vector_of(w), vector, where)]
            kept.append(way)
    return kept


def _choices(
    count: Expr,
    most: int | None,
    table: SeenTable,
    apart: list[set[TouchedRecords]],
    where: Where,
) -> list[list[tuple[Held, ...]]]:
    """Return lists of ways to touch a map; whatever an edit does is below a way of each list.

    Where the count is a number, a small one, its ways are enumerated, those with more blocks than
    there are left out.  Else, if a block with several touched records is no worse than one with a
    single one of them, the worst is that no block has two; or all blocks are taken to be as bad as
    the worst kind, and may share what one of them sees.
    No pattern excludes a way in which a number of blocks is none but only an upper bound.  So kinds
    of blocks of which no edit touches all, ``apart``, are left out beforehand, one in each way.
    """
    exact = _integer(count)
    number = most if exact is None else exact
    choices: list[list[tuple[Held, ...]]] = []
    shared = _added_up(count, table, where)
    if number is not None:
        some = list(islice(_multisets(tuple(table), number), MOST_COMBINATIONS + 1))
        if len(some) <= MOST_COMBINATIONS:
            there = [w for w in some if most is None or sum(n for _, n in w) <= most]
            choices = [[tuple((t, n, table[t], (), None) for t, n in w) for w in there]]
            if exact is not None:
                return [*choices, *(shared if exact > FEW_BLOCKS else [])]
    if apart:
        some_kinds = _kinds_together(table, apart)
        choices.append([_alike(count, {t: table[t] for t in kinds}, where) for kinds in some_kinds])
    alone = (
        any((x,) in table and _all_below(s, table[x,], where) for x in t)
        for t, s in table.items()
        if t
    )
    if all(alone):
        return [*choices, [tuple((t, count, s, (), None) for t, s in table.items() if len(t) <= 1)]]
    return [*choices, *shared, [_alike(count, table, where)]]


def _kinds_apart(never: list[tuple[TouchedKind, ...]], name: str) -> list[set[TouchedRecords]]:
    """Return the kinds of blocks of a map that do not occur side by side, in any numbers."""
    return [
        {kind.touched for kind in pattern}
        for pattern in never
        if {(kind.map, kind.count) for kind in pattern} == {(name, 1)}
    ]


def _kinds_together(
    kinds: Iterable[TouchedRecords], apart: list[set[TouchedRecords]]
) -> list[list[TouchedRecords]]:
    """Return sets of kinds of blocks; those that occur side by side are all in one of them.

    Of kinds that are apart one is missing.  Where these would be too many, the set of all kinds is
    returned.
    """
    found = {frozenset(kinds)}
    for some in apart:
        found = {those - {one} for those in found for one in some}
        if len(found) > MOST_LISTS:
            return [sorted(kinds)]
    return sorted(map(sorted, found))


def _added_up(count: Expr, table: SeenTable, where: Where) -> list[list[tuple[Held, ...]]]:
    """Return that blocks share what one sees that holds all touched records, if that is so.

    A block with some of these sees at most their share.  Its weight is how many it holds, by the
    number of all; each of them lies in at most ``count`` blocks, and so the weights add up to that.
    """
    records = tuple(sorted(set(chain.from_iterable(table))))
    if records not in table or count == Inf():
        return []
    most = {s.part: s.distance for s in table[records]}
    if Inf() in most.values():
        return []
    number = Num(Fraction(len(records)))
    for held, seen in table.items():
        share = Num(Fraction(len(held)))
        for s in seen:
            small, large = Product((number, s.distance)), Product((share, most[s.part]))
            if not at_most(small, large, where):
                return []
    return [[((None, count, table[records], (), Product((number, count))),)]]


def _alike(count: Expr, table: SeenTable, where: Where) -> tuple[Held, ...]:
    """Return one kind of blocks, as bad as the worst, and how many there can be.

    They are at most n times the count if in each block where something is seen there is one of the
    same n records.
    """
    seen = {t: s for t, s in table.items() if any(x.distance != ZERO for x in s)}
    if not seen:
        return ()
    records = sorted(set(chain.from_iterable(seen)))
    met = next(
        n
        for n in numbers()
        if any(all(set(some) & set(t) for t in seen) for some in combinations(records, n))
    )
    many = count if count == Inf() else Product((Num(Fraction(met)), count))
    return ((None, many, _worst_of(list(seen.values()), where), (), None),)


def _worst_of(rows: list[tuple[SeenDistance, ...]], where: Where) -> tuple[SeenDistance, ...]:
    """Return what is at least as bad as each of some ways to see a block."""
    return tuple(
        SeenDistance(same[0].part, _largest_of([s.distance for s in same], where))
        for same in zip(*rows, strict=True)
    )


def _largest_of(distances: list[Expr], where: Where) -> Expr:
    """Return the one of some distances that is at least the others, infinity if there is none."""
    tops = (d for d in distances if all(at_most(other, d, where) for other in distances))
    return next(tops, Inf())


def _integer(count: Expr) -> int | None:
    return count.value.numerator if isinstance(count, Num) else None


def _contains(joint: tuple[HeldWay, ...], pattern: tuple[TouchedKind, ...]) -> bool:
    """Return whether a combination has the blocks of a pattern."""
    counts = {(name, t): n for name, held in joint for t, n, _, _, _ in held}
    for kind in pattern:
        n = counts.get((kind.map, kind.touched), 0)
        if not isinstance(n, int) or n < kind.count:
            return False
    return bool(pattern)


def _all_below(a: tuple[SeenDistance, ...], b: tuple[SeenDistance, ...], where: Where) -> bool:
    at = {s.part: s.distance for s in b}
    return all(s.part in at and at_most(s.distance, at[s.part], where) for s in a)


def _below_one(problem: CompositionProblem, small: Way, ways: Sequence[Way], where: Where) -> bool:
    """Return whether a vector is one of some ways to differ, or below one of them."""
    return small in ways or any(_goes_below(problem, small, way, where) for way in ways)


def _goes_below(problem: CompositionProblem, small: Way, way: Way, where: Where) -> bool:
    """Return whether a vector is below a way to differ; where nothing is seen it is below each.

    One that says which blocks change is below one that says so with the same facts and conditions,
    of no fewer blocks that see no less.
    """
    if isinstance(way, MeanOf):
        both = (way.vectors, way.within)
        return all(_below_one(problem, small, of, where) for of in both)
    if isinstance(small, BlockPattern) and isinstance(way, BlockPattern):
        alike = (small.free, small.facts) == (way.free, way.facts)
        return alike and _goes_into(small.families, way, where)
    if not isinstance(small, DifferenceVector):
        return small == way
    if isinstance(way, DifferenceVector):
        return _below(problem, small, way, where)
    return not _seen(small)


def _seen(vector: DifferenceVector) -> list[BlockGroup]:
    return [g for g in vector.groups if any(s.distance != ZERO for s in g.distances)]


def _below(
    problem: CompositionProblem, small: DifferenceVector, big: DifferenceVector, where: Where
) -> bool:
    """Return whether each group finds its place in a group that is no better and has room.

    Blocks of one group may have their places in different ones, if a map has few.  What blocks of
    one map take leaves those of others their room, so that each map is looked at by itself.
    """
    of_map: dict[str, list[BlockGroup]] = {}
    for group in _seen(small):
        of_map.setdefault(group.map, []).append(group)
    for real in of_map.values():
        apart = [one for g in real for one in _blocks_of(g)]
        if not _placed(problem, apart if len(apart) <= MOST_SPLIT else real, big, where):
            return False
    return True


def _blocks_of(group: BlockGroup) -> list[BlockGroup]:
    """Return the blocks of a group one by one, or the group if it is not a small number of them."""
    count = _integer(group.count)
    if count is None or group.wide is not None or count > MOST_SPLIT:
        return [group]
    return [BlockGroup(group.map, ONE, group.distances, group.block)] * count


def _placed(
    problem: CompositionProblem, real: list[BlockGroup], big: DifferenceVector, where: Where
) -> bool:
    goals = [
        [
            n
            for n, h in enumerate(big.groups)
            if h.map == g.map
            and h.block in {(), g.block}
            and _all_below(g.distances, h.distances, where)
        ]
        for g in real
    ]

    def place(n: int, used: tuple[tuple[BlockGroup, ...], ...], last: int) -> bool:
        if n == len(real):
            return True
        first = last if real[n] == real[n - 1] else 0  # equal ones in the order of places
        for goal in goals[n]:
            there = (*used[goal], real[n])
            if (
                goal >= first
                and _has_room(problem, big.groups[goal], there, where)
                and place(n + 1, (*used[:goal], there, *used[goal + 1 :]), goal)
            ):
                return True
        return False

    return place(0, ((),) * len(big.groups), 0)


def _has_room(
    problem: CompositionProblem, group: BlockGroup, there: tuple[BlockGroup, ...], where: Where
) -> bool:
    """Return whether there is room for some groups in one: for blocks, and for what they share."""
    most = most_blocks(_sizes(problem)[group.map], where)

    def fit(counts: list[Expr], room: Expr) -> bool:
        full = most is not None and at_most(Num(Fraction(most)), room, where)
        return full or at_most(Sum(tuple(counts)), room, where)

    blocks = [g.count if g.wide is None else g.wide for g in there]
    if group.wide is None:
        return fit(blocks, group.count)
    return fit(blocks, group.wide) and fit([g.count for g in there], group.count)


def weaken_profile(profile: ProfileFact, vectors: tuple[Way, ...], where: Where) -> ProfileFact:
    """Vectors may be replaced by larger ones.

    neighbours are at distances below one of v     each v is below one of the w
    ---------------------------------------------------------------------------
    neighbours are at distances below one of w

    Source: docs/soundness/lemmas.md, domination.
    Raises: KernelError if a vector is below none of the new.
    """
    box = intersection(profile.where, where)
    for vector in profile.vectors:
        if not _below_one(profile.problem, vector, vectors, box):
            raise KernelError(f"{vector.text()} is below none of the vectors")
    return ProfileFact(profile.problem, box, vectors)
