"""Claims about other people's code: how far apart does a function move two databases?

A function, the metrics of its input and output, and a claimed bound are checked on all pairs of
databases of a finite scope: refuted with the smallest pair, or checked there.

>>> claim = StabilityClaim(
...     lambda rows: rows[: len(rows) // 2 * 2], Lists("ab", at_most=3), SYMMETRIC, SYMMETRIC, "d"
... )
>>> found = check_stability(claim)
>>> found.verdict, found.pair.old, found.pair.new, found.pair.apart, found.pair.allowed
('refuted', ['a'], ['a', 'a'], 2, Fraction(1, 1))
"""

from __future__ import annotations

from dpcomp_sym.stability.check import (
    Stability,
    StabilityClaim,
    TriedPair,
    check_stability,
    claims_of,
)
from dpcomp_sym.stability.databases import DatabaseScope, Lists, Multisets, Tables
from dpcomp_sym.stability.metrics import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    METRICS,
    SYMMETRIC,
    Metric,
    neighbours,
)
from dpcomp_sym.stability.statement import MapProof, MapStatement

__all__ = [
    "ABSOLUTE",
    "CHANGE_ONE",
    "DISCRETE",
    "HAMMING",
    "INSERT_DELETE",
    "L1",
    "METRICS",
    "SYMMETRIC",
    "DatabaseScope",
    "Lists",
    "MapProof",
    "MapStatement",
    "Metric",
    "Multisets",
    "Stability",
    "StabilityClaim",
    "Tables",
    "TriedPair",
    "check_stability",
    "claims_of",
    "neighbours",
]
