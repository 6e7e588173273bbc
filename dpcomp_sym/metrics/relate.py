"""What ``dpcomp relate`` reports of a class: metrics, distances of granularities, their order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.engine.verdict import (
    Checked,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    Verdict,
    not_decided,
)
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.limits import in_time
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import BoundForm, ClosedForm
from dpcomp_sym.metrics.distance_relation import plain
from dpcomp_sym.metrics.expressions import InequalityAnswer, at_most, is_metric
from dpcomp_sym.metrics.latex import claim_latex, explained, finite_latex, value_latex
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, Granularity, library_granularity, library_names
from dpcomp_sym.model.library import granularity_beside, library_entry
from dpcomp_sym.terms.points import GivenMetric, expression, parts

if TYPE_CHECKING:
    import networkx as nx

_LINE_BREAK: Final = re.compile(r"\s*\n\s*")
LISTED: Final = "all databases and their distances were listed"

__all__ = ["GranularityComparison", "MetricClaim", "compared", "fitting"]


@dataclass(frozen=True)
class MetricClaim:
    """A closed form that is claimed of a granularity's metric, or of a bound of it."""

    granularity: str
    form: ClosedForm
    bound: str = "exact"


def fitting(domain: Domain, own: Mapping[str, Granularity]) -> dict[str, Granularity]:
    """Return granularities over a domain by name: given ones, then the built-ins that fit.

    A built-in fits if it needs nothing, or if what it needs is called like an attribute of the
    domain.  One with the same edits as another, or one way only, is left out.

    >>> sorted(fitting(Domain({"id": "Record", "owner": "Owner"}, cap=1), {}))
    ['attribute', 'bounded', 'free_lunch', 'unbounded', 'unbounded_or_bounded', 'user', \
'user_presence']
    """
    found = dict(own)
    seen = {g.bind(domain).edits for g in found.values()}
    for name in library_names("granularity"):
        words = library_entry("granularity", name).get("arguments", {})
        missing = [w for w, usual in words.items() if usual == ""]
        if name in found or not set(missing) <= set(domain.attributes):
            continue
        granularity = granularity_beside(
            library_granularity(name, **{w: w for w in missing}), domain
        )
        try:
            bound = granularity.bind(domain)
        except InputError:  # it is about something that the domain does not have
            continue
        if bound.edits not in seen and not bound.directed:
            seen.add(bound.edits)
            found[name] = granularity
    return found


@dataclass(frozen=True)
class GranularityComparison:
    """The granularities over a class, compared.

    >>> names = ["unbounded", "bounded"]
    >>> given = {n: library_granularity(n) for n in names}
    >>> both = GranularityComparison("records", Domain({"id": "Record"}), given)
    >>> both.verdict, both.relations.order()
    ('proved', [('unbounded', 'bounded', 2)])
    """

    title: str
    domain: Domain
    granularities: Mapping[str, Granularity]
    claims: Sequence[MetricClaim] = ()
    points: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        over = f" over {self.domain.name!r}" if self.domain.name else ""
        return f"<Granularities{over}: {', '.join(self.granularities)}>"

    @cached_property
    def relations(self) -> Relations:
        """The distances."""
        return Relations(self.domain, self.granularities)

    def graph(self) -> nx.DiGraph:
        """Return the order as a graph of networkx: an edge from a to b says that d_a <= n d_b.

        So what is ε-private between neighbours in a is nε-private between those in b.  Nodes have
        the ``granularity``, edges the ``distance`` n; edges that follow from others are
        left out.

        >>> given = {n: library_granularity(n) for n in ("unbounded", "bounded")}
        >>> GranularityComparison("", Domain({"id": "Record"}), given).graph().number_of_edges()
        1
        """
        import networkx as nx

        found = nx.DiGraph(title=self.title)
        found.add_nodes_from((n, {"granularity": g}) for n, g in self.granularities.items())
        for of, to, distance in self.relations.order():
            found.add_edge(of, to, distance=distance)
        return found

    @cached_property
    def symbols(self) -> dict[str, str]:
        r"""What the granularities are called in formulas, each by a sign of its own.

        >>> given = {n: library_granularity("user", owner=n) for n in ("home", "team")}
        >>> domain = Domain({"home": "Home", "team": "Team"})
        >>> print(*GranularityComparison("", domain, given).symbols.values())
        \mathcal{G}_{1} \mathcal{G}_{2}
        """
        own = [g.symbol for g in self.granularities.values()]
        return {
            name: g.symbol if g.symbol and own.count(g.symbol) == 1 else rf"\mathcal{{G}}_{{{n}}}"
            for n, (name, g) in enumerate(self.granularities.items(), 1)
        }

    @property
    def distances(self) -> dict[str, str]:
        """What the distances of granularities are called in formulas."""
        return {name: f"d_{{{symbol}}}" for name, symbol in self.symbols.items()}

    @cached_property
    def claimed(self) -> list[tuple[MetricClaim, Verdict]]:
        """The claims with their verdicts."""
        return [(c, in_time(partial(self._decided, c), not_decided)) for c in self.claims]

    def _decided(self, claim: MetricClaim) -> Verdict:
        return self.relations.metrics[claim.granularity].decide(claim.form, claim.bound)

    @cached_property
    def about_points(self) -> list[tuple[str, InequalityAnswer]]:
        """The claims about expressions over metrics, with answers.

        The granularities are among the metrics, with what is proved of their distances as facts.
        """
        both_ways = [n for n, g in self.granularities.items() if not g.directed]
        names = [*both_ways, *self.points.get("metrics", ()),
                 *self.points.get("finite", ())]  # fmt: skip
        facts = list(self.points.get("facts", ()))
        finite = tuple(self.points.get("finite", ()))
        told = [*facts, *self.points.get("claims", ())]
        for text in told:
            for side in text.split("<="):
                expression(side, names)
        used = {g.metric for t in told for s in t.split("<=") for g in parts(expression(s))
                if isinstance(g, GivenMetric)}  # fmt: skip
        facts += [
            f"{of} <= {known.distance}*{to}"
            for of, to in itertools.permutations(sorted(used & set(self.granularities)), 2)
            if isinstance((known := self.relations.distance(of, to)).distance, int)
            and isinstance(known.verdict, Proved)
        ]
        found = []
        for claim in self.points.get("claims", ()):
            left, sign, right = claim.partition("<=")
            answer = (
                at_most(left, right, facts, finite) if sign else is_metric(claim, facts, finite)
            )
            found.append((claim, answer))
        return found

    @property
    def verdict(self) -> str:
        """One word: refuted (a claim), unknown, or proved: everything is decided."""
        every = [v for _, v in self.claimed] + [r.verdict for r in self.relations.all()]
        claims = [v for _, v in self.claimed]
        words = [a.verdict for _, a in self.about_points]
        if any(isinstance(v, Refuted) for v in claims) or "refuted" in words:
            return "refuted"
        decided = all(isinstance(v, Proved | Vacuous) for v in every)
        return "proved" if decided and set(words) <= {"proved"} else "unknown"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; what there was no time for is unknown."""
        metrics = {
            name: in_time(partial(_metric, m), _no_metric)
            for name, m in self.relations.metrics.items()
        }
        return {
            "schema": "dpcomp/1",
            "title": self.title,
            "verdict": self.verdict,
            "granularities": {
                name: {"latex": self.symbols[name], "metric": metric}
                for name, metric in metrics.items()
            },
            "claims": [_claim(c, c.form.bind(self.domain), v) for c, v in self.claimed],
            "points": [
                {"claim": c, "claim_latex": claim_latex(c, self.distances), **a.as_json()}
                for c, a in self.about_points
            ],
            "distances": [r.as_json() for r in self.relations.all()],
            "order": [
                {"of": a, "to": b, "distance": plain(n)} for a, b, n in self.relations.order()
            ],
        }


def compared(
    title: str,
    domain: Domain,
    own: Mapping[str, Granularity],
    claims: Sequence[tuple[str, str, str, str]] = (),
    points: Mapping[str, Sequence[str]] | None = None,
    named: Sequence[str] = (),
) -> GranularityComparison:
    """Return the comparison of granularities, and of the built-ins that fit.

    Args:
        title: what the result is called.
        domain: the class of databases.
        own: the granularities that must be there, by name.
        claims: what is claimed of their metrics: (name, exact or which bound, value, where it is
            finite).
        points: claims about expressions over metrics: lists ``metrics``, ``finite``, ``facts``,
            ``claims``.
        named: the granularities that are compared, of these; without names all of them.

    Raises:
        InputError: a claim cannot be read, or no granularity has a name.
    """
    chosen = fitting(domain, own)
    if named:
        for name in named:
            if name not in chosen:
                raise InputError(f"no granularity here is called '{name}'; {nearest(name, chosen)}",
                                 word=name)  # fmt: skip
        left_out = chosen.keys() - set(named)
        chosen = {name: one for name, one in chosen.items() if name in named}
        claims = [claim for claim in claims if claim[0] in chosen]
        points = {
            key: [text for text in texts if not left_out & _metrics_of(text)]
            for key, texts in (points or {}).items()
        }
    claimed = []
    for name, bound, value, finite in claims:
        form = ClosedForm(*(_LINE_BREAK.sub(" ", text) for text in (value, finite)))
        try:
            form.bind(domain)
        except InputError as error:
            raise error.within(f"metric of '{name}'") from None
        claimed.append(MetricClaim(name, form, bound))
    return GranularityComparison(title, domain, chosen, claimed, points or {})


def _metrics_of(text: str) -> set[str]:
    """Return the metrics that a name, a fact or a claim is about."""
    found = (part for side in text.split("<=") for part in parts(expression(side)))
    return {part.metric for part in found if isinstance(part, GivenMetric)}


def _metric(metric: Canonical) -> dict[str, Any]:
    exact = metric.form
    lower, upper = (exact, exact) if exact else (metric.lower, metric.upper)
    verdict = metric.verdict
    return {
        "verdict": verdict.word,
        **_formula(exact),
        "at_least": None if exact or lower is None else _formula(lower),
        "at_most": None if exact or upper is None else _formula(upper),
        "reason": _reason(verdict) if metric.whole is None else LISTED,
    }


def _no_metric(reason: str) -> dict[str, Any]:
    return {
        "verdict": "unknown", **_formula(None), "at_least": None, "at_most": None,
        "reason": reason,
    }  # fmt: skip


def _formula(form: BoundForm | None) -> dict[str, Any]:
    if form is None:
        return {"value": None, "finite": None, "latex": None}
    return {"value": form.source.value, "finite": form.source.finite, "latex": _latex(form)}


def _latex(form: BoundForm) -> dict[str, str]:
    """Return a form in LaTeX: its value, where it is finite if not everywhere, and its signs."""
    return {
        "value": value_latex(form), "finite": finite_latex(form), "signs": explained(form),
    }  # fmt: skip


def _reason(verdict: Verdict) -> str | None:
    match verdict:
        case Unknown(reason=reason):
            return reason
        case Checked(scope=scope):
            return scope
        case Refuted(counterexample=example):
            return example.reason
        case Proved() | Vacuous():
            return None


def _claim(claim: MetricClaim, form: BoundForm, verdict: Verdict) -> dict[str, Any]:
    example = None
    if isinstance(verdict, Refuted):
        example = verdict.counterexample.as_json({})
    return {
        "granularity": claim.granularity,
        "bound": claim.bound,
        **_formula(form),
        "verdict": verdict.word,
        "counterexample": example,
        "reason": _reason(verdict),
    }
