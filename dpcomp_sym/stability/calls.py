"""Calls of code that somebody else wrote: whatever goes wrong there is one message.

What it prints goes to standard error, so that standard output holds the answer and nothing else;
what does not end is stopped.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from dpcomp_sym.errors import InputError

__all__ = ["SECONDS", "as_python_shows", "call", "printing_aside", "shown"]

SECONDS: Final = 60.0
"""How long one call may take."""
AGAIN: Final = 1.0
"""Seconds after which code that caught the interruption is interrupted again."""


class _TooLongError(BaseException):
    """A call does not end; no ``except Exception`` of its code may catch that."""


def call(what: Callable[[], str], function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of somebody else, and return what it returns.

    Args:
        what: a description of the call, for the message.
        function: what is called.
        arguments: with what.

    Raises:
        InputError: it fails, exits, or takes longer than ``SECONDS``.

    >>> call(lambda: "the function fails on []", lambda rows: rows[0], [])
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: the function fails on []: IndexError: list index out of range
    """
    try:
        with contextlib.redirect_stdout(sys.stderr), _stopped(SECONDS):
            return function(*arguments)
    except InputError as error:
        raise InputError(f"{what()}: {error}", word=error.word) from error
    except KeyboardInterrupt:
        raise
    except _TooLongError:
        raise InputError(f"{what()}: it does not end within {SECONDS:g} s") from None
    except BaseException as error:  # sys.exit, too, and whatever else a library may raise
        raise InputError(f"{what()}: {as_python_shows(error)}") from error


def shown(value: Any) -> str:
    """Return a value as text, also where its own text cannot be made.

    >>> shown(["a"])
    "['a']"
    """
    try:
        return repr(value)
    except Exception:  # noqa: BLE001  anything can go wrong in somebody else's text
        return "<an object whose text cannot be made>"


def as_python_shows(error: BaseException) -> str:
    """Return an error of somebody else's code as the last lines of a traceback show it.

    >>> as_python_shows(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    return "".join(traceback.format_exception_only(error)).strip()


@contextlib.contextmanager
def _stopped(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer; a time limit that was set before still holds.

    Only the main thread can be interrupted: elsewhere nothing is done.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    start = time.monotonic()
    left, interval = signal.getitimer(signal.ITIMER_REAL)
    if 0 < left <= seconds:
        yield
        return
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            rest = max(left - (time.monotonic() - start), AGAIN / 1000)
            signal.setitimer(signal.ITIMER_REAL, rest, interval)


def _too_long(_number: int, _frame: Any) -> NoReturn:
    raise _TooLongError


@contextlib.contextmanager
def printing_aside() -> Iterator[None]:
    """Send what is printed to standard error while this lasts, that of other programs included."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # one of the two is closed
        kept = None
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)
