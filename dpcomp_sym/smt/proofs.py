"""Proofs that scripts are impossible: written by cvc5, and checked by Ethos where it is installed.

Ethos (https://github.com/cvc5/ethos) is a program of its own: it reads the rules of the calculus,
the script and the proof, and accepts when each step follows by a rule, each assumption is one of
the script's assertions, and the last step is false.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.printable import one_line
from dpcomp_sym.smt.solvers import ProvingSolver

__all__ = ["WrittenProofs", "installed", "prove"]

CHECKER: Final = "ethos"
ACCEPTED: Final = "correct"
SECONDS: Final = 120


@dataclass(frozen=True)
class WrittenProofs:
    """Which scripts have a proof, and which of these a proof checker accepts.

    Args:
        number: how many scripts there are.
        missing: the numbers of those without a proof.
        checked: whether a checker has read the proofs.
        rejected: what it does not accept: the number of the script, and what it prints.
    """

    number: int
    missing: tuple[int, ...]
    checked: bool
    rejected: tuple[tuple[int, str], ...] = ()

    @property
    def verdict(self) -> str:
        """Proved where every script has a proof, and what was checked is accepted."""
        return "unknown" if self.missing or self.rejected else "proved"

    @property
    def text(self) -> str:
        """The outcome as a sentence."""
        written = self.number - len(self.missing)
        said = f"cvc5 has written a proof for {written} of {self.number} questions"
        if self.missing:
            said += f" (none for {', '.join(map(str, self.missing))})"
        if not self.checked:
            return f"{said}; no checker was asked (ethos, with --calculus)"
        said += f"; {CHECKER} accepts {written - len(self.rejected)} of them"
        return said + "".join(f"; {number:03}: {why}" for number, why in self.rejected[:1])

    def as_json(self) -> dict[str, object]:
        """Return the outcome as plain data."""
        return {
            "verdict": self.verdict,
            "text": self.text,
            "questions": self.number,
            "missing": list(self.missing),
            "checked": self.checked,
            "rejected": [{"question": n, "reason": why} for n, why in self.rejected],
        }


def installed() -> bool:
    """Return whether the checker is here."""
    return shutil.which(CHECKER) is not None


def prove(scripts: Sequence[str], folder: Path, calculus: Path | None = None) -> WrittenProofs:
    """Write a proof for each script, as 001.cpc and so on, next to it, and have the proofs checked.

    Args:
        scripts: what is impossible, as SMT-LIB; written as 001.smt2 and so on.
        folder: where the files go.
        calculus: the rules, ``Cpc.eo`` of the sources of cvc5; None where nothing is to be checked.

    Raises:
        OSError: a file cannot be written, or the checker cannot be started.
    """
    folder.mkdir(parents=True, exist_ok=True)
    solver = ProvingSolver()
    missing, rejected = [], []
    try:
        for number, script in enumerate(scripts, 1):
            place = folder / f"{number:03}.cpc"
            place.with_suffix(".smt2").write_text(script, encoding="utf-8")
            place.unlink(missing_ok=True)
            proof = solver.prove(script)
            if proof is None:
                missing.append(number)
                continue
            place.write_text(proof, encoding="utf-8")
            if calculus is not None:
                said = _checked(place, calculus)
                rejected += [(number, said)] * (said != ACCEPTED)
    finally:
        solver.close()
    return WrittenProofs(len(scripts), tuple(missing), calculus is not None, tuple(rejected))


def _checked(proof: Path, calculus: Path) -> str:
    """Return what Ethos prints of a proof, on one line."""
    script = proof.with_suffix(".smt2")
    command = [
        shutil.which(CHECKER) or CHECKER, "--require-proof-of-false",
        f"--include={calculus.resolve()}", f"--reference={script.resolve()}", str(proof.resolve()),
    ]  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - the program is found by its name, the files are ours
            command, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    said = one_line(" ".join((done.stdout + done.stderr).split()))
    return said[:200] if not done.returncode else f"{said[:200]} (status {done.returncode})"
