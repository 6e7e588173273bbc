"""Hints printed on a terminal, beside an answer that may not be the best one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

__all__ = ["hints"]


def hints(result: Any, spec: str) -> Iterator[str]:
    """Yield commands that decide whether a bound must be as large as it is.

    Args:
        result: the derivation.
        spec: what the spec was called in the command.

    Returns:
        nothing where every bound is known to be the best one, or nothing is found to ask.
    """
    profile = getattr(result, "profile", None)
    if profile is None or profile.exact or result.vacuous:  # or no neighbours at all
        return
    if not any(b.tight == "unknown" and not b.infinite for b in result.bounds):
        return
    counts: dict[str, int] = {}
    far: dict[str, int] = {}
    for group in (g for case in profile.cases for vector in case.vectors for g in vector):
        if isinstance(group.count, int) and not group.block:
            counts[group.map] = max(counts.get(group.map, 0), group.count)
        for part, distance in group.distances:
            if isinstance(distance, int):
                far[part] = max(far.get(part, 0), distance)
    claims = [f"changed({name}) <= {n - 1}" for name, n in counts.items() if n > 1]
    claims += [f"distance({name}) <= {n - 1}" for name, n in far.items() if n > 1]
    for claim in claims:
        yield f'perhaps not tight; try: dpcomp refute {shlex.quote(spec)} --claim "{claim}"'
