"""The numbers that a user gives: which are refused, with which words, and where they stand."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers import columns
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.columns import Numbers, ParameterTable
from dpcomp_sym.profile import MapInfo, PartInfo
from tests.notions.rows import COVER, FAMILY, PAIRS, WHOLE, bounds, group, profile, with_single

F = Fraction
CELLS = profile((group(1, 1),), maps=(MapInfo("p", (("i", "k"), ("j", 3)), exchangeable=True),))


def test_one_number_stands_for_all_blocks():
    assert Numbers(2).listed(3) == [2, 2, 2]
    assert Numbers(None, [1, 2]).listed(3) == [1, 2]
    for endless in (Numbers(math.inf), Numbers(None, [1, math.inf])):
        assert endless.infinite()
    for known in (Numbers(2), Numbers(None, [1, 2]), Numbers(None, Column.of([F(1)]))):
        assert not known.infinite()


def test_the_number_of_a_block():
    """The last index is the fastest."""
    items = [10 * i + j for i in range(1, 5) for j in range(1, 4)]
    table = ParameterTable.plain({("eps", ("k", 3)): items, ("a", ("k", 3)): 7})
    for i in range(1, 5):
        for j in range(1, 4):
            assert table.number("eps", ("k", 3), (i, j), {"k": 4}) == 10 * i + j
            assert table.number("a", ("k", 3), (i, j), {}) == 7
    with pytest.raises(InputError, match="the size 'k' has no value"):
        columns.size_of("k", {})
    with pytest.raises(InputError, match="the parameter 'mu' has no value"):
        table.column("mu", ("k", 3))


def test_names_of_parameters():
    """Of all guarantees, or of those of one notion; with those of points of curves."""
    both = with_single()
    names = ["eps0", "eps", "delta0", "delta", "rho0", "rho", "mu0", "mu"]
    assert sorted(columns.parameter_names(both)) == sorted(
        (n, int(n.startswith("delta"))) for n in names
    )
    assert columns.parameter_names(both, "zcdp") == [("rho0", 0), ("rho", 0)]
    parts = (
        PartInfo("m", "p", (("zcdp", ("rho",)),)),
        PartInfo("q", "w", (("approximate", ("eps", F(1, 9))),)),
    )
    here = profile((group(1, 1), group(1, 1, "q", "w")), maps=(WHOLE, FAMILY), parts=parts)
    assert columns.parameter_names(here) == [("rho", 0), ("eps", 0), ("delta_m", 1)]
    assert columns.parameter_names(here, "approximate") == [("eps", 0), ("delta_m", 1)]
    assert columns.parameter_names(here, "zcdp") == [("rho", 0)]


def test_sizes_are_read_off_lists():
    assert columns.infer_sizes(PAIRS, {"eps": [1, 2, 4]}) == {"k": 3}
    assert columns.infer_sizes(PAIRS, {"eps": 1}) == {}
    assert columns.infer_sizes(PAIRS, {"eps": []}) == {}
    assert columns.infer_sizes(PAIRS, {"eps": [1, 2], "delta": [0, 0, 0]}) == {"k": 2}
    assert columns.infer_sizes(PAIRS, {"eps": [1, 2]}, {"k": 5}) == {"k": 5}
    assert columns.infer_sizes(CELLS, {"eps": [[1, 2, 3]] * 2}) == {"k": 2}
    assert columns.infer_sizes(COVER, {}, {"m": 0, "k": 1}) == {"m": 0, "k": 1}
    for wrong in (2.0, True, F(2), "2"):
        with pytest.raises(InputError, match=f"m = {wrong}: a symbol is a whole number"):
            columns.infer_sizes(COVER, {}, {"m": wrong})
    for wrong in (0, -1):
        with pytest.raises(InputError, match=f"k = {wrong}: a size is a positive integer"):
            columns.infer_sizes(COVER, {}, {"k": wrong})


NEGATIVE, ABOVE = "a parameter of privacy is not negative", "a delta is a probability"
CHECKED = [
    ([1, -2], 0, r"eps\[2\] = -2: " + NEGATIVE), (-2, 0, "eps = -2: " + NEGATIVE),
    ([[0, 1], [2, -1]], 0, r"eps\[2\]\[2\] = -1: " + NEGATIVE),
    (F(-1, 3), 0, "eps = -1/3: " + NEGATIVE), (-0.5, 0, "eps = -0.5: " + NEGATIVE),
    (1.5, 1, "eps = 1.5: " + ABOVE), (F(4, 3), 1, "eps = 4/3: " + ABOVE),
    (math.nan, 0, "eps = nan: not a number"), (Decimal("NaN"), 0, "eps = nan: not a number"),
    ("1", 0, r"eps holds '1' \(text\)"), (True, 0, "eps holds True: a parameter"),
    ({1: 2}, 0, r"eps holds \{1: 2\}: a parameter"), (None, 0, "eps holds None: a parameter"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "slot", "message"), CHECKED)
def test_what_no_parameter_can_be(value, slot, message):
    with pytest.raises(InputError, match=message):
        columns.check_value(value, "eps", slot)


def test_what_a_parameter_can_be():
    for value in (0, 1, 0.0, F(7, 3), [1, [2, 3]], math.inf, Decimal("1.5"), Decimal("Infinity")):
        columns.check_value(value, "eps", 0)
    for value in (0, 1, 0.5, F(1), [0, F(1, 2), 1.0]):
        columns.check_value(value, "delta", 1)


LISTED = {
    "integers": ([0, -2, 3], [1, 5, 1]),
    "fractions": ([F(0), F(-2), F(3)], [F(1), F(5), F(1)]),
    "a column": (Column.of([F(0), F(-2), F(3)]), Column.of([F(1), F(5), F(1)])),
    "floats and fractions": ([0.0, F(-2), 3], [1.0, F(5), 1]),
    "fractions and integers": ([F(1, 2), -2, 0], [F(1, 2), 5, 1]),
    "floats": ([0.0, -2.0, 3.0], [1.0, 5.0, 1.0]),
    "decimals": ([Decimal(0), Decimal(-2), Decimal(3)], [Decimal(1), Decimal(5), Decimal(1)]),
}


@pytest.mark.parametrize("kind", LISTED)
def test_lists_are_refused_for_their_first_bad_number(kind):
    """Below 0, and of deltas above 1; of an epsilon 5 is no bad number."""
    low, high = LISTED[kind]
    good = [F(0), F(1, 2), F(1)]
    right = {"eps": high, "delta": Column.of(good) if kind == "a column" else good}
    (found,) = (b for b in bounds(PAIRS, right) if b.notion == "approximate")
    assert found.infinite  # the two largest of delta are more than 1
    with pytest.raises(InputError, match=rf"eps\[2\] = -2(\.0)?: {NEGATIVE}"):
        bounds(PAIRS, {**right, "eps": low})
    with pytest.raises(InputError, match=rf"delta\[2\] = 5(\.0)?: {ABOVE}"):
        bounds(PAIRS, {**right, "delta": high})


def test_a_delta_just_above_1_is_refused_in_a_column():
    with pytest.raises(InputError, match=rf"delta\[2\] = 3/2: {ABOVE}"):
        bounds(PAIRS, {"eps": [1, 1], "delta": Column.of([F(0), F(3, 2)])})


def test_lists_have_the_shape_of_blocks():
    rows = [[1, 2, 3], [4, 5, F(1, 2)]]
    refused = {
        r"eps has 2 values, but k = 3: give one value for each i": (rows, {"k": 3}),
        r"eps\[1\] is a single number, but eps has the indices i, j: give a list of lists": (
            [1, 2], {"k": 2}),
        r"eps has 1 value, but 3 blocks: give one value for each j": ([[1], [2]], {"k": 2}),
        r"eps\[2\] is a list; give one number": ([[1, [2], 3], [1, 2, 3]], {"k": 2}),
        r"eps\[3\] holds '3' \(text\)": ([[1, 2, "3"], [1, 2, 3]], {"k": 2}),
    }  # fmt: skip
    for message, (value, sizes) in refused.items():
        with pytest.raises(InputError, match=message):
            bounds(CELLS, {"eps": value}, sizes)
    assert bounds(CELLS, {"eps": rows})[0].value == 5


def test_decimals_are_exact_and_endless_ones_are_no_guarantee():
    (pure, *_) = bounds(PAIRS, {"eps": [Decimal("0.1"), Decimal("0.2")]})
    assert pure.exact == "3/10"
    (pure, *_) = bounds(PAIRS, {"eps": [Decimal("Infinity"), Decimal(1)]})
    assert pure.infinite
    assert bounds(PAIRS, {"eps": [1.5, 10**400]})[0].infinite
    mixed = [1, F(1, 2), 0.25]
    (pure, *_) = bounds(PAIRS, {"eps": mixed})
    assert pure.value == 1.5
