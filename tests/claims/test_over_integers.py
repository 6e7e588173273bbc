"""Claims that are maxima over integers: decided in text, from SymPy, in symbols and at numbers."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.alike import aligned, canonical
from dpcomp_sym.claims.written_out import written_out
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import evaluate
from dpcomp_sym.statements.integers import Values
from tests.command import dpcomp
from tests.shares import shared
from tests.statements.test_largest_over_integers import condition, drawn, functions_drawn

pytestmark = pytest.mark.in_turn

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = (
    "hierarchy-paths", "levels-and-nodes", "nearby-values-common", "ordered-transposition",
    "sliding-windows-events", "stream-event-sliding", "stream-w-event-windows", "stream-weeks",
    "strips", "tree-any-arity", "w-event-days-of-events", "w-event-days-of-records",
    "w-event-each-step",
)  # fmt: skip
BOUND = "max over t of sum(eps[i] for t <= i < t + w)"
TRUE = k.Connected("and", ())


def steps():
    """Return the w-event composition, one release a day."""
    v = dp.Domain(person="Person", day=int)
    v.symbol("w", at_least=1)
    return dp.derive(v, "w_event(day, w)", daily=dp.blocks(lambda c, i: c.day == i, pure="eps"))


@pytest.fixture(scope="module")
def daily():
    return steps()


# ------------------------------------------------------------- every bound is a claim


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_what_a_bound_prints_is_proved_and_half_of_it_is_refuted(name):
    answer = dp.derive(EXAMPLES / f"{name}.toml")
    for bound in answer.bounds:
        if bound.notion == "approximate":
            continue
        for claim in (bound.text, bound.sympy()):
            found = answer.refute(claim, notion=bound.notion)
            assert (found.verdict, found.theorem is not None) == ("proved", True), bound.text
            assert found.tight == "yes"
        for claim in (f"({bound.text})/2", bound.sympy() * 999 / 1000):
            found = answer.refute(claim, notion=bound.notion)
            assert found.verdict == "refuted", claim


def test_a_pair_is_a_claim():
    answer = dp.derive(EXAMPLES / "w-event-each-step.toml")
    bound = answer.bound("approximate")
    assert "max over t" in bound.text
    for claim in (bound.text, bound.sympy()):
        assert answer.refute(claim).verdict == "proved"
    half = tuple(x / 2 for x in bound.sympy())
    assert answer.refute(half).verdict == "refuted"


# ------------------------------------------------------------- one composition


PROVED = [
    # claim, tight
    (BOUND, "yes"),
    ("max over u of sum(eps[j] for j >= u and not (j > u + w - 1))", "yes"),
    ("max over t of sum(eps[i] for 2*t <= 2*i and 3*i < 3*t + 3*w)", "yes"),
    (f"min({BOUND}, sum(eps))", "yes"),
    (f"2*({BOUND})", "no"),
    (f"({BOUND}) + max(eps)", "no"),
    (f"max({BOUND}, 3)", "no"),
    ("max(sum(eps[i] if t <= i < t + w else 0) for t in integers)", "yes"),
]


@pytest.mark.parametrize(("claim", "tight"), PROVED)
def test_true_claims_are_theorems(daily, claim, tight):
    found = daily.refute(claim)
    assert (found.verdict, found.tight) == ("proved", tight)
    assert found.theorem is not None
    assert (found.gap is not None) == (tight == "no")


REFUTED = [
    # claim, sizes, lost, claimed
    (f"({BOUND})/2", {"w": 1, "k": 1}, "1", "1/2"),
    (f"999/1000*({BOUND})", {"w": 1, "k": 1}, "1", "999/1000"),
    ("max over t of sum(eps[i] for t <= i < t + w - 1)", {"w": 1, "k": 1}, "1", "0"),
    ("max over t of sum(eps[i] for t <= i < t + 2)", {"w": 3, "k": 3}, "3", "2"),
    ("max over t of sum(eps[i] for t < i < t)", {"w": 1, "k": 1}, "1", "0"),
    ("max over t with t < t of sum(eps)", {"w": 1, "k": 1}, "1", "0"),
    ("max over t with 2 <= t of sum(eps[i] for t <= i < t + w)", {"w": 1, "k": 1}, "1", "0"),
    ("sum(eps[i] for i <= 3)", {"w": 1, "k": 4}, "1/2", "0"),
    ("max over t of sum(eps[i] for t <= i < t + w and i % 2 == 0)", {"w": 1, "k": 1}, "1", "0"),
    ("max over t of sum(max(0, t - i + 1)*eps[i] for t <= i < t + w)", {"w": 2, "k": 2}, "2", "1"),
    ("max over t of sum of the 2 largest (eps[i] for t <= i < t + w)",
     {"w": 3, "k": 3}, "3", "2"),
    ("(sum(eps) if w < 2)", {"w": 2, "k": 1}, "1", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "sizes", "lost", "claimed"), REFUTED)
def test_false_claims_are_refuted_at_small_sizes(daily, claim, sizes, lost, claimed):
    found = daily.refute(claim)
    assert found.verdict == "refuted"
    example = found.counterexample.as_json()
    assert example["sizes"] == sizes
    assert (example["loss"], example["claimed"]) == (lost, claimed)
    standalone.confirm(found.counterexample.data)


UNKNOWN = [
    ("max over t of sum(eps[i] for i % 2 == t % i)", "no number"),
    ("max over t of sum(max(0, t - i + 1)*eps[i] for t >= i and i != 2)", "without an end"),
    ("max over t of sum(max(0, t - i)*max(0, i - t + 2)*eps[i] for t <= i + 2 and i <= t)",
     "convexly"),
    ("max over t, u of sum(max(0, t - u + 1)*eps[i] for t <= i < u)", "several integers"),
    ("max over t of sum(eps[i] for t*i <= 3//(w - 1))", "division by zero"),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "reason"), UNKNOWN)
def test_what_is_not_written_out_is_unknown_with_the_reason(daily, claim, reason):
    found = daily.refute(claim)
    assert found.verdict == "unknown"
    assert reason in found.reason


@pytest.mark.in_turn
def test_a_claim_is_written_out_where_sizes_are_given(daily):
    """Windows are in one of two maxima or in the other one, and all of them in none."""
    window = "max over t with t {} 3 of sum(eps[i] for t <= i < t + 2)"
    either = f"max(({window.format('<')}), ({window.format('>=')}))"
    assert daily.subs(w=2).refute(either).verdict == "unknown"
    found = daily.subs(w=2, k=4).refute(either)
    assert (found.verdict, found.tight) == ("proved", "yes")
    assert "written out" in found.reason
    larger = "max over t of sum(eps[i] for t <= i <= t + w)"
    found = daily.subs(w=2, k=40, eps=[Fraction(n % 7, 3) for n in range(40)]).refute(larger)
    assert found.verdict == "proved"


@pytest.mark.parametrize(("w", "k"), [(1, 1), (2, 3), (5, 2), (3, 3)])
def test_given_sizes_are_in_claims(daily, w, k):
    given = daily.subs(w=w, k=k)
    for claim in (BOUND, BOUND.replace("w", str(w)), given.bound().sympy()):
        found = given.refute(claim)
        assert (found.verdict, found.gap) == ("proved", None), claim
    for claim in (f"({BOUND})/2", BOUND.replace("t + w", f"t + {min(w, k) - 1}")):
        assert given.refute(claim).verdict == "refuted", claim
    part = daily.subs(w=w)
    for claim in (BOUND, BOUND.replace("w", str(w))):
        assert part.refute(claim).verdict == "proved", claim
    slightly_less = f"{BOUND.replace('eps[i]', '999999/1000000*eps[i]')}"
    assert given.refute(slightly_less).verdict == "refuted"


@pytest.mark.parametrize("seed", range(6))
def test_nothing_below_the_bound_is_proved_at_numbers(daily, seed):
    rng = random.Random(seed)
    w, k = rng.randint(1, 4), rng.randint(1, 5)
    eps = [Fraction(rng.randint(0, 9), rng.randint(1, 3)) for _ in range(k)]
    largest = max(sum(eps[t : t + w]) for t in range(k))
    given = daily.subs(w=w, k=k, eps=eps)
    assert given.refute(BOUND).verdict == "proved"
    for by in (0, 1, w, w + 1):
        claim = BOUND.replace("t + w", f"t + {by}")
        claimed = max(sum(eps[t : t + by]) for t in range(k))
        found = given.refute(claim)
        assert found.verdict == ("proved" if claimed >= largest else "refuted"), (claim, eps)
        if largest:
            short = given.refute(f"9999/10000*({BOUND})")
            assert short.verdict == "refuted"


def test_two_maps_and_two_indices():
    answer = dp.derive(EXAMPLES / "hierarchy-paths.toml")
    bound = answer.bound("pure").text
    assert bound.count("sum(") == 3
    less = bound.replace("t < 2*i <= t + 2", "t + 1 < 2*i <= t + 1")
    assert less != bound
    assert answer.refute(less).verdict == "refuted"
    answer = dp.derive(EXAMPLES / "levels-and-nodes.toml")
    assert answer.refute("sum over i of max over j of eps[i,j]").verdict == "proved"
    assert answer.refute("sum over j of max over i of eps[i,j]").verdict == "refuted"
    assert answer.refute("max over t of sum(eps[i,j] for j == t)").verdict == "refuted"


def test_a_symbol_that_is_called_as_the_letter():
    v = dp.Domain(person="Person", day=int)
    v.symbol("t", at_least=1)
    d = dp.derive(v, "w_event(day, t)", daily=dp.blocks(lambda c, i: c.day == i, pure="eps"))
    assert "max over u of" in d.bound().text
    assert d.refute(d.bound().text).verdict == "proved"
    assert d.refute(d.bound().sympy()).verdict == "proved"
    shadowed = d.bound().text.replace("u", "t").replace("stm", "sum")
    assert d.refute(shadowed).verdict == "refuted"  # the sum from t to t + t, of integers t


def test_the_command_and_what_it_writes(tmp_path):
    spec = EXAMPLES / "w-event-each-step.toml"
    done = dpcomp("refute", spec, "--claim", BOUND)
    assert done.returncode == 0, done.stderr
    assert "proved" in done.stdout
    script, page, tex = (tmp_path / f"no.{end}" for end in ("py", "html", "tex"))
    half = f"({BOUND})/2"
    done = dpcomp(
        "refute", spec, "--claim", half, "--script", script, "--html", page, "--latex", tex
    )
    assert done.returncode == 1, done.stderr
    alone = [sys.executable, "-I", "-S", str(script)]
    checked = subprocess.run(alone, cwd="/", capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.endswith(f"OK: the claim {half} is false\n")
    assert r"\max_{t}" in tex.read_text(encoding="utf-8")
    assert "max over t" in page.read_text(encoding="utf-8") or "<munder>" in page.read_text(
        encoding="utf-8"
    )
    wrong = script.read_text(encoding="utf-8").replace('"value": "1/2"', '"value": "2"')
    script.write_text(wrong, encoding="utf-8")
    checked = subprocess.run(alone, cwd="/", capture_output=True, text=True, check=False)
    assert checked.returncode == 1


def test_no_file_for_rocq_says_why(tmp_path):
    spec = EXAMPLES / "w-event-each-step.toml"
    shorter = BOUND.replace("t + w", "t + w - 1")
    done = dpcomp("refute", spec, "--claim", shorter, "--rocq", tmp_path / "no.v")
    assert done.returncode == 3
    assert "the claim is a maximum over integers" in done.stderr


# ------------------------------------------------------------- written out


@pytest.mark.parametrize("seeds", shared(1, [range(40), range(40, 400)]), ids=len)
def test_what_is_written_out_has_the_value_of_the_theorem(seeds):
    met = 0
    for seed in seeds:
        e, sizes, values = drawn(seed)
        met += compared(e, sizes, "eps", ("k",), values)
        e, sizes, rows = functions_drawn(seed)
        met += compared(e, sizes, "eps", ("h", "k"), [x for row in rows for x in row])
    assert met > len(seeds) / 2


@pytest.mark.parametrize("seeds", shared(1, [range(40), range(40, 800)]), ids=len)
def test_quotients_and_remainders_of_letters_are_written_out(seeds):
    """Compared with the largest value at many integers, from the meaning of the words."""
    met = varying = 0
    for seed in seeds:
        rng = random.Random(seed)
        letters = [k.Letter(1)] if seed % 4 else [k.Letter(1), k.Letter(2)]
        when = k.Connected("and", (condition(rng, letters), divided(rng, letters)))
        seen = k.Amount(k.Combined("add", (k.Combined("div", (letters[0], k.Integer(2))), k.Integer(
            rng.randint(0, 3)), k.Combined("neg", (k.Index(1),)))))  # fmt: skip
        eps = k.BlockEntry("eps", ("k",))
        value = k.Product((seen, eps)) if len(letters) == 1 and seed % 3 == 0 else eps
        e = k.MaxOver(len(letters), TRUE, k.SumOver(("k",), when, k.Inf(), value))
        sizes = {"k": rng.randint(1, 4), "w": rng.randint(1, 3)}
        values = [Fraction(rng.randint(0, 9), 2) for _ in range(sizes["k"])]
        expected = at_many(e, sizes, values, range(-12, 30) if len(letters) == 1 else range(-6, 15))
        try:
            plain = written_out(e, sizes).as_json()
        except k.KernelError:
            continue
        table = {(n,): x for n, x in enumerate(values, 1)}
        assert standalone.enclose(plain, {"eps": table}, sizes, 40) == (expected, expected), seed
        met += 1
        varying += value is not eps
    assert met > len(seeds) / 2
    assert varying > len(seeds) / 20


def divided(rng, letters):
    """Return a condition with quotients or remainders of letters."""
    by, more = k.Integer(rng.choice([2, 3])), k.Integer(rng.randint(-3, 3))
    one = k.Combined("add", (rng.choice(letters), more))
    two = k.Combined(rng.choice(["div", "mod"]), (one, by))
    three = k.Combined(rng.choice(["div", "mod"]), (k.Combined("mul", (k.Integer(2), two)), by))
    other = rng.choice([k.Integer(1), k.Combined("mod", (k.Index(1), by)), k.Index(1), letters[-1]])
    return k.Compared(rng.choice(["le", "eq", "ne"]), rng.choice([two, two, three]), other)


def at_many(e, sizes, values, places):
    """Return the largest value at some places."""
    best = Fraction(0)
    for at in product(places, repeat=e.free):
        total = Fraction(0)
        for n, x in enumerate(values, 1):
            here = Values(sizes, at, (n,))
            if here.hold(e.body.when):
                factors = getattr(e.body.value, "items", ())
                total += x * (max(0, here.of(factors[0].of)) if factors else 1)
        best = max(best, total)
    return best


def compared(e, sizes, name, family, values):
    """Compare what is written out with the evaluator; return whether it is more than nothing."""
    expected = evaluate(e, ParameterTable.plain({(name, family): values}), sizes)
    table = dict(zip(product(*(range(1, sizes[s] + 1) for s in family)), values, strict=True))
    plain = written_out(e, sizes).as_json()
    assert standalone.enclose(plain, {name: table}, sizes, 40) == (expected, expected)
    return expected not in {0, sum(values)}


def test_distances_that_vary_have_the_value_of_the_theorem():
    t, i, w = k.Letter(1), k.Index(1), k.Symbol("w")

    def plus(*items):
        return k.Combined("add", items)

    for seed in range(60):
        rng = random.Random(seed)
        a, b, c = (rng.randint(-2, 3) for _ in range(3))
        last = k.Combined("min", (plus(k.Combined("mul", (k.Integer(3), i)), k.Integer(a)),
                                  plus(t, w, k.Integer(b))))  # fmt: skip
        first = k.Combined("max", (plus(k.Combined("mul", (k.Integer(3), i)), k.Integer(-3)), t))
        seen = k.Amount(plus(last, k.Combined("neg", (first,)), k.Integer(c)))
        eps = k.BlockEntry("eps", ("k",))
        value = rng.choice([k.Product((seen, eps)), k.Product((seen, seen, eps))])
        when = k.Connected("and", (
            k.Compared("le", t, plus(k.Combined("mul", (k.Integer(3), i)), k.Integer(4))),
            k.Compared("lt", k.Combined("mul", (k.Integer(3), i)), plus(t, w, k.Integer(6))),
        ))  # fmt: skip
        e = k.MaxOver(1, TRUE, k.SumOver(("k",), when, k.Inf(), value))
        sizes = {"k": rng.randint(1, 4), "w": rng.randint(1, 4)}
        values = [Fraction(rng.randint(0, 9), 2) for _ in range(sizes["k"])]
        far = max(
            sum((
                max(0, Values(sizes, (at,), (n,)).of(seen.of)) ** (len(value.items) - 1) * x
                for n, x in enumerate(values, 1) if Values(sizes, (at,), (n,)).hold(when)
            ), Fraction(0))
            for at in range(-20, 40)
        )  # fmt: skip
        table = {(n,): x for n, x in enumerate(values, 1)}
        plain = written_out(e, sizes).as_json()
        assert standalone.enclose(plain, {"eps": table}, sizes, 40) == (far, far), seed


def test_too_much_is_not_written_out():
    every = k.SumOver(("k",), TRUE, k.Inf(), k.BlockEntry("eps", ("k",)))
    e = k.MaxOver(1, TRUE, every)
    assert written_out(e, {"k": 64}).text().count("eps") == 64
    with pytest.raises(k.KernelError, match="65 blocks"):
        written_out(e, {"k": 65})
    some = k.SumOver(("k",), TRUE, k.Size("w"), k.BlockEntry("eps", ("k",)))
    with pytest.raises(k.KernelError, match="the 5 largest of 20"):
        written_out(k.MaxOver(0, TRUE, some), {"k": 20, "w": 5})


# ------------------------------------------------------------- the same in other words


@pytest.mark.parametrize("seeds", shared(1, [range(100), range(100, 2000)]), ids=len)
def test_a_canonical_form_means_the_same(seeds):
    """What it says of integers is compared at many of them; and different ones stay different."""
    known = {}
    places = list(product(range(-4, 9), range(1, 4)))
    for seed in seeds:
        rng = random.Random(seed)
        when = richer(rng, condition(rng, [k.Letter(1)]))
        e = k.MaxOver(1, TRUE, k.SumOver(("k",), when, k.Inf(), k.BlockEntry("eps", ("k",))))
        found = canonical(e)
        rows = {}
        for one, form in (("own", when), ("canonical", condition_of(found))):
            rows[one] = tuple(
                Values({"w": w}, (t,), (i,)).hold(form) for w in (1, 3) for t, i in places
            )
        assert rows["own"] == rows["canonical"], seed
        assert canonical(found) == found
        assert known.setdefault(found, rows["own"]) == rows["own"]
    assert len(known) > len(seeds) / 3


def condition_of(e):
    """Return the condition of a canonical total, which is no condition where all have it."""
    return e.body.when if isinstance(e, k.MaxOver) and isinstance(e.body, k.SumOver) else TRUE


def richer(rng, when):
    """Return a condition with quotients, remainders, extremes and powers beside another one."""
    t, i, w = k.Letter(1), k.Index(1), k.Symbol("w")
    four = rng.choice([2, 3, 4, 6])
    e = rng.choice([
        k.Combined("div", (k.Combined("add", (k.Combined("mul", (k.Integer(rng.randint(-5, 9)), t)),
                           i, k.Integer(rng.randint(-9, 9)))), k.Integer(four))),
        k.Combined("mod", (k.Combined("add", (t, k.Integer(rng.randint(-9, 9)))),
                           k.Integer(four))),
        k.Combined("min", (t, k.Combined("max", (i, w)), k.Combined("min", (w, t)))),
        k.Combined("pow", (k.Integer(rng.randint(0, 3)), k.Integer(rng.randint(-1, 3)))),
        k.Combined("pow", (w, k.Combined("add", (i, k.Integer(-1))))),
        k.Combined("neg", (k.Combined("mul", (t, k.Combined("add", (i, w)))),)),
    ])  # fmt: skip
    also = k.Compared(rng.choice(["lt", "le", "eq", "ne"]), e, rng.choice([t, i, k.Integer(2)]))
    word = rng.choice(["and", "or"])
    joined = k.Connected(word, (when, also))
    return rng.choice([when, also, joined, k.Connected("not", (joined,))])


def test_letters_have_no_order():
    t, u, i = k.Letter(1), k.Letter(2), k.Index(1)
    eps = k.BlockEntry("eps", ("k",))

    def largest(first, second):
        inside = k.Connected("and", (k.Compared("le", first, i), k.Compared("lt", i, second)))
        facts = k.Compared("lt", first, second)
        return k.MaxOver(2, facts, k.SumOver(("k",), inside, k.Inf(), eps))

    assert canonical(largest(t, u)) == canonical(largest(u, t))
    assert aligned(largest(u, t), [largest(t, u)], {}) == largest(t, u)


def test_what_is_divided_by_a_size_is_left_as_it_is():
    by_w = k.Combined("div", (k.Letter(1), k.Symbol("w")))
    nothing = k.Combined("add", (by_w, k.Combined("neg", (by_w,))))
    e = k.MaxOver(1, k.Compared("le", nothing, k.Integer(0)), k.Param("eps"))
    assert canonical(e) == e
    assert canonical(k.MaxOver(1, TRUE, k.Param("eps"))) != canonical(e)


def test_none_of_one_block_is_not_the_block():
    def counted(count):
        return k.MaxOver(1, TRUE, k.SumOver((), TRUE, count, k.Param("eta")))

    every, one, none = (
        canonical(counted(c)) for c in (k.Inf(), *map(k.Num, map(Fraction, (1, 0))))
    )
    assert every == one != none


@pytest.mark.in_turn
def test_a_symbol_that_neither_the_claim_nor_the_bound_has_needs_no_number():
    visits = dp.Domain(day=int)
    for name in ("w", "other"):
        visits.symbol(name, at_least=1)
    d = dp.derive(visits, "w_event(day, w)", daily=dp.blocks("day(c) == i", pure="eps"))
    window = "max over t with t {} 3 of sum(eps[i] for t <= i < t + 2)"
    either = f"max(({window.format('<')}), ({window.format('>=')}))"
    assert d.subs(w=2, k=3).refute(either).verdict == "proved"
    assert d.subs(w=2).refute(either).verdict == "unknown"
