"""Blocks that share a user's records: the composition in numbers against all ways to share them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers.single import of_single_neighbours
from dpcomp_sym.optimal.choices import worst_choices
from dpcomp_sym.optimal.curve import SeenPart, compose
from dpcomp_sym.optimal.touched import touched_blocks
from dpcomp_sym.profile import All, Case, Group, MapInfo, PartInfo, Profile
from dpcomp_sym.spec import load_spec

USERS = """
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"] }
symbols = { m = "m >= 1" }
limits = [["user(c)", "m"]]
[granularity]
use = "user_presence"
owner = "user"
[[map]]
name = "blocks"
use = "partition"
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = { approximate = ["eps", "delta"] }
"""
EITHER = """
[domain]
attributes = { id = "Record", user = "User", kind = ["a", "b"] }
symbols = { m = "m >= 1" }
limits = [["user(c)", "m"]]
[granularity]
name = "records of a kind of one user, or one record of the other kind"
[[granularity.edit]]
params = { u = "User" }
frame = "user(c) == u and kind(c) == a"
step = "old == 0"
[[granularity.edit]]
params = { x = "cell" }
guard = "kind(x) == b"
change = { x = 1 }
[[map]]
name = "blocks"
member = "kind(c) == a and h(id(c)) == i"
index = { i = "k" }
functions = { h = [["Record"], "int"] }
[[map]]
name = "others"
use = "filter"
keep = "kind(c) == b"
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = { pure = "eps" }
[[part]]
name = "total"
map = "others"
granularity = "unbounded"
guarantee = { pure = "eps_o" }
"""
EPS = [1, 2, 3]
DELTA = [Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)]


def derived(text, values, **sizes):
    """What is derived from a spec with numbers."""
    return derive(load_spec(text).problem, values=values, sizes=sizes)


def every_way(m, eps, delta):
    """The compositions of what blocks see that share m records (brute force)."""
    for counts in product(range(m + 1), repeat=len(eps)):
        if sum(counts) <= m:
            yield [
                SeenPart(Fraction(e), d, n) for e, d, n in zip(eps, delta, counts, strict=True) if n
            ]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_worst_of_all_ways_to_share_the_records(m):
    found = derived(USERS, {"eps": EPS, "delta": DELTA}, m=m, k=3).comparison
    ways = [compose(dict.fromkeys(way, 1)) for way in every_way(m, EPS, DELTA)]
    for eps in map(Fraction, (0, 1, 3, 5, 3 * m)):
        at_least = max(curve.at_least(eps) for curve in ways)
        at_most = max(curve.at_most(eps) for curve in ways)
        assert at_least <= found.delta(eps).high <= at_most
    assert found.basic[0] == 3 * m  # as the bound says


def test_it_is_no_optimum_where_not_all_ways_were_shown_to_occur():
    answer = derived(USERS, {"eps": EPS, "delta": DELTA}, m=2, k=3)
    assert answer.comparison.note == "blocks may share records in fewer ways"
    (bound,) = answer.bounds
    assert bound.tight == "unknown"


def test_pure_parts_are_worst_where_one_block_has_all_records():
    text = USERS.replace('approximate = ["eps", "delta"]', 'pure = "eps"')
    found = derived(text, {"eps": EPS}, m=3, k=3).comparison
    (worst,) = found.choices.above
    assert worst == {SeenPart(Fraction(3), Fraction(0), 3): 1}
    assert found.exact


def test_one_edit_whose_blocks_share_records_and_one_whose_blocks_do_not():
    answer = derived(EITHER, {"eps": EPS, "eps_o": 5}, m=2, k=3)
    pure = answer.bounds[0]
    assert (pure.text, pure.value, pure.tight) == ("max(2*max(eps[i]), eps_o)", 6, "yes")
    assert answer.comparison.basic[0] == 6
    more = derived(EITHER, {"eps": EPS, "eps_o": 7}, m=2, k=3)
    assert more.bounds[0].value == 7 == more.comparison.basic[0]


def touched(count, far, wide, sizes):
    group = Group("p", count, (("m", far),), wide=wide)
    part = PartInfo("m", "p", (("pure", ("eps",)),))
    info = MapInfo("p", (("i", "k"),), exchangeable=True)
    case = Case((), ((group,),), attained=True)
    profile = Profile((info,), (part,), (case,), proved=True, exact=True)
    return touched_blocks(profile, NOTIONS["pure"], {"eps": EPS[: sizes["k"]]}, sizes)


def shared(*what):
    return [(sorted((rs["m"], n) for n, rs in one.groups), one.occurs) for (one,) in touched(*what)]


def test_ways_to_share():
    assert shared(2, 2, 3, {"k": 3}) == [([(2, 2)], True), ([(1, 2), (2, 1)], False)]
    assert shared(2, 2, All(), {"k": 3}) == [([(2, 2)], True), ([(1, 2), (2, 1)], False)]
    assert shared(2, 2, 4, {"k": 1}) == [([(2, 1)], True)]
    assert shared(1, 1, 1, {"k": 3}) == [([(1, 1)], True)]
    assert touched(1, 60, 60, {"k": 3}) is None  # too many
    assert worst_choices(touched(1, 2, 2, {"k": 3})).complete


def test_what_a_single_pair_of_neighbours_needs():
    """Either some blocks share the records of a user, or the others see one record."""
    answer = load_spec(EITHER.replace('guarantee = { pure = "eps" }', "")).derive()
    assert of_single_neighbours(answer.proof.single["approximate"]) == (
        "(sum(n[i]*eps[i]), sum(delta[i]*growth(eps[i], n[i]))) for each n with n[i] <= m and "
        "sum(n[i]) <= m; (eps_o, 0)"
    )
