"""Processor times: medians of repeated runs, and what to do when somebody gives up.

Processor time, of the process and of those that it started and waited for, does not depend on what
else the machine is doing; everybody who is measured works in one thread.
"""

from __future__ import annotations

import importlib.util
import math
import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LIMIT = 6.0
"""Seconds of processor time after which a run is stopped: the rival gives up at this size."""
PATIENCE = 10 * LIMIT
"""So long anybody is waited for."""


@dataclass(frozen=True)
class Row:
    """One measurement: of what, by whom, at which size; None where it gave up."""

    topic: str
    who: str
    size: str
    seconds: float | None
    answer: str = ""


def clock() -> float:
    """Return the seconds of processor time so far."""
    # Asked first: under a limit of processor time, Linux counts in ticks until somebody asks this.
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the time of one run, and its answer."""
    start = clock()
    answer = run()
    return clock() - start, answer


def median(run: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """Return the median time of a few runs, and the last answer; a slow run is not repeated."""
    times: list[float] = []
    answer = None
    for _ in range(repeats):
        seconds, answer = timed(run)
        times.append(seconds)
        if sum(times) > LIMIT / 4:
            break
    return statistics.median(times), answer


def in_turn(runs: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return median times of runs that take turns, so that a busy minute slows all of them."""
    times: dict[str, list[float]] = {who: [] for who in runs}
    for _ in range(repeats):
        for who, run in runs.items():
            times[who].append(timed(run)[0])
    return {who: statistics.median(found) for who, found in times.items()}


def installed(modules: Sequence[str]) -> bool:
    """Say whether the packages are there that a rival needs."""
    return all(importlib.util.find_spec(name.partition(".")[0]) for name in modules)


def _child(
    run: Callable[..., Any], arguments: tuple[Any, ...], needs: Sequence[str], pipe: Any
) -> None:
    for module in needs:
        importlib.import_module(module)
    # Shorter runs are repeated, as long as they are a quarter of it.
    most = math.ceil(clock() + LIMIT + LIMIT / 4)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    pipe.send(median(lambda: run(*arguments)))
    pipe.close()


def limited(
    run: Callable[..., Any], *arguments: Any, needs: Sequence[str] = ()
) -> tuple[float, Any] | None:
    """Return median and answer of a run in a process of its own, or None if it takes too long.

    The modules that it ``needs`` are loaded before the clock starts, as the program's own are.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(run, arguments, needs, theirs))
    child.start()
    theirs.close()
    try:
        found = ours.recv() if ours.poll(PATIENCE) else None
        return found if found is None or found[0] <= LIMIT else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()
