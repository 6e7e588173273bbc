"""What is known of one cell, as plain data."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpcomp_sym import rocq as checker
from dpcomp_sym.atlas.table import AtlasQuestion
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.limits import limited
from dpcomp_sym.spec import read_spec

if TYPE_CHECKING:
    from dpcomp_sym.derivation.derive import Derivation
    from dpcomp_sym.engine import AnswerCache

__all__ = ["answer"]


def answer(
    question: AtlasQuestion, shared: AnswerCache | None = None, *, rocq: bool = False
) -> dict[str, Any]:
    """Derive one cell.

    ``shared`` has what is known of the row's neighbours and the column's blocks already. With
    ``rocq``, coqc checks the proof of the bound on ε, where it can be written.

    >>> from dpcomp_sym.atlas.table import default_table
    >>> table = default_table().slice(["bounded"], ["partition"])
    >>> found = answer(table.questions[1])
    >>> found["setting"], found["bounds"]["pure"]["text"]
    ('common', 'sum of the 2 largest eps[i]')
    """
    spec = read_spec(question.spec, question.name, pathlib.Path())
    with limited() as limits:
        derived = derive(
            spec.problem, values=spec.values, sizes=spec.sizes, title=spec.title, shared=shared
        )
    if limits.budget.stopped:  # a cell is known as a whole, or not at all
        raise KeyboardInterrupt
    document = derived.as_json()
    return {
        "granularity": question.granularity,
        "map": question.map,
        "setting": question.setting,
        "domain": question.domain,
        "verdict": document["verdict"],
        "reason": _reason(derived),
        "conditions": document["conditions"],
        "bounds": {
            bound["notion"]: {
                "text": bound["text"],
                "latex": bound["latex"],
                "tight": bound["tight"],
                "tight_reason": _tightness(derived, bound),
            }
            for bound in ([] if derived.vacuous else document["bounds"])
        },
        "infinite": document["infinite"],
        "spec": question.spec,
        **({"rocq": _by_rocq(derived)} if rocq else {}),
    }


def _by_rocq(derived: Derivation) -> dict[str, Any]:
    """Return whether coqc accepts the proof of the bound on ε, and otherwise why there is none."""
    if derived.infinite:
        return {"checked": False, "reason": "the bound is infinite, if only for some sizes"}
    try:
        text = checker.rocq_file(certificate(derived.theorems, derived))
    except UnwrittenError as error:
        return {"checked": False, "reason": f"not written: {error}"}
    _, said = checker.check_either(text)
    reason = None if said.holds else f"coqc does not accept it: {said.reason}"
    return {"checked": said.holds, "reason": reason}


def _reason(derived: Derivation) -> str | None:
    match derived.verdict:
        case "vacuous":
            return "there are no two different neighbours"
        case "unknown":
            return "; ".join(derived.notes) or "the profile was not proved"
        case _:
            return None


def _tightness(derived: Derivation, bound: Mapping[str, Any]) -> str | None:
    """Return why tightness is not decided, or why a bound is not the best one."""
    if bound["tight"] == "yes":
        return None
    if bound.get("tight_note"):
        return str(bound["tight_note"])
    if bound["tight"] == "no":
        return "sums of (ε, δ) are larger than what the composition guarantees"
    if not derived.profile.exact:
        return "an upper bound: not every worst case was confirmed on databases"
    return "no mechanisms that attain it are known"
