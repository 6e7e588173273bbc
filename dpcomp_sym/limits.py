"""How much time and memory one question to a solver may take, and which ones took more.

Besides, how much time a whole call may take.  When most of it is gone no question is asked any
more, so that what is known can still be put together; when that takes long, too, it is interrupted.

>>> with limited(seconds=2) as limits:
...     limits.give_up("after 2 s")
...     limits.text
'1 question to the solver was given up (after 2 s)'
"""

from __future__ import annotations

import gc
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

__all__ = [
    "MEGABYTES", "SECONDS", "Budget", "Handler", "Interruption", "Limits", "current", "exhausted",
    "in_full", "in_time", "interruption", "limited", "uninterrupted", "without_collection",
]  # fmt: skip

T = TypeVar("T")

SECONDS: Final = 60.0
MEGABYTES: Final = 4096
PATIENCE: Final = ((2, 1), (8, 10), (None, 100))
"""The first two questions get all of their time, the next six a tenth, the others a hundredth."""
LEAST: Final = 0.2
"""No question gets fewer seconds than these, unless it was to: an easy one after hard ones needs
some, where the machine has other things to do."""


ASKING: Final = 0.7
"""The share of a call's time in which questions are asked."""
LOOKING: Final = 0.85
"""The share of it after which only what is known is put together."""
AFTERWARDS: Final = 2.0
"""How many seconds an interruption may take."""


@dataclass
class Budget:
    """The time of a whole call, in seconds; None means no limit.

    >>> Budget().over, Budget(0).over, Budget(60).over
    (False, True, False)
    """

    seconds: float | None = None
    start: float = field(default_factory=time.monotonic)
    stopped: bool = False
    """Whether somebody has asked to stop."""

    @property
    def over(self) -> bool:
        """Whether no further question may be asked."""
        return self.stopped or self.left(ASKING) <= 0

    def left(self, part: float = 1) -> float:
        """Return how many seconds are left of a part of the time."""
        if self.seconds is None:
            return float("inf")
        return self.start + part * self.seconds - time.monotonic()

    @property
    def why(self) -> str:
        """What ended it, in words."""
        return "it was interrupted" if self.stopped else f"its {self.seconds:g} s were over"


@dataclass
class Limits:
    """What one question may take, in seconds and megabytes (of 2²⁰ bytes), and what was given up.

    Work is limited besides, in the solver's own measure, so that most answers do not depend on how
    fast the machine is.
    """

    seconds: float = SECONDS
    megabytes: int = MEGABYTES
    reached: list[str] = field(default_factory=list)
    """Of each question that was given up, why."""
    budget: Budget = field(default_factory=Budget)
    """The time of the whole call that the questions belong to."""

    @property
    def allowed(self) -> float:
        """How many seconds the next question may take: few, where many have been given up.

        No question takes more than half of the time that a call has left for questions.
        """
        number = len(self.reached)
        part = next(part for most, part in PATIENCE if most is None or number < most)
        allowed = max(self.seconds / part, min(self.seconds, LEAST))
        return max(0.0, min(allowed, self.budget.left(ASKING) / 2))

    def give_up(self, why: str) -> None:
        """Note that a question was given up."""
        self.reached.append(why)

    @property
    def text(self) -> str:
        """What was given up, in words; nothing if every question was answered."""
        if not self.reached:
            return ""
        number = len(self.reached)
        were = "question to the solver was" if number == 1 else "questions to the solver were"
        return f"{number} {were} given up ({', '.join(Counter(self.reached))})"


@dataclass
class QuestionCount:
    """How many questions this process has put to a solver: progress is counted in them."""

    number: int = 0


ASKED: Final = QuestionCount()

_CURRENT: ContextVar[Limits | None] = ContextVar("limits", default=None)


def current() -> Limits:
    """Return the limits that hold now."""
    return _CURRENT.get() or Limits()


@contextmanager
def limited(
    seconds: float | None = None, megabytes: int | None = None, total: float | None = None
) -> Iterator[Limits]:
    """Limit what a question may take, while this lasts; what is not given stays as it was.

    Args:
        seconds: of time for each question.
        megabytes: of memory for the solver.
        total: seconds for all that is done while this lasts.
    """
    outer = current()
    inner = Limits(
        outer.seconds if seconds is None else seconds,
        outer.megabytes if megabytes is None else megabytes,
        budget=outer.budget if total is None else Budget(total),
    )
    token = _CURRENT.set(inner)
    try:
        yield inner
    finally:
        _CURRENT.reset(token)
        outer.reached += inner.reached


def in_full() -> bool:
    """Return whether no question was given up, for lack of time or memory, nor can have been.

    >>> with limited(seconds=2) as limits:
    ...     limits.give_up("after 2 s")
    ...     in_full()
    False
    """
    limits = current()
    return not limits.reached and limits.budget.seconds is None and not limits.budget.stopped


class Handler(Protocol):
    """What a program does with Ctrl-C and with alarms: it raises a KeyboardInterrupt, at any time.

    ``asked``: something was interrupted, though it may have become another error on its way;
    ``alarmed``: by an alarm.
    """

    asked: bool
    alarmed: bool


@dataclass
class Interruption:
    """How the running program is interrupted; in other people's programs nothing is caught."""

    handler: Handler | None = None

    @property
    def alarmed(self) -> bool:
        """Whether an alarm interrupts what runs now, since the time of the call is over."""
        return self.handler is not None and self.handler.asked and self.handler.alarmed

    def alarm(self, seconds: float) -> None:
        """Have an alarm after some time; never, if that is infinite."""
        if self.handler is not None:
            known = seconds != float("inf")
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001) if known else 0)


interruption: Final = Interruption()


def uninterrupted(find: Callable[[], T], seconds: float) -> T | None:
    """Return what is found in some time; None if there is none, or an alarm or Ctrl-C came first.

    Without the program's own handlers there is no alarm, and an interruption goes on.

    >>> uninterrupted(lambda: 5, 60)
    5
    """
    handler = interruption.handler
    if handler is None:
        return find()
    if seconds <= 0:
        interruption.alarm(float("inf"))
        return None
    handler.asked = handler.alarmed = False
    found = None
    try:
        interruption.alarm(seconds)
        found = find()
        interruption.alarm(float("inf"))
    except KeyboardInterrupt:
        pass
    except Exception:
        if not handler.asked:
            raise
    if handler.asked and not handler.alarmed:
        current().budget.stopped = True
    handler.asked = False
    return found


def in_time(find: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """Return what is found while a call has time, or what stands in its place, with the reason.

    >>> in_time(lambda: 5, len)
    5
    """
    budget = current().budget
    left = budget.left(LOOKING)
    found = None if budget.stopped or left <= 0 else uninterrupted(find, left)
    if found is not None:
        return found
    return otherwise(f"the call did not come to its end, since {budget.why}")


def exhausted(error: BaseException) -> bool:
    """Return whether an error says that there is no more memory, Python's or the solver's.

    >>> exhausted(MemoryError()), exhausted(ValueError())
    (True, False)
    """
    if isinstance(error, MemoryError):
        return True
    solver = sys.modules.get("z3")  # what was not loaded raised nothing, and is not loaded for this
    return (
        solver is not None
        and isinstance(error, solver.Z3Exception)
        and "out of memory" in str(error)
    )


@contextmanager
def without_collection() -> Iterator[None]:
    """Switch Python's garbage collector off for a while."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
