"""The list of the library: which entries are meant, and one line for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpcomp_sym.errors import InputError, nearest
from theorems import _papers, _run
from theorems._entry import STATUSES, Entry

__all__ = ["LEGEND", "check", "chosen", "in_order", "line", "numbers"]

LEGEND: Final = (
    "GB24: Guerra-Balboa et al.; GB24s: its summary; GB24t: its slides; HBW: Hartmann\n"
    "et al.; Des: Desfontaines; N: this project's own; E: corrections.\n"
    "True in general: derived (by kernel rules), decided (by a solver or algebra),\n"
    "rocq (proved in Rocq), rule (it is one itself), argued (a step is prose).\n"
    "defined: a definition; checked: in a finite scope; refuted: false; computed:\n"
    "figures; vacuous: true of nothing; unknown: neither proved nor refuted."
)
"""What the abbreviations stand for."""


def check(paper: str, kind: str, status: str) -> None:
    """See that each filter that is not empty is a word that something has.

    Raises:
        InputError: one is not; the message has the nearest word.
    """
    papers = {head(row) for entry in _run.entries().values() for row in entry.rows}
    papers |= set(_papers.PAPERS)
    kinds = {item.kind.lower() for item in _papers.items()}
    for word, what, known in (
        (paper.lower(), "paper", {p.lower(): p for p in papers}),
        (kind.lower(), "kind", kinds),
        (status, "status", STATUSES),
    ):
        if word and word not in known:
            hint = nearest(word, known)
            raise InputError(f"no statement has the {what} '{word}'; {hint}", word=word)


def chosen(
    words: Sequence[str] = (), paper: str = "", kind: str = "", status: str = ""
) -> Iterator[Entry]:
    """Yield the entries that all filters let through, in the order of the papers.

    Args:
        words: each must occur in the entry's numbers, name, statement or source; case does not
            matter.
        paper: how the numbers begin, such as "GB24", "HBW", "N" or "E", or a paper whose items the
            entries meet.
        kind: what a paper calls it, such as "theorem" or "definition".
        status: such as "derived".
    """
    of_kind = {row for i in _papers.items() if i.kind.lower() == kind.lower() for row in i.rows}
    of_paper = {row for i in _papers.items() if i.paper.lower() == paper.lower() for row in i.rows}
    seen = set()
    for row, found in _run.rows(_run.entries().values()).items():
        if paper and head(row).lower() != paper.lower() and row not in of_paper:
            continue
        if kind and row not in of_kind:
            continue
        for entry in found:
            text = " ".join([*entry.rows, entry.name, entry.statement, entry.cite]).lower()
            fits = status in ("", entry.status) and all(w.lower() in text for w in words)
            if fits and entry.name not in seen:
                seen.add(entry.name)
                yield entry


def in_order(found: Iterable[Entry]) -> list[Entry]:
    """Return entries in the order of the papers, each once, at the first of its rows."""
    return list({e.name: e for several in _run.rows(found).values() for e in several}.values())


def head(row: str) -> str:
    """Return the paper of a row, or N, E or conversions.

    >>> head("GB24.IV.1"), head("N3′"), head("E12")
    ('GB24', 'N', 'E')
    """
    first = row.partition(".")[0]
    return first if first in _papers.PAPERS else first.rstrip("0123456789′")


def numbers(entry: Entry) -> str:
    """Return the entry's rows, the paper named once.

    >>> from theorems._run import entries
    >>> numbers(entries()["private_sum_of_adaptive_sequential"])
    'GB24.II.5, II.6, II.7'
    """
    said, before = [], ""
    for row in entry.rows:
        paper = head(row)
        same = paper == before and row.startswith(f"{paper}.")
        said.append(row.removeprefix(f"{paper}.") if same else row)
        before = paper
    return ", ".join(said)


def line(entry: Entry, width: int | None = None) -> tuple[str, str, str]:
    """Return numbers, status and statement of an entry, to be printed in one line.

    With a width the statement is cut so that the line has so many characters; without one, as for
    a pipe, it is whole.
    """
    first = f"{numbers(entry):<24}"
    said = " ".join(entry.statement.split())
    room = None if width is None else max(width - len(first) - 11, 20)
    if room is not None and len(said) > room:
        said = said[: room - 1].rstrip() + "…"
    return first, entry.status, said
