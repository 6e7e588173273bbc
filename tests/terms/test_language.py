"""The language of formulas: what is written is read, printed and evaluated as one meaning."""

from __future__ import annotations

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import Environment, Scope, evaluate, parse, to_text
from dpcomp_sym.terms.render import to_latex

SCOPE = Scope(
    variables={"x": "cell", "y": "cell", "n": "int", "p": "bool"},
    attributes={"day": "int", "owner": "Person"},
    constants={"ann": "Person"},
    functions={"boss": (("Person",), "Person")},
    databases=("D", "E"),
)
WORDS = {word: word for word in ("day", "owner", "boss", "ann")}
# What is written, the same in LaTeX, and its value where x = (3, bob), y = (3, ann), n = 2,
# p is true, D holds x twice and E holds y once; ann is the boss of all.
MEANT = [
    ("D[x] - (E[y] - n)", r"D(x) - \left(E(y) - n\right)", 3),
    ("D[x]*(n + 1) - -n", r"D(x) \cdot \left(n + 1\right) - -n", 8),
    ("-(n + 1) <= -4", r"-\left(n + 1\right) \le -4", False),
    ("D[(day(y), owner(x))] + D[x]", r"D\left(day(y), owner(x)\right) + D(x)", 4),
    ("size(D) == size(E) + 1", r"\lvert D \rvert = \lvert E \rvert + 1", True),
    ("n**(n + 1) - 3**-n", r"n^{n + 1} - 3^{-n}", 7),
    ("7//n - 7 % (n*2**n)", r"\lfloor 7 / n \rfloor - (7 \bmod \left(n \cdot 2^{n}\right))", -4),
    ("not (p and n > 2)", r"\lnot \left(p \land n > 2\right)", True),
    ("(p or n > 2) and x != y", r"\left(p \lor n > 2\right) \land x \neq y", True),
    ("implies(p, n == 1 or n >= 2)", r"p \Rightarrow n = 1 \lor n \ge 2", True),
    ("implies(n == 1, false)", r"n = 1 \Rightarrow \bot", True),
    ("abs(n - 5) == 3", r"\lvert n - 5 \rvert = 3", True),
    ("boss(owner(x)) == ann", r"boss(owner(x)) = ann", True),
    ("(n if p else -n) + 1", r"\left(n \text{ if } p,\ -n \text{ otherwise}\right) + 1", 3),
    (
        "true if n == 0 else p",
        r"\begin{cases} \top & \text{if } n = 0 \\ p & \text{otherwise} \end{cases}",
        True,
    ),
]


@pytest.mark.parametrize(("text", "latex", "value"), MEANT, ids=[m[0] for m in MEANT])
def test_one_meaning(text, latex, value):
    term = parse(text, SCOPE)
    assert parse(to_text(term), SCOPE) == term
    here = Environment(
        {"x": (3, "bob"), "y": (3, "ann"), "n": 2, "p": True},
        {"boss": lambda _: "ann"},
        {"day": 0, "owner": 1},
        {"D": {(3, "bob"): 2}, "E": {(3, "ann"): 1}},
    )
    assert evaluate(term, here) == value
    assert to_latex(term, WORDS) == latex


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0 <= n < 3", "0 <= n and n < 3"),
        ("True", "true"),
        ("False", "false"),
        ("agree(x, y)", "true"),
        ("agree(x, y, day)", "day(x) == day(y)"),
        ("differ_only(x, y, day)", "owner(x) == owner(y)"),
        ("differ_in_one(x, y)", "owner(x) == owner(y) or day(x) == day(y)"),
        ("D[replace(x, day, n)]", "D[(n, owner(x))]"),
        ("max(n, 1)", "n if n >= 1 else 1"),
        ("min(n, 1)", "n if n <= 1 else 1"),
        ("((n))", "n"),
    ],
)
def test_what_is_short_for_what(text, same):
    assert parse(text, SCOPE) == parse(same, SCOPE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (1.5, "an expression is expected, not 1.5"),
        ("1 <= n\0", "cannot read .* cannot contain null bytes"),
        ("1 <= n" + "+1" * 2000, "may have 4000 characters, this one has 4006"),
        ("not " * 900 + "p", "is nested too deeply"),
        ("n ≤ 1", "the character '≤' is not allowed in 'n ≤ 1'"),
        ("F[x]", r"'F\[…\]' in 'F\[x\]' is not a database; known here: D, E"),
        ("D == E", r"'D' in 'D == E' is a database: write D\[x\] or size\(D\)"),
        ("D[n]", "'n' in .* is of sort int, but cell is expected"),
        ("D[(n, n)]", r"its sorts are \(int, int\), those of the attributes day, owner are"),
        ("n / 2", "'n / 2' is not part of the language"),
        ("x == 'a'", "names stand without quotes: a, not 'a'"),
        ("[n]", r"'\[n\]' is not part of the language"),
        ("abs(n, key=n)", "is not part of the language"),
        ("n is 2", "uses a comparison that the language does not have"),
        ("n in (1, 2)", "uses a comparison that the language does not have"),
        ("x < y", "compares the sorts cell and cell; == and != need equal sorts, order needs int"),
        ("n == p", "compares the sorts int and bool"),
        ("day", r"'day' in 'day' is a function: say of what, as in day\(x\)"),
        ("day(x, y)", r"'day' in 'day\(x, y\)' takes 1 argument\(s\), not 2"),
        ("max(n)", r"'max' in 'max\(n\)' takes 2 argument\(s\), not 1"),
        ("size(x)", r"size\(…\) in 'size\(x\)' takes a database"),
        ("agree(x)", r"'agree' in 'agree\(x\)' needs two cells"),
        ("agree(x, y, dya)", "'dya' in .* is not an attribute; did you mean 'day'?"),
        ("replace(x, day) == x", "'replace' in .* takes a cell, an attribute and a value"),
        ("n if p else p", "'p' in .* is of sort bool, but int is expected"),
        ("(x, n) == (y, n)", r"'x' in .* cannot stand in a tuple"),
        ("(n, n)", "is a tuple, which can be compared and be the key of a limit, no more"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse(text, SCOPE)


def test_cells_without_attributes_are_equal_or_not():
    with pytest.raises(InputError, match=r"'differ_in_one' in .* needs cells with attributes"):
        parse("differ_in_one(x, y)", Scope(variables={"x": "cell", "y": "cell"}))


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("alpha", r"\alpha"),
        ("rho_2", r"\rho_{\_2}"),
        ("rho2", r"\rho_{2}"),
        ("eps", r"\varepsilon"),
        ("w_max_now", r"w_{\mathrm{max\_now}}"),
        ("x12", "x_{12}"),
    ],
)
def test_names_in_latex(name, latex):
    assert latex_name(name) == latex


def test_a_value_in_the_place_of_a_record_gets_a_hint():
    scope = Scope({"a": "Record", "n": "int"}, attributes={"id": "Record"}, databases=("D",))
    with pytest.raises(InputError, match=r"but cell is expected: the record .* is \(a,\)"):
        parse("D[a] >= 1", scope)
    with pytest.raises(InputError, match=r"but cell is expected$"):
        parse("D[n] >= 1", scope)
    assert parse("D[(a,)] >= 1", scope).sort == "bool"
