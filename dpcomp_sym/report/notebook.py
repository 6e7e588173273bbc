"""Results in notebooks: the same tables and drawings as on a page, with a style of their own.

A type below the reports cannot know them; the package tells IPython to ask :func:`of_value`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.report.article import Finding
from dpcomp_sym.report.drawings import figure
from dpcomp_sym.report.formulas import NOTION_NAMES
from dpcomp_sym.report.html import Writer, formula
from dpcomp_sym.report.page import chip
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.report.text import CONDITIONS, NOTIONS, equated
from dpcomp_sym.report.webpage import summary_of

if TYPE_CHECKING:
    from dpcomp_sym.engine import Condition, Counterexample, Refuted
    from dpcomp_sym.model import Problem
    from dpcomp_sym.notions import Bound

__all__ = ["bounds_in_latex", "embedded", "markdown", "of_finding", "of_value"]

_STYLE: Final = """
.dpcomp .chip { padding: 0 .5em; border-radius: 1em; font-weight: 600; color: #57606a;
  background: #f4f6f8; border: 1px solid currentColor; }
.dpcomp .proved, .dpcomp .tight { color: #116329; background: #dafbe1; }
.dpcomp .refuted { color: #a40e26; background: #ffebe9; }
.dpcomp .checked, .dpcomp .unknown, .dpcomp .loose { color: #7d4e00; background: #fff8c5; }
.dpcomp .vacuous { color: #6639ba; background: #fbefff; }
.dpcomp .wide { overflow-x: auto; }
.dpcomp .figures { display: flex; flex-wrap: wrap; gap: 0 2.5em; }
.dpcomp th, .dpcomp td { text-align: left !important; vertical-align: top; }
.dpcomp svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
"""


def embedded(body: str) -> str:
    """Return HTML with the style that it needs among other outputs.

    >>> embedded("<p>so</p>").startswith('<div class="dpcomp"><style>')
    True
    """
    return f'<div class="dpcomp"><style>{_STYLE}</style>{body}</div>'


def of_finding(finding: Finding) -> str:
    """Return the answer itself: bounds, conditions, counterexamples, curves."""
    return embedded(summary_of(finding))


def markdown(finding: Finding) -> str:
    """Return bounds and conditions as Markdown."""
    lines = [f"**{finding.title or 'A composition'}**: {finding.verdict}", ""]
    if finding.bounds and not finding.vacuous:
        lines += ["| notion | bound | best? |", "| --- | --- | --- |"]
        for bound in finding.bounds:
            number = equated(bound.as_json())
            row = (NOTIONS[bound.notion], f"${bound.latex}$ {number}".strip(), _TIGHT[bound.tight])
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    if finding.conditions:
        lines += ["| condition | verdict | statement |", "| --- | --- | --- |"]
        lines += [
            f"| {CONDITIONS.get(name, name)} | {c.verdict} | {c.statement} |"
            for name, c in finding.conditions.items()
        ]
    return "\n".join(lines)


_TIGHT: Final = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}


def bounds_in_latex(finding: Finding) -> str | None:
    """Return the bounds as a displayed formula, or None where there are none."""
    if not finding.bounds or finding.vacuous:
        return None
    rows = [rf"\text{{{NOTION_NAMES[b.notion]}: }} & {b.latex}" for b in finding.bounds]
    return r"$$\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}$$"


# ------------------------------------------------------------------ what lies below the reports


def _of_bound(bound: Bound) -> str:
    value = f" {escape(equated(bound.as_json()))}"
    said = chip(_TIGHT[bound.tight], {"yes": "tight", "no": "loose"}.get(bound.tight, "unknown"))
    return embedded(f"<p>{NOTIONS[bound.notion]}: {formula(bound.latex)}{value} {said}</p>")


def _of_example(example: Counterexample) -> str:
    data: dict[str, Any] = replace(example, blocks=()).as_json({})
    data["changed"] = [f"{name} {', '.join(map(str, i))}".strip() for name, i in example.blocks]
    return embedded(figure(data))


def _of_refuted(outcome: Refuted) -> str:
    return embedded(f"<p>{chip('refuted')}</p>{_of_example(outcome.counterexample)}")


def _of_condition(condition: Condition) -> str:
    example = getattr(condition.outcome, "counterexample", None)
    reason = f"<p>{escape(condition.reason)}</p>" if condition.reason else ""
    drawn = "" if example is None else _of_example(example)
    return embedded(
        f"<p>{chip(condition.verdict)} {escape(condition.statement)}</p>{reason}{drawn}"
    )


def _of_problem(problem: Problem) -> str:
    blocks = list(Notation(problem).definitions())
    return embedded(Writer(blocks).blocks(blocks))


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "Bound": _of_bound,
    "Condition": _of_condition,
    "Counterexample": _of_example,
    "Problem": _of_problem,
    "Refuted": _of_refuted,
}


def of_value(value: object) -> str:
    """Return a result of one of the types that the package registers with IPython, as HTML.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> "Definition 2 (Neighbours)" in of_value(problem)
    True
    """
    return _SHOWN[type(value).__name__](value)
