"""Claims whose maxima over integers are larger than those of the bound, for all sizes."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.claims.parse import read_claim
from dpcomp_sym.claims.proving import by_wider_maxima
from dpcomp_sym.claims.question import ClaimQuestion
from dpcomp_sym.claims.readings import readings
from dpcomp_sym.claims.wider import WiderMaxima
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.spec import Spec
from dpcomp_sym.statements.integers import Values
from tests.shares import shared
from tests.statements.test_largest_over_integers import EPS, I, T, W, condition, drawn, plus, times

pytestmark = pytest.mark.in_turn

TRUE = k.Connected("and", ())
BOUND = "max over t of sum(eps[i] for t <= i < t + w)"
ONE = Fraction(1)


def steps(least=1, symbol="w"):
    """Return the w-event composition, one release a day."""
    v = dp.Domain(person="Person", day=int)
    v.symbol(symbol, at_least=least)
    use = f"w_event(day, {symbol})"
    return dp.derive(v, use, daily=dp.blocks(lambda c, i: c.day == i, pure="eps"))


@pytest.fixture(scope="module")
def daily():
    return steps()


PROVED = [
    # claim, tight
    ("max over t of sum(eps[i] for t <= i <= t + w)", "no"),
    ("max over t of sum(eps[i] for t <= i < t + 2*w)", "no"),
    ("max over t of sum(eps[i] for t - 1 <= i < t + w)", "no"),
    ("max over t of sum(eps[i] for i <= t)", "no"),
    ("max over t of sum(eps[i] for t - w < i <= t)", "yes"),
    ("max over t with 1 <= t <= k of sum(eps[i] for t <= i < t + w)", "yes"),
    ("max over t of sum(eps[i] for t <= 2*i < t + 2*w)", "yes"),
    ("max over t of sum(eps[i] for 2*t <= i <= 2*t + w)", "no"),
    ("max over t, u with u < t + w of sum(eps[i] for t <= i <= u)", "yes"),
    ("2*(max over t of sum(eps[i] for t <= i <= t + w//2))", "no"),
    ("max over t with t % 3 == 0 of sum(eps[i] for t <= i < t + w + 2)", "no"),
    (("(max over t of sum(eps[i] for t <= i < t + w//2)) + "
     "(max over t of sum(eps[i] for t <= i <= t + w//2))"), "no"),
    ("max over t of sum(max(0, i - t + 1)*eps[i] for t <= i < t + w)", "no"),
    ("max over t of sum(3/2*w*eps[i] for t <= i <= t + w)", "no"),
    (f"min({BOUND}, max over t of sum(eps[i] for t <= i <= t + w))", "yes"),
    ("max(1, max over t of sum(eps[i] for t <= i <= t + w))", "no"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "tight"), PROVED)
def test_larger_windows_are_proved_for_all_sizes(daily, claim, tight):
    found = daily.refute(claim)
    assert (found.verdict, found.tight) == ("proved", tight)
    assert (found.gap is not None) == (tight == "no")
    assert found.theorem is None
    assert "as a solver finds" in found.reason


SMALLER = [
    "max over t of sum(eps[i] for t <= i < t + w - 1)",
    "max over t with 1 <= t <= k - w + 1 of sum(eps[i] for t <= i < t + w)",
    "max over t with t % 3 == 0 of sum(eps[i] for t <= i <= t + w)",
    "max over t with 2 <= t of sum(eps[i] for t <= i <= t + w)",
    "max over t with 2*t == 1 of sum(eps[i] for t <= i <= t + w)",
    "max over t of sum(eps[i] for 2*t <= i < 2*t + w)",
    "max over t, u with u < t + w - 1 of sum(eps[i] for t <= i <= u)",
    "2*(max over t of sum(eps[i] for t <= i < t + w//2))",
    "max over t of sum(max(0, i - t)*eps[i] for t <= i < t + w)",
    "max over t of sum(9/10*eps[i] for t <= i <= t + w)",
    "max over t of sum(eps[i] for t <= i <= t + w and i != 3)",
    "max over t of sum of the 2 largest (eps[i] for t <= i <= t + w)",
    "max over t of sum(eps[i]**2 for t <= i <= t + w)",
]


@pytest.mark.parametrize("claim", SMALLER)
def test_smaller_ones_are_not(daily, claim):
    assert daily.refute(claim).verdict == "refuted"


def test_sizes_that_are_given_are_used():
    one = steps().subs(w=1)
    for claim in (BOUND, "max over t of sum(eps[i] for t <= i < t + 2)"):
        assert one.refute(claim).verdict == "proved"
    two = steps().subs(w=2)
    assert two.refute("max over t of sum(eps[i] for t <= i < t + 2)").verdict == "proved"
    assert two.refute("max over t of sum(eps[i] for t <= i < t + 3)").verdict == "proved"
    assert two.refute("max over t of sum(eps[i] for t <= i < t + 1)").verdict == "refuted"


def test_a_symbol_that_can_be_0():
    d = steps(least=0)
    assert d.refute("max over t of sum(eps[i] for t <= i <= t + w)").verdict == "proved"
    assert d.refute("max over t of sum(eps[i] for t <= i < t + 2*w)").verdict == "proved"
    assert d.refute("max over t of sum(eps[i] for t <= i <= t + w - 2)").verdict == "refuted"
    with pytest.raises(dp.InputError, match="sizes from 1 on"):
        d.refute("w*(max over t of sum(eps[i] for t <= i <= t + w))")


def test_letters_that_are_called_as_symbols():
    d = steps(symbol="t")
    assert d.refute("max over u of sum(eps[i] for u <= i <= u + t)").verdict == "proved"
    # Here the letter is the integer and not the symbol: blocks from t to 2*t.
    assert d.refute("max over t of sum(eps[i] for t <= i <= t + t)").verdict == "refuted"
    assert d.refute("max over t of sum(eps[i] for t <= i < t + 1)").verdict == "refuted"


# ------------------------------------------------------------- at small sizes


def problem_of(least):
    """Return a problem with a size w."""
    v = dp.Domain(person="Person", day=int)
    v.symbol("w", at_least=least)
    return dp.derive(v, "w_event(day, w)", daily=dp.blocks("day(c) == i", pure="eps")).problem


def wider_of(rng, e):
    """Return a maximum that is often larger: in a wider window, moved, or with a factor."""
    by = k.Integer(rng.randint(-1, 2))
    change = {
        W: rng.choice([W, plus(W, by), times(2, W), plus(W, W, by)]),
        T: rng.choice([T, plus(T, by), plus(T, by), times(2, T), k.Combined("neg", (T,))]),
    }

    def inside(x):
        return type(x)(*(map_all(getattr(x, n)) for n in x.__dataclass_fields__))

    def map_all(x):
        if isinstance(x, tuple):
            return tuple(map(map_all, x))
        if not isinstance(x, k.KernelTerm):
            return x
        return change[x] if x in change else inside(x)

    return map_all(e)


def value(e, sizes, values):
    table = ParameterTable.plain({("eps", ("k",)): values})
    return evaluate(e, table, sizes)


@pytest.mark.parametrize("seeds", shared(1, [range(40), range(40, 2400)]), ids=len)
def test_what_is_shown_to_be_larger_is_so_at_small_sizes(seeds):
    compared = {least: WiderMaxima(problem_of(least), {}) for least in (0, 1)}
    shown = missed = 0
    for seed in seeds:
        rng = random.Random(seed)
        least = seed % 2
        one, _, _ = drawn(seed)
        other = wider_of(rng, one) if rng.random() < 0.8 else drawn(seed + 10**6)[0]
        pieces = ((ONE, other),) if rng.random() < 0.8 else ((Fraction(1, 2), other),) * 2
        if compared[least].below(one, pieces, ()):
            shown += 1
            assert_larger(rng, one, pieces, least)
        else:
            missed += 1
    assert shown > len(seeds) / 6
    assert missed > len(seeds) / 6


def assert_larger(rng, one, pieces, least):
    """Compare numbers at small sizes."""
    for size, w in product((1, 2, 3, 5), range(least, 4)):
        for _ in range(3):
            values = [Fraction(rng.choice([0, 0, 1, 2, 7])) for _ in range(size)]
            numbers = {"k": size, "w": w}
            most = sum(c * value(e, numbers, values) for c, e in pieces)
            assert value(one, numbers, values) <= most, (one, pieces, numbers, values)


@pytest.mark.parametrize("seeds", shared(1, [range(30), range(30, 1200)]), ids=len)
def test_distances_are_compared_block_by_block(seeds):
    compared = WiderMaxima(problem_of(1), {})
    shown = missed = 0
    for seed in seeds:
        rng = random.Random(seed)
        one, other = (seen(rng) for _ in range(2))
        if not compared.below(one, ((ONE, other),), ()):
            missed += 1
            continue
        shown += 1
        for size, w in product((1, 2, 4), (1, 2, 3)):
            values = [Fraction(rng.choice([0, 1, 2, 7])) for _ in range(size)]
            few, many = range(-5, 10), range(-30, 40)
            numbers = {"k": size, "w": w}
            assert far(one, numbers, values, few) <= far(other, numbers, values, many), seed
    assert shown > len(seeds) / 30
    assert missed > len(seeds) / 6


def seen(rng):
    """Return a maximum of blocks that are seen from a distance."""
    by = k.Integer(rng.randint(0, 2))
    distance = rng.choice([plus(I, k.Combined("neg", (T,)), by), plus(T, W, by, times(-1, I)), W])
    rows = [
        k.SumOver(("k",), condition(rng, [T]), k.Inf(), k.Product((k.Amount(distance), EPS))),
        k.SumOver(("k",), condition(rng, [T]), k.Inf(), k.Product((k.Size("w"), EPS))),
    ]
    return k.MaxOver(1, TRUE, k.Sum(tuple(rng.sample(rows, rng.randint(1, 2)))))


def far(e, numbers, values, places):
    """Return the largest value at some places, from the meaning of the words."""
    best = Fraction(0)
    for t in places:
        total = Fraction(0)
        for one in e.body.items:
            for i, x in enumerate(values, 1):
                here = Values(numbers, (t,), (i,))
                if here.hold(one.when):
                    (factor, _) = one.value.items
                    seen_from = max(0, here.of(factor.of)) if isinstance(factor, k.Amount) else (
                        numbers["w"])  # fmt: skip
                    total += seen_from * x
        best = max(best, total)
    return best


# ------------------------------------------------------------- readings


def test_a_choice_of_blocks_can_be_read_as_places():
    for count in (1, 2, 3):
        some = k.Worst(("k",), (k.Choice(k.Num(Fraction(count)), EPS),))
        for size in (1, 2, 4):
            values = [Fraction(n * n % 7) for n in range(size)]
            expected = value(some, {"k": size}, values)
            read = readings(some)
            assert len(read) == 2
            assert [value(x, {"k": size}, values) for x in read] == [expected] * 2


def test_several_choices_of_blocks_can_be_different_ones():
    """The two largest of one kind and of another one are four blocks, not two."""
    compared = WiderMaxima(problem_of(1), {})

    def two(*conditions):
        totals = [k.SumOver(("k",), x, k.Num(Fraction(2)), EPS) for x in conditions]
        return k.MaxOver(1, TRUE, k.Sum(tuple(totals)))

    odd, even = (
        k.Compared("eq", k.Combined("mod", (I, k.Integer(2))), k.Integer(n)) for n in (1, 0)
    )
    assert not compared.below(two(odd, even), ((ONE, two(TRUE)),), ())
    assert compared.below(two(odd), ((ONE, two(TRUE)),), ())
    assert not compared.below(two(TRUE), ((ONE, two(odd)),), ())
    every = k.MaxOver(1, TRUE, k.SumOver(("k",), TRUE, k.Inf(), EPS))
    assert compared.below(two(odd, even), ((ONE, every),), ())
    assert not compared.below(every, ((ONE, two(TRUE)),), ())


def test_a_function_of_an_index_is_chosen_for_each():
    """One place for each level is more than one place for all of them."""
    compared = WiderMaxima(problem_of(1), {})
    eps = k.BlockEntry("eps", ("k", "k"))
    j = k.Index(2)

    def paths(letter):
        when = k.Compared("eq", j, letter)
        return k.MaxOver(1, TRUE, k.SumOver(("k", "k"), when, k.Inf(), eps))

    each, one, other = (
        paths(k.LetterAt(1, (k.Index(1),))),
        paths(T),
        paths(k.LetterAt(1, (k.Index(1), k.Index(2)))),
    )
    assert compared.below(one, ((ONE, each),), ())
    assert not compared.below(each, ((ONE, one),), ())
    assert compared.below(each, ((ONE, each),), ())
    assert compared.below(each, ((ONE, other),), ())
    assert not compared.below(other, ((ONE, each),), ())


def test_nothing_is_divided_by_a_size():
    compared = WiderMaxima(problem_of(0), {})
    when = k.Compared("lt", k.Combined("div", (I, W)), plus(T, k.Combined("div", (I, W))))
    e = k.MaxOver(1, TRUE, k.SumOver(("k",), when, k.Inf(), EPS))
    assert not compared.below(e, ((ONE, e),), ())


def test_cases_of_sizes_must_be_all_of_them():
    d = steps()
    spec = Spec("windows", d.problem, {}, {})
    claim = read_claim("max over t of sum(eps[i] for t <= i <= t + w)", d.problem)
    question = ClaimQuestion(spec, claim, spec.derive())
    (theorem,) = question.theorems
    two_or_three = (k.SizeRange("w", 2, 3),)
    some = k.restrict(theorem, two_or_three)
    assert by_wider_maxima(question, theorem, ()) is not None
    assert by_wider_maxima(question, some, two_or_three) is not None
    assert by_wider_maxima(question, some, ()) is None
    assert by_wider_maxima(question, some, (k.SizeRange("w", 4, 4),)) is None
