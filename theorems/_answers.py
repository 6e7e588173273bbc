"""The library for notebooks and programs: what ``dpcomp theorems`` lists, re-checks and shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dpcomp_sym.report.answers import Saved, Writer
from dpcomp_sym.report.notebook import Shown
from theorems import _list, _report, _run
from theorems._entry import Entry
from theorems._run import Outcome

__all__ = ["RecheckedTheorems", "find_theorems", "shown", "verify_theorems"]


@dataclass(frozen=True, repr=False)
class RecheckedTheorems(Saved):
    """Entries of the library that were just run, with their evidence, in the papers' order.

    Args:
        title: what was asked for.
        outcomes: what came of each entry.
    """

    title: str
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        """Whether every entry came out as stated."""
        return all(one.holds for one in self.outcomes)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for one in self.outcomes:
            word = one.status or "fallen"
            counts[word] = counts.get(word, 0) + 1
        said = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))
        return f"<Theorems {self.title}: {said}>"

    def __str__(self) -> str:
        """Return the entries and their evidence as text."""
        return "\n\n".join(map(_run.shown, self.as_json()["theorems"]))

    def as_json(self) -> dict[str, Any]:
        """Return what ``dpcomp theorems show --json`` prints."""
        return {"theorems": _run.told({one.name: one for one in self.outcomes})}

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        return _report.texts(self.title, self.as_json()["theorems"])


def shown(found: RecheckedTheorems) -> Shown:
    """Return what notebooks show of several entries."""
    blocks, statuses = _report.together(found.as_json()["theorems"])
    return Shown(blocks, found.title, statuses)


def find_theorems(
    *words: str, paper: str = "", kind: str = "", status: str = ""
) -> tuple[Entry, ...]:
    """Return statements of the theorem library, as ``dpcomp theorems list`` does; nothing is run.

    Args:
        words: each must occur in the number, name, statement or source.
        paper: "GB24", "GB24s", "GB24t", "HBW", "Des", "N" or "E".
        kind: what a paper calls it, such as "corollary".
        status: such as "refuted".

    Raises:
        InputError: nothing has this paper, kind or status.

    >>> [entry.rows for entry in find_theorems(paper="GB24", kind="corollary")][0]
    ('GB24.IV.13', 'GB24s.III.5')
    """
    _list.check(paper, kind, status)
    return tuple(_list.chosen(words, paper, kind, status))


def verify_theorems(
    *ids: str, jobs: int = 1, progress: Callable[[Outcome], None] | None = None
) -> RecheckedTheorems:
    """Run entries of the theorem library anew and keep their evidence, as ``theorems show`` does.

    Args:
        ids: numbers of statements, such as "GB24.IV.13", "Corollary IV.13" or "Alg. 3", patterns
            such as "E2*", or names of entries; all of them without any.
        jobs: how many to run at a time, each in a process of its own.
        progress: called with each outcome as it is there.

    Raises:
        InputError: the library has no such theorem.

    >>> found = verify_theorems("Corollary IV.13")
    >>> found, found.holds
    (<Theorems Corollary IV.13: 2 derived>, True)
    """
    chosen = {entry.name: entry for entry in _list.in_order(_run.select(ids).values())}
    outcomes = _run.verify(list(chosen), jobs, progress, telling=True)
    return RecheckedTheorems(", ".join(ids) or "of the library", tuple(outcomes.values()))
