"""Daily counts of correlated days: what is lost over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcomp_sym.knowledge.composition import Composition
from dpcomp_sym.knowledge.days import Chain, daily_cases
from dpcomp_sym.uncertain.composed import told
from dpcomp_sym.uncertain.finding import Finding, loss

__all__ = ["DailySetting"]


@dataclass(frozen=True)
class DailySetting:
    """Daily counts of users in some states, each user a Markov chain over the days.

    Args:
        others: how many users there are besides the target, all unknown to the attacker.
        states: the names of the states, in the order of the chain.
        chain: the law of one user's series.
        days: how many days are published.
        delta: the δ at which ε is told.

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

    def derive(self, title: str) -> Finding:
        """Return what is lost over time, exactly and by composition.

        Raises:
            InputError: there are too many vectors of counts to enumerate.
        """
        names = [f"day {t}" for t in range(1, self.days + 1)]
        seen = Composition(daily_cases(self.chain, self.others, self.days), "active", names)
        counted = [s for s, c in zip(self.states, self.chain.counted, strict=True) if c]
        correlation = loss(self.chain.correlation(self.days))
        setting = (
            f"Every day the number of users in the state {_quoted(counted, ' or ')} is published, "
            f"without noise. There are {self.others} users besides the target; each is a Markov "
            f"chain over the states {_quoted(self.states, ', ')}, independent of the others. A "
            "day's state moves the probabilities of the next day's by a factor of at most e^γ "
            f"with γ = {correlation}. A record is the whole series of a user; the attacker "
            "knows nothing of the other users (known ones only shift the counts) and compares any "
            "two series of the target."
        )
        note = (
            "Every pair of series of the target is compared; the dependency of a day is on all "
            "days before it; δ is shared out in units of δ/24, at the best such split."
        )
        return told(title, setting, seen, self.delta, notes=(note,), when="day")


def _quoted(names: Sequence[str], between: str) -> str:
    return between.join(f"“{name}”" for name in names)
