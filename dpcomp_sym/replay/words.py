"""Terms in plain characters, for the report of a verification.

Written anew from the grammar of what a derivation prints, so that both texts can be compared: a sum
binds least, then what reaches to the right ("sum of the 3 largest …"), then products.
"""

from __future__ import annotations

from itertools import groupby

from dpcomp_sym.replay.terms import Node

__all__ = ["blocks", "where", "words"]

CASES, SUM, OPEN, PRODUCT, ATOM = range(5)
LETTERS = "ijlnst"


def words(e: Node) -> str:
    """Return an expression in plain characters.

    >>> from dpcomp_sym.replay.terms import make
    >>> eps = make("Entry", "eps", ("k",))
    >>> words(make("Worst", ("k",), (make("Choice", make("Inf"), eps),)))
    'sum(eps[i])'
    """
    return _written(e, {}, 0)[0]


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
