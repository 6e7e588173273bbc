"""What has been found of a setting with random data: guarantees, tables, steps and a drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcomp_sym import printable
from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.errors import InputError
from dpcomp_sym.report.answers import Saved, Writer, latex_texts
from dpcomp_sym.uncertainty.settings.guarantee import StatedGuarantee, TextTable
from dpcomp_sym.uncertainty.settings.page import document_of, page_of, shown

if TYPE_CHECKING:
    from dpcomp_sym.drawing import Drawing
    from dpcomp_sym.report.document import Document

__all__ = ["SettingFinding"]


@dataclass(frozen=True, repr=False)
class SettingFinding(Saved):
    """What is known of a setting with random data; ``save("report.tex")`` writes it to a file.

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
        """Return the report, for LaTeX."""
        return document_of(self)

    def page(self) -> str:
        """Return the report as one self-contained HTML page, with the drawing if it can be made."""
        return page_of(self)

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.notebook import as_markdown

        drawn = {} if self.drawing is None else {".svg": self.curve}
        return {
            **latex_texts(self.document),
            ".html": self.page,
            ".md": lambda: as_markdown(shown(self)) + "\n",
            ".json": lambda: printable.as_json(self.as_json()) + "\n",
            **drawn,
        }

    def curve(self) -> str:
        """Return the drawing, as SVG.

        Raises:
            InputError: matplotlib is not installed, or there is nothing to draw.
        """
        if self.drawing is None:
            raise InputError("there are no numbers to draw here")
        return self.drawing.svg()
