"""Whether a claim that was proved is the exact bound, or where it is larger."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.question import ClaimQuestion, ParameterNumbers
from dpcomp_sym.claims.worlds import assignments, sizes_in_order
from dpcomp_sym.derivation.order import at_most

__all__ = ["tightness"]

MOST_GAPS: Final = 6
"""How many sizes are tried, at most, to show that a true claim is larger than the bound."""


def tightness(question: ClaimQuestion) -> tuple[str, Mapping[str, Any] | None]:
    """Return whether a proved claim is the exact bound, and if not, where it is larger."""
    theorem = question.derivation.theorems.get(question.claim.notion)
    bound = [b for b in question.derivation.bounds if b.notion == question.claim.notion]
    if theorem is None or not bound:
        return "unknown", None
    gap = None if _is_bound(question, theorem) else _gap_of(question, theorem)
    if gap is not None:
        return "no", gap
    if bound[0].tight == "yes" and _no_larger(question, theorem):
        return "yes", None
    return "unknown", None


def _is_bound(question: ClaimQuestion, theorem: k.Theorem) -> bool:
    """Return whether the claim is the bound itself, so that it is larger nowhere."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return False
    return all(
        normal(value) in map(normal, claims)
        for value, claims in zip(statement.loss.guarantee, question.parameters, strict=True)
    )


def _no_larger(question: ClaimQuestion, theorem: k.Theorem) -> bool:
    """Prove that the claim is at most the bound."""
    for case in theorem.premises if theorem.rule == "cover_cases" else (theorem,):
        statement = case.statement
        if not isinstance(statement, k.Private):
            return False
        if not isinstance(statement.loss, k.Neighbouring):
            return False
        for claims, value in zip(question.parameters, statement.loss.guarantee, strict=True):
            if not any(
                at_most(e, value, statement.where)
                or question.wider.at_most(e, value, statement.where)
                for e in claims
            ):
                return False
    return True


def _gap_of(question: ClaimQuestion, theorem: k.Theorem) -> Mapping[str, Any] | None:
    """Return numbers at which the exact bound is smaller than the claim."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return None
    for sizes in sizes_in_order(question.problem, question.sizes)[:MOST_GAPS]:
        for numbers in assignments(question.families, sizes, question.given):
            claimed = question.claim.parameters
            for value, claims in zip(statement.loss.guarantee, claimed, strict=True):
                bits = standalone.BITS[0]
                try:
                    bound = question.enclosed(value, numbers, sizes, bits)
                    boxes = [question.enclosed(e, numbers, sizes, bits) for e in claims]
                except standalone.LargeError:
                    continue
                lows = [b[0] for b in boxes if b is not None]
                if bound is not None and (not lows or min(lows) > bound[1]):
                    return _gap(numbers, sizes, bound, min(lows, default=None))
    return None


def _gap(
    numbers: ParameterNumbers, sizes: Mapping[str, int], bound: tuple[Fraction, Fraction],
    claim: Fraction | None,
) -> dict[str, Any]:  # fmt: skip
    def shown(x: Fraction | None) -> str:
        return "inf" if x is None else standalone.brief(x)

    return {
        "sizes": dict(sizes),
        "parameters": {
            n: [str(x) for x in v.values()] if isinstance(v, dict) else str(v)
            for n, v in numbers.items()
        },
        "bound": shown(bound[1]),
        "claimed": shown(claim),
    }
