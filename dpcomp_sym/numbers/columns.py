"""The numbers that a user gives for parameters: checked, and one column a parameter.

Parameters are given as ``{name: number}`` (the same for all blocks) or ``{name: [numbers]}``
(one a block; nested lists for several indices), sizes as ``{symbol: positive integer}``.
Integers, fractions and decimals are exact and stay so; floats give floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeGuard, cast

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.notions.meeting import points
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.exact import Exact
from dpcomp_sym.numbers.sources import BoundSource, maps_by_name
from dpcomp_sym.profile import MapInfo, PartInfo, Profile

__all__ = [
    "Numbers",
    "ParameterTable",
    "Scalar",
    "Sizes",
    "Values",
    "block_size",
    "check_value",
    "infer_sizes",
    "lengths",
    "parameter_names",
    "size_of",
]

Scalar = int | Fraction | float | Exact
Indices = Sequence[tuple[str, str | int]]
Guarantees = Iterable[tuple[str, Sequence[str | Fraction]]]
Values = Mapping[str, object]
Sizes = Mapping[str, int]
Family = tuple[str | int, ...]
"""The sizes of a family of blocks; none for a single map."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A parameter: one number for all blocks, or one number a block."""

    constant: Scalar | None
    items: Sequence[Scalar] = ()

    def listed(self, n: int) -> Sequence[Scalar]:
        """Return one number a block."""
        return self.items if self.constant is None else [self.constant] * n

    def infinite(self) -> bool:
        """Return whether some number is infinite."""
        if isinstance(self.items, Column):
            return False
        listed = self.items if self.constant is None else [self.constant]
        return math.inf in listed


class ParameterTable:
    """The numbers of all parameters that the bound of a notion may use, checked."""

    def __init__(self) -> None:
        """Make a table without parameters."""
        self._columns: dict[tuple[str | Fraction, Family], Numbers] = {}

    @classmethod
    def of(
        cls, profile: Profile, used: Mapping[str, BoundSource], values: Values, sizes: Sizes
    ) -> ParameterTable:
        """Return the numbers of the parameters of some parts.

        Args:
            profile: what neighbours do to the parts.
            used: for each part that counts, the guarantee that a bound uses.
            values: the numbers.
            sizes: the numbers of blocks.

        Raises:
            InputError: (a ``ValueError``) for missing, negative or undefined numbers, a delta above
                1, and lists of the wrong length.
        """
        table = cls()
        maps = maps_by_name(profile)
        for part in profile.parts:
            info = maps[part.map]
            for parameter, slot in used[part.name].slots() if part.name in used else ():
                key = (parameter, tuple(size for _, size in info.indices))
                if key not in table._columns:
                    table._columns[key] = _read(part, info, parameter, slot, values, sizes)
        return table

    @classmethod
    def plain(
        cls, columns: Mapping[tuple[str, Family], Scalar | Sequence[Scalar]]
    ) -> ParameterTable:
        """Return a table of numbers by the names of parameters and the sizes of their families.

        >>> ParameterTable.plain({("eps", ("k",)): [1, 2]}).column("eps", ("k",)).listed(2)
        [1, 2]
        """
        table = cls()
        for (name, family), value in columns.items():
            listed = Numbers(None, value) if isinstance(value, Sequence) else Numbers(value)
            table._columns[name, family] = listed
        return table

    def column(self, parameter: str | Fraction, family: Family) -> Numbers:
        """Return the numbers of a parameter of a family (``()``: of a single part)."""
        if (parameter, family) not in self._columns:
            raise InputError(f"the parameter '{parameter}' has no value", word=str(parameter))
        return self._columns[parameter, family]

    def number(
        self, parameter: str | Fraction, family: Family, block: Sequence[int], sizes: Sizes
    ) -> Scalar:
        """Return the number of a parameter for the block of a family with this number.

        >>> table = ParameterTable.plain({("eps", (2, "k")): [1, 2, 3, 4, 5, 6]})
        >>> table.number("eps", (2, "k"), (2, 1), {"k": 3})
        4
        """
        column = self.column(parameter, family)
        if column.constant is not None:
            return column.constant
        place = 0
        for number, size in zip(block, family, strict=True):
            place = place * block_size(size, sizes) + number - 1
        return column.items[place]


def parameter_names(profile: Profile, notion: str | None = None) -> list[tuple[str, int]]:
    """Return the names of parameters with their slots (0: eps, rho, mu; 1: delta), in order.

    Of all guarantees, or of those declared in one notion; with those that conversions leave free.
    """
    seen: dict[tuple[str, int], None] = {}
    for part in profile.parts:
        for declared, parameters in part.guarantees:
            if notion in {None, declared}:
                for slot, name in enumerate(parameters):
                    if isinstance(name, str):
                        seen[name, slot] = None
    for point in points(profile.parts).values():
        if notion in {None, point.rule.target}:
            seen[point.name, point.slot] = None
    return list(seen)


def infer_sizes(profile: Profile, values: Values, sizes: Sizes | None = None) -> dict[str, int]:
    """Return the sizes, with missing ones read off the lengths of the lists given.

    Raises ``ValueError`` for a size that is not a whole number, or less than 1 for blocks.
    """
    maps = maps_by_name(profile)
    blocks = {size for info in profile.maps for _, size in info.indices}
    for symbol, size in (sizes or {}).items():
        if type(size) is not int:
            raise InputError(f"{symbol} = {size}: a symbol is a whole number", word=symbol)
        if symbol in blocks and size < 1:
            raise InputError(f"{symbol} = {size}: a size is a positive integer", word=symbol)
    uses = ((maps[part.map].indices, part.guarantees) for part in profile.parts)
    return {**lengths(uses, values), **(sizes or {})}


def lengths(uses: Iterable[tuple[Indices, Guarantees]], values: Values) -> dict[str, int]:
    """Return the numbers of blocks, from the lengths of the given lists.

    ``uses`` are the indices of maps, with the guarantees of a part that reads the map.

    >>> uses = [((("i", "k"),), (("pure", ("eps",)),))]
    >>> lengths(uses, {"eps": [1, 2, 4]}), lengths(uses, {"eps": 1})
    ({'k': 3}, {})
    """
    found: dict[str, int] = {}
    for indices, guarantees in uses:
        for name in (name for _, parameters in guarantees for name in parameters):
            level = values.get(name) if isinstance(name, str) else None
            for _, extent in indices:
                if not _is_sequence(level) or not level:
                    break
                if isinstance(extent, str):
                    found.setdefault(extent, len(level))
                level = level[0]
    return found


def size_of(symbol: str, sizes: Sizes) -> int:
    """Return the value of a size symbol, or say that it is missing."""
    if symbol not in sizes:
        raise InputError(f"the size '{symbol}' has no value; give a positive integer", word=symbol)
    return sizes[symbol]


def block_size(size: str | int, sizes: Sizes) -> int:
    """Return the number of values of one block index."""
    return size if isinstance(size, int) else size_of(size, sizes)


def check_value(value: object, name: str, slot: int) -> None:
    """Refuse a number, or numbers in lists, that no parameter can have.

    ``slot`` is 1 for a delta.  Raises ``InputError``; lengths are not looked at.

    >>> check_value([1, 2], "eps", 0)
    """
    if not _is_sequence(value):
        _check([_scalar(value, name)], name, slot)
        return
    for position, item in enumerate(value, 1):
        check_value(item, f"{name}[{position}]", slot)


def _read(
    part: PartInfo,
    info: MapInfo,
    parameter: str | Fraction,
    slot: int,
    values: Values,
    sizes: Sizes,
) -> Numbers:
    """Return the numbers of one parameter of a part."""
    if isinstance(parameter, str) and parameter not in values:
        given = sorted(values)
        hint = nearest(parameter, given) if given else "no parameter was given"
        raise InputError(
            f"the parameter '{parameter}' of part '{part.name}' has no value; {hint}",
            word=parameter,
        )
    name = str(parameter)
    value = values[parameter] if isinstance(parameter, str) else parameter
    if not _is_sequence(value):
        number = _scalar(value, name)
        _check([number], name, slot)
        return Numbers(number)
    shape = [(index, size, block_size(size, sizes)) for index, size in info.indices]
    if not shape:
        raise InputError(
            f"{name} is the parameter of the single part '{part.name}': one number, not a list",
            word=name,
        )
    items = _flatten(value, name, shape)
    _check(items, name, slot)
    return Numbers(None, items)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    if isinstance(value, str | bytes | Mapping):
        return False
    return isinstance(value, Sequence)


def _scalar(value: object, name: str) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, int | Fraction | float | Decimal | Exact):
        text = " (text)" if isinstance(value, str) else ""
        raise InputError(
            f"{name} holds {value!r}{text}: a parameter of privacy is a number", word=name
        )
    if isinstance(value, Decimal):
        if not value.is_finite():
            return float(value)
        return Fraction(value)
    return value


def _flatten(
    value: Sequence[object], name: str, shape: list[tuple[str, str | int, int]]
) -> Sequence[Scalar]:
    """Return the numbers block by block, the last index fastest."""
    index, size, n = shape[0]
    if len(value) != n:
        symbol = f"{size} = {n}" if isinstance(size, str) else f"{n} blocks"
        noun = "value" if len(value) == 1 else "values"
        raise InputError(
            f"{name} has {len(value)} {noun}, but {symbol}: give one value for each {index}",
            word=name,
        )
    if len(shape) > 1:
        result: list[Scalar] = []
        for position, row in enumerate(value, 1):
            if not _is_sequence(row):
                raise InputError(
                    f"{name}[{position}] is a single number, but {name} has the indices "
                    f"{', '.join(i for i, _, _ in shape)}: give a list of lists",
                    word=name,
                )
            result.extend(_flatten(row, name, shape[1:]))
        return result
    if isinstance(value, Column):
        return value
    kinds = set(map(type, value))
    if kinds <= {int, Fraction, float}:
        return cast("list[Scalar]", list(value))
    items = []
    for position, item in enumerate(value, 1):
        if _is_sequence(item):
            raise InputError(f"{name}[{position}] is a list; give one number", word=name)
        items.append(_scalar(item, f"{name}[{position}]"))
    return items


def _is_undefined(x: Scalar) -> bool:
    return isinstance(x, float) and math.isnan(x)


def _check(items: Sequence[Scalar], name: str, slot: int) -> None:
    """Refuse negative and undefined numbers, and deltas above 1."""
    many = len(items) > 1
    kinds = {Fraction} if isinstance(items, Column) else set(map(type, items))

    def complain(bad: Iterable[bool], what: str) -> None:
        position = next(j for j, wrong in enumerate(bad) if wrong)
        place = f"{name}[{position + 1}]" if many else name
        raise InputError(f"{place} = {items[position]}: {what}", word=name)

    if float in kinds and any(map(_is_undefined, items)):
        complain(map(_is_undefined, items), "not a number; give a number of at least 0")
    if isinstance(items, Column):
        low = items.first_below(0) is not None
        high = slot == 1 and items.first_above(1) is not None
    elif Fraction in kinds and not kinds & {float, Exact}:
        numbers = cast("Sequence[Fraction]", items)
        low = min(x.numerator for x in numbers) < 0
        high = any(x.numerator > x.denominator for x in numbers)
    else:
        low, high = min(items) < 0, max(items) > 1
    if low:
        complain((x < 0 for x in items), "a parameter of privacy is not negative; give 0 or more")
    if slot == 1 and high:
        complain((x > 1 for x in items), "a delta is a probability; give at most 1")
