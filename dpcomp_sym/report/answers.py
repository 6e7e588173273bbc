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
from dpcomp_sym.report.document import Block, Document, Section, of_detail
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.layout import Layout
from dpcomp_sym.report.notation import in_notation
from dpcomp_sym.report.page import chip, page
from dpcomp_sym.report.standalone import standalone
from dpcomp_sym.report.works import with_entries_of

__all__ = ["Saved", "Writer", "laid_out", "latex_texts", "texts_of", "write_answer"]


_ENDS: Final = {
    "latex": ".tex", "html": ".html", "latex_fragment": "latex-fragment", "bibtex": ".bib",
}  # fmt: skip
_LATEX: Final = (".tex", "latex-fragment", ".bib")
Writer = Callable[..., str]
"""Writes a text; one of LaTeX may be given a layout."""


def write_answer(
    files: Mapping[str, Path], texts: Mapping[str, Writer], layout: Layout | None = None
) -> None:
    """Write an answer to files: all of them, or nothing.

    Args:
        files: by form, "latex" or "html", the file.
        texts: what is written, by the end of a file's name.
        layout: of LaTeX.

    Raises:
        OSError: a file cannot be written.
    """
    write_whole({
        place: _text(place, texts, _ENDS[form], layout or Layout()) for form, place in files.items()
    })  # fmt: skip


def _text(place: Path, texts: Mapping[str, Writer], form: str, layout: Layout) -> str:
    text = texts[form](layout) if form in _LATEX else texts[form]()
    return with_entries_of(place, text) if form == ".bib" else text


def latex_texts(paper: Callable[[], Document]) -> dict[str, Writer]:
    """Return what LaTeX can be written of a document: an article, a part of one, its works."""
    return {
        ".tex": lambda layout: laid_out(paper(), layout),
        "latex-fragment": lambda layout: laid_out(paper(), layout, whole=False),
        ".bib": lambda layout: latex.bibtex(of_detail(paper(), layout.detail)),
    }


def laid_out(document: Document, layout: Layout, *, whole: bool = True) -> str:
    """Return a document as LaTeX: an article, or a part of one.

    Raises:
        InputError: another letter stands for something else already.
    """
    write = latex.article if whole else latex.fragment
    return in_notation(write(of_detail(document, layout.detail), layout.columns), layout.notation)


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
    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""

    def save(
        self, place: str | Path, form: str | None = None, *, columns: int = 1,
        detail: str = "all", notation: Mapping[str, str] | None = None,
    ) -> Path:  # fmt: skip
        """Write a file about this: the whole of it, or nothing.

        Args:
            place: the file.  The end of its name says what is written: ``.tex`` an article,
                ``.html`` a page, ``.md`` what a notebook shows, ``.json`` what ``--json`` prints,
                ``.bib`` the works that are cited, beside the entries that are there already, and
                of a refuted bound ``.py`` a program that checks it again, and ``.v`` a file for
                Rocq.
            form: another one: ``"latex-fragment"``.
            columns: for how many columns formulas of LaTeX are broken: 1 or 2.
            detail: what LaTeX holds: ``"theorem"``, ``"proof"`` or ``"all"``.
            notation: other letters and signs for formulas of LaTeX, ``{"D": "x"}``.

        Returns:
            the file.

        Raises:
            InputError: nothing is written under this end of a name, or in this form or layout.
            UnwrittenError: a refutation cannot be written for Rocq.
            OSError: the file cannot be written.
        """
        file, known, layout = Path(place), self.texts(), Layout(columns, detail, notation or {})
        asked = form or file.suffix
        if asked not in known:
            said = f"nothing is written as '{asked}'; {nearest(asked, known)}"
            raise InputError(said, where=file.name, word=asked)
        layout.check()
        check_place(file)
        write_whole({file: _text(file, known, asked, layout)})
        return file


def texts_of(
    document: Mapping[str, Any],
    title: str,
    blocks: Callable[[Mapping[str, Any]], Iterable[Block]],
    setting: Callable[[], Sequence[Block]] = tuple,
    heading: str = "The claim",
    said: str = "",
    label: str = "answer",
) -> dict[str, Writer]:
    """Return what can be written of an answer that is plain data, by the end of a file's name.

    Args:
        document: the answer, with its verdict.
        title: what it is called if it has no title.
        blocks: what there is to say of it.
        setting: what it is about; articles and pages begin with it.
        heading: of what there is to say, after the setting.
        said: what the claim says, as marked prose, where the data has it in words only.
        label: how labels begin.
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
            Section("Setting", f"{label}:setting", definitions),
            Section(heading, f"{label}:claim", said),
        ]

    return {
        **latex_texts(lambda: Document(name, summary(shown, said), tuple(whole()))),
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
