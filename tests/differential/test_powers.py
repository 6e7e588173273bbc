"""Claims with powers of e, (m eps, p(e^eps) delta), for users with at most m records."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from dpcomp_sym.claims import read_claim
from dpcomp_sym.claims.decide import decided
from dpcomp_sym.spec import Spec, load_spec

POINTS = [1 + Fraction(n, 4) for n in range(200)]
SPEC = """
[domain]
attributes = {{ id = "Record", user = "User" }}
limits = [["user(c)", "{m}"]]
[granularity]
use = "user_presence"
owner = "user"
[[map]]
name = "whole"
use = "identity"
[[part]]
name = "query"
map = "whole"
granularity = "unbounded"
guarantee = {{ approximate = ["eps", "delta"] }}
"""


def users_with(m: int) -> Spec:
    return load_spec(SPEC.format(m=m))


def at(terms: dict[Fraction, Fraction], q: Fraction) -> Fraction:
    """Return the value at q = e^(eps/2), of which all powers are whole."""
    return sum((c * q ** int(2 * x) for x, c in terms.items()), Fraction(0))


@pytest.mark.in_turn
@pytest.mark.parametrize("m", [1, 2, 3])
def test_group_privacy_in_powers(m):
    """What is proved holds at each of many e^eps; what is refuted fails at one."""
    rng = random.Random(m)
    spec, verdicts = users_with(m), []
    derivation = spec.derive()
    for _ in range(5):
        terms: dict[Fraction, Fraction] = {}
        for _ in range(rng.randint(1, 3)):
            x = Fraction(rng.randint(0, 2 * m), 2)
            terms[x] = terms.get(x, Fraction(0)) + rng.choice((Fraction(1, 2), 1, 1, 2, m))
        said = " + ".join(f"{c}*exp({x}*eps)" for x, c in terms.items())
        claim = read_claim(f"({m}*eps, delta*({said}))", spec.problem)
        found = decided(spec, claim, derivation)
        verdicts.append(found.verdict)
        bound = {Fraction(n): Fraction(1) for n in range(m)}
        holds = all(at(bound, q) <= at(terms, q) for q in POINTS)
        if found.verdict == "proved":
            assert holds, said
        if found.verdict == "refuted":
            assert not holds, said
        if set(terms) >= set(bound) and all(terms[x] >= 1 for x in bound):
            assert found.verdict == "proved", said
    assert {"proved", "refuted"} <= set(verdicts)
