"""Proofs of a claim where the kernel has none: at given numbers, or by a solver."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.question import ClaimQuestion
from dpcomp_sym.claims.worlds import TouchedWorld, blocks_needed, loss, placements, touched
from dpcomp_sym.profile import Case
from dpcomp_sym.smt.reals import UnsupportedError, larger

__all__ = ["by_numbers", "by_optimum", "by_solver"]

MOST_CASES: Final = 2000
"""The solver is asked that often at most, to prove one claim."""


def by_numbers(question: ClaimQuestion, theorem: k.Theorem) -> bool:
    """Return whether the bound is at most the claim at the given numbers."""
    if {f.name for f in question.families} - set(question.given):
        return False
    if set(question.problem.symbols) - set(question.sizes):
        return False
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return False
    return all(
        _at_most(question, value.as_json(), e)
        for value, claims in zip(statement.loss.guarantee, question.plain, strict=True)
        for e in claims
    )


def _at_most(question: ClaimQuestion, value: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
    """Return whether enclosures show that a value is at most what is claimed."""
    for bits in standalone.BITS:
        try:
            high, low = (
                standalone.enclose(e, question.given, question.sizes, bits) for e in (value, claim)
            )
        except standalone.LargeError:
            return False
        if low is None or (high is not None and high[1] <= low[0]):
            return True
        if high is None or high[0] > low[1]:
            return False
    return False


def by_optimum(question: ClaimQuestion) -> bool:
    """Return whether the best delta at the claimed epsilon is at most the claimed one."""
    compared = question.derivation.comparison
    pairs = question.notion.epsilon_delta and question.notion.additive is None
    if not pairs or compared is None:
        return False
    if {f.name for f in question.families} - set(question.given):
        return False
    try:
        boxes = [
            [
                standalone.enclose(e, question.given, question.sizes, standalone.BITS[2])
                for e in claims
            ]
            for claims in question.plain
        ]
    except standalone.LargeError:
        return False
    eps, delta = (min((b[0] for b in row if b), default=None) for row in boxes)
    if eps is None or delta is None:
        return False
    best = compared.delta(eps)
    return best.high <= delta


def by_solver(question: ClaimQuestion) -> bool:
    """Prove the claim for all sizes allowed, from the few that neighbours can use up.

    Only where counts and distances are numbers.  Then neighbours change at most so many blocks,
    and with more blocks than these the claim only grows.
    """
    if question.notion.additive is None:
        return False
    try:
        return all(
            _case_holds(question, case) for case in question.profile.cases if _asked(question, case)
        )
    except UnsupportedError:
        return False


def _asked(question: ClaimQuestion, case: Case) -> bool:
    """Return whether a case is about the sizes that are given."""
    return all(
        r.low <= question.sizes[r.symbol] and (r.high is None or question.sizes[r.symbol] <= r.high)
        for r in case.ranges
        if r.symbol in question.sizes
    )


def _case_holds(question: ClaimQuestion, case: Case) -> bool:
    numbers = [(g.count, *(r for _, r in g.distances)) for vector in case.single for g in vector]
    if not all(isinstance(x, int) for row in numbers for x in row):
        return False
    blocks = blocks_needed(question.problem, case.single)
    ranges = {r.symbol: r for r in case.ranges}
    options: list[list[tuple[str, int]]] = []
    for symbol in question.problem.symbols:
        low = ranges[symbol].low if symbol in ranges else 1
        high = ranges[symbol].high if symbol in ranges else None
        top = max(low, blocks[symbol])
        last = min(top, high or top)
        # A claim only grows with a size, so that a smaller one than is given will do.
        first = min(question.sizes[symbol], last) if symbol in question.sizes else low
        last = first if symbol in question.sizes else last
        options.append([(symbol, n) for n in range(first, last + 1)])
    questions = (
        (there, dict(choice))
        for choice in itertools.product(*options)
        for vector in case.single
        for world in touched(question.problem, vector, dict(choice))
        for there in placements(question.problem, world, dict(choice), numbered=question.numbered)
    )
    return all(
        number < MOST_CASES and _holds(question, there, sizes)
        for number, (there, sizes) in enumerate(questions)
    )


def _holds(question: ClaimQuestion, world: TouchedWorld, sizes: Mapping[str, int]) -> bool:
    """Prove that no numbers make what is lost in a world larger than the claim."""
    left = loss(question.problem, question.claim.notion, world)
    if left is None:
        return False
    squared = question.notion.growth.root
    return larger(left, question.claim.parameters[0], sizes, squared=squared) is False
