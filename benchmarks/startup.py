"""How long until the first answer: the whole process, against bare imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from measure import Row, in_turn

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "ambulances.toml"
BARE = "import sympy, z3"
COMMANDS = {
    BARE: ["-c", BARE],
    "import z3": ["-c", "import z3"],
    "dpcomp --help": ["-m", "dpcomp_sym", "--help"],
    "dpcomp derive": ["-m", "dpcomp_sym", "derive", str(EXAMPLE)],
}


def run(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Run Python to its end."""
    subprocess.run(
        [sys.executable, *arguments], check=True, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def compiling_once(folder: str) -> dict[str, str]:
    """Return an environment in which Python keeps what it compiles.

    Installed packages are compiled, sources in a working copy may not be (where Python is told
    not to write): here nobody's modules are compiled at every start.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder}


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    with tempfile.TemporaryDirectory() as folder:
        environment = compiling_once(folder)
        runs = {who: partial(run, asked, environment) for who, asked in COMMANDS.items()}
        for one in runs.values():
            one()
        for who, seconds in in_turn(runs, 15).items():
            yield Row("start-up", who, "", seconds)
