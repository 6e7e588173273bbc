"""Re-checks a refuted claim, from plain data and with Python's standard library alone.

``dpcomp refute --script`` writes this file with the data of one refutation below it, so that it
runs anywhere.  It shares no code with the engine: terms, edits, maps, laws and claims are read by
the functions here.  Numbers are exact: sums of c e^x with rational c and x, their quotients, and
enclosures of roots by fractions.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

__all__ = [
    "Exp", "LargeError", "Law", "Refuted", "brief", "check", "coins", "confirm", "enclose", "joint",
    "steepest",
]  # fmt: skip

NOTIONS = ("pure", "approximate", "zcdp", "gaussian")
BITS = (40, 80, 160, 320)
LONGEST = 72
MOST_DEGREE = 120
MOST_EXPONENT = 1000


# ------------------------------------------------------------------ numbers


def exp_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return fractions a <= e^x <= b that are close to each other.

    >>> low, high = exp_bounds(Fraction(1), 40)
    >>> float(low) <= 2.718281828459045 <= float(high), high - low < Fraction(1, 2**39)
    (True, True)
    """
    if x < 0:
        low, high = exp_bounds(-x, bits)
        return 1 / high, 1 / low
    # Terms in units of 2^-(bits+20), each rounded up, by at most one; the rest is at most the last.
    unit, n = 1 << (bits + 20), 0
    term = total = unit
    while n * x.denominator < 2 * x.numerator or term > 1 << 20:
        n += 1
        term = -(-term * x.numerator // (x.denominator * n))
        total += term
    slack = -(-3 * (n + 1) ** 2 * total // unit)
    return Fraction(total - slack, unit), Fraction(total + term, unit)


class Exp:
    """A quotient of two sums of c e^x, with rational numbers c and x; the divisor is positive."""

    __slots__ = ("low", "up")

    def __init__(self, up: Mapping[Fraction, Fraction], low: Mapping[Fraction, Fraction]) -> None:
        self.up = {x: c for x, c in up.items() if c}
        self.low = dict(low)

    @staticmethod
    def of(c: Fraction | int, x: Fraction | int = 0) -> Exp:
        """Return c e^x.

        >>> str(Exp.of(Fraction(1, 2), -3))
        '1/2*e^-3'
        """
        return Exp({Fraction(x): Fraction(c)}, {Fraction(0): Fraction(1)})

    def __add__(self, other: Exp) -> Exp:
        """Return the sum."""
        if self.low == other.low:
            return Exp(_plus(self.up, other.up), self.low)
        up = _plus(_times(self.up, other.low), _times(other.up, self.low))
        return Exp(*_reduced(up, _times(self.low, other.low)))

    def __sub__(self, other: Exp) -> Exp:
        """Return the difference."""
        return self + Exp({x: -c for x, c in other.up.items()}, other.low)

    def __mul__(self, other: Exp) -> Exp:
        """Return the product."""
        return Exp(_times(self.up, other.up), _times(self.low, other.low))

    def __truediv__(self, other: Exp) -> Exp:
        """Return the quotient by a positive number."""
        return Exp(*_reduced(_times(self.up, other.low), _times(self.low, other.up)))

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return an enclosure, the tighter the more bits."""
        (a, b), (c, d) = (_enclosed(t, bits) for t in (self.up, self.low))
        corners = [p / q for p in (a, b) for q in (c, d)] if c > 0 else [Fraction(0)]
        return min(corners), max(corners)

    def sign(self) -> int:
        """Return -1, 0 or 1.

        Powers e^x with different rational x are linearly independent over the rationals
        (Lindemann, Weierstrass), so that a sum with terms left is not 0, and enclosures decide.

        >>> (Exp.of(1, 1) * Exp.of(1, -1) - Exp.of(1)).sign(), (Exp.of(1, 1) - Exp.of(3)).sign()
        (0, -1)
        """
        bits = 64
        while self.up:
            low, high = _enclosed(self.up, bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            bits *= 2
        return 0

    def __float__(self) -> float:
        low, high = self.bounds(120)
        return float((low + high) / 2)

    def brief(self) -> str:
        """Return the number as text: exact if that is short, otherwise a decimal."""
        text = str(self)
        return text if len(text) <= LONGEST else f"about {float(self):.6g}"

    def __str__(self) -> str:
        up = _sum_text(self.up)
        if self.low == {Fraction(0): Fraction(1)}:
            return up
        return f"({up})/({_sum_text(self.low)})"


def _plus(p: Mapping[Fraction, Fraction], q: Mapping[Fraction, Fraction]) -> dict[Fraction, Any]:
    found = dict(p)
    for x, c in q.items():
        found[x] = found.get(x, Fraction(0)) + c
    return found


def _times(p: Mapping[Fraction, Fraction], q: Mapping[Fraction, Fraction]) -> dict[Fraction, Any]:
    found: dict[Fraction, Fraction] = {}
    for (x, c), (y, d) in itertools.product(p.items(), q.items()):
        found[x + y] = found.get(x + y, Fraction(0)) + c * d
    return found


def _reduced(
    up: Mapping[Fraction, Fraction], low: Mapping[Fraction, Fraction]
) -> tuple[Mapping[Fraction, Fraction], Mapping[Fraction, Fraction]]:
    """Cancel what both have in common, as polynomials in one power of e."""
    exponents = [x for x in (*up, *low) if x]
    if not any(up.values()):
        return {}, {Fraction(0): Fraction(1)}
    if not exponents:
        return {Fraction(0): up[Fraction(0)] / low[Fraction(0)]}, {Fraction(0): Fraction(1)}
    step = Fraction(
        math.gcd(*(int(x * math.lcm(*(e.denominator for e in exponents))) for x in exponents)),
        math.lcm(*(e.denominator for e in exponents)),
    )
    least = min(*up, *low)
    most = int((max(*up, *low) - least) / step)
    if most > MOST_DEGREE:
        return up, low
    p, q = ([t.get(least + n * step, Fraction(0)) for n in range(most + 1)] for t in (up, low))
    common = _gcd(p, q)
    p, q = _divided(p, common)[0], _divided(q, common)[0]
    lead = next(c for c in q if c)
    first = next(n for n, c in enumerate(q) if c)
    return (
        {(n - first) * step: c / lead for n, c in enumerate(p) if c},
        {(n - first) * step: c / lead for n, c in enumerate(q) if c},
    )


def _divided(p: list[Fraction], q: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Return quotient and remainder of polynomials, lowest coefficient first."""
    q = _trimmed(q)
    rest, quotient = _trimmed(p), [Fraction(0)] * max(1, len(p) - len(q) + 1)
    while len(rest) >= len(q) and any(rest):
        factor, shift = rest[-1] / q[-1], len(rest) - len(q)
        quotient[shift] = factor
        for n, c in enumerate(q):
            rest[n + shift] -= factor * c
        rest = _trimmed(rest)
    return quotient, rest


def _trimmed(p: Sequence[Fraction]) -> list[Fraction]:
    found = list(p)
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def _gcd(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    while any(q):
        p, q = q, _divided(p, q)[1]
    return _trimmed(p)


def _enclosed(terms: Mapping[Fraction, Fraction], bits: int) -> tuple[Fraction, Fraction]:
    low = high = Fraction(0)
    for x, c in terms.items():
        a, b = exp_bounds(x, bits) if x else (Fraction(1), Fraction(1))
        low += c * (a if c > 0 else b)
        high += c * (b if c > 0 else a)
    return low, high


def _sum_text(terms: Mapping[Fraction, Fraction]) -> str:
    said = []
    for x, c in sorted(terms.items(), reverse=True):
        power = f"e^{x}" if x.denominator == 1 else f"e^({x})"
        said.append(str(c) if x == 0 else power if c == 1 else f"{c}*{power}")
    return " + ".join(said).replace("+ -", "- ") or "0"


# ------------------------------------------------------------------ claims and bounds


class LargeError(ValueError):
    """A number that is too large to be compared."""


def enclose(
    e: Mapping[str, Any], values: Mapping[str, Any], sizes: Mapping[str, int], bits: int
) -> tuple[Fraction, Fraction] | None:
    """Return fractions around the value of an expression; None if it is infinite.

    Args:
        e: the expression as plain data: sums, products, maxima, roots, worst choices of blocks.
        values: the parameters: a fraction, or one for each block.
        sizes: the numbers of blocks and other symbols.
        bits: the more, the closer.

    >>> two = {"op": "Num", "value": "2"}
    >>> enclose({"op": "Product", "items": [two, {"op": "Param", "name": "eps"}]},
    ...         {"eps": Fraction(1, 2)}, {}, 40)
    (Fraction(1, 1), Fraction(1, 1))
    """
    return _Enclosure(values, sizes, bits).of(e, ())


def brief(x: Fraction) -> str:
    """Return a number as text, exact if it is whole or short, otherwise to six digits.

    >>> brief(Fraction(1, 3)), brief(Fraction(10**9 + 1, 10**9)), brief(10**400 + Fraction(1, 7**9))
    ('1/3', '1', '1.00000e+400')
    """
    if x.denominator < 10**6:
        return str(x)
    try:
        return f"{float(x):.6g}"
    except OverflowError:
        return f"{Decimal(x.numerator) / Decimal(x.denominator):.6g}"


class _Enclosure:
    def __init__(self, values: Mapping[str, Any], sizes: Mapping[str, int], bits: int) -> None:
        self.values, self.sizes, self.bits = values, sizes, bits

    def of(self, e: Mapping[str, Any], block: tuple[int, ...]) -> tuple[Fraction, Fraction] | None:
        match e["op"]:
            case "Num":
                return Fraction(e["value"]), Fraction(e["value"])
            case "Inf":
                return None
            case "Size":
                return Fraction(self.sizes[e["name"]]), Fraction(self.sizes[e["name"]])
            case "Param" | "Entry":
                value = self.values[e["name"]]
                if isinstance(value, Mapping):
                    value = value[block]
                return Fraction(value), Fraction(value)
            case "EntryOf":
                value = self.values[e["name"]]
                if isinstance(value, Mapping):
                    value = value[tuple(e["block"])]
                return Fraction(value), Fraction(value)
            case "Worst":
                return self.worst(e)
            case "Cases":
                for case in e["items"]:
                    if all(self.lies(r) for r in case["where"]):
                        return self.of(case["value"], block)
                return None
            case "Sqrt":
                inside = self.of(e["of"], block)
                return None if inside is None else self.root(inside)
            case _:
                pass
        items = [self.of(x, block) for x in e["items"]]
        known = [x for x in items if x is not None]
        if e["op"] == "Product":
            if any(high == 0 for _, high in known):
                return Fraction(0), Fraction(0)
            if len(known) < len(items):
                return None
            return (
                math.prod((x for x, _ in known), start=Fraction(1)),
                math.prod((x for _, x in known), start=Fraction(1)),
            )
        if len(known) < len(items):
            return None
        if e["op"] == "Sum":
            return sum((x for x, _ in known), Fraction(0)), sum((x for _, x in known), Fraction(0))
        if e["op"] == "Max":
            return max([x for x, _ in known] or [Fraction(0)]), max(
                [x for _, x in known] or [Fraction(0)]
            )
        if e["op"] == "Apply":
            return self.applied(e["name"], known)
        raise ValueError(f"no value: {e['op']}")

    def applied(self, name: str, items: Sequence[tuple[Any, Any]]) -> tuple[Fraction, Fraction]:
        if name == "exp":
            ((low, high),) = items
            if high > MOST_EXPONENT:
                raise LargeError(f"e^({high}) is too large to be written down")
            return exp_bounds(low, self.bits)[0], exp_bounds(high, self.bits)[1]
        if name == "growth":
            (eps, high), (r, _) = items
            if eps == high and r.denominator == 1:
                total = Exp.of(0)
                for n in range(r.numerator):
                    total += Exp.of(1, n * eps)
                return total.bounds(self.bits)
        raise ValueError(f"no value: {name}")

    def root(self, x: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        up, down = math.isqrt(x[0].numerator), math.isqrt(x[0].denominator)
        if x[0] == x[1] == Fraction(up, down) ** 2:
            return Fraction(up, down), Fraction(up, down)
        unit = 2**self.bits
        low = Fraction(math.isqrt(math.floor(x[0] * unit * unit)), unit)
        return low, Fraction(math.isqrt(math.ceil(x[1] * unit * unit)) + 1, unit)

    def lies(self, r: Mapping[str, Any]) -> bool:
        size = self.sizes.get(r["symbol"], 1)
        return r["low"] <= size and (r["high"] is None or size <= r["high"])

    def worst(self, e: Mapping[str, Any]) -> tuple[Fraction, Fraction] | None:
        """Go through the blocks; each joins a group that has room, or none."""
        sizes = [s if isinstance(s, int) else self.sizes[s] for s in e["sizes"]]
        blocks = list(itertools.product(*(range(1, s + 1) for s in sizes)))
        rooms = []
        for group in e["groups"]:
            room = self.of(group["count"], ())
            rooms.append(len(blocks) if room is None else min(int(room[0]), len(blocks)))
        best = {tuple(rooms): (Fraction(0), Fraction(0))}
        for block in blocks:
            gains = [self.of(group["value"], block) for group in e["groups"]]
            following = dict(best)
            for left, (low, high) in best.items():
                for n, gain in enumerate(gains):
                    if not left[n]:
                        continue
                    if gain is None:
                        return None
                    rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                    old = following.get(rest, (Fraction(0), Fraction(0)))
                    following[rest] = (max(old[0], low + gain[0]), max(old[1], high + gain[1]))
            best = following
        return max(x for x, _ in best.values()), max(x for _, x in best.values())


# ------------------------------------------------------------------ mechanisms as tables

Law = tuple[Exp, ...]
"""The probabilities of the outcomes, in a fixed order."""


def coins(eps: Fraction, r: int) -> list[Law]:
    """Return one law for each distance t = 0, …, r: outcome 1 has probability e^(-t eps)/2.

    Laws of t and t + 1 are eps-close; those of 0 and r lose t eps, all of it, at outcome 1.

    >>> [[str(p) for p in law] for law in coins(Fraction(1), 1)]
    [['1/2', '1/2'], ['1 - 1/2*e^-1', '1/2*e^-1']]
    """
    ones = [Exp.of(Fraction(1, 2), -t * eps) for t in range(r + 1)]
    return [(Exp.of(1) - p, p) for p in ones]


def steepest(eps: Fraction, delta: Fraction, r: int) -> list[Law]:
    """Return laws for t = 0, …, r, neighbours (eps, delta)-close, those of 0 and r worst of all.

    The law of t has the power function g^t against that of 0, with q = e^eps and
    g(a) = min(1, q a + delta, 1 - (1 - delta - a)/q): [0, 1] is cut where an iterate has a corner.

    >>> [round(float(p), 4) for p in steepest(Fraction(0), Fraction(1, 10), 1)[1]]
    [0.1, 0.45, 0.45, 0.0]
    """
    one, q = Exp.of(1), Exp.of(1, eps)

    def g(a: Exp) -> Exp:
        found = one
        for b in (q * a + Exp.of(delta), one - (Exp.of(1 - delta) - a) / q):
            if (found - b).sign() > 0:
                found = b
        return found

    def back(b: Exp) -> Exp:
        """Return the least a with g(a) >= b, for b >= delta."""
        left, right = (b - Exp.of(delta)) / q, Exp.of(1 - delta) - (one - b) * q
        return left if (left - right).sign() >= 0 else right

    corners = [Exp.of(1 - delta) / (one + q), Exp.of(1 - delta)]
    cuts = [Exp.of(0), one]
    for _ in range(r):
        # Corners of g^(t+1) are those of g, and what g^t takes to them.
        cuts += corners
        corners = [back(c) for c in corners if (c - Exp.of(delta)).sign() > 0]
    rows: list[Exp] = []
    for cut in cuts:
        if cut.sign() >= 0 and (cut - one).sign() <= 0:
            place = sum((cut - other).sign() > 0 for other in rows)
            if place == len(rows) or (rows[place] - cut).sign() != 0:
                rows.insert(place, cut)
    laws = []
    for _ in range(r + 1):
        # The first outcome takes the jump of g at 0, from 0 to delta.
        laws.append(tuple(b - a for a, b in itertools.pairwise([Exp.of(0), *rows])))
        rows = [g(a) for a in rows]
    used = [n for n in range(len(rows)) if any(law[n].sign() for law in laws)]
    return [tuple(law[n] for n in used) for law in laws]


def is_private(laws: Sequence[Law], eps: Fraction, delta: Fraction) -> bool:
    """Return whether laws of neighbouring t are (eps, delta)-close, both ways.

    >>> is_private(steepest(Fraction(2), Fraction(1, 10), 2), Fraction(2), Fraction(1, 10))
    True
    """
    return all(
        all(p.sign() >= 0 for p in law)
        and (sum(law, Exp.of(0)) - Exp.of(1)).sign() == 0
        and all(
            (_excess(left, right, eps) - Exp.of(delta)).sign() <= 0
            for left, right in ((law, other), (other, law))
        )
        for law, other in itertools.pairwise([*laws, laws[-1]])
    )


def _excess(p: Law, q: Law, eps: Fraction) -> Exp:
    """Return the largest P(S) - e^eps Q(S) over all events S."""
    found = Exp.of(0)
    for a, b in zip(p, q, strict=True):
        gain = a - Exp.of(1, eps) * b
        if gain.sign() > 0:
            found += gain
    return found


def joint(laws: Sequence[Law]) -> Law:
    """Return the law of independent outcomes together, the last one running fastest."""
    found: Law = (Exp.of(1),)
    for law in laws:
        found = tuple(a * b for a, b in itertools.product(found, law))
    return found


def divergence(first: Law, second: Law, eps: Fraction) -> Exp:
    """Return the sum of p ln(p/q), where every ln(p/q) is a whole multiple of eps.

    It is at most rho for every rho-zCDP mechanism: D_alpha <= alpha rho, and alpha falls to 1.

    >>> rows = steepest(Fraction(1), Fraction(0), 1)
    >>> round(float(divergence(rows[0], rows[1], Fraction(1))), 6)
    0.462117
    """
    total = Exp.of(0)
    for p, q in zip(first, second, strict=True):
        steps = [n for n in range(-len(first), len(first) + 1)
                 if (p - Exp.of(1, n * eps) * q).sign() == 0]  # fmt: skip
        _must(steps, "the logarithms of the ratios are multiples of epsilon")
        total += p * Exp.of(steps[0] * eps)
    return total


def normal_advantage(mu: Fraction) -> Fraction:
    """Return a little more than 2 Phi(mu/2) - 1, the most that P(S) - Q(S) can be at mu-GDP.

    >>> 0.38292 < float(normal_advantage(Fraction(1))) < 0.38293
    True
    """
    x, unit = mu / 2, 2**80
    power, total, n = x, x, 0
    while n < x * x or power * unit > 1:
        n += 1
        power = power * x * x / (2 * n)
        total += (-1) ** n * power / (2 * n + 1)
    below_pi = Fraction(314159265358979, 10**14)
    root = Fraction(math.isqrt(math.ceil(2 / below_pi * unit * unit)) + 1, unit)
    return root * (total + power)


# ------------------------------------------------------------------ terms, databases, edits


def value(term: Any, env: Mapping[str, Any]) -> Any:
    """Return the value of a formula.

    A term is [operator, arguments…]; ``env`` has the variables under their names, and
    "attributes", "functions" and "databases".

    >>> value(["ge", ["at", "D", ["var", "x"]], ["int", 1]],
    ...       {"x": ("a",), "databases": {"D": {("a",): 1}}})
    True
    """
    op, *args = term
    match op:
        case "var":
            return env[args[0]]
        case "int" | "bool" | "const":
            return args[0]
        case "attr":
            return value(args[1], env)[env["attributes"].index(args[0])]
        case "apply":
            given = tuple(value(a, env) for a in args[1:])
            function = env["functions"][args[0]]
            return dict(function["table"]).get(given, function["default"])
        case "at":
            return env["databases"][args[0]].get(value(args[1], env), 0)
        case "size":
            return sum(env["databases"][args[0]].values())
        case "and":
            return all(value(a, env) for a in args)
        case "or":
            return any(value(a, env) for a in args)
        case "ite":
            return value(args[1] if value(args[0], env) else args[2], env)
        case "implies":
            return not value(args[0], env) or value(args[1], env)
        case _:
            return _applied(op, [value(a, env) for a in args])


def _applied(op: str, xs: Sequence[Any]) -> Any:
    """Return the value of an operator that looks at all of its arguments."""
    match op:
        case "tuple":
            return tuple(xs)
        case "not":
            return not xs[0]
        case "neg":
            return -xs[0]
        case "add":
            return sum(xs)
        case "sub":
            return xs[0] - xs[1]
        case "mul":
            return math.prod(xs)
        case "div":
            return xs[0] // xs[1]
        case "mod":
            return xs[0] % xs[1]
        case "pow":
            return max(xs[0], 1) ** max(xs[1], 0)
        case "eq":
            return xs[0] == xs[1]
        case "ne":
            return xs[0] != xs[1]
        case "lt":
            return xs[0] < xs[1]
        case "le":
            return xs[0] <= xs[1]
        case "gt":
            return xs[0] > xs[1]
        case "ge":
            return xs[0] >= xs[1]
        case _:
            raise ValueError(f"no operator: {op}")


def frozen(data: Any) -> Any:
    """Return lists as tuples, all the way down, so that they can be looked up."""
    return tuple(map(frozen, data)) if isinstance(data, list | tuple) else data


Database = Mapping[Any, int]


class Setting:
    """A finite world: cells, functions, numbers for the symbols."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.cells = frozen(data["cells"])
        self.elements: Mapping[str, Sequence[Any]] = data["elements"]
        self.functions = {
            name: {"table": dict(frozen(f["table"])), "default": f["default"]}
            for name, f in data["functions"].items()
        }
        self.symbols: Mapping[str, int] = data["symbols"]
        self.attributes: Sequence[str] = data["attributes"]

    def env(self, attributes: Sequence[str], **names: Any) -> dict[str, Any]:
        """Return what names mean, over cells with these attributes."""
        known = {"attributes": list(attributes), "functions": self.functions, "databases": {}}
        return {**self.symbols, **known, **names}

    def image(self, mapping: Mapping[str, Any], index: Sequence[int], D: Database) -> Database:
        """Return what a map hands on to a block."""
        found: dict[Any, int] = {}
        names = dict(zip(mapping["index"], index, strict=True))
        for cell, number in D.items():
            env = self.env(self.attributes, c=cell, **names)
            if value(mapping["member"], env):
                image = mapping["image"]
                key = cell if image is None else tuple(value(t, env) for t in image)
                found[key] = found.get(key, 0) + number
        return found

    def contains(self, domain: Mapping[str, Any], D: Database) -> bool:
        """Return whether a database is in a class."""
        env = self.env(domain["attributes"], databases={"D": D})
        if any(n < 0 or (domain["cap"] is not None and n > domain["cap"]) for n in D.values()):
            return False
        if not all(value(domain["cell"], {**env, "c": c}) for c in D):
            return False
        for key, bound in domain["limits"]:
            counts: dict[Any, int] = {}
            for cell, number in D.items():
                group = value(key, {**env, "c": cell})
                counts[group] = counts.get(group, 0) + number
            if any(n > value(bound, env) for n in counts.values()):
                return False
        for of, each, bound in domain["distinct"]:
            values: dict[Any, set[Any]] = {}
            for cell in (c for c, number in D.items() if number):
                here = {**env, "c": cell}
                values.setdefault(value(each, here), set()).add(value(of, here))
            if any(len(found) > value(bound, env) for found in values.values()):
                return False
        if not all(value(f, {**env, "c": c}) for f in domain["facts"] for c in self.cells):
            return False
        return all(value(t, env) for t in domain["size"])

    def leads(
        self, edit: Mapping[str, Any], names: Mapping[str, Any], attributes: Sequence[str],
        old: Database, new: Database,
    ) -> bool:  # fmt: skip
        """Return whether an edit with these parameters leads from one database to the other."""
        env = self.env(attributes, **{**names, "databases": {"D": old}})
        if not value(edit["guard"], env):
            return False
        if edit["frame"] is None:
            return not _difference(_changed(edit, names, env, old), new)
        for cell in {*self.cells, *old, *new}:
            before, then = old.get(cell, 0), new.get(cell, 0)
            here = {**env, "c": cell, "old": before, "new": then}
            if value(edit["frame"], here):
                if not value(edit["step"], here):
                    return False
            elif before != then:
                return False
        return True

    def choices(
        self, edit: Mapping[str, Any], cells: Sequence[Any], integers: Sequence[int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the parameters of an edit within this world."""
        simple: dict[str, Sequence[Any]] = {
            "cell": cells, "int": integers, "bool": (False, True),
        }  # fmt: skip
        pools = [simple[s] if s in simple else self.elements.get(s, ()) for _, s in edit["params"]]
        for chosen in itertools.product(*pools):
            yield dict(zip((n for n, _ in edit["params"]), chosen, strict=True))

    def neighbours(
        self, granularity: Mapping[str, Any], cells: Sequence[Any], old: Database, new: Database
    ) -> bool:
        """Return whether an edit links the two, with parameters from this world."""
        attributes = granularity["attributes"]
        for edit in granularity["edits"]:
            for names in self.choices(edit, cells, granularity["integers"]):
                if self.leads(edit, names, attributes, old, new):
                    return True
                if not granularity["directed"] and self.leads(edit, names, attributes, new, old):
                    return True
        return False

    def least_distance(
        self, part: Mapping[str, Any], cells: Sequence[Any], old: Database, new: Database
    ) -> int | None:
        """Return a number that the distance of two databases is at least; None for infinity.

        ``part["kept"]`` may say what no edit changes: the number of records with each value of some
        terms, by weight, perhaps modulo a number; ``part["apart"]``, of which terms all records
        that one edit changes have the same values.  Each edit adds and removes only so many
        records; where none of this world links the two, ``part["window"]`` says that no other does.
        """
        if not _difference(old, new):
            return 0
        inner = part["granularity"]
        kept = part["kept"]
        told = kept is not None and self.weighed(kept, inner, old) != self.weighed(kept, inner, new)
        if told and all(self.keeps(inner, cells, kept, D) for D in (old, new)):
            return None
        least = max(1, _by_steps(inner, old, new))
        if part["apart"] is not None and self.tells_apart(inner, part["apart"], (old, new)):
            least = max(
                least, len(self.counts(part["apart"], inner["attributes"], _difference(old, new)))
            )
        if least == 1 and part["window"] and not self.neighbours(inner, cells, old, new):
            return 2
        return least

    def counts(self, keys: Sequence[Any], attributes: Sequence[str], D: Database) -> dict[Any, int]:
        """Return how many records there are with each value of the keys."""
        found: dict[Any, int] = {}
        for cell, number in D.items():
            key = tuple(value(k, self.env(attributes, c=cell)) for k in keys)
            found[key] = found.get(key, 0) + number
        return found

    def weighed(self, kept: Any, inner: Mapping[str, Any], D: Database) -> dict[Any, int]:
        """Return what edits keep of a database: weights added up, by the values of the keys."""
        weigh, modulus, names = kept["weight"], kept["modulus"], inner["attributes"]
        held = {c: n * value(weigh, self.env(names, c=c)) for c, n in D.items()}
        found = self.counts(kept["keys"], names, held)
        return {k: m for k, n in found.items() if (m := n % modulus if modulus else n)}

    def tells_apart(
        self, granularity: Mapping[str, Any], keys: Sequence[Any], databases: Sequence[Database]
    ) -> bool:
        """Return whether each edit with a frame changes records of one value of the keys only.

        Of those that differ between these databases.  (That all edits do, whatever the database,
        was proved by the solver.)
        """
        attributes = granularity["attributes"]
        changed = _difference(*databases)
        known = {c: tuple(value(k, self.env(attributes, c=c)) for k in keys) for c in changed}
        for edit in granularity["edits"]:
            for names in self.choices(edit, tuple(changed), granularity["integers"]):
                env = self.env(attributes, **{**names, "databases": {"D": databases[0]}})
                if edit["frame"] is None:
                    reached = {names[point] for point, _ in edit["change"]} & {*changed}
                else:
                    reached = {c for c in changed if value(edit["frame"], {**env, "c": c})}
                if len({known[c] for c in reached}) > 1 and value(edit["guard"], env):
                    return False
        return True

    def keeps(self, inner: Mapping[str, Any], cells: Sequence[Any], kept: Any, D: Database) -> bool:
        """Return whether the edits that apply to a database keep the counts.

        (That all edits do, whatever the database, was proved by the solver.)
        """
        before = self.weighed(kept, inner, D)
        for edit in (e for e in inner["edits"] if e["frame"] is None):
            for names in self.choices(edit, cells, inner["integers"]):
                env = self.env(inner["attributes"], **{**names, "databases": {"D": D}})
                after = _changed(edit, names, env, D)
                if value(edit["guard"], env) and self.weighed(kept, inner, after) != before:
                    return False
        return True


def _changed(edit: Mapping[str, Any], names: Any, env: Any, D: Database) -> dict[Any, int]:
    """Return what an edit that adds numbers makes of a database."""
    after = dict(D)
    for point, delta in edit["change"]:
        after[names[point]] = after.get(names[point], 0) + value(delta, env)
    return after


def _difference(old: Database, new: Database) -> dict[Any, int]:
    found = {c: new.get(c, 0) - old.get(c, 0) for c in {**old, **new}}
    return {c: n for c, n in found.items() if n}


def _by_steps(granularity: Mapping[str, Any], old: Database, new: Database) -> int:
    """Return how many edits are needed at least, counting what each adds and removes."""
    added = removed = either = 0
    for edit in granularity["edits"]:
        if edit["frame"] is not None or any(delta[0] != "int" for _, delta in edit["change"]):
            return 1
        deltas = [delta[1] for _, delta in edit["change"]]
        up, down = sum(d for d in deltas if d > 0), -sum(d for d in deltas if d < 0)
        either = max(either, up + down)
        if not granularity["directed"]:
            up = down = max(up, down)
        added, removed = max(added, up), max(removed, down)
    changes = _difference(old, new).values()
    up, down = sum(n for n in changes if n > 0), -sum(n for n in changes if n < 0)
    steps = [(up, added), (down, removed), (up + down, either)]
    return max(1 if most == 0 else -(-total // most) for total, most in steps)


# ------------------------------------------------------------------ one refutation


class Refuted(NamedTuple):
    """What was found to be true of a refutation, in words."""

    facts: tuple[str, ...]


class FailedError(ValueError):
    """A refutation that does not refute."""


def _must(true: object, what: str) -> str:
    if not true:
        raise FailedError(what)
    return what


def confirm(data: Mapping[str, Any]) -> Refuted:
    """Check a refutation from its data.

    Raises:
        FailedError: something is not as the data say.
    """
    setting = Setting(data["world"])
    old, new = ({frozen(c): n for c, n in data[side]} for side in ("D", "D_prime"))
    outer, domain = data["granularity"], data["domain"]
    facts = [
        _must(
            old != new and all(setting.contains(domain, D) for D in (old, new)),
            "D and D' are different databases of the class",
        ),
        _must(
            setting.neighbours(outer, setting.cells, old, new),
            f"D and D' are {outer['name']}-neighbours",
        ),
    ]
    infinite = False
    mechanisms = []
    for part in data["parts"]:
        images = [setting.image(part["map"], part["block"], D) for D in (old, new)]
        told = part["distance"]
        name = f"{part['name']}{part['block'] or ''}"
        if part["common"]:
            least: int | None = 1 if images[0] != images[1] else 0
        else:
            inside = all(setting.contains(part["domain"], D) for D in images)
            _must(inside, f"{name} reads databases of its class")
            cells = frozen(part["cells"])
            least = setting.least_distance(part, cells, images[0], images[1])
        if told is None:
            # Counts that no edit changes tell them apart, in whichever direction edits lead.
            facts.append(_must(least is None, f"{name} sees databases that no edits link"))
            infinite = True
            continue
        apart = least is None or least >= told
        facts.append(_must(apart, f"{name} sees a distance of at least {told}"))
        _must(told == 1 or part["common"] or not part["granularity"]["directed"],
              f"{name} measures distances both ways")  # fmt: skip
        mechanisms.append(part)
    facts += _beyond(data, setting, mechanisms, infinite=infinite)
    return Refuted(tuple(facts))


def _beyond(
    data: Mapping[str, Any], setting: Setting, mechanisms: Sequence[Mapping[str, Any]],
    *, infinite: bool,
) -> list[str]:  # fmt: skip
    """Check that the mechanisms are private, and lose more than is claimed."""
    values = {
        name: {frozen(b): Fraction(x) for b, x in v} if isinstance(v, list) else Fraction(v)
        for name, v in data["values"].items()
    }
    sizes = setting.symbols

    def claimed(position: int, bits: int) -> Fraction | None:
        """Return an upper bound of the claimed value, the least of its alternatives."""
        highs = [enclose(e, values, sizes, bits) for e in data["claim"][position]]
        return min((high for _, high in filter(None, highs)), default=None)

    def given(part: Mapping[str, Any], position: int) -> Fraction:
        parameter = part["guarantee"][position]
        if isinstance(parameter, list):
            return Fraction(parameter[0])
        known = values[parameter]
        return known[frozen(part["block"])] if isinstance(known, dict) else known

    notion = data["notion"]
    _must(notion in NOTIONS, f"something is known of {notion} privacy")
    if infinite:
        finite = all(claimed(n, BITS[0]) is not None for n in range(len(data["claim"])))
        return [_must(finite, "the outputs tell D from D' with certainty, whatever is claimed")]
    if mechanisms and all(part["source"] != notion for part in mechanisms):
        if notion in {"zcdp", "gaussian"}:
            return _of_pure(notion, mechanisms, claimed, given, data["event"])
    elif any(part["source"] != notion for part in mechanisms) and notion != "approximate":
        raise FailedError("the parts have guarantees in one notion")
    if notion in {"zcdp", "gaussian"}:
        return _of_sums(notion, mechanisms, claimed, given)
    return _of_events(notion, mechanisms, claimed, given, data["event"])


def _of_sums(
    notion: str, mechanisms: Sequence[Mapping[str, Any]],
    claimed: Callable[[int, int], Fraction | None],
    given: Callable[[Mapping[str, Any], int], Fraction],
) -> list[str]:  # fmt: skip
    """Compare the losses of normals, which add up, with a claim about rho or mu."""
    squared = notion == "gaussian"
    total = Fraction(0)
    for part in mechanisms:
        g = given(part, 0)
        total += part["distance"] ** 2 * (g * g if squared else g)
    for bits in BITS:
        claim = claimed(0, bits)
        _must(claim is not None, "the claim is finite")
        if claim is not None and total > (claim * claim if squared else claim):
            return [f"the sum over the parts is {total}, more than the claim allows"]
    raise FailedError("the loss is larger than the claim")


def _of_events(
    notion: str, mechanisms: Sequence[Mapping[str, Any]],
    claimed: Callable[[int, int], Fraction | None],
    given: Callable[[Mapping[str, Any], int], Fraction], chosen: Sequence[Any],
) -> list[str]:  # fmt: skip
    """Check tables of laws, and that an event is too likely under the first of them."""
    tables = []
    facts = []
    for part in mechanisms:
        eps = given(part, 0)
        delta = given(part, 1) if notion == "approximate" and len(part["guarantee"]) > 1 else 0
        r = part["distance"]
        laws = coins(eps, r) if notion == "pure" else steepest(eps, Fraction(delta), r)
        name = f"{part['name']}{part['block'] or ''}"
        said = f"({eps}, {delta})-DP" if notion == "approximate" else f"{eps}-DP"
        facts.append(
            _must(is_private(laws, eps, Fraction(delta)), f"{name} is {said} at every distance")
        )
        tables.append(laws)
    first, second = joint([t[0] for t in tables]), joint([t[-1] for t in tables])
    event = [frozen(o) for o in chosen]
    outcomes = list(itertools.product(*(range(len(t[0])) for t in tables)))
    _must(event and len(set(event)) == len(event) and set(event) <= set(outcomes),
          "the event is a set of outcomes")  # fmt: skip
    p, q = (
        sum((x for o, x in zip(outcomes, law, strict=True) if o in event), Exp.of(0))
        for law in (first, second)
    )
    for bits in BITS:
        eps_claim = claimed(0, bits)
        delta_claim = claimed(1, bits) if notion == "approximate" else Fraction(0)
        if eps_claim is None or delta_claim is None:
            raise FailedError("the claim is finite")
        if (p - Exp.of(1, eps_claim) * q - Exp.of(delta_claim)).sign() > 0:
            facts.append(
                f"P[event | D] = {p.brief()} and P[event | D'] = {q.brief()}: more than claimed"
            )
            return facts
    raise FailedError("the loss is larger than the claim")


def _of_pure(
    notion: str,
    mechanisms: Sequence[Mapping[str, Any]],
    claimed: Callable[[int, int], Fraction | None],
    given: Callable[[Mapping[str, Any], int], Fraction],
    event: Sequence[Sequence[int]],
) -> list[str]:
    """Check that pure mechanisms lose more than is claimed in another notion."""
    facts, tables, total = [], [], Exp.of(0)
    for part in mechanisms:
        eps = given(part, 0)
        laws = steepest(eps, Fraction(0), part["distance"])
        name = f"{part['name']}{part['block'] or ''}"
        facts.append(
            _must(is_private(laws, eps, Fraction(0)), f"{name} is {eps}-DP at every distance")
        )
        total += divergence(laws[0], laws[-1], eps)
        tables.append(laws)
    claim = claimed(0, BITS[1])
    if claim is None:
        raise FailedError("the claim is finite")
    if notion == "zcdp":
        larger = (total - Exp.of(claim)).sign() > 0
        return [*facts, _must(larger, f"the divergence is {total.brief()}, more than claimed")]
    laws = [joint([t[n] for t in tables]) for n in (0, -1)]
    outcomes = list(itertools.product(*(range(len(t[0])) for t in tables)))
    chosen = {frozen(o) for o in event}
    p, q = (
        sum((x for o, x in zip(outcomes, law, strict=True) if o in chosen), Exp.of(0))
        for law in laws
    )
    larger = (p - q - Exp.of(normal_advantage(claim))).sign() > 0
    said = f"P[event | D] - P[event | D'] = {(p - q).brief()}, more than the claim allows"
    return [*facts, _must(larger, said)]


def check(data: Mapping[str, Any]) -> int:
    """Print what was checked, and OK or why not; return the exit status."""
    try:
        found = confirm(data)
    except (FailedError, KeyError, IndexError, TypeError, ValueError) as error:
        sys.stdout.write(f"FAILED: {error}\n")
        return 1
    for fact in found.facts:
        sys.stdout.write(f"- {fact}\n")
    sys.stdout.write(f"OK: the claim {data['text']} is false\n")
    return 0
