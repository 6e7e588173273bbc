"""Conditions on integers, as formulas of the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from dpcomp_sym.engine.together.find import function_of, index_variable
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.algebra import num
from dpcomp_sym.replay.terms import Node, make, need
from dpcomp_sym.smt import Pair, logic
from dpcomp_sym.smt.query import equal, unequal
from dpcomp_sym.terms import INT, Term, variable
from dpcomp_sym.terms.data import from_text
from dpcomp_sym.terms.term import integer

__all__ = ["as_number", "as_term", "lettered", "sliced_by", "solved", "whole"]


def solved(p: Node, pair: Pair, letters: Sequence[Any], block: Sequence[Any]) -> Any:
    """Return a condition on integers as a formula of the solver."""
    match p:
        case ("Connected", "not", (one,)):
            return logic.Not(solved(one, pair, letters, block))
        case ("Connected", word, items):
            parts = [solved(x, pair, letters, block) for x in items]
            return logic.And(*parts) if word == "and" else logic.Or(*parts)
        case ("Compared", word, left, right):
            a, b = (whole(side, pair, letters, block) for side in (left, right))
            if word in ("eq", "ne"):
                return equal(a, b) if word == "eq" else unequal(a, b)
            return logic.compared(word, a, b)
        case _:
            raise RejectedError("no condition")


def whole(e: Node, pair: Pair, letters: Sequence[Any], block: Sequence[Any]) -> Any:
    """Return an integer as a term of the solver."""
    match e:
        case ("Integer", value):
            return logic.IntVal(value)
        case ("Symbol", name):
            return pair.query.symbols[name]
        case ("Letter" | "LetterAt", number, *_):
            return letters[number - 1]  # a function has one value in the block at hand
        case ("Index", number):
            return block[number - 1]
        case ("Combined", word, items):
            if word in ("div", "mod"):
                need(_is_positive(items[1], pair), "a divisor is not a positive number")
            return _computed(word, [whole(x, pair, letters, block) for x in items])
        case _:
            raise RejectedError("no integer")


def as_number(e: Node) -> Node | None:
    """Return an integer of symbols as a number of records; None if it is not a sum of products.

    >>> as_number(("Combined", "mul", (("Integer", 2), ("Symbol", "m")))) is not None
    True
    """
    match e:
        case ("Integer", value) if value >= 0:
            return num(value)
        case ("Symbol", name):
            return make("Size", name)
        case ("Combined", "add" | "mul" as word, items):
            found = [as_number(x) for x in items]
            known = tuple(x for x in found if x is not None)
            if len(known) < len(found):
                return None
            return make("Sum" if word == "add" else "Product", known)
        case _:
            return None


def as_term(e: Node) -> Term:
    """Return what is made of the indices of a block and symbols as a term over these.

    >>> as_term(("Combined", "div", (("Index", 1), ("Symbol", "b")))).op
    'div'
    """
    match e:
        case ("Integer", value):
            return integer(value)
        case ("Symbol", name):
            return variable(name, INT)
        case ("Index", number):
            return index_variable(number)
        case ("Combined", "add" | "mul" | "div" | "mod" | "pow" | "neg" as word, items):
            first, *rest = map(as_term, items)
            if word == "neg":
                return Term("neg", (first,), INT)
            return reduce(lambda a, b: Term(word, (a, b), INT), rest, first)
        case _:
            raise RejectedError("no integer of a block")


def lettered(node: object) -> Iterator[tuple[int, tuple[Node, ...]]]:
    """Yield the letters that are named, each with what it is a function of."""
    match node:
        case ("Letter", int(number)):
            yield number, ()
        case ("LetterAt", int(number), tuple(at)):
            yield number, at
        case tuple():
            for x in node:
                yield from lettered(x)
        case _:
            pass


def sliced_by(terms: Sequence[str], places: Sequence[Node]) -> set[tuple[Node, ...]]:
    """Return by what of a block it is told which of the records is meant that change.

    A letter is then a function of these, although its term names none of them.
    """
    named = [function_of(from_text(t)) for t in terms]
    return {at for number, at in lettered(tuple(places)) if at and not named[number - 1]}


def _is_positive(e: Node, pair: Pair) -> bool:
    """Return whether an integer is a positive number, or a symbol that is one."""
    match e:
        case ("Integer", value):
            return bool(value > 0)
        case ("Symbol", name):
            return pair.query.is_positive(name)
        case _:
            return False


def _computed(word: str, values: Sequence[Any]) -> Any:
    first, *others = values
    if word in ("div", "mod"):
        return (logic.quotient if word == "div" else logic.remainder)(first, values[1])
    if word == "pow":
        return logic.power(first, values[1])
    if word == "neg":
        return -first
    for other in others:
        if word == "add":
            first = logic.plus(first, other)
        elif word == "mul":
            first = first * other
        else:
            first = logic.If(
                logic.compared("le" if word == "min" else "ge", first, other), first, other
            )
    return first
