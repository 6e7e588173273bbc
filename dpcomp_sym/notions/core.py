r"""What a notion of privacy is: one value, with everything that the rest of the program needs.

The kernel uses how a guarantee grows with the distance, what adds up, and what converts; specs use
the names of the parameters; reports words and signs; drawings a curve; and proofs that a bound is
tight mechanisms that attain it.  Each notion has a file of its own in this package,
and no other file names one.  What the kernel uses is as trusted as the kernel itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from dpcomp_sym.statements import terms as t

__all__ = [
    "ONE",
    "ZERO",
    "Additive",
    "Attaining",
    "Conversion",
    "Curve",
    "Exprs",
    "Notion",
    "Paired",
    "Path",
    "Points",
    "Refuting",
    "Words",
    "times",
]

ZERO: Final = t.Num(Fraction(0))
ONE: Final = t.Num(Fraction(1))

Exprs = tuple[t.Expr, ...]
"""One expression a parameter."""


def times(*items: t.Expr) -> t.Expr:
    """Return a product without factors 1; 0 and infinity are not touched.

    >>> times(ONE, t.Param("eps")).text()
    'eps'
    """
    kept = tuple(x for x in items if x != ONE)
    return kept[0] if len(kept) == 1 else t.Product(kept) if kept else ONE


@dataclass(frozen=True)
class Additive:
    """One parameter g, and losses of several mechanisms that add up, exactly.

    At distance r a mechanism loses r^power g, and the guarantee is the sum; with ``root`` it loses
    r^power g^2, and the guarantee is the root of the sum.  ``power`` is at least 1, so that what is
    lost at a fraction of a distance is at most this fraction of it.
    """

    power: int
    root: bool = False

    def __post_init__(self) -> None:
        """Refuse powers below 1."""
        if self.power < 1:
            raise t.KernelError("losses grow at least with the distance")

    @property
    def convex(self) -> bool:
        """Whether what is lost is convex in the distance, and 0 at 0."""
        return True

    def scale(self, guarantee: Exprs, r: t.Expr) -> Exprs:
        """Return the guarantee at distance r.

        >>> [x.text() for x in Additive(1, root=True).scale((t.Param("g"),), t.Size("m"))]
        ['sqrt(m)*g']
        """
        (value,) = guarantee
        if not self.root:
            return (times(*(r,) * self.power, value),)
        odd = (t.Sqrt(r),) if self.power % 2 and r != ONE else ()
        return (times(*(r,) * (self.power // 2), *odd, value),)

    def lost(self, value: t.Expr, r: t.Expr) -> t.Expr:
        """Return what a mechanism that attains the guarantee adds to the sum.

        >>> Additive(2, root=True).lost(t.Param("mu"), t.Size("m")).text()
        'm*mu*m*mu'
        """
        if not self.root:
            return t.Product((*(r,) * self.power, value))
        if self.power == 2:
            return t.Product((r, value, r, value))
        return t.Product((*(r,) * self.power, value, value))


@dataclass(frozen=True)
class Paired:
    """Two parameters whose sums are guarantees, but not the best ones.

    Attributes:
        scale: the guarantee at a distance that is neither 0 nor infinite.
        convex: whether both parameters are convex in the distance, and 0 at 0.
        single: in which sense a bound is tight that is the guarantee of a single block.
        summed: why a bound that is a sum is not.
        far: why it is open at distances above 1.
    """

    scale: Callable[[Exprs, t.Expr], Exprs]
    convex: bool
    single: str
    summed: str
    far: str

    @property
    def root(self) -> bool:
        """Whether squares are added up: never."""
        return False


@dataclass(frozen=True)
class Path:
    r"""What a guarantee between neighbours is worth in another notion, r steps apart.

    Every step of a path is guaranteed, and this says more than that its ends are as far apart as
    the guarantee at distance r allows.

    Attributes:
        rule: the result, from the guarantee between neighbours and from the number of steps.
        by: who proved it.
        latex: the formulas of the result, from those of the guarantee and of the distance.
        convex: whether the result is convex in the distance, and 0 at 0.
    """

    rule: Callable[[Exprs, t.Expr], Exprs]
    by: str
    latex: Callable[[Sequence[str], str], tuple[str, ...]]
    convex: bool


@dataclass(frozen=True)
class Conversion:
    r"""A rule that turns a guarantee of one notion into one of another, distance by distance.

    Attributes:
        source: the notion that is converted.
        target: the notion of the result.
        rule: the result, from the guarantee and from the parameters that are chosen.
        statement: what the rule claims.
        by: who proved it.
        latex: the formulas of the result, from those of the guarantee and of what is chosen, and
            from the condition that the databases can be distinguished.
        both_ways: whether the guarantee is needed in both directions.
        convex: whether the result is convex in the distance, and 0 at 0.
        path: what is better than the rule where a distance is a number of steps, if anything is.
        chosen: the parameter of the target that may be chosen freely, if one may.
        meaning: the function of the result in plain characters, where a parameter is chosen.
    """

    source: str
    target: str
    rule: Callable[[Exprs, Exprs], Exprs]
    statement: str
    by: str
    latex: Callable[[Sequence[str], Sequence[str], str], tuple[str, ...]]
    both_ways: bool = False
    convex: bool = False
    path: Path | None = None
    chosen: str | None = None
    meaning: str = ""

    @property
    def name(self) -> str:
        """The name under which derivations cite the rule."""
        return f"{self.source}_to_{self.target}"


@dataclass(frozen=True)
class Words:
    r"""How reports describe a notion.

    ``adjective``: "pure"; ``short``: "DP", as in "ε-DP"; ``symbols`` and ``latex``: its parameters;
    ``dashes``: the line of its curve in drawings, in the form of SVG, "" for a solid one;
    ``at_distance``: formulas of a guarantee, from those of the parameters and of the distance.

    >>> from dpcomp_sym.notions import NOTIONS
    >>> [n.words.label for n in NOTIONS.values()][2], NOTIONS["approximate"].words.name
    ('zero-concentrated (ρ)', 'approximate differential privacy')
    >>> NOTIONS["approximate"].words.formula
    '(\\varepsilon, \\delta)'
    """

    adjective: str
    short: str
    symbols: tuple[str, ...]
    latex: tuple[str, ...]
    dashes: str
    at_distance: Callable[[Sequence[str], str], tuple[str, ...]]
    about_growth: str = ""
    """A sentence of marked prose about a sign in these formulas."""

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


@dataclass(frozen=True)
class Attaining:
    """Mechanisms that attain a guarantee: functions of a number t that changes by at most 1.

    Attributes:
        publishes: what the mechanism of a parameter ``{g}`` publishes, a function of ``{t}``.
        attains: what the worst pair of neighbours loses, part by part, at distances ``{r}``.
        prose: both as marked prose for reports, with parts p at distances r_p from s_p(E).
        lemmas: inequalities between polynomials from which it follows that the mechanism is
            private between t and t + 1; the derivation has the kernel prove them.
    """

    publishes: str
    attains: str
    prose: str
    lemmas: tuple[tuple[t.Expr, t.Expr], ...]


@dataclass(frozen=True)
class Refuting:
    """How a false claim in a notion is refuted: by which mechanisms, and what is compared of them.

    Attributes:
        own: the mechanisms of parts that state a guarantee in the notion: coins and tables of laws
            for (ε, 0) and (ε, δ), or normal numbers, whose losses add up exactly.
        stand_in: another notion, whose mechanisms are taken for parts that state only that one.
        compared: what is compared of laws in tables: the probabilities of an event, the divergence
            at order 1, or how far an event distinguishes the databases.
        normal: for normals, what a mechanism publishes and why it is private, from its parameter
            and from t, as text.
        identity: for normals, what they lose together, from the sum and from the loss, as text.
    """

    own: Literal["coins", "tables", "normals"]
    stand_in: str | None = None
    compared: Literal["event", "divergence", "advantage"] = "event"
    normal: Callable[[Fraction, str], tuple[str, str]] = lambda _, __: ("", "")
    identity: Callable[[str, str], str] = lambda _, __: ""


@dataclass(frozen=True)
class Curve:
    """All pairs (ε, δ) that a guarantee implies, for drawings; floats, and never a proof.

    ``delta``: the smallest δ at each ε, from the numbers of the parameters; ``reach``: up to which
    ε it is worth drawing.
    """

    delta: Callable[[Sequence[float]], Callable[[float], float]]
    reach: Callable[[Sequence[float]], float]


@dataclass(frozen=True)
class Points:
    """The ε that a guarantee implies at a δ, and the δ at an ε, rounded up.

    ``epsilon``: an ε for the parameter and a δ; ``delta``: a δ for the parameter and an ε.
    """

    epsilon: Callable[[Fraction, Fraction], Fraction]
    delta: Callable[[Fraction, Fraction], Fraction]


@dataclass(frozen=True)
class Notion:
    """A notion of privacy.

    Attributes:
        name: the word used in specs and results.
        parameters: the usual names of its parameters; a second one is a probability.
        parameter: the word for the parameters in machine-readable results.
        defining: what a proof of "M has guarantee g" must establish, for all neighbours.
        growth: what a guarantee becomes at a distance, and what adds up.
        sources: the statements behind the sums, and behind their joint use.
        groups: the statement behind the guarantee at a distance.
        words: how reports describe it.
        epsilon_delta: whether its guarantees are (ε, δ), with δ = 0 where there is one parameter.
        curve: how it is drawn; None: not at all.
        conversions: the rules that lead to it from others, the better ones first, and from it.
        attaining: the mechanisms that show that a bound is tight, if there are any.
        refuting: the mechanisms that show that a claim is false, if there are any.
        lost_back: whether what is private one way only, with a guarantee above 0, can lose
            everything the other way: an output that is impossible there alone.
        points: the ε that it implies at a δ, and the δ at an ε, unless its guarantees are (ε, δ).

    >>> from dpcomp_sym.notions import NOTIONS
    >>> [x.text() for x in NOTIONS["approximate"].scale((t.Param("e"), t.Param("d")), t.Size("m"))]
    ['m*e', 'd*growth(e, m)']
    """

    name: str
    parameters: tuple[str, ...]
    parameter: str
    defining: str
    growth: Additive | Paired
    sources: tuple[str, ...]
    groups: str
    words: Words
    epsilon_delta: bool = False
    curve: Curve | None = None
    conversions: tuple[Conversion, ...] = ()
    attaining: Attaining | None = None
    refuting: Refuting | None = None
    points: Points | None = None
    lost_back: bool = False

    def __post_init__(self) -> None:
        """Refuse what does not fit together."""
        if len(self.parameters) != (1 if isinstance(self.growth, Additive) else 2):
            raise t.KernelError(f"{self.name}: losses that add up are about one parameter each")
        if any(self.name not in {c.source, c.target} for c in self.conversions):
            raise t.KernelError(f"{self.name}: a conversion is about other notions")

    @property
    def additive(self) -> Additive | None:
        """How the losses add up, None if they do not exactly."""
        return self.growth if isinstance(self.growth, Additive) else None

    def scale(self, guarantee: Exprs, r: t.Expr) -> Exprs:
        """Return the guarantee at distance r.

        Raises:
            KernelError: for a wrong number of parameters.
        """
        if len(guarantee) != len(self.parameters):
            raise t.KernelError(
                f"nothing is known of {self.name} guarantees with {len(guarantee)} parameter(s)"
            )
        if r in {ZERO, t.Inf()}:
            return (r,) * len(guarantee)
        return self.growth.scale(guarantee, r)
