"""Claims about compositions: proved, or refuted with everything needed to be convinced."""

from dpcomp_sym.claims.decide import refute
from dpcomp_sym.claims.decision import ClaimCounterexample, Decision
from dpcomp_sym.claims.parse import Claim, read_claim

__all__ = ["Claim", "ClaimCounterexample", "Decision", "read_claim", "refute"]
