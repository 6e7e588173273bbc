"""A survey: how many people said yes, published with or without noise (nested composition)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.counts import CountLaw, binomial, count_law, nested_curves
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_delta, worst_factor
from dpcomp_sym.uncertainty.settings.claims import (
    AttackQuestion,
    Event,
    EventDecision,
    GuaranteeClaim,
    decide,
)
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import (
    StatedGuarantee,
    TextTable,
    decimal,
    loss,
    short_log,
    upper_log,
)

__all__ = ["SurveySetting"]

_FACTORS: Final = tuple(
    Fraction(n, 100) for n in (100, 101, 102, 105, 110, 120, 150, 200, 300, 500, 1000)
)
_POINTS: Final = 60
_SMALLEST: Final = 1e-15


@dataclass(frozen=True)
class SurveySetting:
    """Independent answers of which the attacker knows some, counted.

    Args:
        groups: (number of people, probability of yes) of those whose answers the attacker does
            not know; the target is not among them.
        delta: the δ at which ε is reported.
        noise: the decay of two-sided geometric noise, or None.
        sizes: other numbers of unknown people to compare, if all have the same probability.

    >>> survey = SurveySetting(((999, Fraction(1, 2)),), Fraction(1, 10**6), Fraction(1, 2))
    >>> [g.about for g in survey.derive("A survey").guarantees]
    ['count and noise together', 'the count alone', 'the noise alone']
    """

    groups: tuple[tuple[int, Fraction], ...]
    delta: Fraction
    noise: Fraction | None = None
    sizes: tuple[int, ...] = ()

    @property
    def unknown(self) -> int:
        """The number of people, besides the target, whose answer the attacker does not know."""
        return sum(n for n, _ in self.groups)

    def derive(self, title: str) -> SettingFinding:
        """Return what is lost, exactly.

        Raises:
            InputError: there are too many people, or numbers are out of range.
        """
        named = self._named(count_law(self.groups))
        guarantees = [
            StatedGuarantee(
                about, worst_factor(curves, self.delta), self.delta, "Des.nested", exact=True
            )
            for about, curves in named
        ]
        tables = [self._over_epsilon(named)]
        panels = [self._panel(named)]
        rows = self._rows()
        if rows:
            tables.append(self._over_sizes(named, rows))
            panels.append(self._panel_of_sizes(named, rows))
        note = (
            "Exact: the noise is not truncated, both infinite tails of the output are evaluated in "
            "closed form (truncation error 0); decimals of ε are rounded up."
        )
        drawing = Drawing(title, panels)
        trace = self._trace(guarantees)
        return SettingFinding(title, self._words(), guarantees, tables, trace, (note,), drawing)

    def refute(self, title: str, claim: GuaranteeClaim) -> EventDecision:
        """Decide a claim about what is published."""
        others = count_law(self.groups)
        up, down = nested_curves(others, self.noise or Fraction(0))
        most = self.unknown + 1

        def at_least(factor: Fraction) -> Event:
            outcomes, p, q = up.event(factor)
            return Event(("yes", "no"), "", "", f"at least {most + 1 - outcomes}", p, q)

        def at_most(factor: Fraction) -> Event:
            outcomes, p, q = down.event(factor)
            return Event(("no", "yes"), "", "", f"at most {outcomes - 1}", p, q)

        asked = (AttackQuestion(up, at_least), AttackQuestion(down, at_most))
        exact = worst_factor((up, down), claim.delta)
        guarantee = StatedGuarantee("exactly", exact, claim.delta, "Des.nested", exact=True)
        return decide(title, claim, asked, guarantee)

    def _named(self, others: CountLaw) -> list[tuple[str, Sequence[DeltaCurve]]]:
        count = nested_curves(others)
        if self.noise is None:
            return [("the count", count)]
        return [
            ("count and noise together", nested_curves(others, self.noise)),
            ("the count alone", count),
            ("the noise alone", nested_curves(CountLaw((1,), 1), self.noise)),
        ]

    def _rows(self) -> list[tuple[int, list[Fraction | None]]]:
        """Return ε of each curve for each number of unknown people."""
        if not self.sizes:
            return []
        if len({p for _, p in self.groups}) > 1:
            raise InputError("'sizes' compares numbers of people who answer alike: give one "
                             "probability, not groups", word="sizes")  # fmt: skip
        p = self.groups[0][1]
        return [
            (n, [worst_factor(curves, self.delta) for _, curves in self._named(binomial(n, p))])
            for n in sorted(self.sizes)
        ]

    def _words(self) -> str:
        who = " and ".join(f"{n} say yes with probability {p}" for n, p in self.groups)
        noise = ""
        if self.noise is not None:
            noise = (
                ", plus two-sided geometric noise: each step away from 0 is less likely by the "
                f"factor {self.noise}"
            )
        return (
            f"The number of people who said yes is published{noise}. Answers are independent. Of "
            f"the people other than the target whose answers the attacker does not know, {who}; "
            "known answers only shift the output, so that active and passive attackers learn the "
            "same. The attacker wants to know whether the target said yes."
        )

    def _over_epsilon(self, named: Sequence[tuple[str, Sequence[DeltaCurve]]]) -> TextTable:
        rows = tuple(
            (short_log(x), *(decimal(worst_delta(curves, x)) for _, curves in named))
            for x in _FACTORS
        )
        return TextTable(
            f"δ for each ε, with {self.unknown} unknown answers",
            ("ε", *(about for about, _ in named)),
            rows,
        )

    def _over_sizes(
        self,
        named: Sequence[tuple[str, Sequence[DeltaCurve]]],
        rows: Sequence[tuple[int, Sequence[Fraction | None]]],
    ) -> TextTable:
        return TextTable(
            f"ε at δ = {self.delta}, for each number of unknown answers",
            ("unknown", *(about for about, _ in named)),
            tuple((str(n), *(short_log(x) for x in found)) for n, found in rows),
        )

    def _panel(self, named: Sequence[tuple[str, Sequence[DeltaCurve]]]) -> Panel:
        ends = [worst_factor(curves, self.delta) for _, curves in named]
        end = max((x for x in ends if x is not None), default=Fraction(3))
        xs = [1 + (end - 1) * n / _POINTS for n in range(_POINTS + 1)]
        lines = []
        for about, curves in named:
            heights = [max(curve.near(x) for curve in curves) for x in xs]
            lines.append(
                (about, [upper_log(x) for x in xs], [h if h > _SMALLEST else None for h in heights])
            )
        return Panel("ε", f"δ, {self.unknown} unknown answers", lines, log_y=True)

    def _panel_of_sizes(
        self,
        named: Sequence[tuple[str, Sequence[DeltaCurve]]],
        rows: Sequence[tuple[int, Sequence[Fraction | None]]],
    ) -> Panel:
        sizes = [float(n) for n, _ in rows]
        lines = [
            (about, sizes,
             [None if (x := found[k]) is None else upper_log(x) for _, found in rows])
            for k, (about, _) in enumerate(named)
        ]  # fmt: skip
        return Panel("unknown answers", f"ε at δ = {self.delta}", lines, log_x=True)

    def _trace(self, guarantees: Sequence[StatedGuarantee]) -> list[Step]:
        law = " + ".join(f"Bin({n}, {p})" for n, p in self.groups)
        steps = [
            Step(1, f"what is unknown of the other answers is {law}", "setting", None),
            Step(2, "the loss of an output is the ratio of neighbouring probabilities of this law"
                 + (", convolved with the noise" if self.noise is not None else ""),
                 "exact evaluation", "Des.PLRV", (1,)),
        ]  # fmt: skip
        steps += [
            Step(len(steps) + n, f"{g.about}: ε = {loss(g.factor)} at δ = {g.delta}",
                 "exact evaluation", g.by, (2,))
            for n, g in enumerate(reversed(guarantees), 1)
        ]  # fmt: skip
        return steps
