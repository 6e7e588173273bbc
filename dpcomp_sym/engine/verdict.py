"""The possible answers to a question: a closed union, without truth values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.limits import current

if TYPE_CHECKING:
    from dpcomp_sym.smt.query import AskedQuestion

__all__ = [
    "Checked", "Counterexample", "Proved", "Refuted", "Unknown", "Vacuous", "Verdict",
    "not_decided",
]  # fmt: skip


class _Outcome:
    """Outcomes have no truth value: ask which one it is."""

    __slots__ = ()
    word: ClassVar[str]

    def __bool__(self) -> bool:
        msg = "a verdict is neither true nor false: match on its class"
        raise TypeError(msg)


@dataclass(frozen=True)
class Counterexample:
    """Two neighbouring databases in a finite world, confirmed by the evaluator.

    ``blocks`` lists the blocks that matter, (map, index); ``distances`` what parts see there,
    (part, index, text); ``changed`` all blocks of these maps in which the two databases differ.
    """

    world: World
    old: Database
    new: Database
    blocks: tuple[tuple[str, tuple[int, ...]], ...] = ()
    distances: tuple[tuple[str, tuple[int, ...], str], ...] = ()
    reason: str = ""
    changed: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def swapped(self) -> Counterexample:
        """Return the same databases in the other order."""
        return replace(self, old=self.new, new=self.old)

    def as_json(self, maps: Mapping[str, Any]) -> dict[str, Any]:
        """Return the counterexample as plain data; ``maps`` are the bound maps by name."""
        names = list(self.world.domain.attributes)

        def records(database: Database) -> list[dict[str, Any]]:
            found = []
            for cell in sorted(database, key=str):
                if database[cell]:
                    entry: dict[str, Any] = {
                        "cell": dict(zip(names, cell, strict=True)), "count": database[cell],
                    }  # fmt: skip
                    inside = self.holding(cell, maps)
                    if inside:
                        entry["blocks"] = inside
                    found.append(entry)
            return found

        changed = [f"{name} {', '.join(map(str, index))}".strip() for name, index in self.changed]
        found: dict[str, Any] = {
            "D": records(self.old), "D_prime": records(self.new), "changed": changed,
        }  # fmt: skip
        if self.world.symbols:
            found["symbols"] = dict(self.world.symbols)
        if self.distances:
            found["distances"] = [
                f"{part} {', '.join(map(str, index))}: {text}".replace(" :", ":")
                for part, index, text in self.distances
            ]
        return found

    def holding(self, cell: Cell, maps: Mapping[str, Any]) -> list[str]:
        """Return the blocks, among those of the maps that matter, that hold a cell."""
        found = []
        for name in sorted({name for name, _ in self.blocks}):
            mapping = maps[name]
            found += [
                f"{name} {', '.join(map(str, index))}"
                for index in self.world.holding(mapping, cell)
                if index
            ]
        return found


@dataclass(frozen=True)
class Proved(_Outcome):
    """True for every universe of records, size, label function and k that the spec allows."""

    word = "proved"
    scripts: tuple[AskedQuestion, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Refuted(_Outcome):
    """False, by a counterexample that the evaluator confirmed."""

    word = "refuted"
    counterexample: Counterexample


@dataclass(frozen=True)
class Checked(_Outcome):
    """True within a stated finite scope."""

    word = "checked"
    scope: str


@dataclass(frozen=True)
class Vacuous(_Outcome):
    """Holds trivially: there are no two different neighbours."""

    word = "vacuous"
    scripts: tuple[AskedQuestion, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Unknown(_Outcome):
    """Not decided, and why."""

    word = "unknown"
    reason: str


def not_decided(reason: str) -> Unknown:
    """Return that something is not decided, with the questions that were given up."""
    given_up = current().text
    return Unknown(f"{reason}; {given_up}" if given_up else reason)


Verdict = Proved | Refuted | Checked | Vacuous | Unknown
