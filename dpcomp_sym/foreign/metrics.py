"""Distances between what a function reads or returns.

One name means different things in different libraries, so the statement of each metric says
whether it looks at the order of the records.  A distance of None is infinite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Final

from dpcomp_sym.errors import InputError

Distance = int | Fraction | None


@dataclass(frozen=True)
class Metric:
    """A symmetric distance.

    ``statement`` says what it is, ``of`` computes it (None: infinite), and ``largest`` is the
    largest finite distance, if there is one.
    """

    name: str
    statement: str
    of: Callable[[Any, Any], Distance] = field(repr=False, compare=False)
    largest: int | None = None


def as_key(record: Any) -> Hashable:
    """Return something hashable that is equal for equal records.

    >>> as_key([{"b": 1, "a": [2]}])
    ((('a', (2,)), ('b', 1)),)
    """
    if isinstance(record, dict):
        return tuple(sorted((name, as_key(value)) for name, value in record.items()))
    plain: Hashable = record.tolist() if hasattr(record, "tolist") else record
    return tuple(map(as_key, plain)) if isinstance(plain, list | tuple) else plain


def _records(database: Any) -> list[Hashable]:
    if isinstance(database, Counter):
        database = database.elements()
    try:
        return [as_key(record) for record in database]
    except TypeError:
        raise InputError(
            f"a metric between databases needs a list of records, not {database!r}; for numbers "
            "take 'absolute', for lists of numbers 'l1'"
        ) from None


def _symmetric(x: Any, y: Any) -> int:
    old, new = Counter(_records(x)), Counter(_records(y))
    return ((old - new) + (new - old)).total()


def _change_one(x: Any, y: Any) -> Distance:
    return _symmetric(x, y) // 2 if len(_records(x)) == len(_records(y)) else None


def _hamming(x: Any, y: Any) -> Distance:
    old, new = _records(x), _records(y)
    if len(old) != len(new):
        return None
    return sum(a != b for a, b in zip(old, new, strict=True))


def _insert_delete(x: Any, y: Any) -> int:
    """Return the lengths without the longest common subsequence."""
    old, new = _records(x), _records(y)
    longest = [0] * (len(new) + 1)
    for a in old:
        before = 0
        for n, b in enumerate(new, 1):
            before, longest[n] = (
                longest[n],
                before + 1 if a == b else max(longest[n], longest[n - 1]),
            )
    return len(old) + len(new) - 2 * longest[-1]


def _number(x: Any) -> Fraction:
    try:
        return Fraction(x.item() if hasattr(x, "item") else x)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"this metric needs finite numbers, not {x!r}") from None


def _l1(x: Any, y: Any) -> Distance:
    numbers = zip_longest(list(x), list(y))
    if len(list(x)) != len(list(y)):
        return None
    return sum((abs(_number(a) - _number(b)) for a, b in numbers), Fraction(0))


SYMMETRIC: Final = Metric("symmetric", "records to add or remove, order ignored", _symmetric)
CHANGE_ONE: Final = Metric(
    "change-one", "records to replace, order ignored; infinite between different sizes", _change_one
)
INSERT_DELETE: Final = Metric(
    "insert-delete", "records to insert or delete in a list, order kept", _insert_delete
)
HAMMING: Final = Metric(
    "hamming", "positions at which two lists of one length differ, else infinite", _hamming
)
ABSOLUTE: Final = Metric(
    "absolute", "absolute difference of two numbers", lambda x, y: abs(_number(x) - _number(y))
)
L1: Final = Metric(
    "l1", "sum of absolute differences of two lists of one length, else infinite", _l1
)
DISCRETE: Final = Metric(
    "discrete", "0 if equal, else 1", lambda x, y: int(as_key(x) != as_key(y)), largest=1
)

METRICS: Final = {
    m.name: m for m in (SYMMETRIC, CHANGE_ONE, INSERT_DELETE, HAMMING, ABSOLUTE, L1, DISCRETE)
}
"""The built-in metrics by name."""


def neighbours(
    name: str, related: Callable[[Sequence[Any], Sequence[Any]], bool], statement: str = ""
) -> Metric:
    """Return the metric of a granularity, as far as neighbours go: 1, and infinite beyond them.

    For inputs only: a bound for neighbours is all that a claim at d = 1 says.

    >>> same_length = neighbours("replace", lambda D, E: HAMMING.of(D, E) == 1)
    >>> same_length.of([1, 2], [1, 3]), same_length.of([1, 2], [3, 4])
    (1, None)
    """

    def of(x: Sequence[Any], y: Sequence[Any]) -> Distance:
        if as_key(x) == as_key(y):
            return 0
        return 1 if related(x, y) or related(y, x) else None

    return Metric(name, statement or f"1 between {name} neighbours", of, largest=1)
