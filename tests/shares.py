"""Long comparisons are shared out: a few cases in every run, the others by ``make test-long``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def shared(number: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a test, of which every run takes the first ones alone.

    A tuple has a value for each of several arguments.

    >>> [case if isinstance(case, int) else case.values for case in shared(2, [10, 20, 30])]
    [10, 20, (30,)]
    """
    return [
        case
        if place < number
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for place, case in enumerate(cases)
    ]


def _long(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
