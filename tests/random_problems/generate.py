"""Random problems and small worlds for them, to compare the engine with exhaustive search.

A problem is drawn piece by piece and then, mostly, made wider.  It is made of strings in the
language, as a user writes them, so that one that shows a disagreement can be printed by
:func:`describe` and kept.

``python -m tests.random_problems.generate --count 3 --seed 5`` prints three problems.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections.abc import Sequence

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from tests.random_problems.draw import draw
from tests.random_problems.wider import widened

__all__ = ["describe", "generate", "main"]

TRIES = 20
"""So often something wider is tried, before the problem is left as it was drawn."""


def generate(seed: int) -> Problem:
    """Return the random problem with this number.

    >>> generate(1).title
    'random problem 1'
    """
    more = random.Random(f"{seed} wider")
    plain = _plain(seed)
    for _ in range(TRIES):
        with contextlib.suppress(InputError):
            return widened(plain, more)
    return plain


def _plain(seed: int) -> Problem:
    """Return what is drawn before it is made wider."""
    rng = random.Random(seed)
    while True:
        try:
            return draw(rng, f"random problem {seed}")
        except (InputError, IndexError):
            # Words that do not fit together, such as attributes that a map drops, or
            # differ_in_one on a cardinality, whose cell has no attributes.
            continue


def describe(problem: Problem) -> str:
    """Return the problem as a spec, TOML text."""
    return problem.to_toml()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print random problems as specs."""
    parser = argparse.ArgumentParser(description="print random composition problems")
    parser.add_argument("--count", type=int, default=1, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(arguments)
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        sys.stdout.write(describe(generate(seed)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
