"""What the engine says of a problem, in the form that the comparison reads."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

from dpcomp_sym.engine.profiles import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Checked, Proved, Refuted, Unknown, Vacuous, Verdict
from dpcomp_sym.model import Problem
from tests.differential.compare import Answer, Said, Witness


def said(verdict: Verdict) -> Said:
    """Return a verdict in the comparison's words."""
    match verdict:
        case Proved():
            return Said("proved")
        case Refuted(counterexample=example):
            return Said("refuted", Witness(example.world, example.old, example.new))
        case Checked(scope=scope):
            return Said("checked", reason=scope)
        case Vacuous():
            return Said("vacuous")
        case Unknown(reason=reason):
            return Said("unknown", reason=reason)


def answer(problem: Problem) -> Answer:
    """Ask the engine for everything that can be compared."""
    structure = Structure(problem)
    vacuity = said(structure.vacuity)
    if vacuity.verdict == "refuted":  # that there are no neighbours: so there are some
        vacuity = Said("proved", vacuity.witness)
    return Answer(
        vacuity,
        {n: said(structure.compatible(m)) for n, m in problem.used_maps.items()},
        {p.name: said(structure.sensitivity(p)) for p in problem.bound_parts},
        profile_of(structure),
    )


def distances(problem: Problem) -> Answer:
    """Ask the engine for C2 alone."""
    structure = Structure(problem)
    return Answer(
        Said("unknown"),
        distances={p.name: said(structure.sensitivity(p)) for p in problem.bound_parts},
    )


class LateError(Exception):
    """It takes longer than it may."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise LateError in what takes longer, also inside the solver's conversions."""
    late = []

    def stop(_number: int, _frame: object) -> None:
        late.append(True)
        raise LateError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    except Exception as error:
        if late:
            msg = f"more than {seconds} s"
            raise LateError(msg) from error
        raise
    finally:
        signal.alarm(0)
