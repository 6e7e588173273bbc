"""What a guarantee is worth at a distance, in another notion, and together with others."""

from __future__ import annotations

from dataclasses import dataclass

from dpcomp_sym.algebra.polynomials import ZERO, is_finite
from dpcomp_sym.notions import Conversion, conversion_between, notion_named
from dpcomp_sym.notions.core import Path, times
from dpcomp_sym.statements.terms import (
    NOTIONS,
    Amount,
    Apply,
    Arrow,
    At,
    BlockEntry,
    BlockGroup,
    BlockPattern,
    CanonicalMetric,
    Choice,
    CompositionProblem,
    Converted,
    Coverage,
    DifferenceVector,
    EachJoint,
    EntryOf,
    Expr,
    Family,
    Inf,
    Joint,
    KernelError,
    Loss,
    Max,
    MaxOver,
    MeanOf,
    PartView,
    Product,
    Pseudometric,
    Pullback,
    Push,
    Relation,
    Several,
    Sizes,
    Sqrt,
    Stepwise,
    Sum,
    SumOver,
    Way,
    Worst,
    ends,
    open_sizes,
)

Block = tuple[int, ...]
"""The number of a block; () for the block at hand."""


def plus(items: tuple[Expr, ...]) -> Expr:
    """Return a sum without terms 0."""
    kept = tuple(x for x in items if x != ZERO)
    return kept[0] if len(kept) == 1 else Sum(kept) if kept else ZERO


def scale(notion: str, guarantee: tuple[Expr, ...], r: Expr) -> tuple[Expr, ...]:
    """Return the guarantee at distance r, by the rule of the notion.

    >>> from dpcomp_sym.statements import Param, Size
    >>> [x.text() for x in scale("approximate", (Param("eps"), Param("delta")), Size("m"))]
    ['m*eps', 'delta*growth(eps, m)']
    """
    return notion_named(notion).scale(guarantee, r)


def conversion(source: str, target: str) -> Conversion:
    """Return the rule from one notion to another.

    Raises:
        KernelError: there is none.
    """
    rule = conversion_between(source, target)
    if rule is None:
        raise KernelError(f"no conversion from {source} to {target}")
    return rule


def converted(
    source: str, target: str, guarantee: tuple[Expr, ...], chosen: tuple[Expr, ...] = ()
) -> tuple[Expr, ...]:
    """Return the guarantee in the units of another notion, at one pair of databases."""
    rule = conversion(source, target)
    wanted = int(rule.chosen is not None)
    if len(chosen) != wanted:
        raise KernelError(f"from {source} to {target}, {wanted} parameter(s) are chosen")
    return rule.rule(guarantee, chosen)


def push_metric(relation: Relation, arrow: Arrow) -> Pseudometric:
    """Return the canonical metric of the pushforward, pulled back along the map."""
    return Pullback(CanonicalMetric(Push(relation, arrow), ends(arrow)[1]), arrow)


def _leaves(loss: Loss, sizes: Sizes) -> list[tuple[Sizes, Loss]]:
    """Return the parts of a loss, each with the family it belongs to."""
    if isinstance(loss, Joint):
        return [leaf for item in loss.items for leaf in _leaves(item, sizes)]
    if isinstance(loss, EachJoint) and sizes == ():
        return _leaves(loss.item, loss.sizes)
    return [(sizes, loss)]


def _metric(loss: Loss) -> Pseudometric:
    while isinstance(loss, Converted):
        loss = loss.of
    if not isinstance(loss, At | Stepwise):
        raise KernelError("the parts must have guarantees at metrics, composed at most once")
    return loss.metric


def _coordinates(notion: str, loss: Loss, r: Expr) -> tuple[Expr, ...]:
    """Return what a part adds to the sums of a notion, at distance r."""
    if r in {ZERO, Inf()}:
        return (r,) * NOTIONS[notion]
    if isinstance(loss, Converted):
        return converted(loss.source, notion, _coordinates(loss.source, loss.of, r), loss.chosen)
    if isinstance(loss, Stepwise):
        return along_path(loss.source, notion).rule(loss.guarantee, r)
    return scale(notion, loss.guarantee, r) if isinstance(loss, At) else (Inf(),)


def along_path(source: str, target: str) -> Path:
    """Return what is known of a notion in another one, along a path of neighbours.

    Raises:
        KernelError: nothing is.
    """
    path = conversion(source, target).path
    if path is None:
        raise KernelError(f"nothing is known of paths from {source} to {target}")
    return path


def is_walked(metric: Pseudometric) -> bool:
    """Return whether a pair that far apart has a path of so many steps between neighbours.

    So it is for a canonical metric, on its own domain; and behind a map for that of the
    pushforward along the same map, where whatever a path meets is the image of a database.  Behind
    other maps a path may leave the images: nothing is known of what a mechanism does there.

    >>> from dpcomp_sym.statements.terms import DatabaseClass, NamedMap, NamedRelation
    >>> g, e, f = NamedRelation("G", ""), DatabaseClass("E", "", ()), DatabaseClass("F", "", ())
    >>> p = NamedMap("p", "", e, f, ())
    >>> is_walked(CanonicalMetric(g, f)), is_walked(Pullback(CanonicalMetric(g, f), p))
    (True, False)
    >>> is_walked(push_metric(g, p))
    True
    """
    match metric:
        case CanonicalMetric():
            return True
        case Pullback(CanonicalMetric(Push(_, pushed), _), arrow):
            return pushed == arrow
        case _:
            return False


@dataclass(frozen=True)
class Touched:
    """Which blocks of a map neighbours touch: how many at most, and what each of them adds.

    ``groups``: for each kind of touched block their number, and what it adds to each sum of the
    notion, to the epsilons and to the deltas for example.  ``block``: the number of the block,
    where it is a certain one; ``sizes`` are then those of a single part.
    """

    map: str
    sizes: Sizes
    groups: tuple[tuple[Expr, tuple[Expr, ...]], ...]
    block: Block = ()


def _seen_by(problem: CompositionProblem, loss: Loss) -> list[tuple[PartView, Loss]]:
    """Return the parts of a loss, each with what it sees."""
    found: list[tuple[PartView, Loss]] = []
    views: dict[tuple[Sizes, Pseudometric], PartView] = {}
    for view in problem.views:
        views.setdefault((view.sizes, view.seen), view)
    for sizes, leaf in _leaves(loss, ()):
        metric = _metric(leaf)
        if (sizes, metric) not in views:
            raise KernelError(f"the problem does not say what is at distance {metric.text()}")
        found.append((views[sizes, metric], leaf))
    return found


def _in_group(
    found: list[tuple[PartView, Loss]], group: BlockGroup | Family, notion: str
) -> tuple[Expr, ...]:
    """Return what the parts add to the sums of a notion in a block of a group."""
    at = {s.part: s.distance for s in group.distances}
    if any(not is_finite(e) and not isinstance(e, Inf | Amount) for e in at.values()):
        raise KernelError("distances are made of numbers and sizes")
    terms = [_coordinates(notion, x, at[v.part]) for v, x in found if v.map == group.map]
    if notion_named(notion).growth.root:
        terms = [tuple(e if e in {ZERO, Inf()} else times(e, e) for e in t) for t in terms]
    if isinstance(group, BlockGroup) and group.block:
        terms = [tuple(_of_block(e, group.block) for e in t) for t in terms]
        if open_sizes(tuple(terms)):
            raise KernelError("the guarantee of a single block is needed")
    return tuple(_added(tuple(t[n] for t in terms)) for n in range(NOTIONS[notion]))


def touched_by(
    problem: CompositionProblem, vector: DifferenceVector, notion: str, loss: Loss
) -> tuple[Touched, ...]:
    """Return what neighbours touch who change as a vector says, map by map."""
    found = _seen_by(problem, loss)
    groups: dict[tuple[str, Block], list[tuple[Expr, tuple[Expr, ...]]]] = {}
    for group in vector.groups:
        added = _in_group(found, group, notion)
        count = group.count
        if group.wide is not None and not all(
            _grows(notion, x) for v, x in found if v.map == group.map
        ):
            count = group.wide
        groups.setdefault((group.map, group.block), []).append((count, added))
    sizes_of = {v.map: v.sizes for v in problem.views}
    return tuple(
        Touched(name, () if block else sizes_of[name], tuple(them), block)
        for (name, block), them in groups.items()
    )


def _grows(notion: str, loss: Loss) -> bool:
    """Return whether what a part adds at a fraction of a distance is at most this fraction of it.

    It is convex in the distance and 0 at 0: r eps or delta growth(eps, r), for example.
    """
    if isinstance(loss, Converted):
        return conversion(loss.source, notion).convex and isinstance(loss.of, At)
    if isinstance(loss, Stepwise):
        return along_path(loss.source, notion).convex
    return notion_named(notion).growth.convex


def _added(items: tuple[Expr, ...]) -> Expr:
    return Inf() if Inf() in items else plus(items)


def _patterned(
    problem: CompositionProblem, way: BlockPattern, notion: str, loss: Loss
) -> tuple[Expr, ...]:
    """Return, for each parameter, the largest total over blocks that change together."""
    found = _seen_by(problem, loss)
    sizes_of = {v.map: v.sizes for v in problem.views}
    added = [(f, _in_group(found, f, notion)) for f in way.families]
    totals: list[Expr] = []
    for n in range(NOTIONS[notion]):
        if any(values[n] == Inf() for _, values in added):
            totals.append(Inf())
            continue
        sums = tuple(
            SumOver(sizes_of[f.map], f.when, f.count, values[n])
            for f, values in added
            if values[n] != ZERO
        )
        totals.append(MaxOver(way.free, way.facts, plus(sums)) if sums else ZERO)
    return tuple(totals)


def _totals(problem: CompositionProblem, vector: Way, notion: str, loss: Loss) -> tuple[Expr, ...]:
    """Return the largest total of one vector for each parameter, of squares if these add up."""
    if isinstance(vector, BlockPattern):
        return _patterned(problem, vector, notion, loss)
    if isinstance(vector, Several):
        each = _patterned(problem, vector.pattern, notion, loss)
        return tuple(Coverage(vector.times, x) if isinstance(x, MaxOver) else x for x in each)
    if not isinstance(vector, DifferenceVector):
        raise KernelError("no way in which neighbours differ")
    maps = touched_by(problem, vector, notion, loss)
    totals: list[Expr] = []
    for n in range(NOTIONS[notion]):
        choices = [
            (blocks.sizes, tuple(Choice(count, added[n]) for count, added in blocks.groups))
            for blocks in maps
        ]
        if any(c.value == Inf() for _, them in choices for c in them):
            totals.append(Inf())
        else:
            totals.append(plus(tuple(_largest(sizes, them) for sizes, them in choices)))
    return tuple(totals)


def _of_block(e: Expr, block: Block) -> Expr:
    """Return what an expression about the block at hand is for the block with this number."""
    match e:
        case BlockEntry(name, sizes) if block:
            return EntryOf(name, sizes, block)
        case Sum(items) | Product(items) | Max(items):
            return type(e)(tuple(_of_block(x, block) for x in items))
        case Sqrt(of):
            return Sqrt(_of_block(of, block))
        case Apply(name, items):
            return Apply(name, tuple(_of_block(x, block) for x in items))
        case _:
            return e


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


def _worst_of(way: Way, notion: str, loss: Loss) -> tuple[Way, ...]:
    """Return where the largest total of a way to differ is.

    That of a mean is at one of its vectors, if what each part adds is convex in the distance.
    """
    if not isinstance(way, MeanOf):
        return (way,)
    return way.vectors if all(_grows(notion, x) for _, x in _leaves(loss, ())) else way.within


def worst_guarantee(
    problem: CompositionProblem, vectors: tuple[Way, ...], notion: str, loss: Loss
) -> tuple[Expr, ...]:
    """Return the largest totals over the vectors; each parameter is maximized on its own."""
    squares = notion_named(notion).growth.root
    totals = [
        _totals(problem, v, notion, loss) for way in vectors for v in _worst_of(way, notion, loss)
    ]
    found = tuple(_maximum(tuple(t[n] for t in totals)) for n in range(NOTIONS[notion]))
    if squares:
        return tuple(g if g in {ZERO, Inf()} else Sqrt(g) for g in found)
    return found
