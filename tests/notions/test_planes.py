"""Largest totals where two integers decide, each by itself: compared with looking at every pair."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

import pytest

from dpcomp_sym.numbers import planes
from dpcomp_sym.numbers.planes import largest_in_plane
from dpcomp_sym.numbers.tree import MaximumTree
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import Values

WINDOW = range(-8, 13)
ALWAYS = t.Connected("and", ())
T, U, I = t.Letter(1), t.Letter(2), t.Index(1)
BLOCKS = [(n,) for n in range(1, 5)]


@dataclass
class Total:
    """A total over the blocks of a family."""

    e: t.SumOver
    blocks: list[tuple[int, ...]]


def total(when, blocks=BLOCKS):
    return Total(t.SumOver(("k",), when, t.Inf(), t.BlockEntry("eps", ("k",))), blocks)


def both(*items):
    return t.Connected("and", items)


def either(*items):
    return t.Connected("or", items)


def at_most(a, b, word="le"):
    return t.Compared(word, a, b)


def plus(a, n):
    return t.Combined("add", (a, t.Integer(n)))


def scaled(n, a):
    return t.Combined("mul", (t.Integer(n), a))


def found_by(facts, totals, units):
    return largest_in_plane(
        t.MaxOver(2, facts, t.Sum(tuple(x.e for x in totals))), {"k": 4}, totals, units
    )


def at(totals, units, place):
    return sum(
        value
        for x, values in zip(totals, units, strict=True)
        for value, block in zip(values, x.blocks, strict=True)
        if Values({"k": 4}, place, block).hold(x.e.when)
    )


def everywhere(facts, totals, units):
    allowed = [p for p in product(WINDOW, repeat=2) if Values({}, p).hold(facts)]
    return max((at(totals, units, p) for p in allowed), default=0)


def atom(rng):
    """Return a comparison about one of the integers and a block, or about the block alone."""
    letter = rng.choice((T, U))
    left = rng.choice((letter, letter, scaled(2, letter), scaled(-3, letter), t.Integer(2)))
    right = rng.choice((I, t.Integer(rng.randint(0, 3)), plus(I, rng.randint(-2, 3)), scaled(2, I)))
    sides = (left, right) if rng.random() < 0.5 else (right, left)
    return t.Compared(rng.choice(("le", "lt", "eq")), *sides)


def case(rng):
    return both(*(atom(rng) for _ in range(rng.randint(0, 4))))


FACTS = [
    ALWAYS,
    at_most(T, t.Integer(2)),
    at_most(t.Integer(3), U),
    both(at_most(t.Integer(0), T), at_most(U, t.Integer(2))),
    at_most(T, U, "lt"),
    at_most(plus(U, 2), T),
    t.Compared("ne", T, U),
    both(at_most(T, plus(U, 1)), t.Compared("ne", T, U)),
    either(t.Compared("eq", T, t.Integer(2)), at_most(U, T, "lt")),
    t.Compared("eq", T, plus(U, 3)),
    both(at_most(T, t.Integer(1)), at_most(t.Integer(2), T)),
    both(t.Compared("eq", t.Combined("add", (T, U)), t.Integer(3))),
    at_most(scaled(2, T), U),
    at_most(scaled(2, T), t.Integer(5)),
    both(at_most(T, U), at_most(t.Integer(6), scaled(3, U))),
]


def are_apart(cases):
    """Whether no two cases hold at once for a block."""
    return not any(
        sum(Values({"k": 4}, place, block).hold(one) for one in cases) > 1
        for place in product(WINDOW, repeat=2) for block in BLOCKS
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_the_largest_total_is_found(seed):
    rng = random.Random(f"{seed} planes")
    for _ in range(2):
        totals = [total(either(case(rng), case(rng)) if rng.random() < 0.6 else case(rng))
                  for _ in range(rng.randint(1, 2))]  # fmt: skip
        units = [[rng.choice((0, 1, 2, 5, 9)) for _ in BLOCKS] for _ in totals]
        for facts in rng.sample(FACTS, 4):
            found = found_by(facts, totals, units)
            if found is not None:
                best, place = found
                assert best == everywhere(facts, totals, units), (facts, totals, units)
                if best:
                    assert Values({}, place).hold(facts)
                    assert at(totals, units, place) == best


def test_cases_that_are_apart_are_read_and_others_refused():
    """In one direction or the other, and with no integer between them."""
    rng = random.Random(5)
    met = {True: 0, False: 0}
    ends = [(at_most(x, plus(I, n)), at_most(plus(I, m), x)) for x in (T, U)
            for n, m in ((1, 2), (1, 1), (0, 1))]  # fmt: skip
    for (low, high), one, other in product(ends, (ALWAYS, ends[3][0]), (ALWAYS, ends[0][1])):
        cases = both(low, one), both(high, other)
        order = cases if rng.random() < 0.5 else cases[::-1]
        totals, units = [total(either(*order))], [[rng.randint(1, 9) for _ in BLOCKS]]
        apart = are_apart(cases)
        for facts in rng.sample(FACTS[:11], 3):
            found = found_by(facts, totals, units)
            assert (found is not None) == apart, cases
            assert found is None or found[0] == everywhere(facts, totals, units)
        met[apart] += 1
    assert min(met.values()) > 3


@pytest.mark.parametrize("x", [T, U])
@pytest.mark.parametrize("word", ["le", "lt"])
def test_what_is_allowed_may_be_far_from_where_blocks_begin(x, word):
    below, above = total(at_most(x, I)), total(at_most(I, x))
    for end in (-40, 40):
        low, high = at_most(x, t.Integer(end), word), at_most(t.Integer(end), x, word)
        assert found_by(low, [below], [[1, 1, 1, 1]])[0] == 4
        assert found_by(high, [above], [[1, 1, 1, 1]])[0] == 4
        assert found_by(high, [below], [[1, 1, 1, 1]])[0] == (4 if end < 0 else 0)


def test_what_is_about_both_integers_is_refused():
    alone = at_most(T, I)
    for when in (at_most(T, U), both(alone, at_most(T, t.Combined("add", (U, I))))):
        assert found_by(ALWAYS, [total(when)], [[1, 1, 1, 1]]) is None
    other = at_most(scaled(2, U), t.Integer(5))
    for facts in (FACTS[11], FACTS[12], FACTS[13], other, both(at_most(T, U), FACTS[13])):
        assert found_by(facts, [total(alone)], [[1, 1, 1, 1]]) is None


def test_what_no_integer_meets_takes_nothing_away():
    for x in (T, U):
        never = total(both(at_most(x, I), at_most(plus(I, 5), x)))
        once = total(both(at_most(x, t.Integer(3)), at_most(t.Integer(3), x)))
        units = [[9, 9, 9, 9], [1, 1, 1, 1]]
        assert found_by(ALWAYS, [never, once], units)[0] == 4


def test_blocks_that_are_worth_nothing_may_overlap():
    twice = either(at_most(T, I), at_most(T, I))
    assert found_by(ALWAYS, [total(twice)], [[0, 0, 0, 0]])[0] == 0
    assert found_by(ALWAYS, [total(twice)], [[0, 1, 0, 0]]) is None


def test_so_much_is_looked_at(monkeypatch):
    totals, units = [total(both(at_most(T, I), at_most(U, I)), [(1,)] * 50)], [[1] * 50]
    assert found_by(ALWAYS, totals, units)[0] == 50
    monkeypatch.setattr(planes, "MOST_STEPS", 40)
    assert found_by(ALWAYS, totals, units) is None


def test_numbers_in_a_row_are_added_to_and_asked_for_their_largest():
    rng = random.Random(9)
    for size in range(1, 12):
        tree, plain = MaximumTree(size), [0] * size
        for _ in range(30):
            first, last = sorted(rng.sample(range(size + 1), k=2))
            value = rng.randint(-3, 9)
            tree.add(first, last, value)
            plain[first:last] = [x + value for x in plain[first:last]]
            first, last = sorted(rng.choices(range(size + 1), k=2))
            found, place = tree.largest(first, last)
            if first == last:
                assert found == -1
            else:
                assert found == max(plain[first:last]) == plain[place]
                assert first <= place < last
