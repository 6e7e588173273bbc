"""What several choices of places cover, in numbers: compared with all choices there are."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers import covering
from dpcomp_sym.numbers import placed as placing
from dpcomp_sym.numbers.covering import best_cover
from dpcomp_sym.numbers.placed import placed
from dpcomp_sym.numbers.together import largest_covered, pairs_together
from dpcomp_sym.profile import Group, Symbolic
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import TRUE, Values
from dpcomp_sym.statements.places import blocks

T, U, I, J = t.Letter(1), t.Letter(2), t.Index(1), t.Index(2)
K, INF = ("k",), t.Inf()


def plus(*items):
    return t.Combined("add", items)


def le(left, right):
    return t.Compared("le", left, right)


def both(*items):
    return t.Connected("and", items)


def near(length, start=T):
    return both(le(start, I), t.Compared("lt", I, plus(start, t.Integer(length))))


CONDITIONS = [
    near(1),
    near(2),
    near(3),
    le(T, I),
    t.Compared("eq", t.Combined("div", (I, t.Integer(2))), T),
    t.Compared("eq", t.Combined("mod", (I, t.Integer(3))), T),
    t.Connected("or", (t.Compared("eq", I, T), t.Compared("eq", I, plus(T, t.Integer(2))))),
    t.Compared("ne", I, T),
    both(near(2), le(t.Integer(2), I)),
    le(t.Integer(3), I),
    TRUE,
]
FACTS = [TRUE, le(t.Integer(2), T), both(le(t.Integer(1), T), le(T, t.Integer(3))), le(T, T),
         both(le(t.Integer(9), T), le(T, t.Integer(8)))]  # fmt: skip


def best(e, times, sizes, rows, places):
    """Return the largest total over all choices of places, by trying each."""
    found = 0
    for some in itertools.combinations_with_replacement(places, times):
        if not all(Values(sizes, at).hold(e.facts) for at in some):
            continue
        value = sum(
            v
            for total, values in zip(totals(e), rows, strict=True)
            for v, b in zip(values, blocks(total.sizes, sizes), strict=True)
            if any(Values(sizes, at, b).hold(total.when) for at in some)
        )
        found = max(found, value)
    return found


def totals(e):
    return e.body.items if isinstance(e.body, t.Sum) else (e.body,)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=2),
    st.sampled_from(FACTS),
    st.integers(1, 4),
    st.integers(1, 5),
    st.data(),
)
def test_it_is_the_largest_of_all_choices(conditions, facts, times, k, data):
    numbers = st.lists(st.integers(0, 6).map(lambda n: Fraction(n, 3)), min_size=k, max_size=k)
    rows = [data.draw(numbers) for _ in conditions]
    sums = tuple(
        t.SumOver(K, when, INF, t.BlockEntry(f"e{n}", K)) for n, when in enumerate(conditions)
    )
    most = t.MaxOver(1, facts, t.Sum(sums) if len(sums) > 1 else sums[0])
    table = {f"e{n}": row for n, row in enumerate(rows)}
    value = largest_covered(
        t.Coverage(t.Num(Fraction(times)), most), {"k": k},
        lambda e, _: table[e.name], lambda e: e.value if isinstance(e, t.Num) else math.inf,
    )  # fmt: skip
    assert value == best(most, times, {"k": k}, rows, [(n,) for n in range(-4, 8)])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3), st.lists(st.integers(0, 5), min_size=9, max_size=9))
def test_places_in_a_plane(times, values):
    """A choice of two integers: the cells of a grid that lie in its row, or in its column."""
    grid = (3, 3)
    cross = t.Connected("or", (t.Compared("eq", I, T), t.Compared("eq", J, U)))
    most = t.MaxOver(2, TRUE, t.SumOver(grid, cross, INF, t.BlockEntry("e", grid)))
    value = largest_covered(
        t.Coverage(t.Size("r"), most), {"r": times}, lambda *_: values,
        lambda e: times if isinstance(e, t.Size) else math.inf,
    )  # fmt: skip
    assert value == best(most, times, {}, [values], [*itertools.product(range(5), repeat=2)])


def windows(length=2, value=None):
    return t.MaxOver(
        1, TRUE, t.SumOver(K, near(length), INF, value or t.BlockEntry("eps", K))
    )  # fmt: skip


def test_many_times_cover_everything():
    """As many as suffice are enough, however many there are."""
    values = [n % 7 for n in range(3000)]
    for times in (10**12, 1500):
        found = largest_covered(
            t.Coverage(t.Size("r"), windows()), {"k": 3000, "r": times}, lambda *_: values,
            lambda e, times=times: times if isinstance(e, t.Size) else math.inf,
        )  # fmt: skip
        assert found == sum(values)
    whole = largest_covered(
        t.Coverage(INF, windows()), {"k": 3000}, lambda *_: values, lambda _: math.inf
    )
    assert whole == sum(values)


def test_no_times_and_infinite_values():
    def number(times, values):
        return largest_covered(
            t.Coverage(t.Size("r"), windows()), {"k": 3, "r": times}, lambda *_: values,
            lambda e: times if isinstance(e, t.Size) else math.inf,
        )  # fmt: skip

    assert number(2, [1, math.inf, 2]) == math.inf
    assert number(0, [1, 2, 3]) == 0
    assert number(1, [1, 2, 3]) == 5


def test_what_is_not_linear_has_no_number():
    square = t.Compared("eq", t.Combined("mul", (T, T)), I)
    most = t.MaxOver(1, TRUE, t.SumOver(K, square, INF, t.BlockEntry("eps", K)))
    with pytest.raises(InputError, match="no number for this bound"):
        largest_covered(
            t.Coverage(t.Num(Fraction(2)), most), {"k": 3}, lambda *_: [1, 2, 3],
            lambda e: e.value if isinstance(e, t.Num) else math.inf,
        )  # fmt: skip


def test_pairs_over_the_same_choices():
    pair = [t.Coverage(t.Size("r"), windows(1, t.BlockEntry(n, K))) for n in ("eps", "delta")]
    rows = {"eps": [1, 2, 3], "delta": [9, 5, 1]}

    def found(*of):
        return {
            *pairs_together(of, {"k": 3, "r": 2}, lambda e, _: rows[e.name], lambda _: math.inf)
        }

    assert found(*pair) == {(3, 14), (4, 10), (5, 6)}
    zero = t.Num(Fraction(0))
    assert {a for a, _ in found(pair[0], zero)} == {3, 4, 5}
    for other in (pair[1].most, t.Coverage(t.Size("k"), pair[1].most)):
        with pytest.raises(t.KernelError, match="over different integers"):
            found(pair[0], other)


def test_blocks_of_several_places_by_their_numbers():
    told = (1, TRUE, near(2))
    group = Group("days", 99, (("counts", 1),), when=told, times=Symbolic("r"))
    named = placed((group,), {"days": K}, {"k": 5, "r": 2})
    assert {frozenset(g.block[0] for g in v) for v in named} == {
        frozenset(x) for x in ((1, 2, 3, 4), (1, 2, 4, 5), (2, 3, 4, 5))
    }
    (all_of_them,) = placed((group,), {"days": K}, {"k": 5, "r": 9})
    assert {g.block for g in all_of_them} == {(n,) for n in range(1, 6)}


def test_choices_of_blocks_are_written_out_if_they_are_not_too_many(monkeypatch):
    """Six choices of two of four windows, which have two blocks each."""
    group = Group("days", 99, (("counts", 1),), when=(1, TRUE, near(2)), times=2)
    for most, fine in ((48, True), (47, False)):
        monkeypatch.setattr(placing, "MOST_WORK", most)
        assert (placed((group,), {"days": K}, {"k": 5}) is not None) is fine


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.frozensets(st.integers(0, 5), max_size=4), max_size=6),
    st.lists(st.integers(0, 4), min_size=6, max_size=6),
    st.integers(0, 4),
)
def test_the_best_cover_is_that_of_all_choices(sets, weights, number):
    found = best_cover(sets, weights, number)

    def weight(chosen):
        return sum(weights[x] for x in frozenset().union(*(sets[n] for n in chosen)))

    few = min(number, len(sets))
    best = max(weight(some) for some in itertools.combinations(range(len(sets)), few))
    assert len(set(found)) == len(found) <= number
    assert found == sorted(found)
    assert weight(found) == best


def test_a_cover_is_found_without_trying_all(monkeypatch):
    """Of a hundred sets that have nothing in common the largest ten are tried first."""
    sets, weights = [frozenset({n}) for n in range(100)], [n % 17 for n in range(100)]
    monkeypatch.setattr(covering, "MOST_WORK", 2000)
    found = best_cover(sets, weights, 10)
    assert sum(weights[n] for n in found) == 5 * 16 + 5 * 15
    monkeypatch.setattr(covering, "MOST_WORK", 100)
    assert best_cover(sets, weights, 10) is None


def test_too_many_choices_have_no_number(monkeypatch):
    monkeypatch.setattr(covering, "MOST_WORK", 3)
    grid = (2, 2)
    cross = t.Connected("or", (t.Compared("eq", I, T), t.Compared("eq", J, U)))
    most = t.MaxOver(2, TRUE, t.SumOver(grid, cross, INF, t.BlockEntry("e", grid)))
    with pytest.raises(InputError, match="too many choices of places"):
        largest_covered(
            t.Coverage(t.Size("r"), most), {"r": 2}, lambda *_: [1, 2, 3, 4],
            lambda e: 2 if isinstance(e, t.Size) else math.inf,
        )  # fmt: skip
