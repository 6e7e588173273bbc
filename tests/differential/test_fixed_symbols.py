"""Random problems with symbols, general and with numbers, against each other and all small worlds.

With numbers a bound is never below what exhaustive search finds; what is attained with numbers is
not above the general bound, and a general bound that is called attained for these numbers is not
above the bound with numbers.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.notions.core import PURE
from dpcomp_sym.notions.numbers import evaluate, parameter_names
from dpcomp_sym.profile import Infinity
from tests.differential.compare import disagreements, evidence
from tests.differential.engine import LateError, answer_within, budget
from tests.random_problems.generate import describe, generate

PROBLEMS = 120
BATCH = 10
CHECKS = 80
FACTS = ("s >= 1", "s >= 1", "s >= 0", "true", "s <= 2", "1 <= s and s <= 3")


def with_symbol(problem: Problem, rng: random.Random) -> Problem:
    """Return the problem with one of the numbers in its formulas made a symbol."""
    domain, granularity = problem.domain, problem.granularity
    fact = rng.choice(FACTS)
    named = replace(domain, symbols={**domain.symbols, "s": fact})
    size = [re.sub(r"\b\d\b", "s", text) for text in domain.size]
    if domain.size and rng.random() < 0.5:
        return replace(problem, domain=replace(named, size=size))
    edits = list(granularity.edits)
    place = rng.randrange(len(edits))
    edit = edits[place]
    numbers = list(re.finditer(r"(?<![\w.])\d\b", edit.guard))
    if not numbers:
        return replace(problem, domain=named)
    spot = rng.choice(numbers)
    guard = f"{edit.guard[: spot.start()]}s{edit.guard[spot.end() :]}"
    edits[place] = replace(edit, guard=guard)
    return replace(problem, domain=named, granularity=replace(granularity, edits=edits))


def at_numbers(problem: Problem, rng: random.Random) -> tuple[dict[str, int], Problem] | None:
    """Return random numbers for all symbols, and the problem with them; None if none were found."""
    for _ in range(20):
        numbers = {name: rng.choice([1, 1, 2, 3, 0, -1]) for name in problem.symbols}
        try:
            return numbers, problem.at(numbers)
        except InputError:
            continue
    return None


def value(profile, numbers, weights):
    """Return the bound in pure privacy for equal blocks, as a number; None if there is none."""
    if profile.vacuous:
        return 0
    found = evaluate(profile, PURE, weights, numbers)
    return None if found is None else found.value


def shown(profile, numbers):
    """Return whether a profile is called exact for these numbers."""
    if profile.vacuous or not profile.exact:
        return profile.vacuous
    return all(
        (one.low is None or one.low <= numbers[one.symbol])
        and (one.high is None or numbers[one.symbol] <= one.high)
        for case in profile.cases
        if case.speaks_of(numbers)
        for one in case.shown
    )


def lost(problem, found, weights):
    """Return the most that some neighbours in sight lose, in pure privacy."""
    declared = {p.name: dict(p.guarantees)["pure"][0] for p in problem.bound_parts}
    readers: dict[str, list[str]] = {}
    for part in problem.bound_parts:
        readers.setdefault(part.map.name, []).append(part.name)
    worst = 0
    for one in found:
        for shape in one.enumeration.profile(one.worlds):
            total = 0
            for name, blocks in shape:
                for block in blocks:
                    for part, r in zip(readers[name], block, strict=True):
                        parameter = declared[part]
                        total += r * weights.get(parameter, parameter)
            worst = max(worst, total)
    return worst


def judged(problem, seed):
    """Return what is wrong with a problem and numbers, and whether a tight bound was met."""
    rng = random.Random(seed)
    chosen = at_numbers(problem, rng)
    if chosen is None:
        return [], None
    numbers, fixed = chosen
    try:
        said = answer_within(fixed, CHECKS)
        with budget(2 * CHECKS):
            general = profile_of(Structure(problem))
    except LateError:
        return [], None
    known = list(evidence(fixed))
    wrong = disagreements(fixed, said, known)
    here = said.profile
    if here is None or not (here.proved and general.proved):
        return wrong, None
    weights = {name: rng.choice([1, 2, 3]) for name, _ in parameter_names(general, "pure")}
    if any("pure" not in dict(p.guarantees) for p in problem.bound_parts):
        return wrong, None
    small, large = value(here, numbers, weights), value(general, numbers, weights)
    if small is None or large is None:
        return wrong, None
    # What is attained is no larger than the general bound; what is only bounded may be.
    if not small <= large and (here.exact or here.vacuous):
        wrong.append(f"with {numbers} {small} is attained, and the general bound is {large}")
    if shown(general, numbers) and not large <= small:
        wrong.append(f"{large} is called attained for {numbers}, where the bound is {small}")
    if isinstance(small, Infinity) or here.vacuous or not here.exact or not known:
        return wrong, None
    return wrong, lost(problem, known, weights) == small


@pytest.mark.parametrize("first", range(0, PROBLEMS, BATCH))
def test_numbers_agree_with_the_general_bound_and_with_small_worlds(first):
    wrong = []
    for seed in range(first, first + BATCH):
        problem = with_symbol(generate(seed), random.Random(seed))
        found, _ = judged(problem, seed)
        if found:
            wrong.append(f"problem {seed}:\n{describe(problem)}\n" + "\n".join(found))
    assert not wrong, "\n\n".join(wrong)
