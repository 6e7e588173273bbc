"""The syntax tree of the language, and the one fold that gives it its readings.

A term is an operator with arguments and a sort.  Sorts are ``int``, ``bool``, ``cell`` and
whatever names a domain declares.  There are no binders: what is quantified (cells of a frame,
parameters of an edit) is determined by the place where a term stands, not inside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar, final

from dpcomp_sym.errors import InputError

__all__ = [
    "BOOL",
    "CELL",
    "FALSE",
    "INT",
    "TRUE",
    "Algebra",
    "Term",
    "cases",
    "conjunction",
    "divisor",
    "fold",
    "free_variables",
    "integer",
    "power",
    "substitute",
    "subterms",
    "variable",
]

INT: Final = "int"
BOOL: Final = "bool"
CELL: Final = "cell"

T = TypeVar("T")


@final
class Term(tuple[Any, ...]):
    """One node: ``op`` applied to ``args``, of sort ``sort``.

    Leaves carry plain values: ``var`` and ``const`` a name, ``int`` an int, ``bool`` a bool.
    ``apply`` and ``attr`` have the function's name as first argument, ``at`` and ``size`` the
    name of the database they read.  Everything else has terms as arguments.

    What is written alike is as a rule one object, and each keeps its hash and the terms inside it,
    so that comparing and looking up take no longer for large ones.  It is a tuple, which nobody
    can change; a tuple that somebody makes into a term past this class, with another hash or other
    terms inside than its arguments, equals none.

    >>> Term("int", (7,), INT) is Term("int", (7,), INT)
    True
    >>> tuple.__new__(Term, ("int", (7,), INT, (), 0)) == Term("int", (7,), INT)
    False
    """

    __slots__ = ()

    op: str = property(itemgetter(0))  # type: ignore[assignment]  # what is there cannot be set
    args: tuple[Term | str | int | bool, ...] = property(itemgetter(1))  # type: ignore[assignment]
    sort: str = property(itemgetter(2))  # type: ignore[assignment]
    terms: tuple[Term, ...] = property(  # type: ignore[assignment]
        itemgetter(3), doc="The arguments that are terms."
    )

    def __new__(cls, op: str, args: tuple[Term | str | int | bool, ...], sort: str) -> Term:
        """Return the term that is written so."""
        return _made(op, sort, *args)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Term and tuple.__eq__(self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        found: int = self[4]
        return found

    def __init_subclass__(cls) -> None:
        """Refuse: a term of another class could say that it is something else."""
        raise TypeError("a term has no other kinds than its operators")

    def __getnewargs__(self) -> tuple[str, tuple[Term | str | int | bool, ...], str]:
        """Return what copies are made of: they are this term again."""
        return self.op, self.args, self.sort

    def __repr__(self) -> str:
        return f"Term(op={self.op!r}, args={self.args!r}, sort={self.sort!r})"

    @property
    def name(self) -> str:
        """The name that a leaf or an application carries."""
        return str(self.args[0])

    @property
    def number(self) -> int:
        """The number that an integer literal carries."""
        (value,) = self.args
        if self.op != "int" or not isinstance(value, int):
            raise TypeError(f"no integer literal: {self}")
        return value


@lru_cache(maxsize=100_000, typed=True)  # 1 and True are equal, but not written alike
def _made(op: str, sort: str, *args: Term | str | int | bool) -> Term:
    inner = tuple(a for a in args if isinstance(a, Term))
    return tuple.__new__(Term, (op, args, sort, inner, hash((op, args, sort))))


TRUE: Final = Term("bool", (True,), BOOL)
FALSE: Final = Term("bool", (False,), BOOL)


def variable(name: str, sort: str) -> Term:
    """Return the variable ``name`` of the given sort."""
    return Term("var", (name,), sort)


def integer(value: int) -> Term:
    """Return an integer literal."""
    return Term("int", (value,), INT)


def divisor(term: Term) -> Term | None:
    """Return what is divided by a term as, which is positive; None if it need not be.

    Numbers from 1 on, powers, the largest of such a number and anything, variables (the first power
    of each) and products of these.
    """
    match term.op:
        case "int" if term.number >= 1:
            return term
        case "var":
            return Term("pow", (term, integer(1)), INT)
        case "pow":
            return term
        case "mul":
            factors = [by for x in term.terms if (by := divisor(x)) is not None]
            return Term("mul", tuple(factors), INT) if len(factors) == len(term.terms) else None
        case "ite":
            condition, *both = term.terms
            largest = condition.op == "ge" and list(condition.terms) == both
            positive = any(x.op == "int" and x.number >= 1 for x in both)
            return term if largest and positive else None
        case _:
            return None


MOST_BITS: Final = 100_000


def power(base: int, exponent: int) -> int:
    """Return a power as the language has it: 1 where the base is below 1, or the exponent below 0.

    Raises:
        InputError: it is too large.

    >>> power(3, 2), power(3, -1), power(-3, 2)
    (9, 1, 1)
    """
    if base < 2 or exponent < 1:
        return 1
    if type(base) is type(exponent) is int and base.bit_length() * exponent > MOST_BITS:
        raise InputError(f"the power {base}**{exponent} is too large")
    found: int = base**exponent
    return found


def conjunction(terms: Sequence[Term]) -> Term:
    """Return the conjunction of formulas, without trivial members.

    >>> conjunction([TRUE, variable("p", BOOL)]) == variable("p", BOOL)
    True
    """
    kept = [t for t in terms if t != TRUE]
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else Term("and", tuple(kept), BOOL)


class Algebra(Generic[T]):
    """A reading of terms: one method a kind of leaf, and ``operation`` for the rest.

    Subclasses say what each node means; :func:`fold` walks the tree.
    """

    def variable(self, name: str, sort: str) -> T:
        """Read a variable."""
        raise NotImplementedError(name, sort)

    def integer(self, value: int) -> T:
        """Read an integer literal."""
        raise NotImplementedError(value)

    def boolean(self, value: bool) -> T:
        """Read a truth value."""
        raise NotImplementedError(value)

    def constant(self, name: str, sort: str) -> T:
        """Read a value of an enumerated sort."""
        raise NotImplementedError(name, sort)

    def attribute(self, name: str, cell: T) -> T:
        """Read an attribute of a cell."""
        raise NotImplementedError(name, cell)

    def apply(self, name: str, args: Sequence[T]) -> T:
        """Read an application of a function."""
        raise NotImplementedError(name, args)

    def at(self, database: str, cell: T) -> T:
        """Read the multiplicity of a cell in a database."""
        raise NotImplementedError(database, cell)

    def size(self, database: str) -> T:
        """Read the size of a database."""
        raise NotImplementedError(database)

    def operation(self, op: str, args: Sequence[T], term: Term) -> T:
        """Read any other operator."""
        raise NotImplementedError(op, args, term)


def fold(term: Term, algebra: Algebra[T]) -> T:
    """Read ``term`` in ``algebra``, bottom up."""
    args = [fold(a, algebra) for a in term.terms]
    match term.op:
        case "var":
            return algebra.variable(term.name, term.sort)
        case "int":
            return algebra.integer(term.number)
        case "bool":
            return algebra.boolean(bool(term.args[0]))
        case "const":
            return algebra.constant(term.name, term.sort)
        case "attr":
            return algebra.attribute(term.name, args[0])
        case "apply":
            return algebra.apply(term.name, args)
        case "at":
            return algebra.at(term.name, args[0])
        case "size":
            return algebra.size(term.name)
        case _:
            return algebra.operation(term.op, args, term)


@lru_cache(maxsize=20_000)
def subterms(term: Term) -> tuple[Term, ...]:
    """Return the term and everything inside it."""
    return (term, *(t for inner in term.terms for t in subterms(inner)))


@lru_cache(maxsize=20_000)
def size(term: Term) -> int:
    """Return how many terms are written in a term, itself among them; some more than once."""
    return 1 + sum(map(size, term.terms))


@lru_cache(maxsize=20_000)
def free_variables(term: Term) -> frozenset[str]:
    """Return the names of the variables of a term."""
    if term.op == "var":
        return frozenset((term.name,))
    return frozenset().union(*map(free_variables, term.terms))


def reads_database(*terms: Term) -> bool:
    """Return whether some term depends on a database: on a multiplicity or a size."""
    return any(map(_reads_database, terms))


@lru_cache(maxsize=20_000)
def _reads_database(term: Term) -> bool:
    return any(t.op in ("at", "size") for t in subterms(term))


def conjuncts(term: Term) -> tuple[Term, ...]:
    """Return the members of a conjunction, of nested ones too; "true" has none.

    >>> x = variable("x", BOOL)
    >>> conjuncts(conjunction([x, TRUE, conjunction([x, FALSE])])) == (x, x, FALSE)
    True
    """
    if term.op == "and":
        return tuple(inner for member in term.terms for inner in conjuncts(member))
    return () if term == TRUE else (term,)


def cases(formula: Term) -> tuple[Term, ...]:
    """Return formulas of which one holds where a formula does: the members of its disjunction.

    That is the formula, or the first that all of it is about; it is its only case if there is none.

    >>> x, y, z = (variable(name, BOOL) for name in "xyz")
    >>> either = Term("or", (x, y), BOOL)
    >>> cases(either) == (x, y), cases(x) == (x,)
    (True, True)
    >>> cases(conjunction([z, either])) == (conjunction([x, z]), conjunction([y, z]))
    True
    """
    if formula.op == "or":
        return formula.terms
    members = conjuncts(formula)
    for n, one in enumerate(members):
        if one.op == "or":
            rest = members[:n] + members[n + 1 :]
            return tuple(conjunction([way, *rest]) for way in one.terms)
    return (formula,)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """Replace variables by terms of the same sort.

    >>> x, y = variable("x", INT), variable("y", INT)
    >>> substitute(Term("lt", (x, y), BOOL), {"x": y}) == Term("lt", (y, y), BOOL)
    True
    """
    if term.op == "var":
        return values.get(term.name, term)
    if not term.terms:
        return term
    args = tuple(substitute(a, values) if isinstance(a, Term) else a for a in term.args)
    return Term(term.op, args, term.sort)
