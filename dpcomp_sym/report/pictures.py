"""Counterexamples in the shape of their records: edges as a graph, times on a line.

What is drawn follows from the sorts alone: two attributes of one sort make a record an edge, one
integer makes it an event.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from dpcomp_sym.model import Domain
from dpcomp_sym.report.page import svg
from dpcomp_sym.terms import BOOL, INT

__all__ = ["picture"]

_SIZE: Final = 170
_GAP: Final = 16
_MOST: Final = 12


def picture(domain: Domain, example: Mapping[str, Any]) -> str:
    """Return a drawing of both databases, or nothing where records have no shape.

    >>> graph = Domain({"tail": "Vertex", "head": "Vertex"})
    >>> edge = {"cell": {"tail": "a", "head": "b"}, "count": 1}
    >>> picture(graph, {"D": [], "D_prime": [edge]}).count("<circle")
    4
    """
    ends = _ends(domain)
    both = [_cells(example.get(side)) for side in ("D", "D_prime")]
    if not any(both):
        return ""
    if ends is not None:
        return _frame(_graphs(both, *ends), 40 + _SIZE, "The same as graphs")
    times = [a for a, sort in domain.attribute_sorts.items() if sort == INT]
    if len(times) == 1:
        return _frame(_lines(both, times[0]), 128, f"The same along “{times[0]}”")
    return ""


def _ends(domain: Domain) -> tuple[str, str] | None:
    """Return the two attributes that make a record an edge: the only ones of their sort."""
    by_sort: dict[str, list[str]] = {}
    for attribute, sort in domain.attribute_sorts.items():
        if sort != BOOL and sort not in domain.enumerations:
            by_sort.setdefault(sort, []).append(attribute)
    pairs = [names for names in by_sort.values() if len(names) == 2]
    return (pairs[0][0], pairs[0][1]) if len(pairs) == 1 and len(by_sort) == 1 else None


def _cells(database: object) -> list[Mapping[str, Any]]:
    entries = database if isinstance(database, list) else []
    return [e["cell"] for e in entries if isinstance(e, Mapping) and "cell" in e]


def _frame(inner: str, height: int, caption: str) -> str:
    width = 2 * _SIZE + _GAP
    heads = "".join(
        f'<text x="{place * (_SIZE + _GAP) + _SIZE / 2:g}" y="14" text-anchor="middle" '
        f'font-weight="600">{title}</text>'
        for place, title in enumerate(("D", "D′"))
    )
    drawn = svg(caption, f"{heads}{inner}", width, height)
    return f"<figure>{drawn}<figcaption>{escape(caption)}.</figcaption></figure>"


# ------------------------------------------------------------------ graphs


def _graphs(both: Sequence[Sequence[Mapping[str, Any]]], tail: str, head: str) -> str:
    edges = [{(c[tail], c[head]) for c in cells} for cells in both]
    names = sorted({v for side in edges for e in side for v in e}, key=lambda v: (str(type(v)), v))
    if len(names) > _MOST:
        return ""
    pieces = []
    for place, own in enumerate(edges):
        at = _circle(names, place)
        pieces += [
            _edge(at[one[0]], at[one[1]], changed=one not in edges[1 - place])
            for one in sorted(own, key=str)
        ]
        pieces += [_vertex(x, y, name) for name, (x, y) in at.items()]
    return "".join(pieces)


def _circle(names: Sequence[Any], place: int) -> dict[Any, tuple[float, float]]:
    middle = place * (_SIZE + _GAP) + _SIZE / 2
    radius = _SIZE / 2 - 24
    found = {}
    for number, name in enumerate(names):
        angle = 2 * math.pi * number / len(names) - math.pi / 2
        found[name] = (
            middle + radius * math.cos(angle), 30 + _SIZE / 2 + radius * math.sin(angle),
        )  # fmt: skip
    return found


def _edge(one: tuple[float, float], other: tuple[float, float], *, changed: bool) -> str:
    width = 'stroke-width="3"' if changed else 'stroke-width="1" stroke-dasharray="4 3"'
    if one == other:
        return (
            f'<circle cx="{one[0]:.1f}" cy="{one[1] - 12:.1f}" r="10" fill="none" '
            f'stroke="currentColor" {width}/>'
        )
    return (
        f'<line x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{other[0]:.1f}" y2="{other[1]:.1f}" '
        f'stroke="currentColor" {width}/>'
    )


def _vertex(x: float, y: float, name: object) -> str:
    label = str(name)[:10]
    below = 18 if y > 30 + _SIZE / 2 else -8
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/>'
        f'<text x="{x:.1f}" y="{y + below:.1f}" text-anchor="middle">{escape(label)}</text>'
    )


# ------------------------------------------------------------------ times


def _lines(both: Sequence[Sequence[Mapping[str, Any]]], attribute: str) -> str:
    times = sorted({int(c[attribute]) for cells in both for c in cells})
    if len(times) > _MOST:
        return ""
    step = (_SIZE - 40) / max(1, len(times) - 1)
    pieces = []
    for place, cells in enumerate(both):
        left = place * (_SIZE + _GAP) + 20
        pieces.append(
            f'<line x1="{left - 12}" y1="96" x2="{left + _SIZE - 28}" y2="96" '
            'stroke="currentColor"/>'
        )
        for number, time in enumerate(times):
            x = left + number * step
            here = [c for c in cells if c[attribute] == time]
            pieces.append(
                f'<line x1="{x:.1f}" y1="92" x2="{x:.1f}" y2="100" stroke="currentColor"/>'
                f'<text x="{x:.1f}" y="116" text-anchor="middle">{time}</text>'
            )
            for height, cell in enumerate(here[:4]):
                fill = "none" if cell in both[1 - place] else "currentColor"
                pieces.append(
                    f'<circle cx="{x:.1f}" cy="{82 - 14 * height}" r="5" fill="{fill}" '
                    'stroke="currentColor"/>'
                )
    return "".join(pieces)
