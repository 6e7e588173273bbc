"""Boxes of sizes: their intersection, whether they cover another, how many blocks they allow."""

from __future__ import annotations

from itertools import product

from dpcomp_sym.statements.terms import SizeRange, Sizes, Where


def intersection(*boxes: Where) -> Where:
    """Return the box of the sizes that lie in all these boxes.

    Raises:
        KernelError: there are none.
    """
    found: dict[str, SizeRange] = {}
    for r in (r for box in boxes for r in box):
        old = found.get(r.symbol, SizeRange(r.symbol, 1, None))
        highs = [h for h in (old.high, r.high) if h is not None]
        found[r.symbol] = SizeRange(r.symbol, max(old.low, r.low), min(highs, default=None))
    return tuple(sorted(found.values(), key=lambda r: r.symbol))


def covers(boxes: tuple[Where, ...], within: Where) -> bool:
    """Return whether every choice of sizes in ``within`` lies in some box.

    Between two neighbouring marks nothing changes, so that one choice of each kind is enough.
    """
    ranges = {r.symbol: SizeRange(r.symbol, 1, None) for box in boxes for r in box}
    ranges |= {r.symbol: r for r in within}
    edges = [r for box in (*boxes, within) for r in box]
    marks = {1} | {r.low for r in edges} | {r.high + 1 for r in edges if r.high is not None}

    def lies(n: int, r: SizeRange) -> bool:
        return r.low <= n and (r.high is None or n <= r.high)

    points = [[(r.symbol, n) for n in sorted(marks) if lies(n, r)] for r in ranges.values()]
    return all(
        any(all(lies(at[r.symbol], r) for r in box) for box in boxes)
        for at in map(dict, product(*points))
    )


def most_blocks(sizes: Sizes, where: Where) -> int | None:
    """Return the largest number of blocks for the sizes of a box, None if there is none."""
    highs = {r.symbol: r.high for r in where}
    found = 1
    for size in sizes:
        high = size if isinstance(size, int) else highs.get(size)
        if high is None:
            return None
        found *= high
    return found
