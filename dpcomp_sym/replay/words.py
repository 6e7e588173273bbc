"""Terms in plain characters, for the report of a verification."""

from __future__ import annotations

from dpcomp_sym.replay.terms import Node

__all__ = ["blocks", "where", "words"]


def words(e: Node) -> str:
    """Return an expression in plain characters.

    >>> from dpcomp_sym.replay.terms import make
    >>> eps = make("Entry", "eps", ("k",))
    >>> words(make("Worst", ("k",), (make("Choice", make("Inf"), eps),)))
    'sum(eps[i])'
    """
    match e:
        case ("Num", value):
            return str(value)
        case ("Inf",):
            return "inf"
        case ("Param" | "Size", name):
            return str(name)
        case ("Entry", name, sizes):
            return f"{name}[{', '.join('ijlmn'[: len(sizes)])}]" if sizes else str(name)
        case ("Sum", items):
            return " + ".join(map(words, items)) or "0"
        case ("Product", items):
            return "*".join(f"({words(x)})" if x[0] == "Sum" else words(x) for x in items) or "1"
        case ("Max", items):
            return f"max({', '.join(map(words, items))})"
        case ("Sqrt", of):
            return f"sqrt({words(of)})"
        case ("Apply", name, items):
            return f"{name}({', '.join(map(words, items))})"
        case ("Worst", _, ((_, ("Num", one), value),)) if one == 1:
            return f"max({words(value)})"
        case ("Worst", _, ((_, ("Inf",), value),)):
            return f"sum({words(value)})"
        case ("Worst", _, ((_, count, value),)):
            return f"sum of the {words(count)} largest {words(value)}"
        case ("Worst", _, groups):
            each = "; ".join(f"{words(count)} of {words(value)}" for _, count, value in groups)
            return f"max over different blocks({each})"
        case ("Cases", items):
            return "; ".join(f"{words(v)} for {where(w) or 'all'}" for _, w, v in items)
        case _:
            return str(e[0])


def blocks(count: Node) -> str:
    """Return so many blocks in words.

    >>> blocks(("Num", 1)), blocks(("Size", "m"))
    ('1 block', 'm blocks')
    """
    said = words(count)
    return f"{said} block" if said == "1" else f"{said} blocks"


def where(box: tuple[Node, ...]) -> str:
    """Return a box of sizes in plain characters."""
    said = []
    for _, symbol, low, high in box:
        if high == low:
            said.append(f"{symbol} = {low}")
        elif high is None:
            said.append(f"{symbol} >= {low}")
        else:
            said.append(f"{low} <= {symbol} <= {high}")
    return ", ".join(said)
