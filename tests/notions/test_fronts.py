"""What single pairs of neighbours need, in numbers: compared with all ways that they can change."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.derivation.proof import prove
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.numbers import bounds, fronts
from dpcomp_sym.numbers.exact import growth
from dpcomp_sym.spec import load_spec

APPROXIMATE = 'guarantee = { approximate = ["eps", "delta"] }'
USERS = """
[domain]
attributes = { user = "User", id = "Record" }
limits = [["user(c)", 3]]
[granularity]
use = "user_presence"
owner = "user"
"""
ROOMS = f"""
[[map]]
name = "rooms"
use = "partition"
by = "id"
[[part]]
name = "counts"
map = "rooms"
granularity = "unbounded"
{APPROXIMATE}
"""
ALL = """
[[map]]
name = "all"
use = "identity"
[[part]]
name = "total"
map = "all"
granularity = "unbounded"
guarantee = { approximate = ["eta", "gam"] }
"""
TIMES = """
[domain]
attributes = { id = "Event", hour = "int" }
[granularity]
GRANULARITY
[[map]]
name = "hours"
index = { i = "k" }
member = "MEMBER"
[[part]]
name = "counts"
map = "hours"
"""
BETWEEN = "t <= 2*i and i <= t"
EVENTS = 'use = "w_event"\ntime = "hour"\nlength = "2"'
K = 5


def single(text):
    """Return a function from numbers to what single pairs of neighbours need."""
    problem = load_spec(text).problem
    profile, facts = profile_with_facts(Structure(problem))
    proof = prove(problem, profile, facts, ["approximate"])

    def needed(**values):
        (found,) = bounds(profile, proof.guarantees, values, {"k": K}, proof.single)
        return found

    return needed


def maximal(pairs):
    kept = set(pairs)
    return {p for p in kept if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in kept)}


def drawn(rng):
    eps = [rng.choice((0, 1, 2, Fraction(1, 2))) for _ in range(K)]
    return eps, [Fraction(rng.choice((0, 1, 2, 5)), 10_000) for _ in range(K)]


def rises(eps, n):
    return growth(Fraction(eps), n) if n else 0


@pytest.mark.parametrize("beside", [False, True])
def test_records_are_shared_out_to_blocks(beside):
    needed = single(USERS + ROOMS + ALL * beside)
    rng = random.Random(7)
    for _ in range(4):
        eps, delta = drawn(rng)
        eta, gam = (1, Fraction(1, 1000)) if beside else (0, 0)
        others = {"eta": eta, "gam": gam} if beside else {}
        found = needed(eps=eps, delta=delta, **others)
        ways = {
            (
                sum(n * e for n, e in zip(ns, eps, strict=True)) + 3 * eta,
                sum((rises(e, n) * d for n, e, d in zip(ns, eps, delta, strict=True)), 0)
                + rises(eta, 3) * gam,
            )
            for ns in itertools.product(range(4), repeat=K)
            if sum(ns) <= 3
        }
        assert {(a, float(b)) for a, b in found.pareto} == {(a, float(b)) for a, b in maximal(ways)}
        assert found.value[0] == max(a for a, _ in found.pareto)
        assert float(found.value[1]) >= max(float(b) for _, b in found.pareto)


@pytest.mark.parametrize(
    ("granularity", "member", "sets", "said"),
    [
        (EVENTS, "hour(c) == i", [{t, t + 1} for t in range(K + 1)],
            "(sum(eps[i] for t <= i <= t + 1), sum(delta[i] for t <= i <= t + 1)) for each t"),
        ('use = "unbounded"', "i <= hour(c) and hour(c) <= 2*i",
            [{i for i in range(1, K + 1) if i <= t <= 2 * i} for t in range(2 * K + 1)],
            f"(sum(eps[i] for {BETWEEN}), sum(delta[i] for {BETWEEN})) for each t"),
    ],
)  # fmt: skip
def test_blocks_that_change_together_are_one_way(granularity, member, sets, said):
    text = TIMES.replace("GRANULARITY", granularity).replace("MEMBER", member) + APPROXIMATE
    needed = single(text)
    assert load_spec(text).derive().bounds["approximate"].pareto == said
    rng = random.Random(3)
    for _ in range(6):
        eps, delta = drawn(rng)
        ways = {
            tuple(sum(row[i - 1] for i in some if i <= K and i > 0) for row in (eps, delta))
            for some in sets
        }
        assert set(needed(eps=eps, delta=delta).pareto) == maximal(ways)


@pytest.mark.parametrize(("name", "most"), [("_MANY", 5), ("_WORK", 49)])
def test_more_blocks_and_work_than_are_looked_at(name, most, monkeypatch):
    needed = single(USERS + ROOMS)
    values = {
        "eps": [Fraction(n, 10) for n in range(1, 6)],
        "delta": [Fraction(n, 10_000) for n in (5, 4, 3, 2, 1)],
    }
    for here, listed in ((most, True), (most - 1, False)):
        monkeypatch.setattr(fronts, name, here)
        assert (needed(**values).pareto is not None) == listed
