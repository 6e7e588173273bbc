"""Ways of touching blocks that others outweigh: which are left out, and that nothing is lost."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.derivation.maximal import maximal
from tests.statements import meaning
from tests.statements.expressions import number, values_of

A, B, EPS, MU = k.Param("a"), k.Param("b"), k.BlockEntry("eps", ("k",)), k.BlockEntry("mu", ("k",))
ZERO, ONE, TWO = number(0), number(1), number(2)
TWICE = k.Product((TWO, EPS))


def some(*groups, name="p", sizes=("k",), block=()):
    """Return blocks of a map: how many, and what each adds to the two sums."""
    return Touched(name, sizes, tuple((count, tuple(added)) for count, *added in groups), block)


ONCE = some((ONE, EPS, ZERO))
BOTH = some((TWO, EPS, ZERO))
DOUBLE = some((ONE, TWICE, ZERO))
PAIR = some((ONE, EPS, MU))
SINGLE = some((ONE, A, B), name="w", sizes=())
NOTHING = some((ONE, ZERO, ZERO), name="w", sizes=())
TABLE = [
    ([(ONCE,), (BOTH,)], [1]),
    ([(BOTH,), (ONCE,)], [0]),
    ([(ONCE,), (ONCE,)], [0]),
    ([(ONCE,), (DOUBLE,), (BOTH,)], [1, 2]),
    ([(ONCE,), (PAIR,)], [1]),
    ([(PAIR,), (BOTH,)], [0, 1]),
    ([(ONCE,), (ONCE, SINGLE)], [1]),
    ([(ONCE, SINGLE), (BOTH,)], [0, 1]),
    ([(ONCE, NOTHING), (BOTH,)], [1]),
    ([(ONCE,), (SINGLE,)], [0, 1]),
    ([(SINGLE,), (some((TWO, A, B), name="w", sizes=()),)], [0]),
    ([(some((ONE, A, ZERO), name="w", sizes=()),), (SINGLE,)], [1]),
    ([(some((ONE, A, ZERO), (ONE, ZERO, B), name="w", sizes=()),), (SINGLE,)], [1]),
    ([(SINGLE,), (some((ONE, A, ZERO), (ONE, ZERO, B), name="w", sizes=()),)], [0]),
    ([(some((ONE, A, ZERO), (ONE, k.Param("c"), ZERO), name="w", sizes=()),), (SINGLE,)], [0, 1]),
    ([(some((ONE, EPS, ZERO), (ONE, MU, ZERO)),),
      (some((ONE, MU, ZERO), (ONE, EPS, ZERO)),)], [0]),
    ([(some((ONE, EPS, ZERO), (ONE, EPS, ZERO)),), (BOTH,)], [1]),
    ([(some((TWO, EPS, ZERO), (ONE, EPS, ZERO)),), (BOTH,)], [0]),
    ([(some((ONE, EPS, ZERO), (ONE, EPS, MU)),), (some((ONE, EPS, MU), (TWO, EPS, ZERO)),)], [1]),
    ([(some((TWO, EPS, MU)),), (some((ONE, EPS, MU), (ONE, EPS, ZERO)),)], [0]),
    ([(some((ONE, A, ZERO), sizes=(), block=(1,)),),
      (some((ONE, k.Sum((A, B)), ZERO), sizes=(), block=(2,)),)], [0, 1]),
    ([], []),
    ([()], [0]),
    ([(), (ONCE,)], [1]),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(TABLE)))
def test_which_ways_are_kept(place):
    ways, kept = TABLE[place]
    assert maximal(ways, ()) == [ways[n] for n in kept]


def test_one_way_can_leave_out_several():
    assert maximal([(ONCE,), (SINGLE,), (ONCE,), (BOTH, SINGLE)], ()) == [(BOTH, SINGLE)]


def test_one_block_is_outweighed_where_there_is_one():
    alone = (k.SizeRange("k", 1, 1),)
    assert maximal([(BOTH,), (DOUBLE,)], alone) == [(DOUBLE,)]
    assert maximal([(BOTH,), (DOUBLE,)], ()) == [(BOTH,), (DOUBLE,)]


def test_nothing_is_lost():
    """Whatever the numbers, what a way needs, one that is kept needs as well; in both sums."""
    rng, dropped = random.Random(3), 0
    adds = (ZERO, EPS, MU, TWICE, k.Sum((EPS, MU)), A)
    for _ in range(150):
        ways = [
            (some(*(
                (rng.choice((ONE, TWO, k.Size("m"), k.Inf())), rng.choice(adds), rng.choice(adds))
                for _ in range(rng.randint(1, 2))
            )),)
            for _ in range(3)
        ]  # fmt: skip
        kept = maximal(ways, ())
        assert all(way in ways for way in kept)
        dropped += len(ways) - len(kept)
        for _ in range(4):
            sizes = {name: rng.randint(1, 3) for name in "kmw"}
            values = values_of(sizes, lambda: Fraction(rng.randint(0, 6), 2))

            def needs(way, n, sizes=sizes, values=values):
                (blocks,) = way
                groups = tuple(k.Choice(count, added[n]) for count, added in blocks.groups)
                return meaning.value(k.Worst(("k",), groups), values, sizes)

            for way in ways:
                assert any(
                    all(needs(way, n) <= needs(other, n) for n in (0, 1)) for other in kept
                )  # fmt: skip
    assert dropped > 50
