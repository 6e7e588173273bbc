"""Questions about the structure of a problem: conditions, distances, profiles, verdicts."""

from dpcomp_sym.engine.conditions import Condition, Conditions, conditions
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import AnswerCache, Structure
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
    "AnswerCache",
    "Checked",
    "Condition",
    "Conditions",
    "Counterexample",
    "Proved",
    "Refuted",
    "Structure",
    "Unknown",
    "Vacuous",
    "Verdict",
    "conditions",
    "profile_of",
]
