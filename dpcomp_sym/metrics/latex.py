"""Closed forms of metrics, and claims about given ones, as LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpcomp_sym.metrics.counting_terms import Aggregate, BoundForm, aggregate_name
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import Term, to_latex
from dpcomp_sym.terms.points import (
    Constant,
    Expression,
    GivenMetric,
    MetricGroup,
    Scaled,
    expression,
)
from dpcomp_sym.terms.render import absolute, extreme

__all__ = ["claim_latex", "explained", "finite_latex", "value_latex"]

_ZERO: Final = Term("int", (0,), "int")


def value_latex(form: BoundForm) -> str:
    r"""Return the distance that a closed form gives where it is finite.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> from dpcomp_sym.model import Domain
    >>> people = Domain({"id": "Record", "owner": "Person"})
    >>> print(value_latex(ClosedForm("sum(abs(D[c] - E[c]))").bind(people)))
    \sum_c \lvert D(c) - E(c) \rvert
    >>> print(value_latex(ClosedForm("values(owner(c), D[c] != E[c])").bind(people)))
    \lvert \{\mathrm{owner}(c) : D(c) \neq E(c)\} \rvert
    """
    return to_latex(form.value, _counts(form, alone=form.value.op in ("var", "ite")))


def finite_latex(form: BoundForm) -> str:
    r"""Return where a closed form is finite, or nothing if it is finite everywhere.

    >>> from dpcomp_sym.metrics.counting_terms import ClosedForm
    >>> from dpcomp_sym.model import Domain
    >>> print(finite_latex(ClosedForm("size(D)", "same()").bind(Domain({"id": "Record"}))))
    \lvert D \rvert = \lvert E \rvert
    """
    if form.finite.op == "bool" and form.finite.args[0]:
        return ""
    nothing = _held_nowhere(form)
    return nothing or to_latex(form.finite, _counts(form, alone=form.finite.op == "var"))


def explained(form: BoundForm) -> str:
    """Return what signs in the form mean that are not known from elsewhere, as marked prose."""
    kinds = {one.kind for one in form.aggregates}
    said = []
    if "cover" in kinds:
        said.append(r"$\tau(S)$ is the least number of elements that meet all sets in $S$")
    if "lcs" in kinds:
        said.append(
            r"$\mathrm{lcs}$ is the length of a longest common subsequence of the records of $D$ "
            "and $E$ in the order of the first key, where records are the same if they agree in "
            "the others"
        )
    return f"Here {' and '.join(said)}." if said else ""


def _held_nowhere(form: BoundForm) -> str:
    """Return ``values(p) == 0``, without keys, as a formula, if a form is finite there."""
    for number, one in enumerate(form.aggregates):
        counted = form.finite.op == "eq" and form.finite.terms[0].args == (aggregate_name(number),)
        plain = one.kind == "values" and not one.keys and len(one.conditions) == 1
        if counted and plain and form.finite.terms[1] == _ZERO:
            return rf"\nexists c \colon {to_latex(one.conditions[0])}"
    return ""


def _counts(form: BoundForm, *, alone: bool) -> Mapping[str, str]:
    written = {aggregate_name(n): _count(one) for n, one in enumerate(form.aggregates)}
    if alone:
        return written
    return {n: rf"\Bigl({w}\Bigr)" if w.startswith(r"\sum") else w for n, w in written.items()}


def _count(one: Aggregate) -> str:
    keys = [to_latex(key) for key in one.keys]
    key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
    held = [to_latex(p) for p in one.conditions]
    match one.kind:
        case "sum":
            return _sum(one.conditions[0])
        case "same" if not keys:
            return r"\lvert D \rvert = \lvert E \rvert"
        case "same":
            left, right = (rf"\sum_{{c \colon {key} = v}} {x}(c)" for x in "DE")
            return rf"{left} = {right} \text{{ for all }} v"
        case "values" if not keys:
            return r" \cdot ".join(rf"\mathbf{{1}}\{{\exists c \colon {p}\}}" for p in held)
        case "values":
            sets = r" \cap ".join(rf"\{{{key} : {p}\}}" for p in held)
            return rf"\lvert {sets} \rvert"
        case "cover":
            return rf"\tau(\{{\{{{', '.join(keys)}\}} : {held[0]}\}})"
        case _:
            return rf"\mathrm{{lcs}}_{{{', '.join(keys)}}}(D, E)"


def _sum(term: Term) -> str:
    if term.op == "at":  # all records
        return rf"\lvert {term.args[0]} \rvert"
    if term.op == "ite" and term.terms[2] == _ZERO and not absolute(term) and not extreme(term):
        condition, inner = (to_latex(t) for t in term.terms[:2])
        return rf"\sum_{{c \colon {condition}}} {_summand(inner, term.terms[1])}"
    return rf"\sum_c {_summand(to_latex(term), term)}"


def _summand(written: str, term: Term) -> str:
    return f"({written})" if term.op in ("add", "sub") else written


def claim_latex(text: str, names: Mapping[str, str]) -> str:
    r"""Return a claim about given metrics: an inequality, or an expression.

    Args:
        text: ``left <= right``, or the expression.
        names: what metrics are called in formulas, by their names; others are written out.

    >>> print(claim_latex("pull(home, d) <= 2*max(e, 1/2)", {"d": "d_1"}))
    \mathrm{home}^* d_1 \le 2 \max\{e, \tfrac{1}{2}\}
    """
    return r" \le ".join(_written(expression(side), names) for side in text.split("<="))


def _written(whole: Expression, names: Mapping[str, str]) -> str:
    match whole:
        case GivenMetric(metric, through):
            functions = "".join(rf"{latex_name(f)}^* " for f in through)
            return functions + names.get(metric, latex_name(metric))
        case Constant(value) if value.denominator == 1:
            return str(value)
        case Constant(value):
            return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
        case Scaled(factor, inner):
            text = _written(inner, names)
            bracketed = isinstance(inner, MetricGroup) and inner.word == "sum"
            times = _written(Constant(factor), names)
            dot = r" \cdot " if isinstance(inner, Constant | Scaled) else " "
            return times + dot + (f"({text})" if bracketed else text)
        case MetricGroup("sum", items):
            return " + ".join(_written(one, names) for one in items)
        case MetricGroup("l2", items):
            squares = " + ".join(_squared(one, names) for one in items)
            return rf"\sqrt{{{squares}}}"
        case MetricGroup(word, items):
            return rf"\{word}\{{{', '.join(_written(one, names) for one in items)}\}}"


def _squared(whole: Expression, names: Mapping[str, str]) -> str:
    text = _written(whole, names)
    plain = isinstance(whole, GivenMetric) and not whole.through and "^" not in text
    return f"{text}^2" if plain else f"({text})^2"
