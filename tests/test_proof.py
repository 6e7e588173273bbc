"""The number of a bound is that of the theorem that it states."""

import math
import random
from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.profiler.search import Profiler
from dpcomp_sym.kernel import Neighbouring, Private, is_theorem
from dpcomp_sym.numbers import bounds, parameter_names
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements.terms import Amount, subterms
from tests.statements.exact_values import Infinite, RootOfFraction, evaluate

pytestmark = pytest.mark.in_turn

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.toml"))


def number(value):
    """Return a kernel value as a float or an exact number."""
    if isinstance(value, Infinite):
        return INFINITY
    if isinstance(value, Fraction):
        return value
    return float(value.of) ** 0.5 if isinstance(value, RootOfFraction) else math.log(value.of)


def same(left, right):
    if left is INFINITY or right is INFINITY:
        return left == right
    if isinstance(left, Fraction) and isinstance(right, int | Fraction):
        return left == right
    return abs(float(left) - float(right)) < 1e-9 * max(1.0, abs(float(right)))


def listed(one, lengths):
    """Return a number for each block: lists of lists where blocks have several indices."""
    return [listed(one, lengths[1:]) for _ in range(lengths[0])] if lengths else one()


def by_block(value, block=()):
    """Return numbers by block where these have several indices, else what is given."""
    if not block and not (isinstance(value, list) and isinstance(value[0], list)):
        return value
    if not isinstance(value, list):
        return {block: value}
    rows = (by_block(row, (*block, n)) for n, row in enumerate(value, 1))
    return {place: number for row in rows for place, number in row.items()}


@pytest.mark.in_turn
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("blocks", [1, 2, 5, 9])
def test_numbers_are_those_of_the_theorems(derived, path, blocks):
    plain = derived(path.stem)
    rng = random.Random(f"{path.stem} {blocks}")
    if plain.vacuous:
        assert not plain.theorems
        return
    sizes = {s: blocks if s == "k" else 2 for s in plain.problem.symbols}
    families = {
        p.name: [n if isinstance(n, int) else sizes[n] for _, n in m.indices]
        for p in plain.profile.parts for m in plain.profile.maps if m.name == p.map
        if m.indices
    }  # fmt: skip
    vectors = {
        str(q): families[p.name] for p in plain.profile.parts for _, ps in p.guarantees for q in ps
        if p.name in families
    }  # fmt: skip
    values = {}
    for name, slot in parameter_names(plain.profile):

        def one(slot=slot):
            return Fraction(rng.randint(int(slot), 30), 900 if slot == 1 else 10)

        values[name] = listed(one, vectors.get(name, ()))
    assert set(plain.theorems) == {b.notion for b in plain.bounds}
    stated_bounds = bounds(plain.profile, plain.proof.guarantees, values, sizes)
    assert len(stated_bounds) == len(plain.bounds)
    for bound in stated_bounds:
        theorem = plain.theorems[bound.notion]
        assert is_theorem(theorem)
        statement = theorem.statement
        assert isinstance(statement, Private)
        assert isinstance(statement.loss, Neighbouring)
        functions = "growth", "zcdp_epsilon", "gaussian_delta", "tanh", "path_rho", "path_mu"
        if any(f in statement.text() for f in functions):
            continue  # irrational: compared in the notions' own tests
        if any(isinstance(x, Amount) for g in statement.loss.guarantee for x in subterms(g)):
            continue  # distances by place: compared with all integers in the kernel's tests
        stated = bound.value if isinstance(bound.value, tuple) else (bound.value,)
        table = {name: by_block(value) for name, value in values.items()}
        of_theorem = [number(evaluate(g, table, sizes)) for g in statement.loss.guarantee]
        if INFINITY in of_theorem:
            assert INFINITY in stated
            continue
        assert all(same(a, b) for a, b in zip(of_theorem, stated, strict=True))


def test_trust_names_what_a_theorem_rests_on(derived):
    result = derived(EXAMPLES[0].stem)
    for theorem in result.theorems.values():
        assert {t.kind for t in theorem.trust} == {"given", "smt"}


def test_parts_in_different_notions_meet_in_a_third_one():
    spec = load_spec(
        """
        granularity = "unbounded"
        [domain]
        attributes = { id = "Record" }
        [[part]]
        name = "total"
        map = "identity"
        guarantee = { gaussian = "mu" }
        [[part]]
        name = "counts"
        map = "partition"
        guarantee = { pure = "eps" }
        """,
        ["mu=1/2", "eps=[1, 1/2]"],
    )
    found = {b.notion: b.exact for b in spec.derive().bounds}
    assert found == {"gaussian": "sqrt(1/4 + gdp(1)^2)", "zcdp": "1/8 + tanh(1/2)"}


THREE_BLOCKS = """
title = "Two records go and one comes, in blocks that overlap"
[domain]
attributes = { id = "Event", day = "int" }
symbols = { w = "w >= 0" }
[granularity]
name = "moves"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 2 and day(y) == day(x) + w"
change = { x = "-2", y = "1" }
[[map]]
name = "m"
index = { i = "k" }
member = "day(c) == i or day(c) == i + w"
[[part]]
name = "p"
map = "m"
granularity = "unbounded"
"""

UNSEEN = """
title = "An edit that no block sees, beside one that changes whole days"
[domain]
attributes = { id = "Event", row = "int" }
[granularity]
name = "both"
[[granularity.edit]]
params = { x = "cell" }
guard = "row(x) < 0"
change = { x = "1" }
[[granularity.edit]]
params = { t = "int" }
frame = "row(c) == t or row(c) == t + 3"
[[map]]
name = "f"
index = { i = "k" }
member = "2*i <= row(c) and row(c) < 2*i + 2"
[[part]]
name = "p"
map = "f"
granularity = { use = "user", owner = "row" }
"""


def pure(text, *numbers):
    derivation = derive(load_spec(text).problem, *numbers)
    return derivation.bounds["pure"]


@pytest.mark.in_turn
def test_two_blocks_have_their_places_in_different_groups(monkeypatch):
    told_apart = pure(THREE_BLOCKS)
    assert told_apart.text.startswith("max over t, u with u == t + w of (sum(2*eps[i] for ")
    assert pure(THREE_BLOCKS, {"eps": [1, 4, 2]}, {"w": 1}).value == 16
    monkeypatch.setattr(Profiler, "_kinds_apart", lambda *_: None)
    bound = pure(THREE_BLOCKS)
    assert bound.text == "max over different i, j, l of (3*eps[i] + 2*eps[j] + eps[l])"
    assert pure(THREE_BLOCKS, {"eps": [1, 4, 2, *[0] * 6]}).value == 17


def test_what_no_block_sees_is_below_every_pattern():
    bound = pure(UNSEEN)
    assert bound.text == "max over t of sum(eps[i] for t - 1 <= 2*i <= t or t + 1 < 2*i <= t + 3)"
    assert pure(UNSEEN, {"eps": [1, 4, 2]}).value == 6
