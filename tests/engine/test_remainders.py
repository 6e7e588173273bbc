"""Blocks by remainders, such as days of the week: exact, next to all integers of a window."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcomp_sym.certificates.integers import whole
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine import Structure
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from dpcomp_sym.replay import RejectedError, read

pytestmark = pytest.mark.in_turn

RECORDS = Domain({"id": "Record", "day": "int"})
LABELS = Domain({"day": "int", "label": "Label"})
EDGES = Domain({"day": "int", "head": "int"}, cap=1, cell="day(c) < head(c)")
PLACES = Domain(
    {"position": "int", "day": "int"}, cap=1, cell="position(c) >= 1",
    limits=[("position(c)", 1)],
)  # fmt: skip
WEEKDAYS = "day(c) % 7 == i - 1"
ROUND = "day(c) % k == i - 1"
FAR = range(-30, 31)


def stream(length, symbols=None):
    domain = Domain(RECORDS.attributes, symbols=symbols or {})
    return domain, library_granularity("w_event", time="day", length=length)


def problem(domain, granularity, member, size, setting="common"):
    counts = Part("counts", "blocks", setting=setting)
    return Problem(domain, granularity, [Map("blocks", member, index={"i": size})], [counts])


def pure(*args, **more):
    (bound,) = (b for b in derive(problem(*args, **more)).bounds if b.notion == "pure")
    return bound.text, bound.tight


@pytest.mark.parametrize(
    ("setting", "member", "text"),
    [
        (stream("3"), WEEKDAYS, "max over t of sum(eps[i] for i <= 7 and (i - t - 1) % 7 <= 2)"),
        (stream("w", {"w": "w >= 1"}), WEEKDAYS,
         "max over t of sum(eps[i] for i <= 7 and (i - t - 1) % 7 < w)"),
        # Both sides are divided.
        (stream("2"), "day(c) % 3 == i % 3", "max over t of sum(eps[i] for (i - t) % 3 <= 1)"),
        # Round robin, however many blocks there are.
        ((RECORDS, library_granularity("unbounded")), ROUND, "max(eps[i])"),
        ((RECORDS, library_granularity("bounded")), ROUND, "sum of the 2 largest eps[i]"),
        ((PLACES, library_granularity("ordered_bounded", position="position")), ROUND,
         "sum of the 2 largest eps[i]"),
        # Days of two records that are neighbours, or of edges that lead to higher numbers.
        ((LABELS, library_granularity("nearby", value="day")), ROUND,
         "max over t of sum(eps[i] for i == t % k + 1 or i == (t + 1) % k + 1)"),
        ((EDGES, library_granularity("edge")), ROUND,
         "max over t of sum(eps[i] for i == t % k + 1)"),
        # Several multiples lie where the window is.
        ((RECORDS, library_granularity("unbounded")), "(day(c) + i) % 7 == 0",
         "max over t of sum(eps[i] for (t + i) % 7 == 0)"),
        ((RECORDS, library_granularity("unbounded")), "day(c) // 2 % 4 == i - 1",
         "max over t of sum(eps[i] for i <= 4 and (2*i - t - 1) % 8 <= 1)"),
    ],
)  # fmt: skip
def test_the_bound_says_which_blocks_and_is_tight(setting, member, text):
    assert pure(*setting, member, "k") == (text, "yes")


def written(size):
    found = derive(problem(EDGES, library_granularity("edge"), ROUND, size))
    return as_text(certificate(found.theorems, found))


def test_strangers_divide_by_a_symbol_that_is_positive():
    assert verify(read(written("k").encode())).verdict == "proved"


ANY, POSITIVE = ("Symbol", "m"), ("Symbol", "n")


@pytest.mark.parametrize("word", ["div", "mod"])
@pytest.mark.parametrize("by", [ANY, ("Integer", 0), ("Integer", -7), ("Letter", 1)])
def test_strangers_do_not_divide_by_what_may_be_0_or_less(word, by):
    """Of m it is known that it is not negative, of n that it is positive."""
    domain = replace(RECORDS, symbols={"m": "m >= 0", "n": "n >= 1"})
    structure = Structure(problem(domain, library_granularity("unbounded"), "day(c) == i", "k"))
    pair = structure.pair(structure.edits[0])
    letters = [pair.query.fresh("int", "p")]
    for fine in (POSITIVE, ("Integer", 7), ("Symbol", "k")):
        whole(("Combined", word, (("Letter", 1), fine)), pair, letters, ())
    with pytest.raises(RejectedError, match="not a positive number"):
        whole(("Combined", word, (("Letter", 1), by)), pair, letters, ())


MEMBERS = {
    "day(c) % {m} == i - 1": lambda d, i, m: d % m == i - 1,
    "(day(c) + i) % {m} == 0": lambda d, i, m: (d + i) % m == 0,
    "i <= day(c) % {m} and day(c) % {m} < i + 2": lambda d, i, m: i <= d % m < i + 2,
    "day(c) // 2 % {m} == i - 1": lambda d, i, m: d // 2 % m == i - 1,
    "day(c) % {m} == i % {m}": lambda d, i, m: d % m == i % m,
    "(day(c) - i) % {m} <= 1": lambda d, i, m: (d - i) % m <= 1,
    "day(c) % {m} == i - 1 and day(c) >= i": lambda d, i, m: d % m == i - 1 and d >= i,
    "day(c) % {m} == i - 1 or day(c) % 2 == i": lambda d, i, m: d % m == i - 1 or d % 2 == i,
}


def neighbours(rng):
    """Some edit, and the days of the records that it changes, all that there are near 0."""
    width = rng.choice((1, 2, 3))
    match rng.choice(("one", "two", "window", "pair", "frame")):
        case "one":
            return library_granularity("unbounded"), [(d,) for d in FAR]
        case "two":
            return library_granularity("bounded"), [(a, b) for a in FAR for b in FAR]
        case "window":
            length = library_granularity("w_event", time="day", length=str(width))
            return length, [tuple(range(d, d + width)) for d in FAR]
        case "pair":
            apart = Edit(params={"t": "int"}, frame=f"day(c) == t or day(c) == t + {width}")
            return Granularity("apart", [apart]), [(d, d + width) for d in FAR]
        case _:
            week = Edit(params={"t": "int"}, frame=f"day(c) // {width} == t")
            return Granularity("week", [week]), [
                tuple(range(width * w, width * w + width)) for w in range(-12, 13)
            ]


@pytest.mark.parametrize("seed", range(60))
def test_it_is_what_the_integers_near_0_say(seed):
    """Never less than these do, and no more where it is said to be tight."""
    rng = random.Random(seed)
    divisor, size = rng.choice((1, 2, 3, 4, 5)), rng.choice((1, 2, 3, 4, 5))
    granularity, changed = neighbours(rng)
    member = rng.choice(list(MEMBERS))
    eps = [Fraction(rng.randint(0, 9)) for _ in range(size)]
    count = "k" if rng.random() < 0.5 else size
    found = derive(
        problem(RECORDS, granularity, member.format(m=divisor), count),
        values={"eps": eps}, sizes={"k": size} if count == "k" else {},
    )  # fmt: skip
    (bound,) = (b for b in found.bounds if b.notion == "pure")

    def cost(days):
        blocks = range(1, size + 1)
        held = (i for i in blocks if any(MEMBERS[member](d, i, divisor) for d in days))
        return sum(eps[i - 1] for i in held)

    truth = max(map(cost, changed))
    assert bound.value >= truth
    assert bound.tight != "yes" or bound.value == truth


@pytest.mark.parametrize("size", [24, "k"])
@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("(day(c) - i) % 24 < 3", "(i + 2 - t) % 24 <= 2"),
        ("day(c) == i or day(c) == i + 1", "t - 1 <= i <= t"),
    ],
)
@pytest.mark.parametrize("where", ["facts", "cell"])
def test_what_the_class_says_of_all_cells_bounds_the_integers(where, member, text, size):
    """24 blocks are not listed set by set, and k of them are tight."""
    hours = "0 <= day(c) and day(c) < 24"
    domain = Domain(RECORDS.attributes, **{where: [hours] if where == "facts" else hours})
    found = pure(domain, library_granularity("unbounded"), member, size)
    assert found == (f"max over t with 0 <= t <= 23 of sum(eps[i] for {text})", "yes")


def test_facts_about_what_databases_hold_do_not():
    """A fact that is about records only says nothing of a cell by itself."""
    domain = Domain(RECORDS.attributes, facts=["implies(D[c] >= 2, day(c) < 24)"])
    two = "day(c) == i or day(c) == i + 1"
    text, _ = pure(domain, library_granularity("unbounded"), two, "k")
    assert text == "max over t of sum(eps[i] for t - 1 <= i <= t)"
    text, _ = pure(domain, library_granularity("w_event", time="day", length="3"), two, "k")
    assert text == "max over t of sum(eps[i] for t - 1 <= i <= t + 2)"
