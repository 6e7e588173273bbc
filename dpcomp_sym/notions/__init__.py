"""Privacy notions: how guarantees grow with the distance, combine, convert and get numbers.

A :class:`Notion` says how guarantees combine and scale; :func:`bounds` turns what neighbours do
to the parts of a composition into one bound a notion, as a formula and as a number.
"""

from __future__ import annotations

from dpcomp_sym.notions.bounds import Bound, bounds, notions_of
from dpcomp_sym.notions.columns import Table, parameter_names
from dpcomp_sym.notions.conversions import (
    CONVERSIONS,
    Conversion,
    convert,
    gaussian_delta,
    zcdp_epsilon,
)
from dpcomp_sym.notions.core import (
    APPROXIMATE,
    GAUSSIAN,
    NOTIONS,
    PURE,
    ZCDP,
    Additive,
    Guarantee,
    Notion,
    register,
)
from dpcomp_sym.notions.exact import Exact, Root
from dpcomp_sym.notions.fronts import largest_layers
from dpcomp_sym.notions.numbers import evaluate

__all__ = [
    "APPROXIMATE",
    "CONVERSIONS",
    "GAUSSIAN",
    "NOTIONS",
    "PURE",
    "ZCDP",
    "Additive",
    "Bound",
    "Conversion",
    "Exact",
    "Guarantee",
    "Notion",
    "Root",
    "Table",
    "bounds",
    "convert",
    "evaluate",
    "gaussian_delta",
    "largest_layers",
    "notions_of",
    "parameter_names",
    "register",
    "zcdp_epsilon",
]
