"""The solver's vocabulary, for the layers above too, which do not import the solver themselves.

Terms are made directly, without the coercions of the solver's Python interface, which take longer
than the questions: formulas come from a typed language, so that sorts are right.  What is no term
of the solver (a number, a truth value) is left to that interface.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import z3

__all__ = [
    "And",
    "BoolVal",
    "If",
    "Implies",
    "Int",
    "IntSort",
    "IntVal",
    "Ints",
    "Not",
    "Or",
    "SolverFunction",
    "asserted",
    "compared",
    "constant",
    "equal",
    "evaluated",
    "integer_of",
    "is_false",
    "is_true",
    "path",
    "plus",
    "same",
    "sat",
    "simplify",
    "unknown",
    "unsat",
]

Int, Ints, IntSort = z3.Int, z3.Ints, z3.IntSort
sat, unsat, unknown = z3.sat, z3.unsat, z3.unknown
simplify = z3.simplify
IntVal = lru_cache(maxsize=1024)(z3.IntVal)
BoolVal = lru_cache(maxsize=2)(z3.BoolVal)
"""The value as a term, made once."""

_CONTEXT: Final = z3.main_ctx()
_NUMBERS: Final = (z3.ArithRef, z3.IntNumRef)
_KINDS: Final = {
    z3.ArithSortRef: z3.ArithRef, z3.BoolSortRef: z3.BoolRef, z3.DatatypeSortRef: z3.DatatypeRef,
}  # fmt: skip
_COMPARED: Final[dict[str, tuple[Any, Any]]] = {
    "lt": (z3.Z3_mk_lt, operator.lt), "le": (z3.Z3_mk_le, operator.le),
    "gt": (z3.Z3_mk_gt, operator.gt), "ge": (z3.Z3_mk_ge, operator.ge),
}  # fmt: skip


def _array(terms: Sequence[Any]) -> Any:
    array = (z3.Ast * len(terms))()
    for place, term in enumerate(terms):
        array[place] = term.ast
    return array


def conjunction(*formulas: Any) -> Any:
    """Return a conjunction."""
    try:
        made = z3.Z3_mk_and(_CONTEXT.ref(), len(formulas), _array(formulas))
    except AttributeError:
        return z3.And(*formulas)
    return z3.BoolRef(made, _CONTEXT)


def disjunction(*formulas: Any) -> Any:
    """Return a disjunction."""
    try:
        made = z3.Z3_mk_or(_CONTEXT.ref(), len(formulas), _array(formulas))
    except AttributeError:
        return z3.Or(*formulas)
    return z3.BoolRef(made, _CONTEXT)


def negation(formula: Any) -> Any:
    """Return a negation."""
    if not isinstance(formula, z3.BoolRef):
        return z3.Not(formula)
    return z3.BoolRef(z3.Z3_mk_not(_CONTEXT.ref(), formula.ast), _CONTEXT)


def implication(left: Any, right: Any) -> Any:
    """Return an implication."""
    if not (isinstance(left, z3.BoolRef) and isinstance(right, z3.BoolRef)):
        return z3.Implies(left, right)
    return z3.BoolRef(z3.Z3_mk_implies(_CONTEXT.ref(), left.ast, right.ast), _CONTEXT)


def choice(test: Any, left: Any, right: Any) -> Any:
    """Return ``left`` where ``test`` holds, else ``right``."""
    left = IntVal(left) if type(left) is int else left
    right = IntVal(right) if type(right) is int else right
    kind = type(left)
    if kind in _NUMBERS and type(right) in _NUMBERS:
        kind = z3.ArithRef
    elif kind is not type(right):
        return z3.If(test, left, right)
    if not isinstance(test, z3.BoolRef):
        return z3.If(test, left, right)
    made = z3.Z3_mk_ite(_CONTEXT.ref(), test.ast, left.ast, right.ast)
    return kind(made, _CONTEXT)


def equal(left: Any, right: Any) -> Any:
    """Return the equality of two terms."""
    if not (isinstance(left, z3.ExprRef) and isinstance(right, z3.ExprRef)):
        return left == right
    return z3.BoolRef(z3.Z3_mk_eq(_CONTEXT.ref(), left.ast, right.ast), _CONTEXT)


def compared(word: str, left: Any, right: Any) -> Any:
    """Return a comparison of integers: ``lt``, ``le``, ``gt`` or ``ge``."""
    make, otherwise = _COMPARED[word]
    right = IntVal(right) if type(right) is int else right
    if not (isinstance(left, z3.ArithRef) and isinstance(right, z3.ArithRef)):
        return otherwise(left, right)
    return z3.BoolRef(make(_CONTEXT.ref(), left.ast, right.ast), _CONTEXT)


def plus(left: Any, right: Any) -> Any:
    """Return a sum of integers."""
    if not (isinstance(left, z3.ArithRef) and isinstance(right, z3.ArithRef)):
        return left + right
    return z3.ArithRef(z3.Z3_mk_add(_CONTEXT.ref(), 2, _array((left, right))), _CONTEXT)


def same(left: Any, right: Any) -> bool:
    """Return whether two terms are one term: the solver keeps each once."""
    return bool(left.ast.value == right.ast.value)


def is_true(formula: Any) -> bool:
    """Return whether a formula is the constant "true"."""
    return isinstance(formula, z3.BoolRef) and same(formula, BoolVal(True))


def is_false(formula: Any) -> bool:
    """Return whether a formula is the constant "false"."""
    return isinstance(formula, z3.BoolRef) and same(formula, BoolVal(False))


def path(*words: str | int) -> str:
    """Return a name of the solver's: words and numbers, parted by what is in none of them.

    So different words make different names, whatever users call their things, and none of them is
    a word of the solver's language.  (``!`` parts the names that the solver itself makes.)

    >>> path("s", "w_0"), path("s", "w", 0)
    ('s.w_0', 's.w.0')
    """
    return ".".join(map(str, words))


def constant(name: str, sort: Any) -> Any:
    """Return the constant with a name and a sort."""
    symbol = z3.Z3_mk_string_symbol(_CONTEXT.ref(), name)
    made = z3.Z3_mk_const(_CONTEXT.ref(), symbol, sort.ast)
    return _KINDS.get(type(sort), z3.ExprRef)(made, _CONTEXT)


def asserted(solver: Any, formulas: Iterable[Any]) -> None:
    """Assert formulas."""
    for formula in formulas:
        if isinstance(formula, z3.BoolRef):
            z3.Z3_solver_assert(_CONTEXT.ref(), solver.solver, formula.ast)
        else:
            solver.add(formula)


def evaluated(model: Any, term: Any) -> Any:
    """Return the value of a term in a model, completed where it says nothing."""
    found = (z3.Ast * 1)()
    if not z3.Z3_model_eval(_CONTEXT.ref(), model.model, term.ast, True, found):
        raise z3.Z3Exception("a model does not evaluate a term")
    return type(term)(found[0], _CONTEXT)


def integer_of(model: Any, term: Any) -> int:
    """Return the value of an integer term in a model."""
    return int(z3.Z3_get_numeral_string(_CONTEXT.ref(), evaluated(model, term).ast))


class SolverFunction:
    """A function of the solver, by its name and sorts, the result last."""

    def __init__(self, name: str, *sorts: Any) -> None:
        self.declaration = z3.Function(name, *sorts)
        self._kind = _KINDS.get(type(sorts[-1]), z3.ExprRef)

    def __call__(self, *arguments: Any) -> Any:
        """Return the application to some terms."""
        made = z3.Z3_mk_app(_CONTEXT.ref(), self.declaration.ast, len(arguments), _array(arguments))
        return self._kind(made, _CONTEXT)


And, Or, Not, Implies, If = conjunction, disjunction, negation, implication, choice
