"""Claims about so many choices of places: read, proved, refuted, and compared with numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.printed import in_python
from dpcomp_sym.claims.wider import WiderMaxima
from dpcomp_sym.claims.written_out import written_out
from tests.conftest import EXAMPLES

pytestmark = pytest.mark.in_turn

WINDOW = "sum(eps[i] for t - L < i <= t)"
BOUND = f"max over r choices of t of {WINDOW}"


@pytest.fixture(scope="module")
def windows():
    return dp.derive(EXAMPLES / "sliding-windows-records.toml")


@pytest.fixture(scope="module")
def bound(windows):
    return windows.bound("pure")


@pytest.mark.parametrize("notion", ["pure", "zcdp", "gaussian"])
def test_bounds_are_claims_as_they_are_printed(windows, notion):
    bound = windows.bound(notion)
    for claim in (bound.text, bound.sympy()):
        found = windows.refute(claim, notion=notion)
        assert (found.verdict, found.tight, found.theorem is not None) == ("proved", "yes", True)
    assert windows.refute(f"({bound.text})/2", notion=notion).verdict == "refuted"


PROVED = [
    # claim, tight, whether the kernel proves it
    ("max over r choices of s of sum(eps[j] for s <= j < s + L)", "yes", False),
    ("max over r choices of t of sum(eps[i] for t <= i <= t + L)", "no", False),
    ("max over r + 1 choices of t of sum(eps[i] for t - L < i <= t)", "no", False),
    ("max over 2*r choices of t of sum(eps[i] for t - L < i <= t)", "no", False),
    (f"r*(max over t of {WINDOW})", "no", False),
    (f"r*(max over t of {WINDOW}) + 1", "no", False),
    ("sum of the r*L largest eps[i]", "unknown", True),
    ("sum(eps[i])", "no", True),
    ("2*r*L*max(eps[i])", "no", True),
    (f"max({BOUND}, 1)", "no", True),
]


@pytest.mark.parametrize(("claim", "tight", "by_kernel"), PROVED)
def test_what_covers_more_is_proved_for_all_sizes(windows, claim, tight, by_kernel):
    found = windows.refute(claim)
    assert (found.verdict, found.tight) == ("proved", tight)
    assert (found.theorem is not None) is by_kernel


REFUTED = [
    # claim, sizes, lost, claimed
    (f"max over t of {WINDOW}", {"r": 2, "L": 1, "k": 2}, "2", "1"),
    ("max over 2 choices of t of sum(eps[i] for t - L < i <= t)",
     {"r": 3, "L": 1, "k": 3}, "3", "2"),
    ("max over r choices of t with 2 <= t of sum(eps[i] for t - L < i <= t)",
     {"r": 1, "L": 1, "k": 1}, "1", "0"),
    ("max over r choices of t of sum(eps[i] for t - L < i < t)",
     {"r": 1, "L": 1, "k": 1}, "1", "0"),
    ("max over L choices of t of sum(eps[i] for i == t)", {"r": 2, "L": 1, "k": 2}, "2", "1"),
    ("max over r choices of t of sum(eps[i] for t - 2 < i <= t)",
     {"r": 1, "L": 3, "k": 3}, "3", "2"),
    (f"(max over t of {WINDOW})/2", {"r": 1, "L": 1, "k": 1}, "1", "1/2"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "sizes", "lost", "claimed"), REFUTED)
def test_what_covers_less_is_refuted_at_small_sizes(windows, claim, sizes, lost, claimed):
    found = windows.refute(claim)
    assert found.verdict == "refuted"
    example = found.counterexample.as_json()
    assert (example["sizes"], example["loss"], example["claimed"]) == (sizes, lost, claimed)
    standalone.confirm(found.counterexample.data)


def test_totals_of_one_family_may_not_be_covered_apart():
    """One place covers what two totals of a block cover at two: the second place is needed."""
    when = [k.Compared("eq", k.Index(1), k.Letter(1)), k.Compared(
        "eq", k.Index(1), k.Combined("add", (k.Letter(1), k.Integer(1))))]  # fmt: skip
    eps = k.BlockEntry("eps", ("k",))
    two = k.Sum(tuple(k.SumOver(("k",), w, k.Inf(), eps) for w in when))
    either = k.SumOver(("k",), k.Connected("or", tuple(when)), k.Inf(), eps)
    always = k.Connected("and", ())
    numbers = {"k": 1, "r": 2}
    once, twice = (
        written_out(k.Coverage(k.Size("r"), k.MaxOver(1, always, body)), numbers)
        for body in (either, two)
    )
    assert once.text() == "eps[1]"
    never = k.Coverage(k.Num(Fraction(0)), k.MaxOver(1, always, either))
    nowhere = k.Coverage(k.Size("r"), k.MaxOver(1, k.Connected("or", ()), either))
    for nothing in (never, nowhere):
        assert written_out(nothing, numbers) == k.Sum(())
    assert twice.text() == "eps[1] + eps[1]"


def test_what_two_totals_cover_is_not_compared_place_by_place():
    """Each place of the left side lies in one of the right side, whose second place is needed."""
    windows = dp.derive(EXAMPLES / "sliding-windows-records.toml")
    when = [k.Compared("eq", k.Index(1), k.Letter(1)), k.Compared(
        "eq", k.Index(1), k.Combined("add", (k.Letter(1), k.Integer(1))))]  # fmt: skip
    eps, always = k.BlockEntry("eps", ("k",)), k.Connected("and", ())
    sums = [k.SumOver(("k",), w, k.Inf(), eps) for w in when]
    either = k.SumOver(("k",), k.Connected("or", tuple(when)), k.Inf(), eps)
    two, once, single = (
        k.Coverage(k.Size("r"), k.MaxOver(1, always, body))
        for body in (k.Sum(tuple(sums)), either, sums[0])
    )
    compared = WiderMaxima(windows.problem, {})
    assert compared.at_most(two, once, ()) is None
    for left in (single, once):
        assert compared.at_most(left, once, ()) is not None
    assert compared.at_most(once, single, ()) is None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (BOUND, "choices(r, max((sum((eps[i] if t - L < i <= t else 0))) for t in integers))"),
        ("max over 2*r choices of t, u with t < u of sum(a)",
         "choices(2*r, max((sum(a)) for t, u in integers if t < u))"),
    ],
)  # fmt: skip
def test_how_it_is_read(text, read):
    assert in_python(text) == read


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("max over r choices of sum(eps)", "'of' is missing"),
        ("max over q choices of t of sum(eps[i] for i == t)", "q"),
        ("max over 1/2 choices of t of sum(eps[i] for i == t)", "1/2"),
        ("choices(r, sum(eps))", "choices are of integers"),
        ("choices(r, eps)", "choices are of integers"),
        ("max over r choices of t of sum(max(0, i - t)*eps[i] for i == t)", "only conditions"),
        ("max over r choices of t of sum of the 2 largest (eps[i] for i >= t)", "all blocks"),
        ("max over t of (max over r choices of u of sum(eps[i] for i == u))", "another one"),
    ],
)
def test_what_cannot_be_read(windows, claim, why):
    with pytest.raises(dp.InputError, match=why):
        windows.refute(claim)


def test_sympy_computes_what_the_program_does(windows, bound):
    """As SymPy's own object, and written out, for the numbers of the example."""
    r, length, size = (windows.symbols[n] for n in ("r", "L", "k"))
    eps = sp.IndexedBase("eps", nonnegative=True)
    values = [5, 1, 5, 1, 5]
    for records, expected in ((1, 6), (2, 12), (3, 17), (9, 17)):
        at = {r: records, length: 2, size: 5}
        whole = bound.sympy().subs(at).doit()
        numbers = {eps[n]: v for n, v in enumerate(values, 1)}
        assert whole.subs(numbers) == expected
        assert bound.sympy().subs({**at, **numbers}).doit() == expected
    assert bound.sympy().free_symbols >= {r, length, size}
    assert r"\text{choices}" in sp.latex(bound.sympy())
    with pytest.raises(ValueError, match="give the numbers first"):
        sp.lambdify((r, length, size, eps), bound.sympy())


def test_equal_entries_are_different_blocks(windows, bound):
    r, length, size = (windows.symbols[n] for n in ("r", "L", "k"))
    eps = sp.IndexedBase("eps", nonnegative=True)
    at = {r: 2, length: 1, size: 3, eps[1]: 4, eps[2]: 4, eps[3]: 4}
    assert bound.sympy().subs(at).doit() == 8
