"""The choice of databases: generalized composition and hypothesis differential privacy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.derivation.membership import derive_membership
from dpcomp_sym.hypothesis import (
    conditional_bound,
    delta_at,
    exchangeable_views,
    is_hypothesis_private,
    largest_ratio,
    least_bound,
    refine,
    response,
    sampled,
    sampled_guarantee,
    views,
)
from dpcomp_sym.membership import Membership
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from theorems import _kernel as t
from theorems import pure
from theorems._entry import CheckedInScope, Computed, Defined, Evidence, Fallen, Obligation, theorem
from theorems._prove import holds, identical, identities, smt
from theorems.errata import e03_two_mixtures as e03
from theorems.errata import e04_sampling_both_ways as e04
from theorems.errata import e05_choice_of_databases as e05
from theorems.errata._plain import exp_between, refutes

ONE: Final = Fraction(1)

TARGETS: Final[Mapping[str, Any]] = {
    "eps, delta": (
        (Fraction(1), Fraction(0)), (Fraction(1, 5), Fraction(1, 20)),
        (Fraction(9, 10), Fraction(1, 100)), (Fraction(1, 2), Fraction(3, 100)),
    ),
    "worst two at 0": (1, 2),
    "worst two at 1/2": (1, 3),
}  # fmt: skip
"""Four parts, of which a person is in at most two."""


def _dice(seed: int) -> random.Random:
    return random.Random(seed)


def _random_hypothesis(rng: random.Random, size: int) -> dict[tuple[int, ...], Fraction]:
    vectors = rng.sample(list(product((0, 1), repeat=size)), rng.randint(1, 3))
    weights = [rng.randint(1, 4) for _ in vectors]
    return {b: Fraction(w, sum(weights)) for b, w in zip(vectors, weights, strict=True)}


def _random_mechanism(rng: random.Random) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    weights = [[rng.randint(1, 4) for _ in range(3)] for _ in range(2)]
    first, second = (tuple(Fraction(w, sum(one)) for w in one) for one in weights)
    return first, second


# ------------------------------------------------------------------ definitions


@theorem(
    id=("HBW.Alg1", "HBW.Alg2", "HBW.Def2", "HBW.Def3"),
    statement="The composition experiment with a bit for each round, and (ε, δ)-hypothesis privacy "
    "for pairs of distributions of these bits; the classic experiment, with one bit for all "
    "rounds, is the pair of all zeros and all ones.",
    status="defined",
    cite="HBW, Alg. 1, Alg. 2, Definitions 2 and 3",
    latex=r"In the composition experiment round $i$ uses the database with or without the "
    r"target, by the bit $b_i$; mechanisms are $(\varepsilon,\delta)$-hypothesis private for "
    r"distributions $p_0$, $p_1$ of $b$ if the views under them are "
    r"$(\varepsilon,\delta)$-close. The classic experiment is the pair of $b=(0,\dots,0)$ and "
    r"$b=(1,\dots,1)$.",
)
def views_of_membership_vectors() -> Evidence:
    """The tables of views against sums over vectors and outputs."""
    rng = _dice(2)
    cases, good = 0, True
    for _ in range(20):
        mechanisms = [_random_mechanism(rng) for _ in range(2)]
        first, second = _random_hypothesis(rng, 2), _random_hypothesis(rng, 2)
        seen = [
            tuple(
                sum(
                    (w * mechanisms[0][b[0]][x] * mechanisms[1][b[1]][y] for b, w in law.items()),
                    Fraction(0),
                )
                for law in (first, second)
            )
            for x, y in product(range(3), repeat=2)
        ]
        good &= seen == views(first, second, mechanisms)
        zeros, ones = {(0, 0): ONE}, {(1, 1): ONE}
        ratio = largest_ratio(views(zeros, ones, mechanisms))
        singles = [largest_ratio(list(zip(*m, strict=True))) for m in mechanisms]
        both = Fraction(singles[0]) * Fraction(singles[1])
        good &= (
            is_hypothesis_private([(zeros, ones)], mechanisms, Fraction(ratio)) and ratio <= both
        )
        cases += 1
    return Defined(CheckedInScope("two random mechanisms with three outcomes", cases, good))


@theorem(
    id="HBW.Def5",
    statement="ε-DP in the sense of |D Δ D′| ε for all databases is unbounded ε-DP.",
    status="rocq",
    cite="HBW, Definition 5, after McSherry",
    latex=r"If $\Pr(M(D)\in S)\le e^{\varepsilon|D\triangle D'|}\Pr(M(D')\in S)$ for all "
    r"databases and events, $M$ is unbounded $\varepsilon$-DP.",
)
def private_of_symmetric_differences() -> Evidence:
    """Group privacy; that the canonical metric is |D Δ D′| is GB24.II.2."""
    return k.everywhere(t.at_neighbours("pure", pure.UNBOUNDED))


@theorem(
    id="HBW.Def3",
    statement="For δ = 0 hypothesis privacy is a bound on Bayes factors: two hypotheses are "
    "ε-private iff P[v | H₀] ≤ e^ε P[v | H₁] and P[v | H₁] ≤ e^ε P[v | H₀] for every view v, iff "
    "no view changes the odds of H₀ against H₁ by more than the factor e^ε, whatever they were.",
    status="rocq",
    cite="HBW, Definition 3, in its form with Bayes factors",
    latex=r"For $\delta=0$ two hypotheses are $\varepsilon$-private iff "
    r"$e^{-\varepsilon}\Pr(v\mid H_1)\le\Pr(v\mid H_0)\le e^\varepsilon\Pr(v\mid H_1)$ for every "
    r"view $v$, and iff no view changes the odds of $H_0$ against $H_1$ by more than the factor "
    r"$e^\varepsilon$, whatever they were.",
)
def bayes_factors_of_hypotheses() -> Evidence:
    """By Bayes's rule the odds change by the ratio of the two probabilities of the view.

    Views with countably many values; those that are impossible under both say nothing.
    """
    import z3

    a, p, q, seen, x, y = z3.Reals("a p q seen x y")
    factor = smt(
        {
            "with x and y after the view and a and 1 − a before it, x/y = a/(1 − a) · p/q": holds(
                x * (1 - a) * q == y * a * p,
                x * seen == a * p, y * seen == (1 - a) * q, seen > 0, a > 0, a < 1,
            ),
        },
        "what holds of each view holds of the sums over the views of an event",
    )  # fmt: skip
    rng = _dice(8)
    cases, good = 0, True
    for _ in range(40):
        mechanisms = [_random_mechanism(rng) for _ in range(2)]
        first, second = _random_hypothesis(rng, 2), _random_hypothesis(rng, 2)
        seen = views(first, second, mechanisms)
        top = max(Fraction(largest_ratio(seen)), ONE)
        for prior in (Fraction(1, 3), Fraction(1, 2), Fraction(6, 7)):
            before = prior / (1 - prior)
            changes = [(prior * p) / ((1 - prior) * q) / before for p, q in seen if p and q]
            good &= max(max(c, 1 / c) for c in changes) == top
            good &= is_hypothesis_private([(first, second)], mechanisms, top)
            cases += 1
        lower = top * 99 / 100
        good &= top == 1 or not is_hypothesis_private([(first, second)], mechanisms, lower)
    scope = "two random mechanisms with three outcomes, three priors"
    return factor, CheckedInScope(scope, cases, good)


@theorem(
    id="HBW.Def4",
    statement="A composition theorem is compatible with mechanisms if it applies to them in the "
    "classic experiment: simple composition to any, the theorem for equal guarantees to mechanisms "
    "that share one, that for unequal ones to any with guarantees fixed beforehand.  CompGuarantee "
    "is what such a theorem gives; the number of one that does not apply need not be a bound: of "
    "parts with e^ε = 2 and 3 that of equal ones is 4 for the first guarantee, and 6 is lost.",
    status="defined",
    cite="HBW, Definition 4",
    latex=r"A composition theorem is compatible with mechanisms if it applies to them in the "
    r"classic experiment, as the one for equal guarantees does to mechanisms that share one. The "
    r"number of a theorem that does not apply need not be a bound: of parts with "
    r"$e^{\varepsilon_1}=2$ and $e^{\varepsilon_2}=3$ the factor $6$ is lost, and $4$ is that of "
    r"two equal ones with $e^{\varepsilon_1}$.",
)
def compatible_composition_theorems() -> Evidence:
    """Exact ratios of randomized responses: products, and squares only where the parts agree."""
    cases, good = 0, True
    for one, two in product((Fraction(2), Fraction(3), Fraction(5)), repeat=2):
        cases += 1
        pair = [response(one, Fraction(0)), response(two, Fraction(0))]
        exact = Fraction(largest_ratio(views({(0, 0): ONE}, {(1, 1): ONE}, pair)))
        good &= exact == one * two and (exact <= one * one) == (two <= one)
    return Defined(CheckedInScope("two randomized responses with e^ε in 2, 3, 5", cases, good))


@theorem(
    id="HBW.V-A.1",
    statement="Which m parts are the worst depends on the target, so that the maximum over choices "
    "of parts is one at a fixed target: of the parts (1, 0), (1/5, 1/20), (9/10, 1/100), "
    "(1/2, 3/100), m = 2, the first two have the largest δ at ε′ = 0, the first and the third at "
    "ε′ = 1/2.",
    status="computed",
    cite="HBW.V-A, after Definition 4, where the maximum is taken at a fixed δ",
    latex=r"Which $m$ parts are the worst depends on the target: of $(1,0)$, "
    r"$(\frac15,\frac1{20})$, $(\frac9{10},\frac1{100})$, $(\frac12,\frac3{100})$ and $m=2$, the "
    r"first two have the largest $\delta$ at $\varepsilon'=0$, the first and the third at "
    r"$\varepsilon'=\frac12$.",
)
def worst_parts_at_each_target() -> Evidence:
    """Optimal composition of the two, with e^ε between rationals of thirty digits.

    More revealing parts have a larger δ, and a larger ε′ a smaller one, so that the ends of the
    enclosures enclose δ.
    """
    stated = {name: TARGETS[name] for name in TARGETS if name.startswith("worst")}
    return Computed(stated, _worst_by_target(TARGETS["eps, delta"]))


def _pair_delta(parts: Any, at: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above the optimal δ of some parts at ε′ = ``at``."""
    low_at, high_at = exp_between(at)
    found = []
    for end, factor in ((0, high_at), (1, low_at)):
        mechanisms = [response(exp_between(eps)[end], delta) for eps, delta in parts]
        zeros, ones = ({(bit,) * len(parts): ONE} for bit in (0, 1))
        found.append(delta_at(views(zeros, ones, mechanisms), factor)[0])
    return found[0], found[1]


def _worst_by_target(parts: Any) -> dict[str, Any]:
    """Return the two parts with the largest δ at each target; without one, nothing."""
    found: dict[str, Any] = {}
    for at in (Fraction(0), Fraction(1, 2)):
        deltas = {
            (i + 1, j + 1): _pair_delta((parts[i], parts[j]), at)
            for i, j in combinations(range(len(parts)), 2)
        }
        best = max(deltas, key=lambda pair: deltas[pair][0])
        clear = all(high < deltas[best][0] for p, (_, high) in deltas.items() if p != best)
        found[f"worst two at {at}"] = best if clear else None
    return found


# ------------------------------------------------------------------ all hypotheses


@theorem(
    id="HBW.Thm1",
    statement="Mechanisms are (ε, δ)-DP in the composition experiment, for every adversary, iff "
    "they are (ε, δ)-hypothesis private for all pairs of distributions of membership vectors.",
    status="rocq",
    cite="HBW.Thm1, with another proof (E15)",
    latex=r"Mechanisms are $(\varepsilon,\delta)$-DP in the composition experiment, for every "
    r"adversary, iff they are $(\varepsilon,\delta)$-hypothesis private for all pairs of "
    r"distributions of membership vectors.",
)
def hypothesis_private_iff_private() -> Evidence:
    """One way: all zeros and all ones are two hypotheses.

    Other way: let b and b′ agree in some rounds.  The adversary of the classic experiment chooses
    in the other rounds what the given one chooses there, ordered by b, and in the shared rounds
    the database of b twice, as neighbours differ in at most one record; or, if they had to differ,
    it draws these outputs itself.  What it sees has the law of the given one's view under b or b′.
    So the inequality holds for two vectors, and mixtures of both sides keep it.
    """
    rng = _dice(4)
    cases, fine = 0, True
    for _ in range(25):
        mechanisms = [_random_mechanism(rng) for _ in range(3)]
        first, second = _random_hypothesis(rng, 3), _random_hypothesis(rng, 3)
        for factor in (ONE, Fraction(3, 2), Fraction(3)):
            worst = max(
                delta_at(views({b0: ONE}, {tuple(1 - n for n in b0): ONE}, mechanisms), factor)[0]
                for b0 in product((0, 1), repeat=3)
            )
            fine &= max(delta_at(views(first, second, mechanisms), factor)) <= worst
            cases += 1
    return smt(
        mixtures(), "two vectors by simulation, then all distributions by mixing"
    ), CheckedInScope("three random mechanisms with three outcomes", cases, fine)


def mixtures() -> dict[str, Obligation]:
    """Ask whether P ≤ f Q + δ stays true of mixtures."""
    import z3

    w, v, x, y, a, b, c, d, f, s = z3.Reals("w v x y a b c d f s")
    good = [n >= 0 for n in (w, v, x, y, a, b, c, d, f, s)]
    left = holds(w * a + v * b <= f * c + s, *good, a <= f * c + s, b <= f * c + s, w + v == 1)
    right = holds(a <= f * (x * c + y * d) + s, *good, a <= f * c + s, a <= f * d + s, x + y == 1)
    return {
        "a mixture on the left keeps P ≤ f Q + δ": left,
        "a mixture on the right keeps it": right,
    }


@theorem(
    id="HBW.shared",
    statement="Rounds in which b and b′ agree do not count: the guarantee between the two is that "
    "of the n rounds in which they differ, the sum of the n largest ε_i at most.",
    status="argued",
    cite="HBW.V-B, corrected by E15",
    latex=r"The guarantee between $b$ and $b'$ is that of the $n$ rounds in which they differ, "
    r"and so at most the sum of the $n$ largest $\varepsilon_i$: rounds in which they agree do "
    r"not count.",
)
def private_of_differing_rounds() -> Evidence:
    """A common factor of both probabilities comes out of every excess, and sums to 1."""
    import z3

    m, a, b, f = z3.Reals("m a b f")

    def positive(x: Any) -> Any:
        return z3.If(x > 0, x, 0)

    factor = holds(
        positive(m * a - f * m * b) == m * positive(a - f * b), m >= 0, a >= 0, b >= 0, f >= 0
    )
    _, differing = pure.private_sum_of_pushforwards_of_dependent()
    return smt(
        {"max(0, m a − f m b) = m max(0, a − f b) for m ≥ 0": factor},
        "the laws of the shared rounds are a common factor of both views, and sum to 1",
    ), differing


# ------------------------------------------------------------------ constraints


@theorem(
    id="HBW.Thm2",
    statement="Parallel composition: ε_i-DP mechanisms on disjoint subsets of a database are "
    "together (max ε_i)-DP.",
    status="derived",
    cite="HBW.Thm2, for unequal parts; GB24.II.8",
    latex=r"If $M_i$ is $\varepsilon_i$-DP and the $M_i$ read disjoint subsets of a database, "
    r"together they are $(\max_i\varepsilon_i)$-DP.",
)
def private_max_of_disjoint_subsets() -> Evidence:
    """As GB24.II.8."""
    return pure.private_max_of_unbounded_partition()


@theorem(
    id="HBW.V-A.1",
    statement="At most m of k databases: unbounded the min(m, k) largest guarantees count, bounded "
    "the min(2m, k) largest; (ε, δ) sorted separately; and that is at most m max ε_i, what "
    "parallel composition gives.",
    status="derived",
    cite="HBW.V-A, Example 1, corrected by E5; V-A1",
    latex=r"If $\lVert b\rVert_1\le m$, then $(M_1,\dots,M_k)$ is "
    r"$\bigl(\sum_{j\le\min(m,k)}\varepsilon_{(j)}\bigr)$-DP, with $2m$ for $m$ if any two allowed "
    r"memberships are compared.",
)
def private_of_at_most_m_databases() -> Evidence:
    """How many databases two vectors differ in is decided by the solver, for all k and m."""
    found: list[k.Theorem] = []
    for neighbours in ("unbounded", "bounded"):
        hospitals = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, neighbours)
        derived = derive_membership(hospitals, [Part("scores", "databases")])
        found += derived.theorems.values()
    (bound,) = t.largest(found[0])
    if not isinstance(bound, k.Worst):
        raise Fallen("a sum of the largest is expected")
    return (*found, k.spread(bound, ()))


@theorem(
    id="HBW.V-A.2",
    statement="At most one of k databases: max ε_i unbounded, max over i ≠ j of ε_i + ε_j bounded; "
    "and 2 max ε_i where one person is replaced by another one and the parts are unbounded ε_i-DP.",
    status="derived",
    cite="HBW.V-A, Example 2, with E5",
    latex=r"If a person is in at most one of $k$ databases, the composition is "
    r"$(\max_i\varepsilon_i)$-DP for unbounded neighbours and $\max_{i\ne "
    r"j}(\varepsilon_i+\varepsilon_j)$-DP for bounded ones; it is $(2\max_i\varepsilon_i)$-DP "
    r"where one person is replaced by another and the parts are unbounded $\varepsilon_i$-DP.",
)
def private_of_one_of_k_databases() -> Evidence:
    """The last by the engine: a replaced record, disjoint blocks, parts for one record more."""
    one = {"pure": ("eps",)}
    found = []
    for neighbours in ("unbounded", "bounded"):
        single = Membership({"databases": "k"}, ["total <= 1"], {}, neighbours)
        part = Part("counts", "databases", guarantees=one)
        found.append(derive_membership(single, [part]).theorems["pure"])
    replaced = Problem(
        Domain({"id": "Person"}), library_granularity("bounded"),
        [library_map("partition", name="subsidiaries")],
        [Part("counts", "subsidiaries", library_granularity("unbounded"), one)],
    )  # fmt: skip
    return (*found, derive(replaced).theorems["pure"])


@theorem(
    id="HBW.V-A.3",
    statement="Free and paid features: the sum over common and advertisements, or common and "
    "premium, or, bounded only, advertisements and premium; the largest of these.",
    status="derived",
    cite="HBW.V-A, Example 3, corrected by E5",
    latex=r"With free and paid features the loss is the largest of the sums of $\varepsilon_i$ "
    r"over common parts and advertisements, over common and premium parts, and, for bounded "
    r"neighbours, over advertisements and premium parts.",
)
def private_of_free_and_paid_features() -> Evidence:
    """The allowed vectors differ in one of these sets, for all numbers of features."""
    _, free, _, paid = e05.private_of_corrected_choices()
    return free, paid


@theorem(
    id="HBW.V-A",
    statement="Restaurants: who eats in three a day is in at most 1095 of them in a year; with "
    "ε = 1/1000 each that is 219/200, of 2000 restaurants.",
    status="computed",
    cite="HBW.V-A, general case",
    latex=r"Who eats in three restaurants a day is in at most $1095$ of them in a year; with "
    r"$\varepsilon_i=\frac1{1000}$ each, of $2000$ restaurants, that is "
    r"$\varepsilon=\frac{219}{200}$.",
)
def private_of_three_restaurants_a_day() -> Evidence:
    """A limit m that is estimated from data makes the class of databases "at most m".

    The estimate is then no secret, and the guarantee is about databases that keep to it.
    """
    places = Membership({"restaurants": 2000}, ["total <= 3*365"])
    part = Part("sales", "restaurants", guarantees={"pure": (Fraction(1, 1000),)})
    (bound,) = derive_membership(places, [part]).bounds
    return Computed({"ε": Fraction(219, 200)}, {"ε": bound.value})


# ------------------------------------------------------------------ prior knowledge


@theorem(
    id="HBW.Alg3",
    statement="Tuple refinement: two distributions become matched triples (b₀, b₁, w) with the "
    "same marginals, at most one fewer than there are vectors in both.",
    status="argued",
    cite="HBW, Alg. 3, with multisets (E15)",
    latex=r"Tuple refinement turns two distributions $p_0$, $p_1$ of membership vectors into "
    r"triples $(b_0,b_1,w)$ whose marginals they are, at most one fewer than there are vectors "
    r"in both.",
)
def coupled_of_tuple_refinement() -> Evidence:
    """Each triple uses up a weight on one side, the last one on both.

    A triple takes the smaller of the two weights that are next in line, a and b, where A and B are
    what lies behind them.  So what is left is as much on both sides, as long as anything is.
    """
    import z3

    a, b, behind_a, behind_b, w = z3.Reals("a b A B w")
    taken = [
        a > 0, b > 0, behind_a >= 0, behind_b >= 0, a + behind_a == b + behind_b,
        w == z3.If(a <= b, a, b),
    ]  # fmt: skip
    steps = smt(
        {
            "a triple has a weight, and takes no more than there is": holds(
                z3.And(w > 0, a - w >= 0, b - w >= 0), *taken
            ),
            "one of the two weights is used up": holds(z3.Or(a - w == 0, b - w == 0), *taken),
            "so both sides end at once: nothing behind one, and that used up, is nothing at all": (
                holds(z3.And(b - w == 0, behind_b == 0), *taken, behind_a == 0, a - w == 0)
            ),
        },
        "induction on the number of weights that are left: what is left stays as much on both "
        "sides; in the end everything was taken, so that the marginals are the two distributions; "
        "of all weights each triple but the last uses up one, and the last one two",
    )
    rng = _dice(6)
    cases, good = 0, True
    for _ in range(60):
        first, second = _random_hypothesis(rng, 3), _random_hypothesis(rng, 3)
        triples = refine(first, second)
        for side, law in ((0, first), (1, second)):
            found: dict[Any, Fraction] = {}
            for triple in triples:
                found[triple[side]] = found.get(triple[side], Fraction(0)) + triple[2]
            good &= found == law
        good &= len(triples) <= len(first) + len(second) - 1
        cases += 1
    return steps, CheckedInScope("random distributions of three bits", cases, good)


@theorem(
    id=("HBW.eq3-4", "HBW.Cor7"),
    statement='"In no database" against "in at least one, all choices equally likely", for k parts '
    "that are (ε′, δ′)-DP: ε = ln(((1+e^ε′)^k − 1)/(2^k − 1)), δ = k 2^(k−1) δ′/(2^k − 1), for "
    "every k; tight for δ′ = 0.",
    status="rocq",
    cite="HBW, equations 3 and 4, Cor. 7",
    latex=r"Against a uniform choice among all vectors with some $1$ the vector $0$ of $k$ "
    r"parts that are $(\varepsilon',\delta')$-DP is $(\varepsilon,\delta)$-close, both ways, "
    r"with $\varepsilon=\ln\frac{(1+e^{\varepsilon'})^k-1}{2^k-1}$ and "
    r"$\delta=\frac{k2^{k-1}}{2^k-1}\delta'$; for $\delta'=0$ this is attained.",
)
def private_of_none_against_some() -> Evidence:
    """Induction on k, for the sum of q^|b| and of |b| over the vectors b other than zero.

    A vector of k+1 bits is one of k bits with a 0 or a 1, or zero with a 1.  One way this is the
    mean of q^|b|; the other way the mean of q^-|b| is at least the inverse of that, and δ is no
    larger since the vectors with large q^|b| have the large |b| δ′.  The view of all ones has the
    ratio that is claimed.
    """
    import sympy
    import z3

    q, size, power, two = sympy.symbols("q k power two", positive=True)
    total = power - 1  # (1 + q)^k - 1, with power = (1 + q)^k and two = 2^k
    count = size * two / 2
    induction = identities(
        {
            "k + 1: S + q S + q = (1+q)^(k+1) − 1": identical(
                total + q * total + q, power * (1 + q) - 1
            ),
            "k + 1: N + (N + 2^k − 1) + 1 = (k+1) 2^k": identical(
                2 * count + (two - 1) + 1, (size + 1) * two
            ),
        },
        "Σ q^|b| = (1+q)^k − 1 and Σ |b| = k 2^(k−1) over b ≠ 0, by induction from k = 1, where "
        "they are q and 1",
    )
    w, v, a, b, d, e = z3.Reals("w v a b d e")
    good = [x > 0 for x in (w, v, a, b)] + [d >= 0, e >= 0]
    both = smt(
        {
            "the mean of the inverses is at least the inverse of the mean": holds(
                (w * a + v * b) * (w * b + v * a) >= a * b, *good, w + v == 1
            ),
            "sorted alike, means weighted by 1/q are smaller: two terms": holds(
                (w * b * d + v * a * e) * (w + v) <= (w * d + v * e) * (w * b + v * a),
                *good, a <= b, d <= e,
            ),
        }
    )  # fmt: skip
    cases, tight = 0, True
    for n in range(1, 9):
        for factor in (Fraction(3, 2), Fraction(4)):
            alike = exchangeable_views({0: ONE}, _some(n), n, response(factor))
            tight &= largest_ratio((p, r) for _, p, r in alike) == ((1 + factor) ** n - 1) / (
                2**n - 1
            )
            cases += 1
    return induction, both, CheckedInScope("tight for k up to 8", cases, tight)


def _some(n: int) -> dict[int, Fraction]:
    from math import comb

    return {j: Fraction(comb(n, j), 2**n - 1) for j in range(1, n + 1)}


@theorem(
    id="HBW.S½",
    statement="A record that is there with probability p: an (ε, δ)-DP mechanism becomes "
    "(ln(1 + p(e^ε − 1)), pδ)-DP against the record not being there, both ways, and no better.",
    status="rocq",
    cite="HBW.V-B; Balle, Barthe, Gaboardi 2018, Theorem 8",
    latex=r"If a record is there with probability $p$, an $(\varepsilon,\delta)$-DP mechanism is "
    r"$\bigl(\ln(1+p(e^\varepsilon-1)),p\delta\bigr)$-DP against the record not being there, "
    r"both ways, and no better.",
)
def private_of_coin_flip() -> Evidence:
    """Event by event, with a and b the probabilities without and with the record.

    No better: for the worst mechanism, which says 0 or 1 as randomized response does but with
    probability δ tells the truth for sure, the event of the truth or the 1 has a = (1 − δ)/(1 + q)
    without the record and b = qa + δ with it.
    """
    import sympy
    import z3

    a, b, q, d, p = z3.Reals("a b q d p")
    good = [a >= 0, b >= 0, a <= 1, b <= 1, q >= 1, d >= 0, d <= 1, p >= 0, p <= 1]
    mixed = (1 - p) * a + p * b
    there = holds(mixed <= (1 + p * (q - 1)) * a + p * d, *good, b <= q * a + d)
    # Back, P = a ≤ q b + d; with 1/q >= 1 - (q - 1)... the factor q/(q (1 - p) + p) is smaller.
    back = holds(a * (q * (1 - p) + p) <= q * mixed + p * d, *good, a <= q * b + d)
    smaller = holds(q <= (1 + p * (q - 1)) * (q * (1 - p) + p), *good)
    slack = holds(p * d <= p * d * (q * (1 - p) + p), *good)
    r, s, u = sympy.symbols("q p δ", positive=True)
    rarest = (1 - u) / (1 + r)
    cases, tight = 0, True
    for factor, delta, chance in product((ONE, Fraction(3)), (Fraction(0), Fraction(1, 5)),
                                         (Fraction(1, 2), Fraction(1, 3))):  # fmt: skip
        pairs = list(zip(*sampled(response(factor, delta), chance), strict=True))
        at, least = sampled_guarantee(factor, delta, chance)
        forward = delta_at(pairs, at)
        tight &= forward[1] == least >= forward[0]
        cases += 1
    return (
        smt(
            {
                "sampled against without: P ≤ (1 + p(q−1)) Q + p δ": there,
                "without against sampled: P ≤ q/(q(1−p)+p) Q + p δ/(q(1−p)+p)": back,
                "q/(q(1−p)+p) ≤ 1 + p(q−1)": smaller,
                "δ/(q(1−p)+p) ≤ δ": slack,
            }
        ),
        identities(
            {
                "sampled: exactly (1 + p(q−1)) a + p δ": identical(
                    (1 - s) * rarest + s * (r * rarest + u),
                    (1 + s * (r - 1)) * rarest + s * u,
                ),
            },
            "a > 0 for δ < 1, so that neither parameter can be smaller",
        ),
        CheckedInScope("attained by the worst mechanism, on a grid", cases, tight),
    )


@theorem(
    id=("HBW.Thm3", "HBW.Cor6"),
    statement='"In no database" against "in at least one" by sampling: (ln t_i, d_i) of M_i with '
    "the later parts sampled, by any composition theorem, and w_i = 2^(k−i)/(2^k − 1): "
    "ε = ln Σ w t, and δ = max(Σ w d, Σ(w d/t) / Σ(w/t)).",
    status="rocq",
    cite="HBW.Thm3, Cor6, corrected by E4",
    latex=r"Between being in no database and being in at least one, all choices equally likely, "
    r"let $M_i$ with the later parts sampled be $(\ln t_i,d_i)$-DP, and $w_i=2^{k-i}/(2^k-1)$. "
    r"Then $\varepsilon=\ln\sum_iw_it_i$ and "
    r"$\delta=\max\bigl(\sum_iw_id_i,\frac{\sum_iw_id_i/t_i}{\sum_iw_i/t_i}\bigr)$.",
)
def private_of_sampling() -> Evidence:
    """The vectors other than zero, by their first 1: a mixture of laws Q_i with weights w_i.

    One way: Σ w Q_i ≤ Σ w (t_i P + d_i).  Other way: Q_i ≥ (P − d_i)/t_i, so that
    P ≤ (Σ w Q_i + Σ w d/t)/Σ(w/t), and 1/Σ(w/t) ≤ Σ w t.
    """
    import z3

    w, v, q, r, d, e, p, a, b = z3.Reals("w v q r d e p a b")
    good = [x >= 0 for x in (w, v, d, e, p, a, b)] + [q >= 1, r >= 1, w + v == 1]
    there = holds(
        w * a + v * b <= (w * q + v * r) * p + w * d + v * e, *good, a <= q * p + d, b <= r * p + e
    )
    back = holds(
        p * (w * r + v * q) <= q * r * (w * a + v * b) + w * r * d + v * q * e,
        *good, p <= q * a + d, p <= r * b + e,
    )  # fmt: skip
    mean = holds(q * r <= (w * q + v * r) * (w * r + v * q), *good)
    checked = e04.private_of_sampled_parts_both_ways()
    return smt(
        {
            "one way, two terms": there,
            "other way, two terms, times q r": back,
            "1/Σ(w/q) ≤ Σ w q, two terms, times q r": mean,
        },
        "more terms one after the other",
    ), checked


@theorem(
    id="HBW.V-B",
    statement="That any two hypotheses are ln Σ w e^ε apart at most, over matched vectors, is "
    "false.",
    status="refuted",
    cite="HBW.V-B; E3",
    latex=r"It is false that two hypotheses are at most $\ln\sum w\,e^{\varepsilon_{b_0b_1}}$ "
    r"apart for every matching of their vectors, with $\varepsilon_{b_0b_1}$ the loss between "
    r"two vectors.",
)
def not_private_of_matched_vectors() -> Evidence:
    """As E3; what holds instead is there too."""
    return refutes("two mixtures are ln Σ w e^ε apart at most", e03.TWO, e03.fails)


@theorem(
    id="HBW.V-B",
    statement="For pure parts the exact ε of two hypotheses is the largest |ln| of the ratio of "
    "Σ p(b) P[y | b] over the views y of randomized response; it is never above the "
    "bounds of any coupling.",
    status="checked",
    cite="HBW.V-B, replaced (E3); Kairouz, Oh, Viswanath 2015",
    latex=r"For pure parts the exact $\varepsilon$ of two hypotheses $p_0$, $p_1$ is the largest "
    r"$\ln\frac{\sum_bp_0(b)P(y\mid b)}{\sum_bp_1(b)P(y\mid b)}$, or that of the inverse, over the "
    r"views $y$ of randomized response, and is at most the bound of any coupling.",
)
def optimum_le_bounds_of_couplings() -> Evidence:
    """Every ε-DP pair is made from randomized response by post-processing."""
    rng = _dice(8)
    cases, good = 0, True
    for _ in range(60):
        first, second = _random_hypothesis(rng, 3), _random_hypothesis(rng, 3)
        qs = [Fraction(rng.randint(2, 8), 2) for _ in range(3)]
        seen = views(first, second, [response(q) for q in qs])
        good &= largest_ratio(seen) <= least_bound(first, second, qs)
        forward = max(p / r for p, r in seen)
        good &= forward <= conditional_bound(refine(first, second), qs)
        cases += 1
    return CheckedInScope("random hypotheses about three databases", cases, good)
