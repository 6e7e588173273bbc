"""All bounds of a profile, one a notion, as formulas and as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.notions.closed_forms import ClosedForm, closed_form, is_infinite_for
from dpcomp_sym.notions.contributions import sources
from dpcomp_sym.notions.core import NOTIONS, Guarantee, Notion, exact_text, plain
from dpcomp_sym.notions.exact import Real
from dpcomp_sym.notions.numbers import (
    Evaluation,
    check_value,
    evaluate,
    infer_sizes,
    needed_sizes,
    parameter_names,
)
from dpcomp_sym.profile import INFINITY, Case, Infinity, Interval, Profile

if TYPE_CHECKING:
    import sympy

__all__ = ["Bound", "bounds", "converted"]

Tight = Literal["yes", "no", "unknown"]

_VACUOUS = "vacuous: there are no two different neighbouring databases"
_OPEN = "no finite guarantee was found, and none is excluded"


@dataclass(frozen=True, slots=True)
class Bound:
    """The bound of a composition in one notion.

    Attributes:
        notion: the name of the notion.
        parameter: what ``value`` is: "epsilon", "epsilon,delta", "rho", "mu".
        text: the formula in plain characters, for all sizes.
        latex: the formula in LaTeX, without dollar signs.
        value: the number, a pair, INFINITY for no guarantee, or None where numbers are missing.
        exact: the exact value in plain characters, or None (floats were given, or no numbers).
        pareto: the maximal guarantees that single neighbours need, of which ``value`` is the
            join: pairs of numbers, or a formula in words, or None.
        tight: whether the bound is attained ("yes"), is known not to be the best one ("no").
        by: the statements that the bound rests on.
        tight_note: in which sense it is tight, or why not.
        infinite: there is no guarantee, at least for some of the sizes asked about.
        known: it is finite, or it is shown that no finite guarantee holds.
        vacuous: there are no two different neighbours, so there is nothing to bound.
        form: the formula as an object.
    """

    notion: str
    parameter: str
    text: str
    latex: str
    value: Guarantee | None
    exact: str | None
    pareto: tuple[tuple[Real, Real], ...] | str | None
    tight: Tight
    by: tuple[str, ...]
    tight_note: str = ""
    infinite: bool = False
    known: bool = True
    vacuous: bool = False
    form: ClosedForm | None = field(default=None, repr=False, compare=False)

    def sympy(self, sizes: Mapping[str, int] | None = None) -> sympy.Basic | None:
        """Return the formula as a SymPy expression, or None where SymPy cannot say it.

        See :meth:`dpcomp_sym.notions.closed_forms.ClosedForm.sympy`.
        """
        return None if self.form is None else self.form.sympy(sizes)

    def as_json(self) -> dict[str, object]:
        """Return the bound as plain lists, strings and numbers."""
        pareto: object = self.pareto
        if isinstance(self.pareto, tuple):
            pareto = [plain(pair) for pair in self.pareto]
        return {
            "notion": self.notion,
            "parameter": self.parameter,
            "text": self.text,
            "latex": self.latex,
            "value": None if self.value is None else plain(self.value),
            "exact": self.exact,
            "pareto": pareto,
            "tight": self.tight,
            "tight_note": self.tight_note or None,
            "known": self.known,
            "by": list(self.by),
        }


def bounds(
    profile: Profile,
    values: Mapping[str, object] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> list[Bound]:
    """Return the bounds of a profile, one for each notion that some part declares.

    Only notions in which every part that notices something has a guarantee, its own or a
    converted one, are there.  Without numbers for a notion's parameters its ``value`` is None.

    Args:
        profile: what neighbours do to the parts.
        values: numbers for parameters: one for all blocks, or a list with one a block.
        sizes: numbers for the symbols of sizes; lengths of lists are understood.

    Raises:
        InputError: (a ``ValueError``) for unknown names, negative or undefined numbers, lists of
            the wrong length, and parameters of a notion that are only partly given.

    >>> from fractions import Fraction
    >>> from dpcomp_sym.profile import Case, Group, KRange, MapInfo, PartInfo
    >>> one = Case((KRange("k"),), ((Group("p", 1, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (one,), proved=True, exact=True)
    >>> [bound] = bounds(example, {"eps": [1, Fraction(5, 2)]})
    >>> bound.text, bound.exact, bound.tight
    ('max(eps[i])', '5/2', 'yes')
    """
    return _all(profile, values, sizes, native=True)


def converted(
    profile: Profile,
    values: Mapping[str, object] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> list[Bound]:
    """Return the bounds in notions that no part declares, by conversion of every part.

    The arguments and errors are those of :func:`bounds`.

    >>> from dpcomp_sym.profile import Case, Group, KRange, MapInfo, PartInfo
    >>> one = Case((KRange("k"),), ((Group("p", 1, (("m", 2),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (one,), proved=True, exact=True)
    >>> [(bound.notion, bound.text) for bound in converted(example)][:2]
    [('approximate', '(2*max(eps[i]), 0)'), ('zcdp', '4*max(eps[i]^2/2)')]
    """
    return _all(profile, values, sizes, native=False)


def _all(
    profile: Profile,
    values: Mapping[str, object] | None,
    sizes: Mapping[str, int] | None,
    *,
    native: bool,
) -> list[Bound]:
    known = {name for name, _ in parameter_names(profile)}
    for name in values or {}:
        if name not in known:
            raise InputError(f"no part has a parameter '{name}'; {nearest(name, known)}", word=name)
    declared = {notion for part in profile.parts for notion, _ in part.guarantees}
    result = []
    for notion in NOTIONS.values():
        if (notion.name in declared) == native:
            bound = _one(profile, notion, values or {}, sizes or {})
            if bound is not None:
                result.append(bound)
    return result


def _one(
    profile: Profile,
    notion: Notion,
    values: Mapping[str, object],
    sizes: Mapping[str, int],
) -> Bound | None:
    if profile.vacuous:
        if sources(profile, notion) is None:
            return None
        return Bound(
            notion.name,
            notion.parameter,
            _VACUOUS,
            rf"\text{{{_VACUOUS}}}",
            None,
            None,
            None,
            "unknown",
            (),
            tight_note="nothing is bounded",
            vacuous=True,
        )
    form = closed_form(profile, notion)
    if form is None:
        return None
    known = infer_sizes(profile, values, sizes)
    infinite = is_infinite_for(profile, known)
    evaluation = _numbers(profile, notion, form, values, known)
    pareto: tuple[tuple[Real, Real], ...] | str | None = form.pareto
    value: Guarantee | None = INFINITY if infinite else None
    if evaluation is not None:
        value = evaluation.value
        pareto = evaluation.pareto
    there = [case for case in profile.cases if case.speaks_of(known)]
    apart = infinite and (profile.exact or all(c.far for c in there if c.infinite))
    infinite = infinite or isinstance(value, Infinity)
    settled = apart or profile.exact or not infinite
    tight, note = _tight(form, there, infinite=infinite) if settled else ("unknown", _OPEN)
    return Bound(
        notion.name,
        notion.parameter,
        form.text,
        form.latex,
        value,
        None if value is None else exact_text(value),
        pareto,
        tight,
        _by(form, tight),
        tight_note=note,
        infinite=infinite,
        known=settled,
        form=form,
    )


def _numbers(
    profile: Profile,
    notion: Notion,
    form: ClosedForm,
    values: Mapping[str, object],
    sizes: dict[str, int],
) -> Evaluation | None:
    """Return the value if numbers are given for this notion, None if none are."""
    slots: dict[int, dict[str, bool]] = {}
    for _, source in form.used:
        for name, slot in source.slots():
            if isinstance(name, str):
                slots.setdefault(slot, {})[name] = name in values
    if not all(given for slot in slots.values() for given in slot.values()):
        half = any(len(set(slot.values())) == 2 for slot in slots.values())
        if half or _only_here(profile, notion, slots):
            return evaluate(profile, notion, values, sizes)
        return None
    if needed_sizes(profile) - set(sizes):
        if values:
            _check_without_sizes(profile, notion, values)
        return None
    return evaluate(profile, notion, values, sizes)


def _only_here(profile: Profile, notion: Notion, slots: dict[int, dict[str, bool]]) -> bool:
    """Return whether a number was given that only this notion can use."""
    given = {name for slot in slots.values() for name, known in slot.items() if known}
    elsewhere = {
        name
        for other in NOTIONS
        if other != notion.name
        for name, _ in parameter_names(profile, other)
    }
    return bool(given - elsewhere)


def _check_without_sizes(profile: Profile, notion: Notion, values: Mapping[str, object]) -> None:
    """Refuse bad numbers even where the bound cannot be computed yet."""
    for name, slot in parameter_names(profile, notion.name):
        if name in values:
            check_value(values[name], name, slot)


def _tight(form: ClosedForm, cases: Sequence[Case], *, infinite: bool) -> tuple[Tight, str]:
    """Return whether a bound is tight, in which sense and for which symbols, or why not."""
    exact = form.profile.exact
    if infinite and form.infinite and (exact or all(case.far for case in cases)):
        return "yes", "; ".join(filter(None, ("no finite guarantee holds", _shown_for(cases))))
    if not exact:
        return "unknown", "the profile is an upper bound"
    if any(source.conversion is not None for _, source in form.used):
        return "unknown", "a guarantee was converted"
    if any(info.indices and not info.exchangeable for info in form.profile.maps):
        return "unknown", "the blocks are not interchangeable"
    if form.notion.additive is not None:
        return "yes", _shown_for(cases)
    if form.single:
        return "yes", "; ".join(
            filter(None, ("the smallest δ at the largest ε of the parts", _shown_for(cases)))
        )
    if form.summed:
        return "no", "sums of (ε, δ) are not tight"
    return "unknown", "δ at a distance above 1 is an upper bound"


def _shown_for(cases: Sequence[Case]) -> str:
    """Return for which symbols the worst databases were found, if not for all."""
    if not any(case.shown for case in cases):
        return ""
    found = []
    for case in cases:
        given = [Interval(r.symbol, r.low, r.high) for r in case.ranges if r.low > 1 or r.high]
        narrow = {one.symbol: one for one in (*given, *case.shown)}
        found.append(" and ".join(map(str, narrow.values())) or "all other numbers")
    return f"shown for {'; for '.join(found)}"


def _by(form: ClosedForm, tight: Tight) -> tuple[str, ...]:
    result = list(form.notion.sources)
    groups = {"approximate": "GB24.VI.3", "zcdp": "GB24.VI.12", "gaussian": "GB24.VI.20"}
    if form.scaled and not form.infinite:
        result.append(groups.get(form.notion.name, "GB24.III.3"))
    for _, source in form.used:
        if source.conversion is not None and source.conversion.name not in result:
            result.append(source.conversion.name)
    if tight == "yes" and form.notion.additive is not None:
        result.append("N1")
    return tuple(result)
