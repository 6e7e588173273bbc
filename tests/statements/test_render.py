"""What is written says what it was written for: read back, it is the same expression."""

from __future__ import annotations

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.replay.terms import Reader
from dpcomp_sym.replay.words import words
from dpcomp_sym.statements.latex import latex_text
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


def test_the_second_program_prints_the_same_text():
    for seed in SEEDS:
        e = expression(seed)
        assert words(Reader().value(e.as_json(), "Expr")) == e.text()
