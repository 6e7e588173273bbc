"""A certificate as a file for Rocq, in four parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcomp_sym.rocq.evidence import Outline, outline
from dpcomp_sym.rocq.proof import derivation
from dpcomp_sym.rocq.statement import Setting, statement
from dpcomp_sym.rocq.structure import structure
from dpcomp_sym.rocq.witness import witness

__all__ = ["rocq_file", "written"]

QUOTIENTS = "Ltac Zify.zify_post_hook ::= Z.div_mod_to_equations."
"""What tells ``lia`` what quotients and remainders are; it is slower then."""
NUMBERS = "Ltac last_way ::= in_full."
"""How sums are compared where numbers have been added up in the bound."""


def rocq_file(data: Mapping[str, Any]) -> str:
    """Return the file that Rocq is to check.

    Args:
        data: a certificate.

    Raises:
        UnwrittenError: the problem or the reason of a fact has no words here; says which.
    """
    return written(outline(data))


def written(found: Outline) -> str:
    """Return the file about an outline.

    Raises:
        UnwrittenError: the problem or the reason of a fact has no words here; says which.
    """
    setting = Setting(found.problem, found.notion)
    said = statement(setting, found.bound, found.where, found.delta)
    possible, facts = witness(setting, said), structure(setting, found)
    lines = [
        "(* ==== STATEMENT: all that must be read ==== *)",
        said,
        "(* ==== STRUCTURE: what the edits do, fact by fact ==== *)",
        QUOTIENTS if " mod " in said or " / " in said + facts else "",
        NUMBERS if setting.numbers else "",
        facts,
        "(* ==== DERIVATION ==== *)",
        derivation(setting, found),
        "End Statement.",
        "",
        "(* ==== POSSIBLE: the hypotheses can be met, and neighbours exist ==== *)",
        possible or "(* no example with one record and constant functions was found *)",
        "(* ==== AXIOMS ==== *)",
        "Print Assumptions proved.",
        "Print Assumptions Possible.possible." if possible else "",
    ]
    return "\n".join(lines).rstrip() + "\n"
