"""The examples come out as their comments argue: conditions, bounds, numbers, tightness."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym.derivation import Derivation, derive
from dpcomp_sym.engine import Refuted
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).parent.parent / "examples"
PAIRS = "max over i != j of {0}[i] + {0}[j] (k = 1: {0}[1])"

# For each example: C1, C2, and the bounds of pure, zero-concentrated and Gaussian privacy.
ROWS = {
    "unbounded-partition": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "unbounded-partition-nonexhaustive": (
        "proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])",
    ),
    "bounded-partition": (
        "refuted", "refuted", "eps[1] for k = 1; inf for k >= 2",
        "rho[1] for k = 1; inf for k >= 2", "mu[1] for k = 1; inf for k >= 2",
    ),
    "bounded-partition-common": (
        "refuted", None, PAIRS.format("eps"), PAIRS.format("rho"),
        "max over i != j of sqrt(mu[i]^2 + mu[j]^2) (k = 1: mu[1])",
    ),
    "bounded-partition-unbounded-parts": (
        "refuted", "refuted", "2*max(eps[i])", "4*max(rho[i])", "2*max(mu[i])",
    ),
    "ordered-index-partition": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "ambulances": (
        "refuted", "proved", "sum of the 3 largest eps[i]", "sum of the 3 largest rho[i]",
        "sqrt(sum of the 3 largest mu[i]^2)",
    ),
    "label-dp": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "user-level-owner-partition": (
        "proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])",
    ),
    "user-level-record-partition": (
        "refuted", "proved", "sum(eps[i])", "sum(rho[i])", "sqrt(sum(mu[i]^2))",
    ),
    "user-level-limited": (
        "refuted", "proved", "sum of the min(2*r, k) largest eps[i]",
        "sum of the min(2*r, k) largest rho[i]", "sqrt(sum of the min(2*r, k) largest mu[i]^2)",
    ),
    "free-lunch-identity": (None, "proved", "sum(eps[i])", "sum(rho[i])", "sqrt(sum(mu[i]^2))"),
    "query-and-partition": (
        "proved", "proved", "eps0 + max(eps[i])", "rho0 + max(rho[i])",
        "sqrt(mu0^2 + max(mu[i]^2))",
    ),
    "partition-and-free-lunch": (
        "proved", "proved", "eps_fl + max(eps[i])", "rho_fl + max(rho[i])",
        "sqrt(mu_fl^2 + max(mu[i]^2))",
    ),
    "nested": (
        "proved", "proved", "eps_all + max(eps_mean[i] + eps_count[i])",
        "rho_all + max(rho_mean[i] + rho_count[i])",
        "sqrt(mu_all^2 + max(mu_mean[i]^2 + mu_count[i]^2))",
    ),
    "own-granularity": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
}  # fmt: skip


def run(name: str, *sets: str) -> Derivation:
    spec = load_spec(EXAMPLES / f"{name}.toml", sets)
    return derive(spec.problem, values=spec.values, sizes=spec.sizes, title=spec.title)


@pytest.fixture(scope="module")
def results() -> dict[str, Derivation]:
    return {p.stem: run(p.stem) for p in EXAMPLES.glob("*.toml")}


def verdict(result: Derivation, name: str) -> str | None:
    condition = result.conditions.get(name)
    return condition.verdict if condition else None


@pytest.mark.parametrize("name", ROWS)
def test_conditions_and_bounds(results, name):
    result = results[name]
    c1, c2, pure, zcdp, gaussian = ROWS[name]
    assert result.verdict == "proved"
    assert (verdict(result, "compatibility"), verdict(result, "sensitivity")) == (c1, c2)
    texts = {b.notion: b.text for b in result.bounds}
    assert (texts["pure"], texts["zcdp"], texts["gaussian"]) == (pure, zcdp, gaussian)
    assert result.profile.exact
    assert {b.notion: b.tight for b in result.bounds if b.notion != "approximate"} == dict.fromkeys(
        ("pure", "zcdp", "gaussian"), "yes"
    )


def test_every_example_is_expected_here(results):
    assert set(results) == {*ROWS, "fixed-size-unbounded", "ambulances-bounded-common"}


def test_the_best_approximate_bound_of_parallel_composition(results):
    (bound,) = [b for b in results["unbounded-partition"].bounds if b.notion == "approximate"]
    assert bound.text == "(max(eps[i]), max(delta[i]))"
    assert bound.pareto == "(eps[i], delta[i]) for each i"
    assert bound.tight == "yes"
    assert "smallest" in bound.tight_note


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unbounded-partition", 5), ("bounded-partition-common", 9),
        ("bounded-partition-unbounded-parts", 10), ("ordered-index-partition", 5),
        ("ambulances", 12), ("label-dp", 5), ("user-level-owner-partition", 5),
        ("user-level-record-partition", 15), ("free-lunch-identity", 15),
    ],
)  # fmt: skip
def test_numbers(name, value):
    result = run(name, "k=5", "eps=[1,2,3,4,5]")
    (pure,) = [b for b in result.bounds if b.notion == "pure"]
    assert pure.value == value


def test_numbers_with_a_limit_and_with_single_parts():
    (pure, *_) = run("user-level-limited", "k=5", "eps=[1,2,3,4,5]", "r=2").bounds
    assert pure.value == 5 + 4 + 3 + 2
    (pure, *_) = run("query-and-partition", "eps=[1,2,3]", "eps0=1/2").bounds
    assert pure.value == Fraction(7, 2)
    (pure, *_) = run("partition-and-free-lunch", "eps=[1,2,3]", "eps_fl=1/3").bounds
    assert pure.value == Fraction(10, 3)


def test_equal_ambulances():
    (pure, *_) = run("ambulances", "k=10", "eps=1").bounds
    assert pure.value == 3
    result = run("ambulances-bounded-common")
    assert verdict(result, "compatibility") == "refuted"
    assert result.conditions["compatibility"].note == "at most 6 blocks change"
    assert [tuple(b.value) for b in result.bounds] == [(6, Fraction(6, 10**5))]


def test_one_block_of_two_neighbours():
    (pure, *_) = run("bounded-partition-common", "k=1", "eps=[3]").bounds
    assert pure.value == 3
    (pure, *_) = run("bounded-partition", "k=1", "eps=[3]").bounds
    assert pure.value == 3


def test_parallel_composition_fails_for_bounded_privacy(results):
    result = results["bounded-partition"]
    assert result.infinite
    for name in ("compatibility", "sensitivity"):
        outcome = result.conditions[name].outcome
        assert isinstance(outcome, Refuted)
        example = outcome.counterexample
        assert sum(example.old.values()) == sum(example.new.values()) == 1  # the smallest there is
    assert result.conditions["compatibility"].note == "at most 2 blocks change"
    assert example.distances[0][2] == "infinite"


def test_two_of_two_distances(results):
    outcome = results["bounded-partition-unbounded-parts"].conditions["sensitivity"].outcome
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.distances[0][2] == "2"


def test_vacuous_is_said_loudly(results):
    result = results["fixed-size-unbounded"]
    assert result.verdict == "vacuous"
    assert result.vacuous
    assert {c.verdict for n, c in result.conditions.items() if n != "partition"} == {"vacuous"}
    assert all(b.value is None and "vacuous" in b.text for b in result.bounds)
    assert "0" not in " ".join(b.text for b in result.bounds)


def test_the_json_is_plain_data(results):
    for result in results.values():
        document = json.loads(json.dumps(result.as_json()))
        assert document["schema"] == "dpcomp/1"
        assert [s["step"] for s in document["trace"]] == list(range(1, len(document["trace"]) + 1))
        assert all(u < s["step"] for s in document["trace"] for u in s["uses"])
