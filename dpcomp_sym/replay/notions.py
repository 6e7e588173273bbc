"""What each notion of privacy says, once more: guarantees at a distance, and in other notions.

A notion is entered by :func:`enter`, a conversion in :data:`CONVERSIONS`.  Nothing is shared with
the notions of the kernel, so that a mistake in either shows as a disagreement.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

from dpcomp_sym.replay.algebra import INF, ONE, ZERO, num
from dpcomp_sym.replay.terms import NOTIONS, Node, RejectedError, make, need

__all__ = [
    "CONVERSIONS",
    "Conversion",
    "Meaning",
    "converted",
    "enter",
    "meaning",
    "scaled",
    "times",
    "walked",
]

Nodes = tuple[Node, ...]


class Meaning(NamedTuple):
    """The number of parameters, a guarantee at a distance, and whether squares are added up.

    ``straight``: a fraction of a distance costs at most this fraction of what it costs.
    """

    parameters: int
    at: Callable[[Nodes, Node], Nodes]
    rooted: bool = False
    straight: bool = True


class Conversion(NamedTuple):
    """A guarantee in another notion, and how many parameters are chosen.

    ``both_ways``: only if it holds in both directions; ``straight``: as of a notion.  ``steps``:
    what is known better where the distance counts steps, each of them under the guarantee, and
    ``steps_straight`` as of a notion.
    """

    to: Callable[[Nodes, Nodes], Nodes]
    chosen: int = 0
    both_ways: bool = False
    straight: bool = False
    steps: Callable[[Nodes, Node], Nodes] | None = None
    steps_straight: bool = False


def times(*items: Node) -> Node:
    """Return a product without factors 1."""
    kept = tuple(x for x in items if x != ONE)
    return kept[0] if len(kept) == 1 else make("Product", kept) if kept else ONE


MEANINGS: Final[dict[str, Meaning]] = {}


def enter(name: str, meaning: Meaning) -> None:
    """Enter a notion."""
    need(name not in MEANINGS, f"{name} is there already")
    MEANINGS[name] = meaning
    NOTIONS[name] = meaning.parameters


def meaning(name: str) -> Meaning:
    """Return what is known of a notion."""
    need(name in MEANINGS, f"nothing is known of {name} guarantees")
    return MEANINGS[name]


def scaled(notion: str, guarantee: Nodes, r: Node) -> Nodes:
    """Return a guarantee at distance r."""
    known = meaning(notion)
    need(len(guarantee) == known.parameters, f"nothing is known of such {notion} guarantees")
    return (r,) * len(guarantee) if r in (ZERO, INF) else known.at(guarantee, r)


def converted(source: str, target: str, guarantee: Nodes, chosen: Nodes) -> Nodes:
    """Return a guarantee in the units of another notion."""
    need((source, target) in CONVERSIONS, f"no conversion from {source} to {target}")
    known = CONVERSIONS[source, target]
    need(len(chosen) == known.chosen, f"{known.chosen} parameters are chosen")
    return known.to(guarantee, chosen)


def walked(source: str, target: str, guarantee: Nodes, r: Node) -> Nodes:
    """Return what r steps cost in another notion, each of them under a guarantee."""
    need((source, target) in CONVERSIONS, f"no conversion from {source} to {target}")
    steps = CONVERSIONS[source, target].steps
    need(len(guarantee) == meaning(source).parameters, f"no {source} guarantee")
    if steps is None:
        raise RejectedError(f"nothing is known of paths from {source} to {target}")
    return (r,) * NOTIONS[target] if r in (ZERO, INF) else steps(guarantee, r)


def _approximate(guarantee: Nodes, r: Node) -> Nodes:
    eps, delta = guarantee
    if delta == ZERO or r == ONE:
        return times(r, eps), delta
    return times(r, eps), times(delta, make("Apply", "growth", (eps, r)))


enter("pure", Meaning(1, lambda g, r: (times(r, *g),)))
enter("approximate", Meaning(2, _approximate))
enter("zcdp", Meaning(1, lambda g, r: (times(r, r, *g),)))
enter("gaussian", Meaning(1, lambda g, r: (times(r, *g),), rooted=True))


def _half_square(guarantee: Nodes, _: Nodes) -> Nodes:
    return (times(num(Fraction(1, 2)), *guarantee, *guarantee),)


def _coins(eps: Node) -> Node:
    """Return the relative entropy of two coins with odds e^eps and e^-eps."""
    return times(eps, make("Apply", "tanh", (times(num(Fraction(1, 2)), eps),)))


def _path_rho(guarantee: Nodes, r: Node) -> Nodes:
    return (_coins(*guarantee) if r == ONE else make("Apply", "path_rho", (*guarantee, r)),)


def _path_mu(guarantee: Nodes, r: Node) -> Nodes:
    one = r == ONE
    return (make("Apply", "gdp" if one else "path_mu", guarantee if one else (*guarantee, r)),)


CONVERSIONS: Final[dict[tuple[str, str], Conversion]] = {
    ("pure", "approximate"): Conversion(lambda g, _: (*g, ZERO), straight=True),
    ("pure", "gaussian"): Conversion(
        lambda g, _: (make("Apply", "gdp", g),), both_ways=True, steps=_path_mu
    ),
    ("pure", "zcdp"): Conversion(
        lambda g, _: (_coins(*g),), both_ways=True, steps=_path_rho, steps_straight=True
    ),
    ("gaussian", "zcdp"): Conversion(_half_square, straight=True),
    ("zcdp", "approximate"): Conversion(
        lambda g, c: (make("Apply", "zcdp_epsilon", (*g, *c)), *c), chosen=1
    ),
    ("gaussian", "approximate"): Conversion(
        lambda g, c: (*c, make("Apply", "gaussian_delta", (*g, *c))), chosen=1
    ),
}
