"""Bounds in numbers: the values of theorems' expressions, exact and fast.

:func:`bounds` turns what was proved of a composition into one bound a notion, as a formula and as
a number.
"""

from __future__ import annotations

from dpcomp_sym.numbers.bound import Bound, Bounds, bounds, notions_of
from dpcomp_sym.numbers.columns import ParameterTable, parameter_names
from dpcomp_sym.numbers.curves import gaussian_delta, zcdp_epsilon
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.numbers.exact import Exact, Root
from dpcomp_sym.numbers.fronts import largest_layers
from dpcomp_sym.numbers.guarantee import Guarantee

__all__ = [
    "Bound",
    "Bounds",
    "Exact",
    "Guarantee",
    "ParameterTable",
    "Root",
    "bounds",
    "evaluate",
    "gaussian_delta",
    "largest_layers",
    "notions_of",
    "parameter_names",
    "zcdp_epsilon",
]
