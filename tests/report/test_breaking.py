"""Long formulas are broken into lines, and stay what they are."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from dpcomp_sym.cli import main
from dpcomp_sym.report import latex
from dpcomp_sym.report.breaking import in_lines
from dpcomp_sym.report.document import of_detail

NARROW = [
    "own-granularity", "w-event-days-of-events", "insertion-truncated-owner", "hierarchy-tree",
    "bounded-sums", "mixed-notions", "membership/hospitals-bounded", "uncertain/survey",
    "metric/homes-and-places",
]  # fmt: skip


def bare(formula: str) -> str:
    """Return a formula without what only says how it is set."""
    for setting in (r"\left", r"\right", r"\quad ", r"& ", r"\dpfit{", r"\substack{", "&"):
        formula = formula.replace(setting, "")
    formula = re.sub(r"\\[Bb]ig[lr]", "", formula)
    return re.sub(r"\\\\|\\ |[\s{}]", "", formula).replace(",", "")


@pytest.mark.in_turn
@pytest.mark.parametrize("most", [10, 34, 60])
def test_lines_say_what_the_formula_says(every_example, derived, most) -> None:
    for bound in getattr(derived(every_example), "bounds", ()):
        lines = in_lines(bound.latex, most)
        if r"\sqrt" not in bound.latex:  # a root in lines is a power of brackets
            assert bare("".join(lines)) == bare(bound.latex)


@pytest.mark.parametrize("most", range(10, 60, 3))
def test_brackets_that_grow_have_their_other_end_in_the_same_line(most) -> None:
    pair = r"(2 \mu_{\mathrm{a}})^{2} + (2 \mu_{\mathrm{c}})^{2}"
    for formula in (
        rf"\mu = \sqrt{{\max\left\{{{pair}, {pair}\right\}}}}",
        rf"\mu = x \max\left\{{{pair}, {pair}\right\}} + y",
        rf"\mu = \left(\max\left\{{{pair}, {pair}\right\}}, {pair}\right)",
    ):
        for line in in_lines(formula, most):
            assert line.count(r"\left") == line.count(r"\right"), line


@pytest.mark.parametrize(
    ("formula", "most", "lines"),
    [
        (r"\varepsilon = a + b", 40, [r"\varepsilon = a + b"]),
        (r"\varepsilon = aaaaaaaa + bbbbbbbb", 12, [r"\varepsilon = aaaaaaaa", "+ bbbbbbbb"]),
        ("f(aaaaaaaa + bbbbbbbb)", 12, ["f(aaaaaaaa", "+ bbbbbbbb)"]),
        (
            r"\max_{t:\ 0 \le ttttttttt,\ 1 \le sssssssss} x_t",
            12,
            [r"\max_{\substack{t: \\ 0 \le ttttttttt \\ 1 \le sssssssss}} x_t"],
        ),
        (r"aaaaa \, d(bbbb, cccc)", 12, [r"aaaaa \, d(bbbb,", "cccc)"]),
        (r"\mathrm{aaaaaaaaaaaaaaaaaaaaaa}", 12, [r"\dpfit{\mathrm{aaaaaaaaaaaaaaaaaaaaaa}}"]),
    ],
)
def test_where_a_formula_is_broken(formula, most, lines) -> None:
    assert in_lines(formula, most) == lines


def test_a_condition_is_broken_between_its_clauses() -> None:
    formula = (
        r"f_i(D)(c) = \begin{cases} D(c) & \text{if } aaaaaaaaaaaa = b \land cccccccccc = d, \\ "
        r"0 & \text{otherwise.} \end{cases}"
    )
    above, body = in_lines(formula, 24)
    assert above == "f_i(D)(c) ="
    assert r"aaaaaaaaaaaa = b \\ & \quad \land cccccccccc = d," in body


def test_less_detail_has_neither_proofs_nor_references_to_them(derived) -> None:
    document = derived("own-granularity").document()
    whole, proof, theorem = (
        latex.article(of_detail(document, detail)) for detail in ("all", "proof", "theorem")
    )
    assert len(theorem) < len(proof) < len(whole)
    assert r"\begin{proof}" in proof
    assert r"\begin{proof}" not in theorem
    for text in (proof, theorem):
        named = set(re.findall(r"\\label\{([^}]*)\}", text))
        used = {x for found in re.findall(r"\\cref\{([^}]*)\}", text) for x in found.split(",")}
        assert used <= named


def test_the_theorem_says_what_cannot_be_improved(derived) -> None:
    text = latex.article(of_detail(derived("stream-w-event-days").document(), "theorem"))
    assert (
        r"For every $w$ and $k$, and some $\mathcal{X}$ and functions on it, bounds 1, 3 and 4 are "
        "attained by mechanisms with the given guarantees, and cannot be improved, at these "
    ) in text.replace(r"\allowbreak{}", "")
    text = latex.article(derived("network-neighbourhoods").document())
    assert "cannot be improved." not in text


def test_columns_and_detail_are_options(tmp_path) -> None:
    spec, place = "examples/bounded-partition.toml", tmp_path / "a.tex"
    arguments = ["derive", spec, "--latex", str(place)]
    done = CliRunner().invoke(main, [*arguments, "--columns", "2", "--detail", "theorem"])
    assert done.exit_code == 0
    text = place.read_text(encoding="utf-8")
    assert "twocolumn" in text
    assert r"\begin{theorem}" in text
    assert r"\begin{proof}" not in text
    done = CliRunner().invoke(main, [*arguments, "--detail", "prof"])
    assert done.exit_code == 2
    assert "'prof' is not one of 'theorem', 'proof', 'all'" in done.stderr


@pytest.mark.tex
@pytest.mark.parametrize("name", NARROW)
def test_two_columns_have_no_line_that_is_too_long(
    name, derived, tmp_path, complaints_of_tex
) -> None:
    text = latex.article(derived(name).document(), columns=2)
    (tmp_path / "report.tex").write_text(text, encoding="utf-8")
    assert complaints_of_tex("report.tex") == []
