"""Bounded model finding with clingo: a model is a counterexample."""

from __future__ import annotations

from collections.abc import Iterator

import clingo

from rivals import SETTINGS, Scope

COMMON = """
block(1..k). looked_at(1..seen).
{ old(X) } :- record(X).
differ(X) :- old(X), not new(X).
differ(X) :- new(X), not old(X).
"""
AT_WILL = """
1 { chosen(G) : set(G) } 1.
free(X) :- chosen(G), in(X, G).
{ new(X) } :- free(X).
new(X) :- old(X), not free(X).
"""
REPLACED = """
1 { gone(X) : record(X) } 1. 1 { come(X) : record(X) } 1.
:- gone(X), not old(X). :- come(X), old(X).
new(X) :- old(X), not gone(X).
new(X) :- come(X).
"""
LABELS = "fewest { label(Y, I) : block(I) } largest :- key(Y)."
EVERY = "lies(X, I) :- record(X), block(I), label(Y, I) : has(X, Y)."
ANY = "lies(X, I) :- has(X, Y), label(Y, I)."
BLOCKS = """
changed(I) :- differ(X), lies(X, I), looked_at(I).
:- #count { I : changed(I) } <= most.
"""
INSIDE = """
1 { chosen_block(I) : looked_at(I) } 1.
:- chosen_block(I), #count { X : differ(X), lies(X, I) } <= most.
"""


def facts(scope: Scope) -> Iterator[str]:
    """Yield what is known of the records."""
    for x, keys in enumerate(scope.keys):
        yield f"record({x})."
        yield from (f"key({y}). has({x}, {y})." for y in keys)
    for number, together in enumerate(scope.together or ()):
        yield f"set({number})."
        yield from (f"in({x}, {number})." for x in together)
    for x, i in enumerate(scope.given or ()):
        yield f"lies({x}, {i + 1})."


def holds(setting: str, n: int, k: int, most: int, *, inside: bool = False) -> bool:
    """Decide the question: no stable model is a proof within the scope."""
    scope = SETTINGS[setting](n)
    numbers = {
        "k": k, "seen": len(scope.looked_at(k, 1 if inside else most + 1)), "most": most,
        "fewest": scope.fewest, "largest": scope.most,
    }  # fmt: skip
    rules = [COMMON, REPLACED if scope.together is None else AT_WILL, INSIDE if inside else BLOCKS]
    if scope.given is None:
        rules += [LABELS, EVERY if scope.every else ANY]
    control = clingo.Control(["--warn=none", *(f"-c{a}={b}" for a, b in numbers.items())])
    control.add("base", [], "\n".join([*rules, *facts(scope)]))
    control.ground([("base", [])])
    return bool(control.solve().unsatisfiable)
