"""Daily counts of correlated days: what is lost over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.composition import PARTS, Composition, costs, shared_out
from dpcomp_sym.uncertainty.laws.counts import binomial, nested_curves
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, worst_factor
from dpcomp_sym.uncertainty.laws.days import Chain, daily_cases, enumerable
from dpcomp_sym.uncertainty.laws.worlds import composed
from dpcomp_sym.uncertainty.settings.claims import EventDecision, GuaranteeClaim
from dpcomp_sym.uncertainty.settings.composed import composition_found, decided, only_bound
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import loss

__all__ = ["DailySetting"]

MOST_DAYS: Final = 60


@dataclass(frozen=True)
class DailySetting:
    """Daily counts of users in some states, each user a Markov chain over the days.

    Args:
        others: how many users there are besides the target, all unknown to the attacker.
        states: the names of the states, in the order of the chain.
        chain: the law of one user's series.
        days: how many days are published.
        delta: the δ at which ε is reported.

    >>> half = Fraction(1, 2)
    >>> chain = Chain.keeping((half, half), Fraction(0), (False, True))
    >>> finding = DailySetting(9, ("no", "yes"), chain, 2, Fraction(1, 100)).derive("Use")
    >>> [g.about for g in finding.guarantees]
    ['together, exact', 'together, by composition']
    """

    others: int
    states: tuple[str, ...]
    chain: Chain
    days: int
    delta: Fraction

    def derive(self, title: str) -> SettingFinding:
        """Return what is lost over time: exactly where that can be listed, and by composition.

        Raises:
            InputError: there are too many users or days, or dependencies have no bound.
        """
        names = [f"day {t}" for t in range(1, self.days + 1)]
        if not enumerable(self.chain, self.others, self.days):
            return self.bounded(title, names)
        seen = Composition(daily_cases(self.chain, self.others, self.days), "active", names)
        note = (
            "Every pair of series of the target is compared; the dependency of a day is on all "
            "days before it; the bound shares δ out over its terms as well as a grid allows."
        )
        return composition_found(title, self._words(), seen, self.delta, notes=(note,), when="day")

    def refute(self, title: str, claim: GuaranteeClaim) -> EventDecision:
        """Decide a claim about all days together; of many users only a proof is possible."""
        names = [f"day {t}" for t in range(1, self.days + 1)]
        if enumerable(self.chain, self.others, self.days):
            cases = daily_cases(self.chain, self.others, self.days)
            return decided(title, claim, Composition(cases, "active", names))
        bound = replace(self, delta=claim.delta).bounded(title, names).guarantees[0]
        low, _ = claim.enclosure(50)
        if bound.factor is not None and bound.factor <= low:
            return EventDecision(title, claim.text, "proved", bound)
        reason = "the exact loss cannot be listed, and the bound of composition is larger"
        return EventDecision(title, claim.text, "unknown", bound, None, reason)

    def _words(self) -> str:
        counted = [s for s, c in zip(self.states, self.chain.counted, strict=True) if c]
        correlation = loss(self.chain.correlation(self.days))
        return (
            f"Every day the number of users in the state {_quoted(counted, ' or ')} is published, "
            f"without noise. There are {self.others} users besides the target; each is a Markov "
            f"chain over the states {_quoted(self.states, ', ')}, independent of the others. A "
            "day's state moves the probabilities of the next day's by a factor of at most e^γ "
            f"with γ = {correlation}. A record is the whole series of a user; the attacker "
            "knows nothing of the other users (known ones only shift the counts) and compares any "
            "two series of the target."
        )

    def bounded(self, title: str, names: Sequence[str]) -> SettingFinding:
        """Return the bound of composition for many users or days, without the exact loss.

        A day alone is a count of independent users; dependencies have a bound for any number of
        users.

        Raises:
            InputError: there are too many users or days, or dependencies have no bound.
        """
        if self.days > MOST_DAYS:
            raise InputError(f"{self.days} days are more than {MOST_DAYS}", word="days")
        laws: dict[Fraction, Sequence[DeltaCurve]] = {}
        for p in self.chain.counted_on(self.days):
            if p not in laws:
                laws[p] = nested_curves(binomial(self.others, p))
        alone = [laws[p] for p in self.chain.counted_on(self.days)]
        parts = max(PARTS, 2 * self.days)  # every day needs some of δ
        rows = {p: costs(curves, self.delta, parts) for p, curves in laws.items()}
        single = [rows[p] for p in self.chain.counted_on(self.days)]
        depends = [self.chain.dependency(t) for t in range(1, self.days + 1)]
        bounds = []
        for t in range(1, self.days + 1):
            terms = list(zip(names[:t], single[:t], strict=True))
            at, shares = shared_out(terms)
            bounds.append((composed([at, *depends[:t]]), shares))
        return only_bound(
            title, self._words(), names, [worst_factor(c, self.delta) for c in alone], depends,
            bounds, self.delta,
        )  # fmt: skip


def _quoted(names: Sequence[str], between: str) -> str:
    return between.join(f"“{name}”" for name in names)
