"""A derivation as one self-contained page: verdicts, bounds, drawings, the derivation as a tree."""

from __future__ import annotations

from html import escape
from typing import Final

from dpcomp_sym.kernel import Theorem
from dpcomp_sym.notions import NOTIONS, label
from dpcomp_sym.report.article import (
    CompositionReport,
    all_lemmas,
    article,
    attained,
    examples,
    notes_in_words,
    reason,
    step_prose,
    summary_table,
)
from dpcomp_sym.report.bound_numbers import equal_number
from dpcomp_sym.report.curves import curves
from dpcomp_sym.report.document import Document, Paragraph, Section, capital
from dpcomp_sym.report.drawings import figure
from dpcomp_sym.report.formulas import interval
from dpcomp_sym.report.html import HtmlWriter, anchor, tight_chip
from dpcomp_sym.report.page import chip, page, scrolling
from dpcomp_sym.report.pictures import picture
from dpcomp_sym.report.text import TIGHT, why_infinite

__all__ = ["VACUOUS", "page_of", "summary_of"]

VACUOUS: Final = (
    "No two different databases are neighbours here: every statement about neighbours holds, and "
    "none protects anybody."
)


def page_of(finding: CompositionReport) -> str:
    """Return the whole page."""
    document = article(finding)
    writer = HtmlWriter(document.blocks)
    sections = _sections(document)
    body = [
        summary_of(finding, writer, document, setting=True),
        _tree(finding, writer),
        *(
            writer.blocks([sections[name]])
            for name in ("facts", "tightness", "trust")
            if name in sections
        ),
    ]
    works = writer.works()
    if works:
        body.append(f"<section><h2>References</h2>{works}</section>")
    body.append("<footer><p>Written by dpcomp-sym. Nothing on this page is loaded.</p></footer>")
    return page(finding.title or "A composition", "\n".join(body))


def summary_of(
    finding: CompositionReport, writer: HtmlWriter | None = None, document: Document | None = None,
    *, setting: bool = False,
) -> str:  # fmt: skip
    """Return the answer itself, after its setting or alone: bounds, counterexamples, curves."""
    document = document or article(finding)
    writer = writer or HtmlWriter(document.blocks)
    sections = _sections(document)
    pieces = [f"<h1>{escape(document.title)}</h1>", f"<p>Derivation: {chip(finding.verdict)}</p>"]
    if setting and "setting" in sections:
        pieces.append(writer.blocks([sections["setting"]]))
    if finding.vacuous:
        said = f"<p><strong>Vacuous.</strong> {VACUOUS}</p>"
        pieces.append(f'<div class="statement">{said}</div>')
    elif finding.bounds:
        pieces += [f'<h2 id="{_theorem(writer)}">Bounds</h2>', _bounds(finding, writer)]
        if setting:
            tight = attained(finding, finding.notation(), numbered=False)
            pieces.append(writer.blocks(list(tight)))
        if finding.infinite:
            why = why_infinite(
                (b.text for b in finding.bounds), known=all(b.known for b in finding.bounds)
            )
            pieces.append(f"<p><strong>No finite guarantee:</strong> {escape(why)}</p>")
    if finding.notes:
        told = notes_in_words(finding, finding.notation())
        notes = "".join(f"<li>{writer.prose(note)}</li>" for note in told)
        pieces.append(f"<ul>{notes}</ul>")
    if finding.conditions:
        table = summary_table(finding, finding.notation())
        pieces += ["<h2>Conditions</h2>", writer.blocks([table])]
    drawn = examples(finding)
    if drawn:
        domain = finding.problem.domain
        figures = "".join(
            figure(example.data, name) + picture(domain, example.data) for name, example in drawn
        )
        pieces.append(f'<h2>Counterexamples</h2><div class="figures">{figures}</div>')
    plotted = curves([b.as_json() for b in finding.bounds]) if not finding.vacuous else ""
    if plotted:
        pieces.append(f'<h2>Privacy curves</h2><div class="figures">{plotted}</div>')
    found = [sections[name] for name in ("worst", "told", "numbers") if name in sections]
    pieces.append(writer.blocks(found))
    return "\n".join(pieces)


def _sections(document: Document) -> dict[str, Section]:
    """Return the sections by the last word of their labels."""
    return {s.label.rpartition(":")[2]: s for s in document.blocks if isinstance(s, Section)}


def _theorem(writer: HtmlWriter) -> str:
    return next((anchor(x) for x in writer.names if x.endswith(":theorem")), "bounds")


def _bounds(finding: CompositionReport, writer: HtmlWriter) -> str:
    rows = []
    for bound in finding.bounds:
        said, number = f"${bound.latex}$", equal_number(bound)
        value = f"<br/>{writer.prose(number)}" if number else ""
        note = (
            f'<br/><span class="soft">{escape(bound.tight_note)}</span>' if bound.tight_note else ""
        )
        others = "".join(
            f"<br/>{writer.prose(f'for ${interval(numbers)}$: ${other.latex}$')} "
            f'<span class="soft">{escape(TIGHT[other.tight])}</span>'
            for numbers, other in bound.elsewhere
        )
        rows.append(
            f'<tr><th scope="row">{escape(label(bound.notion))}</th>'
            f"<td>{writer.prose(said)}{value}{others}</td>"
            f"<td>{tight_chip(bound.tight)}{note}</td></tr>"
        )
    head = (
        '<tr><th scope="col">Notion</th><th scope="col">Bound</th><th scope="col">Best?</th></tr>'
    )
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    return scrolling(table, "bounds")


# ------------------------------------------------------------------ the derivation


def _tree(finding: CompositionReport, writer: HtmlWriter) -> str:
    if not finding.theorems:
        return ""
    tree = _Tree(finding, writer)
    parts = [
        f"<h3>{escape(capital(NOTIONS[notion].words.name))}</h3>"
        f"{tree.node(theorem, is_open=not number)}"
        for number, (notion, theorem) in enumerate(finding.theorems.items())
    ]
    return (
        f'<section><h2 id="{tree.place}">Derivation</h2>'
        f"<p>Each statement opens to what it follows from.</p>{''.join(parts)}</section>"
    )


class _Tree:
    """Steps as nested disclosures; a step that several others use is written out once."""

    def __init__(self, finding: CompositionReport, writer: HtmlWriter) -> None:
        self.notation = finding.notation()
        self.writer = writer
        self.place = anchor(f"{self.notation.label}:derivation")
        self._facts = {id(s): x for x in all_lemmas(finding, self.notation) for s in x.steps}
        self._seen: dict[int, str] = {}

    def node(self, step: Theorem, *, is_open: bool = False) -> str:
        """Return a step with everything that it follows from."""
        fact = self._facts.get(id(step))
        if fact is not None:
            first = fact.block.body[0]
            said = first.text if isinstance(first, Paragraph) else ""
            return f"<p>{self.writer.prose(f'{said} ([[{fact.label}]])')}</p>"
        said = self.writer.prose(capital(step_prose(step, self.notation)))
        known = self._seen.get(id(step))
        if known is not None:
            return f'<p>{said} <a href="#{known}">(shown above)</a></p>'
        why = "given" if step.rule == "given" else f"by {reason(step)}"
        if not step.premises:
            return f"<p>{said}, {self.writer.prose(why)}.</p>"
        place = self._seen[id(step)] = f"{self.place}-{len(self._seen) + 1}"
        inner = "".join(self.node(p) for p in step.premises)
        opened = ' open="open"' if is_open else ""
        return (
            f'<details id="{place}"{opened}><summary>{said}</summary>'
            f"<p>{self.writer.prose(capital(why))}:</p>{inner}</details>"
        )
