"""Bounds: what theorems state, one a notion, read as formulas and as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    Protocol,
    SupportsIndex,
    TypeVar,
    cast,
    overload,
)

from dpcomp_sym.algebra.sizes import covers
from dpcomp_sym.errors import InputError, NoNumberError, nearest
from dpcomp_sym.notions import NOTIONS, Additive, Notion
from dpcomp_sym.numbers.columns import ParameterTable, check_value, infer_sizes, parameter_names
from dpcomp_sym.numbers.evaluator import Evaluator, evaluate, speaks_of, symbols
from dpcomp_sym.numbers.fronts import Pair, front
from dpcomp_sym.numbers.guarantee import Guarantee, as_guarantee, exact_text, plain
from dpcomp_sym.numbers.single import GuaranteeCases, of_single_neighbours
from dpcomp_sym.numbers.sources import BoundSource, is_zero, sources
from dpcomp_sym.profile import INFINITY, Case, Infinity, Interval, KRange, Profile
from dpcomp_sym.statements import (
    BlockEntry,
    Cases,
    EntryOf,
    Expr,
    Inf,
    KernelError,
    KernelTerm,
    Max,
    Num,
    Param,
    Product,
    SizeRange,
    Sum,
    SumOver,
    Where,
    Worst,
    subterms,
)
from dpcomp_sym.statements.latex import LATEX
from dpcomp_sym.statements.plain import PLAIN, ranges
from dpcomp_sym.statements.render import whole

if TYPE_CHECKING:
    import sympy

__all__ = ["Bound", "Bounds", "ByNotion", "bounds", "box_of", "notions_of"]

Tight = Literal["yes", "no", "unknown"]

_TIGHT: Final = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}
_VACUOUS = "vacuous: there are no two different neighbouring databases"
_ONE: Final = Num(Fraction(1))
_OPEN = "no finite guarantee was found, and none is excluded"


@dataclass(frozen=True, slots=True)
class Bound:
    """The bound of a composition in one notion: what a theorem states.

    Attributes:
        notion: the name of the notion.
        parameter: what ``value`` is: "epsilon", "epsilon,delta", "rho", "mu".
        guarantee: the parameters as the theorem states them; empty if there is nothing to bound.
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
        words: how the number was found, in plain characters and in LaTeX, where it is not what
            the theorem states but was searched for.
        elsewhere: better bounds for other numbers of a symbol, below 1 for example, each with these
            numbers and proved of the problem that has no others.
    """

    notion: str
    parameter: str
    guarantee: tuple[Expr, ...]
    value: Guarantee | None
    exact: str | None
    pareto: tuple[Pair, ...] | str | None
    tight: Tight
    by: tuple[str, ...]
    tight_note: str = ""
    infinite: bool = False
    known: bool = True
    vacuous: bool = False
    words: tuple[str, str] | None = None
    unsettled: tuple[Where, ...] = ()
    """For which sizes it is open whether there is a finite guarantee."""
    elsewhere: tuple[tuple[Interval, Bound], ...] = ()
    lacking: str = ""
    """Why there is no number, where all numbers in the formula are given."""

    def __repr__(self) -> str:
        known = self.exact is not None and not self.infinite and self.exact != self.text
        number = f" = {self.exact}" if known else ""
        tight = _TIGHT[self.tight] + (f" ({self.tight_note})" if self.tight_note else "")
        return f"<Bound {self.notion}: {self.text}{number}, {tight}>"

    @property
    def text(self) -> str:
        """The formula in plain characters, for all sizes."""
        if self.words is not None:
            return self.words[0]
        if not self.guarantee:
            return _VACUOUS
        somewhere = self.unsettled and not covers(self.unsettled, ())
        if somewhere and all(isinstance(e, Inf) for e in self.guarantee):
            return f"inf (not known for {'; for '.join(map(ranges, self.unsettled))})"
        return whole(self.guarantee, PLAIN, self._open_for)

    @property
    def latex(self) -> str:
        """The formula in LaTeX, without dollar signs."""
        if self.words is not None:
            return self.words[1]
        return whole(self.guarantee, LATEX) if self.guarantee else rf"\text{{{_VACUOUS}}}"

    def _open_for(self, where: Where) -> bool:
        return bool(self.unsettled) and covers(self.unsettled, where)

    def sympy(self, sizes: Mapping[str, int] | None = None) -> sympy.Basic | None:
        """Return the formula as a SymPy expression, or None where SymPy cannot express it.

        With numeric ``sizes`` (a few blocks) the maximum is written out over all choices of
        blocks of ``eps[1]``, ``eps[2]``, ….  With symbolic sizes ``MaxOver(body, (i, 1, k), …)``
        means the maximum over different indices (with terms left out where there are fewer
        blocks, so that the largest value remains) and ``SumOfLargest(n, body, (i, 1, k))`` the
        sum of the n largest.  Both are evaluated when there are numbers: ``subs(k, 3).doit()``,
        ``subs({k: 2, eps[1]: 1, eps[2]: sp.sqrt(2)}).evalf()``, and ``lambdify((k, eps), …)``,
        whose functions take the numbers of blocks and arrays.
        """
        from dpcomp_sym.statements.symbolic import to_sympy

        if not self.guarantee or self.words is not None:
            return None
        try:
            found = [to_sympy(e, sizes) for e in self.guarantee]
        except KernelError:
            return None
        if len(found) == 1:
            return cast("sympy.Basic", found[0])
        import sympy as sp

        return sp.Tuple(*found)

    def _sympy_(self) -> Any:
        """Return what ``sympy.sympify`` makes of the bound."""
        return self.sympy()

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
            **({"elsewhere": [_there(*x) for x in self.elsewhere]} if self.elsewhere else {}),
            **({"lacking": self.lacking} if self.lacking else {}),
        }


def _there(numbers: Interval, bound: Bound) -> dict[str, object]:
    return {
        "symbols": str(numbers), "text": bound.text, "latex": bound.latex,
        "tight": bound.tight, "tight_note": bound.tight_note or None,
    }  # fmt: skip


class Stated(Protocol):
    """What is stated in a notion."""

    @property
    def notion(self) -> str:
        """The notion."""


B = TypeVar("B", bound=Stated)


class ByNotion(tuple[B, ...]):
    """Bounds, one a notion, in the order of the report: by place or by name."""

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex | str) -> B: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[B, ...]: ...

    def __getitem__(self, place: SupportsIndex | slice | str) -> Any:
        """Return a bound by its place or by its notion.

        Raises:
            InputError: nothing is stated in this notion.
        """
        if not isinstance(place, str):
            return super().__getitem__(place)
        for bound in self:
            if bound.notion == place:
                return bound
        msg = f"there is no bound in '{place}'; {nearest(place, (b.notion for b in self))}"
        raise InputError(msg)

    def __contains__(self, one: object) -> bool:
        """Return whether a bound is among these, or a notion has one."""
        if isinstance(one, str):
            return any(b.notion == one for b in self)
        return super().__contains__(one)


class Bounds(ByNotion[Bound]):
    """The bounds of a composition.

    >>> from dpcomp_sym.statements import Num
    >>> one = Bound("pure", "epsilon", (Num(Fraction(1)),), Fraction(1), "1", None, "yes", ())
    >>> Bounds([one])["pure"] is one, Bounds([one])[0] is one, "zcdp" in Bounds([one])
    (True, True, False)
    >>> Bounds([one])["zcpd"]
    Traceback (most recent call last):
    ...
    dpcomp_sym.errors.InputError: there is no bound in 'zcpd'; known here: pure
    """

    __slots__ = ()


def notions_of(profile: Profile) -> list[str]:
    """Return the notions in which a composition has a bound: those of the parts come first.

    Every part that notices something must have a guarantee there, its own or a converted one.
    Parts in different notions may meet in one that none of them is stated in.
    """
    declared = {notion for part in profile.parts for notion, _ in part.guarantees}
    different = len({frozenset(dict(part.guarantees)) for part in profile.parts}) > 1
    reached = [n.name for n in NOTIONS.values() if sources(profile, n) is not None]
    return [n for n in reached if n in declared] + [
        n for n in reached if different and n not in declared
    ]


def bounds(
    profile: Profile,
    guarantees: Mapping[str, tuple[Expr, ...]],
    values: Mapping[str, object] | None = None,
    sizes: Mapping[str, int] | None = None,
    single: Mapping[str, GuaranteeCases] | None = None,
) -> list[Bound]:
    """Return the bounds that theorems state, with numbers where there are numbers.

    Args:
        profile: what neighbours do to the parts.
        guarantees: what was proved, by notion; nothing for a vacuous profile.
        values: numbers for parameters: one for all blocks, or a list with one a block.
        sizes: numbers for the symbols of sizes; lengths of lists are understood.
        single: what single pairs of neighbours need, by notion.

    Raises:
        InputError: (a ``ValueError``) for unknown names, negative or undefined numbers, lists of
            the wrong length, and parameters of a notion that are only partly given.

    >>> from fractions import Fraction
    >>> from dpcomp_sym.profile import Case, Group, KRange, MapInfo, PartInfo
    >>> from dpcomp_sym.statements import Choice, BlockEntry, Num, Worst
    >>> one = Case((KRange("k"),), ((Group("p", 1, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> example = Profile((info,), (part,), (one,), proved=True, exact=True)
    >>> largest = Worst(("k",), (Choice(Num(Fraction(1)), BlockEntry("eps", ("k",))),))
    >>> [bound] = bounds(example, {"pure": (largest,)}, {"eps": [1, Fraction(5, 2)]})
    >>> bound.text, bound.exact, bound.tight
    ('max(eps[i])', '5/2', 'yes')
    """
    known = {name for name, _ in parameter_names(profile)}
    for name in values or {}:
        if name not in known:
            raise InputError(f"no part has a parameter '{name}'; {nearest(name, known)}", word=name)
    return [
        bound
        for notion in notions_of(profile)
        if profile.vacuous or notion in guarantees
        for bound in [
            _one(
                profile, NOTIONS[notion], guarantees.get(notion, ()), values or {}, sizes or {},
                (single or {}).get(notion, ()),
            )
        ]
    ]  # fmt: skip


def _one(
    profile: Profile,
    notion: Notion,
    guarantee: tuple[Expr, ...],
    values: Mapping[str, object],
    sizes: Mapping[str, int],
    single: GuaranteeCases,
) -> Bound:
    if profile.vacuous:
        return Bound(
            notion.name, notion.parameter, (), None, None, None, "unknown", (),
            tight_note="nothing is bounded", vacuous=True,
        )  # fmt: skip
    used = sources(profile, notion) or {}
    known = infer_sizes(profile, values, sizes)
    there = [case for case in profile.cases if case.speaks_of(known)]
    endless = [case for case in there if case.infinite]
    infinite = bool(endless)
    pareto: tuple[Pair, ...] | str | None = None
    lacking = ""
    value: Guarantee | None = INFINITY if infinite else None
    if _is_in_numbers(profile, notion, used, guarantee, values, known):
        if not there:
            given = ", ".join(f"{symbol} = {size}" for symbol, size in known.items())
            raise InputError(f"the statement does not cover {given or 'these sizes'}")
        table = ParameterTable.of(profile, used, values, known)
        try:
            value = _value(guarantee, table, known)
            if single and not isinstance(value, Infinity):
                pareto = _front(single, table, known) or None
        except NoNumberError as error:
            lacking = error.message
    elif single and not infinite:
        pareto = of_single_neighbours(single)
    back = any(_found_back(profile, case, notion, values) for case in endless)
    apart = infinite and not any(case.open for case in endless)
    infinite = infinite or isinstance(value, Infinity)
    settled = not back and (apart or profile.exact or not infinite)
    shape = WorstShape.of(profile, notion, used, guarantee)
    tight, note = (
        _tight(profile, shape, there, infinite=infinite) if settled else ("unknown", _OPEN)
    )
    return Bound(
        notion.name,
        notion.parameter,
        guarantee,
        value,
        None if value is None else exact_text(value),
        pareto,
        tight,
        _by(shape, tight),
        tight_note=note,
        infinite=infinite,
        known=settled,
        unsettled=tuple(
            box_of(case.ranges) for case in profile.cases
            if case.open or _found_back(profile, case, notion, values)
        ),
        lacking=lacking,
    )  # fmt: skip


def _found_back(
    profile: Profile, case: Case, notion: Notion, values: Mapping[str, object]
) -> bool:  # fmt: skip
    """Return whether what a part sees from infinitely far may yet be private.

    No edits lead from the one to the other, but where they lead one way only, perhaps from the
    other to the one: then what some notions say of that way says something of this one.
    """
    far = {
        part for vector in case.vectors for group in vector
        for part, r in group.distances if isinstance(r, Infinity)
    }  # fmt: skip
    for part in profile.parts:
        if part.directed and part.name in far:
            own = dict(part.guarantees).get(notion.name, ())
            if not (notion.lost_back and own and _above_0(own[0], values)):
                return True
    return False


def _above_0(given: str | Fraction, values: Mapping[str, object]) -> bool:
    """Return whether a guarantee is a symbol, or a number above 0 in each block."""
    known = values.get(given) if isinstance(given, str) else given
    if known is None:
        return True
    if isinstance(known, int | Fraction):
        return known > 0
    return isinstance(known, Sequence) and not _has_0(known)


def _has_0(numbers: Sequence[object]) -> bool:
    return any(_has_0(x) if isinstance(x, Sequence) else x == 0 for x in numbers)


def _value(guarantee: Sequence[Expr], table: ParameterTable, sizes: Mapping[str, int]) -> Guarantee:
    """Return what a theorem states, in numbers."""
    values = [evaluate(e, table, sizes) for e in guarantee]
    if any(isinstance(x, float) and isinf(x) for x in values):
        return INFINITY
    return values[0] if len(values) == 1 else as_guarantee(values[0], values[1])


def _front(
    single: GuaranteeCases, table: ParameterTable, sizes: Mapping[str, int]
) -> tuple[Pair, ...] | None:
    """Return the maximal pairs that single neighbours need, None if there are too many."""
    here = [one for where, each in single if speaks_of(where, sizes) for one in each]
    if any(one.shared and one.budget is None for one in here):
        return None
    return front(dict.fromkeys(here), Evaluator(table, sizes))


def box_of(ranges: Sequence[KRange]) -> Where:
    """Return ranges as theorems state them, those without limits left out."""
    return tuple(
        SizeRange(r.symbol, r.low, r.high)
        for r in sorted(ranges, key=lambda r: r.symbol)
        if r.low > 1 or r.high is not None
    )


def _is_in_numbers(
    profile: Profile,
    notion: Notion,
    used: Mapping[str, BoundSource],
    guarantee: Sequence[Expr],
    values: Mapping[str, object],
    sizes: Mapping[str, int],
) -> bool:
    """Return whether numbers are given for this notion; they may turn out to be too few."""
    slots: dict[int, dict[str, bool]] = {}
    for source in used.values():
        for name, slot in source.slots():
            if isinstance(name, str):
                slots.setdefault(slot, {})[name] = name in values
    if not all(given for slot in slots.values() for given in slot.values()):
        given = [{n for n, known in slot.items() if known} for slot in slots.values()]
        half = any(
            here and len(here) < len(slot) and not _are_for_another(profile, notion, here, values)
            for here, slot in zip(given, slots.values(), strict=True)
        )
        return half or _only_here(profile, notion, slots)
    if any(symbols(e, sizes) - set(sizes) for e in guarantee):
        if values:
            _check_without_sizes(profile, notion, values)
        return False
    return True


def _are_for_another(
    profile: Profile, notion: Notion, given: set[str], values: Mapping[str, object]
) -> bool:
    """Return whether numbers are those of another notion, in which each part has all of its own."""
    for other in NOTIONS:
        names = {name for name, _ in parameter_names(profile, other)}
        stated = all(other in dict(part.guarantees) for part in profile.parts)
        if other != notion.name and stated and given <= names <= values.keys():
            return True
    return False


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


@dataclass(frozen=True, slots=True)
class WorstShape:
    """What the worst neighbours do to a bound in a notion.

    ``infinite``: some distance is; ``scaled``: some is neither 0 nor 1; ``single``: each parameter
    is the largest one of a single block or part; ``summed``: some parameter is a sum.
    """

    notion: Notion
    used: Mapping[str, BoundSource]
    infinite: bool
    scaled: bool
    single: bool
    summed: bool

    @classmethod
    def of(
        cls,
        profile: Profile,
        notion: Notion,
        used: Mapping[str, BoundSource],
        guarantee: Sequence[Expr],
    ) -> WorstShape:
        """Return the shape of the bound of a profile that a theorem states."""
        vectors = [v for case in profile.cases for v in (*case.vectors, *case.within)]
        distances = [r for v in vectors for group in v for _, r in group.distances]
        scaled = any(not is_zero(r) and r != 1 for r in distances)
        inside = [x for e in guarantee for x in subterms(e)]
        # A multiple that no distance asks for is a sum of parts with the same parameter.
        summed = any(map(_adds, inside)) or (
            not scaled and any(isinstance(x, Product) for x in inside)
        )
        infinite = any(isinstance(r, Infinity) for r in distances)
        return cls(notion, used, infinite, scaled, all(map(_is_largest, guarantee)), summed)


def _is_largest(e: Expr) -> bool:
    """Return whether an expression is one of its parameters, whichever is largest."""
    match e:
        case Max(items):
            return all(map(_is_largest, items))
        case Cases(items):
            return all(_is_largest(case.value) for case in items)
        case Worst(_, (group,)):
            return group.count == _ONE and _is_largest(group.value)
        case _:
            return isinstance(e, Num | Param | BlockEntry | EntryOf)


def _adds(e: KernelTerm) -> bool:
    """Return whether an expression is a sum, of parts or of blocks."""
    if isinstance(e, Worst):
        return len(e.groups) > 1 or any(group.count != _ONE for group in e.groups)
    if isinstance(e, SumOver):
        return e.count != _ONE
    return isinstance(e, Sum)


def _tight(
    profile: Profile, shape: WorstShape, cases: Sequence[Case], *, infinite: bool
) -> tuple[Tight, str]:
    """Return whether a bound is tight, in which sense and for which symbols, or why not."""
    exact = profile.exact
    if infinite and shape.infinite and all(case.unbounded or case.attained for case in cases):
        why = "no finite guarantee holds"
        if any(case.endless for case in cases):
            why += ": distances grow beyond all bounds"
        return "yes", "; ".join(filter(None, (why, _shown_for(cases))))
    if not exact:
        why = "the profile is an upper bound"
        return "unknown", f"a coarser bound: {profile.coarse}" if profile.coarse else why
    if any(source.conversion is not None for source in shape.used.values()):
        return "unknown", "a guarantee was converted"
    growth = shape.notion.growth
    weighty = profile.foremost if isinstance(growth, Additive) else profile
    if not weighty.interchangeable:
        return "unknown", "the blocks are not interchangeable"
    if isinstance(growth, Additive):
        return "yes", _shown_for(cases)
    if shape.single:
        return "yes", "; ".join(filter(None, (growth.single, _shown_for(cases))))
    return ("no", growth.summed) if shape.summed else ("unknown", growth.far)


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


def _by(shape: WorstShape, tight: Tight) -> tuple[str, ...]:
    result = list(shape.notion.sources)
    if shape.scaled and not shape.infinite:
        result.append(shape.notion.groups)
    for source in shape.used.values():
        if source.conversion is not None and source.conversion.name not in result:
            result.append(source.conversion.name)
    if tight == "yes" and shape.notion.additive is not None:
        result.append("N1")
    return tuple(result)
