"""Rules of profiles: which blocks neighbours change, and how far the parts see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, Final

from dpcomp_sym.replay.algebra import (
    INF,
    ONE,
    ZERO,
    at_most,
    most_blocks,
    num,
)
from dpcomp_sym.replay.rules.base import Nodes, box, few, inside, rule, says
from dpcomp_sym.replay.rules.means import spread_over_records
from dpcomp_sym.replay.rules.privacy import pushed
from dpcomp_sym.replay.terms import (
    Node,
    RejectedError,
    make,
    need,
    open_sizes,
)

__all__ = ["below"]

MOST_SPLIT: Final = 8
MOST_WAYS: Final = 2500


# ------------------------------------------------------------- profiles


def view_of(problem: Node, part: str) -> Node:
    views: Nodes = problem[4]
    for view in views:
        if view[1] == part:
            return view
    raise RejectedError(f"the problem has no part {part}")


def known_edit(problem: Node, edit: str) -> None:
    need(any(e[1] == edit for e in problem[3]), f"the problem has no edit {edit}")


@rule("problem:Problem compatible:|- sensitive:|-*")
def compatible_profile(problem: Node, compatible: Node, sensitive: Nodes) -> Node:
    arrow, relation, domain = says(compatible, "Compatible")
    rows = [says(s, "Sensitive") for s in sensitive]
    need((relation, domain) == (problem[2], problem[1]), "the condition is about other neighbours")
    views = problem[4]
    need(len({v[2] for v in views}) == 1, "all parts must read one map")
    canonical = make("Canonical", relation, domain)
    seen = []
    for _, part, _, sizes, metric in views:
        need(open_sizes(arrow) == {sizes} - {()}, f"nothing is known of {part}")
        bounds = [
            bound
            for f, bound, source, target in rows
            if f == arrow and source == canonical and make("Pullback", target, f) == metric
        ]
        if metric == pushed(relation, arrow):
            bounds.append(ONE)
        need(bool(bounds), f"nothing is known of the distance that {part} sees")
        seen.append(make("Seen", part, bounds[-1]))
    vector = make("Vector", (make("Group", views[0][2], ONE, tuple(seen), (), None),))
    return make("ProfileFact", problem, (), (vector,))


@rule("problem:Problem edit:text part:text touched:int*")
def common_distance(problem: Node, edit: str, part: str, touched: tuple[int, ...]) -> Node:
    metric = view_of(problem, part)[4]
    known_edit(problem, edit)
    common = metric[0] == "Pullback" and metric == pushed(problem[2], metric[2])
    need(common, f"{part} is not on the common domain")
    return make("BlockDistance", problem, edit, part, touched, ONE)


def subsets(points: int) -> list[tuple[int, ...]]:
    """Return the kinds of blocks that an edit changes, by the touched records they hold."""
    need(points <= 6, "too many touched records")
    if points == 0:
        return [()]
    names = range(1, points + 1)
    return [t for n in names for t in combinations(names, n)]


EDIT_FACTS: Final = frozenset(
    {
        "TouchCount",
        "BlockDistance",
        "Infeasible",
        "Together",
        "Shares",
        "Mixed",
        "ChangedTogether",
        "ChangedByRecords",
    }
)
NodeTable = dict[tuple[int, ...], Nodes]
Option = tuple[tuple[Any, Any, Nodes, tuple[int, ...], Any], ...]
"""Touched records (None: any), a number of blocks with exactly these, what parts see there, which
block it is, if that is known, and how many blocks share that, if they do."""
Way = tuple[str, Option]


def options(
    count: Node, most: int | None, table: NodeTable, never: list[Nodes], where: Nodes
) -> list[list[Option]]:
    """Return how many blocks can hold which touched records: lists, each of which is complete.

    All combinations are counted out where there are few.  Where the count is open, or large:
    those without a block of several records are enough, when such a block is never the worse one
    (their counts are upper bounds, so that nothing forbids them); else blocks are counted by the
    records that they must hold, and each is taken to be the worst.  Without a number patterns are
    only of use where they exclude some kinds of blocks of this map side by side.
    """
    exact = count[0] == "Num" and count[1].denominator == 1
    number = int(count[1]) if exact else most
    ways = None if number is None else counted_out(table, number)
    listed: list[list[Option]] = [] if ways is None else [
        [tuple((t, n, table[t], (), None) for t, n in way) for way in ways
         if most is None or sum(n for _, n in way) <= most]
    ]  # fmt: skip
    together: list[list[Option]] = []
    if count != INF and in_shares(table, where):
        full = max(table, key=len)
        wide = make("Product", (num(len(full)), count))
        together = [[((None, count, table[full], (), wide),)]]
    if listed and exact:
        return [*listed, *(together if number is not None and number > 4 else [])]
    if never:
        some = side_by_side(table, never)
        listed.append([alike(count, {t: table[t] for t in kinds}, where) for kinds in some])
    alone = [t for t in table if len(t) <= 1]
    if all(
        t in alone or any((x,) in table and all_below(s, table[x,], where) for x in t)
        for t, s in table.items()
    ):
        apart: Option = tuple((t, count, table[t], (), None) for t in alone)
        return [*listed, [apart]]
    return [*listed, *together, [alike(count, table, where)]]


def side_by_side(table: NodeTable, never: list[Nodes]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield sets of kinds of blocks: whatever an edit touches is within one of them.

    Where a set holds all kinds of a pattern, one of these has to go.  Where there are too many
    sets, that of all kinds does.
    """
    waiting, met = [tuple(table)], set[tuple[tuple[int, ...], ...]]()
    while waiting:
        kinds = waiting.pop()
        if kinds in met:
            continue
        met.add(kinds)
        if len(met) > MOST_WAYS:
            yield tuple(table)
            return
        for pattern in never:
            touched = {t for _, _, t, _ in pattern}
            if touched <= set(kinds):
                waiting += [tuple(t for t in kinds if t != one) for one in sorted(touched)]
                break
        else:
            yield kinds


def in_shares(table: NodeTable, where: Nodes) -> bool:
    """Return whether each touched record adds an equal share to what the parts see of a block.

    That is, a block with j of n records is seen from at most j/n of where one with all n is.
    """
    everyone = {x for t in table for x in t}
    whole = tuple(sorted(everyone))
    if whole not in table:
        return False
    limit = {part: r for _, part, r in table[whole]}
    return INF not in limit.values() and all(
        at_most(
            make("Product", (num(len(whole)), r)),
            make("Product", (num(len(t)), limit[part])),
            where,
        )
        for t, row in table.items()
        for _, part, r in row
    )


def alike(count: Node, table: NodeTable, where: Nodes) -> Option:
    """Return a number of blocks that nobody exceeds, each seen as badly as any block is."""
    bad = {t: s for t, s in table.items() if {r for _, _, r in s} - {ZERO}}
    if not bad:
        return ()
    everyone = {x for t in bad for x in t}
    times_met = min(
        len(held) for n in range(len(everyone) + 1) for held in combinations(sorted(everyone), n)
        if all(set(t) & set(held) for t in bad)
    )  # fmt: skip
    if count != INF:
        count = make("Product", (num(times_met), count))
    return ((None, count, as_bad(list(bad.values()), where), (), None),)


def as_bad(rows: Sequence[Nodes], where: Nodes) -> Nodes:
    """Return distances, part by part, that none of the rows exceeds."""
    worst = []
    for column in zip(*rows, strict=True):
        far = [r for _, _, r in column]
        top = [r for r in far if all(at_most(other, r, where) for other in far)]
        worst.append(make("Seen", column[0][1], top[0] if top else INF))
    return tuple(worst)


def counted_out(
    table: NodeTable, number: int
) -> list[tuple[tuple[tuple[int, ...], int], ...]] | None:
    """Return the ways to have each record in at most ``number`` blocks; None if there are many."""
    ways: list[tuple[tuple[tuple[int, ...], int], ...]] = [()]
    for t in table:
        longer: list[tuple[tuple[tuple[int, ...], int], ...]] = []
        for way in ways:
            taken = max((sum(n for s, n in way if x in s) for x in t), default=0)
            room = number - taken
            if len(longer) + room + 1 > MOST_WAYS:
                return None
            longer += [(*way, (t, n)) if n else way for n in range(room + 1)]
        ways = longer
    return ways


def all_below(a: Nodes, b: Nodes, where: Nodes) -> bool:
    at = {part: r for _, part, r in b}
    return all(part in at and at_most(r, at[part], where) for _, part, r in a)


def below(problem: Node, small: Node, big: Node, where: Nodes) -> bool:
    """Return whether each group of a vector has its place in a group of the other.

    Of two that say which blocks change, each family has one with the same condition.
    """
    if small == big or small[0] not in {"Vector", "BlockPattern"}:
        return small == big
    if big[0] == "MeanOf":
        return all(any(below(problem, small, v, where) for v in of) for of in big[1:])
    if small[0] == "BlockPattern":
        families = [(f[1], f[4], f[2], {s[1]: s[2] for s in f[3]}) for f in small[3]]
        return small[:3] == big[:3] and finds_room(families, big[3], where)
    if big[0] in {"BlockPattern", "Several"}:
        return all(r == ZERO for g in small[1] for _, _, r in g[3])
    groups = [g for g in small[1] if any(r != ZERO for _, _, r in g[3])]
    return all(
        fits(problem, [g for g in groups if g[1] == name], big, where)
        for name in {g[1] for g in groups}
    )


def fits(problem: Node, groups: list[Node], big: Node, where: Nodes) -> bool:
    """Return whether groups of one map have their places, as they are or block by block."""
    single = [one for g in groups for one in blocks_of(g)]
    return have_places(problem, groups, big, where) or (
        groups != single and len(single) <= MOST_SPLIT and have_places(problem, single, big, where)
    )


def blocks_of(group: Node) -> list[Node]:
    """Return the blocks of a group one by one, or the group if it is not a small number of them."""
    kind, name, count, distances, block, wide = group
    whole = count[0] == "Num" and count[1].denominator == 1
    if not whole or wide is not None or count[1] > MOST_SPLIT:
        return [group]
    return [make(kind, name, num(1), distances, block, wide)] * int(count[1])


def have_places(problem: Node, groups: list[Node], big: Node, where: Nodes) -> bool:
    goals = [
        [
            n
            for n, h in enumerate(big[1])
            if h[1] == g[1] and (not h[4] or h[4] == g[4]) and all_below(g[3], h[3], where)
        ]
        for g in groups
    ]

    def rest(n: int, used: list[list[Node]], before: int) -> bool:
        if n == len(groups):
            return True
        for goal in goals[n]:
            if n and groups[n] == groups[n - 1] and goal < before:
                continue  # where one of two equal groups is is all that matters
            used[goal].append(groups[n])
            if has_room(problem, big[1][goal], used[goal], where) and rest(n + 1, used, goal):
                return True
            used[goal].pop()
        return False

    return rest(0, [[] for _ in big[1]], 0)


def has_room(problem: Node, group: Node, them: list[Node], where: Nodes) -> bool:
    """Return whether a group has room for the blocks of others, and for what these share."""
    (sizes, *_) = (v[3] for v in problem[4] if v[2] == group[1])
    most = most_blocks(sizes, where)
    every = tuple(g[2] if g[5] is None else g[5] for g in them)
    needs = [(every, group[2])]
    if group[5] is not None:
        needs = [(every, group[5]), (tuple(g[2] for g in them), group[2])]
    return all(
        (most is not None and at_most(num(most), room, where))
        or at_most(make("Sum", counts), room, where)
        for counts, room in needs
    )


@dataclass
class Known:
    """What facts say of the edits of a problem, in a box of sizes; the last one counts."""

    counts: dict[tuple[str, str], Node] = field(default_factory=dict)
    far: dict[tuple[str, str, tuple[int, ...]], Node] = field(default_factory=dict)
    never: dict[str, list[Nodes]] = field(default_factory=dict)
    sets: dict[str, Nodes] = field(default_factory=dict)
    shares: dict[tuple[str, str], tuple[Node, Nodes]] = field(default_factory=dict)
    joint: dict[str, Node] = field(default_factory=dict)
    records: dict[str, Node] = field(default_factory=dict)
    mixed: dict[str, Nodes] = field(default_factory=dict)

    def enter(self, fact: Node, where: Nodes) -> None:
        """Take note of a fact."""
        match fact:
            case ("TouchCount", _, edit, name, count):
                self.counts[edit, name] = count
            case ("BlockDistance", _, edit, part, touched, r):
                self.far[edit, part, touched] = r
            case ("ChangedTogether", _, edit, *_):
                self.joint[edit] = fact
            case ("ChangedByRecords", _, edit, *_):
                self.records[edit] = fact
            case ("Mixed", _, edit, vectors):
                self.mixed[edit] = vectors
            case ("Infeasible", _, edit, pattern, within) if inside(where, within):
                self.never.setdefault(edit, []).append(pattern)
            case ("Together", _, edit, reaches):
                self.sets[edit] = reaches
            case ("Shares", _, edit, name, count, distances):
                self.shares[edit, name] = count, distances
            case _:
                pass


def known_from(problem: Node, facts: Nodes, where: Nodes) -> Known:
    """Return what the facts say that hold in the whole box; each must be about the problem."""
    known = Known()
    for said in facts:
        _, fact, box_of_it = said if said[0] == "Restricted" else ("", said, ())
        about = fact[0] in EDIT_FACTS and fact[1] == problem
        need(about, "a fact is not about this problem")
        known_edit(problem, fact[2])
        if inside(where, box_of_it):
            known.enter(fact, where)
    return known


@rule("problem:Problem facts:|-* vectors:Vector* where:Range*")
def compose_profile(problem: Node, facts: Nodes, vectors: Nodes, where: Nodes) -> Node:
    need(bool(problem[3]), "there are no edits: nothing is bounded")
    known = known_from(problem, facts, where)
    for _, edit, points in problem[3]:
        if edit in known.joint and said_together(problem, edit, points, known, vectors, where):
            continue
        if edit in known.records and said_of_records(problem, edit, points, known, vectors, where):
            continue
        if edit in known.joint and said_in_the_mean(problem, edit, points, known, vectors, where):
            continue
        everything: dict[str, NodeTable] = {}
        for name in dict.fromkeys(v[2] for v in problem[4]):
            parts = [v[1] for v in problem[4] if v[2] == name]
            everything[name] = {
                t: tuple(make("Seen", p, known.far.get((edit, p, t), INF)) for p in parts)
                for t in subsets(points)
            }
        ways = besides_means(problem, known.mixed.get(edit, ()), vectors, where)
        for tables, named in allowed(known.sets.get(edit), everything, where):
            per_map = ways_of(problem, edit, points, known, tables, named, where)
            holds = any(
                bounded(problem, lists, known.never.get(edit, []), ways, where)
                for lists in few(product(*per_map))
            )
            need(holds, f"{edit} can do more than the vectors say")
    return make("ProfileFact", problem, box(where), vectors)


def besides_means(problem: Node, mixed: Nodes, vectors: Nodes, where: Nodes) -> Nodes:
    """Return what one of must bound an edit: where a mean of it is stated, what that is within."""
    for way in vectors:
        if mixed and way[0] == "MeanOf":
            larger: Nodes = way[1]
            within: Nodes = way[2]
            if all(any(below(problem, v, w, where) for w in larger) for v in mixed):
                return within
    return vectors


def ways_of(
    problem: Node,
    edit: str,
    points: int,
    known: Known,
    tables: dict[str, NodeTable],
    named: dict[str, Any],
    where: Nodes,
) -> list[list[list[Way]]]:
    """Return for each map complete lists of the ways in which an edit changes its blocks."""
    per_map: list[list[list[Way]]] = []
    for name, family in {v[2]: v[3] for v in problem[4]}.items():
        found: list[list[Option]] = [[named.get(name, ())]]
        if tables[name]:
            need((edit, name) in known.counts, f"how many blocks of {name} does {edit} touch?")
            most, count = most_blocks(family, where), known.counts[edit, name]
            patterns = known.never.get(edit, ())
            here = [p for p in patterns if p and {k[1::2] for k in p} == {(name, 1)}]
            found = options(count, most, tables[name], here, where)
            if (edit, name) in known.shares and points == 0:
                total, distances = known.shares[edit, name]
                found.append([((None, total, distances, (), count),)])
        ways = [[(name, option) for option in complete] for complete in found]
        if edit not in known.never:
            ways = [outermost(problem, w, where) for w in ways]
        per_map.append(ways)
    return per_map


def said_together(
    problem: Node, edit: str, points: int, known: Known, vectors: Nodes, where: Nodes
) -> bool:
    """Return whether a vector says which blocks an edit changes together, in full."""
    _, _, _, terms, facts, places = known.joint[edit]
    wanted = kinds_of_blocks(problem, edit, points, known, places, where)
    return any(
        v[0] == "BlockPattern" and v[1:3] == (len(terms), facts) and finds_room(wanted, v[3], where)
        for v in vectors
    )


def said_of_records(
    problem: Node, edit: str, points: int, known: Known, vectors: Nodes, where: Nodes
) -> bool:
    """Return whether a vector says which blocks hold the records that an edit changes, in full."""
    _, _, _, times, terms, facts, places = known.records[edit]
    wanted = kinds_of_blocks(problem, edit, points, known, places, where)
    for way in vectors:
        number, pattern = way[1:] if way[0] == "Several" else (ONE, way)
        if pattern[0] == "BlockPattern" and at_most(times, number, where):
            _, free, said, families = pattern
            if (free, said) == (len(terms), facts) and finds_room(wanted, families, where):
                return True
    return False


def kinds_of_blocks(
    problem: Node, edit: str, points: int, known: Known, places: Nodes, where: Nodes
) -> list[tuple[str, Node, Node, dict[str, Node]]]:
    """Return of each kind of blocks its map and condition, how many there are, and how far."""
    told = {(p[1], p[2]): (p[3], {s[1]: s[2] for s in p[4]}) for p in places}
    parts: dict[str, list[str]] = {}
    for _, part, name, _, _ in problem[4]:
        parts.setdefault(name, []).append(part)
    wanted: list[tuple[str, Node, Node, dict[str, Node]]] = []
    for name, readers_ in parts.items():
        kinds = subsets(points)
        whole = points > 0 and (name, ()) in told
        most = known.counts.get((edit, name), INF)
        if whole and most != INF:
            most = make("Product", (num(points), most))
        for kind in [()] if whole else kinds:
            when, own = told.get((name, kind), (make("Connected", "and", ()), {}))
            seen = {}
            for part in readers_:
                each = [known.far.get((edit, part, t), INF) for t in (kinds if whole else [kind])]
                top = [r for r in each if all(at_most(other, r, where) for other in each)]
                seen[part] = own.get(part, top[0] if top else INF)
            if any(r != ZERO for r in seen.values()):
                wanted.append((name, when, most, seen))
    return wanted


def said_in_the_mean(
    problem: Node, edit: str, points: int, known: Known, vectors: Nodes, where: Nodes
) -> bool:
    """Return whether it is known what an edit changes together, as a mean and as it is."""
    means = [v for v in vectors if v[0] == "MeanOf"]
    tables: dict[str, dict[tuple[int, ...], Nodes]] = {}
    for _, part, name, _, _ in problem[4]:
        for kind in subsets(points):
            r = known.far.get((edit, part, kind), INF)
            if r != ZERO:
                row = tables.setdefault(name, {}).setdefault(kind, ())
                tables[name][kind] = (*row, make("Seen", part, r))
    counts = {name: known.counts.get((edit, name), INF) for name in tables}
    return any(
        said_together(problem, edit, points, known, within, where)
        and (
            said_together(problem, edit, points, known, finer, where)
            or spread_over_records(known.joint[edit], points, tables, counts, finer, where)
        )
        for _, finer, within in means
    )


def finds_room(
    wanted: list[tuple[str, Node, Node, dict[str, Node]]], families: Nodes, where: Nodes
) -> bool:
    """Return whether each kind of blocks has a family of its own with the same condition."""
    free = list(families)
    for name, when, most, seen in wanted:
        for family in free:
            _, other, count, distances, condition = family
            far = {part: r for _, part, r in distances}
            if (
                (name, when) == (other, condition)
                and (count == INF or at_most(most, count, where))
                and all(
                    part in far and (r == far[part] or at_most(r, far[part], where))
                    for part, r in seen.items()
                )
            ):
                free.remove(family)
                break
        else:
            return False
    return True


def allowed(
    sets: Nodes | None, everything: dict[str, NodeTable], where: Nodes
) -> Iterator[tuple[dict[str, NodeTable], dict[str, Option]]]:
    """Yield, for each set, what it allows in blocks without a number, and in those with one."""
    if sets is None:
        yield everything, {}
    for _, touches in sets or ():
        tables: dict[str, NodeTable] = {name: {} for name in everything}
        numbered: dict[str, dict[tuple[int, ...], list[Nodes]]] = {name: {} for name in everything}
        for _, name, block, touched, nearer in touches:
            need(touched in everything.get(name, {}), "no block can be touched like this")
            own = {entry[1]: entry for entry in nearer}
            seen = tuple(own.get(entry[1], entry) for entry in everything[name][touched])
            if block:
                numbered[name].setdefault(block, []).append(seen)
            else:
                tables[name][touched] = seen
        yield (
            tables,
            {
                name: tuple((None, num(1), as_bad(rows, where), b, None) for b, rows in of.items())
                for name, of in numbered.items()
            },
        )


def bounded(
    problem: Node, lists: Sequence[list[Way]], never: list[Nodes], vectors: Nodes, where: Nodes
) -> bool:
    """Return whether all that can occur, one way for each map, is below one of the vectors."""
    for number, joint in enumerate(product(*lists)):
        if number >= MOST_WAYS:
            return False
        held = {(name, t): n for name, option in joint for t, n, _, _, _ in option}
        if any(occurs(pattern, held) for pattern in never):
            continue
        vector = vector_of(joint)
        if vector not in vectors and not any(below(problem, vector, v, where) for v in vectors):
            return False
    return True


def vector_of(ways: Iterable[Way]) -> Node:
    """Return the vector of what the parts see, one way for each map."""
    return make("Vector", tuple(
        make("Group", name, n if isinstance(n, tuple) else num(n), seen, block, wide)
        for name, option in ways
        for _, n, seen, block, wide in option
    ))  # fmt: skip


def outermost(problem: Node, ways: list[Way], where: Nodes) -> list[Way]:
    """Leave out ways to touch a map that are below another one: the larger one stands for them."""
    left: list[tuple[Way, Node]] = []
    for way in reversed(ways):
        vector = vector_of([way])
        if any(below(problem, vector, other, where) for _, other in left):
            continue
        left = [(w, v) for w, v in left if not below(problem, v, vector, where)]
        left.append((way, vector))
    return [way for way, _ in left]


def occurs(pattern: Nodes, held: dict[tuple[str, tuple[int, ...]], Any]) -> bool:
    """Return whether a combination contains a pattern."""
    for _, name, touched, count in pattern:
        n = held.get((name, touched), 0)
        if not isinstance(n, int) or n < count:
            return False
    return bool(pattern)


@rule("profile:|- vectors:Vector* where:Range*")
def weaken_profile(profile: Node, vectors: Nodes, where: Nodes) -> Node:
    problem, within, old = says(profile, "ProfileFact")
    both = box(within, where)
    for vector in old:
        holds = any(below(problem, vector, v, both) for v in vectors)
        need(holds, "a vector is below none of the new ones")
    return make("ProfileFact", problem, both, vectors)
