"""Finite models of partial knowledge: data that are random, and what an attacker knows of them.

A *database* is a tuple of values; a *distribution* θ gives each database a probability.  The
attacker knows some entries of the database (the background), wants to tell the value a of the
target from the value b, and sees outputs that are functions of the database.  Noise is an entry
of its own that the attacker does not know.  Probabilities are fractions, or rational functions in
parameters.

The conventions where probabilities are 0, after D. Desfontaines, thesis, 3.2 and Definition 62:

* a background that is impossible together with a or with b tells nothing about a against b that
  the outputs could add to: the loss is 0 there, and an active attacker cannot choose it;
* an output that is impossible under a never occurs and is left out (its loss is −∞);
* an output that is possible under a and impossible under b has the loss ∞;
* a dependency ∞ − ∞ is 0, and it is 0 where the earlier outputs are impossible under b.

With these the losses of two outputs and the dependency add up to the loss of both, always.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve, ExactNumber

__all__ = [
    "AttackCase",
    "Attacker",
    "Database",
    "Law",
    "NumberPair",
    "OutputFunction",
    "cases",
    "composed",
    "curves",
]

Database = tuple[Any, ...]
Law = Mapping[Any, ExactNumber]
OutputFunction = Callable[[Database], Hashable]
Attacker = Literal["active", "passive"]
NumberPair = tuple[ExactNumber, ExactNumber]


@dataclass(frozen=True)
class AttackCase:
    """What an attacker compares: the joint laws of all outputs under two values of the target.

    Args:
        theta: the name of the distribution.
        values: the target's values a and b.
        background: what the attacker knows.
        weight: the probability of this background given a.
        first: the law of the outputs (o₁, …, o_k) given a and the background.
        second: the same given b.
    """

    theta: str
    values: tuple[Hashable, Hashable]
    background: Hashable
    weight: ExactNumber
    first: Law = field(repr=False)
    second: Law = field(repr=False)
    _known: dict[tuple[int, ...], tuple[Law, Law]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def count(self) -> int:
        """The number of mechanisms."""
        return len(next(iter(self.first)))

    def marginals(self, which: Sequence[int]) -> tuple[Law, Law]:
        """Return the laws of some of the outputs, given a and given b."""
        key = tuple(which)
        if key not in self._known:
            self._known[key] = _marginal(self.first, key), _marginal(self.second, key)
        return self._known[key]

    def losses(self, which: Sequence[int]) -> dict[tuple[Hashable, ...], ExactNumber | None]:
        """Return e^L for some of the outputs, for all that is possible given a; None for ∞."""
        first, second = self.marginals(which)
        return {o: p / second[o] if o in second else None for o, p in first.items()}

    def dependencies(self, j: int) -> dict[tuple[Hashable, ...], ExactNumber | None]:
        """Return e^dep of mechanism j on those before it; None for ∞.

        The dependency is the loss of M_j given the outputs before it, minus its own loss
        (Definition 62), as a function of (o₁, …, o_j).
        """
        first, _ = self.marginals(range(j + 1))
        pairs = zip(first, self.dependency_pairs(j), strict=True)
        return {o: None if q == 0 else p / q for o, (p, q) in pairs}

    def loss_pairs(self, which: Sequence[int]) -> list[NumberPair]:
        """Return the probabilities of some of the outputs, given a and given b."""
        first, second = self.marginals(which)
        return [(p, second.get(o, 0)) for o, p in first.items()]

    def dependency_pairs(self, j: int) -> list[NumberPair]:
        """Return pairs whose curve is E of max(0, 1 − e^(ε − dep)), as in Definition 63."""
        first, second = self.marginals(range(j + 1))
        earlier, own = self.losses(range(j)), self.losses([j])
        found: list[NumberPair] = []
        for o, p in first.items():
            past, alone = earlier[o[:j]], own[o[j:]]
            if past is None or alone is None:
                found.append((p, p))  # then the loss of both is infinite too
            else:
                found.append((p, second[o] * (past * alone) if o in second else 0))
        return found


def cases(
    thetas: Mapping[str, Mapping[Database, ExactNumber]],
    target: Callable[[Database], Hashable],
    background: Callable[[Database], Hashable],
    mechanisms: Sequence[OutputFunction],
) -> list[AttackCase]:
    """Return every comparison that an attacker can make: θ, a ≠ b, and a background.

    Backgrounds that are impossible with a or b are left out.

    Raises:
        InputError: there is no mechanism, or the probabilities of a distribution do not sum to 1.

    >>> half = Fraction(1, 4)
    >>> coins = {"fair": {(x, y): half for x in (0, 1) for y in (0, 1)}}
    >>> one, other = cases(coins, lambda d: d[0], lambda d: None, [sum])
    >>> one.values, one.losses([0])
    ((0, 1), {(0,): None, (1,): Fraction(1, 1)})
    """
    if not mechanisms:
        raise InputError("there is no mechanism: give at least one output")
    found = []
    for name, theta in thetas.items():
        whole = sum(theta.values())
        if whole != 1:
            raise InputError(f"the probabilities of '{name}' sum to {whole}, not to 1", word=name)
        laws: dict[Hashable, dict[Hashable, dict[tuple[Hashable, ...], ExactNumber]]] = {}
        for database, probability in theta.items():
            if probability == 0:
                continue
            seen = tuple(m(database) for m in mechanisms)
            known = laws.setdefault(target(database), {}).setdefault(background(database), {})
            known[seen] = known.get(seen, 0) + probability
        masses = {a: {b: sum(law.values()) for b, law in of.items()} for a, of in laws.items()}
        for a, of_a in laws.items():
            for b, of_b in laws.items():
                found += [
                    AttackCase(
                        name,
                        (a, b),
                        known,
                        masses[a][known] / sum(masses[a].values()),
                        {o: p / masses[a][known] for o, p in law.items()},
                        {o: p / masses[b][known] for o, p in of_b[known].items()},
                    )
                    for known, law in of_a.items()
                    if a != b and known in of_b
                ]
    return found


def curves(
    found: Iterable[AttackCase],
    attacker: Attacker,
    pairs: Callable[[AttackCase], Iterable[NumberPair]],
) -> list[DeltaCurve]:
    """Return the curves over which the worst is taken, one for each choice of the attacker.

    An active attacker chooses the background, so that every case counts by itself; a passive one
    is given it, so that the cases of the same θ, a and b are averaged over the backgrounds.
    Backgrounds that are left out have the loss 0, and add nothing for ε ≥ 0.

    Args:
        found: what :func:`cases` returns.
        attacker: active (Definition of APK) or passive (PPK).
        pairs: what is lost in a case, such as ``lambda case: case.loss_pairs([0])``.
    """
    together: dict[Hashable, list[NumberPair]] = defaultdict(list)
    for number, case in enumerate(found):
        if attacker == "active":
            together[number] += pairs(case)
        else:
            weighted = [(case.weight * p, case.weight * q) for p, q in pairs(case)]
            together[case.theta, case.values] += weighted
    # Many cases look alike to a mechanism; one curve is enough for them.
    return [DeltaCurve(one) for one in dict.fromkeys(map(tuple, together.values()))]


def composed(factors: Iterable[Fraction | None]) -> Fraction | None:
    """Return the product of factors e^ε; None is infinity."""
    product = Fraction(1)
    for factor in factors:
        if factor is None:
            return None
        product *= factor
    return product


def _marginal(law: Law, which: Sequence[int]) -> Law:
    if len(which) == len(next(iter(law))):
        return law
    found: dict[tuple[Hashable, ...], ExactNumber] = {}
    for o, p in law.items():
        seen = tuple(o[j] for j in which)
        found[seen] = found[seen] + p if seen in found else p
    return found
