"""Integers and conditions on them in claims, read from Python's tree with a whitelist."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.statements.integers import TRUE

__all__ = ["IntegerNames", "names_in"]

_FALSE: Final = k.Connected("or", ())
_OPERATIONS: Final = {
    ast.Add: "add", ast.Mult: "mul", ast.FloorDiv: "div", ast.Mod: "mod", ast.Pow: "pow",
}  # fmt: skip
_COMPARISONS: Final = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "lt", ast.GtE: "le", ast.Eq: "eq", ast.NotEq: "ne",
}  # fmt: skip
_TURNED: Final = (ast.Gt, ast.GtE)


def names_in(node: ast.AST) -> set[str]:
    """Return all names in a formula."""
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


@dataclass(frozen=True)
class IntegerNames:
    """What names of integers mean in a place of a claim.

    Attributes:
        symbols: the symbols of the problem.
        fail: makes the error of a message about a node.
        letters: the integers that the maximum around the place runs over; None outside of any.
        indices: the letters of the block at hand.
    """

    symbols: Collection[str]
    fail: Callable[[str, ast.expr], InputError]
    letters: tuple[str, ...] | None = None
    indices: tuple[str, ...] = ()

    @property
    def bound(self) -> set[str]:
        """The names that are bound here."""
        return {*(self.letters or ()), *self.indices}

    def integer(self, node: ast.expr) -> k.Whole:
        """Return an integer."""
        match node:
            case ast.Constant(value=int(n)) if not isinstance(n, bool):
                return k.Integer(n)
            case ast.Name(id=name):
                return self._named(name, node)
            case ast.UnaryOp(op=ast.USub(), operand=of):
                return _negative(self.integer(of))
            case ast.BinOp(op=ast.Sub(), left=left, right=right):
                return _joined("add", self.integer(left), _negative(self.integer(right)))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _OPERATIONS:
                return _joined(_OPERATIONS[type(op)], self.integer(left), self.integer(right))
            case ast.Call(func=ast.Name(id="min" | "max" as word), args=args, keywords=[]) if (
                len(args) > 1
            ):
                return k.Combined(word, tuple(map(self.integer, args)))
            case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in (
                self.letters or ()
            ):
                return self._function(name, args, node)
            case _:
                said = f"'{ast.unparse(node)}' is no integer: those are made of numbers, letters"
                raise self.fail(f"{said}, sizes, +, -, *, //, %, **, min and max", node)

    def _named(self, name: str, node: ast.expr) -> k.Whole:
        letters = self.letters or ()
        if name in self.indices:
            return k.Index(self.indices.index(name) + 1)
        if name in letters:
            return k.Letter(letters.index(name) + 1)
        if name in self.symbols:
            return k.Symbol(name)
        known = nearest(name, {*self.bound, *self.symbols})
        raise self.fail(f"'{name}' is no integer here; {known}", node)

    def _function(self, name: str, args: list[ast.expr], node: ast.expr) -> k.Whole:
        """Return the value of a letter that is a function of some indices, or made of these."""
        at = tuple(map(self.integer, args))
        if any(not k.indices_named(x) for x in at) or any(
            isinstance(x, k.Letter | k.LetterAt) for x in k.subterms(at)
        ):
            raise self.fail(f"'{name}' is a function of indices of the block at hand", node)
        return k.LetterAt((self.letters or ()).index(name) + 1, at)

    def condition(self, node: ast.expr) -> k.Predicate:
        """Return a condition."""
        match node:
            case ast.Name(id="true" | "false" as word) if word not in {*self.bound, *self.symbols}:
                return TRUE if word == "true" else _FALSE
            case ast.UnaryOp(op=ast.Not(), operand=of):
                return k.Connected("not", (self.condition(of),))
            case ast.BoolOp(op=ast.And(), values=values):
                items = tuple(x for v in values for x in self._each(v))
                return k.Connected("and", items)
            case ast.BoolOp(op=ast.Or(), values=values):
                return k.Connected("or", tuple(map(self.condition, values)))
            case ast.Compare():
                items = self._each(node)
                return items[0] if len(items) == 1 else k.Connected("and", items)
            case _:
                said = f"'{ast.unparse(node)}' is no condition: those compare integers"
                raise self.fail(f"{said}, with and, or, not", node)

    def _each(self, node: ast.expr) -> tuple[k.Predicate, ...]:
        """Return the comparisons of a chain a < b < c, or the condition itself."""
        if not isinstance(node, ast.Compare):
            return (self.condition(node),)
        sides = [node.left, *node.comparators]
        found = []
        for n, op in enumerate(node.ops):
            if type(op) not in _COMPARISONS:
                raise self.fail("integers are compared with <, <=, ==, !=, >= and >", node)
            left, right = map(self.integer, sides[n : n + 2])
            if isinstance(op, _TURNED):
                left, right = right, left
            found.append(k.Compared(_COMPARISONS[type(op)], left, right))
        return tuple(found)


def _negative(e: k.Whole) -> k.Whole:
    return k.Integer(-e.value) if isinstance(e, k.Integer) else k.Combined("neg", (e,))


def _joined(word: str, left: k.Whole, right: k.Whole) -> k.Whole:
    """Return two integers together; sums and products go on from the left."""
    if word in {"add", "mul"} and isinstance(left, k.Combined) and left.word == word:
        return k.Combined(word, (*left.items, right))
    return k.Combined(word, (left, right))
