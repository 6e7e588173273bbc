"""Distances between what a function reads or returns.

One name means different things in different libraries, so the statement of each metric says
whether it looks at the order of the records.  A distance of None is infinite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import repeat
from numbers import Rational
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.stability.calls import shown

ListDistance = int | Fraction | None


class Read(Enum):
    """How the databases of the language are read in what a function takes or returns.

    ``BAG``: the records of a list, one by one; their order is forgotten.  ``LIST``: the records
    with their places.  ``NUMBERS``: a list of numbers, that of each kind of record, in a given
    order.  ``NUMBER``: the number of records.
    """

    BAG = "records"
    LIST = "records with their places"
    NUMBERS = "numbers of records"
    NUMBER = "the number of records"


@dataclass(frozen=True)
class Multiple:
    """``factor`` times a metric between databases D and E, in the language of closed forms.

    In ``finite``, ``{position}`` is the attribute that is the place of a record.
    """

    factor: int
    value: str
    finite: str = "true"


Readings = Mapping[Read, tuple[Multiple, ...]]
_REMOVED, _ADDED = "sum(max(D[c] - E[c], 0))", "sum(max(E[c] - D[c], 0))"
_ALL: Final = "sum(abs(D[c] - E[c]))"


@dataclass(frozen=True)
class Metric:
    """A symmetric distance.

    ``statement`` says what it is, ``of`` computes it (None: infinite), and ``largest`` is the
    largest finite distance, if there is one; then all finite distances are whole.

    ``below`` and ``above`` are what is known of it for all databases, by its definition: by how it
    reads them, metrics that are nowhere larger (where it is finite), or nowhere smaller.  Of code
    nothing is known.  ``adjacency`` marks a relation between neighbours, not a metric beyond.
    """

    name: str
    statement: str
    of: Callable[[Any, Any], ListDistance] = field(repr=False, compare=False)
    largest: int | None = None
    below: Readings = field(default_factory=dict, repr=False, compare=False)
    above: Readings = field(default_factory=dict, repr=False, compare=False)
    adjacency: bool = False


@dataclass(frozen=True)
class _Dictionary:
    """The entries of a dictionary, hashable, and equal to no list."""

    entries: frozenset[tuple[Hashable, Hashable]]


def as_key(record: Any) -> Hashable:
    """Return something hashable that is equal for equal records.

    Raises:
        InputError: the record is not equal to itself (NaN), or nothing hashable.

    >>> as_key([{"b": 1, "a": [2]}]) == as_key(({"a": (2,), "b": 1},))
    True
    """
    plain = record.tolist() if hasattr(record, "tolist") else record
    if isinstance(plain, Mapping):
        return _Dictionary(frozenset((as_key(name), as_key(x)) for name, x in plain.items()))
    if isinstance(plain, list | tuple):
        return tuple(map(as_key, plain))
    if isinstance(plain, AbstractSet):
        return frozenset(map(as_key, plain))
    try:
        hash(plain)
        same = bool(plain == plain)  # noqa: PLR0124  NaN is not
    except TypeError:
        raise InputError(f"{shown(record)} cannot be compared: it is not hashable") from None
    if not same:
        raise InputError(f"{shown(record)} cannot be compared: it is not equal to itself")
    key: Hashable = plain
    return key


def _entries(listed: Any, use: str) -> Sequence[Any]:
    """Return the entries of a list, a tuple, or what can be made one without a choice."""
    plain = listed.tolist() if hasattr(listed, "tolist") else listed
    if isinstance(plain, str | bytes) or not isinstance(plain, Sequence):
        raise InputError(f"{use}, not {shown(listed)}; for numbers take 'absolute', for lists of "
                         "numbers 'l1'")  # fmt: skip
    return plain


def _records(database: Any) -> list[Hashable]:
    use = "a metric between databases needs a list of records"
    return [as_key(record) for record in _entries(database, use)]


def _counted(database: Any) -> Counter[Hashable]:
    """Return the records with their numbers: of a list, a set, or a Counter."""
    if isinstance(database, Counter):
        numbers: list[Any] = list(database.values())
        if not all(isinstance(n, int) and n >= 0 for n in numbers):
            raise InputError(f"{shown(database)} is not a multiset: a number of records is "
                             "negative or not whole")  # fmt: skip
        database = list(database.elements())
    return Counter(_records(list(database) if isinstance(database, AbstractSet) else database))


def _symmetric(x: Any, y: Any) -> int:
    old, new = _counted(x), _counted(y)
    return ((old - new) + (new - old)).total()


def _change_one(x: Any, y: Any) -> ListDistance:
    old, new = _counted(x), _counted(y)
    return (old - new).total() if old.total() == new.total() else None


def _hamming(x: Any, y: Any) -> ListDistance:
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


def exact(number: Any) -> Fraction:
    """Return a finite number of Python or of a library, exactly.

    Raises:
        InputError: it is not a number.

    >>> exact(0.5), exact(Decimal("0.1"))
    (Fraction(1, 2), Fraction(1, 10))
    """
    try:
        plain = number.item() if hasattr(number, "item") else number
        if isinstance(plain, int | float | Decimal | Rational):
            return Fraction(plain)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"a finite number is needed here, not {shown(number)}")


def _l1(x: Any, y: Any) -> ListDistance:
    use = "this metric needs a list of numbers"
    old, new = list(map(exact, _entries(x, use))), list(map(exact, _entries(y, use)))
    if len(old) != len(new):
        return None
    return sum((abs(a - b) for a, b in zip(old, new, strict=True)), Fraction(0))


# What is known of the metrics.  Of two multisets D and E, with r records of D that are not in E and
# a the other way round, the symmetric distance is r + a, at least twice the smaller of the two and
# at most twice the larger one; where they have equally many records, r = a.  Two lists of one
# length have equally many records at each place, and differ at r places.  Forgetting places cannot
# bring records farther apart.
_BAGS: Final = (Multiple(2, f"min({_REMOVED}, {_ADDED})"), Multiple(1, _ALL))
_REPLACED: Final = (Multiple(1, _REMOVED, "same()"),)
_BY_PLACE: Final = _REMOVED, "same({position}(c))"
_SPREAD: Final = (
    Multiple(1, _ALL), Multiple(2, f"max({_REMOVED}, {_ADDED})"), Multiple(2, _REMOVED, "same()"),
)  # fmt: skip
_ONCE: Final = (Multiple(1, f"min({_ALL}, 1)"),)
_DIFFERENT: Final = (
    Multiple(1, _ALL), Multiple(1, f"max({_REMOVED}, {_ADDED})"), *_REPLACED,
)  # fmt: skip

SYMMETRIC: Final = Metric(
    "symmetric", "records to add or remove, order ignored", _symmetric,
    below={Read.BAG: _BAGS}, above={Read.BAG: _SPREAD, Read.LIST: _SPREAD},
)  # fmt: skip
CHANGE_ONE: Final = Metric(
    "change-one", "records to replace, order ignored; infinite between different sizes",
    _change_one,
    below={Read.BAG: _REPLACED}, above={Read.BAG: _REPLACED, Read.LIST: _REPLACED},
)  # fmt: skip
INSERT_DELETE: Final = Metric(
    "insert-delete", "records to insert or delete in a list, order kept", _insert_delete,
    below={Read.BAG: _BAGS}, above={Read.LIST: (Multiple(2, *_BY_PLACE),)},
)  # fmt: skip
HAMMING: Final = Metric(
    "hamming", "positions at which two lists of one length differ, else infinite", _hamming,
    below={Read.BAG: _REPLACED, Read.LIST: (Multiple(1, *_BY_PLACE),)},
    above={Read.LIST: (Multiple(1, *_BY_PLACE),)},
)  # fmt: skip
ABSOLUTE: Final = Metric(
    "absolute", "absolute difference of two numbers", lambda x, y: abs(exact(x) - exact(y)),
    above={Read.NUMBER: (Multiple(1, _ALL),)},
)  # fmt: skip
L1: Final = Metric(
    "l1", "sum of absolute differences of two lists of one length, else infinite", _l1,
    above={Read.NUMBERS: _SPREAD},
)  # fmt: skip
DISCRETE: Final = Metric(
    "discrete", "0 if equal, else 1", lambda x, y: int(as_key(x) != as_key(y)), largest=1,
    below=dict(zip((Read.BAG, Read.LIST), repeat(_ONCE))),
    above=dict(zip((Read.LIST, Read.NUMBERS, Read.NUMBER), repeat(_DIFFERENT))),
)  # fmt: skip

METRICS: Final = {
    m.name: m for m in (SYMMETRIC, CHANGE_ONE, INSERT_DELETE, HAMMING, ABSOLUTE, L1, DISCRETE)
}
"""The built-in metrics by name."""


def neighbours(
    name: str, related: Callable[[Sequence[Any], Sequence[Any]], bool], statement: str = ""
) -> Metric:
    """Return the metric of a granularity, as far as neighbours go: 1, and infinite beyond them.

    For inputs only: a bound for neighbours is all that a claim at d = 1 states.

    >>> same_length = neighbours("replace", lambda D, E: HAMMING.of(D, E) == 1)
    >>> same_length.of([1, 2], [1, 3]), same_length.of([1, 2], [3, 4])
    (1, None)
    """

    def of(x: Sequence[Any], y: Sequence[Any]) -> ListDistance:
        if as_key(x) == as_key(y):
            return 0
        return 1 if related(x, y) or related(y, x) else None

    return Metric(name, statement or f"1 between {name} neighbours", of, largest=1, adjacency=True)
