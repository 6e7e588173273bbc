"""What is written says what it was written for: read back, it is the same expression."""

from __future__ import annotations

import itertools
import re

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.replay.terms import Reader
from dpcomp_sym.replay.words import words
from dpcomp_sym.statements.latex import latex_name, latex_text
from tests.statements.expressions import expression, number
from tests.statements.readers import read_latex, read_plain

A, MU, TWO = k.Param("a"), k.BlockEntry("mu", ("k",)), number(2)
LARGEST = k.Worst(("k",), (k.Choice(TWO, MU),))
TRAPS = [
    k.Product((k.Product((TWO, A)),) * 2),
    k.Product((TWO, k.Product((TWO, A)))),
    k.Product((number("1/2"),) * 2),
    k.Sum((LARGEST, A)),
    k.Product((LARGEST, A)),
    k.Product((LARGEST,) * 2),
    k.Sum((A, k.Sum((A, LARGEST)))),
    k.Sqrt(k.Product((k.Sum((A, TWO)),) * 2)),
    k.Apply("growth", (k.Sum((A, TWO)), k.Sum((A, k.Size("k"))))),
]
SEEDS = range(4000)


@pytest.mark.parametrize("e", TRAPS, ids=lambda e: e.text())
def test_traps(e):
    assert read_plain(e.text()) == e
    assert read_latex(latex_text(e)) == e


def test_plain_text_is_read_back():
    for seed in SEEDS:
        e = expression(seed)
        assert read_plain(e.text()) == e, e.text()


def test_latex_is_read_back():
    for seed in SEEDS:
        e = expression(seed)
        assert read_latex(latex_text(e)) == e, latex_text(e)


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
