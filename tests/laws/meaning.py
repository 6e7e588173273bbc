"""What statements mean, from the definitions alone: plain loops over plain data, in exact numbers.

An expression is read as JSON, so that nothing of the two programs that are tested is used here.
Numbers are fractions, or have 60 digits where they are not rational.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from decimal import Context, Decimal, InvalidOperation, Overflow
from fractions import Fraction
from itertools import product
from typing import Any

INFINITE = Decimal("Infinity")
EXACT = Context(prec=60, traps=[InvalidOperation, Overflow])
CLOSE = Decimal("1e-40")
NEAR = EXACT.add(1, CLOSE)
SAMPLES = ("0", "1", "1/4", "4", "1/3", "2", "3", "7/2", "100")
FAMILIES = (("k",), ("l",), ("k", "l"), ("k", "k"), (2,), ("k", 2), ())
SYMBOLS = ("k", "l", "m")
MOST = 3
FAR = 9
"""Letters of conditions are tried from -9 to 9: blocks are numbered from 1 to 5 at most."""
COMPARED = {"le": operator.le, "lt": operator.lt, "eq": operator.eq, "ne": operator.ne}

Data = Any
Value = Fraction | Decimal


def decimal(x):
    return x if isinstance(x, Decimal) else EXACT.divide(x.numerator, x.denominator)


def plus(items):
    items = list(items)
    if INFINITE in items:
        return INFINITE
    if all(isinstance(x, Fraction) for x in items):
        return sum(items, Fraction(0))
    total = Decimal(0)
    for x in items:
        total = EXACT.add(total, decimal(x))
    return total


def times(*items):
    found = Fraction(1)
    for x in items:
        if 0 in {found, x}:
            return Fraction(0)
        if isinstance(found, Fraction) and isinstance(x, Fraction):
            found *= x
        else:
            found = EXACT.multiply(decimal(found), decimal(x))
    return found


def at_most(a, b):
    """Whether a <= b, up to the rounding of numbers that are not rational."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a <= b
    if b == INFINITE:
        return True
    return decimal(a) <= EXACT.add(EXACT.multiply(decimal(b), NEAR), CLOSE)


def largest(items):
    found = Fraction(0)
    for x in items:
        if x == INFINITE or (found != INFINITE and decimal(x) > decimal(found)):
            found = x
    return found


def root(x):
    if x == INFINITE:
        return x
    whole = EXACT.sqrt(decimal(x))
    near = Fraction(whole).limit_denominator(10**9)
    return near if isinstance(x, Fraction) and near * near == x else whole


def growth(eps, r):
    """(e^(r eps) - 1)/(e^eps - 1), and its limits."""
    if eps == 0 or r in {0, 1}:
        return r
    if INFINITE in {eps, r}:
        return INFINITE if r > 1 else Fraction(0)
    up, down = (EXACT.exp(decimal(times(x, eps))) for x in (r, Fraction(1)))
    return EXACT.divide(EXACT.subtract(up, 1), EXACT.subtract(down, 1))


def gdp(x):
    """Some function that grows, from 0 to infinity: no more is used of this one."""
    return plus((x, times(x, x)))


def tanh(x):
    """(e^x - e^-x)/(e^x + e^-x)."""
    if x in {0, INFINITE}:
        return Fraction(min(1, x))
    up = EXACT.exp(times(Fraction(2), decimal(x)))
    return EXACT.divide(EXACT.subtract(up, 1), EXACT.add(up, 1))


def exp(x):
    return INFINITE if x == INFINITE else EXACT.exp(decimal(x))


def path_rho(eps, r):
    """eps (r - 2 a (1 - a^r)/(1 - a^2)) with a = e^-eps, and its limits."""
    if 0 in {eps, r}:
        return Fraction(0)
    if INFINITE in {eps, r}:
        return INFINITE
    a = EXACT.exp(EXACT.minus(decimal(eps)))
    power = EXACT.exp(EXACT.minus(decimal(times(eps, r))))
    above = times(Fraction(2), a, EXACT.subtract(1, power))
    less = EXACT.divide(above, EXACT.subtract(1, EXACT.multiply(a, a)))
    return times(eps, EXACT.subtract(decimal(r), less))


def path_mu(eps, r):
    """Some function that grows in both, and is not convex in r: no more is used of this one."""
    return times(root(r), gdp(eps))


def zcdp_epsilon(rho, delta):
    if delta == 0:
        more = Fraction(0) if rho == 0 else INFINITE
    elif delta >= 1 or rho == 0:
        more = Fraction(0)
    else:
        more = times(Fraction(2), root(times(rho, EXACT.minus(EXACT.ln(decimal(delta))))))
    return plus((rho, more))


FUNCTIONS = {
    "growth": growth, "gdp": gdp, "zcdp_epsilon": zcdp_epsilon, "tanh": tanh, "path_rho": path_rho,
    "path_mu": path_mu, "exp": exp,
}  # fmt: skip


class World:
    """Numbers for sizes and parameters; those of parameters are drawn when first needed."""

    def __init__(self, rng, sizes, *, infinite=True):
        self.rng, self.sizes = rng, sizes
        self.samples = [Fraction(x) for x in SAMPLES] + ([INFINITE] if infinite else [])
        self.values: dict[Any, Value] = {}

    def size(self, s):
        return s if isinstance(s, int) else self.sizes[s]

    def blocks(self, sizes):
        return list(product(*(range(self.size(s)) for s in sizes)))

    def parameter(self, *key):
        if key not in self.values:
            self.values[key] = self.rng.choice(self.samples)
        return self.values[key]

    def of(self, e: Data, block: dict[Any, Any]) -> Value:
        match e["op"]:
            case "Num":
                return Fraction(e["value"])
            case "Inf":
                return INFINITE
            case "Param":
                return self.parameter(e["name"])
            case "Entry":
                sizes = tuple(e["sizes"])
                return self.parameter(e["name"], sizes, block[sizes] if sizes else ())
            case "EntryOf":
                number = tuple(n - 1 for n in e["block"])
                return self.parameter(e["name"], tuple(e["sizes"]), number)
            case "Size":
                return Fraction(self.sizes[e["name"]])
            case "Sum":
                return plus(self.of(x, block) for x in e["items"])
            case "Product":
                return times(*(self.of(x, block) for x in e["items"]))
            case "Max":
                return largest(self.of(x, block) for x in e["items"])
            case "Sqrt":
                return root(self.of(e["of"], block))
            case "Apply":
                return FUNCTIONS[e["name"]](*(self.of(x, block) for x in e["items"]))
            case "Cases":
                held = (c["value"] for c in e["items"] if self.holds(c["where"]))
                value = next(held, None)
                return INFINITE if value is None else self.of(value, block)
            case "Worst":
                return self.worst(e, block)
            case "MaxOver":
                return largest(
                    self.total(e["body"], block, letters)
                    for letters in product(range(-FAR, FAR + 1), repeat=e["free"])
                    if self.met(e["facts"], letters, ())
                )
        raise AssertionError(e)

    def total(self, e, block, letters):
        """A total over the blocks that satisfy a condition, or a sum of such, at some letters."""
        if e["op"] == "Sum":
            return plus(self.total(x, block, letters) for x in e["items"])
        sizes = tuple(e["sizes"])
        gains = [
            self.of(e["value"], block | {sizes: b})
            for b in self.blocks(sizes)
            if self.met(e["when"], letters, tuple(n + 1 for n in b))
        ]
        count = self.of(e["count"], block)
        kept = len(gains) if count == INFINITE else min(int(count), len(gains))
        return plus(sorted(gains, key=decimal, reverse=True)[:kept])

    def met(self, p, letters, indices):
        """Whether a condition on integers holds."""
        if p["op"] == "Connected":
            met = [self.met(x, letters, indices) for x in p["items"]]
            return {"and": all, "or": any, "not": lambda found: not found[0]}[p["word"]](met)
        left, right = (self.integer(p[side], letters, indices) for side in ("left", "right"))
        return COMPARED[p["word"]](left, right)

    def integer(self, e, letters, indices):
        match e["op"]:
            case "Integer":
                return e["value"]
            case "Letter":
                return letters[e["number"] - 1]
            case "Index":
                return indices[e["number"] - 1]
            case "Symbol":
                return self.sizes[e["name"]]
        items = [self.integer(x, letters, indices) for x in e["items"]]
        match e["word"]:
            case "add":
                return sum(items)
            case "mul":
                return math.prod(items)
            case "neg":
                return -items[0]
            case "pow":
                return max(1, items[0]) ** max(0, items[1])
            case "div":
                return items[0] // items[1]
        raise AssertionError(e)

    def worst(self, e, block):
        """The largest total: block by block, which joins a group that has room, or none."""
        sizes = tuple(e["sizes"])
        blocks = self.blocks(sizes)
        rooms = []
        for group in e["groups"]:
            count = self.of(group["count"], block)
            rooms.append(len(blocks) if count == INFINITE else min(int(count), len(blocks)))
        best = {tuple(rooms): Fraction(0)}
        for b in blocks:
            gains = [self.of(g["value"], block | {sizes: b}) for g in e["groups"]]
            after = dict(best)
            for left, value in best.items():
                for n, gain in enumerate(gains):
                    if left[n]:
                        rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                        after[rest] = largest((after.get(rest, Fraction(0)), plus((value, gain))))
            best = after
        return largest(best.values())

    def holds(self, where):
        return all(
            r["low"] <= self.sizes[r["symbol"]]
            and (r["high"] is None or self.sizes[r["symbol"]] <= r["high"])
            for r in where
        )

    def every_block(self) -> Iterator[dict[Any, Any]]:
        """A block at hand for each family; one of each in turn, and then together."""
        families = {f: self.blocks(f) for f in FAMILIES if f}
        for n in range(max(map(len, families.values()))):
            yield {f: blocks[n % len(blocks)] for f, blocks in families.items()}
        yield {f: self.rng.choice(blocks) for f, blocks in families.items()}


def worlds(rng, where, number, *, infinite=True):
    """Worlds whose sizes lie in a box: its corners that are small, and random ones."""
    low = {r["symbol"]: r["low"] for r in where}
    for r in where:
        low[r["symbol"]] = max(low[r["symbol"]], r["low"])
    for n in range(number):
        sizes = {s: low.get(s, 1) + (rng.randrange(MOST) if n else 0) for s in SYMBOLS}
        world = World(rng, sizes, infinite=infinite)
        if world.holds(where):
            yield world


# What is lost at a distance, and together.


def lost(notion, guarantee, r):
    """What a guarantee is worth at a distance."""
    if r == 0:
        return (Fraction(0),) * len(guarantee)
    if r == INFINITE:
        return (INFINITE,) * len(guarantee)
    if notion == "approximate":
        eps, delta = guarantee
        return times(eps, r), times(delta, growth(eps, r))
    (value,) = guarantee
    return (times(value, r, r) if notion == "zcdp" else times(value, r),)


def converted(source, target, guarantee, chosen):
    (value,) = guarantee
    match source, target:
        case "zcdp", "approximate":
            return zcdp_epsilon(value, chosen[0]), chosen[0]
        case "pure", "approximate":
            return value, Fraction(0)
        case "pure", "gaussian":
            return (gdp(value),)
        case "pure", "zcdp":
            return (times(value, tanh(times(Fraction(1, 2), value))),)
        case "gaussian", "zcdp":
            return (times(Fraction(1, 2), value, value),)
    raise AssertionError((source, target))


def walked(target, guarantee, r):
    """What so many steps are worth, each under a pure guarantee."""
    (eps,) = guarantee
    return ((path_mu if target == "gaussian" else path_rho)(eps, r),)


def together(notion, losses):
    """All of these losses, added up as the notion says."""
    if notion == "gaussian":
        return (root(plus(times(x, x) for (x,) in losses)),)
    return tuple(plus(column) for column in zip(*losses, strict=True))
