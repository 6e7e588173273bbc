"""The choice of databases: in which of k databases a person can be, and what that is worth."""

from dpcomp_sym.membership.composition import membership_profile, pair_at
from dpcomp_sym.membership.reach import Definition, VectorReach, differ, reach
from dpcomp_sym.membership.setting import ALONE, NEIGHBOURS, PROTECTS, Membership
from dpcomp_sym.membership.worst import WorstPair, worst_pair

__all__ = [
    "ALONE",
    "NEIGHBOURS",
    "PROTECTS",
    "Definition",
    "Membership",
    "VectorReach",
    "WorstPair",
    "differ",
    "membership_profile",
    "pair_at",
    "reach",
    "worst_pair",
]
