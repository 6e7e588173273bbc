"""Terms in plain characters; nothing in the kernel depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import TRUE
from dpcomp_sym.statements.plain import plain_integers, plain_text, ranges
from dpcomp_sym.statements.render import Level, letters

__all__ = ["text_of"]


def text_of(term: t.KernelTerm) -> str:
    """Return a term as a sentence or formula.

    >>> text_of(t.Worst(("k",), (t.Choice(t.Num(Fraction(1)), t.BlockEntry("eps", ("k",))),)))
    'max(eps[i])'
    """
    return _text(term)


def _index(sizes: t.Sizes) -> str:
    return f"[{','.join(letters(sizes))}]" if sizes else ""


def _ranges(sizes: t.Sizes) -> str:
    return ", ".join(f"{i} <= {s}" for i, s in zip(letters(sizes), sizes, strict=True))


def _join(items: tuple[Any, ...]) -> str:
    return ", ".join(map(_text, items))


def _if(where: t.Where) -> str:
    return f", for {ranges(where)}" if where else ""


def _pair(items: tuple[t.Expr, ...]) -> str:
    return _text(items[0]) if len(items) == 1 else f"({_join(items)})"


def _blocks(count: t.Expr, how: str = "at most") -> str:
    if isinstance(count, t.Inf):
        return "any number of blocks"
    many = "" if count == t.Num(Fraction(1)) else "s"
    return f"{how} {_text(count)} block{many}"


def _block(name: str, block: tuple[int, ...], some: str = "blocks") -> str:
    """Return a block that is named, or some of a map."""
    which = f"block {','.join(map(str, block))}" if block else some
    return f"{which} of {name}"


def _holding(touched: tuple[int, ...]) -> str:
    """Return what a block holds of the records that an edit names; nothing of a frame."""
    if not touched:
        return "with changed records"
    many = "s" if len(touched) > 1 else ""
    return f"with touched record{many} {' and '.join(map(str, touched))}"


def _at(chosen: tuple[t.Expr, ...]) -> str:
    return f" at {_join(chosen)}" if chosen else ""


def _text(term: t.KernelTerm) -> str:
    match term:
        case t.Expr():
            return plain_text(term)
        case t.Space() | t.Relation() | t.Arrow() | t.Pseudometric():
            return _of_space(term)
        case t.Procedure() | t.Loss():
            return _of_mechanism(term)
        case t.Statement():
            return _of_statement(term)
        case _:
            return _of_problem(term)


def _of_space(term: t.KernelTerm) -> str:
    """Return the sentences that introduce databases, granularities, maps and metrics there are."""
    match term:
        case t.DatabaseClass(name, _, sizes):
            return f"{name}{_index(sizes)}"
        case t.NamedRelation(name) | t.OneSided(name):
            return name
        case t.Push(of, arrow):
            return f"pushforward of {_text(of)} along {_text(arrow)}"
        case t.NamedMap(name, _, _, _, sizes):
            return f"{name}{_index(sizes)}"
        case t.Composite(first, second):
            return f"{_text(second)} after {_text(first)}"
        case t.CanonicalMetric(relation, space):
            return f"d[{_text(relation)}, {_text(space)}]"
        case t.NamedPseudometric(name):
            return name
        case t.Rescaled(by, metric):
            return f"{plain_text(by, Level.PRODUCT)}*{_text(metric)}"
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
        case _:
            return repr(term)


def _of_mechanism(term: t.KernelTerm) -> str:
    """Return the sentences that introduce mechanisms, and what they lose."""
    match term:
        case t.NamedMechanism(name, _, sizes):
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
        case t.Stepwise(source, guarantee, metric):
            return f"{_pair(guarantee)} for each of {_text(metric)} steps, converted from {source}"
        case t.Converted(source, of, chosen):
            return f"({_text(of)}, converted from {source}{_at(chosen)})"
        case _:
            return repr(term)


def _of_statement(term: t.Statement) -> str:
    """Return the statement of a theorem."""
    match term:
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
        case t.Restricted(of, where):
            return f"{_text(of)}{_if(where)}"
        case t.Together() | t.Shares() | t.Mixed():
            return _changed(term)
        case _:
            return _of_together(term)


def _of_problem(term: t.KernelTerm) -> str:
    """Return the sentences that introduce a problem, and how neighbours differ in it."""
    match term:
        case t.DifferenceVector(groups):
            return " and ".join(map(_text, groups)) or "no block"
        case t.BlockGroup():
            return _group(term)
        case t.MeanOf(vectors, within):
            return f"a mean of {_ways(vectors)}, within {_ways(within)}"
        case t.Reach() | t.Touch():
            return _changed(term)
        case t.SeenDistance(part, distance):
            return f"{part}: {_text(distance)}"
        case t.TouchedKind(name, touched, count):
            return f"{_blocks(t.Num(Fraction(count)), 'at least')} of {name} {_holding(touched)}"
        case t.CompositionProblem():
            return f"the composition over {_text(term.domain)}"
        case t.EditShape(name) | t.PartView(name):
            return name
        case t.Choice(count, value):
            return f"{_text(count)} of {_text(value)}"
        case t.SizeRange():
            return ranges((term,))
        case t.SizeCase(where, value):
            return f"{_text(value)}{_if(where)}"
        case _:
            return _of_together(term)


def _of_together(term: t.KernelTerm) -> str:
    """Return the sentences about which blocks change together."""
    match term:
        case t.ChangedTogether(_, edit, _, facts, places):
            said = "; ".join(map(_text, places))
            there = "" if facts == TRUE else f", with {_text(facts)}"
            return f"what {edit} changes together{there}: {said}"
        case t.ChangedByRecords(_, edit, times, _, facts, places):
            said = "; ".join(map(_text, places))
            there = "" if facts == TRUE else f", with {_text(facts)}"
            return (
                f"{edit} changes records with at most {_text(times)} choices of integers, and what "
                f"one of each lies in{there}: {said}"
            )
        case t.Place(name, touched, when, _):
            held = f" {_holding(touched)}" if touched else ""
            if when == TRUE:
                return f"any blocks of {name}{held}"
            return f"blocks of {name}{held} have {_text(when)}"
        case t.BlockPattern(_, facts, families):
            there = "" if facts == TRUE else f", with {_text(facts)}"
            return "together " + (" and ".join(map(_text, families)) or "no block") + there
        case t.Several(times, pattern):
            return f"for {_text(times)} choices of integers, {_text(pattern)}"
        case t.Family(name, count, distances, when):
            many = "" if isinstance(count, t.Inf) else f"{_blocks(count)}, "
            those = "any blocks of" if when == TRUE else "blocks of"
            there = "" if when == TRUE else f" with {_text(when)}"
            return f"{many}{those} {name}{there} ({_join(distances)})"
        case t.Whole() | t.Predicate():
            return plain_integers(term)
        case _:
            return repr(term)


def _changed(term: t.Together | t.Reach | t.Touch | t.Shares | t.Mixed) -> str:
    """Return which blocks change together, or what they share."""
    match term:
        case t.Mixed(_, edit, vectors):
            return f"what {edit} changes is a mean of {_ways(vectors)}"
        case t.Shares(_, edit, name, count, distances):
            return (
                f"the blocks of {name} that {edit} changes share what {_text(count)} could see "
                f"({_join(distances)})"
            )
        case t.Together(_, edit, sets):
            said = " or ".join(map(_text, sets)) or "nothing"
            return f"all that {edit} changes lies in {said}"
        case t.Reach(touches):
            return f"{{{_join(touches)}}}"
        case t.Touch(name, block, touched, distances):
            seen = f" ({_join(distances)})" if distances else ""
            return f"{_block(name, block)} {_holding(touched)}{seen}"


def _ways(vectors: Sequence[t.Way]) -> str:
    return " or ".join(f"({_text(v)})" for v in vectors) or "nothing"


def _group(group: t.BlockGroup) -> str:
    """Return how many blocks change, or which one, and what is seen of them."""
    which = _block(group.map, group.block, _blocks(group.count))
    if group.wide is not None:
        most = _blocks(group.wide)
        which = f"{most} of {group.map} that share what {_text(group.count)} could see"
    return f"{which} ({_join(group.distances)})"
