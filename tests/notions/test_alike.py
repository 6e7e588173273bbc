"""Totals where several integers decide alike: compared with all choices of these."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.numbers import coverings
from dpcomp_sym.numbers.alike import best_places, of_each_letter, of_one_letter
from dpcomp_sym.numbers.exact import gdp_squared
from dpcomp_sym.statements.integers import Values
from tests.notions.test_together import (
    EPS,
    FAMILY,
    INF,
    SIZES,
    both,
    drawn,
    either,
    everywhere,
    in_numbers,
)
from tests.statements.test_places import ALWAYS, condition

LETTERS = [k.Letter(n) for n in (1, 2, 3, 4)]
I = k.Index(1)


def in_letter(p, letter):
    """Return a condition on the first letter as one on another."""
    return k.rewritten(p, lambda x: letter if isinstance(x, k.Letter) else None)


def alike(p, free, word=either):
    """Return that one of so many letters has a property, or all of them."""
    return word(*(in_letter(p, letter) for letter in LETTERS[:free]))


def window(letter, length=3):
    below = k.Compared("le", I, letter)
    return both(k.Compared("lt", letter, k.Combined("add", (I, k.Integer(length)))), below)


def between(low, high, letter):
    return both(k.Compared("le", k.Integer(low), letter), k.Compared("le", letter, k.Integer(high)))


def by_choice(when, facts, values, free):
    """Return the largest total, of all choices of so many integers that have the facts."""
    suited = {
        frozenset(n for n in range(1, SIZES["k"] + 1) if Values(SIZES, (x,), (n,)).hold(when))
        for x in range(-60, 61)
        if Values(SIZES, (x,)).hold(facts)
    }
    totals = (
        sum((values["eps"][n,] for n in frozenset().union(*choice)), Fraction(0))
        for choice in itertools.combinations_with_replacement(suited, free)
    )
    return max(totals, default=0)


@pytest.mark.parametrize("free", [2, 3])
def test_the_largest_total_is_that_of_the_best_choice(free):
    rng = random.Random(free)
    met = 0
    for _ in range(80 if free == 2 else 25):
        when = condition(rng, 1, 1, negated=rng.random() < 0.3)
        facts = rng.choice((ALWAYS, between(rng.randint(-3, 2), rng.randint(0, 4), LETTERS[0])))
        total = k.SumOver(FAMILY, alike(when, free), INF, EPS)
        e = k.MaxOver(free, alike(facts, free, both), total)
        values = drawn(rng)
        assert in_numbers(e, values) == by_choice(when, facts, values, free), e
        met += of_one_letter(e) is not None
    assert met > 20


def test_integers_that_differ_lose_nothing_where_there_are_enough():
    some = {(n,): Fraction(v) for n, v in enumerate((5, 1, 1, 4), 1)}
    values = {"eps": some, "mu": {}, "tau": {}}
    apart = k.Compared("ne", *LETTERS[:2])
    begun = both(k.Compared("le", LETTERS[0], I), k.Compared("le", I, LETTERS[0]))
    total = k.SumOver(FAMILY, alike(begun, 2), INF, EPS)
    for high, expected in ((4, 9), (2, 6), (1, 0)):
        facts = both(*(between(1, high, x) for x in LETTERS[:2]), apart)
        e = k.MaxOver(2, facts, total)
        assert in_numbers(e, values) == expected == everywhere(e, values, SIZES)


def test_two_letters_that_do_not_decide_alike_are_not_taken_for_one():
    total = k.SumOver(FAMILY, either(window(LETTERS[0]), window(LETTERS[1], 2)), INF, EPS)
    assert of_one_letter(k.MaxOver(2, ALWAYS, total)) is None
    same = k.SumOver(FAMILY, alike(window(LETTERS[0]), 2), INF, EPS)
    one_side = between(1, 3, LETTERS[0])
    assert of_one_letter(k.MaxOver(2, one_side, same)) is None
    assert of_one_letter(k.MaxOver(2, ALWAYS, k.Sum((same, total)))) is None
    only_one = k.SumOver(FAMILY, window(LETTERS[0]), INF, EPS)
    assert of_one_letter(k.MaxOver(2, ALWAYS, only_one)) is None


def test_a_block_that_counts_in_two_places():
    """Block 2 counts where it stands alone, and beside block 1."""
    at = k.Compared("eq", LETTERS[0], k.Integer(-5)), k.Compared("eq", LETTERS[0], k.Integer(1))
    second = [both(x, k.Compared("eq", I, k.Integer(2))) for x in at]
    begun = both(k.Compared("le", LETTERS[0], I), k.Compared("le", I, LETTERS[0]))
    odd = both(begun, k.Compared("ne", I, k.Integer(2)))
    when = either(*(x for one in (odd, *second) for x in alike(one, 2).items))
    some = {(n,): Fraction(v) for n, v in enumerate((5, 6, 5, 0), 1)}
    e = k.MaxOver(2, ALWAYS, k.SumOver(FAMILY, when, INF, EPS))
    assert of_one_letter(e) is not None
    assert in_numbers(e, {"eps": some, "mu": {}, "tau": {}}) == 16


def test_irrational_numbers_that_whole_units_do_not_tell_apart():
    """One block is larger by less than any unit: exact numbers decide which two are the best."""
    gdp, tiny = k.Apply("gdp", (k.Num(Fraction(1)),)), Fraction(1, 10**100)
    of_two = alike(k.Compared("le", I, LETTERS[0]), 2)
    begun = either(*(both(k.Compared("le", x, I), k.Compared("le", I, x)) for x in LETTERS[:2]))
    values = {"eps": {(n,): 1 + tiny * (n == 3) for n in range(1, 5)}, "mu": {}, "tau": {}}
    e = k.MaxOver(2, ALWAYS, k.SumOver(FAMILY, begun, INF, k.Product((EPS, gdp, gdp))))
    assert in_numbers(e, values) == (2 + tiny) * gdp_squared(Fraction(1))
    every = k.MaxOver(2, ALWAYS, k.SumOver(FAMILY, of_two, INF, k.Product((EPS, gdp, gdp))))
    assert in_numbers(every, values) == (4 + tiny) * gdp_squared(Fraction(1))


def said(facts, *conditions, free=2):
    """Return what one letter says of facts, and of totals over blocks with some conditions."""
    totals = tuple(k.SumOver(FAMILY, when, INF, EPS) for when in conditions)
    found = of_one_letter(k.MaxOver(free, facts, k.Sum(totals)))
    if found is None:
        return None
    assert found.free == 1
    return found.facts, [x.when for x in found.body.items]


T, U = LETTERS[:2]
ANY = both(*(between(1, 4, x) for x in LETTERS[:2]))
APART = k.Compared("ne", T, U)


def test_what_one_letter_says():
    begun = alike(k.Compared("le", T, I), 2)
    one = between(1, 4, T)
    assert said(both(one, between(1, 4, U)), begun) == (one, [k.Compared("le", T, I)])
    assert said(both(*one.items, *between(1, 4, U).items), begun)[0] == one
    assert said(both(one, between(1, 4, U), APART), begun)[0] == one
    assert said(APART, begun)[0] == ALWAYS == said(ALWAYS, begun)[0]
    of_blocks = k.Compared("le", I, k.Integer(3))
    when = both(k.Compared("le", I, k.Integer(3)))
    assert said(ALWAYS, of_blocks)[1] == [of_blocks]
    assert said(ALWAYS, either(begun, of_blocks)) is None  # an "or" that stands inside
    both_ways = either(*begun.items, of_blocks)
    assert said(ALWAYS, both_ways)[1] == [either(k.Compared("le", T, I), of_blocks)]
    assert said(ALWAYS, begun, when)[1][1] == when
    assert said(ALWAYS, k.Connected("or", ()))[1] == [k.Connected("or", ())]


@pytest.mark.parametrize(
    "facts",
    [
        k.Compared("lt", T, U),
        k.Compared("eq", T, U),
        k.Compared("ne", T, T),
        k.Compared("ne", T, k.Combined("add", (U, k.Integer(1)))),
        k.Compared("ne", T, k.Integer(3)),
        either(APART, k.Compared("le", T, k.Integer(3))),
        both(APART, k.Compared("le", T, k.Integer(3))),
    ],
)
def test_facts_that_say_more_than_of_each_letter(facts):
    assert said(facts, alike(k.Compared("le", T, I), 2)) is None


@pytest.mark.parametrize(
    "when",
    [
        both(window(T), window(U)),
        either(window(T), window(U), APART),
        APART,
        k.Compared("le", k.Combined("add", (T, U)), I),
    ],
)
def test_conditions_that_say_more_than_of_one_letter(when):
    assert said(ALWAYS, when) is None
    fine = alike(window(T), 2)
    assert said(ALWAYS, when, fine) is None is said(ALWAYS, fine, when)


def test_functions_of_an_index_are_no_letters():
    each = [k.Compared("eq", I, k.LetterAt(n, (k.Index(1),))) for n in (1, 2)]
    for when in (either(*each), both(each[0])):
        assert said(ALWAYS, when) is None


def test_one_letter_may_be_any():
    either_way = either(k.Compared("le", U, I), k.Compared("eq", U, I))
    assert of_each_letter(either_way, "or", [2]) == in_letter(either_way, T)
    assert of_each_letter(window(U), "or", [2]) == window(T)


def test_no_letter_decides_nothing():
    assert of_each_letter(k.Compared("le", I, I), "or", []) is None


def test_more_steps_than_are_gone_are_refused(monkeypatch):
    rows, allowed = [(5, 1, 3), (4, 4, 6)], [(0, 9)]
    assert best_places(rows, allowed, 1) == [1]
    assert best_places(rows, [], 1) is None
    monkeypatch.setattr("dpcomp_sym.numbers.alike.MOST_STEPS", 5)
    assert best_places(rows, allowed, 2) == [1, 4]
    monkeypatch.setattr("dpcomp_sym.numbers.alike.MOST_STEPS", 4)
    assert best_places(rows, allowed, 2) is None


def test_four_places_among_two_thousand_blocks(monkeypatch):
    """Windows of three steps: no choice of four is looked at, and the best one is found."""
    monkeypatch.setattr(coverings, "places", None)
    rng = random.Random(4)
    sizes = {**SIZES, "k": 2000}
    values = {"eps": {(n,): Fraction(rng.randint(0, 3)) for n in range(1, 2001)}}
    for n in (5, 700, 1300, 1990):
        for step in range(3):
            values["eps"][n + step,] = Fraction(10, 3)
    e = k.MaxOver(4, ALWAYS, k.SumOver(FAMILY, alike(window(LETTERS[0]), 4), INF, EPS))
    assert in_numbers(e, {"mu": {}, "tau": {}, **values}, sizes) == 40


@pytest.mark.parametrize("number", [1, 2, 3])
def test_places_are_the_best_ones_that_are_allowed(number):
    rng = random.Random(number)
    for _ in range(200):
        rows = [
            (rng.randint(0, 9), low, low + rng.randint(0, 5))
            for low in (rng.randint(-4, 8) for _ in range(rng.randint(1, 7)))
        ]
        allowed = [(-2, 1), (4, 9)] if rng.random() < 0.5 else [(-20, 20)]
        inside = [x for low, high in allowed for x in range(low, high + 1)]

        def worth(places, rows=rows):
            return sum(v for v, low, high in rows if any(low <= x <= high for x in places))

        found = best_places(rows, allowed, number)
        assert set(found) <= set(inside)
        best = max(map(worth, itertools.combinations_with_replacement(inside, number)))
        assert len(found) <= number
        assert worth(found) == best


def test_what_is_said_of_the_block_alone_stays_beside_what_letters_say():
    """Where both letters are to be so, or one of them alone, they are not alike."""
    i, few = k.Index(1), k.Compared("le", k.Index(1), k.Integer(3))
    near = [k.Compared("le", k.Letter(n), i) for n in (1, 2)]
    either = k.Connected("or", tuple(near))
    for items, text in (
        ((few, either), "i <= 3 and t <= i"),
        ((either, few), "t <= i <= 3"),
        ((few, either, few), "i <= 3 and t <= i <= 3"),
    ):
        total = k.SumOver(("k",), k.Connected("and", items), k.Inf(), k.BlockEntry("eps", ("k",)))
        found = of_one_letter(k.MaxOver(2, ALWAYS, total))
        assert found.text() == f"max over t of sum(eps[i] for {text})"
    for items in ((few, *near), (few, near[0]), (either, either)):
        total = k.SumOver(("k",), k.Connected("and", items), k.Inf(), k.BlockEntry("eps", ("k",)))
        assert of_one_letter(k.MaxOver(2, ALWAYS, total)) is None
