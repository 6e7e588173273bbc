"""Deciding conditions and bounds, and finding counterexamples: against everything finite."""

from __future__ import annotations

import importlib
import itertools
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from measure import Row, limited, median
from rivals import DAYS, quantified
from targets import UNBOUNDED, US

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine import Structure
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map

FINITE = {"brute force": "brute", "clingo": "asp", "python-sat": "sat"}
SIZES = (2, *range(4, 15), 16, 24, 32, 48, *(2**i for i in range(6, 18)))
"""Numbers of records, in steps that are small enough to find where everybody's end is."""
SMALLEST = {"cover": (2, 4), "window": (4, 2)}
"""Fewer records or blocks than these cannot show what is false of the setting."""
BLOCKS = (4, 16, 64, 256, *(2**i for i in range(10, 17)))
FEW = 10
"""Records where only the number of blocks grows."""
FIXED = 5
"""Blocks of the rival that needs no scope, but a number of blocks."""


@dataclass(frozen=True)
class Question:
    """At most so many blocks change (C1), or records inside one block (C2), between neighbours.

    Without a number: what is the smallest?  The program finds the whole profile and proves the
    bound that it gives; the others count blocks.
    """

    setting: str
    most: int | None
    inside: bool = False

    @property
    def name(self) -> str:
        """Say it briefly."""
        what = "C2" if self.inside else "C1"
        return f"{self.setting}, " + (f"{what} with {self.most}" if self.most is not None else "")


TRUE = (
    Question("unbounded", 1), Question("bounded", 2), Question("owner", 1), Question("cover", 3),
    Question("node", 1), Question("edge", 2), Question("window", 2), Question("season", 3),
    Question("unbounded", 1, inside=True), Question("bounded", 2, inside=True),
    Question("edge", 1, inside=True),
)  # fmt: skip
FALSE = (
    Question("bounded", 1), Question("owner", 0), Question("cover", 2), Question("edge", 1),
    Question("window", 1), Question("bounded", 1, inside=True),
)  # fmt: skip
BOUNDS = tuple(Question(s, None) for s in ("unbounded", "bounded", "owner", "node", "edge"))
GROWING = (Question("bounded", 2), Question("cover", 3))

RECORDS: dict[str, Any] = {
    "attributes": {"id": "Record"}, "functions": {"owner": (["Record"], "Owner")},
}  # fmt: skip
EDGES = {"attributes": {"tail": "int", "head": "int"}, "cell": "tail(c) < head(c)"}
EVENTS = {"attributes": {"id": "Event", "day": "int"}}
OWNER = {"owner": "owner(id(c))"}
ENDS = {"tail": "tail", "head": "head"}
SUCCESSIVE = {"time": "day", "length": str(DAYS)}
SETTINGS: dict[str, tuple[dict[str, Any], str, dict[str, str], str, dict[str, Any]]] = {
    "unbounded": (RECORDS, "unbounded", {}, "partition", {}),
    "bounded": (RECORDS, "bounded", {}, "partition", {}),
    "owner": (RECORDS, "user", OWNER, "partition", {"by": "owner(id(c))"}),
    "cover": (RECORDS, "unbounded", {}, "cover", {"m": 3}),
    "node": (EDGES, "node", ENDS, "induced", ENDS),
    "edge": (EDGES, "edge", {}, "incident", ENDS),
    "window": (EVENTS, "w_event", SUCCESSIVE, "windows", SUCCESSIVE),
    "season": (EVENTS, "w_event", SUCCESSIVE, "partition", {"by": "day"}),
}
"""Domain, granularity and map of each setting of the rivals, in the language of the program."""


def problem(setting: str) -> Problem:
    """Return the setting in the language of the program.

    Mechanisms are private under its own neighbours, but in the bounded one under unbounded ones.
    """
    domain, changes, change, blocks, block = SETTINGS[setting]
    granularity = library_granularity(changes, **change)
    inner = library_granularity("unbounded") if setting == "bounded" else granularity
    return Problem(
        Domain(**domain, cap=1), granularity, [library_map(blocks, name="blocks", **block)],
        [Part("counts", "blocks", inner)],
    )  # fmt: skip


def ours(question: Question) -> str:
    """Decide the question anew, for every set of records and every k."""
    asked = problem(question.setting)
    if question.most is None:
        return next(b.text for b in derive(asked).bounds if b.notion == "pure")
    structure = Structure(asked)
    if question.inside:
        verdict = structure.sensitivity(asked.bound_parts[0], question.most)
    else:
        verdict = structure.compatible(asked.used_maps["blocks"], question.most)
    return verdict.word


def theirs(rival: Any, question: Question, n: int, k: int) -> str | None:
    """Decide the question in a scope."""
    decide = partial(rival.holds, question.setting, n, k, inside=question.inside)
    if question.most is None:
        for most in itertools.count():
            if (holds := decide(most)) is None:
                return None
            if holds:
                return f"{most} blocks"
    return {True: "proved", False: "refuted", None: None}[decide(question.most)]


def scopes(question: Question) -> list[tuple[int, int]]:
    """Return larger and larger numbers of records, with half as many blocks."""
    fewest, blocks = SMALLEST.get(question.setting, (2, 2))
    return [(n, max(blocks, n // 2)) for n in SIZES if n >= fewest]


def rows() -> Iterator[Row]:
    """Yield the measurements: true statements first, then false claims and bounds."""
    for topic, questions in (
        ("deciding", TRUE), ("counterexamples", FALSE), ("profile and bound", BOUNDS),
    ):  # fmt: skip
        for question in questions:
            yield from measured(topic, question, "|X| = {n}, k = {k}", scopes(question))
    for question in GROWING:
        yield from measured(
            "deciding, k growing", question, "k = {k}, |X| = {n}", [(FEW, k) for k in BLOCKS]
        )


def measured(
    topic: str, question: Question, size: str, sizes: Sequence[tuple[int, int]]
) -> Iterator[Row]:
    """Yield the measurements of one question.

    The program answers again after each rival's row, so that a busy minute slows everybody.
    """
    name = f"{topic}: {question.name}".rstrip(" ,")
    times, others, answer = [], [], ""
    for found in of_rivals(name, question, size, sizes):
        others.append(found)
        seconds, answer = median(partial(ours, question))
        times.append(seconds)
    yield Row(name, US, "unbounded", statistics.median(times), answer)
    yield from others


def of_rivals(
    name: str, question: Question, size: str, sizes: Sequence[tuple[int, int]]
) -> Iterator[Row]:
    """Yield the measurements of the others, each up to the first size that takes too long."""
    yield row(name, UNBOUNDED, f"unbounded, k = {FIXED}",
              partial(theirs, quantified, question, 0, FIXED))  # fmt: skip
    for who, module in FINITE.items():
        try:
            rival = importlib.import_module(f"rivals.{module}")
        except ImportError:
            yield Row(name, who, "", None, "not installed")
            continue
        for n, k in sizes:
            found = row(name, who, size.format(n=n, k=k), partial(theirs, rival, question, n, k))
            yield found
            if found.seconds is None:
                break


def row(name: str, who: str, size: str, run: Callable[[], str | None]) -> Row:
    """Return the measurement of a rival; it may give up."""
    found = limited(run)
    if found is None or found[1] is None:
        return Row(name, who, size, None, "gave up")
    return Row(name, who, size, *found)
