r"""Formulas of the language in SymPy, and SymPy's formulas in the language.

Records are symbols, attributes and functions are applied to them, ``D[x]`` is ``D(x)``, and what
is true or false is a formula of SymPy's logic.  Only imported by what is asked for SymPy.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from typing import Any, Final

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanFunction

from dpcomp_sym.errors import InputError
from dpcomp_sym.statements.symbolic import size
from dpcomp_sym.terms.parse import Scope
from dpcomp_sym.terms.render import absolute
from dpcomp_sym.terms.term import BOOL, CELL, INT, TRUE, Term

__all__ = ["ForAll", "SumOverRecords", "formula", "function", "scope_of", "term_to_sympy"]


class ForAll(BooleanFunction):  # type: ignore[misc]
    """A formula that holds for all values of some letters: ``ForAll(formula, x, y)``.

    >>> x, y = sp.symbols("x y")
    >>> every = ForAll(sp.Implies(x > 3, y < x), x, y)
    >>> every, every.free_symbols, every.subs(x, 3) == every
    (ForAll(Implies(x > 3, y < x), x, y), set(), True)
    """

    @classmethod
    def eval(cls, inner: Any, *letters: Any) -> Any:
        """Return a formula without letters, or one that is decided, as it is."""
        return inner if inner in {sp.true, sp.false} or not letters else None

    @property
    def bound_symbols(self) -> list[Any]:
        """The letters."""
        return list(self.args[1:])

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols of the formula but the letters."""
        return set(self.args[0].free_symbols) - set(self.args[1:])

    def _eval_subs(self, old: Any, new: Any) -> Any:
        del new
        return self if old in self.args[1:] else None

    def _eval_simplify(self, **options: Any) -> Any:
        return self.func(sp.simplify(self.args[0], **options), *self.args[1:])

    def to_nnf(self, simplify: bool = True) -> Any:
        """Return itself: what is inside is no formula of the variables outside."""
        del simplify
        return self

    def _latex(self, printer: Any) -> str:
        letters = ", ".join(map(printer.doprint, self.args[1:]))
        return rf"\forall {letters}\colon\, {printer.doprint(self.args[0])}".replace("$", "")


class SumOverRecords(sp.Function):  # type: ignore[misc]
    """A sum over all records: ``SumOverRecords(body, c)``; ``over`` writes it out.

    >>> c, D, E = sp.Symbol("c"), sp.Function("D"), sp.Function("E")
    >>> total = SumOverRecords(sp.Abs(D(c) - E(c)), c)
    >>> total.over(sp.symbols("a b"))
    Abs(D(a) - E(a)) + Abs(D(b) - E(b))
    """

    nargs = 2

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols of what is added up but the record."""
        return set(self.args[0].free_symbols) - {self.args[1]}

    def _eval_subs(self, old: Any, new: Any) -> Any:
        del new
        return self if old == self.args[1] else None

    def over(self, records: Iterable[Any]) -> Any:
        """Return the sum over these records."""
        return sp.Add(*(self.args[0].xreplace({self.args[1]: r}) for r in records))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        body, record = (printer.doprint(a).replace("$", "") for a in self.args)
        inside = rf"\left({body}\right)" if self.args[0].is_Add else body
        total = rf"\sum_{{{record}}} {inside}"
        return total if exp is None else rf"\left({total}\right)^{{{exp}}}"


@cache
def function(name: str, sort: str) -> Any:
    """Return a function of a domain as SymPy has it; of the sort ``bool``, a formula's.

    >>> x = sp.Symbol("x")
    >>> function("vip", BOOL)(x) & (function("day", INT)(x) > 3)
    vip(x) & (day(x) > 3)
    """
    if sort == BOOL:
        return type(name, (AppliedUndef, Boolean), {"__module__": None})
    return sp.Function(name, integer=True) if sort == INT else sp.Function(name)


@cache
def _count(name: str) -> Any:
    return sp.Function(name, integer=True, nonnegative=True)


def term_to_sympy(term: Term, values: Mapping[str, Any] | None = None) -> Any:
    """Return a term in SymPy.

    Args:
        term: the term.
        values: expressions of SymPy for variables, by name.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> scope = Scope({"x": "cell", "w": "int"}, attributes={"day": "int"}, databases=("D",))
    >>> term_to_sympy(parse("D[x] >= 1 and day(x) % 7 < max(w, abs(day(x)))", scope))
    (D(x) >= 1) & (Mod(day(x), 7) < Max(w, Abs(day(x))))
    """
    given = values or {}
    args = [term_to_sympy(a, given) for a in term.terms]
    match term.op:
        case "var" if term.name in given:
            return given[term.name]
        case "var":
            return size(term.name) if term.sort == INT else sp.Symbol(term.name)
        case "const":
            return sp.Symbol(term.name)
        case "int":
            return sp.Integer(term.number)
        case "bool":
            return sp.true if term == TRUE else sp.false
        case "attr" | "apply":
            return function(term.name, term.sort)(*args)
        case "at":
            return _count(term.name)(*args)
        case "size":
            return _count("size")(sp.Symbol(term.name))
        case "ite":
            return _choice(term, args)
        case "eq" | "ne" if term.terms[0].sort == BOOL:
            return (sp.Equivalent if term.op == "eq" else sp.Xor)(*args)
        case _:
            return _OPERATIONS[term.op](*args)


def _choice(term: Term, args: Sequence[Any]) -> Any:
    """Return what depends on a condition: an absolute value, the larger of two, or any other."""
    condition, yes, no = term.terms
    if term.sort == BOOL:
        return sp.ITE(*args)
    if absolute(term) is not None:
        return sp.Abs(args[1])
    if condition.op in {"le", "ge"} and condition.terms == (yes, no):
        return (sp.Min if condition.op == "le" else sp.Max)(*args[1:])
    return sp.Piecewise((args[1], args[0]), (args[2], True))


_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "add": sp.Add, "sub": lambda a, b: a - b, "mul": sp.Mul, "neg": lambda a: -a,
    "div": lambda a, b: sp.floor(a / b), "mod": sp.Mod,
    "pow": lambda a, b: sp.Max(a, 1) ** sp.Max(b, 0),
    "and": sp.And, "or": sp.Or, "not": sp.Not, "implies": sp.Implies,
    "eq": sp.Eq, "ne": sp.Ne, "lt": sp.Lt, "le": sp.Le, "gt": sp.Gt, "ge": sp.Ge,
    "tuple": sp.Tuple,
}  # fmt: skip


# ------------------------------------------------------------------ and back

_COMPARED: Final[Mapping[Any, ast.cmpop]] = {
    sp.Eq: ast.Eq(), sp.Ne: ast.NotEq(), sp.Equivalent: ast.Eq(), sp.Xor: ast.NotEq(),
    sp.Lt: ast.Lt(), sp.Le: ast.LtE(), sp.Gt: ast.Gt(), sp.Ge: ast.GtE(),
}  # fmt: skip
_WORDS: Final = {sp.Max: "max", sp.Min: "min", sp.Abs: "abs", sp.Implies: "implies"}


def formula(e: Any) -> str:
    """Return an expression of SymPy as the language writes it.

    Raises:
        InputError: the language has no word for it.

    >>> x, w = sp.Symbol("x"), sp.Symbol("w", integer=True)
    >>> day, D = function("day", INT), sp.Function("D")
    >>> formula(sp.Eq(sp.Mod(day(x) - 3*w, 7), 0) & (day(x) > w))
    '(day(x) - 3 * w) % 7 == 0 and day(x) > w'
    >>> formula(sp.floor(day(x) / 7) + 1), formula(~sp.Symbol("vip") | (D(x) >= 1))
    ('day(x) // 7 + 1', 'D[x] >= 1 or not vip')
    >>> formula(sp.sqrt(w))
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: formulas have no word for sqrt(w)
    """
    return ast.unparse(_tree(e))


def scope_of(e: Any) -> Scope:
    """Return what the names of an expression mean that was made of expressions of the language.

    >>> x = sp.Symbol("x")
    >>> scope_of(function("day", INT)(x) + sp.Symbol("w", integer=True)).attributes
    {'day': 'int'}
    """
    applied = e.atoms(AppliedUndef)
    records = {a for f in applied for a in f.args if len(f.args) == 1 and a.is_Symbol}
    numbers = {s.name: INT for s in e.free_symbols - records}
    attributes = {f.func.__name__: BOOL if isinstance(f, Boolean) else INT for f in applied}
    return Scope({**numbers, **{r.name: CELL for r in records}}, attributes=attributes)


def _tree(e: Any) -> ast.expr:
    kind, args = type(e), e.args
    match e:
        case sp.Symbol():
            return ast.Name(str(e.name))
        case sp.Integer():
            return ast.Constant(int(e)) if e >= 0 else _minus(ast.Constant(-int(e)))
        case sp.logic.boolalg.BooleanAtom():
            return ast.Name("true" if e == sp.true else "false")
        case sp.Tuple():
            return ast.Tuple([_tree(a) for a in args])
        case sp.Not():
            return ast.UnaryOp(ast.Not(), _tree(args[0]))
        case sp.And() | sp.Or():
            ordered = sorted(args, key=sp.default_sort_key)
            joined = ast.And() if kind is sp.And else ast.Or()
            return ast.BoolOp(joined, [_tree(a) for a in ordered])
        case sp.ITE():
            return ast.IfExp(*map(_tree, args))
        case sp.Piecewise() if args[-1].cond == sp.true:
            otherwise = _tree(args[-1].expr)
            for value, when in reversed(args[:-1]):
                otherwise = ast.IfExp(_tree(when), _tree(value), otherwise)
            return otherwise
        case AppliedUndef(args=(one,)) if kind.__name__ in {"D", "E"}:
            return ast.Subscript(ast.Name(kind.__name__), _tree(one))
        case AppliedUndef():
            return _called(kind.__name__, args)
        case _ if kind in _COMPARED and len(args) == 2:
            left, right = _in_whole_numbers(*args) if isinstance(e, Relational) else args
            return ast.Compare(_tree(left), [_COMPARED[kind]], [_tree(right)])
        case sp.Max() | sp.Min():
            found = map(_tree, sorted(args, key=sp.default_sort_key))
            return reduce(lambda a, b: ast.Call(ast.Name(_WORDS[kind]), [a, b], []), found)
        case _ if kind in _WORDS:
            return _called(_WORDS[kind], args)
        case _:
            return _number(e)


def _in_whole_numbers(left: Any, right: Any) -> tuple[Any, Any]:
    """Return both sides of a comparison times a number that leaves no fraction in them.

    SymPy makes them by itself: ``floor(n/2) < m`` is ``n/2 < m`` there.
    """
    if not (isinstance(left, sp.Expr) and isinstance(right, sp.Expr)):
        return left, right
    parts = [sp.fraction(sp.together(side)) for side in (left, right)]
    if all(by == 1 for _, by in parts) or not all(by.is_Integer for _, by in parts):
        return left, right
    times = sp.ilcm(*(by for _, by in parts))
    return tuple(sp.expand(whole * (times / by)) for whole, by in parts)


def _number(e: Any) -> ast.expr:
    """Return what is computed with whole numbers."""
    match e:
        case sp.Add():
            negative = operator.methodcaller("could_extract_minus_sign")
            first, *rest = sorted(e.as_ordered_terms(), key=negative)
            found = _tree(first)
            for one in rest:
                less = negative(one)
                sign = ast.Sub() if less else ast.Add()
                found = ast.BinOp(found, sign, _tree(-one if less else one))
            return found
        case sp.Mul() if e.could_extract_minus_sign():
            return _minus(_tree(-e))
        case sp.Mul() if all(a.is_integer is not False for a in e.args):
            return reduce(lambda a, b: ast.BinOp(a, ast.Mult(), b), map(_tree, e.args))
        case sp.Pow(base=base, exp=sp.Integer() as times) if times > 1:
            return reduce(lambda a, b: ast.BinOp(a, ast.Mult(), b), [_tree(base)] * int(times))
        case sp.Pow(base=base, exp=exponent) if _is_whole_power(base, exponent):
            return ast.BinOp(_tree(base), ast.Pow(), _tree(exponent))
        case sp.Mod(args=(whole, by)):
            return ast.BinOp(_tree(whole), ast.Mod(), _tree(by))
        case sp.floor(args=(inner,)):
            whole, by = sp.fraction(sp.together(inner))
            return ast.BinOp(_tree(whole), ast.FloorDiv(), _tree(by))
        case _:
            raise InputError(f"formulas have no word for {e}", word=str(e))


def _is_whole_power(base: Any, exponent: Any) -> bool:
    """Return whether a power means in SymPy what it does in the language, which has no fractions.

    There b**n is 1 where b is below 1, or n below 0.
    """
    return bool(base.is_positive and exponent.is_integer and exponent.is_nonnegative)


def _minus(e: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), e)


def _called(name: str, args: Sequence[Any]) -> ast.expr:
    return ast.Call(ast.Name(name), [_tree(a) for a in args], [])
