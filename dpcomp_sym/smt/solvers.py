"""Solvers that are given a script, as a stranger would give it: each in a process of its own.

They have no access to the terms of this process.  What they answer is about the text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from select import select
from typing import Final

from dpcomp_sym.limits import current

__all__ = ["FirstSolver", "ProvingSolver", "SecondSolver", "TextSolver"]

SECONDS: Final = 20.0
GRACE: Final = 5.0
"""How many seconds a solver may be late before its process is ended."""

_LOOP: Final = """
import json, sys
for line in sys.stdin:
    script, limit = json.loads(line)
    try:
        answer = answered(script, limit)
    except Exception as error:
        answer = "error: " + str(error)
    print(json.dumps(answer.strip()), flush=True)
"""
_Z3: Final = """
import z3
def answered(script, limit):
    context = z3.Context()
    return z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :timeout {limit})" + script)
"""
_CVC5: Final = """
import cvc5
def answered(script, limit):
    solver, answer = cvc5.Solver(), ""
    for option, value in OPTIONS:
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    solver.setOption("tlimit-per", str(limit))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, symbols)
    return answer
"""

_PROVING: Final = (
    ("produce-proofs", "true"),
    ("proof-format-mode", "cpc"),
    ("proof-granularity", "dsl-rewrite"),
)


class TextSolver:
    """A solver in a process of its own, which is ended when it takes too long."""

    name: str
    module: str
    program: str

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    @classmethod
    def installed(cls) -> bool:
        """Return whether the solver can be used."""
        return find_spec(cls.module) is not None

    def ask(self, script: str) -> str:
        """Return "sat", "unsat" or "unknown"; "not asked" where the solver is not installed."""
        if not self.installed():
            return "not asked"
        answer = self._answer(script)
        if answer not in {"sat", "unsat", "unknown"}:
            self.close()
            return "unknown"
        return answer

    def _answer(self, script: str) -> str:
        """Return all that the solver prints; nothing where it is ended."""
        seconds = min(self.seconds, max(current().allowed, GRACE))
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, a fixed text
                [sys.executable, "-c", self.program + _LOOP],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, encoding="utf-8",
            )  # fmt: skip
        process = self._process
        if process.stdin is None or process.stdout is None:
            return ""
        try:
            process.stdin.write(json.dumps([script, int(seconds * 1000)]) + "\n")
            process.stdin.flush()
        except OSError:
            self.close()
            return ""
        ready, _, _ = select([process.stdout], [], [], seconds + GRACE)
        line = process.stdout.readline() if ready else ""
        if not line.endswith("\n"):
            self.close()
            return ""
        return str(json.loads(line))

    def close(self) -> None:
        """End the solver's process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class FirstSolver(TextSolver):
    """z3, which has answered the same questions in this process, and reads them now.

    >>> solver = FirstSolver()
    >>> solver.ask("(declare-fun n () Int)(assert (< n n))(check-sat)")
    'unsat'
    >>> solver.close()
    """

    name = "z3"
    module = "z3"
    program = _Z3


class SecondSolver(TextSolver):
    """cvc5, of other authors.

    >>> SecondSolver.name
    'cvc5'
    """

    name = "cvc5"
    module = "cvc5"
    program = "OPTIONS = ()\n" + _CVC5


class ProvingSolver(TextSolver):
    """cvc5, which writes a proof of an impossible script in its Cooperating Proof Calculus."""

    name = "cvc5"
    module = "cvc5"
    program = f"OPTIONS = {_PROVING}\n" + _CVC5

    def prove(self, script: str) -> str | None:
        """Return a proof that a script is impossible; None where the solver finds none.

        >>> solver = ProvingSolver()
        >>> proof = solver.prove("(declare-fun n () Int)(assert (< n n))(check-sat)")
        >>> (proof or "").splitlines()[0]
        '(declare-const n Int)'
        >>> solver.prove("(check-sat)")
        >>> solver.close()
        """
        if not self.installed():
            return None
        answer, _, proof = self._answer(f"{script}\n(get-proof)\n").partition("\n")
        lines = proof.strip().splitlines()
        if answer != "unsat" or lines[:1] != ["("] or lines[-1] != ")":
            return None
        return "\n".join([*lines[1:-1], ""])
