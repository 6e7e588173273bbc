"""GB24.A.4, A.6, VI.20, VII.1, GB24s C2, HBW.Thm3: indices, signs and what a line leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from theorems._entry import Evidence, theorem
from theorems._prove import holds, smt
from theorems.errata._plain import (
    FAR,
    bounded,
    changed,
    gap,
    is_law,
    links,
    part,
    path_lengths,
    refutes,
)

ONE: Final = Fraction(1)
TWICE: Final[Mapping[str, Any]] = {
    "class": (("a",), ("b",)), "blocks": (("a",),), "distance of the parts": FAR,
}  # fmt: skip
EQUAL: Final[Mapping[str, Any]] = {
    "laws": ({"x": ONE}, {"x": ONE}), "alpha": Fraction(1, 2), "trade-off": Fraction(1, 2),
    "d": FAR, "G_d": 0,
}  # fmt: skip
"""A mechanism that always says the same, at distance ∞, where nothing is guaranteed."""

SIGN: Final[Mapping[str, Any]] = {"z": 0, "mu": 1, "k": 2, "printed": 0, "meant": -2}
FIRST: Final[Mapping[str, Any]] = {
    "k": 2, "D": ("x", "x", "x"), "D'": ("x", "x", "y"), "changed": 2,
    "blocks": {(1, "x"): 1, (1, "y"): 1, (2, "x"): 2, (2, "y"): 2, (3, "x"): 1, (3, "y"): 2},
}  # fmt: skip
"""Blocks by position for the first two positions, and by value for the third."""

CROSSED: Final[Mapping[str, Any]] = {
    "A": ("x",), "B": (), "A'": (), "B'": ("x",), "by parts": 2, "together": 0,
}  # fmt: skip
ROUND: Final[Mapping[str, Any]] = {
    "k": 3, "i": 2, "databases": ("first", "second", "third"), "read by M_k": 1, "its own": 3,
}  # fmt: skip


def fails_with_one_class_twice(data: Mapping[str, Any]) -> bool:
    """Return whether C1 holds, and C2 with the class of the parts twice, and no bound does."""
    databases, blocks = data["class"], data["blocks"]
    pairs = links(databases, bounded)
    c1 = all(len(changed(D, E, blocks)) <= 1 for D, E in pairs)
    c2, far = True, []
    for block in blocks:
        images = sorted({part(D, block) for D in databases})
        inside = path_lengths(images, links(images, bounded))
        for (x, y), steps in inside.items():  # both metrics are that of the parts' class
            seen = inside[part(x, block), part(y, block)]
            c2 &= steps is FAR or (seen is not FAR and seen <= steps)
        far += [inside[part(D, block), part(E, block)] for D, E in pairs]
    return bool(pairs) and c1 and c2 and far == [data["distance of the parts"]] == [FAR]


def fails_to_be_equal(data: Mapping[str, Any]) -> bool:
    """Return whether the trade-off function of equal laws, 1 − α, is not that of distance ∞."""
    p, q = data["laws"]
    equal = is_law(p) and is_law(q) and p == q
    found = 1 - data["alpha"]
    return bool(
        equal and 0 <= data["alpha"] < 1 and found == data["trade-off"] == data["alpha"]
        and data["d"] is FAR and data["G_d"] == 0 < found
    )  # fmt: skip


def fails_by_the_sign(data: Mapping[str, Any]) -> bool:
    """Return whether z − μ − (1 − k)μ is another number than z − kμ."""
    z, mu, k = data["z"], data["mu"], data["k"]
    return bool(
        z - mu - (1 - k) * mu == data["printed"] and z - k * mu == data["meant"]
        and data["printed"] != data["meant"]
    )  # fmt: skip


def fails_beyond_the_first(data: Mapping[str, Any]) -> bool:
    """Return whether one changed value changes two blocks that are by position for n ≤ k."""
    D, E, k, block = data["D"], data["D'"], data["k"], data["blocks"]
    values = {x for _, x in block}
    by_place = all(len({block[n, x] for x in values}) == 1 for n in range(1, k + 1))
    places = [n for n, (x, y) in enumerate(zip(D, E, strict=True), 1) if x != y]
    parts = [
        {b: sorted((n, x) for n, x in enumerate(one, 1) if block[n, x] == b)
         for b in range(1, k + 1)}
        for one in (D, E)
    ]  # fmt: skip
    different = sum(parts[0][b] != parts[1][b] for b in parts[0])
    inside = set(block.values()) == set(range(1, k + 1))
    return inside and by_place and len(places) == 1 and different == data["changed"] > 1


def fails_with_two_empty_meets(data: Mapping[str, Any]) -> bool:
    """Return whether A ∩ B = A′ ∩ B′ = ∅ is not enough for |A Δ A′| + |B Δ B′|."""
    A, B, C, D = (data[name] for name in ("A", "B", "A'", "B'"))
    apart = not Counter(A) & Counter(B) and not Counter(C) & Counter(D)
    by_parts, together = gap(A, C) + gap(B, D), gap(A + B, C + D)
    return bool(
        apart and by_parts == data["by parts"] and together == data["together"]
        and by_parts != together
    )  # fmt: skip


def fails_as_its_own(data: Mapping[str, Any]) -> bool:
    """Return whether mechanism k would read the database of round i − 1, which is not its own."""
    k, i, databases = data["k"], data["i"], data["databases"]
    read, own = i - 1, k
    return bool(
        read == data["read by M_k"] and own == data["its own"] and len(databases) == k
        and databases[read - 1] != databases[own - 1]
    )  # fmt: skip


@theorem(
    id="E32",
    statement="C1, and sensitivity at most 1 of p_i between the class of its parts and the same "
    "class, give the bound max ε_i: false, on {{a}, {b}} with the block {a}, bounded, where the "
    "parts of neighbours are infinitely far apart.  The first class is the whole one.",
    status="refuted",
    cite="GB24s §III, condition C2 (an index, perhaps the scan's)",
    latex=r"It is false that C1 and sensitivity at most $1$ of $p_i$ from $d_{\mathbb D_i}$ to "
    r"$d_{\mathbb D_i}$ give $\max_i\varepsilon_i$: the first metric is $d_{\mathbb D}$.",
)
def not_enough_of_one_class_twice() -> Evidence:
    """On the class of its own parts p_i is the identity, so that C2 would say nothing."""
    return refutes("C1 and C2, with one class twice, give max ε_i", TWICE,
                   fails_with_one_class_twice)  # fmt: skip


@theorem(
    id="E32",
    statement="T(M(D), M(D′)) is the trade-off function of the distance, and −μ − (1 − k)μ is "
    "−kμ: both false, the first is at least the second, and the sum has another sign.",
    status="refuted",
    cite="GB24.VII.1, proof; GB24.VI.20, proof (the scan may be to blame for both)",
    latex=r"It is false that $T(M(D),M(D'))=G_{d(D,D')}$ for $d$-Gaussian private $M$, where "
    r"$\ge$ is meant, and that $z-\mu-(1-k)\mu=z-k\mu$.",
)
def not_equal_trade_off_functions() -> Evidence:
    """A constant mechanism; and k = 2 steps.  Both theorems stand."""
    return (
        refutes("T(M(D), M(D′)) = G_d(D, D′)", EQUAL, fails_to_be_equal),
        refutes("z − μ − (1 − k)μ = z − kμ", SIGN, fails_by_the_sign),
    )


@theorem(
    id="E32",
    statement="A partition that looks at nothing but the position in the first k positions, with k "
    "the number of blocks, is compatible with replacing a value: false, it must do so in all "
    "positions.",
    status="refuted",
    cite="GB24.A.6, proof: 'for all n in [k]'; the statement has it right",
    latex=r"It is false that $p(n,x)=p(n,y)$ for all $n\in[k]$ makes $p$ compatible with replacing "
    r"a value: it must hold for all $n$.",
)
def not_compatible_of_the_first_positions() -> Evidence:
    """Two blocks, three positions, and the third one is labelled by its value."""
    return refutes("blocks by position for n ≤ k are compatible", FIRST, fails_beyond_the_first)


@theorem(
    id="E32",
    statement="|A Δ A′| + |B Δ B′| = |(A ∪ B) Δ (A′ ∪ B′)| if A ∩ B and A′ ∩ B′ are empty: false, "
    "A ∩ B′ and A′ ∩ B must be so too, as they are where the proof uses it.",
    status="refuted",
    cite="GB24.A.4, proof of the inequality",
    latex=r"It is false that $|A\triangle A'|+|B\triangle B'|=|(A\cup B)\triangle(A'\cup B')|$ "
    r"follows from $A\cap B=A'\cap B'=\emptyset$; $A\cap B'$ and $A'\cap B$ must be empty, too.",
)
def not_a_sum_of_two_empty_meets() -> Evidence:
    """A record that is in A and in B′."""
    return refutes("two empty intersections are enough", CROSSED, fails_with_two_empty_meets)


@theorem(
    id="E32",
    statement="If no record of A or A′ is in B or B′, |A Δ A′| + |B Δ B′| = |(A ∪ B) Δ (A′ ∪ B′)|, "
    "record by record.",
    status="decided",
    cite="GB24.A.4, corrected",
    latex=r"If no record of $A$ or $A'$ is in $B$ or $B'$, then "
    r"$|A\triangle A'|+|B\triangle B'|=|(A\cup B)\triangle(A'\cup B')|$.",
)
def sum_of_differences_of_separate_records() -> Evidence:
    """With the multiplicities of one record in the four multisets."""
    import z3

    a, b, c, d = z3.Ints("a b a′ b′")

    def far(x: Any, y: Any) -> Any:
        return z3.If(x >= y, x - y, y - x)

    return smt({
        "|a − a′| + |b − b′| = |(a + b) − (a′ + b′)|": holds(
            far(a, c) + far(b, d) == far(a + b, c + d),
            a >= 0, b >= 0, c >= 0, d >= 0,
            z3.Or(z3.And(a == 0, c == 0), z3.And(b == 0, d == 0)),
        ),
    })  # fmt: skip


@theorem(
    id="E32",
    statement="The last mechanism reads the database of round i − 1: false, M_k reads x_k without "
    "the target in the view of all zeros.",
    status="refuted",
    cite="HBW.Thm3, proof (Appendix C), the last line",
    latex=r"It is false that $M_k$ reads $x_{i-1}^0$ in the view of all zeros: it reads $x_k^0$.",
)
def not_the_database_of_an_earlier_round() -> Evidence:
    """An index; with three rounds, the printed one is 1 for i = 2."""
    return refutes("M_k reads x_(i−1)", ROUND, fails_as_its_own)
