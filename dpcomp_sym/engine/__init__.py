"""Questions and verdicts: conditions, distances, profiles."""

from dpcomp_sym.engine.conditions import Condition, conditions
from dpcomp_sym.engine.profiles import profile_of
from dpcomp_sym.engine.structure import Shared, Structure
from dpcomp_sym.engine.verdict import (
    Checked,
    Counterexample,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    Verdict,
)

__all__ = [
    "Checked",
    "Condition",
    "Counterexample",
    "Proved",
    "Refuted",
    "Shared",
    "Structure",
    "Unknown",
    "Vacuous",
    "Verdict",
    "conditions",
    "profile_of",
]
