"""The rules once more: from the statements of the premises to that of the conclusion.

A rule is entered with the types of its arguments; ``|-`` is a premise.  What a rule says, why it
holds and where it is published stands with the rule of the same name in the kernel.  The code here
is another one, so that a mistake in either shows as a disagreement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any, Final, TypeVar

from dpcomp_sym.replay.algebra import (
    INF,
    ONE,
    ZERO,
    at_most,
    dominated,
    is_finite,
    most_blocks,
    num,
    polynomial,
    same,
    whole,
)
from dpcomp_sym.replay.notions import CONVERSIONS, converted, meaning, scaled, times
from dpcomp_sym.replay.terms import (
    NOTIONS,
    Node,
    RejectedError,
    domain_of,
    ends,
    fields_of,
    is_integer,
    make,
    need,
    open_sizes,
)

__all__ = ["LEAVES", "RULES", "below"]

T = TypeVar("T")
Rule = tuple[tuple[tuple[str, str], ...], Callable[..., Node]]
Nodes = tuple[Node, ...]

RULES: Final[dict[str, Rule]] = {}
LEAVES: Final = frozenset({"given", "oracle"})
STRUCTURE: Final = frozenset(
    {
        "MetricLeq",
        "Sensitive",
        "Compatible",
        "ProfileFact",
        "BlockDistance",
        "TouchCount",
        "Infeasible",
        "ChangedTogether",
        "Together",
        "Shares",
        "Restricted",
    }
)
MOST_CASES: Final = 100_000
MOST_SPLIT: Final = 8
MOST_WAYS: Final = 2500


def rule(signature: str) -> Callable[[Callable[..., Node]], Callable[..., Node]]:
    """Enter a rule under its name; ``signature`` is ``"name:type …"``."""

    def enter(function: Callable[..., Node]) -> Callable[..., Node]:
        arguments = tuple((a.split(":")[0], a.split(":")[1]) for a in signature.split())
        RULES[function.__name__] = (arguments, function)
        return function

    return enter


def says(node: Node, name: str) -> Any:
    """Return the fields of a term that must be of this name."""
    need(node[0] == name, f"{name} is needed, not {node[0]}")
    return node[1:]


def few(items: Iterable[T], most: int = MOST_CASES) -> Iterator[T]:
    """Yield the items; reject if there are too many."""
    for number, item in enumerate(items):
        need(number < most, "too many cases")
        yield item


def box(*ranges: Nodes) -> Nodes:
    """Return the intersection of boxes of sizes, in the order of the symbols."""
    found: dict[str, tuple[int, int | None]] = {}
    for _, symbol, low, high in chain.from_iterable(ranges):
        old_low, old_high = found.get(symbol, (1, None))
        tops = [h for h in (old_high, high) if h is not None]
        found[symbol] = (max(old_low, low), min(tops) if tops else None)
    return tuple(make("Range", s, *found[s]) for s in sorted(found))


# ------------------------------------------------------------- small expressions


def plus(items: Sequence[Node]) -> Node:
    kept = tuple(x for x in items if x != ZERO)
    return kept[0] if len(kept) == 1 else make("Sum", kept) if kept else ZERO


def greatest(items: Sequence[Node]) -> Node:
    kept = tuple(dict.fromkeys(x for x in items if x != ZERO))
    if INF in kept:
        return INF
    return kept[0] if len(kept) == 1 else make("Max", kept) if kept else ZERO


# ------------------------------------------------------------- leaves


@rule("statement:Statement tag:text")
def given(statement: Node, tag: str) -> Node:
    need(statement[0] in {"Private", "Dependent"}, "only guarantees of parts are given")
    need(statement[0] != "Private" or statement[-1] == (), "a guarantee is given for all sizes")
    del tag
    return statement


@rule("statement:Statement kind:text tag:text")
def oracle(statement: Node, kind: str, tag: str) -> Node:
    need(statement[0] in STRUCTURE, "an oracle only speaks of structure")
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
    guarantee, metric = says(loss, "At")
    loss = make("At", guarantee, make("Pullback", metric, arrow))
    return make("Private", make("After", mechanism, arrow), notion, loss, where)


@rule("parts:|-*")
def run_adaptively(parts: Nodes) -> Node:
    rows = [says(p, "Private") for p in parts]
    need(bool(rows), "nothing is composed")
    need(len({r[1] for r in rows}) == 1, "the parts speak of different notions")
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
    need(mechanism == other, "the premises speak of different mechanisms")
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
    return says(loss, "At")[1] if loss[0] != "Converted" else seen_by(loss[2])


def amounts(notion: str, loss: Node, r: Node) -> Nodes:
    """Return what a part adds to the sums of a notion at distance r."""
    if r in (ZERO, INF):
        return (r,) * NOTIONS[notion]
    if loss[0] == "Converted":
        return converted(loss[1], notion, amounts(loss[1], loss[2], r), loss[3])
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


def shrinks(notion: str, loss: Node) -> bool:
    """Return whether a fraction of a distance costs at most this fraction of what it costs."""
    if loss[0] != "Converted":
        return meaning(notion).straight and bool(loss[0] == "At")
    conversion = CONVERSIONS.get((loss[1], notion))
    return conversion is not None and conversion.straight and loss[2][0] == "At"


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
    rows = [totals(problem, v, notion, loss) for v in vectors]
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


def within_range(value: int, low: int, high: int | None) -> bool:
    return low <= value and (high is None or value <= high)


def covered(boxes: Sequence[Nodes], within: Nodes) -> bool:
    """Return whether every choice of sizes in a box lies in one of the boxes."""
    domain: dict[str, tuple[int, int | None]] = {
        symbol: (1, None) for each in boxes for _, symbol, _, _ in each
    }
    domain.update({symbol: (low, high) for _, symbol, low, high in within})
    corners = []
    for symbol, (low, high) in domain.items():
        marks = {low}
        for _, name, start, end in chain.from_iterable(boxes):
            if name == symbol:
                marks |= {start} if end is None else {start, end + 1}
        corners.append([(symbol, m) for m in sorted(marks) if within_range(m, low, high)])
    return all(
        any(all(within_range(at[s], low, high) for _, s, low, high in each) for each in boxes)
        for at in map(dict, few(product(*corners)))
    )


@rule("cases:|-* within:Range*")
def cover_cases(cases: Nodes, within: Nodes) -> Node:
    rows = [says(c, "Private") for c in cases]
    need(bool(rows) and covered([r[3] for r in rows], box(within)), "some sizes are not covered")
    losses = [says(r[2], "Neighbouring") for r in rows]
    first, loss = rows[0], losses[0]
    need(all(r[:2] == first[:2] for r in rows), "the cases speak of different mechanisms")
    need(all(x[:2] == loss[:2] for x in losses), "the cases speak of different neighbours")
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


# ------------------------------------------------------------- inequalities


@rule("left:Expr right:Expr where:Range*")
def bounded_polynomial(left: Node, right: Node, where: Nodes) -> Node:
    holds = right == INF or dominated(polynomial(left), polynomial(right))
    need(holds, "a coefficient is larger")
    return make("BoundLeq", left, right, box(where))


@rule("first:|- second:|-")
def transitive(first: Node, second: Node) -> Node:
    (a, b, here), (c, d, there) = says(first, "BoundLeq"), says(second, "BoundLeq")
    need(same(b, c), "the middle terms differ")
    return make("BoundLeq", a, d, box(here, there))


@rule("leqs:|-*")
def maximum(leqs: Nodes) -> Node:
    rows = [says(q, "BoundLeq") for q in leqs]
    need(bool(rows) and all(r[1] == rows[0][1] for r in rows), "different right sides")
    left = make("Max", tuple(r[0] for r in rows))
    return make("BoundLeq", left, rows[0][1], box(*(r[2] for r in rows)))


@rule("left:Expr right:Expr where:Range*")
def some_item(left: Node, right: Node, where: Nodes) -> Node:
    (items,) = says(right, "Max")
    need(any(same(left, item) for item in items), "the item is not there")
    return make("BoundLeq", left, right, box(where))


@rule("kind:text leqs:|-*")
def monotone(kind: str, leqs: Nodes) -> Node:
    rows = [says(q, "BoundLeq") for q in leqs]
    left, right = tuple(r[0] for r in rows), tuple(r[1] for r in rows)
    where = box(*(r[2] for r in rows))
    lists = {"sum": "Sum", "product": "Product", "max": "Max"}
    if kind in lists:
        return make("BoundLeq", make(lists[kind], left), make(lists[kind], right), where)
    if kind == "sqrt":
        need(len(rows) == 1, "one root")
        return make("BoundLeq", make("Sqrt", left[0]), make("Sqrt", right[0]), where)
    need(kind in {"gdp", "growth"}, "nothing is known of this operation")
    if kind == "growth":
        need(len(rows) == 2 and at_most(ONE, left[1], where), "a distance of at least 1 is needed")
    return make("BoundLeq", make("Apply", kind, left), make("Apply", kind, right), where)


@rule("growth:Expr where:Range*")
def growth_least(growth: Node, where: Nodes) -> Node:
    name, items = says(growth, "Apply")
    need(name == "growth", "a growth is needed")
    need(at_most(ONE, items[1], where), "a distance of at least 1 is needed")
    return make("BoundLeq", items[1], growth, box(where))


@rule("leq:|-")
def root(leq: Node) -> Node:
    left, right, where = says(leq, "BoundLeq")
    (one,), (other,) = says(left, "Product"), says(right, "Product")
    need(len(one) == len(other) == 2 and one[0] == one[1], "squares are needed")
    need(other[0] == other[1], "squares are needed")
    return make("BoundLeq", one[0], other[0], where)


@rule("worst:Expr where:Range*")
def choose(worst: Node, where: Nodes) -> Node:
    _, groups = says(worst, "Worst")
    need(bool(groups) and at_most(ONE, groups[0][1], where), "the first group may be empty")
    return make("BoundLeq", groups[0][2], worst, box(where))


@rule("leq:|- worst:Expr")
def each_block(leq: Node, worst: Node) -> Node:
    left, right, where = says(leq, "BoundLeq")
    _, groups = says(worst, "Worst")
    need(not open_sizes(right), "the right side depends on the block")
    need(groups == (make("Choice", ONE, left),), "one group of count 1 is needed")
    return make("BoundLeq", worst, right, where)


@rule("worst:Expr where:Range*")
def spread(worst: Node, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    everything = tuple(make("Size", s) if isinstance(s, str) else num(s) for s in sizes)
    items = []
    for _, count, value in groups:
        single = make("Worst", sizes, (make("Choice", ONE, value),))
        number = make("Product", everything) if count == INF else count
        items.append(make("Product", (number, single)))
    return make("BoundLeq", worst, make("Sum", tuple(items)), box(where))


@rule("worst:Expr pieces:Expr* times:Expr* where:Range*")
def share(worst: Node, pieces: Nodes, times: Nodes, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    need(len(pieces) == len(times), "one number for each piece is needed")
    places: list[tuple[Node, Node]] = []
    for piece, number in zip(pieces, times, strict=True):
        others, parts = says(piece, "Worst")
        need(others == sizes, "the pieces are of other blocks")
        need(is_integer(number), "a number of pieces is no integer")
        for _, count, value in parts:
            need(count != INF, "a piece has all blocks")
            places.append((value, make("Product", (number, count))))
    for _, _, value in groups:
        wanted = make("Sum", tuple(n for _, n, other in groups if same(other, value)))
        room = make("Sum", tuple(n for other, n in places if same(other, value)))
        need(is_finite(wanted) and at_most(wanted, room, where), "a group has no room")
    items = tuple(make("Product", pair) for pair in zip(times, pieces, strict=True))
    return make("BoundLeq", worst, make("Sum", items), box(where))


@rule("worst:Expr where:Range*")
def squares(worst: Node, where: Nodes) -> Node:
    sizes, groups = says(worst, "Worst")
    doubled = tuple(
        make("Choice", count, make("Product", (value, value))) for _, count, value in groups
    )
    square = make("Product", (worst, worst))
    return make("BoundLeq", make("Worst", sizes, doubled), square, box(where))


def factored(worst: Node, factor: Node, inside: Node) -> Node:
    """Check that a factor stands before all values; return the product."""
    (sizes, groups), (others, rest) = says(worst, "Worst"), says(inside, "Worst")
    need(not open_sizes(factor), "the factor depends on the block")
    need(sizes == others and len(groups) == len(rest), "the choices differ")
    for (_, count, value), (_, again, other) in zip(groups, rest, strict=True):
        holds = count == again and same(value, make("Product", (factor, other)))
        need(holds, "a value is not the factor times the other")
    return make("Product", (factor, inside))


@rule("worst:Expr factor:Expr inside:Expr where:Range*")
def factor_out(worst: Node, factor: Node, inside: Node, where: Nodes) -> Node:
    return make("BoundLeq", worst, factored(worst, factor, inside), box(where))


@rule("worst:Expr factor:Expr inside:Expr where:Range*")
def factor_in(worst: Node, factor: Node, inside: Node, where: Nodes) -> Node:
    return make("BoundLeq", factored(worst, factor, inside), worst, box(where))


@rule("left:Expr right:Expr plan:int* leqs:|-* where:Range*")
def transport(left: Node, right: Node, plan: tuple[int, ...], leqs: Nodes, where: Nodes) -> Node:
    (sizes, groups), (others, goals) = says(left, "Worst"), says(right, "Worst")
    rows = [says(q, "BoundLeq") for q in leqs]
    need(sizes == others, "the choices are not of the same blocks")
    need(len(plan) == len(rows) == len(groups), "one target and inequality for each group")
    within = box(where, *(r[2] for r in rows))
    most = most_blocks(sizes, within)
    filled: dict[int, list[Node]] = {}
    for (_, count, value), target, row in zip(groups, plan, rows, strict=True):
        need(0 <= target < len(goals), "there is no such group")
        need(row[0] == value and row[1] == goals[target][2], "an inequality is about others")
        few_blocks = most is not None and at_most(num(most), count, within)
        filled.setdefault(target, []).append(num(most or 0) if few_blocks else count)
    for target, counts in filled.items():
        room = goals[target][1]
        full = most is not None and at_most(num(most), room, within)
        holds = full or at_most(make("Sum", tuple(counts)), room, within)
        need(holds, "a group has no room")
    return make("BoundLeq", left, right, within)


def multiples(worst: Node, base: Node, most: int | None) -> list[Fraction]:
    """Return the multiples of the base, largest first; ``most`` limits each group."""
    p = polynomial(base)
    need(bool(p), "the base is zero")
    unit, c = next(iter(p.items()))
    found: list[Fraction] = []
    for _, count, value in worst[2]:
        factor = polynomial(value).get(unit, Fraction(0)) / c
        need(same(value, make("Product", (num(factor), base))), "no multiple of the base")
        if most is None:
            number = whole(count, 10_000)
        else:
            number = most if count == INF else min(most, whole(count, 10**15))
        found += [factor] * number
    return sorted(found, reverse=True)


@rule("left:Expr right:Expr base:Expr where:Range*")
def abel(left: Node, right: Node, base: Node, where: Nodes) -> Node:
    need(says(left, "Worst")[0] == says(right, "Worst")[0], "the choices are of other blocks")
    small = multiples(left, base, None)
    large = multiples(right, base, len(small))
    most = most_blocks(left[1], where)
    up = down = Fraction(0)
    for n, factor in enumerate(small):
        if most is not None and n >= most:
            break
        up += factor
        down += large[n] if n < len(large) else 0
        need(up <= down, f"the {n + 1} largest multiples sum up to more than on the right")
    return make("BoundLeq", left, right, box(where))


def replaced(node: Node, symbol: str, value: Node) -> Node:
    """Return an expression with a size replaced."""
    if node == make("Size", symbol):
        return value
    if node[0] in {"Worst", "SumOver", "MaxOver", "Range"}:
        need(symbol not in symbols(node), "the size cannot be replaced there")
    after: list[Any] = [node[0]]
    for _, kind, field in fields_of(node):
        if kind.endswith("*") and kind[0].isupper():
            after.append(tuple(replaced(x, symbol, value) for x in field))
        else:
            after.append(replaced(field, symbol, value) if kind[0].isupper() else field)
    return make(*after)


def inner(node: Node) -> Iterator[Node]:
    """Yield a term and everything in it."""
    yield node
    for _, kind, field in fields_of(node):
        if kind[0].isupper() and field is not None:
            for each in field if kind.endswith("*") else (field,):
                yield from inner(each)


def symbols(node: Node) -> set[Any]:
    """Return all texts in a term, sizes of families included."""
    found: set[Any] = set()
    for each in inner(node):
        for _, kind, field in fields_of(each):
            found |= set(field) if kind == "sizes" else {field} if kind == "text" else set()
    return found


@rule("base:|- step:|- value:Expr bound:Expr size:text")
def induction(base: Node, step: Node, value: Node, bound: Node, size: str) -> Node:
    free = not open_sizes(bound)
    free = free and not any(
        x == make("Size", size) or x[0] in {"Worst", "Cases"} for x in inner(value)
    )
    need(free, "the bound depends on the block, or a block on their number")
    more = make("Sum", (make("Size", size), ONE))
    first = make("BoundLeq", value, replaced(bound, size, ONE), ())
    later = make("BoundLeq", make("Sum", (bound, value)), replaced(bound, size, more), ())
    need(base == first, "this is no base")
    need(step == later, "this is no step")
    worst = make("Worst", (size,), (make("Choice", INF, value),))
    return make("BoundLeq", worst, bound, ())


# ------------------------------------------------------------- profiles


def view_of(problem: Node, part: str) -> Node:
    views: Nodes = problem[4]
    for view in views:
        if view[1] == part:
            return view
    raise RejectedError(f"the problem has no part {part}")


def known_edit(problem: Node, edit: str) -> None:
    need(any(e[1] == edit for e in problem[3]), f"the problem has no edit {edit}")


@rule("problem:Problem compatible:|- sensitive:|-*")
def compatible_profile(problem: Node, compatible: Node, sensitive: Nodes) -> Node:
    arrow, relation, domain = says(compatible, "Compatible")
    rows = [says(s, "Sensitive") for s in sensitive]
    need((relation, domain) == (problem[2], problem[1]), "the condition is about other neighbours")
    views = problem[4]
    need(len({v[2] for v in views}) == 1, "all parts must read one map")
    canonical = make("Canonical", relation, domain)
    seen = []
    for _, part, _, sizes, metric in views:
        need(open_sizes(arrow) == {sizes} - {()}, f"nothing is known of {part}")
        bounds = [
            bound
            for f, bound, source, target in rows
            if f == arrow and source == canonical and make("Pullback", target, f) == metric
        ]
        if metric == pushed(relation, arrow):
            bounds.append(ONE)
        need(bool(bounds), f"nothing is known of the distance that {part} sees")
        seen.append(make("Seen", part, bounds[-1]))
    vector = make("Vector", (make("Group", views[0][2], ONE, tuple(seen), (), None),))
    return make("ProfileFact", problem, (), (vector,))


@rule("problem:Problem edit:text part:text touched:int*")
def common_distance(problem: Node, edit: str, part: str, touched: tuple[int, ...]) -> Node:
    metric = view_of(problem, part)[4]
    known_edit(problem, edit)
    common = metric[0] == "Pullback" and metric == pushed(problem[2], metric[2])
    need(common, f"{part} is not on the common domain")
    return make("BlockDistance", problem, edit, part, touched, ONE)


def subsets(points: int) -> list[tuple[int, ...]]:
    """Return the kinds of blocks that an edit changes, by the touched records they hold."""
    need(points <= 6, "too many touched records")
    if points == 0:
        return [()]
    names = range(1, points + 1)
    return [t for n in names for t in combinations(names, n)]


def inside(small: Nodes, large: Nodes) -> bool:
    """Return whether one box of sizes lies in another one."""
    ranges = {symbol: (low, high) for _, symbol, low, high in box(small)}
    for _, symbol, low, high in large:
        least, most = ranges.get(symbol, (1, None))
        if least < low or (high is not None and (most is None or most > high)):
            return False
    return True


NodeTable = dict[tuple[int, ...], Nodes]
Option = tuple[tuple[Any, Any, Nodes, tuple[int, ...], Any], ...]
"""Touched records (None: any), a number of blocks with exactly these, what parts see there, which
block it is, if that is known, and how many blocks share that, if they do."""
Way = tuple[str, Option]


def options(
    count: Node, most: int | None, table: NodeTable, never: list[Nodes], where: Nodes
) -> list[list[Option]]:
    """Return how many blocks can hold which touched records: lists, each of which is complete.

    All combinations are counted out where there are few.  Where the count is no number, or large:
    those without a block of several records are enough, when such a block is never the worse one
    (their counts are upper bounds, so that nothing forbids them); else blocks are counted by the
    records that they must hold, and each is taken to be the worst.  Without a number patterns are
    only of use where they exclude some kinds of blocks of this map side by side.
    """
    exact = count[0] == "Num" and count[1].denominator == 1
    number = int(count[1]) if exact else most
    ways = None if number is None else counted_out(table, number)
    listed: list[list[Option]] = [] if ways is None else [
        [tuple((t, n, table[t], (), None) for t, n in way) for way in ways
         if most is None or sum(n for _, n in way) <= most]
    ]  # fmt: skip
    together: list[list[Option]] = []
    if count != INF and in_shares(table, where):
        full = max(table, key=len)
        wide = make("Product", (num(len(full)), count))
        together = [[((None, count, table[full], (), wide),)]]
    if listed and exact:
        return [*listed, *(together if number is not None and number > 4 else [])]
    if never:
        some = side_by_side(table, never)
        listed.append([alike(count, {t: table[t] for t in kinds}, where) for kinds in some])
    alone = [t for t in table if len(t) <= 1]
    if all(
        t in alone or any((x,) in table and all_below(s, table[x,], where) for x in t)
        for t, s in table.items()
    ):
        apart: Option = tuple((t, count, table[t], (), None) for t in alone)
        return [*listed, [apart]]
    return [*listed, *together, [alike(count, table, where)]]


def side_by_side(table: NodeTable, never: list[Nodes]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield sets of kinds of blocks: whatever an edit touches is within one of them.

    Where a set holds all kinds of a pattern, one of these has to go.  Where there are too many
    sets, that of all kinds does.
    """
    waiting, met = [tuple(table)], set[tuple[tuple[int, ...], ...]]()
    while waiting:
        kinds = waiting.pop()
        if kinds in met:
            continue
        met.add(kinds)
        if len(met) > MOST_WAYS:
            yield tuple(table)
            return
        for pattern in never:
            touched = {t for _, _, t, _ in pattern}
            if touched <= set(kinds):
                waiting += [tuple(t for t in kinds if t != one) for one in sorted(touched)]
                break
        else:
            yield kinds


def in_shares(table: NodeTable, where: Nodes) -> bool:
    """Return whether each touched record adds an equal share to what the parts see of a block.

    That is, a block with j of n records is seen from at most j/n of where one with all n is.
    """
    everyone = {x for t in table for x in t}
    whole = tuple(sorted(everyone))
    if whole not in table:
        return False
    limit = {part: r for _, part, r in table[whole]}
    return INF not in limit.values() and all(
        at_most(
            make("Product", (num(len(whole)), r)),
            make("Product", (num(len(t)), limit[part])),
            where,
        )
        for t, row in table.items()
        for _, part, r in row
    )


def alike(count: Node, table: NodeTable, where: Nodes) -> Option:
    """Return a number of blocks that nobody exceeds, each seen as badly as any block is."""
    bad = {t: s for t, s in table.items() if {r for _, _, r in s} - {ZERO}}
    if not bad:
        return ()
    everyone = {x for t in bad for x in t}
    times_met = min(
        len(held) for n in range(len(everyone) + 1) for held in combinations(sorted(everyone), n)
        if all(set(t) & set(held) for t in bad)
    )  # fmt: skip
    if count != INF:
        count = make("Product", (num(times_met), count))
    return ((None, count, as_bad(list(bad.values()), where), (), None),)


def as_bad(rows: Sequence[Nodes], where: Nodes) -> Nodes:
    """Return distances, part by part, that none of the rows exceeds."""
    worst = []
    for column in zip(*rows, strict=True):
        far = [r for _, _, r in column]
        top = [r for r in far if all(at_most(other, r, where) for other in far)]
        worst.append(make("Seen", column[0][1], top[0] if top else INF))
    return tuple(worst)


def counted_out(
    table: NodeTable, number: int
) -> list[tuple[tuple[tuple[int, ...], int], ...]] | None:
    """Return the ways to have each record in at most ``number`` blocks; None if there are many."""
    ways: list[tuple[tuple[tuple[int, ...], int], ...]] = [()]
    for t in table:
        longer: list[tuple[tuple[tuple[int, ...], int], ...]] = []
        for way in ways:
            taken = max((sum(n for s, n in way if x in s) for x in t), default=0)
            room = number - taken
            if len(longer) + room + 1 > MOST_WAYS:
                return None
            longer += [(*way, (t, n)) if n else way for n in range(room + 1)]
        ways = longer
    return ways


def all_below(a: Nodes, b: Nodes, where: Nodes) -> bool:
    at = {part: r for _, part, r in b}
    return all(part in at and at_most(r, at[part], where) for _, part, r in a)


def below(problem: Node, small: Node, big: Node, where: Nodes) -> bool:
    """Return whether each group of a vector has its place in a group of the other."""
    if small[0] == "BlockPattern":
        return small == big
    if big[0] == "BlockPattern":
        return all(r == ZERO for g in small[1] for _, _, r in g[3])
    groups = [g for g in small[1] if any(r != ZERO for _, _, r in g[3])]
    single = [one for g in groups for one in blocks_of(g)]
    return have_places(problem, groups, big, where) or (
        len(groups) < len(single) <= MOST_SPLIT and have_places(problem, single, big, where)
    )


def blocks_of(group: Node) -> list[Node]:
    """Return the blocks of a group one by one, or the group if it is no small number of them."""
    kind, name, count, distances, block, wide = group
    whole = count[0] == "Num" and count[1].denominator == 1
    if not whole or wide is not None or not 1 < count[1] <= MOST_SPLIT:
        return [group]
    return [make(kind, name, num(1), distances, block, wide)] * int(count[1])


def have_places(problem: Node, groups: list[Node], big: Node, where: Nodes) -> bool:
    goals = [
        [
            n
            for n, h in enumerate(big[1])
            if h[1] == g[1] and (not h[4] or h[4] == g[4]) and all_below(g[3], h[3], where)
        ]
        for g in groups
    ]

    def rest(n: int, used: list[list[Node]], before: int) -> bool:
        if n == len(groups):
            return True
        for goal in goals[n]:
            if n and groups[n] == groups[n - 1] and goal < before:
                continue  # where one of two equal groups is is all that matters
            used[goal].append(groups[n])
            if has_room(problem, big[1][goal], used[goal], where) and rest(n + 1, used, goal):
                return True
            used[goal].pop()
        return False

    return rest(0, [[] for _ in big[1]], 0)


def has_room(problem: Node, group: Node, them: list[Node], where: Nodes) -> bool:
    """Return whether a group has room for the blocks of others, and for what these share."""
    (sizes, *_) = (v[3] for v in problem[4] if v[2] == group[1])
    most = most_blocks(sizes, where)
    every = tuple(g[2] if g[5] is None else g[5] for g in them)
    needs = [(every, group[2])]
    if group[5] is not None:
        needs = [(every, group[5]), (tuple(g[2] for g in them), group[2])]
    return all(
        (most is not None and at_most(num(most), room, where))
        or at_most(make("Sum", counts), room, where)
        for counts, room in needs
    )


@rule("problem:Problem facts:|-* vectors:Vector* where:Range*")
def compose_profile(problem: Node, facts: Nodes, vectors: Nodes, where: Nodes) -> Node:
    need(bool(problem[3]), "there are no edits: nothing is bounded")
    counts: dict[tuple[str, str], Node] = {}
    far: dict[tuple[str, str, tuple[int, ...]], Node] = {}
    never: dict[str, list[Nodes]] = {}
    sets: dict[str, Nodes] = {}
    shares: dict[tuple[str, str], tuple[Node, Nodes]] = {}
    joint: dict[str, Node] = {}
    for said in facts:
        kinds = {
            "TouchCount", "BlockDistance", "Infeasible", "Together", "Shares", "ChangedTogether",
        }  # fmt: skip
        _, fact, box_of_it = said if said[0] == "Restricted" else ("", said, ())
        need(fact[0] in kinds and fact[1] == problem, "a fact is no fact about this problem")
        known_edit(problem, fact[2])
        if not inside(where, box_of_it):
            continue
        match fact:
            case ("TouchCount", _, edit, name, count):
                counts[edit, name] = count
            case ("BlockDistance", _, edit, part, touched, r):
                far[edit, part, touched] = r
            case ("ChangedTogether", _, edit, *_):
                joint[edit] = fact
            case ("Infeasible", _, edit, pattern, within) if inside(where, within):
                never.setdefault(edit, []).append(pattern)
            case ("Together", _, edit, reaches):
                sets[edit] = reaches
            case ("Shares", _, edit, name, count, distances):
                shares[edit, name] = count, distances
            case _:
                pass
    sizes = {v[2]: v[3] for v in problem[4]}
    for _, edit, points in problem[3]:
        if edit in joint and said_together(
            problem, joint[edit], points, counts, far, vectors, where
        ):
            continue
        everything: dict[str, NodeTable] = {}
        for name in sizes:
            parts = [v[1] for v in problem[4] if v[2] == name]
            everything[name] = {
                t: tuple(make("Seen", p, far.get((edit, p, t), INF)) for p in parts)
                for t in subsets(points)
            }
        for tables, named in allowed(sets.get(edit), everything, where):
            per_map: list[list[list[Way]]] = []
            for name, family in sizes.items():
                found: list[list[Option]] = [[named.get(name, ())]]
                if tables[name]:
                    need((edit, name) in counts, f"how many blocks of {name} does {edit} touch?")
                    most = most_blocks(family, where)
                    here = [
                        p for p in never.get(edit, ()) if p and {k[1::2] for k in p} == {(name, 1)}
                    ]
                    found = options(counts[edit, name], most, tables[name], here, where)
                    if (edit, name) in shares and points == 0:
                        total, distances = shares[edit, name]
                        found.append([((None, total, distances, (), counts[edit, name]),)])
                ways = [[(name, option) for option in complete] for complete in found]
                if edit not in never:
                    ways = [outermost(problem, w, where) for w in ways]
                per_map.append(ways)
            holds = any(
                bounded(problem, lists, never.get(edit, []), vectors, where)
                for lists in few(product(*per_map))
            )
            need(holds, f"{edit} can do more than the vectors say")
    return make("ProfileFact", problem, box(where), vectors)


def said_together(
    problem: Node,
    fact: Node,
    points: int,
    counts: dict[tuple[str, str], Node],
    far: dict[tuple[str, str, tuple[int, ...]], Node],
    vectors: Nodes,
    where: Nodes,
) -> bool:
    """Return whether a vector says which blocks an edit changes together, in full."""
    _, _, edit, terms, facts, places = fact
    told = {(p[1], p[2]): (p[3], {s[1]: s[2] for s in p[4]}) for p in places}
    parts: dict[str, list[str]] = {}
    for _, part, name, _, _ in problem[4]:
        parts.setdefault(name, []).append(part)
    wanted: list[tuple[str, Node, Node, dict[str, Node]]] = []
    for name, readers_ in parts.items():
        kinds = subsets(points)
        whole = points > 0 and (name, ()) in told
        most = counts.get((edit, name), INF)
        if whole and most != INF:
            most = make("Product", (num(points), most))
        for kind in [()] if whole else kinds:
            when, own = told.get((name, kind), (make("Connected", "and", ()), {}))
            seen = {}
            for part in readers_:
                each = [far.get((edit, part, t), INF) for t in (kinds if whole else [kind])]
                top = [r for r in each if all(at_most(other, r, where) for other in each)]
                seen[part] = own.get(part, top[0] if top else INF)
            if any(r != ZERO for r in seen.values()):
                wanted.append((name, when, most, seen))
    return any(
        v[0] == "BlockPattern" and v[1:3] == (len(terms), facts) and finds_room(wanted, v[3], where)
        for v in vectors
    )


def finds_room(
    wanted: list[tuple[str, Node, Node, dict[str, Node]]], families: Nodes, where: Nodes
) -> bool:
    """Return whether each kind of blocks has a family of its own with the same condition."""
    free = list(families)
    for name, when, most, seen in wanted:
        for family in free:
            _, other, count, distances, condition = family
            far = {part: r for _, part, r in distances}
            if (
                (name, when) == (other, condition)
                and (count == INF or at_most(most, count, where))
                and all(r == far[part] or at_most(r, far[part], where) for part, r in seen.items())
            ):
                free.remove(family)
                break
        else:
            return False
    return True


def allowed(
    sets: Nodes | None, everything: dict[str, NodeTable], where: Nodes
) -> Iterator[tuple[dict[str, NodeTable], dict[str, Option]]]:
    """Yield, for each set, what it allows in blocks without a number, and in those with one."""
    if sets is None:
        yield everything, {}
    for _, touches in sets or ():
        tables: dict[str, NodeTable] = {name: {} for name in everything}
        numbered: dict[str, dict[tuple[int, ...], list[Nodes]]] = {name: {} for name in everything}
        for _, name, block, touched in touches:
            need(touched in everything.get(name, {}), "no block can be touched like this")
            seen = everything[name][touched]
            if block:
                numbered[name].setdefault(block, []).append(seen)
            else:
                tables[name][touched] = seen
        yield (
            tables,
            {
                name: tuple((None, num(1), as_bad(rows, where), b, None) for b, rows in of.items())
                for name, of in numbered.items()
            },
        )


def bounded(
    problem: Node, lists: Sequence[list[Way]], never: list[Nodes], vectors: Nodes, where: Nodes
) -> bool:
    """Return whether all that can occur, one way for each map, is below one of the vectors."""
    for number, joint in enumerate(product(*lists)):
        if number >= MOST_WAYS:
            return False
        held = {(name, t): n for name, option in joint for t, n, _, _, _ in option}
        if any(occurs(pattern, held) for pattern in never):
            continue
        vector = vector_of(joint)
        if not any(below(problem, vector, v, where) for v in vectors):
            return False
    return True


def vector_of(ways: Iterable[Way]) -> Node:
    """Return the vector of what the parts see, one way for each map."""
    return make("Vector", tuple(
        make("Group", name, n if isinstance(n, tuple) else num(n), seen, block, wide)
        for name, option in ways
        for _, n, seen, block, wide in option
    ))  # fmt: skip


def outermost(problem: Node, ways: list[Way], where: Nodes) -> list[Way]:
    """Leave out ways to touch a map that are below another one: what is above speaks for them."""
    left: list[tuple[Way, Node]] = []
    for way in reversed(ways):
        vector = vector_of([way])
        if any(below(problem, vector, other, where) for _, other in left):
            continue
        left = [(w, v) for w, v in left if not below(problem, v, vector, where)]
        left.append((way, vector))
    return [way for way, _ in left]


def occurs(pattern: Nodes, held: dict[tuple[str, tuple[int, ...]], Any]) -> bool:
    """Return whether a combination contains a pattern."""
    for _, name, touched, count in pattern:
        n = held.get((name, touched), 0)
        if not isinstance(n, int) or n < count:
            return False
    return bool(pattern)


@rule("profile:|- vectors:Vector* where:Range*")
def weaken_profile(profile: Node, vectors: Nodes, where: Nodes) -> Node:
    problem, within, old = says(profile, "ProfileFact")
    both = box(within, where)
    for vector in old:
        holds = any(below(problem, vector, v, both) for v in vectors)
        need(holds, "a vector is below none of the new ones")
    return make("ProfileFact", problem, both, vectors)
