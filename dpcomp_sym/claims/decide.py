"""Is a claimed bound true?  A proof, or an exact counterexample, or neither."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.evidence import as_data, refutation
from dpcomp_sym.claims.parse import Claim, read_claim
from dpcomp_sym.claims.worlds import (
    ParameterValues,
    TouchedWorld,
    assignments,
    blocks_needed,
    blocks_of,
    case_for,
    declared,
    families,
    loss,
    nearer,
    placed,
    placements,
    sizes_in_order,
    source,
    touched,
)
from dpcomp_sym.derivation.derive import Derivation, steps
from dpcomp_sym.derivation.order import at_most, claimed
from dpcomp_sym.engine import Structure
from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.engine.definitions import differ
from dpcomp_sym.engine.tight_pairs import attaining
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.profile import Case, Infinity
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.smt.reals import UnsupportedError, larger, named
from dpcomp_sym.spec import Spec, load_spec

if TYPE_CHECKING:
    from dpcomp_sym.engine.counterexample import FoundPair

__all__ = ["ClaimCounterexample", "Decision", "decided", "refute", "unclaimed"]

_MISSED: Final = (
    "the bound is larger than the claim, but no databases were found at which so much is lost"
)
ParameterNumbers = dict[str, Fraction | dict[tuple[int, ...], Fraction]]
Candidate = tuple[dict[str, int], TouchedWorld, ParameterNumbers]

MOST_SEARCHES: Final = 8
"""So many pairs of databases are looked for at most, for one claim."""
MOST_WORLDS: Final = 40
"""So many ways of dropping blocks are tried, where a vector asks for more than there are."""
MOST_SOLVED: Final = 12
"""The solver is asked for numbers where there are no more blocks than that."""
MOST_CASES: Final = 2000
"""The solver is asked that often at most, to prove one claim."""
QUICK: Final = 4
MOST_QUICK: Final = 30
MOST_GAPS: Final = 6
"""So many sizes are tried to show that a true claim is larger than the bound."""
MOST_EPS: Final = 50
"""Beyond, deltas are not tried: all of them are 1."""


@dataclass(frozen=True)
class ClaimCounterexample:
    """Numbers, databases and mechanisms at which a claim fails; all of it re-checked."""

    data: Mapping[str, Any]
    values: ParameterValues
    sizes: Mapping[str, int]
    databases: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return everything that is needed to be convinced."""
        return {
            **self.databases,
            "sizes": dict(self.sizes),
            **as_data(self.data, self.values),
            "confirmed": list(standalone.confirm(self.data).facts),
        }


@dataclass(frozen=True)
class Decision:
    """What is known of a claim.

    Attributes:
        claim: what was claimed.
        verdict: "proved", "refuted", "vacuous", "checked" (no counterexample within ``reason``)
            or "unknown".
        derivation: what the composition really guarantees.
        theorem: the kernel's theorem that the composition has the claimed guarantee.
        reason: why the verdict is what it is.
        tight: for a proved claim: whether it is the exact bound.
        gap: where it is not: numbers at which less is lost than claimed.
        counterexample: for a refuted claim, the smallest one.
        also: a counterexample with as many blocks as the claim names, if the smallest has fewer.
    """

    claim: Claim
    verdict: str
    derivation: Derivation
    theorem: k.Theorem | None = None
    reason: str = ""
    tight: str = "unknown"
    gap: Mapping[str, Any] | None = None
    counterexample: ClaimCounterexample | None = None
    also: ClaimCounterexample | None = None

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"<Decision {self.claim.text!r}: {self.verdict}{why}>"

    @property
    def bound(self) -> Any:
        """The derived bound in the notion of the claim, or None."""
        found = [b for b in self.derivation.bounds if b.notion == self.claim.notion]
        return found[0] if found else None

    def as_json(self) -> dict[str, Any]:
        """Return the decision as plain data."""
        bound = self.bound
        return {
            "schema": "dpcomp/1",
            "title": self.derivation.title,
            "verdict": self.verdict,
            "claim": self.claim.text,
            "notion": self.claim.notion,
            "reason": self.reason or None,
            "bound": None if bound is None else {"text": bound.text, "latex": bound.latex},
            "tight": self.tight,
            "gap": None if self.gap is None else dict(self.gap),
            "counterexample": _json(self.counterexample),
            "also": _json(self.also),
            "trust": sorted({t.kind for t in self.theorem.trust}) if self.theorem else [],
            "trace": [s.as_json() for s in steps(() if self.theorem is None else (self.theorem,))],
        }  # fmt: skip

    def script(self) -> str | None:
        """Return a stand-alone Python program that re-checks the refutation, or None."""
        if self.counterexample is None:
            return None
        from dpcomp_sym.claims.script import program

        return program(self.counterexample.data)


def _json(example: ClaimCounterexample | None) -> dict[str, Any] | None:
    return None if example is None else example.as_json()


def refute(
    problem: Problem | Spec | str | Path,
    claim: str,
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    *,
    notion: str | None = None,
) -> Decision:
    """Decide whether a composition has a claimed guarantee.

    Args:
        problem: the composition, a spec, or the file (or text) of a spec.
        claim: such as ``max(eps[i] + eps[j])``; a pair for (epsilon, delta).
        values: numbers for the parameters, over those of the spec; the claim is then about these.
        sizes: numbers for k and other symbols.
        notion: the name of a notion, where the parameters do not tell.

    Raises:
        InputError: the claim or the problem cannot be used.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks", setting="common")])
    >>> refute(problem, "max(eps[i] + eps[j])").tight
    'yes'
    >>> false = refute(problem, "max(eps[i])")
    >>> false.verdict, false.counterexample.as_json()["parameters"]
    ('refuted', {'eps': ['1', '1']})
    """
    if isinstance(problem, Problem):
        spec = Spec(problem.title, problem, values or {}, sizes or {})
    else:
        read = problem if isinstance(problem, Spec) else load_spec(problem)
        spec = replace(
            read, values={**read.values, **(values or {})}, sizes={**read.sizes, **(sizes or {})}
        )
    unclaimed(spec)
    return decided(spec, read_claim(claim, spec.problem, notion), spec.derive())


def unclaimed(spec: Spec) -> None:
    """Refuse a spec about which no claims are decided.

    Raises:
        InputError: it is about the databases that a person can be in.
    """
    if spec.membership is not None:
        raise InputError("claims about a spec with [membership] are not decided; derive gives its "
                         "bounds")  # fmt: skip


def decided(spec: Spec, claim: Claim, derivation: Derivation) -> Decision:
    """Decide a claim about a composition whose derivation is there already.

    Raises:
        InputError: the claim names a symbol that can be less than 1.
    """
    for name in sorted(claim.sizes - set(spec.sizes)):
        query = Query(signature_of(spec.problem), spec.problem.symbols)
        query.add(query.symbols[name] < 1)
        if query.check() != logic.unsat:
            raise InputError(f"a claim is about sizes from 1 on, and '{name}' can be less: state "
                             f"'{name} >= 1' in the spec", where="--claim", word=name)  # fmt: skip
    return _Decider(spec, claim, derivation).decision()


class _Decider:
    def __init__(self, spec: Spec, claim: Claim, derivation: Derivation) -> None:
        self.problem, self.claim, self.derivation = spec.problem, claim, derivation
        self.profile = derivation.profile
        self.notion = NOTIONS[claim.notion]
        self.families = families(spec.problem, claim.notion)
        self.sizes = self._all_sizes(spec.values, spec.sizes)
        self.given: ParameterNumbers = self._given(spec.values)
        self.plain = [[e.as_json() for e in items] for items in claim.parameters]
        self.numbered = any(
            isinstance(x, k.EntryOf)
            for items in claim.parameters for e in items for x in k.subterms(e)
        )  # fmt: skip
        self.claimed: dict[tuple[object, ...], Fraction | None] = {}

    @cached_property
    def structure(self) -> Structure:
        return Structure(self.problem)

    def _all_sizes(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, int]:
        found = dict(sizes)
        for family in self.families:
            value = values.get(family.name)
            if isinstance(value, Sequence) and len(family.sizes) == 1:
                (size,) = family.sizes
                if isinstance(size, str):
                    found.setdefault(size, len(value))
        return found

    def _given(self, values: Mapping[str, Any]) -> ParameterNumbers:
        found: ParameterNumbers = {}
        for family in self.families:
            value = values.get(family.name)
            if isinstance(value, Sequence):
                found[family.name] = {(n,): Fraction(x) for n, x in enumerate(value, 1)}
            elif value is not None:
                found[family.name] = Fraction(value)
        return found

    # ------------------------------------------------------------- the answer

    def decision(self) -> Decision:
        if self.derivation.vacuous:
            reason = "no two different databases are neighbours: every claim holds, of nothing"
            return self.answer("vacuous", reason=reason)
        theorem = self.derivation.theorems.get(self.claim.notion)
        if not self.profile.proved:
            return self.answer("unknown", reason="a part may be given databases outside its class")
        # Where the bound is larger than the claim at some numbers, no proof is looked for.
        quickly = next(self.candidates(quick=True), None) is not None
        proof = None
        if theorem is not None and not quickly:
            proof = claimed(theorem, self.claim.parameters)
            if proof is None and self.box():
                proof = claimed(theorem, self.claim.parameters, self.box())
        if proof is not None:
            return self.proved(proof, "the kernel derives the claimed bound from the exact one")
        missed, example = self.violation()
        if example is not None:
            return self.answer("refuted", counterexample=example, also=self.with_letters(example))
        if missed:
            return self.answer("unknown", reason=_MISSED)
        if theorem is None:
            return self.answer("unknown", reason="a part has no guarantee in this notion")
        if self.by_numbers(theorem):
            said = "at these numbers the exact bound is at most the claimed one"
            return self.proved(None, said)
        if self.by_optimum():
            said = "at these numbers optimal composition has no larger delta at the claimed epsilon"
            return self.proved(None, said)
        if self.by_solver():
            said = (
                "for each number of blocks that a pair of neighbours can change, the solver finds "
                "no numbers at which the loss is larger; with more blocks the claim only grows"
            )
            return self.proved(None, said)
        return self.answer("unknown", reason="neither a proof nor a counterexample was found")

    def box(self) -> k.Where:
        """Return the given sizes as the kernel says them."""
        known = sorted((s, n) for s, n in self.sizes.items() if n >= 1)
        return tuple(k.SizeRange(s, n, n) for s, n in known)

    def answer(self, verdict: str, **more: Any) -> Decision:
        return Decision(self.claim, verdict, self.derivation, **more)

    def proved(self, theorem: k.Theorem | None, reason: str) -> Decision:
        tight, gap = self.tightness()
        return self.answer("proved", theorem=theorem, reason=reason, tight=tight, gap=gap)

    # ------------------------------------------------------------- refuting

    def violation(self, least: int = 1) -> tuple[int, ClaimCounterexample | None]:
        """Return the first candidate for which there are databases, and how many were not."""
        missed = 0
        for sizes, world, values in itertools.islice(self.candidates(least), MOST_SEARCHES):
            example = self.confirmed(world, values, sizes)
            if example is not None:
                return missed, example
            missed += 1
        return missed, None

    def most_blocks(self, sizes: Mapping[str, int]) -> int:
        """Return the largest number of blocks of a map."""
        return max(
            len(blocks_of(tuple(s for _, s in m.indices), sizes))
            for m in self.problem.used_maps.values()
        )

    def with_letters(self, example: ClaimCounterexample) -> ClaimCounterexample | None:
        """Return an example with as many blocks as the claim names, if the first has fewer."""
        letters = self.claim.letters
        if letters == 1 or self.most_blocks(example.sizes) >= letters:
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
            if case is None or (least > 1 and self.most_blocks(sizes) != least):
                continue
            for vector in case.vectors:
                for whole in touched(self.problem, vector, sizes, MOST_WORLDS):
                    for world in (whole,) if case.attained else nearer(whole):
                        places = placements(self.problem, world, sizes, numbered=self.numbered)
                        for there in itertools.islice(places, MOST_WORLDS):
                            found = self.exceeding(there, sizes, quick=quick)
                            if found is not None:
                                yield sizes, *found

    def exceeding(
        self, world: TouchedWorld, sizes: Mapping[str, int], *, quick: bool
    ) -> tuple[TouchedWorld, ParameterNumbers] | None:
        far = any(isinstance(r, Infinity) for t in world for _, r in t.distances)
        simple = assignments(self.families, sizes, self.given)
        for numbers in itertools.islice(simple, MOST_QUICK) if quick else simple:
            where = (
                placed(self.problem, self.claim.notion, world, sizes, numbers)
                if self.given
                else world
            )
            high = [self.claim_at(n, numbers, sizes) for n in range(len(self.plain))]
            if any(h is None for h in high):
                continue
            if far or self.exceeds(where, numbers, [h for h in high if h is not None]):
                return where, numbers
        if quick or self.given or far or self.notion.additive is None:
            return None
        if self.most_blocks(sizes) > MOST_SOLVED:
            return None
        return self.solved(world, sizes)

    def claim_at(
        self, position: int, values: ParameterNumbers, sizes: Mapping[str, int]
    ) -> Fraction | None:
        """Return an upper bound of the claimed number; None for infinity."""
        key = position, *sorted(sizes.items()), *sorted(self.flat(values).items())
        if key not in self.claimed:
            highs = [
                box[1]
                for e in self.plain[position]
                if (box := standalone.enclose(e, values, sizes, standalone.BITS[1])) is not None
            ]
            self.claimed[key] = min(highs, default=None)
        return self.claimed[key]

    def exceeds(
        self, world: TouchedWorld, values: ParameterNumbers, high: Sequence[Fraction]
    ) -> bool:
        """Return whether the worst mechanisms lose more than the claim allows."""
        refuting = self.notion.refuting
        if refuting is not None and refuting.own == "tables":
            return self.approximately(world, values, high)
        left = loss(self.problem, self.claim.notion, world)
        if left is None:
            stand_in = None if refuting is None else refuting.stand_in
            return stand_in is not None and self.by_stand_in(stand_in, world, values, high[0])
        box = standalone.enclose(left.as_json(), self.flat(values), {}, standalone.BITS[0])
        limit = high[0] ** 2 if self.notion.growth.root else high[0]
        return box is not None and box[0] > limit

    @staticmethod
    def flat(values: ParameterValues) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for name, value in values.items():
            if isinstance(value, Mapping):
                found.update({named(name, block): x for block, x in value.items()})
            else:
                found[name] = value
        return found

    def approximately(
        self, world: TouchedWorld, values: ParameterNumbers, high: Sequence[Fraction]
    ) -> bool:
        """Return whether delta at the claimed epsilon is too large: by floats, a first look."""
        parts = {p.name: p for p in self.problem.bound_parts}
        if high[0] > MOST_EPS or high[1] >= 1:
            return False
        joint = [(1.0, 1.0)]
        factor = math.exp(high[0])
        for touch in world:
            for name, r in touch.distances:
                guarantee = declared(parts[name], self.claim.notion)
                if guarantee is None or isinstance(r, Infinity):
                    return False
                eps, delta = (self.number(g, touch.block or (), values) for g in guarantee)
                if eps > MOST_EPS:
                    return False
                rows = _rows(eps, delta, r)
                joint = [(p * a, q * b) for p, q in joint for a, b in rows]
        return sum(max(0.0, p - factor * q) for p, q in joint) > float(high[1]) + 1e-12

    def by_stand_in(
        self, stand_in: str, world: TouchedWorld, values: ParameterNumbers, high: Fraction
    ) -> bool:
        """Return whether parts with an eps lose more than is claimed of rho or mu: a first look."""
        parts = {p.name: p for p in self.problem.bound_parts}
        joint, total = [(1.0, 1.0)], 0.0
        for touch in world:
            for name, r in touch.distances:
                guarantee = declared(parts[name], self.claim.notion)
                kind = source(parts[name], self.claim.notion)
                if guarantee is None or kind != stand_in or isinstance(r, Infinity):
                    return False
                eps = self.number(guarantee[0], touch.block or (), values)
                if eps > MOST_EPS:
                    return False
                rows = _rows(eps, Fraction(0), r)
                total += sum(a * math.log(a / b) for a, b in rows if a > 0)
                joint = [(p * a, q * b) for p, q in joint for a, b in rows]
        refuting = self.notion.refuting
        if refuting is not None and refuting.compared == "divergence":
            return total > float(high) + 1e-9
        apart = sum(max(0.0, p - q) for p, q in joint)
        return apart > math.erf(float(high) / math.sqrt(8)) + 1e-9

    @staticmethod
    def number(
        parameter: str | Fraction, block: tuple[int, ...], values: ParameterNumbers
    ) -> Fraction:
        if not isinstance(parameter, str):
            return Fraction(parameter)
        known = values[parameter]
        return known[block] if isinstance(known, dict) else known

    def solved(
        self, world: TouchedWorld, sizes: Mapping[str, int]
    ) -> tuple[TouchedWorld, ParameterNumbers] | None:
        """Ask the solver for numbers, where the simple ones have been tried."""
        left = loss(self.problem, self.claim.notion, world)
        if left is None:
            return None
        try:
            model = larger(
                left, self.claim.parameters[0], sizes,
                squared=self.notion.growth.root, only_linear=True,
            )  # fmt: skip
        except UnsupportedError:
            return None
        if not isinstance(model, dict):
            return None
        numbers = self.shaped(model, sizes)
        high = self.claim_at(0, numbers, sizes)
        if high is not None and self.exceeds(world, numbers, [high]):
            return world, numbers
        return None

    def shaped(self, model: Mapping[str, Fraction], sizes: Mapping[str, int]) -> ParameterNumbers:
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
        found = attaining(self.structure, world, sizes)
        if found is None and not self.given:
            free = tuple(replace(t, block=None if t.block else ()) for t in world)
            found = attaining(self.structure, free, sizes)
            if found is not None:
                values = self.moved(world, found, values)
        if found is None:
            return None
        data = refutation(self.structure, self.claim, found, world, values)
        if data is None:
            return None
        example = self.structure.example(found, differ, self.claim.text)
        if example is None:
            return None
        databases = example.as_json(self.problem.used_maps)
        databases.pop("symbols", None)
        return ClaimCounterexample(data, values, dict(found.world.symbols), databases)

    def moved(
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

    # ------------------------------------------------------------- proving without the kernel

    def by_numbers(self, theorem: k.Theorem) -> bool:
        """Return whether the bound is at most the claim at the given numbers."""
        if {f.name for f in self.families} - set(self.given):
            return False
        if set(self.problem.symbols) - set(self.sizes):
            return False
        statement = theorem.statement
        if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
            return False
        for value, claims in zip(statement.loss.guarantee, self.plain, strict=True):
            for e in claims:
                low = standalone.enclose(e, self.given, self.sizes, standalone.BITS[1])
                high = standalone.enclose(
                    value.as_json(), self.given, self.sizes, standalone.BITS[1]
                )
                if low is not None and (high is None or high[1] > low[0]):
                    return False
        return True

    def by_optimum(self) -> bool:
        """Return whether the best delta at the claimed epsilon is at most the claimed one."""
        compared = self.derivation.comparison
        pairs = self.notion.epsilon_delta and self.notion.additive is None
        if not pairs or compared is None:
            return False
        if {f.name for f in self.families} - set(self.given):
            return False
        boxes = [
            [standalone.enclose(e, self.given, self.sizes, standalone.BITS[2]) for e in claims]
            for claims in self.plain
        ]
        eps, delta = (min((b[0] for b in row if b), default=None) for row in boxes)
        if eps is None or delta is None:
            return False
        best = compared.delta(eps)
        return best.high <= delta

    def by_solver(self) -> bool:
        """Prove the claim for all sizes allowed, from the few that neighbours can use up.

        Only where counts and distances are numbers.  Then neighbours change at most so many blocks,
        and with more blocks than these the claim only grows.
        """
        if self.notion.additive is None:
            return False
        try:
            return all(self._case_holds(case) for case in self.profile.cases if self._asked(case))
        except UnsupportedError:
            return False

    def _asked(self, case: Case) -> bool:
        """Return whether a case speaks of the sizes that are given."""
        return all(
            r.low <= self.sizes[r.symbol] and (r.high is None or self.sizes[r.symbol] <= r.high)
            for r in case.ranges
            if r.symbol in self.sizes
        )

    def _case_holds(self, case: Case) -> bool:
        numbers = [
            (g.count, *(r for _, r in g.distances)) for vector in case.vectors for g in vector
        ]
        if not all(isinstance(x, int) for row in numbers for x in row):
            return False
        blocks = blocks_needed(self.problem, case.vectors)
        ranges = {r.symbol: r for r in case.ranges}
        options: list[list[tuple[str, int]]] = []
        for symbol in self.problem.symbols:
            low = ranges[symbol].low if symbol in ranges else 1
            high = ranges[symbol].high if symbol in ranges else None
            top = max(low, blocks[symbol])
            last = min(top, high or top)
            # A claim only grows with a size, so that a smaller one than is given will do.
            first = min(self.sizes[symbol], last) if symbol in self.sizes else low
            last = first if symbol in self.sizes else last
            options.append([(symbol, n) for n in range(first, last + 1)])
        questions = (
            (there, dict(choice))
            for choice in itertools.product(*options)
            for vector in case.vectors
            for world in touched(self.problem, vector, dict(choice))
            for there in placements(self.problem, world, dict(choice), numbered=self.numbered)
        )
        return all(
            number < MOST_CASES and self._holds(there, sizes)
            for number, (there, sizes) in enumerate(questions)
        )

    def _holds(self, world: TouchedWorld, sizes: Mapping[str, int]) -> bool:
        """Prove that no numbers make what is lost in a world larger than the claim."""
        left = loss(self.problem, self.claim.notion, world)
        if left is None:
            return False
        squared = self.notion.growth.root
        return larger(left, self.claim.parameters[0], sizes, squared=squared) is False

    # ------------------------------------------------------------- can it be better?

    def tightness(self) -> tuple[str, Mapping[str, Any] | None]:
        """Return whether a proved claim is the exact bound, and if not, where it is larger."""
        theorem = self.derivation.theorems.get(self.claim.notion)
        bound = [b for b in self.derivation.bounds if b.notion == self.claim.notion]
        if theorem is None or not bound:
            return "unknown", None
        gap = self.gap(theorem)
        if gap is not None:
            return "no", gap
        if bound[0].tight == "yes" and self.no_larger(theorem):
            return "yes", None
        return "unknown", None

    def no_larger(self, theorem: k.Theorem) -> bool:
        """Prove that the claim is at most the bound."""
        for case in theorem.premises if theorem.rule == "cover_cases" else (theorem,):
            statement = case.statement
            if not isinstance(statement, k.Private):
                return False
            if not isinstance(statement.loss, k.Neighbouring):
                return False
            for claims, value in zip(self.claim.parameters, statement.loss.guarantee, strict=True):
                if not any(at_most(e, value, statement.where) for e in claims):
                    return False
        return True

    def gap(self, theorem: k.Theorem) -> Mapping[str, Any] | None:
        """Return numbers at which the exact bound is smaller than the claim."""
        statement = theorem.statement
        if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
            return None
        values = [e.as_json() for e in statement.loss.guarantee]
        for sizes in sizes_in_order(self.problem, self.sizes)[:MOST_GAPS]:
            for numbers in assignments(self.families, sizes, self.given):
                for value, claims in zip(values, self.plain, strict=True):
                    bound = standalone.enclose(value, numbers, sizes, standalone.BITS[0])
                    boxes = [
                        standalone.enclose(e, numbers, sizes, standalone.BITS[0]) for e in claims
                    ]
                    lows = [b[0] for b in boxes if b is not None]
                    if bound is not None and (not lows or min(lows) > bound[1]):
                        return _gap(numbers, sizes, bound, min(lows, default=None))
        return None


@lru_cache(maxsize=1000)
def _rows(eps: Fraction, delta: Fraction, r: int) -> list[tuple[float, float]]:
    """Return the worst laws at distance r, for a first look."""
    laws = standalone.steepest(eps, delta, r)
    return [(float(a), float(b)) for a, b in zip(laws[0], laws[-1], strict=True)]


def _gap(
    numbers: ParameterNumbers, sizes: Mapping[str, int], bound: tuple[Fraction, Fraction],
    claim: Fraction | None,
) -> dict[str, Any]:  # fmt: skip
    def shown(x: Fraction | None) -> str:
        if x is None:
            return "inf"
        return str(x) if x.denominator < 10**6 else f"{float(x):.6g}"

    return {
        "sizes": dict(sizes),
        "parameters": {
            n: [str(x) for x in v.values()] if isinstance(v, dict) else str(v)
            for n, v in numbers.items()
        },
        "bound": shown(bound[1]),
        "claimed": shown(claim),
    }
