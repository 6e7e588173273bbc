"""HBW.Thm3, Cor6: the δ of the sampled composition, against "in no database"."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.hypothesis import delta_at, response, sampling_bound, uniform, views
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import refutes

UNEQUAL: Final[Mapping[str, Any]] = {
    "q": Fraction(9),
    "delta": Fraction(1, 10),
    "factor": Fraction(19, 3),
    "printed": Fraction(1, 15),
    "true": Fraction(31, 450),
}
"""M₁ tells its database with probability 1/10, else nothing; M₂ is randomized response, ln 9."""


def excess(q: Fraction, delta: Fraction, factor: Fraction) -> Fraction:
    """Return the least δ with P(V⁰ in S) ≤ factor P(V¹ in S) + δ, output by output."""
    rest = (1 - delta) / 2
    first = ((delta, rest, rest, Fraction(0)), (Fraction(0), rest, rest, delta))
    second = ((q / (1 + q), 1 / (1 + q)), (1 / (1 + q), q / (1 + q)))
    found = Fraction(0)
    for seen in itertools.product(range(4), range(2)):
        law = {
            b: first[b[0]][seen[0]] * second[b[1]][seen[1]]
            for b in itertools.product((0, 1), repeat=2)
        }
        some = (law[0, 1] + law[1, 0] + law[1, 1]) / 3
        found += max(law[0, 0] - factor * some, Fraction(0))
    return found


def fails(data: Mapping[str, Any]) -> bool:
    """Return whether the printed δ is too small at the printed ε."""
    q, delta = data["q"], data["delta"]
    # M₁ sees the record with weight 2/3, M₂ then with probability ½; else M₂ alone, weight 1/3.
    factor = Fraction(2, 3) * (1 + q) / 2 + Fraction(1, 3) * q
    printed = Fraction(2, 3) * delta
    true = excess(q, delta, factor)
    return bool(
        0 < delta < 1
        and data["factor"] == factor
        and data["printed"] == printed < data["true"] == true
    )


@theorem(
    id="E4",
    statement='That δ = Σ w d holds both ways is false for "in no database" against "in at least '
    'one" with unequal parts: two databases, the first mechanism (0, 1/10)-DP, the second ln 9-DP, '
    "give 31/450 at the printed ε = ln(19/3), where 1/15 is printed.",
    status="refuted",
    cite="HBW.Thm3, Cor6",
    latex=r"It is false that $\delta=\sum_iw_id_i$ holds both ways between no database and at "
    r"least one with unequal parts: for a $(0,\frac1{10})$-DP and a $\ln9$-DP mechanism the true "
    r"value at $\varepsilon=\ln\frac{19}3$ is $\frac{31}{450}$, where $\frac1{15}$ is printed.",
)
def not_private_mean_of_sampled_deltas() -> Evidence:
    """Both laws are evaluated output by output."""
    return refutes("δ = Σ w d both ways", UNEQUAL, fails)


@theorem(
    id="E4",
    statement="With weights w_i and simple composition of the sampled parts, (ln t_i, d_i): "
    "ε = ln Σ w t with δ = max(Σ w d, Σ(w d/t) / Σ(w/t)) holds both ways; for equal parts the "
    "first of the two is the larger one.",
    status="checked",
    cite="HBW.Thm3, Cor6, corrected",
    latex=r"With weights $w_i$ and sampled parts that are $(\ln t_i,d_i)$-DP, "
    r"$\varepsilon=\ln\sum_iw_it_i$ holds both ways with "
    r"$\delta=\max\bigl(\sum_iw_id_i,\frac{\sum_iw_id_i/t_i}{\sum_iw_i/t_i}\bigr)$; for equal "
    r"parts the first of the two is the larger.",
)
def private_of_sampled_parts_both_ways() -> CheckedInScope:
    """The argument is in ``private_of_sampling``; here the exact δ of the worst mechanisms."""
    cases, holds = 0, True
    parts = [(Fraction(q), Fraction(d, 10)) for q in (1, 2, 9) for d in (0, 1, 4)]
    for k in (1, 2, 3):
        none, some = {(0,) * k: Fraction(1)}, uniform(k, any)
        for chosen in itertools.product(parts, repeat=k):
            qs, deltas = zip(*chosen, strict=True)
            factor, delta, one_way = sampling_bound(qs, deltas)
            seen = views(none, some, [response(q, d) for q, d in chosen])
            back, forth = delta_at(seen, factor)
            holds &= forth <= one_way <= delta and back <= delta
            holds &= delta == one_way or len(set(chosen)) > 1
            cases += 1
    return CheckedInScope("1 to 3 parts with q in {1, 2, 9}, δ in {0, 1/10, 2/5}", cases, holds)
