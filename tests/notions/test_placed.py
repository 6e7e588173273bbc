"""Vectors of blocks that integers tell, written out: by hand, and by trying all integers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym import statements as t
from dpcomp_sym.numbers import placed as module
from dpcomp_sym.numbers.placed import placed
from dpcomp_sym.profile import ALL, INFINITY, Group, Symbolic, Varying
from dpcomp_sym.statements.integers import Values

EVERY = t.Connected("and", ())
T, U, I, J = t.Letter(1), t.Letter(2), t.Index(1), t.Index(2)
ONE = (("m", 1),)


def plus(a, n):
    return t.Combined("add", (a, n if isinstance(n, t.Whole) else t.Integer(n)))


def both(*items):
    return t.Connected("and", items)


def either(*items):
    return t.Connected("or", items)


def window(start, length, index=I):
    return both(t.Compared("le", start, index), t.Compared("lt", index, plus(start, length)))


def group(when, distances=ONE, count=ALL, free=1, facts=EVERY, name="p", **more):
    return Group(name, count, distances, when=(free, facts, when), **more)


def written(vectors):
    """Return the blocks of each vector, with their distances."""
    return sorted(sorted((g.map, g.block, g.distances) for g in v) for v in vectors)


def blocks_of(vectors):
    return sorted(sorted(g.block for g in v) for v in vectors)


# ------------------------------------------------------------------ by hand


def test_windows_are_at_each_place():
    days = (group(window(T, t.Symbol("w"))),)
    for w, wanted in (
        (1, [[(1,)], [(2,)], [(3,)]]),
        (2, [[(1,), (2,)], [(2,), (3,)]]),
        (3, [[(1,), (2,), (3,)]]),
        (9, [[(1,), (2,), (3,)]]),
    ):
        assert blocks_of(placed(days, {"p": ("k",)}, {"k": 3, "w": w})) == wanted
    assert blocks_of(placed(days, {"p": (2,)}, {"w": 1})) == [[(1,)], [(2,)]]
    assert placed(days, {"p": ("k",)}, {"k": 3}) is None  # no number for w
    assert placed(days, {"p": ("k",)}, {"w": 3}) is None


def test_no_block_changes_where_none_is_told():
    never = group(both(t.Compared("lt", I, t.Integer(1)), t.Compared("eq", I, T)))
    assert blocks_of(placed((never,), {"p": (3,)}, {})) == [[]]
    nowhere = group(t.Compared("eq", I, T), facts=t.Compared("lt", T, t.Integer(-5)))
    assert blocks_of(placed((nowhere,), {"p": (3,)}, {})) == [[]]
    impossible = group(t.Compared("eq", I, T), facts=t.Compared("lt", t.Integer(1), t.Integer(0)))
    assert placed((impossible,), {"p": (3,)}, {}) == []


def test_what_no_integer_tells_stays():
    alone = (Group("p", 2, ONE), Group("q", 1, ONE, (3,)))
    assert placed(alone, {"p": ("k",), "q": (4,)}, {}) == [alone]
    told, other = group(t.Compared("eq", I, T)), Group("q", 2, (("n", 1),))
    found = placed((other, told), {"p": (2,), "q": (4,)}, {})
    assert found == [(other, Group("p", 1, ONE, (n,))) for n in (1, 2)] or found == [
        (other, Group("p", 1, ONE, (n,))) for n in (2, 1)
    ]
    beside = Group("p", 1, ONE)
    assert placed((beside, told), {"p": (2,)}, {}) is None  # another block than that


def test_distances_are_numbers_or_those_of_the_place():
    rows = (("m", Symbolic("a", 2)), ("n", INFINITY), ("o", 0), ("h", Fraction(1, 2)))
    (found,) = placed((group(t.Compared("eq", I, T), rows),), {"p": (1,)}, {"a": 3})
    assert found == (Group("p", 1, (("m", 6), ("n", INFINITY), ("h", Fraction(1, 2))), (1,)),)
    # Of a window of three steps a block of two steps holds one or two.
    first, last = t.Combined("mul", (t.Integer(2), I)), plus(T, 2)
    high = t.Combined("min", (first, last))
    low = t.Combined("max", (plus(first, -1), T))
    overlap = plus(plus(high, t.Combined("neg", (low,))), 1)
    meets = both(t.Compared("le", plus(first, -1), last), t.Compared("le", T, first))
    found = placed((group(meets, (("m", Varying(overlap)),)),), {"p": (2,)}, {})
    assert written(found) == [
        [("p", (1,), (("m", 1),)), ("p", (2,), (("m", 2),))],
        [("p", (1,), (("m", 2),)), ("p", (2,), (("m", 1),))],
    ]


def test_a_smaller_distance_is_no_part_of_a_larger_one_but_of_the_same():
    where = t.Compared("eq", I, t.Integer(1))
    far = group(where, (("m", Varying(T)),), facts=both(
        t.Compared("le", t.Integer(1), T), t.Compared("le", T, t.Integer(2))
    ))  # fmt: skip
    assert written(placed((far,), {"p": (1,)}, {})) == [
        [("p", (1,), (("m", 1),))], [("p", (1,), (("m", 2),))],
    ]  # fmt: skip


def test_distances_are_looked_at_between_the_places_where_blocks_change():
    """Also where only one of several distances, or of several families, varies."""
    here = t.Compared("eq", I, t.Integer(1))
    near = both(t.Compared("le", t.Integer(1), T), t.Compared("le", T, t.Integer(9)))
    seen = ("m", Varying(T)), ("n", 1)
    alone = placed((group(here, seen, facts=near),), {"p": (1,)}, {})
    assert sorted(dict(g.distances)["m"] for (g,) in alone) == list(range(1, 10))
    two = group(here, seen, facts=near), group(here, (("o", 1),), facts=near, name="q")
    beside = placed(two, {"p": (1,), "q": (1,)}, {})
    assert sorted(dict(g.distances)["m"] for g, _ in beside) == list(range(1, 10))
    never = group(here, seen, facts=t.Compared("lt", t.Integer(1), t.Integer(0)))
    assert placed((never,), {"p": (1,)}, {}) == []


def test_limits_that_leave_blocks_out_are_not_written_out():
    two = window(T, 2)
    assert placed((group(two, count=1),), {"p": (3,)}, {}) is None
    assert placed((group(two, count=Symbolic("a")),), {"p": (3,)}, {"a": 1}) is None
    enough = placed((group(two, count=2),), {"p": (3,)}, {})
    assert enough == placed((group(two, count=Symbolic("a")),), {"p": (3,)}, {"a": 2})
    assert blocks_of(enough) == [[(1,), (2,)], [(2,), (3,)]]


def test_what_is_not_understood_is_not_written_out(monkeypatch):
    same = t.Compared("eq", I, T)
    levels = group(t.Compared("eq", J, t.LetterAt(1, (t.Index(1),))), name="cells")
    families = {"p": (2,), "q": (2,), "cells": (2, 2)}
    for vector in (
        (group(same), group(t.Compared("eq", I, T), name="q", facts=t.Compared("le", T, T))),
        (group(same), group(same, (("n", 1),))),  # a block is chosen twice
        (group(same, wide=2),),
        (group(same), group(same, name="q", wide=2)),
        (levels,),
        (group(either(same, t.Compared("eq", I, U)), (("m", Varying(T)),), free=2),),
    ):
        assert placed(vector, families, {}) is None
    monkeypatch.setattr(module, "MOST_WORK", 8)  # four places, two blocks
    assert placed((group(same),), {"p": (2,)}, {}) is not None
    monkeypatch.setattr(module, "MOST_WORK", 7)
    assert placed((group(same),), {"p": (2,)}, {}) is None


# ------------------------------------------------------------------ by trying all integers


def _random_condition(rng, letters, width):
    def edge():
        index = t.Index(rng.randint(1, width))
        word = rng.choice(("le", "lt", "eq", "ne"))
        pair = [index, plus(t.Letter(rng.randint(1, letters)), rng.randint(-2, 2))]
        rng.shuffle(pair)
        return t.Compared(word, *pair)

    items = [edge() for _ in range(rng.randint(1, 3))]
    found = t.Connected(rng.choice(("and", "or")), tuple(items))
    return t.Connected("not", (found,)) if rng.random() < 0.2 else found


@pytest.mark.parametrize("seed", range(60))
def test_they_are_the_largest_of_all_that_integers_tell(seed):
    rng = random.Random(seed)
    letters, width = rng.choice(((1, 1), (1, 2), (2, 1)))
    family = (3,) if width == 1 else (2, 2)
    facts = EVERY
    if letters == 2:
        facts = both(t.Compared("le", T, U), t.Compared("le", U, plus(T, rng.randint(0, 2))))
    when = _random_condition(rng, letters, width)
    found = placed((group(when, free=letters, facts=facts),), {"p": family}, {})
    every = list(itertools.product(*(range(1, n + 1) for n in family)))
    told = {
        frozenset(b for b in every if Values({}, at, b).hold(when))
        for at in itertools.product(range(-9, 14), repeat=letters)
        if Values({}, at).hold(facts)
    }
    largest = {one for one in told if not any(one < other for other in told)}
    assert {frozenset(g.block for g in v) for v in found} == largest
    assert len(found) == len(largest)


def test_each_family_is_told_by_its_own_integer():
    """The first integer is less than the second: so is the block of p than that of q."""
    first, second = (t.Compared("eq", I, x) for x in (T, U))
    less = t.Compared("lt", T, U)
    two = (group(first, free=2, facts=less), group(second, free=2, facts=less, name="q"))
    found = placed(two, {"p": ("k",), "q": ("k",)}, {"k": 3})
    assert {tuple((g.map, g.block) for g in v) for v in found} >= {
        (("p", (a,)), ("q", (b,))) for a, b in ((1, 2), (1, 3), (2, 3))
    }
    assert not any({g.map: g.block for g in v}.get("p") == (3,) and len(v) == 2 for v in found)
