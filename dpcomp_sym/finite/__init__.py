"""The plain-Python reading of a problem: finite worlds, exact evaluation, enumeration."""

from dpcomp_sym.finite.world import Cell, Database, PathStep, World

__all__ = ["Cell", "Database", "PathStep", "World"]
