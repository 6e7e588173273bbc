"""Claims: what is proved, what is refuted and with which smallest example."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.decide import decided
from dpcomp_sym.claims.parse import read_claim
from dpcomp_sym.limits import limited

pytestmark = pytest.mark.in_turn

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def decide(name: str, claim: str, *sets: str, **options):
    return dp.refute(dp.load_spec(EXAMPLES / f"{name}.toml", sets), claim, **options)


PROVED = [
    ("unbounded-partition", "max(eps[i])", "yes"),
    ("unbounded-partition", "sum(eps[i])", "no"),
    ("bounded-partition-common", "max(eps[i] + eps[j])", "yes"),
    ("bounded-partition-common", "2*max(eps[i])", "no"),
    ("bounded-partition-common", "top(3, eps)", "no"),
    ("bounded-partition-common", "min(2*max(eps[i]), sum(eps[i]))", "no"),
    ("bounded-partition-common", "k*max(eps[i])", "no"),
    ("bounded-partition-common", "max(sqrt(mu[i]**2 + mu[j]**2))", "yes"),
    ("bounded-partition-common", "max(mu[i] + mu[j])", "no"),
    ("bounded-partition-common", "max(rho[i] + rho[j])", "yes"),
    ("bounded-partition-unbounded-parts", "2*max(eps[i])", "yes"),
    ("bounded-partition-unbounded-parts", "2*max(mu)", "yes"),
    ("bounded-partition-unbounded-parts", "4*max(rho)", "yes"),
    ("ambulances", "3*max(eps[i])", "no"),
    ("ambulances", "max(eps[i] + eps[j] + eps[l])", "yes"),
    ("ambulances", "max(eps[i] + eps[j]) + max(eps[i])", "no"),
    ("nested", "max(eps_mean[i] + eps_count[i]) + eps_all", "yes"),
    ("nested", "max(eps_mean) + max(eps_count) + eps_all", "no"),
    ("query-and-partition", "(eps0 + max(eps[i]), delta0 + max(delta[i]))", None),
    ("user-level-limited", "2*r*max(eps[i])", "no"),
    ("user-level-limited", "top(2*r, eps)", "yes"),
    ("user-level-limited", "r*top(2, eps)", "no"),
    ("user-level-limited", "sum(mu)", "no"),
    ("hundred-queries", "sum(mu)", "no"),
    ("user-level-limited", "2*top(r, eps)", "no"),
    ("user-level-limited", "top(r, eps) + r*max(eps[i])", "no"),
    ("user-level-limited", "r*max(eps[i]/2 + 2*eps[j])", "no"),
    ("user-level-limited", "3/2*top(r, rho) + r*max(rho[i])", "no"),
    ("w-event-each-step", "sum(eps)", "no"),
    ("w-event-each-step", "w*max(eps)", "no"),
    ("w-event-each-step", "(w*max(eps), w*max(delta))", "no"),
    ("w-event-each-step", "sqrt(w)*max(mu)", "no"),
    ("stream-w-event-windows", "w*max(eps)", "no"),
    ("sliding-windows-events", "top(3, eps)", None),
    ("stream-event-sliding", "L*max(rho)", "no"),
    ("strips", "2*max(eps)", "no"),
    ("levels-and-nodes", "h*max(eps)", "no"),
    ("tree-any-arity", "h*max(rho)", "no"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "claim", "tight"), PROVED)
def test_a_true_claim_is_proved(name: str, claim: str, tight: str | None) -> None:
    decision = decide(name, claim)
    assert decision.verdict == "proved"
    assert decision.counterexample is None
    if tight is not None:
        assert decision.tight == tight
    assert (decision.gap is not None) == (decision.tight == "no")


def test_a_proved_claim_is_a_theorem_of_the_kernel() -> None:
    decision = decide("bounded-partition-common", "2*max(eps[i])")
    assert decision.theorem is not None
    assert "is pure private: 2*max(eps[i]) between" in decision.theorem.statement.text()
    document = decision.as_json()
    assert document["trust"] == ["given", "smt"]
    assert document["gap"] == {
        "sizes": {"k": 1}, "parameters": {"eps": ["1"]}, "bound": "1", "claimed": "2",
    }  # fmt: skip


REFUTED = [
    # spec, claim, sizes, parameters, lost, claimed, records in D and D'
    ("bounded-partition", "max(eps[i])", {"k": 2}, {"eps": ["1", "1"]}, "inf", "1", 2),
    ("bounded-partition-common", "max(eps[i])", {"k": 2}, {"eps": ["1", "1"]}, "2", "1", 2),
    ("bounded-partition-common", "max(rho[i])", {"k": 2}, {"rho": ["1", "1"]}, "2", "1", 2),
    ("bounded-partition-common", "max(mu[i])", {"k": 2}, {"mu": ["1", "1"]}, "sqrt(2)", "1", 2),
    ("bounded-partition-unbounded-parts", "sum(eps[i])", {"k": 1}, {"eps": ["1"]}, "2", "1", 2),
    ("ambulances", "max(eps[i] + eps[j])", {"k": 3}, {"eps": ["1", "1", "1"]}, "3", "2", 1),
    ("user-level-record-partition", "top(2, eps)", {"k": 3}, {"eps": ["1"] * 3}, "3", "2", 3),
    ("nested", "max(eps_mean) + eps_all", {"k": 1},
     {"eps_mean": ["1"], "eps_count": ["1"], "eps_all": "1"}, "3", "2", 1),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "claim", "sizes", "parameters", "lost", "claimed", "records"), REFUTED
)
def test_a_false_claim_is_refuted_smallest_first(
    name, claim, sizes, parameters, lost, claimed, records
) -> None:
    decision = decide(name, claim)
    assert decision.verdict == "refuted"
    found = decision.as_json()["counterexample"]
    assert (found["sizes"], found["parameters"]) == (sizes, parameters)
    assert (found["loss"], found["claimed"]) == (lost, claimed)
    assert sum(r["count"] for side in ("D", "D_prime") for r in found[side]) == records


def test_parallel_composition_of_bounded_counts() -> None:
    """GB24.II.9: one record each, two counts."""
    found = decide("bounded-partition", "max(eps[i])").as_json()["counterexample"]
    assert [len(found[side]) for side in ("D", "D_prime")] == [1, 1]
    assert [m["publishes"].startswith("the number of records") for m in found["mechanisms"]] == [
        True, True,
    ]  # fmt: skip
    assert found["probabilities"] == {"D": "1", "D_prime": "0"}


def test_distance_two_and_an_example_with_two_blocks() -> None:
    decision = decide("bounded-partition-unbounded-parts", "max(eps[i] + eps[j])")
    found = decision.as_json()
    assert found["counterexample"]["sizes"] == {"k": 1}
    assert [m["distance"] for m in found["counterexample"]["mechanisms"]] == [2]
    assert found["counterexample"]["ratio"] == "e^2"
    also = found["also"]
    assert (also["parameters"], also["loss"], also["claimed"]) == ({"eps": ["2", "1"]}, "4", "3")


def test_tables_event_and_probabilities_are_exact() -> None:
    found = decide("bounded-partition-unbounded-parts", "max(eps[i])").as_json()["counterexample"]
    (mechanism,) = found["mechanisms"]
    assert mechanism["table"] == [
        ["1/2", "1/2"], ["1 - 1/2*e^-1", "1/2*e^-1"], ["1 - 1/2*e^-2", "1/2*e^-2"],
    ]  # fmt: skip
    assert found["event"] == [[1]]
    assert found["probabilities"] == {"D": "1/2", "D_prime": "1/2*e^-2"}


def test_a_pair_is_refuted_by_the_delta_at_its_epsilon() -> None:
    decision = decide("bounded-partition-common", "(max(eps[i]), max(delta[i]))")
    assert decision.verdict == "refuted"
    found = decision.as_json()["counterexample"]
    assert found["sizes"] == {"k": 2}
    assert all(len(m["table"][0]) == 4 for m in found["mechanisms"])


def test_a_pair_between_the_sum_and_the_best_delta() -> None:
    """Two (0, 1/10)-DP parts: the sum of the deltas is 1/5, the best delta 19/100."""
    sets = ("eps=[0, 0]", "delta=[1/10, 1/10]")
    assert decide("bounded-partition-common", "(0, 0.191)", *sets).verdict == "proved"
    assert decide("bounded-partition-common", "(0, 0.189)", *sets).verdict == "refuted"


def test_given_numbers_are_what_the_claim_is_about() -> None:
    small = decide("bounded-partition-common", "7", "eps=[4, 1, 2]", notion="pure")
    assert small.verdict == "proved"
    large = decide("bounded-partition-common", "5", "eps=[4, 1, 2]", notion="pure")
    assert large.verdict == "refuted"
    found = large.as_json()["counterexample"]
    assert (found["loss"], found["changed"]) == ("6", ["blocks 1", "blocks 3"])


def test_pure_parts_of_a_claim_about_another_notion() -> None:
    """Randomized response is what tells; a claim that holds is not refuted."""
    spec = dp.load_spec(EXAMPLES / "claims" / "gaussian-of-pure.toml")
    assert dp.refute(spec, "sqrt(sum(eps[i]**2))", notion="gaussian").verdict == "refuted"
    assert dp.refute(spec, "2*sum(eps[i])", notion="gaussian").verdict != "refuted"
    found = dp.refute(spec, "sum(eps[i]**2)/3", notion="zcdp").as_json()
    assert found["verdict"] == "refuted"
    assert "at D from those at D' fall to (e^1" in found["counterexample"]["identity"]
    assert dp.refute(spec, "sum(eps[i]**2)/2", notion="zcdp").verdict != "refuted"


COVER = """
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
[[map]]
name = "labels"
use = "cover"
m = 9
[[part]]
map = "labels"
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("claim", "verdict", "blocks"),
    [
        ("top(8, eps)", "refuted", 9),
        ("2*top(4, eps)", "refuted", 9),
        ("top(4, eps) + top(5, eps)", "proved", None),
        ("3*top(3, eps)", "proved", None),
    ],
)
def test_blocks_beyond_the_small_numbers(claim: str, verdict: str, blocks: int | None) -> None:
    decision = dp.refute(dp.load_spec(COVER), claim)
    assert decision.verdict == verdict
    if blocks is not None:
        assert decision.counterexample.sizes == {"k": blocks}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("m", "claim"),
    [
        (3, "2*max(mu[i] + mu[j])"),
        (2, "sqrt(4*max(mu[i]**2 + mu[j]**2)) + max(mu)"),
        (2, "3/2*sqrt(max(4*max(mu[i]**2 + mu[j]**2), 5*max(mu[i]**2))) + max(mu)"),
    ],
)
def test_claims_with_roots(m: int, claim: str) -> None:
    """A replaced record changes two counts in each of at most m blocks."""
    text = COVER.replace('"unbounded"', '"bounded"').replace("m = 9", f"m = {m}")
    spec = dp.load_spec(text + 'granularity = "unbounded"\n')
    assert dp.refute(spec, claim).verdict == "proved"


@pytest.mark.parametrize("k", [9, 40])
def test_a_false_claim_about_many_blocks(k: int) -> None:
    decision = decide("ambulances", "top(2, eps)", f"k={k}")
    assert (decision.verdict, decision.counterexample.sizes) == ("refuted", {"k": k})


def two_maps(second: str, reads: str) -> str:
    return f"""
granularity = "unbounded"
[domain]
attributes = {{ id = "Record", vip = "bool" }}
[[map]]
name = "a"
use = "partition"
[[map]]
name = "b"
{second}
[[part]]
name = "p"
map = "a"
guarantee = {{ pure = "x" }}
[[part]]
name = "q"
map = {reads}
guarantee = {{ pure = "y" }}
"""


def test_blocks_of_two_maps_are_tied_only_in_the_claim() -> None:
    """A record is in block i of one map and in block j of the other one."""
    spec = dp.load_spec(two_maps('use = "partition"', '"b"'))
    false = dp.refute(spec, "max(x[i] + y[i])")
    assert false.verdict == "refuted"
    assert set(false.as_json()["counterexample"]["changed"]) == {"a 1", "b 2"}
    assert dp.refute(spec, "max(x) + max(y)").tight == "yes"
    assert dp.refute(spec, "max(x) + 2*max(y[i])").tight == "no"


def test_blocks_that_are_tied_by_the_maps_make_no_bound_tight() -> None:
    """A record that changes block i of the map changes block i of what is left of it: the sum of
    two maxima is a bound, and max(x[i] + y[i]) is the exact one.
    """
    spec = dp.load_spec(two_maps('use = "filter"\nkeep = "vip(c)"', '["a", "b"]'))
    (bound,) = spec.derive().bounds
    assert (bound.text, bound.tight) == ("max(x[i]) + max(y[i])", "unknown")
    assert dp.refute(spec, "max(x) + max(y)").tight == "unknown"
    assert dp.refute(spec, "max(x[i] + y[i])").verdict != "refuted"


def test_a_size_of_which_there_was_no_time_to_ask_is_no_bad_input() -> None:
    text = COVER.replace("[[map]]", 'symbols = { w = "w >= 1" }\n[[map]]', 1)
    spec = dp.load_spec(text)
    claim, found = read_claim("w*top(9, eps)", spec.problem), spec.derive()
    with limited() as limits:
        limits.budget.stopped = True
        told = decided(spec, claim, found)
    assert (told.verdict, told.reason) == (
        "unknown", "whether 'w' is at least 1 was not decided, since it was interrupted",
    )  # fmt: skip
    assert decided(spec, claim, found).verdict == "proved"


@pytest.mark.in_turn
def test_a_size_that_may_be_0_is_no_factor() -> None:
    text = COVER.replace("[[map]]", 'symbols = { w = "w >= 0" }\n[[map]]', 1)
    with pytest.raises(dp.InputError, match="'w >= 1'"):
        dp.refute(dp.load_spec(text), "w*top(9, eps)")
    assert dp.refute(dp.load_spec(text, ["w=2"]), "w*top(9, eps)").verdict == "proved"


def test_given_sizes_are_what_the_claim_is_about() -> None:
    assert decide("ambulances", "top(2, eps)", "k=2").verdict == "proved"
    assert decide("ambulances", "top(2, eps)", "k=3").verdict == "refuted"


def test_no_neighbours_make_every_claim_vacuous() -> None:
    assert decide("fixed-size-unbounded", "0", notion="pure").verdict == "vacuous"


def test_neither_proved_nor_refuted_is_unknown_with_a_reason() -> None:
    decision = decide("user-level-limited", "r*top(2, mu)")
    assert decision.verdict == "unknown"
    assert decision.reason


def test_a_guarantee_that_a_part_does_not_have_is_unknown() -> None:
    spec = dp.load_spec(
        """
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
[[part]]
map = "partition"
guarantee = { zcdp = "rho" }
"""
    )
    assert dp.refute(spec, "5", notion="pure").verdict == "unknown"


def test_the_checker_refuses_what_does_not_refute() -> None:
    data = dict(decide("bounded-partition-common", "max(eps[i])").counterexample.data)
    standalone.confirm(data)
    for change in (
        {"D_prime": data["D"]},
        {"claim": [[{"op": "Num", "value": "2"}]]},
        {"values": {"eps": [[[1], "1"], [[2], "0"]]}},
        {"event": [[0, 0]]},
        {"event": [[1, 1], [1, 1]]},
        {"parts": data["parts"][:1]},
        {"parts": [{**p, "distance": 2} for p in data["parts"]]},
        {"domain": {**data["domain"], "size": [["eq", ["size", "D"], ["int", 7]]]}},
    ):
        with pytest.raises(standalone.FailedError):
            standalone.confirm({**data, **change})


BAD = [
    ("max(eps[i]", "cannot read"),
    ("max(epz[i])", "did you mean 'eps'"),
    ("eps[i]", "max(eps[i]) or sum(eps[i])"),
    ("eps", "max(eps[i]), sum(eps[i])"),
    ("max(eps[i] - eps[j])", "nothing is subtracted"),
    ("sum(eps) - max(eps)", "nothing is subtracted"),
    ("top(k - 1, eps)", "nothing is subtracted"),
    ("1/2 - 2", "nothing is subtracted"),
    ("-eps", "not negative"),
    ("max(eps[i]*eps[j])", "different blocks"),
    ("max(eps[1])", "named by letters: max(eps[i])"),
    ("eps[1] + 2*eps[3]", "named by letters: max(eps[i] + 2*eps[j])"),
    ("max(eps[i] + eps[i+1])", "named by letters"),
    ("max(eps[i, j])", "has 1 indices"),
    ("max(eps[i] + rho[i])", "mixes parameters of different notions"),
    ("max(delta[i])", "claim a pair"),
    ("3", "--notion"),
    ("", "is empty"),
    ("(1, 2, 3)", "a pair"),
    ("top(3/2, eps)", "not a whole number"),
    ("top(k/2, eps)", "not a whole number"),
    ("max(eps[i])/0", "not a number to divide by"),
    ("max(eps[i])/k", "not a number to divide by"),
    ("1e999999999", "exponent"),
    ("(((1 + max(eps[i]))**8)**8)**8", "400 terms"),
    ("max(((1 + eps[i])**8)**8)", "400 terms"),
    ("(min(1, 2, 3, 4)**8)**8", "64 combinations"),
    ("exp()", "'exp' is written exp(eps)"),
    ("max(exp(eps[i] + eps[j]))", "about several blocks"),
    ("max(exp(exp(eps[i])))", "neither exp nor growth"),
    ("max(eps[i])/exp(1)", "not a number to divide by"),
    ("exp(max(eps[i])) - 1", "nothing is subtracted"),
    ("log(eps)", "unknown function 'log'"),
    ("__import__('os')", "unknown function"),
    ("eps.real", "not part of a claim"),
    ("[1 for i in eps]", "not part of a claim"),
    ("max(eps[i])**-1", "a power is a whole number"),
    ("(" * 300 + "1" + ")" * 300, "claim"),
]


TWO_INDICES = """
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
[[map]]
name = "rows"
use = "partition"
[[map]]
name = "three"
member = "h(c) == j"
functions = { h = [["cell"], "int"] }
index = { j = 3 }
[[map]]
name = "both"
member = "g(c) == a and f(c) == b"
functions = { f = [["cell"], "int"], g = [["cell"], "int"] }
index = { a = "k", b = "n" }
[[part]]
name = "p"
map = "rows"
guarantee = { pure = "x" }
[[part]]
name = "q"
map = "three"
guarantee = { pure = "y" }
[[part]]
name = "r"
map = "both"
guarantee = { pure = "z" }
"""


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("max(x[i] + y[i])", "different numbers of blocks, k and 3"),
        ("max(z[i, j] + z[i, l])", "the letter 'i' stands in different indices"),
        ("max(x[i] + z[i, j])", "the letter 'i' stands in different indices"),
        ("max(z[i, i])", "different letters"),
        ("sum(z[i, i])", "different letters"),
    ],
)
def test_blocks_that_a_claim_cannot_tie_together_are_told(claim: str, said: str) -> None:
    with pytest.raises(dp.InputError, match="claim") as error:
        dp.refute(dp.load_spec(TWO_INDICES), claim)
    assert said in str(error.value)


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "sets", "verdict", "tight"), [
    ("exp(0)*max(eps[i])", (), "proved", "yes"),
    ("exp(1/3)*exp(2/3)*max(eps[i])", (), "proved", "no"),
    ("max(exp(eps[i]))", (), "proved", "no"),
    ("exp(max(eps[i]))/3", (), "refuted", "unknown"),
    ("exp(7/10)", ("k=1", "eps=[2]"), "proved", "no"),
    ("exp(69/100)", ("k=1", "eps=[2]"), "refuted", "unknown"),
    ("exp(1000000)", ("k=1", "eps=[2]"), "unknown", "unknown"),
])  # fmt: skip
def test_powers_of_e(claim: str, sets: tuple[str, ...], verdict: str, tight: str) -> None:
    decision = decide("unbounded-partition", claim, *sets, notion="pure")
    assert (decision.verdict, decision.tight) == (verdict, tight)


@pytest.mark.in_turn
def test_powers_of_e_are_compared_as_closely_as_it_takes() -> None:
    """The numbers are ln 2 with the 42nd place rounded down, and up."""
    low = "0.693147180559945309417232121458176568075500"
    for exponent, verdict in ((low[:-2], "refuted"), (low[:-3] + "6", "proved")):
        decision = decide(
            "unbounded-partition", f"exp({exponent})", "k=1", "eps=[2]", notion="pure"
        )
        assert decision.verdict == verdict


def test_numbers_are_subtracted_from_numbers() -> None:
    decision = decide("bounded-partition-common", "max((5 - 1)/2*eps[i])")
    assert (decision.verdict, decision.tight) == ("proved", "no")


@pytest.mark.parametrize(("claim", "said"), BAD)
def test_a_bad_claim_is_told(claim: str, said: str) -> None:
    with pytest.raises(dp.InputError, match="claim") as error:
        decide("bounded-partition-common", claim)
    assert said in str(error.value)


WINDOWS = {
    "w-event-each-step": ("6", "11/2", {"w": 2, "k": 4, "eps": [5, 1, 1, 5]}),
    "w-event-days-of-events": ("11", "10", {"k": 3, "eps": [1, 2, 3]}),
    "w-event-days-of-records": ("12", "11", {"w": 2, "a": 1, "k": 2, "eps": [1, 3]}),
    "levels-and-nodes": ("9", "8", {"h": 2, "k": 3, "eps": [[1, 5, 2], [4, 0, 3]]}),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", WINDOWS)
def test_claims_where_the_number_of_a_block_tells_what_changes(name: str) -> None:
    """What no neighbours change together is not taken for a loss, and what they do is one."""
    true, false, numbers = WINDOWS[name]
    spec = dp.load_spec(EXAMPLES / f"{name}.toml").subs(**numbers)
    assert dp.refute(spec, true, notion="pure").verdict == "proved"
    found = dp.refute(spec, false, notion="pure")
    assert found.verdict == "refuted"
    assert found.counterexample is not None


def test_distances_that_differ_from_block_to_block_in_claims_for_all_numbers() -> None:
    spec = dp.load_spec(EXAMPLES / "w-event-days-of-events.toml")
    found = dp.refute(spec, "3*max(eps)")
    assert found.verdict == "refuted"
    data = found.counterexample.as_json()
    assert len(data["parameters"]["eps"]) == data["sizes"]["k"]
    assert dp.refute(spec, "max(mu)", notion="gaussian").verdict == "refuted"


DAYS = """
[domain]
attributes = { id = "Record", day = "int" }
symbols = { gap = "gap >= %d" }
[granularity]
name = "days"
[[granularity.edit]]
params = { t = "int" }
frame = "t <= day(c) and day(c) + gap < t + 4"
[[map]]
name = "steps"
index = { i = "k" }
member = "day(c) == i"
[[part]]
name = "p"
map = "steps"
guarantee = { pure = "eps" }
[part.granularity]
name = "one-day"
[[part.granularity.edit]]
params = { t = "int" }
frame = "day(c) == t"
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(("least", "verdict"), [(0, "unknown"), (1, "proved")])
def test_sizes_that_can_be_less_than_1_are_not_taken_for_larger(least, verdict):
    """With no gap four days change, though three at most where the gap is 1 or more."""
    assert dp.refute(DAYS % least, "3*max(eps[i])").verdict == verdict
    assert dp.refute(DAYS % least, "sum(eps)").verdict == "proved"


ONE_WAY = """
[domain]
attributes = { id = "Record" }
[granularity]
use = "unbounded"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "p"
map = "all"
guarantee = { pure = "eps" }
[part.granularity]
name = "one way"
directed = true
[[part.granularity.edit]]
params = %s
"""
REPLACED = (
    ONE_WAY
    % """{ x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y"
change = { x = "-1", y = "1" }"""
)
ADDED = (
    ONE_WAY
    % """{ x = "cell" }
change = { x = "1" }"""
)


def test_a_count_that_no_edit_changes_refutes_whichever_way_edits_lead():
    found = dp.refute(REPLACED, "5*eps")
    assert found.verdict == "refuted"
    (mechanism,) = found.counterexample.as_json()["mechanisms"]
    assert mechanism["distance"] == "inf"


def test_a_way_that_leads_back_is_no_such_count():
    assert dp.refute(ADDED, "5*eps").verdict == "unknown"
