"""The definitions, executable on finite models, each tested for what it must do.

A definition is no statement: its entries say on which finite models it was seen to behave.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from theorems._entry import CheckedInScope, Defined, Evidence, theorem
from theorems._finite import (
    FAR,
    Law,
    bounded_multisets,
    delta_of,
    dependent,
    excess,
    is_approximate,
    is_private,
    joint,
    moment,
    multisets,
    path_metric,
    randomized_response,
    ratio,
    sensitivity,
    tradeoff,
    tradeoff_at,
    unbounded_multisets,
)

TWO, THREE = Fraction(2), Fraction(3)


def _laws(outcomes: int, top: int) -> list[Law]:
    """Return all laws over so many outcomes with weights 0 to top, each once."""
    weights = [w for w in product(range(top + 1), repeat=outcomes) if any(w)]
    return list(dict.fromkeys(tuple(Fraction(x, sum(w)) for x in w) for w in weights))


def _events(p: Law, q: Law) -> Iterator[tuple[Fraction, Fraction]]:
    for chosen in product((False, True), repeat=len(p)):
        picked = [n for n, c in enumerate(chosen) if c]
        yield sum((p[n] for n in picked), Fraction(0)), sum((q[n] for n in picked), Fraction(0))


def _apart(x: tuple[str, ...], y: tuple[str, ...]) -> tuple[int, int]:
    gone = sum(max(0, x.count(c) - y.count(c)) for c in "abc")
    return gone, sum(max(0, y.count(c) - x.count(c)) for c in "abc")


@theorem(
    id=("GB24.II.3", "GB24.II.4", "GB24.III.1"),
    statement="Unbounded neighbours differ by one record, bounded ones in one replaced record; a "
    "granularity is any symmetric relation, and its canonical metric counts steps: |D Δ D′|, and "
    "|D ∖ D′| for equal sizes.",
    status="defined",
    cite="GB24.II.3, II.4, III.1",
    latex=r"$D\sim_{\mathcal U}D'$ iff $|D\triangle D'|=1$; $D\sim_{\mathcal B}D'$ iff "
    r"$|D|=|D'|$ and $|D\setminus D'|=1$. A granularity is any symmetric relation, and its "
    r"canonical metric $d^{\mathcal G}(D,D')$ the least number of steps from $D$ to $D'$: "
    r"$|D\triangle D'|$, and $|D\setminus D'|$ for equal sizes.",
)
def metric_of_unbounded_and_bounded() -> Evidence:
    """By shortest paths, against the closed forms (which are proved: III.3, II.2, III.4)."""
    world = multisets("abc", 3)
    adding = path_metric(world, unbounded_multisets(world))
    replacing = path_metric(world, bounded_multisets(world, "abc"))
    good = True
    for x, y in product(world, repeat=2):
        gone, come = _apart(x, y)
        good &= adding[x, y] == gone + come
        good &= replacing[x, y] == (gone if gone == come else FAR)
    return Defined(
        CheckedInScope("databases of at most three of three records", len(world) ** 2, good)
    )


@theorem(
    id=("GB24.III.2", "GB24.VI.1", "GB24.VI.2", "HBW.Def1"),
    statement="M is d-private if P[M(D) ∈ S] ≤ e^d P[M(D′) ∈ S], and (d, δ)-private with + δ, for "
    "all pairs and all events; the largest excess over events is Σ max(0, p − t q).",
    status="defined",
    cite="GB24.III.2, VI.1, VI.2; HBW, Definition 1",
    latex=r"$M$ is $(d,\delta)$-private if $\Pr(M(D)\in S)\le e^{d(D,D')}\Pr(M(D')\in "
    r"S)+\delta(D,D')$ for all $D,D'$ and all events $S$, and $d$-private if so with "
    r"$\delta=0$; with $\varepsilon$ and $\delta$ for neighbours alone it is "
    r"$(\varepsilon,\delta)$-DP.",
)
def private_of_events() -> Evidence:
    """Events are listed, and compared with the formulas; group distances on a line."""
    cases, good = 0, True
    for p, q in product(_laws(3, 2), repeat=2):
        for factor in (Fraction(1), Fraction(3, 2)):
            cases += 1
            worst = max(x - factor * y for x, y in _events(p, q))
            good &= worst == excess(p, q, factor)
        largest = max((x / y if y else FAR for x, y in _events(p, q) if x), default=Fraction(1))
        good &= largest == ratio(p, q)
    line = path_metric(range(3), [(0, 1), (1, 2)])
    steps: dict[Any, Law] = {
        n: (Fraction(1, 2 ** (n + 1)), 1 - Fraction(1, 2 ** (n + 1))) for n in range(3)
    }
    good &= is_private(steps, line, TWO) and not is_private(steps, line, Fraction(19, 10))
    good &= is_approximate(steps, line, TWO, Fraction(0))
    good &= not is_approximate(steps, line, Fraction(1), Fraction(1, 5))
    good &= delta_of(Fraction(1, 10), TWO, 2) == Fraction(3, 10)
    return Defined(
        CheckedInScope("all pairs of laws over three outcomes, weights 0 to 2", cases, good)
    )


@theorem(
    id="GB24.IV.4",
    statement="A partition by value splits databases: p_i(D) has the records of D that lie in X_i, "
    "each as often as D has it.  No record is in two parts, and the parts together are D if the "
    "X_i cover all records.",
    status="defined",
    cite="GB24.IV.4; GB24s.II.5",
    latex=r"For disjoint sets $\mathcal X_i$ of records $p_i(D)$ is the multiset with the "
    r"multiplicities $m_{p_i(D)}(x)=\mathbf 1_{\mathcal X_i}(x)\,m_D(x)$.",
)
def multiplicities_of_partition_by_value() -> Evidence:
    """Every database of at most three of three records, every pair of disjoint blocks."""
    cases, good = 0, True
    for labels in product((0, 1, 2), repeat=3):
        blocks = [[x for x, label in zip("abc", labels, strict=True) if label == i] for i in (1, 2)]
        for D in multisets("abc", 3):
            cases += 1
            parts = [[x for x in D if x in block] for block in blocks]
            for block, part in zip(blocks, parts, strict=True):
                good &= all(part.count(x) == (x in block) * D.count(x) for x in "abc")
            good &= not set(parts[0]) & set(parts[1])
            good &= (sorted([*parts[0], *parts[1]]) == sorted(D)) >= (0 not in labels)
    return Defined(CheckedInScope("databases of at most three of three records", cases, good))


@theorem(
    id="GB24.III.5",
    statement="The sensitivity is the least Δf in [0, ∞] with d2(f D, f D′) ≤ Δf d1(D, D′); the "
    "pairs at infinite distance do not count, and for canonical metrics it is the maximum over "
    "neighbours.",
    status="defined",
    cite="GB24.III.5, with 0 allowed (E22) and 0 · ∞ = ∞ (E13)",
    latex=r"$\Delta f$ is the least number in $[0,\infty]$ with $d_2(f(D),f(D'))\le\Delta "
    r"f\,d_1(D,D')$ wherever $d_1(D,D')<\infty$; for canonical $d_1$ it is $\max_{D\sim "
    r"D'}d_2(f(D),f(D'))$.",
)
def sensitivity_of_maps() -> Evidence:
    """All granularities on three databases, all maps to a line of three points."""
    links, cases, good = [(0, 1), (0, 2), (1, 2)], 0, True
    line = path_metric(range(3), [(0, 1), (1, 2)])
    split = path_metric(range(3), [(0, 1)])
    for chosen in product((False, True), repeat=3):
        kept = [link for link, c in zip(links, chosen, strict=True) if c]
        d = path_metric(range(3), kept)
        for image in product(range(3), repeat=3):
            for target in (line, split):
                cases += 1
                found = sensitivity(d, target, image.__getitem__)
                over = max((target[image[a], image[b]] for a, b in kept), default=0)
                good &= found == over
                good &= all(
                    target[image[a], image[b]] <= found * d[a, b]
                    for (a, b) in d if 0 < d[a, b] < FAR and found < FAR
                )  # fmt: skip
    return Defined(
        CheckedInScope("granularities on three databases, maps to three points", cases, good)
    )


@theorem(
    id="GB24.IV.8",
    statement="M is f-dependent if M = M* ∘ f for some M* on f(𝔻): equal images give equal laws.",
    status="defined",
    cite="GB24.IV.8",
    latex=r"$M$ is $f$-dependent if $M=M^*\circ f$ for some $M^*$ on $f(\mathbb D)$, that is, if "
    r"$f(D)=f(D')$ implies that $M(D)$ and $M(D')$ have one law.",
)
def dependent_iff_factors() -> Evidence:
    """All maps and all assignments of two laws, against the search for an M*."""
    laws = (Fraction(1, 3), Fraction(1, 2))
    cases, good = 0, True
    for image in product(range(3), repeat=3):
        for table in product(laws, repeat=3):
            cases += 1
            law = dict(enumerate(table))
            star = any(
                all(candidate[image[n]] == table[n] for n in range(3))
                for candidate in product(laws, repeat=3)
            )
            good &= star == dependent(law, image.__getitem__)
    return Defined(
        CheckedInScope("all maps of three databases, all mechanisms of two laws", cases, good)
    )


@theorem(
    id="GB24.V.1",
    statement="The adaptive composition draws s_1, then s_2 from M_2(s_1, D), and so on; the "
    "independent one is the case in which earlier outputs are ignored, a product law.",
    status="defined",
    cite="GB24.V.1; the first mechanism reads a one-point set (E22)",
    latex=r"The adaptive composition draws $s_1$ from $M_1(D)$, then $s_2$ from $M_2(s_1,D)$, "
    r"and so on, with probability $\prod_i\Pr(M_i(\bar s_i,D)=s_i)$; the independent one has "
    r"$M_i(\bar s_i,D)=M_i(D)$.",
)
def adaptive_of_tables() -> Evidence:
    """Joint laws of two steps: marginals, conditionals and products."""
    cases, good = 0, True
    for first, a, b in product(_laws(2, 2), repeat=3):
        cases += 1
        both = joint(first, (a, b))
        good &= sum(both) == 1 and both[0] + both[1] == first[0]
        good &= all(both[n] == first[0] * a[n] for n in (0, 1))
        if a == b:
            good &= all(both[2 * m + n] == first[m] * a[n] for m in (0, 1) for n in (0, 1))
    return Defined(
        CheckedInScope("all two-step mechanisms of two outcomes, weights 0 to 2", cases, good)
    )


@theorem(
    id=("GB24.VI.9", "GB24.VI.10", "GB24.VI.11"),
    statement="D_α(P‖Q) = ln(Σ p^α q^(1−α))/(α − 1); M is ρ-zCDP if D_α ≤ ρ α for all α > 1, and "
    "d²-zC-private if D_α ≤ d² α; D_∞ is the largest ln P(S)/Q(S), so M is d-private iff D_∞ ≤ d.",
    status="defined",
    cite="GB24.VI.9-VI.11",
    latex=r"$D_\alpha(P\|Q)=\frac1{\alpha-1}\ln\sum_x p(x)^\alpha q(x)^{1-\alpha}$. A mechanism "
    r"is $\rho$-zCDP if $D_\alpha\le\rho\alpha$ for all $\alpha>1$ and all neighbours, and "
    r"$d^2$-zC-private if $D_\alpha\le d(D,D')^2\alpha$ for all pairs; "
    r"$D_\infty(P\|Q)=\sup_S\ln\frac{P(S)}{Q(S)}$, so that it is $d$-private iff $D_\infty\le "
    r"d(D,D')$.",
)
def renyi_of_tables() -> Evidence:
    """Moments at integer orders, and the laws that they obey.

    At least 1, 1 only for equal laws, divergences growing with the order and below the largest
    ratio; products multiply; the weak triangle inequality D_2(P‖R) ≤ 4/3 D_3(P‖Q) + D_4(Q‖R).
    """
    cases, good = 0, True
    laws = [law for law in _laws(2, 3) if all(law)]
    for p, q in product(laws, repeat=2):
        cases += 1
        moments = [moment(p, q, n) for n in (2, 3, 4)]
        good &= all(m >= 1 for m in moments) and (moments[0] == 1) == (p == q)
        good &= moments[0] ** 2 <= moments[1]
        good &= moments[0] ** 3 <= moments[2] and moments[1] ** 3 <= moments[2] ** 2
        top = ratio(p, q)
        good &= all(m <= top ** (n - 1) for n, m in zip((2, 3, 4), moments, strict=True))
        good &= (excess(p, q, top) == 0) and (top == 1 or excess(p, q, top * 9 / 10) > 0)
        for r in laws:
            cases += 1
            good &= moment(p, r, 2) ** 3 <= moment(p, q, 3) ** 2 * moment(q, r, 4)
            good &= moment(joint(p, (r, r)), joint(q, (p, p)), 2) == (
                moment(p, q, 2) * moment(r, p, 2)
            )
    return Defined(CheckedInScope("positive laws over two outcomes, weights 1 to 3", cases, good))


@theorem(
    id=("GB24.VI.17", "GB24.VI.18", "GB24.VI.19"),
    statement="T(P, Q)(α) is the least type II error of tests of P against Q at level α; M is "
    "μ-GDP if T ≥ G_μ between neighbours, G_μ(α) = Φ(Φ⁻¹(1−α) − μ), and d-Gaussian private if "
    "T ≥ G_d(D, D′) for all pairs.",
    status="defined",
    cite="GB24.VI.17-VI.19",
    latex=r"$T(P,Q)(\alpha)=\inf\{1-\mathbb E_Q\varphi:\mathbb E_P\varphi\le\alpha\}$ is the "
    r"least type II error of tests at level $\alpha$, and "
    r"$G_\mu(\alpha)=\Phi(\Phi^{-1}(1-\alpha)-\mu)$. $M$ is $\mu$-GDP if $T(M(D),M(D'))\ge "
    r"G_\mu$ for neighbours, and $d$-Gaussian private if it is at least $G_{d(D,D')}$ for all "
    r"pairs.",
)
def tradeoff_of_tables() -> Evidence:
    """Trade-off functions of tables, and G in normal quantiles.

    Between 0 and 1 − α, convex, 1 − α only for equal laws, and above the line of (ε, δ) iff the
    excess is at most δ.  Randomized response with e^ε = 3 has the kink (1/4, 1/4).
    """
    cases, good = 0, True
    levels = [Fraction(n, 6) for n in range(7)]
    for p, q in product(_laws(3, 2), repeat=2):
        cases += 1
        values = [tradeoff_at(p, q, a) for a in levels]
        good &= all(0 <= v <= 1 - a for a, v in zip(levels, values, strict=True))
        good &= all(
            2 * values[n] <= values[n - 1] + values[n + 1] for n in range(1, len(levels) - 1)
        )
        good &= (values == [1 - a for a in levels]) == (p == q)
        for factor, delta in product((Fraction(1), TWO), (Fraction(0), Fraction(1, 4))):
            above = all(b >= 1 - delta - factor * a for a, b in tradeoff(p, q))
            good &= above == (excess(q, p, factor) <= delta)
    two = randomized_response(THREE)
    good &= tradeoff_at(two[0], two[1], Fraction(1, 4)) == Fraction(1, 4)
    return Defined(CheckedInScope("pairs of laws over three outcomes, weights 0 to 2", cases, good))
