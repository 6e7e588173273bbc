"""Whether an answer depends on what the same process was asked before.

A solver's models do.  ``python -m tests.differential.histories --count 60 --seed 3000`` derives
random problems in several orders, each in a process of its own, and prints every problem of which
not always the same was said.  Exit status 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.errors import InputError
from tests.differential.campaign import say
from tests.differential.engine import LateError, limited
from tests.random_problems.generate import generate

LIMIT = 10
"""Seconds for one problem; what takes longer is not compared."""


def said(seed: int) -> tuple[str, ...] | None:
    """Return what is said of a random problem: verdicts with reasons, conditions, bounds."""
    try:
        with limited(LIMIT):
            found = derive(generate(seed))
    except LateError:
        return None
    except InputError as error:
        return (str(error),)
    conditions = (
        f"{name}: {c.verdict}, {c.reason}, {c.weakest}, {c.no_weakest}"
        for name, c in found.conditions.items()
    )
    return (*conditions, *(f"{b.notion}: {b.text}, tight: {b.tight}" for b in found.bounds))


def history(seeds: Sequence[int], number: int) -> dict[int, tuple[str, ...] | None]:
    """Return what is said of problems in one order; history 0 takes them as they come."""
    order = list(seeds)
    if number:
        random.Random(number).shuffle(order)
    return {seed: said(seed) for seed in order}


def differing(
    histories: Sequence[Mapping[int, tuple[str, ...] | None]],
) -> dict[int, list[tuple[str, ...]]]:
    """Return the problems of which something else was said, with everything that was.

    >>> differing([{1: ("a",), 2: ("b",)}, {1: ("a",), 2: ("c",)}, {1: None, 2: ("b",)}])
    {2: [('b',), ('c',)]}
    """
    found = {seed: {one[seed] for one in histories} - {None} for seed in histories[0]}
    return {seed: sorted(answers) for seed, answers in found.items() if len(answers) > 1}


def compare(seeds: Sequence[int], number: int, jobs: int) -> dict[int, list[tuple[str, ...]]]:
    """Return what differs in so many histories, each in a new process."""
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1) as pool:
        return differing(list(pool.map(partial(history, seeds), range(number))))


def main() -> int:
    """Compare, and print what differs; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--histories", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    found = compare(seeds, chosen.histories, chosen.jobs)
    for seed, answers in found.items():
        say(f"== {seed}", *("\n".join([*answer, ""]) for answer in answers))
    say(f"{len(found)} of {len(seeds)} differ in {chosen.histories} histories")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
