"""Asking the solver: within limits of work, time and memory, and stoppable in any case.

The solver stops itself when it has worked too long, except inside a single operation on numbers,
which can take hours when products of products have millions of digits.  Questions with several
products are therefore first tried in a copy of the process, which can be ended.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NoReturn

import z3

from dpcomp_sym.limits import ASKED, Limits, current
from dpcomp_sym.smt import logic

__all__ = ["RESOURCES", "ask", "ask_twice", "prepared", "usable", "work_done"]

RESOURCES: Final = 20_000_000
"""The solver's own measure of work (``rlimit``) after which it answers unknown."""
AT_FIRST: Final = 1_000_000
"""How much work is done between looks at the clock, which cost more than most questions."""
A_LITTLE: Final = AT_FIRST // 4
"""The same, where the solver may begin in several places."""
A_MOMENT: Final = 0.5
"""Seconds for it: dividing by large numbers can take long, and is hardly counted as work."""
A_TICK: Final = 0.01
"""Seconds by which the solver's clock may be ahead: it counts whole milliseconds."""
EASY: Final = 2 * AT_FIRST
"""How much work a second attempt is worth: in another way the solver is quick, or no better."""
AT_ONCE: Final = 5.0
"""Limits of less seconds are looked at from the start."""
WORK: Final = "rlimit count"
FOREVER: Final = 2**32 - 1
NO_LIMIT: Final = "0"
CALL_OVER: Final = "when the time of the whole call was over"
MEGABYTE: Final = 2**20
VIRTUAL: Final = 1024 * MEGABYTE
"""What a process has been promised beyond what it uses: libraries, stacks."""


_BROKEN: Final[dict[int, Any]] = {}
"""Solvers that broke off in the middle of their work, without memory; they are not even freed."""


def usable(solver: Any) -> bool:
    """Return whether a solver may be used: not after it broke off, which would kill it."""
    return id(solver) not in _BROKEN


class _Collector:
    """Frees what is out of reach when the solver has come to need much memory.

    Nothing else collects while a command runs (see the command line), lest answers depend on when.
    """

    def __init__(self) -> None:
        self.left = 0

    def room(self, limits: Limits) -> bool:
        """Return whether the solver has memory left for a question."""
        most = limits.megabytes * MEGABYTE
        if z3.Z3_get_estimated_alloc_size() > max(most // 4, 2 * self.left):
            gc.collect()
            self.left = z3.Z3_get_estimated_alloc_size()
        return bool(z3.Z3_get_estimated_alloc_size() < most)


_collector: Final = _Collector()


def prepared(solver: Any, steps: int = RESOURCES) -> Any:
    """Return a solver, limited for :func:`ask`."""
    solver.set(rlimit=min(steps, AT_FIRST), ctrl_c=not _listens())
    return solver


def work_done(solver: Any) -> int:
    """Return the solver's own measure of all work so far, that of other questions included."""
    return next((int(number) for name, number in solver.statistics() if name == WORK), 0)


@cache
def _listens() -> bool:
    """Have the solver stopped by Ctrl-C, and return whether that could be arranged.

    By itself it takes the signal for a limit and answers unknown, and the interruption is lost.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    if before != -1:  # somebody else waits for signals
        signal.set_wakeup_fd(before)
        return False

    def listen() -> None:
        while number := os.read(reading, 1):
            if number[0] in (signal.SIGINT, signal.SIGALRM):
                z3.main_ctx().interrupt()

    threading.Thread(target=listen, daemon=True).start()
    return True


def _may_ask(solver: Any, limits: Limits) -> bool:
    """Return whether there is time and memory for a question; if not, that is noted."""
    if limits.budget.over:
        limits.give_up(CALL_OVER)
        return False
    if not (usable(solver) and _collector.room(limits)):
        limits.give_up(_memory(limits))
        return False
    return True


def _check(solver: Any, assumptions: Sequence[Any], limits: Limits) -> Any:
    """Return the solver's answer; it may take so much memory, and no more."""
    # The limit holds for this alone: elsewhere the solver would not survive it.
    z3.Z3_global_param_set("memory_max_size", str(limits.megabytes))
    try:
        return solver.check(*assumptions)
    except z3.Z3Exception as error:
        if _broken(error, limits) is not None:
            _BROKEN[id(solver)] = solver
        raise
    finally:
        z3.Z3_global_param_set("memory_max_size", NO_LIMIT)


def ask(
    solver: Any,
    assumptions: Sequence[Any] = (),
    steps: int = RESOURCES,
    *,
    besides: Sequence[Any] = (),
    apart: bool = False,
) -> Any:
    """Return the answer of a solver; unknown, and noted, if it takes too much.

    Args:
        solver: with the facts.
        assumptions: further facts, for this question.
        steps: how much work it may be.
        besides: facts to put onto the solver's stack for this question; the caller takes them off.
        apart: try in a copy of the process first.
    """
    return ask_twice(solver, None, assumptions, steps, besides=besides, apart=apart)[0]


def ask_twice(
    solver: Any,
    another: Callable[[], Any] | None,
    assumptions: Sequence[Any] = (),
    steps: int = RESOURCES,
    *,
    besides: Sequence[Any] = (),
    apart: bool = False,
    before: Sequence[Callable[[], Any]] = (),
) -> tuple[Any, Any]:
    """Return the answer as :func:`ask` does, and the solver that has its model.

    What a solver was asked before, and what things are called, leads it to other paths, and on one
    of many it can lose its way in an easy question.  ``another`` makes a solver that works in
    another way: it gets the facts where the first one has worked too much, and as much work as an
    easy question needs.  Those of ``before`` begin elsewhere, and get them where a first attempt
    was not enough.
    """
    limits = current()
    start = time.monotonic()
    if not _may_ask(solver, limits):
        return z3.unknown, solver
    ASKED.number += 1
    allowed = limits.allowed

    def whole() -> Any:
        _put(solver, besides)
        return _at_length(solver, assumptions, steps, allowed, limits)

    def left() -> float:
        return allowed - (time.monotonic() - start)

    asked = solver
    try:
        copied = apart and hasattr(os, "fork")
        if copied and not _ends(whole, steps, limits):
            return z3.unknown, solver
        _put(solver, besides)
        answer, at_once = z3.unknown, not copied and allowed >= AT_ONCE
        little = at_once and steps <= AT_FIRST
        if at_once:
            answer, asked = _at_first(solver, before, assumptions, steps, left, limits)
        if answer == z3.unknown and not little:
            asked = solver
            answer = _at_length(solver, assumptions, steps, left(), limits)
        if answer == z3.unknown and another is not None and not copied and left() > 0:
            asked = another()
            answer = _anew(asked, [*solver.assertions(), *assumptions], steps, left(), limits)
    except z3.Z3Exception as error:
        if (why := _broken(error, limits)) is None:
            raise
        limits.give_up(why)
        return z3.unknown, solver
    if answer == z3.unknown and not little:
        _give_up_working(limits, steps, late=left() <= A_TICK)
    return answer, asked


def _put(solver: Any, besides: Sequence[Any]) -> None:
    """Put facts onto the solver's stack."""
    if besides:
        solver.push()
        logic.asserted(solver, besides)


def _at_first(
    solver: Any,
    others: Sequence[Callable[[], Any]],
    assumptions: Sequence[Any],
    steps: int,
    left: Callable[[], float],
    limits: Limits,
) -> tuple[Any, Any]:
    """Try with little work; if others begin elsewhere, with each of them until one has an end.

    Where they do, work says little about time.
    """
    if not others:
        return _check(solver, assumptions, limits), solver
    little, seconds = min(steps, A_LITTLE), min(A_MOMENT, left())
    answer, asked = _at_length(solver, assumptions, little, seconds, limits), solver
    solver.set("rlimit", min(steps, AT_FIRST))
    for other in others if steps > A_LITTLE else ():
        seconds = min(A_MOMENT, left())
        if answer == z3.unknown and seconds > 0:
            asked = other()
            facts = [*solver.assertions(), *assumptions]
            answer = _anew(asked, facts, A_LITTLE, seconds, limits)
    return answer, asked


def _at_length(
    solver: Any, assumptions: Sequence[Any], steps: int, seconds: float, limits: Limits
) -> Any:
    """Ask with all the work that is allowed, and leave the solver as it was."""
    solver.set("rlimit", steps)
    solver.set("timeout", max(1, int(seconds * 1000)))
    found = _check(solver, assumptions, limits)
    solver.set("timeout", FOREVER)
    solver.set("rlimit", min(steps, AT_FIRST))
    return found


def _anew(solver: Any, facts: Sequence[Any], steps: int, seconds: float, limits: Limits) -> Any:
    """Ask a new solver about the facts, with as much work as an easy question needs."""
    logic.asserted(solver, facts)
    solver.set(rlimit=min(steps, EASY), timeout=max(1, int(seconds * 1000)), ctrl_c=not _listens())
    return _check(solver, (), limits)


def _give_up_working(limits: Limits, steps: int, *, late: bool) -> None:
    """Note why there is no answer; an attempt of little work is one of several, and not noted."""
    if late and limits.budget.seconds is not None:
        limits.give_up("when much of the time of the whole call was over")
    elif late:
        limits.give_up(f"after {limits.allowed:g} s")
    elif steps >= RESOURCES:
        limits.give_up(f"after {steps:,} steps")


def _broken(error: z3.Z3Exception, limits: Limits) -> str | None:
    """Return why the solver broke off and cannot go on; None where that is not what happened."""
    if "out of memory" in str(error):
        return _memory(limits)
    # It may say so where memory runs out while it tidies up.
    return "by a fault of the solver" if "unreachable" in str(error) else None


def _memory(limits: Limits) -> str:
    return f"at {limits.megabytes} MB"


def _ends(question: Callable[[], Any], steps: int, limits: Limits) -> bool:
    """Return whether a question comes to an answer: tried in a copy of this process."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The copy asks its question and ends: it waits for no thread that it does not have.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _in_copy(question, limits, writing)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], limits.allowed)
        said = os.read(reading, 1) if ready else None
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    match said:
        case b"+":
            return True
        case b"":  # it could not even say so
            limits.give_up(_memory(limits))
        case _:
            _give_up_working(limits, steps, late=said is None)
    return False


def _in_copy(question: Callable[[], Any], limits: Limits, writing: int) -> NoReturn:
    """Ask, in the copy, report whether there is an answer, and end; at once without memory."""
    import resource

    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        most = used + VIRTUAL + limits.megabytes * MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        os.write(writing, b"?" if question() == z3.unknown else b"+")
    finally:
        os._exit(0)
