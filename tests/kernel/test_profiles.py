"""The rules on profiles, and derivations from facts to bounds."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product

import pytest

from dpcomp_sym import kernel as k
from tests.kernel.rejects import (
    ADD,
    BOTH,
    COMMON,
    EDITED,
    FRAMED,
    MIXED,
    NAMED,
    SINGLES,
    compatible,
    distance,
    profile,
    sensitive,
    touch,
)
from tests.kernel.world import (
    BLOCK,
    DELTA,
    EPS,
    INF,
    ONE,
    T3,
    THIRD,
    THREE,
    A,
    D,
    E,
    F,
    G,
    H,
    K,
    P,
    Q,
    fact,
    family,
    group,
    mixed,
    num,
    part,
    problem,
    raises,
    reach,
    seen,
    shares,
    together,
    up_to,
    vector,
    worst,
)
from tests.statements import exact_values as exact

M_SIZE = k.Size("m")


def composed(*facts, vectors, of=EDITED, where=()):
    return k.compose_profile(of, facts, vectors, where)


# Conditions C1 and C2.


def test_parallel_composition_from_conditions():
    of = problem()
    done = k.compatible_profile(of, compatible(), (sensitive(bound=num(2)),))
    assert done.statement == k.ProfileFact(of, (), (vector(group(1, s=2)),))
    assert done.source == "GB24.IV.6, V.4, IV.12, V.6"
    bound = k.maximum_over_neighbours(
        family(), k.compatible_profile(of, compatible(), (sensitive(),))
    )
    assert bound.statement.loss == k.Neighbouring(G, D, (worst((1, EPS)),))
    assert {t.kind for t in bound.trust} == {"given", "smt"}
    assert len(bound.trust) == 3


def test_parallel_composition_on_the_common_domain():
    of = problem(k.PartView("s", "p", K, COMMON))
    mechanism = k.NamedMechanism("S", D, K)
    done = k.compatible_profile(of, compatible(), ())
    assert done.statement == k.ProfileFact(of, (), (vector(group(1)),))
    start = k.given(k.Private(mechanism, "zcdp", k.Neighbouring(G, D, (EPS,)), ()))
    parts = k.run_family(k.pushforward(start, k.given(k.Dependent(mechanism, P))), K)
    bound = k.maximum_over_neighbours(parts, done)
    assert bound.statement.loss == k.Neighbouring(G, D, (worst((1, EPS)),))
    everywhere = k.everywhere(bound)
    assert everywhere.statement.loss == k.At((worst((1, EPS)),), k.CanonicalMetric(G, D))


def test_conditions_for_several_parts_and_single_maps():
    euclid = k.NamedPseudometric("d", "", BLOCK)
    of = problem(("s", P), k.PartView("t", "p", K, k.Pullback(euclid, P)))
    both = (sensitive(bound=num(2)), sensitive(bound=num(3), target=euclid))
    done = k.compatible_profile(of, compatible(), both).statement
    assert done.vectors == (vector(group(1, s=2, t=3)),)
    single = problem(("s", F))
    inner = k.CanonicalMetric(H, E)
    done = k.compatible_profile(single, compatible(F), (sensitive(F, target=inner),)).statement
    assert done.vectors == (vector(group(1, "f", s=1)),)


def test_common_distance():
    of = problem(k.PartView("s", "p", K, COMMON), edits=(("swap", 2),))
    done = k.common_distance(of, "swap", "s", (1, 2))
    assert done.statement == k.BlockDistance(of, "swap", "s", (1, 2), ONE)
    assert done.source == "N2"
    assert done.trust == frozenset()


# Composition edit by edit.


def test_one_record_each_in_two_blocks():
    done = composed(touch(1), *SINGLES, vectors=(vector(group(2)),), where=up_to("k", 2))
    assert done.statement == k.ProfileFact(EDITED, up_to("k", 2), (vector(group(2)),))
    assert len(done.trust) == 5
    assert k.Trust("given", "edits of G", EDITED.digest()) in done.trust


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("facts", "vectors", "where"),
    [
        ((touch(1), *SINGLES), (vector(group(1), group(1)),), ()),
        ((touch(1), *SINGLES), (vector(group(1)),), up_to("k", 1, 1)),
        ((touch(1), *SINGLES), (vector(group(1)), vector(group(2))), ()),
        ((touch(1), *SINGLES), (vector(group(INF)),), ()),
        ((touch(1), *SINGLES), (vector(group(M_SIZE)),), up_to("m", 2)),
        ((touch(2), *SINGLES), (vector(group(4)),), ()),
        ((touch(2), *SINGLES), (vector(group(3)),), up_to("k", 1, 3)),
        ((touch(0), *SINGLES), (vector(),), ()),
        ((touch(1), *(distance(0, t) for t in ((1,), (2,), (1, 2)))), (vector(),), ()),
        ((touch(1), distance(0, (1,)), *SINGLES[1:]), (vector(group(1)),), ()),
        ((touch(1), *SINGLES[:2], distance(5, (1, 2))),
         (vector(group(2)), vector(group(1, s=5))), ()),
        ((touch(1), *SINGLES[:2]), (vector(group(2)), vector(group(1, s=INF))), ()),
        ((touch(1), distance(INF, (1,)), distance(M_SIZE, (2,)), SINGLES[2]),
         (vector(group(1, s=INF), group(1, s=M_SIZE)),), ()),
        ((touch(M_SIZE), *SINGLES), (vector(group(k.Product((num(2), M_SIZE)))),), ()),
        ((touch(M_SIZE), *SINGLES), (vector(group(M_SIZE), group(M_SIZE)),), ()),
        ((touch(M_SIZE), *SINGLES), (vector(group(1)),), up_to("k", 1, 1)),
        ((touch(M_SIZE), *SINGLES), (vector(group(M_SIZE), group(M_SIZE)),), up_to("k", 1, 5)),
        ((touch(M_SIZE), distance(3, (1,)), distance(1, (2,)), distance(3, (1, 2))),
         (vector(group(M_SIZE, s=3), group(M_SIZE)),), ()),
        ((touch(k.Max((ONE, M_SIZE))), *SINGLES),
         (vector(group(k.Max((ONE, M_SIZE))), group(k.Max((ONE, M_SIZE)))),), ()),
        ((touch(13), *SINGLES), (vector(group(26)),), ()),
        ((touch(365), *SINGLES), (vector(group(730)),), ()),
        ((touch(365), *SINGLES), (vector(group(700)),), up_to("k", 1, 700)),
        ((touch(M_SIZE), *SINGLES[:2], distance(2, (1, 2))),
         (vector(group(2, s=2)),), up_to("k", 1, 2)),
        ((touch(INF), *SINGLES), (vector(group(INF), group(INF)),), ()),
        ((touch(M_SIZE), *SINGLES[:2], distance(5, (1, 2))),
         (vector(group(k.Product((num(2), M_SIZE)), s=5)),), ()),
        ((touch(M_SIZE), *SINGLES[:2], distance(5, (1, 2))),
         (vector(group(k.Product((num(2), M_SIZE)), s=5)),), up_to("k", 3, 3)),
        ((touch(M_SIZE), distance(0, (1,)), distance(0, (2,)), SINGLES[2]),
         (vector(group(M_SIZE)),), ()),
        ((touch(INF), distance(0, (1,)), distance(0, (2,)), SINGLES[2]),
         (vector(group(INF)),), ()),
        ((touch(M_SIZE), distance(3, (1,)), SINGLES[1], distance(M_SIZE, (1, 2))),
         (vector(group(k.Product((num(2), M_SIZE)), s=INF)),), ()),
        ((touch(M_SIZE), *(distance(0, t) for t in ((1,), (2,), (1, 2)))), (vector(),), ()),
        ((touch(19), *SINGLES[:2], distance(5, (1, 2))), (vector(group(38, s=5)),), ()),
    ],
)  # fmt: skip
def test_compositions_of_facts(facts, vectors, where):
    done = composed(*facts, vectors=vectors, where=where)
    assert done.statement == k.ProfileFact(EDITED, where, vectors)


def test_infeasible_combinations():
    apart = fact(
        k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 1), k.TouchedKind("p", (2,), 1)), ())
    )
    one = (vector(group(1)),)
    assert composed(touch(1), *SINGLES, apart, vectors=one)
    first = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 1),), ()))
    both = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1, 2), 1),), ()))
    second = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (2,), 1),), ()))
    assert composed(touch(1), first, second, both, vectors=(vector(),))
    twice = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 2),), ()))
    assert composed(touch(2), first, second, *SINGLES, vectors=(vector(group(2)),))
    assert raises(lambda: composed(touch(2), second, both, *SINGLES, vectors=one))
    assert composed(touch(2), twice, second, both, *SINGLES, vectors=one)


def test_patterns_hold_for_the_sizes_that_they_name():
    one = (vector(group(1)),)
    for box, within in ((up_to("k", 1, 1), up_to("k", 1, 1)), (up_to("k", 2), up_to("k", 3))):
        apart = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 1),), box))
        assert composed(touch(1), *SINGLES, apart, vectors=one, where=within)
        if within != box:
            assert raises(lambda a=apart: composed(touch(1), *SINGLES, a, vectors=one))


@pytest.mark.parametrize(
    ("counts", "most", "holds"),
    [
        ((3,), ((2, 2), (2, 1)), True),
        ((4,), ((2, 2), (2, 1)), True),
        ((5,), ((2, 2), (2, 1)), False),
        ((8,), ((4, 2), (4, 1)), True),
        ((9,), ((5, 2), (4, 1)), False),  # too many to be placed one by one
        ((2, 2), ((1, 2), (3, 1)), True),
        ((7, 2), ((5, 2), (4, 1)), False),
    ],
)
def test_blocks_of_one_kind_can_find_places_in_several_groups(counts, most, holds):
    """Vectors list how many blocks are seen from how far; what is smaller is seen at distance 1."""
    small = vector(*(group(n) for n in counts))
    big = vector(*(group(n, s=r) for n, r in most))
    start = fact(k.ProfileFact(EDITED, (), (small,)))
    if holds:
        assert k.weaken_profile(start, (big,), ())
    else:
        assert raises(lambda: k.weaken_profile(start, (big,), ()))


@pytest.mark.parametrize(
    ("second", "holds"),
    [((9, ((9, 2),)), True), ((9, ((8, 2),)), False), ((1, ((1, 1),)), True)],
)
def test_blocks_of_each_map_find_their_places_by_themselves(second, holds):
    """However many another map has, those of one are few enough to be placed one by one."""
    of = problem(("s", P), ("t", Q))
    other, most = second
    small = vector(group(3), group(other, "q", t=1))
    big = vector(group(1, s=2), group(2), *(group(n, "q", t=r) for n, r in most))
    start = fact(k.ProfileFact(of, (), (small,)))
    if holds:
        assert k.weaken_profile(start, (big,), ())
    else:
        assert raises(lambda: k.weaken_profile(start, (big,), ()))


def test_blocks_that_share_are_not_placed_one_by_one():
    shared = k.BlockGroup("p", num(2), (k.SeenDistance("s", ONE),), (), num(3))
    wide = k.DifferenceVector((shared,))
    start = fact(k.ProfileFact(EDITED, (), (wide,)))
    assert raises(lambda: k.weaken_profile(start, (vector(group(1, s=2), group(1)),), ()))


def test_facts_about_some_sizes_hold_for_these_alone():
    far = fact(k.Restricted(k.BlockDistance(EDITED, "swap", "s", (1, 2), num(5)), up_to("k", 2)))
    near = fact(k.Restricted(k.BlockDistance(EDITED, "swap", "s", (1, 2), ONE), up_to("k", 1, 1)))
    few = fact(k.Restricted(k.TouchCount(EDITED, "swap", "p", num(0)), up_to("k", 1, 1)))
    both = (touch(1), *SINGLES[:2], far, near)
    two, one = (vector(group(2)), vector(group(1, s=5))), (vector(group(2)),)
    assert composed(*both, vectors=two, where=up_to("k", 2, 3))
    assert composed(*both, vectors=one, where=up_to("k", 1, 1))
    assert raises(lambda: composed(*both, vectors=one, where=up_to("k", 2, 3)))
    assert raises(lambda: composed(*both, vectors=one))
    assert raises(lambda: composed(*both, vectors=two))  # of all sizes nothing is known
    assert composed(touch(1), few, *SINGLES, vectors=(vector(),), where=up_to("k", 1, 1))
    assert raises(lambda: composed(touch(1), few, *SINGLES, vectors=(vector(),)))


def test_the_later_one_of_two_facts_about_the_same_blocks_is_used():
    wide = k.Restricted(k.BlockDistance(EDITED, "swap", "s", (1, 2), num(5)), up_to("k", 1, 1))
    narrow, here = (touch(1), *SINGLES), up_to("k", 1, 1)
    assert composed(fact(wide), *narrow, vectors=(vector(group(1)),), where=here)
    assert raises(lambda: composed(*narrow, fact(wide), vectors=(vector(group(1)),), where=here))


def never(*kinds, where=()):
    """A fact: the swap touches no blocks of all these kinds (and numbers) side by side."""
    named = tuple(k.TouchedKind("p", touched, count) for touched, count in kinds)
    return fact(k.Infeasible(EDITED, "swap", named, where))


@pytest.mark.parametrize(
    ("patterns", "times"),
    [
        ((), 2),
        ([[((1,), 1), ((2,), 1)]], 1),
        ([[((1,), 1)]], 1),
        ([[((1,), 2), ((2,), 1)]], 2),
        ([[((1,), 1), ((1, 2), 1)]], 2),
        ([[((1,), 1), ((1, 2), 1)], [((1,), 1), ((2,), 1)]], 1),
        ([[((1,), 1), ((2,), 1), ((1, 2), 1)]], 2),
        ([[((1,), 1)], [((2,), 1)], [((1, 2), 1)]], 0),
    ],
)
def test_any_number_of_blocks_of_kinds_that_do_not_occur_side_by_side(patterns, times):
    facts = (touch(M_SIZE), *SINGLES, *(never(*kinds) for kinds in patterns))
    enough = [vector(group(k.Product((num(times), M_SIZE)))) if times else vector()]
    less = [vector(group(M_SIZE)), vector()][2 - times :] if times else []
    assert composed(*facts, vectors=tuple(enough))
    for one in less:
        assert raises(lambda v=one: composed(*facts, vectors=(v,)))


@pytest.mark.parametrize(("pairs", "times"), [(8, 1), (9, 2)])
def test_of_many_patterns_not_every_choice_is_looked_at(pairs, times):
    of = problem(edits=(("rotate", 5),))
    kinds = [t for n in range(1, 6) for t in combinations(range(1, 6), n)]
    facts = [distance(int(t in {(1,), (2,)}), t, of, "rotate") for t in kinds]
    for first, second in zip(kinds[0 : 2 * pairs : 2], kinds[1 : 2 * pairs : 2], strict=True):
        named = (k.TouchedKind("p", first, 1), k.TouchedKind("p", second, 1))
        facts.append(fact(k.Infeasible(of, "rotate", named, ())))
    facts.append(touch(M_SIZE, of, "rotate"))
    enough = vector(group(k.Product((num(times), M_SIZE))))
    assert composed(*facts, of=of, vectors=(enough,))
    less = vector(group(M_SIZE)) if times > 1 else vector()
    assert raises(lambda: composed(*facts, of=of, vectors=(less,)))


def test_kinds_of_blocks_of_another_map_are_not_left_out():
    of = problem(("s", P), ("u", Q), edits=(("swap", 2),))
    kinds = (k.TouchedKind("q", (1,), 1), k.TouchedKind("q", (2,), 1))
    facts = [touch(M_SIZE, of), touch(0, of, name="q"), fact(k.Infeasible(of, "swap", kinds, ()))]
    facts += [distance(1, t, of) for t in ((1,), (2,), (1, 2))]
    assert raises(lambda: composed(*facts, of=of, vectors=(vector(group(M_SIZE)),)))
    assert composed(*facts, of=of, vectors=(vector(group(k.Product((num(2), M_SIZE)))),))


def three(*kinds):
    """Facts about an edit of three records, each in m blocks; only these kinds see something."""
    of = problem(edits=(("rotate", 3),))
    every = ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))
    facts = [distance(int(t in kinds), t, of, "rotate") for t in every]
    return of, (touch(M_SIZE, of, "rotate"), *facts)


def test_a_block_counts_where_one_of_two_parts_sees_something():
    of = problem(("s", P), ("u", P), edits=(("swap", 2),))
    facts = [touch(M_SIZE, of), distance(1, (1, 2), of), distance(0, (1, 2), of, "swap", "u")]
    facts += [distance(0, t, of, "swap", part) for t in ((1,), (2,)) for part in ("s", "u")]
    assert composed(*facts, of=of, vectors=(vector(group(M_SIZE, s=1, u=0)),))
    assert raises(lambda: composed(*facts, of=of, vectors=(vector(),)))


@pytest.mark.parametrize(
    ("kinds", "times"),
    [
        (((1, 2), (2, 3)), 1),
        (((1, 2), (2, 3), (1, 3)), 2),
        (((1, 2), (3,)), 2),
        (((1, 2, 3), (1, 2), (1, 3)), 1),
        (((1, 2), (1,), (2,), (3,), (1, 3)), 3),
    ],
)
def test_blocks_are_counted_by_the_records_that_they_must_hold(kinds, times):
    of, facts = three(*kinds)
    enough = vector(group(k.Product((num(times), M_SIZE))))
    assert composed(*facts, of=of, vectors=(enough,))
    less = vector(group(k.Product((num(times - 1), M_SIZE)) if times > 1 else ONE))
    assert raises(lambda: composed(*facts, of=of, vectors=(less,)))


def ways(kinds, room):
    """All ways to have each record in at most so many blocks: how many blocks of each kind."""
    if not kinds:
        yield {}
        return
    first, *rest = kinds
    for n in range(min(room[x] for x in first) + 1):
        left = {x: r - n * (x in first) for x, r in room.items()}
        for way in ways(rest, left):
            yield {first: n, **way}


def fits(blocks, room):
    """Whether blocks, by what is seen in them, find different places: [(how many, seen), …]."""
    if not blocks:
        return True
    return any(
        n > 0 and blocks[0] <= far
        and fits(blocks[1:], [*room[:at], (n - 1, far), *room[at + 1 :]])
        for at, (n, far) in enumerate(room)
    )  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(16))
def test_what_is_composed_holds_for_every_way_to_touch_blocks(seed):
    rng = random.Random(seed)
    kinds = ((1,), (2,), (1, 2))
    table = {t: rng.choice((0, 1, 1, 2, 3)) for t in kinds}
    accepted = 0
    for _ in range(40):
        count = rng.choice((1, 2, 3, "m"))
        sized = M_SIZE if count == "m" else num(count)
        groups = [
            (rng.choice((1, 2, 3, "m", "2*m")), rng.choice((1, 2, 3)))
            for _ in range(rng.choice((1, 1, 2)))
        ]
        said = {"m": M_SIZE, "2*m": k.Product((num(2), M_SIZE))}
        stated = vector(*(group(said.get(n, n), s=far) for n, far in groups))
        facts = [touch(sized), *(distance(r, t) for t, r in table.items())]
        pattern = {t: rng.choice((1, 1, 2)) for t in kinds if rng.random() < 0.4}
        facts += [never(*pattern.items())] if pattern else []
        if raises(lambda f=facts, v=stated: composed(*f, vectors=(v,))):
            continue
        accepted += 1
        for m in (1, 2, 3):
            value = {"m": m, "2*m": 2 * m}
            most, room = value.get(count, count), [(value.get(n, n), far) for n, far in groups]
            for way in ways(kinds, {1: most, 2: most}):
                if pattern and all(way.get(t, 0) >= n for t, n in pattern.items()):
                    continue
                blocks = sorted((table[t] for t, n in way.items() for _ in range(n)), reverse=True)
                assert fits([r for r in blocks if r], room), (table, count, groups, way)
    assert accepted


def test_many_combinations():
    facts = touch(2499, ADD, "add"), distance(1, (1,), ADD, "add")
    never = fact(k.Infeasible(ADD, "add", (k.TouchedKind("p", (1,), 2),), ()))
    assert composed(*facts, never, of=ADD, vectors=(vector(group(1)),))


def many_maps(*labels):
    """Maps p1, p2, … whose records have so many labels; two records in one block are far."""
    maps = [k.NamedMap(f"p{n}", "{}", D, BLOCK, K) for n in range(len(labels))]
    of = problem(*((f"s{n}", m) for n, m in enumerate(maps)), edits=(("swap", 2),))
    facts = []
    for n, count in enumerate(labels):
        facts.append(touch(count, of, name=f"p{n}"))
        for touched, r in (((1,), 1), ((2,), 1), ((1, 2), 2)):
            facts.append(distance(r, touched, of, name=f"s{n}"))
    return of, facts


def test_many_maps():
    """Of the ways to touch one map only the largest are combined with those of the others."""
    of, facts = many_maps(*[1] * 12)
    top = vector(*(group(1, f"p{n}", **{f"s{n}": 2}) for n in range(12)))
    assert composed(*facts, of=of, vectors=(top,), where=up_to("k", 1, 1))
    short = vector(*top.groups[1:])
    assert raises(lambda: composed(*facts, of=of, vectors=(short,), where=up_to("k", 1, 1)))


@pytest.mark.in_turn
def test_too_many_ways_to_touch_several_maps():
    """5 * 5 * 5 * 5 * 2 * 2 ways are looked at, twice as many are not."""
    counts = (4, 4, 4, 4, 1, 1, 1)
    of, facts = many_maps(*counts[:-1])
    top = vector(*(group(2 * c, f"p{n}", **{f"s{n}": 2}) for n, c in enumerate(counts[:-1])))
    assert composed(*facts, of=of, vectors=(top,))
    of, facts = many_maps(*counts)
    top = vector(*(group(INF, f"p{n}", **{f"s{n}": INF}) for n in range(len(counts))))
    with pytest.raises(k.KernelError, match="too many combinations"):
        composed(*facts, of=of, vectors=(top,))


def test_what_a_larger_combination_excludes_does_not_exclude_a_smaller_one():
    both = fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 2),), ()))
    facts = touch(2), distance(3, (1,)), distance(0, (2,)), distance(0, (1, 2)), both
    assert composed(*facts, vectors=(vector(group(1, s=3)),))
    assert raises(lambda: composed(*facts, vectors=(vector(),)))


def test_two_points_of_a_frame_and_an_edit():
    of = problem(edits=(("swap", 2), ("frame", 0)))
    facts = touch(1, of), touch(1, of, "frame"), distance(4, (), of, "frame")
    near = [distance(1, t, of) for t in ((1,), (2,), (1, 2))]
    assert composed(*facts, *near, of=of, vectors=(vector(group(2, s=4)),))
    assert raises(lambda: composed(*facts, *near, of=of, vectors=(vector(group(2, s=3)),)))


def test_frames():
    facts = touch(2, FRAMED, "frame"), distance(3, (), FRAMED, "frame")
    assert composed(*facts, of=FRAMED, vectors=(vector(group(2, s=3)),))
    never = fact(k.Infeasible(FRAMED, "frame", (k.TouchedKind("p", (), 2),), ()))
    assert composed(*facts, never, of=FRAMED, vectors=(vector(group(1, s=3)),))
    facts = touch(M_SIZE, FRAMED, "frame"), distance(3, (), FRAMED, "frame")
    assert composed(*facts, of=FRAMED, vectors=(vector(group(M_SIZE, s=3)),))
    assert raises(lambda: composed(*facts, of=FRAMED, vectors=(vector(group(2, s=3)),)))
    facts = touch(INF, FRAMED, "frame"), distance(3, (), FRAMED, "frame")
    assert composed(*facts, of=FRAMED, vectors=(vector(group(INF, s=3)),))


def test_every_edit_counts():
    facts = [touch(1, BOTH), touch(1, BOTH, "more")]
    facts += [distance(1, t, BOTH) for t in ((1,), (2,), (1, 2))]
    far = distance(7, (1,), BOTH, "more")
    vectors = vector(group(2)), vector(group(1, s=7))
    assert composed(*facts, far, of=BOTH, vectors=vectors)
    for n in (0, 1):
        assert raises(lambda n=n: composed(*facts, far, of=BOTH, vectors=(vectors[n],)))


def test_several_maps_and_parts():
    euclid = k.Pullback(k.NamedPseudometric("d", "", BLOCK), P)
    of = problem(("s", P), ("u", Q), k.PartView("t", "p", K, euclid), edits=(("add", 1),))
    facts = [
        touch(1, of, "add"), touch(2, of, "add", "q"), distance(1, (1,), of, "add"),
        distance(2, (1,), of, "add", "t"), distance(3, (1,), of, "add", "u"),
    ]  # fmt: skip
    both = vector(group(1, s=1, t=2), group(2, "q", u=3))
    assert composed(*facts, of=of, vectors=(both,))
    for wrong in (
        vector(group(1, s=1, t=2)),
        vector(group(1, s=2, t=1), group(2, "q", u=3)),
        vector(group(1, s=1, t=2), group(1, "q", u=3)),
        vector(group(1, s=1, t=2), group(2, "p", s=3, t=3)),
    ):
        assert raises(lambda wrong=wrong: composed(*facts, of=of, vectors=(wrong,)))
    apart = fact(
        k.Infeasible(of, "add", (k.TouchedKind("p", (1,), 1), k.TouchedKind("q", (1,), 1)), ())
    )
    either = vector(group(1, s=1, t=2)), vector(group(2, "q", u=3))
    assert raises(lambda: composed(*facts, of=of, vectors=either))
    assert composed(*facts, apart, of=of, vectors=either)
    less = fact(
        k.Infeasible(of, "add", (k.TouchedKind("p", (1,), 1), k.TouchedKind("q", (1,), 2)), ())
    )
    assert raises(lambda: composed(*facts, less, of=of, vectors=either))


def test_composed_profiles_hold_for_all_assignments():
    """Whatever blocks the records of an edit are in, some vector of the profile is above it."""
    rng = random.Random(5)
    accepted = 0
    for _ in range(120):
        labels, blocks = rng.randint(1, 2), rng.randint(1, 3)
        table = {t: rng.randint(0, 2) for t in ((1,), (2,), (1, 2))}
        groups = [group(rng.randint(1, 4), s=rng.randint(1, 2)) for _ in range(rng.randint(1, 2))]
        facts = [touch(labels), *(distance(r, t) for t, r in table.items())]
        where = up_to("k", 1, blocks)

        def attempt(facts=facts, groups=groups, where=where):
            return composed(*facts, vectors=(vector(*groups),), where=where)

        values = {"eps": [Fraction(n + 1) for n in range(blocks)]}
        top = exact.evaluate(
            worst(*((g.count, k.Product((g.distances[0].distance, EPS))) for g in groups)),
            values, {"k": blocks},
        )  # fmt: skip
        subsets = [s for s in product((0, 1), repeat=blocks) if sum(s) <= labels]
        worst_case = max(
            sum(
                (table[tuple(x for x, s in ((1, s1), (2, s2)) if s[n])] * values["eps"][n]
                 for n in range(blocks) if s1[n] or s2[n]), Fraction(0))
            for s1, s2 in product(subsets, repeat=2)
        )  # fmt: skip
        if not raises(attempt):
            accepted += 1
            assert worst_case <= top
    assert accepted > 30


def test_weaker_profiles():
    start = profile(vector(group(1), group(1)), vector(group(1, s=0)), where=up_to("k", 2))
    done = k.weaken_profile(start, (vector(group(3, s=2)), vector()), up_to("m", 4))
    assert done.statement == k.ProfileFact(
        problem(), (*up_to("k", 2), *up_to("m", 4)), (vector(group(3, s=2)), vector())
    )
    two = profile(vector(group(1, s=1), group(1, s=2)))
    order = vector(group(1, s=2), group(1, s=1))
    assert k.weaken_profile(two, (order,), ())
    tight = vector(group(1, s=2), group(1, s=0))
    assert raises(lambda: k.weaken_profile(two, (tight,), ()))
    assert k.weaken_profile(profile(vector(group(2))), (vector(group(1)),), up_to("k", 1, 1))
    pair = problem(
        ("s", P), k.PartView("t", "p", K, k.Pullback(k.NamedPseudometric("d", "", BLOCK), P))
    )
    half = profile(vector(group(1, s=1, t=0)), of=pair)
    assert raises(lambda: k.weaken_profile(half, (vector(),), ()))
    alike, steps = profile(vector(group(2, s=1))), vector(group(1, s=2), group(1, s=1))
    assert k.weaken_profile(alike, (steps,), ())
    assert raises(lambda: k.weaken_profile(alike, (vector(group(1, s=2), group(1, s=0)),), ()))
    many = [profile(vector(group(n, s=1))) for n in (8, 9)]
    ones = vector(*[group(1, s=1)] * 9)
    assert k.weaken_profile(many[0], (ones,), ())
    assert raises(lambda: k.weaken_profile(many[1], (ones,), ()))
    assert raises(lambda: k.weaken_profile(profile(vector(group(10**15))), (steps,), ()))
    broad = profile(vector(group(2, s=1, wide=k.Num(Fraction(2)))))
    assert raises(lambda: k.weaken_profile(broad, (steps,), ()))
    sizes = profile(vector(group(3, s=M_SIZE)))
    assert k.weaken_profile(sizes, (vector(group(M_SIZE, s=M_SIZE)),), up_to("m", 3))
    assert raises(lambda: k.weaken_profile(sizes, (vector(group(M_SIZE, s=M_SIZE)),), ()))


# From facts to printed bounds.


def test_bounded_neighbours_in_disjoint_blocks():
    """A replaced record on the common domain: the two largest; at most twice the maximum."""
    of = problem(k.PartView("s", "p", K, COMMON), edits=(("swap", 2),))
    seen = [k.common_distance(of, "swap", "s", t) for t in ((1,), (2,), (1, 2))]
    fact_ = composed(touch(1, of), *seen, of=of, vectors=(vector(group(2)),))
    mechanism = k.NamedMechanism("S", D, K)
    given = k.given(k.Private(mechanism, "pure", k.Neighbouring(G, D, (EPS,)), ()))
    parts = k.run_family(k.pushforward(given, k.given(k.Dependent(mechanism, P))), K)
    best = k.maximum_over_neighbours(parts, fact_)
    assert best.statement.text() == (
        "(S[i]; i <= k) is pure private: sum of the 2 largest eps[i] between G neighbours of D"
    )
    loose = k.change_guarantee(best, (k.spread(worst((2, EPS)), ()),))
    values = {"eps": [Fraction(1), Fraction(3), Fraction(2)]}
    (sharp,), (weak,) = best.statement.loss.guarantee, loose.statement.loss.guarantee
    assert exact.evaluate(sharp, values, {"k": 3}) == 5
    assert exact.evaluate(weak, values, {"k": 3}) == 6
    rules = [step.rule for step in k.dag(loose)]
    assert rules[-2:] == ["spread", "change_guarantee"]
    assert {"common_distance", "compose_profile", "pushforward", "run_family"} <= set(rules)


def test_separate_domains_lose_the_guarantee_for_more_than_one_block():
    facts = (touch(1), distance(INF, (1,)), distance(INF, (2,)), distance(1, (1, 2)))
    few = composed(*facts[:1], distance(1, (1,)), distance(1, (2,)), facts[3],
                   vectors=(vector(group(1)),), where=up_to("k", 1, 1))  # fmt: skip
    many = composed(*facts, vectors=(vector(group(2, s=INF)),), where=up_to("k", 2))
    cases = k.cover_cases(tuple(k.maximum_over_neighbours(family(), f) for f in (few, many)), ())
    (bound,) = cases.statement.loss.guarantee
    assert bound.text() == "max(eps[i]) for k = 1; inf for k >= 2"
    assert exact.evaluate(bound, {"eps": [Fraction(3)]}, {"k": 1}) == 3
    assert exact.evaluate(bound, {"eps": [Fraction(3)] * 2}, {"k": 2}) == exact.INFINITE


def test_sequential_and_parallel_parts_see_the_same_pair():
    """A family over blocks next to one mechanism on everything: a + max eps[i]."""
    whole = k.NamedMap("all", "", D, E, ())
    of = problem(("s", P), ("t", whole))
    single = k.preprocess(
        k.everywhere(
            k.given(k.Private(k.NamedMechanism("T", E, ()), "pure", k.Neighbouring(H, E, (A,)), ()))
        ),
        whole,
    )
    both = k.run_adaptively((single, family()))
    found = k.maximum_over_neighbours(both, profile(vector(group(1), group(1, "all", t=1)), of=of))
    (bound,) = found.statement.loss.guarantee
    assert bound.text() == "max(eps[i]) + a"
    assert seen(whole) == k.Pullback(k.CanonicalMetric(H, E), whole)


def test_approximate_bounds_maximize_each_parameter():
    found = k.maximum_over_neighbours(
        family("approximate"), profile(vector(group(1)), vector(group(1, s=3)))
    )
    eps, delta = found.statement.loss.guarantee
    values = {"eps": [exact.Log(Fraction(2)), exact.Log(Fraction(3))],
              "delta": [Fraction(1, 100), Fraction(0)]}  # fmt: skip
    assert exact.evaluate(eps, values, {"k": 2}) == exact.Log(Fraction(27))
    assert exact.evaluate(delta, values, {"k": 2}) == Fraction(7, 100)
    assert DELTA in part("approximate").statement.loss.guarantee


# Blocks that are named, and change together.


def entry(*block, name="eps"):
    return k.EntryOf(name, T3, block)


EPS_THIRDS = (k.BlockEntry("eps", T3),)


def thirds(notion="pure", guarantee=EPS_THIRDS):
    """The composition of a mechanism for each of three blocks."""
    mechanism = k.NamedMechanism("S", THIRD, T3)
    given = k.given(k.Private(mechanism, notion, k.Neighbouring(H, THIRD, guarantee), ()))
    return k.run_family(k.preprocess(k.everywhere(given), THREE), T3)


def test_each_set_is_taken_by_itself():
    known = [distance(r, t, NAMED) for r, t in ((1, (1,)), (1, (2,)), (2, (1, 2)))]
    sets = together(
        NAMED,
        reach(("t", (1,), (1, 2)), ("t", (2,), (1,))),
        reach(("t", (1,), (1,)), ("t", (1,), (2,)), ("t", (3,), (2,))),
        reach(),
    )
    vectors = (
        vector(group(1, "t", (1,), s=2), group(1, "t", (2,))),
        vector(group(1, "t", (1,)), group(1, "t", (3,))),
    )
    done = composed(*known, sets, vectors=vectors, of=NAMED).statement
    assert done == k.ProfileFact(NAMED, (), vectors)
    for missing in range(2):
        assert raises(lambda n=missing: composed(*known, sets, vectors=(vectors[n],), of=NAMED))
    # Which blocks they are can be left open.
    assert composed(*known, sets, vectors=(vector(group(1, "t", s=2), group(1, "t")),), of=NAMED)
    assert raises(lambda: composed(*known, sets, vectors=(vector(group(2, "t")),), of=NAMED))


def test_a_set_may_list_smaller_distances():
    known = [distance(3, t, MIXED, name=n) for n in "st" for t in ((1,), (2,), (1, 2))]
    near = k.SeenDistance("s", num(2)), k.SeenDistance("t", ONE)
    sets = together(
        MIXED,
        reach(("t", (1,), (1,), near[:1]), ("p", (), (2,), near[1:])),
        reach(("t", (2,), (1, 2))),
    )
    vectors = (
        vector(group(1, "t", (1,), s=2), group(1, t=1)),
        vector(group(1, "t", (2,), s=3)),
    )
    done = composed(*known, touch(1, MIXED), sets, vectors=vectors, of=MIXED)
    assert done.statement.vectors == vectors
    for less in ((group(1, "t", (1,), s=1), group(1, t=1)), (group(1, "t", (1,), s=2),)):
        smaller = (vector(*less), vectors[1])
        assert raises(
            lambda v=smaller: composed(*known, touch(1, MIXED), sets, vectors=v, of=MIXED)
        )


def test_the_bound_speaks_of_the_blocks_that_are_named():
    of = profile(
        vector(group(1, "t", (1,), s=2), group(1, "t", (2,))),
        vector(group(1, "t", (3,))),
        of=NAMED,
    )
    two = k.Sum((k.Product((num(2), entry(1))), entry(2)))
    found = k.maximum_over_neighbours(thirds(), of).statement.loss.guarantee
    assert found == (k.Max((two, entry(3))),)
    assert found[0].text() == "max(2*eps[1] + eps[2], eps[3])"
    rho = k.BlockEntry("eps", T3)
    found = k.maximum_over_neighbours(thirds("gaussian", (rho,)), of).statement.loss.guarantee
    square = k.Product((k.Product((num(2), entry(1))),) * 2)
    assert found[0].of.items[0].items[0] == square


def test_inside_an_entry_everything_is_of_the_block():
    eps = k.BlockEntry("eps", T3)
    guarantee = (
        k.Sqrt(k.Sum((eps, k.Max((eps, num(1)))))),
        k.Apply("gdp", (k.Product((eps, k.Size("m"))),)),
    )  # fmt: skip
    of = profile(vector(group(1, "t", (2,))), of=NAMED)
    found = k.maximum_over_neighbours(thirds("approximate", guarantee), of)
    here = entry(2)
    assert found.statement.loss.guarantee == (
        k.Sqrt(k.Sum((here, k.Max((here, num(1)))))),
        k.Apply("gdp", (k.Product((here, k.Size("m"))),)),
    )


def test_what_a_set_does_not_list_of_other_maps_does_not_change():
    known = [distance(1, t, MIXED, name=n) for n in "st" for t in ((1,), (2,), (1, 2))]
    counts = [touch(1, MIXED)]
    sets = together(
        MIXED, reach(("t", (1,), (1,)), ("p", (), (2,))), reach(("t", (2,), (1, 2)))
    )  # fmt: skip
    vectors = (
        vector(group(1, "t", (1,)), group(1, t=1)),
        vector(group(1, "t", (2,))),
    )
    assert composed(*known, *counts, sets, vectors=vectors, of=MIXED).statement.vectors == vectors
    assert raises(lambda: composed(*known, *counts, vectors=vectors, of=MIXED))
    one = (vector(group(1, "t", (1,))), vectors[1])
    assert raises(lambda: composed(*known, *counts, sets, vectors=one, of=MIXED))


def test_a_set_without_single_records_counts_the_worst():
    known = [distance(1, (1, 2)), distance(5, (1,))]
    sets = together(EDITED, reach(("p", (), (1, 2))))
    few = k.Size("m")
    done = composed(touch(few), *known, sets, vectors=(vector(group(few)),))
    assert done.statement.vectors == (vector(group(few)),)


def test_named_entries_are_finite_and_of_one_parameter():
    assert k.pushforward  # a guarantee for a named block stays finite
    from dpcomp_sym.algebra.polynomials import is_finite, stays_finite

    assert stays_finite(entry(1))
    assert not is_finite(entry(1))
    assert raises(lambda: k.BoundLeq(entry(1), k.BlockEntry("eps", ("k",)), ()))
    assert k.open_sizes(entry(1)) == frozenset()


# Blocks that share distances.


def test_blocks_that_share_are_bounded_by_the_worst_of_them():
    known = (touch(M_SIZE, FRAMED, "frame"), distance(M_SIZE, (), FRAMED, "frame"))
    shared = vector(group(1, wide=M_SIZE, s=M_SIZE))
    done = composed(*known, shares(FRAMED, 1, s=M_SIZE), vectors=(shared,), of=FRAMED)
    assert done.statement.vectors == (shared,)
    # What they do one by one is still below a bound of each of them.
    each = vector(group(M_SIZE, s=M_SIZE))
    assert composed(*known, shares(FRAMED, 1, s=M_SIZE), vectors=(each,), of=FRAMED)
    few = (touch(1, FRAMED, "frame"), distance(1, (), FRAMED, "frame"))
    assert composed(*few, vectors=(vector(group(2, wide=3, s=2)),), of=FRAMED)
    assert raises(lambda: composed(*few, vectors=(vector(group(0, wide=3, s=2)),), of=FRAMED))


@pytest.mark.parametrize(
    ("notion", "guarantee", "expected"),
    [
        ("pure", (EPS,), "max(m*eps[i])"),
        ("zcdp", (EPS,), "max(m^2*eps[i])"),
        ("gaussian", (EPS,), "sqrt(max((m*eps[i])^2))"),
    ],
)
def test_what_is_shared_costs_what_one_block_costs(notion, guarantee, expected):
    of = profile(vector(group(1, wide=M_SIZE, s=M_SIZE)), of=FRAMED)
    found = k.maximum_over_neighbours(family(notion, guarantee=guarantee), of)
    (value,) = found.statement.loss.guarantee
    inside = value.of if isinstance(value, k.Sqrt) else value
    assert [g.count for g in inside.groups] == [ONE]
    assert value.text() == expected


def test_what_is_shared_is_a_share_of_an_approximate_guarantee_too():
    of = profile(vector(group(1, wide=M_SIZE, s=M_SIZE)), of=FRAMED)
    found = k.maximum_over_neighbours(family("approximate"), of).statement.loss.guarantee
    assert [x.groups[0].count for x in found] == [ONE, ONE]


@pytest.mark.parametrize(
    ("source", "target", "chosen", "count"),
    [
        ("pure", "zcdp", (), M_SIZE), ("gaussian", "zcdp", (), ONE),
        ("pure", "approximate", (), ONE),
        ("pure", "gaussian", (), M_SIZE), ("zcdp", "approximate", (k.Param("d"),), M_SIZE),
        ("gaussian", "approximate", (k.Param("e"),), M_SIZE),
    ],
)  # fmt: skip
def test_what_is_converted_is_shared_only_if_it_is_convex(source, target, chosen, count):
    of = profile(vector(group(1, wide=M_SIZE, s=M_SIZE)), of=FRAMED)
    each = k.convert(k.preprocess(k.everywhere(part(source, guarantee=(EPS,))), P), target, chosen)
    found = k.maximum_over_neighbours(k.run_family(each, K), of).statement.loss.guarantee[0]
    inside = found.of if isinstance(found, k.Sqrt) else found
    assert inside.groups[0].count == count


@pytest.mark.parametrize(("target", "count"), [("zcdp", ONE), ("gaussian", M_SIZE)])
def test_what_steps_cost_is_shared_only_if_it_is_convex(target, count):
    of = profile(vector(group(1, wide=M_SIZE, s=M_SIZE)), of=FRAMED)
    steps = k.convert(k.everywhere(part("pure", guarantee=(EPS,))), target)
    family = k.run_family(k.preprocess(steps, P), K)
    (found,) = k.maximum_over_neighbours(family, of).statement.loss.guarantee
    inside = found.of if isinstance(found, k.Sqrt) else found
    assert inside.groups[0].count == count


def test_one_part_that_is_not_convex_is_enough():
    of = problem(("s", P), ("t", P), edits=(("frame", 0),))
    known = profile(vector(group(1, wide=M_SIZE, s=M_SIZE, t=M_SIZE)), of=of)
    first = family("gaussian", guarantee=(EPS,))
    other = k.preprocess(k.everywhere(part("pure", "T", (k.BlockEntry("x", K),))), P)
    second = k.run_family(k.convert(other, "gaussian", ()), K)
    both = k.run_adaptively((first, second))
    views = k.maximum_over_neighbours(both, known).statement.loss.guarantee[0]
    assert views.of.groups[0].count == M_SIZE


# Blocks that share the records of an edit.

TWICE = k.Product((num(2), M_SIZE))
SHARED = vector(group(M_SIZE, wide=TWICE, s=2))


def swapped(first, second, both):
    return touch(M_SIZE), distance(first, (1,)), distance(second, (2,)), distance(both, (1, 2))


def test_blocks_share_records_of_which_each_adds_the_same():
    assert composed(*swapped(1, 1, 2), vectors=(SHARED,)).statement.vectors == (SHARED,)
    assert composed(*swapped(0, 1, 2), vectors=(SHARED,))
    assert composed(*swapped(1, 1, 2), vectors=(vector(group(TWICE, s=2)),))
    costs = k.maximum_over_neighbours(family(), profile(SHARED)).statement.loss.guarantee
    assert [c.text() for c in costs] == ["sum of the m largest 2*eps[i]"]


@pytest.mark.parametrize(
    ("facts", "way"),
    [
        (swapped(2, 1, 3), vector(group(M_SIZE, wide=TWICE, s=3))),
        (swapped(1, 2, 3), vector(group(M_SIZE, wide=TWICE, s=3))),
        (swapped(1, 1, 2), vector(group(M_SIZE, wide=M_SIZE, s=2))),
        (swapped(1, 1, 2), vector(group(1, wide=TWICE, s=2))),
        (swapped(1, 1, 2), vector(group(M_SIZE, wide=TWICE))),
        (swapped(1, 1, INF), vector(group(M_SIZE, wide=TWICE, s=INF))),
        (swapped(1, INF, 2), SHARED),
        (swapped("3/2", 1, 2), SHARED),
    ],
)
def test_blocks_that_do_not_share(facts, way):
    assert raises(lambda: composed(*facts, vectors=(way,)))


@pytest.mark.parametrize(
    ("count", "wide", "fine"), [(4, 8, False), (5, 10, True), (5, 9, False), (5, 7, False)]
)
def test_few_blocks_are_counted_out_and_more_share(count, wide, fine):
    facts = (touch(count), *swapped(1, 1, 2)[1:])
    way = vector(group(count, wide=wide, s=2))
    assert raises(lambda: composed(*facts, vectors=(way,))) is not fine


def test_of_any_number_of_blocks_nothing_is_shared():
    facts = (touch(INF), *swapped(1, 1, 2)[1:])
    assert composed(*facts, vectors=(vector(group(INF, s=2)),))


def test_shares_are_of_all_records_that_a_set_lists():
    of = problem(edits=(("turn", 3),))
    far = [distance(len(t), t, of, "turn") for t in ((1,), (2,), (1, 2), (2, 3), (1, 3))]
    held = [("p", (), t) for t in ((1, 2), (2, 3), (1, 3))]
    sets = together(of, reach(*held), edit="turn")
    facts = (touch(M_SIZE, of, "turn"), *far, sets)
    assert raises(lambda: composed(*facts, of=of, vectors=(SHARED,)))
    held = [("p", (), t) for t in ((1,), (2,), (1, 2))]
    pair = together(of, reach(*held), edit="turn")
    assert composed(*facts[:-1], pair, of=of, vectors=(SHARED,))


# What is a mean of vectors.

BESIDE = problem(("s", P), ("f", F), edits=(("frame", 0),))
ON_P, ON_F = vector(group(1, s=M_SIZE)), vector(group(1, "f", f=M_SIZE))
TOGETHER = vector(*ON_P.groups, *ON_F.groups)
MEAN = k.MeanOf((ON_P, ON_F), (TOGETHER,))
FACTS = tuple(
    x
    for name, map_name in (("s", "p"), ("f", "f"))
    for x in (touch(1, BESIDE, "frame", map_name), distance(M_SIZE, (), BESIDE, "frame", name))
)


def single(notion="pure", *, converted=None):
    """A part on the single map, and the family on the other one."""
    inner = k.CanonicalMetric(H, E)
    of = k.NamedMechanism("F", E, ())
    given = k.given(k.Private(of, notion, k.Neighbouring(H, E, (A,)), ()))
    alone = k.preprocess(k.everywhere(given), F)
    assert alone.statement.loss.metric.of == inner
    blocks = k.preprocess(k.everywhere(part(notion, guarantee=(EPS,))), P)
    if converted:
        alone, blocks = k.convert(alone, converted, ()), k.convert(blocks, converted, ())
    return k.run_adaptively((k.run_family(blocks, K), alone))


def test_a_mean_is_within_what_it_is_a_mean_of():
    done = composed(*FACTS, mixed(BESIDE, ON_P, ON_F), vectors=(MEAN,), of=BESIDE)
    assert done.statement.vectors == (MEAN,)
    larger = k.MeanOf((vector(group(2, s=TWICE)), ON_F, TOGETHER), (TOGETHER, ON_P))
    assert composed(*FACTS, mixed(BESIDE, ON_P, ON_F), vectors=(larger,), of=BESIDE)
    plain = (TOGETHER,)
    assert composed(*FACTS, mixed(BESIDE, ON_P, ON_F), vectors=plain, of=BESIDE)
    assert k.weaken_profile(done, (MEAN,), ()).statement == done.statement
    assert raises(lambda: k.weaken_profile(done, plain, ()))


@pytest.mark.parametrize(
    ("known", "way"),
    [
        ((), MEAN),
        ((mixed(BESIDE),), MEAN),
        ((mixed(BESIDE, ON_P, TOGETHER),), MEAN),
        ((mixed(BESIDE, ON_P, ON_F),), k.MeanOf((ON_P,), (TOGETHER,))),
        ((mixed(BESIDE, ON_P, ON_F),), k.MeanOf((ON_P, ON_F), (ON_P, ON_F))),
        ((mixed(BESIDE, ON_P, ON_F),), k.MeanOf((ON_P, ON_F), ())),
        ((mixed(BESIDE, ON_P, ON_F),), k.MeanOf((ON_P, vector(group(1, "f", f=1))), (TOGETHER,))),
        ((mixed(BESIDE, ON_P, ON_F),), ON_P),
    ],
)
def test_no_other_mean_is_concluded(known, way):
    assert raises(lambda: composed(*FACTS, *known, vectors=(way,), of=BESIDE))


def test_another_edit_is_one_of_the_vectors_of_a_mean_and_within_it():
    of = problem(("s", P), ("f", F), edits=(("frame", 0), ("other", 0)))
    known = [touch(1, of, e, m) for e in ("frame", "other") for m in "pf"]
    known += [distance(M_SIZE, (), of, "frame", p) for p in "sf"]
    near = [distance(M_SIZE, (), of, "other", "s"), distance(0, (), of, "other", "f")]
    both = [distance(M_SIZE, (), of, "other", p) for p in "sf"]
    mean = mixed(of, ON_P, ON_F)
    assert composed(*known, *near, mean, vectors=(MEAN,), of=of)
    assert raises(lambda: composed(*known, *both, mean, vectors=(MEAN,), of=of))
    assert composed(*known, *both, mean, vectors=(MEAN, TOGETHER), of=of)
    far = k.MeanOf((ON_P, ON_F), (vector(group(1, s=TWICE), *ON_F.groups),))
    assert composed(*known, *near, mean, vectors=(far,), of=of)
    assert raises(lambda: composed(*known, *near, vectors=(far,), of=of))


@pytest.mark.parametrize(
    ("notion", "to", "expected"),
    [
        ("pure", None, "max(max(m*eps[i]), m*a)"),
        ("zcdp", None, "max(max(m^2*eps[i]), m^2*a)"),
        ("gaussian", None, "sqrt(max(max((m*eps[i])^2), (m*a)^2))"),
        ("gaussian", "zcdp", "max(max(1/2*(m*eps[i])^2), 1/2*(m*a)^2)"),
    ],
)
def test_a_mean_loses_at_most_what_one_of_its_vectors_loses(notion, to, expected):
    of = profile(MEAN, of=BESIDE)
    found = k.maximum_over_neighbours(single(notion, converted=to), of)
    assert [x.text() for x in found.statement.loss.guarantee] == [expected]


@pytest.mark.parametrize("to", ["zcdp", "gaussian"])
def test_where_the_loss_is_not_convex_a_mean_is_what_it_is_within(to):
    found = k.maximum_over_neighbours(single("pure", converted=to), profile(MEAN, of=BESIDE))
    whole = k.maximum_over_neighbours(single("pure", converted=to), profile(TOGETHER, of=BESIDE))
    assert found.statement.loss == whole.statement.loss


def test_for_a_mean_one_part_that_is_not_convex_is_enough():
    blocks = k.preprocess(k.everywhere(part("pure", guarantee=(EPS,))), P)
    of = k.NamedMechanism("F", E, ())
    given = k.given(k.Private(of, "gaussian", k.Neighbouring(H, E, (A,)), ()))
    alone = k.preprocess(k.everywhere(given), F)
    both = k.run_adaptively((k.run_family(k.convert(blocks, "gaussian", ()), K), alone))
    mean, whole = (
        k.maximum_over_neighbours(both, profile(way, of=BESIDE)).statement.loss
        for way in (MEAN, TOGETHER)
    )
    assert mean == whole


def test_means_name_parts_and_blocks_that_there_are():
    of = NAMED
    right, strange = vector(group(1, "t", (3,))), vector(group(1, "t", (4,)))
    assert k.ProfileFact(of, (), (k.MeanOf((right,), (right,)),))
    for way in (k.MeanOf((strange,), (right,)), k.MeanOf((right,), (strange,))):
        assert raises(lambda way=way: k.ProfileFact(of, (), (way,)))
    assert raises(lambda: k.Mixed(of, "swap", (strange,)))
    assert raises(lambda: k.Mixed(of, "swap", (vector(group(1, "nobody")),)))
