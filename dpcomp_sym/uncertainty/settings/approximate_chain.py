"""Chained mechanisms with deltas: the last output is public, and δ depends on the order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.chained import (
    chained_delta,
    chained_event,
    chained_factor,
)
from dpcomp_sym.uncertainty.settings.claims import Event, EventDecision, GuaranteeClaim, exponential
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import (
    StatedGuarantee,
    TextTable,
    decimal,
    short_log,
    upper_log,
)

__all__ = ["ApproximateChainSetting"]

MOST: Final = 100
_DIGITS: Final = 60
_PRECISIONS: Final = (60, 200, 1000)
_ROWS: Final = 10
_POINTS: Final = 60

Parts = list[tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class ApproximateChainSetting:
    """Mechanisms one after the other, each (ε_j, δ_j)-private, the later ones between any inputs.

    Args:
        parameters: ε of each, by name, in the order in which they run.
        deltas: δ of each.
        delta: the δ at which ε of the last output is reported.
        values: numbers for the parameters.

    >>> one = {"a": Fraction(1)}
    >>> chain = ApproximateChainSetting(("a", "a"), (Fraction(1, 100),) * 2, Fraction(1, 50), one)
    >>> chain.derive("Twice").guarantees[0]
    <Guarantee the last output: (0.410895, 1/50)>
    """

    parameters: tuple[str, ...]
    deltas: tuple[Fraction, ...]
    delta: Fraction
    values: Mapping[str, Fraction]

    def derive(self, title: str) -> SettingFinding:
        """Return the loss of the last output.

        Raises:
            InputError: there are fewer than two mechanisms, one has no number, or a number is out
                of range.
        """
        self._see_that_numbers()
        above = self._parts(_DIGITS)[1]
        least = prod(self.deltas, start=Fraction(1))
        factor = chained_factor(above, self.delta)
        end = max(Fraction(2), chained_factor(above, least) or Fraction(0))
        guarantee = StatedGuarantee("the last output", factor, self.delta, "Des.chain", exact=True)
        pairs = [f"({name}, {d})" for name, d in zip(self.parameters, self.deltas, strict=True)]
        steps = [
            Step(1, f"the first mechanism is {pairs[0]}-private", "given", None),
            Step(2, "of its own input each later one is private between any two: "
                 + ", ".join(pairs[1:]), "given", None),
            Step(3, f"the last output is {guarantee.said}-private", "chained mechanisms",
                 "Des.chain", (1, 2)),
        ]  # fmt: skip
        said = (
            f"{len(pairs)} mechanisms in a chain: each reads only the output of the one before, "
            "and only the last output is published. The first is private for its neighbours, each "
            "other one between any two of its inputs. With deltas their order matters."
        )
        note = (
            "Attained, at each ε by mechanisms of its own; intermediate outputs stay secret. No ε "
            f"brings δ below {least}, the product of all deltas. Decimals of ε are rounded up."
        )
        table, drawing = self._table(above, end), Drawing(title, (self._panel(above, end),))
        return SettingFinding(title, said, (guarantee,), (table,), steps, (note,), drawing)

    def refute(self, title: str, claim: GuaranteeClaim) -> EventDecision:
        """Decide a claim about the last output; some mechanisms attain the exact δ at its ε.

        The least δ grows with each ε_j, and falls as the claimed ε grows, so that it lies between
        its values at bounds of these.

        Raises:
            InputError: as :meth:`derive`.
        """
        (guarantee,) = self.derive(title).guarantees
        for digits in _PRECISIONS:
            low, high = claim.enclosure(digits)
            below, above = self._parts(digits)
            if chained_delta(above, low) <= claim.delta:
                return EventDecision(title, claim.text, "proved", guarantee)
            event = Event(("0", "1"), "", "", "1, each mechanism as revealing as it may be",
                          *chained_event(below, high))  # fmt: skip
            if event.refutes(high, claim.delta):
                return EventDecision(title, claim.text, "refuted", guarantee, event)
        return EventDecision(title, claim.text, "unknown", guarantee, None, "both are too close")

    def _see_that_numbers(self) -> None:
        if len(self.parameters) < 2 or len(self.deltas) != len(self.parameters):
            raise InputError("a chain has at least two mechanisms, and a delta for each",
                             word="delta")  # fmt: skip
        for delta in self.deltas:
            if not 0 <= delta <= 1:
                raise InputError(f"delta is {delta}, but must be from 0 to 1", word="delta")
        for name in self.parameters:
            if name not in self.values:
                raise InputError(f"with deltas a chain needs numbers: give {name} one, such as "
                                 f"--set {name}=1", word=name)  # fmt: skip
            if not 0 <= self.values[name] <= MOST:
                raise InputError(f"'{name}' is {self.values[name]}, but must be from 0 to {MOST}",
                                 word=name)  # fmt: skip

    def _parts(self, digits: int) -> tuple[Parts, Parts]:
        """Return (e^ε, δ) of each mechanism, with e^ε rounded down, and rounded up."""
        ends = [exponential(self.values[name], digits) for name in self.parameters]
        below = [max(Fraction(1), low) for low, _ in ends]
        return (
            list(zip(below, self.deltas, strict=True)),
            list(zip((high for _, high in ends), self.deltas, strict=True)),
        )

    def _table(self, parts: Parts, end: Fraction) -> TextTable:
        factors = [1 + (end - 1) * n / _ROWS for n in range(_ROWS + 1)]
        rows = tuple((short_log(x), decimal(chained_delta(parts, x))) for x in factors)
        return TextTable("δ of the last output for each ε", ("ε", "δ"), rows)

    def _panel(self, parts: Parts, end: Fraction) -> Panel:
        xs = [1 + (end - 1) * n / _POINTS for n in range(_POINTS + 1)]
        heights = [float(chained_delta(parts, x)) for x in xs]
        line = (
            "the last output",
            [upper_log(x) for x in xs],
            [h if h > 0 else None for h in heights],
        )
        return Panel("ε", "δ", [line], log_y=True)
