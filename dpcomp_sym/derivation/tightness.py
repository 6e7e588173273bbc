"""Mechanisms that attain a bound, so that no smaller one is true (N1).

Let D, D' be neighbours that attain a vector of the profile, and E = f_i(D).  Part i is a function
of t = min(d_i(E, x), r_i), which changes by at most the distance of two databases (1-Lipschitz).
So it is private on its whole domain if the laws of t and t + 1 are close enough; and at D' it has
t = r_i.  Both are inequalities between polynomials, proved by the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.sizes import covers
from dpcomp_sym.derivation.order import at_most
from dpcomp_sym.derivation.proof import TRUE, number
from dpcomp_sym.derivation.shorten import equal_to_shorter
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers.bound import box_of
from dpcomp_sym.printable import unused
from dpcomp_sym.profile import Case, Count, Infinity, Profile, Vector

__all__ = ["Witness", "witness"]


@dataclass(frozen=True)
class Witness:
    """The mechanisms that attain a bound, and why they do.

    Attributes:
        notion: the notion of the bound.
        mechanisms: what each part publishes, as a function of t.
        letters: what t and the distance r are called, by no name of the problem.
        attains: what is lost between the worst pair of neighbours.
        lemmas: theorems of the kernel: the mechanisms are private (in q = 1 + s, u = 1/(1 + x)).
        attained: theorems of the kernel, one a case: the bound is at most what is lost.
    """

    notion: str
    mechanisms: tuple[tuple[str, str], ...]
    letters: tuple[str, str]
    attains: str
    lemmas: tuple[k.Theorem, ...]
    attained: tuple[k.Theorem, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the witness as plain data."""
        letter, far = self.letters
        return {
            "mechanisms": [{"part": p, "publishes": what} for p, what in self.mechanisms],
            "letter": letter,
            "t": "the distance of what the part reads from what it would read of D*, but at most "
            f"{far}, the distance between what it would read of two worst neighbours, D* and D**",
            "attains": self.attains,
            "verified": [t.statement.text() for t in (*self.lemmas, *self.attained)],
        }


def witness(problem: Problem, profile: Profile, notion: str, theorem: k.Theorem) -> Witness | None:
    """Return the mechanisms that attain a bound, or None if that is not shown.

    Args:
        problem: the composition.
        profile: its vectors must occur, at any choice of different blocks; where there are infinite
            distances one of these is enough.
        notion: one whose losses add up, and which has mechanisms that attain them.
        theorem: the bound.

    Where a part sees an infinite distance, it publishes a count that no edit changes, and nothing
    finite is true; nor is it where one sees distances beyond all bounds.  For one-sided parts at
    distances above 1 nothing is claimed; at infinite ones they say at times that edits lead there.
    """
    attaining = NOTIONS[notion].attaining
    if attaining is None or not profile.cases:
        return None
    profile = profile.foremost
    free = profile.interchangeable
    declared = {p.name: dict(p.guarantees).get(notion) for p in profile.parts}
    one_sided = {p.name for p in problem.bound_parts if p.granularity.directed}
    theorems = theorem.premises if theorem.rule == "cover_cases" else (theorem,)
    attained: list[k.Theorem] = []
    finite, infinite, endless = set[str](), set[str](), set[str]()
    for bound in theorems:
        case = next((c for c in profile.cases if _speaks_of(c, bound)), None)
        if case is None:
            return None
        seen = [(p, r) for v in case.vectors for g in v for p, r in g.distances if r != 0]
        far = {part for part, r in seen if isinstance(r, Infinity)}
        if far and (case.far or case.attained):
            infinite |= far if case.attained else set(case.far)
        elif case.endless and all(declared[p] and p not in one_sided for p in case.endless):
            endless |= set(case.endless)
        elif not seen:
            continue  # neighbours do not differ there, and nothing is lost
        elif (
            free
            and case.attained
            and all(
                declared[part] is not None and (r == 1 or part not in one_sided) for part, r in seen
            )
        ):
            finite |= {part for part, _ in seen}
        else:
            return None
        found = _attained(profile, case, notion, declared, bound)
        if found is None:
            return None
        attained.append(found)
    letters = _letters(problem, theorem)
    words = attaining.publishes, letters[0], letters[1]
    return Witness(
        notion,
        tuple(_published(profile, declared, words, finite | endless, infinite, one_sided)),
        letters,
        _attains(attaining.attains, letters[1], finite, endless, infinite - one_sided),
        lemmas(notion),
        tuple(attained),
    )


def _attains(
    lost: str, far: str, finite: set[str], endless: set[str], certain: set[str]
) -> str:  # fmt: skip
    """Return what is lost between neighbours: the worst, or as bad ones as one likes."""
    lost = lost.format(r=far)
    if finite:
        return lost
    if endless:
        return f"{lost}, and {far} is as large as one likes"
    if not certain:
        return "an output is possible for D and not for D'"
    return "D and D' are distinguished with certainty"


def _published(
    profile: Profile,
    declared: Mapping[str, Sequence[str | Fraction] | None],
    words: tuple[str, str, str],
    finite: set[str],
    infinite: set[str],
    one_sided: set[str],
) -> Iterator[tuple[str, str]]:
    """Yield the parts that lose something, with what their mechanisms publish."""
    text, letter, far = words
    for part in profile.parts:
        index = ",".join(i for i, _ in _map(profile, part.map).indices)
        name = f"{part.name}[{index}]" if index else part.name
        parameters = declared[part.name]
        shown = "" if parameters is None else str(parameters[0])
        shown = f"{shown}[{index}]" if index and parameters and not shown[0].isdigit() else shown
        if part.name in finite and parameters is not None:
            yield name, text.format(g=shown, t=letter)
        if part.name in infinite & one_sided:
            yield name, f"0, or 1 with probability 1 - exp(-{shown}) where {letter} is finite"
        elif part.name in infinite:
            yield name, f"a count of records that no edit changes, where {far} = inf"


def _letters(problem: Problem, theorem: k.Theorem) -> tuple[str, str]:
    """Return letters for a number and a distance that nothing here is called.

    That is also about what the bound calls times and places, ``max over t of …``.
    """
    taken = set(problem.names)
    loss = theorem.statement.loss if isinstance(theorem.statement, k.Private) else None
    if isinstance(loss, k.Neighbouring):
        taken |= {x for e in loss.guarantee for x in re.findall(r"[a-z]\w*", e.text())}
    return unused("tuv", taken), unused("rqm", taken)


def _speaks_of(case: Case, theorem: k.Theorem) -> bool:
    """Return whether a theorem is about sizes of a case only."""
    statement = theorem.statement
    return isinstance(statement, k.Private) and covers((box_of(case.ranges),), statement.where)


def _map(profile: Profile, name: str) -> Any:
    return next(m for m in profile.maps if m.name == name)


# ------------------------------------------------------------------ the mechanisms are private


@lru_cache
def lemmas(notion: str) -> tuple[k.Theorem, ...]:
    """Return what makes the mechanisms private between t and t + 1, as theorems.

    >>> [t.statement.text() for t in lemmas("pure")]
    ['1 <= 1 + s', '2 + s <= 2*(1 + s)*(1 + x)']
    """
    attaining = NOTIONS[notion].attaining
    pairs = () if attaining is None else attaining.lemmas
    return tuple(k.bounded_polynomial(low, high, ()) for low, high in pairs)


# ------------------------------------------------------------------ they lose the whole bound


def _attained(
    profile: Profile,
    case: Case,
    notion: str,
    declared: Mapping[str, Sequence[str | Fraction] | None],
    theorem: k.Theorem,
) -> k.Theorem | None:
    """Return the theorem that a case's bound is at most what the mechanisms lose."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return None
    totals = [_lost(profile, v, notion, declared) for v in case.vectors]
    lost: k.Expr = totals[0] if len(totals) == 1 else k.Max(tuple(totals))
    if k.Inf() in totals:
        lost = k.Inf()
    elif NOTIONS[notion].growth.root:
        lost = k.Sqrt(lost)
    bound, short = statement.loss.guarantee[0], equal_to_shorter(lost, statement.where)
    below = at_most(bound, lost, statement.where)
    if below is None and (leq := at_most(bound, short.right, statement.where)) is not None:
        below = k.transitive(leq, short.back)
    return below


def _lost(
    profile: Profile,
    vector: Vector,
    notion: str,
    declared: Mapping[str, Sequence[str | Fraction] | None],
) -> k.Expr:
    """Return the logarithm of the ratio (or alpha's factor, or the square of mu) of a vector."""
    losses = NOTIONS[notion].additive
    if losses is None:
        return k.Inf()
    by_map: dict[tuple[str, tuple[int, ...]], list[k.Choice]] = {}
    patterned: list[k.Expr] = []
    bound: tuple[int, k.Predicate] | None = None
    times: Count = 1
    for group in vector:
        items: list[k.Expr] = []
        sizes = tuple(size for _, size in _map(profile, group.map).indices)
        for part, r in group.distances:
            parameters = declared[part]
            if r == 0:
                continue
            if isinstance(r, Infinity) or parameters is None:
                return k.Inf()
            g = _parameter(parameters[0], sizes, group.block)
            items.append(losses.lost(g, number(r)))
        if items:
            total = items[0] if len(items) == 1 else k.Sum(tuple(items))
            if group.when is not None:
                free, facts, when = group.when
                bound, times = (free, facts), group.times
                count = number(group.count) if times == 1 else k.Inf()
                patterned.append(k.SumOver(sizes, when or TRUE, count, total))
                continue
            place = (group.map, group.block)
            by_map.setdefault(place, []).append(k.Choice(number(group.count), total))
    if bound is not None:
        most = k.MaxOver(*bound, patterned[0] if len(patterned) == 1 else k.Sum(tuple(patterned)))
        return most if times == 1 else k.Coverage(number(times), most)
    found: list[k.Expr] = []
    for (name, block), choices in by_map.items():
        sizes = () if block else tuple(size for _, size in _map(profile, name).indices)
        values = tuple(c.value for c in choices)
        if sizes:
            found.append(k.Worst(sizes, tuple(choices)))
        else:
            found.append(values[0] if len(values) == 1 else k.Max(values))
    return found[0] if len(found) == 1 else k.Sum(tuple(found))


def _parameter(parameter: str | Fraction, sizes: k.Sizes, block: tuple[int, ...]) -> k.Expr:
    if not isinstance(parameter, str):
        return k.Num(Fraction(parameter))
    if block:
        return k.EntryOf(parameter, sizes, block)
    return k.BlockEntry(parameter, sizes) if sizes else k.Param(parameter)
