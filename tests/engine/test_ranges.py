"""Small numbers of a symbol are cases of their own where less happens than for all numbers."""

from dataclasses import replace
from pathlib import Path

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.profiler import profile_with_facts
from dpcomp_sym.engine.ranges import Piece, shown_for_small
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.profile import Interval, KRange
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec
from tests.shares import shared

pytestmark = pytest.mark.in_turn

EXAMPLES = Path(__file__).parents[2] / "examples"
NEAR = """
[domain]
attributes = {{ hospital = "Hospital", day = "int" }}
symbols = {{ {symbols} }}
[granularity]
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= 1 and x != y and {guard}"
change = {{ x = -1, y = 1 }}
[[map]]
name = "hospitals"
use = "partition"
[[part]]
name = "p"
map = "hospitals"
guarantee = {{ pure = "eps" }}
[part.granularity]
[[part.granularity.edit]]
params = {{ x = "cell" }}
change = {{ x = 1 }}
[[part.granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "x != y and day(x) == day(y)"
change = {{ x = -1, y = 1 }}
"""
ONE_SYMBOL = NEAR.format(symbols='w = "w >= 1"', guard="abs(day(x) - day(y)) < w")


def pure(text, **numbers):
    problem = load_spec(text).problem.at(numbers)
    found = derive(problem)
    return found, found.bounds[0]


def ranges_of(text):
    profile, facts = profile_with_facts(Structure(load_spec(text).problem))
    symbols = [[r for r in c.ranges if r.symbol != "k"] for c in profile.cases]
    return symbols, profile, facts


def test_a_distance_inside_a_block_is_less_for_a_single_day():
    """A record moves by fewer than w days; inside a block that is one edit only on one day."""
    found, bound = pure(ONE_SYMBOL)
    assert bound.text == "sum of the 2 largest eps[i] for w = 1; 2*max(eps[i]) for w >= 2"
    assert (bound.tight, bound.tight_note) == ("yes", "")
    text = as_text(certificate(found.theorems, found))
    said = verify(read(text.encode())).text()
    assert said.startswith("verified")
    assert "in a block with exactly x, y, for w = 1" in " ".join(said.split())


@pytest.mark.in_turn
@pytest.mark.parametrize(("w", "said"), [(1, "sum of the 2 largest eps[i]"), (2, "2*max(eps[i])"),
                                         (5, "2*max(eps[i])")])  # fmt: skip
def test_with_numbers_the_same_is_found(w, said):
    _, bound = pure(ONE_SYMBOL, w=w)
    assert (bound.text, bound.tight) == (said, "yes")


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("abs(day(x) - day(y)) + 2 < w", [[KRange("w", 1, 3)], [KRange("w", 4)]]),
        ("abs(day(x) - day(y)) <= w", [[]]),
        ("day(x) == day(y) and w >= 1", [[]]),
    ],
)
def test_numbers_of_which_the_same_is_found_are_one_case(guard, expected):
    """For w <= 2 the first one has no neighbours at all."""
    symbols, profile, _ = ranges_of(NEAR.format(symbols='w = "w >= 3"', guard=guard))
    assert symbols == expected
    assert profile.exact


@pytest.mark.parametrize(
    ("most", "expected"),
    shared(1, [
        ("max(v, w)", [{"v": (1, 1), "w": (1, 1)}, {"v": (1, 1), "w": (2, None)},
                       {"v": (2, None)}]),
        ("v*w", [{"v": (1, 1), "w": (1, 1)}, {"v": (1, 1), "w": (2, None)}, {"v": (2, None)}]),
        ("min(v, w)", [{"v": (1, 1)}, {"v": (2, None), "w": (1, 1)},
                       {"v": (2, None), "w": (2, None)}]),
    ]),
)  # fmt: skip
def test_several_symbols_are_set_apart_one_after_the_other(most, expected):
    known = 'v = "v >= 1", w = "w >= 1"'
    text = NEAR.format(symbols=known, guard=f"abs(day(x) - day(y)) < {most}")
    symbols, profile, facts = ranges_of(text)
    other = {"v": "w", "w": "v"}  # either symbol may be the first
    mirrored = [{other[s]: numbers for s, numbers in one.items()} for one in expected]
    found = [{r.symbol: (r.low, r.high) for r in s} for s in symbols]
    assert found in (expected, mirrored)
    assert profile.exact
    for case, ranges in zip(profile.cases, symbols, strict=True):
        assert set(facts.of(case.ranges).ranges) <= set(ranges)
    found, bound = pure(text)
    assert bound.tight == "yes"
    assert verify(read(as_text(certificate(found.theorems, found)).encode()))


RARE = """
[domain]
attributes = {{ id = "Record" }}
symbols = {{ s = "s >= 1" }}
{class_}
[granularity]
[[granularity.edit]]
params = {{ x = "cell" }}
change = {{ x = 1 }}
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= s and x != y"
change = {{ x = -1, y = 1 }}
[[map]]
name = "blocks"
use = "partition"
[[part]]
name = "p"
map = "blocks"
setting = "common"
guarantee = {{ pure = "eps" }}
"""


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("class_", "expected"),
    [
        ("cap = 1", "max(eps[i]) for s >= 2; sum of the 2 largest eps[i] for s = 1"),
        ("cap = 3", "max(eps[i]) for s >= 4; sum of the 2 largest eps[i] for 1 <= s <= 3"),
        ("", "sum of the 2 largest eps[i]"),
    ],
)
def test_large_numbers_are_set_apart_where_less_happens(class_, expected):
    """Where a cell holds at most one record, none is moved from a cell that holds two."""
    _, bound = pure(RARE.format(class_=class_))
    assert bound.text == expected
    assert bound.tight == "yes"


@pytest.mark.in_turn
def test_shared_distances_are_set_apart():
    """Of three days a person has at most m, so that blocks share min(m, 3) records."""
    _, bound = pure("""
[domain]
attributes = { user = "User", day = "int" }
symbols = { m = "m >= 1" }
cell = "1 <= day(c) and day(c) <= 3"
limits = [["user(c), day(c)", 1], ["user(c)", "m"]]
[granularity]
use = "user_presence"
owner = "user"
[[map]]
name = "blocks"
use = "partition"
[[part]]
name = "p"
map = "blocks"
granularity = "unbounded"
guarantee = { pure = "eps" }
""")
    assert bound.text == "max(eps[i]) for m = 1; 2*max(eps[i]) for m = 2; 3*max(eps[i]) for m >= 3"


@pytest.mark.parametrize("known", shared(1, ["w >= 0", "true", "w <= 3"]))
def test_symbols_that_may_be_0_have_no_cases(known):
    """Cases are about numbers from 1 on; with numbers the smaller bound is found all the same."""
    text = NEAR.format(symbols=f'w = "{known}"', guard="abs(day(x) - day(y)) < w")
    symbols, _, _ = ranges_of(text)
    assert symbols == [[]]
    assert pure(text)[1].text == "2*max(eps[i])"
    assert pure(text, w=1)[1].text == "sum of the 2 largest eps[i]"


@pytest.mark.parametrize(
    ("example", "note", "expected"),
    [
        (
            "values-in-steps",
            "",
            [({"s": 1}, "max(eps[i])"), ({"s": 2}, "2*max(eps[i])")],
        ),
        pytest.param(
            "foreign-keys",
            "",
            [
                ({"a": 1, "b": 2}, "eps_c + eps_o + 2*eps_i"),
                ({"a": 2, "b": 1}, "eps_c + 2*eps_o + 2*eps_i"),
                ({"a": 2, "b": 2}, "eps_c + 2*eps_o + 4*eps_i"),
            ],
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_is_attained_for_small_numbers_is_called_tight_for_these(example, note, expected):
    problem = load_spec(EXAMPLES / f"{example}.toml").problem
    general = derive(problem).bounds["pure"]
    assert (general.tight, general.tight_note) == ("yes", note)
    for numbers, text in expected:
        here = derive(problem.at(numbers)).bounds["pure"]
        assert (here.text, here.tight, here.tight_note) == (text, "yes", "")


@pytest.mark.long
def test_where_small_numbers_have_a_smaller_bound_it_is_not_called_tight_for_these():
    structure = Structure(load_spec(ONE_SYMBOL).problem)
    profile = profile_with_facts(structure)[0]
    of_all = tuple(r for r in profile.cases[-1].ranges if r.symbol != "w")
    large = replace(profile.cases[-1], ranges=of_all, attained=False)  # 2*max(eps[i])

    def found(one):
        here = structure.problem.within({"w": one.low} if one.low > 1 else {}, {"w": one.high})
        return Piece((one,), *profile_with_facts(Structure(here)))

    def shown(rest):
        general = replace(profile, cases=(large,), exact=False)
        case = shown_for_small(structure, general, rest, found).cases[0]
        return case.attained, case.shown

    assert shown(KRange("w")) == (False, ())
    assert shown(KRange("w", 2)) == (True, (Interval("w", 2, 3),))
