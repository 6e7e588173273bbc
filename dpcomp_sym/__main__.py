"""``python -m dpcomp_sym`` is the program ``dpcomp``."""

from __future__ import annotations

import os
import sys
from typing import Final

__all__ = ["run"]

INTERRUPTED: Final = 130


def run() -> None:
    """Start the program; an interruption while it is still being loaded is one, too."""
    try:
        # A stream that was closed outside is no stream at all: nothing can be read or written.
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        from dpcomp_sym.cli import main

        main()
    except KeyboardInterrupt:
        os.write(2, b"interrupted\n")
        # Nothing has begun, so nothing is to be tidied up; a second interruption must not show.
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
