"""Mechanisms that are private for given distances, and what they guarantee together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dpcomp_sym import kernel as k
from dpcomp_sym.notions import NOTIONS

__all__ = ["GivenDistance", "MetricPart", "MetricSetting"]

_DATABASES = k.DatabaseClass("D", "", ())


@dataclass(frozen=True)
class GivenDistance:
    """A distance between databases, or between what a map makes of them: a pseudometric.

    Nothing else is known of it: it is 0 between equals, the same both ways, and at most the sum
    over a way round; it can be infinite.

    Args:
        name: what it is called.
        text: what it measures, for the reader.
        of: the map whose results it compares; None if it compares the databases themselves.
        blocks: how many results the map has, each with a distance of its own: a number, a symbol,
            or None for one result.
    """

    name: str
    text: str = ""
    of: str | None = None
    blocks: int | str | None = None

    @property
    def sizes(self) -> tuple[int | str, ...]:
        """The number of blocks, as the kernel has it."""
        return () if self.blocks is None else (self.blocks,)


@dataclass(frozen=True)
class MetricPart:
    """A mechanism, or one for each block, that is private for a distance.

    Args:
        name: what it is called.
        distance: for which distance.
        guarantees: notion → its parameter: a name (of one number a block, where there are
            blocks) or a number.
    """

    name: str
    distance: GivenDistance
    guarantees: Mapping[str, str | Fraction]


@dataclass(frozen=True)
class MetricSetting:
    """Mechanisms that run one after the other; each may read what earlier ones published.

    Args:
        parts: the mechanisms.
        values: numbers for parameters, the same for all blocks.
        sizes: numbers for symbols.

    >>> d = GivenDistance("d")
    >>> parts = [MetricPart(n, d, {"pure": e}) for n, e in (("one", "eps"), ("two", Fraction(2)))]
    >>> MetricSetting(parts).theorems()["pure"].statement.loss.text()
    'eps at distance d together with 2 at distance d'
    """

    parts: Sequence[MetricPart]
    values: Mapping[str, Fraction] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    def theorems(self) -> dict[str, k.Theorem]:
        """Return the kernel's theorem in each notion that all mechanisms have a guarantee in."""
        shared = [n for n in NOTIONS if all(n in p.guarantees for p in self.parts)]
        return {notion: self._composed(notion) for notion in shared}

    def sizes_of(self, distance: GivenDistance) -> tuple[int | str, ...]:
        """Return the number of blocks that a distance is for, where it has one."""
        return tuple(
            self.sizes.get(size, size) if isinstance(size, str) else size for size in distance.sizes
        )

    def _composed(self, notion: str) -> k.Theorem:
        families = []
        for part in self.parts:
            sizes, theorem = self.sizes_of(part.distance), self._private(part, notion)
            families.append(k.run_family(theorem, sizes) if sizes else theorem)
        return families[0] if len(families) == 1 else k.run_adaptively(tuple(families))

    def _private(self, part: MetricPart, notion: str) -> k.Theorem:
        distance, sizes = part.distance, self.sizes_of(part.distance)
        space = _DATABASES
        if distance.of is not None:
            space = k.DatabaseClass(f"{distance.of}(D)", "", sizes)
        metric = k.NamedPseudometric(distance.name, distance.text, space)
        loss = k.At((self._parameter(part.guarantees[notion], sizes),), metric)
        mechanism = k.NamedMechanism(part.name, space, sizes)
        given = k.given(k.Private(mechanism, notion, loss, ()))
        if distance.of is None:
            return given
        return k.preprocess(given, k.NamedMap(distance.of, "", _DATABASES, space, sizes))

    def _parameter(self, given: str | Fraction, sizes: tuple[int | str, ...]) -> k.Expr:
        if isinstance(given, Fraction):
            return k.Num(given)
        if given in self.values:
            return k.Num(self.values[given])
        return k.BlockEntry(given, sizes) if sizes else k.Param(given)
