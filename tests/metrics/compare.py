"""Closed forms and distances against exhaustive search, on random granularities.

``python -m tests.metrics.compare --count 2000 --seed 1000`` prints every disagreement.  Exit
status 1 if there is one.  The classes are finite; they are decided by listing them, or with
``--prove`` as if they were not finite.  With ``--any`` they are those of random problems.

The search here is not the one that the engine filters its candidates with: other worlds, drawn at
random, and distances by breadth-first search alone.
"""

from __future__ import annotations

import argparse
import itertools
import math
import operator
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from dpcomp_sym.engine.verdict import Proved
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.metrics.small_worlds import small_worlds
from dpcomp_sym.model import BoundGranularity, Domain, Granularity, Problem, Universe
from dpcomp_sym.profile import Infinity, Symbolic
from tests.random_problems.draw import known_granularity, own_granularity
from tests.random_problems.generate import describe, generate

WORLDS = 3
MOST_STATES = 300


def granularities(problem: Problem) -> dict[str, Granularity]:
    """Return the granularities of a problem that are about its own domain."""
    found = {"outer": problem.granularity}
    for part, bound in zip(problem.parts, problem.bound_parts, strict=True):
        if part.granularity is not None and bound.map.image is None:
            found[part.name] = part.granularity
    return found


def graphs(problem: Problem, granularity: BoundGranularity) -> Iterator[EditGraph]:
    """Yield the databases of random worlds with at most two records in a cell, and their edits."""
    for seed in range(WORLDS):
        world = sample_world(problem, 1000 + seed, cells=3)
        if world is not None and 3 ** len(world.cells) <= MOST_STATES:
            yield EditGraph(world, granularity, world.cells, 2)


def wrong_metrics(problem: Problem, metric: Canonical) -> Iterator[str]:
    """Yield pairs of databases at which a proved form or bound is wrong.

    A path that is found is a path, so that its length is at least the distance; a form that is
    0 or 1 is checked both ways.
    """
    lower, upper = metric.lower, metric.upper
    for graph in graphs(problem, metric.granularity):
        for old in graph.states:
            for new in graph.states:
                d, e = graph.database(old), graph.database(new)
                found = graph.distance(old, new)
                if lower is not None:
                    least = lower.distance(graph.world, d, e)
                    if found != UNREACHABLE and (isinstance(least, Infinity) or least > found):
                        yield f"{lower.source} is {least} at {d}, {e}; a path has length {found}"
                if upper is not None:
                    most = upper.distance(graph.world, d, e)
                    if most in (0, 1) and found != most:
                        yield f"{upper.source} is {most} at {d}, {e}, distance {found}"
                    if isinstance(most, int) and found == 1 and most < 1:
                        yield f"{upper.source} is {most} at neighbours {d}, {e}"


def wrong_distances(problem: Problem, relations: Relations, of: str, to: str) -> Iterator[str]:
    """Yield neighbours at which a proved distance of granularities is too small."""
    relation = relations.distance(of, to)
    if not isinstance(relation.verdict, Proved):
        return
    inner = relations.metrics[of].granularity
    for graph in graphs(problem, relations.metrics[to].granularity):
        cap = problem.domain.cap
        other = EditGraph(graph.world, inner, graph.cells, 5 if cap is None else cap)
        said = relation.distance
        if isinstance(said, Symbolic):
            said = said.factor * graph.world.symbols[said.symbol]
        for old, new in graph.pairs():
            found = other.distance(old, new)
            far = isinstance(said, int) and said < found
            # Where paths may need more room than there is, a long one proves nothing.
            if far and (cap is not None or said < 2 or found == UNREACHABLE):
                shown = f"{graph.database(old)}, {graph.database(new)}"
                yield f"dist({of}, {to}) = {relation.distance}, but {found} at {shown}"


def wrong_examples(relations: Relations) -> Iterator[str]:
    """Yield examples of distances that are not neighbours, or nearer than they are said to be."""
    for relation in relations.all():
        example = relation.example
        if example is None:
            continue
        inner, outer = (relations.metrics[n].granularity for n in (relation.of, relation.to))
        world, ends = example.world, (example.old, example.new)
        states = [tuple(d.get(c, 0) for c in world.cells) for d in ends]
        cap, most = outer.domain.cap, max(map(max, states))
        shown = f"dist({relation.of}, {relation.to}): {ends}"
        if not EditGraph(world, outer, world.cells, most).linked(*states):
            yield f"{shown} are not neighbours"
        room = most + 1 if cap is None else cap
        if (room + 1) ** len(world.cells) > MOST_STATES:
            continue
        found = EditGraph(world, inner, world.cells, room).distance(*states)
        least = relation.least
        if relation.why.endswith("for every n"):
            continue  # no pair of a family is as far apart as all of them
        if isinstance(least, int | Infinity) and found < as_number(least):
            yield f"{shown} are at distance {found}, not {least}"


def compared(seed: int) -> tuple[list[str], list[str]]:
    """Return what was decided about one random problem, and every disagreement."""
    problem = generate(seed)
    relations = Relations(problem.domain, granularities(problem))
    said, found = [], []
    for metric in relations.metrics.values():
        said.append(f"metric {metric.verdict.word}")
        found += list(wrong_metrics(problem, metric))[:1]
    for relation in relations.all():
        kind = "infinite" if isinstance(relation.distance, Infinity) else str(relation.distance)
        said.append(f"distance {relation.verdict.word} {kind}")
        found += list(wrong_distances(problem, relations, relation.of, relation.to))[:1]
    found += wrong_examples(relations)
    return said, found


def finite(seed: int) -> tuple[list[str], list[str]]:
    """Compare two random granularities over a class of eight databases, where search is exact."""
    rng = random.Random(seed)
    attributes = rng.choice([{"id": ["p", "q", "r"]}, {"kind": ["p", "q"], "vip": "bool"}])
    domain = Domain(attributes, cap=1, universe=Universe.PRODUCT)
    if "vip" in attributes:
        domain = replace(domain, cell=rng.choice(["vip(c) or kind(c) == p", "true"]))
    given: dict[str, Granularity] = {}
    while len(given) < 2:
        made = own_granularity(domain, rng, f"g{len(given)}")
        if rng.random() < 0.3:
            made = known_granularity(domain, rng)
        try:
            made.bind(domain)
        except InputError:
            continue
        given[f"g{len(given)}"] = made
    relations = Relations(domain, given)
    (world,) = small_worlds(domain)
    graphs = {
        n: EditGraph(world, m.granularity, world.cells, 1) for n, m in relations.metrics.items()
    }
    said, found = [], []
    for name, metric in relations.metrics.items():
        said.append(f"metric {metric.verdict.word}")
        graph = graphs[name]
        for old, new in itertools.product(graph.states, repeat=2):
            true = graph.distance(old, new)
            pair = graph.database(old), graph.database(new)
            for form, wrong in ((metric.lower, operator.gt), (metric.upper, operator.lt)):
                if form is not None and wrong(as_number(form.distance(world, *pair)), true):
                    found.append(f"{form.source} at {pair}, distance {true}")
    for relation in relations.all():
        kind = "infinite" if isinstance(relation.distance, Infinity) else str(relation.distance)
        said.append(f"distance {relation.verdict.word} {kind}")
        inner, outer = graphs[relation.of], graphs[relation.to]
        true = max((inner.distance(*pair) for pair in outer.pairs()), default=0)
        known = relation.distance
        if known is not None and as_number(known) != true:
            found.append(f"dist({relation.of}, {relation.to}) = {known}, but {true}")
    return said, [*found, *wrong_examples(relations)]


def as_number(value: int | Infinity) -> float:
    """Return a distance as a number."""
    return math.inf if isinstance(value, Infinity) else value


def main() -> int:
    """Run a comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--any", action="store_true", help="over any class, not finite ones")
    parser.add_argument("--prove", action="store_true", help="by proofs and examples alone")
    chosen = parser.parse_args()
    if chosen.prove:
        Canonical.whole = None
    counts: Counter[str] = Counter()
    bad = 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        said, found = compared(seed) if chosen.any else finite(seed)
        counts.update(said)
        if found:
            bad += 1
            shown = describe(generate(seed)) if chosen.any else ""
            sys.stdout.write(f"seed {seed}: {found}\n{shown}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{chosen.count} problems, {bad} with disagreements; {dict(counts)}\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
