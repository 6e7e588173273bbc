"""Transformations of OpenDP: one whose claim is false in 0.16, and controls."""

from __future__ import annotations

import opendp.prelude as dp
import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.stability import MapStatement, check_stability
from dpcomp_sym.stability.opendp import from_opendp

dp.enable_features("contrib")
ANY = dp.vector_domain(dp.atom_domain(T=int))
TWO = dp.vector_domain(dp.atom_domain(T=int), size=2)


def test_a_claim_that_is_false():
    """Insert-delete to Hamming: https://github.com/opendp/opendp/issues/2926."""
    cast = dp.t.make_metric_bounded(TWO, dp.insert_delete_distance())
    found = check_stability(from_opendp(cast, [0, 1]))
    assert (found.verdict, found.pair.old, found.pair.new) == ("refuted", [0, 1], [1, 0])
    assert (found.pair.near, found.pair.apart, found.pair.allowed) == (2, 2, 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: dp.t.make_count(ANY, dp.symmetric_distance()),
        lambda: dp.t.make_metric_bounded(TWO, dp.symmetric_distance()),
        lambda: dp.t.make_metric_unbounded(TWO, dp.change_one_distance()),
        lambda: dp.t.make_count_by_categories(
            ANY, dp.symmetric_distance(), categories=[0, 1], MO=dp.L1Distance[int]
        ),
    ],
)
def test_controls(make):
    assert check_stability(from_opendp(make(), [0, 1, 2], at_most=3)).verdict == "checked"


COUNT = """
granularity = "unbounded"
[domain]
attributes = { value = "Value" }
[[part]]
map = "cardinality"
granularity = "unbounded"
"""


def test_a_transformation_that_is_a_map_is_proved():
    count = dp.t.make_count(ANY, dp.symmetric_distance())
    claim = from_opendp(count, [0, 1, 2], at_most=3, stated=MapStatement(COUNT), bound="d")
    found = check_stability(claim)
    assert (found.verdict, found.proof.conclusion) == (
        "proved", "outputs are at most 1 * d apart, which is at most d for all d"
    )  # fmt: skip


def test_a_map_that_is_code_is_not_proved_for_all_distances():
    count = dp.t.make_count(ANY, dp.symmetric_distance())
    claim = from_opendp(count, [0, 1, 2], at_most=3, stated=MapStatement(COUNT))
    found = check_stability(claim)
    assert found.verdict == "checked"
    assert "is not proved for all d" in found.unproved


def test_distances_are_given_in_the_type_that_a_map_takes():
    clamp = dp.t.make_clamp(
        dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance(), (0, 1)
    )
    assert check_stability(from_opendp(clamp, [0, 1, 2], at_most=2)).verdict == "checked"
    total = dp.t.make_sum(dp.vector_domain(dp.atom_domain(bounds=(0, 2))), dp.symmetric_distance())
    assert check_stability(from_opendp(total, [0, 1, 2], at_most=3)).verdict == "checked"


def test_a_transformation_that_fails_is_named():
    count = dp.t.make_count(ANY, dp.symmetric_distance())
    with pytest.raises(InputError, match=r"the transformation: the function fails on \['a'\]: "):
        check_stability(from_opendp(count, ["a"], at_most=1))


def test_unknown_metrics_are_told():
    count = dp.t.make_count_by_categories(
        ANY, dp.symmetric_distance(), categories=[0, 1], MO=dp.L2Distance[float], TOA=float
    )
    with pytest.raises(InputError, match="unknown metric"):
        from_opendp(count, [0, 1], at_most=2)
