"""How long until the first answer: the whole process, against importing what it needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import Row, median

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "ambulances.toml"
COMMANDS = {
    "import sympy, z3": ["-c", "import sympy, z3"],
    "import z3": ["-c", "import z3"],
    "dpcomp --help": ["-m", "dpcomp_sym", "--help"],
    "dpcomp derive": ["-m", "dpcomp_sym", "derive", str(EXAMPLE)],
}


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    for who, arguments in COMMANDS.items():
        run = partial(
            subprocess.run, [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL
        )
        seconds, _ = median(run, 7)
        yield Row("start-up", who, "", seconds)
