"""What is written says what it was written for: read back, it is the same expression."""

from __future__ import annotations

import itertools
import re

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.replay.terms import Reader
from dpcomp_sym.replay.words import words
from dpcomp_sym.statements.integers import LATEX_SIGNS, PLAIN_SIGNS, TRUE, Naming
from dpcomp_sym.statements.latex import latex_name, latex_text
from dpcomp_sym.statements.plain import PLAIN
from dpcomp_sym.statements.render import whole
from tests.shares import shared
from tests.statements import integers
from tests.statements.expressions import expression, number
from tests.statements.readers import read_latex, read_plain

A, MU, TWO = k.Param("a"), k.BlockEntry("mu", ("k",)), number(2)
EPS, TAU = k.BlockEntry("eps", ("k",)), k.BlockEntry("tau", ("k", "m"))
LARGEST = k.Worst(("k",), (k.Choice(TWO, MU),))
TRAPS = {
    "a product squared": k.Product((k.Product((TWO, A)),) * 2),
    "a product in a product": k.Product((TWO, k.Product((TWO, A)))),
    "a fraction squared": k.Product((number("1/2"),) * 2),
    "largest values before a sum": k.Sum((LARGEST, A)),
    "largest values before a product": k.Product((LARGEST, A)),
    "largest values squared": k.Product((LARGEST,) * 2),
    "a sum that ends a sum": k.Sum((A, k.Sum((A, LARGEST)))),
    "the root of a square": k.Sqrt(k.Product((k.Sum((A, TWO)),) * 2)),
    "cases in a sum": k.Sum(
        (k.Cases((k.SizeCase((k.SizeRange("k", 1, 1),), A), k.SizeCase((), TWO))), A)
    ),
    "no blocks beside some": k.Worst(("k",), (k.Choice(number(0), MU), k.Choice(TWO, EPS))),
    "known and unknown numbers of blocks": k.Worst(
        ("k",), (k.Choice(number(1), MU), k.Choice(k.Size("m"), EPS))
    ),
    "the last of three values that is about no block": k.Worst(
        ("k",), (k.Choice(number(1), MU), k.Choice(number(1), A))
    ),
    "sums in a function": k.Apply("growth", (k.Sum((A, TWO)), k.Sum((A, k.Size("k"))))),
}
SEEDS = range(4000)


@pytest.mark.parametrize("e", TRAPS.values(), ids=TRAPS)
def test_traps(e):
    assert read_plain(e.text()) == e
    assert read_latex(latex_text(e)) == e


LOOKS = {
    "a sum of nothing": (k.Sum(()), "0", "0"),
    "a product of nothing": (k.Product(()), "1", "1"),
    "a maximum of nothing": (k.Max(()), "0", "0"),
    "a sum of one": (k.Sum((MU,)), "mu[i]", r"\mu_i"),
    "a product of one": (k.Sqrt(k.Product((k.Sum((A, A)),))), "sqrt(a + a)", r"\sqrt{a + a}"),
    "no groups of blocks": (k.Worst(("k",), ()), "0", "0"),
    "a certain block": (k.EntryOf("x", (3, 4), (2, 1)), "x[2,1]", "x_{2,1}"),
    "an entry": (MU, "mu[i]", r"\mu_i"),
    "an entry of two indices": (TAU, "tau[i,j]", r"\tau_{i,j}"),
    "a product in a sum": (k.Sum((k.Product((TWO, A)), A)), "2*a + a", "2 a + a"),
    "numbers side by side": (
        k.Product((A, TWO, number("1/2"))), "a*2*1/2", r"a \cdot 2 \cdot \tfrac{1}{2}"
    ),
    "a number and a largest value": (
        k.Product((TWO, k.Worst(("k",), (k.Choice(number(1), MU),)))), "2*max(mu[i])",
        r"2 \max_{i} \mu_i",
    ),
    "the largest of a family of two indices": (
        k.Worst(("k", "m"), (k.Choice(TWO, TAU),)), "sum of the 2 largest tau[i,j]",
        r"\max_{|S| \le 2} \sum_{(i,j) \in S} \tau_{i,j}",
    ),
    "the largest in their order": (LARGEST, "sum of the 2 largest mu[i]",
                                   r"\sum_{j=1}^{\min(2, k)} \mu_{(j)}"),
    "the largest of sums": (
        k.Worst(("k",), (k.Choice(TWO, k.Sum((MU, EPS))),)),
        "sum of the 2 largest (mu[i] + eps[i])",
        r"\max_{|S| \le 2} \sum_{i \in S} (\mu_i + \varepsilon_i)",
    ),
    "two different blocks of a family of two indices": (
        k.Worst(("k", "m"), (k.Choice(number(1), TAU),
                             k.Choice(number(1), k.Product((TWO, TAU))))),
        "max over (i,j) != (l,n) of (tau[i,j] + 2*tau[l,n])",
        r"\max_{(i,j) \neq (l,n)} (\tau_{i,j} + 2 \tau_{l,n})",
    ),
    "three different blocks": (
        k.Worst(("k",), (k.Choice(number(1), MU), k.Choice(TWO, EPS))),
        "max over different i, j, l of (mu[i] + eps[j] + eps[l])",
        r"\max_{i, j, l\ \text{distinct}} (\mu_i + \varepsilon_j + \varepsilon_l)",
    ),
    "blocks inside of different blocks": (
        k.Worst(("k",), (
            k.Choice(number(1), k.Product((MU, k.Worst(("k",), (k.Choice(number(1), EPS),))))),
            k.Choice(TWO, EPS),
        )),
        "max over different i, j, l of (mu[i]*max(eps[n]) + eps[j] + eps[l])",
        (
            r"\max_{i, j, l\ \text{distinct}} "
            r"(\Bigl(\mu_i \max_{n} \varepsilon_n\Bigr) + \varepsilon_j + \varepsilon_l)"
        ),
    ),
    "a quotient in a product": (
        k.Amount(k.Combined("mul", (
            k.Combined("div", (k.Symbol("w"), k.Integer(2))), k.Integer(3), k.Symbol("m"),
        ))),
        "max(0, (w//2)*3*m)",
        r"\max(0, \lfloor w / 2 \rfloor \cdot 3\,m)",
    ),
    "large brackets": (
        k.Product((k.Sum((A, LARGEST)), k.Sum((A, k.Max((A, TWO)))), k.Sum((A, A)))),
        "(a + sum of the 2 largest mu[i])*(a + max(a, 2))*(a + a)",
        (
            r"\Bigl(a + \sum_{j=1}^{\min(2, k)} \mu_{(j)}\Bigr) "
            r"\Bigl(a + \max\{a, 2\}\Bigr) (a + a)"
        ),
    ),
    "blocks inside of blocks": (
        k.Worst(("k",), (k.Choice(k.Inf(), k.Product(
            (MU, k.Worst(("k", "m"), (k.Choice(k.Inf(), TAU),)))
        )),)),
        "sum(mu[i]*sum(tau[j,l]))",
        r"\sum_{i=1}^{k} \Bigl(\mu_i \sum_{j=1}^{k} \sum_{l=1}^{m} \tau_{j,l}\Bigr)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("e", "plain", "latex"), LOOKS.values(), ids=LOOKS)
def test_formulas_look_like_this(e, plain, latex):
    """With the brackets that are needed, and no others."""
    assert e.text() == plain
    assert latex_text(e) == latex


def test_functions_and_exponents_in_writing():
    here = Naming(PLAIN_SIGNS, here=("a", "b"))
    assert [here.integer(k.LetterAt(n, (k.Index(1),))) for n in (1, 2)] == ["a", "b"]
    above = k.Combined("pow", (k.Integer(2), k.Combined("add", (k.Index(1), k.Integer(1)))))
    assert Naming(LATEX_SIGNS).integer(above) == "2^{b1 + 1}"
    assert Naming(PLAIN_SIGNS).integer(above) == "2**(b1 + 1)"


def test_sets_of_blocks_have_numbers():
    values = (k.Product((number(n), MU)) for n in range(2, 12))
    e = k.Worst(("k",), tuple(k.Choice(number(1), value) for value in values))
    assert r"S_8, S_9, S_{10}\ \text{disjoint}" in latex_text(e)


@pytest.mark.parametrize(
    ("guarantee", "unsettled", "text"),
    [
        ((A, TWO), (), "(a, 2)"),
        ((A,), (), "a"),
        ((k.Inf(), k.Inf()), (), "inf (no guarantee)"),
        ((k.Inf(), k.Inf()), ((),), "inf (not known)"),
        ((A, k.Inf()), (), "(a, inf)"),
    ],
)
def test_whole_guarantees(guarantee, unsettled, text):
    assert whole(guarantee, PLAIN, unsettled.__contains__) == text
    if not unsettled:
        assert whole(guarantee, PLAIN) == text


def test_whole_guarantees_in_cases():
    one, more = (k.SizeRange("k", 1, 1),), (k.SizeRange("k", 2, None),)
    eps = k.Cases((k.SizeCase(one, A), k.SizeCase(more, k.Inf())))
    delta = k.Cases((k.SizeCase(one, TWO), k.SizeCase(more, k.Inf())))
    half = k.Cases((k.SizeCase(one, TWO), k.SizeCase(more, TWO)))
    unsettled = {more}.__contains__
    assert whole((eps, delta), PLAIN) == "(a, 2) for k = 1; inf for k >= 2"
    assert whole((eps, half), PLAIN) == "(a, 2) for k = 1; (inf, 2) for k >= 2"
    assert whole((eps, TWO), PLAIN) == "(a, 2) for k = 1; (inf, 2) for k >= 2"
    assert whole((eps, delta), PLAIN, unsettled) == "(a, 2) for k = 1; inf (not known) for k >= 2"


@pytest.mark.in_turn
def test_plain_text_is_read_back():
    for seed in SEEDS:
        e = expression(seed)
        assert read_plain(e.text()) == e, e.text()


@pytest.mark.in_turn
def test_latex_is_read_back():
    for seed in SEEDS:
        e = expression(seed)
        assert read_latex(latex_text(e)) == e, latex_text(e)


@pytest.mark.in_turn
@pytest.mark.parametrize("seeds", shared(1, [SEEDS[:300], SEEDS]), ids=len)
def test_largest_values_over_integers_are_read_back(seeds):
    for seed in seeds:
        e = integers.largest_over_integers(seed)
        assert integers.Plain(e.text()).whole() == e, (seed, e.text())
        formula = latex_text(e)
        assert integers.Latex(formula).whole() == e, (seed, formula)
        assert words(Reader().value(e.as_json(), "Expr")) == e.text()


def test_without_integers_facts_are_a_condition():
    facts = k.Compared("le", k.Symbol("k"), k.Integer(3))
    e = k.MaxOver(0, facts, LARGEST)
    only = k.SumOver((), facts, number(1), LARGEST)
    assert e.text() == only.text() == "(sum of the 2 largest mu[i] if k <= 3)"
    assert latex_text(e) == latex_text(only)
    assert k.MaxOver(0, integers.TRUE, LARGEST).text() == LARGEST.text()
    assert words(Reader().value(e.as_json(), "Expr")) == e.text()


@pytest.mark.parametrize(
    "count", [number(1), TWO, k.Size("m"), k.Inf()], ids=("1", "2", "m", "all")
)
@pytest.mark.parametrize("value", [MU, A, k.Sum((MU, A))], ids=("mu", "a", "sum"))
def test_totals_over_all_blocks_are_written_as_choices_of_blocks(count, value):
    e = k.SumOver(("k",), integers.TRUE, count, value)
    choice = integers.total(integers.TRUE, ("k",), count, value)
    assert e.text() == choice.text()
    assert read_latex(latex_text(e)) == choice
    assert words(Reader().value(e.as_json(), "Expr")) == e.text()
    assert k.SumOver((), integers.TRUE, count, A).text() == "a"


def test_letters_that_mean_something_else_are_not_taken():
    """A size and an entry may be called t and u; after the letters come those with numbers."""
    inside = k.Connected("and", tuple(
        k.Compared("eq", k.Letter(n), k.Symbol("z")) for n in range(1, 8)
    ))  # fmt: skip
    e = k.MaxOver(7, inside, k.SumOver(("t",), inside, k.Inf(), k.BlockEntry("u", ("t",))))
    assert e.text().startswith("max over v, x, y, t1, u1, v1, x1 with v == z and x == z and ")
    assert words(Reader().value(e.as_json(), "Expr")) == e.text()


def test_the_letter_of_an_index_is_not_taken():
    six = ("k", "m", 2, 3, 4, 5)
    when = k.Compared("eq", k.Index(6), k.Letter(1))
    e = k.MaxOver(1, integers.TRUE, k.SumOver(six, when, k.Inf(), k.BlockEntry("x", six)))
    assert e.text() == "max over u of sum(x[i,j,l,n,s,t] for t == u)"
    assert words(Reader().value(e.as_json(), "Expr")) == e.text()


def test_different_names_look_different_in_latex():
    pieces = ("eps", "epsilon", "mu", "e", "E", "eta", "1", "12", "0", "_", "_fl", "_i", "x", "é")
    names = {"".join(some) for n in (1, 2, 3, 4) for some in itertools.product(pieces, repeat=n)}
    names = [name for name in names if name.isidentifier()]
    seen: dict[str, str] = {}
    for name in names:
        for index in ("", "i", "i,j"):
            shown = re.sub(r"\\mathrm\{([\d,]*)\}", r"\1", latex_name(name, index)).replace("{", "")
            shown = shown.replace("}", "")
            assert seen.setdefault(shown, name + index) == name + index, latex_name(name, index)


def test_the_second_program_prints_the_same_text():
    for seed in SEEDS:
        e = expression(seed)
        assert words(Reader().value(e.as_json(), "Expr")) == e.text()


TOTALS = {
    "sum over i of max over j of eps[i,j]": (("h", "k"), 2, (1,)),
    "sum over j of max over i of eps[i,j]": (("h", "k"), 1, (2,)),
    "sum over i, j of max over l of eps[i,j,l]": (("h", "k", "m"), 3, (1, 2)),
    "sum over i, l of max over j of eps[i,j,l]": (("h", "k", "m"), 2, (1, 3)),
    # What depends on fewer indices, or on itself, is not the largest for each of the others.
    "max over t of sum(eps[i,j,l] for l == t(i))": (("h", "k", "m"), 3, (1,)),
    "max over t of sum(eps[i,j] for j == t(i,j))": (("h", "k"), 2, (1, 2)),
}


@pytest.mark.parametrize("text", TOTALS)
def test_the_largest_for_each(text):
    sizes, last, others = TOTALS[text]
    assert total(sizes, last, others).text() == text


@pytest.mark.parametrize(
    ("free", "facts", "value", "text"),
    [
        (2, TRUE, None, "max over t, u of sum(eps[i,j] for j == t(i))"),
        (1, k.Compared("le", k.Symbol("a"), k.Symbol("b")), None,
         "max over t with a <= b of sum(eps[i,j] for j == t(i))"),
        (1, TRUE, A, "max over t of sum(a for j == t(i); i <= h, j <= k)"),
        # What else is about blocks has letters of its own.
        (1, TRUE,
         k.Sum((k.BlockEntry("eps", ("h", "k")),
                k.SumOver(("m",), TRUE, k.Inf(), k.BlockEntry("mu", ("m",))))),
         "sum over i of max over j of (eps[i,j] + sum(mu[l]))"),
    ],
)  # fmt: skip
def test_the_largest_for_each_is_only_said_where_it_is_so(free, facts, value, text):
    assert total(("h", "k"), 2, (1,), value, free, facts).text() == text


def test_the_largest_for_each_in_latex():
    assert latex_text(total(("h", "k", 3), 2, (1, 3))) == (
        r"\sum_{i=1}^{h} \sum_{l=1}^{3} \max_{1 \le j \le k} \varepsilon_{i,j,l}"
    )


def total(sizes, last, others, value=None, free=1, facts=TRUE):
    """Return the sum of what is in blocks of which a function of others says one index."""
    chosen = k.Compared("eq", k.Index(last), k.LetterAt(1, tuple(map(k.Index, others))))
    summed = k.SumOver(sizes, chosen, k.Inf(), value or k.BlockEntry("eps", sizes))
    return k.MaxOver(free, facts, summed)
