"""Blocks that change together: numbers, texts, and what the second program says of the rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.replay.rules import RULES
from dpcomp_sym.replay.terms import Reader, RejectedError, digest_of
from dpcomp_sym.replay.words import words
from tests.certificates.both import plain
from tests.kernel import test_patterns as patterns
from tests.kernel.test_patterns import ALWAYS, FRAMED, I, T, U, W, both, plus, within
from tests.kernel.world import EPS, INF, ONE, A, K, num
from tests.statements import exact_values as exact


def composed(*facts, vectors, of=FRAMED, where=()):
    """Compose with the kernel, and with the second program: both must say the same."""
    arguments = {"problem": of, "facts": facts, "vectors": vectors, "where": where}
    try:
        done = k.compose_profile(**arguments)
    except k.KernelError:
        done = None
    signature, function = RULES["compose_profile"]
    values = [
        Reader().value(plain(arguments[name]), kind.replace("|-", "Statement"))
        for name, kind in signature
    ]
    try:
        again = digest_of(function(*values))
    except RejectedError:
        again = None
    assert again == (done and done.statement.digest())
    return done


@pytest.mark.parametrize(
    "name",
    [
        "test_a_pattern_is_a_way_in_which_neighbours_differ",
        "test_what_is_larger_will_do",
        "test_places_by_touched_records",
        "test_distances_of_places",
        "test_two_records_do_what_each_of_them_would_do_in_the_mean",
        "test_no_other_mean_of_places_is_concluded",
        "test_frames_and_distances_that_differ_are_no_mean_of_records",
        "test_what_is_known_of_all_blocks_is_known_of_those_with_one_record",
        "test_a_mean_of_places_in_two_maps",
        "test_a_frame_is_one_of_the_patterns_of_a_mean_and_within_it",
        "test_alternatives_are_not_all_that_holds",
        "test_two_parts_on_one_map_of_which_one_sees_nothing",
        "test_letters_that_are_functions_are_those_of_the_edit",
        "test_another_edit_is_one_of_the_patterns_of_a_mean_and_within_it",
        "test_facts_about_another_problem_or_edit_say_nothing",
    ],
)
def test_the_second_program_says_the_same(monkeypatch, name):
    monkeypatch.setattr(patterns, "composed", composed)
    getattr(patterns, name)()


def test_the_second_program_refuses_the_same():
    for vector in patterns.OTHERS:
        facts = (patterns.SEEN, patterns.COUNT, patterns.somewhere())
        assert composed(*facts, vectors=(vector,)) is None


def brute(e, eps, sizes):
    """The largest total, at every integer near the blocks."""
    from dpcomp_sym.statements.integers import Values

    best = Fraction(0)
    for at in product(range(-9, 15), repeat=e.free):
        if not Values(sizes, at).hold(e.facts):
            continue
        blocks = [i for i in range(1, sizes["k"] + 1) if Values(sizes, at, (i,)).hold(e.body.when)]
        values = sorted((eps[i - 1] for i in blocks), reverse=True)
        most = len(values) if e.body.count == INF else int(e.body.count.value)
        best = max(best, sum(values[:most], Fraction(0)))
    return best


CONDITIONS = [
    (1, ALWAYS, within()),
    (1, k.Compared("lt", k.Integer(1), T), within()),
    (1, ALWAYS, both(k.Compared("lt", T, k.Combined("mul", (k.Integer(2), I))), within())),
    (1, ALWAYS, k.Connected("or", (k.Compared("eq", T, I), k.Compared("eq", I, plus(T, W))))),
    (1, ALWAYS, k.Connected("not", (within(),))),
    (1, ALWAYS, k.Compared("ne", I, T)),
    (2, ALWAYS, k.Connected("or", (k.Compared("eq", T, I), k.Compared("eq", U, I)))),
    (
        2,
        both(k.Compared("le", T, U), k.Compared("le", U, plus(T, k.Integer(1)))),
        k.Connected("or", (k.Compared("eq", T, I), k.Compared("eq", U, I))),
    ),
    (
        2,
        k.Compared("eq", U, plus(T, k.Integer(2))),
        both(k.Compared("le", T, I), k.Compared("le", I, U)),
    ),
]


@pytest.mark.parametrize("count", [INF, ONE, num(2)])
@pytest.mark.parametrize("number", range(len(CONDITIONS)))
def test_numbers_are_those_of_all_integers(number, count):
    from dpcomp_sym.numbers.columns import ParameterTable
    from dpcomp_sym.numbers.evaluator import evaluate

    free, facts, when = CONDITIONS[number]
    e = k.MaxOver(free, facts, k.SumOver(K, when, count, EPS))
    eps = [Fraction(n) for n in (5, 1, 0, 7, 2)]
    for sizes in ({"k": 5, "w": 2}, {"k": 5, "w": 1}, {"k": 3, "w": 3}):
        given = eps[: sizes["k"]]
        expected = brute(e, given, sizes)
        assert exact.evaluate(e, {"eps": given}, sizes) == expected
        assert evaluate(e, ParameterTable.plain({("eps", K): given}), sizes) == expected


OVERLAP = k.Amount(
    plus(
        k.Combined("min", (plus(T, k.Integer(3)), k.Combined("mul", (k.Integer(3), I)))),
        k.Combined("neg", (k.Combined("max", (T, plus(k.Combined("mul", (k.Integer(3), I)),
                                                       k.Integer(-2)))),)),
        k.Integer(1),
    )
)  # fmt: skip
NEAR = both(
    k.Compared("lt", T, plus(k.Combined("mul", (k.Integer(3), I)), k.Integer(1))),
    k.Compared("le", k.Combined("mul", (k.Integer(3), I)), plus(T, k.Integer(5))),
)


@pytest.mark.parametrize("power", [1, 2])
def test_overlaps_in_numbers(power):
    from dpcomp_sym.numbers.columns import ParameterTable
    from dpcomp_sym.numbers.evaluator import evaluate
    from dpcomp_sym.statements.integers import Values

    value = k.Product((*[OVERLAP] * power, EPS))
    for facts in (ALWAYS, k.Compared("lt", k.Integer(5), T), k.Compared("lt", T, k.Integer(3))):
        e = k.MaxOver(1, facts, k.SumOver(K, NEAR, INF, value))
        for eps in ((1, 2, 3), (5, 1, 1), (0, 4, 0), (2, 2, 2)):
            expected = 0
            for t in range(-12, 20):
                total = 0
                for i, x in enumerate(eps, 1):
                    at = Values({}, (t,), (i,))
                    total += at.hold(NEAR) * x * max(0, at.of(OVERLAP.of)) ** power
                expected = max(expected, total if Values({}, (t,)).hold(facts) else 0)
            table = ParameterTable.plain({("eps", K): [Fraction(x) for x in eps]})
            assert evaluate(e, table, {"k": 3}) == expected
    assert words(Reader().value(plain(e), "Expr")) == e.text()


def test_both_programs_write_the_same():
    for free, facts, when in CONDITIONS:
        for count in (INF, ONE, num(2)):
            inside = k.SumOver(K, when, count, EPS)
            for body in (inside, k.Sum((inside, k.SumOver((), ALWAYS, ONE, A)))):
                e = k.MaxOver(free, facts, body)
                assert words(Reader().value(plain(e), "Expr")) == e.text()
    named = k.MaxOver(1, ALWAYS, k.SumOver(("t",), within(), INF, k.BlockEntry("u", ("t",))))
    assert named.text() == "max over v of sum(u[i] for v <= i < v + w)"
    assert words(Reader().value(plain(named), "Expr")) == named.text()
