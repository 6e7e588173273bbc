"""Numbers for the parameters and symbols of a problem, from a spec and from ``--set``."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NoReturn

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.notions.meeting import points
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.exact import Exact
from dpcomp_sym.numbers.real_column import RealColumn
from dpcomp_sym.spec.source import Path, Source
from dpcomp_sym.spec.values import (
    MAX_COUNT,
    Amount,
    BlockFormula,
    NumberTable,
    nested,
    read_amount,
    read_set,
    read_table,
)
from dpcomp_sym.terms import Environment, evaluate, free_variables, to_text

__all__ = ["Given", "Numeric", "given_by_sets", "given_in", "number_problem"]

MAX_SYMBOL: Final = 10**18

IndexSizes = tuple[tuple[str, str | int], ...]


@dataclass
class Numeric:
    """What is known in numbers."""

    values: dict[str, Amount | NumberTable] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Given:
    """One number as it was written, and where: in a spec, or at a ``place`` outside of it."""

    name: str
    raw: Any
    folder: pathlib.Path
    source: Source | None = None
    place: str = ""

    def fail(self, message: str, word: str = "") -> NoReturn:
        """Refuse the number."""
        raise self.error(InputError(message, word=word))

    def error(self, error: InputError) -> InputError:
        """Return an error about the number, with its place."""
        if self.source is None:
            return error.within(self.place)
        path: Path = ("values", self.name)
        return self.source.placed(error.within(f"values, {self.name}"), path)


@dataclass(frozen=True)
class _Use:
    """What a parameter is used for: the part, its role in the notion, the index of its map."""

    part: str
    notion: str
    role: str
    index: IndexSizes


def given_in(source: Source, folder: pathlib.Path) -> dict[str, Given]:
    """Return the numbers that the table ``values`` of a spec gives, by name."""
    table = source.data.get("values", {})
    return {name: Given(name, raw, folder, source) for name, raw in table.items()}


def given_by_sets(sets: Iterable[str]) -> dict[str, Given]:
    """Return what the ``--set`` options give, by name; the last one counts."""
    found = (Given(*read_set(text), pathlib.Path()) for text in sets)
    return {one.name: replace(one, place=f"--set {one.name}") for one in found}


def number_problem(problem: Problem, source: Source, given: Mapping[str, Given]) -> Numeric:
    """Read the numbers that are given for a problem, by the names of parameters and symbols.

    Raises:
        InputError: a name is unknown, a value is not a number, out of range or of the wrong length.
    """
    uses = _uses(problem)
    _separate(problem, uses, source)
    symbols = set(problem.symbols)
    for one in given.values():
        if one.name not in uses and one.name not in symbols:
            one.fail(f"unknown parameter '{one.name}'; {nearest(one.name, {*uses, *symbols})}",
                     one.name)  # fmt: skip
    found = Numeric()
    for name in given.keys() & symbols:
        found.sizes[name] = _whole(given[name])
    amounts = {n: _amount(given[n], uses[n]) for n in given if n in uses}
    for name, amount in amounts.items():
        if isinstance(amount, Column | RealColumn | tuple):
            _length(given[name], amount, uses[name][0].index, found.sizes)
    _facts(problem, found.sizes, given, source)
    for name, amount in amounts.items():
        value = _number(given[name], amount, uses[name], found)
        if value is not None:
            _range(given[name], value, uses[name])
            found.values[name] = value
    _complete(uses, given)
    return found


def _uses(problem: Problem) -> dict[str, list[_Use]]:
    found: dict[str, list[_Use]] = {}
    for part in problem.bound_parts:
        for notion, parameters in part.guarantees:
            for role, parameter in zip(NOTIONS[notion].parameters, parameters, strict=True):
                if isinstance(parameter, str):
                    use = _Use(part.name, notion, role, part.map.indices)
                    found.setdefault(parameter, []).append(use)
    curves = points(problem.bound_parts)
    for part in problem.bound_parts:
        if part.name in curves:
            point = curves[part.name]
            use = _Use(part.name, point.rule.target, str(point.rule.chosen), part.map.indices)
            found.setdefault(point.name, []).append(use)
    return found


def _separate(problem: Problem, uses: Mapping[str, Sequence[_Use]], source: Source) -> None:
    """Refuse a symbol that is called like what is chosen on a curve."""
    parts = [p.name for p in problem.parts]
    for name, found in uses.items():
        if name in problem.symbols:
            path: Path = ("part", parts.index(found[0].part))
            raise source.error(f"'{name}' is a parameter and also a symbol: rename one of them",
                               path, name, f"part '{found[0].part}'")  # fmt: skip


def _whole(given: Given) -> int:
    try:
        value = read_amount(given.raw, given.folder)
    except InputError as error:
        raise given.error(error) from None
    if not isinstance(value, Fraction) or value.denominator != 1:
        given.fail(f"'{given.name}' is a whole number, not {_shown(given.raw)}", str(given.raw))
    if abs(value) > MAX_SYMBOL:
        given.fail(f"'{given.name}' is larger than 10^18", str(given.raw))
    return value.numerator


def _amount(given: Given, uses: Sequence[_Use]) -> Amount | NumberTable | BlockFormula:
    index = uses[0].index
    try:
        table = read_table(given.raw, len(index)) if index else None
        amount = read_amount(given.raw, given.folder) if table is None else table
    except InputError as error:
        raise given.error(error) from None
    if isinstance(amount, Fraction | Exact | tuple):
        return amount
    if isinstance(amount, Column | RealColumn) and not index:
        given.fail(f"'{given.name}' is the parameter of the single mechanism '{uses[0].part}': "
                   f"one number, not {len(amount)}")  # fmt: skip
    if len(index) > 1:
        names = ", ".join(i for i, _ in index)
        rows = "a list of lists" if len(index) == 2 else f"lists in lists: {nested(len(index))}"
        given.fail(f"part '{uses[0].part}' has several indices ({names}): give '{given.name}' as "
                   f"one number for all blocks, or {rows}")  # fmt: skip
    return amount


def _length(
    given: Given, column: Column | RealColumn | NumberTable, index: IndexSizes,
    sizes: dict[str, int],
) -> None:  # fmt: skip
    (_, size), *rest = index
    _fits(given, len(column), "lists" if rest else "numbers", size, sizes)
    for row in column if isinstance(column, tuple) else ():
        _length(given, row, tuple(rest), sizes)


def _fits(given: Given, count: int, what: str, size: str | int, sizes: dict[str, int]) -> None:
    many = f"{count} {what if count != 1 else what.removesuffix('s')}"
    if isinstance(size, int):
        if count != size:
            given.fail(f"'{given.name}' has {many} for {size} blocks")
    elif sizes.setdefault(size, count) != count:
        given.fail(f"'{given.name}' has {many}, but {size} = {sizes[size]}")


def _facts(
    problem: Problem, sizes: Mapping[str, int], given: Mapping[str, Given], source: Source
) -> None:
    environment = Environment(dict(sizes))
    for symbol, fact in problem.symbols.items():
        names = free_variables(fact)
        if names and names <= set(sizes) and not evaluate(fact, environment):
            numbers = ", ".join(f"{n} = {sizes[n]}" for n in sorted(names))
            error = InputError(f"{numbers} contradicts '{to_text(fact)}'", word=symbol)
            culprit = next((n for n in [symbol, *sorted(names)] if n in given), None)
            if culprit is not None:
                raise given[culprit].error(error)
            raise source.placed(error)


def _number(
    given: Given, amount: Amount | NumberTable | BlockFormula, uses: Sequence[_Use],
    found: Numeric,
) -> Amount | NumberTable | None:  # fmt: skip
    if not isinstance(amount, BlockFormula):
        return amount
    index = uses[0].index
    known = {*found.sizes, *(i for i, _ in index)}
    symbols = {s for _, s in index if isinstance(s, str)}
    unknown = sorted(amount.names - known)
    pending = [n for n in unknown if n in symbols]
    if unknown and unknown != pending:
        word = next(n for n in unknown if n not in symbols)
        given.fail(f"unknown name '{word}' in the formula '{amount.text}'; "
                   f"{nearest(word, {*known, *symbols})}", word)  # fmt: skip
    count = 1
    names: dict[str, int | Sequence[int]] = dict(found.sizes)
    if index:
        ((letter, size),) = index
        number = size if isinstance(size, int) else found.sizes.get(size)
        if number is None:
            note = f"{given.name} = {amount.text} gives numbers only when {size} is known"
            found.notes.append(f"{note} (--set {size}=…)")
            return None
        if number > MAX_COUNT:
            given.fail(f"'{amount.text}' for {number} blocks is more than {MAX_COUNT:,} numbers")
        count = number
        names[letter] = range(1, number + 1)
    try:
        column = amount.numbers(names, count)
    except InputError as error:
        raise given.error(error) from None
    return column if index else column[0]


def _range(given: Given, value: Amount | NumberTable, uses: Sequence[_Use]) -> None:
    if isinstance(value, tuple):
        for row in value:
            _range(given, row, uses)
        return
    column = RealColumn((value,)) if isinstance(value, Fraction | Exact) else value
    several = len(column) > 1
    low = column.first_below(0)
    if low is not None:
        place = f" in block {low + 1}" if several else ""
        given.fail(f"'{given.name}' is {column[low]}{place}, but cannot be negative")
    if any(u.role == "delta" for u in uses):
        high = column.first_above(1)
        if high is not None:
            place = f" in block {high + 1}" if several else ""
            given.fail(f"'{given.name}' is {column[high]}{place}: a delta cannot be larger than 1")


def _complete(uses: Mapping[str, Sequence[_Use]], given: Mapping[str, Given]) -> None:
    """A delta without its epsilon is a slip; an epsilon without delta can be meant as pure."""
    for name, found in uses.items():
        if name in given and all(u.role == "delta" for u in found):
            partners = {
                other
                for other, theirs in uses.items()
                for u in theirs
                if u.role == "eps" and u.part in {f.part for f in found}
            }
            missing = sorted(p for p in partners if p not in given)
            if missing:
                given[name].fail(f"'{name}' is given, but '{missing[0]}' is missing: an "
                                 "(eps, delta) guarantee has both")  # fmt: skip


def _shown(raw: object) -> str:
    return f"'{raw}'" if isinstance(raw, str) else str(raw)
