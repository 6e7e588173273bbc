"""Other letters in the LaTeX of reports: all of them, formulas only, and none for two things."""

from __future__ import annotations

import re

import pytest

import dpcomp_sym as dp
from dpcomp_sym.report.notation import in_notation
from tests.command import dpcomp

NOTATION = {
    r"\varepsilon": r"\epsilon", r"\mathbb{D}": r"\mathcal{D}", "D": r"\mathbf{d}", "E": "F",
    r"\le": r"\leqslant",
}  # fmt: skip


@pytest.mark.parametrize("detail", ["theorem", "proof", "all"])
def test_a_report_in_another_notation_is_the_same_but_for_the_letters(tmp_path, detail):
    d = dp.load("examples/w-event-each-step.toml").derive()
    plain = d.save(tmp_path / "plain.tex", detail=detail).read_text(encoding="utf-8")
    other = d.save(tmp_path / "other.tex", detail=detail, notation=NOTATION)
    text = other.read_text(encoding="utf-8")
    for old in (r"\varepsilon", r"\mathbb{D}"):
        assert old in plain
        assert old not in text
    assert not re.search(r"\\le(?![A-Za-z])", text)
    assert in_notation(text, {new: old for old, new in NOTATION.items()}) == plain
    assert r"\begin{document}" in text
    assert "Databases" in text  # words stay


def test_every_answer_takes_a_notation(tmp_path):
    d = dp.load("examples/bounded-partition.toml").derive()
    claim = d.refute("max(eps[i])").save(tmp_path / "claim.tex", notation={"D": "z"})
    assert "$z" in claim.read_text(encoding="utf-8")
    order = tmp_path / "order.tex"
    done = dpcomp(
        "relate", "examples/bounded-partition.toml",
        "--granularity", "bounded", "--granularity", "unbounded",
        "--latex", str(order), "--notation", "D=z",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = order.read_text(encoding="utf-8")
    assert r"$z \colon \mathcal{X} \to \mathbb{N}$" in text
    assert "$D" not in text


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ({"D": "c"}, r"'c' for 'D' stands for something else"),
        ({"D": "z", "E": "z"}, r"'z' for 'E' stands for something else"),
        ({r"\frac": "f"}, r"'\\frac' is no letter or sign"),
        ({"D": "x y"}, "'x y' is no letter or sign"),
        ({"D": "}"}, "'}' is no letter or sign"),
    ],
)
def test_a_notation_that_would_change_the_meaning_is_refused(tmp_path, notation, said):
    d = dp.load("examples/bounded-partition.toml").derive()
    with pytest.raises(dp.InputError, match=said):
        d.save(tmp_path / "no.tex", notation=notation)
    assert not (tmp_path / "no.tex").exists()


def test_two_letters_can_be_exchanged():
    assert in_notation("$D E$ and D", {"D": "E", "E": "D"}) == "$E D$ and D"


def test_words_in_formulas_and_formulas_in_words():
    said = r"$\mathrm{id}(D) = \operatorname{top}_D \text{ where $D$ is a Database of D}$"
    wanted = r"$\mathrm{id}(x) = \operatorname{top}_x \text{ where $x$ is a Database of D}$"
    assert in_notation(said, {"D": "x"}) == wanted
    assert in_notation(r"100\% of $Dx$", {"D": r"\Delta"}) == r"100\% of $\Delta x$"
    assert in_notation(r"% of $D$", {"D": "x"}) == r"% of $D$"


@pytest.mark.parametrize(
    ("given", "said"),
    [("D", "--notation is OLD=NEW"), ("D=c", "stands for something else"), ("=x", "no letter")],
)
def test_the_option_says_what_is_wrong(tmp_path, given, said):
    file = tmp_path / "no.tex"
    done = dpcomp(
        "derive", "examples/bounded-partition.toml", "--latex", str(file), "--notation", given
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert not file.exists()
    plain = dpcomp("derive", "examples/bounded-partition.toml", "--notation", given)
    assert "--notation is about LaTeX" in plain.stderr
