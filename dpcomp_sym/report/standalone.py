"""Blocks for places that have no labels, theorem environments or bibliography of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from dpcomp_sym.report.document import (
    Block,
    Citation,
    Display,
    Example,
    Inline,
    Items,
    Memberships,
    Paragraph,
    Reference,
    Section,
    StatementBlock,
    Table,
    capital,
    names_of,
    plain,
    read,
    written,
)
from dpcomp_sym.report.works import WORKS

__all__ = ["standalone"]

_GAP: Final = 0.036  # of the line, beside each column of a table


def standalone(blocks: Iterable[Block]) -> list[Block]:
    r"""Return blocks that say the same, with numbers for references, and the works at their end.

    >>> lemma = StatementBlock("lemma", "Known", "a:one", (Paragraph("So [@GB24|III.6]."),))
    >>> for block in standalone([lemma, Paragraph("By [[a:one]].")]):
    ...     print(block.text[:40])
    *Lemma 1 (Known).* So \[GB24, III.6\].
    By lemma 1.
    \[GB24\] Patricia Guerra-Balboa, Àlex Mi
    """
    every = list(blocks)
    writer = _Standalone(names_of(every))
    found = list(writer.blocks(every))
    works = [Paragraph(plain(f"[{key}] {WORKS[key].text()}")) for key in sorted(writer.cited)]
    return [*found, *works]


class _Standalone:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self.cited: dict[str, None] = {}

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Block]:
        for block in blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[Block]:
        match block:
            case Paragraph(text):
                yield Paragraph(self._prose(text))
            case Display() | Memberships():
                yield block
            case Items(items):
                inner = tuple(tuple(self.blocks(item)) for item in items)
                yield replace(block, items=inner, labels=())
            case StatementBlock(_, title, label, body, proof):
                about = f" ({plain(title)})" if title else ""
                yield from self._led(f"{capital(self.names[label])}{about}", body)
                if proof:
                    yield from self._led("Proof", proof)
            case Table(header, rows, widths):
                room = 1 - _GAP * len(widths)
                share = min(1.0, room / sum(widths))
                yield replace(
                    block,
                    widths=tuple(share * width for width in widths),
                    header=tuple(map(self._prose, header)),
                    rows=tuple(tuple(map(self._prose, row)) for row in rows),
                )
            case Example(data, label):
                if label:
                    yield Paragraph(f"*{capital(self.names[label])}.*")
                yield Example(data)
            case Section(title, _, inner_blocks):
                yield Paragraph(f"*{plain(title)}.*")
                yield from self.blocks(inner_blocks)

    def _led(self, words: str, body: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks after words that stand at the start of their first line."""
        first, *rest = self.blocks(body)
        start = f"*{words}.*"
        if isinstance(first, Paragraph):
            yield Paragraph(f"{start} {first.text}")
        else:
            yield Paragraph(start)
            yield first
        yield from rest

    def _prose(self, text: str) -> str:
        return written(map(self._inline, read(text)))

    def _inline(self, piece: Inline) -> Inline:
        match piece:
            case Reference(labels):
                return ", ".join(self.names.get(label, label) for label in labels)
            case Citation(key, where):
                self.cited[key] = None
                return f"[{key}, {where}]" if where else f"[{key}]"
            case _:
                return piece
