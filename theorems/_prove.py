"""Obligations: formulas whose negation the solver refutes, and exact algebraic identities.

An obligation that the solver does not decide counts as open, never as settled.  Identities are
between rational functions; they are settled by expanding the numerator of the difference to 0,
not by heuristics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theorems._entry import Discharged

__all__ = ["holds", "identical", "identities", "possible", "smt"]

RESOURCES = 40_000_000


def holds(claim: Any, *hypotheses: Any) -> bool:
    """Return whether the hypotheses imply the claim, for all values of the free variables.

    Hypotheses that contradict each other imply everything, and count as no proof.
    """
    import z3

    # Two solvers: one that is asked twice works incrementally, and decides less.
    return bool(_check(*hypotheses, z3.Not(claim)) == z3.unsat != _check(*hypotheses))


def possible(*facts: Any) -> bool:
    """Return whether the facts hold together for some values."""
    import z3

    return bool(_check(*facts) == z3.sat)


def _check(*facts: Any) -> Any:
    import z3

    solver = z3.Solver()
    solver.set("rlimit", RESOURCES)
    solver.add(*facts)
    return solver.check()


def smt(obligations: Mapping[str, bool], argument: str = "") -> Discharged:
    """Return the evidence made of solver obligations."""
    return Discharged("smt", dict(obligations), argument)


def identical(left: Any, right: Any) -> bool:
    """Return whether two rational functions are equal."""
    import sympy

    numerator, denominator = sympy.fraction(sympy.together(left - right))
    nonzero: bool = sympy.expand(denominator) != 0
    return nonzero and bool(sympy.expand(numerator) == 0)


def identities(obligations: Mapping[str, bool], argument: str = "") -> Discharged:
    """Return the evidence made of algebraic identities."""
    return Discharged("algebra", dict(obligations), argument)
