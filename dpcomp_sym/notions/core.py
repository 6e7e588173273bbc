"""Privacy notions: commutative ordered monoids on which distances act.

A notion is one value: how guarantees of independent (or adaptively composed) mechanisms
combine, and what a guarantee becomes between databases at distance r.  A worst-case bound is
the maximum over neighbours of the combination of the scaled guarantees, so nothing else has to
be said about a notion to get bounds in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym.notions.exact import Exact, Real, Root, add, growth, root, square, tidy, times
from dpcomp_sym.profile import INFINITY, Infinity

__all__ = [
    "APPROXIMATE",
    "GAUSSIAN",
    "NOTIONS",
    "PURE",
    "ZCDP",
    "Additive",
    "Guarantee",
    "Notion",
    "Words",
    "as_guarantee",
    "register",
]

Guarantee = Real | tuple[Real, Real] | Infinity
"""A number, a pair (epsilon, delta), or INFINITY: no guarantee at all."""

DistanceValue = int | Fraction | Infinity
"""A numeric distance."""


@dataclass(frozen=True, slots=True)
class Additive:
    """Says that a notion with one parameter g adds up after a power of the distance.

    ``scale(g, r) = r^power * g`` with sums (``root`` false), or ``scale(g, r)^2 =
    r^power * g^2`` with sums of squares (``root`` true).  Closed forms and fast numbers need
    nothing else.
    """

    power: int
    root: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    r"""How reports speak of a notion.

    ``adjective``: "pure"; ``short``: "DP", as in "ε-DP"; ``symbols`` and ``latex``: its parameters;
    ``dashes``: the line of its curve in drawings, in the form of SVG, "" for a solid one.

    >>> ZCDP.words.label, APPROXIMATE.words.name, APPROXIMATE.words.formula
    ('zero-concentrated (ρ)', 'approximate differential privacy', '(\\varepsilon, \\delta)')
    """

    adjective: str
    short: str
    symbols: tuple[str, ...]
    latex: tuple[str, ...]
    dashes: str = ""

    @property
    def label(self) -> str:
        """The adjective with the parameters."""
        return f"{self.adjective} ({', '.join(self.symbols)})"

    @property
    def name(self) -> str:
        """The name in full."""
        return f"{self.adjective} differential privacy"

    @property
    def formula(self) -> str:
        """The parameters in LaTeX, a pair in parentheses."""
        return self.latex[0] if len(self.latex) == 1 else f"({', '.join(self.latex)})"


@dataclass(frozen=True, slots=True)
class Notion:
    """A privacy notion.

    Attributes:
        name: the word used in specs and results.
        parameters: the usual names of its parameters.
        parameter: the word for the parameters in machine-readable results.
        defining: what a proof of "M has guarantee g" must establish, for all neighbours.
        unit: the guarantee of a mechanism that tells nothing.
        combine: the guarantee of two mechanisms together (adaptive or not).
        scale: the guarantee between databases at distance r.
        at_most: whether the first guarantee implies the second.
        additive: the shape of combine and scale, if it is that simple.
        sources: the statements behind combine, scale and their joint use.
        words: how reports speak of it.

    >>> PURE.combine(Fraction(1, 2), 1), PURE.scale(Fraction(1, 2), 3)
    (Fraction(3, 2), Fraction(3, 2))
    >>> GAUSSIAN.combine(1, 2), ZCDP.scale(Fraction(1, 2), 2)
    (Root('sqrt(5)'), 2)
    """

    name: str
    parameters: tuple[str, ...]
    parameter: str
    defining: str
    unit: Guarantee
    combine: Callable[[Guarantee, Guarantee], Guarantee]
    scale: Callable[[Guarantee, DistanceValue], Guarantee]
    at_most: Callable[[Guarantee, Guarantee], bool]
    additive: Additive | None
    sources: tuple[str, ...]
    words: Words


def as_guarantee(eps: Real, delta: Real) -> Guarantee:
    """Return the pair, or no guarantee once ``delta`` is 1 or more (GB24.VI.3).

    >>> as_guarantee(6, Fraction(6, 100_000)), as_guarantee(1, 1)
    ((6, Fraction(3, 50000)), Infinity())
    """
    return INFINITY if delta >= 1 else (tidy(eps), tidy(delta))


def _number(g: Guarantee) -> Real:
    if isinstance(g, tuple | Infinity):
        raise TypeError(f"this notion has one finite parameter, not {g}")
    return g


def _additive(
    shape: Additive,
) -> tuple[
    Callable[[Guarantee, Guarantee], Guarantee],
    Callable[[Guarantee, DistanceValue], Guarantee],
    Callable[[Guarantee, Guarantee], bool],
]:
    """Return combine, scale and the order of a notion of this shape."""

    def combine(a: Guarantee, b: Guarantee) -> Guarantee:
        if isinstance(a, Infinity) or isinstance(b, Infinity):
            return INFINITY
        x, y = _number(a), _number(b)
        if not shape.root:
            return tidy(add(x, y))
        return root(add(square(x), square(y)))

    def scale(g: Guarantee, r: DistanceValue) -> Guarantee:
        if isinstance(r, Infinity):
            return INFINITY
        if r == 0:
            return 0
        if isinstance(g, Infinity):
            return INFINITY
        if not shape.root:
            return tidy(times(_number(g), r**shape.power))
        if shape.power == 2 and not isinstance(g, Root):
            return tidy(times(_number(g), r))
        return root(times(square(_number(g)), r**shape.power))

    def at_most(a: Guarantee, b: Guarantee) -> bool:
        if isinstance(b, Infinity):
            return True
        return not isinstance(a, Infinity) and bool(_number(a) <= _number(b))

    return combine, scale, at_most


def _additive_notion(
    name: str,
    parameters: tuple[str, ...],
    parameter: str,
    defining: str,
    shape: Additive,
    sources: tuple[str, ...],
    words: Words,
) -> Notion:
    combine, scale, at_most = _additive(shape)
    return Notion(
        name, parameters, parameter, defining, 0, combine, scale, at_most, shape, sources, words
    )


def _pair(g: Guarantee) -> tuple[Real, Real]:
    if not isinstance(g, tuple):
        raise TypeError(f"an approximate guarantee is a pair (epsilon, delta), not {g}")
    return g


def _combine_pairs(a: Guarantee, b: Guarantee) -> Guarantee:
    if isinstance(a, Infinity) or isinstance(b, Infinity):
        return INFINITY
    (eps, delta), (eta, gamma) = _pair(a), _pair(b)
    return tidy(add(eps, eta)), tidy(add(delta, gamma))


def _scale_pair(g: Guarantee, r: DistanceValue) -> Guarantee:
    if isinstance(r, Infinity):
        return INFINITY
    if r == 0:
        return (0, 0)
    if isinstance(g, Infinity):
        return INFINITY
    eps, delta = _pair(g)
    factor: Real = growth(eps, r)
    # A zero delta stays zero even where the factor exceeds the floats.
    scaled: Real = 0 if delta == 0 else tidy(times(delta, factor))
    return tidy(times(eps, r)), scaled


def _pair_at_most(a: Guarantee, b: Guarantee) -> bool:
    if isinstance(b, Infinity):
        return True
    if isinstance(a, Infinity):
        return False
    (eps, delta), (eta, gamma) = _pair(a), _pair(b)
    return bool(eps <= eta) and bool(delta <= gamma)


PURE: Final = _additive_notion(
    "pure",
    ("eps",),
    "epsilon",
    "P(M(D) in S) <= e^eps P(M(D') in S) for all neighbours D ~ D' and all events S",
    Additive(power=1),
    ("GB24.IV.1", "GB24s.III.1"),
    Words("pure", "DP", ("ε",), (r"\varepsilon",)),
)
"""Pure differential privacy: epsilons add up; r*eps at distance r.  Source: GB24.III.3, IV.1."""

APPROXIMATE: Final = Notion(
    "approximate",
    ("eps", "delta"),
    "epsilon,delta",
    "P(M(D) in S) <= e^eps P(M(D') in S) + delta for all neighbours D ~ D' and all events S",
    (0, 0),
    _combine_pairs,
    _scale_pair,
    _pair_at_most,
    None,
    ("GB24.VI.4", "GB24.VI.6"),
    Words("approximate", "DP", ("ε", "δ"), (r"\varepsilon", r"\delta"), "7 3"),
)
"""Approximate differential privacy: both parameters add up.

(r eps, delta (e^{r eps} - 1)/(e^eps - 1)) at distance r.  Source: GB24.VI.3, VI.4.  Combining
keeps sums of deltas of 1 and more; :func:`as_guarantee` says when nothing is left.
"""

ZCDP: Final = _additive_notion(
    "zcdp",
    ("rho",),
    "rho",
    "D_alpha(M(D) || M(D')) <= rho alpha for all neighbours D ~ D' and all alpha > 1",
    Additive(power=2),
    ("GB24.VI.13", "GB24.VI.16"),
    Words("zero-concentrated", "zCDP", ("ρ",), (r"\rho",), "2 3"),
)
"""Zero-concentrated privacy: rhos add up; r^2 rho at distance r.  Source: GB24.VI.12, VI.13."""

GAUSSIAN: Final = _additive_notion(
    "gaussian",
    ("mu",),
    "mu",
    "T(M(D), M(D'))(alpha) >= Phi(Phi^-1(1 - alpha) - mu) for all neighbours D ~ D' and alpha",
    Additive(power=2, root=True),
    ("GB24.VI.21", "GB24.VI.26"),
    Words("Gaussian", "GDP", ("μ",), (r"\mu",), "9 3 2 3"),
)
"""Gaussian privacy: squares of mu add up; r*mu at distance r.  Source: GB24.VI.20, VI.21."""

NOTIONS: Final[dict[str, Notion]] = {n.name: n for n in (PURE, APPROXIMATE, ZCDP, GAUSSIAN)}
"""The known notions, in the order in which bounds are reported."""


def register(notion: Notion) -> Notion:
    """Add a notion, after which profiles may use it, and return it.

    Raises ``ValueError`` if another notion has that name.

    >>> register(PURE) is PURE
    True
    """
    if NOTIONS.setdefault(notion.name, notion) is not notion:
        raise ValueError(f"there is already a notion named '{notion.name}'")
    return notion


def exact_text(g: Guarantee) -> str | None:
    """Return the exact value in plain characters, or None for a float.

    >>> exact_text((6, Fraction(3, 50_000))), exact_text(0.5), exact_text(root(5))
    ('(6, 3/50000)', None, 'sqrt(5)')
    """
    if isinstance(g, Infinity):
        return "inf"
    if isinstance(g, tuple):
        parts = [exact_text(x) for x in g]
        known = [x for x in parts if x is not None]
        return f"({', '.join(known)})" if len(known) == len(parts) else None
    if isinstance(g, float):
        return None
    try:
        return str(tidy(g))
    except ValueError:  # Python does not print integers of more than 4300 digits.
        return None


def plain(g: Guarantee) -> int | float | str | list[int | float]:
    """Return the value for machines: numbers, a list for a pair, "inf" for no guarantee.

    >>> plain((6, Fraction(1, 4))), plain(INFINITY), plain(root(4))
    ([6, 0.25], 'inf', 2)
    """
    if isinstance(g, Infinity):
        return "inf"
    if isinstance(g, tuple):
        return [_plain(x) for x in g]
    x = _plain(g)
    return "inf" if x == float("inf") else x


def _plain(x: Real) -> int | float:
    x = tidy(x)
    if isinstance(x, int):
        return x
    if isinstance(x, Fraction | Exact | Root):
        return float(x)
    return x
