"""How far apart, in one granularity, neighbours in another can be: what is stated of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcomp_sym.engine import Counterexample, Unknown, Verdict
from dpcomp_sym.profile import Infinity, Number, Symbolic, Total
from dpcomp_sym.terms import Term, to_text

__all__ = ["DistanceRelation", "ProductFormula", "plain"]


@dataclass(frozen=True)
class ProductFormula:
    """A distance that is a product of symbols, or a sum with a number."""

    term: Term

    def __str__(self) -> str:
        """Return the formula as text."""
        return to_text(self.term)


@dataclass(frozen=True)
class DistanceRelation:
    """How far apart neighbours in ``to`` can be in ``of``.

    ``distance`` is exact where ``verdict`` is Proved (or Vacuous: there are no neighbours, and it
    is 0); otherwise it is None and ``least`` and ``most`` are what is proved.  A distance that
    depends on symbols of the class is a multiple of one, or a formula, exact for all their values.
    ``example`` are neighbours at that distance, where there are any so far apart, or as far as was
    looked.
    """

    of: str
    to: str
    verdict: Verdict
    distance: Number | ProductFormula | Infinity | None
    least: Number | ProductFormula | Infinity = 0
    most: Number | ProductFormula | Infinity | None = None
    example: Counterexample | None = None
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the relation as plain data."""
        reason = self.verdict.reason if isinstance(self.verdict, Unknown) else self.why
        return {
            "of": self.of,
            "to": self.to,
            "verdict": self.verdict.word,
            "distance": plain(self.distance),
            "at_least": plain(self.least),
            "at_most": plain(self.most),
            "example": None if self.example is None else self.example.as_json({}),
            "reason": reason or None,
        }


def plain(value: Number | ProductFormula | Infinity | None) -> int | str | None:
    """Return a distance as a number or a text.

    >>> from dpcomp_sym.profile import INFINITY
    >>> plain(2), plain(Symbolic("r", 2)), plain(INFINITY)
    (2, '2*r', 'inf')
    """
    return str(value) if isinstance(value, Infinity | Symbolic | Total | ProductFormula) else value
