"""What a bound says: its text where something is open, its other forms, and what it rests on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from dpcomp_sym import numbers
from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers import Bound, Bounds
from dpcomp_sym.numbers.bound import box_of
from dpcomp_sym.numbers.single import RecordBudget, Single
from dpcomp_sym.profile import Interval, KRange, PartInfo
from dpcomp_sym.statements import (
    BlockEntry,
    Cases,
    Choice,
    Compared,
    Index,
    Inf,
    Integer,
    Max,
    Num,
    Param,
    SizeCase,
    SizeRange,
    Sum,
    SumOver,
    Worst,
)
from tests.notions.rows import (
    FAMILY,
    PAIRS,
    SPLIT,
    TWICE,
    UNBOUNDED,
    VACUOUS,
    WHOLE,
    bounds,
    group,
    profile,
    with_single,
)

F = Fraction
LOW, HIGH = SPLIT.cases
OPEN = replace(HIGH, attained=False)
ONE = Bound("pure", "epsilon", (Num(F(1)),), F(1), "1", None, "yes", ())
HALVES = {"eps": [1, 1], "delta": [0.5, 0.5]}


def only(p, notion, values=None, sizes=None):
    return next(b for b in bounds(p, values, sizes) if b.notion == notion)


def cases(*some):
    """Return a profile whose sizes are split so, and which is an upper bound."""
    return replace(SPLIT, cases=some, exact=False)


def of(case, low, high=None):
    return replace(case, ranges=(KRange("k", low, high),))


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (cases(LOW, of(OPEN, 2, 3), of(HIGH, 4)),
            "max(eps[i]) for k = 1; inf (not known) for 2 <= k <= 3; inf for k >= 4"),
        (cases(LOW, OPEN), "max(eps[i]) for k = 1; inf (not known) for k >= 2"),
        (cases(LOW, HIGH), "max(eps[i]) for k = 1; inf for k >= 2"),
        (cases(of(OPEN, 1)), "inf (not known)"),
        (cases(of(OPEN, 1, 3), of(HIGH, 4)), "inf (not known for 1 <= k <= 3)"),
    ],
)  # fmt: skip
def test_where_it_is_open_whether_there_is_a_guarantee(p, text):
    assert only(p, "pure").text == text


def test_the_short_form_has_the_number_where_there_is_one():
    known = only(PAIRS, "pure", {"eps": [1, 2, 4]})
    assert repr(known) == "<Bound pure: sum of the 2 largest eps[i] = 6, tight>"
    assert repr(only(PAIRS, "pure")) == "<Bound pure: sum of the 2 largest eps[i], tight>"
    assert repr(ONE) == "<Bound pure: 1, tight>"
    assert repr(replace(ONE, tight="no", tight_note="so")) == "<Bound pure: 1, not tight (so)>"
    floats = only(PAIRS, "pure", {"eps": [0.5, 1.0]})
    assert (floats.exact, repr(floats)) == (None, repr(only(PAIRS, "pure")))
    assert " = " not in repr(only(PAIRS, "approximate", HALVES))
    assert " = " not in repr(replace(known, infinite=True))


def test_other_forms():
    assert only(VACUOUS, "pure").sympy() is None
    assert ONE.sympy() == 1 == sp.sympify(ONE)
    pair = only(PAIRS, "approximate").sympy()
    assert [x.args[0] for x in pair] == [2, 2]
    words = replace(ONE, words=("a", "b"))
    assert (words.sympy(), words.text, words.latex) == (None, "a", "b")
    better = ((Interval("w", 0, 0), replace(ONE, tight_note="so")), (Interval("w", 1, 1), ONE))
    said = replace(ONE, elsewhere=better).as_json()["elsewhere"]
    assert [row["tight_note"] for row in said] == ["so", None]
    assert [row["symbols"] for row in said] == ["w = 0", "w = 1"]
    assert ONE.as_json()["tight_note"] is None
    assert replace(ONE, tight_note="so").as_json()["tight_note"] == "so"


def test_bounds_by_place_and_by_name():
    zcdp = replace(ONE, notion="zcdp")
    both = Bounds([ONE, zcdp])
    assert (both[0], both[1], both["pure"], both["zcdp"], both[:1]) == (
        ONE, zcdp, ONE, zcdp, (ONE,),
    )  # fmt: skip
    assert ("zcdp" in both, "gaussian" in both) == (True, False)
    assert (zcdp in both, zcdp in Bounds([ONE])) == (True, False)
    with pytest.raises(InputError, match="there is no bound in 'gaussian'; known here"):
        both["gaussian"]


def test_what_a_bound_rests_on():
    """On groups where distances are above 1 and finite, on N1 where sums are attained."""
    far = profile((group(1, 2), group(1, 1)))
    assert "GB24.III.3" in only(TWICE, "pure").by
    assert "GB24.III.3" in only(far, "pure").by
    assert "GB24.III.3" not in only(PAIRS, "pure").by
    assert "GB24.III.3" not in only(SPLIT, "pure").by
    twice_or_never = profile((group(1, 2),), (group(2, 0),))
    assert "GB24.III.3" in only(twice_or_never, "pure").by
    assert "N1" in only(PAIRS, "pure").by
    assert "N1" not in only(replace(PAIRS, exact=False), "pure").by
    assert "N1" not in only(UNBOUNDED, "approximate").by


def test_pairs_are_not_listed_where_there_is_no_guarantee():
    assert only(PAIRS, "approximate", HALVES).pareto is None
    assert only(SPLIT, "approximate").pareto is None
    assert only(PAIRS, "approximate").pareto is not None
    assert only(PAIRS, "pure").pareto is None


def test_what_is_too_large_is_no_finite_guarantee_of_all():
    """A delta of 1 is no guarantee of these numbers; distances are not to blame."""
    found = only(PAIRS, "approximate", HALVES)
    assert (found.infinite, found.known, found.tight) == (True, True, "no")
    one = only(PAIRS, "approximate", {"eps": [1, 1], "delta": [1, 0]})
    assert one.infinite
    endless = only(PAIRS, "approximate", {"eps": [1, float("inf")], "delta": [0, 0]})
    assert endless.infinite
    shown = replace(HIGH, attained=False, far=("m",))
    for attained, tight in ((True, "yes"), (False, "unknown")):  # of the case that is finite
        found = replace(SPLIT, cases=(replace(LOW, attained=attained), shown), exact=False)
        assert only(found, "pure").tight == tight
        assert only(found, "pure", {"eps": [1, 2]}).tight == "yes"


def test_for_which_numbers_it_is_tight():
    three = Interval("m", 3, 3)
    part = replace(PAIRS, cases=tuple(replace(c, shown=(three,)) for c in PAIRS.cases))
    assert only(part, "pure").tight_note == "shown for m = 3"
    assert only(PAIRS, "pure").tight_note == ""
    first = replace(PAIRS.cases[0], ranges=(KRange("k", 1, 2),), shown=(three,))
    rest = replace(PAIRS.cases[0], ranges=(KRange("k", 3),))
    both = replace(PAIRS, cases=(first, rest))
    assert only(both, "pure").tight_note == "shown for 1 <= k <= 2 and m = 3; for k >= 3"


def test_sizes_that_are_not_covered():
    part = profile(cases=(replace(PAIRS.cases[0], ranges=(KRange("k", 4),)),))
    assert only(part, "pure", {"eps": [1] * 4}).value == 2
    with pytest.raises(InputError, match="the statement does not cover k = 2"):
        bounds(part, {"eps": [1, 2]})


def listed(values, sizes=None, *, guarantee=None, single=()):
    """Return the bound in (epsilon, delta) of what is given as proved."""
    given = {"approximate": guarantee or (over(2, EPS), over(2, DELTA))}
    found = numbers.bounds(PAIRS, given, values, sizes, {"approximate": single})
    return next(b for b in found if b.notion == "approximate")


def over(count, value):
    return Worst(("k",), (Choice(Num(F(count)), value),))


EPS, DELTA = (BlockEntry(name, ("k",)) for name in ("eps", "delta"))
VALUES = {"eps": [1, 2], "delta": [0, F(1, 100)]}
WAY = Single((EPS, DELTA), (Touched("p", ("k",), ((Num(F(1)), (EPS, DELTA)),)),))
FAR = (SizeRange("k", 5, None),)


def test_ways_that_are_not_in_numbers_leave_no_list():
    shared = replace(WAY, shared=("n with n[i] <= 3",))
    budget = replace(shared, budget=RecordBudget(WAY.touched, 1, alone=True), touched=())
    pairs = ((2, F(1, 100)),)
    for ways, expected in (
        ([WAY], pairs), ([shared], None), ([WAY, shared], None), ([budget], pairs),
        ([WAY, budget], pairs), ([], None),
    ):  # fmt: skip
        assert listed(VALUES, single=[((), ways)]).pareto == expected
    assert listed(VALUES, single=[(FAR, [WAY])]).pareto is None
    assert listed(VALUES, single=[(FAR, [shared]), ((), [WAY])]).pareto == pairs


def test_numbers_that_lack_a_size():
    """They are checked, and there is no number; of no parameter neither."""
    one = only(PAIRS, "pure", {"eps": 1})
    assert (one.value, one.exact) == (None, None)
    assert only(PAIRS, "pure", {"eps": 1}, {"k": 3}).value == 2
    known = listed({"eps": 1, "delta": 0}, guarantee=(Num(F(1)), over(2, DELTA)))
    assert known.value is None
    other = listed({"eps": 1, "delta": 0}, guarantee=(over(2, EPS), Num(F(0))))
    assert other.value is None
    assert listed({"eps": 1, "delta": 0}, {"k": 3}, guarantee=(over(2, EPS), Num(F(0)))).value == (
        2, 0,
    )  # fmt: skip
    with pytest.raises(InputError, match="eps = -1"):
        bounds(PAIRS, {"eps": -1})


def test_numbers_that_no_float_holds_are_finite():
    assert only(PAIRS, "pure", {"eps": [1, 10**400]}).value == 10**400 + 1
    assert only(PAIRS, "pure", {"eps": [1.5, float("inf")]}).infinite


def test_numbers_for_one_notion_only():
    """Half of the parameters that only one notion has is an error, and of another's nothing."""
    assert [b.value for b in bounds(PAIRS, {"rho": [1, 2]})] == [None, None, 3, None]
    with pytest.raises(InputError, match="the parameter 'eps' of part 'm' has no value"):
        bounds(PAIRS, {"delta": [0, 0]})
    both = bounds(with_single(), {"rho0": 1, "rho": [1, 2]})
    assert [b.value for b in both] == [None, None, 3, None]
    with pytest.raises(InputError, match="the parameter 'rho0' of part 'q' has no value"):
        bounds(with_single(), {"rho": [1, 2]})


def test_numbers_of_one_notion_ask_for_none_of_another_to_which_they_are_converted():
    """What guarantees pure privacy alone is Gaussian private, too: that asks for no mu."""
    whole = with_single()
    alone = replace(whole, parts=(PartInfo("q", "w", (("pure", ("eps0",)),)), *whole.parts[1:]))
    found = bounds(alone, {"eps0": 1, "eps": [1, 2]})
    assert [(b.notion, b.value) for b in found if b.value is not None] == [("pure", 3)]
    with pytest.raises(InputError, match="the parameter 'eps' of part 'm' has no value"):
        bounds(alone, {"eps0": 1})
    with pytest.raises(InputError, match="the parameter 'eps0' of part 'q' has no value"):
        bounds(alone, {"mu": [1, 2]})


def test_conversions_are_named_once():
    parts = (
        PartInfo("q", "w", (("pure", ("a",)),)), PartInfo("r", "w", (("pure", ("b",)),)),
        PartInfo("m", "p", (("gaussian", ("mu",)),)),
    )  # fmt: skip
    vector = (replace(group(1, 1, "q", "w"), distances=(("q", 1), ("r", 1))), group(1, 1))
    p = profile(vector, maps=(WHOLE, FAMILY), parts=parts)
    for bound in bounds(p):
        assert len(set(bound.by)) == len(bound.by)
        assert any("gaussian" in name for name in bound.by)


SUMS = [
    (profile((group(1, 1),)), "yes"), (profile((group(2, 1),)), "no"),
    (profile((group(1, 2),)), "unknown"),
    (with_single(), "no"),
    (profile((replace(group(1, 1), distances=(("m", 1), ("n", 1))),), parts=(
        PartInfo("m", "p", (("approximate", ("eps", "delta")),)),
        PartInfo("n", "p", (("approximate", ("eps", "delta")),)),
    )), "no"),
    (profile((
        replace(group(1, 1), distances=(("m", 1), ("n", 0))),
        replace(group(1, 1), distances=(("m", 0), ("n", 1))),
    ), parts=(
        PartInfo("m", "p", (("approximate", ("eps", "delta")),)),
        PartInfo("n", "p", (("approximate", ("a", "d")),)),
    )), "no"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SUMS)))
def test_sums_of_pairs_are_not_tight(number):
    p, tight = SUMS[number]
    assert only(p, "approximate").tight == tight


@pytest.mark.parametrize(
    ("count", "tight"), [(Inf(), "no"), (Num(F(2)), "no"), (Num(F(1)), "unknown")]
)
def test_totals_over_blocks_that_change_together_are_sums(count, tight):
    near = Compared("le", Index(1), Integer(3))
    total = tuple(SumOver(("k",), near, count, e) for e in (EPS, DELTA))
    assert listed(None, guarantee=total).tight == tight


def test_half_of_the_epsilons_is_an_error_where_another_notion_has_them_too():
    parts = (
        PartInfo("m", "p", (("pure", ("eps",)), ("approximate", ("eps", "delta")))),
        PartInfo("q", "w", (("approximate", ("a", "d")),)),
    )
    p = profile((group(1, 1, "q", "w"), group(1, 1)), maps=(WHOLE, FAMILY), parts=parts)
    with pytest.raises(InputError, match="the parameter 'a' of part 'q' has no value"):
        bounds(p, {"eps": [1, 2], "delta": [0, 0]})
    with pytest.raises(InputError, match="has no value"):
        bounds(p, {"eps": [1, 2]})


def test_the_largest_of_a_pair_is_tight_only_if_both_are_largest():
    largest = {
        (over(1, EPS), over(1, DELTA)): "yes",
        (over(1, EPS), over(2, DELTA)): "no",
        (over(2, EPS), over(1, DELTA)): "no",
        (Max((over(1, EPS), Param("a"))), over(1, DELTA)): "yes",
        (Max((over(1, EPS), over(2, EPS))), over(1, DELTA)): "no",
        (over(1, Sum((EPS, DELTA))), over(1, DELTA)): "no",
    }
    for guarantee, tight in largest.items():
        assert listed(None, guarantee=guarantee).tight == tight


def test_which_cases_are_without_a_guarantee():
    endless = replace(SPLIT, cases=(LOW, replace(HIGH, endless=("m",))))
    assert only(endless, "pure").tight_note == (
        "no finite guarantee holds: distances grow beyond all bounds"
    )
    far = of(replace(HIGH, attained=False, far=("m",)), 4)
    assert not only(cases(LOW, of(OPEN, 2, 3), far), "pure").known
    assert only(cases(LOW, of(HIGH, 2, 3), far), "pure").known  # neighbours were found for all
    half = replace(ONE, guarantee=(Num(F(1)), Inf()), unsettled=((SizeRange("k", 1, 3),),))
    assert half.text == "(1, inf)"
    other = replace(PAIRS.cases[0], ranges=(KRange("k", 1),))
    shown = replace(other, ranges=(KRange("k", 1, 2),), shown=(Interval("m", 3, 3),))
    both = replace(PAIRS, cases=(shown, other))
    assert only(both, "pure").tight_note == (
        "shown for 1 <= k <= 2 and m = 3; for all other numbers"
    )
    assert "GB24.III.3" not in only(profile((group(1, 1),), (group(2, 0),)), "pure").by


def test_ranges_that_say_something():
    """At least 1 is what each number of blocks is."""
    wide, narrow, more = KRange("k", 1), KRange("a", 2, 3), KRange("b", 2)
    assert box_of([wide, more, narrow]) == (SizeRange("a", 2, 3), SizeRange("b", 2, None))
    three = (Interval("m", 3, 3),)
    some = (replace(PAIRS.cases[0], ranges=(r,), shown=three) for r in (KRange("k", 2), wide))
    assert only(replace(PAIRS, cases=tuple(some)), "pure").tight_note == (
        "shown for k >= 2 and m = 3; for m = 3"
    )


def test_cases_are_largest_if_all_of_them_are():
    pairs = {(1, 1): "yes", (1, 2): "no", (2, 1): "no"}
    for counts, tight in pairs.items():
        ranges = ((SizeRange("k", low, high),) for low, high in ((1, 3), (4, None)))
        several = tuple(SizeCase(r, over(n, EPS)) for r, n in zip(ranges, counts, strict=True))
        assert listed(None, guarantee=(Cases(several), over(1, DELTA))).tight == tight
