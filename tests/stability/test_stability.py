"""Stability claims about functions: refuted with a smallest pair, or checked in a scope."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from fractions import Fraction

import pytest

from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError
from dpcomp_sym.stability import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    SYMMETRIC,
    Lists,
    Multisets,
    StabilityClaim,
    Tables,
    check_stability,
    claims_of,
    neighbours,
)

EXAMPLE = "examples/foreign/released_library.py"


def checked(function, scope, d_in, d_out, bound):
    return check_stability(StabilityClaim(function, scope, d_in, d_out, bound))


# ------------------------------------------------------------------ metrics


def steps(start, successors, within):
    """Path lengths by breadth first (another way to the same distances)."""
    found, front = {start: 0}, [start]
    while front:
        front = [n for x in front for n in successors(x) if n in within and n not in found
                 and not found.update({n: found[x] + 1})]  # fmt: skip
    return found


WORDS = [w for n in range(4) for w in itertools.product("ab", repeat=n)]
LONGER = {w for n in range(7) for w in itertools.product("ab", repeat=n)}


def edits(word):
    yield from (word[:n] + word[n + 1 :] for n in range(len(word)))
    yield from ((*word[:n], x, *word[n:]) for n in range(len(word) + 1) for x in "ab")


def replacements(word):
    yield from ((*word[:n], x, *word[n + 1 :]) for n in range(len(word)) for x in "ab")


@pytest.mark.parametrize("start", WORDS)
def test_metrics_are_path_lengths(start):
    by_edits, by_replacing = steps(start, edits, LONGER), steps(start, replacements, LONGER)
    orders = {w: set(itertools.permutations(w)) for w in WORDS}
    for word in WORDS:
        assert INSERT_DELETE.of(list(start), list(word)) == by_edits[word]
        assert HAMMING.of(list(start), list(word)) == by_replacing.get(word)
        assert SYMMETRIC.of(start, word) == min(by_edits[w] for w in orders[word])
        replaced = [by_replacing[w] for w in orders[word] if w in by_replacing]
        assert CHANGE_ONE.of(start, word) == min(replaced, default=None)


def test_metrics_of_numbers():
    assert ABSOLUTE.of(1, Fraction(5, 2)) == Fraction(3, 2)
    assert L1.of([1, 2], [3, 0]) == 4
    assert L1.of([1], [1, 2]) is None
    assert (DISCRETE.of([1], [1]), DISCRETE.of("a", "b")) == (0, 1)
    for metric, bad in ((SYMMETRIC, 3), (ABSOLUTE, "x"), (ABSOLUTE, float("nan"))):
        with pytest.raises(InputError):
            metric.of(bad, bad)


# ------------------------------------------------------------------ claims of a released library


def test_the_example_has_two_false_claims_and_four_true_ones():
    found = [check_stability(claim) for claim in claims_of(EXAMPLE)]
    assert [one.verdict for one in found] == ["refuted"] * 2 + ["checked"] * 4
    order, pairs, *_ = found
    assert (order.pair.near, order.pair.apart, order.pair.allowed) == (2, 2, 1)
    assert (len(pairs.pair.old), len(pairs.pair.new), pairs.pair.apart) == (1, 2, 2)


def test_moving_a_record_is_found_with_two_records():
    found = checked(lambda rows: rows, Lists("ab", size=2), INSERT_DELETE, HAMMING, "d/2")
    assert (found.pair.old, found.pair.new) == (["a", "b"], ["b", "a"])
    # One name, two metrics: without order the same claim holds.
    found = checked(lambda rows: rows, Lists("abc", size=3), SYMMETRIC, CHANGE_ONE, "d/2")
    assert found.verdict == "checked"
    assert found.worst == ((0, 0), (2, 1), (4, 2), (6, 3))


def test_order_matters_at_distance_nothing():
    found = checked(lambda rows: rows[:1], Lists("ab", at_most=3), SYMMETRIC, DISCRETE, "d")
    assert found.pair.near == 0
    assert Counter(found.pair.old) == Counter(found.pair.new)
    found = checked(lambda rows: rows[:1], Multisets("ab", at_most=3), SYMMETRIC, DISCRETE, "d")
    assert found.verdict == "checked"


def test_an_infinite_distance_refutes_every_bound():
    found = checked(lambda rows: rows, Lists("a", at_most=1), SYMMETRIC, HAMMING, "1000*d")
    assert found.pair.apart is None
    assert "infinitely far" in found.text()
    assert found.as_json()["counterexample"]["d_out"] == "inf"


def test_neighbours_only():
    def one_more(D, E):
        return len(E) == len(D) + 1 and not Counter(D) - Counter(E)

    metric = neighbours("unbounded", one_more)
    assert checked(len, Lists("ab", at_most=3), metric, ABSOLUTE, "1").verdict == "checked"
    found = checked(lambda D: 2 * len(D), Lists("ab", at_most=3), metric, ABSOLUTE, "1")
    assert (found.pair.old, found.pair.new) == ([], ["a"])


def test_tables_and_arguments_that_are_changed():
    def older(rows):
        while rows and rows[-1]["age"] == 0:
            rows.pop()
        return rows

    scope = Tables({"age": [0, 1], "vip": [False, True]}, at_most=2)
    found = checked(older, scope, SYMMETRIC, SYMMETRIC, "d")
    assert found.verdict == "refuted"
    assert all("age" in row for row in [*found.pair.old, *found.pair.new])


# ------------------------------------------------------------------ laws


def test_the_pair_is_a_smallest_one_and_true_claims_hold():
    rng = random.Random(3)
    refuted = 0
    scope = Lists("ab", at_most=3)
    databases = list(scope.databases())
    for _ in range(60):
        answers = {tuple(D): rng.choice([0, 0, 0, 1, 2]) for D in databases}
        bound = rng.choice(["d", "2*d", "d/2", "1"])
        found = checked(lambda D, a=answers: a[tuple(D)], scope, INSERT_DELETE, ABSOLUTE, bound)
        factor = {"d": 1, "2*d": 2, "d/2": Fraction(1, 2), "1": 0}[bound]
        bad = [
            (len(D) + len(E), max(len(D), len(E)), d)
            for D, E in itertools.combinations(databases, 2)
            if (d := INSERT_DELETE.of(D, E)) is not None
            and abs(answers[tuple(D)] - answers[tuple(E)]) > (factor * d if factor else 1)
        ]
        assert (found.verdict == "refuted") == bool(bad)
        if bad:
            refuted += 1
            D, E = found.pair.old, found.pair.new
            assert (len(D) + len(E), max(len(D), len(E)), found.pair.near) == min(bad)
    assert 10 < refuted < 60


# ------------------------------------------------------------------ what cannot be used


@pytest.mark.parametrize(
    ("function", "scope", "bound", "said"),
    [
        (lambda D: D[0], Lists("a", at_most=1), "d", r"fails on \[\]: IndexError"),
        (lambda _: random.random(), Lists("a", at_most=1), "d", "is random"),
        (len, Lists("ab", at_most=20), "d", "are more than 3,000,000"),
        (len, Lists("a", size=1), "d", "no two of them"),
        (len, Lists("a"), "d", "either 'at_most'"),
        (len, Lists("a", 1, 1), "d", "either 'at_most'"),
        (len, Lists("a", at_most=1), "2*e", "unknown name 'e'"),
        (len, Lists("a", at_most=1), "2*", "neither a number nor a formula"),
        (len, Lists("a", at_most=1), lambda _: None, "not a finite number"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_told(function, scope, bound, said):
    with pytest.raises(InputError, match=said):
        checked(function, scope, SYMMETRIC, ABSOLUTE, bound)


def run(*arguments):
    with pytest.raises(SystemExit) as left:
        main(list(map(str, arguments)))
    return left.value.code


@pytest.mark.in_turn
def test_the_command(tmp_path, capsys):
    assert run("stability", EXAMPLE) == 1
    out = capsys.readouterr().out
    assert "claimed: at most 1" in out
    assert "nothing is claimed beyond them" in out
    assert run("stability", EXAMPLE, "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert [c["verdict"] for c in document["claims"]] == ["refuted"] * 2 + ["checked"] * 4
    good = tmp_path / "good.py"
    good.write_text(
        "from dpcomp_sym.stability import *\n"
        "claim = StabilityClaim(len, Lists('ab', at_most=3), SYMMETRIC, ABSOLUTE, 'd')\n"
    )
    assert run("stability", good) == 3
    capsys.readouterr()
    for text, said in (
        ("x = 1\n", "makes no"),
        ("1/0\n", "ZeroDivisionError"),
        ("(", "SyntaxError"),
    ):
        good.write_text(text)
        assert run("stability", good) == 2
        assert said in capsys.readouterr().err
    assert run("stability", tmp_path / "none.py") == 2
    assert "cannot read" in capsys.readouterr().err
