"""Laws of profiles: what neighbours can do to the parts of a composition.

A profile can come from conditions C1 and C2, or be composed edit by edit: how many blocks hold a
touched record, what a part sees in a block with given touched records, and which combinations do
not occur.  The enumeration of combinations is done here, once more.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product
from math import prod

from dpcomp_sym.algebra.guarantees import push_metric
from dpcomp_sym.algebra.polynomials import ONE, ZERO, at_most
from dpcomp_sym.algebra.sizes import intersection, most_blocks
from dpcomp_sym.statements.terms import (
    BlockDistance,
    Canonical,
    Compatible,
    EditFact,
    Expr,
    Group,
    Inf,
    Infeasible,
    KernelError,
    Kind,
    Metric,
    Num,
    Problem,
    ProfileFact,
    Pullback,
    Seen,
    Sensitive,
    Sum,
    TouchCount,
    Vector,
    View,
    Where,
    open_sizes,
)

__all__ = ["common_distance", "compatible_profile", "compose_profile", "weaken_profile"]

Touched = tuple[int, ...]
Choices = tuple[tuple[Touched, int | Expr], ...]
Way = tuple[str, Choices, dict[Touched, tuple[Seen, ...]]]
"""How many blocks of a map hold which touched records, and what is seen in each kind."""
MOST_COMBINATIONS = 2500


def _view(problem: Problem, part: str) -> View:
    found = [v for v in problem.views if v.part == part]
    if not found:
        raise KernelError(f"the problem has no part {part}")
    return found[0]


def _points(problem: Problem, edit: str) -> int:
    found = [e for e in problem.edits if e.name == edit]
    if not found:
        raise KernelError(f"the problem has no edit {edit}")
    return found[0].points


def compatible_profile(
    problem: Problem, compatible: Compatible, sensitive: tuple[Sensitive, ...]
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
    canonical = Canonical(problem.relation, problem.domain)
    seen = []
    for view in problem.views:
        known: dict[Metric, Expr] = {
            Pullback(s.target, s.map): s.bound
            for s in sensitive
            if s.source == canonical and s.map == compatible.map
        }
        known[push_metric(problem.relation, compatible.map)] = ONE
        if view.seen not in known or open_sizes(compatible.map) != {view.sizes} - {()}:
            raise KernelError(f"nothing is known of the distance that {view.part} sees")
        seen.append(Seen(view.part, known[view.seen]))
    group = Group(problem.views[0].map, ONE, tuple(seen))
    return ProfileFact(problem, (), (Vector((group,)),))


def common_distance(problem: Problem, edit: str, part: str, touched: Touched) -> BlockDistance:
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


def _subsets(points: int) -> list[Touched]:
    """Return the non-empty sets of touched records; for a frame the one set ()."""
    if points == 0:
        return [()]
    records = range(1, points + 1)
    return [t for n in range(points) for t in combinations(records, n + 1)]


def _multisets(kinds: list[Touched], count: int) -> list[tuple[tuple[Touched, int], ...]]:
    """Return how many blocks hold which touched records, each record in at most ``count``."""
    found: list[tuple[tuple[Touched, int], ...]] = []
    points = set(chain.from_iterable(kinds))
    for numbers in product(range(count + 1), repeat=len(kinds)):
        chosen = tuple((t, n) for t, n in zip(kinds, numbers, strict=True) if n)
        if all(sum(n for t, n in chosen if x in t) <= count for x in points):
            found.append(chosen)
    return found


def compose_profile(
    problem: Problem, facts: tuple[EditFact, ...], vectors: tuple[Vector, ...], where: Where
) -> ProfileFact:
    """A profile, edit by edit, by enumerating which touched records lie in how many blocks.

    counts of blocks for each edit and map     distances for each edit, part and kind of block
    combinations that do not occur             every other combination is below one of the vectors
    -------------------------------------------------------------------------------------------
    neighbours are at distances below one of the vectors

    Every block that changes holds a touched record (of an edit of 0 points, a frame, the changed
    blocks are counted as such).  Parts for which no fact is known see distance infinity.  A
    combination is dropped if it contains an infeasible pattern, or more blocks than there are.
    Where a count is no number, or a large one, a block with several touched records must be no
    worse than one with a single one of them; then the worst is that no block has two.
    Where no pattern is infeasible, what is below another combination of a map is not looked at.
    Source: SOUNDNESS.md, counting blocks.
    That the edits of the problem are all those of its granularity becomes part of the trust.
    Raises: KernelError if the problem lists no edit, a count is missing, a fact is about another
    problem, a combination is below none of the vectors, or there are too many combinations.
    """
    if not problem.edits:
        raise KernelError("the problem lists no edits: nothing is known of its neighbours")
    counts: dict[tuple[str, str], Expr] = {}
    distances: dict[tuple[str, str, Touched], Expr] = {}
    patterns: dict[str, list[tuple[Kind, ...]]] = {}
    for fact in facts:
        if fact.problem != problem:
            raise KernelError("a fact is about another problem")
        _points(problem, fact.edit)
        if isinstance(fact, TouchCount):
            counts[fact.edit, fact.map] = fact.count
        elif isinstance(fact, BlockDistance):
            distances[fact.edit, fact.part, fact.touched] = fact.distance
        elif isinstance(fact, Infeasible):
            patterns.setdefault(fact.edit, []).append(fact.pattern)
    sizes = {v.map: v.sizes for v in problem.views}
    for edit in problem.edits:
        never = patterns.get(edit.name, [])
        options = []
        for name, of in sizes.items():
            count = counts.get((edit.name, name))
            if count is None:
                raise KernelError(f"how many blocks of {name} does {edit.name} touch?")
            table = {
                t: tuple(
                    Seen(v.part, distances.get((edit.name, v.part, t), Inf()))
                    for v in problem.views
                    if v.map == name
                )
                for t in _subsets(edit.points)
            }
            chosen = _choices(count, most_blocks(of, where), table, not never, where)
            ways = [(name, c, table) for c in chosen]
            options.append(ways if never else _largest(problem, ways, where))
        if prod(map(len, options)) > MOST_COMBINATIONS:
            raise KernelError("there are too many combinations of blocks of different maps")
        for joint in product(*options):
            if any(_contains(_counts(joint), pattern) for pattern in never):
                continue
            vector = _vector_of(*joint)
            if not any(_below(problem, vector, v, where) for v in vectors):
                raise KernelError(f"{edit.name} can do {vector.text()}")
    return ProfileFact(problem, intersection(where), vectors)


def _vector_of(*ways: Way) -> Vector:
    """Return what the parts see when the blocks of each map are touched in one of the ways."""
    return Vector(
        tuple(
            Group(name, n if isinstance(n, Expr) else Num(Fraction(n)), table[t])
            for name, chosen, table in ways
            for t, n in chosen
        )
    )


def _largest(problem: Problem, ways: list[Way], where: Where) -> list[Way]:
    """Return ways to touch one map such that each of the others is below one of them."""
    kept: list[Way] = []
    for way in ways:
        vector = _vector_of(way)
        if not any(_below(problem, vector, _vector_of(w), where) for w in kept):
            kept = [w for w in kept if not _below(problem, _vector_of(w), vector, where)]
            kept.append(way)
    return kept


def _choices(
    count: Expr, most: int | None, table: dict[Touched, tuple[Seen, ...]], whole: bool, where: Where
) -> list[Choices]:
    """Return the combinations to look at; ``whole``: no pattern forbids some of them.

    If a block with several records is never worse than one with a single one of them, it is
    enough that no block has two.
    """
    exact = _integer(count)
    number = most if exact is None else exact
    chosen = None
    if number is not None and (number + 1) ** len(table) <= MOST_COMBINATIONS:
        chosen = _multisets(list(table), number)
    if whole and (chosen is None or exact is None):
        apart = (any(_all_below(s, table[x,], where) for x in t) for t, s in table.items() if t)
        if all(apart):
            return [tuple((t, count) for t in table if len(t) <= 1)]
    if chosen is None:
        raise KernelError("there are too many combinations of blocks with several touched records")
    return [(*c,) for c in chosen if most is None or sum(n for _, n in c) <= most]


def _integer(count: Expr) -> int | None:
    if isinstance(count, Num) and count.value.denominator == 1:
        return count.value.numerator
    return None


def _counts(joint: tuple[Way, ...]) -> dict[tuple[str, Touched], int | Expr]:
    """Return the number of blocks of each kind in a combination."""
    return {(name, t): n for name, chosen, _ in joint for t, n in chosen}


def _contains(counts: dict[tuple[str, Touched], int | Expr], pattern: tuple[Kind, ...]) -> bool:
    for kind in pattern:
        n = counts.get((kind.map, kind.touched), 0)
        if not isinstance(n, int) or n < kind.count:
            return False
    return bool(pattern)


def _all_below(a: tuple[Seen, ...], b: tuple[Seen, ...], where: Where) -> bool:
    at = {s.part: s.distance for s in b}
    return all(s.part in at and at_most(s.distance, at[s.part], where) for s in a)


def _below(problem: Problem, small: Vector, big: Vector, where: Where) -> bool:
    """Return whether each group finds its place in a group that is no better and has room."""
    real = [g for g in small.groups if any(s.distance != ZERO for s in g.distances)]
    goals = [
        [
            n
            for n, h in enumerate(big.groups)
            if h.map == g.map and _all_below(g.distances, h.distances, where)
        ]
        for g in real
    ]
    for plan in product(*goals):
        used: dict[int, list[Expr]] = {}
        for g, n in zip(real, plan, strict=True):
            used.setdefault(n, []).append(g.count)
        if all(_has_room(problem, big.groups[n], Sum(tuple(c)), where) for n, c in used.items()):
            return True
    return False


def _has_room(problem: Problem, group: Group, count: Expr, where: Where) -> bool:
    sizes = next((v.sizes for v in problem.views if v.map == group.map), ())
    most = most_blocks(sizes, where)
    full = most is not None and at_most(Num(Fraction(most)), group.count, where)
    return full or at_most(count, group.count, where)


def weaken_profile(profile: ProfileFact, vectors: tuple[Vector, ...], where: Where) -> ProfileFact:
    """Vectors may be replaced by larger ones.

    neighbours are at distances below one of v     each v is below one of the w
    ---------------------------------------------------------------------------
    neighbours are at distances below one of w

    Source: SOUNDNESS.md, domination.  Raises: KernelError if a vector is below none of the new.
    """
    box = intersection(profile.where, where)
    for vector in profile.vectors:
        if not any(_below(profile.problem, vector, v, box) for v in vectors):
            raise KernelError(f"{vector.text()} is below none of the vectors")
    return ProfileFact(profile.problem, box, vectors)
