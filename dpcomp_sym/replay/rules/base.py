"""What the rules of the replay are written with: their table, sums, and boxes of sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any, Final, TypeVar

from dpcomp_sym.replay.algebra import (
    INF,
    ZERO,
)
from dpcomp_sym.replay.terms import (
    Node,
    make,
    need,
)

__all__ = [
    "LEAVES",
    "RULES",
    "STRUCTURE",
    "Nodes",
    "box",
    "covered",
    "few",
    "greatest",
    "inside",
    "plus",
    "rule",
    "says",
    "within_range",
]

T = TypeVar("T")
Rule = tuple[tuple[tuple[str, str], ...], Callable[..., Node]]
Nodes = tuple[Node, ...]


RULES: Final[dict[str, Rule]] = {}
LEAVES: Final = frozenset({"given", "oracle"})
STRUCTURE: Final = frozenset(
    {
        "MetricLeq",
        "Sensitive",
        "Compatible",
        "ProfileFact",
        "BlockDistance",
        "TouchCount",
        "Infeasible",
        "ChangedTogether",
        "ChangedByRecords",
        "Together",
        "Shares",
        "Mixed",
        "Restricted",
    }
)
MOST_CASES: Final = 100_000


def rule(signature: str) -> Callable[[Callable[..., Node]], Callable[..., Node]]:
    """Enter a rule under its name; ``signature`` is ``"name:type …"``."""

    def enter(function: Callable[..., Node]) -> Callable[..., Node]:
        arguments = tuple((a.split(":")[0], a.split(":")[1]) for a in signature.split())
        RULES[function.__name__] = (arguments, function)
        return function

    return enter


def says(node: Node, name: str) -> Any:
    """Return the fields of a term that must be of this name."""
    need(node[0] == name, f"{name} is needed, not {node[0]}")
    return node[1:]


def few(items: Iterable[T], most: int = MOST_CASES) -> Iterator[T]:
    """Yield the items; reject if there are too many."""
    for number, item in enumerate(items):
        need(number < most, "too many cases")
        yield item


def box(*ranges: Nodes) -> Nodes:
    """Return the intersection of boxes of sizes, in the order of the symbols."""
    found: dict[str, tuple[int, int | None]] = {}
    for _, symbol, low, high in chain.from_iterable(ranges):
        old_low, old_high = found.get(symbol, (1, None))
        tops = [h for h in (old_high, high) if h is not None]
        found[symbol] = (max(old_low, low), min(tops) if tops else None)
    return tuple(make("Range", s, *found[s]) for s in sorted(found))


# ------------------------------------------------------------- small expressions


def plus(items: Sequence[Node]) -> Node:
    """Return the sum; of one number, that number."""
    kept = tuple(x for x in items if x != ZERO)
    return kept[0] if len(kept) == 1 else make("Sum", kept) if kept else ZERO


def greatest(items: Sequence[Node]) -> Node:
    """Return the maximum, where different numbers are left."""
    kept = tuple(dict.fromkeys(x for x in items if x != ZERO))
    if INF in kept:
        return INF
    return kept[0] if len(kept) == 1 else make("Max", kept) if kept else ZERO


def within_range(value: int, low: int, high: int | None) -> bool:
    """Return whether a number lies in a range; None stands for no end."""
    return low <= value and (high is None or value <= high)


def covered(boxes: Sequence[Nodes], within: Nodes) -> bool:
    """Return whether every choice of sizes in a box lies in one of the boxes."""
    domain: dict[str, tuple[int, int | None]] = {
        symbol: (1, None) for each in boxes for _, symbol, _, _ in each
    }
    domain.update({symbol: (low, high) for _, symbol, low, high in within})
    corners = []
    for symbol, (low, high) in domain.items():
        marks = {low}
        for _, name, start, end in chain.from_iterable(boxes):
            if name == symbol:
                marks |= {start} if end is None else {start, end + 1}
        corners.append([(symbol, m) for m in sorted(marks) if within_range(m, low, high)])
    return all(
        any(all(within_range(at[s], low, high) for _, s, low, high in each) for each in boxes)
        for at in map(dict, few(product(*corners)))
    )


def inside(small: Nodes, large: Nodes) -> bool:
    """Return whether one box of sizes lies in another one."""
    ranges = {symbol: (low, high) for _, symbol, low, high in box(small)}
    for _, symbol, low, high in large:
        least, most = ranges.get(symbol, (1, None))
        if least < low or (high is not None and (most is None or most > high)):
            return False
    return True
