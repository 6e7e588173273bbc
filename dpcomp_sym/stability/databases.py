"""The databases of a finite scope, smallest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, product
from typing import Any, Final, Protocol

from dpcomp_sym.errors import InputError

__all__ = ["DatabaseScope", "Lists", "Multisets", "Tables"]


class DatabaseScope(Protocol):
    """Databases that a function can be tried on."""

    def databases(self) -> Iterator[list[Any]]:
        """Yield the databases, smallest first."""
        ...

    def text(self) -> str:
        """Say which they are."""
        ...


MOST_VALUES: Final = 10_000


def _sizes(at_most: int | None, size: int | None) -> range:
    if (at_most is None) == (size is None):
        raise InputError("give either 'at_most', the largest size, or 'size', the only one")
    for name, number in (("at_most", at_most), ("size", size)):
        whole = isinstance(number, int) and not isinstance(number, bool)
        if number is not None and (not whole or number < 0):
            raise InputError(f"'{name}' is a number of records, 0 or more, not {number!r}")
    if size is not None:
        return range(size, size + 1)
    return range((at_most or 0) + 1)


def _listed(values: Iterable[Any], what: str) -> tuple[Any, ...]:
    """Return values as a tuple: they are gone through several times."""
    try:
        found = tuple(islice(values, MOST_VALUES + 1))
    except TypeError:
        raise InputError(f"{what} are a list of values, not {values!r}") from None
    if len(found) > MOST_VALUES:
        raise InputError(f"{what} are more than {MOST_VALUES:,}")
    return found


def _said(at_most: int | None, size: int | None) -> str:
    return f"exactly {size}" if size is not None else f"at most {at_most}"


@dataclass(frozen=True)
class Lists:
    """All lists of these values, of at most so many records or of one size; order counts.

    >>> list(Lists([0, 1], at_most=1).databases())
    [[], [0], [1]]
    """

    values: Iterable[Any]
    at_most: int | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        """Read the values once, so that any iterable can give them."""
        object.__setattr__(self, "values", _listed(self.values, "the values of records"))

    def databases(self) -> Iterator[list[Any]]:
        """Yield the lists, smallest first."""
        values = list(self.values)
        for n in _sizes(self.at_most, self.size):
            yield from map(list, product(values, repeat=n))

    def text(self) -> str:
        """Say which they are."""
        n = len(list(self.values))
        return f"lists of {_said(self.at_most, self.size)} records over {n} values"


@dataclass(frozen=True)
class Multisets:
    """All multisets of these values; the function reads each as a list in one order.

    >>> list(Multisets([0, 1], size=2).databases())
    [[0, 0], [0, 1], [1, 1]]
    """

    values: Iterable[Any]
    at_most: int | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        """Read the values once, so that any iterable can give them."""
        object.__setattr__(self, "values", _listed(self.values, "the values of records"))

    def databases(self) -> Iterator[list[Any]]:
        """Yield the multisets as sorted lists, smallest first."""
        values = list(self.values)
        for n in _sizes(self.at_most, self.size):
            yield from map(list, combinations_with_replacement(values, n))

    def text(self) -> str:
        """Say which they are."""
        n = len(list(self.values))
        return f"multisets of {_said(self.at_most, self.size)} records over {n} values"


@dataclass(frozen=True)
class Tables:
    """All tables with these columns: lists of rows, each a dictionary.

    >>> list(Tables({"age": [1], "vip": [False, True]}, size=1).databases())
    [[{'age': 1, 'vip': False}], [{'age': 1, 'vip': True}]]
    """

    columns: Mapping[str, Iterable[Any]]
    at_most: int | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        """Read the values once, so that any iterable can give them."""
        if not isinstance(self.columns, Mapping):
            raise InputError(f"columns are a dictionary, name → values, not {self.columns!r}")
        read = {n: _listed(v, f"the values of '{n}'") for n, v in self.columns.items()}
        object.__setattr__(self, "columns", read)

    def databases(self) -> Iterator[list[Any]]:
        """Yield the tables, smallest first."""
        sizes = _sizes(self.at_most, self.size)
        rows = [
            dict(zip(self.columns, row, strict=True))
            for row in _listed(product(*self.columns.values()), "the rows of a table")
        ]
        for n in sizes:
            yield from ([dict(row) for row in table] for table in product(rows, repeat=n))

    def text(self) -> str:
        """Say which they are."""
        columns = ", ".join(f"{name} ({len(list(v))} values)" for name, v in self.columns.items())
        return f"tables of {_said(self.at_most, self.size)} rows over {columns}"
