"""The data of profiles: which blocks neighbours change, and from how far the parts see them.

For neighbours D ~ D' only the distances r = d_i(f_i D, f_i D') matter to a composition
bound.  A *profile* is the set of the vectors (r) over all neighbours, up to domination.  The
types here are plain data: the engine makes them, the notions read them, reports print them.

A vector says how many *different* blocks of a map are touched, and at which distances the parts
that read such a block see it.  Which blocks these are is chosen as badly as possible: a vector with
two touched blocks of one map stands for every pair of different blocks.  Only blocks of a family
that is written out, each with its own formula, are named by number.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, Literal

__all__ = [
    "ALL",
    "INFINITY",
    "All",
    "Case",
    "Count",
    "Distance",
    "Group",
    "Infinity",
    "Interval",
    "KRange",
    "MapInfo",
    "Number",
    "PartInfo",
    "Profile",
    "Symbolic",
    "Total",
    "Varying",
    "Vector",
    "is_at_most",
    "product_of",
    "sum_of",
]


@dataclass(frozen=True, slots=True)
class Infinity:
    """The infinite distance: no number of edits leads from one database to the other.

    >>> 3 < INFINITY, INFINITY <= INFINITY, max(3, INFINITY)
    (True, True, Infinity())
    """

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return isinstance(other, Infinity)

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Infinity)

    def __ge__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        return "inf"


INFINITY: Final = Infinity()


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A positive multiple of a symbol of the spec, or of several, such as ``2*m`` and ``2*r*T``.

    ``factor`` is an exact positive integer; ``symbol`` and what it is multiplied ``by`` are names
    declared in the spec.

    >>> str(Symbolic("m", 2)), Symbolic("r", 2, ("T",)).at({"r": 5, "T": 3})
    ('2*m', 30)
    """

    symbol: str
    factor: int = 1
    by: tuple[str, ...] = ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """All symbols, those that occur twice twice."""
        return (self.symbol, *self.by)

    def alike(self, other: object) -> bool:
        """Return whether it is a multiple of the same symbols."""
        return isinstance(other, Symbolic) and sorted(self.symbols) == sorted(other.symbols)

    def at(self, numbers: Mapping[str, int]) -> int:
        """Return the number that it is."""
        return math.prod((self.factor, *(numbers[s] for s in self.symbols)))

    def given(self, numbers: Mapping[str, int]) -> Number:
        """Return what it is where some symbols are numbers.

        >>> str(Symbolic("a", 2, ("b",)).given({"a": 3})), Symbolic("a").given({"a": 3})
        ('6*b', 3)
        """
        left = [s for s in self.symbols if s not in numbers]
        known = math.prod((self.factor, *(numbers[s] for s in self.symbols if s in numbers)))
        return Symbolic(left[0], known, tuple(left[1:])) if left and known else known

    def __str__(self) -> str:
        return "*".join([*([] if self.factor == 1 else [str(self.factor)]), *self.symbols])


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of multiples of different symbols, and a number from 0 on, such as ``2*p + 2*q``.

    :func:`sum_of` makes them.

    >>> two = sum_of([Symbolic("p", 2), Symbolic("q", 2)])
    >>> str(two), two.at({"p": 3, "q": 1}), str(two.given({"q": 1}))
    ('2*p + 2*q', 8, '2*p + 2')
    """

    items: tuple[Symbolic, ...]
    number: int = 0

    @property
    def symbols(self) -> tuple[str, ...]:
        """All symbols, by name."""
        return tuple(sorted({s for item in self.items for s in item.symbols}))

    @property
    def factor(self) -> int:
        """What it is at least: where all symbols are 1."""
        return self.number + sum(item.factor for item in self.items)

    @property
    def terms(self) -> tuple[Number, ...]:
        """What is added up."""
        return (*self.items, self.number) if self.number else self.items

    def at(self, numbers: Mapping[str, int]) -> int:
        """Return the number that it is."""
        return self.number + sum(item.at(numbers) for item in self.items)

    def given(self, numbers: Mapping[str, int]) -> Number:
        """Return what it is where some symbols are numbers."""
        return sum_of([self.number, *(item.given(numbers) for item in self.items)])

    def __str__(self) -> str:
        return " + ".join(map(str, self.terms))


Number = int | Symbolic | Total
"""A number of records or of blocks."""


def sum_of(numbers: Iterable[Number]) -> Number:
    """Return a sum, in a form of its own.

    >>> str(sum_of([Symbolic("q"), 1, Symbolic("p"), Symbolic("q", 2)])), sum_of([])
    ('p + 3*q + 1', 0)
    """
    given = [term for n in numbers for term in (n.terms if isinstance(n, Total) else (n,))]
    factors: dict[tuple[str, ...], int] = {}
    for product, factor in itertools.chain.from_iterable(map(_monomials, given)):
        factors[product] = factors.get(product, 0) + factor
    constant = factors.pop((), 0)
    if len(factors) == 1 and not constant:  # the symbols stay in their order
        (one, *_) = (n for n in given if isinstance(n, Symbolic))
        return replace(one, factor=sum(factors.values()))
    items = tuple(Symbolic(p[0], n, p[1:]) for p, n in sorted(factors.items()))
    return Total(items, constant) if items else constant


def product_of(numbers: Iterable[Number]) -> Number:
    """Return a product.

    >>> str(product_of([2, Symbolic("r"), Symbolic("T", 3)]))
    '6*r*T'
    >>> str(product_of([2, Symbolic("T"), sum_of([Symbolic("p"), Symbolic("q")])]))
    '2*T*p + 2*T*q'
    """
    sums = (n.terms if isinstance(n, Total) else (n,) for n in numbers)
    return sum_of(map(_product, itertools.product(*sums)))


def _product(numbers: Iterable[Number]) -> int | Symbolic:
    factor, symbols = 1, list[str]()
    for n in numbers:
        if isinstance(n, Symbolic):
            symbols += n.symbols
        factor *= n if isinstance(n, int) else n.factor
    many = symbols and factor
    return Symbolic(symbols[0], factor, tuple(sorted(symbols[1:]))) if many else factor


def is_at_most(a: Distance, b: Distance) -> bool:
    """Return whether one distance is at most another one, for all values of symbols from 1 on.

    A product of symbols is at least 1, and at least each part of it.

    >>> one = sum_of([Symbolic("p"), Symbolic("q")])
    >>> is_at_most(Symbolic("p"), one), is_at_most(one, Symbolic("p", 2, ("q",)))
    (True, True)
    >>> is_at_most(one, Symbolic("p", 2)), is_at_most(2, one), is_at_most(3, one)
    (False, True, False)
    >>> is_at_most(sum_of([Symbolic("p"), 1]), Symbolic("p"))
    False
    """
    if isinstance(a, Varying) or isinstance(b, Varying):
        return a == b
    if isinstance(b, Infinity) or isinstance(a, Infinity):
        return isinstance(b, Infinity)
    if isinstance(a, Fraction) or isinstance(b, Fraction):
        least = b if isinstance(b, int | Fraction) else b.factor
        return isinstance(a, int | Fraction) and a <= least
    return _is_at_most(a, b)


def _is_at_most(a: Number, b: Number) -> bool:
    room = dict(_monomials(b))
    for product, factor in sorted(_monomials(a), key=lambda one: -len(one[0])):
        left = factor
        for other in sorted(room, key=len):
            if not Counter(product) - Counter(other):
                taken = min(left, room[other])
                room[other] -= taken
                left -= taken
        if left > 0:
            return False
    return True


def _monomials(number: Number) -> list[tuple[tuple[str, ...], int]]:
    """Return products of symbols, in order, with their factors; the number is that of none."""
    if isinstance(number, int):
        return [((), number)]
    if isinstance(number, Symbolic):
        return [(tuple(sorted(number.symbols)), number.factor)]
    return [one for term in number.terms for one in _monomials(term)]


@dataclass(frozen=True, slots=True)
class All:
    """Every block of a map, however many there are."""

    def __str__(self) -> str:
        return "all"


ALL: Final = All()


@dataclass(frozen=True, slots=True)
class Varying:
    """A finite distance, or a number of blocks, by the integers of a pattern, as theorems state it.

    A distance may differ from block to block.
    """

    of: Any

    def __str__(self) -> str:
        return "varying"


Distance = int | Fraction | Symbolic | Total | Varying | Infinity
"""A distance between the two databases that one part sees."""

Count = int | Symbolic | Total | All
"""How many different blocks: a number, a multiple of a symbol, a sum of these, or all of them."""


@dataclass(frozen=True, slots=True)
class Group:
    """``count`` different blocks of the map ``map``, each seen at the same distances.

    With ``block`` it is the block with this number, and the count is 1.  With ``wide``, up to so
    many blocks share the distances: each sees a fraction of them, and these add up to the count.

    ``distances`` pairs the names of the parts that read the map with the distance at which
    they see the two databases; it lists every part of the map in the order of the spec, so
    that a part which does not notice the change stands there with distance 0.
    """

    map: str
    count: Count | Varying
    distances: tuple[tuple[str, Distance], ...]
    block: tuple[int, ...] = ()
    wide: Count | None = None
    when: tuple[int, Any, Any] | None = None
    """Which blocks, where these cannot be any, as theorems state it.

    The number of integers that neighbours fix, facts about these, and a condition of a block; the
    groups of a vector share the integers and their facts.
    """
    times: Number = 1
    """How often such integers are fixed: blocks change that have the condition for one choice."""

    @property
    def most(self) -> Count | Varying:
        """How many blocks change at most."""
        return self.count if self.wide is None else self.wide


Vector = tuple[Group, ...]
"""One way in which neighbours can differ: groups of blocks; blocks not mentioned agree.

Several groups may be about the same map; their blocks are then different blocks.  Where there
are fewer blocks than a vector names, the excess is dropped in the way that leaves the
largest value.
"""


@dataclass(frozen=True, slots=True)
class KRange:
    """The numbers of blocks, or of another symbol that is at least 1, for which a case holds.

    These are ``low <= symbol`` (and ``<= high``).
    """

    symbol: str
    low: int = 1
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers of a symbol from ``low`` to ``high``; None means no limit.

    >>> str(Interval("w", 2, None)), str(Interval("w", 1, 1)), str(Interval("w", None, 0))
    ('w >= 2', 'w = 1', 'w <= 0')
    """

    symbol: str
    low: int | None
    high: int | None

    def __str__(self) -> str:
        if self.low == self.high:
            return self.symbol if self.low is None else f"{self.symbol} = {self.low}"
        if self.high is None:
            return f"{self.symbol} >= {self.low}"
        if self.low is None:
            return f"{self.symbol} <= {self.high}"
        return f"{self.low} <= {self.symbol} <= {self.high}"

    def within(self, other: Interval) -> Interval | None:
        """Return the numbers that lie in both, None if there are none."""
        lows = [n for n in (self.low, other.low) if n is not None]
        highs = [n for n in (self.high, other.high) if n is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        if low is not None and high is not None and low > high:
            return None
        return Interval(self.symbol, low, high)


@dataclass(frozen=True, slots=True)
class Case:
    """The maximal vectors for one range of block numbers, and of other symbols."""

    ranges: tuple[KRange, ...]
    vectors: tuple[Vector, ...]
    attained: bool
    """Whether every vector was confirmed on concrete databases (with exact distances)."""
    shown: tuple[Interval, ...] = ()
    """For which symbols this was shown, where that is not all that the case is about."""
    far: tuple[str, ...] = ()
    """A part that was confirmed to see some block at infinite distance, if not all is attained."""
    endless: tuple[str, ...] = ()
    """A part that sees some block from as far as one likes, if none is at infinite distance."""
    within: tuple[Vector, ...] = ()
    """If there are any: neighbours differ as a mean of ``vectors``, and as one of these, says."""
    worst: tuple[tuple[tuple[KRange, ...], tuple[Any, ...]], ...] = field(
        default=(), compare=False, repr=False
    )
    """The neighbours on which all vectors were confirmed, by sizes, as the engine describes them.

    For some sizes there may be none, although the vectors are attained.
    """

    @property
    def infinite(self) -> bool:
        """Whether some distance is infinite, as far as is known."""
        return any(
            isinstance(r, Infinity)
            for vector in self.vectors
            for g in vector
            for _, r in g.distances
        )

    @property
    def open(self) -> bool:
        """Whether no finite distance was found, and none is excluded either."""
        return self.infinite and not (self.unbounded or self.attained)

    @property
    def unbounded(self) -> bool:
        """Whether it was confirmed of one part that no finite distance bounds what it sees."""
        return bool(self.far or self.endless)

    @property
    def single(self) -> tuple[Vector, ...]:
        """Vectors of which one bounds each pair of neighbours by itself."""
        return self.within or self.vectors

    def speaks_of(self, sizes: Mapping[str, int]) -> bool:
        """Return whether a case holds for some sizes that agree with the given ones."""
        return all(
            r.symbol not in sizes
            or (r.low <= sizes[r.symbol] and (r.high is None or sizes[r.symbol] <= r.high))
            for r in self.ranges
        )


@dataclass(frozen=True, slots=True)
class MapInfo:
    """What a bound depends on in a map.

    ``indices`` are the names and sizes of the block index, ``(("i", "k"),)`` for a family of k
    blocks, ``()`` for a single map; a size is a symbol or a number.  ``exchangeable`` says that
    any renumbering of the blocks is as possible as the given one, so that a vector really
    occurs at every choice of different blocks.  ``movable`` says it of single blocks: what is done
    to one is done to any other, as well.
    """

    name: str
    indices: tuple[tuple[str, str | int], ...]
    exchangeable: bool
    movable: bool = False


@dataclass(frozen=True, slots=True)
class PartInfo:
    """A mechanism, or a family of mechanisms with one for each block of its map.

    ``guarantees`` maps a notion ("pure", "approximate", "zcdp", "gaussian") to the names of
    its parameters (("eps",) or ("eps", "delta"), …) or exact numbers.  A part that lists several
    notions has all of those guarantees.  ``directed``: they hold in one direction only.
    """

    name: str
    map: str
    guarantees: tuple[tuple[str, tuple[str | Fraction, ...]], ...]
    directed: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of a composition: cases by the number of blocks, which cover all of them.

    ``proved``: no neighbours do worse than some vector of the case that holds for k.
    ``exact``: moreover every vector occurs, jointly, so that the bound is the best one
    (up to the choice of label functions), for the symbols for which the cases show it.
    ``coarse``: why it was not found which blocks change together, if it was not; what all of them
    can do is counted, and that is more.
    ``vacuous``: there are no two different neighbours; then ``cases`` is empty.
    """

    maps: tuple[MapInfo, ...]
    parts: tuple[PartInfo, ...]
    cases: tuple[Case, ...]
    proved: bool
    exact: bool
    vacuous: bool = False
    coarse: str = ""
    adaptive: Literal[True] = True

    @property
    def interchangeable(self) -> bool:
        """Whether the blocks that change are listed, or any others change as well as they do.

        It does not matter of what is a part of another vector, in which all blocks change.
        """
        return all(
            self._is_anywhere(case, vector)
            or (not case.within and any(_all_change(v, vector) for v in case.vectors))
            for case in self.cases
            for vector in case.vectors
        )

    @property
    def renumbered(self) -> bool:
        """Whether blocks that change are listed, or may have any numbers by other labels."""
        return not any(self._tied(vector) for case in self.cases for vector in case.vectors)

    def _tied(self, vector: Vector) -> list[Group]:
        """Return the blocks that change, and cannot be exchanged with others by other labels."""
        chosen = [
            g for g in vector
            if not g.block and g.when is None and g.count != ALL
            and any(r != 0 for _, r in g.distances)
        ]  # fmt: skip
        known = {m.name: m for m in self.maps}
        return [g for g in chosen if (m := known[g.map]).indices and not m.exchangeable]

    def _is_anywhere(self, case: Case, vector: Vector) -> bool:
        """Return whether a vector occurs at every choice of different blocks."""
        tied = self._tied(vector)
        known = {m.name: m for m in self.maps}
        if not tied:
            return True
        return len(tied) == 1 and tied[0].count == 1 and known[tied[0].map].movable and not (
            case.within
        )  # fmt: skip

    @property
    def foremost(self) -> Profile:
        """The same without what costs no more than another vector, if losses add up and are convex.

        Blocks of a map cost no more than one that is seen from as far as all of them together, if
        what is lost at a fraction of a distance is at most this fraction: then they cost a mean of
        what single blocks do.
        """
        return replace(self, cases=tuple(
            replace(case, vectors=_foremost(case.vectors)) if not case.within else case
            for case in self.cases
        ))  # fmt: skip


def _foremost(vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
    return tuple(v for v in vectors if not any(_outweighs(w, v) for w in vectors if w != v))


def _outweighs(vector: Vector, other: Vector) -> bool:
    """Return whether one has a single block in the place of several blocks of another vector."""
    mine, theirs = Counter(vector), Counter(other)
    alone = list((mine - theirs).elements())
    if len(alone) != 1 or alone[0].count != 1 or alone[0].wide is not None:
        return False
    if alone[0].block or alone[0].when is not None:
        return False
    weights = [_weight(group, alone[0]) for group in (theirs - mine).elements()]
    return None not in weights and sum(w for w in weights if w is not None) <= 1


def _weight(group: Group, alone: Group) -> Fraction | None:
    """Return which part of one block some blocks are, at most; None if that is not known."""
    if group.map != alone.map or group.block or group.when is not None:
        return None
    far = dict(alone.distances)
    if not isinstance(group.count, int) or set(far) != {part for part, _ in group.distances}:
        return None
    shares = [Fraction(0)]
    for part, r in group.distances:
        most = far[part]
        if r == 0:
            continue
        if not (isinstance(r, int) and isinstance(most, int) and r <= most):
            return None
        shares.append(Fraction(r, most))
    return group.count * max(shares)


def _all_change(big: Vector, small: Vector) -> bool:
    """Return whether all blocks change in one vector, and are seen at the distances of another."""
    every = [g for g in big if g.count == ALL and g.when is None and g.wide is None]
    far = {(g.map, *seen) for g in every for seen in g.distances}
    return all((g.map, *seen) in far for g in small for seen in g.distances)
