"""Cost against size, drawn: one picture for each kind of question, one panel for each setting."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import Row

UNBOUNDED = "unbounded"
WIDE = 4
"""So many panels stand side by side."""
MARKS = 10
"""So many numbers are legible below one."""
LABELS = {"|X|": "records in X", "k": "parts k", "databases": "databases"}


def drawn(rows: Sequence[Row], folder: Path) -> Iterator[tuple[str, str]]:
    """Draw what has at least three sizes; yield kinds of questions with the names of files."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "dpcomp-sym"  # the same file from the same rows
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    finished = [row for row in rows if row.seconds is not None]
    for kind in dict.fromkeys(row.topic.partition(": ")[0] for row in finished):
        topics = [
            topic
            for topic in dict.fromkeys(row.topic for row in finished)
            if topic.partition(": ")[0] == kind and len(sizes(finished, topic)) >= 3
        ]
        if not topics:
            continue
        wide = min(len(topics), WIDE)
        high = math.ceil(len(topics) / wide)
        figure, panels = plt.subplots(
            high, wide, figsize=(3.2 * wide + 1.6, 3.6 * high), sharey=True, squeeze=False
        )
        for panel in panels.flat[len(topics) :]:
            panel.remove()
        for panel, topic in zip(panels.flat, topics, strict=False):
            known = sizes(finished, topic)
            for who in dict.fromkeys(row.who for row in finished if row.topic == topic):
                points = [
                    (at, row.seconds)
                    for row in finished
                    if (row.topic, row.who) == (topic, who)
                    for at in (known if row.size.startswith(UNBOUNDED) else [number(row.size)])
                    if at is not None
                ]
                if points:
                    panel.plot(*zip(*points, strict=True), marker="o", markersize=3, label=who)
            panel.set(xscale="log", yscale="log", title=topic.partition(": ")[2] or topic)
            marked = known[:: math.ceil(len(known) / MARKS)]
            panel.set_xticks(marked, [f"{n:,}" for n in marked], fontsize="small", rotation=30)
            panel.minorticks_off()
            panel.set_xlabel(unit(finished, topic))
            panel.grid(alpha=0.3)
            panel.legend(fontsize="small")
        for panel in panels[:, 0]:
            panel.set_ylabel("seconds")
        figure.tight_layout()
        name = re.sub("[^a-z]+", "-", kind.lower()).strip("-") + ".svg"
        figure.savefig(folder / name, metadata={"Date": None})
        plt.close(figure)
        yield kind, name


def number(size: str) -> int | None:
    """Return the number that a size begins with.

    >>> number("|X| = 4, k = 2"), number("512 databases"), number("unbounded")
    (4, 512, None)
    """
    found = re.search(r"\d+", size)
    return int(found[0]) if found else None


def sizes(rows: Sequence[Row], topic: str) -> list[int]:
    """Return the sizes at which a topic was measured."""
    of_topic = (row.size for row in rows if row.topic == topic)
    found = {number(size) for size in of_topic if not size.startswith(UNBOUNDED)}
    return sorted(n for n in found if n is not None)


def unit(rows: Sequence[Row], topic: str) -> str:
    """Return what the sizes of a topic count."""
    of_topic = (row.size for row in rows if row.topic == topic)
    text = " ".join(size for size in of_topic if not size.startswith(UNBOUNDED))
    places = {text.find(word): label for word, label in LABELS.items() if word in text}
    return places[min(places)] if places else ""
