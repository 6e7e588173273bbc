"""How long until the first answer: the whole process, against importing what it needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from measure import Row, median

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "ambulances.toml"
BARE = "import sympy, z3"
COMMANDS = {
    BARE: ["-c", BARE],
    "import z3": ["-c", "import z3"],
    "dpcomp --help": ["-m", "dpcomp_sym", "--help"],
    "dpcomp derive": ["-m", "dpcomp_sym", "derive", str(EXAMPLE)],
}


def run(arguments: Sequence[str]) -> None:
    """Run Python to its end."""
    subprocess.run(
        [sys.executable, *arguments], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    for who, arguments in COMMANDS.items():
        seconds, _ = median(partial(run, arguments), 7)
        yield Row("start-up", who, "", seconds)
