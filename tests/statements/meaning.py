"""What an expression means, word by word and in floats: all choices of blocks are tried."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import product
from statistics import NormalDist

from dpcomp_sym import kernel as k
from dpcomp_sym.numbers.curves import gaussian_delta


def times(a, b):
    return 0.0 if a == 0 or b == 0 else a * b


def growth(eps, r):
    if eps == 0 or r == 1:
        return r
    if math.inf in {eps, r}:
        return math.inf if r > 1 else 0.0
    if max(eps, 1) * max(r, 1) > 300:  # e^(r eps) and e^eps alone are not floats
        return math.exp(min(700, (r - 1) * eps)) if r > 0 else 0.0
    return math.expm1(r * eps) / math.expm1(eps)


def zcdp_epsilon(rho, delta):
    if not 0 < delta < 1:
        raise ValueError(delta)
    if rho in {0, math.inf}:
        return rho
    low, high = -40.0, math.log(1 / delta)
    for _ in range(200):
        t = (low + high) / 2
        if rho * math.exp(2 * t) + math.log1p(math.exp(t)) + math.log(delta) < 0:
            low = t
        else:
            high = t
    above = math.exp(low)
    rest = math.log(delta) + math.log1p(above)
    return max(0.0, rho * (1 + above) + math.log(above) - math.log1p(above) - rest / above)


def gdp(eps):
    if 30 < eps < math.inf:
        raise ValueError(eps)  # too large to be done with plain floats
    return eps if eps in {0, math.inf} else -2 * NormalDist().inv_cdf(1 / (1 + math.exp(eps)))


def exp(x):
    if x > 700 and x != math.inf:
        raise ValueError(x)  # too large to be done with plain floats
    return math.exp(x)


def path_rho(eps, r):
    """The relative entropy of the pair, in a series of differences that does not cancel."""
    if 0 in {eps, r}:
        return 0.0
    if math.inf in {eps, r}:
        return math.inf
    with localcontext(prec=60):
        x, n = Decimal(eps), Decimal(r)
        a = (-x).exp()
        return float(x * (n - 2 * a * (1 - (-x * n).exp()) / (1 - a * a)))


def path_mu(eps, r):
    if eps == 0 or r < 1:
        return 0.0
    if math.inf in {eps, r}:
        return math.inf
    half = (r + 1) / 2
    if eps * max(half, 1) > 30:
        raise ValueError(eps, r)  # too large to be done with plain floats
    steps = math.floor(half), math.ceil(half)
    return -sum(NormalDist().inv_cdf(math.exp(-eps * j) / (1 + math.exp(-eps))) for j in steps)


def delta_of_gaussian(mu, eps):
    if math.inf in {mu, eps}:
        return 0.0 if eps == math.inf else 1.0
    found = gaussian_delta(float(mu), float(eps))
    if found < 1e-300 and mu > 0:
        raise ValueError(mu, eps)  # too small to be done with plain floats
    return found


FUNCTIONS = {
    "growth": growth, "gdp": gdp, "zcdp_epsilon": zcdp_epsilon, "tanh": math.tanh,
    "path_rho": path_rho, "path_mu": path_mu, "exp": exp,
    "gaussian_delta": delta_of_gaussian,
}  # fmt: skip


def value(e, values, sizes, block=None):
    """Return the value of an expression: ``values`` are numbers, or tables from blocks to them."""

    def of(x):
        return value(x, values, sizes, block)

    def end(size):
        return size if isinstance(size, int) else sizes[size]

    match e:
        case k.Num(number):
            return float(number)
        case k.Inf():
            return math.inf
        case k.Param(name):
            return float(values[name])
        case k.BlockEntry(name):
            return float(values[name][block])
        case k.Size(name):
            return float(sizes[name])
        case k.Sum(items):
            return sum(map(of, items))
        case k.Product(items):
            found = 1.0
            for item in items:
                found = times(found, of(item))
            return found
        case k.Max(items):
            return max(map(of, items), default=0.0)
        case k.Sqrt(inside):
            return math.sqrt(of(inside))
        case k.Apply(name, items):
            return FUNCTIONS[name](*map(of, items))
        case k.Cases(items):
            for case in items:
                if all(r.low <= sizes[r.symbol] <= (r.high or math.inf) for r in case.where):
                    return of(case.value)
            return math.inf
        case k.Worst(family, groups):
            blocks = list(product(*(range(1, end(s) + 1) for s in family)))
            rooms = tuple(int(min(of(g.count), len(blocks))) for g in groups)
            best = {rooms: 0.0}
            for b in blocks:
                gains = [value(g.value, values, sizes, b) for g in groups]
                for left, so_far in list(best.items()):
                    for n, gain in enumerate(gains):
                        if left[n]:
                            rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                            best[rest] = max(best.get(rest, 0.0), so_far + gain)
            return max(best.values())
        case _:
            raise TypeError(e)
