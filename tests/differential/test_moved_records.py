"""A record in the place of another one, and mechanisms on blocks that may have held both.

Each is private when one record comes or goes.  A window that had the old record and has the new
one is at distance 2, one that holds only one of them at distance 1.  What is lost is half of what
would be lost if both were where the old one is, and half of that where the new one is, so at most
the worse of these: twice the largest total of one place.  It is attained, since both may be in one
place.  Where they may not, the bound is taken over two places.  Each bound is the largest that any
neighbours need, where it is called tight.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.numbers.together import largest_together
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements import terms as t
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

EVENTS = """
[domain]
attributes = {{ id = "Event", step = "int" }}
symbols = {{ L = "L >= 1" }}
{domain}
kind = "set"
[granularity]
name = "an event is replaced"
[[granularity.edit]]
params = {{ x = "cell", y = "cell" }}
guard = "D[x] >= 1 and {guard}"
change = {{ x = "-1", y = "1" }}
[[map]]
name = "windows"
index = {{ i = "k" }}
member = "{member}"
[[part]]
name = "counts"
map = "windows"
granularity = "unbounded"
guarantee = {{ pure = "eps", zcdp = "rho" }}
{more}
"""
ANY, SAME = "x != y", "x != y and id(x) == id(y)"
NEAR = "x != y and abs(step(x) - step(y)) <= 1"
WINDOW = "i <= step(c) and step(c) < i + L"
LATE = """
[[map]]
name = "late"
member = "step(c) >= 2"
[[part]]
name = "whole"
map = "late"
{setting}
guarantee = {{ pure = "e", zcdp = "r" }}
"""
OWN, COMMON = 'granularity = "unbounded"', 'setting = "common"'
HERE = "t - L < i <= t"
ONCE = "max over t of sum(2*eps[i] for "
CASES = {
    # With eps = 5, 1, 1, 1, 5 and L = 3 it is 2*(5 + 1 + 1) = 14; the three largest give 22.
    "windows": (ANY, WINDOW, "", "", True, f"{ONCE}{HERE})"),
    "one that is moved": (SAME, WINDOW, "", "", True, None),
    "moved by a step at most": (NEAR, WINDOW, "", "", True, f"{ONCE}{HERE})"),
    "of two steps": (ANY, "step(c) == i or step(c) == i + 2", "", "", True,
        f"{ONCE}i == t or i == t - 2)"),
    "steps from 1 on": (ANY, WINDOW, 'cell = "step(c) >= 1"', "", True,
        f"max over t with 0 < t of sum(2*eps[i] for {HERE})"),
    "one a step": (ANY, WINDOW, 'limits = [["step(c)", 1]]', "", True, f"{ONCE}{HERE})"),
    "two maps": (ANY, WINDOW, "", LATE.format(setting=OWN), True,
        f"max over t of (sum(2*eps[i] for {HERE}) + (2*e if 1 < t))"),
    "two settings": (ANY, WINDOW, "", LATE.format(setting=COMMON), True, None),
}  # fmt: skip


def spec(case):
    guard, member, domain, more, *_ = CASES[case]
    return load_spec(EVENTS.format(guard=guard, member=member, domain=domain, more=more))


def worlds():
    """Two events at any two steps of a few."""
    for steps in itertools.combinations(range(7), 2):
        yield [(event, n) for event in "ef" for n in steps]


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_records_in_the_place_of_others(case):
    *_, tight, said = CASES[case]
    problem = spec(case).problem
    sizes = {"k": 4, "L": 2}
    found = Comparison(1, Drawn(problem, sizes, worlds, {"Event": ("e", "f")}))
    assert not found.wrong()
    assert ("tight" in found.kinds()) is tight
    if said:
        assert derive(problem).bounds["pure"].text == said


@pytest.mark.in_turn
@pytest.mark.parametrize("case", ["windows", "one that is moved", "two settings"])
def test_certificates_say_which_records_blocks_hold(case):
    derivation = derive(spec(case).problem)
    assert verify(certificate(derivation.theorems, derivation)).verdict == "proved"


@pytest.mark.parametrize(("case", "value"), [("windows", 14), ("one that is moved", 14)])
def test_one_place_in_numbers(case, value):
    given = load_spec(spec_text(case), ["L=3", "k=5", "eps=[5,1,1,1,5]"])
    found = derive(given.problem, values=given.values, sizes=given.sizes).bounds["pure"]
    assert (found.value, found.tight) == (value, "yes")


@pytest.mark.in_turn
def test_two_places_in_numbers():
    """Each of many windows is seen from 2 where both steps are in it."""
    values = ["L=3", "k=500", f"eps={[n % 7 for n in range(500)]}"]
    given = load_spec(spec_text("one that is moved"), values)
    found = derive(given.problem, values=given.values, sizes=given.sizes).bounds["pure"]
    assert (found.value, found.tight) == (2 * 15, "yes")


def spec_text(case):
    guard, member, domain, more, *_ = CASES[case]
    return EVENTS.format(guard=guard, member=member, domain=domain, more=more)


def _side(rng, letter):
    left = t.Combined("add", (t.Letter(letter), t.Integer(rng.randint(-2, 3))))
    sides = [left, t.Index(1)]
    rng.shuffle(sides)
    return t.Compared(rng.choice(("lt", "le", "le", "eq", "ne")), *sides)


def _condition(rng):
    atoms = tuple(_side(rng, rng.choice((1, 2))) for _ in range(rng.randint(1, 3)))
    if rng.random() < 0.4:
        either = t.Connected("or", tuple(_side(rng, rng.choice((1, 2))) for _ in range(2)))
        atoms = (*atoms, either)
    return t.Connected("and", atoms)


T, U, ALWAYS = t.Letter(1), t.Letter(2), t.Connected("and", ())
DIFFERENT = t.Compared("ne", T, U)
FACTS = (
    ALWAYS,
    DIFFERENT,
    t.Connected("and", (t.Compared("le", T, t.Combined("add", (U, t.Integer(1)))), DIFFERENT)),
    t.Connected("and", (t.Compared("le", t.Integer(0), T), t.Compared("le", U, t.Integer(2)))),
    t.Connected("or", (t.Compared("eq", T, t.Integer(2)), t.Compared("lt", U, T))),
)


@pytest.mark.parametrize("seed", range(12))
def test_two_integers_are_those_of_all_places(seed, monkeypatch):
    """The tree of totals finds what looking at each place does."""
    from dpcomp_sym.numbers import together

    rng, compared = random.Random(f"{seed} plane"), 0
    for _ in range(8):
        eps = [rng.choice((0, 1, 2, 7, Fraction(1, 2))) for _ in range(rng.randint(1, 4))]
        parts = [
            t.SumOver(("k",), _condition(rng), t.Inf(), t.BlockEntry("eps", ("k",)))
            for _ in range(rng.randint(1, 3))
        ]
        e = t.MaxOver(2, rng.choice(FACTS), t.Sum(tuple(parts)))
        given = e, {"k": len(eps)}, lambda *_, eps=eps: eps, lambda _: float("inf")
        found = largest_together(*given)
        with monkeypatch.context() as patch:
            patch.setattr(together, "largest_in_plane", lambda *_: None)
            patch.setattr(together, "largest_pair", lambda *_: None)
            assert largest_together(*given) == found
        compared += found > 0
    assert compared
