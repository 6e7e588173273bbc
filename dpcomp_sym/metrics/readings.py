"""What closed forms say of databases in small worlds: found once for all granularities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.metrics.counting_terms import BoundForm, ClosedForm
from dpcomp_sym.metrics.library import closed_forms
from dpcomp_sym.metrics.small_worlds import small_worlds, wider_worlds
from dpcomp_sym.model import Domain
from dpcomp_sym.profile import Infinity

__all__ = ["Readings"]

Held = tuple[tuple[Cell, int], ...]
Said = dict[ClosedForm, "int | Infinity"]


class Readings:
    """The small worlds of a class, and what closed forms say of pairs of databases in them.

    >>> readings = Readings(Domain({"id": "Record"}))
    >>> form, world = readings.forms[1], readings.worlds[0]
    >>> str(form.source), readings.distance(form, world, {}, {world.cells[0]: 2})
    ('sum(abs(D[c] - E[c]))', 2)
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._said: dict[tuple[int, Held, Held], tuple[World, Said]] = {}

    @cached_property
    def forms(self) -> list[BoundForm]:
        """The closed forms of the library, with every choice of keys."""
        return [form.bind(self.domain) for form in closed_forms(self.domain)]

    @cached_property
    def worlds(self) -> Sequence[World]:
        """The small worlds, those with the fewest cells first."""
        return tuple(small_worlds(self.domain))

    @cached_property
    def wider(self) -> Sequence[World]:
        """A few worlds with more cells."""
        return tuple(wider_worlds(self.domain))

    def distance(
        self, form: BoundForm, world: World, left: Database, right: Database
    ) -> int | Infinity:
        """Return what a form says of two databases of one of the worlds."""
        ends = id(world), tuple(left.items()), tuple(right.items())
        _, known = self._said.setdefault(ends, (world, {}))  # the world stays, and so its id
        if form.source not in known:
            known[form.source] = form.distance(world, left, right)
        return known[form.source]
