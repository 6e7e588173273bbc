"""The solver's vocabulary, for the layers above too, which do not import the solver themselves.

Terms are made directly, without the coercions of the solver's Python interface, which take longer
than the questions: formulas come from a typed language, so that sorts are right.  Numbers and truth
values, which are not terms of the solver, are left to that interface.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from typing import Any, Final

import z3

from dpcomp_sym.terms.term import power as power_of_numbers

__all__ = [
    "KNOWN_POWER",
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
    "is_constant",
    "is_false",
    "is_number",
    "is_of",
    "is_true",
    "path",
    "plus",
    "power",
    "quotient",
    "remainder",
    "same",
    "sat",
    "simplify",
    "starts_at",
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
_REFERENCE: Final = _CONTEXT.ref()


def _bare(wrapper: Callable[..., Any]) -> Any:
    """Return a function of the solver without its wrapper, which asks for errors after each call.

    What the function refuses comes back as nothing instead.  Where the solver's interface is made
    in another way than it is now, the wrapper will do.
    """
    return getattr((wrapper.__defaults__ or (None,))[-1], "f", wrapper)


_inc_ref, _mk_and, _mk_or, _mk_not, _mk_implies, _mk_ite, _mk_eq, _mk_add, _mk_const, _mk_app = map(
    _bare,
    (
        z3.Z3_inc_ref, z3.Z3_mk_and, z3.Z3_mk_or, z3.Z3_mk_not, z3.Z3_mk_implies, z3.Z3_mk_ite,
        z3.Z3_mk_eq, z3.Z3_mk_add, z3.Z3_mk_const, z3.Z3_mk_app,
    ),
)  # fmt: skip
_evaluate: Final = _bare(z3.Z3_model_eval)
_sort_of: Final = _bare(z3.Z3_get_sort)
_NUMBERS: Final = (z3.ArithRef, z3.IntNumRef)
_KINDS: Final = {
    z3.ArithSortRef: z3.ArithRef, z3.BoolSortRef: z3.BoolRef, z3.DatatypeSortRef: z3.DatatypeRef,
}  # fmt: skip
_COMPARED: Final[dict[str, tuple[Any, Any]]] = {
    "lt": (_bare(z3.Z3_mk_lt), operator.lt), "le": (_bare(z3.Z3_mk_le), operator.le),
    "gt": (_bare(z3.Z3_mk_gt), operator.gt), "ge": (_bare(z3.Z3_mk_ge), operator.ge),
}  # fmt: skip


def _made(kind: Any, made: Any) -> Any:
    """Return what the solver has made as a term of the solver's Python interface."""
    if not made.value:
        error = z3.Z3_get_error_code(_REFERENCE)
        raise z3.Z3Exception(z3.Z3_get_error_msg(_REFERENCE, error))
    term = kind.__new__(kind)
    term.ast, term.ctx = made, _CONTEXT
    _inc_ref(_REFERENCE, made)
    return term


def _array(terms: Sequence[Any]) -> Any:
    array = (z3.Ast * len(terms))()
    for place, term in enumerate(terms):
        array[place] = term.ast
    return array


def conjunction(*formulas: Any) -> Any:
    """Return a conjunction."""
    try:
        array = _array(formulas)
    except AttributeError:
        return z3.And(*formulas)
    return _made(z3.BoolRef, _mk_and(_REFERENCE, len(formulas), array))


def disjunction(*formulas: Any) -> Any:
    """Return a disjunction."""
    try:
        array = _array(formulas)
    except AttributeError:
        return z3.Or(*formulas)
    return _made(z3.BoolRef, _mk_or(_REFERENCE, len(formulas), array))


def negation(formula: Any) -> Any:
    """Return a negation."""
    if not isinstance(formula, z3.BoolRef):
        return z3.Not(formula)
    return _made(z3.BoolRef, _mk_not(_REFERENCE, formula.ast))


def implication(left: Any, right: Any) -> Any:
    """Return an implication."""
    if not (isinstance(left, z3.BoolRef) and isinstance(right, z3.BoolRef)):
        return z3.Implies(left, right)
    return _made(z3.BoolRef, _mk_implies(_REFERENCE, left.ast, right.ast))


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
    return _made(kind, _mk_ite(_REFERENCE, test.ast, left.ast, right.ast))


def equal(left: Any, right: Any) -> Any:
    """Return the equality of two terms."""
    if not (isinstance(left, z3.ExprRef) and isinstance(right, z3.ExprRef)):
        return left == right
    return _made(z3.BoolRef, _mk_eq(_REFERENCE, left.ast, right.ast))


def compared(word: str, left: Any, right: Any) -> Any:
    """Return a comparison of integers: ``lt``, ``le``, ``gt`` or ``ge``."""
    make, otherwise = _COMPARED[word]
    right = IntVal(right) if type(right) is int else right
    if not (isinstance(left, z3.ArithRef) and isinstance(right, z3.ArithRef)):
        return otherwise(left, right)
    return _made(z3.BoolRef, make(_REFERENCE, left.ast, right.ast))


def plus(left: Any, right: Any) -> Any:
    """Return a sum of integers."""
    if not (isinstance(left, z3.ArithRef) and isinstance(right, z3.ArithRef)):
        return left + right
    return _made(z3.ArithRef, _mk_add(_REFERENCE, 2, _array((left, right))))


def quotient(left: Any, right: Any) -> Any:
    """Return a quotient, rounded downwards; the divisor is a positive number."""
    return left / right


def remainder(left: Any, right: Any) -> Any:
    """Return what is left of a number, from 0 on; the divisor is a positive number.

    By a symbol: of smaller numbers all is left, which the solver would find late.
    """
    if z3.is_int_value(right):
        return left % right
    smaller = z3.And(compared("ge", left, IntVal(0)), compared("lt", left, right))
    return choice(smaller, left, left % right)


KNOWN_POWER: Final = 2


def power(base: Any, exponent: Any) -> Any:
    """Return a power, which is 1 or more: 1 where the base is below 1, or the exponent below 0.

    Of exponents above :data:`KNOWN_POWER` that are not numbers nothing else is stated.
    """
    if z3.is_int_value(base) and z3.is_int_value(exponent):
        return IntVal(power_of_numbers(base.as_long(), exponent.as_long()))
    one = IntVal(1)
    first = choice(compared("ge", base, one), base, one)
    if z3.is_int_value(exponent) and exponent.as_long() < 2:
        return first if exponent.as_long() == 1 else one
    raised = z3.Function("power!", z3.IntSort(), z3.IntSort(), z3.IntSort())(base, exponent)
    found = choice(compared("ge", raised, one), raised, one)
    for n in range(KNOWN_POWER, 0, -1):
        known = reduce(operator.mul, [first] * n)
        found = choice(equal(exponent, IntVal(n)), known, found)
    return choice(compared("le", exponent, 0), one, found)


def same(left: Any, right: Any) -> bool:
    """Return whether two terms are one term: the solver keeps each once."""
    return bool(left.ast.value == right.ast.value)


def is_of(term: Any, sort: Any) -> bool:
    """Return whether a term is of a sort."""
    return bool(_sort_of(_REFERENCE, term.ast).value == sort.ast.value)


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
    symbol = z3.Z3_mk_string_symbol(_REFERENCE, name)
    return _made(_KINDS.get(type(sort), z3.ExprRef), _mk_const(_REFERENCE, symbol, sort.ast))


def asserted(solver: Any, formulas: Iterable[Any]) -> None:
    """Assert formulas."""
    for formula in formulas:
        if isinstance(formula, z3.BoolRef):
            z3.Z3_solver_assert(_CONTEXT.ref(), solver.solver, formula.ast)
        else:
            solver.add(formula)


def starts_at(solver: Any, constant: Any, value: int) -> None:
    """Have the solver's search begin with a value of a constant; what it answers is the same."""
    if hasattr(solver, "set_initial_value"):
        solver.set_initial_value(constant, value)


def evaluated(model: Any, term: Any) -> Any:
    """Return the value of a term in a model, completed where it says nothing."""
    found = (z3.Ast * 1)()
    if not _evaluate(_REFERENCE, model.model, term.ast, True, found):
        raise z3.Z3Exception("a model does not evaluate a term")
    return _made(type(term), found[0])


def is_constant(term: Any) -> bool:
    """Return whether a term is a name alone."""
    return bool(z3.is_const(term)) and not is_number(term)


def is_number(term: Any) -> bool:
    """Return whether a term is an integer that is written out."""
    return bool(z3.is_int_value(term))


def integer_of(model: Any, term: Any) -> int:
    """Return the value of an integer term in a model."""
    return int(z3.Z3_get_numeral_string(_REFERENCE, evaluated(model, term).ast))


class SolverFunction:
    """A function of the solver, by its name and sorts, the result last."""

    def __init__(self, name: str, *sorts: Any) -> None:
        self.declaration = z3.Function(name, *sorts)
        self._declaration = self.declaration.ast
        self._kind = _KINDS.get(type(sorts[-1]), z3.ExprRef)

    def __call__(self, *arguments: Any) -> Any:
        """Return the application to some terms."""
        array = _array(arguments)
        made = _mk_app(_REFERENCE, self._declaration, len(arguments), array)
        return _made(self._kind, made)


And, Or, Not, Implies, If = conjunction, disjunction, negation, implication, choice
