"""Bounded model finding with clingo: a model is a counterexample."""

from __future__ import annotations

import clingo

COMMON = """
record(1..n). block(1..k).
{ old(X) } :- record(X).
1 { label(X, I) : block(I) } 1 :- record(X).
differ(X) :- old(X), not new(X).
differ(X) :- new(X), not old(X).
"""
BLOCKS = """
changed(I) :- differ(X), label(X, I).
:- #count { I : changed(I) } <= most.
"""
INSIDE = """
1 { chosen_block(I) : block(I) } 1.
:- chosen_block(I), #count { X : differ(X), label(X, I) } <= most.
"""
SETTINGS = {
    "unbounded": """
1 { touched(X) : record(X) } 1.
new(X) :- record(X), old(X), not touched(X).
new(X) :- touched(X), not old(X).
""",
    "bounded": """
1 { gone(X) : record(X) } 1. 1 { come(X) : record(X) } 1.
:- gone(X), not old(X). :- come(X), old(X).
new(X) :- old(X), not gone(X).
new(X) :- come(X).
""",
    "owner": """
owner(X, X \\ m) :- record(X).
1 { chosen(O) : owner(_, O) } 1.
{ new(X) } :- owner(X, O), chosen(O).
new(X) :- old(X), owner(X, O), not chosen(O).
:- owner(X, O), owner(Y, O), label(X, I), label(Y, J), I != J.
""",
}


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question: no stable model is a proof within the scope."""
    numbers = {"n": n, "k": k, "most": most, "m": max(1, n // 2)}
    control = clingo.Control(["--warn=none", *(f"-c{a}={b}" for a, b in numbers.items())])
    control.add("base", [], COMMON + (INSIDE if inside else BLOCKS) + SETTINGS[setting])
    control.ground([("base", [])])
    return bool(control.solve().unsatisfiable)
