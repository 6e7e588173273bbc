"""The sentences that terms and statements are, beside the formulas in them."""

from __future__ import annotations

import pytest

from dpcomp_sym import kernel as k
from tests.statements.expressions import number

K = ("k",)
ONE, TWO, W = number(1), number(2), k.Size("w")
DATA, BLOCK = k.DatabaseClass("D", "{}", ()), k.DatabaseClass("D", "{}", K)
BOUNDED, MAP = k.NamedRelation("G", "{}"), k.NamedMap("p", "{}", DATA, BLOCK, K)
SEEN = k.Pullback(k.CanonicalMetric(BOUNDED, BLOCK), MAP)
PROBLEM = k.CompositionProblem(DATA, BOUNDED, (), (k.PartView("counts", "p", K, SEEN),), "{}")
ROOMS = k.NamedMap("p", "{}", DATA, k.DatabaseClass("D", "{}", (3,)), (3,))
ROOM = k.Pullback(k.CanonicalMetric(BOUNDED, k.DatabaseClass("D", "{}", (3,))), ROOMS)
THREE = k.CompositionProblem(DATA, BOUNDED, (), (k.PartView("counts", "p", (3,), ROOM),), "{}")
FAR = k.SeenDistance("counts", TWO)
T, I = k.Letter(1), k.Index(1)
ALWAYS, POSITIVE = k.Connected("and", ()), k.Compared("lt", k.Integer(0), T)
HERE = k.Compared("eq", I, T)
EPS, DELTA = k.Param("eps"), k.Param("delta")


def group(count, *, block=(), wide=None):
    return k.BlockGroup("p", count, (FAR,), block, wide)


def family(count):
    return k.Family("p", count, (FAR,), HERE)


def loss(*guarantee):
    return k.Neighbouring(BOUNDED, DATA, guarantee)


def between(said):
    return f"{said} between G neighbours of D"


SAID = [
    (MAP, "p[i]"),
    (loss(EPS), between("eps")),
    (loss(EPS, DELTA), between("(eps, delta)")),
    (k.Joint((loss(EPS), loss(EPS))), f"{between('eps')} together with {between('eps')}"),
    (k.Joint((loss(EPS),)), between("eps")),
    (k.Joint(()), "nothing"),
    (k.Converted("zcdp", loss(EPS), (DELTA,)), f"({between('eps')}, converted from zcdp at delta)"),
    (k.Converted("pure", loss(EPS)), f"({between('eps')}, converted from pure)"),
    (k.Stepwise("pure", (EPS,), SEEN), f"eps for each of {SEEN.text()} steps, converted from pure"),
    (group(ONE), "at most 1 block of p (counts: 2)"),
    (group(TWO), "at most 2 blocks of p (counts: 2)"),
    (group(W), "at most w blocks of p (counts: 2)"),
    (group(k.Inf()), "any number of blocks of p (counts: 2)"),
    (group(ONE, block=(3,)), "block 3 of p (counts: 2)"),
    (group(ONE, wide=W), "at most w blocks of p that share what 1 could see (counts: 2)"),
    (k.DifferenceVector((group(ONE), group(TWO))),
     "at most 1 block of p (counts: 2) and at most 2 blocks of p (counts: 2)"),
    (k.DifferenceVector(()), "no block"),
    (k.ProfileFact(PROBLEM, (), (k.DifferenceVector(()), k.DifferenceVector((group(ONE),)))),
     "G neighbours change no block or at most 1 block of p (counts: 2)"),
    (k.ProfileFact(PROBLEM, (k.SizeRange("k", 2, None),), ()),
     "G neighbours change nothing, for k >= 2"),
    (k.BlockDistance(PROBLEM, "e", "counts", (1,), TWO),
     "after e, counts sees distance at most 2 in a block with touched record 1"),
    (k.BlockDistance(PROBLEM, "e", "counts", (1, 2), k.Inf()),
     "after e, counts sees any distance in a block with touched records 1 and 2"),
    (k.BlockDistance(PROBLEM, "e", "counts", (), TWO),
     "after e, counts sees distance at most 2 in a block with changed records"),
    (k.TouchCount(PROBLEM, "e", "p", TWO), "a record touched by e is in at most 2 blocks of p"),
    (k.Infeasible(PROBLEM, "e", (k.TouchedKind("p", (1,), 1), k.TouchedKind("p", (2,), 2)), ()),
     ("e never changes at least 1 block of p with touched record 1, "
     "at least 2 blocks of p with touched record 2")),
    (k.ChangedTogether(PROBLEM, "e", ("{}",), ALWAYS, (k.Place("p", (), HERE, (FAR,)),)),
     "what e changes together: blocks of p have b1 == p1"),
    (k.ChangedTogether(PROBLEM, "e", ("{}",), POSITIVE, (k.Place("p", (1,), HERE, (FAR,)),)),
     "what e changes together, with 0 < p1: blocks of p with touched record 1 have b1 == p1"),
    (k.BlockPattern(1, ALWAYS, (family(k.Inf()), family(ONE))),
     ("together blocks of p with b1 == p1 (counts: 2) and "
     "at most 1 block, blocks of p with b1 == p1 (counts: 2)")),
    (k.BlockPattern(1, POSITIVE, ()), "together no block, with 0 < p1"),
    (k.ChangedByRecords(PROBLEM, "e", k.Size("r"), ("{}",), ALWAYS, (k.Place("p", (), HERE, ()),)),
     ("e changes records with at most r choices of integers, and what one of each lies in: "
      "blocks of p have b1 == p1")),
    (k.ChangedByRecords(PROBLEM, "e", ONE, ("{}",), POSITIVE, ()),
     ("e changes records with at most 1 choices of integers, and what one of each lies in, "
      "with 0 < p1: ")),
    (k.Several(k.Size("r"), k.BlockPattern(1, POSITIVE, ())),
     "for r choices of integers, together no block, with 0 < p1"),
    (k.Together(THREE, "e", (k.Reach((k.Touch("p", (2,), (1,)),)), k.Reach(()))),
     "all that e changes lies in {block 2 of p with touched record 1} or {}"),
    (k.Together(PROBLEM, "e", ()), "all that e changes lies in nothing"),
    (k.Shares(PROBLEM, "e", "p", ONE, (FAR,)),
     "the blocks of p that e changes share what 1 could see (counts: 2)"),
    (k.Mixed(PROBLEM, "e", (k.DifferenceVector((group(ONE),)), k.DifferenceVector(()))),
     "what e changes is a mean of (at most 1 block of p (counts: 2)) or (no block)"),
    (k.MeanOf((k.DifferenceVector((group(ONE),)),), ()),
     "a mean of (at most 1 block of p (counts: 2)), within nothing"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SAID)))
def test_sentences(number):
    term, text = SAID[number]
    assert term.text() == text
