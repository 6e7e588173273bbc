"""Definitions of partial knowledge, word for word, in plain loops: what the package is held to.

Run as a program, it compares the bound of composition with the exact loss on random models:
``python tests/uncertainty/plain.py 10000``.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.curve import worst_delta
from dpcomp_sym.uncertainty.laws.worlds import cases

INFINITE = None


@dataclass
class Model:
    """Laws of databases of three small values, tables of outputs, and an attacker."""

    thetas: dict[str, dict[tuple[int, ...], Fraction]]
    tables: list[dict[tuple[int, ...], int]]
    knows: int | None
    attacker: str

    def background(self, database):
        return None if self.knows is None else database[self.knows]

    def composition(self) -> Composition:
        found = cases(
            self.thetas,
            lambda d: d[0],
            self.background,
            [table.__getitem__ for table in self.tables],
        )
        names = [f"M{n}" for n in range(len(self.tables))]
        return Composition(found, self.attacker, names)

    def probability(self, theta, value, known, which=(), outputs=()):
        """P[the outputs, the background | the target's value]; and P[the value] if nothing else."""
        return sum(
            (
                p
                for d, p in self.thetas[theta].items()
                if d[0] == value
                and self.background(d) == known
                and all(self.tables[j][d] == o for j, o in zip(which, outputs, strict=True))
            ),
            Fraction(0),
        )

    def loss(self, theta, a, b, known, which, outputs):
        """e^L, after its definition; the outputs are possible under a."""
        up = self.probability(theta, a, known, which, outputs)
        down = self.probability(theta, b, known, which, outputs)
        if down == 0:
            return INFINITE
        return (up / self.probability(theta, a, known)) / (down / self.probability(theta, b, known))

    def dependency(self, theta, a, b, known, outputs):
        """e^dep of the last output on those before, after Definition 62."""
        k = len(outputs)
        past, last = tuple(range(k - 1)), (k - 1,)

        def given(value):
            return self.probability(theta, value, known, past, outputs[:-1])

        if given(b) == 0:
            return Fraction(1)
        after_b = self.probability(theta, b, known, range(k), outputs) / given(b)
        after_a = self.probability(theta, a, known, range(k), outputs) / given(a)
        alone = self.loss(theta, a, b, known, last, outputs[-1:])
        if after_b == 0:
            return Fraction(1) if alone is INFINITE else INFINITE
        return Fraction(1) if alone is INFINITE else after_a / after_b / alone

    def delta(self, factor, which, dependency=False):
        """The least δ at e^ε = factor: a maximum of expectations of max(0, 1 − e^(ε − L))."""
        worst = Fraction(0)
        for theta, law in self.thetas.items():
            values, knowns = {d[0] for d in law}, {self.background(d) for d in law}
            for a, b in product(values, values):
                if a == b:
                    continue
                of_a = sum(p for d, p in law.items() if d[0] == a)
                average = Fraction(0)
                for known in knowns:
                    weight = self.probability(theta, a, known)
                    if weight == 0 or self.probability(theta, b, known) == 0:
                        continue
                    mean = Fraction(0)
                    outputs = {tuple(self.tables[j][d] for j in which) for d in law}
                    for o in outputs:
                        p = self.probability(theta, a, known, which, o)
                        if p == 0:
                            continue
                        ratio = (
                            self.dependency(theta, a, b, known, o)
                            if dependency
                            else self.loss(theta, a, b, known, which, o)
                        )
                        mean += p / weight * (1 if ratio is None else max(0, 1 - factor / ratio))
                    average += weight / of_a * mean
                    if self.attacker == "active":
                        worst = max(worst, mean)
                if self.attacker == "passive":
                    worst = max(worst, average)
        return worst


def random_model(draw: random.Random) -> Model:
    """A model with three mechanisms at most, many of whose probabilities are 0."""
    databases = list(product((0, 1), (0, 1), (0, 1, 2)))
    thetas: dict[str, Any] = {}
    for name in range(draw.choice((1, 1, 2))):
        law = {d: draw.choice((0, 1, 1, 2, 3, 9)) for d in databases}
        law[0, 0, 0] += 1
        whole = sum(law.values())
        thetas[f"theta{name}"] = {d: Fraction(w, whole) for d, w in law.items() if w}
    outputs = draw.choice((2, 2, 3))
    tables = [
        {
            d: draw.randrange(outputs) if draw.random() < 0.7 else d[draw.randrange(3)]
            for d in databases
        }
        for _ in range(draw.choice((2, 2, 3)))
    ]
    return Model(thetas, tables, draw.choice((None, 1)), draw.choice(("active", "passive")))


FACTORS = [Fraction(n, 4) for n in (4, 5, 6, 9, 16, 40)]


def excess(model: Model, draw: random.Random) -> tuple[Fraction, Fraction]:
    """The exact δ of all mechanisms together, and the bound of composition, at random factors."""
    seen, count = model.composition(), len(model.tables)
    whole, total = Fraction(1), Fraction(0)
    for j in range(count):
        x = draw.choice(FACTORS)
        whole, total = whole * x, total + worst_delta(seen.single_curves[j], x)
        if j:
            x = draw.choice(FACTORS)
            whole, total = whole * x, total + worst_delta(seen.dependency_curves[j], x)
    return worst_delta(seen.joint_curves[count], whole), total


def search(number: int, seed: int = 1) -> dict[str, int]:
    """Compare on so many models; what was met is counted, so that it can be seen not to be idle."""
    draw = random.Random(seed)
    met = dict.fromkeys(("models", "violations", "less than the bound", "equal", "positive"), 0)
    for _ in range(number):
        exact, bound = excess(random_model(draw), draw)
        met["models"] += 1
        met["violations"] += exact > bound
        met["less than the bound"] += exact < bound
        met["equal"] += exact == bound
        met["positive"] += exact > 0
    return met


if __name__ == "__main__":
    found = search(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    sys.stdout.write(", ".join(f"{name}: {count}" for name, count in found.items()) + "\n")
    sys.exit(1 if found["violations"] else 0)
