"""One problem through the whole program, where each part is confirmed by another.

- Every question of the engine is put to cvc5 as well.
- The derivation becomes a certificate, and the second checker, which knows nothing of the kernel,
  must accept it and arrive at the same bounds.
- What is printed is read back: the databases of a refutation must show what is said of them, and
  the bound in numbers must be at least what any neighbours of small worlds lose.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import z3

from dpcomp_sym.certificate import as_text, certificate
from dpcomp_sym.derivation import Derivation, derive
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import bounds
from dpcomp_sym.recheck import SecondSolver, standard, verify
from dpcomp_sym.replay import RejectedError, read
from dpcomp_sym.smt import Query
from tests.differential.compare import Evidence, evidence

FEW = ((3, 1), (3, 2), (2, 3))


# -------------------------------------------------------------------- both solvers


@contextlib.contextmanager
def recorded() -> Iterator[list[tuple[str, str]]]:
    """Note every question to the solver that gets an answer, as a script, with that answer."""
    right, asked = Query._answer, []

    def noted(self, assumptions):
        answer = right(self, assumptions)
        if answer != z3.unknown:
            copy = z3.Solver()
            copy.add(*self.solver.assertions(), *assumptions)
            asked.append((copy.to_smt2(), str(answer)))
        return answer

    Query._answer = noted
    try:
        yield asked
    finally:
        Query._answer = right


def disputed(
    asked: list[tuple[str, str]], second: SecondSolver, most: int | None = None
) -> Iterator[str]:
    """Yield the questions, of at most so many, that the second solver answers otherwise."""
    every = 1 if most is None else -(-len(asked) // most) or 1
    for script, answer in asked[::every]:
        other = second.ask(standard(script))
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
        about = derivation.conditions[name].about
        if (example is None) != (condition["verdict"] != "refuted"):
            yield f"{name} is {condition['verdict']}, and the example is {example}"
        elif (
            example is not None
            and name.startswith("compatibility")
            and about in maps
            and maps[about].image is None
        ):
            old, new = (_by_block(example[side]) for side in ("D", "D_prime"))
            changed = {block for block in {*old, *new} if old.get(block) != new.get(block)}
            if changed != set(example["changed"]) or len(changed) < 2:
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
    """Yield neighbours of small worlds that lose more ε than the bound in numbers."""
    if derivation.vacuous or "pure" not in derivation.theorems:
        return
    if any(len(m.indices) > 1 for m in problem.used_maps.values()):
        return
    rng = random.Random(seed)
    for one in evidence(problem, FEW):
        for world in one.worlds[:4]:
            values = _parameters(problem, world, rng)
            if values is None:
                return
            stated = bounds(derivation.profile, values, dict(world.symbols))
            [bound] = [b for b in stated if b.notion == "pure"]
            if not isinstance(bound.value, int | Fraction):
                continue
            loss, pair = _loss(one, world, problem, values)
            if loss > bound.value:
                yield f"{bound.text} = {bound.value}, but {loss} is lost by {pair} in {world}"


def _parameters(
    problem: Problem, world: World, rng: random.Random
) -> dict[str, list[Fraction]] | None:
    """Return random ε for the blocks of every part; None if parts share or lack parameters."""
    values: dict[str, list[Fraction]] = {}
    for part in problem.bound_parts:
        names = dict(part.guarantees).get("pure", ())
        if len(names) != 1 or not isinstance(names[0], str) or names[0] in values:
            return None
        blocks = len(world.blocks(part.map)) if part.map.indices else 1
        numbers = [Fraction(rng.randint(0, 12), rng.randint(1, 5)) for _ in range(blocks)]
        values[names[0]] = numbers if part.map.indices else numbers[0]
    return values


def _loss(
    one: Evidence, world: World, problem: Problem, values: Mapping[str, list[Fraction]]
) -> tuple[Fraction | float, object]:
    """Return the largest sum of ε times distance between neighbours, with these."""
    enumeration: Enumeration = one.enumeration
    seen = []
    for part in problem.bound_parts:
        (name,) = dict(part.guarantees)["pure"]
        numbers = values[name] if part.map.indices else [values[name]]
        for index, eps in zip(world.blocks(part.map), numbers, strict=True):
            if eps:
                seen.append((part, enumeration.view(world, part.map, index), eps))
    worst: tuple[Fraction | float, object] = (Fraction(0), None)
    for old, new in enumeration.pairs:
        # A distance above 1 may be shorter through fuller databases: 2 is certain.
        loss = sum((min(enumeration.distance(p, v, old, new), 2) * e for p, v, e in seen), 0)
        if loss > worst[0]:
            worst = (loss, (old, new))
    return worst


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
    with recorded() as asked:
        derivation = derive(problem)
    found = [] if second is None else list(disputed(asked, second, most))
    found += unverified(derivation)
    found += misprinted(derivation)
    found += exceeded(problem, derivation, seed)
    return found
