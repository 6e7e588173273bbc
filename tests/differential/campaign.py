"""A long comparison of the engine with exhaustive search.

``python -m tests.differential.campaign --count 20000 --seed 5000`` prints every disagreement with
the problem's spec, and counts the verdicts.  Exit status 1 if there is a disagreement.

The last line is JSON, so that what came of many chunks can be added up: ``--total FILE ...`` reads
the last lines of what other runs have printed, and prints their sum.  ``--seconds`` limits the
processor time of each problem; what takes longer is counted as late.

With ``--program`` each problem goes through the whole program as well: every question to both
solvers, the certificate through the second checker, what is printed through the evaluator.  With
``--keep`` what disagrees is kept as a spec in the corpus, which the tests run from then on.

With ``--structured`` the blocks of the problems have structure (times, windows, trees, families
that are written out, several maps, limits with several keys); their bounds are compared with all
neighbours of small worlds, block by block: never below, and equal where they are called tight.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.derivation.proof import NotComposedError, prove
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.numbers import notions_of
from dpcomp_sym.smt.solvers import SecondSolver
from tests.differential.compare import Answer, disagreements
from tests.differential.engine import LateError, conditions, limited
from tests.differential.program import findings
from tests.differential.structured import Comparison
from tests.random_problems.generate import describe, generate
from tests.random_problems.structured import structured as drawn

LIMIT = 30
"""Seconds for one problem."""
CORPUS = Path(__file__).parent / "corpus"
CHUNK = 100
"""So many problems are tried in one process, which may die of them."""


@dataclass
class Outcome:
    """What came of one problem."""

    seed: int
    verdicts: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    seconds: tuple[float, float] = (0.0, 0.0)


def one(
    seed: int, *, seconds: float = LIMIT, program: bool = False, structured: bool = False
) -> Outcome:
    """Compare on one random problem; a crash of the engine is a disagreement, too."""
    if structured:
        return one_structured(seed, seconds)
    problem = generate(seed)
    outcome = Outcome(seed)
    start = time.process_time()
    said = answered(problem, seconds, outcome)
    middle = time.process_time()
    if said is not None:
        counted(said, outcome)
        try:
            with limited(seconds):
                outcome.found += disagreements(problem, said)
        except LateError:
            outcome.verdicts.append("late search")
    if program and not outcome.found:
        outcome.found += through_the_program(seed, seconds)
    outcome.seconds = (middle - start, time.process_time() - middle)
    return outcome


def one_structured(seed: int, seconds: float) -> Outcome:
    """Compare the bounds of one random problem whose blocks have structure."""
    outcome, start = Outcome(seed), time.process_time()
    try:
        with limited(seconds):
            comparison = Comparison(seed)
            outcome.verdicts += comparison.kinds()
            outcome.found += comparison.wrong()
    except LateError:
        outcome.verdicts.append("late")
    except Exception as error:  # noqa: BLE001 - any crash is a finding
        outcome.found.append(crash("the comparison", error))
    outcome.seconds = (time.process_time() - start, 0.0)
    return outcome


def answered(problem: Problem, seconds: float, outcome: Outcome) -> Answer | None:
    """Return what the engine says; if the time is up, the conditions without the profile.

    The kernel must compose what a proved profile says out of its facts.
    """
    said = None
    try:
        with limited(seconds):
            structure = Structure(problem)
            said = conditions(structure)
            profile, facts = profile_with_facts(structure)
            said = replace(said, profile=profile)
            if profile.proved and not profile.vacuous:
                prove(problem, profile, facts, notions_of(profile))
    except LateError:
        outcome.verdicts.append("late" if said is None else "late profile")
    except NotComposedError as error:
        outcome.found.append(str(error))
    except Exception as error:  # noqa: BLE001 - any crash is a finding
        outcome.found.append(crash("the engine", error))
    return said


def crash(what: str, error: Exception) -> str:
    """Return what failed, and where."""
    places = [
        f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)
    ]
    return f"{what} fails: {type(error).__name__}: {error} ({' '.join(places[-4:])})"


def counted(said: Answer, outcome: Outcome) -> None:
    """Note which verdicts were given."""
    for kind, verdicts in (("C1", said.blocks), ("C2", said.distances)):
        outcome.verdicts += [f"{kind} {v.verdict}" for v in verdicts.values()]
        outcome.reasons += [v.reason for v in verdicts.values() if v.verdict == "unknown"]
    outcome.verdicts.append(f"vacuity {said.vacuity.verdict}")
    if said.profile is not None:
        kind = "exact" if said.profile.exact else "proved" if said.profile.proved else "open"
        outcome.verdicts.append(f"profile {kind}")


def through_the_program(seed: int, seconds: float) -> list[str]:
    """Compare the parts of the program with each other on one random problem."""
    problem, second = generate(seed), SecondSolver(seconds=seconds / 6)
    try:
        with limited(seconds):
            derive(problem)
            return findings(problem, seed, second)
    except (LateError, InputError):
        return []
    except Exception as error:  # noqa: BLE001 - any crash is a finding
        return [crash("the program", error)]
    finally:
        second.close()


# -------------------------------------------------------------------- many of them


def some(
    seeds: Sequence[int], seconds: float, *, program: bool, structured: bool
) -> Iterator[Outcome]:
    """Try problems in a process of their own, and go on in another one if that dies.

    What disagrees is tried again at the start of a new process: a solver that was interrupted
    because of an earlier problem can be in disorder.
    """
    left, first = list(seeds), True
    while left:
        for outcome in _in_a_process(left, seconds, program=program, structured=structured):
            if outcome.found and not first:
                break
            first = False
            del left[0]
            yield outcome
        first = True


def _in_a_process(
    seeds: Sequence[int], seconds: float, *, program: bool, structured: bool
) -> Iterator[Outcome]:
    """Yield what comes of problems; if the process dies of one, that is the last."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.differential.program", "tests.differential.structured"])
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_try, args=(list(seeds), seconds, program, structured, there))
    child.start()
    there.close()
    done = 0
    try:
        for _ in seeds:
            yield here.recv()
            done += 1
    except EOFError:
        child.join()
        yield Outcome(seeds[done], found=[f"the process ends with status {child.exitcode}"])
    finally:
        child.kill()
        child.join()
        here.close()


def _try(
    seeds: Sequence[int], seconds: float, program: bool, structured: bool,
    there: multiprocessing.connection.Connection,
) -> None:  # fmt: skip
    gc.freeze()
    for seed in seeds:
        there.send(one(seed, seconds=seconds, program=program, structured=structured))


@dataclass
class Total:
    """What came of many problems; numbers that can be added up."""

    problems: int = 0
    disagree: int = 0
    late: int = 0
    engine: float = 0.0
    search: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)

    def count(self, outcome: Outcome) -> None:
        """Add one problem."""
        self.problems += 1
        self.disagree += bool(outcome.found)
        self.late += any(v.startswith("late") for v in outcome.verdicts)
        self.engine += outcome.seconds[0]
        self.search += outcome.seconds[1]
        self.verdicts.update(outcome.verdicts)

    def add(self, other: Total) -> None:
        """Add what came of other problems."""
        self.problems += other.problems
        self.disagree += other.disagree
        self.late += other.late
        self.engine += other.engine
        self.search += other.search
        self.verdicts.update(other.verdicts)

    def lines(self) -> Iterator[str]:
        """Yield the numbers for people, and last for programs."""
        each = (self.engine + self.search) / max(self.problems, 1)
        yield str(dict(sorted(self.verdicts.items())))
        yield (
            f"{self.disagree} of {self.problems} disagree, {self.late} late; engine "
            f"{self.engine:.0f} s, search {self.search:.0f} s, {each:.3f} s a problem"
        )
        yield json.dumps(vars(self), sort_keys=True)

    @staticmethod
    def read(path: Path) -> Total:
        """Return what a run has printed in its last line."""
        table = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
        return Total(**{**table, "verdicts": Counter(table["verdicts"])})


def say(*lines: str) -> None:
    """Print lines at once, also into a pipe."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def report(outcome: Outcome, *, keep: bool, structured: bool) -> None:
    """Print a disagreement with its problem, and keep it if wanted."""
    problem = drawn(outcome.seed).problem if structured else generate(outcome.seed)
    text = describe(problem)
    say(f"== {outcome.seed}", text, *("!! " + f for f in outcome.found))
    if keep and not structured:
        (CORPUS / f"random-{outcome.seed}.toml").write_text(text, encoding="utf-8")


def campaign(chosen: argparse.Namespace) -> Total:
    """Try the problems that were chosen, and print what disagrees."""
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    chunks = [seeds[n : n + CHUNK] for n in range(0, len(seeds), CHUNK)]
    total, reasons, slow = Total(), Counter[str](), list[tuple[float, int]]()

    def outcomes(chunk: Sequence[int]) -> list[Outcome]:
        return list(
            some(chunk, chosen.seconds, program=chosen.program, structured=chosen.structured)
        )

    with ThreadPoolExecutor(chosen.jobs) as pool:
        for outcome in (o for done in pool.map(outcomes, chunks) for o in done):
            total.count(outcome)
            reasons.update(outcome.reasons)
            slow = sorted([*slow, (outcome.seconds[0], outcome.seed)], reverse=True)[:8]
            if outcome.found:
                report(outcome, keep=chosen.keep, structured=chosen.structured)
    if chosen.reasons:
        say(*(f"{number} {reason}" for reason, number in reasons.most_common(40)))
    say(f"slowest: {[(round(t, 2), s) for t, s in slow]}")
    return total


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=LIMIT, help="processor time for each")
    parser.add_argument("--reasons", action="store_true", help="count why verdicts are unknown")
    parser.add_argument("--program", action="store_true", help="through the whole program, too")
    parser.add_argument("--structured", action="store_true", help="blocks that have structure")
    parser.add_argument("--keep", action="store_true", help="keep what disagrees in the corpus")
    parser.add_argument("--total", nargs="+", type=Path, metavar="FILE", help="add up other runs")
    chosen = parser.parse_args()
    total = Total()
    if chosen.total:
        for path in chosen.total:
            total.add(Total.read(path))
    else:
        total = campaign(chosen)
    say(*total.lines())
    return 1 if total.disagree else 0


if __name__ == "__main__":
    sys.exit(main())
