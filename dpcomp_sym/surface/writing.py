"""Files about a derivation: the command line and notebooks write them by the same functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym import printable
from dpcomp_sym.errors import InputError, UnwrittenError, nearest
from dpcomp_sym.files import check_place, write_whole
from dpcomp_sym.report.layout import Layout
from dpcomp_sym.surface.comparing import in_numbers

if TYPE_CHECKING:
    from dpcomp_sym.derivation.derive import Derivation

__all__ = ["FORMS", "Layout", "form_of", "save", "text_for", "write_files"]

FORMS: Final = {
    ".tex": "latex", ".html": "html", ".json": "json", ".v": "rocq", ".svg": "curve",
    ".md": "markdown", ".toml": "toml", ".bib": "bibtex",
}  # fmt: skip
"""What is written to a file, by the end of its name: options of ``dpcomp derive``, and more."""
_OTHERS: Final = ("latex-fragment", "certificate")
"""Forms that have no end of a name of their own."""


def form_of(place: Path, form: str | None = None) -> str:
    """Return in which form a file is written.

    Args:
        place: the file.
        form: the form, where the end of the name does not tell, or tells another one.

    Raises:
        InputError: there is no such form.

    >>> form_of(Path("appendix.tex")), form_of(Path("appendix.tex"), "latex-fragment")
    ('latex', 'latex-fragment')
    >>> form_of(Path("appendix.htm"))
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: appendix.htm: nothing is written as '.htm'; did you mean '.html'?
    """
    if form is not None:
        known = {*FORMS.values(), *_OTHERS}
        if form not in known:
            raise InputError(f"unknown form '{form}'; {nearest(form, known)}", word=form)
        return form
    if place.suffix not in FORMS:
        hint = nearest(place.suffix, FORMS)
        said = f"nothing is written as '{place.suffix}'; {hint}"
        raise InputError(said, where=place.name, word=place.suffix)
    return FORMS[place.suffix]


PLAIN: Final = Layout()


def text_for(form: str, result: Any, layout: Layout) -> str:
    """Return the text of a file about a derivation, in one of its forms."""
    match form:
        case "certificate" | "rocq":
            from dpcomp_sym.certificates.write import as_text
            from dpcomp_sym.certificates.write import certificate as certified

            data = certified(result.theorems, result)
            if form == "certificate":
                return as_text(data)
            from dpcomp_sym.rocq import rocq_file

            return rocq_file(data)
        case "html":
            return str(result.page())
        case "curve":
            return str(result.curve())
        case "json":
            return printable.as_json(result.as_json()) + "\n"
        case "toml":
            spec = result.with_numbers() if result.earlier else result.spec
            return str(spec.to_toml())
        case "markdown":
            from dpcomp_sym.notebook import markdown

            return markdown(result) + "\n"
        case _:
            from dpcomp_sym.report import latex
            from dpcomp_sym.report.answers import laid_out
            from dpcomp_sym.report.document import of_detail

            if form == "bibtex":
                return latex.bibtex(of_detail(result.document(), layout.detail))
            return laid_out(result.document(), layout, whole=form == "latex")


def write_files(
    places: Mapping[str, Path], result: Any, layout: Layout = PLAIN, mark: str = ""
) -> None:
    """Write files about a derivation: all of them, or nothing.

    Args:
        places: form → file.
        result: the derivation.
        layout: of LaTeX.
        mark: what errors set before the name of a form: ``--`` for options.

    Raises:
        InputError: there is nothing to write in one of the forms; the message says why.
        UnwrittenError: a derivation cannot be written for Rocq.
        OSError: a file cannot be written.
    """
    for form in places:
        why = result.unwritable("certificate" if form == "rocq" else form)
        if why:
            raise InputError(f"{mark}{form} {why}")
    texts = {form: text_for(form, result, layout) for form in places}
    if "bibtex" in places:
        from dpcomp_sym.report.works import with_entries_of

        texts["bibtex"] = with_entries_of(places["bibtex"], texts["bibtex"])
    write_whole({place: texts[form] for form, place in places.items()})


def save(
    result: Derivation, place: str | Path, form: str | None = None, layout: Layout = PLAIN
) -> Path:
    """Write one file about a derivation, and return where it is.

    Raises:
        InputError: there is no such form or layout, or nothing to write in it.
        OSError: the file cannot be written.
    """
    file = Path(place)
    written = form_of(file, form)
    check_place(file)
    layout.check()
    if result.numbers is None and result.comparison is not None:
        result = replace(result, numbers=in_numbers(result) or None)
    try:
        write_files({written: file}, result, layout)
    except UnwrittenError as error:
        raise InputError(f"no file for Rocq: {error}") from None
    return file
