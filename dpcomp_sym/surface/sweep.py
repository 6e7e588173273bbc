"""Answers for several numbers, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from dpcomp_sym.errors import InputError, nearest

if TYPE_CHECKING:
    from dpcomp_sym.derivation.derive import Derivation
    from dpcomp_sym.report.notebook import Shown

__all__ = ["Sweep", "shown"]


@dataclass(frozen=True, repr=False)
class Sweep(Sequence["Derivation"]):
    """The answers for several numbers of one parameter or symbol, in the order of the numbers."""

    name: str
    numbers: tuple[Any, ...]
    answers: tuple[Derivation, ...]

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, place: SupportsIndex) -> Derivation: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Derivation]: ...

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        return self.answers[place]

    def __repr__(self) -> str:
        lines = []
        for number, answer in zip(self.numbers, self.answers, strict=True):
            known = [b for b in answer.bounds if b.value is not None] or answer.bounds
            said = ", ".join(f"{b.notion} {_value(b)}" for b in known)
            lines.append(f"{self.name} = {number}: {said or answer.verdict}")
        return "\n".join(lines)

    @property
    def notions(self) -> tuple[str, ...]:
        """The notions in which some of the answers have a bound."""
        return tuple(dict.fromkeys(b.notion for answer in self for b in answer.bounds))

    def values(self, notion: str | None = None) -> list[Any]:
        """Return the bounds as numbers, one for each number, without a name in the first notion.

        Each is exact where it can be, a pair in a notion with two parameters, and None where
        numbers are missing.

        Raises:
            InputError: none of the answers has a bound in this notion.
        """
        known = self.notions
        chosen = notion or next(iter(known), "")
        if chosen not in known:
            raise InputError(f"there is no bound in '{chosen}'; {nearest(chosen, known)}")
        return [{b.notion: b.value for b in a.bounds}.get(chosen) for a in self]

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield a row of texts for each number: the number, and the bound in each notion."""
        for number, answer in zip(self.numbers, self.answers, strict=True):
            said = {b.notion: _value(b) for b in answer.bounds}
            yield str(number), *(said.get(notion, "") for notion in self.notions)


def _value(bound: Any) -> str:
    return bound.exact or (bound.text if bound.value is None else str(bound.value))


def shown(sweep: Sweep) -> Shown:
    """Return what a notebook shows of a sweep: a table."""
    from dpcomp_sym.report.document import Table, plain
    from dpcomp_sym.report.notebook import Shown

    rows = tuple(tuple(map(plain, row)) for row in sweep.rows())
    head = (plain(sweep.name), *sweep.notions)
    return Shown([Table(head, rows, (1,) * len(head))])
