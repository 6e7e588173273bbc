"""How many branches of each package the tests take; run after them by ``make coverage``.

The exit status is 1 if a package is below the least share.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

import coverage

LEAST: Final = 0.95


def by_package(files: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return how many branches of each package are taken, and how many there are.

    >>> part = {"summary": {"covered_branches": 3, "num_branches": 4}}
    >>> by_package({"dpcomp_sym/spec/load.py": part, "dpcomp_sym/spec/new.py": part})
    {'spec': (6, 8)}
    """
    found: dict[str, tuple[int, int]] = {}
    for name, measured in sorted(files.items()):
        package, summary = PurePath(name).parent.name, measured["summary"]
        taken, there_are = found.get(package, (0, 0))
        found[package] = (
            taken + summary["covered_branches"], there_are + summary["num_branches"],
        )  # fmt: skip
    return found


def main() -> int:
    """Print the share of each package; return the exit status."""
    report = io.StringIO()
    with contextlib.redirect_stdout(report):
        measured = coverage.Coverage()
        measured.load()
        measured.json_report(outfile="-")
    low = False
    for package, (taken, there_are) in by_package(json.loads(report.getvalue())["files"]).items():
        below = taken < LEAST * there_are
        low = low or below
        said = f", below {LEAST:.0%}" if below else ""
        sys.stdout.write(
            f"{package:12}{taken:5} of {there_are:4} branches: {taken / there_are:.1%}{said}\n"
        )
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
