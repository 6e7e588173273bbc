"""Long comparisons are shared out: a few cases in every run, the others by ``make test-long``.

Which cases these are is always the same with :func:`shared`.  Of what is marked ``in_turn`` in a
file a run of everything takes a part in 32, and the next turn another one: the turn is the number
in the environment variable ``DPCOMP_TURN``, and ``DPCOMP_TURNS`` says how many there are.  CI takes
a tenth, and counts commits.  Whoever names a file, or words of names, has all of it.  What needs
coqc takes turns where the number of turns is given, and is asked for as ``rocq and not long``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final
from zlib import crc32

import pytest

TURNS: Final = int(os.environ.get("DPCOMP_TURNS", "32"))
TURN: Final = int(os.environ.get("DPCOMP_TURN", "0"))


def shared(number: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a test, of which every run takes the first ones alone.

    A tuple has a value for each of several arguments.

    >>> [case if isinstance(case, int) else case.values for case in shared(2, [10, 20, 30])]
    [10, 20, (30,)]
    """
    return [case if place < number else _long(case) for place, case in enumerate(cases)]


def _long(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)


def is_everything(config: pytest.Config) -> bool:
    """Return whether a run is one of all tests."""
    return config.args == config.getini("testpaths") and not config.getoption("-k")


def taking_turns(config: pytest.Config) -> str | None:
    """Return how tests are marked of which a run takes those whose turn it is, if some are."""
    if is_everything(config):
        return "in_turn"
    of_rocq = str(config.getoption("-m")).startswith("rocq and not long")
    return "rocq" if of_rocq and "DPCOMP_TURNS" in os.environ else None


def in_turn(
    items: Sequence[pytest.Item], marker: str = "in_turn", turn: int = TURN, turns: int = TURNS
) -> None:
    """Mark as long what another turn takes of the tests that have a marker."""
    met: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker(marker) and not item.get_closest_marker("long"):
            file = item.nodeid.partition("::")[0]
            if (met[file] + crc32(file.encode()) - turn) % turns:  # not all files begin at once
                item.add_marker(pytest.mark.long)
            met[file] += 1
