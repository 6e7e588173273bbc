"""Records that come and go in pairs only: who sees one of a pair sees an infinite distance."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sympy as sp

import dpcomp_sym as dp

ORDERS = dp.Domain(trader="Trader", buys=bool, price=int)
MATCHED = dp.Granularity("matched orders", [
    dp.Edit(
        x=ORDERS.c, y=ORDERS.c, change={"x": 1, "y": 1},
        guard=lambda x, y: x.buys & ~y.buys & (x.price == y.price),
    ),
])  # fmt: skip
TWO = dp.Granularity("two records", [dp.Edit(x=ORDERS.c, y=ORDERS.c, change={"x": 1, "y": 1})])


@pytest.mark.in_turn
@pytest.mark.parametrize("granularity", [MATCHED, TWO])
def test_no_finite_guarantee_holds_and_strangers_confirm_it(granularity, tmp_path):
    sides = dp.blocks(lambda c, i: (c.buys & (i == 1)) | (~c.buys & (i == 2)), pure="eps")
    d = dp.derive(ORDERS, granularity, sides=sides)
    assert (d.bound().infinite, d.bound().tight) == (True, "yes")
    assert dp.verify(d.certificate(), d.problem).verdict == "proved"
    refuted = d.refute("1000*sum(eps[i])")
    assert refuted.verdict == "refuted"
    script = refuted.save(tmp_path / "no.py")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script)], capture_output=True, text=True, check=True
    )
    assert "sides[1] sees databases that no edits link" in done.stdout


def test_mechanisms_that_protect_single_records_have_a_bound():
    d = dp.derive(ORDERS, MATCHED, counts=dp.partition(granularity="unbounded", pure="eps"))
    assert d.bound().text == "2*max(eps[i])"  # both may lie in one block


def test_the_order_of_granularities_knows_it():
    found = dp.order("unbounded", MATCHED, over=ORDERS)
    assert found.distance("unbounded", "matched orders") == 2
    assert found.distance("matched orders", "unbounded") == sp.oo
