"""Several mechanisms for each block: their bounds are attained as those of one mechanism are."""

from __future__ import annotations

import pytest

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
