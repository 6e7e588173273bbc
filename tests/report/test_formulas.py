"""Formulas as LaTeX: precedence, indices, ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.kernel.theorem import RULES
from dpcomp_sym.report import article
from dpcomp_sym.report.formulas import Symbols, sentence
from dpcomp_sym.report.latex import escape
from dpcomp_sym.statements.latex import latex_text as expression

A, B = k.Param("a"), k.Param("eps_fl")
ONE, TWO, THREE = (k.Num(Fraction(n)) for n in (1, 2, 3))
EPS, MU = k.BlockEntry("eps", ("k",)), k.BlockEntry("mu", ("k",))
NAMES = Symbols({"counts": "M"}, {"blocks": "f"}, {}, {"unbounded": r"\mathcal{U}"})


def worst(*choices, sizes=("k",)):
    return k.Worst(sizes, tuple(k.Choice(count, value) for count, value in choices))


@pytest.mark.parametrize(
    ("term", "latex"),
    [
        (k.Product((TWO, k.Sum((A, B)))), r"2 (a + \varepsilon_{\mathrm{fl}})"),
        (k.Sum((k.Product((TWO, A)), B)), r"2 a + \varepsilon_{\mathrm{fl}}"),
        (k.Product((TWO, THREE, A, TWO)), r"2 \cdot 3 a \cdot 2"),
        (k.Product((k.Product((TWO, A)),) * 2), r"(2 a)^{2}"),
        (k.Product((TWO, k.Product((TWO, A)))), r"2 (2 a)"),
        (k.Product((A, A)), r"a^{2}"),
        (k.Product((worst((ONE, EPS)),) * 2), r"\Bigl(\max_{i} \varepsilon_i\Bigr)^{2}"),
        (k.Product((k.Sum((A, B)),) * 2), r"(a + \varepsilon_{\mathrm{fl}})^{2}"),
        (k.Sqrt(k.Sum((A, B))), r"\sqrt{a + \varepsilon_{\mathrm{fl}}}"),
        (k.Num(Fraction(1, 2)), r"\tfrac{1}{2}"),
        (k.Sum(()), "0"),
        (k.Product(()), "1"),
        (worst((ONE, EPS)), r"\max_{i} \varepsilon_i"),
        (
            k.Sum((worst((ONE, k.Sum((EPS, MU)))), A)),
            r"\Bigl(\max_{i} (\varepsilon_i + \mu_i)\Bigr) + a",
        ),
        (
            k.Sum((A, worst((ONE, k.Sum((EPS, MU)))))),
            r"a + \max_{i} (\varepsilon_i + \mu_i)",
        ),
        (worst((k.Inf(), EPS)), r"\sum_{i=1}^{k} \varepsilon_i"),
        (
            worst((k.Product((TWO, k.Size("r"))), EPS)),
            r"\sum_{j=1}^{\min(2 r, k)} \varepsilon_{(j)}",
        ),
        (worst((THREE, k.Product((MU, MU)))), r"\sum_{j=1}^{\min(3, k)} \mu_{(j)}^{2}"),
        (
            worst((THREE, k.Sum((EPS, MU)))),
            r"\max_{|S| \le 3} \sum_{i \in S} (\varepsilon_i + \mu_i)",
        ),
        (worst((ONE, EPS), (ONE, MU)), r"\max_{i \neq j} (\varepsilon_i + \mu_j)"),
        (
            worst((TWO, EPS), (ONE, MU)),
            r"\max_{i, j, l\ \text{distinct}} (\varepsilon_i + \varepsilon_j + \mu_l)",
        ),
        (
            worst((k.Inf(), k.BlockEntry("eps", ("k", "m"))), sizes=("k", "m")),
            r"\sum_{i=1}^{k} \sum_{j=1}^{m} \varepsilon_{i,j}",
        ),
        (
            k.Cases(
                (
                    k.SizeCase((k.SizeRange("k", 1, 1),), A),
                    k.SizeCase((k.SizeRange("k", 2, None),), k.Inf()),
                )
            ),
            r"\begin{cases} a & k = 1 \\ \infty & k \ge 2 \end{cases}",
        ),
        (k.Apply("growth", (A, TWO)), r"\frac{e^{2 a} - 1}{e^{a} - 1}"),
    ],
)
def test_an_expression(term, latex) -> None:
    assert expression(term) == latex


DATABASES = k.DatabaseClass("D", "", ())
BLOCK = k.DatabaseClass("blocks(D)", "", ("k",))
UNBOUNDED = k.NamedRelation("unbounded", "")
ARROW = k.NamedMap("blocks", "", DATABASES, BLOCK, ("k",))
MECHANISM = k.NamedMechanism("counts", BLOCK, ("k",))
SEEN = k.Pullback(k.CanonicalMetric(UNBOUNDED, BLOCK), ARROW)


@pytest.mark.parametrize(
    ("notion", "values", "latex"),
    [
        ("pure", (EPS,), r"\sum_{i=1}^{k} \varepsilon_i \, d_{\mathcal{U}}(f_i(D), f_i(D'))"),
        ("zcdp", (EPS,), r"\sum_{i=1}^{k} \varepsilon_i \, d_{\mathcal{U}}(f_i(D), f_i(D'))^2"),
        (
            "gaussian",
            (MU,),
            r"\sqrt{\sum_{i=1}^{k} \bigl(\mu_i \, d_{\mathcal{U}}(f_i(D), f_i(D'))\bigr)^2}",
        ),
        (
            "approximate",
            (EPS, k.BlockEntry("delta", ("k",))),
            (
                r"(\sum_{i=1}^{k} \varepsilon_i \, d_{\mathcal{U}}(f_i(D), f_i(D')), "
                r"\sum_{i=1}^{k} \delta_i \, [d_{\mathcal{U}}(f_i(D), f_i(D'))]_{\varepsilon_i})"
            ),
        ),
    ],
)
def test_a_guarantee_at_a_distance(notion, values, latex) -> None:
    loss = k.EachJoint(("k",), k.At(values, SEEN))
    family = k.EachAdaptive(("k",), k.After(MECHANISM, ARROW))
    said = sentence(k.Private(family, notion, loss, ()), NAMES)
    assert r"(M_i \circ f_i)_{i \le k}" in said
    assert f"${latex}$-" in said


def test_a_sum_is_bracketed_before_what_it_is_of() -> None:
    loss = k.Neighbouring(UNBOUNDED, DATABASES, (k.Sum((A, TWO)),))
    mechanism = k.NamedMechanism("counts", DATABASES, ())
    said = sentence(k.Private(mechanism, "pure", loss, ()), NAMES)
    assert said.startswith(r"$M$ is $\bigl(a + 2\bigr)$-DP")


def test_a_converted_guarantee_is_scaled_first() -> None:
    loss = k.Converted("pure", k.At((EPS,), SEEN))
    said = sentence(k.Private(k.After(MECHANISM, ARROW), "zcdp", loss, ()), NAMES)
    scaled = r"\varepsilon_i \, d_{\mathcal{U}}(f_i(D), f_i(D'))"
    assert rf"{scaled} \, \tanh\bigl(\tfrac12 \, {scaled}\bigr)" in said


def test_what_steps_cost_names_their_number() -> None:
    for notion, sign in (("zcdp", r"\rho_{\mathrm{P}}"), ("gaussian", r"\mu_{\mathrm{P}}")):
        loss = k.Stepwise("pure", (EPS,), SEEN)
        said = sentence(k.Private(k.After(MECHANISM, ARROW), notion, loss, ()), NAMES)
        assert rf"{sign}(\varepsilon_i, d_{{\mathcal{{U}}}}(f_i(D), f_i(D')))" in said


def test_words_of_a_user_cannot_break_a_document() -> None:
    assert escape(r"\input{x} & 100% #1 ~ ^ 日本") == (
        r"\textbackslash{}input\{x\} \& 100\% \#1 \textasciitilde{} \textasciicircum{} "
        "(U+65E5)(U+672C)"
    )


def test_every_rule_of_the_kernel_has_words() -> None:
    assert set(RULES) <= set(article._RULES)
    assert not any("_" in words for words in article._RULES.values())


def test_nothing_is_added_with_0() -> None:
    """A part that is pure beside parts with a δ: no sum of zeros stands in the sum of the δ."""
    mechanism = k.NamedMechanism("M", DATABASES, ())
    nothing = k.EachJoint(("k",), k.At((A, k.Num(Fraction(0))), SEEN))
    some = k.At((A, B), k.CanonicalMetric(UNBOUNDED, DATABASES))
    for loss, delta in ((nothing, ", 0)$-DP"), (k.Joint((nothing, some)), r", \varepsilon_{")):
        said = sentence(k.Private(mechanism, "approximate", loss, ()), NAMES)
        assert delta in said
        assert "0 " not in said


def test_blocks_that_always_change_have_no_condition() -> None:
    always = k.Connected("and", ())
    place = k.Place("blocks", (), always, (k.SeenDistance("counts", ONE),))
    family = k.Family("blocks", k.Inf(), (k.SeenDistance("counts", ONE),), always)
    assert place.text() == "any blocks of blocks"
    assert family.text() == "any blocks of blocks (counts: 1)"
