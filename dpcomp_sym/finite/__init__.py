"""Small finite worlds: exact evaluation in plain Python, and enumeration."""

from dpcomp_sym.finite.world import Cell, Database, PathStep, World

__all__ = ["Cell", "Database", "PathStep", "World"]
