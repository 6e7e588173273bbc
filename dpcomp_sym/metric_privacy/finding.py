"""What was found of mechanisms with given distances: theorems, and how they are reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym import printable
from dpcomp_sym.derivation.derive import Step, steps
from dpcomp_sym.errors import InputError
from dpcomp_sym.kernel import Private, Theorem, dag
from dpcomp_sym.metric_privacy.written import lost
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers.bound import ByNotion
from dpcomp_sym.report.answers import Saved, Writer, latex_texts
from dpcomp_sym.report.article import argued, in_words, reason, spoken
from dpcomp_sym.report.document import (
    Block,
    Display,
    Document,
    Items,
    Paragraph,
    Section,
    StatementBlock,
    listed,
    plain,
)
from dpcomp_sym.report.formulas import Symbols, private
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.page import chip, page
from dpcomp_sym.report.setting import label_of
from dpcomp_sym.report.works import cited
from dpcomp_sym.statements.latex import latex_name

if TYPE_CHECKING:
    from dpcomp_sym.metric_privacy.setting import MetricPart, MetricSetting
    from dpcomp_sym.report.notebook import Shown

__all__ = ["MetricBound", "MetricFinding", "shown"]

_SYMBOLS: Final = Symbols()
_ADAPTIVE: Final = (
    "Each mechanism may read what earlier ones published; its guarantee holds whatever that is."
)
_INFINITE: Final = (
    "Where a distance is infinite, nothing is guaranteed of its mechanisms, whatever their "
    "parameter."
)
_TIGHT: Final = (
    "Tight wherever the distances are finite: for every two databases, mechanisms with these "
    "guarantees lose exactly so much there."
)


@dataclass(frozen=True)
class MetricBound:
    """What is lost at every two databases D and D', in one notion: readings of the theorem."""

    notion: str
    theorem: Theorem

    @property
    def statement(self) -> Private:
        """What the theorem states."""
        said = self.theorem.statement
        if not isinstance(said, Private):
            raise TypeError(f"no guarantee: {said!r}")
        return said

    @property
    def text(self) -> str:
        """The loss as a formula in plain characters."""
        return lost(self.notion, self.statement.loss)

    @property
    def latex(self) -> str:
        """The loss as a formula of LaTeX."""
        return private(self.statement, _SYMBOLS)[1]

    def as_json(self) -> dict[str, Any]:
        """Return the bound as plain data, in the stable form of the command line."""
        return {
            "notion": self.notion, "parameter": NOTIONS[self.notion].parameter,
            "text": self.text, "latex": self.latex, "value": None, "exact": None, "pareto": None,
            "tight": "yes", "by": list(NOTIONS[self.notion].sources[:1]),
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class MetricFinding(Saved):
    """What mechanisms with given distances guarantee; ``save("report.tex")`` writes it to a file.

    Args:
        title: what the spec calls itself.
        about: the mechanisms.
        theorems: the kernel's theorem for each notion.
    """

    title: str
    about: MetricSetting
    theorems: Mapping[str, Theorem]

    @property
    def verdict(self) -> str:
        """What holds is proved."""
        return "proved"

    @property
    def comparison(self) -> None:
        """Nothing to compare in numbers: distances have none."""
        return

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return (_TIGHT, _INFINITE)

    @cached_property
    def bounds(self) -> ByNotion[MetricBound]:
        """The bound in each notion."""
        return ByNotion(MetricBound(notion, found) for notion, found in self.theorems.items())

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """The derivation, step by step."""
        return steps(tuple(self.theorems.values()))

    def __repr__(self) -> str:
        stated = ", ".join(f"{b.notion}: {b.text}" for b in self.bounds)
        return f"<Finding {self.title!r}: {self.verdict}; {stated}>"

    @property
    def setting(self) -> str:
        """The mechanisms and distances, in sentences."""
        said = self._parts()
        known = {p.distance.name: p.distance.text for p in self.about.parts if p.distance.text}
        said += [f"{name}: {text.rstrip('.')}." for name, text in known.items()]
        return " ".join((*said, _ADAPTIVE))

    def _parts(self) -> list[str]:
        return [_said(p, *self.about.sizes_of(p.distance)) for p in self.about.parts]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, in the stable form of the command line."""
        return {
            "schema": "dpcomp/1",
            "title": self.title,
            "verdict": self.verdict,
            "setting": self.setting,
            "conditions": {},
            "profile": {"vectors": [], "exact": True, "proved": True},
            "bounds": [b.as_json() for b in self.bounds],
            "tables": [],
            "vacuous": False,
            "infinite": False,
            "trace": [step.as_json() for step in self.trace],
        }

    def unwritable(self, option: str) -> str | None:
        """Return why a file cannot be written about this, or None if it can."""
        if option == "certificate":
            return "is for derivations about neighbours: here nothing was decided about databases"
        if option == "curve":
            return "has nothing to draw here: distances have no numbers"
        if option == "toml":
            return "is for specs of compositions with neighbours"
        return None

    def curve(self) -> str:
        """Refuse to draw.

        Raises:
            InputError: always.
        """
        raise InputError("there are no numbers to draw here")

    # ---------------------------------------------------------------- reports

    def document(self) -> Document:
        """Return the report, for LaTeX."""
        label = label_of(self.title)
        sections = (
            Section("Setting", f"{label}:setting", tuple(self._setting())),
            Section("Guarantee", f"{label}:guarantee", (self._theorem(label),)),
            Section("Derivation", f"{label}:derivation", tuple(self._derivation(label))),
            Section("Tightness", f"{label}:tightness", tuple(self._tightness())),
        )
        abstract = (
            "What mechanisms that are private for given distances guarantee together, between any "
            "two databases."
        )
        return Document(self.title, abstract, sections)

    def _setting(self) -> Iterator[Block]:
        given = [step for step in self._steps() if step.rule == "given"]
        yield Paragraph("Of the mechanisms this is given, of each for all of its own inputs:")
        yield Items(tuple(tuple(spoken(*in_words(s.statement, _SYMBOLS), "")) for s in given))
        known = {p.distance.name: p.distance.text for p in self.about.parts if p.distance.text}
        for name, text in known.items():
            yield Paragraph(f"${latex_name(name)}$: {plain(text.rstrip('.'))}.")
        yield Paragraph(
            f"{_ADAPTIVE} Distances are pseudometrics, and can be infinite. {_INFINITE}"
        )

    def _theorem(self, label: str) -> StatementBlock:
        body = [
            block for bound in self.bounds
            for block in spoken(*in_words(bound.statement, _SYMBOLS), "")
        ]  # fmt: skip
        sources = [cited(s) or plain(s) for b in self.bounds for s in b.as_json()["by"]]
        known = f"; this is {listed(sources)}" if sources else ""
        proof = Paragraph(f"See [[{label}:derivation]]{known}.")
        return StatementBlock("theorem", "", f"{label}:theorem", tuple(body), (proof,))

    def _steps(self) -> list[Theorem]:
        """Return the steps of all derivations, premises first, each once."""
        return list({id(s): s for found in self.theorems.values() for s in dag(found)}.values())

    def _derivation(self, label: str) -> Iterator[Block]:
        every = self._steps()
        labels = {id(step): f"{label}:step{number}" for number, step in enumerate(every, 1)}
        rows = []
        for step in every:
            because = argued(step.rule, reason(step), [labels[id(p)] for p in step.premises])
            rows.append(tuple(spoken(*in_words(step.statement, _SYMBOLS), because)))
        yield Items(tuple(rows), tuple(labels.values()), numbered=True)

    def _tightness(self) -> Iterator[Block]:
        yield Paragraph(
            "Let $D, D^*$ be databases at finite distances $r_p$, for each mechanism $p$ (one a "
            "block), and $s_p(E) = \\min\\{d_p(D, E), r_p\\}$, which changes by at most $d_p$."
        )
        for bound in self.bounds:
            found = NOTIONS[bound.notion].attaining
            if found is not None:
                yield Paragraph(found.prose)

    def page(self) -> str:
        """Return the report as one self-contained HTML page."""
        blocks = self.document().blocks
        writer = HtmlWriter(blocks)
        head = f"<h1>{escape(self.title)}</h1><p>{chip(self.verdict)}</p>"
        return page(self.title, head + writer.blocks(blocks) + writer.works())

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.notebook import as_markdown

        return {
            **latex_texts(self.document),
            ".html": self.page,
            ".md": lambda: as_markdown(shown(self)) + "\n",
            ".json": lambda: printable.as_json(self.as_json()) + "\n",
        }


def shown(value: MetricFinding | MetricBound) -> Shown:
    """Return what notebooks show."""
    from dpcomp_sym.report.notebook import Shown

    if isinstance(value, MetricBound):
        return Shown((Display(f"{NOTIONS[value.notion].words.formula} = {value.latex}"),), "", "")
    return Shown(value.document().blocks, value.title, value.verdict)


def _said(part: MetricPart, *sizes: int | str) -> str:
    """Return what is given of a mechanism, in a sentence."""
    distance = part.distance
    who = f"The mechanism '{part.name}' is"
    if sizes:
        who = f"The mechanisms '{part.name}', one for each block of {sizes[0]}, are"
    how = listed([f"{NOTIONS[n].words.adjective} ({g})" for n, g in part.guarantees.items()])
    seen = "" if distance.of is None else f" of what '{distance.of}' makes of the databases"
    return f"{who} private for the distance {distance.name}{seen}: {how}."
