"""From text to terms: Python-like expressions, read with a whitelist and never evaluated.

Understood: names, integers, ``true`` and ``false``, ``D[x]``, ``size(D)``, attributes and
functions ``owner(c)``, ``and or not``, chained comparisons, ``+ - *``,
``a // n`` and ``a % n`` (rounded downwards) by what is positive: numbers, powers and symbols,
``b**n`` (1 where b is below 1, or n below 0), ``a if p else b``,
``implies(p, q)``, ``min``, ``max``, ``abs``, tuples ``(row(c), column(c))``, and for cells
``agree(x, y, a, …)`` (they agree on these attributes), ``differ_only(x, y, a, …)`` (on all the
others), ``differ_in_one(x, y)``, ``replace(x, a, t)`` (x with another value of one attribute).  In
``D[…]`` a tuple of the values of all attributes is a cell, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from dpcomp_sym.errors import InputError, foreign_letter, nearest
from dpcomp_sym.terms.syntax import parts_of, tree_of
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
    substitute,
    variable,
)

__all__ = ["IDENTIFIER", "MAX_LENGTH", "WORDS", "Scope", "parse", "parse_argument"]

MAX_LENGTH: Final = 4000
IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")

_COMPARE: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
_ARITHMETIC: Final = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_DIVISION: Final = {ast.FloorDiv: "div", ast.Mod: "mod"}
WORDS: Final = (
    "size", "implies", "min", "max", "abs", "agree", "differ_only", "differ_in_one", "replace",
    "true", "false",
)  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """What names mean: variables, constants, attributes of a cell, functions, databases.

    ``macros`` are functions of one cell given by a term over the variable ``c``.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    macros: Mapping[str, Term] = field(default_factory=dict)
    databases: tuple[str, ...] = ()

    def having(
        self, variables: Mapping[str, str] | None = None, databases: tuple[str, ...] | None = None
    ) -> Scope:
        """Return this scope with more variables, and other databases if given."""
        return replace(
            self,
            variables={**self.variables, **(variables or {})},
            databases=self.databases if databases is None else databases,
        )

    def names(self) -> set[str]:
        """Return every word that means something here."""
        return {
            *self.variables, *self.constants, *self.attributes, *self.functions, *self.macros,
            *self.databases, *WORDS,
        }  # fmt: skip


def parse(text: object, scope: Scope, sort: str | None = None, *, tuples: bool = False) -> Term:
    """Read an expression.

    Args:
        text: the expression; numbers and booleans of a spec are taken as they are.
        scope: what the names mean.
        sort: the sort that the expression must have, if it must.
        tuples: whether the expression as a whole may be a tuple.

    Raises:
        InputError: the text is not such an expression; the message names the word.

    >>> scope = Scope(variables={"x": "cell"}, attributes={"age": "int"}, databases=("D",))
    >>> parse("D[x] >= 1 and age(x) < 18", scope).op
    'and'
    >>> parse("D[replace(x, age, age(x) + 1)]", scope) == parse("D[(age(x) + 1,)]", scope)
    True
    >>> parse("agge(x) < 18", scope)
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: unknown function 'agge' in 'agge(x) < 18': did you mean 'age'?
    >>> parse("age < 18", scope)
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: 'age' in 'age < 18' is a function: say of what, as in age(x)
    """
    if isinstance(text, bool):
        text = "true" if text else "false"
    elif isinstance(text, int):
        text = str(text)
    if not isinstance(text, str):
        msg = f"an expression is expected, not {text!r}"
        raise InputError(msg)
    if len(text) > MAX_LENGTH:
        msg = f"an expression may have {MAX_LENGTH} characters, this one has {len(text)}"
        raise InputError(msg, word=text[:20])
    term = _Reader(text, scope).read()
    if sort is not None and term.sort != sort:
        msg = f"'{text}' is of sort {term.sort}, but {sort} is expected here"
        raise InputError(msg, word=text)
    if term.op == "tuple" and not tuples:
        msg = f"'{text}' is a tuple, which can be compared and be the key of a limit, no more"
        raise InputError(msg, word=text)
    return term


def parse_argument(text: str, scope: Scope) -> Term:
    """Read what a word of a built-in stands for: an attribute, a term over ``c``, or several.

    Raises:
        InputError: it cannot be read.

    >>> scope = Scope(attributes={"row": "int", "val": "V"}, variables={"c": "cell"})
    >>> parse_argument("val", scope).sort, parse_argument("row, row(c) + 1", scope).sort
    ('V', '(int, int)')
    """
    if text in scope.attributes:
        return parse(f"{text}(c)", scope)
    whole = parts_of(text)
    known = (f"{one}(c)" if one in scope.attributes else one for one in whole)
    return parse(", ".join(known) if len(whole) > 1 else text, scope, tuples=True)


class _Reader:
    def __init__(self, text: str, scope: Scope) -> None:
        self.text = " ".join(text.split())
        self.scope = scope

    def fail(self, message: str, word: str = "") -> InputError:
        return InputError(message, word=word or self.text)

    def read(self) -> Term:
        if not self.text.isascii():
            odd = next(ch for ch in self.text if not ch.isascii())
            raise self.fail(
                f"the character {odd!r} is not allowed in '{self.text}'{foreign_letter(odd)}; "
                "formulas are written in ASCII",
                odd,
            )
        try:
            return self.visit(tree_of(self.text))
        except (RecursionError, MemoryError):
            raise self.fail(f"the expression '{self.text[:40]}…' is nested too deeply") from None

    def visit(self, node: ast.expr) -> Term:
        match node:
            case ast.Name(id=name):
                return self.name(name)
            case ast.Constant(value=bool(value)):
                return TRUE if value else FALSE
            case ast.Constant(value=int(value)):
                return integer(value)
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return Term(word, tuple(self.of(v, BOOL) for v in values), BOOL)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return Term("not", (self.of(inner, BOOL),), BOOL)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return integer(-value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return Term("neg", (self.of(inner, INT),), INT)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.of(inner, INT)
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                word = _ARITHMETIC[type(op)]
                return Term(word, (self.of(left, INT), self.of(right, INT)), INT)
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _DIVISION:
                return self.division(_DIVISION[type(op)], left, right)
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                return Term("pow", (self.of(left, INT), self.of(right, INT)), INT)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                return self.comparison([left, *rest], ops)
            case ast.IfExp(test=test, body=body, orelse=other):
                then = self.visit(body)
                otherwise = self.of(other, then.sort)
                return Term("ite", (self.of(test, BOOL), then, otherwise), then.sort)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                if name not in self.scope.databases:
                    known = nearest(name, self.scope.databases)
                    msg = f"'{name}[…]' in '{self.text}' is not a database; {known}"
                    raise self.fail(msg, name)
                return Term("at", (name, self.cell(index)), INT)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self.call(name, args)
            case ast.Tuple(elts=elements) if len(elements) > 1:
                return self.several(elements)
            case ast.Constant(value=str(word)):
                raise self.fail(
                    f"names stand without quotes: {word}, not {ast.unparse(node)} "
                    f'(in "{self.text}")',
                    ast.unparse(node),
                )
            case _:
                part = ast.unparse(node)
                raise self.fail(
                    f"'{part}' is not part of the language (in '{self.text}'); allowed are names, "
                    "integers, D[x], size(D), function calls, and/or/not, comparisons, + - *, "
                    "// and % by a positive number, a symbol or a power, b**n, "
                    "'a if p else b'",
                    part,
                )

    def division(self, word: str, left: ast.expr, right: ast.expr) -> Term:
        by = divisor(self.of(right, INT))
        if by is None:
            part = ast.unparse(right)
            raise self.fail(
                f"'{part}' in '{self.text}' must be a positive number, a symbol or a power: only "
                "by these is divided with // and %",
                part,
            )
        return Term(word, (self.of(left, INT), by), INT)

    def cell(self, node: ast.expr) -> Term:
        """Read a cell: a variable, or the tuple of the values of its attributes."""
        if not isinstance(node, ast.Tuple):
            return self.of(node, CELL)
        sorts = tuple(self.scope.attributes.values())
        items = tuple(self.visit(e) for e in node.elts)
        if tuple(t.sort for t in items) != sorts:
            part, found = ast.unparse(node), ", ".join(t.sort for t in items)
            raise self.fail(
                f"'{part}' in '{self.text}' is not a cell: its sorts are ({found}), those of the "
                f"attributes {', '.join(self.scope.attributes)} are ({', '.join(sorts)})",
                part,
            )
        return Term("tuple", items, CELL)

    def of(self, node: ast.expr, sort: str) -> Term:
        return self.sorted(self.visit(node), sort, node)

    def sorted(self, term: Term, sort: str, node: ast.expr) -> Term:
        if term.sort != sort:
            part = ast.unparse(node)
            alone = sort == CELL and [term.sort] == list(self.scope.attributes.values())
            hint = f": the record with this value is ({part},)" if alone else ""
            raise self.fail(
                f"'{part}' in '{self.text}' is of sort {term.sort}, but {sort} is expected{hint}",
                part,
            )
        return term

    def several(self, elements: list[ast.expr]) -> Term:
        items = tuple(self.visit(e) for e in elements)
        for node, item in zip(elements, items, strict=True):
            if item.op == "tuple" or item.sort == CELL:
                part = ast.unparse(node)
                raise self.fail(f"'{part}' in '{self.text}' cannot stand in a tuple", part)
        return Term("tuple", items, f"({', '.join(t.sort for t in items)})")

    def name(self, name: str) -> Term:
        scope = self.scope
        if name in scope.variables:
            return variable(name, scope.variables[name])
        if name in scope.constants:
            return Term("const", (name,), scope.constants[name])
        if name in ("true", "false"):
            return TRUE if name == "true" else FALSE
        if name in scope.databases:
            raise self.fail(
                f"'{name}' in '{self.text}' is a database: write {name}[x] or size({name})", name
            )
        if name in scope.names():
            of = next((n for n, s in scope.variables.items() if s == CELL), "…")
            raise self.fail(
                f"'{name}' in '{self.text}' is a function: say of what, as in {name}({of})", name
            )
        hint = nearest(name, scope.names())
        if hint.startswith("known"):
            say = f'symbols = {{ {name} = "{name} >= 1" }} in [domain], or domain.symbol("{name}")'
            hint = f"a number that is left open is declared, {say}; {hint}"
        raise self.fail(f"unknown name '{name}' in '{self.text}': {hint}", name)

    def comparison(self, nodes: list[ast.expr], ops: list[ast.cmpop]) -> Term:
        links = []
        terms = [self.visit(n) for n in nodes]
        for op, left, right in zip(ops, terms, terms[1:], strict=False):
            if type(op) not in _COMPARE:
                raise self.fail(f"'{self.text}' uses a comparison that the language does not have")
            word = _COMPARE[type(op)]
            if left.sort != right.sort or (word not in ("eq", "ne") and left.sort != INT):
                raise self.fail(
                    f"'{self.text}' compares the sorts {left.sort} and {right.sort}; == and != "
                    "need equal sorts, order needs int"
                )
            links.append(Term(word, (left, right), BOOL))
        return conjunction(links)

    def call(self, name: str, args: list[ast.expr]) -> Term:
        scope = self.scope
        if name in scope.macros:
            (cell,) = self.arguments(name, args, (CELL,))
            return substitute(scope.macros[name], {"c": cell})
        if name in scope.attributes:
            (cell,) = self.arguments(name, args, (CELL,))
            return Term("attr", (name, cell), scope.attributes[name])
        if name in scope.functions:
            sorts, result = scope.functions[name]
            return Term("apply", (name, *self.arguments(name, args, sorts)), result)
        match name:
            case "size":
                match args:
                    case [ast.Name(id=base)] if base in scope.databases:
                        return Term("size", (base,), INT)
                raise self.fail(
                    f"size(…) in '{self.text}' takes a database: {nearest('', scope.databases)}",
                    "size",
                )
            case "implies":
                return Term("implies", self.arguments(name, args, (BOOL, BOOL)), BOOL)
            case "min" | "max":
                left, right = self.arguments(name, args, (INT, INT))
                low = Term("le" if name == "min" else "ge", (left, right), BOOL)
                return Term("ite", (low, left, right), INT)
            case "abs":
                (inner,) = self.arguments(name, args, (INT,))
                positive = Term("ge", (inner, integer(0)), BOOL)
                return Term("ite", (positive, inner, Term("neg", (inner,), INT)), INT)
            case "agree" | "differ_only" | "differ_in_one":
                return self.agreement(name, args)
            case "replace":
                return self.replaced(args)
            case _:
                pass
        raise self.fail(
            f"unknown function '{name}' in '{self.text}': {nearest(name, scope.names())}", name
        )

    def arguments(
        self, name: str, args: list[ast.expr], sorts: tuple[str, ...]
    ) -> tuple[Term, ...]:
        given = [one for node in args for one in self.spread(node)]
        if len(given) != len(sorts):
            raise self.fail(
                f"'{name}' in '{self.text}' takes {len(sorts)} argument(s), not {len(given)}", name
            )
        return tuple(self.sorted(t, s, node) for (node, t), s in zip(given, sorts, strict=True))

    def spread(self, node: ast.expr) -> list[tuple[ast.expr, Term]]:
        """Return an argument; of a word that stands for a tuple, its values."""
        term = self.visit(node)
        several = term.op == "tuple" and term.sort != CELL and isinstance(node, ast.Call)
        return [(node, one) for one in (term.terms if several else (term,))]

    def agreement(self, name: str, args: list[ast.expr]) -> Term:
        if len(args) < 2:
            raise self.fail(f"'{name}' in '{self.text}' needs two cells", name)
        cells = self.arguments(name, args[:2], (CELL, CELL))
        named = [self.attribute_word(a) for a in args[2:]]
        everything = list(self.scope.attributes)

        def same(attribute: str) -> Term:
            sort = self.scope.attributes[attribute]
            left, right = (Term("attr", (attribute, x), sort) for x in cells)
            return Term("eq", (left, right), BOOL)

        if name == "differ_in_one":
            if not everything:
                raise self.fail(f"'{name}' in '{self.text}' needs cells with attributes", name)
            options = [conjunction([same(b) for b in everything if b != a]) for a in everything]
            return Term("or", tuple(options), BOOL) if len(options) > 1 else options[0]
        kept = named if name == "agree" else [a for a in everything if a not in named]
        return conjunction([same(a) for a in kept])

    def replaced(self, args: list[ast.expr]) -> Term:
        if len(args) != 3:
            raise self.fail(
                f"'replace' in '{self.text}' takes a cell, an attribute and a value", "replace"
            )
        cell, word = self.of(args[0], CELL), self.attribute_word(args[1])
        sorts = self.scope.attributes
        value = self.of(args[2], sorts[word])
        items = (value if a == word else Term("attr", (a, cell), s) for a, s in sorts.items())
        return Term("tuple", tuple(items), CELL)

    def attribute_word(self, node: ast.expr) -> str:
        word = ast.unparse(node)
        macro = self.scope.macros.get(word)
        if macro is not None and macro.op == "attr":  # an argument of a template, named by its user
            return macro.name
        if word not in self.scope.attributes:
            known = nearest(word, self.scope.attributes)
            raise self.fail(f"'{word}' in '{self.text}' is not an attribute; {known}", word)
        return word
