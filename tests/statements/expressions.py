"""Random expressions, as they are written: no sum, product or maximum of fewer than two things."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from dpcomp_sym import kernel as k

FAMILIES = {("k",): ("eps", "mu"), ("k", "m"): ("tau",), (3,): ("rho",)}
"""The parameters with one value a block, by the sizes of their family."""
SINGLE = ("a", "b", "eps0", "eps_fl")
SIZES = ("k", "m", "w")
SIZES_OF = {name: sizes for sizes, names in FAMILIES.items() for name in names}


def number(n):
    return k.Num(Fraction(n))


class Expressions:
    """Draws expressions; what stands inside a family may be about the block at hand."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def expression(self, depth=3):
        if self.rng.random() < 0.1:
            boxes = [
                (k.SizeRange("k", 1, 1),),
                (k.SizeRange("k", 2, None), k.SizeRange("w", 2, 5)),
                (),
            ]
            many = self.rng.randint(1, 3)
            return k.Cases(tuple(k.SizeCase(b, self.of(depth - 1)) for b in boxes[-many:]))
        return self.of(depth)

    def of(self, depth, sizes=None):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(sizes)

        def one():
            return self.of(depth - 1, sizes)

        def some():
            return tuple(one() for _ in range(self.rng.randint(2, 3)))

        match self.rng.randrange(12):
            case 0 | 1:
                return k.Sum(some())
            case 2 | 3:
                return k.Product(some())
            case 4:
                inside = one()
                return k.Product((inside,) * self.rng.randint(2, 3))
            case 5:
                return k.Max(some())
            case 6:
                return k.Sqrt(one())
            case 7:
                names = "growth", "growth", "zcdp_epsilon", "gaussian_delta", "path_rho", "path_mu"
                return k.Apply(self.rng.choice(names), (one(), one()))
            case 8:
                return k.Apply(self.rng.choice(("gdp", "tanh", "exp")), (one(),))
            case _:
                return self.worst(depth - 1)

    def leaf(self, sizes):
        if sizes is not None and self.rng.random() < 0.6:
            return k.BlockEntry(self.rng.choice(FAMILIES[sizes]), sizes)
        match self.rng.randrange(6):
            case 0 | 1:
                return k.Param(self.rng.choice(SINGLE))
            case 2:
                return k.Size(self.rng.choice(SIZES))
            case 3:
                return number(Fraction(self.rng.randint(1, 9), self.rng.choice((1, 2, 3))))
            case 4:
                return number(self.rng.randint(0, 12))
            case _:
                return k.Inf()

    def worst(self, depth):
        sizes = self.rng.choice(list(FAMILIES))
        groups = [
            k.Choice(self.count(), self.of(depth, sizes))
            for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3)))
        ]
        return k.Worst(sizes, tuple(groups))

    def count(self):
        many = number(self.rng.randint(1, 3))
        size = k.Size(self.rng.choice(SIZES))
        return self.rng.choice((number(1), many, k.Inf(), size, k.Product((many, size))))


def expression(seed):
    """Return the expression of a seed."""
    return Expressions(seed).expression()


def values_of(sizes, one):
    """Return numbers for all parameters of random expressions: one, or a table by block."""
    values = {name: one() for name in SINGLE}
    for family, names in FAMILIES.items():
        ends = [s if isinstance(s, int) else sizes[s] for s in family]
        for name in names:
            values[name] = {b: one() for b in product(*(range(1, end + 1) for end in ends))}
    return values
