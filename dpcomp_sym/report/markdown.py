"""Blocks of a report as Markdown with formulas in dollar signs, as notebooks and pandoc read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dpcomp_sym.report.databases import databases, placed
from dpcomp_sym.report.document import (
    Block,
    Code,
    Display,
    Emphasis,
    Example,
    Items,
    Math,
    Memberships,
    Paragraph,
    Section,
    StatementBlock,
    Table,
    read,
)
from dpcomp_sym.report.standalone import standalone

__all__ = ["escape", "markdown"]


def markdown(blocks: Iterable[Block]) -> str:
    r"""Return blocks as Markdown.

    >>> print(markdown([Paragraph("$|x|$ is *new*_"), Table(("a",), (("`b`",),), (1,))]))
    $\vert x\vert $ is *new*\_
    <BLANKLINE>
    | a |
    | --- |
    | `b` |
    """
    return "\n\n".join(piece for block in standalone(blocks) for piece in _block(block))


def escape(text: str) -> str:
    r"""Return words in which nothing is a mark of Markdown.

    >>> print(escape("a_b < *c*"))
    a\_b \< \*c\*
    """
    return re.sub(r"([\\`*_{}\[\]<>|#$~])", r"\\\1", text)


def _prose(text: str) -> str:
    return "".join(map(_inline, read(text)))


def _inline(piece: object) -> str:
    match piece:
        case str():
            return escape(piece)
        case Math(latex):
            return f"${_math(latex)}$"
        case Emphasis(text):
            return f"*{escape(text)}*"
        case Code(text):
            return f"`{text}`" if "|" not in text else escape(text)
        case _:
            raise TypeError(f"no inline: {piece!r}")


def _math(latex: str) -> str:
    """Return a formula without bars, which would end the cell of a table."""
    return latex.strip().replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _prose(text)
        case Display(latex, after):
            yield f"$$\n{latex}{after}\n$$"
        case Items(items, _, numbered, start):
            yield "\n".join(
                _item(f"{number}." if numbered else "-", item)
                for number, item in enumerate(items, start)
            )
        case Table(header, rows):
            yield _table(map(_prose, header), (map(_prose, row) for row in rows))
        case Example(data):
            yield from _example(data)
        case Memberships(_, rows):
            yield "\n".join(f"- ${name}$: {placed(places)}" for name, places in rows)
        case StatementBlock() | Section():
            raise TypeError(f"not made to stand alone: {block!r}")


def _item(mark: str, blocks: Sequence[Block]) -> str:
    lines = "\n\n".join(piece for block in blocks for piece in _block(block)).splitlines()
    pad = " " * (len(mark) + 1)
    return "\n".join(f"{pad}{line}".rstrip() for line in lines).replace(pad, f"{mark} ", 1)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(header)
    lines = [head, ["---"] * len(head), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _example(data: Mapping[str, Any]) -> Iterator[str]:
    both = databases(data)
    if both.rows:
        rows = (
            (escape(row.block or "–"), escape(row.record), *_counts(row.old, row.new))
            for row in both.shown
        )
        yield _table(("Block", "Record", "$D$", "$D'$"), rows)
    else:
        yield "Both are empty."
    remarks = [f"{escape(name.capitalize())}: {escape(value)}." for name, value in both.remarks]
    if both.hidden:
        remarks.append(f"{both.hidden} more records do not change.")
    if remarks:
        yield " ".join(remarks)


def _counts(old: int, new: int) -> tuple[str, str]:
    return (f"**{old}**", f"**{new}**") if old != new else (str(old), str(new))
