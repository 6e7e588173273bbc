"""Questions as SMT-LIB 2: what was asserted, as it was asserted, for any solver and any reader.

The solver's own printer shows what the solver has made of a question, which after an answer can be
no more than ``false``.  Here the terms are written that the encoding built, each assertion by
itself, under a comment that says what it states.  Nothing but the terms, in the order in which they
were asserted, decides what is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, Final, NamedTuple

import z3

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.printable import one_line

__all__ = ["Assertion", "written"]

LONG: Final = 40
"""What occurs twice in an assertion, and is longer, is written once and has a name."""
_SIMPLE: Final = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*\Z")
_RESERVED: Final = frozenset(
    ("let", "forall", "exists", "match", "par", "as", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL",
     "STRING", "Bool", "Int", "Real", "true", "false", "not", "and", "or", "xor", "ite", "distinct",
     "div", "mod", "abs", "to_real", "to_int", "is_int")
)  # fmt: skip
_OPERATIONS: Final = {
    z3.Z3_OP_TRUE: "true", z3.Z3_OP_FALSE: "false", z3.Z3_OP_EQ: "=", z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_ITE: "ite", z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>", z3.Z3_OP_LE: "<=", z3.Z3_OP_GE: ">=", z3.Z3_OP_LT: "<",
    z3.Z3_OP_GT: ">", z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_UMINUS: "-",
    z3.Z3_OP_MUL: "*", z3.Z3_OP_IDIV: "div", z3.Z3_OP_MOD: "mod",
}  # fmt: skip
_EMPTY: Final = {"and": "true", "or": "false", "+": "0", "*": "1"}
"""What these make of nothing; of one thing they make that thing.  The standard asks for two."""


class WrittenFormula(NamedTuple):
    """A formula as text, and what it needs declared."""

    text: str
    sorts: Mapping[str, str]
    functions: Mapping[str, str]
    values: frozenset[str]


@dataclass(frozen=True, eq=False)
class Assertion:
    """A formula, and which part of the question it belongs to."""

    formula: Any
    section: str

    @cached_property
    def written(self) -> WrittenFormula:
        """The formula as text, made once: a question is written with others that share it."""
        nodes = _inner_first(self.formula)
        return WrittenFormula(_text(nodes), *_declared(nodes))


def written(assertions: Iterable[Assertion], about: str = "") -> str:
    """Return a question, whether all of this can hold, as a script.

    >>> x, y = z3.Ints("x y")
    >>> asserted = [Assertion(x > y, "what is given"), Assertion(y > x, "what is denied")]
    >>> print(written(asserted), end="")
    (set-logic ALL)
    (declare-fun x () Int)
    (declare-fun y () Int)
    ; what is given
    (assert (> x y))
    ; what is denied
    (assert (> y x))
    (check-sat)
    """
    known = list(assertions)
    lines = [f"; {one_line(about)}"] * bool(about)
    lines += ["(set-logic ALL)", *_declarations([a.written for a in known])]
    for section, row in groupby(known, lambda a: str(a.section)):
        lines.append(f"; {one_line(section)}")
        lines += [f"(assert {a.written.text})" for a in row]
    return "\n".join([*lines, "(check-sat)", ""])


class _Node(NamedTuple):
    """A term with what it applies, and the numbers of it and of those that it is made of.

    Only a term that the encoding does not make applies nothing.
    """

    term: Any
    applied: Any
    number: int
    inner: tuple[int, ...]


def _inner_first(formula: Any) -> list[_Node]:
    """Return all terms in a formula, each once, after those that it is made of."""
    seen: set[int] = set()
    found: list[_Node] = []
    waiting: list[tuple[Any, int, tuple[int, ...] | None]] = [(formula, formula.get_id(), None)]
    while waiting:
        term, number, inner = waiting.pop()
        if inner is not None:
            applied = term.decl() if z3.is_app(term) else None
            found.append(_Node(term, applied, number, inner))
        elif number not in seen:
            seen.add(number)
            children = term.children()
            numbers = tuple(child.get_id() for child in children)
            waiting.append((term, number, numbers))
            waiting += [
                (child, n, None) for child, n in zip(children[::-1], numbers[::-1], strict=True)
            ]
    return found


# ------------------------------------------------------------- what is declared


def _declarations(formulas: Iterable[WrittenFormula]) -> list[str]:
    """Declare sorts and functions in the order in which they occur."""
    sorts: dict[str, str] = {}
    functions: dict[str, str] = {}
    values: set[str] = set()
    for formula in formulas:
        for name, declaration in formula.sorts.items():
            _once(sorts, name, declaration)
        for name, declaration in formula.functions.items():
            _once(functions, name, declaration)
        values |= formula.values
    if values & set(functions) or set(sorts) & (values | set(functions)):
        raise ValueError("a word has two meanings")
    return [*sorts.values(), *functions.values()]


def _declared(nodes: Sequence[_Node]) -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return the declarations of a formula's sorts and functions, and the values of its sorts."""
    sorts: dict[str, str] = {}
    functions: dict[str, str] = {}
    values: set[str] = set()

    def sort(one: Any) -> str:
        if one.kind() not in (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_REAL_SORT):
            name = _word(one.name())
            if one.kind() == z3.Z3_DATATYPE_SORT:
                words = [one.constructor(n) for n in range(one.num_constructors())]
                if any(w.arity() for w in words):
                    raise ValueError(name)
                listed = [_word(w.name()) for w in words]
                _once(sorts, name, f"(declare-datatypes (({name} 0)) (({_all(listed, '({})')})))")
                values.update(listed)
            elif one.kind() == z3.Z3_UNINTERPRETED_SORT:
                _once(sorts, name, f"(declare-sort {name} 0)")
            else:
                raise ValueError(name)
            return name
        return str(one.name())

    for made in {n.applied.get_id(): n.applied for n in nodes if n.applied is not None}.values():
        result = sort(made.range())
        if made.kind() == z3.Z3_OP_UNINTERPRETED:
            name = _word(made.name())
            arguments = " ".join(sort(made.domain(n)) for n in range(made.arity()))
            _once(functions, name, f"(declare-fun {name} ({arguments}) {result})")
    return sorts, functions, frozenset(values)


def _once(known: dict[str, str], name: str, declaration: str) -> None:
    """Note a declaration.

    Raises:
        ValueError: the word is declared otherwise: two things would be one in the script.
    """
    if known.setdefault(name, declaration) != declaration:
        raise ValueError(f"{name} is declared in two ways")


def _word(name: str) -> str:
    """Return a name as a word of the standard, quoted where it must be.

    >>> _word("w.0"), _word("two words"), _word("let")
    ('w.0', '|two words|', '|let|')
    """
    if _SIMPLE.match(name) and name not in _RESERVED:
        return name
    if not name.isprintable() or "|" in name or "\\" in name:
        raise ValueError(name)
    return f"|{name}|"


def _all(words: Sequence[str], form: str) -> str:
    return " ".join(form.format(w) for w in words)


# ------------------------------------------------------------- what is asserted


def _text(nodes: Sequence[_Node]) -> str:
    """Return a formula, the last node; what is long and occurs again stands before, with a name."""
    uses = Counter(number for node in nodes for number in node.inner)
    texts: dict[int, str] = {}
    named: list[str] = []
    for node in nodes:
        text = _one(node, [texts[number] for number in node.inner])
        if uses[node.number] > 1 and len(text) > LONG:
            named.append(text)
            text = f"?{len(named)}"
        texts[node.number] = text
    lines = [f"(let ((?{number} {text}))" for number, text in enumerate(named, 1)]
    return "\n ".join([*lines, texts[nodes[-1].number]]) + ")" * len(named)


def _one(node: _Node, inner: Sequence[str]) -> str:
    """Return a term, made of texts.

    Raises:
        ValueError: the encoding makes no such term.
    """
    kind = None if node.applied is None else node.applied.kind()
    if kind == z3.Z3_OP_ANUM:
        return _numeral(node.term)
    if kind in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_DT_CONSTRUCTOR):
        word = _word(node.applied.name())
    else:
        word = _OPERATIONS.get(kind, "")
        if not word:
            raise ValueError(node.term.sexpr())
        if len(inner) < 2 and word in _EMPTY:
            return inner[0] if inner else _EMPTY[word]
    return f"({word} {' '.join(inner)})" if inner else word


def _numeral(term: Any) -> str:
    if term.is_int():
        return _number(term.as_long())
    above, below = _number(term.numerator_as_long(), ".0"), term.denominator_as_long()
    return above if below == 1 else f"(/ {above} {below}.0)"


def _number(value: int, point: str = "") -> str:
    return f"{value}{point}" if value >= 0 else f"(- {-value}{point})"
