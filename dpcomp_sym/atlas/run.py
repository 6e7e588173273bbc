"""Derives all cells: in parallel, on a cluster too, and goes on where an earlier run stopped.

Every finished cell is kept at once.  So a run that was interrupted loses nothing.
"""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from dpcomp_sym.atlas.answer import answer
from dpcomp_sym.atlas.table import AtlasQuestion, AtlasTable, default_table
from dpcomp_sym.engine import AnswerCache
from dpcomp_sym.kept import Kept
from dpcomp_sym.notions import NOTIONS

__all__ = ["Atlas", "atlas"]

CellAnswer = dict[str, Any]


@dataclass(frozen=True)
class Atlas:
    """The table with an answer for each cell, in the order of the questions."""

    table: AtlasTable
    answers: tuple[CellAnswer, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have which verdict."""
        found: dict[str, int] = {}
        for one in self.answers:
            found[one["verdict"]] = found.get(one["verdict"], 0) + 1
        return dict(sorted(found.items()))

    @property
    def perhaps_not_tight(self) -> int:
        """In how many cells a bound is perhaps not the best one, though its sums are exact."""
        return sum(
            any(bound["tight"] != "yes" and NOTIONS[notion].additive is not None
                for notion, bound in one["bounds"].items())
            for one in self.answers
        )  # fmt: skip

    @property
    def checked(self) -> int | None:
        """In how many cells coqc accepts the proof of the bound; None if it was not asked."""
        said = [one["rocq"]["checked"] for one in self.answers if "rocq" in one]
        return sum(said) if said else None

    @property
    def summary(self) -> str:
        """The numbers of cells in words."""
        counts = ", ".join(f"{n} {word}" for word, n in self.counts.items())
        loose, checked = self.perhaps_not_tight, self.checked
        more = f"; {loose} perhaps not tight" if loose else ""
        more += f"; {checked} checked by Rocq" if checked is not None else ""
        return f"{len(self.answers)} cells: {counts}{more}"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "schema": "dpcomp/1",
            "title": "Atlas of granularities, maps and settings",
            "granularities": [
                {"name": g.name, "text": g.text, "domain": g.domain}
                for g in self.table.granularities
            ],
            "domains": [{"name": d.name, "text": d.text} for d in self.table.domains],
            "maps": [{"name": m.name, "text": m.text} for m in self.table.maps],
            "counts": self.counts,
            "perhaps_not_tight": self.perhaps_not_tight,
            "cells": list(self.answers),
        }


# ------------------------------------------------------------------ the run


_ONE: Final = threading.Lock()


@contextmanager
def _in_this_thread() -> Iterator[None]:
    """Let no other thread touch the solver's objects, which are shared by all of a process.

    A worker of a cluster is a thread among others, and garbage is collected by whichever thread
    happens to; so nothing is collected meanwhile, and nothing is left to collect.
    """
    with _ONE:
        collecting = gc.isenabled()
        gc.disable()
        gc.freeze()  # what was there before need not be looked at
        try:
            yield
        finally:
            gc.collect()
            gc.unfreeze()
            if collecting:
                gc.enable()


Numbered = tuple[int, AtlasQuestion]


def _answered(questions: Sequence[Numbered], *, rocq: bool) -> list[tuple[int, CellAnswer]]:
    """Answer the questions about one row and column, which share what is not about the parts."""
    with _in_this_thread():
        shared = AnswerCache()
        return [(number, answer(question, shared, rocq=rocq)) for number, question in questions]


def _computed(
    questions: Sequence[Numbered], jobs: int | None, *, rocq: bool
) -> Iterator[tuple[int, CellAnswer]]:
    """Yield answers as they are found, with the numbers of their questions."""
    from joblib import Parallel, delayed

    def place(numbered: Numbered) -> tuple[str, str]:
        return numbered[1].granularity, numbered[1].map

    run = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    pieces = [list(piece) for _, piece in itertools.groupby(questions, place)]
    for found in run(delayed(_answered)(piece, rocq=rocq) for piece in pieces):
        yield from found


def atlas(
    table: AtlasTable | None = None, *, jobs: int | None = None, kept: Kept | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None, cluster: str | None = None,
    rocq: bool = False,
) -> Atlas:  # fmt: skip
    """Derive all cells of a table.

    Args:
        table: rows and columns; those of the program if absent.
        jobs: so many cells at a time; ``None`` leaves it to joblib's configuration (one at a
            time, if nothing is configured), -1 takes all processors.
        kept: where finished cells are kept and looked up.
        progress: called with the number of finished cells, and of all.
        cluster: the address of a Dask scheduler that gets the work.
        rocq: have coqc, which must be installed, check the proof of each bound on ε.

    >>> small = default_table().slice(["unbounded"], ["identity"])
    >>> [a["bounds"]["pure"]["text"] for a in atlas(small).answers]
    ['eps', 'eps']
    """
    table = table or default_table()
    kept = kept or Kept(None)
    questions = table.questions
    found: dict[int, CellAnswer] = {}
    for number, question in enumerate(questions):
        known = kept.find(asked(question))
        if known is not None and (not rocq or "rocq" in known):
            found[number] = known
    progress(len(found), len(questions))
    missing = [(n, q) for n, q in enumerate(questions) if n not in found]
    if missing:
        with _on(cluster):
            for number, one in _computed(missing, jobs, rocq=rocq):
                found[number] = one
                kept.keep(asked(questions[number]), one)
                progress(len(found), len(questions))
    return Atlas(table, tuple(found[n] for n in range(len(questions))))


def asked(question: AtlasQuestion) -> tuple[str, str]:
    """Return all that the answer of a cell depends on, for :class:`dpcomp_sym.kept.Kept`."""
    return "atlas", question.spec


@contextmanager
def _on(cluster: str | None) -> Iterator[None]:
    """Let joblib's work go to a Dask cluster, if one is named."""
    if cluster is None:
        yield
        return
    from dask.distributed import Client
    from joblib import parallel_config

    client: Any = Client
    with client(cluster), parallel_config("dask"):
        yield
