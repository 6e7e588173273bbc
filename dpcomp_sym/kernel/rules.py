"""The rules about mechanisms, metrics and neighbours.

Each docstring has the inference figure (premises above the line), what else must hold, the source
(paper and number, as in THEOREMS.md) and the errors.  |- is left out.  "M: n, L" abbreviates "M is
private in notion n with loss L"; g@d is a guarantee at distance d; g@G stands for "g between
G-neighbours".  Every rule raises :class:`KernelError` if a premise does not have the shape shown.
"""

from __future__ import annotations

from typing import Final, TypeVar

from dpcomp_sym.algebra.guarantees import (
    conversion,
    converted,
    is_walked,
    push_metric,
    scale,
    worst_guarantee,
)
from dpcomp_sym.algebra.polynomials import is_finite, stays_finite
from dpcomp_sym.algebra.sizes import covers, intersection
from dpcomp_sym.kernel.theorem import Theorem, Trust, rule
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.terms import KernelError

__all__ = [
    "between_neighbours", "change_guarantee", "convert", "cover_cases", "everywhere",
    "given", "maximum_over_neighbours", "metric_of_sensitivity", "oracle", "postprocess",
    "preprocess", "pull_back_leq", "pushforward", "rescale_guarantee", "rescale_leq", "restrict",
    "run_adaptively", "run_family", "transitive_leq", "weaken_metric",
]  # fmt: skip

S = TypeVar("S", bound=t.Statement)
SUBJECTS: Final[dict[type[t.Statement], str]] = {
    t.Private: "the privacy of a mechanism",
    t.Dependent: "what a mechanism reads",
    t.Sensitive: "how far a map moves databases",
    t.Compatible: "neighbours that change one block",
    t.MetricLeq: "two distances",
    t.BoundLeq: "two bounds",
    t.ProfileFact: "a profile",
    t.StructureFact: "the structure of a problem",
}
"""What statements of each kind are about, for messages."""


def says(theorem: Theorem, kind: type[S]) -> S:
    """Return the statement of a theorem, which must be of this kind."""
    statement = theorem.statement
    if not isinstance(statement, kind):
        needed, found = _subject(kind), _subject(type(statement))
        raise KernelError(f"a theorem about {needed} is needed, not one about {found}")
    return statement


def _subject(kind: type[t.Statement]) -> str:
    """Return in words what statements of a kind are about."""
    return next(words for one, words in SUBJECTS.items() if issubclass(kind, one))


# What comes from outside.


@rule("", trusts=lambda s, arguments: Trust("given", arguments["tag"], s.digest()))
def given(statement: t.Statement, tag: str = "input") -> t.Statement:  # noqa: ARG001 - recorded
    """Introduce what is assumed of a part: its guarantee, or that it depends only on a map.

    ---------
    statement

    The theorem's trust says "given".  An indexed statement is assumed for every block; a guarantee
    is assumed for every fixed value of the earlier outputs that the mechanism may read.
    Source: none; this is the input.  Raises: KernelError for any other kind of statement.
    """
    if not isinstance(statement, t.Private | t.Dependent):
        raise KernelError("only guarantees and dependences of parts can be given")
    if isinstance(statement, t.Private) and statement.where:
        raise KernelError("the guarantee of a part is given for all sizes")
    return statement


@rule("", trusts=lambda s, arguments: Trust(arguments["kind"], arguments["tag"], s.digest()))
def oracle(statement: t.Statement, kind: str, tag: str) -> t.Statement:
    """Introduce a structural fact that was decided outside the kernel.

    ---------
    statement

    Facts about domains, granularities, maps and metrics only; never a guarantee, never a bound.
    ``kind`` is "smt", "witness" or "finite", ``tag`` names the evidence.
    Source: the evidence.  Raises: KernelError for other statements and kinds.
    """
    facts = (
        t.MetricLeq,
        t.Sensitive,
        t.Compatible,
        t.ProfileFact,
        t.BlockDistance,
        t.TouchCount,
        t.Infeasible,
        t.ChangedTogether,
        t.ChangedByRecords,
        t.Together,
        t.Shares,
        t.Mixed,
        t.Restricted,
    )
    if not isinstance(statement, facts):
        raise KernelError("an oracle is only about structure")
    if kind not in {"smt", "witness", "finite"}:
        raise KernelError(f"no kind of evidence: {kind}")
    if not tag:
        raise KernelError("evidence needs a name")
    return statement


# Granularities and metrics.


@rule("GB24.III.3, VI.3, VI.12, VI.20")
def everywhere(private: Theorem) -> t.Statement:
    """From neighbours to all pairs: group privacy.

    M: n, g@G
    --------------------
    M: n, g@(d of G)

    In each of the four notions; at distance r the guarantee is eps r,
    (eps r, delta growth(eps, r)), rho r^2, mu r.  Source: GB24.III.3, VI.3, VI.12, VI.20.
    Raises: KernelError unless the loss is one between neighbours.
    """
    p = says(private, t.Private)
    if not isinstance(p.loss, t.Neighbouring):
        raise KernelError("a guarantee between neighbours is needed")
    metric = t.CanonicalMetric(p.loss.relation, p.loss.domain)
    return t.Private(p.mechanism, p.notion, t.At(p.loss.guarantee, metric), p.where)


@rule("GB24.III.3, VI.3, VI.12, VI.20")
def between_neighbours(private: Theorem) -> t.Statement:
    """From all pairs to neighbours, which have distance at most 1.

    M: n, g@(d of G)
    ----------------
    M: n, g@G

    Source: GB24.III.3, VI.3, VI.12, VI.20.
    Raises: KernelError unless the loss is a guarantee at a canonical metric.
    """
    p = says(private, t.Private)
    if not isinstance(p.loss, t.At) or not isinstance(p.loss.metric, t.CanonicalMetric):
        raise KernelError("a guarantee at a canonical metric is needed")
    metric = p.loss.metric
    loss = t.Neighbouring(metric.relation, metric.domain, p.loss.guarantee)
    return t.Private(p.mechanism, p.notion, loss, p.where)


@rule("GB24.III-A")
def weaken_metric(private: Theorem, leq: Theorem) -> t.Statement:
    """A guarantee at a larger metric is weaker.

    M: n, g@d1     d1 <= d2
    -----------------------
    M: n, g@d2

    Source: GB24, section III-A.  Raises: KernelError unless the metrics are the same.
    """
    p, q = says(private, t.Private), says(leq, t.MetricLeq)
    if not isinstance(p.loss, t.At) or p.loss.metric != q.left:
        raise KernelError("the inequality starts from another metric")
    return t.Private(p.mechanism, p.notion, t.At(p.loss.guarantee, q.right), p.where)


@rule("GB24.III-A, N6")
def rescale_guarantee(private: Theorem) -> t.Statement:
    """A multiple of a metric goes into the guarantee.

    M: n, g@(c d)
    --------------------
    M: n, scale(g, c)@d

    c must be finite (made of numbers and sizes): scale(g, c r) = scale(scale(g, c), r) in all four
    notions, also for r = 0 and r = infinity.
    Source: N6.  Raises: KernelError for other losses, and for c that may be infinite.
    """
    p = says(private, t.Private)
    if not isinstance(p.loss, t.At) or not isinstance(p.loss.metric, t.Rescaled):
        raise KernelError("a guarantee at a multiple of a metric is needed")
    metric = p.loss.metric
    if not is_finite(metric.by):
        raise KernelError("the factor must be finite")
    loss = t.At(scale(p.notion, p.loss.guarantee, metric.by), metric.of)
    return t.Private(p.mechanism, p.notion, loss, p.where)


@rule("GB24.III.5")
def metric_of_sensitivity(sensitive: Theorem) -> t.Statement:
    """Sensitivity, as an inequality between metrics.

    f has sensitivity c from d1 to d2
    ---------------------------------
    d2 o f <= c d1

    Source: GB24.III.5 (definition; 0 * inf = inf: E13).
    """
    s = says(sensitive, t.Sensitive)
    return t.MetricLeq(t.Pullback(s.target, s.map), t.Rescaled(s.bound, s.source))


@rule("GB24.III.8")
def pull_back_leq(leq: Theorem, arrow: t.Arrow) -> t.Statement:
    """Inequalities between metrics hold along a map.

    d1 <= d2
    ------------------
    d1 o f <= d2 o f

    Source: the step in GB24.III.8.  Raises: KernelError if the map ends elsewhere.
    """
    q = says(leq, t.MetricLeq)
    return t.MetricLeq(t.Pullback(q.left, arrow), t.Pullback(q.right, arrow))


@rule("GB24.III.8")
def rescale_leq(leq: Theorem, by: t.Expr) -> t.Statement:
    """A common factor.

    d1 <= d2
    ------------
    c d1 <= c d2

    Source: the step in GB24.III.8.
    """
    q = says(leq, t.MetricLeq)
    if t.open_sizes(by):
        raise KernelError("the factor depends on a block")
    return t.MetricLeq(t.Rescaled(by, q.left), t.Rescaled(by, q.right))


@rule("GB24.III-A")
def transitive_leq(first: Theorem, second: Theorem) -> t.Statement:
    """Two inequalities between metrics, one after the other.

    d1 <= d2     d2 <= d3
    ---------------------
    d1 <= d3

    Source: order.  Raises: KernelError unless the middle metrics are the same.
    """
    p, q = says(first, t.MetricLeq), says(second, t.MetricLeq)
    if p.right != q.left:
        raise KernelError("the metrics in the middle differ")
    return t.MetricLeq(p.left, q.right)


# Maps, composition, post-processing.


@rule("GB24.III.6")
def preprocess(private: Theorem, arrow: t.Arrow) -> t.Statement:
    """A mechanism behind a map sees the distance of the images.

    M: n, g@d
    ------------------
    M o f: n, g@(d o f)

    With :func:`metric_of_sensitivity`, :func:`weaken_metric` and :func:`rescale_guarantee` this is
    the theorem with the sensitivity of f.  Source: GB24.III.6.
    The same for what steps cost (:func:`convert`): the steps are those of M.
    Raises: KernelError unless f ends where M starts, and for other losses.
    """
    p = says(private, t.Private)
    match p.loss:
        case t.At(guarantee, metric):
            loss: t.Loss = t.At(guarantee, t.Pullback(metric, arrow))
        case t.Stepwise(source, guarantee, metric):
            loss = t.Stepwise(source, guarantee, t.Pullback(metric, arrow))
        case _:
            raise KernelError("a guarantee at a metric is needed")
    return t.Private(t.After(p.mechanism, arrow), p.notion, loss, p.where)


@rule("GB24.V.2, VI.4, VI.13, VI.21")
def run_adaptively(parts: tuple[Theorem, ...]) -> t.Statement:
    """Adaptive composition.

    M_1: n, L_1   ...   M_m: n, L_m
    --------------------------------------
    (M_1, ..., M_m): n, L_1 and ... and L_m together

    All on one domain and in one notion.  Each M_j may read earlier outputs; its guarantee holds
    for every fixed value of them; maps and guarantees are fixed in advance.
    Source: GB24.V.2 (pure), VI.4 (approximate), VI.13 (zcdp), VI.21 (gaussian).
    Raises: KernelError without parts, for different notions or domains, and for parts that belong
    to a block of a family.
    """
    ps = [says(p, t.Private) for p in parts]
    if not ps:
        raise KernelError("nothing is composed")
    if any(p.notion != ps[0].notion for p in ps):
        raise KernelError("the parts are about different notions")
    if t.open_sizes(tuple(x for p in ps for x in (p.mechanism, p.loss))):
        raise KernelError("a part belongs to one block of a family: compose the family first")
    mechanism = t.Adaptive(tuple(p.mechanism for p in ps))
    loss = t.Joint(tuple(p.loss for p in ps))
    return t.Private(mechanism, ps[0].notion, loss, intersection(*(p.where for p in ps)))


@rule("GB24.V.2, VI.4, VI.13, VI.21")
def run_family(part: Theorem, sizes: t.Sizes) -> t.Statement:
    """Adaptive composition over the blocks of a family, by induction on their number.

    M[i]: n, L[i]     (for every block i)
    --------------------------------------
    (M[i])_i: n, all L[i] together

    Base: one block.  Step: the mechanisms of the first j blocks, and that of block j + 1, are
    composed as two mechanisms.  Source: GB24.V.2, VI.4, VI.13, VI.21.
    Raises: KernelError unless all mechanisms start from one domain and the family has these sizes.
    """
    p = says(part, t.Private)
    if not sizes:
        raise KernelError("a family has sizes")
    return t.Private(
        t.EachAdaptive(sizes, p.mechanism), p.notion, t.EachJoint(sizes, p.loss), p.where
    )


@rule("GB24.VII.1")
def postprocess(private: Theorem, by: str) -> t.Statement:
    """Nothing is lost by computing from the output.

    M: n, L
    ----------
    h(M): n, L

    Source: GB24.VII.1 (by preimages of events: E6).
    """
    p = says(private, t.Private)
    return t.Private(t.Processed(p.mechanism, by), p.notion, p.loss, p.where)


@rule("N2")
def pushforward(private: Theorem, dependent: Theorem) -> t.Statement:
    """A mechanism that depends only on f: the common domain as a separate one.

    M: n, g@G     M depends only on f          M: n, g@d     M depends only on f
    -----------------------------------        ---------------------------------
    M: n, g@(d of pushforward(G, f)) o f       M: n, g@(quotient of d by f) o f

    Argument: the law of M at a database is that of M* at its image; every step of the pushforward
    (a link of a chain of the quotient) is a step between databases with these images; guarantees
    add up along a path as they scale (group privacy).
    Source: N2 (for GB24.IV.11, V.5, VI.7, VI.14, VI.22).
    Raises: KernelError unless both premises are about one mechanism, and for a guarantee at a
    metric that can be infinite, where an infimum of 0 need not be attained.
    """
    p, q = says(private, t.Private), says(dependent, t.Dependent)
    if p.mechanism != q.mechanism:
        raise KernelError("the premises are about different mechanisms")
    match p.loss:
        case t.Neighbouring(relation, _, guarantee):
            metric = push_metric(relation, q.map)
        case t.At(guarantee, of) if all(map(stays_finite, guarantee)):
            metric = t.Pullback(t.Quotient(of, q.map), q.map)
        case _:
            raise KernelError("a finite guarantee at a metric, or between neighbours, is needed")
    return t.Private(p.mechanism, p.notion, t.At(guarantee, metric), p.where)


# From distances to one bound.


@rule("GB24s.III.1")
def maximum_over_neighbours(private: Theorem, profile: Theorem) -> t.Statement:
    """The guarantee of a composition is the worst over what neighbours can do to its parts.

    M: n, all g_p@d_p together     G-neighbours are at distances (r_p) <= some vector v
    ------------------------------------------------------------------------------------
    M: n, max over v of (combination of scale(g_p, v_p))@G

    A vector names numbers of different blocks; the worst choice of blocks is a :class:`Worst`.
    What is lost at a mean of vectors is at most what is lost at one of them, where it is convex in
    the distances; else that of a vector that the mean is within is taken.
    Each parameter is maximized on its own.  Combining and scaling are monotone, so that upper
    bounds of distances suffice; distance 0 adds nothing and distance infinity leaves no guarantee,
    for every g.  Converted parts are scaled first.
    Source: GB24s.III.1, with E7.  Raises: KernelError if a part's metric is not one that the
    problem names, if a vector leaves out a part, or if there are no vectors (vacuous).
    """
    p, q = says(private, t.Private), says(profile, t.ProfileFact)
    if not q.vectors:
        raise KernelError("there are no two different neighbours: nothing is bounded")
    if t.domain_of(p.mechanism) != q.problem.domain:
        raise KernelError("the problem is about another domain")
    guarantee = worst_guarantee(q.problem, q.vectors, p.notion, p.loss)
    loss = t.Neighbouring(q.problem.relation, q.problem.domain, guarantee)
    return t.Private(p.mechanism, p.notion, loss, intersection(p.where, q.where))


@rule("GB24.IV.6, V.4, VI.6, VI.16, VI.26")
def change_guarantee(private: Theorem, leqs: tuple[Theorem, ...]) -> t.Statement:
    """A larger guarantee is weaker.

    M: n, (g_1, ...)@G     g_1 <= h_1   ...
    ----------------------------------------
    M: n, (h_1, ...)@G

    Source: monotony of the notions.  Raises: KernelError unless there is one inequality for each
    parameter, in order, and it starts from that parameter.
    """
    p, qs = says(private, t.Private), [says(q, t.BoundLeq) for q in leqs]
    if not isinstance(p.loss, t.Neighbouring):
        raise KernelError("a guarantee between neighbours is needed")
    if tuple(q.left for q in qs) != p.loss.guarantee:
        raise KernelError("the inequalities start from other guarantees")
    loss = t.Neighbouring(p.loss.relation, p.loss.domain, tuple(q.right for q in qs))
    return t.Private(p.mechanism, p.notion, loss, intersection(p.where, *(q.where for q in qs)))


@rule("conversions")
def convert(private: Theorem, target: str, chosen: tuple[t.Expr, ...] = ()) -> t.Statement:
    """A guarantee in the units of another notion, pair by pair (so: scaled before converted).

    M: n, L
    -------------------------
    M: n', L converted from n

    pure -> approximate: (eps, 0); pure -> zcdp: eps tanh(eps/2), exact; pure -> gaussian:
    2 Phi^-1(q/(1+q)) with q = e^eps, exact; gaussian -> zcdp: mu^2/2.  Where a distance counts
    steps between neighbours (:func:`is_walked`), the second and the third are what r such steps
    cost (:class:`Stepwise`), both exact: path_rho(eps, r), the relative entropy of the truncated
    geometric pair, and path_mu(eps, r), the largest Phi^-1(1-x) - Phi^-1(y) over the corners (x, y)
    of its trade-off curve.  One point of a curve, with a parameter ``chosen`` freely, the same for
    all pairs: zcdp -> approximate: (zcdp_epsilon(rho, delta), delta) at a delta;
    gaussian -> approximate: (eps, gaussian_delta(mu, eps)) at an eps, exact.  Between neighbours
    the result is written out.
    Source: definition; conversions.pure-zcdp and conversions.pure-gaussian of the library, at
    distance 1 and r (looser: eps^2/2, Bun, Steinke 2016, Prop. 1.4); Renyi divergence of Gaussians;
    conversions.zcdp-approximate of the library, at the best order (Canonne, Kamath, Steinke 2020,
    Prop. 12; looser: rho + 2 sqrt(rho ln(1/delta)), Bun, Steinke 2016, Prop. 1.3);
    Dong, Roth, Su 2019, Cor. 2.13.
    The second and the third need both directions: P uniform on [0, 1/q] and Q on [0, 1] lose eps at
    every Renyi order.  Raises: KernelError for other pairs of notions, for these two if the loss
    is about a one-sided granularity, for a wrong number of chosen parameters, and if one belongs
    to a block of a family that the loss does not mention.
    """
    p = says(private, t.Private)
    rule_of = conversion(p.notion, target)
    if rule_of.both_ways and any(isinstance(x, t.OneSided) for x in t.subterms(p.loss)):
        raise KernelError(f"a one-sided guarantee does not convert to {target}")
    if not t.open_sizes(chosen) <= t.open_sizes(p.loss):
        raise KernelError("a chosen parameter depends on a block that the loss does not mention")
    loss: t.Loss = t.Converted(p.notion, p.loss, chosen)
    if rule_of.path is not None and isinstance(p.loss, t.At) and is_walked(p.loss.metric):
        loss = t.Stepwise(p.notion, p.loss.guarantee, p.loss.metric)
    if isinstance(p.loss, t.Neighbouring):
        g = converted(p.notion, target, p.loss.guarantee, chosen)
        loss = t.Neighbouring(p.loss.relation, p.loss.domain, g)
    return t.Private(p.mechanism, target, loss, p.where)


# Ranges of sizes.


@rule("")
def restrict(theorem: Theorem, where: t.Where) -> t.Statement:
    """What holds for a box of sizes holds for a smaller one.

    S, for all sizes of B
    -------------------------
    S, for all sizes of B & C

    Source: logic.  Raises: KernelError if nothing is left.
    """
    s = says(theorem, t.Statement)
    if isinstance(s, t.Private):
        return t.Private(s.mechanism, s.notion, s.loss, intersection(s.where, where))
    if isinstance(s, t.BoundLeq):
        return t.BoundLeq(s.left, s.right, intersection(s.where, where))
    q = says(theorem, t.ProfileFact)
    return t.ProfileFact(q.problem, intersection(q.where, where), q.vectors)


@rule("")
def cover_cases(cases: tuple[Theorem, ...], within: t.Where) -> t.Statement:
    """Cases by ranges of sizes that cover all sizes of a box.

    M: n, g_1@G, for B_1    M: n, g_2@G, for B_2   ...     B is inside B_1 | B_2 | ...
    -----------------------------------------------------------------------------------
    M: n, (g_1 for B_1; g_2 for B_2; ...)@G, for B

    With equal guarantees the result is that guarantee.  Source: logic.
    Raises: KernelError if a choice of sizes is not covered, and for different mechanisms.
    """
    ps = [says(c, t.Private) for c in cases]
    if not covers(tuple(p.where for p in ps), intersection(within)):
        raise KernelError("some sizes are not covered")
    losses = [p.loss for p in ps if isinstance(p.loss, t.Neighbouring)]
    subjects = {(p.mechanism, p.notion) for p in ps}
    neighbours = {(x.relation, x.domain) for x in losses}
    if len(losses) < len(ps) or len(subjects) > 1 or len(neighbours) > 1:
        raise KernelError("the cases are about different mechanisms, notions or neighbours")
    guarantee = losses[0].guarantee
    if any(x.guarantee != guarantee for x in losses):
        rows = [(p.where, x.guarantee) for p, x in zip(ps, losses, strict=True)]
        guarantee = tuple(
            t.Cases(tuple(t.SizeCase(where, g[n]) for where, g in rows))
            for n in range(len(guarantee))
        )
    loss = t.Neighbouring(losses[0].relation, losses[0].domain, guarantee)
    return t.Private(ps[0].mechanism, ps[0].notion, loss, intersection(within))
