"""Des.Prop29: independence must be given the target record and what the attacker knows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.worlds import cases
from theorems._entry import Computed, Evidence, theorem
from theorems._prove import smt
from theorems.des import no_dependency_of_independent
from theorems.errata._plain import Law, is_law, refutes

_QUARTER: Final = Fraction(1, 4)
_EIGHTH: Final = Fraction(1, 8)

ONE_TIME_PAD: Final[Mapping[str, Any]] = {
    "databases (record 1, record 2), f1, f2, probability": (
        (0, 0, 0, 0, _QUARTER),
        (0, 1, 1, 1, _QUARTER),
        (1, 0, 0, 1, _QUARTER),
        (1, 1, 1, 0, _QUARTER),
    ),
}
"""A vote in record 1 and a fair bit in record 2: f₁ is the bit, f₂ is their sum modulo 2."""

THREE_BITS: Final[Mapping[str, Any]] = {
    "databases (record 1, two fair bits), f1, f2, f3, probability": tuple(
        (vote, r, s, r, s, (vote + r + s) % 2, _EIGHTH) for vote, r, s in product((0, 1), repeat=3)
    ),
}
"""f₁ and f₂ are fair bits, f₃ is their sum with the vote: pairwise independent given the vote."""

_PAD_KEY: Final = next(iter(ONE_TIME_PAD))
_BITS_KEY: Final = next(iter(THREE_BITS))


def _law(rows: Any, which: tuple[int, ...], given: int | None = None) -> Law:
    """Return the law of some columns, given the value of record 1 (column 0) if any."""
    chosen = [row for row in rows if given is None or row[0] == given]
    whole = sum(row[-1] for row in chosen)
    found: dict[Any, Fraction] = {}
    for row in chosen:
        seen = tuple(row[n] for n in which)
        found[seen] = found.get(seen, Fraction(0)) + row[-1] / whole
    return found


def _independent(rows: Any, left: int, right: int, given: int | None = None) -> bool:
    """Return whether two columns with values 0 and 1 are independent."""
    joint, one, other = (_law(rows, which, given) for which in ((left, right), (left,), (right,)))
    return set(one) == set(other) == {(0,), (1,)} and all(
        joint.get((a, b), 0) == one[a,] * other[b,] for a, b in product((0, 1), repeat=2)
    )


def _models(rows: Any, records: int) -> bool:
    """Return whether these are all databases of so many bits, each with its probability."""
    return sorted(row[:records] for row in rows) == list(
        product((0, 1), repeat=records)
    ) and is_law({row[:records]: row[-1] for row in rows})


def _revealed(rows: Any, which: tuple[int, ...]) -> bool:
    """Return whether the columns tell record 1 for certain."""
    return not set(_law(rows, which, 0)) & set(_law(rows, which, 1))


def fails_for_the_one_time_pad(data: Mapping[str, Any]) -> bool:
    """Return whether two independent outputs, each telling nothing, tell the vote together."""
    rows = data[_PAD_KEY]
    return (
        _models(rows, 2)
        and all(row[2:4] == (row[1], (row[0] + row[1]) % 2) for row in rows)
        and _independent(rows, 2, 3)
        and all(_law(rows, (n,), 0) == _law(rows, (n,), 1) for n in (2, 3))
        and _revealed(rows, (2, 3))
        and not _independent(rows, 2, 3, given=0)
    )


def fails_for_three(data: Mapping[str, Any]) -> bool:
    """Return whether pairs of outputs tell nothing, are independent given the vote, and all tell.

    So each pair is (0, 0)-bounded dependent, and the three together have an infinite loss.
    """
    rows = data[_BITS_KEY]
    pairs = list(combinations((3, 4, 5), 2))
    return (
        _models(rows, 3)
        and all(row[3:6] == (row[1], row[2], sum(row[:3]) % 2) for row in rows)
        and all(_independent(rows, *pair, given=vote) for pair in pairs for vote in (0, 1))
        and all(_law(rows, pair, 0) == _law(rows, pair, 1) for pair in pairs)
        and _revealed(rows, (3, 4, 5))
    )


@theorem(
    id="E16",
    statement="If f₁(D) and f₂(D) are independent, M₁(f₁(D)) and M₂(f₂(D)) are (0, 0)-bounded "
    "dependent: false, a fair bit and its sum with the vote are independent and reveal the vote.",
    status="refuted",
    cite="Des.Prop29 (its formulas are lost in the text; a condition may be among them)",
    latex=r"It is false that $M_1(f_1(D))$ and $M_2(f_2(D))$ are $(0,0)$-bounded dependent if "
    r"$f_1(D)$ and $f_2(D)$ are independent: a fair bit, and its sum with the vote, are "
    r"independent and reveal the vote.",
)
def not_zero_dependent_of_independent_functions() -> Evidence:
    """A one-time pad: each output alone is uniform whatever the vote is."""
    claim = "independent functions of the data are (0, 0)-bounded dependent"
    return refutes(claim, ONE_TIME_PAD, fails_for_the_one_time_pad)


@theorem(
    id="E16",
    statement="Mechanisms that are pairwise (0, 0)-bounded dependent compose without loss, as two "
    "do by Theorem 6: false for three.",
    status="refuted",
    cite="Des.Ex9, should its many days be composed by what is said of two",
    latex=r"It is false that mechanisms that are pairwise $(0,0)$-bounded dependent compose "
    r"without loss: three of them need not.",
)
def not_private_of_pairwise_bounded_dependent() -> Evidence:
    """Two fair bits and their sum with the vote: any two of them say nothing."""
    return refutes("pairwise bounded dependence composes", THREE_BITS, fails_for_three)


@theorem(
    id="E16",
    statement="Outputs that are independent given each value of the target record and each "
    "background are (0, 0)-bounded dependent; for k mechanisms the dependency of M_j on "
    "(M₁, …, M_(j−1)) counts, and sees both examples: it is infinite.",
    status="decided",
    cite="Des.Prop29, Des.Thm6, corrected",
    latex=r"Outputs that are independent given each value of the target record and each "
    r"background are $(0,0)$-bounded dependent; of $k$ mechanisms the dependency of $M_j$ on "
    r"$(M_1,\dots,M_{j-1})$ counts, which is $\infty$ in both examples.",
)
def zero_dependent_of_independent_given_target_and_background() -> Evidence:
    """P = P₁P₂ and Q = Q₁Q₂ make the ratio of the losses 1; the examples are evaluated."""
    pad = Composition(_found(ONE_TIME_PAD[_PAD_KEY], 2), "active", ("f1", "f2"))
    three = Composition(_found(THREE_BITS[_BITS_KEY], 3), "active", ("f1", "f2", "f3"))
    seen = {
        "one-time pad: each alone, dependency, together": [
            pad.alone(0, 0), pad.alone(1, 0), pad.depends(1, 0), pad.together(2, 0),
        ],
        "three bits: two of them, all of them": [
            three.depends(1, 0), three.together(2, 0), three.depends(2, 0), three.together(3, 0),
        ],
    }  # fmt: skip
    return (
        smt({
            "P = P₁P₂ > 0 and Q = Q₁Q₂ make dep = 0, by its convention also where Q is 0": (
                no_dependency_of_independent()
            ),
        }),
        Computed({name: [1, 1, None, None] for name in seen}, seen),
    )  # fmt: skip


def _found(rows: Any, records: int) -> Any:
    law = {row[:records]: row[-1] for row in rows}
    table = {row[:records]: row[records:-1] for row in rows}
    see = [lambda d, n=n: table[d][n] for n in range(len(rows[0]) - records - 1)]
    return cases({"law": law}, lambda d: d[0], lambda _: None, see)
