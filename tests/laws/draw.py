"""Random arguments of laws: odd ones, and such that the law has something to say.

Everything is plain data.  What a law takes as stated is derived by the program under test, or taken
from what it derived before.
"""

from __future__ import annotations

from fractions import Fraction

from tests.laws.meaning import FAMILIES, SYMBOLS


def op(kind, /, **fields):
    return {"op": kind, **fields}


def num(x):
    return op("Num", value=str(Fraction(x)))


def size(name):
    return op("Size", name=name)


def total(*items):
    return op("Sum", items=list(items))


def prod(*items):
    return op("Product", items=list(items))


def top(*items):
    return op("Max", items=list(items))


def sqrt(x):
    return op("Sqrt", of=x)


def apply(name, *items):
    return op("Apply", name=name, items=list(items))


def choice(count, value):
    return op("Choice", count=count, value=value)


def worst(sizes, *groups):
    return op("Worst", sizes=list(sizes), groups=[choice(*g) for g in groups])


def groups_of(e):
    return [(g["count"], g["value"]) for g in e["groups"]]


def param(name):
    return op("Param", name=name)


INF, ZERO, ONE, TWO, HALF = op("Inf"), num(0), num(1), num(2), num("1/2")
NUMBERS = (ZERO, ONE, TWO, HALF, num(3), num(4), num("3/2"))
WEIGHTS = tuple(map(Fraction, ("1", "1", "1/2", "2/3", "1/3", "0")))


class Draw:
    """A source of random terms, and of inequalities that the program under test derives."""

    def __init__(self, rng, program):
        self.rng, self.program = rng, program
        self.pool = []

    def one(self, *items):
        return self.rng.choice(items)

    def often(self, chance=0.7):
        return self.rng.random() < chance

    def some(self, make, least=0, most=3):
        return [make() for _ in range(self.rng.randint(least, most))]

    def weight(self, group):
        """A part of the distances of a group; all of them, unless its blocks share."""
        return self.one(*WEIGHTS) if group["wide"] else Fraction(1)

    # Terms.

    def where(self):
        def box(symbol):
            low = self.rng.randint(1, 2)
            high = self.one(None, None, low - 1, low, low + 1, 3)
            return op("Range", symbol=symbol, low=low, high=high)

        return [box(self.one(*SYMBOLS)) for _ in range(self.one(0, 0, 0, 1, 1, 2))]

    def family(self):
        return self.one(("k",), ("k",), ("k",), *FAMILIES)

    def count(self):
        """A number of blocks, also such as must be refused."""
        k, m = size("k"), size("m")
        return self.one(
            ONE, ONE, TWO, num(3), k, m, INF, ZERO, total(m, ONE), prod(TWO, m), top(ONE, m),
            HALF, num("3/2"), prod(HALF, TWO), prod(sqrt(m), sqrt(m)), sqrt(prod(m, m)),
            total(prod(sqrt(m), sqrt(m)), ONE), total(INF, ONE), prod(ZERO, INF), total(), prod(),
            apply("growth", ZERO, m), param("a"),
        )  # fmt: skip

    def whole(self):
        k, m = size("k"), size("m")
        return self.one(ONE, ONE, TWO, num(3), k, m, total(m, ONE), prod(TWO, m), ZERO, total())

    def hidden(self, count):
        """One more than a number, which is hidden where it must not be compared; mostly itself."""
        if self.often(0.7):
            return count
        inside = self.one(prod(sqrt(count), sqrt(count)), sqrt(prod(count, count)),
                          apply("growth", ZERO, count), worst([], (ONE, count)))  # fmt: skip
        return total(inside, ONE)

    def atom(self, sizes):
        entries = [op("Entry", name=n, sizes=list(sizes or ())) for n in "xy"] * 3
        plain = [param(n) for n in "ab"] + [size(s) for s in SYMBOLS] + [INF]
        return self.one(*(entries if sizes is not None else ()), *plain, self.one(*NUMBERS))

    def expr(self, sizes=None, depth=2):
        """A number, of the block at hand of a family with these sizes."""
        if depth == 0 or self.often(0.3):
            return self.atom(sizes)

        def inside():
            return self.expr(sizes, depth - 1)

        match self.rng.randrange(11):
            case 0 | 1 | 2:
                return total(*self.some(inside))
            case 3 | 4 | 5:
                return prod(*self.some(inside))
            case 6:
                return top(*self.some(inside))
            case 7:
                x = inside()
                return self.one(sqrt(x), sqrt(prod(x, x)), prod(sqrt(x), sqrt(x)))
            case 8:
                name = self.one("growth", "path_rho", "path_mu")
                return self.one(
                    apply("gdp", inside()),
                    apply("tanh", inside()),
                    apply("exp", inside()),
                    apply(name, inside(), inside()),
                )
            case 9:
                cases = self.some(
                    lambda: op("Case", where=self.where(), value=self.expr(sizes, depth - 1))
                )
                return op("Cases", items=cases)
            case _:
                return self.worst(depth - 1)

    def worst(self, depth=1, sizes=None, least=0):
        family = self.family() if sizes is None else sizes
        value = self.expr(family, depth)

        def group():
            return self.count(), self.one(value, self.expr(family, depth), ZERO)

        return worst(family, *self.some(group, least, 2))

    # Terms that are equal, or larger.

    def equal(self, e):
        """The same, written in another way; perhaps not quite the same."""
        match e["op"]:
            case "Worst":
                return self.regrouped(e)
            case "Apply" if e["name"] == "exp" and e["items"][0]["op"] == "Sum" and self.often():
                return prod(*(apply("exp", x) for x in e["items"][0]["items"]))
            case "Apply" if e["name"] == "exp" and self.often():
                half = apply("exp", prod(HALF, *e["items"]))
                return prod(half, half)
            case "Sum" | "Product" | "Max" if self.often():
                items = [self.equal(x) for x in e["items"]]
                self.rng.shuffle(items)
                return op(e["op"], items=items)
            case "Product" if len(e["items"]) == 2 and e["items"][0]["op"] == "Sum":
                first, second = e["items"]
                return total(*(prod(x, second) for x in first["items"]))
        return self.one(
            e, e, total(e), prod(e, ONE), prod(prod(), e), top(e), top(ZERO, e), sqrt(prod(e, e)),
            prod(sqrt(e), sqrt(e)), apply("growth", ZERO, e), apply("growth", e, ONE),
            total(prod(HALF, e), prod(HALF, e)), total(e, prod(ZERO, INF)),
            prod(e, apply("exp", ZERO)),
        )  # fmt: skip

    def regrouped(self, e):
        """A worst choice in which equal groups are split, or nothing is added."""
        groups = []
        for count, value in groups_of(e):
            if count["op"] == "Num" and self.often():
                n = Fraction(count["value"])
                part = self.one(n / 2, min(n, Fraction(1)), Fraction(0), n)
                groups += [(num(part), self.equal(value)), (num(n - part), value)]
            else:
                groups.append((count, self.equal(value)))
        groups += self.some(lambda: self.one((ZERO, ONE), (INF, ZERO), (ONE, total())), most=1)
        self.rng.shuffle(groups)
        return worst(e["sizes"], *groups)

    def larger(self, e, sizes=None):
        other = self.expr(sizes, 1)
        return self.one(self.equal(e), self.equal(e), total(self.equal(e), other), INF,
                        prod(TWO, e), prod(HALF, e), top(e, other), other)  # fmt: skip

    # Inequalities.

    def leq(self, left, right, where=None):
        return self.program("bounded_polynomial", left=left, right=right,
                            where=self.where() if where is None else where)  # fmt: skip

    def premise(self):
        """Some inequality."""
        if self.pool and self.often():
            return self.one(*self.pool)
        while True:
            sizes = self.one(None, self.family())
            left = self.expr(sizes)
            found = self.leq(left, self.larger(left, sizes))
            if found:
                return found

    def keep(self, said):
        if len(str(said.data)) < 2000:
            self.pool = [*self.pool[-60:], said]


# One for each law: its arguments, or None if the premises could not be had.


def bounded_polynomial(d):
    sizes = d.one(None, d.family())
    left = d.one(d.expr(sizes), d.worst())
    right = d.equal(left) if d.often() else d.larger(left, sizes)
    return {"left": left, "right": right, "where": d.where()}


def transitive(d):
    first = d.premise()
    second = d.leq(*([d.equal(first.data["right"])] * 2)) if d.often() else d.premise()
    return second and {"first": first, "second": second}


def maximum(d):
    right = d.expr(d.one(None, ("k",)))
    lefts = [d.leq(d.one(right, d.equal(right), ZERO, prod(HALF, right)), right)
             for _ in range(d.rng.randrange(4))]  # fmt: skip
    leqs = [x for x in lefts if x] + ([] if d.often(0.9) else [d.premise()])
    return {"leqs": leqs}


def some_item(d):
    sizes = d.one(None, d.family())
    items = d.some(lambda: d.expr(sizes, 1))
    left = d.equal(d.one(*items)) if items and d.often(0.9) else d.expr(sizes, 1)
    return {"left": left, "right": top(*items), "where": d.where()}


def monotone(d):
    kind = d.one("sum", "product", "max", "sqrt", "gdp", "growth", "growth", "gaussian_delta",
                 "tanh", "exp", "path_rho", "path_mu")  # fmt: skip
    if kind == "growth":
        r = d.one(ONE, size("m"), total(ONE, size("k")), HALF, param("a"), top(size("m"), TWO),
                  sqrt(size("m")), INF)  # fmt: skip
        leqs = [d.premise(), d.leq(r, d.larger(r))]
        return leqs[1] and {"kind": kind, "leqs": leqs}
    number = d.rng.randint(0, 3) if kind in {"sum", "product", "max"} else 1
    number += kind.startswith("path")
    return {"kind": kind, "leqs": [d.premise() for _ in range(number)]}


def growth_least(d):
    r = d.one(ONE, ONE, TWO, size("m"), total(ONE, size("k")), HALF, param("a"), ZERO, INF)
    name = d.one("growth", "growth", "path_rho", "path_rho", "path_mu", "zcdp_epsilon")
    return {"growth": apply(name, d.expr(d.one(None, d.family()), 1), r), "where": d.where()}


def growth_sum(d):
    r = d.one(ZERO, ONE, ONE, TWO, TWO, num(3), HALF, size("m"), INF, prod(TWO, ONE))
    name = d.one("growth", "growth", "growth", "path_rho")
    return {"growth": apply(name, d.expr(d.one(None, d.family()), 1), r), "where": d.where()}


def growth_most(d):
    r = d.one(
        ONE, TWO, HALF, size("m"), total(ONE, size("k")), prod(TWO, size("k")), param("a"), INF
    )
    steps = d.one(r, r, ONE, ZERO, HALF, size("m"), size("k"), INF, param("a"))
    name = d.one("growth", "growth", "growth", "path_rho")
    return {"growth": apply(name, d.expr(d.one(None, d.family()), 1), r), "steps": steps,
            "where": d.where()}  # fmt: skip


def root(d):
    sizes = d.one(None, d.family())
    a = d.expr(sizes, 1)
    b = d.larger(a, sizes)
    leq = d.leq(prod(a, a), prod(b, d.one(b, b, b, a)))
    return leq and {"leq": leq}


def choose(d):
    return {"worst": d.worst(least=1), "where": d.where()}


def each_block(d):
    sizes = d.family()
    value = d.expr(sizes, 1)
    above = d.one(worst(sizes, (d.one(ONE, TWO, INF), value)), d.larger(value, sizes))
    choosing = {"worst": above, "where": d.where()}
    leq = d.program("choose", **choosing) if above["op"] == "Worst" else d.leq(value, above)
    if leq is None:
        return None
    count = d.one(ONE, ONE, ONE, HALF, ZERO, TWO)
    return {"leq": leq, "worst": worst(sizes, (count, d.one(value, value, value, ZERO)))}


def spread(d):
    return {"worst": d.worst(), "where": d.where()}


squares = spread


# Conditions on integers.


def integer(x):
    return op("Integer", value=x)


def combined(word, *items):
    return op("Combined", word=word, items=list(items))


def compared(word, left, right):
    return op("Compared", word=word, left=left, right=right)


def connected(word, *items):
    return op("Connected", word=word, items=list(items))


def condition(d, sizes):
    """When a block is in a place, and how many such blocks there are; mostly it is."""
    t = op("Letter", number=1)
    at = op("Index", number=d.rng.randint(1, len(sizes)))
    other = op("Index", number=len(sizes))
    m = op("Symbol", name="m")
    width = d.one(integer(1), integer(2), integer(4), m, combined("add", m, integer(1)),
                  combined("mul", integer(2), m), combined("add", m, integer(-1)),
                  combined("neg", m), t, combined("mul", m, m))  # fmt: skip
    by = d.one(None, None, integer(2), integer(3), m, integer(-2), combined("pow", m, other))
    place = at if by is None else combined("mul", by, at)
    start = d.one(t, t, combined("neg", t), combined("div", t, integer(2)), other)
    end = combined("add", start, width)
    window = [compared(d.one("le", "le", "lt"), start, place),
              compared(d.one("lt", "lt", "le"), place, end)]  # fmt: skip
    match d.rng.randrange(7):
        case 0:
            return compared("eq", place, start)
        case 1:
            return connected("or", compared("eq", at, t), compared("eq", at, end))
        case 2:
            pinned = compared("eq", other, combined("add", t, op("Index", number=1)))
            return connected("and", *window, pinned)
        case 3:
            return connected("not", connected("and", *window))
        case 4:
            return connected("or", connected("and", *window), compared("eq", at, t))
        case _:
            return connected("and", *window, *d.some(lambda: compared("ne", at, t), most=1))


def anywhere(d):
    m = size("m")
    totals, counts = [], []
    for _ in range(d.one(1, 1, 1, 2)):
        sizes = d.family()
        when = condition(d, sizes) if sizes else connected("and")
        count = d.one(INF, INF, INF, ONE, m)
        totals.append(op("SumOver", sizes=list(sizes), when=when, count=count,
                         value=d.expr(sizes, 0)))  # fmt: skip
        counts.append(d.one(INF, count, ONE, TWO, TWO, m, m, total(m, ONE), prod(TWO, m),
                            prod(m, m), prod(size("k"), m), prod(TWO, size("k")), num(3), num(4),
                            HALF))  # fmt: skip
    facts = d.one(connected("and"), compared("le", integer(0), op("Letter", number=1)))
    body = totals[0] if len(totals) == 1 else total(*totals)
    return {"most": op("MaxOver", free=1, facts=facts, body=body), "counts": counts,
            "where": d.where()}  # fmt: skip


def share(d):
    sizes = d.family()
    values = d.some(lambda: d.expr(sizes, 1), 1, 2)
    pieces, times, counts = [], [], {n: [] for n in range(len(values))}
    for _ in range(d.rng.randint(1, 2)):
        number, groups = d.whole(), []
        for n, value in enumerate(values):
            count = d.whole()
            groups.append((count, d.equal(value)))
            counts[n].append(prod(number, count))
        pieces.append(worst(sizes, *groups))
        times.append(number if d.often(0.9) else d.one(HALF, INF, sqrt(size("m")), param("a")))
    groups = [(d.hidden(total(*counts[n])) if d.often() else d.count(), v)
              for n, v in enumerate(values)]  # fmt: skip
    return {"worst": worst(sizes, *groups), "pieces": pieces, "times": times, "where": d.where()}


def factored(d):
    sizes = d.family()
    inside = d.worst(0, sizes)
    factor = d.one(d.expr(None, 1), d.expr(None, 1), d.expr(None, 1), d.expr(sizes, 0))
    groups = [(c, d.equal(prod(factor, v)) if d.often(0.9) else d.larger(v, sizes))
              for c, v in groups_of(inside)]  # fmt: skip
    return {"worst": worst(sizes, *groups), "factor": factor, "inside": inside, "where": d.where()}


def transport(d):
    sizes = d.family()
    goals = d.some(lambda: d.expr(sizes, 1), 1, 2)
    where = d.where()
    left, plan, leqs, into = [], [], [], [[] for _ in goals]
    for _ in range(d.rng.randint(0, 3)):
        n = d.rng.randrange(len(goals))
        value = d.one(goals[n], prod(HALF, goals[n]), ZERO)
        leq = d.leq(value, goals[n], where if d.often(0.9) else None)
        if leq:
            count = d.count() if d.often(0.4) else d.whole()
            left.append((d.hidden(count), value))
            plan.append(n if d.often(0.95) else 1 - n)
            leqs.append(leq)
            into[n].append(count)
    right = [
        (d.one(into[n][0] if len(into[n]) == 1 else total(*into[n]), d.count(), INF), goal)
        for n, goal in enumerate(goals)
    ]
    return {"left": worst(sizes, *left), "right": worst(sizes, *right), "plan": plan,
            "leqs": leqs, "where": where if d.often(0.9) else d.where()}  # fmt: skip


def abel(d):
    sizes = d.family()
    base = d.one(d.atom(sizes), d.expr(sizes, 1))

    def group():
        number = d.one(ZERO, ONE, ONE, TWO, HALF, num(3))
        return d.one(ONE, ONE, TWO, num(3), d.count()), d.equal(prod(number, base))

    left, right = d.some(group, 0, 2), d.some(group, 1, 3)
    if d.often(0.4):
        right += left
    return {"left": worst(sizes, *left), "right": worst(sizes, *right), "base": base,
            "where": d.where()}  # fmt: skip


def induction(d):
    k, one_more = size("k"), total(size("k"), ONE)
    value = d.one(d.expr(("k",), 0), param("a"), prod(TWO, param("b")), d.expr(None, 1))
    kind = d.rng.randrange(6)

    def bound(n):
        return (prod(n, value), prod(n, n, value), total(prod(n, value), param("b")),
                prod(sqrt(n), value), value, INF)[kind]  # fmt: skip

    base = d.leq(value, bound(ONE), [])
    step = d.leq(total(bound(k), value), bound(one_more), [])
    return base and step and {"base": base, "step": step, "value": value, "bound": bound(k),
                              "size": d.one("k", "k", "k", "l")}  # fmt: skip


def restrict(d):
    return {"theorem": d.premise(), "where": d.where()}


LAWS = {
    f.__name__: f
    for f in (
        bounded_polynomial, transitive, maximum, some_item, monotone, growth_least, growth_most,
        root, choose, each_block, spread, anywhere, share, transport,
        abel, induction, restrict,
    )
} | {"squares": squares, "factor_out": factored, "factor_in": factored, "growth_in": growth_sum,
     "growth_out": growth_sum}  # fmt: skip
"""The laws that yield inequalities."""
