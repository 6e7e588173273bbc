"""What is known of a claim: the verdict with everything needed to be convinced."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.evidence import as_data
from dpcomp_sym.claims.parse import Claim
from dpcomp_sym.claims.worlds import ParameterValues
from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.derivation.derive import Derivation, steps
from dpcomp_sym.report.answers import Saved, Writer

__all__ = ["ClaimCounterexample", "Decision"]


@dataclass(frozen=True)
class ClaimCounterexample:
    """Numbers, databases and mechanisms at which a claim fails; all of it re-checked.

    What the mechanisms publish depends on one number; it is called ``letter``, as nothing else is.
    """

    data: Mapping[str, Any]
    values: ParameterValues
    sizes: Mapping[str, int]
    databases: Mapping[str, Any]
    letter: str

    def as_json(self) -> dict[str, Any]:
        """Return everything that is needed to be convinced."""
        return {
            **self.databases,
            "sizes": dict(self.sizes),
            **as_data(self.data, self.values, self.letter),
            "confirmed": list(standalone.confirm(self.data).facts),
        }


@dataclass(frozen=True)
class Decision(Saved):
    """What is known of a claim; ``save("no.html")`` writes it to a file.

    Attributes:
        claim: what was claimed.
        verdict: "proved", "refuted", "vacuous", "checked" (no counterexample within ``reason``)
            or "unknown".
        derivation: what the composition really guarantees.
        theorem: the kernel's theorem that the composition has the claimed guarantee.
        reason: why the verdict is what it is.
        tight: for a proved claim: whether it is the exact bound.
        gap: where it is not: numbers at which less is lost than claimed.
        counterexample: for a refuted claim, the smallest one.
        also: a counterexample with as many blocks as the claim names, if the smallest has fewer.
    """

    claim: Claim
    verdict: str
    derivation: Derivation
    theorem: k.Theorem | None = None
    reason: str = ""
    tight: str = "unknown"
    gap: Mapping[str, Any] | None = None
    counterexample: ClaimCounterexample | None = None
    also: ClaimCounterexample | None = None

    def __hash__(self) -> int:
        return hash((self.claim.text, self.verdict, self.derivation))

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"<Decision {self.claim.text!r}: {self.verdict}{why}>"

    def __str__(self) -> str:
        """Return what the command line prints."""
        from dpcomp_sym.report.claim import to_text

        return to_text(self.as_json()).rstrip()

    @property
    def bound(self) -> Any:
        """The derived bound in the notion of the claim, or None."""
        found = [b for b in self.derivation.bounds if b.notion == self.claim.notion]
        return found[0] if found else None

    def as_json(self) -> dict[str, Any]:
        """Return the decision as plain data."""
        bound = self.bound
        return {
            "schema": "dpcomp/1",
            "title": self.derivation.title,
            "verdict": self.verdict,
            "claim": self.claim.text,
            "claim_latex": self.claim.latex,
            "notion": self.claim.notion,
            "reason": self.reason or None,
            "bound": None if bound is None else {"text": bound.text, "latex": bound.latex},
            "tight": self.tight,
            "gap": None if self.gap is None else dict(self.gap),
            "counterexample": _json(self.counterexample),
            "also": _json(self.also),
            "trust": sorted({t.kind for t in self.theorem.trust}) if self.theorem else [],
            "trace": [s.as_json() for s in steps(() if self.theorem is None else (self.theorem,))],
        }  # fmt: skip

    def script(self) -> str | None:
        """Return a stand-alone Python program that re-checks the refutation, or None."""
        if self.counterexample is None:
            return None
        from dpcomp_sym.claims.script import program

        return program(self.counterexample.data)

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.answers import texts_of
        from dpcomp_sym.report.article import proof_of
        from dpcomp_sym.report.decided import stated
        from dpcomp_sym.report.setting import label_for

        notation = self.derivation.notation()
        notation.label = label = label_for(
            self.derivation.problem, self.derivation.title, self.claim.text
        )

        def called(mechanism: Mapping[str, Any]) -> str:
            block = ",".join(map(str, mechanism["block"]))
            return notation.symbols.mechanism(mechanism["part"], block)

        proof = () if self.theorem is None else (proof_of(self.theorem, notation),)
        found = texts_of(
            self.as_json(), "A claim", partial(stated, called=called, proof=proof, label=label),
            lambda: list(notation.definitions()), label=label,
        )  # fmt: skip
        program, refuted = self.script(), self.counterexample
        if program is None or refuted is None:
            return found
        from dpcomp_sym.rocq import refutation_file

        formal = partial(refutation_file, self.derivation.problem, refuted.data)
        return {**found, ".py": lambda: program, ".v": formal}


def _json(example: ClaimCounterexample | None) -> dict[str, Any] | None:
    return None if example is None else example.as_json()
