"""Optimal composition of pure and approximate guarantees: what is lost at best, in numbers.

``comparison`` sets the basic, the advanced and the optimal composition of a profile side by side;
``compose`` gives the exact curve of a list of parts; ``worst_pair`` and the tables of
:mod:`dpcomp_sym.optimal.pairs` are the exact rational counterparts, for e^ε rational.
"""

from __future__ import annotations

from dpcomp_sym.optimal.compare import AnswerRow, Comparison, comparison
from dpcomp_sym.optimal.curve import CompositionCurve, NumberRange, SeenPart, compose
from dpcomp_sym.optimal.pairs import group_delta, homogeneous_delta, truncated_geometric, worst_pair

__all__ = [
    "AnswerRow",
    "Comparison",
    "CompositionCurve",
    "NumberRange",
    "SeenPart",
    "comparison",
    "compose",
    "group_delta",
    "homogeneous_delta",
    "truncated_geometric",
    "worst_pair",
]
