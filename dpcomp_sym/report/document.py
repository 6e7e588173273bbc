r"""What a report consists of, before it is LaTeX or HTML.

Prose is written once, with a few marks: ``$mathematics$`` in LaTeX, ``*emphasis*``, ```code```,
``[[label]]`` for a reference and ``[@key|where]`` for a citation.  A backslash takes a mark's
meaning away; :func:`plain` does that to words that come from a user.

>>> read("by [[lem:c1]], $D$ is *new*")[1:4]
(Reference(labels=('lem:c1',)), ', ', Math(latex='D'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dpcomp_sym.report.layout import DETAILS

__all__ = [
    "Block",
    "Citation",
    "Code",
    "Display",
    "Document",
    "Emphasis",
    "Example",
    "Inline",
    "Items",
    "Math",
    "Memberships",
    "Paragraph",
    "Reference",
    "Section",
    "StatementBlock",
    "Table",
    "capital",
    "listed",
    "names_of",
    "of_detail",
    "plain",
    "read",
    "spelled",
    "with_numbers",
    "written",
]


# ------------------------------------------------------------------ inside a paragraph


@dataclass(frozen=True, slots=True)
class Math:
    """A formula in LaTeX, without dollar signs."""

    latex: str


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Words to stress."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Words of a computer."""

    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """References to labelled blocks."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation: the key of a work, and the place in it."""

    key: str
    where: str


Inline = str | Math | Emphasis | Code | Reference | Citation

_MARKS = re.compile(
    r"""\\(?P<plain>[\\$*`\[\]])
      | \$(?P<math>[^$]*)\$
      | \*(?P<emphasis>(?:[^*\\]|\\.)+)\*
      | `(?P<code>(?:[^`\\]|\\.)+)`
      | \[\[(?P<labels>[^\]]+)\]\]
      | \[@(?P<key>[^\]|]+)(?:\|(?P<where>[^\]]*))?\]""",
    re.VERBOSE,
)


def plain(text: str) -> str:
    r"""Return words in which nothing is a mark.

    >>> plain("a *b*")
    'a \\*b\\*'
    """
    return re.sub(r"([\\$*`\[\]])", r"\\\1", text)


def with_numbers(text: str) -> str:
    r"""Return words in which nothing is a mark, and numbers such as 3e-06 are formulas.

    >>> print(with_numbers("3e-06 at 1e+20, not x1e-5 nor *"))
    $3 \cdot 10^{-6}$ at $10^{20}$, not x1e-5 nor \*
    """

    def power(found: re.Match[str]) -> str:
        mantissa, exponent = found[1], int(found[2])
        times = "" if mantissa == "1" else rf"{mantissa} \cdot "
        return rf"${times}10^{{{exponent}}}$"

    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]\d+)\b", power, plain(text))


def _bare(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def read(text: str) -> tuple[Inline, ...]:
    """Return the pieces of marked prose."""
    found: list[Inline] = []

    def add(words: str) -> None:
        if words and found and isinstance(found[-1], str):
            found[-1] += words
        elif words:
            found.append(words)

    at = 0
    for match in _MARKS.finditer(text):
        add(text[at : match.start()])
        at = match.end()
        kind = match.lastgroup
        if match["plain"]:
            add(match["plain"])
        elif match["math"] is not None:
            found.append(Math(match["math"]))
        elif kind == "emphasis":
            found.append(Emphasis(_bare(match["emphasis"])))
        elif kind == "code":
            found.append(Code(_bare(match["code"])))
        elif kind == "labels":
            found.append(Reference(tuple(match["labels"].split(","))))
        else:
            found.append(Citation(match["key"], match["where"] or ""))
    add(text[at:])
    return tuple(found)


def written(pieces: Iterable[Inline]) -> str:
    """Return pieces as marked prose, which :func:`read` reads.

    >>> written(read("$x$ of [[lem:c1]] is *new*"))
    '$x$ of [[lem:c1]] is *new*'
    """
    return "".join(map(_marked, pieces))


def _marked(piece: Inline) -> str:
    match piece:
        case str():
            return plain(piece)
        case Math(latex):
            return f"${latex}$"
        case Emphasis(text):
            return f"*{plain(text)}*"
        case Code(text):
            return f"`{plain(text)}`"
        case Reference(labels):
            return f"[[{','.join(labels)}]]"
        case Citation(key, where):
            return f"[@{key}|{where}]" if where else f"[@{key}]"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def spelled(number: int) -> str:
    """Return a small number as a word.

    >>> spelled(2), spelled(12)
    ('two', '12')
    """
    return {2: "two", 3: "three", 4: "four", 5: "five"}.get(number, str(number))


def capital(text: str) -> str:
    """Return a sentence with a capital letter at its start.

    >>> capital("it is so")
    'It is so'
    """
    return f"{text[:1].upper()}{text[1:]}"


# ------------------------------------------------------------------ blocks


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Marked prose; ``ragged``: with formulas that are too long for lines of one width."""

    text: str
    ragged: bool = False


@dataclass(frozen=True, slots=True)
class Display:
    """A displayed formula; ``before`` and ``after`` (a full stop) stand on its line."""

    latex: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; a numbered one has a label for each item, or none."""

    items: tuple[tuple[Block, ...], ...]
    labels: tuple[str, ...] = ()
    numbered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class StatementBlock:
    """A numbered definition, lemma, theorem, proposition, remark or example."""

    kind: str
    title: str
    label: str
    body: tuple[Block, ...]
    proof: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table of marked prose; ``widths`` are shares of the line."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """Two databases: a counterexample in the form of the JSON output."""

    data: Mapping[str, Any]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Memberships:
    """Which databases persons are in: for each name, a formula, the numbers from 1 by group.

    ``sizes`` says how many databases each group has.
    """

    sizes: Mapping[str, int]
    rows: tuple[tuple[str, Mapping[str, Sequence[int]]], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section with a heading."""

    title: str
    label: str
    blocks: tuple[Block, ...]


Block = Paragraph | Display | Items | StatementBlock | Table | Example | Memberships | Section


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    abstract: str
    blocks: tuple[Block, ...]
    contents: bool = field(default=False)


def of_detail(document: Document, detail: str) -> Document:
    """Return a report with the theorem only, with its proof, or with everything.

    >>> lemma = StatementBlock("lemma", "", "a:one", (Paragraph("So."),), (Paragraph("Clear."),))
    >>> trust = Section("D", "a:trust", ())
    >>> whole = Document("A", "B", (Section("C", "a:guarantee", (lemma,)), trust))
    >>> short = of_detail(whole, "theorem")
    >>> [block.title for block in short.blocks], short.blocks[0].blocks[0].proof
    (['C'], ())
    """
    kept = tuple(
        block for block in document.blocks
        if not (isinstance(block, Section) and block.label.rpartition(":")[2] in DETAILS[detail])
    )  # fmt: skip
    return replace(document, blocks=_without_proofs(kept) if detail == "theorem" else kept)


def _without_proofs(blocks: Iterable[Block]) -> tuple[Block, ...]:
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Section):
            found.append(replace(block, blocks=_without_proofs(block.blocks)))
        else:
            found.append(replace(block, proof=()) if isinstance(block, StatementBlock) else block)
    return tuple(found)


def names_of(blocks: Iterable[Block]) -> dict[str, str]:
    """Return what references call the labelled blocks, which are numbered in their order.

    >>> names_of([StatementBlock("lemma", "", "a:one", (Paragraph("It is so."),))])
    {'a:one': 'lemma 1'}
    """
    names: dict[str, str] = {}
    count = 0

    def number(inner: Iterable[Block]) -> None:
        nonlocal count
        for block in inner:
            match block:
                case Section(title, label, within):
                    names[label] = f"“{title}”"
                    number(within)
                case StatementBlock(kind, _, label, body, proof):
                    count += 1
                    names[label] = f"{kind} {count}"
                    number((*body, *proof))
                case Example(_, label):
                    count += 1
                    names[label] = f"example {count}"
                case Items(items, labels, _, start):
                    for step, label in enumerate(labels, start):
                        names[label] = f"step {step}"
                    for item in items:
                        number(item)
                case _:
                    pass

    number(blocks)
    return names
