"""Tight bounds come with mechanisms that attain them, and only then are they called tight."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcomp_sym as dp
from dpcomp_sym.claims import standalone
from dpcomp_sym.derivation.tightness import lemmas

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

small = st.fractions(min_value=0, max_value=3, max_denominator=6)


@pytest.mark.parametrize(
    "name", ["ambulances", "bounded-partition-unbounded-parts", "query-and-partition", "nested"]
)
def test_each_tight_bound_has_verified_mechanisms(name: str) -> None:
    derivation = dp.load_spec(EXAMPLES / f"{name}.toml").derive()
    document = derivation.as_json()
    assert {"pure", "zcdp", "gaussian"} <= set(derivation.witnesses)
    for bound in document["bounds"]:
        if bound["notion"] == "approximate":
            continue
        assert bound["tight"] == "yes"
        assert {m["part"] for m in bound["witness"]["mechanisms"]}
        assert len(bound["witness"]["verified"]) >= 2


def test_what_is_attained_is_the_bound() -> None:
    found = dp.load_spec(EXAMPLES / "bounded-partition-unbounded-parts.toml").derive()
    attained = {n: w.attained[0].statement.text() for n, w in found.witnesses.items()}
    assert attained["pure"] == "2*max(eps[i]) <= max(2*eps[i])"  # two blocks once cost no more
    assert found.witnesses["pure"].mechanisms == (
        ("counts[i]", "1 with probability exp(-eps[i]*t)/2, otherwise 0"),
    )


def test_at_infinite_distance_a_count_is_published() -> None:
    found = dp.load_spec(EXAMPLES / "bounded-partition.toml").derive()
    said = [what for _, what in found.witnesses["pure"].mechanisms]
    assert "a count of records that no edit changes, where r = inf" in said


ARRIVALS = """
[domain]
attributes = { id = "Record" }
[[granularity]]
name = "either"
use = "OUTER"
[[granularity]]
name = "arrivals"
directed = true
[[granularity.edit]]
params = { x = "cell" }
change = { x = "1" }
[[map]]
name = "whole"
use = "identity"
[[part]]
name = "query"
map = "whole"
granularity = "arrivals"
guarantee = { pure = "eps", approximate = ["eta", "delta"], zcdp = "rho", gaussian = "mu" }
"""


@pytest.mark.parametrize("outer", ["unbounded", "bounded"])
def test_at_an_infinite_distance_one_way(outer: str) -> None:
    """Records arrive: no edits lead back.

    Pure privacy from D to D' with one record more, P <= e^eps P', allows a law P = (1, 0) and
    P' = (e^-eps, 1 - e^-eps), so that nothing is true the other way; zero-concentrated privacy
    does, too.  But (eta, delta) this way is (0, 1 - (1 - delta)/e^eta) that way, and a trade-off
    function of normals is its own converse.
    """
    spec = dp.load_spec(ARRIVALS.replace("OUTER", outer))
    found = {b.notion: (b.tight, b.known) for b in spec.derive().bounds}
    assert found == {
        "pure": ("yes", True), "zcdp": ("yes", True), "approximate": ("unknown", False),
        "gaussian": ("unknown", False),
    }  # fmt: skip
    said = dict(spec.derive().witnesses["pure"].mechanisms)
    assert said == {"query": "0, or 1 with probability 1 - exp(-eps) where t is finite"}
    assert spec.derive().witnesses["pure"].attains == "an output is possible for D and not for D'"
    nothing = dp.load_spec(ARRIVALS.replace("OUTER", outer), ["eps=0", "rho=1"]).derive()
    assert {b.notion: b.tight for b in nothing.bounds if b.notion in {"pure", "zcdp"}} == {
        "pure": "unknown", "zcdp": "yes",
    }  # fmt: skip


def test_at_an_infinite_distance_one_way_in_blocks_of_which_one_loses_nothing() -> None:
    text = ARRIVALS.replace("OUTER", "bounded").replace('use = "identity"', (
        'index = { i = "k", j = "l" }\nmember = "row(id(c)) == i and column(id(c)) == j"'
    )).replace('"Record" }', (
        '"Record" }\nfunctions = { row = [["Record"], "int"], column = [["Record"], "int"] }'
    ))  # fmt: skip
    for eps, tight in (("[[1, 2], [3, 1]]", "yes"), ("[[1, 2], [3, 0]]", "unknown")):
        assert dp.load_spec(text, [f"eps={eps}"]).derive().bounds["pure"].tight == tight


@pytest.mark.parametrize("claim", ["(eta, delta)", "100*mu"])
def test_what_leads_back_refutes_nothing(claim: str) -> None:
    assert (
        dp.refute(dp.load_spec(ARRIVALS.replace("OUTER", "unbounded")), claim).verdict == "unknown"
    )


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("names", "letters"),
    [
        ([], ("t", "r")),
        (["t"], ("u", "r")),
        (["r", "q", "m"], ("t", "r1")),
        (["t", "u", "v", "t1"], ("t2", "r")),
        (["d"], ("t", "r")),
    ],
)
def test_letters_are_not_names_of_the_problem(names, letters) -> None:
    facts = {name: f"{name} >= 1" for name in names}
    problem = dp.Problem(
        dp.Domain({"id": "Record"}, symbols=facts), dp.library_granularity("bounded"),
        [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")],
    )  # fmt: skip
    found = dp.derive(problem).witnesses["pure"]
    assert found.letters == letters
    assert f"exp(-eps[i]*{letters[0]})" in found.mechanisms[0][1]
    assert f"at most {letters[1]}, the distance" in found.as_json()["t"]


def test_letters_are_not_those_of_the_bound() -> None:
    """Where a bound is the largest sum over times t, what is attained calls no number t."""
    over = dp.Domain(day=int, id="Event")
    daily = dp.blocks(lambda c, i: c.day == i, pure="eps")
    found = dp.derive(over, "w_event(day, 2)", daily=daily)
    assert found.bound().text == "max over t of sum(eps[i] for t <= i <= t + 1)"
    assert found.witnesses["pure"].letters[0] == "u"


ONE_SIDED = """
[domain]
attributes = { id = "Record" }
[[granularity]]
name = "replace"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y"
change = { x = "-1", y = "1" }
[[granularity]]
name = "leave"
directed = true
[[granularity.edit]]
params = { x = "cell" }
change = { x = "-1" }
[[granularity.edit]]
params = { y = "cell" }
change = { y = "1" }
[[part]]
name = "counts"
map = "identity"
granularity = "leave"
guarantee = { pure = "eps" }
"""


def test_without_mechanisms_a_bound_is_not_called_tight() -> None:
    """min(d(E, x), 2) may fall by more than 1 where distances are one-sided."""
    found = dp.load_spec(ONE_SIDED).derive()
    assert (found.bounds[0].text, found.bounds[0].tight) == ("2*eps", "unknown")
    assert "N1" not in found.bounds[0].by
    assert not found.witnesses
    assert dp.refute(dp.load_spec(ONE_SIDED), "eps").verdict == "unknown"


@given(small, st.integers(1, 4))
@settings(deadline=None, max_examples=30)
def test_coins_are_private_and_lose_everything(eps: Fraction, r: int) -> None:
    rows = standalone.coins(eps, r)
    assert standalone.is_private(rows, eps, Fraction(0))
    lost = rows[0][1] / rows[-1][1]
    assert (lost - standalone.Exp.of(1, r * eps)).sign() == 0


@given(small, st.fractions(min_value=0, max_value=1, max_denominator=8), st.integers(1, 3))
@settings(deadline=None, max_examples=30)
def test_the_steepest_laws_are_private(eps: Fraction, delta: Fraction, r: int) -> None:
    rows = standalone.steepest(eps, delta, r)
    assert standalone.is_private(rows, eps, delta)
    if delta:
        less = delta - Fraction(1, 1000)
        assert not standalone.is_private(rows, eps, less)


def test_the_worst_pair_at_distance_two() -> None:
    """With eps = 0: delta doubles; delta = 0: the truncated geometric law."""
    first, last = (standalone.steepest(Fraction(0), Fraction(1, 10), 2)[n] for n in (0, -1))
    lost = sum((p - q for p, q in zip(first, last, strict=True) if (p - q).sign() > 0),
               standalone.Exp.of(0))  # fmt: skip
    assert str(lost) == "1/5"
    row = standalone.steepest(Fraction(1), Fraction(0), 2)[1]
    assert [str(p) for p in row] == ["(1)/(e^1 + 1)", "(e^1 - 1)/(e^1 + 1)", "(1)/(e^1 + 1)"]


@pytest.mark.parametrize("notion", ["pure", "zcdp", "gaussian"])
def test_the_lemmas_are_theorems_without_assumptions(notion: str) -> None:
    assert all(not theorem.trust for theorem in lemmas(notion))


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "notion", "sets"),
    [
        ("ambulances", "pure", ["eps=[1, 3, 2, 1/2]"]),
        ("bounded-partition-unbounded-parts", "zcdp", ["rho=[1, 1/3]"]),
        ("query-and-partition", "pure", ["eps0=1/2", "eps=[1, 2]"]),
        ("bounded-partition-common", "gaussian", ["mu=[3, 1, 4]"]),
    ],
)
def test_a_little_less_than_a_tight_bound_is_refuted(name: str, notion: str, sets: list[str]):
    spec = dp.load_spec(EXAMPLES / f"{name}.toml", sets)
    (bound,) = [b for b in spec.derive().bounds if b.notion == notion]
    value = Fraction(bound.value)
    assert dp.refute(spec, str(value), notion=notion).verdict == "proved"
    assert dp.refute(spec, str(value - Fraction(1, 1000)), notion=notion).verdict == "refuted"
