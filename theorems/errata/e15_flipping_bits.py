"""HBW.Thm1, Alg. 3, V-B: steps of the proof that fail, though the theorem stands."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any, Final

from dpcomp_sym.hypothesis import MechanismTable, delta_at, refine, views
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import is_law, refutes

_HALF: Final = Fraction(1, 2)

FLIPS: Final[Mapping[str, Any]] = {
    "q": Fraction(2),
    "event": ((0, 1), (1, 0)),
    "b0": (0, 0),
    "b1": (1, 0),
    "bit": 2,
    "b0, b1, and both flipped": (
        Fraction(4, 9), Fraction(5, 9), Fraction(5, 9), Fraction(4, 9),
    ),
}  # fmt: skip
"""The event "the outputs differ" is no product: flipping the shared bit raises b0 and lowers b1."""

MERGED: Final[Mapping[str, Any]] = {
    "T0": {(0, 0): Fraction(1)},
    "T1": {(0, 1): _HALF, (1, 0): _HALF},
    "weight": _HALF,
}
"""Both tuples of U0 are ((0, 0), 1/2): as a set they are one, and half of the weight is gone."""

GIVEN: Final[Mapping[str, Any]] = {
    "q": Fraction(2), "b0": (0, 0), "b1": (1, 0), "shared": 2, "event": ((0, 0), (0, 1)),
    "given the shared output": (Fraction(2, 3), Fraction(1, 3)),
}  # fmt: skip
"""Given the output that is shared, the other one still tells the two vectors apart."""


def chance(event: Any, b: tuple[int, ...], q: Fraction) -> Fraction:
    """Return the probability of an event of outputs of randomized response."""
    return sum(
        (
            prod(
                ((q if x == y else 1) / (1 + q) for x, y in zip(b, view, strict=True)),
                start=Fraction(1),
            )
            for view in event
        ),
        Fraction(0),
    )


def _flipped(b: tuple[int, ...], bit: int) -> tuple[int, ...]:
    return tuple(1 - x if n == bit else x for n, x in enumerate(b, 1))


def _views(event: Any) -> bool:
    known = set(itertools.product((0, 1), repeat=2))
    return len(set(event)) == len(event) and set(event) <= known


def fails_to_flip(data: Mapping[str, Any]) -> bool:
    """Return whether none of the three cases of the proof occurs."""
    q, event, b0, b1, bit = (data[n] for n in ("q", "event", "b0", "b1", "bit"))
    if q <= 1 or not _views(event) or b0[bit - 1] != b1[bit - 1]:
        return False
    low, high = chance(event, b0, q), chance(event, b1, q)
    first, second = chance(event, _flipped(b0, bit), q), chance(event, _flipped(b1, bit), q)
    claimed = first < low or second > high or first == low
    return bool(
        data["b0, b1, and both flipped"] == (low, high, first, second)
        and low <= high
        and not claimed
    )


def fails_to_keep_weight(data: Mapping[str, Any]) -> bool:
    """Return whether the refined tuples, taken as a set, lose weight."""
    first, second = data["T0"], data["T1"]
    tuples = {(b0, w) for b0, _, w in refine(first, second)}
    kept = sum((w for _, w in tuples), Fraction(0))
    return is_law(first) and is_law(second) and data["weight"] == kept < 1


def fails_given_the_shared(data: Mapping[str, Any]) -> bool:
    """Return whether the probabilities given the shared output differ."""
    q, b0, b1, at, event = (data[n] for n in ("q", "b0", "b1", "shared", "event"))
    if q <= 1 or b0[at - 1] != b1[at - 1] or not _views(event):
        return False
    given = tuple((*(x for n, x in enumerate(v) if n != at - 1),) for v in event)
    for seen in (0, 1):
        if len([v for v in event if v[at - 1] == seen]) != len(set(given)):
            return False
    laws = []
    for b in (b0, b1):
        with_seen = [v for v in itertools.product((0, 1), repeat=2) if v[at - 1] == 0]
        inside = [v for v in event if v[at - 1] == 0]
        laws.append(chance(inside, b, q) / chance(with_seen, b, q))
    return bool(data["given the shared output"] == tuple(laws) and laws[0] != laws[1])


@theorem(
    id="E15",
    statement="Three steps are false: that flipping a shared bit lowers P(V^b₀ in S), raises "
    "P(V^b₁ in S) or changes nothing; that the refined tuples are sets; and that the "
    "probabilities given the shared outputs are equal.",
    status="refuted",
    cite="HBW.Thm1 (proof), Alg. 3, V-B",
    latex=r"Three steps of the proof are false: that flipping a shared bit lowers "
    r"$\Pr(V^{b_0}\in S)$, raises $\Pr(V^{b_1}\in S)$ or changes nothing; that the refined "
    r"tuples are a set; and that the probabilities of $V^{b_0}\in S$ and $V^{b_1}\in S$ given "
    r"the shared outputs are equal.",
)
def not_private_by_flipping_bits() -> Evidence:
    """Only the laws of the shared outputs agree; events need not be products."""
    return (
        refutes("one of the three cases occurs for each shared bit", FLIPS, fails_to_flip),
        refutes("U₀ as a set has the weight 1", MERGED, fails_to_keep_weight),
        refutes("equal probabilities given the shared output", GIVEN, fails_given_the_shared),
    )


@theorem(
    id="E15",
    statement="Rounds in which b and b′ agree do not count: what is told by all rounds is told by "
    "those in which they differ, since the others can be simulated without knowing b.",
    status="checked",
    cite="HBW.Thm1, V-B, corrected",
    latex=r"Rounds with $b_i=b'_i$ do not count: all views tell $b$ from $b'$ as well as the "
    r"views of the other rounds do, since the shared rounds can be simulated without knowing "
    r"which of the two it is.",
)
def equal_without_shared_rounds() -> Evidence:
    """Here on all pairs of vectors and mechanisms of a grid; the argument is in ``HBW.shared``."""
    weights = [(1, 3), (2, 2), (3, 1), (4, 0)]
    laws = [(Fraction(a, 4), Fraction(b, 4)) for a, b in weights]
    cases, holds = 0, True
    tables: list[MechanismTable] = [(p, r) for p in laws for r in laws]
    for mechanisms in itertools.product(tables, repeat=2):
        for b0, b1 in itertools.product(itertools.product((0, 1), repeat=2), repeat=2):
            seen = views({b0: Fraction(1)}, {b1: Fraction(1)}, mechanisms)
            differ = [n for n in range(2) if b0[n] != b1[n]]
            some = [mechanisms[n] for n in differ]
            one, other = ({tuple(b[n] for n in differ): Fraction(1)} for b in (b0, b1))
            for factor in (Fraction(1), Fraction(3, 2)):
                holds &= delta_at(seen, factor) == delta_at(views(one, other, some), factor)
                cases += 1
    return CheckedInScope("two rounds, two outcomes with weights in quarters", cases, holds)
