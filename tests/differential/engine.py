"""What the engine says of a problem, in the form that the comparison reads."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from dataclasses import replace
from types import FrameType

from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Checked, Proved, Refuted, Unknown, Vacuous, Verdict
from dpcomp_sym.model import Problem
from dpcomp_sym.smt import Query
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
    return replace(conditions(structure := Structure(problem)), profile=profile_of(structure))


def conditions(structure: Structure) -> Answer:
    """Ask the engine for all but the profile."""
    problem = structure.problem
    vacuity = said(structure.vacuity)
    if vacuity.verdict == "refuted":  # that there are no neighbours: so there are some
        vacuity = Said("proved", vacuity.witness)
    return Answer(
        vacuity,
        {n: said(structure.compatible(m)) for n, m in problem.used_maps.items()},
        {p.name: said(structure.sensitivity(p)) for p in problem.bound_parts},
        {
            n: said(structure.disjoint(m))
            for n, m in problem.used_maps.items()
            if m.indices and m.image is None
        },
    )


def answer_within(problem: Problem, checks: int) -> Answer:
    """Ask for the conditions, and for the profile, each within so many questions to the solver.

    Raises:
        LateError: the conditions need more; a profile that does is not there.
    """
    structure = Structure(problem)
    with budget(checks):
        found = conditions(structure)
    with contextlib.suppress(LateError), budget(checks):
        found = replace(found, profile=profile_of(structure))
    return found


def distances(problem: Problem) -> Answer:
    """Ask the engine for C2 alone."""
    structure = Structure(problem)
    return Answer(
        Said("unknown"),
        distances={p.name: said(structure.sensitivity(p)) for p in problem.bound_parts},
    )


class LateError(Exception):
    """It takes longer than it may."""


WORK = 300_000
"""The solver's own measure of work for one question, after which it knows no answer."""


@contextlib.contextmanager
def budget(checks: int) -> Iterator[None]:
    """Raise LateError after so many questions to the solver: the same on every machine."""
    right, asked = Query.check, 0

    def counted(self, *assumptions):
        nonlocal asked
        asked += 1
        if asked > checks:
            msg = f"more than {checks} questions"
            raise LateError(msg)
        self._steps = min(self._steps, WORK)  # what a second try may take, too
        self.solver.set("rlimit", self._steps)
        return right(self, *assumptions)

    Query.check = counted
    try:
        yield
    finally:
        Query.check = right


WAITING = 10
"""So many times the processor time may pass: a solver in a process of its own takes some."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise LateError in what takes more processor time, also inside the solver's conversions."""
    late = []

    def stop(_number: int, frame: FrameType | None) -> None:
        late.append(True)  # the solver is interrupted with it, and may fail before the next signal
        inside = frame
        while inside is not None:  # what a finaliser raises is lost: wait for the next signal
            if inside.f_code.co_name == "__del__":
                return
            inside = inside.f_back
        raise LateError

    timers = [
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, WAITING * seconds),
    ]
    for number, timer, after in timers:
        signal.signal(number, stop)
        signal.setitimer(timer, after, 0.1)
    try:
        yield
    except Exception as error:
        if late:
            msg = f"more than {seconds} s"
            raise LateError(msg) from error
        raise
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)
