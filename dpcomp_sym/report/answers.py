"""Smaller answers as files of their own: a LaTeX article, a page for a browser.

Decisions about claims and comparisons of granularities are shown in notebooks as blocks; here the
same blocks become whole files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from dpcomp_sym.files import write_whole
from dpcomp_sym.report import latex
from dpcomp_sym.report.document import Block, Document, plain
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.page import chip, page
from dpcomp_sym.report.standalone import standalone

__all__ = ["write_answer"]


def write_answer(
    files: Mapping[str, Path], title: str, verdict: str, blocks: Iterable[Block]
) -> None:
    """Write an answer to files: all of them, or nothing.

    Args:
        files: by form, "latex" or "html", the file.
        title: what the answer is about.
        verdict: the word for it.
        blocks: what there is to say.

    Raises:
        OSError: a file cannot be written.
    """
    said = list(blocks)
    writers = {"latex": as_article, "html": as_page}
    write_whole({place: writers[form](title, verdict, said) for form, place in files.items()})


def as_article(title: str, verdict: str, blocks: list[Block]) -> str:
    r"""Return an answer as a LaTeX article.

    >>> from dpcomp_sym.report.document import Paragraph
    >>> text = as_article("A claim", "proved", [Paragraph("It is $x$.")])
    >>> r"\begin{abstract}Verdict: proved.\end{abstract}" in text
    True
    """
    return latex.article(Document(title, plain(f"Verdict: {verdict}."), tuple(standalone(blocks))))


def as_page(title: str, verdict: str, blocks: list[Block]) -> str:
    """Return an answer as one page of HTML, which loads nothing.

    >>> from dpcomp_sym.report.document import Paragraph
    >>> "<h1>A claim</h1>" in as_page("A claim", "proved", [Paragraph("It is $x$.")])
    True
    """
    writer = HtmlWriter(blocks)
    body = f"<h1>{escape(title)}</h1><p>{chip(verdict)}</p>{writer.blocks(blocks)}{writer.works()}"
    return page(title, f"{body}<footer><p>Written by dpcomp-sym.</p></footer>")
