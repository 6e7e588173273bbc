"""Blocks of a report as HTML with MathML, well-formed as XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape

from dpcomp_sym.report.document import (
    Block,
    Citation,
    Code,
    Display,
    Emphasis,
    Example,
    Items,
    Math,
    Memberships,
    Paragraph,
    Reference,
    Section,
    StatementBlock,
    Table,
    capital,
    names_of,
    read,
)
from dpcomp_sym.report.drawings import figure, strips
from dpcomp_sym.report.page import chip, scrolling
from dpcomp_sym.report.text import TIGHT
from dpcomp_sym.report.works import WORKS

__all__ = ["HtmlWriter", "anchor", "formula", "tight_chip"]

_VERDICTS = frozenset({"proved", "refuted", "checked", "unknown", "vacuous", "computed"})
_SHORT = 24  # signs: a formula of no more fits a line anywhere
_FORMULA = re.compile(r"(<math(?:(?!</math>).)*</math>)([,.;:)]+|-\w+)?")
# What the converter takes for something else, so that it stands too close, too far, or not bold.
_CORRECTED = (
    ("<mo>max</mo>", '<mo lspace="0.17em" rspace="0.17em">max</mo>'),
    ("<mo>min</mo>", '<mo lspace="0.17em" rspace="0.17em">min</mo>'),
    ("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>"),
    ("<mo>&#x02205;</mo>", "<mi>&#x02205;</mi>"),
    ("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"),
    ("<mi>&#x029F5;</mi>", "<mo>&#x02216;</mo>"),
    ("<mi>&#x000AC;</mi>", "<mo>&#x000AC;</mo>"),
    ("<mi>&#x0003A;</mi>", '<mo lspace="0" rspace="0.28em">&#x0003A;</mo>'),
    ('<mn mathvariant="bold">1</mn>', "<mn>&#x1D7CF;</mn>"),
)


@lru_cache(maxsize=4096)
def formula(latex: str, *, display: bool = False) -> str:
    r"""Return a formula as MathML.

    >>> formula(r"\\varepsilon_1")[:28]
    '<math xmlns="http://www.w3.o'
    """
    from latex2mathml.converter import convert

    done: str = convert(_readable(latex), display="block" if display else "inline")
    for wrong, right in _CORRECTED:
        done = done.replace(wrong, right)
    return done


def _in_line(found: re.Match[str]) -> str:
    """Return a formula with what must stay on its line; one that may be too wide scrolls."""
    whole = f"{found[1]}{found[2] or ''}"
    glyphs = len(re.sub(r"<[^>]*>|&[^;]*;|\s", "", whole)) + whole.count("&#")
    if glyphs > _SHORT:
        return f'<span class="long">{whole}</span>'
    return f'<span class="whole">{whole}</span>' if found[2] else whole


def _readable(latex: str) -> str:
    """Return LaTeX in the commands that the converter supports."""
    for old, new in (
        (r"\bigl", r"\left"), (r"\bigr", r"\right"), (r"\Bigl", r"\left"), (r"\Bigr", r"\right"),
        (r"\colon", ":"), (r"\tfrac12", r"\frac{1}{2}"), (r"\tfrac", r"\frac"),
        (r"\dfrac", r"\frac"), (r"\operatorname", r"\mathrm"), (r"\lvert", "|"), (r"\rvert", "|"),
        ("''", r"^{\prime\prime}"), (r"\*", "*"),
    ):  # fmt: skip
        latex = latex.replace(old, new)
    return re.sub(r"(?<!\\)\|([^|]*)\|", r"\\left|\1\\right|", latex)  # each with its other end


def anchor(label: str) -> str:
    """Return the place of a label on a page."""
    return label.replace(":", "-")


def tight_chip(tight: str) -> str:
    """Return whether a bound is the best one, as a coloured word.

    >>> tight_chip("no")
    '<span class="chip loose">not tight</span>'
    """
    kind = {"yes": "tight", "no": "loose"}.get(tight, "unknown")
    return chip(TIGHT.get(tight, TIGHT["unknown"]), kind)


class HtmlWriter:
    """Writes blocks; it numbers statements and steps as it meets them.

    >>> writer = HtmlWriter([StatementBlock("lemma", "", "a:one", (Paragraph("It is *so*."),))])
    >>> writer.prose("by [[a:one]]")
    'by <a href="#a-one">lemma 1</a>'
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.names = names_of(blocks)
        self.cited: dict[str, None] = {}

    def prose(self, text: str) -> str:
        """Return marked prose as HTML."""
        return _FORMULA.sub(_in_line, "".join(map(self._inline, read(text))))

    def _inline(self, piece: object) -> str:
        match piece:
            case str():
                return escape(piece)
            case Math(latex):
                return formula(latex)
            case Emphasis(text):
                return f"<em>{escape(text)}</em>"
            case Code(text):
                return f"<code>{escape(text)}</code>"
            case Reference(labels):
                links = [f'<a href="#{anchor(x)}">{self.names.get(x, x)}</a>' for x in labels]
                return ", ".join(links)
            case Citation(key, where):
                self.cited[key] = None
                place = f", {escape(where)}" if where else ""
                return f'[<a href="#work-{key}">{key}</a>{place}]'
            case _:
                raise TypeError(f"no inline: {piece!r}")

    def blocks(self, blocks: Iterable[Block], level: int = 2) -> str:
        """Return blocks as HTML; sections start at this level of headings."""
        return "\n".join(self._block(block, level) for block in blocks)

    def _block(self, block: Block, level: int) -> str:
        match block:
            case Paragraph(text):
                return f"<p>{self.prose(text)}</p>"
            case Display(latex, after):
                stop = rf"\text{{{after}}}" if after else ""  # inside, or it stands on its own line
                shown = formula(f"{latex}{stop}", display=True)
                return scrolling(f'<div class="display">{shown}</div>', "formula")
            case Items(items, labels, numbered, start):
                tag = "ol" if numbered else "ul"
                first = f' start="{start}"' if start > 1 else ""
                rows = []
                for number, item in enumerate(items):
                    place = f' id="{anchor(labels[number])}"' if labels else ""
                    rows.append(f"<li{place}>{self.blocks(item, level)}</li>")
                return f"<{tag}{first}>{''.join(rows)}</{tag}>"
            case StatementBlock():
                return self._statement(block, level)
            case Table(header, rows_):
                return self._table(header, rows_)
            case Example(data, label):
                place = f' id="{anchor(label)}"' if label else ""
                name = self.names.get(label, "")
                return f"<div{place}>{figure(data, capital(name))}</div>"
            case Memberships(sizes, members):
                return strips(sizes, members)
            case Section(title, label, inner):
                h = f"h{min(level, 4)}"
                heading = f'<{h} id="{anchor(label)}">{escape(title)}</{h}>'
                return f"<section>{heading}{self.blocks(inner, level + 1)}</section>"

    def _statement(self, block: StatementBlock, level: int) -> str:
        name = self.names[block.label]
        title = f" ({escape(block.title)})" if block.title else ""
        proof = ""
        if block.proof:
            proof = f"<details><summary>Proof</summary>{self.blocks(block.proof, level)}</details>"
        return (
            f'<div class="statement" id="{anchor(block.label)}">'
            f"<p><strong>{capital(name)}{title}.</strong></p>"
            f"{self.blocks(block.body, level)}{proof}</div>"
        )

    def _table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        head = "".join(f'<th scope="col">{self.prose(h)}</th>' for h in header)
        body = "".join(
            f"<tr>{''.join(f'<td>{self._cell(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return scrolling(table, "table")

    def _cell(self, text: str) -> str:
        if text in TIGHT.values():
            return tight_chip(next(word for word, said in TIGHT.items() if said == text))
        return chip(text) if text in _VERDICTS else self.prose(text)

    def works(self) -> str:
        """Return the works cited so far, as a list."""
        rows = [
            f'<dt id="work-{key}">{key}</dt><dd>{escape(WORKS[key].text())}</dd>'
            for key in sorted(self.cited)
        ]
        return f"<dl>{''.join(rows)}</dl>" if rows else ""
