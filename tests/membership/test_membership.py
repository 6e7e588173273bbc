"""Bounds under membership constraints, against plain enumeration of all pairs of vectors."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym.derivation.membership import derive_membership
from dpcomp_sym.errors import InputError
from dpcomp_sym.membership import Membership, pair_at, reach, worst_pair
from dpcomp_sym.membership.worst import confirm_pair
from dpcomp_sym.model import Part
from dpcomp_sym.spec import load_spec
from tests.command import dpcomp
from tests.shares import shared

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "membership"
K = {"databases": "k"}
M = {"m": "m >= 1"}


def compared(membership, sizes, k):
    """All compared pairs, by enumeration of {0,1}^k."""
    vectors = itertools.product((0, 1), repeat=k)
    allowed = [v for v in vectors if membership.allows({"databases": v}, sizes)]
    if membership.neighbours == "unbounded":
        return [((0,) * k, v) for v in allowed]
    return list(itertools.product(allowed, repeat=2))


def worst(membership, sizes, eps):
    """The largest total of ε over all compared pairs, None without two different vectors."""
    found = []
    for b, c in compared(membership, sizes, len(eps)):
        if membership.neighbours == "replace-one":
            found += [sum(x * (i + j) for x, i, j in zip(eps, b, c, strict=True))]
        elif b != c:
            found += [sum(x * abs(i - j) for x, i, j in zip(eps, b, c, strict=True))]
    return max(found, default=None)


CASES = [
    ("total <= m", "unbounded", "sum of the m largest eps[i]"),
    ("total <= m", "bounded", "sum of the 2*m largest eps[i]"),
    ("total == m", "bounded", "sum of the r largest eps[i]"),
    ("total >= m", "bounded", "sum of the r largest eps[i]"),
    ("total == 0 or total == m", "unbounded", "sum of the m largest eps[i]"),
    ("total <= m", "replace-one", "2*(sum of the m largest eps[i])"),
    ("total == m", "replace-one", "2*(sum of the m largest eps[i])"),
    ("total >= 0", "bounded", "sum(eps[i])"),
    ("total <= 1", "unbounded", "max(eps[i])"),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("databases", shared(1, [[1, 2, 3], [1, 2, 3, 5]]), ids=str)
@pytest.mark.parametrize(("require", "neighbours", "text"), CASES)
def test_symmetric_constraints_for_all_small_sizes(require, neighbours, text, databases):
    symbols = M if "m" in require else {}
    membership = Membership(K, [require], symbols, neighbours)
    rng = random.Random(f"{require} {neighbours}")
    seen = 0
    for k in databases:
        for m in (1, 2, 3, 5) if symbols else [None]:
            sizes = {} if m is None else {"m": m}
            eps = [Fraction(rng.randint(0, 9), 2) for _ in range(k)]
            wanted = worst(membership, sizes, eps)
            if not any(membership.allows({"databases": [1] * n + [0] * (k - n)}, sizes)
                       for n in range(k + 1)):  # fmt: skip
                with pytest.raises(InputError, match="no membership vector is allowed"):
                    derive_membership(membership, [Part("a", "databases")], {"eps": eps}, sizes)
                continue
            found = derive_membership(membership, [Part("a", "databases")], {"eps": eps}, sizes)
            if wanted is None:
                assert found.vacuous
                continue
            (pure, *_) = found.bounds
            assert pure.value == wanted, (k, m, eps)
            assert pure.text == text
            assert found.verdict == "proved"
            (pair, *_) = found.choice["worst"]
            assert pair["value"] == pytest.approx(float(wanted))
            seen += 1
    assert seen >= 3


def test_what_r_stands_for():
    for require, text in (("total == m", "2*min(m, k - m)"), ("total >= m", "2*(k - m)")):
        definition = reach(Membership(K, [require], M, "bounded")).definition
        assert definition.text == text


def test_bounds_that_allow_more_are_not_called_exact():
    loose = reach(Membership(K, ["total == 0 or total == m"], M, "bounded"))
    assert not loose.exact
    found = derive_membership(
        Membership({"databases": 3}, ["total == 0 or total == 2"], {}, "bounded"),
        [Part("a", "databases", guarantees={"pure": ("eps",)})], {"eps": [Fraction(1)] * 3},
    )  # fmt: skip
    assert found.bounds[0].value == 2


@pytest.mark.in_turn
@pytest.mark.parametrize("neighbours", ["unbounded", "bounded", "replace-one"])
def test_all_notions_agree_with_enumeration(neighbours):
    """Also that the same memberships are the worst when a record is replaced."""
    membership = Membership({"databases": 4}, ["total <= 2"], {}, neighbours)
    rng = random.Random(5)
    replaced = neighbours == "replace-one"
    for _ in range(10):
        given = {n: [Fraction(rng.randint(0, 9), 3) for _ in range(4)] for n in ("rho", "mu")}
        parts = [Part("a", "databases", guarantees={"zcdp": ("rho",), "gaussian": ("mu",)})]
        zcdp, gaussian = derive_membership(membership, parts, given).bounds
        distances = [
            [i + j if replaced else abs(i - j) for i, j in zip(b, c, strict=True)]
            for b, c in compared(membership, {}, 4)
        ]
        assert zcdp.value == max(
            sum(r * r * x for r, x in zip(d, given["rho"], strict=True)) for d in distances
        )
        largest = max(
            sum((r * x) ** 2 for r, x in zip(d, given["mu"], strict=True)) for d in distances
        )
        assert float(gaussian.value) == pytest.approx(float(largest) ** 0.5)


@pytest.mark.in_turn
@pytest.mark.parametrize("neighbours", ["unbounded", "bounded"])
def test_eps_and_delta_agree_with_enumeration(neighbours):
    """Each is the largest sum over two allowed memberships, of two groups under one limit."""
    membership = Membership({"h": 3, "r": 2}, ["total <= 2"], {}, neighbours)
    parts = [
        Part("a", "h", guarantees={"approximate": ("e", "d")}),
        Part("b", "r", guarantees={"approximate": ("f", "g")}),
    ]
    allowed = [v for v in itertools.product((0, 1), repeat=5) if sum(v) <= 2]
    starts = [(0,) * 5] if neighbours == "unbounded" else allowed
    rng = random.Random(7)
    for _ in range(10):
        eps = [Fraction(rng.randint(0, 9), 3) for _ in range(5)]
        delta = [Fraction(rng.randint(0, 9), 100) for _ in range(5)]
        values = {"e": eps[:3], "f": eps[3:], "d": delta[:3], "g": delta[3:]}
        (bound,) = derive_membership(membership, parts, values).bounds
        apart = [[abs(i - j) for i, j in zip(b, c, strict=True)] for b in starts for c in allowed]
        assert bound.value == tuple(
            max(sum(r * x for r, x in zip(d, numbers, strict=True)) for d in apart)
            for numbers in (eps, delta)
        )


def test_memberships_of_parts_in_different_notions():
    membership = Membership({"h": 3, "r": 2}, ["total <= 2"], {}, "unbounded")
    parts = [
        Part("a", "h", guarantees={"zcdp": ("rho",)}),
        Part("b", "r", guarantees={"approximate": ("f", "g")}),
    ]
    found = derive_membership(membership, parts)
    assert [b.notion for b in found.bounds] == ["approximate"]
    assert any("at a delta of your choice, delta_a" in note for note in found.notes)


def test_free_and_paid_features_as_corrected():
    found = load_spec(EXAMPLES / "free-and-paid.toml").derive()
    assert found.bounds[0].text == (
        "max(sum(eps_ads[i]) + sum(eps_premium[i]), sum(eps_common[i]) + sum(eps_premium[i]), "
        "sum(eps_common[i]) + sum(eps_ads[i]))"
    )
    assert found.bounds[0].tight == "yes"
    text = (EXAMPLES / "free-and-paid.toml").read_text().replace('"bounded"', '"unbounded"')
    assert load_spec(text).derive().bounds[0].text == (
        "max(sum(eps_common[i]) + sum(eps_premium[i]), sum(eps_common[i]) + sum(eps_ads[i]))"
    )


CONSTRAINTS = [
    "databases <= 2", "databases(1) <= databases(2)", "implies(databases(1) == 1, total >= 3)",
    "databases(2) + databases(3) != 1", "total == 3 or total == 0",
    "not (databases(1) == 1 and databases(4) == 1)", "2*databases(1) + 3*databases(2) - total < 2",
    "max(databases(1), databases(3)) == 1", "databases(1) == 1 if databases(2) == 1 else total > 1",
]  # fmt: skip


def test_integer_programming_against_enumeration():
    rng = random.Random(1)
    met = 0
    for _ in range(60):
        require = rng.sample(CONSTRAINTS, rng.randint(1, 3))
        neighbours = rng.choice(["unbounded", "bounded", "replace-one"])
        membership = Membership({"databases": 4}, require, {}, neighbours)
        weights = [Fraction(rng.randint(0, 9), rng.randint(1, 4)) for _ in range(4)]
        found = worst_pair(membership, {}, {"databases": weights})
        pairs = compared(membership, {}, 4)
        if neighbours == "replace-one":
            pairs = [((0, 0, 0, 0), c) for _, c in pairs]
        different = [(b, c) for b, c in pairs if b != c]
        wanted = max(
            (sum(w for w, i, j in zip(weights, b, c, strict=True) if i != j) for b, c in different),
            default=None,
        )
        if found is not None:
            confirm_pair(membership, {}, found.first, found.second)
            assert any(found.first["databases"]) or any(found.second["databases"])
        assert (None if found is None else (found.weight, found.most)) == (
            None if wanted is None else (wanted, wanted)
        )
        met += wanted is not None
    assert met > 20


@pytest.mark.parametrize("neighbours", ["unbounded", "bounded", "replace-one"])
@pytest.mark.parametrize("require", ["total == 0", "total == 3", "total == 2"])
def test_a_pair_of_equal_vectors_is_none(neighbours, require):
    """Weights of 0 do not make equal vectors a pair; two persons in the same databases are one."""
    membership = Membership({"databases": 3}, [require], {}, neighbours)
    weights = {"databases": [Fraction(0)] * 3}
    pairs = compared(membership, {}, 3)
    some = any(c != (0, 0, 0) if neighbours == "replace-one" else b != c for b, c in pairs)
    for search in (worst_pair, pair_at):
        assert (search(membership, {}, weights) is not None) == some


@pytest.mark.parametrize(
    ("neighbours", "first", "second", "why"),
    [
        ("bounded", (1, 0), (1, 0), "are the same"),
        ("bounded", (1, 1), (1, 0), "are not allowed"),
        ("bounded", (0, 1), (1, 1), "are not allowed"),
        ("bounded", (2, -1), (1, 0), "are not allowed"),
        ("unbounded", (0, 1), (1, 0), "somebody who is in a database"),
        ("replace-one", (0, 1), (1, 0), "in the same databases differ"),
    ],
)
def test_a_pair_is_confirmed_by_definition(neighbours, first, second, why):
    membership = Membership({"databases": 2}, ["total == 1"], {}, neighbours)
    with pytest.raises(RuntimeError, match=why):
        confirm_pair(membership, {}, {"databases": first}, {"databases": second})


@pytest.mark.parametrize(
    "size", [2**52, 2**53 + 1, 2**63, 2**64, 10**400, Fraction(10**30, 7)], ids=range(6)
)
def test_weights_can_be_of_any_size(size):
    """What is too large for the solver is rounded up: the bound is never below the true one."""
    membership = Membership({"databases": 5}, ["total <= 3"], {}, "unbounded")
    weights = [size, size + 1, 1, Fraction(size, 3), Fraction(1, 7)]
    found = worst_pair(membership, {}, {"databases": list(map(Fraction, weights))})
    best = sum(sorted(map(Fraction, weights))[-3:])
    assert found.weight <= best <= found.most <= best * (1 + Fraction(1, 2**40))


def test_of_several_worst_pairs_it_is_always_the_same():
    found = [load_spec(EXAMPLES / "implications.toml").derive().choice["worst"] for _ in range(5)]
    assert all(one == found[0] for one in found)


@pytest.mark.long
def test_thousands_of_databases_with_implications():
    k = 2000
    require = ["total <= 365", *(f"databases({i}) <= databases({i + 1})" for i in range(1, k, 2))]
    membership = Membership({"databases": k}, require, {}, "unbounded")
    weights = [Fraction(i % 7, 10) for i in range(k)]
    found = worst_pair(membership, {}, {"databases": weights})
    # Pairs (2j - 1, 2j) are whole, or their second database alone: the best is a knapsack that
    # takes the second ones first, and 365 databases of weight at most 0.6.
    assert found.weight == found.most
    assert found.weight <= 365 * Fraction(6, 10)
    assert membership.allows(found.second, {})


def test_both_ways_to_the_worst_pair_agree():
    for neighbours in ("unbounded", "bounded", "replace-one"):
        membership = Membership({"databases": 9}, ["total <= 4"], {}, neighbours)
        weights = {"databases": [Fraction(i * i % 11) for i in range(9)]}
        simple, general = (f(membership, {}, weights) for f in (pair_at, worst_pair))
        assert simple.weight == general.weight == general.most


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('databases = "k"\nrequire = "totl <= 2"', "totl"),
        ('databases = "k"\nrequire = "total >= 1"', "in no database, which is not allowed"),
        ('databases = "k"\nneighbours = "bounded"\nrequire = "total < 0"', "no membership vector"),
        ('databases = "k"\nneighbours = "sideways"', "sideways"),
        ("databases = 0", "databases"),
        ("database = 3", "'databases'"),
        ('databases = "k"\nsymbols = { k = "k > 1" }', "used twice"),
        ('databases = 3\nrequire = "databases(4) == 0"', "is not a database"),
        ('databases = "total"', "cannot be a name"),
    ],
)  # fmt: skip
def test_bad_specs_name_what_is_wrong(text, message):
    spec = f"title = 'x'\n[membership]\n{text}\n[[part]]\nguarantee = {{ pure = 1 }}\n"
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        load_spec(spec).derive()


def test_a_membership_replaces_domain_and_maps():
    spec = "granularity = 'bounded'\n[membership]\ndatabases = 3\n[[part]]\nname = 'a'\n"
    with pytest.raises(InputError, match="has no 'granularity'"):
        load_spec(spec)
    with pytest.raises(InputError, match="unknown key"):
        load_spec("[membership]\ndatabases = 3\n[[part]]\nsetting = 'common'\n")


@pytest.mark.long
def test_the_program_on_a_thousand_hospitals(tmp_path):
    done = dpcomp("derive", str(EXAMPLES / "hospitals.toml"), "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0
    (pure, *_) = document["bounds"]
    assert pure["exact"] == "66357/10000"  # 365/100 + (636 + ... + 1000)/100000
    assert document["membership"]["worst"][0]["b_prime"]["databases"] == list(range(636, 1001))
    refused = dpcomp(
        "derive", str(EXAMPLES / "hospitals.toml"), "--certificate", str(tmp_path / "c.json")
    )
    assert refused.returncode == 2
    assert "membership" in refused.stderr
    refused = dpcomp("refute", str(EXAMPLES / "subsidiaries.toml"), "--claim", "max(eps[i])")
    assert (refused.returncode, "membership" in refused.stderr) == (2, True)


@pytest.mark.in_turn
@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda p: p.stem)
def test_examples_say_what_they_protect(file):
    found = load_spec(file).derive()
    assert found.verdict == "proved"
    assert found.choice["protects"]
    assert all(b.tight == "yes" for b in found.bounds if b.notion != "approximate")
