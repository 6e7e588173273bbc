"""Maximal pairs of numbers: compared with what no other pair dominates, and with all choices."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.numbers import fronts
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import Evaluator
from dpcomp_sym.numbers.exact import growth
from dpcomp_sym.numbers.single import RecordBudget, Single
from dpcomp_sym.profile import ALL, MapInfo, PartInfo
from dpcomp_sym.statements import BlockEntry, Num
from tests.notions.rows import FAMILY, FOUR, WHOLE, bounds, group, profile

F = Fraction
APPROXIMATE = FOUR[1:2]
WORK = 14
EPS, DELTA = (BlockEntry(name, ("k",)) for name in ("eps", "delta"))


def dominates(p, q):
    return p[0] >= q[0] and p[1] >= q[1]


def maximal(points):
    """Return the pairs that no other one dominates, once each, largest first."""
    kept = set(points)
    return sorted((p for p in kept if not any(dominates(q, p) for q in kept - {p})), reverse=True)


def drawn(rng, n, most=6):
    return [(F(rng.randint(0, most), 2), F(rng.randint(0, most), 3)) for _ in range(n)]


def test_the_skyline_is_what_no_other_pair_dominates():
    rng = random.Random(1)
    for n in range(60):
        points = drawn(rng, n % 12)
        assert fronts.skyline(points) == maximal(points)


@pytest.mark.parametrize("many", [0, 3, 10])
def test_of_many_pairs_those_below_large_ones_are_left_out_first(many, monkeypatch):
    """Also where one of the coordinates is always 0, and where the pairs lie on a curve."""
    monkeypatch.setattr(fronts, "_MANY", many)
    rng = random.Random(2)
    curve = [(F(n), F(30 - n) ** 2) for n in range(31)]
    steps = [(F(n), F(30 - n)) for n in range(31) for _ in range(2)]
    flat = [[(F(n), F(0)) for n in range(5)] * 3, [(F(0), F(n)) for n in range(5)] * 3]
    for points in (curve, steps, *flat, *(drawn(rng, 40, 20) for _ in range(20))):
        mixed = rng.sample(points, len(points))
        assert fronts.skyline(mixed) == maximal(points)


def test_few_are_left_of_many():
    """What a large pair dominates is not sorted: of a quarter of a disk little stays."""
    rng = random.Random(3)
    points = [(rng.random(), rng.random()) for _ in range(4000)]
    points = [p for p in points if math.hypot(*p) <= 1]
    kept = fronts._not_below_pivots(points)
    assert set(maximal(points)) <= set(kept)
    assert len(kept) < len(points) / 2
    assert fronts._not_below_pivots([(0, 1), (0, 2)]) == [(0, 1), (0, 2)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_layers_hold_the_best_sums_of_so_many_pairs(n):
    rng = random.Random(n)
    for size in [*range(n, 9)] * 4:
        points = drawn(rng, size)
        kept = fronts.largest_layers(points, n)
        rest = list(points)
        for p in kept:
            rest.remove(p)
        assert maximal(sums(kept, n)) == maximal(sums(points, n))
        # Of what is left out each is dominated by so many that stay, and of the others none is.
        assert all(sum(dominates(q, p) for q in kept) >= n for p in rest)
        assert all(sum(dominates(q, p) and q != p for q in kept) < n for p in kept)


def sums(points, n):
    return [
        (sum(p[0] for p in some), sum(p[1] for p in some))
        for some in itertools.combinations(points, n)
    ]


def pareto(p, values, sizes=None):
    (found,) = (b for b in bounds(p, values, sizes) if b.notion == "approximate")
    return found.pareto


def numbers(rng, k):
    eps = [rng.choice((0, 1, 2, F(1, 2))) for _ in range(k)]
    return eps, [F(rng.choice((0, 1, 2, 5)), 10_000) for _ in range(k)]


def chosen(eps, delta, groups):
    """Return the pairs of all choices of different blocks for groups (how many, distance)."""
    wanted = [r for count, r in groups for _ in range(min(count, len(eps)))]
    found = []
    for many in range(min(len(wanted), len(eps)) + 1):
        for rs in set(itertools.combinations(wanted, many)):
            for blocks in itertools.permutations(range(len(eps)), many):
                pairs = list(zip(rs, blocks, strict=True))
                grown = (growth(F(eps[b]), r) * delta[b] for r, b in pairs)
                found.append((sum(r * eps[b] for r, b in pairs), sum(grown, 0)))
    return found


CHOICES = [
    ((1, 1),), ((2, 1),), ((3, 1),), ((ALL, 1),), ((1, 2),), ((2, 2), (1, 1)), ((1, 2), (2, 1)),
    ((1, 3), (1, 2), (1, 1)), ((0, 3), (2, 1)), ((4, 2),), ((9, 2),), ((0, 2),),
]  # fmt: skip


@pytest.mark.parametrize("groups", CHOICES, ids=str)
def test_the_maximal_pairs_are_those_of_all_choices(groups):
    p = profile(tuple(group(count, r) for count, r in groups),
                parts=(PartInfo("m", "p", APPROXIMATE),))  # fmt: skip
    rng = random.Random(str(groups))
    counts = [(4 if count == ALL else count, r) for count, r in groups]
    for _ in range(4):
        eps, delta = numbers(rng, 4)
        found = pareto(p, {"eps": eps, "delta": delta})
        every = maximal(chosen(eps, delta, counts))
        assert [a for a, _ in found] == [a for a, _ in every]
        assert [float(b) for _, b in found] == pytest.approx([float(b) for _, b in every])


@pytest.mark.parametrize("r", [1, 2])
def test_one_number_for_all_blocks_is_one_pair(r):
    """Also for blocks of which there are more than numbers are listed."""
    p = profile((group(3, r),), parts=(PartInfo("m", "p", APPROXIMATE),))
    for k in (2, 3, 10, 10**6):
        many, delta = min(k, 3), F(1, 100_000)
        ((eps, least),) = pareto(p, {"eps": 1, "delta": delta}, {"k": k})
        assert (eps, float(least)) == (
            many * r,
            pytest.approx(float(many * growth(F(1), r) * delta)),
        )


@pytest.mark.parametrize("alone", [False, True])
def test_blocks_with_one_record_each_of_a_few(alone):
    """Two records lie in two blocks, or one of them in none."""
    touched = Touched("p", ("k",), ((Num(F(1)), (EPS, DELTA)),))
    eps, delta = [1, 2, 0, 1], [F(1, 100), 0, F(1, 50), F(1, 100)]
    table = ParameterTable.plain({("eps", ("k",)): eps, ("delta", ("k",)): delta})
    budget = RecordBudget((touched,), 2, alone)
    found = fronts.front([Single((), (), (), budget)], Evaluator(table, {"k": 4}))
    assert found == tuple(maximal(chosen(eps, delta, ((2, 1),))))


def test_one_block_is_one_pair():
    p = profile((group(2, 1),), parts=(PartInfo("m", "p", APPROXIMATE),))
    assert pareto(p, {"eps": [2], "delta": [F(1, 100)]}) == ((2, F(1, 100)),)


def test_all_blocks_are_one_pair_however_many_there_are():
    p = profile((group(ALL, 1),), parts=(PartInfo("m", "p", APPROXIMATE),))
    eps = [F(n, 1000) for n in range(700)]
    assert pareto(p, {"eps": eps, "delta": F(1, 10_000)}, {"k": 700}) == ((sum(eps), F(7, 100)),)


def test_parts_beside_each_other_add_up():
    vector = (group(2, 1), group(1, 2, "q", "w"))
    parts = (PartInfo("m", "p", APPROXIMATE), PartInfo("q", "w", (("approximate", ("a", "d")),)))
    p = profile(vector, maps=(FAMILY, WHOLE), parts=parts)
    eps, delta = [2, 1, 0], [0, F(1, 100), F(1, 50)]
    found = pareto(p, {"eps": eps, "delta": delta, "a": 1, "d": F(1, 1000)})
    every = maximal(chosen(eps, delta, ((2, 1),)))
    assert [a - 2 for a, _ in found] == [a for a, _ in every]
    assert [b for _, b in found] == [growth(F(1), 2) * F(1, 1000) + b for _, b in every]


def test_several_ways_are_one_list():
    parts = (PartInfo("m", "p", APPROXIMATE),)
    p = profile((group(3, 1),), (group(1, 5),), parts=parts)
    eps, delta = [0, 0, 1], [F(1, 100), F(1, 50), 0]
    every = maximal([*chosen(eps, delta, ((3, 1),)), *chosen(eps, delta, ((1, 5),))])
    assert len(every) == 3
    found = pareto(p, {"eps": eps, "delta": delta})
    assert [(a, float(b)) for a, b in found] == [(a, float(b)) for a, b in every]


def test_cells_of_two_indices():
    info = MapInfo("p", (("i", "k"), ("j", 2)), exchangeable=True)
    p = profile((group(2, 1),), maps=(info,), parts=(PartInfo("m", "p", APPROXIMATE),))
    eps, delta = [[2, 1], [0, 1]], [[0, F(1, 100)], [F(1, 50), F(1, 20)]]
    every = maximal(chosen(eps[0] + eps[1], delta[0] + delta[1], ((2, 1),)))
    assert pareto(p, {"eps": eps, "delta": delta}) == tuple(every)


@pytest.mark.parametrize("r", [1, 2])
def test_a_list_beside_one_number_for_all(r):
    """The largest number of the list may be its last one."""
    p = profile((group(2, r),), parts=(PartInfo("m", "p", APPROXIMATE),))
    one = F(1, 100)
    for eps, delta in (([0, 0, 1, 2], [one] * 4), ([1] * 4, [0, 0, one, 2 * one])):
        every = maximal(chosen(eps, delta, ((2, r),)))
        given = {"eps": eps, "delta": delta}
        short = {n: x[0] if len(set(x)) == 1 else x for n, x in given.items()}
        for values in (given, short):
            found = pareto(p, values, {"k": 4})
            assert [(a, float(b)) for a, b in found] == [
                (a, pytest.approx(float(b))) for a, b in every
            ]


def test_work_is_counted(monkeypatch):
    """So many sums of pairs, for four equal blocks and two groups of one block."""
    fronts._afford(fronts._WORK)
    with pytest.raises(fronts._TooManyError):
        fronts._afford(fronts._WORK + 1)
    p = profile((group(1, 2), group(1, 1)), parts=(PartInfo("m", "p", APPROXIMATE),))
    exact = {"eps": [F(1)] * 4, "delta": [F(1, 100)] * 4}
    listed = []
    for most in range(40):
        monkeypatch.setattr(fronts, "_WORK", most)
        listed.append(pareto(p, exact) is not None)
    assert listed == [False] * WORK + [True] * (40 - WORK)


def test_the_largest_number_of_pairs(monkeypatch):
    """So many blocks of two are listed, one more is not; of one block with floats, any number."""
    two, one = (profile((group(n, 1),), parts=(PartInfo("m", "p", APPROXIMATE),)) for n in (2, 1))
    monkeypatch.setattr(fronts, "_NUMBERS", 4)
    for k in (4, 5):
        exact = {"eps": [F(1, 3)] * k, "delta": [F(1, 100)] * k}
        floats = {"eps": [0.25] * k, "delta": [0.0] * k}
        whole = {"eps": [1] * k, "delta": [0] * k}
        assert (pareto(two, exact) is not None) == (k == 4)
        assert (pareto(two, floats) is not None) == (k == 4)
        mixed = {"eps": floats["eps"], "delta": exact["delta"]}
        assert (pareto(one, exact) is not None) == (k == 4)
        assert (pareto(one, mixed) is not None) == (k == 4)
        assert pareto(one, floats) == ((0.25, 0.0),)
        assert pareto(one, whole) == ((1, 0),)
    assert pareto(two, {"eps": F(1, 3), "delta": F(1, 100)}, {"k": 9}) == ((F(2, 3), F(1, 50)),)
