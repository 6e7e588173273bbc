"""Smaller answers as files of their own: a LaTeX article, a page for a browser.

Decisions about claims and comparisons of granularities are shown in notebooks as blocks; here the
same blocks become whole files.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from dpcomp_sym import printable
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.files import check_place, write_whole
from dpcomp_sym.report import latex, markdown
from dpcomp_sym.report.document import Block, Document, Section
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.page import chip, page
from dpcomp_sym.report.standalone import standalone

__all__ = ["Saved", "texts_of", "write_answer"]


_ENDS: Final = {"latex": ".tex", "html": ".html"}


def write_answer(files: Mapping[str, Path], texts: Mapping[str, Callable[[], str]]) -> None:
    """Write an answer to files: all of them, or nothing.

    Args:
        files: by form, "latex" or "html", the file.
        texts: what is written, by the end of a file's name.

    Raises:
        OSError: a file cannot be written.
    """
    write_whole({place: texts[_ENDS[form]]() for form, place in files.items()})


def as_page(title: str, verdict: str, blocks: list[Block]) -> str:
    """Return an answer as one page of HTML, which loads nothing.

    >>> from dpcomp_sym.report.document import Paragraph
    >>> "<h1>A claim</h1>" in as_page("A claim", "proved", [Paragraph("It is $x$.")])
    True
    """
    writer = HtmlWriter(blocks)
    body = f"<h1>{escape(title)}</h1><p>{chip(verdict)}</p>{writer.blocks(blocks)}{writer.works()}"
    return page(title, f"{body}<footer><p>Written by dpcomp-sym.</p></footer>")


class Saved(ABC):
    """Answers that can be written to files."""

    @abstractmethod
    def texts(self) -> Mapping[str, Callable[[], str]]:
        """Return what can be written, by the end of a file's name."""

    def save(self, place: str | Path) -> Path:
        """Write a file about this: the whole of it, or nothing.

        Args:
            place: the file.  The end of its name says what is written: ``.tex`` an article,
                ``.html`` a page, ``.md`` what a notebook shows, ``.json`` what ``--json`` prints,
                and of a refutation ``.py`` a program that checks it again.

        Returns:
            the file.

        Raises:
            InputError: nothing is written under this end of a name.
            OSError: the file cannot be written.
        """
        file, known = Path(place), self.texts()
        if file.suffix not in known:
            said = f"nothing is written as '{file.suffix}'; {nearest(file.suffix, known)}"
            raise InputError(said, where=file.name, word=file.suffix)
        check_place(file)
        write_whole({file: known[file.suffix]()})
        return file


def texts_of(
    document: Mapping[str, Any],
    title: str,
    blocks: Callable[[Mapping[str, Any]], Iterable[Block]],
    setting: Callable[[], Sequence[Block]] = tuple,
    heading: str = "The claim",
) -> dict[str, Callable[[], str]]:
    """Return what can be written of an answer that is plain data, by the end of a file's name.

    Args:
        document: the answer, with its verdict.
        title: what it is called if it has no title.
        blocks: what there is to say of it.
        setting: what it is about; articles and pages begin with it.
        heading: of what there is to say, after the setting.
    """
    from dpcomp_sym.report.decided import summary

    name = str(document.get("title") or title)
    shown = printable.in_lines(dict(document))

    verdict = str(document["verdict"])

    def whole() -> list[Block]:
        definitions, said = tuple(setting()), tuple(blocks(shown))
        if not definitions:
            return list(said)
        return [
            Section("Setting", "answer:setting", definitions),
            Section(heading, "answer:claim", said),
        ]

    return {
        ".tex": lambda: latex.article(Document(name, summary(shown), tuple(whole()))),
        ".html": lambda: as_page(name, verdict, whole()),
        ".md": lambda: as_markdown_file(name, verdict, standalone(blocks(shown))),
        ".json": lambda: printable.as_json(document) + "\n",
    }


def as_markdown_file(title: str, verdict: str, blocks: list[Block]) -> str:
    """Return an answer as Markdown.

    >>> from dpcomp_sym.report.document import Paragraph
    >>> print(as_markdown_file("A claim", "proved", [Paragraph("It is $x$.")]))
    # A claim
    <BLANKLINE>
    Verdict: proved.
    <BLANKLINE>
    It is $x$.
    <BLANKLINE>
    """
    said = [f"# {markdown.escape(title)}", f"Verdict: {verdict}.", markdown.markdown(blocks)]
    return "\n\n".join(said).rstrip() + "\n"
