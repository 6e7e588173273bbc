"""From a membership constraint to bounds: the choice of databases, derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.derivation.derive import Derivation, Step, compared
from dpcomp_sym.derivation.proof import prove
from dpcomp_sym.engine import Conditions
from dpcomp_sym.errors import InputError
from dpcomp_sym.membership import (
    PROTECTS,
    Membership,
    VectorReach,
    WorstPair,
    differ,
    membership_profile,
    pair_at,
    reach,
    worst_pair,
)
from dpcomp_sym.membership.hypotheses import distinguished
from dpcomp_sym.model import Part, Problem
from dpcomp_sym.notions import NOTIONS, Additive, Paired
from dpcomp_sym.notions.meeting import explained
from dpcomp_sym.numbers import Bound, Bounds, bounds, notions_of
from dpcomp_sym.numbers.exact import root
from dpcomp_sym.numbers.guarantee import as_guarantee, exact_text, plain
from dpcomp_sym.profile import ALL, Profile
from dpcomp_sym.statements import Num
from dpcomp_sym.statements.latex import latex_name, latex_text
from dpcomp_sym.terms import Environment, evaluate, free_variables

if TYPE_CHECKING:
    from dpcomp_sym.report.choice import ChoiceNotation

__all__ = ["MembershipDerivation", "derive_membership"]

ALLOWS_MORE: Final = (
    "these formulas allow more than the constraint does; with numbers for all "
    "parameters (and no conversion) the worst memberships are found exactly"
)


@dataclass(frozen=True, repr=False)
class MembershipDerivation(Derivation):
    """What is known of a composition on chosen databases.

    ``choice`` has the constraint, what is protected, and the worst pairs where there are numbers;
    ``closing`` are steps that come after those of the kernel; ``membership`` is the constraint and
    ``found`` in how many databases two vectors can differ.
    """

    closing: tuple[tuple[str, str, str | None], ...] = ()
    membership: Membership = field(kw_only=True)
    found: VectorReach = field(kw_only=True)

    __hash__ = Derivation.__hash__

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """The derivation, step by step."""
        steps = list(super().trace) if self.theorems or self.vacuous else []
        for statement, rule, source in self.closing:
            uses = (len(steps),) if steps else ()
            steps.append(Step(len(steps) + 1, statement, rule, source, uses))
        return tuple(steps)

    def notation(self) -> ChoiceNotation:
        """Return the words in which reports describe the problem."""
        from dpcomp_sym.report.choice import ChoiceNotation
        from dpcomp_sym.report.setting import label_for

        return ChoiceNotation(
            self.problem, label_for(self.problem, self.title), self.membership, self.found
        )

    def unwritable(self, option: str) -> str | None:
        """Return why a file cannot be written about this, or None if it can."""
        if option == "certificate":
            return "does not write about a spec with [membership]; --json does"
        return super().unwritable(option)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {**super().as_json(), "membership": dict(self.choice or {})}


def _reach_with(membership: Membership, found: VectorReach, known: dict[str, int]) -> VectorReach:
    """Return how far vectors differ, by the numbers that are known; more may become known."""
    definition = found.definition
    if definition is not None and free_variables(definition.term) <= set(known):
        known[definition.symbol] = evaluate(definition.term, Environment(dict(known)))
    if set(membership.names) <= set(known):
        _check_numbers(membership, known)
        if membership.counting and not differ(membership, known):
            return VectorReach((), exact=True, vacuous=True)
    return found


def _choice_of(membership: Membership) -> dict[str, Any]:
    """Return the description of a constraint, before there are numbers."""
    return {
        "constraint": membership.text(),
        "neighbours": membership.neighbours,
        "protects": PROTECTS[membership.neighbours],
        "worst": [],
    }


def derive_membership(
    membership: Membership,
    parts: Sequence[Part],
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    title: str = "",
) -> MembershipDerivation:
    """Derive what mechanisms on databases guarantee if a person can only be in some of them.

    Args:
        membership: which vectors are allowed, and which are compared.
        parts: the mechanisms; each reads one group, mechanism i its i-th database, and is private
            between "the record is in it" and "it is not".
        values: numbers for the parameters (scalars, or one for each database).
        sizes: numbers for the symbols.
        title: for reports.

    Raises:
        InputError: the constraint cannot be met, or numbers contradict it.

    >>> hospitals = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, "bounded")
    >>> derive_membership(hospitals, [Part("scores", "databases")]).bounds[0].text
    'sum of the 2*m largest eps[i]'
    """
    values, known = dict(values or {}), dict(sizes or {})
    found = reach(membership)
    problem, notes = _problem(membership, found, parts, title)
    _read_lengths(membership, parts, values, known)
    found = _reach_with(membership, found, known)
    profile = membership_profile(membership, problem, found)
    known = {n: v for n, v in known.items() if v >= 1 or not found.vacuous}
    composed = None if found.vacuous else prove(problem, profile, None, notions_of(profile))
    proved, single = ({}, None) if composed is None else (composed.guarantees, composed.single)
    stated = bounds(profile, proved, values, known, single)
    choice = _choice_of(membership)
    closing: list[tuple[str, str, str | None]] = []
    proof = comparison = unlimited = None
    if not found.vacuous:
        if membership.neighbours == "replace-one":
            closing += _replaced(stated)
        else:
            proof = composed
        if set(membership.names) <= set(known):
            stated, worst, steps = _with_numbers(membership, problem, found, stated, values, known)
            choice["worst"] = worst
            choice["databases"] = {g: _number(n, known) for g, n in membership.groups.items()}
            closing += steps
            if membership.hypotheses:
                told = distinguished(membership, membership.hypotheses, problem, values, known)
                choice["hypotheses"] = told
            everywhere = _everywhere(membership, problem, found)
            comparison, unlimited = (
                compared(problem, p, stated, values, known) for p in (profile, everywhere)
            )
        notes += [*explained(problem.bound_parts), *([] if found.exact else [ALLOWS_MORE])]
    return MembershipDerivation(
        title, problem, Conditions(), profile, Bounds(stated), proof, notes, choice,
        closing=tuple(closing), comparison=comparison, unlimited=unlimited,
        membership=membership, found=found,
    )  # fmt: skip


def _problem(
    membership: Membership, found: VectorReach, parts: Sequence[Part], title: str
) -> tuple[Problem, list[str]]:
    """Return the composition, with a symbol for how many databases can differ, and what to note."""
    definition = found.definition
    if definition is None:
        return membership.with_parts(parts, title), []
    fact = f"{definition.symbol} == {definition.text}"
    symbols = {**membership.symbols, definition.symbol: fact}
    note = (
        f"{definition.symbol} = {definition.text}, and not more than there are: in so "
        "many databases two allowed memberships can differ"
    )
    return replace(membership, symbols=symbols).with_parts(parts, title), [note]


def _everywhere(membership: Membership, problem: Problem, found: VectorReach) -> Profile:
    """Return the profile without the limit on databases."""
    every = dict.fromkeys(membership.groups, ALL)
    return membership_profile(
        membership, problem, VectorReach((every,), True, False, found.distance)
    )


def _read_lengths(
    membership: Membership, parts: Sequence[Part], values: Mapping[str, Any], known: dict[str, int]
) -> None:
    """Read missing numbers of databases off the lists of parameters."""
    for part in parts:
        size = membership.groups.get(str(part.map))
        for parameters in part.guarantees.values():
            for name in parameters:
                given = values.get(name) if isinstance(name, str) else None
                if isinstance(size, str) and isinstance(given, Sequence):
                    known.setdefault(size, len(given))


def _number(size: int | str, sizes: Mapping[str, int]) -> int:
    return sizes[size] if isinstance(size, str) else size


def _check_numbers(membership: Membership, sizes: Mapping[str, int]) -> None:
    """Refuse numbers under which nothing is allowed."""
    if not membership.counting or len(membership.groups) > 1:
        return
    ((group, size),) = membership.groups.items()
    k = _number(size, sizes)
    if not any(membership.allows_counts({group: n}, sizes) for n in range(k + 1)):
        given = ", ".join(f"{n} = {v}" for n, v in sizes.items() if n in membership.names)
        raise InputError(f"no membership vector is allowed for {given}: {membership.text()}",
                         where="membership")  # fmt: skip


def _replaced(stated: Sequence[Bound]) -> Iterator[tuple[str, str, str | None]]:
    seen = "database i is seen at distance b_i + b'_i"
    said = f"one person with membership b is replaced by another one with b': {seen}"
    yield said, "structural fact", "N4"
    mean = "losses at b_i + b'_i are at most the mean of those at 2 b_i and at 2 b'_i"
    yield f"{mean}: b = b' is worst", "convexity in the distance", "E5"
    for bound in stated:
        yield f"{bound.notion}: {bound.text}", "composition", ", ".join(bound.by)


# ------------------------------------------------------------------ with numbers


def _with_numbers(
    membership: Membership,
    problem: Problem,
    found: VectorReach,
    stated: Sequence[Bound],
    values: Mapping[str, Any],
    sizes: Mapping[str, int],
) -> tuple[list[Bound], list[dict[str, Any]], list[tuple[str, str, str | None]]]:
    """Find the worst pair in each notion; where formulas allow more, take its value instead."""
    result: list[Bound] = []
    shown: list[dict[str, Any]] = []
    steps: list[tuple[str, str, str | None]] = []
    for bound in stated:
        pair, better = None, bound
        additive = NOTIONS[bound.notion].additive
        if additive is not None:
            weights = _weights(membership, problem, bound.notion, values, sizes, found.distance)
            if weights is not None:
                pair, better = _worst(membership, problem, found, bound, weights, sizes)
        elif found.distance == 1 and not found.exact:
            better = _worst_of_each(membership, problem, bound, values, sizes)
        result.append(better)
        if pair is not None:
            shown.append(_shown(bound, pair))
        if better is not bound:
            most = f"no two allowed memberships differ by more than {better.exact}"
            steps.append((f"{bound.notion}: {most}", "integer programming", "HBW.V-A.3"))
    return result, shown, steps


def _worst_of_each(
    membership: Membership,
    problem: Problem,
    bound: Bound,
    values: Mapping[str, Any],
    sizes: Mapping[str, int],
) -> Bound:
    """Take the largest sum of ε and the largest sum of δ that two allowed memberships differ by."""
    pairs = []
    for slot in (0, 1):
        weights = _weights(membership, problem, bound.notion, values, sizes, 1, slot)
        pair = None if weights is None else _pair(membership, sizes, weights)
        if pair is None:
            return bound
        pairs.append(pair)
    eps, delta = (pair.most for pair in pairs)
    value = as_guarantee(eps, delta)
    latex = ", ".join(
        _worst_latex(membership, problem, bound.notion, slot) for slot in range(len(pairs))
    )
    return replace(
        bound, words=("at the worst pairs of memberships", rf"\left({latex}\right)"), value=value,
        exact=exact_text(value), pareto=None, tight="unknown",
        tight_note="the worst memberships for ε and for δ can be different ones",
        by=(*bound.by, "HBW.V-A.3"),
    )  # fmt: skip


def _pair(
    membership: Membership, sizes: Mapping[str, int], weights: Mapping[str, Sequence[Fraction]]
) -> WorstPair | None:
    simple = membership.counting and len(membership.groups) == 1
    return (pair_at if simple else worst_pair)(membership, sizes, weights)


def _worst(
    membership: Membership,
    problem: Problem,
    found: VectorReach,
    bound: Bound,
    weights: Mapping[str, Sequence[Fraction]],
    sizes: Mapping[str, int],
) -> tuple[WorstPair | None, Bound]:
    pair = _pair(membership, sizes, weights)
    if pair is None or found.exact:
        return pair, bound
    value = root(pair.most) if NOTIONS[bound.notion].growth.root else pair.most
    attained = pair.weight == pair.most
    note = "" if attained else "found up to rounding, or the search was cut off"
    words = "at the worst pair of memberships", _worst_latex(membership, problem, bound.notion)
    return pair, replace(
        bound, words=words, value=value,
        exact=exact_text(value), pareto=None, tight="yes" if attained else "unknown",
        tight_note=note, by=(*bound.by, "HBW.V-A.3"),
    )  # fmt: skip


def _power(growth: Additive | Paired) -> int:
    """Return with which power of a distance losses add up; pairs only add up at distance 1."""
    return growth.power if isinstance(growth, Additive) else 1


def _worst_latex(membership: Membership, problem: Problem, notion: str, slot: int = 0) -> str:
    """Return the largest sum over the databases in which two vectors differ, as a formula."""
    replaced = membership.neighbours == "replace-one"
    growth = NOTIONS[notion].growth
    factor = Fraction(2 ** _power(growth) if replaced else 1)
    sums = []
    for part in problem.bound_parts:
        name = dict(part.guarantees)[notion][slot]
        group = rf"\mathrm{{{part.map.name}}}," if len(membership.groups) > 1 else ""
        one, other = f"b_{{{group}i}}", f"b'_{{{group}i}}"
        seen = one if replaced else rf"|{one} - {other}|"
        power = 2 if growth.root else 1
        if isinstance(name, Fraction):
            weight = latex_text(Num(factor * name**power))
        else:
            times = "" if factor == 1 else f"{factor} "
            weight = f"{times}{latex_name(name, 'i')}{'^2' if power == 2 else ''}"
        sums.append(rf"\sum_{{i}} {weight} {seen}")
    over = "b" if replaced else "b, b'"
    total = " + ".join(sums)
    if growth.root:
        return rf"\max_{{{over}}} \sqrt{{{total}}}"
    return rf"\max_{{{over}}} \Bigl({total}\Bigr)" if len(sums) > 1 else rf"\max_{{{over}}} {total}"


def _weights(
    membership: Membership,
    problem: Problem,
    notion: str,
    values: Mapping[str, Any],
    sizes: Mapping[str, int],
    distance: int,
    slot: int = 0,
) -> dict[str, list[Fraction]] | None:
    """Return what each database adds up in a notion, or None if that is not known exactly."""
    growth = NOTIONS[notion].growth
    found: dict[str, list[Fraction]] = {}
    for group, size in membership.groups.items():
        found[group] = [Fraction(0)] * _number(size, sizes)
    for part in problem.bound_parts:
        declared = dict(part.guarantees)
        if notion not in declared:
            return None
        name = declared[notion][slot]
        given = values.get(name) if isinstance(name, str) else name
        column = found[part.map.name]
        items = given if isinstance(given, Sequence) else [given] * len(column)
        if len(items) != len(column) or not all(isinstance(x, int | Fraction) for x in items):
            return None
        power = 2 if growth.root else 1
        for i, x in enumerate(items):
            column[i] += Fraction(x) ** power * distance ** _power(growth)
    return found


def _shown(bound: Bound, pair: WorstPair) -> dict[str, Any]:
    """Return a worst pair as plain data: the databases by number, from 1."""

    def numbers(side: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        return {g: [i for i, x in enumerate(v, 1) if x] for g, v in side.items()}

    return {
        "notion": bound.notion,
        "b": numbers(pair.first),
        "b_prime": numbers(pair.second),
        "value": plain(root(pair.weight) if NOTIONS[bound.notion].growth.root else pair.weight),
        "attained": pair.weight == pair.most,
    }
