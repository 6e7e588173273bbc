"""The atlas in the terminal, one mark a cell, and as a table of bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dpcomp_sym.atlas.page import (
    BY_ROCQ,
    CHECKED,
    KINDS,
    MARKS,
    bound_of,
    mark_of,
)
from dpcomp_sym.atlas.run import Atlas, CellAnswer
from dpcomp_sym.atlas.table import SETTINGS, AtlasEntry
from dpcomp_sym.notions import of_epsilon
from dpcomp_sym.report.document import (
    Block,
    Display,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    plain,
)
from dpcomp_sym.report.formulas import width
from dpcomp_sym.report.notebook import Shown
from dpcomp_sym.report.text import wrapped

__all__ = ["as_text", "document", "shown"]


_TITLE: Final = "Atlas of granularities, maps and settings"
_HEAD: Final = ("Granularity", "Map", "Separate domains", "Common domain")
_WIDTHS: Final = (0.3, 0.33, 0.33)
_COLUMN: Final = 10
"""Wider formulas do not stand in a table."""
_CONDITIONS: Final = {
    "partition": "disjoint", "compatibility": "C1", "sensitivity": "C2", "commutes": "commutes",
}  # fmt: skip
_DECIDED: Final = ("Map", "Setting", "True", "False")
_SHARES: Final = (0.3, 0.2, 0.23, 0.23)
_ABOUT: Final = (
    "The guarantee ε of the composition, where the mechanism of block $i$ is "
    r"$\varepsilon_i$-DP, or the only one $\varepsilon$-DP, on separate domains or on the common "
    "one. It follows from adaptive composition [@GB24|V.2, VI.4] over the worst neighbours "
    "[@GB24s|III.1]; the facts about neighbours are decided by a solver [@Z3]."
)


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


def document(found: Atlas) -> Document:
    """Return the rows and columns, their bounds as formulas, and the conditions behind them."""
    long: dict[str, int] = {}
    formulas = {
        (a["granularity"], a["map"], a["setting"]): _cell(a, long) for a in found.answers
    }  # fmt: skip
    bounds: list[Block] = [Paragraph(_ABOUT)]
    decided: list[Block] = []
    for name in dict.fromkeys(a["granularity"] for a in found.answers):
        mine = [a for a in found.answers if a["granularity"] == name]
        rows = tuple(
            (plain(of), *(formulas.get((name, of, setting), "–") for setting in SETTINGS))
            for of in dict.fromkeys(a["map"] for a in mine)
        )
        title = Paragraph(f"*{plain(name)}*")
        bounds += [title, Table(_HEAD[1:], rows, _WIDTHS)]
        decided += [title, Table(_DECIDED, tuple(map(_conditions, mine)), _SHARES)]
    if long:
        bounds.append(Paragraph("The numbers in brackets stand for these longer bounds."))
        bounds.append(
            Items(tuple((Paragraph("The bound is"), Display(f, ".")) for f in long), numbered=True)
        )
    return Document(
        _TITLE, plain(f"{found.summary}."),
        (
            Section("Setting", "atlas:setting", (
                Paragraph("*Granularities.*"), _entries(found.table.granularities),
                Paragraph("*Maps.*"), _entries(found.table.maps),
            )),
            Section("Bounds", "atlas:bounds", tuple(bounds)),
            Section("Conditions", "atlas:facts", tuple(decided)),
        ),
    )  # fmt: skip


def _cell(one: CellAnswer, long: dict[str, int]) -> str:
    """Return a bound on ε for a table; of a long formula the number in a list."""
    bound = one["bounds"].get(of_epsilon())
    if bound is None:
        return plain(bound_of(one))
    if width(bound["latex"]) <= _COLUMN:
        return f"${bound['latex']}$"
    return f"({long.setdefault(bound['latex'], len(long) + 1)})"


def _entries(entries: Sequence[AtlasEntry]) -> Items:
    return Items(tuple((Paragraph(f"*{plain(e.name)}*: {plain(e.text)}"),) for e in entries))


def _conditions(one: CellAnswer) -> tuple[str, ...]:
    verdicts: dict[str, list[str]] = {"proved": [], "refuted": []}
    for name, short in _CONDITIONS.items():
        verdict = one["conditions"].get(name, {}).get("verdict", "")
        verdicts.setdefault("proved" if verdict == "vacuous" else verdict, []).append(short)
    said = (", ".join(verdicts[verdict]) or "–" for verdict in ("proved", "refuted"))
    return plain(one["map"]), one["setting"], *said


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
        Table(_HEAD, rows, (0.2, 0.2, 0.25, 0.25)),
    ]
    return Shown(blocks, _TITLE)
