"""Results in notebooks: the same tables and drawings as on a page, with a style of their own.

A type below the reports cannot know them; the package tells IPython to ask :func:`of_value`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.kernel import dag
from dpcomp_sym.membership import Reach
from dpcomp_sym.model import Part
from dpcomp_sym.report import results
from dpcomp_sym.report.article import Finding, reason
from dpcomp_sym.report.choice import ChoiceNotation, numbers_section
from dpcomp_sym.report.document import Block, Memberships, Paragraph
from dpcomp_sym.report.drawings import figure
from dpcomp_sym.report.formulas import NOTION_NAMES, Symbols, sentence
from dpcomp_sym.report.html import Writer, formula, tight_chip
from dpcomp_sym.report.page import chip
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.report.text import NOTIONS, TIGHT, condition_label, equated
from dpcomp_sym.report.webpage import summary_of

if TYPE_CHECKING:
    from dpcomp_sym.engine import (
        Checked,
        Condition,
        Counterexample,
        Proved,
        Refuted,
        Unknown,
        Vacuous,
    )
    from dpcomp_sym.kernel import Theorem
    from dpcomp_sym.membership import Membership, WorstPair
    from dpcomp_sym.model import Problem
    from dpcomp_sym.notions import Bound

__all__ = ["bounds_in_latex", "embedded", "framed", "markdown", "of_finding", "of_value"]

_STYLE: Final = """
.dpcomp .chip { padding: 0 .5em; border-radius: 1em; font-weight: 600; color: #57606a;
  background: #f4f6f8; border: 1px solid currentColor; }
.dpcomp .proved, .dpcomp .tight { color: #116329; background: #dafbe1; }
.dpcomp .refuted { color: #a40e26; background: #ffebe9; }
.dpcomp .checked, .dpcomp .unknown, .dpcomp .loose { color: #7d4e00; background: #fff8c5; }
.dpcomp .vacuous { color: #6639ba; background: #fbefff; }
.dpcomp .wide, .dpcomp .long { overflow-x: auto; max-width: 100%; }
.dpcomp .long { display: inline-flex; }
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


def framed(page: str, title: str) -> str:
    """Return a page with a script of its own, in a frame.

    >>> framed("<p>so</p>", "a page")[:22]
    '<iframe title="a page"'
    """
    style = "width: 100%; height: 40em; border: 0"
    return f'<iframe title="{escape(title)}" style="{style}" srcdoc="{escape(page)}"></iframe>'


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
            row = (NOTIONS[bound.notion], f"${bound.latex}$ {number}".strip(), TIGHT[bound.tight])
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    if finding.conditions:
        lines += ["| condition | verdict | statement |", "| --- | --- | --- |"]
        lines += [
            f"| {condition_label(name)} | {c.verdict} | {c.statement} |"
            for name, c in finding.conditions.items()
        ]
    return "\n".join(lines)


def bounds_in_latex(finding: Finding) -> str | None:
    """Return the bounds as a displayed formula, or None where there are none."""
    if not finding.bounds or finding.vacuous:
        return None
    rows = [rf"\text{{{NOTION_NAMES[b.notion]}: }} & {b.latex}" for b in finding.bounds]
    return r"$$\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}$$"


# ------------------------------------------------------------------ what lies below the reports


def _of_bound(bound: Bound) -> str:
    value = f" {escape(equated(bound.as_json()))}"
    said = tight_chip(bound.tight)
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
    return _written(Notation(problem).definitions())


def _written(blocks: Iterable[Block], title: str = "", verdict: str = "") -> str:
    """Return blocks, after a title and a verdict."""
    every = list(blocks)
    head = f"<strong>{escape(title)}</strong>: " if title and verdict else escape(title)
    start = f"<p>{head}{chip(verdict) if verdict else ''}</p>" if head or verdict else ""
    writer = Writer(every)
    return embedded(start + writer.blocks(every) + writer.works())


def _of_outcome(outcome: Checked | Proved | Unknown | Vacuous) -> str:
    why = getattr(outcome, "scope", None) or getattr(outcome, "reason", None) or ""
    said = f" {escape(why)}" if why else ""
    return embedded(f"<p>{chip(type(outcome).__name__.lower())}{said}</p>")


def _of_data(blocks: Callable[[Any], Iterable[Block]]) -> Callable[[Any], str]:
    """Return what shows a result by its plain data."""

    def shown(value: Any) -> str:
        data = value.as_json()
        return _written(blocks(data), data.get("title") or "", data.get("verdict") or "")

    return shown


def _of_numbers(compared: Mapping[str, Any]) -> Iterable[Block]:
    return numbers_section(compared, "numbers").blocks


def _of_membership(membership: Membership) -> str:
    groups = membership.groups
    problem = membership.with_parts([Part(name, name) for name in groups])
    notation = ChoiceNotation(problem, "choice", membership, Reach((), exact=False))
    memberships, neighbours, _ = notation.definitions()
    return _written((memberships, neighbours))


def _of_pair(pair: WorstPair) -> str:
    def where(side: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        return {g: [i for i, x in enumerate(v, 1) if x] for g, v in side.items()}

    sizes = {group: len(vector) for group, vector in pair.first.items()}
    rows = (("b", where(pair.first)), ("b'", where(pair.second)))
    return _written((Memberships(sizes, rows), Paragraph(f"Weight: {pair.weight}.")))


def _of_theorem(theorem: Theorem) -> str:
    symbols = Symbols()
    said = [Paragraph(f"{sentence(theorem.statement, symbols)}.")]
    return _written([*said, Paragraph(f"By {reason(theorem)}; {len(dag(theorem))} steps.")])


def _of_verified(verified: Any) -> str:
    return embedded(f"<pre>{escape(verified.text())}</pre>")


_SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "claims.decide.Decision": _of_data(results.decision),
    "engine.conditions.Condition": _of_condition,
    "engine.verdict.Checked": _of_outcome,
    "engine.verdict.Counterexample": _of_example,
    "engine.verdict.Proved": _of_outcome,
    "engine.verdict.Refuted": _of_refuted,
    "engine.verdict.Unknown": _of_outcome,
    "engine.verdict.Vacuous": _of_outcome,
    "foreign.stability.Stability": _of_data(results.stability),
    "kernel.theorem.Theorem": _of_theorem,
    "membership.setting.Membership": _of_membership,
    "membership.worst.WorstPair": _of_pair,
    "metrics.relate.Comparison": _of_data(results.relations),
    "model.problem.Problem": _of_problem,
    "notions.bounds.Bound": _of_bound,
    "optimal.compare.Comparison": _of_data(_of_numbers),
    "recheck.Verified": _of_verified,
    "tightness.Witness": _of_data(results.witness),
    "uncertain.claims.Decision": _of_data(results.decision),
}


def of_value(value: object) -> str:
    """Return a result of one of the types that the package registers with IPython, as HTML.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> "Definition 2 (Neighbours)" in of_value(problem)
    True
    """
    module, name = type(value).__module__, type(value).__name__
    return _SHOWN[f"{module.partition('.')[2]}.{name}"](value)
