"""Which theorem implies which: the derivations use one composition theorem, and no arrow turns."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems import _run, overview
from theorems._entry import Fallen

HALF = Fraction(1, 2)


def test_an_arrow_uses_the_composition_theorem_once():
    part = k.everywhere(t.at_neighbours("pure", space=t.DATABASES))
    with pytest.raises(Fallen, match="used: 0"):
        overview.composed_once(part)
    family = k.run_family(part, t.K)
    assert overview.composed_once(family) is family
    with pytest.raises(Fallen, match="used: 2"):
        overview.composed_once(k.run_adaptively((family, family)))


def test_a_composition_that_is_given_is_no_arrow():
    once = k.run_family(k.everywhere(t.at_neighbours("pure", space=t.DATABASES)), t.K)
    mechanism = once.statement.mechanism
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, (k.Param("eps"),))
    given = k.given(k.Private(mechanism, "pure", loss, ()), "a composition")
    with pytest.raises(Fallen, match="given: 1"):
        overview.composed_once(k.run_adaptively((k.everywhere(given),)))


@pytest.mark.parametrize(
    ("check", "data", "change"),
    [
        (overview.fails_to_be_the_largest, overview.TWICE, {"factor": Fraction(3)}),
        (overview.fails_to_be_the_largest, overview.TWICE, {"laws": ((HALF, HALF),) * 2}),
        (overview.fails_to_be_parallel, overview.BLOCKS, {"blocks": (("a", "b"),)}),
        (overview.fails_to_be_parallel, overview.BLOCKS, {"databases": (("a",), ())}),
        (overview.fails_by_marginals, overview.PADDED, {"first": (Fraction(1, 3), Fraction(2, 3))}),
        (overview.fails_by_marginals, overview.PADDED,
         {"second": {0: ((HALF, HALF),) * 2, 1: ((HALF, HALF),) * 2}}),
        (overview.fails_to_separate, overview.OUTSIDE, {"blocks": (("a",), ("b",))}),
        (overview.fails_to_separate, overview.OUTSIDE, {"D'": ()}),
        (overview.fails_to_separate, overview.OUTSIDE, {"blocks": ()}),
    ],
)  # fmt: skip
def test_what_is_changed_refutes_no_more(check, data, change):
    assert check(data)
    assert not check(dict(data) | change)


def test_all_arrows_of_the_figure_are_there():
    found = _run.select(["Figure 1"])
    assert {e.status for e in found.values()} == {"derived", "rocq", "refuted"}
    derived = [overview.composition_theorems_of_the_adaptive_one()[:6]]
    derived.append(overview.composition_theorems_of_the_adaptive_one_in_all_notions())
    notions = [one.statement.notion for one in itertools.chain(*derived)]
    assert {n: notions.count(n) for n in notions} == {
        "pure": 6, "approximate": 4, "zcdp": 4, "gaussian": 4,
    }  # fmt: skip
