"""The composition experiment in general: every adversary, Bayes factors, examples, many rounds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, Final

from dpcomp_sym import balls
from dpcomp_sym import kernel as k
from dpcomp_sym.derivation.membership import derive_membership
from dpcomp_sym.hypothesis import (
    delta_at,
    exchangeable_views,
    largest_ratio,
    response,
    uniform,
    views,
)
from dpcomp_sym.membership import Membership
from dpcomp_sym.model import Part
from dpcomp_sym.optimal.pairs import delta_of, joint, table, worst_pair
from dpcomp_sym.uncertainty.settings.claims import exponential
from theorems import _kernel as t
from theorems._entry import Argued, CheckedInScope, Computed, Discharged, Evidence, theorem
from theorems._finite import ratio
from theorems._prove import by_induction, holds, identical, identities, smt
from theorems.hbw import mixtures

ONE: Final = Fraction(1)
BITS: Final = k.DatabaseClass("{0,1}^k", '"membership vectors"', ())
BIT: Final = k.DatabaseClass("{0,1}", '"the bit of a round"', t.K)
ROUNDS: Final = k.NamedMap("b", '"the bit of each round"', BITS, BIT, t.K)


@theorem(
    id=("HBW.Alg1", "HBW.Alg2", "HBW.Def2"),
    statement="Whatever an adversary does, who tosses coins and then chooses, in each round and "
    "after all it has seen, two neighbouring databases, parameters and a mechanism: if each "
    "mechanism that it may choose in round i is (ε_i, δ_i)-DP, its views of two membership vectors "
    "are (Σ ε_i, Σ δ_i)-close, with the sums over the rounds in which these differ.",
    status="rocq",
    cite="HBW, Alg. 1 and 2, Definition 2, and simple composition (section II-A)",
    latex=r"If each mechanism that the adversary may choose in round $i$, after all it has seen, "
    r"is $(\varepsilon_i,\delta_i)$-DP, its views $V^b$ and $V^{b'}$ are "
    r"$\bigl(\sum_{b_i\ne b'_i}\varepsilon_i,\sum_{b_i\ne b'_i}\delta_i\bigr)$-close.",
)
def private_views_of_every_adversary() -> Evidence:
    """Adaptive composition where the database is the membership vector and round i reads b_i.

    The metric of round i is |b_i − b′_i|: 0 where the bits agree.
    """
    metric = k.NamedPseudometric("d", '"0 if the bits agree, else 1"', BIT)
    mechanism = k.NamedMechanism("M", BIT, t.K)
    loss = k.At(t.GUARANTEES["approximate"], metric)
    part = k.given(
        k.Private(mechanism, "approximate", loss, ()), "round i, given the coins and all outputs"
    )
    return (
        k.run_family(k.preprocess(part, ROUNDS), t.K),
        Discharged(
            "smt", {"a mean over coins keeps P ≤ f Q + δ: two sides of a coin": _mean_of_coins()},
            "given the coins and the earlier outputs the choice is fixed, so that round i maps its "
            "bit to an output that is (ε_i, δ_i)-close for 0 and 1, and the same for equal bits; "
            "coins do not depend on the bits",
        ),
        _random_adversaries(),
    )  # fmt: skip


def _mean_of_coins() -> Any:
    import z3

    w, v, a, b, c, d, f, s = z3.Reals("w v a b c d f s")
    return holds(
        w * a + v * b <= f * (w * c + v * d) + s,
        w >= 0, v >= 0, w + v == 1, a <= f * c + s, b <= f * d + s,
    )  # fmt: skip


def _random_adversaries() -> CheckedInScope:
    """Three rounds of worst pairs, seen through noise that depends on coin and outputs."""
    rng = random.Random(14)
    given = ((Fraction(2), Fraction(1, 10)), (Fraction(3), Fraction(0)),
             (Fraction(3, 2), Fraction(1, 5)))  # fmt: skip
    cases, good = 0, True
    for _ in range(6):
        noise: dict[tuple[int, ...], tuple[Fraction, ...]] = {}
        table = {b: _view(b, given, noise, rng) for b in product((0, 1), repeat=3)}
        for b, c in product(table, repeat=2):
            cases += 1
            differ = [one for one, x, y in zip(given, b, c, strict=True) if x != y]
            factor, delta = ONE, Fraction(0)
            for q, d in differ:
                factor, delta = factor * q, delta + d
            pairs = zip(table[b].values(), table[c].values(), strict=True)
            good &= delta_at(list(pairs), factor)[0] <= delta
    return CheckedInScope("random adversaries with a coin and three rounds", cases, good)


def _view(
    b: tuple[int, ...],
    given: Any,
    noise: dict[tuple[int, ...], tuple[Fraction, ...]],
    rng: random.Random,
) -> dict[tuple[int, ...], Fraction]:
    """Return the law of the coin and the outputs; ``noise`` keeps what the adversary chooses."""
    found: dict[tuple[int, ...], Fraction] = {(coin,): Fraction(1, 2) for coin in (0, 1)}
    for (q, d), bit in zip(given, b, strict=True):
        law = response(q, d)[bit]
        later: dict[tuple[int, ...], Fraction] = {}
        for seen, p in found.items():
            yes = noise.setdefault(seen, tuple(Fraction(rng.randint(0, 4), 4) for _ in law))
            one = sum((x * y for x, y in zip(law, yes, strict=True)), Fraction(0))
            later |= {(*seen, 1): p * one, (*seen, 0): p * (1 - one)}
        found = later
    return found


@theorem(
    id="HBW.Def3",
    statement="With δ hypothesis privacy says that under H₀ the mean of max(0, 1 − e^ε/B) over the "
    "views is at most δ, B = P[v | H₀]/P[v | H₁] the Bayes factor of a view, and the same with H₀ "
    "and H₁ exchanged.  That B exceeds e^ε with probability at most δ is enough, and more than is "
    "asked: of randomized response with e^ε = 3, B is 3 with probability 3/4, and at e^ε′ = 2 the "
    "least δ is 1/4.",
    status="argued",
    cite="HBW, Definition 3, in its form with Bayes factors and an additional constant δ",
    latex=r"Two hypotheses are $(\varepsilon,\delta)$-private iff "
    r"$\mathrm E_{H_0}\max(0,1-e^\varepsilon/B)\le\delta$, with the Bayes factor "
    r"$B=\Pr(v\mid H_0)/\Pr(v\mid H_1)$ of a view, and the same with $H_0$ and $H_1$ exchanged. "
    r"$\Pr(B>e^\varepsilon\mid H_0)\le\delta$ is enough, and not necessary.",
)
def excess_of_bayes_factors() -> Evidence:
    """View by view; the event that exceeds most is that of all views with B > e^ε."""
    import z3

    p, q, f, b, some = z3.Reals("p q f B some")

    def positive(x: Any) -> Any:
        return z3.If(x > 0, x, 0)

    seen = list(zip(*response(Fraction(3)), strict=True))
    likely = sum((x for x, y in seen if x > 2 * y), Fraction(0))
    return smt(
        {
            "max(0, p − f q) = p max(0, 1 − f/B) where B = p/q": holds(
                positive(p - f * q) * b == p * positive(b - f), p > 0, q > 0, f > 0, b * q == p
            ),
            "no event exceeds more: what it has of a view is at most the positive part": holds(
                some * (p - f * q) <= positive(p - f * q), some >= 0, some <= 1
            ),
            "the positive part is at most p, where B > f, and 0 elsewhere": holds(
                positive(p - f * q) <= z3.If(p > f * q, p, 0), q >= 0, f >= 0
            ),
        },
        "sums over views; with q = 0 the Bayes factor is infinite, and the view counts with p",
    ), Computed(
        {"P(B > 2)": Fraction(3, 4), "least δ at 2": Fraction(1, 4)},
        {"P(B > 2)": likely, "least δ at 2": delta_at(seen, Fraction(2))[0]},
    )


# ------------------------------------------------------------------ many rounds


@theorem(
    id="HBW.II-A",
    statement="Advanced composition: k mechanisms that are (ε, δ)-DP, chosen adaptively, are "
    "together (ε′, kδ + δ′)-DP for 0 < δ′ < 1, with ε′ = √(2k ln(1/δ′)) ε + kε(e^ε − 1); so "
    "already with ε′ = kρ + 2√(kρ ln(1/δ′)), ρ = ε tanh(ε/2), which is never more.",
    status="rocq",
    cite="HBW, section II-A; Dwork, Rothblum, Vadhan 2010",
    latex=r"$k$ mechanisms that are $(\varepsilon,\delta)$-DP, chosen adaptively, are together "
    r"$(\varepsilon',k\delta+\delta')$-DP with $\varepsilon'=k\rho+2\sqrt{k\rho\ln(1/\delta')}\le"
    r"\sqrt{2k\ln(1/\delta')}\,\varepsilon+k\varepsilon(e^\varepsilon-1)$, where "
    r"$\rho=\varepsilon\tanh(\varepsilon/2)$.",
)
def private_of_many_rounds() -> Evidence:
    """Each round is a function of the worst pair: it tells the truth with probability δ.

    Else it is randomized response, whose loss L has E e^(λL) ≤ e^(λ(λ+1)ρ) for λ > 0
    (``zcdp_tanh_of_pure``, α = λ + 1).  So ΣL exceeds ε′ with a probability of at most
    e^(kλ(λ+1)ρ − λε′), that is δ′ at λ = √(ln(1/δ′)/(kρ)).
    """
    import sympy
    import z3

    a, b = sympy.symbols("a b", positive=True)  # a = √(kρ), b = √(ln 1/δ′)
    q, eps, rho, d, p, r, f = z3.Reals("q eps rho delta p r f")
    left, right = z3.Reals("root_rho root_half")
    none = z3.Function("none", z3.IntSort(), z3.RealSort())
    n = sympy.Symbol("n")
    return (
        smt(
            {
                "no round tells the truth for sure: (1 − δ)^k ≥ 1 − kδ": by_induction(
                    lambda j: z3.And(none(j) >= 1 - z3.ToReal(j) * d, none(j) >= 0, none(j) <= 1),
                    [none(0) == 1],
                    lambda j: [none(j + 1) == (1 - d) * none(j), d >= 0, d <= 1],
                ),
                "p ≤ f r + p, where p exceeds f r, and p ≤ f r elsewhere": holds(
                    p <= f * r + z3.If(p > f * r, p, 0), p >= 0, r >= 0, f >= 0
                ),
                "tanh(ε/2) = (q − 1)/(q + 1) ≤ e^ε − 1, q = e^ε": holds(
                    rho * (q + 1) <= eps * (q - 1) * (q + 1),
                    q >= 1, eps >= 0, rho * (q + 1) == eps * (q - 1),
                ),
                "4kρ ≤ 2kε² makes 2√(kρ ln 1/δ′) ≤ ε √(2k ln 1/δ′)": holds(
                    left <= right, left >= 0, right >= 0, left * left == 4 * rho,
                    right * right == 2 * eps * eps, 2 * rho <= eps * eps,
                ),
            }
        ),
        identities(
            {
                "kλ(λ+1)ρ − λ(kρ + 2ab) = −b² = ln δ′ at λ = b/a": identical(
                    a**2 * (b / a) * (b / a + 1) - (b / a) * (a**2 + 2 * a * b), -(b**2)
                ),
                "λ(λ + 1) is α(α − 1) for α = λ + 1": identical((n + 1) * n, (n + 1) ** 2 - n - 1),
            },
            "Markov's inequality for e^(λΣL), given the outputs of the earlier rounds one after "
            "the other; every (ε, δ)-close pair is made from the worst one (Kairouz, Oh, "
            "Viswanath), and ρ ≤ ε²/2 is conversions.pure-zcdp",
        ),
        _optimal_of_many_rounds(),
    )  # fmt: skip


def _optimal_of_many_rounds() -> CheckedInScope:
    """The least δ of k worst pairs at a number below e^ε′, against kδ + δ′."""
    cases, good = 0, True
    for rounds, q, delta, more in (
        (30, Fraction(11, 10), Fraction(0), Fraction(1, 100)),
        (7, Fraction(21, 20), Fraction(1, 1000), Fraction(1, 10)),
        (5, Fraction(3, 2), Fraction(1, 100), Fraction(1, 2)),
        (2, Fraction(3), Fraction(1, 10), Fraction(1, 10)),
    ):
        cases += 1
        zeros, ones = {0: ONE}, {rounds: ONE}
        rate = rounds * balls.log(q).lower * (q - 1) / (q + 1)
        root = balls.sqrt(balls.Ball.of(4 * rate * balls.log(1 / more).lower)).lower
        low, _ = exponential(rate + root, 60)
        alike = exchangeable_views(zeros, ones, rounds, response(q, delta))
        seen = [(n * x, n * y) for n, x, y in alike]
        good &= max(delta_at(seen, low)) <= rounds * delta + more
    return CheckedInScope("worst pairs, with k from 2 to 30", cases, good)


@theorem(
    id="HBW.II-A",
    statement="Optimal composition: the least δ at t of mechanisms that are (ε_i, δ_i)-DP, chosen "
    "adaptively, is max(0, 1 − e^t) without any, and δ_1 + (1 − δ_1) (q d(t − ε_1) + d(t + "
    "ε_1))/(1 + q) of one more, q = e^ε_1, where d(t) is that of the others.  Mechanisms that "
    "tell all with probability δ_i, and else are randomized response, have it at every t.",
    status="rocq",
    cite="HBW, section II-A; Kairouz, Oh, Viswanath 2015; Murtagh, Vadhan 2016",
    latex=r"The least $\delta$ at $t$ of $(\varepsilon_i,\delta_i)$-DP mechanisms, chosen "
    r"adaptively, is $d_k(t)=\delta_k+(1-\delta_k)\frac{e^{\varepsilon_k}d_{k-1}"
    r"(t-\varepsilon_k)+d_{k-1}(t+\varepsilon_k)}{1+e^{\varepsilon_k}}$, where "
    r"$d_0(t)=\max(0,1-e^t)$, and some mechanisms have it at every $t$.",
)
def least_delta_of_many_rounds() -> Evidence:
    """By one more mechanism before the others, of which two values of their δ are known.

    Given the first output let φ and ψ be the power of a test of the others under the two databases:
    φ ≤ e^(t−ε) ψ + d₁ and φ ≤ e^(t+ε) ψ + d₂.  Both lines meet at one value of φ.  Below it the
    second is used, and that the second law is at most e^ε times the first one; above it the first
    line, and that the first law is at most e^ε times the second one.
    """
    count, good = 0, True
    factors = (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7))
    for chosen in product(
        ((Fraction(2), Fraction(0)), (Fraction(3, 2), Fraction(1, 10)), (ONE, Fraction(1, 3))),
        repeat=3,
    ):
        pairs = joint([table(q, worst_pair(q, delta, 1)) for q, delta in chosen])
        for x in factors:
            count += 1
            good &= delta_of(pairs, x) == _least_delta(chosen, x)
    return (
        Argued("the step for one more mechanism, and induction on their number"),
        CheckedInScope("three of three worst pairs each, four values of e^t", count, good),
    )


def _least_delta(parts: tuple[tuple[Fraction, Fraction], ...], x: Fraction) -> Fraction:
    """Return d at x = e^t of parts (e^ε, δ)."""
    if not parts:
        return max(Fraction(0), 1 - x)
    (q, delta), *others = parts
    rest = tuple(others)
    mean = (q * _least_delta(rest, x / q) + _least_delta(rest, x * q)) / (1 + q)
    return delta + (1 - delta) * mean


# ------------------------------------------------------------------ who is where


@theorem(
    id="HBW.III-A.1",
    statement="Applications that are sold together only: nobody is in some of k databases and not "
    "in others, so the experiment is the classic one, and Σ ε_i is lost and not less.  Sold "
    "separately, with all choices of at least one equally likely, equal parts lose "
    "ln(((1+q)^k − 1)/(2^k − 1)) against none, less than kε for all k ≥ 2, q = e^ε > 1.",
    status="decided",
    cite="HBW, section III-A, Example 1",
    latex=r"If a person is in all of $k$ databases or in none, $\sum_i\varepsilon_i$ is lost. If "
    r"all choices of at least one are equally likely, equal parts lose "
    r"$\ln\frac{(1+q)^k-1}{2^k-1}<k\varepsilon$ against none, for $k\ge2$ and $q=e^\varepsilon>1$.",
)
def private_of_all_or_none() -> Evidence:
    """That the number for separate sales is right is ``private_of_none_against_some``."""
    import z3

    suite = Membership({"databases": "k"}, ["total == 0 or total == k"])
    derived = derive_membership(suite, [Part("statistics", "databases")])
    said = {b.notion: (b.text, str(b.tight)) for b in derived.bounds}
    total, size, most = (
        z3.Function(n, z3.IntSort(), z3.RealSort()) for n in ("total", "size", "most")
    )
    q = z3.Real("q")
    return (
        derived.theorems["pure"],
        smt({
            "(1+q)^(n+2) − 1 < (2^(n+2) − 1) q^(n+2)": by_induction(
                lambda n: z3.And(total(n) < size(n) * most(n), most(n) >= 1, size(n) >= 1),
                [total(0) == 2 * q + q * q, size(0) == 3, most(0) == q * q, q > 1],
                lambda n: [
                    total(n + 1) == total(n) * (1 + q) + q, size(n + 1) == 2 * size(n) + 1,
                    most(n + 1) == q * most(n), q > 1,
                ],
            ),
        }),
        Computed({"pure": ("sum(eps[i])", "yes")}, {"pure": said["pure"]}),
    )  # fmt: skip


@theorem(
    id="HBW.V-A.1",
    statement="With any composition theorem: where a set B of membership vectors is allowed, a "
    "guarantee against all pairs of distributions over B is the largest, at the δ or at the ε that "
    "is aimed at, of what the theorem gives for the rounds in which two vectors of B differ.  If "
    "it gives no less for more rounds, those of min(m, k) mechanisms are enough for at most m of k "
    "databases against none, and of min(2m, k) for any two such choices.",
    status="rocq",
    cite="HBW.V-A, Examples 1 to 3, for any composition theorem (V-A1)",
    latex=r"With any composition theorem, at the $\delta$ or at the $\varepsilon$ that is aimed "
    r"at, the largest of its guarantees for $\{M_i:b_i\ne b'_i\}$ over allowed $b$, $b'$ is one "
    r"for all pairs of distributions of allowed vectors; at most $m$ of $k$ databases need it for "
    r"$\min(m,k)$ mechanisms, or $\min(2m,k)$.",
)
def private_by_any_composition_theorem() -> Evidence:
    """Rounds that agree do not count (``private_of_differing_rounds``); mixtures lose no more.

    How many rounds two choices differ in is decided in E31, ``differences_of_two_choices``.
    """
    return (
        smt(
            mixtures(),
            "at a fixed ε the largest δ of all pairs of vectors serves each pair, and so all "
            "mixtures; at a fixed δ the largest ε does",
        ),
        _optimal_of_allowed_vectors(),
    )


def _optimal_of_allowed_vectors() -> CheckedInScope:
    """Optimal composition of the rounds that differ, as the theorem, for at most one of three."""
    rng = random.Random(5)
    allowed = [b for b in product((0, 1), repeat=3) if sum(b) <= 1]
    cases, good = 0, True
    for _ in range(12):
        parts = [_table(rng) for _ in allowed[1:]]
        laws = [_hypothesis(rng, allowed) for _ in range(2)]
        for factor in (ONE, Fraction(4, 3), Fraction(2)):
            best = max(
                max(delta_at(views({b: ONE}, {c: ONE}, _differing(parts, b, c)), factor))
                for b, c in product(allowed, repeat=2)
            )
            none = max(
                max(delta_at(views({allowed[0]: ONE}, {c: ONE}, parts), factor)) for c in allowed
            )
            cases += 1
            good &= max(delta_at(views(laws[0], laws[1], parts), factor)) <= best
            good &= max(delta_at(views({allowed[0]: ONE}, laws[1], parts), factor)) <= none
    return CheckedInScope("random hypotheses about at most one of three databases", cases, good)


def _differing(parts: list[Any], b: tuple[int, ...], c: tuple[int, ...]) -> list[Any]:
    """Return the parts, those that read the same with nothing to say."""
    silent = ((ONE,), (ONE,))
    return [one if x != y else silent for one, x, y in zip(parts, b, c, strict=True)]


def _table(rng: random.Random) -> Any:
    weights = [[rng.randint(1, 4) for _ in range(3)] for _ in range(2)]
    return tuple(tuple(Fraction(w, sum(law)) for w in law) for law in weights)


def _hypothesis(rng: random.Random, allowed: list[Any]) -> dict[Any, Fraction]:
    """Return a distribution, half of the time all of it on one vector."""
    chosen = rng.choice([allowed, [rng.choice(allowed)]])
    weights = [rng.randint(1, 4) for _ in chosen]
    return {b: Fraction(w, sum(weights)) for b, w in zip(chosen, weights, strict=True)}


DOCTORS: Final[Mapping[str, Any]] = {"k": 10, "at least": 4, "q": Fraction(2)}


@theorem(
    id="HBW.III-A.2",
    statement="At least k′ of k databases against fewer, all choices with such a number equally "
    "likely: of randomized responses the views that tell most are all ones and all zeros, and no "
    "pure parts lose more than the logarithm of the larger ratio there.  So it is, with unequal "
    "parts too, for every set of choices that is closed under further databases, against the "
    "others.  For four of ten and e^ε = 2 the factor is 23584/2279, against 1024.",
    status="argued",
    cite="HBW, section III-A, Example 2",
    latex=r"Between $U(\|b\|_1<k')$ and $U(\|b\|_1\ge k')$ equal $\varepsilon$-DP parts, "
    r"$q=e^\varepsilon$, lose exactly the larger one of $\ln\frac{N_<\sum_{j\ge k'}\binom kjq^j}"
    r"{N_\ge\sum_{j<k'}\binom kjq^j}$ and $\ln\frac{N_\ge\sum_{j<k'}\binom kjq^{-j}}"
    r"{N_<\sum_{j\ge k'}\binom kjq^{-j}}$, with $N_<=\sum_{j<k'}\binom kj$ and "
    r"$N_\ge=\sum_{j\ge k'}\binom kj$.",
)
def private_of_at_least_some_number() -> Evidence:
    """All vectors equally likely, the bits are independent given the view y of all parts.

    Bit i is 1 with probability q/(1+q) if y_i = 1, else 1/(1+q).  If the set is closed under
    further ones, it is the likelier the more of y are ones; and so is its ratio to its complement.
    """
    import z3

    p, r, x, y, w, v, q = z3.Reals("p r x y w v q")
    return (
        smt(
            {
                "one bit likelier, and what contains it with a 1 contains more": holds(
                    p * x + (1 - p) * y <= r * x + (1 - r) * y, p <= r, y <= x
                ),
                "q/(1+q) ≥ 1/(1+q)": holds(
                    p <= r, p * (1 + q) == 1, r * (1 + q) == q, q >= 1
                ),
                "w/(1 − w) rises with w": holds(
                    w * (1 - v) <= v * (1 - w), w <= v, w >= 0, v <= 1
                ),
            },
            "views are compared one bit after the other; no adaptive parts tell more than "
            "randomized response (exact_of_randomized_response)",
        ),
        _all_small_numbers(),
        Computed(
            {"factor": Fraction(23584, 2279), "all rounds": 1024},
            {"factor": factor_of(**{n.replace(" ", "_"): x for n, x in DOCTORS.items()}),
             "all rounds": DOCTORS["q"] ** DOCTORS["k"]},
        ),
    )  # fmt: skip


@theorem(
    id="HBW.V-B",
    statement="With pure parts, adaptive ones too, two hypotheses about the vector are exactly as "
    "far apart as for randomized response: of weights p₀ and p₁ of vectors Σ p₀(b) P[V^b in S] ≤ "
    "t Σ p₁(b) P[V^b in S] holds for all adversaries and events if and only if it holds of all "
    "answers y of randomized response, Σ p₀(b) Π P[y_i | b_i] ≤ t Σ p₁(b) Π P[y_i | b_i].",
    status="rocq",
    cite="HBW.V-B, replaced (E3); that pairs are made from one: Kairouz, Oh, Viswanath 2015",
    latex=r"With $\varepsilon_i$-DP parts, adaptive ones too, $\sum_bp_0(b)\Pr(V^b\in S)\le "
    r"t\sum_bp_1(b)\Pr(V^b\in S)$ for all adversaries and all events $S$ iff "
    r"$\sum_bp_0(b)\prod_i\Pr(y_i\mid b_i)\le t\sum_bp_1(b)\prod_i\Pr(y_i\mid b_i)$ for all "
    r"answers $y$ of randomized response.",
)
def exact_of_randomized_response() -> Evidence:
    """Round by round: both laws of a round are the two mixtures that randomized response makes.

    So the views are mixtures of those where the round has answered y_i, with the weights of the
    vectors that are left multiplied by P[y_i | b_i].
    """
    sixths = [(Fraction(n, 6), Fraction(6 - n, 6)) for n in range(1, 6)]
    rounds = [(p, q) for p, q in product(sixths, repeat=2) if max(ratio(p, q), ratio(q, p)) <= 2]
    hypotheses = [(1, 0, 0, 0), (0, 1, 1, 1), (1, 0, 0, 1), (0, 2, 1, 0), (1, 1, 2, 0)]
    count, good = 0, True
    answers = [(Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3))]
    for p0, p1 in product(hypotheses, repeat=2):
        most = _largest(p0, p1, answers, answers)
        for first, second in product(rounds[::2], rounds[1::2]):
            count += 1
            good &= _largest(p0, p1, first, second) <= most
    return (
        Argued("a round's laws are two mixtures of two others; induction on the rounds"),
        CheckedInScope("two rounds with two outputs, in sixths, five hypotheses", count, good),
    )


def _largest(p0: Any, p1: Any, first: Any, second: Any) -> Any:
    """Return the largest ratio of the weights of two outputs under two weighted vectors."""
    bits, found = list(product((0, 1), repeat=2)), []
    for x, y in bits:
        chance = [first[b][x] * second[c][y] for b, c in bits]
        over, under = (sum(w * c for w, c in zip(p, chance, strict=True)) for p in (p0, p1))
        found.append(over / under)
    return max(found)


def factor_of(k: int, at_least: int, q: Fraction) -> Fraction:
    """Return e^ε of "fewer than that many of k databases" against the others, for equal parts.

    >>> factor_of(3, 1, Fraction(2))
    Fraction(26, 7)
    """
    few, many = range(at_least), range(at_least, k + 1)

    def mean(numbers: range, factor: Fraction) -> Fraction:
        chosen = sum(comb(k, j) for j in numbers)
        return sum((comb(k, j) * factor**j for j in numbers), Fraction(0)) / chosen

    return max(mean(many, q) / mean(few, q), mean(few, 1 / q) / mean(many, 1 / q))


def _all_small_numbers() -> CheckedInScope:
    """The formula against all views; and unequal parts with sets that are closed upwards."""
    cases, good = 0, True
    for size in range(2, 6):
        for least, q in product(range(1, size + 1), (Fraction(5, 4), Fraction(3))):
            cases += 1
            few, many = _split(size, lambda b, least=least: sum(b) >= least)
            seen = views(few, many, [response(q)] * size)
            good &= largest_ratio(seen) == factor_of(size, least, q)
    parts = [response(x) for x in (Fraction(2), Fraction(9), Fraction(4, 3))]
    for closed in _closed_upwards(3):
        cases += 1
        few, many = _split(3, closed.__contains__)
        seen = views(few, many, parts)
        good &= largest_ratio(seen) == largest_ratio([seen[0], seen[-1]])
    return CheckedInScope("up to five databases; all sets for three unequal parts", cases, good)


def _split(size: int, inside: Any) -> tuple[Any, Any]:
    return uniform(size, lambda b: not inside(b)), uniform(size, inside)


def _closed_upwards(size: int) -> Iterator[frozenset[tuple[int, ...]]]:
    """Yield the sets, not all and not none, that hold all vectors above each of theirs."""
    every = list(product((0, 1), repeat=size))
    for chosen in product((False, True), repeat=len(every)):
        found = {b for b, kept in zip(every, chosen, strict=True) if kept}
        above = (c for b in found for c in every if all(x <= y for x, y in zip(b, c, strict=True)))
        if 0 < len(found) < len(every) and found.issuperset(above):
            yield frozenset(found)
