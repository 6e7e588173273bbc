"""Terms as Python objects with operators; what is written with them can be typed, too.

``==`` builds a formula, so that an expression has no truth value: two are compared with
:meth:`Expression.is_same`, and formulas are joined by ``&``, ``|``, ``~`` and ``>>`` (implies).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import index
from types import FrameType
from typing import Any, NoReturn, final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.terms.parse import IDENTIFIER, parse
from dpcomp_sym.terms.render import to_latex, to_text
from dpcomp_sym.terms.term import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Term,
    conjunction,
    divisor,
    integer,
    variable,
)

__all__ = [
    "Database",
    "Expression",
    "FunctionSymbol",
    "Record",
    "agree",
    "all_written",
    "as_text",
    "called",
    "differ_in_one",
    "differ_only",
    "implies",
    "largest",
    "record_like",
    "smallest",
    "sort_of",
    "when",
    "written",
]


class NoAttributeError(InputError, AttributeError):
    """A record has no such attribute; the message names the nearest one."""


class Expression:
    """A term with operators: numbers have ``+ - * // %``, ``abs`` and order, formulas ``& | ~ >>``.

    >>> day = Expression(variable("day", INT))
    >>> (1 <= day) & ~(day % 7 == 0)
    day >= 1 and not day % 7 == 0
    >>> (day + 1).is_same(day + 1), (day + 1).is_same(1 + day)
    (True, False)
    >>> day == "monday"
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: 'monday' stands where int is expected: a whole number
    >>> 1 <= day <= 7
    Traceback (most recent call last):
    TypeError: 'day >= 1' is a formula, neither true nor false: join formulas with & | ~ in brackets
    """

    __slots__ = ("_term",)
    __array_ufunc__ = None  # NumPy leaves operators to this class
    _op_priority = float("inf")  # and so does SymPy, but for ==: see _sympy_

    def __init__(self, term: Term) -> None:
        self._term = term

    def sympy(self) -> Any:
        """Return it in SymPy, whose functions take it as it is, too: ``sp.Eq(c.day, 3)``."""
        from dpcomp_sym.terms.symbolic import term_to_sympy

        return term_to_sympy(self._term)

    @property
    def _sympy_(self) -> Callable[[], Any]:
        """What SymPy calls to convert an argument of its functions.

        SymPy's ``==`` converts the other side as well, and then compares two trees: ``sp.Integer(3)
        == c.day`` would be False.  It gets nothing, so that Python asks this class for the formula.
        """
        if _sympy_compares():
            raise AttributeError("_sympy_")
        return self.sympy

    def __str__(self) -> str:
        return to_text(self._term)

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        return f"${to_latex(self._term)}$"

    def is_same(self, other: object) -> bool:
        """Return whether two expressions are written alike."""
        return isinstance(other, Expression) and self._term == other._term

    def __hash__(self) -> int:
        return hash(self._term)

    def __bool__(self) -> NoReturn:
        said = f"'{self}' is a formula, neither true nor false" if self._term.sort == BOOL else (
            f"'{self}' has no truth value"
        )  # fmt: skip
        raise TypeError(f"{said}: join formulas with & | ~ in brackets")

    # ------------------------------------------------------------ comparisons

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]  # a formula
        return self._compared("eq", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]  # the same
        return self._compared("ne", other)

    def __lt__(self, other: object) -> Expression:
        return self._compared("lt", other)

    def __le__(self, other: object) -> Expression:
        return self._compared("le", other)

    def __gt__(self, other: object) -> Expression:
        return self._compared("gt", other)

    def __ge__(self, other: object) -> Expression:
        return self._compared("ge", other)

    def _compared(self, op: str, other: object) -> Expression:
        sort = self._term.sort if op in {"eq", "ne"} else INT
        return Expression(Term(op, (as_term(self, sort), as_term(other, sort)), BOOL))

    # ------------------------------------------------------------ numbers

    def __add__(self, other: object) -> Expression:
        return _number("add", self, other)

    def __radd__(self, other: object) -> Expression:
        return _number("add", other, self)

    def __sub__(self, other: object) -> Expression:
        return _number("sub", self, other)

    def __rsub__(self, other: object) -> Expression:
        return _number("sub", other, self)

    def __mul__(self, other: object) -> Expression:
        return _number("mul", self, other)

    def __rmul__(self, other: object) -> Expression:
        return _number("mul", other, self)

    def __floordiv__(self, other: object) -> Expression:
        return _divided("div", self, other)

    def __rfloordiv__(self, other: object) -> Expression:
        return _divided("div", other, self)

    def __mod__(self, other: object) -> Expression:
        return _divided("mod", self, other)

    def __rmod__(self, other: object) -> Expression:
        return _divided("mod", other, self)

    def __pow__(self, other: object) -> Expression:
        return _number("pow", self, other)

    def __rpow__(self, other: object) -> Expression:
        return _number("pow", other, self)

    def __truediv__(self, other: object) -> NoReturn:
        raise InputError(f"'{self} / {other}' is not a whole number: // rounds downwards", word="/")

    def __neg__(self) -> Expression:
        return Expression(Term("neg", (as_term(self, INT),), INT))

    def __pos__(self) -> Expression:
        return Expression(as_term(self, INT))

    def __abs__(self) -> Expression:
        inner = as_term(self, INT)
        positive = Term("ge", (inner, integer(0)), BOOL)
        return Expression(Term("ite", (positive, inner, Term("neg", (inner,), INT)), INT))

    # ------------------------------------------------------------ formulas

    def __and__(self, other: object) -> Expression:
        return Expression(conjunction([as_term(self, BOOL), as_term(other, BOOL)]))

    def __rand__(self, other: object) -> Expression:
        return Expression(conjunction([as_term(other, BOOL), as_term(self, BOOL)]))

    def __or__(self, other: object) -> Expression:
        return Expression(Term("or", (as_term(self, BOOL), as_term(other, BOOL)), BOOL))

    def __ror__(self, other: object) -> Expression:
        return Expression(Term("or", (as_term(other, BOOL), as_term(self, BOOL)), BOOL))

    def __rshift__(self, other: object) -> Expression:
        return Expression(Term("implies", (as_term(self, BOOL), as_term(other, BOOL)), BOOL))

    def __invert__(self) -> Expression:
        return Expression(Term("not", (as_term(self, BOOL),), BOOL))


@final
class Record(Expression):
    """A record: its attributes are Python's, ``c.day``, or ``c["day"]`` where Python has the word.

    >>> x = Record(variable("x", CELL), {"day": INT, "owner": "Owner"})
    >>> x.day + 1, x["owner"] == x.owner
    (day(x) + 1, owner(x) == owner(x))
    >>> x.dya
    Traceback (most recent call last):
    dpcomp_sym.terms.expression.NoAttributeError: a record has no 'dya'; did you mean 'day'?
    """

    __slots__ = ("_attributes",)

    def __init__(self, term: Term, attributes: Mapping[str, str]) -> None:
        super().__init__(term)
        self._attributes = attributes

    def __getattr__(self, name: str) -> Expression:
        if name.startswith("_"):  # what notebooks and copying look for
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Expression:
        if name not in self._attributes:
            msg = f"a record has no '{name}'; {nearest(str(name), self._attributes)}"
            raise NoAttributeError(msg, word=str(name))
        return Expression(Term("attr", (name, self._term), self._attributes[name]))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._attributes]

    def but(self, **values: object) -> Record:
        """Return the record with other values of some attributes.

        >>> Record(variable("x", CELL), {"day": INT, "owner": "Owner"}).but(day=3)
        (3, owner(x))
        """
        for name in values:
            _ = self[name]
        items = (
            as_term(values[a], s) if a in values else Term("attr", (a, self._term), s)
            for a, s in self._attributes.items()
        )
        return Record(Term("tuple", tuple(items), CELL), self._attributes)


def record_like(record: Record, name: str) -> Record:
    """Return the record that a variable stands for, with the attributes of another record.

    >>> record_like(Record(variable("c", CELL), {"day": INT}), "x").day
    day(x)
    """
    return Record(variable(name, CELL), record._attributes)


@final
class Database:
    """A database: ``D[x]`` is how often it has the record x, ``D.size`` how many records it has.

    >>> D = Database("D", {"day": INT})
    >>> (D[Record(variable("x", CELL), {"day": INT})] >= 1) & (D.size <= 5)
    D[x] >= 1 and size(D) <= 5
    """

    __slots__ = ("_attributes", "_name")

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self._name = name
        self._attributes = attributes

    def __repr__(self) -> str:
        return self._name

    def __getitem__(self, record: object) -> Expression:
        if isinstance(record, tuple):
            sorts = self._attributes.values()
            if len(record) != len(sorts):
                said = f"a record has {len(sorts)} attributes, not {len(record)}"
                raise InputError(said, where=f"{self._name}[…]")
            items = tuple(as_term(v, s) for v, s in zip(record, sorts, strict=True))
            return Expression(Term("at", (self._name, Term("tuple", items, CELL)), INT))
        return Expression(Term("at", (self._name, as_term(record, CELL)), INT))

    @property
    def size(self) -> Expression:
        """The number of records."""
        return Expression(Term("size", (self._name,), INT))


@final
class FunctionSymbol:
    """A function of a domain, which is called to write an expression.

    >>> home = FunctionSymbol("household", ("Person",), "House")
    >>> home(Expression(variable("p", "Person")))
    household(p)
    >>> home(3)
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: household: 3 stands where Person is expected
    """

    __slots__ = ("_arguments", "_name", "_result")

    def __init__(self, name: str, arguments: tuple[str, ...], result: str) -> None:
        self._name, self._arguments, self._result = name, arguments, result

    def __repr__(self) -> str:
        return f"{self._name}({', '.join(self._arguments)}): {self._result}"

    def __call__(self, *arguments: object) -> Expression:
        """Return the value of the function, as an expression."""
        if len(arguments) != len(self._arguments):
            wanted = ", ".join(self._arguments) or "nothing"
            raise InputError(f"it takes {wanted}, not {len(arguments)} things", where=self._name)
        try:
            inner = [as_term(a, s) for a, s in zip(arguments, self._arguments, strict=True)]
        except InputError as error:
            raise error.within(self._name) from None
        return Expression(Term("apply", (self._name, *inner), self._result))


def as_term(value: object, sort: str) -> Term:
    """Return an operand as a term of a sort: an expression, a number, a truth value, a name.

    Raises:
        InputError: it is not of this sort.

    >>> as_term(3, INT) == integer(3), as_term("surgery", "ward").op
    (True, 'const')
    """
    if isinstance(value, Expression):
        if value._term.sort != sort:
            msg = f"'{value}' is of sort {value._term.sort} and stands where {sort} is expected"
            raise InputError(msg, word=str(value))
        return value._term
    if str(getattr(value, "dtype", "")) == "bool":
        value = bool(value)
    if sort == BOOL and isinstance(value, bool):
        return TRUE if value else FALSE
    if _is_sympy(value) and not getattr(value, "is_Integer", False):
        return _of_sympy(value, sort)
    if sort == INT and not isinstance(value, bool) and hasattr(value, "__index__"):
        return integer(index(value))
    if isinstance(value, str) and sort not in {INT, BOOL, CELL} and IDENTIFIER.match(value):
        return Term("const", (value,), sort)
    hint = {INT: ": a whole number", BOOL: ": a formula", CELL: ": a record"}.get(sort, "")
    raise InputError(f"{value!r} stands where {sort} is expected{hint}", word=str(value))


def _sympy_compares() -> bool:
    """Return whether SymPy's ``==`` is what looks for a conversion."""
    asks: FrameType | None = sys._getframe(2)
    while asks is not None and asks.f_globals["__name__"] == "sympy.core.sympify":
        asks = asks.f_back
    return asks is not None and asks.f_code.co_name in {"__eq__", "_do_eq_sympify"}


def _is_sympy(value: object) -> bool:
    """Return whether this is a formula of SymPy, which whoever gives one has loaded."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


def _of_sympy(value: Any, sort: str) -> Term:
    """Return a formula of SymPy about integers and attributes as a term of a sort."""
    from dpcomp_sym.terms.symbolic import formula, scope_of

    if value.is_Symbol and sort != CELL:
        return variable(str(value), sort)
    return parse(formula(value), scope_of(value), sort)


def _number(op: str, left: object, right: object) -> Expression:
    return Expression(Term(op, (as_term(left, INT), as_term(right, INT)), INT))


def _divided(op: str, left: object, right: object) -> Expression:
    by = divisor(as_term(right, INT))
    if by is None:
        raise InputError(f"only by positive numbers, symbols and powers is divided, not '{right}'")
    return Expression(Term(op, (as_term(left, INT), by), INT))


def implies(p: object, q: object) -> Expression:
    """Return the formula that q holds wherever p does."""
    return Expression(Term("implies", (as_term(p, BOOL), as_term(q, BOOL)), BOOL))


def when(condition: object, yes: object, no: object) -> Expression:
    """Return ``yes`` where a condition holds and ``no`` elsewhere; one of the two has the sort.

    >>> when(Expression(variable("p", BOOL)), 1, 0)
    1 if p else 0
    """
    known = next((v._term.sort for v in (yes, no) if isinstance(v, Expression)), None)
    sort = known or (BOOL if isinstance(yes, bool) else INT)
    return Expression(Term("ite", (as_term(condition, BOOL), *_both(yes, no, sort)), sort))


def smallest(a: object, b: object) -> Expression:
    """Return the smaller of two numbers."""
    left, right = _both(a, b, INT)
    return Expression(Term("ite", (Term("le", (left, right), BOOL), left, right), INT))


def largest(a: object, b: object) -> Expression:
    """Return the larger of two numbers."""
    left, right = _both(a, b, INT)
    return Expression(Term("ite", (Term("ge", (left, right), BOOL), left, right), INT))


def _both(a: object, b: object, sort: str) -> tuple[Term, Term]:
    return as_term(a, sort), as_term(b, sort)


def agree(x: Record, y: Record, *attributes: str) -> Expression:
    """Return the formula that two records agree on these attributes.

    >>> x, y = (Record(variable(n, CELL), {"day": INT, "owner": "Owner"}) for n in "xy")
    >>> agree(x, y, "day"), differ_only(x, y, "day")
    (day(x) == day(y), owner(x) == owner(y))
    """
    return Expression(conjunction([(x[a] == y[a])._term for a in attributes]))


def differ_only(x: Record, y: Record, *attributes: str) -> Expression:
    """Return the formula that two records agree on all other attributes."""
    for name in attributes:
        _ = x[name]
    return agree(x, y, *(a for a in x._attributes if a not in attributes))


def differ_in_one(x: Record, y: Record) -> Expression:
    """Return the formula that two records agree on all attributes but at most one."""
    found = [differ_only(x, y, a)._term for a in x._attributes]
    if not found:
        raise InputError("records that have no attributes differ in none")
    return Expression(found[0] if len(found) == 1 else Term("or", tuple(found), BOOL))


def sort_of(given: object) -> Any:
    """Return the sort that Python's ``int`` or ``bool``, a record or an expression stands for.

    >>> sort_of(int), sort_of("Person"), sort_of(["a", "b"])
    ('int', 'Person', ['a', 'b'])
    """
    if given is int:
        return INT
    if given is bool:
        return BOOL
    return given._term.sort if isinstance(given, Expression) else given


def written(given: Any, known: Mapping[str, object] | None = None) -> Any:
    """Return a text, an expression or a function that makes one, as text.

    Args:
        given: an expression, several in a tuple, or a function; anything else stays as it is.
        known: what the parameters of a function stand for, by name.

    Raises:
        InputError: a function has other parameters, or makes no expression.

    >>> day = Expression(variable("day", INT))
    >>> written(day == 1), written((day, day + 1)), written("day == 1"), written(3)
    ('day == 1', '(day, day + 1)', 'day == 1', 3)
    >>> written(lambda day: day > 0, {"day": day})
    'day > 0'
    """
    if isinstance(given, FunctionSymbol):
        return given._name
    if _is_sympy(given):
        from dpcomp_sym.terms.symbolic import formula

        return formula(given)
    if callable(given):
        return written(called(given, known or {}))
    if isinstance(given, Expression):
        return str(given)
    if isinstance(given, tuple) and any(isinstance(x, Expression) for x in given):
        return f"({', '.join(map(str, given))}{',' * (len(given) == 1)})"
    return given


def as_text(given: Any, known: Mapping[str, object] | None = None) -> Any:
    """Return what :func:`written` does, numbers and truth values as texts, too; several as a tuple.

    >>> as_text(3), as_text(True), as_text("day == 1"), as_text(["row", "column"])
    ('3', 'true', 'day == 1', 'row, column')
    """
    if isinstance(given, list | tuple):
        return ", ".join(as_text(one, known) for one in given)
    found = written(given, known)
    if isinstance(found, bool):
        return "true" if found else "false"
    if found is None:
        return None
    if not isinstance(found, str) and not hasattr(found, "__index__"):
        said = f"{found!r} is no formula: give text, an expression, or a formula of SymPy"
        raise InputError(said, word=str(found))
    return str(found)


def all_written(given: Any, known: Mapping[str, object] | None = None) -> tuple[Any, ...]:
    """Return one formula or several as texts.

    >>> all_written("day == 1"), all_written(["day == 1", "day == 2"])
    (('day == 1',), ('day == 1', 'day == 2'))
    """
    several = isinstance(given, Sequence) and not isinstance(given, str)
    return tuple(as_text(one, known) for one in (given if several else [given]))


def called(make: Callable[..., Any], known: Mapping[str, object]) -> Any:
    """Return what a function makes of what its parameters stand for, by name.

    Raises:
        InputError: a parameter stands for nothing here, or nothing comes back.
    """
    names = list(inspect.signature(make).parameters)
    for name in names:
        if name not in known:
            msg = f"a function here has no parameter '{name}'; {nearest(name, known)}"
            raise InputError(msg, word=name)
    found = make(*(known[name] for name in names))
    if isinstance(found, bool):
        return "true" if found else "false"
    if found is None:
        raise InputError("a function here returns an expression, not nothing")
    return found
