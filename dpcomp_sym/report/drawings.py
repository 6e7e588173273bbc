"""Counterexamples as drawings: what each block holds, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import Any, Final

from dpcomp_sym.report.databases import Databases, RecordRow, databases, placed, runs
from dpcomp_sym.report.document import capital
from dpcomp_sym.report.page import svg

__all__ = ["figure", "strips"]

_COLUMN: Final = 170
_GAP: Final = 16
_LINE: Final = 17
_LETTERS: Final = 18
_STRIP: Final = 340
_SQUARE: Final = 16
_FINE: Final = 4


def figure(example: Mapping[str, Any], name: str = "") -> str:
    """Return a counterexample as a figure with a caption.

    >>> found = figure({"D": [], "D_prime": [{"cell": {"id": "a"}, "count": 1, "blocks": ["p 1"]}],
    ...     "changed": ["p 1"]})
    >>> "id = a" in found and "<svg" in found
    True
    """
    both = databases(example)
    remarks = "; ".join(f"{key}: {value}" for key, value in both.remarks)
    title = f"<strong>{escape(name)}.</strong> " if name else ""
    more = f" {both.hidden} more records do not change." if both.hidden else ""
    caption = f"<figcaption>{title}{escape(_words(remarks))}{more}</figcaption>"
    return f"<figure>{_drawing(both)}{caption}</figure>"


def _words(remarks: str) -> str:
    return f"{capital(remarks)}." if remarks else "Two neighbouring databases."


def _drawing(both: Databases) -> str:
    groups: dict[str, list[RecordRow]] = {}
    for row in both.shown:
        groups.setdefault(row.block, []).append(row)
    pieces: list[str] = []
    y = 8
    for place, title in enumerate(("D", "D′")):
        pieces.append(_text(_left(place) + _COLUMN / 2, y + 12, title, anchor="middle", bold=True))
    y += 26
    for block, rows in groups.items():
        height = max(_height(rows, 0), _height(rows, 1))
        changed = any(row.old != row.new for row in rows)
        if block or len(groups) > 1:  # else nothing is known of blocks
            pieces.append(_text(_left(0), y + 12, _short(block or "no block", 48), bold=changed))
            y += 20
        for place in (0, 1):
            pieces.append(_box(_left(place), y, _COLUMN, height, strong=changed))
            pieces += _records(rows, place, y)
        y += height + 12
    if not groups:
        pieces.append(_text(_left(0), y + 12, "both are empty"))
        y += 24
    width = 2 * _COLUMN + _GAP + 4

    def in_block(name: str) -> str:
        return f" in {name or 'no block'}" if name or len(groups) > 1 else ""

    described = "; ".join(
        f"{row.record}{in_block(row.block)}: {row.old} before, {row.new} after"
        for row in both.shown
    )
    title = "Two neighbouring databases"
    return svg(title, "".join(pieces), width, y, described or "both are empty")


def _left(place: int) -> int:
    return 2 + place * (_COLUMN + _GAP)


def _lines(row: RecordRow) -> list[str]:
    found: list[str] = []
    for piece in row.record.split(", "):
        if found and len(found[-1]) + 2 + len(piece) <= _LETTERS:
            found[-1] += f", {piece}"
        else:  # what differs may stand at the end, so nothing is cut off
            found += wrap(piece, _LETTERS, break_on_hyphens=False) or [piece]
    return found


def _height(rows: Sequence[RecordRow], place: int) -> int:
    kept = [row for row in rows if (row.old, row.new)[place]]
    return 12 + sum(_LINE * len(_lines(row)) + 12 for row in kept) if kept else 30


def _records(rows: Sequence[RecordRow], place: int, y: int) -> list[str]:
    pieces: list[str] = []
    left = _left(place) + 8
    y += 8
    for row in rows:
        count = (row.old, row.new)[place]
        if not count:
            continue
        lines = _lines(row)
        height = _LINE * len(lines) + 6
        more = count - (row.new, row.old)[place]
        sign = "+" if place and more > 0 else "−" if more > 0 else ""
        pieces.append(_box(left, y, _COLUMN - 16, height, strong=row.old != row.new, round_=6))
        for number, line in enumerate(lines):
            pieces.append(_text(left + 6, y + 15 + number * _LINE, line, bold=row.old != row.new))
        times = f"×{count}" if count > 1 else ""
        beside = f"{times} {sign}".strip()
        if beside:
            pieces.append(_text(left + _COLUMN - 22, y + 15, beside, anchor="end", bold=True))
        y += height + 6
    return pieces


def _box(x: float, y: float, width: float, height: float, *, strong: bool, round_: int = 3) -> str:
    stroke = 'stroke-width="2"' if strong else 'stroke-width="1" stroke-dasharray="3 2"'
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round_}" fill="none" '
        f'stroke="currentColor" {stroke}/>'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


# ------------------------------------------------------------------ memberships


def strips(
    sizes: Mapping[str, int], rows: Sequence[tuple[str, Mapping[str, Sequence[int]]]]
) -> str:
    """Return membership vectors as strips of squares, filled where somebody is.

    >>> strips({"databases": 3}, [("b'", {"databases": [1, 2]})]).count("<rect")
    2
    """
    pieces: list[str] = []
    described = []
    y = 4
    for name, places in rows:
        title = name.replace("'", "′")
        described.append(f"{title} in {placed(places)}")
        for group, size in sizes.items():
            about = f"{title}, {group}" if len(sizes) > 1 else title
            pieces += [_text(2, y + 13, about, bold=True), *_strip(size, places[group], y + 18)]
            y += 18 + _SQUARE + 8
    caption = f"{'; '.join(described)}."
    drawn = svg("Membership vectors", "".join(pieces), _STRIP + 4, y, caption)
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


def _strip(size: int, numbers: Sequence[int], y: int) -> list[str]:
    step = min(float(_SQUARE), _STRIP / size)
    frame = f'y="{y}" height="{_SQUARE}" stroke="currentColor"'
    pieces = [f'<rect x="2" width="{step * size:.6g}" fill="none" {frame}/>']
    pieces += [
        f'<rect x="{2 + step * (first - 1):.6g}" width="{step * (last - first + 1):.6g}" '
        f'fill="currentColor" fill-opacity=".65" {frame}/>'
        for first, last in runs(numbers)
    ]
    for n in range(1, size) if step >= _FINE else ():
        x = f"{2 + step * n:.6g}"
        pieces.append(
            f'<line x1="{x}" x2="{x}" y1="{y}" y2="{y + _SQUARE}" stroke="currentColor"/>'
        )
    return pieces
