r"""Long formulas of LaTeX in several lines.

A pair is broken after its commas, a sum before its signs, what has cases between them and at their
conditions, and what is still too wide at the signs inside its brackets.  Lengths are counted in
letters, as :func:`dpcomp_sym.report.formulas.width` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dpcomp_sym.report.formulas import width

__all__ = ["in_lines"]

_DEEPEST: Final = 3
_SHORT: Final = 12
_BEFORE: Final = re.compile(
    r" (?:\+|-|=|\\(?:le|ge|ne|cdot|land|lor|in|iff|implies|Rightarrow)(?![a-z])) "
)
_LOGICAL: Final = re.compile(r" \\(?:land|lor) ")
_AFTER: Final = re.compile(r"(?<!\\),(?:\\,|\\ | )")


def in_lines(latex: str, most: int) -> list[str]:
    r"""Return a formula in lines that are about as wide as there is room, where it can be broken.

    >>> in_lines("a = b + c", 40), in_lines("a = bbbbbbbb + cccccccc", 12)
    (['a = b + c'], ['a = bbbbbbbb', '+ cccccccc'])
    """
    return [line for piece in _split(latex, most) for line in _wrapped(piece, most)]


def _tops(latex: str, sign: str) -> list[int]:
    """Return where a sign stands outside all braces and brackets."""
    found, depth, at = [], 0, 0
    while at < len(latex):
        if latex.startswith(r"\begin", at):
            depth += 1
        elif latex.startswith(r"\end{", at):
            depth -= 1
        if latex[at] in "{([":
            depth += 1
        elif latex[at] in "})]":
            depth -= 1
        elif depth == 0 and latex.startswith(sign, at) and latex[at - 1 : at] != "\\":
            found.append(at)
        at += 1
    return found


def _split(latex: str, most: int) -> list[str]:
    """Return a formula in lines: after the commas of a pair or a maximum, before plus signs."""
    group = re.fullmatch(
        r"(.*?= )?(\\max)?(?:\\left|\\bigl)?(\(|\\\{)(.*?)(?:\\right|\\bigr)?(\)|\\\})", latex
    )
    if group is not None and _closed(group[4]):
        start, inner = f"{group[1] or ''}{group[2] or ''}", group[4]
        commas = _tops(inner, ", ")
        if _space(latex) <= most or not commas:
            return [rf"{start}\left{group[3]}{inner}\right{group[5]}"]
        marks = [-2, *commas, len(inner)]
        rest = most - _space(start)
        items = [_split(inner[one + 2 : other], rest) for one, other in pairwise(marks)]
        items[0][0] = rf"{start}\bigl{group[3]}{items[0][0]}"
        for item in items[:-1]:
            item[-1] += ","
        items[-1][-1] += rf"\bigr{group[5]}"
        return [line for item in items for line in item]
    if _space(latex) <= most:
        return [latex]
    root = re.fullmatch(r"(.*?= )?\\sqrt\{(.*)\}", latex)
    if root is not None and _balanced(root[2]):
        inner = _split(root[2], most - _space(root[1] or ""))
        inner[0] = f"{root[1] or ''}\\Bigl({inner[0]}"
        inner[-1] += r"\Bigr)^{1/2}"
        return inner
    lines_: list[str] = []
    logic = sorted([*_tops(latex, r" \lor "), *_tops(latex, r" \land ")])
    places = [0, *(_tops(latex, " + ") or logic), len(latex)]
    for left, right in pairwise(places):
        piece = latex[left:right].strip()
        if lines_ and _space(lines_[-1]) + _space(piece) <= most:
            lines_[-1] += f" {piece}"
        else:
            lines_.append(piece)
    return lines_


def _space(latex: str) -> int:
    """Return about how wide a displayed formula is: logical signs and maxima are wide there."""
    signs, words = (
        len(re.findall(x, latex))
        for x in (r"\\l(?:or|and)(?![a-z])", r"\\(?:max|min|sqrt)(?![a-z])")
    )
    return width(latex) + 3 * signs + 2 * words


def _balanced(latex: str) -> bool:
    """Return whether braces match, so that what a pattern has found is one argument."""
    return _never_negative(latex, "{", "}")


def _closed(latex: str) -> bool:
    """Return whether brackets match, so that what a pattern has found is inside one pair."""
    return _never_negative(latex, "(", ")") and _never_negative(latex, r"\{", r"\}")


def _never_negative(latex: str, opening: str, closing: str) -> bool:
    depth = 0
    for mark in re.findall(r"\\?.", latex):
        depth += (mark == opening) - (mark == closing)
        if depth < 0:
            return False
    return depth == 0


# ------------------------------------------------------------------ what is still too wide


def _wrapped(latex: str, most: int) -> list[str]:
    """Return a formula in lines, broken where nothing better is left."""
    if _space(latex) <= most and r"\begin{cases}" not in latex:
        near = r"\frac" in latex and 4 * _space(latex) > 3 * most  # fractions are hard to measure
        return [_fitted(latex)] if near else [latex]
    start, found, end = latex.partition(r"\begin{cases}")
    if found:
        if end.count(r"\end{cases}") == 1:
            return _cases(start, end, most)
        return [latex] if _space(latex) <= most else [_fitted(latex)]
    latex = re.sub(r"(\\(?:sum|max))_\{([^{}]*,\\ [^{}]*|[^{}]*:\\ [^{}]*)\}", _stacked, latex)
    latex = _plain_brackets(latex)
    if _space(latex) <= most:
        return [latex]
    for depth in range(_DEEPEST + 1):
        pieces = _packed(_cut(latex, depth), most)
        if len(pieces) > 1:
            return [line for piece in pieces for line in _wrapped(piece, most)]
    sums = re.fullmatch(r"(.*\\sum_\{\\substack\{[^{}]*\}\}) (.*)", latex)
    return [x for p in sums.groups() for x in _wrapped(p, most)] if sums else [_fitted(latex)]


def _plain_brackets(latex: str) -> str:
    """Return a formula whose brackets may stand in different lines."""
    return re.sub(r"\\(left|right)(?=[()]|\\[{}])", lambda m: rf"\big{m[1][0]}", latex)


def _stacked(below: re.Match[str]) -> str:
    """Return a sum or a maximum with what is below it in lines."""
    rows = re.split(r"(?<=:)\\ |,\\ ", below[2])
    joined = r" \\ ".join(rows)
    return rf"{below[1]}_{{\substack{{{joined}}}}}"


def _fitted(latex: str) -> str:
    r"""Return a formula that is scaled down where it is wider than the line."""
    return rf"\dpfit{{{latex}}}"


def _cut(latex: str, deepest: int, before: re.Pattern[str] = _BEFORE) -> list[str]:
    """Return a formula cut at the signs that are in so many brackets at most.

    What is equated is not left alone in a line if it is short.
    """
    left, equals, _ = latex.partition(" = ")
    first = len(left) + len(equals) if _space(left) < _SHORT else 0
    places, depth, inside = [0], 0, 0
    for at, letter in enumerate(latex):
        escaped = latex[at - 1 : at] == "\\"
        if letter in "{}" and not escaped:
            inside += 1 if letter == "{" else -1
        elif letter in "([])" or (escaped and letter in "{}"):
            depth += 1 if letter in "([{" else -1
        elif not inside and depth <= deepest and at >= max(first, 1):
            if before.match(latex, at):
                places.append(at)
            elif comma := _AFTER.match(latex, at):
                places.append(comma.end())
    return [latex[one:two].strip() for one, two in pairwise([*places, len(latex)]) if one < two]


def _packed(pieces: Sequence[str], most: int) -> list[str]:
    """Return pieces in lines, as many in each as there is room for."""
    found: list[str] = []
    for piece in pieces:
        if found and _space(found[-1]) + _space(piece) <= most:
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def _cases(start: str, rest: str, most: int) -> list[str]:
    """Return a formula with cases, their conditions in lines, below what stands before them."""
    inner, _, end = rest.partition(r"\end{cases}")
    rows = [row.strip() for row in inner.split(r"\\")]
    room = max(_space(row) for row in rows)
    if room + _space(start) <= most:
        return [rf"{start}\begin{{cases}}{inner}\end{{cases}}{end}"]
    lines = [line for row in rows for line in _row(row, most - 2)]
    joined = r" \\ ".join(lines)
    body = rf"\begin{{cases}} {joined} \end{{cases}}{end}"
    open_ = start.count(r"\left") != start.count(r"\right")  # brackets that close behind the cases
    if max(map(_space, lines)) + _space(start) <= most or not start.strip() or open_:
        return [_fitted(f"{start}{body}")]
    return [start.strip(), _fitted(body)]


def _row(row: str, most: int) -> Iterator[str]:
    """Yield a case in lines: its value and the first of its conditions, then the others."""
    value, sign, condition = row.partition("& ")
    if not sign or _space(row) <= most:
        yield row
        return
    words = re.match(r"\\text\{[^{}]*\} ?", condition)
    start = words[0] if words else ""
    flat = _plain_brackets(condition[len(start) :])
    room = max(most - _space(value), most // 2)
    parts = _cut(flat, 1, _LOGICAL)
    pieces = _packed(parts if max(map(_space, parts)) <= room else _cut(flat, 1), room)
    yield f"{value}& {start}{pieces[0]}"
    yield from (rf"& \quad {piece}" for piece in pieces[1:])
