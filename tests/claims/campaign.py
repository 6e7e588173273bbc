"""Random claims about random compositions, decided and compared with exhaustive search.

``python -m tests.claims.campaign --count 500 --claims 20 --built-in`` decides 10,000 claims
and prints every disagreement; without ``--built-in`` domains, edits and maps are random, too:

* a claim that is true because it only weakens the derived bound, and is refuted;
* a refutation that the stand-alone checker does not accept;
* a claim that is proved, although neighbours of a small world lose more, at some numbers.

The search in small worlds knows nothing of solvers, profiles or bounds.  Its distances are exact
up to 1; of larger ones it is only used that they are at least 2.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.decide import decided
from dpcomp_sym.claims.decision import Decision
from dpcomp_sym.claims.parse import Claim, read_claim
from dpcomp_sym.claims.worlds import BlockValues, blocks_of, families
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import DistanceShape, Enumeration, label_worlds
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from dpcomp_sym.notions import usual_parameters
from dpcomp_sym.profile import Infinity, Profile, Symbolic
from dpcomp_sym.spec import Spec
from tests.random_problems.generate import describe, generate

__all__ = ["Outcome", "main", "try_problem"]

NOTIONS = ("pure", "zcdp", "gaussian")
WORLDS = ((3, 1), (3, 2), (2, 3))
"""So many cells, and at most so many records in each."""
TABLES = 24
NUMBERS = 6
MOST_PLACES = 120
EVERY = 10
"""The progress is printed after so many problems."""


@dataclass
class Outcome:
    """What came of the claims about one problem."""

    seed: int
    verdicts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def try_problem(seed: int, claims: int, *, built_in: bool = False) -> Outcome:
    """Decide random claims about the random problem with this number.

    Args:
        seed: the number.
        claims: how many claims.
        built_in: put the problem together from built-in granularities and maps; such problems are
            quick.
    """
    rng = random.Random(seed)
    outcome = Outcome(seed)
    problem = _problem(seed, built_in=built_in)
    spec = Spec(problem.title, problem)
    try:
        derivation = spec.derive()
    except InputError:
        outcome.verdicts["no problem"] += claims
        return outcome
    if derivation.vacuous or not derivation.theorems:
        outcome.verdicts["nothing to claim"] += claims
        return outcome
    shapes = list(_shapes(problem))
    for _ in range(claims):
        notion = rng.choice(NOTIONS)
        text, true = _claim(rng, problem, derivation.profile, notion)
        claim = read_claim(text, problem, notion)
        decision = decided(spec, claim, derivation)
        outcome.verdicts[decision.verdict] += 1
        outcome.findings += [
            f"{notion} {text}: {what}" for what in _wrong(rng, problem, decision, shapes, true=true)
        ]
    return outcome


def _problem(seed: int, *, built_in: bool) -> Problem:
    return _built_in(random.Random(seed)) if built_in else _named(generate(seed))


def _built_in(rng: random.Random) -> Problem:
    """Return a composition of one or two parts on blocks of plain records."""
    outer = library_granularity(rng.choice(["unbounded", "bounded"]))
    kind = rng.choice(["partition", "partial_partition", "cover", "cover"])
    most = rng.choice([2, 3])
    blocks = (
        library_map(kind, name="blocks", m=most)
        if kind == "cover"
        else library_map(kind, name="blocks")
    )
    maps = [blocks, library_map("identity")]
    parts = []
    for name in ("p", "q")[: rng.choice([1, 1, 2])]:
        common = rng.random() < 0.4
        inner = None if common or rng.random() < 0.3 else library_granularity("unbounded")
        parts.append(
            Part(
                name, rng.choice(["blocks", "blocks", "identity"]), inner,
                guarantees=_own_parameters(name), setting="common" if common else "separate",
            )
        )  # fmt: skip
    title = "built-in"
    return Problem(Domain({"id": "Record"}), outer, maps, parts, title)


def _named(problem: Problem) -> Problem:
    """Return the problem with parameters of their own for every part."""
    parts = [replace(p, guarantees=_own_parameters(p.name)) for p in problem.parts]
    return replace(problem, parts=parts)


def _own_parameters(part: str) -> dict[str, tuple[str, ...]]:
    return {n: tuple(f"{name}_{part}" for name in names) for n, names in usual_parameters().items()}


# ------------------------------------------------------------------ claims


def _claim(rng: random.Random, problem: Problem, profile: Profile, notion: str) -> tuple[str, bool]:
    """Return a claim, and whether it is true because it only weakens the bound."""
    known = families(problem, notion)
    if rng.random() < 0.4:
        exact = _bound(problem, profile, notion)
        if exact is not None:
            more = rng.choice(["", "", f" + {_term(rng, rng.choice(known), notion)}"])
            return (f"{rng.choice(['', '', '2*', '3/2*'])}({exact}){more}", True)
    terms = [_term(rng, f, notion) for f in known if rng.random() < 0.8]
    return (" + ".join(terms) or "1", False)


def _term(rng: random.Random, family: BlockValues, notion: str) -> str:
    """Return a random term about one parameter."""
    name = family.name
    factor = rng.choice(["", "", "2*", "4*", "1/2*"])
    if not family.sizes:
        return f"{factor}{name}"
    if len(family.sizes) > 1:
        return f"{factor}{rng.choice(['max', 'sum'])}({name})"
    forms = [
        f"max({name}[i])", f"sum({name}[i])", f"max({name}[i] + {name}[j])",
        f"max(2*{name}[i] + {name}[j])", f"top({rng.randint(1, 4)}, {name})",
    ]  # fmt: skip
    if notion == "gaussian":
        forms += [f"sqrt(sum({name}[i]**2))", f"sqrt(top({rng.randint(1, 3)}, {name}[i]**2))"]
    return factor + rng.choice(forms)


def _bound(problem: Problem, profile: Profile, notion: str) -> str | None:
    """Write the bound of a profile as a claim; None where that takes more than sums and maxima."""
    parts = {p.name: p for p in problem.bound_parts}
    vectors = []
    for vector in (v for case in profile.cases for v in case.vectors):
        letters = iter("abcdefghijlmnopqrstuvwxyz")
        by_map: dict[str, list[str]] = {}
        for group in vector:
            if isinstance(group.count, Symbolic) or not isinstance(group.count, int):
                return None
            for _ in range(group.count):
                indices = parts[group.distances[0][0]].map.indices
                index = ", ".join(next(letters, "z") for _ in indices)
                for part, r in group.distances:
                    if isinstance(r, Symbolic | Infinity):
                        return None
                    if r == 0:
                        continue
                    name = f"{usual_parameters()[notion][0]}_{part}"
                    shown = f"{name}[{index}]" if index else name
                    power = {"pure": f"{r}*{shown}", "zcdp": f"{r * r}*{shown}",
                             "gaussian": f"{r * r}*{shown}**2"}[notion]  # fmt: skip
                    by_map.setdefault(group.map, []).append(power)
        pieces = []
        for name, items in by_map.items():
            total = " + ".join(items)
            pieces.append(f"max({total})" if problem.used_maps[name].indices else total)
        vectors.append(" + ".join(pieces) or "0")
    if not vectors or sum(map(len, vectors)) > 800:
        return None
    text = vectors[0] if len(vectors) == 1 else f"max({', '.join(vectors)})"
    return f"sqrt({text})" if notion == "gaussian" else text


# ------------------------------------------------------------------ comparison


def _shapes(problem: Problem) -> Iterator[tuple[Mapping[str, int], DistanceShape]]:
    """Yield what neighbours of small worlds do to the blocks, with the sizes of the world."""
    maps = list(problem.used_maps.values())
    for number, (cells, bound) in enumerate(WORLDS):
        world = sample_world(problem, number, cells)
        if world is None or len(world.cells) > cells + 1:
            continue
        worlds = label_worlds(world, maps, TABLES)
        if worlds:
            for shape in Enumeration(problem, world, bound).profile(worlds):
                yield world.symbols, shape


def _wrong(
    rng: random.Random,
    problem: Problem,
    decision: Decision,
    shapes: Sequence[tuple[Mapping[str, int], DistanceShape]],
    *,
    true: bool,
) -> Iterator[str]:
    if decision.verdict == "refuted":
        if true:
            yield "true, because it weakens the bound, but refuted"
        if decision.counterexample is None:
            yield "refuted without a counterexample"
        else:
            try:
                standalone.confirm(decision.counterexample.data)
            except standalone.FailedError as error:
                yield f"the checker does not accept the refutation: {error}"
    if decision.verdict == "proved":
        for sizes, shape in shapes:
            for values in _numbers(rng, families(problem, decision.claim.notion), sizes):
                most = _most(problem, decision.claim.notion, shape, sizes, values)
                if most is not None and most > _allowed(decision.claim, values, sizes):
                    yield f"proved, but {shape} loses {most} at {values}, {dict(sizes)}"
                    return


Numbers = dict[str, Fraction | dict[tuple[int, ...], Fraction]]


def _numbers(
    rng: random.Random, wanted: Sequence[BlockValues], sizes: Mapping[str, int]
) -> Iterator[Numbers]:
    for _ in range(NUMBERS):
        found: Numbers = {}
        for family in wanted:
            table = {
                b: Fraction(rng.choice([0, 1, 1, 2, 3, 7]), rng.choice([1, 1, 2]))
                for b in blocks_of(family.sizes, sizes)
            }
            found[family.name] = table if family.sizes else table[()]
        yield found


def _most(
    problem: Problem, notion: str, shape: DistanceShape, sizes: Mapping[str, int], values: Numbers
) -> Fraction | None:
    """Return the largest loss over all places of the changed blocks (mu: its square)."""
    readers = {
        name: [p.name for p in problem.bound_parts if p.map.name == name] for name, _ in shape
    }
    total = Fraction(0)
    for name, rows in shape:
        mapping = problem.used_maps[name]
        blocks = blocks_of(tuple(s for _, s in mapping.indices), sizes)
        best = Fraction(0)
        for chosen in itertools.islice(itertools.permutations(blocks, len(rows)), MOST_PLACES):
            here = Fraction(0)
            for row, block in zip(rows, chosen, strict=True):
                for part, r in zip(readers[name], row, strict=True):
                    known = values[f"{usual_parameters()[notion][0]}_{part}"]
                    g = known[block] if isinstance(known, dict) else known
                    step = min(int(min(r, 2)), 2)
                    here += {"pure": step * g, "zcdp": step * step * g,
                             "gaussian": step * step * g * g}[notion]  # fmt: skip
            best = max(best, here)
            if not problem_exchanges(mapping.member.op):
                break
        total += best
    return total


def problem_exchanges(op: str) -> bool:
    """Return whether blocks may be renumbered: not where the formula is about their numbers."""
    return op in {"eq", "apply", "bool"}


def _allowed(claim: Claim, values: Numbers, sizes: Mapping[str, int]) -> Fraction | float:
    """Return an upper bound of the claimed number (mu: its square)."""
    boxes = [
        standalone.enclose(e.as_json(), values, sizes, standalone.BITS[1])
        for e in claim.parameters[0]
    ]
    highs = [box[1] for box in boxes if box is not None]
    if not highs:
        return float("inf")
    return min(highs) ** 2 if claim.notion == "gaussian" else min(highs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign; the exit status is 1 if there is a disagreement."""
    parser = argparse.ArgumentParser(description="decide random claims, compare with search")
    parser.add_argument("--count", type=int, default=50, help="how many problems")
    parser.add_argument("--claims", type=int, default=20, help="how many claims about each")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--built-in", action="store_true", help="built-in granularities and maps")
    chosen = parser.parse_args(arguments)
    verdicts: Counter[str] = Counter()
    wrong = 0
    for number, seed in enumerate(range(chosen.seed, chosen.seed + chosen.count), 1):
        outcome = try_problem(seed, chosen.claims, built_in=chosen.built_in)
        verdicts.update(outcome.verdicts)
        wrong += len(outcome.findings)
        lines = []
        if outcome.findings:
            problem = _problem(seed, built_in=chosen.built_in)
            lines = [f"== {seed}", describe(problem), *outcome.findings]
        if number % EVERY == 0 or number == chosen.count:
            last = f"problems {chosen.seed} to {seed}: {dict(sorted(verdicts.items()))}"
            lines.append(f"{last}, {wrong} disagreements")
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
