"""Random constraints: no difference of allowed vectors is missed, and "exact" is exact."""

from __future__ import annotations

import random
from itertools import product

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.membership import NEIGHBOURS, Membership, reach
from dpcomp_sym.profile import ALL, Symbolic
from dpcomp_sym.terms import Environment, evaluate


def formula(rng, groups, depth=2):
    if depth == 0 or rng.random() < 0.4:
        right = rng.choice(["m", "1", "2", "0", "m + 1", "2*m", "k"])
        left, sign = rng.choice([*groups, "total"]), rng.choice(["<=", ">=", "==", "!=", "<"])
        return f"{left} {sign} {right}"
    word = rng.choice(["and", "or"])
    return f"({formula(rng, groups, depth - 1)} {word} {formula(rng, groups, depth - 1)})"


def differences(membership, size, sizes):
    """In how many databases of each group two compared vectors differ, by enumeration."""
    counts = [
        dict(zip(size, c, strict=True)) for c in product(*(range(s + 1) for s in size.values()))
    ]
    allowed = [c for c in counts if membership.allows_counts(c, sizes)]
    if membership.neighbours != "bounded":
        return {tuple(c[g] for g in size) for c in allowed}
    found = set()
    for one, other in product(allowed, repeat=2):
        ranges = []
        for g, s in size.items():
            total = one[g] + other[g]
            ranges.append(range(abs(one[g] - other[g]), min(total, 2 * s - total) + 1, 2))
        found |= set(product(*ranges))
    return found


def number(count, size, sizes):
    if count == ALL:
        return size
    exact = count.factor * sizes[count.symbol] if isinstance(count, Symbolic) else count
    return min(size, exact)


@pytest.mark.in_turn
def test_random_constraints_against_enumeration():
    rng = random.Random(3)
    seen = exact = 0
    while seen < 16:
        groups = {"a": "k", "b": 2} if rng.random() < 0.3 else {"databases": "k"}
        text, neighbours = formula(rng, list(groups)), rng.choice(NEIGHBOURS)
        membership = Membership(groups, [text], {"m": "m >= 1"}, neighbours)
        try:
            found = reach(membership)
        except InputError:
            continue
        seen += 1
        exact += found.exact and not found.vacuous
        for k, m in product((1, 2, 3, 4), (1, 2, 3)):
            sizes = {"k": k, "m": m}
            if found.definition:
                environment = Environment(dict(sizes))
                sizes[found.definition.symbol] = evaluate(found.definition.term, environment)
            size = {g: k if s == "k" else s for g, s in groups.items()}
            differ = {d for d in differences(membership, size, sizes) if any(d)}
            vectors = [
                tuple(number(v[g], s, sizes) for g, s in size.items()) for v in found.vectors
            ]
            for d in differ:
                below = [all(a <= b for a, b in zip(d, v, strict=True)) for v in vectors]
                assert any(below), (text, neighbours, k, m, d)
            if found.exact and differ:
                assert set(vectors) <= differ, (text, neighbours, k, m)
    assert exact >= 4
