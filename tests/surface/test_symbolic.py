"""SymPy in and out: formulas, maps, conditions, metrics, and which blocks change together."""

from __future__ import annotations

import itertools
import operator
import random
import re

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym.terms import BOOL, CELL, INT, Scope, parse
from dpcomp_sym.terms.symbolic import ForAll, SumOverRecords, formula, function, term_to_sympy

SCOPE = Scope(
    {"x": CELL, "y": CELL, "w": INT}, attributes={"day": INT, "vip": BOOL}, databases=("D",)
)


def _random_number(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["day(x)", "day(y)", "w", "3", "D[x]"])
    a, b = (_random_number(rng, depth - 1) for _ in range(2))
    words = ["{a} + {b}", "({a}) - ({b})", "2*({a})", "({a})//3", "({a}) % 4", "abs({a})",
             "min({a}, {b})", "max({a}, {b})", "({a} if vip(x) else {b})"]  # fmt: skip
    word = rng.choice(words)
    return f"({word.format(a=a, b=b)})"


def _random_formula(rng: random.Random, depth: int) -> str:
    if depth == 0:
        a, b = (_random_number(rng, 2) for _ in range(2))
        return f"({a} {rng.choice(['<=', '<', '==', '!=', '>='])} {b})"
    a, b = (_random_formula(rng, depth - 1) for _ in range(2))
    word = rng.choice(["{a} and {b}", "{a} or {b}", "not {a}", "implies({a}, {b})", "vip(y)",
                       "({a}) == ({b})", "(({a}) if vip(x) else ({b}))"])  # fmt: skip
    return f"({word.format(a=a, b=b)})"


def _value(e: sp.Basic, numbers: dict[str, int]) -> bool:
    """Return the truth of a formula of SymPy at values of what it is made of."""
    at = {
        sp.Symbol("w", integer=True): numbers["w"],
        **{function("day", INT)(sp.Symbol(c)): numbers[f"day {c}"] for c in "xy"},
        **{function("vip", BOOL)(sp.Symbol(c)): sp.true if numbers[f"vip {c}"] else sp.false
           for c in "xy"},
        sp.Function("D", integer=True, nonnegative=True)(sp.Symbol("x")): numbers["D"],
    }  # fmt: skip
    return bool(sp.simplify(e.xreplace({k: sp.sympify(v) for k, v in at.items()})).doit())


def _python(text: str, numbers: dict[str, int]) -> bool:
    words = {
        "x": "x", "y": "y", "w": numbers["w"], "D": {"x": numbers["D"]},
        "day": lambda c: numbers[f"day {c}"], "vip": lambda c: bool(numbers[f"vip {c}"]),
        "implies": lambda p, q: (not p) or q, "true": True, "false": False,
        "min": min, "max": max, "abs": abs,
    }  # fmt: skip
    return bool(eval(text, {"__builtins__": {}}, words))  # noqa: S307 - made above


@pytest.mark.parametrize("seed", range(25))
def test_formulas_mean_the_same_there_and_back(seed):
    rng = random.Random(seed)
    text = _random_formula(rng, 2)
    there = term_to_sympy(parse(text, SCOPE))
    back = formula(there)
    parse(back, SCOPE, BOOL)
    for _ in range(6):
        numbers = {n: rng.randint(-5, 9) for n in ("w", "day x", "day y")}
        numbers |= {"vip x": rng.randint(0, 1), "vip y": rng.randint(0, 1), "D": rng.randint(0, 3)}
        wanted = _python(text, numbers)
        assert _value(there, numbers) == wanted, (text, there)
        assert _python(back, numbers) == wanted, (text, back)


def test_problems_are_written_in_sympy():
    visits = dp.Domain(person="Person", day=int, vip=bool)
    c, i = visits.c, sp.Symbol("i")
    plain = dp.problem(visits, "w_event(day, 3)", days=dp.blocks("day(c) == i", pure="eps"))
    for member in (
        sp.Eq(c.day, i),
        sp.Eq(c.day.sympy(), i),
        lambda c, i: sp.Eq(c.day, i),
        lambda c, i: sp.Eq(c.day.sympy(), i.sympy()),
        c.day == i,
    ):
        same = dp.problem(visits, "w_event(day, 3)", days=dp.blocks(member, pure="eps"))
        assert same == plain
    edit = dp.Edit(x=c, guard=lambda x: sp.And(x.day >= 1, sp.Not(x.vip)), change={"x": 1})
    assert edit.guard == "day(x) >= 1 and (not vip(x))"
    with pytest.raises(dp.InputError, match=r"no word for sqrt\(day\(c\)\)"):
        dp.filter(sp.Eq(sp.sqrt(c.day.sympy()), 2), pure="eps")
    w, s = sp.symbols("w s", integer=True)
    for unlike in (c.day.sympy() / s, s**w, (1 + sp.Max(w, 0)) ** w):
        with pytest.raises(dp.InputError, match="no word for"):  # here 0**w would be 1
            dp.filter(sp.Eq(unlike, 2), pure="eps")
    whole = c.day < sp.Max(s, 1) ** sp.Max(w, 0)
    assert str(whole) == "day(c) < (1 if 1 >= s else s)**(0 if 0 >= w else w)"
    assert str(c.day < 2 * w + 1) == "day(c) < 2*w + 1"
    assert str(c.day + sp.Integer(2) * c.day == w) == "day(c) + 2*day(c) == w"
    with pytest.raises(dp.InputError, match="no word for"):
        c.day.__lt__(sp.sqrt(w))


_N = sp.Symbol("n", integer=True)
_OF_SYMPY = [
    *map(sp.Integer, (-1, 0, 1, 3)), _N, 2 * _N, _N + 1, sp.Mod(_N, 2), sp.Max(_N, 2), _N**2,
    sp.floor(_N / 2), sp.Abs(_N),
]  # fmt: skip


@pytest.mark.parametrize("operation", ["eq", "add", "sub", "mul"])
@pytest.mark.parametrize("other", _OF_SYMPY, ids=str)
def test_operators_beside_sympy_make_expressions(operation, other):
    """SymPy's own == compares two trees and answers False, which would be a filter of nothing."""
    day = dp.Domain(day=int).c.day
    apply = getattr(operator, operation)
    for made in (apply(other, day), apply(day, other)):
        assert isinstance(made, dp.Expression)
        assert {"day(c)"} == set(re.findall(r"day\(c\)", str(made)))


@pytest.mark.parametrize("operation", [operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("other", _OF_SYMPY, ids=str)
def test_order_beside_sympy_means_what_it_says(operation, other):
    scope = Scope({"c": CELL, "n": INT}, attributes={"day": INT})
    c, day = dp.Domain(day=int).c, function("day", INT)(sp.Symbol("c"))
    for turned in (False, True):
        given = operation(c.day, other) if turned else operation(other, c.day)
        read = term_to_sympy(parse(dp.Edit(x=c, guard=given, change={"x": 1}).guard, scope))
        for n, value in itertools.product((1, 2, 5), (-1, 0, 1, 3, 4, 25)):
            number = other.subs(_N, n)
            wanted = operation(value, number) if turned else operation(number, value)
            found = read.subs({day: value}).subs({s: n for s in read.free_symbols if s.name == "n"})
            assert bool(found) == bool(wanted), (given, n, value)


def test_comparisons_of_fractions_are_written_in_whole_numbers():
    n, m = sp.symbols("n m", integer=True)
    assert formula(sp.Eq(n / 2 + sp.Rational(1, 3), m / 4)) == "6 * n + 4 == 3 * m"
    assert formula(sp.floor(n / 3) <= m) == "n < 3 * m + 3"  # SymPy leaves the floor out
    assert formula(sp.Eq(sp.Tuple(n, m), sp.Tuple(m, n))) == "(n, m) == (m, n)"
    with pytest.raises(dp.InputError, match="no word for 1/m"):  # m may be negative
        formula(n / m < 3)


def test_what_holds_exactly_for_some_labels_is_a_formula():
    """Tried on all labels of two or three records."""
    records = sp.symbols("a b c")
    h, k = sp.Function("h", integer=True), sp.Symbol("k", integer=True)
    d = dp.derive(dp.Domain(id="Record"), "bounded", counts=dp.partition(pure="eps"))
    for said, holds in (
        (d.C1, lambda labels: len(set(labels) & {1, 2}) <= 1),
        (d.C2, lambda labels: len({x if x in {1, 2} else 0 for x in labels}) <= 1),
    ):
        found = said.sympy()
        assert isinstance(found, ForAll)
        assert found.free_symbols == {k}
        for labels in itertools.product(range(4), repeat=2):
            table = {h(r): sp.Integer(n) for r, n in zip(records, labels, strict=False)}
            letters = found.bound_symbols
            pools = [range(1, 3) if x.is_integer else records[:2] for x in letters]
            every = all(
                found.args[0]
                .subs({**dict(zip(letters, chosen, strict=True)), k: 2})
                .xreplace(table)
                == sp.true
                for chosen in itertools.product(*pools)
            )
            assert every == holds(labels), (said, labels)


def test_a_function_of_the_map_is_called_as_its_author_calls_it():
    domain = dp.Domain({"id": "Record"}, {"f": (("Record",), "int")})
    own = dp.Map("days", "g(c) == i and f(id(c)) == 0", {"i": "k"}, {"g": (("cell",), "int")})
    found = dp.Problem(domain, dp.library_granularity("unbounded"), [own], [dp.Part("a", "days")])
    names = {e.func.__name__ for e in found.used_maps["days"].sympy().atoms(sp.Function)}
    assert names == {"f", "g", "id"}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "setting",
    ["bounded", "unbounded", "user(person)", "w_event(day, w)", "w_event(day, 2)"],
)
def test_the_loss_is_the_total_distance_with_epsilon_as_weight(setting):
    visits = dp.Domain(person="Person", day=int)
    visits.symbol("w", at_least=1)
    d = dp.derive(
        visits, setting,
        days=dp.blocks(lambda c, i: c.day == i, pure="eps"),
        people=dp.partition(visits.c.person, pure="eta", setting="common"),
        size=dp.release(pure="eps0"),
    )  # fmt: skip
    total, bound = d.profile.sympy(), d.bound("pure").sympy()
    names = {"days": d.symbols["eps"], "people": d.symbols["eta"]}
    numbers = {s: 3 for s in bound.free_symbols if s.name in {"k", "n", "w"}}
    at = {
        d.symbols[n][i]: sp.Rational(p, i) for n, p in (("eps", 3), ("eta", 5)) for i in (1, 2, 3)
    }
    weights = {sp.IndexedBase(part, nonnegative=True)[i]: at[p[i]]
               for part, p in names.items() for i in (1, 2, 3)}  # fmt: skip
    wanted = bound.subs(numbers).doit().subs({**at, d.symbols["eps0"]: 7}).doit()
    found = total.subs(numbers).doit().subs({**weights, sp.Symbol("size", nonnegative=True): 7})
    assert found.doit() == wanted
    assert repr(d.profile).startswith("<Profile: ")


def test_which_blocks_change_is_said():
    visits = dp.Domain(day=int)
    visits.symbol("w", at_least=1)
    days = dp.blocks(lambda c, i: c.day == i, pure="eps")
    d = dp.derive(visits, "w_event(day, w)", days=days)
    assert d.profile.sentences() == [
        "all blocks i of days with t <= i < t + w, each at distance 1, for some t"
    ]
    hours = dp.Domain(day=int)
    t = hours.symbol("t", at_least=1)
    clash = dp.Granularity("t days", [
        dp.Edit(s=int, frame=lambda s: (s <= hours.c.day) & (hours.c.day < s + t))
    ])  # fmt: skip
    (said,) = dp.derive(hours, clash, days=days).profile.sentences()
    assert "with u <= i < u + t," in said  # t is the symbol
    assert d.subs(k=2).profile.sympy().free_symbols


def test_metrics_and_distances_are_expressions():
    found = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
    c, D, E = sp.symbols("c D E")
    del D, E
    count = [sp.Function(n, integer=True, nonnegative=True) for n in "DE"]
    assert found.metric("unbounded") == SumOverRecords(sp.Abs(count[0](c) - count[1](c)), c)
    (value, finite), (infinite, _) = found.metric("bounded").args
    assert (infinite, str(finite)) == (sp.oo, "same(D, E)")
    assert "SumOverRecords" in str(value)
    assert (
        found.metric("unbounded")
        .over(sp.symbols("a b"))
        .subs({count[0](sp.Symbol("a")): 2, count[1](sp.Symbol("a")): 5})
        .has(sp.Abs)
    )
    assert (found.distance("unbounded", "bounded"), found.distance("bounded", "unbounded")) == (
        2,
        sp.oo,
    )
    with pytest.raises(dp.InputError, match="did you mean 'bounded'"):
        found.metric("bonded")


def test_everything_in_sympy_has_latex():
    visits = dp.Domain(person="Person", day=int)
    d = dp.derive(visits, "bounded", days=dp.blocks(lambda c, i: c.day == i, pure="eps"))
    order = dp.order("bounded", over=dp.Domain(id="Record"))
    for e in (
        *(c.sympy() for c in d.conditions.values()),
        d.profile.sympy(), d.problem.used_maps["days"].sympy(), order.metric("bounded"),
        sp.sympify(d.bounds["pure"]), (visits.c.day + 1).sympy(),
    ):  # fmt: skip
        written = sp.latex(e)
        assert written.count("{") == written.count("}")
        assert "$" not in written
    assert d.C1.sympy().free_symbols == {sp.Symbol("k", integer=True)}


# ------------------------------------------------------------------ claims


def test_claims_are_expressions():
    """A bound, divided or enlarged; a sum over all blocks; a pair; a property."""
    over = dp.Domain(id="Record")
    d = dp.derive(over, "unbounded", x=dp.cover(2, pure="eps"))
    bound, eps, k = d.bound().sympy(), d.symbols["eps"], d.symbols["k"]
    i = sp.Symbol("i", integer=True)
    changed = sp.Function("changed")(sp.Symbol("x"))
    for claim, text, verdict in (
        (bound / 2, "(1/2)*top(2, eps[i])", "refuted"),
        (bound + k / 5, "(1/5)*k + top(2, eps[i])", "proved"),
        (sp.Sum(eps[i], (i, 1, k)), "sum(eps[i])", "proved"),
        (3, "3", "refuted"),
    ):
        said = d.refute(claim)
        assert (said.claim.text, said.verdict) == (text, verdict)
    assert d.refute(changed <= 2).verdict == "proved"
    pairs = dp.derive(over, "unbounded", x=dp.partition(approximate=("eps", "delta")))
    assert pairs.refute(pairs.bound().sympy()).claim.text == "(max(eps[i]), max(delta[i]))"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (lambda eps, i, _: sp.Sum(eps[i], (i, 1, 3)), "does not run over all blocks of eps"),
        (lambda eps, i, k: sp.log(sp.Sum(eps[i], (i, 1, k))), "claims have no words for log"),
        (lambda *_: [1], r"not \[1\]"),
    ],
)
def test_what_is_no_claim(claim, said):
    d = dp.derive(dp.Domain(id="Record"), "unbounded", x=dp.cover(2, pure="eps"))
    made = claim(d.symbols["eps"], sp.Symbol("i", integer=True), d.symbols["k"])
    with pytest.raises(dp.InputError, match=said):
        d.refute(made)
