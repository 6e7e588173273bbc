"""The large tables: the whole theorem library, and the atlas, anew."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from measure import Row, clock
from startup import run

COMMANDS = {
    "dpcomp theorems verify": ["theorems", "verify", "--jobs", "2"],
    "dpcomp atlas": ["atlas", "--jobs", "2"],
}


def rows() -> Iterator[Row]:
    """Yield half the processor time of both processes that share the work.

    So long it takes on two cores which do nothing else.
    """
    for who, arguments in COMMANDS.items():
        with tempfile.TemporaryDirectory() as folder:
            fresh = ["--cache", f"{folder}/cells"] if "atlas" in arguments else []
            start = clock()
            run(["-m", "dpcomp_sym", *arguments, *fresh])
            yield Row("all of it, on two cores", who, "", (clock() - start) / 2)
