"""The report of a setting with random data: as an article, as a page, and in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing
from dpcomp_sym.errors import InputError
from dpcomp_sym.report.article import argued
from dpcomp_sym.report.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Section,
    StatementBlock,
    Table,
    capital,
    plain,
    with_numbers,
)
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.notebook import Shown, embedded
from dpcomp_sym.report.page import chip, page
from dpcomp_sym.report.setting import label_of
from dpcomp_sym.report.works import cited
from dpcomp_sym.uncertainty.settings.guarantee import StatedGuarantee, TextTable, loss

__all__ = ["document_of", "embedded_page", "page_of", "shown"]


class Reported(Protocol):
    """What a report is about: everything that was found of a setting."""

    @property
    def title(self) -> str:
        """What the spec calls itself."""

    @property
    def verdict(self) -> str:
        """Whether it is proved, or vacuous."""

    @property
    def setting(self) -> str:
        """What is random, what is published, what the attacker knows."""

    @property
    def guarantees(self) -> Sequence[StatedGuarantee]:
        """The first is what the whole setting guarantees."""

    @property
    def tables(self) -> Sequence[TextTable]:
        """Losses one by one."""

    @property
    def trace(self) -> Sequence[Step]:
        """How the guarantees follow."""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""

    @property
    def drawing(self) -> Drawing | None:
        """What can be drawn, if anything."""


def document_of(finding: Reported) -> Document:
    """Return the report: setting, guarantees, tables, derivation."""
    label = label_of(finding.title)
    setting = (Paragraph(plain(finding.setting)),)
    sections = [Section("Setting", f"{label}:setting", setting)]
    if finding.guarantees:
        items: tuple[tuple[Block, ...], ...] = tuple(
            (Paragraph(_guarantee_text(g)),) for g in finding.guarantees
        )
        body = (Paragraph("What the attacker learns is bounded as follows."), Items(items))
        proof = (Paragraph(f"See [[{label}:derivation]]."),) if finding.trace else ()
        statement = StatementBlock("theorem", "", f"{label}:theorem", body, proof)
        sections.append(Section("Guarantees", f"{label}:guarantee", (statement,)))
    tables = tuple(_blocks_of(table) for table in finding.tables)
    if tables:
        flat = tuple(block for blocks in tables for block in blocks)
        sections.append(Section("Losses", f"{label}:losses", flat))
    if finding.trace:
        labels = tuple(f"{label}:step{step.step}" for step in finding.trace)
        steps = tuple((Paragraph(_step_text(step, labels)),) for step in finding.trace)
        listing = Items(steps, labels, numbered=True)
        sections.append(Section("Derivation", f"{label}:derivation", (listing,)))
    if finding.notes:
        notes = tuple((Paragraph(plain(note)),) for note in finding.notes)
        sections.append(Section("Notes", f"{label}:notes", (Items(notes),)))
    abstract = (
        "What an attacker learns who is uncertain about the data: exact losses, and what the "
        "composition of the single losses and dependencies allows."
    )
    return Document(finding.title, abstract, tuple(sections))


def page_of(finding: Reported) -> str:
    """Return the report as one self-contained HTML page, with the drawing if it can be made."""
    return page(finding.title, _body(finding))


def embedded_page(finding: Reported) -> str:
    """Return what notebooks show as HTML."""
    return embedded(_body(finding))


def shown(finding: Reported) -> Shown:
    """Return what notebooks show where they show no HTML."""
    return Shown(document_of(finding).blocks, finding.title, finding.verdict)


def _body(finding: Reported) -> str:
    document = document_of(finding)
    writer = HtmlWriter(document.blocks)
    head = f"<h1>{escape(finding.title)}</h1><p>{chip(finding.verdict)}</p>{_figure(finding)}"
    return head + writer.blocks(document.blocks) + writer.works()


def _figure(finding: Reported) -> str:
    if finding.drawing is None:
        return ""
    try:
        drawn = finding.drawing.svg()
    except InputError:  # without matplotlib the tables say the same
        return ""
    return f"<figure>{drawn[drawn.index('<svg') :]}</figure>"


def _guarantee_text(g: StatedGuarantee) -> str:
    how = "exactly" if g.exact else "at most"
    epsilon = rf"$\varepsilon = {g.latex}$" if g.latex else _epsilon_words(g)
    by = cited(g.by) or plain(g.by)
    return f"{capital(plain(g.about))}: {how} {epsilon} at $\\delta = {g.delta}$, by {by}."


def _epsilon_words(g: StatedGuarantee) -> str:
    return f"$\\varepsilon$ = {plain(g.text or loss(g.factor))}"


def _step_text(step: Step, labels: Sequence[str]) -> str:
    source = cited(step.source)
    why = f"{plain(step.rule)} {source}" if source else plain(step.rule)
    because = argued(step.rule, why, [labels[n - 1] for n in step.uses])
    return f"{capital(plain(step.statement))}. {because}"


def _blocks_of(table: TextTable) -> tuple[Block, ...]:
    width = 1 / len(table.columns) - 0.03  # columns have gaps between them
    rows = tuple(tuple(with_numbers(cell) for cell in row) for row in table.rows)
    header = tuple(plain(column) for column in table.columns)
    return (
        Paragraph(f"*{plain(table.title)}*."),
        Table(header, rows, (width,) * len(header)),
    )
