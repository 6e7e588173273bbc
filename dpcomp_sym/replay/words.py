"""Terms in plain characters, for the report of a verification.

Written anew from the grammar of what a derivation prints, so that both texts can be compared: a sum
binds least, then what reaches to the right ("sum of the 3 largest …"), then products.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dpcomp_sym.replay.terms import Node

__all__ = ["blocks", "called", "condition", "integer", "number_of_blocks", "where", "words"]

CASES, SUM, OPEN, PRODUCT, POWER, ATOM = range(6)
LETTERS = "ijlnst"


def words(e: Node, bound: dict[Node, str] | None = None) -> str:
    """Return an expression in plain characters; ``bound`` says what letters and indices are called.

    >>> from dpcomp_sym.replay.terms import make
    >>> eps = make("Entry", "eps", ("k",))
    >>> words(make("Worst", ("k",), (make("Choice", make("Inf"), eps),)))
    'sum(eps[i])'
    """
    return _written(e, bound or {}, 0)[0]


def _at(e: Node, level: int, bound: dict[Node, str], used: int) -> str:
    """Return an expression, in brackets if it binds less than it must."""
    text, own = _written(e, bound, used)
    return text if own >= level else f"({text})"


def _written(e: Node, bound: dict[Node, str], used: int) -> tuple[str, int]:
    """Return an expression, and how it binds."""
    match e:
        case ("Num", value):
            return str(value), ATOM if "/" not in str(value) else PRODUCT
        case ("Inf",):
            return "inf", ATOM
        case ("Param" | "Size", name):
            return str(name), ATOM
        case ("Entry", name, sizes):
            index = bound.get(sizes, _index(sizes, 0))
            return (f"{name}[{index}]" if index else str(name)), ATOM
        case ("EntryOf", name, _, block):
            return f"{name}[{','.join(map(str, block))}]", ATOM
        case ("Sum" | "Product" | "Max" as kind, items) if len(items) < 2:
            empty = "1" if kind == "Product" else "0"
            return _written(items[0], bound, used) if items else (empty, ATOM)
        case ("Sum", items):
            parts = [_at(x, PRODUCT, bound, used) for x in items[:-1]]
            return " + ".join([*parts, _at(items[-1], OPEN, bound, used)]), SUM
        case ("Product", items):
            return "*".join(_factors(items, bound, used)), PRODUCT
        case ("Max", items):
            return f"max({', '.join(_at(x, SUM, bound, used) for x in items)})", ATOM
        case ("Sqrt", of):
            return f"sqrt({_at(of, SUM, bound, used)})", ATOM
        case ("Apply", name, items):
            return f"{name}({', '.join(_at(x, SUM, bound, used) for x in items)})", ATOM
        case ("Worst", sizes, groups):
            return _worst(sizes, groups, bound, used)
        case ("Amount", of):
            return f"max(0, {_integer(of, bound)[0]})", ATOM
        case ("SumOver", sizes, when, count, value):
            return _over(sizes, when, count, value, bound, used)
        case ("MaxOver", free, facts, body):
            return _over_letters(e, free, facts, body, bound, used)
        case ("Coverage", times, most):
            _, free, facts, body = most
            names = _letters(e, free, used)
            if not names:
                return _over_letters(most, free, facts, body, bound, used)
            within = {**bound, **called("Letter", names)}
            of = _over_names(
                f"{_at(times, PRODUCT, bound, used)} choices of ", names, facts, within
            )
            return f"{of} of {_at(body, PRODUCT, within, used)}", OPEN
        case ("Cases", items):
            rows = [f"{_at(v, SUM, bound, used)} for {_ranges(w) or 'all'}" for _, w, v in items]
            return "; ".join(rows), CASES
        case _:
            return str(e[0]), ATOM


def _index(sizes: Node, start: int) -> str:
    names = []
    for place in range(start, start + len(sizes)):
        again = place // len(LETTERS)
        names.append(LETTERS[place % len(LETTERS)] + (str(again) if again else ""))
    return ",".join(names)


def _factors(items: Node, bound: dict[Node, str], used: int) -> list[str]:
    found = []
    for item, run in groupby(items):
        times = len(list(run))
        inner = item[0] == "Product" and len(item[1]) > 1
        text = _at(item, ATOM if inner or times > 1 else PRODUCT, bound, used)
        found.append(text if times == 1 else f"{text}^{times}")
    return found


def _worst(sizes: Node, groups: Node, bound: dict[Node, str], used: int) -> tuple[str, int]:
    if not groups:
        return "0", ATOM
    named = [_speaks_of(value, sizes) for _, _, value in groups]
    if len(groups) > 1 and all(named) and _letters_do(groups):
        return _different(sizes, groups, bound, used)
    index, inside = _index(sizes, used), used + len(sizes)
    within = {**bound, sizes: index}
    family = "" if any(named) else _family(sizes, index)
    if len(groups) > 1:
        each = [
            f"{'all' if count == ('Inf',) else _at(count, SUM, bound, used)} of "
            f"{_written(value, within, inside)[0]}"
            for _, count, value in groups
        ]
        return f"max over different blocks({'; '.join(each)}{family})", ATOM
    ((_, count, value),) = groups
    text, level = _written(value, within, inside)
    if count == ("Num", 1):
        return f"max({text}{family})", ATOM
    if count == ("Inf",):
        return f"sum({text}{family})", ATOM
    of = f"({text}{family})" if level < PRODUCT or family else text
    return f"sum of the {_at(count, SUM, bound, used)} largest {of}", OPEN


LETTERS_OF_PAIRS = "tuvxyz"
TRUE: Node = ("Connected", "and", ())


def number_of_blocks(count: Node, bound: dict[Node, str], used: int = 0) -> str:
    """Return a number of blocks: of a number below 0 there are none.

    >>> number_of_blocks(("Amount", ("Letter", 1)), {("Letter", 1): "t"})
    't'
    """
    if count[0] == "Amount":
        return _integer(count[1], bound)[0]
    return _at(count, SUM, bound, used)


def _over(
    sizes: Node, when: Node, count: Node, value: Node, bound: dict[Node, str], used: int
) -> tuple[str, int]:
    index = _index(sizes, used)
    within = {**bound, sizes: index, **called("Index", index.split(","))}
    if not sizes:
        if when == TRUE:
            return _written(value, within, used)
        return f"({_at(value, SUM, within, used)} if {condition(when, within)})", ATOM
    text, level = _written(value, within, used + len(sizes))
    family = "" if _speaks_of(value, sizes) else _family(sizes, index)
    most = None if count == ("Inf",) else number_of_blocks(count, bound, used)
    if when != TRUE:
        of = f"{text if level >= SUM else f'({text})'} for {condition(when, within)}{family}"
    elif most in (None, "1"):
        of = f"{text}{family}"
    else:
        of = f"({text}{family})" if level < PRODUCT or family else text
        return f"sum of the {most} largest {of}", OPEN
    if most is None:
        return f"sum({of})", ATOM
    return (f"max({of})", ATOM) if most == "1" else (f"sum of the {most} largest ({of})", OPEN)


def _over_letters(
    e: Node, free: int, facts: Node, body: Node, bound: dict[Node, str], used: int
) -> tuple[str, int]:
    each = _largest_of_each(body) if free == 1 and facts == TRUE else None
    if each is not None:
        sizes, last, of = each
        index = _index(sizes, used)
        inner = _at(of, PRODUCT, {**bound, sizes: index}, used + len(sizes))
        names = index.split(",")
        one = names.pop(last - 1)
        return f"sum over {', '.join(names)} of max over {one} of {inner}", OPEN
    names = _letters(e, free, used)
    within = {**bound, **called("Letter", names)}
    if free == 0:
        return _over((), facts, ("Inf",), body, within, used)
    over = _over_names("", names, facts, within)
    return f"{over} of {_at(body, PRODUCT, within, used)}", OPEN


def _over_names(times: str, names: list[str], facts: Node, within: dict[Node, str]) -> str:
    """Return over which integers something is largest."""
    said = "" if facts == TRUE else f" with {condition(facts, within)}"
    return f"max over {times}{', '.join(names)}{said}"


def _largest_of_each(body: Node) -> tuple[Node, int, Node] | None:
    """Return the family, the index that is chosen for each of the others, and the value."""
    match body:
        case ("SumOver", sizes, ("Compared", "eq", ("Index", last), ("LetterAt", _, at)), _, of):
            others = tuple(("Index", n) for n in range(1, len(sizes) + 1) if n != last)
            return (sizes, last, of) if at == others != () and _speaks_of(of, sizes) else None
        case _:
            return None


def _letters(e: Node, free: int, used: int) -> list[str]:
    """Return letters that nothing in an expression is called."""
    taken: set[str] = set()
    todo: list[object] = [e]
    while todo:
        node = todo.pop()
        if not isinstance(node, tuple):
            continue
        todo += node
        match node:
            case (("Param" | "Entry" | "Size" | "Symbol" | "Apply"), str(name), *_):
                taken.add(name)
            case _:
                pass
        match node:
            case ("SumOver", sizes, *_):
                taken |= {*map(str, sizes), *_index(sizes, used).split(",")}
            case ("Worst", sizes, *_) | ("Entry", _, sizes):
                taken |= set(map(str, sizes))
            case _:
                pass
    found: list[str] = []
    rounds = 0
    while len(found) < free:
        mark = str(rounds) if rounds else ""
        found += [x + mark for x in LETTERS_OF_PAIRS if x + mark not in taken]
        rounds += 1
    return found[:free]


def called(kind: str, names: Sequence[str]) -> dict[Node, str]:
    """Return what letters or indices are called, in order, as what is bound.

    >>> called("Index", ["i", "j"])
    {('Index', 1): 'i', ('Index', 2): 'j'}
    """
    return {(kind, number): name for number, name in enumerate(names, 1)}


def _name(node: Node, bound: dict[Node, str]) -> str:
    return bound.get(node, f"{'p' if node[0] == 'Letter' else 'b'}{node[1]}")


def integer(e: Node, bound: dict[Node, str]) -> str:
    """Return an integer in words; ``bound`` says what letters and indices are called.

    >>> week = ("Combined", "div", (("Index", 1), ("Integer", 7)))
    >>> integer(week, called("Index", ["i"]))
    'i//7'
    """
    return _integer(e, bound)[0]


def _integer(e: Node, bound: dict[Node, str]) -> tuple[str, int]:
    """Return an integer, and how it binds."""

    def at(inner: Node, level: int) -> str:
        text, own = _integer(inner, bound)
        return text if own >= level else f"({text})"

    match e:
        case ("Integer", value):
            return str(value), ATOM if value >= 0 else PRODUCT
        case ("Symbol", name):
            return str(name), ATOM
        case ("Letter" | "Index", _):
            return _name(e, bound), ATOM
        case ("LetterAt", number, of):
            if e[:2] in bound:  # what it is in the block at hand
                return bound[e[:2]], ATOM
            taken = ",".join(_integer(x, bound)[0] for x in of)
            return f"{_name(('Letter', number), bound)}({taken})", ATOM
        case ("Combined", "add", items):
            text = at(items[0], SUM)
            for item in items[1:]:
                if item[0] == "Integer" and item[1] < 0:
                    text += f" - {-item[1]}"
                elif item[:2] == ("Combined", "neg"):
                    text += f" - {at(item[2][0], PRODUCT)}"
                else:
                    text += f" + {at(item, PRODUCT)}"
            return text, SUM
        case ("Combined", "neg", items):
            return f"-{at(items[0], POWER)}", PRODUCT
        case ("Combined", "min" | "max" as op, items):
            return f"{op}({', '.join(_integer(x, bound)[0] for x in items)})", ATOM
        case ("Combined", "pow", (base, exponent)):
            return f"{at(base, ATOM)}**{at(exponent, ATOM)}", POWER
        case ("Combined", op, items):
            sign = {"mul": "*", "div": "//", "mod": " % "}[op]
            return sign.join(at(x, POWER) for x in items), PRODUCT
        case _:
            return str(e[0]), ATOM


def condition(p: Node, bound: dict[Node, str] | None = None) -> str:
    """Return a condition on integers in plain characters.

    >>> condition(("Compared", "lt", ("Letter", 1), ("Index", 1)))
    'p1 < b1'
    """
    return _condition(p, bound or {})[0]


def _condition(p: Node, bound: dict[Node, str]) -> tuple[str, int]:
    def at(inner: Node, level: int) -> str:
        text, own = _condition(inner, bound)
        return text if own >= level else f"({text})"

    signs = {"lt": " < ", "le": " <= ", "eq": " == ", "ne": " != "}
    match p:
        case ("Compared", op, left, right):
            return f"{_integer(left, bound)[0]}{signs[op]}{_integer(right, bound)[0]}", 2
        case ("Connected", "not", (inner,)):
            return f"not ({_condition(inner, bound)[0]})", 2
        case ("Connected", op, ()):
            return "true" if op == "and" else "false", 2
        case ("Connected", _, (one,)):
            return _condition(one, bound)
        case ("Connected", "or", items):
            return " or ".join(at(x, 1) for x in items), 0
        case ("Connected", _, items):
            found: list[str] = []
            open_at: Node | None = None
            for item in items:
                below = item[0] == "Compared" and item[1] in ("lt", "le")
                if below and open_at is not None and item[2] == open_at:
                    found[-1] += f"{signs[item[1]]}{_integer(item[3], bound)[0]}"
                    open_at = None
                else:
                    found.append(at(item, 2))
                    open_at = item[3] if below else None
            return " and ".join(found), 1
        case _:
            return str(p[0]), 2


def _different(sizes: Node, groups: Node, bound: dict[Node, str], used: int) -> tuple[str, int]:
    values = [value for _, (_, count), value in groups for _ in range(int(count))]
    names = [_index(sizes, used + n * len(sizes)) for n in range(len(values))]
    inside = used + len(values) * len(sizes)
    body = " + ".join(
        _at(value, PRODUCT, {**bound, sizes: name}, inside)
        for value, name in zip(values, names, strict=True)
    )
    if len(sizes) > 1:
        names = [f"({name})" for name in names]
    over = " != ".join(names) if len(names) == 2 else f"different {', '.join(names)}"
    return f"max over {over} of ({body})", OPEN


def _letters_do(groups: Node) -> bool:
    """Return whether letters say it: at most three blocks, with different values."""
    counts = [count[1] if count[0] == "Num" else 0 for _, count, _ in groups]
    whole = all(count >= 1 and count == int(count) for count in counts)
    return whole and sum(counts) <= 3 and len({value for _, _, value in groups}) == len(groups)


def _speaks_of(e: Node, sizes: Node) -> bool:
    """Return whether an expression names the block at hand of a family."""
    if e[0] == "Entry":
        return bool(e[2] == sizes)
    if e[0] == "Worst":
        return False
    return any(_speaks_of(x, sizes) for x in _inside(e))


def _inside(e: Node) -> list[Node]:
    """Return the expressions directly inside."""
    match e:
        case ("Sum" | "Product" | "Max", items) | ("Apply", _, items):
            return list(items)
        case ("Sqrt", of):
            return [of]
        case ("Cases", items):
            return [value for _, _, value in items]
        case _:
            return []


def _family(sizes: Node, index: str) -> str:
    each = zip(index.split(","), sizes, strict=True)
    return "; " + ", ".join(f"{letter} <= {size}" for letter, size in each)


def blocks(count: Node) -> str:
    """Return so many blocks in words.

    >>> blocks(("Num", 1)), blocks(("Size", "m"))
    ('1 block', 'm blocks')
    """
    said = words(count)
    return f"{said} block" if said == "1" else f"{said} blocks"


def where(box: tuple[Node, ...]) -> str:
    """Return a box of sizes in plain characters."""
    return ", ".join(map(_range, box))


def _ranges(box: tuple[Node, ...]) -> str:
    return " and ".join(map(_range, box))


def _range(r: Node) -> str:
    _, symbol, low, high = r
    if high is None:
        return f"{symbol} >= {low}"
    return f"{symbol} = {low}" if high == low else f"{low} <= {symbol} <= {high}"
