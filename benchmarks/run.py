"""Print the benchmark table: ``python benchmarks/run.py [--json F] [--plots FOLDER] [TOPIC …]``.

All numbers of a table come from one run on one machine.  Times are medians; a rival that takes
longer than the limit has given up at that size and is not asked larger ones.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import LIMIT, Row
from rich.console import Console
from rich.table import Table

TOPICS = ("deciding", "composing", "optimum", "startup")
US = "dpcomp-sym"


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
        for who in dict.fromkeys(row.who for row in of_topic):
            finished = [r for r in of_topic if r.who == who and r.seconds is not None]
            gave_up = [r for r in of_topic if r.who == who and r.seconds is None]
            for row in finished[-1:]:
                same = [r for r in own if r.size == row.size] or own[-1:]
                ratio = (
                    row.seconds / same[0].seconds
                    if same and row.seconds and same[0].seconds
                    else None
                )
                table.add_row(
                    who, row.size, shown(row.seconds), f"{ratio:,.3g}" if ratio else "", row.answer
                )
            for row in gave_up:
                table.add_row(who, row.size, "-", "", row.answer)
        yield table


def shown(seconds: float | None) -> str:
    """Return a time in a readable unit."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:,.2f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def plotted(rows: Sequence[Row], folder: Path) -> None:
    """Draw cost against size, one picture a topic."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    for topic in dict.fromkeys(row.topic for row in rows):
        of_topic = [row for row in rows if row.topic == topic and row.seconds is not None]
        sizes = list(dict.fromkeys(r.size for r in of_topic if r.size != "unbounded"))
        if len(sizes) < 3:
            continue
        figure, axes = plt.subplots(figsize=(7, 4))
        for who in dict.fromkeys(row.who for row in of_topic):
            mine = {row.size: row.seconds for row in of_topic if row.who == who}
            if set(mine) == {"unbounded"}:
                mine = dict.fromkeys(sizes, mine["unbounded"])
            known = [s for s in sizes if s in mine]
            axes.plot(known, [mine[s] for s in known], marker="o", label=who)
        axes.set_yscale("log")
        axes.set_ylabel("seconds")
        axes.set_title(topic)
        axes.tick_params(axis="x", rotation=20)
        axes.legend()
        figure.tight_layout()
        figure.savefig(
            folder / f"{topic.replace(': ', '-').replace(', ', '-').replace(' ', '-')}.svg"
        )
        plt.close(figure)


def main() -> int:
    """Measure, print, and save what was asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS))
    options.add_argument("--json", type=Path, metavar="F")
    options.add_argument("--plots", type=Path, metavar="FOLDER")
    chosen = options.parse_args()
    unknown = set(chosen.topics) - set(TOPICS)
    if unknown:
        options.error(f"no topic {', '.join(sorted(unknown))}: one of {', '.join(TOPICS)}")
    rows: list[Row] = []
    for topic in chosen.topics or TOPICS:
        for row in importlib.import_module(topic).rows():
            print(f"{row.topic}  {row.who}  {row.size}  {shown(row.seconds)}", file=sys.stderr)
            rows.append(row)
    console = Console(width=110)
    console.print(f"Python {platform.python_version()} on {platform.machine()}; a run is stopped "
                  f"after {LIMIT:.0f} s.")  # fmt: skip
    for table in tabled(rows):
        console.print(table)
    if chosen.json:
        data = [dataclasses.asdict(row) for row in rows]
        chosen.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if chosen.plots:
        plotted(rows, chosen.plots)
    return 0


if __name__ == "__main__":
    sys.exit(main())
