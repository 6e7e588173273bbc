"""What bounds print is read back: the words of claims, integers and conditions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest
import sympy as sp

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.from_sympy import claim_text
from dpcomp_sym.claims.parse import read_claim
from dpcomp_sym.claims.printed import in_python
from dpcomp_sym.claims.written_out import _Written
from dpcomp_sym.errors import InputError
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.statements.places import blocks
from dpcomp_sym.statements.symbolic import to_sympy
from dpcomp_sym.statements.terms import rewritten
from tests.shares import shared
from tests.statements.expressions import SINGLE, SIZES, SIZES_OF
from tests.statements.integers import largest_over_integers


def part(name, sizes):
    indices = tuple((f"b{n}", size) for n, size in enumerate(sizes))
    mapping = SimpleNamespace(indices=indices, sizes=sizes)
    return SimpleNamespace(map=mapping, guarantees=[("pure", (name,))])


PROBLEM = SimpleNamespace(
    bound_parts=[part(n, s) for n, s in (*SIZES_OF.items(), *((n, ()) for n in SINGLE))],
    symbols=dict.fromkeys(SIZES),
)


def read(text, problem=PROBLEM):
    ((found,),) = read_claim(text, problem, "pure").parameters
    return found


def values(e, seed):
    """Return what an expression is at some numbers, its letters being any of a few integers.

    None where something is divided by zero, too large, or is a function of an index.
    """
    rng = random.Random(seed)
    sizes = {name: rng.randint(1, 3) for name in SIZES}
    numbers = {name: Fraction(rng.randint(0, 9), 3) for name in SINGLE}
    for name, family in SIZES_OF.items():
        numbers[name] = {b: Fraction(rng.randint(0, 9), 2) for b in blocks(family, sizes)}

    def largest(x):
        if not isinstance(x, k.MaxOver):
            return None
        places = product(range(-2, 5), repeat=x.free)
        at = [Values(sizes, place) for place in places]
        return k.Max(tuple(_Written(here).of(x.body) for here in at if here.hold(x.facts)))

    try:
        plain = _Written(Values(sizes)).of(rewritten(e, largest))
        return standalone.enclose(plain.as_json(), numbers, sizes, 40)
    except ValueError:
        return None


def same(one, other, seed):
    """Return whether two expressions have the same values at some numbers, None if unknown."""
    others = {x.name for x in k.subterms(other) if isinstance(x, k.Apply)} - {"growth", "exp"}
    if others:
        return None  # SymPy knows the values of some
    each = [(values(one, n), values(other, n)) for n in range(seed, seed + 3)]
    known = [(a, b) for a, b in each if a is not None and b is not None]
    return all(a[0] <= b[1] and b[0] <= a[1] for a, b in known) if known else None


@pytest.mark.parametrize("seeds", shared(1, [range(150), range(150, 1000)]), ids=len)
def test_random_largest_values_are_read_as_they_are_printed(seeds):
    met = over = 0
    for seed in seeds:
        e = largest_over_integers(seed)
        try:
            found = read(e.text())
        except InputError:
            continue  # claims have words for fewer expressions
        equal = same(found, e, seed)
        assert equal is not False, (seed, e.text())
        met += bool(equal)
        over += bool(equal) and any(isinstance(x, k.MaxOver) and x.free for x in k.subterms(found))
    assert met > len(seeds) / 20
    assert over > len(seeds) / 40


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("2*max(eps[i])", "2*max(eps[i])"),
        ("max over t of eps[i]^2*a", "max((eps[i]**2*a) for t in integers)"),
        ("max over t, u with t < u and u <= 3 of (a + b)",
         "max(((a + b)) for t, u in integers if t < u and u <= 3)"),
        ("sum(1 for i <= 3 or i == w; i <= k)", "sum((1 if i <= 3 or i == w else 0) for i in k)"),
        ("max over i != j of (a[i] + b[j])", "max((a[i] + b[j]))"),
        ("sum of the 2*r largest eps[i]", "top(2*r, eps[i])"),
        ("sum over i of max over j of eps[i,j]",
         "sum(max((eps[i,j]) for j in blocks) for i in blocks)"),
        ("(a if w < 3)", "((a if w < 3 else 0))"),
        ("max(a for t in integers if t < 3)", "max(a for t in integers if t < 3)"),
        ("sum(a[i] if i < 3 else 0)", "sum(a[i] if i < 3 else 0)"),
        ("min(max over t of a, max over t of b)",
         "min(max((a) for t in integers), max((b) for t in integers))"),
    ],
)  # fmt: skip
def test_sentences_in_python(text, python):
    assert in_python(text) == python


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("max over t of a + b", "brackets"),
        ("max over t of a - b", "brackets"),
        ("max over t of", "too early"),
        ("max over t a", "'of' is missing"),
        ("max over t with t < 3", "'of' is missing"),
        ("sum of the 3 eps[i]", "'largest' is missing"),
        ("sum over i of eps[i]", "'of max over' is missing"),
        ("max over different blocks(2 of eps[i]; mu[i])", "no words"),
        ("max over t, t of a", "different letters"),
        ("max over eps of a", "no letter for an integer"),
        ("max over t of sum(eps[t] for t <= 3)", "another meaning"),
        ("max over t of sum(eps[i] for t <= j)", "'j' is no integer here"),
        ("max over t of sum(eps[i] for t)", "no condition"),
        ("max over t of sum(eps[i] for t <= eps)", "'eps' is no integer here"),
        ("max over t of sum(eps[i] for t <= i/2)", "no integer"),
        ("max over t of t*a", "conditions"),
        ("max over t of (max over u of a)", "stands in another one"),
        ("sum(sum(eps[i] for i <= 3)*eps[i] for i <= 3)", "stands in another one"),
        ("sum(eps[i] + eps[j] for i <= j)", "one block at a time"),
        ("sum(a for i <= 3)", "one block at a time"),
        ("sum(a for i <= 3; i)", "of which blocks"),
        ("sum(a for i <= 3; i <= eps)", "a size of the spec or a number"),
        ("sum(eps[i] for i <= 3; i <= m)", "is about other blocks"),
        ("max over t of min(a, b)", "a minimum cannot stand"),
        ("sum(eps[i] if i < 3 else 1)", "counts 0"),
        ("max over t with t in eps of a", "integers are compared"),
        ("max over t of sum(tau[i,j] for i == t(k))", "a function of indices"),
        ("sum over i of max over j of eps[j]", "written"),
        ("max over t of a[i]", "without an index"),
        ("max over (t of a", "is missing"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(claim, message):
    with pytest.raises(InputError) as raised:
        read(claim)
    assert message in str(raised.value)


def test_a_letter_that_is_a_symbol_is_the_letter():
    """A symbol of the spec may be called t: inside of the maximum t is what it runs over."""
    problem = SimpleNamespace(bound_parts=PROBLEM.bound_parts, symbols={"k": "", "t": ""})
    inside = read("max over t of sum(eps[i] for t <= i < t + 2)", problem)
    assert not any(isinstance(x, k.Symbol) for x in k.subterms(inside))
    both = read("t*(max over u of sum(eps[i] for u <= i < u + t))", problem)
    assert {x.name for x in k.subterms(both) if isinstance(x, k.Symbol | k.Size)} == {"t"}
    with pytest.raises(InputError, match="can be negative"):
        read("max over t of (t*sum(eps[i] for t <= i))", problem)


def test_a_number_of_blocks_that_is_called_integers():
    parts = [part("c", ("integers",))]
    problem = SimpleNamespace(bound_parts=parts, symbols={"integers": ""})
    text = "max(1/2 for i <= 3; i <= integers)"
    assert read(text, problem).body.sizes == ("integers",)
    with pytest.raises(InputError):
        read("max over t of sum(c[i] for t <= i)", problem)


def test_letters_of_blocks_do_not_hide_symbols():
    problem = SimpleNamespace(bound_parts=PROBLEM.bound_parts, symbols={"k": "", "j": ""})
    with pytest.raises(InputError, match="another meaning"):
        read("sum(eps[j] for j <= 3)", problem)
    assert read("sum(eps[i] for i <= j)", problem).text() == "sum(eps[i] for i <= j)"


@pytest.mark.parametrize("seeds", shared(1, [range(150), range(150, 1000)]), ids=len)
def test_expressions_of_sympy_are_read_as_they_are(seeds):
    met = 0
    for seed in seeds:
        e = largest_over_integers(seed)
        try:
            given = to_sympy(e)
        except (ValueError, TypeError, ZeroDivisionError, RecursionError):
            continue  # something is divided by zero
        try:
            text = claim_text(given, PROBLEM)
            found = read(text)
        except InputError:
            continue
        equal = same(found, e, seed)
        assert equal is not False, (seed, e.text(), text)
        met += bool(equal) and any(isinstance(x, k.MaxOver) and x.free for x in k.subterms(e))
    assert met > len(seeds) / 100


def test_symbols_of_sympy_that_are_bound_get_other_names_where_theirs_mean_something():
    v = dp.Domain(person="Person", day=int)
    u = v.symbol("u", at_least=1)
    d = dp.derive(v, "w_event(day, u)", daily=dp.blocks(lambda c, i: c.day == i, pure="eps"))
    text = claim_text(d.bound().sympy() + 2 * d.symbols["u"], d.problem)
    assert text.count("max over t of") == 1
    t, own = sp.Symbol("t", integer=True), d.symbols["u"]
    renamed = d.bound().sympy()
    letter = renamed.bound_symbols[0]
    assert letter == t
    clashing = renamed.func(*(a.xreplace({t: sp.Symbol("u", integer=False)}) for a in renamed.args))
    assert own in d.bound().sympy().free_symbols
    assert "max over u of" not in claim_text(clashing, d.problem)
    assert u is not None
