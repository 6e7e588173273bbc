"""One problem through the whole program, where each part is confirmed by another.

- Every question of the engine is put to cvc5 as well.
- The derivation becomes a certificate, and the second checker, which knows nothing of the kernel,
  must accept it and arrive at the same bounds.
- What is printed is read back: the databases of a refutation must show what is said of them, and
  the bounds in numbers must be at least what any neighbours of small worlds lose, in each notion,
  also where the parts declare different ones.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import z3

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import Derivation, derive
from dpcomp_sym.engine import AnswerCache
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Part, Problem
from dpcomp_sym.notions import NOTIONS, Notion
from dpcomp_sym.numbers import Bound, Guarantee, bounds
from dpcomp_sym.numbers.sources import BoundSource, sources
from dpcomp_sym.profile import Infinity
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.smt import Query
from dpcomp_sym.smt.query import AskedQuestion
from dpcomp_sym.smt.solvers import SecondSolver
from tests.differential.compare import Evidence, evidence
from tests.notions.arithmetic import ARITHMETIC, convert

FEW = ((3, 1), (3, 2), (2, 3))


# -------------------------------------------------------------------- both solvers


@contextlib.contextmanager
def recorded() -> Iterator[list[tuple[AskedQuestion, str]]]:
    """Note every question to the solver that gets an answer, with that answer."""
    right, asked = Query._answer, []

    def noted(self, assumptions):
        answer = right(self, assumptions)
        if answer != z3.unknown:
            asked.append((self._asked(assumptions), str(answer)))
        return answer

    Query._answer = noted
    try:
        yield asked
    finally:
        Query._answer = right


def disputed(
    asked: list[tuple[AskedQuestion, str]], second: SecondSolver, most: int | None = None
) -> Iterator[str]:
    """Yield the questions, of at most so many, that the second solver answers otherwise."""
    every = 1 if most is None else -(-len(asked) // most) or 1
    for assertions, answer in asked[::every]:
        script = assertions.smtlib()
        other = second.ask(script)
        if {answer, other} == {"sat", "unsat"}:
            yield f"z3 says {answer}, {second.name} says {other}:\n{script}"


# -------------------------------------------------------------------- both checkers


def unverified(derivation: Derivation) -> Iterator[str]:
    """Yield why the certificate of a derivation is not accepted, or says something else."""
    data = certificate(derivation.theorems, derivation)
    try:
        found = verify(read(as_text(data).encode()))
    except RejectedError as error:
        yield f"the certificate is rejected: {error}"
        return
    if [notion for notion, _ in found.bounds] != list(derivation.theorems):
        yield f"the certificate is about {found.bounds}"


# -------------------------------------------------------------------- what is printed


def misprinted(derivation: Derivation) -> Iterator[str]:
    """Yield what the printed databases of a refutation do not show."""
    document = json.loads(json.dumps(derivation.as_json(), allow_nan=False))
    maps = derivation.problem.used_maps
    for name, condition in document["conditions"].items():
        example = condition["counterexample"]
        if (example is None) != (condition["verdict"] != "refuted"):
            yield f"{name} is {condition['verdict']}, and the example is {example}"
        elif example is not None and all(m.image is None for m in maps.values()):
            old, new = (_by_block(example[side]) for side in ("D", "D_prime"))
            changed = {block for block in {*old, *new} if old.get(block) != new.get(block)}
            said = {block for block in example["changed"] if block not in maps}  # one of several
            few = name.startswith("compatibility") and len(changed) < 2
            if changed != said or few:
                yield f"{name}: {sorted(changed)} change, not {example['changed']}"


def _by_block(records: list[Mapping]) -> dict[str, dict[str, int]]:
    """Return the counts in each block, as far as the records say in which they are."""
    found: dict[str, dict[str, int]] = {}
    for record in records:
        for block in record.get("blocks", ()):
            inside = found.setdefault(block, {})
            cell = json.dumps(record["cell"], sort_keys=True)
            inside[cell] = inside.get(cell, 0) + record["count"]
    return found


def exceeded(problem: Problem, derivation: Derivation, seed: int) -> Iterator[str]:
    """Yield neighbours of small worlds that lose more than a bound in numbers."""
    if derivation.vacuous or any(len(m.indices) > 1 for m in problem.used_maps.values()):
        return
    rng = random.Random(seed)
    for one in evidence(problem, FEW):
        for world in one.worlds[:4]:
            values = _parameters(derivation, world, rng)
            stated = {b.notion: b for b in _bounds(derivation, values, dict(world.symbols))}
            for notion in derivation.theorems:
                bound = stated[notion]
                if bound.value is None or isinstance(bound.value, Infinity):
                    continue
                for lost, pair in _losses(one, world, derivation, NOTIONS[notion], values):
                    if not _within(lost, bound.value):
                        yield (
                            f"{notion}: {bound.text} = {bound.value}, but {lost} is lost by {pair} "
                            f"in {world}"
                        )
                        break


def _bounds(
    derivation: Derivation, values: Mapping[str, object], sizes: Mapping[str, int]
) -> list[Bound]:
    stated = {} if derivation.proof is None else derivation.proof.guarantees
    return bounds(derivation.profile, stated, values, sizes)


def _parameters(derivation: Derivation, world: World, rng: random.Random) -> dict[str, object]:
    """Return random numbers for all parameters, one a block."""
    blocks = {
        p.name: len(world.blocks(p.map)) if p.map.indices else None
        for p in derivation.problem.bound_parts
    }
    values: dict[str, object] = {}
    for notion in NOTIONS.values():
        for part, source in (sources(derivation.profile, notion) or {}).items():
            for name, slot in source.slots():

                def number(slot: int = slot) -> Fraction:
                    if slot == 1:
                        return Fraction(rng.randint(1, 12), 1000)
                    return Fraction(rng.randint(0, 12), rng.randint(1, 5))

                several = blocks[part]
                drawn = number() if several is None else [number() for _ in range(several)]
                if isinstance(name, str):
                    values.setdefault(name, drawn)
    return values


def _losses(
    one: Evidence, world: World, derivation: Derivation, notion: Notion,
    values: Mapping[str, object],
) -> Iterator[tuple[Guarantee, object]]:  # fmt: skip
    """Yield what neighbours lose: guarantees scaled, then converted, then combined."""
    enumeration: Enumeration = one.enumeration
    used = sources(derivation.profile, notion) or {}
    seen = []
    for part in derivation.problem.bound_parts:
        for place, index in enumerate(world.blocks(part.map)):
            seen.append((part, place, enumeration.view(world, part.map, index)))
    for old, new in enumeration.pairs:
        total = ARITHMETIC[notion.name].unit
        for part, place, view in seen:
            # A distance above 1 may be shorter through fuller databases: 2 is certain.
            r = min(enumeration.distance(part, view, old, new), 2)
            if r:
                lost = _at(used[part.name], notion, values, place, r)
                total = ARITHMETIC[notion.name].combine(total, lost)
        yield total, (old, new)


def _at(
    source: BoundSource, notion: Notion, values: Mapping[str, object], place: int, r: int
) -> Guarantee:
    """Return what a part guarantees at distance r, in the units of a notion."""
    numbers = []
    for name, _ in source.slots():
        value = values[name] if isinstance(name, str) else name
        numbers.append(value[place] if isinstance(value, list) else value)
    at = numbers.pop() if source.chosen else None
    own = numbers[0] if len(numbers) == 1 else tuple(numbers)
    return convert(ARITHMETIC[source.notion].scale(own, r), source.notion, notion.name, at)


def _within(lost: Guarantee, bound: Guarantee) -> bool:
    """Return whether a loss is at most the bound, up to the rounding of floats."""
    if isinstance(lost, tuple) and isinstance(bound, tuple):
        return all(_within(x, y) for x, y in zip(lost, bound, strict=True))
    if isinstance(lost, int | Fraction) and isinstance(bound, int | Fraction):
        return lost <= bound
    return float(lost) <= float(bound) * (1 + 1e-9) + 1e-12


# -------------------------------------------------------------------- all of it


def findings(
    problem: Problem, seed: int, second: SecondSolver | None = None, most: int | None = None
) -> list[str]:
    """Return everything in which two parts of the program contradict each other.

    Args:
        problem: what goes through the program.
        seed: for the numbers of the bounds.
        second: another solver, or none.
        most: at most so many questions are put to it.
    """
    shared = AnswerCache()
    with recorded() as asked:
        derivation = derive(problem, shared=shared)
    found = [] if second is None else list(disputed(asked, second, most))
    found += misprinted(derivation)
    rng = random.Random(seed)
    mixed = [_with_notions(part, rng) for part in problem.parts]
    for one in (derivation, derive(replace(problem, parts=mixed), shared=shared)):
        found += unverified(one)
        found += exceeded(problem, one, seed)
    return found


def _with_notions(part: Part, rng: random.Random) -> Part:
    """Return the part with some of its guarantees, so that parts may have to be converted."""
    kept = [notion for notion in part.guarantees if rng.random() < 0.4]
    kept = kept or [rng.choice(list(part.guarantees))]
    return replace(part, guarantees={notion: part.guarantees[notion] for notion in kept})
