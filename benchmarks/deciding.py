"""Deciding conditions and bounds, and finding counterexamples: against everything finite."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from measure import Row, limited, median
from rivals import asp, brute, quantified, sat

from dpcomp_sym.derivation import derive
from dpcomp_sym.engine import Structure
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map

FINITE = {"brute force": brute, "clingo": asp, "python-sat": sat}
RECORDS = (2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640)
SIZES = tuple((n, max(2, n // 2)) for n in RECORDS)
"""Larger and larger, in steps that are small enough to find where everybody's end is."""
BLOCKS = tuple((6, k) for k in (2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 128, 256, 512, 1024, 2048))


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
    Question("unbounded", 1), Question("bounded", 2), Question("owner", 1),
    Question("unbounded", 1, inside=True), Question("bounded", 2, inside=True),
)  # fmt: skip
FALSE = (Question("bounded", 1), Question("owner", 0), Question("bounded", 1, inside=True))
BOUNDS = (Question("unbounded", None), Question("bounded", None), Question("owner", None))


def problem(setting: str) -> Problem:
    """Return the setting in the language of the program."""
    domain = Domain({"id": "Record"}, functions={"owner": (["Record"], "Owner")}, cap=1)
    inner = library_granularity("unbounded")
    if setting == "owner":
        granularity = library_granularity("user", owner="owner(id(c))")
        blocks = library_map("partition", name="blocks", by="owner(id(c))")
        inner = granularity
    else:
        granularity = library_granularity(setting)
        blocks = library_map("partition", name="blocks")
    return Problem(domain, granularity, [blocks], [Part("counts", "blocks", inner)])


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
    return type(verdict).__name__.lower()


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


def rows() -> Iterator[Row]:
    """Yield the measurements: true statements first, then false claims and bounds."""
    yield from measured("deciding", TRUE, SIZES, "|X| = {n}, k = {k}")
    yield from measured("deciding, k growing", TRUE[:2], BLOCKS, "k = {k}, |X| = {n}")
    yield from measured("counterexamples", FALSE, SIZES, "|X| = {n}, k = {k}")
    yield from measured("profile and bound", BOUNDS, SIZES, "|X| = {n}, k = {k}")


def measured(
    topic: str, questions: tuple[Question, ...], sizes: tuple[tuple[int, int], ...], size: str
) -> Iterator[Row]:
    """Yield the measurements of one kind of question."""
    for question in questions:
        name = f"{topic}: {question.name}".rstrip(" ,")
        seconds, answer = median(partial(ours, question), 15)
        yield Row(name, "dpcomp-sym", "unbounded", seconds, answer)
        yield row(name, "z3 with quantifiers", "unbounded, k = 3",
                  partial(theirs, quantified, question, 0, 3))  # fmt: skip
        for who, rival in FINITE.items():
            for n, k in sizes:
                found = row(
                    name, who, size.format(n=n, k=k), partial(theirs, rival, question, n, k)
                )
                yield found
                if found.seconds is None:
                    break


def row(name: str, who: str, size: str, run: Callable[[], str | None]) -> Row:
    """Return the measurement of a rival; it may give up."""
    found = limited(run)
    if found is None or found[1] is None:
        return Row(name, who, size, None, "gave up")
    return Row(name, who, size, *found)
