"""The solver's vocabulary for the layers above, which do not import the solver themselves."""

from __future__ import annotations

import z3

__all__ = [
    "And",
    "BoolVal",
    "Function",
    "If",
    "Int",
    "IntSort",
    "IntVal",
    "Ints",
    "Not",
    "Or",
    "is_false",
    "is_true",
    "sat",
    "simplify",
    "unsat",
]

And, Or, Not, If = z3.And, z3.Or, z3.Not, z3.If
Int, Ints, IntSort, IntVal, BoolVal, Function = (
    z3.Int,
    z3.Ints,
    z3.IntSort,
    z3.IntVal,
    z3.BoolVal,
    z3.Function,
)
sat, unsat = z3.sat, z3.unsat
is_true, is_false, simplify = z3.is_true, z3.is_false, z3.simplify
