"""Certificates, checked by the program that is not the prover: for the command and notebooks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from dpcomp_sym import printable
from dpcomp_sym.certificates import agreement, recheck
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import limited
from dpcomp_sym.model import Problem
from dpcomp_sym.replay import UnreadableError, read
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import Spec

__all__ = ["Verification", "verified", "verify"]

Said = dict[str, Any]


@dataclass(frozen=True, repr=False, kw_only=True)
class Verification(recheck.Verified):
    """What a certificate establishes; others than the two solvers can be asked, too."""

    certificate: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def write_scripts(self, folder: str | Path) -> None:
        """Write the questions to the solvers as SMT-LIB files, ``001.smt2`` and so on.

        Raises:
            OSError: a file cannot be written.
        """
        recheck.write_scripts(self, Path(folder))

    def prove(self, folder: str | Path, calculus: str | Path | None = None) -> Said:
        """Have cvc5 write a proof of each question to a folder, ``001.cpc`` and so on.

        Args:
            folder: where proofs and questions go.
            calculus: have the checker ethos check them by the rules in this file, ``Cpc.eo``.

        Returns:
            a verdict and a text: "unknown" where cvc5 is not installed.

        Raises:
            InputError: there is no such file, or ethos is not installed.
            OSError: a file cannot be written.
        """
        from dpcomp_sym.smt import proofs
        from dpcomp_sym.smt.solvers import ProvingSolver

        rules = None if calculus is None else Path(calculus)
        if rules is not None and not rules.is_file():
            raise InputError(f"{calculus}: no file with the rules of the calculus (Cpc.eo of cvc5)")
        if not ProvingSolver.installed():
            text = "cvc5 is not installed here: no proofs were written (pip install cvc5)"
            return {"verdict": "unknown", "text": text}
        if rules is not None and not proofs.installed():
            raise InputError(
                "the checker ethos is not installed here: without --calculus, proofs are only "
                "written"
            )
        return dict(proofs.prove([q.script for q in self.questions], Path(folder), rules).as_json())

    def by_rocq(self, file: str | Path | None = None) -> Said:
        """Have coqc check a proof written anew, or the proof of the same statement in a file.

        Returns:
            a verdict, a text, and the axioms that the proof rests on; "unknown" where coqc is not
            installed or no proof can be written, "refuted" where the file is no such proof.

        Raises:
            OSError: the file cannot be read.
        """
        from dpcomp_sym import rocq

        try:
            text = fresh = rocq.rocq_file(self.certificate)
        except rocq.UnwrittenError as error:
            return _said("unknown", f"no file can be written: {error}")
        if file is not None:
            text = Path(file).read_text(encoding="utf-8", errors="replace")
            why = rocq.tampered(text, fresh)
            if why is not None:
                return _said("refuted", f"{file} does not prove this: {why}")
        if not rocq.installed():
            return _said("unknown", "coqc is not installed here: nothing was checked")
        answer = rocq.check_either(text)[1] if file is None else rocq.check_given(text, fresh)
        if answer.holds:
            axioms = ", ".join(answer.axioms) or "none"
            said = f"coqc accepts the proof; its axioms: {axioms}"
            return _said("proved", said, answer.axioms)
        verdict = "refuted" if file is not None or answer.accepted else "unknown"
        return _said(verdict, f"coqc does not accept the proof: {answer.reason}", answer.axioms)


def _said(verdict: str, text: str, axioms: Sequence[str] = ()) -> Said:
    return {"verdict": verdict, "text": printable.one_line(text), "axioms": list(axioms)}


def verified(data: Mapping[str, Any], other: Problem | None = None) -> Verification:
    """Verify a certificate that was read, with both solvers; compare it with a problem.

    Raises:
        RejectedError: the certificate is wrong, or a fact is not confirmed.
    """
    found = recheck.verify(data, SecondSolver(), other)
    agreement.compare(agreement.stated(data), dict(found.bounds))
    kept = {f.name: getattr(found, f.name) for f in fields(found)}
    return Verification(**kept, certificate=data)


def verify(
    certificate: Mapping[str, Any] | str | Path, problem: Problem | Spec | None = None
) -> Verification:
    """Verify a certificate, as ``dpcomp verify`` does.

    Args:
        certificate: what ``answer.certificate()`` returned, or the file of one.
        problem: what it should be about; ``differences`` of the result says in what it is not.

    Raises:
        InputError: it is not a certificate.
        RejectedError: the certificate is wrong, or a fact is not confirmed (a ``ValueError``).
        OSError: the file cannot be read.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.partition(pure="eps"))
    >>> found = dp.verify(d.certificate(), d.problem)
    >>> found.verdict, found.differences
    ('proved', ())
    >>> found.by_rocq()["text"]  # doctest: +SKIP
    'coqc accepts the proof; its axioms: none'
    """
    if isinstance(certificate, Mapping):
        name, content = "the certificate", json.dumps(certificate).encode()
    else:
        name = str(certificate)
        if not Path(certificate).exists():
            raise InputError(f"there is no file {name}; answer.certificate() returns a certificate")
        content = Path(certificate).read_bytes()
    try:
        data = read(content)
    except UnreadableError as error:
        raise InputError(f"{name}: this is not a certificate: {error}") from None
    other = problem.problem if isinstance(problem, Spec) else problem
    with limited():
        return verified(data, other)
