"""What has been found of a setting with random data: guarantees, tables, steps and a drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.errors import InputError
from dpcomp_sym.report.article import argued
from dpcomp_sym.report.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Section,
    StatementBlock,
    capital,
    plain,
)
from dpcomp_sym.report.document import Table as TableBlock
from dpcomp_sym.report.setting import label_of
from dpcomp_sym.report.shown import Rich, Shown
from dpcomp_sym.report.works import cited

if TYPE_CHECKING:
    from dpcomp_sym.drawing import Drawing

__all__ = ["SettingFinding", "StatedGuarantee", "TextTable", "decimal", "loss", "upper_log"]

_SHORT: Final = 14
_READABLE: Final = 40


def upper_log(factor: Fraction) -> float:
    """Return ln of a factor ≥ 1, rounded up by less than 10^-15 of max(1, ln).

    >>> 0.6931471805599453 <= upper_log(Fraction(2)) < 0.6931471805599463
    True
    >>> upper_log(Fraction(1))
    0.0
    """
    if factor == 1:
        return 0.0
    try:
        near = math.log(factor.numerator / factor.denominator)
    except OverflowError:
        up, down = math.log(factor.numerator), math.log(factor.denominator)
        return (up - down) + 1e-15 * (up + down)
    return near + 4e-16 * max(1.0, near)


def decimal(number: Fraction) -> str:
    """Return a short decimal.

    >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 2**4000)), decimal(Fraction(0))
    ('0.333333', '7.58608e-1205', '0')
    """
    if number == 0 or abs(number) > Fraction(1, 10**300):
        return f"{number.numerator / number.denominator:.6g}"
    power = math.floor((math.log(number.numerator) - math.log(number.denominator)) / math.log(10))
    mantissa = number * 10 ** (-power)
    return f"{mantissa.numerator / mantissa.denominator:.6g}e{power}"


def loss(factor: Fraction | None) -> str:
    """Return ε in words: exact where that is short.

    >>> loss(Fraction(121, 45)), loss(None), loss(Fraction(1))
    ('0.989128 = ln(121/45)', '∞', '0')
    """
    if factor is None:
        return "∞"
    if factor == 1:
        return "0"
    near = f"{upper_log(factor):.6g}"
    exact = _exact_log(factor, _SHORT)
    return f"{near} = {exact}" if exact else near


def _exact_log(factor: Fraction, longest: int) -> str:
    if max(factor.numerator, factor.denominator) >= 10**longest:
        return ""
    text = str(factor)
    return f"ln({text})" if len(text) <= longest else ""


def _tex(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number)
    return rf"\frac{{{number.numerator}}}{{{number.denominator}}}"


@dataclass(frozen=True, repr=False)
class StatedGuarantee:
    """An (ε, δ) guarantee: of what, how it is known, and whether it is exact.

    ``factor`` is e^ε, None for infinity; ``epsilon`` and ``text`` say ε where e^ε is no fraction.
    """

    about: str
    factor: Fraction | None
    delta: Fraction
    by: str
    exact: bool
    text: str = ""
    epsilon: float | None = None
    latex: str = ""

    def __repr__(self) -> str:  # the factor can have more digits than Python writes
        return f"<Guarantee {self.about}: {self.said}>"

    def _epsilon_latex(self) -> str:
        if self.factor is None:
            return r"\infty"
        if self.factor == 1:
            return "0"
        if _exact_log(self.factor, _SHORT):
            return rf"\ln {_tex(self.factor)}"
        return f"{upper_log(self.factor):.6g}"

    @property
    def said(self) -> str:
        """The guarantee in words."""
        return f"({self.text or loss(self.factor)}, {self.delta})"

    def as_json(self) -> dict[str, Any]:
        """Return the guarantee as a bound of the stable form; a float ε is rounded up."""
        value: Any = "inf"
        if self.epsilon is not None:
            value = [self.epsilon, float(self.delta)]
        elif self.factor is not None:
            value = [upper_log(self.factor), float(self.delta)]
        elif self.text:
            value = None
        exact = self.text if self.factor is None else _exact_log(self.factor, _READABLE)
        return {
            "notion": "approximate",
            "parameter": "epsilon,delta",
            "text": f"{self.about}: {self.text}" if self.text else self.about,
            "latex": rf"\left({self.latex or self._epsilon_latex()}, {_tex(self.delta)}\right)",
            "value": value,
            "exact": f"({exact}, {self.delta})" if exact else None,
            "pareto": None,
            "tight": "yes" if self.exact else "no",
            "by": [self.by],
        }


@dataclass(frozen=True)
class TextTable:
    """A table of texts."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": list(map(list, self.rows)),
        }


@dataclass(frozen=True, repr=False)
class SettingFinding(Rich):
    """What is known of a setting with random data.

    Args:
        title: what the spec calls itself.
        setting: sentences that say what is random, what is published, what the attacker knows.
        guarantees: the first is what the whole setting guarantees.
        tables: losses one by one.
        trace: how the guarantees follow.
        notes: what a reader should know.
        drawing: what can be drawn, if anything.
        verdict: proved, or vacuous where an attacker has nothing to tell apart.
    """

    title: str
    setting: str
    guarantees: Sequence[StatedGuarantee]
    tables: Sequence[TextTable]
    trace: Sequence[Step]
    notes: Sequence[str] = ()
    drawing: Drawing | None = None
    verdict: str = "proved"

    def __repr__(self) -> str:
        stated = "; ".join(f"{g.about}: {g.said}" for g in self.guarantees)
        return f"<Finding {self.title!r}: {self.verdict}; {stated or 'no guarantee'}>"

    @property
    def comparison(self) -> None:
        """Nothing to compare: the tables have what is really lost."""
        return

    @property
    def infinite(self) -> bool:
        """Whether there is no finite guarantee for the whole."""
        return bool(self.guarantees) and self.guarantees[0].as_json()["value"] == "inf"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, in the stable form of the command line."""
        return {
            "schema": "dpcomp/1",
            "title": self.title,
            "verdict": self.verdict,
            "setting": self.setting,
            "conditions": {},
            "profile": {"vectors": [], "exact": True, "proved": True},
            "bounds": [g.as_json() for g in self.guarantees],
            "tables": [table.as_json() for table in self.tables],
            "vacuous": self.verdict == "vacuous",
            "infinite": self.infinite,
            "trace": [step.as_json() for step in self.trace],
        }

    def unwritable(self, option: str) -> str | None:
        """Return why a file cannot be written about this, or None if it can."""
        if option == "certificate":
            return "is for derivations: losses of random data are evaluated, not derived by rules"
        if option == "curve" and self.drawing is None:
            return "has nothing to draw here: give the parameters numbers"
        return None

    def document(self) -> Document:
        """Return the report: setting, guarantees, tables, derivation."""
        label = label_of(self.title)
        setting = (Paragraph(plain(self.setting)),)
        sections = [Section("Setting", f"{label}:setting", setting)]
        if self.guarantees:
            items: tuple[tuple[Block, ...], ...] = tuple(
                (Paragraph(_guarantee_text(g)),) for g in self.guarantees
            )
            body = (Paragraph("What the attacker learns is bounded as follows."), Items(items))
            proof = (Paragraph(f"See [[{label}:derivation]]."),) if self.trace else ()
            statement = StatementBlock("theorem", "", f"{label}:theorem", body, proof)
            sections.append(Section("Guarantees", f"{label}:guarantee", (statement,)))
        tables = tuple(_blocks_of(table) for table in self.tables)
        if tables:
            flat = tuple(block for blocks in tables for block in blocks)
            sections.append(Section("Losses", f"{label}:losses", flat))
        if self.trace:
            labels = tuple(f"{label}:step{step.step}" for step in self.trace)
            steps = tuple((Paragraph(_step_text(step, labels)),) for step in self.trace)
            listing = Items(steps, labels, numbered=True)
            sections.append(Section("Derivation", f"{label}:derivation", (listing,)))
        if self.notes:
            notes = tuple((Paragraph(plain(note)),) for note in self.notes)
            sections.append(Section("Notes", f"{label}:notes", (Items(notes),)))
        abstract = (
            "What an attacker learns who is uncertain about the data: exact losses, and what the "
            "composition of the single losses and dependencies allows."
        )
        return Document(self.title, abstract, tuple(sections))

    def page(self) -> str:
        """Return the report as one self-contained HTML page, with the drawing if it can be made."""
        from dpcomp_sym.report.page import page

        return page(self.title, self._body())

    def _body(self) -> str:
        from html import escape

        from dpcomp_sym.report.html import HtmlWriter
        from dpcomp_sym.report.page import chip

        document = self.document()
        writer = HtmlWriter(document.blocks)
        head = f"<h1>{escape(self.title)}</h1><p>{chip(self.verdict)}</p>{self._figure()}"
        return head + writer.blocks(document.blocks) + writer.works()

    def _figure(self) -> str:
        if self.drawing is None:
            return ""
        try:
            drawn = self.drawing.svg()
        except InputError:  # without matplotlib the tables say the same
            return ""
        return f"<figure>{drawn[drawn.index('<svg') :]}</figure>"

    def curve(self) -> str:
        """Return the drawing, as SVG.

        Raises:
            InputError: matplotlib is not installed, or there is nothing to draw.
        """
        if self.drawing is None:
            raise InputError("there are no numbers to draw here")
        return self.drawing.svg()

    def shown(self) -> Shown:
        """Return what notebooks show where they show no HTML."""
        return Shown(self.document().blocks, self.title, self.verdict)

    def _repr_html_(self) -> str:
        from dpcomp_sym.report.notebook import embedded

        return embedded(self._body())


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
    rows = tuple(tuple(plain(cell) for cell in row) for row in table.rows)
    header = tuple(plain(column) for column in table.columns)
    return (
        Paragraph(f"*{plain(table.title)}*."),
        TableBlock(header, rows, (width,) * len(header)),
    )
