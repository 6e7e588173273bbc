"""Rules of privacy and of metrics: from guarantees of the parts to those of the composition."""

from __future__ import annotations

from typing import Any

from dpcomp_sym.replay.algebra import (
    INF,
    ZERO,
    is_finite,
)
from dpcomp_sym.replay.notions import CONVERSIONS, converted, meaning, scaled, times, walked
from dpcomp_sym.replay.rules.base import STRUCTURE, Nodes, box, covered, greatest, plus, rule, says
from dpcomp_sym.replay.rules.inequalities import inner
from dpcomp_sym.replay.terms import (
    NOTIONS,
    Node,
    domain_of,
    ends,
    make,
    need,
    open_sizes,
)

# ------------------------------------------------------------- leaves

__all__ = ["pushed"]


@rule("statement:Statement tag:text")
def given(statement: Node, tag: str) -> Node:
    need(statement[0] in {"Private", "Dependent"}, "only guarantees of parts are given")
    need(statement[0] != "Private" or statement[-1] == (), "a guarantee is given for all sizes")
    del tag
    return statement


@rule("statement:Statement kind:text tag:text")
def oracle(statement: Node, kind: str, tag: str) -> Node:
    need(statement[0] in STRUCTURE, "an oracle is only about structure")
    need(kind in {"smt", "witness", "finite"} and bool(tag), "no kind of evidence")
    return statement


# ------------------------------------------------------------- metrics


@rule("private:|-")
def everywhere(private: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    relation, domain, guarantee = says(loss, "Neighbouring")
    metric = make("Canonical", relation, domain)
    return make("Private", mechanism, notion, make("At", guarantee, metric), where)


@rule("private:|-")
def between_neighbours(private: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    guarantee, metric = says(loss, "At")
    loss = make("Neighbouring", *says(metric, "Canonical"), guarantee)
    return make("Private", mechanism, notion, loss, where)


@rule("private:|- leq:|-")
def weaken_metric(private: Node, leq: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    guarantee, metric = says(loss, "At")
    left, right = says(leq, "MetricLeq")
    need(metric == left, "the inequality starts from another metric")
    return make("Private", mechanism, notion, make("At", guarantee, right), where)


@rule("private:|-")
def rescale_guarantee(private: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    guarantee, metric = says(loss, "At")
    by, of = says(metric, "Rescaled")
    need(is_finite(by), "the factor must be finite")
    return make("Private", mechanism, notion, make("At", scaled(notion, guarantee, by), of), where)


@rule("sensitive:|-")
def metric_of_sensitivity(sensitive: Node) -> Node:
    arrow, bound, source, target = says(sensitive, "Sensitive")
    return make("MetricLeq", make("Pullback", target, arrow), make("Rescaled", bound, source))


@rule("leq:|- arrow:Arrow")
def pull_back_leq(leq: Node, arrow: Node) -> Node:
    return make("MetricLeq", *(make("Pullback", m, arrow) for m in says(leq, "MetricLeq")))


@rule("leq:|- by:Expr")
def rescale_leq(leq: Node, by: Node) -> Node:
    need(not open_sizes(by), "the factor depends on a block")
    return make("MetricLeq", *(make("Rescaled", by, m) for m in says(leq, "MetricLeq")))


@rule("first:|- second:|-")
def transitive_leq(first: Node, second: Node) -> Node:
    (left, middle), (again, right) = says(first, "MetricLeq"), says(second, "MetricLeq")
    need(middle == again, "the metrics in the middle differ")
    return make("MetricLeq", left, right)


# ------------------------------------------------------------- mechanisms


@rule("private:|- arrow:Arrow")
def preprocess(private: Node, arrow: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    need(loss[0] in {"At", "Stepwise"}, "a guarantee at a metric is needed")
    *kept, metric = loss
    loss = make(*kept, make("Pullback", metric, arrow))
    return make("Private", make("After", mechanism, arrow), notion, loss, where)


@rule("parts:|-*")
def run_adaptively(parts: Nodes) -> Node:
    rows = [says(p, "Private") for p in parts]
    need(bool(rows), "nothing is composed")
    need(len({r[1] for r in rows}) == 1, "the parts are about different notions")
    need(not open_sizes(*(x for r in rows for x in (r[0], r[2]))), "a part belongs to one block")
    mechanism = make("Adaptive", tuple(r[0] for r in rows))
    loss = make("Joint", tuple(r[2] for r in rows))
    return make("Private", mechanism, rows[0][1], loss, box(*(r[3] for r in rows)))


@rule("part:|- sizes:sizes")
def run_family(part: Node, sizes: tuple[Any, ...]) -> Node:
    mechanism, notion, loss, where = says(part, "Private")
    need(bool(sizes), "a family has sizes")
    mechanism = make("EachAdaptive", sizes, mechanism)
    return make("Private", mechanism, notion, make("EachJoint", sizes, loss), where)


@rule("private:|- by:text")
def postprocess(private: Node, by: str) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    return make("Private", make("Processed", mechanism, by), notion, loss, where)


def pushed(relation: Node, arrow: Node) -> Node:
    """Return the metric of the pushforward along a map, pulled back."""
    metric = make("Canonical", make("Push", relation, arrow), ends(arrow)[1])
    return make("Pullback", metric, arrow)


@rule("private:|- dependent:|-")
def pushforward(private: Node, dependent: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    other, arrow = says(dependent, "Dependent")
    need(mechanism == other, "the premises are about different mechanisms")
    if loss[0] == "Neighbouring":
        relation, _, guarantee = loss[1:]
        metric = pushed(relation, arrow)
    else:
        guarantee, of = says(loss, "At")
        finite = all(is_finite(g, "Param", "Entry", "EntryOf") for g in guarantee)
        need(finite, "a guarantee that stays finite is needed")
        metric = make("Pullback", make("Quotient", of, arrow), arrow)
    return make("Private", mechanism, notion, make("At", guarantee, metric), where)


# ------------------------------------------------------------- from distances to one bound


def leaves(loss: Node, sizes: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Node]]:
    """Return the parts of a loss, each with its family."""
    if loss[0] == "Joint":
        return [leaf for item in loss[1] for leaf in leaves(item, sizes)]
    if loss[0] == "EachJoint" and not sizes:
        return leaves(loss[2], loss[1])
    return [(sizes, loss)]


def seen_by(loss: Node) -> Node:
    """Return the metric at which a part is guaranteed."""
    if loss[0] == "Converted":
        return seen_by(loss[2])
    metric: Node = loss[3] if loss[0] == "Stepwise" else says(loss, "At")[1]
    return metric


def amounts(notion: str, loss: Node, r: Node) -> Nodes:
    """Return what a part adds to the sums of a notion at distance r."""
    if r in (ZERO, INF):
        return (r,) * NOTIONS[notion]
    if loss[0] == "Converted":
        return converted(loss[1], notion, amounts(loss[1], loss[2], r), loss[3])
    if loss[0] == "Stepwise":
        return walked(loss[1], notion, loss[2], r)
    return scaled(notion, loss[1], r)


def readers(problem: Node, loss: Node) -> list[tuple[Node, Node]]:
    """Return the views of a problem, each with the loss of the part that it belongs to."""
    found = []
    for sizes, leaf in leaves(loss):
        metric = seen_by(leaf)
        fitting = [v for v in problem[4] if v[3] == sizes and v[4] == metric]
        need(bool(fitting), "the problem does not say what is at this distance")
        found.append((fitting[0], leaf))
    return found


def amounts_in(
    found: list[tuple[Node, Node]], name: str, distances: Nodes, notion: str
) -> list[Nodes]:
    """Return what each part adds in one block of a map, seen at these distances."""
    at = {part: r for _, part, r in distances}
    good = all(is_finite(e) or e == INF or e[0] == "Amount" for e in at.values())
    need(good, "no distance")
    terms = [amounts(notion, leaf, at[v[1]]) for v, leaf in found if v[2] == name]
    if meaning(notion).rooted:
        terms = [tuple(e if e in (ZERO, INF) else times(e, e) for e in t) for t in terms]
    return terms


def total_together(problem: Node, way: Node, notion: str, loss: Node) -> list[Node]:
    """Return the largest total of blocks that change together, for each parameter."""
    _, free, facts, families = way
    found, sizes = readers(problem, loss), {v[2]: v[3] for v in problem[4]}
    rows = [(f, amounts_in(found, f[1], f[3], notion)) for f in families]
    result = []
    for n in range(NOTIONS[notion]):
        values = [(f, [t[n] for t in terms]) for f, terms in rows]
        if any(INF in each for _, each in values):
            result.append(INF)
            continue
        sums = [
            make("SumOver", sizes[f[1]], f[4], f[2], plus(each))
            for f, each in values
            if plus(each) != ZERO
        ]
        result.append(make("MaxOver", free, facts, plus(sums)) if sums else ZERO)
    return result


def totals(problem: Node, vector: Node, notion: str, loss: Node) -> list[Node]:
    """Return the largest total of one vector for each parameter, of squares if these add up."""
    if vector[0] == "BlockPattern":
        return total_together(problem, vector, notion, loss)
    if vector[0] == "Several":
        each = total_together(problem, vector[2], notion, loss)
        return [make("Coverage", vector[1], x) if x[0] == "MaxOver" else x for x in each]
    views = problem[4]
    found = readers(problem, loss)
    by_map: dict[tuple[str, Any], list[tuple[Node, list[Nodes]]]] = {}
    for _, name, count, distances, block, wide in vector[1]:
        terms = amounts_in(found, name, distances, notion)
        mine = [leaf for v, leaf in found if v[2] == name]
        split = wide is None or all(shrinks(notion, leaf) for leaf in mine)
        if block:
            terms = [tuple(of_block(e, block) for e in t) for t in terms]
        by_map.setdefault((name, block), []).append((count if split else wide, terms))
    sizes_of = {v[2]: v[3] for v in views}
    result = []
    for n in range(NOTIONS[notion]):
        if any(t[n] == INF for groups in by_map.values() for _, ts in groups for t in ts):
            result.append(INF)
            continue
        sums = []
        for (name, block), groups in by_map.items():
            choices = [(count, plus([t[n] for t in ts])) for count, ts in groups]
            kept = tuple(make("Choice", c, v) for c, v in choices if v != ZERO)
            if kept and sizes_of[name] and not block:
                sums.append(make("Worst", sizes_of[name], kept))
            else:
                sums.append(greatest([c[2] for c in kept]))
        result.append(plus(sums))
    return result


def at_worst(way: Node, notion: str, loss: Node) -> Nodes:
    """Return vectors of which one loses at least what a way to differ does."""
    if way[0] != "MeanOf":
        return (way,)
    vectors: Nodes = way[1]
    within: Nodes = way[2]
    return vectors if all(shrinks(notion, leaf) for _, leaf in leaves(loss)) else within


def shrinks(notion: str, loss: Node) -> bool:
    """Return whether a fraction of a distance costs at most this fraction of what it costs."""
    if loss[0] not in {"Converted", "Stepwise"}:
        return meaning(notion).straight and bool(loss[0] == "At")
    conversion = CONVERSIONS.get((loss[1], notion))
    if conversion is None:
        return False
    if loss[0] == "Stepwise":
        return conversion.steps_straight
    return conversion.straight and bool(loss[2][0] == "At")


def of_block(e: Node, block: tuple[int, ...]) -> Node:
    """Return a statement about the block at hand as one about the block with this number."""
    match e:
        case ("Entry", name, sizes):
            return make("EntryOf", name, sizes, block)
        case ("Sum" | "Product" | "Max" as kind, items):
            return make(kind, tuple(of_block(x, block) for x in items))
        case ("Sqrt", of):
            return make("Sqrt", of_block(of, block))
        case ("Apply", name, items):
            return make("Apply", name, tuple(of_block(x, block) for x in items))
        case _:
            need(not open_sizes(e), "the guarantee of a block is needed")
            return e


@rule("private:|- profile:|-")
def maximum_over_neighbours(private: Node, profile: Node) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    problem, within, vectors = says(profile, "ProfileFact")
    need(bool(vectors), "there are no two different neighbours")
    need(domain_of(mechanism) == problem[1], "the problem is about another domain")
    rows = [totals(problem, v, notion, loss) for w in vectors for v in at_worst(w, notion, loss)]
    guarantee = tuple(greatest(column) for column in zip(*rows, strict=True))
    if meaning(notion).rooted:
        guarantee = tuple(g if g in (ZERO, INF) else make("Sqrt", g) for g in guarantee)
    loss = make("Neighbouring", problem[2], problem[1], guarantee)
    return make("Private", mechanism, notion, loss, box(where, within))


@rule("private:|- leqs:|-*")
def change_guarantee(private: Node, leqs: Nodes) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    relation, domain, guarantee = says(loss, "Neighbouring")
    rows = [says(q, "BoundLeq") for q in leqs]
    need(tuple(r[0] for r in rows) == guarantee, "the inequalities start from other guarantees")
    loss = make("Neighbouring", relation, domain, tuple(r[1] for r in rows))
    return make("Private", mechanism, notion, loss, box(where, *(r[2] for r in rows)))


def has_steps(loss: Node) -> bool:
    """Return whether a guarantee holds for all steps of a path, wherever the path leads."""
    match loss:
        case ("At", _, ("Canonical", _, _)):
            return True
        case ("At", _, ("Pullback", ("Canonical", ("Push", _, pushed_by), _), arrow)):
            return bool(pushed_by == arrow)
        case _:
            return False


@rule("private:|- target:text chosen:Expr*")
def convert(private: Node, target: str, chosen: Nodes) -> Node:
    mechanism, notion, loss, where = says(private, "Private")
    need((notion, target) in CONVERSIONS, f"no conversion from {notion} to {target}")
    if CONVERSIONS[notion, target].both_ways:
        need(all(x[0] != "OneSided" for x in inner(loss)), "a one-sided guarantee is converted")
    need(open_sizes(*chosen) <= open_sizes(loss), "a chosen parameter belongs to another family")
    if loss[0] == "Neighbouring":
        relation, domain, guarantee = loss[1:]
        pair = converted(notion, target, guarantee, chosen)
        loss = make("Neighbouring", relation, domain, pair)
    elif CONVERSIONS[notion, target].steps is not None and has_steps(loss):
        need(chosen == (), "nothing is chosen along a path")
        loss = make("Stepwise", notion, *says(loss, "At"))
    else:
        loss = make("Converted", notion, loss, chosen)
    return make("Private", mechanism, target, loss, where)


# ------------------------------------------------------------- ranges of sizes


@rule("theorem:|- where:Range*")
def restrict(theorem: Node, where: Nodes) -> Node:
    if theorem[0] in {"Private", "BoundLeq"}:
        return make(*theorem[:-1], box(theorem[-1], where))
    problem, within, vectors = says(theorem, "ProfileFact")
    return make("ProfileFact", problem, box(within, where), vectors)


@rule("cases:|-* within:Range*")
def cover_cases(cases: Nodes, within: Nodes) -> Node:
    rows = [says(c, "Private") for c in cases]
    need(bool(rows) and covered([r[3] for r in rows], box(within)), "some sizes are not covered")
    losses = [says(r[2], "Neighbouring") for r in rows]
    first, loss = rows[0], losses[0]
    need(all(r[:2] == first[:2] for r in rows), "the cases are about different mechanisms")
    need(all(x[:2] == loss[:2] for x in losses), "the cases are about different neighbours")
    guarantee = loss[2]
    if any(x[2] != guarantee for x in losses):
        guarantee = tuple(
            make(
                "Cases",
                tuple(make("Case", r[3], x[2][n]) for r, x in zip(rows, losses, strict=True)),
            )
            for n in range(len(guarantee))
        )
    return make("Private", *first[:2], make("Neighbouring", *loss[:2], guarantee), box(within))
