"""Profiles as answers show them: which blocks change together, in words and in SymPy."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.algebra.guarantees import plus
from dpcomp_sym.derivation.proof import number
from dpcomp_sym.numbers.bound import box_of
from dpcomp_sym.profile import ALL, Case, Group, Profile, Vector
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import PLAIN_SIGNS, TRUE, Naming, letters_for
from dpcomp_sym.statements.plain import ranges
from dpcomp_sym.statements.render import letters

if TYPE_CHECKING:
    from dpcomp_sym.report.notebook import Shown

__all__ = ["Changes"]

_ONE: Final = t.Num(Fraction(1))


class Changes(Profile):
    """What neighbours can change: the profile of a composition, which shows itself.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
    >>> d.profile
    <Profile: at most 2 blocks of counts, each at distance 1; proved, attained>
    >>> d.profile.sympy()
    SumOfLargest(2, counts[i], (i, 1, k))
    """

    __slots__ = ()

    @classmethod
    def of(cls, profile: Profile) -> Changes:
        """Return a profile as one that shows itself."""
        return cls(**{f.name: getattr(profile, f.name) for f in fields(profile)})

    def __repr__(self) -> str:
        known = "proved" if self.proved else "not proved"
        said = "; or ".join(self.sentences()) or "nothing"
        return f"<Profile: {said}; {known}{', attained' if self.exact else ''}>"

    def sentences(self) -> list[str]:
        """Return what the neighbours of each case can change, in words."""
        return [
            said + (f", for {ranges(box_of(case.ranges))}" if len(self.cases) > 1 else "")
            for case in self.cases
            for said in dict.fromkeys(map(self._said, case.vectors))
        ]

    def _said(self, vector: Vector) -> str:
        total = self._total(vector)
        times = f"{total.times.text()} choices of " if isinstance(total, t.Coverage) else "some "
        total = total.most if isinstance(total, t.Coverage) else total
        free = total.free if isinstance(total, t.MaxOver) else 0
        chosen = letters_for(total, free, 0, letters)
        naming = Naming(PLAIN_SIGNS, str, chosen)
        said = " and ".join(self._of(g, naming) for g in vector) or "nothing"
        facts = total.facts if isinstance(total, t.MaxOver) else TRUE
        there = "" if facts == TRUE else f" with {naming.predicate(facts)}"
        return said + (f", for {times}{', '.join(chosen)}{there}" if chosen else "")

    def _of(self, group: Group, naming: Naming) -> str:
        parts = [p.name for p in self.parts if p.map == group.map]
        seen = {str(number(d).text()) if d != 0 else "0" for _, d in group.distances}
        far = f"at distance {' or '.join(sorted(seen))}"
        if len(seen) > 1:
            each = (f"{number(d).text()} ({p})" for p, d in group.distances)
            far = f"at distance {', '.join(each)}"
        elif len(parts) > 1:
            far += f" ({', '.join(parts)})"
        indices = next(m.indices for m in self.maps if m.name == group.map)
        if not indices:
            return f"{group.map} {far}"
        if group.block:
            return f"block {', '.join(map(str, group.block))} of {group.map} {far}"
        if group.when is not None:
            _, _, condition = group.when
            index = letters(self._sizes(group.map))
            which = replace(naming, indices=index).predicate(condition)
            kept = "" if condition == TRUE else f" with {which}"
            every = group.count == ALL or group.times != 1
            some = "all blocks" if every else f"at most {group.count} blocks"
            return f"{some} {', '.join(index)} of {group.map}{kept}, each {far}"
        if group.count == ALL:
            return f"all blocks of {group.map}, each {far}"
        most = f"at most {group.most} block{'' if group.most == 1 else 's'} of {group.map}"
        return f"{most}, {'together' if group.wide is not None else 'each'} {far}"

    def sympy(self) -> Any:
        """Return the largest total distance between neighbours, block by block with weights.

        The weights are called as the parts, ``counts[i]`` for blocks: with ε for them it is the
        loss in pure privacy, and with 1 for some of them it tells how far neighbours can be in
        these.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded",
        ...     some=dp.cover(2, pure="eps"), all=dp.release(pure="eta"))
        >>> d.profile.sympy().subs(d.symbols["k"], 2).doit()
        all + some[1] + some[2]
        """
        from dpcomp_sym.statements.symbolic import to_sympy

        return to_sympy(self.total())

    def total(self) -> t.Expr:
        """Return the same as theorems state it."""
        rows = [(box_of(c.ranges), self._largest(c)) for c in self.cases]
        if len(rows) <= 1:
            return rows[0][1] if rows else t.Num(Fraction(0))
        return t.Cases(tuple(t.SizeCase(where, value) for where, value in rows))

    def _largest(self, case: Case) -> t.Expr:
        totals = tuple(dict.fromkeys(map(self._total, case.vectors)))
        if t.Inf() in totals:
            return t.Inf()
        return totals[0] if len(totals) == 1 else t.Max(totals)

    def _total(self, vector: Vector) -> t.Expr:
        """Return the largest total of one way in which neighbours differ."""
        bound = [g.when for g in vector if g.when is not None]
        if not bound:
            found = tuple(self._of_map(m.name, vector) for m in self.maps)
            return t.Inf() if t.Inf() in found else plus(found)
        free, facts, _ = bound[0]
        sums = [
            t.SumOver(
                self._sizes(g.map),
                (g.when and g.when[2]) or TRUE,
                number(g.count if g.times == 1 else ALL),
                self._value(g),
            )
            for g in vector
        ]
        if any(x.value == t.Inf() for x in sums):
            return t.Inf()
        most, times = t.MaxOver(free, facts, plus(tuple(sums))), vector[0].times
        return most if times == 1 else t.Coverage(number(times), most)

    def _of_map(self, name: str, vector: Vector) -> t.Expr:
        groups = [g for g in vector if g.map == name and any(d != 0 for _, d in g.distances)]
        named = [self._value(g) for g in groups if g.block]
        others = [(g, self._value(g)) for g in groups if not g.block]
        if any(isinstance(v, t.Inf) for v in [*named, *(v for _, v in others)]):
            return t.Inf()
        sizes = self._sizes(name)
        if not sizes:
            return plus(tuple(v for _, v in others))
        chosen = tuple(t.Choice(number(g.count), v) for g, v in others)
        return plus((*named, *([t.Worst(sizes, chosen)] if chosen else [])))

    def _sizes(self, name: str) -> t.Sizes:
        return tuple(size for _, size in next(m.indices for m in self.maps if m.name == name))

    def _value(self, group: Group) -> t.Expr:
        """Return what one block of a group adds: weights times distances."""
        sizes, found = self._sizes(group.map), []
        for part, distance in group.distances:
            far = number(distance)
            if isinstance(far, t.Inf):
                return far
            weight: t.Expr = t.Param(part)
            if sizes:
                weight = t.BlockEntry(part, sizes)
            if group.block:
                weight = t.EntryOf(part, sizes, group.block)
            if distance != 0:
                found.append(weight if far == _ONE else t.Product((far, weight)))
        return plus(tuple(found))


def shown(changes: Changes) -> Shown:
    """Return what a notebook shows: sentences, and the largest total distance as a formula."""
    from dpcomp_sym.report.document import Items, Paragraph, capital, plain
    from dpcomp_sym.report.notebook import Shown
    from dpcomp_sym.statements.latex import latex_text

    said = Items(tuple((Paragraph(f"{capital(plain(s))}."),) for s in changes.sentences()))
    total = changes.total()
    formula = Paragraph(f"Distances, each with a weight, add up to at most ${latex_text(total)}$.")
    return Shown([said, formula] if changes.cases else [], "What neighbours change")
