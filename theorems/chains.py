"""Mechanisms one behind the other with (ε, δ), and noise that is added twice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

from dpcomp_sym.uncertainty.laws.chained import chained, chained_delta
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._finite import excess
from theorems._prove import holds, identical, identities, smt

Part = tuple[Fraction, Fraction]
Law = tuple[Fraction, ...]


@theorem(
    id="Des.chain",
    statement="If M₁ is (ε₁, δ₁)-private, and each M_j after it is (ε_j, δ_j)-private between any "
    "two of its inputs and reads the output of M_{j−1} only, the chain is (ln e, c_k)-private "
    "for each e ≥ 1, where q_j = e^ε_j, c₁ = δ₁ + (1 − δ₁) max(0, q₁ − e)/(1 + q₁), and c_j is "
    "the larger one of δ_j c_{j−1} and "
    "((q_j − 1 + 2δ_j) c_{j−1} − (1 − δ_j)(e − 1))/(1 + q_j).  No smaller number will do "
    "at this e, not even where all inputs and outputs are 0 or 1, so that this case settles all; "
    "once there are deltas, the order matters.",
    status="argued",
    cite="this project; without deltas: Des 3.2.4, chained mechanisms",
    latex=r"With $q_j=e^{\varepsilon_j}$ and $e\ge 1$ the least $\delta$ of a chain at "
    r"$\ln e$ is $c_k$, where $c_1=\delta_1+(1-\delta_1)\frac{\max(0,q_1-e)}{1+q_1}$ and, for "
    r"$j=2,\dots,k$, $c_j$ is the larger of $\delta_jc_{j-1}$ and "
    r"$\frac{(q_j-1+2\delta_j)c_{j-1}-(1-\delta_j)(e-1)}{1+q_j}$. Mechanisms from "
    r"$\{0,1\}$ to $\{0,1\}$ attain it.",
)
def approximate_of_chained() -> Evidence:
    """For an event let m and w be the least and largest probability of it over M_j's inputs.

    P − eQ = m(1 − e) + (w − m)(s − et), where s and t are the means, under the laws of the chain
    up to M_{j−1}, of one function in [0, 1]; so s − et ≤ c_{j−1}.  Privacy says w ≤ qm + δ and
    1 − m ≤ q(1 − w) + δ.  What is left is increasing in w, and these two lines meet at
    m* = (1 − δ)/(1 + q): up to there it is a mean of its values at 0 and m*, and from there on it
    falls.  An M_j with two outputs that has w on the best event of the chain so far, and m
    elsewhere, with either corner for (m, w), attains it.
    """
    import sympy
    import z3

    m, c, d, q, e, P, Q = sympy.symbols("m c delta q e P Q")
    corner = ((q - 1 + 2 * d) * c - (1 - d) * (e - 1)) / (1 + q)
    middle = (1 - d) / (1 + q)
    rising = m * (1 - e) + (q * m + d - m) * c
    falling = m * (1 - e) + (1 - (1 - m - d) / q - m) * c
    first = d + (1 - d) * (q - e) / (1 + q)
    privacy = (e * q - 1) * (P - q * Q - d) + (q - e) * (q * P - Q - q + 1 - d)
    p, x, y, t, factor = z3.Reals("P Q q delta e")
    return identities({
        "w = qm + δ: the mean of δc and the corner's value, with weight m/m*": identical(
            rising, (1 - m / middle) * d * c + m / middle * corner
        ),
        "1 − m = q(1 − w) + δ: the corner's value less (m − m*)((e − 1) + c(q − 1)/q)": identical(
            falling, corner - (m - middle) * ((e - 1) + c * (q - 1) / q)
        ),
        "one mechanism, e ≤ q: P − eQ less c₁ is a sum of the two conditions, over q² − 1":
        identical((P - e * Q - first) * (q**2 - 1), privacy),
        "without deltas c₂ = 0 at e = (1 + q₁q₂)/(q₁ + q₂), with q = q₂, Q = q₁": identical(
            (corner.subs({d: 0, c: (Q - e) / (1 + Q)})).subs(e, (1 + q * Q) / (q + Q)), 0
        ),
    }, "the maximum is at a corner; a test that takes the better half of a coin is no more than "
       "an event; complements and both orders of neighbours are covered"), smt({
        "one mechanism, e > q: P − eQ ≤ δ": holds(
            p - factor * x <= t, p <= y * x + t, factor > y, y >= 1, x >= 0
        ),
    }), _attained(), _never_more()  # fmt: skip


PARTS = tuple(product((Fraction(1), Fraction(2), Fraction(5)), (Fraction(0), Fraction(1, 10))))
FACTORS = (Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(3))


def _best(part: Part, above: Fraction, factor: Fraction) -> tuple[Fraction, Fraction]:
    """Return the corner (m, w) that is best if the chain so far has this excess."""
    q, delta = part
    corners = (Fraction(0), delta), ((1 - delta) / (1 + q), (q + delta) / (1 + q))
    return max(corners, key=lambda one: one[0] * (1 - factor) + (one[1] - one[0]) * above)


def _attained() -> CheckedInScope:
    """Chains of three: each mechanism has its best corner; before the first, an input is seen."""
    count, true = 0, True
    for parts in product(PARTS, repeat=3):
        for factor in FACTORS:
            low, high, private = Fraction(0), Fraction(1), True
            for part in parts:
                m, w = _best(part, high - factor * low, factor)
                private &= _least((w, 1 - w), (m, 1 - m), part[0]) <= part[1]
                low, high = m + (w - m) * low, m + (w - m) * high
            found = max(high - factor * low, Fraction(0))
            count += 1
            true &= private and found == chained_delta(parts, factor)
    return CheckedInScope("three mechanisms that attain it, composed as tables", count, true)


def _never_more() -> CheckedInScope:
    """All pairs of mechanisms on two inputs with probabilities in fifths, between 0 and 1."""
    laws = [(Fraction(n, 5), 1 - Fraction(n, 5)) for n in range(6)]
    least, least_of_chain = cache(_least), cache(chained_delta)  # the same ones occur often
    count, true = 0, True
    for P, Q, K, L in product(laws, repeat=4):
        after = [tuple(r[0] * k + r[1] * o for k, o in zip(K, L, strict=True)) for r in (P, Q)]
        for one, other in product((Fraction(1), Fraction(2)), repeat=2):
            parts = (one, least(P, Q, one)), (other, least(K, L, other))
            for factor in FACTORS:
                count += 1
                true &= least(after[0], after[1], factor) <= least_of_chain(parts, factor)
    twice = [(Fraction(5), Fraction(0))] * 2
    zero = chained([Fraction(5)] * 2)
    true &= chained_delta(twice, zero) == 0 < chained_delta(twice, zero - Fraction(1, 1000))
    return CheckedInScope("two inputs, two outputs, probabilities in fifths", count, true)


def _least(P: Law, Q: Law, factor: Fraction) -> Fraction:
    return max(excess(P, Q, factor), excess(Q, P, factor))


@theorem(
    id="Des.nested",
    statement="Two sources of noise are no better than one for pure privacy in general: two-sided "
    "geometric noise, added to a count twice, is private for the same ε as added once and for "
    "no smaller one, since p(n)/p(n+1) rises to 1/a = e^ε.",
    status="argued",
    cite="Des 3.2.4, nested composition; settled in this project",
    latex=r"Two-sided geometric noise $\propto a^{|n|}$ added twice has "
    r"$p(n)\propto a^{n}\bigl(n+\frac{1+a^2}{1-a^2}\bigr)$ for $n\ge 0$, so that "
    r"$p(n)/p(n+1)\to 1/a$: its $\varepsilon$ is that of the noise added once.",
)
def not_better_for_pure_of_geometric_noise_twice() -> Evidence:
    """With b = (1 + a²)/(1 − a²) the sum has p(n) = g² a^|n| (|n| + b), g = (1 − a)/(1 + a).

    One noise is the only bounded solution u of −a u(n−1) + (1 + a²) u(n) − a u(n+1) = (1 − a)² at
    n = 0 and 0 elsewhere; so the sum is the only bounded one with (1 − a)² g a^|n| on the right.
    """
    import sympy

    a, n, A = sympy.symbols("a n A", positive=True)
    b, g = (1 + a**2) / (1 - a**2), (1 - a) / (1 + a)
    before, here, after = A / a * (n - 1 + b), A * (n + b), A * a * (n + 1 + b)
    return identities({
        "one noise, at n = 0: (1 + a²) g − 2a · a g = (1 − a)²": identical(
            (1 + a**2) * g - 2 * a * a * g, (1 - a) ** 2
        ),
        "twice, at n ≥ 1, with A = a^n": identical(
            g**2 * (-a * before + (1 + a**2) * here - a * after), (1 - a) ** 2 * g * A
        ),
        "twice, at n = 0": identical(
            g**2 * ((1 + a**2) * b - 2 * a * a * (1 + b)), (1 - a) ** 2 * g
        ),
        "1/a − p(n)/p(n+1) = 1/(a (n + 1 + b)) > 0, which goes to 0": identical(
            1 / a - (n + b) / (a * (n + 1 + b)), 1 / (a * (n + 1 + b))
        ),
    }, "solutions of the equation that go to 0 at both ends are unique; the sum is a "
       "post-processing of one noise, so that it is never worse")  # fmt: skip
