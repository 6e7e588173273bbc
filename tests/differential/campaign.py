"""A long comparison of the engine with exhaustive search.

``python -m tests.differential.campaign --count 20000 --seed 5000`` prints every disagreement with
the problem's spec, and counts the verdicts.  Exit status 1 if there is a disagreement.

With ``--program`` each problem goes through the whole program as well: every question to both
solvers, the certificate through the second checker, what is printed through the evaluator.  With
``--keep`` what disagrees is kept as a spec in the corpus, which the tests run from then on.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from dpcomp_sym.derivation import derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.generate import describe, generate
from dpcomp_sym.recheck import SecondSolver
from tests.differential.compare import disagreements
from tests.differential.engine import LateError, answer, limited
from tests.differential.program import findings

LIMIT = 30
"""Seconds for one problem."""
CORPUS = Path(__file__).parent / "corpus"


@dataclass
class Outcome:
    """What came of one problem."""

    seed: int
    verdicts: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    seconds: tuple[float, float] = (0.0, 0.0)


def one(seed: int, *, program: bool = False) -> Outcome:
    """Compare on one random problem; a crash of the engine is a disagreement, too."""
    problem = generate(seed)
    outcome = Outcome(seed)
    start = time.perf_counter()
    try:
        with limited(LIMIT):
            said = answer(problem)
    except LateError:
        outcome.verdicts.append("late")
        return outcome
    except Exception as error:  # noqa: BLE001 - any crash is a finding
        outcome.found.append(f"the engine fails: {type(error).__name__}: {error}")
        return outcome
    middle = time.perf_counter()
    for kind, verdicts in (("C1", said.blocks), ("C2", said.distances)):
        outcome.verdicts += [f"{kind} {v.verdict}" for v in verdicts.values()]
        outcome.reasons += [v.reason for v in verdicts.values() if v.verdict == "unknown"]
    outcome.verdicts.append(f"vacuity {said.vacuity.verdict}")
    if said.profile is not None:
        kind = "exact" if said.profile.exact else "proved" if said.profile.proved else "open"
        outcome.verdicts.append(f"profile {kind}")
    outcome.found += disagreements(problem, said)
    if program:
        outcome.found += through_the_program(seed)
    outcome.seconds = (middle - start, time.perf_counter() - middle)
    return outcome


def through_the_program(seed: int) -> list[str]:
    """Compare the parts of the program with each other on one random problem."""
    problem, second = generate(seed), SecondSolver(seconds=LIMIT / 6)
    try:
        with limited(LIMIT):
            derive(problem)
        return findings(problem, seed, second)
    except (LateError, InputError):
        return []
    finally:
        second.close()


def say(*lines: str) -> None:
    """Print lines at once, also into a pipe."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reasons", action="store_true", help="count why verdicts are unknown")
    parser.add_argument("--program", action="store_true", help="through the whole program, too")
    parser.add_argument("--keep", action="store_true", help="keep what disagrees in the corpus")
    chosen = parser.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    slow: list[tuple[float, int]] = []
    bad = 0
    engine = search = 0.0
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for outcome in pool.map(partial(one, program=chosen.program), seeds):
            verdicts.update(outcome.verdicts)
            reasons.update(outcome.reasons)
            engine += outcome.seconds[0]
            search += outcome.seconds[1]
            slow.append((outcome.seconds[0], outcome.seed))
            if outcome.found:
                bad += 1
                say(f"== {outcome.seed}", describe(generate(outcome.seed)))
                say(*("!! " + f for f in outcome.found))
                if chosen.keep:
                    text = describe(generate(outcome.seed))
                    (CORPUS / f"random-{outcome.seed}.toml").write_text(text, encoding="utf-8")
    say(str(dict(sorted(verdicts.items()))))
    if chosen.reasons:
        for reason, number in reasons.most_common(40):
            say(f"{number} {reason}")
    say(f"{bad} of {chosen.count} disagree; engine {engine:.0f} s, search {search:.0f} s")
    say(f"slowest: {[(round(t, 2), s) for t, s in sorted(slow, reverse=True)[:8]]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
