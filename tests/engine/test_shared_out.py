"""Mechanisms for all records of a user beside mechanisms for single ones, on one map.

The records lie in some blocks: for each number of these the sum is largest where one of them has
all records but one for each of the others.  Bounds are compared with all ways to share them out.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import read
from dpcomp_sym.report import latex
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.statements.places import of_each_number

LABEL = {"h": (["cell"], "int")}
IN_ALL = (("user(c)", "m"),)
EACH_DAY = (("user(c), day(c)", 1),)
DAYS = "1 <= day(c) and day(c) <= T"
ONE = "max over t, u with 0 <= u < {} of (sum(eps[i] + max(0, {} - u)*eta[i] for i == t) + "
OTHERS = "sum of the u largest (eps[i] + eta[i] for i != t))"
TWO_DAYS = "user(c) == u and t <= day(c) and day(c) < t + 2"


def bound(number, more=""):
    return ONE.format(number + more, number) + OTHERS


def among(condition):
    """The same where only blocks with a condition hold records."""
    found = bound("m").replace("i == t", f"i == t and {condition}")
    return found.replace("i != t", f"i != t and {condition}")


def problem(
    member="h(c) == i", use="user_presence", limits=IN_ALL, labels=None, index=None, symbols=None,
    records="unbounded", setting="separate", **more,
):  # fmt: skip
    known = {"m": "m >= 1", "T": "T >= 1"} if symbols is None else symbols
    domain = Domain(
        {"id": "Record", "user": "User", "day": "int"}, symbols=known, limits=limits, **more
    )
    edits = use if isinstance(use, Granularity) else library_granularity(use, owner="user")
    functions = (labels or LABEL) if "h(" in member else {}
    blocks = Map("p", member, index or {"i": "k"}, functions)
    parts = [
        Part("users", "p", guarantees={"pure": ("eps",), "zcdp": ("rho",)}, setting=setting),
        Part("single", "p", library_granularity(records),
             guarantees={"pure": ("eta",), "zcdp": ("sig",)}),
    ]  # fmt: skip
    return Problem(domain, edits, [blocks], parts)


def pure(**named):
    found = derive(problem(**named)).bounds["pure"]
    return found.text, found.tight


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("named", "text", "tight"),
    [
        ({}, bound("m"), "yes"),
        ({"setting": "common"}, bound("m"), "yes"),
        ({"use": "user"}, bound("2*m"), "yes"),
        ({"limits": (("user(c)", 2),)}, bound("2"), "yes"),
        ({"symbols": {"m": "m == 3"}}, bound("3"), "yes"),
        ({"symbols": {"m": "m >= 0"}}, bound("m"), "yes"),
        ({"cap": 1}, bound("m"), "yes"),
        ({"member": "day(c) == i"}, bound("m"), "yes"),
        # Where there are fewer days than m, a user has no m records.
        ({"limits": (*IN_ALL, *EACH_DAY), "cell": "1 <= day(c) and day(c) <= k",
          "symbols": {"m": "m >= 1", "k": "k >= 1"}}, bound("m"), "unknown"),
        # Only some blocks hold records.
        ({"member": "day(c) == i", "cell": DAYS}, among("i <= T"), "yes"),
        ({"member": "day(c) == i", "cell": DAYS, "index": {"i": "T"}}, bound("m"), "yes"),
        ({"member": "day(c) == i", "cell": "day(c) % 2 == 0"}, among("i % 2 == 0"), "yes"),
        ({"member": "2*day(c) == i"}, among("i % 2 == 0"), "unknown"),
        # So many records a day, and in all: in one block there are no more than on a day.
        ({"member": "day(c) == i", "limits": (("user(c)", "T"), ("user(c), day(c)", "m")),
          "cell": DAYS, "index": {"i": "T"}}, bound("T"), "unknown"),
        ({"index": {"i": 3}}, bound("m", " and u < 3"), "yes"),
        ({"symbols": {"m": "m >= 1", "k": "k <= 3"}}, bound("m", " and u < 3"), "yes"),
        ({"cell": "day(c) <= k", "symbols": {"m": "m >= 1", "k": "k >= 1"}}, bound("m"), "yes"),
        ({"limits": EACH_DAY, "cell": DAYS}, bound("T"), "yes"),
        ({"limits": EACH_DAY, "cell": DAYS, "use": "user"}, bound("2*T"), "yes"),
        ({"labels": {"h": (["Record"], "int")}, "member": "h(id(c)) == i"}, bound("m"), "yes"),
        ({"labels": {"h": (["int"], "int")}, "member": "h(day(c)) == i"}, bound("m"), "yes"),
        ({"limits": (*IN_ALL, *EACH_DAY), "cell": DAYS}, bound("m"), "unknown"),
        ({"member": "day(c) == i", "distinct": (("day(c)", "user(c)", "T"),)},
         bound("m", " and u < T"), "unknown"),
        ({"use": Granularity("two days", [Edit({"u": "User", "t": "int"}, frame=TWO_DAYS)])},
         bound("2*m"), "yes"),
        # A user is in one block, which counts what all of its records do.
        ({"labels": {"h": (["User"], "int")}, "member": "h(user(c)) == i"},
         "max(eps[i] + m*eta[i])", "yes"),
        # What a mechanism sees that is private when two records are exchanged has no end.
        ({"records": "bounded"}, "inf (no guarantee)", "yes"),
        # A record is in two blocks.
        ({"member": "h(c) == i or h(c) == i + 1"}, "sum of the 2*m largest (eps[i] + m*eta[i])",
         "unknown"),
        ({"limits": (("user(c)", 1),)}, "max(eps[i] + eta[i])", "yes"),
    ],
)  # fmt: skip
def test_one_block_has_what_the_others_leave(named, text, tight):
    assert pure(**named) == (text, tight)


def test_blocks_with_two_indices_have_an_integer_for_each():
    text, tight = pure(member="h(c) == i and day(c) == j", index={"i": "k", "j": "l"})
    assert text == (
        "max over t, u, v with 0 <= v < m of (sum(eps[i,j] + max(0, m - v)*eta[i,j] for i == t and "
        "j == u) + sum of the v largest (eps[i,j] + eta[i,j] for not (i == t and j == u)))"
    )
    assert tight == "yes"


def test_squares_of_records_are_largest_in_one_block():
    found = derive(problem()).bounds["zcdp"]
    assert found.text == (
        "max over t, u with 0 <= u < m of (sum(rho[i] + max(0, m - u)^2*sig[i] for i == t) + "
        "sum of the u largest (rho[i] + sig[i] for i != t))"
    )
    assert found.tight == "yes"


# -------------------------------------------------------------------- numbers


def shared_out(most, blocks):
    """Yield in how many ways so many records lie in blocks: how many in each."""
    for some in itertools.product(range(most + 1), repeat=blocks):
        if 0 < sum(some) <= most:
            yield some


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("notion", ["pure", "zcdp"])
def test_no_other_way_to_share_them_out_costs_more(seed, notion):
    rng = random.Random(f"{seed} shared")
    m, blocks = rng.randint(1, 4), rng.randint(1, 4)
    whole, each = (
        [rng.choice((0, 1, 2, 5, Fraction(1, 3))) for _ in range(blocks)] for _ in range(2)
    )
    names, power = (("eps", "eta"), 1) if notion == "pure" else (("rho", "sig"), 2)
    values = dict(zip(names, (whole, each), strict=True))
    found = derive(problem(), values, {"m": m, "k": blocks}).bounds[notion]
    assert found.value == max(
        sum(e + n**power * h for e, h, n in zip(whole, each, some, strict=True) if n)
        for some in shared_out(m, blocks)
    )
    assert found.tight == "yes"


@pytest.mark.parametrize("seed", range(6))
def test_numbers_of_blocks_with_two_indices(seed):
    rng = random.Random(f"{seed} two indices")
    eps, eta = ([[rng.randint(0, 5) for _ in range(2)] for _ in range(3)] for _ in range(2))
    given = problem(member="h(c) == i and day(c) == j", index={"i": "k", "j": "l"})
    sizes = {"m": 3, "k": 3, "l": 2}
    rows = [[x for row in of for x in row] for of in (eps, eta)]
    found = derive(given, {"eps": eps, "eta": eta}, sizes).bounds["pure"]
    assert found.value == max(
        sum(e + n * h for e, h, n in zip(*rows, some, strict=True) if n)
        for some in shared_out(3, 6)
    )


def test_numbers_of_many_blocks():
    """The same as with the block, and the number of others, tried one by one."""
    rng = random.Random("many blocks")
    eps, eta = ([Fraction(rng.randint(0, 99), 7) for _ in range(120)] for _ in range(2))
    both = sorted(zip(eps, eta, strict=True), key=sum, reverse=True)
    best = max(
        e + (12 - u) * h + sum(sum(pair) for n, pair in enumerate(both) if n != at and n < u + (
            at < u))
        for u in range(12) for at, (e, h) in enumerate(both)
    )  # fmt: skip
    found = derive(problem(), {"eps": eps, "eta": eta}, {"m": 12, "k": 120}).bounds["pure"]
    assert found.value == best


def test_more_records_than_blocks():
    """However many there are, no more blocks change than there are."""
    sizes = {"m": 10**9, "k": 2}
    found = derive(problem(), {"eps": [1, 2], "eta": [3, 4]}, sizes).bounds["pure"]
    assert found.value == 1 + 2 + 3 + 4 * (10**9 - 1)


def test_too_many_numbers_of_blocks():
    """A formula that says nothing of how many blocks there are is looked at for each number."""
    written = derive(problem()).theorems["pure"].statement.loss.guarantee[0]
    with pytest.raises(k.KernelError, match="too many numbers of blocks"):
        of_each_number(written, {"m": 10**5, "k": 2})
    with pytest.raises(k.KernelError, match="nothing bounds how many"):
        of_each_number(k.MaxOver(2, k.Connected("and", ()), written.body), {"m": 3, "k": 2})


@pytest.mark.parametrize("sizes", [{"m": 2, "k": 3}, {"m": 4, "k": 2}, {"m": 1, "k": 1}])
def test_formulas_in_sympy_have_the_same_value(sizes):
    values = {"eps": [5, 1, 4][: sizes["k"]], "eta": [2, 9, 3][: sizes["k"]]}
    written = derive(problem()).bounds["pure"].sympy(sizes)
    at = {x: values[str(x.base)][x.indices[0] - 1] for x in written.atoms(sp.Indexed)}
    assert written.xreplace(at) == derive(problem(), values, sizes).bounds["pure"].value


# -------------------------------------------------------------------- claims, certificates


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (bound("m"), "proved"),
        (bound("m").replace("of the u largest", "of the max(0, u) largest"), "proved"),
        ("sum of the m largest (eps[i] + m*eta[i])", "proved"),
        ("m*max(eps[i] + m*eta[i])", "proved"),
        ("sum of the m largest eps[i]", "refuted"),
        ("m*max(eta[i])", "refuted"),
        ("sum of the m largest (eps[i] + eta[i])", "refuted"),
        (bound("m").replace("m - u", "m - u - 1"), "refuted"),
        (bound("m").replace("the u largest", "the u - 1 largest"), "refuted"),
        # True, but no proof is known.
        ("m*max(eta[i]) + sum of the m largest eps[i]", "unknown"),
    ],
)
def test_claims(claim, verdict):
    assert dp.refute(problem(), claim).verdict == verdict


def test_integers_of_other_claims_are_not_these():
    """How many blocks count depends on the integer of the claim, whatever it is called."""
    other = bound("m").replace("t, u with", "u, t with").replace("- u)", "- t)")
    other = other.replace("i == t", "i == u").replace("the u largest", "the t largest")
    other = other.replace("i != t", "i != u").replace("0 <= u <", "0 <= t <")
    assert dp.refute(problem(), other).verdict == "proved"
    turned = bound("m").replace("over t, u", "over u, t")
    assert dp.refute(problem(), turned).verdict == "proved"
    longer = bound("m").replace("the u largest", "the 2*u + m - u - m largest")
    assert dp.refute(problem(), longer).verdict == "proved"
    wrong = bound("m").replace("the u largest", "the t largest")
    assert dp.refute(problem(), wrong).verdict != "proved"


@pytest.mark.parametrize("use", ["user", "user_presence"])
def test_both_solvers_confirm_it(use):
    found = derive(problem(use=use))
    made = read(as_text(certificate(found.theorems, found)).encode())
    second = SecondSolver() if SecondSolver.installed() else None
    answer = verify(made, second)
    assert answer.verdict == "proved"
    assert any("is a mean of" in said and "at most p2 of them" in said for said in answer.facts)


def test_the_printed_proof_is_that_of_this_argument():
    """The integers have the letters of the sentence, and the mean is of the blocks that change."""
    text = latex.article(derive(problem()).document())
    assert r"\le \max(0, m - u)$" in text
    assert "at most $u$ of them" in text
    assert "weights $(n_j - 1)/(M - |S|)$" in text
    assert "if all lie where one does" not in text
