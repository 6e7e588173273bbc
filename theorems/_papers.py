"""The papers' own numbering: what each numbered item is, and which entries meet it.

>>> [str(item) for item in found("thm. IV.1")]
['GB24 Theorem IV.1']
>>> [str(item) for item in found("III.1")]
['GB24 Definition III.1', 'GB24s Theorem III.1']
>>> found("Alg. 3")[0].rows
('HBW.Alg3',)
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import theorems
from theorems._rows import entries, row_order

__all__ = [
    "PAPERS",
    "Item",
    "corrections",
    "examples",
    "found",
    "items",
    "mentioned",
    "title",
]

PAPERS: Final = ("GB24", "GB24s", "GB24t", "HBW", "Des")
"""The papers.  Of the slides, GB24t, the pages are numbered."""

_ABBREVIATED: Final = {
    "def": "definition", "prop": "proposition", "thm": "theorem", "th": "theorem",
    "cor": "corollary", "lem": "lemma", "rem": "remark", "ex": "example", "fig": "figure",
    "tab": "table", "alg": "algorithm",
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One numbered item of a paper.

    ``rows`` are the rows of the library that meet it; without any, ``reason`` says why there are
    none.  ``examples`` are specs about it, as names below examples/.
    """

    paper: str
    kind: str
    number: str
    rows: tuple[str, ...]
    reason: str = ""
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.paper} {self.kind} {self.number}"


def title(row: str) -> str:
    """Return how a paper's page calls a row that meets no numbered item.

    >>> title("Des.Renyi"), title("GB24.III-A")
    ('Rényi divergences, after Theorem 6', 'Section III-A')
    """
    paper, _, name = row.partition(".")
    return str(_listed()[paper].get("titles", {}).get(name, name))


def examples(row: str) -> list[str]:
    """Return the specs about a row that meets no numbered item.

    >>> examples("Des.chain")
    ['uncertain/chain', 'uncertain/chain-with-deltas']
    """
    paper, _, name = row.partition(".")
    return list(_listed()[paper]["examples"].get(name, ()))


@lru_cache(maxsize=1)
def _listed() -> dict[str, Any]:
    text = (resources.files(theorems) / "papers.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def items() -> tuple[Item, ...]:
    """Return all numbered items of the papers, in the order of the papers and their numbers."""
    listed, every = _listed(), list[Item]()
    order: dict[str, int] = {}
    for paper in PAPERS:
        told = listed[paper]
        order |= {f"{paper} {name}": n for n, name in enumerate(told.get("order", ()))}
        for kind, numbers in told["items"].items():
            for number in numbers:
                name = f"{kind} {number}"
                reason = told.get("without", {}).get(name, "")
                rows = told["rows"].get(name, [] if reason else [f"{paper}.{number}"])
                about = told["examples"].get(name, [])
                every.append(Item(paper, kind, number, tuple(rows), reason, tuple(about)))
    return tuple(sorted(every, key=lambda item: _place(item, order)))


def _place(item: Item, order: Mapping[str, int]) -> tuple[object, ...]:
    at = PAPERS.index(item.paper)
    if str(item) in order:
        return at, (order[str(item)],)
    return at, row_order(f"GB24.{item.number}")[0], item.kind


def found(words: str) -> list[Item]:
    """Return the items that a reader means by such words as "Theorem IV.1", "IV.1" or "alg. 3".

    Case does not matter.  A paper may be named before the number or the kind; a number alone means
    all items with that number.  A section is meant where its paper is named: all have one.

    >>> [str(item) for item in found("GB24s Section III-A")], found("Section III-A")
    (['GB24s Section III-A'], [])
    """
    pieces = re.findall(r"[^\s,]+", words.lower())
    papers = {paper.lower(): paper for paper in PAPERS}
    if pieces and "." in pieces[0] and pieces[0].partition(".")[0] in papers:
        paper, _, rest = pieces[0].partition(".")
        pieces = [paper, *([rest] if rest else []), *pieces[1:]]
    named = papers.get(pieces.pop(0)) if pieces and pieces[0] in papers else None
    kind = pieces.pop(0).rstrip(".") if len(pieces) > 1 else ""
    kind = _ABBREVIATED.get(kind, kind)
    if len(pieces) != 1:
        return []
    return [
        item
        for item in items()
        if pieces[0] in {item.number.lower(), _without_section(item.number)}
        and named in (None, item.paper)
        and kind in ("", item.kind.lower())
        and (named or item.kind != "Section")
    ]


def _without_section(number: str) -> str:
    """Return the number of an item that is numbered anew in its section.

    >>> _without_section("V-A.2"), _without_section("IV.2")
    ('2', 'iv.2')
    """
    section, _, last = number.lower().rpartition(".")
    return last if "-" in section else number.lower()


def mentioned(text: str, rows: Iterable[str]) -> list[str]:
    """Return which of the rows a citation names; a number in brackets is that of an equation.

    >>> mentioned("GB24.IV.13, A.18, corrected; GB24s.III.5", ["GB24.A.18", "GB24s.III.5", "N2"])
    ['GB24.A.18', 'GB24s.III.5']
    """
    heads = {row.partition(".")[0] for row in rows} | set(PAPERS)
    cited, paper = set(), ""
    for word in re.findall(r"[\w′½][\w′½.§()-]*", re.sub(r"\([IVX]+\.\d+\)", "", text)):
        head = word.partition(".")[0]
        if head in heads:
            paper = head
            cited.add(word.rstrip("."))
        elif paper:
            cited.add(f"{paper}.{word.strip('()').rstrip('.')}")
    return [row for row in rows if row in cited]


def corrections(row: str) -> list[str]:
    """Return the numbers of the corrections that concern a row, such as E9 for GB24.IV.13."""
    errata = {
        number
        for entry in entries().values()
        for number in entry.rows
        if re.fullmatch(r"E\d+", number) and mentioned(entry.cite, [row])
    }
    return sorted(errata, key=row_order)
