"""A certificate as a file for Rocq, in four parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcomp_sym.rocq.evidence import outline
from dpcomp_sym.rocq.proof import derivation, structure
from dpcomp_sym.rocq.statement import Setting, statement

__all__ = ["rocq_file"]


def rocq_file(data: Mapping[str, Any]) -> str:
    """Return the file that Rocq is to check.

    Args:
        data: a certificate.

    Raises:
        UnwrittenError: the problem or the reason of a fact has no words here; says which.
    """
    found = outline(data)
    setting = Setting(found.problem)
    return "\n".join(
        [
            "(* ==== STATEMENT: all that must be read ==== *)",
            statement(setting, found.bound),
            "(* ==== STRUCTURE: what the edits do, fact by fact ==== *)",
            structure(setting, found),
            "(* ==== DERIVATION ==== *)",
            derivation(setting, found),
            "End Statement.",
            "(* ==== AXIOMS ==== *)",
            "Print Assumptions proved.",
            "",
        ]
    )
