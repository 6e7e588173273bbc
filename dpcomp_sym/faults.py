"""Faults inside the program: one message, and an exit status of its own.

The work is done in a child process, so that there is a message, too, where the solver takes the
whole process with it: by a segmentation fault, or for lack of memory.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from typing import Final

__all__ = ["FAULT", "end_with", "ended", "explained", "supervised"]

FAULT: Final = 70
"""The exit status: no verdict, and not the user's mistake."""
TRACEBACK: Final = "DPCOMP_TRACEBACK"
"""The environment variable that asks for a traceback."""
DEADLY: Final = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGKILL", "SIGSYS")
"""The signals that end a process because of what it does, not because it was asked to end."""
PASSED_ON: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
PARENT_DIED: Final = 1
"""The number of the Linux option that requests a signal when the parent ends."""
PLACES: Final = 3


def explained(error: BaseException) -> str:
    """Return the message about an unforeseen error.

    >>> print(explained(KeyError("i")).splitlines()[0])
    fault: something went wrong inside dpcomp (KeyError: 'i'); this is not a verdict
    """
    if os.environ.get(TRACEBACK):
        return "".join(traceback.format_exception(error)) + _said(_named(error))
    frames = traceback.extract_tb(error.__traceback__)[-PLACES:]
    places = ", ".join(f"{f.filename.rpartition(os.sep)[2]}:{f.lineno}" for f in frames)
    return _said(_named(error) + (f" at {places}" if places else ""))


def _named(error: BaseException) -> str:
    """Return an error as Python shows it, in one line."""
    text = " ".join("".join(traceback.format_exception_only(error)).split())
    short = text if len(text) <= 200 else text[:200] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


def _said(what: str) -> str:
    import platform

    return (
        f"fault: something went wrong inside dpcomp ({what}); this is not a verdict\n"
        "The spec is not to blame. Please report it to the maintainers, with the spec, the command "
        "and these lines;\n"
        f"{TRACEBACK}=1 in the environment adds a traceback. Python {platform.python_version()}, "
        f"{platform.system()}.\n"
    )


# ------------------------------------------------------------------ the process that waits


def supervised() -> None:
    """Go on in a child process, and wait for it; return in the child alone.

    Signals that are sent to this process reach the child, and whatever ends the child ends this
    process alike, except that a deadly signal becomes a message.  Where processes cannot be
    copied, or signals not waited for, go on as before.
    """
    if not (hasattr(os, "fork") and hasattr(signal, "sigwaitinfo")):
        return
    waited = {signal.Signals[name] for name in PASSED_ON} | {signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waited)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with(parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    _leave_like(_outcome(child, waited))


def _outcome(child: int, waited: set[signal.Signals]) -> int:
    """Pass on signals until the child ends; return how it did."""
    while True:
        info = signal.sigwaitinfo(waited)
        if info.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
        elif info.si_code <= 0:  # somebody sent it; what a terminal sends reaches the child as well
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, info.si_signo)


def _leave_like(status: int) -> None:
    """End as the child did."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    if signal.Signals(-code).name in DEADLY:
        os.write(2, ended(code).encode())
        os._exit(FAULT)
    signal.signal(-code, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


def ended(code: int | None) -> str:
    """Return the message about a process that ended before it gave its answer.

    Args:
        code: its exit status, or minus the number of the signal that ended it.

    >>> ended(-signal.SIGSEGV).splitlines()[0].partition("(")[2]
    'the process was ended by SIGSEGV); this is not a verdict'
    """
    if code is None or code >= 0:
        return _said(f"the process ended with status {code}")
    name = signal.Signals(-code).name
    about = "; perhaps it needed too much memory" if name == "SIGKILL" else ""
    return _said(f"the process was ended by {name}{about}")


def end_with(parent: int) -> None:
    """Have this process ended when the one that waits for it is killed."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(PARENT_DIED, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(FAULT)
