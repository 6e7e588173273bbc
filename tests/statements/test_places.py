"""A few places among all integers, and conditions as intervals: compared with trying all."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise, product

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.statements import places as p
from dpcomp_sym.statements.integers import Values

pytestmark = pytest.mark.in_turn

NUMBERS = {"w": 2, "k": 3}
WORDS = ("lt", "le", "eq", "ne")
W, T, U, I, J = k.Symbol("w"), k.Letter(1), k.Letter(2), k.Index(1), k.Index(2)
ALWAYS, NEVER = k.Connected("and", ()), k.Connected("or", ())
EPS = k.BlockEntry("eps", ("k",))


def plus(*items):
    return k.Combined("add", items)


def known(rng, width, depth=1):
    """Return an integer without letters."""
    if depth == 0 or rng.random() < 0.6:
        return rng.choice([k.Integer(rng.randint(-4, 5)), W, *map(k.Index, range(1, width + 1))])
    word = rng.choice(["add", "mul", "neg", "min", "max", "div", "mod"])
    items = tuple(known(rng, width, depth - 1) for _ in range(1 if word == "neg" else 2))
    return k.Combined(word, (items[0], k.Integer(2)) if word in ("div", "mod") else items)


def linear(rng, free, width, depth=2):
    """Return an integer that is linear in letters."""
    if depth == 0 or rng.random() < 0.3:
        letters = [k.Letter(rng.randint(1, free))] * 2 if free else []
        return rng.choice([*letters, known(rng, width)])
    word = rng.choice(["add", "add", "neg", "mul"])
    one = linear(rng, free, width, depth - 1)
    if word == "neg":
        return k.Combined("neg", (one,))
    if word == "add":
        return plus(one, *(linear(rng, free, width, depth - 1) for _ in range(rng.randint(1, 2))))
    items = [one, *(known(rng, width) for _ in range(rng.randint(1, 2)))]
    rng.shuffle(items)
    return k.Combined("mul", tuple(items))


def condition(rng, free, width, *, depth=2, negated=True):
    """Return a condition that is linear in letters."""
    if depth == 0 or rng.random() < 0.3:
        sides = (linear(rng, free, width, 1) for _ in range(2))
        return k.Compared(rng.choice(WORDS), *sides)
    word = rng.choice(["and", "or", "not"] if negated else ["and", "or"])
    inside = {"depth": depth - 1, "negated": negated}
    many = 1 if word == "not" else rng.choice((0, 1, 2, 2, 3))
    return k.Connected(word, tuple(condition(rng, free, width, **inside) for _ in range(many)))


@pytest.mark.parametrize("free", [0, 1, 2])
def test_a_linear_form_has_the_value_of_the_integer(free):
    rng = random.Random(free)
    for _ in range(200):
        e = linear(rng, free, 2)
        block = rng.randint(-3, 4), rng.randint(-3, 4)
        form = p.linear(e, free, Values(NUMBERS, (), block))
        for letters in product((-5, 0, 1, 7), repeat=free):
            assert form.at(letters) == Values(NUMBERS, letters, block).of(e), (e, block)


@pytest.mark.parametrize(
    ("e", "why"),
    [
        (k.Combined("mul", (T, U)), "two letters are multiplied"),
        (k.Combined("mul", (T, k.Integer(2), T)), "two letters are multiplied"),
        (k.Combined("div", (T, k.Integer(2))), "no linear form"),
        (plus(I, k.Combined("max", (T, W))), "no linear form"),
    ],
)
def test_what_is_not_linear_is_refused(e, why):
    with pytest.raises(k.KernelError, match=why):
        p.linear(e, 2, Values(NUMBERS, (), (1,)))


def signs(forms, at):
    values = (f.at(at) for f in forms)
    return tuple((x > 0) - (x < 0) for x in values)


@pytest.mark.parametrize(("free", "factors", "far"), [(1, 4, 40), (2, 1, 20), (3, 1, 9)])
def test_places_of_each_kind_are_tried(free, factors, far):
    """With letters beside each other a letter has factor 1 or -1; alone it has any."""
    rng = random.Random(free)
    met = 0
    for _ in range(60 if free < 3 else 12):
        forms = []
        for _ in range(rng.randint(0, 5 - free)):
            here = [rng.randint(-factors, factors) for _ in range(free)]
            if rng.random() < 0.3 and free < 3:
                here = [rng.choice((2, 3, -2, 5)) * (n == here[0] % free) for n in range(free)]
            forms.append(p.Form(tuple(here), rng.randint(-4, 4)))
        try:
            found = list(p.tried(forms, free))
        except k.KernelError:
            assert free == 3  # where two forms cross there may be a factor
            continue
        met += 1
        assert len(found) == len(set(found))
        assert {len(at) for at in found} == {free}
        everywhere = product(range(-far, far + 1), repeat=free)
        assert {signs(forms, at) for at in everywhere} <= {signs(forms, at) for at in found}
    assert met > 9


def test_few_places_are_tried():
    """Three beside each edge of one letter, and of each other one at each place of the first."""
    assert sorted(p.tried([p.Form((1,), -3), p.Form((-1,), 3)], 1)) == [(2,), (3,), (4,)]
    for two in (p.Form((2,), -7), p.Form((-2,), 7)):  # 3 and 4 are beside the root
        assert sorted(p.tried([two], 1)) == [(2,), (3,), (4,), (5,)]
    assert sorted(p.tried([p.Form((-3,), -6)], 1)) == [(-3,), (-2,), (-1,)]
    assert list(p.tried([], 2)) == [(0, 0)]
    assert list(p.tried([p.Form((0, 0), 5)], 2)) == [(0, 0)]
    assert sorted(p.tried([p.Form((1, 0), 0), p.Form((0, 1), -7)], 2)) == [
        (t, u) for t in (-1, 0, 1) for u in (6, 7, 8)
    ]
    crossing = sorted(p.tried([p.Form((1, 1), 0), p.Form((1, -1), 0)], 2))
    assert {t for t, _ in crossing} == set(range(-2, 3))
    with pytest.raises(k.KernelError, match="a letter has a factor"):
        list(p.tried([p.Form((1, 2), 0)], 2))


@pytest.mark.parametrize("most", [11, 12, 13])
def test_more_places_than_are_looked_at_are_refused(most, monkeypatch):
    """Four edges that are apart, with three places each; crossings of two letters the same."""
    monkeypatch.setattr(p, "MOST_PLACES", most)
    four = [p.Form((1,), 10 * n) for n in range(4)]
    two = [p.Form((n, 1), 0) for n in (0, 10)], [p.Form((2, 1), 0), p.Form((-2, 1), 9)]
    if most < 12:
        with pytest.raises(k.KernelError, match="too many places"):
            list(p.tried(four, 1))
    else:
        assert len(list(p.tried(four, 1))) == 12
    for forms in two:
        assert list(p.tried(forms, 2))


def test_a_form_in_the_last_letter_and_one_before_crosses_one_in_the_last_alone():
    """z = -x and z = 5: something changes at x = -5, whatever the letter between is."""
    first = {at[0] for at in p.tried([p.Form((1, 0, 1), 0), p.Form((0, 0, 1), -5)], 3)}
    assert first >= {-6, -5, -4}


def test_all_places_are_counted(monkeypatch):
    """Two letters with three places each."""
    total = k.SumOver(("k",), either_of(T, U), k.Inf(), EPS)
    largest = k.MaxOver(2, ALWAYS, total)
    tried = 9
    monkeypatch.setattr(p, "MOST_PLACES", tried)
    assert len(p.places(largest, {"k": 1})) == tried
    monkeypatch.setattr(p, "MOST_PLACES", tried - 1)
    with pytest.raises(k.KernelError, match="too many places"):
        p.places(largest, {"k": 1})


def either_of(*letters):
    return k.Connected("or", tuple(k.Compared("le", x, I) for x in letters))


def test_crossings_are_counted(monkeypatch):
    """Two lines cross between two places, of which each is looked at with those beside it."""
    lines = [p.Form((n, 1), 0) for n in (0, 1)]
    crossings = len({at for at, _ in p.tried(lines, 2)}) - 2
    assert crossings == 5
    monkeypatch.setattr(p, "MOST_PLACES", crossings + 2)
    assert list(p.tried(lines, 2))
    monkeypatch.setattr(p, "MOST_PLACES", crossings - 1)
    with pytest.raises(k.KernelError, match="too many places"):
        list(p.tried(lines, 2))


def test_cases_say_for_which_blocks_a_condition_holds():
    """Of each letter and block: as linear inequalities, and as an interval of the letter."""
    rng = random.Random(5)
    met = 0
    for _ in range(80):
        when = shifted(rng)
        rows = p.cases(when, 2, Values(NUMBERS))
        for block in ((1, 1), (3, -2), (-2, 1), (2, 4)):
            found = [p.interval(row, block) for row in rows]
            for t in (-60, *range(-16, 17), 60):
                inside = any(x is not None and x[0] <= t <= x[1] for x in found)
                assert inside == Values(NUMBERS, (t,), block).hold(when), (when, block, t)
                met += inside
            assert all(x is None or x[0] <= x[1] for x in found)
    assert met > 1000
    assert p.cases(k.Compared("le", T, J), 2, Values({})) == [[(1, (0, -1), 0)]]


def shifted(rng, depth=2):
    """Return a condition that is linear in a letter and two indices, without "not"."""
    if depth == 0 or rng.random() < 0.3:
        return k.Compared(rng.choice(WORDS), sloped(rng), sloped(rng))
    items = tuple(shifted(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 3))))
    return k.Connected(rng.choice(("and", "or")), items)


def sloped(rng):
    steps = (k.Combined("mul", (k.Integer(rng.randint(-3, 3)), x)) for x in (T, I, J))
    some = [x for x in steps if rng.random() < 0.6]
    return plus(
        k.Integer(0), *some, rng.choice((W, k.Integer(rng.randint(-4, 5)), k.Combined("neg", (W,))))
    )


def test_what_has_no_cases_or_intervals():
    two, odd = k.Compared("lt", T, I), k.Compared("eq", k.Combined("mod", (T, k.Integer(2))), W)
    for when in (k.Connected("not", (two,)), odd):
        with pytest.raises(k.KernelError, match="no linear"):
            p.cases(when, 1, Values(NUMBERS))
    with pytest.raises(k.KernelError, match="no linear"):
        p.intervals(odd, Values(NUMBERS))
    many = k.Connected("and", (k.Connected("or", (two, two)),) * 6)
    assert len(p.cases(many, 1, Values(NUMBERS))) == p.MOST_CASES
    with pytest.raises(k.KernelError, match="too many cases"):
        p.cases(k.Connected("and", (many, k.Connected("or", (two, two)))), 1, Values(NUMBERS))


def test_intervals_are_where_a_condition_holds():
    """In order and apart, so that what is after one begins neither in it nor beside it."""
    rng = random.Random(7)
    far = 200
    for _ in range(250):
        when = condition(rng, 1, 1)
        values = Values(NUMBERS, (), (rng.randint(-2, 4),))
        found = p.intervals(when, values)
        for t in (-far, *range(-40, 41), far):
            expected = Values(NUMBERS, (t,), values.indices).hold(when)
            assert any(low <= t <= high for low, high in found) == expected, (when, t)
        assert all(low <= high and low < math.inf and -math.inf < high for low, high in found)
        assert found == sorted(found)
    assert p.intervals(ALWAYS, values) == [(-math.inf, math.inf)]
    assert p.intervals(NEVER, values) == []


def test_merged_intervals_are_apart_and_hold_the_same_integers():
    rng = random.Random(1)
    for _ in range(200):
        items = [(a, a + rng.randint(0, 3)) for a in rng.choices(range(20), k=rng.randint(0, 6))]
        found = p.merged(items)
        assert {x for a, b in items for x in range(a, b + 1)} == {
            x for a, b in found for x in range(a, b + 1)
        }
        assert all(one[1] + 1 < other[0] for one, other in pairwise(found))


@pytest.mark.parametrize("free", [1, 2])
def test_a_largest_value_is_attained_at_one_of_its_places(free):
    """Whatever blocks are worth: each set of blocks that counts anywhere counts at a place."""
    rng = random.Random(free)
    met = 0
    for _ in range(80 if free == 1 else 30):
        facts = rng.choice((ALWAYS, condition(rng, free, 0, depth=1)))
        sums = [
            k.SumOver(("k",), condition(rng, free, 1), k.Inf(), EPS)
            for _ in range(rng.randint(1, 2))
        ]
        e = k.MaxOver(free, facts, k.Sum(tuple(sums)) if len(sums) > 1 else sums[0])
        assert p.sums_of(e) == sums
        try:
            places = p.places(e, NUMBERS)
        except k.KernelError:
            continue  # letters beside each other with factors

        def counted(at, sums=sums):
            return tuple(
                tuple(Values(NUMBERS, at, (i,)).hold(x.when) for i in range(1, 4)) for x in sums
            )

        assert all(Values(NUMBERS, at).hold(facts) for at in places)
        everywhere = product(range(-14, 15), repeat=free)
        allowed = {counted(at) for at in everywhere if Values(NUMBERS, at).hold(facts)}
        assert allowed <= set(map(counted, places)), e
        met += len(allowed) > 1
    assert met > (20 if free == 1 else 5)


def test_places_that_are_not_found():
    distance = k.SumOver(("k",), ALWAYS, k.Inf(), k.Product((EPS, k.Amount(plus(T, I)))))
    with pytest.raises(k.KernelError, match="distances differ"):
        p.places(k.MaxOver(1, ALWAYS, distance), NUMBERS)
    with pytest.raises(k.KernelError, match="no number for m"):
        p.blocks(("k", "m"), NUMBERS)
    assert p.blocks((2, "w"), NUMBERS) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert p.blocks((), NUMBERS) == [()]


def one_and_others(count=U, facts=None):
    """One block, at a distance that a number of the others leaves."""
    low, high = k.Compared("le", k.Integer(0), U), k.Compared("lt", U, k.Integer(3))
    left = k.Amount(k.Combined("add", (k.Integer(3), k.Combined("neg", (U,)))))
    one = k.SumOver(("k",), k.Compared("eq", I, T), k.Inf(), k.Product((left, EPS)))
    near = k.Product((k.Amount(k.Combined("add", (I, k.Integer(-2)))), EPS))
    others = k.SumOver(("k",), k.Compared("ne", I, T), k.Amount(count), near)
    known = k.Connected("and", (low, high)) if facts is None else facts
    return k.MaxOver(2, known, k.Sum((one, others)))


def test_an_integer_that_says_how_many_blocks_count_has_each_of_its_values():
    found = p.of_each_number(one_and_others(), NUMBERS)
    others = (
        "sum of the 0 largest (max(0, i - 2)*eps[i] for i != t)",
        "max(max(0, i - 2)*eps[i] for i != t)",
        "sum of the 2 largest (max(0, i - 2)*eps[i] for i != t)",
    )
    assert [x.text() for x in found] == [
        f"max over t with 0 <= {n} < 3 of (sum({3 - n}*eps[i] for i == t) + {others[n]})"
        for n in range(3)
    ]
    assert {x.free for x in found} == {1}
    plain = k.MaxOver(1, ALWAYS, k.SumOver(("k",), k.Compared("le", T, I), k.Num(Fraction(2)), EPS))
    assert p.of_each_number(plain, NUMBERS) is None
    twice = k.Combined("mul", (k.Integer(2), U))
    assert "sum of the 4 largest" in p.of_each_number(one_and_others(twice), NUMBERS)[2].text()
    with pytest.raises(k.KernelError, match="nothing bounds how many"):
        p.of_each_number(one_and_others(facts=ALWAYS), NUMBERS)
    most = p.MOST_COUNTED
    for last, fine in ((most, True), (most + 1, False)):
        facts = k.Connected("and", (
            k.Compared("lt", k.Integer(0), U), k.Compared("le", U, k.Integer(last))
        ))  # fmt: skip
        small = k.MaxOver(2, facts, k.SumOver((), ALWAYS, k.Amount(U), k.Num(Fraction(1))))
        if fine:
            assert len(p.of_each_number(small, NUMBERS)) == most
        else:
            with pytest.raises(k.KernelError, match="too many numbers of blocks"):
                p.of_each_number(small, NUMBERS)
    some = k.MaxOver(1, ALWAYS, k.SumOver(("k",), ALWAYS, k.Amount(T), EPS))
    plainly = k.SumOver(("k",), ALWAYS, k.Inf(), EPS)
    for e in (some, k.MaxOver(1, ALWAYS, k.Sum((some.body, plainly)))):
        with pytest.raises(k.KernelError, match="how many blocks count differs"):
            p.places(e, NUMBERS)
    two = k.Connected("and", tuple(
        k.Compared(word, *sides) for n, last in ((T, 1), (U, 2))
        for word, sides in (("le", (k.Integer(0), n)), ("le", (n, k.Integer(last))))
    ))  # fmt: skip
    counts = [k.SumOver(("k",), ALWAYS, k.Amount(n), EPS) for n in (T, U)]
    each = p.of_each_number(k.MaxOver(2, two, k.Sum(tuple(counts))), NUMBERS)
    assert [len(p.of_each_number(x, NUMBERS)) for x in each] == [3, 3]


def test_functions_of_an_index_are_integers_at_each_value_of_it():
    """The functions take the second of three indices; the other total is about no function."""
    sizes, value = (2, "k", 5), k.BlockEntry("x", (2, "k", 5))
    at = k.LetterAt(1, (k.Index(2),))
    same = k.Compared("eq", k.Index(3), at)
    either = k.Connected("or", (same, k.Compared("lt", at, I)))
    both = k.Connected("and", (same, k.Compared("lt", at, I)))
    beside = k.SumOver(("k",), k.Compared("le", I, W), k.Inf(), EPS)

    def total(when, by=value):
        return k.SumOver(sizes, when, k.Inf(), by)

    e = k.MaxOver(1, ALWAYS, k.Sum((total(either), k.Sum((total(both), beside)))))
    assert p.arguments(e) == (k.Index(2),)
    assert p.parted(e) == ([total(either), total(both)], [beside])
    found = p.by_indices(e, NUMBERS)
    here = k.Compared("eq", k.Index(3), T)
    low = k.Compared("lt", T, I)
    for level, one in enumerate(found[:3], 1):
        there = k.Compared("eq", J, k.Integer(level))
        assert one == k.MaxOver(1, ALWAYS, k.Sum((
            total(k.Connected("and", (there, k.Connected("or", (here, low))))),
            total(k.Connected("and", (there, here, low))),
        )))  # fmt: skip
    assert found[3:] == [k.MaxOver(1, ALWAYS, k.Sum((beside,)))]
    alone = k.MaxOver(1, ALWAYS, total(same))
    assert [x.text() for x in p.by_indices(alone, NUMBERS)] == [
        f"max over t of sum(x[i,j,l] for j == {n} and l == t)" for n in (1, 2, 3)
    ]  # fmt: skip
    plain = k.MaxOver(1, ALWAYS, k.SumOver(("k",), k.Compared("le", I, T), k.Inf(), EPS))
    assert p.by_indices(plain, NUMBERS) == [plain]
    with pytest.raises(k.KernelError, match="is not a total over blocks"):
        p.totals_of(k.Param("a"))


def quotient(word, factor, number, by):
    """Return (factor*t + number) // by, or % by."""
    whole = k.Combined("mul", (k.Integer(factor), k.Letter(1)))
    return k.Combined(word, (k.Combined("add", (whole, k.Integer(number))), k.Integer(by)))


@pytest.mark.parametrize("by", [1, 2, 3])
@pytest.mark.parametrize("number", [-5, 0, 7])
def test_quotients_and_remainders_of_multiples_are_linear(number, by):
    for factor in (by, -2 * by):
        for word, right in (("div", lambda n: n // by), ("mod", lambda n: n % by)):
            found = p.linear(quotient(word, factor, number, by), 1, Values({}))
            for t in range(-4, 5):
                assert found.factors[0] * t + found.number == right(factor * t + number)


@pytest.mark.parametrize(("factor", "by"), [(1, 2), (3, 2), (2, 0), (2, -2)])
def test_other_quotients_are_not_linear(factor, by):
    for word in ("div", "mod"):
        with pytest.raises(k.KernelError, match="no linear form"):
            p.linear(quotient(word, factor, 1, by), 1, Values({}))


@pytest.mark.parametrize("divided", [k.Integer(12), T, k.Combined("mul", (k.Integer(2), T))])
def test_quotients_by_a_letter_are_not_linear(divided):
    for word in ("div", "mod"):
        for by in (T, plus(T, k.Integer(1)), U):
            with pytest.raises(k.KernelError, match="divided by a letter"):
                p.linear(k.Combined(word, (divided, by)), 2, Values({}))


def near(length):
    """t <= i < t + length."""
    end = plus(T, k.Integer(length))
    return k.Connected("and", (k.Compared("le", T, I), k.Compared("lt", I, end)))


def coverage(times, length=2, *, facts=ALWAYS):
    return k.Coverage(times, k.MaxOver(1, facts, k.SumOver(("k",), near(length), k.Inf(), EPS)))


R = k.Size("r")


@pytest.mark.parametrize(
    ("times", "found"),
    [
        (k.Product((k.Num(Fraction(2)), R)), [((1,), (2,))]),
        (k.Sum((R, R)), [((1,), (2,))]),
        (R, [((1,),), ((2,),)]),
        (k.Num(Fraction(1)), [((1,),), ((2,),)]),
        (k.Num(Fraction(0)), [()]),
        (k.Num(Fraction(9)), [((1,), (2,))]),
        (k.Inf(), [((1,), (2,))]),
    ],
)
def test_choices_are_of_places_that_cover_different_blocks(times, found):
    assert p.choices(coverage(times), {"k": 3, "r": 1}) == found


def test_there_may_be_no_choice_or_too_many(monkeypatch):
    nowhere = k.Compared("lt", T, T)
    assert p.choices(coverage(R, facts=nowhere), {"k": 3, "r": 2}) == [()]
    largest = coverage(k.Max((R, k.Size("s"))))
    with pytest.raises(k.KernelError, match="no number of choices"):
        p.choices(largest, {"k": 3, "r": 1, "s": 1})
    assert len(p.choices(coverage(R, 1), {"k": 6, "r": 3})) == 20
    monkeypatch.setattr(p, "MOST_PLACES", 20)
    assert len(p.choices(coverage(R, 1), {"k": 6, "r": 3})) == 20
    monkeypatch.setattr(p, "MOST_PLACES", 19)
    with pytest.raises(k.KernelError, match="too many choices of places"):
        p.choices(coverage(R, 1), {"k": 6, "r": 3})


def test_blocks_of_two_totals_are_different_blocks():
    """What one place covers in one total is not what another one covers in another."""
    left, right = (
        k.SumOver(("k",), k.Compared("eq", I, x), k.Inf(), EPS) for x in (T, plus(T, k.Integer(1)))
    )
    two = k.Coverage(R, k.MaxOver(1, ALWAYS, k.Sum((left, right))))
    assert set(p.choices(two, {"k": 2, "r": 1})) == {((n,),) for n in (0, 1, 2)}


def test_a_block_is_covered_where_it_counts_at_one_place():
    total = coverage(R).most.body
    here = Values({"k": 5}, (), (3,))
    assert p.covers_block(total, [(0,), (3,)], here)
    assert p.covers_block(total, [(2,)], here)
    assert not p.covers_block(total, [(0,), (4,)], here)
    assert not p.covers_block(total, [], here)


def rest(e, by):
    return k.Combined("mod", (e, k.Integer(by)))


def counted_blocks(e, at):
    (total,) = p.sums_of(e)
    return tuple(Values({"k": 4}, at, (i,)).hold(total.when) for i in range(1, 5))


def repeated(rng, free):
    """Return a condition in which letters occur in remainders alone."""
    letter = k.Letter(rng.randint(1, free))
    by = rng.choice((2, 3, 4))
    inside = plus(rng.choice((letter, k.Combined("neg", (letter,)))), k.Integer(rng.randint(-5, 5)))
    left = rest(rng.choice((inside, plus(inside, I))), by)
    one = k.Compared(rng.choice(WORDS), left, rng.choice((k.Integer(1), plus(I, k.Integer(-1)))))
    return k.Connected("or", (one, repeated(rng, free))) if rng.random() < 0.4 else one


def apart(rng):
    """Return facts that say of two letters how far they are from each other."""
    gap = k.Integer(rng.randint(-6, 6))
    return k.Compared(rng.choice(WORDS), *rng.choice(((T, plus(U, gap)), (plus(gap, T), U))))


FACTS = ("none", "one letter", "a remainder", "how far apart", "twice", "never")


def facts_of(name, rng, free):
    match name:
        case "one letter":
            return k.Compared("lt", k.Integer(rng.randint(-5, 5)), T)
        case "a remainder":
            return k.Compared("eq", rest(T, 2), k.Integer(rng.randint(0, 1)))
        case "how far apart" if free == 2:
            return apart(rng)
        case "twice" if free == 2:
            return k.Connected("and", (apart(rng), apart(rng)))
        case "never":
            return NEVER
        case _:
            return ALWAYS


@pytest.mark.parametrize("name", FACTS)
@pytest.mark.parametrize("free", [1, 2])
def test_remainders_have_a_place_for_each_set_of_blocks(free, name):
    rng = random.Random(name + str(free))
    met = 0
    for _ in range(25):
        total = k.SumOver(("k",), repeated(rng, free), k.Inf(), EPS)
        e = k.MaxOver(free, facts_of(name, rng, free), total)
        places = p.places(e, {"k": 4})
        assert all(Values({"k": 4}, at).hold(e.facts) for at in places)
        allowed = {
            counted_blocks(e, at) for at in product(range(-26, 27), repeat=free)
            if Values({"k": 4}, at).hold(e.facts)
        }  # fmt: skip
        assert {counted_blocks(e, at) for at in places} == allowed
        met += len(allowed) > 1
    assert met > 5 or name in ("never", "twice")


def test_remainders_beside_letters():
    """Letters are multiples of the number and remainders then, each of which has its own places."""
    both = k.Connected("or", (k.Compared("eq", rest(T, 3), I), k.Compared("lt", T, I)))
    e = k.MaxOver(1, ALWAYS, k.SumOver(("k",), both, k.Inf(), EPS))
    allowed = {counted_blocks(e, (at,)) for at in range(-20, 20)}
    assert {counted_blocks(e, at) for at in p.places(e, {"k": 4})} == allowed


def of_remainders(free, by, facts=ALWAYS):
    letters = [k.Compared("eq", rest(k.Letter(n + 1), by), I) for n in range(free)]
    when = k.Connected("or", tuple(letters)) if free > 1 else letters[0]
    return k.MaxOver(free, facts, k.SumOver(("k",), when, k.Inf(), EPS))


def test_few_places_have_all_remainders():
    assert p.places(of_remainders(1, 5), {"k": 4}) == [(n,) for n in range(5)]
    assert len(p.places(of_remainders(2, 5), {"k": 4})) == 25
    next_to = k.Compared("eq", U, plus(T, k.Integer(1)))
    assert p.places(of_remainders(2, 300, next_to), {"k": 4}) == [(n, n + 1) for n in range(300)]
    two = k.Compared("lt", k.Integer(3), T)
    assert len(p.places(of_remainders(2, 5, two), {"k": 4})) == 25


@pytest.mark.parametrize(
    ("free", "by", "facts"),
    [(2, 700, ALWAYS), (2, 150, k.Compared("lt", k.Integer(3), T)), (3, 80, ALWAYS)],
)
def test_too_many_remainders_are_refused(free, by, facts):
    with pytest.raises(k.KernelError, match="too many"):
        p.places(of_remainders(free, by, facts), {"k": 4})


def test_too_many_remainders_beside_letters_are_refused():
    both = k.Connected("or", (k.Compared("eq", rest(T, 600), I), k.Compared("lt", T, I)))
    e = k.MaxOver(1, ALWAYS, k.SumOver(("k",), both, k.Inf(), EPS))
    with pytest.raises(k.KernelError, match="too many numbers"):
        p.places(e, {"k": 4})


def far(left, word, right, gap=0):
    return k.Compared(word, left, plus(right, k.Integer(gap)))


TWICE = k.Combined("mul", (k.Integer(2), T)), k.Combined("mul", (k.Integer(2), U))


@pytest.mark.parametrize(
    "facts",
    [
        far(U, "eq", T, 1),
        far(U, "eq", T, -8),
        far(U, "lt", T, -3),
        far(T, "lt", U, 9),
        far(U, "ne", T),
        k.Connected("and", (far(U, "lt", T, 4), far(T, "lt", U, 2))),
        k.Connected("and", (far(U, "le", T, -2), far(T, "le", U, 3))),
        k.Connected("or", (far(U, "eq", T, 1), far(T, "eq", U, 1))),
        k.Connected("and", (far(TWICE[1], "lt", TWICE[0], 7), far(TWICE[0], "lt", TWICE[1], 5))),
        far(TWICE[1], "eq", TWICE[0], 5),
        far(T, "le", T, 1),
        # These say more than how far apart the letters are.
        k.Connected("and", (k.Compared("eq", rest(T, 2), k.Integer(1)), far(U, "eq", T, 1))),
        k.Connected("and", (far(U, "eq", T, 1), far(k.Integer(0), "lt", T))),
        far(plus(T, U), "eq", k.Integer(3)),
    ],
)
@pytest.mark.parametrize("by", [5, 11])
def test_each_pair_of_remainders_that_facts_allow_has_one_place(facts, by):
    places = p.places(of_remainders(2, by, facts), {"k": 4})
    everywhere = product(range(-30, 31), repeat=2)
    allowed = {(t % by, u % by) for t, u in everywhere if Values({}, (t, u)).hold(facts)}
    assert {(t % by, u % by) for t, u in places} == allowed
    assert len(places) == len(allowed)


def test_so_many_remainders_are_looked_at(monkeypatch):
    later = k.Compared("lt", k.Integer(3), T)
    monkeypatch.setattr(p, "MOST_PLACES", 25)
    monkeypatch.setattr(p, "MOST_FACTS", 16)
    assert len(p.places(of_remainders(2, 5), {"k": 4})) == 25
    assert len(p.places(of_remainders(2, 4, later), {"k": 4})) == 16
    for e in (of_remainders(2, 6), of_remainders(2, 5, later)):
        with pytest.raises(k.KernelError, match="too many remainders"):
            p.places(e, {"k": 4})
    monkeypatch.setattr(p, "MOST_REMAINDERS", 9)
    for by, many in ((3, 9), (4, 16)):
        when = k.Connected("or", (k.Compared("eq", rest(T, by), I), far(U, "lt", I)))
        e = k.MaxOver(2, ALWAYS, k.SumOver(("k",), when, k.Inf(), EPS))
        if many > 9:
            with pytest.raises(k.KernelError, match="too many numbers"):
                p.places(e, {"k": 4})
        else:
            monkeypatch.setattr(p, "MOST_PLACES", 1000)
            assert {t % 3 for t, _ in p.places(e, {"k": 4})} == {0, 1, 2}


def test_three_letters_are_not_told_by_one_difference():
    facts = k.Connected("and", (far(U, "eq", T, 1), far(k.Letter(3), "eq", U, 1)))
    places = p.places(of_remainders(3, 4, facts), {"k": 4})
    assert sorted((a % 4, b % 4, c % 4) for a, b, c in places) == [
        (n, (n + 1) % 4, (n + 2) % 4) for n in range(4)
    ]


def compared(word, left, right):
    return k.Compared(word, left, right)


def both_ends(letter, low, high):
    return compared("le", k.Integer(low), letter), compared("lt", letter, k.Integer(high + 1))


@pytest.mark.parametrize("seed", range(30))
def test_letters_between_ends_have_each_of_their_values(seed):
    """Against all integers between them: few values, or places at which signs change."""
    rng = random.Random(f"{seed} ends")
    highs = [rng.choice([0, 1, 3, 6]) for _ in range(3)]
    letters = [k.Letter(n) for n in (1, 2, 3)]
    facts = [x for t, high in zip(letters, highs, strict=True) for x in both_ends(t, 0, high)]
    facts.append(compared("le", plus(*rng.sample(letters, 2)), k.Integer(rng.randint(0, 6))))
    near = compared(rng.choice(WORDS), plus(letters[0], letters[1]), plus(I, letters[2]))
    when = k.Connected("or", (near, compared("eq", I, rng.choice(letters))))
    e = k.MaxOver(3, k.Connected("and", tuple(facts)), k.SumOver(("k",), when, k.Inf(), EPS))

    def held(at):
        return frozenset(i for i in range(1, 4) if Values(NUMBERS, at, (i,)).hold(when))

    every = [at for at in product(*(range(h + 1) for h in highs))
             if Values(NUMBERS, at).hold(e.facts)]  # fmt: skip
    found = p.places(e, NUMBERS)
    assert set(found) <= set(every)
    assert set(map(held, found)) == set(map(held, every))


def test_ends_follow_from_what_is_said_of_several_letters():
    facts = k.Connected("and", (
        compared("le", k.Integer(0), T), compared("lt", k.Integer(-1), U),
        compared("le", plus(T, U, U), k.Integer(5)),
    ))  # fmt: skip
    e = k.MaxOver(2, facts, k.SumOver(("k",), compared("eq", I, T), k.Inf(), EPS))
    assert p.ranges_of(e, NUMBERS) == {1: range(6), 2: range(3)}


def test_a_grid_of_which_signs_change_at_too_many_places():
    """Two cells of a grid that are neighbours: 4 integers, of which each is one of ten."""
    t, u, v, x = map(k.Letter, (1, 2, 3, 4))
    facts = [y for letter in (t, u, v, x) for y in both_ends(letter, 1, 10)]
    facts += [compared("le", a, plus(b, k.Integer(1))) for a, b in ((t, u), (u, t), (v, x), (x, v))]
    sums = (compared("eq", I, plus(t, v)), compared("eq", I, plus(u, x)))
    e = k.MaxOver(4, k.Connected("and", tuple(facts)), k.SumOver(
        ("n",), k.Connected("or", sums), k.Inf(), k.BlockEntry("eps", ("n",))))  # fmt: skip
    found = p.places(e, {"n": 20})
    assert len(found) == (10 + 2 * 9) ** 2
    assert (1, 2, 10, 9) in found


def test_ends_are_found_in_any_order_of_what_is_said():
    letters = [k.Letter(n) for n in (1, 2, 3)]
    chain = [compared("le", b, a) for a, b in ((U, T), (k.Letter(3), U))]
    least = [compared("le", k.Integer(0), t) for t in letters]
    facts = k.Connected("and", (*chain, compared("le", k.Letter(3), k.Integer(5)), *least))
    e = k.MaxOver(3, facts, k.SumOver(("k",), compared("eq", I, T), k.Inf(), EPS))
    assert p.ranges_of(e, NUMBERS) == {n: range(6) for n in (1, 2, 3)}


def test_more_points_than_are_looked_at_are_refused(monkeypatch):
    facts = k.Connected("and", both_ends(T, 1, 10) + both_ends(U, 1, 10))
    near = compared("le", k.Integer(2), plus(T, U, I))
    e = k.MaxOver(2, facts, k.SumOver(("k",), near, k.Inf(), EPS))
    monkeypatch.setattr(p, "MOST_PLACES", 1)
    assert len(p.places(e, NUMBERS)) == 100
    monkeypatch.setattr(p, "MOST_POINTS", 99)
    with pytest.raises(k.KernelError, match="too many places"):
        p.places(e, NUMBERS)


# ---------------------------------------------------------- ends, and integers beside functions


@pytest.mark.parametrize(
    ("facts", "ends"),
    [
        ([("le", k.Integer(0), T), ("lt", T, k.Integer(3))], {1: range(3)}),
        ([("lt", k.Integer(0), T), ("le", T, k.Integer(3))], {1: range(1, 4)}),
        ([("eq", T, k.Integer(2))], {1: range(2, 3)}),
        ([("le", T, W), ("le", k.Integer(-1), T)], {1: range(-1, 3)}),
        ([("ne", T, k.Integer(2)), ("le", T, k.Integer(2))], {}),
        ([("le", k.Integer(1), T), ("le", T, U), ("lt", U, k.Integer(3))],
         {1: range(1, 3), 2: range(1, 3)}),
        ([("le", k.Combined("mul", (k.Integer(2), T)), k.Integer(5)), ("le", k.Integer(-5),
          k.Combined("mul", (k.Integer(2), T)))], {1: range(-2, 3)}),
        ([("le", k.Combined("mul", (k.Integer(-3), T)), k.Integer(4)), ("lt", T, k.Integer(0))],
         {1: range(-1, 0)}),
        ([("le", k.Integer(0), T), ("le", k.Integer(0), T), ("lt", T, k.Integer(9)),
          ("lt", T, k.Integer(4)), ("le", k.Integer(1), T)], {1: range(1, 4)}),
    ],
)  # fmt: skip
def test_facts_say_between_which_ends_integers_are(facts, ends):
    said = k.Connected("and", tuple(k.Compared(*one) for one in facts))
    e = k.MaxOver(2, said, k.SumOver(("k",), ALWAYS, k.Inf(), EPS))
    assert p.ranges_of(e, NUMBERS) == ends


@pytest.mark.parametrize("seed", range(40))
def test_no_integers_with_the_facts_are_outside_of_their_ends(seed):
    rng = random.Random(f"{seed} ends")

    def side():
        of = k.Combined("mul", (k.Integer(rng.choice((1, 1, 2, -1, -3))), rng.choice((T, U))))
        return rng.choice((of, of, k.Integer(rng.randint(-4, 4)), W))

    words = ("le", "lt", "eq", "ne")
    rows = [k.Compared(rng.choice(words), side(), side()) for _ in range(rng.randint(2, 5))]
    facts = k.Connected("and", tuple(rows))
    ranges = p.ranges_of(k.MaxOver(2, facts, k.SumOver(("k",), ALWAYS, k.Inf(), EPS)), NUMBERS)
    met = [at for at in product(range(-9, 10), repeat=2)
           if Values(NUMBERS, at).hold(facts)]  # fmt: skip
    for at in met:
        assert all(at[n - 1] in ends for n, ends in ranges.items())


@pytest.mark.parametrize("seed", range(20))
def test_integers_beside_functions_have_all_values_that_matter(seed):
    """The largest total is that of one of them: each level has its own node, and they share t."""
    rng = random.Random(f"{seed} beside")
    first = rng.random() < 0.5
    t, node = (T, k.LetterAt(2, (k.Index(1),))) if first else (U, k.LetterAt(1, (k.Index(1),)))
    near = rng.choice((k.Compared("le", t, I), k.Compared("eq", I, t), k.Compared("lt", I, t),
                       k.Compared("eq", k.Combined("mod", (I, k.Integer(2))),
                                  k.Combined("mod", (t, k.Integer(2))))))  # fmt: skip
    here = k.Connected("and", (near, k.Compared("eq", J, node)))
    sizes = ("w", "k")
    other = k.SumOver(("k",), k.Compared("eq", I, t), k.Inf(), EPS)
    total = k.SumOver(sizes, here, k.Inf(), k.BlockEntry("x", sizes))
    facts = rng.choice((ALWAYS, k.Compared("le", t, k.Integer(1)), k.Connected("and", (
        k.Compared("le", k.Integer(0), t), k.Compared("lt", t, W)))))  # fmt: skip
    e = k.MaxOver(2, facts, k.Sum((total, other)))
    x = [[rng.randint(0, 9) for _ in range(3)] for _ in range(2)]
    eps = [rng.randint(0, 9) for _ in range(3)]

    def value(at):
        found = eps[at - 1] if 1 <= at <= 3 else 0
        for i, row in enumerate(x, 1):
            letters = (at, 0) if first else (0, at)
            found += max(row) if Values(NUMBERS, letters, (i, 1)).hold(near) else 0
        return found

    allowed = [n for n in range(-4, 8)
               if Values(NUMBERS, (n, 0) if first else (0, n)).hold(facts)]  # fmt: skip
    given = p.with_integers_given(e, NUMBERS)
    assert all(one.free == 1 and p.arguments(one) == (k.Index(1),) for one in given)
    assert not any(isinstance(y, k.Letter) for one in given for y in k.subterms(one))
    best = []
    for one in given:
        rows = p.by_indices(one, NUMBERS)
        chosen = [
            max(
                sum(
                    x[b[0] - 1][b[1] - 1] if y.sizes == sizes else eps[b[0] - 1]
                    for y in p.totals_of(row.body) for b in p.blocks(y.sizes, NUMBERS)
                    if Values(NUMBERS, (n,), b).hold(y.when)
                )
                for n in range(4)
            )
            for row in rows
        ]  # fmt: skip
        best.append(sum(chosen))
    assert max(best) == max(map(value, allowed))
