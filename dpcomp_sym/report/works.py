"""The works that reports cite, and how the sources of a rule become citations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["WORKS", "Work", "bibliography", "cited", "with_entries_of"]


def with_entries_of(place: Path, text: str) -> str:
    r"""Return a BibTeX file that is there already, with the entries that it does not have yet.

    So the works of several reports can be written to one file, each of them once.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "paper.bib")
    ...     first = with_entries_of(file, bibliography(["Des"]))
    ...     _ = file.write_text("@book{Own,\n  title = {Mine}\n}\n", encoding="utf-8")
    ...     both = with_entries_of(file, bibliography(["Des"]))
    >>> first == bibliography(["Des"]), re.findall("^@.*", both, re.MULTILINE)
    (True, ['@book{Own,', '@phdthesis{Des,'])
    """
    if not place.is_file():
        return text
    there = place.read_text(encoding="utf-8")
    known = set(re.findall(r"^\s*@\w+\s*\{\s*([^,\s]+)", there, re.MULTILINE))
    entries = re.split(r"\n\n(?=@)", text.rstrip())[1:]
    new = [e for e in entries if e.partition("{")[2].partition(",")[0] not in known]
    return "\n\n".join([there.rstrip(), *new]) + "\n" if there.strip() else text


@dataclass(frozen=True, slots=True)
class Work:
    """A published work: the kind of BibTeX entry, and its fields."""

    kind: str
    author: str
    title: str
    where: str
    year: str
    field: str = "note"
    more: tuple[tuple[str, str], ...] = ()
    """Further fields of BibTeX: series, volume, pages, eprint."""

    def bibtex(self, key: str) -> str:
        """Return the BibTeX entry.

        >>> print(WORKS["BS16"].bibtex("BS16").splitlines()[0])
        @inproceedings{BS16,
        """
        fields = [
            ("author", self.author), ("title", f"{{{self.title}}}"), (self.field, self.where),
            ("year", self.year), *self.more,
        ]  # fmt: skip
        said = [f"  {name} = {{{_bibtex(value)}}}" for name, value in fields if value]
        return f"@{self.kind}{{{key},\n" + ",\n".join(said) + "\n}"

    def text(self) -> str:
        """Return the entry as it stands in a list of references."""
        names = [" ".join(reversed(a.split(", "))) for a in self.author.split(" and ")]
        authors = ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]
        return ". ".join(filter(None, (authors, self.title, self.where, self.year))) + "."


_ACCENTS: Final = {"À": r"{\`A}", "é": r"{\'e}", "ø": r"{\o}", "ü": r"{\"u}", "–": "--"}


def _bibtex(text: str) -> str:
    """Return words as every BibTeX reads them: letters with accents in braces."""
    return "".join(_ACCENTS.get(letter, letter) for letter in text)


def bibliography(keys: Iterable[str]) -> str:
    r"""Return a BibTeX file with the works cited by these keys.

    >>> print(bibliography(["Des"]))
    % Written by dpcomp.
    <BLANKLINE>
    @phdthesis{Des,
      author = {Desfontaines, Damien},
      title = {{Lowering the Cost of Anonymization}},
      school = {ETH Z{\"u}rich},
      year = {2020}
    }
    <BLANKLINE>
    """
    entries = [WORKS[key].bibtex(key) for key in sorted(set(keys))]
    return "\n\n".join(["% Written by dpcomp.", *entries]) + "\n"


def _arxiv(number: str) -> tuple[tuple[str, str], ...]:
    return ("eprint", number), ("archiveprefix", "arXiv")


_GB = (
    "Guerra-Balboa, Patricia and Miranda-Pascual, Àlex and Parra-Arnau, Javier and Strufe, Thorsten"
)

WORKS: Final = {
    "GB24": Work(
        "inproceedings", _GB,
        "Composition in Differential Privacy for General Granularity Notions",
        "37th IEEE Computer Security Foundations Symposium (CSF), long version arXiv:2308.14649",
        "2024", "booktitle", _arxiv("2308.14649"),
    ),
    "GB24s": Work(
        "misc",
        "Miranda-Pascual, Àlex and Guerra-Balboa, Patricia and Parra-Arnau, Javier and "
        "Strufe, Thorsten",
        "Unlocking the Potential of Composition for General Neighborhood Definitions",
        "Extended summary of the work on general granularity notions", "",
    ),
    "GB24t": Work(
        "misc", _GB,
        "Composability Properties of Differential Privacy for General Granularity Notions",
        "Slides, 37th IEEE Computer Security Foundations Symposium (CSF)", "2024",
    ),
    "HBW": Work(
        "misc", "Hartmann, Valentin and Bindschaedler, Vincent and West, Robert",
        "On the Choice of Databases in Differential Privacy Composition", "arXiv:2209.13697",
        "2022", "note", _arxiv("2209.13697"),
    ),
    "Des": Work(
        "phdthesis", "Desfontaines, Damien", "Lowering the Cost of Anonymization",
        "ETH Zürich", "2020", "school",
    ),
    "BS16": Work(
        "inproceedings", "Bun, Mark and Steinke, Thomas",
        "Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds",
        "Theory of Cryptography (TCC), arXiv:1605.02065", "2016", "booktitle",
        _arxiv("1605.02065"),
    ),
    "CKS20": Work(
        "inproceedings", "Canonne, Clément L. and Kamath, Gautam and Steinke, Thomas",
        "The Discrete Gaussian for Differential Privacy",
        "Advances in Neural Information Processing Systems (NeurIPS), arXiv:2004.00010", "2020",
        "booktitle",
    ),
    "DRS19": Work(
        "article", "Dong, Jinshuo and Roth, Aaron and Su, Weijie J.",
        "Gaussian Differential Privacy", "arXiv:1905.02383", "2019", "journal",
        _arxiv("1905.02383"),
    ),
    "Z3": Work(
        "inproceedings", "de Moura, Leonardo and Bjørner, Nikolaj", "Z3: An Efficient SMT Solver",
        "Tools and Algorithms for the Construction and Analysis of Systems (TACAS)", "2008",
        "booktitle",
    ),
}  # fmt: skip

_OWN: Final = {
    "N1": "attainment of the profile bound",
    "N2": "pushforward",
    "conversions": "[@BS16|Prop. 1.3, 1.4], [@CKS20|Prop. 12], [@DRS19|Cor. 2.13]",
}


def cited(source: str | None) -> str:
    """Return the source of a step as marked prose with citations.

    >>> cited("GB24.III.3, VI.3; GB24s.III.1"), cited("N2"), cited(None)
    ('[@GB24|III.3, VI.3], [@GB24s|III.1]', 'pushforward', '')
    """
    places: dict[str, list[str]] = {}
    own: list[str] = []
    key = ""
    for piece in re.split(r"[,;]\s*", source or ""):
        head, _, rest = piece.partition(".")
        if head in WORKS and rest:
            key = head
            places.setdefault(key, []).append(rest)
        elif piece in _OWN:
            own.append(_OWN[piece])
        elif key and re.fullmatch(r"[IVXA-Z0-9.\-]+", piece):
            places[key].append(piece)
        elif piece:
            own.append(piece)
    found = [f"[@{k}|{', '.join(dict.fromkeys(ws))}]" for k, ws in places.items()]
    return ", ".join([*found, *own])
