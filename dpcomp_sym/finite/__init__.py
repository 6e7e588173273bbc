"""The plain-Python reading of a problem: finite worlds, exact evaluation, enumeration."""

from dpcomp_sym.finite.world import Cell, Database, Step, World

__all__ = ["Cell", "Database", "Step", "World"]
