"""Text and LaTeX of terms, with the parentheses that are needed and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms.term import INT, Term

__all__ = ["absolute", "extreme", "to_latex", "to_text"]

# How tightly an operator binds; an argument that binds less tightly gets parentheses.
_LEVEL: Final = {
    "ite": 0, "implies": 1, "or": 2, "and": 3, "not": 4,
    "eq": 5, "ne": 5, "lt": 5, "le": 5, "gt": 5, "ge": 5, "add": 6, "sub": 6, "mul": 7,
    "div": 7, "mod": 7, "neg": 8, "pow": 9,
}  # fmt: skip
_ATOM: Final = 10
_TEXT: Final = {
    "or": " or ", "and": " and ", "eq": " == ", "ne": " != ", "lt": " < ", "le": " <= ",
    "gt": " > ", "ge": " >= ", "add": " + ", "sub": " - ", "mul": "*",
    "div": "//", "mod": " % ",
}  # fmt: skip
_LATEX: Final = {
    "implies": r" \Rightarrow ", "or": r" \lor ", "and": r" \land ", "eq": " = ", "ne": r" \neq ",
    "lt": " < ", "le": r" \le ", "gt": " > ", "ge": r" \ge ", "add": " + ", "sub": " - ",
    "mul": r" \cdot ",
}  # fmt: skip


def _level(term: Term) -> int:
    if term.op == "ite" and absolute(term) is not None:
        return _ATOM
    if term.op == "int" and term.number < 0:
        return _LEVEL["neg"]
    return _LEVEL.get(term.op, _ATOM)


def absolute(term: Term) -> Term | None:
    """Return t if a term is ``t if t >= 0 else -t``, which is how ``abs(t)`` is read."""
    condition, yes, no = term.terms
    is_zero = condition.op == "ge" and condition.terms[1] == Term("int", (0,), "int")
    same = is_zero and condition.terms[0] == yes and no == Term("neg", (yes,), "int")
    return yes if same else None


def extreme(term: Term) -> tuple[str, tuple[Term, ...]] | None:
    """Return the word and the numbers of a term that ``max(…)`` or ``min(…)`` is read as.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> largest = parse("max(max(a, b), 3)", Scope(variables={"a": "int", "b": "int"}))
    >>> word, numbers = extreme(largest)
    >>> word, [to_text(number) for number in numbers]
    ('max', ['a', 'b', '3'])
    """
    condition, yes, no = term.terms
    word = {"ge": "max", "le": "min"}.get(condition.op)
    if word is None or condition.terms != (yes, no):
        return None
    inner = extreme(yes) if yes.op == "ite" else None
    return word, (*inner[1], no) if inner is not None and inner[0] == word else (yes, no)


def _written(by: Term) -> Term:
    """Return what is divided by, as it is typed: variables in the place of their first powers."""
    if by.op == "mul":
        return Term("mul", tuple(map(_written, by.terms)), INT)
    first = by.op == "pow" and by.terms[1] == Term("int", (1,), INT) and by.terms[0].op == "var"
    return by.terms[0] if first else by


def to_text(term: Term) -> str:
    """Return the term as it can be typed.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> to_text(parse("(a + 1)*2 <= a or not (a == 1)", Scope(variables={"a": "int"})))
    '(a + 1)*2 <= a or not a == 1'
    >>> to_text(parse("(a, 2) != (1, a)", Scope(variables={"a": "int"})))
    '(a, 2) != (1, a)'
    """

    def inside(inner: Term, least: int) -> str:
        text = to_text(inner)
        return text if _level(inner) >= least else f"({text})"

    args, own = term.terms, _level(term)
    match term.op:
        case "var" | "const":
            return term.name
        case "int":
            return str(term.args[0])
        case "bool":
            return "true" if term.args[0] else "false"
        case "attr" | "apply":
            return f"{term.name}({', '.join(map(to_text, args))})"
        case "at":
            return f"{term.name}[{to_text(args[0])}]"
        case "size":
            return f"size({term.name})"
        case "tuple":
            return f"({', '.join(map(to_text, args))}{',' * (len(args) == 1)})"
        case "not":
            return f"not {inside(args[0], own)}"
        case "neg":
            return f"-{inside(args[0], _ATOM)}"
        case "implies":
            return f"implies({to_text(args[0])}, {to_text(args[1])})"
        case "ite" if (size := absolute(term)) is not None:
            return f"abs({to_text(size)})"
        case "ite":
            return f"{inside(args[1], 1)} if {inside(args[0], 1)} else {inside(args[2], 0)}"
        case "sub":
            return f"{inside(args[0], own)} - {inside(args[1], own + 1)}"
        case "div" | "mod":
            return f"{inside(args[0], own)}{_TEXT[term.op]}{inside(_written(args[1]), own + 1)}"
        case "pow":
            return f"{inside(args[0], _ATOM)}**{inside(args[1], _ATOM)}"
        case "mul":
            first, *others = args  # what is divided must not take in the factors before it
            rest = (inside(a, own + (a.op in ("div", "mod"))) for a in others)
            return _TEXT["mul"].join([inside(first, own), *rest])
        case "and" | "or" | "add":
            return _TEXT[term.op].join(inside(a, own) for a in args)
        case _:  # comparisons do not chain inside each other
            return _TEXT[term.op].join(inside(a, own + 1) for a in args)


def to_latex(term: Term, names: Mapping[str, str] | None = None) -> str:
    r"""Return the term as LaTeX mathematics.

    ``names`` may give own symbols to names, such as ``{"E": "D'"}`` for a second database.

    >>> from dpcomp_sym.terms import Scope, parse
    >>> scope = Scope(variables={"x": "cell", "y": "cell"}, databases=("D",))
    >>> to_latex(parse("D[x] >= 1 and x != y", scope))
    'D(x) \\ge 1 \\land x \\neq y'
    >>> to_latex(parse("(D[x], 1) == (1, D[y])", scope))
    '\\left(D(x), 1\\right) = \\left(1, D(y)\\right)'
    >>> pairs = Scope({"x": "cell"}, attributes={"a": "int", "b": "int"}, databases=("D",))
    >>> to_latex(parse("D[replace(x, b, b(x) + 1)]", pairs))
    'D\\left(a(x), b(x) + 1\\right)'
    """
    symbols = names or {}

    def name(word: str) -> str:
        return symbols.get(word) or latex_name(word)

    def inside(inner: Term, least: int) -> str:
        text = to_latex(inner, symbols)
        if _level(inner) >= least or (inner.op == "ite" and extreme(inner) is not None):
            return text
        if inner.op == "ite" and text.count(r"\begin{cases}") == 1:
            condition, yes, no = (to_latex(a, symbols) for a in inner.terms)  # on one line
            text = rf"{yes} \text{{ if }} {condition},\ {no} \text{{ otherwise}}"
        return rf"\left({text}\right)"

    return _latex_of(term, symbols, name, inside)


def _latex_of(
    term: Term,
    symbols: Mapping[str, str],
    name: Callable[[str], str],
    inside: Callable[[Term, int], str],
) -> str:
    """Return a term as LaTeX; ``inside`` writes an operand, in brackets where they are needed."""
    args, own = term.terms, _level(term)
    match term.op:
        case "var" | "const":
            return name(term.name)
        case "int":
            return str(term.args[0])
        case "bool":
            return r"\top" if term.args[0] else r"\bot"
        case "attr" | "apply":
            return f"{name(term.name)}({', '.join(to_latex(a, symbols) for a in args)})"
        case "at":
            cell = to_latex(args[0], symbols)
            return f"{name(term.name)}{cell if args[0].op == 'tuple' else f'({cell})'}"
        case "size":
            return rf"\lvert {name(term.name)} \rvert"
        case "tuple":
            return rf"\left({', '.join(to_latex(a, symbols) for a in args)}\right)"
        case "not":
            return rf"\lnot {inside(args[0], _ATOM)}"
        case "neg":
            return f"-{inside(args[0], _ATOM)}"
        case "ite" if (size := absolute(term)) is not None:
            return rf"\lvert {to_latex(size, symbols)} \rvert"
        case "ite" if (most := extreme(term)) is not None:
            return rf"\{most[0]}\{{{', '.join(to_latex(a, symbols) for a in most[1])}\}}"
        case "ite":
            condition, yes, no = (to_latex(a, symbols) for a in args)
            return (
                rf"\begin{{cases}} {yes} & \text{{if }} {condition} \\ "
                rf"{no} & \text{{otherwise}} \end{{cases}}"
            )
        case "sub":
            return f"{inside(args[0], own)} - {inside(args[1], own + 1)}"
        case "div":
            return rf"\lfloor {inside(args[0], own)} / {inside(_written(args[1]), own + 1)} \rfloor"
        case "mod":
            return rf"({inside(args[0], own)} \bmod {inside(_written(args[1]), own + 1)})"
        case "pow":
            return rf"{inside(args[0], _ATOM)}^{{{to_latex(args[1], symbols)}}}"
        case "and" | "or" | "add" | "mul" | "implies":
            least = own + 1 if term.op == "implies" else own
            return _LATEX[term.op].join(inside(a, least) for a in args)
        case _:
            return _LATEX[term.op].join(inside(a, own + 1) for a in args)
