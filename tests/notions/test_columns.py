"""Many exact numbers at once: what a column says is what the list of its numbers says."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers.assignment import largest_assignment
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.numbers.curves import gaussian_delta, zcdp_epsilon
from dpcomp_sym.numbers.single import Single, of_single_neighbours
from dpcomp_sym.numbers.sources import is_zero, sources, touched
from dpcomp_sym.profile import INFINITY, PartInfo, Symbolic
from dpcomp_sym.statements import BlockEntry, Choice, Expr, Inf, Num, Worst
from dpcomp_sym.statements import terms as t
from tests.notions.rows import FAMILY, FOUR, WHOLE, group, profile

mixed = st.lists(st.fractions(-5, 5, max_denominator=7), max_size=12)
halves = st.lists(st.integers(-9, 9).map(lambda n: F(2 * n + 1, 2)), max_size=12)
F = Fraction
EPS, DELTA = (BlockEntry(name, ("k",)) for name in ("eps", "delta"))


@given(mixed | halves)
def test_a_column_is_the_list_of_its_numbers(numbers):
    column = Column.of(numbers)
    assert list(column) == numbers == [column[n] for n in range(len(numbers))]
    assert (len(column), column, column[1:3]) == (len(numbers), numbers, numbers[1:3])
    assert column.floats() == list(map(float, numbers))
    assert list(column.squared()) == [x * x for x in numbers]


@given(mixed | halves, st.integers(0, 12))
def test_its_largest_numbers(numbers, n):
    assert Column.of(numbers).largest(n) == sorted(numbers, reverse=True)[:n]


@pytest.mark.parametrize("place", [0, 17, 99])
@pytest.mark.parametrize("rest", [F(1, 2), F(1, 3)])
def test_the_largest_of_many_is_found_wherever_it_is(place, rest):
    numbers = [F(n, 200) * rest for n in range(100)]
    numbers[place] = F(5)
    assert Column.of(numbers).largest(3) == sorted(numbers, reverse=True)[:3]


def test_numbers_that_are_larger_than_any_float_are_compared_exactly():
    numbers = [F(10**400, 3), F(10**400 + 1, 3), F(1, 2)]
    assert Column.of(numbers).largest(2) == [numbers[1], numbers[0]]


@given(mixed | halves, st.booleans())
def test_sums_by_denominator(numbers, squared):
    column = Column([x.numerator for x in numbers], [x.denominator for x in numbers])
    found = column.by_denominator(squared=squared)
    assert sum((F(top, bottom) for bottom, top in found.items()), F(0)) == sum(
        (x * x if squared else x for x in numbers), F(0)
    )
    bottoms = {x.denominator ** (2 if squared else 1) for x in numbers} or {1}
    assert found.keys() == bottoms
    assert squared or found == column.by_denominator()


@given(mixed | halves, st.integers(-2, 3))
def test_the_first_number_outside_of_a_range(numbers, end):
    column = Column.of(numbers)
    below = next((n for n, x in enumerate(numbers) if x < end), None)
    above = next((n for n, x in enumerate(numbers) if x > end), None)
    assert (column.first_below(end), column.first_above(end)) == (below, above)


def test_columns_are_compared_value_by_value():
    column = Column([1, 2], [2, 2])
    assert column == [F(1, 2), 1]
    assert column == Column([2, 3], [4, 3])
    for other in ([F(1, 2)], [F(1, 2), 1, 1], [F(1, 2), 2], [1, 1], "ab", ["x", "y"], F(1, 2)):
        assert column != other
    assert Column([], []) != ""
    assert Column([], []) == []
    assert hash(Column([1], [2])) == hash(Column([2], [4])) != hash(Column([1], [3]))
    assert hash(Column([], [])) == hash(Column([], []))


def test_the_first_numbers_are_shown():
    assert repr(Column(range(1, 7), [1] * 6)) == "Column(1, 2, 3, 4, 5, 6)"
    assert repr(Column(range(1, 8), [1] * 7)) == "Column(1, 2, 3, 4, 5, 6, … 7 numbers)"


def test_points_of_curves_with_floats_are_near_the_exact_ones():
    """Also where e^eps is larger than any float, and what it is taken times is not nothing."""
    assert (gaussian_delta(0.0, 1.0), gaussian_delta(2.0, math.inf)) == (0.0, 0.0)
    assert gaussian_delta(math.inf, 2.0) == 1.0
    for mu, eps in ((1.0, 0.5), (2.5, 3.0), (40.0, 601.0), (35.0, 700.0), (40.0, 1000)):
        exact = gaussian_delta(F(mu), F(eps))
        assert isinstance(gaussian_delta(mu, eps), float)
        assert gaussian_delta(mu, eps) == float(exact)
        assert float(exact) == pytest.approx(reference(mu, eps), rel=1e-12)


def reference(mu, eps):
    """Return the same with many digits, by the formula."""
    with mpmath.workdps(600):
        m, e = mpmath.mpf(mu), mpmath.mpf(eps)
        return float(mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m))


@pytest.mark.parametrize("delta", [0, 1, 2, -1, 0.0, 1.0, 1.5])
def test_a_target_delta_lies_between_0_and_1(delta):
    with pytest.raises(InputError, match="must be greater than 0 and less than 1"):
        zcdp_epsilon(1, delta)


def test_parameters_of_curves_are_not_negative():
    for mu, eps in ((-1, 1), (1, -1), (math.nan, 1)):
        with pytest.raises(InputError, match="a parameter of privacy is not negative"):
            gaussian_delta(mu, eps)
    with pytest.raises(InputError, match="rho = -1: a parameter of privacy is not negative"):
        zcdp_epsilon(-1, F(1, 2))


def test_who_notices_a_change():
    assert [is_zero(r) for r in (0, 1, 2, INFINITY, Symbolic("m"))] == [True, *[False] * 4]
    both = profile((group(1, 1), group(1, 0, "q", "w")), maps=(WHOLE, FAMILY))
    assert touched(both) == {"m"}


def test_a_part_without_a_guarantee_only_matters_if_it_notices_something():
    parts = (PartInfo("m", "p", FOUR), PartInfo("q", "w", ()))
    for far, known in ((0, {"m"}), (1, None)):
        here = profile((group(1, 1), group(1, far, "q", "w")), maps=(WHOLE, FAMILY), parts=parts)
        found = sources(here, NOTIONS["pure"])
        assert (None if found is None else found.keys()) == known


def test_a_point_of_a_curve_is_for_the_notion_in_which_parts_meet():
    zcdp, other = (("zcdp", ("rho",)),), (("approximate", ("eps", "delta")),)
    here = profile(
        (group(1, 1), group(1, 1, "q", "w")), maps=(WHOLE, FAMILY),
        parts=(PartInfo("m", "p", zcdp), PartInfo("q", "w", other)),
    )  # fmt: skip
    found = sources(here, NOTIONS["approximate"])
    assert found is not None
    assert (found["m"].chosen, found["q"].chosen) == ("delta_m", None)
    assert sources(here, NOTIONS["zcdp"]) is None


def over(*choices: tuple[Expr | int, Expr]) -> Expr:
    return Worst(("k",), tuple(
        Choice(n if isinstance(n, Expr) else Num(F(n)), value) for n, value in choices
    ))  # fmt: skip


ONE, THREE = (Single((over((n, EPS)), over((n, DELTA))), ()) for n in (1, 3))
KNOWN = Single((Num(F(2)), Num(F(1, 9))), ())
FEW, MANY = ((t.SizeRange("k", low, high),) for low, high in ((1, 3), (4, None)))


def single(*choices: tuple[Expr | int, Expr], shared: tuple[str, ...] = ()) -> Single:
    return Single((over(*choices),), (), shared)


def at_some_time(value: str, *others: str) -> Expr:
    """Return the largest sum over the blocks whose first index is some t."""
    sizes = ("k", *others)
    inside = t.Compared("eq", t.Letter(1), t.Index(1))
    return t.MaxOver(1, ALWAYS, t.SumOver(sizes, inside, Inf(), BlockEntry(value, sizes)))


ALWAYS = t.Connected("and", ())
CELLS = Single((Worst(("k", 3), (Choice(Num(F(1)), BlockEntry("eps", ("k", 3))),)),), ())
EACH = "(eps[i], delta[i]) for each i"
SETS = "(sum over i in S of eps[i], sum over i in S of delta[i]) for each set S of 3 blocks"
BOTH = "((sum over i in A of eps[i]) + (sum over i in B of delta[i])) for each disjoint A, B with"
WORDS = [
    ([((), [ONE])], EACH),
    ([((), [ONE, THREE])], f"{EACH}; {SETS}"),
    ([((), [ONE, ONE])], EACH),
    ([((), [KNOWN])], None),
    ([((), [KNOWN, ONE])], f"(2, 1/9); {EACH}"),
    ([((), [KNOWN, Single((Num(F(1)), Num(F(1))), ())])], "(2, 1/9); (1, 1)"),
    ([(FEW, [ONE]), (MANY, [KNOWN])], f"{EACH} for 1 <= k <= 3; (2, 1/9) for k >= 4"),
    ([(FEW, [KNOWN]), ((), [ONE])], f"(2, 1/9) for 1 <= k <= 3; {EACH} for all"),
    ([(FEW, [ONE]), (MANY, [ONE])], EACH),
    ([(FEW, [KNOWN]), (MANY, [KNOWN])], None),
    ([((), [single((1, EPS), (1, DELTA))])], "(eps[i] + delta[j]) for each i != j"),
    ([((), [single((2, EPS), (3, DELTA))])], f"{BOTH} |A| <= 2, |B| <= 3"),
    ([((), [single((2, EPS), (Inf(), DELTA))])], f"{BOTH} |A| <= 2"),
    (
        [((), [single((1, EPS), (1, DELTA), (1, t.Product((Num(F(2)), EPS))))])],
        "(eps[i] + delta[j] + 2*eps[l]) for each different i, j, l",
    ),
    ([((), [CELLS])], "(eps[i,j]) for each (i, j)"),
    (
        [((), [single((1, EPS), shared=("n with n[i] <= m",))])],
        "(eps[i]) for each i and each n with n[i] <= m",
    ),
    (
        [((), [Single((at_some_time("eps"), at_some_time("delta")), ())])],
        "(sum(eps[i] for t == i), sum(delta[i] for t == i)) for each t",
    ),
    (
        [((), [Single((at_some_time("eps"), at_some_time("delta", *"abcd")), ())])],
        "(sum(eps[i] for t == i), sum(delta[i,j,l,n,s] for t == i)) for each t",
    ),
    # Where a size is called t, no integer is: the letters of the pair are not the same ones.
    ([((), [Single((at_some_time("eps"), at_some_time("delta", "t")), ())])], None),
    ([((), [Single((at_some_time("eps"), at_some_time("delta", "t")), ()), ONE])], None),
]


@pytest.mark.parametrize(("guarantees", "text"), WORDS)
def test_what_single_neighbours_need_in_words(guarantees, text):
    assert of_single_neighbours(guarantees) == text


def test_an_exchange_that_gains_less_than_any_float_is_made():
    """Where one group has no room, and groups have none at all."""
    tiny = F(1, 10**40)
    assert largest_assignment([0, 0], [[1, 2], [3, 4]]) == 0
    assert largest_assignment([2], [[1, 1 + tiny, 1 + 2 * tiny]]) == 2 + 3 * tiny
    assert largest_assignment([1, 1], [[2, 2 + tiny], [1, 1 + 2 * tiny]]) == 3 + 2 * tiny
