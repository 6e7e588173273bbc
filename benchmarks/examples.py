"""Every example: its bound, the check of its certificate, and how its granularities compare."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import PATIENCE, Row
from startup import compiling_once

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.toml"))
DONE = (0, 1, 3)
"""Exit statuses of an answer; with another one there was nothing to be asked."""


def rows() -> Iterator[Row]:
    """Yield the processor time of whole calls, with start-up; a random setting has no metrics.

    There are as many at a time as there are processors; each call's own time is counted.
    """
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        environment = compiling_once(folder)
        list(of_example(EXAMPLES[0], folder, environment))  # from here on all is compiled
        for found in pool.map(lambda spec: list(of_example(spec, folder, environment)), EXAMPLES):
            yield from found


def of_example(spec: Path, folder: str, environment: Mapping[str, str]) -> Iterator[Row]:
    """Yield the times of all calls about one example."""
    here, certificate = str(spec), Path(folder, f"{spec.stem}.json")
    for command, arguments in {
        "derive": ["derive", here],
        "certificate": ["derive", here, "--certificate", str(certificate)],
        "verify": ["verify", str(certificate)],
        "relate": ["relate", here],
    }.items():
        if command == "verify" and not certificate.exists():
            continue
        status, seconds = run(arguments, environment)
        if status is None or status in DONE:
            time = None if status is None else seconds
            yield Row(f"examples: {command}", f"dpcomp {command}", spec.stem, time)


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[int | None, float]:
    """Return the exit status of a command, None if it took too long, and its processor time."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dpcomp_sym", *arguments], env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    stopping = threading.Timer(PATIENCE, process.kill)
    stopping.start()
    _, status, used = os.wait4(process.pid, 0)
    stopping.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    stopped = process.returncode < 0
    return None if stopped else process.returncode, used.ru_utime + used.ru_stime
