"""The rules about mechanisms, metrics and neighbours.

Each docstring has the inference figure (premises above the line), what else must hold, the source
(paper and number, as in THEOREMS.md) and the errors.  |- is left out.  "M: n, L" abbreviates "M is
private in notion n with loss L"; g@d is a guarantee at distance d; g@G stands for "g between
G-neighbours".  Every rule raises :class:`KernelError` if a premise does not have the shape shown.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TypeVar

from dpcomp_sym.kernel.terms import (
    NOTIONS,
    Adaptive,
    After,
    Apply,
    Arrow,
    At,
    BlockDistance,
    BoundLeq,
    Canonical,
    Case,
    Cases,
    Choice,
    Compatible,
    Converted,
    Dependent,
    EachAdaptive,
    EachJoint,
    Expr,
    Inf,
    Infeasible,
    Joint,
    KernelError,
    Loss,
    Max,
    Metric,
    MetricLeq,
    Neighbouring,
    Num,
    OneSided,
    Private,
    Problem,
    Processed,
    Product,
    ProfileFact,
    Pullback,
    Push,
    Quotient,
    Range,
    Relation,
    Rescaled,
    Sensitive,
    Size,
    Sizes,
    Sqrt,
    Statement,
    Sum,
    TouchCount,
    Vector,
    View,
    Where,
    Worst,
    domain_of,
    ends,
    open_sizes,
    subterms,
)
from dpcomp_sym.kernel.theorem import Theorem, Trust, rule

__all__ = [
    "between_neighbours", "change_guarantee", "convert", "cover_cases", "everywhere",
    "given", "maximum_over_neighbours", "metric_of_sensitivity", "oracle", "postprocess",
    "preprocess", "pull_back_leq", "push_metric", "pushforward", "rescale_guarantee",
    "rescale_leq", "restrict", "run_adaptively", "run_family", "transitive_leq", "weaken_metric",
]  # fmt: skip

ZERO, ONE = Num(Fraction(0)), Num(Fraction(1))
CONVERSIONS = {
    ("pure", "approximate"): 0,
    ("pure", "zcdp"): 0,
    ("pure", "gaussian"): 0,
    ("gaussian", "zcdp"): 0,
    ("zcdp", "approximate"): 1,
    ("gaussian", "approximate"): 1,
}
"""From which notion to which, and how many parameters of the result are chosen freely."""
S = TypeVar("S", bound=Statement)


def says(theorem: Theorem, kind: type[S]) -> S:
    """Return the statement of a theorem, which must be of this kind."""
    statement = theorem.statement
    if not isinstance(statement, kind):
        raise KernelError(f"a {kind.__name__} theorem is needed, not {type(statement).__name__}")
    return statement


def times(*items: Expr) -> Expr:
    """Return a product without factors 1; 0 and infinity are not touched."""
    kept = tuple(x for x in items if x != ONE)
    return kept[0] if len(kept) == 1 else Product(kept) if kept else ONE


def plus(items: tuple[Expr, ...]) -> Expr:
    """Return a sum without terms 0."""
    kept = tuple(x for x in items if x != ZERO)
    return kept[0] if len(kept) == 1 else Sum(kept) if kept else ZERO


def scale(notion: str, guarantee: tuple[Expr, ...], r: Expr) -> tuple[Expr, ...]:
    """Return the guarantee at distance r: GB24.III.3, VI.3, VI.12, VI.20.

    >>> from dpcomp_sym.kernel import Param
    >>> [x.text() for x in scale("approximate", (Param("eps"), Param("delta")), Size("m"))]
    ['m*eps', 'delta*growth(eps, m)']
    """
    if r == ZERO:
        return (ZERO,) * len(guarantee)
    if r == Inf():
        return (Inf(),) * len(guarantee)
    if notion == "zcdp":
        return (times(r, r, guarantee[0]),)
    if notion == "approximate":
        eps, delta = guarantee
        factor = ONE if r == ONE else Apply("growth", (eps, r))
        return times(r, eps), ZERO if delta == ZERO else times(delta, factor)
    return (times(r, guarantee[0]),)


def converted(
    source: str, target: str, guarantee: tuple[Expr, ...], chosen: tuple[Expr, ...] = ()
) -> tuple[Expr, ...]:
    """Return the guarantee in the units of another notion, at one pair of databases."""
    wanted = CONVERSIONS.get((source, target))
    if wanted is None:
        raise KernelError(f"no conversion from {source} to {target}")
    if len(chosen) != wanted:
        raise KernelError(f"from {source} to {target}, {wanted} parameter(s) are chosen")
    value = guarantee[0]
    if source == "zcdp":
        return Apply("zcdp_epsilon", (value, *chosen)), *chosen
    if (source, target) == ("gaussian", "approximate"):
        return *chosen, Apply("gaussian_delta", (value, *chosen))
    if target == "approximate":
        return value, ZERO
    if target == "gaussian":
        return (Apply("gdp", (value,)),)
    return (times(Num(Fraction(1, 2)), value, value),)


def is_finite(e: Expr) -> bool:
    """Return whether an expression is made of numbers and sizes only, so that it is finite."""
    return isinstance(e, Num | Size) or (
        isinstance(e, Sum | Product | Max) and all(map(is_finite, e.items))
    )


def intersection(*boxes: Where) -> Where:
    """Return the box of the sizes that lie in all these boxes.

    Raises:
        KernelError: there are none.
    """
    found: dict[str, Range] = {}
    for r in (r for box in boxes for r in box):
        old = found.get(r.symbol, Range(r.symbol, 1, None))
        highs = [h for h in (old.high, r.high) if h is not None]
        found[r.symbol] = Range(r.symbol, max(old.low, r.low), min(highs, default=None))
    return tuple(sorted(found.values(), key=lambda r: r.symbol))


# What comes from outside.


@rule("", trusts=lambda s, arguments: Trust("given", arguments["tag"], s.digest()))
def given(statement: Statement, tag: str = "input") -> Statement:  # noqa: ARG001 - recorded
    """Introduce what is assumed of a part: its guarantee, or that it depends only on a map.

    ---------
    statement

    The theorem's trust says "given".  An indexed statement is assumed for every block; a guarantee
    is assumed for every fixed value of the earlier outputs that the mechanism may read.
    Source: none; this is the input.  Raises: KernelError for any other kind of statement.
    """
    if not isinstance(statement, Private | Dependent):
        raise KernelError("only guarantees and dependences of parts can be given")
    if isinstance(statement, Private) and statement.where:
        raise KernelError("the guarantee of a part is given for all sizes")
    return statement


@rule("", trusts=lambda s, arguments: Trust(arguments["kind"], arguments["tag"], s.digest()))
def oracle(statement: Statement, kind: str, tag: str) -> Statement:
    """Introduce a structural fact that was decided outside the kernel.

    ---------
    statement

    Facts about domains, granularities, maps and metrics only; never a guarantee, never a bound.
    ``kind`` is "smt", "witness" or "finite", ``tag`` names the evidence.
    Source: the evidence.  Raises: KernelError for other statements and kinds.
    """
    facts = (MetricLeq, Sensitive, Compatible, ProfileFact, BlockDistance, TouchCount, Infeasible)
    if not isinstance(statement, facts):
        raise KernelError("an oracle only speaks of structure")
    if kind not in {"smt", "witness", "finite"}:
        raise KernelError(f"no kind of evidence: {kind}")
    if not tag:
        raise KernelError("evidence needs a name")
    return statement


# Granularities and metrics.


@rule("GB24.III.3, VI.3, VI.12, VI.20")
def everywhere(private: Theorem) -> Statement:
    """From neighbours to all pairs: group privacy.

    M: n, g@G
    --------------------
    M: n, g@(d of G)

    In each of the four notions; at distance r the guarantee is eps r,
    (eps r, delta growth(eps, r)), rho r^2, mu r.  Source: GB24.III.3, VI.3, VI.12, VI.20.
    Raises: KernelError unless the loss is one between neighbours.
    """
    p = says(private, Private)
    if not isinstance(p.loss, Neighbouring):
        raise KernelError("a guarantee between neighbours is needed")
    metric = Canonical(p.loss.relation, p.loss.domain)
    return Private(p.mechanism, p.notion, At(p.loss.guarantee, metric), p.where)


@rule("GB24.III.3, VI.3, VI.12, VI.20")
def between_neighbours(private: Theorem) -> Statement:
    """From all pairs to neighbours, which have distance at most 1.

    M: n, g@(d of G)
    ----------------
    M: n, g@G

    Source: GB24.III.3, VI.3, VI.12, VI.20.
    Raises: KernelError unless the loss is a guarantee at a canonical metric.
    """
    p = says(private, Private)
    if not isinstance(p.loss, At) or not isinstance(p.loss.metric, Canonical):
        raise KernelError("a guarantee at a canonical metric is needed")
    metric = p.loss.metric
    loss = Neighbouring(metric.relation, metric.domain, p.loss.guarantee)
    return Private(p.mechanism, p.notion, loss, p.where)


@rule("GB24.III-A")
def weaken_metric(private: Theorem, leq: Theorem) -> Statement:
    """A larger metric asks for less.

    M: n, g@d1     d1 <= d2
    -----------------------
    M: n, g@d2

    Source: GB24, section III-A.  Raises: KernelError unless the metrics are the same.
    """
    p, q = says(private, Private), says(leq, MetricLeq)
    if not isinstance(p.loss, At) or p.loss.metric != q.left:
        raise KernelError("the inequality starts from another metric")
    return Private(p.mechanism, p.notion, At(p.loss.guarantee, q.right), p.where)


@rule("GB24.III-A, N6")
def rescale_guarantee(private: Theorem) -> Statement:
    """A multiple of a metric goes into the guarantee.

    M: n, g@(c d)
    --------------------
    M: n, scale(g, c)@d

    c must be finite (made of numbers and sizes): scale(g, c r) = scale(scale(g, c), r) in all four
    notions, also for r = 0 and r = infinity.
    Source: N6.  Raises: KernelError for other losses, and for c that may be infinite.
    """
    p = says(private, Private)
    if not isinstance(p.loss, At) or not isinstance(p.loss.metric, Rescaled):
        raise KernelError("a guarantee at a multiple of a metric is needed")
    metric = p.loss.metric
    if not is_finite(metric.by):
        raise KernelError("the factor must be finite")
    loss = At(scale(p.notion, p.loss.guarantee, metric.by), metric.of)
    return Private(p.mechanism, p.notion, loss, p.where)


@rule("GB24.III.5")
def metric_of_sensitivity(sensitive: Theorem) -> Statement:
    """Sensitivity, as an inequality between metrics.

    f has sensitivity c from d1 to d2
    ---------------------------------
    d2 o f <= c d1

    Source: GB24.III.5 (definition; 0 * inf = inf: E13).
    """
    s = says(sensitive, Sensitive)
    return MetricLeq(Pullback(s.target, s.map), Rescaled(s.bound, s.source))


@rule("GB24.III.8")
def pull_back_leq(leq: Theorem, arrow: Arrow) -> Statement:
    """Inequalities between metrics hold along a map.

    d1 <= d2
    ------------------
    d1 o f <= d2 o f

    Source: the step in GB24.III.8.  Raises: KernelError if the map ends elsewhere.
    """
    q = says(leq, MetricLeq)
    return MetricLeq(Pullback(q.left, arrow), Pullback(q.right, arrow))


@rule("GB24.III.8")
def rescale_leq(leq: Theorem, by: Expr) -> Statement:
    """A common factor.

    d1 <= d2
    ------------
    c d1 <= c d2

    Source: the step in GB24.III.8.
    """
    q = says(leq, MetricLeq)
    if open_sizes(by):
        raise KernelError("the factor depends on a block")
    return MetricLeq(Rescaled(by, q.left), Rescaled(by, q.right))


@rule("GB24.III-A")
def transitive_leq(first: Theorem, second: Theorem) -> Statement:
    """Two inequalities between metrics, one after the other.

    d1 <= d2     d2 <= d3
    ---------------------
    d1 <= d3

    Source: order.  Raises: KernelError unless the middle metrics are the same.
    """
    p, q = says(first, MetricLeq), says(second, MetricLeq)
    if p.right != q.left:
        raise KernelError("the metrics in the middle differ")
    return MetricLeq(p.left, q.right)


# Maps, composition, post-processing.


@rule("GB24.III.6")
def preprocess(private: Theorem, arrow: Arrow) -> Statement:
    """A mechanism behind a map sees the distance of the images.

    M: n, g@d
    ------------------
    M o f: n, g@(d o f)

    With :func:`metric_of_sensitivity`, :func:`weaken_metric` and :func:`rescale_guarantee` this is
    the theorem with the sensitivity of f.  Source: GB24.III.6.
    Raises: KernelError unless f ends where M starts, and for other losses.
    """
    p = says(private, Private)
    if not isinstance(p.loss, At):
        raise KernelError("a guarantee at a metric is needed")
    loss = At(p.loss.guarantee, Pullback(p.loss.metric, arrow))
    return Private(After(p.mechanism, arrow), p.notion, loss, p.where)


@rule("GB24.V.2, VI.4, VI.13, VI.21")
def run_adaptively(parts: tuple[Theorem, ...]) -> Statement:
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
    ps = [says(p, Private) for p in parts]
    if not ps:
        raise KernelError("nothing is composed")
    if any(p.notion != ps[0].notion for p in ps):
        raise KernelError("the parts speak of different notions")
    if open_sizes(tuple(x for p in ps for x in (p.mechanism, p.loss))):
        raise KernelError("a part belongs to one block of a family: compose the family first")
    mechanism = Adaptive(tuple(p.mechanism for p in ps))
    loss = Joint(tuple(p.loss for p in ps))
    return Private(mechanism, ps[0].notion, loss, intersection(*(p.where for p in ps)))


@rule("GB24.V.2, VI.4, VI.13, VI.21")
def run_family(part: Theorem, sizes: Sizes) -> Statement:
    """Adaptive composition over the blocks of a family, by induction on their number.

    M[i]: n, L[i]     (for every block i)
    --------------------------------------
    (M[i])_i: n, all L[i] together

    Base: one block.  Step: the mechanisms of the first j blocks, and that of block j + 1, are
    composed as two mechanisms.  Source: GB24.V.2, VI.4, VI.13, VI.21.
    Raises: KernelError unless all mechanisms start from one domain and the family has these sizes.
    """
    p = says(part, Private)
    if not sizes:
        raise KernelError("a family has sizes")
    return Private(EachAdaptive(sizes, p.mechanism), p.notion, EachJoint(sizes, p.loss), p.where)


@rule("GB24.VII.1")
def postprocess(private: Theorem, by: str) -> Statement:
    """Nothing is lost by computing from the output.

    M: n, L
    ----------
    h(M): n, L

    Source: GB24.VII.1 (by preimages of events: E6).
    """
    p = says(private, Private)
    return Private(Processed(p.mechanism, by), p.notion, p.loss, p.where)


def push_metric(relation: Relation, arrow: Arrow) -> Metric:
    """Return the canonical metric of the pushforward, pulled back along the map."""
    return Pullback(Canonical(Push(relation, arrow), ends(arrow)[1]), arrow)


@rule("N2")
def pushforward(private: Theorem, dependent: Theorem) -> Statement:
    """A mechanism that depends only on f: the common domain as a separate one.

    M: n, g@G     M depends only on f          M: n, g@d     M depends only on f
    -----------------------------------        ---------------------------------
    M: n, g@(d of pushforward(G, f)) o f       M: n, g@(quotient of d by f) o f

    Argument: the law of M at a database is that of M* at its image; every step of the pushforward
    (a link of a chain of the quotient) is a step between databases with these images; guarantees
    add up along a path as they scale (group privacy).
    Source: N2 (for GB24.IV.11, V.5, VI.7, VI.14, VI.22).
    Raises: KernelError unless both premises speak of one mechanism, and for an infinite guarantee
    at a metric, where an infimum of 0 need not be attained.
    """
    p, q = says(private, Private), says(dependent, Dependent)
    if p.mechanism != q.mechanism:
        raise KernelError("the premises speak of different mechanisms")
    match p.loss:
        case Neighbouring(relation, _, guarantee):
            metric = push_metric(relation, q.map)
        case At(guarantee, of) if Inf() not in guarantee:
            metric = Pullback(Quotient(of, q.map), q.map)
        case _:
            raise KernelError("a finite guarantee at a metric, or between neighbours, is needed")
    return Private(p.mechanism, p.notion, At(guarantee, metric), p.where)


# From distances to one bound.


def _leaves(loss: Loss, sizes: Sizes) -> list[tuple[Sizes, Loss]]:
    """Return the parts of a loss, each with the family it belongs to."""
    if isinstance(loss, Joint):
        return [leaf for item in loss.items for leaf in _leaves(item, sizes)]
    if isinstance(loss, EachJoint) and sizes == ():
        return _leaves(loss.item, loss.sizes)
    return [(sizes, loss)]


def _metric(loss: Loss) -> Metric:
    while isinstance(loss, Converted):
        loss = loss.of
    if not isinstance(loss, At):
        raise KernelError("the parts must have guarantees at metrics, composed at most once")
    return loss.metric


def _coordinates(notion: str, loss: Loss, r: Expr) -> tuple[Expr, ...]:
    """Return what a part adds to the sums of a notion, at distance r."""
    if r in {ZERO, Inf()}:
        return (r,) * NOTIONS[notion]
    if isinstance(loss, Converted):
        return converted(loss.source, notion, _coordinates(loss.source, loss.of, r), loss.chosen)
    return scale(notion, loss.guarantee, r) if isinstance(loss, At) else (Inf(),)


def _vector(problem: Problem, vector: Vector, notion: str, loss: Loss) -> tuple[Expr, ...]:
    """Return, for each parameter, the largest total of one vector (of squares for gaussian)."""
    found: list[tuple[View, Loss]] = []
    for sizes, leaf in _leaves(loss, ()):
        metric = _metric(leaf)
        views = [v for v in problem.views if v.sizes == sizes and v.seen == metric]
        if not views:
            raise KernelError(f"the problem does not say what is at distance {metric.text()}")
        found.append((views[0], leaf))
    choices: dict[str, list[tuple[Expr, list[tuple[Expr, ...]]]]] = {}
    for group in vector.groups:
        parts = sorted(v.part for v in problem.views if v.map == group.map)
        if not parts or parts != sorted(s.part for s in group.distances):
            raise KernelError(f"a vector must list every part of the map {group.map} once")
        at = {s.part: s.distance for s in group.distances}
        if any(not is_finite(e) and e != Inf() for e in (group.count, *at.values())):
            raise KernelError("distances and counts are made of numbers and sizes")
        terms = [_coordinates(notion, x, at[v.part]) for v, x in found if v.map == group.map]
        if notion == "gaussian":
            terms = [tuple(e if e in {ZERO, Inf()} else times(e, e) for e in t) for t in terms]
        choices.setdefault(group.map, []).append((group.count, terms))
    sizes_of = {v.map: v.sizes for v in problem.views}
    totals: list[Expr] = []
    for n in range(NOTIONS[notion]):
        blocks = [
            (name, tuple(Choice(c, plus(tuple(t[n] for t in ts))) for c, ts in groups))
            for name, groups in choices.items()
        ]
        if any(t[n] == Inf() for groups in choices.values() for _, ts in groups for t in ts):
            totals.append(Inf())
        else:
            totals.append(plus(tuple(_largest(sizes_of[name], cs) for name, cs in blocks)))
    return tuple(totals)


def _largest(sizes: Sizes, choices: tuple[Choice, ...]) -> Expr:
    kept = tuple(c for c in choices if c.value != ZERO)
    if sizes and kept:
        return Worst(sizes, kept)
    return _maximum(tuple(c.value for c in kept))


def _maximum(values: tuple[Expr, ...]) -> Expr:
    kept = tuple(dict.fromkeys(v for v in values if v != ZERO))
    if Inf() in kept:
        return Inf()
    return kept[0] if len(kept) == 1 else Max(kept) if kept else ZERO


@rule("GB24s.III.1")
def maximum_over_neighbours(private: Theorem, profile: Theorem) -> Statement:
    """The guarantee of a composition is the worst over what neighbours can do to its parts.

    M: n, all g_p@d_p together     G-neighbours are at distances (r_p) <= some vector v
    ------------------------------------------------------------------------------------
    M: n, max over v of (combination of scale(g_p, v_p))@G

    A vector names numbers of different blocks; the worst choice of blocks is a :class:`Worst`.
    Each parameter is maximized on its own.  Combining and scaling are monotone, so that upper
    bounds of distances suffice; distance 0 adds nothing and distance infinity leaves no guarantee,
    for every g.  Converted parts are scaled first.
    Source: GB24s.III.1, with E7.  Raises: KernelError if a part's metric is not one that the
    problem names, if a vector leaves out a part, or if there are no vectors (vacuous).
    """
    p, q = says(private, Private), says(profile, ProfileFact)
    if not q.vectors:
        raise KernelError("there are no two different neighbours: nothing is bounded")
    if domain_of(p.mechanism) != q.problem.domain:
        raise KernelError("the problem is about another domain")
    totals = [_vector(q.problem, v, p.notion, p.loss) for v in q.vectors]
    guarantee = tuple(_maximum(tuple(t[n] for t in totals)) for n in range(NOTIONS[p.notion]))
    if p.notion == "gaussian":
        guarantee = tuple(g if g in {ZERO, Inf()} else Sqrt(g) for g in guarantee)
    loss = Neighbouring(q.problem.relation, q.problem.domain, guarantee)
    return Private(p.mechanism, p.notion, loss, intersection(p.where, q.where))


@rule("GB24.IV.6, V.4, VI.6, VI.16, VI.26")
def change_guarantee(private: Theorem, leqs: tuple[Theorem, ...]) -> Statement:
    """A larger guarantee asks for less.

    M: n, (g_1, ...)@G     g_1 <= h_1   ...
    ----------------------------------------
    M: n, (h_1, ...)@G

    Source: monotony of the notions.  Raises: KernelError unless there is one inequality for each
    parameter, in order, and it starts from that parameter.
    """
    p, qs = says(private, Private), [says(q, BoundLeq) for q in leqs]
    if not isinstance(p.loss, Neighbouring):
        raise KernelError("a guarantee between neighbours is needed")
    if tuple(q.left for q in qs) != p.loss.guarantee:
        raise KernelError("the inequalities start from other guarantees")
    loss = Neighbouring(p.loss.relation, p.loss.domain, tuple(q.right for q in qs))
    return Private(p.mechanism, p.notion, loss, intersection(p.where, *(q.where for q in qs)))


@rule("conversions")
def convert(private: Theorem, target: str, chosen: tuple[Expr, ...] = ()) -> Statement:
    """A guarantee in the units of another notion, pair by pair (so: scaled before converted).

    M: n, L
    -------------------------
    M: n', L converted from n

    pure -> approximate: (eps, 0); pure -> zcdp: eps^2/2; pure -> gaussian: 2 Phi^-1(q/(1+q)) with
    q = e^eps, exact; gaussian -> zcdp: mu^2/2.  One point of a curve, with a parameter ``chosen``
    freely, the same for all pairs: zcdp -> approximate: (zcdp_epsilon(rho, delta), delta) at a
    delta; gaussian -> approximate: (eps, gaussian_delta(mu, eps)) at an eps, exact.  Between
    neighbours the result is written out.
    Source: definition; Bun, Steinke 2016, Prop. 1.4; the trade-off curve of eps-DP touches that
    of N(0,1) against N(mu,1) at its kink; Renyi divergence of Gaussians; Bun, Steinke 2016,
    Prop. 1.3; Dong, Roth, Su 2019, Cor. 2.13.
    The second and the third need both directions: P uniform on [0, 1/q] and Q on [0, 1] lose eps at
    every Renyi order.  Raises: KernelError for other pairs of notions, for these two if the loss
    speaks of a one-sided granularity, for a wrong number of chosen parameters, and if one belongs
    to a block of a family that the loss does not speak of.
    """
    p = says(private, Private)
    if (p.notion, target) not in CONVERSIONS:
        raise KernelError(f"no conversion from {p.notion} to {target}")
    both_ways = p.notion == "pure" and target != "approximate"
    if both_ways and any(isinstance(x, OneSided) for x in subterms(p.loss)):
        raise KernelError(f"a one-sided guarantee does not convert to {target}")
    if not open_sizes(chosen) <= open_sizes(p.loss):
        raise KernelError("a chosen parameter depends on a block that the loss does not speak of")
    loss: Loss = Converted(p.notion, p.loss, chosen)
    if isinstance(p.loss, Neighbouring):
        g = converted(p.notion, target, p.loss.guarantee, chosen)
        loss = Neighbouring(p.loss.relation, p.loss.domain, g)
    return Private(p.mechanism, target, loss, p.where)


# Ranges of sizes.


@rule("")
def restrict(theorem: Theorem, where: Where) -> Statement:
    """What holds for a box of sizes holds for a smaller one.

    S, for all sizes of B
    -------------------------
    S, for all sizes of B & C

    Source: logic.  Raises: KernelError if nothing is left.
    """
    s = says(theorem, Statement)
    if isinstance(s, Private):
        return Private(s.mechanism, s.notion, s.loss, intersection(s.where, where))
    if isinstance(s, BoundLeq):
        return BoundLeq(s.left, s.right, intersection(s.where, where))
    q = says(theorem, ProfileFact)
    return ProfileFact(q.problem, intersection(q.where, where), q.vectors)


def _covers(boxes: tuple[Where, ...], within: Where) -> bool:
    """Return whether every choice of sizes in ``within`` lies in some box.

    Between two neighbouring marks nothing changes, so that one choice of each kind is enough.
    """
    ranges = {r.symbol: Range(r.symbol, 1, None) for box in boxes for r in box}
    ranges |= {r.symbol: r for r in within}
    edges = [r for box in (*boxes, within) for r in box]
    marks = {1} | {r.low for r in edges} | {r.high + 1 for r in edges if r.high is not None}

    def lies(n: int, r: Range) -> bool:
        return r.low <= n and (r.high is None or n <= r.high)

    points = [[(r.symbol, n) for n in sorted(marks) if lies(n, r)] for r in ranges.values()]
    return all(
        any(all(lies(at[r.symbol], r) for r in box) for box in boxes)
        for at in map(dict, product(*points))
    )


@rule("")
def cover_cases(cases: tuple[Theorem, ...], within: Where) -> Statement:
    """Cases by ranges of sizes that cover all sizes of a box.

    M: n, g_1@G, for B_1    M: n, g_2@G, for B_2   ...     B is inside B_1 | B_2 | ...
    -----------------------------------------------------------------------------------
    M: n, (g_1 for B_1; g_2 for B_2; ...)@G, for B

    With equal guarantees the result is that guarantee.  Source: logic.
    Raises: KernelError if a choice of sizes is not covered, and for different mechanisms.
    """
    ps = [says(c, Private) for c in cases]
    if not _covers(tuple(p.where for p in ps), intersection(within)):
        raise KernelError("some sizes are not covered")
    losses = [p.loss for p in ps if isinstance(p.loss, Neighbouring)]
    subjects = {(p.mechanism, p.notion) for p in ps}
    neighbours = {(x.relation, x.domain) for x in losses}
    if len(losses) < len(ps) or len(subjects) > 1 or len(neighbours) > 1:
        raise KernelError("the cases speak of different mechanisms, notions or neighbours")
    guarantee = losses[0].guarantee
    if any(x.guarantee != guarantee for x in losses):
        rows = [(p.where, x.guarantee) for p, x in zip(ps, losses, strict=True)]
        guarantee = tuple(
            Cases(tuple(Case(where, g[n]) for where, g in rows)) for n in range(len(guarantee))
        )
    loss = Neighbouring(losses[0].relation, losses[0].domain, guarantee)
    return Private(ps[0].mechanism, ps[0].notion, loss, intersection(within))
