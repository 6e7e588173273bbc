"""What a result shows of itself in a notebook: a title, a verdict, and blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpcomp_sym.report.document import Block

__all__ = ["Rich", "Shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A title and a verdict in words, where there are any, and what follows them."""

    blocks: Sequence[Block]
    title: str = ""
    verdict: str = ""


class Rich:
    """A result that notebooks show as HTML, Markdown and LaTeX."""

    __slots__ = ()

    @abstractmethod
    def shown(self) -> Shown:
        """Return what to show."""

    def _repr_html_(self) -> str:
        from dpcomp_sym.report.notebook import as_html

        return as_html(self.shown())

    def _repr_markdown_(self) -> str:
        from dpcomp_sym.report.notebook import as_markdown

        return as_markdown(self.shown())

    def _repr_latex_(self) -> str:
        from dpcomp_sym.report.notebook import as_latex

        return as_latex(self.shown())
