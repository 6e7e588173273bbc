"""Results in notebooks: the same blocks as in reports, as HTML, Markdown and LaTeX.

HTML brings the style that it needs.  LaTeX needs no theorem environments and no bibliography, so
that a notebook can become a PDF.

Results do not import reports: :mod:`dpcomp_sym.notebook` has IPython call :func:`shown_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.kernel import dag
from dpcomp_sym.membership import VectorReach
from dpcomp_sym.model import Domain, Granularity, Part, Problem, library_granularity
from dpcomp_sym.report import compared, decided, latex, markdown, results
from dpcomp_sym.report.article import CompositionReport, examples, reason, summary_table
from dpcomp_sym.report.choice import ChoiceNotation, numbers_section
from dpcomp_sym.report.document import (
    Block,
    Example,
    Items,
    Memberships,
    Paragraph,
    Table,
    capital,
    listed,
    plain,
)
from dpcomp_sym.report.formulas import Symbols, sentence
from dpcomp_sym.report.html import HtmlWriter
from dpcomp_sym.report.page import chip
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.report.standalone import standalone
from dpcomp_sym.report.text import condition_label
from dpcomp_sym.report.webpage import VACUOUS, summary_of

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
    from dpcomp_sym.numbers import Bound

__all__ = [
    "Shown",
    "as_html",
    "as_latex",
    "as_markdown",
    "embedded",
    "framed",
    "of_finding",
    "shown_of",
]


@dataclass(frozen=True, slots=True)
class Shown:
    """A title and a verdict in words, where there are any, and what follows them."""

    blocks: Sequence[Block]
    title: str = ""
    verdict: str = ""


_STYLE: Final = """
.dpcomp .chip { padding: 0 .5em; border-radius: 1em; font-weight: 600; color: #57606a;
  background: #f4f6f8; border: 1px solid currentColor; }
.dpcomp .proved, .dpcomp .tight { color: #116329; background: #dafbe1; }
.dpcomp .refuted { color: #a40e26; background: #ffebe9; }
.dpcomp .checked, .dpcomp .unknown, .dpcomp .loose { color: #7d4e00; background: #fff8c5; }
.dpcomp .vacuous { color: #6639ba; background: #fbefff; }
.dpcomp .wide, .dpcomp .long { overflow-x: auto; max-width: 100%; }
.dpcomp .long { display: inline-flex; align-items: baseline; }
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


def of_finding(finding: CompositionReport) -> str:
    """Return the answer itself: bounds, conditions, counterexamples, curves."""
    return embedded(summary_of(finding))


def _of_finding(finding: CompositionReport) -> Shown:
    """Return bounds, conditions and counterexamples as blocks."""
    blocks: list[Block] = []
    if finding.vacuous:
        blocks.append(Paragraph(VACUOUS))
    elif finding.bounds:
        blocks.append(results.bounds(finding.bounds))
    blocks += [Items(tuple((Paragraph(plain(note)),) for note in finding.notes))] * bool(
        finding.notes
    )
    if finding.conditions:
        blocks.append(summary_table(finding, finding.notation()))
    for name, example in examples(finding):
        blocks += [Paragraph(f"*{plain(name)}.*"), example]
    return Shown(blocks, finding.title or "A composition", finding.verdict)


# ------------------------------------------------------------------ the three forms


def as_html(shown: Shown) -> str:
    """Return HTML."""
    every = list(shown.blocks)
    title = escape(shown.title)
    verdict = chip(shown.verdict) if shown.verdict else ""
    head = f"<strong>{title}</strong>: {verdict}" if title and verdict else title or verdict
    writer = HtmlWriter(every)
    start = f"<p>{head}</p>" if head else ""
    return embedded(start + writer.blocks(every) + writer.works())


def as_markdown(shown: Shown) -> str:
    """Return Markdown.

    >>> print(as_markdown(Shown([Paragraph("It is $x$.")], "A claim", "proved")))
    **A claim**: proved
    <BLANKLINE>
    It is $x$.
    """
    title = f"**{markdown.escape(shown.title)}**" if shown.title else ""
    head = ": ".join(filter(None, (title, markdown.escape(shown.verdict))))
    return "\n\n".join(filter(None, (head, markdown.markdown(shown.blocks))))


def as_latex(shown: Shown) -> str:
    r"""Return LaTeX for amsmath, amssymb, array, booktabs and longtable.

    >>> print(as_latex(Shown([Paragraph("It is $x$.")], "A claim", "proved")).splitlines()[0])
    \textbf{A claim}: proved
    """
    title = rf"\textbf{{{latex.escape(shown.title)}}}" if shown.title else ""
    head = ": ".join(filter(None, (title, latex.escape(shown.verdict))))
    body = latex.loosely(latex.lines(standalone(shown.blocks))) if shown.blocks else ""
    return "\n\n".join(filter(None, (head, body)))


# ------------------------------------------------------------------ what lies below the reports


def _of_bound(bound: Bound) -> Shown:
    return Shown([results.bounds([bound])])


def _of_example(example: Counterexample) -> Shown:
    return Shown([Example(replace(example, blocks=()).as_json({}))])


def _of_refuted(outcome: Refuted) -> Shown:
    return replace(_of_example(outcome.counterexample), verdict="refuted")


def _of_condition(condition: Condition) -> Shown:
    said = [Paragraph(f"{plain(condition.statement)}.")]  # it may start with a name
    if condition.weakest_latex:
        when = f"{plain(condition.weakest or '')}: ${condition.weakest_latex}$"
        said.append(Paragraph(f"It holds exactly when {when}."))
    elif condition.no_weakest:
        said.append(Paragraph(f"For which labels it holds: {plain(condition.no_weakest)}."))
    if condition.reason:
        said.append(Paragraph(f"{capital(plain(condition.reason))}."))
    example = getattr(condition.outcome, "counterexample", None)
    drawn = () if example is None else _of_example(example).blocks
    return Shown([*said, *drawn], condition_label(condition.name), condition.verdict)


def _of_problem(problem: Problem) -> Shown:
    return Shown(list(Notation(problem).definitions()))


def _of_domain(domain: Domain) -> Shown:
    """Return which databases there are: the first definition of every problem about them."""
    problem = Problem(domain, library_granularity("unbounded"), [], [])
    return Shown([next(Notation(problem).definitions())], domain.name)


def _of_granularity(granularity: Granularity) -> Shown:
    """Return the edits as they are written; what they mean depends on the domain."""
    rows = tuple(
        (
            ", ".join(f"`{plain(name)}`: {plain(sort)}" for name, sort in edit.params.items()),
            "" if edit.guard == "true" else f"`{plain(edit.guard)}`",
            f"records with `{plain(edit.frame)}`"
            + ("" if edit.step == "true" else f", `{plain(edit.step)}`")
            if edit.frame is not None
            else "; ".join(
                f"`{plain(c)}`: `{plain(str(n))}`" for c, n in (edit.change or {}).items()
            ),
        )
        for edit in granularity.edits
    )
    said = [f"`{plain(word)}` is `{plain(what)}`" for word, what in granularity.arguments.items()]
    blocks: list[Block] = [
        Table(("Chosen", "If", "What changes"), rows, (0.25, 0.4, 0.3)),
        *([Paragraph(f"{capital(listed(said))}.")] if said else []),
    ]
    return Shown(blocks, granularity.name)


def _of_outcome(outcome: Checked | Proved | Unknown | Vacuous) -> Shown:
    why = getattr(outcome, "scope", None) or getattr(outcome, "reason", None) or ""
    said = [Paragraph(f"{capital(plain(why))}.")] if why else []
    return Shown(said, verdict=outcome.word)


def _of_data(blocks: Callable[[Any], Iterable[Block]]) -> Callable[[Any], Shown]:
    """Return what shows a result by its plain data."""

    def shown(value: Any) -> Shown:
        data = value.as_json()
        return Shown(list(blocks(data)), data.get("title") or "", data.get("verdict") or "")

    return shown


def _of_numbers(compared: Mapping[str, Any]) -> Iterable[Block]:
    return numbers_section(compared, "numbers").blocks


def _of_membership(membership: Membership) -> Shown:
    groups = membership.groups
    problem = membership.with_parts([Part(name, name) for name in groups])
    notation = ChoiceNotation(problem, "choice", membership, VectorReach((), exact=False))
    memberships, neighbours, _ = notation.definitions()
    return Shown((memberships, neighbours))


def _of_pair(pair: WorstPair) -> Shown:
    def where(side: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        return {g: [i for i, x in enumerate(v, 1) if x] for g, v in side.items()}

    sizes = {group: len(vector) for group, vector in pair.first.items()}
    rows = (("b", where(pair.first)), ("b'", where(pair.second)))
    return Shown((Memberships(sizes, rows), Paragraph(f"Weight: {pair.weight}.")))


def _of_theorem(theorem: Theorem) -> Shown:
    symbols = Symbols()
    said = Paragraph(f"{capital(sentence(theorem.statement, symbols))}.")
    return Shown([said, Paragraph(f"By {reason(theorem)}; {len(dag(theorem))} steps.")])


_SHOWN: Final[Mapping[str, Callable[[Any], Shown]]] = {
    "claims.decision.ClaimCounterexample": _of_data(decided.refutation),
    "claims.decision.Decision": _of_data(decided.decision),
    "derivation.derive.Derivation": _of_finding,
    "derivation.tightness.Witness": _of_data(results.witness),
    "engine.conditions.Condition": _of_condition,
    "engine.verdict.Checked": _of_outcome,
    "engine.verdict.Counterexample": _of_example,
    "engine.verdict.Proved": _of_outcome,
    "engine.verdict.Refuted": _of_refuted,
    "engine.verdict.Unknown": _of_outcome,
    "engine.verdict.Vacuous": _of_outcome,
    "stability.check.Stability": _of_data(results.stability),
    "kernel.theorem.Theorem": _of_theorem,
    "membership.setting.Membership": _of_membership,
    "membership.worst.WorstPair": _of_pair,
    "metrics.relate.GranularityComparison": _of_data(compared.relations),
    "model.domain.Domain": _of_domain,
    "model.granularity.Granularity": _of_granularity,
    "model.problem.Problem": _of_problem,
    "numbers.bound.Bound": _of_bound,
    "optimal.compare.Comparison": _of_data(_of_numbers),
    "certificates.recheck.Verified": _of_data(results.verified),
    "uncertainty.settings.claims.EventDecision": _of_data(decided.decision),
}


def shown_of(value: object) -> Shown:
    """Return what to show of a result of one of the types that the package registers with IPython.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> "Definition 2 (Neighbours)" in as_html(shown_of(problem))
    True
    """
    kinds = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(value).__mro__)
    names = (name.removeprefix("dpcomp_sym.") for name in kinds)
    return next(_SHOWN[name] for name in names if name in _SHOWN)(value)
