"""The notions of privacy: one file each, with everything that the program uses of it."""

from __future__ import annotations

from dpcomp_sym.notions.approximate import APPROXIMATE
from dpcomp_sym.notions.core import (
    Additive,
    Attaining,
    Conversion,
    Curve,
    Notion,
    Paired,
    Points,
    Refuting,
    Words,
)
from dpcomp_sym.notions.gaussian import GAUSSIAN
from dpcomp_sym.notions.pure import PURE
from dpcomp_sym.notions.registry import (
    NOTIONS,
    conversion_between,
    conversions_to,
    epsilon_delta,
    forget,
    label,
    notion_named,
    of_epsilon,
    of_pairs,
    register,
    usual_parameters,
)
from dpcomp_sym.notions.zcdp import ZCDP

__all__ = [
    "NOTIONS",
    "Additive",
    "Attaining",
    "Conversion",
    "Curve",
    "Notion",
    "Paired",
    "Points",
    "Refuting",
    "Words",
    "conversion_between",
    "conversions_to",
    "epsilon_delta",
    "forget",
    "label",
    "notion_named",
    "of_epsilon",
    "of_pairs",
    "register",
    "usual_parameters",
]

for _notion in (PURE, APPROXIMATE, ZCDP, GAUSSIAN):
    register(_notion)
