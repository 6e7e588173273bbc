"""How much time and memory one question to a solver may take, and which ones took more.

>>> with limited(seconds=2) as limits:
...     limits.give_up("after 2 s")
...     limits.text
'1 question to the solver was given up (after 2 s)'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

__all__ = ["MEGABYTES", "SECONDS", "Limits", "current", "exhausted", "limited"]

SECONDS: Final = 60.0
MEGABYTES: Final = 4096
PATIENCE: Final = ((2, 1), (8, 10), (None, 100))
"""The first two questions get all of their time, the next six a tenth, the others a hundredth."""
LEAST: Final = 0.2
"""No question gets fewer seconds than these, unless it was to: an easy one after hard ones needs
some, where the machine has other things to do."""


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

    @property
    def allowed(self) -> float:
        """How many seconds the next question may take: few, where many have been given up."""
        number = len(self.reached)
        part = next(part for most, part in PATIENCE if most is None or number < most)
        return max(self.seconds / part, min(self.seconds, LEAST))

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


_CURRENT: ContextVar[Limits | None] = ContextVar("limits", default=None)


def current() -> Limits:
    """Return the limits that hold now."""
    return _CURRENT.get() or Limits()


@contextmanager
def limited(seconds: float | None = None, megabytes: int | None = None) -> Iterator[Limits]:
    """Limit what a question may take, while this lasts; what is not given stays as it was.

    Args:
        seconds: of time for each question.
        megabytes: of memory for the solver.
    """
    outer = current()
    inner = Limits(
        outer.seconds if seconds is None else seconds,
        outer.megabytes if megabytes is None else megabytes,
    )
    token = _CURRENT.set(inner)
    try:
        yield inner
    finally:
        _CURRENT.reset(token)
        outer.reached += inner.reached


def exhausted(error: BaseException) -> bool:
    """Return whether an error says that there is no more memory, Python's or the solver's.

    >>> exhausted(MemoryError()), exhausted(ValueError())
    (True, False)
    """
    solver = type(error).__name__ == "Z3Exception" and "out of memory" in str(error)
    return solver or isinstance(error, MemoryError)
