"""``python -m dpcomp_sym`` is the program ``dpcomp``."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType
from typing import Final

from dpcomp_sym.faults import FAULT, explained, supervised

__all__ = ["run"]

INTERRUPTED: Final = 130
SOON: Final = 0.01
"""Seconds."""


class _Interruption:
    """Ctrl-C at any time, also inside what the solver's bindings do with exceptions.

    What a finaliser raises is lost, and printed: there the interruption waits.  What is raised
    while an argument is converted becomes another error: that one is an interruption as well.
    """

    def __init__(self) -> None:
        self.asked = False
        self.alarmed = False
        """Whether it was an alarm, and not Ctrl-C."""
        self.installed = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.installed:
            signal.signal(signal.SIGINT, self.stop)
            signal.signal(signal.SIGALRM, self.stop)
            sys.unraisablehook = self.unraisable

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Interrupt what runs, now or soon."""
        if not self.asked:
            self.alarmed = number == signal.SIGALRM
        self.asked = True
        while frame is not None:
            if frame.f_code.co_name == "__del__":
                signal.setitimer(signal.ITIMER_REAL, SOON)
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    @staticmethod
    def too_late() -> None:
        """Ignore what comes from now on: Python, when it ends, would let a late timer kill it."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number in (signal.SIGINT, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        # An interruption inside a string that was run (dataclasses do) is noted by Python, which
        # dies of it in the end, also when it was caught: until another string is run.
        exec("")  # noqa: S102

    def unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        """Say nothing of objects that an interruption left half made."""
        if not self.asked:
            sys.__unraisablehook__(lost)


def run() -> None:
    """Start the program; an interruption while it is still being loaded is one, too."""
    supervised()
    interruption = _Interruption()
    gc.disable()  # what is loaded stays, and commands collect nothing either (see cli)
    try:
        # A stream that was closed outside is not a stream at all: nothing can be read or written.
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        from dpcomp_sym.cli import main
        from dpcomp_sym.limits import interruption as known

        known.handler = interruption if interruption.installed else None
        try:
            main()
        finally:
            interruption.too_late()
            gc.freeze()  # all of it goes with the process; Python need not look for cycles in it
    except KeyboardInterrupt:
        _leave()
    except Exception as error:  # noqa: BLE001 - nothing that goes wrong may read as a verdict
        if interruption.asked:
            _leave()
        sys.stderr.write(explained(error))
        sys.stderr.flush()
        os._exit(FAULT)


def _leave() -> None:
    """Leave at once: another interruption must not show."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
