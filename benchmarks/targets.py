"""What was aimed at, and what a run of the benchmarks says of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from measure import Row

US = "dpcomp-sym"
UNBOUNDED = "z3 with quantifiers"
"""The only rival that is not asked about a finite scope."""


@dataclass(frozen=True)
class Target:
    """One aim, what was measured, and whether it is reached."""

    aim: str
    measured: str
    met: bool


def targets(rows: Sequence[Row]) -> list[Target]:
    """Return the targets about which the rows say something."""
    return [target for judge in JUDGES for target in judge(rows)]


def chosen(rows: Sequence[Row], topic: str) -> list[Row]:
    """Return the finished measurements of the topics that begin like this."""
    return [r for r in rows if r.topic.startswith(topic) and r.seconds is not None]


def solver(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge the solver time of one structural decision."""
    times = sorted((r.seconds or 0.0, r.who) for r in chosen(rows, "solver time"))
    if times:
        slow = [
            f"{who} {seconds * 1e3:.1f} ms" for seconds, who in reversed(times) if seconds > 0.005
        ]
        middle = statistics.median(seconds for seconds, _ in times) * 1e3
        yield Target(
            "a structural decision in at most 5 ms of solver time",
            f"{len(times) - len(slow)} of {len(times)} decisions about the examples; the median is "
            f"{middle:.1f} ms" + (f"; above, for instance: {', '.join(slow[:5])}" if slow else ""),
            not slow,
        )


def rivals(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge how much faster the finite rivals are left behind at their largest scope."""
    for kind, aim in (
        ("deciding", "deciding"), ("counterexamples", "finding a counterexample"),
        ("profile and bound", "profile, bound and their proof"),
    ):  # fmt: skip
        ratios = []
        for topic in dict.fromkeys(r.topic for r in chosen(rows, kind)):
            of_topic = chosen(rows, topic)
            [ours] = [r.seconds or 0.0 for r in of_topic if r.who == US]
            for who in dict.fromkeys(r.who for r in of_topic if r.who not in {US, UNBOUNDED}):
                last = [r for r in of_topic if r.who == who][-1]
                ratios.append(((last.seconds or 0.0) / ours, f"{who}, {topic}, {last.size}"))
        if ratios:
            short = [f"{ratio:.2g} times ({what})" for ratio, what in ratios if ratio < 100]
            yield Target(
                f"{aim}: 100 times faster than every finite rival at the largest scope it finishes",
                f"{len(ratios) - len(short)} of {len(ratios)}"
                + (f"; below: {', '.join(short)}" if short else ""),
                not short,
            )


def agreement(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge whether all answers of rivals are those of the program."""
    same = []
    for row in [*chosen(rows, "deciding"), *chosen(rows, "counterexamples")]:
        same += [row.answer == r.answer for r in chosen(rows, row.topic) if row.who == US != r.who]
    if same:
        yield Target(
            "every rival that finishes gives the verdict of the program, at every scope",
            f"{sum(same)} of {len(same)} answers",
            all(same),
        )


def million(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge the numbers for a million parts."""
    found = [r for r in chosen(rows, "numbers") if r.who == US and r.size == "k = 1000000"]
    times = {r.topic.partition(": ")[2]: r.seconds or 0.0 for r in found}
    if times:
        yield Target(
            "a million different parts in at most 50 ms",
            ", ".join(f"{name} {seconds * 1e3:.0f} ms" for name, seconds in times.items()),
            max(times.values()) <= 0.05,
        )


def finite(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge metrics of finite classes against networkx."""
    for kind in ("metric of a finite class", "all distances from the links"):
        ratios = []
        for topic in dict.fromkeys(r.topic for r in chosen(rows, kind)):
            last = {r.who: r.seconds or 0.0 for r in chosen(rows, topic)}
            ratios.append((last["networkx"] / last[US], topic.partition(": ")[2]))
        if ratios:
            yield Target(
                f"{kind}: 20 times faster than networkx",
                ", ".join(f"{name} {ratio:.2g} times" for ratio, name in ratios),
                all(ratio >= 20 for ratio, _ in ratios),
            )


EACH = {"derive": (0.5, 3.0), "verify": (1.0, 1.0), "relate": (10.0, 10.0)}
"""Seconds of processor time, with start-up: what is aimed at, and what no example may take."""


def examples(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge whole calls about the examples."""
    for command, (aim, most) in EACH.items():
        found = [r for r in rows if r.topic == f"examples: {command}"]
        if not found:
            continue
        late = sorted((r for r in found if (r.seconds or most + 1) > aim), key=_seconds)[::-1]
        text = ", ".join(f"{r.size} {'stopped' if r.seconds is None else f'{r.seconds:.1f} s'}"
                         for r in late[:8])  # fmt: skip
        middle = statistics.median(map(_seconds, found))
        yield Target(
            f"dpcomp {command} of each example in at most {aim:g} s"
            + (f", none above {most:g} s" if most > aim else ""),
            f"{len(found) - len(late)} of {len(found)}; the median is {middle:.2f} s"
            + (f"; above, for instance: {text}" if late else ""),
            not late,
        )


def _seconds(row: Row) -> float:
    return math.inf if row.seconds is None else row.seconds


def start(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge the start of the program."""
    times = {r.who: r.seconds or 0.0 for r in chosen(rows, "start-up")}
    if times:
        ratio = times["dpcomp --help"] / times["import z3"]
        yield Target(
            "start-up: the program in at most twice the bare import of z3",
            f"{ratio:.2f} times",
            ratio <= 2,
        )
        ratio = times["dpcomp derive"] / times["import sympy, z3"]
        yield Target(
            "start-up: a derivation in at most 1.5 times the bare imports of SymPy and z3",
            f"{ratio:.2f} times",
            ratio <= 1.5,
        )


def large(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge the large tables."""
    times = {r.who: r.seconds or 0.0 for r in chosen(rows, "all of it")}
    for who, most in (("dpcomp theorems verify", 15), ("dpcomp atlas", 60)):
        if who in times:
            yield Target(f"{who} in at most {most} s on two cores", f"{times[who]:.0f} s",
                         times[who] <= most)  # fmt: skip


MOST = {
    "parts = 300": 3, "parts = 1000": 10, "attributes = 100": 3, "edits = 30": 3,
    "numbers = 1000000": 1,
}  # fmt: skip
"""So many seconds of processor time such a spec may take, with start-up."""
ENOUGH = 500
"""Megabytes."""


def growth(rows: Sequence[Row]) -> Iterator[Target]:
    """Judge specs with hundreds of parts, maps, attributes and edits."""
    found = chosen(rows, "growth")
    if not found:
        return
    times = {r.size: r.seconds or 0.0 for r in found}
    late = [f"{size} {times[size]:.1f} s" for size in MOST if times.get(size, 0) > MOST[size]]
    said = ", ".join(f"{size} in {most} s" for size, most in MOST.items())
    yield Target(f"large specs: {said}", ", ".join(late) or "all of them", not late)
    memory = max(int(r.answer.partition(" ")[0]) for r in found)
    yield Target(f"large specs in at most {ENOUGH} MB", f"{memory} MB", memory <= ENOUGH)


JUDGES: tuple[Callable[[Sequence[Row]], Iterator[Target]], ...] = (
    solver, rivals, agreement, million, finite, start, examples, large, growth,
)  # fmt: skip
