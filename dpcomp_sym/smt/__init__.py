"""Queries to the solvers; nothing else imports one."""

from dpcomp_sym.smt.pair import Pair, View
from dpcomp_sym.smt.paths import SymbolicStep, ViewDistance
from dpcomp_sym.smt.query import GroundCell, Query

__all__ = ["GroundCell", "Pair", "Query", "SymbolicStep", "View", "ViewDistance"]
