"""Terms in plain characters, for people; nothing in the kernel depends on it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcomp_sym.statements import terms as t

__all__ = ["text_of"]

_INDEX = "ijlnst"


def text_of(term: t.Term) -> str:
    """Return a term as a sentence or formula.

    >>> text_of(t.Worst(("k",), (t.Choice(t.Num(Fraction(1)), t.Entry("eps", ("k",))),)))
    'max(eps[i])'
    """
    return _text(term)


def _index(sizes: t.Sizes) -> str:
    return "" if not sizes else "[" + ",".join(_INDEX[n % 6] for n in range(len(sizes))) + "]"


def _ranges(sizes: t.Sizes) -> str:
    return ", ".join(f"{_INDEX[n % 6]} <= {s}" for n, s in enumerate(sizes))


def _join(items: tuple[Any, ...]) -> str:
    return ", ".join(map(_text, items))


def _factor(e: t.Term) -> str:
    return f"({_text(e)})" if isinstance(e, t.Sum) and len(e.items) > 1 else _text(e)


def _where(where: t.Where) -> str:
    return " and ".join(
        f"{r.symbol} >= {r.low}"
        if r.high is None
        else f"{r.symbol} = {r.low}"
        if r.low == r.high
        else f"{r.low} <= {r.symbol} <= {r.high}"
        for r in where
    )


def _if(where: t.Where) -> str:
    return f", for {_where(where)}" if where else ""


def _pair(items: tuple[t.Expr, ...]) -> str:
    return _text(items[0]) if len(items) == 1 else f"({_join(items)})"


def _worst(e: t.Worst) -> str:
    if len(e.groups) == 1:
        count, value = e.groups[0].count, _text(e.groups[0].value)
        if count == t.Num(Fraction(1)):
            return f"max({value})"
        if isinstance(count, t.Inf):
            return f"sum({value})"
        return f"sum of the {_text(count)} largest {value}"
    said = "; ".join(f"{_text(g.count)} of {_text(g.value)}" for g in e.groups)
    return f"max over different blocks({said})"


def _blocks(count: t.Expr, how: str = "at most") -> str:
    if isinstance(count, t.Inf):
        return "any number of blocks"
    many = "" if count == t.Num(Fraction(1)) else "s"
    return f"{how} {_text(count)} block{many}"


def _holding(touched: tuple[int, ...]) -> str:
    """Return what a block holds of the records that an edit names; nothing of a frame."""
    if not touched:
        return "with changed records"
    many = "s" if len(touched) > 1 else ""
    return f"with touched record{many} {' and '.join(map(str, touched))}"


def _text(term: t.Term) -> str:  # noqa: PLR0915 - one line for each kind of term
    match term:
        case t.Num(value):
            return str(value)
        case t.Inf():
            return "inf"
        case t.Param(name) | t.Size(name):
            return name
        case t.Entry(name, sizes):
            return f"{name}{_index(sizes)}"
        case t.Sum(items):
            return " + ".join(map(_text, items)) or "0"
        case t.Product(items):
            return "*".join(map(_factor, items)) or "1"
        case t.Max(items):
            return f"max({_join(items)})" if items else "0"
        case t.Sqrt(of):
            return f"sqrt({_text(of)})"
        case t.Apply(name, items):
            return f"{name}({_join(items)})"
        case t.Worst():
            return _worst(term)
        case t.Cases(items):
            return "; ".join(f"{_text(c.value)} for {_where(c.where) or 'all'}" for c in items)
        case t.Domain(name, _, sizes):
            return f"{name}{_index(sizes)}"
        case t.Granularity(name) | t.OneSided(name):
            return name
        case t.Push(of, arrow):
            return f"pushforward of {_text(of)} along {_text(arrow)}"
        case t.Map(name, _, _, _, sizes):
            return f"{name}{_index(sizes)}"
        case t.Composite(first, second):
            return f"{_text(second)} after {_text(first)}"
        case t.Canonical(relation, space):
            return f"d[{_text(relation)}, {_text(space)}]"
        case t.Distance(name):
            return name
        case t.Rescaled(by, metric):
            return f"{_factor(by)}*{_text(metric)}"
        case t.Added(items):
            return " + ".join(map(_text, items))
        case t.EachAdded(sizes, item):
            return f"sum({_text(item)}; {_ranges(sizes)})"
        case t.Largest(items):
            return f"max({_join(items)})"
        case t.Pullback(metric, arrow):
            return f"{_text(metric)} o {_text(arrow)}"
        case t.Quotient(metric, arrow):
            return f"quotient of {_text(metric)} by {_text(arrow)}"
        case t.Mechanism(name, _, sizes):
            return f"{name}{_index(sizes)}"
        case t.After(mechanism, arrow):
            return f"{_text(mechanism)} o {_text(arrow)}"
        case t.Adaptive(items):
            return f"({_join(items)})"
        case t.EachAdaptive(sizes, item):
            return f"({_text(item)}; {_ranges(sizes)})"
        case t.Processed(of, by):
            return f"{by} of {_text(of)}"
        case t.Neighbouring(relation, space, guarantee):
            return f"{_pair(guarantee)} between {_text(relation)} neighbours of {_text(space)}"
        case t.At(guarantee, metric):
            return f"{_pair(guarantee)} at distance {_text(metric)}"
        case t.Joint(items):
            return " together with ".join(map(_text, items)) or "nothing"
        case t.EachJoint(sizes, item):
            return f"all of [{_text(item)}; {_ranges(sizes)}]"
        case t.Converted(source, of, chosen):
            at = f" at {_join(chosen)}" if chosen else ""
            return f"({_text(of)}, converted from {source}{at})"
        case t.Private(mechanism, notion, loss, where):
            return f"{_text(mechanism)} is {notion} private: {_text(loss)}{_if(where)}"
        case t.Dependent(mechanism, arrow):
            return f"{_text(mechanism)} depends on the database only through {_text(arrow)}"
        case t.Sensitive(arrow, bound, source, target):
            return (
                f"{_text(arrow)} has sensitivity at most {_text(bound)} "
                f"from {_text(source)} to {_text(target)}"
            )
        case t.Compatible(arrow, relation, space):
            return (
                f"at most one block of {_text(arrow)} changes between "
                f"{_text(relation)} neighbours of {_text(space)}"
            )
        case t.MetricLeq(left, right) | t.BoundLeq(left, right, ()):
            return f"{_text(left)} <= {_text(right)}"
        case t.BoundLeq(left, right, where):
            return f"{_text(left)} <= {_text(right)}{_if(where)}"
        case t.ProfileFact(problem, where, vectors):
            said = " or ".join(map(_text, vectors)) or "nothing"
            return f"{_text(problem.relation)} neighbours change {said}{_if(where)}"
        case t.BlockDistance(problem, edit, part, touched, distance):
            far = isinstance(distance, t.Inf)
            seen = "any distance" if far else f"distance at most {_text(distance)}"
            return f"after {edit}, {part} sees {seen} in a block {_holding(touched)}"
        case t.TouchCount(problem, edit, name, count):
            return f"a record touched by {edit} is in {_blocks(count)} of {name}"
        case t.Infeasible(problem, edit, pattern, where):
            return f"{edit} never changes {_join(pattern)}{_if(where)}"
        case t.Vector(groups):
            return " and ".join(map(_text, groups)) or "no block"
        case t.Group(name, count, distances):
            return f"{_blocks(count)} of {name} ({_join(distances)})"
        case t.Seen(part, distance):
            return f"{part}: {_text(distance)}"
        case t.Kind(name, touched, count):
            return f"{_blocks(t.Num(Fraction(count)), 'at least')} of {name} {_holding(touched)}"
        case t.Problem():
            return f"the composition over {_text(term.domain)}"
        case t.Edit(name) | t.View(name):
            return name
        case t.Choice(count, value):
            return f"{_text(count)} of {_text(value)}"
        case t.Range():
            return _where((term,))
        case t.Case(where, value):
            return f"{_text(value)}{_if(where)}"
        case _:
            return repr(term)
