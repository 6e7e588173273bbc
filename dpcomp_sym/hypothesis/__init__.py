"""Hypotheses about which databases a person is in, against finite mechanisms, exactly.

A hypothesis is a distribution of b in {0,1}^k.  The adversary sees one output of each mechanism,
of mechanism i on the database with the person's record if b_i = 1 and on the one without if
b_i = 0, and asks which of two hypotheses is true.  All numbers are rational: a guarantee is
given as q = e^ε.

Source: HBW (Hartmann, Bindschaedler, West), sections IV and V-B, with corrections E3, E4 and E15.
"""

from dpcomp_sym.hypothesis.bounds import (
    Coupling,
    conditional_bound,
    factor,
    largest_factor,
    least_bound,
    narrowest_coupling,
    point_mass_bounds,
    printed_factor,
    refine,
    sampling_bound,
)
from dpcomp_sym.hypothesis.exact import (
    delta_at,
    exchangeable_views,
    is_hypothesis_private,
    largest_ratio,
    views,
)
from dpcomp_sym.hypothesis.sampling import sampled, sampled_factor, sampled_guarantee
from dpcomp_sym.hypothesis.tables import Hypothesis, MechanismTable, response, uniform

__all__ = [
    "Coupling",
    "Hypothesis",
    "MechanismTable",
    "conditional_bound",
    "delta_at",
    "exchangeable_views",
    "factor",
    "is_hypothesis_private",
    "largest_factor",
    "largest_ratio",
    "least_bound",
    "narrowest_coupling",
    "point_mass_bounds",
    "printed_factor",
    "refine",
    "response",
    "sampled",
    "sampled_factor",
    "sampled_guarantee",
    "sampling_bound",
    "uniform",
    "views",
]
