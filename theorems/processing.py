"""Post-processing, components of a composition, and mechanisms that depend on a map."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcomp_sym import kernel as k
from theorems import _kernel as t
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems._finite import FAR, Law, dependent, excess, path_metric, quotient
from theorems._prove import holds, smt
from theorems.notions import pushed_forward

PARAMETERS = {
    "pure": ("eps",), "approximate": ("eps", "delta"), "zcdp": ("rho",), "gaussian": ("mu",),
}  # fmt: skip


def _private(notion: str, mechanism: k.Procedure) -> k.Theorem:
    guarantee = tuple(map(k.Param, PARAMETERS[notion]))
    loss = k.Neighbouring(t.NEIGHBOURS, t.DATABASES, guarantee)
    return k.given(k.Private(mechanism, notion, loss, ()), "M")


@theorem(
    id="GB24.VII.1",
    statement="Computing from the output keeps the guarantee, in all four notions; the map may be "
    "random and need not be injective.",
    status="rocq",
    cite="GB24.VII.1, by preimages (E6)",
    latex=r"If $M$ has a guarantee, pure, approximate, zero-concentrated or Gaussian, so has "
    r"$h\circ M$, for every map $h$, random or not.",
)
def private_of_post_processing() -> Evidence:
    """The rule in each notion, and why it holds.

    Events: an event of the outcome is a preimage.  A random map is a mixture of maps.  Moments:
    merging two outcomes is Jensen's inequality for t^α, convex for α > 1; two outcomes are merged
    at a time.  Trade-off functions: tests of the new outcome are tests of the old one.
    """
    import z3

    p, q, r, s, factor, d, w = z3.Reals("p q r s t d w")
    order = z3.Real("alpha")
    x1, x2, y1, y2 = z3.Reals("x1 x2 y1 y2")
    rules = tuple(
        k.postprocess(_private(n, k.NamedMechanism("M", t.DATABASES, ())), "h") for n in t.NOTIONS
    )
    return *rules, smt({
        "a mixture of two maps: the inequality is linear": holds(
            w * p + (1 - w) * r <= factor * (w * q + (1 - w) * s) + d,
            w >= 0, w <= 1, p <= factor * q + d, r <= factor * s + d,
        ),
        "t^α has second derivative of the sign of α(α − 1) > 0": holds(
            order * (order - 1) > 0, order > 1
        ),
        "for α = 2, merging: (x1 + x2)² y1 y2 ≤ (x1² y2 + x2² y1)(y1 + y2)": holds(
            (x1 + x2) * (x1 + x2) * y1 * y2 <= (x1 * x1 * y2 + x2 * x2 * y1) * (y1 + y2),
            x1 >= 0, x2 >= 0, y1 > 0, y2 > 0,
        ),
    }, "events by preimages, moments by Jensen, tests by inclusion")  # fmt: skip


@theorem(
    id="GB24.VII.2",
    statement="If an independent composition is private, each of its mechanisms is, with the same "
    "guarantee: pure, approximate, zero-concentrated or Gaussian.",
    status="rocq",
    cite="GB24.VII.2",
    latex=r"If $(M_1,\dots,M_k)$ with independent outputs has a guarantee, each $M_i$ has it.",
)
def private_of_component_of_independent() -> Evidence:
    """A component is computed from the whole output."""
    return tuple(
        k.postprocess(
            _private(n, k.EachAdaptive(t.K, k.NamedMechanism("M", t.DATABASES, t.K))), "component i"
        )
        for n in t.NOTIONS
    )


@theorem(
    id="GB24.VII.3",
    statement="If an adaptive composition is private, so is the i-th output N_i, with the same "
    "guarantee, pure, approximate, zero-concentrated or Gaussian; the inner mechanism at a fixed "
    "earlier output need not be.",
    status="rocq",
    cite="GB24.VII.3; the second half is refuted by example",
    latex=r"If the adaptive composition $(N_1,\dots,N_k)$ has a guarantee, each output $N_i$ has "
    r"it; $M_i(\bar s_i,\cdot)$ at a fixed $\bar s_i$ need not.",
)
def private_of_output_of_adaptive() -> Evidence:
    """Again a projection of the output.  See ``not_private_of_inner_mechanism``."""
    first, second = (k.NamedMechanism(n, t.DATABASES, ()) for n in ("M1", "M2"))
    return tuple(
        k.postprocess(_private(n, k.Adaptive((first, second))), "output i") for n in t.NOTIONS
    )


@theorem(
    id=("GB24.IV.10", "GB24.A.7"),
    statement="If M depends on f only, equal images give equal outputs, and M has its guarantee at "
    "the quotient of d by f, inf Σ d(D_j, D′_j) with f(D′_j) = f(D_(j+1)); so also at the "
    "published minimum over fibres, which is at least as large.",
    status="rocq",
    cite="GB24.IV.10, A.7, with the exact metric of N2 (E10)",
    latex=r"If $M=M^*\circ f$ is $d$-private, it is private at $\inf\sum_jd(D_j,D'_j)$ "
    r"over chains from $f(D)$ to $f(D')$ with $f(D'_j)=f(D_{j+1})$, and so at the minimum of "
    r"$d$ over the fibres, which is no smaller.",
)
def private_at_quotient_of_dependent() -> Evidence:
    """The rule N2; a choice in the fibres is a chain of one link, and so at least the infimum."""
    return *pushed_forward("pure", "eps"), _fibres()


def _fibres() -> CheckedInScope:
    """Compare with the minimum over fibres, and attack dependent mechanisms, exhaustively."""
    points, cases, good = tuple(range(4)), 0, True
    links = [(a, b) for a in points for b in points if a < b]
    laws: tuple[Law, ...] = tuple((Fraction(n, 3), Fraction(3 - n, 3)) for n in (1, 2))
    for chosen in product((False, True), repeat=len(links)):
        kept = [link for link, c in zip(links, chosen, strict=True) if c]
        d = path_metric(points, kept)
        for image in product((0, 1), repeat=4):
            small = quotient(d, points, image.__getitem__)
            for a, b in small:
                cases += 1
                fibres = [d[x, y] for x in points for y in points
                          if image[x] == a and image[y] == b]  # fmt: skip
                good &= small[a, b] <= min(fibres)
            law = {x: laws[image[x]] for x in points}
            good &= dependent(law, image.__getitem__)
            near = [(x, y) for x, y in kept]
            factor = Fraction(2)
            if all(excess(law[x], law[y], factor) == 0 == excess(law[y], law[x], factor)
                   for x, y in near):  # fmt: skip
                good &= all(
                    r == FAR or excess(laws[a], laws[b], factor**r) == 0
                    for (a, b), r in small.items()
                )
    return CheckedInScope("all granularities and maps to two points on four databases", cases, good)
