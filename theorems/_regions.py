"""Multisets by the sizes of their regions: sizes of differences as linear arithmetic.

A multiset is the set of its levels (record, copy).  For some databases and some classes of
records, a region is the set of the levels of a class that lie in exactly these databases; every
size of an intersection or difference is a sum of regions.  Any multisets have regions, so that
what holds for all natural numbers holds for all multisets over any universe.  Conversely regions
are realized by as many distinct records, if there are that many.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from theorems._entry import Obligation
from theorems._prove import by_induction, holds

__all__ = ["Regions", "bounded", "canonical", "unbounded"]

Inside = Mapping[str, bool]


class Regions:
    """Region sizes of databases ``names`` over classes of records."""

    def __init__(self, names: str, classes: Iterable[str] = ("a",), tag: str = "") -> None:
        import z3

        self.names, self.classes = names, tuple(classes)
        self.sizes: dict[tuple[str, tuple[int, ...]], Any] = {
            (c, bits): z3.Int(f"n{tag}_{c}_{''.join(map(str, bits))}")
            for c in self.classes
            for bits in itertools.product((0, 1), repeat=len(names))
            if any(bits)
        }
        self.facts = [size >= 0 for size in self.sizes.values()]

    def count(self, inside: Callable[[Inside], bool], classes: Iterable[str] | None = None) -> Any:
        """Return the number of levels of these classes that lie where ``inside`` says."""
        import z3

        wanted = self.classes if classes is None else tuple(classes)
        found = [
            size
            for (c, bits), size in self.sizes.items()
            if c in wanted and inside(dict(zip(self.names, map(bool, bits), strict=True)))
        ]
        total: Any = z3.IntVal(0)
        for size in found:
            total = total + size
        return total

    def size(self, a: str, classes: Iterable[str] | None = None) -> Any:
        """Return the size of a database, or of its part in these classes."""
        return self.count(lambda d: d[a], classes)

    def minus(self, a: str, b: str, classes: Iterable[str] | None = None) -> Any:
        """Return the size of a ∖ b."""
        return self.count(lambda d: d[a] and not d[b], classes)

    def apart(self, a: str, b: str, classes: Iterable[str] | None = None) -> Any:
        """Return the size of the symmetric difference."""
        return self.count(lambda d: d[a] != d[b], classes)


def unbounded(w: Regions, a: str, b: str) -> Any:
    """Say that one record is added or removed."""
    return w.apart(a, b) == 1


def bounded(w: Regions, a: str, b: str) -> Any:
    """Say that one record is replaced."""
    import z3

    return z3.And(w.size(a) == w.size(b), w.minus(a, b) == 1)


def canonical(
    neighbours: Callable[[Regions, str, str], Any],
    metric: Callable[[Any, Any], Any],
    finite: Callable[[Any, Any], Any],
    member: Callable[[Any], Any] | None = None,
) -> dict[str, Obligation]:
    """Prove a closed form of a canonical metric, in |D∖E| and |E∖D|; infinite unless ``finite``.

    Args:
        neighbours: the granularity.
        metric: the claimed distance.
        finite: where it is finite.
        member: which sizes the class has; all if not given.

    The obligations: it is 0 only for equal databases; a step changes it by at most 1; no step
    leads from finite to infinite; and from every finite positive distance some step leads down,
    where only databases between D ∩ E and D ∪ E are used, which always exist.  That these four
    make the least number of steps of it is the last obligation.
    """
    import z3

    def in_class(size: Any) -> Any:
        return z3.BoolVal(True) if member is None else member(size)

    w = Regions("DEF")
    inner = list(w.sizes.values())
    outer = {b: z3.Int(f"v{''.join(map(str, b))}") for b in ((1, 0), (0, 1), (1, 1))}
    link = [outer[b] == w.sizes["a", (*b, 0)] + w.sizes["a", (*b, 1)] for b in outer]
    between = [w.sizes["a", (1, 1, 0)] == 0, w.sizes["a", (0, 0, 1)] == 0]
    de = w.minus("D", "E"), w.minus("E", "D")
    df = w.minus("D", "F"), w.minus("F", "D")
    p, q, both = outer[1, 0], outer[0, 1], outer[1, 1]
    base = [x >= 0 for x in outer.values()] + [in_class(p + both), in_class(q + both)]
    sizes = [in_class(w.size(x)) for x in "DEF"]
    down = z3.And(
        *w.facts, *link, *between, in_class(w.size("F")), neighbours(w, "E", "F"), finite(*df),
        metric(*df) == metric(p, q) - 1,
    )  # fmt: skip
    step = z3.Exists(inner, down)
    near = z3.And(metric(*df) - metric(*de) <= 1, metric(*de) - metric(*df) <= 1)
    some = [neighbours(w, "E", "F"), *w.facts, *sizes]
    never_infinite = z3.is_true(z3.simplify(finite(*de)))
    kept = holds(finite(*de) == finite(*df), *some)
    return {
        "distance 0 only between equal databases": holds(
            (metric(p, q) == 0) == z3.And(p == 0, q == 0), *base, finite(p, q)
        ),
        "a step changes the distance by at most 1": holds(near, *some, finite(*de)),
        **({} if never_infinite else {"no step leads from finite to infinite": kept}),
        "some step leads nearer": holds(step, *base, finite(p, q), metric(p, q) > 0),
        "so it is the least number of steps": _least_number_of_steps(),
    }


def _least_number_of_steps() -> Obligation:
    """Ask whether a number with these four properties counts the steps from D, in any graph.

    within(n, x) says that at most n steps lead from D to x.
    """
    import z3

    points, whole = z3.DeclareSort("Database"), z3.IntSort()
    D, x, y = z3.Consts("D x y", points)
    link = z3.Function("neighbours", points, points, z3.BoolSort())
    within = z3.Function("within", whole, points, z3.BoolSort())
    far, finite = z3.Function("d", points, whole), z3.Function("finite", points, z3.BoolSort())
    properties = [
        finite(D),
        z3.ForAll([x], far(x) >= 0),
        z3.ForAll([x], z3.Implies(finite(x), (far(x) == 0) == (x == D))),
        z3.ForAll(
            [x, y],
            z3.Implies(z3.And(link(x, y), finite(x)), z3.And(finite(y), far(y) <= far(x) + 1)),
        ),
        z3.ForAll(
            [y],
            z3.Implies(
                z3.And(finite(y), far(y) > 0),
                z3.Exists([x], z3.And(link(x, y), finite(x), far(x) == far(y) - 1)),
            ),
        ),
    ]

    def counted(n: Any) -> Any:
        return z3.ForAll([x], within(n, x) == z3.And(finite(x), far(x) <= n))

    def following(n: Any) -> list[Any]:
        before = z3.Exists([x], z3.And(within(n, x), link(x, y)))
        return [*properties, z3.ForAll([y], within(n + 1, y) == z3.Or(within(n, y), before))]

    start = z3.ForAll([x], within(0, x) == (x == D))
    return by_induction(counted, [*properties, start], following)
