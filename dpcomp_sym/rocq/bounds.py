"""Bounds, counts and distances of a certificate as terms of Rocq."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from typing import Any, Final

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.names import of_spec
from dpcomp_sym.rocq.terms import power

__all__ = [
    "Expression",
    "among",
    "amount",
    "arguments_of_letters",
    "as_integer",
    "blocks_of",
    "bound_by",
    "choice",
    "choices",
    "condition",
    "indices_of_letters",
    "infinite",
    "integral",
    "last_factor",
    "letters",
    "maxima",
    "natural",
    "numbered",
    "only",
    "over_letters",
    "real",
    "sizes",
    "sort_of_choice",
    "sort_of_letters",
    "whole",
    "window",
]

Expression = dict[str, Any]
"""A bound or a count as plain data: ``{"op": "Num", "value": "3"}``."""

_COMPARED: Final = {"lt": "<", "le": "<=", "eq": "="}
_JOINED: Final = {"and": " /\\ ", "or": " \\/ "}
_EMPTY: Final = {"and": "True", "or": "False"}


def infinite(e: Expression) -> bool:
    """Return whether it is infinity."""
    return bool(e["op"] == "Inf")


def as_integer(e: Expression) -> int | None:
    """Return a natural number, None for anything else.

    >>> as_integer({"op": "Num", "value": "3"}), as_integer({"op": "Size", "name": "w"})
    (3, None)
    """
    value = Fraction(e["value"]) if e["op"] == "Num" else None
    return value.numerator if value is not None and value.denominator == 1 else None


def integral(e: Expression) -> str:
    """Return an integer, of sort Z.

    >>> integral({"op": "Product", "items": [{"op": "Num", "value": "2"}, {"op": "Size",
    ...     "name": "r"}]})
    '(2 * r_)'
    """
    match e["op"]:
        case "Num" if as_integer(e) is not None:
            return str(e["value"])
        case "Size":
            return of_spec(e["name"])
        case "Sum" | "Product":
            sign = " + " if e["op"] == "Sum" else " * "
            return f"({sign.join(map(integral, e['items']))})"
        case other:
            raise UnwrittenError(f"a count is not made of numbers and sizes: {other}")


def sizes(e: Expression) -> list[str]:
    """Return the symbols in a count.

    >>> sizes({"op": "Product", "items": [{"op": "Num", "value": "2"}, {"op": "Size",
    ...     "name": "r"}]})
    ['r_']
    """
    own = [of_spec(e["name"])] if e["op"] == "Size" else []
    return own + [n for x in e.get("items", ()) for n in sizes(x)]


def natural(e: Expression) -> str:
    """Return a count, of sort nat."""
    number = as_integer(e)
    return f"{number}" if number is not None else f"(Z.to_nat {integral(e)})"


def blocks_of(sizes: list[str | int] | tuple[str | int, ...]) -> str:
    """Return the list of all blocks; a map without blocks counts as one.

    >>> blocks_of(()), blocks_of(("k",)), blocks_of(("h", 3))
    ('(range 1)', '(range k_)', '(pairs h_ 3)')
    """
    if len(sizes) > 2:
        raise UnwrittenError("a map has more than two indices")
    if not sizes:
        return "(range 1)"
    written = [of_spec(size) if isinstance(size, str) else str(size) for size in sizes]
    return f"({'range' if len(sizes) == 1 else 'pairs'} {' '.join(written)})"


def numbered(indices: int) -> list[str]:
    """Return how the indices of a block ``i`` are called.

    >>> numbered(1), numbered(2)
    (['i'], ['(fst i)', '(snd i)'])
    """
    return ["i"] if indices == 1 else ["(fst i)", "(snd i)"]


def letters(free: int) -> list[str]:
    """Return the names of the integers on which it depends which blocks change.

    >>> letters(2)
    ['p1', 'p2']
    """
    return [f"p{n}" for n in range(1, free + 1)]


def sort_of_letters(*within: object) -> str:
    """Return the sort of the letters in some terms: integers, or functions of indices to integers.

    >>> sort_of_letters({"op": "LetterAt", "number": 1, "at": [
    ...     {"op": "Index", "number": 1}]}), sort_of_letters()
    ('(Z -> Z)', 'Z')
    """
    at = next(arguments_of_letters(*within), ())
    if at and any(_names_integers(one) for one in within):
        raise UnwrittenError("integers beside functions are not written so far")
    return f"({'Z -> ' * len(at)}Z)" if at else "Z"


def _names_integers(e: object) -> bool:
    """Return whether some letter in a term is an integer, and no function."""
    if isinstance(e, Mapping):
        return e.get("op") == "Letter" or any(map(_names_integers, e.values()))
    return isinstance(e, list | tuple) and any(map(_names_integers, e))


def arguments_of_letters(*within: object) -> Iterator[Sequence[Expression]]:
    """Yield what letters in some terms are functions of."""
    for one in within:
        if isinstance(one, Mapping):
            if one.get("op") == "LetterAt":
                yield one["at"]
            yield from arguments_of_letters(*one.values())
        elif isinstance(one, list | tuple):
            yield from arguments_of_letters(*one)


def indices_of_letters(*within: object) -> Iterator[Sequence[int]]:
    """Yield the indices that letters in some terms are functions of.

    Raises:
        UnwrittenError: they are functions of what indices make.
    """
    for at in arguments_of_letters(*within):
        yield [_place(x) for x in at]


def _place(e: Expression) -> int:
    """Return which index of a block something is."""
    if e["op"] != "Index":
        raise UnwrittenError("functions of what indices make are not written so far")
    return int(e["number"])


def whole(e: Expression, indices: int = 1) -> str:
    """Return an integer made of letters, symbols and the block, which is called ``i``."""
    match e["op"]:
        case "Integer":
            return str(e["value"]) if e["value"] >= 0 else f"({e['value']})"
        case "Symbol":
            return of_spec(e["name"])
        case "Letter":
            return f"p{e['number']}"
        case "LetterAt":
            taken = [whole(x, indices) for x in e["at"]]
            return f"(p{e['number']} {' '.join(taken)})"
        case "Index":
            return numbered(indices)[int(e["number"]) - 1]
        case "Combined":
            return _combined(e["word"], [whole(x, indices) for x in e["items"]])
        case other:
            raise UnwrittenError(f"a condition on blocks of the form {other}")


def _combined(word: str, items: list[str]) -> str:
    match word:
        case "add" | "mul":
            return f"({(' + ' if word == 'add' else ' * ').join(items)})"
        case "neg":
            return f"(- {items[0]})"
        case "div":
            return f"({items[0]} / {items[1]})"
        case "mod":
            return f"({items[0]} mod {items[1]})"
        case "pow":
            return power(*items)
        case _:
            return reduce(lambda a, b: f"(Z.{word} {a} {b})", items)


def amount(e: Expression) -> str:
    """Return an integer over the letters and the block ``i``, of which only what is above 0 counts.

    >>> amount({"op": "Amount", "of": {"op": "Letter", "number": 1}})
    'p1'
    """
    if e["op"] != "Amount":
        raise UnwrittenError("distances in a window that are not numbers of values")
    return whole(e["of"])


def last_factor(e: Expression) -> str:
    """Return the last factor of such an integer, which is made of letters: how many values change.

    >>> two, letter = {"op": "Integer", "value": 2}, {"op": "Letter", "number": 1}
    >>> product = {"op": "Combined", "word": "mul", "items": [two, letter]}
    >>> last_factor({"op": "Amount", "of": product})
    'p1'
    """
    of = e["of"] if e["op"] == "Amount" else e
    if of["op"] != "Combined" or of["word"] != "mul":
        raise UnwrittenError("distances in a window that are not numbers of values")
    return whole(of["items"][-1])


def condition(e: Expression, indices: int = 1) -> str:
    r"""Return a condition on the letters and the block ``i``, as a proposition.

    >>> condition({"op": "Compared", "word": "le", "left": {"op": "Letter", "number": 1},
    ...     "right": {"op": "Index", "number": 1}})
    '(p1 <= i)'
    """
    if e["op"] == "Compared":
        left, right = (whole(e[side], indices) for side in ("left", "right"))
        if e["word"] == "ne":
            return f"(~ ({left} = {right}))"
        return f"({left} {_COMPARED[e['word']]} {right})"
    items = [condition(x, indices) for x in e["items"]]
    if e["word"] == "not":
        return f"(~ {items[0]})"
    return f"({_JOINED[e['word']].join(items)})" if items else _EMPTY[e["word"]]


def choices(times: Expression, free: int, facts: str, sort: str = "Z") -> list[str]:
    """Say of a list ``ps`` of so many choices of integers that there are no more, each with facts.

    ``sort``: of the integers, which may be functions.

    >>> choices({"op": "Size", "name": "r"}, 2, "(p1 < p2)")
    ['(length ps <= (Z.to_nat r_))%nat', '(forall p1 p2 : Z, In (p1, p2) ps -> (p1 < p2))']
    """
    said = [f"(length ps <= {natural(times)})%nat"]
    if facts != "True":
        of_each = bound_by("forall", letters(free), sort)
        said.append(f"({of_each}In {_one_choice(free)} ps -> {facts})")
    return said


def among(free: int, holds: str, sort: str = "Z") -> str:
    r"""Say that something holds for one of the choices of integers, or functions, in ``ps``.

    >>> among(1, "(p1 <= i)")
    '(exists p1 : Z, In p1 ps /\\ (p1 <= i))'
    """
    return f"({bound_by('exists', letters(free), sort)}In {_one_choice(free)} ps /\\ {holds})"


def sort_of_choice(free: int, sort: str = "Z") -> str:
    """Return the sort of one choice of integers, or functions.

    >>> sort_of_choice(1), sort_of_choice(2)
    ('Z', '(Z * Z)')
    """
    return sort if free == 1 else f"({' * '.join([sort] * free)})"


def _one_choice(free: int) -> str:
    names = letters(free)
    return names[0] if free == 1 else f"({', '.join(names)})"


def maxima(*bounds: Expression) -> list[Expression]:
    """Return the maxima over integers in some bounds, and those over choices of them, each once."""
    found: list[Expression] = []
    for one in chain.from_iterable(map(_maxima, bounds)):
        if one not in found:
            found.append(one)
    return found


def _maxima(e: Expression) -> Iterator[Expression]:
    if e["op"] in {"MaxOver", "Coverage"}:
        yield e
    for item in e.get("items", ()):
        yield from _maxima(item)


def over_letters(most: Expression, name: str) -> str:
    """Say that a number is at least what is greatest over some integers, or choices of them."""
    if most["op"] == "Coverage":
        return _over_choices(most["times"], most["most"], name)
    names = letters(most["free"])
    facts = condition(most["facts"])
    body = f"({real(most['body'])} <= {name})%R"
    if facts != "True":
        body = f"{facts} -> {body}"
    return bound_by("forall", names, sort_of_letters(most)) + body


def _over_choices(times: Expression, most: Expression, name: str) -> str:
    free, facts, sort = most["free"], condition(most["facts"]), sort_of_letters(most)
    if not free:
        raise UnwrittenError("choices of nothing are not written so far")
    said = " -> ".join(choices(times, free, facts, sort))
    body = real(most["body"], of=(free, sort))
    return f"forall ps : list {sort_of_choice(free, sort)}, {said} -> ({body} <= {name})%R"


def bound_by(quantifier: str, names: Sequence[str], sort: str) -> str:
    """Return the head of a formula about all or some letters, nothing if there are none.

    >>> bound_by("forall", ["p1", "p2"], "Z"), bound_by("exists", [], "Z")
    ('forall p1 p2 : Z, ', '')
    """
    return f"{quantifier} {' '.join(names)} : {sort}, " if names else ""


def real(e: Expression, most: Sequence[Expression] = (), of: tuple[int, str] | None = None) -> str:
    """Return a bound, of sort R; inside of a choice of blocks the block is ``i``.

    Args:
        e: the bound.
        most: the maxima over integers that have a name: ``most1`` and so on.
        of: of how many integers, of which sort, there are several choices, ``ps``; None where there
            is one choice.
    """
    match e["op"]:
        case "Num":
            value = Fraction(e["value"])
            whole = value.denominator == 1
            return str(value.numerator) if whole else f"({value.numerator} / {value.denominator})"
        case "Param":
            return of_spec(e["name"])
        case "Entry":
            return f"{of_spec(e['name'])} i"
        case "EntryOf" if len(e["block"]) == 1:
            return f"{of_spec(e['name'])} {e['block'][0]}%Z"
        case "Size":
            return f"IZR {of_spec(e['name'])}"
        case "Amount":
            return f"IZR (Z.max 0 {amount(e)})"
        case "Sum" | "Product":
            sign = " + " if e["op"] == "Sum" else " * "
            return f"({sign.join(real(x, most, of) for x in e['items'])})"
        case "Max":
            return reduce(lambda a, b: f"(Rmax {a} {b})", _arguments(e, most))
        case "MaxOver" | "Coverage" if e in most:
            return f"most{most.index(e) + 1}"
        case "SumOver" if infinite(e["count"]):
            blocks = blocks_of(e["sizes"])
            when = condition(e["when"], len(e["sizes"]))
            return window(blocks, among(of[0], when, of[1]) if of else when, real(e["value"]))
        case "SumOver" if not of:
            when = condition(e["when"], len(e["sizes"]))
            each = only(when, real(e["value"]))
            return choice(blocks_of(e["sizes"]), e["count"], each)
        case "Worst" if len(e["groups"]) == 1:
            (group,) = e["groups"]
            return choice(blocks_of(e["sizes"]), group["count"], real(group["value"]))
        case "Apply" if e["name"] == "growth":
            eps, steps = e["items"]
            return f"growth {_argument(real(eps, most))} {_steps(steps)}"
        case "Inf":
            raise UnwrittenError("the bound is infinite: there is nothing to prove")
        case other:
            raise UnwrittenError(f"a bound of the form {other} is not written so far")


def _arguments(e: Expression, most: Sequence[Expression]) -> list[str]:
    """Return the items as arguments: each in parentheses where it has more than one word."""
    return [_argument(real(x, most)) for x in e["items"]]


def _argument(text: str) -> str:
    return text if text.startswith("(") or " " not in text else f"({text})"


def _steps(e: Expression) -> str:
    """Return a distance, of sort nat."""
    return f"(Z.to_nat {amount(e)})" if e["op"] == "Amount" else natural(e)


def window(blocks: str, when: str, value: str) -> str:
    """Return the sum over all blocks with a condition, which can be none."""
    return f"(sum {blocks} (fun i => {only(when, value)}))"


def only(when: str, value: str) -> str:
    """Return a value that counts under a condition.

    >>> only("(p1 <= i)", "eps_ i")
    'if dec (p1 <= i)%Z then eps_ i else 0'
    """
    return value if when == "True" else f"if dec {when}%Z then {value} else 0"


def choice(blocks: str, count: Expression, value: str) -> str:
    """Return the sum over the worst blocks, over all of them for an infinite count."""
    if infinite(count):
        return f"(sum {blocks} (fun i => {value}))"
    return f"(worst {natural(count)} {blocks} (fun i => {value}))"
