"""The page of the documentation about a run that was saved: targets, curves, all numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from curves import drawn
from run import largest, saved, shown
from targets import targets

DOCS = Path(__file__).resolve().parent.parent / "docs"
SAVED = DOCS / "benchmarks.json"
"""The run that the documentation shows."""
MISSED = Path(__file__).resolve().parent / "missed.md"
"""Why the targets that are missed are."""

HEAD = """\
`make bench` prints these tables for your machine, and installs the rivals. All numbers here come
from one run, saved by `make bench BENCH_ARGS="--json docs/benchmarks.json TOPIC …"`; they are
medians of repeated runs, in seconds of processor time. No test depends on a time."""
CURVES = """\
What is decided for all sizes at once is drawn at every size at which a rival was asked. A line ends
where somebody gave up, or where nobody was asked further."""


def page(folder: Path) -> Iterator[str]:
    """Draw the pictures into a folder; yield the blocks of the page beside them."""
    about, rows = saved(SAVED)
    yield "# Benchmarks"
    yield HEAD
    yield f"*The run*: {about}."
    yield "## Targets"
    yield table(
        ("target", "", "measured"),
        [(t.aim, "met" if t.met else "**missed**", t.measured) for t in targets(rows)],
    )
    yield MISSED.read_text(encoding="utf-8").rstrip()
    yield "## Cost against size"
    yield CURVES
    for kind, name in drawn(rows, folder):
        yield f"### {kind.capitalize()}"
        yield f"![Seconds against size: {kind}]({name})"
    yield "## All measurements"
    yield "Everybody at the largest size that they finish."
    for topic in dict.fromkeys(row.topic for row in rows):
        yield f"### {topic.capitalize()}"
        yield table(
            ("who", "size", "median", "answer"),
            [
                (row.who, row.size, shown(row.seconds), row.answer)
                for row in largest([r for r in rows if r.topic == topic])
            ],
        )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )
