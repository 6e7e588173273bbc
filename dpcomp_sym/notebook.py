"""What notebooks show of each type of result: a table for IPython.

The table has names, so that nothing is loaded before a result is shown.  What lies below the
reports is shown by :mod:`dpcomp_sym.report.notebook`; other types name the function that does it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

__all__ = ["TYPES", "html", "latex", "markdown", "register"]

_REPORT: Final = "dpcomp_sym.report.notebook:shown_of"
_LIBRARY: Final = "theorems._report:shown_of"

TYPES: Final[dict[str, str]] = {
    "dpcomp_sym.atlas.run.Atlas": "dpcomp_sym.atlas.text:shown",
    "dpcomp_sym.certificates.recheck.Verified": _REPORT,
    "dpcomp_sym.claims.decision.ClaimCounterexample": _REPORT,
    "dpcomp_sym.claims.decision.Decision": _REPORT,
    "dpcomp_sym.derivation.derive.Derivation": _REPORT,
    "dpcomp_sym.derivation.tightness.Witness": _REPORT,
    "dpcomp_sym.engine.conditions.Condition": _REPORT,
    "dpcomp_sym.engine.verdict.Checked": _REPORT,
    "dpcomp_sym.engine.verdict.Counterexample": _REPORT,
    "dpcomp_sym.engine.verdict.Proved": _REPORT,
    "dpcomp_sym.engine.verdict.Refuted": _REPORT,
    "dpcomp_sym.engine.verdict.Unknown": _REPORT,
    "dpcomp_sym.engine.verdict.Vacuous": _REPORT,
    "dpcomp_sym.kernel.theorem.Theorem": _REPORT,
    "dpcomp_sym.membership.setting.Membership": _REPORT,
    "dpcomp_sym.membership.worst.WorstPair": _REPORT,
    "dpcomp_sym.metrics.relate.GranularityComparison": _REPORT,
    "dpcomp_sym.metric_privacy.finding.MetricBound": "dpcomp_sym.metric_privacy.finding:shown",
    "dpcomp_sym.metric_privacy.finding.MetricFinding": "dpcomp_sym.metric_privacy.finding:shown",
    "dpcomp_sym.model.domain.Domain": _REPORT,
    "dpcomp_sym.model.granularity.Granularity": _REPORT,
    "dpcomp_sym.model.problem.Problem": _REPORT,
    "dpcomp_sym.numbers.bound.Bound": _REPORT,
    "dpcomp_sym.optimal.compare.Comparison": _REPORT,
    "dpcomp_sym.stability.check.Stability": _REPORT,
    "dpcomp_sym.surface.changes.Changes": "dpcomp_sym.surface.changes:shown",
    "dpcomp_sym.surface.compared.SideBySide": "dpcomp_sym.surface.compared:shown",
    "dpcomp_sym.surface.sweep.Sweep": "dpcomp_sym.surface.sweep:shown",
    "dpcomp_sym.uncertainty.settings.claims.EventDecision": _REPORT,
    "dpcomp_sym.uncertainty.settings.finding.SettingFinding": (
        "dpcomp_sym.uncertainty.settings.page:shown"
    ),
    "theorems._answers.RecheckedTheorems": "theorems._answers:shown",
    "theorems._entry.Entry": _LIBRARY,
    "theorems._run.Outcome": _LIBRARY,
}
"""Each type of result, and the function that says what is shown of it."""

_PAGES: Final[dict[str, str]] = {
    "dpcomp_sym.atlas.run.Atlas": "dpcomp_sym.atlas.page:framed_page",
    "dpcomp_sym.derivation.derive.Derivation": "dpcomp_sym.report.notebook:of_finding",
    "dpcomp_sym.uncertainty.settings.finding.SettingFinding": (
        "dpcomp_sym.uncertainty.settings.page:embedded_page"
    ),
}
"""Types whose HTML has more than is shown in other forms."""


def _by_type(value: object, table: dict[str, str]) -> Callable[[Any], Any] | None:
    for kind in type(value).__mro__:
        place = table.get(f"{kind.__module__}.{kind.__qualname__}")
        if place is not None:
            module, _, name = place.partition(":")
            found: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
            return found
    return None


def _shown(value: object) -> Any:
    make = _by_type(value, TYPES)
    if make is None:
        raise TypeError(f"notebooks show nothing of {value!r}")
    return make(value)


def html(value: object) -> str:
    """Return a result as HTML.

    >>> from dpcomp_sym.engine import Proved
    >>> "proved" in html(Proved())
    True
    """
    from dpcomp_sym.report.notebook import as_html

    page = _by_type(value, _PAGES)
    return as_html(_shown(value)) if page is None else str(page(value))


def markdown(value: object) -> str:
    """Return a result as Markdown.

    >>> from dpcomp_sym.engine import Unknown
    >>> print(markdown(Unknown("nobody asked")))
    unknown
    <BLANKLINE>
    Nobody asked.
    """
    from dpcomp_sym.report.notebook import as_markdown

    return as_markdown(_shown(value))


def latex(value: object) -> str:
    """Return a result as LaTeX.

    >>> from dpcomp_sym.engine import Proved
    >>> latex(Proved())
    'proved'
    """
    from dpcomp_sym.report.notebook import as_latex

    return as_latex(_shown(value))


def _formula(bound: Any) -> str:
    return f"${bound.latex}$"


def register(shell: Any) -> None:
    """Let an IPython show every type of result as HTML, Markdown and LaTeX."""
    formatters = shell.display_formatter.formatters
    for place in TYPES:
        module, _, name = place.rpartition(".")
        for form, write in (("html", html), ("markdown", markdown), ("latex", latex)):
            formatters[f"text/{form}"].for_type_by_name(module, name, write)
    formatters["text/latex"].for_type_by_name("dpcomp_sym.numbers.bound", "Bound", _formula)
