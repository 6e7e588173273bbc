"""Counterexamples to a claim: sizes, numbers and databases at which more is lost than claimed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dpcomp_sym import balls
from dpcomp_sym.balls import Ball
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.decision import ClaimCounterexample
from dpcomp_sym.claims.evidence import refutation
from dpcomp_sym.claims.question import ClaimQuestion, ParameterNumbers
from dpcomp_sym.claims.worlds import (
    ParameterValues,
    TouchedWorld,
    assignments,
    blocks_needed,
    blocks_of,
    case_for,
    changed,
    declared,
    loss,
    nearer,
    placed,
    placements,
    sizes_in_order,
    source,
)
from dpcomp_sym.engine.definitions import differ
from dpcomp_sym.engine.gathered import gathered
from dpcomp_sym.engine.tight_pairs import attaining
from dpcomp_sym.printable import unused
from dpcomp_sym.profile import Infinity
from dpcomp_sym.smt.reals import UnsupportedError, larger, named

if TYPE_CHECKING:
    from dpcomp_sym.engine.counterexample import FoundPair

__all__ = ["Search"]

Candidate = tuple[dict[str, int], TouchedWorld, ParameterNumbers]

MOST_SEARCHES: Final = 8
"""How many pairs of databases are searched for, at most, for one claim."""
MOST_WORLDS: Final = 40
"""How many ways of dropping blocks are tried, at most, where a vector asks for too many."""
MOST_SOLVED: Final = 12
"""The solver is asked for numbers where there are no more blocks than that."""
MOST_SEARCHED: Final = 8
"""Farther databases are not searched for, if what shows the bound can be written out."""
QUICK: Final = 4
MOST_QUICK: Final = 30
MOST_EPS: Final = 50
"""Beyond, deltas are not tried: all of them are 1."""
BITS: Final = 160
"""Probabilities are rounded to multiples of 2^-160, such that a loss is never too large."""
_UNIT: Final = 1 << BITS


class Search(ClaimQuestion):
    """The search for a counterexample, the smallest and simplest first."""

    def violation(self, least: int = 1) -> tuple[int, ClaimCounterexample | None]:
        """Return the first candidate for which there are databases, and how many were not."""
        missed = 0
        for sizes, world, values in itertools.islice(self.candidates(least), MOST_SEARCHES):
            example = self.confirmed(world, values, sizes)
            if example is not None:
                return missed, example
            missed += 1
        return missed, None

    def _most_blocks(self, sizes: Mapping[str, int]) -> int:
        """Return the largest number of blocks of a map."""
        return max(
            len(blocks_of(tuple(s for _, s in m.indices), sizes))
            for m in self.problem.used_maps.values()
        )

    def with_letters(self, example: ClaimCounterexample) -> ClaimCounterexample | None:
        """Return an example with as many blocks as the claim names, if the first has fewer."""
        letters = self.claim.letters
        if letters == 1 or self._most_blocks(example.sizes) >= letters:
            return None
        return self.violation(letters)[1]

    def candidates(self, least: int = 1, *, quick: bool = False) -> Iterator[Candidate]:
        """Yield sizes, blocks that change and numbers at which more is lost than claimed.

        The smallest sizes and the simplest numbers come first; ``quick`` tries few of either.
        """
        if self.notion.refuting is None:
            return
        needed = blocks_needed(self.problem, (v for c in self.profile.cases for v in c.vectors))
        sizes_to_try = sizes_in_order(self.problem, self.sizes, needed)
        for sizes in sizes_to_try[:QUICK] if quick else sizes_to_try:
            case = case_for(self.profile, sizes)
            if case is None or (least > 1 and self._most_blocks(sizes) != least):
                continue
            for vector in case.vectors:
                for whole in changed(self.problem, vector, sizes, MOST_WORLDS):
                    for world in (whole,) if case.attained else nearer(whole):
                        places = placements(self.problem, world, sizes, numbered=self.numbered)
                        for there in itertools.islice(places, MOST_WORLDS):
                            found = self._exceeding(there, sizes, quick=quick)
                            if found is not None:
                                yield sizes, *found

    def _exceeding(
        self, world: TouchedWorld, sizes: Mapping[str, int], *, quick: bool
    ) -> tuple[TouchedWorld, ParameterNumbers] | None:
        """Return where in a world, and at which numbers, more is lost than claimed."""
        far = any(isinstance(r, Infinity) for touch in world for _, r in touch.distances)
        simple = assignments(self.families, sizes, self.given)
        for numbers in itertools.islice(simple, MOST_QUICK) if quick else simple:
            where = (
                placed(self.problem, self.claim.notion, world, sizes, numbers)
                if self.given
                else world
            )
            many = len(self.claim.parameters)
            high = [self._claim_at(n, numbers, sizes) for n in range(many)]
            if any(h is None for h in high):
                continue
            if far or self._exceeds(where, numbers, [h for h in high if h is not None]):
                return where, numbers
        if quick or self.given or far or self.notion.additive is None:
            return None
        if self._most_blocks(sizes) > MOST_SOLVED:
            return None
        return self._solved(world, sizes)

    def _claim_at(
        self, position: int, values: ParameterNumbers, sizes: Mapping[str, int]
    ) -> Fraction | None:
        """Return an upper bound of the claimed number; None if none can be written down.

        The numbers that are given are all there are: then it is as close as can be.
        """
        known = {f.name for f in self.families} <= set(self.given)
        bits = standalone.BITS[-1 if known else 1]
        key = position, *sorted(sizes.items()), *sorted(self._flat(values).items())
        if key not in self.claimed:
            try:
                highs = [
                    box[1]
                    for e in self.plain(sizes)[position]
                    if (box := standalone.enclose(e, values, sizes, bits)) is not None
                ]
            except standalone.LargeError:
                highs = []
            self.claimed[key] = min(highs, default=None)
        return self.claimed[key]

    def _exceeds(
        self, world: TouchedWorld, values: ParameterNumbers, high: Sequence[Fraction]
    ) -> bool:
        """Return whether the worst mechanisms lose more than the claim allows."""
        refuting = self.notion.refuting
        if refuting is not None and refuting.own == "tables":
            return self._by_tables(world, values, high)
        left = loss(self.problem, self.claim.notion, world)
        if left is None:
            stand_in = None if refuting is None else refuting.stand_in
            return stand_in is not None and self._by_stand_in(stand_in, world, values, high[0])
        box = standalone.enclose(left.as_json(), self._flat(values), {}, standalone.BITS[0])
        limit = high[0] ** 2 if self.notion.growth.root else high[0]
        return box is not None and box[0] > limit

    @staticmethod
    def _flat(values: ParameterValues) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for name, value in values.items():
            if isinstance(value, Mapping):
                found.update({named(name, block): x for block, x in value.items()})
            else:
                found[name] = value
        return found

    def _by_tables(
        self, world: TouchedWorld, values: ParameterNumbers, high: Sequence[Fraction]
    ) -> bool:
        """Return whether delta at the claimed epsilon is too large."""
        parts = {p.name: p for p in self.problem.bound_parts}
        if high[0] > MOST_EPS or high[1] >= 1:
            return False
        laws = []
        for touch in world:
            for name, r in touch.distances:
                guarantee = declared(parts[name], self.claim.notion)
                if guarantee is None or isinstance(r, Infinity):
                    return False
                eps, delta = (self._number(g, touch.block or (), values) for g in guarantee)
                if eps > MOST_EPS:
                    return False
                laws.append(_rows(eps, delta, r))
        return _excess(laws, balls.exp(high[0]).upper) > high[1]

    def _by_stand_in(
        self, stand_in: str, world: TouchedWorld, values: ParameterNumbers, high: Fraction
    ) -> bool:
        """Return whether parts with an eps lose more than is claimed of rho or mu."""
        parts = {p.name: p for p in self.problem.bound_parts}
        laws, total = [], Fraction(0)
        for touch in world:
            for name, r in touch.distances:
                guarantee = declared(parts[name], self.claim.notion)
                kind = source(parts[name], self.claim.notion)
                if guarantee is None or kind != stand_in or isinstance(r, Infinity):
                    return False
                eps = self._number(guarantee[0], touch.block or (), values)
                if eps > MOST_EPS:
                    return False
                laws.append(_rows(eps, Fraction(0), r))
                total += _divergence(eps, r)
        refuting = self.notion.refuting
        if refuting is not None and refuting.compared == "divergence":
            return total > high
        # At mu-GDP no event differs by more than 2 Phi(mu/2) - 1.
        most = 1 - 2 * balls.normal_tail(Ball.of(high / 2))
        return _excess(laws, Fraction(1)) > most.upper

    @staticmethod
    def _number(
        parameter: str | Fraction, block: tuple[int, ...], values: ParameterNumbers
    ) -> Fraction:
        if not isinstance(parameter, str):
            return Fraction(parameter)
        known = values[parameter]
        return known[block] if isinstance(known, dict) else known

    def _solved(
        self, world: TouchedWorld, sizes: Mapping[str, int]
    ) -> tuple[TouchedWorld, ParameterNumbers] | None:
        """Ask the solver for numbers, where the simple ones have been tried."""
        left = loss(self.problem, self.claim.notion, world)
        if left is None:
            return None
        try:
            model = larger(
                left, self.written(sizes)[0], sizes,
                squared=self.notion.growth.root, only_linear=True,
            )  # fmt: skip
        except (UnsupportedError, standalone.LargeError):
            return None
        if not isinstance(model, dict):
            return None
        numbers = self._shaped(model, sizes)
        high = self._claim_at(0, numbers, sizes)
        if high is not None and self._exceeds(world, numbers, [high]):
            return world, numbers
        return None

    def _shaped(self, model: Mapping[str, Fraction], sizes: Mapping[str, int]) -> ParameterNumbers:
        """Return the solver's numbers in the shape of the parameters; those not named are 0."""
        found: ParameterNumbers = {}
        for family in self.families:
            table = {
                b: model.get(named(family.name, b), Fraction(0))
                for b in blocks_of(family.sizes, sizes)
            }
            found[family.name] = table if family.sizes else table[()]
        return found

    def confirmed(
        self, world: TouchedWorld, values: ParameterNumbers, sizes: Mapping[str, int]
    ) -> ClaimCounterexample | None:
        """Find the databases, and have everything re-checked."""
        found = self._gathered(world, sizes) or attaining(self.structure, world, sizes)
        if found is None and not self.given:
            free = tuple(replace(t, block=None if t.block else ()) for t in world)
            found = attaining(self.structure, free, sizes)
            if found is not None:
                values = self._moved(world, found, values)
        if found is None:
            return None
        try:
            claimed = self.written(found.world.symbols)
        except standalone.LargeError:
            return None
        data = refutation(self.structure, self.claim, found, world, values, claimed)
        if data is None:
            return None
        example = self.structure.example(found, differ, self.claim.text)
        if example is None:
            return None
        databases = example.as_json(self.problem.used_maps)
        databases.pop("symbols", None)
        letter = unused("tuv", self.problem.names)
        return ClaimCounterexample(data, values, dict(found.world.symbols), databases, letter)

    def _gathered(self, world: TouchedWorld, sizes: Mapping[str, int]) -> FoundPair | None:
        """Return what shows the bound at these sizes, if a search would be for many records."""
        far = (r for touch in world for _, r in touch.distances if isinstance(r, int))
        case = case_for(self.profile, sizes)
        if case is None or max(far, default=0) <= MOST_SEARCHED:
            return None
        return gathered(self.structure, case, world, sizes)

    def _moved(
        self, world: TouchedWorld, found: FoundPair, values: ParameterNumbers
    ) -> ParameterNumbers:
        """Return the numbers with those of the wanted blocks at the blocks that were found."""
        result = dict(values)
        for family in self.families:
            table = result[family.name]
            if not isinstance(table, dict):
                continue
            new = dict(table)
            for touch, (mapping, index) in zip(world, found.blocks, strict=True):
                sizes = tuple(s for _, s in mapping.indices)
                if sizes == family.sizes and touch.block in new:
                    new[touch.block], new[index] = new[index], new[touch.block]
            result[family.name] = new
        return result


@lru_cache(maxsize=1000)
def _rows(eps: Fraction, delta: Fraction, r: int) -> list[tuple[int, int]]:
    """Return the worst laws at distance r in units of 2^-160, the first rounded down, the last up.

    >>> [((a + 1) >> 150, b >> 150) for a, b in _rows(Fraction(0), Fraction(1, 2), 1)]
    [(0, 512), (256, 256), (256, 256), (512, 0)]
    """
    laws = standalone.steepest(eps, delta, r)
    return [
        (math.floor(_ball(a).lower * _UNIT), math.ceil(_ball(b).upper * _UNIT))
        for a, b in zip(laws[0], laws[-1], strict=True)
    ]


@lru_cache(maxsize=1000)
def _divergence(eps: Fraction, r: int) -> Fraction:
    """Return a lower bound of the divergence between the worst eps-private laws at distance r.

    >>> 0.4621 < _divergence(Fraction(1), 1) < 0.4622
    True
    """
    laws = standalone.steepest(eps, Fraction(0), r)
    rows = [(_ball(a), _ball(b)) for a, b in zip(laws[0], laws[-1], strict=True)]
    return sum((a * balls.log(a / b) for a, b in rows), Ball.of(0)).lower


def _ball(x: standalone.Exp) -> Ball:
    """Return a ball around a number of the stand-alone program."""
    up, low = (
        sum((balls.exp(power) * c for power, c in terms.items()), Ball.of(0))
        for terms in (x.up, x.low)
    )
    return up / low


def _excess(laws: Sequence[Sequence[tuple[int, int]]], factor: Fraction) -> Fraction:
    """Return a lower bound of the largest P(S) - factor Q(S), outcomes being independent.

    >>> _excess([_rows(Fraction(0), Fraction(1, 2), 1)], Fraction(1)).limit_denominator(100)
    Fraction(1, 2)
    """
    joint = [(_UNIT, _UNIT)]
    for law in laws:
        joint = [(p * a >> BITS, (q * b >> BITS) + 1) for p, q in joint for a, b in law]
    up = math.ceil(factor * _UNIT)
    return Fraction(sum(max(0, p - (up * q >> BITS) - 1) for p, q in joint), _UNIT)
