"""How LaTeX is laid out: for one column or for two, how much of a report, in which notation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.report.notation import check_notation

__all__ = ["DETAILS", "Layout"]

DETAILS: Final = {
    "theorem": frozenset({"facts", "derivation", "tightness", "trust"}),
    "proof": frozenset({"tightness", "trust"}),
    "all": frozenset[str](),
}
"""How much of a report is written, with the sections that are left out."""


class Layout(NamedTuple):
    """For how many columns LaTeX is written, 1 or 2, and how much: theorem, proof or all.

    ``notation`` has other letters and signs for those of formulas.
    """

    columns: int = 1
    detail: str = "all"
    notation: Mapping[str, str] = MappingProxyType({})

    def check(self) -> None:
        """Refuse what there is not.

        Raises:
            InputError: there is no such layout.
        """
        if self.columns not in {1, 2}:
            raise InputError(f"columns is 1 or 2, not {self.columns}", word="columns")
        if self.detail not in DETAILS:
            hint = nearest(self.detail, DETAILS)
            raise InputError(f"unknown detail '{self.detail}'; {hint}", word=self.detail)
        check_notation(self.notation)
