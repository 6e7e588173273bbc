"""From a TOML file about given distances to mechanisms that are composed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, TypeVar

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.metric_privacy.finding import MetricFinding
from dpcomp_sym.metric_privacy.setting import GivenDistance, MetricPart, MetricSetting
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.printable import one_line
from dpcomp_sym.spec.python import as_written
from dpcomp_sym.spec.source import Path, Source, SpecError
from dpcomp_sym.spec.values import rational, read_set
from dpcomp_sym.terms.parse import IDENTIFIER

__all__ = ["MetricSpec", "read_metric"]

T = TypeVar("T")


@dataclass(frozen=True)
class MetricSpec:
    """A spec about given distances that has been read.

    Args:
        title: what the spec calls itself.
        setting: the mechanisms, and the distances that they are private for.
        source: the text, with which an error that comes up later can name its line.
        notes: what the reader of a result should know of the numbers.
    """

    title: str
    setting: MetricSetting
    source: Source = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()
    sets: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def subs(self, **numbers: Any) -> MetricSpec:
        """Return the spec with more numbers, or others, as after ``--set``.

        Args:
            numbers: by parameter or symbol, one number each.

        Raises:
            InputError: a name is unknown, or what it is given is not such a number.
        """
        more = tuple(f"{name}={as_written(number)}" for name, number in numbers.items())
        return read_metric(self.source, self.title, (*self.sets, *more))

    def derive(self) -> MetricFinding:
        """Derive what the mechanisms guarantee together."""
        return MetricFinding(self.title, self.setting, self.setting.theorems())

    def refute(self, claim: str) -> NoReturn:
        """Refuse to decide a claim.

        Raises:
            InputError: always.
        """
        raise InputError("claims are about neighbours, or random data; what is lost for given "
                         "distances is known: derive prints it", word=claim)  # fmt: skip


def read_metric(source: Source, title: str, sets: Iterable[str] = ()) -> MetricSpec:
    """Read a spec about given distances.

    Args:
        source: the spec, of the right shape.
        title: what it is called if it does not say so itself.
        sets: ``NAME=VALUE`` for parameters and symbols.

    Raises:
        InputError: the spec cannot be used; the message names the line and the word.
    """
    given = tuple(sets)
    setting = _Reader(source).setting(given)
    return MetricSpec(one_line(source.data.get("title", title)), setting, source, sets=given)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.data
        self.named: dict[str, str] = {}
        """What each name is a name of."""

    def setting(self, sets: Iterable[str]) -> MetricSetting:
        distances: dict[str, GivenDistance] = {}
        for number, table in enumerate(self.data["distance"]):
            found = self.at(("distance", number), partial(self.distance, table))
            if found.name in distances:
                raise self.source.error(f"two distances are called '{found.name}'",
                                        ("distance", number), found.name)  # fmt: skip
            self.at(("distance", number), partial(self.same_map, found, distances.values()))
            distances[found.name] = found
        parts: list[MetricPart] = []
        blocks: dict[str, int | str | None] = {}
        for number, table in enumerate(self.data["part"]):
            path = ("part", number)
            part = self.at(path, partial(self.part, table, distances))
            if part.name in [p.name for p in parts]:
                raise self.source.error(f"two parts are called '{part.name}'", path, part.name)
            for name in (g for g in part.guarantees.values() if isinstance(g, str)):
                if blocks.setdefault(name, part.distance.blocks) != part.distance.blocks:
                    raise self.source.error(
                        f"'{name}' is already the parameter of a part with other blocks: give this "
                        f"one another name, such as '{name}_{part.name}'", path, name,
                    )  # fmt: skip
            parts.append(part)
        unused = sorted(set(distances) - {p.distance.name for p in parts})
        if unused:
            raise self.source.error(f"no part is private for the distance '{unused[0]}'",
                                    ("distance",), unused[0])  # fmt: skip
        return self.numbered(parts, sets)

    def at(self, path: Path, make: Callable[[], T]) -> T:
        try:
            return make()
        except SpecError:
            raise
        except InputError as error:
            raise self.source.placed(error, path) from None

    def name(self, word: str, kind: str) -> str:
        """Return a name, which names one kind of thing only."""
        if not IDENTIFIER.match(word):
            raise InputError(f"'{word}' cannot be the name of a {kind}: letters, digits and _ only",
                             word=word)  # fmt: skip
        other = self.named.setdefault(word, kind)
        if other != kind:
            raise InputError(f"'{word}' is a {kind} and also a {other}: rename one of them",
                             word=word)  # fmt: skip
        return word

    def distance(self, table: Mapping[str, Any]) -> GivenDistance:
        of, blocks = table.get("of"), table.get("blocks")
        if blocks is not None and of is None:
            raise InputError("'blocks' are results of a map: say which, with 'of'", word="blocks")
        return GivenDistance(
            self.name(table["name"], "distance"), one_line(table.get("text", "")),
            None if of is None else self.name(of, "map"),
            self.name(blocks, "symbol") if isinstance(blocks, str) else blocks,
        )  # fmt: skip

    @staticmethod
    def same_map(found: GivenDistance, others: Iterable[GivenDistance]) -> None:
        for other in others:
            if found.of is not None and found.of == other.of and found.blocks != other.blocks:
                raise InputError(f"the map '{found.of}' has other blocks in the distance "
                                 f"'{other.name}'", word=found.of)  # fmt: skip

    def part(self, table: Mapping[str, Any], distances: Mapping[str, GivenDistance]) -> MetricPart:
        word = table["distance"]
        if word not in distances:
            raise InputError(f"unknown distance '{word}'; {nearest(word, distances)}", word=word)
        additive = [n for n in NOTIONS if NOTIONS[n].additive]
        given = table.get("guarantee") or {n: NOTIONS[n].parameters[0] for n in additive}
        for notion in given:
            if notion not in additive:
                raise InputError(f"for a distance, a guarantee is one of {', '.join(additive)}; "
                                 f"{nearest(notion, additive)}", word=notion)  # fmt: skip
        return MetricPart(
            self.name(table["name"], "part"), distances[word],
            {notion: self.parameter(raw) for notion, raw in given.items()},
        )  # fmt: skip

    def parameter(self, raw: str | float) -> str | Fraction:
        if isinstance(raw, str) and IDENTIFIER.match(raw):
            return self.name(raw, "parameter")
        return _not_negative(raw)

    def numbered(self, parts: list[MetricPart], sets: Iterable[str]) -> MetricSetting:
        """Return the mechanisms with the numbers that the spec and the command line give."""
        values: dict[str, Fraction] = {}
        sizes: dict[str, int] = {}
        known = [n for n, kind in self.named.items() if kind in {"parameter", "symbol"}]

        def set_(name: str, raw: Any) -> None:
            if name not in known:
                raise InputError(f"unknown parameter '{name}'; {nearest(name, known)}", word=name)
            if self.named[name] == "parameter":
                values[name] = _not_negative(raw)
                return
            number = _not_negative(raw)
            if number.denominator != 1 or number < 1:
                raise InputError(f"{name} = {raw}: a number of blocks is 1, 2, 3, …", word=name)
            sizes[name] = int(number)

        for name, raw in self.data.get("values", {}).items():
            self.at(("values", name), partial(set_, name, raw))
        for text in sets:
            name, raw = read_set(text)
            try:
                set_(name, raw)
            except InputError as error:
                raise error.within(f"--set {name}") from None
        return MetricSetting(tuple(parts), values, sizes)


def _not_negative(raw: Any) -> Fraction:
    if isinstance(raw, str) and raw.lstrip().startswith("["):
        raise InputError("one number is given, the same for all blocks", word=raw)
    number = rational(str(raw))
    if number < 0:
        raise InputError(f"{raw} is negative; give 0 or more", word=str(raw))
    return number
