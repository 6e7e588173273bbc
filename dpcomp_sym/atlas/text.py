"""The atlas in the terminal, one mark a cell, and as a table of bounds."""

from __future__ import annotations

from typing import Final

from dpcomp_sym.atlas.page import (
    BY_ROCQ,
    CHECKED,
    KINDS,
    MARKS,
    bound_of,
    formula_of,
    mark_of,
)
from dpcomp_sym.atlas.run import Atlas
from dpcomp_sym.atlas.table import SETTINGS
from dpcomp_sym.report import latex
from dpcomp_sym.report.document import Block, Document, Paragraph, Table, plain
from dpcomp_sym.report.notebook import Shown
from dpcomp_sym.report.text import wrapped

__all__ = ["as_article", "as_text", "shown"]


_TITLE: Final = "Atlas of granularities, maps and settings"
_HEAD: Final = ("Granularity", "Map", "Separate domains", "Common domain")
_WIDTHS: Final = (0.2, 0.2, 0.25, 0.25)


def as_text(found: Atlas) -> str:
    """Return a grid for each setting, with the maps as numbered columns.

    >>> from dpcomp_sym.atlas import atlas, default_table
    >>> few = default_table().slice(["bounded"], ["identity", "partition"])
    >>> print(as_text(atlas(few)))  # doctest: +NORMALIZE_WHITESPACE
    Separate domains
    bounded   1 ∞
    <BLANKLINE>
    Common domain
    bounded   1 Σ
    <BLANKLINE>
    Maps: 1 identity, 2 partition
    ∅ no neighbours; 0 nothing changes: 0; 1 one guarantee, or the largest; Σ a
    multiple, or a sum; ∞ no guarantee (∞); ? not decided
    4 cells: 4 proved
    """
    table = found.table
    marks = {(a["granularity"], a["map"], a["setting"]): mark_of(a) for a in found.answers}
    width = max(len(g.name) for g in table.granularities) + 2
    numbers = [str(n) for n in range(1, len(table.maps) + 1)]
    widest = max(map(len, marks.values()), default=1)
    columns = [max(len(n), widest) for n in numbers]
    lines = []
    for setting in SETTINGS:
        lines.append("Separate domains" if setting == "separate" else "Common domain")
        if len(numbers) > 2:
            heads = (n.rjust(w) for n, w in zip(numbers, columns, strict=True))
            lines.append(" " * width + " ".join(heads))
        for row in table.granularities:
            cells = [marks.get((row.name, column.name, setting), "") for column in table.maps]
            line = " ".join(c.rjust(w) for c, w in zip(cells, columns, strict=True))
            lines.append(f"{row.name:<{width}}{line}".rstrip())
        lines.append("")
    maps = ", ".join(f"{n} {m.name}" for n, m in enumerate(table.maps, 1))
    kinds = "; ".join(f"{MARKS[k]} {text}" for k, text in KINDS.items())
    if found.checked is not None:
        kinds += f"; {CHECKED} {BY_ROCQ}"
    told = (f"Maps: {maps}", kinds, found.summary)
    return "\n".join([*lines, *map(wrapped, told)])


def as_article(found: Atlas) -> str:
    """Return the bounds as a LaTeX article."""
    formulas = {(a["granularity"], a["map"], a["setting"]): formula_of(a) for a in found.answers}
    rows = tuple(
        (plain(row), plain(column), *(formulas.get((row, column, s), "–") for s in SETTINGS))
        for row, column in dict.fromkeys((a["granularity"], a["map"]) for a in found.answers)
    )
    return latex.article(
        Document(_TITLE, plain(f"{found.summary}."), (Table(_HEAD, rows, _WIDTHS),))
    )


def shown(found: Atlas) -> Shown:
    """Return the bounds of each granularity and map, in both settings.

    >>> from dpcomp_sym.atlas import atlas, default_table
    >>> few = default_table().slice(["bounded"], ["identity"])
    >>> shown(atlas(few)).blocks[1].rows
    (('bounded', 'identity', 'eps', 'eps'),)
    """
    bounds = {(a["granularity"], a["map"], a["setting"]): bound_of(a) for a in found.answers}
    rows = tuple(
        (plain(row), plain(column), *(plain(bounds.get((row, column, s), "–")) for s in SETTINGS))
        for row, column in dict.fromkeys((a["granularity"], a["map"]) for a in found.answers)
    )
    blocks: list[Block] = [
        Paragraph(f"{found.summary}."),
        Table(_HEAD, rows, _WIDTHS),
    ]
    return Shown(blocks, _TITLE)
