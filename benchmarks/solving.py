"""How long the solver itself works for one structural decision, and for the examples."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import Row

from dpcomp_sym.engine import Structure, Verdict
from dpcomp_sym.smt import Query
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TOPIC = "solver time of a decision"
ROUNDS = 3
REPEATS = 5


@contextmanager
def watched() -> Iterator[list[float]]:
    """Note the seconds that each question takes in the solver."""
    right, times = Query._answer, []  # noqa: SLF001 - the solver alone is measured

    def timed(self: Query, *arguments: object) -> object:
        start = time.process_time()
        try:
            return right(self, *arguments)
        finally:
            times.append(time.process_time() - start)

    Query._answer = timed  # noqa: SLF001
    try:
        yield times
    finally:
        Query._answer = right  # noqa: SLF001


def decisions(file: Path) -> dict[str, Callable[[], Verdict]]:
    """Return the decisions about an example, each made anew."""
    problem = load_spec(file).problem
    found: dict[str, Callable[[], Verdict]] = {}
    for name, mapping in problem.used_maps.items():
        if mapping.indices and not mapping.constant:
            found[f"C1 of {name}"] = lambda m=mapping: Structure(problem).compatible(m)
    for part in problem.bound_parts:
        found[f"C2 of {part.name}"] = lambda p=part: Structure(problem).sensitivity(p)
    return found


def rows() -> Iterator[Row]:
    """Yield the median time of each decision, and how many questions it took.

    All are decided in turn, in several rounds, so that a busy minute slows all of them a little.
    """
    asked = {
        f"{file.stem}: {name}": decide
        for file in sorted(EXAMPLES.glob("*.toml"))
        for name, decide in decisions(file).items()
    }
    medians: dict[str, list[float]] = {name: [] for name in asked}
    answers: dict[str, str] = {}
    for _ in range(ROUNDS):
        for name, decide in asked.items():
            totals = []
            for _ in range(REPEATS):
                with watched() as times:
                    verdict = decide().word
                totals.append(sum(times))
            medians[name].append(statistics.median(totals))
            answers[name] = f"{verdict}, {len(times)} questions"
    for name, found in medians.items():
        yield Row(TOPIC, name, "unbounded", statistics.median(found), answers[name])
