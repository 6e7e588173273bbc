"""Several mechanisms for each block: their bounds are attained as those of one mechanism are."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpcomp_sym as dp
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec

SPEC = """
[domain]
attributes = {{ id = "Person", owner = "Owner" }}
[granularity]
{granularity}
[[map]]
name = "blocks"
use = "{kind}"
{more}
[[part]]
name = "first"
map = "blocks"
setting = "{setting}"
guarantee = {{ pure = "eps", zcdp = "rho", gaussian = "mu" }}
[[part]]
name = "second"
map = "blocks"
setting = "{setting}"
guarantee = {{ pure = "eta", zcdp = "sigma", gaussian = "nu" }}
"""


@pytest.mark.parametrize(
    ("granularity", "kind", "more", "setting", "bounds"),
    [
        (
            'use = "unbounded"', "partition", "", "separate",
            ["max(eps[i] + eta[i])", "max(rho[i] + sigma[i])", "max(sqrt(mu[i]^2 + nu[i]^2))"],
        ),
        (
            'use = "bounded"', "partition", "", "common",
            [
                "sum of the 2 largest (eps[i] + eta[i])",
                "sum of the 2 largest (rho[i] + sigma[i])",
                "sqrt(sum of the 2 largest (mu[i]^2 + nu[i]^2))",
            ],
        ),
        (
            'use = "unbounded"\ngroup = 2', "partition", "", "separate",
            [
                "sum of the 2 largest (eps[i] + eta[i])",
                "sum of the 2 largest (rho[i] + sigma[i])",
                "sqrt(sum of the 2 largest (mu[i]^2 + nu[i]^2))",
            ],
        ),
        (
            'use = "user"\nowner = "owner"', "cover", "m = 3", "common",
            [
                "sum(eps[i] + eta[i])", "sum(rho[i] + sigma[i])",
                "sqrt(sum(mu[i]^2 + nu[i]^2))",
            ],
        ),
    ],
)  # fmt: skip
def test_two_mechanisms_for_each_block(granularity, kind, more, setting, bounds):
    text = SPEC.format(granularity=granularity, kind=kind, more=more, setting=setting)
    found = derive(load_spec(text).problem).bounds
    assert [b.text for b in found] == bounds
    assert [b.tight for b in found] == ["yes"] * 3


ONE_EACH = """
[[part]]
name = "p"
map = "first"
guarantee = { pure = "eps" }
[[part]]
name = "q"
map = "second"
guarantee = { pure = "eta" }
"""
TWO_MAPS = """
[domain]
attributes = {{ id = "Person", owner = "Owner", day = "int" }}
[granularity]
{granularity}
[[map]]
name = "first"
{first}
[[map]]
name = "second"
{second}
"""
PARTITION, COVER = 'use = "partition"', 'use = "cover"\nm = 3'
FILTER, DAYS = 'use = "filter"', 'member = "day(c) == i"\nindex = { i = "T" }'


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("first", "second", "bound"),
    [
        (PARTITION, PARTITION, "sum(eps[i]) + sum(eta[i])"),
        (PARTITION, COVER, "sum(eps[i]) + sum(eta[i])"),
        (COVER, FILTER, "eta + sum(eps[i])"),
        (PARTITION, DAYS, "sum(eps[i]) + sum(eta[i])"),
        (FILTER, DAYS, "eps + sum(eta[i])"),
    ],
)
@pytest.mark.parametrize("granularity", ['use = "user"\nowner = "owner"', 'use = "free_lunch"'])
def test_all_blocks_of_several_maps_change_at_once(granularity, first, second, bound):
    text = TWO_MAPS.format(granularity=granularity, first=first, second=second) + ONE_EACH
    (found,) = derive(load_spec(text).problem).bounds
    assert (found.text, found.tight, found.tight_note) == (bound, "yes", "")


VIP = """
[domain]
attributes = {{ id = "Person", owner = "Owner", vip = "bool" }}
{size}
[[granularity.edit]]
params = {{ u = "Owner", kind = "bool" }}
frame = "{frame}"
[[map]]
name = "first"
member = "h(c) == i and vip(c)"
index = {{ i = "k" }}
functions = {{ h = [["cell"], "int"] }}
[[map]]
name = "second"
member = "h(c) == i and not vip(c)"
index = {{ i = "k" }}
functions = {{ h = [["cell"], "int"] }}
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("size", "frame", "bound", "tight"),
    [
        ("", "owner(c) == u", "sum(eps[i]) + sum(eta[i])", "yes"),
        ("", "owner(c) == u and vip(c) == kind", "max(sum(eps[i]), sum(eta[i]))", "yes"),
        ('size = "size(D) <= 3"', "owner(c) == u", "sum(eps[i]) + sum(eta[i])", "unknown"),
    ],
)
def test_records_of_several_maps_that_change_at_once_or_not(size, frame, bound, tight):
    """Three records do not lie in all blocks of two maps: that bound is not called tight."""
    (found,) = derive(load_spec(VIP.format(size=size, frame=frame) + ONE_EACH).problem).bounds
    assert (found.text, found.tight) == (bound, tight)


def test_one_number_for_all_blocks_is_a_number():
    """Of blocks with the same number each loses it, and the largest of them is it."""
    domain = dp.Domain(id="R")
    found = dp.derive(domain, "unbounded", counts=dp.partition(pure="1/2"))
    bound = found.bounds["pure"]
    assert (bound.text, bound.value, bound.tight) == ("1/2", Fraction(1, 2), "yes")
    assert dp.verify(found.certificate(), found.problem).verdict == "proved"
    cases = dp.derive(domain, "bounded", counts=dp.partition(pure="1/2")).bounds["pure"]
    assert (cases.text, cases.tight) == ("1/2 for k = 1; inf for k >= 2", "yes")
