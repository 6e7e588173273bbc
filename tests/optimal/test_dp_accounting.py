"""Agreement with Google's dp-accounting, which works with floats on a grid of losses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from dp_accounting.pld import common, privacy_loss_distribution

from dpcomp_sym.optimal.curve import SeenPart, compose

GRID = 1e-3


def other(eps, delta, count):
    parameters = common.DifferentialPrivacyParameters(float(eps), float(delta))
    one = privacy_loss_distribution.from_privacy_parameters(
        parameters, value_discretization_interval=GRID
    )
    return one.self_compose(count)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**4)])
@pytest.mark.parametrize(
    ("eps", "count"), [(Fraction(1, 10), 100), (Fraction(1, 2), 20), (Fraction(2), 3)]
)
def test_the_same_curve(eps, delta, count):
    curve = compose({SeenPart(eps, delta): count})
    theirs = other(eps, delta, count)
    for n in range(1, 8):
        at = eps * count * n / 8
        ours = curve.delta(at)
        assert float(ours.low) == pytest.approx(
            theirs.get_delta_for_epsilon(float(at)), rel=2e-2, abs=1e-9
        )
        # Theirs is an upper bound, so it is not below the truth.
        assert theirs.get_delta_for_epsilon(float(at)) >= float(ours.low) * (1 - 1e-9) - 1e-12


def test_the_same_epsilon_of_different_parts():
    parts = [(Fraction(1, 4), Fraction(0), 30), (Fraction(1, 2), Fraction(1, 10**5), 10)]
    curve = compose({SeenPart(eps, delta): count for eps, delta, count in parts})
    theirs = other(*parts[0]).compose(other(*parts[1]))
    for target in (Fraction(1, 1000), Fraction(1, 100)):
        found = curve.epsilon(target)
        assert theirs.get_epsilon_for_delta(float(target)) == pytest.approx(
            float(found.high), rel=1e-2
        )
