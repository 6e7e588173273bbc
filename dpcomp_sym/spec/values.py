"""Exact numbers for the parameters of a spec: rationals, lists, formulas in the index, files.

Nothing is ever rounded and nothing is ever evaluated by Python itself.  A formula is read by the
reader of all formulas, and may use what a whitelist allows: arithmetic on numbers and the index,
unlike domains and maps, which are about records, and unlike claims, which are about all blocks.  It
is computed for all blocks at once over integers.
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from operator import add, mul, sub
from pathlib import Path
from typing import Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.limits import without_collection
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.exact import Exact
from dpcomp_sym.numbers.real_column import RealColumn
from dpcomp_sym.terms.syntax import tree_of

__all__ = [
    "Amount",
    "BlockFormula",
    "NumberTable",
    "rational",
    "read_amount",
    "read_column",
    "read_set",
    "read_table",
]  # fmt: skip

MAX_TEXT: Final = 1000
MAX_EXPONENT: Final = 1000
MAX_DEPTH: Final = 500
MAX_COUNT: Final = 10_000_000
MOST_REALS: Final = 10_000
MAX_BITS: Final = 400_000_000
MAX_FILE: Final = 200_000_000
MOST_PLACES: Final = 30
"""Decimals with more places than these are read one by one, each with its own denominator."""

_RATIONAL: Final = re.compile(
    r"[+-]?(\d[\d_]*)?(\.\d[\d_]*)?([eE](?P<exponent>[+-]?\d{1,9}))?(\s*/\s*\d[\d_]*)?\Z",
    re.ASCII,
)
_PLAIN: Final = "0123456789."
_LETTERS: Final = re.compile(r"[A-Za-z_]")

Number = int | Fraction
"""A number as TOML writes it, decimals read exactly."""

NumberColumn = Fraction | Column
"""What formulas without roots and logarithms are made of."""

Amount = Fraction | Exact | Column | RealColumn
"""The value of a parameter: one number (for every block), or one for each block."""

NumberTable = tuple["Column | RealColumn | NumberTable", ...]
"""The numbers of blocks with two indices: a column for each value of the first one."""


def rational(text: str) -> Fraction:
    """Read an exact number: ``3``, ``1/3``, ``0.1`` or ``1e-5`` (the decimal as it is written).

    Raises:
        InputError: the text is not a finite number of reasonable length.

    >>> rational("1e-5"), rational("0.1"), rational("2/6")
    (Fraction(1, 100000), Fraction(1, 10), Fraction(1, 3))
    """
    plain = text.strip()
    if len(plain) > MAX_TEXT:
        msg = f"a number may have {MAX_TEXT} characters, this one has {len(plain)}"
        raise InputError(msg, word=plain[:20])
    match = _RATIONAL.match(plain)
    if match is None or not any(ch.isdigit() for ch in plain):
        msg = f"'{text}' is not a finite number; write it like 2, 1/3, 0.1 or 1e-5"
        raise InputError(msg, word=text)
    if abs(int(match["exponent"] or 0)) > MAX_EXPONENT:
        msg = f"the exponent of '{text}' is larger than {MAX_EXPONENT}"
        raise InputError(msg, word=text)
    top, _, bottom = plain.replace("_", "").partition("/")
    if bottom and int(bottom) == 0:
        msg = f"'{text}' divides by zero"
        raise InputError(msg, word=text)
    try:
        return Fraction(top.strip()) / int(bottom or 1)
    except ValueError:
        msg = f"'{text}' is not a finite number; write it like 2, 1/3, 0.1 or 1e-5"
        raise InputError(msg, word=text) from None


@dataclass(frozen=True, slots=True)
class BlockFormula:
    """A formula in the index of a block, such as ``1/i`` or ``min(1, 2/(i*k))``.

    ``names`` are the words it uses.  Allowed are numbers, names, ``+ - * / **``, ``min``, ``max``,
    ``abs``, and where a caller allows them ``sqrt``, ``log`` and ``exp``; everything is exact.

    >>> BlockFormula.read("1/i**2").column({"i": range(1, 4)}, 3)
    Column(1, 1/4, 1/9)
    """

    text: str
    tree: ast.expr
    names: frozenset[str]

    @classmethod
    def read(cls, text: str, *, irrational: bool = False) -> BlockFormula:
        """Read a formula.

        Args:
            text: the formula.
            irrational: whether it may have ``sqrt``, ``log`` and ``exp``.

        Raises:
            InputError: it is not a formula of this kind.
        """
        plain = " ".join(text.split())
        if len(plain) > MAX_TEXT:
            msg = f"a formula may have {MAX_TEXT} characters, this one has {len(plain)}"
            raise InputError(msg, word=plain[:20])
        try:
            tree = _tree(plain)
            functions = _FUNCTIONS | (_IRRATIONAL if irrational else {})
            names = frozenset(_check_formula(tree, plain, functions, MAX_DEPTH))
        except (RecursionError, MemoryError):
            msg = "a formula is nested too deeply"
            raise InputError(msg, word=plain[:20]) from None
        return cls(plain, tree, names)

    def column(self, names: Mapping[str, Fraction | int | Sequence[int]], count: int) -> Column:
        """Return the values where ``names`` stand for numbers, or for one integer a block.

        Raises:
            InputError: a division by zero, or numbers too large to write down.
        """
        columns = {n: Fraction(v) if isinstance(v, int | Fraction) else _from_integers(v)
                   for n, v in names.items()}  # fmt: skip
        value = _Evaluation(self.text, columns, count).of(self.tree)
        if isinstance(value, Fraction):
            return Column([value.numerator] * count, [value.denominator] * count)
        return value

    def numbers(
        self, names: Mapping[str, Fraction | int | Sequence[int]], count: int
    ) -> Column | RealColumn:
        """Return the values as :meth:`column` does, also those of roots, logarithms, powers of e.

        >>> BlockFormula.read("log(2 * i)", irrational=True).numbers({"i": range(1, 4)}, 3)
        RealColumn(log(2), log(4), log(6))
        """
        calls = (node.func for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        if not any(isinstance(name, ast.Name) and name.id in _IRRATIONAL for name in calls):
            return self.column(names, count)
        from dpcomp_sym.spec.reals import real_value

        if count > MOST_REALS:
            msg = f"'{self.text}' for {count} blocks is more than {MOST_REALS:,} such numbers"
            raise InputError(msg, word=self.text)
        found = []
        for block in range(count):
            here = {n: x[block] if isinstance(x, Sequence) else x for n, x in names.items()}
            found.append(real_value(self.tree, self.text, here, rational))
        return _column_of(found)


_FUNCTIONS: Final = {"min": "two arguments or more", "max": "two arguments or more",
                     "abs": "one argument"}  # fmt: skip
_IRRATIONAL: Final = dict.fromkeys(["sqrt", "log", "exp"], "one argument")


_IRRATIONAL_CALL: Final = re.compile(rf"\b({'|'.join(_IRRATIONAL)})\s*\(")


def _tree(text: str) -> ast.expr:
    try:
        return tree_of(text)
    except InputError:
        msg = f"'{text}' is neither a number nor a formula; write it like 2, 1/3 or 1/(2*i)"
        raise InputError(msg, word=text) from None


def _check_formula(
    node: ast.expr, text: str, functions: Mapping[str, str], depth: int
) -> Iterator[str]:
    """Yield the names in a formula, if it is one and not nested deeper than ``depth``."""
    if depth == 0:
        raise RecursionError
    depth -= 1
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            rational(ast.get_source_segment(text, node) or "")
        case ast.Name(id=name):
            yield name
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            yield from _check_formula(inner, text, functions, depth)
        case ast.BinOp(
            op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow(), left=left, right=right
        ):
            yield from _check_formula(left, text, functions, depth)
            yield from _check_formula(right, text, functions, depth)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            if name not in functions:
                msg = f"unknown function '{name}' in '{text}'; {nearest(name, functions)}"
                raise InputError(msg, word=name)
            if len(args) < 2 if name in {"min", "max"} else len(args) != 1:
                msg = f"'{name}' in '{text}' takes {functions[name]}, not {len(args)}"
                raise InputError(msg, word=name)
            for arg in args:
                yield from _check_formula(arg, text, functions, depth)
        case _:
            part = ast.unparse(node)
            msg = (f"'{part}' is not allowed in the formula '{text}'; allowed are numbers, the "
                   f"index, + - * / **, {', '.join(functions)}")  # fmt: skip
            raise InputError(msg, word=part)


def _column_of(numbers: Sequence[int | Fraction | Exact]) -> Column | RealColumn:
    """Return a column of numbers, one for each block."""
    rest = [x if isinstance(x, Exact) else Fraction(x) for x in numbers]
    fractions = [x for x in rest if isinstance(x, Fraction)]
    return Column.of(fractions) if len(fractions) == len(rest) else RealColumn(tuple(rest))


def _from_integers(values: Sequence[int]) -> Column:
    return Column(values, [1] * len(values))


class _Evaluation:
    """Values of a formula for all blocks at once."""

    def __init__(self, text: str, names: Mapping[str, NumberColumn], count: int) -> None:
        self.text = text
        self.names = names
        self.count = count

    def of(self, node: ast.expr) -> NumberColumn:
        match node:
            case ast.Constant():
                return rational(ast.get_source_segment(self.text, node) or "")
            case ast.Name(id=name):
                return self.names[name]
            case ast.UnaryOp(op=op, operand=inner):
                value = self.of(inner)
                return value if isinstance(op, ast.UAdd) else self.multiply(Fraction(-1), value)
            case ast.BinOp(op=op, left=left, right=right):
                return self.binary(op, self.of(left), self.of(right))
            case ast.Call(func=ast.Name(id="abs"), args=[arg]):
                value = self.of(arg)
                if isinstance(value, Fraction):
                    return abs(value)
                return Column(list(map(abs, value.numerators)), value.denominators)
            case ast.Call(func=ast.Name(id=name), args=args):
                value = self.of(args[0])
                for arg in args[1:]:
                    value = self.choose(name == "min", value, self.of(arg))
                return value
            case _:
                raise InputError(f"'{self.text}' is not a formula", word=self.text)

    def binary(self, op: ast.operator, a: NumberColumn, b: NumberColumn) -> NumberColumn:
        match op:
            case ast.Add() | ast.Sub():
                return self.combine(add if isinstance(op, ast.Add) else sub, a, b)
            case ast.Mult():
                return self.multiply(a, b)
            case ast.Div():
                return self.multiply(a, self.inverse(b))
            case _:
                return self.power(a, b)

    def spread(self, value: NumberColumn) -> Column:
        if isinstance(value, Fraction):
            return Column([value.numerator] * self.count, [value.denominator] * self.count)
        return value

    def combine(
        self, op: Callable[[int, int], int], a: NumberColumn, b: NumberColumn
    ) -> NumberColumn:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a + b if op is add else a - b
        x, y = self.spread(a), self.spread(b)
        left = map(mul, x.numerators, y.denominators)
        right = map(mul, y.numerators, x.denominators)
        return Column(list(map(op, left, right)), list(map(mul, x.denominators, y.denominators)))

    def multiply(self, a: NumberColumn, b: NumberColumn) -> NumberColumn:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a * b
        x, y = self.spread(a), self.spread(b)
        return Column(
            list(map(mul, x.numerators, y.numerators)),
            list(map(mul, x.denominators, y.denominators)),
        )

    def inverse(self, a: NumberColumn) -> NumberColumn:
        if isinstance(a, Fraction):
            if a == 0:
                raise InputError(f"'{self.text}' divides by zero", word=self.text)
            return 1 / a
        zero = next((n for n, v in enumerate(a.numerators, 1) if v == 0), None)
        if zero is not None:
            raise InputError(f"'{self.text}' divides by zero in block {zero}", word=self.text)
        if all(v > 0 for v in a.numerators):
            return Column(a.denominators, a.numerators)
        return Column(
            [d if n > 0 else -d for n, d in zip(a.numerators, a.denominators, strict=True)],
            [abs(n) for n in a.numerators],
        )

    def power(self, a: NumberColumn, b: NumberColumn) -> NumberColumn:
        x, y = self.spread(a), self.spread(b)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            x, y = Column.of([a]), Column.of([b])
        if any(n % d for n, d in zip(y.numerators, y.denominators, strict=True)):
            msg = f"'{self.text}' has an exponent that is not an integer: only rational values here"
            raise InputError(msg, word=self.text)
        exponents = [n // d for n, d in zip(y.numerators, y.denominators, strict=True)]
        highest = max((abs(e) for e in exponents), default=0)
        widest = max((max(abs(n), d) for n, d in zip(x.numerators, x.denominators, strict=True)),
                     default=1).bit_length()  # fmt: skip
        if highest * widest * len(exponents) > MAX_BITS:
            raise InputError(f"'{self.text}' has numbers too large to write down", word=self.text)
        values = []
        for block, (base, exponent) in enumerate(zip(x, exponents, strict=True), 1):
            if base == 0 and exponent < 0:
                msg = f"'{self.text}' divides by zero in block {block}"
                raise InputError(msg, word=self.text)
            values.append(base**exponent)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return Fraction(values[0])
        return Column.of(values)

    def choose(self, least: bool, a: NumberColumn, b: NumberColumn) -> NumberColumn:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return min(a, b) if least else max(a, b)
        x, y = self.spread(a), self.spread(b)
        difference = self.combine(sub, x, y)
        take_first = [(n <= 0) == least for n in self.spread(difference).numerators]
        return Column(
            [p if t else q
             for t, p, q in zip(take_first, x.numerators, y.numerators, strict=True)],
            [p if t else q
             for t, p, q in zip(take_first, x.denominators, y.denominators, strict=True)],
        )  # fmt: skip


def read_column(path: Path, column: str | None = None) -> Column:
    """Read the numbers of one column of a CSV file.

    Args:
        path: the file; the separator is a comma, a semicolon or a tab.
        column: the name of the column, as the first line says; otherwise the first column that
            holds numbers is read, whether or not there is a line of names.

    Raises:
        InputError: the file cannot be read, or a line has no number where one is expected.
    """
    text, name = _text(path), str(path)
    with without_collection():
        bare = _bare(text, column)
        if bare is not None:
            return bare
        rows, numbers = _rows(text, name)
    if not rows:
        raise InputError(f"{name} has no lines", word=name)
    header = [cell.strip() for cell in rows[0]]
    start = 0
    if column is not None:
        if column not in header:
            known = nearest(column, [h for h in header if _LETTERS.match(h)])
            raise InputError(f"{name} has no column '{column}'; {known}", word=column)
        place, start = header.index(column), 1
    else:
        if not any(_is_number(h) for h in header):
            start = 1
        first = rows[start] if len(rows) > start else []
        found = next((n for n, cell in enumerate(first) if _is_number(cell)), None)
        if found is None:
            raise InputError(f"{name}, line {numbers[min(start, len(rows) - 1)]}: there is no "
                             "number in this line", word=name)  # fmt: skip
        place = found
    texts = [row[place].strip() if place < len(row) else "" for row in rows[start:]]
    if not texts:
        raise InputError(f"{name} has no numbers", word=name)
    return _read_all(texts, name, numbers[start:])


def _read_all(texts: Sequence[str], name: str, lines: Sequence[int]) -> Column:
    """Read many numbers; the usual ones, decimals without exponent, all at once."""
    if not "".join(texts).strip(_PLAIN) and "" not in texts and "." not in texts:
        try:
            with without_collection():
                return _decimals(texts)
        except ValueError:
            pass  # found below, with its line
    values = []
    for text, line in zip(texts, lines, strict=True):
        try:
            values.append(rational(text))
        except InputError:
            said = f"'{text}' is not a number" if text else "there is no number"
            raise InputError(f"{name}, line {line}: {said}", word=text or name) from None
    return Column.of(values)


def _decimals(texts: Sequence[str]) -> Column:
    """Read numbers of digits and points over one denominator, a power of ten.

    Raises:
        ValueError: one of them is not a number, or has very many places.

    >>> _decimals(["1.25", "3", ".5"])
    Column(5/4, 3, 1/2)
    """
    parts = list(map(str.partition, texts, repeat(".")))
    places = max(len(after) for _, _, after in parts)
    if places > MOST_PLACES:
        raise ValueError(places)
    tops = [int(before + after.ljust(places, "0")) for before, _, after in parts]
    return Column(tops, [10**places] * len(tops))


def _text(path: Path) -> str:
    name = str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
        if len(raw) > MAX_FILE:
            raise InputError(f"{name} is larger than {MAX_FILE} bytes", word=name)
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}", word=name) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not a CSV file: {error}", word=name) from None


def _bare(text: str, column: str | None) -> Column | None:
    r"""Read a file that has nothing but decimals, one a line.

    The first line may name the column.  Return None for any other file.

    >>> _bare("eps\n1.25\n0.5\n", None), _bare("1.25\n-0.5", None)
    (Column(5/4, 1/2), None)
    """
    first, _, rest = text.partition("\n")
    named = not _is_number(first)
    if set(',;\t"').intersection(first):
        return None
    if column is not None and (not named or first.strip() != column):
        return None
    body = (rest if named else text).replace("\r\n", "\n").rstrip("\n")
    if not body or body.strip(_PLAIN + "\n"):
        return None
    lines = body.split("\n")
    if "" in lines or "." in lines:
        return None
    try:
        return _decimals(lines)
    except ValueError:  # two points in a line, or very many places
        return None


def _rows(text: str, name: str) -> tuple[list[list[str]], list[int]]:
    try:
        first = text.lstrip().partition("\n")[0]
        if not set(',;\t"').intersection(first):
            found = [(line, n) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
            return [[line] for line, _ in found], [n for _, n in found]
        separator = next((s for s in ",;\t" if s in first), ",")
        reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
        rows, numbers = [], []
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                numbers.append(reader.line_num)
    except csv.Error as error:
        raise InputError(f"{name} is not a CSV file: {error}", word=name) from None
    return rows, numbers


def _is_number(text: str) -> bool:
    try:
        rational(text)
    except InputError:
        return False
    return True


def read_set(text: str) -> tuple[str, str]:
    """Return the name and the value of a ``--set NAME=VALUE``.

    Raises:
        InputError: one of them is missing.

    >>> read_set("k = 5")
    ('k', '5')
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"--set needs NAME=VALUE, such as k=5 or p=1/3, not '{text}'", word=text)
    return name.strip(), value.strip()


def read_amount(raw: str | Number | list[str | Number], folder: Path) -> Amount | BlockFormula:
    """Read what a spec or a ``--set`` says of a parameter.

    Args:
        raw: a number, a list of numbers, or text: a number such as 1/3 or log(3), a list in
            brackets, a formula in the index, or ``@file.csv`` (``@file.csv:column``).
        folder: where relative file names start.

    Raises:
        InputError: it is none of these.

    >>> read_amount("[1, 1/2, 0.25]", Path()), read_amount(["sqrt(2)", 1], Path())
    (Column(1, 1/2, 1/4), RealColumn(sqrt(2), 1))
    """
    if isinstance(raw, int | Fraction):
        return Fraction(raw)
    if isinstance(raw, list):
        return _listed(raw)
    text = raw.strip()
    if text.startswith("@"):
        return _from_file(text[1:], folder)
    if text.startswith("[") or text.endswith("]"):
        if not (text.startswith("[") and text.endswith("]")):
            msg = f"'{text}' is not a list: it needs both brackets, like [1, 2, 3]"
            raise InputError(msg, word=text)
        inner = text[1:-1].strip()
        return _listed([part.strip() for part in inner.split(",")] if inner else [])
    if not text:
        raise InputError("a number is missing", word="")
    if _RATIONAL.match(text) and any(ch.isdigit() for ch in text):
        return rational(text)
    formula = BlockFormula.read(text, irrational=True)
    if not formula.names:
        return formula.numbers({}, 1)[0]
    return formula


def read_table(raw: object, indices: int) -> NumberTable | None:
    """Read lists in lists of numbers, one list for each value of the first index, and so on.

    None if these are no lists in lists.

    Raises:
        InputError: they are not as deep as there are indices, a list is empty, or has other things
            than numbers.

    >>> read_table("[[1, 1/2], [0.25, 3]]", 2), read_table("[1, 2]", 2)
    ((Column(1, 1/2), Column(1/4, 3)), None)
    >>> read_table([[[1], [2]], [[3], [4]]], 3)
    ((Column(1), Column(2)), (Column(3), Column(4)))
    """
    given = _lists_in(raw) if isinstance(raw, str) else raw
    if not isinstance(given, list) or not any(isinstance(item, list) for item in given):
        return None
    found = _table(given, indices, indices)
    return found if isinstance(found, tuple) else None


def _lists_in(text: str) -> object:
    """Return lists in lists as they are written, with texts in them; a text that is no list."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return text
    items, depth, start = [], 0, 1
    for place, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if depth < 1 and place < len(text) - 1:
            return text  # as in [1] + [2]
        if (sign == "," and depth == 1) or place == len(text) - 1:
            items.append(text[start:place].strip())
            start = place + 1
    return [_lists_in(item) for item in items] if items != [""] else []


def nested(depth: int) -> str:
    """Return lists that are so deep.

    >>> nested(2), nested(3)
    ('[[1, 2], …]', '[[[1, 2], …], …]')
    """
    return "[1, 2]" if depth == 1 else f"[{nested(depth - 1)}, …]"


def _table(given: object, indices: int, depth: int) -> Column | RealColumn | NumberTable:
    if isinstance(given, list) and not any(isinstance(item, list) for item in given):
        if indices == 1:
            return _listed(given)
    elif isinstance(given, list):
        return tuple(_table(item, indices - 1, depth) for item in given)
    msg = f"lists in lists are as deep as there are indices, here {nested(depth)}"
    raise InputError(msg, word="[")


def _listed(items: Sequence[str | Number]) -> Column | RealColumn:
    if not items:
        msg = "the list is empty: give one number for each block"
        raise InputError(msg, word="[]")
    values: list[Fraction | Exact] = []
    for place, item in enumerate(items, 1):
        if isinstance(item, str) and not item.strip():
            msg = f"entry {place} of the list is missing"
            raise InputError(msg, word=",")
        values.append(_entry(item) if isinstance(item, str) else Fraction(item))
    return _column_of(values)


def _entry(text: str) -> Fraction | Exact:
    """Read a number of a list: as it stands, or as a formula without names."""
    if not _IRRATIONAL_CALL.search(text):
        return rational(text)
    formula = BlockFormula.read(text, irrational=True)
    if formula.names:
        msg = f"'{text}' is a formula: in a list each block has its number"
        raise InputError(msg, word=text)
    return formula.numbers({}, 1)[0]


def _from_file(text: str, folder: Path) -> Column:
    if not text.strip():
        raise InputError("a file name is expected after '@'", word="@")
    path, column = folder / text, None
    if not path.exists() and ":" in text:
        file, _, column = text.rpartition(":")
        path = folder / file
    return read_column(path, column)
