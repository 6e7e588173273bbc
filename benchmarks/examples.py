"""Every example: its bound, the check of its certificate, and how its granularities compare."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from measure import PATIENCE, Row, clock
from startup import compiling_once

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.toml"))
DONE = (0, 1, 3)
"""Exit statuses of an answer; with another one there was nothing to be asked."""


def rows() -> Iterator[Row]:
    """Yield the processor time of whole calls, with start-up; a random setting has no metrics."""
    with tempfile.TemporaryDirectory() as folder:
        environment = compiling_once(folder)
        certificate = str(Path(folder, "certificate.json"))
        for spec in EXAMPLES:
            here = str(spec)
            for command, arguments in {
                "derive": ["derive", here],
                "certificate": ["derive", here, "--certificate", certificate],
                "verify": ["verify", certificate],
                "relate": ["relate", here],
            }.items():
                if command == "verify" and not Path(certificate).exists():
                    continue
                start = clock()
                status = run(arguments, environment)
                if status is None or status in DONE:
                    seconds = None if status is None else clock() - start
                    yield Row(f"examples: {command}", f"dpcomp {command}", spec.stem, seconds)
            Path(certificate).unlink(missing_ok=True)


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int | None:
    """Return the exit status of a command; None if it was stopped, since it took too long."""
    try:
        return subprocess.run(
            [sys.executable, "-m", "dpcomp_sym", *arguments], check=False, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE,
        ).returncode  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
