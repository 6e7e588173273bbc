"""Bounds of the usual examples, and all ways to get the input wrong."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcomp_sym.numbers import Bound
from dpcomp_sym.numbers.exact import path_rho
from dpcomp_sym.profile import ALL, INFINITY, Case, Group, KRange, MapInfo, PartInfo, Symbolic
from dpcomp_sym.statements import Num
from tests.notions.rows import (
    COVER,
    EVERYTHING,
    FOUR,
    HOSPITALS,
    PAIRS,
    SPLIT,
    TWICE,
    UNBOUNDED,
    VACUOUS,
    bounds,
    group,
    profile,
    with_single,
)

F = Fraction
FIVE = {"eps": [1, 2, 3, 4, 5]}


def texts(p):
    return [b.text for b in bounds(p)]


def only(p, notion, values=None, sizes=None):
    return next(b for b in bounds(p, values, sizes) if b.notion == notion)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (UNBOUNDED, ["max(eps[i])", "(max(eps[i]), max(delta[i]))", "max(rho[i])", "max(mu[i])"]),
        (
            PAIRS,
            [
                "sum of the 2 largest eps[i]",
                "(sum of the 2 largest eps[i], sum of the 2 largest delta[i])",
                "sum of the 2 largest rho[i]",
                "sqrt(sum of the 2 largest mu[i]^2)",
            ],
        ),
        (
            TWICE,
            [
                "2*max(eps[i])",
                "(2*max(eps[i]), max(delta[i]*growth(eps[i], 2)))",
                "4*max(rho[i])",
                "2*max(mu[i])",
            ],
        ),
        (
            HOSPITALS,
            [
                "sum of the 3 largest eps[i]",
                "(sum of the 3 largest eps[i], sum of the 3 largest delta[i])",
                "sum of the 3 largest rho[i]",
                "sqrt(sum of the 3 largest mu[i]^2)",
            ],
        ),
        (
            EVERYTHING,
            ["sum(eps[i])", "(sum(eps[i]), sum(delta[i]))", "sum(rho[i])", "sqrt(sum(mu[i]^2))"],
        ),
        (
            SPLIT,
            [
                "max(eps[i]) for k = 1; inf for k >= 2",
                "(max(eps[i]), max(delta[i])) for k = 1; inf for k >= 2",
                "max(rho[i]) for k = 1; inf for k >= 2",
                "max(mu[i]) for k = 1; inf for k >= 2",
            ],
        ),
        (
            with_single(),
            [
                "eps0 + max(eps[i])",
                "(eps0 + max(eps[i]), delta0 + max(delta[i]))",
                "rho0 + max(rho[i])",
                "sqrt(mu0^2 + max(mu[i]^2))",
            ],
        ),
    ],
)
def test_the_formulas(p, expected):
    assert texts(p) == expected


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("p", "text", "latex"),
    [
        (UNBOUNDED, "max(eps[i])", r"\max_{i} \varepsilon_i"),
        (TWICE, "2*max(eps[i])", r"2 \max_{i} \varepsilon_i"),
        (
            with_single("_fl"),
            "eps_fl + max(eps[i])",
            r"\varepsilon_{\mathrm{fl}} + \max_{i} \varepsilon_i",
        ),
        (with_single(), "eps0 + max(eps[i])", r"\varepsilon_{0} + \max_{i} \varepsilon_i"),
        (
            HOSPITALS,
            "sum of the 3 largest eps[i]",
            r"\sum_{j=1}^{\min(3, k)} \varepsilon_{(j)}",
        ),
        (
            COVER,
            "sum of the 2*m largest eps[i]",
            r"\sum_{j=1}^{\min(2 m, k)} \varepsilon_{(j)}",
        ),
        (
            profile((group(1, INFINITY),)),
            "inf (no guarantee)",
            r"\infty",
        ),
        (
            profile((group(1, 2), group(1, 1))),
            "max over i != j of (2*eps[i] + eps[j])",
            r"\max_{i \neq j} (2 \varepsilon_i + \varepsilon_j)",
        ),
        (
            profile((group(1, 2), group(ALL, 1))),
            "max over different blocks(1 of 2*eps[i]; all of eps[i])",
            (
                r"\max_{S_1, S_2\ \text{disjoint}, |S_1| \le 1} "
                r"\Bigl(\sum_{i \in S_1} 2 \varepsilon_i + \sum_{i \in S_2} \varepsilon_i\Bigr)"
            ),
        ),
        (profile((group(1, Symbolic("w")),)), "w*max(eps[i])", r"w \max_{i} \varepsilon_i"),
        (profile((group(3, 1),), (group(ALL, 1),)), "sum(eps[i])", None),
        (
            profile((group(Symbolic("m"), 1),), (group(Symbolic("m", 2), 1),)),
            "sum of the 2*m largest eps[i]",
            None,
        ),
        (
            profile((group(3, 1),), (group(1, 2),)),
            "max(sum of the 3 largest eps[i], 2*max(eps[i]))",
            None,
        ),
    ],
)
def test_pure_text_and_latex(p, text, latex):
    bound = only(p, "pure")
    assert bound.text == text
    if latex is not None:
        assert bound.latex == latex


def test_two_parts_on_one_map_and_several_indices():
    info = MapInfo("p", (("i", "k"), ("j", 3)), exchangeable=True)
    parts = (PartInfo("m", "p", FOUR), PartInfo("n", "p", (("pure", ("eta",)),)))
    both = replace(group(1, 1), distances=(("m", 1), ("n", 1)))
    (bound, *_) = bounds(profile((both,), parts=parts))
    assert bound.text == "max(eps[i] + eta[i])"
    cells = profile((group(2, 1),), maps=(info,))
    value = only(cells, "pure", {"eps": [[1, 2, 3], [4, 5, F(1, 2)]]})
    assert value.text == "sum of the 2 largest eps[i,j]"
    assert value.value == 9
    assert value.exact == "9"


def test_numbers_of_the_examples():
    numbers = {
        "unbounded": (UNBOUNDED, 5),
        "pairs": (PAIRS, 9),
        "twice": (TWICE, 10),
        "hospitals": (HOSPITALS, 12),
        "everything": (EVERYTHING, 15),
    }
    for p, expected in numbers.values():
        pure, approximate, zcdp, gaussian = bounds(p, FIVE, {"k": 5})
        assert pure.value == expected
        assert pure.exact == str(expected)
        assert (approximate.value, zcdp.value, gaussian.value) == (None, None, None)
    assert only(COVER, "pure", FIVE, {"m": 2}).value == 14
    assert only(SPLIT, "pure", FIVE).value is INFINITY
    assert only(SPLIT, "pure", {"eps": 3}, {"k": 1}).value == 3
    assert only(with_single(), "pure", {**FIVE, "eps0": F(1, 2)}).exact == "11/2"


def test_six_ambulances():
    p = profile((group(6, 1),), parts=(PartInfo("m", "p", FOUR[:2]),))
    bound = only(p, "approximate", {"eps": 1, "delta": F(1, 100_000)}, {"k": 10})
    assert bound.value == (6, F(6, 100_000))
    assert bound.pareto == ((6, F(6, 100_000)),)
    assert bound.exact == "(6, 3/50000)"
    assert bound.as_json()["value"] == [6, 6e-05]
    assert bound.tight == "no"


def test_pairs_keep_what_single_neighbours_need():
    bound = only(UNBOUNDED, "approximate", {"eps": [1, F(1, 2)], "delta": [0, F(3, 10)]})
    assert bound.value == (1, F(3, 10))
    assert bound.pareto == ((1, 0), (F(1, 2), F(3, 10)))
    assert bound.tight == "yes"
    assert "smallest δ" in bound.tight_note
    assert only(UNBOUNDED, "approximate").pareto == "(eps[i], delta[i]) for each i"


def test_delta_of_one_is_no_guarantee():
    bound = only(PAIRS, "approximate", {"eps": [1, 1], "delta": [0.5, 0.5]})
    assert bound.value is INFINITY
    assert bound.infinite
    assert bound.as_json()["value"] == "inf"
    assert bound.known


def test_irrational_values_stay_exact():
    assert only(PAIRS, "gaussian", {"mu": [1, 2, 1]}).exact == "sqrt(5)"
    assert only(PAIRS, "gaussian", {"mu": [3, 4, 1]}).exact == "5"
    bound = only(TWICE, "approximate", {"eps": [1], "delta": [F(1, 100)]})
    assert bound.exact == "(2, 1/100*(e^2 - 1)/(e^1 - 1))"
    assert bound.as_json()["value"] == [2, pytest.approx((1 + math.e) / 100)]


def test_tightness():
    assert {b.tight for b in bounds(PAIRS) if b.notion != "approximate"} == {"yes"}
    assert {b.tight for b in bounds(replace(PAIRS, exact=False))} == {"unknown"}
    assert only(TWICE, "approximate").tight == "unknown"
    assert only(profile((group(1, INFINITY),)), "approximate").tight == "yes"
    fixed = MapInfo("p", (("i", "k"),), exchangeable=False)
    assert only(profile((group(1, 1),), maps=(fixed,)), "pure").tight == "unknown"
    assert "N1" in only(PAIRS, "zcdp").by


def test_vacuous_is_never_zero():
    found = bounds(VACUOUS, FIVE)
    assert len(found) == 4
    for bound in found:
        assert bound.vacuous
        assert bound.value is None
        assert bound.text == "vacuous: there are no two different neighbouring databases"


def test_mixed_notions_meet_by_conversion():
    p = profile(
        (group(1, 2, "q", "w"), group(1, 1)),
        maps=(MapInfo("w", (), exchangeable=True), MapInfo("p", (("i", "k"),), exchangeable=True)),
        parts=(
            PartInfo("q", "w", (("pure", ("eps0",)),)),
            PartInfo("m", "p", (("gaussian", ("mu",)),)),
        ),
    )
    assert [b.notion for b in bounds(p)] == ["gaussian", "zcdp"]
    bound, zcdp = bounds(p, {"eps0": 1, "mu": [0, 1]})
    assert bound.text == "sqrt(path_mu(eps0, 2)^2 + max(mu[i]^2))"
    assert bound.exact == "sqrt(1 + path_mu(1, 2)^2)"
    assert bound.tight == "unknown"
    assert zcdp.text == "path_rho(eps0, 2) + 1/2*max(mu[i]^2)"
    assert zcdp.value == F(1, 2) + path_rho(F(1), 2)
    assert "gaussian_to_zcdp" in zcdp.by


def test_a_part_without_a_guarantee_leaves_no_bound():
    p = profile((group(1, 1),), parts=(PartInfo("m", "p", (("approximate", ("eps", "delta")),)),))
    assert [b.notion for b in bounds(p)] == ["approximate"]


def test_one_notion_is_not_converted():
    p = profile((group(1, 1),), parts=(PartInfo("m", "p", (("pure", ("eps",)),)),))
    assert [b.notion for b in bounds(p)] == ["pure"]


def test_what_is_not_found_is_not_excluded():
    """Without numbers, and with those of a case that is finite."""
    low, high = SPLIT.cases
    split = replace(SPLIT, cases=(low, replace(high, attained=False)), exact=False)
    for bound in (only(split, "pure"), only(split, "pure", FIVE)):
        assert (bound.infinite, bound.known, bound.tight) == (True, False, "unknown")
        assert bound.tight_note == "no finite guarantee was found, and none is excluded"
    shown = replace(split, cases=(low, replace(high, far=("m",))))
    assert only(shown, "pure").known
    assert only(shown, "pure", FIVE).tight == "yes"
    one = only(split, "pure", {"eps": 3}, {"k": 1})
    assert (one.value, one.infinite, one.known) == (3, False, True)
    assert one.tight_note == "the profile is an upper bound"
    exact = only(SPLIT, "pure", {"eps": 3}, {"k": 1})
    assert (exact.tight, exact.tight_note) == ("yes", "")
    halves = {"eps": [1, 1], "delta": [0.5, 0.5]}
    above = only(replace(PAIRS, exact=False), "approximate", halves)
    assert (above.infinite, above.known) == (True, False)
    for bound in (only(SPLIT, "pure"), only(SPLIT, "pure", FIVE)):
        assert (bound.infinite, bound.known, bound.tight) == (True, True, "yes")


def test_what_a_bound_is_unless_it_is_said():
    bound = Bound("pure", "epsilon", (Num(F(1)),), F(1), "1", None, "yes", ())
    assert (bound.text, bound.infinite, bound.known, bound.vacuous) == ("1", False, True, False)
    assert (bound.tight_note, bound.words, bound.unsettled, bound.elsewhere) == ("", None, (), ())


def test_json_is_json():
    for values in (None, {"eps": [1, F(1, 3)], "delta": [0, 1e-5], "mu": [1, 1], "rho": 2}):
        for bound in bounds(PAIRS, values):
            document = bound.as_json()
            json.dumps(document)
            assert list(document) == [
                "notion", "parameter", "text", "latex", "value", "exact", "pareto", "tight",
                "tight_note", "known", "by",
            ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "sizes", "message"),
    [
        ({"eps": [1, -2]}, {}, r"eps\[2\] = -2: a parameter of privacy is not negative"),
        ({"eps": -0.5}, {"k": 3}, "eps = -0.5: a parameter of privacy is not negative"),
        ({"eps": -0.5}, {}, "eps = -0.5: a parameter of privacy is not negative"),
        ({"eps": [1, math.nan]}, {}, r"eps\[2\] = nan: not a number"),
        ({"eps": 1, "delta": 2}, {"k": 3}, "delta = 2: a delta is a probability"),
        ({"eps": [1, 1], "delta": [F(1, 2), F(3, 2)]}, {}, r"delta\[2\] = 3/2: a delta"),
        ({"eps": [1, 2, 3, 4]}, {"k": 5}, "eps has 4 values, but k = 5"),
        ({"eps": [1, 2], "delta": [0, 0, 0]}, {}, "delta has 3 values, but k = 2"),
        ({"eps": ["a", 2]}, {}, r"eps\[1\] holds 'a' \(text\)"),
        ({"eps": True}, {"k": 1}, "eps holds True"),
        ({"eps": [[1], [2]]}, {}, r"eps\[1\] is a list; give one number"),
        ({"eps": 1}, {"k": 0}, "k = 0: a size is a positive integer"),
        ({"epz": 1}, {"k": 3}, "no part has a parameter 'epz'; did you mean 'eps'"),
        ({"delta": 0}, {"k": 3}, "the parameter 'eps' of part 'm' has no value"),
    ],
)
def test_bad_input(values, sizes, message):
    with pytest.raises(ValueError, match=message):
        bounds(UNBOUNDED, values, sizes)


def test_a_half_given_slot_is_an_error():
    with pytest.raises(ValueError, match="the parameter 'eps0' of part 'q' has no value"):
        bounds(with_single(), {"eps": [1, 2]})
    with pytest.raises(ValueError, match="single part 'q': one number, not a list"):
        bounds(with_single(), {"eps": [1, 2], "eps0": [1, 2]})


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "p", [UNBOUNDED, PAIRS, HOSPITALS, EVERYTHING, profile((group(2, 2), group(1, 1)))]
)
def test_a_million_blocks_are_fast(p):
    n = 10**6
    ints = list(range(n))
    values = {"eps": ints, "rho": [x / 7 for x in ints], "mu": ints}
    pure_parts = tuple(g for g in FOUR if g[0] != "approximate")
    p = replace(p, parts=(PartInfo("m", "p", pure_parts),))
    start = time.process_time()
    found = bounds(p, values)
    assert time.process_time() - start < 6
    assert all(bound.value is not None for bound in found)
    assert isinstance(found[0].value, int)


def test_a_size_given_by_the_case():
    low = Case((KRange("k", 1, 2),), ((group(ALL, 1),),), attained=True)
    high = Case((KRange("k", 3),), ((group(2, 1),),), attained=True)
    p = profile(cases=(low, high))
    assert only(p, "pure").text == (
        "sum(eps[i]) for 1 <= k <= 2; sum of the 2 largest eps[i] for k >= 3"
    )
    assert only(p, "pure", FIVE).value == 9


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ((group(ALL, 1),), ["max(eps[i])", "(max(eps[i]), max(delta[i]))", "max(mu[i])"]),
        ((group(2, 3),), ["3*max(eps[i])", None, "3*max(mu[i])"]),
        ((group(3, 1), group(2, 2)), ["2*max(eps[i])", None, "2*max(mu[i])"]),
    ],
)
def test_one_block_is_no_sum(vector, expected):
    alone = MapInfo("p", (("i", 1),), exchangeable=True)
    one = Case((KRange("k", 1, 1),), (vector,), attained=True)
    more = Case((KRange("k", 2),), ((group(1, 1),),), attained=True)
    for p in (profile(vector, maps=(alone,)), profile(cases=(one, more))):
        for notion, text in zip(("pure", "approximate", "gaussian"), expected, strict=True):
            bound = only(p, notion, {"eps": [2], "delta": [F(1, 9)], "mu": [3]})
            assert text is None or bound.text.split(" for k")[0] == text
            assert "sum" not in f"{bound.text} {only(p, notion).pareto}"


def test_importing_loads_no_sympy():
    import subprocess
    import sys

    script = "import sys, dpcomp_sym.numbers; print('sympy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_overflowing_deltas_are_no_guarantee():
    p = profile((group(2, 2), group(1, 1)))
    bound = only(p, "approximate", {"eps": [1000, 900, 800, 700], "delta": F(1, 10**9)})
    assert bound.value is INFINITY
    large = only(p, "approximate", {"eps": [900.0] * 4, "delta": 0})
    assert large.value == (4500, 0)


@pytest.mark.long
def test_many_blocks_with_different_distances():
    p = profile((group(2, 2), group(1, 1)))
    eps = [F(j % 97, 1000) for j in range(5000)]
    delta = [F(j % 89, 10**9) for j in range(5000)]
    bound = only(p, "approximate", {"eps": eps, "delta": delta})
    assert bound.exact is not None
    kept = [j for j in range(5000) if j % 97 > 90 and j % 89 > 84]
    few = only(p, "approximate", {"eps": [eps[j] for j in kept], "delta": [delta[j] for j in kept]})
    assert few.value[1] <= bound.value[1]


def _one_way(names, *, directed=True):
    parts = (PartInfo("m", "p", names, directed=directed),)
    return profile((group(1, INFINITY),), parts=parts)


@pytest.mark.parametrize(
    ("eps", "settled"),
    [(None, True), (1, True), (0, False), ([1, 2], True), ([1, 0], False), ([[1], [2]], True),
     ([[1], [0]], False)],
)  # fmt: skip
def test_what_is_seen_from_infinitely_far_one_way_may_be_private_the_other_way(eps, settled):
    """A mechanism with ε > 0 one way may lose everything the other way; one with 0 is constant."""
    p = _one_way((("pure", ("eps",)),))
    nested = isinstance(eps, list) and isinstance(eps[0], list)
    if nested:
        p = replace(p, maps=(MapInfo("p", (("i", "k"), ("j", "m")), exchangeable=True),))
    values = {} if eps is None else {"eps": eps}
    sizes = {"k": 2, "m": 1} if nested else {"k": 2}
    found = only(p, "pure", values, sizes)
    assert found.infinite
    assert found.known == settled
    assert found.tight == ("yes" if settled else "unknown")
    assert bool(found.unsettled) != settled


def test_a_gaussian_mechanism_one_way_is_one_the_other_way():
    one_way = only(_one_way((("gaussian", ("mu",)),)), "gaussian")
    assert (one_way.infinite, one_way.known, one_way.tight) == (True, False, "unknown")
    both_ways = only(_one_way((("gaussian", ("mu",)),), directed=False), "gaussian")
    assert (both_ways.infinite, both_ways.known, both_ways.tight) == (True, True, "yes")


def test_only_parts_that_see_what_is_infinitely_far_decide_whether_it_is_settled():
    far = PartInfo("m", "p", (("pure", ("eps",)),))
    near = PartInfo("d", "p", (("pure", ("eta",)),), directed=True)
    p = profile((Group("p", 1, (("m", INFINITY), ("d", 1))),), parts=(far, near))
    found = only(p, "pure", {"eps": 1, "eta": 0}, {"k": 2})
    assert (found.infinite, found.known, found.tight) == (True, True, "yes")
