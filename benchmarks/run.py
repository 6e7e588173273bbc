"""Print the benchmark table: ``python benchmarks/run.py [--json F] [--plots FOLDER] [TOPIC …]``.

All numbers of a table come from one run on one machine: medians of processor time.  A rival that
takes longer than the limit has given up at that size and is not asked larger ones.  What was aimed
at closes the table.  ``--from F`` shows a run that was saved with ``--json F``.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from curves import drawn
from measure import LIMIT, Row
from rich.console import Console
from rich.table import Table
from targets import US, targets

os.environ["DPCOMP_KEPT"] = "off"  # what is measured is not what was found before
TOPICS = (
    "deciding",
    "solving",
    "composing",
    "finite",
    "optimum",
    "startup",
    "examples",
    "large",
    "growth",
)
PACKAGES = (
    "z3-solver", "networkx", "sympy", "scipy", "clingo", "python-sat", "opendp", "dp-accounting",
    "prv-accountant", "autodp",
)  # fmt: skip


def tabled(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield a table for each topic, with each rival at the largest size that it finishes."""
    for topic in dict.fromkeys(row.topic for row in rows):
        of_topic = [row for row in rows if row.topic == topic]
        table = Table(title=topic, title_justify="left", title_style="bold")
        for column in ("who", "size", "median", "times ours", "answer"):
            table.add_column(
                column, justify="right" if column in {"median", "times ours"} else "left"
            )
        own = [row for row in of_topic if row.who == US and row.seconds is not None]
        for row in largest(of_topic):
            same = [r for r in own if r.size == row.size] or own[-1:]
            ratio = row.seconds / same[0].seconds if row.seconds and same else None
            table.add_row(
                row.who, row.size, shown(row.seconds), f"{ratio:,.3g}" if ratio else "", row.answer
            )
        yield table


def largest(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield for everybody the largest size that they finish, and the first that they do not."""
    for who in dict.fromkeys(row.who for row in rows):
        own = [row for row in rows if row.who == who]
        yield from [row for row in own if row.seconds is not None][-1:]
        yield from [row for row in own if row.seconds is None]


def shown(seconds: float | None) -> str:
    """Return a time in a readable unit."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:,.2f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def described() -> str:
    """Say what the numbers of a run depend on: Python, the machine's kind, the packages."""
    found = [f"Python {platform.python_version()}", f"{platform.machine()}, {os.cpu_count()} cores"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return "; ".join(found) + f"; a run is stopped after {LIMIT:.0f} s of processor time"


def aims(rows: Sequence[Row]) -> Table:
    """Return what was aimed at as a table."""
    table = Table(title="targets", title_justify="left", title_style="bold")
    for column in ("target", "", "measured"):
        table.add_column(column)
    for target in targets(rows):
        table.add_row(target.aim, "met" if target.met else "missed", target.measured)
    return table


def saved(file: Path) -> tuple[str, list[Row]]:
    """Return the description and the rows of a run that was saved."""
    data = json.loads(file.read_text(encoding="utf-8"))
    return data["run"], [Row(**row) for row in data["rows"]]


def main() -> int:
    """Measure, print, and save what was asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS))
    options.add_argument("--json", type=Path, metavar="F")
    options.add_argument("--plots", type=Path, metavar="FOLDER")
    options.add_argument("--from", type=Path, metavar="F", dest="earlier")
    chosen = options.parse_args()
    unknown = set(chosen.topics) - set(TOPICS)
    if unknown:
        options.error(f"no topic {', '.join(sorted(unknown))}: one of {', '.join(TOPICS)}")
    about, rows = saved(chosen.earlier) if chosen.earlier else (described(), [])
    for topic in () if chosen.earlier else chosen.topics or TOPICS:
        for row in importlib.import_module(topic).rows():
            print(f"{row.topic}  {row.who}  {row.size}  {shown(row.seconds)}", file=sys.stderr)
            rows.append(row)
    console = Console(width=110)
    console.print(about)
    for table in tabled(rows):
        console.print(table)
    console.print(aims(rows))
    if chosen.json:
        data = {"run": about, "rows": [dataclasses.asdict(row) for row in rows]}
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        chosen.json.write_text(text, encoding="utf-8")
    if chosen.plots:
        list(drawn(rows, chosen.plots))
    return 0


if __name__ == "__main__":
    sys.exit(main())
